//! The calls: a story in which every command has its place.

/// One call.
pub(crate) struct Call {
    pub(crate) args: &'static [&'static str],
    /// Members that our answer has more.
    pub(crate) more: &'static [&'static str],
    /// Ours refuses it with exit 2, whatever the original makes of it.
    pub(crate) refused: bool,
}

const fn call(args: &'static [&'static str]) -> Call {
    Call { args, more: &[], refused: false }
}

const fn more(args: &'static [&'static str], more: &'static [&'static str]) -> Call {
    Call { args, more, refused: false }
}

const fn refused(args: &'static [&'static str]) -> Call {
    Call { args, more: &[], refused: true }
}

const PATH: &str = "bazinga/artifacts/s1/f.md";

/// What is asked of both after an import.
pub(crate) const QUESTIONS: &[&[&str]] = &[
    &["get-session", "s1"],
    &["get-task-groups", "s1"],
    &["get-context-packages", "s1", "G", "qa_expert"],
    &["get-context-packages", "s1", "G", "developer"],
    &["get-state", "s1", "pm"],
    &["get-reasoning", "s1", "--group_id", "G", "--phase", "understanding"],
    &["check-mandatory-phases", "s1", "G", "developer"],
    &["token-summary", "s1"],
    &["get-error-patterns", "p", "--min_confidence", "0.1"],
    &["get-strategies", "p"],
];

pub(crate) const CALLS: &[Call] = &[
    call(&["create-session", "s1", "simple", "Build it"]),
    // theirs leaves out what it did not look up
    more(&["create-session", "s1", "simple", "Build it"], &["success", "initial_branch", "metadata"]),
    call(&["create-session", "s2", "parallel", "More", "--initial_branch", "dev", "--metadata", "{\"a\":1}"]),
    refused(&["create-session", "s3", "serial", "x"]),
    refused(&["create-session", "s3", "simple", "x", "--metadata", "{not json"]),
    call(&["get-session", "s1"]),
    call(&["get-session", "s2"]),
    call(&["get-session", "nobody"]),
    call(&["list-sessions"]),
    call(&["list-sessions", "1"]),
    call(&["create-task-group", "G", "s1", "First group"]),
    call(&[
        "create-task-group",
        "H",
        "s1",
        "Second",
        "pending",
        "dev_1",
        "--complexity",
        "7",
        "--specializations",
        "[\"01-languages/python.md\"]",
    ]),
    refused(&["create-task-group", "H", "s1", "Second", "nonsense"]),
    refused(&["create-task-group", "H", "s1", "Second", "--complexity", "11"]),
    refused(&["create-task-group", "a b", "s1", "Second"]),
    call(&[
        "update-task-group",
        "G",
        "s1",
        "--status",
        "in_progress",
        "--assigned-to",
        "dev_2",
        "--qa_attempts",
        "1",
    ]),
    call(&["update-task-group", "NEW", "s1", "--status", "pending"]),
    refused(&["update-task-group", "G", "s1", "--status", "finished"]),
    call(&["get-task-groups", "s1"]),
    call(&["get-task-groups", "s1", "in_progress"]),
    call(&["get-task-groups", "nobody"]),
    call(&["save-state", "s1", "pm", "{\"round\": 1, \"names\": [\"a\"]}"]),
    call(&["save-state", "s1", "group_status", "{\"round\": 2, \"names\": [\"a\"]}"]),
    refused(&["save-state", "s1", "nonsense", "{}"]),
    refused(&["save-state", "s1", "pm", "{"]),
    call(&["get-state", "s1", "pm"]),
    call(&["get-state", "s1", "orchestrator"]),
    call(&["log-tokens", "s1", "developer", "15000", "dev_1"]),
    call(&["log-tokens", "s1", "pm", "100"]),
    call(&["token-summary", "s1"]),
    call(&["token-summary", "s1", "agent_id"]),
    call(&["log-interaction", "s1", "developer", "- a list\n- of things", "2", "dev_1"]),
    call(&["log-interaction", "s1", "pm", "Hello"]),
    call(&[
        "save-context-package",
        "s1",
        "G",
        "research",
        PATH,
        "developer",
        "[\"qa_expert\",\"tech_lead\",\"qa_expert\"]",
        "high",
        "What was found",
    ]),
    call(&[
        "save-context-package",
        "s1",
        "global",
        "decisions",
        PATH,
        "developer",
        "[\"qa_expert\"]",
        "critical",
        "For all",
    ]),
    refused(&[
        "save-context-package",
        "s1",
        "G",
        "nonsense",
        PATH,
        "developer",
        "[\"qa_expert\"]",
        "high",
        "x",
    ]),
    refused(&[
        "save-context-package",
        "s1",
        "G",
        "research",
        "../../etc/passwd",
        "developer",
        "[\"qa_expert\"]",
        "high",
        "x",
    ]),
    refused(&["save-context-package", "s1", "G", "research", PATH, "developer", "[]", "high", "x"]),
    call(&["get-context-packages", "s1", "G", "qa_expert"]),
    call(&["mark-context-consumed", "$package_id", "qa_expert", "1"]),
    call(&["get-context-packages", "s1", "G", "qa_expert"]),
    call(&["get-context-packages", "nobody", "", "developer", "5"]),
    call(&[
        "save-error-pattern",
        "p",
        "TypeError",
        "bad '/a/b/c.py' line 3",
        "Cast it",
        "--lang",
        "python",
        "--context_hints",
        "[\"x\"]",
    ]),
    call(&[
        "save-error-pattern",
        "p",
        "TypeError",
        "bad '/d/e/c.py' line 9",
        "Cast it well",
        "--lang",
        "python",
        "--context_hints",
        "[\"x\"]",
    ]),
    refused(&["save-error-pattern", "p", "TypeError", "m", "s", "--context_hints", "{}"]),
    call(&["update-error-confidence", "$pattern_hash", "p", "success"]),
    call(&["update-error-confidence", "$pattern_hash", "p", "success"]),
    refused(&["update-error-confidence", "$pattern_hash", "p", "maybe"]),
    call(&["get-error-patterns", "p"]),
    call(&["get-error-patterns", "p", "--min_confidence", "0.9"]),
    call(&["get-error-patterns", "p", "--lang", "rust"]),
    call(&["save-strategy", "p", "nonsense", "Small steps"]),
    call(&["save-strategy", "p", "general", "Small steps", "--lang", "python"]),
    call(&["save-strategy", "p", "architecture", "Layers", "--framework", "axum", "--strategy_id", "own-1"]),
    call(&["get-strategies", "p"]),
    call(&["get-strategies", "p", "--topic", "architecture", "--limit", "1"]),
    refused(&["update-session-status", "s1", "complete"]),
    call(&["update-session-status", "s2", "failed"]),
    call(&["update-session-status", "s1", "completed"]),
    call(&["get-session", "s1"]),
];
