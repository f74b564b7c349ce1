//! Records out of any file: a bounded, streaming reader that loses no byte silently.
//!
//! - R1  every byte is part of a record, of a gap that is reported, or white space and byte order marks
//! - R2  one bad line costs that line only; a whole record behind a torn stub is saved
//! - R3  memory is bounded by one record ([`MAX_RECORD_BYTES`]), not by the file
//!
//! NDJSON is read line by line; a file that is one JSON document, object by object.

mod cut;
mod document;
mod lines;
mod salvage;

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::Range;

use serde_json::Value;

use crate::json::{Parsed, parse};
use document::{container, next_object, starts_document};
use lines::Bytes;

/// The largest record; a longer one becomes a gap.
pub const MAX_RECORD_BYTES: usize = 64 * 1024 * 1024;

/// Where something stands in the decoded file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Place {
    /// The line, from 1; in a file that is one JSON document, the record.
    pub line: u64,
    /// Offset in bytes.
    pub offset: u64,
}

/// Bytes that are no record.
#[derive(Clone, PartialEq, Eq)]
pub struct Gap {
    /// Why.
    pub reason: &'static str,
    /// How many.
    pub bytes: u64,
    /// Where.
    pub place: Place,
    /// The bytes as text, unless they are NULs or too many. It may hold secrets: only for `data`.
    pub text: Option<String>,
}

/// One record.
pub struct Record<'a> {
    /// Its text, repaired if need be.
    pub text: &'a str,
    /// Its value; `None` for JSON that a journal line cannot carry unchanged.
    pub value: Option<Value>,
    /// Where it stands.
    pub place: Place,
    /// What had to be repaired: `utf8`, `surrogates`.
    pub repaired: Vec<&'static str>,
}

/// What the reader finds.
pub enum Item<'a> {
    /// A record.
    Record(Record<'a>),
    /// Bytes that are none.
    Gap(Gap),
}

/// A part of the text in hand.
enum Part {
    Record {
        text: PartText,
        /// Where it stands in the text at hand.
        range: Range<usize>,
        value: Option<Value>,
        place: Place,
        repaired: Vec<&'static str>,
    },
    Gap(Gap),
}

enum PartText {
    Here(Range<usize>),
    Made(String),
}

impl Part {
    /// Says what was repaired before.
    fn mark(mut self, what: &'static str) -> Self {
        if let Self::Record { repaired, .. } = &mut self {
            repaired.insert(0, what);
        }
        self
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Mode {
    Unknown,
    Lines,
    Document,
    Salvage,
}

/// Reads records from anything.
pub struct Reader<'r> {
    input: Bytes<'r>,
    mode: Mode,
    values: bool,
    /// A document's longest list is taken for its records.
    lists: bool,
    text: String,
    parts: VecDeque<Part>,
    /// What was handed out last, if it is not a piece of `text`.
    made: String,
    line: u64,
    damage_told: bool,
}

impl<'r> Reader<'r> {
    /// Opens plain or zstd-compressed bytes.
    pub fn open(input: impl Read + 'r) -> io::Result<Self> {
        Self::new(input, true)
    }

    /// Opens bytes to look at the text of the records only: no values are built, nothing is repaired.
    pub fn open_for_texts(input: impl Read + 'r) -> io::Result<Self> {
        Self::new(input, false)
    }

    /// Hands out a document as one record, not as the records of its longest list.
    #[must_use]
    pub fn whole_documents(mut self, whole: bool) -> Self {
        self.lists = !whole;
        self
    }

    /// Opens bytes that are no transcript, for the records that are printed in them.
    pub fn open_for_salvage(input: impl Read + 'r) -> io::Result<Self> {
        Ok(Self { mode: Mode::Salvage, ..Self::new(input, true)? })
    }

    fn new(input: impl Read + 'r, values: bool) -> io::Result<Self> {
        Ok(Self {
            input: Bytes::open(input)?,
            mode: Mode::Unknown,
            values,
            lists: true,
            text: String::new(),
            parts: VecDeque::new(),
            made: String::new(),
            line: 0,
            damage_told: false,
        })
    }

    /// Opens a stretch of a file of lines that begins at `place`, with the values of its records or without.
    pub fn lines_of(input: impl Read + 'r, place: Place, values: bool) -> io::Result<Self> {
        let mut reader = Self::new(input, values)?;
        reader.input.offset = place.offset;
        reader.line = place.line;
        if place.offset > 0 {
            reader.mode = Mode::Lines;
        }
        Ok(reader)
    }

    /// True if what comes is one JSON document, not lines.
    pub fn holds_document(&mut self) -> io::Result<bool> {
        self.is_document()
    }

    /// The number of the line that was read last.
    pub fn line(&self) -> u64 {
        self.line
    }

    /// The next record or gap; `None` at the end.
    pub fn next_item(&mut self) -> io::Result<Option<Item<'_>>> {
        while self.parts.is_empty() {
            if !self.fill()? {
                return Ok(None);
            }
        }
        Ok(self.parts.pop_front().map(|part| self.hand_out(part)))
    }

    fn hand_out(&mut self, part: Part) -> Item<'_> {
        let (text, value, place, repaired) = match part {
            Part::Gap(gap) => return Item::Gap(gap),
            Part::Record { text, value, place, repaired, .. } => (text, value, place, repaired),
        };
        let text = match text {
            PartText::Here(range) => &self.text[range],
            PartText::Made(text) => {
                self.made = text;
                &self.made
            }
        };
        Item::Record(Record { text, value, place, repaired })
    }

    /// Reads on until there are parts; false at the end.
    fn fill(&mut self) -> io::Result<bool> {
        let more = match self.mode {
            Mode::Document => self.fill_object()?,
            Mode::Salvage => self.fill_stretch()?,
            Mode::Lines | Mode::Unknown => self.fill_line()?,
        };
        if more || !self.input.damaged || self.damage_told {
            return Ok(more);
        }
        self.damage_told = true;
        let place = Place { line: self.line, offset: self.input.offset };
        self.gap("compressed data is damaged or ends early", 0, place, None);
        Ok(true)
    }

    fn fill_line(&mut self) -> io::Result<bool> {
        if self.mode == Mode::Unknown && self.is_document()? {
            self.mode = Mode::Document;
            return self.fill_object();
        }
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let Some(read) = self.input.line(&mut bytes)? else { return Ok(false) };
        self.line += 1;
        let place = Place { line: self.line, offset: read.offset };
        if read.too_long {
            self.gap("record is larger than 64 MiB", read.bytes, place, None);
            return Ok(true);
        }
        let torn = !read.ended;
        self.take_text(bytes, place, torn);
        Ok(true)
    }

    fn fill_object(&mut self) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let (start, mut junk) = (self.input.offset, 0);
        let cut = next_object(&mut self.input, &mut bytes, &mut junk)?;
        if junk > 0 {
            self.gap(
                "between the objects of a list",
                junk,
                Place { line: self.line + 1, offset: start },
                None,
            );
        }
        let Some(cut) = cut else { return Ok(junk > 0) };
        self.line += 1;
        let place = Place { line: self.line, offset: cut.offset };
        if cut.too_long {
            self.gap("record is larger than 64 MiB", cut.bytes, place, None);
            return Ok(true);
        }
        self.take_text(bytes, place, !cut.whole);
        Ok(true)
    }

    fn fill_stretch(&mut self) -> io::Result<bool> {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        bytes.clear();
        let place = Place { line: self.line + 1, offset: self.input.offset };
        while bytes.len() < MAX_RECORD_BYTES {
            let waiting = self.input.peek()?;
            if waiting.is_empty() {
                break;
            }
            let taken = waiting.len().min(MAX_RECORD_BYTES - bytes.len());
            bytes.extend_from_slice(&waiting[..taken]);
            self.input.consume(taken);
        }
        if bytes.is_empty() {
            return Ok(false);
        }
        self.line += memchr::memchr_iter(b'\n', &bytes).count() as u64;
        match String::from_utf8(bytes) {
            Ok(text) => {
                self.parts.extend(salvage::salvage(&text, place));
                self.text = text;
            }
            Err(error) => {
                self.parts.extend(repaired(error.as_bytes(), place, |text| salvage::salvage(text, place)));
            }
        }
        Ok(true)
    }

    /// Looks at the first line that is not blank, without consuming it.
    pub(crate) fn is_document(&mut self) -> io::Result<bool> {
        let waiting = self.input.peek()?;
        let text = waiting.strip_prefix(b"\xef\xbb\xbf").unwrap_or(waiting);
        let blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
        let start = text.iter().position(|byte| !blank(byte)).unwrap_or(text.len());
        let line = text[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let document = starts_document(line);
        if start < text.len() {
            self.mode = Mode::Lines;
        }
        Ok(document)
    }

    fn gap(&mut self, reason: &'static str, bytes: u64, place: Place, text: Option<String>) {
        self.parts.push_back(Part::Gap(Gap { reason, bytes, place, text }));
    }

    /// Makes parts of one line or object.
    fn take_text(&mut self, bytes: Vec<u8>, place: Place, torn: bool) {
        let (text, bad) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(error.into_bytes())),
        };
        self.text = text;
        // a document on one line is a record, unless what it holds can only be carried piece by piece
        let odd = || place.line == 1 && matches!(parse(&self.text), Parsed::Odd);
        let apart = self.lists && (self.mode == Mode::Document || odd());
        let Some(found) = apart.then(|| container(&self.text)).flatten() else {
            self.parts.extend(match bad {
                Some(bytes) => repaired(&bytes, place, |text| cut::cut(text, place, torn)),
                None if self.values => cut::cut(&self.text, place, torn),
                None => vec![unread(PartText::Here(cut::inner(&self.text)), place)],
            });
            return;
        };
        let rest = found.rest.into_iter().map(PartText::Made);
        for text in rest.chain(found.records.into_iter().map(PartText::Here)) {
            let place = Place { line: self.line, offset: place.offset };
            let part = if self.values { cut::whole(&self.text, text, place) } else { unread(text, place) };
            self.parts.push_back(if bad.is_some() { part.mark("utf8") } else { part });
            self.line += 1;
        }
        self.line -= 1;
    }
}

/// The parts of text that is not UTF-8: cut by a stand-in of the same length, then repaired one by one, so that
/// every place and length is that of the bytes in the file.
fn repaired(bytes: &[u8], start: Place, cut: impl FnOnce(&str) -> Vec<Part>) -> Vec<Part> {
    let mut stand_in = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        stand_in.push_str(chunk.valid());
        stand_in.extend(chunk.invalid().iter().map(|_| '?'));
    }
    let piece = |from: usize, length: usize| {
        String::from_utf8_lossy(bytes.get(from..from + length).unwrap_or_default())
    };
    let repair = |part| match part {
        Part::Gap(mut gap) => {
            let from = usize::try_from(gap.place.offset - start.offset).unwrap_or(bytes.len());
            gap.text = gap.text.map(|text| piece(from, text.len()).into_owned());
            Part::Gap(gap)
        }
        Part::Record { range, place, .. } => {
            let place = Place { offset: start.offset + range.start as u64, ..place };
            let text = piece(range.start, range.len());
            let was_bad = matches!(text, Cow::Owned(_));
            let part = cut::whole("", PartText::Made(text.into_owned()), place);
            if was_bad { part.mark("utf8") } else { part }
        }
    };
    cut(&stand_in).into_iter().map(repair).collect()
}

fn unread(text: PartText, place: Place) -> Part {
    Part::Record { text, range: 0..0, value: None, place, repaired: Vec::new() }
}
