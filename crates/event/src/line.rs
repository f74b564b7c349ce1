//! Reading a line: its exact shape, its header, its payload members and where their bytes stand.
//!
//! ```text
//! {"v":1,"session":…,"seq":…,"ts":…,"kind":… · other members · ,"prev":"…","commit":{…},"hash":"…","data":{…},"salt":{…}}
//! └──────────────────────────────── header ─────────────────────────────────────────┘└ hash ┘└──────── payload ────────┘
//! ```

mod known;

use std::borrow::Cow;
use std::sync::LazyLock;

use memchr::memmem::Finder;
use serde_json::{Map, Number, Value};

use crate::encode::{is_commitment, is_event_hash};
use crate::escape::{decode, is_header_byte};
use crate::json::scan_value;
use crate::names::{is_lower_hex, is_member_name};
use crate::{FORMAT, MAX_HEADER_BYTES, SLOT_BYTES};

const HASH_START: &[u8] = b",\"hash\":\"";
static HASH: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new(HASH_START));
const DATA_START: &str = "\",\"data\":{";
const SALT_START: &str = "},\"salt\":{";
const ERASED_SALT: &str = "00000000000000000000000000000000";

/// Why bytes are not a line.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum LineError {
    /// The bytes do not have the shape of a line.
    #[error("{what} at byte {offset}")]
    Malformed {
        /// What is wrong.
        what: &'static str,
        /// Byte offset in the line.
        offset: usize,
    },
    /// A line of a newer format.
    #[error("format {version} is newer than this build, which reads up to {FORMAT}")]
    Newer {
        /// Its `v`.
        version: u64,
    },
}

/// A header member that the format does not fix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field<'a> {
    /// Its key.
    pub name: &'a str,
    /// Its value as written (strings encoded, quotes included).
    pub raw: &'a str,
}

/// A payload member and where its bytes stand in the line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its commitment, 64 hex digits.
    pub commit: &'a str,
    /// Its JSON value, without padding.
    pub value: &'a str,
    /// Offset of the value in the line.
    pub value_at: usize,
    /// Length of value and padding.
    pub slot_bytes: usize,
    /// Its salt, 32 hex digits.
    pub salt: &'a str,
    /// Offset of the salt's digits in the line.
    pub salt_at: usize,
}

/// One line, checked for shape; [`Line::hash_matches`] and [`Member::matches`] check the hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'a> {
    /// The session id.
    pub session: &'a str,
    /// The sequence.
    pub seq: u64,
    /// When it was recorded.
    pub ts: &'a str,
    /// The kind, encoded.
    pub kind: &'a str,
    /// Every other header member, `store`, `origin` and `key` among them.
    pub fields: Vec<Field<'a>>,
    /// Hash of the line before.
    pub prev: &'a str,
    /// Hash of this line.
    pub hash: &'a str,
    /// The payload.
    pub members: Vec<Member<'a>>,
    header: &'a str,
}

impl Member<'_> {
    /// True when the member was erased: `null` and a salt of zeros.
    pub fn is_erased(&self) -> bool {
        self.salt == ERASED_SALT && self.value == "null"
    }

    /// True when the value is what the header commits to.
    pub fn matches(&self) -> bool {
        is_commitment(self.name, self.salt, self.value, self.commit)
    }
}

impl Field<'_> {
    /// The value decoded; `None` only for what [`Line::parse`] would refuse.
    pub fn value(&self) -> Option<Value> {
        field_value(self.raw)
    }

    /// The decoded text of a string field.
    pub fn text(&self) -> Option<Cow<'_, str>> {
        decode(self.raw.strip_prefix('"')?.strip_suffix('"')?)
    }
}

impl<'a> Line<'a> {
    /// Checks the shape of a whole line (without its LF) and takes it apart.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, LineError> {
        let (mut line, commits, rest) = Self::parse_head(bytes)?;
        line.members = payload(bytes, rest, &commits)?;
        Ok(line)
    }

    /// The header alone: for scans that need no payload and verify nothing.
    pub fn head(bytes: &'a [u8]) -> Result<Self, LineError> {
        Self::parse_head(bytes).map(|(line, _, _)| line)
    }

    /// The header bytes: what the chain hashes.
    pub fn header(&self) -> &'a str {
        self.header
    }

    /// True when `hash` is the hash of the header bytes.
    pub fn hash_matches(&self) -> bool {
        is_event_hash(self.header.as_bytes(), self.hash)
    }

    /// A header field by name.
    pub fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// A string header field by name, decoded.
    pub fn text(&self, name: &str) -> Option<Cow<'_, str>> {
        self.field(name).and_then(Field::text)
    }

    fn parse_head(bytes: &'a [u8]) -> Result<(Self, Vec<Commit<'a>>, usize), LineError> {
        let end = HASH
            .find(&bytes[..bytes.len().min(MAX_HEADER_BYTES + HASH_START.len())])
            .ok_or(LineError::Malformed { what: "no hash after the header", offset: 0 })?;
        let is_odd = |b: u8| !matches!(b, 0x20..=0x7e) || b == b'\\';
        // without an exit in the middle, many bytes are looked at at once
        if bytes[..end].iter().fold(false, |odd, &b| odd | is_odd(b)) {
            let offset = bytes.iter().position(|&b| is_odd(b)).unwrap_or(0);
            return Err(LineError::Malformed { what: "a byte that headers don't have", offset });
        }
        let header = ascii(&bytes[..end]);
        let mut at = Cursor { text: header, at: 0 };
        at.eat("{\"v\":")?;
        let version = at.integer()?;
        if version > FORMAT {
            return Err(LineError::Newer { version });
        }
        at.eat(",\"session\":\"")?;
        let session = at.until_quote()?;
        at.eat(",\"seq\":")?;
        let seq = at.integer()?;
        at.eat(",\"ts\":\"")?;
        let ts = at.until_quote()?;
        at.eat(",\"kind\":\"")?;
        let kind = at.until_quote()?;
        let fields = at.fields()?;
        at.eat(",\"prev\":\"")?;
        let prev = at.hex(64)?;
        at.eat("\",\"commit\":{")?;
        let commits = at.commits()?;
        let hash_at = end + HASH_START.len();
        let hash = hex_at(bytes, hash_at, 64)?;
        let line = Self { session, seq, ts, kind, fields, prev, hash, members: Vec::new(), header };
        line.check_fixed()?;
        Ok((line, commits, hash_at + 64))
    }

    fn check_fixed(&self) -> Result<(), LineError> {
        let bad = |what| Err(LineError::Malformed { what, offset: 0 });
        if crate::SessionId::new(self.session).is_err() {
            return bad("the session id does not fit its grammar");
        }
        if !is_timestamp(self.ts) {
            return bad("ts is not RFC 3339 UTC with six fraction digits");
        }
        if decode(self.kind).is_none() {
            return bad("the kind is not encoded as headers are");
        }
        if self.stands_twice() {
            return bad("a header key stands twice");
        }
        Ok(())
    }

    fn stands_twice(&self) -> bool {
        // a name whose mark is new is new; only the others are compared
        let mut marks = FIXED.iter().fold(0, |marks, name| marks | mark(name));
        let fields = self.fields.iter().enumerate();
        fields.into_iter().any(|(at, field)| {
            let maybe = marks & mark(field.name) != 0;
            marks |= mark(field.name);
            let before = || self.fields[..at].iter().map(|before| before.name).chain(FIXED);
            maybe && before().any(|name| name == field.name)
        })
    }
}

/// Keys that every header has.
const FIXED: [&str; 7] = ["v", "session", "seq", "ts", "kind", "prev", "commit"];

/// One bit of 64 by what a name looks like.
fn mark(name: &str) -> u64 {
    let bytes = name.as_bytes();
    let edge = |byte: Option<&u8>| byte.copied().map_or(0, u32::from);
    let sum = edge(bytes.first()) + 3 * edge(bytes.last()) + 5 * edge(bytes.get(bytes.len() / 2));
    1 << ((sum + 11 * u32::from(bytes.len().to_le_bytes()[0])) % 64)
}

fn payload<'a>(bytes: &'a [u8], start: usize, commits: &[Commit<'a>]) -> Result<Vec<Member<'a>>, LineError> {
    let text = std::str::from_utf8(bytes)
        .map_err(|e| LineError::Malformed { what: "not UTF-8", offset: e.valid_up_to() })?;
    let mut at = Cursor { text, at: start };
    at.eat(DATA_START)?;
    let mut members = Vec::with_capacity(commits.len());
    for (index, &(name, commit)) in commits.iter().enumerate() {
        at.key(index, name)?;
        let value_at = at.at;
        let end = scan_value(text, value_at)
            .map_err(|e| LineError::Malformed { what: e.what, offset: e.offset })?;
        at.at = end;
        at.spaces();
        let (value, slot_bytes) = (&text[value_at..end], at.at - value_at);
        members.push(Member { name, commit, value, value_at, slot_bytes, salt: "", salt_at: 0 });
    }
    at.eat(SALT_START)?;
    for (index, member) in members.iter_mut().enumerate() {
        at.key(index, member.name)?;
        at.eat("\"")?;
        member.salt_at = at.at;
        member.salt = at.hex(32)?;
        at.eat("\"")?;
        check_slot(member)?;
    }
    at.eat("}}")?;
    if at.at == text.len() { Ok(members) } else { at.fail("something stands after the line") }
}

/// Padding is the fewest spaces that fit; an erased slot keeps its length.
fn check_slot(member: &Member<'_>) -> Result<(), LineError> {
    let fewest = member.value.len().next_multiple_of(SLOT_BYTES);
    let fits = if member.is_erased() {
        member.slot_bytes.is_multiple_of(SLOT_BYTES)
    } else {
        member.slot_bytes == fewest
    };
    let zero_salt = member.salt == ERASED_SALT && member.value != "null";
    if fits && !zero_salt {
        Ok(())
    } else {
        Err(LineError::Malformed { what: "a slot is not padded as slots are", offset: member.value_at })
    }
}

fn ascii(bytes: &[u8]) -> &str {
    // checked by the caller: printable ASCII only
    std::str::from_utf8(bytes).unwrap_or_default()
}

fn hex_at(bytes: &[u8], at: usize, count: usize) -> Result<&str, LineError> {
    let text = bytes.get(at..at + count).and_then(|b| std::str::from_utf8(b).ok());
    text.filter(|t| is_lower_hex(t))
        .ok_or(LineError::Malformed { what: "expected lower-case hex", offset: at })
}

/// `YYYY-MM-DDTHH:MM:SS.ffffffZ`
fn is_timestamp(text: &str) -> bool {
    const SHAPE: &[u8] = b"0000-00-00T00:00:00.000000Z";
    text.len() == SHAPE.len()
        && text.bytes().zip(SHAPE).all(|(b, s)| if *s == b'0' { b.is_ascii_digit() } else { b == *s })
}

/// A member's name and its commitment.
type Commit<'a> = (&'a str, &'a str);

struct Cursor<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Cursor<'a> {
    fn rest(&self) -> &'a str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn fail<T>(&self, what: &'static str) -> Result<T, LineError> {
        Err(LineError::Malformed { what, offset: self.at })
    }

    fn eat(&mut self, part: &str) -> Result<(), LineError> {
        if self.rest().starts_with(part) {
            self.at += part.len();
            Ok(())
        } else {
            self.fail("not the shape of a line")
        }
    }

    fn take(&mut self, len: usize) -> &'a str {
        let part = &self.rest()[..len];
        self.at += len;
        part
    }

    fn spaces(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start_matches(' ').len();
    }

    fn integer(&mut self) -> Result<u64, LineError> {
        let rest = self.rest();
        let len = rest.bytes().take_while(u8::is_ascii_digit).count();
        let digits = &rest[..len];
        let fits = len > 0 && (len == 1 || !digits.starts_with('0'));
        match digits.parse::<u64>() {
            Ok(n) if fits && n < 1 << 53 => {
                self.at += len;
                Ok(n)
            }
            _ => self.fail("expected an integer under 2^53"),
        }
    }

    fn until_quote(&mut self) -> Result<&'a str, LineError> {
        let Some(len) = self.rest().find('"') else { return self.fail("a string does not end") };
        let text = self.take(len);
        self.at += 1;
        Ok(text)
    }

    fn hex(&mut self, count: usize) -> Result<&'a str, LineError> {
        match self.rest().get(..count).filter(|t| is_lower_hex(t)) {
            Some(_) => Ok(self.take(count)),
            None => self.fail("expected lower-case hex"),
        }
    }

    /// `"name":` with a comma in front unless it is the first.
    fn key(&mut self, index: usize, name: &str) -> Result<(), LineError> {
        if index > 0 {
            self.eat(",")?;
        }
        self.eat("\"")?;
        self.eat(name)?;
        self.eat("\":")
    }

    fn name(&mut self) -> Result<&'a str, LineError> {
        self.eat("\"")?;
        let start = self.at;
        let name = self.until_quote()?;
        if is_member_name(name) {
            return Ok(name);
        }
        self.at = start;
        self.fail("a key that lines don't have")
    }

    fn fields(&mut self) -> Result<Vec<Field<'a>>, LineError> {
        let mut fields = Vec::with_capacity(16);
        while !self.rest().starts_with(",\"prev\":\"") {
            self.eat(",")?;
            let name = self.name()?;
            self.eat(":")?;
            let start = self.at;
            let end = scan_value(self.text, start)
                .map_err(|e| LineError::Malformed { what: e.what, offset: e.offset })?;
            self.at = end;
            let raw = &self.text[start..end];
            if !is_field_value(raw) {
                self.at = start;
                return self.fail("a value that headers don't have");
            }
            fields.push(Field { name, raw });
        }
        Ok(fields)
    }

    /// The rest of the header: `"name":"<64 hex>",…}`.
    fn commits(&mut self) -> Result<Vec<Commit<'a>>, LineError> {
        let mut commits: Vec<(&str, &str)> = Vec::new();
        while self.rest() != "}" {
            if !commits.is_empty() {
                self.eat(",")?;
            }
            let name = self.name()?;
            if commits.iter().any(|(known, _)| *known == name) {
                return self.fail("a member is committed twice");
            }
            self.eat(":\"")?;
            let commit = self.hex(64)?;
            self.eat("\"")?;
            commits.push((name, commit));
        }
        Ok(commits)
    }
}

/// True for what [`field_value`] makes a value of, without making it: every line that is read comes by here.
fn is_field_value(raw: &str) -> bool {
    match raw.as_bytes() {
        [b'{', pairs @ .., b'}'] if is_plain_flat(pairs) => true,
        [b'[' | b'{', ..] => field_value(raw).is_some(),
        [b'"', text @ .., b'"'] if text.iter().all(|byte| is_header_byte(*byte)) => true,
        [b'"', ..] => scalar_value(raw).is_some(),
        b"true" | b"false" => true,
        [b'1'..=b'9', digits @ ..] if digits.len() < 18 && digits.iter().all(u8::is_ascii_digit) => true,
        _ => scalar_value(raw).is_some(),
    }
}

/// True for `"name":"text"` and `"name":12`, separated by commas, which is how nearly every object in a header looks.
fn is_plain_flat(pairs: &[u8]) -> bool {
    let mut names: Vec<&[u8]> = Vec::new();
    let mut rest = pairs;
    loop {
        let Some((name, value)) = plain_pair(rest) else { return false };
        if names.contains(&name) {
            return false;
        }
        names.push(name);
        match value {
            [] => return true,
            [b',', more @ ..] => rest = more,
            _ => return false,
        }
    }
}

/// The name of the first pair, and what stands behind its value.
fn plain_pair(pairs: &[u8]) -> Option<(&[u8], &[u8])> {
    let name = pairs.strip_prefix(b"\"")?;
    let (name, rest) = name.split_at(name.iter().position(|byte| *byte == b'"')?);
    std::str::from_utf8(name).ok().filter(|name| is_member_name(name))?;
    let rest = rest.strip_prefix(b"\":")?;
    let rest = match rest {
        [b'"', text @ ..] => {
            let end = text.iter().position(|byte| !is_header_byte(*byte))?;
            text[end..].strip_prefix(b"\"")?
        }
        [b'1'..=b'9', digits @ ..] => {
            let end = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(digits.len());
            (end < 15).then(|| &digits[end..])?
        }
        [b'0', more @ ..] => Some(more).filter(|more| more.first().is_none_or(|byte| *byte == b','))?,
        _ => return None,
    };
    Some((name, rest))
}

/// A header value: a string, an integer, a boolean, or a flat array or object of them.
pub(crate) fn field_value(raw: &str) -> Option<Value> {
    match raw.as_bytes().first()? {
        b'[' | b'{' => flat_value(serde_json::from_str(raw).ok()?),
        _ => scalar_value(raw),
    }
}

fn scalar_value(raw: &str) -> Option<Value> {
    match raw {
        "true" => Some(Value::Bool(true)),
        "false" => Some(Value::Bool(false)),
        "-0" => None,
        _ => match raw.strip_prefix('"').and_then(|r| r.strip_suffix('"')) {
            Some(text) => decode(text).map(|t| Value::String(t.into_owned())),
            None => raw.parse::<i64>().ok().map(|n| Value::Number(Number::from(n))),
        },
    }
}

fn flat_value(value: Value) -> Option<Value> {
    let scalar = |value: Value| match value {
        Value::String(text) => decode(&text).map(|t| Value::String(t.into_owned())),
        Value::Number(ref n) if n.is_i64() || n.is_u64() => Some(value),
        Value::Bool(_) => Some(value),
        _ => None,
    };
    match value {
        Value::Array(items) => items.into_iter().map(scalar).collect::<Option<Vec<_>>>().map(Value::Array),
        Value::Object(map) => {
            let pairs =
                map.into_iter().map(|(k, v)| if is_member_name(&k) { Some((k, scalar(v)?)) } else { None });
            pairs.collect::<Option<Map<_, _>>>().map(Value::Object)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::draft::{Draft, Origin};
    use crate::encode::{Encoder, genesis};
    use crate::event::Event;
    use crate::kind::Kind;
    use crate::names::SessionId;
    use proptest::prelude::*;
    use serde_json::json;

    fn encode(draft: &Draft) -> Vec<u8> {
        let session = SessionId::new("s").expect("a session id");
        let prev = genesis("0123", "s");
        let encoder = Encoder {
            session: &session,
            seq: 17,
            ts: "2026-11-27T20:47:19.123456Z",
            prev: &prev,
            store: None,
        };
        let mut count = 0;
        let salts = || {
            count += 1;
            format!("{count:032x}")
        };
        let mut line = encoder.encode(draft, salts).expect("an encodable draft").line;
        assert_eq!(line.pop(), Some(b'\n'));
        line
    }

    fn sample() -> Draft {
        Draft::new("s", Kind::of("reasoning.recorded"), Origin::Claimed)
            .with("group", "AUTH")
            .with("agent", "développeur \"2\" 100%")
            .with("phase", "approach")
            .with("usage", json!({"input": 12, "output": 3}))
            .key("k-1")
            .data("text", "line one\nline \"two\" ,\"hash\":\"")
            .data("references", json!(["src/auth.py", 1.5, true, null]))
    }

    #[test]
    fn a_line_reads_back_as_what_was_written() {
        let bytes = encode(&sample());
        let line = Line::parse(&bytes).expect("a good line");
        assert!(line.hash_matches() && line.members.iter().all(Member::matches));
        let event = Event::from_line(&line).expect("an event");
        assert_eq!(event.text("agent"), Some("développeur \"2\" 100%"));
        assert_eq!(event.text("key"), Some("claimed:k-1"));
        assert_eq!(event.data, sample().data.into());
        assert_eq!(event.name(), "s/17");
    }

    #[test]
    fn an_empty_payload_still_has_its_three_maps() {
        let bytes = encode(&Draft::new("s", Kind::of("turn.started"), Origin::Claimed));
        let text = String::from_utf8(bytes.clone()).expect("text");
        assert!(text.contains(",\"commit\":{},") && text.ends_with("\"data\":{},\"salt\":{}}"), "{text}");
        assert_eq!(Line::known(&text), Line::parse(&bytes).ok());
    }

    #[test]
    fn an_erased_member_keeps_its_slot_and_every_hash() {
        let bytes = encode(&sample());
        let line = Line::parse(&bytes).expect("a good line");
        let member = line.members[1];
        let mut erased = bytes.clone();
        let slot = &mut erased[member.value_at..member.value_at + member.slot_bytes];
        slot.fill(b' ');
        slot[..4].copy_from_slice(b"null");
        erased[member.salt_at..member.salt_at + 32].fill(b'0');
        let line = Line::parse(&erased).expect("an erased line");
        assert!(line.hash_matches() && line.members[1].is_erased());
        let event = Event::from_line(&line).expect("an event");
        assert_eq!(event.erased, ["text"]);
        assert_eq!(Line::known(std::str::from_utf8(&erased).expect("text")), Some(line));
    }

    #[test]
    fn members_that_a_parser_would_show_and_no_hash_covers_are_refused() {
        let text = String::from_utf8(encode(&sample())).expect("text");
        let hash = text.find(",\"hash\":\"").expect("a hash");
        for changed in [
            text.replacen("\",\"data\":{", "\",\"x\":1,\"data\":{", 1),
            text.replacen(",\"salt\":{", ",\"data\":{},\"salt\":{", 1),
            text.replacen("},\"salt\":{", "}, \"salt\":{", 1),
            format!("{},\"x\":1}}", text.trim_end_matches('}').to_owned() + "}"),
            format!("{text} "),
            format!("{text}\r"),
            format!("\u{feff}{text}"),
            text.replacen(",\"group\"", ",\"seq\":3,\"group\"", 1),
            text.replacen(",\"group\":\"AUTH\"", ",\"group\":\"AUTH\",\"group\":\"AUTH\"", 1),
            text.replacen("\"seq\":17", "\"seq\":017", 1),
            text.replacen("{\"v\":1", "{\"v\": 1", 1),
            format!("{}\\u0041{}", &text[..hash - 10], &text[hash - 10..]),
        ] {
            assert!(Line::parse(changed.as_bytes()).is_err(), "{changed}");
        }
        let newer = text.replacen("{\"v\":1", "{\"v\":2", 1);
        assert_eq!(Line::parse(newer.as_bytes()), Err(LineError::Newer { version: 2 }));
    }

    proptest! {
        #[test]
        fn no_changed_byte_goes_unseen(at in 0usize..4096, flip in 1u8..=255) {
            let good = encode(&sample());
            let mut bytes = good.clone();
            let at = at % bytes.len();
            bytes[at] ^= flip;
            let intact = Line::parse(&bytes)
                .is_ok_and(|l| l.hash_matches() && l.members.iter().all(Member::matches));
            prop_assert!(!intact, "byte {at} changed by {flip:#x} went unseen");
        }

        #[test]
        fn what_counts_as_a_header_value_is_what_becomes_one(
            raw in "\"[ -~]{0,8}\"|-?[0-9]{1,20}|true|false|null|tru|\\[[0-9,\"a%]{0,6}\\]|[ -~]{0,6}\
                |\\{(\"[a-cA]{0,2}\":(\"[a%\"]{0,2}\"|-?[0-9]{1,17}|true|1.5|),?){0,3}\\}"
        ) {
            prop_assert_eq!(is_field_value(&raw), field_value(&raw).is_some());
        }

        #[test]
        fn any_text_survives_the_line(text in "\\PC{0,200}|.{0,200}", agent in ".{0,40}") {
            let draft = Draft::new("s", Kind::of("note.added"), Origin::Claimed)
                .with("agent", agent.clone())
                .data("text", text.clone());
            let bytes = encode(&draft);
            let line = Line::parse(&bytes).expect("a good line");
            let event = Event::from_line(&line).expect("an event");
            prop_assert_eq!(event.text("agent"), Some(agent.as_str()));
            prop_assert_eq!(event.data["text"].as_str(), Some(text.as_str()));
        }

        #[test]
        fn a_line_that_is_known_has_the_same_parts(
            text in "\\PC{0,40}|[\"\\\\,:{}\\[\\] \n]{0,20}", list in prop::collection::vec("[\\]\\[,\"}{%]{0,4}", 0..4), n in any::<i32>()
        ) {
            let usage = json!({"input": n.unsigned_abs(), "a": list.concat()});
            let draft = Draft::new("s", Kind::of("note.added"), Origin::Claimed)
                .with("agent", text.clone())
                .with("count", n)
                .with("list", list.clone())
                .with("usage", usage.clone())
                .data("a", json!([usage, [list], {"x": {"y": null}}]))
                .data("b", n)
                .data("c", f64::from(n) / 7.0)
                .data("d", json!({}))
                .data("e", text)
                .data("f", n % 2 == 0)
                .data("g", Value::Null);
            let bytes = encode(&draft);
            let line = Line::parse(&bytes).expect("a good line");
            prop_assert_eq!(Line::known(std::str::from_utf8(&bytes).expect("text")), Some(line.clone()));
            let text = std::sync::Arc::new(String::from_utf8([b"in front\n", &bytes[..]].concat()).expect("text"));
            let known = Line::known(&text[9..]).expect("a good line");
            let session = SessionId::new("s").expect("an id");
            prop_assert_eq!(Event::within(session.clone(), &known, &text), Event::from_line(&line));
            prop_assert_eq!(Event::within(session, &line, &text), None);
        }

        #[test]
        fn what_was_never_checked_does_no_harm(at in 0usize..2048, with in ".{0,3}", cut in 0usize..2048) {
            let mut text = String::from_utf8(encode(&sample())).expect("text");
            let place = |text: &str, at: usize| (0..=at % (text.len() + 1)).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
            let at = place(&text, at);
            text.insert_str(at, &with);
            text.truncate(place(&text, cut));
            let _ = Line::known(&text);
        }

        #[test]
        fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
            let _ = Line::parse(&bytes);
        }
    }
}
