//! Conditions that no index keeps: they are looked up in the event itself, among the candidates that the
//! rest of the query leaves.

use std::fmt;
use std::sync::LazyLock;

use event::{Line, Member};
use regex::{Regex, RegexBuilder};
use serde_json::Value;

use super::Item;
use crate::fold::keyword;

/// A compiled regex takes so much memory at most.
const REGEX_BYTES: usize = 1 << 20;
/// Members that hold a path.
const PATHS: &[&str] = &["file_path", "path", "notebook_path", "filename", "file", "filePath"];
/// Members of a payload that may name files.
pub(crate) const NAMING: &[&str] = &["path", "input", "files", "references", "body"];

static TESTS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(pytest|unittest|cargo (?:test|nextest)|go test|jest|vitest|mocha|rspec|phpunit|ctest|tox|(?:npm|yarn|pnpm|make|mvn|gradle|dotnet) (?:run )?test)\b|test[-_ ]?runner",
    )
    .ok()
});

/// True for the name of a tool, or a command line, that runs tests.
pub fn is_test(text: &str) -> bool {
    TESTS.as_ref().is_some_and(|tests| tests.is_match(text))
}

/// A number that an event carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// How long it took, in milliseconds.
    Duration,
    /// Tokens of a model's call, in and out.
    Tokens,
    /// Secrets that were taken out.
    Secrets,
}

/// One condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deep {
    /// It names one of these files.
    File(Vec<Item>),
    /// How sure the agent says it is.
    Confidence(Vec<Item>),
    /// A secret of one of these kinds was taken out.
    Redacted(Vec<Item>),
    /// A number between these, both included.
    Between(Measure, u64, u64),
    /// It runs tests.
    Test,
    /// Its text matches this.
    Regex(String),
    /// One of these events, by session and sequence, sorted.
    Events(Vec<(String, u64)>),
}

impl fmt::Display for Deep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |items: &[Item]| items.iter().map(Item::to_string).collect::<Vec<_>>().join(" or ");
        match self {
            Self::File(items) => write!(f, "names the file {}", list(items)),
            Self::Redacted(kinds) => write!(f, "a secret was taken out: {}", list(kinds)),
            Self::Confidence(items) => write!(f, "confidence is {}", list(items)),
            Self::Between(measure, low, high) => {
                let what = match measure {
                    Measure::Duration => "milliseconds",
                    Measure::Tokens => "tokens",
                    Measure::Secrets => "secrets taken out",
                };
                if *high == u64::MAX {
                    write!(f, "{what} from {low}")
                } else {
                    write!(f, "{what} {low} to {high}")
                }
            }
            Self::Test => f.write_str("runs tests"),
            Self::Regex(pattern) => write!(f, "text matches /{pattern}/"),
            Self::Events(events) => write!(f, "one of {} events", events.len()),
        }
    }
}

/// A pattern as it is run: case counts only if it has upper-case letters.
pub(crate) fn regex(pattern: &str) -> Result<Regex, String> {
    let exact = pattern.chars().any(char::is_uppercase);
    let built = RegexBuilder::new(pattern).case_insensitive(!exact).size_limit(REGEX_BYTES).build();
    built.map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "it is too large".to_owned(),
        error => error.to_string().lines().last().unwrap_or_default().trim().to_owned(),
    })
}

/// What is read of an event's line for these conditions.
#[derive(Debug, Default)]
pub(crate) struct Depth {
    files: Vec<String>,
    confidence: Option<String>,
    duration: Option<u64>,
    tokens: Option<u64>,
    /// Kinds of secrets that were taken out, and how many of each.
    redacted: Vec<(String, u64)>,
    test: bool,
}

impl Depth {
    pub(crate) fn of(line: &Line<'_>) -> Self {
        let number = |name: &str| line.field(name)?.value()?.as_u64();
        let usage = line.field("usage").and_then(event::Field::value);
        let sum = |usage: &Value| {
            let parts = ["input", "output"].iter().filter_map(|name| usage.get(*name)?.as_u64());
            parts.fold(None, |sum: Option<u64>, part| Some(sum.unwrap_or(0).saturating_add(part)))
        };
        Self {
            files: files(line),
            confidence: line.text("confidence").map(|text| keyword(&text)),
            duration: number("duration_ms"),
            tokens: usage.as_ref().and_then(sum),
            redacted: redacted(line),
            test: runs_tests(line),
        }
    }

    pub(crate) fn holds(&self, deep: &Deep) -> bool {
        let between =
            |value: Option<u64>, low, high| value.is_some_and(|value| (low..=high).contains(&value));
        match deep {
            Deep::File(items) => self.files.iter().any(|file| items.iter().any(|item| is_file(file, item))),
            Deep::Confidence(items) => {
                self.confidence.as_ref().is_some_and(|own| items.iter().any(|item| item.is(own)))
            }
            Deep::Between(Measure::Duration, low, high) => between(self.duration, *low, *high),
            Deep::Between(Measure::Tokens, low, high) => between(self.tokens, *low, *high),
            Deep::Between(Measure::Secrets, low, high) => {
                let taken = self.redacted.iter().fold(0, |sum: u64, (_, count)| sum.saturating_add(*count));
                !self.redacted.is_empty() && (*low..=*high).contains(&taken)
            }
            Deep::Redacted(kinds) => {
                self.redacted.iter().any(|(own, _)| kinds.iter().any(|kind| kind.is(own)))
            }
            Deep::Test => self.test,
            // these two are matched elsewhere: by the text, and by the event's name
            Deep::Regex(_) | Deep::Events(_) => false,
        }
    }
}

/// The whole path, or its end from a slash on.
fn is_file(file: &str, item: &Item) -> bool {
    let end = |file: &str| if item.prefix { file.starts_with(&item.text) } else { file == item.text };
    end(file) || file.match_indices('/').any(|(at, _)| end(&file[at + 1..]))
}

fn value(member: &Member<'_>) -> Option<Value> {
    serde_json::from_str(member.value).ok()
}

fn runs_tests(line: &Line<'_>) -> bool {
    if line.kind != "skill.invoked" {
        return false;
    }
    let input = line.members.iter().find(|member| member.name == "input").and_then(value);
    let command = |input: &Value| {
        ["command", "cmd"].iter().find_map(|name| input.get(*name)?.as_str().map(str::to_owned))
    };
    line.text("skill").is_some_and(|skill| is_test(&skill))
        || input.as_ref().and_then(command).is_some_and(|command| is_test(&command))
}

fn redacted(line: &Line<'_>) -> Vec<(String, u64)> {
    let Some(Value::Object(kinds)) = line.field("redacted").and_then(event::Field::value) else {
        return Vec::new();
    };
    kinds.into_iter().map(|(kind, count)| (keyword(&kind), count.as_u64().unwrap_or(0))).collect()
}

fn files(line: &Line<'_>) -> Vec<String> {
    let mut found = Vec::new();
    let naming = line.members.iter().filter(|member| NAMING.contains(&member.name) && !member.is_erased());
    for member in naming {
        let Some(value) = value(member) else { continue };
        match member.name {
            "path" => found.extend(value.as_str().map(str::to_owned)),
            "references" => strings(&value, &mut found),
            "files" => {
                found.extend(value.as_object().into_iter().flat_map(|map| map.keys().cloned()));
                strings(&value, &mut found);
            }
            _ => {
                found.extend(PATHS.iter().filter_map(|name| value.get(*name)?.as_str().map(str::to_owned)));
                ["files", "files_modified"]
                    .iter()
                    .filter_map(|name| value.get(*name))
                    .for_each(|v| strings(v, &mut found));
            }
        }
    }
    found.iter().map(|file| keyword(file)).collect()
}

fn strings(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::String(text) => out.push(text.clone()),
        Value::Array(items) => out.extend(items.iter().filter_map(Value::as_str).map(str::to_owned)),
        _ => {}
    }
}
