//! Error patterns: an error with what mended it, how often it was met, and whether the advice helped.
//!
//! A project's patterns and strategies stand in a session of their own, `project:<id>`. Nothing that counts
//! is stored: occurrences are events, and confidence is the sum of the verdicts on them.

use std::sync::LazyLock;

use event::{Event, SessionId};
use recorder::{Recorder, Store};
use regex::Regex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{called, draft, events, record, redacted, time, written};
use crate::words::{list, one_of, some};

/// Before the name of a project's session.
pub(crate) const PROJECT: &str = "project:";
const CATEGORY: &str = "error_pattern";
const PATTERN_CHARS: usize = 500;
/// Confidence is counted in thousandths: tenths of a float do not add up.
const START: i64 = 500;
const HELPED: i64 = 100;
const FAILED: i64 = -200;
const LOWEST: i64 = 100;
/// Below this a pattern is kept and not offered.
const OFFERED: i64 = 300;

/// An error and what mended it.
#[derive(Debug, Clone, Copy)]
pub struct Pattern<'a> {
    /// The project.
    pub project: &'a str,
    /// The error's class.
    pub error: &'a str,
    /// Its message.
    pub message: &'a str,
    /// What mended it.
    pub solution: &'a str,
    /// The programming language.
    pub lang: Option<&'a str>,
    /// Words about where it happens, as a JSON list.
    pub hints: Option<&'a str>,
    /// Places in the stack, as a JSON list.
    pub stack: Option<&'a str>,
}

/// One pattern as it is now.
struct Known {
    hash: String,
    /// Sequences of the events that told it.
    told: Vec<u64>,
    signature: Value,
    solution: String,
    lang: Value,
    occurrences: u64,
    confidence: i64,
    seen: String,
}

/// The message without what differs from time to time: paths, lines, quoted values.
fn generic(message: &str) -> String {
    static STEPS: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
        let steps = [
            (r"/\S+/", ".../"),
            (r"[A-Z]:\\\S+\\", r"...\"),
            (r"line \d+", "line N"),
            (r"'[^']{1,50}'", "'...'"),
            (r#""[^"]{1,50}""#, r#""...""#),
        ];
        steps.into_iter().filter_map(|(step, with)| Some((Regex::new(step).ok()?, with))).collect()
    });
    let text = STEPS.iter().fold(message.to_owned(), |text, (step, with)| {
        step.replace_all(&text, regex::NoExpand(with)).into_owned()
    });
    text.trim().chars().take(PATTERN_CHARS).collect()
}

/// The pattern's name: a hash over what is stored of it, secrets taken out.
fn hash(signature: &Value) -> String {
    let text = |name: &str| signature[name].as_str().unwrap_or_default();
    let hints = signature["context_hints"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let mut hints: Vec<&str> = hints.collect();
    hints.sort_unstable();
    let name = format!("{}:{}:{}", text("error_type"), text("message_pattern"), hints.join(","));
    Sha256::digest(name).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn known(store: &Store, project: &str) -> Result<Vec<Known>, BazingaError> {
    let mut found: Vec<Known> = Vec::new();
    for event in
        events(store, &format!("{PROJECT}{project}"), &["learning.noted", "score.given", "state.changed"])?
    {
        if event.text("what") == Some(EXPIRED) {
            let gone = event.data.get("body").map(|body| body["patterns"].clone()).unwrap_or_default();
            found.retain(|known| {
                !gone.as_array().is_some_and(|gone| gone.iter().any(|hash| *hash == known.hash))
            });
        } else if event.kind == "score.given" {
            let cause = event.header.get("cause").and_then(Value::as_u64);
            let rated = found.iter_mut().find(|known| cause.is_some_and(|seq| known.told.contains(&seq)));
            if let Some(known) = rated {
                let by = if event.text("score") == Some("success") { HELPED } else { FAILED };
                known.confidence = (known.confidence + by).clamp(LOWEST, 1000);
                known.seen = time(&event);
            }
        } else if event.text("category") == Some(CATEGORY) {
            note(&mut found, &event);
        }
    }
    Ok(found)
}

fn note(found: &mut Vec<Known>, event: &Event) {
    let signature = event.data.get("trigger").cloned().unwrap_or_default();
    let solution = event.data.get("fix").and_then(Value::as_str).unwrap_or_default().to_owned();
    let before = |name: &str| event.data.get(name).and_then(Value::as_u64);
    // what another store had counted stands for all of it, however often it is imported
    let (hash, counted, seen) = (hash(&signature), before("occurrences"), time(event));
    let sure = before("confidence_thousandths").and_then(|n| i64::try_from(n).ok());
    if let Some(known) = found.iter_mut().find(|known| known.hash == hash) {
        known.told.push(event.seq);
        known.occurrences = counted.unwrap_or(known.occurrences + 1);
        known.confidence = sure.unwrap_or(known.confidence);
        known.seen = seen;
        if solution.len() > known.solution.len() {
            known.solution = solution;
        }
        return;
    }
    let (occurrences, confidence) = (counted.unwrap_or(1), sure.unwrap_or(START));
    let lang = event.data.get("applies_to").map_or(Value::Null, |applies| applies["lang"].clone());
    let told = vec![event.seq];
    found.push(Known { hash, told, signature, solution, lang, occurrences, confidence, seen });
}

/// Days that a pattern is kept after it was met last.
const KEPT_DAYS: i64 = 90;
const DAY_MICROS: i64 = 24 * 60 * 60 * 1_000_000;
/// What says that patterns are out of date.
const EXPIRED: &str = "error_patterns_expired";

/// Every project that something was noted for: its session and its name.
pub(crate) fn projects(store: &Store) -> Result<Vec<(SessionId, String)>, BazingaError> {
    let all = store.journal().sessions()?.into_iter().map(|id| (called(store, &id), id));
    Ok(all.filter_map(|(name, id)| Some((id, name.strip_prefix(PROJECT)?.to_owned()))).collect())
}

/// `cleanup-error-patterns`: what was not met for long is offered no more; its events stay.
pub fn drop_expired(recorder: &mut Recorder, project: Option<&str>) -> Result<Answer, BazingaError> {
    let store = recorder.store();
    let now = store.journal().world().clock.now();
    let before = written(&world::rfc3339(now.saturating_sub(KEPT_DAYS * DAY_MICROS)));
    let (mut dropped, day) = (0, before.get(..10).unwrap_or_default());
    for (_, name) in projects(&store)?.iter().filter(|(_, name)| project.is_none_or(|only| only == name)) {
        let old = known(&store, name)?
            .into_iter()
            .filter(|known| known.seen.get(..10).is_some_and(|seen| seen < day));
        let hashes: Vec<String> = old.map(|known| known.hash).collect();
        if hashes.is_empty() {
            continue;
        }
        dropped += hashes.len();
        let draft = draft(&format!("{PROJECT}{name}"), "state.changed").with("what", EXPIRED);
        record(recorder, draft.data("body", json!({"patterns": hashes})))?;
    }
    Ok(Answer::of(json!({"success": true, "deleted_count": dropped, "project_id": project}))
        .saying(format!("✓ Cleaned up {dropped} expired error patterns")))
}

fn thousandths(n: i64) -> Value {
    // below 1000, so exact
    json!(f64::from(i32::try_from(n).unwrap_or(0)) / 1000.0)
}

/// `save-error-pattern`.
pub fn save_pattern(recorder: &mut Recorder, pattern: Pattern<'_>) -> Result<Answer, BazingaError> {
    some("the project id", pattern.project)?;
    some("the error's message", pattern.message)?;
    some("the solution", pattern.solution)?;
    let lists = |what, text: Option<&str>| text.map_or_else(|| Ok(Vec::new()), |text| list(what, text));
    let kind = if pattern.error.trim().is_empty() { "Unknown" } else { pattern.error.trim() };
    let signature = json!({
        "error_type": kind,
        "message_pattern": generic(pattern.message),
        "context_hints": lists("--context-hints", pattern.hints)?,
        "stack_pattern": lists("--stack-pattern", pattern.stack)?,
    });
    let session = format!("{PROJECT}{}", pattern.project);
    let mut draft = draft(&session, "learning.noted")
        .with("category", CATEGORY)
        .data("trigger", signature)
        .data("fix", pattern.solution);
    if let Some(lang) = pattern.lang {
        draft = draft.data("applies_to", json!({"lang": lang}));
    }
    let event = record(recorder, draft)?;
    let name = hash(event.data.get("trigger").unwrap_or(&Value::Null));
    let known = known(&recorder.store(), pattern.project)?.into_iter().find(|known| known.hash == name);
    let times = known.as_ref().map_or(1, |known| known.occurrences);
    let mut answer = json!({
        "success": true, "pattern_hash": name, "occurrences": times, "redacted": redacted(&event),
        "operation": if times == 1 { "created" } else { "updated" },
    });
    if times == 1 {
        answer["confidence"] = thousandths(START);
        return Ok(Answer::of(answer).saying(format!("✓ Saved new error pattern: {}...", &name[..16])));
    }
    Ok(Answer::of(answer).saying(format!("✓ Updated error pattern (occurrences: {times})")))
}

/// `get-error-patterns`: the surest first.
pub fn patterns(
    store: &Store,
    project: &str,
    lang: Option<&str>,
    min_confidence: f64,
    limit: usize,
) -> Result<Answer, BazingaError> {
    if !(0.0..=1.0).contains(&min_confidence) {
        return Err(BazingaError::value("--min-confidence", "a number from 0 to 1"));
    }
    let mut known = known(store, project)?;
    let sure = |known: &Known| thousandths(known.confidence).as_f64().is_some_and(|c| c >= min_confidence);
    known.retain(|known| sure(known) && lang.is_none_or(|lang| known.lang == lang));
    known.sort_by_key(|known| std::cmp::Reverse((known.confidence, known.occurrences)));
    let rows = known.into_iter().take(limit).map(|known| {
        json!({
            "pattern_hash": known.hash, "solution": known.solution, "lang": known.lang,
            "confidence": thousandths(known.confidence), "occurrences": known.occurrences,
            "last_seen": known.seen, "signature": known.signature,
        })
    });
    Ok(Answer::of(rows.collect::<Vec<_>>()))
}

/// `update-error-confidence`: it helped, or it did not.
pub fn rate_pattern(
    recorder: &mut Recorder,
    hash: &str,
    project: &str,
    outcome: &str,
) -> Result<Answer, BazingaError> {
    const OUTCOMES: &[&str] = &["success", "failure"];
    let told = one_of("the outcome", &outcome.to_lowercase(), OUTCOMES);
    let outcome = told.or_else(|_| one_of("the outcome", outcome, OUTCOMES))?;
    let find =
        |store: &Store| Ok::<_, BazingaError>(known(store, project)?.into_iter().find(|k| k.hash == hash));
    let before = find(&recorder.store())?;
    let Some((before, seq)) = before.and_then(|known| Some((known.confidence, *known.told.first()?))) else {
        return Ok(Answer::of(json!({"success": false, "error": "Pattern not found"})).no());
    };
    let draft =
        draft(&format!("{PROJECT}{project}"), "score.given").with("score", outcome).with("cause", seq);
    record(recorder, draft)?;
    let after = find(&recorder.store())?.map_or(before, |known| known.confidence);
    let (from, to) = (thousandths(before), thousandths(after));
    Ok(Answer::of(json!({
        "success": true, "pattern_hash": hash, "previous_confidence": from, "new_confidence": to,
        "injectable": after >= OFFERED,
    }))
    .saying(format!("✓ Updated confidence: {from} → {to}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_from_time_to_time_is_no_part_of_a_pattern() {
        let one = generic("File \"/home/a/x.py\", line 12: no module named 'yaml'");
        let two = generic("File \"/srv/b/c/x.py\", line 7: no module named 'toml'");
        assert_eq!(one, two);
        assert_eq!(generic(r"C:\Users\me\x.py failed"), r"...\x.py failed");
    }
}
