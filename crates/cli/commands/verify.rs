//! `recount verify [S|--all]`: its exit codes are those of the findings, the worst of them.

mod bundle;

use std::collections::BTreeMap;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use audit::{Demands, Finding, Pin, Proof, Stamp, Verdict};
use journal::{Journal, JournalError, SessionReport};
use recorder::{RecorderError, Store};
use serde_json::{Value, json};
use world::World;

use crate::args::{Global, Verify};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::{place, seals};

/// Findings of one session that are printed; JSON has them all.
const MAX_SHOWN: usize = 50;
const TORN_TAIL: u8 = 10;
const UNTRUSTED: u8 = 12;
const UNSUPPORTED: u8 = 45;
/// From here on it is damage.
const DAMAGE: u8 = 20;

pub(crate) fn run(global: &Global, args: &Verify, out: &mut Output) -> Result<u8, Failure> {
    if let Some(file) = args.session.as_deref().filter(|name| is_file(name)) {
        if bundle::is_bundle(Path::new(file)) {
            return bundle::run(Path::new(file), args, out);
        }
        return proof(file, args, out);
    }
    let folder = args.session.as_deref().map(Path::new).filter(|path| is_folder(path));
    if let Some(path) = folder.filter(|path| bundle::is_bundle(path)) {
        return bundle::run(path, args, out);
    }
    if let Some(path) = folder.filter(|path| !path.join("journal/STORE").exists()) {
        return Err(Failure::usage(format!("{} is neither a store nor a bundle", path.display()))
            .hint("a store has journal/STORE, a bundle has MANIFEST.json"));
    }
    let store = opened(global, folder)?;
    let journal = store.journal();
    let only = match args.session.as_deref().filter(|_| !args.all && folder.is_none()) {
        Some(name) => Some(store.session(name)?),
        None => None,
    };
    let (pin, damaged) = pin(journal, args.pin.as_deref())?;
    let erasers = args.allowed_signers.as_deref().map(bundle::signers).transpose()?;
    let demands = Demands {
        pin,
        damaged,
        only,
        policy: place::policy(journal, args.policy.as_deref())?,
        anchor: args.require_anchor,
        sealed: args.require_sealed,
        payload: args.require_payload,
        erasers,
    };
    let mut verdict = audit::verify(journal, &demands)?;
    verdict.notes.extend(torn_memory(journal, args));
    if let Some(ca) = &args.tsa_ca {
        let (notes, findings) = stamps(&audit::stamps(journal)?, ca)?;
        verdict.notes.extend(notes);
        verdict.findings.extend(findings);
    }
    if args.index {
        index(&store, &mut verdict)?;
    }
    let exit = verdict.exit();
    if out.json {
        out.document("recount.verify/1", &as_of(&verdict), true, body(journal, &verdict))?;
        return Ok(exit);
    }
    told(&verdict);
    for note in &verdict.notes {
        eprintln!("note: {}", harmless(note));
    }
    out.line(&summed_up(journal, &verdict))?;
    Ok(exit)
}

/// What is derived, compared with the journal.
fn index(store: &Store, verdict: &mut Verdict) -> Result<(), Failure> {
    let Some(compared) = store.compare_index()? else {
        verdict.notes.push("there is no index: every answer comes from the journal".to_owned());
        return Ok(());
    };
    let flaws = compared.flaws.into_iter();
    verdict.findings.extend(flaws.map(|flaw| {
        Finding::view(flaw.session, flaw.seq, format!("{}; `recount reindex` makes it anew", flaw.what))
    }));
    verdict.notes.push(format!(
        "index: {} events looked up by each of their {} tokens, {} rows of views compared",
        compared.events, compared.tokens, compared.rows
    ));
    if compared.behind > 0 {
        verdict
            .notes
            .push(format!("{} events are not indexed yet: the journal answers for them", compared.behind));
    }
    Ok(())
}

/// Has OpenSSL check each time stamp with the certificates of those whose word counts.
fn stamps(stamps: &[Stamp], ca: &Path) -> Result<(Vec<String>, Vec<Finding>), Failure> {
    let (mut notes, mut findings) = (Vec::new(), Vec::new());
    for stamp in stamps {
        if is_stamped_by(stamp, ca).map_err(|e| Failure::io("run openssl", &e))? {
            notes.push(format!("the time stamp of size {} is by one of {}", stamp.size, ca.display()));
        } else {
            let msg = format!("openssl does not verify the time stamp of size {}", stamp.size);
            findings.push(Finding::anchor(msg));
        }
    }
    Ok((notes, findings))
}

fn is_stamped_by(stamp: &Stamp, ca: &Path) -> io::Result<bool> {
    let mut command = Command::new("openssl");
    command.args(["ts", "-verify", "-digest", &stamp.digest, "-in", "/dev/stdin", "-CAfile"]).arg(ca);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut running = command.spawn()?;
    // openssl that ends early has read enough
    let _ = running.stdin.take().map(|mut stdin| stdin.write_all(&stamp.response));
    Ok(running.wait()?.success())
}

fn is_folder(path: &Path) -> bool {
    path.is_dir() && (path.to_string_lossy().contains(['/', '.']) || path.join("MANIFEST.json").is_file())
}

/// The store, by path or as every command finds it; that it is too new is a finding here.
fn opened(global: &Global, folder: Option<&Path>) -> Result<Store, Failure> {
    let root = folder.map_or_else(|| place::to_read(global), |folder| Ok(folder.to_owned()))?;
    Store::open(World::real(), &root).map_err(|error| match error {
        RecorderError::Journal(error @ JournalError::NewerFormat { .. }) => {
            Failure::new(UNSUPPORTED, error.to_string()).code("R0002").hint("use a newer recount")
        }
        error => error.into(),
    })
}

/// A session has no `/` and no `.` in its id.
fn is_file(name: &str) -> bool {
    name.contains(['/', '.']) && Path::new(name).is_file()
}

/// Checks the proof of one event; needs no store.
fn proof(file: &str, args: &Verify, out: &mut Output) -> Result<u8, Failure> {
    let text = std::fs::read_to_string(file).map_err(|e| Failure::io(&format!("read {file}"), &e))?;
    let proof: Proof = serde_json::from_str(&text).map_err(|e| {
        Failure::usage(format!("{file} is not a proof: {e}")).hint("`recount prove S/17` makes one")
    })?;
    let pin = args.pin.as_deref().map(given_pin).transpose()?;
    let findings = proof.check(pin.as_ref());
    let verdict = Verdict { findings, ..Verdict::default() };
    let exit = verdict.exit();
    let event = proof.event().unwrap_or_default();
    if out.json {
        let findings: Vec<Value> = verdict.findings.iter().map(finding_json).collect();
        out.document(
            "recount.verify/1",
            &json!({"event": event}),
            true,
            json!({"exit": exit, "findings": findings}),
        )?;
        return Ok(exit);
    }
    told(&verdict);
    let word = match exit {
        0 => "PROVEN",
        UNTRUSTED => "UNTRUSTED",
        _ => "NOT PROVEN",
    };
    out.line(&format!("{word} {event}, {} findings", verdict.findings.len()))?;
    Ok(exit)
}

/// The pin that was given, else the one that this machine remembers, and what of that is damaged.
fn pin(journal: &Journal, given: Option<&str>) -> Result<(Option<Pin>, Vec<String>), Failure> {
    if let Some(given) = given {
        return Ok((Some(given_pin(given)?), Vec::new()));
    }
    // where no home is known nothing is remembered
    let Ok(keys) = seals::keyring(journal) else { return Ok((None, Vec::new())) };
    let (pin, damage) = Pin::remembered(&keys, journal.store_id());
    Ok((pin, damage.into_iter().map(|error| Failure::from(error).text()).collect()))
}

/// Said where the remembered checkpoint is what counts.
fn torn_memory(journal: &Journal, args: &Verify) -> Option<String> {
    let torn =
        args.pin.is_none() && seals::keyring(journal).is_ok_and(|keys| keys.is_seen_torn().unwrap_or(false));
    torn.then(|| {
        "one of the two checkpoints remembered here is torn: a copy from before the last seal would pass until the next one"
            .to_owned()
    })
}

fn given_pin(given: &str) -> Result<Pin, Failure> {
    if given.len() == 64 && !Path::new(given).exists() {
        return Ok(Pin::parse(given)?);
    }
    let text = std::fs::read_to_string(given).map_err(|e| Failure::io(&format!("read {given}"), &e))?;
    Ok(Pin::parse(&text)?)
}

fn total(verdict: &Verdict, of: impl Fn(&SessionReport) -> u64) -> u64 {
    verdict.sessions.iter().map(of).sum()
}

fn as_of(verdict: &Verdict) -> Value {
    let mut as_of = json!({"sessions": verdict.sessions.len(), "events": total(verdict, |s| s.events)});
    if let Some(log) = verdict.log {
        as_of["log_size"] = log.size.into();
    }
    as_of
}

/// The exit code in a word.
fn word(exit: u8) -> &'static str {
    match exit {
        0 => "VERIFIED",
        UNTRUSTED => "UNTRUSTED",
        11..DAMAGE => "INCOMPLETE",
        _ => "DAMAGED",
    }
}

fn summed_up(journal: &Journal, verdict: &Verdict) -> String {
    let word = if (verdict.exit(), verdict.log) == (0, None) { "INTACT" } else { word(verdict.exit()) };
    let log = match verdict.log {
        Some(log) => {
            format!("store {}, log size {}, epoch {}, ", &journal.store_id()[..8], log.size, log.epoch)
        }
        None => String::new(),
    };
    let head = match verdict.sessions.as_slice() {
        [one] if verdict.exit() == 0 && !one.head.is_empty() => format!(", head {}", &one.head[..16]),
        _ => String::new(),
    };
    let (events, bytes) = (total(verdict, |s| s.events), total(verdict, |s| s.bytes));
    let (sessions, count) = (verdict.sessions.len(), verdict.findings.len());
    format!("{word} {log}{sessions} sessions, {events} events, {bytes} bytes, {count} findings{head}")
}

fn told(verdict: &Verdict) {
    printed(&verdict.findings);
    hints(verdict);
}

/// Findings and the pages that explain them, of what has no sessions.
fn findings_told(findings: &[Finding]) {
    printed(findings);
    pages(findings, &["R0004", "R0015", "R0017", "R0018", "R0021"]);
}

fn printed(findings: &[Finding]) {
    let mut shown: BTreeMap<Option<&str>, usize> = BTreeMap::new();
    for finding in findings {
        let count = shown.entry(finding.session.as_deref()).or_default();
        *count += 1;
        if *count <= MAX_SHOWN {
            let text = harmless(&finding.to_string());
            eprintln!("error: {} {} {text} [{}]", finding.code, finding.name(), code(finding));
        }
    }
    for (session, count) in shown.iter().filter(|(_, count)| **count > MAX_SHOWN) {
        let of = session.unwrap_or("the log");
        eprintln!("error: … and {} more in {of}; --json lists them all", count - MAX_SHOWN);
    }
}

/// The page that explains a finding.
fn code(finding: &Finding) -> &'static str {
    match finding.code {
        TORN_TAIL => "R0010",
        11..DAMAGE => "R0017",
        26 | 28..=36 => "R0015",
        37 => "R0021",
        40..=43 => "R0018",
        _ => "R0004",
    }
}

fn hints(verdict: &Verdict) {
    let damage = || verdict.findings.iter().filter(|finding| code(finding) == "R0004");
    for session in &verdict.sessions {
        let first =
            damage().filter(|f| f.session.as_ref() == Some(&session.session)).filter_map(|f| f.seq).min();
        if let Some(first) = first {
            let intact = match first.checked_sub(1) {
                Some(last) => format!("everything up to event {last} is intact; "),
                None => String::new(),
            };
            eprintln!("\nhint: {intact}`recount explain R0004` says what this can mean\n");
        }
    }
    pages(&verdict.findings, &["R0015", "R0017", "R0021"]);
}

fn pages(findings: &[Finding], pages: &[&str]) {
    for page in pages {
        if findings.iter().any(|finding| code(finding) == *page) {
            eprintln!("\nhint: `recount explain {page}` says what this can mean\n");
        }
    }
}

fn body(journal: &Journal, verdict: &Verdict) -> Value {
    let findings: Vec<Value> = verdict.findings.iter().map(finding_json).collect();
    let sessions: Vec<Value> =
        verdict.sessions.iter().map(|session| session_json(session, verdict)).collect();
    let log = verdict.log.map(|log| json!({"size": log.size, "epoch": log.epoch}));
    json!({
        "exit": verdict.exit(),
        "store": journal.store_id(),
        "log": log,
        "findings": findings,
        "notes": verdict.notes,
        "sessions": sessions,
    })
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "code": finding.code,
        "name": finding.name(),
        "session": finding.session,
        "seq": finding.seq,
        "segment": finding.segment,
        "offset": finding.offset,
        "leaf": finding.leaf,
        "msg": finding.msg,
    })
}

fn session_json(session: &SessionReport, verdict: &Verdict) -> Value {
    let findings = verdict.findings.iter().filter(|f| f.session.as_ref() == Some(&session.session)).count();
    json!({
        "session": session.session,
        "events": session.events,
        "bytes": session.bytes,
        "head": session.head,
        "erased": session.erased,
        "erasures_unfinished": session.unfinished,
        "erasures_unswept": session.unswept,
        "blobs": session.blobs,
        "findings": findings,
    })
}
