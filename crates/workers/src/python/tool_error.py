

class ToolError(Exception):
    """Raised by a handler to fail with a given error type."""

    def __init__(
        self,
        type,
        message,
        *,
        retryable=None,
        partial_side_effects=None,
        idempotency_required=None,
        suggestion=None,
        details=None,
    ):
        super().__init__(message)
        self.type = str(type)
        self.message = message
        self.retryable = retryable
        self.partial_side_effects = partial_side_effects
        self.idempotency_required = idempotency_required
        self.suggestion = suggestion
        self.details = details


class CapabilityError(Exception):
    """Raised by a capability that failed; `code` names the fault."""

    def __init__(self, fault):
        super().__init__(fault["message"])
        self.fault = fault
        self.code = fault["code"]


class Context:
    """The type of the context of a plain function, for annotations; aileron.pyi has its members."""


class AsyncContext:
    """The type of the context of a coroutine function, for annotations; aileron.pyi has its members."""
