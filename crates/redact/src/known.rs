//! Known values: what a machine holds anyway (its environment, its `.env`), looked for as it is.
//!
//! - N1  values live in memory alone, for as long as the process; who writes them down writes traces
//!   ([`Known::new_traces`])
//! - N2  a value is found raw, escaped as in JSON (once and twice), percent-encoded, as hex, at each of
//!   three alignments of base64 in both alphabets, and line by line where it has several; all that is
//!   found is joined, so that a shorter value never leaves the tail of a longer one
//! - N3  only what nobody writes by chance is looked for ([`crate::gate`]): a value `user` takes no word away

use std::collections::BTreeMap;

use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
use serde_json::Value;

use crate::names::{self, Trust};
use crate::scan::scan;
use crate::span::Spans;
use crate::trace::{TraceKey, Traces};
use crate::value::{self, Place};
use crate::{chance, decode, gate};

/// The kind of what is known by its value alone.
const KIND: &str = "known";
const LONGEST: usize = 16 << 10;
/// More values than these no machine holds.
const MOST: usize = 4096;

/// What somebody may leak, collected; [`Known::ready`] makes it searchable.
#[derive(Default)]
pub struct Known {
    values: BTreeMap<String, &'static str>,
    traces: String,
    passed_over: usize,
}

impl std::fmt::Debug for Known {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Known({} values)", self.values.len())
    }
}

impl Known {
    /// Nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// How many values will be looked for.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// How many stood under a secret's name and are too ordinary to be looked for.
    pub fn passed_over(&self) -> usize {
        self.passed_over
    }

    /// A value and its name, as an environment has them: a secret by its name, or with one in it.
    pub fn setting(&mut self, name: &str, value: &str) {
        let judged = names::judge(name.as_bytes()).filter(|name| name.trust >= Trust::Secret);
        let secret = judged.filter(|name| value::is_secret(*name, value.as_bytes(), Place::Quoted));
        match secret {
            Some(name) => self.value(value, name.kind),
            None => self.text(value),
        }
    }

    /// Every secret that stands in a text with certainty: a file of settings.
    pub fn text(&mut self, text: &str) {
        for span in scan(text).iter().filter(|span| span.certain) {
            self.value(&text[span.start..span.end], span.kind);
        }
    }

    /// The settings of a JSON document.
    pub fn json(&mut self, value: &Value) {
        match value {
            Value::Object(map) => {
                for (name, value) in map {
                    match value {
                        Value::String(text) => self.credential(name, text),
                        value => self.json(value),
                    }
                }
            }
            Value::Array(items) => items.iter().for_each(|item| self.json(item)),
            _ => {}
        }
    }

    /// `"auth": "dXNlcjpwYXNz"` is a name and a password in base64.
    fn credential(&mut self, name: &str, text: &str) {
        if name == "auth"
            && let Some(plain) =
                decode::base64(text.as_bytes()).and_then(|bytes| String::from_utf8(bytes).ok())
            && let Some((_, password)) = plain.split_once(':')
        {
            self.value(password, "password");
            self.value(text, "basic_auth");
            return;
        }
        self.setting(name, text);
    }

    /// A value that its owner names as a secret.
    pub fn value(&mut self, value: &str, kind: &'static str) {
        let value = value.trim();
        let single = !value.contains('\n');
        if single && value.len() <= LONGEST && gate::is_unmistakable(value) {
            if self.values.len() < MOST {
                self.values.entry(value.to_owned()).or_insert(kind);
            }
            return;
        }
        if single {
            self.passed_over += 1;
            return;
        }
        for line in value.lines().map(str::trim).filter(|line| !line.starts_with("-----")) {
            if gate::is_unmistakable(line) && chance::is_random(line.as_bytes()) {
                self.values.insert(line.to_owned(), kind);
            }
        }
    }

    /// Adds what was learned earlier, as [`Known::new_traces`] gave it.
    pub fn learned(&mut self, lines: &str) {
        self.traces.push_str(lines);
    }

    /// What may be written down to know the values again: lengths and keyed hashes, no value that could be
    /// guessed from them. Only what `lines`, written down earlier with the same key, does not know.
    pub fn new_traces(&self, key: &[u8; 32], lines: &str) -> String {
        let mut traces = Traces::new(&TraceKey::new(key));
        traces.read(lines);
        let hard = self.values.iter().filter(|(value, _)| !crate::scan::is_guessable(value.as_bytes()));
        hard.filter_map(|(value, kind)| traces.add(value, kind)).collect()
    }

    /// Makes it searchable. `key` is the one that the traces were made with.
    pub(crate) fn ready(&self, key: &[u8; 32]) -> Search {
        let mut traces = Traces::new(&TraceKey::new(key));
        traces.read(&self.traces);
        let (mut patterns, mut meanings) = (Vec::new(), Vec::new());
        for (value, kind) in &self.values {
            for (pattern, form) in forms(value) {
                patterns.push(pattern);
                meanings.push((*kind, form));
            }
        }
        let automaton = (!patterns.is_empty())
            .then(|| {
                let mut builder = AhoCorasick::builder();
                builder.match_kind(MatchKind::Standard).kind(Some(AhoCorasickKind::ContiguousNFA));
                builder.build(&patterns).ok()
            })
            .flatten();
        Search { automaton, meanings, traces }
    }
}

/// How a value is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Plain,
    /// In the middle of a run of base64, which goes whole.
    Base64,
    Hex,
}

/// Known values, ready to be looked for.
pub(crate) struct Search {
    automaton: Option<AhoCorasick>,
    meanings: Vec<(&'static str, Form)>,
    traces: Traces,
}

impl Search {
    pub(crate) fn is_empty(&self) -> bool {
        self.automaton.is_none() && self.traces.is_empty()
    }

    pub(crate) fn find(&self, text: &str, spans: &mut Spans) {
        self.traces.find(text, spans);
        let Some(automaton) = &self.automaton else { return };
        for hit in automaton.find_overlapping_iter(text) {
            let (kind, form) = self.meanings[hit.pattern().as_usize()];
            let (start, end) = run(text.as_bytes(), hit.start(), hit.end(), form);
            spans.add(start, end, if kind.is_empty() { KIND } else { kind }, true);
        }
    }
}

/// The whole encoded run around a hit; no further than anybody would look for it.
fn run(text: &[u8], start: usize, end: usize, form: Form) -> (usize, usize) {
    const FARTHEST: usize = 4096;
    let belongs = |byte: &&u8| match form {
        Form::Plain => false,
        Form::Base64 => byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'='),
        Form::Hex => byte.is_ascii_hexdigit(),
    };
    let before = text[..start].iter().rev().take(FARTHEST).take_while(belongs).count();
    let after = text[end..].iter().take(FARTHEST).take_while(belongs).count();
    (start - before, end + after)
}

/// Every way in which a value is written.
fn forms(value: &str) -> Vec<(String, Form)> {
    let mut forms = vec![(value.to_owned(), Form::Plain)];
    let mut plain = |text: String| {
        if forms.iter().all(|(known, _)| *known != text) {
            forms.push((text, Form::Plain));
        }
    };
    let escaped = escaped(value);
    plain(self::escaped(&escaped));
    plain(escaped);
    for (upper, all) in [(true, false), (false, false), (true, true)] {
        plain(percent(value, upper, all));
    }
    let hex = |upper: bool| -> String {
        value.bytes().map(|byte| if upper { format!("{byte:02X}") } else { format!("{byte:02x}") }).collect()
    };
    forms.extend([(hex(false), Form::Hex), (hex(true), Form::Hex)]);
    for alphabet in [STANDARD, URL_SAFE] {
        let aligned = (0..3).map(|shift| base64(value.as_bytes(), shift, alphabet));
        forms.extend(aligned.filter(|text| text.len() >= gate::SHORTEST).map(|text| (text, Form::Base64)));
    }
    forms
}

/// As it stands between the quotes of a JSON string.
fn escaped(value: &str) -> String {
    let quoted = Value::from(value).to_string();
    quoted[1..quoted.len() - 1].to_owned()
}

fn percent(value: &str, upper: bool, all: bool) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    let one = |byte: u8| match byte {
        byte if kept(byte) && !all => char::from(byte).to_string(),
        byte if upper => format!("%{byte:02X}"),
        byte => format!("%{byte:02x}"),
    };
    value.bytes().map(one).collect()
}

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL_SAFE: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The characters of base64 that a value alone decides when `shift` bytes stand before it in its group.
fn base64(value: &[u8], shift: usize, alphabet: &[u8; 64]) -> String {
    let bytes: Vec<u8> = std::iter::repeat_n(0, shift).chain(value.iter().copied()).collect();
    let bit = |at: usize| bytes.get(at / 8).is_some_and(|byte| byte >> (7 - at % 8) & 1 == 1);
    let first = (shift * 8).div_ceil(6);
    let last = bytes.len() * 8 / 6;
    (first..last)
        .map(|at| (at * 6..at * 6 + 6).fold(0_usize, |word, at| word << 1 | usize::from(bit(at))))
        .map(|word| char::from(alphabet[word]))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(known: &Known, text: &str) -> Vec<String> {
        let mut spans = Spans::default();
        known.ready(&[1; 32]).find(text, &mut spans);
        spans.into_union(text).iter().map(|span| text[span.start..span.end].to_owned()).collect()
    }

    #[test]
    fn a_value_is_found_however_it_is_written() {
        let mut known = Known::new();
        known.setting("DB_PASSWORD", "pa\"ss/wrtl&7x");
        for text in [
            "bare pa\"ss/wrtl&7x in prose",
            r#"{"x":"pa\"ss/wrtl&7x"}"#,
            r#""{\"x\":\"pa\\\"ss/wrtl&7x\"}""#,
            "?q=pa%22ss%2Fwrtl%267x",
            "?q=pa%22ss%2fwrtl%267x",
            "70612273732f7772746c26377",
            "706122737 70612273732F7772746C263778",
        ] {
            let hit = found(&known, text);
            assert_eq!(hit.len(), usize::from(text != "70612273732f7772746c26377"), "{text}");
        }
        for lead in ["", "a", "ab"] {
            let encoded = base64(format!("{lead}pa\"ss/wrtl&7x!!").as_bytes(), 0, STANDARD);
            assert_eq!(found(&known, &format!("x {encoded}= y")), [format!("{encoded}=")]);
        }
    }

    #[test]
    fn ordinary_values_are_left_alone_and_letters_alone_are_not() {
        let mut known = Known::new();
        for (name, value) in
            [("APP_SECRET", "user"), ("DB_PASSWORD", "production"), ("API_TOKEN", "development")]
        {
            known.setting(name, value);
        }
        assert_eq!((known.count(), found(&known, "the user of production development")), (0, vec![]));
        known.setting("DB_PASSWORD", "kqwzxjvbpl");
        assert_eq!(found(&known, "it is kqwzxjvbpl, I think"), ["kqwzxjvbpl"]);
    }

    #[test]
    fn the_longest_and_the_union_win() {
        let mut known = Known::new();
        known.setting("A_PASSWORD", "wrtl!9Kx-live");
        known.setting("B_PASSWORD", "wrtl!9Kx-live-2345");
        known.setting("C_PASSWORD", "live-2345-zzq!8");
        assert_eq!(found(&known, "a wrtl!9Kx-live-2345 b"), ["wrtl!9Kx-live-2345"]);
        assert_eq!(found(&known, "a wrtl!9Kx-live-2345-zzq!8 b"), ["wrtl!9Kx-live-2345-zzq!8"]);
    }

    #[test]
    fn addresses_files_and_documents_give_their_secrets() {
        let mut known = Known::new();
        known.setting("DATABASE_URL", "postgres://app:wrtl!9Kx7@db/app");
        known.text("[default]\naws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEYa\n");
        known.json(&serde_json::json!({"auths": {"r.example.com": {"auth": "dXNlcjp3cnRsITlLeDgz"}}}));
        let text = "wrtl!9Kx7 and wJalrXUtnFEMI/K7MDENG/bPxRfiCYzzzzzzKEYa and wrtl!9Kx83";
        assert_eq!(found(&known, text).len(), 3, "{known:?}");
    }

    #[test]
    fn what_is_written_down_holds_no_value_and_none_that_could_be_guessed() {
        let mut known = Known::new();
        known.setting("A_TOKEN", "x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5");
        known.setting("DB_PASSWORD", "Sommer2026!");
        let lines = known.new_traces(&[1; 32], "");
        assert_eq!(lines.lines().count(), 1, "{lines}");
        assert_eq!(known.new_traces(&[1; 32], &lines), "");
        let mut later = Known::new();
        later.learned(&lines);
        assert_eq!(found(&later, "say x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5"), ["x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5"]);
    }
}
