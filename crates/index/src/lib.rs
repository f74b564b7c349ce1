//! Everything derived: projections folded into views (sled) and text (tantivy), thrown away at will.
//!
//! - I1  nothing is known here that the journal cannot say: any part may be deleted at any moment
//! - I2  the scan of the journal is the oracle: an index answers what it answers, in its order
//! - I3  a query never waits for a writer, and a search that is caught up opens no view and takes no lock
//! - I4  damage in a derived file is never an answer: the part is set aside, the journal answers, it is made again
//! - I5  every answer says how much of the journal it knows

mod answer;
mod cache;
mod duplicates;
mod error;
mod facts;
mod fold;
mod folders;
mod highlight;
mod index;
mod kept;
mod matcher;
mod project;
pub mod query;
mod relevance;
mod scan;
#[cfg(test)]
mod tests;
mod text;
mod text_index;
pub mod tokens;
mod views;

pub use answer::{Answer, AsOf, Hit, Options, Source};
pub use cache::Cache;
pub use error::IndexError;
pub use facts::{Facts, Keyword, MARKS};
pub use highlight::{Highlighter, Snippet};
pub use index::{CaughtUp, Compared, Flaw, Index, Scope};
pub use kept::{KeepTurn, Kept};
pub use project::Budget;
pub use query::{Now, Query, QueryError};
pub use relevance::Sort;
pub use views::{At, KeyHolder, Keys, Output, Row, RowVisitor, SessionRow, Views};
