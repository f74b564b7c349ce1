//! Records out of a file that is something else: a log in which objects of transcripts are printed.
//!
//! Nobody can say what the rest of such a file is, so it is one gap a stretch of it, not one a line.

use super::cut::{looks_like_record, whole};
use super::{Gap, Part, PartText, Place};
use crate::json::{Budget, extent};

const REST: &str = "not part of any record";

/// Every object in the text that looks like a record, and one gap for all the rest.
pub(super) fn salvage(text: &str, place: Place) -> Vec<Part> {
    let (mut parts, mut at, mut saved) = (Vec::new(), 0, 0);
    // lines before `counted`
    let (mut line, mut counted) = (place.line, 0);
    let mut budget = Budget::of(text);
    while let Some(found) = memchr::memchr(b'{', text.as_bytes().get(at..).unwrap_or_default()) {
        let start = at + found;
        at = start + 1;
        // an object begins with a name; a line of a log rarely does
        if !text[at..].trim_start().starts_with('"') || budget.is_spent() {
            continue;
        }
        let Some(length) = extent(&text[start..], &mut budget) else { continue };
        if looks_like_record(&text[start..start + length]) {
            line += count_lines(&text[counted..start]);
            counted = start;
            let here = Place { line, offset: place.offset + start as u64 };
            parts.push(whole(text, PartText::Here(start..start + length), here));
            at = start + length;
            saved += length;
        }
    }
    let rest = text.len() - saved;
    if rest > 0 && !text.trim().is_empty() {
        parts.push(Part::Gap(Gap { reason: REST, bytes: rest as u64, place, text: None }));
    }
    parts
}

fn count_lines(text: &str) -> u64 {
    memchr::memchr_iter(b'\n', text.as_bytes()).count() as u64
}

#[cfg(test)]
mod tests {
    use super::super::{Item, Reader};

    #[test]
    fn printed_records_are_found_and_the_rest_is_one_gap() {
        let log = "[16:29:14] started {not json}\n[16:29:15] got: {\n  \"type\": \"user\",\n  \"uuid\": \"1\"\n}\n\
            [16:29:16] { \"a\": 1 } and {\"type\":\"user\",\"uuid\":\"2\"} done\n";
        let mut reader = Reader::open_for_salvage(log.as_bytes()).expect("opens");
        let mut found = Vec::new();
        while let Some(item) = reader.next_item().expect("reads") {
            found.push(match item {
                Item::Record(record) => {
                    format!("{} {}", record.place.line, record.value.expect("a value")["uuid"])
                }
                Item::Gap(gap) => format!("gap {}", gap.bytes),
            });
        }
        assert_eq!(found, ["2 \"1\"", "6 \"2\"", "gap 79"]);
    }

    #[test]
    fn braces_without_end_cost_no_square() {
        let log = "{\"a\":".repeat(300_000);
        let mut reader = Reader::open_for_salvage(log.as_bytes()).expect("opens");
        assert!(matches!(reader.next_item(), Ok(Some(Item::Gap(_)))));
    }
}
