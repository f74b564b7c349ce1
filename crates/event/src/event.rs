//! A stored event, taken out of its line: what views, doors and exports work with.

use std::sync::Arc;

use crate::escape::decode;
use crate::kind::Kind;
use crate::line::Line;
use crate::members::{Form, Members};
use crate::names::SessionId;

/// One event as it is told.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub header: Members,
    /// Hash of the line before.
    pub prev: String,
    /// Hash of this line.
    pub hash: String,
    /// The payload; an erased member is absent here and named in `erased`.
    pub data: Members,
    /// Members that were erased.
    pub erased: Vec<String>,
}

impl Event {
    /// Takes an event out of a parsed line. `None` only if the line's parts contradict their own checks.
    pub fn from_line(line: &Line<'_>) -> Option<Self> {
        Self::of_session(SessionId::new(line.session).ok()?, line)
    }

    /// The same, of a session whose id is known.
    pub fn of_session(session: SessionId, line: &Line<'_>) -> Option<Self> {
        let header = Members::read(Form::Header, fields(line));
        let data = Members::read(Form::Payload, told(line));
        Self::with(session, line, header, data)
    }

    /// The same of a line that stands in a text which many events share: nothing of it is copied. `None` if it does not
    /// stand there.
    pub fn within(session: SessionId, line: &Line<'_>, text: &Arc<String>) -> Option<Self> {
        let header = Members::within(Form::Header, text, fields(line))?;
        let data = Members::within(Form::Payload, text, told(line))?;
        Self::with(session, line, header, data)
    }

    fn with(session: SessionId, line: &Line<'_>, header: Members, data: Members) -> Option<Self> {
        let erased = line.members.iter().filter(|member| member.is_erased());
        Some(Self {
            session,
            seq: line.seq,
            ts: line.ts.to_owned(),
            kind: Kind::stored(&decode(line.kind)?),
            header,
            prev: line.prev.to_owned(),
            hash: line.hash.to_owned(),
            data,
            erased: erased.map(|member| member.name.to_owned()).collect(),
        })
    }

    /// A string header field.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.header.text(name)
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

fn fields<'l>(line: &'l Line<'_>) -> impl Iterator<Item = (&'l str, &'l str)> + Clone {
    line.fields.iter().map(|field| (field.name, field.raw))
}

/// Members that were not erased.
fn told<'l>(line: &'l Line<'_>) -> impl Iterator<Item = (&'l str, &'l str)> + Clone {
    let told = line.members.iter().filter(|member| !member.is_erased());
    told.map(|member| (member.name, member.value))
}
