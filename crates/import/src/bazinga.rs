//! BAZINGA: `bazinga/bazinga.db`, the SQLite database of one project's orchestrations.
//!
//! - a row has no identity that other databases do not use too: its key is made of all that stands in it, so
//!   a row that changed is told again, as a change
//! - a session's row is its opening and, once it is over, its end
//! - patterns and strategies belong to a project, not a session: they go to `project:<id>`, where the
//!   commands of bazinga-db look for them
//! - tables of settings are kept as they are, in the session `bazinga`

use std::collections::HashMap;

use event::Draft;
use serde_json::{Map, Value, json};

use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript, derive, time};

/// The importer.
#[derive(Debug)]
pub(crate) struct Bazinga;

/// Where rows go that belong to no session.
const SETTINGS: &str = "bazinga";

impl Importer for Bazinga {
    fn name(&self) -> &'static str {
        "bazinga"
    }

    fn home(&self) -> &'static str {
        "bazinga"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let has = |table: &str, column: &str| {
            let columns = head.iter().filter(|value| value["table"] == table);
            columns.filter_map(|value| value["columns"].as_array()).flatten().any(|name| name == column)
        };
        has("sessions", "original_requirements") && has("orchestration_logs", "agent_type")
    }

    fn open(&self, _file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Rows::default())
    }
}

/// What has to be known of other rows.
#[derive(Default)]
struct Rows {
    /// For whom a package is, by its number.
    consumers: HashMap<i64, Vec<Value>>,
    /// Packages told so far.
    packages: HashMap<i64, Package>,
    /// The ends of sessions, for when all else is told.
    ends: Vec<Draft>,
}

struct Package {
    session: String,
    group: Value,
    key: String,
}

type Row = Map<String, Value>;

impl Transcript for Rows {
    fn survey(&mut self, text: &str) -> bool {
        if text.contains("\"table\":\"context_package_consumers\"")
            && let Ok(value) = serde_json::from_str::<Value>(text)
            && let Some(package) = value["row"]["package_id"].as_i64()
        {
            self.consumers.entry(package).or_default().push(value["row"]["agent_type"].clone());
        }
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let key = format!("bazinga:{}", derive::once(keys, &format!("bazinga\n{}", record.text)));
        let value = record.value.unwrap_or_default();
        let row = value["row"].as_object().cloned().unwrap_or_default();
        let table = value["table"].as_str().unwrap_or_default();
        self.row(table, row, &key, keys).unwrap_or_else(|| {
            Mapped::Raw(pen::raw(
                &Stamp { session: SETTINGS.to_owned(), ..Stamp::default() },
                key,
                record.text,
            ))
        })
    }

    fn gap_session(&self) -> &str {
        SETTINGS
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }

    fn closing(&mut self) -> Vec<Draft> {
        std::mem::take(&mut self.ends)
    }
}

impl Rows {
    /// What a row becomes; `None` if nothing is known about its table or what it needs is missing.
    fn row(&mut self, table: &str, mut row: Row, key: &str, keys: &dyn Keys) -> Option<Mapped> {
        let one = |draft: Draft, row: Row| {
            let mut draft = draft.key(key);
            pen::add_ext(&mut draft, kept(row));
            Some(Mapped::Events(vec![draft]))
        };
        match table {
            "sessions" => self.session(row, key, keys),
            "orchestration_logs" => one(log(&mut row)?, row),
            "skill_outputs" => one(skill(&mut row)?, row),
            "state_snapshots" => one(snapshot(&mut row)?, row),
            "task_groups" => one(group(&mut row)?, row),
            "token_usage" => one(tokens(&mut row)?, row),
            "development_plans" => one(state(&mut row, "plan", "updated_at")?, row),
            "success_criteria" => one(state(&mut row, "criterion", "updated_at")?, row),
            "context_packages" => one(self.package(&mut row, key)?, row),
            "context_package_consumers" if row["consumed_at"].is_null() => Some(Mapped::Duplicate),
            "context_package_consumers" => one(self.consumed(&mut row, "x.context_consumed")?, row),
            "consumption_scope" => one(self.consumed(&mut row, "x.consumption_saved")?, row),
            "error_patterns" => one(pattern(&mut row)?, row),
            "strategies" => one(strategy(&mut row)?, row),
            _ => None,
        }
    }

    fn session(&mut self, mut row: Row, key: &str, keys: &dyn Keys) -> Option<Mapped> {
        let begun = stamp(&mut row, "start_time")?;
        let meta = json!({
            "mode": taken(&mut row, "mode"),
            "initial_branch": taken(&mut row, "initial_branch"),
            "metadata": taken(&mut row, "metadata"),
        });
        let requirements = taken(&mut row, "original_requirements");
        // the opening stays the same when the session ends later
        let same = format!("bazinga session\n{}\n{:?}\n{requirements}", begun.session, begun.at);
        let mut opened = begun
            .draft("session.opened")
            .key(format!("bazinga:{}", derive::once(keys, &same)))
            .with("status", "active")
            .data("requirements", requirements)
            .data("meta", kept(meta.as_object().cloned().unwrap_or_default()));
        let status = row.take_text("status").unwrap_or_default();
        if status != "active" && !status.is_empty() {
            let at = row.take_text("end_time").and_then(|text| time::at(&text.into()));
            let ended = Stamp { session: begun.session, at, ..Stamp::default() };
            self.ends.push(ended.draft("session.closed").key(key).with("status", status));
        }
        // made at the moment it began
        row.remove("created_at");
        row.remove("end_time");
        pen::add_ext(&mut opened, kept(row));
        Some(Mapped::Events(vec![opened]))
    }

    fn package(&mut self, row: &mut Row, key: &str) -> Option<Draft> {
        let id = row.count("id")?;
        let stamp = stamp(row, "created_at")?;
        let group = match taken(row, "group_id") {
            Value::Null => "global".into(),
            group => group,
        };
        let mut body = Row::new();
        let names = [("package_type", "type"), ("file_path", "path"), ("producer_agent", "producer")];
        let same = [("priority", "priority"), ("summary", "summary"), ("size_bytes", "bytes")];
        for (column, name) in names.into_iter().chain(same) {
            body.insert(name.to_owned(), taken(row, column));
        }
        body.retain(|_, value| !value.is_null());
        let agent = body.get("producer").cloned().unwrap_or_default();
        body.insert("consumers".to_owned(), self.consumers.remove(&id).unwrap_or_default().into());
        let package = Package { session: stamp.session.clone(), group: group.clone(), key: key.to_owned() };
        self.packages.insert(id, package);
        let draft = stamp.draft("x.context_package").with("group", group);
        Some(draft.with("agent", agent).data("body", body))
    }

    fn consumed(&self, row: &mut Row, kind: &'static str) -> Option<Draft> {
        let package = self.packages.get(&row.count("package_id")?)?;
        let at = row.take_text("consumed_at").and_then(|text| time::at(&text.into()));
        let stamp = Stamp { session: package.session.clone(), at, ..Stamp::default() };
        row.remove("session_id");
        let draft =
            stamp.draft(kind).with("group", package.group.clone()).with("agent", taken(row, "agent_type"));
        let body = json!({"attempt": taken(row, "iteration")});
        Some(draft.with("cause", package.key.clone()).data("body", body))
    }
}

/// What nobody took, without what is not set.
fn kept(mut row: Row) -> Row {
    row.retain(|_, value| !value.is_null());
    row
}

fn taken(row: &mut Row, name: &str) -> Value {
    row.remove(name).unwrap_or_default()
}

/// JSON that stands in a text column; what is none stays text.
fn taken_json(row: &mut Row, name: &str) -> Value {
    match taken(row, name) {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other,
    }
}

/// Session and time of a row.
fn stamp(row: &mut Row, when: &str) -> Option<Stamp> {
    let session = row.take_text("session_id")?;
    let at = row.get(when).and_then(time::at);
    if at.is_some() {
        row.remove(when);
    }
    Some(Stamp { session, at, ..Stamp::default() })
}

fn log(row: &mut Row) -> Option<Draft> {
    let stamp = stamp(row, "timestamp")?;
    let (agent, agent_id, group) = (taken(row, "agent_type"), taken(row, "agent_id"), taken(row, "group_id"));
    let attempt = row.take_count("iteration");
    let base = |kind: &'static str| {
        let draft = stamp.draft(kind).with("group", group.clone()).with("agent", agent.clone());
        draft.with("agent_id", agent_id.clone()).with("attempt", attempt)
    };
    let kind = row.take_text("log_type");
    Some(match kind.as_deref() {
        Some("reasoning") => base("reasoning.recorded")
            .with("phase", taken(row, "reasoning_phase"))
            .with("confidence", taken(row, "confidence_level"))
            .data("text", taken(row, "content"))
            .data("references", taken_json(row, "references_json")),
        Some("event") => event(row, base("x.event")),
        other => {
            // a type that is not known says something; the usual one nothing
            row.extend(
                other.filter(|kind| *kind != "interaction").map(|kind| ("log_type".to_owned(), kind.into())),
            );
            base("message.recorded").with("role", "assistant").data("text", taken(row, "content"))
        }
    })
}

/// An event of a type of the caller's own: `x.<type>`.
fn event(row: &mut Row, mut draft: Draft) -> Draft {
    let name = row.take_text("event_subtype").unwrap_or_default();
    match event::Kind::known(&format!("x.{name}")) {
        Ok(kind) => draft.kind = kind,
        Err(_) => draft = draft.data("name", name.as_str()),
    }
    // says the type once more
    if row.text("content") == Some(format!("Event: {name}").as_str()) {
        row.remove("content");
    }
    draft.header.remove("attempt");
    draft.data("body", taken_json(row, "event_payload"))
}

fn skill(row: &mut Row) -> Option<Draft> {
    let draft = stamp(row, "timestamp")?.draft("skill.returned");
    let draft = draft.with("group", taken(row, "group_id")).with("agent", taken(row, "agent_type"));
    let draft = draft.with("skill", taken(row, "skill_name")).with("status", "ok");
    Some(draft.data("output", taken_json(row, "output_data")))
}

fn snapshot(row: &mut Row) -> Option<Draft> {
    let draft = stamp(row, "timestamp")?.draft("state.changed");
    let what = format!("state/{}", row.take_text("state_type")?);
    Some(
        draft
            .with("what", what)
            .with("group", taken(row, "group_id"))
            .data("body", taken_json(row, "state_data")),
    )
}

/// A row that says how something stands.
fn state(row: &mut Row, what: &'static str, when: &str) -> Option<Draft> {
    let draft = stamp(row, when)?.draft("state.changed").with("what", what);
    Some(draft.data("body", kept(std::mem::take(row))))
}

fn group(row: &mut Row) -> Option<Draft> {
    let id = row.take_text("id")?;
    Some(state(row, "task_group", "updated_at")?.with("group", id))
}

fn tokens(row: &mut Row) -> Option<Draft> {
    let draft = stamp(row, "timestamp")?.draft("usage.reported");
    let draft = draft.with("agent", taken(row, "agent_type")).with("agent_id", taken(row, "agent_id"));
    Some(draft.with("usage", json!({"estimated": row.take_count("tokens_estimated")?})))
}

/// Something that a project learned.
fn learning(row: &mut Row, category: &'static str) -> Option<Draft> {
    let session = format!("project:{}", row.take_text("project_id")?);
    row.insert("session_id".to_owned(), session.into());
    Some(stamp(row, "last_seen")?.draft("learning.noted").with("category", category))
}

fn pattern(row: &mut Row) -> Option<Draft> {
    let confidence = taken(row, "confidence").as_f64().unwrap_or(0.5);
    #[allow(clippy::cast_possible_truncation, reason = "between 0 and 1000")]
    let thousandths = (confidence.clamp(0.0, 1.0) * 1000.0).round() as i64;
    let draft = learning(row, "error_pattern")?
        .data("trigger", taken_json(row, "signature_json"))
        .data("fix", taken(row, "solution"))
        .data("applies_to", json!({"lang": taken(row, "lang")}))
        .data("occurrences", taken(row, "occurrences"));
    Some(draft.data("confidence_thousandths", thousandths))
}

fn strategy(row: &mut Row) -> Option<Draft> {
    let applies = json!({
        "topic": taken(row, "topic"), "lang": taken(row, "lang"), "framework": taken(row, "framework"),
    });
    let draft = learning(row, "strategy")?
        .data("lesson", taken(row, "insight"))
        .data("applies_to", applies)
        .data("strategy_id", taken(row, "strategy_id"));
    Some(draft.data("helpfulness", taken(row, "helpfulness")))
}
