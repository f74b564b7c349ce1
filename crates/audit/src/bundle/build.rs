//! Making a bundle: `export` leaf → checkpoint → files → signature → name → `exported` leaf → `audit.exported`.
//!
//! All that is not in the store comes in as an argument, id and time too: the same store and the same order give
//! the same bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use event::{Draft, Kind, Origin, SessionId};
use journal::Journal;
use recorder::Recorder;
use sha2::{Digest as _, Sha256};
use world::{Instant, rfc3339};

use super::custody;
use super::dest::Dest;
use super::manifest::{
    ATTESTED, Claim, Clock, Exporter, PREDICATE, PROVEN, Predicate, Request, STATEMENT, SessionPart,
    Statement, Withheld, pretty, sums,
};
use super::pruned::Level;
use super::telling::{Gathered, Pick, Telling};
use super::{
    ALLOWED, BLAKE3_SUMS, CUSTODY, MANIFEST, NAMESPACE, REPORT_HTML, REPORT_MD, REQUEST, SHA256_SUMS,
    SIGNATURE, VERIFY_MD, VERIFY_PY, VERIFY_SH, report, report_html,
};
use crate::anchor::stamp;
use crate::error::AuditError;
use crate::leaf::{Genesis, Leaf, Seal};
use crate::note::{Checkpoint, Note};
use crate::sealer::Sealer;
use crate::sign::Verifier;
use crate::sshsig::Hand;
use crate::tree::hex;

/// What a bundle is to be.
pub struct Order<'a> {
    /// Its id, a ULID.
    pub id: String,
    /// When it is made.
    pub created: Instant,
    /// What is asked for, as it will stand in the bundle.
    pub request: Request,
    /// Sessions, and which of their events are told whole.
    pub sessions: Vec<(SessionId, Pick)>,
    /// True when these are all sessions of the store.
    pub everything: bool,
    /// Who signs.
    pub hand: &'a dyn Hand,
    /// On which machine.
    pub host: String,
    /// Name and version of the program.
    pub tool: String,
    /// SHA-256 of the program.
    pub tool_sha256: String,
}

/// A bundle that was made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bundled {
    /// SHA-256 of its manifest.
    pub manifest: String,
    /// Sessions in it.
    pub sessions: usize,
    /// Events told whole.
    pub full: u64,
    /// All events of those sessions.
    pub total: u64,
    /// Leaves of the log when it was made.
    pub log_size: u64,
}

/// Makes a bundle at `path`, and says so in the log and in each session.
pub fn bundle(
    sealer: &Sealer,
    recorder: &mut Recorder,
    order: &Order<'_>,
    path: &Path,
) -> Result<Bundled, AuditError> {
    let journal = sealer.journal();
    let mut dest = Dest::new(journal.world(), path, &order.id)?;
    let request = pretty(&order.request);
    let request = hex(&Sha256::digest(&request));
    let checkpoint = sealer.export(&order.id, request, order.hand.key().fingerprint());
    let checkpoint = checkpoint.inspect_err(|_| dest.abandon())?;
    let built = build(journal, &checkpoint, order, &mut dest).and_then(|built| dest.finish().map(|()| built));
    let built = built.inspect_err(|_| dest.abandon())?;
    sealer.exported(&order.id, built.manifest.clone())?;
    for (session, _) in &order.sessions {
        recorder.record(said(session, order))?;
    }
    Ok(built)
}

/// What a session keeps of having been exported.
fn said(session: &SessionId, order: &Order<'_>) -> Draft {
    let reason = order.request.purpose.clone().or_else(|| order.request.case.clone());
    let draft = Draft::new(session.as_str(), Kind::of("audit.exported"), Origin::Observed);
    let draft = draft.with("target", order.id.clone());
    match reason {
        Some(reason) => draft.data("reason", reason),
        None => draft,
    }
}

/// What the log says, as far as a bundle needs it.
struct Leaves {
    genesis: Genesis,
    checkpoint: Checkpoint,
    seals: BTreeMap<String, (u64, Seal)>,
    epochs: u64,
    previous: Option<String>,
    clock: Clock,
}

/// Writes every file of the bundle from what stands in the store.
pub(crate) fn build(
    journal: &Journal,
    checkpoint: &[u8],
    order: &Order<'_>,
    dest: &mut Dest,
) -> Result<Bundled, AuditError> {
    let leaves = log_files(journal, checkpoint, dest)?;
    dest.bytes(REQUEST, pretty(&order.request).as_bytes())?;
    key_files(&leaves.genesis, order.hand, dest)?;
    let gathered = sessions(journal, order, &leaves, dest)?;
    for id in &gathered.blobs {
        let digits = id.trim_start_matches("b3:");
        dest.bytes(&format!("blobs/{}/{digits}", &digits[..2]), &journal.blob(id)?)?;
    }
    let predicate = predicate(journal, checkpoint, order, &leaves, &gathered);
    dest.file(REPORT_HTML, &mut |out| Ok(report_html::write(&predicate, &gathered.shown, out)?))?;
    dest.bytes(REPORT_MD, report::markdown(&predicate).as_bytes())?;
    for (name, text) in [VERIFY_MD, VERIFY_SH, VERIFY_PY] {
        dest.bytes(name, text.as_bytes())?;
    }
    let built = Bundled {
        manifest: String::new(),
        sessions: predicate.sessions.len(),
        full: predicate.sessions.iter().map(|part| part.full).sum(),
        total: predicate.sessions.iter().map(|part| part.total).sum(),
        log_size: leaves.checkpoint.size,
    };
    let manifest = sign(predicate, order, dest)?;
    Ok(Bundled { manifest, ..built })
}

/// Manifest, signature, sums and the first line of custody; gives the hash of the manifest.
fn sign(predicate: Predicate, order: &Order<'_>, dest: &mut Dest) -> Result<String, AuditError> {
    let mut subject = std::mem::take(&mut dest.subjects);
    subject.sort_by(|a, b| a.name.cmp(&b.name));
    let created = predicate.created.clone();
    let (kind, predicate_type) = (STATEMENT.to_owned(), PREDICATE.to_owned());
    let manifest = pretty(&Statement { kind, subject: subject.clone(), predicate_type, predicate });
    dest.bytes(MANIFEST, manifest.as_bytes())?;
    subject.append(&mut dest.subjects);
    let signature = order.hand.sign(NAMESPACE, manifest.as_bytes())?;
    dest.bytes(SIGNATURE, signature.armor().as_bytes())?;
    dest.bytes(SHA256_SUMS, sums(&subject, |digest| &digest.sha256).as_bytes())?;
    dest.bytes(BLAKE3_SUMS, sums(&subject, |digest| &digest.blake3).as_bytes())?;
    let hash = hex(&Sha256::digest(&manifest));
    let line = custody::line(&hash, "exported", None, &created, order.hand)?;
    dest.bytes(CUSTODY, format!("{line}\n").as_bytes())?;
    Ok(hash)
}

/// The log up to the checkpoint, with the notes of the epochs that ended in it.
fn log_files(journal: &Journal, checkpoint: &[u8], dest: &mut Dest) -> Result<Leaves, AuditError> {
    let damaged = |what: &str| AuditError::LogDamaged { what: what.to_owned() };
    let note = Note::parse(checkpoint).map_err(damaged)?;
    let signed = Checkpoint::parse(&note.text).map_err(damaged)?;
    dest.bytes("STORE", &journal.store_file()?)?;
    let leaves = dest.file("log/entries.ndjson", &mut |out| copy_leaves(journal, &signed, out))?;
    dest.bytes("log/checkpoint", checkpoint)?;
    for n in 0..leaves.epochs.saturating_sub(1) {
        let name = format!("epochs/{n}.note");
        let note = journal.log_file(&name)?.ok_or_else(|| damaged("the note of an epoch is gone"))?;
        dest.bytes(&format!("log/{name}"), &note)?;
    }
    if let Some(witnessed) = journal.log_file("witnessed")? {
        let seen = Note::parse(&witnessed).and_then(|note| Checkpoint::parse(&note.text));
        if seen.is_ok_and(|seen| seen.size <= leaves.checkpoint.size) {
            dest.bytes("log/witnessed", &witnessed)?;
        }
    }
    for (name, bytes) in stamp::files(journal, leaves.checkpoint.size)? {
        dest.bytes(&format!("log/{name}"), &bytes)?;
    }
    Ok(leaves)
}

fn copy_leaves(
    journal: &Journal,
    checkpoint: &Checkpoint,
    out: &mut dyn std::io::Write,
) -> Result<Leaves, super::dest::Stop> {
    let damaged = |what: &str| AuditError::LogDamaged { what: what.to_owned() };
    let mut lines = journal.log_lines(0)?;
    let (mut genesis, mut seals, mut epochs, mut previous) = (None, BTreeMap::new(), 1, None);
    let mut ended = String::new();
    for index in 0..checkpoint.size {
        let (line, _) = lines.next()?.ok_or_else(|| damaged("leaves are missing"))?;
        out.write_all(line)?;
        out.write_all(b"\n")?;
        let leaf = Leaf::parse(line).map_err(|_| damaged("a leaf that is none"))?;
        leaf.ts().clone_into(&mut ended);
        match leaf {
            Leaf::Genesis(leaf) => genesis = genesis.or(Some(leaf)),
            Leaf::Seal(seal) => drop(seals.insert(seal.session.clone(), (index, seal))),
            Leaf::Purge(purge) => drop(seals.remove(&purge.session)),
            Leaf::Epoch(_) | Leaf::Reepoch(_) => epochs += 1,
            Leaf::Exported(leaf) => previous = Some(leaf.bundle),
            _ => {}
        }
    }
    let genesis = genesis.ok_or(AuditError::NeverSealed)?;
    let clock = Clock { log_began: genesis.ts.clone(), log_ended: ended };
    Ok(Leaves { genesis, checkpoint: checkpoint.clone(), seals, epochs, previous, clock })
}

/// Keys for who has no others yet; what counts is a pin that came another way.
fn key_files(genesis: &Genesis, hand: &dyn Hand, dest: &mut Dest) -> Result<(), AuditError> {
    dest.bytes("keys/log.vkey", format!("{}\n", genesis.log_vkey).as_bytes())?;
    let pem = Verifier::parse(&genesis.log_vkey).map(|key| key.to_pem());
    dest.bytes("keys/log.pem", pem.unwrap_or_default().as_bytes())?;
    let allowed = format!(
        "{} namespaces=\"{NAMESPACE},{}\" {}\n",
        hand.principal(),
        custody::NAMESPACE,
        hand.key().to_line()
    );
    dest.bytes(ALLOWED, allowed.as_bytes())
}

fn sessions(
    journal: &Journal,
    order: &Order<'_>,
    leaves: &Leaves,
    dest: &mut Dest,
) -> Result<Gathered, AuditError> {
    let mut gathered = Gathered::default();
    let rest = Level::parse(&order.request.rest).unwrap_or(Level::None);
    for (session, pick) in &order.sessions {
        let (leaf, seal) = leaves
            .seals
            .get(session.as_str())
            .ok_or_else(|| AuditError::NotSealed { session: session.to_string(), seq: 0 })?;
        let gathered = &mut gathered;
        let mut telling = Telling { journal, session, pick, rest, leaf: *leaf, seal, gathered };
        let proof = dest.file(&format!("events/{session}.ndjson"), &mut |out| telling.write(out))?;
        dest.bytes(&format!("proofs/{session}.pruned"), proof.as_bytes())?;
    }
    Ok(gathered)
}

fn predicate(
    journal: &Journal,
    checkpoint: &[u8],
    order: &Order<'_>,
    leaves: &Leaves,
    gathered: &Gathered,
) -> Predicate {
    Predicate {
        bundle: order.id.clone(),
        store: journal.store_id().to_owned(),
        created: rfc3339(order.created),
        exporter: Exporter {
            principal: order.hand.principal(),
            key: order.hand.key().fingerprint(),
            host: order.host.clone(),
            tool: order.tool.clone(),
            tool_sha256: order.tool_sha256.clone(),
        },
        request: order.request.clone(),
        checkpoint: String::from_utf8_lossy(checkpoint).into_owned(),
        sessions: gathered.parts.clone(),
        claims: claims(order, leaves, &gathered.parts),
        redaction: gathered.redaction.clone(),
        erasures: gathered.erasures.clone(),
        withheld: gathered.parts.iter().flat_map(|part| withheld(part, order)).collect(),
        incidents: gathered.incidents.clone(),
        clock: leaves.clock.clone(),
        previous: leaves.previous.clone(),
    }
}

fn withheld(part: &SessionPart, order: &Order<'_>) -> Vec<Withheld> {
    let why = match &order.request.query {
        Some(_) => "does not match the query",
        None => "was not asked for",
    };
    let told = [
        (part.head, "only its header is told"),
        (part.hash, "only its hash is told"),
        (part.none, "not told"),
    ];
    let told = told.into_iter().filter(|(events, _)| *events > 0);
    let row = |(events, how): (u64, &str)| Withheld {
        session: part.session.clone(),
        events,
        reason: format!("{why}: {how}"),
    };
    told.map(row).collect()
}

fn claims(order: &Order<'_>, leaves: &Leaves, parts: &[SessionPart]) -> Vec<Claim> {
    let proven = || PROVEN.to_owned();
    let names: Vec<String> = parts.iter().map(|part| part.session.clone()).collect();
    let log_size = leaves.checkpoint.size;
    let mut claims = Vec::new();
    for part in parts {
        let level = lowest(part);
        if level > Level::None && part.total > 0 {
            let (session, to, level) = (part.session.clone(), part.total - 1, level.name().to_owned());
            claims.push(Claim::Range { kind: proven(), session, from: 0, to, level });
        }
        claims.push(Claim::Latest { kind: proven(), session: part.session.clone(), log_size });
    }
    let told: BTreeSet<&str> = names.iter().map(String::as_str).collect();
    if order.everything && leaves.seals.keys().all(|session| told.contains(session.as_str())) {
        claims.push(Claim::Sessions { kind: proven(), from: 0, to: log_size });
    }
    match (&order.request.query, &order.request.filter) {
        (Some(_), Some(filter)) if parts.iter().all(|part| lowest(part) >= Level::Head) => {
            claims.push(Claim::HeaderFilter { kind: proven(), sessions: names, filter: filter.clone() });
        }
        (Some(query), _) => {
            let kind = ATTESTED.to_owned();
            claims.push(Claim::TextFilter { kind, sessions: names, query: query.clone() });
        }
        (None, _) => {}
    }
    claims
}

/// The least that is told of any event.
fn lowest(part: &SessionPart) -> Level {
    match part {
        part if part.none > 0 => Level::None,
        part if part.hash > 0 => Level::Hash,
        part if part.head > 0 => Level::Head,
        _ => Level::Full,
    }
}
