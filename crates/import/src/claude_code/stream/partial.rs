//! An answer in pieces: `stream_event` wraps the provider's own events.

use std::collections::HashMap;

use event::Draft;
use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::super::Rec;
use super::super::survey::{Response, Survey, response_key};
use super::{Outcome, Stream};
use crate::members::TakeMembers;
use crate::pieces::{Piece, Pieces};

/// What a look ahead finds about answers in pieces.
#[derive(Debug, Default)]
pub(super) struct Partials {
    pieces: Pieces,
    /// The message that is being streamed, by agent; while looking ahead and while mapping.
    ahead: Running,
    now: Running,
}

/// Which message each agent is at, and how many blocks of it have been told as a whole.
#[derive(Debug, Default)]
struct Running {
    messages: HashMap<String, String>,
    told: HashMap<String, usize>,
}

#[derive(Deserialize)]
struct Look<'a> {
    #[serde(rename = "type")]
    kind: Option<String>,
    parent_tool_use_id: Option<String>,
    #[serde(borrow)]
    event: Option<&'a RawValue>,
    message: Option<Message>,
}

#[derive(Deserialize)]
struct Message {
    id: Option<String>,
    content: Option<Value>,
}

/// One piece: which text it is part of, and the text.
struct Found {
    of: String,
    member: &'static str,
    text: String,
}

/// The member of a delta that holds the piece, and the kind of block.
const DELTAS: &[(&str, &str)] = &[
    ("text_delta", "text"),
    ("thinking_delta", "thinking"),
    ("input_json_delta", "partial_json"),
    ("signature_delta", "signature"),
];

impl Running {
    fn piece(&self, agent: &str, event: &Map<String, Value>) -> Option<Found> {
        let delta = event.get("delta")?.as_object()?;
        let (_, member) = DELTAS.iter().find(|(kind, _)| delta.text("type") == Some(kind))?;
        let message = self.messages.get(agent).map_or("", String::as_str);
        let of = place(message, event.count("index").unwrap_or(0), member);
        Some(Found { of, member, text: delta.text(member)?.to_owned() })
    }

    fn starts(&mut self, agent: &str, event: &Map<String, Value>) {
        let message = event.get("message").and_then(|message| message.get("id")?.as_str());
        if let (Some("message_start"), Some(id)) = (event.text("type"), message) {
            self.messages.insert(agent.to_owned(), id.to_owned());
        }
    }
}

fn place(message: &str, index: i64, member: &str) -> String {
    format!("{message}/{index}/{member}")
}

impl Partials {
    /// Looks at one record.
    pub(super) fn see(&mut self, text: &str, survey: &mut Survey) {
        let Ok(look) = serde_json::from_str::<Look<'_>>(text) else { return };
        let agent = look.parent_tool_use_id.unwrap_or_default();
        match (look.kind.as_deref(), look.event, look.message) {
            (Some("stream_event"), Some(event), _) => {
                let Ok(event) = serde_json::from_str::<Map<String, Value>>(event.get()) else { return };
                self.ahead.starts(&agent, &event);
                if let Some(found) = self.ahead.piece(&agent, &event) {
                    self.pieces.see(&found.of, &found.text);
                }
                if let (Some("message_delta"), Some(id)) =
                    (event.text("type"), self.ahead.messages.get(&agent))
                {
                    let stop = event.get("delta").and_then(|delta| delta.get("stop_reason")?.as_str());
                    survey.spent(&response_key(id, None), event.get("usage"), stop);
                }
            }
            (Some("assistant"), _, Some(message)) => self.whole(&message),
            _ => {}
        }
    }

    /// A message's blocks come one record each, in order.
    fn whole(&mut self, message: &Message) {
        let (Some(id), Some(Value::Array(blocks))) = (&message.id, &message.content) else { return };
        let told = self.ahead.told.entry(id.clone()).or_default();
        for block in blocks {
            let index = i64::try_from(*told).unwrap_or(0);
            for (_, member) in DELTAS {
                let text =
                    if *member == "partial_json" { None } else { block.get(*member).and_then(Value::as_str) };
                self.pieces.see_whole(&place(id, index, member), text);
            }
            *told += 1;
        }
    }
}

impl Stream {
    /// Maps one event of an answer.
    pub(super) fn partial(&mut self, rec: &mut Rec<'_>) -> Outcome {
        let agent = rec.fields.text("sideCall").unwrap_or_default().to_owned();
        let Some(mut event) = rec.fields.take_object("event") else { return Outcome::Unknown };
        self.partials.now.starts(&agent, &event);
        if let Some(found) = self.partials.now.piece(&agent, &event) {
            return match self.partials.pieces.next(&found.of, &found.text) {
                Piece::Told => Outcome::Told,
                Piece::Last(text) => Outcome::Events(vec![put_together(rec, &found, text, event)]),
            };
        }
        let message = self.partials.now.messages.get(&agent).cloned().unwrap_or_default();
        let told = self.partials.ahead.told.get(&message).copied();
        let open = event
            .count("index")
            .is_some_and(|index| usize::try_from(index).unwrap_or(0) >= told.unwrap_or(0));
        let call = event.get("content_block").is_some_and(|block| block.get("name").is_some());
        match event.text("type") {
            Some("message_start") if told.is_none() => {
                Outcome::Events(vec![self.called(rec, &message, &mut event)])
            }
            // frames around what the pieces and the whole tell; what was spent is in the whole's usage
            Some("content_block_start") if !(open && call) => Outcome::Told,
            Some("message_start" | "message_delta" | "message_stop" | "content_block_stop" | "ping") => {
                Outcome::Told
            }
            _ => {
                let what = format!("stream/{}", event.text("type").unwrap_or("event"));
                let draft = rec.draft("state.changed", 0).with("what", what);
                Outcome::Events(vec![draft.data("body", Value::Object(event))])
            }
        }
    }

    /// An answer that began, and of which nothing is told as a whole.
    fn called(&self, rec: &mut Rec<'_>, id: &str, event: &mut Map<String, Value>) -> Draft {
        let mut message = event.take_object("message").unwrap_or_default();
        rec.stamp.model = message.take_text("model");
        let first = || Response::of(message.get("usage"), message.text("stop_reason"));
        let response = self.session.survey.response(&response_key(id, None)).cloned().unwrap_or_else(first);
        let draft = rec.draft("model.called", 0).with("usage", response.usage());
        let draft = draft.with("stop", response.stop.as_deref());
        draft.data("params", Value::Object(message))
    }
}

/// The text of pieces whose whole never came.
///
/// The last piece itself is not kept: half a secret is nothing that a redactor knows.
fn put_together(rec: &mut Rec<'_>, found: &Found, text: String, mut event: Map<String, Value>) -> Draft {
    if let Some(Value::Object(delta)) = event.get_mut("delta") {
        delta.remove(found.member);
    }
    let draft = match found.member {
        "thinking" => rec.draft("reasoning.recorded", 0).with("form", "full").data("text", text),
        "text" => rec.draft("message.recorded", 0).with("role", "assistant").data("text", text),
        _ => {
            let body = Map::from_iter([(found.member.to_owned(), text.into())]);
            rec.draft("state.changed", 0).with("what", "stream/unfinished").data("body", Value::Object(body))
        }
    };
    rec.fields.insert("event".to_owned(), Value::Object(event));
    draft
}
