"""Sits at a terminal of its own: runs a command there, waits for words and types.

Given as JSON: {"command": [...], "folder": "...", "steps": [["expect", "> "], ["type", "hello\\n"]]}.
Prints as JSON what was shown and how the command ended.
"""

import json
import os
import pty
import select
import sys
import time

PATIENCE = 60

plan = json.loads(sys.argv[1])
child, terminal = pty.fork()
if child == 0:
    os.chdir(plan["folder"])
    os.execv(plan["command"][0], plan["command"])

shown = ""
seen = 0


def read():
    """More of what is shown; nothing once the command has let go of the terminal."""
    global shown
    ready, _, _ = select.select([terminal], [], [], PATIENCE)
    if not ready:
        sys.exit(f"nothing more came after {shown!r}")
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        piece = b""
    shown += piece.decode(errors="replace")
    return bool(piece)


for step, words in plan["steps"]:
    if step == "type":
        os.write(terminal, words.encode())
        continue
    end = time.monotonic() + PATIENCE
    while words not in shown[seen:]:
        if time.monotonic() > end or not read():
            sys.exit(f"expected {words!r} after {shown[:seen]!r}, found {shown[seen:]!r}")
    seen = shown.index(words, seen) + len(words)

while read():
    pass
_, status = os.waitpid(child, 0)
print(json.dumps({"code": os.waitstatus_to_exitcode(status), "shown": shown.replace("\r", "")}))
