//! `recount verify [S|--all]`: its exit codes are those of the findings (10, 20–25, 27, 45).

use journal::{Finding, Report, SessionReport};
use serde_json::{Value, json};

use crate::args::{Global, Verify};
use crate::failure::Failure;
use crate::harmless::harmless;
use crate::output::Output;
use crate::place;

/// Findings of one session that are printed; JSON has them all.
const MAX_SHOWN: usize = 50;

pub(crate) fn run(global: &Global, args: &Verify, out: &mut Output) -> Result<u8, Failure> {
    let store = place::store(global)?;
    let report = match args.session.as_deref().filter(|_| !args.all) {
        Some(name) => Report { sessions: vec![store.verify(&store.session(name)?)?] },
        None => store.verify_all()?,
    };
    let exit = report.exit();
    let events: u64 = report.sessions.iter().map(|s| s.events).sum();
    if out.json {
        let findings: Vec<Value> =
            report.sessions.iter().flat_map(|s| &s.findings).map(finding_json).collect();
        let as_of = json!({"sessions": report.sessions.len(), "events": events});
        let body = json!({"exit": exit, "findings": findings, "sessions": report.sessions.iter().map(session_json).collect::<Vec<_>>()});
        out.document("recount.verify/1", &as_of, true, body)?;
        return Ok(exit);
    }
    for session in &report.sessions {
        told(session);
    }
    let bytes: u64 = report.sessions.iter().map(|s| s.bytes).sum();
    let count = report.sessions.iter().map(|s| s.findings.len()).sum::<usize>();
    let word = if exit == 0 { "INTACT" } else { "DAMAGED" };
    let sessions = report.sessions.len();
    let head = match report.sessions.as_slice() {
        [one] if exit == 0 && !one.head.is_empty() => format!(", head {}", &one.head[..16]),
        _ => String::new(),
    };
    out.line(&format!("{word} {sessions} sessions, {events} events, {bytes} bytes, {count} findings{head}"))?;
    Ok(exit)
}

fn told(session: &SessionReport) {
    for finding in session.findings.iter().take(MAX_SHOWN) {
        let code = if finding.code == journal::FindingCode::TornTail { "R0010" } else { "R0004" };
        let text = harmless(&finding.to_string());
        eprintln!("error: {} {} {text} [{code}]", finding.code.exit(), finding.code.name());
    }
    if session.findings.len() > MAX_SHOWN {
        eprintln!(
            "error: … and {} more in {}; --json lists them all",
            session.findings.len() - MAX_SHOWN,
            session.session
        );
    }
    let damage =
        session.findings.iter().filter(|f| f.code != journal::FindingCode::TornTail).map(|f| f.seq).min();
    if let Some(first) = damage {
        let intact = match first.checked_sub(1) {
            Some(last) => format!("everything up to event {last} is intact; "),
            None => String::new(),
        };
        eprintln!("\nhint: {intact}`recount explain R0004` says what this can mean\n");
    }
}

fn finding_json(finding: &Finding) -> Value {
    json!({
        "code": finding.code.exit(),
        "name": finding.code.name(),
        "session": finding.session,
        "seq": finding.seq,
        "segment": finding.segment,
        "offset": finding.offset,
        "msg": finding.cause,
    })
}

fn session_json(session: &SessionReport) -> Value {
    json!({
        "session": session.session,
        "events": session.events,
        "bytes": session.bytes,
        "head": session.head,
        "erased": session.erased,
        "blobs": session.blobs,
        "findings": session.findings.len(),
    })
}
