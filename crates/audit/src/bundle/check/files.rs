//! The files of a bundle are those that were signed: none changed, added or missing.

use std::collections::BTreeSet;
use std::io::Read as _;

use sha2::{Digest as _, Sha256};

use crate::bundle::manifest::{Subject, sums};
use crate::bundle::parcel::{Parcel, is_plain};
use crate::bundle::{BESIDE, BLAKE3_SUMS, MANIFEST, SHA256_SUMS};
use crate::error::AuditError;
use crate::tree::hex;
use crate::verify::finding::{BUNDLE_FILE, Finding};

/// Compares what is there with what is listed.
pub(super) fn check(parcel: &Parcel, subjects: &[Subject]) -> Result<Vec<Finding>, AuditError> {
    let mut findings = Vec::new();
    let mut found = |what: String| findings.push(Finding::new(BUNDLE_FILE, what));
    let mut listed: BTreeSet<&str> = BESIDE.into_iter().collect();
    for subject in subjects {
        if !is_plain(&subject.name) || !listed.insert(&subject.name) {
            found("the manifest lists a name twice, or one that bundles don't have".to_owned());
        } else if let Some(what) = differs(parcel, subject)? {
            found(format!("{} {what}", subject.name));
        }
    }
    parcel
        .names()
        .filter(|name| !listed.contains(name))
        .for_each(|name| found(format!("{name} is not listed")));
    let missing = BESIDE.into_iter().filter(|name| parcel.len(name).is_none());
    missing.for_each(|name| found(format!("{name} is missing")));
    let mut all = subjects.to_vec();
    all.extend(hashed(parcel, MANIFEST)?);
    let lists = [(SHA256_SUMS, sums(&all, |d| &d.sha256)), (BLAKE3_SUMS, sums(&all, |d| &d.blake3))];
    for (name, expected) in lists {
        if parcel.whole(name)?.is_some_and(|text| text != expected.as_bytes()) {
            found(format!("{name} does not list what the manifest lists"));
        }
    }
    Ok(findings)
}

fn differs(parcel: &Parcel, subject: &Subject) -> Result<Option<&'static str>, AuditError> {
    match parcel.len(&subject.name) {
        None => return Ok(Some("is missing")),
        // before anything is read: a file of another length is not worth its time
        Some(len) if len != subject.annotations.size => return Ok(Some("has another length")),
        Some(_) => {}
    }
    let there = hashed(parcel, &subject.name)?;
    Ok((there.as_ref() != Some(subject)).then_some("is not what was signed"))
}

fn hashed(parcel: &Parcel, name: &str) -> Result<Option<Subject>, AuditError> {
    let Some(mut file) = parcel.buffered(name)? else { return Ok(None) };
    let (mut sha256, mut blake3, mut size) = (Sha256::new(), blake3::Hasher::new(), 0);
    let mut buffer = vec![0; 256 * 1024];
    loop {
        let count = file
            .read(&mut buffer)
            .map_err(|source| AuditError::Read { path: std::path::PathBuf::from(name), source })?;
        if count == 0 {
            break;
        }
        sha256.update(&buffer[..count]);
        blake3.update(&buffer[..count]);
        size += count as u64;
    }
    let digest = crate::bundle::manifest::Digest {
        sha256: hex(&sha256.finalize()),
        blake3: blake3.finalize().to_hex().to_string(),
    };
    let annotations = crate::bundle::manifest::Size { size };
    Ok(Some(Subject { name: name.to_owned(), digest, annotations }))
}
