//! What a store of keys writes down of those who log in: its monitor's lines, its protocol as it is sent.

use super::{REACH, add, bare};
use crate::quote;
use crate::span::Spans;
use crate::value;

/// Looks at what follows such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        b"] \"auth\" " => last_of(text, end, 2, spans),
        b"] \"hello\" " => behind(text, end, b"\"auth\" ", spans),
        b"] \"config\" \"set\" " => setting(text, end, spans),
        b"] \"acl\" \"setuser\" " => rules(text, end, spans),
        b"hello 2 auth " | b"hello 3 auth " => typed(text, end, spans),
        b"auth\n$" => bulk(text, end - 1, spans),
        _ => return None,
    }
    Some(end)
}

fn line(text: &[u8], start: usize) -> &[u8] {
    crate::search::line(text, start, REACH)
}

/// Where each of the quoted arguments stands.
fn arguments(text: &[u8], start: usize, most: usize) -> Vec<(usize, usize)> {
    let (mut at, mut found) = (start, Vec::new());
    while found.len() < most
        && let Some((quote, from)) = quote::open(text, at)
        && let Some(stop) = quote::close(text, from, quote)
    {
        found.push((from, stop));
        at = stop + quote.slashes + 1;
        if text.get(at) != Some(&b' ') {
            break;
        }
        at += 1;
    }
    found
}

/// `[0 10.0.0.7:51124] "AUTH" "worker" "X"`: the user may be left out.
fn last_of(text: &[u8], start: usize, most: usize, spans: &mut Spans) {
    if let Some(&(from, stop)) = arguments(text, start, most).last() {
        add(text, from, stop, spans);
    }
}

/// `"HELLO" "3" "AUTH" "worker" "X" "SETNAME" "a"`.
fn behind(text: &[u8], start: usize, word: &[u8], spans: &mut Spans) {
    let lower = line(text, start).to_ascii_lowercase();
    if let Some(at) = memchr::memmem::find(&lower, word) {
        last_of(text, start + at + word.len(), 2, spans);
    }
}

/// `"CONFIG" "SET" "requirepass" "X"`.
fn setting(text: &[u8], start: usize, spans: &mut Spans) {
    let found = arguments(text, start, 2);
    if let [(name, name_end), (from, stop)] = found[..]
        && [&b"requirepass"[..], b"masterauth", b"primaryauth"]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(&text[name..name_end]))
    {
        add(text, from, stop, spans);
    }
}

/// `"ACL" "SETUSER" "worker" "on" ">X" "~*"`.
fn rules(text: &[u8], start: usize, spans: &mut Spans) {
    const MOST: usize = 12;
    for (from, stop) in arguments(text, start, MOST) {
        if matches!(text[from], b'>' | b'<') {
            add(text, from + 1, stop, spans);
        }
    }
}

/// `HELLO 3 AUTH worker X`.
fn typed(text: &[u8], start: usize, spans: &mut Spans) {
    let user = bare(text, start);
    let from = start + user + 1;
    let long = bare(text, from.min(text.len()));
    if user > 0 && text.get(start + user) == Some(&b' ') && value::is_choosable(&text[from..from + long]) {
        add(text, from, from + long, spans);
    }
}

/// `*3⏎$4⏎AUTH⏎$6⏎worker⏎$7⏎X`: each word behind a line that says how long it is.
fn bulk(text: &[u8], start: usize, spans: &mut Spans) {
    let (mut at, mut last) = (start, None);
    for _ in 0..2 {
        let head = line(text, at);
        let long =
            head.strip_prefix(b"$").and_then(|digits| std::str::from_utf8(digits.trim_ascii_end()).ok());
        let Some(long) = long.and_then(|digits| digits.parse::<usize>().ok()) else { break };
        let from = at + head.len() + 1;
        let word = line(text, from);
        if word.trim_ascii_end().len() != long {
            break;
        }
        last = Some((from, from + long));
        at = from + word.len() + 1;
    }
    if let Some((from, stop)) = last {
        add(text, from, stop, spans);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn who_logs_in_is_written_down() {
        let head = "1718000000.330182 [0 10.0.0.7:51124]";
        for text in [
            format!("{head} \"AUTH\" \"starfighter\"\n{head} \"PING\"\n"),
            format!("{head} \"auth\" \"worker\" \"starfighter\"\n"),
            format!("{head} \"HELLO\" \"3\" \"AUTH\" \"worker\" \"starfighter\" \"SETNAME\" \"press\"\n"),
            format!("{head} \"CONFIG\" \"SET\" \"requirepass\" \"starfighter\"\n"),
            format!("{head} \"ACL\" \"SETUSER\" \"worker\" \"on\" \">starfighter\" \"~*\" \"+@all\"\n"),
            "> AUTH worker starfighter\nOK\n".to_owned(),
            "redis-cli> auth starfighter".to_owned(),
            "10.0.0.7:6379> HELLO 3 AUTH worker starfighter\n".to_owned(),
            "*2\r\n$4\r\nAUTH\r\n$11\r\nstarfighter\r\n".to_owned(),
            "*3\n$4\nauth\n$6\nworker\n$11\nstarfighter\n*1\n$4\nPING\n".to_owned(),
        ] {
            assert_eq!(found(&text), ["starfighter"], "{text}");
        }
        for text in [
            format!("{head} \"GET\" \"auth\" \"starfighter\"\n"),
            format!("{head} \"CONFIG\" \"SET\" \"maxmemory\" \"starfighter\"\n"),
            format!("{head} \"HELLO\" \"3\" \"SETNAME\" \"starfighter\"\n"),
            "[\"auth\", \"starfighter\"]".to_owned(),
            "> auth module loaded\nOK then\n".to_owned(),
            "> auth worker starfighter\nis what it says\n".to_owned(),
            "auth\n$11\nis what it costs\n".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
