//! Writing a line: the header, its hash, and the payload with its salted commitments.

use std::fmt::Write as _;
use std::sync::OnceLock;

use blake3::{Hash, Hasher};
use serde_json::{Map, Value};

use crate::draft::{COMMON, Draft};
use crate::escape::encode;
use crate::names::{SessionId, is_member_name};
use crate::{FORMAT, MAX_HEADER_BYTES, MAX_LINE_BYTES, SLOT_BYTES};

const MAX_SAFE_INTEGER: u64 = (1 << 53) - 1;

/// Where a line goes: everything that the journal adds to a draft.
#[derive(Debug)]
pub struct Encoder<'a> {
    /// The session.
    pub session: &'a SessionId,
    /// Its next sequence.
    pub seq: u64,
    /// Now, RFC 3339 UTC with six fraction digits.
    pub ts: &'a str,
    /// Hash of the line before, or the genesis hash.
    pub prev: &'a str,
    /// The store id, for sequence 0 only.
    pub store: Option<&'a str>,
}

/// A finished line.
#[derive(Debug)]
pub struct Encoded {
    /// The line with its LF.
    pub line: Vec<u8>,
    /// Its hash, 64 hex digits.
    pub hash: String,
}

/// Why a draft cannot become a line.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum EncodeError {
    /// The header is too long.
    #[error("the header has {bytes} bytes, more than {MAX_HEADER_BYTES}")]
    Header {
        /// Its length.
        bytes: usize,
    },
    /// The line is too long.
    #[error("the line has {bytes} bytes, more than {MAX_LINE_BYTES}")]
    Line {
        /// Its length.
        bytes: usize,
    },
    /// A name that a line cannot carry.
    #[error("{name:?} cannot name a field of a line")]
    Name {
        /// The name.
        name: String,
    },
    /// A header value that is neither scalar nor flat.
    #[error("header field {name:?} is neither a scalar nor flat")]
    Value {
        /// The field.
        name: String,
    },
}

impl Encoder<'_> {
    /// Writes the line. `salts` gives 32 lower-case hex digits of fresh OS randomness, never all zero.
    pub fn encode(&self, draft: &Draft, mut salts: impl FnMut() -> String) -> Result<Encoded, EncodeError> {
        let mut members = Vec::with_capacity(draft.data.len());
        for (name, value) in &draft.data {
            if !is_member_name(name) {
                return Err(EncodeError::Name { name: name.clone() });
            }
            let (value, salt) = (json_text(value), salts());
            let commit = commitment(name, &salt, &value);
            members.push((name, value, salt, commit));
        }
        let mut line = self.start(draft)?;
        let _ = write!(line, ",\"prev\":\"{}\",\"commit\":{{", self.prev);
        join(&mut line, &members, |line, (name, _, _, commit)| {
            let _ = write!(line, "\"{name}\":\"{commit}\"");
        });
        line.push('}');
        if line.len() > MAX_HEADER_BYTES {
            return Err(EncodeError::Header { bytes: line.len() });
        }
        let hash = event_hash(line.as_bytes());
        line.reserve(payload_len(&members));
        let _ = write!(line, ",\"hash\":\"{hash}\",\"data\":{{");
        join(&mut line, &members, |line, (name, value, _, _)| {
            let padding = value.len().next_multiple_of(SLOT_BYTES) - value.len();
            let _ = write!(line, "\"{name}\":{value}{:padding$}", "");
        });
        line.push_str("},\"salt\":{");
        join(&mut line, &members, |line, (name, _, salt, _)| {
            let _ = write!(line, "\"{name}\":\"{salt}\"");
        });
        line.push_str("}}");
        if line.len() > MAX_LINE_BYTES {
            return Err(EncodeError::Line { bytes: line.len() });
        }
        line.push('\n');
        Ok(Encoded { line: line.into_bytes(), hash })
    }

    /// The header up to, not including, `prev`.
    fn start(&self, draft: &Draft) -> Result<String, EncodeError> {
        let mut out = String::with_capacity(1024);
        let _ = write!(out, "{{\"v\":{FORMAT},\"session\":\"{}\",\"seq\":{}", self.session, self.seq);
        let _ = write!(out, ",\"ts\":\"{}\",\"kind\":\"{}\"", self.ts, encode(draft.kind.as_str()));
        if let Some(store) = self.store {
            let _ = write!(out, ",\"store\":\"{store}\"");
        }
        let common = |name: &str| COMMON.iter().any(|(c, _)| *c == name);
        let first = COMMON.iter().filter_map(|(name, _)| draft.header.get_key_value(*name));
        for (name, value) in first.chain(draft.header.iter().filter(|(name, _)| !common(name))) {
            write_field(&mut out, name, value)?;
        }
        let _ = write!(out, ",\"origin\":\"{}\"", draft.origin.as_str());
        if let Some(key) = &draft.key {
            let _ = write!(out, ",\"key\":\"{}:{}\"", draft.origin.as_str(), encode(key));
        }
        Ok(out)
    }
}

/// Bytes that the payload and its salts take, or a little more.
fn payload_len(members: &[(&String, String, String, String)]) -> usize {
    let around = |name: &str, salt: &str| 2 * name.len() + salt.len() + 16 + SLOT_BYTES;
    let lens = members.iter().map(|(name, value, salt, _)| value.len() + around(name, salt));
    128 + lens.sum::<usize>()
}

fn join<T>(out: &mut String, items: &[T], mut write: impl FnMut(&mut String, &T)) {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
}

fn write_field(out: &mut String, name: &str, value: &Value) -> Result<(), EncodeError> {
    const TAKEN: &[&str] = &["v", "session", "seq", "ts", "kind", "prev", "commit", "origin", "key", "store"];
    if !is_member_name(name) || TAKEN.contains(&name) {
        return Err(EncodeError::Name { name: name.to_owned() });
    }
    let bad = || EncodeError::Value { name: name.to_owned() };
    let _ = write!(out, ",\"{name}\":");
    match value {
        Value::Array(items) => {
            out.push('[');
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_scalar(out, item).ok_or_else(bad)?;
            }
            out.push(']');
        }
        Value::Object(map) => write_flat_object(out, map).ok_or_else(bad)?,
        scalar => write_scalar(out, scalar).ok_or_else(bad)?,
    }
    Ok(())
}

fn write_flat_object(out: &mut String, map: &Map<String, Value>) -> Option<()> {
    out.push('{');
    for (index, (key, item)) in map.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        is_member_name(key).then_some(())?;
        let _ = write!(out, "\"{key}\":");
        write_scalar(out, item)?;
    }
    out.push('}');
    Some(())
}

fn write_scalar(out: &mut String, value: &Value) -> Option<()> {
    match value {
        Value::String(text) => {
            let _ = write!(out, "\"{}\"", encode(text));
        }
        Value::Bool(flag) => {
            let _ = write!(out, "{flag}");
        }
        Value::Number(number) => {
            let number = number.as_i64().filter(|n| n.unsigned_abs() <= MAX_SAFE_INTEGER)?;
            let _ = write!(out, "{number}");
        }
        _ => return None,
    }
    Some(())
}

/// A value as it stands in `data`: compact JSON, numbers that others would misread as strings.
pub fn json_text(value: &Value) -> String {
    match value {
        Value::Array(_) | Value::Object(_) if has_odd_number(value) => {
            plain_numbers(value.clone()).to_string()
        }
        Value::Number(_) if has_odd_number(value) => plain_numbers(value.clone()).to_string(),
        // the same text as `to_string` gives, without a formatter between
        _ => serde_json::to_string(value).unwrap_or_else(|_| value.to_string()),
    }
}

fn has_odd_number(value: &Value) -> bool {
    match value {
        Value::Number(n) => match (n.as_u64(), n.as_i64()) {
            (Some(n), _) => n > MAX_SAFE_INTEGER,
            (None, Some(n)) => n.unsigned_abs() > MAX_SAFE_INTEGER,
            (None, None) => !n.as_f64().is_some_and(f64::is_finite),
        },
        Value::Array(items) => items.iter().any(has_odd_number),
        Value::Object(map) => map.values().any(has_odd_number),
        _ => false,
    }
}

fn plain_numbers(value: Value) -> Value {
    match value {
        Value::Number(ref n) if has_odd_number(&value) => Value::String(n.to_string()),
        Value::Array(items) => items.into_iter().map(plain_numbers).collect(),
        Value::Object(map) => map.into_iter().map(|(k, v)| (k, plain_numbers(v))).collect(),
        other => other,
    }
}

/// Hash of a line: over its header bytes.
pub fn event_hash(header: &[u8]) -> String {
    header_hash(header).to_hex().to_string()
}

/// True if that is this.
pub(crate) fn is_event_hash(header: &[u8], hash: &str) -> bool {
    is_hex_of(header_hash(header), hash)
}

/// True if the text is the hash in lower-case hex. Hot path: no text is made of the hash.
fn is_hex_of(hash: Hash, text: &str) -> bool {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let (bytes, digits) = (hash.as_bytes(), text.as_bytes());
    let is = |byte: u8, pair: &[u8]| {
        pair[0] == DIGITS[usize::from(byte >> 4)] && pair[1] == DIGITS[usize::from(byte & 15)]
    };
    digits.len() == 2 * bytes.len()
        && bytes.iter().zip(digits.chunks_exact(2)).all(|(byte, pair)| is(*byte, pair))
}

fn header_hash(header: &[u8]) -> Hash {
    static KEYED: OnceLock<Hasher> = OnceLock::new();
    let mut hasher = KEYED.get_or_init(|| Hasher::new_derive_key("recount v1 event")).clone();
    hasher.update(header);
    hasher.finalize()
}

/// The `prev` of sequence 0: it ties a session to its store and its name.
pub fn genesis(store: &str, session: &str) -> String {
    event_hash(format!("genesis\n{store}\n{session}").as_bytes())
}

/// The commitment of one payload member: over its salt (hex), its name and its raw bytes.
pub fn commitment(name: &str, salt: &str, value: &str) -> String {
    field_hash(name, salt, value).to_hex().to_string()
}

/// True if that is this.
pub(crate) fn is_commitment(name: &str, salt: &str, value: &str, commit: &str) -> bool {
    is_hex_of(field_hash(name, salt, value), commit)
}

fn field_hash(name: &str, salt: &str, value: &str) -> Hash {
    static KEYED: OnceLock<Hasher> = OnceLock::new();
    let mut hasher = KEYED.get_or_init(|| Hasher::new_derive_key("recount v1 field")).clone();
    for part in [salt, "\n", name, "\n", value] {
        hasher.update(part.as_bytes());
    }
    hasher.finalize()
}
