#!/usr/bin/env python3
"""Whole processes side by side: save-reasoning, get-reasoning and a timeline by recount and by bazinga_db.py.

    python3 -m venv peer && peer/bin/pip install bazinga-cli
    benches/orchestrate.py target/release/recount peer/share/bazinga_cli/.claude/skills/bazinga-db/scripts/bazinga_db.py [ROWS] [RUNS]

Both store the same entries: ROWS of them in one session, then RUNS timed calls of each command, taken in turns so that a
busy machine is busy for both. recount syncs every save to the disk. Prints p50 and p95 in milliseconds, and the ratio.
"""

import json
import os
import pathlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

RECOUNT, PEER = (os.path.abspath(path) for path in sys.argv[1:3])
ROWS = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
RUNS = int(sys.argv[4]) if len(sys.argv) > 4 else 25
TEXT = "Chose HS256 because the service has one signer; rotation waits for the ticket. " * 4
GROUPS = ["AUTH", "DB", "API", "UI"]
PHASES = ["understanding", "approach", "decisions", "completion"]


def timed(command, env):
    begun = time.perf_counter()
    done = subprocess.run(command, env=env, capture_output=True)
    took = (time.perf_counter() - begun) * 1000
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr.decode()}")
    return took, len(done.stdout)


def fill(env, database):
    drafts = []
    for n in range(ROWS):
        drafts.append({
            "session": "s", "kind": "reasoning.recorded", "group": GROUPS[n % 4], "agent": "developer",
            "phase": PHASES[(n // 4) % 4], "data": {"text": f"{n} {TEXT}"},
        })
    lines = "".join(json.dumps(draft) + "\n" for draft in drafts)
    subprocess.run([RECOUNT, "record", "--sync", "batch"], env=env, input=lines.encode(), check=True, capture_output=True)
    # the peer's own rows, written the fast way: only its reading is timed below
    peer = [sys.executable, PEER, "--db", database, "--quiet"]
    subprocess.run([*peer, "create-session", "s", "simple", "bench"], check=True, capture_output=True)
    subprocess.run([*peer, "save-reasoning", "s", "AUTH", "developer", "approach", TEXT], check=True, capture_output=True)
    with sqlite3.connect(database) as db:
        row = db.execute("SELECT * FROM orchestration_logs WHERE log_type = 'reasoning'")
        names = [column[0] for column in row.description]
        known = dict(zip(names, row.fetchone()))
        known.pop("id")
        marks = ", ".join("?" * len(known))
        for n, draft in enumerate(drafts[1:], 1):
            known.update(group_id=draft["group"], reasoning_phase=draft["phase"], content=draft["data"]["text"])
            db.execute(f"INSERT INTO orchestration_logs ({', '.join(known)}) VALUES ({marks})", list(known.values()))


def main():
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        env = {"PATH": "/usr/bin:/bin", "HOME": folder, "RECOUNT_STORE": str(root / "store"), "TZ": "UTC"}
        database = str(root / "peer.db")
        subprocess.run([RECOUNT, "init"], env=env, check=True, capture_output=True)
        fill(env, database)
        peer = [sys.executable, PEER, "--db", database, "--quiet"]
        commands = {
            "save-reasoning": ["save-reasoning", "s", "AUTH", "developer", "decisions", TEXT],
            "get-reasoning": ["get-reasoning", "s"],
            "reasoning-timeline": ["reasoning-timeline", "s", "--format", "json"],
        }
        print(f"{ROWS} rows, {RUNS} runs each; milliseconds\n")
        print("| command | recount p50 | p95 | bazinga_db p50 | p95 | times faster (p50) |\n|---|--:|--:|--:|--:|--:|")
        for name, command in commands.items():
            ours, theirs = [], []
            mine = [RECOUNT, *command, *(["--group", "AUTH", "--agent-type", "developer"] if name == "get-reasoning" else [])]
            other = [*peer, *command, *(["--group_id", "AUTH", "--agent_type", "developer"] if name == "get-reasoning" else [])]
            timed(mine, env)
            timed(other, env)
            for _ in range(RUNS):
                ours.append(timed(mine, env)[0])
                theirs.append(timed(other, env)[0])
            p95 = lambda times: sorted(times)[int(len(times) * 0.95) - 1 if len(times) > 1 else 0]
            a, b = statistics.median(ours), statistics.median(theirs)
            print(f"| {name} | {a:.1f} | {p95(ours):.1f} | {b:.1f} | {p95(theirs):.1f} | {b / a:.0f} |")
        digests = [timed([RECOUNT, "digest", "s", "AUTH", "--for", "qa_expert"], env)[0] for _ in range(RUNS)]
        print(f"\ndigest: first {digests[0]:.1f} ms, then p50 {statistics.median(digests[1:]):.1f} ms")


main()
