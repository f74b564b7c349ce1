//! What a tool takes: one row an argument, from which schema, checks and messages are made.

use orchestrate::{OrchestrateError, words};
use serde_json::{Map, Value, json};

use crate::error::Refusal;

/// The form of an argument.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Form {
    /// A text.
    Text,
    /// A whole number.
    Whole { low: u64, high: u64 },
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A list of texts.
    Texts,
    /// Any JSON.
    Any,
}

/// An argument of a tool.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Argument {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    pub(crate) needed: bool,
    pub(crate) about: &'static str,
}

/// An argument that must be given.
pub(crate) const fn need(name: &'static str, form: Form, about: &'static str) -> Argument {
    Argument { name, form, needed: true, about }
}

/// An argument that may be given.
pub(crate) const fn may(name: &'static str, form: Form, about: &'static str) -> Argument {
    Argument { name, form, needed: false, about }
}

/// The bytes of a reply unless the call says otherwise.
pub(crate) const DEFAULT_BYTES: u64 = 16 * 1024;
const LEAST_BYTES: u64 = 2 * 1024;
const MOST_BYTES: u64 = 64 * 1024;

/// What every tool takes that answers with recorded text.
pub(crate) const PAGING: &[Argument] = &[
    may("cursor", Form::Text, "next_cursor of the reply before, to go on where it was cut"),
    may(
        "max_bytes",
        Form::Whole { low: LEAST_BYTES, high: MOST_BYTES },
        "The most bytes of the reply (default 16384)",
    ),
];

impl Form {
    fn schema(self) -> Value {
        match self {
            Self::Text => json!({"type": "string"}),
            Self::Whole { low, high } => json!({"type": "integer", "minimum": low, "maximum": high}),
            Self::OneOf(words) => json!({"type": "string", "enum": words}),
            Self::Texts => json!({"type": "array", "items": {"type": "string"}}),
            Self::Any => json!({}),
        }
    }

    fn takes(self) -> String {
        match self {
            Self::Text => "a string".to_owned(),
            Self::Whole { low, high } => format!("a whole number from {low} to {high}"),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::Texts => "a list of strings".to_owned(),
            Self::Any => "any JSON".to_owned(),
        }
    }

    fn fits(self, value: &Value) -> bool {
        match self {
            Self::Text => value.is_string(),
            Self::Whole { low, high } => value.as_u64().is_some_and(|n| (low..=high).contains(&n)),
            Self::OneOf(words) => value.as_str().is_some_and(|word| words.contains(&word)),
            Self::Texts => value.as_array().is_some_and(|items| items.iter().all(Value::is_string)),
            Self::Any => true,
        }
    }
}

/// The JSON Schema of the arguments.
pub(crate) fn schema(arguments: &[Argument]) -> Map<String, Value> {
    let properties = arguments.iter().map(|argument| {
        let mut schema = argument.form.schema();
        schema["description"] = argument.about.into();
        (argument.name.to_owned(), schema)
    });
    let needed = arguments.iter().filter(|argument| argument.needed).map(|argument| argument.name);
    let schema = json!({
        "type": "object",
        "properties": properties.collect::<Map<_, _>>(),
        "required": needed.collect::<Vec<_>>(),
        "additionalProperties": false,
    });
    if let Value::Object(schema) = schema { schema } else { Map::new() }
}

/// What was given, checked.
#[derive(Debug, Clone)]
pub(crate) struct Given(Map<String, Value>);

impl Given {
    /// Checks what was given against what the tool takes; `null` counts as absent.
    pub(crate) fn check(mut given: Map<String, Value>, takes: &[Argument]) -> Result<Self, Refusal> {
        given.retain(|_, value| !value.is_null());
        let names = || takes.iter().map(|argument| argument.name);
        for (name, value) in &given {
            let Some(argument) = takes.iter().find(|argument| argument.name == name) else {
                let near = event::nearest(name, names())
                    .map_or_else(String::new, |near| format!("did you mean {near}? "));
                let hint = format!("{near}it takes {}", names().collect::<Vec<_>>().join(", "));
                return Err(Refusal::new(format!("there is no argument {name:?}"), hint));
            };
            if !argument.form.fits(value) {
                return Err(bad(argument, value));
            }
        }
        match takes.iter().find(|argument| argument.needed && !given.contains_key(argument.name)) {
            Some(missing) => Err(Refusal::new(format!("{:?} is missing", missing.name), missing.about)),
            None => Ok(Self(given)),
        }
    }

    /// A text, if it was given.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// A text that was checked to be there.
    pub(crate) fn needed(&self, name: &str) -> &str {
        self.text(name).unwrap_or_default()
    }

    /// A number, if it was given.
    pub(crate) fn whole(&self, name: &str) -> Option<u64> {
        self.0.get(name)?.as_u64()
    }

    /// A number as a size, if it was given.
    pub(crate) fn size(&self, name: &str) -> Option<usize> {
        usize::try_from(self.whole(name)?).ok()
    }

    /// A list of texts; none if it was not given.
    pub(crate) fn texts(&self, name: &str) -> Vec<String> {
        let items = self.0.get(name).and_then(Value::as_array).into_iter().flatten();
        items.filter_map(Value::as_str).map(str::to_owned).collect()
    }

    /// Any value, if it was given.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// What the question is: everything but where its answer goes on, and how much of it is wanted.
    pub(crate) fn question(&self) -> String {
        let mut question = self.0.clone();
        question.retain(|name, _| PAGING.iter().all(|argument| argument.name != name));
        Value::Object(question).to_string()
    }
}

fn bad(argument: &Argument, value: &Value) -> Refusal {
    let near = match (argument.form, value.as_str()) {
        (Form::OneOf(allowed), Some(word)) => match words::one_of(argument.name, word, allowed) {
            Err(OrchestrateError::Word { near, .. }) => near,
            _ => None,
        },
        _ => None,
    };
    let hint = near.map_or_else(|| argument.about.to_owned(), |near| format!("did you mean {near}?"));
    Refusal::new(format!("{:?} takes {}", argument.name, argument.form.takes()), hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TAKES: &[Argument] = &[
        need("session", Form::Text, "The session"),
        may("phase", Form::OneOf(&["approach", "pivot"]), "The phase"),
        may("limit", Form::Whole { low: 1, high: 9 }, "How many"),
    ];

    #[allow(clippy::needless_pass_by_value, reason = "called with literals")]
    fn check(given: Value) -> Result<Given, Refusal> {
        Given::check(given.as_object().cloned().unwrap_or_default(), TAKES)
    }

    #[test]
    fn what_a_tool_does_not_take_is_told_with_what_it_takes() {
        assert!(check(json!({"session": "s", "limit": 9, "phase": null})).is_ok());
        let say = |given| check(given).err().map(|e| e.text()).unwrap_or_default();
        assert!(say(json!({})).contains("\"session\" is missing"));
        assert!(say(json!({"sesion": "s"})).contains("did you mean session?"));
        assert!(say(json!({"session": "s", "phase": "aproach"})).contains("did you mean approach?"));
        for bad in [json!(0), json!(10), json!("3"), json!(-1), json!(1.5)] {
            assert!(say(json!({"session": "s", "limit": bad})).contains("from 1 to 9"));
        }
    }

    #[test]
    fn a_schema_says_the_same() {
        let schema = Value::Object(schema(TAKES));
        assert_eq!(schema["required"], json!(["session"]));
        assert_eq!(schema["additionalProperties"], false);
        assert_eq!(schema["properties"]["phase"]["enum"], json!(["approach", "pivot"]));
    }
}
