//! Records that become one event by their name.

use event::Draft;
use serde_json::Value;

use super::Rec;
use crate::members::TakeMembers;

/// Types that only a log of this tool begins with.
const TELLING: &[&str] = &[
    "session.start",
    "session.resume",
    "session.model_change",
    "user.message",
    "assistant.turn_start",
    "assistant.message",
    "tool.execution_start",
    "tool.execution_complete",
];

/// Types that are about the program and its surroundings, not about what an agent did.
const STATES: &[&str] = &[
    "assistant.fusion_phase_completed",
    "assistant.fusion_phase_failed",
    "assistant.fusion_phase_started",
    "assistant.idle",
    "assistant.intent",
    "assistant.message_delta",
    "assistant.message_start",
    "assistant.reasoning_delta",
    "assistant.server_tool_progress",
    "assistant.streaming_delta",
    "assistant.tool_call_delta",
    "auto_mode_switch.completed",
    "auto_mode_switch.requested",
    "capabilities.changed",
    "command.completed",
    "command.execute",
    "command.queued",
    "commands.changed",
    "custom_notification",
    "external_tool.completed",
    "external_tool.requested",
    "factory_run.settled",
    "factory_run.started",
    "factory_run.updated",
    "fusion.completed",
    "fusion.resolved",
    "fusion.route_failed",
    "fusion.route_started",
    "hook.progress",
    "mcp.headers_refresh_completed",
    "mcp.headers_refresh_required",
    "mcp.oauth_completed",
    "mcp.oauth_required",
    "mcp.prompts_list_changed",
    "mcp.resources_list_changed",
    "mcp.tools_list_changed",
    "mcp_app.tool_call_complete",
    "model.call_finished",
    "pending_messages.modified",
    "sampling.completed",
    "sampling.requested",
    "session.auto_mode_resolved",
    "session.autopilot_objective_changed",
    "session.background_tasks_changed",
    "session.binary_asset",
    "session.compaction_start",
    "session.context_changed",
    "session.custom_agents_updated",
    "session.extensions_loaded",
    "session.idle",
    "session.limits_changed",
    "session.limits_exhausted_completed",
    "session.limits_exhausted_requested",
    "session.managed_settings_enforced",
    "session.managed_settings_resolved",
    "session.mcp_server_status_changed",
    "session.mcp_servers_loaded",
    "session.mode_changed",
    "session.mode_notice_delivered",
    "session.permissions_changed",
    "session.remote_steerable_changed",
    "session.schedule_cancelled",
    "session.schedule_created",
    "session.schedule_rearmed",
    "session.skills_loaded",
    "session.tools_updated",
    "session.usage_checkpoint",
    "session.usage_info",
    "subagent.configured",
    "subagent.deselected",
    "subagent.selected",
    "tool.search_activated",
    "tool_search.activated",
];

/// How a record is told: the kind, the member of its data that is told and under which name, and what else.
struct Simple {
    from: &'static str,
    kind: &'static str,
    /// Member of the record's data → member of the event's.
    member: (&'static str, &'static str),
    /// A header field, and the member that it shows or the word that it is.
    header: &'static [(&'static str, Shown)],
}

enum Shown {
    Word(&'static str),
    Text(&'static str),
    Count(&'static str),
}

use Shown::{Count, Text, Word};

#[rustfmt::skip]
const SIMPLE: &[Simple] = &[
    Simple { from: "session.start", kind: "session.updated", member: ("", ""), header: &[] },
    Simple { from: "session.resume", kind: "session.updated", member: ("", ""), header: &[("status", Word("resumed"))] },
    Simple { from: "session.title_changed", kind: "session.updated", member: ("title", "title"), header: &[] },
    Simple { from: "session.shutdown", kind: "session.closed", member: ("errorReason", "reason"), header: &[("status", Text("shutdownType"))] },
    Simple { from: "session.info", kind: "message.recorded", member: ("message", "text"), header: &[("role", Word("harness"))] },
    Simple { from: "session.warning", kind: "message.recorded", member: ("message", "text"), header: &[("role", Word("harness"))] },
    Simple { from: "session.error", kind: "model.failed", member: ("message", "message"), header: &[("stop", Text("errorType"))] },
    Simple { from: "model.call_failure", kind: "model.failed", member: ("errorMessage", "message"), header: &[("stop", Text("source")), ("duration_ms", Count("durationMs"))] },
    Simple { from: "session.truncation", kind: "context.compacted", member: ("", ""), header: &[("trigger", Word("truncation")), ("tokens", Count("preTruncationTokensInMessages"))] },
    Simple { from: "session.compaction_complete", kind: "context.compacted", member: ("summaryContent", "summary"), header: &[("trigger", Text("trigger")), ("tokens", Count("preCompactionTokens"))] },
    Simple { from: "session.context_cleared", kind: "context.rewound", member: ("", ""), header: &[] },
    Simple { from: "session.handoff", kind: "handoff.made", member: ("summary", "summary"), header: &[("mode", Text("sourceType"))] },
    Simple { from: "session.plan_changed", kind: "plan.updated", member: ("content", "plan"), header: &[] },
    Simple { from: "session.todos_changed", kind: "plan.updated", member: ("todos", "plan"), header: &[] },
    Simple { from: "session.workspace_file_changed", kind: "file.changed", member: ("path", "path"), header: &[("op", Text("operation"))] },
    Simple { from: "session.task_complete", kind: "turn.ended", member: ("summary", "text"), header: &[("status", Word("completed"))] },
    Simple { from: "assistant.turn_start", kind: "turn.started", member: ("", ""), header: &[("turn", Text("turnId"))] },
    Simple { from: "assistant.turn_end", kind: "turn.ended", member: ("", ""), header: &[("turn", Text("turnId")), ("status", Word("completed"))] },
    Simple { from: "abort", kind: "turn.ended", member: ("reason", "text"), header: &[("status", Word("aborted"))] },
    Simple { from: "system.message", kind: "context.injected", member: ("content", "text"), header: &[("source", Word("system"))] },
    Simple { from: "system.notification", kind: "context.injected", member: ("content", "text"), header: &[("source", Word("notification"))] },
    Simple { from: "skill.invoked", kind: "context.injected", member: ("content", "text"), header: &[("source", Word("skill"))] },
];

pub(super) fn is_telling(kind: &str) -> bool {
    TELLING.contains(&kind)
}

/// The event of a record of this type; `None` if nothing is known of it.
pub(super) fn simple(rec: &mut Rec, kind: &str) -> Option<Draft> {
    if STATES.contains(&kind) {
        let body = Value::Object(std::mem::take(&mut rec.data));
        return Some(rec.draft("state.changed", 0).with("what", kind).data("body", body));
    }
    let row = SIMPLE.iter().find(|row| row.from == kind)?;
    let mut draft = rec.draft(row.kind, 0);
    for (name, shown) in row.header {
        draft = match shown {
            Word(word) => draft.with(name, *word),
            Text(member) => draft.with(name, rec.data.text(member)),
            Count(member) => draft.with(name, rec.data.count(member)),
        };
    }
    if kind == "session.start" || kind == "session.resume" {
        let cwd = rec.data.get("context").and_then(|context| context.get("cwd")?.as_str());
        draft = draft.data("cwd", cwd);
    }
    let (from, to) = row.member;
    Some(if from.is_empty() { draft } else { draft.data(to, rec.data.take_value(from)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_type_stands_in_two_tables() {
        for row in SIMPLE {
            assert!(!STATES.contains(&row.from), "{}", row.from);
            assert_eq!(SIMPLE.iter().filter(|other| other.from == row.from).count(), 1, "{}", row.from);
            assert!(event::Kind::known(row.kind).is_ok(), "{}", row.kind);
        }
    }
}
