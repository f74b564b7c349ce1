//! What every kind of event knows without a mapping saying so: its time, how a call ended, how much of a
//! thought there is, whether anybody typed a text.

use event::Kind;
use serde_json::{Map, Value};

use super::apply::{Reading, plain};
use super::emit::Said;
use super::source::begins;
use crate::time;

/// What every event of a kind knows without a mapping saying so; gives its key.
pub(super) fn complete(reading: &mut Reading, kind: &Kind, said: &mut Said, own: String) -> String {
    stamp(said);
    match kind.as_str() {
        "skill.invoked" => {
            let (call, skill) = (text(&said.header, "call"), text(&said.header, "skill"));
            let key = reading.calls.invoked(&reading.scope(), call.as_deref(), skill.as_deref(), &own);
            match call {
                Some(call) => reading.call_is(&call, &key),
                None => drop(said.header.insert("call".to_owned(), key.as_str().into())),
            }
            key
        }
        "skill.returned" => {
            let (call, skill) = (text(&said.header, "call"), text(&said.header, "skill"));
            let answered = reading.calls.returned(&reading.scope(), call.as_deref(), skill.as_deref());
            status(said);
            let skill = answered.skill.or_else(|| plain(said.words.get("unnamed")?));
            if let (Some(skill), false) = (skill, said.header.contains_key("skill")) {
                said.header.insert("skill".to_owned(), skill.into());
            }
            if let Some(cause) = answered.cause {
                if answered.key.is_none() {
                    said.header.insert("call".to_owned(), cause.as_str().into());
                    said.told.retain(|told| told.member != "@call");
                }
                said.header.insert("cause".to_owned(), cause.into());
            }
            answered.key.unwrap_or(own)
        }
        "reasoning.recorded" => {
            form(said);
            own
        }
        "context.injected" => {
            said.header.entry("source").or_insert_with(|| "system".into());
            own
        }
        "message.recorded" => {
            injected(reading, said);
            own
        }
        _ => own,
    }
}

fn text(map: &Map<String, Value>, name: &str) -> Option<String> {
    map.get(name)?.as_str().map(str::to_owned)
}

/// The time of the event, if it can be read.
fn stamp(said: &mut Said) {
    if let Some(at) = said.words.remove("time").and_then(|time| time::at(&time)) {
        said.header.insert("at".to_owned(), at.into());
    }
}

/// How a call ended: what it says itself counts less than an exit code that is not zero.
fn status(said: &mut Said) {
    let flag = |name: &str| said.words.get(name).and_then(Value::as_bool);
    let given = text(&said.header, "status");
    let exit = said.header.get("exit").and_then(Value::as_i64);
    let failed = flag("failed") == Some(true) || flag("ok") == Some(false);
    let failed = failed || said.data.get("error").is_some_and(|error| !error.is_null());
    let status = match given.as_deref() {
        Some(given) if given != "ok" && given != "unknown" => given,
        _ if exit.is_some_and(|code| code != 0) || failed => "error",
        Some(given) => given,
        None if exit.is_some() || said.words.contains_key("failed") || said.words.contains_key("ok") => "ok",
        None => "unknown",
    };
    let status = Value::from(status);
    said.header.insert("status".to_owned(), status);
}

/// How much of a thought there is. An empty one says that it was withheld, not that there was none.
fn form(said: &mut Said) {
    let there = match said.data.get("text") {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(_) => true,
        None => false,
    };
    let opaque = said.words.get("opaque").is_some_and(|opaque| !opaque.is_null() && opaque != "");
    let form = match (there, opaque) {
        (true, _) => {
            said.header.entry("form").or_insert_with(|| "full".into());
            return;
        }
        (false, true) => "encrypted",
        (false, false) => "empty",
    };
    said.data.remove("text");
    said.header.insert("form".to_owned(), form.into());
}

/// A text in the user's mouth that nobody typed.
fn injected(reading: &Reading, said: &mut Said) {
    let given = said.header.get("injected").and_then(Value::as_bool);
    if given == Some(false) {
        said.header.remove("injected");
    }
    let user = said.header.get("role").is_none_or(|role| role == "user");
    let text = said.data.get("text").and_then(Value::as_str).unwrap_or_default();
    if given.is_none() && user && begins(text, &reading.mapping.injected) {
        said.header.insert("injected".to_owned(), true.into());
    }
}
