//! Other readings of a text, made only when a byte asks for them, with a way back to its offsets.
//!
//! - V1  unseen: zero-width characters and ANSI sequences removed, fullwidth and mathematical letters
//!   folded. Whole text, since a secret may be split anywhere.
//! - V2  unescaped: lines with `%XX`, `\u00XX`, `\xXX` or `&quot;`, decoded
//! - V3  decoded: runs of 24 or more base64 or hex characters that decode to printable text; a hit in
//!   one takes the whole run

use crate::decode;

/// A reading and, for each of its bytes, where it came from.
pub(crate) struct View {
    pub(crate) text: String,
    origins: Vec<u32>,
    end: u32,
    base: usize,
}

impl View {
    fn new(base: usize, capacity: usize) -> Self {
        Self { text: String::with_capacity(capacity), origins: Vec::with_capacity(capacity), end: 0, base }
    }

    fn push(&mut self, sign: char, from: usize) {
        let from = u32::try_from(from).unwrap_or(u32::MAX);
        self.text.push(sign);
        self.origins.extend(std::iter::repeat_n(from, sign.len_utf8()));
    }

    fn finish(mut self, long: usize) -> Self {
        self.end = u32::try_from(long).unwrap_or(u32::MAX);
        self
    }

    /// The range of the original that a range of the view came from.
    pub(crate) fn origin(&self, start: usize, end: usize) -> (usize, usize) {
        let at = |index: usize| self.origins.get(index).copied().unwrap_or(self.end) as usize;
        (self.base + at(start), self.base + at(end))
    }
}

fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// Fullwidth and mathematical letters and digits, as ASCII.
fn folded(sign: char) -> Option<char> {
    let code = u32::from(sign);
    let ascii = |code: u32| char::from_u32(code);
    match code {
        0xFF01..=0xFF5E => ascii(code - 0xFF01 + 0x21),
        0x1D400..=0x1D6A3 => {
            let place = (code - 0x1D400) % 52;
            ascii(if place < 26 { 0x41 + place } else { 0x61 + place - 26 })
        }
        0x1D7CE..=0x1D7FF => ascii(0x30 + (code - 0x1D7CE) % 10),
        _ => None,
    }
}

/// V1, if the text has anything of it.
pub(crate) fn unseen(text: &str) -> Option<View> {
    let escape = memchr::memchr(0x1B, text.as_bytes()).is_some();
    if !escape && text.is_ascii() {
        return None;
    }
    if !escape && !text.chars().any(|sign| sign >= '\u{AD}' && (is_unseen(sign) || folded(sign).is_some())) {
        return None;
    }
    let mut view = View::new(0, text.len());
    let mut signs = text.char_indices().peekable();
    while let Some((at, sign)) = signs.next() {
        if sign == '\u{1B}' {
            skip_ansi(&mut signs);
        } else if !is_unseen(sign) {
            view.push(folded(sign).unwrap_or(sign), at);
        }
    }
    Some(view.finish(text.len()))
}

/// `ESC [ … letter`, `ESC ] … BEL`, or one character.
fn skip_ansi(signs: &mut std::iter::Peekable<std::str::CharIndices<'_>>) {
    match signs.next() {
        Some((_, '[')) => {
            while signs.next_if(|&(_, sign)| !sign.is_ascii_alphabetic() && sign.is_ascii_graphic()).is_some()
            {
            }
        }
        Some((_, ']')) => while signs.next_if(|&(_, sign)| sign != '\u{7}' && sign != '\n').is_some() {},
        _ => return,
    }
    let _ = signs.next_if(|&(_, sign)| sign != '\n');
}

/// V2: one view for each stretch of lines that has escapes.
pub(crate) fn unescaped(text: &str) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut from = 0;
    while let Some(at) = next_escape(bytes, from) {
        let start = memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |line| from + line + 1);
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |line| at + line + 1);
        views.push(unescape(&text[start..end], start));
        from = end;
    }
    views
}

fn next_escape(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr3_iter(b'%', b'\\', b'&', &bytes[from..])
        .map(|at| from + at)
        .find(|&at| escape_at(&bytes[at..]).is_some())
}

/// The ASCII character that an escape stands for, and its length.
fn escape_at(rest: &[u8]) -> Option<(char, usize)> {
    let hex = |from: usize| -> Option<u32> {
        let digit = |at: usize| rest.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        Some(digit(from)? * 16 + digit(from + 1)?)
    };
    let (code, long) = match rest {
        [b'%', ..] => (hex(1)?, 3),
        [b'\\', b'u', b'0', b'0', ..] => (hex(4)?, 6),
        [b'\\', b'x', ..] => (hex(2)?, 4),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => (0x22, 6),
        [b'&', b'a', b'p', b'o', b's', b';', ..] => (0x27, 6),
        [b'&', b'a', b'm', b'p', b';', ..] => (0x26, 5),
        [b'&', b'l', b't', b';', ..] => (0x3C, 4),
        [b'&', b'g', b't', b';', ..] => (0x3E, 4),
        [b'&', b'#', b'x', ..] if rest.get(5) == Some(&b';') => (hex(3)?, 6),
        [b'&', b'#', b'3', b'9', b';', ..] => (0x27, 5),
        [b'&', b'#', b'3', b'4', b';', ..] => (0x22, 5),
        _ => return None,
    };
    (0x20..0x7F).contains(&code).then(|| char::from_u32(code)).flatten().map(|sign| (sign, long))
}

fn unescape(line: &str, base: usize) -> View {
    let mut view = View::new(base, line.len());
    let mut at = 0;
    while let Some(sign) = line[at..].chars().next() {
        let (sign, long) = match sign {
            '%' | '\\' | '&' => escape_at(&line.as_bytes()[at..]).unwrap_or((sign, 1)),
            _ => (sign, sign.len_utf8()),
        };
        view.push(sign, at);
        at += long;
    }
    view.finish(line.len())
}

const SHORTEST_RUN: usize = 24;

const RUN_BYTES: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_');
        byte += 1;
    }
    table
};

fn is_run_byte(byte: u8) -> bool {
    RUN_BYTES[usize::from(byte)]
}

/// V3: each run that decodes to printable text, with its range.
pub(crate) fn decoded(text: &[u8], mut found: impl FnMut(usize, usize, String)) {
    let mut at = SHORTEST_RUN - 1;
    let mut floor = 0;
    // Every run of 24 holds one of each 24th bytes: most text is skipped unread.
    while at < text.len() {
        if !is_run_byte(text[at]) {
            at += SHORTEST_RUN;
            continue;
        }
        let start = at - text[floor..at].iter().rev().take_while(|&&byte| is_run_byte(byte)).count();
        let end = at + text[at..].iter().take_while(|&&byte| is_run_byte(byte)).count();
        if end - start >= SHORTEST_RUN {
            let padded = end + text[end..].iter().take(2).take_while(|&&byte| byte == b'=').count();
            if let Some(plain) = printable(&text[start..end]) {
                found(start, padded, plain);
            }
        }
        floor = end;
        at = end + SHORTEST_RUN;
    }
}

fn printable(run: &[u8]) -> Option<String> {
    // The first bytes tell at once that most runs are not text.
    let quick = |bytes: &[u8]| {
        bytes.iter().all(|&byte| (0x20..0x7F).contains(&byte) || matches!(byte, b'\n' | b'\r' | b'\t'))
    };
    let plausible = decode::base64(&run[..16]).is_some_and(|head| quick(&head));
    let plain = if plausible {
        let whole = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
        decode::base64(whole)
    } else if run.iter().take(32).all(u8::is_ascii_hexdigit) && run.len() >= 32 {
        decode::hex(run).filter(|bytes| quick(bytes))
    } else {
        None
    }?;
    let text = String::from_utf8(plain).ok()?;
    text.chars().all(|sign| !sign.is_control() || sign.is_ascii_whitespace()).then_some(text)
}
