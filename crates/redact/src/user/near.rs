//! An expression near a keyword: it runs in windows around the keyword that never overlap.

use regex::bytes::{Regex, RegexBuilder};

use super::compile::SHORTEST_KEYWORD;
use super::file::Row;
use crate::chance;
use crate::span::Spans;

/// Windows around a keyword are no wider.
const WIDEST: usize = 4096;
const USUAL: usize = 256;
const LARGEST_REGEX: usize = 4 << 20;

/// An expression near a keyword.
pub(super) struct Near {
    regex: Regex,
    group: usize,
    reach: usize,
    least_bits: u32,
    entropy: f64,
    words: Vec<String>,
    allowed: Vec<Regex>,
}

pub(super) fn near(row: &Row, source: &str) -> Result<Near, String> {
    if row.keywords.is_empty() || row.keywords.iter().any(|word| word.len() < SHORTEST_KEYWORD) {
        return Err(format!("a regex needs keywords of at least {SHORTEST_KEYWORD} bytes"));
    }
    let reach = row.max_len.unwrap_or(USUAL);
    if reach > WIDEST {
        return Err(format!("max_len is {reach}, more than {WIDEST}"));
    }
    let regex = expression(source)?;
    let named = regex.capture_names().position(|name| name == Some("secret"));
    let group = named.or(row.secret_group).unwrap_or(0);
    if group >= regex.captures_len() {
        return Err(format!(
            "secret_group is {group}, and the regex has {} groups",
            regex.captures_len() - 1
        ));
    }
    let least_bits = match row.min_p {
        None => 0.0,
        Some(p) if p > 0.0 && p <= 1.0 => -p.log2(),
        Some(_) => return Err("min_p is a probability between 0 and 1".to_owned()),
    };
    let allowed = row.allow_regex.iter().map(|source| expression(source)).collect::<Result<_, _>>()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 1074
    let least_bits = least_bits.ceil() as u32;
    let words = row.allow_words.iter().map(|word| word.to_ascii_lowercase()).collect();
    Ok(Near { regex, group, reach, least_bits, entropy: row.entropy.unwrap_or(0.0), words, allowed })
}

fn expression(source: &str) -> Result<Regex, String> {
    let build = |unicode| RegexBuilder::new(source).unicode(unicode).size_limit(LARGEST_REGEX).build();
    build(false).or_else(|_| build(true)).map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "its regex is too large".to_owned(),
        error => format!("its regex is none: {}", error.to_string().lines().last().unwrap_or_default()),
    })
}

/// Adds a window, joined with the one before if they touch: hits come in order.
pub(super) fn widen(windows: &mut Vec<(usize, usize)>, near: &Near, start: usize, end: usize, long: usize) {
    let (from, to) = (start.saturating_sub(near.reach), (end + near.reach).min(long));
    match windows.last_mut() {
        Some(last) if from <= last.1 => *last = (last.0.min(from), last.1.max(to)),
        _ => windows.push((from, to)),
    }
}

impl Near {
    pub(super) fn find(
        &self,
        text: &[u8],
        (from, to): (usize, usize),
        kind: &'static str,
        spans: &mut Spans,
    ) {
        let mut at = from;
        while at < to {
            let Some(found) = self.regex.captures_at(&text[..to], at) else { return };
            let (Some(whole), Some(secret)) = (found.get(0), found.get(self.group).or_else(|| found.get(0)))
            else {
                return;
            };
            at = whole.end().max(whole.start() + 1);
            if whole.len() <= 2 * self.reach + WIDEST && self.believes(secret.as_bytes(), whole.as_bytes()) {
                spans.add(secret.start(), secret.end(), kind, true);
            }
        }
    }

    fn believes(&self, secret: &[u8], whole: &[u8]) -> bool {
        chance::bits(&secret[..secret.len().min(512)]) >= self.least_bits
            && (self.entropy <= 0.0 || entropy(secret) > self.entropy)
            && !self.allowed.iter().any(|allowed| allowed.is_match(whole) || allowed.is_match(secret))
            && !self.has_word(secret)
    }

    /// A stop word counts as a whole word: a random value may contain any.
    fn has_word(&self, secret: &[u8]) -> bool {
        !self.words.is_empty()
            && String::from_utf8_lossy(secret)
                .to_ascii_lowercase()
                .split(|sign: char| !sign.is_ascii_alphanumeric())
                .any(|word| self.words.iter().any(|stop| stop == word))
    }
}

/// Shannon's, in bits a byte, for rules that come from where it is used.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let all = f64::from(u32::try_from(bytes.len()).unwrap_or(u32::MAX)).max(1.0);
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| f64::from(count) / all)
        .map(|p| -p * p.log2())
        .sum()
}
