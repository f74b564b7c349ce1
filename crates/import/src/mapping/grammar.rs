//! The TOML of a mapping file, with the line of whatever is wrong in it.

use std::ops::Range;

use event::nearest;
use serde_json::{Number, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::MappingError;
use super::path::Path;

/// A value and its place in the text.
pub(super) type Node<'t> = Spanned<DeValue<'t>>;

/// The text that is read.
#[derive(Clone, Copy)]
pub(super) struct Text<'t>(pub(super) &'t str);

impl<'t> Text<'t> {
    pub(super) fn table(self) -> Result<Spanned<DeTable<'t>>, MappingError> {
        DeTable::parse(self.0).map_err(|error| {
            let at = error.span().unwrap_or(0..0);
            self.error(at, error.message().to_owned())
        })
    }

    pub(super) fn error(self, at: Range<usize>, what: impl Into<String>) -> MappingError {
        let line =
            self.0.as_bytes()[..at.start.min(self.0.len())].iter().filter(|b| **b == b'\n').count() + 1;
        MappingError { line, what: what.into(), hint: None }
    }

    /// A word that is none of the known ones.
    pub(super) fn unknown<'k>(
        self,
        at: Range<usize>,
        what: &str,
        word: &str,
        known: impl Iterator<Item = &'k str> + Clone,
    ) -> MappingError {
        let mut error = self.error(at, format!("{what} {word:?} is not known"));
        error.hint = Some(match nearest(word, known.clone()) {
            Some(near) => format!("did you mean {near}?"),
            None => format!("known are {}", known.collect::<Vec<_>>().join(", ")),
        });
        error
    }

    pub(super) fn string<'n>(self, node: &'n Node<'t>) -> Result<&'n str, MappingError> {
        let text = node.get_ref().as_str();
        text.ok_or_else(|| self.error(node.span(), "a string must stand here"))
    }

    pub(super) fn flag(self, node: &Node<'t>) -> Result<bool, MappingError> {
        let flag = node.get_ref().as_bool();
        flag.ok_or_else(|| self.error(node.span(), "true or false must stand here"))
    }

    pub(super) fn map<'n>(self, node: &'n Node<'t>) -> Result<&'n DeTable<'t>, MappingError> {
        let table = node.get_ref().as_table();
        table.ok_or_else(|| self.error(node.span(), "a table must stand here, such as { a = \"b\" }"))
    }

    /// A list, or the one thing that stands alone.
    pub(super) fn list<'n>(node: &'n Node<'t>) -> Vec<&'n Node<'t>> {
        match node.get_ref().as_array() {
            Some(items) => items.iter().collect(),
            None => vec![node],
        }
    }

    pub(super) fn strings(self, node: &Node<'t>) -> Result<Vec<String>, MappingError> {
        Self::list(node).into_iter().map(|item| self.string(item).map(str::to_owned)).collect()
    }

    pub(super) fn path(self, node: &Node<'t>) -> Result<Path, MappingError> {
        let text = self.string(node)?;
        self.path_of(node.span(), text)
    }

    pub(super) fn path_of(self, at: Range<usize>, text: &str) -> Result<Path, MappingError> {
        Path::parse(text).map_err(|what| MappingError {
            hint: Some("a path is written like message.content, a.0.b or a | b".to_owned()),
            ..self.error(at, what)
        })
    }

    /// A value as records have them.
    pub(super) fn value(self, node: &Node<'t>) -> Result<Value, MappingError> {
        let number = |text: &str| text.replace('_', "").parse::<Number>().ok().map(Value::Number);
        let value = match node.get_ref() {
            DeValue::String(text) => Some(Value::from(text.as_ref())),
            DeValue::Boolean(flag) => Some((*flag).into()),
            DeValue::Integer(integer) if integer.radix() == 10 => number(integer.as_str()),
            DeValue::Float(float) => number(float.as_str()),
            _ => None,
        };
        value.ok_or_else(|| self.error(node.span(), "a string, a number, true or false must stand here"))
    }
}
