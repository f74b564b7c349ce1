//! The walk over a JSON tree: each string leaf is scanned, each value judged by the name it stands under.
//!
//! - W1  the shape stays: keys, types of containers, lengths; only secrets become marks
//! - W2  deeper than 64, the subtree is replaced: fail closed, and counted

use serde_json::{Map, Value};

use crate::memory::Recollection;
use crate::names::{self, Name, Trust};
use crate::redactor::{Mark, Redactor};
use crate::span::{Span, rewrite};
use crate::value::{self, Place};
use crate::{calls, decode, kinds, marker};

const DEEPEST: usize = 64;
/// A longer list is data, not a command.
const MOST_ARGUMENTS: usize = 256;
/// Below this, base64 is too short to be a picture.
const SHORTEST_FILE: usize = 64;
/// Fields in which providers hand back what only they can read; the replay of a session needs them whole.
const SEALED: &[&str] = &["encrypted_content", "thinkingSignature", "thoughtSignature", "thought_signature"];

/// One redaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hit {
    pub(crate) kind: &'static str,
    pub(crate) fingerprint: Option<String>,
}

/// How a text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// Like any text.
    Plain,
    /// As the answer to a command that prints secrets.
    Answer,
    /// As what stands beside such an answer: a lone word there is a name.
    Beside,
}

/// Members that hold what a tool printed.
const PRINTED: &[&str] = &["stdout", "content", "text", "output", "result"];

/// Walks values and collects what it redacted.
pub(crate) struct Walk<'a> {
    pub(crate) redactor: &'a Redactor,
    pub(crate) mark: Mark,
    pub(crate) seen: &'a mut Recollection,
    pub(crate) reading: Reading,
    /// Where the walk is; kept only if a user's rules ask for it.
    pub(crate) path: Vec<String>,
    pub(crate) hits: Vec<Hit>,
}

impl<'a> Walk<'a> {
    pub(crate) fn new(redactor: &'a Redactor, mark: Mark, seen: &'a mut Recollection) -> Self {
        Self { redactor, mark, seen, reading: Reading::Plain, path: Vec::new(), hits: Vec::new() }
    }

    /// Cleans `value` in place; `name` is the secret name that it stands under, if any.
    pub(crate) fn value(&mut self, value: &mut Value, name: Option<Name>, depth: usize) {
        if depth > DEEPEST {
            *value = self.replace(kinds::UNSCANNED, None).into();
            return;
        }
        match value {
            Value::String(text) => self.leaf(text, name),
            Value::Number(number) => {
                let digits = number.to_string();
                if let Some(name) = name.filter(|name| value::is_secret_number(*name, digits.as_bytes())) {
                    *value = self.replace(name.kind, Some(&digits)).into();
                }
            }
            Value::Array(items) => {
                self.arguments(items);
                for (index, item) in items.iter_mut().enumerate() {
                    self.at(&|| index.to_string(), |walk| walk.value(item, name, depth + 1));
                }
            }
            Value::Object(map) => self.object(map, name, depth),
            Value::Null | Value::Bool(_) => {}
        }
    }

    /// `["curl", "-u", "admin:secret"]`: what a flag says of its neighbour shows only in the row.
    fn arguments(&mut self, items: &mut [Value]) {
        let is_flag = |item: &Value| item.as_str().is_some_and(|text| text.starts_with('-'));
        if items.len() > MOST_ARGUMENTS || !items.iter().any(is_flag) {
            return;
        }
        let mut row = String::new();
        let mut places = Vec::with_capacity(items.len());
        for item in items.iter() {
            let Value::String(text) = item else { return };
            places.push(row.len()..row.len() + text.len());
            row.push_str(text);
            row.push(' ');
        }
        let spans = self.spans(&row);
        for (item, place) in items.iter_mut().zip(places).filter(|_| !spans.is_empty()) {
            let own: Vec<Span> = spans.iter().filter_map(|span| span.within(&place)).collect();
            if let (Value::String(text), false) = (item, own.is_empty()) {
                *text = rewrite(text, &own, |span, secret| self.replace(span.kind, Some(secret)));
            }
        }
    }

    fn object(&mut self, map: &mut Map<String, Value>, above: Option<Name>, depth: usize) {
        let described = described_name(map);
        let thinking = map.get("type").is_some_and(|kind| kind == "thinking");
        for (key, value) in map.iter_mut() {
            if is_sealed(key, value, thinking) {
                continue;
            }
            let own = names::judge(key.as_bytes());
            let name = if matches!(key.as_str(), "value" | "Value") {
                described.or(above)
            } else {
                own.or(above.filter(|_| !names::is_plain(key)))
            };
            let reading = self.reading;
            if reading != Reading::Plain {
                self.reading =
                    if PRINTED.contains(&key.as_str()) { Reading::Answer } else { Reading::Beside };
            }
            if self.redactor.rules().denies(key) {
                self.withhold(value, depth + 1);
            } else {
                self.at(&|| key.clone(), |walk| walk.value(value, name, depth + 1));
            }
            self.reading = reading;
        }
        if map.keys().any(|key| !self.spans(key).is_empty()) {
            self.keys(map);
        }
    }

    /// Goes one step down, unless a user says that nobody looks there.
    pub(crate) fn at(&mut self, step: &dyn Fn() -> String, down: impl FnOnce(&mut Self)) {
        if !self.redactor.rules().has_opaque() {
            return down(self);
        }
        self.path.push(step());
        if !self.redactor.rules().is_opaque(&self.path) {
            down(self);
        }
        self.path.pop();
    }

    /// Whatever stands there is a secret; the shape stays.
    pub(crate) fn withhold(&mut self, value: &mut Value, depth: usize) {
        match value {
            Value::Array(items) if depth < DEEPEST => {
                for item in items {
                    self.withhold(item, depth + 1);
                }
            }
            Value::Object(map) if depth < DEEPEST => {
                for value in map.values_mut() {
                    self.withhold(value, depth + 1);
                }
            }
            Value::Null => {}
            Value::String(text) if marker::is_mark(text) => {}
            Value::String(text) => *value = self.replace("secret", Some(text)).into(),
            _ => *value = self.replace("secret", None).into(),
        }
    }

    /// Object keys that hold secrets; two that become alike are told apart by a number.
    fn keys(&mut self, map: &mut Map<String, Value>) {
        for (key, value) in std::mem::take(map) {
            let clean = self.text(&key);
            let mut unique = clean.clone();
            let mut count = 1;
            while map.contains_key(&unique) {
                count += 1;
                unique = format!("{clean}_{count}");
            }
            map.insert(unique, value);
        }
    }

    fn leaf(&mut self, text: &mut String, name: Option<Name>) {
        let redactor = self.redactor;
        let secret = |name: &Name| {
            value::is_secret(*name, text.as_bytes(), Place::Quoted)
                && !marker::is_mark(text)
                && !redactor.allows(text)
        };
        if let Some(name) = name.filter(secret) {
            if name.trust >= Trust::Secret {
                self.seen.note(text, name.kind);
            }
            *text = self.replace(name.kind, Some(text));
        } else if !is_file(text) {
            self.clean(text);
        }
    }

    /// Most texts have none, and stay where they are.
    fn clean(&mut self, text: &mut String) {
        let spans = self.spans(text);
        if !spans.is_empty() {
            *text = rewrite(text, &spans, |span, secret| self.replace(span.kind, Some(secret)));
        }
    }

    /// A text with its secrets replaced.
    pub(crate) fn text(&mut self, text: &str) -> String {
        let spans = self.spans(text);
        rewrite(text, &spans, |span, secret| self.replace(span.kind, Some(secret)))
    }

    /// What the redactor finds, and what this session has shown to be a secret.
    fn spans(&mut self, text: &str) -> Vec<Span> {
        let mut spans = self.redactor.spans(text);
        if self.reading != Reading::Plain {
            spans = calls::join(text, spans, self.reading == Reading::Answer);
        }
        for span in spans.iter().filter(|span| span.certain) {
            self.seen.note(&text[span.start..span.end], span.kind);
        }
        self.seen.repeated(text, spans)
    }

    fn replace(&mut self, kind: &'static str, secret: Option<&str>) -> String {
        let fingerprint = match (self.mark, secret) {
            (Mark::Printed, Some(secret)) if kind != kinds::UNSCANNED => self.redactor.fingerprint(secret),
            _ => None,
        };
        let kind = if self.mark == Mark::Plain { self.redactor.counted(kind) } else { kind };
        let mark =
            fingerprint.as_deref().map_or_else(|| marker::plain(kind), |print| marker::printed(kind, print));
        self.hits.push(Hit { kind, fingerprint });
        mark
    }
}

/// `{"name":"DB_PASSWORD","value":"x"}`: the value's name is the name's value.
fn described_name(map: &Map<String, Value>) -> Option<Name> {
    let names = ["name", "key", "Name", "Key", "header", "variable"];
    names.iter().find_map(|field| map.get(*field)?.as_str()).and_then(|name| names::judge(name.as_bytes()))
}

fn is_sealed(key: &str, value: &Value, thinking: bool) -> bool {
    let named = SEALED.contains(&key) || thinking && key == "signature";
    named
        && value.as_str().is_some_and(|text| {
            text.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_'))
        })
}

/// Base64 of a picture, a document, an archive: no text to scan, and of no use once cut.
fn is_file(text: &str) -> bool {
    let data = if text.starts_with("data:") { text.split_once(";base64,") } else { None };
    let body = data.filter(|(head, _)| head.len() < 128).map_or(text, |(_, body)| body);
    let bytes = body.as_bytes();
    bytes.len() >= SHORTEST_FILE
        && decode::begins_base64(bytes)
        && decode::base64(&bytes[..48]).is_some_and(|head| decode::is_known_magic(&head))
        && bytes.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_' | b'\n' | b'\r')
        })
}
