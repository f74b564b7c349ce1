//! The shape of handoffs by role. What is published is what is checked: one small checker walks the schema.

use serde::Serialize;
use serde_json::{Value, json};

use super::route::statuses;
use crate::words;

/// One thing that does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Where, as a JSON pointer.
    pub path: String,
    /// What.
    pub what: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", if self.path.is_empty() { "/" } else { &self.path }, self.what)
    }
}

/// The JSON Schema of a role's handoffs; a role of the team's own has the generic base.
pub fn schema(agent: &str) -> Value {
    let agent = words::role_name(agent);
    let mut properties = base(agent);
    let own = match agent {
        "developer" | "senior_software_engineer" => developer(),
        "qa_expert" => qa_expert(),
        "tech_lead" => tech_lead(),
        _ => json!({}),
    };
    if let (Some(properties), Value::Object(own)) = (properties.as_object_mut(), own) {
        properties.extend(own);
    }
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": format!("Handoff of {}", words::title(agent)),
        "type": "object",
        "required": ["from_agent", "status", "summary"],
        "properties": properties,
    })
}

fn base(agent: &str) -> Value {
    let status = match statuses(agent) {
        words if words.is_empty() => json!({"type": "string", "pattern": "^[A-Z][A-Z0-9_]*$"}),
        words => json!({"type": "string", "enum": words}),
    };
    json!({
        "from_agent": {"type": "string"},
        "to_agent": {"type": "string"},
        "timestamp": {"type": "string"},
        "session_id": {"type": "string"},
        "group_id": {"type": "string"},
        "status": status,
        "summary": {"anyOf": [{"type": "string"}, texts_up_to(3)]},
        "branch": {"type": ["string", "null"]},
        "concerns": texts(),
        "artifacts": {"type": "object", "additionalProperties": {"type": ["string", "null"]}},
    })
}

fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn texts_up_to(most: u64) -> Value {
    json!({"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": most})
}

fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

fn developer() -> Value {
    json!({
        "files_modified": texts(),
        "files_created": texts(),
        "tests": {"type": "object", "properties": {
            "total": count(), "passing": count(), "failing": count(), "coverage": {"type": "string"},
        }},
        "tech_debt_logged": {"type": "boolean"},
    })
}

fn qa_expert() -> Value {
    let run = json!({"type": "object", "properties": {
        "passed": count(), "failed": count(), "duration": {"type": "string"},
    }});
    json!({
        "tests_run": {"type": "object", "additionalProperties": run},
        "total_tests": {"type": "object", "properties": {"passed": count(), "failed": count()}},
        "challenge_level_reached": count(),
        "quality_assessment": {"type": "string"},
        "failures": {"type": "array"},
    })
}

fn tech_lead() -> Value {
    json!({
        "decision": {"type": "string", "enum": ["APPROVED", "CHANGES_REQUESTED"]},
        "code_quality_score": {"type": "integer", "minimum": 0, "maximum": 10},
        "security_issues": count(),
        "lint_issues": count(),
        "coverage_acceptable": {"type": "boolean"},
        "what_was_done_well": texts(),
        "required_changes": {"type": "array"},
        "suggestions": texts(),
    })
}

/// What of a handoff does not fit the schema of its role.
pub fn validate(agent: &str, body: &Value) -> Vec<Problem> {
    let mut problems = Vec::new();
    check(&schema(agent), body, "", &mut problems);
    let from = body.get("from_agent").and_then(Value::as_str);
    if let Some(from) = from.filter(|from| words::role_name(from) != words::role_name(agent)) {
        let what = format!("{from:?} is not {:?}, who hands over", words::role_name(agent));
        problems.push(Problem { path: "/from_agent".to_owned(), what });
    }
    problems
}

fn check(schema: &Value, value: &Value, path: &str, problems: &mut Vec<Problem>) {
    let mut bad = |what: String| problems.push(Problem { path: path.to_owned(), what });
    if let Some(choices) = schema.get("anyOf").and_then(Value::as_array) {
        let fits = |choice: &Value| {
            let mut inner = Vec::new();
            check(choice, value, path, &mut inner);
            inner.is_empty()
        };
        if !choices.iter().any(fits) {
            bad("takes a string, or an array of 1 to 3 strings".to_owned());
        }
        return;
    }
    if let Some(wanted) = schema.get("type")
        && !has_type(wanted, value)
    {
        return bad(format!("takes {}", in_words(wanted)));
    }
    if let Some(words) = schema.get("enum").and_then(Value::as_array)
        && !words.contains(value)
    {
        let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
        let near = event::nearest(value.as_str().unwrap_or_default(), words.iter().copied());
        let near = near.map_or_else(String::new, |near| format!(", did you mean {near:?}?"));
        bad(format!("{value} is none of {}{near}", words.join(", ")));
    }
    if schema.get("pattern").is_some() && !value.as_str().is_some_and(is_status) {
        bad(format!("{value} is no status (capital letters, digits and _)"));
    }
    numbers(schema, value, path, problems);
    members(schema, value, path, problems);
}

fn numbers(schema: &Value, value: &Value, path: &str, problems: &mut Vec<Problem>) {
    let mut bad = |what: String| problems.push(Problem { path: path.to_owned(), what });
    let limit = |name: &str| schema.get(name).and_then(Value::as_i64);
    if let Some(number) = value.as_i64() {
        if limit("minimum").is_some_and(|least| number < least) {
            bad(format!("{number} is too small"));
        }
        if limit("maximum").is_some_and(|most| number > most) {
            bad(format!("{number} is too large"));
        }
    }
    if let Some(items) = value.as_array() {
        let len = i64::try_from(items.len()).unwrap_or(i64::MAX);
        if limit("minItems").is_some_and(|least| len < least)
            || limit("maxItems").is_some_and(|most| len > most)
        {
            bad(format!("has {len} items"));
        }
        for (at, item) in items.iter().enumerate() {
            if let Some(inner) = schema.get("items") {
                check(inner, item, &format!("{path}/{at}"), problems);
            }
        }
    }
}

fn members(schema: &Value, value: &Value, path: &str, problems: &mut Vec<Problem>) {
    let Some(map) = value.as_object() else { return };
    for name in
        schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str)
    {
        if !map.contains_key(name) {
            problems.push(Problem { path: format!("{path}/{name}"), what: "is missing".to_owned() });
        }
    }
    for (name, item) in map {
        let known = schema.get("properties").and_then(|known| known.get(name));
        if let Some(inner) = known.or_else(|| schema.get("additionalProperties")) {
            check(inner, item, &format!("{path}/{}", name.replace('~', "~0").replace('/', "~1")), problems);
        }
    }
}

fn is_status(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_uppercase())
        && text.bytes().all(|b| matches!(b, b'A'..=b'Z' | b'0'..=b'9' | b'_'))
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::Array(types) => types.iter().any(|one| has_type(one, value)),
        other => match other.as_str() {
            Some("object") => value.is_object(),
            Some("array") => value.is_array(),
            Some("string") => value.is_string(),
            Some("integer") => value.is_i64() || value.is_u64(),
            Some("boolean") => value.is_boolean(),
            Some("null") => value.is_null(),
            _ => true,
        },
    }
}

fn in_words(wanted: &Value) -> String {
    match wanted {
        Value::Array(types) => types.iter().map(in_words).collect::<Vec<_>>().join(" or "),
        other => match other.as_str() {
            Some("object") => "an object".to_owned(),
            Some("array") => "an array".to_owned(),
            Some("integer") => "an integer".to_owned(),
            Some("boolean") => "true or false".to_owned(),
            Some("null") => "null".to_owned(),
            _ => "a string".to_owned(),
        },
    }
}
