"""The socket to the server: whole lines in, whole lines out."""

import json
import os
import select
import socket
import threading


class Connection:
    """Messages in both directions. Any thread may send; one thread at a time receives."""

    def __init__(self, path):
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path)
        self._pending = bytearray()
        self._writing = threading.Lock()
        self.is_forked = False

    def fileno(self):
        return self._socket.fileno()

    def send(self, message):
        self.send_text(encoded(message))

    def send_text(self, text):
        """Sends a line. A forked child of this process ends instead: the socket is its parent's."""
        if self.is_forked:
            os._exit(0)
        with self._writing:
            self._socket.sendall(as_utf8(text) + b"\n")

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
            chunk = b"" if self.is_forked else self._socket.recv(1 << 16)
            if not chunk:
                os._exit(0)
            self._pending += chunk


def encoded(value):
    """JSON text; a value that is no JSON raises TypeError or ValueError."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def as_utf8(text):
    """Lone surrogates, which UTF-8 cannot express, become U+FFFD."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode("utf-8")


class Inbox:
    """Receives messages for all threads: one of those that wait reads, and the others sleep."""

    def __init__(self, connection, dispatch):
        self._connection = connection
        self._dispatch = dispatch
        self._changed = threading.Condition()
        self._is_reading = False

    def wait_until(self, is_there):
        """Reads messages, or lets another thread read them, until the condition holds."""
        while True:
            with self._changed:
                while not is_there() and self._is_reading:
                    self._changed.wait()
                if is_there():
                    return
                self._is_reading = True
            self._read()

    def poll(self):
        """Reads the messages that are there, without waiting."""
        while True:
            with self._changed:
                if self._is_reading or not self._connection.is_readable():
                    return
                self._is_reading = True
            self._read()

    def notify(self):
        """Something that a thread waits for has changed without a message."""
        with self._changed:
            self._changed.notify_all()

    def _read(self):
        try:
            message = self._connection.receive()
        except BaseException:
            self._end_read()
            raise
        self._end_read(message)

    def _end_read(self, message=None):
        with self._changed:
            self._is_reading = False
            if message is not None:
                self._dispatch(message)
            self._changed.notify_all()
