//! `atif`: the Agent Trajectory Interchange Format, version 1.4: steps of system, user and agent.
//!
//! Every told event is a step, but for what belongs to one: a skill's return is the observation of its call. Where
//! a step comes from stands in its `extra.recount`, so that an import of it gives the same events.

use std::collections::BTreeMap;
use std::io::Write;

use event::{Event, SessionId};
use recorder::Store;
use serde_json::{Map, Value, json};

use super::told::{main_text, told};
use super::{ExportError, Exporter};

pub(super) struct Atif;

impl Exporter for Atif {
    fn name(&self) -> &'static str {
        "atif"
    }

    fn export(
        &self,
        store: &Store,
        session: &SessionId,
        until: u64,
        out: &mut dyn Write,
    ) -> Result<u64, ExportError> {
        let told = told(store, session, until)?;
        let answers = answers(&told.events);
        let answered: Vec<u64> = answers.values().map(|event| event.seq).collect();
        let steps = told.events.iter().filter(|event| !answered.contains(&event.seq));
        let steps: Vec<Value> = steps
            .enumerate()
            .map(|(at, event)| step(at + 1, event, answers.get(&event.seq).copied()))
            .collect();
        let counted = counted(&told.events);
        let usage = |name: &str| counted.iter().filter_map(|event| tokens(event, name)).sum::<u64>();
        let name = store.original(session).unwrap_or_else(|| session.to_string());
        let trajectory = json!({
            "schema_version": "ATIF-v1.4",
            "session_id": name,
            "agent": {"name": "recount", "version": env!("CARGO_PKG_VERSION"), "extra": {"store": store.journal().store_id()}},
            "final_metrics": {
                "total_prompt_tokens": usage("input"), "total_completion_tokens": usage("output"),
                "total_cached_tokens": usage("cached"), "total_steps": steps.len(),
            },
            "steps": steps,
        });
        serde_json::to_writer_pretty(&mut *out, &trajectory).map_err(std::io::Error::from)?;
        writeln!(out)?;
        Ok(told.damaged)
    }
}

/// What costs something, each once: not what a later event under the same key says better.
fn counted(events: &[Event]) -> Vec<&Event> {
    let later: Vec<(u64, &str)> = events
        .iter()
        .filter_map(|event| Some((event.header.get("supersedes")?.as_u64()?, event.text("key")?)))
        .collect();
    let stands = |event: &&Event| !event.text("key").is_some_and(|key| later.contains(&(event.seq, key)));
    events.iter().filter(stands).collect()
}

/// The return of each call, by the sequence of the call.
pub(super) fn answers(events: &[Event]) -> BTreeMap<u64, &Event> {
    let mut open: BTreeMap<(String, String), Vec<u64>> = BTreeMap::new();
    let mut answers = BTreeMap::new();
    for event in events {
        let text = |name: &str| event.text(name).unwrap_or_default().to_owned();
        // calls without an id are answered in their order, each agent its own
        let id = event.text("call").map_or_else(|| text("agent") + "/" + &text("agent_id"), str::to_owned);
        let key = (text("skill"), id);
        match event.kind.as_str() {
            "skill.invoked" => open.entry(key).or_default().push(event.seq),
            "skill.returned" => {
                let waiting = open.get_mut(&key).filter(|calls| !calls.is_empty());
                if let Some(call) = waiting.map(|calls| calls.remove(0)) {
                    answers.insert(call, event);
                }
            }
            _ => {}
        }
    }
    answers
}

fn step(id: usize, event: &Event, answer: Option<&Event>) -> Value {
    let source = source(event);
    let mut step = Map::new();
    step.insert("step_id".to_owned(), id.into());
    step.insert("timestamp".to_owned(), event.time().into());
    step.insert("source".to_owned(), source.into());
    let mut message = main_text(event);
    if source == "agent" {
        for (name, value) in said_by_agent(event, answer) {
            if name != "metrics" {
                message.clear();
            }
            step.insert(name.to_owned(), value);
        }
        step.extend(event.text("model").map(|model| ("model_name".to_owned(), model.into())));
    }
    step.insert("message".to_owned(), message.into());
    let extra = json!({"recount": origin(event, answer, &step)});
    step.insert("extra".to_owned(), extra);
    Value::Object(step)
}

/// Whose step it is: only agents think, call and cost.
fn source(event: &Event) -> &'static str {
    match (event.kind.as_str(), event.text("role")) {
        ("message.recorded", Some("user") | None) => "user",
        ("message.recorded", Some("assistant" | "agent"))
        | (
            "reasoning.recorded" | "skill.invoked" | "skill.returned" | "model.called" | "handoff.made"
            | "decision.scored",
            _,
        ) => "agent",
        _ => "system",
    }
}

fn said_by_agent(event: &Event, answer: Option<&Event>) -> Vec<(&'static str, Value)> {
    match event.kind.as_str() {
        "reasoning.recorded" => vec![("reasoning_content", main_text(event).into())],
        "skill.invoked" => {
            let id = call_id(event);
            let call = json!({"tool_call_id": id, "function_name": event.text("skill").unwrap_or("unknown"), "arguments": arguments(event)});
            let mut said = vec![("tool_calls", json!([call]))];
            said.extend(answer.map(|answer| {
                ("observation", json!({"results": [{"source_call_id": id, "content": main_text(answer)}]}))
            }));
            said
        }
        "skill.returned" => vec![("observation", json!({"results": [{"content": main_text(event)}]}))],
        "model.called" => vec![("metrics", metrics(event))],
        _ => Vec::new(),
    }
}

fn call_id(event: &Event) -> String {
    event.text("call").map_or_else(|| event.name(), str::to_owned)
}

fn arguments(event: &Event) -> Value {
    match event.data.get("input") {
        Some(Value::Object(input)) => Value::Object(input.clone()),
        Some(input) => json!({"input": input}),
        None => json!({}),
    }
}

pub(super) fn tokens(event: &Event, name: &str) -> Option<u64> {
    event.header.get("usage")?.get(name)?.as_u64()
}

fn metrics(event: &Event) -> Value {
    let names = [("prompt_tokens", "input"), ("completion_tokens", "output"), ("cached_tokens", "cached")];
    let known = names.iter().filter_map(|(to, from)| Some(((*to).to_owned(), tokens(event, from)?.into())));
    Value::Object(known.collect())
}

/// The whole event, but for what the step says itself: `{"$step":"/message"}`. From this it can be imported again.
fn origin(event: &Event, answer: Option<&Event>, step: &Map<String, Value>) -> Value {
    let mut origin = whole(event, step);
    if let (Some(answer), Value::Object(origin)) = (answer, &mut origin) {
        origin.insert("answer".to_owned(), whole(answer, step));
    }
    origin
}

/// Header fields that only the store that has them can say.
const OWN: [&str; 5] = ["origin", "key", "redacted", "store", "src"];
/// Where a step may say what a member of its event says.
const PLACES: [&str; 4] =
    ["/message", "/reasoning_content", "/tool_calls/0/arguments", "/observation/results/0/content"];

fn whole(event: &Event, step: &Map<String, Value>) -> Value {
    let step = Value::Object(step.clone());
    let said = |value: &Value| PLACES.iter().find(|place| step.pointer(place) == Some(value));
    let member = |(name, value): (&str, &Value)| {
        let pointer = said(value).map(|place| json!({ "$step": place }));
        (name.to_owned(), pointer.unwrap_or_else(|| value.clone()))
    };
    let data: Map<String, Value> =
        event.data.iter().filter(|(name, _)| *name != "redactions").map(member).collect();
    let header = event.header.iter().filter(|(name, _)| !OWN.contains(name));
    let header: Map<String, Value> = header.map(|(name, value)| (name.to_owned(), value.clone())).collect();
    let mut whole = json!({"event": event.name(), "hash": event.hash, "kind": event.kind.as_str()});
    whole["key"] = event.text("key").into();
    whole["header"] = header.into();
    whole["data"] = data.into();
    if let Value::Object(members) = &mut whole {
        members.retain(|_, value| !value.is_null());
    }
    whole
}
