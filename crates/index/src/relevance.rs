//! How good a hit is, and which comes first: the one function that the index and the scan share.
//!
//! BM25 over the words that are wanted, with the length of the text in bytes against a fixed norm: it
//! needs no average over the store, so a part of the store can be scored without the rest. A row of words
//! weighs what its words weigh together; a word that only begins right weighs one. The same numbers go
//! through the same operations in the same order, so index and scan agree to the last bit.

use std::cmp::Ordering;
use std::collections::HashMap;

use journal::Pointer;
use serde::{Deserialize, Serialize};

use crate::query::Words;

const K1: f32 = 1.2;
const B: f32 = 0.5;
/// The length at which a text counts as neither short nor long.
const NORM_BYTES: f32 = 1024.0;

/// What comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Sort {
    /// The best first; of equals the newest.
    Relevance,
    /// The newest first.
    Newest,
    /// The oldest first.
    Oldest,
}

/// How often words occur in the store.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stats {
    /// Events, duplicates not counted.
    pub(crate) events: u64,
    /// Events with each token.
    pub(crate) with: HashMap<String, u64>,
}

impl Stats {
    pub(crate) fn add(&mut self, other: &Self) {
        self.events += other.events;
        for (token, count) in &other.with {
            *self.with.entry(token.clone()).or_default() += count;
        }
    }

    /// Never negative: a word that stands everywhere still counts a little.
    #[allow(clippy::cast_precision_loss, clippy::cast_possible_truncation)] // counts are far below 2^52
    fn rarity(&self, token: &str) -> f32 {
        let with = self.with.get(token).copied().unwrap_or(0) as f64;
        let without = (self.events as f64 - with).max(0.0);
        (1.0 + (without + 0.5) / (with + 0.5)).ln() as f32
    }
}

/// The weight of every wanted piece of text.
#[derive(Debug, Clone)]
pub(crate) struct Relevance {
    weights: Vec<f32>,
}

impl Relevance {
    pub(crate) fn new(wanted: &[&Words], stats: &Stats) -> Self {
        let weight = |words: &Words| match words {
            Words::Prefix(_) | Words::Fuzzy(..) => 1.0,
            Words::Row(row) | Words::Slop(row, _) => row.iter().map(|(_, token)| stats.rarity(token)).sum(),
        };
        Self { weights: wanted.iter().map(|words| weight(words)).collect() }
    }

    /// The score of a text of this length in which the wanted pieces occur so often.
    #[allow(clippy::cast_precision_loss)] // a length off by a millionth changes nothing
    pub(crate) fn score(&self, counts: impl IntoIterator<Item = u32>, text_bytes: u64) -> f32 {
        let norm = K1 * (1.0 - B + B * text_bytes as f32 / NORM_BYTES);
        let piece =
            |(weight, count): (&f32, u32)| weight * (count as f32 * (K1 + 1.0)) / (count as f32 + norm);
        // from plus zero: the sum of nothing would be minus zero
        self.weights
            .iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .map(piece)
            .fold(0.0, std::ops::Add::add)
    }
}

/// A hit before its event is read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Candidate {
    pub(crate) score: f32,
    pub(crate) time: i64,
    pub(crate) session: String,
    pub(crate) seq: u64,
    pub(crate) pointer: Pointer,
}

/// Which of two hits comes first. `id` is anything that sorts as the session does.
pub(crate) fn order<S: Ord>(sort: Sort, a: &(f32, i64, S, u64), b: &(f32, i64, S, u64)) -> Ordering {
    let newest = || (b.1, &b.2, b.3).cmp(&(a.1, &a.2, a.3));
    match sort {
        Sort::Relevance => b.0.total_cmp(&a.0).then_with(newest),
        Sort::Newest => newest(),
        Sort::Oldest => newest().reverse(),
    }
}

impl Candidate {
    pub(crate) fn order(&self, other: &Self, sort: Sort) -> Ordering {
        let a = (self.score, self.time, self.session.as_str(), self.seq);
        let b = (other.score, other.time, other.session.as_str(), other.seq);
        order(sort, &a, &b)
    }
}

/// Where a token of a row stands: its positions (ascending, each once), and its distance from the first.
pub(crate) trait Placed {
    fn positions(&self) -> &[u32];
    fn offset(&self) -> u32;
}

impl Placed for (&[u32], u32) {
    fn positions(&self) -> &[u32] {
        self.0
    }

    fn offset(&self) -> u32 {
        self.1
    }
}

/// How many times tokens stand in a row. A hot path: it runs for each event that has all of them.
pub(crate) fn rows(lists: &[impl Placed]) -> u32 {
    let Some(rarest) = (0..lists.len()).min_by_key(|&at| lists[at].positions().len()) else { return 0 };
    let first = &lists[rarest];
    let others = || lists.iter().enumerate().filter(|(at, _)| *at != rarest).map(|(_, list)| list);
    let stands = |position: &&u32| {
        let Some(start) = position.checked_sub(first.offset()) else { return false };
        others().all(|list| has(list.positions(), start + list.offset()))
    };
    u32::try_from(first.positions().iter().filter(stands).count()).unwrap_or(u32::MAX)
}

/// Most lists are a few positions long: a look at each costs less than halving.
fn has(list: &[u32], position: u32) -> bool {
    if list.len() <= 16 { list.contains(&position) } else { list.binary_search(&position).is_ok() }
}

/// How many times tokens stand in this order with at most `slop` others between them, all in all.
pub(crate) fn loose_rows(lists: &[(&[u32], u32)], slop: u32) -> u32 {
    let Some(((first, first_offset), rest)) = lists.split_first() else { return 0 };
    let stands = |start: &&u32| {
        let (mut at, mut offset, mut left) = (**start, *first_offset, slop);
        for (list, own_offset) in rest {
            // the nearest place is never worse than one further on
            let wanted = at + (own_offset - offset);
            let next = list.partition_point(|position| *position < wanted);
            match list.get(next).map(|position| (*position, position - wanted)) {
                Some((position, gap)) if gap <= left => {
                    (at, offset, left) = (position, *own_offset, left - gap);
                }
                _ => return false,
            }
        }
        true
    };
    u32::try_from(first.iter().filter(stands).count()).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_counted_where_they_stand() {
        let lists: [(&[u32], u32); 2] = [(&[0, 5, 9], 0), (&[2, 7, 20], 2)];
        assert_eq!(rows(&lists), 2);
        let many: Vec<u32> = (0..40).map(|at| at * 2).collect();
        assert_eq!(rows(&[(&many[..], 0), (&many[3..], 4)]), 37);
        assert_eq!(rows(&[(&[1][..], 2)]), 0);
        assert_eq!(rows(&[] as &[(&[u32], u32)]), 0);
    }

    #[test]
    fn loose_rows_have_others_between_them() {
        let lists: [(&[u32], u32); 2] = [(&[0, 10], 0), (&[3, 30], 1)];
        assert_eq!((loose_rows(&lists, 1), loose_rows(&lists, 2), loose_rows(&lists, 50)), (0, 1, 2));
        assert_eq!(loose_rows(&[], 1), 0);
    }

    #[test]
    fn rare_words_often_in_short_texts_win() {
        let row = |word: &str| Words::Row(vec![(0, word.to_owned())]);
        let (rare, common) = (row("rare"), row("common"));
        let with = HashMap::from([("rare".to_owned(), 2), ("common".to_owned(), 90)]);
        let relevance = Relevance::new(&[&rare, &common], &Stats { events: 100, with });
        assert!(relevance.score([1, 0], 500) > relevance.score([0, 1], 500));
        assert!(relevance.score([2, 0], 500) > relevance.score([1, 0], 500));
        assert!(relevance.score([1, 0], 100) > relevance.score([1, 0], 5000));
        assert!(relevance.score([0, 1], 500) > 0.0);
    }
}
