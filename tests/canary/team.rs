//! The commands of a team: texts through every door that takes one, and secrets in the place of every name.

use serde_json::json;

use super::Doors;

/// A call; `$` in a word is a token, a word `%` a story.
type Words = &'static [&'static str];

/// Calls that store a text or look at one. What is behind `<` goes in on standard input.
const SAVES: &[(Words, &str)] = &[
    (&["save-reasoning", "t", "G", "developer", "approach", "%", "--agent-id", "$"], ""),
    (&["save-reasoning", "t", "G", "developer", "completion", "-"], "%"),
    (&["save-reasoning", "t", "G", "developer", "decisions", "--text", "%"], ""),
    (&["save-reasoning", "t", "$", "$", "risks", "x"], ""),
    (&["save-reasoning", "t", "G", "developer", "pivot", "x", "--references", "[\"$\", \"src/a.py\"]"], ""),
    (&["skill", "save", "t", "lint", "-", "--agent", "$"], "{\"body\": %}"),
    (&["save-skill-output", "t", "$", "-"], "%"),
    (&["save-event", "t", "told", "-", "--agent", "$"], "{\"body\": %}"),
    (&["save-event", "t", "$", "{}", "--idempotency-key", "$", "--group", "G"], ""),
    (&["log-interaction", "t", "developer", "%", "--agent-id", "$"], ""),
    (&["log-interaction", "t", "$", "-"], "%"),
    (&["log-tokens", "t", "$", "7", "$"], ""),
    (&["save-context-package", "t", "G", "research", "r/$.md", "developer", "qa_expert", "high", "%"], ""),
    (&["spawned", "t", "G", "qa_expert", "-", "--agent-id", "$", "--parent-agent", "$"], "%"),
    (&["spawned", "t", "G", "$", "%"], ""),
    (&["handoff", "write", "t", "G", "developer", "-", "--agent-id", "$"], HANDOFF),
    (&["handoff", "write", "t", "G", "qa", "-"], "{\"from_agent\": \"qa\", \"status\": %, \"summary\": %}"),
    (&["handoff", "write", "t", "G", "developer", "-"], "not json: $"),
    (&["handoff", "validate", "-"], "{\"from_agent\": \"developer\", \"status\": %, \"summary\": [%]}"),
    (
        &["handoff", "return-check", "-", "--agent", "developer"],
        "{\"status\": \"$\", \"summary\": [%]} and %",
    ),
    (&["handoff", "return-check", "-"], "%"),
    (&["handoff", "read", "t", "G", "--by", "$"], ""),
    (&["handoff", "read", "t", "G", "--by", "qa", "--agent", "$"], ""),
    (&["digest", "t", "G", "--for", "qa_expert", "--tokenizer", "bytes4"], ""),
    (&["digest", "t", "G", "--for", "tech_lead", "--tokenizer", "bytes4", "--explain"], ""),
];

const HANDOFF: &str = "{\"from_agent\": \"developer\", \"status\": \"READY_FOR_QA\", \"summary\": [%, %, \"c\"], \
                       \"concerns\": [%], \"artifacts\": {\"report\": \"$path\", \"$\": \"nowhere/$\"}}";

/// Calls that ask, each as it should be.
const ASKS: &[Words] = &[
    &["get-reasoning", "t"],
    &["get-reasoning", "t", "G", "--format", "markdown"],
    &["get-reasoning", "t", "--format", "prompt-summary"],
    &["reasoning-timeline", "t"],
    &["reasoning-timeline", "t", "--format", "markdown"],
    &["reasoning-timeline", "t", "--json"],
    &["compliance", "t", "--json"],
    &["review", "t", "G"],
    &["review", "t", "G", "--json"],
    &["skill", "all", "t", "lint"],
    &["skill", "latest", "t", "lint", "--per-agent"],
    &["get-events", "t"],
    &["stream-logs", "t"],
    &["get-context-packages", "t", "G", "qa"],
    &["handoff", "chain", "t", "G"],
    &["handoff", "chain", "t", "G", "--json"],
    &["capsule", "t", "--last"],
    &["tail", "t", "--capsules"],
    &["tail", "t", "--capsules", "--json", "-n", "1000"],
    &["prompt", "reasoning", "--session", "t", "--group", "G", "--agent", "developer"],
    &["prompt", "handoff", "t", "G", "--agent", "qa_expert"],
    &["prompt", "return", "--agent", "developer"],
    &["investigate", "t", "G"],
    &["stats", "tokens", "t", "--tokenizer", "bytes4"],
    &["stats", "flow"],
    &["gaps", "t"],
    &["gc", "--days", "9", "--dry-run"],
    &["gc", "--days", "0", "--json"],
];

/// Secrets where names and words belong.
const NAMES: &[Words] = &[
    &["get-reasoning", "$"],
    &["get-reasoning", "t", "$", "--agent-type", "$", "--phase", "approach"],
    &["get-reasoning", "t", "--phase", "$"],
    &["reasoning-timeline", "$"],
    &["save-reasoning", "t", "G", "developer", "$", "x"],
    &["save-reasoning", "t", "G", "developer", "approach", "x", "--confidence", "$"],
    &["save-reasoning", "t", "G", "developer", "approach", "x", "--references", "$"],
    &["save-reasoning", "t", "G", "developer", "approach", "--content-file", "nowhere/$"],
    &["save-reasoning", "$", "G", "developer", "approach", "x"],
    &["compliance", "$"],
    &["compliance", "t", "--group", "$"],
    &["review", "t", "$"],
    &["skill", "latest", "t", "$"],
    &["skill", "diff", "t", "lint", "--iter", "$"],
    &["skill", "save", "t", "lint", "$"],
    &["check-skill-evidence", "t", "$,lint"],
    &["save-context-package", "t", "G", "$", "r.md", "developer", "qa", "high", "x"],
    &["save-context-package", "t", "G", "research", "r.md", "developer", "$", "$", "x"],
    &["mark-context-consumed", "$", "developer"],
    &["mark-context-consumed", "t/1", "$"],
    &["get-events", "t", "$"],
    &["handoff", "write", "t", "$", "developer", "{}"],
    &["handoff", "write", "t", "G", "$", "{}"],
    &["handoff", "validate", "nowhere/$"],
    &["handoff", "chain", "t", "$"],
    &["schema", "handoff", "--agent", "$"],
    &["capsule", "$"],
    &["capsule", "$", "--last"],
    &["route", "$", "PASS"],
    &["route", "developer", "$"],
    &["digest", "t", "$", "--for", "developer", "--tokenizer", "bytes4"],
    &["digest", "t", "G", "--for", "$"],
    &["digest", "$", "G", "--for", "developer"],
    &["digest", "t", "G", "--for", "qa", "--tokenizer", "bytes4", "--component", "$=x,5"],
    &["prompt", "reasoning", "--session", "$", "--group", "$", "--agent", "$"],
    &["prompt", "handoff", "$", "G", "--agent", "qa"],
    &["criteria", "t", "--file", "nowhere/$"],
    &["investigate", "t", "$"],
    &["stats", "tokens", "$"],
    &["tail", "$", "--capsules"],
    &["gc", "--artifacts", "nowhere/$", "--days", "3"],
];

pub(super) fn all(doors: &mut Doors) {
    for (words, input) in SAVES {
        doors.planter.at(&format!("{words:?}"));
        let (words, input) = (filled(doors, words), input_of(doors, input));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = if input.is_empty() { doors.run(&words) } else { doors.feed(&words, &input) };
        fine(&words, ran.code, &ran.err);
    }
    criteria(doors);
    for words in ASKS.iter().chain(NAMES) {
        doors.planter.at(&format!("{words:?}"));
        let words = filled(doors, words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = doors.run(&words);
        fine(&words, ran.code, &ran.err);
    }
    paused(doors);
}

/// A name that is a secret may be refused, or found nowhere.
fn fine(words: &[&str], code: Option<i32>, err: &str) {
    assert!(matches!(code, Some(0..=3 | 74)), "{words:?} {code:?} {err}");
}

fn filled(doors: &mut Doors, words: &[&str]) -> Vec<String> {
    let fill = |word: &&str| match *word {
        "%" => doors.planter.story(),
        word => tokens(doors, word),
    };
    words.iter().map(fill).collect()
}

fn tokens(doors: &mut Doors, text: &str) -> String {
    let mut parts = text.split('$');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(&doors.planter.token());
        out.push_str(part);
    }
    out
}

/// An input: stories as JSON strings if it is JSON, as they are if it is one.
fn input_of(doors: &mut Doors, input: &str) -> String {
    if input == "%" {
        return doors.planter.story();
    }
    let report = doors.planter.story();
    let report = doors.file("artifacts/report.md", &report).display().to_string();
    let mut parts = input.split('%');
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        out.push_str(&json!(doors.planter.story()).to_string());
        out.push_str(part);
    }
    tokens(doors, &out.replace("$path", &report))
}

fn criteria(doors: &mut Doors) {
    doors.planter.at("criteria");
    let text = doors.planter.story();
    let file = doors.file("criteria.txt", &text);
    for more in [&[][..], &["--json"], &["--check"]] {
        let ran = doors.run(&[&["criteria", "t", "--file", file.to_str().unwrap()], more].concat());
        fine(&["criteria"], ran.code, &ran.err);
    }
}

/// What is refused while recording is paused leaves nothing either.
fn paused(doors: &mut Doors) {
    doors.planter.at("RECOUNT_DISABLE");
    let text = doors.planter.story();
    let words = ["save-reasoning", "t", "G", "developer", "approach", "-"];
    let mut command = doors.house.command(&words);
    command.env("RECOUNT_DISABLE", "1");
    let ran = crate::house::finish(&words, command, text.as_bytes()).exit(6);
    doors.keep("save-reasoning, paused", ran);
}
