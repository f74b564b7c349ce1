//! Calls of models, and what was said in them.

use event::Draft;
use serde_json::{Map, Value, json};

use super::Log;
use super::events::Note;
use super::sample::{Sample, note_attachments};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::speech::{self, Message, Part};
use crate::{Keys, time};

/// No call of a model has more messages.
const LONGEST: usize = 100_000;

impl Log {
    /// What was new in the question, the call, the answer.
    pub(super) fn model(&mut self, sample: &mut Sample, note: &mut Note, keys: &dyn Keys) -> Vec<Draft> {
        let mut input = note.fields.remove("input").unwrap_or_default();
        if let Some(refs) = note.fields.get("input_refs").filter(|refs| !refs.is_null()).cloned() {
            let found = pooled(sample, &refs);
            input = if found.is_empty() { input } else { found.into() };
        }
        let mut rest = Map::new();
        let stamp = note.stamp.clone();
        let mut drafts = self.say(sample, &stamp, input, "input", &mut rest, keys);
        let last = std::mem::take(&mut sample.last);
        let mut output = note.fields.take_object("output").unwrap_or_default();
        let choices = match output.remove("choices") {
            Some(Value::Array(choices)) => choices,
            _ => Vec::new(),
        };
        let stop = choices.first().and_then(|choice| choice.get("stop_reason")?.as_str()).map(str::to_owned);
        let model = output.text("model").or_else(|| note.fields.text("model")).map(str::to_owned);
        let error = ["error"].iter().find_map(|name| note.fields.text(name).or_else(|| output.text(name)));
        let error = error.filter(|error| !error.is_empty()).map(str::to_owned);
        let kind = if error.is_some() { "model.failed" } else { "model.called" };
        let stamp = Stamp { model, ..stamp };
        let duration = note.duration_ms();
        let draft = sample
            .draft(&stamp, kind)
            .key(note.base.clone())
            .with("stop", stop)
            .with("duration_ms", duration);
        let draft = draft.with("usage", output.get("usage").map(usage).unwrap_or_default());
        let params = note
            .fields
            .remove("config")
            .filter(|config| config.as_object().is_some_and(|map| !map.is_empty()));
        let draft = if error.is_some() {
            draft.data("message", error)
        } else {
            draft.data("params", params.unwrap_or_default())
        };
        let place = drafts.len();
        drafts.push(draft);
        let mut answers = Vec::new();
        let mut others = Vec::new();
        for choice in choices {
            let Value::Object(mut choice) = choice else { continue };
            answers.extend(choice.remove("message"));
            others.push(Value::Object(choice));
        }
        output.insert("choices".to_owned(), others.into());
        let spoken = answers.first().map(|answer| speech::read(sample.peek(answer), "assistant"));
        let spoken = spoken.and_then(|messages| messages.first().map(Message::text));
        if output.get("completion").map(|text| sample.peek(text)) == spoken.map(Value::from) {
            output.insert("completion".to_owned(), json!({"$same": format!("{}:output", note.base)}));
        }
        let ended = note.fields.get("completed").and_then(time::at);
        let stamp = Stamp { at: ended.or(stamp.at.clone()), ..stamp };
        drafts.extend(self.say_behind(sample, &stamp, answers.into(), ("output", &last), &mut rest, keys));
        note.fields.insert("output".to_owned(), Value::Object(output));
        pen::add_ext_member(&mut drafts[place], "messages", rest);
        drafts
    }

    /// Tells messages from the beginning, as far as they are new.
    pub(super) fn say(
        &mut self,
        sample: &mut Sample,
        stamp: &Stamp,
        messages: Value,
        name: &str,
        rest: &mut Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        self.say_behind(sample, stamp, messages, (name, ""), rest, keys)
    }

    fn say_behind(
        &mut self,
        sample: &mut Sample,
        stamp: &Stamp,
        messages: Value,
        (name, before): (&str, &str),
        rest: &mut Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let Value::Array(raw) = messages else { return Vec::new() };
        if raw.is_empty() {
            return Vec::new();
        }
        let plain: Vec<Value> = raw.iter().map(|message| sample.peek(message)).collect();
        let read: Vec<Message> = plain
            .into_iter()
            .map(|message| speech::read(message, "user").into_iter().next().unwrap_or_default())
            .collect();
        let places = self.history.place(&sample.session, before, &read, keys);
        let (mut drafts, mut variants, mut last) = (Vec::new(), Vec::new(), String::new());
        before.clone_into(&mut sample.last);
        for ((raw, message), place) in raw.into_iter().zip(read).zip(places) {
            let mut told = Vec::new();
            if !place.known {
                told = message_drafts(sample, stamp, &message, &place.key);
            }
            if let Some(first) = told.first_mut() {
                let mut used = Vec::new();
                sample.tell(&raw, &mut used);
                note_attachments(first, used);
                let mut rest = message.rest.clone();
                if let Some(name) = &message.name {
                    rest.insert("name".to_owned(), name.as_str().into());
                }
                pen::add_ext(first, rest);
            } else if place.differs || !place.known {
                variants.push(raw.clone());
            }
            if !told.is_empty() && !sample.runs_as_called(&raw) {
                variants.push(raw);
            }
            drafts.extend(told);
            if !message.is_system() {
                last.clone_from(&place.key);
                sample.last.clone_from(&place.chain);
            }
        }
        let mut note = json!({"last": last});
        if !variants.is_empty() {
            note["variants"] = variants.into();
        }
        rest.insert(name.to_owned(), note);
        drafts
    }
}

/// The events of one message; what a tool's own event tells is left to it.
fn message_drafts(sample: &mut Sample, stamp: &Stamp, message: &Message, key: &str) -> Vec<Draft> {
    let (mut drafts, mut others) = (Vec::new(), Vec::new());
    let told =
        |call: Option<&String>, sample: &Sample| call.is_some_and(|call| sample.calls.contains_key(call));
    for (number, part) in message.parts.iter().enumerate() {
        let key = format!("{key}.{number}");
        let (draft, rest) = match part {
            Part::Text { text, rest } if message.is_system() => {
                let draft = sample.draft(stamp, "context.injected").with("source", message.role.as_str());
                (draft.data("text", text.as_str()), rest)
            }
            Part::Text { text, rest } => {
                let draft = sample.draft(stamp, "message.recorded").with("role", message.role.as_str());
                (draft.data("text", text.as_str()), rest)
            }
            Part::Reasoning { text, form, rest } => {
                let draft = sample.draft(stamp, "reasoning.recorded").with("form", *form);
                (draft.data("text", text.as_str()), rest)
            }
            Part::Call { id, .. } | Part::Response { id, .. } if told(id.as_ref(), sample) => continue,
            Part::Call { id, name, arguments, rest } => {
                let draft = sample
                    .draft(stamp, "skill.invoked")
                    .with("skill", name.as_str())
                    .with("call", id.clone());
                if let Some(id) = id {
                    sample.tools.insert(id.clone(), name.clone());
                }
                (draft.data("input", arguments.clone()), rest)
            }
            Part::Response { id, name, value, failed, rest } => {
                let skill = name.clone().or_else(|| sample.tools.get(id.as_ref()?).cloned());
                let draft =
                    sample.draft(stamp, "skill.returned").with("skill", skill).with("call", id.clone());
                let status = if *failed { "error" } else { "ok" };
                (draft.with("status", status).data("output", value.clone()), rest)
            }
            Part::Other(value) => {
                others.push(value.clone());
                continue;
            }
        };
        let mut draft = draft.key(key);
        pen::add_ext_member(&mut draft, "part", rest.clone());
        drafts.push(draft);
    }
    if drafts.is_empty() && !others.is_empty() {
        let draft =
            sample.draft(stamp, "message.recorded").with("role", message.role.as_str()).data("text", "");
        drafts.push(draft.key(format!("{key}.0")));
    }
    if let (Some(first), false) = (drafts.first_mut(), others.is_empty()) {
        pen::add_ext(first, Map::from_iter([("parts".to_owned(), others.into())]));
    }
    drafts
}

impl Sample {
    /// True if the events that ran a message's calls say all that the message says of them.
    fn runs_as_called(&self, raw: &Value) -> bool {
        let Some(calls) = raw.get("tool_calls").and_then(Value::as_array) else { return true };
        let says = |call: &Value| {
            let call = call.as_object()?;
            let Some(run) = self.calls.get(call.text("id")?) else { return Some(true) };
            Some(call.iter().all(|(name, value)| run.get(name) == Some(value)))
        };
        calls.iter().all(|call| says(call).unwrap_or(true))
    }
}

/// Messages by their places in the pool: numbers, or ranges of them.
fn pooled(sample: &mut Sample, refs: &Value) -> Vec<Value> {
    let Some(refs) = refs.as_array() else { return Vec::new() };
    let number = |value: &Value| value.as_u64().and_then(|number| usize::try_from(number).ok());
    let last = sample.pool.len();
    let places = |item: &Value| match item {
        Value::Array(range) => Some((number(range.first()?)?, number(range.get(1)?)?.min(last))),
        item => number(item).map(|place| (place, (place + 1).min(last))),
    };
    let places: Vec<usize> =
        refs.iter().filter_map(places).flat_map(|(from, to)| from..to).take(LONGEST).collect();
    let found = places.iter().filter_map(|place| sample.pool.get(*place).cloned()).collect();
    sample.pooled.extend(places);
    found
}

/// Tokens in the house's units: where the whole tells that the cache was counted beside the input, it is added.
fn usage(usage: &Value) -> Value {
    let count = |name: &str| {
        usage.get(name).and_then(Value::as_i64).filter(|count| (0..1 << 50).contains(count)).unwrap_or(0)
    };
    let (input, output) = (count("input_tokens"), count("output_tokens"));
    let (read, written) = (count("input_tokens_cache_read"), count("input_tokens_cache_write"));
    let beside = read + written > 0 && count("total_tokens") >= input + output + read + written;
    let input = if beside { input + read + written } else { input };
    json!({"input": input, "output": output, "cached": read, "reasoning": count("reasoning_tokens")})
}
