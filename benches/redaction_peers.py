#!/usr/bin/env python3
"""What the peers find in labelled texts, as lines that redaction.py scores.

    redaction_peers.py TOOL LABELLED.ndjson > spans.ndjson      (TOOL: detect-secrets, secretlint, kingfisher,
                                                                   betterleaks)

Peers report a place or a value to a person. As who integrates them does, every occurrence of a reported value
counts as covered, which is generous to them. The seconds that the tool itself used (user time, its start
included) go to standard error as `seconds N`.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile


def occurrences(text, value):
    """Byte ranges of every occurrence of `value`."""
    data, wanted = text.encode(), value.encode()
    at = data.find(wanted) if wanted else -1
    while at >= 0:
        yield (at, at + len(wanted))
        at = data.find(wanted, at + len(wanted))


def detect_secrets(texts, folder):
    from detect_secrets.core import scan
    from detect_secrets.settings import default_settings

    found = []
    with default_settings():
        for number, text in enumerate(texts):
            path = os.path.join(folder, f"{number}.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            found.append({secret.secret_value for secret in scan.scan_file(path) if secret.secret_value})
    return found


SECRETLINT = """
import { lintSource } from "@secretlint/core";
import * as preset from "@secretlint/secretlint-rule-preset-recommend";
import fs from "node:fs";
const config = { rules: [{ id: "preset", rule: preset.creator, severity: "error" }] };
const out = [];
for (const content of JSON.parse(fs.readFileSync(0, "utf8"))) {
  const source = { filePath: "text.txt", content, contentType: "text" };
  const { messages } = await lintSource({ source, options: { config, maskSecrets: false, noPhysicFilePath: true } });
  out.push(messages.filter((m) => m.range).map((m) => content.slice(m.range[0], m.range[1])));
}
console.log(JSON.stringify(out));
"""


def secretlint(texts, _):
    # modules are looked for beside the program, and they stand in the current folder
    program = os.path.join(os.getcwd(), "secretlint.mjs")
    with open(program, "w", encoding="utf-8") as file:
        file.write(SECRETLINT)
    done = subprocess.run(["node", program], input=json.dumps(texts), capture_output=True, text=True, check=True)
    return [set(values) for values in json.loads(done.stdout)]


def write(texts, folder):
    for number, text in enumerate(texts):
        with open(os.path.join(folder, f"{number}.txt"), "w", encoding="utf-8") as file:
            file.write(text)


def number_of(path):
    return int(os.path.basename(path).split(".")[0])


def kingfisher(texts, folder):
    write(texts, folder)
    command = ["kingfisher", "scan", folder, "--no-validate", "-c", "low", "--no-dedup", "--format", "json"]
    command += ["--no-update-check", "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [set() for _ in texts]
    for finding in json.JSONDecoder().raw_decode(done.stdout)[0]["findings"]:
        finding = finding["finding"]
        found[number_of(finding["path"])].add(finding["snippet"])
    return found


def betterleaks(texts, folder):
    write(texts, folder)
    command = ["betterleaks", folder, "--jsonl", "--no-banner", "--log-level", "error", "--confidence", "low"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    found = [set() for _ in texts]
    for line in done.stdout.splitlines():
        finding = json.loads(line).get("finding")  # the last line tells of the scan
        if finding:
            found[number_of(finding["location"]["path"])].add(finding["match"]["value"])
    return found


TOOLS = {"detect-secrets": detect_secrets, "secretlint": secretlint, "kingfisher": kingfisher,
         "betterleaks": betterleaks}


def main(tool, labelled):
    with open(labelled, encoding="utf-8") as file:
        rows = [json.loads(line) for line in file if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        found = TOOLS[tool]([row["text"] for row in rows], folder)
    used = (resource.getrusage(who).ru_utime for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    print(f"seconds {sum(used):.2f}", file=sys.stderr)
    for row, values in zip(rows, found, strict=True):
        ranges = sorted({at for value in values for at in occurrences(row["text"], value)})
        spans = [{"start": start, "end": end, "kind": tool} for start, end in ranges]
        print(json.dumps({"id": row["id"], "spans": spans}))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in TOOLS:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2])
