//! `recount custody add BUNDLE`: who handed it to whom, chained and signed.

use audit::Step;
use serde_json::json;
use world::{World, rfc3339};

use crate::args::bundle::{Custody, CustodyCommand};
use crate::failure::Failure;
use crate::hands;
use crate::harmless::harmless;
use crate::output::Output;

pub(crate) fn run(args: &Custody, out: &mut Output) -> Result<u8, Failure> {
    let CustodyCommand::Add(args) = &args.command;
    if !args.bundle.is_dir() {
        return Err(Failure::usage(format!("{} is no folder", args.bundle.display()))
            .hint("unpack an archive first: custody is written into the bundle"));
    }
    let hand = hands::needed(&args.hand)?;
    let ts = rfc3339(World::real().clock.now());
    let steps = audit::hand_over(&args.bundle, &args.action, args.to.as_deref(), &ts, &hand)?;
    if out.json {
        let steps: Vec<_> = steps
            .iter()
            .map(|s| json!({"ts": s.ts, "action": s.action, "to": s.to, "by": s.by, "key": s.key}))
            .collect();
        out.document("recount.custody/1", &json!({"steps": steps.len()}), true, json!({"steps": steps}))?;
        return Ok(0);
    }
    for step in &steps {
        out.line(&harmless(&told(step)))?;
    }
    Ok(0)
}

fn told(step: &Step) -> String {
    let to = step.to.as_ref().map_or_else(String::new, |to| format!(" to {to}"));
    format!("{}\t{}{to}\tby {} ({})", step.ts, step.action, step.by, step.key)
}
