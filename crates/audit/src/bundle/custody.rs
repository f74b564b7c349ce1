//! Custody: who had the bundle in hand. Each line is chained to the one before, the first to the manifest, and
//! signed by whoever wrote it.
//!
//! ```text
//! {"v":1,"prev":"<64 hex>","ts":"…","action":"handed over","to":"…","by":"…","key":"ssh-ed25519 …","sig":"…"}⏎
//! └─────────────────────── with a } behind it: what is signed ─────────────────────────────┘
//! prev = SHA-256 of the line before without its LF, of MANIFEST.json for the first
//! ```
//! That lines are missing at the end, only who has seen them can say.

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{CUSTODY, MANIFEST};
use crate::error::AuditError;
use crate::sshsig::{AllowedSigners, Hand, PublicKey, SshSignature};
use crate::tree::hex;
use crate::verify::finding::{CUSTODY as CODE, Finding};

/// What signatures of custody are for.
pub(crate) const NAMESPACE: &str = "recount-custody";
const SIG: &str = ",\"sig\":\"";
const MAX_TEXT_BYTES: usize = 1024;

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    v: u64,
    prev: String,
    ts: String,
    action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    to: Option<String>,
    by: String,
    key: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    sig: String,
}

/// One step of a bundle's way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// When.
    pub ts: String,
    /// What was done.
    pub action: String,
    /// To whom.
    pub to: Option<String>,
    /// By whom.
    pub by: String,
    /// Fingerprint of their key.
    pub key: String,
}

/// A signed line behind the one with the hash `prev`.
pub(crate) fn line(
    prev: &str,
    action: &str,
    to: Option<&str>,
    ts: &str,
    hand: &dyn Hand,
) -> Result<String, AuditError> {
    let line = Line {
        v: 1,
        prev: prev.to_owned(),
        ts: ts.to_owned(),
        action: action.to_owned(),
        to: to.map(str::to_owned),
        by: hand.principal(),
        key: hand.key().to_line(),
        sig: String::new(),
    };
    let signed = serde_json::to_string(&line).unwrap_or_default();
    let armor = hand.sign(NAMESPACE, signed.as_bytes())?.armor();
    let sig: String = armor.lines().filter(|line| !line.starts_with('-')).collect();
    Ok(format!("{}{SIG}{sig}\"}}", &signed[..signed.len() - 1]))
}

/// Writes down that a bundle (a folder) changed hands.
pub fn hand_over(
    folder: &Path,
    action: &str,
    to: Option<&str>,
    ts: &str,
    hand: &dyn Hand,
) -> Result<Vec<Step>, AuditError> {
    let read = |name: &str| {
        let path = folder.join(name);
        std::fs::read(&path).map_err(|source| AuditError::Read { path, source })
    };
    if [Some(action), to].into_iter().flatten().any(|text| text.is_empty() || text.len() > MAX_TEXT_BYTES) {
        return Err(AuditError::BadCustody {
            what: "what was done and to whom take 1 to 1024 bytes".to_owned(),
        });
    }
    let (lines, manifest) = (read(CUSTODY)?, read(MANIFEST)?);
    let (mut steps, last, findings) = check(&lines, &manifest, None);
    if let Some(finding) = findings.first() {
        return Err(AuditError::BadCustody { what: finding.to_string() });
    }
    let line = line(&last, action, to, ts, hand)?;
    let path = folder.join(CUSTODY);
    let file = OpenOptions::new().append(true).open(&path);
    let written = file
        .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()).and_then(|()| file.sync_all()));
    written.map_err(|source| AuditError::Write { path, source })?;
    steps.extend(step(&line));
    Ok(steps)
}

fn step(line: &str) -> Option<Step> {
    let line: Line = serde_json::from_str(line).ok()?;
    let key = PublicKey::parse(&line.key)?.0.fingerprint();
    Some(Step { ts: line.ts, action: line.action, to: line.to, by: line.by, key })
}

/// Checks all lines: the steps, the hash of the last line, and what does not hold.
pub(crate) fn check(
    lines: &[u8],
    manifest: &[u8],
    allowed: Option<&AllowedSigners>,
) -> (Vec<Step>, String, Vec<Finding>) {
    let (mut steps, mut findings) = (Vec::new(), Vec::new());
    let mut prev = hex(&Sha256::digest(manifest));
    let mut found = |what: String| findings.push(Finding::new(CODE, what));
    let whole = std::str::from_utf8(lines).ok().and_then(|text| text.strip_suffix('\n'));
    let Some(whole) = whole else {
        found("the custody lines are not whole lines of text".to_owned());
        return (steps, prev, findings);
    };
    for (at, line) in whole.split('\n').enumerate() {
        match checked(line, &prev, allowed) {
            Ok(step) if at == 0 && step.action != "exported" => {
                found("the first custody line is not that of the export".to_owned());
            }
            Ok(step) => steps.push(step),
            Err(what) => found(format!("custody line {}: {what}", at + 1)),
        }
        prev = hex(&Sha256::digest(line));
    }
    (steps, prev, findings)
}

fn checked(line: &str, prev: &str, allowed: Option<&AllowedSigners>) -> Result<Step, &'static str> {
    let (signed, sig) = line.rsplit_once(SIG).ok_or("it has no signature")?;
    let sig = sig.strip_suffix("\"}").ok_or("it has no signature")?;
    let parsed: Line = serde_json::from_str(line).map_err(|_| "it is not a custody line")?;
    let again = Line { sig: String::new(), ..parsed.clone() };
    let signed = format!("{signed}}}");
    if parsed.v != 1 || serde_json::to_string(&again).ok().as_ref() != Some(&signed) {
        return Err("it is not as custody lines are written");
    }
    if parsed.prev != prev {
        return Err("it does not follow the line before it: one is missing, or was changed");
    }
    let text = format!("-----BEGIN SSH SIGNATURE-----\n{sig}\n-----END SSH SIGNATURE-----\n");
    let signature = SshSignature::read(&text).filter(|signature| {
        let armor = signature.armor();
        armor.lines().filter(|line| !line.starts_with('-')).collect::<String>() == sig
    });
    let signature = signature.ok_or("its signature is none")?;
    let (key, _) = PublicKey::parse(&parsed.key).ok_or("it names no key")?;
    if *signature.key() != key || !signature.verifies(NAMESPACE, signed.as_bytes()) {
        return Err("it is not signed by the key that it names");
    }
    if allowed.is_some_and(|allowed| !allowed.allow(&key, &parsed.by, NAMESPACE, &parsed.ts)) {
        return Err("its key is a stranger's");
    }
    step(line).ok_or("it is not a custody line")
}
