//! `recount hook claude-code|codex|gemini`: the hook itself. Hot path: no index, no network, no daemon, one
//! write into the journal, which is left to the operating system to sync.
//!
//! An agent is never stopped or steered: whatever happens, nothing is printed and the exit code is 0. What
//! went wrong is written to a log that `recount doctor` reads.

use std::io::{self, Read as _, stdin};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use capture::hook::{House, MAX_PAYLOAD_BYTES, hear};
use capture::{Agent, Heard};
use recorder::{Durability, Recorder};

use super::traces;
use crate::args::{Global, KnownValues};
use crate::failure::Failure;
use crate::place;

/// Records what stands on standard input.
pub(crate) fn fire(agent: Agent, global: &Global) -> u8 {
    std::panic::set_hook(Box::new(|_| {}));
    let done = catch_unwind(AssertUnwindSafe(|| record(agent, global)));
    let _ = catch_unwind(AssertUnwindSafe(|| match done {
        Ok(Ok(heard)) => {
            traces::fired(agent, heard.event);
            if let Some(why) = heard.strange {
                traces::failed(agent, heard.event, &format!("kept as it is: {why}"));
            }
        }
        Ok(Err(failure)) => traces::failed(agent, None, &failure.text()),
        Err(_) => traces::failed(agent, None, "something that cannot happen happened"),
    }));
    0
}

fn record(agent: Agent, global: &Global) -> Result<Heard, Failure> {
    let bytes = payload()?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Heard { strange: Some("payload is empty"), ..Heard::default() });
    }
    // a folder that is gone says nothing about rules or files beside it; recording goes on without
    if std::env::current_dir().is_err() {
        let _ = std::env::set_current_dir(Path::new("/"));
    }
    let (root, _) = place::made_quietly(global)?;
    let mut recorder = place::recorder_in(&root, Durability::Os, &KnownValues::default())?;
    let mut heard = hear(agent, &bytes, &Ears(&recorder));
    if let Some(announced) = &heard.announced {
        traces::announce(&announcement(&recorder, &announced.session), announced);
    }
    let Some(name) = heard.opening.as_ref().map(|opening| opening.session.clone()) else { return Ok(heard) };
    if heard.drafts.is_empty() {
        return Ok(heard);
    }
    let announcement = announcement(&recorder, &name);
    let words = traces::announced(&announcement);
    let was_announced = !words.is_empty();
    heard.remember(words);
    let (opening, drafts) = (heard.opening.take(), std::mem::take(&mut heard.drafts));
    if let Some(opening) = opening {
        recorder.append_unseen(opening, drafts)?;
    }
    if was_announced {
        traces::forget_announced(&announcement);
    }
    Ok(heard)
}

/// The name under which an announcement is kept until its session begins.
fn announcement(recorder: &Recorder, session: &str) -> String {
    recorder.derived_key(&format!("announced\n{session}"))
}

/// Everything that is fed; what is beyond any payload is read and let go, so that the agent's write ends well.
fn payload() -> Result<Vec<u8>, Failure> {
    let mut input = stdin().lock();
    let mut bytes = Vec::with_capacity(16 * 1024);
    let most = MAX_PAYLOAD_BYTES as u64 + 1;
    let read = input.by_ref().take(most).read_to_end(&mut bytes).map(|_| ());
    let read = read.and_then(|()| io::copy(&mut input, &mut io::sink()).map(|_| ()));
    read.map_err(|e| Failure::io("read standard input", &e)).map(|()| bytes)
}

/// What the recorder knows.
struct Ears<'a>(&'a Recorder);

impl House for Ears<'_> {
    fn keyed(&self, material: &str) -> String {
        self.0.derived_key(material)
    }

    fn knows(&self, session: &str) -> bool {
        self.0.knows_session(session).unwrap_or(false)
    }
}
