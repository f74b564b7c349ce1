//! `recount case …`: what an investigator writes down, in a chained session of its own.

use std::io::{Read as _, stdin};

use ::investigate::cases::{self, Case as Opened, Entry};
use ::investigate::permalink;
use event::{Draft, Event, EventRef};
use recorder::{Durability, Receipt, Recorder, Store, summary};
use serde_json::{Value, json};

use crate::args::{
    Case, CaseBookmark, CaseCommand, CaseExport, CaseFormat, CaseNote, CaseOpen, CaseVerdict, Export, Global,
    KnownValues, Which,
};
use crate::commands::export;
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;
use crate::seals::Seals;
use crate::table::Table;

pub(crate) fn run(global: &Global, args: &Case, out: &mut Output) -> Result<u8, Failure> {
    match &args.command {
        CaseCommand::Open(a) => open(global, a, out),
        CaseCommand::Note(a) => note(global, a, out),
        CaseCommand::Bookmark(a) => bookmark(global, a, out),
        CaseCommand::Verdict(a) => verdict(global, a, out),
        CaseCommand::Close(a) => {
            let case = find(global, &a.which)?;
            write(global, &a.which.known, cases::closing(case.session.as_str(), a.reason.as_deref()), out)
        }
        CaseCommand::List => list(global, out),
        CaseCommand::Show(a) => show(global, a.case.as_deref(), out),
        CaseCommand::Export(a) => print_out(global, a, out),
    }
}

/// Cases are written where all is written: never into a store that was found by looking around.
fn store(global: &Global) -> Result<Store, Failure> {
    Ok(Store::open(world::World::real(), &place::to_write(global)?)?)
}

fn find(global: &Global, which: &Which) -> Result<Opened, Failure> {
    Ok(cases::find(&store(global)?, which.case.as_deref())?)
}

fn event(store: &Store, name: &str) -> Result<Event, Failure> {
    Ok(store.event(&EventRef::parse(name)?)?.0)
}

fn write(global: &Global, known: &KnownValues, draft: Draft, out: &mut Output) -> Result<u8, Failure> {
    let mut recorder = place::recorder(global, Durability::Always, known)?;
    let receipt = recorder.record(draft)?.receipt().clone();
    acknowledge(&mut recorder, &receipt, out)
}

fn acknowledge(recorder: &mut Recorder, receipt: &Receipt, out: &mut Output) -> Result<u8, Failure> {
    if out.json {
        out.line(&serde_json::to_string(receipt).map_err(|e| Failure::usage(e.to_string()))?)?;
    } else {
        out.line(&format!("{}/{}", receipt.session, receipt.seq))?;
    }
    out.flush()?;
    Seals::new(recorder)?.leave(recorder);
    Ok(0)
}

fn open(global: &Global, args: &CaseOpen, out: &mut Output) -> Result<u8, Failure> {
    let store = store(global)?;
    let about = args.about.as_deref().map(|name| event(&store, name)).transpose()?;
    let entry = Entry { about: about.as_ref(), text: Some(&args.title), ..Entry::default() };
    let mut recorder = place::recorder(global, Durability::Always, &args.known)?;
    let receipt = cases::open(&mut recorder, &entry)?;
    acknowledge(&mut recorder, &receipt, out)
}

fn note(global: &Global, args: &CaseNote, out: &mut Output) -> Result<u8, Failure> {
    let store = store(global)?;
    let case = find(global, &args.which)?;
    let (about, text) = match &args.text {
        Some(text) => (Some(event(&store, &args.first)?), text.clone()),
        None => (None, args.first.clone()),
    };
    let text = if text == "-" { read_all()? } else { text };
    let mode = args.mode.as_deref().map(cases::mode).transpose()?;
    let entry = Entry { about: about.as_ref(), mode, text: Some(&text), ..Entry::default() };
    write(global, &args.which.known, cases::draft(case.session.as_str(), "note.added", &entry), out)
}

fn read_all() -> Result<String, Failure> {
    let mut text = String::new();
    stdin().read_to_string(&mut text).map_err(|e| Failure::io("read standard input", &e))?;
    Ok(text)
}

fn bookmark(global: &Global, args: &CaseBookmark, out: &mut Output) -> Result<u8, Failure> {
    let about = event(&store(global)?, &args.event)?;
    let case = find(global, &args.which)?;
    let entry = Entry { about: Some(&about), text: args.text.as_deref(), ..Entry::default() };
    write(global, &args.which.known, cases::draft(case.session.as_str(), "bookmark.set", &entry), out)
}

fn verdict(global: &Global, args: &CaseVerdict, out: &mut Output) -> Result<u8, Failure> {
    let store = store(global)?;
    let case = find(global, &args.which)?;
    let step = event(&store, &args.step)?;
    let cause = args.cause.as_deref().map(|name| event(&store, name)).transpose()?;
    let mode = args.mode.as_deref().map(cases::mode).transpose()?;
    let entry = Entry { about: Some(&step), cause: cause.as_ref(), mode, text: Some(&args.text) };
    write(global, &args.which.known, cases::draft(case.session.as_str(), "verdict.given", &entry), out)
}

fn list(global: &Global, out: &mut Output) -> Result<u8, Failure> {
    let all = cases::cases(&place::store(global)?)?;
    if out.json {
        let rows: Vec<Value> = all
            .iter()
            .map(|case| json!({"case": case.session.as_str(), "title": case.title, "closed": case.closed, "events": case.events.len()}))
            .collect();
        out.document("recount.cases/1", &json!({"cases": rows.len()}), true, json!({"cases": rows}))?;
        return Ok(0);
    }
    let mut table = Table::new(&["case", "status", "events", "about"]);
    for case in &all {
        let status = if case.closed { "closed" } else { "open" };
        table.row(vec![
            case.session.as_str().into(),
            status.into(),
            case.events.len().to_string().into(),
            (&case.title).into(),
        ]);
    }
    out.table(&table)?;
    if all.is_empty() {
        eprintln!("no cases yet; `recount case open` begins one");
    }
    Ok(0)
}

fn show(global: &Global, name: Option<&str>, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let case = cases::find(&store, name.or(Some("last")))?;
    if out.json {
        let events: Vec<Value> = case.events.iter().map(shown::event_json).collect();
        let body = json!({"case": case.session.as_str(), "title": case.title, "closed": case.closed, "entries": events});
        out.document("recount.case/1", &json!({"events": case.events.len()}), true, body)?;
        return Ok(0);
    }
    let mut names = Names::new(&store);
    let mut table = Table::new(&["event", "kind", "about", "mode", "what"]);
    for entry in case.events.iter().filter(|event| event.kind != "session.opened") {
        let about = entry.text("about").map_or("-".to_owned(), cases::short);
        let mode = entry.text("mode").unwrap_or("-").to_owned();
        let name = shown::link(entry, &mut names);
        table.row(vec![
            name,
            entry.kind.as_str().into(),
            about.into(),
            mode.into(),
            summary(entry, 120).text.into(),
        ]);
    }
    out.table(&table)?;
    Ok(0)
}

fn print_out(global: &Global, args: &CaseExport, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let case = cases::find(&store, args.case.as_deref().or(Some("last")))?;
    if args.format == CaseFormat::Ndjson {
        let session = case.session.to_string();
        let args = Export { session, format: "ndjson".to_owned(), until: None, to: None };
        return export::run(global, &args, out);
    }
    out.line(&format!("# {}\n", harmless(&case.title)))?;
    let status = if case.closed { "closed" } else { "open" };
    out.line(&format!("Case `{}`, {status}. Each event is named with its hash.\n", case.session))?;
    for entry in &case.events {
        if let Some(text) = markdown(&store, entry) {
            out.line(&text)?;
        }
    }
    Ok(0)
}

/// One entry as a list item; recorded text is quoted as code, so that it cannot become markup.
fn markdown(store: &Store, entry: &Event) -> Option<String> {
    let what = match entry.kind.as_str() {
        "case.opened" => "Opened",
        "note.added" => "Note",
        "bookmark.set" => "Bookmark",
        "verdict.given" => "**Verdict**",
        "session.closed" => "Closed",
        _ => return None,
    };
    let member = entry.data.get("text").or_else(|| entry.data.get("reason")).and_then(Value::as_str);
    let mut text = format!("- {what} ({})", entry.time().get(..16).unwrap_or_default().replace('T', " "));
    if let Some(mode) = entry.text("mode") {
        let name = cases::mode_name(mode).map_or(String::new(), |name| format!(" {name}"));
        text += &format!(" `{mode}`{name}");
    }
    text += &member.map_or(String::new(), |member| format!(": {}", escaped(member)));
    for (label, name) in [("about", "about"), ("brought about by", "cause")] {
        let Some(reference) = entry.text(name) else { continue };
        text += &format!("\n  - {label} `{}`", cases::short(reference));
        let meant = EventRef::parse(reference).ok().and_then(|reference| store.event(&reference).ok());
        text += &match meant {
            Some((event, _)) => {
                format!(" {} `{}` {}", shown::actor(&event), event.kind, code(&summary(&event, 200).text))
            }
            None => " (not in this store, or another event by now)".to_owned(),
        };
    }
    Some(text + &format!("\n  - entry `{}`", permalink(entry)))
}

/// Text of whoever wrote the entry, on one line and without markup.
fn escaped(text: &str) -> String {
    harmless(text).chars().fold(String::new(), |mut out, c| {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '#' | '|' | '!') {
            out.push('\\');
        }
        out.push(c);
        out
    })
}

/// Recorded text as a code span that it cannot close.
fn code(text: &str) -> String {
    format!("`` {} ``", harmless(text).replace('`', "'"))
}
