//! Storing a text once: a copy of something beside it becomes a pointer, `{"$same":"<member>"}`.
//!
//! A third of all bytes in transcripts are second copies (a tool's output as text and again as a
//! structure). Only exact copies are replaced, so a reader can put them back.

use serde_json::{Map, Value, json};

/// Shorter copies cost less than pointers.
const SHORTEST: usize = 48;

/// The texts that copies are looked for among, with their names.
#[derive(Debug, Default)]
pub(crate) struct Known<'a> {
    texts: Vec<(String, &'a str)>,
}

impl<'a> Known<'a> {
    /// Adds every text in `value` under names like `output` or `output.0.text`.
    pub(crate) fn add(&mut self, name: &str, value: &'a Value) {
        match value {
            Value::String(text) if text.len() >= SHORTEST => self.texts.push((name.to_owned(), text)),
            Value::Array(items) => {
                items.iter().enumerate().for_each(|(index, item)| self.add(&format!("{name}.{index}"), item));
            }
            Value::Object(map) => {
                map.iter().for_each(|(member, item)| self.add(&format!("{name}.{member}"), item));
            }
            _ => {}
        }
    }

    /// The same for a value that may not be there.
    pub(crate) fn add_some(&mut self, name: &str, value: Option<&'a Value>) {
        if let Some(value) = value {
            self.add(name, value);
        }
    }

    /// Replaces copies in `value`.
    pub(crate) fn replace(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Some(pointer) = self.pointer(text) {
                    *value = pointer;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.replace(item)),
            Value::Object(map) => map.values_mut().for_each(|item| self.replace(item)),
            _ => {}
        }
    }

    fn pointer(&self, text: &str) -> Option<Value> {
        if text.len() < SHORTEST {
            return None;
        }
        self.texts.iter().find_map(|(name, known)| {
            // the same text, or with words in front or white space behind, as tools write it
            let rest = known.len().checked_sub(text.len());
            match rest {
                Some(0) if *known == text => Some(json!({ "$same": name })),
                None if text.ends_with(known) && text.len() - known.len() <= SHORTEST => {
                    Some(json!({ "$same": name, "before": text[..text.len() - known.len()] }))
                }
                None if text.starts_with(known) && text.len() - known.len() <= SHORTEST => {
                    Some(json!({ "$same": name, "after": text[known.len()..] }))
                }
                _ => None,
            }
        })
    }
}

/// Replaces later copies among the members of one object by pointers to the first.
pub(crate) fn fold_members(map: &mut Map<String, Value>, name: &str, members: &[&str]) {
    for (index, member) in members.iter().enumerate() {
        let Some(mut value) = map.remove(*member) else { continue };
        let mut known = Known::default();
        for earlier in &members[..index] {
            if let Some(value) = map.get(*earlier) {
                known.add(&format!("{name}.{earlier}"), value);
            }
        }
        known.replace(&mut value);
        map.insert((*member).to_owned(), value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exact_copies_become_pointers_and_others_stay() {
        let long = "x".repeat(60);
        let output = json!([{ "type": "text", "text": long }]);
        let mut known = Known::default();
        known.add("output", &output);
        let mut value = json!({ "stdout": long, "stderr": "", "error": format!("Error: {long}"), "more": "y".repeat(60) });
        known.replace(&mut value);
        assert_eq!(value["stdout"], json!({ "$same": "output.0.text" }));
        assert_eq!(value["error"], json!({ "$same": "output.0.text", "before": "Error: " }));
        assert_eq!((&value["stderr"], &value["more"]), (&json!(""), &json!("y".repeat(60))));
    }

    #[test]
    fn copies_among_members_point_to_the_first() {
        let long = "z".repeat(60);
        let mut map = json!({ "a": long, "b": long, "c": "short" }).as_object().cloned().unwrap_or_default();
        fold_members(&mut map, "body", &["a", "b", "c"]);
        assert_eq!(map["b"], json!({ "$same": "body.a" }));
        assert_eq!((&map["a"], &map["c"]), (&json!(long), &json!("short")));
    }
}
