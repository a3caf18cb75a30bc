"""The context of a call: its data, and the declared capabilities as named methods."""

import time

from aileron import CapabilityError

from .call import refusal


class Members:
    """Named members. Names in camel case may be written in snake case."""

    def __init__(self, members, missing):
        self.__dict__.update(members)
        self.__dict__["_missing"] = missing

    def __getattr__(self, name):
        first, *rest = name.split("_")
        found = first + "".join(part.title() for part in rest)
        if found != name and found in self.__dict__:
            return self.__dict__[found]
        raise AttributeError(self.__dict__["_missing"].format(name))

    def __getitem__(self, name):
        return self.__dict__[name]

    def get(self, name, default=None):
        return self.__dict__.get(name, default)


class Signal:
    """Tells whether the call was cancelled."""

    def __init__(self, call):
        self._call = call

    @property
    def aborted(self):
        return self._call.is_aborted()


def offered(call, capabilities, message):
    """The context of a call."""
    began, given = time.monotonic(), message["context"]["now"]
    members = dict(message["context"])
    members.update(
        now=lambda: given + int((time.monotonic() - began) * 1000),
        progress=lambda update=None: call.show("progress", {"update": update}),
        partial=lambda data=None: call.show("partial", {"data": data}),
        signal=Signal(call),
    )
    for shape in capabilities:
        name = shape["name"]
        methods = {method: asking(call, name, method) for method in shape["methods"]}
        methods.update({method: immediate(call, f"{name}.{method}", message) for method in shape["sync"]})
        members[name] = Members(methods, f"the capability `{name}` has no method `{{}}`")
    return Members(members, "the context has no `{}`; a capability must be declared in schema.json")


def asking(call, capability, method):
    """A method that asks the server: positional arguments, or named ones as one object."""

    def ask(*args, **named):
        return call.request(capability, method, [*args, named] if named else list(args))

    return ask


def immediate(call, method, message):
    """A method that answers without a request to the server."""
    if method == "secret.get":
        return lambda name: secret(message["secrets"], name)
    if method == "voice.isActive":
        return lambda: message["voice"]
    if method == "voice.endSession":
        return lambda: {"type": "END_VOICE_SESSION", "after": "current_turn"}
    if method == "audio.suppress":
        return lambda value: {"type": "SUPPRESS_AUDIO", "value": expected(bool, value)}
    if method == "audit.log":
        return lambda event, details=None: call.note(expected(str, event), details)
    return lambda *_: refuse(f"there is no method `{method}`")


def expected(kind, value):
    if isinstance(value, kind):
        return value
    return refuse(f"the request cannot be read: expected {kind.__name__}, found {type(value).__name__}")


def refuse(message):
    raise CapabilityError(refusal(message))


def secret(secrets, name):
    found = secrets.get(name, {})
    if "value" in found:
        return found["value"]
    undeclared = refusal(f"the tool does not declare the capability `secret:{name}`")
    raise CapabilityError(found.get("fault") or undeclared)
