"""Peers on the events that the generator exported: SQLite by way of python3, ripgrep, jq.

    peers.py measure EVENTS OUT.json    one round of the peers
    peers.py ask EVENTS OUT.json        the same without recording: only what is asked of a full store
    peers.py table FOLDER               medians of ours.*.json and peers.*.json, side by side

SQLite gets what its users would give it: WAL, prepared statements, three indexes, FTS5 with external
content, the raw line kept. Parsing JSON is not counted against it.
"""

import glob
import json
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

# as in house/search.rs
RARE = "babanidi"
SCHEMA = """
CREATE TABLE events (id INTEGER PRIMARY KEY, session TEXT, seq INTEGER, at TEXT, kind TEXT, grp TEXT,
                     agent TEXT, text TEXT, raw TEXT);
CREATE UNIQUE INDEX by_session ON events (session, seq);
CREATE INDEX by_group ON events (grp, at);
CREATE INDEX by_kind ON events (kind, at);
"""
FTS = "CREATE VIRTUAL TABLE words USING fts5 (text, content='events', content_rowid='id');"
INSERT = "INSERT INTO events (session, seq, at, kind, grp, agent, text, raw) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
INSERT_WORDS = "INSERT INTO words (rowid, text) VALUES (?, ?)"
MATCH = (
    "SELECT e.session, e.seq, snippet(words, 0, '[', ']', '…', 12) FROM words JOIN events e ON e.id = words.rowid "
    "WHERE words MATCH ? {} ORDER BY {} LIMIT 20"
)


def leaves(value):
    """Every string in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from leaves(item)
    elif isinstance(value, list):
        for item in value:
            yield from leaves(item)


def rows_of(folder):
    """Every event as SQLite takes it, in order."""
    for path in sorted(glob.glob(f"{folder}/*.ndjson")):
        with open(path, encoding="utf-8") as lines:
            for seq, raw in enumerate(lines):
                event = json.loads(raw)
                text = "\n".join(leaves(event["data"]))
                yield (event["session"], seq, event["at"], event["kind"], event["group"], event["agent"], text, raw)


def database(folder, name, sync, fts):
    base = sqlite3.connect(os.path.join(folder, name), isolation_level=None)
    base.execute("PRAGMA journal_mode=WAL")
    base.execute(f"PRAGMA synchronous={sync}")
    base.executescript(SCHEMA + (FTS if fts else ""))
    return base


def insert(base, row, fts):
    done = base.execute(INSERT, row)
    if fts:
        base.execute(INSERT_WORDS, (done.lastrowid, row[6]))


def append(folder, rows, sync, fts):
    """Events a second, each committed by itself, and its p99 in µs."""
    base = database(folder, f"{sync}-{fts}.db", sync, fts)
    times = []
    for row in rows:
        start = time.perf_counter()
        base.execute("BEGIN IMMEDIATE")
        insert(base, row, fts)
        base.execute("COMMIT")
        times.append(time.perf_counter() - start)
    base.close()
    return len(times) / sum(times), statistics.quantiles(times, n=100)[98] * 1e6


def load(folder, rows):
    """Everything, a thousand rows a transaction."""
    base = database(folder, "all.db", "NORMAL", True)
    start = time.perf_counter()
    for at in range(0, len(rows), 1000):
        base.execute("BEGIN")
        for row in rows[at : at + 1000]:
            insert(base, row, True)
        base.execute("COMMIT")
    seconds = time.perf_counter() - start
    base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return base, len(rows) / seconds


def milliseconds(work, times=20):
    work()
    took = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        took.append((time.perf_counter() - start) * 1e3)
    return statistics.median(took)


def questions(base):
    """What the house's search is asked, too."""
    by_rank, by_time = "rank", "e.at DESC"
    here = "AND e.grp = 'GROUP-1' AND e.kind = 'reasoning.recorded'"
    for name, words, where, order in [
        ("common term", "error", "", by_rank),
        ("rare term", RARE, "", by_rank),
        ("AND", "deadlock rollback", "", by_rank),
        ("phrase", '"thread pool"', "", by_rank),
        ("stop-word phrase", '"the value of"', "", by_rank),
        ("prefix", "serial*", "", by_rank),
        ("filtered", "error", here, by_rank),
        ("newest", "error", "", by_time),
        ("newest by rowid", "error", "", "words.rowid DESC"),
    ]:
        sql = MATCH.format(where, order)
        yield name, milliseconds(lambda: base.execute(sql, (words,)).fetchall())


def program(words):
    return milliseconds(lambda: subprocess.run(words, stdout=subprocess.PIPE, check=False), times=5)


def ask(folder, out):
    measure(folder, out, recording=[])


RECORDING = [("NORMAL", False, 20_000), ("NORMAL", True, 5_000), ("FULL", False, 2_000), ("FULL", True, 2_000)]


def measure(folder, out, recording=RECORDING):
    rows = list(rows_of(folder))
    found = {}
    with tempfile.TemporaryDirectory() as scratch:
        for sync, fts, count in recording:
            name = f"sqlite append {sync} {'with' if fts else 'without'} fts"
            found[name], found[name + ", p99"] = append(scratch, rows[:count], sync, fts)
        base, found["sqlite bulk load"] = load(scratch, rows)
        found["sqlite size / raw"] = os.path.getsize(os.path.join(scratch, "all.db")) / sum(
            len(row[7].encode()) for row in rows
        )
        for name, took in questions(base):
            found[f"sqlite search {name}"] = took
        kind = "SELECT session, seq, text FROM events WHERE kind = 'handoff.made' ORDER BY at DESC LIMIT 20"
        found["sqlite newest by filter"] = milliseconds(lambda: base.execute(kind).fetchall())
        session = rows[0][0]
        told = "SELECT seq, at, kind, agent, raw FROM events WHERE session = ? ORDER BY seq"
        found["sqlite timeline"] = milliseconds(lambda: base.execute(told, (session,)).fetchall())
        like = f"SELECT count(*) FROM events WHERE raw LIKE '%{RARE}%'"
        found["sqlite scan"] = milliseconds(lambda: base.execute(like).fetchall(), times=5)
        base.close()
    files = sorted(glob.glob(f"{folder}/*.ndjson"))
    if shutil.which("rg"):
        found["rg scan"] = program(["rg", "--count", RARE, folder])
        found["rg common term"] = program(["rg", "--max-count", "20", "error", folder])
    if shutil.which("jq"):
        found["jq scan"] = program(["jq", "-c", f'select(.data|tostring|contains("{RARE}"))|.at', *files])
        found["jq timeline"] = program(["jq", "-c", "[.at,.kind,.agent]", f"{folder}/{session}.ndjson"])
    with open(out, "w", encoding="utf-8") as file:
        json.dump(found, file)


# what is compared, ours, the peer's, whether more is better
ROWS = [
    ("append, no sync; SQLite NORMAL", "append os, redaction on", "sqlite append NORMAL without fts", True),
    ("  redaction off", "append os, redaction off", "sqlite append NORMAL without fts", True),
    ("append, no sync; SQLite NORMAL + FTS5", "append os, redaction on", "sqlite append NORMAL with fts", True),
    ("  redaction off", "append os, redaction off", "sqlite append NORMAL with fts", True),
    ("append durable; SQLite FULL", "append always", "sqlite append FULL without fts", True),
    ("append durable; SQLite FULL + FTS5", "append always", "sqlite append FULL with fts", True),
    ("rebuild; SQLite bulk load + FTS5", "rebuild", "sqlite bulk load", True),
    ("search common term; FTS5 BM25", "search common term, p50", "sqlite search common term", False),
    ("search rare term; FTS5 BM25", "search rare term, p50", "sqlite search rare term", False),
    ("search AND; FTS5 BM25", "search AND, p50", "sqlite search AND", False),
    ("search phrase; FTS5 BM25", "search phrase, p50", "sqlite search phrase", False),
    ("search stop-word phrase; FTS5 BM25", "search stop-word phrase, p50", "sqlite search stop-word phrase", False),
    ("search prefix; FTS5 BM25", "search prefix, p50", "sqlite search prefix", False),
    ("search term and filter; FTS5 BM25", "search filtered, p50", "sqlite search filtered", False),
    ("search newest; FTS5 by time", "search newest, p50", "sqlite search newest", False),
    ("search newest; FTS5 by rowid", "search newest, p50", "sqlite search newest by rowid", False),
    ("search filter, newest; FTS5 by time", "search newest by filter, p50", "sqlite newest by filter", False),
    ("search, whole process; rg", "recount search, common term, whole process, p50", "rg common term", False),
    ("timeline; SQLite", "timeline from open views, all rows, p50", "sqlite timeline", False),
    ("timeline; jq", "timeline from open views, all rows, p50", "jq timeline", False),
    ("timeline without an index; jq", "timeline from the journal, all rows, p50", "jq timeline", False),
    ("scan; rg", "scan of the journal, time", "rg scan", False),
    ("scan; SQLite LIKE", "scan of the journal, time", "sqlite scan", False),
    ("scan; jq", "scan of the journal, time", "jq scan", False),
]


def medians(pattern):
    found = {}
    for path in glob.glob(pattern):
        with open(path, encoding="utf-8") as file:
            for name, value in json.load(file).items():
                found.setdefault(name, []).append(value)
    return {name: statistics.median(values) for name, values in found.items() if None not in values}


def table(folder):
    ours, peers = medians(f"{folder}/ours.*.json"), medians(f"{folder}/peers.*.json")
    print(f"{'what; against':<42} {'recount':>12} {'peer':>12} {'':>5} {'we are':>14}")
    for label, mine, theirs, more in ROWS:
        if mine not in ours or theirs not in peers:
            print(f"{label:<42} skipped")
            continue
        a, b = ours[mine], peers[theirs]
        ratio = a / b if more else b / a
        word = f"{ratio:.1f}× faster" if ratio >= 1 else f"{1 / ratio:.1f}× slower"
        digits = 0 if more else 2
        print(f"{label:<42} {a:>12,.{digits}f} {b:>12,.{digits}f} {'ev/s' if more else 'ms':>5} {word:>14}")
    print(f"SQLite's file is {peers['sqlite size / raw']:.2f} times the raw events.")


if __name__ == "__main__":
    {"measure": measure, "ask": ask, "table": table}[sys.argv[1]](*sys.argv[2:])
