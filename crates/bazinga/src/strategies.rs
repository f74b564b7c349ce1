//! Strategies: what worked, and how often somebody said so.

use orchestrate::reasoning;
use recorder::{Recorder, Store};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, named, record, time};
use crate::patterns::{PROJECT, projects};
use crate::words::{TOPICS, one_of, some};

const CATEGORY: &str = "strategy";
const INSIGHT_CHARS: usize = 500;

/// What worked.
#[derive(Debug, Clone, Copy)]
pub struct Strategy<'a> {
    /// The project.
    pub project: &'a str,
    /// What it is about; an unknown topic is `general`.
    pub topic: &'a str,
    /// The insight.
    pub insight: &'a str,
    /// The programming language.
    pub lang: Option<&'a str>,
    /// The framework.
    pub framework: Option<&'a str>,
    /// The caller's own id.
    pub id: Option<&'a str>,
}

/// Which strategies are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// For this language, or for any.
    pub lang: Option<&'a str>,
    /// For this framework, or for any.
    pub framework: Option<&'a str>,
    /// About this.
    pub topic: Option<&'a str>,
    /// At most so many.
    pub limit: usize,
}

/// `save-strategy`: told again, it counts for more.
pub fn save_strategy(recorder: &mut Recorder, strategy: Strategy<'_>) -> Result<Answer, BazingaError> {
    some("the project id", strategy.project)?;
    some("the insight", strategy.insight)?;
    let topic = TOPICS.iter().find(|topic| **topic == strategy.topic).unwrap_or(&"general");
    let insight: String = strategy.insight.chars().take(INSIGHT_CHARS).collect();
    let applies = json!({"topic": topic, "lang": strategy.lang, "framework": strategy.framework});
    let draft = draft(&format!("{PROJECT}{}", strategy.project), "learning.noted")
        .with("category", CATEGORY)
        .data("lesson", insight)
        .data("applies_to", applies)
        .data("strategy_id", strategy.id);
    let event = record(recorder, draft)?;
    let id = id(&event, strategy.project, topic);
    let answer = json!({"success": true, "strategy_id": id, "project_id": strategy.project, "topic": topic});
    Ok(Answer::of(answer).saying(format!("✓ Saved strategy: {topic} for {}", strategy.project)))
}

/// Topics by the phase that they come from.
const EXTRACTED: [(&str, &str); 3] =
    [("completion", "implementation"), ("decisions", "architecture"), ("approach", "methodology")];
const MOST_EXTRACTED: usize = 5;
const MOST_HELP: u64 = 100;

/// `extract-strategies`: the newest of a group's reasoning that says what worked.
pub fn extract(
    recorder: &mut Recorder,
    session: &str,
    group: &str,
    project: &str,
    lang: Option<&str>,
    framework: Option<&str>,
) -> Result<Answer, BazingaError> {
    some("the project id", project)?;
    let store = recorder.store();
    let mut found = match named(&store, session)? {
        Some(id) => {
            let group = Some(group.to_owned());
            reasoning::get(
                &store,
                &reasoning::Wanted { group, limit: usize::MAX, ..reasoning::Wanted::of(id.as_str()) },
            )?
        }
        None => Vec::new(),
    };
    let topic = |phase: &str| EXTRACTED.iter().find(|(of, _)| *of == phase).map(|(_, topic)| *topic);
    found.retain(|entry| topic(&entry.phase).is_some());
    found.truncate(MOST_EXTRACTED);
    for entry in &found {
        let topic = topic(&entry.phase).unwrap_or("general");
        save_strategy(
            recorder,
            Strategy { project, topic, insight: &entry.text, lang, framework, id: None },
        )?;
    }
    let count = found.len();
    Ok(Answer::of(json!({
        "success": true, "extracted_count": count, "session_id": session, "group_id": group, "project_id": project,
    }))
    .saying(format!("✓ Extracted {count} strategies from group {group}")))
}

/// `update-strategy-helpfulness`: it helped so many times more.
pub fn rate_strategy(recorder: &mut Recorder, strategy: &str, by: u64) -> Result<Answer, BazingaError> {
    let by = by.min(MOST_HELP);
    let store = recorder.store();
    let nobody = || Answer::of(json!({"success": false, "error": "Strategy not found"})).no();
    for (_, project) in projects(&store)? {
        let Some((before, seq)) = helped(&store, &project, strategy)? else { continue };
        let draft = draft(&format!("{PROJECT}{project}"), "score.given")
            .with("cause", seq)
            .with("score", by.to_string());
        record(recorder, draft)?;
        let after = helped(&recorder.store(), &project, strategy)?.map_or(before, |(helped, _)| helped);
        return Ok(Answer::of(json!({
            "success": true, "strategy_id": strategy, "previous_helpfulness": before, "new_helpfulness": after,
        }))
        .saying(format!("✓ Updated helpfulness: {before} → {after}")));
    }
    Ok(nobody())
}

/// How much a strategy helped, and the event that told it first.
fn helped(store: &Store, project: &str, strategy: &str) -> Result<Option<(u64, u64)>, BazingaError> {
    let rows = known(store, project)?;
    let row = rows.iter().find(|(_, row)| row["strategy_id"] == strategy);
    Ok(row.map(|(seq, row)| (row["helpfulness"].as_u64().unwrap_or(0), *seq)))
}

/// When it was said first, as far as another store knows.
fn made(event: &event::Event) -> Value {
    let before = event.data.get("ext").and_then(|ext| ext.get("created_at"));
    before.cloned().unwrap_or_else(|| time(event).into())
}

/// The caller's id, else one that is made of what is stored.
fn id(event: &event::Event, project: &str, topic: &str) -> String {
    let text = |name: &str| event.data.get(name).and_then(Value::as_str);
    text("strategy_id").map_or_else(
        || {
            let hash = Sha256::digest(text("lesson").unwrap_or_default());
            let hash: String = hash.iter().take(8).map(|byte| format!("{byte:02x}")).collect();
            format!("{project}_{topic}_{hash}")
        },
        str::to_owned,
    )
}

/// Every strategy of a project with the event that told it first, in that order.
fn known(store: &Store, project: &str) -> Result<Vec<(u64, Value)>, BazingaError> {
    let mut rows: Vec<(u64, Value)> = Vec::new();
    for event in events(store, &format!("{PROJECT}{project}"), &["learning.noted", "score.given"])? {
        if event.kind == "score.given" {
            let cause = event.header.get("cause").and_then(Value::as_u64);
            let by = event.text("score").and_then(|score| score.parse::<u64>().ok());
            if let (Some((_, row)), Some(by)) = (rows.iter_mut().find(|(seq, _)| Some(*seq) == cause), by) {
                row["helpfulness"] = (row["helpfulness"].as_u64().unwrap_or(0) + by).into();
                row["last_seen"] = time(&event).into();
            }
            continue;
        }
        if event.text("category") != Some(CATEGORY) {
            continue;
        }
        let applies = event.data.get("applies_to").cloned().unwrap_or_default();
        let topic = applies["topic"].as_str().unwrap_or("general");
        let id = id(&event, project, topic);
        // what another store had counted stands for all of it, however often it is imported
        let counted = event.data.get("helpfulness").and_then(Value::as_u64);
        if let Some(row) = rows.iter_mut().map(|(_, row)| row).find(|row| row["strategy_id"] == id.as_str()) {
            let before = row["helpfulness"].as_u64().unwrap_or(0);
            row["helpfulness"] = counted.unwrap_or(before + 1).into();
            row["last_seen"] = time(&event).into();
            continue;
        }
        rows.push((event.seq, json!({
            "strategy_id": id, "project_id": project, "topic": topic, "lang": applies["lang"],
            "insight": event.data.get("lesson"), "helpfulness": counted.unwrap_or(1), "framework": applies["framework"],
            "last_seen": time(&event), "created_at": made(&event),
        })));
    }
    Ok(rows)
}

/// `get-strategies`: what helped most, then what was said last.
pub fn strategies(store: &Store, project: &str, wanted: Wanted<'_>) -> Result<Answer, BazingaError> {
    wanted.topic.map(|topic| one_of("--topic", topic, TOPICS)).transpose()?;
    let mut rows: Vec<Value> = known(store, project)?.into_iter().map(|(_, row)| row).collect();
    let fits =
        |value: &Value, wanted: Option<&str>| wanted.is_none_or(|wanted| value.is_null() || value == wanted);
    rows.retain(|row| {
        fits(&row["lang"], wanted.lang)
            && fits(&row["framework"], wanted.framework)
            && wanted.topic.is_none_or(|topic| row["topic"] == topic)
    });
    // a stable sort over the newest first
    rows.reverse();
    rows.sort_by_key(|row| {
        std::cmp::Reverse((row["helpfulness"].as_u64(), row["last_seen"].as_str().map(str::to_owned)))
    });
    rows.truncate(wanted.limit);
    Ok(Answer::of(rows))
}
