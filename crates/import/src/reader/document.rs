//! Files that are one JSON document: an array of records, records over several lines, or an object
//! that holds them in a list (`{"loglines":[…]}`).
//!
//! The scanner only counts brackets outside strings; what it cuts out is parsed like any line.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use serde_json::value::RawValue;

use super::MAX_RECORD_BYTES;
use super::lines::Bytes;

/// True if a file that starts so is a document and no sequence of lines.
///
/// A first line that opens a bracket and goes on below, outside any string, is pretty-printed; a line
/// that opens an array of objects is one as well, and one that says what nothing but a document holds. A log line such as `[16:29:14] …` is neither.
pub(super) fn starts_document(first_line: &[u8]) -> bool {
    let line = first_line.trim_ascii();
    let opens_list = |line: &[u8]| {
        line.strip_prefix(b"[").is_some_and(|rest| matches!(rest.trim_ascii_start(), [] | [b'{' | b']', ..]))
    };
    let goes_on = line.first() == Some(&b'{') && matches!(line.last(), Some(b'{' | b'[' | b','));
    let holds = || line.starts_with(b"{") && memchr::memmem::find(line, b"\"loglines\":").is_some();
    opens_list(line) || (goes_on && open_brackets(line) > 0) || holds()
}

/// Brackets still open at the end; none if the line ends inside a string.
fn open_brackets(line: &[u8]) -> usize {
    let mut scan = Scan::default();
    for &byte in line {
        scan.step(byte);
    }
    if scan.in_string { 0 } else { scan.depth }
}

#[derive(Default)]
struct Scan {
    depth: usize,
    in_string: bool,
    escaped: bool,
}

impl Scan {
    fn step(&mut self, byte: u8) {
        if self.in_string {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'\\' => self.escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => self.in_string = true,
            b'{' | b'[' => self.depth += 1,
            b'}' | b']' => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }
}

/// One value cut out of a document.
pub(super) struct Cut {
    pub(super) offset: u64,
    pub(super) bytes: u64,
    pub(super) too_long: bool,
    /// Its brackets closed before the file ended.
    pub(super) whole: bool,
}

/// Reads the next object into `text`. Between objects stand white space, commas and brackets of the
/// outer list; other bytes there are counted into `junk`. `None` at the end.
pub(super) fn next_object(
    input: &mut Bytes<'_>,
    text: &mut Vec<u8>,
    junk: &mut u64,
) -> io::Result<Option<Cut>> {
    text.clear();
    if !skip_to_object(input, junk)? {
        return Ok(None);
    }
    let mut cut = Cut { offset: input.offset, bytes: 0, too_long: false, whole: false };
    let mut scan = Scan::default();
    while !cut.whole {
        let waiting = input.peek()?;
        if waiting.is_empty() {
            break;
        }
        let mut taken = 0;
        for &byte in waiting {
            scan.step(byte);
            taken += 1;
            if scan.depth == 0 {
                cut.whole = true;
                break;
            }
        }
        cut.bytes += taken as u64;
        cut.too_long |= cut.bytes > MAX_RECORD_BYTES as u64;
        if cut.too_long {
            text.clear();
        } else {
            text.extend_from_slice(&waiting[..taken]);
        }
        input.consume(taken);
    }
    Ok(Some(cut))
}

fn skip_to_object(input: &mut Bytes<'_>, junk: &mut u64) -> io::Result<bool> {
    const BETWEEN: &[u8] = b"[], \t\r\n\xef\xbb\xbf";
    loop {
        let waiting = input.peek()?;
        if waiting.is_empty() {
            return Ok(false);
        }
        let start = memchr::memchr(b'{', waiting);
        let skipped = start.unwrap_or(waiting.len());
        *junk += waiting[..skipped].iter().filter(|byte| !BETWEEN.contains(byte)).count() as u64;
        input.consume(skipped);
        if start.is_some() {
            return Ok(true);
        }
    }
}

/// The records of a container: the elements of its only list of objects, and the rest of it.
pub(super) struct Container {
    pub(super) records: Vec<Range<usize>>,
    /// The container without the list, if anything else stands in it.
    pub(super) rest: Option<String>,
}

/// Members by which an object is a record itself, whatever lists stand in it.
const OWN: &[&str] = &["type", "message", "payload", "attributes", "jsonrpc"];

/// Looks for a list of objects in an object that is no record itself.
pub(super) fn container(text: &str) -> Option<Container> {
    let members: BTreeMap<String, &RawValue> = serde_json::from_str(text).ok()?;
    if OWN.iter().any(|name| members.contains_key(*name)) {
        return None;
    }
    let lists = members.iter().filter(|(_, value)| value.get().starts_with('['));
    let (name, list) = lists.max_by_key(|(_, value)| value.get().len())?;
    let items: Vec<&RawValue> = serde_json::from_str(list.get()).ok()?;
    if items.is_empty() || !items.iter().all(|item| item.get().starts_with('{')) {
        return None;
    }
    // the items are slices of the text: their place is the distance of their addresses
    let place = |item: &&RawValue| {
        let start = item.get().as_ptr() as usize - text.as_ptr() as usize;
        start..start + item.get().len()
    };
    let others: BTreeMap<&String, &&RawValue> = members.iter().filter(|(other, _)| *other != name).collect();
    let rest = if others.is_empty() { None } else { serde_json::to_string(&others).ok() };
    Some(Container { records: items.iter().map(place).collect(), rest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documents_are_told_from_lines_by_their_first_line() {
        for document in [
            "[",
            "{",
            "[{\"type\":\"user\"}]",
            "[ {",
            "{\"loglines\": [",
            "{ \"a\": 1,",
            "[]",
            "{\"title\":\"x\",\"loglines\":[{}]}",
        ] {
            assert!(starts_document(document.as_bytes()), "{document}");
        }
        for lines in [
            "{\"a\":\"\\\"loglines\\\":\"}",
            "{\"type\":\"user\"}",
            "[16:29:14.606] x",
            "{\"a\":\"torn {",
            "{}",
            "",
            "[1]",
            "x",
        ] {
            assert!(!starts_document(lines.as_bytes()), "{lines}");
        }
    }

    #[test]
    fn a_container_gives_its_records_and_what_is_left() {
        let text = r#"{"loglines": [ {"type":"user"}, {"b":[1]} ], "id":"x"}"#;
        let found =
            container(text).map(|c| (c.records.into_iter().map(|r| &text[r]).collect::<Vec<_>>(), c.rest));
        assert_eq!(
            found,
            Some((vec![r#"{"type":"user"}"#, r#"{"b":[1]}"#], Some(r#"{"id":"x"}"#.to_owned())))
        );
        assert!(container(r#"{"type":"user","list":[{}]}"#).is_none());
        assert!(container(r#"{"list":[1]}"#).is_none());
    }
}
