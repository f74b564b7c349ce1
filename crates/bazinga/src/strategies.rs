//! Strategies: what worked, and how often somebody said so.

use recorder::{Recorder, Store};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, record, time};
use crate::patterns::PROJECT;
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

/// `get-strategies`: what helped most, then what was said last.
pub fn strategies(store: &Store, project: &str, wanted: Wanted<'_>) -> Result<Answer, BazingaError> {
    wanted.topic.map(|topic| one_of("--topic", topic, TOPICS)).transpose()?;
    let mut rows: Vec<Value> = Vec::new();
    for event in events(store, &format!("{PROJECT}{project}"), &["learning.noted"])? {
        if event.text("category") != Some(CATEGORY) {
            continue;
        }
        let applies = event.data.get("applies_to").cloned().unwrap_or_default();
        let topic = applies["topic"].as_str().unwrap_or("general");
        let id = id(&event, project, topic);
        // what another store had counted stands for all of it, however often it is imported
        let counted = event.data.get("helpfulness").and_then(Value::as_u64);
        if let Some(row) = rows.iter_mut().find(|row| row["strategy_id"] == id.as_str()) {
            let before = row["helpfulness"].as_u64().unwrap_or(0);
            row["helpfulness"] = counted.unwrap_or(before + 1).into();
            row["last_seen"] = time(&event).into();
            continue;
        }
        rows.push(json!({
            "strategy_id": id, "project_id": project, "topic": topic, "lang": applies["lang"],
            "insight": event.data.get("lesson"), "helpfulness": counted.unwrap_or(1), "framework": applies["framework"],
            "last_seen": time(&event), "created_at": made(&event),
        }));
    }
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
