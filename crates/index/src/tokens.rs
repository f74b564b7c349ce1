//! THE rule of what a token is; whatever indexes, scans, asks or highlights uses it.
//!
//! - Text is folded ([`crate::fold`]). A **word** is a run of letters and digits, at most 255 bytes: a
//!   longer run is cut into pieces, so that nothing is unfindable.
//! - Words joined by `/ \ : @ #`, `.`, `-` or `'`, `_` (strongest first) make an **identifier**. It is found whole,
//!   by each component on the way down, and by each word: `src/jwt_handler.py` gives itself, `src`,
//!   `jwt_handler.py`, `jwt_handler`, `jwt`, `handler` and `py`; `bd-q3fy` gives itself, `bd` and `q3fy`.
//! - `camelCase` is one word, found also by its parts. Hex, uuids and hashes are words or identifiers.
//! - Scripts that put no spaces between words (Han, kana, Hangul, Thai, Lao, Khmer, Burmese) give every
//!   character and every pair; other symbols (arrows, emoji) are words of their own.
//! - After a backslash `nword` is found as `word` too: text inside text is often escaped once more.
//!
//! Positions: words of one identifier are 1 apart, words with anything else between them 2; an identifier
//! stands where its first word stands, the parts of a camelCase word where the word stands. So a phrase of
//! words finds exactly that, `a-b` never finds `a b`, and no phrase crosses from one string into another.
//! Positions never decrease, and no token stands twice at one position.

mod class;

use std::ops::Range;

use self::class::{Case, Class, class};
use crate::fold::{Folded, push_lower};

/// Stands between the strings of one event in its text.
pub const LEAF: char = '\u{1e}';
/// The longest token in bytes.
pub const MAX_TOKEN_BYTES: usize = 255;
const LEAF_GAP: u32 = 100;
const FLUSH_BYTES: usize = 4096;
const CAMEL_BYTES: usize = 64;
const CAMEL_PARTS: usize = 8;

#[derive(Debug, Clone)]
struct Word {
    /// Range in `lower`.
    at: Range<usize>,
    source: Range<usize>,
    /// The strongest joint before it: 0 when it follows directly.
    joint: u8,
    class: Class,
    escaped: bool,
    camel: Range<usize>,
}

/// One token of the current chunk: a range of its lower-case text.
#[derive(Debug, Clone)]
struct Piece {
    at: Range<usize>,
    position: u32,
    source: Range<usize>,
}

/// Buffers that are kept from one text to the next.
#[derive(Debug, Clone, Default)]
pub(crate) struct Buffers {
    lower: String,
    words: Vec<Word>,
    camel: Vec<usize>,
    pieces: Vec<Piece>,
}

/// A token, where it stands among the others and in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// Folded text.
    pub text: &'a str,
    /// Position for phrases.
    pub position: u32,
    /// Byte range in the text that it came from.
    pub source: Range<usize>,
}

/// Calls `each` for every token of `text`.
pub fn tokens(text: &str, mut each: impl FnMut(Token<'_>)) {
    let mut buffers = Buffers::default();
    let mut stream = Stream::new(text, &mut buffers);
    while stream.next_chunk() {
        for index in 0..stream.len() {
            each(stream.token(index));
        }
    }
}

/// A piece of a query: the words that must stand at these distances from the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Pattern {
    pub(crate) words: Vec<(u32, String)>,
    /// The identifier as a whole, when the text is one.
    pub(crate) whole: Option<String>,
    /// How many stretches with gaps between them.
    pub(crate) chunks: usize,
    /// The lower-case text of the last stretch, with joints at its end: for prefixes.
    pub(crate) typed: String,
    pub(crate) has_singles: bool,
}

/// What a term or phrase looks for.
pub(crate) fn pattern(text: &str) -> Pattern {
    let mut buffers = Buffers::default();
    let mut stream = Stream::new(text, &mut buffers);
    let mut out = Pattern::default();
    while stream.next_chunk() {
        out.chunks += 1;
        stream.pattern_of_chunk(&mut out);
    }
    let first = out.words.first().map_or(0, |(position, _)| *position);
    out.words.iter_mut().for_each(|(position, _)| *position -= first);
    out.whole = out.whole.filter(|_| out.chunks == 1);
    out
}

/// Tokens, a stretch without gaps at a time.
#[derive(Debug)]
pub(crate) struct Stream<'a, 'b> {
    chars: Folded<'a>,
    buffers: &'b mut Buffers,
    base: u32,
}

impl<'a, 'b> Stream<'a, 'b> {
    pub(crate) fn new(text: &'a str, buffers: &'b mut Buffers) -> Self {
        buffers.clear();
        Self { chars: Folded::new(text), buffers, base: 0 }
    }

    /// Reads the next stretch; false at the end.
    pub(crate) fn next_chunk(&mut self) -> bool {
        self.base += self.skip_gap();
        self.buffers.clear();
        let ended = self.read_words();
        let count = self.buffers.words.len();
        if count == 0 {
            return false;
        }
        self.buffers.cut(0..count, self.base);
        self.base += u32::try_from(count).unwrap_or(u32::MAX) + u32::from(ended);
        true
    }

    pub(crate) fn len(&self) -> usize {
        self.buffers.pieces.len()
    }

    pub(crate) fn token(&self, index: usize) -> Token<'_> {
        let piece = &self.buffers.pieces[index];
        let text = &self.buffers.lower[piece.at.clone()];
        Token { text, position: piece.position, source: piece.source.clone() }
    }

    fn skip_gap(&mut self) -> u32 {
        let mut gap = 0;
        while let Some(c) = self.chars.peek() {
            match class(c) {
                Class::Gap if c == LEAF => gap = LEAF_GAP,
                Class::Gap | Class::Joint(_) => {}
                _ => break,
            }
            self.chars.pass();
            if c == '\u{1b}' && self.chars.peek() == Some('[') {
                self.skip_color();
            }
        }
        gap
    }

    /// `ESC [ 3 1 m`: how a terminal was to show a word is no part of the word.
    fn skip_color(&mut self) {
        const LONGEST: usize = 32;
        self.chars.pass();
        for _ in 0..LONGEST {
            match self.chars.peek() {
                Some('\u{20}'..='\u{3f}') => self.chars.pass(),
                Some('\u{40}'..='\u{7e}') => {
                    self.chars.pass();
                    return;
                }
                _ => return,
            };
        }
    }

    /// Reads words up to a gap. False when it only paused in an endless identifier.
    fn read_words(&mut self) -> bool {
        let mut joint = 0;
        let (mut open, mut backslash) = (false, false);
        let mut case = Case::default();
        while let Some(c) = self.chars.peek() {
            let class = class(c);
            match class {
                Class::Gap => return true,
                Class::Joint(level) => {
                    if self.buffers.lower.len() > FLUSH_BYTES {
                        return false;
                    }
                    joint = if joint == 0 { level } else { level.min(joint) };
                    backslash = c == '\\';
                    open = false;
                    push_lower(&mut self.buffers.lower, c);
                }
                Class::Word if open && !self.buffers.is_full(c) => {
                    let source = self.chars.pass();
                    self.buffers.extend(c, source.end, &mut case);
                    continue;
                }
                _ => {
                    let source = self.chars.pass();
                    self.buffers.start(c, source, joint, class, backslash);
                    case = Case::of(c);
                    (open, joint, backslash) = (class == Class::Word, 0, false);
                    if open {
                        let run = self.chars.pass_ascii_word(self.buffers.room());
                        self.buffers.extend_ascii(run, self.chars.at(), &mut case);
                    }
                    continue;
                }
            }
            self.chars.pass();
        }
        true
    }

    fn pattern_of_chunk(&self, out: &mut Pattern) {
        let (words, lower) = (&self.buffers.words, &self.buffers.lower);
        let first = self.buffers.pieces.first().map_or(0, |piece| piece.position);
        let is_pair = |index: usize| self.buffers.pair(index).is_some();
        for (index, word) in words.iter().enumerate() {
            let position = first + u32::try_from(index).unwrap_or(u32::MAX);
            if let Some(pair) = self.buffers.pair(index) {
                out.words.push((position, lower[pair].to_owned()));
            } else if index == 0 || !is_pair(index - 1) {
                out.words.push((position, lower[word.at.clone()].to_owned()));
            }
        }
        out.whole = self.buffers.whole(&(0..words.len())).map(|at| lower[at].to_owned());
        out.typed.clone_from(lower);
        out.has_singles |= words.iter().any(|word| word.class != Class::Word);
    }
}

impl Buffers {
    fn clear(&mut self) {
        self.lower.clear();
        self.words.clear();
        self.camel.clear();
        self.pieces.clear();
    }

    fn is_full(&self, c: char) -> bool {
        let word = self.words.last().map_or(0, |word| word.at.len());
        // a character may grow to two when it is lowered
        word + 2 * c.len_utf8() > MAX_TOKEN_BYTES
    }

    /// How many ASCII characters the last word may still get.
    fn room(&self) -> usize {
        MAX_TOKEN_BYTES.saturating_sub(1 + self.words.last().map_or(0, |word| word.at.len()))
    }

    fn start(&mut self, c: char, source: Range<usize>, joint: u8, class: Class, escaped: bool) {
        let from = self.lower.len();
        push_lower(&mut self.lower, c);
        let (at, camel) = (from..self.lower.len(), self.camel.len()..self.camel.len());
        let escaped = escaped && matches!(c, 'n' | 't' | 'r' | 'b' | 'f');
        self.words.push(Word { at, source, joint, class, escaped, camel });
    }

    #[inline]
    fn extend(&mut self, c: char, source_end: usize, case: &mut Case) {
        let Some(word) = self.words.last_mut() else { return };
        let at = self.lower.len();
        if let Some(cut) = case.next(c, at) {
            self.camel.push(cut);
            word.camel.end = self.camel.len();
        }
        push_lower(&mut self.lower, c);
        word.at.end = self.lower.len();
        word.source.end = source_end;
    }

    /// Extends the last word by letters and digits that end at `source_end`.
    #[inline]
    fn extend_ascii(&mut self, run: &str, source_end: usize, case: &mut Case) {
        if run.is_empty() {
            return;
        }
        let last = self.lower.len() + run.len() - 1;
        if run.bytes().any(|byte| byte.is_ascii_uppercase()) || !case.next_small(last) {
            let begin = source_end - run.len();
            return run.chars().zip(begin + 1..).for_each(|(c, end)| self.extend(c, end, case));
        }
        self.lower.push_str(run);
        if let Some(word) = self.words.last_mut() {
            word.at.end = self.lower.len();
            word.source.end = source_end;
        }
    }

    /// Cuts words `range` at their strongest joint, and the pieces again, down to words.
    fn cut(&mut self, range: Range<usize>, base: u32) {
        if range.len() == 1 {
            return self.word(range.start, base);
        }
        if let Some(at) = self.whole(&range) {
            self.push(at, range.clone(), base);
        }
        let joints = self.words[range.start + 1..range.end].iter().map(|word| word.joint);
        let Some(strongest) = joints.filter(|&joint| joint > 0).min() else {
            return range.for_each(|index| self.word(index, base));
        };
        let mut from = range.start;
        for index in range.start + 1..=range.end {
            if index == range.end || self.words[index].joint == strongest {
                self.cut(from..index, base);
                from = index;
            }
        }
    }

    /// The range of an identifier that is short enough to be a token.
    fn whole(&self, range: &Range<usize>) -> Option<Range<usize>> {
        let words = &self.words[range.clone()];
        let at = words.first()?.at.start..words.last()?.at.end;
        let plain = words.iter().all(|word| word.class == Class::Word);
        let joined = words[1..].iter().any(|word| word.joint > 0);
        (words.len() > 1 && plain && joined && at.len() <= MAX_TOKEN_BYTES).then_some(at)
    }

    /// The range of a word and the next, if both are characters of a script without spaces.
    fn pair(&self, index: usize) -> Option<Range<usize>> {
        let (word, next) = (&self.words[index], self.words.get(index + 1)?);
        let pair = word.class == Class::Single && next.class == Class::Single && next.joint == 0;
        pair.then_some(word.at.start..next.at.end)
    }

    fn word(&mut self, index: usize, base: u32) {
        if let Some(at) = self.pair(index) {
            self.push(at, index..index + 2, base);
        }
        let word = self.words[index].clone();
        self.push(word.at.clone(), index..index + 1, base);
        if word.escaped && word.at.len() > 1 {
            self.push(word.at.start + 1..word.at.end, index..index + 1, base);
        }
        let parts = word.camel.len() + 1;
        if (2..=CAMEL_PARTS).contains(&parts) && word.at.len() <= CAMEL_BYTES {
            self.camel_parts(&word, index, base);
        }
    }

    fn camel_parts(&mut self, word: &Word, index: usize, base: u32) {
        let known = self.pieces.len();
        let mut from = word.at.start;
        for cut in word.camel.clone().map(|c| self.camel[c]).chain([word.at.end]).collect::<Vec<_>>() {
            let part = &self.lower[from..cut];
            let twice = self.pieces[known..].iter().any(|piece| self.lower[piece.at.clone()] == *part)
                || (word.escaped && self.lower[word.at.start + 1..word.at.end] == *part);
            if part.len() > 1 && !twice {
                self.push(from..cut, index..index + 1, base);
            }
            from = cut;
        }
    }

    fn push(&mut self, at: Range<usize>, words: Range<usize>, base: u32) {
        let source = self.words[words.start].source.start..self.words[words.end - 1].source.end;
        let position = base + u32::try_from(words.start).unwrap_or(u32::MAX);
        self.pieces.push(Piece { at, position, source });
    }
}

#[cfg(test)]
mod tests;
