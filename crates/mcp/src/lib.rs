//! The door for agents: tools of the Model Context Protocol over standard input and output.
//!
//! - M1  nothing but the protocol is written to standard output
//! - M2  a reply is never larger than the budget of its call; what did not fit is said, with a cursor to it
//! - M3  recorded text stands between marks that carry a number drawn for this reply, so that no text can
//!   close them, and what is invisible is made visible
//! - M4  an error says what to do
//! - M5  one table describes each tool: its schema, its checks and its help are made from the same rows
//!
//! This is the only room with an async runtime; below it everything is synchronous, and a call runs on a
//! thread of its own so that pings are answered meanwhile.

mod arguments;
mod error;
mod page;
mod serve;
mod tools;

pub use error::McpError;
pub use serve::{House, serve};
