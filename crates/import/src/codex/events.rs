//! Records of type `event_msg`: what the tool told its own interface.

use event::Draft;
use serde_json::{Map, Value, json};

use super::calls::duration_ms;
use super::twins::{Voice, hash};
use super::{Outcome, Rec, Rollout, state};
use crate::derive::{is_global, short};
use crate::members::TakeMembers;
use crate::pen::Stamp;
use crate::same::fold_members;

impl Rollout {
    /// Maps an event. One of an unknown type is the tool telling a change of its state.
    pub(super) fn event(&mut self, rec: &mut Rec) -> Option<Outcome> {
        let kind = rec.payload.text("type")?.to_owned();
        let drafts = match kind.as_str() {
            "user_message" | "agent_message" | "agent_reasoning" | "agent_reasoning_raw_content" => {
                return Some(self.spoken(rec, &kind));
            }
            "item_completed" | "item_started" => return Some(self.completed(rec)),
            "token_count" => vec![self.tokens(rec)],
            "account/rateLimits/updated" => vec![reported(rec)],
            "patch_apply_end" => patched(rec),
            "exec_command_end" | "mcp_tool_call_end" | "web_search_end" | "image_generation_end" => {
                vec![self.progressed(rec)]
            }
            "view_image_tool_call" | "dynamic_tool_call_request" => vec![self.requested(rec)],
            "dynamic_tool_call_response" => vec![self.responded(rec)],
            "task_complete" | "turn_complete" | "turn.completed" => vec![self.ended(rec, "completed")],
            "turn_aborted" => vec![self.ended(rec, "aborted")],
            _ => vec![noted(rec, &kind)],
        };
        Some(Outcome::Events(drafts))
    }

    /// What was said, unless a response item says it.
    fn spoken(&mut self, rec: &mut Rec, kind: &str) -> Outcome {
        let (voice, member) = match kind {
            "user_message" => (Voice::User, "message"),
            "agent_message" => (Voice::Assistant, "message"),
            _ => (Voice::Thought, "text"),
        };
        if rec.payload.text(member).is_some_and(|text| self.twins.take(voice, text)) {
            return Outcome::Twin;
        }
        let text = rec.payload.take_text(member);
        if let Some(text) = &text {
            self.lone.insert(short(&rec.key(0)), hash(voice, text));
        }
        let draft = match voice {
            Voice::User => rec.draft("message.recorded", 0).with("role", "user"),
            Voice::Assistant => rec.draft("message.recorded", 0).with("role", "assistant"),
            Voice::Thought if kind == "agent_reasoning" => {
                rec.draft("reasoning.recorded", 0).with("form", "summary")
            }
            Voice::Thought => rec.draft("reasoning.recorded", 0).with("form", "full"),
        };
        Outcome::Events(vec![draft.data("text", text)])
    }

    /// A finished item of the newer protocol: a twin, or more about a call.
    fn completed(&mut self, rec: &mut Rec) -> Outcome {
        let Some(mut item) = rec.payload.take_object("item") else {
            return Outcome::Events(vec![state::changed(rec, "item")]);
        };
        let kind = item.text("type").unwrap_or_default().to_owned();
        let voice = match kind.as_str() {
            "UserMessage" => Some(Voice::User),
            "AgentMessage" => Some(Voice::Assistant),
            "Reasoning" => Some(Voice::Thought),
            _ => None,
        };
        if let Some(voice) = voice {
            let texts = texts(&item);
            if texts.iter().all(|text| self.twins.take(voice, text)) {
                return Outcome::Twin;
            }
            if let [text] = texts.as_slice() {
                self.lone.insert(short(&rec.key(0)), hash(voice, text));
            }
            return Outcome::Events(vec![told_item(rec, voice, item, texts.join("\n\n"))]);
        }
        let call = item.text("id").map(str::to_owned);
        if kind == "FileChange" {
            let drafts = changed_files(rec, &mut item, call.as_deref());
            rec.payload.insert("item".to_owned(), Value::Object(item));
            return Outcome::Events(drafts);
        }
        fold_members(&mut item, "body", &["stdout", "aggregated_output", "formatted_output"]);
        Outcome::Events(vec![self.more_about(rec, call, item)])
    }

    fn progressed(&mut self, rec: &mut Rec) -> Draft {
        let call = rec.payload.take_text("call_id");
        let mut body = std::mem::take(&mut rec.payload);
        fold_members(&mut body, "body", &["stdout", "aggregated_output", "formatted_output"]);
        self.more_about(rec, call, body)
    }

    /// Details of a call beside its output: `skill.progressed`.
    fn more_about(&mut self, rec: &Rec, call: Option<String>, body: Map<String, Value>) -> Draft {
        let (skill, cause) = call.as_ref().map_or((None, None), |call| self.call(call));
        let draft =
            rec.draft("skill.progressed", 0).with("skill", skill).with("call", call).with("cause", cause);
        draft.data("body", Value::Object(body))
    }

    fn requested(&mut self, rec: &mut Rec) -> Draft {
        if let Some(call) = rec.payload.take_text("callId") {
            rec.payload.insert("call_id".to_owned(), call.into());
        }
        if let Some(tool) = rec.payload.take_text("tool") {
            rec.payload.insert("name".to_owned(), tool.into());
        }
        let kind = rec
            .payload
            .text("type")
            .map_or("tool", |kind| if kind.starts_with("view") { "view_image" } else { "tool" });
        // a call that a response item makes as well is told once
        if rec.payload.text("call_id").is_some_and(|call| self.calls.contains_key(&short(call))) {
            return self.progressed(rec);
        }
        self.invoked(rec, kind)
    }

    fn responded(&mut self, rec: &mut Rec) -> Draft {
        let output = rec.payload.remove("content_items");
        let failed = rec.payload.remove("error").filter(|error| !error.is_null());
        let duration = duration_ms(rec.payload.get("duration"));
        let name = rec.payload.take_text("tool");
        rec.payload.extend(name.map(|name| ("name".to_owned(), name.into())));
        rec.payload.extend(output.map(|output| ("output".to_owned(), output)));
        let draft = self.returned(rec, "tool", 0).with("duration_ms", duration);
        if failed.is_some() { draft.with("status", "error").data("error", failed) } else { draft }
    }

    /// Running totals. The last response's cost is told when the totals move, for the same count is often
    /// written twice.
    fn tokens(&mut self, rec: &mut Rec) -> Draft {
        rec.stamp.model.clone_from(&self.model);
        let info = rec.payload.get("info").and_then(Value::as_object);
        let totals = info.and_then(|info| info.get("total_token_usage")).cloned();
        let moved = totals.is_some() && totals != self.totals;
        let last = info.and_then(|info| info.get("last_token_usage")?.as_object()).filter(|_| moved);
        let spent = last.map_or(Value::Null, usage);
        if moved {
            self.totals = totals;
        }
        reported(rec).with("usage", spent)
    }

    fn ended(&self, rec: &mut Rec, status: &str) -> Draft {
        let failed = rec.payload.get("error").is_some_and(|error| !error.is_null());
        let spent = rec.payload.get("usage").and_then(Value::as_object).map_or(Value::Null, usage);
        let repeated = |text: &str| self.answer.as_ref().filter(|(answer, _)| *answer == short(text));
        if let Some((_, key)) = rec.payload.text("last_agent_message").and_then(repeated) {
            rec.payload.insert("last_agent_message".to_owned(), json!({ "$same": key }));
        }
        rec.draft("turn.ended", 0)
            .with("turn", rec.payload.take_text("turn_id"))
            .with("status", if failed { "error" } else { status })
            .with("duration_ms", rec.payload.take_count("duration_ms"))
            .with("usage", spent)
    }
}

fn reported(rec: &mut Rec) -> Draft {
    let mut body = std::mem::take(&mut rec.payload);
    if let Some(kind) = body.remove("type") {
        rec.payload.insert("type".to_owned(), kind);
    }
    rec.draft("usage.reported", 0).data("body", Value::Object(body))
}

/// The header's `usage`; input counts what came from the cache already.
pub(super) fn usage(counts: &Map<String, Value>) -> Value {
    let number = |name: &str| counts.count(name).filter(|n| *n >= 0).unwrap_or(0);
    json!({
        "input": number("input_tokens"),
        "output": number("output_tokens"),
        "cached": number("cached_input_tokens"),
        "reasoning": number("reasoning_output_tokens"),
    })
}

/// All texts of an item, whatever its parts are called.
fn texts(item: &Map<String, Value>) -> Vec<String> {
    let lists =
        ["content", "summary_text", "raw_content"].iter().filter_map(|name| item.get(*name)?.as_array());
    let text = |part: &Value| part.as_str().or_else(|| part.get("text")?.as_str()).map(str::to_owned);
    lists.flatten().filter_map(text).collect()
}

fn told_item(rec: &Rec, voice: Voice, item: Map<String, Value>, text: String) -> Draft {
    let draft = match voice {
        Voice::User => rec.draft("message.recorded", 0).with("role", "user"),
        Voice::Assistant => rec.draft("message.recorded", 0).with("role", "assistant"),
        Voice::Thought => rec.draft("reasoning.recorded", 0).with("form", "summary"),
    };
    // one text stands in the item as well; only several are worth a member of their own
    let lone = texts(&item).len() == 1;
    let draft = if lone { draft } else { draft.data("text", (!text.is_empty()).then_some(text)) };
    draft.data("body", Value::Object(item))
}

fn patched(rec: &mut Rec) -> Vec<Draft> {
    let call = rec.payload.text("call_id").map(str::to_owned);
    let mut payload = std::mem::take(&mut rec.payload);
    let drafts = changed_files(rec, &mut payload, call.as_deref());
    rec.payload = payload;
    drafts
}

/// One `file.changed` for each path; one at least.
fn changed_files(rec: &Rec, item: &mut Map<String, Value>, call: Option<&str>) -> Vec<Draft> {
    let cause = call.filter(|call| is_global(call)).map(|call| format!("{call}.invoked"));
    let changes = item.take_object("changes").unwrap_or_default();
    let change = |(part, (path, change)): (usize, (String, Value))| {
        let op = change.get("type").and_then(Value::as_str).map(str::to_owned);
        let draft = rec.draft("file.changed", part).with("op", op).with("cause", cause.clone());
        draft.data("path", path).data("diff", change)
    };
    let mut drafts: Vec<Draft> = changes.into_iter().enumerate().map(change).collect();
    if drafts.is_empty() {
        drafts.push(rec.draft("file.changed", 0).with("cause", cause));
    }
    drafts
}

/// Mail between agents.
pub(super) fn mail(rec: &mut Rec) -> Draft {
    let body = rec.payload.remove("content").unwrap_or_default();
    rec.draft("handoff.made", 0)
        .with("from", rec.payload.take_text("author"))
        .with("to", rec.payload.take_text("recipient"))
        .with("mode", "message")
        .data("body", body)
}

/// The rest: turns, agents, reviews, approvals, errors, and what is not known yet.
fn noted(rec: &mut Rec, kind: &str) -> Draft {
    let text = |rec: &mut Rec, name: &str| rec.payload.take_text(name);
    match kind {
        "task_started" | "turn_started" => rec.draft("turn.started", 0).with("turn", text(rec, "turn_id")),
        "context_compacted" => rec.draft("context.compacted", 0),
        "thread_rolled_back" => rec.draft("context.rewound", 0),
        "thread_name_updated" => rec.draft("session.updated", 0).data("title", text(rec, "thread_name")),
        "undo_completed" => rec.draft("savepoint.restored", 0),
        "error" | "stream_error" | "warning" => failed(rec),
        "guardian_assessment" => rec
            .draft("permission.decided", 0)
            .with("call", text(rec, "target_item_id"))
            .with("decision", text(rec, "status"))
            .data("reason", text(rec, "rationale")),
        "entered_review_mode" => rec.draft("agent.started", 0).with("agent", "review"),
        "exited_review_mode" => {
            let result = rec.payload.remove("review_output").unwrap_or_default();
            rec.draft("agent.stopped", 0).with("agent", "review").data("result", result)
        }
        kind if kind.starts_with("collab_") => collaboration(rec, kind),
        _ => state::changed(rec, kind),
    }
}

fn failed(rec: &mut Rec) -> Draft {
    let mut error = rec.payload.take_object("error");
    let message = rec.payload.take_text("message").or_else(|| error.as_mut()?.take_text("message"));
    let kind =
        error.as_ref().and_then(|error| error.text("kind")).or_else(|| rec.payload.text("codex_error_info"));
    let draft = rec.draft("error.raised", 0).with("category", kind.map(str::to_owned));
    draft
        .data("message", message)
        .data("detail", error.filter(|e| !e.is_empty()).map_or(Value::Null, Value::Object))
}

/// One agent starts, asks, awaits or ends another. Ids that no field of the event tells stay in the payload.
fn collaboration(rec: &mut Rec, kind: &str) -> Draft {
    match kind {
        "collab_agent_spawn_end" => spawned(rec),
        "collab_close_end" | "collab_agent_close_end" => closed(rec),
        "collab_agent_interaction_end" => asked(rec),
        _ => state::changed(rec, kind),
    }
}

/// The other agent of a collaboration: its stamp, and the key for this of its verbs.
fn other_agent(rec: &mut Rec, verb: &str) -> (Stamp, String) {
    let id = rec.payload.take_text("new_thread_id").or_else(|| rec.payload.take_text("receiver_thread_id"));
    let names = ["new_agent_role", "receiver_agent_role", "new_agent_nickname", "receiver_agent_nickname"];
    let name = names.iter().find_map(|name| rec.payload.take_text(name));
    let key = id.as_ref().filter(|id| is_global(id)).map_or_else(|| rec.key(0), |id| format!("{id}.{verb}"));
    let mut stamp = rec.stamp.clone();
    stamp.parent_agent = stamp.agent.replace(name.unwrap_or_else(|| "subagent".to_owned()));
    stamp.agent_id = id;
    (stamp, key)
}

fn spawned(rec: &mut Rec) -> Draft {
    let (stamp, key) = other_agent(rec, "spawned");
    let draft = stamp.draft("agent.spawned").key(key).with("call", rec.payload.take_text("call_id"));
    draft.data("prompt", rec.payload.take_text("prompt"))
}

fn closed(rec: &mut Rec) -> Draft {
    let (stamp, key) = other_agent(rec, "stopped");
    let spawned = stamp.agent_id.as_ref().filter(|id| is_global(id)).map(|id| format!("{id}.spawned"));
    let draft = stamp.draft("agent.stopped").key(key).with("call", rec.payload.take_text("call_id"));
    draft.with("cause", spawned).with("status", rec.payload.text("status").map(str::to_owned))
}

fn asked(rec: &mut Rec) -> Draft {
    let call = rec.payload.text("call_id").filter(|call| is_global(call));
    let cause = call.map(|call| format!("{call}.invoked"));
    rec.draft("handoff.made", 0)
        .with("from", rec.payload.take_text("sender_thread_id"))
        .with("to", rec.payload.take_text("receiver_thread_id"))
        .with("mode", "message")
        .with("cause", cause)
        .data("body", rec.payload.take_text("prompt"))
}
