//! `recount digest S G --for ROLE`, `recount spawned`: what the next agent is told, and that it was.

use std::fs;

use orchestrate::digest::{self, Answer, Component, NewSpawn, Plan, Request};
use serde_json::json;

use crate::args::Global;
use crate::args::team::{Digest, Spawned};
use crate::failure::Failure;
use crate::output::Output;
use crate::table::Table;
use crate::{input, place, team};

pub(crate) fn run(global: &Global, args: &Digest, out: &mut Output) -> Result<u8, Failure> {
    let request = request(args)?;
    let components = args.component.iter().map(|text| component(text)).collect::<Result<Vec<_>, _>>()?;
    let answer = if args.explain {
        digest::preview(&place::store(global)?, &request)?
    } else {
        team::record(global, &args.known, |recorder| digest::digest(recorder, &request))?
    };
    let told = (answer.digest.tokens, answer.digest.budget_tokens);
    let plan = args.total.map(|total| digest::plan(total, &components, told, request.tokenizer));
    if out.json {
        let as_of = json!({"session": answer.digest.session, "seq": answer.digest.upto});
        out.document("recount.digest/1", &as_of, true, json!({"digest": answer, "plan": plan}))?;
        return Ok(0);
    }
    if args.explain {
        explain(&answer, out)?;
    } else {
        out.text(&answer.digest.text)?;
        out.flush()?;
        eprintln!("{}", one_line(&answer));
    }
    if let Some(plan) = &plan {
        show(plan, args.explain, out)?;
    }
    Ok(0)
}

fn request(args: &Digest) -> Result<Request, Failure> {
    Ok(Request {
        budget_tokens: args.budget,
        per_phase_chars: args.per_phase,
        limit: args.limit,
        upto: args.upto,
        tokenizer: team::tokenizer(args.tokenizer),
        matrix: team::matrix()?,
        ..Request::new(&args.session, &args.group, &args.role)
    })
}

/// `NAME=FILE,TOKENS`
fn component(text: &str) -> Result<Component, Failure> {
    let wrong = || {
        Failure::usage(format!("--component takes NAME=FILE,TOKENS, not {text:?}"))
            .hint("e.g. --component specialization=python.md,2400")
    };
    let (name, rest) = text.split_once('=').ok_or_else(wrong)?;
    let (file, budget) = rest.rsplit_once(',').ok_or_else(wrong)?;
    let budget_tokens = budget.trim().parse().map_err(|_| wrong())?;
    let text = fs::read_to_string(file).map_err(|e| Failure::io(&format!("read {file}"), &e))?;
    Ok(Component { name: name.to_owned(), text, budget_tokens })
}

fn one_line(answer: &Answer) -> String {
    let digest = &answer.digest;
    let cache = if answer.cached { "hit" } else { "miss" };
    let event = digest.assembled.as_deref().unwrap_or("not recorded");
    let left: u64 = digest.left_out.iter().map(|left| left.count).sum();
    format!(
        "{} of {} tokens ({}), {} entries, {left} left out, cache: {cache}, {event}",
        digest.tokens,
        digest.budget_tokens,
        digest.tokenizer,
        digest.parts.len()
    )
}

fn explain(answer: &Answer, out: &mut Output) -> Result<(), Failure> {
    let mut table = Table::new(&["entry", "event", "what"]);
    for part in &answer.digest.parts {
        let cut = if part.kept_chars < part.chars { ", cut" } else { "" };
        let what = format!("in: {} of {} chars{cut}", part.kept_chars, part.chars);
        table.row(vec![
            format!("{}/{}", part.agent, part.phase).into(),
            part.event.as_str().into(),
            what.into(),
        ]);
    }
    for left in &answer.digest.left_out {
        let many = if left.count > 1 { format!(" ({} entries)", left.count) } else { String::new() };
        let what = format!("out: {}{many}", left.why);
        table.row(vec![
            format!("{}/{}", left.agent, left.phase).into(),
            left.event.as_str().into(),
            what.into(),
        ]);
    }
    out.table(&table)?;
    out.line(&one_line(answer))
}

/// On standard output where nothing else stands there, else beside it.
fn show(plan: &Plan, alone: bool, out: &mut Output) -> Result<(), Failure> {
    let mut lines = Vec::new();
    for share in &plan.shares {
        let over =
            if share.over_tokens > 0 { format!(", {} too many", share.over_tokens) } else { String::new() };
        lines.push(format!("{}\t{} of {}{over}", share.name, share.tokens, share.budget_tokens));
    }
    lines.push(format!("packages\t{} left of {} ({})", plan.left_tokens, plan.total_tokens, plan.tokenizer));
    if plan.over_tokens > 0 {
        lines.push(format!("total\t{} too many; nothing was cut", plan.over_tokens));
    }
    for line in &lines {
        let line = crate::harmless::harmless_lines(line).collect::<String>();
        if alone { out.line(&line)? } else { eprintln!("{line}") }
    }
    Ok(())
}

pub(crate) fn spawned(global: &Global, args: Spawned, out: &mut Output) -> Result<u8, Failure> {
    let new = NewSpawn {
        session: args.session,
        group: Some(args.group),
        agent: args.agent,
        agent_id: args.agent_id,
        parent_agent: args.parent_agent,
        prompt: input::text(&args.content)?,
    };
    let spawned = team::record(global, &args.saving.known, |recorder| digest::spawn(recorder, new))?;
    team::acknowledge(out, &args.saving, &spawned.saved, &spawned)
}
