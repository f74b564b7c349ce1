//! The door for people: parse, call the house, render.
//!
//! Only this room reads environment variables, the home folder or a terminal. Data goes to stdout, all
//! else to stderr; a closed pipe ends the program quietly.
#![allow(clippy::print_stdout, clippy::print_stderr)] // this is the room that prints

mod args;
mod codes;
mod commands;
mod erasing;
mod failure;
mod given;
mod hands;
mod harmless;
mod input;
mod mappings;
mod output;
mod pauses;
mod place;
mod seals;
mod shelf;
mod sources;
mod table;
mod team;
mod unsaid;

use std::process::ExitCode;

use clap::Parser as _;

/// A panic says where, not what: its message may quote the text that was looked at.
fn keep_panics_quiet() {
    std::panic::set_hook(Box::new(|info| {
        let place = info.location().map_or_else(String::new, |at| format!(" at {}:{}", at.file(), at.line()));
        eprintln!("bug: something that cannot happen happened{place}");
    }));
}

/// What was typed; a wrong call is told back, without the secrets in it.
fn parse() -> Result<args::Args, ExitCode> {
    args::Args::try_parse_from(args::arguments(std::env::args_os())).map_err(|error| {
        let told = error.to_string();
        let safe = unsaid::unsaid(&told);
        if safe == told {
            let _ = error.print();
        } else {
            eprint!("{safe}");
        }
        ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(failure::USAGE))
    })
}

/// The hook of an agent, as agents call it: no table of commands is built for it.
fn hook() -> Option<capture::Agent> {
    let mut words = std::env::args_os().skip(1);
    let hook = words.next()? == "hook";
    let agent = words.next().and_then(|name| capture::Agent::named(name.to_str()?))?;
    (hook && words.next().is_none()).then_some(agent)
}

fn main() -> ExitCode {
    if let Some(agent) = hook() {
        return ExitCode::from(commands::fire(agent, &args::Global::default()));
    }
    keep_panics_quiet();
    let args = match parse() {
        Ok(args) => args,
        Err(code) => return code,
    };
    let mut out = output::Output::new(&args.global);
    let done = commands::run(args, &mut out).and_then(|code| out.finish().map(|()| code));
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => ExitCode::from(failure.report()),
    }
}
