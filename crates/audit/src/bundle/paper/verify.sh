#!/usr/bin/env bash
# Checks a bundle or a store of recount with stock tools: bash, awk, jq, b3sum, sha256sum, openssl, ssh-keygen.
#
#     bash verify.sh [FOLDER] [--pin FILE|HEX] [--allowed-signers FILE]
#
# FOLDER is the current one unless given. The pin may come as RECOUNT_PIN, the allowed signers as
# RECOUNT_ALLOWED_SIGNERS. Exit codes are those of `recount verify`: 0 verified, 12 no pin, 20 and above damage.
# Writes nothing but a temporary folder, which it removes. Slow: for samples and for those who trust no program.
set -u
export LC_ALL=C
for tool in awk jq b3sum sha256sum openssl ssh-keygen base64 iconv; do
  command -v "$tool" >/dev/null || { echo "verify.sh needs $tool" >&2; exit 2; }
done
TMP=$(mktemp -d) || exit 74
trap 'rm -rf "$TMP"' EXIT
US=$'\037'
ZEROS64=$(printf '0%.0s' {1..64})
FOUND=()
found() { FOUND+=("$1"); echo "$1 $2" >&2; }

worst() {
  local code least=0
  for code in ${FOUND[@]+"${FOUND[@]}"}; do
    if (( code >= 20 && (least == 0 || code < least) )); then least=$code; fi
  done
  if (( least == 0 )); then
    for code in 12 13 11 10; do
      [[ " ${FOUND[*]-} " == *" $code "* ]] && { least=$code; break; }
    done
  fi
  return "$least"
}

# ---- hashes ---------------------------------------------------------------------------------------------
sha() { local sum; sum=$(sha256sum); echo "${sum:0:64}"; }
sha_of() { sha <"$1"; }
b3_derive() { b3sum --no-names --derive-key "$1"; }
bytes() {
  local text='' i
  for (( i = 0; i < ${#1}; i += 2 )); do text+="\\x${1:i:2}"; done
  printf "$text"
}
hex() { od -An -v -tx1 | tr -d ' \n'; }
# these three leave their hash in H: a process less each time
leaf_text() { read -r H _ < <({ printf '\0'; printf %s "$1"; } | sha256sum); }
leaf_hex() { read -r H _ < <(bytes "00$1" | sha256sum); }
node() { read -r H _ < <(bytes "01$1$2" | sha256sum); }
genesis() { printf 'genesis\n%s\n%s' "$1" "$2" | b3_derive "recount v1 event"; }
# strict base64: what encodes again to the same text
unbase64() { base64 -d <<<"$1" 2>/dev/null >"$2" && [[ $(base64 -w0 "$2") == "$1" ]]; }

# RFC 6962: the roots of whole subtrees, largest first
tree_new() { SIZE=0; WHOLE=(); }
tree_push() {
  local leaf=$1 n=$SIZE last
  while (( n & 1 )); do
    last=$(( ${#WHOLE[@]} - 1 ))
    node "${WHOLE[last]}" "$leaf"; leaf=$H
    unset "WHOLE[last]"
    (( n >>= 1 ))
  done
  WHOLE+=("$leaf")
  (( SIZE += 1 ))
}
tree_root() {
  local i last=$(( ${#WHOLE[@]} - 1 ))
  if (( last < 0 )); then ROOT=$(sha </dev/null); return; fi
  ROOT=${WHOLE[last]}
  for (( i = last - 1; i >= 0; i-- )); do node "${WHOLE[i]}" "$ROOT"; ROOT=$H; done
}

# ---- Ed25519, signed notes ------------------------------------------------------------------------------
ed25519() { # key (hex), message file, signature file
  { bytes "302a300506032b6570032100$1"; } | openssl pkey -pubin -inform DER -out "$TMP/key.pem" 2>/dev/null || return 1
  openssl pkeyutl -verify -pubin -inkey "$TMP/key.pem" -rawin -in "$2" -sigfile "$3" >/dev/null 2>&1
}

# a vkey: <name>+<id>+<base64 of 01 and the key>; sets KEY_NAME, KEY_ID, KEY
vkey() {
  local rest raw
  KEY_NAME=${1%%+*} rest=${1#*+}
  KEY_ID=${rest%%+*}
  unbase64 "${rest#*+}" "$TMP/vkey" || return 1
  raw=$(hex <"$TMP/vkey")
  [[ ${#raw} == 66 && ( ${raw:0:2} == 01 || ${raw:0:2} == 04 ) && -n $KEY_NAME && $KEY_NAME != *[[:space:]]* ]] || return 1
  [[ $({ printf '%s\n' "$KEY_NAME"; bytes "$raw"; } | sha | cut -c1-8) == "$KEY_ID" ]] || return 1
  KEY=${raw:2}
}

# a signed note: sets N_ORIGIN, N_SIZE, N_ROOT; 1 if it is none
note() {
  local whole text lines line raw
  whole=$(cat "$1"; printf x); whole=${whole%x}
  (( $(tr -d '\012\040-\377' <"$1" | wc -c) == 0 && $(wc -c <"$1") <= 65536 )) || return 1
  iconv -f UTF-8 -t UTF-8 <"$1" >/dev/null 2>&1 || return 1
  [[ $whole == *$'\n\n'* && $whole == *$'\n' ]] || return 1
  lines=${whole##*$'\n\n'} text=${whole%$'\n\n'*}
  lines=${lines%$'\n'}
  while IFS= read -r line; do
    [[ $line == $'\xe2\x80\x94 '*' '* ]] || return 1
    line=${line#$'\xe2\x80\x94 '}
    [[ ${line%% *} != *+* && -n ${line%% *} ]] || return 1
    unbase64 "${line#* }" "$TMP/raw" || return 1
    (( $(wc -c <"$TMP/raw") >= 5 )) || return 1
  done <<<"$lines"
  { read -r N_ORIGIN; read -r N_SIZE; read -r N_ROOT; } <<<"$text"$'\n\n\n'
  [[ -n $N_ORIGIN && $N_SIZE =~ ^(0|[1-9][0-9]{0,18})$ ]] || return 1
  unbase64 "$N_ROOT" "$TMP/root" || return 1
  N_ROOT=$(hex <"$TMP/root")
  [[ ${#N_ROOT} == 64 ]]
}

# is the note in file $1 signed by KEY?
signed_by() {
  local whole line raw
  whole=$(cat "$1"; printf x); whole=${whole%x}
  printf '%s\n' "${whole%$'\n\n'*}" >"$TMP/text"
  while IFS= read -r line; do
    line=${line#$'\xe2\x80\x94 '}
    [[ ${line%% *} == "$KEY_NAME" ]] || continue
    unbase64 "${line#* }" "$TMP/raw" || continue
    raw=$(hex <"$TMP/raw")
    [[ ${raw:0:8} == "$KEY_ID" ]] || continue
    bytes "${raw:8}" >"$TMP/sig"
    ed25519 "$KEY" "$TMP/text" "$TMP/sig" && return 0
  done <<<"${whole##*$'\n\n'}"
  return 1
}

# ---- lines: awk checks their shape byte by byte and says where the parts stand ----------------------------
cat >"$TMP/line.awk" <<'AWK'
BEGIN {
  for (i = 1; i < 256; i++) ORD[sprintf("%c", i)] = i
  HEX = "0123456789abcdef"; US = "\037"
  split("v session seq ts kind prev commit", f, " "); for (i in f) FIXED[f[i]] = 1
}
function eat(part) { if (substr(s, at, length(part)) != part) return 0; at += length(part); return 1 }
function ishex(t, n) { return length(t) == n && t ~ /^[0-9a-f]+$/ }
function isname(t) { return length(t) <= 64 && t ~ /^[a-z][a-z0-9_]*$/ && t != "hash" && t != "data" && t != "salt" }
function utf8(t,   i, c, n, b, lo, hi) {
  if (t !~ /[\200-\377]/) return 1
  for (i = 1; i <= length(t); i++) {
    c = ORD[substr(t, i, 1)]
    if (c < 128) continue
    lo = 128; hi = 191
    if (c >= 194 && c <= 223) n = 1
    else if (c >= 224 && c <= 239) { n = 2; if (c == 224) lo = 160; if (c == 237) hi = 159 }
    else if (c >= 240 && c <= 244) { n = 3; if (c == 240) lo = 144; if (c == 244) hi = 143 }
    else return 0
    while (n-- > 0) { b = ORD[substr(t, ++i, 1)]; if (b < lo || b > hi) return 0; lo = 128; hi = 191 }
  }
  return 1
}
function unit(p,   t, i, v, d) {
  t = substr(s, p, 6)
  if (substr(t, 1, 2) != "\\u" || length(t) != 6) return -1
  t = tolower(substr(t, 3))
  for (i = 1; i <= 4; i++) { d = index(HEX, substr(t, i, 1)); if (!d) return -1; v = v * 16 + d - 1 }
  return v
}
function letter(v) {
  if (v < 128) return v ? sprintf("%c", v) : "\\0"
  if (v < 2048) return sprintf("%c%c", 192 + int(v / 64), 128 + v % 64)
  if (v < 65536) return sprintf("%c%c%c", 224 + int(v / 4096), 128 + int(v / 64) % 64, 128 + v % 64)
  return sprintf("%c%c%c%c", 240 + int(v / 262144), 128 + int(v / 4096) % 64, 128 + int(v / 64) % 64, 128 + v % 64)
}
function str(   c, v, w, i) {
  K = ""; at++
  while (1) {
    if (!match(substr(s, at), /[\001-\037"\\]/)) return 0
    K = K substr(s, at, RSTART - 1); at += RSTART - 1
    c = substr(s, at, 1)
    if (c == "\"") { at++; return 1 }
    if (c != "\\") return 0
    c = substr(s, at + 1, 1)
    if (c == "u") {
      v = unit(at)
      if (v < 0 || (v >= 56320 && v <= 57343)) return 0
      if (v >= 55296 && v <= 56319) {
        w = unit(at + 6)
        if (w < 56320 || w > 57343) return 0
        v = 65536 + (v - 55296) * 1024 + w - 56320; at += 6
      }
      K = K letter(v); at += 6
    } else {
      i = index("\"\\/bfnrt", c)
      if (!c || !i) return 0
      K = K substr("\"\\/\b\f\n\r\t", i, 1); at += 2
    }
  }
}
function value(depth,   c, t) {
  c = substr(s, at, 1)
  if (c == "\"") return str()
  if (c == "{" || c == "[") return depth < 64 && many(c, depth + 1)
  if (c == "t") return eat("true")
  if (c == "f") return eat("false")
  if (c == "n") return eat("null")
  if (!match(substr(s, at), /^-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/)) return 0
  t = substr(s, at, RLENGTH); at += RLENGTH
  if (t ~ /^-?0[0-9]/) return 0
  if (t ~ /[.eE]/) return t + 0 <= 1.7976931348623157e308 && t + 0 >= -1.7976931348623157e308
  sub(/^-/, "", t)
  return length(t) < 16 || (length(t) == 16 && ("x" t) <= "x9007199254740991")
}
function many(c, depth,   close_, keys) {
  close_ = c == "{" ? "}" : "]"; at++
  if (substr(s, at, 1) == close_) { at++; return 1 }
  while (1) {
    if (c == "{") {
      if (substr(s, at, 1) != "\"" || !str() || K in keys) return 0
      keys[K] = 1
      if (!eat(":")) return 0
    }
    if (!value(depth)) return 0
    if (substr(s, at, 1) == close_) { at++; return 1 }
    if (!eat(",")) return 0
  }
}
function decodes(t,   i, c, d, v) { # D is the decoded text
  D = ""
  for (i = 1; i <= length(t); i++) {
    c = substr(t, i, 1)
    if (c == "%") {
      d = substr(t, i + 1, 2)
      if (!ishex(d, 2)) return 0
      v = (index(HEX, substr(d, 1, 1)) - 1) * 16 + index(HEX, substr(d, 2, 1)) - 1
      if (v >= 32 && v <= 126 && v != 34 && v != 92 && v != 37) return 0
      D = D (v ? sprintf("%c", v) : " "); i += 2
    } else if (ORD[c] < 32 || ORD[c] > 126 || c == "\"" || c == "\\") return 0
    else D = D c
  }
  return utf8(D)
}
function scalar(t) {
  if (t == "true" || t == "false") return 1
  if (substr(t, 1, 1) == "\"") return decodes(substr(t, 2, length(t) - 2))
  return t ~ /^-?[0-9]+$/ && t != "-0"
}
function headervalue(t,   from, save, c, ok, k) {
  c = substr(t, 1, 1)
  if (c != "{" && c != "[") return scalar(t)
  if (length(t) == 2) return 1
  # at most one level: scan the parts again
  save = at; at = at - length(t) + 1; ok = 1
  while (ok && at < save) {
    if (c == "{") { ok = str() && isname(K); at++ }
    from = at
    ok = ok && value(64) && scalar(substr(s, from, at - from))
    at++
  }
  at = save
  return ok
}
function head(   end, h, v, from, n, seen, i) {
  end = index(substr(s, 1, 8201), ",\"hash\":\"")
  if (!end) return 0
  HLEN = end - 1; h = substr(s, 1, HLEN)
  if (h ~ /[^\040-\176]/ || index(h, "\\")) return 0
  at = 1
  if (!eat("{\"v\":") || !number()) return 0
  if (NUM > 1) { CODE = 45; return 0 }
  if (!eat(",\"session\":\"")) return 0
  SESSION = quoted(); if (!OK || !eat(",\"seq\":") || !number()) return 0
  SEQ = NUM
  if (!eat(",\"ts\":\"")) return 0
  TS = quoted(); if (!OK || !eat(",\"kind\":\"")) return 0
  KIND = quoted(); if (!OK) return 0
  STORE = TARGET = "-"; NF_ = 0
  while (substr(s, at, 9) != ",\"prev\":\"") {
    if (!eat(",\"")) return 0
    n = quoted(); if (!OK || !isname(n) || !eat(":")) return 0
    from = at
    if (!value(0) || at > HLEN + 1) return 0
    v = substr(s, from, at - from)
    if (!headervalue(v) || n in seen || n in FIXED) return 0
    seen[n] = 1
    if (n == "store" && substr(v, 1, 1) == "\"") STORE = substr(v, 2, length(v) - 2)
    if (n == "target" && v ~ /^[0-9]+$/) TARGET = v
  }
  at += 9; PREV = substr(s, at, 64); at += 64
  if (!ishex(PREV, 64) || !eat("\",\"commit\":{")) return 0
  COUNT = 0; split("", NAMES)
  while (at < HLEN) {
    if (COUNT && !eat(",")) return 0
    if (!eat("\"")) return 0
    n = quoted(); if (!OK || !isname(n) || n in NAMES || !eat(":\"")) return 0
    NAMES[n] = 1; NAME[++COUNT] = n; COMMIT[COUNT] = substr(s, at, 64); at += 64
    if (!ishex(COMMIT[COUNT], 64) || !eat("\"")) return 0
  }
  if (at != HLEN || substr(s, at, 1) != "}") return 0
  HASH = substr(s, HLEN + 10, 64)
  if (!ishex(HASH, 64)) return 0
  if (SESSION !~ /^[a-z0-9][a-z0-9_-]*$/ || length(SESSION) > 64) return 0
  if (TS !~ /^[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9]\.[0-9][0-9][0-9][0-9][0-9][0-9]Z$/) return 0
  if (!decodes(KIND)) return 0
  return 1
}
function number(   t) {
  if (!match(substr(s, at, 20), /^[0-9]+/)) return 0
  t = substr(s, at, RLENGTH); at += RLENGTH
  if ((t ~ /^0/ && t != "0") || length(t) > 16 || (length(t) == 16 && ("x" t) > "x9007199254740991")) return 0
  NUM = t; return 1
}
function quoted(   n, t) {
  n = index(substr(s, at), "\""); OK = n > 0
  if (!OK) return ""
  t = substr(s, at, n - 1); at += n
  if (at > HLEN + 1) OK = 0
  return t
}
function payload(   i, from, gone, slot, len) {
  if (!utf8(s)) return 0
  at = HLEN + 74
  if (!eat("\",\"data\":{")) return 0
  for (i = 1; i <= COUNT; i++) {
    if (!eat((i > 1 ? "," : "") "\"" NAME[i] "\":")) return 0
    from = at
    if (!value(0)) return 0
    VAT[i] = from; VLEN[i] = at - from
    match(substr(s, at), /^ */); at += RLENGTH
    SLOT[i] = at - from
  }
  if (!eat("},\"salt\":{")) return 0
  for (i = 1; i <= COUNT; i++) {
    if (!eat((i > 1 ? "," : "") "\"" NAME[i] "\":\"")) return 0
    SAT[i] = at; SALT[i] = substr(s, at, 32); at += 32
    if (!ishex(SALT[i], 32) || !eat("\"")) return 0
    gone = SALT[i] ~ /^0+$/
    len = VLEN[i]
    GONE[i] = gone && substr(s, VAT[i], len) == "null"
    if (gone && !GONE[i]) return 0
    if (GONE[i] ? SLOT[i] % 16 : SLOT[i] != int((len + 15) / 16) * 16) return 0
  }
  return eat("}}") && at == length(s) + 1
}
{
  s = $0; CODE = 21; LEVEL = 3
  ok = head()
  if (ok && LEVELS && s == substr(s, 1, HLEN) ",\"hash\":\"" HASH "\"}") LEVEL = 2
  else ok = ok && payload()
  if (!ok) { print CODE; next }
  line = 0 US SESSION US SEQ US TS US KIND US PREV US HASH US HLEN US STORE US TARGET US LEVEL
  if (LEVEL == 3) for (i = 1; i <= COUNT; i++) line = line US NAME[i] US COMMIT[i] US SALT[i] US (VAT[i] - 1) US VLEN[i] US GONE[i] US SLOT[i] US (SAT[i] - 1)
  print line
}
AWK
# one row for each line of standard input; a NUL is as bad as any control character
rows() { tr '\000' '\001' | awk -v LEVELS="${1-0}" -f "$TMP/line.awk"; }

# takes a row apart: CODE SESSION SEQ TS KIND PREV HASH HLEN STORE TARGET LEVEL and MEMBERS (eight of each)
taken() {
  local IFS=$US
  read -r -a MEMBERS <<<"$1"
  CODE=${MEMBERS[0]}
  (( CODE == 0 )) || return 0
  SESSION=${MEMBERS[1]} SEQ=${MEMBERS[2]} TS=${MEMBERS[3]} KIND=${MEMBERS[4]} PREV=${MEMBERS[5]} HASH=${MEMBERS[6]}
  HLEN=${MEMBERS[7]} STORE=${MEMBERS[8]} TARGET=${MEMBERS[9]} LEVEL=${MEMBERS[10]}
  MEMBERS=("${MEMBERS[@]:11}")
}
header_holds() { [[ $(printf %s "${1:0:HLEN}" | b3_derive "recount v1 event") == "$HASH" ]]; }
members_hold() { # line
  local i
  for (( i = 0; i < ${#MEMBERS[@]}; i += 8 )); do
    (( MEMBERS[i + 5] )) && continue
    [[ $(printf '%s\n%s\n%s' "${MEMBERS[i + 2]}" "${MEMBERS[i]}" "${1:MEMBERS[i + 3]:MEMBERS[i + 4]}" |
      b3_derive "recount v1 field") == "${MEMBERS[i + 1]}" ]] || return 1
  done
}
erased() {
  local i
  for (( i = 0; i < ${#MEMBERS[@]}; i += 8 )); do (( MEMBERS[i + 5] )) && echo "${MEMBERS[i]}"; done
}
ordered() { # the members that an erase order names
  local i
  [[ $KIND == audit.erased && $TARGET != - ]] && (( TARGET < SEQ )) || return 0
  for (( i = 0; i < ${#MEMBERS[@]}; i += 8 )); do
    [[ ${MEMBERS[i]} == order ]] && jq -r '(.fields? // [])[]? | if type == "string" then . else .field? end | strings' <<<"${1:MEMBERS[i + 3]:MEMBERS[i + 4]}"
  done
}
blobs() { # "<hex> <bytes>" of each blob that the line refers to
  local i
  for (( i = 0; i < ${#MEMBERS[@]}; i += 8 )); do
    (( MEMBERS[i + 5] )) && continue
    [[ ${1:MEMBERS[i + 3]:MEMBERS[i + 4]} == *'"blob"'* ]] && jq -r '
      def look: if type == "array" then .[] | look
        elif type == "object" then
          if ((.blob | type) == "string") and (.blob | test("^b3:[0-9a-f]{64}$")) and ((.bytes | type) == "number") and ((.media | type) == "string")
          then "\(.blob[3:]) \(.bytes)" else .[] | look end
        else empty end; look' <<<"${1:MEMBERS[i + 3]:MEMBERS[i + 4]}"
  done
}

# ---- the store log ----------------------------------------------------------------------------------------
PIN='' PIN_STORE='' PIN_SEEN=''
read_pin() {
  local text
  if [[ $1 =~ ^[0-9a-f]{64}$ && ! -e $1 ]]; then PIN=$1; return; fi
  [[ -r $1 ]] || { echo "cannot read $1" >&2; exit 74; }
  text=$(cat "$1"; printf x); text=${text%x}
  if [[ $text =~ ^[[:space:]]*([0-9a-f]{64})[[:space:]]*$ ]]; then PIN=${BASH_REMATCH[1]}; return; fi
  if [[ $text =~ ^'recount pin 1'$'\n''store '([^$'\n']*)$'\n''pin '([0-9a-f]{64})$'\n'$'\n'(.*)$ ]]; then
    PIN_STORE=${BASH_REMATCH[1]} PIN=${BASH_REMATCH[2]}
    printf %s "${BASH_REMATCH[3]}" >"$TMP/seen"
    if note "$TMP/seen"; then PIN_SEEN=$N_SIZE; PIN_SEEN_ROOT=$N_ROOT; return; fi
  fi
  echo "not a pin" >&2
  exit 2
}

broken() { HOLDS=0; found 31 "$1"; }
declare -A ERASED
declare -A LAST_EVENTS LAST_LEAF LAST_SEALED SEALS FIRST_SEAL HELD PURGED
# reads a log: LOG is none, begun or checked; HOLDS, LOG_SIZE, COVERS, EXPORTS
# SEALS[session] has lines of "leaf events bytes head root"
check_log() {
  local folder=$1 store=$2 store_file=$3 line i n code size root at known=0 id first='' whose
  local -a lines=() wanted=() epochs_at=() epochs_key=() notes=() signed=() broken_off=()
  HOLDS=1 LOG_SIZE=0 COVERS='' EXPORTS=() GENESIS='' LOG=checked
  if [[ -f $folder/entries.ndjson ]]; then
    mapfile -t lines < <(tr '\000' '\001' <"$folder/entries.ndjson")
    if [[ -n $(tail -c1 "$folder/entries.ndjson" | tr -d '\n') ]]; then unset "lines[$(( ${#lines[@]} - 1 ))]"; fi
  fi
  log_note() { # file, whose
    [[ -f $1 ]] || return 1
    if note "$1"; then signed+=("$1"); wanted+=("$N_SIZE 31 $N_ROOT $2"); return 0; fi
    found 34 "$2 is no signed note"
    return 1
  }
  local has_checkpoint=0
  log_note "$folder/checkpoint" "the checkpoint" && has_checkpoint=1
  if [[ -d $folder/epochs ]]; then
    for line in "$folder"/epochs/*.note; do
      n=${line##*/} n=${n%.note}
      [[ $n =~ ^(0|[1-9][0-9]*)$ ]] && log_note "$line" "the note of epoch $n" && notes[n]=$line
    done
  fi
  id=''
  (( ${#lines[@]} )) && id=$(printf %s "${lines[0]}" | sha)
  if (( ! has_checkpoint && ${#notes[@]} == 0 && ${#FOUND[@]} == 0 )); then
    if (( ${#lines[@]} < 2 )); then
      LOG=none
      [[ -n $PIN && -z $PIN_SEEN && -n $id && $PIN == "$id" ]] && LOG=begun
      return
    fi
    found 34 "leaves and no checkpoint"; HOLDS=0
    return
  fi
  (( has_checkpoint || ${#FOUND[@]} )) || found 34 "the checkpoint is gone"
  log_note "$folder/witnessed" "the witnessed checkpoint"
  if [[ -d $folder/anchors ]]; then
    for line in "$folder"/anchors/*.note; do
      n=${line##*/} n=${n%.note}
      [[ $n =~ ^(0|[1-9][0-9]*)$ ]] || continue
      log_note "$line" "the stamped checkpoint of size $n"
      [[ -f ${line%.note}.tsr ]] || continue
      # which SHA-256 the response is about; who made it, openssl says
      [[ $(hex <"${line%.note}.tsr") =~ (3031300d060960864801650304020105000420|302f300b06096086480165030402010420)([0-9a-f]{64}) &&
        ${BASH_REMATCH[2]} == "$(sha_of "$line")" ]] || found 36 "the time stamp of size $n is about another checkpoint"
    done
  fi
  size=0
  for line in ${wanted[@]+"${wanted[@]}"}; do (( ${line%% *} > size )) && size=${line%% *}; done
  [[ -n $PIN_SEEN && $PIN == "$id" ]] && wanted+=("$PIN_SEEN 33 $PIN_SEEN_ROOT the pin")
  mapfile -t wanted < <(printf '%s\n' ${wanted[@]+"${wanted[@]}"} | sort -n -s -k1,1)
  # every leaf as fields: index, kind, and what is needed of it
  local -a facts=()
  mapfile -t facts < <(printf '%s\n' ${lines[@]+"${lines[@]}"} | jq -R -r --arg us "$US" '
    def text($n): (.[$n] | type) == "string"; def num($n): (.[$n] | type) == "number" and .[$n] >= 0 and (.[$n] | floor) == .[$n];
    (try fromjson catch null) as $leaf | if ($leaf | type) != "object" or ($leaf | num("v") | not) then "bad"
    elif $leaf.v > 1 then "newer"
    else $leaf | if text("ts") | not then "bad"
      elif .leaf == "genesis" and text("store") and text("origin") and text("store_file") and text("log_vkey") and text("epoch_vkey")
        then [.leaf, .ts, .store, .origin, .store_file, .log_vkey, .epoch_vkey] | join($us)
      elif .leaf == "seal" and text("session") and num("events") and num("bytes") and text("head") and text("root") and text("previous") and text("status")
        then [.leaf, .ts, .session, .events, .bytes, .head, .root, .previous] | map(tostring) | join($us)
      elif .leaf == "epoch" and num("n") and text("vkey") then [.leaf, .ts, (.n | tostring), .vkey] | join($us)
      elif .leaf == "reepoch" and num("n") and text("vkey") and text("last") then [.leaf, .ts, (.n | tostring), .vkey, (.last | @base64)] | join($us)
      elif .leaf == "restore" and text("store") and text("pin") and text("last") then [.leaf, .ts, .store, .pin, (.last | @base64)] | join($us)
      elif .leaf == "anchor_failed" and text("how") then .leaf
      elif .leaf == "beat" and num("sessions") and text("covers") then [.leaf, .ts, .covers] | join($us)
      elif (.leaf == "start" or .leaf == "stop") and num("pid") then .leaf
      elif .leaf == "export" and text("bundle") and text("request") and text("by") then [.leaf, .ts, .bundle, .request, .by] | join($us)
      elif .leaf == "exported" and text("bundle") and text("manifest") then .leaf
      elif .leaf == "purge" and text("session") and num("events") and text("head") and text("ticket") and (.basis | IN("retention", "gdpr17", "secret", "court", "contract"))
        then [.leaf, .ts, .session, (.events | tostring), .head, .basis] | join($us)
      elif .leaf == "erased" and text("session") and num("seq") and num("order") and text("hash") and (.basis | IN("retention", "gdpr17", "secret", "court", "contract"))
        then [.leaf, .ts, .session, (.seq | tostring), (.order | tostring), .hash, .basis] | join($us)
      elif (.leaf == "hold" or .leaf == "release") and text("session") and text("case") then [.leaf, .ts, .session, .case] | join($us)
      else "bad" end end')
  tree_new
  local w=0
  for (( i = 0; i < ${#lines[@]}; i++ )); do
    if (( i >= size && w >= ${#wanted[@]} )); then break; fi
    (( i < size )) && leaf "$i" "${facts[i]}" "${lines[i]}"
    leaf_text "${lines[i]}"
    tree_push "$H"
    while (( w < ${#wanted[@]} )); do
      read -r at code root whose <<<"${wanted[w]}"
      (( at == SIZE )) || break
      tree_root
      if [[ $ROOT != "$root" ]]; then
        if (( code == 33 )); then found 33 "the pin is no prefix of this log"; else broken "the leaves do not hash to the root of $whose"; fi
      fi
      (( w += 1 ))
    done
  done
  for (( ; w < ${#wanted[@]}; w++ )); do
    read -r at code root whose <<<"${wanted[w]}"
    if (( code == 33 )); then found 32 "the pin saw size $at, the log has $SIZE"; else broken "$whose counts $at leaves, the log has $SIZE"; fi
  done
  LOG_SIZE=$(( size < SIZE ? size : SIZE ))
  [[ -n $GENESIS ]] && signatures
  if [[ -z $PIN ]]; then found 12 "self-consistent, but no pin is known: this proves nothing about who wrote it"
  elif [[ $PIN != "$id" ]]; then found 12 "the pin is another store's, or that of another log"; fi
}

leaf() { # index, fields, line
  local -a f=()
  local IFS=$US
  read -r -a f <<<"$2"
  IFS=$' \t\n'
  case ${f[0]} in
    newer) found 45 "leaf $1 is of a newer version"; return ;;
    bad) broken "leaf $1 is none"; return ;;
  esac
  if { (( $1 == 0 )) && [[ ${f[0]} != genesis ]]; } || { (( $1 > 0 )) && [[ ${f[0]} == genesis ]]; }; then
    broken "the log begins with a genesis, and has no other"; return
  fi
  case ${f[0]} in
    genesis)
      GENESIS=1 LOG_ORIGIN=${f[3]} LOG_VKEY=${f[5]}
      [[ ${f[2]} == "$store" && ${f[3]} == "recount/$store" ]] || broken "the log is another store's"
      epochs_at+=(0) epochs_key+=("$(epoch_key "${f[6]}" 0)")
      [[ $(sha_of "$store_file") == "${f[4]}" ]] || found 20 "STORE is not what it was when the log began"
      ;;
    restore)
      base64 -d <<<"${f[4]}" >"$TMP/last" 2>/dev/null
      note "$TMP/last" && [[ $N_ORIGIN == "recount/${f[2]}" && ${f[3]} =~ ^[0-9a-f]{64}$ ]] ||
        broken "leaf $1 goes on from a store that it does not name"
      ;;
    epoch|reepoch)
      if [[ ${f[0]} == reepoch ]]; then
        local lost=$(( ${#epochs_key[@]} - 1 ))
        base64 -d <<<"${f[4]}" >"$TMP/last" 2>/dev/null
        tree_root
        if (( lost >= 0 )) && [[ -n ${epochs_key[lost]} ]] && note "$TMP/last" && (( N_SIZE == $1 )) && [[ $N_ROOT == "$ROOT" ]] &&
          vkey "${epochs_key[lost]}" && signed_by "$TMP/last"; then broken_off[lost]=1
        else found 35 "leaf $1 breaks an epoch off, and not at its own last checkpoint"; fi
      fi
      [[ ${f[2]} == "${#epochs_at[@]}" ]] || found 35 "epoch ${f[2]} stands where ${#epochs_at[@]} belongs"
      local key; key=$(epoch_key "${f[3]}" "${f[2]}")
      [[ -n $key ]] || found 35 "epoch ${f[2]} has no key of its own"
      epochs_at+=("$1") epochs_key+=("$key")
      ;;
    beat) [[ ${f[2]-} > $COVERS ]] && COVERS=${f[2]} ;;
    erased)
      local case_ held=0
      for case_ in ${HELD[@]+"${HELD[@]}"}; do [[ $case_ == "${f[2]}" || $case_ == '*' ]] && held=1; done
      (( held )) && [[ ${f[6]} != court ]] && found 38 "${f[2]}: erased under a hold"
      ERASED[${f[2]}]+="${f[5]} ${f[3]} ${f[6]} ${f[4]}"$'\n' ;;
    hold) HELD["${f[2]}$US${f[3]-}"]=${f[2]} ;;
    release) unset "HELD[${f[2]}$US${f[3]-}]" ;;
    purge) purge "$1" "${f[1]}" "${f[2]}" "${f[3]}" "${f[4]}" "${f[5]}" ;;
    export) EXPORTS+=("${f[2]}$US${f[3]}$US${f[4]}") ;;
    seal)
      if [[ ! ${f[5]} =~ ^[0-9a-f]{64}$ || ! ${f[6]} =~ ^[0-9a-f]{64}$ ]]; then broken "leaf $1 is a seal without head and root"; return; fi
      local good=1
      [[ ${f[7]} == "${LAST_LEAF[${f[2]}]-$ZEROS64}" ]] || good=0
      (( ${f[3]} > ${LAST_EVENTS[${f[2]}]-0} )) || good=0
      SEALS[${f[2]}]+="$1 ${f[3]} ${f[4]} ${f[5]} ${f[6]}"$'\n'
      [[ -n ${FIRST_SEAL[${f[2]}]-} ]] || FIRST_SEAL[${f[2]}]=$1
      leaf_text "$3"
      LAST_SEALED[${f[2]}]=${f[1]}
      LAST_EVENTS[${f[2]}]=${f[3]} LAST_LEAF[${f[2]}]=$H
      (( good )) || broken "leaf $1 does not follow the seal before it"
      ;;
  esac
}
purge() { # leaf, ts, session, events, head, basis
  local last held=0 case_
  if [[ -z ${SEALS[$3]-} ]]; then broken "leaf $1 purges a session of which no seal is known"; return; fi
  last=$(printf %s "${SEALS[$3]}" | tail -n1)
  read -r _ last _ case_ _ <<<"$last"
  [[ $last == "$4" && $case_ == "$5" ]] || broken "leaf $1 does not purge the session as it was sealed last"
  for case_ in ${HELD[@]+"${HELD[@]}"}; do [[ $case_ == "$3" || $case_ == '*' ]] && held=1; done
  if (( held )) && [[ $6 != court ]]; then found 38 "$3: purged under a hold"
  elif [[ $6 == retention ]] && ! is_older "${LAST_SEALED[$3]}" "$2" 184; then found 38 "$3: purged less than 184 days after its last seal"; fi
  unset "ERASED[$3]" "SEALS[$3]" "FIRST_SEAL[$3]" "LAST_EVENTS[$3]" "LAST_LEAF[$3]"
  PURGED[$3]=$2
}
is_older() { # since, now, days
  local since now
  since=$(date -u -d "${1:0:19}Z" +%s 2>/dev/null) && now=$(date -u -d "${2:0:19}Z" +%s 2>/dev/null) && (( now - since >= $3 * 86400 ))
}
epoch_key() { vkey "$1" && [[ $KEY_NAME == "recount/$store/epoch/$2" ]] && echo "$1"; }

signatures() {
  local i n at end good=0 note
  if ! vkey "$LOG_VKEY" || [[ $KEY_NAME != "$LOG_ORIGIN" ]]; then found 34 "the genesis has no key of the log"; return; fi
  for note in ${signed[@]+"${signed[@]}"}; do
    note "$note"
    vkey "$LOG_VKEY"
    [[ $N_ORIGIN == "$LOG_ORIGIN" ]] && signed_by "$note" || found 34 "${note##*/} is not signed by the log's key"
  done
  if (( has_checkpoint )); then
    note "$folder/checkpoint"
    for (( i = 0; i < ${#epochs_at[@]}; i++ )); do
      at=${epochs_at[i]} end=$(( i + 1 < ${#epochs_at[@]} ? epochs_at[i + 1] + 1 : N_SIZE ))
      (( at < N_SIZE && N_SIZE <= end )) && [[ -n ${epochs_key[i]} ]] && vkey "${epochs_key[i]}" && signed_by "$folder/checkpoint" && good=1
    done
    (( good )) || found 35 "the checkpoint is not signed by the key of its epoch"
  fi
  for (( n = 0; n < ${#epochs_at[@]} - 1; n++ )); do
    if [[ -z ${notes[n]-} ]]; then found 35 "epoch $n has no last checkpoint"; continue; fi
    note "${notes[n]}"
    (( N_SIZE == epochs_at[n + 1] + 1 )) || found 35 "the note of epoch $n has not the size at which the epoch ended"
    i=$(( n + ${broken_off[n]-0} ))
    [[ -n ${epochs_key[i]} ]] && vkey "${epochs_key[i]}" && signed_by "${notes[n]}" || found 35 "the note of epoch $n is not signed by its own key"
  done
  for n in "${!notes[@]}"; do
    (( n + 1 >= ${#epochs_at[@]} )) && found 35 "a note says that epoch $n is over, and no leaf begins the next"
  done
}

# ---- a store ----------------------------------------------------------------------------------------------
# where the torn part of a segment begins; its length if nothing is torn
torn_start() { # file, same boot
  tr '\000\001' '\001\002' <"$1" | awk -v same="$2" -v len="$(wc -c <"$1")" '
    { start[NR] = at; nul[NR] = index($0, "\001") > 0; at += length($0) + 1; if (nul[NR] && first == "") first = start[NR] }
    END {
      n = NR; torn = len
      if (NR && at > len) { torn = start[n]; n-- }
      while (n > 0 && nul[n]) { torn = start[n]; n-- }
      if (!same && first != "" && first < torn) torn = first
      print torn
    }'
}

check_session() { # name
  UNSIGNED=()
  local name=$1 folder=$JOURNAL/sessions/$1 same=1 boot='' i line row at end before=0 first last torn rest
  local seq=0 head events=0 whole=1 next=0 broken='' began='' covered=0 seq_torn code content
  local -a found_=() seals=() segments=() lines=() table=()
  local -A gone=() seen=() here=()
  local -a orders=()
  head=$(genesis "$STORE_ID" "$name")
  (( HOLDS )) && mapfile -t seals < <(printf %s "${SEALS[$name]-}")
  [[ -f $folder/lock ]] && { read -r boot rest <"$folder/lock"; [[ $boot == "$(cat /proc/sys/kernel/random/boot_id 2>/dev/null)" ]] || same=0; }
  mapfile -t segments < <(segments_of "$folder")
  tree_new
  last=$(( ${#segments[@]} - 1 ))
  for (( i = 0; i <= last; i++ )); do
    local file=${segments[i]} size
    size=$(wc -c <"$file") at=0 end=0 torn=$(( size + 1 ))
    (( i == last )) && torn=$(torn_start "$file" "$same")
    mapfile -t lines < <(tr '\000' '\001' <"$file")
    mapfile -t table < <(rows <"$file")
    local k
    for (( k = 0; k < ${#lines[@]}; k++ )); do
      line=${lines[k]} row=${table[k]}
      if (( at + ${#line} >= size )); then # no LF behind it
        (( i < last )) && { found_+=("21 $seq $i $at"); head=''; }
        break
      fi
      if [[ $line == *$'\001'* ]] && (( i == last && torn <= at )) && (( $(tail -c "+$(( at + 1 ))" "$file" | head -c "${#line}" | tr -cd '\000' | wc -c) )); then break; fi
      judge "$line" "$row" "$i $at" $(( before + at + ${#line} + 1 )) && end=$(( at + ${#line} + 1 ))
      (( at += ${#line} + 1 ))
    done
    (( before += end ))
  done
  if (( last >= 0 && torn < size )); then
    seq_torn=''
    local -a kept=()
    for line in ${found_[@]+"${found_[@]}"}; do
      read -r code rest k at <<<"$line"
      if (( k == last && at >= torn )); then
        [[ -z $seq_torn ]] || (( rest < seq_torn )) && seq_torn=$rest
      else kept+=("$line"); fi
    done
    [[ -n $seq_torn ]] || seq_torn=$seq
    local sealed=0; (( ${#seals[@]} )) && read -r _ sealed _ <<<"${seals[-1]}"
    code=10
    if (( seq_torn < sealed )); then
      code=26
      (( $(tail -c "+$(( torn + 1 ))" "${segments[last]}" | head -c 65536 | tr -cd '\000' | wc -c) )) && code=20
    fi
    found_=(${kept[@]+"${kept[@]}"} "$code $seq_torn $last $torn")
  fi
  settle_erasures "$folder/erasing" ${segments[@]+"${segments[@]}"}
  local damaged=0 late=' '
  for line in ${found_[@]+"${found_[@]}"}; do read -r code rest _ <<<"$line"; (( code == 25 )) && late+="$rest "; done
  for line in ${found_[@]+"${found_[@]}"}; do
    read -r code rest _ <<<"$line"
    (( code == 24 )) && [[ $late == *" $rest "* ]] && code=25
    found "$code" "$name/$rest"
    (( code >= 20 )) && damaged=1
  done
  if (( ! damaged )); then
    [[ -z $broken ]] || found "$broken" "$name: not what was sealed"
    if (( ${#seals[@]} )); then
      read -r _ covered _ <<<"${seals[-1]}"
      (( covered > events )) && found 26 "$name: events that were sealed are gone"
    fi
  fi
  check_orders
  if (( ${#seals[@]} == 0 )) && [[ -n ${PURGED[$name]-} && ( -z $began || $began < ${PURGED[$name]} ) ]]; then return; fi
  if (( HOLDS && ${#seals[@]} == 0 )) && [[ -n $COVERS && -n $began && $began < $COVERS ]]; then found 30 "$name: no seal names it"; fi
}
lose() { found_+=("$1 $seq $2"); (( seq += 1 )); head=''; }
judge() { # line, row, place, end; true if it is a good event
  local name_ wrong blob bytes_
  taken "$2"
  if (( CODE == 0 )) && ! header_holds "$1"; then CODE=20; fi
  if (( CODE )); then lose "$CODE" "$3"; return 1; fi
  if [[ $SESSION != "$name" ]]; then found_+=("27 $seq $3"); return 1; fi
  if (( SEQ < seq )); then found_+=("25 $SEQ $3"); return 1; fi
  if (( SEQ > seq )); then found_+=("24 $seq $3"); seq=$SEQ head=''; fi
  if (( SEQ == 0 )) && [[ $STORE != "$STORE_ID" ]]; then lose 27 "$3"; return 1; fi
  if [[ -n $head && $PREV != "$head" ]]; then
    if (( SEQ == 0 )); then found_+=("27 0 $3"); else found_+=("20 $(( SEQ - 1 )) $3"); fi
  fi
  if ! members_hold "$1"; then lose 22 "$3"; return 1; fi
  seq=$(( SEQ + 1 )) head=$HASH
  (( events += 1 ))
  see "$4"
  local i_ own_=0
  [[ $KIND == audit.* ]] && own_=1
  here[$SEQ]=$HASH
  for (( i_ = 0; i_ < ${#MEMBERS[@]}; i_ += 8 )); do
    (( MEMBERS[i_ + 5] )) && gone[$SEQ/${MEMBERS[i_]}]="$HASH $own_ ${MEMBERS[i_ + 3]} ${MEMBERS[i_ + 6]} ${MEMBERS[i_ + 7]}"
  done
  [[ $KIND != audit.erased ]] || order_of "$1" "$3"
  while read -r blob bytes_; do
    [[ -n $blob && -z ${seen[$blob]-} ]] || continue
    seen[$blob]=1
    local file_=$JOURNAL/blobs/${blob:0:2}/$blob
    if [[ ! -f $file_ ]]; then found_+=("23 $SEQ $3")
    elif [[ $(wc -c <"$file_") != "$bytes_" || $(b3sum --no-names "$file_") != "$blob" ]]; then found_+=("22 $SEQ $3"); fi
  done < <(blobs "$1")
  return 0
}
# takes an order: "seq hash target basis its-target's-hash" and then "field value_at slot salt_at" for each field
order_of() { # line, place
  local what
  what=$(asked_of "$1")
  if [[ -z $what || $TARGET == - ]]; then found_+=("37 $SEQ $2"); return; fi
  orders+=("$SEQ $HASH $TARGET $what")
  lawful "$1" || UNSIGNED+=("$SEQ")
}
asked_of() { # an order's line: its basis and its target's hash, then "field value_at slot salt_at" for each field
  local i rest=''
  for (( i = 0; i < ${#MEMBERS[@]}; i += 8 )); do [[ ${MEMBERS[i]} == order ]] && rest=${1:MEMBERS[i + 3]:MEMBERS[i + 4]}; done
  jq -r 'def n: type == "number" and . >= 0 and floor == .;
    if (.hash | type) == "string" and (.basis | type) == "string" and (.fields | type) == "array"
      and (.fields | all((.field | type) == "string" and (.value_at | n) and (.slot_bytes | n) and (.salt_at | n)))
    then "\(.basis) \(.hash)", (.fields[] | "\(.field) \(.value_at) \(.slot_bytes) \(.salt_at)") else empty end' <<<"${rest:-null}" 2>/dev/null
}
# a signature that is there must hold; where it is said who may erase, there must be one of theirs
lawful() { # an order's line
  local i value signature='' by=''
  printf 'recount erase 1\nsession %s\ntarget %s\n' "$SESSION" "$TARGET" >"$TMP/statement"
  for (( i = 0; i < ${#MEMBERS[@]}; i += 8 )); do
    value=${1:MEMBERS[i + 3]:MEMBERS[i + 4]}
    [[ ${MEMBERS[i]} == by && $value == \"* ]] && by=$(jq -r . <<<"$value")
    if [[ ${MEMBERS[i]} == signature ]]; then signature=$value; else printf '%s %s\n' "${MEMBERS[i]}" "$value" >>"$TMP/statement"; fi
  done
  [[ $signature == \"* ]] || { [[ -z $SIGNERS ]]; return; }
  bytes "$(jq -r . <<<"$signature")" >"$TMP/erase.sig" 2>/dev/null
  canonical_armor "$TMP/erase.sig" && ssh_signed "$TMP/erase.sig" recount-erase "$TMP/statement" || return 1
  [[ -z $SIGNERS ]] || allowed "$TMP/erase.sig" recount-erase "$TMP/statement" "$by" "$TS"
}
settle_erasures() { # marker, segments
  local pending='' order first field value_at slot salt_at seq_ hash_ target basis of key wrong
  local -A named=()
  if [[ -f $1 ]]; then pending=$(pending_order "$@"); fi
  [[ -z $pending ]] || found_+=("10 $pending -1 0")
  for order in ${orders[@]+"${orders[@]}"}; do
    read -r seq_ hash_ target basis of <<<"${order%%$'\n'*}"
    [[ $order == *$'\n'* ]] || continue
    while read -r field value_at slot salt_at; do
      key=$target/$field wrong=0
      if [[ -n ${gone[$key]-} ]]; then
        [[ ${gone[$key]} == "$of 0 $value_at $slot $salt_at" ]] && (( target < seq_ )) || wrong=1
        unset "gone[$key]"
      elif [[ -z ${named[$key]-} && $seq_ != "$pending" ]]; then
        if (( target >= seq_ )) || [[ -n ${here[$target]-} ]]; then wrong=1; fi
      fi
      named[$key]=1
      (( wrong )) && found_+=("37 $seq_ -1 0")
    done <<<"${order#*$'\n'}"
  done
  for key in "${!gone[@]}"; do found_+=("23 ${key%%/*} 0 0"); done
}
pending_order() { # marker, segments: the sequence of an order that is not carried out yet
  local marker=$1 segment offset order file line; shift
  read -r segment offset order < <(jq -r '"\(.segment) \(.offset) \(.order)"' "$marker" 2>/dev/null) || return
  for file in "$@"; do
    [[ ${file##*/} == "$(printf %010d "$segment").ndjson" ]] || continue
    IFS= read -r line < <(tail -c "+$(( offset + 1 ))" "$file" 2>/dev/null) || return
    [[ $line == *"\"seq\":$order,"* ]] && echo "$order"
  done
}
check_orders() {
  local seq_ order hash_ target basis mirror_hash mirror_target mirror_basis mirror_order same
  for seq_ in ${UNSIGNED[@]+"${UNSIGNED[@]}"}; do found 37 "$name/$seq_: nobody signed it who may"; done
  (( HOLDS )) && [[ -z $broken && ${#found_[@]} == 0 ]] || return 0
  while read -r mirror_hash mirror_target mirror_basis mirror_order; do
    [[ -n $mirror_hash ]] || continue
    same=0
    for order in ${orders[@]+"${orders[@]}"}; do
      read -r seq_ hash_ target basis _ <<<"${order%%$'\n'*}"
      [[ "$hash_ $target $basis" == "$mirror_hash $mirror_target $mirror_basis" ]] && same=1
    done
    (( same )) || found 37 "$name/$mirror_order: not the order that the log mirrors"
  done <<<"${ERASED[$name]-}"
}
see() { # bytes of the session up to the event's end
  local events_ bytes_ head_ root_
  (( SEQ == 0 )) && began=$TS
  if (( ! whole || SEQ != SIZE )); then whole=0; return; fi
  leaf_hex "$HASH"
  tree_push "$H"
  (( next < ${#seals[@]} )) || return
  read -r _ events_ bytes_ head_ root_ <<<"${seals[next]}"
  (( events_ == SEQ + 1 )) || return
  (( next += 1 ))
  [[ -z $broken ]] || return
  tree_root
  if [[ $head_ != "$HASH" || $root_ != "$ROOT" ]] || (( $1 > bytes_ )); then broken=28
  elif (( $1 < bytes_ )); then broken=26; fi
}
segments_of() {
  local file base plain
  for file in "$1"/*.ndjson "$1"/*.ndjson.zst; do
    base=${file##*/} plain=${base%.zst}
    [[ -f $file && ${plain%.ndjson} =~ ^[0-9]{10,}$ && $plain == "$(printf %010d "$(( 10#${plain%.ndjson} ))").ndjson" ]] || continue
    if [[ $base == *.zst ]]; then
      [[ -f $1/$plain ]] && continue
      mkdir -p "$TMP/unpacked/${1##*/}"
      zstd -dcq "$file" >"$TMP/unpacked/${1##*/}/$plain" 2>/dev/null || printf '\0\n' >"$TMP/unpacked/${1##*/}/$plain"
      file=$TMP/unpacked/${1##*/}/$plain
    fi
    echo "$(( 10#${plain%.ndjson} )) $file"
  done | sort -n | cut -d' ' -f2-
}

verify_store() {
  JOURNAL=$1/journal
  local about name; local -A there=()
  about=$(jq -r 'if (.format | type) == "number" and .format > 1 then "newer" elif (.format | type) == "number" and (.store | type) == "string" and (.created | type) == "string" then .store else "bad" end' "$JOURNAL/STORE" 2>/dev/null) || return 4
  [[ $about == newer ]] && return 45
  [[ $about =~ ^[0-9a-fA-F]{32}$ ]] || return 4
  STORE_ID=$about
  check_log "$JOURNAL/log" "$STORE_ID" "$JOURNAL/STORE"
  if [[ $LOG == none && -n $PIN ]]; then
    if [[ -n $PIN_STORE && $PIN_STORE != "$STORE_ID" ]]; then found 12 "the pin is another store's"
    else found 32 "a pin is known, and the store has no log"; fi
  fi
  for name in "$JOURNAL"/sessions/*/; do
    name=${name%/} name=${name##*/}
    [[ $name =~ ^[a-z0-9][a-z0-9_-]{0,63}$ && -n $(segments_of "$JOURNAL/sessions/$name") ]] || continue
    there[$name]=1
    check_session "$name"
  done
  if (( HOLDS )); then
    for name in "${!SEALS[@]}"; do [[ -n ${there[$name]-} ]] || found 29 "$name: sealed, and gone"; done
  fi
  worst
}

# ---- a bundle ---------------------------------------------------------------------------------------------
is_plain() {
  [[ $1 =~ ^[A-Za-z0-9_-][A-Za-z0-9._-]*(/[A-Za-z0-9_-][A-Za-z0-9._-]*){0,3}$ ]]
}
# SSHSIG: armored file, namespace, message file; sets SIGNER to the key's fingerprint
ssh_signed() {
  local out
  out=$(ssh-keygen -Y check-novalidate -n "$2" -s "$1" <"$3" 2>/dev/null) || return 1
  SIGNER=${out##* }
  [[ $SIGNER == SHA256:* && ( $out == *' ED25519 '* || $out == *' ED25519-SK '* ) ]]
}
allowed() { # armored file, namespace, message file, principal, time
  local at=${5:0:4}${5:5:2}${5:8:2}${5:11:2}${5:14:2}${5:17:2}
  ssh-keygen -Y verify -f "$SIGNERS" -I "$4" -n "$2" -s "$1" -O verify-time="${at}Z" <"$3" >/dev/null 2>&1 ||
    ssh-keygen -Y verify -f "$SIGNERS" -I "$4" -n "$2" -s "$1" -O verify-time="$at" <"$3" >/dev/null 2>&1
}
canonical_armor() {
  local body
  body=$(sed -n '2,$p' "$1" | sed '$d' | tr -d '\n')
  unbase64 "$body" "$TMP/armor.raw" || return 1
  { echo '-----BEGIN SSH SIGNATURE-----'; fold -w70 <<<"$body"; echo '-----END SSH SIGNATURE-----'; } | cmp -s - "$1"
}

verify_bundle() {
  ROOT_FOLDER=$1
  cd "$1" || return 74
  local file name; local -A there=() listed=()
  while IFS= read -r -d '' file; do
    name=${file#./}
    if ! is_plain "$name"; then found 40 "no name of a file in a bundle"
    elif [[ -L $file || ( ! -f $file && ! -d $file ) ]]; then found 40 "$name is no plain file"
    elif [[ -f $file ]]; then there[$name]=1; fi
  done < <(find . -mindepth 1 -print0)
  if [[ -z ${there[MANIFEST.json]-} || -z ${there[MANIFEST.json.sig]-} ]]; then
    (( ${#FOUND[@]} )) || found 40 "no manifest, or no signature of it"
    worst; return
  fi
  if ! canonical_armor MANIFEST.json.sig || ! ssh_signed MANIFEST.json.sig recount-bundle MANIFEST.json; then
    found 34 "the manifest is not what was signed, or not for this purpose"
    worst; return
  fi
  BY=$SIGNER
  case $(jq -r '.predicateType // ""' MANIFEST.json) in
    https://recount/audit-bundle/v1) ;;
    https://recount/audit-bundle/*) found 45 "a bundle of a newer version"; worst; return ;;
    *) found 40 "not the manifest of a bundle"; worst; return ;;
  esac
  check_files
  (( ${#FOUND[@]} )) && { worst; return; }
  if ! jq -e '.predicate.claims | all(.claim | IN("range", "latest", "sessions", "header-filter", "text-filter"))' MANIFEST.json >/dev/null; then
    found 40 "a claim that this program does not know"; worst; return
  fi
  jq -e '.predicate.sessions | map(.session) | length == (unique | length)' MANIFEST.json >/dev/null || found 42 "the manifest lists a session twice"
  local principal created store newer
  { read -r principal; read -r PRINCIPAL_KEY; read -r created; read -r store; read -r BUNDLE; } < <(
    jq -r '.predicate | .exporter.principal, .exporter.key, .created, .store, .bundle' MANIFEST.json)
  [[ $PRINCIPAL_KEY == "$BY" ]] || found 34 "the manifest is signed by another key than the one it names"
  BY_LOG=0; [[ $principal == "recount/$store" ]] && BY_LOG=1
  if (( ! BY_LOG )) && [[ -n $SIGNERS ]]; then
    allowed MANIFEST.json.sig recount-bundle MANIFEST.json "$principal" "$created" || found 34 "the key that signed is not one of those that count"
  fi
  check_custody
  STORE_ID=$(jq -r 'if (.format | type) == "number" and (.store | type) == "string" then (if .format > 1 then "newer" else .store end) else "bad" end' STORE 2>/dev/null) || STORE_ID=bad
  [[ $STORE_ID == newer ]] && { found 45 "the store is of a newer format"; worst; return; }
  [[ $STORE_ID == bad ]] && { found 40 "STORE is not that of a store"; worst; return; }
  [[ $STORE_ID == "$store" ]] || found 42 "the manifest names another store"
  check_log log "$STORE_ID" STORE
  [[ $LOG == checked ]] || { found 31 "the bundle has no log"; worst; return; }
  (( HOLDS )) || { worst; return; }
  check_request
  : >"$TMP/erasures"; : >"$TMP/heads"
  local session leaf total full head_ hash_ none
  while IFS=$US read -r session leaf total full head_ hash_ none; do
    check_told "$session" "$leaf" "$total" "$full $head_ $hash_ $none"
  done < <(jq -r --arg us "$US" '.predicate.sessions[] | [.session, .leaf, .total, .full, .head, .hash, .none] | map(tostring) | join($us)' MANIFEST.json)
  (( ANY_DAMAGED )) || { check_summaries; check_claims; }
  worst
}

check_files() {
  local name size sha256 blake3 kind
  for name in MANIFEST.json MANIFEST.json.sig SHA256SUMS B3SUMS custody.ndjson; do listed[$name]=1; done
  while IFS=$US read -r name size sha256 blake3; do
    if ! is_plain "$name" || [[ -n ${listed[$name]-} ]]; then found 40 "a name twice, or one that bundles don't have"
    elif [[ -z ${there[$name]-} ]]; then found 40 "$name is missing"
    elif [[ $(wc -c <"$name") != "$size" || $(sha_of "$name") != "$sha256" || $(b3sum --no-names "$name") != "$blake3" ]]; then
      found 40 "$name is not what was signed"
    fi
    listed[$name]=1
  done < <(jq -r --arg us "$US" '.subject[] | [.name, (.annotations.size | tostring), .digest.sha256, .digest.blake3] | join($us)' MANIFEST.json)
  for name in "${!there[@]}"; do [[ -n ${listed[$name]-} ]] || found 40 "$name is not listed"; done
  for name in MANIFEST.json MANIFEST.json.sig SHA256SUMS B3SUMS custody.ndjson; do [[ -n ${there[$name]-} ]] || found 40 "$name is missing"; done
  for kind in sha256 blake3; do
    name=SHA256SUMS sha256=$(sha_of MANIFEST.json)
    [[ $kind == blake3 ]] && { name=B3SUMS; sha256=$(b3sum --no-names MANIFEST.json); }
    { jq -r ".subject[] | \"\(.digest.$kind)  \(.name)\"" MANIFEST.json; echo "$sha256  MANIFEST.json"; } | cmp -s - "$name" ||
      found 40 "$name does not list what the manifest lists"
  done
}

check_custody() {
  local prev line n=0 first='' good sig key by ts action
  prev=$(sha_of MANIFEST.json)
  if [[ ! -s custody.ndjson || -n $(tail -c1 custody.ndjson | tr -d '\n') ]]; then found 43 "the custody lines are not whole"; return; fi
  while IFS= read -r line; do
    (( n += 1 )); good=1
    sig=${line##*,\"sig\":\"} sig=${sig%\"\}}
    printf '%s}' "${line%,\"sig\":\"*}" >"$TMP/custody"
    { echo '-----BEGIN SSH SIGNATURE-----'; fold -w70 <<<"$sig"; echo '-----END SSH SIGNATURE-----'; } >"$TMP/custody.sig"
    { IFS= read -r by; IFS= read -r ts; IFS= read -r key; IFS= read -r action; } < <(jq -r '.by, .ts, .key, .action' <<<"$line" 2>/dev/null) || good=0
    # written as custody lines are: these members in this order, and compact
    jq -j -c 'if (keys - ["v","prev","ts","action","to","by","key"]) == [] and .v == 1 then ({v, prev, ts, action} + (if has("to") then {to} else {} end) + {by, key}) else null end' "$TMP/custody" 2>/dev/null | cmp -s - "$TMP/custody" || good=0
    [[ $line == *',"sig":"'"$sig"'"}' && $(jq -r .prev "$TMP/custody" 2>/dev/null) == "$prev" ]] || good=0
    unbase64 "$sig" "$TMP/custody.raw" || good=0
    if (( good )) && ssh_signed "$TMP/custody.sig" recount-custody "$TMP/custody" &&
      [[ $(ssh-keygen -lf - <<<"$key" 2>/dev/null | cut -d' ' -f2) == "$SIGNER" && $key == "${key%% *} "*([![:space:]]) ]]; then
      if (( n == 1 )) && [[ $action != exported ]]; then good=0; fi
      [[ -n $first ]] || first=$SIGNER
      if (( ! BY_LOG )) && [[ -n $SIGNERS ]]; then
        allowed "$TMP/custody.sig" recount-custody "$TMP/custody" "$by" "$ts" || good=0
      fi
    else good=0; fi
    (( good )) || found 43 "custody line $n does not hold"
    prev=$(printf %s "$line" | sha)
  done <custody.ndjson
  [[ -z $first || $first == "$PRINCIPAL_KEY" ]] || found 43 "the line of the export is signed by another key than the manifest"
}
shopt -s extglob

check_request() {
  local export id request by
  for export in ${EXPORTS[@]+"${EXPORTS[@]}"}; do
    IFS=$US read -r id request by <<<"$export"
    [[ $id == "$BUNDLE" ]] || continue
    [[ $by == "$BY" ]] || found 34 "the log names another signer for this bundle"
    if [[ $request != "$(sha_of request.json)" ]] || ! jq -e --slurpfile r request.json '.predicate.request == $r[0]' MANIFEST.json >/dev/null; then
      found 42 "the request is not the one that the log knows"
    fi
    return
  done
  found 42 "the log knows nothing of this bundle's request"
}

declare -A LEVELS_OF
ANY_DAMAGED=0
wrong() { DAMAGED=1 ANY_DAMAGED=1; found "$1" "$NAME: $2"; }
check_told() { # session, leaf, total, counts
  local leaf events head root rest row
  NAME=$1 DAMAGED=0 LEVELS='' BEFORE_SEQ='' BEFORE='' NEXT=0 STOP='' USED=0 HASHED=''
  local -a PROOF=() LINES=() TABLE=()
  local -A GONE=() ORDERS=()
  while read -r leaf events _ head root; do [[ $leaf == "$2" ]] && { rest=$root; break; }; done <<<"${SEALS[$1]-}"
  [[ ${leaf:-x} == "$2" ]] || { wrong 41 "its leaf is no seal of it"; return; }
  if [[ ! -f proofs/$1.pruned || ! -f events/$1.ndjson ]]; then wrong 41 "it has no proof, or no events"; return; fi
  mapfile -t PROOF <proofs/"$1".pruned
  for row in "${PROOF[@]:1}"; do [[ $row =~ ^([ex]|h\ [0-9a-f]{64})\ [1-9][0-9]*$ ]] || { wrong 41 "a row that proofs don't have"; return; }; done
  if [[ ${PROOF[0]-} != "recount pruned 1 $events" || -n $(tail -c1 proofs/"$1".pruned | tr -d '\n') ]]; then
    wrong 41 "the proof is not of as many events as the seal counts"; return
  fi
  PROOF=("${PROOF[@]:1}")
  mapfile -t LINES < <(tr '\000' '\001' <events/"$1".ndjson)
  mapfile -t TABLE < <(rows 1 <events/"$1".ndjson)
  if [[ -s events/$1.ndjson && -n $(tail -c1 events/"$1".ndjson | tr -d '\n') ]]; then TABLE[${#TABLE[@]}-1]=21 LINES[${#LINES[@]}-1]+=$'\001'; fi
  R=0
  range 0 "$events"
  if [[ -z $STOP ]]; then
    if (( R < ${#PROOF[@]} )); then wrong 41 "the proof has not the shape of its tree"
    elif [[ $HASHED != "$root" ]]; then wrong 41 "what is told does not lead to the root of the seal"
    elif (( NEXT < ${#LINES[@]} )); then wrong 41 "more is told than the proof counts"
    elif [[ -n $BEFORE_SEQ ]] && (( BEFORE_SEQ + 1 == events )) && [[ $BEFORE != "$head" ]]; then wrong 28 "its head is not the sealed one"; fi
  elif [[ $STOP == shape ]]; then wrong 41 "the proof has not the shape of its tree"; fi
  settle "$3" "$4"
  LEVELS_OF[$1]=$LEVELS
}
stop() { wrong "$1" "$2"; STOP=said; }
# the hash of leaves $1 to $2, in HASHED
range() {
  local low=$1 high=$2 kind hash count half left
  [[ -z $STOP ]] || return
  (( R < ${#PROOF[@]} )) || { STOP=shape; return; }
  read -r kind hash count <<<"${PROOF[R]}"
  [[ $kind == h ]] || count=$hash
  if [[ $kind == h ]] && (( count == high - low )); then
    (( R += 1 ))
    LEVELS+=$(printf '0%.0s' $(seq "$count"))
    HASHED=$hash
    return
  fi
  if [[ $kind == h ]] && (( count > high - low || high - low == 1 )); then STOP=shape; return; fi
  if (( high - low == 1 )); then
    (( USED += 1 ))
    (( USED == count )) && { (( R += 1 )); USED=0; }
    told_leaf "$low" "$kind"
    return
  fi
  half=1
  while (( half * 2 < high - low )); do (( half *= 2 )); done
  range "$low" $(( low + half )); left=$HASHED
  range $(( low + half )) "$high"
  [[ -z $STOP ]] && node "$left" "$HASHED" && HASHED=$H
}
told_leaf() { # seq, kind
  local line before='' i name blob bytes_ wrong_=0
  (( NEXT < ${#LINES[@]} )) || { stop 41 "$1 is not told"; return; }
  line=${LINES[NEXT]}
  if [[ $2 == x ]]; then
    if [[ ! $line =~ ^\{\"seq\":$1,\"hash\":\"([0-9a-f]{64})\"\}$ ]]; then stop 41 "not the line of the hash of $1"; return; fi
    (( NEXT += 1 ))
    LEVELS+=1 BEFORE_SEQ=$1 BEFORE=${BASH_REMATCH[1]}
    leaf_hex "$BEFORE"; HASHED=$H
    return
  fi
  taken "${TABLE[NEXT]}"
  (( NEXT += 1 ))
  (( CODE == 0 )) || { stop "$CODE" "$1 is no line"; return; }
  LEVELS+=$LEVEL
  if (( $1 == 0 )); then before=$(genesis "$STORE_ID" "$NAME"); elif [[ -n $BEFORE_SEQ ]] && (( BEFORE_SEQ + 1 == $1 )); then before=$BEFORE; fi
  if ! header_holds "$line"; then stop 20 "$1: header bytes do not match their hash"; return; fi
  if [[ $SESSION != "$NAME" ]]; then stop 27 "$1 belongs to another session"; return; fi
  if (( SEQ != $1 )); then stop 41 "another event stands in the place of $1"; return; fi
  if (( SEQ == 0 )) && [[ $STORE != "$STORE_ID" ]]; then stop 27 "it belongs to another store"; return; fi
  if [[ -n $before && $before != "$PREV" ]]; then stop 41 "$1 is not chained to the event before it"; return; fi
  BEFORE_SEQ=$1 BEFORE=$HASH
  printf '%s,"~level":%s}\n' "${line:0:HLEN}" "$LEVEL" >>"$TMP/heads"
  if (( LEVEL == 3 )); then
    name=$(erased | jq -R -s -c 'split("\n")[:-1]')
    [[ $name == '[]' ]] || GONE[$SEQ]=$name
    name=$(ordered "$line" | jq -R -s -c 'split("\n")[:-1]')
    [[ $name == '[]' ]] || ORDERS[$TARGET]+="{\"by\":$SEQ,\"names\":$name}"
    if [[ $KIND == audit.erased ]] && { [[ $TARGET == - || -z $(asked_of "$line") ]] || ! lawful "$line"; }; then
      wrong 37 "$1: an order that says not what to erase, or nobody signed who may"
    fi
    members_hold "$line" || wrong 22 "$1: a field does not match its commitment"
    while read -r blob bytes_; do
      [[ -n $blob ]] || continue
      if [[ ! -f blobs/${blob:0:2}/$blob ]]; then wrong 23 "$1: a blob is missing"
      elif [[ $(b3sum --no-names "blobs/${blob:0:2}/$blob") != "$blob" ]]; then wrong 22 "$1: a blob is another"; fi
    done < <(blobs "$line")
  fi
  leaf_hex "$HASH"; HASHED=$H
}
settle() { # total, counts
  local seq left level counts=''
  for seq in "${!GONE[@]}"; do
    jq -n -c --arg s "$NAME" --argjson seq "$seq" --argjson members "${GONE[$seq]}" --argjson orders "[$(sed 's/}{/},{/g' <<<"${ORDERS[$seq]-}")]" \
      '{session: $s, seq: $seq, members: $members, order: ([$orders[].by] | min)}' >>"$TMP/erasures"
    left=$(jq -n --argjson members "${GONE[$seq]}" --argjson orders "[$(sed 's/}{/},{/g' <<<"${ORDERS[$seq]-}")]" '$members - [$orders[].names[]] | length')
    (( left == 0 )) || wrong 23 "$seq: a field is gone, and no erase event names it"
  done
  for level in 3 2 1 0; do
    left=${LEVELS//[!$level]/}
    counts+="${#left} "
  done
  if (( ! DAMAGED )) && [[ ${counts% } != "$2" || ${#LEVELS} != "$1" ]]; then wrong 42 "the manifest counts other levels than are told"; fi
}

check_summaries() {
  jq -e --slurpfile e "$TMP/erasures" '(.predicate.erasures | sort) == ($e | sort)' MANIFEST.json >/dev/null ||
    found 42 "the erasures that the manifest lists are not those of the events"
  jq -n '[inputs | .redacted // {} | to_entries[]] | group_by(.key) | map({key: .[0].key, value: (map(.value) | add)}) | from_entries' "$TMP/heads" >"$TMP/redaction"
  jq -e --slurpfile r "$TMP/redaction" '.predicate.redaction == $r[0]' MANIFEST.json >/dev/null ||
    found 42 "the redactions that the manifest counts are not those of the headers"
  jq -j '.predicate.checkpoint' MANIFEST.json | cmp -s - log/checkpoint || found 42 "the checkpoint in the manifest is not that of the log"
}

check_claims() {
  local kind type good session from to level size s n=-1
  while IFS=$US read -r kind type session from to level size; do
    good=1; (( n += 1 ))
    if [[ $kind == text-filter ]]; then [[ $type == attested ]] || good=0; else [[ $type == proven ]] || good=0; fi
    case $kind in
      range)
        case $level in full) s='[!3]' ;; head) s='[!23]' ;; hash) s='[!123]' ;; *) s='[!0123]' ;; esac
        local levels=${LEVELS_OF[$session]-}
        if (( from > to || to >= ${#levels} )) || [[ ${levels:from:to-from+1} == *$s* ]]; then good=0; fi ;;
      latest)
        local newest=''; newest=$(printf %s "${SEALS[$session]-}" | tail -n1 | cut -d' ' -f1)
        [[ -n $newest && $newest == "$(jq -r --arg s "$session" '.predicate.sessions[] | select(.session == $s) | .leaf' MANIFEST.json)" && $size == "$LOG_SIZE" ]] || good=0 ;;
      sessions)
        (( to <= LOG_SIZE )) || good=0
        for s in "${!FIRST_SEAL[@]}"; do
          (( FIRST_SEAL[$s] >= from && FIRST_SEAL[$s] < to )) && [[ -z ${LEVELS_OF[$s]+x} ]] && good=0
        done ;;
      header-filter)
        while IFS= read -r s; do [[ -n ${LEVELS_OF[$s]+x} && ${LEVELS_OF[$s]} != *[01]* ]] || good=0; done < <(
          jq -r --argjson n "$n" '.predicate.claims[$n].sessions[]' MANIFEST.json)
        jq -n -e --argjson n "$n" --slurpfile m MANIFEST.json '
          def hex: "0123456789abcdef" as $d | [$d[(. / 16 | floor):(. / 16 | floor) + 1], $d[. % 16:. % 16 + 1]] | add;
          def enc: explode | map(if . >= 32 and . <= 126 and . != 34 and . != 92 and . != 37 then [.] | implode else "%" + hex end) | add // "";
          def shape: type == "string" and test("^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$");
          def values($n): if $n == "kind" then .kind, (.kind | split(".")[0] // "") elif $n == "agent" then .agent, .agent_id else .[$n] end;
          def matches($f): if $f == "everything" then true
            elif $f | has("all") then . as $h | all($f.all[]; . as $g | $h | matches($g))
            elif $f | has("any") then . as $h | any($f.any[]; . as $g | $h | matches($g))
            elif $f | has("not") then matches($f.not) | not
            elif $f | has("seq") then .seq >= $f.seq.from and ($f.seq.to == null or .seq <= $f.seq.to)
            elif $f | has("time") then (if .at | shape then .at else .ts end) as $at | ($f.time.from == null or $f.time.from <= $at) and ($f.time.to == null or $at <= $f.time.to)
            else [values($f.field.name) | strings | ascii_downcase] as $v | any($f.field.values[]; . as $w | ($w.text | enc) as $t | any($v[]; if $w.prefix then startswith($t) else . == $t end)) end;
          $m[0].predicate.claims[$n] as $c
          | all(inputs; . as $h | ($c.sessions | index($h.session)) == null or $h["~level"] == 3 or ($h | matches($c.filter) | not))' "$TMP/heads" >/dev/null || good=0 ;;
    esac
    (( good )) || found 42 "claim $kind does not hold"
  done < <(jq -r --arg us "$US" '.predicate.claims[] | [.claim, .type, .session // "-", .from // 0, .to // 0, .level // "-", .log_size // 0] | map(tostring) | join($us)' MANIFEST.json)
}

# ---- the command ------------------------------------------------------------------------------------------
FOLDER=. GIVEN=${RECOUNT_PIN-} SIGNERS=${RECOUNT_ALLOWED_SIGNERS-}
while (( $# )); do
  case $1 in
    --pin) GIVEN=${2-}; shift 2 || exit 2 ;;
    --allowed-signers) SIGNERS=${2-}; shift 2 || exit 2 ;;
    -*) sed -n '2,8p' "$0" >&2; exit 2 ;;
    *) FOLDER=$1; shift ;;
  esac
done
[[ -z $GIVEN ]] || read_pin "$GIVEN"
[[ -z $SIGNERS ]] || SIGNERS=$(realpath "$SIGNERS")
if [[ -e $FOLDER/journal/STORE ]]; then verify_store "$FOLDER"; else verify_bundle "$FOLDER"; fi
CODE=$?
case $CODE in 0) WORD=VERIFIED ;; 12) WORD=UNTRUSTED ;; 10|11|13) WORD=INCOMPLETE ;; 45) WORD=UNSUPPORTED ;; *) WORD=DAMAGED ;; esac
echo "$WORD $CODE"
exit "$CODE"
