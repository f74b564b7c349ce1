//! One line into its parts: records, and gaps for whatever else stands in it.
//!
//! The usual line is one record. A crash leaves others: NULs around a record, a stub that the next
//! record follows on the same line, two records without a line feed between them.

use std::ops::Range;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::{Gap, Part, PartText, Place};
use crate::json::{Budget, Parsed, extent, is_json, parse, without_lone_surrogates, without_odd_numbers};

const TORN: &str = "line ends in the middle of a record";
const UNREADABLE: &str = "not JSON";
const NULS: &str = "NUL bytes";
/// What can be mended in a record, and how.
const FIXES: &[(&str, Fix)] = &[("surrogates", without_lone_surrogates), ("numbers", without_odd_numbers)];

type Fix = fn(&str) -> Option<String>;

/// Cuts a line; `torn` says that nothing ended it.
pub(super) fn cut(text: &str, place: Place, torn: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    let Range { start, end } = inner(text);
    if start < end {
        cut_inner(text, start..end, place, torn, &mut parts);
    }
    let edges = [&text[..start], &text[end..]];
    let nuls: usize = edges.iter().map(|edge| edge.bytes().filter(|b| *b == 0).count()).sum();
    if nuls > 0 {
        parts.push(gap(NULS, nuls, place, if start < end { end } else { 0 }, None));
    }
    parts
}

/// The text without what stands around records.
pub(super) fn inner(text: &str) -> Range<usize> {
    let start = text.len() - text.trim_start_matches(is_blank).len();
    start..text.trim_end_matches(is_blank).len().max(start)
}

/// White space, NULs and byte order marks: none of them is part of a record.
fn is_blank(c: char) -> bool {
    matches!(c, '\0' | '\u{feff}' | ' ' | '\t' | '\r' | '\n')
}

fn gap(reason: &'static str, bytes: usize, place: Place, from: usize, text: Option<String>) -> Part {
    let place = Place { offset: place.offset + from as u64, ..place };
    Part::Gap(Gap { reason, bytes: bytes as u64, place, text })
}

/// The part for a text that is one record.
pub(super) fn whole(line: &str, text: PartText, place: Place) -> Part {
    let (given, range) = match &text {
        PartText::Here(range) => (&line[range.clone()], range.clone()),
        PartText::Made(made) => (made.as_str(), 0..0),
    };
    if let Parsed::Value(value) = parse(given) {
        return Part::Record { text, range, value: Some(value), place, repaired: Vec::new() };
    }
    let fixed = FIXES.iter().find_map(|(what, fix)| {
        let made = fix(given)?;
        let Parsed::Value(value) = parse(&made) else { return None };
        Some((PartText::Made(made), Some(value), vec![*what]))
    });
    let (text, value, repaired) = fixed.unwrap_or((text, None, Vec::new()));
    Part::Record { text, range, value, place, repaired }
}

fn cut_inner(text: &str, inner: Range<usize>, place: Place, torn: bool, parts: &mut Vec<Part>) {
    // the usual line; parsing it is the test
    let part = whole(text, PartText::Here(inner.clone()), place);
    if matches!(part, Part::Record { value: Some(_), .. }) || is_json(&text[inner.clone()]) {
        parts.push(part);
        return;
    }
    let (start, end) = (inner.start, inner.end);
    let mut budget = Budget::of(&text[start..end]);
    let mut at = start;
    while at < end {
        let rest = &text[at..end];
        at += rest.len() - rest.trim_start_matches(is_blank).len();
        let rest = &text[at..end];
        if let Some(length) = record_length(rest, at == start, &mut budget) {
            let here = Place { offset: place.offset + at as u64, ..place };
            parts.push(whole(text, PartText::Here(at..at + length), here));
            at += length;
            continue;
        }
        let length = next_record(rest, &mut budget).unwrap_or(rest.len());
        let reason = if torn && at + length == end { TORN } else { UNREADABLE };
        parts.push(gap(reason, length, place, at, Some(rest[..length].to_owned())));
        at += length;
    }
}

/// The length of the object that starts here; one in the middle of a line must look like a record, or
/// an inner object of a torn one would be taken for it.
fn record_length(text: &str, first: bool, budget: &mut Budget) -> Option<usize> {
    if !text.starts_with('{') {
        return None;
    }
    let length = extent(text, budget)?;
    (first || looks_like_record(&text[..length])).then_some(length)
}

/// Where the next record starts behind something unreadable.
fn next_record(text: &str, budget: &mut Budget) -> Option<usize> {
    let mut from = 1;
    while let Some(found) = memchr::memmem::find(text.as_bytes().get(from..)?, b"{\"") {
        let at = from + found;
        match extent(&text[at..], budget) {
            Some(length) if looks_like_record(&text[at..at + length]) => return Some(at),
            // an inner object; what stands in it is no record either
            Some(length) => from = at + length,
            None if budget.is_spent() => return None,
            None => from = at + 1,
        }
    }
    None
}

/// A record says what it is, and whose or when it is; a content block doesn't.
pub(super) fn looks_like_record(text: &str) -> bool {
    #[derive(Deserialize)]
    struct Marks {
        #[serde(rename = "type")]
        kind: Option<IgnoredAny>,
        uuid: Option<IgnoredAny>,
        #[serde(rename = "sessionId")]
        session: Option<IgnoredAny>,
        timestamp: Option<IgnoredAny>,
        payload: Option<IgnoredAny>,
        message: Option<IgnoredAny>,
    }
    serde_json::from_str::<Marks>(text).is_ok_and(|marks| {
        let owner = marks.uuid.is_some() || marks.session.is_some() || marks.timestamp.is_some();
        marks.kind.is_some() && (owner || marks.payload.is_some() || marks.message.is_some())
    })
}

#[cfg(test)]
mod tests {
    use super::super::{Item, Reader};

    /// Records as text, gaps as `!bytes@offset`.
    fn read(bytes: &[u8]) -> Vec<String> {
        let mut reader = Reader::open(bytes).expect("opens");
        let mut found = Vec::new();
        while let Some(item) = reader.next_item().expect("reads") {
            found.push(match item {
                Item::Record(record) if record.value.is_some() => record.text.to_owned(),
                Item::Record(record) => format!("odd {}", record.text),
                Item::Gap(gap) => format!("!{}@{}", gap.bytes, gap.place.offset),
            });
        }
        found
    }

    const A: &str = r#"{"type":"a","uuid":"1"}"#;
    const B: &str = r#"{"type":"b","uuid":"2"}"#;

    #[test]
    fn usual_files_give_their_records() {
        assert_eq!(read(format!("{A}\n{B}\n").as_bytes()), [A, B]);
        assert_eq!(read(format!("\u{feff}{A}\r\n\r\n \n{B}").as_bytes()), [A, B]);
        assert!(read(b"").is_empty() && read(b"\n\n \r\n").is_empty());
    }

    #[test]
    fn nuls_at_the_edges_are_one_gap_a_line() {
        assert_eq!(read(format!("\0\0{A}\0\0\0\n{B}\n\0\0").as_bytes()), [A, "!5@25", B, "!2@53"]);
        assert_eq!(read(&[0; 9]), ["!9@0"]);
    }

    #[test]
    fn a_whole_record_behind_a_stub_is_saved() {
        let stub = r#"{"parentUuid":"x","isS"#;
        assert_eq!(read(format!("{stub}{A}\n{B}\n").as_bytes()), ["!22@0", A, B]);
        assert_eq!(read(format!("{A}{B}\n").as_bytes()), [A, B]);
        assert_eq!(read(format!("{A}{stub}{B}").as_bytes()), [A, "!22@23", B]);
    }

    #[test]
    fn a_torn_tail_is_a_gap_even_if_an_inner_object_is_whole() {
        let torn = r#"{"type":"a","uuid":"1","message":{"content":[{"type":"text","text":"x"}"#;
        assert_eq!(read(format!("{A}\n{torn}").as_bytes()), [A, &format!("!{}@24", torn.len())]);
    }

    #[test]
    fn json_that_a_line_cannot_carry_is_kept_as_text() {
        let (big, twice) = (r#"{"a":1e400}"#, r#"{"a":1,"a":2}"#);
        assert_eq!(
            read(format!("{big}\n{twice}\n[1]\n").as_bytes()),
            [format!("odd {big}"), format!("odd {twice}"), "[1]".to_owned()]
        );
    }

    #[test]
    fn bad_text_is_repaired_and_said() {
        let mut reader = Reader::open(&b"{\"a\":\"\xff \\ud800\"}\n"[..]).expect("opens");
        let Ok(Some(Item::Record(record))) = reader.next_item() else { panic!("a record") };
        assert_eq!(record.repaired, ["utf8", "surrogates"]);
        assert_eq!(record.value.map(|v| v["a"].clone()), Some("\u{fffd} \u{fffd}".into()));
        assert_eq!(
            read(b"\xff\xfe{\"type\":\"a\",\"uuid\":\"\xe9\"}\xff"),
            ["!2@0", "{\"type\":\"a\",\"uuid\":\"\u{fffd}\"}", "!1@25"]
        );
    }

    #[test]
    fn places_and_lengths_are_those_of_the_bytes_whatever_they_are() {
        // a document, its torn tail, and a log with a printed record
        assert_eq!(read(b"[{\xff\xff\xff}]"), ["!5@1"]);
        assert_eq!(read(b"[{\"a\":\"\xff\"},{\"b\":\xff\xff"), ["{\"a\":\"\u{fffd}\"}", "!7@11"]);
        assert_eq!(read(b"[{\"a\":\"\xff\",\"b\":NaN}]"), ["{\"a\":\"\u{fffd}\",\"b\":null}"]);
        let log =
            [b"\xff\xff got ", A.as_bytes(), b" \xe9\n", br#"{"type":"b","uuid":""#, b"\xe9\"}"].concat();
        let mut reader = Reader::open_for_salvage(&log[..]).expect("opens");
        let mut found = Vec::new();
        while let Some(item) = reader.next_item().expect("reads") {
            found.push(match item {
                Item::Record(record) => (record.place.line, record.place.offset, record.repaired.len()),
                Item::Gap(gap) => (0, gap.bytes, 0),
            });
        }
        assert_eq!(found, [(1, 7, 0), (2, 33, 1), (0, 10, 0)]);
    }

    #[test]
    fn openings_without_an_end_cost_no_square() {
        let line = "{\"a\":[".repeat(400_000);
        assert_eq!(read(line.as_bytes()).len(), 1);
        assert_eq!(read(format!("{line}x\n{A}").as_bytes()).len(), 2);
    }

    #[test]
    fn documents_give_their_elements() {
        assert_eq!(read(format!("[{A},\n {B}]").as_bytes()), [A, B]);
        assert_eq!(read(format!("{{\"loglines\": [\n{A},{B}],\"id\":7}}").as_bytes()), ["{\"id\":7}", A, B]);
        assert_eq!(
            read(b"{\n \"type\":\"a\"\n}\n{\n \"type\":\"b\"}"),
            ["{\n \"type\":\"a\"\n}", "{\n \"type\":\"b\"}"]
        );
        assert_eq!(read(format!("[{A},{{\"type\":").as_bytes()), [A, "!8@25"]);
        // on one line it is a record of its own, unless a piece of it is odd
        let line = |list: &str| format!("{{\"list\":[{list}],\"id\":7}}");
        assert_eq!(read(line(A).as_bytes()), [line(A)]);
        let odd = r#"{"n":1e400}"#;
        assert_eq!(read(line(&format!("{A},{odd}")).as_bytes()), ["{\"id\":7}", A, &format!("odd {odd}")]);
    }

    #[test]
    fn compressed_files_are_read_and_damage_is_a_gap() {
        let packed = zstd::encode_all(format!("{A}\n{B}\n").repeat(4000).as_bytes(), 1).expect("packs");
        assert_eq!(read(&packed).len(), 8000);
        let cut = read(&packed[..packed.len() - 9]);
        assert!(cut.last().is_some_and(|last| last.starts_with('!')), "{:?}", cut.last());
    }
}
