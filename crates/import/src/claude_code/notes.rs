//! Records beside the conversation: titles, modes, links, file history, queue, workflow agents.

use event::Draft;
use serde_json::{Map, Value};

use super::{Rec, Session};
use crate::derive;
use crate::members::TakeMembers;

/// What becomes of a note.
enum Note {
    /// A title, in this member.
    Title(&'static str),
    /// A folder, in this member.
    Folder(&'static str),
    /// Anything else about the session.
    Meta,
}

/// Types that tell something about the session.
const NOTES: &[(&str, Note)] = &[
    ("custom-title", Note::Title("customTitle")),
    ("ai-title", Note::Title("aiTitle")),
    ("agent-name", Note::Title("agentName")),
    ("relocated", Note::Folder("relocatedCwd")),
    ("agent-setting", Note::Meta),
    ("agent-color", Note::Meta),
    ("permission-mode", Note::Meta),
    ("mode", Note::Meta),
    ("last-prompt", Note::Meta),
    ("pr-link", Note::Meta),
    ("frame-link", Note::Meta),
    ("bridge-session", Note::Meta),
    ("worktree-state", Note::Meta),
    ("session-id", Note::Meta),
    ("tag", Note::Meta),
    ("atis-latch", Note::Meta),
];

/// Maps a note; `None` for a type that is not known.
pub(super) fn map(rec: &mut Rec<'_>, kind: &str) -> Option<Vec<Draft>> {
    if let Some((_, note)) = NOTES.iter().find(|(name, _)| *name == kind) {
        return Some(vec![about_session(rec, note)]);
    }
    match kind {
        "queue-operation" => Some(vec![queue(rec)]),
        "file-history-snapshot" | "file-history-delta" => Some(vec![files(rec)]),
        // an older summary: a record of its own with the text as a message
        "summary" => Some(vec![summary(rec)?]),
        "started" | "result" => Some(vec![workflow(rec, kind)?]),
        _ => None,
    }
}

fn about_session(rec: &mut Rec<'_>, note: &Note) -> Draft {
    let (name, member) = match note {
        Note::Title(member) => ("title", *member),
        Note::Folder(member) => ("cwd", *member),
        Note::Meta => {
            let kept = ["type", "cwd", "version", "gitBranch"];
            let names: Vec<String> =
                rec.fields.keys().filter(|name| !kept.contains(&name.as_str())).cloned().collect();
            let meta: Map<_, _> =
                names.into_iter().filter_map(|name| rec.fields.remove_entry(&name)).collect();
            return rec.draft("session.updated", 0).data("meta", Value::Object(meta));
        }
    };
    let value = rec.fields.take_text(member);
    rec.draft("session.updated", 0).data(name, value)
}

/// What waits to be said to the agent. The message itself comes as a record of its own.
fn queue(rec: &mut Rec<'_>) -> Draft {
    let mut body = Map::new();
    for name in ["operation", "content"] {
        if let Some(value) = rec.fields.remove(name) {
            body.insert(name.to_owned(), value);
        }
    }
    rec.draft("state.changed", 0).with("what", "queue").data("body", Value::Object(body))
}

fn files(rec: &mut Rec<'_>) -> Draft {
    let op = if rec.fields.flag("isSnapshotUpdate") { "update" } else { "snapshot" };
    let mut snapshot = rec.fields.take_object("snapshot").unwrap_or_default();
    let files = snapshot.remove("trackedFileBackups").unwrap_or_default();
    if snapshot.text("messageId") == rec.fields.text("messageId") {
        snapshot.remove("messageId");
    }
    if !snapshot.is_empty() {
        rec.fields.insert("snapshot".to_owned(), Value::Object(snapshot));
    }
    rec.draft("file.snapshotted", 0).with("op", op).data("files", files)
}

fn summary(rec: &mut Rec<'_>) -> Option<Draft> {
    let mut message = rec.fields.take_object("message")?;
    let summary = message.remove("content")?;
    if !message.is_empty() {
        rec.fields.insert("message".to_owned(), Value::Object(message));
    }
    Some(rec.draft("context.compacted", 0).data("summary", summary))
}

/// An agent of a workflow: its start, and what it gave back.
fn workflow(rec: &mut Rec<'_>, kind: &str) -> Option<Draft> {
    let id = rec.fields.take_text("agentId")?;
    let mut stamp = rec.stamp.clone();
    stamp.parent_agent = stamp.agent.replace("subagent".to_owned());
    stamp.agent_id = Some(id);
    let draft = |kind| stamp.draft(kind).key(rec.key(0));
    Some(match kind {
        "started" => draft("agent.started"),
        _ => draft("agent.stopped").with("status", "completed").data("result", rec.fields.remove("result")),
    })
}

impl Session {
    /// A title for the session that owns the leaf; `None` if that session is not here.
    pub(super) fn title(&self, rec: &mut Rec<'_>) -> Option<Draft> {
        let leaf = rec.fields.text("leafUuid")?.to_owned();
        let key = self.survey.first_key(&leaf);
        let here = self.survey.session_of(&leaf).map(str::to_owned);
        let owner = here.or_else(|| rec.keys.session_of(&key));
        if let Some(owner) = owner {
            rec.stamp.session = owner;
            // the title is the session's own, wherever the line stands
            rec.base = format!(
                "cc:~{}",
                derive::once(rec.keys, &format!("title\n{leaf}\n{}", rec.fields.text("summary")?))
            );
            let title = rec.fields.take_text("summary")?;
            return Some(rec.draft("session.updated", 0).with("cause", key).data("title", title));
        }
        let moved = ["summary", "leafUuid"].into_iter().filter_map(|name| rec.fields.remove_entry(name));
        let title = Value::Object(moved.collect());
        self.has_home.then(|| rec.draft("session.updated", 0).with("cause", key).data("meta", title))
    }
}
