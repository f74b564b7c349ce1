//! What the original keeps in tables, as rows: for its dashboard, and for those who ask it in SQL.

use event::{Event, SessionId};
use recorder::Store;
use serde_json::{Map, Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{called, events, events_of, field, named, redacted, time};
use crate::patterns::PROJECT;

/// Events of our own kinds that the original keeps in other tables.
const ELSEWHERE: [&str; 3] = ["x.context_package", "x.context_consumed", "x.consumption"];
/// Logs of a dashboard.
const RECENT: usize = 10;

/// What was said, thought and told in a session, the oldest first, as the original's log has it.
pub(crate) fn logs(store: &Store, id: &SessionId) -> Result<Vec<Value>, BazingaError> {
    let wanted = |kind: &str| {
        matches!(kind, "message.recorded" | "reasoning.recorded")
            || (kind.starts_with("x.") && !ELSEWHERE.contains(&kind))
    };
    let name = called(store, id);
    Ok(events_of(store.journal(), id, &wanted)?.iter().map(|event| log(event, &name)).collect())
}

fn log(event: &Event, session: &str) -> Value {
    let subtype = event.kind.as_str().strip_prefix("x.");
    let text = || event.data.get("text").cloned().unwrap_or_else(|| "".into());
    let (kind, content) = match (subtype, event.kind.as_str()) {
        (Some(subtype), _) => ("event", Value::from(format!("Event: {subtype}"))),
        (None, "reasoning.recorded") => ("reasoning", text()),
        (None, _) => ("interaction", text()),
    };
    let json_text = |value: Option<&Value>| value.map(ToString::to_string);
    json!({
        "id": event.seq, "session_id": session, "timestamp": time(event), "iteration": field(event, "attempt"),
        "agent_type": event.text("agent").unwrap_or("system"), "agent_id": field(event, "agent_id"),
        "content": content, "log_type": kind, "reasoning_phase": field(event, "phase"),
        "confidence_level": field(event, "confidence"), "references_json": json_text(event.data.get("references")),
        "redacted": i64::from(redacted(event)), "group_id": field(event, "group"), "event_subtype": subtype,
        "event_payload": json_text(event.data.get("body").filter(|_| subtype.is_some())),
    })
}

/// `dashboard-snapshot`: how a session stands, at a glance.
pub fn dashboard(store: &Store, session: &str) -> Result<Answer, BazingaError> {
    let value = |answer: Answer| answer.value.unwrap_or_default();
    let known = crate::sessions::session(store, session)?;
    let logs = match named(store, session)? {
        Some(id) => logs(store, &id)?.into_iter().rev().take(RECENT).collect(),
        None => Vec::new(),
    };
    Ok(Answer::of(json!({
        "session": if known.yes { value(known) } else { Value::Null },
        "orchestrator_state": value(crate::states::state(store, session, "orchestrator", None)?),
        "pm_state": value(crate::states::state(store, session, "pm", None)?),
        "task_groups": value(crate::groups::groups(store, session, None)?),
        "token_summary": value(crate::tokens::token_summary(store, session, "agent_type")?),
        "recent_logs": logs,
    })))
}

/// A table of the original, and the columns that it has here.
pub(crate) struct Table {
    pub(crate) name: &'static str,
    pub(crate) columns: &'static [&'static str],
    /// Its rows of one session.
    pub(crate) rows: fn(&Store, &SessionId, &str) -> Result<Vec<Value>, BazingaError>,
}

/// The tables that can be asked.
pub(crate) const TABLES: &[Table] = &[
    Table {
        name: "sessions",
        columns: &[
            "session_id",
            "start_time",
            "end_time",
            "mode",
            "original_requirements",
            "status",
            "initial_branch",
            "metadata",
            "created_at",
        ],
        rows: |store, _, name| Ok(crate::sessions::session(store, name)?.value.into_iter().collect()),
    },
    Table {
        name: "orchestration_logs",
        columns: &[
            "id",
            "session_id",
            "timestamp",
            "iteration",
            "agent_type",
            "agent_id",
            "content",
            "log_type",
            "reasoning_phase",
            "confidence_level",
            "references_json",
            "redacted",
            "group_id",
            "event_subtype",
            "event_payload",
        ],
        rows: |store, id, _| logs(store, id),
    },
    Table {
        name: "task_groups",
        columns: &[
            "id",
            "session_id",
            "name",
            "status",
            "assigned_to",
            "revision_count",
            "last_review_status",
            "feature_branch",
            "merge_status",
            "complexity",
            "initial_tier",
            "context_references",
            "specializations",
            "item_count",
            "security_sensitive",
            "qa_attempts",
            "tl_review_attempts",
            "component_path",
            "created_at",
            "updated_at",
        ],
        rows: |store, _, name| Ok(list(crate::groups::groups(store, name, None)?)),
    },
    Table {
        name: "skill_outputs",
        columns: &[
            "id",
            "session_id",
            "timestamp",
            "skill_name",
            "output_data",
            "agent_type",
            "group_id",
            "iteration",
        ],
        rows: outputs,
    },
    Table {
        name: "token_usage",
        columns: &["id", "session_id", "timestamp", "agent_type", "agent_id", "tokens_estimated"],
        rows: tokens,
    },
    Table {
        name: "state_snapshots",
        columns: &["id", "session_id", "timestamp", "state_type", "state_data", "group_id"],
        rows: states,
    },
    Table {
        name: "consumption_scope",
        columns: &[
            "scope_id",
            "session_id",
            "group_id",
            "agent_type",
            "iteration",
            "package_id",
            "consumed_at",
        ],
        rows: |store, _, name| {
            Ok(list(crate::consumption::consumption(store, name, None, None, usize::MAX)?))
        },
    },
];

fn list(answer: Answer) -> Vec<Value> {
    match answer.value {
        Some(Value::Array(rows)) => rows,
        _ => Vec::new(),
    }
}

fn outputs(store: &Store, id: &SessionId, name: &str) -> Result<Vec<Value>, BazingaError> {
    let found = events_of(store.journal(), id, &|kind| kind == "skill.returned")?;
    let mut ranks: Map<String, Value> = Map::new();
    let mut rows = Vec::new();
    for event in &found {
        let (skill, agent, group) = (field(event, "skill"), field(event, "agent"), field(event, "group"));
        let rank = ranks.entry(json!([skill, agent, group]).to_string()).or_insert(0.into());
        *rank = (rank.as_u64().unwrap_or(0) + 1).into();
        rows.push(json!({
            "id": event.seq, "session_id": name, "timestamp": time(event), "skill_name": skill,
            "output_data": event.data.get("output").map(ToString::to_string), "agent_type": agent,
            "group_id": group, "iteration": rank.clone(),
        }));
    }
    Ok(rows)
}

fn tokens(store: &Store, _: &SessionId, name: &str) -> Result<Vec<Value>, BazingaError> {
    let row = |event: &Event| {
        let usage = field(event, "usage");
        json!({
            "id": event.seq, "session_id": name, "timestamp": time(event), "agent_type": field(event, "agent"),
            "agent_id": field(event, "agent_id"), "tokens_estimated": usage["estimated"],
        })
    };
    Ok(events(store, name, &["usage.reported"])?.iter().map(row).collect())
}

fn states(store: &Store, _: &SessionId, name: &str) -> Result<Vec<Value>, BazingaError> {
    let row = |event: &Event| {
        let what = event.text("what")?.strip_prefix("state/")?.to_owned();
        Some(json!({
            "id": event.seq, "session_id": name, "timestamp": time(event), "state_type": what,
            "state_data": event.data.get("body").map(ToString::to_string), "group_id": field(event, "group"),
        }))
    };
    Ok(events(store, name, &["state.changed"])?.iter().filter_map(row).collect())
}

/// Every session by its id and the name that its callers use; those of projects are none.
pub(crate) fn everybody(store: &Store) -> Result<Vec<(SessionId, String)>, BazingaError> {
    let mut all = Vec::new();
    for id in store.journal().sessions()? {
        let name = called(store, &id);
        if !name.starts_with(PROJECT) {
            all.push((id, name));
        }
    }
    Ok(all)
}
