//! Steps of our own exports: `extra.recount` has the event that a step is, but for what the step says itself.
//!
//! ```text
//! {"event":"s/17","hash":…,"kind":…,"key":…,"header":{…},"data":{"text":{"$step":"/message"},…},"answer":{…}}
//! ```
//! A file that says so is anybody's: what does not pass for a draft is taken as a step like any other, and what only
//! the recorder can say (sessions are linked, events were erased) becomes an event of the exporter's own, `x.…`.

use event::{COMMON, Draft, Kind, Origin};
use serde_json::{Map, Value};

use super::Trajectory;
use crate::Keys;
use crate::members::TakeMembers;
use crate::pen;

/// Header fields whose numbers are places in the store that was exported.
const REFERENCES: &[&str] = &["parent", "cause", "upto", "to"];

/// The store that a trajectory's agent says it is an export of.
pub(super) fn store(agent: &Map<String, Value>) -> Option<String> {
    agent.get("extra")?.get("store")?.as_str().map(str::to_owned)
}

/// The events of a step, none if they stand here; `None` if it is no step of ours.
pub(super) fn events(
    here: &mut Trajectory,
    step: &Map<String, Value>,
    keys: &dyn Keys,
) -> Option<Vec<Draft>> {
    let own = step.get("extra")?.get("recount")?.as_object()?;
    let told = [Some(own), own.get("answer").and_then(Value::as_object)];
    let mut drafts = Vec::new();
    for told in told.into_iter().flatten() {
        let place = told.text("event")?.rsplit_once('/')?.1.parse::<u64>().ok()?;
        let key = key(here, told, keys)?;
        here.known.insert(place, key.clone());
        if here.told.contains(told.text("hash").unwrap_or_default()) {
            continue;
        }
        drafts.push(draft(here, step, told)?.key(key));
    }
    Some(drafts)
}

/// What a transcript told has its key of old; anything else that of a copy.
fn key(here: &Trajectory, told: &Map<String, Value>, keys: &dyn Keys) -> Option<String> {
    if let Some(key) = told.text("key").and_then(|key| key.strip_prefix("imported:")) {
        return Some(key.to_owned());
    }
    let name = told.text("event")?;
    let store = crate::derive::id(keys, here.ours.as_deref()?);
    Some(format!("copy:{store}/{name}"))
}

fn draft(here: &Trajectory, step: &Map<String, Value>, told: &Map<String, Value>) -> Option<Draft> {
    let kind = told.text("kind")?;
    let renamed = match kind {
        "session.opened" => "session.updated".to_owned(),
        "session.linked" => format!("x.{kind}"),
        kind if kind.starts_with("audit.") => format!("x.{kind}"),
        kind => kind.to_owned(),
    };
    let kind = Kind::known(&renamed).ok()?;
    let mut draft = Draft::new(&here.session, kind, Origin::Imported);
    for (name, value) in told.get("header").and_then(Value::as_object).into_iter().flatten() {
        let moved = value.as_u64().filter(|_| REFERENCES.contains(&name.as_str()));
        let moved =
            moved.map(|place| here.known.get(&place).cloned().map_or_else(Value::default, Value::from));
        draft = draft.with(name, moved.unwrap_or_else(|| value.clone()));
    }
    draft.header.remove("supersedes");
    if renamed.starts_with("x.audit.") || renamed == "x.session.linked" {
        plain(&mut draft);
    }
    let at = step.get("timestamp").and_then(crate::time::at);
    draft = if draft.header.contains_key("at") { draft } else { draft.with("at", at) };
    for (name, value) in told.get("data").and_then(Value::as_object).into_iter().flatten() {
        draft.data.insert(name.clone(), put_in(step, value)?);
    }
    passes(&draft).then_some(draft)
}

/// A member, where it stands in the step itself taken from there.
fn put_in(step: &Map<String, Value>, value: &Value) -> Option<Value> {
    let Some(pointer) = value.get("$step").and_then(Value::as_str) else { return Some(value.clone()) };
    let (first, rest) = pointer
        .strip_prefix('/')?
        .split_once('/')
        .map_or((pointer.strip_prefix('/')?, ""), |(first, rest)| (first, rest));
    let member = step.get(first)?;
    if rest.is_empty() { Some(member.clone()) } else { member.pointer(&format!("/{rest}")).cloned() }
}

/// What a caller could hand in, or one of the two kinds of what could not be read or mapped.
fn passes(draft: &Draft) -> bool {
    let mut draft = draft.clone();
    "s".clone_into(&mut draft.session);
    if draft.kind == *"raw.kept" || draft.kind == *"gap.found" {
        draft.kind = Kind::of("note.added");
    }
    draft.check().is_ok()
}

/// What only a kind of the recorder has in its header goes into the payload.
fn plain(draft: &mut Draft) {
    let (common, own) = std::mem::take(&mut draft.header)
        .into_iter()
        .partition(|(name, _)| COMMON.iter().any(|(common, _)| name == common));
    draft.header = common;
    pen::add_ext_member(draft, "header", own);
}
