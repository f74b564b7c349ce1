//! Tools: calls, and what they gave back.

use std::rc::Rc;

use event::Draft;
use serde_json::{Map, Value};

use super::{Rec, Rollout};
use crate::derive::{is_global, short};
use crate::json::{Parsed, parse};
use crate::members::TakeMembers;

/// A call that was made.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) skill: Rc<str>,
    /// The key of its `skill.invoked`, if that is not made of the call's id.
    key: Option<Box<str>>,
}

/// A tool of the provider has no name of its own in the record.
fn skill_of(kind: &str) -> &str {
    kind.strip_suffix("_call").or_else(|| kind.strip_suffix("_output")).unwrap_or(kind)
}

impl Rollout {
    /// Maps a call or an output; `None` for a type that is neither.
    pub(super) fn tool(&mut self, rec: &mut Rec, kind: &str) -> Option<Vec<Draft>> {
        match kind {
            "image_generation_call" => {
                let mut drafts = vec![self.invoked(rec, kind)];
                drafts.push(self.returned(rec, kind, 1));
                Some(drafts)
            }
            kind if kind.ends_with("_call") => Some(vec![self.invoked(rec, kind)]),
            kind if kind.ends_with("_output") => Some(vec![self.returned(rec, kind, 0)]),
            _ => None,
        }
    }

    pub(super) fn invoked(&mut self, rec: &mut Rec, kind: &str) -> Draft {
        rec.stamp.model.clone_from(&self.model);
        let call = rec.payload.take_text("call_id").or_else(|| rec.payload.text("id").map(str::to_owned));
        let skill = rec.payload.take_text("name").unwrap_or_else(|| skill_of(kind).to_owned());
        let key = match &call {
            Some(call) if is_global(call) => format!("{call}.invoked"),
            _ => rec.key(0),
        };
        let input =
            ["arguments", "input", "action", "path"].iter().find_map(|name| rec.payload.remove(*name));
        let input = input.map(|input| read_arguments(input, &mut rec.payload));
        let own = call.as_ref().is_none_or(|call| !is_global(call)).then(|| key.as_str().into());
        let made = Call { skill: self.names.keep(&skill), key: own };
        self.calls.insert(short(call.as_ref().unwrap_or(&skill)), made);
        rec.stamp.draft("skill.invoked").key(key).with("skill", skill).with("call", call).data("input", input)
    }

    /// The tool of a call, and the key of its `skill.invoked`.
    pub(super) fn call(&self, call: &str) -> (Option<String>, Option<String>) {
        let made = self.calls.get(&short(call));
        let native = || is_global(call).then(|| format!("{call}.invoked"));
        let key = made.and_then(|made| made.key.as_deref()).map(str::to_owned).or_else(native);
        (made.map(|made| made.skill.to_string()), key)
    }

    pub(super) fn returned(&mut self, rec: &mut Rec, kind: &str, part: usize) -> Draft {
        let call = rec.payload.take_text("call_id").or_else(|| rec.payload.text("id").map(str::to_owned));
        let name = rec.payload.take_text("name");
        let (made, cause) = call.as_ref().or(name.as_ref()).map_or((None, None), |open| self.call(open));
        let global = call.as_ref().filter(|call| is_global(call));
        let key = global.map_or_else(|| rec.key(part), |call| format!("{call}.returned"));
        let named = || {
            (kind != "function_call_output" && kind != "custom_tool_call_output")
                .then(|| skill_of(kind).to_owned())
        };
        if let (Some(made), Some(name)) = (&made, &name)
            && made != name
        {
            rec.payload.insert("name".to_owned(), name.as_str().into());
        }
        let skill = made.or(name).or_else(named);
        let output = ["output", "tools", "result"].iter().find_map(|name| rec.payload.remove(*name));
        let found = read_output(output.unwrap_or_default(), &mut rec.payload);
        rec.stamp
            .draft("skill.returned")
            .key(key)
            .with("skill", skill)
            .with("call", call)
            .with("status", found.status)
            .with("exit", found.exit)
            .with("duration_ms", found.duration_ms)
            .with("cause", cause)
            .data("output", found.value)
    }
}

/// Arguments are an object in a string; anything else is marked, so that it can be told apart again.
fn read_arguments(input: Value, rest: &mut Map<String, Value>) -> Value {
    if let Value::String(text) = &input
        && text.trim_start().starts_with('{')
        && let Parsed::Value(object) = parse(text)
    {
        return object;
    }
    if !input.is_string() {
        rest.insert("arguments_form".to_owned(), "value".into());
    }
    input
}

/// An output, read as far as its shape is known.
pub(super) struct Output {
    pub(super) status: &'static str,
    pub(super) exit: Option<i64>,
    pub(super) duration_ms: Option<i64>,
    pub(super) value: Value,
}

/// Outputs are text, `{"output":…,"metadata":{"exit_code":…}}` as an object or in a string, or parts.
pub(super) fn read_output(output: Value, rest: &mut Map<String, Value>) -> Output {
    let (output, form) = unwrapped(output);
    let mut found = Output { status: "ok", exit: None, duration_ms: None, value: Value::Null };
    let mut succeeded = rest.get("success").and_then(Value::as_bool);
    match output {
        Value::Object(mut map) if map.contains_key("output") => {
            if let Some(Value::Object(metadata)) = map.get("metadata") {
                found.exit = metadata.count("exit_code");
                found.duration_ms = metadata.get("duration_seconds").and_then(Value::as_f64).and_then(millis);
            }
            succeeded = map.get("success").and_then(Value::as_bool).or(succeeded);
            found.value = map.remove("output").unwrap_or_default();
            if !map.is_empty() {
                rest.insert("output_beside".to_owned(), Value::Object(map));
            }
            rest.insert("output_form".to_owned(), form.into());
        }
        Value::Object(map) if map.contains_key("Err") => {
            succeeded = Some(false);
            found.value = Value::Object(map);
        }
        other => {
            succeeded = other.get("success").and_then(Value::as_bool).or(succeeded);
            found.value = other;
        }
    }
    let text = first_text(&found.value);
    found.exit = found.exit.or_else(|| exit_code(text));
    found.status = status(text, found.exit, succeeded);
    found
}

/// True for a text that begins as an object with this member.
fn begins_with_member(text: &str, name: &str) -> bool {
    let rest = text.trim_start().strip_prefix('{').map(str::trim_start);
    rest.and_then(|rest| rest.strip_prefix('"')?.strip_prefix(name)).is_some_and(|rest| rest.starts_with('"'))
}

/// Takes an object out of a string, if it has the shape that the tool writes.
fn unwrapped(output: Value) -> (Value, &'static str) {
    if let Value::String(text) = &output
        && ["output", "metadata", "success"].iter().any(|name| begins_with_member(text, name))
        && let Parsed::Value(object) = parse(text)
    {
        return (object, "string");
    }
    (output, "object")
}

#[allow(clippy::cast_possible_truncation, reason = "checked; fractions of a millisecond don't count")]
fn millis(seconds: f64) -> Option<i64> {
    (0.0..1e9).contains(&seconds).then(|| (seconds * 1e3).round() as i64)
}

/// `{"secs":1,"nanos":5000000}`, as events tell durations.
pub(super) fn duration_ms(value: Option<&Value>) -> Option<i64> {
    let duration = value?.as_object()?;
    let seconds = duration.count("secs").filter(|seconds| *seconds < 1_000_000_000)?;
    Some(seconds * 1000 + duration.count("nanos").unwrap_or(0) / 1_000_000)
}

fn first_text(output: &Value) -> &str {
    let text = match output {
        Value::Array(parts) => parts.iter().find_map(|part| part.get("text")?.as_str()),
        Value::Object(map) => map.text("text"),
        other => other.as_str(),
    };
    text.unwrap_or_default()
}

/// `Process exited with code 1`, `Exit code: 1`: only in the first lines, where the tool writes it.
fn exit_code(text: &str) -> Option<i64> {
    const WORDS: &[&str] = &["Process exited with code ", "Exit code: ", "exit code: "];
    let code =
        |line: &str| WORDS.iter().find_map(|word| line.strip_prefix(word)).map(str::trim).map(str::to_owned);
    text.lines().take(5).find_map(code)?.parse::<i32>().ok().map(i64::from)
}

fn status(text: &str, exit: Option<i64>, succeeded: Option<bool>) -> &'static str {
    let begins = |words: &[&str]| words.iter().any(|word| text.starts_with(word));
    if begins(&["aborted by user", "aborted", "command was interrupted"]) {
        return "interrupted";
    }
    if begins(&["rejected by user", "exec command rejected", "patch rejected"]) {
        return "denied";
    }
    if begins(&["command timed out"]) || exit == Some(124) {
        return "timeout";
    }
    let failed =
        begins(&["failed to parse function arguments", "unsupported call", "execution error", "err: "]);
    if failed || succeeded == Some(false) || exit.is_some_and(|exit| exit != 0) { "error" } else { "ok" }
}
