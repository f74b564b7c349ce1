//! Digests that were made before: kept under what was asked, good until something that they rest on happens.

use event::SessionId;
use journal::{Place, ReadError};
use recorder::{Cache, Store};
use serde::{Deserialize, Serialize};

use super::{Digest, Matrix, Request};
use crate::error::OrchestrateError;

/// After so many events that changed nothing, it is noted how far was looked.
const FAR: u64 = 256;

#[derive(Serialize, Deserialize)]
struct Kept {
    /// Everything before it was looked at.
    place: Place,
    digest: Digest,
    /// Over the digest: what was changed is no answer.
    check: String,
}

impl Kept {
    fn new(place: Place, digest: &Digest) -> Self {
        Self { place, digest: digest.clone(), check: check(digest) }
    }
}

fn check(digest: &Digest) -> String {
    let bytes = serde_json::to_vec(digest).unwrap_or_default();
    blake3::derive_key("recount digest cache 1", &bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn cache(store: &Store) -> Cache {
    store.cache("digests")
}

/// What was asked, as a name.
pub(super) fn key(session: &SessionId, request: &Request) -> String {
    let sources = request.matrix.sources(&request.role).unwrap_or_default();
    let asked = format!(
        "{session}\n{}\n{}\n{} {} {} {:?} {}\n{sources:?}",
        request.group,
        request.role,
        request.budget_tokens,
        request.per_phase_chars,
        request.limit,
        request.upto,
        request.tokenizer.name(),
    );
    format!("{session}-{}", &blake3::hash(asked.as_bytes()).to_hex()[..32])
}

/// The digest that was made, if nothing that it rests on has happened since.
pub(super) fn still_holds(
    store: &Store,
    session: &SessionId,
    key: &str,
    request: &Request,
) -> Result<Option<Digest>, OrchestrateError> {
    let cache = cache(store);
    let Some(kept) = cache.get::<Kept>(key).filter(|kept| check(&kept.digest) == kept.check) else {
        return Ok(None);
    };
    if let Some(place) = since(store, session, &kept.place, request)? {
        if place.seq >= kept.place.seq + FAR {
            cache.put(key, &Kept::new(place, &kept.digest));
        }
        Ok(Some(kept.digest))
    } else {
        cache.forget(key);
        Ok(None)
    }
}

/// Reads on from a place; `None` as soon as something happens that changes the answer.
fn since(
    store: &Store,
    session: &SessionId,
    place: &Place,
    request: &Request,
) -> Result<Option<Place>, OrchestrateError> {
    let wide = Matrix::is_session_wide(&request.role);
    if place.seq == 0 {
        return Ok(None);
    }
    let mut reader = store.journal().read(session, place.clone())?.heads_only();
    loop {
        let line = match reader.next() {
            Ok(Some(entry)) => entry.line,
            Ok(None) => return Ok(Some(reader.place().clone())),
            Err(ReadError::Damage(_)) => return Ok(None),
            Err(ReadError::Journal(error)) => return Err(error.into()),
        };
        let erased = line.kind == "audit.erased";
        let reasoning = line.kind == "reasoning.recorded"
            && request.upto.is_none_or(|upto| line.seq <= upto)
            && line.field("phase").is_some()
            && (wide || line.text("group").as_deref() == Some(request.group.as_str()));
        if erased || reasoning {
            return Ok(None);
        }
    }
}

/// Keeps a digest.
pub(super) fn keep(store: &Store, key: &str, place: Place, digest: &Digest) {
    // a group of which nothing is recorded is a word of the caller's alone, which nobody has looked at for secrets
    if digest.parts.is_empty() {
        return;
    }
    cache(store).put(key, &Kept::new(place, digest));
}

/// Notes that a kept digest was recorded.
pub(super) fn note(store: &Store, key: &str, digest: &Digest) {
    let cache = cache(store);
    if let Some(kept) = cache.get::<Kept>(key).filter(|kept| kept.digest.id == digest.id) {
        cache.put(key, &Kept::new(kept.place, digest));
    }
}
