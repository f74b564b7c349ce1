//! Secrets in sentences: "the password for admin is hunter2", "log in with admin / Passw0rd!".
//!
//! A sentence gives no syntax to lean on, so the value must show itself: digits among letters,
//! symbols, or spelling that no word has; and it must stand within a few words of its name.

mod codes;
mod phrase;

pub(crate) use self::codes::code_list;
pub(crate) use self::phrase::{phrase, words};
use crate::chance;
use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value::{self, Place, Traits};

const MOST_WORDS: usize = 12;
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
    let passphrase = text[start..stop].to_ascii_lowercase().ends_with(b"phrase");
    let several = passphrase || text[stop..].starts_with(b": ") && name.trust == Trust::Password;
    let said = answered(text, stop, name)
        .or_else(|| {
            if several { words(text, stop).filter(|said| passphrase || said.1 - said.0 == 19) } else { None }
        })
        .or_else(|| spaced(text, stop, name));
    if let Some((start, end)) = said {
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
        let other = first == at && name.trust != Trust::Password && OTHERS.contains(&bytes);
        if other || crate::search::has(&text[at..word.end], b"[REDACTED") {
            return;
        }
        if !is_plausible(bytes, word.quoted) {
            // Most words are words.
        } else if is_value(name, bytes, word.quoted && (just || shows_digit(bytes)), copula || at == stop)
            || is_handed(text, start, at == first, name, bytes, copula)
            || name.trust == Trust::Password
                && looks_joined(bytes)
                && (just || at == first && is_below_user(text, stop, word.end))
            || name.kind == "key" && chance::is_product_key(bytes)
        {
            return spans.add(word.start, word.end, name.kind, false);
        }
        if let Some(pair) = from_to(text, &word, name, limit) {
            return pair.into_iter().for_each(|(start, end)| spans.add(start, end, name.kind, false));
        }
        just = matches!(
            bytes,
            b"is"
                | b"it's"
                | b"i.e"
                | b"e.g"
                | b"was"
                | b"to"
                | b"as"
                | b"="
                | b"be"
                | b"now"
                | b"became"
                | b"are"
        );
        just |= copula && text[word.after - 1] == b':' && word.after > word.end;
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

/// "changed the password from X to Y": both, if the new one shows itself.
fn from_to(text: &[u8], word: &Word, name: Name, limit: usize) -> Option<[(usize, usize); 2]> {
    if &text[word.start..word.end] != b"from" || name.trust != Trust::Password {
        return None;
    }
    let old = next_word(text, word.after, limit)?;
    let to = next_word(text, old.after, limit).filter(|to| &text[to.start..to.end] == b"to")?;
    let new = next_word(text, to.after, limit)?;
    let shows = |word: &Word| {
        let bytes = &text[word.start..word.end];
        looks_like_secret(bytes) || looks_joined(bytes)
    };
    (shows(&old) || shows(&new)).then_some([(old.start, old.end), (new.start, new.end)])
}

/// `Password "badge me up 22"`: a quoted phrase right behind its name.
fn spaced(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = text.get(stop..text.len().min(stop + 64))?.strip_prefix(b" \"")?;
    let long = memchr::memchr2(b'"', b'\n', rest)?;
    let phrase = &rest[..long];
    let shows = rest[long] == b'"' && phrase.contains(&b' ') && shows_digit(phrase) && phrase.len() >= 8;
    (shows && name.trust == Trust::Password).then_some((stop + 2, stop + 2 + long))
}

/// Words that name another thing of the same name: `key fingerprint`, `token count`, `password policy`.
#[rustfmt::skip]
const OTHERS: [&[u8]; 18] = [
    b"fingerprint", b"fingerprints", b"digest", b"checksum", b"hash", b"id", b"ids", b"count", b"length", b"size", b"policy",
    b"type", b"usage", b"limit", b"budget", b"expiry", b"expires", b"version",
];

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
    let opened = text[word.start - 1] == b'(' && chance::is_random(bytes) && traits.digits > 0;
    if name.trust == Trust::Password
        && text[stop] == b' '
        && (shows && !has_joints(bytes) && is_value(name, bytes, false, true)
            || opened
            || is_below_user(text, stop, word.end) && looks_joined(bytes))
    {
        spans.add(word.start, word.end, name.kind, false);
    }
}

/// `login bob⏎password X`: the line before names the user, and the value ends this one.
fn is_below_user(text: &[u8], stop: usize, end: usize) -> bool {
    const USERS: [&[u8]; 7] =
        [b"login ", b"user ", b"username ", b"utente ", b"usuario ", b"benutzer ", b"utilisateur "];
    let from = stop.saturating_sub(100);
    let mut lines = text[from..stop].rsplit(|&byte| byte == b'\n');
    let alone = lines.next().is_some_and(|line| line.trim_ascii_start().iter().all(u8::is_ascii_alphabetic));
    let above = lines.next().unwrap_or_default().trim_ascii_start().to_ascii_lowercase();
    alone
        && matches!(text.get(end), None | Some(b'\n' | b'\r'))
        && USERS.iter().any(|user| above.starts_with(user))
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

/// `Plum7-Ocelot3`, `serif-Gothic-3`, `blue.Giraffe.19`: words with joints, of which one is a number or has one.
/// Also what identifiers look like, so only where nothing but a password can stand.
pub(crate) fn looks_joined(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let plain = word.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'-' | b'_' | b'.' | b'!' | b'#' | b'+')
    });
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner = traits.digits > ending;
    word.len() >= 8
        && plain
        && traits.digits > 0
        && (traits.letters >= 4 || !word.is_ascii())
        && (traits.uppers > 0 || ending >= 2 || inner)
        && !is_jargon(word)
        && !value::is_placeholder(word)
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
    let standard = [&b"pkcs"[..], b"rfc", b"curve25519", b"x25519", b"secp", b"ed448", b"dep:"];
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
        || standard.iter().any(|start| lower.starts_with(start))
        || starts.iter().any(|start| lower.starts_with(start)) && Traits::of(word).symbols == 0
        || lower.contains(&b'@') && lower.ends_with(b".com")
}
