//! `recount doctor`: is everything as it should be, and what to do where it is not.

mod agents;

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use audit::Standing;
use recorder::Store;
use redact::Redactor;
use serde_json::{Value, json};

use crate::args::Global;
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::table::Table;
use crate::{place, seals};

/// Planted in a text, each must be gone after redaction.
const PLANTED: &[&str] = &[
    "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
    "AKIAQ3EGRIJ7W2XKLM5T",
    "postgres://app:Tr0ub4dor-and-3@db.internal/app",
    "Authorization: Bearer 8f14e45fceea167a5a36dedd4bea2543c4ca4238a0b9",
];

struct Check {
    name: &'static str,
    good: bool,
    said: String,
}

pub(crate) fn run(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let mut checks = vec![
        journal(&store)?,
        torn(&store)?,
        index(&store),
        private(&store),
        keys(&store)?,
        log_keys(&store)?,
        who_signs(&store)?,
        redaction()?,
    ];
    checks.extend(agents::checks(&store)?);
    let good = checks.iter().all(|check| check.good);
    if out.json {
        let list: Vec<Value> =
            checks.iter().map(|c| json!({"check": c.name, "ok": c.good, "said": c.said})).collect();
        out.document("recount.doctor/1", &json!({}), true, json!({"ok": good, "checks": list}))?;
    } else {
        let mut table = Table::new(&["", "check", "said"]);
        for check in &checks {
            table.row(vec![
                if check.good { "✓" } else { "✗" }.into(),
                check.name.into(),
                (&check.said).into(),
            ]);
        }
        out.table(&table)?;
    }
    Ok(if good { 0 } else { NO })
}

fn journal(store: &Store) -> Result<Check, Failure> {
    let report = store.verify_all()?;
    let findings: usize = report.sessions.iter().map(|s| s.findings.len()).sum();
    let events: u64 = report.sessions.iter().map(|s| s.events).sum();
    let said = match findings {
        0 => format!("{} sessions, {events} events, every hash holds", report.sessions.len()),
        n => format!("{n} findings; `recount verify` lists them"),
    };
    Ok(Check { name: "journal", good: findings == 0, said })
}

/// A torn file that no event names: a recovery was itself cut off before it could say so.
fn torn(store: &Store) -> Result<Check, Failure> {
    let unnamed = store.unnamed_torn_files()?;
    let said = match unnamed.as_slice() {
        [] => "no torn bytes without an event that names them".to_owned(),
        files => format!("no event names {}; the next append to its session goes on", files.join(", ")),
    };
    Ok(Check { name: "torn tails", good: unnamed.is_empty(), said })
}

fn index(store: &Store) -> Check {
    let (good, said) = match (store.check_index(), store.index_lag()) {
        (Ok(false), _) => {
            (false, "damaged files were set aside; `recount reindex` makes them anew".to_owned())
        }
        (Err(error), _) | (_, Err(error)) => (false, format!("{error}; `recount reindex` makes it anew")),
        (Ok(true), Ok(0)) => (true, "sound and up to date".to_owned()),
        (Ok(true), Ok(bytes)) => (true, format!("sound; {bytes} bytes behind, the next search catches up")),
    };
    Check { name: "index", good, said }
}

fn mode(path: &Path) -> Option<u32> {
    std::fs::metadata(path).ok().map(|meta| meta.mode() & 0o077)
}

fn private(store: &Store) -> Check {
    let sessions = store.journal().root().join("journal/sessions");
    let good = mode(&sessions).is_none_or(|others| others == 0);
    let said = if good {
        "only you can read the journal".to_owned()
    } else {
        format!("others can read {}; chmod -R go= closes it", sessions.display())
    };
    // a store that is shared on purpose (a clone, say) is nothing wrong: said, not counted
    Check { name: "privacy", good: true, said }
}

fn keys(store: &Store) -> Result<Check, Failure> {
    let folder = place::keys_dir(store.journal().store_id())?;
    let listed = std::fs::read_dir(&folder).into_iter().flatten().flatten();
    let open = listed.map(|entry| entry.path()).any(|path| mode(&path).is_some_and(|others| others != 0));
    let said = if !folder.exists() {
        "none yet; reading needs none, the first write makes them".to_owned()
    } else if open {
        format!("others can read keys in {}; chmod go= closes it", folder.display())
    } else {
        "outside the store, readable by you alone".to_owned()
    };
    Ok(Check { name: "keys", good: !open, said })
}

/// Every file beside the keys is whole, or named with what to do.
fn log_keys(store: &Store) -> Result<Check, Failure> {
    let (journal, keyring) = (store.journal(), seals::keyring(store.journal())?);
    let kept = audit::kept(journal, &keyring)?;
    let sealed_here = journal.has_log()? && kept.iter().any(|kept| kept.standing != Standing::Missing);
    let wrong: Vec<String> = kept
        .iter()
        .filter_map(|kept| match kept.standing {
            Standing::Damaged(what) => Some(format!("{} is damaged ({what})", kept.file)),
            Standing::Missing if sealed_here => Some(format!("{} is not there", kept.file)),
            Standing::Missing | Standing::Whole(_) => None,
        })
        .collect();
    let said = match (wrong.is_empty(), sealed_here) {
        (false, _) => format!("{}; `recount explain R0016` says what to do", wrong.join("; ")),
        (true, false) => "none here: this store is not sealed on this machine".to_owned(),
        (true, true) if keyring.is_seen_torn()? => {
            "whole; one of two remembered checkpoints is torn, the next seal writes it anew".to_owned()
        }
        (true, true) => "whole: the log's key, the epoch's, the pin and the last checkpoint".to_owned(),
    };
    Ok(Check { name: "log keys", good: wrong.is_empty(), said })
}

/// Whether those who are recorded could sign as well.
fn who_signs(store: &Store) -> Result<Check, Failure> {
    let folder = place::keys_dir(store.journal().store_id())?;
    let uid = |path: &Path| std::fs::metadata(path).ok().map(|meta| meta.uid());
    let said = match (uid(Path::new("/proc/self")), uid(&folder)) {
        (_, None) => "nobody on this machine: there are no keys".to_owned(),
        (Some(own), Some(owner)) if own == owner => format!(
            "agents that run as you (uid {own}) can read the keys and change what no pin, witness or other anchor has seen; \
             record under a user of its own, or anchor"
        ),
        (_, Some(owner)) => format!("uid {owner} alone; agents that run as you cannot sign"),
    };
    // without a daemon it cannot be otherwise: said, not counted
    Ok(Check { name: "who signs", good: true, said })
}

fn redaction() -> Result<Check, Failure> {
    let redactor = Redactor::new(&place::passing_keys()?);
    let text = PLANTED.join("\n");
    let (clean, _) = redactor.redact_text(&text);
    let secrets = ["0123456789abcdefghij", "Q3EGRIJ7W2XKLM5T", "Tr0ub4dor", "8f14e45fceea167a5a36"];
    let left = secrets.iter().filter(|secret| clean.contains(**secret)).count();
    let said = format!("self-test: {} of {} planted secrets removed", secrets.len() - left, secrets.len());
    Ok(Check { name: "redaction", good: left == 0, said })
}
