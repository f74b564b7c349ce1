//! What programs hand to others as literals, and what tools read out of machines and frameworks: `Key.fromUtf8('X')`,
//! `set_wallet('file:…', 'X')`, `: RSA otter.pem "X"`, `[*] DefaultPassword⏎OTTER\\kiosk:X`.

use super::calls::first_literal;
use super::files::in_quotes;
use super::{REACH, add, bare};
use crate::quote;
use crate::span::Spans;

/// Looks at what follows such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    Some(match word {
        b"clear-text=" => clear_text(text, end, spans),
        b".auth.basic " | b"set_wallet(" => second_quoted(text, end, spans),
        b"authtoken.token\"," => member_behind(text, end, spans),
        b"[*] defaultpassword" => of_machine(text, end, spans),
        b": rsa " => behind_file(text, end, spans),
        b"securestring |" | b"securestring  |" => next_cell(text, end, spans),
        b"key.fromutf8(" | b"key.frombase64(" | b"authenticator.generate(" | b" = password(" => {
            first_literal(text, end, spans)
        }
        _ => return None,
    })
}

/// `credential-reference={clear-text=X}`.
fn clear_text(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let word = &text[end..end + bare(text, end)];
    let long = word.iter().position(|byte| matches!(byte, b'}' | b')' | b',')).unwrap_or(word.len());
    if long >= 6 {
        add(text, end, end + long, spans);
    }
    end + long
}

/// `|  /prod/shop/db-password  |  SecureString |  X |`: what a store of a cloud keeps.
fn next_cell(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = crate::search::line(text, end, REACH);
    let cell = line.split(|&byte| byte == b'|').next().unwrap_or_default().trim_ascii();
    if cell.len() >= 4 && !cell.contains(&b' ') && cell.len() < line.len() {
        let start = crate::search::offset(text, cell);
        add(text, start, start + cell.len(), spans);
    }
    end
}

/// `: RSA vpnHost.pem "X"`: which key it opens, and what with.
fn behind_file(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let of_file = |byte: &&u8| byte.is_ascii_graphic() && **byte != b'"';
    let file = text[end..].iter().take(96).take_while(of_file).count();
    let past = end + file + usize::from(text.get(end + file) == Some(&b' '));
    if file > 0 { in_quotes(text, past, spans) } else { end }
}

/// `http.auth.basic 'ann', 'X'`: the second of two literals.
fn second_quoted(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some((quote, start)) = quote::open(text, end) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    let gap = text[stop + 1..].iter().take(4).take_while(|byte| matches!(byte, b',' | b' ')).count();
    if gap == 0 { stop } else { in_quotes(text, stop + 1 + gap, spans) }
}

/// `"model": "authtoken.token", "pk": "X"`: a framework dumps the tokens of its users.
fn member_behind(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let rest = text[end..].trim_ascii_start();
    let key = rest.strip_prefix(b"\"pk\":").map(<[u8]>::trim_ascii_start);
    key.map_or(end, |value| in_quotes(text, crate::search::offset(text, value), spans))
}

/// `[*] DefaultPassword⏎OTTER\kiosk:X`: what a tool reads out of a machine's registry.
fn of_machine(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some(start) = crate::search::next_line(text, end, 8) else { return end };
    let line = crate::search::line(text, start, REACH).trim_ascii_end();
    let Some(colon) = memchr::memchr(b':', line).filter(|&colon| colon > 1 && line.len() > colon + 4) else {
        return end;
    };
    if !line[..colon].contains(&b' ') {
        add(text, start + colon + 1, start + line.len(), spans);
    }
    start
}
