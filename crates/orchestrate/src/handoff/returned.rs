//! What an agent returns: a status and three lines, and nothing else; and the capsule that people read.

use event::Event;
use recorder::Store;
use serde::Serialize;
use serde_json::Value;

use super::read::Handoff;
use super::route::{route, statuses};
use crate::digest::Tokenizer;
use crate::error::OrchestrateError;
use crate::house::{header, member};
use crate::reasoning::strings;
use crate::words;

/// A return is not to be longer; a longer one is flagged and never rejected.
const TOKENS: u64 = 150;

/// What a return is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// A status and three lines.
    Ok,
    /// A status that routes, without three lines.
    Incomplete,
    /// No status.
    Invalid,
}

/// A return, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Returned {
    /// What it is.
    pub verdict: Verdict,
    /// Its status.
    pub status: Option<String>,
    /// Its lines.
    pub summary: Vec<String>,
    /// Who comes next, if the role was said and the table knows.
    pub next: Option<String>,
    /// Tokens of all of it.
    pub tokens: u64,
    /// Who counted them.
    pub tokenizer: &'static str,
    /// Characters beside the JSON.
    pub extra_chars: u64,
    /// What to look at.
    pub warnings: Vec<String>,
}

/// Checks what an agent returned; with its role, its status, too.
pub fn check_return(text: &str, agent: Option<&str>, tokenizer: Tokenizer) -> Returned {
    let tokens = tokenizer.count(text);
    let (object, extra_chars) = object_in(text);
    let mut warnings = Vec::new();
    if extra_chars > 0 {
        warnings.push(format!("{extra_chars} characters beside the JSON"));
    }
    if tokens > TOKENS {
        warnings.push(format!("{tokens} tokens; a return is not to have more than {TOKENS}"));
    }
    let status = object.as_ref().and_then(|object| object["status"].as_str()).map(str::to_owned);
    let summary =
        object.as_ref().map_or_else(Vec::new, |object| crate::reasoning::strings(Some(&object["summary"])));
    let verdict = match (&status, summary.len()) {
        (None, _) => Verdict::Invalid,
        (Some(_), 3) => Verdict::Ok,
        (Some(_), _) => Verdict::Incomplete,
    };
    match verdict {
        Verdict::Invalid => warnings.push("no JSON object with a status".to_owned()),
        Verdict::Incomplete => warnings.push(format!("the summary has {} lines, not 3", summary.len())),
        Verdict::Ok => {}
    }
    let mut next = None;
    if let (Some(agent), Some(status)) = (agent, &status) {
        next = route(agent, status).ok().map(|route| route.next.to_owned());
        let allowed = statuses(agent);
        if !allowed.is_empty() && !allowed.contains(&status.as_str()) {
            warnings.push(format!("{status:?} is none of {}", allowed.join(", ")));
        }
    }
    Returned { verdict, status, summary, next, tokens, tokenizer: tokenizer.name(), extra_chars, warnings }
}

/// The first JSON object in a text, and how many characters that are no white space or fence stand beside it.
fn object_in(text: &str) -> (Option<Value>, u64) {
    let starts = text.char_indices().filter(|(_, c)| *c == '{').map(|(at, _)| at);
    for start in starts.take(64) {
        let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<Value>();
        if let Some(Ok(value)) = values.next()
            && value.is_object()
        {
            let end = start + values.byte_offset();
            let beside =
                [&text[..start], &text[end..]].map(|part| part.replace("```json", "").replace("```", ""));
            let extra = beside.iter().map(|part| part.trim().chars().count() as u64).sum();
            return (Some(value), extra);
        }
    }
    (None, text.trim().chars().count() as u64)
}

/// One line about a handoff.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Capsule {
    /// The group.
    pub group: String,
    /// The role that hands over.
    pub from: String,
    /// Up to three lines.
    pub summary: Vec<String>,
    /// To whom.
    pub to: Option<String>,
}

/// The capsule of a handoff.
pub fn capsule(handoff: &Handoff) -> Capsule {
    let group = handoff.group.clone().unwrap_or_else(|| "-".to_owned());
    let (from, to) = (handoff.from.clone(), handoff.to.clone());
    Capsule { group, from, summary: handoff.summary.clone(), to }
}

/// The capsule of an event, if it is a handoff that was made.
pub fn capsule_of(store: &Store, event: &Event) -> Result<Option<Capsule>, OrchestrateError> {
    if event.kind != *"handoff.made" {
        return Ok(None);
    }
    let summary = strings(member(store, event, "summary")?.as_ref());
    let group = header(event, "group").unwrap_or_else(|| "-".to_owned());
    let from = header(event, "from").or_else(|| header(event, "agent")).unwrap_or_default();
    Ok(Some(Capsule { group, from, summary, to: header(event, "to") }))
}

impl Capsule {
    /// `🔨 Group AUTH [Developer] | … | … | … → QA Expert`, in ASCII with `*` and `->`.
    pub fn line(&self, ascii: bool) -> String {
        let icon = if ascii { "*" } else { words::role(&self.from).map_or("•", |role| role.icon) };
        let mut line = format!("{icon} Group {} [{}]", self.group, words::title(&self.from));
        for part in &self.summary {
            line.push_str(" | ");
            line.push_str(&part.split_whitespace().collect::<Vec<_>>().join(" "));
        }
        let to = self.to.as_deref().filter(|to| !matches!(*to, "end" | "user"));
        if let Some(to) = to {
            line.push_str(if ascii { " -> " } else { " → " });
            line.push_str(&words::title(to));
        }
        line
    }
}

/// What the handoffs of a role in a group cost whoever routes them: a return, or the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Cost {
    /// The group.
    pub group: String,
    /// The role that hands over.
    pub from: String,
    /// How many handoffs.
    pub handoffs: u64,
    /// Tokens of status and three lines.
    pub return_tokens: u64,
    /// Tokens of all that was handed over.
    pub whole_tokens: u64,
}

/// Costs by group and role, in order of their first handoff.
pub fn costs(handoffs: &[Handoff], tokenizer: Tokenizer) -> Vec<Cost> {
    let mut costs: Vec<Cost> = Vec::new();
    for handoff in handoffs {
        let group = handoff.group.clone().unwrap_or_else(|| "-".to_owned());
        let at = costs.iter().position(|cost| cost.group == group && cost.from == handoff.from);
        let at = at.unwrap_or_else(|| {
            costs.push(Cost { group, from: handoff.from.clone(), ..Cost::default() });
            costs.len() - 1
        });
        let returned = serde_json::json!({"status": handoff.status, "summary": handoff.summary});
        let cost = &mut costs[at];
        cost.handoffs += 1;
        cost.return_tokens += tokenizer.count(&returned.to_string());
        cost.whole_tokens += tokenizer.count(&handoff.body.to_string());
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Returned {
        check_return(text, Some("developer"), Tokenizer::Bytes4)
    }

    #[test]
    fn a_status_alone_is_incomplete_and_routes() {
        let returned = checked(r#"{"status":"READY_FOR_QA"}"#);
        assert_eq!((returned.verdict, returned.next.as_deref()), (Verdict::Incomplete, Some("qa_expert")));
        assert_eq!(checked("all is well").verdict, Verdict::Invalid);
        assert_eq!(checked("").verdict, Verdict::Invalid);
    }

    #[test]
    fn prose_around_it_is_counted_and_a_fence_is_not() {
        let whole = r#"{"status":"BLOCKED","summary":["a","b","c"]}"#;
        assert_eq!(checked(&format!("```json\n{whole}\n```")).extra_chars, 0);
        let returned = checked(&format!("Here you go:\n{whole}"));
        assert_eq!((returned.verdict, returned.extra_chars), (Verdict::Ok, 12));
        let long = format!("{whole}{}", " word".repeat(400));
        assert!(checked(&long).warnings.iter().any(|warning| warning.contains("tokens")));
    }
}
