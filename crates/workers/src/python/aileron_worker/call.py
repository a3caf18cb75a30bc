"""One call: its cancellation, its requests to capabilities, and the text that it may show."""

import asyncio

from aileron import CapabilityError

from .connection import as_utf8, encoded

CANCELLED = {"code": "CANCELLED", "message": "the call was cancelled"}


def refusal(message):
    """A fault that this side finds, in fixed text."""
    return {"code": "REFUSED", "message": message, "is_diagnosis": True}


class Call:
    """The common part of both kinds of calls."""

    def __init__(self, worker, call_id):
        self.worker = worker
        self.id = call_id
        self.is_ended = False
        self.is_cancelled = False
        self._requests = 0
        self._text_left = worker.text_limit

    def show(self, kind, members):
        """Progress, partial data or a log line. The server drops what exceeds the limit, so it is not sent."""
        text = encoded({"type": kind, "id": self.id, **members})
        if len(text) <= self._text_left:
            self._text_left -= len(text)
            self.send_text(text)

    def note(self, event, details):
        text = encoded({"type": "note", "id": self.id, "event": event, "details": details})
        if len(as_utf8(text)) > self.worker.longest_result:
            raise CapabilityError(refusal("the note is longer than the limit"))
        self.send_text(text)

    def send_text(self, text):
        if not self.is_ended and not self.worker.connection.is_forked:
            self.worker.connection.send_text(text)

    def send_request(self, capability, method, args):
        """Sends a request; its number."""
        if self.is_cancelled:
            raise CapabilityError(CANCELLED)
        if self.is_ended or self.worker.connection.is_forked:
            raise CapabilityError(refusal("the call has ended, or runs in another process"))
        self._requests += 1
        message = {"type": "request", "id": self.id, "request": self._requests}
        text = encoded({**message, "capability": capability, "method": method, "args": args})
        if len(as_utf8(text)) > self.worker.longest_result:
            raise CapabilityError(refusal("the request is longer than the limit"))
        self.worker.connection.send_text(text)
        return self._requests


class BlockingCall(Call):
    """A call of a plain function. The thread that asks waits for the reply."""

    def __init__(self, worker, call_id):
        super().__init__(worker, call_id)
        self._replies = {}

    def request(self, capability, method, args):
        number = self.send_request(capability, method, args)
        self.worker.inbox.wait_until(
            lambda: number in self._replies or self.is_ended or self.is_cancelled
        )
        if number not in self._replies:
            raise CapabilityError(CANCELLED)
        return value_of(self._replies.pop(number))

    def settle(self, message):
        self._replies[message["request"]] = message

    def cancel(self):
        self.is_cancelled = True

    def is_aborted(self):
        self.worker.inbox.poll()
        return self.is_cancelled


class AwaitingCall(Call):
    """A call of a coroutine function, on the event loop."""

    def __init__(self, worker, call_id):
        super().__init__(worker, call_id)
        self._replies = {}
        self.task = None

    async def request(self, capability, method, args):
        number = self.send_request(capability, method, args)
        future = asyncio.get_running_loop().create_future()
        self._replies[number] = future
        return value_of(await future)

    def settle(self, message):
        future = self._replies.pop(message["request"], None)
        if future is not None and not future.done():
            future.set_result(message)

    def cancel(self):
        self.is_cancelled = True
        if self.task is not None:
            self.task.cancel()

    def is_aborted(self):
        return self.is_cancelled


def value_of(reply):
    if "fault" in reply:
        raise CapabilityError(reply["fault"])
    return reply.get("value")
