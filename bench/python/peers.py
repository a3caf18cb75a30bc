"""Measures SQLite (FTS5 + sqlite-vec) and LanceDB on the workload that `aileron-bench kb` wrote.

    python3 peers.py <workload folder> [store ...]

Makes its own environment in `target/bench-venv`. Each store is filled in one process and searched in
another, so that opening is cold and memory is the search's. Prints one line of JSON for each way to search.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parent.parent / "target" / "bench-venv"
# LanceDB writes two lines of warnings for each search otherwise, which would be measured too.
QUIET = {"LANCEDB_LOG": "error", "LANCE_LOG": "error", "RUST_LOG": "error", "PYTHONWARNINGS": "ignore"}

# What is done with a store, each step in a process of its own.
STEPS = {"sqlite": ["ingest", "any", "all"], "lancedb": ["ingest", "exact", "index", "indexed"]}
# From this many records on, LanceDB's index of vectors is left out: about a quarter of an hour, by its time at a tenth.
MANY = 1_000_000


def environment():
    """The Python that has the pinned packages; made on first use."""
    python = ENVIRONMENT / "bin" / "python"
    wanted = (HERE / "requirements.txt").read_text()
    stamp = ENVIRONMENT / "installed.txt"
    if not stamp.exists() or stamp.read_text() != wanted:
        venv.create(ENVIRONMENT, with_pip=True, clear=True)
        install = [python, "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt"]
        subprocess.run(install, check=True)
        stamp.write_text(wanted)
    return python


def main():
    folder = Path(sys.argv[1])
    stores = sys.argv[2:] or ["sqlite", "lancedb"]
    python = environment()
    many = json.loads((folder / "workload.json").read_text())["records"] >= MANY
    for store in stores:
        for step in STEPS[store]:
            if many and step in ("index", "indexed"):
                continue
            command = [python, HERE / f"{store}_peer.py", folder, step]
            subprocess.run(command, check=True, env=os.environ | QUIET)


if __name__ == "__main__":
    main()
