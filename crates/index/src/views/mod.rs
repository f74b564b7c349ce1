//! Views: what projections made of the journal, in one ordered map.
//!
//! - V1  values are pointers and small words; text stays in the journal
//! - V2  a batch carries rows and the checkpoint of its session: after a crash they agree
//! - V3  folded in one go or with a restart at every event, the rows are the same
//! - V4  a view can be thrown away at any moment

mod ask;
mod errors;
pub(crate) mod fold;
mod handoffs;
mod keys;
mod nouns;
mod outputs;
mod page;
mod path;
mod reasoning;
mod sessions;
pub(crate) mod sled_store;
pub(crate) mod store;
mod timeline;

use fold::Projection;

pub use ask::{KeyHolder, Keys, Output, RowVisitor, Views};
pub(crate) use ask::{checkpoints, holders_of};
pub use page::{At, Row};
pub use sessions::SessionRow;

/// Changes whenever rows do: views of another version are not opened.
pub(crate) const VIEWS_VERSION: u32 = 4;

/// Every projection. To add one: write `src/views/<name>.rs`, add a line here, and raise `VIEWS_VERSION`.
pub(crate) const PROJECTIONS: &[&dyn Projection] = &[
    &sessions::Sessions,
    &timeline::Timeline,
    &outputs::Outputs,
    &handoffs::Handoffs,
    &errors::Errors,
    &keys::Keys,
    &nouns::Nouns,
    &reasoning::Reasoning,
];

/// Reads everything: damage shows.
pub(crate) fn check(store: &dyn store::ViewStore) -> Result<(), crate::IndexError> {
    ask::check(store)
}

/// What a panic of the store's is.
pub(crate) fn panicked() -> crate::IndexError {
    crate::IndexError::Views { path: std::path::PathBuf::new(), what: "using them panicked".to_owned() }
}
