//! Stepping: a letter and Enter goes to the next event of a kind; a halving asks which half is still good.

use std::io::{BufRead as _, IsTerminal as _, stdin};

use ::investigate::{Bisect, KEYS, Stepper, Trace, act, permalink, state, why};
use event::Event;
use recorder::summary;
use serde_json::json;

use crate::commands::shown::{self, Names};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;

/// What a line on standard input says; `None` at its end.
fn line(prompt: &str, out: &mut Output) -> Result<Option<String>, Failure> {
    out.flush()?;
    if stdin().is_terminal() {
        eprint!("{prompt}");
    }
    let mut line = String::new();
    let read = stdin().lock().read_line(&mut line).map_err(|e| Failure::io("read standard input", &e))?;
    Ok((read > 0).then(|| line.trim().to_owned()))
}

/// Tells one event after the other, as the keys say.
pub(super) fn walk(
    trace: &Trace,
    names: &mut Names<'_>,
    out: &mut Output,
    tell: &mut dyn FnMut(&Event, &mut Names<'_>, &mut Output) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(mut stepper) = Stepper::new(trace) else { return Ok(()) };
    tell(stepper.event(), names, out)?;
    let mut asked = false;
    loop {
        let Some(keys) = line("[Enter] next  [?] keys  [q] quit ", out)? else {
            // nobody steps: all of it is told
            while !asked && stepper.press(']') {
                tell(stepper.event(), names, out)?;
            }
            return Ok(());
        };
        asked = true;
        match keys.as_str() {
            "q" => return Ok(()),
            "?" => help(out)?,
            "s" => print_state(&stepper.until_here(), names, out)?,
            "y" => reasons(&stepper, names, out)?,
            "L" => out.line(&harmless(&permalink(stepper.event())))?,
            "m" => stepper.mark(),
            keys => {
                if moved(&mut stepper, keys) {
                    tell(stepper.event(), names, out)?;
                } else {
                    eprintln!("nothing there");
                }
            }
        }
    }
}

fn moved(stepper: &mut Stepper<'_>, keys: &str) -> bool {
    match keys.strip_prefix(':').unwrap_or(keys).parse::<u64>() {
        Ok(seq) => stepper.go_to(seq),
        Err(_) if keys.is_empty() => stepper.press(']'),
        // several letters are several keys
        Err(_) => keys.chars().map(|key| stepper.press(key)).fold(false, |any, moved| any | moved),
    }
}

fn help(out: &mut Output) -> Result<(), Failure> {
    out.line("Enter ] j next · [ k back · g G ends · } { phase · 17 to /17 · q quit")?;
    let kinds: Vec<String> = KEYS.iter().map(|key| format!("{} {}", key.letter, key.about)).collect();
    out.line(&format!("next, with an upper-case letter the one before: {}", kinds.join(" · ")))?;
    out.line("s state here · y why · L permalink · m mark")
}

fn reasons(stepper: &Stepper<'_>, names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    let here = stepper.until_here();
    for edge in why(&here, stepper.event().seq, 2).unwrap_or_default() {
        let inferred = if edge.recorded { "" } else { " (inferred)" };
        let name = names.event(&edge.from.session, edge.from.seq);
        let what = summary(edge.from, 80).text;
        out.line(&harmless(&format!("    {name} {}{inferred}: {what}", edge.how)))?;
    }
    Ok(())
}

/// What each agent knew, had open and had touched.
pub(super) fn print_state(trace: &Trace, names: &mut Names<'_>, out: &mut Output) -> Result<(), Failure> {
    for (actor, agent) in state(trace) {
        let phase = agent.phase.map_or(String::new(), |phase| format!(" · in {phase}"));
        let stopped = if agent.stopped { " · stopped" } else { "" };
        let last = agent.last.map_or(String::new(), |event| names.event(&event.session, event.seq));
        out.line(&harmless(&format!("    {actor}{phase}{stopped} · last {last}")))?;
        for open in &agent.open {
            let name = names.event(&open.session, open.seq);
            out.line(&harmless(&format!("      open call {name} {}", summary(open, 80).text)))?;
        }
        for (what, files) in [("read", &agent.read), ("changed", &agent.changed)] {
            if !files.is_empty() {
                let files: Vec<&str> = files.iter().map(String::as_str).collect();
                out.line(&harmless(&format!("      {what} {}", files.join(", "))))?;
            }
        }
        let tokens: usize = ::investigate::known(trace, actor)
            .items
            .iter()
            .filter(|i| !i.compacted)
            .map(::investigate::Item::tokens)
            .sum();
        out.line(&format!("      knew about {tokens} tokens"))?;
    }
    Ok(())
}

/// The same as JSON.
pub(super) fn state_json(trace: &Trace) -> serde_json::Value {
    let agents = state(trace).into_iter().map(|(actor, agent)| {
        let open: Vec<_> = agent.open.iter().map(|event| shown::brief_json(event)).collect();
        let facts = json!({
            "phase": agent.phase, "stopped": agent.stopped, "open_calls": open, "read": agent.read,
            "changed": agent.changed, "last": agent.last.map(Event::name),
        });
        (actor.to_owned(), facts)
    });
    serde_json::Value::Object(agents.collect())
}

/// `good=12 bad=98`.
pub(super) fn ends(words: &[String]) -> Result<(u64, u64), Failure> {
    let end = |name: &str| {
        let value = words.iter().find_map(|word| word.strip_prefix(name)?.strip_prefix('='));
        value.and_then(|value| value.parse::<u64>().ok())
    };
    end("good").zip(end("bad")).filter(|(good, bad)| good < bad).ok_or_else(|| {
        Failure::usage("--bisect takes good=SEQ bad=SEQ, the good one first")
            .hint("e.g. --bisect good=12 bad=98")
    })
}

/// Asks about key events until the first bad one is known.
pub(super) fn halve(
    trace: &Trace,
    (good, bad): (u64, u64),
    names: &mut Names<'_>,
    out: &mut Output,
    tell: &mut dyn FnMut(&Event, &mut Names<'_>, &mut Output) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let Some(mut bisect) = Bisect::new(trace, good, bad) else {
        return Err(Failure::usage(format!("/{good} and /{bad} are not both told here, in this order")));
    };
    while let Some(event) = bisect.ask() {
        tell(event, names, out)?;
        let prompt = format!("good until here? [y/n/q], {} more ", bisect.left());
        match line(&prompt, out)?.as_deref() {
            Some("y" | "good") => bisect.answer(true),
            Some("n" | "bad") => bisect.answer(false),
            None | Some("q") => break,
            Some(_) => eprintln!("y: good until here, n: bad by now, q: stop"),
        }
    }
    let sure = bisect.ask().is_none();
    let event = bisect.first_bad();
    out.line(&format!("{}:", if sure { "first bad key event" } else { "bad by" }))?;
    tell(event, names, out)?;
    if !act::actor(event).is_empty() {
        let name = names.event(&event.session, event.seq);
        out.line(&harmless(&format!("next: recount known {} --at {name}", act::actor(event))))?;
    }
    Ok(())
}
