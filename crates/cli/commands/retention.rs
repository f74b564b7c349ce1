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
    if args.keep_days.is_some() || args.artifact_days.is_some() {
        set(store.journal(), args)?;
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
        let body = json!({"keep_days": policy.keep_days, "artifact_days": policy.artifact_days, "sessions": policy.sessions, "floor_days": FLOOR_DAYS, "due": rows});
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
    match policy.keep_days {
        Some(days) => eprintln!("sessions are kept {days} days; {} are due", due.len()),
        None => eprintln!("sessions are kept until an order takes them away"),
    }
    if let Some(days) = policy.artifact_days {
        eprintln!("copies of handoffs are kept {days} days; `recount gc` removes older ones");
    }
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

fn set(journal: &Journal, args: &args::Retention) -> Result<(), Failure> {
    let path = place::keys_dir(journal.store_id())?.join(FILE);
    let old = policy(journal)?;
    let was = |of: fn(&Retention) -> Option<u32>| old.as_ref().and_then(of);
    let keep = args.keep_days.or(was(|old| old.keep_days)).map(|days| ("keep_days", days));
    let copies = args.artifact_days.or(was(|old| old.artifact_days)).map(|days| ("artifact_days", days));
    let mut text: String =
        [keep, copies].iter().flatten().map(|(name, days)| format!("{name} = {days}\n")).collect();
    let sessions = old.map(|old| old.sessions).unwrap_or_default();
    if !sessions.is_empty() {
        text.push_str("[sessions]\n");
        for (beginning, days) in &sessions {
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
        let days = policy.days(&session)?;
        let held = holds.case_of(&session).map(str::to_owned);
        seal.is_older(&now, days).then_some(Due { session, seal, days, held })
    });
    Ok(due.collect())
}
