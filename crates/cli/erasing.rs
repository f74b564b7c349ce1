//! Erasing as commands do it: by whom, with which limits, and what is told of it.

use std::io::{BufRead as _, IsTerminal as _, stdin};
use std::path::PathBuf;

use audit::{Ask, Done, Eraser, Hand, Sealer};
use orchestrate::cleanup;
use recorder::Store;
use redact::Redactor;
use serde_json::{Value, json};
use world::World;

use crate::args::bundle::HandArgs;
use crate::args::{Global, KnownValues};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::{hands, place, seals};

/// What erasing does not reach, and is said with each.
const LIMITS: &str = "note: copies elsewhere stay: backups, snapshots, bundles that were handed out, blocks that a \
                      disk with wear levelling or copy on write still has";
const UNSIGNED: &str = "note: the log's key signed the order, no person's (--sign-key)";

/// A store, and all that is needed to erase from it.
pub(crate) struct Bench {
    pub(crate) store: Store,
    sealer: Sealer,
    redactor: Redactor,
    hand: Box<dyn Hand>,
    artifacts: PathBuf,
    /// A person signs, not the log.
    person: bool,
}

impl Bench {
    /// Opens the store to write to.
    pub(crate) fn open(global: &Global, hand: &HandArgs) -> Result<Self, Failure> {
        let store = Store::open(World::real(), &place::to_write(global)?)?;
        let id = store.journal().store_id().to_owned();
        let redactor = place::redactor(&place::keys(&id)?, &KnownValues::default())?;
        let sealer = seals::sealer(store.journal())?;
        let person = hands::person(hand)?;
        let is_person = person.is_some();
        let hand: Box<dyn Hand> = if let Some(person) = person {
            Box::new(person)
        } else {
            // the log's key comes with the log
            sealer.begin()?;
            Box::new(sealer.keys().hand(&id)?)
        };
        let artifacts = place::artifacts(global, None, true)?;
        Ok(Self { store, sealer, redactor, hand, artifacts, person: is_person })
    }

    pub(crate) fn eraser(&self) -> Eraser<'_> {
        Eraser::new(&self.sealer, &self.redactor, &*self.hand).with_index(&self.store)
    }

    /// Finishes what was cut off in these sessions, then erases.
    pub(crate) fn erase(&self, asks: &[Ask]) -> Result<Done, Failure> {
        let eraser = self.eraser();
        let mut sessions: Vec<_> = asks.iter().map(|ask| &ask.session).collect();
        sessions.dedup();
        for session in sessions {
            eraser.finish(session)?;
        }
        let targets: Vec<_> = asks.iter().map(|ask| (ask.session.clone(), ask.seq)).collect();
        let copies = if self.artifacts.is_dir() {
            cleanup::of(&self.store, &self.artifacts, &targets)?
        } else {
            Vec::new()
        };
        let done = eraser.erase(asks)?;
        for left in &copies {
            cleanup::remove(&left.copies)?;
        }
        Ok(done)
    }

    /// The receipt.
    pub(crate) fn told(&self, done: &Done, asks: &[Ask], out: &mut Output) -> Result<(), Failure> {
        if out.json {
            let as_of = json!({"store": self.store.journal().store_id()});
            out.document("recount.erase/1", &as_of, true, receipt(done, asks))?;
        } else {
            for (erasure, ask) in done.erasures.iter().zip(asks) {
                let basis = ask.basis.word();
                let fields = erasure.fields.join(", ");
                out.line(&format!(
                    "erased {}/{}: {} ({basis})",
                    erasure.session,
                    erasure.seq,
                    harmless(&fields)
                ))?;
                let hash = &erasure.order.hash[..16];
                out.line(&format!("  order      {}/{}#{hash}", erasure.session, erasure.order.seq))?;
                out.line(&format!("  signed by  {}", harmless(&erasure.by)))?;
                if let Some(leaf) = erasure.leaf {
                    out.line(&format!("  log leaf   {leaf}"))?;
                }
            }
            let sweep = &done.sweep;
            let index = if sweep.index { "index made anew" } else { "no index" };
            out.line(&format!(
                "swept        {} blobs, {} torn files, {} copies, {index}",
                sweep.blobs, sweep.torn, sweep.copies
            ))?;
        }
        out.flush()?;
        self.notes(done);
        Ok(())
    }

    fn notes(&self, done: &Done) {
        for erasure in &done.erasures {
            if let Some(what) = &erasure.unsealed {
                eprintln!("warning: not sealed: {}", harmless(what));
            }
        }
        for (session, seq) in &done.elsewhere {
            eprintln!("note: the same text stands in {session}/{seq}");
        }
        if !self.person {
            eprintln!("{UNSIGNED}");
        }
        eprintln!("{LIMITS}");
    }
}

fn receipt(done: &Done, asks: &[Ask]) -> Value {
    let rows = done.erasures.iter().zip(asks).map(|(erasure, ask)| {
        json!({
            "event": format!("{}/{}", erasure.session, erasure.seq),
            "fields": erasure.fields,
            "basis": ask.basis.word(),
            "order": {"event": format!("{}/{}", erasure.session, erasure.order.seq), "hash": erasure.order.hash},
            "leaf": erasure.leaf,
            "signed_by": erasure.by,
        })
    });
    let elsewhere: Vec<String> =
        done.elsewhere.iter().map(|(session, seq)| format!("{session}/{seq}")).collect();
    let sweep = &done.sweep;
    json!({
        "erased": rows.collect::<Vec<_>>(),
        "swept": {"blobs": sweep.blobs, "torn": sweep.torn, "copies": sweep.copies, "index": sweep.index},
        "elsewhere": elsewhere,
    })
}

/// Asks a person before something goes for ever.
pub(crate) fn confirm(yes: bool, question: &str) -> Result<(), Failure> {
    if yes {
        return Ok(());
    }
    let refused =
        || Failure::usage("nothing was erased").hint("--yes erases without asking, --dry-run says what");
    if !stdin().is_terminal() {
        return Err(refused());
    }
    eprint!("{} [y/N] ", harmless(question));
    let mut answer = String::new();
    stdin().lock().read_line(&mut answer).map_err(|e| Failure::io("read the answer", &e))?;
    if answer.trim().eq_ignore_ascii_case("y") { Ok(()) } else { Err(refused()) }
}
