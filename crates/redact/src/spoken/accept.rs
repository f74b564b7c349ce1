//! Whether what was said is a value.

use super::Sort;
use super::joint::Joint;
use crate::chance;
use crate::prose;
use crate::value;
use crate::value::Traits;

/// `Lösenordet är kanelbulle7`: behind a verb also what identifiers look like.
pub(super) fn is_said(sort: Sort, joint: &Joint, word: &[u8]) -> bool {
    let traits = Traits::of(word);
    sort == Sort::Password
        && joint.verb
        && word.len() >= 7
        && traits.digits > 0
        && traits.letters >= 4
        && (word.iter().all(u8::is_ascii_alphanumeric) || prose::looks_dotted(word))
        && !prose::is_jargon(word)
        && !value::is_placeholder(word)
        || joint.verb
            && sort == Sort::Password
            && (value::is_disclosed(word)
                || value::is_crafted(word)
                || prose::is_strung(word)
                || is_worded(word)
                || value::is_drawn_together(word))
}

/// `7526021821`: digits that are no day.
pub(super) fn is_digits(word: &[u8]) -> bool {
    (7..=12).contains(&word.len())
        && word.iter().all(u8::is_ascii_digit)
        && !(word.len() == 8 && matches!(word, [b'1', b'9', ..] | [b'2', b'0', ..]))
        && !value::is_placeholder(word)
}

/// `tortilla.sin.cebolla`: three small words and more, with the same sign between.
fn is_worded(word: &[u8]) -> bool {
    let Some(&sign) = word.iter().find(|byte| matches!(byte, b'.' | b'-')) else { return false };
    let mut parts = word.split(|&byte| byte == sign);
    let small = |part: &[u8]| {
        part.len() >= 3 && part.iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
    };
    let host = word.rsplit(|&byte| byte == b'.').next().is_some_and(|last| last.len() < 5) && sign == b'.';
    !host && parts.clone().count() >= 3 && parts.all(small) && value::is_choosable(word)
}

pub(super) fn accepts(sort: Sort, word: &[u8]) -> bool {
    if word.len() < 4
        || value::is_placeholder(word)
        || value::is_reference(word)
        || crate::search::has(word, b"[REDACTED")
        // `App-Passwort „Pixel 8“:` is called so.
        || word.starts_with("„".as_bytes())
    {
        return false;
    }
    let traits = Traits::of(word);
    let foreign = word.iter().filter(|byte| !byte.is_ascii()).count();
    match sort {
        Sort::Password => {
            let syntax =
                word.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[' | b'=' | b'/' | b'<' | b'|'));
            // `4x5bt6Z5SrasDdXZ9QXJ79BMzj/v7dG+MM4=`.
            let random = word.len() >= 20
                && traits.digits >= 2
                && word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
                && chance::is_random(word);
            // `YlyqHjtwsr`: letters of both sizes as no word has them.
            let drawn = word.len() >= 10
                && traits.uppers >= 2
                && traits.letters == word.len()
                && !word[0].is_ascii_lowercase()
                && chance::is_random(word);
            random && !value::is_hex(word)
                || drawn
                || word.len() >= 6
                    && !syntax
                    && !is_code_name(word)
                    && !is_name_itself(word)
                    && !prose::is_jargon(word)
                    && (prose::looks_like_secret(word)
                        || prose::looks_joined(word)
                        || value::is_chosen(word)
                        || traits.digits > 0 && traits.letters + foreign >= 3)
        }
        Sort::Key => {
            word.len() >= 12
                && traits.digits >= 2
                && (chance::is_random(word)
                    || value::is_hex(word) && word.len() >= 16
                    || value::is_uuid(word))
        }
        Sort::Code | Sort::Pin | Sort::Entry => {
            let digest = matches!(word.len(), 40 | 64);
            let hex = sort == Sort::Code && word.len() >= 24 && traits.digits >= 6 && value::is_hex(word);
            let hex = hex && !digest;
            hex || is_code(word, &traits) || sort == Sort::Code && is_sent_code(word, &traits)
        }
        Sort::Network => !prose::is_jargon(word) && !word.contains(&b'/') && !word.contains(&b'('),
        Sort::Answer | Sort::Codes | Sort::Word | Sort::Login | Sort::Serial => false,
    }
}

/// `Lipowa7/przych`: a capital, digits right before the only slash, and small letters; no folder is called so.
pub(super) fn is_halved(word: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', word) else { return false };
    let (head, tail) = (&word[..slash], &word[slash + 1..]);
    let digits = head.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = &head[..slash - digits];
    (1..=4).contains(&digits)
        && letters.len() >= 4
        && letters[0].is_ascii_uppercase()
        && letters[1..].iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
        && tail.len() >= 4
        && tail.iter().all(u8::is_ascii_lowercase)
}

/// `5482 0917 3306 4471 8059`: as a router's label has its network's key, up to the end of the line.
pub(super) fn fives_end(text: &[u8], start: usize) -> Option<usize> {
    const LONG: usize = 24;
    let line = text.get(start..text.len().min(start + LONG + 8)).filter(|line| line.len() >= LONG)?;
    // Hot path: few values have a blank there.
    let blank = |at: usize| at % 5 == 4;
    let grouped = line[4] == b' '
        && line[..LONG].iter().enumerate().all(
            |(at, byte)| {
                if blank(at) { *byte == b' ' } else { byte.is_ascii_digit() }
            },
        );
    let behind = line[LONG..].iter().find(|byte| **byte != b' ');
    let ends = behind.is_none_or(|byte| matches!(byte, b'\n' | b'\r' | b'"' | b',' | b';' | b')' | b'.'));
    (grouped && ends).then_some(start + LONG)
}

/// `FRITZ!Box-Kennwort`: a name, and no value.
pub(crate) fn is_name_itself(word: &[u8]) -> bool {
    const NAMES: [&str; 6] = ["kennwort", "passwort", "wachtwoord", "schlüssel", "lösenord", "contraseña"];
    let lower = String::from_utf8_lossy(word).to_lowercase();
    // `[Pre-shared keys]: #pre-shared-keys`: a place of a page.
    let place =
        word.starts_with(b"#") && word[1..].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-');
    place || NAMES.iter().any(|name| lower.ends_with(name))
}

/// `user_id2`, `field1`: an identifier, not a password.
pub(super) fn is_code_name(word: &[u8]) -> bool {
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner = word.iter().filter(|byte| byte.is_ascii_digit()).count() > ending;
    let case = |letter: fn(&u8) -> bool| {
        word.iter().all(|byte| letter(byte) || byte.is_ascii_digit() || *byte == b'_')
    };
    // `betisbalompie1907` is a word and a year: nobody numbers fields so.
    let year = ending == 4 && matches!(word[word.len() - 4..], [b'1', b'9', ..] | [b'2', b'0', ..]);
    let dated = ending >= 2 && word.len() >= 8 && (year || !word.contains(&b'_'));
    !inner && !dated && case(u8::is_ascii_lowercase)
        || case(u8::is_ascii_uppercase) && (word.len() < 8 || word.contains(&b'_'))
        || crate::search::has(word, b"::")
}

/// `OXJ8A`, `H7K2QM`: capitals and digits, as programs send them.
pub(super) fn is_sent_code(word: &[u8], traits: &Traits) -> bool {
    let dashes = memchr::memchr_iter(b'-', word).count();
    // `MQ0B-4ZVD-WZ56`: groups of four or five.
    let grouped = dashes > 0 && word.split(|&byte| byte == b'-').all(|group| (4..=5).contains(&group.len()));
    let plain = dashes == 0 && ((5..=8).contains(&word.len()) || word.len() <= 12 && traits.digits >= 2);
    // `89ZVI`: no unit has so many letters and so few.
    let short = word.len() == 5 && traits.uppers == 3 && traits.digits == 2;
    is_device_code(word)
        || (short || !prose::is_jargon(word))
            && (plain || grouped && word.len() <= 24 && traits.digits >= 2)
            && word.len() >= 5
            && traits.uppers >= 2
            && traits.digits >= 1
            && traits.uppers + traits.digits + dashes == word.len()
}

/// `WFWG-DCVG`: twice four, without vowels, so that no word comes of it.
fn is_device_code(word: &[u8]) -> bool {
    word.len() == 9
        && word[4] == b'-'
        && word.iter().enumerate().all(|(at, byte)| {
            at == 4 || byte.is_ascii_digit() || byte.is_ascii_uppercase() && !b"AEIOU".contains(byte)
        })
        && word.iter().any(u8::is_ascii_uppercase)
}

/// `482913`, `771 204`, `9274#`, `88213-QT`; no year.
pub(super) fn is_code(word: &[u8], traits: &Traits) -> bool {
    let plain = word.iter().all(|byte| {
        byte.is_ascii_digit() || byte.is_ascii_uppercase() || matches!(byte, b' ' | b'-' | b'#' | b'*')
    });
    // `12-18` is from where to where.
    let range = word.len() <= 5 && word.contains(&b'-');
    let dash = |at: usize| word.get(at) == Some(&b'-');
    let date = word.len() == 10 && (dash(4) && dash(7) || dash(2) && dash(5));
    let year = range || date || word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    // A volume's recovery key: eight times six digits.
    if word.len() == 55
        && word
            .split(|&byte| byte == b'-')
            .all(|group| group.len() == 6 && group.iter().all(u8::is_ascii_digit))
    {
        return true;
    }
    // `7283-2539-484`: groups of digits, as boxes have them.
    let groups = || word.split(|&byte| byte == b'-');
    if (3..=6).contains(&groups().count())
        && traits.digits >= 9
        && groups().all(|group| (3..=6).contains(&group.len()) && group.iter().all(u8::is_ascii_digit))
    {
        return true;
    }
    // `BXHC-VJQP`: two fours, as apps show them.
    let fours = word.len() == 9 && dash(4) && (traits.digits > 0 || chance::density(word) >= 48);
    if fours && traits.uppers + traits.digits == 8 {
        return true;
    }
    plain && !year && (4..=12).contains(&word.len()) && traits.digits >= 3 && traits.digits * 2 >= word.len()
}
