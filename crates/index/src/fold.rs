//! Unicode folding, one rule for what is indexed, scanned and asked: NFKD, marks stripped, and
//! (at the very end, so that camel case can still be seen) lower case.
//!
//! Hangul syllables and voiced kana are put together again: for their readers they are letters and not
//! letters with marks. Every folded character remembers which bytes it came from, for highlights.

use std::ops::Range;

use unicode_normalization::char::{
    canonical_combining_class, compose, decompose_compatible, is_combining_mark,
};

/// Folded characters (case kept) with the byte range of the source that each came from.
#[derive(Debug)]
pub(crate) struct Folded<'a> {
    text: &'a str,
    at: usize,
    queue: Vec<(char, Range<usize>)>,
    taken: usize,
}

impl<'a> Folded<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, queue: Vec::new(), taken: 0 }
    }

    /// The next character, which stays the next.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<char> {
        loop {
            if let Some((c, _)) = self.queue.get(self.taken) {
                return Some(*c);
            }
            let byte = *self.text.as_bytes().get(self.at)?;
            if byte.is_ascii() {
                return Some(char::from(byte));
            }
            self.fill();
        }
    }

    /// Goes on behind the character that was peeked at, and says where it came from.
    #[inline]
    pub(crate) fn pass(&mut self) -> Range<usize> {
        if let Some((_, source)) = self.queue.get(self.taken) {
            self.taken += 1;
            return source.clone();
        }
        self.at += 1;
        self.at - 1..self.at
    }

    /// Takes the ASCII letters and digits that come next, `most` at most. Hot path: most text is nothing else.
    #[inline]
    pub(crate) fn pass_ascii_word(&mut self, most: usize) -> &'a str {
        if self.taken < self.queue.len() {
            return "";
        }
        let rest = &self.text.as_bytes()[self.at..];
        let len = rest.iter().take(most).take_while(|byte| byte.is_ascii_alphanumeric()).count();
        let from = self.at;
        self.at += len;
        &self.text[from..self.at]
    }

    /// Where in the text the next byte is read.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Folds the next run of characters beyond ASCII into the queue.
    fn fill(&mut self) {
        self.queue.clear();
        self.taken = 0;
        for c in self.text[self.at..].chars().take_while(|c| !c.is_ascii()) {
            let source = self.at..self.at + c.len_utf8();
            self.at = source.end;
            if is_letter_as_it_is(c) {
                self.queue.push((c, source));
            } else {
                decompose_compatible(c, |part| push(&mut self.queue, part, source.clone()));
            }
        }
    }
}

impl Iterator for Folded<'_> {
    type Item = (char, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        let c = self.peek()?;
        Some((c, self.pass()))
    }
}

fn push(queue: &mut Vec<(char, Range<usize>)>, part: char, source: Range<usize>) {
    if let Some((last, range)) = queue.last_mut()
        && joins_a_syllable(part)
        && let Some(whole) = compose(*last, part)
    {
        *last = whole;
        range.end = source.end;
        return;
    }
    if !is_dropped(part) {
        queue.push((part, source));
    }
}

/// Han, kana and Hangul syllables: frequent, and nothing of them is folded.
fn is_letter_as_it_is(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fc}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}')
}

fn joins_a_syllable(c: char) -> bool {
    matches!(c, '\u{1161}'..='\u{1175}' | '\u{11a8}'..='\u{11c2}' | '\u{3099}' | '\u{309a}')
}

/// Marks that are not letters of their own, and characters that nobody sees.
fn is_dropped(c: char) -> bool {
    let unseen = matches!(c, '\u{ad}' | '\u{640}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    unseen || (is_combining_mark(c) && (canonical_combining_class(c) != 0 || !c.is_alphabetic()))
}

/// Appends the lower case of a folded character.
#[inline]
pub(crate) fn push_lower(out: &mut String, c: char) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    for lower in c.to_lowercase() {
        match lower {
            'ß' => out.push_str("ss"),
            'ς' => out.push('σ'),
            '’' | 'ʼ' => out.push('\''),
            _ => out.push(lower),
        }
    }
}

/// A keyword (an agent, a group, a status) as it is compared: folded, whole.
pub(crate) fn keyword(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    if text.is_ascii() {
        out.push_str(text);
        out.make_ascii_lowercase();
        return out;
    }
    for (c, _) in Folded::new(text) {
        push_lower(&mut out, c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spellings_of_one_word_fold_to_one() {
        for (a, b) in [
            ("Développeur", "de\u{301}veloppeur"),
            ("ＡＢＣ１２", "abc12"),
            ("ﬁle", "FILE"),
            ("Straße", "STRASSE"),
            ("Σίσυφος", "ΣΊΣΥΦΟΣ"),
            ("한글", "\u{1112}\u{1161}\u{11ab}\u{1100}\u{1173}\u{11af}"),
            ("ガギ", "ｶﾞｷﾞ"),
            ("İstanbul", "istanbul"),
            ("soft\u{ad}ware", "software"),
            ("العَرَبِيَّة", "العربية"),
        ] {
            assert_eq!(keyword(a), keyword(b), "{a} {b}");
        }
        assert_ne!(keyword("が"), keyword("か"), "voiced kana are letters of their own");
        assert_ne!(keyword("कि"), keyword("की"), "vowel signs are letters of their own");
    }

    #[test]
    fn ranges_point_into_the_source() {
        let text = "aé한\u{1112}\u{1161}b";
        let ranges: Vec<&str> = Folded::new(text).map(|(_, range)| &text[range]).collect();
        assert_eq!(ranges, ["a", "é", "한", "\u{1112}\u{1161}", "b"]);
    }
}
