//! Lines of files that hold logins: password files, access lists, cookie jars, infrastructure's state.

use super::REACH;
use super::add;
use super::bare;
use crate::quote;
use crate::span::Spans;
use crate::value;

/// `"type": "random_password", …, "result": "X"`: what a provider of infrastructure made and keeps.
pub(super) fn generated(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + 800)];
    crate::work::read(window.len());
    // `"result": "X"` of a state, `result = "X"` as it is shown.
    let found = memchr::memmem::find(window, b"\"result\":").map(|at| at + 9);
    let shown = || memchr::memmem::find(&window[..window.len().min(200)], b" result = ").map(|at| at + 9);
    let Some(result) = found.or_else(shown) else { return end };
    let from = end + result;
    let from = from + usize::from(text.get(from) == Some(&b' '));
    let Some((_, start)) = quote::open(text, from) else { return end };
    let Some(long) = memchr::memchr2(b'"', b'\n', &text[start..]) else { return end };
    add(text, start, start + long.min(128), spans);
    start + long
}

/// `%any : PSK "X"`: a keyring's line.
pub(super) fn in_quotes(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some((quote, start)) = quote::open(text, end) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    add(text, start, stop, spans);
    stop
}

/// `.example.org⇥TRUE⇥/⇥TRUE⇥1790000000⇥name⇥X`: a line of a cookie jar.
pub(super) fn jar(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(REACH);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let row = crate::search::line(text, line, 4096);
    let fields: Vec<&[u8]> = row.split(|&byte| byte == b'\t').take(8).collect();
    if fields.len() != 7 || !fields[4].iter().all(u8::is_ascii_digit) {
        return end;
    }
    let value = fields[6].trim_ascii_end();
    if crate::header::is_cookie_secret(fields[5], value) {
        let start = line + row.len() - fields[6].len();
        spans.add(start, start + value.len(), "cookie", true);
    }
    line + row.len()
}

/// `u: bob⏎p: X`.
pub(super) fn below_user(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(80);
    let above = text[from..at]
        .rsplit(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_start()
        .to_ascii_lowercase();
    let long = bare(text, end);
    if [
        &b"u: "[..],
        b"user: ",
        b"usr: ",
        b"login: ",
        b"e: ",
        b"email: ",
        b"utente: ",
        b"benutzer: ",
        b"usuario: ",
        "usuário: ".as_bytes(),
        b"utilisateur : ",
        b"identifiant : ",
        b"gebruiker: ",
    ]
    .iter()
    .any(|user| above.starts_with(user))
        && long >= 4
    {
        add(text, end, end + long, spans);
    }
    end
}

/// A line of `.pgpass`: `host:5432:db:user:X`.
pub(super) fn colon_fields(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let host = text[..at]
        .iter()
        .rev()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'*' | b':'))
        .count();
    let opens = text[..at - host].last().is_none_or(|byte| matches!(byte, b'\n' | b'"' | b'\'' | b' '));
    let line = &text[end..text.len().min(end + REACH)];
    let line = &line[..line
        .iter()
        .enumerate()
        .position(|(at, byte)| {
            matches!(byte, b'\n' | b'"' | b'\'' | b' ') || *byte == b'\\' && line.get(at + 1) != Some(&b':')
        })
        .unwrap_or(line.len())];
    let mut fields = line.splitn(3, |&byte| byte == b':');
    let (Some(database), Some(user), Some(secret)) = (fields.next(), fields.next(), fields.next()) else {
        return end;
    };
    if host > 0 && opens && !database.is_empty() && !user.is_empty() {
        let start = end + database.len() + user.len() + 2;
        let whole = crate::search::line(text, start, REACH);
        let alone = text[..at - host].last().is_none_or(|&byte| byte == b'\n');
        let long = if alone && crate::value::is_phrase(whole) { whole.len() } else { secret.len() };
        add(text, start, start + long, spans);
    }
    end
}

/// `*:*:*:app:X`: a line of `.pgpass` for every host.
pub(super) fn any_host(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let Some(colon) = memchr::memchr(b':', &text[end..end + long]).filter(|&colon| colon > 0) else {
        return end;
    };
    add(text, end + colon + 1, end + long, spans);
    end + long
}

/// `jdbc:oracle:thin:scott/X@//host`.
pub(super) fn thin(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let pair = &text[end..end + long];
    let (Some(slash), Some(sign)) = (memchr::memchr(b'/', pair), memchr::memchr(b'@', pair)) else {
        return end;
    };
    if slash > 0 && slash < sign {
        add(text, end + slash + 1, end + sign, spans);
    }
    end + long
}

/// `127.0.0.1:6379> AUTH X`, `redis> AUTH user X`: what follows is the password, whatever it looks like.
pub(super) fn prompted(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(64);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let prompt = &text[line..at];
    let store = prompt.contains(&b':') || crate::search::has(prompt, b"redis");
    let mut start = end;
    let mut long = bare(text, start);
    if text.get(start + long) == Some(&b' ') {
        start += long + 1;
        long = bare(text, start);
    }
    // The store answers below.
    let below = text[start + long..].trim_ascii_start();
    let answer = below.strip_prefix(b"+").unwrap_or(below).strip_prefix(b"OK");
    let taken = answer.is_some_and(|rest| matches!(rest.first(), None | Some(b'\n' | b'\r')));
    let asked = !prompt.contains(&b' ') && (store || prompt.is_empty() && taken);
    if asked && matches!(text.get(start + long), None | Some(b'\n' | b'\r')) {
        add(text, start, start + long, spans);
    }
    end
}

/// `user worker on >X ~jobs:*`: a line of an access list; `#` says that it is a digest of the password.
pub(super) fn access_list(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(80);
    let before = text[from..at].rsplit(|&byte| byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
    let mut words = before.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).rev();
    let user =
        words.next().is_some() && words.next().is_some_and(|word| matches!(word, b"user" | b"setuser"));
    let long = bare(text, end);
    if user && long >= 4 && (text[end - 1] == b'>' || value::is_hex(&text[end..end + long])) {
        add(text, end, end + long, spans);
    }
    end
}

/// `poetry config http-basic.NAME user X`.
pub(super) fn stored(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let mut at = end + bare(text, end);
    let user = bare(text, at + 1);
    if text.get(at) != Some(&b' ') || user == 0 || text.get(at + 1 + user) != Some(&b' ') {
        return end;
    }
    at += user + 2;
    let long = bare(text, at);
    if long >= 6 && text[at..at + long].first() != Some(&b'-') {
        add(text, at, at + long, spans);
    }
    end
}

/// `chpasswd:⏎  list: |⏎    root:X`.
pub(super) fn user_list(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const MOST_LINES: usize = 16;
    if !crate::search::has(&text[end.saturating_sub(64)..end], b"chpasswd") {
        return end;
    }
    let mut at = end + 1;
    for _ in 0..MOST_LINES {
        let blanks =
            text.get(at..).map_or(0, |rest| rest.iter().take(16).take_while(|&&byte| byte == b' ').count());
        let start = at + blanks;
        let long = bare(text, start);
        let Some(colon) =
            text.get(start..start + long).and_then(|pair| memchr::memchr(b':', pair)).filter(|_| blanks > 0)
        else {
            break;
        };
        add(text, start + colon + 1, start + long, spans);
        at = start + long + 1;
    }
    end
}
