//! Armoured keys: `-----BEGIN … PRIVATE KEY-----` to its END, through line breaks, `\n`, indentation,
//! diff signs and line numbers; without an END, as long as the lines look like a key's.

use crate::span::Spans;

const BEGIN: &[u8] = b"-----BEGIN ";

/// Looks at the block that begins at `at`; returns where to go on.
pub(crate) fn scan(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let label_at = at + BEGIN.len();
    let Some(label) = label(text, label_at) else { return label_at };
    if !is_private(label) {
        return label_at;
    }
    let body = label_at + label.len() + 5;
    let (end, bytes) = body_end(text, body);
    // A header that nothing follows is talk about keys.
    if bytes < 16 {
        return body;
    }
    spans.add(at, end, "private_key", true);
    end
}

fn label(text: &[u8], at: usize) -> Option<&[u8]> {
    let long =
        text[at..].iter().take(48).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b' ').count();
    text[at + long..].starts_with(b"-----").then(|| &text[at..at + long])
}

fn is_private(label: &[u8]) -> bool {
    label.windows(7).any(|word| word == b"PRIVATE")
        || label.ends_with(b"SECRET KEY BLOCK")
        || label.ends_with(b" SEED")
        || label.starts_with(b"OpenVPN ") && !crate::search::has(label, b"server ca")
}

/// Where the block ends, and how many key bytes it holds.
fn body_end(text: &[u8], from: usize) -> (usize, usize) {
    let (mut at, mut end, mut bytes) = (from, from, 0);
    loop {
        at = skip_between(text, at);
        if text[at..].starts_with(b"-----END") {
            return (after_end(text, at), bytes.max(16));
        }
        let run = text[at..].iter().take_while(|&&byte| is_armour(byte)).count();
        crate::work::read(run + 1);
        if run == 0
            || !(run >= 16
                || bytes > 0 && is_last_line(text, at, run)
                || bytes == 0 && is_field(text, at, run))
        {
            return (end, bytes);
        }
        let field = bytes == 0 && is_field(text, at, run);
        bytes += if field { 0 } else { run };
        at += if field { line_rest(text, at) } else { run };
        end = at;
    }
}

fn is_armour(byte: u8) -> bool {
    crate::search::is_one!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'+' | b'/' | b'=' | b'*' | b'[' | b']')
}

/// `Proc-Type: 4,ENCRYPTED`, `Version: GnuPG v2`.
fn is_field(text: &[u8], at: usize, run: usize) -> bool {
    let line = &text[at..text.len().min(at + 40)];
    run < 16
        && matches!(line.iter().find(|byte| !(byte.is_ascii_alphabetic() || **byte == b'-')), Some(b':'))
        && line
            .iter()
            .position(|&byte| byte == b':')
            .is_some_and(|colon| colon >= 4 && line.get(colon + 1) == Some(&b' '))
}

fn line_rest(text: &[u8], at: usize) -> usize {
    text[at..].iter().take(200).position(|&byte| matches!(byte, b'\n' | b'\\' | b'"')).unwrap_or(0).max(1)
}

/// A short last line has digits or padding, or is followed by nothing but a line break or a quote.
fn is_last_line(text: &[u8], at: usize, run: usize) -> bool {
    let line = &text[at..at + run];
    let next = text.get(at + run).copied().unwrap_or(b'\n');
    let padded = line.ends_with(b"=");
    let mixed = line.iter().any(u8::is_ascii_digit)
        && line.iter().any(u8::is_ascii_uppercase)
        && line.iter().any(u8::is_ascii_lowercase);
    matches!(next, b'\n' | b'\r' | b'\\' | b'"' | b'\'' | b'-' | b'`')
        && (padded
            || mixed
            || text[at + run..]
                .iter()
                .take(24)
                .position(|&byte| byte == b'-')
                .is_some_and(|_| leads_to_end(text, at + run)))
}

fn leads_to_end(text: &[u8], at: usize) -> bool {
    text[skip_between(text, at)..].starts_with(b"-----END")
}

/// Past line breaks (also escaped), blanks, diff signs, quotes of concatenated strings, line numbers.
fn skip_between(text: &[u8], from: usize) -> usize {
    let mut at = from;
    let mut fresh = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'\n' | b'\r' => fresh = true,
            b'\\' if matches!(text.get(at + 1), Some(b'n' | b'r' | b't')) => {
                fresh = true;
                at += 1;
            }
            b' ' | b'\t' | b'\\' => {}
            b'+' if fresh && text.get(at + 1).is_some() && text[at - 1] == b'\n' => {}
            b'-' if fresh && text[at - 1] == b'\n' && text.get(at + 1) != Some(&b'-') => {}
            b'"' | b'\'' | b'>' | b'|' | b','
                if fresh
                    || matches!(text.get(at + 1), Some(b'\n' | b'\\' | b' ' | b','))
                        && leads_to_string(text, at) => {}
            b'0'..=b'9' if fresh => {
                let Some(past) = line_number(text, at) else { break };
                at = past - 1;
            }
            _ => break,
        }
        at += 1;
    }
    at
}

/// `"line\n" +⏎ "line"`: the string goes on after the quote.
fn leads_to_string(text: &[u8], at: usize) -> bool {
    let rest = &text[at + 1..text.len().min(at + 24)];
    let gap = rest
        .iter()
        .take_while(|byte| matches!(byte, b' ' | b'\n' | b'\r' | b'\t' | b'+' | b'\\' | b',' | b'n'))
        .count();
    rest[..gap].contains(&b'\n') && matches!(rest.get(gap), Some(b'"' | b'\''))
}

/// `    12⇥`, `12: `, `12|`, `12→`.
fn line_number(text: &[u8], at: usize) -> Option<usize> {
    let digits = text[at..].iter().take(7).take_while(|byte| byte.is_ascii_digit()).count();
    let after = &text[at + digits..];
    if after.starts_with("→".as_bytes()) || after.starts_with("│".as_bytes()) {
        return Some(at + digits + "→".len());
    }
    let escaped = after.starts_with(b"\\t");
    let signed = matches!(after.first(), Some(b'\t' | b':' | b'|' | b' '));
    (digits < 7 && (escaped || signed)).then_some(at + digits + 1 + usize::from(escaped))
}

fn after_end(text: &[u8], at: usize) -> usize {
    let label = at + "-----END ".len();
    let long = text.get(label..).map_or(0, |rest| {
        rest.iter().take(48).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b' ').count()
    });
    let dashes = text
        .get(label + long..)
        .map_or(0, |rest| rest.iter().take(5).take_while(|&&byte| byte == b'-').count());
    (label + long + dashes).min(text.len())
}

/// `PuTTY-User-Key-File-2: …` holds its private lines behind `Private-Lines:`.
pub(crate) fn scan_putty(text: &[u8], at: usize, spans: &mut Spans) {
    let count_at = at + "Private-Lines:".len();
    let start = skip_between(
        text,
        count_at
            + text[count_at..]
                .iter()
                .take(8)
                .take_while(|byte| byte.is_ascii_digit() || **byte == b' ')
                .count(),
    );
    let (end, bytes) = body_end(text, start);
    if bytes >= 16 {
        spans.add(start, end, "private_key", true);
    }
}
