"""Standard output and `logging`: lines of a call go to its log, others to the real streams."""

import contextvars
import logging
import sys

from .faults import LONGEST_TEXT, as_text

current_call = contextvars.ContextVar("aileron_call", default=None)

LEVELS = ((logging.ERROR, "error"), (logging.WARNING, "warn"), (logging.INFO, "info"))


def redirect():
    """Replaces the streams of this process."""
    sys.stdout, sys.stderr = Output(sys.stdout, "log"), Output(sys.stderr, "error")
    logging.basicConfig(handlers=[LogHandler()], level=logging.INFO)


def flush_lines():
    """Ends the lines that the call has begun."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, Output):
            stream.end_line()


def live_call():
    call = current_call.get()
    return None if call is None or call.is_ended else call


class Output:
    """A stream that gives the lines of a call to the call."""

    def __init__(self, stream, level):
        self._stream = stream
        self._level = level
        self._line = contextvars.ContextVar("aileron_line", default="")

    def write(self, text):
        call = live_call()
        if call is None:
            return self._stream.write(text)
        *whole, rest = (self._line.get() + text).split("\n")
        for line in whole:
            self._log(call, line)
        if len(rest) > LONGEST_TEXT:
            self._log(call, rest)
            rest = ""
        self._line.set(rest)
        return len(text)

    def end_line(self):
        call, rest = live_call(), self._line.get()
        if call is not None and rest:
            self._log(call, rest)
            self._line.set("")

    def _log(self, call, line):
        call.show("log", {"level": self._level, "text": line[:LONGEST_TEXT]})

    def __getattr__(self, name):
        return getattr(self._stream, name)


class LogHandler(logging.Handler):
    """Gives the records of a call to the call."""

    def emit(self, record):
        call = live_call()
        text = as_text(self.format(record))
        if call is None:
            print(text, file=sys.__stderr__)
            return
        level = next((name for least, name in LEVELS if record.levelno >= least), "debug")
        call.show("log", {"level": level, "text": text})
