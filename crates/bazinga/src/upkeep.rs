//! Whether what is stored is what was written.

use recorder::Store;
use serde_json::json;

use crate::Answer;
use crate::error::BazingaError;

/// `integrity-check`: every chain and payload; no, if one does not hold.
pub fn integrity(store: &Store) -> Result<Answer, BazingaError> {
    let report = store.verify_all()?;
    let mut findings = report.sessions.iter().flat_map(|session| &session.findings);
    let Some(first) = findings.next() else {
        return Ok(Answer::of(json!({"ok": true, "details": "Database integrity check passed"})));
    };
    let more = findings.count();
    let details = format!("Integrity issues found: {first} and {more} more; `recount verify` shows all");
    Ok(Answer::of(json!({"ok": false, "details": details})).no())
}
