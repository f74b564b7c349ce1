//! The house as one object: a [`Recorder`] records drafts, a [`Store`] answers questions.
//!
//! Doors stand on this room and hold no logic of their own. Reading needs no secret; recording is
//! handed the store's keys by the door.
//!
//! - H1  a draft becomes an event only by way of the redactor
//! - H2  every answer says how far it goes (`as_of`) and whether that is everything (`complete`)
//! - H3  an answer is the same with and without an index

mod brief;
mod cleaner;
mod cursors;
mod error;
mod fetch;
mod harmless;
mod import;
mod known;
mod listing;
mod maps;
mod moment;
mod named;
mod order;
mod pause;
mod record;
mod redactions;
mod rehearse;
mod replaced;
mod row;
mod sessions;
mod spent;
mod stats;
mod steps;
mod store;
mod summary;
mod telling;
mod twins;

pub use brief::{BRIEF_CHARS, Brief};
pub use cleaner::{Cleaned, Cleaner};
pub use error::RecorderError;
pub use fetch::{Fetcher, Make};
pub use harmless::{harmless, harmless_json, harmless_lines, harmless_text, push_harmless};
pub use import::{Importing, Outcome, Past};
pub use index::query;
pub use index::{
    Answer, AsOf, Cache, Compared, Flaw, Hit, Now, Options, Output, Query, QueryError, Row, Sort, Views,
};
pub use journal::{Durability, Receipt};
pub use moment::Moment;
pub use pause::Pause;
pub use record::{Fresh, Link, MAX_LINKS, Recorded, Recorder};
pub use redactions::{Late, Redactions, Rescan, Travel};
pub use rehearse::Rehearsal;
pub use replaced::Replaced;
pub use sessions::SessionRow;
pub use stats::Stats;
pub use steps::Step;
pub use store::{Sessions, Store};
pub use summary::{Summary, summary};
pub use telling::{Story, Timeline, TimelineRow};
pub use twins::twin_of_text;
