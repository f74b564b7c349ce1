//! What an agent did not tell, in order: phases, alternatives, results, an end that was one, silence.

use std::collections::{BTreeMap, BTreeSet};

use event::Event;
use serde_json::Value;

use super::seen::Seen;
use super::{Gap, GapKind, gap};
use crate::act::{self, Deed};

/// A pause shorter than this is none, whatever the agent's habit.
const LEAST_SILENCE_S: i64 = 300;
/// So many pauses are needed to know a habit.
const LEAST_PAUSES: usize = 20;

pub(super) fn missing_phases<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut found = Vec::new();
    if !seen.events().iter().any(|event| event.text("phase").is_some()) {
        return found;
    }
    for ((actor, _), places) in seen.lanes() {
        let event = |place: &usize| &seen.events()[*place];
        let phases: BTreeSet<&str> = places.iter().filter_map(|place| event(place).text("phase")).collect();
        // who only handed over has nothing to complete
        let acts = places.iter().any(|place| seen.deed(*place).is_some_and(|deed| deed != Deed::Says));
        let Some(last) = places.last().filter(|_| acts) else { continue };
        for phase in ["understanding", "completion"].into_iter().filter(|phase| !phases.contains(phase)) {
            found.push(gap(GapKind::MissingPhase, event(last), format!("{actor} has no `{phase}`")));
        }
    }
    found
}

pub(super) fn no_alternatives<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let options = |e: &Event| e.data.get("options").and_then(Value::as_array).map_or(0, Vec::len);
    let bare = seen.events().iter().filter(|e| e.kind == "decision.scored" && options(e) < 2);
    bare.map(|e| gap(GapKind::NoAlternatives, e, "a decision without alternatives")).collect()
}

pub(super) fn open_calls<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let returned: BTreeSet<&str> =
        seen.events().iter().filter(|e| e.kind == "skill.returned").filter_map(|e| e.text("call")).collect();
    let is_open =
        |e: &&Event| e.kind == "skill.invoked" && e.text("call").is_some_and(|call| !returned.contains(call));
    let open = seen.events().iter().filter(is_open);
    open.map(|e| {
        let skill = e.text("skill").unwrap_or("a skill");
        gap(GapKind::OpenCall, e, format!("{skill} never returned"))
    })
    .collect()
}

pub(super) fn after_completion<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut found = Vec::new();
    for places in seen.lanes().values() {
        let mut done: Option<&Event> = None;
        for place in places {
            let event = &seen.events()[*place];
            match (event.kind.as_str(), event.text("phase")) {
                (_, Some("completion")) => done = Some(event),
                ("handoff.read" | "agent.spawned" | "context.injected" | "message.recorded", _)
                | (_, Some(_)) => done = None,
                _ => {}
            }
            if let Some(completed) = done.filter(|_| seen.deed(*place) == Some(Deed::Changes)) {
                let (actor, seq) = (act::actor(event), completed.seq);
                let what = format!("{actor} changed something after its `completion` (/{seq})");
                found.push(gap(GapKind::AfterCompletion, event, what));
                done = None;
            }
        }
    }
    found
}

pub(super) fn silences<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut found = Vec::new();
    let mut by_actor: BTreeMap<&str, Vec<(&'t Event, i64)>> = BTreeMap::new();
    for event in seen.events().iter().filter(|event| !act::actor(event).is_empty()) {
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

    #[test]
    fn seconds_are_those_of_the_clock() {
        assert_eq!(seconds("1970-01-01T00:00:00Z"), Some(0));
        assert_eq!(seconds("2026-11-27T12:00:00.000000Z"), Some(1_795_780_800));
        assert_eq!(seconds("soon"), None);
    }
}
