//! Names as people say them, in many languages: `Das Passwort lautet …`, `Mot de passe : …`, `密码是 …`,
//! `your verification code is …`.
//!
//! Behind such a name a few words may follow, then a sign or a word that joins (`:`, `=`, `est`, `是`), then the
//! value. The value must show itself, since the same words stand in every form and help page.

mod answer;
mod changed;
mod codes;
pub(crate) mod follow;
mod names;
mod notes;

pub(crate) use self::names::NAMES;

use crate::chance;
use crate::names::{Name, Trust};
use crate::prose;
use crate::span::Spans;
use crate::value::{self, Traits};

/// What a spoken name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Password,
    Key,
    Code,
    /// Codes for the day on which the telephone is lost: a list.
    Codes,
    /// A word for "code": what it opens must be named too.
    Entry,
    /// A code of digits whose name is one word: `PIN 8340`.
    Pin,
    /// What a vendor prints on a box.
    Serial,
    /// A word that is asked for on the telephone.
    Word,
    /// A login that is changed from what to what.
    Login,
    /// `WiFi: NAME / X`, `Guest wifi (NAME) is X`.
    Network,
    /// What only the account's owner knows: the rest of the line.
    Answer,
}

/// Signs that join a name and its value.
const SIGNS: &[&str] = &[":", "：", "=", "→", "->", " = ", " — ", " – ", "「", "『"];
/// Words that do, between blanks where they are letters; a language is a row.
#[rustfmt::skip]
const VERBS: &[&str] = &[
    " is ", " was ", " it's ", " it’s ", " to ", " with ", " ours is ", " becomes ", " remains ",
    " ist ", " lautet ", " war ", " bleibt ",
    " est ", " c'est ", " c’est ", " était ", " sera ",
    " es ", " era ", " será ", " é ", " è ", " sarà ",
    " är ", " er ", " var ", " on ", " je ", " jest ", " to jest ", " to ", " là ", " adalah ", " este ",
    "是", "为", "為", "は", "は「", "는", "은",
];
/// Those that stand at the end of a name already.
const JOINED: [&str; 8] =
    [" it to", "again with", "it with", "pin is", "otp is", "word is", "ed with", "s with"];

const REACH: usize = 64;
const LONGEST: usize = 128;

/// Looks for the value of the spoken name `at..end`.
pub(crate) fn scan(text: &[u8], sort: Sort, at: usize, end: usize, spans: &mut Spans) {
    let Some(end) = name_end(text, sort, at, end) else { return };
    match sort {
        Sort::Pin => return codes::pin(text, at, end, spans),
        Sort::Network => return notes::network(text, at, end, spans),
        Sort::Answer => return answer::scan(text, at, end, spans),
        Sort::Word => return answer::word(text, at, end, spans),
        Sort::Entry => return codes::entry(text, at, end, spans),
        Sort::Codes => return prose::code_list(text, end, spans),
        Sort::Login => {
            if !changed::scan(text, end, changed::Old::Anything, spans) {
                crate::login::pair(text, end, spans);
            }
            return;
        }
        // The key of a network is a password.
        Sort::Key if is_of_network(text, at) => return scan(text, Sort::Password, at, end, spans),
        Sort::Password | Sort::Key => {
            if let Some((start, stop)) = notes::adjacent(text, sort, end) {
                return spans.add(start, stop, kind(sort), false);
            }
        }
        Sort::Code if before(text, at, spans) || is_technical(text, at, end) => return,
        Sort::Serial => return codes::serial(text, end, spans),
        Sort::Code => {
            codes::volume(text, end, spans);
            codes::list(text, end, spans);
            // A combination may be one of anything, and its number right behind it.
            let most = usize::from(!matches!(
                text[at..end].to_ascii_lowercase().as_slice(),
                b"combination" | b"combinations" | b"code is"
            ));
            if let Some((start, stop)) = codes::near(text, most, end) {
                return spans.add(start, stop, kind(sort), false);
            }
        }
    }
    if sort == Sort::Password && talked_of(text, end, spans) {
        return;
    }
    let Some(joint) = joint(text, at, end) else { return };
    let stop = value_end(text, joint.start);
    let stop = if sort == Sort::Code { pair_end(text, joint.start, stop) } else { stop };
    let (start, stop) = second(text, sort, joint.start, stop).unwrap_or((joint.start, stop));
    // A reservation has one too, of letters.
    let booked =
        text[at..end].starts_with(b"confirmation") && !text[start..stop].iter().all(u8::is_ascii_digit);
    if booked || is_counted(text, at, &text[start..stop]) {
        return;
    }
    // A program's own label, and no sentence's.
    let label = text[at..end].len() == 11 && text[at..end].ends_with(b"ontent");
    let shown = label && stop - start >= 8 && matches!(text.get(stop), None | Some(b'\n' | b'\r'));
    if shown || accepts(sort, &text[start..stop]) || is_said(sort, &joint, &text[start..stop]) {
        spans.add(start, stop, kind(sort), false);
    }
}

fn is_of_network(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(64)..at].to_ascii_lowercase();
    [&b"wlan"[..], b"wifi", b"wi-fi", b"ssid"].iter().any(|word| crate::search::has(&before, word))
}

/// `"Pass": 1207, "pin": 1208`: one more than the number before is a place in a list of words.
pub(crate) fn is_counted(text: &[u8], at: usize, value: &[u8]) -> bool {
    if value.len() > 9 || !value.iter().all(u8::is_ascii_digit) {
        return false;
    }
    let number =
        |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|digits| digits.parse::<u32>().ok());
    let before = &text[at.saturating_sub(64)..at];
    let words = before.split(|byte| !byte.is_ascii_digit()).rev().filter(|run| run.len() >= 3).take(2);
    words.filter_map(number).any(|last| number(value) == last.checked_add(1))
}

/// A change from what to what, an answer in the next turn, a line of its own.
fn talked_of(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    if changed::scan(text, end, changed::Old::Password, spans) {
        return true;
    }
    let name = Name { kind: "password", trust: Trust::Password };
    if let Some((start, stop)) = prose::answered(text, end) {
        spans.add(start, stop, name.kind, false);
        return true;
    }
    prose::announced(text, end, name, spans)
}

/// `Lösenordet är kanelbulle7`: behind a verb also what identifiers look like.
fn is_said(sort: Sort, joint: &Joint, word: &[u8]) -> bool {
    let traits = Traits::of(word);
    sort == Sort::Password
        && joint.verb
        && word.len() >= 8
        && traits.digits > 0
        && traits.letters >= 4
        && word.iter().all(u8::is_ascii_alphanumeric)
        && !prose::is_jargon(word)
        && !value::is_placeholder(word)
}

/// Where the name ends with its endings (`Lösenordet`, `şifreniz`, `codes`); `None` if it is part of another word:
/// `Testpasswort` is a password too, `enclave` no `clave`.
fn name_end(text: &[u8], sort: Sort, at: usize, end: usize) -> Option<usize> {
    const LONGEST_ENDING: usize = 8;
    let letter = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let name = &text[at..end];
    let ascii = name.is_ascii();
    let left = letter(at.checked_sub(1).and_then(|at| text.get(at)));
    // `Tresorcode`: what it opens stands before.
    let compound = sort == Sort::Entry && name == b"code";
    if left && ascii && !compound && (end - at < 8 || name.contains(&b' ')) {
        return None;
    }
    // Words of scripts without blanks have none.
    if !letter(text.get(end)) || name[name.len() - 1] >= 0x80 {
        return Some(end);
    }
    let letters =
        |byte: &u8| byte.is_ascii_lowercase() || (0xC3..=0xD1).contains(byte) || (0x80..0xC0).contains(byte);
    let ending = text[end..].iter().take(LONGEST_ENDING + 1).take_while(|byte| letters(byte)).count();
    let ends = !letter(text.get(end + ending));
    let taken = match sort {
        Sort::Password => end - at >= 5 && ending <= LONGEST_ENDING,
        Sort::Code | Sort::Codes | Sort::Entry | Sort::Word => &text[end..end + ending] == b"s",
        _ => false,
    };
    (ends && taken).then_some(end + ending)
}

fn kind(sort: Sort) -> &'static str {
    match sort {
        Sort::Password | Sort::Network | Sort::Login => "password",
        Sort::Key => "api_key",
        Sort::Serial => "license_key",
        Sort::Code | Sort::Codes | Sort::Entry | Sort::Pin | Sort::Answer | Sort::Word => "recovery_code",
    }
}

/// `error code is 5003`: a code that opens nothing.
#[rustfmt::skip]
const TECHNICAL: &[&str] = &[
    "error", "status", "exit", "return", "response", "area", "zip", "postal", "country", "http", "source", "product", "item", "sort",
    "qr", "bar", "dress", "language", "currency", "promo", "discount", "coupon", "reason", "result", "op", "char", "key", "event",
    "airport", "dialing", "dial", "this", "the", "machine", "byte", "unicode", "branch", "bank", "color", "colour", "clean",
];

fn is_technical(text: &[u8], at: usize, end: usize) -> bool {
    let before = text[at.saturating_sub(16)..at].trim_ascii_end();
    let word =
        before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    // Only of a name that begins with "code" the word before says what it opens.
    text[at..end].starts_with(b"code") && TECHNICAL.iter().any(|technical| technical.as_bytes() == word)
}

/// Whether a code opens nothing by the word before it.
fn technical_before(text: &[u8], at: usize) -> bool {
    const PLAIN: [&[u8]; 5] = [b"the", b"this", b"key", b"machine", b"event"];
    let before = text[at.saturating_sub(16)..at].trim_ascii_end();
    let word =
        before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    !PLAIN.contains(&word.as_slice()) && TECHNICAL.iter().any(|technical| technical.as_bytes() == word)
}

/// Whether a name ends in what joins it to its value.
pub(crate) fn is_joined(name: &str) -> bool {
    JOINED.iter().any(|joint| name.to_ascii_lowercase().ends_with(joint))
}

/// Where a value starts, and whether a verb stands before it.
struct Joint {
    start: usize,
    verb: bool,
}

/// Behind the first joint on the line, if only words stand before it.
fn joint(text: &[u8], at: usize, end: usize) -> Option<Joint> {
    let window = &text[end..text.len().min(end + REACH)];
    let (mut from, mut verb) = (0, true);
    let joined = std::str::from_utf8(&text[at..end]).is_ok_and(is_joined);
    if !joined {
        let joint;
        (joint, verb) = (0..window.len()).find_map(|at| {
            let rest = &window[at..];
            if rest[0].is_ascii_alphanumeric() {
                return None;
            }
            let find = |joints: &[&str]| {
                joints
                    .iter()
                    .filter(|joint| rest.starts_with(joint.as_bytes()))
                    .map(|joint| joint.len())
                    .max()
            };
            find(VERBS).map(|long| (at + long, true)).or_else(|| find(SIGNS).map(|long| (at + long, false)))
        })?;
        if !is_plain(&window[..joint]) {
            return None;
        }
        from = joint;
    }
    Some(Joint { start: end + from + dressing(&window[from..]), verb })
}

/// Behind the first joint on the line, if only words stand before it.
fn value_start(text: &[u8], at: usize, end: usize) -> Option<usize> {
    joint(text, at, end).map(|joint| joint.start)
}

/// Words alone between a name and its joint; what stands in brackets does not count.
fn is_plain(between: &[u8]) -> bool {
    let open = memchr::memchr(b'(', between);
    let close = memchr::memrchr(b')', between);
    let outside = match (open, close) {
        (Some(open), Some(close)) if open < close => [&between[..open], &between[close + 1..]],
        _ => [between, &[]],
    };
    let stop = |byte: &u8| matches!(byte, b'\n' | b'?' | b'!' | b'.' | b'(' | b'{' | b'<' | b'/' | b';');
    !between.contains(&b'\n') && !outside.iter().any(|part| part.iter().any(stop))
}

/// Blanks and opening quotes before a value.
fn dressing(window: &[u8]) -> usize {
    let mut from = 0;
    while from < window.len() {
        let opened = ["「", "“", "«", "„", "『", "\u{a0}"]
            .iter()
            .find(|sign| window[from..].starts_with(sign.as_bytes()));
        match opened {
            Some(sign) => from += sign.len(),
            None if matches!(window[from], b' ' | b'"' | b'\'' | b'`' | b'*') => from += 1,
            None => break,
        }
    }
    from
}

/// Up to a blank, a quote, or a sign of another script; without the sentence's own punctuation.
fn value_end(text: &[u8], start: usize) -> usize {
    let window = &text[start.min(text.len())..text.len().min(start + LONGEST)];
    // From E2 on begin the letters and signs of the scripts that are written without blanks.
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'`' | b'<' | b'>' | b'\\' | 0xE2..);
    let long = window.iter().position(ends).unwrap_or(window.len());
    let tail = window[..long]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b':' | b')' | b'\'' | b'?' | b'*'))
        .count();
    start + long - tail
}

/// `admin / X`: the user stands first.
fn second(text: &[u8], sort: Sort, start: usize, stop: usize) -> Option<(usize, usize)> {
    if sort != Sort::Password || accepts(sort, &text[start..stop]) {
        return None;
    }
    let rest = text.get(stop..)?;
    let gap = [&b" / "[..], b" : ", b", ", b" - "].iter().find(|gap| rest.starts_with(gap))?.len();
    Some((stop + gap, value_end(text, stop + gap)))
}

/// `771 204`: the other half of a code.
fn pair_end(text: &[u8], start: usize, stop: usize) -> usize {
    let digits = |from: usize| {
        text.get(from..)
            .map_or(0, |rest| rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count())
    };
    let first = digits(start);
    let paired =
        first >= 3 && start + first == stop && text.get(stop) == Some(&b' ') && digits(stop + 1) == first;
    if paired { stop + 1 + first } else { stop }
}

/// "Use 771 204 as your one-time code", "482913 is your verification code".
fn before(text: &[u8], at: usize, spans: &mut Spans) -> bool {
    let from = at.saturating_sub(40);
    let window = &text[from..at];
    let line = memchr::memrchr(b'\n', window).map_or(window, |line| &window[line + 1..]);
    let Some(verb) = [&b" as your "[..], b" is your ", b" as the ", b" is the "]
        .iter()
        .find_map(|verb| memchr::memmem::rfind(line, verb))
    else {
        return false;
    };
    let stop = at - line.len() + verb;
    let long = text[..stop]
        .iter()
        .rev()
        .take(24)
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-'))
        .count();
    let head = text[stop - long..stop].iter().take_while(|byte| !byte.is_ascii_digit()).count();
    let start = stop - long + head;
    let found = start < stop && accepts(Sort::Code, &text[start..stop]);
    if found {
        spans.add(start, stop, kind(Sort::Code), false);
    }
    found
}

fn accepts(sort: Sort, word: &[u8]) -> bool {
    if word.len() < 4
        || value::is_placeholder(word)
        || value::is_reference(word)
        || crate::search::has(word, b"[REDACTED")
    {
        return false;
    }
    let traits = Traits::of(word);
    let foreign = word.iter().filter(|byte| !byte.is_ascii()).count();
    match sort {
        Sort::Password => {
            let syntax =
                word.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[' | b'=' | b'/' | b'<' | b'|'));
            word.len() >= 6
                && !syntax
                && !is_code_name(word)
                && !prose::is_jargon(word)
                && (prose::looks_like_secret(word)
                    || prose::looks_joined(word)
                    || traits.digits > 0 && traits.letters + foreign >= 3)
        }
        Sort::Key => {
            word.len() >= 12
                && traits.digits >= 2
                && (chance::is_random(word) || value::is_hex(word) && word.len() >= 16)
        }
        Sort::Code | Sort::Pin | Sort::Entry => {
            is_code(word, &traits) || sort == Sort::Code && is_sent_code(word, &traits)
        }
        Sort::Network => !prose::is_jargon(word) && !word.contains(&b'/') && !word.contains(&b'('),
        Sort::Answer | Sort::Codes | Sort::Word | Sort::Login | Sort::Serial => false,
    }
}

/// `user_id2`, `field1`: an identifier, not a password.
fn is_code_name(word: &[u8]) -> bool {
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner = word.iter().filter(|byte| byte.is_ascii_digit()).count() > ending;
    let case = |letter: fn(&u8) -> bool| {
        word.iter().all(|byte| letter(byte) || byte.is_ascii_digit() || *byte == b'_')
    };
    // `betisbalompie1907` is a word and a year: nobody numbers fields so.
    let dated = ending >= 2 && word.len() >= 8 && !word.contains(&b'_');
    !inner && !dated && case(u8::is_ascii_lowercase)
        || case(u8::is_ascii_uppercase)
        || crate::search::has(word, b"::")
}

/// `OXJ8A`, `H7K2QM`: capitals and digits, as programs send them.
fn is_sent_code(word: &[u8], traits: &Traits) -> bool {
    (5..=8).contains(&word.len())
        && traits.uppers >= 2
        && traits.digits >= 1
        && traits.uppers + traits.digits == word.len()
}

/// `482913`, `771 204`, `9274#`, `88213-QT`; no year.
fn is_code(word: &[u8], traits: &Traits) -> bool {
    let plain = word.iter().all(|byte| {
        byte.is_ascii_digit() || byte.is_ascii_uppercase() || matches!(byte, b' ' | b'-' | b'#' | b'*')
    });
    // `12-18` is from where to where.
    let range = word.len() <= 5 && word.contains(&b'-');
    let date = word.len() == 10 && word.iter().filter(|&&byte| byte == b'-').count() == 2;
    let year = range || date || word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    // A volume's recovery key: eight times six digits.
    if word.len() == 55
        && word
            .split(|&byte| byte == b'-')
            .all(|group| group.len() == 6 && group.iter().all(u8::is_ascii_digit))
    {
        return true;
    }
    plain && !year && (4..=12).contains(&word.len()) && traits.digits >= 3 && traits.digits * 2 >= word.len()
}
