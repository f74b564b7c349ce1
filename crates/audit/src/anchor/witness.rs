//! A C2SP witness (`tlog-witness`): shown that the log only grew since it last looked, it cosigns the checkpoint.
//!
//! ```text
//! POST <url>/add-checkpoint         old <size> ⏎ <proof, base64, a line each> ⏎ ⏎ <checkpoint, a signed note>
//! 200  its signature lines          409  the size that it has seen: the proof is made again from there
//! ```

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use journal::Journal;

use super::http::{Answer, post};
use super::{current, write};
use crate::error::AuditError;
use crate::note::{Checkpoint, Note, Signed};
use crate::policy::Policy;
use crate::tree::{Hash, consistency, leaf_hash};

pub(crate) const WITNESSED: &str = "witnessed";
/// A witness that says another size each time is none.
const TRIES: usize = 3;
/// A witness has a key or two; a note has room for many witnesses.
const MAX_SIGNATURES: usize = 4;
const MAX_SIGNATURE_BYTES: usize = 1024;

/// What a witness did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witnessed {
    /// Where it is.
    pub url: String,
    /// Names of the keys it signed with, or a sentence of what went wrong.
    pub outcome: Result<Vec<String>, String>,
    /// True when it has seen more of this log than there is: the store is an old copy.
    pub ahead: bool,
}

/// Shows the checkpoint to witnesses and keeps their signatures with it. Signatures of witnesses that a policy
/// names are checked before they are kept.
pub fn witness(
    journal: &Journal,
    urls: &[String],
    policy: Option<&Policy>,
) -> Result<(u64, Vec<Witnessed>), AuditError> {
    let (checkpoint, note) = current(journal)?;
    let leaves = leaves(journal, checkpoint.size)?;
    let before = journal.log_file(WITNESSED)?.and_then(|bytes| Note::parse(&bytes).ok());
    let mut kept = match before.clone().filter(|before| before.text == note.text) {
        Some(before) => before,
        None => note.clone(),
    };
    let old = before.and_then(|before| Checkpoint::parse(&before.text).ok()).map_or(0, |before| before.size);
    let mut all = Vec::new();
    for url in urls {
        let asked = ask(url, &note, &leaves, old.min(checkpoint.size));
        let checked = asked.and_then(|signed| check(&note, signed, policy));
        let ahead = checked.as_ref().is_err_and(|what| what.starts_with(AHEAD));
        let outcome = checked.map(|signed| {
            let names = signed.iter().map(|one| one.name().to_owned()).collect();
            for one in signed {
                kept.add(one);
            }
            names
        });
        all.push(Witnessed { url: url.clone(), outcome, ahead });
    }
    if all.iter().any(|witnessed| witnessed.outcome.is_ok()) {
        write(journal, WITNESSED, kept.to_text().as_bytes())?;
    }
    Ok((checkpoint.size, all))
}

fn leaves(journal: &Journal, size: u64) -> Result<Vec<Hash>, AuditError> {
    let mut leaves = Vec::new();
    let mut lines = journal.log_lines(0)?;
    while (leaves.len() as u64) < size {
        let Some((line, _)) = lines.next()? else {
            return Err(AuditError::LogDamaged { what: "leaves are missing".to_owned() });
        };
        leaves.push(leaf_hash(line));
    }
    Ok(leaves)
}

const AHEAD: &str = "it has seen more of this log";

fn ask(url: &str, note: &Note, leaves: &[Hash], old: u64) -> Result<Vec<Signed>, String> {
    let mut old = usize::try_from(old).unwrap_or(0);
    for _ in 0..TRIES {
        let proof: String =
            consistency(leaves, old).iter().map(|hash| format!("{}\n", STANDARD.encode(hash))).collect();
        let body = format!("old {old}\n{proof}\n{}", note.to_text());
        let Answer { status, body } = post(url, "/add-checkpoint", &body)?;
        match status {
            200 => return signatures(&body),
            409 => {
                let seen: usize = body
                    .trim()
                    .parse()
                    .map_err(|_| "it has seen another checkpoint of this size".to_owned())?;
                if seen > leaves.len() {
                    return Err(format!("{AHEAD}, {seen} leaves, than there is, {}", leaves.len()));
                }
                if seen == old {
                    return Err(format!("it has seen another log of {seen} leaves"));
                }
                old = seen;
            }
            403 => return Err("it does not know the key of this log (403)".to_owned()),
            404 => return Err("it does not know this log (404)".to_owned()),
            422 => {
                return Err(
                    "it has seen another history of this log: the proof does not hold (422)".to_owned()
                );
            }
            other => return Err(format!("it answered {other}")),
        }
    }
    Err("it never agrees how much of this log it has seen".to_owned())
}

fn signatures(body: &str) -> Result<Vec<Signed>, String> {
    let lines = body.lines().take(MAX_SIGNATURES + 1).filter(|line| line.len() <= MAX_SIGNATURE_BYTES);
    let read: Option<Vec<Signed>> = lines.map(Signed::parse).collect();
    read.filter(|all| (1..=MAX_SIGNATURES).contains(&all.len()))
        .ok_or_else(|| "its answer has no signature lines".to_owned())
}

/// Under a policy, a signature counts that one of its keys made.
fn check(note: &Note, signed: Vec<Signed>, policy: Option<&Policy>) -> Result<Vec<Signed>, String> {
    if signed.iter().any(|one| note.signatures.iter().any(|own| own.name() == one.name())) {
        return Err("it signs in the name of this log".to_owned());
    }
    let Some(policy) = policy else { return Ok(signed) };
    let note = Note { text: note.text.clone(), signatures: signed };
    let said: Vec<_> = policy.witnesses.values().filter_map(|key| note.witnessed_by(key)).collect();
    match said.iter().find_map(|said| said.err()) {
        Some(what) => Err(what.to_owned()),
        None if said.is_empty() => Err("its signature is by no key of the policy".to_owned()),
        None => Ok(note.signatures),
    }
}
