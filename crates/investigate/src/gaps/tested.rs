//! What was not tested, or only said to be.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::LazyLock;

use event::Event;
use regex::Regex;
use serde_json::Value;

use super::seen::Seen;
use super::{Gap, GapKind, gap, same_group};
use crate::act::{self, Deed};

static CLAIMS: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new("(?i-u:tests pass|all tests are passing|tests are green|tests passed)").ok());

pub(super) fn untested<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let tests: Vec<(usize, &Event)> = seen.all(Deed::Tests).collect();
    if tests.is_empty() {
        return Vec::new();
    }
    let mut last: BTreeMap<Option<&str>, (usize, &'t Event)> = BTreeMap::new();
    for (at, event) in seen.all(Deed::Changes) {
        last.insert(event.text("group"), (at, event));
    }
    let tested = |at: usize, event: &Event| {
        tests.iter().rev().take_while(|(place, _)| *place >= at).any(|(_, test)| same_group(test, event))
    };
    let left = last.into_values().filter(|(at, event)| !tested(*at, event));
    left.map(|(_, event)| gap(GapKind::Untested, event, "no test ran after this change")).collect()
}

/// The command of a test, or the words of its input.
fn test_name(event: &Event) -> String {
    let input = || event.data.get("input").map(Value::to_string).unwrap_or_default();
    act::command(event).map_or_else(input, str::to_owned)
}

pub(super) fn not_run_by_author<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut found = Vec::new();
    let failures = seen.events().iter().filter(|event| act::is_failure(event));
    let failed: BTreeSet<&str> = failures.filter_map(|event| event.text("call")).collect();
    let changes: Vec<(usize, &Event)> = seen.all(Deed::Changes).collect();
    let mut ran: HashMap<(&str, String), usize> = HashMap::new();
    for (at, test) in seen.all(Deed::Tests) {
        let name = test_name(test);
        ran.entry((act::actor(test), name.clone())).or_insert(at);
        if !test.text("call").is_some_and(|call| failed.contains(call)) {
            continue;
        }
        let before = &changes[..changes.partition_point(|(place, _)| *place < at)];
        let change = before.iter().rev().find(|(_, change)| same_group(change, test));
        let Some((_, change)) = change.filter(|(_, change)| act::actor(change) != act::actor(test)) else {
            continue;
        };
        let author = act::actor(change);
        if !ran.contains_key(&(author, name.clone())) {
            let what = format!("{author} never ran `{name}`, which failed in /{}", test.seq);
            found.push(gap(GapKind::NotRunByAuthor, change, what));
        }
    }
    found
}

pub(super) fn claims_without_test<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut found = Vec::new();
    let Some(claims) = &*CLAIMS else { return found };
    for places in seen.lanes().values() {
        let claim = places.iter().find(|place| {
            let event = &seen.events()[**place];
            seen.deed(**place) == Some(Deed::Says)
                && act::own_words(event).into_iter().any(|text| claims.is_match(text))
        });
        let Some(claim) = claim else { continue };
        let tested = |place: &usize| seen.deed(*place) == Some(Deed::Tests);
        if !places.iter().take_while(|place| *place < claim).any(tested) {
            let event = &seen.events()[*claim];
            let what = format!("{} says that tests pass and ran none", act::actor(event));
            found.push(Gap { recorded: false, ..gap(GapKind::ClaimWithoutTest, event, what) });
        }
    }
    found
}
