//! Where an unquoted value ends.

use super::Context;
use super::LONGEST_BARE;
use crate::quote;

/// Bytes at which an unquoted value may end; most are none.
const MAY_END: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte == 0
            || byte.is_ascii_whitespace()
            || matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'<' | b'&' | b';' | b',');
        byte += 1;
    }
    table
};

impl Context<'_> {
    /// Where an unquoted value ends; beside its own name it is none.
    pub(super) fn run_end(&self, value_at: usize) -> usize {
        let start = self.skip_blanks(value_at);
        if self.text[start..].starts_with(&self.text[self.start..self.stop]) {
            start
        } else {
            self.bare_end(start)
        }
    }

    /// The end of an unquoted value.
    pub(super) fn bare_end(&self, start: usize) -> usize {
        let (known, end) = self.bare.get();
        if known == start && end > 0 {
            return end;
        }
        let end = self.read_bare(start);
        self.bare.set((start, end));
        end
    }

    fn read_bare(&self, start: usize) -> usize {
        let window = &self.text[start..self.text.len().min(start + LONGEST_BARE)];
        let mut at = 0;
        loop {
            at += window[at..].iter().take_while(|&&byte| !MAY_END[usize::from(byte)]).count();
            let Some(&byte) = window.get(at) else { break };
            match byte {
                byte if byte.is_ascii_whitespace() || byte == 0 => break,
                b'\'' if is_apostrophe(window, at) => at += 1,
                b'"' | b'\'' | b'`' => break,
                b'\\' if matches!(window.get(at + 1), Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'u')) => {
                    break;
                }
                b'\\' if self.slashes_then_quote(start + at) => break,
                b'<' if matches!(window.get(at + 1), Some(b'/')) => break,
                b'&' | b';' | b',' if self.is_parameter_break(start + at) => break,
                _ => at += 1,
            }
        }
        crate::work::read(at);
        // `Password=X."`: the string ends, and no sentence.
        let enclosed = matches!(window.get(at), Some(b'"' | b'\'')) && self.text[..start].ends_with(b"=");
        if enclosed && window[..at].ends_with(b".") {
            return start + at;
        }
        start + at - trailing(&window[..at])
    }

    pub(super) fn slashes_then_quote(&self, at: usize) -> bool {
        quote::open(self.text, at).is_some() || {
            let slashes = self.text[at..].iter().take(64).take_while(|&&byte| byte == b'\\').count();
            slashes > 1 && matches!(self.byte(at + slashes), b'n' | b'r' | b't')
        }
    }

    /// `&name=` and `;Name=` begin the next parameter; `&quot;` ends a string.
    pub(super) fn is_parameter_break(&self, at: usize) -> bool {
        let rest = &self.text[at + 1..self.text.len().min(at + 40)];
        // `[{Key=X},{Key=Y}]`.
        if rest.starts_with(b"{") && self.text[..at].ends_with(b"}") {
            return true;
        }
        // Only names of settings (`;User Id=`) have blanks.
        let blank = self.byte(at) != b'&';
        let word = rest
            .iter()
            .take_while(|byte| {
                crate::search::is_one!(**byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'#' | b'[' | b']')
                    || blank && **byte == b' '
            })
            .count();
        // `&quot;` ends a string; `&Kran;` is half a password.
        let entity = rest[..word]
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'#');
        match rest.get(word) {
            Some(b'=') => word > 0,
            Some(b';') => word > 0 && (entity || self.byte(at) != b'&'),
            _ => false,
        }
    }
}

/// `Cigogne_d'Otter1`: between letters, and no other in the word.
fn is_apostrophe(window: &[u8], at: usize) -> bool {
    let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
    let rest = &window[at + 1..window.len().min(at + 64)];
    let end = rest.iter().position(|byte| byte.is_ascii_whitespace() || matches!(byte, b'<' | b'\''));
    let closes = end.is_some_and(|end| rest[end] == b'\'');
    let opens = window[..at].contains(&b'\'');
    letter(at.checked_sub(1).and_then(|at| window.get(at))) && letter(rest.first()) && !closes && !opens
}

/// Closing punctuation that belongs to the text around, not to the value.
pub(super) fn trailing(value: &[u8]) -> usize {
    let mut end = value.len();
    while end > 0 {
        let opener = match value[end - 1] {
            b',' | b';' | b'|' | b'.' | b':' => None,
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            b'>' => Some(b'<'),
            _ => break,
        };
        if opener.is_some_and(|opener| value[..end].contains(&opener)) {
            break;
        }
        end -= 1;
    }
    value.len() - end
}
