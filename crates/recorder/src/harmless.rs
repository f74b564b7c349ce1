//! Recorded text where it is shown: it may try to colour, move, hide or reorder what a person sees, or to
//! hide words that only a model reads.

use std::fmt::Write as _;

/// The text with every control, bidirectional and invisible character made visible.
pub fn harmless(text: &str) -> String {
    // without an exit in the middle, many bytes are looked at at once
    if text.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~')) {
        return text.to_owned();
    }
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        match c {
            '\t' | '\n' | '\r' => out.push(' '),
            c if is_harmful(c) => {
                let _ = write!(out, "⟨{:04X}⟩", u32::from(c));
            }
            c => out.push(c),
        }
        out
    })
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
    json.chars().fold(String::with_capacity(json.len()), |mut out, c| {
        if is_harmful(c) && c != '\n' {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
        out
    })
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
