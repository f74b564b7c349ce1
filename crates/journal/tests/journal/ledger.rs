//! What was acknowledged, by a process that goes on after errors, and what must then hold of the store.

use std::collections::BTreeMap;
use std::path::Path;

use event::{Event, SessionId};
use journal::{Durability, FindingCode, Journal, Receipt, Writer};
use redact::Clean;
use world::sim::SimWorld;
use world::{Open, World};

use crate::support::{ROOT, Told, codes, id, init, note, open, tell, writer};

pub(crate) const SESSIONS: &[&str] = &["always", "batch", "os"];

/// Something that was acknowledged.
#[derive(Debug, Clone)]
pub(crate) struct Acked {
    pub(crate) session: &'static str,
    pub(crate) seq: u64,
    pub(crate) hash: String,
    pub(crate) text: String,
    pub(crate) durable: bool,
}

/// A process that goes on after an error as programs do: it opens the session again.
pub(crate) struct Hand {
    pub(crate) journal: Journal,
    writers: BTreeMap<&'static str, Writer>,
}

impl Hand {
    pub(crate) fn new(world: &World) -> Option<Self> {
        let journal = init(world).or_else(|_| init(world)).ok()?;
        Some(Self { journal, writers: BTreeMap::new() })
    }

    pub(crate) fn say(&mut self, acked: &mut Vec<Acked>, session: &'static str, texts: &[&str]) {
        let cleans: Vec<_> = texts.iter().map(|text| note(session, text)).collect();
        self.append(acked, session, &cleans);
    }

    pub(crate) fn append(&mut self, acked: &mut Vec<Acked>, session: &'static str, cleans: &[Clean]) {
        let durability = durability(session);
        let writer =
            self.writers.entry(session).or_insert_with(|| writer(&self.journal, session, durability));
        let Ok(receipts) = writer.append_all(cleans) else {
            self.writers.remove(session);
            return;
        };
        Self::acknowledge(acked, session, receipts, cleans);
    }

    /// The same, staged: nothing is acknowledged before the one write.
    pub(crate) fn stage(&mut self, acked: &mut Vec<Acked>, session: &'static str, cleans: &[Clean]) {
        let durability = durability(session);
        let writer =
            self.writers.entry(session).or_insert_with(|| writer(&self.journal, session, durability));
        let staged: Result<Vec<Receipt>, _> = cleans.iter().map(|clean| writer.stage(clean)).collect();
        let Ok(receipts) = staged.and_then(|receipts| writer.flush().map(|()| receipts)) else {
            self.writers.remove(session);
            return;
        };
        Self::acknowledge(acked, session, receipts, cleans);
    }

    fn acknowledge(acked: &mut Vec<Acked>, session: &'static str, receipts: Vec<Receipt>, cleans: &[Clean]) {
        acked.extend(receipts.into_iter().zip(cleans).map(|(receipt, clean)| Acked {
            session,
            seq: receipt.seq,
            hash: receipt.hash,
            text: clean.draft().data["text"].as_str().unwrap_or_default().to_owned(),
            durable: receipt.durable,
        }));
    }

    /// Ends a batch: if the sync works, all of the session is durable.
    pub(crate) fn sync(&mut self, acked: &mut [Acked], session: &'static str) {
        let Some(writer) = self.writers.get_mut(session) else { return };
        if writer.sync().is_err() {
            self.writers.remove(session);
            return;
        }
        acked.iter_mut().filter(|acked| acked.session == session).for_each(|acked| acked.durable = true);
    }

    /// A reader may fail; it must not call a failing disk damage.
    pub(crate) fn look(&self) {
        for session in SESSIONS {
            if let Ok(report) = self.journal.verify(&id(session)) {
                let torn_only = codes(&report).iter().all(|code| *code == FindingCode::TornTail);
                assert!(torn_only, "{:?}", report.findings);
            }
        }
    }
}

fn durability(session: &str) -> Durability {
    match session {
        "always" => Durability::Always,
        "batch" => Durability::Batch,
        _ => Durability::Os,
    }
}

/// Everything that must hold of a store on this machine; then one more event each, and a crash.
pub(crate) fn check(sim: &SimWorld, acked: &[Acked], durable_only: bool) -> Result<(), String> {
    let must = || acked.iter().filter(|acked| acked.durable || !durable_only);
    let world = sim.process();
    let journal = match open(&world) {
        Ok(journal) => journal,
        Err(_) if must().next().is_none() => init(&world).map_err(|e| format!("init: {e:?}"))?,
        Err(e) => return Err(format!("the store does not open: {e}")),
    };
    for session in journal.sessions().map_err(|e| e.to_string())? {
        let report = journal.verify(&session).map_err(|e| e.to_string())?;
        if codes(&report).iter().any(|code| *code != FindingCode::TornTail) {
            return Err(format!("before the cure: {:?}", report.findings));
        }
    }
    for session in SESSIONS {
        let mut writer = writer(&journal, session, Durability::Always);
        writer.append(&note(session, "after")).map_err(|e| format!("{session} takes nothing: {e}"))?;
    }
    let told = tell_all(&journal)?;
    must().try_for_each(|acked| is_told_once(&told[acked.session], acked))?;
    sim.crash_machine();
    let journal = open(&sim.process()).map_err(|e| format!("after a later crash: {e}"))?;
    if tell_all(&journal)? == told { Ok(()) } else { Err("a later crash changed durable events".to_owned()) }
}

fn tell_all(journal: &Journal) -> Result<BTreeMap<&'static str, Vec<Told>>, String> {
    SESSIONS.iter().map(|session| Ok((*session, tell_checked(journal, &id(session))?))).collect()
}

/// Clean by `verify`, gapless, nothing twice, and the torn bytes that are named are kept.
fn tell_checked(journal: &Journal, session: &SessionId) -> Result<Vec<Told>, String> {
    let report = journal.verify(session).map_err(|e| e.to_string())?;
    if !report.findings.is_empty() {
        return Err(format!("after the cure: {:?}", report.findings));
    }
    let told = tell(journal, session)?;
    for (n, event) in told.iter().enumerate() {
        if event.seq != n as u64 {
            return Err(format!("{session}: seq {} at place {n}", event.seq));
        }
        if event.kind == "audit.recovered" {
            torn_bytes_are_kept(journal, session, event.seq)?;
        }
    }
    Ok(told)
}

fn torn_bytes_are_kept(journal: &Journal, session: &SessionId, seq: u64) -> Result<(), String> {
    let (event, _): (Event, _) = journal.event(session, seq).map_err(|e| e.to_string())?;
    let files = journal.torn_files().map_err(|e| e.to_string())?;
    let text = format!("{:?}", event.data);
    let named = files.iter().find(|file| text.contains(file.as_str()));
    let name = named.ok_or_else(|| format!("{session}/{seq} names none of {files:?}"))?;
    let path = Path::new(ROOT).join("journal/torn").join(name);
    let file = journal.world().disk.open(&path, Open::Read).map_err(|e| e.to_string())?;
    let mut bytes = vec![0; 1 << 16];
    let count = file.read_full_at(&mut bytes, 0).map_err(|e| e.to_string())?;
    let digest = blake3::hash(&bytes[..count]).to_hex();
    if name.contains(&digest.as_str()[..16]) {
        Ok(())
    } else {
        Err(format!("{name} does not hold its {count} bytes"))
    }
}

fn is_told_once(told: &[Told], acked: &Acked) -> Result<(), String> {
    let place = usize::try_from(acked.seq).unwrap_or(usize::MAX);
    let is_there = told.get(place).is_some_and(|told| told.hash == acked.hash && told.text == acked.text);
    if !is_there {
        return Err(format!("acknowledged {}/{} is gone", acked.session, acked.seq));
    }
    let known = |told: &&Told| told.hash == acked.hash;
    match told.iter().filter(known).count() {
        1 => Ok(()),
        count => Err(format!("acknowledged {}/{} is there {count} times", acked.session, acked.seq)),
    }
}
