//! Rules of a user's own, in TOML: shapes, regular expressions near a keyword, exceptions, fields.
//!
//! ```toml
//! version = 1
//! [[rule]]
//! id = "acme_token"
//! shape = "acme_{b62:32..64}"        # see `shape`
//! examples = ["acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo"]
//! [[rule]]
//! id = "acme_legacy"
//! keywords = ["acme"]                # looked for first, at least three bytes
//! regex = '''acme_key = (?P<secret>[0-9a-f]{40})'''
//! max_len = 128                      # as far from the keyword as the expression may match
//! min_p = 1e-4                       # the secret must be less probable than this
//! negatives = ["acme_key = none"]
//! [allow]
//! exact = ["AKIAIOSFODNN7EXAMPLE"]   # whole values
//! values_fp = ["7f3a2c91e0"]
//! [fields]
//! deny = ["x-internal-auth"]         # whatever stands under it is a secret
//! opaque = ["/input/image/data"]     # never looked at
//! [known]
//! skip = ["env"]
//! ```
//!
//! - U1  a file is taken whole or not at all: every example is caught, every negative left, or the error
//!   says which file, which rule, which example
//! - U2  a project's file, which an agent can edit, only adds: it allows nothing and hides no field
//! - U3  an expression runs in windows around its keyword that never overlap: linear time

use std::collections::{BTreeSet, HashSet};

use aho_corasick::AhoCorasick;
use regex::bytes::{Regex, RegexBuilder};
use serde::Deserialize;

use crate::shape::Shape;
use crate::span::{Span, Spans};
use crate::{RULES, chance, kinds, token, value};

/// Windows around a keyword are no wider.
const WIDEST: usize = 4096;
const USUAL: usize = 256;
const SHORTEST_KEYWORD: usize = 3;
const LARGEST_REGEX: usize = 4 << 20;

/// Why a file of rules is refused. No message repeats an example: it may be a real secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// It is no file of rules.
    #[error("{file}{}: {what}", .line.map(|line| format!(":{line}")).unwrap_or_default())]
    File {
        /// The file.
        file: String,
        /// Where in it, counted from 1.
        line: Option<usize>,
        /// What is wrong.
        what: String,
    },
    /// A rule of it is wrong.
    #[error("{file}: rule {id:?}: {what}")]
    Rule {
        /// The file.
        file: String,
        /// The rule.
        id: String,
        /// What is wrong.
        what: String,
    },
}

/// Whose file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The user's: may allow.
    User,
    /// A project's: may only add.
    Project,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u32,
    #[serde(default)]
    rule: Vec<Row>,
    #[serde(default)]
    allow: Allow,
    #[serde(default)]
    fields: Fields,
    #[serde(default)]
    known: Sources,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    id: String,
    kind: Option<String>,
    shape: Option<String>,
    #[serde(default)]
    keywords: Vec<String>,
    regex: Option<String>,
    secret_group: Option<usize>,
    max_len: Option<usize>,
    min_p: Option<f64>,
    entropy: Option<f64>,
    #[serde(default)]
    allow_words: Vec<String>,
    #[serde(default)]
    allow_regex: Vec<String>,
    #[serde(default)]
    examples: Vec<String>,
    #[serde(default)]
    negatives: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Allow {
    exact: Vec<String>,
    values_fp: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Fields {
    deny: Vec<String>,
    opaque: Vec<String>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sources {
    skip: Vec<String>,
}

/// A rule as it is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub id: String,
    /// What the mark says.
    pub kind: &'static str,
    /// The file it stands in.
    pub file: String,
    /// Its shape or expression.
    pub pattern: String,
}

/// Rules in force besides our own.
#[derive(Default)]
pub struct Rules {
    compiled: Vec<Compiled>,
    listed: Vec<Listed>,
    literals: Vec<(String, usize)>,
    automaton: Option<AhoCorasick>,
    exact: HashSet<String>,
    prints: HashSet<String>,
    deny: BTreeSet<String>,
    opaque: Vec<Vec<String>>,
    skip: Vec<String>,
    texts: Vec<String>,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Rules({})", self.compiled.len())
    }
}

struct Compiled {
    kind: &'static str,
    how: How,
}

enum How {
    Shape(Shape),
    Near(Box<Near>),
    /// A name whose value is denied.
    Field,
}

/// An expression near a keyword.
struct Near {
    regex: Regex,
    group: usize,
    reach: usize,
    least_bits: u32,
    entropy: f64,
    words: Vec<String>,
    allowed: Vec<Regex>,
}

impl Rules {
    /// No rules of anybody's own.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes up a file, whole or not at all.
    pub fn load(&mut self, text: &str, file: &str, owner: Owner) -> Result<(), RulesError> {
        let wrong = |line, what: String| RulesError::File { file: file.to_owned(), line, what };
        let parsed: File = toml::from_str(text).map_err(|error| {
            let line = error.span().map(|span| text[..span.start.min(text.len())].matches('\n').count() + 1);
            wrong(line, error.message().lines().next().unwrap_or_default().to_owned())
        })?;
        if parsed.version != 1 {
            return Err(wrong(
                None,
                format!("version is {}, and this recount reads version 1", parsed.version),
            ));
        }
        let hides = !parsed.allow.exact.is_empty()
            || !parsed.allow.values_fp.is_empty()
            || !parsed.fields.opaque.is_empty();
        if owner == Owner::Project && (hides || !parsed.known.skip.is_empty()) {
            return Err(wrong(None, "a project's rules may only add: allow, fields.opaque and known belong into the user's own file".to_owned()));
        }
        let mut rows = Vec::new();
        for row in &parsed.rule {
            let wrong = |what: String| RulesError::Rule { file: file.to_owned(), id: row.id.clone(), what };
            if self.listed.iter().any(|known| known.id == row.id)
                || rows.iter().any(|(known, ..): &(&Row, Compiled)| known.id == row.id)
            {
                return Err(wrong("stands twice".to_owned()));
            }
            let compiled = compile(row).map_err(wrong)?;
            check(row, &compiled).map_err(wrong)?;
            rows.push((row, compiled));
        }
        for (row, compiled) in rows {
            self.add(row, compiled, file);
        }
        for name in parsed.fields.deny {
            self.deny(&name);
        }
        self.exact.extend(parsed.allow.exact);
        self.prints.extend(parsed.allow.values_fp);
        self.opaque.extend(
            parsed
                .fields
                .opaque
                .iter()
                .map(|pointer| pointer.split('/').skip(1).map(str::to_owned).collect()),
        );
        self.skip.extend(parsed.known.skip);
        self.texts.push(text.to_owned());
        self.automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .build(self.literals.iter().map(|(text, _)| text))
            .ok();
        Ok(())
    }

    fn add(&mut self, row: &Row, compiled: Compiled, file: &str) {
        let place = self.compiled.len();
        match &compiled.how {
            How::Shape(shape) => {
                self.literals.push((String::from_utf8_lossy(shape.anchor()).into_owned(), place));
            }
            _ => self.literals.extend(row.keywords.iter().map(|word| (word.clone(), place))),
        }
        self.listed.push(Listed {
            id: row.id.clone(),
            kind: compiled.kind,
            file: file.to_owned(),
            pattern: row.shape.clone().or_else(|| row.regex.clone()).unwrap_or_default(),
        });
        self.compiled.push(compiled);
    }

    fn deny(&mut self, name: &str) {
        self.literals.push((name.to_owned(), self.compiled.len()));
        self.compiled.push(Compiled { kind: "secret", how: How::Field });
        self.deny.insert(plain(name));
    }

    /// Every rule of a user's own.
    pub fn listed(&self) -> &[Listed] {
        &self.listed
    }

    /// Names of sources of known values that are left out.
    pub fn skipped(&self) -> &[String] {
        &self.skip
    }

    /// What names all rules in force, ours and the user's: 16 hex digits.
    pub fn digest(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("recount redact rules v1");
        for rule in RULES {
            hasher.update(format!("{} {} {}\n", rule.kind, rule.shape, rule.strict).as_bytes());
        }
        for text in &self.texts {
            hasher.update(format!("{}\n{text}", text.len()).as_bytes());
        }
        hasher.finalize().to_hex()[..16].to_owned()
    }

    /// Whether a kind is none of ours.
    pub(crate) fn is_custom(&self, kind: &str) -> bool {
        self.listed.iter().any(|rule| rule.kind == kind) && RULES.iter().all(|rule| rule.kind != kind)
    }

    pub(crate) fn allows(&self, value: &str) -> bool {
        self.exact.contains(value)
    }

    pub(crate) fn allows_print(&self) -> bool {
        !self.prints.is_empty()
    }

    pub(crate) fn is_allowed_print(&self, print: &str) -> bool {
        self.prints.contains(print)
    }

    /// Whether all that stands under a name is a secret.
    pub(crate) fn denies(&self, name: &str) -> bool {
        !self.deny.is_empty() && self.deny.contains(&plain(name))
    }

    /// Whether the value at this place is not looked at.
    pub(crate) fn is_opaque(&self, path: &[String]) -> bool {
        let fits = |pointer: &&Vec<String>| {
            pointer.len() == path.len()
                && pointer.iter().zip(path).all(|(want, is)| want == "*" || want == is)
        };
        self.opaque.iter().any(|pointer| fits(&pointer))
    }

    pub(crate) fn has_opaque(&self) -> bool {
        !self.opaque.is_empty()
    }

    /// Adds what the rules find.
    pub(crate) fn find(&self, text: &str, spans: &mut Spans) {
        let Some(automaton) = &self.automaton else { return };
        let bytes = text.as_bytes();
        let mut floors = vec![0; self.compiled.len()];
        let mut windows: Vec<Vec<(usize, usize)>> = vec![Vec::new(); self.compiled.len()];
        for hit in automaton.find_overlapping_iter(text) {
            let place = self.literals[hit.pattern().as_usize()].1;
            let rule = &self.compiled[place];
            match &rule.how {
                How::Shape(shape) if hit.start() >= floors[place] => {
                    if let Some((start, end)) = whole(shape, bytes, hit.start()) {
                        floors[place] = end;
                        spans.add(start, end, rule.kind, true);
                    }
                }
                How::Near(near) => widen(&mut windows[place], near, hit.start(), hit.end(), text.len()),
                How::Field => {
                    if let Some((start, end)) = field(bytes, hit.start(), hit.end()) {
                        spans.add(start, end, rule.kind, true);
                    }
                }
                How::Shape(_) => {}
            }
        }
        for (rule, windows) in self.compiled.iter().zip(windows) {
            if let How::Near(near) = &rule.how {
                for window in windows {
                    near.find(bytes, window, rule.kind, spans);
                }
            }
        }
    }

    /// Drops what is allowed.
    pub(crate) fn spare(&self, text: &str, spans: &mut Vec<Span>) {
        if !self.exact.is_empty() {
            spans.retain(|span| !self.exact.contains(&text[span.start..span.end]));
        }
    }
}

/// Lower case, without what joins words.
fn plain(name: &str) -> String {
    name.chars().filter(|sign| !matches!(sign, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

fn compile(row: &Row) -> Result<Compiled, String> {
    let name = row.kind.as_deref().unwrap_or(&row.id);
    let kind: String =
        name.chars().map(|sign| if sign == '-' { '_' } else { sign.to_ascii_lowercase() }).collect();
    if !kinds::is_kind(&kind) {
        return Err("its kind is no name: letters, digits and _, at most 48".to_owned());
    }
    let how = match (&row.shape, &row.regex) {
        (Some(shape), None) => How::Shape(shape_of(shape)?),
        (None, Some(regex)) => How::Near(Box::new(near(row, regex)?)),
        _ => return Err("takes either a shape or a regex".to_owned()),
    };
    Ok(Compiled { kind: kinds::kept(&kind), how })
}

fn shape_of(source: &str) -> Result<Shape, String> {
    let shape = Shape::parse(source).ok_or(
        "its shape has no literal, or a class that is not one of d, hex, lo, up, b62, b64, b64u, w, dom, any",
    )?;
    if shape.anchor().len() < SHORTEST_KEYWORD {
        return Err(format!("the longest literal of its shape has less than {SHORTEST_KEYWORD} bytes"));
    }
    Ok(shape)
}

fn near(row: &Row, source: &str) -> Result<Near, String> {
    if row.keywords.is_empty() || row.keywords.iter().any(|word| word.len() < SHORTEST_KEYWORD) {
        return Err(format!("a regex needs keywords of at least {SHORTEST_KEYWORD} bytes"));
    }
    let reach = row.max_len.unwrap_or(USUAL);
    if reach > WIDEST {
        return Err(format!("max_len is {reach}, more than {WIDEST}"));
    }
    let regex = expression(source)?;
    let named = regex.capture_names().position(|name| name == Some("secret"));
    let group = named.or(row.secret_group).unwrap_or(0);
    if group >= regex.captures_len() {
        return Err(format!(
            "secret_group is {group}, and the regex has {} groups",
            regex.captures_len() - 1
        ));
    }
    let least_bits = match row.min_p {
        None => 0.0,
        Some(p) if p > 0.0 && p <= 1.0 => -p.log2(),
        Some(_) => return Err("min_p is a probability between 0 and 1".to_owned()),
    };
    let allowed = row.allow_regex.iter().map(|source| expression(source)).collect::<Result<_, _>>()?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 1074
    let least_bits = least_bits.ceil() as u32;
    let words = row.allow_words.iter().map(|word| word.to_ascii_lowercase()).collect();
    Ok(Near { regex, group, reach, least_bits, entropy: row.entropy.unwrap_or(0.0), words, allowed })
}

fn expression(source: &str) -> Result<Regex, String> {
    let build = |unicode| RegexBuilder::new(source).unicode(unicode).size_limit(LARGEST_REGEX).build();
    build(false).or_else(|_| build(true)).map_err(|error| match error {
        regex::Error::CompiledTooBig(_) => "its regex is too large".to_owned(),
        error => format!("its regex is none: {}", error.to_string().lines().last().unwrap_or_default()),
    })
}

/// Each example is caught by this rule, each negative left by it.
fn check(row: &Row, compiled: &Compiled) -> Result<(), String> {
    for (what, texts, caught) in [("example", &row.examples, true), ("negative", &row.negatives, false)] {
        for (number, text) in texts.iter().enumerate() {
            if alone(row, compiled, text) != caught {
                let found = if caught { "is not caught" } else { "is caught" };
                return Err(format!("{what} {} {found}", number + 1));
            }
        }
    }
    Ok(())
}

fn alone(row: &Row, compiled: &Compiled, text: &str) -> bool {
    let mut spans = Spans::default();
    let lower = text.to_ascii_lowercase();
    match &compiled.how {
        How::Shape(shape) => {
            let anchor = String::from_utf8_lossy(shape.anchor()).into_owned();
            return text.match_indices(&anchor).any(|(at, _)| whole(shape, text.as_bytes(), at).is_some());
        }
        How::Near(near) => {
            let mut windows = Vec::new();
            let words = row.keywords.iter().map(|word| word.to_ascii_lowercase());
            let mut hits: Vec<usize> = words
                .flat_map(|word| lower.match_indices(&word).map(|(at, _)| at).collect::<Vec<_>>())
                .collect();
            hits.sort_unstable();
            for at in hits {
                widen(&mut windows, near, at, at + SHORTEST_KEYWORD, text.len());
            }
            for window in windows {
                near.find(text.as_bytes(), window, compiled.kind, &mut spans);
            }
        }
        How::Field => {}
    }
    !spans.found().is_empty()
}

fn whole(shape: &Shape, text: &[u8], at: usize) -> Option<(usize, usize)> {
    let (start, end) = shape.find(text, at)?;
    (token::stands_alone(text, start) && !value::is_placeholder(&text[start..end])).then_some((start, end))
}

/// Adds a window, joined with the one before if they touch: hits come in order.
fn widen(windows: &mut Vec<(usize, usize)>, near: &Near, start: usize, end: usize, long: usize) {
    let (from, to) = (start.saturating_sub(near.reach), (end + near.reach).min(long));
    match windows.last_mut() {
        Some(last) if from <= last.1 => *last = (last.0.min(from), last.1.max(to)),
        _ => windows.push((from, to)),
    }
}

impl Near {
    fn find(&self, text: &[u8], (from, to): (usize, usize), kind: &'static str, spans: &mut Spans) {
        let mut at = from;
        while at < to {
            let Some(found) = self.regex.captures_at(&text[..to], at) else { return };
            let (Some(whole), Some(secret)) = (found.get(0), found.get(self.group).or_else(|| found.get(0)))
            else {
                return;
            };
            at = whole.end().max(whole.start() + 1);
            if whole.len() <= 2 * self.reach + WIDEST && self.believes(secret.as_bytes(), whole.as_bytes()) {
                spans.add(secret.start(), secret.end(), kind, true);
            }
        }
    }

    fn believes(&self, secret: &[u8], whole: &[u8]) -> bool {
        chance::bits(&secret[..secret.len().min(512)]) >= self.least_bits
            && (self.entropy <= 0.0 || entropy(secret) > self.entropy)
            && !self.allowed.iter().any(|allowed| allowed.is_match(whole) || allowed.is_match(secret))
            && !self.has_word(secret)
    }

    /// A stop word counts as a whole word: a random value may contain any.
    fn has_word(&self, secret: &[u8]) -> bool {
        !self.words.is_empty()
            && String::from_utf8_lossy(secret)
                .to_ascii_lowercase()
                .split(|sign: char| !sign.is_ascii_alphanumeric())
                .any(|word| self.words.iter().any(|stop| stop == word))
    }
}

/// Shannon's, in bits a byte, for rules that come from where it is used.
fn entropy(bytes: &[u8]) -> f64 {
    let mut counts = [0_u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let all = f64::from(u32::try_from(bytes.len()).unwrap_or(u32::MAX)).max(1.0);
    counts
        .iter()
        .filter(|&&count| count > 0)
        .map(|&count| f64::from(count) / all)
        .map(|p| -p * p.log2())
        .sum()
}

/// The value behind a denied name: `x-internal-auth: value`, `"x_internal_auth": "value"`.
fn field(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 8192;
    let inside = |at: Option<usize>| {
        at.and_then(|at| text.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    if inside(start.checked_sub(1)) || inside(Some(end)) {
        return None;
    }
    let skip = |from: usize, signs: &[u8]| {
        from + text[from..].iter().take(16).take_while(|byte| signs.contains(byte)).count()
    };
    let sign = skip(end, b"\"'\\ ");
    let sets = *text.get(sign).filter(|byte| matches!(byte, b':' | b'='))?;
    let open = skip(sign + 1, b" \t\\");
    let quote = text.get(open).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let from = open + usize::from(quote.is_some());
    let ends = |byte: &u8| match quote {
        Some(quote) => *byte == quote || *byte == b'\\' || *byte == b'\n',
        None if sets == b'=' => byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'&'),
        None => matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\'),
    };
    let long =
        text[from..].iter().take(LONGEST).position(ends).unwrap_or(text.len().min(from + LONGEST) - from);
    (long > 0).then_some((from, from + long))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(text: &str, owner: Owner) -> Result<Rules, RulesError> {
        let mut rules = Rules::new();
        rules.load(text, "rules.toml", owner)?;
        Ok(rules)
    }

    fn found(rules: &Rules, text: &str) -> Vec<String> {
        let mut spans = Spans::default();
        rules.find(text, &mut spans);
        spans.into_union(text).iter().map(|span| text[span.start..span.end].to_owned()).collect()
    }

    const ACME: &str = r#"
version = 1
[[rule]]
id = "acme_token"
shape = "acme_{b62:32..64}"
examples = ["use acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo"]
negatives = ["acme_short"]
[[rule]]
id = "acme-legacy"
keywords = ["acme"]
regex = '''(?i)acme[_-]?key["'\s:=]+(?P<secret>[0-9a-z]{20})'''
max_len = 64
min_p = 1e-20
examples = ["ACME_KEY = 0k3j5h2g8f7d6s1a9q0w"]
negatives = ["acme_keyboard", "acme_key: internationalization"]
"#;

    #[test]
    fn shapes_and_expressions_are_found_and_examples_are_run() {
        let rules = load(ACME, Owner::Project).expect("rules");
        assert_eq!(
            found(&rules, "a acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo b"),
            ["acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo"]
        );
        assert_eq!(
            found(&rules, &format!("{} Acme-Key: 0k3j5h2g8f7d6s1a9q0w.", "acme ".repeat(300))),
            ["0k3j5h2g8f7d6s1a9q0w"]
        );
        assert!(rules.is_custom("acme_legacy") && !rules.is_custom("github_token"));
        assert_eq!(rules.listed().len(), 2);
    }

    #[test]
    fn a_rule_that_does_not_do_what_it_says_is_refused_by_name() {
        let cases = [
            (
                "shape = \"acme_{b62:32..64}\"\nexamples = [\"acme_short\"]",
                "rules.toml: rule \"a\": example 1 is not caught",
            ),
            (
                "shape = \"acme_{b62:4..}\"\nnegatives = [\"x\", \"acme_k3j5h2\"]",
                "rules.toml: rule \"a\": negative 2 is caught",
            ),
            ("regex = \"x\"", "rules.toml: rule \"a\": a regex needs keywords of at least 3 bytes"),
            (
                "regex = \"x\"\nkeywords = [\"ab\"]",
                "rules.toml: rule \"a\": a regex needs keywords of at least 3 bytes",
            ),
            (
                "regex = \"(\"\nkeywords = [\"abc\"]",
                "rules.toml: rule \"a\": its regex is none: error: unclosed group",
            ),
            (
                "shape = \"{b62:4}\"",
                "rules.toml: rule \"a\": its shape has no literal, or a class that is not one of d, hex, lo, up, b62, b64, b64u, w, dom, any",
            ),
            ("keywords = [\"abc\"]", "rules.toml: rule \"a\": takes either a shape or a regex"),
            (
                "shap = \"x\"",
                "rules.toml:4: unknown field `shap`, expected one of `id`, `kind`, `shape`, `keywords`, `regex`, `secret_group`, `max_len`, `min_p`, `entropy`, `allow_words`, `allow_regex`, `examples`, `negatives`",
            ),
        ];
        for (rule, said) in cases {
            let error =
                load(&format!("version = 1\n[[rule]]\nid = \"a\"\n{rule}\n"), Owner::User).expect_err(rule);
            assert_eq!(error.to_string(), said);
        }
        assert!(load("version = 2\n", Owner::User).is_err());
    }

    #[test]
    fn a_project_may_only_add() {
        for text in [
            "[allow]\nexact = [\"x\"]",
            "[allow]\nvalues_fp = [\"x\"]",
            "[fields]\nopaque = [\"/x\"]",
            "[known]\nskip = [\"env\"]",
        ] {
            let text = format!("version = 1\n{text}\n");
            assert!(load(&text, Owner::Project).is_err() && load(&text, Owner::User).is_ok(), "{text}");
        }
    }

    #[test]
    fn denied_names_take_whatever_stands_under_them() {
        let rules =
            load("version = 1\n[fields]\ndeny = [\"x-internal-auth\"]\n", Owner::Project).expect("rules");
        assert_eq!(found(&rules, "X-Internal-Auth: some words\nnext"), ["some words"]);
        assert_eq!(found(&rules, r#"{"x-internal-auth": "a b", "y": 1}"#), ["a b"]);
        assert!(rules.denies("xInternalAuth") && rules.denies("X_INTERNAL_AUTH") && !rules.denies("auth"));
    }

    #[test]
    fn many_keywords_take_linear_time() {
        let rules = load(ACME, Owner::User).expect("rules");
        assert_eq!(found(&rules, &"acme".repeat(200_000)), [""; 0]);
    }
}
