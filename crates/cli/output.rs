//! Where answers go: stdout, as rows, text or one JSON document.

use std::io::{self, BufWriter, IsTerminal as _, Stdout, Write};

use serde_json::{Value, json};

use crate::args::{Color, Global};
use crate::failure::Failure;
use crate::harmless::harmless_json;
use crate::table::Table;

/// Standard output and what is known about it.
#[allow(clippy::struct_excessive_bools)] // each is a flag that a person may set
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
    /// Stdout is a terminal.
    pub(crate) terminal: bool,
    /// Colour is wanted.
    pub(crate) color: bool,
    /// One JSON document is wanted.
    pub(crate) json: bool,
    /// Times in UTC.
    pub(crate) utc: bool,
}

impl Output {
    pub(crate) fn new(global: &Global) -> Self {
        let terminal = io::stdout().is_terminal();
        let color = match global.color {
            Color::Always => true,
            Color::Never => false,
            Color::Auto => terminal && !no_color(),
        };
        Self { stdout: BufWriter::new(io::stdout()), terminal, color, json: global.json, utc: global.utc }
    }

    /// Writes text as it is; the caller has made it harmless.
    pub(crate) fn text(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())
    }

    /// Writes one line.
    pub(crate) fn line(&mut self, text: &str) -> Result<(), Failure> {
        self.bytes(text.as_bytes())?;
        self.bytes(b"\n")
    }

    /// Writes bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.stdout.write_all(bytes).map_err(|e| Failure::io("write to standard output", &e))
    }

    /// Standard output for those who write on their own.
    pub(crate) fn writer(&mut self) -> &mut dyn Write {
        &mut self.stdout
    }

    /// Sends what was written so far on its way.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|e| Failure::io("write to standard output", &e))
    }

    /// How rows are written here.
    pub(crate) fn page(&self) -> Page {
        Page { width: self.terminal.then(terminal_width), color: self.color }
    }

    /// Writes rows: aligned on a terminal, tab-separated elsewhere.
    pub(crate) fn table(&mut self, table: &Table) -> Result<(), Failure> {
        self.text(&self.page().text(table))?;
        // what is said on stderr about the rows comes behind them
        self.flush()
    }

    /// Writes the one JSON document of an answer.
    pub(crate) fn document(
        &mut self,
        schema: &str,
        as_of: &Value,
        complete: bool,
        body: Value,
    ) -> Result<(), Failure> {
        self.line(&harmless_json(&document_text(schema, as_of, complete, body)))
    }

    /// The same with a member that is JSON already, harmless, and in order the last but the schema and the session.
    pub(crate) fn document_with(
        &mut self,
        schema: &str,
        as_of: &Value,
        complete: bool,
        body: Value,
        (name, value): (&str, &str),
    ) -> Result<(), Failure> {
        let text = harmless_json(&document_text(schema, as_of, complete, body));
        let place = text.find("\"schema\":").unwrap_or(1);
        self.text(&text[..place])?;
        self.text(&format!("\"{name}\":"))?;
        self.text(value)?;
        self.text(",")?;
        self.line(&text[place..])
    }

    /// Bold, where colour is wanted.
    pub(crate) fn strong(&self, text: &str) -> String {
        if self.color { format!("\u{1b}[1m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    /// Faint, where colour is wanted.
    pub(crate) fn faint(&self, text: &str) -> String {
        if self.color { format!("\u{1b}[2m{text}\u{1b}[0m") } else { text.to_owned() }
    }

    pub(crate) fn finish(mut self) -> Result<(), Failure> {
        self.flush()
    }
}

fn no_color() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|v| !v.is_empty());
    set("NO_COLOR") || std::env::var_os("TERM").is_some_and(|term| term == "dumb")
}

fn document_text(schema: &str, as_of: &Value, complete: bool, body: Value) -> String {
    let mut document = json!({"schema": schema, "as_of": as_of, "complete": complete});
    if let (Some(document), Value::Object(body)) = (document.as_object_mut(), body) {
        document.extend(body);
    }
    serde_json::to_string(&document).unwrap_or_else(|_| document.to_string())
}

/// How rows become text: aligned to the width of a terminal, tab-separated elsewhere.
#[derive(Clone, Copy)]
pub(crate) struct Page {
    width: Option<usize>,
    color: bool,
}

impl Page {
    /// True for a terminal.
    pub(crate) fn is_aligned(self) -> bool {
        self.width.is_some()
    }

    pub(crate) fn text(self, table: &Table) -> String {
        match self.width {
            Some(width) => table.aligned(self.color, width),
            None => table.tabs(self.color),
        }
    }
}

/// Columns of the terminal; without limit where nobody knows.
fn terminal_width() -> usize {
    terminal_size::terminal_size().map_or(usize::MAX, |(width, _)| usize::from(width.0))
}
