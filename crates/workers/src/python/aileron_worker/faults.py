"""Descriptions of exceptions."""

import json
import os
import traceback

from aileron import CapabilityError

from .connection import encoded

LONGEST_TEXT = 4096
LONGEST_DETAILS = 65536

FLAGS = {
    "retryable": "retryable",
    "partialSideEffects": "partial_side_effects",
    "idempotencyRequired": "idempotency_required",
}


def described(error, source_root):
    """The description of an exception that a handler raised."""
    stack = own_stack(error, source_root)
    if isinstance(error, CapabilityError):
        return {"kind": "capability", "fault": error.fault, "stack": stack}
    name = type(error).__name__
    if name == "ToolError" and isinstance(getattr(error, "type", None), str):
        return tool_error(error)
    return {"kind": "error", "name": name, "message": as_text(error), "stack": stack}


def load_fault(error, source_root, package):
    """Why a handler cannot be loaded. `package` is the one of the toolset itself."""
    if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith(package):
        return {"kind": "package", "package": error.name.split(".")[0], "message": as_text(error)}
    text = as_text("".join(traceback.format_exception_only(type(error), error)).strip())
    kind = "syntax" if isinstance(error, SyntaxError) else "top_level"
    return {"kind": kind, "message": text, "stack": own_stack(error, source_root)}


def own_stack(error, source_root):
    """The frames in the toolset, innermost first, with paths below the tools folder."""
    root = source_root + os.sep
    frames = [
        f"at {frame.name} ({frame.filename[len(root):]}:{frame.lineno})"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename.startswith(root)
    ]
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(root):
        frames.append(f"at <module> ({error.filename[len(root):]}:{error.lineno})")
    return "\n".join(reversed(frames))


def tool_error(error):
    found = {"kind": "tool", "type": error.type, "message": as_text(error)}
    for name, attribute in FLAGS.items():
        value = getattr(error, attribute, None)
        if isinstance(value, bool):
            found[name] = value
    suggestion = getattr(error, "suggestion", None)
    if isinstance(suggestion, str):
        found["suggestion"] = suggestion[:LONGEST_TEXT]
    details = as_json(getattr(error, "details", None))
    if details is not None:
        found["details"] = details
    return found


def as_text(value):
    try:
        return str(value)[:LONGEST_TEXT]
    except Exception:
        return ""


def as_json(value):
    try:
        text = encoded(value)
    except (TypeError, ValueError, RecursionError):
        return None
    return json.loads(text) if len(text) <= LONGEST_DETAILS else None
