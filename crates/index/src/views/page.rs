//! Pages: up to 128 small rows packed into one value, so that a fold writes a hundredth of the keys.
//!
//! ```text
//! rows  ::= count dictionary row*          dictionary ::= count (len bytes)*
//! row   ::= flags seq* time* segment offset* len word{7}    word ::= 0 (absent) | 1 + place in the dictionary
//! keys  ::= count (hash seq* segment offset* len)*
//! ```
//! Numbers are varints, `*` is the difference to the row before (zigzag). A page that does not read back is
//! damage: the views are made again.

use journal::Pointer;
use serde::Serialize;

/// The most rows in one page.
pub(crate) const PAGE_ROWS: usize = 128;
const ERROR: u64 = 1;
const CONFLICT: u64 = 2;

/// An event in a timeline or list: what a table shows without reading the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Row {
    /// The session.
    pub session: String,
    /// Its place in it.
    pub seq: u64,
    /// When it happened, microseconds since 1970.
    pub time: i64,
    /// What happened.
    pub kind: String,
    /// Who.
    pub agent: Option<String>,
    /// Which of them.
    pub agent_id: Option<String>,
    /// The unit of parallel work.
    pub group: Option<String>,
    /// Phase, skill, sender, category or form: what the kind is about.
    pub detail: Option<String>,
    /// The receiver of a handoff.
    pub to: Option<String>,
    /// How it ended.
    pub status: Option<String>,
    /// True for what `is:error` finds.
    pub error: bool,
    /// True when an earlier event has the same key and other content.
    pub conflict: bool,
    /// Where its line stands.
    pub pointer: At,
}

/// A [`Pointer`] that has a beginning.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct At {
    /// The segment, by its first sequence.
    pub segment: u64,
    /// Offset of the line in it.
    pub offset: u64,
    /// Length without the LF.
    pub len: u32,
}

impl From<Pointer> for At {
    fn from(p: Pointer) -> Self {
        Self { segment: p.segment, offset: p.offset, len: p.len }
    }
}

impl From<At> for Pointer {
    fn from(at: At) -> Self {
        Self { segment: at.segment, offset: at.offset, len: at.len }
    }
}

/// A told event with a key.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct KeyRow {
    pub(crate) hash: u64,
    pub(crate) seq: u64,
    pub(crate) at: At,
}

/// Rows that go into pages.
pub(crate) trait Packed: Sized + Clone {
    fn pack(rows: &[Self]) -> Vec<u8>;
    /// `None` when the bytes are not a page.
    fn unpack(bytes: &[u8], session: &str) -> Option<Vec<Self>>;
}

impl Packed for Row {
    fn pack(rows: &[Self]) -> Vec<u8> {
        let mut dictionary: Vec<&str> = Vec::new();
        let mut out = Vec::with_capacity(32 * rows.len());
        let mut body = Vec::with_capacity(24 * rows.len());
        let mut before = Self::default();
        for row in rows {
            put(&mut body, if row.error { ERROR } else { 0 } | if row.conflict { CONFLICT } else { 0 });
            put_difference(&mut body, before.seq, row.seq);
            put_difference(&mut body, before.time.cast_unsigned(), row.time.cast_unsigned());
            put_at(&mut body, before.pointer, row.pointer);
            for word in row.words() {
                put(&mut body, word.map_or(0, |word| 1 + place_of(&mut dictionary, word)));
            }
            before.seq = row.seq;
            before.time = row.time;
            before.pointer = row.pointer;
        }
        put(&mut out, rows.len() as u64);
        put(&mut out, dictionary.len() as u64);
        for word in dictionary {
            put(&mut out, word.len() as u64);
            out.extend_from_slice(word.as_bytes());
        }
        out.extend_from_slice(&body);
        out
    }

    fn unpack(mut bytes: &[u8], session: &str) -> Option<Vec<Self>> {
        let from = &mut bytes;
        let count = take_count(from)?;
        let words = take_count(from)?;
        let dictionary = (0..words).map(|_| take_text(from)).collect::<Option<Vec<String>>>()?;
        let word = |at: u64| match at.checked_sub(1) {
            None => Some(None),
            Some(at) => Some(Some(dictionary.get(usize::try_from(at).ok()?)?.clone())),
        };
        let (mut rows, mut before) = (Vec::with_capacity(count), Self::default());
        for _ in 0..count {
            let flags = take(from)?;
            let mut row = Self { session: session.to_owned(), ..Self::default() };
            row.error = flags & ERROR != 0;
            row.conflict = flags & CONFLICT != 0;
            row.seq = take_difference(from, before.seq)?;
            row.time = take_difference(from, before.time.cast_unsigned())?.cast_signed();
            row.pointer = take_at(from, before.pointer)?;
            row.kind = word(take(from)?)?.unwrap_or_default();
            for field in [
                &mut row.agent,
                &mut row.agent_id,
                &mut row.group,
                &mut row.detail,
                &mut row.to,
                &mut row.status,
            ] {
                *field = word(take(from)?)?;
            }
            (before.seq, before.time, before.pointer) = (row.seq, row.time, row.pointer);
            rows.push(row);
        }
        from.is_empty().then_some(rows)
    }
}

impl Row {
    fn words(&self) -> [Option<&str>; 7] {
        let rest = [&self.agent, &self.agent_id, &self.group, &self.detail, &self.to, &self.status];
        let [agent, id, group, detail, to, status] = rest.map(Option::as_deref);
        [Some(&self.kind), agent, id, group, detail, to, status]
    }
}

impl Packed for KeyRow {
    fn pack(rows: &[Self]) -> Vec<u8> {
        let mut out = Vec::with_capacity(24 * rows.len());
        let mut before = Self::default();
        put(&mut out, rows.len() as u64);
        for row in rows {
            put(&mut out, row.hash);
            put_difference(&mut out, before.seq, row.seq);
            put_at(&mut out, before.at, row.at);
            before = *row;
        }
        out
    }

    fn unpack(mut bytes: &[u8], _: &str) -> Option<Vec<Self>> {
        let from = &mut bytes;
        let count = take_count(from)?;
        let (mut rows, mut before) = (Vec::with_capacity(count), Self::default());
        for _ in 0..count {
            let hash = take(from)?;
            let seq = take_difference(from, before.seq)?;
            before = Self { hash, seq, at: take_at(from, before.at)? };
            rows.push(before);
        }
        from.is_empty().then_some(rows)
    }
}

fn place_of<'r>(dictionary: &mut Vec<&'r str>, word: &'r str) -> u64 {
    let at = dictionary.iter().position(|known| *known == word).unwrap_or_else(|| {
        dictionary.push(word);
        dictionary.len() - 1
    });
    at as u64
}

fn put(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n.to_le_bytes()[0] | 0x80);
        n >>= 7;
    }
    out.push(n.to_le_bytes()[0]);
}

fn put_difference(out: &mut Vec<u8>, before: u64, now: u64) {
    let difference = now.wrapping_sub(before).cast_signed();
    put(out, ((difference << 1) ^ (difference >> 63)).cast_unsigned());
}

fn put_at(out: &mut Vec<u8>, before: At, at: At) {
    put(out, at.segment);
    put_difference(out, before.offset, at.offset);
    put(out, u64::from(at.len));
}

fn take(from: &mut &[u8]) -> Option<u64> {
    let mut n = 0u64;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = from.split_first()?;
        *from = rest;
        n |= u64::from(byte & 0x7f) << shift;
        if byte < 0x80 {
            return Some(n);
        }
    }
    None
}

fn take_count(from: &mut &[u8]) -> Option<usize> {
    // a count beyond the bytes that are left is damage, not a reason to reserve memory
    usize::try_from(take(from)?).ok().filter(|count| *count <= from.len())
}

fn take_text(from: &mut &[u8]) -> Option<String> {
    let len = take_count(from)?;
    let (text, rest) = from.split_at_checked(len)?;
    *from = rest;
    String::from_utf8(text.to_vec()).ok()
}

fn take_difference(from: &mut &[u8], before: u64) -> Option<u64> {
    let n = take(from)?;
    Some(before.wrapping_add((n >> 1) ^ (n & 1).wrapping_neg()))
}

fn take_at(from: &mut &[u8], before: At) -> Option<At> {
    let segment = take(from)?;
    let offset = take_difference(from, before.offset)?;
    Some(At { segment, offset, len: u32::try_from(take(from)?).ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn row() -> impl Strategy<Value = Row> {
        let word = || prop::option::of("[a-z]{0,3}");
        let words = (word(), word(), word(), word(), word(), word());
        let numbers = (any::<u64>(), any::<i64>(), any::<u64>(), any::<u64>(), any::<u32>());
        (words, numbers, any::<bool>(), any::<bool>(), "[a-z.]{0,6}").prop_map(
            |(w, n, error, conflict, kind)| Row {
                session: "s".to_owned(),
                seq: n.0,
                time: n.1,
                kind,
                agent: w.0,
                agent_id: w.1,
                group: w.2,
                detail: w.3,
                to: w.4,
                status: w.5,
                error,
                conflict,
                pointer: At { segment: n.2, offset: n.3, len: n.4 },
            },
        )
    }

    #[test]
    fn a_full_page_reads_back() {
        let row =
            |n: u64| Row { session: "s".to_owned(), seq: n, kind: "note.added".to_owned(), ..Row::default() };
        for count in [1, 10, 104, 128] {
            let rows: Vec<Row> = (896..896 + count).map(row).collect();
            assert_eq!(Row::unpack(&Row::pack(&rows), "s"), Some(rows), "{count}");
        }
    }

    proptest! {
        #[test]
        fn a_page_reads_back(rows in prop::collection::vec(row(), 0..20)) {
            let packed = Row::pack(&rows);
            prop_assert_eq!(Row::unpack(&packed, "s"), Some(rows));
        }

        #[test]
        fn other_bytes_are_refused_and_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Row::unpack(&bytes, "s");
            let _ = KeyRow::unpack(&bytes, "s");
        }
    }
}
