//! Checking a bundle, offline: its files against the signed manifest, the log against the pin, each event against
//! its seal, each claim against what is told. Writes nothing.
//!
//! ```text
//! files ─▶ signature ─▶ manifest ─▶ hashes │ pin ─▶ genesis ─▶ log ─▶ export leaf ─▶ signer, request
//!                                          └ seals ─▶ pruned trees ─▶ events ─▶ commitments, blobs, erasures ─▶ claims
//! ```
//! Where the files are not those that were signed, nothing that they say is looked at.

mod claims;
mod files;
mod session;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use journal::{Journal, JournalError};
use sha2::{Digest as _, Sha256};

use super::custody::{self, Step};
use super::manifest::{Predicate, Request, Statement};
use super::parcel::Parcel;
use super::{CUSTODY, MANIFEST, NAMESPACE, REQUEST, shelf};
use crate::anchor::stamp::{self, Stamp};
use crate::error::AuditError;
use crate::leaf::{Export, Leaf, Seal};
use crate::note::{Checkpoint, Note};
use crate::pin::Pin;
use crate::policy::Policy;
use crate::sshsig::{AllowedSigners, SshSignature};
use crate::tree::hex;
use crate::verify::finding::{
    BUNDLE_FILE, COMPLETENESS, Finding, LOG_INCONSISTENT, PAYLOAD_MISSING, SIGNATURE, UNSUPPORTED, worst,
};
use crate::verify::log::{self, Log};
use crate::verify::{Demands, LogFacts};
use session::SessionFacts;

/// What is demanded of a bundle beyond that it holds.
#[derive(Debug, Clone, Default)]
pub struct Demanded {
    /// What is known of its store.
    pub pin: Option<Pin>,
    /// Whose keys count: of who signed it, handed it on, or ordered an erasure in it.
    pub allowed: Option<AllowedSigners>,
    /// Whose word counts of witnesses.
    pub policy: Option<Policy>,
    /// A witness must have seen the log.
    pub anchor: bool,
    /// No payload of what is told may be erased, lawfully or not.
    pub payload: bool,
}

/// What a bundle says that it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BundleFacts {
    /// Its id.
    pub id: String,
    /// The store that it comes from.
    pub store: String,
    /// When it was made.
    pub created: String,
    /// Who signed it.
    pub principal: String,
    /// Their key's fingerprint.
    pub key: String,
    /// Sessions in it.
    pub sessions: usize,
    /// Events told whole.
    pub full: u64,
    /// All events of its sessions.
    pub total: u64,
    /// Claims that it proves.
    pub proven: usize,
    /// Claims that somebody only says.
    pub attested: usize,
    /// Members that were erased.
    pub erased: usize,
}

/// A bundle that was examined.
#[derive(Debug, Clone, Default)]
pub struct Examined {
    /// What it says that it is, once its files are those that were signed.
    pub facts: Option<BundleFacts>,
    /// Its log.
    pub log: Option<LogFacts>,
    /// The time stamps that it carries.
    pub stamps: Vec<Stamp>,
    /// Its way so far.
    pub custody: Vec<Step>,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What is worth knowing and not wrong.
    pub notes: Vec<String>,
}

impl Examined {
    /// The exit code: that of the worst finding.
    pub fn exit(&self) -> u8 {
        worst(&self.findings)
    }

    fn found(&mut self, code: u8, msg: impl Into<String>) {
        self.findings.push(Finding::new(code, msg));
    }
}

/// Examines a bundle: a folder or an archive. The pin may depend on the store that it says it is from.
pub fn examine(
    path: &Path,
    demanded: &Demanded,
    remembered: &dyn Fn(&str) -> Option<Pin>,
) -> Result<Examined, AuditError> {
    let mut examined = Examined::default();
    let (parcel, odd) = Parcel::open(path)?;
    examined.findings.extend(odd);
    let Some((statement, signature)) = opened(&parcel, &mut examined)? else { return Ok(examined) };
    let predicate = statement.predicate;
    examined.findings.extend(files::check(&parcel, &statement.subject)?);
    if parcel.id.as_ref().is_some_and(|id| *id != predicate.bundle) {
        examined.found(BUNDLE_FILE, "the archive's folder names another bundle");
    }
    if !examined.findings.is_empty() {
        return Ok(examined);
    }
    let size = checkpoint_size(&predicate);
    // what was seen here after the bundle was made says nothing against it
    let own = |pin: Pin| Pin {
        seen: pin.seen.clone().filter(|_| pin.checkpoint().is_some_and(|c| c.size <= size)),
        ..pin
    };
    let pin = demanded.pin.clone().or_else(|| remembered(&predicate.store).map(own));
    let bundle = Bundle { parcel: Arc::new(parcel), predicate, signature };
    bundle.examine(demanded, pin, &mut examined)?;
    examined.facts = Some(facts(&bundle.predicate));
    Ok(examined)
}

fn checkpoint_size(predicate: &Predicate) -> u64 {
    let note = Note::parse(predicate.checkpoint.as_bytes());
    note.and_then(|note| Checkpoint::parse(&note.text)).map_or(0, |checkpoint| checkpoint.size)
}

/// Manifest and signature; `None` if there is nothing to go on with.
fn opened(parcel: &Parcel, examined: &mut Examined) -> Result<Option<(Statement, SshSignature)>, AuditError> {
    let (manifest, signature) = (parcel.whole(MANIFEST)?, parcel.whole(super::SIGNATURE)?);
    let (Some(manifest), Some(signature)) = (manifest, signature) else {
        if examined.findings.is_empty() {
            examined
                .found(BUNDLE_FILE, "no manifest, or no signature of it: not a bundle, or not a whole one");
        }
        return Ok(None);
    };
    let parsed = std::str::from_utf8(&signature).ok().and_then(SshSignature::parse);
    let Some(signature) = parsed.filter(|signature| signature.verifies(NAMESPACE, &manifest)) else {
        examined.found(SIGNATURE, "the manifest is not what was signed, or not for this purpose");
        return Ok(None);
    };
    match serde_json::from_slice::<Statement>(&manifest) {
        Ok(statement) if statement.predicate_type == super::manifest::PREDICATE => {
            Ok(Some((statement, signature)))
        }
        _ => {
            let newer = serde_json::from_slice::<serde_json::Value>(&manifest).is_ok_and(|value| {
                let kind = value["predicateType"].as_str().unwrap_or_default();
                kind.starts_with(super::manifest::PREDICATE_BASE) && kind != super::manifest::PREDICATE
            });
            if newer {
                examined.found(UNSUPPORTED, "a bundle of a version that this build does not read");
            } else {
                examined.found(BUNDLE_FILE, "MANIFEST.json is not the manifest of a bundle");
            }
            Ok(None)
        }
    }
}

fn facts(predicate: &Predicate) -> BundleFacts {
    let attested = predicate.claims.iter().filter(|claim| claims::is_attested(claim)).count();
    BundleFacts {
        id: predicate.bundle.clone(),
        store: predicate.store.clone(),
        created: predicate.created.clone(),
        principal: predicate.exporter.principal.clone(),
        key: predicate.exporter.key.clone(),
        sessions: predicate.sessions.len(),
        full: predicate.sessions.iter().map(|part| part.full).sum(),
        total: predicate.sessions.iter().map(|part| part.total).sum(),
        proven: predicate.claims.len() - attested,
        attested,
        erased: predicate.erasures.len(),
    }
}

/// A bundle whose files are those that were signed.
struct Bundle {
    parcel: Arc<Parcel>,
    predicate: Predicate,
    signature: SshSignature,
}

/// What the log says, as far as bundles are about it.
#[derive(Debug, Default)]
pub(super) struct Leaves {
    pub(super) size: u64,
    /// Every seal of each session, with its leaf.
    pub(super) seals: BTreeMap<String, Vec<(u64, Seal)>>,
    exports: Vec<Export>,
}

impl Bundle {
    fn examine(
        &self,
        demanded: &Demanded,
        pin: Option<Pin>,
        examined: &mut Examined,
    ) -> Result<(), AuditError> {
        self.signer(demanded, examined);
        self.custody(demanded, examined)?;
        let world = shelf::world(&self.parcel);
        let journal = match Journal::open(world, Path::new(shelf::ROOT)) {
            Ok(journal) => journal,
            Err(JournalError::NewerFormat { .. }) => {
                examined.found(UNSUPPORTED, "the store is of a newer format");
                return Ok(());
            }
            Err(_) => {
                examined.found(BUNDLE_FILE, "STORE is not that of a store");
                return Ok(());
            }
        };
        if journal.store_id() != self.predicate.store {
            examined.found(COMPLETENESS, "the manifest names another store");
        }
        let demands =
            Demands { pin, policy: demanded.policy.clone(), anchor: demanded.anchor, ..Demands::default() };
        if !log_holds(&journal, &demands, examined)? {
            return Ok(());
        }
        examined.stamps = stamp::stamps(&journal)?;
        let leaves = leaves(&journal, examined.log.map_or(0, |log| log.size))?;
        self.request(&leaves, examined)?;
        let mut told = BTreeMap::new();
        for part in &self.predicate.sessions {
            if told.contains_key(&part.session) {
                examined.found(COMPLETENESS, "the manifest lists a session twice");
            }
            let facts = session::check(
                &self.parcel,
                &journal,
                part,
                &leaves,
                &self.predicate,
                demanded.allowed.as_ref(),
            )?;
            examined.findings.extend(facts.findings.iter().cloned());
            if let Some(first) = facts.erasures.first().filter(|_| demanded.payload) {
                let msg = format!("{} events were erased in part", facts.erasures.len());
                examined.findings.push(Finding::new(PAYLOAD_MISSING, msg).at(&part.session, Some(first.seq)));
            }
            told.insert(part.session.clone(), facts);
        }
        // events that do not hold prove no claim
        if told.values().all(|facts| facts.findings.is_empty()) {
            examined.findings.extend(self.summaries(&told));
            examined.findings.extend(claims::check(&self.predicate, &leaves, &told));
        }
        Ok(())
    }

    /// Who signed: the key of the log, or a person's that somebody vouches for.
    fn signer(&self, demanded: &Demanded, examined: &mut Examined) {
        let (exporter, key) = (&self.predicate.exporter, self.signature.key());
        if exporter.key != key.fingerprint() {
            examined.found(SIGNATURE, "the manifest is signed by another key than the one it names");
        }
        let by_log = exporter.principal == format!("recount/{}", self.predicate.store);
        match &demanded.allowed {
            _ if by_log => {
                examined
                    .notes
                    .push("signed by the key of the log: no person vouches for what is attested".to_owned());
            }
            Some(allowed) if !allowed.allow(key, &exporter.principal, NAMESPACE, &self.predicate.created) => {
                examined.found(SIGNATURE, "the key that signed is not one of those that count");
            }
            Some(_) => {}
            None => examined.notes.push(format!(
                "signed by {} as {}: whose key that is, only --allowed-signers can say",
                exporter.principal, exporter.key
            )),
        }
    }

    fn custody(&self, demanded: &Demanded, examined: &mut Examined) -> Result<(), AuditError> {
        let lines = self.parcel.whole(CUSTODY)?.unwrap_or_default();
        let manifest = self.parcel.whole(MANIFEST)?.unwrap_or_default();
        let by_log = self.predicate.exporter.principal == format!("recount/{}", self.predicate.store);
        let (steps, _, findings) =
            custody::check(&lines, &manifest, demanded.allowed.as_ref().filter(|_| !by_log));
        examined.findings.extend(findings);
        if steps.first().is_some_and(|first| first.key != self.predicate.exporter.key) {
            examined.found(
                crate::verify::finding::CUSTODY,
                "the line of the export is signed by another key than the manifest",
            );
        }
        examined.custody = steps;
        Ok(())
    }

    /// The log says beforehand who asks for what.
    fn request(&self, leaves: &Leaves, examined: &mut Examined) -> Result<(), AuditError> {
        let request = self.parcel.whole(REQUEST)?.unwrap_or_default();
        let of = |export: &&Export| export.bundle == self.predicate.bundle;
        let Some(export) = leaves.exports.iter().find(of) else {
            examined.found(COMPLETENESS, "the log knows nothing of this bundle's request");
            return Ok(());
        };
        if export.by != self.signature.key().fingerprint() {
            examined.found(SIGNATURE, "the log names another signer for this bundle");
        }
        let parsed: Option<Request> = serde_json::from_slice(&request).ok();
        if export.request != hex(&Sha256::digest(&request))
            || parsed.as_ref() != Some(&self.predicate.request)
        {
            examined.found(COMPLETENESS, "the request is not the one that the log knows");
        }
        Ok(())
    }

    /// What the manifest sums up is what is told.
    fn summaries(&self, told: &BTreeMap<String, SessionFacts>) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut found = |what: &str| findings.push(Finding::new(COMPLETENESS, what));
        let mut redaction = BTreeMap::new();
        let mut erasures = Vec::new();
        for facts in told.values() {
            facts.redaction.iter().for_each(|(kind, n)| *redaction.entry(kind.clone()).or_default() += n);
            erasures.extend(facts.erasures.iter().cloned());
        }
        let mut named = self.predicate.erasures.clone();
        named.sort();
        erasures.sort();
        if named != erasures {
            found("the erasures that the manifest lists are not those of the events");
        }
        if redaction != self.predicate.redaction {
            found("the redactions that the manifest counts are not those of the headers");
        }
        let checkpoint = self.parcel.whole("log/checkpoint").ok().flatten().unwrap_or_default();
        if checkpoint != self.predicate.checkpoint.as_bytes() {
            found("the checkpoint in the manifest is not that of the log");
        }
        findings
    }
}

/// Checks the log with the store's own code; true if its leaves are those that were signed.
fn log_holds(journal: &Journal, demands: &Demands, examined: &mut Examined) -> Result<bool, AuditError> {
    match log::check(journal, demands)? {
        Log::Checked(checked) => {
            examined.log = Some(LogFacts { size: checked.size, epoch: checked.epoch });
            examined.findings.extend(checked.findings);
            examined.notes.extend(checked.notes);
            Ok(checked.holds)
        }
        Log::Begun | Log::None => {
            examined.found(LOG_INCONSISTENT, "the bundle has no log");
            Ok(false)
        }
    }
}

fn leaves(journal: &Journal, size: u64) -> Result<Leaves, AuditError> {
    let mut leaves = Leaves { size, ..Leaves::default() };
    let mut lines = journal.log_lines(0)?;
    for index in 0..size {
        let Some((line, _)) = lines.next()? else { break };
        match Leaf::parse(line) {
            Ok(Leaf::Seal(seal)) => leaves.seals.entry(seal.session.clone()).or_default().push((index, seal)),
            // what is taken away as a whole begins anew under its name
            Ok(Leaf::Purge(purge)) => drop(leaves.seals.remove(&purge.session)),
            Ok(Leaf::Export(export)) => leaves.exports.push(export),
            _ => {}
        }
    }
    Ok(leaves)
}
