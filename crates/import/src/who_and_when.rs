//! Failed multi-agent runs as the Who&When collection has them: one JSON document a run, a question and
//! a `history` in one of two shapes.
//!
//! ```text
//! short   {"content":…,"role":"assistant"|"user","name":"Geometry_Expert" | "Computer_terminal"}
//! long    {"content":…,"role":"human" | "Orchestrator (thought)" | "Orchestrator (-> WebSurfer)" | "WebSurfer"}
//! ```
//! A terminal's text is what came back. Where an agent tells in one text what it did and what came of it
//! (`I clicked 'PDF'. Here is a screenshot …`), that becomes a call and its return. What an annotator
//! wrote beside the run stays under `ext` of its opening.

use event::Draft;
use serde_json::{Map, Value};

use crate::derive::once;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript};

/// Members of the document that only such runs have together with a question.
const MARKS: &[&str] = &["question_ID", "mistake_step", "mistake_agent", "is_corrected", "is_correct"];
/// What an agent with a browser says that it did, and which skill that is.
const DEEDS: &[(&str, &str)] = &[
    ("I typed", "browser_type"),
    ("I clicked", "browser_click"),
    ("I selected", "browser_select"),
    ("I hovered", "browser_hover"),
    ("I pressed", "browser_press"),
    ("I input", "browser_input"),
    ("I scrolled", "browser_scroll"),
    ("Address:", "file_view"),
];
/// Where a browser's own text ends.
const SCREENSHOT: &str = "Here is a screenshot";
/// Fields to type into that only look things up.
const SEARCHES: &[&str] = &["search", "address bar", "characters out of"];

pub(crate) struct WhoAndWhen;

impl Importer for WhoAndWhen {
    fn name(&self) -> &'static str {
        "who-and-when"
    }

    fn home(&self) -> &'static str {
        ".who-and-when"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let document = head.first().and_then(Value::as_object);
        document.is_some_and(|map| {
            map.get("question").is_some_and(Value::is_string)
                && MARKS.iter().any(|mark| map.contains_key(*mark))
        })
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Run { session: file.stem.clone(), items: 0 })
    }
}

/// One run.
struct Run {
    session: String,
    /// Items of the history so far.
    items: u64,
}

impl Transcript for Run {
    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        match record.value {
            Some(Value::Object(fields)) if fields.contains_key("question") => {
                Mapped::Events(self.document(record.text, fields, keys))
            }
            Some(Value::Object(fields)) if fields.contains_key("content") || fields.contains_key("role") => {
                Mapped::Events(self.item(fields))
            }
            _ => {
                let key = format!("{}.{}", self.session, once(keys, record.text));
                Mapped::Raw(pen::raw(&self.stamp(None), key, record.text))
            }
        }
    }

    fn gap_session(&self) -> &str {
        &self.session
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }
}

impl Run {
    fn stamp(&self, agent: Option<&str>) -> Stamp {
        Stamp { session: self.session.clone(), agent: agent.map(str::to_owned), ..Stamp::default() }
    }

    /// What stands beside the history; a history that stands in it still, with its items.
    fn document(&mut self, text: &str, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        self.session = format!("whowhen-{}", &once(keys, text)[..16]);
        let history = match fields.remove("history") {
            Some(Value::Array(items)) if items.iter().all(Value::is_object) => items,
            Some(other) => {
                fields.insert("history".to_owned(), other);
                Vec::new()
            }
            None => Vec::new(),
        };
        let question = fields.take_text("question").unwrap_or_default();
        let mut opened = self.stamp(None).draft("session.updated").key(format!("{}.run", self.session));
        opened = opened.data("title", pen::title(&question)).data("requirements", question);
        pen::add_ext(&mut opened, fields);
        let mut drafts = vec![opened];
        for item in history {
            if let Value::Object(fields) = item {
                drafts.extend(self.item(fields));
            }
        }
        drafts
    }

    fn item(&mut self, mut fields: Map<String, Value>) -> Vec<Draft> {
        let key = format!("{}.{}", self.session, self.items);
        self.items += 1;
        let content = fields.take_text("content").unwrap_or_default();
        let role = fields.take_text("role").unwrap_or_default();
        let mut drafts = match fields.take_text("name") {
            Some(name) => {
                fields.insert("role".to_owned(), role.into());
                self.said(&key, &name, content)
            }
            None => self.routed(&key, &role, content),
        };
        if let Some(first) = drafts.first_mut() {
            pen::add_ext(first, fields);
        }
        drafts
    }

    /// An item of the long shape: its role says who, and to whom.
    fn routed(&self, key: &str, role: &str, content: String) -> Vec<Draft> {
        let (agent, route) =
            role.split_once(" (").map_or((role, ""), |(agent, rest)| (agent, rest.trim_end_matches(')')));
        let draft = |kind| self.stamp(Some(agent)).draft(kind).key(key);
        match route {
            "" if role == "human" => {
                vec![
                    self.stamp(None)
                        .draft("message.recorded")
                        .key(key)
                        .with("role", "user")
                        .data("text", content),
                ]
            }
            "" => self.said(key, agent, content),
            "thought" => vec![draft("reasoning.recorded").with("form", "full").data("text", content)],
            route => match route.strip_prefix("-> ") {
                Some(to) => {
                    let made = draft("handoff.made").with("from", agent).with("to", to);
                    vec![made.data("body", content)]
                }
                None => vec![draft("turn.ended").with("status", route).data("text", content)],
            },
        }
    }

    /// An agent's own text, or a terminal's.
    fn said(&self, key: &str, agent: &str, content: String) -> Vec<Draft> {
        let stamp = self.stamp(Some(agent));
        if agent.to_ascii_lowercase().contains("terminal") {
            let (status, exit) = outcome(&content);
            let back =
                stamp.draft("skill.returned").key(key).with("skill", "terminal").with("status", status);
            return vec![back.with("exit", exit).data("output", content)];
        }
        let Some(skill) = skill_of(&content) else {
            return vec![
                stamp.draft("message.recorded").key(key).with("role", "assistant").data("text", content),
            ];
        };
        let (did, found) = halves(&content, skill);
        let call = key.to_owned();
        let invoked = stamp.draft("skill.invoked").key(key).with("skill", skill).with("call", call.clone());
        let invoked = invoked.data("input", Map::from_iter([("text".to_owned(), Value::from(did))]));
        let back = stamp.draft("skill.returned").key(format!("{key}.returned")).with("skill", skill);
        vec![invoked, back.with("call", call).with("status", "ok").with("cause", key).data("output", found)]
    }
}

/// Which skill a text tells of, if it tells of one.
fn skill_of(content: &str) -> Option<&'static str> {
    let (start, skill) = DEEDS.iter().find(|(start, _)| content.starts_with(start))?;
    let (did, _) = halves(content, skill);
    let field = did.rsplit(" into ").next().unwrap_or_default().to_ascii_lowercase();
    let searches = *start == "I typed" && SEARCHES.iter().any(|name| field.contains(name));
    Some(if searches { "browser_search" } else { skill })
}

/// What was done, and what came of it. Put together again they are the text.
fn halves<'c>(content: &'c str, skill: &str) -> (&'c str, &'c str) {
    let at = if skill == "file_view" { content.find('\n') } else { content.find(SCREENSHOT) };
    content.split_at(at.unwrap_or(content.len()))
}

/// `exitcode: 1 (execution failed)`, as a terminal begins.
fn outcome(content: &str) -> (&'static str, Option<i64>) {
    let code =
        content.split_once("exitcode: ").map(|(_, rest)| rest.split(|c: char| !c.is_ascii_digit()).next());
    match code.flatten().and_then(|digits| digits.parse::<i64>().ok()) {
        Some(0) => ("ok", Some(0)),
        Some(code) => ("error", Some(code)),
        None => ("unknown", None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_tells_of_a_deed_and_its_outcome_is_two_events() {
        let text = "I typed 'x' into 'Enter your search here'.\n\nHere is a screenshot of [x].";
        assert_eq!(skill_of(text), Some("browser_search"));
        assert_eq!(skill_of("I typed 'x' into 'From*'."), Some("browser_type"));
        assert_eq!(skill_of("I think so."), None);
        let (did, found) = halves(text, "browser_search");
        assert!(did.ends_with("\n\n") && found.starts_with("Here is"));
        assert_eq!(outcome("exitcode: 1 (execution failed)\nCode output: x"), ("error", Some(1)));
        assert_eq!(outcome("There is no code"), ("unknown", None));
    }
}
