//! Rows: of each event what an order of events and a listing need to know, as texts that stand one behind the other
//! in a block which all rows share. A block is written to a file as it is, and read without parsing an event.
//!
//! ```text
//! numbers   for each row: sequence, segment, offset, length, then for each word 0 absent, 1 as in the row before,
//!           else its length + 2; digits of 5 bits in ASCII, the last one marked
//! words     what the numbers say the lengths of
//! ```

use std::ops::Range;

use event::Event;
use journal::Pointer;

use crate::steps::{source, target};
use crate::summary::summary;

/// The most characters of an event's text that a row has.
pub const BRIEF_CHARS: usize = 400;

/// What a row says of an event.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Word {
    Ts,
    Kind,
    At,
    Agent,
    AgentId,
    Group,
    Key,
    Twin,
    Origin,
    Call,
    SourceId,
    SourceLine,
    Supersedes,
    ParentSeq,
    Parent,
    CauseSeq,
    Cause,
    Target,
    Hash,
    Label,
    Text,
}

const WORDS: usize = Word::Text as usize + 1;

/// Where a word stands in its block, and its length.
type Span = (u32, u32);

/// Of a word that is not there.
const ABSENT: Span = (u32::MAX, 0);

/// Rows of one session.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Block {
    text: String,
    /// Where the words begin in the text.
    start: usize,
    rows: Vec<Row>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Row {
    seq: u64,
    pointer: Pointer,
    words: [Span; WORDS],
}

/// The row of one event, not in a block yet.
#[derive(Debug)]
pub(crate) struct Loose {
    text: String,
    row: Row,
}

impl Loose {
    /// `None` for an event whose header says in another way what a row says in words.
    pub(crate) fn of(event: &Event, pointer: Pointer) -> Option<Self> {
        if event.header.contains_key("at") != event.text("at").is_some() {
            return None;
        }
        let row = Row { seq: event.seq, pointer, words: [ABSENT; WORDS] };
        let mut loose = Self { text: String::with_capacity(512), row };
        loose.say(Word::Ts, Some(&event.ts));
        loose.say(Word::Kind, Some(event.kind.as_str()));
        let fields = [
            (Word::At, "at"),
            (Word::Agent, "agent"),
            (Word::AgentId, "agent_id"),
            (Word::Group, "group"),
            (Word::Key, "key"),
            (Word::Twin, "twin"),
            (Word::Origin, "origin"),
            (Word::Call, "call"),
            (Word::Parent, "parent"),
            (Word::Cause, "cause"),
        ];
        for (word, name) in fields {
            loose.say(word, event.text(name));
        }
        let numbers =
            [(Word::Supersedes, "supersedes"), (Word::ParentSeq, "parent"), (Word::CauseSeq, "cause")];
        for (word, name) in numbers {
            loose.say(word, event.header.number(name).map(|number| number.to_string()).as_deref());
        }
        if let Some((id, line)) = source(event) {
            loose.say(Word::SourceId, Some(id));
            loose.say(Word::SourceLine, Some(&line.to_string()));
        }
        loose.say(Word::Target, target(event));
        loose.say(Word::Hash, Some(&event.hash));
        let brief = summary(event, BRIEF_CHARS);
        loose.say(Word::Label, Some(&brief.label));
        loose.say(Word::Text, Some(&brief.text));
        Some(loose)
    }

    fn say(&mut self, word: Word, text: Option<&str>) {
        let Some(text) = text else { return };
        self.row.words[word as usize] = (place(self.text.len()), place(text.len()));
        self.text.push_str(text);
    }
}

/// A block beyond 4 GiB is refused when it is written.
fn place(len: usize) -> u32 {
    u32::try_from(len).unwrap_or(u32::MAX)
}

impl Block {
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    pub(crate) fn seq(&self, at: usize) -> u64 {
        self.rows.get(at).map_or(0, |row| row.seq)
    }

    pub(crate) fn pointer(&self, at: usize) -> Pointer {
        self.rows.get(at).map_or(Pointer { segment: 0, offset: 0, len: 0 }, |row| row.pointer)
    }

    pub(crate) fn hash(&self, at: usize) -> Option<&str> {
        self.word(at, Word::Hash)
    }

    pub(crate) fn word(&self, at: usize, word: Word) -> Option<&str> {
        self.span(self.rows.get(at)?.words[word as usize])
    }

    fn span(&self, (start, len): Span) -> Option<&str> {
        if start == ABSENT.0 {
            return None;
        }
        self.text.get(start as usize..start as usize + len as usize)
    }

    /// Puts rows behind those that it has.
    pub(crate) fn extend(&mut self, loose: impl IntoIterator<Item = Loose>) {
        for Loose { text, mut row } in loose {
            for at in 0..WORDS {
                let (start, len) = row.words[at];
                let Some(word) = text.get(start as usize..start as usize + len as usize) else { continue };
                let before = self.rows.last().map_or(ABSENT, |row| row.words[at]);
                if self.span(before) == Some(word) {
                    row.words[at] = before;
                    continue;
                }
                row.words[at] = (place(self.text.len()), len);
                self.text.push_str(word);
            }
            self.rows.push(row);
        }
    }

    /// The rows of both, one behind the other.
    pub(crate) fn with(&self, behind: &Self) -> Self {
        let mut both = Self { text: [self.words(), behind.words()].concat(), ..Self::default() };
        for (block, to) in [(self, 0), (behind, self.words().len())] {
            let moved = |(start, len): Span| match start {
                u32::MAX => ABSENT,
                start => (place((start as usize + to).saturating_sub(block.start)), len),
            };
            let row = |row: &Row| Row { words: row.words.map(moved), ..*row };
            both.rows.extend(block.rows.iter().map(row));
        }
        both
    }

    fn words(&self) -> &str {
        self.text.get(self.start..).unwrap_or_default()
    }

    /// As it is written: the numbers, and the words. `None` if it is larger than blocks may be.
    pub(crate) fn written(&self) -> Option<(String, &str)> {
        u32::try_from(self.text.len()).ok().filter(|len| *len < u32::MAX)?;
        let mut numbers = String::with_capacity(self.rows.len() * (WORDS + 12));
        let mut before = [ABSENT; WORDS];
        for row in &self.rows {
            let pointer = row.pointer;
            for number in [row.seq, pointer.segment, pointer.offset, pointer.len.into()] {
                write_number(&mut numbers, number);
            }
            for (word, before) in row.words.iter().zip(&before) {
                let number = match word {
                    &ABSENT => 0,
                    _ if word == before => 1,
                    (_, len) => u64::from(*len) + 2,
                };
                write_number(&mut numbers, number);
            }
            before = row.words;
        }
        Some((numbers, self.words()))
    }

    /// Reads so many rows out of a text: where their numbers stand in it, and where the words begin. `None` if the
    /// two do not fit together.
    pub(crate) fn read(count: usize, numbers: Range<usize>, start: usize, text: String) -> Option<Self> {
        let mut end = u32::try_from(start).ok()?;
        let mut numbers = text.get(numbers)?.bytes();
        // a row has a digit at least for each of its numbers
        let mut rows: Vec<Row> = Vec::with_capacity(count.min(numbers.len() / WORDS));
        for _ in 0..count {
            let seq = read_number(&mut numbers)?;
            let (segment, offset) = (read_number(&mut numbers)?, read_number(&mut numbers)?);
            let len = u32::try_from(read_number(&mut numbers)?).ok()?;
            let mut row = Row { seq, pointer: Pointer { segment, offset, len }, words: [ABSENT; WORDS] };
            for at in 0..WORDS {
                row.words[at] = match read_number(&mut numbers)? {
                    0 => ABSENT,
                    1 => rows.last()?.words[at],
                    len => {
                        let len = u32::try_from(len - 2).ok()?;
                        let start = end;
                        end = end.checked_add(len)?;
                        (start, len)
                    }
                };
            }
            rows.push(row);
        }
        (numbers.next().is_none() && end as usize == text.len()).then_some(Self { text, start, rows })
    }
}

const DIGIT_BITS: u32 = 5;
const FIRST_DIGIT: u8 = b'@';
const LAST: u8 = 1 << DIGIT_BITS;

/// Digits of 5 bits, the lowest first; all between `@` and DEL.
pub(crate) fn write_number(out: &mut String, mut number: u64) {
    loop {
        let digit = FIRST_DIGIT + (number.to_le_bytes()[0] & (LAST - 1));
        number >>= DIGIT_BITS;
        if number == 0 {
            out.push(char::from(digit | LAST));
            return;
        }
        out.push(char::from(digit));
    }
}

pub(crate) fn read_number(digits: &mut std::str::Bytes<'_>) -> Option<u64> {
    let (mut number, mut shift) = (0_u64, 0);
    loop {
        let digit = digits.next()?;
        if shift >= u64::BITS {
            return None;
        }
        number |= u64::from(digit & (LAST - 1)) << shift;
        shift += DIGIT_BITS;
        if digit & LAST != 0 {
            return Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::{Kind, Members, SessionId};
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    fn loose(seq: u64, header: Value, text: &str) -> Loose {
        let members =
            |value: Value| -> Members { value.as_object().cloned().unwrap_or_else(Map::new).into() };
        let event = Event {
            session: SessionId::new("s").expect("an id"),
            seq,
            ts: "2026-11-27T00:00:00.000000Z".to_owned(),
            kind: Kind::stored("message.recorded"),
            header: members(header),
            prev: String::new(),
            hash: format!("{seq:064}"),
            data: members(json!({"text": text})),
            erased: Vec::new(),
        };
        Loose::of(&event, Pointer { segment: 0, offset: seq * 100, len: 99 }).expect("a row")
    }

    /// A block out of its parts, with something in front of them.
    fn read(count: usize, numbers: &str, words: &str) -> Option<Block> {
        let end = 3 + numbers.len();
        Block::read(count, 3..end, end + 1, ["é\n", numbers, "-", words].concat())
    }

    #[test]
    fn a_row_says_what_the_event_says() {
        let mut block = Block::default();
        let header = json!({"agent": "dév", "parent": 3, "cause": "key", "src": {"id": "f", "line": 7}});
        block.extend([loose(4, header.clone(), "one  two"), loose(5, header, "three")]);
        let (numbers, words) = block.written().expect("small");
        let again = read(2, &numbers, words).expect("the same block");
        assert_eq!(again.written(), Some((numbers, words)));
        let word = |at, word| again.word(at, word);
        assert_eq!((again.seq(1), again.pointer(1).offset), (5, 500));
        assert_eq!((word(1, Word::Agent), word(1, Word::Group)), (Some("dév"), None));
        assert_eq!((word(0, Word::ParentSeq), word(0, Word::Cause)), (Some("3"), Some("key")));
        assert_eq!((word(0, Word::SourceId), word(0, Word::SourceLine)), (Some("f"), Some("7")));
        assert_eq!((word(0, Word::Text), word(1, Word::Text)), (Some("one two"), Some("three")));
        assert_eq!(words.matches("dév").count(), 1, "what stays the same is written once");
    }

    #[test]
    fn a_time_that_is_no_text_makes_no_row() {
        let event = |at: Value| {
            let header: Map<String, Value> = json!({"at": at}).as_object().cloned().expect("a map");
            Event {
                session: SessionId::new("s").expect("an id"),
                seq: 0,
                ts: String::new(),
                kind: Kind::stored("note.added"),
                header: header.into(),
                prev: String::new(),
                hash: String::new(),
                data: Members::default(),
                erased: Vec::new(),
            }
        };
        let pointer = Pointer { segment: 0, offset: 0, len: 0 };
        assert!(Loose::of(&event("x".into()), pointer).is_some());
        assert!(Loose::of(&event(7.into()), pointer).is_none());
    }

    proptest! {
        #[test]
        fn numbers_are_read_as_they_were_written(numbers in prop::collection::vec(any::<u64>(), 0..20)) {
            let mut text = String::new();
            for number in &numbers {
                write_number(&mut text, *number);
            }
            let mut digits = text.bytes();
            let read: Vec<u64> = std::iter::from_fn(|| read_number(&mut digits)).collect();
            prop_assert_eq!(read, numbers);
        }

        #[test]
        fn blocks_in_pieces_are_one_block(texts in prop::collection::vec("[ab ]{0,4}", 0..12), cut in 0_usize..12) {
            let row = |(seq, text): (usize, &String)| loose(seq as u64, json!({"agent": text}), text);
            let all = || texts.iter().enumerate();
            let (mut first, mut second) = (Block::default(), Block::default());
            first.extend(all().take(cut).map(row));
            second.extend(all().skip(cut).map(row));
            let both = first.with(&second);
            let (numbers, words) = both.written().expect("small");
            let block = read(texts.len(), &numbers, words).expect("a block");
            for (at, text) in all() {
                prop_assert_eq!(block.word(at, Word::Agent), Some(text.as_str()));
                prop_assert_eq!(block.seq(at), at as u64);
            }
            // what was read is written with more behind it
            let more = block.with(&second);
            let (numbers, words) = more.written().expect("small");
            let again = read(more.len(), &numbers, words).expect("a block");
            for at in 0..more.len() {
                let of = if at < block.len() { (&block, at) } else { (&second, at - block.len()) };
                prop_assert_eq!(again.word(at, Word::Agent), of.0.word(of.1, Word::Agent));
                prop_assert_eq!(again.word(at, Word::Hash), of.0.word(of.1, Word::Hash));
            }
        }

        #[test]
        fn garbage_is_no_block(count in 0_usize..4, numbers in "[@-~]{0,200}", words in ".{0,9}") {
            if let Some(block) = read(count, &numbers, &words) {
                prop_assert_eq!(block.len(), count);
            }
        }
    }
}
