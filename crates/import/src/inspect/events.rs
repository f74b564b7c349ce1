//! A sample's events, by what they are.

use event::{Draft, Kind};
use serde_json::{Map, Value};

use super::Log;
use super::sample::{Sample, note_attachments};
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Keys, time};

/// Tools with such names hand over to another agent.
const HANDING: &str = "transfer_to_";

/// One event on its way.
pub(super) struct Note {
    pub(super) fields: Map<String, Value>,
    pub(super) stamp: Stamp,
    pub(super) base: String,
}

impl Note {
    pub(super) fn duration_ms(&self) -> Option<i64> {
        let seconds = self.fields.get("working_time").and_then(Value::as_f64);
        seconds.and_then(millis).or_else(|| {
            let nanos = |name: &str| self.fields.text(name).and_then(time::nanos);
            i64::try_from(nanos("completed")?.checked_sub(nanos("timestamp")?)? / 1_000_000).ok()
        })
    }

    /// The stamp of its end.
    fn ended(&self) -> Stamp {
        let at = self.fields.get("completed").and_then(time::at).or_else(|| self.stamp.at.clone());
        Stamp { at, ..self.stamp.clone() }
    }
}

#[allow(clippy::cast_possible_truncation, reason = "checked")]
fn millis(seconds: f64) -> Option<i64> {
    (0.0..1e9).contains(&seconds).then_some((seconds * 1000.0) as i64)
}

impl Log {
    /// The events of an event; `None` for a kind that is newer than this build.
    pub(super) fn event(
        &mut self,
        fields: Map<String, Value>,
        index: i64,
        keys: &dyn Keys,
    ) -> Option<Vec<Draft>> {
        let mut sample = self.sample.take()?;
        let found = self.told(&mut sample, fields, index, keys);
        self.sample = Some(sample);
        found
    }

    fn told(
        &mut self,
        sample: &mut Sample,
        fields: Map<String, Value>,
        index: i64,
        keys: &dyn Keys,
    ) -> Option<Vec<Draft>> {
        let own = fields.text("uuid").map_or_else(|| index.to_string(), str::to_owned);
        let stamp = sample.stamp(&fields);
        sample.saw(stamp.at.as_ref());
        let base = format!("{}.{own}", sample.base);
        let kind = fields.text("event")?.to_owned();
        let mut note = Note { fields, stamp, base };
        let mut used = Vec::new();
        let mut drafts = match kind.as_str() {
            "model" => self.model(sample, &mut note, keys),
            "tool" => tool(sample, &mut note, &mut used),
            "span_begin" => vec![begins(sample, &mut note)],
            "span_end" => vec![ends(sample, &note)],
            "step" => vec![step(sample, &note)],
            "score" | "score_edit" => {
                let score =
                    note.fields.remove("score").or_else(|| note.fields.remove("edit")).unwrap_or_default();
                let scorer =
                    note.fields.text("scorer").or_else(|| note.fields.text("score_name")).map(str::to_owned);
                let scorer = scorer.or_else(|| sample.scorer.clone());
                let draft = sample.draft(&note.stamp, "score.given");
                vec![scored(sample, draft, scorer.as_deref(), &score)]
            }
            _ => vec![simple(sample, &kind, &mut note, &mut used)?],
        };
        let key = |draft: &Draft| draft.key.clone().unwrap_or_default();
        for draft in drafts.iter_mut().filter(|draft| draft.key.is_none()) {
            draft.key = Some(note.base.clone());
        }
        let own = drafts.iter().position(|draft| key(draft).starts_with(&note.base)).unwrap_or_default();
        if let Some(draft) = drafts.get_mut(own) {
            note_attachments(draft, used);
            pen::add_ext_member(draft, "event", note.fields);
        }
        Some(drafts)
    }
}

fn tool(sample: &mut Sample, note: &mut Note, used: &mut Vec<Value>) -> Vec<Draft> {
    let skill = note.fields.take_text("function").unwrap_or_else(|| "tool".to_owned());
    let call = note.fields.take_text("id");
    let input = sample.text(note.fields.remove("arguments"), used);
    let invoked = format!("{}.invoked", note.base);
    let draft = sample.draft(&note.stamp, "skill.invoked").key(invoked.clone());
    let draft = draft.with("skill", skill.as_str()).with("call", call.clone()).data("input", input);
    let mut drafts = vec![draft];
    if let Some(to) = note
        .fields
        .text("agent")
        .map(str::to_owned)
        .or_else(|| skill.strip_prefix(HANDING).map(str::to_owned))
    {
        let made = sample.draft(&note.stamp, "handoff.made").key(format!("{}.handoff", note.base));
        let from = note.stamp.agent.clone();
        if let Some(span) = note.fields.text("agent_span_id") {
            sample.agents.insert(span.to_owned(), to.clone());
        }
        drafts.push(
            made.with("from", from).with("to", to).with("mode", "transfer").with("cause", invoked.clone()),
        );
    }
    if note.fields.flag("pending") {
        // still at work when the log was written
        return drafts;
    }
    let output = sample.text(note.fields.remove("result"), used);
    let error = note.fields.remove("error").filter(|error| !error.is_null());
    let message = error.as_ref().and_then(|error| error.get("message").cloned());
    let status =
        match error.as_ref().map(|error| error.get("type").and_then(Value::as_str).unwrap_or_default()) {
            None => "ok",
            Some("timeout") => "timeout",
            Some("approval") => "denied",
            Some(_) => "error",
        };
    let back = sample.draft(&note.ended(), "skill.returned").key(format!("{}.returned", note.base));
    let back = back.with("skill", skill).with("call", call).with("status", status).with("cause", invoked);
    let message = sample.text(message, used);
    drafts.push(back.with("duration_ms", note.duration_ms()).data("output", output).data("error", message));
    if let Some(error) = error {
        note.fields.insert("error".to_owned(), error);
    }
    drafts
}

/// A span: an agent at work, or a part of the sample.
fn begins(sample: &mut Sample, note: &mut Note) -> Draft {
    let text = |name: &str| note.fields.text(name).unwrap_or_default().to_owned();
    let (id, name, kind) = (text("id"), text("name"), text("type"));
    let parent = note.fields.text("parent_id").map(str::to_owned);
    if let Some(parent) = &parent {
        sample.above.insert(id.clone(), parent.clone());
    }
    sample.spans.insert(id.clone(), (kind.clone(), note.base.clone()));
    if kind != "agent" {
        return sample
            .draft(&note.stamp, "turn.started")
            .with("turn", id)
            .data("name", name)
            .data("type", kind);
    }
    let above = parent.and_then(|parent| sample.agent_of(&parent));
    sample.agents.insert(id.clone(), name.clone());
    let stamp = Stamp { agent: Some(name), agent_id: Some(id), parent_agent: above, ..note.stamp.clone() };
    sample.draft(&stamp, "agent.started")
}

fn ends(sample: &Sample, note: &Note) -> Draft {
    let id = note.fields.text("id").unwrap_or_default().to_owned();
    let begun = sample.spans.get(&id);
    let cause = begun.map(|(_, key)| key.clone());
    match begun {
        Some((kind, _)) if kind == "agent" => {
            let stamp = Stamp { agent: sample.agent_of(&id), agent_id: Some(id), ..note.stamp.clone() };
            sample.draft(&stamp, "agent.stopped").with("status", "ok").with("cause", cause)
        }
        _ => {
            let draft = sample.draft(&note.stamp, "turn.ended").with("turn", id);
            draft.with("status", "completed").with("cause", cause)
        }
    }
}

/// What spans were before there were spans.
fn step(sample: &Sample, note: &Note) -> Draft {
    let text = |name: &str| note.fields.text(name).unwrap_or_default().to_owned();
    if text("action") == "end" {
        return sample
            .draft(&note.stamp, "turn.ended")
            .with("turn", text("name"))
            .with("status", "completed");
    }
    let draft = sample.draft(&note.stamp, "turn.started").with("turn", text("name"));
    draft.data("name", text("name")).data("type", text("type"))
}

/// A judgement: its value and why.
pub(super) fn scored(sample: &mut Sample, draft: Draft, scorer: Option<&str>, score: &Value) -> Draft {
    let mut used = Vec::new();
    let score = sample.resolved(score, &mut used);
    let value = score.get("value").unwrap_or(&score);
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let text = score.get("explanation").or_else(|| score.get("answer")).cloned().filter(Value::is_string);
    let draft = draft.with("score", crate::pen::title(&value)).with("label", scorer.map(str::to_owned));
    let mut draft = draft.data("text", text.unwrap_or_default()).data("body", score);
    note_attachments(&mut draft, used);
    draft
}

/// Events that are one event of ours.
fn simple(sample: &mut Sample, kind: &str, note: &mut Note, used: &mut Vec<Value>) -> Option<Draft> {
    let stamp = note.stamp.clone();
    let fields = &mut note.fields;
    let changed = |sample: &Sample, what: &str| sample.draft(&stamp, "state.changed").with("what", what);
    Some(match kind {
        "sample_init" | "subtask" | "branch" | "anchor" | "checkpoint" => changed(sample, kind),
        "state" | "store" => {
            let changes = fields.remove("changes").unwrap_or_default();
            changed(sample, kind).data("body", changes)
        }
        "sandbox" => {
            let done = ["cmd", "file", "action"].iter().find_map(|name| fields.get(*name).cloned());
            let done = sample.text(done, used);
            sample.draft(&stamp, "skill.progressed").with("skill", "sandbox").data("text", done)
        }
        "approval" => {
            let call = fields.get("call").and_then(Value::as_object);
            let text = |name: &str| call.and_then(|call| call.text(name)).map(str::to_owned);
            let (skill, id) = (text("function"), text("id"));
            let draft = sample.draft(&stamp, "permission.decided").with("skill", skill).with("call", id);
            let draft = draft.with("decision", fields.text("decision").map(str::to_owned));
            let why = fields.remove("explanation");
            draft.data("reason", sample.text(why, used))
        }
        "error" => {
            let error = fields.remove("error").unwrap_or_default();
            let message = error.get("message").cloned().unwrap_or_else(|| error.clone());
            let detail = error.get("traceback").cloned();
            let draft =
                sample.draft(&stamp, "error.raised").data("message", sample.text(Some(message), used));
            draft.data("detail", sample.text(detail, used))
        }
        "sample_limit" => {
            let rule = fields.text("type").map(str::to_owned);
            let draft = sample.draft(&stamp, "error.raised").with("category", "limit").with("rule", rule);
            let message = fields.take_text("message");
            draft.data("message", message)
        }
        "info" => {
            let data = fields.remove("data");
            let source = fields.text("source").map(str::to_owned);
            sample.draft(&stamp, "note.added").with("about", source).data("text", sample.text(data, used))
        }
        "logger" => {
            let message = fields.take_object("message").unwrap_or_default();
            let mut draft = sample.draft(&stamp, "state.changed");
            draft.kind = Kind::known("x.log").unwrap_or(draft.kind);
            let level = message.text("level").map(str::to_owned);
            let name = message.get("message").cloned();
            draft
                .data("severity", level)
                .data("name", sample.text(name, used))
                .data("body", Value::Object(message))
        }
        "input" => {
            let text = fields.take_text("input");
            sample.draft(&stamp, "message.recorded").with("role", "user").data("text", text)
        }
        "compaction" => {
            let trigger = fields.text("type").map(str::to_owned);
            let tokens = fields.count("tokens_before");
            sample.draft(&stamp, "context.compacted").with("trigger", trigger).with("tokens", tokens)
        }
        "interrupt" => sample.draft(&stamp, "turn.ended").with("status", "aborted"),
        _ => return None,
    })
}
