#!/usr/bin/env python3
"""How well a redactor did on a labelled set.

    recount redact --ndjson labelled.ndjson > redacted.ndjson
    benches/redaction.py labelled.ndjson redacted.ndjson [--list]

Both files hold one JSON object a line, in the same order. A labelled line has "id", "text" and "spans"
(byte offsets "start" and "end" of each secret in the UTF-8 of "text"). A redacted line has either "spans" too,
or "text" alone, in which marks `[REDACTED:kind]` and `[REDACTED:kind:fp]` stand where something was taken out;
then what was taken out is found by laying the text between the marks over the original.

    protected   secrets of which no uncovered run of 6 or more bytes is left
    leaked      secret bytes that are left, of all secret bytes
    precision   spans that touch a secret, of all spans
    collateral  other bytes that were removed, of all other bytes
    damaged     texts without any secret that were changed
"""

import argparse
import json
import re
import sys

MARK = re.compile(rb"\[REDACTED:[a-z0-9_:]{1,96}\]")
LONGEST_OPEN = 6


def lay_over(original, redacted):
    """Ranges of `original` that marks of `redacted` stand for; None if it is not the same text otherwise."""
    kept, marks, at = [], [], 0
    for mark in MARK.finditer(redacted):
        kept.append(redacted[at : mark.start()])
        marks.append(mark.group())
        at = mark.end()
    kept.append(redacted[at:])
    if not original.startswith(kept[0]):
        return None
    spans, at = [], len(kept[0])
    for index, (mark, after) in enumerate(zip(marks, kept[1:])):
        last = index == len(marks) - 1
        # A mark that stood in the original already is nobody's span.
        if original.startswith(mark + after, at) and (not last or len(original) == at + len(mark + after)):
            at += len(mark + after)
            continue
        end = len(original) - len(after) if last else original.find(after, at) if after else at
        if end < at or not original.startswith(after, end):
            return None
        spans.append((at, end))
        at = end + len(after)
    return spans if at == len(original) else None


def spans_of(line):
    return [(span["start"], span["end"]) for span in line["spans"]]


def taken(labelled, redacted):
    """What the redactor took out of a text."""
    if "spans" in redacted:
        return spans_of(redacted)
    original = labelled["text"].encode()
    spans = lay_over(original, redacted["text"].encode())
    if spans is None:
        print(f"{labelled.get('id')}: changed outside its marks", file=sys.stderr)
        return [(0, len(original))]
    return spans


def longest_open(covered, start, end):
    longest = run = 0
    for hidden in covered[start:end]:
        run = 0 if hidden else run + 1
        longest = max(longest, run)
    return longest


class Score:
    def __init__(self):
        self.secrets = self.protected = self.secret_bytes = self.leaked = 0
        self.spans = self.right = self.other_bytes = self.removed = self.clean = self.damaged = 0

    def judge(self, labelled, redacted, listing):
        text = labelled["text"].encode()
        secrets, spans = spans_of(labelled), taken(labelled, redacted)
        covered, secret = bytearray(len(text)), bytearray(len(text))
        for start, end in spans:
            covered[start:end] = b"\1" * (min(end, len(text)) - start)
        for start, end in secrets:
            secret[start:end] = b"\1" * (end - start)
            is_open = longest_open(covered, start, end) >= LONGEST_OPEN
            self.secrets += 1
            self.protected += not is_open
            self.secret_bytes += end - start
            self.leaked += (end - start) - sum(covered[start:end])
            if is_open and listing:
                print(f"open  {labelled.get('id')} {start}..{end}")
        for start, end in spans:
            right = any(secret[start:end])
            self.spans += 1
            self.right += right
            if not right and listing:
                print(f"wrong {labelled.get('id')} {start}..{end}")
        self.other_bytes += len(text) - sum(secret)
        self.removed += sum(1 for hidden, known in zip(covered, secret) if hidden and not known)
        self.clean += not secrets
        self.damaged += not secrets and bool(spans)

    def report(self):
        def share(part, whole):
            return 100 * part / max(whole, 1)

        print(f"protected  {share(self.protected, self.secrets):.2f} %  ({self.protected} of {self.secrets})")
        print(f"leaked     {share(self.leaked, self.secret_bytes):.3f} % of secret bytes")
        print(f"precision  {share(self.right, self.spans):.2f} %  ({self.right} of {self.spans})")
        print(f"collateral {share(self.removed, self.other_bytes):.4f} % of other bytes")
        print(f"damaged    {self.damaged} of {self.clean} secret-free texts")


def lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file if line.strip()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("labelled")
    parser.add_argument("redacted")
    parser.add_argument("--list", action="store_true", help="each open secret and each wrong span")
    arguments = parser.parse_args()
    labelled, redacted = lines(arguments.labelled), lines(arguments.redacted)
    if len(labelled) != len(redacted):
        sys.exit(f"{len(labelled)} labelled lines, {len(redacted)} redacted ones")
    score = Score()
    for known, given in zip(labelled, redacted):
        score.judge(known, given, arguments.list)
    score.report()


if __name__ == "__main__":
    main()
