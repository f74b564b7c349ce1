//! Fingerprints: what two acts or errors have in common, whatever their numbers, hashes and times are.

use std::sync::LazyLock;

use event::Event;
use regex::Regex;
use serde_json::Value;

use crate::act;

const DIGITS: usize = 12;

static VARIABLE: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"(?x) \b0x[0-9a-f]+\b | \b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b | \d+(?:[.:,]\d+)* ").ok()
});

/// Text in lower case, without white space to speak of, with `#` for numbers and hashes.
pub(crate) fn normal(text: &str) -> String {
    let folded = text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ");
    match &*VARIABLE {
        Some(variable) => variable.replace_all(&folded, "#").into_owned(),
        None => folded,
    }
}

fn digest(parts: &[&str]) -> String {
    let mut text = blake3::hash(parts.join("\u{1f}").as_bytes()).to_hex().to_string();
    text.truncate(DIGITS);
    text
}

/// What an act has in common with others like it: role, kind, tool or phase, and its normalised arguments.
/// Of what is only said, the words do not count: no two attempts use the same.
pub(crate) fn of_act(event: &Event) -> Option<String> {
    act::deed(event)?;
    let header = |name: &str| event.text(name).unwrap_or_default();
    let what = [header("skill"), header("phase"), header("to"), header("op")].concat();
    Some(digest(&[act::role(event), event.kind.as_str(), &what, &arguments(event)]))
}

fn arguments(event: &Event) -> String {
    match event.kind.as_str() {
        "skill.invoked" => match act::command(event) {
            Some(command) => normal(command),
            None => event.data.get("input").map(|input| normal(&input.to_string())).unwrap_or_default(),
        },
        "file.changed" => act::paths(event).join(" "),
        _ => String::new(),
    }
}

/// The same act again: as [`of_act`], with every number and hash of its arguments. How a call is described
/// differs from time to time.
pub(crate) fn exact(event: &Event) -> Option<String> {
    act::deed(event)?;
    let header = |name: &str| event.text(name).unwrap_or_default();
    let input = match (act::command(event), event.data.get("input")) {
        (Some(command), _) => command.to_owned(),
        (None, input) => input.map(ToString::to_string).unwrap_or_default(),
    };
    let paths = act::paths(event).join(" ");
    Some(digest(&[act::actor(event), event.kind.as_str(), header("skill"), header("op"), &input, &paths]))
}

/// The first line of what an error says, if it says anything.
pub(crate) fn error_line(event: &Event) -> Option<&str> {
    let said = |text: &'_ str| !text.trim().is_empty();
    let told = ["message", "error", "output", "text"].iter().find_map(|name| act::member(event, name));
    let told = told.filter(|text| said(text));
    let list =
        ["summary", "body", "reason"].iter().filter_map(|name| event.data.get(name)).flat_map(|value| {
            value.as_str().into_iter().chain(value.as_array().into_iter().flatten().filter_map(Value::as_str))
        });
    let told = told.or_else(|| list.into_iter().find(|text| said(text)))?;
    told.lines().map(str::trim).find(|line| !line.is_empty())
}

/// What an error has in common with others like it: its own fingerprint if it has one, else that of its text.
/// Errors without a word are alike only if they are of one kind.
pub(crate) fn of_error(event: &Event) -> String {
    if let Some(own) = act::member(event, "fingerprint") {
        return own.to_owned();
    }
    let whose = event.text("skill").or_else(|| event.text("category"));
    match error_line(event) {
        Some(line) => digest(&[whose.unwrap_or_default(), &normal(line)]),
        None => digest(&[whose.unwrap_or(event.kind.as_str()), event.text("status").unwrap_or_default()]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::event;
    use serde_json::json;

    #[test]
    fn errors_without_a_message_are_told_apart_by_what_they_say_or_are() {
        let handed =
            |text: &str| event(0, "handoff.made", json!({"status": "FAIL"}), json!({"summary": [text]}));
        assert_eq!(error_line(&handed("\n contract 5/6 \nx")), Some("contract 5/6"));
        assert_ne!(of_error(&handed("contract failed")), of_error(&handed("no database")));
        let ended = event(0, "turn.ended", json!({"status": "error"}), json!({}));
        let called = event(
            0,
            "skill.returned",
            json!({"skill": "Bash", "status": "error"}),
            json!({"output": "", "ext": {"type": "string"}}),
        );
        assert_eq!((error_line(&ended), error_line(&called)), (None, None));
        assert_ne!(of_error(&ended), of_error(&called));
    }

    #[test]
    fn numbers_hashes_and_spaces_do_not_count() {
        assert_eq!(normal("Failed  in 3.2s at 0xdeadbeef"), normal("failed in 17s\nat 0x1"));
        let error =
            |text: &str| event(0, "error.raised", json!({"category": "logic"}), json!({"message": text}));
        assert_eq!(of_error(&error("line 12: boom")), of_error(&error("line 99: boom")));
        assert_ne!(of_error(&error("line 12: boom")), of_error(&error("line 12: bang")));
    }
}
