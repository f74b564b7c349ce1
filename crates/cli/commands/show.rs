//! `recount show S/17`

use std::collections::BTreeMap;

use event::{Event, EventRef};
use recorder::Replaced;
use serde_json::{Value, json};

use crate::args::{Global, Show};
use crate::commands::shown::{self, Names};
use crate::failure::{Failure, NOT_FOUND};
use crate::harmless::{harmless, harmless_lines};
use crate::output::Output;
use crate::place;

pub(crate) fn run(global: &Global, args: &Show, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let (event, pointer) = store.event(&EventRef::parse(&args.event)?)?;
    let at = shown::moment(&store, args.at.as_deref())?;
    if let Some(at) = at.as_ref().filter(|at| !at.has(&event)) {
        let message = format!("{} was not there yet at {}/{}", event.name(), at.session, at.seq);
        return Err(Failure::new(NOT_FOUND, message).hint("without --at it is shown"));
    }
    if args.raw {
        let mut line = store.journal().segment_file(&event.session, pointer.segment)?.line_at(&pointer)?;
        line.push(b'\n');
        out.bytes(&line)?;
        return Ok(0);
    }
    let mut replaced = match event.erased.as_slice() {
        [] => BTreeMap::new(),
        _ => store.replaced(&event.session, event.seq)?,
    };
    let upto = at.filter(|at| at.session == event.session).map_or(u64::MAX, |at| at.seq);
    replaced.retain(|_, text| text.order <= upto);
    if out.json {
        let as_of = json!({"event": event.name()});
        let mut told = shown::event_json(&event);
        if !replaced.is_empty() {
            let row = |(name, replaced): (&String, &Replaced)| {
                (name.clone(), json!({"value": replaced.value, "order": replaced.order}))
            };
            told["replaced"] = Value::Object(replaced.iter().map(row).collect());
        }
        out.document("recount.show/1", &as_of, true, json!({"event": told}))?;
        return Ok(0);
    }
    head(&event, &Names::new(&store).event(&event.session, event.seq), out)?;
    for (name, value) in &event.data {
        out.line(&format!("\n{}", out.strong(name)))?;
        member(value, out)?;
    }
    for name in &event.erased {
        let Some(replaced) = replaced.get(name) else {
            out.line(&format!("\n{}\n  [erased]", out.strong(name)))?;
            continue;
        };
        let mark = format!("[erased; the eraser's text, by {}/{}]", event.session, replaced.order);
        out.line(&format!("\n{} {mark}", out.strong(name)))?;
        member(&replaced.value, out)?;
    }
    Ok(0)
}

fn head(event: &Event, name: &str, out: &mut Output) -> Result<(), Failure> {
    let title = format!("{name}  {}", event.kind);
    out.line(&out.strong(&harmless(&title)))?;
    let mut fact = |name: &str, text: String| out.line(&format!("  {name:<12} {}", harmless(&text)));
    fact("recorded", shown::time(&event.ts, false))?;
    for (name, value) in &event.header {
        let text = match value {
            Value::String(text) if name == "at" => shown::time(text, false),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        fact(if name == "at" { "happened" } else { name }, text)?;
    }
    fact("hash", event.hash.clone())
}

fn member(value: &Value, out: &mut Output) -> Result<(), Failure> {
    let text = match value {
        Value::String(text) => text.clone(),
        other => serde_json::to_string_pretty(other).unwrap_or_default(),
    };
    let lines: Vec<String> = harmless_lines(&text).collect();
    lines.iter().try_for_each(|line| out.line(&format!("  {line}")))
}
