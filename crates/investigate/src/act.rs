//! What an event is as an act: who did it, whether it looks, goes on, changes something or tests, and which files.

use event::Event;
use serde_json::Value;

use crate::side::by_side;
use crate::tools;

/// What an act does to the world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Deed {
    /// Says or thinks something.
    Says,
    /// Looks, and changes nothing.
    Looks,
    /// Goes on from what it found: follows a link, presses a button, runs something.
    Acts,
    /// Changes files or other state.
    Changes,
    /// Runs tests.
    Tests,
}

/// Tools that are given a command line.
const SHELLS: &[&str] = &["bash", "shell", "exec", "terminal", "run_command", "command"];
/// Members of an input that hold what was written.
const WRITTEN: &[&str] = &["content", "new_string", "new_str", "file_text", "code", "patch", "diff"];
/// Members that hold a path.
const PATHS: &[&str] = &["file_path", "path", "notebook_path", "filename", "file", "filePath"];
/// What begins a comment.
const COMMENTS: &[&str] = &["//", "# ", "/*", "<!--", "-- "];
/// What the paths of tests have.
const TESTS: &[&str] = &["/test/", "/tests/", "__tests__", "test_", "_test.", ".test.", ".spec."];
/// What a status says of what went wrong.
const FAILURES: &[&str] = &["error", "timeout", "fail", "failed", "failure", "blocked"];
/// Files of prose.
const PROSE: &[&str] = &[".md", ".txt", ".rst", ".adoc", ".org"];

/// Who acts: the agent id, else the role, else nobody.
pub fn actor(event: &Event) -> &str {
    event.text("agent_id").or_else(|| event.text("agent")).unwrap_or_default()
}

/// The role of who acts, else its id.
pub fn role(event: &Event) -> &str {
    event.text("agent").or_else(|| event.text("agent_id")).unwrap_or_default()
}

/// True if a name means this event's agent: its role or its id.
pub fn is_agent(event: &Event, name: &str) -> bool {
    event.text("agent") == Some(name) || event.text("agent_id") == Some(name)
}

/// A member of the payload as text.
pub fn member<'e>(event: &'e Event, name: &str) -> Option<&'e str> {
    event.data.get(name)?.as_str()
}

/// The command line of a call, if it has one.
pub fn command(event: &Event) -> Option<&str> {
    let input = event.data.get("input")?;
    let command = ["command", "cmd"].iter().find_map(|name| input.get(*name));
    match command? {
        Value::String(text) => Some(text),
        Value::Array(words) => words.last()?.as_str(),
        _ => None,
    }
}

/// What the event does; `None` for events that are no act of an agent.
pub fn deed(event: &Event) -> Option<Deed> {
    Some(match event.kind.as_str() {
        "message.recorded" if is_spoken(event) => Deed::Says,
        "reasoning.recorded" | "decision.scored" | "handoff.made" | "plan.updated" | "step.thought" => {
            Deed::Says
        }
        "file.changed" => Deed::Changes,
        "skill.invoked" => tools::deed(event),
        "step.acted" => Deed::Acts,
        _ => return None,
    })
}

/// What each event does. What is parsed for that is kept with it, and so is what the agent says.
pub(crate) fn deeds(events: &[Event]) -> Vec<Option<Deed>> {
    by_side(events, &|_, event| deed(event).inspect(|_| drop(own_words(event))))
}

/// A message of an agent: not a person's, not the harness's.
fn is_spoken(event: &Event) -> bool {
    let other =
        matches!(event.text("role"), Some("user" | "system" | "developer" | "tool" | "harness" | "human"));
    !other && !event.header.get("injected").is_some_and(|flag| flag == true)
}

/// True for a call that hands a command to a shell.
pub fn is_shell(event: &Event) -> bool {
    let skill = event.text("skill").unwrap_or_default().to_ascii_lowercase();
    SHELLS.iter().any(|shell| skill.contains(shell))
}

/// What the agent itself wrote in this act: speech, thought, and text that it puts into files.
pub fn own_words(event: &Event) -> Vec<&str> {
    match event.kind.as_str() {
        "skill.invoked" => {
            let input = event.data.get("input");
            WRITTEN.iter().filter_map(|name| input?.get(*name)?.as_str()).collect()
        }
        "file.changed" => member(event, "diff").into_iter().collect(),
        _ => texts_but(event, &["redactions", "ext"]),
    }
}

/// What the agent says in this act in prose: of what it puts into files that are no prose, only the comments;
/// of tests nothing, where a mock stands in for nothing that should be there.
pub(crate) fn prose(event: &Event) -> Vec<&str> {
    let own = own_words(event);
    if !matches!(event.kind.as_str(), "skill.invoked" | "file.changed") || own.is_empty() {
        return own;
    }
    let is_test = |path: &String| TESTS.iter().any(|mark| path.contains(mark));
    if paths(event).iter().any(is_test) {
        return Vec::new();
    }
    let is_prose = |path: &String| PROSE.iter().any(|end| path.ends_with(end));
    if paths(event).iter().any(is_prose) {
        return own;
    }
    own.into_iter().flat_map(str::lines).filter_map(comment).collect()
}

/// The comment of a line of code, roughly: what follows the first mark that begins one.
fn comment(line: &str) -> Option<&str> {
    let trimmed = line.trim_start_matches(['+', '-', ' ', '\t']);
    if trimmed.starts_with("* ") || trimmed.starts_with("\"\"\"") {
        return Some(trimmed);
    }
    COMMENTS.iter().filter_map(|mark| line.find(mark)).min().map(|at| &line[at..])
}

fn leaves<'v>(value: &'v Value, out: &mut Vec<&'v str>) {
    match value {
        Value::String(text) => out.push(text),
        Value::Array(items) => items.iter().for_each(|item| leaves(item, out)),
        Value::Object(map) => map.values().for_each(|item| leaves(item, out)),
        _ => {}
    }
}

/// Every string of the payload.
pub fn texts(event: &Event) -> Vec<&str> {
    texts_but(event, &["redactions"])
}

/// Every string of the payload but of these members, which are not even parsed.
fn texts_but<'e>(event: &'e Event, left_out: &[&str]) -> Vec<&'e str> {
    let mut out = Vec::new();
    let told = event.data.keys().filter(|name| !left_out.contains(name));
    told.filter_map(|name| event.data.get(name)).for_each(|value| leaves(value, &mut out));
    out
}

/// True if the agent wrote code here: a fenced block in what it says.
pub fn has_code(event: &Event) -> bool {
    event.kind != "skill.invoked" && own_words(event).iter().any(|text| text.contains("```"))
}

/// The files that an act names.
pub fn paths(event: &Event) -> Vec<String> {
    let input = event.data.get("input");
    let places = |name: &&str| [event.data.get(name), input.and_then(|input| input.get(*name))];
    let named = PATHS.iter().flat_map(places).flatten();
    let mut found: Vec<String> = named.filter_map(|path| path.as_str().map(str::to_owned)).collect();
    if let Some(Value::Object(files)) = event.data.get("files") {
        found.extend(files.keys().cloned());
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// True if the event says that something went wrong.
pub fn is_failure(event: &Event) -> bool {
    let bad = |status: &str| FAILURES.iter().any(|bad| status.eq_ignore_ascii_case(bad));
    let exit = || match event.header.number("exit") {
        Some(code) => code != 0,
        None => event.header.get("exit").and_then(Value::as_i64).is_some_and(|code| code != 0),
    };
    matches!(event.kind.as_str(), "error.raised" | "model.failed")
        || event.text("status").is_some_and(bad)
        || exit()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::event;
    use serde_json::json;

    #[test]
    fn of_code_that_is_written_only_the_comments_are_prose() {
        let wrote = |path: &str, text: &str| {
            let input = json!({"file_path": path, "content": text});
            event(0, "skill.invoked", json!({"skill": "Write"}), json!({"input": input}))
        };
        let code = wrote("a.tsx", "<input placeholder=\"x\"/>\nlet a = 1; // a stand-in\n# so\n * this");
        assert_eq!(prose(&code), ["// a stand-in", "# so", "* this"]);
        assert_eq!(prose(&wrote("a.md", "no mark")), ["no mark"]);
        assert!(prose(&wrote("a.test.ts", "// a mock")).is_empty());
        let said = event(0, "message.recorded", json!({"role": "assistant"}), json!({"text": "no mark"}));
        assert_eq!(prose(&said), ["no mark"]);
    }

    #[test]
    fn people_and_harness_do_not_act() {
        let said = |role: &str| event(0, "message.recorded", json!({"role": role}), json!({"text": "x"}));
        assert_eq!(deed(&said("user")), None);
        assert_eq!(deed(&said("assistant")), Some(Deed::Says));
    }
}
