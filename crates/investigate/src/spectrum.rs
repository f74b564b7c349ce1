//! Which acts go with failure: fingerprints of acts in failing and passing attempts, ranked by Ochiai.
//!
//! What a single attempt did, and what passing attempts do as often, goes with nothing and is left out.

use std::collections::{BTreeMap, BTreeSet};

use event::Event;

use crate::act;
use crate::print::of_act;
use crate::trace::Trace;

/// One kind of act, and how it is spread.
#[derive(Debug, Clone)]
pub struct Spread<'t> {
    /// An act of this kind, in the first failing attempt that has it.
    pub event: &'t Event,
    /// Failing attempts with it.
    pub in_failing: usize,
    /// Passing attempts with it.
    pub in_passing: usize,
    /// 0 to 1: how well it goes with failure.
    pub ochiai: f64,
}

/// Ranks the acts of attempts; `None` with fewer than two of each, which say nothing.
pub fn spectrum<'t>(failing: &'t [Trace], passing: &'t [Trace]) -> Option<Vec<Spread<'t>>> {
    if failing.len() < 2 || passing.len() < 2 {
        return None;
    }
    let mut acts: BTreeMap<String, Spread<'t>> = BTreeMap::new();
    for (trace, fails) in failing.iter().map(|t| (t, true)).chain(passing.iter().map(|t| (t, false))) {
        let mut seen = BTreeSet::new();
        for (print, event) in prints(trace) {
            if !seen.insert(print.clone()) {
                continue;
            }
            let spread = acts.entry(print);
            let spread = spread.or_insert(Spread { event, in_failing: 0, in_passing: 0, ochiai: 0.0 });
            *(if fails { &mut spread.in_failing } else { &mut spread.in_passing }) += 1;
        }
    }
    let more_often = |spread: &Spread<'t>| {
        spread.in_failing > 1 && spread.in_failing * passing.len() > spread.in_passing * failing.len()
    };
    let mut ranked: Vec<Spread<'t>> = acts.into_values().filter(more_often).collect();
    for spread in &mut ranked {
        spread.ochiai = ochiai(spread, failing.len());
    }
    ranked.sort_by(|a, b| {
        b.ochiai
            .total_cmp(&a.ochiai)
            .then_with(|| (&a.event.session, a.event.seq).cmp(&(&b.event.session, b.event.seq)))
    });
    Some(ranked)
}

#[allow(clippy::cast_precision_loss)] // counts of attempts
fn ochiai(spread: &Spread<'_>, failing: usize) -> f64 {
    let with = (spread.in_failing + spread.in_passing) as f64;
    spread.in_failing as f64 / (failing as f64 * with).sqrt()
}

/// Acts with how they ended: a call that failed is another act than one that did not.
fn prints(trace: &Trace) -> Vec<(String, &Event)> {
    let failed: BTreeSet<&str> =
        trace.events.iter().filter(|e| act::is_failure(e)).filter_map(|e| e.text("call")).collect();
    let outcome = |event: &Event| event.text("call").is_some_and(|call| failed.contains(call));
    let of =
        |event: &Event| Some(format!("{}{}", of_act(event)?, if outcome(event) { " failed" } else { "" }));
    trace.events.iter().filter_map(|event| Some((of(event)?, event))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{event, trace};
    use serde_json::json;

    #[test]
    fn what_only_failing_attempts_do_comes_first() {
        let call = |seq, command: &str| {
            event(
                seq,
                "skill.invoked",
                json!({"agent": "dev", "skill": "Bash"}),
                json!({"input": {"command": command}}),
            )
        };
        let bad = || trace(vec![call(0, "ls"), call(1, "rm -rf build")]);
        let good = || trace(vec![call(0, "ls"), call(1, "make")]);
        let (bad, good) = ([bad(), bad()], [good(), good()]);
        let found = spectrum(&bad, &good).expect("enough");
        assert_eq!((found[0].event.seq, found[0].in_passing), (1, 0));
        assert!((found[0].ochiai - 1.0).abs() < 1e-9);
        assert_eq!(found.len(), 1, "what all do says nothing");
        let once = [trace(vec![call(0, "ls"), call(1, "rm -rf build"), call(2, "curl")]), bad[1].clone()];
        assert_eq!(spectrum(&once, &good).expect("enough").len(), 1, "what one attempt did says nothing");
        assert!(spectrum(&bad[..1], &good).is_none());
    }
}
