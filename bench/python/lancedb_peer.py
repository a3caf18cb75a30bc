"""LanceDB: its full-text index, its hybrid query with its own fusion by rank, its vectors searched
exactly (`exact`) or by its index with the best recall, partitions of graphs, refined (`indexed`).
"""

import json
import shutil
import sys
import time

import lancedb
import pyarrow
from lancedb.index import FTS, HnswSq, LabelList

import measure

COLUMNS = ["number", "id", "type", "namespace", "title", "text", "source_type", "last_updated", "url", "tags"]
# How many times as many vectors as are asked for are compared exactly, and how many the search of a graph keeps in
# sight. By default it finds half of the nearest in these records; this is what it takes to find 98 of 100.
REFINE, IN_SIGHT = 3, 2000


def schema(dim):
    text = pyarrow.string()
    kinds = {"number": pyarrow.int64(), "tags": pyarrow.list_(text)}
    fields = [(name, kinds.get(name, text)) for name in COLUMNS]
    return pyarrow.schema([*fields, ("body", text), ("vector", pyarrow.list_(pyarrow.float32(), dim))])


def table_of(workload, start, batch):
    form = schema(workload.vectors.shape[1])
    made = {
        "number": range(start, start + len(batch)),
        "body": [f"{record['title']}\n{record['text']}" for record in batch],
    }
    vectors = pyarrow.array(workload.vectors[start:start + len(batch)].reshape(-1))
    made["vector"] = pyarrow.FixedSizeListArray.from_arrays(vectors, workload.vectors.shape[1])
    arrays = [made[field.name] if field.name in made else [record.get(field.name) for record in batch] for field in form]
    return pyarrow.table([pyarrow.array(a, field.type) if not isinstance(a, pyarrow.Array) else a for a, field in zip(arrays, form)], schema=form)


def ingest(workload, path):
    shutil.rmtree(path, ignore_errors=True)
    clock, records = measure.Clock(), None
    for start, batch in workload.batches():
        table = table_of(workload, start, batch)
        with clock:
            if records is None:
                records = lancedb.connect(path).create_table("records", table)
            else:
                records.add(table)
    with clock:
        # A commit for each batch leaves a piece for each; joined, they are searched faster.
        records.optimize()
        records.create_index("body", config=FTS())
        records.create_index("tags", config=LabelList())
    return {"ingest_s": clock.seconds, "disk_mb": measure.disk_mb(path)}


def add_index(path, facts):
    """The index of vectors, which the exact search does without."""
    clock = measure.Clock()
    with clock:
        lancedb.connect(path).open_table("records").create_index("vector", config=HnswSq(distance_type="cosine"))
    return {"ingest_s": facts["ingest_s"] + clock.seconds, "disk_mb": measure.disk_mb(path)}


class Searches:
    def __init__(self, workload, path, way):
        self.workload, self.path, self.way = workload, path, way
        self.records = lancedb.connect(path).open_table("records")

    def another(self):
        return self

    def narrowed(self, query, tag):
        query = query.distance_type("cosine")
        if self.way == "indexed":
            query = query.refine_factor(REFINE).ef(IN_SIGHT)
        return query.where(f"array_has_any(tags, ['{tag}'])", prefilter=True) if tag else query

    def hybrid(self, tag):
        def search(number):
            asked, text = self.workload.asked[number], self.workload.queries[number]
            query = self.records.search(query_type="hybrid").vector(asked).text(text)
            return self.narrowed(query, tag).limit(10).select(COLUMNS).to_list()

        return search

    def nearest(self, number, tag):
        query = self.narrowed(self.records.search(self.workload.asked[number]), tag)
        return [row["number"] for row in query.limit(10).select(["number", "_distance"]).to_list()]


def main():
    workload = measure.Workload(sys.argv[1])
    path, kept = workload.folder / "lancedb", workload.folder / "lancedb.json"
    if sys.argv[2] == "ingest":
        kept.write_text(json.dumps(ingest(workload, path)))
        return
    facts = json.loads(kept.read_text())
    if sys.argv[2] == "index":
        kept.write_text(json.dumps(add_index(path, facts)))
        return
    begun = time.perf_counter()
    searches = Searches(workload, path, sys.argv[2])
    opened = time.perf_counter()
    searches.hybrid(None)(0)
    times = (opened - begun) * 1000, (time.perf_counter() - opened) * 1000
    measure.report(f"LanceDB, {sys.argv[2]}", workload, facts, times, searches)


if __name__ == "__main__":
    main()
