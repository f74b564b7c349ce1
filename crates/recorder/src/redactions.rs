//! What the redactor took out of a store: counted, followed by its fingerprint, looked for anew.

use std::collections::{BTreeMap, BTreeSet};

use event::{Draft, Event, Origin, SessionId, nearest};
use journal::{Journal, Place, ReadError};
use redact::{Clean, Redactor};
use serde_json::{Map, Value};

use crate::error::RecorderError;
use crate::store::Store;

/// Secrets taken out, by session, agent and kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Redactions {
    /// How many, by session, agent (`-` for nobody) and kind.
    pub counts: BTreeMap<(SessionId, String, String), u64>,
    /// Events that were read.
    pub events: u64,
    /// Damaged lines passed over.
    pub damaged: u64,
}

/// Where a fingerprint stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Travel {
    /// Events with it, in order of time.
    pub events: Vec<Event>,
    /// What kinds its marks say.
    pub kinds: BTreeSet<String>,
    /// If it stands nowhere, the one that looks most like it.
    pub near: Option<String>,
    /// Events that were read.
    pub read: u64,
    /// Damaged lines passed over.
    pub damaged: u64,
}

/// A secret that today's rules find in what is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Late {
    /// The session.
    pub session: SessionId,
    /// The event.
    pub seq: u64,
    /// The member of its data, or `header`.
    pub field: String,
    /// What kind of secret.
    pub kind: String,
    /// How many.
    pub count: u64,
}

/// What today's rules would take out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rescan {
    /// What was found, in order.
    pub late: Vec<Late>,
    /// Events that were read.
    pub events: u64,
    /// Damaged lines passed over.
    pub damaged: u64,
}

impl Store {
    /// Counts what was taken out, of one session or of all.
    pub fn redactions(&self, session: Option<&SessionId>) -> Result<Redactions, RecorderError> {
        let mut found = Redactions::default();
        for session in self.wanted(session)? {
            let (events, damaged) = each(&self.journal, &session, |event| {
                let agent = event.text("agent_id").or_else(|| event.text("agent")).unwrap_or("-");
                let Some(kinds) = event.header.get("redacted").and_then(Value::as_object) else {
                    return Ok(());
                };
                for (kind, count) in kinds {
                    let place = (session.clone(), agent.to_owned(), kind.clone());
                    *found.counts.entry(place).or_default() += count.as_u64().unwrap_or(0);
                }
                Ok(())
            })?;
            found.events += events;
            found.damaged += damaged;
        }
        Ok(found)
    }

    /// Every event in which a fingerprint stands.
    pub fn travel(&self, print: &str) -> Result<Travel, RecorderError> {
        let mut travel = Travel::default();
        let mut all = BTreeSet::new();
        for session in self.wanted(None)? {
            let (read, damaged) = each(&self.journal, &session, |event| {
                let marks = marks(event);
                let kinds: Vec<&str> =
                    marks.iter().filter(|(_, found)| found == print).map(|(kind, _)| kind.as_str()).collect();
                if !kinds.is_empty() {
                    travel.kinds.extend(kinds.into_iter().map(str::to_owned));
                    travel.events.push(event.clone());
                }
                all.extend(marks.into_iter().map(|(_, print)| print));
                Ok(())
            })?;
            travel.read += read;
            travel.damaged += damaged;
        }
        travel.events.sort_by(|a, b| {
            (a.time(), a.session.as_str(), a.seq).cmp(&(b.time(), b.session.as_str(), b.seq))
        });
        if travel.events.is_empty() {
            travel.near = nearest(print, all.iter().map(String::as_str)).map(str::to_owned);
        }
        Ok(travel)
    }

    /// Runs a redactor over what is stored; nothing is written.
    pub fn rescan(&self, redactor: &Redactor, session: Option<&SessionId>) -> Result<Rescan, RecorderError> {
        let mut found = Rescan::default();
        for session in self.wanted(session)? {
            let late = &mut found.late;
            let (events, damaged) = each(&self.journal, &session, |event| {
                late.extend(self.late(redactor, event)?);
                Ok(())
            })?;
            found.events += events;
            found.damaged += damaged;
        }
        Ok(found)
    }

    fn wanted(&self, session: Option<&SessionId>) -> Result<Vec<SessionId>, RecorderError> {
        match session {
            Some(session) => Ok(vec![session.clone()]),
            None => Ok(self.journal.sessions()?),
        }
    }

    /// What today's rules leave of an event's payload, as far as they change it.
    pub fn cleaned(
        &self,
        redactor: &Redactor,
        session: &SessionId,
        seq: u64,
    ) -> Result<Map<String, Value>, RecorderError> {
        let (event, _) = self.journal.event(session, seq)?;
        let (_, clean) = self.again(redactor, &event)?;
        let mut data = clean.draft().data.clone();
        data.retain(|name, value| event.data.get(name).is_some_and(|stored| stored != value));
        Ok(data)
    }

    /// An event's header as it was, and the whole of it by today's rules.
    fn again(
        &self,
        redactor: &Redactor,
        event: &Event,
    ) -> Result<(Map<String, Value>, Clean), RecorderError> {
        let mut draft = Draft::new(event.session.as_str(), event.kind.clone(), Origin::Imported);
        draft.header = event.header.to_map();
        for name in ["redacted", "key", "origin", "src", "store"] {
            draft.header.remove(name);
        }
        draft.data = event.data.to_map();
        draft.data.values_mut().for_each(|value| self.put_back(value));
        let before = draft.header.clone();
        let clean = redactor
            .clean(draft)
            .map_err(|source| RecorderError::Redact { session: event.session.to_string(), source })?;
        Ok((before, clean))
    }

    fn late(&self, redactor: &Redactor, event: &Event) -> Result<Vec<Late>, RecorderError> {
        // what the audit trail says was redacted when it was said, and cannot be erased
        if event.kind.as_str().starts_with("audit.") {
            return Ok(Vec::new());
        }
        let (before, clean) = self.again(redactor, event)?;
        let mut counts: BTreeMap<(String, String), u64> = BTreeMap::new();
        for detail in clean.draft().data.get("redactions").and_then(Value::as_array).into_iter().flatten() {
            let text = |name: &str| detail.get(name).and_then(Value::as_str).unwrap_or("-").to_owned();
            *counts.entry((text("member"), text("kind"))).or_default() += 1;
        }
        let in_data: u64 = counts.values().sum();
        let in_header = clean.hits() as u64 - in_data.min(clean.hits() as u64);
        if in_header > 0 && changed(&before, &clean.draft().header) {
            counts.insert(("header".to_owned(), "-".to_owned()), in_header);
        }
        let late = |((field, kind), count)| Late {
            session: event.session.clone(),
            seq: event.seq,
            field,
            kind,
            count,
        };
        Ok(counts.into_iter().map(late).collect())
    }

    /// Text that a line had no room for, where it stood.
    pub(crate) fn put_back(&self, value: &mut Value) {
        match value {
            Value::Array(items) => items.iter_mut().for_each(|item| self.put_back(item)),
            Value::Object(map) => match self.blob_text(map) {
                Some(text) => *value = text,
                None => map.values_mut().for_each(|item| self.put_back(item)),
            },
            _ => {}
        }
    }

    fn blob_text(&self, map: &Map<String, Value>) -> Option<Value> {
        let media = map.get("media")?.as_str()?;
        let bytes = self.journal.blob(map.get("blob")?.as_str()?).ok()?;
        match media {
            "application/json" => serde_json::from_slice(&bytes).ok(),
            media if media.starts_with("text/") => String::from_utf8(bytes).ok().map(Value::String),
            _ => None,
        }
    }
}

fn changed(before: &Map<String, Value>, after: &Map<String, Value>) -> bool {
    before.iter().any(|(name, value)| after.get(name) != Some(value))
}

/// Reads a session; says how many events it has and how many lines are damaged.
fn each(
    journal: &Journal,
    session: &SessionId,
    mut take: impl FnMut(&Event) -> Result<(), RecorderError>,
) -> Result<(u64, u64), RecorderError> {
    let mut reader = journal.read(session, Place::default())?;
    let (mut events, mut damaged) = (0, 0);
    loop {
        match reader.next() {
            Ok(Some(entry)) => match Event::from_line(&entry.line) {
                Some(event) => {
                    events += 1;
                    take(&event)?;
                }
                None => damaged += 1,
            },
            Ok(None) => return Ok((events, damaged)),
            Err(ReadError::Damage(_)) => damaged += 1,
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
}

/// Kind and fingerprint of each mark: as the redactor wrote them down, and as they stand in texts that
/// came with marks.
fn marks(event: &Event) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for (name, value) in &event.data {
        match value.as_array().filter(|_| name == "redactions") {
            Some(details) => {
                let text = |detail: &Value, name: &str| detail.get(name)?.as_str().map(str::to_owned);
                found.extend(
                    details.iter().filter_map(|detail| Some((text(detail, "kind")?, text(detail, "fp")?))),
                );
            }
            None => in_value(value, &mut found),
        }
    }
    found
}

fn in_value(value: &Value, found: &mut Vec<(String, String)>) {
    match value {
        Value::String(text) => {
            for rest in text.split("[REDACTED:").skip(1) {
                if let Some((kind, print)) = rest.split_once(']').and_then(|(mark, _)| mark.split_once(':')) {
                    found.push((kind.to_owned(), print.to_owned()));
                }
            }
        }
        Value::Array(items) => items.iter().for_each(|item| in_value(item, found)),
        Value::Object(map) => map.values().for_each(|item| in_value(item, found)),
        _ => {}
    }
}
