"""Receives the messages of the server and runs the handlers.

Handlers that are plain functions run in the main thread, one at a time. Coroutine functions run on an
event loop in the same thread, several at once; the loop stops while a plain function runs, so that the
function may run a loop of its own.
"""

import asyncio
import collections
import contextvars
import importlib.util
import inspect
import os
import sys
import threading
import types

from .call import AwaitingCall, BlockingCall
from .connection import Connection, Inbox, as_utf8, encoded
from .context import offered
from .faults import as_text, described, load_fault
from .output import current_call, flush_lines

PROTOCOL = 1
PACKAGE = "aileron_tools"
MEMORY = '"fault":{"kind":"memory"}'

Handler = collections.namedtuple("Handler", ["execute", "capabilities", "is_awaiting"])


class Worker:
    def __init__(self, path, source_root, longest_result, text_limit):
        self.source_root = source_root
        self.longest_result = int(longest_result)
        self.text_limit = int(text_limit)
        self._handlers = {}
        self._calls = {}
        self._queue = collections.deque()
        self._loop = None
        parent = types.ModuleType(PACKAGE)
        parent.__path__ = [source_root]
        sys.modules[PACKAGE] = parent
        self.connection = Connection(path)
        self.inbox = Inbox(self.connection, self._dispatch)
        os.register_at_fork(after_in_child=self._leave)

    def serve(self):
        """Runs until the server closes the socket."""
        version = ".".join(str(part) for part in sys.version_info[:3])
        self.connection.send({"type": "hello", "protocol": PROTOCOL, "runtime": "python", "version": version})
        while True:
            if self._queue:
                self._take(self._queue.popleft())
            elif self._loop is None:
                self.inbox.wait_until(lambda: self._queue)
            else:
                self._run_loop()

    def _leave(self):
        """A forked child is no worker: its output is output, and it sends nothing."""
        self.connection.is_forked = True
        current_call.set(None)

    def _dispatch(self, message):
        """Enters a message, in whichever thread it was read."""
        kind = message["type"]
        if kind == "reply":
            call = self._calls.get(message["id"])
            if call is not None:
                self._in_main(call, call.settle, message)
        elif kind == "cancel":
            call = self._calls.get(message["id"])
            if call is not None:
                self._in_main(call, call.cancel)
        elif kind == "ping":
            self.connection.send({"type": "pong"})
        else:
            self._queue.append(message)
            if self._loop is not None and threading.current_thread() is not threading.main_thread():
                self._loop.call_soon_threadsafe(self._begin_queued)

    def _in_main(self, call, act, *args):
        """Futures of the loop belong to its thread."""
        if isinstance(call, AwaitingCall) and threading.current_thread() is not threading.main_thread():
            self._loop.call_soon_threadsafe(act, *args)
        else:
            act(*args)

    def _run_loop(self):
        self._loop.call_soon(self._read)
        try:
            self._loop.run_forever()
        except BaseException as error:
            # A task that no call awaits asked the process to exit.
            why = f"a task raised {type(error).__name__}"
            self.connection.send({"type": "retire", "reason": f"the worker process was replaced because {why}"})

    def _read(self):
        self.inbox.poll()
        self._begin_queued()

    def _begin_queued(self):
        """Begins the calls of coroutine functions; other messages are for the main loop."""
        while self._queue:
            message = self._queue[0]
            handler = self._handlers.get(message.get("tool"))
            if message["type"] != "call" or not handler.is_awaiting:
                self._loop.stop()
                return
            self._take(self._queue.popleft())

    def _take(self, message):
        if message["type"] == "call":
            self._begin(message)
        elif message["type"] == "load":
            self._load(message)
        else:
            os._exit(1)

    def _load(self, message):
        tool = message["tool"]
        try:
            module = self._imported(tool, message["entry"])
        except BaseException as error:
            fault = load_fault(error, self.source_root, PACKAGE)
            self.connection.send({"type": "loaded", "tool": tool, "fault": fault})
            return
        execute = getattr(module, "execute", None)
        if not callable(execute):
            fault = {"kind": "no_execute", "message": ""}
            self.connection.send({"type": "loaded", "tool": tool, "fault": fault})
            return
        is_awaiting = inspect.iscoroutinefunction(execute)
        if is_awaiting and self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._loop.add_reader(self.connection.fileno(), self._read)
        self._handlers[tool] = Handler(execute, message["capabilities"], is_awaiting)
        concurrent = is_awaiting and getattr(module, "concurrent", True) is not False
        self.connection.send({"type": "loaded", "tool": tool, "concurrent": concurrent})

    def _imported(self, tool, entry):
        path = os.path.join(self.source_root, entry)
        name = f"{PACKAGE}.{tool}"
        folder = [os.path.dirname(path)]
        spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=folder)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        spec.loader.exec_module(module)
        return module

    def _begin(self, message):
        handler = self._handlers[message["tool"]]
        call = (AwaitingCall if handler.is_awaiting else BlockingCall)(self, message["id"])
        self._calls[call.id] = call
        # A call that this process did not begin is run by another one when this one ends, so it is told
        # before anything runs.
        call.send_text(f'{{"type":"began","id":"{call.id}"}}')
        context = offered(call, handler.capabilities, message)
        if handler.is_awaiting:
            call.task = self._loop.create_task(self._run_awaiting(call, handler, message["args"], context))
            call.task.add_done_callback(lambda _: self._end_unbegun(call))
        else:
            contextvars.copy_context().run(self._run_blocking, call, handler, message["args"], context)

    def _run_blocking(self, call, handler, args, context):
        current_call.set(call)
        try:
            end = self._result(handler.execute(args, context))
        except BaseException as error:
            end = self._fault(error)
        self._end(call, end)

    async def _run_awaiting(self, call, handler, args, context):
        current_call.set(call)
        try:
            end = self._result(await handler.execute(args, context))
        except BaseException as error:
            end = self._fault(error)
        self._end(call, end)

    def _end_unbegun(self, call):
        """A task that is cancelled before its first step runs nothing of its function."""
        if not call.is_ended:
            self._end(call, self._fault(asyncio.CancelledError()))

    def _end(self, call, members):
        flush_lines()
        call.is_ended = True
        del self._calls[call.id]
        self.connection.send_text(f'{{"type":"done","id":"{call.id}",{members}}}')
        self.inbox.notify()

    def _result(self, value):
        """The members of the message that ends a call."""
        try:
            text = encoded(value)
        except (TypeError, ValueError, RecursionError) as error:
            return '"fault":' + encoded({"kind": "unreadable", "message": as_text(error)})
        return '"tooLarge":true' if len(as_utf8(text)) > self.longest_result else f'"result":{text}'

    def _fault(self, error):
        if isinstance(error, MemoryError):
            # The frames of the handler still hold its memory, so nothing is allocated here.
            return MEMORY
        return '"fault":' + encoded(described(error, self.source_root))
