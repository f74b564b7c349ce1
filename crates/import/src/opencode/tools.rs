//! Calls of tools: a call and what came back are one row.

use event::Draft;
use serde_json::{Map, Value, json};

use super::Store;
use super::parts::Part;
use crate::Keys;
use crate::derive;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::same::Known;
use crate::time;

/// One call.
struct Call {
    id: Option<String>,
    skill: String,
    key: String,
}

impl Call {
    fn of(part: &Part<'_>, id: Option<String>, skill: Option<String>) -> Self {
        Self { id, skill: skill.unwrap_or_else(|| "unknown".to_owned()), key: part.base.clone() }
    }

    fn draft(&self, stamp: &Stamp, kind: &'static str, verb: &str) -> Draft {
        let draft = stamp.draft(kind).key(format!("{}.{verb}", self.key));
        draft.with("skill", self.skill.as_str()).with("call", self.id.clone())
    }
}

impl Store {
    pub(super) fn tool(
        &mut self,
        part: &Part<'_>,
        fields: &mut Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let call = Call::of(part, fields.take_text("callID"), fields.take_text("tool"));
        let mut state = fields.take_object("state").unwrap_or_default();
        let times = state.get("time").and_then(Value::as_object).cloned().unwrap_or_default();
        let at = |name: &str| times.get(name).and_then(time::at).or_else(|| part.stamp.at.clone());
        let invoked = Stamp { at: at("start"), ..part.stamp.clone() };
        let drafts = call.draft(&invoked, "skill.invoked", "invoked").with("cause", part.cause());
        let mut drafts = vec![drafts.data("input", state.take_value("input"))];
        let back = Stamp { at: at("end"), ..part.stamp.clone() };
        let agent = state
            .get("metadata")
            .and_then(|metadata| metadata.get("sessionId").or_else(|| metadata.get("sessionID")));
        let agent = agent.and_then(Value::as_str).map(str::to_owned);
        drafts.extend(agent.as_ref().map(|id| self.agent(part, &call, &invoked, "agent.spawned", id, keys)));
        let ended = matches!(state.text("status"), Some("completed" | "error"));
        if ended {
            drafts.extend(came(&call, &back, &times, &mut state));
            drafts.extend(agent.map(|id| self.agent(part, &call, &back, "agent.stopped", &id, keys)));
        } else if state.text("status").is_some_and(|status| status != "pending") {
            let status = state.text("status").map(str::to_owned);
            let progressed = call.draft(&invoked, "skill.progressed", "progressed").data("text", status);
            drafts.push(progressed.with("cause", format!("{}.invoked", call.key)));
        }
        // with the last that is told of the call
        let told = drafts.iter_mut().rfind(|draft| draft.kind.as_str().starts_with("skill."));
        if let Some(told) = told {
            pen::add_ext_member(told, "state", state);
        }
        drafts
    }

    /// The session that a call started is an agent of this one.
    fn agent(
        &self,
        part: &Part<'_>,
        call: &Call,
        stamp: &Stamp,
        kind: &'static str,
        id: &str,
        keys: &dyn Keys,
    ) -> Draft {
        let made = self.sessions.get(&derive::short(id)).map(|session| session.agent.clone());
        let stamp = Stamp {
            agent: Some(made.unwrap_or_else(|| "subagent".to_owned())),
            agent_id: Some(id.to_owned()),
            parent_agent: part.stamp.agent.clone(),
            model: None,
            ..stamp.clone()
        };
        let verb = kind.rsplit('.').next().unwrap_or_default();
        let key = format!("oc:{}..{verb}", derive::id(keys, id));
        stamp.draft(kind).key(key).with("call", call.id.clone())
    }

    /// The oldest form: `{"toolInvocation":{"state":"result","toolCallId":…,"toolName":…,"args":…,"result":…}}`.
    pub(super) fn old_tool(part: &Part<'_>, fields: &mut Map<String, Value>) -> Option<Vec<Draft>> {
        let mut tool = fields.take_object("toolInvocation")?;
        let call = Call::of(part, tool.take_text("toolCallId"), tool.take_text("toolName"));
        let invoked = call.draft(&part.stamp, "skill.invoked", "invoked").with("cause", part.cause());
        let mut drafts = vec![invoked.data("input", tool.take_value("args"))];
        if let Some(output) = tool.take_value("result") {
            let back = call.draft(&part.stamp, "skill.returned", "returned").with("status", "ok");
            drafts.push(back.with("cause", format!("{}.invoked", call.key)).data("output", output));
        }
        if let Some(last) = drafts.last_mut() {
            pen::add_ext_member(last, "state", tool);
        }
        Some(drafts)
    }
}

/// What came back, and what it did to files and plans.
fn came(
    call: &Call,
    stamp: &Stamp,
    times: &Map<String, Value>,
    state: &mut Map<String, Value>,
) -> Vec<Draft> {
    let cause = format!("{}.invoked", call.key);
    let metadata = state.get("metadata").and_then(Value::as_object);
    let exit = metadata.and_then(|metadata| metadata.count("exit").or_else(|| metadata.count("exitCode")));
    let failed = state.text("status") == Some("error") || exit.is_some_and(|exit| exit != 0);
    let said = state.text("error").unwrap_or_default();
    let status = match failed {
        true if said.contains("aborted") || said.contains("dismissed") => "interrupted",
        true if said.contains("rejected permission")
            || said.contains("permission") && said.contains("den") =>
        {
            "denied"
        }
        true => "error",
        false => "ok",
    };
    let (output, error) = (state.take_value("output"), state.take_value("error"));
    let took = times.count("end").zip(times.count("start")).and_then(|(end, start)| end.checked_sub(start));
    let mut known = Known::default();
    known.add_some("output", output.as_ref());
    known.add_some("error", error.as_ref());
    state.values_mut().for_each(|value| known.replace(value));
    let returned = call.draft(stamp, "skill.returned", "returned").with("status", status).with("exit", exit);
    let returned = returned.with("duration_ms", took.filter(|ms| *ms >= 0)).with("cause", cause.as_str());
    let returned = returned.data("output", output).data("error", error);
    let done = did(call, stamp, state).map(|draft| draft.with("cause", cause));
    [returned].into_iter().chain(done).collect()
}

/// A change of a file, a list of things to do.
fn did(call: &Call, stamp: &Stamp, state: &mut Map<String, Value>) -> Option<Draft> {
    let metadata = state.get_mut("metadata")?.as_object_mut()?;
    if let Some(diff) = metadata.take_text("diff") {
        metadata.insert("diff".to_owned(), json!({"$told": "diff"}));
        let path = metadata.get("filediff").and_then(|diff| diff.get("file")?.as_str()).map(str::to_owned);
        let path = path.or_else(|| state.text("title").map(str::to_owned));
        let changed = stamp.draft("file.changed").key(format!("{}.changed", call.key)).with("op", "update");
        return Some(changed.data("path", path).data("diff", diff));
    }
    let todos = metadata.get("todos").filter(|todos| todos.is_array())?.clone();
    metadata.insert("todos".to_owned(), json!({"$told": "plan"}));
    Some(stamp.draft("plan.updated").key(format!("{}.plan", call.key)).data("plan", todos))
}
