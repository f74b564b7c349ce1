//! What a value is made of, counted and compared.

use crate::chance;
use crate::search::Words;

/// A salt of a framework: long, and of every class of signs, brackets and blanks too.
pub(crate) fn is_wild(value: &[u8], shape: &Traits) -> bool {
    // A salt may have few digits.
    let syntax = [&b"]+"[..], b"]*", b")?", b"]?", b".*", b"\\", b"=\""];
    if (60..=68).contains(&value.len())
        && shape.symbols >= 12
        && shape.spaces <= 4
        && shape.uppers >= 6
        && shape.lowers >= 6
        && !is_pattern(value)
        && !syntax.iter().any(|sign| crate::search::has(value, sign))
    {
        return true;
    }
    value.len() >= 24
        && shape.digits >= 3
        && shape.lowers >= 4
        && shape.symbols >= 2
        && value.iter().filter(|byte| byte.is_ascii_punctuation() && !is_base64_sign(**byte)).count() >= 2
        && shape.spaces <= value.len() / 12
        && chance::density(value) >= 46
        && !is_pattern(value)
}

/// `EsUA!Uin+^LGxQ`: letters of both sizes and signs in no order, and none that a pattern or a path is made of.
pub(crate) fn is_signed(value: &[u8], shape: &Traits) -> bool {
    let sign = |byte: &u8| {
        matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'?' | b'+' | b'=' | b'~')
    };
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || sign(byte) || matches!(byte, b'_' | b'-' | b'.');
    let turns = value.windows(2).filter(|two| sign(&two[0]) && two[1].is_ascii_alphanumeric()).count();
    let sizes =
        value.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count();
    (12..=64).contains(&value.len())
        && shape.spaces == 0
        && shape.uppers >= 3
        && shape.lowers >= 3
        && turns >= 2
        && (sizes >= 1 || turns >= 3)
        && value.iter().all(plain)
        && chance::density(value) >= 50
}

/// `fuJBbQdT`: more turns between small and capital letters and digits than a name's words have.
pub(super) fn is_scrambled(value: &[u8]) -> bool {
    let class = |byte: u8| (byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let turns = value.windows(2).filter(|two| class(two[0]) != class(two[1])).count();
    // `YKD3M8MF`: as base 32 has it.
    let capitals = value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    let scattered = capitals && value.iter().filter(|byte| byte.is_ascii_digit()).count() == 1;
    (turns >= 3 || scattered)
        && chance::density(value) >= 46
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || is_base64_sign(*byte))
}

pub(super) fn is_base64_sign(byte: u8) -> bool {
    matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_' | b'.' | b':' | b',')
}

/// A regular expression, a format, markup: as wild, but no secret.
pub(super) fn is_pattern(value: &[u8]) -> bool {
    static STARTS: Words<7> = Words::new([b"(?", b"[^", b"[a-", b"[0-", b"\\", b"](", b"=\""]);
    STARTS.within(value)
}

/// The few counts that the judges need.
pub(crate) struct Traits {
    pub(crate) letters: usize,
    pub(crate) lowers: usize,
    pub(crate) uppers: usize,
    pub(crate) digits: usize,
    pub(crate) spaces: usize,
    pub(crate) symbols: usize,
}

/// The count of `Traits` that each byte belongs to.
const SORTS: [u8; 256] = {
    let mut table = [5; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'z' => 0,
            b'A'..=b'Z' => 1,
            b'0'..=b'9' => 2,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => 3,
            b'_' | b'-' | b'.' | b'/' | b':' | b',' => 5,
            _ if byte.is_ascii_punctuation() => 4,
            _ => 5,
        };
        byte += 1;
    }
    table
};

/// Five counts in one word, so that a byte costs one addition.
pub(super) const COUNT_BITS: usize = 12;
pub(super) const MOST_COUNTED: usize = (1 << COUNT_BITS) - 1;
pub(super) const COUNTED: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        if SORTS[byte] < 5 {
            table[byte] = 1 << (SORTS[byte] as usize * COUNT_BITS);
        }
        byte += 1;
    }
    table
};

/// `abcd efgh ijkl mnop`: groups of a length that no words are.
pub(crate) fn is_grouped(value: &[u8]) -> bool {
    let groups: Vec<&[u8]> = value.split(|&byte| byte == b' ').take(9).collect();
    let even = groups
        .iter()
        .all(|group| group.len() == groups[0].len() && group.iter().all(u8::is_ascii_alphanumeric));
    let spelt = groups.iter().filter(|group| chance::density(group) < 38).count();
    (3..=8).contains(&groups.len()) && (2..=6).contains(&groups[0].len()) && even && spelt * 2 < groups.len()
}

pub(super) fn class_changes(word: &[u8]) -> usize {
    word.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit()).count()
}

/// Only hex digits of one case.
pub(crate) fn is_hex(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
        || value.iter().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte))
}

/// `8-4-4-4-12` hex digits.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| {
            if matches!(at, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}

/// `agent:main:subagent:0ce5c56d-…`, `signed-0ce5c56d-…`: a UUID behind the words that say whose it is.
pub(crate) fn is_scoped_uuid(value: &[u8]) -> bool {
    let Some((scope, id)) = value.len().checked_sub(36).map(|at| value.split_at(at)) else { return false };
    let Some((sign, words)) = scope.split_last() else { return false };
    matches!(sign, b':' | b'-')
        && words.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'-' | b'_' | b':'))
        && is_uuid(id)
}
/// `BBK3-DX4X`, `CXV-WM4`, `7739-2840-0575`: two to five groups of three to five capitals and digits.
pub(crate) fn is_code_in_groups(word: &[u8]) -> bool {
    let groups = || word.split(|&byte| byte == b'-');
    // In capitals, or in small letters with a digit in each group.
    let capital = |byte: &u8| byte.is_ascii_uppercase() || byte.is_ascii_digit();
    let small = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let written = groups().all(|group| group.iter().all(capital))
        || groups().all(|group| group.iter().all(small) && group.iter().any(u8::is_ascii_digit));
    let vowels = word.iter().any(|byte| b"AEIOU".contains(byte));
    let digits = word.iter().any(u8::is_ascii_digit);
    // `INC-4471` is a ticket, `2024-0042` the forty-second of a year.
    let ticket = groups().next().is_some_and(|first| first.iter().all(u8::is_ascii_uppercase))
        && groups().skip(1).all(|group| group.iter().all(u8::is_ascii_digit));
    let year = word.starts_with(b"20")
        && groups().next().is_some_and(|first| first.len() == 4)
        && groups().count() == 2;
    (2..=5).contains(&groups().count())
        && groups().all(|group| (3..=5).contains(&group.len()))
        && written
        && (digits || !vowels)
        && !ticket
        && !(year && word.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-'))
}
