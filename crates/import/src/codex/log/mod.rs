//! Codex's log of its own interface (`CODEX_TUI_RECORD_SESSION`), and the bare events of an early `exec --json`.
//!
//! Both are streams of the events that a rollout keeps some of, `{"id":…,"msg":{"type":…}}`; the log wraps
//! them with a time and a direction, and notes keys and redraws between them. Answers come in pieces.

mod tools;

use event::Draft;
use serde_json::{Map, Value, json};

use super::{Outcome, Rec, Rollout, state};
use crate::members::TakeMembers;
use crate::pieces::{Piece, Pieces};
use crate::{Importer, Keys, Mapped, Record, SourceFile, Transcript};

/// The importer.
#[derive(Debug)]
pub(crate) struct CodexLog;

impl Importer for CodexLog {
    fn name(&self) -> &'static str {
        "codex-tui-log"
    }

    fn home(&self) -> &'static str {
        ".codex-tui-log"
    }

    fn recognises(&self, head: &[Value]) -> bool {
        head.iter().filter_map(Value::as_object).any(is_own)
    }

    fn open(&self, file: &SourceFile) -> Box<dyn Transcript> {
        let mut head: Vec<Value> =
            file.head.iter().filter_map(|value| value.as_object().cloned()).map(enveloped).collect();
        // who the session is: told by an event, or not at all
        let payloads = || head.iter().filter_map(|record| record.get("payload")?.as_object());
        let session = payloads().find_map(|payload| payload.text("session_id"));
        let cwd = payloads().find_map(|payload| payload.text("cwd"));
        let meta = json!({"id": session.unwrap_or_default(), "cwd": cwd});
        head.insert(0, json!({"type": "session_meta", "payload": meta}));
        let file = SourceFile { head, ..file.clone() };
        Box::new(Log { rollout: Rollout::new(&file), pieces: Pieces::default() })
    }
}

fn is_own(record: &Map<String, Value>) -> bool {
    let msg = |value: Option<&Value>| {
        value.is_some_and(|value| value.get("msg").is_some_and(|msg| msg.get("type").is_some()))
    };
    let bare = record.len() == 2 && record.text("id").is_some() && msg(Some(&Value::Object(record.clone())));
    let logged = record.text("dir").is_some() && record.text("ts").is_some() && record.text("kind").is_some();
    bare || logged
}

/// One log.
struct Log {
    rollout: Rollout,
    pieces: Pieces,
}

/// An event's pieces, and the event that says them again.
const PIECES: &[(&str, &str, &str)] = &[
    ("agent_message_delta", "agent_message", "message"),
    ("agent_reasoning_delta", "agent_reasoning", "text"),
    ("agent_reasoning_raw_content_delta", "agent_reasoning_raw_content", "text"),
];

/// The record as a rollout would have it: `{timestamp, type, payload}`.
fn enveloped(mut record: Map<String, Value>) -> Value {
    let kind = record.text("kind").unwrap_or("codex_event").to_owned();
    let (mut payload, kind) = match (kind.as_str(), record.take_object("payload")) {
        ("codex_event", Some(payload)) => (payload, "event_msg".to_owned()),
        ("codex_event", None) => {
            let names = ["id", "msg"];
            (names.iter().filter_map(|name| record.remove_entry(*name)).collect(), "event_msg".to_owned())
        }
        (_, Some(payload)) => (payload, format!("tui/{kind}")),
        (_, None) => {
            let envelope = ["ts", "dir", "kind"];
            let names: Vec<String> =
                record.keys().filter(|name| !envelope.contains(&name.as_str())).cloned().collect();
            (names.into_iter().filter_map(|name| record.remove_entry(&name)).collect(), format!("tui/{kind}"))
        }
    };
    record.remove("kind");
    if kind == "event_msg"
        && let Some(msg) = payload.take_object("msg")
    {
        // the submission that the event belongs to
        record.insert("submission".to_owned(), Value::Object(payload));
        payload = msg;
    }
    let time = record.remove("ts");
    record.extend(time.map(|time| ("timestamp".to_owned(), time)));
    record.insert("type".to_owned(), kind.into());
    record.insert("payload".to_owned(), Value::Object(payload));
    Value::Object(record)
}

impl Log {
    fn events(&mut self, rec: &mut Rec) -> Option<Outcome> {
        let kind = rec.fields.text("type")?.to_owned();
        if kind != "event_msg" {
            return Some(Outcome::Events(vec![interface(rec, &kind)]));
        }
        let event = rec.payload.text("type")?.to_owned();
        if PIECES.iter().any(|(piece, ..)| *piece == event) {
            return Some(self.piece(rec, &event));
        }
        match tools::event(&mut self.rollout, rec, &event) {
            Some(draft) => Some(Outcome::Events(vec![draft])),
            None => self.rollout.event(rec),
        }
    }

    fn piece(&mut self, rec: &mut Rec, kind: &str) -> Outcome {
        let text = rec.payload.take_text("delta").unwrap_or_default();
        match self.pieces.next(kind, &text) {
            Piece::Told => Outcome::Twin,
            Piece::Last(text) => {
                let draft = match kind {
                    "agent_message_delta" => rec.draft("message.recorded", 0).with("role", "assistant"),
                    "agent_reasoning_delta" => rec.draft("reasoning.recorded", 0).with("form", "summary"),
                    _ => rec.draft("reasoning.recorded", 0).with("form", "full"),
                };
                Outcome::Events(vec![draft.data("text", text)])
            }
        }
    }
}

/// What the interface did: its start and end, what a person asked for, keys and redraws.
fn interface(rec: &mut Rec, kind: &str) -> Draft {
    match kind {
        "tui/session_start" => {
            let mut meta = std::mem::take(&mut rec.payload);
            let cwd = meta.take_text("cwd");
            rec.draft("session.updated", 0).data("cwd", cwd).data("meta", Value::Object(meta))
        }
        "tui/op" if rec.payload.text("type") == Some("user_input") => {
            let items = rec.payload.remove("items").unwrap_or_default();
            let lone = items
                .as_array()
                .filter(|items| items.len() == 1)
                .and_then(|items| items[0].get("text")?.as_str());
            let text = lone.map(str::to_owned);
            rec.draft("message.recorded", 0).with("role", "user").data("text", text).data("body", items)
        }
        "tui/op" if rec.payload.text("type").is_some_and(|kind| kind.ends_with("_approval")) => {
            let decision = rec.payload.take_text("decision");
            rec.draft("permission.decided", 0).with("decision", decision)
        }
        "tui/session_end" => rec.draft("session.closed", 0).with("status", "ended"),
        _ => state::changed(rec, kind),
    }
}

impl Transcript for Log {
    fn survey(&mut self, text: &str) -> bool {
        // most lines are redraws
        if memchr::memmem::find(text.as_bytes(), b"\"msg\"").is_none() {
            return true;
        }
        let Ok(Value::Object(record)) = serde_json::from_str(text) else { return true };
        let record = enveloped(record);
        let Some(payload) = record["payload"].as_object() else { return true };
        let kind = payload.text("type").unwrap_or_default();
        for (piece, whole, member) in PIECES {
            if kind == *piece {
                self.pieces.see(piece, payload.text("delta").unwrap_or_default());
            } else if kind == *whole || matches!(kind, "task_started" | "task_complete" | "turn_aborted") {
                self.pieces.see_whole(piece, Some(payload.text(member).unwrap_or_default()));
            }
        }
        true
    }

    fn map(&mut self, record: Record<'_>, keys: &dyn Keys) -> Mapped {
        if self.rollout.repeats(record.text) {
            return Mapped::Duplicate;
        }
        let Some(Value::Object(fields)) = record.value else {
            return self.rollout.raw(None, record.text, keys);
        };
        let Value::Object(mut fields) = enveloped(fields) else { return Mapped::Duplicate };
        let payload = fields.take_object("payload").unwrap_or_default();
        let mut rec = self.rollout.start(fields, payload, keys);
        match self.events(&mut rec) {
            Some(Outcome::Events(drafts)) if !drafts.is_empty() => {
                Mapped::Events(self.rollout.finish(rec, drafts))
            }
            Some(Outcome::Twin) => Mapped::Duplicate,
            _ => self.rollout.raw(Some(&rec.fields), record.text, keys),
        }
    }

    fn gap_session(&self) -> &str {
        self.rollout.gap_session()
    }

    fn opening(&mut self) -> Option<Draft> {
        self.rollout.opening()
    }
}
