//! PINs: `PIN 8340`, `PIN do sejfu: 70316`, and whose it is.

use super::changed;
use super::codes::{is_entry_code, near};
use super::doors::{THINGS, has_word};
use super::joint::{pair_end, value_end, value_start};
use super::later::{is_paired, later};
use crate::prose;
use crate::span::Spans;
use crate::value::Traits;

/// `PIN 8340`, `PUK: 35014081`, `PIN do sejfu: 70316`, `PINは8340`, `el PIN de la caja fuerte 8830`, `and pin 0917`;
/// `pin 13` is one of a chip's.
pub(super) fn pin(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    if changed::scan(text, end, changed::Old::Digits, spans) {
        return;
    }
    if let Some((start, stop)) = prose::answered_in_digits(text, end) {
        return spans.add(start, stop, "recovery_code", false);
    }
    if let Some((start, stop)) = set_to(text, end) {
        return spans.add(start, stop, "password", false);
    }
    if let Some((start, stop)) = of_card(text, at, end) {
        return spans.add(start, stop, "recovery_code", false);
    }
    if let Some((start, stop)) =
        near(text, 2, end).filter(|_| !text[at].is_ascii()).or_else(|| of_thing(text, end))
    {
        return spans.add(start, stop, "recovery_code", false);
    }
    // A chip has no word of so many letters.
    let capitals = end - at >= 6
        || text[at..end].eq_ignore_ascii_case(b"mtan")
        || text[at..end].eq_ignore_ascii_case(b"puk")
        || text[at].is_ascii_uppercase()
        || !text[at].is_ascii();
    let near = end + text[end..].iter().take(3).take_while(|byte| matches!(byte, b' ' | b'#' | b'"')).count();
    let start = if (capitals || is_mine(text, at)) && text.get(near).is_some_and(u8::is_ascii_digit) {
        near
    } else if let Some((start, stop)) = later(text, end)
        .filter(|&(start, stop)| (capitals || end - at <= 4) && !is_number(text, at, start, stop))
    {
        return spans.add(start, stop, "recovery_code", false);
    } else {
        match value_start(text, at, end) {
            Some(start) => start,
            None => return,
        }
    };
    let whole = pair_end(text, start, value_end(text, start));
    let named = end - at >= 6 || text[at..end].eq_ignore_ascii_case(b"tan");
    if named && is_paired(&text[start..whole]) {
        return spans.add(start, whole, "recovery_code", false);
    }
    let long = text[start..].iter().take(13).take_while(|byte| byte.is_ascii_digit()).count();
    let goes_on = text.get(start + long).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let masked = text[..start].ends_with(b"**");
    if (4..=12).contains(&long)
        && !goes_on
        && !is_number(text, at, start, start + long)
        && !masked
        && !super::is_counted(text, at, &text[start..start + long])
    {
        spans.add(start, start + long, "recovery_code", false);
    }
}

/// `tan 1.57 -> 1255.7655`, `tan, digits=1500`, `192.168.1.1:4567`: a fraction, another setting's, a port.
fn is_number(text: &[u8], name: usize, start: usize, end: usize) -> bool {
    let digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let fraction = text.get(end) == Some(&b'.') && digit(end + 1);
    let port = start > 1 && text[start - 1] == b':' && digit(start - 2);
    let setting = text[name..start].ends_with(b"=") && text[name..start].contains(&b',');
    fraction || port || setting
}

/// `SO PIN changed to 41-otter-19`: some take letters.
fn set_to(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let rest = &text[end..text.len().min(end + 64)];
    let long = [&b" changed to "[..], b" set to ", b" reset to ", b" is now "]
        .iter()
        .find(|verb| rest.starts_with(verb))?
        .len();
    let (start, stop) = (end + long, value_end(text, end + long));
    let word = &text[start..stop];
    let traits = Traits::of(word);
    (traits.digits >= 2 && traits.letters >= 4 && crate::value::is_chosen(word)).then_some((start, stop))
}

/// `, pin 0917`, `and pin 0917`, `my pin 0917`: somebody's.
fn is_mine(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(12)..at].trim_ascii_end();
    let word = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    before.last().is_some_and(|byte| matches!(byte, b',' | b'(' | b';' | b'/'))
        || before.ends_with(b"dial-in")
        || matches!(
            word,
            b"sim"
                | b"SIM"
                | b"card"
                | b"support"
                | b"door"
                | b"alarm"
                | b"and"
                | b"my"
                | b"with"
                | b"his"
                | b"her"
                | b"our"
                | b"use"
                | b"und"
                | b"et"
                | b"y"
                | b"e"
        )
}

/// `PIN ke kartě 3907.`, `Пин-код от тамбура 2580`: up to three words of what it is of, and digits that end what is said.
fn of_card(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    const COUNTS: [&str; 16] = [
        "must", "length", "digit", "attempt", "try", "page", "room", "port", "error", "since", "seit", "bis",
        "until", "muss", "has", "pad",
    ];
    let called = text[at].is_ascii_uppercase() && text[at + 1].is_ascii_uppercase() || !text[at].is_ascii();
    let window = &text[end..text.len().min(end + 48)];
    let digit = window.iter().position(u8::is_ascii_digit).filter(|_| called && window[0] == b' ')?;
    let between = String::from_utf8_lossy(&window[..digit]).to_lowercase();
    let words = between.split_whitespace().count();
    let plain = between.chars().all(|sign| sign.is_alphabetic() || sign == ' ') && between.ends_with(' ');
    let (start, stop) = (end + digit, value_end(text, end + digit));
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r' | b'#'));
    let counts = COUNTS.iter().any(|word| between.contains(word));
    (plain && ends && !counts && (1..=3).contains(&words) && is_entry_code(text, start, stop))
        .then_some((start, stop))
}

/// `PIN de la caja fuerte 8830`: what it opens stands between, and digits end what is said.
fn of_thing(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let window = &text[end..text.len().min(end + 40)];
    let digit = window.iter().position(u8::is_ascii_digit)?;
    let (start, stop) = (end + digit, value_end(text, end + digit));
    let between = String::from_utf8_lossy(&window[..digit]).to_lowercase();
    let words = between.chars().all(|sign| sign.is_alphabetic() || sign == ' ') && between.starts_with(' ');
    let thing = THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(&between, thing));
    (words && thing && is_entry_code(text, start, stop)).then_some((start, stop))
}
