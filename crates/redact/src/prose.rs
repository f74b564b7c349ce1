//! Secrets in sentences: "the password for admin is hunter2", "log in with admin / Passw0rd!".
//!
//! A sentence gives no syntax to lean on, so the value must show itself: digits among letters,
//! symbols, or spelling that no word has; and it must stand within a few words of its name.

mod below;
mod codes;
mod looks;
mod phrase;

use self::below::next_line;
pub(crate) use self::below::{announced, answered, answered_in_digits};
pub(crate) use self::codes::code_list;
use self::looks::{has_joints, shows_digit};
pub(crate) use self::looks::{is_jargon, is_leet, looks_chosen, looks_joined, looks_like_secret};
pub(crate) use self::phrase::{phrase, words};
use crate::chance;
use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value::{self, Place, Traits};

const MOST_WORDS: usize = 12;
/// Words behind a name after which a colon still joins its value.
const NEAR: usize = 4;
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

/// A command, an example, a pointer: what is called so, and has no value behind it.
fn names_nothing(text: &[u8], start: usize, stop: usize) -> bool {
    // `pwd && ls` says where one is.
    if [&b" &&"[..], b" ||", b" |", b" ;"].iter().any(|shell| text[stop..].starts_with(shell)) {
        return true;
    }
    // "Password1" is an example, not a name.
    let quoted = start > 0 && text[start - 1] == b'"' && text[stop] == b'"';
    if quoted && text[stop - 1].is_ascii_digit() {
        return true;
    }
    // `Token*,`: a pointer.
    if text[stop] == b'*' && !matches!(text.get(stop + 1), Some(b'*' | b' ' | b':')) {
        return true;
    }
    false
}

/// Looks for the value of a name that ends at `stop`.
#[allow(clippy::too_many_lines)]
pub(crate) fn after_name(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    let passphrase = text[start..stop].to_ascii_lowercase().ends_with(b"phrase");
    let several = passphrase || text[stop..].starts_with(b": ") && name.trust == Trust::Password;
    if announced(text, stop, name, spans) {
        return;
    }
    let talk = match name.trust {
        Trust::Password => answered(text, stop),
        _ => below::answered_with_token(text, stop, name),
    };
    let said = talk
        .or_else(|| {
            if several { words(text, stop).filter(|said| passphrase || said.1 - said.0 == 19) } else { None }
        })
        .or_else(|| spaced(text, stop, name))
        .or_else(|| phrase::said(text, stop, name))
        .or_else(|| phrase::grouped(text, stop, name));
    if let Some((start, end)) = said {
        return spans.add(start, end, name.kind, false);
    }
    // "pass" is a verb, "pat" a pattern: without a sign of syntax they name only what shows itself.
    let verb = matches!(
        text[start..stop].to_ascii_lowercase().as_slice(),
        b"pass" | b"pat" | b"sid" | b"sas" | b"sig" | b"code" | b"auth" | b"cred"
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
    if names_nothing(text, start, stop) {
        return;
    }
    let mut copula = text[stop] == b':';
    let from = stop + usize::from(copula);
    let (mut at, mut first) = (from, from);
    let mut just = copula;
    if is_plain_talk(text, from) {
        return;
    }
    let limit = text.len().min(at + REACH);
    // Directly after a colon the value is near, or it is not one.
    let most = if copula { 3 } else { MOST_WORDS };
    for turn in 0..most {
        let Some(word) = next_word(text, at, limit) else { return next_line(text, at, name, spans) };
        let bytes = &text[word.start..word.end];
        let other = first == at
            && (name.trust != Trust::Password || RULES.contains(&bytes))
            && OTHERS.contains(&bytes);
        if other || crate::search::has(&text[at..word.end], b"[REDACTED") {
            return;
        }
        // `PASSWORD: WIN32_ERROR = 86`: a type stands between a name and its value.
        if copula && text[word.after..].starts_with(b" = ") {
            return;
        }
        // A path of types is no sentence; what passwords are like is none.
        if matches!(bytes, b"like" | b"such") || crate::search::has(bytes, b"::") {
            return;
        }
        if !is_plausible(bytes, word.quoted) {
            // Most words are words.
        } else if is_numbered(bytes) && !just {
            // `password1`, beside a `password2`: fields.
        } else if is_value(
            name,
            bytes,
            word.quoted && (just || shows_digit(bytes)),
            copula
                || at == first && name.trust != Trust::Weak
                || text[word.start - 1] == b'(' && !bytes.starts_with(b"0x"),
        ) || is_handed(text, start, at == first, name, bytes, copula)
            || name.trust == Trust::Password
                && looks_joined(bytes)
                && (just || at == first && is_below_user(text, stop, word.end))
            || matches!(name.kind, "key" | "api_key") && chance::is_product_key(bytes)
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
                | b"->"
                | b"-"
                | b"\xE2\x86\x92"
                | b"\xE2\x80\x93"
                | b"\xE2\x80\x94"
                | b"still"
                | b"remains"
                | b"became"
                | b"be"
                | b"now"
                | b"are"
        );
        just |= copula && (text[word.after - 1] == b':' && word.after > word.end || bytes == b"/");
        // "shared secret for the radius: X".
        let sure = name.trust == Trust::Password || name.kind == "secret";
        let plain = text[word.start - 1] == b' ' && text[word.end..word.after] == *b":";
        just |= sure && turn < NEAR && plain;
        copula |= just;
        // In a string of JSON the line ends here.
        if word.ends_sentence || crate::search::has(&text[word.start..word.after], b"\\n") {
            return;
        }
        // `password 7 0822…`: a router's type of encoding stands between.
        if bytes.len() == 1 && bytes[0].is_ascii_digit() && first == at {
            first = word.after;
        }
        at = word.after;
    }
}

/// Whether only words stand on the rest of the line: no digit, no quote, no sign, no long run of letters. Most names
/// in sentences are followed by nothing else.
fn is_plain_talk(text: &[u8], from: usize) -> bool {
    let mut letters = 0;
    for (at, &byte) in text[from..text.len().min(from + REACH + 16)].iter().enumerate() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' if letters < 15 => letters += 1,
            b'\n' => return true,
            b' ' if at >= REACH => return true,
            b' ' | b',' | b'.' | b';' | b'(' | b')' | b'-' => letters = 0,
            _ => return false,
        }
    }
    from + REACH + 16 > text.len()
}

/// "changed the password from X to Y": both, if the new one shows itself.
fn from_to(text: &[u8], word: &Word, name: Name, limit: usize) -> Option<[(usize, usize); 2]> {
    if !text[word.start..word.end].eq_ignore_ascii_case(b"from") || name.trust != Trust::Password {
        return None;
    }
    let old = next_word(text, word.after, limit)?;
    let to =
        next_word(text, old.after, limit).filter(|to| text[to.start..to.end].eq_ignore_ascii_case(b"to"))?;
    let new = next_word(text, to.after, limit)?;
    let shows = |word: &Word| {
        let bytes = &text[word.start..word.end];
        looks_like_secret(bytes) || looks_joined(bytes)
    };
    (shows(&old) || shows(&new)).then_some([(old.start, old.end), (new.start, new.end)])
}

/// `Password "badge me up 22"`: a quoted phrase right behind its name.
fn spaced(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = text.get(stop..text.len().min(stop + 96))?;
    // `CREATE ROLE app LOGIN PASSWORD 'x'`: a statement takes whatever stands between the quotes.
    if rest.starts_with(b" '") && text[..stop].ends_with(b" PASSWORD") {
        let before = &text[stop.saturating_sub(96)..stop];
        let statement =
            [&b"ROLE "[..], b"USER ", b"LOGIN "].iter().any(|word| crate::search::has(before, word));
        let long = memchr::memchr(b'\'', &rest[2..])?;
        let secret = &rest[2..2 + long];
        let holds = statement && long >= 4 && !value::is_placeholder(secret) && !value::is_reference(secret);
        return holds.then_some((stop + 2, stop + 2 + long));
    }
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let open = line
        .iter()
        .position(|byte| matches!(byte, b'"' | b'\''))
        .filter(|&open| open > 0 && line[open - 1] == b' ')?;
    let long = memchr::memchr(line[open], &line[open + 1..])?;
    let phrase = &line[open + 1..][..long];
    let lead = line[..open].trim_ascii();
    let joined = lead.is_empty()
        || matches!(lead.rsplit(|&byte| byte == b' ').next(), Some(b"is" | b"was" | b":" | b"=" | b"now"));
    let shows = phrase.contains(&b' ') && shows_digit(phrase) && (8..=48).contains(&phrase.len());
    (joined && shows && name.trust == Trust::Password).then_some((stop + open + 1, stop + open + 1 + long))
}

/// Those of them that also speak about passwords, and not of one.
const RULES: [&[u8]; 8] =
    [b"policy", b"manager", b"managers", b"field", b"fields", b"reset", b"rules", b"expiry"];

/// Words that name another thing of the same name: `key fingerprint`, `token count`, `password policy`.
#[rustfmt::skip]
const OTHERS: [&[u8]; 24] = [
    b"fingerprint", b"fingerprints", b"digest", b"checksum", b"hash", b"id", b"ids", b"count", b"length", b"size", b"policy",
    b"type", b"usage", b"limit", b"budget", b"expiry", b"expires", b"version", b"manager", b"managers", b"field", b"fields", b"reset", b"rules",
];

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
    // `DEPLOY_TOKEN=…` has a name of its own, which stays; a random value may hold the sign.
    let head = &word[..word.iter().position(|&byte| byte == b'=').unwrap_or(0)];
    let named = !head.is_empty()
        && !chance::is_random(head)
        && head.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    let pair = pair && (named || !chance::is_random(word));
    let shout = word.contains(&b'_')
        && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_');
    word.len() >= 6
        && !pair
        && (quoted || !shout && !word.starts_with(b"__"))
        && (quoted
            || word.len() >= 16
            || word.iter().any(|byte| !byte.is_ascii_alphabetic() && *byte != b'-'))
}

/// Values that only their place gives away: `username bob secret X`, `wifi password Guest-2024`,
/// "the code is 493817".
fn is_handed(text: &[u8], start: usize, first: bool, name: Name, word: &[u8], copula: bool) -> bool {
    if value::is_placeholder(word) || word.len() < 6 || is_jargon(word) {
        let passcode =
            first && text.get(start..start + 8).is_some_and(|name| name.eq_ignore_ascii_case(b"passcode"));
        return name.trust == Trust::Password
            && (copula || passcode)
            && (6..=8).contains(&word.len())
            && word.iter().all(u8::is_ascii_digit);
    }
    let line = start - text[..start].iter().rev().take(80).take_while(|&&byte| byte != b'\n').count();
    let opening = text[line..start].trim_ascii_start();
    let routers: [&[u8]; 8] = [
        b"set ",
        b"username ",
        b"enable ",
        b"radius-server ",
        b"tacacs-server ",
        b"neighbor ",
        b"ppp ",
        b"crypto ",
    ];
    let router = routers.iter().any(|start| opening.starts_with(start));
    let traits = Traits::of(word);
    if first && name.trust == Trust::Password && looks_joined(word) && is_introduced(text, start) {
        return true;
    }
    match name.trust {
        Trust::Secret | Trust::Weak => {
            first && router && (looks_chosen(word) || looks_joined(word) || value::is_hex(word))
        }
        Trust::Password => {
            first
                && traits.digits >= 2
                && traits.uppers >= 1
                && !word.iter().any(|byte| matches!(byte, b'/' | b'(' | b'.' | b'_' | b'=' | b'<'))
        }
    }
}

fn is_numbered(word: &[u8]) -> bool {
    word.strip_prefix(b"password").is_some_and(|rest| rest.len() == 1 && rest[0].is_ascii_digit())
}

/// "the zip is protected, password march-0324", "with password X": the name itself begins what is said.
fn is_introduced(text: &[u8], start: usize) -> bool {
    let before = text[start.saturating_sub(24)..start].trim_ascii_end();
    let word = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let sign = before.last().is_none_or(|byte| matches!(byte, b',' | b'(' | b';' | b'.' | b'-'));
    let line = text[..start].ends_with(b"\n") || start == 0;
    sign || line || matches!(word, b"and" | b"with" | b"und" | b"et" | b"y" | b"e" | b"en" | b"use")
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
