//! Secrets of several words: seeds of wallets, passphrases, passwords of mail programs.

use crate::names::{Name, Trust};
use crate::span::Spans;

/// Where what a heading announces begins: on the next line, if this one ends in a colon.
pub(super) fn below(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + 120)];
    let line = memchr::memchr(b'\n', rest).filter(|&line| rest[..line].trim_ascii_end().ends_with(b":"));
    line.map_or(at, |line| at + line + 1)
}

/// A phrase of twelve or more words.
pub(crate) fn phrase(text: &[u8], at: usize, spans: &mut Spans) {
    let at = below(text, at);
    let at = at + if text[at..].starts_with(b" words") { 6 } else { 0 };
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

/// Words that sentences are made of: a passphrase has none.
const SMALL: [&[u8]; 24] = [
    b"the", b"and", b"that", b"this", b"with", b"from", b"your", b"have", b"must", b"will", b"when", b"then",
    b"they", b"into", b"only", b"each", b"same", b"been", b"were", b"should", b"please", b"which", b"there",
    b"where",
];

/// `passphrase: copper window marmalade seventeen`, `App password: ekqt cnrt vspf reef`: behind a colon, up to the
/// end of the line, four words or more and nothing else.
pub(crate) fn words(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    let rest = &text[stop..text.len().min(stop + 160)];
    let line = &rest[..memchr::memchr2(b'\n', b'"', rest).unwrap_or(rest.len())];
    let colon = memchr::memchr(b':', line).filter(|&colon| line.get(colon + 1) == Some(&b' '))?;
    let phrase = line[colon + 2..].trim_ascii();
    let words: Vec<&[u8]> = phrase.split(|&byte| byte == b' ').take(13).collect();
    let plain = words.iter().all(|word| word.len() >= 4 && word.iter().all(u8::is_ascii_lowercase));
    let sentence = words.iter().any(|word| SMALL.contains(word));
    let even = words.len() == 4 && words.iter().all(|word| word.len() == 4);
    let start = stop + colon + 2;
    (plain && !sentence && (4..=12).contains(&words.len()) && (even || colon < 64))
        .then_some((start, start + phrase.len()))
}

/// "master password is purple monkey dishwasher 7": words and a number to the end of the line.
pub(super) fn said(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    const WORDS: std::ops::RangeInclusive<usize> = 3..=6;
    let rest = &text[stop..text.len().min(stop + 80)];
    if name.trust != Trust::Password || !matches!(rest, [b' ', b'i', ..] | [b':', ..]) {
        return None;
    }
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let phrase = line.strip_prefix(b" is ").or_else(|| line.strip_prefix(b": "))?.trim_ascii_end();
    let phrase = phrase.strip_suffix(b".").unwrap_or(phrase);
    let mut words = phrase.rsplit(|&byte| byte == b' ');
    let number =
        words.next().is_some_and(|word| (1..=4).contains(&word.len()) && word.iter().all(u8::is_ascii_digit));
    let plain = words
        .clone()
        .all(|word| word.len() >= 3 && word.iter().all(u8::is_ascii_lowercase) && !SMALL.contains(&word));
    let start = stop + line.len() - line[line.iter().position(u8::is_ascii_lowercase)?..].len();
    let start = start + usize::from(line.starts_with(b" is ")) * 3;
    (number && plain && WORDS.contains(&words.count())).then_some((start, start + phrase.len()))
}

/// `TOTP secret (manual entry): JBSW Y3DP EHPK 3PXP`: base 32 in groups, as apps show it.
pub(crate) fn grouped(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    if !matches!(name.kind, "otp" | "secret" | "seed" | "key" | "api_key") {
        return None;
    }
    let rest = &text[stop..text.len().min(stop + 128)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let colon = memchr::memchr(b':', line).or_else(|| line.starts_with(b" ").then_some(0))?;
    let from = colon + 1 + line[colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
    let group = |word: &[u8]| {
        word.len() == 4 && word.iter().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte))
    };
    // "Enter this key manually: JBSWY3DPEHPK3PXP", "Setup key: 5tbn plj6 5tkp …".
    let base32 = |byte: &u8| byte.is_ascii_alphabetic() || (b'2'..=b'7').contains(byte);
    let word = &line[from..from + line[from..].iter().take_while(|byte| base32(byte)).count()];
    let whole = matches!(line.get(from + word.len()), None | Some(b' ' | b'.' | b',' | b'\r' | b'"' | b'<'));
    let upper = word.iter().all(|byte| !byte.is_ascii_lowercase());
    if whole && upper && word.len() >= 16 && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2 {
        return Some((stop + from, stop + from + word.len()));
    }
    let small = |word: &[u8]| {
        word.len() == 4 && word.iter().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(byte))
    };
    let groups =
        line[from..].split(|&byte| byte == b' ').take_while(|word| small(word.trim_ascii_end())).count();
    if (4..=16).contains(&groups) {
        let list = &line[from..line.len().min(from + groups * 5 - 1)];
        let ends = matches!(line.get(from + list.len()), None | Some(b'\r' | b'"'));
        let spelt =
            ends && name.kind == "api_key" && (6..=8).contains(&groups) && crate::value::is_grouped(list);
        if spelt || list.iter().filter(|byte| byte.is_ascii_digit()).count() >= (groups / 4).max(2) {
            return Some((stop + from, stop + from + list.len()));
        }
    }
    if let Some(long) = mixed_groups(&line[from..]) {
        return Some((stop + from, stop + from + long));
    }
    let groups = line[from..].split(|&byte| byte == b' ').take_while(|word| group(word)).count();
    let long = (groups * 5).checked_sub(1)?;
    let digits = line[from..from + long].iter().any(u8::is_ascii_digit);
    (groups >= 4 && digits).then_some((stop + from, stop + from + long))
}

/// `EsTc Yw3k 9aLp Qx7m`: groups of four that no words are, as apps show keys that are written down.
fn mixed_groups(rest: &[u8]) -> Option<usize> {
    let group = |word: &&[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_alphanumeric);
    let groups: Vec<&[u8]> = rest.split(|&byte| byte == b' ').take(16).take_while(group).collect();
    let mixed = |word: &&&[u8]| {
        let inner = word[1..].iter().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        inner && word.iter().any(u8::is_ascii_lowercase)
    };
    (groups.len() >= 4 && groups.iter().filter(mixed).count() * 2 > groups.len())
        .then(|| groups.len() * 5 - 1)
}

/// `gmail app password wxyz abcd qrst mnop`: four groups of four letters that end the line.
pub(super) fn four(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    const LONG: usize = 19;
    let groups = text.get(stop..)?.strip_prefix(b" ")?.get(..LONG)?;
    let ends = matches!(text.get(stop + 1 + LONG), None | Some(b'\n' | b'\r' | b'.' | b','));
    let even = groups.iter().enumerate().all(|(at, byte)| (*byte == b' ') == (at % 5 == 4));
    (name.trust == Trust::Password && ends && even && crate::value::is_grouped(groups))
        .then_some((stop + 1, stop + 1 + LONG))
}

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn seeds_are_written_to_be_typed() {
        assert_eq!(found("Can't scan? Enter this key manually: M5HH76GASFDMACHG"), ["M5HH76GASFDMACHG"]);
        assert_eq!(
            found("Setup key: 5tbn plj6 5tkp bhps qzw2 sqqm lel7 bz3v"),
            ["5tbn plj6 5tkp bhps qzw2 sqqm lel7 bz3v"]
        );
        assert_eq!(
            found("or type this setup key instead: vmqo zkqr chbu toxd nzwp utqf uavr gbki"),
            ["vmqo zkqr chbu toxd nzwp utqf uavr gbki"]
        );
        assert_eq!(found("Setup key: this will then show what they gave"), Vec::<&str>::new());
        assert_eq!(found("the setup key shows: this will then show what they gave"), Vec::<&str>::new());
        assert_eq!(found("db::password: 'Sommer5173#'"), ["Sommer5173#"]);
    }
}
