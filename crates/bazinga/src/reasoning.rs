//! Reasoning in phases, in the original's words; what it means is the team's room.

use event::{Line, SessionId};
use orchestrate::compliance;
use orchestrate::reasoning::{self, Entry, Form, NewReasoning, Parts, Wanted};
use orchestrate::words as team;
use recorder::{Recorder, Store, harmless_json};
use serde_json::{Map, Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{named, written};
use crate::words::{list, some};

/// What an agent thought.
#[derive(Debug, Clone, Copy)]
pub struct Thought<'a> {
    /// The session.
    pub session: &'a str,
    /// The group.
    pub group: &'a str,
    /// The agent's role.
    pub agent: &'a str,
    /// One of the seven phases.
    pub phase: &'a str,
    /// The reasoning.
    pub text: &'a str,
    /// Which agent of that role.
    pub agent_id: Option<&'a str>,
    /// The caller's count.
    pub iteration: Option<u64>,
    /// high, medium or low.
    pub confidence: Option<&'a str>,
    /// Files that were read, as a JSON list.
    pub references: Option<&'a str>,
}

/// Which reasoning is wanted.
#[derive(Debug, Clone, Copy, Default)]
pub struct Which<'a> {
    /// Of this group.
    pub group: Option<&'a str>,
    /// Of agents of this role.
    pub agent: Option<&'a str>,
    /// Of this phase.
    pub phase: Option<&'a str>,
}

impl Which<'_> {
    fn wanted(&self, session: &SessionId, limit: usize) -> Wanted {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let (group, agent, phase) = (owned(self.group), owned(self.agent), owned(self.phase));
        Wanted { group, agent, phase, limit, ..Wanted::of(session.as_str()) }
    }
}

/// `save-reasoning`.
pub fn save_reasoning(recorder: &mut Recorder, thought: Thought<'_>) -> Result<Answer, BazingaError> {
    some("the session id", thought.session)?;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let new = NewReasoning {
        session: thought.session.to_owned(),
        group: Some(thought.group.to_owned()),
        agent: thought.agent.to_owned(),
        agent_id: owned(thought.agent_id),
        phase: thought.phase.to_owned(),
        text: thought.text.to_owned(),
        attempt: thought.iteration,
        confidence: owned(thought.confidence),
        references: thought.references.map_or_else(|| Ok(Vec::new()), |text| list("--references", text))?,
    };
    let saved = reasoning::save(recorder, new)?;
    let Thought { session, group, agent, phase, .. } = thought;
    let (id, length) = (saved.seq, saved.chars);
    let answer = json!({
        "success": true, "log_id": id, "session_id": session, "group_id": group, "agent_type": agent,
        "reasoning_phase": phase, "content_length": length, "timestamp": written(&saved.ts),
        "redacted": saved.redacted,
    });
    let said = format!("✓ Saved {agent} reasoning ({phase}, log_id={id}, {length} chars)");
    Ok(Answer::of(answer).saying(said))
}

/// Documented reasoning, the newest first.
fn found(store: &Store, session: &str, which: Which<'_>, limit: usize) -> Result<Vec<Entry>, BazingaError> {
    which.phase.map_or(Ok(()), team::phase)?;
    let Some(session) = named(store, session)? else { return Ok(Vec::new()) };
    Ok(reasoning::get(store, &which.wanted(&session, limit))?)
}

fn row(entry: &Entry) -> Map<String, Value> {
    let row = json!({
        "id": entry.seq, "group_id": entry.group, "agent_type": entry.agent, "agent_id": entry.agent_id,
        "iteration": entry.attempt, "reasoning_phase": entry.phase, "confidence_level": entry.confidence,
        "content": entry.text, "redacted": entry.redacted, "timestamp": written(&entry.at),
    });
    if let Value::Object(row) = row { row } else { Map::new() }
}

/// `get-reasoning`: the newest first.
pub fn reasoning(
    store: &Store,
    session: &str,
    which: Which<'_>,
    limit: usize,
) -> Result<Answer, BazingaError> {
    let found = found(store, session, which, limit)?;
    let rows = found.iter().map(|entry| {
        let mut row = row(entry);
        row.insert("session_id".to_owned(), session.into());
        row.insert("references".to_owned(), json!(entry.references));
        Value::Object(row)
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}

/// `get-reasoning --format prompt-summary`: a table for the next agent's prompt.
pub fn reasoning_prompt(
    store: &Store,
    session: &str,
    which: Which<'_>,
    limit: usize,
) -> Result<String, BazingaError> {
    let summary = reasoning::summary(&found(store, session, which, limit)?);
    Ok(summary.trim_end().to_owned())
}

/// `reasoning-timeline`: the oldest first, as JSON that no terminal can misread, in pieces.
pub fn reasoning_timeline(
    store: &Store,
    session: &str,
    group: Option<&str>,
) -> Result<Vec<String>, BazingaError> {
    let rows = match named(store, session)? {
        Some(id) => {
            let form = Form { line: &row_of_line, entry: &row_of_entry };
            reasoning::timeline_as(store, id.as_str(), group, form)?
        }
        None => Vec::new(),
    };
    if rows.is_empty() {
        return Ok(vec!["[]\n".to_owned()]);
    }
    let around = |text: &str| std::iter::once(text.to_owned());
    Ok(around("[\n").chain(rows).chain(around("\n]\n")).collect())
}

fn row_of_entry(entry: &Entry) -> String {
    let mut row = row(entry);
    // a number here, where the list above has a flag
    row.insert("redacted".to_owned(), i64::from(entry.redacted).into());
    let text = serde_json::to_string_pretty(&row).unwrap_or_default();
    harmless_json(&format!("  {}", text.replace('\n', "\n  ")))
}

/// The same text without making a value of it. Hot path.
fn row_of_line(line: &Line<'_>, out: &mut String) -> Option<()> {
    let parts = Parts::of(line)?;
    out.extend([
        "  {\n    \"agent_id\": ",
        parts.header("agent_id")?,
        ",\n    \"agent_type\": ",
        parts.header("agent")?,
        ",\n    \"confidence_level\": ",
        parts.header("confidence")?,
        ",\n    \"content\": ",
        parts.text,
        ",\n    \"group_id\": ",
        parts.header("group")?,
        ",\n    \"id\": ",
        &line.seq.to_string(),
        ",\n    \"iteration\": ",
        parts.attempt,
        ",\n    \"reasoning_phase\": ",
        parts.header("phase")?,
        ",\n    \"redacted\": ",
        if parts.redacted { "1" } else { "0" },
        ",\n    \"timestamp\": \"",
        &written(parts.at()?),
        "\"\n  }",
    ]);
    Some(())
}

/// `reasoning-timeline --format markdown`.
pub fn reasoning_document(store: &Store, session: &str, group: Option<&str>) -> Result<String, BazingaError> {
    let mut found = found(store, session, Which { group, ..Which::default() }, usize::MAX)?;
    found.reverse();
    Ok(reasoning::markdown(&found).trim_end().to_owned())
}

/// `check-mandatory-phases`: no, while one is missing.
pub fn mandatory_phases(
    store: &Store,
    session: &str,
    group: &str,
    agent: &str,
) -> Result<Answer, BazingaError> {
    let Some(id) = named(store, session)? else {
        let missing = ["completion", "understanding"];
        return Ok(phases(session, group, agent, json!({"complete": false, "missing": missing})).no());
    };
    let found = compliance::phases(store, id.as_str(), group, agent)?;
    let complete = found.complete;
    let answer = phases(session, group, agent, json!(found));
    Ok(if complete { answer } else { answer.no() })
}

fn phases(session: &str, group: &str, agent: &str, found: Value) -> Answer {
    let mut answer = json!({
        "complete": false, "missing": [], "documented": [], "all_documented": [],
        "session_id": session, "group_id": group, "agent_type": agent,
    });
    if let (Some(answer), Value::Object(found)) = (answer.as_object_mut(), found) {
        answer.extend(found);
    }
    Answer::of(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::{Draft, Encoder, Event, Kind, Origin};

    fn entry(event: &Event) -> Entry {
        let owned = |name: &str| event.text(name).map(str::to_owned);
        Entry {
            event: event.name(),
            session: event.session.to_string(),
            seq: event.seq,
            group: owned("group"),
            agent: owned("agent"),
            agent_id: owned("agent_id"),
            attempt: event.header.number("attempt"),
            phase: owned("phase").unwrap_or_default(),
            confidence: owned("confidence"),
            text: event.data.text("text").unwrap_or_default().to_owned(),
            references: Vec::new(),
            redacted: event.header.contains_key("redacted"),
            at: event.time().to_owned(),
            hash: event.hash.clone(),
        }
    }

    #[test]
    fn a_row_that_is_taken_from_its_line_is_the_row_of_its_entry() {
        let said = |text: &str| {
            let draft = Draft::new("s", Kind::of("reasoning.recorded"), Origin::Claimed);
            draft.with("agent", "developer").with("phase", "pivot").data("text", text)
        };
        let drafts = [
            said("plain"),
            said("two\nlines, \"quoted\"").with("group", "G").with("attempt", 3),
            said("x").with("at", "2026-11-27T02:00:00.000000Z").with("confidence", "high"),
            said("x").with("agent_id", "dev-1").with("redacted", json!({"token": 1})),
            said("não"),
            said("x").with("group", "50%"),
        ];
        let session = SessionId::new("s").expect("an id");
        let mut taken = 0;
        for draft in drafts {
            let (ts, prev) = ("2026-11-27T20:47:19.123456Z", "0".repeat(64));
            let encoder = Encoder { session: &session, seq: 17, ts, prev: &prev, store: None };
            let mut bytes = encoder.encode(&draft, || "1".repeat(32)).expect("a line").line;
            bytes.pop();
            let line = Line::parse(&bytes).expect("a good line");
            let mut row = String::new();
            if row_of_line(&line, &mut row).is_some() {
                taken += 1;
                assert_eq!(row, row_of_entry(&entry(&Event::from_line(&line).expect("an event"))));
            }
        }
        assert_eq!(taken, 4);
    }
}
