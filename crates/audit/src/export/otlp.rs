//! `otlp`: traces as OTLP/JSON, named by OpenTelemetry's conventions for generative AI.
//!
//! ```text
//! invoke_workflow <session>              the session: one trace
//! └─ invoke_agent <agent>                each agent, from its first event to its last
//!    ├─ execute_tool <skill>             a call and its return
//!    ├─ chat <model>                     a call of a model
//!    └─ events                           all else, at its time
//! ```
//! Ids are derived from the events: the same session gives the same trace.

use std::collections::BTreeMap;
use std::io::Write;

use event::{Event, SessionId};
use recorder::Store;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::atif::{answers, tokens};
use super::told::{main_text, text_of, told};
use super::{ExportError, Exporter};
use crate::tree::hex;

pub(super) struct Otlp;

const INTERNAL: u8 = 1;
const CLIENT: u8 = 3;

impl Exporter for Otlp {
    fn name(&self) -> &'static str {
        "otlp"
    }

    fn export(
        &self,
        store: &Store,
        session: &SessionId,
        until: u64,
        out: &mut dyn Write,
    ) -> Result<u64, ExportError> {
        let told = told(store, session, until)?;
        let name = store.original(session).unwrap_or_else(|| session.to_string());
        let trace = Trace { store: store.journal().store_id(), session, name: &name, events: &told.events };
        let document = json!({"resourceSpans": [{
            "resource": {"attributes": [
                text("service.name", "recount"),
                text("service.version", env!("CARGO_PKG_VERSION")),
                text("recount.store", trace.store),
            ]},
            "scopeSpans": [{
                "scope": {"name": "recount", "version": env!("CARGO_PKG_VERSION")},
                "spans": trace.spans(),
            }],
        }]});
        writeln!(out, "{document}")?;
        Ok(told.damaged)
    }
}

struct Trace<'a> {
    store: &'a str,
    session: &'a SessionId,
    name: &'a str,
    events: &'a [Event],
}

/// An agent by role and id.
type Agent = (String, String);

fn agent_of(event: &Event) -> Option<Agent> {
    let text = |name: &str| event.text(name).map(str::to_owned);
    let role = text("agent").or_else(|| text("agent_id"))?;
    Some((role, text("agent_id").unwrap_or_default()))
}

impl Trace<'_> {
    fn spans(&self) -> Vec<Value> {
        let mut agents: BTreeMap<Agent, Vec<&Event>> = BTreeMap::new();
        let mut own = Vec::new();
        for event in self.events {
            match agent_of(event) {
                Some(agent) => agents.entry(agent).or_default().push(event),
                None => own.push(event),
            }
        }
        let answers = answers(self.events);
        let mut spans = vec![self.workflow(&own)];
        for (agent, events) in &agents {
            spans.push(self.agent(agent, events, &answers));
            spans.extend(events.iter().filter_map(|event| self.call(agent, event, &answers)));
        }
        spans
    }

    fn id(&self, what: &str) -> String {
        let hash = Sha256::digest(format!("{}\n{}\n{what}", self.store, self.session));
        hex(&hash[..8])
    }

    fn span(&self, id: &str, parent: Option<&str>, name: &str, kind: u8, times: &(String, String)) -> Value {
        let trace = hex(&Sha256::digest(format!("{}\n{}", self.store, self.session))[..16]);
        let mut span = json!({
            "traceId": trace, "spanId": id, "name": name, "kind": kind,
            "startTimeUnixNano": times.0, "endTimeUnixNano": times.1,
        });
        if let Some(parent) = parent {
            span["parentSpanId"] = parent.into();
        }
        span
    }

    fn workflow(&self, events: &[&Event]) -> Value {
        let name = format!("invoke_workflow {}", self.name);
        let mut span = self.span(&self.id("session"), None, &name, INTERNAL, &times(self.events.iter()));
        span["attributes"] = json!([
            text("gen_ai.operation.name", "invoke_workflow"),
            text("gen_ai.workflow.name", self.name),
            text("gen_ai.conversation.id", self.name),
        ]);
        span["events"] = events.iter().map(|event| span_event(event)).collect();
        span
    }

    fn agent(&self, agent: &Agent, events: &[&Event], answers: &BTreeMap<u64, &Event>) -> Value {
        let (role, id) = agent;
        let (span_id, parent) = (self.id(&format!("agent {role} {id}")), self.id("session"));
        let name = format!("invoke_agent {role}");
        let mut span = self.span(&span_id, Some(&parent), &name, INTERNAL, &times(events.iter().copied()));
        let mut attributes = vec![
            text("gen_ai.operation.name", "invoke_agent"),
            text("gen_ai.agent.name", role),
            text("gen_ai.conversation.id", self.name),
        ];
        if !id.is_empty() {
            attributes.push(text("gen_ai.agent.id", id));
        }
        span["attributes"] = attributes.into();
        let answered: Vec<u64> = answers.values().map(|answer| answer.seq).collect();
        let rest = events.iter().filter(|event| !is_call(event) && !answered.contains(&event.seq));
        span["events"] = rest.map(|event| span_event(event)).collect();
        span
    }

    /// A call of a skill or a model as a span of its own.
    fn call(&self, agent: &Agent, event: &Event, answers: &BTreeMap<u64, &Event>) -> Option<Value> {
        let answer = answers.get(&event.seq).copied();
        let parent = self.id(&format!("agent {} {}", agent.0, agent.1));
        let (name, kind, mut attributes) = match event.kind.as_str() {
            "skill.invoked" => (format!("execute_tool {}", skill(event)), INTERNAL, tool(event, answer)),
            "model.called" | "model.failed" => {
                (format!("chat {}", event.text("model").unwrap_or("unknown")), CLIENT, model(event))
            }
            _ => return None,
        };
        attributes.push(text("gen_ai.conversation.id", self.name));
        attributes.push(text("gen_ai.agent.name", &agent.0));
        attributes.extend(links(event));
        let times = times([Some(event), answer].into_iter().flatten());
        let mut span = self.span(&event.hash[..16], Some(&parent), &name, kind, &lasting(event, times));
        let status = answer.unwrap_or(event).text("status");
        if event.kind.as_str() == "model.failed" || status.is_some_and(|status| status != "ok") {
            let what = status.unwrap_or("error");
            attributes.push(text("error.type", what));
            span["status"] = json!({"code": 2, "message": what});
        }
        span["attributes"] = attributes.into();
        Some(span)
    }
}

fn is_call(event: &Event) -> bool {
    matches!(event.kind.as_str(), "skill.invoked" | "model.called" | "model.failed")
}

fn skill(event: &Event) -> &str {
    event.text("skill").unwrap_or("unknown")
}

fn tool(event: &Event, answer: Option<&Event>) -> Vec<Value> {
    let mut attributes =
        vec![text("gen_ai.operation.name", "execute_tool"), text("gen_ai.tool.name", skill(event))];
    attributes.extend(event.text("call").map(|call| text("gen_ai.tool.call.id", call)));
    let input = event.data.get("input").map(ToString::to_string);
    attributes.extend(input.map(|input| text("gen_ai.tool.call.arguments", &input)));
    attributes.extend(answer.map(|answer| text("gen_ai.tool.call.result", &main_text(answer))));
    attributes
}

fn model(event: &Event) -> Vec<Value> {
    let mut attributes = vec![text("gen_ai.operation.name", "chat")];
    attributes.extend(event.text("model").map(|model| text("gen_ai.request.model", model)));
    let counts = [
        ("gen_ai.usage.input_tokens", "input"),
        ("gen_ai.usage.output_tokens", "output"),
        ("gen_ai.usage.cache_read.input_tokens", "cached"),
        ("gen_ai.usage.reasoning.output_tokens", "reasoning"),
    ];
    attributes.extend(counts.iter().filter_map(|(to, from)| Some(number(to, tokens(event, from)?))));
    let stop = event.text("stop");
    attributes.extend(stop.map(|stop| {
        json!({"key": "gen_ai.response.finish_reasons", "value": {"arrayValue": {"values": [{"stringValue": stop}]}}})
    }));
    attributes
}

/// What leads back to the journal.
fn links(event: &Event) -> Vec<Value> {
    let mut links = vec![
        text("recount.event", &event.name()),
        text("recount.hash", &event.hash),
        text("recount.kind", event.kind.as_str()),
    ];
    let fields = ["group", "phase", "cause"].iter().filter_map(|name| Some((*name, event.header.get(name)?)));
    links.extend(fields.map(|(name, value)| text(&format!("recount.{name}"), &text_of(value))));
    links
}

fn span_event(event: &Event) -> Value {
    let mut attributes = links(event);
    if let (Some(role), "message.recorded") = (event.text("role"), event.kind.as_str()) {
        let message = json!([{"role": role, "parts": [{"type": "text", "content": main_text(event)}]}]);
        let name = if role == "assistant" { "gen_ai.output.messages" } else { "gen_ai.input.messages" };
        attributes.push(text(name, &message.to_string()));
    } else if event.kind.as_str() == "reasoning.recorded" {
        let part =
            json!([{"role": "assistant", "parts": [{"type": "reasoning", "content": main_text(event)}]}]);
        attributes.push(text("gen_ai.output.messages", &part.to_string()));
    } else {
        attributes.extend(
            event.data.iter().map(|(name, value)| text(&format!("recount.data.{name}"), &text_of(value))),
        );
    }
    json!({"timeUnixNano": nanos(event.time()), "name": event.kind.as_str(), "attributes": attributes})
}

fn text(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

fn number(key: &str, value: u64) -> Value {
    json!({"key": key, "value": {"intValue": value.to_string()}})
}

/// The first and the last of their times; when something was only recorded counts where nobody says more.
fn times<'e>(events: impl Iterator<Item = &'e Event>) -> (String, String) {
    let events: Vec<&Event> = events.collect();
    let dated = events.iter().any(|event| event.text("at").is_some());
    let told = events.iter().filter(|event| !dated || event.text("at").is_some());
    let mut times: Vec<&str> = told.map(|event| event.time()).collect();
    times.sort_unstable();
    let of = |time: Option<&&str>| time.map_or_else(|| "0".to_owned(), |time| nanos(time));
    (of(times.first()), of(times.last()))
}

/// A call without a return lasted as long as it says.
fn lasting(event: &Event, (start, end): (String, String)) -> (String, String) {
    let duration = event.header.get("duration_ms").and_then(Value::as_u64);
    let longer = duration.and_then(|ms| Some((start.parse::<u64>().ok()? + ms * 1_000_000).to_string()));
    let end = longer.filter(|_| start == end).unwrap_or(end);
    (start, end)
}

/// Nanoseconds since 1970, as OTLP's JSON has them: a string.
fn nanos(time: &str) -> String {
    let micros = world::micros(time).unwrap_or(0);
    (i128::from(micros) * 1000).max(0).to_string()
}
