//! Protocol buffers on the wire as JSON, by a table of names.
//!
//! What the table does not name is kept under its number, so that a newer writer loses nothing; what stands in a
//! form that its name cannot have is an error, which tells messages of different types apart.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Number, Value};

/// The deepest message; a journal line carries no deeper ones.
const MAX_DEPTH: usize = 24;

/// A message: its fields by number.
pub(super) struct Message(pub(super) &'static [Field]);

/// A field: its number, its name in JSON, how it is written.
pub(super) type Field = (u64, &'static str, Form);

/// How a field is written, and what it is in JSON.
#[derive(Clone, Copy)]
pub(super) enum Form {
    Text,
    /// An id: hex.
    Id(usize),
    Bytes,
    /// A small integer or an enum.
    Count,
    /// A signed one, zigzag.
    Zigzag,
    Flag,
    /// 64 bits as a varint: a string.
    Long,
    /// 64 bits, fixed: a string.
    Fixed64,
    SignedFixed64,
    Fixed32,
    Double,
    One(&'static Message),
    Many(&'static Message),
    ManyFixed64,
    ManyDoubles,
}

/// Bytes that are no such message.
#[derive(Debug)]
pub(super) struct NotOne;

enum Raw<'a> {
    Varint(u64),
    Fixed64([u8; 8]),
    Bytes(&'a [u8]),
    Fixed32([u8; 4]),
}

/// Reads a varint from the front.
pub(super) fn varint(bytes: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        value |= u64::from(first & 0x7f) << shift;
        if first & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

fn raw<'a>(bytes: &mut &'a [u8], wire: u64) -> Option<Raw<'a>> {
    let mut take = |length: usize| {
        let (front, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        Some(front)
    };
    match wire {
        0 => varint(bytes).map(Raw::Varint),
        1 => take(8)?.try_into().ok().map(Raw::Fixed64),
        5 => take(4)?.try_into().ok().map(Raw::Fixed32),
        2 => {
            let length = usize::try_from(varint(bytes)?).ok()?;
            let (front, rest) = bytes.split_at_checked(length)?;
            *bytes = rest;
            Some(Raw::Bytes(front))
        }
        _ => None,
    }
}

/// Reads a message.
pub(super) fn read(mut bytes: &[u8], message: &Message, depth: usize) -> Result<Value, NotOne> {
    if depth > MAX_DEPTH {
        return Err(NotOne);
    }
    let mut map = Map::new();
    while !bytes.is_empty() {
        let key = varint(&mut bytes).ok_or(NotOne)?;
        let (number, wire) = (key >> 3, key & 7);
        let raw = raw(&mut bytes, wire).filter(|_| number > 0).ok_or(NotOne)?;
        match message.0.iter().find(|(known, ..)| *known == number) {
            Some((_, name, form)) => put(&mut map, name, *form, &raw, depth)?,
            None => push(&mut map, &format!("field{number}"), unknown(&raw)),
        }
    }
    Ok(Value::Object(map))
}

fn put(
    map: &mut Map<String, Value>,
    name: &str,
    form: Form,
    raw: &Raw<'_>,
    depth: usize,
) -> Result<(), NotOne> {
    match (form, raw) {
        (Form::Many(message), Raw::Bytes(bytes)) => push(map, name, read(bytes, message, depth + 1)?),
        (Form::ManyFixed64 | Form::ManyDoubles, Raw::Bytes(bytes)) if bytes.len() % 8 == 0 => {
            for chunk in bytes.chunks_exact(8) {
                let chunk = chunk.try_into().map_err(|_| NotOne)?;
                push(map, name, eight(chunk, matches!(form, Form::ManyDoubles)));
            }
        }
        (Form::ManyFixed64 | Form::ManyDoubles, Raw::Fixed64(bytes)) => {
            push(map, name, eight(*bytes, matches!(form, Form::ManyDoubles)));
        }
        _ => {
            map.insert(name.to_owned(), single(form, raw, depth)?);
        }
    }
    Ok(())
}

fn single(form: Form, raw: &Raw<'_>, depth: usize) -> Result<Value, NotOne> {
    Ok(match (form, raw) {
        (Form::Text, Raw::Bytes(bytes)) => String::from_utf8_lossy(bytes).into(),
        (Form::Id(length), Raw::Bytes(bytes)) if bytes.len() == length || bytes.is_empty() => {
            hex(bytes).into()
        }
        (Form::Bytes, Raw::Bytes(bytes)) => STANDARD.encode(bytes).into(),
        (Form::One(message), Raw::Bytes(bytes)) => read(bytes, message, depth + 1)?,
        (Form::Count, Raw::Varint(number)) => (*number).into(),
        (Form::Zigzag, Raw::Varint(number)) => {
            ((number >> 1).cast_signed() ^ -(number & 1).cast_signed()).into()
        }
        (Form::Flag, Raw::Varint(number)) => (*number != 0).into(),
        (Form::Long, Raw::Varint(number)) => number.cast_signed().to_string().into(),
        (Form::Fixed64, Raw::Fixed64(bytes)) => eight(*bytes, false),
        (Form::SignedFixed64, Raw::Fixed64(bytes)) => i64::from_le_bytes(*bytes).to_string().into(),
        (Form::Double, Raw::Fixed64(bytes)) => eight(*bytes, true),
        (Form::Fixed32, Raw::Fixed32(bytes)) => u32::from_le_bytes(*bytes).into(),
        _ => return Err(NotOne),
    })
}

/// Eight bytes: a double, or an integer as a string.
fn eight(bytes: [u8; 8], double: bool) -> Value {
    if !double {
        return u64::from_le_bytes(bytes).to_string().into();
    }
    let number = f64::from_le_bytes(bytes);
    Number::from_f64(number).map_or_else(|| number.to_string().into(), Value::Number)
}

fn unknown(raw: &Raw<'_>) -> Value {
    match raw {
        Raw::Varint(number) => number.to_string().into(),
        Raw::Fixed64(bytes) => hex(bytes).into(),
        Raw::Fixed32(bytes) => hex(bytes).into(),
        Raw::Bytes(bytes) => STANDARD.encode(bytes).into(),
    }
}

fn push(map: &mut Map<String, Value>, name: &str, value: Value) {
    match map.entry(name).or_insert_with(|| Value::Array(Vec::new())) {
        Value::Array(items) => items.push(value),
        other => *other = value,
    }
}

fn hex(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let digit = |nibble: u8| char::from(DIGITS[usize::from(nibble)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}
