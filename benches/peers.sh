#!/bin/sh
# Ours and its peers on the same events, in turn, in the same run; one table at the end.
#
#   benches/peers.sh [ROUNDS] [ask]    (5; RECOUNT_BENCH_EVENTS sets the number of events, 100000)
#
# With `ask` nothing is recorded against the clock: only questions to a full store are compared.
# Peers: python3 with SQLite (WAL, FTS5), ripgrep, jq. What is absent is installed with the system's
# package manager if we may, and skipped with a word if not.
set -eu
cd "$(dirname "$0")/.."
rounds=${1:-5} peers=measure parts="append search timeline rebuild"
[ "${2:-}" != ask ] || peers=ask parts="search timeline"
export RECOUNT_BENCH_EVENTS="${RECOUNT_BENCH_EVENTS:-100000}" RECOUNT_BENCH_ROUNDS=1

need() { # PROGRAM PACKAGE
    command -v "$1" >/dev/null && return
    { apt-get install -y -q "$2" >/dev/null 2>&1 && command -v "$1" >/dev/null; } ||
        echo "$1 is not here and cannot be installed: skipped" >&2
}
need rg ripgrep
need jq jq
need python3 python3
command -v python3 >/dev/null || exit 3

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT INT TERM
house() { cargo bench -q -p recount --bench house -- "$@"; }
house export "$folder/events"
round=1
while [ "$round" -le "$rounds" ]; do
    echo "round $round of $rounds" >&2
    RECOUNT_BENCH_JSON="$folder/ours.$round.json" house $parts >/dev/null
    python3 benches/peers.py $peers "$folder/events" "$folder/peers.$round.json"
    round=$((round + 1))
done
python3 benches/peers.py table "$folder"
