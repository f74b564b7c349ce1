//! `recount purge S…`: whole sessions are taken away, and the store log says so for ever.

use std::io::{BufRead as _, IsTerminal as _, stdin};
use std::path::Path;

use audit::Basis;
use event::SessionId;
use recorder::Store;
use serde_json::{Value, json};
use world::World;

use crate::args::{Global, Purge};
use crate::commands::{hold, retention};
use crate::failure::Failure;
use crate::output::Output;
use crate::{place, seals};

/// What a purge does not reach, and is said with each.
const LIMITS: &str = "note: copies elsewhere stay: backups, snapshots, bundles that were handed out, blocks that a \
                      disk with wear levelling or copy on write still has";

pub(crate) fn run(global: &Global, args: &Purge, out: &mut Output) -> Result<u8, Failure> {
    let store = Store::open(World::real(), &place::to_write(global)?)?;
    let ticket = hold::identifier("ticket", args.ticket.as_deref().unwrap_or("policy"))?;
    let basis = args.basis.unwrap_or(Basis::Retention);
    let sessions = wanted(&store, args)?;
    if args.dry_run || sessions.is_empty() {
        return would(&store, &sessions, out);
    }
    confirm(args, &sessions)?;
    let sealer = seals::sealer(store.journal())?;
    let mut purged = Vec::new();
    for session in &sessions {
        if let Some(folder) = &args.keep_spine {
            keep_spine(&store, session, folder)?;
        }
        purged.push(sealer.purge(session, basis, ticket)?);
        forget(&store, session)?;
    }
    let blobs = store.journal().sweep_blobs()?;
    // what was kept of a session, too
    store.forget_index()?;
    store.reindex()?;
    if out.json {
        let rows: Vec<Value> = purged
            .iter()
            .map(|p| json!({"session": p.session.as_str(), "events": p.events, "leaf": p.leaf}))
            .collect();
        let body = json!({"purged": rows, "basis": basis.word(), "ticket": ticket, "blobs": blobs});
        out.document("recount.purge/1", &json!({}), true, body)?;
    } else {
        for p in &purged {
            out.line(&format!("{}\t{} events\tpurged at leaf {}", p.session, p.events, p.leaf))?;
        }
    }
    out.flush()?;
    eprintln!("purged {} sessions and {blobs} blobs; the index was made anew\n{LIMITS}", purged.len());
    Ok(0)
}

fn wanted(store: &Store, args: &Purge) -> Result<Vec<SessionId>, Failure> {
    if !args.due {
        return args.sessions.iter().map(|name| Ok(store.session(name)?)).collect();
    }
    let Some(policy) = retention::policy(store.journal())? else {
        return Err(Failure::usage("no policy says what is due")
            .hint("`recount retention --keep-days DAYS` makes one"));
    };
    let due = retention::due(store.journal(), &policy)?;
    let free = due.into_iter().filter(|due| due.held.is_none());
    free.map(|due| SessionId::new(&due.session).map_err(Into::into)).collect()
}

fn would(store: &Store, sessions: &[SessionId], out: &mut Output) -> Result<u8, Failure> {
    for session in sessions {
        let bytes = store.journal().extent(session)?.bytes();
        out.line(&format!("{session}\t{bytes} bytes"))?;
    }
    out.flush()?;
    eprintln!("would purge {} sessions", sessions.len());
    Ok(0)
}

fn confirm(args: &Purge, sessions: &[SessionId]) -> Result<(), Failure> {
    if args.yes {
        return Ok(());
    }
    let refused =
        || Failure::usage("nothing was purged").hint("--yes purges without asking, --dry-run says what");
    if !stdin().is_terminal() {
        return Err(refused());
    }
    eprint!("take {} sessions away for ever? [y/N] ", sessions.len());
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer).map_err(|e| Failure::io("read the answer", &e))?;
    if answer.trim().eq_ignore_ascii_case("y") { Ok(()) } else { Err(refused()) }
}

fn keep_spine(store: &Store, session: &SessionId, folder: &Path) -> Result<(), Failure> {
    let fail = |e: std::io::Error| Failure::io(&format!("write the spine into {}", folder.display()), &e);
    std::fs::create_dir_all(folder).map_err(fail)?;
    let mut file = std::fs::File::create(folder.join(format!("{session}.ndjson"))).map_err(fail)?;
    audit::spine(store.journal(), session, &mut file).map_err(|error| match error {
        audit::ExportError::Store(error) => Failure::from(error),
        audit::ExportError::Write(error) => fail(error),
    })?;
    file.sync_all().map_err(fail)
}

/// What was remembered of the session beside the keys.
fn forget(store: &Store, session: &SessionId) -> Result<(), Failure> {
    let path = place::keys_dir(store.journal().store_id())?.join("shown").join(session.as_str());
    match std::fs::remove_file(&path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(Failure::io(&format!("remove {}", path.display()), &error))
        }
        _ => Ok(()),
    }
}
