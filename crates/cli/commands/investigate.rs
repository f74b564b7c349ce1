//! `recount investigate S G`: a failing group on one page.

use ::investigate::{Brief, Failure as Failing, brief, failure};
use serde_json::{Value, json};

use crate::args::{Global, Investigate, Part};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NO};
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Investigate, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let trace = shown::trace(&store, &args.session, &Part { group: None, at: args.at.clone() })?;
    let Some(failing) = failure(&trace, args.group.as_deref()) else {
        let group = args.group.as_deref().map_or(String::new(), |group| format!(" of group {group:?}"));
        return Err(Failure::new(NO, format!("nothing failed in {}{group}", trace.session))
            .hint("`recount timeline` shows what happened"));
    };
    let page = brief(&failing, args.most);
    if out.json {
        out.document("recount.investigate/1", &shown::as_of(&trace), trace.complete, json(&failing, &page))?;
        return Ok(0);
    }
    print(&failing, &page, &mut Names::new(&store), out)?;
    shown::warn(&trace);
    Ok(0)
}

fn print(
    failing: &Failing,
    page: &Brief<'_>,
    names: &mut Names<'_>,
    out: &mut Output,
) -> Result<(), Failure> {
    let mut table = Table::new(&["event", "agent", "kind", "what", "why listed"]);
    let mut add = |event, why: String| {
        let mut row = shown::brief(event, names);
        row.push(why.into());
        table.row(row);
    };
    add(&failing.event, "FAIL: the failure".to_owned());
    if let Some(error) = &failing.error {
        let category = error.text("category").map_or(String::new(), |category| format!(" ({category})"));
        add(error, format!("FAIL: the error behind it{category}"));
    }
    for handed in &page.chain {
        let read = match handed.read {
            Some(read) => format!("chain: read in /{}", read.seq),
            None => "chain: NEVER READ".to_owned(),
        };
        add(handed.event, read);
    }
    for (number, suspect) in page.suspects.list.iter().enumerate() {
        add(suspect.event, format!("suspect {}: {}", number + 1, shown::reasons(&suspect.reasons)));
    }
    for gap in &page.gaps {
        let inferred = if gap.recorded { "" } else { " (inferred)" };
        add(gap.event, format!("gap: {}: {}{inferred}", gap.kind, gap.what));
    }
    out.table(&table)?;
    let (there, wanted) = page.documented;
    let list = &page.suspects;
    out.line(&harmless(&format!(
        "phases {there}/{wanted} documented · {} suspects of {} steps · {} gaps",
        list.list.len(),
        list.considered,
        page.gaps.len()
    )))
}

fn json(failing: &Failing, page: &Brief<'_>) -> Value {
    let with = |event, name: &str, value: Value| {
        let mut row = shown::brief_json(event);
        row[name] = value;
        row
    };
    let chain: Vec<Value> =
        page.chain.iter().map(|h| with(h.event, "read", h.read.map(event::Event::name).into())).collect();
    let suspects: Vec<Value> = page
        .suspects
        .list
        .iter()
        .map(|s| with(s.event, "reasons", s.reasons.iter().map(ToString::to_string).collect()))
        .collect();
    let gaps: Vec<Value> = page
        .gaps
        .iter()
        .map(|gap| {
            let mut row = with(gap.event, "gap", gap.kind.to_string().into());
            row["missing"] = gap.what.clone().into();
            row["recorded"] = gap.recorded.into();
            row
        })
        .collect();
    json!({
        "failure": shown::brief_json(&failing.event), "error": failing.error.as_ref().map(shown::brief_json),
        "chain": chain, "phases": {"documented": page.documented.0, "of": page.documented.1},
        "considered": page.suspects.considered, "suspects": suspects, "gaps": gaps,
    })
}
