//! Taking members out of a record: what is taken is mapped, what stays goes into `ext`.

use serde_json::{Map, Value};

/// Members by name and type; one of another type stays where it is.
pub(crate) trait TakeMembers {
    /// The member, if it is a string.
    fn take_text(&mut self, name: &str) -> Option<String>;
    /// The member, whatever it is; a null says nothing and stays.
    fn take_value(&mut self, name: &str) -> Option<Value>;
    /// The member, if it is an object.
    fn take_object(&mut self, name: &str) -> Option<Map<String, Value>>;
    /// The member, if it is an integer that a header takes.
    fn take_count(&mut self, name: &str) -> Option<i64>;
    /// The member's text, left where it is.
    fn text(&self, name: &str) -> Option<&str>;
    /// True if the member is `true`.
    fn flag(&self, name: &str) -> bool;
    /// The integer, left where it is, if a header takes it.
    fn count(&self, name: &str) -> Option<i64>;
}

impl TakeMembers for Map<String, Value> {
    fn take_text(&mut self, name: &str) -> Option<String> {
        match self.remove(name)? {
            Value::String(text) => Some(text),
            other => {
                self.insert(name.to_owned(), other);
                None
            }
        }
    }

    fn take_value(&mut self, name: &str) -> Option<Value> {
        self.get(name).filter(|value| !value.is_null())?;
        self.remove(name)
    }

    fn take_object(&mut self, name: &str) -> Option<Map<String, Value>> {
        match self.remove(name)? {
            Value::Object(map) => Some(map),
            other => {
                self.insert(name.to_owned(), other);
                None
            }
        }
    }

    fn take_count(&mut self, name: &str) -> Option<i64> {
        let count = self.count(name)?;
        self.remove(name);
        Some(count)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    fn flag(&self, name: &str) -> bool {
        self.get(name).and_then(Value::as_bool).unwrap_or(false)
    }

    fn count(&self, name: &str) -> Option<i64> {
        const LIMIT: u64 = 1 << 53;
        self.get(name)?.as_i64().filter(|n| n.unsigned_abs() < LIMIT)
    }
}
