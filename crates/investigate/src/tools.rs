//! Which tools and commands look, change something or test.
//!
//! Tools are known by the words of their names, commands by their first words; what is not known counts as
//! acting, not as changing.

use std::sync::LazyLock;

use event::Event;
use recorder::query::is_test;
use regex::Regex;

use crate::act::{self, Deed};

/// Tools that look, by words in their names.
const LOOKING: &[&str] = &[
    "read", "grep", "glob", "ls", "list", "search", "fetch", "view", "cat", "find", "scroll", "lookup",
    "get", "output",
];
/// Tools that change, by words in their names.
const CHANGING: &[&str] = &[
    "edit", "write", "create", "patch", "delete", "remove", "rename", "replace", "insert", "save", "commit",
];
/// Tools that only keep the agent's own list of what is to be done.
const PLANNING: &[&str] = &["todo", "todos", "plan"];
/// Commands that look.
const LOOKING_COMMANDS: &[&str] = &[
    "ls",
    "cat",
    "grep",
    "rg",
    "find",
    "head",
    "tail",
    "wc",
    "pwd",
    "env",
    "which",
    "file",
    "stat",
    "tree",
    "du",
    "less",
    "echo",
    "sort",
    "diff",
    "git status",
    "git log",
    "git diff",
    "git show",
    "git blame",
    "git branch",
    "git remote",
    "git rev-parse",
    "git ls-files",
    "sed -n",
    "nl",
    "awk",
    "jq",
    "cut",
    "uniq",
    "date",
    "cd",
    "true",
    "open",
    "view",
    "goto",
    "scroll_up",
    "scroll_down",
    "search_dir",
    "search_file",
    "find_file",
];

static CHANGES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?m)(?:^|[;&|]\s*)(?:sudo\s+)?(?:rm|mv|cp|touch|chmod|chown|ln|tee|patch|git (?:am|apply|checkout|cherry-pick|clean|commit|merge|mv|push|rebase|reset|restore|rm)|apply_patch|edit|create|insert|str_replace|undo_edit|(?:pip|npm|cargo|apt|apt-get) (?:install|add|remove)|sed -i)\b|[^0-9&>=-]>{1,2}\s*[^\s&|>]",
    )
    .ok()
});

fn changes(command: &str) -> bool {
    let into_nothing = command.contains("/dev/null");
    let kept = into_nothing.then(|| command.replace(">/dev/null", "").replace("> /dev/null", ""));
    CHANGES.as_ref().is_some_and(|changes| changes.is_match(kept.as_deref().unwrap_or(command)))
}

/// What a call does.
pub(crate) fn deed(event: &Event) -> Deed {
    let skill = event.text("skill").unwrap_or_default();
    if let Some(command) = act::command(event) {
        return deed_of_command(&skill.to_ascii_lowercase(), command);
    }
    let words = words(skill);
    let any = |names: &[&str]| words.iter().any(|word| names.iter().any(|name| means(word, name)));
    match () {
        () if is_test(&skill.to_ascii_lowercase()) => Deed::Tests,
        () if words.iter().any(|word| PLANNING.contains(&word.as_str())) => Deed::Says,
        () if any(CHANGING) => Deed::Changes,
        () if any(LOOKING) => Deed::Looks,
        () => Deed::Acts,
    }
}

/// The words of a name, however they are put together: `str_replace`, `multi-edit`, `TodoWrite`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut small = false;
    for c in name.chars() {
        if !c.is_ascii_alphanumeric() || small && c.is_ascii_uppercase() {
            words.push(String::new());
        }
        small = c.is_ascii_lowercase();
        if let Some(word) = words.last_mut().filter(|_| c.is_ascii_alphanumeric()) {
            word.push(c.to_ascii_lowercase());
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// True if a word is a name or is made of it: `editor`, `readfile`, `websearch`; but no `credit`, no `thread`.
fn means(word: &str, name: &str) -> bool {
    word == name || name.len() > 3 && word.starts_with(name) || name.len() > 4 && word.ends_with(name)
}

fn deed_of_command(skill: &str, command: &str) -> Deed {
    match () {
        () if is_test(skill) || is_test(command) => Deed::Tests,
        () if changes(command) => Deed::Changes,
        () if parts(command).iter().all(|part| looks(part)) => Deed::Looks,
        () => Deed::Acts,
    }
}

fn looks(command: &str) -> bool {
    LOOKING_COMMANDS
        .iter()
        .any(|name| command.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
}

/// The commands of a line, as a shell would part them; what is quoted stays whole.
fn parts(line: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut from, mut quote, mut escaped) = (0, None, false);
    for (at, c) in line.char_indices() {
        match (quote, c) {
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), _) if open == c => quote = None,
            (None, ';' | '|' | '&' | '\n') => {
                parts.push(&line[from..at]);
                from = at + c.len_utf8();
            }
            _ => {}
        }
    }
    parts.push(&line[from..]);
    let mut parts: Vec<&str> = parts.into_iter().map(str::trim).collect();
    // `2>&1` is parted too, and leaves a number behind
    parts.retain(|part| !part.is_empty() && !part.chars().all(|c| c.is_ascii_digit()));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::event;
    use serde_json::{Value, json};

    #[allow(clippy::needless_pass_by_value)] // a literal
    fn call(skill: &str, input: Value) -> Deed {
        deed(&event(0, "skill.invoked", json!({"skill": skill}), json!({"input": input})))
    }

    #[test]
    fn tools_are_known_by_their_names_and_commands_by_their_words() {
        assert_eq!(call("Read", json!({"file_path": "a"})), Deed::Looks);
        assert_eq!(call("Edit", json!({"file_path": "a"})), Deed::Changes);
        assert_eq!(call("mcp__db__query", json!({})), Deed::Acts);
        assert_eq!(call("Bash", json!({"command": "grep -rn x src | head"})), Deed::Looks);
        assert_eq!(call("Bash", json!({"command": "cd a && rm -rf b"})), Deed::Changes);
        assert_eq!(call("Bash", json!({"command": "echo x > file"})), Deed::Changes);
        assert_eq!(call("Bash", json!({"command": "cat a 2>/dev/null"})), Deed::Looks);
        assert_eq!(call("Bash", json!({"command": "pytest -q tests"})), Deed::Tests);
        assert_eq!(call("test-runner", json!({"suite": "all"})), Deed::Tests);
        assert_eq!(call("Bash", json!({"command": "./deploy.sh"})), Deed::Acts);
    }

    #[test]
    fn names_are_known_by_whole_words_and_lists_of_what_to_do_are_only_said() {
        for (skill, deed) in [
            ("TodoWrite", Deed::Says),
            ("update_plan", Deed::Says),
            ("MultiEdit", Deed::Changes),
            ("str_replace_editor", Deed::Changes),
            ("apply_patch", Deed::Changes),
            ("charge_credit_card", Deed::Acts),
            ("reply_to_thread", Deed::Acts),
            ("websearch", Deed::Looks),
            ("BashOutput", Deed::Looks),
        ] {
            assert_eq!(call(skill, json!({})), deed, "{skill}");
        }
    }

    #[test]
    fn a_line_looks_if_all_of_its_commands_do() {
        for (command, deed) in [
            ("cd src && sed -n '1,20p' a.rs | head -5", Deed::Looks),
            ("grep -E 'a|b;c' x 2>&1", Deed::Looks),
            ("cat a >/dev/null; ls", Deed::Looks),
            ("cat a | python3 -", Deed::Acts),
            ("ls && ./deploy.sh", Deed::Acts),
            ("edit 1:9\nprint(1)\nend_of_edit", Deed::Changes),
            ("git add -A", Deed::Acts),
            ("str_replace", Deed::Changes),
            ("view", Deed::Looks),
            ("open \"src/a.py\" 20", Deed::Looks),
            ("node -e 'x => y'", Deed::Acts),
        ] {
            assert_eq!(call("Bash", json!({"command": command})), deed, "{command}");
        }
    }
}
