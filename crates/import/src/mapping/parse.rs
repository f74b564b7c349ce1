//! A mapping file becomes a [`Mapping`], every name in it checked.

use std::collections::BTreeMap;
use std::ops::Range;

use event::{KINDS, Kind};
use toml::de::DeTable;

use super::MappingError;
use super::apply::RECORDS;
use super::grammar::{Node, Text};
use super::plan::{Below, Content, Does, Mapping, Rule, SessionFrom, Set, Shape, Step, Usage, When};

pub(super) type Read<T> = Result<T, MappingError>;

const STEP: &[&str] =
    &["when", "kind", "each", "records", "use", "with", "sort", "once", "told", "last", "do"];
const COUNTS: &[&str] = &["input", "output", "cached", "reasoning"];
/// Kinds that the recorder alone makes.
const NOT_HERE: &[&str] = &["raw.kept", "gap.found", "session.opened", "session.linked"];

/// Reads a mapping, and the rules that it may use.
pub(super) fn mapping(text: &str, shared: &str) -> Read<Mapping> {
    let mut mapping = Mapping {
        name: String::new(),
        home: String::new(),
        rewritten: false,
        shapes: Vec::new(),
        session: SessionFrom::default(),
        injected: Vec::new(),
        usage: BTreeMap::new(),
        sets: BTreeMap::new(),
    };
    let rules = File { text: Text(shared) };
    let shared = rules.read(&mut mapping)?;
    let file = File { text: Text(text) };
    let named = file.read(&mut mapping)?;
    let missing = |what: &str, hint: &str| MappingError {
        hint: Some(hint.to_owned()),
        ..file.text.error(0..0, format!("there is no {what}"))
    };
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if mapping.name.is_empty() || !mapping.name.chars().all(plain) {
        return Err(missing(
            "name in small letters, digits and -",
            "write name = \"my-tool\" in the first line",
        ));
    }
    if mapping.shapes.is_empty() {
        return Err(missing(
            "[[recognise]]",
            "say what the first records look like, or no file is this tool's",
        ));
    }
    if !mapping.sets.contains_key(RECORDS) {
        return Err(missing("[set.record]", "its rules say what each record of a file becomes"));
    }
    rules.check_names(&mapping, shared)?;
    file.check_names(&mapping, named)?;
    Ok(mapping)
}

/// Names that have to be there when all is read.
#[derive(Default)]
pub(super) struct Named {
    pub(super) sets: Vec<(String, Range<usize>)>,
    pub(super) usage: Vec<(String, Range<usize>)>,
}

#[derive(Clone, Copy)]
pub(super) struct File<'t> {
    pub(super) text: Text<'t>,
}

impl<'t> File<'t> {
    fn read(self, into: &mut Mapping) -> Read<Named> {
        const TOP: &[&str] =
            &["name", "about", "home", "rewritten", "injected", "recognise", "session", "usage", "set"];
        let mut named = Named::default();
        let table = self.text.table()?;
        for (key, node) in table.get_ref() {
            match key.get_ref().as_ref() {
                "name" => self.text.string(node)?.clone_into(&mut into.name),
                "home" => self.text.string(node)?.clone_into(&mut into.home),
                "rewritten" => into.rewritten = self.text.flag(node)?,
                "about" => drop(self.text.string(node)?),
                "injected" => into.injected.extend(self.text.strings(node)?),
                "recognise" => {
                    for shape in Text::list(node) {
                        into.shapes.push(self.shape(shape)?);
                    }
                }
                "session" => into.session = self.session(node)?,
                "usage" => {
                    for (name, node) in self.text.map(node)? {
                        into.usage.insert(name.get_ref().to_string(), self.usage(node)?);
                    }
                }
                "set" => {
                    for (name, node) in self.text.map(node)? {
                        into.sets.insert(name.get_ref().to_string(), self.set(node, &mut named)?);
                    }
                }
                other => return Err(self.unknown(key.span(), "entry", other, TOP)),
            }
        }
        Ok(named)
    }

    fn check_names(self, mapping: &Mapping, named: Named) -> Read<()> {
        let (sets, usage) = (&mapping.sets, &mapping.usage);
        if let Some((name, at)) = named.sets.into_iter().find(|(name, _)| !sets.contains_key(name)) {
            return Err(self.text.unknown(at, "set", &name, sets.keys().map(String::as_str)));
        }
        if let Some((name, at)) = named.usage.into_iter().find(|(name, _)| !usage.contains_key(name)) {
            return Err(self.text.unknown(at, "usage", &name, usage.keys().map(String::as_str)));
        }
        Ok(())
    }

    pub(super) fn unknown(self, at: Range<usize>, what: &str, word: &str, known: &[&str]) -> MappingError {
        self.text.unknown(at, what, word, known.iter().copied())
    }

    fn shape(self, node: &Node<'t>) -> Read<Shape> {
        let mut shape = Shape { any: Vec::new(), all: None, first: None, none: None };
        for (key, node) in self.text.map(node)? {
            match key.get_ref().as_ref() {
                "any" => {
                    for when in Text::list(node) {
                        shape.any.push(self.when(when)?);
                    }
                }
                "all" => shape.all = Some(self.when(node)?),
                "first" => shape.first = Some(self.when(node)?),
                "none" => shape.none = Some(self.when(node)?),
                other => {
                    return Err(self.unknown(key.span(), "test", other, &["any", "all", "first", "none"]));
                }
            }
        }
        Ok(shape)
    }

    fn session(self, node: &Node<'t>) -> Read<SessionFrom> {
        const WAYS: &[&str] = &["id", "when", "file", "beside", "content"];
        let mut from = SessionFrom::default();
        for node in Text::list(node) {
            let table = self.text.map(node)?;
            for (key, node) in table {
                match key.get_ref().as_ref() {
                    "id" => {
                        let when =
                            table.get("when").map_or_else(|| Ok(When::default()), |when| self.when(when))?;
                        from.ids.push((when, self.source(node, &mut Named::default())?));
                    }
                    "when" => {}
                    "file" => from.file.extend(self.text.strings(node)?),
                    "beside" => from.beside = Some(self.beside(node)?),
                    "content" => {
                        for node in Text::list(node) {
                            from.content.push(self.content(node)?);
                        }
                    }
                    other => return Err(self.unknown(key.span(), "entry", other, WAYS)),
                }
            }
        }
        Ok(from)
    }

    fn content(self, node: &Node<'t>) -> Read<Content> {
        Ok(match self.text.string(node)? {
            "first" => Content::First,
            "file" => Content::File,
            "record" => Content::Record,
            _ => Content::Part(self.text.path(node)?),
        })
    }

    fn beside(self, node: &Node<'t>) -> Read<(String, super::path::Path)> {
        let table = self.text.map(node)?;
        let (Some(name), Some(id)) = (table.get("file"), table.get("id")) else {
            return Err(self.text.error(node.span(), "beside needs a file and an id"));
        };
        Ok((self.text.string(name)?.to_owned(), self.text.path(id)?))
    }

    fn usage(self, node: &Node<'t>) -> Read<Usage> {
        let mut usage = Usage::default();
        for (key, node) in self.text.map(node)? {
            let word = key.get_ref().as_ref();
            let known = COUNTS.iter().find(|name| **name == word);
            let name = known.ok_or_else(|| self.unknown(key.span(), "count", word, COUNTS))?;
            let paths = Text::list(node).into_iter().map(|path| self.text.path(path));
            usage.counts.push((name, paths.collect::<Read<_>>()?));
        }
        Ok(usage)
    }

    fn set(self, node: &Node<'t>, named: &mut Named) -> Read<Set> {
        let mut set = Set::default();
        for (key, node) in self.text.map(node)? {
            match key.get_ref().as_ref() {
                "id" => set.id = Some(self.text.path(node)?),
                "parent" => set.parent = Some(self.text.path(node)?),
                "unique" => set.unique = Some(self.text.path(node)?),
                "session" => set.session = Some(self.text.path(node)?),
                "unpack" => {
                    let paths = Text::list(node).into_iter().map(|path| self.text.path(path));
                    set.unpack = paths.collect::<Read<_>>()?;
                }
                "rule" => {
                    for rule in Text::list(node) {
                        set.rules.push(self.rule(rule, named)?);
                    }
                }
                name => set.shared.push(self.shared(key.span(), name, node, named)?),
            }
        }
        Ok(set)
    }

    fn rule(self, node: &Node<'t>, named: &mut Named) -> Read<Rule> {
        let table = self.text.map(node)?;
        let when = table.get("when").map_or_else(|| Ok(When::default()), |when| self.when(when))?;
        let steps = match table.get("do") {
            Some(list) => {
                if let Some((key, _)) =
                    table.iter().find(|(key, _)| !["when", "do"].contains(&key.get_ref().as_ref()))
                {
                    return Err(self
                        .text
                        .error(key.span(), "beside do stands only when; put this into a step"));
                }
                Text::list(list).into_iter().map(|step| self.step(step, named)).collect::<Read<_>>()?
            }
            None => vec![Step { when: When::default(), does: self.does(node, table, named)? }],
        };
        Ok(Rule { when, steps })
    }

    fn step(self, node: &Node<'t>, named: &mut Named) -> Read<Step> {
        let table = self.text.map(node)?;
        let when = table.get("when").map_or_else(|| Ok(When::default()), |when| self.when(when))?;
        Ok(Step { when, does: self.does(node, table, named)? })
    }

    fn does(self, node: &Node<'t>, table: &DeTable<'t>, named: &mut Named) -> Read<Does> {
        if let Some(kind) = table.get("kind") {
            return self.event(kind, table, named);
        }
        let list = ["each", "records"].iter().find_map(|name| Some((*name, table.get(*name)?)));
        let (Some((name, path)), Some(set)) = (list, table.get("use")) else {
            return Err(self
                .text
                .error(node.span(), "a step is a kind of event, or each or records with use"));
        };
        let mut below = Below {
            path: self.text.path(path)?,
            set: self.text.string(set)?.to_owned(),
            with: Vec::new(),
            sort: None,
            once: false,
            told: false,
        };
        named.sets.push((below.set.clone(), set.span()));
        for (key, node) in table {
            match key.get_ref().as_ref() {
                "with" => {
                    for (key, node) in self.text.map(node)? {
                        below.with.push(self.shared(key.span(), key.get_ref(), node, named)?);
                    }
                }
                "sort" => below.sort = Some(self.text.path(node)?),
                "once" => below.once = self.text.flag(node)?,
                "told" => below.told = self.text.flag(node)?,
                "each" | "records" | "use" | "when" => {}
                other => return Err(self.unknown(key.span(), "entry of a step", other, STEP)),
            }
        }
        Ok(if name == "each" { Does::Each(below) } else { Does::Records(below) })
    }

    fn event(self, kind: &Node<'t>, table: &DeTable<'t>, named: &mut Named) -> Read<Does> {
        let name = self.text.string(kind)?;
        let own = || KINDS.iter().map(|spec| spec.name).filter(|name| !NOT_HERE.contains(name));
        let kind = match Kind::known(name) {
            Ok(known) if !NOT_HERE.contains(&name) && !name.starts_with("audit.") => known,
            _ => return Err(self.text.unknown(kind.span(), "kind", name, own())),
        };
        let (mut fields, mut last) = (Vec::new(), false);
        for (key, node) in table {
            match key.get_ref().as_ref() {
                "kind" | "when" => {}
                "last" => last = self.text.flag(node)?,
                name if STEP.contains(&name) => {
                    return Err(self.text.error(key.span(), format!("{name} does not go with a kind")));
                }
                name => fields.push(self.field(&kind, key.span(), name, node, named)?),
            }
        }
        Ok(Does::Event { kind, fields, last })
    }
}
