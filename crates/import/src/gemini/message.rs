//! One message: what the model was asked for, thoughts, text, calls.

use event::Draft;
use serde_json::{Map, Value, json};

use super::Chat;
use crate::derive::{self, short};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp, revisable};
use crate::{Keys, time};

/// Behind this the tool has put the content of files that the person named.
const REFERENCED: &str = "--- Content from referenced files ---";
/// What the tool says to the model in the person's name.
const INJECTED: &[&str] =
    &["<session_context>", "<state_snapshot>", "This is the Gemini CLI.", "<hook_context>"];

/// The text that a person typed, of a message in a file's head.
pub(super) fn typed(message: &Map<String, Value>) -> Option<String> {
    if message.text("type") != Some("user") {
        return None;
    }
    let shown = message.get("displayContent").filter(|shown| !shown.is_null());
    let text = match shown.or_else(|| message.get("content"))? {
        Value::Array(parts) => parts.iter().find_map(|part| part.get("text")?.as_str())?,
        other => other.as_str()?,
    };
    let told = !text.trim().is_empty() && !is_injected(text);
    told.then(|| text.to_owned())
}

fn is_injected(text: &str) -> bool {
    INJECTED.iter().any(|start| text.trim_start().starts_with(start))
}

impl Chat {
    pub(super) fn message(&mut self, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        let id = match fields.text("id") {
            Some(id) => derive::id(keys, id),
            None => derive::once(keys, &Value::Object(fields.clone()).to_string()),
        };
        let base = format!("{}.{id}", self.base);
        let mut stamp = self.stamp(time::take_at(&mut fields, "timestamp"), self.live.before(&id));
        let kind = fields.take_text("type").unwrap_or_default();
        let answers = matches!(kind.as_str(), "gemini" | "model");
        if answers {
            stamp.model = fields.take_text("model");
        }
        // where nothing is told of the model, what came of it tells enough
        let called = (answers && (stamp.model.is_some() || fields.contains_key("tokens")))
            .then(|| called(&stamp, &base, &fields));
        let is_called = called.is_some();
        let mut drafts: Vec<Draft> = called.into_iter().collect();
        drafts.extend(thoughts(&stamp, &base, &mut fields));
        drafts.extend(content(&stamp, &base, &kind, &mut fields));
        drafts.extend(self.calls(&stamp, &base, &mut fields, keys));
        if drafts.is_empty() {
            drafts.push(said(&stamp, &kind).key(format!("{base}.c")));
        }
        if kind != (if is_called { "gemini" } else { "user" }) {
            fields.insert("type".to_owned(), kind.into());
        }
        pen::add_ext(&mut drafts[0], fields);
        let first = drafts[0].key.clone().unwrap_or_default();
        if is_called {
            let cause = first.as_str();
            drafts[1..].iter_mut().filter(|draft| !draft.header.contains_key("cause")).for_each(|draft| {
                draft.header.insert("cause".to_owned(), cause.into());
            });
        }
        if stamp.at.is_some() {
            self.last_at.clone_from(&stamp.at);
        }
        self.seen.insert(short(&id));
        self.live.add(&id, first);
        drafts.into_iter().map(revisable).collect()
    }
}

/// `model.called`: each answer is one response of the model.
fn called(stamp: &Stamp, base: &str, fields: &Map<String, Value>) -> Draft {
    let tokens = fields.get("tokens").and_then(Value::as_object);
    stamp.draft("model.called").key(format!("{base}.m")).with("usage", tokens.map_or(Value::Null, usage))
}

/// The tool counts thoughts beside the output, and what its own tools put in beside the input.
fn usage(tokens: &Map<String, Value>) -> Value {
    // two of them together must still fit into a header
    let count = |name: &str| tokens.count(name).filter(|count| (0..1 << 52).contains(count)).unwrap_or(0);
    let thoughts = count("thoughts");
    let mut usage = json!({
        "input": count("input") + count("tool"),
        "output": count("output") + thoughts,
        "cached": count("cached"),
    });
    if thoughts > 0 {
        usage["reasoning"] = thoughts.into();
    }
    usage
}

/// Thoughts are summaries: a subject and a description. A list with anything else in it stays as it is.
fn thoughts(stamp: &Stamp, base: &str, fields: &mut Map<String, Value>) -> Vec<Draft> {
    let thought = |(part, value): (usize, Value)| {
        let Value::Object(mut thought) = value else { unreachable!("only objects are taken") };
        let at = time::take_at_or(&mut thought, "timestamp", stamp.at.as_ref());
        let stamp = Stamp { at, ..stamp.clone() };
        let text = thought_text(&mut thought);
        let form = if text.is_empty() { "empty" } else { "summary" };
        let draft = stamp.draft("reasoning.recorded").key(format!("{base}.t{part}"));
        let mut draft = draft.with("form", form).data("text", text);
        pen::add_ext(&mut draft, thought);
        draft
    };
    take_objects(fields, "thoughts").into_iter().enumerate().map(thought).collect()
}

/// The subject is the first line.
fn thought_text(thought: &mut Map<String, Value>) -> String {
    let subject = thought.text("subject").filter(|subject| !subject.contains('\n')).map(str::to_owned);
    let description = thought.take_text("description");
    match (subject, description) {
        (Some(subject), Some(description)) => {
            thought.remove("subject");
            format!("{subject}\n{description}")
        }
        (Some(subject), None) => {
            thought.remove("subject");
            thought.insert("only".to_owned(), "subject".into());
            subject
        }
        (None, Some(description)) => {
            thought.insert("only".to_owned(), "description".into());
            description
        }
        (None, None) => String::new(),
    }
}

/// Takes a list of objects that is not empty; what else it is stays.
pub(super) fn take_objects(fields: &mut Map<String, Value>, name: &str) -> Vec<Value> {
    let list = fields.get(name).and_then(Value::as_array);
    if list.is_none_or(|list| list.is_empty() || !list.iter().all(Value::is_object)) {
        return Vec::new();
    }
    match fields.remove(name) {
        Some(Value::Array(list)) => list,
        _ => Vec::new(),
    }
}

/// Text, or a list of parts. Of each part that is told, what is left of it stays in the list.
fn content(stamp: &Stamp, base: &str, kind: &str, fields: &mut Map<String, Value>) -> Vec<Draft> {
    let name = if fields.contains_key("content") { "content" } else { "parts" };
    let draft = |part: usize| said(stamp, kind).key(format!("{base}.c{part}"));
    match fields.get(name) {
        // an answer of calls alone has no text
        Some(Value::String(text)) if text.is_empty() && matches!(kind, "gemini" | "model") => Vec::new(),
        Some(Value::String(_)) => {
            let text = fields.take_text(name).unwrap_or_default();
            if name == "parts" {
                fields.insert(name.to_owned(), "".into());
            }
            vec![told(draft(0), kind, text)]
        }
        Some(Value::Array(_)) => {
            let Some(Value::Array(mut parts)) = fields.remove(name) else { return Vec::new() };
            let shown = fields.get("displayContent").is_some_and(|shown| !shown.is_null());
            let (mut drafts, mut behind) = (Vec::new(), false);
            for (at, part) in parts.iter_mut().enumerate() {
                let Some(mut told) = self::part(draft(at), stamp, kind, part) else { continue };
                let text = told.data.get("text").and_then(Value::as_str).unwrap_or_default();
                behind |= text.trim() == REFERENCED || (shown && !drafts.is_empty());
                if behind && told.kind == *"message.recorded" {
                    told = told.with("injected", true);
                }
                drafts.push(told);
            }
            fields.insert(name.to_owned(), parts.into());
            drafts
        }
        _ => Vec::new(),
    }
}

/// What a part tells; what is left of the part stays in its place.
fn part(draft: Draft, stamp: &Stamp, kind: &str, part: &mut Value) -> Option<Draft> {
    if let Value::String(_) = part {
        let text = part.take();
        return Some(told(draft, kind, text.as_str().unwrap_or_default().to_owned()));
    }
    let fields = part.as_object_mut()?;
    let Some(text) = fields.take_text("text") else {
        // pictures, files, calls as the model's own history has them: the part as it is
        return Some(draft.data("body", std::mem::take(fields)));
    };
    if fields.flag("thought") {
        let thought = stamp.draft("reasoning.recorded").key(draft.key.clone().unwrap_or_default());
        return Some(thought.with("form", "summary").data("text", text));
    }
    Some(told(draft, kind, text))
}

/// Who speaks.
fn said(stamp: &Stamp, kind: &str) -> Draft {
    let role = match kind {
        "user" => "user",
        "gemini" | "model" => "assistant",
        "error" => return stamp.draft("model.failed"),
        _ => "harness",
    };
    stamp.draft("message.recorded").with("role", role)
}

fn told(draft: Draft, kind: &str, text: String) -> Draft {
    let injected = kind == "user" && is_injected(&text);
    let draft = if injected { draft.with("injected", true) } else { draft };
    draft.data(if kind == "error" { "message" } else { "text" }, text)
}
