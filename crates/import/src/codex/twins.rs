//! Who is said twice: the texts of response items, counted before the first record is mapped.
//!
//! The event (`agent_reasoning`, `user_message`, …) often stands before the item that says the same, so
//! only a look ahead can tell whether it is a twin.

use std::borrow::Cow;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use serde::Deserialize;
use serde_json::value::RawValue;

/// Texts of items that wait for their twins.
#[derive(Debug, Default)]
pub(super) struct Twins {
    waiting: HashMap<u64, u32>,
}

/// Who says it.
#[derive(Debug, Clone, Copy, Hash, PartialEq, Eq)]
pub(super) enum Voice {
    User,
    Assistant,
    Thought,
}

#[derive(Deserialize)]
struct Look<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    payload: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct LookItem<'a> {
    #[serde(borrow, rename = "type")]
    kind: Option<Cow<'a, str>>,
    #[serde(borrow)]
    role: Option<Cow<'a, str>>,
    #[serde(borrow)]
    summary: Option<&'a RawValue>,
    #[serde(borrow)]
    content: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct LookPart<'a> {
    #[serde(borrow)]
    text: Option<Cow<'a, str>>,
}

impl Twins {
    /// Looks at one record.
    pub(super) fn see(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let found =
            |word: &str| memchr::memmem::find(&bytes[..bytes.len().min(4096)], word.as_bytes()).is_some();
        // the usual order of members spares a parse; in another order the first bytes say nothing
        if text.starts_with("{\"timestamp\"") && !found("\"response_item\"") {
            return;
        }
        let Ok(look) = serde_json::from_str::<Look<'_>>(text) else { return };
        if look.kind.as_deref() != Some("response_item") {
            return;
        }
        let Some(Ok(item)) = look.payload.map(|raw| serde_json::from_str::<LookItem<'_>>(raw.get())) else {
            return;
        };
        match (item.kind.as_deref(), item.role.as_deref()) {
            (Some("reasoning"), _) => {
                self.wait(Voice::Thought, item.summary);
                self.wait(Voice::Thought, item.content);
            }
            (_, Some("user")) => self.wait(Voice::User, item.content),
            (_, Some("assistant")) => self.wait(Voice::Assistant, item.content),
            _ => {}
        }
    }

    /// Every text of the parts, and all of them together if there are several.
    fn wait(&mut self, voice: Voice, parts: Option<&RawValue>) {
        let Some(Ok(parts)) = parts.map(|raw| serde_json::from_str::<Vec<LookPart<'_>>>(raw.get())) else {
            return;
        };
        let texts: Vec<Cow<'_, str>> = parts.into_iter().filter_map(|part| part.text).collect();
        for text in &texts {
            *self.waiting.entry(hash(voice, text)).or_default() += 1;
        }
        if texts.len() > 1 {
            *self.waiting.entry(hash(voice, &texts.concat())).or_default() += 1;
        }
    }

    /// True once for each time that an item says this text.
    pub(super) fn take(&mut self, voice: Voice, text: &str) -> bool {
        self.take_hash(hash(voice, text))
    }

    /// The same for the hash of who says what.
    pub(super) fn take_hash(&mut self, said: u64) -> bool {
        let waiting = self.waiting.get_mut(&said).filter(|count| **count > 0);
        waiting.is_some_and(|count| {
            *count -= 1;
            true
        })
    }
}

pub(super) fn hash(voice: Voice, text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    (voice, text).hash(&mut hasher);
    hasher.finish()
}
