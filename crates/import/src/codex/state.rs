//! Settings and snapshots: the payload as it is, as a change of state.

use event::Draft;
use serde_json::Value;

use super::Rec;

/// `state.changed` with the whole payload.
pub(super) fn changed(rec: &mut Rec, what: &str) -> Draft {
    let body = Value::Object(std::mem::take(&mut rec.payload));
    rec.draft("state.changed", 0).with("what", what).data("body", body)
}
