"""What every store is measured by: the same clock, the same counts, the same form of result."""

import json
import resource
import threading
import time
from pathlib import Path

import numpy

# A way to search is asked until it has answered this often or for this long, but at least so often.
MOST, SECONDS, LEAST = 1000, 10.0, 48
THREADS = 8
BATCH = 10_000
# Similarities are sums of 256 products, which stores add up in another order.
ROUNDING = 1e-5


class Workload:
    """The folder that `aileron-bench kb` wrote."""

    def __init__(self, folder):
        self.folder = Path(folder)
        about = json.loads((self.folder / "workload.json").read_text())
        self.records, self.queries, self.filters = about["records"], about["queries"], dict(about["filters"])
        dim = about["dim"]
        self.vectors = numpy.memmap(self.folder / "vectors.f32", "<f4", "r").reshape(-1, dim)
        self.asked = numpy.fromfile(self.folder / "queries.f32", "<f4").reshape(-1, dim)
        self.truth = json.loads((self.folder / "truth.json").read_text())

    def batches(self):
        """Records with the number of the first, read before the clock is started."""
        batch, start = [], 0
        with open(self.folder / "records.jsonl", encoding="utf-8") as lines:
            for line in lines:
                batch.append(json.loads(line))
                if len(batch) == BATCH:
                    yield start, batch
                    start, batch = start + len(batch), []
        if batch:
            yield start, batch


class Clock:
    """Adds up the time of some parts of a program."""

    def __init__(self):
        self.seconds = 0.0

    def __enter__(self):
        self.start = time.perf_counter()
        return self

    def __exit__(self, *_):
        self.seconds += time.perf_counter() - self.start


def single(search, count):
    """Times of searches one after another."""
    times, start = [], time.perf_counter()
    while len(times) < MOST and (len(times) < LEAST or time.perf_counter() - start < SECONDS):
        begun = time.perf_counter()
        search(len(times) % count)
        times.append(time.perf_counter() - begun)
    return times, time.perf_counter() - start


def together(open_search, count):
    """Times of searches by eight threads, each with a connection of its own."""
    times, lock, start = [], threading.Lock(), time.perf_counter()

    def work(number):
        search, own, at = open_search(), [], number * count // THREADS
        while len(own) < MOST // THREADS and (len(own) < LEAST // THREADS or time.perf_counter() - start < SECONDS):
            begun = time.perf_counter()
            search((at + len(own)) % count)
            own.append(time.perf_counter() - begun)
        with lock:
            times.extend(own)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(THREADS)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return times, time.perf_counter() - start


def line(name, at_once, times, seconds):
    times = sorted(times)
    at = lambda percent: times[min(len(times) * percent // 100, len(times) - 1)] * 1000
    return {
        "filter": name, "at_once": at_once, "p50_ms": at(50), "p99_ms": at(99),
        "per_s": len(times) / seconds, "samples": len(times),
    }


def recall(workload, name, found):
    """The share of the ten nearest vectors that were found, over all queries. `found(query)` gives numbers."""
    truth, hits, wanted = workload.truth[name], 0, 0
    for query, (least, count) in enumerate(zip(truth["least"], truth["counts"])):
        numbers = found(query)[:count]
        similar = workload.vectors[numbers] @ workload.asked[query] if numbers else []
        hits += sum(one >= least - ROUNDING for one in similar)
        wanted += count
    return hits / wanted


def memory():
    """Resident megabytes: all, and what is not a mapped file; then the most there ever was."""
    status = dict(row.split(":", 1) for row in Path("/proc/self/status").read_text().splitlines() if ":" in row)
    mega = lambda key: int(status[key].split()[0]) / 1024
    return {"rss_mb": mega("VmRSS"), "anon_mb": mega("RssAnon"), "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}


def disk_mb(path):
    path = Path(path)
    files = [path, *path.parent.glob(path.name + "-*")] if path.is_file() else path.rglob("*")
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def report(engine, workload, store, opened, searches):
    """Everything about one way to search, as one line of JSON."""
    open_ms, first_ms = opened
    result = {"engine": engine, "records": workload.records, "open_ms": open_ms, "first_ms": first_ms, **store}
    count, lines = len(workload.queries), []
    for name, tag in workload.filters.items():
        search = searches.hybrid(tag)
        for query in range(min(count, 20)):
            search(query)
        lines.append(line(name, 1, *single(search, count)))
        lines.append(line(name, THREADS, *together(lambda: searches.another().hybrid(tag), count)))
    result |= {"search": lines, **memory()}
    result["recall"] = {
        name: recall(workload, name, lambda query: searches.nearest(query, tag)) for name, tag in workload.filters.items()
    }
    print(json.dumps(result))
