//! Recorded text where it is shown: it may try to colour, move, hide or reorder what a person sees, or to
//! hide words that only a model reads.

use std::fmt::Write as _;

/// The text with every control, bidirectional and invisible character made visible.
pub fn harmless(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    push_harmless(&mut out, text);
    out
}

/// The same, put behind what is there.
pub fn push_harmless(out: &mut String, text: &str) {
    each_odd(text, out, |c, out| match c {
        '\t' | '\n' | '\r' => out.push(' '),
        c if is_harmful(c) => {
            let _ = write!(out, "⟨{:04X}⟩", u32::from(c));
        }
        c => out.push(c),
    });
}

/// Copies printable ASCII as it stands, and shows what is left character by character.
fn each_odd(text: &str, out: &mut String, mut odd: impl FnMut(char, &mut String)) {
    let mut rest = text;
    loop {
        let (plain, other) = rest.split_at(plain_len(rest.as_bytes()));
        out.push_str(plain);
        let mut chars = other.chars();
        let Some(c) = chars.next() else { return };
        odd(c, out);
        rest = chars.as_str();
    }
}

/// Bytes in front of the first that is not printable ASCII. Without an exit in the middle of a block, many bytes are
/// looked at at once.
fn plain_len(bytes: &[u8]) -> usize {
    const BLOCK_BYTES: usize = 32;
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'~');
    let plain = |block: &&[u8]| block.iter().fold(true, |plain, byte| plain & is_plain(byte));
    let plain = bytes.chunks_exact(BLOCK_BYTES).take_while(plain).count() * BLOCK_BYTES;
    let rest = &bytes[plain..];
    plain + rest.iter().position(|byte| !is_plain(byte)).unwrap_or(rest.len())
}

/// The same for text that may have several lines.
pub fn harmless_lines(text: &str) -> impl Iterator<Item = String> + '_ {
    text.lines().map(|line| harmless(&line.replace('\t', "    ")))
}

/// The same for a text that is shown as it stands, line ends and tabs included.
pub fn harmless_text(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            c if is_harmful(c) && c != '\n' && c != '\t' => {
                let _ = write!(out, "⟨{:04X}⟩", u32::from(c));
            }
            c => out.push(c),
        }
        out
    })
}

/// A JSON document that no terminal can misread: such characters only ever stand in strings, where JSON
/// has another way to write them.
pub fn harmless_json(json: &str) -> String {
    // nearly every document: nothing in it is more than printable ASCII
    if json.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~' | b'\n')) {
        return json.to_owned();
    }
    let mut out = String::with_capacity(json.len());
    each_odd(json, &mut out, |c, out| {
        if is_harmful(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    });
    out
}

fn is_harmful(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_recorded_reaches_the_terminal_as_a_command() {
        let shown = harmless("a\u{1b}[31mred\u{9b}1m\u{202e}txt\u{200b}\u{7}");
        assert!(!shown.chars().any(is_harmful), "{shown}");
        assert!(shown.contains("⟨001B⟩[31mred") && shown.contains("⟨202E⟩"));
    }

    #[test]
    fn json_stays_the_same_value() {
        let text = serde_json::json!({"t": "a\u{9b}\u{202e}\u{e0041}b"}).to_string();
        let shown = harmless_json(&text);
        assert!(shown.is_ascii());
        assert_eq!(serde_json::from_str::<serde_json::Value>(&shown).ok(), serde_json::from_str(&text).ok());
    }
}
