//! Secrets in sentences: "the password for admin is hunter2", "log in with admin / Passw0rd!".
//!
//! A sentence gives no syntax to lean on, so the value must show itself: digits among letters,
//! symbols, or spelling that no word has; and it must stand within a few words of its name.

use crate::chance;
use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value::{self, Place, Traits};

const MOST_WORDS: usize = 8;
const REACH: usize = 120;
const LONGEST_WORD: usize = 512;

/// One word of a sentence, without the quotes and punctuation around it.
struct Word {
    start: usize,
    end: usize,
    quoted: bool,
    ends_sentence: bool,
    /// Where the next word may begin.
    after: usize,
}

/// Looks for the value of a name that ends at `stop`.
pub(crate) fn after_name(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if let Some((start, end)) = answered(text, stop, name) {
        return spans.add(start, end, name.kind, false);
    }
    // "pass" is a verb, "pat" a pattern: without a sign of syntax they name only what shows itself.
    let verb = matches!(
        text[start..stop].to_ascii_lowercase().as_slice(),
        b"pass" | b"pw" | b"pat" | b"sid" | b"sas" | b"sig" | b"code" | b"auth" | b"cred"
    );
    if verb {
        return after_verb(text, stop, name, spans);
    }
    if before_name(text, start, name, spans) {
        return;
    }
    if !matches!(text.get(stop), Some(b' ' | b'"' | b'\'' | b'`' | b')' | b':' | b'*' | b'\t')) {
        return;
    }
    let (mut at, mut first) = (stop, stop);
    let mut copula = text[stop] == b':';
    let mut just = copula;
    let limit = text.len().min(at + REACH);
    // Directly after a colon the value is near, or it is not one.
    let most = if copula { 3 } else { MOST_WORDS };
    for _ in 0..most {
        let Some(word) = next_word(text, at, limit) else { return next_line(text, at, name, spans) };
        let bytes = &text[word.start..word.end];
        if crate::search::has(&text[at..word.end], b"[REDACTED") {
            return;
        }
        if !is_plausible(bytes, word.quoted) {
            // Most words are words.
        } else if is_value(name, bytes, word.quoted && (just || shows_digit(bytes)), copula || at == stop)
            || is_handed(text, start, at == first, name, bytes, copula)
        {
            return spans.add(word.start, word.end, name.kind, false);
        }
        just = matches!(bytes, b"is" | b"was" | b"to" | b"as" | b"=" | b"be" | b"now" | b"became" | b"are");
        copula |= just;
        if word.ends_sentence {
            return;
        }
        // `password 7 0822…`: a router's type of encoding stands between.
        if bytes.len() == 1 && bytes[0].is_ascii_digit() && first == at {
            first = word.after;
        }
        at = word.after;
    }
}

/// "what's the password again?⏎A: X": the last word of the next line, if little stands before it.
fn answered(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = &text[stop..text.len().min(stop + 40)];
    let line = memchr::memchr(b'\n', rest).filter(|&line| rest[..line].trim_ascii_end().ends_with(b"?"))?;
    let from = stop + line + 1;
    let below = &text[from..text.len().min(from + 80)];
    let below = &below[..memchr::memchr(b'\n', below).unwrap_or(below.len())];
    let start = from + memchr::memrchr(b' ', below.trim_ascii_end()).map_or(0, |blank| blank + 1);
    let speaker = &text[from..start];
    let (start, end) = strip(text, start, from + below.trim_ascii_end().len());
    let said = speaker.len() <= 24
        && (speaker.is_empty() || matches!(speaker.trim_ascii_end().last(), Some(b':' | b'>')));
    (said && name.trust == Trust::Password && looks_like_secret(&text[start..end])).then_some((start, end))
}

fn shows_digit(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit)
}

/// `user bob, pass mK8#pLq2`.
fn after_verb(text: &[u8], stop: usize, name: Name, spans: &mut Spans) {
    let Some(word) = next_word(text, stop, text.len().min(stop + REACH)) else { return };
    let bytes = &text[word.start..word.end];
    let traits = Traits::of(bytes);
    let shows = traits.digits >= 2 && traits.uppers > 0 || traits.digits > 0 && traits.symbols > 0;
    if name.trust == Trust::Password
        && text[stop] == b' '
        && shows
        && !has_joints(bytes)
        && is_value(name, bytes, false, true)
    {
        spans.add(word.start, word.end, name.kind, false);
    }
}

/// Whether a word is worth judging: quoted, or with a sign or digit that words don't have.
fn is_plausible(word: &[u8], quoted: bool) -> bool {
    let pair = word
        .iter()
        .position(|&byte| byte == b'=')
        .is_some_and(|at| word[at..].iter().any(|&byte| byte != b'='));
    word.len() >= 6
        && !pair
        && (quoted
            || word.len() >= 16
            || word.iter().any(|byte| !byte.is_ascii_alphabetic() && *byte != b'-'))
}

/// "Use the following password:⏎⏎X⏎": the only word of the next line that has one.
fn next_line(text: &[u8], at: usize, name: Name, spans: &mut Spans) {
    if at == 0 || text[at - 1..].iter().take(2).all(|&byte| !matches!(byte, b':' | b'?')) {
        return;
    }
    let gap =
        text[at..].iter().take(40).take_while(|byte| byte.is_ascii_whitespace() || **byte == b':').count();
    let limit = text.len().min(at + gap + 160);
    let Some(word) = next_word(text, at + gap, limit) else { return };
    // `A: X`, `<bob> X`: who says it stands before it.
    let speaker = matches!(text[word.after - 1], b':' | b'>') && word.after - at - gap <= 16;
    let said = if speaker { next_word(text, word.after, limit) } else { None };
    let word = said.unwrap_or(word);
    let alone = next_word(text, word.after, limit).is_none();
    let bytes = &text[word.start..word.end];
    if alone && is_value(name, bytes, true, true) && looks_like_secret(bytes) {
        spans.add(word.start, word.end, name.kind, false);
    }
}

/// Values that only their place gives away: `username bob secret X`, `wifi password Guest-2024`,
/// "the code is 493817".
fn is_handed(text: &[u8], start: usize, first: bool, name: Name, word: &[u8], copula: bool) -> bool {
    if value::is_placeholder(word) || word.len() < 6 || is_jargon(word) {
        return name.trust == Trust::Password
            && copula
            && (6..=8).contains(&word.len())
            && word.iter().all(u8::is_ascii_digit);
    }
    let line = start - text[..start].iter().rev().take(80).take_while(|&&byte| byte != b'\n').count();
    let opening = text[line..start].trim_ascii_start();
    let routers: [&[u8]; 7] =
        [b"username ", b"enable ", b"radius-server ", b"tacacs-server ", b"neighbor ", b"ppp ", b"crypto "];
    let router = routers.iter().any(|start| opening.starts_with(start));
    let traits = Traits::of(word);
    match name.trust {
        Trust::Secret | Trust::Weak => first && router && (looks_chosen(word) || value::is_hex(word)),
        Trust::Password => {
            first
                && traits.digits >= 2
                && traits.uppers >= 1
                && !word.iter().any(|byte| matches!(byte, b'/' | b'(' | b'.' | b'_' | b'=' | b'<'))
        }
    }
}

/// A phrase of twelve or more words.
pub(crate) fn phrase(text: &[u8], at: usize, spans: &mut Spans) {
    let start = at
        + text[at..]
            .iter()
            .take(24)
            .take_while(|byte| matches!(byte, b' ' | b':' | b'=' | b'"' | b'\'' | b'\n' | b'`'))
            .count();
    let (mut end, mut words) = (start, 0);
    while words < 25 {
        let long = text[end..].iter().take(10).take_while(|byte| byte.is_ascii_lowercase()).count();
        if !(3..=8).contains(&long) {
            break;
        }
        words += 1;
        end += long;
        if text.get(end) != Some(&b' ') {
            break;
        }
        end += 1;
    }
    if words >= 12 {
        spans.add(start, end - usize::from(text[end - 1] == b' '), "mnemonic", true);
    }
}

/// "hunter2 as the password", "hunter2 is the password".
fn before_name(text: &[u8], start: usize, name: Name, spans: &mut Spans) -> bool {
    let from = text.floor_boundary(start.saturating_sub(72));
    let window = &text[from..start];
    let line = window.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let mut words = window[line..].split(|&byte| byte == b' ').rev().filter(|word| !word.is_empty());
    let mut word = words.next().unwrap_or(b"");
    if matches!(word, b"the" | b"my" | b"our" | b"a" | b"its" | b"their" | b"new" | b"root" | b"admin") {
        word = words.next().unwrap_or(b"");
    }
    if !matches!(word, b"as" | b"is") {
        return false;
    }
    let Some(value) = words.next() else { return false };
    let offset = value.as_ptr() as usize - text.as_ptr() as usize;
    let (start, end) = strip(text, offset, offset + value.len());
    let quoted = start > offset;
    let found = is_value(name, &text[start..end], quoted, true);
    if found {
        spans.add(start, end, name.kind, false);
    }
    found
}

trait Boundary {
    fn floor_boundary(&self, at: usize) -> usize;
}

impl Boundary for [u8] {
    fn floor_boundary(&self, mut at: usize) -> usize {
        while at > 0 && self[at] & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    }
}

fn next_word(text: &[u8], at: usize, limit: usize) -> Option<Word> {
    let mut from = at;
    while from < limit && matches!(text[from], b' ' | b'\t') {
        from += 1;
    }
    if from >= limit || matches!(text[from], b'\n' | b'\r') {
        return None;
    }
    let long = text[from..].iter().take(LONGEST_WORD).take_while(|byte| !byte.is_ascii_whitespace()).count();
    crate::work::read(from + long - at);
    if long == LONGEST_WORD {
        return None;
    }
    let (start, end) = strip(text, from, from + long);
    let quote = |at: usize| matches!(text.get(at), Some(b'`' | b'"' | b'\'' | b'*' | b'\\'));
    let quoted = start > from && quote(start - 1) && quote(end);
    let ends_sentence =
        matches!(text.get(from + long - 1), Some(b'.' | b';' | b'!' | b'?')) && end < from + long;
    let after = from + long;
    let (start, end, quoted) = if start < end { (start, end, quoted) } else { (after, after, false) };
    Some(Word { start, end, quoted, ends_sentence, after })
}

/// Quotes, brackets and punctuation around a word are not the word.
fn strip(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end
        && matches!(text[start], b'\\' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'*' | b':' | b'<' | b'=')
    {
        start += 1;
    }
    let bytes = &text[start..end];
    if let Some(escape) = memchr::memchr2(b'"', b'`', bytes) {
        end = start + escape;
    } else if let Some(escape) = bytes.windows(2).position(|two| two == b"\\n") {
        end = start + escape;
    }
    while start < end
        && matches!(
            text[end - 1],
            b'"' | b'\'' | b'`' | b')' | b']' | b'.' | b',' | b';' | b':' | b'*' | b'>' | b'?' | b'\\'
        )
    {
        end -= 1;
    }
    (start, end)
}

fn is_value(name: Name, word: &[u8], quoted: bool, copula: bool) -> bool {
    if word.len() < 6
        || word.starts_with(b"&")
        || word.contains(&b'<')
        || is_jargon(word)
        || value::is_placeholder(word)
    {
        return false;
    }
    match name.trust {
        Trust::Password if name.kind == "mnemonic" => false,
        Trust::Password => {
            let digit = word.iter().any(u8::is_ascii_digit);
            let named = quoted && copula && (!has_joints(word) || digit && !word.contains(&b'/'));
            let traits = Traits::of(word);
            let shows =
                copula || quoted || traits.digits >= 2 || traits.symbols > 0 || chance::is_random(word);
            value::is_secret(name, word, if quoted { Place::Quoted } else { Place::Data })
                && (looks_chosen(word) && shows || named)
        }
        Trust::Secret => {
            copula_or_random(word, copula || quoted) && value::is_secret(name, word, Place::Data)
        }
        Trust::Weak => {
            (copula || matches!(name.kind, "seed" | "otp"))
                && chance::is_random(word)
                && value::is_secret(name, word, Place::Data)
        }
    }
}

fn copula_or_random(word: &[u8], helped: bool) -> bool {
    let traits = Traits::of(word);
    let mixed = traits.digits >= 2 && traits.letters >= 4;
    let spelt = has_joints(word) && chance::density(word) < 45;
    let random = helped && word.len() >= 12 && traits.digits > 0 && chance::is_random(word);
    random
        || mixed
            && (word.len() >= 16 && (chance::is_random(word) || value::is_hex(word) || value::is_uuid(word))
                || helped && word.len() >= 8 && !spelt && looks_chosen(word))
}

fn has_joints(word: &[u8]) -> bool {
    word.iter().any(|byte| matches!(byte, b'_' | b'.' | b'/' | b'(' | b'-'))
}

/// A password that a person chose: letters with digits or symbols, and no identifier's joints.
pub(crate) fn looks_chosen(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let code = word.iter().any(|byte| {
        matches!(byte, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'=' | b'/' | b'\\' | b'|')
    });
    if code && !chance::is_random(word) || traits.letters < 2 {
        return false;
    }
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner_symbols = word[1..word.len() - 1]
        .iter()
        .filter(|byte| matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'?'))
        .count();
    chance::is_random(word) && (traits.digits > 0 || word.len() >= 16)
        || word.len() >= 16 && traits.digits > 0 && (value::is_hex(word) || value::is_uuid(word))
        || traits.digits > 0 && (inner_symbols > 0 || traits.symbols > 0)
        || traits.digits >= 2 && !has_joints(word)
        || traits.digits >= 6 && traits.letters >= 4 && !word.contains(&b'_')
        || traits.digits > 0 && ending > 0 && word.len() >= 7 && !has_joints(word)
        || traits.digits > 0 && traits.uppers > 0 && traits.lowers > 0 && !has_joints(word)
        || is_leet(word) && !word.iter().any(|byte| matches!(byte, b'_' | b'/' | b'('))
}

/// `Gr4nite`, `Cl0udy`: a digit that stands for a letter inside a word.
pub(crate) fn is_leet(word: &[u8]) -> bool {
    word.windows(3).any(|three| {
        three[0].is_ascii_alphabetic()
            && !matches!(three[0], b'v' | b'V' | b'x' | b'h' | b's' | b'p')
            && matches!(three[1], b'0' | b'1' | b'3' | b'4' | b'5' | b'7')
            && three[2].is_ascii_lowercase()
    })
}

/// Whether a value shows by itself that it is one.
pub(crate) fn looks_like_secret(value: &[u8]) -> bool {
    value.len() >= 6
        && !is_jargon(value)
        && (looks_chosen(value) || value::is_wild(value, &Traits::of(value)))
}

/// Words with digits that no one would take for a password: `1Password`, `sha256`, `v1.2`, `OAuth2`.
pub(crate) fn is_jargon(word: &[u8]) -> bool {
    let lower = word.to_ascii_lowercase();
    let starts: [&[u8]; 28] = [
        b"1password",
        b"sha",
        b"oauth",
        b"base64",
        b"base62",
        b"utf",
        b"x509",
        b"ed25519",
        b"rs256",
        b"hs256",
        b"hs512",
        b"es256",
        b"aes",
        b"md5",
        b"argon2",
        b"pbkdf2",
        b"http",
        b"rfc",
        b"ipv4",
        b"ipv6",
        b"s3",
        b"pkcs",
        b"ec2",
        b"k8s",
        b"i18n",
        b"u2f",
        b"web3",
        b"python3",
    ];
    let version = lower.first() == Some(&b'v') && lower.get(1).is_some_and(u8::is_ascii_digit);
    let letters = lower.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let unit = lower.first().is_some_and(u8::is_ascii_digit)
        && letters <= 4
        && lower.iter().all(u8::is_ascii_alphanumeric)
        && lower.iter().skip_while(|byte| byte.is_ascii_digit()).all(u8::is_ascii_alphabetic);
    let ordinal = lower.iter().all(|byte| {
        byte.is_ascii_digit() || matches!(byte, b'-' | b':' | b'.' | b',' | b't' | b'z' | b'+' | b'%' | b'/')
    });
    version
        || unit
        || ordinal
        || starts.iter().any(|start| lower.starts_with(start)) && Traits::of(word).symbols == 0
        || lower.contains(&b'@') && lower.ends_with(b".com")
}

/// Lists of one-time codes below their heading: each code-shaped word of the lines that follow.
pub(crate) fn code_list(text: &[u8], stop: usize, spans: &mut Spans) {
    let limit = text.len().min(stop + 1024);
    let mut misses = 0;
    let mut at = stop;
    let mut shape: Option<usize> = None;
    while at < limit && misses < 6 {
        let long = text[at..limit].iter().take_while(|byte| !is_code_break(**byte)).count();
        if long == 0 {
            at += 1;
            crate::work::read(1);
            continue;
        }
        crate::work::read(long);
        let long = long + other_half(&text[at..limit], long);
        let word = &text[at..at + long];
        if is_one_time_code(word) && shape.is_none_or(|long_before| long_before == long) {
            spans.add(at, at + long, "recovery_code", false);
            shape = Some(long);
            misses = 0;
        } else if word.len() > 2 {
            misses += if shape.is_some() { 2 } else { 1 };
        }
        at += long;
    }
}

/// `48213 99017`: a blank and as many digits again belong to the code.
fn other_half(rest: &[u8], long: usize) -> usize {
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let half = rest.get(long + 1..2 * long + 1).is_some_and(digits);
    let ends = rest.get(2 * long + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    if long >= 4 && digits(&rest[..long]) && rest.get(long) == Some(&b' ') && half && ends {
        long + 1
    } else {
        0
    }
}

fn is_code_break(byte: u8) -> bool {
    byte.is_ascii_whitespace()
        || matches!(
            byte,
            b',' | b'"'
                | b'\''
                | b'`'
                | b':'
                | b'['
                | b']'
                | b'|'
                | b'*'
                | b'('
                | b')'
                | b'.'
                | b';'
                | b'\\'
                | b'='
        )
}

/// `4f7d-9k2m`, `12345-67890`, `a1b2c3d4e5`, `8341 2290`.
fn is_one_time_code(word: &[u8]) -> bool {
    let groups: Vec<&[u8]> = word.split(|&byte| matches!(byte, b'-' | b' ')).collect();
    let even = groups.iter().all(|group| group.len() == groups[0].len() && group.len() >= 3);
    let plain = word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b' '));
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let date = groups.len() == 3 && groups[0].len() == 4 && digits == 8;
    let grouped = groups.len() >= 2 && word.len() >= 8 && (digits > 0 || chance::density(word) >= 48);
    plain
        && even
        && !date
        && (grouped || groups.len() == 1 && word.len() >= 8 && word.len() <= 16 && digits >= 2)
}
