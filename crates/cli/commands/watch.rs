//! `recount watch QUERY [--exec PROGRAM]`: hits as they arrive.
//!
//! The program gets the hit as JSON on its standard input: recorded text is never an argument, and no
//! shell reads it.

use std::collections::BTreeSet;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::Duration;

use ::investigate::{Saved, ask};
use event::SessionId;
use recorder::{Hit, Now, Options, Sort, Store};

use crate::args::{Global, Watch};
use crate::commands::search::hit_json;
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::harmless::harmless_json;
use crate::output::Output;
use crate::place;
use crate::table::Table;
use crate::unsaid::unsaid_path;

const POLL: Duration = Duration::from_millis(500);
/// Hits of one look.
const MOST: usize = 1_000;

pub(crate) fn run(global: &Global, args: &Watch, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let saved = place::searches()?;
    let text = args.query.join(" ");
    let mut watch = Watcher { store: &store, text: &text, saved: &saved, seen: BTreeSet::new() };
    // what is there already is no news, unless it is all that is asked for
    let there = watch.new_hits(&shown::now(out))?;
    if args.once {
        tell(&there, args, &store, out)?;
        return Ok(if there.is_empty() { NO } else { 0 });
    }
    let mut extent = 0;
    loop {
        let grown = watch.bytes()?;
        if grown == extent {
            std::thread::sleep(POLL);
            continue;
        }
        extent = grown;
        let hits = watch.new_hits(&shown::now(out))?;
        tell(&hits, args, &store, out)?;
    }
}

struct Watcher<'a> {
    store: &'a Store,
    text: &'a str,
    saved: &'a Saved,
    seen: BTreeSet<(SessionId, u64)>,
}

impl Watcher<'_> {
    /// Bytes in the journal: it only grows.
    fn bytes(&self) -> Result<u64, Failure> {
        let journal = self.store.journal();
        let each = journal.sessions()?.into_iter().map(|session| Ok(journal.extent(&session)?.bytes()));
        each.sum()
    }

    fn new_hits(&mut self, now: &Now) -> Result<Vec<Hit>, Failure> {
        // times like since:1h move on: the query is read anew each time
        let query =
            ask(self.store, self.text, now, self.saved).map_err(|e| shown::not_asked(self.text, e))?;
        let options = Options { limit: MOST, sort: Some(Sort::Newest), ..Options::default() };
        let mut hits = self.store.search(&query, &options, false)?.hits;
        hits.retain(|hit| self.seen.insert((hit.event.session.clone(), hit.event.seq)));
        hits.reverse();
        Ok(hits)
    }
}

fn tell(hits: &[Hit], args: &Watch, store: &Store, out: &mut Output) -> Result<(), Failure> {
    let mut names = Names::new(store);
    for hit in hits {
        if out.json {
            let line = harmless_json(&hit_json(hit).to_string());
            out.line(&line)?;
        } else {
            let mut table = Table::new(&[]);
            let mut row = vec![shown::time(hit.event.time(), out.utc).into()];
            row.extend(shown::brief(&hit.event, &mut names));
            table.row(row);
            let rows = table.tabs(out.color);
            out.text(&rows)?;
        }
        out.flush()?;
        run_program(args, hit);
    }
    Ok(())
}

/// A program that cannot be run, or fails, is said and stops nothing.
fn run_program(args: &Watch, hit: &Hit) {
    let Some((program, rest)) = args.exec.split_first() else { return };
    let started = Command::new(program).args(rest).stdin(Stdio::piped()).spawn();
    let ended = started.and_then(|mut child| {
        if let Some(mut input) = child.stdin.take() {
            // one that does not read its input has its reasons
            let _ = writeln!(input, "{}", hit_json(hit));
        }
        child.wait()
    });
    let name = crate::harmless::harmless(&unsaid_path(program));
    match ended {
        Ok(status) if status.success() => {}
        Ok(status) => eprintln!("warning: {name} ended with {status}"),
        Err(error) => eprintln!("warning: cannot run {name}: {error}"),
    }
}
