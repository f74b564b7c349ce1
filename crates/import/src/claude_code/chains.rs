//! Which call started which agent, and which side chain a record is part of.
//!
//! A side chain's records stand inline and are linked by `parentUuid` only; the first is the prompt of the call that
//! started it. All of it is looked up before the first record is mapped, so that what a record becomes does not
//! hang on the order of the lines: a chain is known by its root, and of calls with the same prompt the earlier
//! started the earlier chain.

use std::collections::HashMap;

use crate::derive::short;

/// What an agent is called if nothing says more.
pub(super) const UNKNOWN_KIND: &str = "subagent";

/// A call that started an agent.
#[derive(Debug)]
pub(super) struct Spawn {
    /// The call's own id, or its part of a record if another session could have that id.
    pub(super) call: String,
    pub(super) kind: String,
    prompt: Option<u64>,
    at: Box<str>,
}

/// A record of a side chain.
#[derive(Debug)]
pub(super) struct Side {
    /// What the chain is called if this is its root: the `uuid`, or that of the record which this one copies.
    pub(super) name: Box<str>,
    pub(super) parent: Option<u64>,
    /// What it says, if it says a text.
    pub(super) prompt: Option<u64>,
    pub(super) at: Box<str>,
}

/// The agents that calls of one file started.
#[derive(Debug, Default)]
pub(super) struct Chains {
    spawns: Vec<Spawn>,
    /// By the id that the call has in the file, and by its own.
    by_call: HashMap<u64, usize>,
    /// By the `uuid` of the record.
    sides: HashMap<u64, Side>,
    roots: HashMap<u64, u64>,
    /// Which call started a chain, by root.
    started: HashMap<u64, usize>,
    settled: bool,
}

impl Chains {
    /// Remembers a call; the first word for it counts.
    pub(super) fn spawned(
        &mut self,
        call: Option<&str>,
        own: &str,
        kind: Option<&str>,
        prompt: Option<&str>,
        at: &str,
    ) {
        if self.by_call.contains_key(&short(own)) {
            return;
        }
        let index = self.spawns.len();
        self.by_call.extend([call.unwrap_or(own), own].map(|id| (short(id), index)));
        let (call, kind) = (own.to_owned(), kind.unwrap_or(UNKNOWN_KIND).to_owned());
        self.spawns.push(Spawn { call, kind, prompt: prompt.map(short), at: at.into() });
        self.settled = false;
    }

    /// Remembers a record of a side chain.
    pub(super) fn side(&mut self, uuid: &str, side: Side) {
        self.sides.entry(short(uuid)).or_insert(side);
        self.roots.clear();
        self.settled = false;
    }

    /// The agent's call, by the call's id.
    pub(super) fn by_call(&self, call: &str) -> Option<&Spawn> {
        self.spawns.get(*self.by_call.get(&short(call))?)
    }

    /// The first record of the chain in which this one stands.
    pub(super) fn root(&mut self, uuid: &str) -> Option<u64> {
        let mut at = short(uuid);
        self.sides.get(&at)?;
        let mut path = Vec::new();
        // Brent's: a circle comes back to a place that was marked, each mark twice as far as the one before
        let (mut marked, mut far) = (at, 1);
        while let Some(parent) = self.parent(at).filter(|_| !self.roots.contains_key(&at)) {
            path.push(at);
            at = parent;
            if at == marked {
                at = self.least_of_circle(at);
                break;
            }
            if path.len() == far {
                (marked, far) = (at, far * 2);
            }
        }
        let root = self.roots.get(&at).copied().unwrap_or(at);
        self.roots.extend(path.into_iter().map(|record| (record, root)));
        Some(root)
    }

    fn parent(&self, side: u64) -> Option<u64> {
        self.sides.get(&side)?.parent.filter(|parent| self.sides.contains_key(parent))
    }

    /// Parents that go round in a circle have no first one: the same is taken wherever one comes in.
    fn least_of_circle(&self, start: u64) -> u64 {
        let round = std::iter::successors(self.parent(start), |at| self.parent(*at).filter(|_| *at != start));
        round.min().unwrap_or(start)
    }

    /// What the chain with this root is called.
    pub(super) fn name(&self, root: u64) -> Option<&str> {
        self.sides.get(&root).map(|side| &*side.name)
    }

    /// The call that started the chain with this root.
    pub(super) fn started(&mut self, root: u64) -> Option<&Spawn> {
        if !self.settled {
            self.settle();
        }
        self.started.get(&root).map(|index| &self.spawns[*index])
    }

    /// Gives each chain the earliest call with its prompt that no earlier chain has.
    fn settle(&mut self) {
        let mut calls: Vec<usize> = (0..self.spawns.len()).collect();
        calls.sort_by_key(|index| std::cmp::Reverse((&self.spawns[*index].at, &self.spawns[*index].call)));
        let mut free: HashMap<u64, Vec<usize>> = HashMap::new();
        for index in calls {
            if let Some(prompt) = self.spawns[index].prompt {
                free.entry(prompt).or_default().push(index);
            }
        }
        let mut roots: Vec<(&Side, u64)> = self
            .sides
            .iter()
            .filter(|(id, _)| self.parent(**id).is_none())
            .map(|(id, side)| (side, *id))
            .collect();
        roots.sort_by_key(|(side, _)| (&side.at, &side.name));
        let pairs =
            roots.into_iter().filter_map(|(side, id)| Some((id, free.get_mut(&side.prompt?)?.pop()?)));
        self.started = pairs.collect();
        self.settled = true;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{Chains, Side};
    use crate::derive::short;

    fn chains(sides: &[(&str, Option<&str>)]) -> Chains {
        let mut chains = Chains::default();
        for (uuid, parent) in sides {
            let prompt = parent.is_none().then(|| short("look"));
            chains.side(
                uuid,
                Side { name: (*uuid).into(), parent: parent.map(short), prompt, at: (*uuid).into() },
            );
        }
        chains
    }

    fn root(chains: &mut Chains, uuid: &str) -> String {
        let root = chains.root(uuid).expect("a side chain's record");
        chains.name(root).expect("a root").to_owned()
    }

    #[test]
    fn a_chain_is_known_by_its_root_wherever_it_stands() {
        let mut chains = chains(&[("c", Some("b")), ("x", Some("main")), ("a", None), ("b", Some("a"))]);
        assert_eq!(["c", "b", "a", "x"].map(|uuid| root(&mut chains, uuid)), ["a", "a", "a", "x"]);
        assert_eq!(chains.root("main"), None);
        chains.side("main", Side { name: "main".into(), parent: None, prompt: None, at: "".into() });
        assert_eq!(root(&mut chains, "x"), "main", "a parent that comes late");
    }

    #[test]
    fn parents_in_a_circle_have_one_root() {
        let mut circle = chains(&[
            ("a", Some("b")),
            ("b", Some("c")),
            ("c", Some("a")),
            ("t", Some("a")),
            ("s", Some("s")),
        ]);
        let first = root(&mut circle, "t");
        for uuid in ["a", "b", "c", "t"] {
            let mut fresh = chains(&[("t", Some("a")), ("c", Some("a")), ("b", Some("c")), ("a", Some("b"))]);
            assert_eq!(
                (root(&mut circle, uuid), root(&mut fresh, uuid)),
                (first.clone(), first.clone()),
                "{uuid}"
            );
        }
        assert_eq!(root(&mut circle, "s"), "s");
    }

    #[test]
    fn a_long_chain_is_walked_once() {
        let names: Vec<String> = (0..200_000).map(|n| format!("{n}")).collect();
        let sides: Vec<_> = names
            .iter()
            .zip(std::iter::once(None).chain(names.iter().map(|n| Some(n.as_str()))))
            .map(|(n, p)| (n.as_str(), p))
            .collect();
        let mut chains = chains(&sides);
        assert!(names.iter().rev().all(|name| chains.root(name) == Some(short("0"))));
    }

    #[test]
    fn circles_of_any_size_are_walked_once() {
        for round in [1, 2, 3, 1_000, 100_000] {
            let names: Vec<String> = (0..100_000).map(|n| format!("{n}")).collect();
            let before = |n: usize| if n.is_multiple_of(round) { n + round - 1 } else { n - 1 };
            let sides: Vec<_> =
                (0..names.len()).map(|n| (&*names[n], names.get(before(n)).map(|p| &**p))).collect();
            let mut chains = chains(&sides);
            let roots: HashSet<_> = names.iter().map(|name| chains.root(name)).collect();
            assert_eq!(roots.len(), names.len().div_ceil(round), "{round}");
        }
    }

    #[test]
    fn equal_prompts_are_given_out_by_time() {
        let mut chains = chains(&[("2", None), ("3", None), ("1", None)]);
        for (call, at) in [("late", "0.2"), ("early", "0.1")] {
            chains.spawned(None, call, Some("explorer"), Some("look"), at);
            chains.spawned(None, call, Some("again"), Some("look"), at);
        }
        let started: Vec<_> = ["1", "2", "3"]
            .map(|uuid| chains.started(short(uuid)).map(|spawn| (spawn.call.clone(), spawn.kind.clone())))
            .into();
        let by = |call: &str| Some((call.to_owned(), "explorer".to_owned()));
        assert_eq!(started, [by("early"), by("late"), None]);
    }
}
