//! Logins as literals of a call: `login("bob", "X")`.

use super::REACH;
use super::add;
use crate::chance;
use crate::prose::looks_joined;
use crate::quote;
use crate::span::Spans;
use crate::value;

/// `login("user", "X")`, `HTTPBasicAuth('user', 'X')`: the second of two literals.
pub(super) fn arguments(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    // `login(page, 'amy', 'X')`: what is no literal comes first.
    let gap = text[end + 1..]
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b',' | b' '))
        .count();
    let from =
        if text[end + 1..end + 1 + gap].trim_ascii_end().ends_with(b",") { end + 1 + gap } else { end + 1 };
    let Some((quote, first)) = quote::open(text, from) else { return end };
    let Some(first_end) = quote::close(text, first, quote) else { return end };
    let mail = text[first..first_end].contains(&b'@');
    // `client.login('X')` of a bot.
    let first_word = &text[first..first_end];
    if first_word.len() >= 32 && chance::is_random(first_word) && text.get(first_end + 1) == Some(&b')') {
        add(text, first, first_end, spans);
        return end;
    }
    let sure = mail || !text[..end].ends_with(b"login") && !text[..end].ends_with(b"LOGIN");
    second_literal(text, first_end + quote.slashes + 1, sure, spans).unwrap_or(end)
}

/// Calls whose password stands at a known place among the literals.
const CALLS: [(&[u8], usize); 8] = [
    (b"ftp(", 2),
    (b"mysqli(", 2),
    (b"mysqli_connect(", 2),
    (b"mysql_connect(", 2),
    (b"pymysql.connect(", 2),
    (b"pdo(", 2),
    (b"getconnection(", 1),
    (b"networkcredential(", 1),
];

/// `connect("host", "user", "X")`: a literal after the first that looks like a secret.
pub(super) fn literals(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let (mut at, limit, mut count) = (end, text.len().min(end + REACH), 0);
    let call = text[end.saturating_sub(20)..end].to_ascii_lowercase();
    let place = CALLS.iter().find(|(name, _)| call.ends_with(name)).map(|(_, place)| *place);
    while at < limit && text[at] != b')' && text[at] != b'=' {
        let Some((quote, start)) = quote::open(text, at) else {
            at += 1;
            continue;
        };
        let Some(stop) = quote::close(text, start, quote) else { return at };
        let literal = &text[start..stop];
        let path = literal.contains(&b'/') || literal.contains(&b'.');
        let own = place == Some(count) && is_scrambled(literal);
        if count > 0
            && (own || !path)
            && (own
                || crate::prose::looks_like_secret(literal)
                || count == 2 && (is_marked(literal) || value::is_chosen(literal))
                || place == Some(count) && value::is_choosable(literal))
        {
            add(text, start, stop, spans);
        }
        (at, count) = (stop + quote.slashes + 1, count + 1);
    }
    at
}

/// `, "X")`: records X; where the call is `sure` to take a password, whatever word it is.
pub(crate) fn second_literal(text: &[u8], at: usize, sure: bool, spans: &mut Spans) -> Option<usize> {
    let gap = text
        .get(at..)?
        .iter()
        .take(24)
        .take_while(|byte| {
            matches!(byte, b',' | b' ' | b'\n') || byte.is_ascii_alphabetic() || **byte == b'('
        })
        .count();
    if text.get(at) != Some(&b',') {
        return None;
    }
    let (quote, start) = quote::open(text, at + gap)?;
    let stop = quote::close(text, start, quote)?;
    let word = &text[start..stop];
    let chosen = value::is_chosen(word) || sure && value::is_choosable(word);
    if chosen || crate::prose::looks_like_secret(word) || looks_joined(word) {
        add(text, start, stop, spans);
    }
    Some(stop)
}

/// `"SecureString", "Value": "X"`: up to the quote.
pub(super) fn to_quote(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = memchr::memchr2(b'"', b'\n', &text[end..text.len().min(end + REACH)]).unwrap_or(0);
    add(text, end, end + long, spans);
    end
}

/// `Authenticate(4471)` of a telephone exchange.
pub(super) fn number(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let Some(rest) = text[end..].strip_prefix(b"(") else { return false };
    let long = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let holds = (4..=8).contains(&long) && matches!(rest.get(long), Some(b')' | b','));
    if holds {
        spans.add(end + 1, end + 1 + long, "pin", false);
    }
    holds
}

/// `cookieParser('X')`, `Fernet(b"X")`: a call that takes nothing else.
pub(super) fn first_literal(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let from = end + usize::from(text.get(end) == Some(&b'b'));
    let Some((quote, start)) = quote::open(text, from) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    let word = &text[start..stop];
    if word.len() >= 8 && word.iter().all(u8::is_ascii_graphic) {
        add(text, start, stop, spans);
    }
    stop
}

/// `TwilioClient("AC…", "X")`: a literal after the first that nobody would have written.
pub(super) fn constructed(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let call = text[end.saturating_sub(20)..end].to_ascii_lowercase();
    if [
        &b"sftpclient("[..],
        b"ftpclient(",
        b"sshclient(",
        b"basicclient(",
        b"imapclient(",
        b"smtpclient(",
        b"ldapclient(",
    ]
    .iter()
    .any(|own| call.ends_with(own))
    {
        return literals(text, end, spans);
    }
    let Some((quote, first)) = quote::open(text, end) else { return end };
    let Some(first_end) = quote::close(text, first, quote) else { return end };
    // `WmsClient("https://…", "robot", "X")`: the host stands first.
    if crate::search::has(&text[first..first_end], b"://") {
        return literals(text, end, spans);
    }
    let at = first_end + quote.slashes + 1;
    let gap = text[at..].iter().take(3).take_while(|byte| matches!(byte, b',' | b' ')).count();
    let Some((quote, start)) = quote::open(text, at + gap).filter(|_| gap > 0) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    let word = &text[start..stop];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = value::is_hex(word) && word.len() >= 32;
    if word.len() >= 16
        && digits >= 2
        && (!word.contains(&b'/') || word.len() == 40)
        && (hex || chance::is_random(word))
    {
        add(text, start, stop, spans);
    }
    stop
}

/// Signs, digits and letters of both cases, whatever they are: a password's own place.
fn is_scrambled(literal: &[u8]) -> bool {
    let has = |sort: fn(&u8) -> bool| literal.iter().any(sort);
    literal.len() >= 8
        && literal.iter().all(u8::is_ascii_graphic)
        && !literal.contains(&b':')
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// `Nuss#Knacker`: a sign inside that no name of a user or a database has.
fn is_marked(literal: &[u8]) -> bool {
    let inside = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    literal.len() >= 8
        && inside.iter().any(|byte| matches!(byte, b'#' | b'!' | b'$' | b'%' | b'&' | b'*'))
        && literal.iter().all(u8::is_ascii_graphic)
}
