//! `recount bundle [S…] -o PATH`: what somebody can verify who has nothing but a pin.

use std::fs;

use ::investigate::cases::{self, Case};
use audit::{Hand, Order, Request};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use recorder::{Durability, Now, Query, Store};
use serde_json::json;
use world::{Chance as _, RealChance};

use crate::args::bundle::{Bundle, Rest};
use crate::args::{Global, KnownValues};
use crate::commands::shown;
use crate::failure::Failure;
use crate::output::Output;
use crate::seals::Seals;
use crate::{hands, place, seals};

pub(crate) fn run(global: &Global, args: &Bundle, out: &mut Output) -> Result<u8, Failure> {
    let mut recorder = place::recorder(global, Durability::Always, &KnownValues::default())?;
    let store = recorder.store();
    let sealer = seals::sealer(store.journal())?;
    let person = hands::person(&args.hand)?;
    // the first seal makes the log and its key
    sealer.begin()?;
    let log_hand = sealer.keys().hand(store.journal().store_id())?;
    let hand: &dyn Hand = match &person {
        Some(person) => person,
        None => &log_hand,
    };
    let mut named =
        args.sessions.iter().map(|name| Ok(store.session(name)?)).collect::<Result<Vec<_>, Failure>>()?;
    let mut text = args.query.clone();
    let case = case(&store, args)?;
    if let Some(case) = &case {
        let about = case.sessions(&store)?;
        if named.is_empty() {
            named = about;
        } else {
            named.push(case.session.clone());
        }
        // what was written down is told whole, whatever is asked for
        text = text.map(|text| format!("({text}) OR session:\"{}\"", case.session));
    }
    let query = text.as_deref().map(|text| asked(text, out.utc)).transpose()?;
    let selection = audit::select(&store, &named, query.as_ref())?;
    if selection.sessions.is_empty() {
        return Err(Failure::new(crate::failure::NO, "no event of this store is asked for"));
    }
    let rest = args.rest.unwrap_or(if selection.filter.is_some() { Rest::Head } else { Rest::None });
    let rest = match rest {
        Rest::Head => "head",
        Rest::Hash => "hash",
        Rest::None => "none",
    };
    let created = store.journal().world().clock.now();
    let request = Request {
        sessions: selection.sessions.iter().map(|(session, _)| session.to_string()).collect(),
        query: text,
        filter: selection.filter,
        rest: rest.to_owned(),
        purpose: args.purpose.clone(),
        case: case.map(|case| case.session.to_string()).or(args.case.clone()),
    };
    let order = Order {
        id: id(created)?,
        created,
        request,
        sessions: selection.sessions,
        everything: named.is_empty(),
        hand,
        host: host(),
        tool: format!("recount {}", env!("CARGO_PKG_VERSION")),
        tool_sha256: own_hash(),
    };
    let made = audit::bundle(&sealer, &mut recorder, &order, &args.output)?;
    Seals::new(&recorder)?.leave(&mut recorder);
    if person.is_none() {
        eprintln!("note: signed by the key of the log: no person vouches for it (--sign-key)");
    }
    if out.json {
        let body = json!({
            "bundle": order.id, "path": args.output, "manifest": made.manifest, "sessions": made.sessions,
            "events": {"full": made.full, "total": made.total},
        });
        out.document("recount.bundle/1", &json!({"log_size": made.log_size}), true, body)?;
        return Ok(0);
    }
    out.line(&format!(
        "{} {} sessions, {} of {} events told whole, log size {}, manifest {}",
        order.id,
        made.sessions,
        made.full,
        made.total,
        made.log_size,
        &made.manifest[..16]
    ))?;
    Ok(0)
}

/// The case that is meant; a name that is none of ours is a word of the caller's own, for the manifest.
fn case(store: &Store, args: &Bundle) -> Result<Option<Case>, Failure> {
    let name = args.case.as_deref().filter(|name| cases::is_case_name(name));
    Ok(name.map(|name| cases::find(store, Some(name))).transpose()?)
}

fn asked(text: &str, utc: bool) -> Result<Query, Failure> {
    let zone = if utc { TimeZone::UTC } else { TimeZone::system() };
    shown::parsed(text, &Now { at: Timestamp::now(), zone })
}

fn id(created: world::Instant) -> Result<String, Failure> {
    let mut chance = [0; 10];
    RealChance.fill(&mut chance).map_err(|e| Failure::io("draw an id", &e))?;
    Ok(audit::ulid(created, &chance))
}

fn host() -> String {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    if name.trim().is_empty() { "unknown".to_owned() } else { name.trim().to_owned() }
}

/// SHA-256 of this program, as far as it can be read.
fn own_hash() -> String {
    let hash = std::env::current_exe().and_then(|path| audit::file_sha256(&path));
    hash.unwrap_or_else(|_| "unknown".to_owned())
}
