"""A hook as people write them: reads the payload, keeps it in SQLite. No redaction, no hashes."""

import json
import sqlite3
import sys
from datetime import datetime, timezone

payload = json.load(sys.stdin)
store = sqlite3.connect(sys.argv[1])
store.execute("create table if not exists events (at text, session text, event text, payload text)")
row = (datetime.now(timezone.utc).isoformat(), payload["session_id"], payload["hook_event_name"], json.dumps(payload))
store.execute("insert into events values (?, ?, ?, ?)", row)
store.commit()
