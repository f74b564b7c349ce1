//! What `erase` takes.

use std::path::PathBuf;

use audit::Basis;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::bundle::HandArgs;

#[derive(Debug, Args)]
pub(crate) struct Erase {
    /// The event, as session/sequence
    pub(crate) event: String,
    /// Only this field of its payload (default: all); may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) field: Vec<String>,
    /// Why: on whose ground
    #[arg(long, value_name = "BASIS", value_parser = orders())]
    pub(crate) basis: Basis,
    /// Whose matter it is, in your own books
    #[arg(long, value_name = "TICKET")]
    pub(crate) ticket: String,
    /// Why, in words; kept with the order
    #[arg(long, value_name = "TEXT")]
    pub(crate) reason: Option<String>,
    /// What readers are to see instead, marked as the eraser's; - reads it from standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) replace_file: Option<PathBuf>,
    /// Only say what would be erased
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
    /// Don't ask
    #[arg(long)]
    pub(crate) yes: bool,
    #[command(flatten)]
    pub(crate) hand: HandArgs,
}

/// Every basis but age: what is only old is purged as a whole.
fn orders() -> impl TypedValueParser<Value = Basis> {
    let words = Basis::ALL.iter().filter(|(basis, _)| basis.is_order()).map(|(_, word)| *word);
    PossibleValuesParser::new(words).map(|word| Basis::of(&word).unwrap_or(Basis::Gdpr17))
}
