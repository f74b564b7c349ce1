//! Whether a word of a sentence is the value of its name.

use super::REACH;
use super::looks::has_joints;
use super::looks::is_jargon;
use super::looks::looks_chosen;
use super::looks::looks_joined;
use crate::chance;
use crate::names::Name;
use crate::names::Trust;
use crate::search::Words;
use crate::value;
use crate::value::Place;
use crate::value::Traits;

/// A command, an example, a pointer: what is called so, and has no value behind it.
pub(super) fn names_nothing(text: &[u8], start: usize, stop: usize) -> bool {
    // `pwd && ls` says where one is.
    if [&b" &&"[..], b" ||", b" |", b" ;"].iter().any(|shell| text[stop..].starts_with(shell)) {
        return true;
    }
    // `INVALID PASSWORD ENTERED AT TERMINAL L0A3`: where, and not what.
    if text[stop..].starts_with(b" ENTERED AT ") {
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

const SEPARATES: u8 = 1;
const TELLING: u8 = 2;
/// What the bytes of plain talk are.
const TALK: [u8; 256] = {
    let mut table = [TELLING; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b' ' | b',' | b';' | b'(' | b')' => SEPARATES,
            b'0'..=b'9' | b'"' | b'\'' | b'`' | b'*' | b'\\' => TELLING,
            _ => 0,
        };
        byte += 1;
    }
    table
};
/// The first length at which a word is more than a word.
const LONGEST_PLAIN: usize = 16;

/// A long word covers one of each so many places.
fn has_long_word(talk: &[u8]) -> bool {
    let letter = |byte: &&u8| TALK[usize::from(**byte)] != SEPARATES;
    (LONGEST_PLAIN - 1..talk.len()).step_by(LONGEST_PLAIN).any(|at| {
        let left = talk[..at].iter().rev().take(LONGEST_PLAIN).take_while(letter).count();
        let right = talk[at..].iter().take(LONGEST_PLAIN).take_while(letter).count();
        right > 0 && left + right >= LONGEST_PLAIN
    })
}

/// Whether only words stand on the rest of the line: no digit, no quote, nothing long. Most names in sentences and
/// in code are followed by nothing else, and no value is made of that.
pub(super) fn is_plain_talk(text: &[u8], from: usize) -> bool {
    let window = &text[from..text.len().min(from + REACH + LONGEST_PLAIN)];
    let line = memchr::memchr(b'\n', window);
    let rest = &window[..line.unwrap_or(window.len())];
    let blank = rest.get(REACH..).and_then(|rest| memchr::memchr(b' ', rest)).map(|at| REACH + at);
    let talk = &rest[..blank.unwrap_or(rest.len())];
    if crate::search::sorts(talk, &TALK) & TELLING != 0 || has_long_word(talk) {
        return false;
    }
    let last = talk.iter().rev().find(|&&byte| byte > b' ');
    let goes_on =
        matches!(last, Some(b':' | b'?')) || line.is_some_and(|line| super::broken(text, from + line));
    blank.is_some() || !goes_on && (line.is_some() || from + REACH + LONGEST_PLAIN > text.len())
}

/// `login bob⏎password X`, `port 22, user bob⏎password X`: the line before names the user, and the value ends this one.
pub(super) fn is_below_user(text: &[u8], stop: usize, end: usize) -> bool {
    const USERS: [&[u8]; 7] =
        [b"login ", b"user ", b"username ", b"utente ", b"usuario ", b"benutzer ", b"utilisateur "];
    let from = stop.saturating_sub(100);
    let mut lines = text[from..stop].rsplit(|&byte| byte == b'\n');
    let alone = lines.next().is_some_and(|line| line.trim_ascii_start().iter().all(u8::is_ascii_alphabetic));
    let above = lines.next().unwrap_or_default().trim_ascii().to_ascii_lowercase();
    // Its last two words: a comma stands before them.
    let last = memchr::memmem::rfind(&above, b", ").map_or(&above[..0], |comma| &above[comma + 2..]);
    let pair = memchr::memchr_iter(b' ', last).count() == 1;
    alone
        && matches!(text.get(end), None | Some(b'\n' | b'\r'))
        && USERS.iter().any(|user| above.starts_with(user) || pair && last.starts_with(user))
}

/// "the password is blueberrymuffin all in lower case": how it is written is said of a password alone, but for what is
/// done with one. "the password is `Naranjo_en_flor`".
pub(super) fn dictated(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    const DONE: [&[u8]; 6] = [b"ed", b"en", b"wn", b"case", b"ive", b"ters"];
    let start = stop + 4;
    let rest = text[stop..].strip_prefix(b" is ")?;
    let whole = rest.iter().take(64).take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_').count();
    if is_strung(&rest[..whole]) {
        return Some((start, start + whole));
    }
    let long = rest.iter().take(LONGEST_PLAIN).take_while(|byte| byte.is_ascii_lowercase()).count();
    let plain = long >= 6 && !DONE.iter().any(|done| rest[..long].ends_with(done));
    (plain && crate::spoken::follow::is_dictated(text, start + long)).then_some((start, start + long))
}

/// `Naranjo_en_flor`: three words or more below one capital.
pub(crate) fn is_strung(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b'_');
    let letter = |byte: &u8| byte.is_ascii_lowercase() || !byte.is_ascii();
    let small = |part: &[u8]| part.len() >= 2 && part.iter().all(letter);
    word.len() >= 12
        && (word[0].is_ascii_uppercase() || !word[0].is_ascii())
        && parts.next().is_some_and(|part| part.len() >= 3 && small(&part[1..]))
        && parts.clone().count() >= 2
        && parts.all(small)
}

/// Whether a word is worth judging: quoted, or with a sign or digit that words don't have.
pub(super) fn is_plausible(word: &[u8], quoted: bool) -> bool {
    // Most words are words, and end here.
    let shows =
        quoted || word.len() >= 16 || word.iter().any(|byte| !byte.is_ascii_alphabetic() && *byte != b'-');
    if word.len() < 6 || !shows {
        return false;
    }
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
    !pair && !crate::search::has(word, b"'@'") && (quoted || !shout && !word.starts_with(b"__"))
}

/// Values that only their place gives away: `username bob secret X`, `wifi password Guest-2024`,
/// "the code is 493817".
pub(super) fn is_handed(
    text: &[u8],
    start: usize,
    first: bool,
    name: Name,
    word: &[u8],
    copula: bool,
) -> bool {
    if value::is_placeholder(word) || word.len() < 6 || is_jargon(word) {
        let passcode =
            first && text.get(start..start + 8).is_some_and(|name| name.eq_ignore_ascii_case(b"passcode"));
        let at = crate::search::offset(text, word);
        return name.trust == Trust::Password
            && (copula || passcode)
            && (6..=8).contains(&word.len())
            && word.iter().all(u8::is_ascii_digit)
            && !is_of_other(&text[start..at]);
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

/// "password for the portal, my customer number is 884213", "hashed with PBKDF2 (210000 rounds)".
pub(super) fn is_of_other(between: &[u8]) -> bool {
    between.ends_with(b"(") || crate::search::has(between, b"umber") || crate::search::has(between, b"ummer")
}

/// `the password on the fridge (lemon&salt)`: one word with a sign inside that no name has.
pub(super) fn is_bracketed(text: &[u8], word: &super::word::Word) -> bool {
    let bytes = &text[word.start..word.end];
    let signed =
        bytes.iter().any(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^'));
    text.get(word.end) == Some(&b')') && bytes.len() >= 8 && signed && value::is_chosen(bytes)
}

/// Chosen, where a dot is a sign like others.
pub(super) fn is_dotted(word: &[u8]) -> bool {
    let dashed: Vec<u8> = word.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
    value::is_chosen(&dashed)
}

pub(super) fn is_numbered(word: &[u8]) -> bool {
    word.strip_prefix(b"password").is_some_and(|rest| rest.len() == 1 && rest[0].is_ascii_digit())
}

/// "the zip is protected, password march-0324", "with password X": the name itself begins what is said.
pub(super) fn is_introduced(text: &[u8], start: usize) -> bool {
    let before = text[start.saturating_sub(24)..start].trim_ascii_end();
    let word = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let sign = before
        .last()
        .is_none_or(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'(' | b';' | b'.' | b'-'));
    let line = text[..start].ends_with(b"\n") || start == 0;
    sign || line || matches!(word, b"and" | b"with" | b"und" | b"et" | b"y" | b"e" | b"en" | b"use")
}

pub(super) fn is_value(name: Name, word: &[u8], quoted: bool, copula: bool) -> bool {
    if word.len() < 6
        || word.starts_with(b"&")
        || word.contains(&b'<') && !chance::is_random(word)
        || is_jargon(word)
        || value::is_placeholder(word)
        // "(invalid password), correlation 42dd…": which request it was.
        || !copula && !quoted && value::is_uuid(word) && name.trust == Trust::Password
    {
        return false;
    }
    match name.trust {
        Trust::Password if name.kind == "mnemonic" => false,
        Trust::Password => {
            let digit = word.iter().any(u8::is_ascii_digit);
            let named = quoted
                && copula
                && (!has_joints(word) || digit && !word.contains(&b'/') || is_joined_words(word));
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

/// `flamingo_lagoon`: two words that no field is called by.
fn is_joined_words(word: &[u8]) -> bool {
    #[rustfmt::skip]
    static FIELDS: Words<26> = Words::new([
        b"case", b"sensitive",
        b"user", b"name", b"value", b"field", b"required", b"default", b"string", b"hash", b"reset", b"change", b"login", b"account",
        b"config", b"valid", b"empty", b"missing", b"wrong", b"test", b"your", b"admin", b"text", b"null", b"type", b"auth",
    ]);
    let mut parts = word.split(|byte| matches!(byte, b'_' | b'-'));
    value::is_choosable(word)
        && parts.clone().count() == 2
        && parts.all(|part| part.len() >= 4 && part.iter().all(u8::is_ascii_lowercase))
        && !FIELDS.within(word)
}

pub(super) fn copula_or_random(word: &[u8], helped: bool) -> bool {
    let traits = Traits::of(word);
    let mixed = traits.digits >= 2 && traits.letters >= 4;
    let spelt = has_joints(word) && chance::density(word) < 45;
    let random = helped && word.len() >= 12 && traits.digits > 0 && chance::is_random(word);
    // `APP_USR-7719…-165a2351…-29`: made of numbers, of which one is in hex.
    let numbers = || {
        let hex = |part: &[u8]| part.len() >= 24 && value::is_hex(part) && Traits::of(part).letters >= 4;
        let parts = || word.split(|byte| matches!(byte, b'-' | b'_' | b'.'));
        parts().filter(|part| Traits::of(part).digits >= 4).count() >= 3 && parts().any(hex)
    };
    random
        || helped && word.len() >= 40 && !matches!(word.len(), 40 | 64) && numbers()
        || mixed
            && (word.len() >= 16 && (chance::is_random(word) || value::is_hex(word) || value::is_uuid(word))
                || helped && word.len() >= 8 && !spelt && looks_chosen(word))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn how_a_password_is_written_is_said_of_it_alone() {
        for (text, secret) in [
            ("upstairs the password is blueberrymuffin all in lower case", "blueberrymuffin"),
            ("the password is blueberrymuffin, one word", "blueberrymuffin"),
            ("La contraseña de la base de datos es Naranjo_en_flor, el puerto 3307", "Naranjo_en_flor"),
            ("the password is Naranjo_en_flor, the user", "Naranjo_en_flor"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "the password is stored in lower case",
            "the password is encrypted, all in one place",
            "the password is lowercase, all small letters",
            "the password is written, one word a line",
            "the password is optional in most cases",
            "the token is Some_long_identifier, see below",
            "the password is Some_Class, see below",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
