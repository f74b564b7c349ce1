//! `recount retention`: how long sessions are kept, and which are due.

use audit::{FLOOR_DAYS, Holds, LastSeal, Retention};
use journal::Journal;
use serde_json::{Value, json};
use world::{World, rfc3339};

use crate::args::{self, Global};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::table::Table;
use crate::{place, seals};

const FILE: &str = "retention.toml";

/// A session that was kept as long as the policy says.
pub(crate) struct Due {
    pub(crate) session: String,
    pub(crate) seal: LastSeal,
    pub(crate) days: u32,
    /// The case that keeps it all the same.
    pub(crate) held: Option<String>,
}

pub(crate) fn run(global: &Global, args: &args::Retention, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    if let Some(days) = args.keep_days {
        set(store.journal(), days)?;
    }
    let Some(policy) = policy(store.journal())? else {
        eprintln!(
            "no policy: every session is kept until an order takes it away\n\nhint: `recount retention --keep-days {FLOOR_DAYS}` makes one"
        );
        return Ok(NO);
    };
    let due = due(store.journal(), &policy)?;
    if out.json {
        let rows: Vec<Value> = due
            .iter()
            .map(|due| {
                json!({"session": due.session, "events": due.seal.events, "sealed_at": due.seal.ts, "days": due.days, "held": due.held})
            })
            .collect();
        let body = json!({"keep_days": policy.keep_days, "sessions": policy.sessions, "floor_days": FLOOR_DAYS, "due": rows});
        out.document("recount.retention/1", &json!({}), true, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["due", "events", "last sealed", "kept for", "held"]);
    for due in &due {
        let days = format!("{} days", due.days);
        let held = due.held.as_deref().unwrap_or("-");
        let row = [due.session.as_str(), &due.seal.events.to_string(), &due.seal.ts, &days, held];
        table.row(row.into_iter().map(Into::into).collect());
    }
    out.table(&table)?;
    out.flush()?;
    eprintln!("sessions are kept {} days; {} are due", policy.keep_days, due.len());
    Ok(0)
}

/// The policy of a store, if its user has one.
pub(crate) fn policy(journal: &Journal) -> Result<Option<Retention>, Failure> {
    let path = place::keys_dir(journal.store_id())?.join(FILE);
    let text = match std::fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(Failure::io(&format!("read {}", path.display()), &error)),
    };
    let bad = |what: String| {
        Failure::usage(format!("{}: {what}", path.display()))
            .hint("keep_days = 365, and under [sessions] other times by how an id begins: \"ci-\" = 184")
    };
    Retention::parse(&text).map(Some).map_err(bad)
}

fn set(journal: &Journal, days: u32) -> Result<(), Failure> {
    let path = place::keys_dir(journal.store_id())?.join(FILE);
    let old = policy(journal)?.map(|policy| policy.sessions).unwrap_or_default();
    let mut text = format!("keep_days = {days}\n");
    if !old.is_empty() {
        text.push_str("[sessions]\n");
        for (beginning, days) in &old {
            text.push_str(&format!("{beginning:?} = {days}\n"));
        }
    }
    Retention::parse(&text).map_err(Failure::usage)?;
    Ok(journal::replace_file(&World::real(), &path, text.as_bytes(), true)?)
}

/// The sessions that were sealed last longer ago than the policy keeps them.
pub(crate) fn due(journal: &Journal, policy: &Retention) -> Result<Vec<Due>, Failure> {
    let (holds, now) = (Holds::of(journal)?, rfc3339(journal.world().clock.now()));
    let seals = seals::sealer(journal)?.last_seals()?;
    let due = seals.into_iter().filter_map(|(session, seal)| {
        let days = policy.days(&session);
        let held = holds.case_of(&session).map(str::to_owned);
        seal.is_older(&now, days).then_some(Due { session, seal, days, held })
    });
    Ok(due.collect())
}
