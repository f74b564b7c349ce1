//! What names a person, if a user asks for it: addresses, numbers with check digits, telephone numbers.
//!
//! Off by default: who did what is what an audit wants to know. Judged by form and check digits alone, each from
//! a bounded window: linear work.
//!
//! Sources: RFC 5321 (local part at most 64 bytes), ISO/IEC 7812 (Luhn, card prefixes), ISO 13616 (IBAN, mod 97),
//! E.164 (at most 15 digits), the US Social Security Administration's rules of never issued numbers, Swiss AHVN13
//! (EAN-13), Brazilian CPF, Spanish DNI.

use serde::Deserialize;

use crate::span::Spans;

/// What of a person is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Sort {
    Email,
    Phone,
    Card,
    Iban,
    NationalId,
}

/// Each, with its kind and what finds it at a place: the end, if there is one.
type Finder = fn(&[u8], usize) -> Option<usize>;
const FINDERS: &[(Sort, &str, Finder)] = &[
    (Sort::Iban, "iban", iban),
    (Sort::Card, "card", card),
    (Sort::NationalId, "national_id", national_id),
    (Sort::Phone, "phone", phone),
];

impl Sort {
    /// The sort that a kind of mark belongs to.
    pub(crate) fn of(kind: &str) -> Option<Self> {
        let numbered = FINDERS.iter().find(|row| row.1 == kind).map(|row| row.0);
        numbered.or((kind == "email").then_some(Self::Email))
    }
}

/// Adds what is found of `sorts`.
pub(crate) fn find(text: &[u8], sorts: &std::collections::BTreeSet<Sort>, spans: &mut Spans) {
    if sorts.contains(&Sort::Email) {
        memchr::memchr_iter(b'@', text).for_each(|at| email(text, at, spans));
    }
    let mut at = 0;
    while at < text.len() {
        let begins = matches!(text[at], b'0'..=b'9' | b'A'..=b'Z' | b'+' | b'(') && stands_alone(text, at);
        let found = begins.then(|| number(text, at, sorts)).flatten();
        if let Some((end, kind)) = found {
            spans.add(at, end, kind, true);
        }
        at = found.map_or(at + 1, |(end, _)| end);
    }
}

fn number(text: &[u8], at: usize, sorts: &std::collections::BTreeSet<Sort>) -> Option<(usize, &'static str)> {
    let wanted = FINDERS.iter().filter(|(sort, ..)| sorts.contains(sort));
    wanted
        .filter_map(|(_, kind, find)| Some((find(text, at)?, *kind)))
        .find(|&(end, _)| ends_alone(text, end))
}

/// Nothing goes on before: no letter, no digit, no part of a longer number or name.
fn stands_alone(text: &[u8], at: usize) -> bool {
    let before = at.checked_sub(1).map_or(b' ', |before| text[before]);
    let escape = at >= 2 && text[at - 2] == b'\\' && matches!(before, b'n' | b't' | b'r');
    escape || !before.is_ascii_alphanumeric() && !matches!(before, b'.' | b'-' | b'_' | b'+' | b'/' | b'#')
}

fn ends_alone(text: &[u8], end: usize) -> bool {
    let byte = |at: usize| text.get(at).copied().unwrap_or(b' ');
    !byte(end).is_ascii_alphanumeric()
        && byte(end) != b'_'
        && !(matches!(byte(end), b'-' | b'.') && byte(end + 1).is_ascii_alphanumeric())
}

/// Endings of file names that read like the end of a domain.
const FILES: &[&[u8]] =
    &[b"png", b"jpg", b"jpeg", b"gif", b"svg", b"webp", b"js", b"mjs", b"css", b"map", b"html", b"json"];
/// Names that stand for nobody: RFC 2606, RFC 6761, and logins of machines.
const NOBODY: &[&[u8]] = &[b"example.com", b"example.org", b"example.net", b"localhost"];
const MACHINES: &[&[u8]] = &[b"git", b"noreply", b"no-reply"];

fn email(text: &[u8], at: usize, spans: &mut Spans) {
    let is_local =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'%' | b'+' | b'-');
    let long = text[..at].iter().rev().take(65).take_while(|byte| is_local(byte)).count();
    let is_domain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let domain = &text[at + 1..];
    let domain = &domain[..domain.iter().take(254).take_while(|byte| is_domain(byte)).count()];
    let domain = domain.strip_suffix(b".").unwrap_or(domain);
    let local = text[at - long..at].trim_ascii_start();
    let local = &local[local.iter().take_while(|&&byte| matches!(byte, b'.' | b'-')).count()..];
    // `\nann@…`: the letter belongs to the escape.
    let start = at - local.len();
    let escape =
        start > 0 && text[start - 1] == b'\\' && matches!(text[start], b'n' | b't' | b'r') && local.len() > 1;
    let start = start + usize::from(escape);
    if (1..=64).contains(&(at - start)) && is_host(domain) && !MACHINES.contains(&&text[start..at]) {
        spans.add(start, at + 1 + domain.len(), "email", true);
    }
}

/// Labels of letters and digits, the last of letters.
fn is_host(domain: &[u8]) -> bool {
    let mut labels = domain.split(|&byte| byte == b'.');
    let last = labels.next_back().unwrap_or_default().to_ascii_lowercase();
    let reserved = NOBODY.iter().any(|name| domain.eq_ignore_ascii_case(name))
        || [&b"example"[..], b"test", b"invalid", b"localhost", b"local"].contains(&last.as_slice());
    domain.len() > last.len()
        && labels.all(|label| !label.is_empty() && !label.starts_with(b"-") && !label.ends_with(b"-"))
        && last.len() >= 2
        && last.iter().all(u8::is_ascii_alphabetic)
        && !FILES.contains(&last.as_slice())
        && !reserved
}

/// Up to `most` digits from `at`, single signs of `joints` between them; the digits, and where they end.
fn digits(text: &[u8], at: usize, most: usize, joints: &[u8]) -> (Vec<u8>, usize) {
    let (mut found, mut end, mut next) = (Vec::with_capacity(most), at, at);
    while let Some(&byte) = text.get(next) {
        if byte.is_ascii_digit() && found.len() < most {
            found.push(byte - b'0');
            end = next + 1;
        } else if !(joints.contains(&byte) && next == end && next > at) {
            break;
        }
        next += 1;
    }
    (found, end)
}

/// Prefixes of issuers, and how long their numbers are.
fn is_issued(card: &[u8]) -> bool {
    let lead = |places: usize| card[..places].iter().fold(0_u32, |lead, &digit| lead * 10 + u32::from(digit));
    match (lead(1), lead(2), lead(4)) {
        (4, ..) => matches!(card.len(), 13 | 16 | 19),
        (_, 51..=55, _) | (_, _, 2221..=2720) => card.len() == 16,
        (_, 34 | 37, _) => card.len() == 15,
        (_, 36 | 38, _) | (_, _, 3000..=3059) => card.len() == 14,
        (_, 65 | 35 | 62, _) | (_, _, 6011 | 6440..=6499) => (16..=19).contains(&card.len()),
        _ => false,
    }
}

fn card(text: &[u8], at: usize) -> Option<usize> {
    let (digits, end) = digits(text, at, 19, b" -");
    let issued = digits.len() >= 13 && is_issued(&digits);
    let plain = digits.iter().all(|&digit| digit == digits[0]);
    (issued && !plain && luhn(&digits)).then_some(end)
}

fn luhn(digits: &[u8]) -> bool {
    let doubled = |digit: u8| if digit > 4 { digit * 2 - 9 } else { digit * 2 };
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, &digit)| u32::from(if place % 2 == 1 { doubled(digit) } else { digit }))
        .sum();
    sum.is_multiple_of(10)
}

/// Two letters, two check digits, 11 to 30 letters and digits, in groups of four or without.
fn iban(text: &[u8], at: usize) -> Option<usize> {
    let (mut account, mut end, mut next) = (Vec::with_capacity(34), at, at);
    while let Some(&byte) = text.get(next).filter(|_| account.len() < 34) {
        if byte.is_ascii_uppercase() || byte.is_ascii_digit() {
            account.push(byte);
            end = next + 1;
        } else if byte != b' ' || next != end || account.len() % 4 != 0 {
            break;
        }
        next += 1;
    }
    let formed = account.len() >= 15
        && account[..2].iter().all(u8::is_ascii_uppercase)
        && account[2..4].iter().all(u8::is_ascii_digit);
    (formed && mod_97(&account) == 1).then_some(end)
}

fn mod_97(account: &[u8]) -> u32 {
    account[4..].iter().chain(&account[..4]).fold(0, |rest, &byte| match byte {
        b'0'..=b'9' => (rest * 10 + u32::from(byte - b'0')) % 97,
        _ => (rest * 100 + u32::from(byte - b'A') + 10) % 97,
    })
}

/// `+49 30 901820`, `(555) 010-9999`: a country's code, or the North American way to write it.
fn phone(text: &[u8], at: usize) -> Option<usize> {
    if text[at] == b'+' {
        let (digits, end) = digits(text, at + 1, 16, b" -./()");
        return ((8..=15).contains(&digits.len()) && digits[0] != 0).then_some(end);
    }
    shaped(text, at, "(ddd) ddd-dddd").or_else(|| shaped(text, at, "ddd-ddd-dddd"))
}

/// The end of what has this shape: `d` is a digit, all else itself.
fn shaped(text: &[u8], at: usize, shape: &str) -> Option<usize> {
    let place = text.get(at..at + shape.len())?;
    let fits = |(&byte, sign): (&u8, u8)| match sign {
        b'd' => byte.is_ascii_digit(),
        b'L' => byte.is_ascii_uppercase(),
        sign => byte == sign,
    };
    place.iter().zip(shape.bytes()).all(fits).then_some(at + shape.len())
}

/// Numbers that states give to people: their shape, and whether the digits check.
type Check = fn(&[u8]) -> bool;
const NATIONAL: &[(&str, Check)] = &[
    ("ddd-dd-dddd", is_social_security),
    ("756.dddd.dddd.dd", is_ean),
    ("ddd.ddd.ddd-dd", is_cpf),
    ("ddddddddL", is_dni),
];

fn national_id(text: &[u8], at: usize) -> Option<usize> {
    NATIONAL.iter().find_map(|(shape, checks)| {
        let end = shaped(text, at, shape)?;
        let signs: Vec<u8> = text[at..end].iter().copied().filter(u8::is_ascii_alphanumeric).collect();
        checks(&signs).then_some(end)
    })
}

/// Areas 000, 666 and 900 to 999, group 00 and serial 0000 are never issued.
fn is_social_security(signs: &[u8]) -> bool {
    &signs[..3] != b"000"
        && &signs[..3] != b"666"
        && signs[0] != b'9'
        && &signs[3..5] != b"00"
        && &signs[5..] != b"0000"
}

fn is_ean(signs: &[u8]) -> bool {
    let weigh = |(place, &sign): (usize, &u8)| u32::from(sign - b'0') * if place % 2 == 0 { 1 } else { 3 };
    signs.iter().enumerate().map(weigh).sum::<u32>().is_multiple_of(10)
}

fn is_cpf(signs: &[u8]) -> bool {
    let check = |count: usize| {
        let sum: usize = (0..count).map(|place| usize::from(signs[place] - b'0') * (count + 1 - place)).sum();
        sum * 10 % 11 % 10 == usize::from(signs[count] - b'0')
    };
    signs.iter().any(|&sign| sign != signs[0]) && check(9) && check(10)
}

fn is_dni(signs: &[u8]) -> bool {
    let number = signs[..8].iter().fold(0_usize, |number, &sign| number * 10 + usize::from(sign - b'0'));
    b"TRWAGMYFPDXBNJZSQVHLCKE"[number % 23] == signs[8]
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Sort; 5] = [Sort::Email, Sort::Phone, Sort::Card, Sort::Iban, Sort::NationalId];

    fn found(text: &str) -> Vec<(&str, &'static str)> {
        let mut spans = Spans::default();
        find(text.as_bytes(), &ALL.into_iter().collect(), &mut spans);
        spans.found().iter().map(|span| (&text[span.start..span.end], span.kind)).collect()
    }

    #[test]
    fn people_are_found() {
        let cases = [
            ("mail ann.b+x@acme.io, please", "ann.b+x@acme.io", "email"),
            (r#"{"to":"x\nann@acme.co.uk."}"#, "ann@acme.co.uk", "email"),
            ("paid by 4539 1488 0343 6467 today", "4539 1488 0343 6467", "card"),
            ("amex 371449635398431.", "371449635398431", "card"),
            ("to DE89 3704 0044 0532 0130 00, thanks", "DE89 3704 0044 0532 0130 00", "iban"),
            ("GB33BUKB20201555555555", "GB33BUKB20201555555555", "iban"),
            ("call +49 30 901820-11", "+49 30 901820-11", "phone"),
            ("call (555) 010-9999.", "(555) 010-9999", "phone"),
            ("ssn 219-09-9999", "219-09-9999", "national_id"),
            ("ahv 756.9217.0769.85", "756.9217.0769.85", "national_id"),
            ("cpf 529.982.247-25", "529.982.247-25", "national_id"),
            ("dni 12345678Z", "12345678Z", "national_id"),
        ];
        for (text, secret, kind) in cases {
            assert_eq!(found(text), [(secret, kind)], "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_people_stays() {
        let texts = [
            "npm i react@18.2.0 @types/node icon@2x.png @app.route git@github.com:a/b.git a@example.com",
            "4539 1488 0343 6468",
            "1234567890123",
            "0000000000000000",
            "id 45391488034364670001",
            "DE89 3704 0044 0532 0130 01",
            "f4539148803436467a",
            "2026-11-28T05:59:15",
            "1.2.3.4:8080 +1",
            "666-09-9999 000-12-3456",
            "529.982.247-24",
            "12345678A",
            "sha DE89370400440532013000FF",
        ];
        for text in texts {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn long_runs_take_linear_work() {
        for piece in ["1", "1 ", "+1", "A", "AB12 ", "a@", "@", "(555) "] {
            assert!(found(&piece.repeat(300_000)).len() <= 300_000);
        }
    }
}
