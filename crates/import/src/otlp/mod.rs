//! OpenTelemetry: files of traces, logs and metrics, and what is written in its words.
//!
//! - OTLP as JSON (one export a line, as the Collector's file exporter writes it, or one document) and as protobuf
//! - spans as the SDKs print or dump them, and bare attributes
//! - `GenAI` conventions old and new, `OpenInference`, Vercel's AI SDK, Traceloop, Langfuse; the log events of
//!   Claude Code, Codex and Gemini CLI
//!
//! A record is one span, log record or metric, told in order of time. A span becomes what happened at its start
//! and, when everything that began before its end is told, what happened at its end. What was said is told once,
//! however often a history repeats it. A span that is about nothing we know becomes an `x.span`.

mod agents;
mod batch;
mod chat;
mod flat;
mod logs;
mod metrics;
mod names;
mod plain;
mod said;
mod span;
mod telling;
mod tools;
mod tree;

use event::Draft;
use serde_json::{Map, Value};

use crate::members::TakeMembers;
use crate::{Importer, Keys, Mapped, Part, Record, SourceFile, Transcript};
use plain::{attributes, take};
use span::Span;
use telling::Telling;

pub(crate) struct Otlp;

impl Importer for Otlp {
    fn name(&self) -> &'static str {
        "otlp"
    }

    fn home(&self) -> &'static str {
        ".otlp"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        let ours =
            |value: &Value| batch::is_batch(value) || span::is_span(value) || span::is_attributes(value);
        // a document's own members may stand in front of its list
        head.iter().take(2).any(ours)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        Box::new(Telling::new(&file.stem))
    }

    fn holds_parts(&self) -> bool {
        true
    }

    fn parts(&self, record: Value) -> Vec<Part> {
        batch::parts(record)
    }
}

/// A part of an export, or a span by itself.
enum Piece {
    Span(Shared, Box<Span>),
    /// Attributes of a span, and nothing else of it.
    Bare(Box<Span>),
    Log(Shared, Map<String, Value>),
    Metric(Shared, Map<String, Value>),
    /// What a span says of everything that was said.
    History(Box<Span>),
}

/// What all records of one resource and scope have in common.
#[derive(Default)]
struct Shared {
    resource: Map<String, Value>,
    scope: Map<String, Value>,
}

impl Shared {
    /// Out of `batch` and `scope` of a part.
    fn of(map: &mut Map<String, Value>) -> Self {
        let mut shared = Self::default();
        if let Some(Value::Object(mut batch)) = map.remove("batch") {
            if let Some(Value::Object(mut resource)) = batch.remove("resource") {
                shared.resource = take(&mut resource, &["attributes"]).map(attributes).unwrap_or_default();
                resource
                    .into_iter()
                    .for_each(|(name, value)| drop(batch.insert(format!("resource.{name}"), value)));
            }
            shared.scope = batch;
        }
        if let Some(Value::Object(mut scope)) = map.remove("scope") {
            let inner = scope.take_object("scope").or_else(|| scope.take_object("instrumentationLibrary"));
            let inner = inner.map(|mut inner| {
                if let Some(list) = inner.remove("attributes") {
                    inner.insert("attributes".to_owned(), Value::Object(attributes(list)));
                }
                inner
            });
            shared.scope.extend(inner.into_iter().flatten());
            shared.scope.extend(scope.into_iter().map(|(name, value)| (format!("scope.{name}"), value)));
        }
        shared
    }

    /// Out of a span of an SDK.
    fn of_span(map: &mut Map<String, Value>) -> Self {
        let mut shared = Self::default();
        if let Some(mut resource) = map.take_object("resource") {
            shared.resource = take(&mut resource, &["attributes"]).map(attributes).unwrap_or_default();
            if let (true, false) = (shared.resource.is_empty(), resource.is_empty()) {
                shared.resource = resource;
            }
        }
        for name in ["instrumentationScope", "instrumentationLibrary", "scope"] {
            shared.scope.extend(map.take_object(name).unwrap_or_default());
        }
        shared
    }

    /// The conversation, where the resource says it for all.
    fn conversation(&self) -> Option<String> {
        names::conversation(&self.resource)
    }
}

fn piece(value: Value) -> Result<Piece, Value> {
    let bare = span::is_attributes(&value) && !span::is_span(&value);
    let single = span::is_span(&value);
    let Value::Object(mut map) = value else { return Err(value) };
    if single {
        let shared = Shared::of_span(&mut map);
        return Ok(Piece::Span(shared, Box::new(span::read(map))));
    }
    if bare {
        return Ok(Piece::Bare(Box::new(span::bare(map))));
    }
    if let Some(item) = map.take_object("history") {
        return Ok(Piece::History(Box::new(span::read(item))));
    }
    for name in ["span", "log", "metric"] {
        let Some(item) = map.take_object(name) else { continue };
        let shared = Shared::of(&mut map);
        return Ok(match name {
            "span" => Piece::Span(shared, Box::new(span::read(item))),
            "log" => Piece::Log(shared, item),
            _ => Piece::Metric(shared, item),
        });
    }
    Err(Value::Object(map))
}

impl Transcript for Telling {
    fn survey(&mut self, text: &str) -> bool {
        if let crate::json::Parsed::Value(value) = crate::json::parse(text)
            && let Ok(Piece::Span(shared, span)) = piece(value)
        {
            self.tree.see(&span, shared.conversation());
        }
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        let text = record.text;
        match record.value.map(piece) {
            Some(Ok(Piece::Span(shared, span))) if span.trace.is_some() && span.id.is_some() => {
                self.span(shared, *span, text, keys)
            }
            // without its ids it is nobody's neighbour
            Some(Ok(Piece::Span(_, span) | Piece::Bare(span))) => self.bare(*span, text, keys),
            Some(Ok(Piece::History(span))) => self.told_again(*span, keys),
            Some(Ok(Piece::Log(shared, log))) => self.log(shared, log, keys),
            Some(Ok(Piece::Metric(shared, metric))) => self.metric(shared, metric, keys),
            _ => self.raw(text, keys),
        }
    }

    fn gap_session(&self) -> &str {
        &self.stem
    }

    fn opening(&mut self) -> Option<Draft> {
        None
    }

    fn closing(&mut self) -> Vec<Draft> {
        self.pending.all()
    }
}
