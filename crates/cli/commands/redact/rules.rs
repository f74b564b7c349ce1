//! `recount redact rules list|test|import`: the rules in force, what they find, and where to get more.

use std::io::{Read as _, stdin};

use redact::{RULES, from_gitleaks};
use serde_json::{Value, json};

use crate::args::{RulesCommand, RulesImport, RulesTest};
use crate::failure::{Failure, NO};
use crate::output::Output;
use crate::place;
use crate::table::Table;

pub(super) fn run(command: &RulesCommand, out: &mut Output) -> Result<u8, Failure> {
    match command {
        RulesCommand::List => list(out),
        RulesCommand::Test(args) => test(args, out),
        RulesCommand::Import(args) => import(args, out),
    }
}

fn list(out: &mut Output) -> Result<u8, Failure> {
    let rules = place::rules()?;
    let own = rules
        .listed()
        .iter()
        .map(|rule| (rule.id.as_str(), rule.kind, rule.pattern.as_str(), rule.file.as_str()));
    let ours = RULES.iter().map(|rule| ("", rule.kind, rule.shape, "recount"));
    let rows: Vec<_> = own.chain(ours).collect();
    if out.json {
        let rows: Vec<Value> = rows
            .iter()
            .map(
                |(id, kind, pattern, file)| json!({"id": id, "kind": kind, "pattern": pattern, "file": file}),
            )
            .collect();
        let body = json!({"digest": rules.digest(), "rules": rows});
        out.document("recount.redact.rules/1", &json!({}), true, body)?;
        return Ok(0);
    }
    let mut table = Table::new(&["kind", "file", "pattern"]);
    for (_, kind, pattern, file) in &rows {
        table.row(vec![kind.into(), file.into(), pattern.into()]);
    }
    out.table(&table)?;
    eprintln!(
        "{} rules, digest {}; names, addresses, headers and sentences need none",
        rows.len(),
        rules.digest()
    );
    Ok(0)
}

fn test(args: &RulesTest, out: &mut Output) -> Result<u8, Failure> {
    let text = if args.text == "-" {
        let mut bytes = Vec::new();
        stdin().read_to_end(&mut bytes).map_err(|e| Failure::io("read standard input", &e))?;
        String::from_utf8_lossy(&bytes).into_owned()
    } else {
        args.text.clone()
    };
    let redactor = place::redactor(&place::passing_keys()?, &args.known)?;
    let (redacted, spans) = redactor.redact_text(&text);
    let exit = if spans.is_empty() { NO } else { 0 };
    if out.json {
        let spans: Vec<Value> = spans
            .iter()
            .map(|span| json!({"start": span.start, "end": span.end, "kind": span.kind, "certain": span.certain}))
            .collect();
        out.document(
            "recount.redact.rules.test/1",
            &json!({}),
            true,
            json!({"text": redacted, "spans": spans}),
        )?;
        return Ok(exit);
    }
    let mut table = Table::new(&["from", "to", "kind", "certain"]);
    for span in &spans {
        let certain = if span.certain { "yes" } else { "no" };
        table.row(vec![
            span.start.to_string().into(),
            span.end.to_string().into(),
            span.kind.into(),
            certain.into(),
        ]);
    }
    out.table(&table)?;
    if spans.is_empty() {
        eprintln!("nothing in it is a secret");
    }
    Ok(exit)
}

fn import(args: &RulesImport, out: &mut Output) -> Result<u8, Failure> {
    let name = args.file.display().to_string();
    let text = std::fs::read_to_string(&args.file).map_err(|e| Failure::io(&format!("read {name}"), &e))?;
    let translated = from_gitleaks(&text, &name).map_err(|error| Failure::usage(error.to_string()))?;
    let exit = if translated.rules == 0 { NO } else { 0 };
    if out.json {
        let refused: Vec<Value> =
            translated.refused.iter().map(|(id, why)| json!({"id": id, "why": why})).collect();
        let body = json!({"toml": translated.toml, "rules": translated.rules, "refused": refused, "notes": translated.notes});
        out.document("recount.redact.rules.import/1", &json!({}), translated.refused.is_empty(), body)?;
        return Ok(exit);
    }
    out.text(&translated.toml)?;
    out.flush()?;
    for (id, why) in &translated.refused {
        eprintln!(
            "warning: {} is left out: it {}",
            crate::harmless::harmless(id),
            crate::harmless::harmless(why)
        );
    }
    translated.notes.iter().for_each(|note| eprintln!("warning: {note}"));
    eprintln!(
        "{} rules; put them into rules.toml and see with `recount redact rules list`",
        translated.rules
    );
    Ok(exit)
}
