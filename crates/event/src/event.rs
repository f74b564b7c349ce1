//! A stored event, taken out of its line: what views, doors and exports work with.

use serde_json::{Map, Value};

use crate::escape::decode;
use crate::kind::Kind;
use crate::line::Line;
use crate::names::SessionId;

/// One event as it is told: header values decoded, payload parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// The session.
    pub session: SessionId,
    /// Its place in the session.
    pub seq: u64,
    /// When it was recorded, RFC 3339 UTC.
    pub ts: String,
    /// What happened.
    pub kind: Kind,
    /// Header members beyond the fixed ones, decoded.
    pub header: Map<String, Value>,
    /// Hash of the line before.
    pub prev: String,
    /// Hash of this line.
    pub hash: String,
    /// The payload; an erased member is absent here and named in `erased`.
    pub data: Map<String, Value>,
    /// Members that were erased.
    pub erased: Vec<String>,
}

impl Event {
    /// Takes an event out of a parsed line. `None` only if the line's parts contradict their own checks.
    pub fn from_line(line: &Line<'_>) -> Option<Self> {
        let header =
            line.fields.iter().map(|f| Some((f.name.to_owned(), f.value()?))).collect::<Option<_>>()?;
        let (mut data, mut erased) = (Map::new(), Vec::new());
        for member in &line.members {
            if member.is_erased() {
                erased.push(member.name.to_owned());
            } else {
                data.insert(member.name.to_owned(), parse_value(member.value)?);
            }
        }
        Some(Self {
            session: SessionId::new(line.session).ok()?,
            seq: line.seq,
            ts: line.ts.to_owned(),
            kind: Kind::stored(&decode(line.kind)?),
            header,
            prev: line.prev.to_owned(),
            hash: line.hash.to_owned(),
            data,
            erased,
        })
    }

    /// A string header field.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.header.get(name).and_then(Value::as_str)
    }

    /// When it happened: what the transcript says, else when it was recorded.
    pub fn time(&self) -> &str {
        self.text("at").unwrap_or(&self.ts)
    }

    /// `session/sequence`.
    pub fn name(&self) -> String {
        format!("{}/{}", self.session, self.seq)
    }
}

fn parse_value(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
