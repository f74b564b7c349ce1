//! What was said: by the person, by the model, and what it cost.

use event::Draft;
use serde_json::{Map, Value, json};

use super::{Log, Rec};
use crate::Keys;
use crate::json::{Parsed, parse};
use crate::members::TakeMembers;
use crate::same::Known;

/// True for a message that the program made in the person's name.
pub(super) fn is_made(data: &Map<String, Value>) -> bool {
    let source = data.text("source").is_some_and(|source| !matches!(source, "" | "user" | "human"));
    source || data.flag("isAutopilotContinuation")
}

pub(super) fn asked(rec: &mut Rec) -> Draft {
    let made = is_made(&rec.data);
    let draft = rec.draft("message.recorded", 0).with("role", "user");
    let draft = if made { draft.with("injected", true) } else { draft };
    let text = rec.data.take_text("content").map(Value::from);
    let mut known = Known::default();
    known.add_some("text", text.as_ref());
    rec.data.values_mut().for_each(|value| known.replace(value));
    draft.data("text", text)
}

pub(super) fn thought(rec: &mut Rec) -> Draft {
    let text = rec.data.take_text("content");
    let form = if text.as_deref().unwrap_or_default().is_empty() { "empty" } else { "full" };
    rec.draft("reasoning.recorded", 0).with("form", form).data("text", text)
}

/// What a response cost; some providers count what came from the cache beside the input.
pub(super) fn used(rec: &mut Rec) -> Draft {
    let count = |name: &str| rec.data.count(name).filter(|count| (0..1 << 50).contains(count));
    let (input, cached) = (count("inputTokens").unwrap_or(0), count("cacheReadTokens").unwrap_or(0));
    let input = if cached > input { input + cached + count("cacheWriteTokens").unwrap_or(0) } else { input };
    let mut usage = json!({"input": input, "output": count("outputTokens").unwrap_or(0), "cached": cached});
    if let Some(reasoning) = count("reasoningTokens").filter(|count| *count > 0) {
        usage["reasoning"] = reasoning.into();
    }
    rec.stamp.model = rec.data.text("model").map(str::to_owned);
    let took = ["duration", "durationMs"].iter().find_map(|name| rec.data.count(name));
    rec.draft("model.called", 0).with("usage", usage).with("duration_ms", took)
}

impl Log {
    /// A message of the model: the response, its thought, its text, the calls that it asks for.
    pub(super) fn answered(&mut self, rec: &mut Rec, keys: &dyn Keys) -> Vec<Draft> {
        rec.stamp.model = rec.data.text("model").map(str::to_owned).or_else(|| self.model.clone());
        let mut drafts = vec![self.response(rec)];
        drafts.extend(self.inner_thought(rec, keys));
        let text = rec.data.text("content").is_some_and(|text| !text.is_empty());
        if text {
            let said = rec.draft("message.recorded", 2).with("role", "assistant");
            drafts.push(said.data("text", rec.data.take_text("content")));
        }
        if let Some(Value::Array(calls)) = rec.data.get_mut("toolRequests") {
            let mut requests = std::mem::take(calls);
            for request in &mut requests {
                drafts.extend(self.requested(rec, request, keys));
            }
            rec.data.insert("toolRequests".to_owned(), requests.into());
        }
        let cause = drafts[0].key.clone().unwrap_or_default();
        for draft in &mut drafts[1..] {
            draft.header.insert("cause".to_owned(), cause.as_str().into());
        }
        drafts
    }

    /// A response that comes in pieces is counted with the first; and not at all where it is told what it cost.
    fn response(&self, rec: &Rec) -> Draft {
        let first = rec.data.count("chunkIndex").is_none_or(|index| index == 0);
        let output = rec.data.count("outputTokens").filter(|count| (1..1 << 50).contains(count));
        let output = output.filter(|_| first && !self.survey.counts_usage);
        let usage = output.map_or(Value::Null, |output| json!({"output": output}));
        rec.draft("model.called", 0).with("usage", usage)
    }

    fn inner_thought(&self, rec: &mut Rec, keys: &dyn Keys) -> Option<Draft> {
        let text = rec.data.text("reasoningText").filter(|text| !text.is_empty()).map(str::to_owned);
        if let Some(told) = text.as_ref().and_then(|text| self.survey.thought(text)) {
            // a record of its own has it
            let key = format!("{}.0", self.scoped(told, keys));
            rec.data.insert("reasoningText".to_owned(), json!({"$event": key}));
            return None;
        }
        let sealed = ["reasoningOpaque", "encryptedContent"].iter().any(|name| rec.data.text(name).is_some());
        let draft = rec.draft("reasoning.recorded", 1);
        match text {
            Some(_) => Some(draft.with("form", "full").data("text", rec.data.take_text("reasoningText"))),
            None if sealed => Some(draft.with("form", "encrypted")),
            None => None,
        }
    }

    /// A call that a message asks for; what is left of the request stays in the message.
    fn requested(&self, rec: &Rec, request: &mut Value, keys: &dyn Keys) -> Option<Draft> {
        let fields = request.as_object_mut()?;
        let id = fields.text("toolCallId")?.to_owned();
        let input = arguments(fields);
        let draft = rec.stamp.draft("skill.invoked").key(format!("{}.invoked", self.scoped(&id, keys)));
        let draft = draft.with("skill", fields.take_text("name")).with("call", id);
        Some(draft.data("input", input))
    }
}

/// Arguments are an object, or one in a string; a string that would not be the same again stays beside it.
pub(super) fn arguments(fields: &mut Map<String, Value>) -> Option<Value> {
    let Some(Value::String(text)) = fields.get("arguments") else { return fields.take_value("arguments") };
    match parse(text) {
        Parsed::Value(object @ Value::Object(_)) => {
            let written = object.to_string();
            let same = written == *text;
            if same {
                fields.insert("arguments".to_owned(), json!({"$json": true}));
            }
            Some(object)
        }
        _ => fields.take_value("arguments"),
    }
}
