//! What systems, pools, servers and crackers keep of passwords, and what stands beside it.

use super::add;
use crate::span::Spans;
use crate::value;

/// `root:VYP3PwbakumIt:0:0::/:/bin/sh`: thirteen signs, as the oldest systems keep a password.
pub(super) fn crypted(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    const LONG: usize = 13;
    let Some(start) = at.checked_sub(LONG + 1).filter(|&start| text[start] == b':') else { return end };
    let word = &text[start + 1..at];
    let form = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/');
    if word.iter().all(form)
        && word.iter().any(u8::is_ascii_uppercase)
        && word.iter().any(u8::is_ascii_lowercase)
    {
        spans.add(start + 1, at, "password", true);
    }
    end
}

/// `"app" "md59f20…"⏎"stats" "X"`: the lines around it of a pool's users.
pub(super) fn pooled(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    const REACH: usize = 240;
    const HASH: usize = 8;
    let hash = text[at + 6..].iter().take(HASH).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if hash < HASH {
        return at;
    }
    let first = at.saturating_sub(REACH);
    let window = &text[first..text.len().min(at + REACH)];
    crate::work::read(window.len());
    for line in window.split(|&byte| byte == b'\n') {
        let row = line.trim_ascii().strip_prefix(b"\"").and_then(|row| row.strip_suffix(b"\""));
        let Some(gap) = row.and_then(|row| crate::search::find(row, b"\" \"")) else { continue };
        let Some(secret) = row.map(|row| &row[gap + 3..]) else { continue };
        let stored = secret.starts_with(b"md5") || secret.starts_with(b"SCRAM-");
        if !stored && !secret.contains(&b'"') && value::is_choosable(secret) {
            let start = crate::search::offset(text, secret);
            add(text, start, start + secret.len(), spans);
        }
    }
    at
}

/// `Loaded 1 password hash (…)⏎X         (svc_backup)`: what a cracker found, and whose it is.
pub(super) fn cracked(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    const MOST_LINES: usize = 12;
    const REACH: usize = 800;
    let said = crate::search::line_before(text, at, 16).trim_ascii_start();
    if !(said.starts_with(b"Loaded ") || text[at..end].starts_with(b"Loaded ")) {
        return end;
    }
    let window = &text[end..text.len().min(end + REACH)];
    crate::work::read(window.len());
    for line in window.split(|&byte| byte == b'\n').skip(1).take(MOST_LINES) {
        let row = line.trim_ascii_end();
        let Some(gap) = crate::search::find(row, b"  ").filter(|&gap| gap >= 4) else { continue };
        let user = row[gap..].trim_ascii();
        let (opens, closes) = (user.starts_with(b"("), user.ends_with(b")"));
        if opens && closes && !row[..gap].contains(&b' ') && !user.contains(&b' ') {
            let start = crate::search::offset(text, row);
            add(text, start, start + gap, spans);
        }
    }
    end
}

/// `{AES256}aqWm08xn…=`: what a server sealed with a key that stands beside it.
pub(super) fn sealed(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let of_base64 = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
    let long = text[end..].iter().take(256).take_while(of_base64).count();
    if long >= 20 && !value::is_placeholder(&text[end..end + long]) {
        spans.add(at, end + long, "password", true);
    }
    end + long
}
