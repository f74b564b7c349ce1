//! Kinds that are not in our tables: those of a user's own rules, and those that a note of an earlier
//! process names.
//!
//! A kind lives as long as the process, so that a span stays a plain copy; how many are kept is bounded.

use std::collections::BTreeSet;
use std::sync::{Mutex, OnceLock, PoisonError};

/// More kinds than this are one.
const MOST: usize = 1024;
const LONGEST: usize = 48;

/// What headers count a kind of a user's own as: headers are for ever, and hold words of ours alone.
pub(crate) const CUSTOM: &str = "custom";
/// What stands for a value that could not be judged.
pub(crate) const UNSCANNED: &str = "unscanned";

/// Whether `name` can be a kind: `[a-z][a-z0-9_]*`, not too long.
pub(crate) fn is_kind(name: &str) -> bool {
    name.len() <= LONGEST
        && name.starts_with(|sign: char| sign.is_ascii_lowercase())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
}

/// The kind of this name, for as long as the process lives.
pub(crate) fn kept(name: &str) -> &'static str {
    static KEPT: OnceLock<Mutex<BTreeSet<&'static str>>> = OnceLock::new();
    if !is_kind(name) {
        return CUSTOM;
    }
    let mut kept = KEPT.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = kept.get(name) {
        return known;
    }
    if kept.len() >= MOST {
        return CUSTOM;
    }
    let name: &'static str = Box::leak(name.into());
    kept.insert(name);
    name
}
