//! What is changed from X to Y: both were, or are, secrets.

use super::{Sort, accepts, value_end};
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::value::Traits;

/// Words that say from what to what; a language is a row.
#[rustfmt::skip]
const CHANGES: &[(&str, &str)] = &[
    (" from ", " to "),
    (" von ", " auf "), (" von ", " zu "), (" von ", " in "),
    (" de ", " à "), (" de ", " en "),
    (" de ", " a "),
    (" de ", " para "),
    (" da ", " a "),
    (" van ", " naar "),
    (" från ", " till "), (" fra ", " til "),
    (" z ", " na "),
    (" с ", " на "),
    (" from ", " into "),
    (" change ", " to "), (" changes ", " to "), (" changed ", " to "),
];

/// The first words of them: most lines have none.
static FROMS: Words<10> = Words::exact([
    b" change",
    b" from ",
    b" von ",
    b" de ",
    b" da ",
    b" van ",
    " från ".as_bytes(),
    b" fra ",
    b" z ",
    " с ".as_bytes(),
]);

/// What the value before the change must be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Old {
    /// Whatever it is: the new one shows itself.
    Password,
    Anything,
    /// Digits, and so is the new one.
    Digits,
}

/// Both values of a change, if the new one shows itself.
pub(super) fn scan(text: &[u8], end: usize, old: Old, spans: &mut Spans) -> bool {
    let line = crate::search::line(text, end, 96);
    if !FROMS.within(line) {
        return false;
    }
    for (from, to) in CHANGES {
        for at in memchr::memmem::find_iter(line, from) {
            let start = end + at + from.len();
            let stop = value_end(text, start);
            if !text[stop..].starts_with(to.as_bytes()) {
                continue;
            }
            let new = stop + to.len();
            let new_end = value_end(text, new);
            if shows(&text[start..stop], &text[new..new_end], old) {
                let kind = if old == Old::Digits { "recovery_code" } else { "password" };
                spans.add(start, stop, kind, false);
                spans.add(new, new_end, kind, false);
                return true;
            }
        }
    }
    false
}

fn shows(old: &[u8], new: &[u8], sort: Old) -> bool {
    let digits = |word: &[u8]| (4..=10).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
    let traits = Traits::of(new);
    match sort {
        Old::Digits => digits(old) && digits(new),
        Old::Password => traits.digits > 0 && accepts(Sort::Password, new),
        // A login may be many things: the new one must have what only passwords have.
        Old::Anything => {
            traits.digits > 0
                && (traits.symbols > 0 || prose::looks_joined(new) && traits.uppers > 0)
                && accepts(Sort::Password, new)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_change_begins_with_a_word_that_is_looked_for() {
        let begins = |(from, _): &(&str, &str)| FROMS.begin(from.as_bytes());
        assert!(CHANGES.iter().all(begins));
    }
}
