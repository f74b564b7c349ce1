//! `recount tail -f [S]`: the latest events of one session or all, and more as they arrive.

use std::collections::BTreeMap;
use std::time::Duration;

use event::{Event, SessionId};
use journal::{Place, ReadError, Reader};
use recorder::{Store, summary};

use crate::args::{Global, Tail};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::harmless::harmless_json;
use crate::output::Output;
use crate::place;
use crate::table::Table;

const POLL: Duration = Duration::from_millis(150);

pub(crate) fn run(global: &Global, args: &Tail, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let only = args.session.as_deref().map(|name| store.session(name)).transpose()?;
    let mut readers = BTreeMap::new();
    let mut latest = read_new(&store, only.as_ref(), &mut readers)?;
    latest.sort_by(|a, b| (&a.ts, &a.session, a.seq).cmp(&(&b.ts, &b.session, b.seq)));
    let begin = latest.len().saturating_sub(args.lines);
    let mut names = Names::new(&store);
    print(&latest[begin..], &mut names, out)?;
    if !args.follow {
        return Ok(0);
    }
    loop {
        std::thread::sleep(POLL);
        let new = read_new(&store, only.as_ref(), &mut readers)?;
        print(&new, &mut names, out)?;
    }
}

/// Everything that was appended since the last look.
fn read_new(
    store: &Store,
    only: Option<&SessionId>,
    readers: &mut BTreeMap<SessionId, Reader>,
) -> Result<Vec<Event>, Failure> {
    let sessions = match only {
        Some(session) => vec![session.clone()],
        None => store.journal().sessions()?,
    };
    let mut new = Vec::new();
    for session in sessions {
        if !readers.contains_key(&session) {
            readers.insert(session.clone(), store.journal().read(&session, Place::default())?);
        }
        let Some(reader) = readers.get_mut(&session) else { continue };
        loop {
            match reader.next() {
                Ok(Some(entry)) => new.extend(Event::from_line(&entry.line)),
                Ok(None) => break,
                Err(ReadError::Damage(finding)) => eprintln!("warning: {finding}"),
                Err(ReadError::Journal(error)) => return Err(error.into()),
            }
        }
    }
    Ok(new)
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
