//! Fingerprints: what two acts or errors have in common, whatever their numbers, hashes and times are.

use std::sync::LazyLock;

use event::Event;
use regex::Regex;

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

/// What an error has in common with others like it: its own fingerprint if it has one, else that of its text.
pub(crate) fn of_error(event: &Event) -> String {
    if let Some(own) = act::member(event, "fingerprint") {
        return own.to_owned();
    }
    let told = ["message", "error", "output", "text"].iter().find_map(|name| act::member(event, name));
    let line = told.unwrap_or_default().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    digest(&[event.text("skill").or_else(|| event.text("category")).unwrap_or_default(), &normal(line)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::event;
    use serde_json::json;

    #[test]
    fn numbers_hashes_and_spaces_do_not_count() {
        assert_eq!(normal("Failed  in 3.2s at 0xdeadbeef"), normal("failed in 17s\nat 0x1"));
        let error =
            |text: &str| event(0, "error.raised", json!({"category": "logic"}), json!({"message": text}));
        assert_eq!(of_error(&error("line 12: boom")), of_error(&error("line 99: boom")));
        assert_ne!(of_error(&error("line 12: boom")), of_error(&error("line 12: bang")));
    }
}
