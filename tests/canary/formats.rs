//! What every tool that is read writes, with secrets in each of its texts, and the hooks of agents.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::Doors;
use super::secrets::Planter;

/// The samples that importers are tested with.
const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/import");

/// Every sample, planted: looked at first, then imported and followed.
pub(super) fn samples(doors: &mut Doors) {
    let mut samples: Vec<_> = fs::read_dir(SAMPLES).unwrap().map(|entry| entry.unwrap().path()).collect();
    samples.sort();
    let mut planted = 0;
    for sample in samples {
        let name = sample.file_name().unwrap().to_str().unwrap().to_owned();
        doors.planter.at(&format!("a sample of {name}"));
        let (before, folder) =
            (doors.planter.planted.len(), doors.outside.path().join("samples").join(&name));
        for entry in fs::read_dir(&sample).unwrap().map(|entry| entry.unwrap().path()) {
            let input = entry.file_stem().is_some_and(|stem| stem == "input");
            if input {
                copy(&mut doors.planter, &entry, &folder.join(entry.file_name().unwrap()));
            }
        }
        planted += usize::from(doors.planter.planted.len() > before);
        let folder = folder.to_str().unwrap();
        doors.run(&["import", folder, "--dry-run"]);
        let first = doors.run(&["import", folder, "--json"]).ok().json();
        assert!(first["total"]["stored"].as_u64().unwrap() > 0, "{name}: {first}");
        doors.run(&["capture", folder, "--once"]).ok();
        doors.run(&["import", folder, "--salvage"]).ok();
    }
    assert!(planted > 25, "{planted} samples have texts");
}

fn copy(planter: &mut Planter, from: &Path, to: &Path) {
    if from.is_dir() {
        fs::create_dir_all(to).unwrap();
        for entry in fs::read_dir(from).unwrap().map(|entry| entry.unwrap().path()) {
            copy(planter, &entry, &to.join(entry.file_name().unwrap()));
        }
        return;
    }
    fs::create_dir_all(to.parent().unwrap()).unwrap();
    let bytes = fs::read(from).unwrap();
    let planted = String::from_utf8(bytes.clone()).map(|text| planted(planter, &text));
    fs::write(to, planted.map_or(bytes, String::into_bytes)).unwrap();
}

/// A document, or lines of documents; what is neither stays.
fn planted(planter: &mut Planter, text: &str) -> String {
    let mut plant = |text: &str| {
        let mut value = serde_json::from_str::<Value>(text).ok()?;
        plant(planter, &mut value);
        Some(value.to_string())
    };
    plant(text).unwrap_or_else(|| {
        let lines = text.lines().map(|line| plant(line).unwrap_or_else(|| line.to_owned()) + "\n");
        lines.collect()
    })
}

/// Secrets into every text, in JSON that stands in a text too. What has fewer than three words may be a name.
fn plant(planter: &mut Planter, value: &mut Value) {
    match value {
        Value::Object(members) => members.values_mut().for_each(|value| plant(planter, value)),
        Value::Array(items) => items.iter_mut().for_each(|value| plant(planter, value)),
        Value::String(text) => {
            if let Ok(mut inner @ (Value::Object(_) | Value::Array(_))) = serde_json::from_str::<Value>(text)
            {
                plant(planter, &mut inner);
                *text = inner.to_string();
            } else if text.split(' ').count() > 2 && !text.starts_with(|c: char| c.is_ascii_digit()) {
                let (token, password) = (planter.token(), planter.password());
                *text = format!("{text}\nI tried {token} and password={password} there.");
            }
        }
        _ => {}
    }
}

/// What each hook is told, `%` a story and `$` a token.
const PAYLOADS: &[(&str, &str)] = &[
    ("claude-code", r#"{"hook_event_name": "SessionStart", "source": "$", "model": "$"}"#),
    ("claude-code", r#"{"hook_event_name": "UserPromptSubmit", "prompt": %}"#),
    (
        "claude-code",
        r#"{"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_use_id": "toolu_01CanaryAaaaaaaaaaaaaaaaa", "tool_input": {"command": %, "$": %}}"#,
    ),
    (
        "claude-code",
        r#"{"hook_event_name": "PostToolUse", "tool_name": "Bash", "tool_use_id": "toolu_01CanaryAaaaaaaaaaaaaaaaa", "tool_response": {"stdout": %, "stderr": %}}"#,
    ),
    ("claude-code", r#"{"hook_event_name": "PostToolUseFailure", "tool_name": "$", "error": %}"#),
    ("claude-code", r#"{"hook_event_name": "Notification", "message": %, "title": %}"#),
    (
        "claude-code",
        r#"{"hook_event_name": "SubagentStart", "agent_id": "$", "agent_type": "$", "prompt": %}"#,
    ),
    ("claude-code", r#"{"hook_event_name": "SubagentStop", "agent_id": "$", "last_assistant_message": %}"#),
    ("claude-code", r#"{"hook_event_name": "PreCompact", "custom_instructions": %}"#),
    ("claude-code", r#"{"hook_event_name": "Stop", "last_assistant_message": %}"#),
    ("claude-code", r#"{"hook_event_name": "SessionEnd", "reason": %}"#),
    ("claude-code", r#"{"hook_event_name": "$", "unheard_of": %}"#),
    ("claude-code", "{\"hook_event_name\": \"Stop\", \"broken\": \"$"),
    ("codex", r#"{"hook_event_name": "UserPromptSubmit", "prompt": %}"#),
    (
        "codex",
        r#"{"hook_event_name": "PreToolUse", "tool_name": "shell", "tool_input": {"command": [%, "$"]}}"#,
    ),
    ("codex", r#"{"hook_event_name": "PostToolUse", "tool_name": "shell", "tool_response": %}"#),
    (
        "codex",
        r#"{"type": "agent-turn-complete", "turn-id": "$", "input-messages": [%], "last-assistant-message": %}"#,
    ),
    ("gemini", r#"{"hook_event_name": "BeforeAgent", "prompt": %}"#),
    (
        "gemini",
        r#"{"hook_event_name": "BeforeTool", "tool_name": "run_shell_command", "tool_input": {"command": %}}"#,
    ),
    (
        "gemini",
        r#"{"hook_event_name": "AfterTool", "tool_name": "read_file", "tool_response": {"llmContent": %}}"#,
    ),
    ("gemini", r#"{"hook_event_name": "AfterAgent", "prompt_response": %}"#),
];

/// Hooks: in a session of an id, and in one that a secret names.
pub(super) fn hooks(doors: &mut Doors) {
    for (agent, payload) in PAYLOADS {
        for session in ["5e551011-aaaa-4bbb-8ccc-0000000000ca", "$"] {
            doors.planter.at(&format!("hook {agent}, {}", payload.get(..40).unwrap_or(payload)));
            let common =
                format!(r#"{{"session_id": "{session}", "cwd": "/w/$", "transcript_path": "/w/$.jsonl", "#);
            let mut text = payload.replacen('{', &common, 1);
            while let Some(at) = text.find('$') {
                text.replace_range(at..=at, &doors.planter.token());
            }
            while let Some(at) = text.find('%') {
                // in one session whole stories, in the other a line of each
                let story = if session == "$" { doors.planter.token() } else { doors.planter.story() };
                text.replace_range(at..=at, &json!(story).to_string());
            }
            let ran = doors.feed(&["hook", agent], &text).ok();
            assert_eq!((ran.text(), &*ran.err), (String::new(), ""), "{agent}");
        }
    }
    doors.run(&["hook", "status"]);
    doors.run(&["doctor"]);
}
