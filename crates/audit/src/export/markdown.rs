//! `markdown`: the session as a document, in the order of telling.
//!
//! Recorded text is untrusted: it stands in fenced blocks whose fence is longer than any in the text, so
//! that it can bring no markup, link or script of its own.

use std::fmt::Write as _;
use std::io::Write;

use event::{Event, SessionId};
use journal::JournalError;
use recorder::{RecorderError, Store, summary};
use serde_json::Value;

use super::{ExportError, Exporter};

pub(super) struct Markdown;

impl Exporter for Markdown {
    fn name(&self) -> &'static str {
        "markdown"
    }

    fn export(
        &self,
        store: &Store,
        session: &SessionId,
        until: u64,
        out: &mut dyn Write,
    ) -> Result<u64, ExportError> {
        let mut timeline = store.timeline(session)?;
        timeline.rows.retain(|row| row.session != *session || row.step.seq() <= until);
        let name = store.original(session).unwrap_or_else(|| session.to_string());
        writeln!(out, "# Session {}\n", inline(&name))?;
        writeln!(out, "Store `{}`, {} events.\n", store.journal().store_id(), timeline.rows.len())?;
        let mut damaged = timeline.damaged;
        let mut fetcher = store.fetcher();
        for row in &timeline.rows {
            match fetcher.event(&row.session, &row.step.pointer) {
                Ok(event) => write_event(&event, out)?,
                Err(JournalError::Damaged(finding)) => {
                    damaged += 1;
                    writeln!(
                        out,
                        "## {}/{} damaged\n\n{}\n",
                        row.session,
                        row.step.seq(),
                        inline(&finding.cause)
                    )?;
                }
                Err(error) => return Err(RecorderError::from(error).into()),
            }
        }
        Ok(damaged)
    }
}

fn write_event(event: &Event, out: &mut dyn Write) -> Result<(), ExportError> {
    let label = summary(event, 60).label;
    let label = if label.is_empty() { String::new() } else { format!(" ({})", inline(&label)) };
    writeln!(out, "## {} {}{label}\n", event.name(), inline(event.kind.as_str()))?;
    writeln!(out, "- time: {}", inline(event.time()))?;
    let facts = ["agent", "agent_id", "group", "model", "cause"];
    for (name, value) in facts.iter().filter_map(|name| Some((name, event.header.get(*name)?))) {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        writeln!(out, "- {name}: {}", inline(&text))?;
    }
    writeln!(out, "- hash: `{}`\n", &event.hash[..16])?;
    for (name, value) in &event.data {
        let (text, language) = match value {
            Value::String(text) => (text.clone(), ""),
            other => (serde_json::to_string_pretty(other).unwrap_or_default(), "json"),
        };
        let fence = "`".repeat(longest_run(&text).max(2) + 1);
        writeln!(out, "{name}:\n\n{fence}{language}\n{}\n{fence}\n", visible(&text))?;
    }
    for name in &event.erased {
        writeln!(out, "{name}: [erased]\n")?;
    }
    Ok(())
}

/// The longest run of backquotes.
fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Text within a line of markdown: nothing in it is markup.
fn inline(text: &str) -> String {
    visible(text).chars().fold(String::new(), |mut out, c| {
        if c.is_ascii_punctuation() && !matches!(c, '.' | ',' | ':' | '/' | '-' | '_') {
            out.push('\\');
        }
        out.push(if c == '\n' { ' ' } else { c });
        out
    })
}

/// Control and direction characters as visible marks.
fn visible(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        let harmful = (c.is_control() && !matches!(c, '\n' | '\t'))
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
        if harmful {
            let _ = write!(out, "<{:04X}>", u32::from(c));
        } else {
            out.push(c);
        }
        out
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_text_brings_no_markup_of_its_own() {
        assert_eq!(inline("<script>[a](b)"), "\\<script\\>\\[a\\]\\(b\\)");
        assert_eq!(longest_run("a ```` b ``"), 4);
        assert_eq!(visible("a\u{1b}[0m\u{202e}"), "a<001B>[0m<202E>");
    }
}
