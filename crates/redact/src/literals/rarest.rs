//! Which bytes of a literal to look for: those that few texts have.

use std::cmp::Reverse;

use super::grams::{WORDS, place};

/// Bytes of texts, the most frequent first; all others are rarer.
const COMMON: &[u8] = b" e-tainorslcdumphfgb=_.\nyvw0/k,:\"()1x'2q3j4z5";
/// Parts of words that are more frequent than their bytes. Which are listed changes how fast literals are found, and
/// not what is found.
#[rustfmt::skip]
const PARTS: [&[u8; 4]; 82] = [
    b"test", b"http", b" for", b"com/", b"this", b"with", b"cont", b" com", b"port", b"his ", b"tabl", b"lock",
    b"valu", b" you", b"bloc", b"\": \"", b"ther", b"ssio", b"ring", b"star", b"sing", b"list", b"you ", b"user",
    b"vers", b"here", b"mpor", b"utpu", b"mand", b"serv", b"he p", b"bits", b"open", b"pyth", b"othe", b"her ",
    b"over", b"ques", b"link", b"back", b"util", b"oper", b" = {", b"hang", b"chan", b"exec", b"buil", b"code",
    b"ode ", b" cod", b"sign", b" key", b"tion", b"pass", b"word", b"use ", b"codi", b"your", b"work", b"conf",
    b" wor", b"auth", b"ctiv", b"ncod", b"log ", b"show", b"ontr", b"oduc", b"\", \"", b"rese", b" lis", b"orks",
    b"keys", b"logi", b"oken", b"ext(", b"sync", b"used", b"mark", b" war", b"\":{\"", b"faul",
];

/// How rare each byte is.
static RARE: [u8; 256] = {
    #[allow(clippy::cast_possible_truncation, reason = "few bytes")]
    let mut rare = [COMMON.len() as u8; 256];
    let mut at = 0;
    while at < COMMON.len() {
        #[allow(clippy::cast_possible_truncation, reason = "few bytes")]
        let rank = at as u8;
        rare[COMMON[at] as usize] = rank;
        rare[COMMON[at].to_ascii_uppercase() as usize] = rank;
        at += 1;
    }
    rare
};

/// The places of the parts, a bit each.
static FREQUENT: [u64; WORDS / 64] = {
    let mut frequent = [0; WORDS / 64];
    let mut at = 0;
    while at < PARTS.len() {
        let place = place(u32::from_le_bytes(*PARTS[at]) as u64, 4);
        frequent[place / 64] |= 1 << (place % 64);
        at += 1;
    }
    frequent
};

/// Where the rarest four bytes of `text` begin.
pub(super) fn four(text: &[u8]) -> u8 {
    let rarest = text.array_windows().enumerate().max_by_key(|(at, four)| {
        let place = place(u64::from(u32::from_le_bytes(**four)), 4);
        let rare = four.iter().map(|&byte| u32::from(RARE[usize::from(byte)])).sum::<u32>();
        (Reverse(FREQUENT[place / 64] >> (place % 64) & 1), rare, Reverse(*at))
    });
    rarest.map_or(0, |(at, _)| u8::try_from(at).unwrap_or(0))
}
