"""Measures SQLite (FTS5 + sqlite-vec) and LanceDB on the workload that `aileron-bench kb` wrote.

    python3 peers.py <workload folder> [store ...]

Makes its own environment in `target/bench-venv`. Each store is filled in one process and searched in
another, so that opening is cold and memory is the search's. Prints one line of JSON for each way to search.
"""

import json
import os
import platform
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
ENVIRONMENT = HERE.parent.parent / "target" / "bench-venv"
# LanceDB writes two lines of warnings for each search otherwise, which would be measured too.
QUIET = {"LANCEDB_LOG": "error", "LANCE_LOG": "error", "RUST_LOG": "error", "PYTHONWARNINGS": "ignore"}

SOURCE = """\
[package]
name = "source"
edition = "2024"
[lib]
path = "none.rs"
[dependencies]
sqlite-vec = "=0.1.9"
"""

# The steps of a measurement, each in a process of its own.
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


def sqlite_vec():
    """sqlite-vec for this processor: the published package is built without its wide instructions, which
    makes a scan several times as long. The source is that of the crate of the same version."""
    library = ENVIRONMENT / "vec0.so"
    if not library.exists():
        with tempfile.TemporaryDirectory() as project:
            manifest = Path(project) / "Cargo.toml"
            manifest.write_text(SOURCE)
            asked = ["cargo", "metadata", "--format-version", "1", "--manifest-path", manifest]
            packages = json.loads(subprocess.run(asked, check=True, capture_output=True).stdout)["packages"]
        source = Path(next(p["manifest_path"] for p in packages if p["name"] == "sqlite-vec")).parent
        flags = ["-O3", "-march=native", "-shared", "-fPIC", "-I", source]
        if platform.machine() in ("x86_64", "AMD64"):
            flags.append("-DSQLITE_VEC_ENABLE_AVX")
        subprocess.run(["cc", *flags, source / "sqlite-vec.c", "-o", library, "-lm"], check=True)
    return {"SQLITE_VEC": str(library)}


def main():
    folder = Path(sys.argv[1])
    stores = sys.argv[2:] or ["sqlite", "lancedb"]
    python = environment()
    surroundings = os.environ | QUIET | sqlite_vec()
    many = json.loads((folder / "workload.json").read_text())["records"] >= MANY
    for store in stores:
        for step in STEPS[store]:
            if many and step in ("index", "indexed"):
                continue
            command = [python, HERE / f"{store}_peer.py", folder, step]
            subprocess.run(command, check=True, env=surroundings)


if __name__ == "__main__":
    main()
