//! Plans and what they are measured by: each save and each change is an event, the document is their sum.

use event::Event;
use recorder::{Recorder, Store};
use serde_json::{Map, Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{body, draft, events, record, time};
use crate::words::{json as parse, one_of, some};

const PLAN: &str = "plan";
const PROGRESS: &str = "plan_progress";
const CRITERIA: &str = "criteria";
const CRITERION: &str = "criterion";
const STATUSES: &[&str] = &["pending", "met", "blocked", "failed"];

/// A plan as it is handed in.
#[derive(Debug, Clone, Copy)]
pub struct Plan<'a> {
    /// The session.
    pub session: &'a str,
    /// What was asked.
    pub prompt: &'a str,
    /// The plan.
    pub text: &'a str,
    /// Its phases, as a JSON list of objects with a `phase`.
    pub phases: &'a str,
    /// Where it stands.
    pub current: u64,
    /// How many phases there are.
    pub total: u64,
    /// More, as JSON.
    pub metadata: Option<&'a str>,
}

fn state(session: &str, what: &'static str, content: Value) -> event::Draft {
    draft(session, "state.changed").with("what", what).data("body", content)
}

/// `save-development-plan`.
pub fn save_plan(recorder: &mut Recorder, plan: Plan<'_>) -> Result<Answer, BazingaError> {
    some("the session id", plan.session)?;
    let phases = parse("the phases", plan.phases)?;
    if !phases.as_array().is_some_and(|phases| phases.iter().all(Value::is_object)) {
        return Err(BazingaError::value("the phases", "a JSON list of objects"));
    }
    let metadata = plan.metadata.map(|text| parse("the metadata", text)).transpose()?;
    let content = json!({
        "original_prompt": plan.prompt, "plan_text": plan.text, "phases": phases, "metadata": metadata,
        "current_phase": plan.current, "total_phases": plan.total,
    });
    record(recorder, state(plan.session, PLAN, content))?;
    Ok(Answer::done(format!("✓ Saved development plan for session {}", plan.session)))
}

/// The plan as it stands.
fn plan(store: &Store, session: &str) -> Result<Option<Map<String, Value>>, BazingaError> {
    let mut plan: Option<Map<String, Value>> = None;
    for event in events(store, session, &["state.changed"])? {
        match (event.text("what"), body(&event), &mut plan) {
            (Some(PLAN), Some(content), _) => {
                let made =
                    plan.as_ref().map_or_else(|| time(&event).into(), |plan| plan["created_at"].clone());
                plan = Some(row(&event, session, content, made));
            }
            (Some(PROGRESS), Some(step), Some(plan)) => advance(plan, step, &time(&event)),
            _ => {}
        }
    }
    Ok(plan)
}

fn row(event: &Event, session: &str, content: &Map<String, Value>, made: Value) -> Map<String, Value> {
    let mut row = content.clone();
    // what another store kept as text is JSON
    for name in ["phases", "metadata"] {
        let value = row.remove(name).unwrap_or_default();
        let value = match value {
            Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
            other => other,
        };
        row.insert(name.to_owned(), value);
    }
    row.insert("id".to_owned(), event.seq.into());
    row.insert("session_id".to_owned(), session.into());
    row.entry("created_at").or_insert(made);
    row.insert("updated_at".to_owned(), time(event).into());
    row
}

fn advance(plan: &mut Map<String, Value>, step: &Map<String, Value>, when: &str) {
    let phases = plan.get_mut("phases").and_then(Value::as_array_mut).into_iter().flatten();
    if let Some(phase) = phases.into_iter().find(|phase| phase["phase"] == step["phase"]) {
        phase["status"] = step["status"].clone();
        if step["status"] == "completed" {
            phase["completed_at"] = when.into();
        }
    }
    plan.insert("current_phase".to_owned(), step["phase"].clone());
    plan.insert("updated_at".to_owned(), when.into());
}

/// `get-development-plan`: or null.
pub fn development_plan(store: &Store, session: &str) -> Result<Answer, BazingaError> {
    Ok(Answer::of(plan(store, session)?.map_or(Value::Null, Value::Object)))
}

/// `update-plan-progress`: no, where there is no plan.
pub fn advance_plan(
    recorder: &mut Recorder,
    session: &str,
    phase: u64,
    status: &str,
) -> Result<Answer, BazingaError> {
    some("the status", status)?;
    if plan(&recorder.store(), session)?.is_none() {
        return Ok(Answer::done(format!("Error: No plan found for session {session}")).no());
    }
    record(recorder, state(session, PROGRESS, json!({"phase": phase, "status": status})))?;
    Ok(Answer::done(format!("✓ Updated phase {phase} status to: {status}")))
}

/// One criterion as it is handed in, with what it leaves out.
fn criterion(given: &Value) -> Result<Value, BazingaError> {
    let text = given["criterion"].as_str().unwrap_or_default().trim();
    some("the criterion's text", text)?;
    let status = one_of("the criterion's status", given["status"].as_str().unwrap_or("pending"), STATUSES)?;
    let needed = given.get("required_for_completion").is_none_or(|needed| *needed != json!(false));
    Ok(json!({
        "criterion": text, "status": status, "actual": given["actual"], "evidence": given["evidence"],
        "required_for_completion": i64::from(needed),
    }))
}

/// `save-success-criteria`: these, and no others any more.
pub fn save_criteria(recorder: &mut Recorder, session: &str, criteria: &str) -> Result<Answer, BazingaError> {
    some("the session id", session)?;
    let given = parse("the criteria", criteria)?;
    let given = given.as_array().filter(|list| !list.is_empty());
    let given = given.ok_or_else(|| BazingaError::value("the criteria", "a JSON list that is not empty"))?;
    let criteria = given.iter().map(criterion).collect::<Result<Vec<_>, _>>()?;
    let count = criteria.len();
    record(recorder, state(session, CRITERIA, json!({"criteria": criteria})))?;
    Ok(Answer::done(format!("✓ Saved {count} success criteria for session {session}")))
}

fn all(store: &Store, session: &str) -> Result<Vec<Value>, BazingaError> {
    let mut rows: Vec<Value> = Vec::new();
    for event in events(store, session, &["state.changed"])? {
        let Some(content) = body(&event) else { continue };
        match event.text("what") {
            Some(CRITERIA) => {
                let given = content.get("criteria").and_then(Value::as_array).into_iter().flatten();
                rows = given.enumerate().map(|(at, given)| new_row(&event, session, at, given)).collect();
            }
            Some(CRITERION) => change(&mut rows, &event, session, content),
            _ => {}
        }
    }
    Ok(rows)
}

fn new_row(event: &Event, session: &str, at: usize, given: &Value) -> Value {
    let when = time(event);
    let made = given.get("created_at").cloned().unwrap_or_else(|| when.clone().into());
    json!({
        "id": event.seq + at as u64, "session_id": session, "criterion": given["criterion"],
        "status": given["status"], "actual": given["actual"], "evidence": given["evidence"],
        "required_for_completion": given["required_for_completion"], "created_at": made, "updated_at": when,
    })
}

/// A criterion that is known is changed, one that is not is new: another store tells them one by one.
fn change(rows: &mut Vec<Value>, event: &Event, session: &str, content: &Map<String, Value>) {
    let Some(known) = rows.iter_mut().find(|row| Some(&row["criterion"]) == content.get("criterion")) else {
        rows.push(new_row(event, session, 0, &Value::Object(content.clone())));
        return;
    };
    for (name, value) in content.iter().filter(|(_, value)| !value.is_null()) {
        known[name.as_str()] = value.clone();
    }
    known["updated_at"] = time(event).into();
}

/// `get-success-criteria`.
pub fn criteria(store: &Store, session: &str) -> Result<Answer, BazingaError> {
    Ok(Answer::of(all(store, session)?))
}

/// `update-success-criterion`: no, where there is none of this text.
pub fn update_criterion(
    recorder: &mut Recorder,
    session: &str,
    text: &str,
    status: Option<&str>,
    actual: Option<&str>,
    evidence: Option<&str>,
) -> Result<Answer, BazingaError> {
    let status = status.map(|status| one_of("--status", status, STATUSES)).transpose()?;
    let known = all(&recorder.store(), session)?.into_iter().any(|row| row["criterion"] == text);
    if !known {
        return Ok(Answer::done(format!("! Criterion not found: '{text}' in session {session}")).no());
    }
    let content = json!({"criterion": text, "status": status, "actual": actual, "evidence": evidence});
    record(recorder, state(session, CRITERION, content))?;
    Ok(Answer::done("✓ Updated criterion"))
}
