//! Agents and turns: who begins, who was called by whom, and how it ended.

use event::Draft;
use serde_json::Value;

use super::names;
use super::telling::{Telling, Told, Work, call_key};
use crate::Keys;
use crate::speech::{self, unwrapped};

impl Telling {
    pub(super) fn agent(&mut self, work: &mut Work, keys: &dyn Keys) -> Told {
        let mut told = Told::default();
        let call = work.worker.call.clone();
        let cause = call.as_ref().map(|call| format!("{}.invoked", call_key(keys, &work.trace, call)));
        if work.worker.parent.is_some() {
            let spawned = work.draft("agent.spawned").key(format!("{}.spawned", work.base));
            told.now.push(spawned.with("call", call.clone()).with("cause", cause));
        }
        let spawned = work.worker.parent.is_some().then(|| format!("{}.spawned", work.base));
        told.now.push(
            work.draft("agent.started")
                .key(work.base.clone())
                .with("call", call.clone())
                .with("cause", spawned),
        );
        let result = work.span.text(&["final_result"]).map(Value::from);
        let output = names::OUTPUT
            .iter()
            .chain(names::ANSWERED)
            .find_map(|name| work.span.attributes.get(*name))
            .cloned();
        let result = result.or_else(|| output.map(spoken));
        let inner = self.conversation(work, keys);
        told.now.extend(inner.now);
        told.later.extend(inner.later);
        told.later.push(stopped(work, call, result));
        told
    }

    pub(super) fn turn(&mut self, work: &mut Work, keys: &dyn Keys) -> Told {
        if work.span.parent.is_some() && !work.span.attributes.contains_key("ai.operationId") {
            return Told { now: vec![super::telling::other(work)], later: Vec::new() };
        }
        let turn = work.base.rsplit('.').next().unwrap_or_default().to_owned();
        let mut told = Told::default();
        told.now.push(work.draft("turn.started").key(work.base.clone()).with("turn", turn.clone()));
        let inner = self.conversation(work, keys);
        told.now.extend(inner.now);
        told.later.extend(inner.later);
        let status = if work.span.error().is_some() { "error" } else { "completed" };
        let ended = work.ending("turn.ended").key(format!("{}.ended", work.base)).with("turn", turn);
        let ended = ended.with("status", status).with("duration_ms", work.duration_ms());
        told.later.push(ended.data("error", work.span.error()).with("cause", work.base.clone()));
        told
    }
}

fn stopped(work: &Work, call: Option<String>, result: Option<Value>) -> Draft {
    let error = work.span.error();
    let status = if error.is_some() { "error" } else { "ok" };
    let draft =
        work.ending("agent.stopped").key(format!("{}.stopped", work.base)).with("cause", work.base.clone());
    draft.with("call", call).with("status", status).data("result", result.or_else(|| error.map(Value::from)))
}

/// What an agent said last, as a text if it is one.
fn spoken(value: Value) -> Value {
    let inner = unwrapped(value);
    match speech::read(inner.clone(), "assistant").last().map(speech::Message::text) {
        Some(text) if !text.is_empty() => text.into(),
        _ => inner,
    }
}
