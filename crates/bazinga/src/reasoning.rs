//! Reasoning in phases, as the original saves and lists it.

use event::{CONFIDENCES, Event, PHASES};
use recorder::{Recorder, Store};
use serde_json::{Map, Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, field, record, redacted, time};
use crate::words::{group as check_group, list, one_of, some};

const KIND: &str = "reasoning.recorded";
/// What an agent has to document.
const MANDATORY: &[&str] = &["completion", "understanding"];
/// Entries and characters of a summary for a prompt.
const PROMPT_ENTRIES: usize = 5;
const PROMPT_CHARS: usize = 300;

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
    fn is(&self, event: &Event) -> bool {
        let fits = |name, wanted: Option<&str>| wanted.is_none_or(|wanted| event.text(name) == Some(wanted));
        // thinking that a provider's transcript holds has no phase and is no documented reasoning
        event.text("phase").is_some()
            && fits("group", self.group)
            && fits("agent", self.agent)
            && fits("phase", self.phase)
    }
}

fn text(event: &Event) -> String {
    event.data.get("text").and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// `save-reasoning`.
pub fn save_reasoning(recorder: &mut Recorder, thought: Thought<'_>) -> Result<Answer, BazingaError> {
    some("the session id", thought.session)?;
    check_group(thought.group)?;
    some("the agent", thought.agent)?;
    let phase = one_of("the phase", thought.phase, PHASES)?;
    let confidence = thought.confidence.map(|word| one_of("--confidence", word, CONFIDENCES)).transpose()?;
    some("the content", thought.text)?;
    let references = thought.references.map(|text| list("--references", text)).transpose()?;
    let draft = draft(thought.session, KIND)
        .with("group", thought.group)
        .with("agent", thought.agent)
        .with("agent_id", thought.agent_id)
        .with("attempt", thought.iteration)
        .with("phase", phase)
        .with("confidence", confidence)
        .data("text", thought.text)
        .data("references", references.filter(|list| !list.is_empty()));
    let event = record(recorder, draft)?;
    let length = text(&event).chars().count();
    let answer = json!({
        "success": true, "log_id": event.seq, "session_id": thought.session, "group_id": thought.group,
        "agent_type": thought.agent, "reasoning_phase": phase, "content_length": length,
        "timestamp": time(&event), "redacted": redacted(&event),
    });
    let (agent, id) = (thought.agent, event.seq);
    let said = format!("✓ Saved {agent} reasoning ({phase}, log_id={id}, {length} chars)");
    Ok(Answer::of(answer).saying(said))
}

/// Documented reasoning in journal order.
fn found(store: &Store, session: &str, which: Which<'_>) -> Result<Vec<Event>, BazingaError> {
    which.phase.map(|phase| one_of("--phase", phase, PHASES)).transpose()?;
    let mut found = events(store, session, &[KIND])?;
    found.retain(|event| which.is(event));
    Ok(found)
}

fn entry(event: &Event) -> Map<String, Value> {
    let entry = json!({
        "id": event.seq, "group_id": field(event, "group"), "agent_type": field(event, "agent"),
        "agent_id": field(event, "agent_id"), "iteration": field(event, "attempt"),
        "reasoning_phase": field(event, "phase"), "confidence_level": field(event, "confidence"),
        "content": text(event), "redacted": redacted(event), "timestamp": time(event),
    });
    if let Value::Object(entry) = entry { entry } else { Map::new() }
}

/// `get-reasoning`: the newest first.
pub fn reasoning(
    store: &Store,
    session: &str,
    which: Which<'_>,
    limit: usize,
) -> Result<Answer, BazingaError> {
    let found = found(store, session, which)?;
    let rows = found.iter().rev().take(limit).map(|event| {
        let mut row = entry(event);
        row.insert("session_id".to_owned(), session.into());
        row.insert(
            "references".to_owned(),
            event.data.get("references").cloned().unwrap_or_else(|| json!([])),
        );
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
    let found = found(store, session, which)?;
    if found.is_empty() || limit == 0 {
        return Ok("No previous reasoning found for this context.".to_owned());
    }
    let rows = found.iter().rev().take(limit.min(PROMPT_ENTRIES)).map(|event| {
        let cell = |name| event.text(name).unwrap_or("-").to_owned();
        let points = clipped(&text(event), PROMPT_CHARS).replace('|', "\\|").replace(['\n', '\r'], " ");
        format!("| {} | {} | {} | {points} |", cell("agent"), cell("phase"), cell("confidence"))
    });
    let rows: Vec<String> = rows.collect();
    let (shown, total) = (rows.len(), found.len().min(limit));
    let more = if total > shown {
        format!("\n\n*{shown} of {total} entries; --format json has all*")
    } else {
        String::new()
    };
    Ok(format!(
        "## Previous Agent Reasoning (Handoff Context)\n\nWhat earlier agents wrote about this task, quoted:\n\n\
         | Agent | Phase | Confidence | Key Points (max {PROMPT_CHARS} chars) |\n|---|---|---|---|\n{}{more}",
        rows.join("\n")
    ))
}

fn clipped(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some(_) => text.chars().take(most - 3).collect::<String>() + "...",
    }
}

/// `reasoning-timeline`: the oldest first.
pub fn reasoning_timeline(store: &Store, session: &str, group: Option<&str>) -> Result<Answer, BazingaError> {
    let found = found(store, session, Which { group, ..Which::default() })?;
    let rows = found.iter().map(|event| {
        let mut row = entry(event);
        // a number here, where the list above has a flag
        row.insert("redacted".to_owned(), i64::from(redacted(event)).into());
        Value::Object(row)
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}

/// `reasoning-timeline --format markdown`.
pub fn reasoning_document(store: &Store, session: &str, group: Option<&str>) -> Result<String, BazingaError> {
    let found = found(store, session, Which { group, ..Which::default() })?;
    let mut document = "# Reasoning Timeline\n".to_owned();
    if found.is_empty() {
        return Ok(document + "\nNo reasoning entries found.");
    }
    let mut group = None;
    for event in &found {
        let own = event.text("group").unwrap_or("global");
        if group != Some(own) {
            document.push_str(&format!("\n## Group: {own}\n"));
            group = Some(own);
        }
        document.push_str(&section(event));
    }
    Ok(document)
}

fn section(event: &Event) -> String {
    let (agent, phase) = (event.text("agent").unwrap_or("-"), event.text("phase").unwrap_or("-"));
    let id = event.text("agent_id").map_or_else(String::new, |id| format!(" ({id})"));
    let sure = event.text("confidence").map_or_else(String::new, |word| format!(" [{word}]"));
    let lock = if redacted(event) { " 🔒" } else { "" };
    let text = text(event);
    let mut short: String = text.chars().take(PROMPT_CHARS).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    // a fence in the text would end the fence around it
    let fenced = short.replace("```", "`\u{200b}`\u{200b}`");
    format!("\n### [{}] {agent}{id} - {phase}{sure}{lock}\n\n```text\n{fenced}\n```\n\n---\n", time(event))
}

/// `check-mandatory-phases`: no, while one is missing.
pub fn mandatory_phases(
    store: &Store,
    session: &str,
    group: &str,
    agent: &str,
) -> Result<Answer, BazingaError> {
    let found = found(store, session, Which { group: Some(group), agent: Some(agent), phase: None })?;
    let mut all: Vec<&str> = found.iter().filter_map(|event| event.text("phase")).collect();
    all.sort_unstable();
    all.dedup();
    let (documented, missing): (Vec<&str>, Vec<&str>) =
        MANDATORY.iter().partition(|phase| all.contains(phase));
    let complete = missing.is_empty();
    let answer = Answer::of(json!({
        "complete": complete, "missing": missing, "documented": documented, "all_documented": all,
        "session_id": session, "group_id": group, "agent_type": agent,
    }));
    Ok(if complete { answer } else { answer.no() })
}
