//! One place where a name and what stands near it are weighed: the sum of the evidence for and against decides.
//!
//! The grammars around know how a value is joined to its name and say yes or no. Here nothing is known for sure: each
//! word behind a name, up to a few lines down, is taken as its value, and what the name promises, how they are joined,
//! what stands between, how the line looks and what the word is made of are signs, each with a weight of its own
//! (see [`signs`]). Above [`ENOUGH`] it is a secret.
//!
//! - W1  at most [`REACH`] bytes behind a name are read, and as many before it once

mod line;
mod look;
mod signs;
mod walk;
mod words;

pub(crate) use self::signs::Sign;
use self::signs::{PAIRS, SIGNS, weight};
use crate::gate;
use crate::names::{Name, Trust};
use crate::span::{Span, Spans};

/// How far behind a name a value is looked for.
const REACH: usize = 220;
/// The sum above which a word is a secret.
const ENOUGH: i32 = 0;
const MOST_SIGNS: usize = 64;

/// What speaks for and against one word.
pub(crate) struct Evidence {
    signs: [Sign; MOST_SIGNS],
    count: usize,
    /// The same, a bit each.
    seen: u128,
}

impl Evidence {
    fn new() -> Self {
        Self { signs: [SIGNS[0]; MOST_SIGNS], count: 0, seen: 0 }
    }

    #[cfg(test)]
    fn of(signs: &[Sign]) -> Self {
        let mut evidence = Self::new();
        for sign in signs {
            evidence.add(*sign);
        }
        evidence
    }

    fn add(&mut self, sign: Sign) {
        if self.count < MOST_SIGNS {
            self.signs[self.count] = sign;
            self.count += 1;
            self.seen |= bit(sign);
        }
    }

    fn when(&mut self, holds: bool, sign: Sign) {
        if holds {
            self.add(sign);
        }
    }

    pub(crate) fn signs(&self) -> &[Sign] {
        &self.signs[..self.count]
    }

    fn has(&self, sign: Sign) -> bool {
        self.seen & bit(sign) != 0
    }

    fn sum(&self) -> i32 {
        let pairs = TOGETHER.iter().filter(|(both, _)| self.seen & both == *both);
        self.signs().iter().map(|sign| weight(*sign)).sum::<i32>()
            + pairs.map(|(_, weight)| weight).sum::<i32>()
    }

    /// The most that it may come to with what the line says.
    fn most(&self) -> i32 {
        let all = self.seen | LINE_SIGNS;
        let new = |both: u128| self.seen & both != both && all & both == both;
        let pairs = TOGETHER.iter().filter(|(both, weight)| *weight > 0 && new(*both));
        self.sum() + LINE_MOST + pairs.map(|(_, weight)| weight).sum::<i32>()
    }

    /// The same and what `other` has.
    fn join(&mut self, other: &Self) {
        other.signs().iter().for_each(|sign| self.add(*sign));
    }
}

/// What two signs say together: a bit for each, and the weight.
static TOGETHER: [(u128, i32); PAIRS.len()] = {
    let mut together = [(0, 0); PAIRS.len()];
    let mut at = 0;
    while at < PAIRS.len() {
        let (one, other, weight) = PAIRS[at];
        together[at] = (bit(one) | bit(other), weight as i32);
        at += 1;
    }
    together
};

/// What the line that a name stands in may add, and what follows from it.
const LINE_SIGNS: u128 = bit(Sign::LineOpens)
    | bit(Sign::LineSettings)
    | bit(Sign::LineCode)
    | bit(Sign::LineDense)
    | bit(Sign::LineQuery)
    | bit(Sign::LinePairs)
    | bit(Sign::LineUser)
    | bit(Sign::LineHost)
    | bit(Sign::BarePlainCode);
/// The most that they add.
const LINE_MOST: i32 = {
    let (mut most, mut at) = (0, 0);
    while at < SIGNS.len() {
        if LINE_SIGNS & bit(SIGNS[at]) != 0 && weight(SIGNS[at]) > 0 {
            most += weight(SIGNS[at]);
        }
        at += 1;
    }
    most
};

const fn bit(sign: Sign) -> u128 {
    1 << sign as u8
}

/// Weighs what stands behind the name `start..stop`, but for what the grammars found there: the spans from the
/// `found`-th on. What is found here comes before those.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, found: usize, spans: &mut Spans) {
    let span = |start, end| Span { start, end, kind: name.kind, certain: false };
    // What can only be a secret ends where the grammars say: no sentence goes on in it.
    let ends = |known: &Span, from, to| {
        known.start == from
            && known.end < to
            && (std::str::from_utf8(&text[from..known.end]).is_ok_and(gate::is_unmistakable)
                || is_amid(text, start, stop, &text[known.end..to]))
    };
    let known = |from, to| {
        let blank = memchr::memchr(b' ', &text[from..to]).map(|blank| from + blank);
        blank.is_some_and(|blank| is_amid(text, start, stop, &text[blank..to]))
            || spans.found()[found..].iter().any(|known| known.says(&span(from, to)) || ends(known, from, to))
    };
    let mut weighed = Vec::new();
    // The weights are fitted to all pairs.
    each(
        text,
        start,
        stop,
        name,
        |from, to| !cfg!(test) && known(from, to),
        |from, to, evidence| {
            #[cfg(test)]
            tests::note(from, to, evidence);
            if evidence.sum() > ENOUGH {
                weighed.push(span(from, to));
            }
        },
    );
    for (place, span) in weighed.into_iter().enumerate() {
        spans.insert(found + place, span);
    }
}

/// `loaded password=X from env`, `PGPASSWORD=X psql -h db`: amid a line, or before a command, a value has no blanks.
fn is_amid(text: &[u8], start: usize, stop: usize, rest: &[u8]) -> bool {
    let before = crate::search::last_line(crate::search::line_before(text, start, 96)).trim_ascii();
    let amid = before.iter().any(u8::is_ascii_alphanumeric)
        && !matches!(before, b"export" | b"set" | b"ENV" | b"ARG");
    text.get(stop) == Some(&b'=') && rest.starts_with(b" ") && (amid || crate::search::has(rest, b" -"))
}

/// Each word that may be the value of the name and is not `known`, and what speaks for and against it.
pub(crate) fn each(
    text: &[u8],
    start: usize,
    stop: usize,
    name: Name,
    known: impl Fn(usize, usize) -> bool,
    mut judge: impl FnMut(usize, usize, &Evidence),
) {
    // Of thoughts and of pages.
    let sealed =
        name.kind == "signature" || name.kind == "mnemonic" && !text[start..stop].ends_with(b"phrase");
    if sealed || is_no_name(text, start, stop) {
        return;
    }
    let (mut about, mut said) = (None, None);
    walk::values(text, start, stop, name, &known, |value| {
        let word = &text[value.start..value.end];
        // `"login.otp": "Code eingeben"`: what a field is labelled with.
        let label = matches!(name.kind, "otp" | "pin" | "recovery_code" | "token" | "api_key")
            && word.contains(&b' ')
            && !word.iter().any(u8::is_ascii_digit);
        // `MFA via Duo2`.
        let label = label || name.kind == "otp" && word.len() < 6 && word.iter().any(u8::is_ascii_alphabetic);
        // `"login.pin": "PIN de 6 dígitos"`.
        let told = || {
            word.split(|&byte| byte == b' ').filter(|part| part.iter().any(u8::is_ascii_alphabetic)).count()
                >= 2
        };
        let label = label || matches!(name.kind, "otp" | "pin") && word.contains(&b' ') && told();
        let label = label || matches!(name.kind, "otp" | "pin" | "recovery_code") && look::is_no_code(word);
        if label
            || is_sentence(word, name)
            || name.kind == "session" && crate::value::is_uuid(word)
            || name.kind == "key" && (crate::value::is_object(word) || crate::url::is_report_address(word))
            || text[..value.start].ends_with(b" by ")
            || word.eq_ignore_ascii_case(&text[start..stop])
            || look::is_plain(word, name)
            || crate::value::is_scoped_uuid(word)
            // `MAX_TOKENS=4096`.
            || name.kind == "token" && word.len() <= 7 && word.iter().all(u8::is_ascii_digit)
        {
            return;
        }
        let about: &Evidence = about.get_or_insert_with(|| {
            let mut about = Evidence::new();
            name_signs(text, start, stop, name, &mut about);
            about
        });
        let mut evidence = Evidence { signs: about.signs, ..*about };
        value.path_signs(&mut evidence);
        look::signs(word, &mut evidence);
        line::behind(text, value.end, &mut evidence);
        // Most words are none whatever the line says, and it is not read for them. The weights are fitted to all.
        if !cfg!(test) && evidence.most() <= ENOUGH {
            return;
        }
        evidence.join(said.get_or_insert_with(|| {
            let mut said = Evidence::new();
            line::signs(text, start, stop, &mut said);
            said
        }));
        look::in_code(word, value.quoted, &mut evidence);
        judge(value.start, value.end, &evidence);
    });
}

/// `key = "The quick brown fox jumps"`: no key has so many blanks, but in groups.
fn is_sentence(word: &[u8], name: Name) -> bool {
    matches!(name.kind, "api_key" | "key" | "token")
        && memchr::memchr_iter(b' ', word).count() >= 3
        && !crate::value::is_grouped(word)
}

/// `auth.py`, `-----BEGIN PUBLIC KEY-----`, `…/sID+…` in the middle of base64, `Token::U8`.
fn is_no_name(text: &[u8], start: usize, stop: usize) -> bool {
    let byte = |at: usize| text.get(at).copied().unwrap_or(b' ');
    let before = start.checked_sub(1).map_or(b' ', byte);
    let file = byte(stop) == b'.' && byte(stop + 1).is_ascii_alphanumeric();
    let typed = byte(stop) == b':' && byte(stop + 1) == b':'
        || before == b':' && start > 1 && byte(start - 2) == b':';
    let armour = byte(stop) == b'-' && byte(stop + 1) == b'-';
    let encoded = |byte: u8| matches!(byte, b'+' | b'/');
    let inside = (encoded(before) || encoded(byte(stop))) && {
        let run = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=');
        let left = text[..start].iter().rev().take(24).take_while(run).count();
        let right = text[stop..].iter().take(24).take_while(run).count();
        crate::chance::is_random(&text[start - left..stop + right])
    };
    let random = stop - start > 24 && crate::chance::is_random(&text[start..stop]);
    let defined = text[..start].ends_with(b"#define ");
    file || typed || armour || inside || random || defined
}

fn name_signs(text: &[u8], start: usize, stop: usize, name: Name, evidence: &mut Evidence) {
    evidence.add(Sign::Always);
    let strong = name.trust >= Trust::Secret;
    let kind = match (name.kind, strong) {
        ("password", true) => Some(Sign::NamePassword),
        ("mnemonic", _) => Some(Sign::NamePhrase),
        ("secret", true) => Some(Sign::NameSecret),
        ("token", true) => Some(Sign::NameToken),
        ("api_key", true) => Some(Sign::NameApiKey),
        ("key" | "api_key", _) => Some(Sign::NameKey),
        ("session", _) => Some(Sign::NameSession),
        ("auth", _) => Some(Sign::NameAuth),
        ("recovery_code" | "otp", _) => Some(Sign::NameCode),
        ("pin", _) => Some(Sign::NamePin),
        _ => None,
    };
    if let Some(kind) = kind {
        evidence.add(kind);
    }
    let bytes = &text[start..stop];
    let lower = bytes.iter().any(u8::is_ascii_lowercase);
    let upper = bytes.iter().any(u8::is_ascii_uppercase);
    evidence.when(upper && !lower, Sign::NameShouts);
    evidence.when(upper && lower && !bytes[0].is_ascii_uppercase(), Sign::NameCamel);
    evidence.when(bytes[0].is_ascii_uppercase() && lower, Sign::NameTitled);
    evidence.when(bytes.starts_with(b"-"), Sign::NameFlag);
    evidence.when(bytes.contains(&b'_'), Sign::NameJoined);
    let quote = |at: Option<&u8>| at.is_some_and(|byte| matches!(byte, b'"' | b'\''));
    let quoted =
        start > 0 && quote(text.get(start - 1)) && (quote(text.get(stop)) || text.get(stop) == Some(&b'\\'));
    evidence.when(quoted, Sign::NameQuoted);
    evidence.when(
        matches!(
            bytes,
            b"pass" | b"pat" | b"sid" | b"sas" | b"sig" | b"code" | b"auth" | b"cred" | b"key" | b"keys"
        ),
        Sign::NameVerb,
    );
}

#[cfg(test)]
mod tests;
