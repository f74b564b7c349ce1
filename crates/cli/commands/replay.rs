//! `recount replay S`: the session told again in order: who thought, did and handed over what.

mod step;

use std::time::Duration;

use ::investigate::Trace;

use event::{Event, EventRef};
use jiff::Timestamp;
use recorder::{Store, TimelineRow, summary};
use serde_json::{Value, json};

use crate::args::{Global, Replay};
use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::harmless::{harmless, harmless_lines};
use crate::output::Output;
use crate::place;

/// Lines of text that are told of one event; `show` has the rest.
const MAX_LINES: usize = 12;
/// Nobody wants to watch a night's silence.
const LONGEST_PAUSE: Duration = Duration::from_secs(30);

pub(crate) fn run(global: &Global, args: &Replay, out: &mut Output) -> Result<u8, Failure> {
    if args.speed.is_some_and(|speed| !speed.is_finite() || speed <= 0.0) {
        return Err(
            Failure::usage("--speed takes a number above 0").hint("--speed 10 is ten times real time")
        );
    }
    let store = place::store(global)?;
    let session = store.session(&args.session)?;
    let timeline = store.listing(&session)?;
    let mut rows: Vec<&TimelineRow> = timeline.rows.iter().collect();
    if let Some(until) = &args.until {
        let last = last_row(&store, &rows, &session, until)?;
        rows.truncate(last + 1);
    }
    rows.retain(|row| args.group.is_none() || row.step.group() == args.group.as_deref());
    let mut fetcher = store.fetcher();
    let mut names = Names::new(&store);
    if args.step && !out.json || args.state || !args.bisect.is_empty() {
        let read =
            rows.iter().filter_map(|row| fetcher.undamaged(&row.session, &row.step.pointer).transpose());
        let events: Vec<Event> = read.collect::<Result<_, _>>()?;
        let complete = timeline.is_complete() && events.len() == rows.len();
        let trace = Trace::new(session, events).with_complete(complete);
        shown::warn(&trace);
        return by_hand(args, &trace, &mut names, out);
    }
    let mut told: Vec<Value> = Vec::new();
    let (mut before, mut damaged): (Option<Timestamp>, _) = (None, timeline.damaged);
    for row in rows {
        let Some(event) = fetcher.undamaged(&row.session, &row.step.pointer)? else {
            damaged += 1;
            continue;
        };
        if out.json {
            told.push(shown::event_json(&event));
            continue;
        }
        let now = event.time().parse().ok();
        pause(args.speed, before, now, out)?;
        before = now.or(before);
        tell(&event, &names.event(&event.session, event.seq), out)?;
    }
    if out.json {
        let as_of = json!({"session": session.as_str(), "events": timeline.rows.len()});
        out.document("recount.replay/1", &as_of, damaged == 0, json!({"events": told}))?;
    }
    out.flush()?;
    shown::warn_of(&session, damaged);
    Ok(0)
}

fn last_row(
    store: &Store,
    rows: &[&TimelineRow],
    session: &event::SessionId,
    until: &str,
) -> Result<usize, Failure> {
    let reference = match until.parse::<u64>() {
        Ok(seq) => EventRef { session: session.to_string(), seq, hash: None },
        Err(_) => EventRef::parse(until)?,
    };
    let (event, _) = store.event(&reference)?;
    let here = |row: &&TimelineRow| row.session == event.session && row.step.seq() == event.seq;
    rows.iter().position(here).ok_or_else(|| {
        Failure::usage(format!("{} is not told in {session}", event.name()))
            .hint("name an event of this session")
    })
}

/// Waits as long as it took then, `speed` times faster; not at all when nobody watches.
fn pause(
    speed: Option<f64>,
    before: Option<Timestamp>,
    now: Option<Timestamp>,
    out: &mut Output,
) -> Result<(), Failure> {
    let (Some(speed), Some(before), Some(now), true) = (speed, before, now, out.terminal) else {
        return Ok(());
    };
    let seconds = now.duration_since(before).as_secs_f64() / speed;
    if seconds > 0.0 {
        out.flush()?;
        std::thread::sleep(Duration::try_from_secs_f64(seconds).unwrap_or(LONGEST_PAUSE).min(LONGEST_PAUSE));
    }
    Ok(())
}

/// Stepping, halving, and the state at the end.
fn by_hand(args: &Replay, trace: &Trace, names: &mut Names<'_>, out: &mut Output) -> Result<u8, Failure> {
    let mut told = |event: &Event, names: &mut Names<'_>, out: &mut Output| {
        let name = names.event(&event.session, event.seq);
        tell(event, &name, out)
    };
    if args.state && out.json {
        let body = json!({"agents": step::state_json(trace)});
        out.document("recount.state/1", &shown::as_of(trace), trace.complete, body)?;
    } else if args.state {
        step::print_state(trace, names, out)?;
    } else if args.bisect.is_empty() {
        step::walk(trace, names, out, &mut told)?;
    } else {
        step::halve(trace, step::ends(&args.bisect)?, names, out, &mut told)?;
    }
    Ok(0)
}

fn tell(event: &Event, name: &str, out: &mut Output) -> Result<(), Failure> {
    let short = summary(event, 160);
    let label = if short.label.is_empty() { String::new() } else { format!(" ({})", short.label) };
    let head = format!("{} {}{label}", shown::actor(event), verb(event));
    let time = out.faint(&shown::time(event.time(), out.utc));
    let faint_name = out.faint(&harmless(name));
    out.line(&format!("{time}  {}  {faint_name}", out.strong(&harmless(&head))))?;
    match long_text(event) {
        Some(text) => body(&text, name, out),
        None if short.text.is_empty() => Ok(()),
        None => out.line(&format!("    {}", harmless(&short.text))),
    }
}

fn body(text: &str, name: &str, out: &mut Output) -> Result<(), Failure> {
    let mut lines = harmless_lines(text).filter(|line| !line.trim().is_empty());
    for line in lines.by_ref().take(MAX_LINES) {
        out.line(&format!("    {line}"))?;
    }
    match lines.count() {
        0 => Ok(()),
        rest => out
            .line(&out.faint(&harmless(&format!("    … {rest} more lines: recount show {}", quoted(name))))),
    }
}

/// Text that is told in lines: thoughts, messages, results.
fn long_text(event: &Event) -> Option<String> {
    let member = |name: &str| event.data.get(name).and_then(Value::as_str).filter(|t| !t.trim().is_empty());
    let text = ["text", "error", "output", "result", "message"].iter().find_map(|name| member(name));
    text.map(str::to_owned)
}

/// A name as a shell takes it.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '/' | '.' | ':');
    if name.chars().all(plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}

fn verb(event: &Event) -> &str {
    match event.kind.as_str() {
        "reasoning.recorded" => "thought",
        "message.recorded" => "said",
        "skill.invoked" => "did",
        "skill.returned" => "got back",
        "handoff.made" => "handed over",
        "handoff.read" => "read the handoff",
        "agent.spawned" => "was spawned",
        "agent.started" => "started",
        "agent.stopped" => "stopped",
        "model.called" => "called the model",
        "model.failed" => "the model failed",
        "error.raised" => "hit an error",
        "decision.scored" => "decided",
        "context.compacted" => "context was compacted",
        "context.injected" => "context was given",
        "session.opened" => "session opened",
        "session.closed" => "session closed",
        "session.linked" => "session shares the past of",
        kind => kind,
    }
}
