//! Where views live: an ordered map of bytes. sled on disk, a `BTreeMap` in memory, or the one over the
//! other; one suite holds them to the same behaviour.

use std::collections::BTreeMap;
use std::ops::{Bound, ControlFlow};
use std::sync::{PoisonError, RwLock};

use crate::error::IndexError;

/// Which way a scan goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Direction {
    Forward,
    Back,
}

/// A key and its value.
pub(crate) type Pair = (Vec<u8>, Vec<u8>);

/// Takes a key and its value; breaks to end the scan.
pub(crate) type Each<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> ControlFlow<()>;

/// An ordered map of bytes whose batches come whole or not at all.
pub(crate) trait ViewStore: Send + Sync {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, IndexError>;
    /// Puts all pairs, or none.
    fn put(&self, pairs: Vec<Pair>) -> Result<(), IndexError>;
    /// Every pair whose key begins with `prefix`, in order of the keys.
    fn scan(&self, prefix: &[u8], direction: Direction, each: Each<'_>) -> Result<(), IndexError>;
    /// Makes what was put durable.
    fn flush(&self) -> Result<(), IndexError>;
    /// Closes it and removes what it left on disk.
    fn destroy(self: Box<Self>) -> Result<(), IndexError>;
}

/// In memory.
#[derive(Debug, Default)]
pub(crate) struct MemStore {
    map: RwLock<BTreeMap<Vec<u8>, Vec<u8>>>,
}

impl ViewStore for MemStore {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, IndexError> {
        Ok(self.map.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned())
    }

    fn put(&self, pairs: Vec<Pair>) -> Result<(), IndexError> {
        self.map.write().unwrap_or_else(PoisonError::into_inner).extend(pairs);
        Ok(())
    }

    fn scan(&self, prefix: &[u8], direction: Direction, each: Each<'_>) -> Result<(), IndexError> {
        let map = self.map.read().unwrap_or_else(PoisonError::into_inner);
        let end = after_all(prefix).map_or(Bound::Unbounded, Bound::Excluded);
        let mut range = map.range((Bound::Included(prefix.to_vec()), end));
        let _ = match direction {
            Direction::Forward => range.try_for_each(|(key, value)| each(key, value)),
            Direction::Back => range.rev().try_for_each(|(key, value)| each(key, value)),
        };
        Ok(())
    }

    fn flush(&self) -> Result<(), IndexError> {
        Ok(())
    }

    fn destroy(self: Box<Self>) -> Result<(), IndexError> {
        Ok(())
    }
}

/// The first key behind all that begin with `prefix`; `None` when there is none.
pub(crate) fn after_all(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte < u8::MAX)?;
    let mut end = prefix[..=last].to_vec();
    end[last] += 1;
    Some(end)
}

/// What was folded since, over what is stored; the store below is not changed.
pub(crate) struct Overlay {
    pub(crate) below: Box<dyn ViewStore>,
    above: MemStore,
}

impl Overlay {
    pub(crate) fn new(below: Box<dyn ViewStore>) -> Self {
        Self { below, above: MemStore::default() }
    }
}

impl ViewStore for Overlay {
    fn get(&self, key: &[u8]) -> Result<Option<Vec<u8>>, IndexError> {
        match self.above.get(key)? {
            Some(value) => Ok(Some(value)),
            None => self.below.get(key),
        }
    }

    fn put(&self, pairs: Vec<Pair>) -> Result<(), IndexError> {
        self.above.put(pairs)
    }

    fn scan(&self, prefix: &[u8], direction: Direction, each: Each<'_>) -> Result<(), IndexError> {
        let mut above = Vec::new();
        self.above.scan(prefix, direction, &mut |key, value| {
            above.push((key.to_vec(), value.to_vec()));
            ControlFlow::Continue(())
        })?;
        let mut above = above.into_iter().peekable();
        let comes_first = |a: &[u8], b: &[u8]| if direction == Direction::Forward { a < b } else { a > b };
        let mut flow = ControlFlow::Continue(());
        self.below.scan(prefix, direction, &mut |key, value| {
            while let Some((newer, value)) = above.next_if(|(newer, _)| comes_first(newer, key)) {
                flow = each(&newer, &value);
                if flow.is_break() {
                    return flow;
                }
            }
            flow = match above.next_if(|(newer, _)| newer == key) {
                Some((newer, value)) => each(&newer, &value),
                None => each(key, value),
            };
            flow
        })?;
        if flow.is_continue() {
            let _ = above.try_for_each(|(key, value)| each(&key, &value));
        }
        Ok(())
    }

    fn flush(&self) -> Result<(), IndexError> {
        Ok(())
    }

    fn destroy(self: Box<Self>) -> Result<(), IndexError> {
        self.below.destroy()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::views::sled_store::SledStore;

    fn all(store: &dyn ViewStore, prefix: &[u8], direction: Direction) -> Vec<Pair> {
        let mut out = Vec::new();
        let mut each = |key: &[u8], value: &[u8]| {
            out.push((key.to_vec(), value.to_vec()));
            ControlFlow::Continue(())
        };
        store.scan(prefix, direction, &mut each).expect("a scan");
        out
    }

    /// What every store must do.
    fn conforms(store: &dyn ViewStore) {
        let pair = |key: &str, value: &str| (key.as_bytes().to_vec(), value.as_bytes().to_vec());
        store.put(vec![pair("a/1", "x"), pair("a/3", "y"), pair("b", "z")]).expect("a batch");
        store.put(vec![pair("a/2", "w"), pair("a/3", "v")]).expect("a batch");
        assert_eq!(store.get(b"a/3").expect("a get"), Some(b"v".to_vec()));
        assert_eq!(store.get(b"a").expect("a get"), None);
        let forward = [pair("a/1", "x"), pair("a/2", "w"), pair("a/3", "v")];
        assert_eq!(all(store, b"a/", Direction::Forward), forward);
        let back: Vec<Pair> = forward.iter().rev().cloned().collect();
        assert_eq!(all(store, b"a/", Direction::Back), back);
        assert_eq!(all(store, b"", Direction::Back).len(), 4);
        assert_eq!(all(store, b"c", Direction::Forward), []);
        let mut seen = 0;
        let mut first = |_: &[u8], _: &[u8]| {
            seen += 1;
            ControlFlow::Break(())
        };
        store.scan(b"a", Direction::Back, &mut first).expect("a scan");
        assert_eq!(seen, 1);
        store.flush().expect("a flush");
    }

    #[test]
    fn memory_conforms() {
        conforms(&MemStore::default());
    }

    #[test]
    fn sled_conforms_keeps_and_goes() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("views");
        let store = SledStore::open(&path).expect("a store");
        conforms(&store);
        drop(store);
        let store = SledStore::open(&path).expect("the store again");
        assert_eq!(store.get(b"b").expect("a get"), Some(b"z".to_vec()));
        Box::new(store).destroy().expect("its end");
        assert!(!path.exists());
    }

    #[test]
    fn an_overlay_conforms_and_leaves_what_is_below() {
        let below = MemStore::default();
        below
            .put(vec![(b"a/2".to_vec(), b"old".to_vec()), (b"a/3".to_vec(), b"old".to_vec())])
            .expect("a batch");
        let overlay = Overlay::new(Box::new(below));
        conforms(&overlay);
        assert_eq!(overlay.below.get(b"a/3").expect("a get"), Some(b"old".to_vec()));
    }
}
