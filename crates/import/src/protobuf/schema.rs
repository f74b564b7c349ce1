//! The messages of OTLP: traces, logs and metrics, field by field.

use super::wire::Form::{
    Bytes, Count, Double, Fixed32, Fixed64, Flag, Id, Long, Many, ManyDoubles, ManyFixed64, One,
    SignedFixed64, Text, Zigzag,
};
use super::wire::Message;

/// One kind of export: the list in JSON, and what stands in it.
pub(super) struct Signal {
    pub(super) list: &'static str,
    pub(super) batch: &'static Message,
}

/// Every kind; they are told apart by trying.
pub(super) const SIGNALS: &[Signal] = &[
    Signal { list: "resourceSpans", batch: &RESOURCE_SPANS },
    Signal { list: "resourceLogs", batch: &RESOURCE_LOGS },
    Signal { list: "resourceMetrics", batch: &RESOURCE_METRICS },
];

static ANY: Message = Message(&[
    (1, "stringValue", Text),
    (2, "boolValue", Flag),
    (3, "intValue", Long),
    (4, "doubleValue", Double),
    (5, "arrayValue", One(&ARRAY)),
    (6, "kvlistValue", One(&LIST)),
    (7, "bytesValue", Bytes),
]);
static ARRAY: Message = Message(&[(1, "values", Many(&ANY))]);
static LIST: Message = Message(&[(1, "values", Many(&PAIR))]);
static PAIR: Message = Message(&[(1, "key", Text), (2, "value", One(&ANY))]);
static RESOURCE: Message = Message(&[(1, "attributes", Many(&PAIR)), (2, "droppedAttributesCount", Count)]);
static SCOPE: Message = Message(&[
    (1, "name", Text),
    (2, "version", Text),
    (3, "attributes", Many(&PAIR)),
    (4, "droppedAttributesCount", Count),
]);

static RESOURCE_SPANS: Message = Message(&[
    (1, "resource", One(&RESOURCE)),
    (2, "scopeSpans", Many(&SCOPE_SPANS)),
    (3, "schemaUrl", Text),
]);
static SCOPE_SPANS: Message =
    Message(&[(1, "scope", One(&SCOPE)), (2, "spans", Many(&SPAN)), (3, "schemaUrl", Text)]);
static SPAN: Message = Message(&[
    (1, "traceId", Id(16)),
    (2, "spanId", Id(8)),
    (3, "traceState", Text),
    (4, "parentSpanId", Id(8)),
    (5, "name", Text),
    (6, "kind", Count),
    (7, "startTimeUnixNano", Fixed64),
    (8, "endTimeUnixNano", Fixed64),
    (9, "attributes", Many(&PAIR)),
    (10, "droppedAttributesCount", Count),
    (11, "events", Many(&EVENT)),
    (12, "droppedEventsCount", Count),
    (13, "links", Many(&LINK)),
    (14, "droppedLinksCount", Count),
    (15, "status", One(&STATUS)),
    (16, "flags", Fixed32),
]);
static EVENT: Message = Message(&[
    (1, "timeUnixNano", Fixed64),
    (2, "name", Text),
    (3, "attributes", Many(&PAIR)),
    (4, "droppedAttributesCount", Count),
]);
static LINK: Message = Message(&[
    (1, "traceId", Id(16)),
    (2, "spanId", Id(8)),
    (3, "traceState", Text),
    (4, "attributes", Many(&PAIR)),
    (5, "droppedAttributesCount", Count),
    (6, "flags", Fixed32),
]);
static STATUS: Message = Message(&[(2, "message", Text), (3, "code", Count)]);

static RESOURCE_LOGS: Message =
    Message(&[(1, "resource", One(&RESOURCE)), (2, "scopeLogs", Many(&SCOPE_LOGS)), (3, "schemaUrl", Text)]);
static SCOPE_LOGS: Message =
    Message(&[(1, "scope", One(&SCOPE)), (2, "logRecords", Many(&LOG)), (3, "schemaUrl", Text)]);
static LOG: Message = Message(&[
    (1, "timeUnixNano", Fixed64),
    (2, "severityNumber", Count),
    (3, "severityText", Text),
    (5, "body", One(&ANY)),
    (6, "attributes", Many(&PAIR)),
    (7, "droppedAttributesCount", Count),
    (8, "flags", Fixed32),
    (9, "traceId", Id(16)),
    (10, "spanId", Id(8)),
    (11, "observedTimeUnixNano", Fixed64),
    (12, "eventName", Text),
]);

static RESOURCE_METRICS: Message = Message(&[
    (1, "resource", One(&RESOURCE)),
    (2, "scopeMetrics", Many(&SCOPE_METRICS)),
    (3, "schemaUrl", Text),
]);
static SCOPE_METRICS: Message =
    Message(&[(1, "scope", One(&SCOPE)), (2, "metrics", Many(&METRIC)), (3, "schemaUrl", Text)]);
static METRIC: Message = Message(&[
    (1, "name", Text),
    (2, "description", Text),
    (3, "unit", Text),
    (5, "gauge", One(&NUMBERS)),
    (7, "sum", One(&NUMBERS)),
    (9, "histogram", One(&HISTOGRAM)),
    (10, "exponentialHistogram", One(&EXPONENTIAL)),
    (11, "summary", One(&SUMMARY)),
    (12, "metadata", Many(&PAIR)),
]);
static NUMBERS: Message = Message(&[
    (1, "dataPoints", Many(&NUMBER)),
    (2, "aggregationTemporality", Count),
    (3, "isMonotonic", Flag),
]);
static NUMBER: Message = Message(&[
    (2, "startTimeUnixNano", Fixed64),
    (3, "timeUnixNano", Fixed64),
    (4, "asDouble", Double),
    (5, "exemplars", Many(&EXEMPLAR)),
    (6, "asInt", SignedFixed64),
    (7, "attributes", Many(&PAIR)),
    (8, "flags", Count),
]);
static EXEMPLAR: Message = Message(&[
    (2, "timeUnixNano", Fixed64),
    (3, "asDouble", Double),
    (4, "spanId", Id(8)),
    (5, "traceId", Id(16)),
    (6, "asInt", SignedFixed64),
    (7, "filteredAttributes", Many(&PAIR)),
]);
static HISTOGRAM: Message =
    Message(&[(1, "dataPoints", Many(&HISTOGRAM_POINT)), (2, "aggregationTemporality", Count)]);
static HISTOGRAM_POINT: Message = Message(&[
    (2, "startTimeUnixNano", Fixed64),
    (3, "timeUnixNano", Fixed64),
    (4, "count", Fixed64),
    (5, "sum", Double),
    (6, "bucketCounts", ManyFixed64),
    (7, "explicitBounds", ManyDoubles),
    (8, "exemplars", Many(&EXEMPLAR)),
    (9, "attributes", Many(&PAIR)),
    (10, "flags", Count),
    (11, "min", Double),
    (12, "max", Double),
]);
static EXPONENTIAL: Message =
    Message(&[(1, "dataPoints", Many(&EXPONENTIAL_POINT)), (2, "aggregationTemporality", Count)]);
static EXPONENTIAL_POINT: Message = Message(&[
    (1, "attributes", Many(&PAIR)),
    (2, "startTimeUnixNano", Fixed64),
    (3, "timeUnixNano", Fixed64),
    (4, "count", Fixed64),
    (5, "sum", Double),
    (6, "scale", Zigzag),
    (7, "zeroCount", Fixed64),
    (8, "positive", One(&BUCKETS)),
    (9, "negative", One(&BUCKETS)),
    (10, "flags", Count),
    (11, "exemplars", Many(&EXEMPLAR)),
    (12, "min", Double),
    (13, "max", Double),
    (14, "zeroThreshold", Double),
]);
static BUCKETS: Message = Message(&[(1, "offset", Zigzag), (2, "bucketCounts", Bytes)]);
static SUMMARY: Message = Message(&[(1, "dataPoints", Many(&SUMMARY_POINT))]);
static SUMMARY_POINT: Message = Message(&[
    (2, "startTimeUnixNano", Fixed64),
    (3, "timeUnixNano", Fixed64),
    (4, "count", Fixed64),
    (5, "sum", Double),
    (6, "quantileValues", Many(&QUANTILE)),
    (7, "attributes", Many(&PAIR)),
    (8, "flags", Count),
]);
static QUANTILE: Message = Message(&[(1, "quantile", Double), (2, "value", Double)]);
