//! `recount hold add|release|list`: what a case keeps from being erased or purged.

use audit::Holds;
use recorder::Store;
use serde_json::{Value, json};
use world::World;

use crate::args::{Global, Hold, HoldCommand, HoldOf};
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;
use crate::{place, seals};

pub(crate) fn run(global: &Global, args: &Hold, out: &mut Output) -> Result<u8, Failure> {
    match &args.command {
        HoldCommand::Add(of) => change(global, of, false, out),
        HoldCommand::Release(of) => change(global, of, true, out),
        HoldCommand::List => list(global, out),
    }
}

fn change(global: &Global, of: &HoldOf, release: bool, out: &mut Output) -> Result<u8, Failure> {
    let case = identifier("case", &of.case)?;
    let store = Store::open(World::real(), &place::to_write(global)?)?;
    let sealer = seals::sealer(store.journal())?;
    let mut scopes = Vec::new();
    for name in &of.sessions {
        scopes.push(store.session(name)?.to_string());
    }
    if of.all {
        scopes.push("*".to_owned());
    }
    for scope in &scopes {
        let leaf = sealer.hold(scope, case, release)?;
        if out.json {
            let body = json!({"session": scope, "case": case, "released": release, "leaf": leaf});
            out.document("recount.hold/1", &json!({"log_size": leaf + 1}), true, body)?;
        } else {
            let word = if release { "released" } else { "held" };
            out.line(&format!("{scope}\t{case}\t{word} at leaf {leaf}"))?;
        }
    }
    Ok(0)
}

/// Cases and tickets stand in the store log for ever: a name in somebody's books, and no sentence about anybody.
pub(crate) fn identifier<'a>(what: &str, text: &'a str) -> Result<&'a str, Failure> {
    let fits = text.len() <= 64
        && !text.is_empty()
        && text
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'#' | b'/'));
    let why = || {
        Failure::usage(format!("a {what} is up to 64 letters, digits and -_.#/")).hint(
            "it is kept for ever: write the number of the matter, and what it is about in your own books",
        )
    };
    if fits { Ok(text) } else { Err(why()) }
}

fn list(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let holds = Holds::of(store.journal())?;
    if out.json {
        let rows: Vec<Value> =
            holds.iter().map(|(session, case)| json!({"session": session, "case": case})).collect();
        out.document("recount.holds/1", &json!({}), true, json!({"holds": rows}))?;
        return Ok(0);
    }
    let mut table = Table::new(&["session", "case"]);
    for (session, case) in holds.iter() {
        table.row(vec![session.into(), case.into()]);
    }
    out.table(&table)?;
    Ok(0)
}
