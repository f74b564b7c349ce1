//! The audit trail as a whole, in a simulated world: seals, keys, and what changed bytes look like.
#![allow(clippy::unwrap_used)] // an unwrap that fails is a test that fails

mod anchors;
mod bundles;
mod cases;
mod erasures;
mod erasures_at_random;
mod exports;
mod faults;
mod feeds;
mod flips;
mod house;
mod kept;
mod log_cases;
mod lost_keys;
mod proofs;
mod purge;
mod scripts;
