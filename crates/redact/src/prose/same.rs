//! The same password again, and any other secret between quotes, a little behind where it was found: "Enter it again: X", a setting that repeats what was typed.
//!
//! - S1  behind each at most [`REACH`] bytes are read; what stands further before or behind changes nothing, so a stream
//!   says the same

use std::collections::HashMap;

use crate::chance;
use crate::gate;
use crate::span::{Span, Spans};
use crate::value;

const REACH: usize = 1024;
const SHORTEST: usize = 8;

pub(super) fn scan(text: &[u8], spans: &mut Spans) {
    let again_told = |span: &&Span| {
        matches!(span.kind, "password" | "secret" | "token" | "api_key" | "key" | "otp" | "recovery_code")
    };
    let mut told: Vec<Span> = spans.found().iter().filter(again_told).copied().collect();
    told.sort_unstable_by_key(|span| span.start);
    told.dedup_by_key(|span| (span.start, span.end, span.kind == "password"));
    // how far each was looked for: a text that says little else is not read again for each
    let mut read: HashMap<(&[u8], bool), usize> = HashMap::new();
    for span in told {
        let word = &text[span.start..span.end];
        // A code that was sent is typed a little later.
        let code = matches!(span.kind, "otp" | "recovery_code");
        if code && word.len() >= 6 && word.iter().all(u8::is_ascii_digit) {
            let read = read.entry((word, true)).or_default();
            *read = again(text, span.end.max(*read), span, spans);
            continue;
        }
        if code || word.len() < SHORTEST || word.len() > 64 {
            continue;
        }
        let random = span.kind != "password" && chance::is_random(word);
        let chosen = random || word.iter().any(u8::is_ascii_digit) && value::is_chosen(word);
        if chosen || std::str::from_utf8(word).is_ok_and(gate::is_unmistakable) {
            let read = read.entry((word, span.kind == "password")).or_default();
            *read = again(text, span.end.max(*read), span, spans);
            if span.kind == "password" {
                numbered_otherwise(text, span, spans);
            }
        }
    }
}

/// "I tried Otterbach2019 and then the one before, Otterbach2018": the same word and as many other digits.
fn numbered_otherwise(text: &[u8], span: Span, spans: &mut Spans) {
    const NEAR: usize = 160;
    let word = &text[span.start..span.end];
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let stem = &word[..word.len() - digits];
    let named = stem.len() >= 6
        && stem[0].is_ascii_uppercase()
        && stem[1..].iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii());
    if !named || !(1..=4).contains(&digits) {
        return;
    }
    let window = &text[span.end..text.len().min(span.end + NEAR)];
    for at in crate::search::find_all(window, stem) {
        let start = span.end + at;
        let long = text[start + stem.len()..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
        let end = start + stem.len() + long;
        let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        if long == digits && !letter(text.get(start - 1)) && !letter(text.get(end)) {
            spans.add(start, end, span.kind, span.certain);
        }
    }
}

/// Looks for it from `from` on; returns up to where it would have been found whole.
fn again(text: &[u8], from: usize, span: Span, spans: &mut Spans) -> usize {
    let word = &text[span.start..span.end];
    let stop = text.len().min(span.end + REACH);
    let window = &text[from.min(stop)..stop];
    for at in crate::search::find_all(window, word) {
        let (start, end) = (from + at, from + at + word.len());
        let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphanumeric);
        let whole = !letter(start.checked_sub(1).and_then(|at| text.get(at))) && !letter(text.get(end));
        let quote =
            start.checked_sub(1).map(|at| text[at]).filter(|byte| matches!(byte, b'`' | b'"' | b'\''));
        let quoted = quote.is_some() && quote == text.get(end).copied();
        // What is no password is often an id too: only what is quoted, or so long as nobody makes ids, is the same.
        let digest = value::is_hex(word);
        let made = word.len() >= 20 && !value::is_uuid(word);
        let code = matches!(span.kind, "otp" | "recovery_code");
        if whole && (span.kind == "password" || code || (quoted || made) && !digest) {
            spans.add(start, end, span.kind, span.certain);
        }
    }
    from.max((stop + 1).saturating_sub(word.len()))
}

#[cfg(test)]
mod tests {
    use crate::scan;

    #[test]
    fn what_is_repeated_is_the_same() {
        let text = "new password: timber473anvil\nEnter it again: timber473anvil\nno timber473anvilling";
        assert_eq!(scan(text).len(), 2);
        assert_eq!(scan("the timber473anvil pub\npassword=timber473anvil\n").len(), 1);
        assert_eq!(scan("password=production\nin production we").len(), 0);
    }

    #[test]
    fn a_long_token_is_the_same_wherever_it_stands_behind() {
        let token = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6";
        let text = format!(
            "export TOKEN={token}\ncurl https://otter.example/x/{token}/y\nthen {token} was in the log\n"
        );
        assert_eq!(crate::testing::found(&text), [token, token, token]);
        let commit = "3f9a1c7e5b2d48069a8b7c6d5e4f30213f9a1c7e";
        assert_eq!(scan(&format!("api_key: {commit}\nat {commit}\n")).len(), 1);
    }

    #[test]
    fn the_one_before_has_other_digits() {
        let text = "I tried my password Otterbach2019 and then the one before that, Otterbach2018, and now it is locked";
        assert_eq!(crate::testing::found(text), ["Otterbach2019", "Otterbach2018"]);
        let text = "password: Otterbach2019\nsee Otterbach 2018, Otterbach20, Otterbach2018b and Kettle2018";
        assert_eq!(crate::testing::found(text), ["Otterbach2019"]);
    }

    #[test]
    fn of_many_each_is_looked_for() {
        let twice = |number: usize| {
            format!("new password: timber{number}anvil\nEnter it again: timber{number}anvil\n")
        };
        let text: String = (100..140).map(twice).collect();
        assert_eq!(scan(&text).len(), 80);
    }

    #[test]
    fn what_stands_far_before_changes_nothing() {
        let text = "new password: timber473anvil\nEnter it again: timber473anvil\n";
        let far = format!("{text}{}", "and nothing is said here\n".repeat(100));
        assert_eq!(scan(&format!("{far}{text}")).len(), 4);
    }
}
