//! An event in one line: what a timeline shows of it.
//!
//! The text is recorded text: doors must make it harmless for the place where they show it.

use event::Event;
use serde_json::Value;

/// Members that say most, in this order, of a skill's input.
const TELLING: &[&str] = &[
    "command",
    "cmd",
    "file_path",
    "path",
    "notebook_path",
    "pattern",
    "query",
    "url",
    "skill",
    "description",
    "prompt",
    "text",
    "content",
];

/// One line about an event: what it is called, and what it says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// A word or two: phase, skill, role, status.
    pub label: String,
    /// The first words of its content, white space folded.
    pub text: String,
}

/// Sums an event up; `limit` is the most characters of text.
pub fn summary(event: &Event, limit: usize) -> Summary {
    let header = |name: &str| event.text(name).unwrap_or_default();
    let data = |name: &str| event.data.get(name).map_or_else(String::new, |v| brief(v, limit));
    let (label, text) = match event.kind.as_str() {
        "message.recorded" => (header("role").to_owned(), data("text")),
        "reasoning.recorded" => reasoning(event, limit),
        "skill.invoked" | "permission.asked" => (header("skill").to_owned(), data("input")),
        "skill.returned" => returned(event, limit),
        "skill.progressed" => (header("skill").to_owned(), data("text")),
        "handoff.made" => (
            format!("{} → {}", header("from"), header("to")),
            join(&[
                header("status"),
                &event.data.get("summary").map_or_else(|| data("body"), |v| lines(v, limit)),
            ]),
        ),
        "handoff.read" => (header("by").to_owned(), String::new()),
        "agent.spawned" => (join(&[header("agent"), header("agent_id")]), data("prompt")),
        "agent.stopped" => (header("status").to_owned(), data("result")),
        "model.called" => (header("model").to_owned(), usage(event)),
        "model.failed" => (header("model").to_owned(), data("message")),
        "session.linked" => {
            (header("rel").to_owned(), header("target").split('#').next().unwrap_or_default().to_owned())
        }
        "error.raised" => (header("category").to_owned(), data("message")),
        "turn.started" | "turn.ended" => (header("status").to_owned(), String::new()),
        "context.compacted" => (header("trigger").to_owned(), data("summary")),
        "context.rewound" => (String::new(), taken_back(event)),
        "context.injected" => (header("source").to_owned(), data("text")),
        "file.changed" | "file.snapshotted" => (header("op").to_owned(), first_text(event, limit)),
        "audit.recovered" => {
            (String::new(), format!("{} torn bytes kept as {}", number(event, "bytes"), data("file")))
        }
        "audit.erased" => (String::new(), format!("{} of {}", ordered(event), number(event, "target"))),
        "audit.swept" => (String::new(), format!("after {}", number(event, "target"))),
        _ => (header("status").to_owned(), first_text(event, limit)),
    };
    let erased = if event.erased.is_empty() { "" } else { "[erased]" };
    Summary { label, text: clip(&join(&[&text, erased]), limit) }
}

/// What an order erases, and why.
fn ordered(event: &Event) -> String {
    let order = event.data.get("order");
    let fields = order.and_then(|order| order.get("fields")?.as_array()).into_iter().flatten();
    let names: Vec<&str> = fields.filter_map(|field| field.get("field")?.as_str()).collect();
    let basis = order.and_then(|order| order.get("basis")?.as_str()).unwrap_or_default();
    format!("({basis}) {}", names.join(", "))
}

fn taken_back(event: &Event) -> String {
    match event.data.get("gone").and_then(Value::as_array).map(Vec::len) {
        None => "what came after was taken back".to_owned(),
        Some(1) => "1 message was taken back".to_owned(),
        Some(count) => format!("{count} messages were taken back"),
    }
}

fn reasoning(event: &Event, limit: usize) -> (String, String) {
    let text = event.data.get("text").map_or_else(String::new, |v| brief(v, limit));
    let label = event.text("phase").or(event.text("form")).unwrap_or("thinking").to_owned();
    match event.text("form") {
        Some("empty") if text.is_empty() => (label, "(thinking withheld by the provider)".to_owned()),
        Some("encrypted") if text.is_empty() => (label, "(thinking encrypted by the provider)".to_owned()),
        _ => (label, text),
    }
}

fn returned(event: &Event, limit: usize) -> (String, String) {
    let exit = event.header.get("exit").map_or_else(String::new, |exit| format!("exit {exit}"));
    let label =
        join(&[event.text("skill").unwrap_or_default(), event.text("status").unwrap_or_default(), &exit]);
    let content = event.data.get("error").or_else(|| event.data.get("output"));
    (label, content.map_or_else(String::new, |v| brief(v, limit)))
}

fn usage(event: &Event) -> String {
    let of = |name: &str| event.header.get("usage").and_then(|u| u.get(name)).and_then(Value::as_u64);
    match (of("input"), of("output")) {
        (Some(input), Some(output)) => format!("{input} tokens in, {output} out"),
        _ => String::new(),
    }
}

fn number(event: &Event, name: &str) -> u64 {
    event.header.get(name).and_then(Value::as_u64).unwrap_or_default()
}

fn join(parts: &[&str]) -> String {
    parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join(" ")
}

fn lines(value: &Value, limit: usize) -> String {
    match value.as_array() {
        Some(items) => items.iter().map(|item| brief(item, limit)).collect::<Vec<_>>().join(" | "),
        None => brief(value, limit),
    }
}

fn first_text(event: &Event, limit: usize) -> String {
    let named = ["title", "text", "message", "reason", "path", "cwd", "record", "body"];
    let value = named.iter().find_map(|name| event.data.get(name));
    // what a source says beyond its event comes last
    let other = || event.data.iter().find(|(name, _)| *name != "ext").or_else(|| event.data.iter().next());
    value.or_else(|| other().map(|(_, value)| value)).map_or_else(String::new, |v| brief(v, limit))
}

/// The first words of a value, on one line.
fn brief(value: &Value, limit: usize) -> String {
    match value {
        Value::String(text) => clip(text, limit),
        Value::Object(map) => match map.get("blob") {
            Some(_) => blob(value),
            None => match TELLING.iter().find_map(|name| map.get(*name).filter(|v| !v.is_null())) {
                Some(Value::Array(words)) => command_line(words, limit),
                Some(Value::String(word)) if !word.trim().contains(char::is_whitespace) => {
                    clip(&join(&[word, of_an_editor(map, word)]), limit)
                }
                Some(told) => brief(told, limit),
                None => clip(&value.to_string(), limit),
            },
        },
        Value::Array(items) => match items.iter().find_map(text_of_block) {
            Some(text) => clip(text, limit),
            None => clip(&value.to_string(), limit),
        },
        other => other.to_string(),
    }
}

/// The path beside the one word of an editor's command (`create`, `view`), which says little alone.
fn of_an_editor<'m>(map: &'m serde_json::Map<String, Value>, word: &str) -> &'m str {
    let is_command = map.get("command").is_some_and(|command| command == word);
    map.get("path").filter(|_| is_command).and_then(Value::as_str).unwrap_or_default()
}

/// A command given word by word: what it hands to a shell, else its words.
fn command_line(words: &[Value], limit: usize) -> String {
    let told: Option<Vec<&str>> = words.iter().map(Value::as_str).collect();
    match told.as_deref() {
        Some([_, flag, line]) if flag.starts_with('-') && flag.ends_with('c') => clip(line, limit),
        Some(told) => clip(&told.join(" "), limit),
        None => brief(&Value::Array(words.to_vec()), limit),
    }
}

fn text_of_block(item: &Value) -> Option<&str> {
    item.as_str().or_else(|| item.get("text")?.as_str())
}

fn blob(value: &Value) -> String {
    let media = value["media"].as_str().unwrap_or("data");
    format!("[{media}, {} bytes]", value["bytes"])
}

/// White space folded to single spaces, cut on a character with `…`.
fn clip(text: &str, limit: usize) -> String {
    let mut out = String::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        if count > 0 {
            out.push(' ');
            count += 1;
        }
        for c in word.chars() {
            if count >= limit {
                out.push('…');
                return out;
            }
            out.push(c);
            count += 1;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_editor_s_command_is_shown_with_its_path() {
        let shown = |input: Value| brief(&input, 40);
        assert_eq!(shown(serde_json::json!({"command": "create", "path": "a.py"})), "create a.py");
        assert_eq!(shown(serde_json::json!({"command": "ls -a", "path": "a.py"})), "ls -a");
        assert_eq!(shown(serde_json::json!({"file_path": "a.py", "path": "b"})), "a.py");
    }

    #[test]
    fn a_command_given_word_by_word_is_shown_and_not_only_its_shell() {
        let shown = |words: Value| brief(&serde_json::json!({"command": words, "workdir": "/w"}), 40);
        assert_eq!(shown(serde_json::json!(["bash", "-lc", "ls  src"])), "ls src");
        assert_eq!(shown(serde_json::json!(["git", "status"])), "git status");
        assert_eq!(shown(serde_json::json!([{"text": "what is seen"}])), "what is seen");
    }

    #[test]
    fn text_is_folded_and_cut_on_a_character() {
        assert_eq!(clip("a  b\n\tc", 80), "a b c");
        assert_eq!(clip("ééééé", 3), "ééé…");
    }
}
