//! From text to tree: a cursor over bytes, one function a rule of the grammar.

use super::fields::{FIELDS, FieldKind, FieldSpec};
use super::times::{Span, span};
use super::{Item, MAX_BYTES, MAX_CLAUSES, MAX_DEPTH, Node, Now, QueryError, Words};
use crate::facts::{Keyword, MARKS};
use crate::fold::keyword;
use crate::tokens::{MAX_TOKEN_BYTES, pattern};

type Parsed<T> = Result<T, QueryError>;

pub(super) fn parse(text: &str, now: &Now) -> Parsed<Node> {
    if text.len() > MAX_BYTES {
        let message = format!("the query has {} bytes, more than {MAX_BYTES}", text.len());
        return Err(QueryError::new(MAX_BYTES, message));
    }
    let mut parser = Parser { text, at: 0, now, clauses: 0, depth: 0 };
    let root = parser.any()?;
    match parser.peek() {
        None => Ok(root),
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
struct Written {
    text: String,
    at: usize,
    quoted: bool,
    prefix: bool,
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
        match self.field_name() {
            Some(name) => self.field(name),
            None => self.words(),
        }
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
        let FieldKind::Keyword(field) = spec.kind else {
            return self.bounds(spec, compare.unwrap_or("="), &values);
        };
        if compare.is_some_and(|sign| sign != "=") {
            return Err(QueryError::new(values[0].at, format!("{name}: takes words, it has no order")));
        }
        let items = values.iter().map(|value| item(field, value)).collect::<Parsed<_>>()?;
        Ok(Node::Keyword { field, values: items })
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
        let span = span(&value.text, self.now).ok_or_else(|| {
            bad("a time").hint("write 2h, 3d, yesterday, 2026-11-27 or 2026-11-27T20:47:00Z")
        })?;
        let sign = match spec.kind {
            FieldKind::Since => ">=",
            FieldKind::Until => "<=",
            FieldKind::After => ">",
            FieldKind::Before => "<",
            _ => sign,
        };
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
            return Ok(Written { text: rest[..len].to_owned(), at, quoted: true, prefix });
        }
        let ends_word = |c: char| c.is_whitespace() || matches!(c, '(' | ')' | '"') || ends.contains(&c);
        let len = self.rest().find(ends_word).unwrap_or(self.rest().len());
        let text = &self.rest()[..len];
        self.at += len;
        let (text, prefix) = text.strip_suffix('*').map_or((text, false), |text| (text, true));
        Ok(Written { text: text.to_owned(), at, quoted: false, prefix })
    }
}

fn flat(mut nodes: Vec<Node>, put: fn(Vec<Node>) -> Node) -> Node {
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

fn item(field: Keyword, value: &Written) -> Parsed<Item> {
    let text = keyword(&value.text);
    if field == Keyword::Is && !MARKS.contains(&text.as_str()) {
        let hint = event::nearest(&text, MARKS.into_iter()).map_or_else(
            || format!("is: knows {}", MARKS.join(", ")),
            |near| format!("did you mean is:{near}?"),
        );
        return Err(QueryError::new(value.at, format!("is: does not know {text:?}")).hint(hint));
    }
    Ok(Item { text, prefix: value.prefix })
}

fn seq_range(sign: &str, seq: u64) -> Node {
    const NONE: Node = Node::Seq { low: u64::MAX, high: 0 };
    match sign {
        ">=" => Node::Seq { low: seq, high: u64::MAX },
        ">" => seq.checked_add(1).map_or(NONE, |low| Node::Seq { low, high: u64::MAX }),
        "<=" => Node::Seq { low: 0, high: seq },
        "<" => seq.checked_sub(1).map_or(NONE, |high| Node::Seq { low: 0, high }),
        _ => Node::Seq { low: seq, high: seq },
    }
}

fn time_range(sign: &str, span: Span) -> Node {
    let (start, last) = (span.start, span.end - 1);
    let (low, high) = match sign {
        ">=" => (start, i64::MAX),
        ">" => (span.end, i64::MAX),
        "<=" => (i64::MIN, last),
        "<" => (i64::MIN, start.saturating_sub(1)),
        _ => (start, last),
    };
    Node::Time { low, high }
}

fn words_node(written: &Written) -> Parsed<Node> {
    let pattern = pattern(&written.text);
    if pattern.words.is_empty() {
        let error =
            QueryError::new(written.at, format!("{:?} has no letter or digit to look for", written.text));
        return Err(error.hint("punctuation is not indexed"));
    }
    if written.prefix && !pattern.has_singles {
        if pattern.chunks > 1 {
            return Err(QueryError::new(written.at, "only one word can be a beginning"));
        }
        if pattern.typed.len() > MAX_TOKEN_BYTES {
            return Err(QueryError::new(
                written.at,
                format!("a beginning longer than {MAX_TOKEN_BYTES} bytes"),
            ));
        }
        return Ok(Node::Words(Words::Prefix(pattern.typed)));
    }
    let row = Node::Words(Words::Row(pattern.words));
    match pattern.whole {
        Some(whole) => Ok(Node::Or(vec![Node::Words(Words::Row(vec![(0, whole)])), row])),
        None => Ok(row),
    }
}
