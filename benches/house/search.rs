//! Questions to a full index: warm in one process, and as a whole program; the scan that needs no index.

use index::{Index, Options, Query, Sort};
use recorder::Now;

use crate::Outcome;
use crate::fixture::{Fixture, program};
use crate::measure::ask;
use crate::table::{Table, Target};

/// A word of the generator's that comes up about fifty times in 100,000 events.
const RARE: &str = "babanidi";
/// What is asked, and in what order the answer is wanted.
const QUESTIONS: &[(&str, &str, Option<Sort>)] = &[
    ("common term", "error", None),
    ("rare term", RARE, None),
    ("AND", "deadlock rollback", None),
    ("OR", "deadlock OR keypair", None),
    ("phrase", "\"thread pool\"", None),
    ("stop-word phrase", "\"the value of\"", None),
    ("prefix", "serial*", None),
    ("filtered", "error group:GROUP-1 kind:reasoning", None),
    ("newest", "error", Some(Sort::Newest)),
    ("newest by filter", "kind:handoff", None),
];
const TIMES: usize = 200;

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let full = fixture.full()?;
    full.store()?.reindex()?;
    let index = Index::open(full.journal.clone(), &full.root.join("index"));
    let now = Now::utc(full.journal.world().clock.now());
    for (name, text, sort) in QUESTIONS {
        let query = Query::parse(text, &now)?;
        let options = Options { sort: *sort, ..Options::default() };
        let mut total = 0;
        let times = ask(TIMES, || {
            let answer = index.search(&query, &options)?;
            total = answer.total;
            answer.complete.then_some(()).ok_or_else(|| "an answer is not complete".into())
        })?;
        let limit = if name.starts_with("stop-word") { 20.0 } else { 5.0 };
        table.latency(&format!("search {name}"), &times, Target::AtMost(limit));
        table.value(&format!("search {name}, hits"), total as f64, "", Target::None);
    }

    for (name, text) in [("common term", "error"), ("phrase", "\"thread pool\"")] {
        let mut command = program(&full.root);
        command.args(["search", text]);
        let times = ask(30, || Ok(command.status()?))?;
        table.latency(&format!("recount search, {name}, whole process"), &times, Target::AtMost(30.0));
    }

    let query = Query::parse(RARE, &now)?;
    let times = ask(5, || Ok(index.scan(&query, &Options::default())?))?;
    table.row("scan of the journal, time", &times, "ms", Target::None);
    let speed = full.journal_bytes as f64 / 1e3 / table.get("scan of the journal, time");
    table.value("scan of the journal", speed, "MB/s", Target::None);
    Ok(())
}
