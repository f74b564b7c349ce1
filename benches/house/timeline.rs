//! The longest session (10,000 events from 50,000 on) told in order: from the journal, from the views, and
//! by the program.

use index::{Index, Scope};

use crate::Outcome;
use crate::fixture::{Fixture, first_session, program};
use crate::measure::ask;
use crate::table::{Table, Target};

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let full = fixture.full()?;
    let (store, session) = (full.store()?, first_session()?);
    let rows = store.timeline(&session)?.rows.len();
    table.value("events of the session", rows as f64, "", Target::None);
    let times = ask(20, || Ok(store.timeline(&session)?))?;
    table.latency("timeline from the journal, all rows", &times, Target::AtMost(12.0));

    store.reindex()?;
    let index = Index::open(full.journal.clone(), &full.root.join("index"));
    let scope = Scope::Session(session.clone());
    let times = ask(20, || Ok(index.views(&scope)?.timeline(&session)?))?;
    table.latency("timeline from the views, opened anew", &times, Target::None);
    let views = index.views(&scope)?;
    let times = ask(20, || Ok(views.timeline(&session)?))?;
    table.latency("timeline from open views, all rows", &times, Target::AtMost(12.0));
    drop(views);

    let mut command = program(&full.root);
    command.args(["timeline", session.as_str(), "--limit", "200"]);
    let times = ask(20, || Ok(command.status()?))?;
    table.latency("recount timeline --limit 200, whole process", &times, Target::None);
    Ok(())
}
