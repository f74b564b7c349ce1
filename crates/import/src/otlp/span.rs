//! A span, whoever wrote it down: OTLP, an SDK's console exporter, a dump of its objects, or its attributes alone.

use serde_json::{Map, Value};

use super::plain::{attributes, get, id, nanos, take};

/// Attributes by which a bare object of attributes is known.
const MARKS: &[&str] =
    &["openinference.span.kind", "gen_ai.operation.name", "gen_ai.system", "gen_ai.provider.name"];
const TRACE: &[&str] = &["traceId", "trace_id", "traceID"];
const SPAN: &[&str] = &["spanId", "span_id", "spanID"];
const PARENT: &[&str] = &["parentSpanId", "parent_span_id", "parentId", "parent_id", "parentSpanID"];
const START: &[&str] = &["startTimeUnixNano", "start_time_unix_nano", "startTime", "start_time", "timestamp"];
const END: &[&str] = &["endTimeUnixNano", "end_time_unix_nano", "endTime", "end_time"];

/// One span.
#[derive(Debug, Default, Clone)]
pub(super) struct Span {
    pub(super) trace: Option<String>,
    pub(super) id: Option<String>,
    pub(super) parent: Option<String>,
    pub(super) name: String,
    pub(super) start: Option<u64>,
    pub(super) end: Option<u64>,
    /// What its status says, if it failed.
    pub(super) failure: Option<String>,
    pub(super) attributes: Map<String, Value>,
    pub(super) events: Vec<SpanEvent>,
    /// The span as it was written, without attributes and events.
    pub(super) rest: Map<String, Value>,
}

/// Something that happened within a span.
#[derive(Debug, Clone)]
pub(super) struct SpanEvent {
    pub(super) name: String,
    pub(super) attributes: Map<String, Value>,
    /// Its time and whatever else it has.
    pub(super) rest: Map<String, Value>,
}

/// True for a span of an SDK by its shape.
pub(super) fn is_span(value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    let context =
        ["spanContext", "context", "_spanContext"].iter().find_map(|name| map.get(*name)?.as_object());
    let has = |map: &Map<String, Value>, names| get(map, names).is_some_and(Value::is_string);
    let own = has(map, TRACE) && has(map, SPAN);
    let inner = context.is_some_and(|context| has(context, TRACE) && has(context, SPAN));
    // the console exporter of the JavaScript SDK calls it `id`, and has a time in microseconds
    let console = has(map, TRACE) && has(map, &["id"]) && map.get("timestamp").is_some_and(Value::is_number);
    map.get("name").is_some_and(Value::is_string)
        && (own || inner || (console && map.get("attributes").is_some_and(Value::is_object)))
}

/// True for the attributes of a span without the span.
pub(super) fn is_attributes(value: &Value) -> bool {
    value.as_object().is_some_and(|map| MARKS.iter().any(|mark| map.get(*mark).is_some_and(Value::is_string)))
}

/// Reads a span.
pub(super) fn read(mut map: Map<String, Value>) -> Span {
    let mut span = Span::default();
    let context = ["spanContext", "context", "_spanContext"]
        .iter()
        .find_map(|name| map.get(*name)?.as_object())
        .cloned();
    let find = |map: &Map<String, Value>, names: &[&str], bytes| {
        let context = context.as_ref().and_then(|context| get(context, names));
        get(map, names).or(context).and_then(|value| id(value, bytes))
    };
    span.trace = find(&map, TRACE, 16);
    span.id = find(&map, SPAN, 8).or_else(|| find(&map, &["id"], 8));
    span.parent = get(&map, PARENT).and_then(|value| id(value, 8));
    if span.parent.is_none() {
        let parent = get(&map, &["parentSpanContext"]).and_then(Value::as_object);
        span.parent = parent.and_then(|parent| get(parent, SPAN)).and_then(|value| id(value, 8));
    }
    map.get("name").and_then(Value::as_str).unwrap_or_default().clone_into(&mut span.name);
    span.start = get(&map, START).and_then(nanos);
    span.end = get(&map, END).and_then(nanos).or_else(|| {
        let micros = map.get("duration").and_then(Value::as_f64)?;
        ended(span.start?, micros)
    });
    span.failure = failure(&map);
    span.attributes = take(&mut map, &["attributes"]).map(attributes).unwrap_or_default();
    span.events = take(&mut map, &["events"]).map(events).unwrap_or_default();
    span.rest = map;
    span
}

/// A span of which only the attributes are here.
pub(super) fn bare(attributes: Map<String, Value>) -> Span {
    let text = |name: &str| attributes.get(name).and_then(Value::as_str).unwrap_or_default();
    let operation = text("gen_ai.operation.name");
    let name = if operation.is_empty() { text("openinference.span.kind") } else { operation }.to_owned();
    Span { name, attributes, ..Span::default() }
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn ended(start: u64, micros: f64) -> Option<u64> {
    (0.0..1e15).contains(&micros).then(|| start.saturating_add((micros * 1e3) as u64))
}

/// What the status says: `{"code":2,"message":…}`, `{"code":"STATUS_CODE_ERROR"}`, `{"status_code":"ERROR"}`.
fn failure(map: &Map<String, Value>) -> Option<String> {
    let status = map.get("status")?.as_object()?;
    let failed = match get(status, &["code", "status_code", "statusCode"])? {
        Value::Number(code) => code.as_u64() == Some(2),
        Value::String(code) => code.ends_with("ERROR") || code == "Error",
        _ => false,
    };
    let message = get(status, &["message", "description"]).and_then(Value::as_str);
    failed.then(|| message.unwrap_or_default().to_owned())
}

fn events(value: Value) -> Vec<SpanEvent> {
    let Value::Array(items) = value else { return Vec::new() };
    let read = |item: Value| {
        let Value::Object(mut rest) = item else {
            return SpanEvent {
                name: String::new(),
                attributes: Map::new(),
                rest: Map::from_iter([("value".to_owned(), item)]),
            };
        };
        let attributes = take(&mut rest, &["attributes"]).map(attributes).unwrap_or_default();
        let name = rest.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
        SpanEvent { name, attributes, rest }
    };
    items.into_iter().map(read).collect()
}

impl Span {
    /// The text of an attribute under the first of these names that has one.
    pub(super) fn text(&self, names: &[&str]) -> Option<&str> {
        names.iter().find_map(|name| self.attributes.get(*name)?.as_str()).filter(|text| !text.is_empty())
    }

    /// The count of an attribute under the first of these names that has one.
    pub(super) fn count(&self, names: &[&str]) -> Option<i64> {
        names.iter().find_map(|name| {
            let value = self.attributes.get(*name)?;
            let digits = || value.as_str()?.parse().ok();
            value.as_i64().or_else(|| whole(value.as_f64()?)).or_else(digits)
        })
    }

    /// The exception that it ended with: its type, message and stack.
    pub(super) fn exception(&self) -> Option<&Map<String, Value>> {
        self.events.iter().rev().find(|event| event.name == "exception").map(|event| &event.attributes)
    }

    /// Why it failed, in one text.
    pub(super) fn error(&self) -> Option<String> {
        let exception = self.exception();
        let told =
            |name: &str| exception.and_then(|map| map.get(name)?.as_str()).filter(|text| !text.is_empty());
        let said =
            self.failure.as_deref().filter(|text| !text.is_empty()).or_else(|| told("exception.message"));
        let kind = told("exception.type").or_else(|| self.text(&["error.type"]));
        // an exception alone is no failure: a tool that asks to be called again leaves one
        if self.failure.is_none() && self.text(&["error.type"]).is_none() {
            return None;
        }
        Some(said.or(kind).unwrap_or("failed").to_owned())
    }
}

#[allow(clippy::cast_possible_truncation, reason = "checked")]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 1e15).then_some(number as i64)
}
