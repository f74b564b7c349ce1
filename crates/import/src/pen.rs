//! Writing drafts: what all events of one record share, and where its leftovers go.

use event::{Draft, Kind, Origin};
use serde_json::{Map, Value};

/// What the events of one record have in common.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stamp {
    pub(crate) session: String,
    pub(crate) at: Option<String>,
    pub(crate) agent: Option<String>,
    pub(crate) agent_id: Option<String>,
    pub(crate) parent_agent: Option<String>,
    pub(crate) parent: Option<String>,
    pub(crate) model: Option<String>,
}

impl Stamp {
    /// A draft of this record.
    pub(crate) fn draft(&self, kind: &'static str) -> Draft {
        Draft::new(&self.session, Kind::of(kind), Origin::Imported)
            .with("at", self.at.clone())
            .with("agent", self.agent.clone())
            .with("agent_id", self.agent_id.clone())
            .with("parent_agent", self.parent_agent.clone())
            .with("parent", self.parent.clone())
            .with("model", self.model.clone())
    }
}

/// A draft of something that its tool rewrites: told anew when it changed.
pub(crate) fn revisable(draft: Draft) -> Draft {
    draft.with("supersedes", true)
}

/// A record kept as it is.
pub(crate) fn raw(stamp: &Stamp, key: String, text: &str) -> Draft {
    stamp.draft("raw.kept").key(key).data("record", text)
}

/// Puts leftovers into `data.ext` of a draft; nothing if there are none.
pub(crate) fn add_ext(draft: &mut Draft, leftovers: Map<String, Value>) {
    if leftovers.is_empty() {
        return;
    }
    match draft.data.entry("ext").or_insert_with(|| Value::Object(Map::new())) {
        Value::Object(ext) => ext.extend(leftovers),
        // never: only this function makes the member
        other => *other = Value::Object(leftovers),
    }
}

/// Puts one leftover under a name of its own into `data.ext`.
pub(crate) fn add_ext_member(draft: &mut Draft, name: &str, leftovers: Map<String, Value>) {
    if !leftovers.is_empty() {
        add_ext(draft, Map::from_iter([(name.to_owned(), Value::Object(leftovers))]));
    }
}

/// The first line of a text, as a title.
pub(crate) fn title(text: &str) -> String {
    const LONGEST: usize = 120;
    let line = text.trim().lines().next().unwrap_or_default();
    match line.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
