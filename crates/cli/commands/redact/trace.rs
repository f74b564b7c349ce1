//! `recount redact trace FP`: where one secret went, by its fingerprint.

use recorder::summary;
use serde_json::{Value, json};

use crate::args::{Global, Trace};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NOT_FOUND, USAGE};
use crate::output::Output;
use crate::place;
use crate::table::Table;

const DIGITS: usize = 10;

pub(super) fn run(global: &Global, args: &Trace, out: &mut Output) -> Result<u8, Failure> {
    let print = print_of(&args.fingerprint)?;
    let store = place::store(global)?;
    let travel = store.travel(&print)?;
    if travel.events.is_empty() {
        let near = travel.near.map(|near| format!("did you mean {near}? "));
        let hint = near.unwrap_or_default()
            + "a fingerprint stands in the mark, behind its kind; what could be guessed has none";
        return Err(Failure::new(NOT_FOUND, format!("no event has the fingerprint {print}")).hint(hint));
    }
    if out.json {
        let events: Vec<Value> = travel
            .events
            .iter()
            .map(|event| {
                json!({"event": event.name(), "session": event.session.as_str(), "time": event.time(),
                    "agent": event.text("agent"), "agent_id": event.text("agent_id"), "kind": event.kind.as_str()})
            })
            .collect();
        let body = json!({"fingerprint": print, "kinds": travel.kinds, "events": events});
        out.document("recount.redact.trace/1", &json!({"events": travel.read}), travel.damaged == 0, body)?;
        return Ok(0);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "time", "agent", "kind", "what"]);
    for event in &travel.events {
        table.row(vec![
            names.event(&event.session, event.seq).into(),
            shown::time(event.time(), out.utc).into(),
            shown::actor(event).into(),
            event.kind.as_str().into(),
            summary(event, 120).text.into(),
        ]);
    }
    out.table(&table)?;
    super::warn_of_damage(travel.damaged);
    let kinds: Vec<&str> = travel.kinds.iter().map(String::as_str).collect();
    eprintln!("{} events have {print}, a {}", travel.events.len(), kinds.join(" or "));
    Ok(0)
}

/// The digits, also out of a whole mark.
fn print_of(text: &str) -> Result<String, Failure> {
    let inside = text.trim().trim_start_matches('[').trim_end_matches(']');
    let print = inside.rsplit(':').next().unwrap_or(inside);
    if print.len() == DIGITS && print.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return Ok(print.to_ascii_lowercase());
    }
    Err(Failure::new(USAGE, "that is no fingerprint")
        .hint(format!("{DIGITS} hex digits, e.g. the last part of [REDACTED:github_token:7f3a2c91e0]")))
}
