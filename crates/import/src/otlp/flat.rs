//! Attributes that are a list in pieces: `llm.input_messages.0.message.role`, `gen_ai.prompt.0.content`.

use serde_json::{Map, Value};

/// A list longer than this is none.
const LONGEST: usize = 100_000;
/// Attributes nested deeper stay as they are.
const DEEPEST: usize = 16;
/// Wrappers of one member around what is meant.
const WRAPPERS: &[&str] = &["message", "document", "prompt", "completion"];

#[derive(Default)]
struct Node {
    value: Option<Value>,
    members: Map<String, Value>,
    children: std::collections::BTreeMap<String, Node>,
}

/// Takes every attribute below `prefix` out and puts the list together; `None` if there is none.
pub(super) fn take_list(attributes: &mut Map<String, Value>, prefix: &str) -> Option<Value> {
    let is_piece = |name: &String| {
        name.strip_prefix(prefix).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
    };
    let names: Vec<String> = attributes.keys().filter(|name| is_piece(name)).cloned().collect();
    let mut root = Node::default();
    for name in names {
        let path: Vec<&str> = name[prefix.len()..].split('.').collect();
        if path.len() <= DEEPEST {
            root.put(&path, attributes.remove(&name).unwrap_or_default());
        }
    }
    let Value::Array(items) = root.value() else { return None };
    Some(items.into_iter().map(without_wrapper).collect())
}

fn without_wrapper(item: Value) -> Value {
    match item {
        Value::Object(mut map) if map.len() == 1 => {
            let name = WRAPPERS.iter().find(|name| map.get(**name).is_some_and(Value::is_object));
            name.and_then(|name| map.remove(*name)).unwrap_or(Value::Object(map))
        }
        other => other,
    }
}

impl Node {
    fn put(&mut self, path: &[&str], value: Value) {
        match path.split_first() {
            None => self.value = Some(value),
            Some((first, rest)) => self.children.entry((*first).to_owned()).or_default().put(rest, value),
        }
    }

    fn value(mut self) -> Value {
        if self.children.is_empty() {
            return self.value.unwrap_or_default();
        }
        let numbers: Option<Vec<usize>> = self.children.keys().map(|name| name.parse().ok()).collect();
        if let (Some(numbers), None) = (numbers, &self.value)
            && numbers.iter().all(|number| *number < LONGEST)
        {
            let mut items: Vec<(usize, Node)> =
                numbers.into_iter().zip(self.children.into_values()).collect();
            items.sort_by_key(|(number, _)| *number);
            return items.into_iter().map(|(_, node)| node.value()).collect();
        }
        if let Some(value) = self.value.take() {
            // an attribute with a value and others below it
            self.members.insert("value".to_owned(), value);
        }
        for (name, node) in self.children {
            self.members.insert(name, node.value());
        }
        Value::Object(self.members)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn pieces_become_a_list_again() {
        let given = json!({
            "p.10.message.role": "tool", "p.2.message.role": "user", "p.2.message.contents.0.message_content.text": "x",
            "p.2.message.contents": "odd", "other": 1, "p.x": 2,
        });
        let mut attributes = given.as_object().cloned().unwrap_or_default();
        let expected = json!([
            {"role": "user", "contents": {"value": "odd", "0": {"message_content": {"text": "x"}}}},
            {"role": "tool"},
        ]);
        assert_eq!(take_list(&mut attributes, "p."), Some(expected));
        assert_eq!(Value::Object(attributes), json!({"other": 1, "p.x": 2}));
        assert_eq!(take_list(&mut Map::new(), "p."), None);
    }
}
