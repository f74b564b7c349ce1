//! The order of a timeline: sequence order within an agent, agents merged by spawn and return edges, then by time.
//!
//! ```text
//! main   prompt ─ call A ─ call B ───────────────── A returned ─ B returned ─ …
//!                   │        └─▶ agent B starts … ────────────────┘
//!                   └─▶ agent A starts … ends ──────┘
//! ```
//! Clocks jump and transcripts are shuffled: within an agent a step never comes before its parent, and
//! the time of a step is never before that of the step in front of it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::maps::HashMap;
use crate::steps::{Reference, Step};

/// Sorts the steps of one session for telling.
pub(crate) fn order(steps: Vec<Step>) -> Vec<Step> {
    let steps = parents_first(steps);
    let lanes = lanes(&steps, &actors(&steps));
    let gates = gates(&steps, &lanes);
    let order = merge(&steps, &lanes, &gates);
    let mut slots: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| slots[at].take()).collect()
}

/// Puts each record behind its parent, if both are of one agent, and each call of a model in front of what
/// came of it; otherwise the order stays. The steps of one record stay together.
fn parents_first(steps: Vec<Step>) -> Vec<Step> {
    let actors = actors(&steps);
    let edges = Edges::of(&steps, &actors);
    let order = calls_first(&steps, &edges, Records::of(&steps, &actors).in_order(&edges));
    if order.is_sorted() {
        return steps;
    }
    let mut slots: Vec<Option<Step>> = steps.into_iter().map(Some).collect();
    order.into_iter().filter_map(|at| slots[at].take()).collect()
}

/// Steps by the record that told them; a step without one is a record of its own.
struct Records {
    /// The steps of each, in order.
    steps: Vec<Vec<usize>>,
    /// For each step its record.
    of: Vec<usize>,
}

impl Records {
    fn of(steps: &[Step], actors: &[&str]) -> Self {
        let mut known: HashMap<(&str, (&str, u64)), usize> = HashMap::default();
        let mut records = Self { steps: Vec::new(), of: Vec::new() };
        for (at, step) in steps.iter().enumerate() {
            let next = records.steps.len();
            let source = step.source().map(|source| (actors[at], source));
            let record = source.map_or(next, |source| *known.entry(source).or_insert(next));
            if record == next {
                records.steps.push(Vec::new());
            }
            records.steps[record].push(at);
            records.of.push(record);
        }
        records
    }

    /// The steps, each record behind the one that its own parent stands in.
    fn in_order(&self, edges: &Edges) -> Vec<usize> {
        let mut placed = vec![false; self.steps.len()];
        let mut order = Vec::with_capacity(self.of.len());
        for record in 0..self.steps.len() {
            let mut chain = Vec::new();
            let mut next = Some(record);
            // a cycle ends at a record of the chain itself, which is marked as placed already
            while let Some(record) = next.filter(|record| !placed[*record]) {
                placed[record] = true;
                chain.push(record);
                next = self.parent(record, edges);
            }
            order.extend(chain.into_iter().rev().flat_map(|record| &self.steps[record]));
        }
        order
    }

    fn parent(&self, record: usize, edges: &Edges) -> Option<usize> {
        let parents = self.steps[record].iter().filter_map(|at| edges.parents[*at]);
        parents.map(|parent| self.of[parent]).find(|parent| *parent != record)
    }
}

/// A response stands in several records, and whichever came first told the call.
fn calls_first(steps: &[Step], edges: &Edges, order: Vec<usize>) -> Vec<usize> {
    let mut place = vec![0; steps.len()];
    order.iter().enumerate().for_each(|(number, at)| place[*at] = number);
    // what came of each call that stands behind it
    let mut effects: HashMap<usize, usize> = HashMap::default();
    for at in &order {
        if let Some(call) = edges.causes[*at].filter(|call| steps[*call].kind() == "model.called")
            && place[call] > place[*at]
        {
            effects.entry(call).or_insert(*at);
        }
    }
    if effects.is_empty() {
        return order;
    }
    let mut calls: HashMap<usize, Vec<usize>> = HashMap::default();
    order.iter().filter_map(|at| Some((at, effects.get(at)?))).for_each(|(call, first)| {
        calls.entry(*first).or_default().push(*call);
    });
    let stays = order.into_iter().filter(|at| !effects.contains_key(at));
    stays.flat_map(|at| calls.remove(&at).unwrap_or_default().into_iter().chain([at])).collect()
}

/// In whose line each step stands. A spawn names the agent that it makes, and stands with who made it.
fn actors(steps: &[Step]) -> Vec<&str> {
    let callers: HashMap<&str, &str> = steps
        .iter()
        .filter(|step| step.kind() == "skill.invoked")
        .filter_map(|step| Some((step.call()?, step.actor())))
        .collect();
    let caller = |step: &Step| callers.get(step.call()?).copied();
    let spawned = |step: &Step| step.kind() == "agent.spawned";
    steps.iter().map(|step| caller(step).filter(|_| spawned(step)).unwrap_or(step.actor())).collect()
}

/// For each step, the steps of the same agent that it stands behind and that it answers.
struct Edges {
    parents: Vec<Option<usize>>,
    causes: Vec<Option<usize>>,
}

impl Edges {
    fn of(steps: &[Step], actors: &[&str]) -> Self {
        let by_seq: HashMap<u64, usize> = steps.iter().enumerate().map(|(at, s)| (s.seq(), at)).collect();
        let by_key: HashMap<&str, usize> =
            steps.iter().enumerate().filter_map(|(at, s)| Some((bare(s.key()?), at))).collect();
        let find = |reference: Reference<'_>| match reference {
            Reference::Seq(seq) => by_seq.get(&seq).copied(),
            Reference::Key(key) => by_key.get(key).copied(),
        };
        let own = |reference: Option<Reference<'_>>, at: usize| {
            reference.and_then(find).filter(|other| *other != at && actors[*other] == actors[at])
        };
        let causes: Vec<Option<usize>> =
            steps.iter().enumerate().map(|(at, step)| own(step.cause(), at)).collect();
        // a result stands behind its call as a step stands behind its parent
        let answered = |at: usize| causes[at].filter(|cause| steps[*cause].kind() != "model.called");
        let parent = |(at, step): (usize, &Step)| own(step.parent(), at).or_else(|| answered(at));
        let parents = steps.iter().enumerate().map(parent).collect();
        Self { parents, causes }
    }
}

/// A key without its origin.
fn bare(key: &str) -> &str {
    key.split_once(':').map_or(key, |(_, bare)| bare)
}

/// The steps of each agent, in order of first appearance.
fn lanes(steps: &[Step], actors: &[&str]) -> Vec<Vec<usize>> {
    let mut numbers: HashMap<&str, usize> = HashMap::default();
    let mut lanes: Vec<Vec<usize>> = Vec::new();
    for (at, actor) in actors.iter().enumerate() {
        let lane = *numbers.entry(actor).or_insert_with(|| {
            lanes.push(Vec::new());
            lanes.len() - 1
        });
        lanes[lane].push(at);
    }
    for lane in &mut lanes {
        stopped_last(steps, lane);
    }
    lanes
}

/// That an agent stopped is mostly told by who started it, whose transcript may be read before the agent's own: it
/// stands behind all that the agent did until then.
fn stopped_last(steps: &[Step], lane: &mut Vec<usize>) {
    let mut stops = lane.iter().filter(|at| steps[**at].kind() == "agent.stopped");
    let (Some(stop), None) = (stops.next().copied(), stops.next()) else { return };
    if lane.iter().all(|at| steps[*at].time() <= steps[stop].time()) {
        lane.retain(|at| *at != stop);
        lane.push(stop);
    }
}

/// For each step, the steps of other agents that come first.
fn gates(steps: &[Step], lanes: &[Vec<usize>]) -> HashMap<usize, Vec<usize>> {
    let stretch = |lane: &Vec<usize>| {
        let own: Vec<usize> =
            lane.iter().copied().filter(|at| steps[*at].kind() != "agent.spawned").collect();
        Some((steps[*own.first()?].agent_id()?, (*own.first()?, *own.last()?)))
    };
    let stretches: HashMap<&str, (usize, usize)> = lanes.iter().filter_map(stretch).collect();
    let mut returns: HashMap<&str, usize> = HashMap::default();
    for (at, step) in steps.iter().enumerate() {
        if let Some(call) = step.call().filter(|_| step.kind() == "skill.returned") {
            returns.entry(call).or_insert(at);
        }
    }
    let mut gates: HashMap<usize, Vec<usize>> = HashMap::default();
    for (at, step) in steps.iter().enumerate().filter(|(_, step)| step.kind() == "agent.spawned") {
        let Some(agent) = step.agent_id() else { continue };
        let Some((first, last)) = stretches.get(agent).copied() else { continue };
        gates.entry(first).or_default().push(at);
        let returned = step.call().and_then(|call| returns.get(call));
        if let Some(returned) = returned.filter(|at| steps[**at].agent_id() != Some(agent)) {
            gates.entry(*returned).or_default().push(last);
        }
    }
    gates
}

/// Merges the lanes: of the steps that nothing holds back, the earliest first, ties in journal order.
fn merge(steps: &[Step], lanes: &[Vec<usize>], gates: &HashMap<usize, Vec<usize>>) -> Vec<usize> {
    let mut merge = Merge {
        steps,
        lanes,
        gates,
        heads: vec![0; lanes.len()],
        clocks: vec![""; lanes.len()],
        done: vec![false; steps.len()],
        open: BinaryHeap::new(),
        held: BinaryHeap::new(),
        waiting: HashMap::default(),
    };
    (0..lanes.len()).for_each(|lane| merge.offer(lane));
    let mut order = Vec::with_capacity(steps.len());
    while let Some(at) = merge.next() {
        order.push(at);
    }
    order
}

/// A step that may come next: its time, its place in the journal, its lane.
type Due<'a> = Reverse<(&'a str, usize, usize)>;

/// Lanes being merged, in time that grows with the steps and not with the agents.
struct Merge<'a> {
    steps: &'a [Step],
    lanes: &'a [Vec<usize>],
    gates: &'a HashMap<usize, Vec<usize>>,
    heads: Vec<usize>,
    clocks: Vec<&'a str>,
    done: Vec<bool>,
    open: BinaryHeap<Due<'a>>,
    /// Heads that wait for a step of another lane.
    held: BinaryHeap<Due<'a>>,
    waiting: HashMap<usize, Vec<usize>>,
}

impl Merge<'_> {
    /// Puts the head of a lane where it belongs: among those that may come, or with the one that it waits for.
    fn offer(&mut self, lane: usize) {
        let Some(at) = self.lanes[lane].get(self.heads[lane]).copied() else { return };
        let due = Reverse((self.steps[at].time().max(self.clocks[lane]), at, lane));
        let gate = self.gates.get(&at).and_then(|gates| gates.iter().find(|gate| !self.done[**gate]));
        if let Some(gate) = gate {
            self.waiting.entry(*gate).or_default().push(lane);
            self.held.push(due);
        } else {
            self.open.push(due);
        }
    }

    /// The next step. A ring of gates (a transcript that contradicts itself) opens at the earliest.
    fn next(&mut self) -> Option<usize> {
        loop {
            let Reverse((time, at, lane)) = self.open.pop().or_else(|| self.held.pop())?;
            if self.done[at] {
                continue;
            }
            self.done[at] = true;
            self.clocks[lane] = time;
            self.heads[lane] += 1;
            self.offer(lane);
            self.waiting.remove(&at).unwrap_or_default().into_iter().for_each(|lane| self.offer(lane));
            return Some(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use event::{Event, Kind, Members, SessionId};
    use journal::Pointer;
    use serde_json::{Value, json};

    fn step(seq: u64, agent: &str, time: &str) -> Step {
        told_as(seq, "message.recorded", &json!({"agent_id": agent, "at": clock(time)}))
    }

    /// The same with another kind and more in its header.
    fn of(seq: u64, agent: &str, time: &str, kind: &str, more: Value) -> Step {
        let mut header = json!({"agent_id": agent, "at": clock(time)});
        if let (Some(header), Value::Object(more)) = (header.as_object_mut(), more) {
            header.extend(more);
        }
        told_as(seq, kind, &header)
    }

    fn clock(seconds: &str) -> String {
        format!("2026-11-27T00:00:{seconds}.000000Z")
    }

    fn told_as(seq: u64, kind: &str, header: &Value) -> Step {
        let event = Event {
            session: SessionId::new("s").expect("an id"),
            seq,
            ts: clock("00"),
            kind: Kind::stored(kind),
            header: header.as_object().cloned().unwrap_or_default().into(),
            prev: String::new(),
            hash: String::new(),
            data: Members::default(),
            erased: Vec::new(),
        };
        Step::new(event, Pointer { segment: 0, offset: 0, len: 0 })
    }

    fn told(steps: Vec<Step>) -> Vec<u64> {
        order(steps).iter().map(Step::seq).collect()
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
        let of_call = |seq, agent, time, kind| of(seq, agent, time, kind, json!({"call": "t1"}));
        let invoked = of_call(0, "main", "10", "skill.invoked");
        let spawned = of_call(1, "sub", "10", "agent.spawned");
        let returned = of_call(2, "main", "11", "skill.returned");
        // the agent's own clock is wrong in both directions
        let own = [step(3, "sub", "01"), step(4, "sub", "50"), step(5, "main", "52")];
        let steps: Vec<Step> = [invoked, spawned, returned].into_iter().chain(own).collect();
        assert_eq!(told(steps), [0, 1, 3, 4, 2, 5]);
    }

    #[test]
    fn an_agent_stops_behind_what_it_did_although_its_transcript_was_read_later() {
        let of_call = |seq, agent, time, kind| of(seq, agent, time, kind, json!({"call": "t1"}));
        let steps = vec![
            of_call(0, "main", "10", "skill.invoked"),
            of_call(1, "sub", "10", "agent.spawned"),
            of_call(2, "main", "40", "skill.returned"),
            of_call(3, "sub", "40", "agent.stopped"),
            step(4, "sub", "20"),
            step(5, "sub", "30"),
        ];
        assert_eq!(told(steps), [0, 1, 4, 5, 3, 2]);
    }

    #[test]
    fn shuffled_records_are_told_parents_first() {
        let keyed = |seq, key: &str, parent: Value| {
            of(
                seq,
                "a",
                "01",
                "message.recorded",
                json!({"key": format!("imported:{key}"), "parent": parent}),
            )
        };
        let steps = vec![
            keyed(0, "c", "b".into()),
            keyed(1, "a", Value::Null),
            keyed(2, "b", 1.into()),
            keyed(3, "d", 0.into()),
        ];
        assert_eq!(told(steps), [1, 2, 0, 3]);
    }

    #[test]
    fn a_response_on_several_shuffled_lines_is_told_as_one() {
        // lines 1 to 3 of the transcript are one response; line 3 came first and told the call
        let line = |seq, line: u64, kind: &str, parent: &str, cause: &str| {
            let header = json!({"src": {"id": "file", "line": line}, "key": format!("imported:{kind}{line}"),
                "parent": parent, "cause": cause});
            of(seq, "a", "01", kind, header)
        };
        let steps = vec![
            line(0, 0, "prompt", "", ""),
            line(1, 3, "model.called", "skill2", ""),
            line(2, 3, "skill", "skill2", "model.called3"),
            line(3, 4, "result", "model.called3", ""),
            line(4, 1, "text", "prompt0", "model.called3"),
            line(5, 2, "skill", "text1", "model.called3"),
            line(6, 2, "plan", "skill2", ""),
        ];
        assert_eq!(told(steps), [0, 1, 4, 5, 6, 2, 3]);
    }

    #[test]
    fn agents_that_each_wait_for_the_other_are_all_told() {
        let calls = |seq, agent, kind, call: &str| of(seq, agent, "01", kind, json!({"call": call}));
        // each is spawned by a call that the other makes after its own first step
        let steps = vec![
            step(0, "a", "01"),
            calls(1, "a", "skill.invoked", "tb"),
            calls(2, "b", "agent.spawned", "tb"),
            step(3, "b", "01"),
            calls(4, "b", "skill.invoked", "ta"),
            calls(5, "a", "agent.spawned", "ta"),
        ];
        let mut told = told(steps);
        assert_eq!(told.first(), Some(&0));
        told.sort_unstable();
        assert_eq!(told, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn a_ring_of_parents_ends() {
        let ring = |seq, parent: u64| of(seq, "a", "01", "note.added", json!({"parent": parent}));
        assert_eq!(told(vec![ring(0, 1), ring(1, 0)]).len(), 2);
    }
}
