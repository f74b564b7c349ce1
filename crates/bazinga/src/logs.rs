//! What agents said: interactions one by one, and all logs of a session as a document.

use event::Event;
use orchestrate::events::{self, NewLog};
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{events_of, field, named, time, written};
use crate::words::some;

/// What an agent said.
#[derive(Debug, Clone, Copy)]
pub struct Interaction<'a> {
    /// The session.
    pub session: &'a str,
    /// The agent's role.
    pub agent: &'a str,
    /// What it said.
    pub text: &'a str,
    /// The caller's count.
    pub iteration: Option<u64>,
    /// Which agent of that role.
    pub agent_id: Option<&'a str>,
}

/// `log-interaction`.
pub fn interaction(recorder: &mut Recorder, said: Interaction<'_>) -> Result<Answer, BazingaError> {
    some("the session id", said.session)?;
    let owned = |text: Option<&str>| text.map(str::to_owned);
    let new = NewLog {
        session: said.session.to_owned(),
        agent: said.agent.to_owned(),
        agent_id: owned(said.agent_id),
        group: None,
        attempt: said.iteration,
        text: said.text.to_owned(),
    };
    let saved = events::log(recorder, new)?;
    let (id, length) = (saved.seq, saved.chars);
    let answer = json!({
        "success": true, "log_id": id, "session_id": said.session, "agent_type": said.agent,
        "content_length": length, "timestamp": written(&saved.ts), "iteration": said.iteration,
        "agent_id": said.agent_id,
    });
    let line = format!("✓ Logged {} interaction (log_id={id}, {length} chars)", said.agent);
    Ok(Answer::of(answer).saying(line))
}

fn text(event: &Event) -> String {
    event.data.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// One entry of the log.
struct Entry {
    event: Event,
    text: String,
}

impl Entry {
    fn of(event: Event) -> Self {
        let text = match event.kind.as_str().strip_prefix("x.") {
            Some(name) => format!("Event: {name}"),
            None => text(&event),
        };
        Self { event, text }
    }

    fn heading(&self) -> String {
        let count = field(&self.event, "attempt");
        let count = count.as_u64().filter(|n| *n > 0).map_or_else(|| "?".to_owned(), |n| n.to_string());
        let agent = self.event.text("agent").unwrap_or("system").to_uppercase();
        format!("## [{}] Iteration {count} - {agent}", time(&self.event))
    }
}

/// `stream-logs`: of the latest entries, after leaving out `offset` of them, so many, the oldest first.
pub fn logs(store: &Store, session: &str, limit: usize, offset: usize) -> Result<String, BazingaError> {
    let wanted =
        |kind: &str| matches!(kind, "message.recorded" | "reasoning.recorded") || kind.starts_with("x.");
    let found = match named(store, session)? {
        Some(session) => events_of(store.journal(), &session, &wanted)?,
        None => Vec::new(),
    };
    let end = found.len().saturating_sub(offset);
    let start = end.saturating_sub(limit);
    let entries: Vec<Entry> = found.into_iter().take(end).skip(start).map(Entry::of).collect();
    if entries.is_empty() {
        return Ok("No logs found.".to_owned());
    }
    let blocks = entries.iter().map(|entry| format!("{}\n\n{}\n\n---\n", entry.heading(), entry.text));
    Ok(blocks.collect::<Vec<_>>().join("\n"))
}
