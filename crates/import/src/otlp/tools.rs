//! Tools at work: the call, what came back, and whether another agent goes on from there.

use event::Draft;
use serde_json::Value;

use super::names::{self, Class};
use super::telling::{Telling, Told, Work, call_key, call_place};
use crate::Keys;
use crate::derive::short;
use crate::speech::unwrapped;

/// Tools with such names hand over to somebody.
const HANDING: &[&str] = &["transfer_to_", "handoff_to_", "delegate_to_"];

impl Telling {
    pub(super) fn tool(&mut self, work: &mut Work, keys: &dyn Keys) -> Told {
        let skill = names::skill(&work.span, work.class);
        let own = work.span.text(names::CALL).map(str::to_owned);
        let alone = own.as_deref().filter(|call| self.tree.spans_of_call(&work.trace, call) <= 1);
        let base = alone.map_or_else(|| work.base.clone(), |call| call_key(keys, &work.trace, call));
        // without an id its own key says enough
        let invoked = if alone.is_some() { format!("{base}.invoked") } else { base.clone() };
        let returned = format!("{base}.returned");
        let given = || self.given.get_mut(&short(&format!("{}\n{skill}", work.trace)))?.pop_front();
        let call = own.clone().or_else(given);
        if let Some(call) = &call {
            let tool = self.tool_names.keep(&skill);
            let place = call_place(&work.trace, call);
            self.calls.insert(place, (tool, invoked.as_str().into()));
        }
        let input = work.take(names::ARGUMENTS).map(unwrapped);
        let output = work.take(names::RESULT).map(unwrapped);
        let missing = input.is_none() && output.is_none() && work.class == Class::Tool;
        let mut told = Told::default();
        // an earlier import told of the call: from this span, or from the model's answer in another file
        if alone.is_none() || keys.session_of(&invoked).is_none() {
            let draft = work.draft("skill.invoked").key(invoked.clone()).with("skill", skill.as_str());
            told.now.push(draft.with("call", call.clone()).data("input", input.unwrap_or_default()));
        }
        told.now.extend(handoff(work, &skill, &base, &invoked));
        let error = work.span.error();
        let status = if error.is_some() { "error" } else { "ok" };
        let draft = work.ending("skill.returned").key(returned).with("skill", skill).with("call", call);
        let draft =
            draft.with("status", status).with("duration_ms", work.duration_ms()).with("cause", invoked);
        let draft = draft.data("output", output.unwrap_or_default()).data("error", error);
        told.later.push(if missing { draft.data("content_missing", true) } else { draft });
        told
    }
}

/// A call that passes the work on.
fn handoff(work: &Work, skill: &str, base: &str, cause: &str) -> Option<Draft> {
    let target = work.span.text(&["gen_ai.transfer.target.name", "to_agent", "gen_ai.handoff.to_agent"]);
    let by_name = HANDING.iter().find_map(|start| skill.strip_prefix(start));
    let to = target.or(by_name)?;
    let from = work.span.text(&["gen_ai.caller.name", "from_agent", "gen_ai.handoff.from_agent"]);
    let from = from.or(work.stamp.agent.as_deref());
    let mode = work.span.text(&["gen_ai.transfer.mode"]).unwrap_or("transfer");
    let draft = work.draft("handoff.made").key(format!("{base}.handoff")).with("cause", cause);
    Some(draft.with("from", from).with("to", to).with("mode", mode))
}

/// What stands in an attribute of a log event.
pub(super) fn plain_text(value: Option<Value>) -> Option<Value> {
    value.map(unwrapped).filter(|value| !value.is_null())
}
