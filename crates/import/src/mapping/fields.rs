//! Fields of events in a mapping file: where they go, where they come from, and what must hold.

use std::ops::Range;

use event::{FieldType, Kind, nearest};

use super::emit::field_type;
use super::grammar::{Node, Text};
use super::parse::{File, Named, Read};
use super::plan::{Field, Source, TYPES, Target, Test, When};

/// Words that shape an event and are no field of it.
const WORDS: &[&str] = &["time", "failed", "ok", "opaque", "response", "unnamed"];
/// What all events of a record may share.
const SHARABLE: &[&str] = &[
    "agent",
    "agent_id",
    "parent_agent",
    "group",
    "model",
    "from",
    "source",
    "role",
    "skill",
    "call",
    "corr",
    "injected",
    "form",
];
const SOURCE: &[&str] =
    &["path", "value", "map", "else", "between", "times", "starts", "wrap", "as", "object"];
/// A name this near to a known one is a typing mistake.
const LIKE: f64 = 0.9;

impl<'t> File<'t> {
    /// A field of an event: of its header, of its data, or a word.
    pub(super) fn field(
        self,
        kind: &Kind,
        at: Range<usize>,
        name: &str,
        node: &Node<'t>,
        named: &mut Named,
    ) -> Read<Field> {
        let from = self.source(node, named)?;
        if from.usage.is_some() != (name == "usage") {
            return Err(self
                .text
                .error(at, "usage = { path = …, as = … } is how counts are read, and nothing else"));
        }
        let to = match field_type(kind, name) {
            Some(field) => Target::Header(field),
            None if WORDS.contains(&name) => Target::Word,
            None => {
                self.check_member(kind, at, name)?;
                Target::Data
            }
        };
        Ok(Field { name: name.to_owned(), to, from })
    }

    /// Members of `data` are free, but for typing mistakes.
    fn check_member(self, kind: &Kind, at: Range<usize>, name: &str) -> Read<()> {
        let spec = kind.spec();
        let usual = spec.map_or(&[] as &[_], |spec| spec.data);
        let header = spec.map_or(&[] as &[_], |spec| spec.header);
        if usual.contains(&name) {
            return Ok(());
        }
        let known =
            || usual.iter().copied().chain(header.iter().map(|(name, _)| *name)).chain(WORDS.iter().copied());
        let plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_';
        let fits =
            name.starts_with(|c: char| c.is_ascii_lowercase()) && name.bytes().all(plain) && name.len() <= 64;
        let taken = ["hash", "data", "salt", "ext", "redactions"].contains(&name);
        let mistaken = nearest(name, known()).is_some_and(|near| strsim::jaro_winkler(name, near) > LIKE);
        if !fits || taken || mistaken {
            return Err(self.text.unknown(at, &format!("field of {kind}"), name, known()));
        }
        Ok(())
    }

    /// A field that all events below share.
    pub(super) fn shared(
        self,
        at: Range<usize>,
        name: &str,
        node: &Node<'t>,
        named: &mut Named,
    ) -> Read<Field> {
        let from = self.source(node, named)?;
        let to = match name {
            "injected" => Target::Header(FieldType::Flag),
            name if WORDS.contains(&name) => Target::Word,
            name if SHARABLE.contains(&name) => Target::Header(FieldType::Text),
            other => {
                let known = SHARABLE
                    .iter()
                    .chain(WORDS)
                    .copied()
                    .chain(["id", "parent", "unique", "session", "unpack", "rule"]);
                return Err(self.text.unknown(at, "shared field", other, known));
            }
        };
        Ok(Field { name: name.to_owned(), to, from })
    }

    pub(super) fn source(self, node: &Node<'t>, named: &mut Named) -> Read<Source> {
        if let Some(path) = node.get_ref().as_str() {
            return Ok(Source { path: Some(self.text.path_of(node.span(), path)?), ..Source::default() });
        }
        let mut source = Source::default();
        for (key, node) in self.text.map(node)? {
            match key.get_ref().as_ref() {
                "path" => source.path = Some(self.text.path(node)?),
                "value" => source.value = Some(self.text.value(node)?),
                "else" => source.otherwise = Some(self.text.value(node)?),
                "map" => {
                    for (name, node) in self.text.map(node)? {
                        source.map.insert(name.get_ref().to_string(), self.text.value(node)?);
                    }
                }
                "between" => match self.text.strings(node)?.as_slice() {
                    [before, after] => source.between = Some((before.clone(), after.clone())),
                    _ => return Err(self.text.error(node.span(), "between needs two texts")),
                },
                "times" => source.times = self.text.value(node)?.as_f64(),
                "starts" => source.starts = self.text.strings(node)?,
                "wrap" => source.wrap = Some(self.text.string(node)?.to_owned()),
                "as" => {
                    let name = self.text.string(node)?.to_owned();
                    named.usage.push((name.clone(), node.span()));
                    source.usage = Some(name);
                }
                "object" => {
                    for (name, node) in self.text.map(node)? {
                        source.object.push((name.get_ref().to_string(), self.text.path(node)?));
                    }
                }
                other => return Err(self.unknown(key.span(), "entry of a source", other, SOURCE)),
            }
        }
        if source.path.is_none() && source.value.is_none() && source.object.is_empty() {
            return Err(self.text.error(node.span(), "a source needs a path, a value or an object"));
        }
        Ok(source)
    }

    pub(super) fn when(self, node: &Node<'t>) -> Read<When> {
        let mut tests = Vec::new();
        for (key, node) in self.text.map(node)? {
            let path = self.text.path_of(key.span(), key.get_ref())?;
            tests.push((path, self.test(node)?));
        }
        Ok(When(tests))
    }

    fn test(self, node: &Node<'t>) -> Read<Test> {
        const TESTS: &[&str] = &["is", "starts", "has", "not"];
        let Some(table) = node.get_ref().as_table() else {
            let values = Text::list(node).into_iter().map(|value| self.text.value(value));
            return Ok(Test::OneOf(values.collect::<Read<_>>()?));
        };
        let Some((key, inner)) = table.iter().next().filter(|_| table.len() == 1) else {
            return Err(self.text.error(node.span(), "a test is one of is, starts, has and not"));
        };
        match key.get_ref().as_ref() {
            "is" => {
                let word = self.text.string(inner)?;
                let found = TYPES.iter().find(|(name, _)| *name == word);
                let known = TYPES.iter().map(|(name, _)| *name);
                found
                    .map(|(_, shape)| Test::Is(*shape))
                    .ok_or_else(|| self.text.unknown(inner.span(), "type", word, known))
            }
            "starts" => Ok(Test::Starts(self.text.strings(inner)?)),
            "has" => Ok(Test::Has(self.text.strings(inner)?)),
            "not" => Ok(Test::Not(Box::new(self.test(inner)?))),
            other => Err(self.unknown(key.span(), "test", other, TESTS)),
        }
    }
}
