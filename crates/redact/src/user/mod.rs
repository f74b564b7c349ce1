//! Rules of a user's own, in TOML: shapes, regular expressions near a keyword, exceptions, fields, people.
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
//! [pii]
//! enable = ["email", "phone", "card", "iban", "national_id"]   # off unless named: audits want names
//! action = "hash"                    # or "redact": no fingerprint
//! ```
//!
//! - U1  a file is taken whole or not at all: every example is caught, every negative left, or the error
//!   says which file, which rule, which example
//! - U2  a project's file, which an agent can edit, only adds: it allows nothing and hides no field
//! - U3  an expression runs in windows around its keyword that never overlap: linear time

mod compile;
mod field;
mod file;
mod near;
#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, HashSet};

use aho_corasick::AhoCorasick;

use self::compile::{Compiled, How, check, compile, whole};
use self::field::{field, plain};
use self::file::{Action, File, Row};
pub use self::file::{Owner, RulesError};
use self::near::widen;
use crate::shape::Shape;
use crate::span::{Span, Spans};
use crate::{RULES, pii};

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
    people: BTreeSet<pii::Sort>,
    shows_people: bool,
    texts: Vec<String>,
}

impl std::fmt::Debug for Rules {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Rules({})", self.compiled.len())
    }
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
        self.people.extend(parsed.pii.enable);
        self.shows_people |= parsed.pii.action == Action::Hash;
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
            How::Shape(source) => {
                let anchor = Shape::parse(source).map_or(&[][..], |shape| shape.anchor());
                self.literals.push((String::from_utf8_lossy(anchor).into_owned(), place));
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

    /// Whether a mark of this kind shows no fingerprint: people are not to be told apart unless that is asked for.
    pub(crate) fn keeps_quiet(&self, kind: &str) -> bool {
        !self.shows_people && pii::Sort::of(kind).is_some()
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
        if !self.people.is_empty() {
            pii::find(text.as_bytes(), &self.people, spans);
        }
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
