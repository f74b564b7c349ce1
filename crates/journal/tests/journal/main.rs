//! The journal against a simulated world: every fault at every operation, random days against a model,
//! every changed byte, and the named cases of damage.

mod cases;
mod changed_bytes;
mod faults;
mod ledger;
mod model;
mod packed;
mod parts;
mod recovery;
mod refusals;
mod staged;
mod stretch;
mod support;
