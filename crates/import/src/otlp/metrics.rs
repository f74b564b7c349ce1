//! Metrics: how much was used, as it was counted. They are sums over time and belong to no response.

use serde_json::{Map, Value};

use super::telling::Telling;
use super::{Shared, names, plain};
use crate::json::digest;
use crate::pen::{self, Stamp};
use crate::{Keys, Mapped, time};

/// A metric with one of these words in its name counts what models cost.
const USAGE: &[&str] = &["token", "cost", "usage"];
const KINDS: &[&str] =
    &["sum", "gauge", "histogram", "exponentialHistogram", "exponential_histogram", "summary"];

impl Telling {
    pub(super) fn metric(&mut self, shared: Shared, metric: Map<String, Value>, keys: &dyn Keys) -> Mapped {
        let mut metric = metric;
        let kind = KINDS.iter().find(|kind| metric.contains_key(**kind));
        let list = kind.and_then(|kind| metric.get_mut(*kind));
        let points = list.and_then(|list| {
            plain::get(list.as_object()?, &["dataPoints", "data_points"])?.as_array().cloned()
        });
        let mut points = points.unwrap_or_default();
        for point in points.iter_mut().filter_map(Value::as_object_mut) {
            if let Some(list) = point.remove("attributes") {
                point.insert("attributes".to_owned(), Value::Object(plain::attributes(list)));
            }
        }
        let attributes = points.iter().filter_map(|point| point.get("attributes")?.as_object());
        let session = attributes.into_iter().find_map(names::conversation).or_else(|| shared.conversation());
        let when = points
            .iter()
            .filter_map(|point| {
                plain::nanos(plain::get(point.as_object()?, &["timeUnixNano", "time_unix_nano"])?)
            })
            .max();
        if let Some(kind) = kind
            && let Some(list) = metric.get_mut(*kind).and_then(Value::as_object_mut)
        {
            list.remove("data_points");
            list.insert("dataPoints".to_owned(), points.into());
        }
        let session = session.unwrap_or_else(|| self.stem.clone());
        let stamp = Stamp { session: session.clone(), at: when.and_then(time::at_nanos), ..Stamp::default() };
        let material = format!(
            "metric\n{session}\n{}\n{}",
            digest(&metric, &[]).to_hex(),
            digest(&shared.scope, &[]).to_hex()
        );
        let key = format!("otel:{}", self.derived.next(keys, &material));
        let mut drafts = Vec::new();
        let mut draft = stamp.draft("usage.reported").key(key);
        let name = metric.get("name").and_then(Value::as_str).unwrap_or_default();
        if !USAGE.iter().any(|word| name.contains(word)) {
            draft.kind = event::Kind::known("x.metric").unwrap_or(draft.kind);
        }
        draft = draft.data("body", Value::Object(metric));
        pen::add_ext_member(&mut draft, "scope", shared.scope);
        if !shared.resource.is_empty() {
            let (key, told) = self.place_resource(&session, stamp.at.clone(), shared.resource, keys);
            drafts.extend(told);
            pen::add_ext(
                &mut draft,
                Map::from_iter([("resource".to_owned(), serde_json::json!({ "$same": key }))]),
            );
        }
        drafts.push(draft);
        Mapped::Events(drafts)
    }
}
