//! `csv`: a row an event, as RFC 4180 has it, for spreadsheets and data frames.
//!
//! Recorded text is untrusted: a cell that a spreadsheet would run as a formula gets a `'` in front.

use std::io::{self, Write};

use event::{Event, SessionId};
use recorder::Store;
use serde_json::Value;

use super::told::{main_text, text_of, told};
use super::{ExportError, Exporter};

pub(super) struct Csv;

/// Header fields that are columns.
const FIELDS: [&str; 11] =
    ["agent", "agent_id", "group", "phase", "skill", "status", "role", "model", "from", "to", "cause"];

impl Exporter for Csv {
    fn name(&self) -> &'static str {
        "csv"
    }

    fn export(
        &self,
        store: &Store,
        session: &SessionId,
        until: u64,
        out: &mut dyn Write,
    ) -> Result<u64, ExportError> {
        let told = told(store, session, until)?;
        let names = ["session", "seq", "recorded_at", "happened_at", "kind"].into_iter().chain(FIELDS);
        row(names.chain(["text", "data", "hash"]).map(str::to_owned), out)?;
        for event in &told.events {
            let fixed = [
                event.session.to_string(),
                event.seq.to_string(),
                event.ts.clone(),
                event.time().to_owned(),
                event.kind.as_str().to_owned(),
            ];
            let fields = FIELDS.iter().map(|name| event.header.get(*name).map_or_else(String::new, text_of));
            let rest = [main_text(event), data(event), event.hash.clone()];
            row(fixed.into_iter().chain(fields).chain(rest), out)?;
        }
        Ok(told.damaged)
    }
}

fn data(event: &Event) -> String {
    Value::Object(event.data.to_map()).to_string()
}

fn row(cells: impl Iterator<Item = String>, out: &mut dyn Write) -> io::Result<()> {
    let cells: Vec<String> = cells.map(|cell| quoted(&cell)).collect();
    write!(out, "{}\r\n", cells.join(","))
}

fn quoted(cell: &str) -> String {
    let guard = if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    if guard.is_empty() && !cell.contains(['"', ',', '\n', '\r']) {
        return cell.to_owned();
    }
    format!("\"{guard}{}\"", cell.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_keep_their_text_and_run_nothing() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,\"b\"\n"), "\"a,\"\"b\"\"\n\"");
        assert_eq!(quoted("=cmd|' /C calc'!A0"), "\"'=cmd|' /C calc'!A0\"");
    }
}
