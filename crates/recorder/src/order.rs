//! The order of a timeline: sequence order within an agent, agents merged by spawn and return edges, then by time.
//!
//! ```text
//! main   prompt ─ call A ─ call B ───────────────── A returned ─ B returned ─ …
//!                   │        └─▶ agent B starts … ────────────────┘
//!                   └─▶ agent A starts … ends ──────┘
//! ```
//! Clocks jump and transcripts are shuffled: within an agent a step never comes before its parent, and
//! the time of a step is never before that of the step in front of it.

use std::collections::HashMap;

use crate::steps::{Reference, Step};

/// Sorts the steps of one session for telling.
pub(crate) fn order(steps: Vec<Step>) -> Vec<Step> {
    let steps = parents_first(steps);
    let lanes = lanes(&actors(&steps));
    let gates = gates(&steps);
    let order = merge(&steps, &lanes, &gates);
    let mut slots: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| slots[at].take()).collect()
}

/// Puts each step behind its parent, if both are of one agent; otherwise the order stays.
fn parents_first(steps: Vec<Step>) -> Vec<Step> {
    let parents = parent_indexes(&steps);
    let in_order = |(at, parent): (usize, &Option<usize>)| parent.is_none_or(|parent| parent < at);
    if parents.iter().enumerate().all(in_order) {
        return steps;
    }
    let mut placed = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    for at in 0..steps.len() {
        let mut chain = Vec::new();
        let mut next = Some(at);
        // a cycle ends at a step of the chain itself, which is marked as placed already
        while let Some(step) = next.filter(|step| !placed[*step]) {
            placed[step] = true;
            chain.push(step);
            next = parents[step];
        }
        order.extend(chain.into_iter().rev());
    }
    let mut slots: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| slots[at].take()).collect()
}

/// In whose line each step stands. A spawn names the agent that it makes, and stands with who made it.
fn actors(steps: &[Step]) -> Vec<&str> {
    let callers: HashMap<&str, &str> = steps
        .iter()
        .filter(|step| step.kind == "skill.invoked")
        .filter_map(|step| Some((step.call.as_deref()?, step.actor())))
        .collect();
    let caller = |step: &Step| callers.get(step.call.as_deref()?).copied();
    let spawned = |step: &Step| step.kind == "agent.spawned";
    steps.iter().map(|step| caller(step).filter(|_| spawned(step)).unwrap_or(step.actor())).collect()
}

/// For each step the index of its parent, where that is a step of the same agent.
fn parent_indexes(steps: &[Step]) -> Vec<Option<usize>> {
    let actors = actors(steps);
    let by_seq: HashMap<u64, usize> = steps.iter().enumerate().map(|(at, s)| (s.seq, at)).collect();
    let by_key: HashMap<&str, usize> =
        steps.iter().enumerate().filter_map(|(at, s)| Some((bare(s.key.as_deref()?), at))).collect();
    let find = |reference: &Reference| match reference {
        Reference::Seq(seq) => by_seq.get(seq).copied(),
        Reference::Key(key) => by_key.get(key.as_str()).copied(),
        Reference::Event(_) => None,
    };
    let own = |reference: Option<&Reference>, at: usize| {
        reference.and_then(find).filter(|parent| *parent != at && actors[*parent] == actors[at])
    };
    // a result stands behind its call as a step stands behind its parent
    let parent =
        |(at, step): (usize, &Step)| own(step.parent.as_ref(), at).or_else(|| own(step.cause.as_ref(), at));
    steps.iter().enumerate().map(parent).collect()
}

/// A key without its origin.
fn bare(key: &str) -> &str {
    key.split_once(':').map_or(key, |(_, bare)| bare)
}

/// The steps of each agent, in order of first appearance.
fn lanes(actors: &[&str]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut lanes: Vec<Vec<usize>> = Vec::new();
    for (at, actor) in actors.iter().enumerate() {
        let lane = *numbers.entry(actor).or_insert_with(|| {
            lanes.push(Vec::new());
            lanes.len() - 1
        });
        lanes[lane].push(at);
    }
    lanes
}

/// For each step, the steps of other agents that come first.
fn gates(steps: &[Step]) -> HashMap<usize, Vec<usize>> {
    let mut gates: HashMap<usize, Vec<usize>> = HashMap::new();
    for (at, step) in steps.iter().enumerate() {
        if step.kind != "agent.spawned" {
            continue;
        }
        let Some(agent) = step.agent_id.as_deref() else { continue };
        let lane = || {
            steps.iter().enumerate().filter(|(other, s)| *other != at && s.agent_id.as_deref() == Some(agent))
        };
        let (first, last) = (lane().next().map(|(n, _)| n), lane().next_back().map(|(n, _)| n));
        let returned = step.call.as_deref().and_then(|call| {
            let returns = |s: &Step| s.kind == "skill.returned" && s.call.as_deref() == Some(call);
            steps.iter().position(|s| returns(s) && s.agent_id.as_deref() != Some(agent))
        });
        if let Some(first) = first {
            gates.entry(first).or_default().push(at);
        }
        if let (Some(last), Some(returned)) = (last, returned) {
            gates.entry(returned).or_default().push(last);
        }
    }
    gates
}

/// Merges the lanes: of the steps that nothing holds back, the earliest first, ties in journal order.
fn merge(steps: &[Step], lanes: &[Vec<usize>], gates: &HashMap<usize, Vec<usize>>) -> Vec<usize> {
    let mut heads = vec![0; lanes.len()];
    let mut clocks = vec![""; lanes.len()];
    let mut done = vec![false; steps.len()];
    let mut order = Vec::with_capacity(steps.len());
    while order.len() < steps.len() {
        let waiting = || lanes.iter().enumerate().filter_map(|(lane, l)| Some((lane, *l.get(heads[lane])?)));
        let open =
            |(_, at): &(usize, usize)| gates.get(at).is_none_or(|g| g.iter().all(|before| done[*before]));
        let due = |(lane, at): (usize, usize)| (steps[at].time.as_str().max(clocks[lane]), at, lane);
        // a ring of gates (a transcript that contradicts itself) opens at the earliest step
        let Some((time, at, lane)) =
            waiting().filter(open).map(due).min().or_else(|| waiting().map(due).min())
        else {
            break;
        };
        clocks[lane] = time;
        heads[lane] += 1;
        done[at] = true;
        order.push(at);
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use journal::Pointer;

    fn step(seq: u64, agent: &str, time: &str) -> Step {
        Step {
            seq,
            time: format!("2026-11-27T00:00:{time}.000000Z"),
            dated: true,
            kind: "message.recorded".to_owned(),
            agent: None,
            agent_id: Some(agent.to_owned()),
            group: None,
            parent: None,
            cause: None,
            call: None,
            key: None,
            target: None,
            conflict: false,
            pointer: Pointer { segment: 0, offset: 0, len: 0 },
        }
    }

    fn told(steps: Vec<Step>) -> Vec<u64> {
        order(steps).iter().map(|s| s.seq).collect()
    }

    #[test]
    fn agents_are_merged_by_time_and_each_keeps_its_own_order() {
        let steps = vec![step(0, "a", "01"), step(1, "a", "05"), step(2, "b", "02"), step(3, "b", "06")];
        assert_eq!(told(steps), [0, 2, 1, 3]);
    }

    #[test]
    fn a_clock_that_jumps_back_moves_nothing_within_an_agent() {
        let steps = vec![step(0, "a", "30"), step(1, "a", "01"), step(2, "b", "20")];
        assert_eq!(told(steps), [2, 0, 1]);
    }

    #[test]
    fn a_spawned_agent_comes_after_its_spawn_and_before_its_return() {
        let of_call =
            |kind: &str, step: Step| Step { kind: kind.to_owned(), call: Some("t1".to_owned()), ..step };
        let invoked = of_call("skill.invoked", step(0, "main", "10"));
        let spawned = of_call("agent.spawned", step(1, "sub", "10"));
        let returned = of_call("skill.returned", step(2, "main", "11"));
        // the agent's own clock is wrong in both directions
        let own = [step(3, "sub", "01"), step(4, "sub", "50"), step(5, "main", "52")];
        let steps: Vec<Step> = [invoked, spawned, returned].into_iter().chain(own).collect();
        assert_eq!(told(steps), [0, 1, 3, 4, 2, 5]);
    }

    #[test]
    fn shuffled_records_are_told_parents_first() {
        let chain = |seq: u64, parent: Option<Reference>| Step { parent, ..step(seq, "a", "01") };
        let steps = vec![
            Step { key: Some("imported:c".to_owned()), ..chain(0, Some(Reference::Key("b".to_owned()))) },
            Step { key: Some("imported:a".to_owned()), ..chain(1, None) },
            Step { key: Some("imported:b".to_owned()), ..chain(2, Some(Reference::Seq(1))) },
            Step { key: Some("imported:d".to_owned()), ..chain(3, Some(Reference::Seq(0))) },
        ];
        assert_eq!(told(steps), [1, 2, 0, 3]);
    }

    #[test]
    fn a_ring_of_parents_ends() {
        let ring = |seq, parent| Step { parent: Some(Reference::Seq(parent)), ..step(seq, "a", "01") };
        assert_eq!(told(vec![ring(0, 1), ring(1, 0)]).len(), 2);
    }
}
