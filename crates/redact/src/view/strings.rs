//! V4: what a string says. A tool's output stands in a transcript as one long string, `{"content":"login: ann⏎…"}` with
//! its line breaks and quotes escaped, and there no name begins a line, no table has rows, no prompt an answer.
//!
//! - S1  only strings that have such an escape, and nothing but JSON's signs around them
//! - S2  each byte is read once, whatever is open or closed

use super::{Hits, View};

/// Nothing shorter has a name and a value, and something beside them.
const SHORTEST: usize = 24;

/// One view for each string with escapes that say how it looks.
pub(crate) fn strings(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut from = 0;
    // Hot path: most lines have no backslash.
    while let Some(slash) = memchr::memchr(b'\\', &bytes[from..]) {
        let at = from + slash;
        let line = memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |line| from + line + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |long| at + long);
        // Words of other tongues are no literals as they are escaped.
        if hits.any(line, end) || memchr::memmem::find(&bytes[at..end], b"\\u").is_some() {
            of_line(text, (line, end), hits, &mut views);
        }
        from = end;
    }
    views
}

/// The strings of one line. A stream may begin and end anywhere, and so may a torn file: what stands before the first
/// quote and behind the last is read as well, and whoever begins inside a string finds the next that opens one.
fn of_line(text: &str, (line, end): (usize, usize), hits: &Hits, views: &mut Vec<View>) {
    let bytes = text.as_bytes();
    crate::work::read(3 * (end - line));
    let mut add = |from: usize, string: &Read, is_one: bool| {
        let tells = string.tells && string.end - from > SHORTEST && is_one;
        let escaped = || memchr::memmem::find(&bytes[from..string.end], b"\\u").is_some();
        if tells && (hits.any(from, string.end) || escaped()) {
            views.push(read(&text[from..string.end], from));
        }
    };
    let head = close(&bytes[..end], line, b'"');
    add(line, &head, head.closed || line == 0 || end == bytes.len());
    for sign in [b'"', b'\''] {
        let mut at = line;
        while let Some(open) = memchr::memchr(sign, &bytes[at..end]).map(|open| at + open) {
            // An apostrophe opens nothing, nor does the quote that ends a string.
            if !opens(&bytes[line..open]) {
                at = open + 1;
                continue;
            }
            let string = close(&bytes[..end], open + 1, sign);
            add(
                open + 1,
                &string,
                string.closed && ends(&bytes[string.end + 1..end]) || !string.closed && sign == b'"',
            );
            if !string.closed {
                break;
            }
            at = string.end + 1;
        }
    }
}

/// Whether a quote behind `before` opens a string: JSON's signs stand there, perhaps with how it is meant (`b'…'`).
fn opens(before: &[u8]) -> bool {
    let bare = before.trim_ascii_end();
    let bare = match bare {
        [rest @ .., b'b' | b'r' | b'u' | b'f'] if bare.len() == before.len() => rest.trim_ascii_end(),
        _ => bare,
    };
    matches!(bare.last(), None | Some(b':' | b',' | b'[' | b'{' | b'(' | b'='))
}

/// Whether JSON's signs stand behind, or the next field of a log (`msg="…" took=3ms`).
fn ends(behind: &[u8]) -> bool {
    let behind = behind.trim_ascii_start();
    let name = behind.iter().take(24).take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    matches!(behind.first(), None | Some(b',' | b'}' | b']' | b')' | b';' | b':'))
        || name > 0 && behind.get(name) == Some(&b'=')
}

/// A string that was read.
pub(super) struct Read {
    pub(super) end: usize,
    pub(super) closed: bool,
    /// An escape says how it looks.
    tells: bool,
}

/// The string from `start`: to its quote, or to the line's end.
pub(super) fn close(line: &[u8], start: usize, sign: u8) -> Read {
    let (mut at, mut tells) = (start, false);
    while let Some(next) = line.get(at..).and_then(|rest| memchr::memchr2(sign, b'\\', rest)) {
        at += next;
        if line[at] == sign {
            return Read { end: at, closed: true, tells };
        }
        tells |= matches!(line.get(at + 1), Some(b'n' | b't' | b'r' | b'"' | b'\'' | b'u'));
        at += 2;
    }
    Read { end: line.len(), closed: false, tells }
}

/// The string as it is meant.
fn read(inside: &str, base: usize) -> View {
    let mut view = View::new(base, inside.len());
    read_into(&mut view, inside, 0);
    view.finish(inside.len())
}

/// The same behind what is read already; it stands at `from` in the original.
pub(super) fn read_into(view: &mut View, inside: &str, from: usize) {
    let mut at = 0;
    while at < inside.len() {
        let plain = memchr::memchr(b'\\', &inside.as_bytes()[at..]).unwrap_or(inside.len() - at);
        view.copy(&inside[at..at + plain], from + at);
        at += plain;
        let sign = match inside.as_bytes().get(at + 1) {
            Some(b'n') => '\n',
            Some(b't') => '\t',
            Some(b'r') => '\r',
            Some(sign @ (b'"' | b'\'' | b'\\' | b'/')) => char::from(*sign),
            Some(b'u') => {
                let Some((sign, long)) = letter(&inside.as_bytes()[at..]) else {
                    view.push('\\', from + at);
                    at += 1;
                    continue;
                };
                view.push(sign, from + at);
                at += long;
                continue;
            }
            // Others stay as they are: a view of their own reads them.
            Some(_) => {
                view.push('\\', from + at);
                at += 1;
                continue;
            }
            None => break,
        };
        view.push(sign, from + at);
        at += 2;
    }
}

/// A text whose escaped letters are letters.
pub(crate) fn lettered(text: &str) -> String {
    read(text, 0).text
}

/// What `\u00e9` stands for, and `\ud83d\ude00`; and how long it is.
fn letter(rest: &[u8]) -> Option<(char, usize)> {
    const LONG: usize = 6;
    let unit = |at: usize| {
        let digits = rest.get(at..at + LONG)?.strip_prefix(b"\\u")?;
        u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    };
    let first = unit(0)?;
    let units = [first, unit(LONG).unwrap_or_default()];
    let sign = char::decode_utf16(units).next()?.ok()?;
    Some((sign, LONG * sign.len_utf16()))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;
    use crate::view::{Hits, View};

    fn strings(text: &str) -> Vec<View> {
        let mut hits = Hits::default();
        (0..text.len()).for_each(|at| hits.mark(at));
        super::strings(text, &hits)
    }

    #[test]
    fn a_string_is_read_as_it_is_meant() {
        for (text, secret) in [
            // torn in front, torn behind
            (
                r#"a long listing\n| Site | Login | Pass |\n| --- | --- | --- |\n| shop | amy | Peach+Plum3 |","#,
                "Peach+Plum3",
            ),
            (
                r#"{"x":"| Site | Login | Pass |\n| --- | --- | --- |\n| shop | amy | Peach+Plum3 |\nand"#,
                "Peach+Plum3",
            ),
            (
                r#"{"content":"| Site | Login | Pass |\n| --- | --- | --- |\n| shop | amy | Peach+Plum3 |"}"#,
                "Peach+Plum3",
            ),
            (
                r#"{"out":"$ terraform output -raw db_password\nee4XzZCA=C7jles?HB6py"}"#,
                "ee4XzZCA=C7jles?HB6py",
            ),
            (
                r#"{"out":"> what was the backup passphrase again?\n\"slow worm under slate\" if I"}"#,
                "slow worm under slate",
            ),
            (
                r#"{"a":"{\"b\":\"host\\tuser\\tpw\\tsince\\nnas01\\tadmin\\tD4tengrab\\t2022\"}"}"#,
                "D4tengrab",
            ),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn other_strings_are_not_read_twice() {
        for text in [
            "printf(\"a line of some length: %s\", x);",
            "\"short\\none\"",
            "let path = \"C:\\\\users\\\\ann\\\\documents\\\\files\";",
            "a \"b c d e f g\\nh i j k l m n o p q\" r",
        ] {
            assert!(strings(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn open_strings_cost_no_square() {
        let quotes = "\"\\na".repeat(200_000);
        assert!(strings(&quotes).len() < 2);
    }
}
