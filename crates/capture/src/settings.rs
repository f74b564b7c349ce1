//! The settings in which an agent's hooks are named, edited in place.
//!
//! Only our own entries are added, brought up to date and taken away; every other byte stays, comments and odd
//! layout too. What has another shape than the agent documents is refused, not put right.

use std::path::Path;

use jsonc_parser::ParseOptions;
use jsonc_parser::cst::{CstArray, CstInputValue, CstNode, CstObject, CstRootNode};
use similar::TextDiff;

use crate::Agent;

/// Why settings are left alone.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum SettingsError {
    /// Not JSON.
    #[error("the settings are no JSON: {what}")]
    NotJson {
        /// What the parser says.
        what: String,
    },
    /// A member has a shape that the agent does not read.
    #[error("{member} in the settings is no {shape}")]
    Shape {
        /// The member.
        member: String,
        /// What it should be.
        shape: &'static str,
    },
}

/// An event that we ask for; tools are matched, all of them.
struct Asked {
    event: &'static str,
    tools: bool,
}

const fn asked(event: &'static str) -> Asked {
    Asked { event, tools: false }
}

const fn of_tools(event: &'static str) -> Asked {
    Asked { event, tools: true }
}

/// Never `WorktreeCreate`: a hook for it stands for what git would do.
const CLAUDE_CODE: &[Asked] = &[
    asked("SessionStart"),
    asked("UserPromptSubmit"),
    of_tools("PreToolUse"),
    of_tools("PermissionRequest"),
    of_tools("PermissionDenied"),
    of_tools("PostToolUse"),
    of_tools("PostToolUseFailure"),
    asked("SubagentStart"),
    asked("SubagentStop"),
    asked("PreCompact"),
    asked("PostCompact"),
    asked("Notification"),
    asked("Stop"),
    asked("StopFailure"),
    asked("SessionEnd"),
];
const CODEX: &[Asked] = &[
    asked("SessionStart"),
    asked("UserPromptSubmit"),
    of_tools("PreToolUse"),
    of_tools("PermissionRequest"),
    of_tools("PostToolUse"),
    asked("SubagentStart"),
    asked("SubagentStop"),
    asked("PreCompact"),
    asked("PostCompact"),
    asked("Stop"),
];
const GEMINI: &[Asked] = &[
    asked("SessionStart"),
    asked("BeforeAgent"),
    of_tools("BeforeTool"),
    of_tools("AfterTool"),
    asked("PreCompress"),
    asked("Notification"),
    asked("AfterAgent"),
    asked("SessionEnd"),
];

impl Agent {
    fn asked(self) -> &'static [Asked] {
        match self {
            Self::ClaudeCode => CLAUDE_CODE,
            Self::Codex => CODEX,
            Self::Gemini => GEMINI,
        }
    }

    /// The variable that moves its folder, the folder under the user's home, and the file there.
    pub fn settings(self) -> (Option<&'static str>, &'static str, &'static str) {
        match self {
            Self::ClaudeCode => (Some("CLAUDE_CONFIG_DIR"), ".claude", "settings.json"),
            Self::Codex => (Some("CODEX_HOME"), ".codex", "hooks.json"),
            Self::Gemini => (None, ".gemini", "settings.json"),
        }
    }

    /// How long it waits for a hook, in its own unit: ours needs milliseconds, and a machine may be busy.
    fn timeout(self) -> &'static str {
        match self {
            Self::ClaudeCode | Self::Codex => "5",
            Self::Gemini => "5000",
        }
    }

    /// True for a command that is ours, wherever the program was when it was written.
    pub fn is_ours(self, command: &str) -> bool {
        let Some(program) = command.trim().strip_suffix(self.name()) else { return false };
        let Some(program) = program.trim_end().strip_suffix("hook") else { return false };
        let program = program.trim().trim_matches(['"', '\'']);
        Path::new(program).file_name().is_some_and(|name| name == "recount")
    }
}

/// Our entries in an agent's settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Installed {
    /// The events that have one.
    pub events: Vec<String>,
    /// The events that we ask for and that have none.
    pub missing: Vec<&'static str>,
    /// The commands, each once.
    pub commands: Vec<String>,
}

/// The settings with our entries; the same text if they are there already.
pub fn install(agent: Agent, text: &str, command: &str) -> Result<String, SettingsError> {
    let (mark, text) = split_mark(text);
    let root = read(text)?;
    let settings = root.object_value_or_create().ok_or_else(|| shape("the whole", "object"))?;
    let hooks = settings.object_value_or_create("hooks").ok_or_else(|| shape("hooks", "object"))?;
    for asked in agent.asked() {
        let wrong = || shape(&format!("hooks.{}", asked.event), "array");
        let groups = hooks.array_value_or_create(asked.event).ok_or_else(wrong)?;
        let ours = ours(agent, &groups);
        if ours.is_empty() {
            groups.append(entry(agent, asked, command));
        }
        for (hook, known) in ours {
            if known != command
                && let Some(property) = hook.get("command")
            {
                property.set_value(command.into());
            }
        }
    }
    let made = root.to_string();
    let end = if text.is_empty() && !made.ends_with('\n') { "\n" } else { "" };
    Ok(format!("{mark}{made}{end}"))
}

/// The settings without our entries, and how many there were; what is empty then and was made for them goes too.
pub fn remove(agent: Agent, text: &str) -> Result<(String, usize), SettingsError> {
    let (mark, text) = split_mark(text);
    let root = read(text)?;
    let Some(hooks) = root.object_value().and_then(|settings| settings.object_value("hooks")) else {
        return Ok((format!("{mark}{text}"), 0));
    };
    let mut removed = 0;
    for property in hooks.properties() {
        let Some(groups) = property.array_value() else { continue };
        let ours = ours(agent, &groups);
        removed += ours.len();
        for (hook, _) in &ours {
            take_away(hook.clone());
        }
        if !ours.is_empty() && groups.elements().is_empty() {
            property.remove();
        }
    }
    if removed > 0 && hooks.properties().is_empty() {
        let whole = root.object_value().and_then(|settings| settings.get("hooks"));
        whole.into_iter().for_each(jsonc_parser::cst::CstObjectProp::remove);
    }
    Ok((format!("{mark}{root}"), removed))
}

/// Which of our entries are there.
pub fn installed(agent: Agent, text: &str) -> Result<Installed, SettingsError> {
    let root = read(split_mark(text).1)?;
    let mut found = Installed::default();
    let hooks = root.object_value().and_then(|settings| settings.object_value("hooks"));
    for property in hooks.iter().flat_map(CstObject::properties) {
        let (Some(event), Some(groups)) = (property.decoded_name(), property.array_value()) else { continue };
        let ours = ours(agent, &groups);
        if !ours.is_empty() {
            found.events.push(event);
        }
        for (_, command) in ours {
            if !found.commands.contains(&command) {
                found.commands.push(command);
            }
        }
    }
    let is_there = |asked: &&Asked| !found.events.iter().any(|event| event == asked.event);
    found.missing = agent.asked().iter().filter(is_there).map(|asked| asked.event).collect();
    Ok(found)
}

/// What changes, as a unified diff.
pub fn diff(name: &str, before: &str, after: &str) -> String {
    TextDiff::from_lines(before, after).unified_diff().context_radius(2).header(name, name).to_string()
}

fn read(text: &str) -> Result<CstRootNode, SettingsError> {
    CstRootNode::parse(text, &ParseOptions::default())
        .map_err(|error| SettingsError::NotJson { what: error.kind().to_string() })
}

fn shape(member: &str, shape: &'static str) -> SettingsError {
    SettingsError::Shape { member: member.to_owned(), shape }
}

/// A byte order mark stays where it is.
fn split_mark(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

/// Our hooks among the groups of an event, with their commands.
fn ours(agent: Agent, groups: &CstArray) -> Vec<(CstObject, String)> {
    let elements = groups.elements();
    let hooks = elements.iter().filter_map(|group| group.as_object()?.array_value("hooks"));
    let hooks = hooks.flat_map(|hooks| hooks.elements());
    let command = |hook: &CstObject| hook.get("command")?.value()?.as_string_lit()?.decoded_value().ok();
    hooks
        .filter_map(|hook| hook.as_object())
        .filter_map(|hook| Some((hook.clone(), command(&hook)?)))
        .filter(|(_, command)| agent.is_ours(command))
        .collect()
}

/// Removes a hook, and its group if nothing else is in it.
fn take_away(hook: CstObject) {
    let group = || hook.parent()?.parent()?.parent()?.as_object();
    let group = group().filter(|group| group.array_value("hooks").is_some_and(|h| h.elements().len() == 1));
    match group {
        Some(group) => group.remove(),
        None => hook.remove(),
    }
}

fn entry(agent: Agent, asked: &Asked, command: &str) -> CstInputValue {
    let text = |text: &str| CstInputValue::String(text.to_owned());
    let pair = |name: &str, value: CstInputValue| (name.to_owned(), value);
    let mut hook = vec![pair("type", text("command")), pair("command", text(command))];
    if agent == Agent::Gemini {
        hook.insert(0, pair("name", text("recount")));
    }
    hook.push(pair("timeout", CstInputValue::Number(agent.timeout().to_owned())));
    let hooks = pair("hooks", CstInputValue::Array(vec![CstInputValue::Object(hook)]));
    let matcher = asked.tools.then(|| pair("matcher", text("*")));
    CstInputValue::Object(matcher.into_iter().chain([hooks]).collect())
}

/// True if the text says nothing but that there are no settings.
pub fn is_empty(text: &str) -> bool {
    let nothing = |node: CstNode| node.as_object().is_some_and(|object| object.properties().is_empty());
    read(split_mark(text).1).is_ok_and(|root| root.value().is_none_or(nothing) && !text.contains("//"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ODD: &str = "{ // mine\r\n   \"model\":\"opus\",\r\n \"hooks\" : {\"PreToolUse\":[ {\"matcher\": \"Bash\",\r\n\t\"hooks\":[{\"type\":\"command\",\"command\":\"./check.sh\"}]}\r\n ] },\r\n    \"env\": {}, /* last */ }\r\n";

    #[test]
    fn entries_are_added_once_and_taken_away_whatever_stands_around_them() {
        for agent in Agent::ALL {
            for text in ["", "{}", "{\n  \"model\": \"opus\"\n}\n", ODD, "\u{feff}{\"hooks\":{}}"] {
                let command = format!("recount hook {}", agent.name());
                let made = install(agent, text, &command).expect("settings");
                assert_eq!(install(agent, &made, &command).as_deref(), Ok(&*made), "{text}");
                let found = installed(agent, &made).expect("settings");
                assert_eq!((found.missing.len(), found.events.len()), (0, agent.asked().len()), "{made}");
                assert!(!made.contains("WorktreeCreate"));
                let (left, removed) = remove(agent, &made).expect("settings");
                assert_eq!(removed, agent.asked().len());
                assert!(!left.contains("recount"), "{left}");
                for kept in ["// mine", "./check.sh", "/* last */", "opus"] {
                    assert_eq!(text.contains(kept), left.contains(kept), "{kept} in {left}");
                }
            }
        }
    }

    #[test]
    fn a_program_that_moved_is_written_anew_and_nothing_else() {
        let before = install(Agent::Codex, ODD, "\"/old place/recount\" hook codex").expect("settings");
        let after = install(Agent::Codex, &before, "/new/recount hook codex").expect("settings");
        assert_eq!(after, before.replace("\\\"/old place/recount\\\" hook", "/new/recount hook"));
        assert_eq!(installed(Agent::ClaudeCode, &after).expect("settings").events, [""; 0]);
    }

    #[test]
    fn what_has_another_shape_is_refused() {
        for text in ["[]", "{\"hooks\":[]}", "{\"hooks\":{\"PreToolUse\":{}}}", "{\"hooks\":", "nonsense"] {
            assert!(install(Agent::ClaudeCode, text, "recount hook claude-code").is_err(), "{text}");
        }
    }

    #[test]
    fn only_our_own_commands_are_ours() {
        let is_ours = |command| Agent::ClaudeCode.is_ours(command);
        assert!(is_ours("recount hook claude-code") && is_ours("'/a b/recount' hook claude-code"));
        assert!(!is_ours("recount hook codex") && !is_ours("my-recount hook claude-code"));
        assert!(!is_ours("echo recount hook claude-codes") && !is_ours("recount unhook claude-code"));
    }
}
