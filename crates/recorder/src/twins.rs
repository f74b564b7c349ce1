//! Twins without a shared id: what was said has none that a hook and a transcript both know, so its text is one.
//!
//! The id is keyed, like every key that is made of content: nobody can guess the text from it.

use event::Draft;
use serde_json::Value;

/// Hex digits of such an id.
const DIGITS: usize = 32;

/// The id of a text that was said in a session; `keyed` makes a keyed hash (hex) of its argument.
pub fn twin_of_text(session: &str, text: &str, keyed: &dyn Fn(&str) -> String) -> String {
    let text = typed(text);
    let mut hash = keyed(&format!("said\n{session}\n{}", text.trim().replace("\r\n", "\n")));
    hash.truncate(DIGITS);
    format!("text.{hash}")
}

/// The same for a thought, which may use the words of what was said.
fn twin_of_thought(session: &str, text: &str, keyed: &dyn Fn(&str) -> String) -> String {
    let mut hash = keyed(&format!("thought\n{session}\n{}", text.trim()));
    hash.truncate(DIGITS);
    format!("thought.{hash}")
}

/// Says what a hook would call the same: a message by its text, a turn by its id.
pub(crate) fn mark(draft: &mut Draft, session: &str, keyed: &dyn Fn(&str) -> String) {
    if draft.header.contains_key("twin") {
        return;
    }
    let word = |name: &str| draft.header.get(name).and_then(Value::as_str);
    let twin = match draft.kind.as_str() {
        "message.recorded" if matches!(word("role"), Some("user" | "assistant")) => {
            let text = draft.data.get("text").and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(|text| twin_of_text(session, text, keyed))
        }
        // no hook tells a thought, but a stream may, without an id
        "reasoning.recorded" if draft.key.as_ref().is_some_and(|key| key.contains("cc:")) => {
            let text = draft.data.get("text").and_then(Value::as_str);
            text.filter(|text| !text.is_empty()).map(|text| twin_of_thought(session, text, keyed))
        }
        "turn.started" => word("turn").map(|turn| format!("{turn}.started")),
        "turn.ended" => word("turn").map(|turn| format!("{turn}.ended")),
        _ => None,
    };
    if let Some(twin) = twin {
        draft.header.insert("twin".to_owned(), twin.into());
    }
}

/// What a person typed: a command stands in a transcript as `<command-name>/x</command-name>…`.
fn typed(text: &str) -> std::borrow::Cow<'_, str> {
    let between = |tag: &str| {
        let rest = text.split_once(&format!("<{tag}>"))?.1;
        Some(rest.split_once(&format!("</{tag}>"))?.0.trim())
    };
    match between("command-name") {
        Some(name) if text.trim_start().starts_with("<command-") => {
            format!("{name} {}", between("command-args").unwrap_or_default()).into()
        }
        _ => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(text: &str) -> String {
        twin_of_text("s", text, &|material| {
            material.bytes().map(|byte| format!("{byte:02x}")).rev().collect()
        })
    }

    #[test]
    fn the_same_words_have_the_same_id_however_they_are_written_down() {
        assert_eq!(id("fix it\r\nnow "), id("fix it\nnow"));
        let told = "<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>12</command-args>";
        assert_eq!(id(told), id("/review 12"));
        assert_ne!(id("fix it"), id("fix that"));
    }
}
