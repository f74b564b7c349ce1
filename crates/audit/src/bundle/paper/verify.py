#!/usr/bin/env python3
"""Checks a bundle or a store of recount without recount.

    python3 verify.py [FOLDER] [--pin FILE|HEX] [--allowed-signers FILE]

FOLDER is the current one unless given. The pin may come as RECOUNT_PIN, the allowed signers as
RECOUNT_ALLOWED_SIGNERS. Exit codes are those of `recount verify`: 0 verified, 12 no pin, 20 and above damage.
Needs Python 3.8 and nothing else; the package `blake3`, if it is installed, makes it fast. Writes nothing.
"""
import base64, datetime, hashlib, json, os, re, stat, subprocess, sys

# ---- BLAKE3 -----------------------------------------------------------------------------------------------
try:
    from blake3 import blake3 as _fast
except ImportError:
    _fast = None
IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
ORDER = (2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8)
MIXES = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15), (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
START, END, PARENT, ROOT, CONTEXT, MATERIAL = 1, 2, 4, 8, 32, 64


def compress(cv, words, counter, size, flags):
    M = 0xFFFFFFFF
    v = list(cv) + list(IV[:4]) + [counter & M, counter >> 32, size, flags]
    m = words
    for turn in range(7):
        for i, (a, b, c, d) in enumerate(MIXES):
            va = (v[a] + v[b] + m[2 * i]) & M
            x = v[d] ^ va
            vd = (x >> 16 | x << 16) & M
            vc = (v[c] + vd) & M
            x = v[b] ^ vc
            vb = (x >> 12 | x << 20) & M
            va = (va + vb + m[2 * i + 1]) & M
            x = vd ^ va
            vd = (x >> 8 | x << 24) & M
            vc = (vc + vd) & M
            x = vb ^ vc
            v[a], v[b], v[c], v[d] = va, (x >> 7 | x << 25) & M, vc, vd
        if turn < 6:
            m = [m[i] for i in ORDER]
    return [v[i] ^ v[i + 8] for i in range(8)]


def words_of(block):
    block = block.ljust(64, b"\0")
    return [int.from_bytes(block[i:i + 4], "little") for i in range(0, 64, 4)]


def tree_hash(data, key, flags):
    def chunk(data, index, root):
        cv, blocks = key, [data[i:i + 64] for i in range(0, len(data), 64)] or [b""]
        for i, block in enumerate(blocks):
            f = flags | (START if i == 0 else 0)
            if i == len(blocks) - 1:
                f |= END | (ROOT if root else 0)
            cv = compress(cv, words_of(block), index, len(block), f)
        return cv

    def node(data, index, root):
        if len(data) <= 1024:
            return chunk(data, index, root)
        left = 1024 << ((len(data) - 1) // 1024).bit_length() - 1
        pair = node(data[:left], index, False) + node(data[left:], index + left // 1024, False)
        return compress(key, pair, 0, 64, flags | PARENT | (ROOT if root else 0))

    return b"".join(w.to_bytes(4, "little") for w in node(data, 0, True))


def b3(data):
    return _fast(data).hexdigest() if _fast else tree_hash(data, IV, 0).hex()


CONTEXTS = {}


def b3_derive(context, data):
    if _fast:
        return _fast(data, derive_key_context=context).hexdigest()
    if context not in CONTEXTS:
        CONTEXTS[context] = words_of(tree_hash(context.encode(), IV, CONTEXT))[:8]
    return tree_hash(data, CONTEXTS[context], MATERIAL).hex()


# ---- Ed25519, SSHSIG, signed notes ------------------------------------------------------------------------
P, L = 2 ** 255 - 19, 2 ** 252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def recover_x(y, sign):
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    return P - x if x & 1 != sign else x


def point(raw):
    y = int.from_bytes(raw, "little")
    x = recover_x(y & (1 << 255) - 1, y >> 255)
    y &= (1 << 255) - 1
    return None if x is None else (x, y, 1, x * y % P)


def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def times(n, p):
    q = (0, 1, 1, 0)
    while n:
        if n & 1:
            q = add(q, p)
        p, n = add(p, p), n >> 1
    return q


BASE = point(bytes.fromhex("58" + "66" * 31))


def ed25519(key, message, signature):
    if len(key) != 32 or len(signature) != 64:
        return False
    a, r, s = point(key), point(signature[:32]), int.from_bytes(signature[32:], "little")
    if a is None or r is None or s >= L or times(8, a)[0] % P == 0:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + key + message).digest(), "little") % L
    left, right = times(s, BASE), add(r, times(k, a))
    return (left[0] * right[2] - right[0] * left[2]) % P == 0 and (left[1] * right[2] - right[1] * left[2]) % P == 0


def unbase64(text):
    try:
        raw = base64.b64decode(text, validate=True)
    except Exception:
        return None
    return raw if base64.b64encode(raw).decode() == text else None


def is_key_name(name):
    return bool(name) and not re.search(r"[\s+\x00-\x1f\x7f-\x9f]", name)


class Key:
    """A `vkey`: <name>+<id>+<base64 of 01 and the key>; None if it is none."""

    @staticmethod
    def parse(vkey):
        parts = vkey.split("+", 2) if isinstance(vkey, str) else []
        raw = unbase64(parts[2]) if len(parts) == 3 else None
        if not raw or len(raw) != 33 or raw[0] not in (1, 4) or point(raw[1:]) is None or not is_key_name(parts[0]):
            return None
        key = Key()
        key.name, key.raw = parts[0], raw[1:]
        key.id = hashlib.sha256(key.name.encode() + b"\n" + raw).digest()[:4]
        return key if key.id.hex() == parts[1] else None


class Note:
    """A signed note and its checkpoint; None if it is none."""

    @staticmethod
    def parse(raw):
        try:
            whole = raw.decode("utf-8")
        except UnicodeDecodeError:
            return None
        if len(raw) > 65536 or re.search(r"[\x00-\x09\x0b-\x1f]", whole) or "\n\n" not in whole:
            return None
        note, (text, lines) = Note(), whole.rsplit("\n\n", 1)
        if not lines.endswith("\n"):
            return None
        note.text, note.signatures = text + "\n", []
        for line in lines[:-1].split("\n"):
            name, _, encoded = line[2:].partition(" ")
            raw = unbase64(encoded)
            if not line.startswith("\u2014 ") or raw is None or len(raw) < 5 or not is_key_name(name):
                return None
            note.signatures.append((name, raw[:4], raw[4:]))
        parts = note.text.split("\n")
        size, root = parts[1] if len(parts) > 1 else "", unbase64(parts[2]) if len(parts) > 2 else None
        if not parts[0] or not re.fullmatch(r"0|[1-9][0-9]{0,19}", size) or root is None or len(root) != 32:
            return None
        note.origin, note.size, note.root = parts[0], int(size), root
        return note

    def signed_by(self, key):
        mine = [s for name, kid, s in self.signatures if key and (name, kid) == (key.name, key.id)]
        return any(ed25519(key.raw, self.text.encode(), s) for s in mine)


def ssh_parts(raw):
    parts = []
    while raw:
        size = int.from_bytes(raw[:4], "big")
        if len(raw) < 4 + size:
            return None
        parts.append(raw[4:4 + size])
        raw = raw[4 + size:]
    return parts


def ssh_string(*parts):
    return b"".join(len(p).to_bytes(4, "big") + p for p in parts)


def sshsig(raw, namespace, message):
    """The key's blob, if this is its signature of the message for that purpose; else None."""
    if raw is None or raw[:10] != b"SSHSIG\0\0\0\1":
        return None
    parts = ssh_parts(raw[10:])
    if parts is None or len(parts) != 5 or parts[1] != namespace.encode() or parts[2] or parts[3] not in (b"sha256", b"sha512"):
        return None
    key, sig = ssh_parts(parts[0]), parts[4]
    text = b"SSHSIG" + ssh_string(parts[1], b"", parts[3], hashlib.new(parts[3].decode(), message).digest())
    if key and key[0] == b"ssh-ed25519" and len(key) == 2:
        sig = ssh_parts(sig)
    elif key and key[0] == b"sk-ssh-ed25519@openssh.com" and len(key) == 3 and len(sig) > 5:
        text = hashlib.sha256(key[2]).digest() + sig[-5:] + hashlib.sha256(text).digest()
        sig = ssh_parts(sig[:-5])
    else:
        return None
    good = sig and len(sig) == 2 and sig[0] == key[0] and ed25519(key[1], text, sig[1])
    return parts[0] if good else None


def unarmor(text):
    """The bytes of an armored signature that is written as it must be; else None."""
    lines = text.split("\n")
    if len(lines) < 4 or lines[0] != "-----BEGIN SSH SIGNATURE-----" or lines[-2:] != ["-----END SSH SIGNATURE-----", ""]:
        return None
    body = "".join(lines[1:-2])
    wrapped = [body[i:i + 70] for i in range(0, len(body), 70)]
    return unbase64(body) if wrapped == lines[1:-2] else None


def fingerprint(blob):
    return "SHA256:" + base64.b64encode(hashlib.sha256(blob).digest()).decode().rstrip("=")


def allowed_signers(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        line = line.strip()
        if not line or line.startswith("#"):
            continue
        match = re.fullmatch(r'(\S+)\s+((?:[a-z-]+="[^"]*",?)*)\s*(\S+)\s+(\S+)(?:\s.*)?', line)
        if not match:
            sys.exit("an allowed_signers line that is none") or 2
        options = dict(re.findall(r'([a-z-]+)="([^"]*)"', match[2]))
        rows.append((match[1], options, base64.b64decode(match[4])))
    return rows


def is_allowed(rows, key, principal, namespace, ts):
    def fits(patterns, text):
        return any(re.fullmatch(re.escape(p).replace(r"\*", ".*").replace(r"\?", "."), text) for p in patterns.split(","))

    at = re.sub(r"\D", "", ts[:19])
    moment = lambda text: text.rstrip("Z").ljust(14, "0")
    return any(blob == key and fits(names, principal) and fits(o.get("namespaces", "*"), namespace)
               and moment(o.get("valid-after", "0")) <= at and at < moment(o.get("valid-before", "9"))
               for names, o, blob in rows)


# ---- trees ------------------------------------------------------------------------------------------------
def leaf_hash(data):
    return hashlib.sha256(b"\0" + data).digest()


def node_hash(left, right):
    return hashlib.sha256(b"\1" + left + right).digest()


class Tree:
    """RFC 6962: the roots of whole subtrees, largest first."""

    def __init__(self):
        self.size, self.whole = 0, []

    def push(self, leaf):
        n = self.size
        while n & 1:
            leaf, n = node_hash(self.whole.pop(), leaf), n >> 1
        self.whole.append(leaf)
        self.size += 1

    def root(self):
        if not self.whole:
            return hashlib.sha256(b"").digest()
        root = self.whole[-1]
        for left in reversed(self.whole[:-1]):
            root = node_hash(left, root)
        return root


# ---- lines ------------------------------------------------------------------------------------------------
class Bad(Exception):
    """A line that is none: 21, or 45 for a newer one."""

    def __init__(self, code=21):
        self.code = code


NAME = r"[a-z][a-z0-9_]{0,63}"
FRAME = ("hash", "data", "salt")
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?")
STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"')
LONE = re.compile(r"[\ud800-\udfff]")
TS = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}Z")


def unquote(literal):
    text = json.loads(literal)
    if LONE.search(text):
        raise Bad()
    return text


def scan(text, at, depth=0):
    """Where a JSON value ends: strict, no key twice, no white space, depth 64."""
    c = text[at:at + 1]
    if c == '"':
        match = STRING.match(text, at)
        if not match:
            raise Bad()
        if "\\u" in match[0]:
            unquote(match[0])
        return match.end()
    if c in ("{", "[") and c:
        if depth >= 64:
            raise Bad()
        close, keys, at = ("}" if c == "{" else "]"), set(), at + 1
        if text[at:at + 1] == close:
            return at + 1
        while True:
            if c == "{":
                end = scan(text, at, 64)
                if text[at] != '"' or text[end:end + 1] != ":":
                    raise Bad()
                key = unquote(text[at:end])
                if key in keys:
                    raise Bad()
                keys.add(key)
                at = end + 1
            at = scan(text, at, depth + 1)
            if text[at:at + 1] == close:
                return at + 1
            if text[at:at + 1] != ",":
                raise Bad()
            at += 1
    for word in ("true", "false", "null"):
        if text.startswith(word, at):
            return at + len(word)
    match = NUMBER.match(text, at)
    if not match:
        raise Bad()
    if match[1] is None and match[2] is None:
        if abs(int(match[0])) >= 2 ** 53 or text[match.end():match.end() + 1].isdigit():
            raise Bad()
    elif float(match[0]) in (float("inf"), float("-inf")):
        raise Bad()
    return match.end()


def decode(text):
    """A header string; None if it is not written as header strings are."""
    if not re.fullmatch(r'(?:[ !#$&-\[\]-~]|%[0-9a-f]{2})*', text):
        return None
    raw = re.sub(rb"%([0-9a-f]{2})", lambda m: bytes([int(m[1], 16)]), text.encode())
    encoded = "".join(chr(b) if 32 <= b <= 126 and b not in b'"\\%' else "%%%02x" % b for b in raw)
    try:
        return raw.decode("utf-8") if encoded == text else None
    except UnicodeDecodeError:
        return None


def header_value(raw):
    """A header's value; None if headers don't have it."""
    def scalar(value):
        if isinstance(value, str):
            return decode(value)
        return value if isinstance(value, (bool, int)) else None

    if raw[0] == '"':
        return decode(raw[1:-1])
    if raw in ("true", "false"):
        return raw == "true"
    if raw[0] in "[{":
        value = json.loads(raw)
        if isinstance(value, list):
            value = [scalar(v) for v in value]
            return None if None in value else value
        if not all(re.fullmatch(NAME, k) and k not in FRAME for k in value):
            return None
        value = {k: scalar(v) for k, v in value.items()}
        return None if None in value.values() else value
    return int(raw) if re.fullmatch(r"-?[0-9]+", raw) and raw != "-0" else None


class Line:
    """One stored line, its shape checked byte by byte."""

    def __init__(self, raw, whole=True):
        end = raw[:8192 + 9].find(b',"hash":"')
        if end < 0 or not re.fullmatch(rb"[ -\[\]-~]*", raw[:end]):
            raise Bad()
        self.header = raw[:end].decode()
        match = re.match(r'\{"v":(0|[1-9][0-9]*)(?![0-9])', self.header)
        if not match or int(match[1]) >= 2 ** 53:
            raise Bad()
        if int(match[1]) > 1:
            raise Bad(45)
        match = re.match(r',"session":"([^"]*)","seq":(0|[1-9][0-9]*),"ts":"([^"]*)","kind":"([^"]*)"', self.header[match.end():])
        if not match or int(match[2]) >= 2 ** 53:
            raise Bad()
        self.session, self.seq, self.ts = match[1], int(match[2]), match[3]
        at = self.header.index('"kind":"') + 8 + len(match[4]) + 1
        self.kind, self.fields, names = decode(match[4]), {}, set()
        while not self.header.startswith(',"prev":"', at):
            field = re.compile(r',"(%s)":' % NAME).match(self.header, at)
            if not field or field[1] in FRAME:
                raise Bad()
            end_at = scan(self.header, field.end())
            value = header_value(self.header[field.end():end_at])
            if value is None or field[1] in names or field[1] in ("v", "session", "seq", "ts", "kind", "prev", "commit"):
                raise Bad()
            names.add(field[1])
            self.fields[field[1]], at = value, end_at
        match = re.compile(r',"prev":"([0-9a-f]{64})","commit":\{((?:"%s":"[0-9a-f]{64}",?)*)\}' % NAME).fullmatch(self.header, at)
        if not match or match[2].endswith(","):
            raise Bad()
        self.prev, self.commits = match[1], re.findall(r'"([a-z0-9_]+)":"([0-9a-f]{64})"', match[2])
        if match[2] != ",".join('"%s":"%s"' % pair for pair in self.commits):
            raise Bad()
        named = [name for name, _ in self.commits]
        if len(set(named)) != len(named) or set(named) & set(FRAME):
            raise Bad()
        self.hash = raw[end + 9:end + 73].decode("latin-1")
        if not re.fullmatch(r"[0-9a-f]{64}", self.hash) or self.kind is None or not TS.fullmatch(self.ts) \
                or not re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", self.session):
            raise Bad()
        self.members = []
        if whole:
            self.payload(raw, end + 73)

    def payload(self, raw, start):
        try:
            text, at = raw.decode("utf-8"), start

            def eat(part):
                nonlocal at
                if not text.startswith(part, at):
                    raise Bad()
                at += len(part)

            eat('","data":{')
            for i, (name, commit) in enumerate(self.commits):
                eat(("," if i else "") + '"%s":' % name)
                end = scan(text, at)
                value, self.places = text[at:end], getattr(self, "places", []) + [[at]]
                slot = re.compile(" *").match(text, end).end() - at
                self.members.append([name, commit, value, slot - len(value) + len(value.encode())])
                at += slot
            eat('},"salt":{')
            for i, member in enumerate(self.members):
                eat(("," if i else "") + '"%s":"' % member[0])
                self.places[i] += [member[3], at]
                salt, at = text[at:at + 32], at + 32
                eat('"')
                value, slot = member[2].encode(), member[3]
                gone = value == b"null" and salt == "0" * 32
                if not re.fullmatch(r"[0-9a-f]{32}", salt) or (salt == "0" * 32 and not gone) \
                        or (slot % 16 if gone else slot != -(-len(value) // 16) * 16):
                    raise Bad()
                member[3:] = [salt, gone]
            eat("}}")
        except UnicodeDecodeError:
            raise Bad()
        if at != len(text):
            raise Bad()
        self.text = text

    def slot(self, i):
        """Where a member stands, in bytes of the line."""
        value_at, slot, salt_at = self.places[i]
        return len(self.text[:value_at].encode()), slot, len(self.text[:salt_at].encode())

    def hash_matches(self):
        return b3_derive("recount v1 event", self.header.encode()) == self.hash

    def wrong_member(self):
        for name, commit, value, salt, gone in self.members:
            if not gone and b3_derive("recount v1 field", ("%s\n%s\n%s" % (salt, name, value)).encode()) != commit:
                return name
        return None

    def erased(self):
        return [member[0] for member in self.members if member[4]]

    def order(self):
        """What an erase order names: the event and its members."""
        target = self.fields.get("target")
        if self.kind != "audit.erased" or not isinstance(target, int) or not 0 <= target < self.seq:
            return None
        order = next((json.loads(m[2]) for m in self.members if m[0] == "order"), {})
        fields = order.get("fields", []) if isinstance(order, dict) else []
        names = [f if isinstance(f, str) else f.get("field") if isinstance(f, dict) else None for f in fields if True]
        return target, [name for name in names if isinstance(name, str)]

    def full_order(self):
        """What an `audit.erased` says: None if it does not say what to erase."""
        members = {m[0]: m[2] for m in self.members if not m[4]}
        target = self.fields.get("target")
        try:
            what = json.loads(members["order"])
            fields = [(f["field"], (f["value_at"], f["slot_bytes"], f["salt_at"])) for f in what["fields"]]
        except (KeyError, TypeError, ValueError):
            return None
        numbers = [n for _, slot in fields for n in slot] + [target]
        if not all(isinstance(n, int) and not isinstance(n, bool) and n >= 0 for n in numbers) \
                or not all(isinstance(t, str) for t in [what.get("hash"), what.get("basis")] + [name for name, _ in fields]):
            return None
        statement = "recount erase 1\nsession %s\ntarget %d\n" % (self.session, target)
        statement += "".join("%s %s\n" % (m[0], m[2]) for m in self.members if m[0] != "signature")
        try:
            signature, by = [json.loads(members[name]) if name in members else None for name in ("signature", "by")]
        except ValueError:
            return None
        return {"seq": self.seq, "own": self.hash, "target": target, "hash": what["hash"], "basis": what["basis"], "fields": fields,
                "statement": statement.encode(), "signature": signature if isinstance(signature, str) else None,
                "by": by if isinstance(by, str) else "", "ts": self.ts}

    def blobs(self):
        found = []

        def look(value):
            if isinstance(value, dict):
                blob = value.get("blob")
                if isinstance(blob, str) and re.fullmatch(r"b3:[0-9a-f]{64}", blob) and isinstance(value.get("bytes"), int) \
                        and not isinstance(value["bytes"], bool) and isinstance(value.get("media"), str):
                    found.append((blob[3:], value["bytes"]))
                else:
                    [look(v) for v in value.values()]
            elif isinstance(value, list):
                [look(v) for v in value]

        [look(json.loads(m[2])) for m in self.members if not m[4] and '"blob"' in m[2]]
        return found


def genesis(store, session):
    return b3_derive("recount v1 event", ("genesis\n%s\n%s" % (store, session)).encode())


def is_lawful(order, signers):
    """A signature that is there must hold; where it is said who may erase, there must be one of theirs."""
    if order["signature"] is None:
        return signers is None
    try:
        armor = bytes.fromhex(order["signature"]).decode("utf-8")
    except ValueError:
        return False
    key = sshsig(unarmor(armor), "recount-erase", order["statement"])
    return key is not None and (signers is None or is_allowed(signers, key, order["by"], "recount-erase", order["ts"]))


# ---- findings ---------------------------------------------------------------------------------------------
FOUND = []


def found(code, text):
    FOUND.append(code)
    print("%d %s" % (code, text), file=sys.stderr)


def worst():
    damage = [code for code in FOUND if code >= 20]
    return min(damage) if damage else next((code for code in (12, 13, 11, 10) if code in FOUND), 0)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
        return None


class Pin:
    def __init__(self, text):
        self.store, self.seen = None, None
        if re.fullmatch(r"[0-9a-f]{64}", text.strip()):
            self.id = text.strip()
            return
        head, gap, note = text.partition("\n\n")
        lines = head.split("\n") + ["", "", ""]
        if not gap or lines[0] != "recount pin 1" or not re.fullmatch("pin [0-9a-f]{64}", lines[2]):
            raise SystemExit(usage("not a pin"))
        self.store, self.id, self.seen = lines[1][6:], lines[2][4:], Note.parse(note.encode())


def usage(text):
    print(text, file=sys.stderr)
    return 2


# ---- the store log ----------------------------------------------------------------------------------------
LEAVES = {
    "genesis": "store origin store_file log_vkey epoch_vkey ts", "seal": "session #events #bytes head root previous status ts",
    "epoch": "#n vkey ts", "beat": "#sessions covers ts", "start": "#pid ts", "stop": "#pid ts",
    "reepoch": "#n vkey last ts", "restore": "store pin last ts", "anchor_failed": "how ts",
    "export": "bundle request by ts", "exported": "bundle manifest ts",
    "erased": "session #seq #order hash basis ts",
    "purge": "session #events head basis ticket ts", "hold": "session case ts", "release": "session case ts",
}
BASES = ("retention", "gdpr17", "secret", "court", "contract")


def leaf_of(line):
    """A leaf; 45 for a newer one, None for what is none."""
    try:
        leaf = json.loads(line.decode("utf-8"))
        version = leaf["v"]
    except (ValueError, TypeError, KeyError):
        return None
    number = lambda value: isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2 ** 64
    if not number(version):
        return None
    if version > 1:
        return 45
    shape = LEAVES.get(leaf.get("leaf")) if isinstance(leaf.get("leaf"), str) else None
    if shape is None:
        return None
    for name in shape.split():
        value = leaf.get(name.lstrip("#"))
        if not (number(value) if name[0] == "#" else isinstance(value, str)) or (name == "basis" and value not in BASES):
            return None
    return leaf


def is_older(since, now, days):
    """Whether so many days lie between two times; what cannot be read is too young."""
    try:
        at = [datetime.datetime(*(int(ts[a:b]) for a, b in ((0, 4), (5, 7), (8, 10), (11, 13), (14, 16), (17, 19)))) for ts in (since, now)]
    except ValueError:
        return False
    return at[1] - at[0] >= datetime.timedelta(days)


IMPRINTS = [bytes.fromhex(x) for x in ("3031300d060960864801650304020105000420", "302f300b06096086480165030402010420")]


class Log:
    """The leaves against every signed root, the epochs against their notes, all against the pin."""

    def __init__(self, folder, store, store_file, pin):
        self.size, self.holds, self.covers, self.seals, self.exports = 0, True, None, {}, []
        self.sealed, self.epochs, self.broken_off, self.held, self.purged = False, [], set(), set(), {}
        self.erased = {}
        raw = read(os.path.join(folder, "entries.ndjson")) or b""
        lines = raw.split(b"\n")[:-1]
        long = next((i for i, line in enumerate(lines) if len(line) > 65535), len(lines))
        lines = lines[:long]
        checkpoint = self.note(os.path.join(folder, "checkpoint"), "the checkpoint")
        notes = {}
        epochs = os.path.join(folder, "epochs")
        for name in sorted(os.listdir(epochs)) if os.path.isdir(epochs) else []:
            match = re.fullmatch(r"(0|[1-9][0-9]*)\.note", name)
            if match:
                note = self.note(os.path.join(epochs, name), "the note of epoch " + match[1])
                if note:
                    notes[int(match[1])] = note
        id_ = hashlib.sha256(lines[0]).hexdigest() if lines else ""
        if checkpoint is None and not notes and not FOUND:
            if len(lines) < 2:
                begun = pin and not pin.seen and lines and pin.id == id_
                self.none = not begun
                return
            found(34, "leaves and no checkpoint")
            self.none, self.sealed, self.holds = False, True, False
            return
        self.none, self.sealed = False, True
        if checkpoint is None and not FOUND:
            found(34, "the checkpoint is gone")
        witnessed = self.note(os.path.join(folder, "witnessed"), "the witnessed checkpoint")
        signed = [n for n in [checkpoint, witnessed] if n] + [notes[n] for n in sorted(notes)]
        signed += self.stamped(os.path.join(folder, "anchors"))
        self.leaves(lines, signed, pin.seen if pin and pin.id == id_ else None, store, store_file)
        self.signatures(checkpoint, notes, signed, store)
        if pin is None:
            found(12, "self-consistent, but no pin is known: this proves nothing about who wrote it")
        elif pin.id != id_:
            found(12, "the pin is another store's, or that of another log")

    def stamped(self, folder):
        """Checkpoints that were time-stamped; each response must be about its own (who made it, openssl says)."""
        stamped = []
        for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
            match = re.fullmatch(r"(0|[1-9][0-9]*)\.note", name)
            if not match:
                continue
            note = self.note(os.path.join(folder, name), "the stamped checkpoint of size " + match[1])
            stamped += [note] if note else []
            response = read(os.path.join(folder, match[1] + ".tsr"))
            raw = read(os.path.join(folder, name)) or b""
            ends = [response.index(i) + len(i) for i in IMPRINTS if i in response] if response is not None else []
            if response is not None and (not ends or response[ends[0]:ends[0] + 32] != hashlib.sha256(raw).digest()):
                found(36, "the time stamp of size %s is about another checkpoint" % match[1])
        return stamped

    def note(self, path, whose):
        raw = read(path)
        note = None if raw is None else Note.parse(raw)
        if raw is not None and note is None:
            found(34, whose + " is no signed note")
        if note:
            note.whose = whose
        return note

    def broken(self, text):
        self.holds = False
        found(31, text)

    def leaves(self, lines, signed, seen, store, store_file):
        wanted = sorted([(n.size, n.root, 31, n.whose) for n in signed] + ([(seen.size, seen.root, 33, "the pin")] if seen else []), key=lambda w: w[0])
        size, tree = max([n.size for n in signed], default=0), Tree()
        while wanted and wanted[0][0] == 0 and lines:
            wanted.pop(0)
        self.genesis, self.chains = None, {}
        for line in lines:
            if tree.size >= size and not wanted:
                break
            index = tree.size
            if index < size:
                self.leaf(index, line, store, store_file, tree)
            tree.push(leaf_hash(line))
            while wanted and wanted[0][0] == tree.size:
                _, root, code, whose = wanted.pop(0)
                if root != tree.root():
                    text = "the leaves do not hash to the root of " + whose
                    found(33, text) if code == 33 else self.broken(text)
        for at, _, code, whose in wanted:
            text = "%s saw size %d, the log has %d" % (whose, at, tree.size)
            found(32, text) if code == 33 else self.broken(text)
        self.size = min(size, tree.size)

    def leaf(self, index, line, store, store_file, tree):
        leaf = leaf_of(line)
        if leaf == 45:
            return found(45, "leaf %d is of a newer version" % index)
        if leaf is None:
            return self.broken("leaf %d is none" % index)
        kind = leaf["leaf"]
        if (index == 0) != (kind == "genesis"):
            return self.broken("the log begins with a genesis, and has no other")
        if kind == "genesis":
            self.genesis = leaf
            if leaf["store"] != store or leaf["origin"] != "recount/" + store:
                self.broken("the log is another store's")
            self.epochs.append((0, self.key(leaf["epoch_vkey"], "recount/%s/epoch/0" % store)))
            if hashlib.sha256(store_file).hexdigest() != leaf["store_file"]:
                found(20, "STORE is not what it was when the log began")
        elif kind == "seal":
            self.seal(index, leaf, line)
        elif kind == "restore":
            last = Note.parse(leaf["last"].encode())
            if last is None or last.origin != "recount/" + leaf["store"] or not re.fullmatch("[0-9a-f]{64}", leaf["pin"]):
                self.broken("leaf %d goes on from a store that it does not name" % index)
        elif kind in ("epoch", "reepoch"):
            if kind == "reepoch":
                last, lost = Note.parse(leaf["last"].encode()), self.epochs[-1][1] if self.epochs else None
                if last and lost and (last.size, last.root) == (index, tree.root()) and last.signed_by(lost):
                    self.broken_off.add(len(self.epochs) - 1)
                else:
                    found(35, "leaf %d breaks an epoch off, and not at its own last checkpoint" % index)
            if leaf["n"] != len(self.epochs):
                found(35, "epoch %d stands where %d belongs" % (leaf["n"], len(self.epochs)))
            key = self.key(leaf["vkey"], "recount/%s/epoch/%d" % (store, leaf["n"]))
            if key is None:
                found(35, "epoch %d has no key of its own" % leaf["n"])
            self.epochs.append((index, key))
        elif kind == "beat":
            self.covers = max(self.covers or "", leaf["covers"])
        elif kind == "export":
            self.exports.append(leaf)
        elif kind == "erased":
            if leaf["basis"] != "court" and any(held in (leaf["session"], "*") for held, _ in self.held):
                found(38, leaf["session"] + ": erased under a hold")
            self.erased.setdefault(leaf["session"], []).append(leaf)
        elif kind == "hold":
            self.held.add((leaf["session"], leaf["case"]))
        elif kind == "release":
            self.held.discard((leaf["session"], leaf["case"]))
        elif kind == "purge":
            self.purge(index, leaf)

    def purge(self, index, leaf):
        session, seals = leaf["session"], self.seals.pop(leaf["session"], None)
        self.chains.pop(session, None)
        self.erased.pop(session, None)
        if seals is None:
            return self.broken("leaf %d purges a session of which no seal is known" % index)
        if (seals[-1]["events"], seals[-1]["head"]) != (leaf["events"], leaf["head"]):
            self.broken("leaf %d does not purge the session as it was sealed last" % index)
        if leaf["basis"] != "court" and any(held in (session, "*") for held, _ in self.held):
            found(38, session + ": purged under a hold")
        elif leaf["basis"] == "retention" and not is_older(seals[-1]["ts"], leaf["ts"], 184):
            found(38, session + ": purged less than 184 days after its last seal")
        self.purged[session] = leaf["ts"]

    def key(self, vkey, name):
        key = Key.parse(vkey)
        return key if key and key.name == name else None

    def seal(self, index, leaf, line):
        if not all(re.fullmatch("[0-9a-f]{64}", leaf[name]) for name in ("head", "root")):
            return self.broken("leaf %d is a seal without head and root" % index)
        chain = self.seals.setdefault(leaf["session"], [])
        follows = leaf["previous"] == self.chains.get(leaf["session"], "0" * 64)
        grows = (chain[-1]["events"] if chain else 0) < leaf["events"]
        chain.append(dict(leaf, index=index))
        self.chains[leaf["session"]] = leaf_hash(line).hex()
        if not follows or not grows:
            self.broken("leaf %d does not follow the seal before it" % index)

    def signatures(self, checkpoint, notes, signed, store):
        if self.genesis is None:
            return
        origin = self.genesis["origin"]
        log_key = self.key(self.genesis["log_vkey"], origin)
        if log_key is None:
            return found(34, "the genesis has no key of the log")
        for note in signed:
            if note.origin != origin or not note.signed_by(log_key):
                found(34, note.whose + " is not signed by the log's key")
        if checkpoint:
            ends = [at + 1 for at, _ in self.epochs[1:]] + [2 ** 64]
            keys = [key for (at, key), end in zip(self.epochs, ends) if at < checkpoint.size <= end]
            if not any(key and checkpoint.signed_by(key) for key in keys):
                found(35, "the checkpoint is not signed by the key of its epoch")
        for n in range(len(self.epochs) - 1):
            note = notes.get(n)
            if note is None:
                found(35, "epoch %d has no last checkpoint" % n)
                continue
            if note.size != self.epochs[n + 1][0] + 1:
                found(35, note.whose + " has not the size at which the epoch ended")
            key = self.epochs[n + (n in self.broken_off)][1]
            if not (key and note.signed_by(key)):
                found(35, note.whose + " is not signed by that epoch's own key")
        for n in notes:
            if n + 1 >= len(self.epochs):
                found(35, "a note says that epoch %d is over, and no leaf begins the next" % n)


# ---- a store ----------------------------------------------------------------------------------------------
def torn_start(raw, same_boot):
    start = raw.rfind(b"\n") + 1
    while start > 0:
        before = raw.rfind(b"\n", 0, start - 1) + 1
        if b"\0" not in raw[before:start]:
            break
        start = before
    if not same_boot and b"\0" in raw:
        start = min(start, raw.rfind(b"\n", 0, raw.find(b"\0")) + 1)
    return start if start < len(raw) else None


class Session:
    """One session of a store: chain, commitments, blobs, and at each seal head, root and bytes."""

    def __init__(self, journal, store, name, seals):
        self.journal, self.store, self.name, self.seals = journal, store, name, seals
        self.found, self.events, self.began, self.tree, self.next = [], 0, None, Tree(), 0
        self.whole, self.broken, self.gone, self.orders, self.here, self.blobs = True, None, {}, [], {}, set()
        self.seq, self.head = 0, genesis(store, name)
        folder = os.path.join(journal, "sessions", name)
        lock = read(os.path.join(folder, "lock"))
        boot = (read("/proc/sys/kernel/random/boot_id") or b"").strip()
        self.same_boot = lock is None or lock.split(b" ")[0] == boot
        segments = segments_of(folder)
        before = 0
        for i, (first, raw) in enumerate(segments):
            last = i == len(segments) - 1
            before += self.segment(i, raw, last, before)
        if segments:
            self.tail(len(segments) - 1, segments[-1][1])
        self.erasures(read(os.path.join(folder, "erasing")), segments)
        late = {seq for code, seq, _ in self.found if code == 25}
        self.found = [(25 if code == 24 and seq in late else code, seq, at) for code, seq, at in self.found]

    def segment(self, index, raw, last, before):
        torn = torn_start(raw, self.same_boot) if last else None
        at, end = 0, 0
        while at < len(raw):
            lf = raw.find(b"\n", at)
            if lf < 0:
                if not last:
                    self.found.append((21, self.seq, (index, at)))
                    self.head = None
                break
            line = raw[at:lf]
            if b"\0" in line and torn is not None and torn <= at:
                break
            if self.line(line, (index, at), before + lf + 1):
                end = lf + 1
            at = lf + 1
        return end

    def line(self, raw, at, end):
        lost = None
        try:
            line = Line(raw)
            if not line.hash_matches():
                lost = 20
        except Bad as bad:
            lost = bad.code
        if lost:
            self.found.append((lost, self.seq, at))
            self.seq, self.head = self.seq + 1, None
            return False
        if line.session != self.name:
            self.found.append((27, self.seq, at))
            return False
        if line.seq < self.seq:
            self.found.append((25, line.seq, at))
            return False
        if line.seq > self.seq:
            self.found.append((24, self.seq, at))
            self.seq, self.head = line.seq, None
        if line.seq == 0 and line.fields.get("store") != self.store:
            return self.lose(27, at)
        if self.head is not None and line.prev != self.head:
            self.found.append((27 if line.seq == 0 else 20, max(line.seq - 1, 0), at))
        if line.wrong_member():
            return self.lose(22, at)
        self.seq, self.head, self.events = line.seq + 1, line.hash, self.events + 1
        self.see(line, end)
        for i, member in enumerate(line.members):
            if member[4]:
                self.gone[(line.seq, member[0])] = (line.hash, line.kind.startswith("audit."), line.slot(i), at)
        self.here[line.seq] = (line.hash, {m[0] for m in line.members if not m[4]})
        if line.kind == "audit.erased":
            order = line.full_order()
            self.orders.append(order) if order else self.found.append((37, line.seq, at))
        for blob, size in line.blobs():
            if blob not in self.blobs:
                self.blobs.add(blob)
                content = read(os.path.join(self.journal, "blobs", blob[:2], blob))
                if content is None or len(content) != size or b3(content) != blob:
                    self.found.append((23 if content is None else 22, line.seq, at))
        return True

    def erasures(self, marker, segments):
        """Each erased member has an order, and each order what it orders; one under way is unfinished (10)."""
        pending = None
        try:
            marker = json.loads(marker) if marker else None
            raw = dict(segments).get(marker["segment"], b"") if marker else b""
            line = raw[marker["offset"]:raw.find(b"\n", marker["offset"])] if marker else b""
            pending = Line(line).seq if marker and Line(line).seq == marker["order"] else None
        except (KeyError, TypeError, ValueError, Bad):
            pending = None
        if pending is not None:
            self.found.append((10, pending, (-1, 0)))
        named = set()
        for order in self.orders:
            for name, slot in order["fields"]:
                key, wrong = (order["target"], name), False
                if key in self.gone:
                    hash_, own, there, _ = self.gone.pop(key)
                    wrong = order["target"] >= order["seq"] or own or (hash_, there) != (order["hash"], slot)
                elif key not in named and order["seq"] != pending:
                    here = self.here.get(order["target"])
                    wrong = order["target"] >= order["seq"] or here is not None
                named.add(key)
                if wrong:
                    self.found.append((37, order["seq"], (-1, 0)))
        self.found += [(23, seq, gone[3]) for (seq, _), gone in self.gone.items()]

    def check_orders(self, mirrors, signers):
        """Signatures of erasers, and what the log mirrors of their orders."""
        clean = not self.found and not self.broken
        for order in self.orders:
            if not is_lawful(order, signers):
                found(37, "%s/%d: nobody signed it who may" % (self.name, order["seq"]))
        for leaf in mirrors if clean else []:
            same = [o for o in self.orders if (o["own"], o["target"], o["basis"]) == (leaf["hash"], leaf["seq"], leaf["basis"])]
            if not same:
                found(37, "%s/%d: not the order that the log mirrors" % (self.name, leaf["order"]))

    def lose(self, code, at):
        self.found.append((code, self.seq, at))
        self.seq, self.head = self.seq + 1, None
        return False

    def see(self, line, end):
        if line.seq == 0:
            self.began = line.ts
        if not self.whole or line.seq != self.tree.size:
            self.whole = False
            return
        self.tree.push(leaf_hash(bytes.fromhex(line.hash)))
        if self.next < len(self.seals) and self.seals[self.next]["events"] == line.seq + 1:
            seal, self.next = self.seals[self.next], self.next + 1
            if self.broken is None:
                if seal["head"] != line.hash or seal["root"] != self.tree.root().hex() or end > seal["bytes"]:
                    self.broken = 28
                elif end < seal["bytes"]:
                    self.broken = 26

    def tail(self, index, raw):
        start = torn_start(raw, self.same_boot)
        if start is None:
            return
        inside = [f for f in self.found if f[2][0] == index and f[2][1] >= start]
        self.found = [f for f in self.found if f not in inside]
        sealed = self.seals[-1]["events"] if self.seals else 0
        seq = min([f[1] for f in inside], default=self.seq)
        code = 10 if seq >= sealed else 20 if b"\0" in raw[start:start + 65536] else 26
        self.found.append((code, seq, (index, start)))

    def report(self):
        for code, seq, _ in self.found:
            found(code, "%s/%d" % (self.name, seq))
        if not any(code >= 20 for code, _, _ in self.found):
            if self.broken:
                found(self.broken, self.name + ": not what was sealed")
            if self.seals and self.seals[-1]["events"] > self.events:
                found(26, self.name + ": events that were sealed are gone")


def segments_of(folder):
    names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
    firsts = {}
    for name in names:
        match = re.fullmatch(r"([0-9]{10,})\.ndjson(\.zst)?", name)
        if match and "%010d" % int(match[1]) == match[1]:
            firsts.setdefault(int(match[1]), []).append(name)
    segments = []
    for first in sorted(firsts):
        path = os.path.join(folder, min(firsts[first], key=len))
        if path.endswith(".zst"):
            out = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE)
            segments.append((first, out.stdout if out.returncode == 0 else b"\0\n"))
        else:
            segments.append((first, read(path)))
    return segments


def verify_store(root, pin, signers):
    journal = os.path.join(root, "journal")
    store_file = read(os.path.join(journal, "STORE"))
    try:
        about = json.loads(store_file)
        store, version = about["store"], about["format"]
        if isinstance(version, int) and version > 1:
            return 45
        if not re.fullmatch("[0-9a-fA-F]{32}", store) or not isinstance(about["created"], str):
            return 4
    except (ValueError, TypeError, KeyError):
        return 4
    log = Log(os.path.join(journal, "log"), store, store_file, pin)
    if log.none:
        log.seals, log.size = {}, 0
        if pin:
            other = pin.store is not None and pin.store != store
            found(12 if other else 32, "the pin is another store's" if other else "a pin is known, and the store has no log")
    sessions = os.path.join(journal, "sessions")
    there = [s for s in sorted(os.listdir(sessions)) if re.fullmatch(r"[a-z0-9][a-z0-9_-]{0,63}", s) and segments_of(os.path.join(sessions, s))]
    for name in there:
        seals = log.seals.get(name, []) if log.holds else []
        session = Session(journal, store, name, seals)
        session.report()
        session.check_orders(log.erased.get(name, []) if log.holds else [], signers)
        if not seals and name in log.purged and (session.began is None or session.began < log.purged[name]):
            continue
        if not seals and log.holds and log.covers is not None and session.began and session.began < log.covers:
            found(30, name + ": no seal names it")
    if log.holds:
        for name in sorted(set(log.seals) - set(there)):
            found(29, name + ": sealed, and gone")
    return worst()


# ---- a bundle ---------------------------------------------------------------------------------------------
BESIDE = ["MANIFEST.json", "MANIFEST.json.sig", "SHA256SUMS", "B3SUMS", "custody.ndjson"]
LEVELS = ["none", "hash", "head", "full"]


def is_plain(name):
    return name.count("/") < 4 and all(re.fullmatch(r"[A-Za-z0-9_-][A-Za-z0-9._-]*", part) for part in name.split("/"))


def list_files(root, below=""):
    names = []
    for entry in os.scandir(os.path.join(root, below)):
        name = below + entry.name
        if not is_plain(name):
            found(40, repr(name) + " is no name of a file in a bundle")
        elif entry.is_dir(follow_symlinks=False):
            names += list_files(root, name + "/")
        elif entry.is_file(follow_symlinks=False):
            names.append(name)
        else:
            found(40, name + " is no plain file")
    return names


def verify_bundle(root, pin, signers):
    names = list_files(root)
    get = lambda name: read(os.path.join(root, name))
    manifest, signature = get("MANIFEST.json"), get("MANIFEST.json.sig")
    if manifest is None or signature is None:
        if not FOUND:
            found(40, "no manifest, or no signature of it")
        return worst()
    signed_by = sshsig(unarmor(signature.decode("latin-1")), "recount-bundle", manifest)
    if signed_by is None:
        found(34, "the manifest is not what was signed, or not for this purpose")
        return worst()
    try:
        return verify_manifest(root, names, get, manifest, signed_by, pin, signers)
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError):
        found(40, "MANIFEST.json is not the manifest of a bundle")
        return worst()


def verify_manifest(root, names, get, manifest, signed_by, pin, signers):
    statement = json.loads(manifest)
    kind = statement.get("predicateType", "")
    if kind != "https://recount/audit-bundle/v1":
        found(45 if kind.startswith("https://recount/audit-bundle/") else 40, "not the manifest of a bundle that this program reads")
        return worst()
    check_files(root, names, statement["subject"], manifest, get)
    if FOUND:
        return worst()
    about = statement["predicate"]
    if any(claim["claim"] not in ("range", "latest", "sessions", "header-filter", "text-filter") for claim in about["claims"]):
        found(40, "a claim that this program does not know")
        return worst()
    check_signer(about, signed_by, signers)
    check_custody(get("custody.ndjson"), manifest, about, signers)
    store_file = get("STORE")
    try:
        store = json.loads(store_file)["store"]
        if json.loads(store_file)["format"] > 1:
            found(45, "the store is of a newer format")
            return worst()
    except (ValueError, TypeError, KeyError):
        found(40, "STORE is not that of a store")
        return worst()
    if store != about["store"]:
        found(42, "the manifest names another store")
    log = Log(os.path.join(root, "log"), store, store_file, pin)
    if log.none or not log.sealed:
        found(31, "the bundle has no log")
        return worst()
    if not log.holds:
        return worst()
    check_request(log, about, signed_by, get("request.json"))
    if len({part["session"] for part in about["sessions"]}) < len(about["sessions"]):
        found(42, "the manifest lists a session twice")
    told = {part["session"]: Told(root, store, part, log, about, signers) for part in about["sessions"]}
    if not any(t.damaged for t in told.values()):
        check_sums(about, told, get("log/checkpoint"))
        check_claims(about, told, log)
    return worst()


def check_files(root, names, subject, manifest, get):
    listed = set(BESIDE)
    for one in subject:
        name, size = one["name"], one["annotations"]["size"]
        path = os.path.join(root, name)
        if not is_plain(name) or name in listed:
            found(40, "the manifest lists a name twice, or one that bundles don't have")
        elif name not in names:
            found(40, name + " is missing")
        elif os.path.getsize(path) != size or hashlib.sha256(get(name)).hexdigest() != one["digest"]["sha256"] \
                or b3(get(name)) != one["digest"]["blake3"]:
            found(40, name + " is not what was signed")
        listed.add(name)
    for name in set(names) - listed:
        found(40, name + " is not listed")
    for name in set(BESIDE) - set(names):
        found(40, name + " is missing")
    rows = [(one["digest"], one["name"]) for one in subject]
    rows.append(({"sha256": hashlib.sha256(manifest).hexdigest(), "blake3": b3(manifest)}, "MANIFEST.json"))
    for name, kind in (("SHA256SUMS", "sha256"), ("B3SUMS", "blake3")):
        text = get(name)
        if text is not None and text != "".join("%s  %s\n" % (digest[kind], file) for digest, file in rows).encode():
            found(40, name + " does not list what the manifest lists")


def check_signer(about, signed_by, signers):
    exporter, by_log = about["exporter"], about["exporter"]["principal"] == "recount/" + about["store"]
    if exporter["key"] != fingerprint(signed_by):
        found(34, "the manifest is signed by another key than the one it names")
    if not by_log and signers is not None and not is_allowed(signers, signed_by, exporter["principal"], "recount-bundle", about["created"]):
        found(34, "the key that signed is not one of those that count")


def check_custody(raw, manifest, about, signers):
    by_log = about["exporter"]["principal"] == "recount/" + about["store"]
    prev, first = hashlib.sha256(manifest).hexdigest(), None
    if not raw or not raw.endswith(b"\n"):
        return found(43, "the custody lines are not whole lines of text")
    for at, line in enumerate(raw[:-1].split(b"\n")):
        step = custody_line(line, prev)
        if step is None or (at == 0 and step["action"] != "exported"):
            found(43, "custody line %d does not hold" % (at + 1))
        else:
            key = base64.b64decode(step["key"].split(" ")[1])
            first = first or fingerprint(key)
            if signers is not None and not by_log and not is_allowed(signers, key, step["by"], "recount-custody", step["ts"]):
                found(43, "the key of custody line %d is a stranger's" % (at + 1))
        prev = hashlib.sha256(line).hexdigest()
    if first is not None and first != about["exporter"]["key"]:
        found(43, "the line of the export is signed by another key than the manifest")


def custody_line(line, prev):
    signed, gap, sig = line.rpartition(b',"sig":"')
    try:
        step = json.loads(line.decode("utf-8"))
        names = [n for n in ("v", "prev", "ts", "action", "to", "by", "key", "sig") if n in step]
        again = json.dumps({n: step[n] for n in names if n != "sig"}, ensure_ascii=False, separators=(",", ":"))
        if not gap or step["v"] != 1 or step["prev"] != prev or list(step) != names or again.encode() != signed + b"}" or sig != step["sig"].encode() + b'"}':
            return None
        key = sshsig(unbase64(step["sig"]), "recount-custody", signed + b"}")
        blob = unbase64(step["key"].split(" ")[1])
        return step if key is not None and key == blob and step["key"] == ssh_parts(blob)[0].decode() + " " + base64.b64encode(blob).decode() else None
    except (ValueError, KeyError, IndexError, TypeError, AttributeError):
        return None


def check_request(log, about, signed_by, request):
    export = next((leaf for leaf in log.exports if leaf["bundle"] == about["bundle"]), None)
    if export is None:
        return found(42, "the log knows nothing of this bundle's request")
    if export["by"] != fingerprint(signed_by):
        found(34, "the log names another signer for this bundle")
    if export["request"] != hashlib.sha256(request).hexdigest() or json.loads(request) != about["request"]:
        found(42, "the request is not the one that the log knows")


class Told:
    """One session of a bundle: its pruned tree under its seal, and every line that is told."""

    def __init__(self, root, store, part, log, about, signers):
        self.signers = signers
        self.name, self.store, self.levels, self.hidden = part["session"], store, [], set()
        self.redaction, self.gone, self.orders, self.before, self.damaged = {}, {}, [], None, False
        self.root_folder = root
        self.filters = {i: c["filter"] for i, c in enumerate(about["claims"]) if c["claim"] == "header-filter" and self.name in c["sessions"]}
        seal = next((s for s in log.seals.get(self.name, []) if s["index"] == part["leaf"]), None)
        if seal is None:
            return self.wrong(41, "its leaf is no seal of it")
        proof = read(os.path.join(root, "proofs", self.name + ".pruned"))
        lines = read(os.path.join(root, "events", self.name + ".ndjson"))
        rows = self.rows(proof)
        if rows is None or lines is None:
            return self.wrong(41, "it has no proof, or no events")
        if rows[0] != seal["events"]:
            return self.wrong(41, "the proof is not of as many events as the seal counts")
        self.lines = lines.split(b"\n")
        if self.lines[-1]:
            self.lines[-1] += b"\0"
        else:
            self.lines.pop()
        self.rows_left, self.used, self.at = rows[1], 0, 0
        try:
            tree = self.range(0, rows[0]) if rows[0] else hashlib.sha256(b"").digest()
            if self.rows_left:
                raise Shape()
        except Shape:
            self.wrong(41, "the proof has not the shape of its tree")
            return self.settle(part)
        except Stop:
            return self.settle(part)
        if tree.hex() != seal["root"]:
            self.wrong(41, "what is told does not lead to the root of the seal")
        elif self.at < len(self.lines):
            self.wrong(41, "more is told than the proof counts")
        elif self.before and self.before[0] + 1 == seal["events"] and self.before[1] != seal["head"]:
            self.wrong(28, "its head is not the sealed one")
        self.settle(part)

    def wrong(self, code, text):
        self.damaged = True
        found(code, "%s: %s" % (self.name, text))

    def rows(self, raw):
        text = (raw or b"").decode("latin-1")
        match = re.match(r"recount pruned 1 (0|[1-9][0-9]*)\n", text)
        if not match or not re.fullmatch(r"((e|x) [1-9][0-9]*\n|h [0-9a-f]{64} [1-9][0-9]*\n)*", text[match.end():]):
            return None
        rows = [line.split(" ") for line in text[match.end():].split("\n")[:-1]]
        return int(match[1]), [(r[0], int(r[-1]), r[1]) for r in rows]

    def range(self, low, high):
        if not self.rows_left:
            raise Shape()
        kind, count, hash_ = self.rows_left[0]
        if kind == "h" and count == high - low:
            self.rows_left.pop(0)
            self.levels += [0] * count
            return bytes.fromhex(hash_)
        if kind == "h" and (count > high - low or high - low == 1):
            raise Shape()
        if high - low == 1:
            self.used += 1
            if self.used == count:
                self.rows_left.pop(0)
                self.used = 0
            return leaf_hash(bytes.fromhex(self.leaf(low, kind)))
        middle = low + (1 << (high - low - 1).bit_length() - 1)
        left = self.range(low, middle)
        return node_hash(left, self.range(middle, high))

    def stop(self, code, text):
        self.wrong(code, text)
        raise Stop()

    def leaf(self, seq, kind):
        if self.at >= len(self.lines):
            self.stop(41, "%d is not told" % seq)
        raw, self.at = self.lines[self.at], self.at + 1
        if kind == "x":
            match = re.fullmatch(rb'\{"seq":%d,"hash":"([0-9a-f]{64})"\}' % seq, raw)
            if not match:
                self.stop(41, "not the line of the hash of %d" % seq)
            self.levels.append(1)
            self.before = (seq, match[1].decode())
            return self.before[1]
        try:
            line, level = self.parse(raw)
        except Bad as bad:
            self.stop(bad.code, "%d is no line" % seq)
        self.levels.append(level)
        before = genesis(self.store, self.name) if seq == 0 else self.before[1] if self.before and self.before[0] + 1 == seq else None
        if not line.hash_matches():
            self.stop(20, "%d: header bytes do not match their hash" % seq)
        if line.session != self.name:
            self.stop(27, "%d belongs to another session" % seq)
        if line.seq != seq:
            self.stop(41, "another event stands in the place of %d" % seq)
        if seq == 0 and line.fields.get("store") != self.store:
            self.stop(27, "it belongs to another store")
        if before is not None and before != line.prev:
            self.stop(41, "%d is not chained to the event before it" % seq)
        self.tell(line, level)
        self.before = (seq, line.hash)
        return line.hash

    def parse(self, raw):
        try:
            line = Line(raw, whole=False)
            if raw == ('%s,"hash":"%s"}' % (line.header, line.hash)).encode():
                return line, 2
        except Bad:
            pass
        return Line(raw), 3

    def tell(self, line, level):
        counts = line.fields.get("redacted")
        for kind, count in counts.items() if isinstance(counts, dict) else []:
            self.redaction[kind] = self.redaction.get(kind, 0) + count
        if level < 3:
            self.hidden |= {i for i, filter_ in self.filters.items() if matches(filter_, line)}
            return
        if line.erased():
            self.gone[line.seq] = line.erased()
        if line.order():
            self.orders.append((line.seq,) + line.order())
        if line.kind == "audit.erased" and not (line.full_order() and is_lawful(line.full_order(), self.signers)):
            self.wrong(37, "%d: an order that says not what to erase, or nobody signed who may" % line.seq)
        for _ in filter(None, [line.wrong_member()]):
            self.wrong(22, "%d: a field does not match its commitment" % line.seq)
        for blob, _ in line.blobs():
            content = read(os.path.join(self.root_folder, "blobs", blob[:2], blob))
            if content is None or b3(content) != blob:
                self.wrong(23 if content is None else 22, "%d: a blob is not there, or another" % line.seq)

    def settle(self, part):
        self.erasures = []
        for seq, members in self.gone.items():
            orders = [(by, names) for by, target, names in self.orders if target == seq]
            if any(not any(member in names for _, names in orders) for member in members):
                self.wrong(23, "%d: a field is gone, and no erase event names it" % seq)
            self.erasures.append({"session": self.name, "seq": seq, "members": members, "order": min([by for by, _ in orders], default=None)})
        told = [self.levels.count(n) for n in (3, 2, 1, 0)]
        if not self.damaged and (told != [part[k] for k in ("full", "head", "hash", "none")] or part["total"] != sum(told)):
            self.wrong(42, "the manifest counts other levels than are told")


class Shape(Exception):
    pass


class Stop(Exception):
    pass


def matches(filter_, line):
    if filter_ == "everything":
        return True
    (kind, body), = filter_.items()
    if kind == "all":
        return all(matches(f, line) for f in body)
    if kind == "any":
        return any(matches(f, line) for f in body)
    if kind == "not":
        return not matches(body, line)
    if kind == "seq":
        return body["from"] <= line.seq and (body["to"] is None or line.seq <= body["to"])
    if kind == "time":
        at = line.fields.get("at")
        at = at if isinstance(at, str) and TS.fullmatch(at) else line.ts
        return (body["from"] is None or body["from"] <= at) and (body["to"] is None or at <= body["to"])
    name, field = body["name"], line.fields.get
    values = {"session": [line.session], "kind": [line.kind, line.kind.split(".")[0]], "agent": [field("agent"), field("agent_id")]}.get(name, [field(name)])
    lower = [re.sub("[A-Z]+", lambda m: m[0].lower(), v) for v in values if isinstance(v, str)]
    return any(v.startswith(w["text"]) if w["prefix"] else v == w["text"] for v in lower for w in body["values"])


def check_sums(about, told, checkpoint):
    key = lambda e: (e["session"], e["seq"], e["members"], -1 if e["order"] is None else e["order"])
    erasures = sorted((e for t in told.values() for e in getattr(t, "erasures", [])), key=key)
    if sorted(about["erasures"], key=key) != erasures:
        found(42, "the erasures that the manifest lists are not those of the events")
    redaction = {}
    for t in told.values():
        for kind, count in t.redaction.items():
            redaction[kind] = redaction.get(kind, 0) + count
    if redaction != about["redaction"]:
        found(42, "the redactions that the manifest counts are not those of the headers")
    if checkpoint != about["checkpoint"].encode():
        found(42, "the checkpoint in the manifest is not that of the log")


def check_claims(about, told, log):
    leaf = {part["session"]: part["leaf"] for part in about["sessions"]}
    for i, claim in enumerate(about["claims"]):
        kind, good = claim["claim"], claim["type"] == ("attested" if claim["claim"] == "text-filter" else "proven")
        if kind == "range":
            levels = told[claim["session"]].levels if claim["session"] in told else []
            least, low, high = LEVELS.index(claim["level"]), claim["from"], claim["to"]
            good = good and low <= high < len(levels) and all(n >= least for n in levels[low:high + 1])
        elif kind == "latest":
            seals = log.seals.get(claim["session"], [])
            good = good and bool(seals) and seals[-1]["index"] == leaf.get(claim["session"]) and claim["log_size"] == log.size
        elif kind == "sessions":
            opened = {s for s, seals in log.seals.items() if claim["from"] <= seals[0]["index"] < claim["to"]}
            good = good and opened <= set(told) and claim["to"] <= log.size
        elif kind == "header-filter":
            good = good and all(s in told and i not in told[s].hidden and all(n >= 2 for n in told[s].levels) for s in claim["sessions"])
        if not good:
            found(42, "claim %s does not hold" % kind)


# ---- the command ------------------------------------------------------------------------------------------
def main(arguments):
    root, given, signers = ".", os.environ.get("RECOUNT_PIN"), os.environ.get("RECOUNT_ALLOWED_SIGNERS")
    while arguments:
        word = arguments.pop(0)
        if word in ("--pin", "--allowed-signers") and arguments:
            value = arguments.pop(0)
            given, signers = (value, signers) if word == "--pin" else (given, value)
        elif word.startswith("-"):
            return usage(__doc__)
        else:
            root = word
    pin = None
    if given:
        text = given if re.fullmatch("[0-9a-f]{64}", given) else open(given, encoding="utf-8").read()
        pin = Pin(text)
    if os.path.exists(os.path.join(root, "journal", "STORE")):
        code = verify_store(root, pin, allowed_signers(signers) if signers else None)
    else:
        code = verify_bundle(root, pin, allowed_signers(signers) if signers else None)
    print({0: "VERIFIED", 12: "UNTRUSTED", 4: "DAMAGED", 45: "UNSUPPORTED"}.get(code, "DAMAGED" if code >= 20 else "INCOMPLETE"), code)
    return code


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except OSError as error:
        print(error, file=sys.stderr)
        sys.exit(74)
