"""The worker process of Python handlers."""
