"""Runs Python handlers for an Aileron server.

Speaks the worker protocol (docs/worker-protocol.md), version 1. The main thread reads messages and
runs handlers that are plain functions, one at a time; coroutine functions run on an event loop in a
second thread, several at once.
"""

import asyncio
import contextvars
import importlib.util
import inspect
import json
import logging
import os
import select
import socket
import sys
import threading
import time
import traceback
import types

from aileron import CapabilityError, ToolError

PROTOCOL = 1
LONGEST_TEXT = 4096
LONGEST_DETAILS = 65536
PACKAGE = "aileron_tools"
DESCRIPTORS_AT_MOST = 65536

current_call = contextvars.ContextVar("aileron_call", default=None)


class Connection:
    """The socket: whole lines in, whole lines out."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._pending = bytearray()
        self._writing = threading.Lock()

    def send(self, message):
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        self.send_line(line)

    def send_line(self, line):
        with self._writing:
            self._socket.sendall(line.encode("utf-8", "replace") + b"\n")

    def is_readable(self):
        if b"\n" in self._pending:
            return True
        return bool(select.select([self._socket], [], [], 0)[0])

    def receive(self):
        """The next message. The process ends when the server has closed the socket."""
        searched = 0
        while True:
            at = self._pending.find(b"\n", searched)
            if at >= 0:
                line = bytes(self._pending[:at])
                del self._pending[: at + 1]
                return json.loads(line)
            searched = len(self._pending)
            chunk = self._socket.recv(1 << 16)
            if not chunk:
                os._exit(0)
            self._pending += chunk


class Call:
    """One call: its cancellation, and its requests that wait for a reply."""

    def __init__(self, worker, message):
        self.worker = worker
        self.id = message["id"]
        self.ended = False
        self.aborted = threading.Event()
        self.requests = 0
        self.replies = {}

    def tell(self, message):
        if not self.ended:
            self.worker.connection.send({**message, "id": self.id})

    def next_request(self, capability, method, args):
        if self.ended:
            raise capability_error({"code": "ENDED", "message": "the call has ended"})
        self.requests += 1
        number = self.requests
        self.worker.connection.send(
            {
                "type": "request",
                "id": self.id,
                "request": number,
                "capability": capability,
                "method": method,
                "args": args,
            }
        )
        return number


class BlockingCall(Call):
    """A call of a plain function: the thread that asks reads messages until its reply is there."""

    def __init__(self, worker, message):
        super().__init__(worker, message)
        self._reading = threading.RLock()

    def request(self, capability, method, args):
        with self._reading:
            number = self.next_request(capability, method, args)
            while number not in self.replies:
                self.worker.receive(self.worker.connection.receive())
            return value_of(self.replies.pop(number))

    def settle(self, message):
        self.replies[message["request"]] = message

    def is_aborted(self):
        with self._reading:
            while self.worker.connection.is_readable():
                self.worker.receive(self.worker.connection.receive())
        return self.aborted.is_set()


class AwaitingCall(Call):
    """A call of a coroutine function, on the event loop."""

    async def request(self, capability, method, args):
        future = asyncio.get_running_loop().create_future()
        number = self.next_request(capability, method, args)
        self.replies[number] = future
        return value_of(await future)

    def settle(self, message):
        self.worker.loop.call_soon_threadsafe(self._resolve, message)

    def _resolve(self, message):
        future = self.replies.pop(message["request"], None)
        if future is not None and not future.done():
            future.set_result(message)

    def is_aborted(self):
        return self.aborted.is_set()


class Capability:
    """The methods of one capability. Their names may be written in snake case."""

    def __init__(self, methods):
        self.__dict__.update(methods)

    def __getattr__(self, name):
        found = self.__dict__.get(camel(name))
        if found is None:
            raise AttributeError(f"this capability has no method `{name}`")
        return found


class Signal:
    """Tells whether the call was cancelled."""

    def __init__(self, call):
        self._call = call

    @property
    def aborted(self):
        return self._call.is_aborted()


class Context:
    """The context of a call: data and declared capabilities. Names may be written in snake case."""

    def __init__(self, members):
        self.__dict__.update(members)

    def __getattr__(self, name):
        wanted = camel(name)
        if wanted in self.__dict__:
            return self.__dict__[wanted]
        raise AttributeError(f"the context has no `{name}`; a capability must be declared in schema.json")

    def __getitem__(self, name):
        return self.__dict__[name]

    def get(self, name, default=None):
        return self.__dict__.get(name, default)


class Worker:
    """Receives the messages of the server and runs the handlers."""

    def __init__(self, path, source_root, longest_result):
        self.source_root = source_root
        self.longest_result = longest_result
        self.handlers = {}
        self.calls = {}
        self.loop = None
        parent = types.ModuleType(PACKAGE)
        parent.__path__ = [source_root]
        sys.modules[PACKAGE] = parent
        self.connection = Connection(path)

    def serve(self):
        version = ".".join(str(part) for part in sys.version_info[:3])
        self.connection.send(
            {"type": "hello", "protocol": PROTOCOL, "runtime": "python", "version": version}
        )
        while True:
            self.receive(self.connection.receive())

    def receive(self, message):
        kind = message["type"]
        if kind == "reply":
            call = self.calls.get(message["id"])
            if call is not None:
                call.settle(message)
        elif kind == "call":
            self.begin(message)
        elif kind == "cancel":
            call = self.calls.get(message["id"])
            if call is not None:
                call.aborted.set()
        elif kind == "load":
            self.load(message)
        elif kind == "ping":
            self.connection.send({"type": "pong"})
        else:
            os._exit(1)

    def load(self, message):
        tool = message["tool"]
        try:
            execute = self.import_handler(tool, message["entry"])
        except Exception as error:
            self.connection.send({"type": "loaded", "tool": tool, "fault": self.load_fault(error)})
            return
        if not callable(execute):
            fault = {"kind": "no_execute", "message": ""}
            self.connection.send({"type": "loaded", "tool": tool, "fault": fault})
            return
        concurrent = inspect.iscoroutinefunction(execute)
        self.handlers[tool] = (execute, message["capabilities"], concurrent)
        self.connection.send({"type": "loaded", "tool": tool, "concurrent": concurrent})

    def import_handler(self, tool, entry):
        path = os.path.join(self.source_root, entry)
        name = f"{PACKAGE}.{tool}"
        folder = [os.path.dirname(path)]
        spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folder)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return getattr(module, "execute", None)

    def load_fault(self, error):
        if isinstance(error, ModuleNotFoundError) and error.name and not error.name.startswith(PACKAGE):
            return {"kind": "package", "package": error.name.split(".")[0], "message": str(error)}
        text = as_text("".join(traceback.format_exception_only(type(error), error)).strip())
        kind = "syntax" if isinstance(error, SyntaxError) else "top_level"
        return {"kind": kind, "message": text, "stack": self.own_stack(error)}

    def begin(self, message):
        execute, capabilities, concurrent = self.handlers[message["tool"]]
        call = (AwaitingCall if concurrent else BlockingCall)(self, message)
        self.calls[call.id] = call
        context = offered(call, capabilities, message)
        if concurrent:
            if self.loop is None:
                self.start_loop()
            running = self.run_awaiting(call, execute, message["args"], context)
            asyncio.run_coroutine_threadsafe(running, self.loop)
        else:
            contextvars.copy_context().run(self.run_blocking, call, execute, message["args"], context)

    def start_loop(self):
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="aileron-loop", daemon=True).start()

    def run_blocking(self, call, execute, args, context):
        current_call.set(call)
        try:
            end = self.result(execute(args, context))
        except Exception as error:
            end = self.fault(error)
        self.end(call, end)

    async def run_awaiting(self, call, execute, args, context):
        current_call.set(call)
        try:
            end = self.result(await execute(args, context))
        except (Exception, asyncio.CancelledError) as error:
            end = self.fault(error)
        self.end(call, end)

    def end(self, call, members):
        flush_output()
        call.ended = True
        del self.calls[call.id]
        self.connection.send_line(f'{{"type":"done","id":"{call.id}",{members}}}')

    def result(self, value):
        """The members of the message that ends a call."""
        try:
            text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        except (TypeError, ValueError, RecursionError) as error:
            return '"fault":' + json.dumps({"kind": "unreadable", "message": as_text(error)})
        return '"tooLarge":true' if len(text.encode("utf-8", "replace")) > self.longest_result else f'"result":{text}'

    def fault(self, error):
        return '"fault":' + json.dumps(self.described(error))

    def described(self, error):
        if isinstance(error, MemoryError):
            return {"kind": "memory"}
        stack = self.own_stack(error)
        if isinstance(error, CapabilityError):
            return {"kind": "capability", "fault": error.fault, "stack": stack}
        name, message = type(error).__name__, as_text(error)
        if name == "ToolError" and isinstance(getattr(error, "type", None), str):
            return tool_error(error)
        return {"kind": "error", "name": name, "message": message, "stack": stack}

    def own_stack(self, error):
        """The frames in the toolset, innermost first, with paths below the tools folder."""
        root = self.source_root + os.sep
        frames = [
            f"at {frame.name} ({frame.filename[len(root):]}:{frame.lineno})"
            for frame in traceback.extract_tb(error.__traceback__)
            if frame.filename.startswith(root)
        ]
        if isinstance(error, SyntaxError) and (error.filename or "").startswith(root):
            frames.append(f"at <module> ({error.filename[len(root):]}:{error.lineno})")
        return "\n".join(reversed(frames))


def offered(call, capabilities, message):
    """The context of a call."""
    began, given = time.monotonic(), message["context"]["now"]
    members = dict(message["context"])
    members.update(
        now=lambda: given + int((time.monotonic() - began) * 1000),
        progress=lambda update=None: call.tell({"type": "progress", "update": update}),
        partial=lambda data=None: call.tell({"type": "partial", "data": data}),
        signal=Signal(call),
    )
    for shape in capabilities:
        methods = {method: asking(call, shape["name"], method) for method in shape["methods"]}
        methods.update(immediate(call, shape["name"], message))
        members[shape["name"]] = Capability(methods)
    return Context(members)


def asking(call, capability, method):
    """A method that asks the server: positional arguments, or named ones as one object."""

    def ask(*args, **named):
        return call.request(capability, method, [*args, named] if named else list(args))

    return ask


def immediate(call, capability, message):
    """Methods that answer without a request to the server."""
    if capability == "secret":
        return {"get": lambda name: secret(message["secrets"], name)}
    if capability == "voice":
        return {
            "isActive": lambda: message["voice"],
            "endSession": lambda: {"type": "END_VOICE_SESSION", "after": "current_turn"},
        }
    if capability == "audio":
        return {"suppress": lambda value: {"type": "SUPPRESS_AUDIO", "value": bool(value)}}
    if capability == "audit":
        return {
            "log": lambda event, details=None: call.tell(
                {"type": "note", "event": str(event), "details": details}
            )
        }
    return {}


def secret(secrets, name):
    found = secrets.get(name, {})
    if "value" in found:
        return found["value"]
    message = f"the tool does not declare the capability `secret:{name}`"
    raise capability_error(found.get("fault") or {"code": "REFUSED", "message": message})


def value_of(reply):
    if "fault" in reply:
        raise capability_error(reply["fault"])
    return reply.get("value")


def capability_error(fault):
    return CapabilityError(fault)


def tool_error(error):
    described = {"kind": "tool", "type": error.type, "message": as_text(error)}
    flags = {
        "retryable": "retryable",
        "partialSideEffects": "partial_side_effects",
        "idempotencyRequired": "idempotency_required",
    }
    for name, attribute in flags.items():
        value = getattr(error, attribute, None)
        if isinstance(value, bool):
            described[name] = value
    suggestion = getattr(error, "suggestion", None)
    if isinstance(suggestion, str):
        described["suggestion"] = suggestion[:LONGEST_TEXT]
    details = as_json(getattr(error, "details", None))
    if details is not None:
        described["details"] = details
    return described


def as_text(value):
    try:
        return str(value)[:LONGEST_TEXT]
    except Exception:
        return ""


def as_json(value):
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return None
    return json.loads(text) if len(text) <= LONGEST_DETAILS else None


def camel(name):
    first, *rest = name.split("_")
    return first + "".join(part.title() for part in rest)


class Output:
    """Standard output: lines of a call go to its log, others to the real stream."""

    def __init__(self, stream, level):
        self._stream = stream
        self._level = level
        self._line = contextvars.ContextVar("aileron_line", default="")

    def write(self, text):
        call = current_call.get()
        if call is None or call.ended:
            return self._stream.write(text)
        *whole, rest = (self._line.get() + text).split("\n")
        for line in whole:
            self._log(call, line)
        if len(rest) > LONGEST_TEXT:
            self._log(call, rest)
            rest = ""
        self._line.set(rest)
        return len(text)

    def flush_line(self):
        call, rest = current_call.get(), self._line.get()
        if call is not None and rest:
            self._log(call, rest)
            self._line.set("")

    def _log(self, call, line):
        call.tell({"type": "log", "level": self._level, "text": line[:LONGEST_TEXT]})

    def __getattr__(self, name):
        return getattr(self._stream, name)


class LogHandler(logging.Handler):
    """Records of `logging`: those of a call go to its log."""

    LEVELS = ((logging.ERROR, "error"), (logging.WARNING, "warn"), (logging.INFO, "info"))

    def emit(self, record):
        call = current_call.get()
        level = next((name for least, name in self.LEVELS if record.levelno >= least), "debug")
        text = as_text(self.format(record))
        if call is None or call.ended:
            print(text, file=sys.__stderr__)
        else:
            call.tell({"type": "log", "level": level, "text": text})


def flush_output():
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, Output):
            stream.flush_line()


def main():
    os.closerange(3, DESCRIPTORS_AT_MOST)
    socket_path, source_root, longest_result = sys.argv[1:4]
    sys.argv = sys.argv[:1]
    sys.stdout, sys.stderr = Output(sys.stdout, "log"), Output(sys.stderr, "error")
    logging.basicConfig(handlers=[LogHandler()], level=logging.INFO)
    Worker(socket_path, source_root, int(longest_result)).serve()


if __name__ == "__main__":
    main()
