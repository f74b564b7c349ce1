//! What is missing: rules over one session, each with the event that it stands on.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use event::Event;
use serde_json::Value;

use crate::act::{self, Deed};
use crate::trace::Trace;

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
const RULES: &[fn(&Trace) -> Vec<Gap<'_>>] = &[
    missing_phases,
    unread_handoffs,
    undelivered_digests,
    untested,
    not_run_by_author,
    claims_without_test,
    no_alternatives,
    unanswered_concerns,
    open_calls,
    after_completion,
    silences,
];
/// A pause shorter than this is none, whatever the agent's habit.
const LEAST_SILENCE_S: i64 = 300;
/// So many pauses are needed to know a habit.
const LEAST_PAUSES: usize = 20;

/// Every gap of a session, in the order of the events that they stand on.
pub fn gaps(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found: Vec<Gap<'_>> = RULES.iter().flat_map(|rule| rule(trace)).collect();
    found.sort_by_key(|gap| (trace.place_of(&gap.event.session, gap.event.seq), gap.kind));
    found
}

fn gap(kind: GapKind, event: &Event, what: impl Into<String>) -> Gap<'_> {
    Gap { kind, event, what: what.into(), recorded: true }
}

type Lanes<'t> = BTreeMap<(&'t str, Option<&'t str>), Vec<&'t Event>>;

/// Events by agent and group.
fn lanes(trace: &Trace) -> Lanes<'_> {
    let mut lanes = Lanes::new();
    for event in trace.events.iter().filter(|event| !act::actor(event).is_empty()) {
        lanes.entry((act::actor(event), event.text("group"))).or_default().push(event);
    }
    lanes
}

fn missing_phases(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found = Vec::new();
    for ((actor, _), events) in lanes(trace) {
        let phases: BTreeSet<&str> = events.iter().filter_map(|event| event.text("phase")).collect();
        let acts = events.iter().any(|e| act::deed(e).is_some_and(|deed| deed != Deed::Says));
        if phases.is_empty() && !acts || !trace.events.iter().any(|event| event.text("phase").is_some()) {
            continue;
        }
        for phase in ["understanding", "completion"].into_iter().filter(|phase| !phases.contains(phase)) {
            // who only handed over has nothing to complete
            let Some(last) = events.last().filter(|_| acts) else { continue };
            found.push(gap(GapKind::MissingPhase, last, format!("{actor} has no `{phase}`")));
        }
    }
    found
}

fn unread_handoffs(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found = Vec::new();
    let over = trace.events.iter().any(|e| e.kind == "session.closed");
    if !trace.events.iter().any(|e| e.kind == "handoff.read") {
        // who never says that it reads handoffs is not missing one
        return found;
    }
    for (at, made) in trace.events.iter().enumerate().filter(|(_, e)| e.kind == "handoff.made") {
        let Some(to) = made.text("to") else { continue };
        let rest: Vec<&Event> = trace.events[at + 1..].iter().filter(|e| same_group(e, made)).collect();
        let by_it =
            |e: &Event| e.kind == "handoff.read" && (e.text("by") == Some(to) || act::is_agent(e, to));
        let read = rest.iter().position(|e| by_it(e));
        let before = &rest[..read.unwrap_or(rest.len())];
        let acted = before
            .iter()
            .find(|e| act::is_agent(e, to) && act::deed(e).is_some_and(|deed| deed != Deed::Says));
        let went_on = acted.or_else(|| before.iter().find(|e| act::is_agent(e, to)));
        let from = act::role(made);
        let what = match (read, acted, went_on) {
            (Some(read), Some(acted), _) => {
                format!(
                    "{to} acted (/{}) before it read the handoff of {from} (/{})",
                    acted.seq, rest[read].seq
                )
            }
            (None, _, Some(on)) => {
                format!("{to} never read the handoff of {from}, though it went on (/{})", on.seq)
            }
            (None, _, None) if over => format!("{to} never read the handoff of {from}"),
            (Some(_), None, _) | (None, _, None) => continue,
        };
        found.push(gap(GapKind::UnreadHandoff, made, what));
    }
    found
}

fn same_group(a: &Event, b: &Event) -> bool {
    a.text("group").is_none() || b.text("group").is_none() || a.text("group") == b.text("group")
}

fn undelivered_digests(trace: &Trace) -> Vec<Gap<'_>> {
    let given = |digest: &Event| {
        trace
            .events
            .iter()
            .any(|e| e.kind == "digest.delivered" && e.text("to") == digest.text("to") && e.seq > digest.seq)
    };
    let made = trace.events.iter().filter(|e| e.kind == "digest.assembled" && !given(e));
    made.map(|e| {
        let to = e.text("to").unwrap_or("nobody");
        gap(GapKind::UndeliveredDigest, e, format!("the digest for {to} was never delivered"))
    })
    .collect()
}

fn is_deed(event: &Event, deed: Deed) -> bool {
    act::deed(event) == Some(deed)
}

fn untested(trace: &Trace) -> Vec<Gap<'_>> {
    if !trace.events.iter().any(|e| is_deed(e, Deed::Tests)) {
        return Vec::new();
    }
    let mut last: BTreeMap<Option<&str>, (usize, &Event)> = BTreeMap::new();
    for (at, event) in trace.events.iter().enumerate().filter(|(_, e)| is_deed(e, Deed::Changes)) {
        last.insert(event.text("group"), (at, event));
    }
    let tested = |at: usize, event: &Event| {
        trace.events[at..].iter().any(|e| is_deed(e, Deed::Tests) && same_group(e, event))
    };
    let left = last.into_values().filter(|(at, event)| !tested(*at, event));
    left.map(|(_, event)| gap(GapKind::Untested, event, "no test ran after this change")).collect()
}

/// The command of a test, or the words of its input.
fn test_name(event: &Event) -> String {
    let input = || event.data.get("input").map(Value::to_string).unwrap_or_default();
    act::command(event).map_or_else(input, str::to_owned)
}

fn not_run_by_author(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found = Vec::new();
    let failed: BTreeSet<&str> =
        trace.events.iter().filter(|e| act::is_failure(e)).filter_map(|e| e.text("call")).collect();
    for (at, test) in trace.events.iter().enumerate().filter(|(_, e)| is_deed(e, Deed::Tests)) {
        if !test.text("call").is_some_and(|call| failed.contains(call)) {
            continue;
        }
        let before = &trace.events[..at];
        let change = before.iter().rev().find(|e| is_deed(e, Deed::Changes) && same_group(e, test));
        let Some(change) = change.filter(|change| act::actor(change) != act::actor(test)) else { continue };
        let name = test_name(test);
        let ran = |e: &&Event| {
            is_deed(e, Deed::Tests) && act::actor(e) == act::actor(change) && test_name(e) == name
        };
        if !before.iter().any(|e| ran(&e)) {
            let what = format!("{} never ran `{name}`, which failed in /{}", act::actor(change), test.seq);
            found.push(gap(GapKind::NotRunByAuthor, change, what));
        }
    }
    found
}

fn claims_without_test(trace: &Trace) -> Vec<Gap<'_>> {
    let says = |text: &str| {
        let text = text.to_lowercase();
        ["tests pass", "all tests are passing", "tests are green", "tests passed"]
            .iter()
            .any(|claim| text.contains(claim))
    };
    let mut found = Vec::new();
    for (_, events) in lanes(trace) {
        let claim =
            events.iter().position(|e| is_deed(e, Deed::Says) && act::own_words(e).into_iter().any(says));
        let Some(at) = claim else { continue };
        if !events[..at].iter().any(|e| is_deed(e, Deed::Tests)) {
            let what = format!("{} says that tests pass and ran none", act::actor(events[at]));
            found.push(Gap { recorded: false, ..gap(GapKind::ClaimWithoutTest, events[at], what) });
        }
    }
    found
}

fn no_alternatives(trace: &Trace) -> Vec<Gap<'_>> {
    let options = |e: &Event| e.data.get("options").and_then(Value::as_array).map_or(0, Vec::len);
    let bare = trace.events.iter().filter(|e| e.kind == "decision.scored" && options(e) < 2);
    bare.map(|e| gap(GapKind::NoAlternatives, e, "a decision without alternatives")).collect()
}

fn unanswered_concerns(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found = Vec::new();
    for (at, made) in trace.events.iter().enumerate().filter(|(_, e)| e.kind == "handoff.made") {
        let body = made.data.get("body").and_then(|body| body.get("concerns")).and_then(Value::as_array);
        for concern in body.into_iter().flatten().filter_map(Value::as_str) {
            if !trace.events[at + 1..].iter().any(|later| takes_up(later, made, concern)) {
                let short: String = concern.chars().take(80).collect();
                let what = format!("nobody took up the concern \"{short}\"");
                found.push(Gap { recorded: false, ..gap(GapKind::UnansweredConcern, made, what) });
            }
        }
    }
    found
}

/// Another agent says half of the concern's longer words.
fn takes_up(later: &Event, made: &Event, concern: &str) -> bool {
    if act::actor(later) == act::actor(made) || !is_deed(later, Deed::Says) {
        return false;
    }
    let lower = concern.to_lowercase();
    let words: BTreeSet<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 4).collect();
    let said = act::own_words(later).join(" ").to_lowercase();
    let shared = words.iter().filter(|word| said.contains(**word)).count();
    !words.is_empty() && shared * 2 >= words.len()
}

fn open_calls(trace: &Trace) -> Vec<Gap<'_>> {
    let returned: BTreeSet<&str> =
        trace.events.iter().filter(|e| e.kind == "skill.returned").filter_map(|e| e.text("call")).collect();
    let open = trace
        .events
        .iter()
        .filter(|e| e.kind == "skill.invoked" && e.text("call").is_some_and(|call| !returned.contains(call)));
    open.map(|e| {
        let skill = e.text("skill").unwrap_or("a skill");
        gap(GapKind::OpenCall, e, format!("{skill} never returned"))
    })
    .collect()
}

fn after_completion(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found = Vec::new();
    for (_, events) in lanes(trace) {
        let mut done: Option<&Event> = None;
        for event in events {
            match (event.kind.as_str(), event.text("phase")) {
                (_, Some("completion")) => done = Some(event),
                ("handoff.read" | "agent.spawned" | "context.injected" | "message.recorded", _)
                | (_, Some(_)) => done = None,
                _ => {}
            }
            let works = act::deed(event).is_some_and(|deed| matches!(deed, Deed::Changes));
            if let Some(completed) = done.filter(|_| works) {
                let what = format!(
                    "{} changed something after its `completion` (/{})",
                    act::actor(event),
                    completed.seq
                );
                found.push(gap(GapKind::AfterCompletion, event, what));
                done = None;
            }
        }
    }
    found
}

fn silences(trace: &Trace) -> Vec<Gap<'_>> {
    let mut found = Vec::new();
    let mut by_actor: BTreeMap<&str, Vec<(&Event, i64)>> = BTreeMap::new();
    for event in trace.events.iter().filter(|event| !act::actor(event).is_empty()) {
        let lane = by_actor.entry(act::actor(event)).or_default();
        lane.extend(seconds(event.time()).map(|time| (event, time)));
    }
    for (actor, lane) in by_actor {
        let mut pauses: Vec<i64> = lane.windows(2).map(|pair| pair[1].1 - pair[0].1).collect();
        if pauses.len() < LEAST_PAUSES {
            continue;
        }
        pauses.sort_unstable();
        // with few pauses the longest is let stand out
        let usual = pauses[(pauses.len() * 99 / 100).min(pauses.len() - 2)];
        let bar = usual.max(LEAST_SILENCE_S);
        for pair in lane.windows(2).filter(|pair| pair[1].1 - pair[0].1 > bar) {
            let minutes = (pair[1].1 - pair[0].1) / 60;
            let what = format!("{actor} was silent for {minutes} min after this");
            found.push(gap(GapKind::Silence, pair[0].0, what));
        }
    }
    found
}

/// Seconds since 1970 of an RFC 3339 time in UTC, as headers have it.
fn seconds(time: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| time.get(range)?.parse::<i64>().ok();
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    // days from the civil date, after Howard Hinnant
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (y.div_euclid(400), y.rem_euclid(400));
    let days =
        era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * m + 2) / 5 + day - 1 - 719_468;
    Some(days * 86_400 + number(11..13)? * 3_600 + number(14..16)? * 60 + number(17..19)?)
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
    fn seconds_are_those_of_the_clock() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2026-11-27T12:00:00.000000Z"), Some(1_795_780_800));
        assert_eq!(seconds("soon"), None);
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
