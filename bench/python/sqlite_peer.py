"""SQLite with FTS5 and sqlite-vec: one file, both searches in one statement, fused by reciprocal rank.

`apsw` brings a SQLite of today that may load extensions; the one of many Pythons may not.
"""

import json
import os
import sys
import time

import apsw

import measure

SCHEMA = """
create table records(number integer primary key, id text unique, type text, namespace text, title text,
    text text, source_type text, last_updated text, url text, tags text, metadata text);
create table tags(tag text, record integer, primary key(tag, record)) without rowid;
create virtual table words using fts5(title, text, content='records', content_rowid='number',
    tokenize='porter unicode61');
create virtual table vectors using vec0(embedding float[{dim}]);
"""
# Without the plus, the planner asks FTS5 once for each record that has the tag: minutes a query.
WORDS_TAG = "and +rowid in (select record from tags where tag = :tag)"
VECTORS_TAG = "and rowid in (select record from tags where tag = :tag)"
HYBRID = """
with near as (
    select rowid as number, row_number() over (order by distance) as place
    from vectors where embedding match :vector and k = 100 {vectors_tag}),
said as (
    select rowid as number, row_number() over (order by rank) as place
    from (select rowid, rank from words where words match :text {words_tag} order by rank limit 100)),
best as (
    select coalesce(near.number, said.number) as number,
        coalesce(1.0 / (60 + near.place), 0) + coalesce(1.0 / (60 + said.place), 0) as score
    from near full outer join said on near.number = said.number
    order by score desc limit 10)
select records.*, score from best join records using (number) order by score desc
"""
NEAREST = "select rowid from vectors where embedding match :vector and k = 10 {vectors_tag} order by distance"


def connect(path):
    connection = apsw.Connection(str(path))
    connection.enable_load_extension(True)
    connection.load_extension(os.environ["SQLITE_VEC"])
    connection.execute("pragma journal_mode = wal; pragma synchronous = normal")
    connection.execute("pragma mmap_size = 17179869184; pragma cache_size = -65536")
    return connection


def ingest(workload, path):
    for old in path.parent.glob(path.name + "*"):
        old.unlink()
    connection, clock = connect(path), measure.Clock()
    connection.execute(SCHEMA.format(dim=workload.vectors.shape[1]))
    for start, batch in workload.batches():
        vectors = [vector.tobytes() for vector in workload.vectors[start:start + len(batch)]]
        with clock, connection:
            add(connection, start, batch, vectors)
    with clock, connection:
        connection.execute("insert into words(words) values('rebuild')")
    with clock:
        connection.execute("pragma wal_checkpoint(truncate)")
    return {"ingest_s": clock.seconds, "disk_mb": measure.disk_mb(path)}


def add(connection, start, batch, vectors):
    rows = [
        (start + at, r["id"], r["type"], r["namespace"], r["title"], r["text"], r["source_type"], r["last_updated"],
         r.get("url"), json.dumps(r["tags"]), json.dumps(r.get("metadata", {})))
        for at, r in enumerate(batch)
    ]
    connection.executemany("insert into records values(?,?,?,?,?,?,?,?,?,?,?)", rows)
    connection.executemany("insert into tags values(?,?)", ((tag, start + at) for at, r in enumerate(batch) for tag in r["tags"]))
    connection.executemany("insert into vectors(rowid, embedding) values(?,?)", ((start + at, v) for at, v in enumerate(vectors)))


class Searches:
    def __init__(self, workload, path, way):
        self.workload, self.path, self.way = workload, path, way
        self.connection = connect(path)
        joined = {"any": " OR ", "all": " "}[way]
        self.texts = [joined.join(f'"{word}"' for word in query.split()) for query in workload.queries]
        self.vectors = [vector.tobytes() for vector in workload.asked]

    def another(self):
        return Searches(self.workload, self.path, self.way)

    def hybrid(self, tag):
        sql = HYBRID.format(words_tag=WORDS_TAG if tag else "", vectors_tag=VECTORS_TAG if tag else "")
        common = {"tag": tag} if tag else {}

        def search(query):
            return self.connection.execute(sql, {"vector": self.vectors[query], "text": self.texts[query], **common}).fetchall()

        return search

    def nearest(self, query, tag):
        sql = NEAREST.format(vectors_tag=VECTORS_TAG if tag else "")
        values = {"vector": self.vectors[query]} | ({"tag": tag} if tag else {})
        return [number for (number,) in self.connection.execute(sql, values)]


def main():
    workload = measure.Workload(sys.argv[1])
    path, facts = workload.folder / "sqlite.db", workload.folder / "sqlite.json"
    if sys.argv[2] == "ingest":
        facts.write_text(json.dumps(ingest(workload, path)))
        return
    begun = time.perf_counter()
    searches = Searches(workload, path, sys.argv[2])
    opened = time.perf_counter()
    searches.hybrid(None)(0)
    times = (opened - begun) * 1000, (time.perf_counter() - opened) * 1000
    measure.report(f"SQLite, {sys.argv[2]} words", workload, json.loads(facts.read_text()), times, searches)


if __name__ == "__main__":
    main()
