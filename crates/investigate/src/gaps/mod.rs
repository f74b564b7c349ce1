//! What is missing: rules over one session, each with the event that it stands on.
//!
//! A session has tens of thousands of events, so a rule looks up what it needs in [`Seen`] and does not go through
//! the session for each event that it is about.

mod handed;
mod seen;
mod tested;
mod told;

use std::fmt;

use event::Event;

use crate::trace::Trace;
use seen::Seen;

/// One kind of gap.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum GapKind {
    /// An agent documents phases, but not this one.
    MissingPhase,
    /// Nobody read a handoff.
    UnreadHandoff,
    /// A digest was made and never given to anybody.
    UndeliveredDigest,
    /// No test ran after the last change.
    Untested,
    /// A test that failed later was never run by who made the change.
    NotRunByAuthor,
    /// It says that tests pass, and ran none.
    ClaimWithoutTest,
    /// A decision with one option.
    NoAlternatives,
    /// A concern that nobody took up.
    UnansweredConcern,
    /// A call without a result.
    OpenCall,
    /// Work after it was said to be done.
    AfterCompletion,
    /// A pause longer than nearly all of the agent's.
    Silence,
}

/// One gap.
#[derive(Debug, Clone)]
pub struct Gap<'t> {
    /// What kind.
    pub kind: GapKind,
    /// The event that it stands on.
    pub event: &'t Event,
    /// What is missing, in words.
    pub what: String,
    /// False if it is inferred from words, not from the record's structure.
    pub recorded: bool,
}

impl fmt::Display for GapKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::MissingPhase => "missing phase",
            Self::UnreadHandoff => "unread handoff",
            Self::UndeliveredDigest => "undelivered digest",
            Self::Untested => "untested",
            Self::NotRunByAuthor => "not run by author",
            Self::ClaimWithoutTest => "claim without test",
            Self::NoAlternatives => "no alternatives",
            Self::UnansweredConcern => "unanswered concern",
            Self::OpenCall => "open call",
            Self::AfterCompletion => "after completion",
            Self::Silence => "silence",
        })
    }
}

/// Every rule. To add one: write it and add a line here.
const RULES: &[Rule] = &[
    told::missing_phases,
    handed::unread_handoffs,
    handed::undelivered_digests,
    tested::untested,
    tested::not_run_by_author,
    tested::claims_without_test,
    told::no_alternatives,
    handed::unanswered_concerns,
    told::open_calls,
    told::after_completion,
    told::silences,
];

/// Finds its gaps in a session.
type Rule = for<'t> fn(&Seen<'t>) -> Vec<Gap<'t>>;

/// Every gap of a session, in the order of the events that they stand on.
pub fn gaps(trace: &Trace) -> Vec<Gap<'_>> {
    let seen = Seen::of(trace);
    let mut found: Vec<Gap<'_>> = RULES.iter().flat_map(|rule| rule(&seen)).collect();
    found.sort_by_key(|gap| (trace.place_of(&gap.event.session, gap.event.seq), gap.kind));
    found
}

fn gap(kind: GapKind, event: &Event, what: impl Into<String>) -> Gap<'_> {
    Gap { kind, event, what: what.into(), recorded: true }
}

fn same_group(a: &Event, b: &Event) -> bool {
    a.text("group").is_none() || b.text("group").is_none() || a.text("group") == b.text("group")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    fn kinds(events: Vec<Event>) -> Vec<GapKind> {
        gaps(&trace(events)).iter().map(|gap| gap.kind).collect()
    }

    #[test]
    fn each_rule_finds_its_own() {
        let call = |seq, agent: &str, skill: &str, id: &str| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": agent, "skill": skill, "call": id}),
                json!({"input": {"command": skill}}),
            )
        };
        let back = |seq, id: &str, status: &str| {
            event(seq, "skill.returned", json!({"call": id, "status": status}), json!({}))
        };
        assert_eq!(kinds(vec![call(0, "dev", "Read", "a")]), [GapKind::OpenCall]);
        let edit = |seq, agent: &str, id: &str| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": agent, "skill": "Edit", "call": id}),
                json!({"input": {"file_path": "a"}}),
            )
        };
        let untested = vec![
            call(0, "dev", "test-runner", "a"),
            back(1, "a", "ok"),
            edit(2, "dev", "b"),
            back(3, "b", "ok"),
        ];
        assert_eq!(kinds(untested), [GapKind::Untested]);
        let failing = vec![
            edit(0, "dev", "b"),
            back(1, "b", "ok"),
            call(2, "qa", "test-runner", "a"),
            back(3, "a", "error"),
        ];
        assert_eq!(kinds(failing), [GapKind::NotRunByAuthor]);
        let made = event(0, "handoff.made", json!({"agent": "pm", "to": "dev"}), json!({}));
        let other = event(1, "handoff.read", json!({"agent": "qa", "by": "qa"}), json!({}));
        let went_on = event(2, "reasoning.recorded", json!({"agent": "dev"}), json!({}));
        assert_eq!(kinds(vec![made.clone(), other, went_on]), [GapKind::UnreadHandoff]);
        let read = event(4, "handoff.read", json!({"agent": "dev", "by": "dev"}), json!({}));
        assert!(kinds(vec![made.clone(), read.clone()]).is_empty());
        let too_late = vec![made, edit(2, "dev", "b"), back(3, "b", "ok"), read];
        assert_eq!(kinds(too_late), [GapKind::UnreadHandoff]);
        let digest = event(0, "digest.assembled", json!({"to": "qa"}), json!({}));
        assert_eq!(kinds(vec![digest]), [GapKind::UndeliveredDigest]);
        let one = event(0, "decision.scored", json!({"agent": "a"}), json!({"options": [{"name": "x"}]}));
        assert_eq!(kinds(vec![one]), [GapKind::NoAlternatives]);
        let claim = event(
            0,
            "message.recorded",
            json!({"agent": "a", "role": "assistant"}),
            json!({"text": "All tests pass."}),
        );
        assert_eq!(kinds(vec![claim]), [GapKind::ClaimWithoutTest]);
    }
}
