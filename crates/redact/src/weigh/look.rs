//! What a word is made of, and what it looks like instead of a secret.

use super::{Evidence, Sign};
use crate::names::Name;
use crate::value::{self, Traits};
use crate::{chance, prose};

/// A short word of plain letters, of which nothing can make a secret but a name that promises a chosen one.
/// Hot path: most words behind a name are such.
pub(super) fn is_plain(word: &[u8], name: Name) -> bool {
    let chosen =
        matches!(name.kind, "password" | "mnemonic" | "secret" | "pin" | "otp" | "recovery_code" | "login");
    !chosen
        && word.len() < 24
        && word.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'2'))
        && (!chance::is_random(word) || is_turned(word))
}

/// `symbol2label`: what makes the one of the other.
fn is_turned(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b'2');
    let (from, to) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    from.len().min(to.len()) >= 3
        && parts.next().is_none()
        && !chance::is_random(from)
        && !chance::is_random(to)
}

/// `TOTP Generator`, `2.10.1`, `2014-12-18`: a word of a title, a release, a day.
pub(super) fn is_no_code(word: &[u8]) -> bool {
    let title = word[0].is_ascii_uppercase() && word[1..].iter().all(u8::is_ascii_lowercase);
    let day = word.len() == 10
        && (word[4], word[7]) == (b'-', b'-')
        && word.iter().enumerate().all(|(at, byte)| matches!(at, 4 | 7) || byte.is_ascii_digit());
    title || day || crate::harmless::is_release(word)
}

pub(super) fn signs(word: &[u8], evidence: &mut Evidence) {
    let traits = Traits::of(word);
    evidence.add(match word.len() {
        0..=5 => Sign::Long4,
        6..=7 => Sign::Long6,
        8..=11 => Sign::Long8,
        12..=19 => Sign::Long12,
        20..=31 => Sign::Long20,
        32..=63 => Sign::Long32,
        _ => Sign::Long64,
    });
    letters(word, &traits, evidence);
    joints(word, &traits, evidence);
    chances(word, evidence);
    instead(word, evidence);
    together(word, evidence);
}

fn letters(word: &[u8], traits: &Traits, evidence: &mut Evidence) {
    let plain = traits.letters == word.len();
    evidence.when(
        plain && traits.uppers == 1 && traits.lowers > 0 && word[0].is_ascii_uppercase(),
        Sign::TitleOnly,
    );
    match traits.digits {
        0 => {}
        _ if traits.letters == 0 => evidence.add(Sign::DigitsOnly),
        1 => evidence.add(Sign::OneDigit),
        2..=3 => evidence.add(Sign::FewDigits),
        _ => evidence.add(Sign::ManyDigits),
    }
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    evidence.when(traits.digits > 0 && traits.letters > 0 && ending == traits.digits, Sign::DigitsAtEnd);
    evidence.when(traits.digits > ending && traits.letters > 0, Sign::DigitsInside);
    let class = |byte: u8| (byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let turns = word.iter().take(64).zip(&word[1..]).filter(|(a, b)| class(**a) != class(**b)).count();
    evidence.when(turns >= 4 && turns * 4 >= word.len().min(64), Sign::Turns);
}

fn joints(word: &[u8], traits: &Traits, evidence: &mut Evidence) {
    let symbols = word.iter().filter(|byte| JOINTS[usize::from(**byte)] & SYMBOL != 0).count();
    let signs = crate::search::sorts(word, &JOINTS);
    evidence.when(symbols == 1, Sign::OneSymbol);
    evidence.when(word.ends_with(b"!"), Sign::Bang);
    evidence.when(signs & DASH != 0, Sign::Dashes);
    evidence.when(signs & UNDERSCORE != 0, Sign::Underscores);
    evidence.when(signs & DOT != 0, Sign::Dots);
    evidence.when(signs & SLASH != 0, Sign::Slashes);
    evidence.when(traits.spaces > 0, Sign::Blanks);
    evidence.when(word.ends_with(b"="), Sign::Padding);
    evidence.when(signs & BRACKET != 0, Sign::Brackets);
}

/// What stands between the letters of a word.
const SYMBOL: u8 = 1;
const DASH: u8 = 2;
const UNDERSCORE: u8 = 4;
const DOT: u8 = 8;
const SLASH: u8 = 16;
const BRACKET: u8 = 32;
const JOINTS: [u8; 256] = {
    let (mut table, mut byte) = ([0; 256], 0_u8);
    while byte < 128 {
        table[byte as usize] = match byte {
            b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'?' | b'~' => SYMBOL,
            b'-' => DASH,
            b'_' => UNDERSCORE,
            b'.' => DOT,
            b'/' => SLASH,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'|' | b'\\' | b'"' | b'\'' | b'`'
            | b';' => BRACKET,
            _ => 0,
        };
        byte += 1;
    }
    table
};

fn chances(word: &[u8], evidence: &mut Evidence) {
    let sample = &word[..word.len().min(64)];
    let bits = chance::bits(sample);
    match bits * 10 / u32::try_from(sample.len()).unwrap_or(u32::MAX).max(1) {
        0..30 | 36..42 => {}
        30..36 => evidence.add(Sign::Dense30),
        42..48 => evidence.add(Sign::Dense42),
        48..54 => evidence.add(Sign::Dense48),
        _ => evidence.add(Sign::Dense54),
    }
    match bits {
        0..30 => {}
        30..40 => evidence.add(Sign::Bits30),
        40..50 => evidence.add(Sign::Bits40),
        50..70 => evidence.add(Sign::Bits50),
        _ => evidence.add(Sign::Bits70),
    }
}

fn instead(word: &[u8], evidence: &mut Evidence) {
    if value::is_hex(word) && word.len() >= 16 {
        evidence.add(match word.len() {
            32 | 64 => Sign::HexOfKey,
            40 | 128 => Sign::HexOfDigest,
            _ => Sign::Hex,
        });
    }
    evidence.when(prose::is_leet(word), Sign::Leet);
    evidence.when(word.len() >= 3 && prose::looks_chosen(word), Sign::Chosen);
    evidence.when(prose::looks_joined(word), Sign::Joined);
    evidence.when(prose::is_jargon(word), Sign::Jargon);
    evidence.when(value::is_path(word), Sign::Path);
    evidence.when(value::is_identifier_path(word), Sign::Identifiers);
    evidence.when(value::names_itself(word), Sign::NamesItself);
    let number = word
        .iter()
        .all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':' | b'/' | b',' | b'%' | b'+'));
    evidence.when(number, Sign::Number);
    evidence.when(value::is_phrase(word), Sign::Phrase);
}

/// What a line of code says of a plain word without quotes.
pub(super) fn in_code(word: &[u8], quoted: Option<u8>, evidence: &mut Evidence) {
    let code = evidence.has(Sign::LineCode) && quoted.is_none();
    let plain = || !word.iter().any(u8::is_ascii_digit) && !chance::is_random(word);
    evidence.when(code && plain(), Sign::BarePlainCode);
}

/// What two signs say together.
fn together(word: &[u8], evidence: &mut Evidence) {
    let any = |wanted: &[Sign]| wanted.iter().any(|sign| evidence.has(*sign));
    let password = any(&[Sign::NamePassword, Sign::NamePhrase]);
    let strong = password || any(&[Sign::NameSecret, Sign::NameToken, Sign::NameApiKey]);
    let direct = any(&[Sign::WordsNone])
        && any(&[
            Sign::ByEquals,
            Sign::ByEqualsTight,
            Sign::ByColon,
            Sign::ByCopula,
            Sign::ByArrow,
            Sign::ByTag,
            Sign::ByBar,
        ]);
    let random = chance::is_random(word);
    let (password, token) = (password && direct, strong && !password && direct);
    let adjacent = any(&[Sign::WordsNone]) && any(&[Sign::ByBlank]);
    evidence.when(password, Sign::PasswordDirect);
    evidence.when(token, Sign::TokenDirect);
    evidence.when(direct && random, Sign::DirectRandom);
    evidence.when(adjacent, Sign::FirstWordAfter);
}
