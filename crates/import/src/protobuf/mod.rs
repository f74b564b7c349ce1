//! Files of OTLP as protocol buffers: each batch is a record in OTLP's own JSON, so that an importer sees no difference.
//!
//! ```text
//! a request     0a <length> <batch> 0a <length> <batch> …           what an exporter posts
//! a file        <length, 4 bytes, big endian> <request> …           the Collector's file exporter, `format: proto`
//!               <length, 4 bytes, big endian> <zstd of a request>   … with `compression: zstd` (of JSON, too)
//! ```
//!
//! - P1  memory is bounded by one batch ([`MAX_RECORD_BYTES`]), whatever length the file claims
//! - P2  a batch that is none is a gap, and so is a torn end; in a file with lengths the next one is read

mod schema;
mod wire;

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use serde_json::{Value, json};

use crate::json::{Parsed, parse};
use crate::reader::{Gap, Item, MAX_RECORD_BYTES, Place, Record};
use schema::SIGNALS;
use wire::varint;

/// How much of a file tells what it is.
const HEAD_BYTES: usize = 64 * 1024;
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];
const GZIP_MAGIC: [u8; 2] = [0x1f, 0x8b];
/// The tag of a batch in a request: field 1, bytes.
const BATCH: u8 = 0x0a;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Framing {
    Request,
    Lengths,
}

/// True if the file holds OTLP as protocol buffers.
pub(crate) fn is_protobuf(path: &Path) -> io::Result<bool> {
    Ok(framing(opened(path)?.fill_buf().unwrap_or_default()).is_some())
}

fn opened(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(HEAD_BYTES, File::open(path)?);
    let start = file.fill_buf()?;
    if start.starts_with(&GZIP_MAGIC) {
        let decoder = flate2::bufread::MultiGzDecoder::new(file);
        return Ok(Box::new(BufReader::with_capacity(HEAD_BYTES, decoder)));
    }
    if start.starts_with(&ZSTD_MAGIC) {
        let decoder = zstd::stream::read::Decoder::with_buffer(file)?;
        return Ok(Box::new(BufReader::with_capacity(HEAD_BYTES, decoder)));
    }
    Ok(Box::new(file))
}

fn framing(head: &[u8]) -> Option<Framing> {
    if starts_request(head) {
        return Some(Framing::Request);
    }
    let length = length_of(head)?;
    let inner = head.get(4..)?;
    let inner = &inner[..inner.len().min(length)];
    let packed = inner.starts_with(&ZSTD_MAGIC) || inner.starts_with(b"{\"resource");
    (packed || starts_request(inner)).then_some(Framing::Lengths)
}

fn length_of(head: &[u8]) -> Option<usize> {
    let length = u32::from_be_bytes(head.get(..4)?.try_into().ok()?);
    usize::try_from(length).ok().filter(|length| (1..=MAX_RECORD_BYTES).contains(length))
}

/// True for the start of a batch: a message in which a resource or a scope stands first, in proportion.
fn starts_request(head: &[u8]) -> bool {
    let Some((&BATCH, mut rest)) = head.split_first() else { return false };
    let Some(length) = varint(&mut rest).and_then(|length| usize::try_from(length).ok()) else {
        return false;
    };
    if let Some(batch) = rest.get(..length) {
        return length > 0 && SIGNALS.iter().any(|signal| wire::read(batch, signal.batch, 0).is_ok());
    }
    // longer than what is here: look at how it begins
    let mut inner = rest;
    let first = varint(&mut inner);
    let within = varint(&mut inner).is_some_and(|inner| inner < length as u64);
    matches!(first, Some(0x0a | 0x12)) && within && length <= MAX_RECORD_BYTES
}

/// A file being read batch by batch.
pub(crate) struct Batches {
    input: Box<dyn BufRead>,
    framing: Framing,
    offset: u64,
    count: u64,
    text: String,
    ended: bool,
}

/// What stands where a batch's tag is expected.
enum Tag {
    End,
    /// A batch, and its length.
    Length(u64),
    Other,
}

/// What the next piece of the file is.
enum Piece {
    End,
    Bytes(Vec<u8>),
    Bad(&'static str, u64),
}

impl Batches {
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        let mut input = opened(path)?;
        let framing = framing(input.fill_buf()?).unwrap_or(Framing::Request);
        Ok(Self { input, framing, offset: 0, count: 0, text: String::new(), ended: false })
    }

    /// The next batch as OTLP's JSON; `None` at the end.
    pub(crate) fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        if self.ended {
            return Ok(None);
        }
        let place = Place { line: self.count + 1, offset: self.offset };
        let (reason, bytes) = match self.piece()? {
            Piece::End => return Ok(None),
            Piece::Bad(reason, bytes) => (reason, bytes),
            Piece::Bytes(bytes) => match self.text_of(&bytes) {
                Some(text) => {
                    self.count += 1;
                    self.text = text;
                    let value = match parse(&self.text) {
                        Parsed::Value(value) => Some(value),
                        _ => None,
                    };
                    return Ok(Some(Item::Record(Record {
                        text: &self.text,
                        value,
                        place,
                        repaired: Vec::new(),
                    })));
                }
                None => ("not OTLP", bytes.len() as u64),
            },
        };
        self.count += 1;
        Ok(Some(Item::Gap(Gap { reason, bytes, place, text: None })))
    }

    fn piece(&mut self) -> io::Result<Piece> {
        let claimed = match self.framing {
            Framing::Lengths => {
                let mut length = Vec::new();
                let read = self.take(4, &mut length)?;
                match length.try_into() {
                    Ok(length) => Some(u64::from(u32::from_be_bytes(length))),
                    Err(_) if read == 0 => return Ok(Piece::End),
                    Err(_) => None,
                }
            }
            Framing::Request => match self.tag()? {
                Tag::End => return Ok(Piece::End),
                Tag::Length(length) => Some(length),
                Tag::Other => None,
            },
        };
        let Some(length) = claimed else { return self.rest("not OTLP") };
        if length > MAX_RECORD_BYTES as u64 {
            let skipped = io::copy(&mut (&mut self.input).take(length), &mut io::sink())?;
            self.offset += skipped;
            return Ok(Piece::Bad("batch is larger than 64 MiB", skipped));
        }
        let mut bytes = Vec::new();
        let read = self.take(length, &mut bytes)?;
        if read < length {
            self.ended = true;
            return Ok(Piece::Bad("file ends in the middle of a batch", read));
        }
        Ok(Piece::Bytes(bytes))
    }

    /// What stands at a batch's tag.
    fn tag(&mut self) -> io::Result<Tag> {
        let mut byte = Vec::new();
        if self.take(1, &mut byte)? == 0 {
            return Ok(Tag::End);
        }
        if byte != [BATCH] {
            return Ok(Tag::Other);
        }
        let mut length = Vec::new();
        while length.len() < 10 && self.take(1, &mut length)? == 1 {
            if length.last().is_some_and(|last| last & 0x80 == 0) {
                return Ok(varint(&mut length.as_slice()).map_or(Tag::Other, Tag::Length));
            }
        }
        Ok(Tag::Other)
    }

    /// Nobody knows where the next batch begins.
    fn rest(&mut self, reason: &'static str) -> io::Result<Piece> {
        self.ended = true;
        let bytes = io::copy(&mut self.input, &mut io::sink())?;
        self.offset += bytes;
        Ok(Piece::Bad(reason, bytes.max(1)))
    }

    /// Damaged compression ends the file like a torn tail.
    fn take(&mut self, length: u64, into: &mut Vec<u8>) -> io::Result<u64> {
        let read = match (&mut self.input).take(length).read_to_end(into) {
            Ok(read) => read as u64,
            Err(error) if error.raw_os_error().is_none() => into.len() as u64,
            Err(error) => return Err(error),
        };
        self.offset += read;
        Ok(read)
    }

    fn text_of(&self, bytes: &[u8]) -> Option<String> {
        match self.framing {
            Framing::Request => batch(bytes).map(|(list, batch)| json!({ list: [batch] }).to_string()),
            Framing::Lengths if bytes.starts_with(&ZSTD_MAGIC) => request(&unpacked(bytes)?),
            Framing::Lengths => request(bytes),
        }
    }
}

fn unpacked(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut plain = Vec::new();
    let decoder = zstd::stream::read::Decoder::with_buffer(bytes).ok()?;
    decoder.take(MAX_RECORD_BYTES as u64 + 1).read_to_end(&mut plain).ok()?;
    (plain.len() <= MAX_RECORD_BYTES).then_some(plain)
}

/// A request, as protocol buffers or as JSON.
fn request(mut bytes: &[u8]) -> Option<String> {
    if bytes.starts_with(b"{") {
        return String::from_utf8(bytes.to_vec()).ok();
    }
    let (mut list, mut batches): (&str, Vec<Value>) = (SIGNALS[0].list, Vec::new());
    while let Some((&BATCH, rest)) = bytes.split_first() {
        bytes = rest;
        let length = usize::try_from(varint(&mut bytes)?).ok()?;
        let (inner, rest) = bytes.split_at_checked(length)?;
        bytes = rest;
        let (name, value) = batch(inner)?;
        list = name;
        batches.push(value);
    }
    bytes.is_empty().then(|| json!({ list: batches }).to_string())
}

/// A batch of whichever signal it is.
fn batch(bytes: &[u8]) -> Option<(&'static str, Value)> {
    SIGNALS.iter().find_map(|signal| Some((signal.list, wire::read(bytes, signal.batch, 0).ok()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn varint_of(mut number: usize) -> Vec<u8> {
        let mut out = Vec::new();
        while number >= 0x80 {
            out.push(u8::try_from(number & 0x7f).expect("seven bits") | 0x80);
            number >>= 7;
        }
        out.push(u8::try_from(number).expect("seven bits"));
        out
    }

    /// A field with bytes.
    fn field(number: usize, bytes: &[u8]) -> Vec<u8> {
        [varint_of(number << 3 | 2), varint_of(bytes.len()), bytes.to_vec()].concat()
    }

    fn request_of(name: &str) -> Vec<u8> {
        let span =
            [field(1, &[7; 16]), field(2, &[9; 8]), field(5, name.as_bytes()), field(60, b"new")].concat();
        field(1, &field(2, &field(2, &span)))
    }

    fn read(bytes: &[u8]) -> Vec<String> {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.pb");
        std::fs::write(&path, bytes).expect("writes");
        assert!(is_protobuf(&path).expect("reads"));
        let mut batches = Batches::open(&path).expect("opens");
        let mut found = Vec::new();
        while let Some(item) = batches.next_item().expect("reads") {
            found.push(match item {
                Item::Record(record) => {
                    let value = record.value.expect("a value");
                    let span = &value["resourceSpans"][0]["scopeSpans"][0]["spans"][0];
                    assert_eq!(
                        (&span["spanId"], &span["field60"][0]),
                        (&json!("0909090909090909"), &json!("bmV3"))
                    );
                    span["name"].as_str().unwrap_or_default().to_owned()
                }
                Item::Gap(gap) => format!("!{} {}", gap.bytes, gap.reason),
            });
        }
        found
    }

    fn framed(bytes: &[u8]) -> Vec<u8> {
        let length = u32::try_from(bytes.len()).expect("short");
        [length.to_be_bytes().as_slice(), bytes].concat()
    }

    #[test]
    fn requests_and_files_with_lengths_are_read() {
        let (a, b) = (request_of("a"), request_of("b"));
        assert_eq!(read(&[a.clone(), b.clone()].concat()), ["a", "b"]);
        assert_eq!(read(&[framed(&a), framed(&b)].concat()), ["a", "b"]);
        let packed = zstd::encode_all(b.as_slice(), 1).expect("packs");
        assert_eq!(read(&[framed(&packed), framed(&a)].concat()), ["b", "a"]);
        assert_eq!(read(&zstd::encode_all(a.as_slice(), 1).expect("packs")), ["a"]);
    }

    #[test]
    fn damage_is_a_gap_and_the_rest_is_read() {
        let (a, b) = (request_of("a"), request_of("b"));
        assert_eq!(read(&[a.clone(), b[..b.len() - 3].to_vec()].concat())[0], "a");
        assert!(read(&[a.clone(), b[..b.len() - 3].to_vec()].concat())[1].ends_with("middle of a batch"));
        assert_eq!(read(&[framed(&a), framed(b"rubbish"), framed(&b)].concat()), ["a", "!7 not OTLP", "b"]);
        assert!(read(&[a.as_slice(), b"rubbish"].concat())[1].ends_with("not OTLP"));
        assert!(
            read(&[framed(&a), u32::MAX.to_be_bytes().to_vec(), vec![1; 9]].concat())[1].contains("64 MiB")
        );
    }

    #[test]
    fn other_files_are_not_taken_for_it() {
        for bytes in [
            b"".as_slice(),
            b"\n",
            b"\n\n\n\n",
            b"\n{\"a\":1}",
            b"{}",
            b"\x0a\x01",
            b"\0\0\0\x05hello",
            &[0; 64],
            &[0x0a; 64],
        ] {
            assert_eq!(framing(bytes), None, "{bytes:?}");
        }
    }

    #[test]
    fn nesting_without_an_end_is_no_message() {
        let mut value = field(1, b"x");
        for _ in 0..2000 {
            value = field(5, &field(1, &value));
        }
        let span =
            [field(1, &[7; 16]), field(2, &[9; 8]), field(9, &[field(1, b"k"), field(2, &value)].concat())]
                .concat();
        assert!(batch(&field(2, &field(2, &span))).is_none());
    }
}
