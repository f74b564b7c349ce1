//! From text to tree: a cursor over bytes, one function a rule of the grammar.

use event::EventRef;

use super::deep::{Deep, regex};
use super::fields::{FIELDS, FieldKind, FieldSpec};
use super::open::{Name, Open};
use super::times::{span, time_range};
use super::values::{count_range, marks, near, no_bound, seq_range, unbounded, words_node};
use super::{Item, MAX_BYTES, MAX_CLAUSES, MAX_DEPTH, Measure, Node, Now, QueryError};
use crate::facts::Keyword;
use crate::fold::keyword;

pub(super) type Parsed<T> = Result<T, QueryError>;

pub(super) fn parse(text: &str, now: &Now) -> Parsed<Node> {
    if text.len() > MAX_BYTES {
        let message = format!("the query has {} bytes, more than {MAX_BYTES}", text.len());
        return Err(QueryError::new(MAX_BYTES, message));
    }
    let mut parser = Parser { text, at: 0, now, clauses: 0, depth: 0 };
    let root = parser.any()?;
    match parser.peek() {
        None => match unbounded(&root, false) {
            None => Ok(root),
            Some(pattern) => Err(no_bound(text, pattern)),
        },
        Some(_) => Err(QueryError::new(parser.at, "this parenthesis closes nothing")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    now: &'a Now,
    clauses: usize,
    depth: usize,
}

/// A piece of text and how it was written.
pub(super) struct Written {
    pub(super) text: String,
    pub(super) at: usize,
    pub(super) quoted: bool,
    pub(super) prefix: bool,
    /// What stands behind a `~`.
    pub(super) tilde: Option<u32>,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&mut self) -> Option<char> {
        self.at += self.rest().len() - self.rest().trim_start().len();
        self.rest().chars().next()
    }

    /// Takes `word` if it stands here by itself.
    fn take_word(&mut self, word: &str) -> bool {
        self.peek();
        let found = self
            .rest()
            .strip_prefix(word)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '(', '\t', '\n']));
        self.at += if found { word.len() } else { 0 };
        found
    }

    fn any(&mut self) -> Parsed<Node> {
        let mut nodes = vec![self.all()?];
        let mut or_at = self.at;
        while self.take_word("OR") {
            if nodes.last() == Some(&Node::All) {
                return Err(QueryError::new(or_at, "OR has nothing before it"));
            }
            let at = self.at;
            let node = self.all()?;
            if node == Node::All {
                return Err(QueryError::new(at, "OR has nothing after it"));
            }
            nodes.push(node);
            or_at = self.at;
        }
        Ok(flat(nodes, Node::Or))
    }

    fn all(&mut self) -> Parsed<Node> {
        let mut nodes = Vec::new();
        loop {
            match self.peek() {
                None | Some(')') => break,
                Some(_) if self.at_or() => break,
                Some(_) if self.take_word("AND") && !nodes.is_empty() => {}
                Some(_) => nodes.push(self.one()?),
            }
        }
        if nodes.is_empty() { Ok(Node::All) } else { Ok(flat(nodes, Node::And)) }
    }

    fn at_or(&mut self) -> bool {
        let at = self.at;
        let found = self.take_word("OR");
        self.at = at;
        found
    }

    fn one(&mut self) -> Parsed<Node> {
        let at = self.at;
        let dash = self
            .rest()
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|c: char| c != '-' && !c.is_whitespace()));
        if dash || self.take_word("NOT") {
            self.at += usize::from(dash);
            return match self.peek() {
                None | Some(')') => Err(QueryError::new(at, "nothing follows the \"not\"")),
                Some(_) => Ok(Node::Not(Box::new(self.nested(Self::one)?))),
            };
        }
        if self.rest().starts_with('(') {
            return self.parenthesis();
        }
        self.clauses += 1;
        if self.clauses > MAX_CLAUSES {
            return Err(QueryError::new(self.at, format!("more than {MAX_CLAUSES} words and filters")));
        }
        if let Some(pattern) = self.slashed() {
            return self.regex(pattern);
        }
        if let Some(name) = self.saved() {
            let at = self.at;
            self.at += name.len() + 1;
            return Ok(Node::Open(Open { name: Name::Saved(name.to_owned()), at }));
        }
        match self.field_name() {
            Some(name) => self.field(name),
            None => self.words(),
        }
    }

    /// `re` of `/re/`; not of `/usr/bin` or `/a/b`, which go on behind the second slash.
    fn slashed(&self) -> Option<&'a str> {
        let rest = self.rest().strip_prefix('/')?;
        let mut escaped = false;
        let end = rest.char_indices().find(|(_, c)| {
            let ends = *c == '/' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        })?;
        let behind = rest[end.0 + 1..].chars().next();
        let ends = behind.is_none_or(|c| c.is_whitespace() || c == ')');
        (end.0 > 0 && ends).then(|| &rest[..end.0])
    }

    fn regex(&mut self, pattern: &str) -> Parsed<Node> {
        let at = self.at;
        self.at += pattern.len() + 2;
        match regex(pattern) {
            Ok(_) => Ok(Node::Deep(Deep::Regex(pattern.to_owned()))),
            Err(what) => Err(QueryError::new(at, format!("this is no regex: {what}"))
                .hint("to look for the text itself, quote it")),
        }
    }

    /// `name` of `@name`.
    fn saved(&self) -> Option<&'a str> {
        let rest = self.rest().strip_prefix('@')?;
        let len =
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_').unwrap_or(rest.len());
        let ends = rest[len..].chars().next().is_none_or(|c| c.is_whitespace() || c == ')');
        (len > 0 && ends).then(|| &rest[..len])
    }

    fn parenthesis(&mut self) -> Parsed<Node> {
        let opened = self.at;
        self.at += 1;
        let inner = self.nested(Self::any)?;
        if self.peek() != Some(')') {
            return Err(QueryError::new(opened, "this parenthesis is not closed"));
        }
        self.at += 1;
        match inner {
            Node::All => Err(QueryError::new(opened, "nothing stands in these parentheses")),
            inner => Ok(inner),
        }
    }

    fn nested(&mut self, rule: fn(&mut Self) -> Parsed<Node>) -> Parsed<Node> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(QueryError::new(self.at, format!("nested deeper than {MAX_DEPTH}")));
        }
        let node = rule(self);
        self.depth -= 1;
        node
    }

    /// `name` of `name:value`; not of `https://…`, `a::b`, `C:\…`, `file.rs:12` or `12:30`.
    fn field_name(&self) -> Option<&'a str> {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_alphabetic() && c != '_')?;
        let value = rest[len..].strip_prefix(':')?;
        let text = len == 0 || value.starts_with([':', '\\']) || value.starts_with("//");
        (!text).then(|| &rest[..len])
    }

    fn field(&mut self, name: &str) -> Parsed<Node> {
        let spec = find_field(name, self.at)?;
        self.at += name.len() + 1;
        let compare = [">=", "<=", ">", "<", "="].into_iter().find(|sign| self.rest().starts_with(sign));
        self.at += compare.map_or(0, str::len);
        let values = self.values(spec.name)?;
        let counted = || compare.is_some() || values[0].text.starts_with(|c: char| c.is_ascii_digit());
        let ordered = matches!(spec.kind, FieldKind::Seq | FieldKind::Count(_))
            || (spec.kind == FieldKind::Redacted && counted())
            || matches!(
                spec.kind,
                FieldKind::At | FieldKind::Since | FieldKind::Until | FieldKind::After | FieldKind::Before
            );
        if ordered {
            return self.bounds(spec, compare.unwrap_or("="), &values);
        }
        if compare.is_some_and(|sign| sign != "=") {
            return Err(QueryError::new(values[0].at, format!("{name}: takes words, it has no order")));
        }
        let items =
            || values.iter().map(|v| Item { text: keyword(&v.text), prefix: v.prefix }).collect::<Vec<_>>();
        let open = |name: Name| Node::Open(Open { name, at: values[0].at });
        Ok(match spec.kind {
            FieldKind::File => Node::Deep(Deep::File(items())),
            FieldKind::Confidence => Node::Deep(Deep::Confidence(items())),
            FieldKind::Redacted => Node::Deep(Deep::Redacted(items())),
            FieldKind::Project => open(Name::Project(items())),
            FieldKind::Case => open(Name::Case(items())),
            FieldKind::Near => {
                let each = values.iter().map(near).collect::<Parsed<Vec<_>>>()?;
                flat(each, Node::Or)
            }
            FieldKind::Keyword(Keyword::Is) => marks(&values)?,
            FieldKind::Keyword(field) => Node::Keyword { field, values: items() },
            // the ordered ones went before
            _ => Node::All,
        })
    }

    fn values(&mut self, name: &str) -> Parsed<Vec<Written>> {
        let mut values = Vec::new();
        loop {
            let at = self.at;
            let value = self.written(&[',', '|'])?;
            if value.text.is_empty() && !value.quoted {
                let error = QueryError::new(at, format!("{name}: needs a value"));
                return Err(error.hint(format!("to look for the text itself, quote it: \"{name}:\"")));
            }
            values.push(value);
            if !self.rest().starts_with([',', '|']) {
                return Ok(values);
            }
            self.at += 1;
        }
    }

    fn bounds(&self, spec: &FieldSpec, sign: &str, values: &[Written]) -> Parsed<Node> {
        let nodes = values.iter().map(|value| self.bound(spec, sign, value)).collect::<Parsed<Vec<_>>>()?;
        Ok(flat(nodes, Node::Or))
    }

    fn bound(&self, spec: &FieldSpec, sign: &str, value: &Written) -> Parsed<Node> {
        let bad = |what: &str| {
            QueryError::new(value.at, format!("{}: takes {what}, not {:?}", spec.name, value.text))
        };
        if spec.kind == FieldKind::Seq {
            let seq: u64 = value.text.parse().map_err(|_| bad("a sequence"))?;
            return Ok(seq_range(sign, seq));
        }
        match spec.kind {
            FieldKind::Count(measure) => return count_range(sign, measure, value),
            FieldKind::Redacted => return count_range(sign, Measure::Secrets, value),
            _ => {}
        }
        let sign = match (spec.kind, sign) {
            (FieldKind::Since, _) | (_, ">=") => ">=",
            (FieldKind::Until, _) | (_, "<=") => "<=",
            (FieldKind::After, _) | (_, ">") => ">",
            (FieldKind::Before, _) | (_, "<") => "<",
            _ => "=",
        };
        if let Some(event) = value.text.strip_prefix('@') {
            let event = EventRef::parse(event).map_err(|_| {
                bad("an event behind the @").hint("write session/sequence, e.g. since:@sample-auth/17")
            })?;
            return Ok(Node::Open(Open { name: Name::Time(sign, event), at: value.at }));
        }
        let span = span(&value.text, self.now).ok_or_else(|| {
            bad("a time").hint(
                "write 2h, 3d, yesterday, \"last night\", 2026-11-27, 2026-11-27T20:47:00Z or @session/17",
            )
        })?;
        Ok(time_range(sign, span))
    }

    fn words(&mut self) -> Parsed<Node> {
        let written = self.written(&[])?;
        if written.text.is_empty() && !written.quoted {
            return Err(QueryError::new(self.at, "nothing to look for here"));
        }
        words_node(&written)
    }

    /// A quoted or bare piece; a bare one ends at white space, a parenthesis, a quote or one of `ends`.
    fn written(&mut self, ends: &[char]) -> Parsed<Written> {
        let at = self.at;
        if let Some(rest) = self.rest().strip_prefix('"') {
            let Some(len) = rest.find('"') else {
                return Err(QueryError::new(at, "this quote is not closed"));
            };
            self.at += len + 2;
            let prefix = self.rest().starts_with('*');
            self.at += usize::from(prefix);
            let tilde = self.tilde();
            return Ok(Written { text: rest[..len].to_owned(), at, quoted: true, prefix, tilde });
        }
        let ends_word = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"') || ends.contains(&c);
        let len = self.rest().find(ends_word).unwrap_or(self.rest().len());
        let text = &self.rest()[..len];
        self.at += len;
        let (text, prefix) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
        Ok(Written { text: text.to_owned(), at, quoted: false, prefix, tilde: None })
    }

    /// `3` of `"…"~3`; 0 where only the `~` stands.
    fn tilde(&mut self) -> Option<u32> {
        let rest = self.rest().strip_prefix('~')?;
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        self.at += len + 1;
        Some(rest[..len].parse().unwrap_or(if len == 0 { 0 } else { u32::MAX }))
    }
}

pub(super) fn flat(mut nodes: Vec<Node>, put: fn(Vec<Node>) -> Node) -> Node {
    if nodes.len() == 1 { nodes.remove(0) } else { put(nodes) }
}

fn find_field(name: &str, at: usize) -> Parsed<&'static FieldSpec> {
    let lower = name.to_ascii_lowercase();
    if let Some(spec) = FIELDS.iter().find(|spec| spec.name == lower) {
        return Ok(spec);
    }
    let near = event::nearest(&lower, FIELDS.iter().map(|spec| spec.name));
    let quote = format!("to look for the text itself, quote it: \"{name}:…\"");
    let hint = near.map_or_else(|| quote.clone(), |near| format!("did you mean {near}:? {quote}"));
    Err(QueryError::new(at, format!("unknown field {name:?}")).hint(hint))
}
