//! One step: what the model was asked for, what it thought and said, what it called, what came back.

use event::Draft;
use serde_json::{Map, Value};

use super::{File, ours, parts};
use crate::derive;
use crate::members::TakeMembers;
use crate::pen::{self, Stamp};
use crate::{Keys, time};

/// One step being mapped.
struct Step {
    /// The beginning of its keys.
    base: String,
    stamp: Stamp,
    group: Option<String>,
}

impl Step {
    fn draft(&self, kind: &'static str, part: &str) -> Draft {
        let draft = self.stamp.draft(kind).key(format!("{}.{part}", self.base));
        draft.with("group", self.group.clone())
    }
}

impl File {
    /// The events of a step; none if it is one that stands here already.
    pub(super) fn step(&mut self, mut fields: Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        if self.here.ours.is_some()
            && let Some(drafts) = ours::events(&mut self.here, &fields, keys)
        {
            return drafts;
        }
        self.here.steps += 1;
        let id = match fields.get("step_id") {
            Some(Value::Number(id)) => id.to_string(),
            Some(Value::String(id)) => derive::id(keys, id),
            _ => format!("n{}", self.here.steps),
        };
        let id = derive::id(keys, &id);
        let mut base = format!("{}.{id}", self.here.base);
        let at = time::take_at(&mut fields, "timestamp");
        let copied = fields.flag("is_copied_context");
        if copied {
            let origin = self.here.copied_from.iter().map(|from| format!("{from}.{id}"));
            let known = |base: &String| {
                ["c0", "m", "r"].iter().any(|part| keys.session_of(&format!("{base}.{part}")).is_some())
            };
            match { origin }.find(known) {
                Some(origin) => {
                    // the very step, so that it is told once
                    fields.remove("is_copied_context");
                    base = origin;
                }
                None => return self.copied(&base, at, fields),
            }
        }
        let step = Step { base, stamp: self.here.stamp(at), group: self.here.group.clone() };
        let drafts = self.parts(step, fields, copied, keys);
        self.here.previous.clone_from(&drafts[0].key);
        drafts
    }

    /// Context from a trajectory that is not here: what the model saw, and nobody's work of this session.
    fn copied(&mut self, base: &str, at: Option<String>, mut fields: Map<String, Value>) -> Vec<Draft> {
        let draft = self.here.stamp(at).draft("context.injected").key(format!("{base}.copied"));
        let mut draft = draft.with("source", "copied").with("group", self.here.group.clone());
        draft = draft.data("text", fields.take_text("message"));
        pen::add_ext(&mut draft, fields);
        vec![draft]
    }

    fn parts(
        &mut self,
        mut step: Step,
        mut fields: Map<String, Value>,
        copied: bool,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let source = fields.text("source").unwrap_or_default().to_owned();
        let works =
            ["tool_calls", "metrics", "reasoning_content"].iter().any(|name| fields.contains_key(*name));
        let agent = source == "agent" || (works && !matches!(source.as_str(), "user" | "system"));
        let mut drafts = Vec::new();
        if agent {
            let model = fields.text("model_name").map(str::to_owned);
            step.stamp.model = model.or_else(|| self.here.model.clone());
            drafts.extend(called(&step, &fields));
        }
        // the model was called for the original, which keeps what is left of the step; a copy is not counted again
        let counted = copied && keys.session_of(&format!("{}.m", step.base)).is_some();
        if counted {
            drafts.clear();
        }
        if let Some(thought) = fields.take_text("reasoning_content") {
            let form = if thought.is_empty() { "empty" } else { "full" };
            drafts.push(step.draft("reasoning.recorded", "r").with("form", form).data("text", thought));
        }
        let works = works || fields.contains_key("observation");
        let said = |part: usize| said(&step, &source, agent, part);
        drafts.extend(parts::message(&mut fields, !works, said));
        drafts.extend(self.invoked(&step, &mut fields));
        drafts.extend(self.results(&step, &mut fields, keys));
        if drafts.is_empty() {
            drafts.push(said(0));
        }
        if !counted {
            pen::add_ext(&mut drafts[0], fields);
        }
        if drafts[0].kind == *"model.called" {
            let cause = drafts[0].key.clone().unwrap_or_default();
            drafts[1..].iter_mut().filter(|draft| !draft.header.contains_key("cause")).for_each(|draft| {
                draft.header.insert("cause".to_owned(), cause.as_str().into());
            });
        }
        drafts
    }

    fn invoked(&mut self, step: &Step, fields: &mut Map<String, Value>) -> Vec<Draft> {
        let mut drafts = Vec::new();
        for (at, call) in take_objects(fields.get_mut("tool_calls")).into_iter().enumerate() {
            let Value::Object(mut call) = call else { continue };
            let id = call.take_text("tool_call_id");
            let skill = call.take_text("function_name").unwrap_or_else(|| "unknown".to_owned());
            let draft = step.draft("skill.invoked", &format!("k{at}")).with("skill", skill.as_str());
            let mut draft = draft.with("call", id.clone()).data("input", call.take_value("arguments"));
            pen::add_ext_member(&mut draft, "call", call);
            let key = draft.key.clone().unwrap_or_default();
            self.here.open.push((id.unwrap_or_default(), skill, key));
            drafts.push(draft);
        }
        drafts
    }

    fn results(&mut self, step: &Step, fields: &mut Map<String, Value>, keys: &dyn Keys) -> Vec<Draft> {
        let mut drafts = Vec::new();
        let results = fields.get_mut("observation").and_then(|observation| observation.get_mut("results"));
        for (at, result) in take_objects(results).into_iter().enumerate() {
            let Value::Object(result) = result else { continue };
            drafts.extend(self.returned(step, at, result, keys));
        }
        drafts
    }

    fn returned(
        &mut self,
        step: &Step,
        at: usize,
        mut result: Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let id = result.take_text("source_call_id");
        let made = id.as_ref().and_then(|id| self.here.open.iter().position(|(open, ..)| open == id));
        let made = made.map(|at| self.here.open.remove(at));
        let output = result.take_value("content");
        let (status, exit) = outcome(output.as_ref(), &result);
        let (skill, cause) = made.map(|(_, skill, key)| (skill, key)).unzip();
        let draft =
            step.draft("skill.returned", &format!("o{at}")).with("skill", skill).with("call", id.clone());
        let draft = draft.with("status", status).with("exit", exit).with("cause", cause);
        let mut drafts = vec![draft.data("output", output)];
        drafts.extend(self.spawned(step, id.as_ref(), &result, keys));
        pen::add_ext_member(&mut drafts[0], "result", result);
        drafts
    }

    /// Agents whose trajectories a result refers to.
    fn spawned(
        &self,
        step: &Step,
        call: Option<&String>,
        result: &Map<String, Value>,
        keys: &dyn Keys,
    ) -> Vec<Draft> {
        let refs = result.get("subagent_trajectory_ref");
        let refs = refs.and_then(|refs| refs.as_array().cloned().or_else(|| Some(vec![refs.clone()])));
        let mut drafts = Vec::new();
        for reference in refs.unwrap_or_default() {
            let name = ["session_id", "trajectory_id", "trajectory_path"].iter();
            let Some(id) = name.filter_map(|name| reference.get(*name)?.as_str()).find(|id| !id.is_empty())
            else {
                continue;
            };
            let key = format!("at:{}", derive::id(keys, id));
            let stamp = Stamp {
                model: None,
                parent_agent: self.here.agent.clone(),
                agent: Some("subagent".to_owned()),
                agent_id: Some(id.to_owned()),
                ..step.stamp.clone()
            };
            let link = |kind: &'static str, verb: &str| {
                stamp
                    .draft(kind)
                    .key(format!("{key}.{verb}"))
                    .with("call", call.cloned())
                    .with("group", step.group.clone())
            };
            drafts.extend([link("agent.spawned", "spawned"), link("agent.stopped", "stopped")]);
        }
        drafts
    }
}

/// Takes a list of objects; in its place stays how many there were.
fn take_objects(list: Option<&mut Value>) -> Vec<Value> {
    let Some(value) = list else { return Vec::new() };
    match value.as_array().filter(|list| !list.is_empty() && list.iter().all(Value::is_object)) {
        Some(list) => {
            let count = list.len();
            match std::mem::replace(value, count.into()) {
                Value::Array(list) => list,
                _ => Vec::new(),
            }
        }
        None => Vec::new(),
    }
}

/// `model.called`, if the step says that a model was.
fn called(step: &Step, fields: &Map<String, Value>) -> Option<Draft> {
    let metrics = fields.get("metrics").and_then(Value::as_object);
    let calls = fields.count("llm_call_count");
    if calls == Some(0) || (metrics.is_none() && calls.is_none() && !fields.contains_key("model_name")) {
        return None;
    }
    Some(step.draft("model.called", "m").with("usage", metrics.map_or(Value::Null, usage)))
}

/// `prompt_tokens` counts what came from the cache.
fn usage(metrics: &Map<String, Value>) -> Value {
    let names = [("input", "prompt_tokens"), ("output", "completion_tokens"), ("cached", "cached_tokens")];
    let count = |name: &str| metrics.count(name).filter(|count| *count >= 0);
    let mut usage: Map<String, Value> =
        names.iter().filter_map(|(to, from)| Some(((*to).to_owned(), count(from)?.into()))).collect();
    let more = metrics.get("extra").and_then(Value::as_object);
    let reasoning = more.and_then(|more| more.count("reasoning_tokens")).filter(|count| *count > 0);
    usage.extend(reasoning.map(|count| ("reasoning".to_owned(), count.into())));
    if usage.is_empty() { Value::Null } else { usage.into() }
}

fn said(step: &Step, source: &str, agent: bool, part: usize) -> Draft {
    let part = format!("c{part}");
    match source {
        _ if agent => step.draft("message.recorded", &part).with("role", "assistant"),
        "system" => step.draft("context.injected", &part).with("source", "system"),
        "" => step.draft("message.recorded", &part),
        other => step.draft("message.recorded", &part).with("role", other),
    }
}

/// A result has no status of its own: what agents write into `extra` or at the end of the text.
fn outcome(output: Option<&Value>, result: &Map<String, Value>) -> (&'static str, Option<i64>) {
    let extra = result.get("extra").and_then(Value::as_object);
    let told = |name: &str| extra.and_then(|extra| extra.get(name)).or_else(|| result.get(name));
    let exit = told("exit_code").and_then(Value::as_i64).filter(|code| i32::try_from(*code).is_ok());
    let exit = exit.or_else(|| exit_code(output.and_then(Value::as_str).unwrap_or_default()));
    let failed = told("is_error").and_then(Value::as_bool) == Some(true)
        || matches!(told("status").and_then(Value::as_str), Some("error" | "failed"));
    let status = if failed || exit.is_some_and(|exit| exit != 0) { "error" } else { "ok" };
    (status, exit)
}

/// `[Command finished with exit code 1]` and `[exit_code] 1`, as agents end an output.
fn exit_code(text: &str) -> Option<i64> {
    let last = text.lines().rev().take(6).find_map(|line| {
        let line = line.trim().strip_prefix('[')?;
        let rest = line.strip_prefix("exit_code] ").or_else(|| Some(line.rsplit_once("exit code ")?.1))?;
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(rest.len());
        rest[..end].parse::<i32>().ok()
    });
    last.map(i64::from)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_exit_is_read_where_agents_write_it() {
        assert_eq!(
            exit_code("x\n[The command completed with exit code 0.]\n[Current working directory: /app]"),
            Some(0)
        );
        assert_eq!(exit_code("a\n[exit_code] 2"), Some(2));
        assert_eq!(exit_code("it ended with exit code 1"), None);
    }

    #[test]
    fn usage_counts_the_cache_once() {
        let metrics =
            json!({"prompt_tokens": 10, "completion_tokens": 3, "cached_tokens": 8, "cost_usd": 0.1});
        let metrics = metrics.as_object().cloned().unwrap_or_default();
        assert_eq!(usage(&metrics), json!({"input": 10, "output": 3, "cached": 8}));
        assert_eq!(usage(&Map::new()), Value::Null);
    }
}
