"""Runs Python handlers for an Aileron server. Speaks the worker protocol (docs/worker-protocol.md), version 1."""

import os
import sys

DESCRIPTORS_AT_MOST = 65536

if __name__ == "__main__":
    # Descriptors of the server that are not closed on exec.
    os.closerange(3, DESCRIPTORS_AT_MOST)
    os.environ.pop("AILERON_INHERITED", None)

    from aileron_worker.output import redirect
    from aileron_worker.worker import Worker

    arguments, sys.argv = sys.argv[1:5], sys.argv[:1]
    redirect()
    Worker(*arguments).serve()
