//! Calls of models: what was new in the question, the call with its usage, and the answer.

use event::Draft;
use serde_json::{Map, Value, json};

use super::names::{self, Class};
use super::telling::{Telling, Told, Work};
use super::{flat, plain};
use crate::Keys;
use crate::derive::short;
use crate::speech::{self, History, Message, Part, unwrapped};

/// Attributes that say how a model was called.
const PARAMETERS: &[&str] = &["gen_ai.request.", "llm.invocation_parameters", "ai.settings.", "llm.request."];

impl Telling {
    pub(super) fn chat(&mut self, work: &mut Work, keys: &dyn Keys) -> Told {
        let mut told = Told::default();
        let embedding = work.class == Class::Embedding;
        let asked = if embedding { Vec::new() } else { question(work) };
        let answered = if embedding { Vec::new() } else { answer(work) };
        let missing = asked.is_empty() && answered.is_empty() && !embedding;
        let (count, answers) = (asked.len(), answered.len());
        let mut said = self.say(work, asked, "", &Work::draft, keys);
        let (last, last_key) = (said.last.clone(), said.last_key.clone());
        told.now.append(&mut said.drafts);
        if count > 0 {
            said.note(work, "input", count);
        }
        // a question is nobody's model
        work.stamp.model = work.span.text(names::MODEL).map(str::to_owned);
        told.now.push(self.called_model(work, missing, answered.first()));
        without_repeats(work, "input.value", &last, &last_key);
        let mut said = self.say(work, answered, &last, &Work::ending, keys);
        told.later.append(&mut said.drafts);
        if answers > 0 {
            said.note(work, "output", answers);
        }
        told
    }

    fn called_model(&mut self, work: &mut Work, missing: bool, answer: Option<&Message>) -> Draft {
        let stop = stop(work).or_else(|| answer?.rest.get("finish_reason")?.as_str().map(str::to_owned));
        let error = work.span.error();
        let kind = if error.is_some() { "model.failed" } else { "model.called" };
        let draft = work
            .draft(kind)
            .key(work.base.clone())
            .with("duration_ms", work.duration_ms())
            .with("stop", stop);
        let draft = draft.with("usage", self.usage_once(work));
        let draft = if error.is_some() {
            draft.data("message", error)
        } else {
            draft.data("params", parameters(work))
        };
        if missing { draft.data("content_missing", true) } else { draft }
    }

    /// The usage, if nobody has counted this response yet.
    fn usage_once(&mut self, work: &Work) -> Value {
        let usage = usage(&work.span);
        let response =
            work.span.text(names::RESPONSE).map(|id| short(&format!("{}\n{id}", work.stamp.session)));
        let id = work.base.rsplit('.').next().unwrap_or_default();
        let twice = self.tree.is_within_chat(&work.trace, id)
            || response.is_some_and(|id| self.counted.contains(&id));
        if usage.is_null() || twice {
            return Value::Null;
        }
        self.counted.extend(response);
        usage
    }
}

/// A framework's own copy of the question, without the messages that were told.
fn without_repeats(work: &mut Work, name: &str, last: &str, last_key: &str) {
    let Some(value) = work.span.attributes.get(name) else { return };
    let copied = |list: &Value| {
        let messages = speech::read(list.clone(), "user");
        let whole = messages.iter().all(|message| !message.is_system() && message.rest.is_empty());
        whole && !last.is_empty() && History::last_chain(&work.scope, &messages) == last
    };
    let kept = match unwrapped(value.clone()) {
        Value::Object(mut map) if map.get("messages").is_some_and(|list| list.is_array() && copied(list)) => {
            map.insert("messages".to_owned(), json!({ "$same": last_key }));
            Value::Object(map)
        }
        list @ Value::Array(_) if copied(&list) => json!({ "$same": last_key }),
        _ => return,
    };
    work.span.attributes.insert(name.to_owned(), kept);
}

/// Why the model stopped.
fn stop(work: &Work) -> Option<String> {
    let value = names::STOP.iter().find_map(|name| work.span.attributes.get(*name))?;
    match unwrapped(value.clone()) {
        Value::Array(reasons) => reasons.first()?.as_str().map(str::to_owned),
        Value::String(reason) => Some(reason),
        _ => None,
    }
}

fn parameters(work: &mut Work) -> Map<String, Value> {
    let is_parameter = |name: &String| {
        PARAMETERS.iter().any(|start| name.starts_with(start)) && !names::MODEL.contains(&name.as_str())
    };
    let names: Vec<String> = work.span.attributes.keys().filter(|name| is_parameter(name)).cloned().collect();
    names.into_iter().filter_map(|name| Some((name.clone(), work.span.attributes.remove(&name)?))).collect()
}

/// Tokens in the house's units: input counts what came from the cache and what was written to it.
pub(super) fn usage(span: &super::Span) -> Value {
    let count = |names| span.count(names).filter(|count| (0..1 << 53).contains(count));
    let (input, output) = (count(names::INPUT_TOKENS), count(names::OUTPUT_TOKENS));
    if input.is_none() && output.is_none() {
        return Value::Null;
    }
    let (cached, written) =
        (count(names::CACHED_TOKENS).unwrap_or(0), count(names::WRITTEN_TOKENS).unwrap_or(0));
    let reasoning = count(names::REASONING_TOKENS).unwrap_or(0);
    let input = input.unwrap_or(0);
    // some count the cache beside the input; more of it than there was input gives them away
    let input = if cached.saturating_add(written) > input { input + cached + written } else { input };
    json!({"input": input, "output": output.unwrap_or(0), "cached": cached, "reasoning": reasoning})
}

/// What a model was asked: instructions first, then the history.
pub(super) fn question(work: &mut Work) -> Vec<Message> {
    let mut found = instructions(work);
    let own = found.len();
    for name in names::SAID {
        if found.len() == own
            && let Some(value) = work.span.attributes.remove(*name)
        {
            found.extend(speech::read(value, "user"));
        }
    }
    for prefix in names::SAID_PIECES {
        if found.len() == own {
            found.extend(pieces(work, prefix, "user"));
        }
    }
    if found.len() == own {
        found.extend(noted(work, |name| !name.ends_with("choice") && name != "gen_ai.content.completion"));
    }
    if found.len() == own && work.class == Class::Chat {
        found.extend(borrowed(work, names::INPUT, "user"));
    }
    found
}

/// What a model answered.
pub(super) fn answer(work: &mut Work) -> Vec<Message> {
    let mut found = Vec::new();
    for name in names::ANSWERED {
        if found.is_empty()
            && let Some(value) = work.span.attributes.remove(*name)
        {
            found.extend(speech::read(value, "assistant"));
        }
    }
    for prefix in names::ANSWERED_PIECES {
        if found.is_empty() {
            found.extend(pieces(work, prefix, "assistant"));
        }
    }
    if found.is_empty() {
        found.extend(vercel_answer(work));
    }
    if found.is_empty() {
        found.extend(noted(work, |name| name.ends_with("choice") || name == "gen_ai.content.completion"));
    }
    if found.is_empty() && work.class == Class::Chat {
        found.extend(borrowed(work, names::OUTPUT, "assistant"));
    }
    found
}

pub(super) fn instructions(work: &mut Work) -> Vec<Message> {
    work.take(names::INSTRUCTIONS).map(|value| speech::read(value, "system")).unwrap_or_default()
}

fn pieces(work: &mut Work, prefix: &str, role: &str) -> Vec<Message> {
    flat::take_list(&mut work.span.attributes, prefix)
        .map(|list| speech::read(list, role))
        .unwrap_or_default()
}

/// Messages that stand as events within the span, as older conventions have them.
fn noted(work: &mut Work, wanted: impl Fn(&str) -> bool) -> Vec<Message> {
    let is_message = |name: &str| {
        name.strip_prefix("gen_ai.").is_some_and(|rest| {
            rest == "choice"
                || rest.ends_with(".message")
                || rest == "content.prompt"
                || rest == "content.completion"
        })
    };
    let mut found = Vec::new();
    for event in work.span.events.iter_mut().filter(|event| is_message(&event.name) && wanted(&event.name)) {
        let attributes = std::mem::take(&mut event.attributes);
        found.extend(event_messages(&event.name, attributes));
    }
    found
}

/// The messages of one event: `gen_ai.user.message`, `gen_ai.choice`, `gen_ai.content.prompt`.
pub(super) fn event_messages(name: &str, mut fields: Map<String, Value>) -> Vec<Message> {
    let role = match name {
        "gen_ai.choice" | "gen_ai.content.completion" => "assistant",
        _ => name.strip_prefix("gen_ai.").and_then(|rest| rest.strip_suffix(".message")).unwrap_or("user"),
    };
    for whole in ["gen_ai.prompt", "gen_ai.completion"] {
        if let Some(value) = fields.remove(whole) {
            return speech::read(value, role);
        }
    }
    if role == "tool"
        && let Some(id) = fields.remove("id")
    {
        fields.insert("tool_call_id".to_owned(), id);
    }
    if fields.get("message").is_none_or(|message| !message.is_object()) {
        fields.entry("role").or_insert_with(|| role.into());
        fields.entry("content").or_insert(Value::Null);
    }
    for list in ["tool_calls", "message", "content"] {
        if let Some(value) = fields.get_mut(list) {
            let inner = unwrapped(value.take());
            *value = inner;
        }
    }
    speech::read(Value::Object(fields), role)
}

fn vercel_answer(work: &mut Work) -> Vec<Message> {
    let mut parts = Vec::new();
    for (name, kind) in
        [("ai.response.reasoning", "reasoning"), ("ai.response.text", "text"), ("ai.response.object", "text")]
    {
        if let Some(Value::String(text)) = plain::take(&mut work.span.attributes, &[name]) {
            parts.push(match kind {
                "text" => Part::Text { text, rest: Map::new() },
                _ => Part::Reasoning { text, form: "full", rest: Map::new() },
            });
        }
    }
    if let Some(calls) = work.span.attributes.remove("ai.response.toolCalls") {
        let calls = match unwrapped(calls) {
            Value::Array(calls) => calls,
            other => vec![other],
        };
        parts.extend(calls.into_iter().map(speech::call));
    }
    if parts.is_empty() { Vec::new() } else { vec![Message::new("assistant", parts)] }
}

/// A framework's copy of what went in or came out, if nothing better is there.
fn borrowed(work: &mut Work, names: names::Names, role: &str) -> Vec<Message> {
    work.take(names).map(|value| speech::read(value, role)).unwrap_or_default()
}

/// What an agent or a loop says of the whole conversation.
impl Telling {
    pub(super) fn conversation(&mut self, work: &mut Work, keys: &dyn Keys) -> Told {
        let mut told = Told::default();
        let asked = question(work);
        let count = asked.len();
        let mut said = self.say(work, asked, "", &Work::draft, keys);
        let last = said.last.clone();
        told.now.append(&mut said.drafts);
        if count > 0 {
            said.note(work, "input", count);
        }
        self.refer_to_history(work, keys);
        let id = work.base.rsplit('.').next().unwrap_or_default();
        if self.tree.is_spoken_below(&work.trace, id) {
            return told;
        }
        let answered = answer(work);
        if !answered.is_empty() {
            let count = answered.len();
            let mut said = self.say(work, answered, &last, &Work::ending, keys);
            told.later.append(&mut said.drafts);
            said.note(work, "output", count);
        }
        told
    }

    /// A framework tells the whole history once more when an agent is through: that is a part of its own.
    fn refer_to_history(&self, work: &mut Work, keys: &dyn Keys) {
        for name in names::HISTORY {
            if let Some(value) = work.span.attributes.get_mut(*name) {
                let messages = speech::read(value.take(), "user");
                *value = json!({ "$same": self.history.last_key(&work.scope, &messages, keys), "count": messages.len() });
            }
        }
    }

    /// What of such a history nobody has told.
    pub(super) fn retold(&mut self, work: &mut Work, keys: &dyn Keys) -> Vec<Draft> {
        let Some(value) = work.take(names::HISTORY) else { return Vec::new() };
        let told = speech::read(value, "user");
        let count = told.len();
        let mut said = self.say(work, told, "", &Work::draft, keys);
        let mut drafts = std::mem::take(&mut said.drafts);
        if said.has_variants() {
            said.note(work, "all", count);
            let draft =
                work.draft("state.changed").with("what", "history").key(format!("{}.history", work.base));
            drafts.push(draft.data("body", Value::Object(std::mem::take(&mut work.ext))));
        }
        drafts
    }
}
