//! Reading a session back: the events of some kinds in journal order, each told once, payloads whole.

use std::collections::HashMap;

use event::{Draft, Event, Kind, Origin, SessionId};
use journal::{Journal, JournalError, Place, ReadError, Sameness, Stretch, compare};
use recorder::{Fetcher, Receipt, Recorder, RecorderError, Store};
use serde_json::{Map, Value};

use crate::error::BazingaError;

/// A session of so much is looked at as a whole.
const GLANCE_BYTES: u64 = 64 * 1024 * 1024;

/// What the caller of these commands says.
pub(crate) fn draft(session: &str, kind: &'static str) -> Draft {
    Draft::new(session, Kind::of(kind), Origin::Claimed)
}

/// Checks a draft, records it, and reads back what is stored: what was redacted shows in it.
pub(crate) fn record(recorder: &mut Recorder, draft: Draft) -> Result<Event, BazingaError> {
    let receipt = receipt(recorder, draft)?;
    let store = recorder.store();
    let session = store.session(&receipt.session)?;
    let event = store.fetcher().event(&session, &receipt.pointer)?;
    whole(store.journal(), event)
}

fn receipt(recorder: &mut Recorder, draft: Draft) -> Result<Receipt, BazingaError> {
    draft.check().map_err(|error| BazingaError::value("the command", error.to_string()))?;
    Ok(recorder.record(draft)?.receipt().clone())
}

/// The session of exactly this name; a beginning of one is no name here, where a save follows a look.
pub(crate) fn named(store: &Store, name: &str) -> Result<Option<SessionId>, BazingaError> {
    let found = match store.session(name) {
        Ok(found) => found,
        Err(RecorderError::NoSession { .. } | RecorderError::Ambiguous { .. }) => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let own = found.as_str() == name || store.original(&found).as_deref() == Some(name);
    Ok(own.then_some(found))
}

/// What a session is called by those who use it.
pub(crate) fn called(store: &Store, session: &SessionId) -> String {
    store.original(session).unwrap_or_else(|| session.to_string())
}

/// The events of these kinds in a session, in journal order; none where there is no such session.
pub(crate) fn events(store: &Store, session: &str, kinds: &[&str]) -> Result<Vec<Event>, BazingaError> {
    match named(store, session)? {
        Some(session) => events_of(store.journal(), &session, &|kind| kinds.contains(&kind)),
        None => Ok(Vec::new()),
    }
}

/// The events of the kinds that are wanted.
pub(crate) fn events_of(
    journal: &Journal,
    session: &SessionId,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Event>, BazingaError> {
    let events = match glanced(journal, session, wanted)? {
        Some(events) => events,
        None => read(journal, session, wanted)?,
    };
    events.into_iter().map(|event| whole(journal, event)).collect()
}

/// The same out of one look at a session of ordinary size; `None` if it is another, or not plain.
fn glanced(
    journal: &Journal,
    session: &SessionId,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Option<Vec<Event>>, BazingaError> {
    let Some(stretch) = journal.stretch(session, GLANCE_BYTES)?.filter(Stretch::is_whole) else {
        return Ok(None);
    };
    let (mut events, mut keys, mut good) = (Vec::new(), HashMap::new(), true);
    let plain = stretch.each(&mut |glance| {
        if !good || !wanted(&event::decode(glance.kind).unwrap_or_default()) {
            return;
        }
        match glance.event(session) {
            Ok(event) if !told_again(&mut keys, &events, &event) => events.push(event),
            Ok(_) => {}
            Err(_) => good = false,
        }
    });
    Ok((plain && good).then_some(events))
}

fn read(
    journal: &Journal,
    session: &SessionId,
    wanted: &dyn Fn(&str) -> bool,
) -> Result<Vec<Event>, BazingaError> {
    let mut reader = journal.read(session, Place::default())?.heads_only();
    let mut fetcher = Fetcher::new(journal);
    let (mut events, mut keys) = (Vec::new(), HashMap::new());
    loop {
        match reader.next() {
            Ok(Some(entry)) if wanted(&event::decode(entry.line.kind).unwrap_or_default()) => {
                let event = match fetcher.event(session, &entry.pointer) {
                    Ok(event) => event,
                    // damage is `verify`'s to tell; a fold goes on without the event
                    Err(JournalError::Damaged(_)) => continue,
                    Err(error) => return Err(error.into()),
                };
                if !told_again(&mut keys, &events, &event) {
                    events.push(event);
                }
            }
            Ok(None) => break,
            Ok(Some(_)) | Err(ReadError::Damage(_)) => {}
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
    Ok(events)
}

/// True if an earlier event has the key and says the same.
fn told_again(keys: &mut HashMap<String, usize>, events: &[Event], event: &Event) -> bool {
    let Some(key) = event.text("key") else { return false };
    if let Some(earlier) = keys.get(key).and_then(|at| events.get(*at)) {
        return compare(earlier.into(), event.into()) == Sameness::Duplicate;
    }
    keys.insert(key.to_owned(), events.len());
    false
}

/// The event with its large payloads where they were cut out.
pub fn whole(journal: &Journal, mut event: Event) -> Result<Event, BazingaError> {
    for value in event.data.map_mut().values_mut() {
        *value = journal.whole(value)?;
    }
    Ok(event)
}

/// When it happened, as the original writes times.
pub(crate) fn time(event: &Event) -> String {
    written(event.time())
}

/// A time as the original writes it.
pub(crate) fn written(time: &str) -> String {
    match (time.get(..10), time.get(11..19)) {
        (Some(date), Some(clock)) => format!("{date} {clock}"),
        _ => time.to_owned(),
    }
}

/// A number that names an event wherever it stands: 48 bits of its hash.
pub(crate) fn number(hash: &str) -> u64 {
    hash.get(..12).and_then(|hex| u64::from_str_radix(hex, 16).ok()).unwrap_or_default()
}

/// A header field or nothing.
pub(crate) fn field(event: &Event, name: &str) -> Value {
    event.header.get(name).cloned().unwrap_or(Value::Null)
}

/// The object under `body`.
pub(crate) fn body(event: &Event) -> Option<&Map<String, Value>> {
    event.data.get("body")?.as_object()
}

/// True if a secret was taken out of it.
pub(crate) fn redacted(event: &Event) -> bool {
    event.header.contains_key("redacted")
}
