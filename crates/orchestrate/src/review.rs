//! Review: what was decided beside what was written and tested afterwards.
//!
//! A statement is an entry of reasoning in the phases `approach` and `decisions`; what it names are words that look
//! like files. It can be wrong in both directions, so it lists and does not judge.

use std::collections::BTreeMap;

use event::Event;
use recorder::{Row, Store};
use serde::Serialize;
use serde_json::Value;

use crate::error::OrchestrateError;
use crate::house::Asked;
use crate::reasoning::{self, Entry};

/// Endings of names that are files.
const ENDINGS: &str = " rs py pyi js jsx ts tsx mjs cjs go java kt rb php c h cc cpp hpp cs swift scala sql sh bash \
                       yml yaml toml json md txt html css scss vue svelte proto lock cfg ini xml gradle tf csv ";
/// Skills that write files.
const WRITERS: [&str; 9] = [
    "Write",
    "Edit",
    "MultiEdit",
    "NotebookEdit",
    "write",
    "edit",
    "write_file",
    "apply_patch",
    "str_replace_based_edit_tool",
];
/// Commands that test.
const TESTS: [&str; 15] = [
    "pytest",
    "unittest",
    "cargo test",
    "cargo nextest",
    "npm test",
    "npm run test",
    "yarn test",
    "pnpm test",
    "go test",
    "jest",
    "vitest",
    "mvn test",
    "gradle test",
    "rspec",
    "make test",
];

/// Something that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Statement {
    /// `session/sequence`.
    pub event: String,
    /// Who.
    pub agent: Option<String>,
    /// The phase.
    pub phase: String,
    /// Its first words.
    pub text: String,
    /// Files that it names.
    pub files: Vec<String>,
    /// Of them, those that were written afterwards.
    pub written_after: Vec<String>,
    /// Tests that ran afterwards, and how many of them failed.
    pub tests_after: [u64; 2],
}

/// A file, and the event that shows it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Named {
    /// The file.
    pub file: String,
    /// `session/sequence`.
    pub event: String,
}

/// A run of tests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Test {
    /// `session/sequence`.
    pub event: String,
    /// The command.
    pub command: String,
    /// How it ended, if that is known.
    pub status: Option<String>,
}

/// Reasoning beside work.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Review {
    /// What was decided, in order.
    pub statements: Vec<Statement>,
    /// Decided, and never written.
    pub stated_not_done: Vec<Named>,
    /// Written, and in no reasoning.
    pub done_not_stated: Vec<Named>,
    /// Tests that ran.
    pub tests: Vec<Test>,
}

/// Puts the reasoning of a group beside its work.
pub fn review(store: &Store, session: &str, group: &str) -> Result<Review, OrchestrateError> {
    let entries = reasoning::timeline(store, session, Some(group))?;
    let mut asked = Asked::new(store, session)?;
    let rows = asked.views.group_in(&asked.session, group)?;
    let mut work = Work::default();
    for row in &rows {
        work.look(&mut asked, row)?;
    }
    let stating: Vec<&Entry> =
        entries.iter().filter(|entry| matches!(entry.phase.as_str(), "approach" | "decisions")).collect();
    let statements: Vec<Statement> = stating.iter().map(|entry| work.statement(entry)).collect();
    let mut stated_not_done: Vec<Named> = Vec::new();
    for statement in &statements {
        for file in &statement.files {
            let written = work.written.keys().any(|written| same_file(written, file));
            if !written && !stated_not_done.iter().any(|known| same_file(&known.file, file)) {
                stated_not_done.push(Named { file: file.clone(), event: statement.event.clone() });
            }
        }
    }
    let mentioned: Vec<String> = entries.iter().flat_map(mentions).collect();
    let silent =
        work.written.iter().filter(|(file, _)| !mentioned.iter().any(|named| same_file(file, named)));
    let done_not_stated =
        silent.map(|(file, (_, event))| Named { file: file.clone(), event: event.clone() }).collect();
    Ok(Review {
        statements,
        stated_not_done,
        done_not_stated,
        tests: work.tests.into_iter().map(|(_, t)| t).collect(),
    })
}

fn mentions(entry: &Entry) -> Vec<String> {
    let mut files = files_in(&entry.text);
    files.extend(entry.references.iter().cloned());
    files
}

/// What a group did.
#[derive(Default)]
struct Work {
    /// Files, with the last sequence and event that wrote them.
    written: BTreeMap<String, (u64, String)>,
    tests: Vec<(u64, Test)>,
    /// Calls of tests, by their id.
    calls: BTreeMap<String, usize>,
}

impl Work {
    fn look(&mut self, asked: &mut Asked<'_>, row: &Row) -> Result<(), OrchestrateError> {
        let skill = row.detail.as_deref().unwrap_or_default();
        match row.kind.as_str() {
            "file.changed" => {
                let event = asked.event(row)?;
                self.wrote(event.data.get("path").and_then(Value::as_str), &event);
            }
            "skill.invoked" => {
                let event = asked.event(row)?;
                let input = asked.member(&event, "input")?.unwrap_or(Value::Null);
                if WRITERS.contains(&skill) {
                    let path =
                        ["file_path", "path", "notebook_path"].iter().find_map(|name| input[*name].as_str());
                    self.wrote(path, &event);
                }
                self.ran(&event, &input);
            }
            "skill.returned" => {
                let event = asked.event(row)?;
                if let Some(at) = event.text("call").and_then(|call| self.calls.get(call)) {
                    self.tests[*at].1.status = event.text("status").map(str::to_owned);
                }
            }
            "handoff.made" => {
                let event = asked.event(row)?;
                let body = asked.member(&event, "body")?.unwrap_or(Value::Null);
                let lists = ["files_modified", "files_created"];
                let named = lists.iter().flat_map(|list| body[*list].as_array().into_iter().flatten());
                named.for_each(|file| self.wrote(file.as_str(), &event));
            }
            _ => {}
        }
        Ok(())
    }

    fn wrote(&mut self, path: Option<&str>, event: &Event) {
        let Some(path) = path else { return };
        let known = self.written.keys().find(|known| same_file(known, path)).cloned();
        self.written.insert(known.unwrap_or_else(|| path.to_owned()), (event.seq, event.name()));
    }

    fn ran(&mut self, event: &Event, input: &Value) {
        let Some(command) = input["command"].as_str().or_else(|| input["cmd"].as_str()) else { return };
        if TESTS.iter().any(|test| command.contains(test)) {
            let call = event.text("call").map(str::to_owned);
            call.map(|call| self.calls.insert(call, self.tests.len()));
            let command = reasoning::cut(command.lines().next().unwrap_or_default(), 120);
            self.tests.push((event.seq, Test { event: event.name(), command, status: None }));
        }
    }

    fn statement(&self, entry: &Entry) -> Statement {
        let files = files_in(&entry.text);
        let after = |file: &&String| {
            self.written.iter().any(|(written, (seq, _))| same_file(written, file) && *seq > entry.seq)
        };
        let tests: Vec<&Test> =
            self.tests.iter().filter(|(seq, _)| *seq > entry.seq).map(|(_, t)| t).collect();
        let failed = tests.iter().filter(|test| test.status.as_deref().is_some_and(|status| status != "ok"));
        Statement {
            event: entry.event.clone(),
            agent: entry.agent_id.clone().or_else(|| entry.agent.clone()),
            phase: entry.phase.clone(),
            text: reasoning::cut(&entry.text.split_whitespace().collect::<Vec<_>>().join(" "), 160),
            written_after: files.iter().filter(after).cloned().collect(),
            files,
            tests_after: [tests.len() as u64, failed.count() as u64],
        }
    }
}

/// Words of a text that look like files.
pub(crate) fn files_in(text: &str) -> Vec<String> {
    let ends = |c: char| c.is_whitespace() || "\"'`()[]{}<>,;:*|".contains(c);
    let mut files: Vec<String> = Vec::new();
    for word in text.split(ends) {
        let word = word.trim_matches(|c: char| matches!(c, '.' | '!' | '?' | '#' | '='));
        let Some((stem, ending)) = word.rsplit_once('.') else { continue };
        let known = ENDINGS.contains(&format!(" {} ", ending.to_lowercase()));
        if known && !stem.is_empty() && !word.starts_with("//") && !files.iter().any(|file| file == word) {
            files.push(word.to_owned());
        }
    }
    files
}

/// The same file, as far as both names go.
fn same_file(one: &str, other: &str) -> bool {
    let (one, other) = (one.trim_start_matches("./"), other.trim_start_matches("./"));
    let (long, short) = if one.len() >= other.len() { (one, other) } else { (other, one) };
    long == short || long.strip_suffix(short).is_some_and(|front| front.ends_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_words_with_a_known_ending() {
        let text = "Change `src/auth/jwt.py`, see README.md. Version 2.0.0, e.g. a.b; https://x.y/z.html (tests/t.rs)!";
        assert_eq!(files_in(text), ["src/auth/jwt.py", "README.md", "tests/t.rs"]);
    }

    #[test]
    fn a_file_is_the_same_by_the_end_of_its_path() {
        assert!(same_file("/w/src/a.py", "src/a.py") && same_file("a.py", "./a.py"));
        assert!(!same_file("src/aa.py", "a.py") && !same_file("src/a.py", "b.py"));
    }
}
