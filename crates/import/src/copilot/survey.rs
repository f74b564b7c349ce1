//! What has to be known before the first record is told: which calls a message asks for, which hooks ended, who a
//! call started, and which thoughts are told in a record of their own.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use serde::Deserialize;

use crate::derive::{Names, short};

/// An agent that a call started.
#[derive(Debug, Clone)]
pub(super) struct Agent {
    /// The call's id.
    pub(super) id: String,
    pub(super) name: String,
}

#[derive(Debug, Default)]
pub(super) struct Survey {
    requested: HashSet<u64>,
    /// Which tool a call is of.
    skills: HashMap<u64, Rc<str>>,
    names: Names,
    ended: HashSet<u64>,
    agents: HashMap<String, Agent>,
    /// Thoughts by text, with the id of their record.
    thoughts: HashMap<u64, String>,
    /// The model's responses are told with what they cost.
    pub(super) counts_usage: bool,
}

#[derive(Deserialize)]
struct Look {
    #[serde(rename = "type")]
    kind: String,
    id: Option<String>,
    #[serde(rename = "agentId")]
    agent: Option<String>,
    data: LookData,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LookData {
    tool_requests: Option<Vec<LookCall>>,
    hook_invocation_id: Option<String>,
    tool_call_id: Option<String>,
    agent_name: Option<String>,
    tool_name: Option<String>,
    content: Option<serde_json::Value>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct LookCall {
    tool_call_id: Option<String>,
    name: Option<String>,
}

impl Survey {
    pub(super) fn see(&mut self, text: &str) {
        const TYPES: &[&str] = &[
            "\"toolRequests\"",
            "hook.end",
            "subagent.started",
            "tool.execution_start",
            "assistant.reasoning",
            "assistant.usage",
        ];
        if !TYPES.iter().any(|kind| text.contains(kind)) {
            return;
        }
        // a record of other types than these is looked at when it is told
        let Ok(look) = serde_json::from_str::<Look>(text) else { return };
        match look.kind.as_str() {
            "assistant.message" => {
                for call in look.data.tool_requests.into_iter().flatten() {
                    let Some(id) = call.tool_call_id else { continue };
                    self.requested.insert(short(&id));
                    self.called(&id, call.name);
                }
            }
            "hook.end" => self.ended.extend(look.data.hook_invocation_id.map(|id| short(&id))),
            "tool.execution_start" => {
                if let Some(id) = look.data.tool_call_id {
                    self.called(&id, look.data.tool_name);
                }
            }
            "subagent.started" => {
                let Some(id) = look.data.tool_call_id else { return };
                let agent = Agent {
                    id: id.clone(),
                    name: look.data.agent_name.unwrap_or_else(|| "subagent".to_owned()),
                };
                self.agents.extend(look.agent.map(|own| (own, agent.clone())));
                self.agents.insert(id, agent);
            }
            "assistant.reasoning" => {
                if let (Some(serde_json::Value::String(text)), Some(id)) = (look.data.content, look.id) {
                    self.thoughts.insert(short(&text), id);
                }
            }
            "assistant.usage" => self.counts_usage = true,
            _ => {}
        }
    }

    fn called(&mut self, call: &str, skill: Option<String>) {
        if let Some(skill) = skill {
            let skill = self.names.keep(&skill);
            self.skills.insert(short(call), skill);
        }
    }

    pub(super) fn skill(&self, call: &str) -> Option<String> {
        self.skills.get(&short(call)).map(ToString::to_string)
    }

    pub(super) fn is_requested(&self, call: &str) -> bool {
        self.requested.contains(&short(call))
    }

    pub(super) fn has_ended(&self, hook: &str) -> bool {
        self.ended.contains(&short(hook))
    }

    /// The record that tells this thought.
    pub(super) fn thought(&self, text: &str) -> Option<&str> {
        self.thoughts.get(&short(text)).map(String::as_str)
    }

    /// Whose record it is: the agent that it names, or that the call it names has started.
    pub(super) fn agent(&self, own: Option<&str>, call: Option<&str>) -> Option<Agent> {
        let id = own.or(call).filter(|id| !id.is_empty())?;
        let known = self.agents.get(id).cloned();
        Some(known.unwrap_or_else(|| Agent { id: id.to_owned(), name: "subagent".to_owned() }))
    }
}
