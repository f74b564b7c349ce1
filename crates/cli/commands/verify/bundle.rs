//! `recount verify PATH` where the path is a bundle: a folder or an archive.

use std::path::Path;

use audit::{AllowedSigners, Demanded, Examined, Pin};
use serde_json::{Value, json};
use world::World;

use crate::args::Verify;
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;

/// A folder that is no store, or a packed bundle.
pub(super) fn is_bundle(path: &Path) -> bool {
    let packed = path.is_file() && path.extension().is_some_and(|extension| extension == "zst");
    let signs = ["MANIFEST.json", "MANIFEST.json.sig", "SHA256SUMS", "B3SUMS", "custody.ndjson"];
    let unpacked = signs.iter().any(|sign| path.join(sign).exists()) && !path.join("journal/STORE").exists();
    packed || unpacked
}

pub(super) fn run(path: &Path, args: &Verify, out: &mut Output) -> Result<u8, Failure> {
    let demanded = Demanded {
        pin: args.pin.as_deref().map(super::given_pin).transpose()?,
        allowed: args.allowed_signers.as_deref().map(signers).transpose()?,
        policy: args.policy.as_deref().map(place::policy_in).transpose()?,
        anchor: args.require_anchor,
        payload: args.require_payload,
    };
    if args.index {
        return Err(Failure::usage("a bundle has no index").hint("--index compares the index of a store"));
    }
    let mut examined = audit::examine(path, &demanded, &remembered)?;
    if let Some(ca) = &args.tsa_ca {
        let (notes, findings) = super::stamps(&examined.stamps, ca)?;
        examined.notes.extend(notes);
        examined.findings.extend(findings);
    }
    let exit = examined.exit();
    if out.json {
        out.document("recount.verify/1", &as_of(&examined), true, body(&examined))?;
        return Ok(exit);
    }
    super::findings_told(&examined.findings);
    for note in &examined.notes {
        eprintln!("note: {}", harmless(note));
    }
    out.line(&harmless(&summed_up(&examined)))?;
    Ok(exit)
}

pub(super) fn signers(file: &Path) -> Result<AllowedSigners, Failure> {
    let text =
        std::fs::read_to_string(file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
    AllowedSigners::parse(&text)
        .map_err(|line| Failure::usage(format!("line {line} of {} is no allowed signer", file.display())))
}

/// The pin that this machine remembers of a store.
fn remembered(store: &str) -> Option<Pin> {
    if store.len() != 32 || !store.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    let keys = audit::Keyring::new(World::real(), place::keys_dir(store).ok()?);
    Pin::remembered(&keys, store).0
}

fn as_of(examined: &Examined) -> Value {
    let mut as_of = json!({"bundle": examined.facts.as_ref().map(|facts| &facts.id)});
    if let Some(log) = examined.log {
        as_of["log_size"] = log.size.into();
    }
    as_of
}

fn body(examined: &Examined) -> Value {
    let facts = examined.facts.as_ref().map(|facts| {
        json!({
            "id": facts.id, "store": facts.store, "created": facts.created,
            "signed_by": {"principal": facts.principal, "key": facts.key},
            "sessions": facts.sessions, "events": {"full": facts.full, "total": facts.total},
            "claims": {"proven": facts.proven, "attested": facts.attested}, "erased": facts.erased,
        })
    });
    let custody: Vec<Value> = examined
        .custody
        .iter()
        .map(|s| json!({"ts": s.ts, "action": s.action, "to": s.to, "by": s.by, "key": s.key}))
        .collect();
    json!({
        "exit": examined.exit(),
        "bundle": facts,
        "log": examined.log.map(|log| json!({"size": log.size, "epoch": log.epoch})),
        "custody": custody,
        "findings": examined.findings.iter().map(super::finding_json).collect::<Vec<_>>(),
        "notes": examined.notes,
    })
}

fn summed_up(examined: &Examined) -> String {
    let word = super::word(examined.exit());
    let count = examined.findings.len();
    let Some(facts) = &examined.facts else { return format!("{word} bundle, {count} findings") };
    format!(
        "{word} bundle {} of store {}, {} sessions, {} of {} events told whole, {} claims proven, {} attested, {} erasures, {} custody lines, {count} findings",
        facts.id,
        facts.store.get(..8).unwrap_or_default(),
        facts.sessions,
        facts.full,
        facts.total,
        facts.proven,
        facts.attested,
        facts.erased,
        examined.custody.len()
    )
}
