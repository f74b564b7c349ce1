//! Where to read first: the steps of workers, sorted by what speaks for each. A reading list, never a verdict.
//!
//! A worker's step comes before a coordinator's, the group that failed before others; then by points; then by
//! time. What an agent's own words admit weighs two, what else the record shows weighs one:
//!
//! - 2  it says that it assumes or stands in; 1 that it guesses
//! - 2  it is the first that says that it looked, with no act recorded since the message before
//! - 2  it was refused
//! - 1  it is what failed first, or the last change before the first failing test
//! - 1  it changed state or wrote code
//! - 1  it goes round a check
//!
//! Of the first look-up and the step that went on from what it found, the latter stands in front. A
//! coordinator that hands over code works. Where it first says that all is done, where it first gives its plan
//! up, and the last step of a record that ends in an error come after the first [`BEFORE_TURNS`] steps of workers.
//!
//! Nothing here knows what the right answer is: only what was recorded is read, and no verdict, score or
//! note.

use std::cmp::Reverse;

use event::Event;

use crate::act::{self, Deed};
use crate::reason::Reason;
use crate::signs::{self, Signs, Step, Turn};
use crate::trace::Trace;
use crate::words;

/// So many steps of workers come before the turns.
const BEFORE_TURNS: usize = 2;

/// One step to read.
#[derive(Debug, Clone)]
pub struct Suspect<'t> {
    /// The step.
    pub event: &'t Event,
    /// Why it stands where it stands.
    pub reasons: Vec<Reason>,
}

/// The reading list.
#[derive(Debug, Clone)]
pub struct Suspects<'t> {
    /// In the order to read them.
    pub list: Vec<Suspect<'t>>,
    /// Of so many steps of agents.
    pub considered: usize,
}

/// Ranks the steps of a session.
pub fn suspects(trace: &Trace, most: usize) -> Suspects<'_> {
    let steps = signs::steps(&trace.events);
    let signs = Signs::of(&trace.events, &steps);
    let mut ranked: Vec<Ranked<'_>> =
        steps.iter().enumerate().map(|(at, step)| judge(step, steps.get(at + 1), &signs)).collect();
    ranked.sort_by_key(|ranked| ranked.key);
    for turn in [Turn::GivesUp, Turn::SaysDone, Turn::BreaksOff] {
        move_up(&mut ranked, turn);
    }
    let considered = ranked.len();
    let list = ranked.into_iter().take(most).map(|ranked| ranked.suspect).collect();
    Suspects { list, considered }
}

/// What the list is sorted by: the smallest comes first.
type Key = (bool, bool, Reverse<u8>, usize);

struct Ranked<'t> {
    key: Key,
    turns: Vec<Turn>,
    suspect: Suspect<'t>,
}

fn judge<'t>(step: &Step<'t>, next: Option<&Step<'t>>, signs: &Signs<'_>) -> Ranked<'t> {
    let mut reasons = Vec::new();
    let mut points = 0;
    let mut because = |reason: Option<Reason>, weighs: u8| {
        points += if reason.is_some() { weighs } else { 0 };
        reasons.extend(reason);
    };
    let event = step.event;
    because((step.worker && signs.coordinated).then_some(Reason::Worker), 0);
    let own = act::prose(event);
    let say = |of: fn(&str) -> Option<&str>| own.iter().find_map(|text| of(text)).map(str::to_owned);
    match say(words::assumption) {
        Some(assumes) => because(Some(Reason::Assumes(assumes)), 2),
        None => because(say(words::guess).map(Reason::Assumes), 1),
    }
    let claims = signs.claim.filter(|place| *place == step.place).and_then(|_| say(words::claim));
    because(claims.map(Reason::Claims), 2);
    because(signs.refused.get(&step.place).copied().map(Reason::Refused), 2);
    let failed = signs.failed.filter(|failed| failed.place == step.place);
    let of = |failed: signs::Failed| {
        if failed.tested { Reason::TestedFirst(failed.by) } else { Reason::FailedFirst(failed.by) }
    };
    because(failed.map(of), 1);
    let (changed, code) = (step.deed == Deed::Changes, wrote_code(step, next));
    because(changed.then_some(Reason::Changed), 1);
    because(code.then_some(Reason::WroteCode), u8::from(!changed));
    because(bypass(event).map(Reason::Bypasses), 1);
    let mut time = step.place;
    if let Some(on) = signs.went_on.filter(|on| on.place == step.place) {
        time = on.look - 1;
        because(Some(Reason::WentOnFrom(on.from)), 0);
    }
    let turns: Vec<Turn> = signs.turns(step.place).collect();
    for turn in &turns {
        because(Some(turn.reason()), 0);
    }
    let works = step.worker || code && event.kind == "handoff.made";
    let elsewhere = signs.group.is_some_and(|group| event.text("group").is_some_and(|own| own != group));
    Ranked { key: (!works, elsewhere, Reverse(points), time), turns, suspect: Suspect { event, reasons } }
}

/// True for code that a worker wrote or that was handed out, unless it is what the next call runs.
fn wrote_code(step: &Step<'_>, next: Option<&Step<'_>>) -> bool {
    let runs = |next: &Step<'_>| {
        let command = act::command(next.event).map(str::trim).filter(|command| !command.is_empty());
        let in_text = |command| act::own_words(step.event).iter().any(|text| text.contains(command));
        act::actor(next.event) == act::actor(step.event) && command.is_some_and(in_text)
    };
    (step.worker || step.event.kind == "handoff.made") && act::has_code(step.event) && !next.is_some_and(runs)
}

/// The words by which a call or a change goes round a check.
fn bypass(event: &Event) -> Option<String> {
    if !matches!(event.kind.as_str(), "skill.invoked" | "file.changed") {
        return None;
    }
    let mut told = act::command(event).into_iter().chain(act::own_words(event));
    let words = told.find_map(words::bypass)?;
    Some(words.split_whitespace().collect::<Vec<_>>().join(" "))
}

impl Turn {
    fn reason(self) -> Reason {
        match self {
            Self::SaysDone => Reason::SaysDone,
            Self::GivesUp => Reason::GivesUp,
            Self::BreaksOff => Reason::BreaksOff,
        }
    }
}

/// Moves a turn up behind the first steps of workers.
fn move_up(ranked: &mut [Ranked<'_>], turn: Turn) {
    if let Some(from) = ranked.iter().position(|ranked| ranked.turns.contains(&turn)) {
        let workers = ranked.iter().take(BEFORE_TURNS).filter(|ranked| !ranked.key.0).count();
        if workers < from {
            ranked[workers..=from].rotate_right(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    fn listed(trace: &Trace) -> Vec<u64> {
        suspects(trace, 10).list.iter().map(|s| s.event.seq).collect()
    }

    fn says(seq: u64, agent: &str, text: &str) -> Event {
        event(seq, "message.recorded", json!({"agent": agent, "role": "assistant"}), json!({"text": text}))
    }

    fn hands_out(seq: u64, text: &str) -> Event {
        event(
            seq,
            "handoff.made",
            json!({"agent": "lead", "from": "lead", "to": "dev"}),
            json!({"body": text}),
        )
    }

    fn reasons(trace: &Trace, seq: u64) -> Vec<Reason> {
        let found = suspects(trace, usize::MAX);
        found.list.into_iter().find(|s| s.event.seq == seq).expect("listed").reasons
    }

    #[test]
    fn workers_come_before_those_who_hand_out_and_own_words_before_code() {
        let trace = trace(vec![
            hands_out(0, "Look at it."),
            says(1, "dev", "I look at it."),
            says(2, "dev", "```python\nprint(1)\n```"),
            says(3, "dev", "I assume that it is 7."),
            says(4, "lead", "I assume that all is well."),
        ]);
        assert_eq!(listed(&trace), [3, 2, 1, 4, 0]);
    }

    #[test]
    fn more_points_come_first_and_a_guess_weighs_less_than_an_assumption() {
        let trace = trace(vec![
            says(0, "dev", "It is likely 7."),
            says(1, "dev", "I assume that it is 7."),
            says(2, "dev", "It is likely that I assume\n```\n7\n```"),
            says(3, "dev", "It is 7."),
        ]);
        assert_eq!(listed(&trace), [2, 1, 0, 3]);
        assert_eq!(reasons(&trace, 2), [Reason::Assumes("assume".to_owned()), Reason::WroteCode]);
    }

    #[test]
    fn who_says_that_it_looked_and_did_not_is_listed_with_its_words() {
        let trace = trace(vec![
            says(0, "dev", "Let us look."),
            says(1, "dev", "```\ncode\n```"),
            says(2, "qa", "I have reviewed the page."),
            says(3, "qa", "I have reviewed the page."),
        ]);
        assert_eq!(listed(&trace), [2, 1, 0, 3]);
        assert_eq!(reasons(&trace, 2), [Reason::Claims("I have reviewed".to_owned())]);
    }

    #[test]
    fn a_coordinator_that_hands_over_code_works() {
        let trace = trace(vec![
            hands_out(0, "Look."),
            says(1, "dev", "I look."),
            hands_out(2, "Run\n```\ncode\n```"),
        ]);
        assert_eq!(listed(&trace), [2, 1, 0]);
        assert_eq!(reasons(&trace, 2), [Reason::WroteCode]);
    }

    #[test]
    fn code_that_the_next_call_runs_is_no_code_that_was_written() {
        let run = |command: &str| {
            let header = json!({"agent": "dev", "skill": "bash"});
            event(2, "skill.invoked", header, json!({"input": {"command": command}}))
        };
        let after = |command: &str| trace(vec![says(0, "dev", "I look:\n```sh\nls -a\n```"), run(command)]);
        assert_eq!(reasons(&after("ls -a"), 0), []);
        assert_eq!(reasons(&after("cat b"), 0), [Reason::WroteCode]);
    }

    #[test]
    fn turns_come_after_the_first_two_steps_of_workers() {
        let mut events: Vec<Event> = (0..5).map(|seq| says(seq, "dev", "I look.")).collect();
        events.extend([hands_out(5, "Go on."), says(6, "lead", "Stalled. Replanning.")]);
        events.extend([says(7, "lead", "Request satisfied."), says(8, "lead", "Request satisfied.")]);
        let trace = trace(events);
        assert_eq!(listed(&trace), [0, 1, 7, 6, 2, 3, 4, 5, 8]);
        assert_eq!(reasons(&trace, 7), [Reason::SaysDone]);
        assert_eq!(reasons(&trace, 6), [Reason::GivesUp]);
    }

    #[test]
    fn alone_nobody_is_called_a_worker() {
        assert_eq!(reasons(&trace(vec![says(0, "dev", "I look.")]), 0), []);
        assert_eq!(
            reasons(&trace(vec![hands_out(0, "Go."), says(1, "dev", "I look.")]), 1),
            [Reason::Worker]
        );
    }

    #[test]
    fn what_goes_round_a_check_comes_before_what_does_not() {
        let run = |seq, command: &str| {
            let header = json!({"agent": "dev", "skill": "Bash"});
            event(seq, "skill.invoked", header, json!({"input": {"command": command}}))
        };
        let trace = trace(vec![run(0, "git commit -m x"), run(1, "git commit --no-verify -m x")]);
        assert_eq!(listed(&trace), [1, 0]);
        assert_eq!(reasons(&trace, 1), [Reason::Changed, Reason::Bypasses("--no-verify".to_owned())]);
    }

    #[test]
    fn what_was_refused_comes_before_what_failed() {
        let call = |seq, call: &str| {
            event(seq, "skill.invoked", json!({"agent": "dev", "skill": "deploy", "call": call}), json!({}))
        };
        let back = |seq, call: &str, status: &str| {
            event(seq, "skill.returned", json!({"call": call, "status": status}), json!({}))
        };
        let trace = trace(vec![call(0, "a"), back(1, "a", "error"), call(2, "b"), back(3, "b", "denied")]);
        assert_eq!(listed(&trace), [2, 0]);
        assert_eq!(reasons(&trace, 2), [Reason::Refused(3)]);
    }

    #[test]
    fn what_goes_on_from_a_look_comes_before_it() {
        let call = |seq, skill: &str| {
            event(seq, "skill.invoked", json!({"agent": "dev", "skill": skill}), json!({}))
        };
        let trace =
            trace(vec![call(0, "browser_search"), call(1, "browser_click"), call(2, "browser_click")]);
        assert_eq!(listed(&trace), [1, 0, 2]);
        assert_eq!(reasons(&trace, 1), [Reason::WentOnFrom(0)]);
    }

    #[test]
    fn a_failing_test_points_at_the_last_change() {
        let call = |seq, skill: &str, call: &str| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": "dev", "skill": skill, "call": call}),
                json!({"input": {}}),
            )
        };
        let trace = trace(vec![
            call(0, "Edit", "a"),
            call(1, "Write", "b"),
            call(2, "test-runner", "c"),
            event(3, "skill.returned", json!({"call": "c", "status": "error"}), json!({"error": "1 failed"})),
        ]);
        let found = suspects(&trace, 10);
        assert_eq!(found.list[0].event.seq, 1);
        assert!(found.list[0].reasons.contains(&Reason::TestedFirst(3)));
    }

    #[test]
    fn verdicts_and_notes_are_not_read() {
        let mut events =
            vec![event(0, "message.recorded", json!({"role": "assistant"}), json!({"text": "a"}))];
        let before = listed(&trace(events.clone()));
        events.push(event(1, "verdict.given", json!({"about": "s/0"}), json!({"text": "this assumes"})));
        assert_eq!(listed(&trace(events)), before);
    }
}
