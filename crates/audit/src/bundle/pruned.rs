//! A Merkle tree with some leaves told and the others only counted.
//!
//! ```text
//! recount pruned 1 <n>     the tree has n leaves; its shape is that of RFC 6962
//! e <count>                so many events, told in the events file: whole or as headers
//! x <count>                so many events of which the events file tells only the hash
//! h <hash> <count>         a subtree of so many leaves, not told
//! ```
//! Leaves in order. Whoever drops, adds or moves one gets another root.

use std::fmt::Write as _;

use crate::tree::{Hash, hex, node_hash, root_of, split, unhex};

const TITLE: &str = "recount pruned 1 ";

/// How much of an event is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing but that there is one.
    None,
    /// Its hash.
    Hash,
    /// Its header.
    Head,
    /// All of it.
    Full,
}

impl Level {
    /// Its name in a manifest.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Hash => "hash",
            Self::Head => "head",
            Self::Full => "full",
        }
    }

    /// A level by its name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::None, Self::Hash, Self::Head, Self::Full].into_iter().find(|level| level.name() == name)
    }

    fn letter(self) -> char {
        if self == Self::Hash { 'x' } else { 'e' }
    }
}

/// The proof for leaves of which some are told. Both slices have the same length.
pub(crate) fn prune(leaves: &[Hash], levels: &[Level]) -> String {
    let mut out = format!("{TITLE}{}\n", leaves.len());
    let mut run = None;
    walk(leaves, levels, &mut run, &mut out);
    end_run(&mut run, &mut out);
    out
}

type Run = Option<(char, u64)>;

fn end_run(run: &mut Run, out: &mut String) {
    if let Some((letter, count)) = run.take() {
        let _ = writeln!(out, "{letter} {count}");
    }
}

fn walk(leaves: &[Hash], levels: &[Level], run: &mut Run, out: &mut String) {
    if leaves.is_empty() {
        return;
    }
    if levels.iter().all(|level| *level == Level::None) {
        end_run(run, out);
        let _ = writeln!(out, "h {} {}", hex(&root_of(leaves)), leaves.len());
    } else if let [level] = levels {
        match run {
            Some((letter, count)) if *letter == level.letter() => *count += 1,
            _ => {
                end_run(run, out);
                *run = Some((level.letter(), 1));
            }
        }
    } else {
        let at = usize::try_from(split(leaves.len() as u64)).unwrap_or(usize::MAX);
        walk(&leaves[..at], &levels[..at], run, out);
        walk(&leaves[at..], &levels[at..], run, out);
    }
}

/// One row of a proof.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Row {
    Told(u64),
    Hashes(u64),
    Subtree(Hash, u64),
}

/// A proof as it was read.
#[derive(Debug)]
pub(crate) struct Pruned {
    pub(crate) size: u64,
    rows: Vec<Row>,
}

/// What stands at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// A line of an event.
    Event,
    /// A line with a hash.
    Hash,
}

/// Why a root could not be made.
#[derive(Debug)]
pub(crate) enum NoRoot<E> {
    /// The proof has not the shape of its tree.
    Shape,
    /// Who tells leaves stopped.
    Stopped(E),
}

impl Pruned {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let (first, rest) = text.split_once('\n')?;
        let size = number(first.strip_prefix(TITLE)?)?;
        let body = rest.strip_suffix('\n').unwrap_or_default();
        let rows = body.split('\n').filter(|_| !rest.is_empty()).map(row).collect::<Option<Vec<_>>>()?;
        (rest.is_empty() || rest.ends_with('\n')).then_some(Self { size, rows })
    }

    /// The root, with the leaf hashes of what is told asked from `leaf`, in order, and what is not told given
    /// to `skip`.
    pub(crate) fn root<E>(
        &self,
        leaf: &mut dyn FnMut(u64, Told) -> Result<Hash, E>,
        skip: &mut dyn FnMut(u64, u64),
    ) -> Result<Hash, NoRoot<E>> {
        let mut pass = Pass { rows: &self.rows, used: 0, leaf, skip };
        let root = if self.size == 0 { root_of(&[]) } else { pass.range(0, self.size)? };
        if pass.rows.is_empty() { Ok(root) } else { Err(NoRoot::Shape) }
    }
}

fn number(text: &str) -> Option<u64> {
    text.parse().ok().filter(|n: &u64| n.to_string() == text)
}

fn row(line: &str) -> Option<Row> {
    let words: Vec<&str> = line.split(' ').collect();
    let row = match words.as_slice() {
        ["e", count] => Row::Told(number(count)?),
        ["x", count] => Row::Hashes(number(count)?),
        ["h", hash, count] => Row::Subtree(unhex(hash)?, number(count)?),
        _ => return None,
    };
    let empty = matches!(row, Row::Told(0) | Row::Hashes(0) | Row::Subtree(_, 0));
    (!empty).then_some(row)
}

struct Pass<'a, 'f, E> {
    rows: &'a [Row],
    /// How much of the first row is used up.
    used: u64,
    leaf: &'f mut dyn FnMut(u64, Told) -> Result<Hash, E>,
    skip: &'f mut dyn FnMut(u64, u64),
}

impl<E> Pass<'_, '_, E> {
    fn range(&mut self, from: u64, to: u64) -> Result<Hash, NoRoot<E>> {
        let count = to - from;
        match *self.rows.first().ok_or(NoRoot::Shape)? {
            Row::Subtree(hash, size) if size == count => {
                self.rows = &self.rows[1..];
                (self.skip)(from, to);
                Ok(hash)
            }
            Row::Subtree(_, size) if size > count => Err(NoRoot::Shape),
            row if count == 1 => self.told(from, row),
            _ => {
                let middle = from + split(count);
                let left = self.range(from, middle)?;
                Ok(node_hash(&left, &self.range(middle, to)?))
            }
        }
    }

    fn told(&mut self, at: u64, row: Row) -> Result<Hash, NoRoot<E>> {
        let (what, count) = match row {
            Row::Told(count) => (Told::Event, count),
            Row::Hashes(count) => (Told::Hash, count),
            Row::Subtree(..) => return Err(NoRoot::Shape),
        };
        self.used += 1;
        if self.used == count {
            (self.rows, self.used) = (&self.rows[1..], 0);
        }
        (self.leaf)(at, what).map_err(NoRoot::Stopped)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tree::leaf_hash;

    fn leaves(count: usize) -> Vec<Hash> {
        (0..count).map(|n| leaf_hash(&n.to_be_bytes())).collect()
    }

    fn root(text: &str, leaves: &[Hash]) -> Option<Hash> {
        let mut leaf = |at: u64, _: Told| leaves.get(usize::try_from(at).unwrap_or(0)).copied().ok_or(());
        Pruned::parse(text)?.root(&mut leaf, &mut |_, _| {}).ok()
    }

    #[test]
    fn whatever_is_told_the_root_is_that_of_the_whole_tree() {
        for count in 0..40usize {
            let leaves = leaves(count);
            for pattern in 0..40usize {
                let level = |n: usize| match (n * 7 + pattern) % (pattern + 2) {
                    0 => Level::Full,
                    1 if pattern % 3 == 0 => Level::Hash,
                    _ => Level::None,
                };
                let levels: Vec<Level> = (0..count).map(level).collect();
                let proof = prune(&leaves, &levels);
                assert_eq!(root(&proof, &leaves), Some(root_of(&leaves)), "{proof}");
            }
        }
    }

    #[test]
    fn a_window_of_ten_thousand_costs_few_hashes() {
        let leaves = leaves(10_000);
        let mut levels = vec![Level::None; 10_000];
        levels[4_000..4_100].fill(Level::Full);
        let proof = prune(&leaves, &levels);
        assert!(proof.lines().filter(|line| line.starts_with('h')).count() < 20, "{proof}");
    }

    proptest! {
        #[test]
        fn a_changed_proof_has_another_root_or_none(
            count in 1usize..60, seed in any::<u64>(), at in any::<usize>(), flip in 1u8..=255,
        ) {
            let leaves = leaves(count);
            let levels: Vec<Level> =
                (0..count).map(|n| if seed >> (n % 64) & 1 == 1 { Level::Full } else { Level::None }).collect();
            let mut bytes = prune(&leaves, &levels).into_bytes();
            let at = at % bytes.len();
            bytes[at] ^= flip;
            // an `x` for an `e` has the same root: what the line behind it is tells them apart
            let same = |text: &str| root(text, &leaves) == Some(root_of(&leaves)) && !text.contains('x');
            prop_assert!(!std::str::from_utf8(&bytes).is_ok_and(same));
        }
    }
}
