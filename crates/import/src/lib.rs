//! What comes in: other tools' transcripts, and our own drafts as NDJSON, become drafts.
//!
//! - I1  no record ever fails a file: what cannot be read is a gap, what cannot be mapped is kept raw
//! - I2  a report adds up: records = stored + raw + gaps + duplicates + linked
//! - I3  the same file gives the same keys, however often, and copies of a record give the same key
//! - I4  from the drafts of a record it can be made again, up to key order and white space
//! - I5  memory is bounded by one record and one small entry a record, not by the size of the file
//! - I6  what is read is never written, locked or added to: a database that is in use is read from a copy
//!
//! Nothing here redacts or stores: whoever implements [`Sink`] does. Nothing here reads an environment
//! variable, a clock or the home folder.

mod archive;
mod atif;
mod bazinga;
mod claude_code;
mod codex;
mod copilot;
mod database;
mod derive;
mod drafts;
mod folder;
mod gemini;
mod house;
mod inspect;
mod json;
mod mapping;
mod mcp;
mod members;
mod opencode;
mod otlp;
mod pen;
mod pieces;
mod protobuf;
mod reader;
mod run;
mod same;
mod speech;
mod time;
mod who_and_when;

use std::path::{Path, PathBuf};

use event::Draft;
use serde_json::Value;

pub use derive::is_global;
pub use drafts::{DraftLine, Drafts, MAX_DRAFT_BYTES};
use mapping::Format;
pub use mapping::{MappingError, mapping};
pub use reader::{Gap, Item, MAX_RECORD_BYTES, Place, Reader, Record};
pub use recorder::Past;
pub use run::{
    Choice, Cursor, Follower, Pace, Progress, Report, RunError, candidates, identity, is_candidate, run,
    run_with, untaken,
};

/// Every importer. To add one: write `src/<name>.rs`, or a mapping file `src/formats/<name>.toml` (see
/// `mapping/mod.rs`), add a line here, and put a transcript with its expected events under
/// `tests/import/<name>/`.
pub static IMPORTERS: &[&dyn Importer] = &[
    &claude_code::ClaudeCode,
    &claude_code::ClaudeStream,
    &codex::Codex,
    &codex::CodexExec,
    &codex::CodexLog,
    &who_and_when::WhoAndWhen,
    &bazinga::Bazinga,
    &otlp::Otlp,
    &inspect::Inspect,
    &mcp::Mcp,
    &gemini::Gemini,
    &atif::Atif,
    &opencode::OpenCode,
    &copilot::Copilot,
    &Format::new("antigravity", include_str!("formats/antigravity.toml")),
    &Format::new("cursor", include_str!("formats/cursor.toml")),
    &Format::new("droid", include_str!("formats/droid.toml")),
    &Format::new("google-adk", include_str!("formats/google_adk.toml")),
    &Format::new("grok", include_str!("formats/grok.toml")),
    &Format::new("hermes", include_str!("formats/hermes.toml")),
    &Format::new("kimi", include_str!("formats/kimi.toml")),
    &Format::new("langfuse", include_str!("formats/langfuse.toml")),
    &Format::new("langsmith", include_str!("formats/langsmith.toml")),
    &Format::new("openclaw", include_str!("formats/openclaw.toml")),
    &Format::new("openhands", include_str!("formats/openhands.toml")),
    &Format::new("pi", include_str!("formats/pi.toml")),
    &Format::new("qwen-code", include_str!("formats/qwen_code.toml")),
    &Format::new("swe-agent", include_str!("formats/swe_agent.toml")),
    &Format::new("tau-bench", include_str!("formats/tau_bench.toml")),
    &Format::new("messages", include_str!("formats/messages.toml")),
];

/// One tool's transcripts.
pub trait Importer: Sync {
    /// The name that commands take: `claude-code`.
    fn name(&self) -> &'static str;
    /// The folder with its transcripts, under the user's home.
    fn home(&self) -> &str;
    /// True if a file that is one JSON document is to be one record, not those of its longest list.
    fn takes_documents(&self) -> bool {
        false
    }
    /// True if the first records of a file are this tool's, by their shape. A database shows its tables instead,
    /// `{"table": …, "columns": […]}`, and its rows are its records, `{"table": …, "row": {…}}`.
    fn recognises(&self, head: &[Value]) -> bool;
    /// Of a database: rows of the second table come behind the row of the first that their column names.
    fn nested(&self) -> Option<Nested> {
        None
    }
    /// Starts on a file.
    fn open(&self, file: &SourceFile) -> Box<dyn Transcript>;
    /// True if records of this tool's files hold records: see [`Importer::parts`].
    fn holds_parts(&self) -> bool {
        false
    }
    /// Takes a record apart that holds others (a batch of spans); asked only of who says that they do.
    fn parts(&self, record: Value) -> Vec<Part> {
        vec![Part { order: 0, value: record }]
    }
}

/// Which rows of a database belong to a row of another table, with an `id`, and come right behind it.
#[derive(Debug, Clone, Copy)]
pub struct Nested {
    /// The table of the outer rows.
    pub outer: &'static str,
    /// The table of the inner rows.
    pub inner: &'static str,
    /// Their column with the outer row's `id`.
    pub column: &'static str,
}

/// A record out of a record.
#[derive(Debug)]
pub struct Part {
    /// By what the parts of a file are put in order: a time in nanoseconds; 0 keeps its place in front.
    pub order: u64,
    /// The record.
    pub value: Value,
}

/// A file that an importer has recognised.
#[derive(Debug, Clone, Default)]
pub struct SourceFile {
    /// Where it is.
    pub path: PathBuf,
    /// Its name without `.jsonl`, `.json`, `.zst` or `.gz`.
    pub stem: String,
    /// Its first records.
    pub head: Vec<Value>,
    /// What stands in `<stem>.meta.json` beside it.
    pub meta: Option<Value>,
}

/// One file being read, record by record.
pub trait Transcript {
    /// Sees the text of every record before the first one is mapped, if the importer has to know what
    /// comes later. False: not needed, spare the pass.
    fn survey(&mut self, _text: &str) -> bool {
        false
    }
    /// Maps one record. `keys` makes keys for what has no identity of its own.
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped;
    /// The session to which unreadable bytes between the records belong.
    fn gap_session(&self) -> &str;
    /// The opening of the file's own session; asked before its first drafts are stored.
    fn opening(&mut self) -> Option<Draft>;
    /// True for a draft that what comes shortly behind it may change, or tell in its place: while a file grows it is
    /// held back.
    fn holds_back(&self, draft: &Draft) -> bool {
        draft.kind == *"model.called"
    }
    /// Brings a draft that was held back up to date; false if another record tells it by now.
    fn settle(&mut self, _held: &mut Draft) -> bool {
        true
    }
    /// What is told last, when every record is through: ends that stand in front of what they end.
    fn closing(&mut self) -> Vec<Draft> {
        Vec::new()
    }
}

/// What became of a record.
pub enum Mapped {
    /// Its events, at least one.
    Events(Vec<Draft>),
    /// The record kept as text, as one `raw.kept`.
    Raw(Draft),
    /// It says again what another record of this file says.
    Duplicate,
    /// It is about another session that is not here (a title for a session of another file).
    Elsewhere,
}

/// Keys for records without an identity of their own, and a look at who has a key.
pub trait Keys {
    /// A keyed hash (hex) of `material`, which may hold what is not redacted yet.
    fn derived_key(&self, material: &str) -> String;
    /// The session, as its transcript calls it, that owns the event with this key.
    fn session_of(&self, _key: &str) -> Option<String> {
        None
    }
    /// What a session was told so far.
    fn told(&self, _session: &str) -> Vec<Past> {
        Vec::new()
    }
}

/// Where drafts go.
///
/// A draft whose `supersedes` is set is of something that its tool rewrites: where an event with its key stands
/// and says something else, the new one names that event there; otherwise the field goes.
///
/// References (`parent`, `cause`) name the key of the event that is meant; the sink turns them into
/// sequences where it has them.
pub trait Sink: Keys {
    /// Why it cannot take more. It ends the run.
    type Error: std::error::Error + Send + Sync + 'static;
    /// Takes the drafts of one source record.
    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, Self::Error>;
    /// What cleans drafts in another thread; without it records are mapped and cleaned where they are stored.
    fn cleaner(&self) -> Option<recorder::Cleaner> {
        None
    }
    /// Takes the drafts of one source record, cleaned; asked only of who gives a cleaner. They may be written later.
    fn take_cleaned(&mut self, _cleaned: Vec<recorder::Cleaned>) -> Result<Taken, Self::Error> {
        unreachable!("there is no cleaner")
    }
    /// Writes what was taken so far.
    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
    /// A file is going to be read.
    fn file_begins(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
    /// How far a file was taken in, as far as it is remembered and still true.
    fn cursor(&self, _path: &Path) -> Option<Cursor> {
        None
    }
    /// Remembers how far the file that was read last is taken in; all of it is durable by now.
    fn remember(&mut self, _path: &Path, _cursor: &Cursor) {}
    /// A file is through; whatever waits can be made durable now.
    fn file_done(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
    /// How many values it has redacted so far.
    fn redacted(&self) -> u64 {
        0
    }
}

/// What a sink did with the drafts of one record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// At least one draft was new and is stored.
    Stored,
    /// The session had all of them.
    Duplicate,
    /// None was new, and another session owns some: a copy made by a fork or a resume.
    Linked,
}
