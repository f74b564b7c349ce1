//! Exports taken apart: every span, log record and metric by itself, with its resource and scope.
//!
//! ```text
//! {"resourceSpans":[{"resource":…,"scopeSpans":[{"scope":…,"spans":[…]}]}]}   a line of a file, a request
//! {"resource":…,"scopeSpans":[…]}                                             a piece of such a document
//! [span, …]   {"<any name>":[span, …]}                                        spans of an SDK, as printed or dumped
//! ```

use serde_json::{Map, Value, json};

use super::plain::{get, nanos};
use super::{names, span};
use crate::Part;

/// One signal: names of its lists from the outside in, and what a part of it is called.
struct Signal {
    batches: &'static [&'static str],
    scopes: &'static [&'static str],
    items: &'static [&'static str],
    part: &'static str,
}

const SIGNALS: &[Signal] = &[
    Signal {
        batches: &["resourceSpans", "resource_spans", "batches"],
        scopes: &[
            "scopeSpans",
            "scope_spans",
            "instrumentationLibrarySpans",
            "instrumentation_library_spans",
        ],
        items: &["spans"],
        part: "span",
    },
    Signal {
        batches: &["resourceLogs", "resource_logs"],
        scopes: &["scopeLogs", "scope_logs", "instrumentationLibraryLogs"],
        items: &["logRecords", "log_records", "logs"],
        part: "log",
    },
    Signal {
        batches: &["resourceMetrics", "resource_metrics"],
        scopes: &["scopeMetrics", "scope_metrics", "instrumentationLibraryMetrics"],
        items: &["metrics"],
        part: "metric",
    },
];
/// Where a part says when it was.
const TIMES: &[&str] = &[
    "startTimeUnixNano",
    "start_time_unix_nano",
    "timeUnixNano",
    "time_unix_nano",
    "observedTimeUnixNano",
    "observed_time_unix_nano",
    "startTime",
    "start_time",
    "timestamp",
];

/// What of a span its history needs.
const OWN: &[&str] = &["traceId", "trace_id", "spanId", "span_id", "endTimeUnixNano", "end_time_unix_nano"];
const ENDS: &[&str] = &["endTimeUnixNano", "end_time_unix_nano"];

/// True for an export, a piece of one, or spans in lists.
pub(super) fn is_batch(value: &Value) -> bool {
    let Some(map) = value.as_object() else { return false };
    let is_list = |name: &&str| map.get(*name).is_some_and(Value::is_array);
    let named = SIGNALS.iter().any(|signal| signal.batches.iter().chain(signal.scopes).any(&is_list));
    named || is_lists_of_spans(map)
}

fn is_lists_of_spans(map: &Map<String, Value>) -> bool {
    let spans = |value: &Value| value.as_array().is_some_and(|items| items.iter().all(span::is_span));
    !map.is_empty() && map.values().all(spans)
}

/// The parts of one record.
pub(super) fn parts(record: Value) -> Vec<Part> {
    if !is_batch(&record) {
        return vec![part(record)];
    }
    let Value::Object(mut map) = record else { return Vec::new() };
    if is_lists_of_spans(&map) {
        return map.into_iter().flat_map(|(_, list)| items(list)).map(part).collect();
    }
    let mut found = Vec::new();
    for signal in SIGNALS {
        for name in signal.batches {
            let batches = map.get(*name).is_some_and(Value::is_array).then(|| map.remove(*name)).flatten();
            for batch in batches.into_iter().flat_map(items) {
                match batch {
                    Value::Object(batch) => resource(signal, batch, &mut found),
                    other => found.push(part(other)),
                }
            }
        }
    }
    if SIGNALS.iter().any(|signal| get(&map, signal.scopes).is_some()) {
        SIGNALS.iter().filter(|signal| get(&map, signal.scopes).is_some()).for_each(|signal| {
            resource(signal, map.clone(), &mut found);
        });
    } else if !map.is_empty() {
        found.push(part(Value::Object(map)));
    }
    found
}

fn items(list: Value) -> Vec<Value> {
    match list {
        Value::Array(items) => items,
        other => vec![other],
    }
}

fn resource(signal: &Signal, mut batch: Map<String, Value>, found: &mut Vec<Part>) {
    let scopes = signal.scopes.iter().find_map(|name| batch.remove(*name)).unwrap_or_default();
    // what is left is the resource and what is said of all its spans
    let shared = Value::Object(batch);
    for scope in items(scopes) {
        let Value::Object(mut scope) = scope else { continue };
        let members = signal.items.iter().find_map(|name| scope.remove(*name)).unwrap_or_default();
        let scope = Value::Object(scope);
        for item in items(members).into_iter().filter(|item| !item.is_null()) {
            let order = order(&item);
            let history = history(&item);
            let value = json!({"batch": shared, "scope": scope, signal.part: item});
            found.push(Part { order, value });
            found.extend(history);
        }
    }
}

/// The history that a span has as an attribute, as a part of its own at the span's end: it is told where nobody
/// else has told it.
fn history(item: &Value) -> Option<Part> {
    let map = item.as_object()?;
    let is_history = |item: &&Value| item["key"].as_str().is_some_and(|name| names::HISTORY.contains(&name));
    let held: Vec<Value> = map.get("attributes")?.as_array()?.iter().filter(is_history).cloned().collect();
    if held.is_empty() {
        return None;
    }
    let mut span: Map<String, Value> = map
        .iter()
        .filter(|(name, _)| OWN.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    span.insert("attributes".to_owned(), held.into());
    let order = get(map, ENDS).and_then(nanos).unwrap_or_else(|| order(item));
    Some(Part { order, value: json!({ "history": span }) })
}

fn part(value: Value) -> Part {
    Part { order: order(&value), value }
}

fn order(item: &Value) -> u64 {
    let Some(map) = item.as_object() else { return 0 };
    TIMES.iter().find_map(|name| nanos(map.get(*name)?)).unwrap_or_default()
}
