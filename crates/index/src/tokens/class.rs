//! What a character is to the tokenizer, and where camelCase has its borders.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Word,
    /// A character that is a word of its own; pairs of them are tokens.
    Single,
    /// A symbol: a word of its own without pairs.
    Symbol,
    /// Joins words into an identifier; 1 is the strongest cut.
    Joint(u8),
    Gap,
}

/// Finds the borders in `camelCase` and `HTTPServer`.
#[derive(Debug, Default)]
pub(super) struct Case {
    upper: bool,
    run: usize,
    last: usize,
}

impl Case {
    pub(super) fn of(c: char) -> Self {
        Self { upper: c.is_uppercase(), run: usize::from(c.is_uppercase()), last: 0 }
    }

    /// Takes small letters and digits, of which the last stands at `last`; false if a part begins among them.
    #[inline]
    pub(super) fn next_small(&mut self, last: usize) -> bool {
        if self.upper && self.run > 1 {
            return false;
        }
        *self = Self { upper: false, run: 0, last };
        true
    }

    /// Takes the next character, which stands at `at`; says where a part begins.
    #[inline]
    pub(super) fn next(&mut self, c: char, at: usize) -> Option<usize> {
        let upper = if c.is_ascii() { c.is_ascii_uppercase() } else { c.is_uppercase() };
        let cut = match (self.upper, upper) {
            (false, true) => Some(at),
            // the last capital of a run begins the next word: HTTP|Server
            (true, false) if self.run > 1 && c.is_alphabetic() => Some(self.last),
            _ => None,
        };
        self.run = if upper { self.run + 1 } else { 0 };
        (self.upper, self.last) = (upper, at);
        cut
    }
}

#[inline]
pub(super) fn class(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Word,
        '/' | '\\' | ':' | '@' | '#' => Class::Joint(1),
        '.' => Class::Joint(2),
        '-' | '\'' | '\u{2019}' | '\u{2bc}' | '\u{2010}' | '\u{2011}' => Class::Joint(3),
        '_' => Class::Joint(4),
        c if c.is_ascii() => Class::Gap,
        c => class_beyond_ascii(c),
    }
}

fn class_beyond_ascii(c: char) -> Class {
    match c {
        '\u{e00}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3040}'..='\u{31ff}'
        | '\u{3400}'..='\u{9fff}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}'
            if c.is_alphanumeric() =>
        {
            Class::Single
        }
        c if c.is_alphanumeric() => Class::Word,
        '\u{2190}'..='\u{24ff}' | '\u{25a0}'..='\u{2bff}' | '\u{1f000}'..='\u{1faff}' => Class::Symbol,
        _ => Class::Gap,
    }
}
