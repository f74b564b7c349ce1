//! The events that files become, a line each: what to look at while a mapping is written.
//!
//! `cargo run -p import --example drafts -- [--mapping FILE] PATH…`
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "that is what it is for")]

use std::collections::HashMap;
use std::convert::Infallible;
use std::error::Error;

use event::Draft;
use import::{Choice, Keys, Sink, Taken, mapping, run_with};

#[derive(Default)]
struct Printed(HashMap<String, u32>);

impl Keys for Printed {
    fn derived_key(&self, material: &str) -> String {
        blake3::hash(material.as_bytes()).to_hex().to_string()
    }
}

impl Sink for Printed {
    type Error = Infallible;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, Infallible> {
        for draft in drafts {
            let (header, data) = (serde_json::Value::from(draft.header), serde_json::Value::from(draft.data));
            println!("{} {} {} {header} {data}", draft.session, draft.kind, draft.key.unwrap_or_default());
            *self.0.entry(draft.kind.to_string()).or_default() += 1;
        }
        Ok(Taken::Stored)
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let (mut paths, mut own) = (Vec::new(), Vec::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--mapping" {
            own.push(mapping(&std::fs::read_to_string(arguments.next().unwrap_or_default())?)?);
        } else {
            paths.push(argument.into());
        }
    }
    let mut sink = Printed::default();
    for report in run_with(&paths, Choice { own: &own, ..Choice::default() }, &mut sink, &mut |_| {})? {
        eprintln!(
            "{:?} {} records, {} raw: {}",
            report.importer,
            report.records,
            report.raw,
            report.file.display()
        );
    }
    eprintln!("{:?}", sink.0);
    Ok(())
}
