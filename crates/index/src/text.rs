//! The text of an event: one continuous stream of every string in it, however long.
//!
//! In: the string leaves of `data`, of the record that `raw.kept` keeps as a JSON string, and of text
//! blobs. Out: keys, numbers, erased members, binary blobs, an importer's pointers to what another member tells
//! (one word each, and in imported events only: nobody hides a sentence from search by naming its member so),
//! and what the redactor did (`redactions`: names and fingerprints, the marks themselves stand in the text).
//! Strings are divided by [`LEAF`], over which no phrase reaches.

use event::{Event, Line, Member, unescape};
use serde::Deserialize;

use crate::tokens::LEAF;

/// Fetches a blob by its id; `None` when it is gone or changed.
pub(crate) type Blobs<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

const REDACTIONS: &str = "redactions";
/// Keys under which an importer says what another member or event tells already.
const POINTERS: &[&str] = &["\"$same\"", "\"$told\"", "\"$json\"", "\"$record\"", "\"$time\""];

#[derive(Deserialize)]
struct BlobRef {
    blob: String,
    media: String,
}

/// What a JSON text is part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// A payload member: the key `blob` is ours.
    Member,
    /// A payload member of an imported event: the pointers are ours, too.
    Imported,
    /// The record of `raw.kept`, as a string in which JSON stands.
    Record,
    /// JSON that somebody else wrote.
    Foreign,
}

/// Appends the text of a line to `out`.
pub(crate) fn text_of(line: &Line<'_>, blobs: Blobs<'_>, out: &mut String) {
    let told = |member: &&Member<'_>| !member.is_erased() && member.name != REDACTIONS;
    let origin = line.fields.iter().find(|field| field.name == "origin").and_then(event::Field::text);
    for member in line.members.iter().filter(told) {
        walk(member.value, place(line.kind, origin.as_deref(), member.name), blobs, out);
    }
}

/// The text of an event that was taken out of its line: the same strings, in the order of its map.
pub(crate) fn text_of_event(event: &Event, blobs: Blobs<'_>) -> String {
    let mut out = String::new();
    for (name, value) in event.data.iter().filter(|(name, _)| *name != REDACTIONS) {
        let place = place(event.kind.as_str(), event.text("origin"), name);
        walk(&value.to_string(), place, blobs, &mut out);
    }
    out
}

fn place(kind: &str, origin: Option<&str>, member: &str) -> Place {
    match origin {
        _ if kind == "raw.kept" && member == "record" => Place::Record,
        Some("imported") => Place::Imported,
        _ => Place::Member,
    }
}

/// Finds the strings of a JSON text. Lenient: text that is not JSON gives what looks like strings.
fn walk(json: &str, place: Place, blobs: Blobs<'_>, out: &mut String) {
    let bytes = json.as_bytes();
    let mut at = 0;
    while let Some(start) = memchr::memchr(b'"', &bytes[at..]).map(|n| at + n) {
        let end = string_end(bytes, start);
        let literal = &json[start..end];
        let next = end + bytes[end..].iter().take_while(|b| b.is_ascii_whitespace()).count();
        at = end;
        if bytes.get(next) != Some(&b':') {
            leaf(literal, place, blobs, out);
        } else if place == Place::Imported && POINTERS.contains(&literal) {
            at = pointer_end(bytes, next + 1).unwrap_or(at);
        } else if literal == "\"blob\"" && place != Place::Foreign {
            at = memchr::memchr(b'}', &bytes[start..]).map_or(bytes.len(), |n| start + n);
            blob(&json[start..at], place, blobs, out);
        }
    }
}

/// Where the pointer ends that begins at `start`; `None` if what stands there is none.
fn pointer_end(bytes: &[u8], start: usize) -> Option<usize> {
    let end = (bytes.get(start) == Some(&b'"')).then(|| string_end(bytes, start))?;
    let says_more = bytes[start..end].iter().any(|byte| byte.is_ascii_whitespace() || *byte == b'\\');
    (!says_more).then_some(end)
}

/// Where the string that begins at `start` ends, quotes included.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]).map(|n| at + n) {
        if bytes[found] == b'"' {
            return found + 1;
        }
        at = found + 2;
    }
    bytes.len()
}

fn leaf(literal: &str, place: Place, blobs: Blobs<'_>, out: &mut String) {
    if literal.len() < 2 || !literal.ends_with('"') {
        return push(literal.trim_matches('"'), out);
    }
    let text = unescape(literal);
    match place {
        Place::Record => record(&text, blobs, out),
        Place::Member | Place::Imported | Place::Foreign => push(&text, out),
    }
}

/// A kept record: the strings in it if it is JSON, else itself.
fn record(text: &str, blobs: Blobs<'_>, out: &mut String) {
    if text.trim_start().starts_with(['{', '[', '"']) {
        walk(text, Place::Foreign, blobs, out);
    } else {
        push(text, out);
    }
}

fn blob(members: &str, place: Place, blobs: Blobs<'_>, out: &mut String) {
    let Ok(found) = serde_json::from_str::<BlobRef>(&format!("{{{members}}}")) else { return };
    let is_json = found.media == "application/json";
    if !is_json && !found.media.starts_with("text/") {
        return;
    }
    let Some(bytes) = blobs(&found.blob) else { return };
    let text = String::from_utf8_lossy(&bytes);
    match place {
        Place::Record if is_json => walk(&text, Place::Record, blobs, out),
        Place::Record => record(&text, blobs, out),
        _ if is_json => walk(&text, Place::Foreign, blobs, out),
        _ => push(&text, out),
    }
}

fn push(text: &str, out: &mut String) {
    if text.is_empty() {
        return;
    }
    if !out.is_empty() {
        out.push(LEAF);
    }
    out.push_str(text);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(json: &str, place: Place) -> String {
        let mut out = String::new();
        let blob = |id: &str| match id {
            "b3:text" => Some(b"from a blob".to_vec()),
            "b3:json" => Some(br#"{"k":["in json",{"blob":"not ours"}]}"#.to_vec()),
            _ => None,
        };
        walk(json, place, &blob, &mut out);
        out.replace(LEAF, "|")
    }

    #[test]
    fn strings_are_text_and_keys_are_not() {
        assert_eq!(text(r#"{"a":"x","b":["y \"z\"",1,null,{"c":"é\n"}]}"#, Place::Member), "x|y \"z\"|é\n");
        assert_eq!(text(r#""only""#, Place::Member), "only");
        assert_eq!(text("17", Place::Member), "");
    }

    #[test]
    fn an_importers_pointers_are_no_text_and_all_else_is() {
        let ext = r#"{"role":{"$told":"@role"},"args":{"$json":"1.input"},"x":[{"$record":"pi:a.0"},"y"],"$same":{"z":"w"}}"#;
        assert_eq!(text(ext, Place::Imported), "y|w");
        assert_eq!(text(r#"{"$same":"z"}"#, Place::Member), "z", "a caller's own member");
        assert_eq!(text(r#"{"$same":"z"}"#, Place::Foreign), "z");
        assert_eq!(
            text(r#"{"$same":"hidden words"}"#, Place::Imported),
            "hidden words",
            "more than a pointer says"
        );
        assert_eq!(text(r#"{"$same":"hidden\nwords"}"#, Place::Imported), "hidden\nwords");
        assert_eq!(place("note.added", Some("claimed"), "ext"), Place::Member);
        assert_eq!(place("note.added", Some("imported"), "ext"), Place::Imported);
        assert_eq!(place("raw.kept", Some("imported"), "record"), Place::Record);
    }

    #[test]
    fn text_blobs_are_read_and_binary_ones_are_not() {
        let blob =
            |id: &str, media: &str| format!(r#"[{{"blob":"{id}","bytes":9,"media":"{media}"}},"after"]"#);
        assert_eq!(text(&blob("b3:text", "text/plain"), Place::Member), "from a blob|after");
        assert_eq!(text(&blob("b3:json", "application/json"), Place::Member), "in json|not ours|after");
        assert_eq!(text(&blob("b3:text", "image/png"), Place::Member), "after");
        assert_eq!(text(&blob("b3:gone", "text/plain"), Place::Member), "after");
    }

    #[test]
    fn a_kept_record_gives_the_strings_in_it() {
        assert_eq!(text(r#""{\"k\" : \"v\\u00e9\", \"l\":[\"w\"]}""#, Place::Record), "vé|w");
        assert_eq!(text(r#""not json""#, Place::Record), "not json");
        assert_eq!(text(r#""{\"torn\": \"rec""#, Place::Record), "rec");
    }
}
