//! One pass over a text: an Aho-Corasick automaton finds the literals, each literal wakes its engine,
//! each engine looks a bounded way left and right and reports spans; the union of all is the answer.
//!
//! - C1  every engine is anchored at a literal and looks at a bounded window, or moves a floor that
//!   keeps later hits out of what it has read: linear time on any input
//! - C2  views are made only when a byte asks for them, and scanned to a depth of three

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind};

use crate::rules::RULES;
use crate::shape::Shape;
use crate::span::{Span, Spans};
use crate::{block, chance, command, header, keyvalue, token, url, value, view};

const DEEPEST_VIEW: u8 = 3;
/// Building the fast automaton costs milliseconds; it pays after this many bytes.
const FAST_AFTER_BYTES: usize = 1 << 20;

/// What a literal wakes.
#[derive(Clone, Copy, Debug)]
enum Engine {
    Rule(u16),
    Name,
    Url,
    Block,
    Putty,
    Scheme,
    Cookie,
    Jwt,
    Command(u16),
    Login,
}

/// Parts of names of secrets. Whether the whole name means a secret is for `names` to say.
const NAME_WORDS: &[&str] = &[
    "pass",
    "pwd",
    "secret",
    "token",
    "key",
    "auth",
    "cred",
    "salt",
    "session",
    "cookie",
    "signature",
    "sig",
    "jwt",
    "pepper",
    "seed",
    "mnemonic",
    "phrase",
    "code",
    "otp",
    "webhook",
    "dsn",
    "psk",
    "psw",
    "sid",
    "licen",
    "kennwort",
    "senha",
    "contrase",
    "wachtwoord",
    "parola",
    "haslo",
    "bearer",
    "sas",
    "mfa",
    "_pw",
    "pw=",
    "pw:",
    "pat",
    "masterauth",
    "пароль",
    "密码",
    "密碼",
    "パスワード",
    "비밀번호",
];
const SCHEMES: &[&str] =
    &["bearer", "basic ", "token ", "apikey ", "negotiate ", "digest ", "ssws ", "genie-key", "splunk "];
const LOGINS: &[&str] = &[
    "login",
    "log in",
    "logged in",
    "sign in",
    "credentials",
    "creds",
    "identified by",
    "community",
    "chpasswd",
    "requirepass",
    "-passin",
    "pass:",
];

struct Plan {
    literals: Vec<Vec<u8>>,
    engines: Vec<Engine>,
    shapes: Vec<Shape>,
}

impl Plan {
    fn new() -> Self {
        let mut plan =
            Self { literals: Vec::new(), engines: Vec::new(), shapes: Vec::with_capacity(RULES.len()) };
        for rule in RULES {
            // The tests parse every row, so none is lost here.
            if let Some(shape) = Shape::parse(rule.shape) {
                let index = u16::try_from(plan.shapes.len()).unwrap_or(u16::MAX);
                plan.wake(shape.anchor().to_vec(), Engine::Rule(index));
                plan.shapes.push(shape);
            }
        }
        let words = |words: &'static [&'static str], engine: Engine| {
            words.iter().map(move |word| (word.as_bytes().to_vec(), engine))
        };
        let fixed = [
            ("://", Engine::Url),
            ("-----BEGIN ", Engine::Block),
            ("private-lines:", Engine::Putty),
            ("eyJ", Engine::Jwt),
            ("cookie", Engine::Cookie),
        ];
        let all = words(NAME_WORDS, Engine::Name)
            .chain(words(SCHEMES, Engine::Scheme))
            .chain(words(LOGINS, Engine::Login))
            .chain(fixed.map(|(word, engine)| (word.as_bytes().to_vec(), engine)));
        for (word, engine) in all {
            plan.wake(word, engine);
        }
        for (index, word) in command::commands().enumerate() {
            plan.wake(word.to_vec(), Engine::Command(u16::try_from(index).unwrap_or(u16::MAX)));
        }
        plan
    }

    fn wake(&mut self, literal: Vec<u8>, engine: Engine) {
        self.literals.push(literal);
        self.engines.push(engine);
    }

    fn automaton(&self, kind: AhoCorasickKind) -> Option<AhoCorasick> {
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .prefilter(false)
            .kind(Some(kind))
            .build(&self.literals)
            .ok()
    }
}

fn plan() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(Plan::new)
}

/// The small automaton is there at once; the fast one is built when enough has been scanned to pay.
fn automaton(bytes: usize) -> Option<&'static AhoCorasick> {
    static SCANNED: AtomicUsize = AtomicUsize::new(0);
    static SMALL: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    static FAST: OnceLock<Option<AhoCorasick>> = OnceLock::new();
    let scanned = SCANNED.fetch_add(bytes, Ordering::Relaxed).saturating_add(bytes);
    if scanned >= FAST_AFTER_BYTES {
        return FAST.get_or_init(|| plan().automaton(AhoCorasickKind::DFA)).as_ref();
    }
    SMALL.get_or_init(|| plan().automaton(AhoCorasickKind::NoncontiguousNFA)).as_ref()
}

/// Every secret in `text`: sorted, disjoint, on character boundaries.
pub fn scan(text: &str) -> Vec<Span> {
    let mut spans = Spans::default();
    scan_into(text, 0, &mut spans);
    spans.into_union(text)
}

fn scan_into(text: &str, depth: u8, spans: &mut Spans) {
    Pass::new(text.as_bytes()).run(spans);
    if depth < DEEPEST_VIEW {
        scan_views(text, depth + 1, spans);
    }
}

fn scan_views(text: &str, depth: u8, spans: &mut Spans) {
    let readings = view::unseen(text).into_iter().chain(view::unescaped(text));
    for reading in readings {
        let mut inner = Spans::default();
        scan_into(&reading.text, depth, &mut inner);
        for span in inner.found() {
            let (start, end) = reading.origin(span.start, span.end);
            spans.add(start, end, span.kind, span.certain);
        }
    }
    view::decoded(text.as_bytes(), |start, end, plain| {
        let mut inner = Spans::default();
        scan_into(&plain, depth, &mut inner);
        if let Some(span) = inner.into_union(&plain).first() {
            spans.add(start, end, span.kind, span.certain);
        }
    });
}

/// One walk over one reading of a text.
struct Pass<'a> {
    text: &'a [u8],
    /// Up to where each engine has read.
    rules: Vec<usize>,
    name: usize,
    block: usize,
    jwt: usize,
    url: usize,
    login: usize,
}

impl<'a> Pass<'a> {
    fn new(text: &'a [u8]) -> Self {
        Self { text, rules: Vec::new(), name: 0, block: 0, jwt: 0, url: 0, login: 0 }
    }

    fn run(&mut self, spans: &mut Spans) {
        let plan = plan();
        let Some(automaton) = automaton(self.text.len()) else { return };
        let Ok(hits) = automaton.try_find_overlapping_iter(Input::new(self.text).anchored(Anchored::No))
        else {
            return;
        };
        for hit in hits {
            let engine = plan.engines[hit.pattern().as_usize()];
            self.wake(plan, engine, hit.start(), hit.end(), spans);
        }
    }

    fn wake(&mut self, plan: &Plan, engine: Engine, at: usize, end: usize, spans: &mut Spans) {
        if at < self.block {
            return;
        }
        match engine {
            Engine::Name if at >= self.name => self.name = keyvalue::scan_name(self.text, at, end, spans),
            Engine::Rule(index) => self.rule(plan, index, at, spans),
            Engine::Url if at >= self.url => self.url = url::scan(self.text, at, spans),
            Engine::Block => self.block = block::scan(self.text, at, spans),
            Engine::Putty => block::scan_putty(self.text, at, spans),
            Engine::Scheme => header::scan_scheme(self.text, at, end, spans),
            Engine::Cookie => header::scan_cookie(self.text, end, spans),
            Engine::Jwt if at >= self.jwt => self.jwt = token::scan_jwt(self.text, at, spans),
            Engine::Command(row) => command::scan(self.text, usize::from(row), at, end, spans),
            Engine::Login if at >= self.login => self.login = crate::login::scan(self.text, at, end, spans),
            _ => {}
        }
    }

    fn rule(&mut self, plan: &Plan, index: u16, at: usize, spans: &mut Spans) {
        let index = usize::from(index);
        if self.rules.is_empty() {
            self.rules = vec![0; RULES.len()];
        }
        if at < self.rules[index] {
            return;
        }
        let (rule, shape) = (&RULES[index], &plan.shapes[index]);
        let Some((start, end)) = shape.find(self.text, at) else { return };
        self.rules[index] = end;
        if token::stands_alone(self.text, start)
            && token::is_believable(rule.strict, shape.anchor(), &self.text[start..end])
        {
            spans.add(start, end, rule.kind, true);
        }
    }
}

/// Whether a value is short of surprise: too easily guessed for a fingerprint.
pub(crate) fn is_guessable(secret: &[u8]) -> bool {
    let sample = &secret[..secret.len().min(512)];
    chance::bits(sample) < 50 || value::is_placeholder(sample)
}
