//! `recount tail -f [S]`: the latest events of one session or all, and more as they arrive.

use std::collections::{HashMap, VecDeque};
use std::time::Duration;

use event::{Event, SessionId};
use journal::{JournalError, Place, Pointer, ReadError, Reader};
use orchestrate::handoff;
use recorder::{Store, summary};
use serde_json::json;

use crate::args::{Global, Tail};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::harmless::{harmless, harmless_json};
use crate::output::Output;
use crate::place;
use crate::table::Table;

const POLL: Duration = Duration::from_millis(150);
/// Events that are read of a session before what was read is shown.
const AT_ONCE: usize = 1000;

pub(crate) fn run(global: &Global, args: &Tail, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let only = args.session.as_deref().map(|name| store.session(name)).transpose()?;
    let mut names = Names::new(&store);
    let kind = args.capsules.then_some("handoff.made");
    let mut tail = Follower { store: &store, only, kind, places: HashMap::new() };
    let latest = tail.latest(args.lines)?;
    let mut print = |events: &[Event]| match kind {
        Some(_) => capsules(&store, events, args.ascii, out),
        None => print(events, &mut names, out),
    };
    print(&latest)?;
    if !args.follow {
        return Ok(0);
    }
    loop {
        if !tail.read_new(&mut print)? {
            std::thread::sleep(POLL);
        }
    }
}

/// Where every session was read up to. No file is held open: there may be more sessions than a process may
/// have files.
struct Follower<'a> {
    store: &'a Store,
    only: Option<SessionId>,
    /// Only events of this kind are looked for.
    kind: Option<&'static str>,
    places: HashMap<SessionId, Place>,
}

/// When, in which session, as which event, and where its line stands.
type Row = (String, SessionId, u64, Pointer);

impl Follower<'_> {
    fn sessions(&self) -> Result<Vec<SessionId>, Failure> {
        match &self.only {
            Some(session) => Ok(vec![session.clone()]),
            None => Ok(self.store.journal().sessions()?),
        }
    }

    /// The latest events of all sessions, in order of time. Only where they stand is kept while looking.
    fn latest(&mut self, count: usize) -> Result<Vec<Event>, Failure> {
        let mut rows: Vec<Row> = Vec::new();
        for session in self.sessions()? {
            rows.extend(self.last_of(&session, count)?);
            rows.sort_unstable_by(|a, b| (&a.0, &a.1, a.2).cmp(&(&b.0, &b.1, b.2)));
            rows.drain(..rows.len().saturating_sub(count));
        }
        let mut fetcher = self.store.fetcher();
        let mut events = Vec::with_capacity(rows.len());
        for (_, session, _, pointer) in rows {
            match fetcher.event(&session, &pointer) {
                Ok(event) => events.push(event),
                Err(JournalError::Damaged(finding)) => eprintln!("warning: {finding}"),
                Err(error) => return Err(error.into()),
            }
        }
        Ok(events)
    }

    /// The last events of one session, and where they end: read from the segment before which enough follow.
    fn last_of(&mut self, session: &SessionId, count: usize) -> Result<VecDeque<Row>, Failure> {
        let firsts: Vec<u64> =
            self.store.journal().extent(session)?.segments.iter().map(|segment| segment.first).collect();
        let last = firsts.last().copied().unwrap_or_default();
        let enough = |first: &&u64| last - **first >= count as u64;
        let near = firsts.iter().rev().find(enough).filter(|_| self.kind.is_none());
        let segment = near.or(firsts.first()).copied().unwrap_or_default();
        let from = Place { segment, seq: segment, ..Place::default() };
        let mut reader = self.store.journal().read(session, from)?.heads_only();
        let mut rows = VecDeque::new();
        loop {
            match reader.next() {
                Ok(Some(entry)) if self.kind.is_some_and(|kind| entry.line.kind != kind) => {}
                Ok(Some(entry)) => {
                    let time = entry.line.ts.to_owned();
                    rows.push_back((time, session.clone(), entry.line.seq, entry.pointer));
                    rows.drain(..rows.len().saturating_sub(count));
                }
                Ok(None) => break,
                Err(ReadError::Damage(finding)) => eprintln!("warning: {finding}"),
                Err(ReadError::Journal(error)) => return Err(error.into()),
            }
        }
        self.places.insert(session.clone(), reader.place().clone());
        Ok(rows)
    }

    /// Tells what was appended since the last look. False if there was nothing.
    fn read_new(&mut self, tell: &mut dyn FnMut(&[Event]) -> Result<(), Failure>) -> Result<bool, Failure> {
        let mut any = false;
        for session in self.sessions()? {
            let place = self.places.entry(session.clone()).or_default();
            if self.store.journal().extent(&session)?.ends_at(place) {
                continue;
            }
            let mut reader = self.store.journal().read(&session, place.clone())?;
            loop {
                let new = some(&mut reader)?;
                *place = reader.place().clone();
                if new.is_empty() {
                    break;
                }
                any = true;
                tell(&new)?;
            }
        }
        Ok(any)
    }
}

/// The next few events.
fn some(reader: &mut Reader) -> Result<Vec<Event>, Failure> {
    let mut events = Vec::new();
    while events.len() < AT_ONCE {
        match reader.next() {
            Ok(Some(entry)) => events.extend(Event::from_line(&entry.line)),
            Ok(None) => break,
            Err(ReadError::Damage(finding)) => eprintln!("warning: {finding}"),
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
    Ok(events)
}

/// Handoffs, a line each.
fn capsules(store: &Store, events: &[Event], ascii: bool, out: &mut Output) -> Result<(), Failure> {
    for event in events {
        let Some(capsule) = handoff::capsule_of(store, event)? else { continue };
        if out.json {
            let line = json!({"event": event.name(), "capsule": capsule, "line": capsule.line(ascii)});
            out.line(&harmless_json(&line.to_string()))?;
        } else {
            out.line(&harmless(&capsule.line(ascii)))?;
        }
    }
    out.flush()
}

fn print(events: &[Event], names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    if out.json {
        for event in events {
            let line = harmless_json(&shown::event_json(event).to_string());
            out.line(&line)?;
        }
        return out.flush();
    }
    let mut table = Table::new(&[]);
    for event in events {
        let summary = summary(event, 120);
        let label = if summary.label.is_empty() { String::new() } else { format!("[{}] ", summary.label) };
        table.row(vec![
            names.event(&event.session, event.seq).into(),
            shown::time(event.time(), out.utc).into(),
            shown::actor(event).into(),
            event.kind.as_str().into(),
            format!("{label}{}", summary.text).into(),
        ]);
    }
    let rows = table.tabs(out.color);
    out.text(&rows)?;
    out.flush()
}
