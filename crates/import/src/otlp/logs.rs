//! Log records: the events of `GenAI` conventions, and those of agents that report as logs.
//!
//! ```text
//! gen_ai.user.message … gen_ai.choice                  one message each, the whole history for every call
//! gen_ai.client.inference.operation.details            a call of a model with all that was said
//! claude_code.* codex.* gemini_cli.*                   what the agent did, by the last word of its name
//! ```

use event::Draft;
use serde_json::{Map, Value, json};

use super::Shared;
use super::chat::{event_messages, usage};
use super::names::{self, Class};
use super::plain::{self, attributes, get, nanos, take};
use super::span::Span;
use super::telling::{Telling, Work, score};
use super::tools::plain_text;
use super::tree::Worker;
use crate::derive::short;
use crate::json::digest;
use crate::members::TakeMembers;
use crate::pen::Stamp;
use crate::{Keys, Mapped, pen, time};

const TIMES: &[&str] = &["timeUnixNano", "time_unix_nano", "observedTimeUnixNano", "observed_time_unix_nano"];

impl Telling {
    pub(super) fn log(&mut self, shared: Shared, mut log: Map<String, Value>, keys: &dyn Keys) -> Mapped {
        let hash = digest(&log, &["observedTimeUnixNano", "observed_time_unix_nano"]).to_hex();
        let found = take(&mut log, &["attributes"]).map(attributes).unwrap_or_default();
        let body = log.remove("body").map(|body| plain::any(body, 0)).unwrap_or_default();
        let when = TIMES.iter().find_map(|name| nanos(log.get(*name)?));
        let id = |names: &[&str], bytes| get(&log, names).and_then(|value| plain::id(value, bytes));
        let (trace, span) = (id(&["traceId", "trace_id"], 16), id(&["spanId", "span_id"], 8));
        let session = self.log_session(&found, &shared, trace.as_deref(), span.as_deref());
        let key = self.derived.next(keys, &format!("log\n{session}\n{hash}"));
        let mut worker = Worker::default();
        if let (Some(trace), Some(span)) = (&trace, &span) {
            worker = self.tree.worker(trace, span);
        }
        let parent = trace.as_ref().zip(span.as_ref()).map(|(trace, span)| self.start_key(trace, span, keys));
        let name = event_name(&log, &found, &body);
        let span =
            Span { name, id: span, start: when, end: when, attributes: found, rest: log, ..Span::default() };
        worker.name = worker.name.or_else(|| span.text(names::AGENT).map(str::to_owned));
        let stamp = Stamp {
            session,
            at: when.and_then(time::at_nanos),
            agent: worker.name.clone(),
            agent_id: worker.id.clone(),
            parent_agent: worker.parent.clone(),
            parent,
            model: span.text(names::MODEL).map(str::to_owned),
        };
        let scope = format!("{}\n{}", stamp.session, worker.name.as_deref().unwrap_or_default());
        let trace = trace.unwrap_or_default();
        let base = format!("otel:{key}");
        let ext = Map::new();
        let mut work = Work { span, class: Class::Chat, trace, base, stamp, worker, scope, group: None, ext };
        let mut drafts = self.pending.until(when.unwrap_or_default());
        drafts.extend(self.resource(&mut work, shared, keys));
        let mut told = self.logged(&mut work, body, keys);
        let first = told.iter().position(|draft| draft.kind != *"session.updated").unwrap_or_default();
        work.ext.insert("log".to_owned(), Value::Object(std::mem::take(&mut work.span.rest)));
        if !work.span.attributes.is_empty() {
            work.ext
                .insert("attributes".to_owned(), Value::Object(std::mem::take(&mut work.span.attributes)));
        }
        if let Some(draft) = told.get_mut(first) {
            pen::add_ext(draft, std::mem::take(&mut work.ext));
        }
        drafts.extend(told);
        if drafts.is_empty() { Mapped::Duplicate } else { Mapped::Events(drafts) }
    }

    fn log_session(
        &mut self,
        found: &Map<String, Value>,
        shared: &Shared,
        trace: Option<&str>,
        span: Option<&str>,
    ) -> String {
        let own = || names::conversation(found).or_else(|| shared.conversation());
        let of_trace = trace.and_then(|trace| self.tree.conversation(trace, span));
        of_trace.or_else(own).or_else(|| trace.map(str::to_owned)).unwrap_or_else(|| self.stem.clone())
    }

    fn logged(&mut self, work: &mut Work, body: Value, keys: &dyn Keys) -> Vec<Draft> {
        let name = work.span.name.clone();
        if name == "gen_ai.choice" || (name.starts_with("gen_ai.") && name.ends_with(".message")) {
            return self.logged_message(work, &name, body, keys);
        }
        let told = match name.as_str() {
            "gen_ai.client.inference.operation.details" => {
                let told = self.chat(work, keys);
                return told.now.into_iter().chain(told.later).collect();
            }
            "gen_ai.evaluation.result" => {
                vec![score(work.draft("score.given").key(work.base.clone()), &work.span.attributes)]
            }
            _ => self.agent_event(work, &name, keys),
        };
        if !body.is_null() && body.as_str() != Some(name.as_str()) {
            work.ext.insert("body".to_owned(), body);
        }
        told
    }

    /// One message of a history that stands in many records: it goes on where the record before ended.
    fn logged_message(&mut self, work: &mut Work, name: &str, body: Value, keys: &dyn Keys) -> Vec<Draft> {
        let mut fields = match body {
            Value::Object(map) => map,
            Value::Null => Map::new(),
            other => Map::from_iter([("content".to_owned(), other)]),
        };
        for member in ["content", "role", "tool_calls", "id", "name", "message", "finish_reason"] {
            if let Some(value) = work.span.attributes.remove(member) {
                fields.entry(member).or_insert(value);
            }
        }
        let exchange = short(&format!("{}\n{}", work.trace, work.span.id.as_deref().unwrap_or_default()));
        let before = self.chains.get(&exchange).cloned().unwrap_or_default();
        let messages = event_messages(name, fields);
        let count = messages.len();
        let mut said = self.say(work, messages, &before, &Work::draft, keys);
        self.chains.insert(exchange, said.last.clone());
        let drafts = std::mem::take(&mut said.drafts);
        said.note(work, "input", count);
        drafts
    }

    /// What an agent reports of itself.
    fn agent_event(&mut self, work: &mut Work, name: &str, keys: &dyn Keys) -> Vec<Draft> {
        let family = name.rsplit('.').next().unwrap_or_default();
        let codex = name.starts_with("codex.");
        let mut drafts = Vec::new();
        let draft = match family {
            "user_prompt" | "user_message" => {
                let text = take_text(work, &["prompt", "message", "text"]);
                drafts.extend(self.title(&work.stamp, text.as_deref().unwrap_or_default(), keys));
                said(work, "user", text)
            }
            "assistant_response" | "assistant_message" => {
                let text = take_text(work, &["response", "text", "message"]);
                said(work, "assistant", text)
            }
            "api_request" | "api_response" if !codex && usage(&work.span) != Value::Null => responded(work),
            "sse_event" | "api_response" if usage(&work.span) != Value::Null => responded(work),
            "api_error" => failed(work),
            "tool_result" | "tool_call" => {
                drafts.extend(tool(work, keys));
                return drafts;
            }
            "tool_decision" => decided(work),
            _ => logged(work, name),
        };
        drafts.push(draft.key(work.base.clone()));
        drafts
    }
}

/// What an event calls itself: its own member, an attribute, or its text.
fn event_name(log: &Map<String, Value>, found: &Map<String, Value>, body: &Value) -> String {
    let own = get(log, &["eventName", "event_name"]).and_then(Value::as_str).filter(|name| !name.is_empty());
    let named = found.text("event.name");
    // an agent's text is the longer one: `claude_code.tool_result` for `tool_result`
    let text = body.as_str().filter(|text| named.is_some_and(|name| text.ends_with(name)));
    own.or(text).or(named).or(body.as_str().filter(|text| text.len() < 80)).unwrap_or("log").to_owned()
}

fn take_text(work: &mut Work, names: &[&str]) -> Option<String> {
    names.iter().find_map(|name| work.span.attributes.take_text(name))
}

fn said(work: &Work, role: &str, text: Option<String>) -> Draft {
    let missing =
        text.as_deref().is_none_or(|text| text.is_empty() || text == "<REDACTED>" || text == "[REDACTED]");
    let draft = work.draft("message.recorded").with("role", role).data("text", text.unwrap_or_default());
    if missing { draft.data("content_missing", true) } else { draft }
}

fn millis(work: &Work) -> Option<i64> {
    work.span.count(&["duration_ms"])
}

fn responded(work: &Work) -> Draft {
    let mut usage = usage(&work.span);
    // Claude Code counts what the cache gave beside the input
    if work.span.name.starts_with("claude_code.") {
        let count = |names| work.span.count(names).unwrap_or(0);
        let all = count(names::INPUT_TOKENS) + count(names::CACHED_TOKENS) + count(names::WRITTEN_TOKENS);
        usage["input"] = json!(all);
    }
    let draft = work.draft("model.called").with("usage", usage).with("duration_ms", millis(work));
    draft.with("stop", work.span.text(&["finish_reason", "stop_reason"]))
}

fn failed(work: &Work) -> Draft {
    let message =
        work.span.text(&["error", "error.message", "error_message"]).unwrap_or(&work.span.name).to_owned();
    work.draft("model.failed").with("duration_ms", millis(work)).data("message", message)
}

/// A tool's result; where the event tells of the whole call, both.
fn tool(work: &mut Work, keys: &dyn Keys) -> Vec<Draft> {
    let skill = work.span.text(names::TOOL).unwrap_or("tool").to_owned();
    let call = work.span.text(names::CALL).map(str::to_owned);
    let truth = |name: &str| work.span.attributes.get(name).map(|value| *value == true || *value == "true");
    let status = match truth("success") {
        Some(true) => "ok",
        Some(false) => "error",
        None => "unknown",
    };
    let input = plain_text(work.take(names::ARGUMENTS));
    let error = work.span.text(&["error", "error.message"]).map(str::to_owned);
    let output = plain_text(work.take(names::RESULT));
    let (invoked, returned) = match &call {
        Some(call) => {
            let base = super::telling::call_key(keys, &work.stamp.session, call);
            (format!("{base}.invoked"), format!("{base}.returned"))
        }
        None => (format!("{}.invoked", work.base), work.base.clone()),
    };
    let asked = work
        .draft("skill.invoked")
        .key(invoked.clone())
        .with("skill", skill.as_str())
        .with("call", call.clone());
    let back = work.draft("skill.returned").key(returned).with("skill", skill).with("call", call);
    let back = back.with("status", status).with("duration_ms", millis(work)).with("cause", invoked);
    let missing = input.is_none() && output.is_none();
    let back = back.data("output", output.unwrap_or_default()).data("error", error);
    let back = if missing { back.data("content_missing", true) } else { back };
    vec![asked.data("input", input.unwrap_or_default()), back]
}

fn decided(work: &Work) -> Draft {
    let draft = work
        .draft("permission.decided")
        .with("skill", work.span.text(names::TOOL))
        .with("call", work.span.text(names::CALL));
    draft.with("decision", work.span.text(&["decision"])).data("reason", work.span.text(&["source"]))
}

/// An event about nothing we know.
fn logged(work: &Work, name: &str) -> Draft {
    let mut draft = work.draft("state.changed");
    draft.kind = event::Kind::known("x.log").unwrap_or(draft.kind);
    let severity =
        get(&work.span.rest, &["severityText", "severity_text"]).and_then(Value::as_str).map(str::to_owned);
    let exception = work.span.text(&["exception.message"]).map(str::to_owned);
    draft.data("name", name).data("severity", severity).data("error", exception)
}
