//! Which result belongs to which call, with ids or without.
//!
//! An id that no other session has is the event's key. One that only its session knows is told with the
//! session, and the n-th result belongs to the n-th call with it. Where calls have no ids a result belongs
//! to the oldest call of the same skill that waits for one, or else to the oldest.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::derive::{Names, is_global, short};

/// The calls of one file.
#[derive(Debug, Default)]
pub(super) struct Calls {
    known: HashMap<u64, Known>,
    /// Calls without an id that wait for a result.
    waiting: VecDeque<Waiting>,
    names: Names,
}

#[derive(Debug, Default)]
struct Known {
    calls: u32,
    results: u32,
    skill: Option<Rc<str>>,
}

#[derive(Debug)]
struct Waiting {
    skill: Option<Rc<str>>,
    key: String,
}

/// What is known of a result's call.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Answered {
    pub(super) key: Option<String>,
    pub(super) cause: Option<String>,
    pub(super) skill: Option<String>,
}

impl Calls {
    /// The key of a call's event; `own` is the key that it has otherwise.
    pub(super) fn invoked(
        &mut self,
        scope: &str,
        id: Option<&str>,
        skill: Option<&str>,
        own: &str,
    ) -> String {
        let skill = skill.map(|skill| self.names.keep(skill));
        let Some(id) = id else {
            self.waiting.push_back(Waiting { skill, key: own.to_owned() });
            return own.to_owned();
        };
        let known = self.known.entry(short(&format!("{scope}\n{id}"))).or_default();
        known.calls += 1;
        known.skill = skill;
        format!("{}.invoked", named(scope, id, known.calls))
    }

    /// A result's own key, the key of its call and its skill.
    pub(super) fn returned(&mut self, scope: &str, id: Option<&str>, skill: Option<&str>) -> Answered {
        if let Some(id) = id {
            let known = self.known.entry(short(&format!("{scope}\n{id}"))).or_default();
            if known.calls > 0 || self.waiting.is_empty() {
                known.results += 1;
                let name = named(scope, id, known.results);
                let skill = known.skill.as_ref().map(ToString::to_string);
                let (key, cause) = (Some(format!("{name}.returned")), Some(format!("{name}.invoked")));
                return Answered { key, cause, skill };
            }
        }
        let same = |call: &Waiting| skill.is_some() && call.skill.as_deref() == skill;
        let place = self.waiting.iter().position(same).or((!self.waiting.is_empty()).then_some(0));
        let Some(call) = place.and_then(|place| self.waiting.remove(place)) else {
            return Answered::default();
        };
        let skill = call.skill.as_ref().map(ToString::to_string);
        Answered { key: None, cause: Some(call.key), skill }
    }
}

fn named(scope: &str, id: &str, count: u32) -> String {
    let name = if is_global(id) { id.to_owned() } else { format!("{scope}/{id}") };
    if count > 1 { format!("{name}-{count}") } else { name }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_session_are_counted_and_others_are_keys() {
        let mut calls = Calls::default();
        assert_eq!(calls.invoked("s", Some("call_0"), Some("ls"), "k.1"), "s/call_0.invoked");
        let first = calls.returned("s", Some("call_0"), None);
        assert_eq!(first.cause.as_deref(), Some("s/call_0.invoked"));
        assert_eq!(first.skill.as_deref(), Some("ls"));
        assert_eq!(calls.invoked("s", Some("call_0"), Some("ls"), "k.2"), "s/call_0-2.invoked");
        let global = "toolu_01AbCdEfGhIjKlMn";
        let early = calls.returned("s", Some(global), None);
        assert_eq!(early.cause, Some(format!("{global}.invoked")));
    }

    #[test]
    fn without_ids_results_take_the_oldest_call_that_fits() {
        let mut calls = Calls::default();
        calls.invoked("s", None, Some("ls"), "k.1");
        calls.invoked("s", None, Some("cat"), "k.2");
        calls.invoked("s", None, Some("ls"), "k.3");
        assert_eq!(calls.returned("s", None, Some("cat")).cause.as_deref(), Some("k.2"));
        assert_eq!(calls.returned("s", Some("t1"), None).cause.as_deref(), Some("k.1"));
        assert_eq!(calls.returned("s", None, None).cause.as_deref(), Some("k.3"));
        assert_eq!(calls.returned("s", None, None), Answered::default());
    }
}
