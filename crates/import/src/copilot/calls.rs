//! Calls of tools, agents that they start, permissions and hooks.

use event::Draft;
use serde_json::{Value, json};

use super::said::arguments;
use super::{Log, Rec};
use crate::Keys;
use crate::members::TakeMembers;
use crate::pen::Stamp;
use crate::same::Known;

impl Log {
    fn of_call(&self, rec: &mut Rec, kind: &'static str, keys: &dyn Keys) -> (Draft, Option<String>) {
        let call = rec.data.take_text("toolCallId");
        let cause = call.as_ref().map(|call| format!("{}.invoked", self.scoped(call, keys)));
        rec.stamp.model = rec.data.text("model").map(str::to_owned);
        let skill = call.as_ref().and_then(|call| self.survey.skill(call));
        (rec.draft(kind, 0).with("skill", skill).with("call", call), cause)
    }

    /// A call that no message asked for is told here; of others, that they started.
    pub(super) fn started(&self, rec: &mut Rec, keys: &dyn Keys) -> Draft {
        let requested = rec.data.text("toolCallId").is_some_and(|call| self.survey.is_requested(call));
        if requested {
            let (draft, cause) = self.of_call(rec, "skill.progressed", keys);
            let draft = draft.with("skill", rec.data.take_text("toolName")).with("cause", cause);
            return draft.data("text", "started");
        }
        let input = arguments(&mut rec.data);
        let (draft, key) = self.of_call(rec, "skill.invoked", keys);
        // what follows names the call, not this record
        let draft = match key {
            Some(key) => draft.key(key),
            None => draft,
        };
        draft.with("skill", rec.data.take_text("toolName")).data("input", input)
    }

    pub(super) fn progressed(&self, rec: &mut Rec, keys: &dyn Keys) -> Draft {
        let (draft, cause) = self.of_call(rec, "skill.progressed", keys);
        let text = ["progressMessage", "partialOutput"].iter().find_map(|name| rec.data.take_text(name));
        draft.with("cause", cause).data("text", text)
    }

    pub(super) fn returned(&self, rec: &mut Rec, keys: &dyn Keys) -> Draft {
        let (draft, cause) = self.of_call(rec, "skill.returned", keys);
        let output = rec.data.get_mut("result").and_then(Value::as_object_mut);
        let output = output.and_then(|result| result.take_value("content"));
        let error = rec.data.get_mut("error").and_then(Value::as_object_mut);
        let error = error.and_then(|error| error.take_value("message"));
        let metrics =
            rec.data.get("toolTelemetry").and_then(|telemetry| telemetry.get("metrics")?.as_object());
        let took = metrics.and_then(|metrics| metrics.count("durationMs")).filter(|ms| *ms >= 0);
        let exit = exit_code(output.as_ref().and_then(Value::as_str).unwrap_or_default());
        let code = rec.data.get("error").and_then(|error| error.get("code")?.as_str()).unwrap_or_default();
        let succeeded = rec.data.get("success").and_then(Value::as_bool);
        let status = match (succeeded, rec.data.text("status")) {
            _ if matches!(code, "denied" | "rejected") => "denied",
            _ if code == "timeout" => "timeout",
            (_, Some("cancelled")) => "interrupted",
            (Some(false), _) => "error",
            _ if exit.is_some_and(|exit| exit != 0) => "error",
            (Some(true), _) => "ok",
            _ => "unknown",
        };
        let mut known = Known::default();
        known.add_some("output", output.as_ref());
        known.add_some("error", error.as_ref());
        rec.data.values_mut().for_each(|value| known.replace(value));
        let draft = draft.with("status", status).with("exit", exit).with("duration_ms", took);
        draft.with("cause", cause).data("output", output).data("error", error)
    }

    pub(super) fn spawned(&self, rec: &mut Rec, keys: &dyn Keys) -> Vec<Draft> {
        let call = rec.data.text("toolCallId").unwrap_or_default().to_owned();
        let agent = self.survey.agent(None, Some(&call));
        let stamp = Stamp {
            agent: agent.as_ref().map(|agent| agent.name.clone()),
            agent_id: agent.map(|agent| agent.id),
            parent_agent: Some("main".to_owned()),
            ..rec.stamp.clone()
        };
        let cause = format!("{}.invoked", self.scoped(&call, keys));
        let spawned = stamp.draft("agent.spawned").key(format!("{}.0", rec.base)).with("call", call.as_str());
        let started = Stamp { parent: None, ..stamp }.draft("agent.started").key(format!("{}.1", rec.base));
        let started = started.with("call", call).with("cause", format!("{}.0", rec.base));
        vec![spawned.with("cause", cause), started]
    }

    pub(super) fn stopped(&self, rec: &mut Rec, kind: &str) -> Draft {
        let call = rec.data.text("toolCallId").unwrap_or_default().to_owned();
        let agent = self.survey.agent(None, Some(&call));
        rec.stamp.agent = agent.as_ref().map(|agent| agent.name.clone());
        rec.stamp.agent_id = agent.map(|agent| agent.id);
        rec.stamp.parent_agent = Some("main".to_owned());
        rec.stamp.model = rec.data.text("model").map(str::to_owned);
        let status = if kind == "subagent.failed" { "error" } else { "ok" };
        let draft = rec.draft("agent.stopped", 0).with("call", call).with("status", status);
        draft.data("result", rec.data.take_value("error"))
    }

    /// A hook that ended is told by its end.
    pub(super) fn hook(&self, rec: &mut Rec) -> Draft {
        let ended = rec.data.text("hookInvocationId").is_some_and(|id| self.survey.has_ended(id));
        if ended {
            return rec.draft("state.changed", 0).with("what", "hook.start");
        }
        let hook = rec.data.text("hookType").map(str::to_owned);
        rec.draft("hook.ran", 0).with("hook", hook)
    }
}

pub(super) fn hook_ended(rec: &mut Rec) -> Draft {
    let hook = rec.data.text("hookType").map(str::to_owned);
    let failed = rec.data.get("success").and_then(Value::as_bool) == Some(false);
    let output = ["output", "error"].iter().find_map(|name| {
        let value = rec.data.take_value(name)?;
        Some(json!({ *name: value }))
    });
    let draft = rec.draft("hook.ran", 0).with("hook", hook);
    draft.with("exit", if failed { Value::from(1) } else { Value::Null }).data("output", output)
}

/// Somebody has to be asked: for a permission, an answer, a plan.
pub(super) fn permission(rec: &mut Rec, kind: &str) -> Draft {
    let request = rec.data.take_value("permissionRequest");
    let of = |name: &str| {
        let inner = request.as_ref().and_then(|request| request.get(name)?.as_str());
        inner.or_else(|| rec.data.text(name)).map(str::to_owned)
    };
    let (call, skill) = (of("toolCallId"), of("kind").or_else(|| of("toolName")));
    let skill = skill.unwrap_or_else(|| kind.split('.').next().unwrap_or_default().to_owned());
    rec.draft("permission.asked", 0).with("skill", skill).with("call", call).data("input", request)
}

pub(super) fn decided(rec: &mut Rec) -> Draft {
    let result = rec.data.get("result").and_then(|result| result.get("kind").or(Some(result)));
    let decision = result.and_then(Value::as_str).or_else(|| rec.data.text("action")).map(str::to_owned);
    let call = rec.data.text("toolCallId").map(str::to_owned);
    rec.draft("permission.decided", 0).with("call", call).with("decision", decision)
}

/// `<exited with exit code 1>`, as the shell tool ends an output.
fn exit_code(text: &str) -> Option<i64> {
    let last = text.trim_end().lines().next_back()?.strip_prefix("<exited with exit code ")?;
    last.strip_suffix('>')?.parse::<i32>().ok().map(i64::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_stands_in_the_last_line() {
        assert_eq!(exit_code("a\n<exited with exit code 3>\n"), Some(3));
        assert_eq!(exit_code("<exited with exit code 3>\na"), None);
        assert_eq!(exit_code(""), None);
    }
}
