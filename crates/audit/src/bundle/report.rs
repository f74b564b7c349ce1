//! `report.md`: the manifest in words.

use std::fmt::Write as _;

use super::manifest::{Claim, Predicate};

/// The report as markdown.
pub(crate) fn markdown(predicate: &Predicate) -> String {
    let mut out = format!("# Bundle {}\n\n", predicate.bundle);
    for (name, value) in facts(predicate) {
        let _ = writeln!(out, "- {name}: {}", plain(&value));
    }
    out.push_str("\n| session | events | whole | header | hash | not told | first | last |\n|---|--:|--:|--:|--:|--:|---|---|\n");
    for part in &predicate.sessions {
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            part.session, part.total, part.full, part.head, part.hash, part.none, part.first, part.last
        );
    }
    out.push_str("\n## What is claimed\n\n");
    for claim in &predicate.claims {
        let (kind, text) = claimed(claim);
        let _ = writeln!(out, "- **{kind}**: {}", plain(&text));
    }
    for (title, rows) in lists(predicate) {
        let _ = write!(out, "\n## {title}\n\n");
        for row in &rows {
            let _ = writeln!(out, "- {}", plain(row));
        }
    }
    out.push_str("\nHow to check all of this: `VERIFY.md`.\n");
    out
}

/// Name and value of what the bundle is.
pub(crate) fn facts(predicate: &Predicate) -> Vec<(&'static str, String)> {
    let (exporter, request) = (&predicate.exporter, &predicate.request);
    let mut facts = vec![
        ("store", predicate.store.clone()),
        ("made", predicate.created.clone()),
        ("signed by", format!("{} ({})", exporter.principal, exporter.key)),
        ("on", exporter.host.clone()),
        ("with", format!("{} (SHA-256 {})", exporter.tool, exporter.tool_sha256)),
        ("log", format!("from {} to {}", predicate.clock.log_began, predicate.clock.log_ended)),
    ];
    let asked = [("query", &request.query), ("purpose", &request.purpose), ("case", &request.case)];
    facts.extend(asked.into_iter().filter_map(|(name, value)| Some((name, value.clone()?))));
    facts.extend(predicate.previous.clone().map(|id| ("bundle before it", id)));
    facts
}

/// Whether a claim is proven or attested, and what it says.
pub(crate) fn claimed(claim: &Claim) -> (&str, String) {
    match claim {
        Claim::Range { kind, session, from, to, level } => {
            let told = match level.as_str() {
                "full" => "whole",
                "head" => "at least by its header",
                _ => "at least by its hash",
            };
            (kind, format!("every event of {session} from {from} to {to} is told {told}"))
        }
        Claim::Latest { kind, session, log_size } => {
            (kind, format!("{session} has no newer seal among the {log_size} leaves of the log"))
        }
        Claim::Sessions { kind, from, to } => {
            (kind, format!("these are all sessions that were first sealed at leaves {from} to {to}"))
        }
        Claim::HeaderFilter { kind, sessions, .. } => {
            (kind, format!("in {}, every event that matches the filter is told whole", sessions.join(", ")))
        }
        Claim::TextFilter { kind, sessions, query } => {
            (kind, format!("in {}, every event that matches {query:?} is told whole", sessions.join(", ")))
        }
    }
}

/// Lists that may be empty, and are left out then.
pub(crate) fn lists(predicate: &Predicate) -> Vec<(&'static str, Vec<String>)> {
    let erased = predicate.erasures.iter().map(|e| {
        let order = e.order.map_or_else(String::new, |seq| format!(", ordered by {}/{seq}", e.session));
        format!("{}/{}: {}{order}", e.session, e.seq, e.members.join(", "))
    });
    let withheld =
        predicate.withheld.iter().map(|w| format!("{}: {} events: {}", w.session, w.events, w.reason));
    let incidents = predicate.incidents.iter().map(|i| format!("{}/{}: {}", i.session, i.seq, i.kind));
    let redacted = predicate.redaction.iter().map(|(kind, count)| format!("{kind}: {count}"));
    let lists = [
        ("Erased", erased.collect::<Vec<_>>()),
        ("Not told whole", withheld.collect()),
        ("Redacted before it was stored", redacted.collect()),
        ("Where recording itself failed", incidents.collect()),
    ];
    lists.into_iter().filter(|(_, rows)| !rows.is_empty()).collect()
}

/// Text that is no markup: nothing in it can be read as a tag, a link or a table.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '!' | '&') {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
