//! Handoffs: what one agent leaves for the next, as an event with a file beside it.
//!
//! The event is the truth, the file a copy of what is stored, for agents that read files. A second handoff
//! of a role in a group is a second version; the first stays as it is, and a pointer names the newest.

mod chain;
mod read;
mod returned;
mod route;
mod schema;
mod write;

pub use chain::{Chain, Link, LinkState, ORDER, chain};
pub use read::{Handoff, Receipt, Unread, get, latest, read, receipts, unread};
pub use returned::{Capsule, Cost, Returned, Verdict, capsule, capsule_of, check_return, costs};
pub use route::{ROUTES, Route, previous, route, statuses};
pub use schema::{Problem, schema, validate};
pub(crate) use write::version_of;
pub use write::{Imported, NewHandoff, Written, file_of, import_file, write};
