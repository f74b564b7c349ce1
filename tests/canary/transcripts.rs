//! Transcripts of other tools with secrets in every field.

use serde_json::{Value, json};

use super::Doors;
use super::secrets::Planter;

const SESSION: &str = "5a5a5a5a-0000-4000-8000-000000000000";

/// Records as Claude Code writes them.
#[derive(Default)]
struct ClaudeCode {
    lines: Vec<String>,
    records: usize,
}

fn user(content: impl Into<Value>) -> Value {
    json!({"role": "user", "content": content.into()})
}

fn assistant(id: &str, block: &Value) -> Value {
    json!({"id": id, "role": "assistant", "model": "claude-x", "content": [block], "stop_reason": null,
        "usage": {"input_tokens": 1, "output_tokens": 1}})
}

impl ClaudeCode {
    /// A record with what all records have.
    fn record(&mut self, mut fields: Value) {
        self.records += 1;
        let number = self.records;
        let common = json!({
            "uuid": format!("00000000-0000-4000-8000-{number:012}"), "parentUuid": null, "sessionId": SESSION,
            "isSidechain": false, "userType": "external", "version": "2.1.200", "cwd": "/work",
            "timestamp": format!("2026-07-03T00:00:{number:02}.000Z"),
        });
        let own = fields.as_object_mut().unwrap();
        for (name, value) in common.as_object().unwrap() {
            own.entry(name.clone()).or_insert_with(|| value.clone());
        }
        self.lines.push(fields.to_string());
    }

    fn line(&mut self, fields: &Value) {
        self.lines.push(fields.to_string());
    }

    fn conversation(&mut self, p: &mut Planter) {
        p.at("claude-code, prompt");
        self.record(json!({"type": "user", "message": user(p.story())}));
        p.at("claude-code, thinking");
        let thought = json!({"type": "thinking", "thinking": p.story(), "signature": "c2ln"});
        self.record(json!({"type": "assistant", "message": assistant("msg_1", &thought)}));
        p.at("claude-code, text");
        let text = json!({"type": "text", "text": p.story()});
        self.record(json!({"type": "assistant", "message": assistant("msg_2", &text)}));
        p.at("claude-code, tool input");
        let call = json!({"type": "tool_use", "id": "toolu_01AAAAAAAAAAAAAAAAAAAAAA", "name": "Bash",
            "input": {"command": p.story(), "env": p.structure()}});
        self.record(json!({"type": "assistant", "message": assistant("msg_3", &call)}));
    }

    fn results(&mut self, p: &mut Planter) {
        p.at("claude-code, tool result");
        let result = json!([{"type": "tool_result", "tool_use_id": "toolu_01AAAAAAAAAAAAAAAAAAAAAA",
            "content": [{"type": "text", "text": p.story()}], "is_error": false}]);
        let more = json!({"stdout": p.story(), "stderr": p.story(), "ext": p.structure(),
            "file": {"content": p.story(), "filePath": "/w/.env"},
            "structuredPatch": [{"lines": [format!("+PASSWORD={}", p.password())]}]});
        self.record(json!({"type": "user", "message": user(result), "toolUseResult": more}));
        p.at("claude-code, toolUseResult as text");
        let result = json!([{"type": "tool_result", "tool_use_id": "toolu_01B", "content": p.story(), "is_error": true}]);
        let more = format!("Error: {}", p.story());
        self.record(json!({"type": "user", "message": user(result), "toolUseResult": more}));
        p.at("claude-code, a result over 256 KiB");
        let long = format!("{0}{1}{0}", "words of an output ".repeat(9000), p.story());
        let result = json!([{"type": "tool_result", "tool_use_id": "toolu_01C", "content": long}]);
        self.record(json!({"type": "user", "message": user(result), "toolUseResult": {"stdout": long}}));
    }

    fn names(&mut self, p: &mut Planter) {
        let fields = [
            "cwd",
            "gitBranch",
            "slug",
            "version",
            "entrypoint",
            "requestId",
            "agentId",
            "uuid",
            "parentUuid",
        ];
        for field in fields.into_iter().chain(["promptId", "effort"]) {
            p.at(&format!("claude-code, {field}"));
            self.record(json!({"type": "user", field: format!("/x/{}", p.token()), "message": user("x")}));
            self.record(json!({"type": "user", field: p.token(), "message": user("x")}));
        }
        p.at("claude-code, ids and names");
        let call = json!({"type": "tool_use", "id": p.token(), "name": p.token(),
            "input": {"subagent_type": p.token(), "prompt": p.story()}});
        self.record(json!({"type": "assistant", "message": assistant(&p.token(), &call)}));
        p.at("claude-code, Task");
        let call = json!({"type": "tool_use", "id": "toolu_01D", "name": "Task",
            "input": {"subagent_type": p.token(), "description": p.token(), "prompt": p.story()}});
        self.record(json!({"type": "assistant", "message": assistant("msg_9", &call)}));
        p.at("claude-code, titles");
        let leaf = "00000000-0000-4000-8000-000000000001";
        self.line(&json!({"type": "summary", "summary": p.story(), "leafUuid": leaf}));
        self.line(&json!({"type": "custom-title", "customTitle": p.token(), "sessionId": SESSION}));
        self.line(&json!({"type": "ai-title", "aiTitle": p.token(), "sessionId": SESSION}));
    }

    fn notes(&mut self, p: &mut Planter) {
        p.at("claude-code, system");
        let error =
            json!({"type": "system", "subtype": "api_error", "content": p.story(), "error": p.structure()});
        self.record(error);
        self.record(json!({"type": "system", "subtype": p.token(), "content": p.story()}));
        p.at("claude-code, attachment");
        let hook =
            json!({"type": "hook_success", "hookName": p.token(), "stdout": p.story(), "stderr": p.story()});
        self.record(json!({"type": "attachment", "attachment": hook}));
        self.record(
            json!({"type": "attachment", "attachment": {"type": "nested_memory", "content": p.structure()}}),
        );
        p.at("claude-code, queue and progress");
        self.line(&json!({"type": "queue-operation", "operation": "enqueue", "content": p.story(),
            "sessionId": SESSION, "timestamp": "2026-07-03T00:00:00.000Z"}));
        let output = json!({"type": "bash_progress", "output": p.story()});
        self.record(json!({"type": "progress", "toolUseID": "toolu_01D", "data": output}));
        p.at("claude-code, snapshot");
        let files = json!({format!("/w/{}.env", p.token()): {"backup": p.token()}});
        self.line(&json!({"type": "file-history-snapshot", "messageId": "m", "isSnapshotUpdate": false,
            "snapshot": {"messageId": "m", "timestamp": "2026-07-03T00:00:00.000Z", "trackedFileBackups": files}}));
        p.at("claude-code, unknown record");
        self.record(json!({"type": "brand-new-type", "content": p.structure(), p.token(): p.story()}));
    }

    fn damage(mut self, p: &mut Planter) -> String {
        p.at("claude-code, too deep");
        let deep = format!("{}\"{}\"{}", "[".repeat(200), p.token(), "]".repeat(200));
        self.record(json!({"type": "user", "message": user("x"), "deep": 0}));
        let last = self.lines.pop().unwrap();
        self.lines.push(last.replace("\"deep\":0", &format!("\"deep\":{deep}")));
        p.at("claude-code, a broken line");
        let broken = json!({"type": "user", "message": user(p.story())}).to_string();
        self.lines.push(broken[..broken.len() - 3].to_owned());
        self.lines.push(format!("no JSON at all {}", p.story().replace('\n', " ")));
        self.lines.push(format!("{}{}", p.token(), "\0".repeat(500)));
        p.at("claude-code, a torn last line");
        let torn = json!({"type": "user", "sessionId": SESSION, "message": user(p.story())}).to_string();
        self.lines.join("\n") + "\n" + &torn[..torn.len() - 8]
    }
}

/// One record of its own.
fn single(p: &mut Planter, session: &str, more: &Value) -> String {
    let mut record = json!({
        "type": "user", "uuid": "00000000-0000-4000-9000-000000000001", "parentUuid": null, "sessionId": session,
        "isSidechain": false, "cwd": "/w", "version": "2", "userType": "external",
        "timestamp": "2026-07-03T00:00:00.000Z", "message": user(p.story()),
    });
    record.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    format!("{record}\n")
}

pub(super) fn claude_code(doors: &mut Doors) {
    let p = &mut doors.planter;
    let mut transcript = ClaudeCode::default();
    transcript.conversation(p);
    transcript.results(p);
    transcript.names(p);
    transcript.notes(p);
    let text = transcript.damage(p);
    p.at("claude-code, names of folder and file");
    let path = format!("projects/-w-{}/{}.jsonl", p.token(), p.token());
    doors.import(&path, &text);

    let p = &mut doors.planter;
    p.at("claude-code, sessionId");
    let session = p.token();
    let text = single(p, &session, &json!({}));
    doors.import("projects/-w/plain.jsonl", &text);

    let p = &mut doors.planter;
    p.at("claude-code, a subagent's file");
    let more =
        json!({"isSidechain": true, "agentId": "abc1234", "uuid": "00000000-0000-4000-a000-000000000001"});
    let text = single(p, SESSION, &more);
    let path = format!("projects/-w/{}/subagents/agent-abc1234", p.token());
    let agent = json!({"agentType": p.token()}).to_string();
    doors.file(&format!("{path}.meta.json"), &agent);
    doors.import(&format!("{path}.jsonl"), &text);

    let p = &mut doors.planter;
    p.at("claude-code, a file that is nothing");
    let (name, text) = (format!("{}.jsonl", p.token()), p.story());
    let file = doors.file(&name, &text);
    doors.run(&["import", file.to_str().unwrap()]);
}

/// Records as Codex writes them.
#[derive(Default)]
struct Codex {
    lines: Vec<String>,
}

impl Codex {
    fn record(&mut self, kind: &str, payload: &Value) {
        let record = json!({"timestamp": "2026-07-03T00:00:00.000Z", "type": kind, "payload": payload});
        self.lines.push(record.to_string());
    }

    fn item(&mut self, payload: &Value) {
        self.record("response_item", payload);
    }

    fn event(&mut self, payload: &Value) {
        self.record("event_msg", payload);
    }

    fn surroundings(&mut self, p: &mut Planter) {
        p.at("codex, session_meta");
        let remote = format!("https://dev:{}@git.example.com/a", p.password());
        self.record("session_meta", &json!({
            "id": "01990000-0000-7000-8000-000000000001", "timestamp": "2026-07-03T00:00:00.000Z",
            "cwd": format!("/w/{}", p.token()), "originator": p.token(), "cli_version": "0.99.0",
            "instructions": p.story(), "git": {"repository_url": remote, "branch": p.token(), "commit_hash": "0"},
        }));
        p.at("codex, turn_context");
        let context =
            json!({"cwd": "/w", "model": p.token(), "approval_policy": "never", "summary": p.story()});
        self.record("turn_context", &context);
    }

    fn conversation(&mut self, p: &mut Planter) {
        p.at("codex, message");
        let content = json!([{"type": "input_text", "text": p.story()}]);
        self.item(&json!({"type": "message", "role": "user", "content": content}));
        p.at("codex, reasoning");
        self.item(&json!({"type": "reasoning", "summary": [{"type": "summary_text", "text": p.story()}],
            "content": [{"type": "reasoning_text", "text": p.story()}], "encrypted_content": null}));
        self.event(&json!({"type": "agent_reasoning", "text": p.story()}));
        p.at("codex, events");
        self.event(&json!({"type": "user_message", "message": p.story(), "images": []}));
        self.event(&json!({"type": "agent_message", "message": p.story()}));
        self.event(&json!({"type": "error", "message": p.story()}));
        self.event(&json!({"type": "brand_new", "content": p.structure(), p.token(): 1}));
        self.event(&json!({"type": p.token(), "content": p.story()}));
    }

    fn calls(&mut self, p: &mut Planter) {
        p.at("codex, call");
        let arguments = json!({"command": ["bash", "-lc", p.story()], "env": p.structure()}).to_string();
        self.item(
            &json!({"type": "function_call", "name": "shell", "call_id": "call_1", "arguments": arguments}),
        );
        let arguments = format!("not json {}", p.story());
        self.item(&json!({"type": "function_call", "name": p.token(), "call_id": p.token(), "arguments": arguments}));
        p.at("codex, words of a command");
        let action = json!({"type": "exec", "env": p.structure(),
            "command": ["curl", "-u", format!("admin:{}", p.password()), "--password", p.password()]});
        self.item(&json!({"type": "local_shell_call", "call_id": "call_2", "status": "completed", "action": action}));
        p.at("codex, output");
        let output = json!({"output": p.story(), "metadata": {"exit_code": 1}}).to_string();
        self.item(&json!({"type": "function_call_output", "call_id": "call_1", "output": output}));
        self.event(
            &json!({"type": "exec_command_end", "call_id": "call_1", "exit_code": 0, "stdout": p.story(),
            "stderr": p.story(), "aggregated_output": p.story()}),
        );
        let patch = json!({"type": "custom_tool_call", "name": "apply_patch", "call_id": "call_3", "input": p.story()});
        self.item(&patch);
        self.item(&json!({"type": "custom_tool_call_output", "call_id": "call_3", "output": p.story()}));
    }

    fn rest(mut self, p: &mut Planter) -> String {
        p.at("codex, compacted");
        let history = json!([{"type": "message", "role": "user", "content": [{"type": "input_text", "text": p.story()}]}]);
        self.record("compacted", &json!({"message": p.story(), "replacement_history": history}));
        p.at("codex, unknown");
        self.record("world_state", &p.structure());
        self.record("brand_new", &p.structure());
        p.at("codex, a torn last line");
        self.event(&json!({"type": "agent_message", "message": p.story()}));
        let text = self.lines.join("\n");
        text[..text.len() - 8].to_owned()
    }
}

pub(super) fn codex(doors: &mut Doors) {
    let p = &mut doors.planter;
    let mut rollout = Codex::default();
    rollout.surroundings(p);
    rollout.conversation(p);
    rollout.calls(p);
    let text = rollout.rest(p);
    p.at("codex, name of the file");
    let path = format!("sessions/2026/07/03/rollout-2026-07-03T00-00-00-{}.jsonl", p.token());
    doors.import(&path, &text);
}
