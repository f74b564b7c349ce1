//! To another store: each event is recorded there anew, through that store's redactor, with a link to where it
//! comes from. Done twice, nothing is told twice.

use std::collections::BTreeMap;

use event::{Draft, Event, EventRef, Origin, SessionId};
use recorder::{Recorded, Recorder, Store};
use serde_json::{Value, json};

use super::ExportError;
use super::told::told;

/// Headers that the other store makes of its own.
const OWN: [&str; 5] = ["origin", "key", "redacted", "store", "src"];

/// What became of a session's events.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Copied {
    /// Recorded now.
    pub stored: u64,
    /// There already.
    pub known: u64,
    /// The house's own words about this store, which say nothing of the other.
    pub left_out: u64,
    /// Damaged lines.
    pub damaged: u64,
}

/// Records a session's events in another store.
pub fn copy(store: &Store, session: &SessionId, to: &mut Recorder) -> Result<Copied, ExportError> {
    let told = told(store, session, u64::MAX)?;
    let id = store.journal().store_id();
    let name = store.original(session).unwrap_or_else(|| session.to_string());
    let mut copied = Copied { damaged: told.damaged, ..Copied::default() };
    let mut places: BTreeMap<u64, u64> = BTreeMap::new();
    if let Some(last) = told.events.last() {
        count(&to.record(link(&name, id, last))?, &mut copied);
    }
    for event in told.events {
        let Some(draft) = draft(&name, id, &event, &places) else {
            copied.left_out += 1;
            continue;
        };
        let recorded = to.record(draft)?;
        places.insert(event.seq, recorded.receipt().seq);
        count(&recorded, &mut copied);
    }
    Ok(copied)
}

fn count(recorded: &Recorded, copied: &mut Copied) {
    match recorded {
        Recorded::Stored(_) => copied.stored += 1,
        Recorded::Known(_) => copied.known += 1,
    }
}

/// Says once which session of which store this is a copy of, and how far.
fn link(name: &str, store: &str, last: &Event) -> Draft {
    let target = format!("{}#{}", last.name(), last.hash);
    let mut draft = Draft::new(name, event::Kind::of("session.linked"), Origin::Imported);
    draft.key = Some(format!("copied:{store}/{}", last.name()));
    draft.with("rel", "copy").with("target", target).with("src", json!({"id": store, "line": last.seq}))
}

/// The event as the other store is told it; `None` for what only this store can say.
fn draft(name: &str, store: &str, event: &Event, places: &BTreeMap<u64, u64>) -> Option<Draft> {
    let kind = match event.kind.as_str() {
        kind if kind.starts_with("audit.") => return None,
        "session.opened" if event.data.is_empty() => return None,
        "session.opened" => event::Kind::of("session.updated"),
        _ => event.kind.clone(),
    };
    let (header, data) = (event.header.to_map(), event.data.to_map());
    let key = Some(format!("copy:{store}/{}", event.name()));
    let mut draft = Draft { key, header, data, ..Draft::new(name, kind, Origin::Imported) };
    draft.header.retain(|name, _| !OWN.contains(&name.as_str()));
    for reference in ["cause", "parent", "upto", "to"] {
        if let Some(value) = draft.header.get_mut(reference).filter(|value| value.is_u64()) {
            *value = moved(event, value, places);
        }
    }
    draft.header.entry("at").or_insert_with(|| event.time().into());
    draft.header.insert("src".to_owned(), json!({"id": store, "line": event.seq}));
    draft.data.retain(|name, _| name != "redactions");
    Some(draft)
}

/// A sequence of this store as one of the other; what is not there stays a name.
fn moved(event: &Event, value: &Value, places: &BTreeMap<u64, u64>) -> Value {
    let seq = value.as_u64().unwrap_or_default();
    places.get(&seq).map_or_else(
        || EventRef { session: event.session.to_string(), seq, hash: None }.to_string().into(),
        |there| (*there).into(),
    )
}
