//! One pass over a text finds the literals, each literal wakes its engine,
//! each engine looks a bounded way left and right and reports spans; the union of all is the answer.
//!
//! - C1  every engine is anchored at a literal and looks at a bounded window, or moves a floor that
//!   keeps later hits out of what it has read: linear time on any input, see `work`
//! - C2  views are made only when a byte asks for them, and scanned to a depth of three

mod words;

use std::cell::RefCell;
use std::sync::OnceLock;

use self::words::{LOGINS, NAME_STEMS, NAME_WORDS, SCHEMES, TONGUES};
use crate::crowd::Crowd;
use crate::literals::{Literal, Literals};
use crate::memo::Memo;
use crate::rules::{RULES, SHAPES};
use crate::shape::{Follow, Runs};
use crate::span::{Span, Spans};
use crate::{
    bare, block, chance, command, company, header, jwk, keyvalue, leaders, login, marker, pair, printed,
    prose, runs, spoken, token, typed, url, value, vendor, view, wallet,
};

const DEEPEST_VIEW: u8 = 3;
/// What a literal wakes.
#[derive(Clone, Copy, Debug)]
enum Engine {
    /// A rule, and how far its anchor stands behind the literal's start.
    Rule(u16, u8),
    Name {
        whole: bool,
    },
    /// A name that is a word of another tongue.
    Tongue,
    Url,
    Block,
    Putty,
    Scheme,
    Cookie,
    Jwt,
    Command(u16),
    Placed(u16),
    Login,
    Prints,
    Hook,
    Mask,
    Jwk,
    Spoken(spoken::Sort),
    Follow,
    Typed,
    Flag,
    Together,
    Port,
    Wallet,
    Vendor,
    Leaders,
    Access,
    Exponent,
    Mark,
}

struct Plan {
    literals: Literals<Engine>,
}

/// Whether an engine wants no small letter behind its word, and says so before it is woken.
fn is_whole_word(engine: Engine) -> bool {
    use spoken::Sort;
    matches!(
        engine,
        Engine::Name { whole: true } | Engine::Spoken(Sort::Pin | Sort::Network | Sort::Answer | Sort::Login)
    )
}

impl Plan {
    /// The plan of all rules but one, and of all words but one, if any: the tests take each away.
    fn without(missing: Option<usize>, lacking: Option<&str>) -> Self {
        let index = |index: usize| u16::try_from(index).unwrap_or(u16::MAX);
        let word = |text: &'static [u8], meaning: Engine| Literal {
            text: text.into(),
            exact: false,
            next: matches!(meaning, Engine::Port).then_some(Follow::DIGIT),
            whole: is_whole_word(meaning) && text.last().is_some_and(u8::is_ascii),
            element: text == b"code",
            meaning,
        };
        let words = |words: &'static [&'static str], engine: Engine| {
            words
                .iter()
                .filter(move |text| Some(**text) != lacking)
                .map(move |text| word(text.as_bytes(), engine))
        };
        let kept = SHAPES.iter().enumerate().filter(|(at, _)| Some(*at) != missing);
        let rules = kept.flat_map(|(at, shape)| {
            shape.literals().map(move |(text, lead)| Literal {
                text,
                exact: true,
                next: shape.follows(),
                whole: false,
                element: false,
                meaning: Engine::Rule(index(at), lead),
            })
        });
        let commands =
            command::commands().enumerate().map(|(at, text)| word(text, Engine::Command(index(at))));
        let placed = login::placed::calls()
            .enumerate()
            .map(|(at, text)| word(text.as_bytes(), Engine::Placed(index(at))));
        let literals = rules
            .chain(words(NAME_STEMS, Engine::Name { whole: false }))
            .chain(words(NAME_WORDS, Engine::Name { whole: true }))
            .chain(words(TONGUES, Engine::Tongue))
            .chain(words(SCHEMES, Engine::Scheme))
            .chain(words(LOGINS, Engine::Login))
            .chain(words(&["://"], Engine::Url))
            .chain(words(&[marker::OPENING], Engine::Mark))
            .chain(words(&["-----BEGIN "], Engine::Block))
            .chain(words(&["private-lines:"], Engine::Putty))
            .chain(words(&["eyJ"], Engine::Jwt))
            .chain(words(printed::COMMANDS, Engine::Prints))
            .chain(spoken::NAMES.iter().flat_map(|(sort, names)| words(names, Engine::Spoken(*sort))))
            .chain(
                spoken::follow::openers()
                    .filter(|text| Some(*text) != lacking)
                    .map(|text| word(text.as_bytes(), Engine::Follow)),
            )
            .chain(words(typed::TYPES, Engine::Typed))
            .chain(words(pair::FLAGS, Engine::Flag))
            .chain(words(pair::TOGETHER, Engine::Together))
            .chain(words(wallet::WORDS, Engine::Wallet))
            .chain(words(vendor::NAMES, Engine::Vendor))
            .chain(words(&[" ...", " .. "], Engine::Leaders))
            .chain(words(prose::ACCESS, Engine::Access))
            .chain(words(&["]:"], Engine::Port))
            .chain(words(&["hook"], Engine::Hook))
            .chain(words(&["kty\"", "kty\\\"", "kty'"], Engine::Jwk))
            .chain(words(&["</exponent>"], Engine::Exponent))
            .chain(words(&["::add-mask::"], Engine::Mask))
            .chain(words(&["cookie"], Engine::Cookie))
            .chain(commands)
            .chain(placed);
        Self { literals: Literals::new(literals) }
    }
}

fn plan() -> &'static Plan {
    static PLAN: OnceLock<Plan> = OnceLock::new();
    PLAN.get_or_init(|| Plan::without(None, None))
}

/// Every secret in `text`: sorted, disjoint, on character boundaries.
pub fn scan(text: &str) -> Vec<Span> {
    thread_local! {
        /// Texts without secrets.
        static CLEAN: RefCell<Memo<()>> = const { RefCell::new(Memo::new()) };
    }
    if CLEAN.with_borrow(|clean| clean.ask(text.as_bytes())).is_some() {
        return Vec::new();
    }
    let spans = scan_by(plan(), text);
    if spans.is_empty() {
        CLEAN.with_borrow_mut(|clean| clean.tell(text.as_bytes(), ()));
    }
    spans
}

/// What one reading of the text finds.
#[cfg(test)]
pub(crate) fn scan_plain(text: &str) -> Spans {
    let mut spans = Spans::default();
    run(plan(), text.as_bytes(), &mut view::Hits::default(), &mut spans);
    spans
}

fn scan_by(plan: &Plan, text: &str) -> Vec<Span> {
    let mut spans = Spans::default();
    let muted = scan_into(plan, text, 0, &mut spans);
    spans.into_union(muted.as_deref().unwrap_or(text))
}

/// Returns the text as it was read, if marks in it had to be muted.
fn scan_into(plan: &Plan, text: &str, depth: u8, spans: &mut Spans) -> Option<String> {
    let before = spans.found().len();
    let mut hits = view::Hits::default();
    if run(plan, text.as_bytes(), &mut hits, spans) {
        let muted = marker::muted(text);
        spans.truncate(before);
        scan_into(plan, &muted, depth, spans);
        return Some(muted);
    }
    scan_runs(plan, text.as_bytes(), depth, spans);
    if depth < DEEPEST_VIEW {
        scan_views(plan, text, &hits, (depth + 1, before), spans);
    }
    None
}

/// Reads the text otherwise. The spans from the `before`-th on were found in it as it stands.
fn scan_views(plan: &Plan, text: &str, hits: &view::Hits, (depth, before): (u8, usize), spans: &mut Spans) {
    let mut plain = spans.found().len();
    for readings in view::KINDS {
        let readings = readings(text, hits);
        if readings.is_empty() {
            continue;
        }
        plain -= spans.drop_if(before..plain, |span| {
            // Those of one kind stand one behind the other.
            let next = readings.partition_point(|reading| reading.starts() <= span.start);
            next.checked_sub(1).is_some_and(|last| readings[last].knows_better(text, span))
        });
        for reading in readings {
            let mut inner = Spans::default();
            scan_into(plan, &reading.text, depth, &mut inner);
            inner.judge(&reading.text);
            for span in inner.found() {
                for (start, end) in reading.origins(span.start, span.end) {
                    spans.add(start, end, span.kind, span.certain);
                }
            }
        }
    }
}

/// Tokens that stand alone, and texts that are encoded.
fn scan_runs(plan: &Plan, text: &[u8], depth: u8, spans: &mut Spans) {
    runs::each(text, |start, end| {
        bare::scan(text, start, end, spans);
        if depth < DEEPEST_VIEW
            && let Some((padded, plain)) = view::decoded(text, start, end)
        {
            scan_decoded(plan, text, (start, padded), &plain, depth + 1, spans);
        }
    });
}

/// A hit in an encoded text takes the whole of it.
fn scan_decoded(
    plan: &Plan,
    text: &[u8],
    (start, end): (usize, usize),
    plain: &str,
    depth: u8,
    spans: &mut Spans,
) {
    if let Some(past) = token::discord_end(text, end, plain) {
        return spans.add(start, past, "discord_token", true);
    }
    let mut inner = Spans::default();
    scan_into(plan, plain, depth, &mut inner);
    if let Some(span) = inner.into_union(plain).first() {
        spans.add(start, end, span.kind, span.certain);
    }
}

/// Most texts have no literal, and want no state. Returns whether there is a mark to be muted: then it stopped there.
fn run(plan: &Plan, text: &[u8], hits: &mut view::Hits, spans: &mut Spans) -> bool {
    let mut pass = None;
    plan.literals.find(text, |engine, at, end| {
        if pass.get_or_insert_with(|| Pass::new(text)).wake(engine, at, end, spans) {
            hits.mark(at);
        }
    });
    let Some(pass) = pass else { return false };
    if pass.speaks {
        return true;
    }
    if pass.marked {
        spans.spare_marks(text);
    }
    company::scan(text, spans);
    prose::strong_beside(text, spans);
    false
}

/// One walk over one reading of a text.
struct Pass<'a> {
    text: &'a [u8],
    /// A mark stands in the text, and it is not muted.
    marked: bool,
    speaks: bool,
    /// Up to where each engine has read.
    rules: Vec<(u16, usize)>,
    runs: Runs,
    name: usize,
    block: usize,
    jwt: usize,
    cookie: usize,
    run: keyvalue::Run,
    url: usize,
    hook: usize,
    jwk_set: usize,
    login: usize,
    logins: Crowd,
    spoken: Crowd,
    /// Up to where words were judged behind spoken names.
    strong: usize,
    wallet: usize,
    access: usize,
}

impl<'a> Pass<'a> {
    #[inline(never)]
    fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            marked: false,
            speaks: false,
            rules: Vec::new(),
            runs: Runs::default(),
            name: 0,
            block: 0,
            jwt: 0,
            cookie: 0,
            run: keyvalue::Run::default(),
            url: 0,
            hook: 0,
            jwk_set: 0,
            login: 0,
            logins: Crowd::default(),
            spoken: Crowd::default(),
            strong: 0,
            wallet: 0,
            access: 0,
        }
    }

    /// Wakes an engine. Returns whether the literal may say more in another reading: no shape does, and no word that
    /// names no secret.
    #[inline(never)]
    fn wake(&mut self, engine: Engine, at: usize, end: usize, spans: &mut Spans) -> bool {
        if self.speaks || at < self.block {
            return true;
        }
        match engine {
            Engine::Name { .. } | Engine::Tongue if at >= self.name && self.is_name(engine, at, end) => {
                self.name = keyvalue::scan_name(self.text, at, end, &mut self.run, spans);
                // `5→password`: what stands before it made it another name.
                return self.run.is_name() || at > 0 && !self.text[at - 1].is_ascii();
            }
            Engine::Rule(index, lead) => self.rule(index, at + usize::from(lead), spans),
            Engine::Mark => (self.marked, self.speaks) = (true, marker::speaks(&self.text[at..])),
            Engine::Url if at >= self.url => self.url = url::scan(self.text, at, spans),
            Engine::Block => self.block = block::scan(self.text, at, spans),
            Engine::Putty => block::scan_putty(self.text, at, spans),
            Engine::Scheme => header::scan_scheme(self.text, at, end, spans),
            Engine::Spoken(sort) if !self.spoken.joins(self.text, at) => {
                spoken::scan(self.text, sort, at, end, &mut self.strong, spans);
            }
            Engine::Follow => spoken::follow::scan(self.text, at, end, spans),
            Engine::Flag => pair::flag(self.text, at, end, spans),
            Engine::Together => pair::together(self.text, end, spans),
            Engine::Wallet if at >= self.wallet => self.wallet = wallet::scan(self.text, end, spans),
            Engine::Exponent if at >= self.jwk_set => self.jwk_set = jwk::elements(self.text, end, spans),
            Engine::Vendor => vendor::scan(self.text, at, end, spans),
            Engine::Leaders => leaders::scan(self.text, at + 1, spans),
            Engine::Access if at >= self.access => self.access = prose::strong_around(self.text, at, spans),
            Engine::Port => pair::behind_host(self.text, at, end, spans),
            Engine::Typed => typed::scan(self.text, at, end, spans),
            Engine::Jwk if at >= self.jwk_set => self.jwk_set = jwk::scan(self.text, at, self.jwk_set, spans),
            Engine::Prints => printed::scan(self.text, at, end, spans),
            Engine::Hook => self.hook = url::scan_hook(self.text, at.max(self.hook), spans),
            Engine::Mask => printed::scan_mask(self.text, end, spans),
            Engine::Cookie if at >= self.cookie => self.cookie = header::scan_cookie(self.text, end, spans),
            Engine::Jwt if at >= self.jwt => self.jwt = token::scan_jwt(self.text, at, spans),
            Engine::Command(row) => command::scan(self.text, usize::from(row), at, end, spans),
            Engine::Placed(row) => login::placed::scan(self.text, usize::from(row), at, end, spans),
            Engine::Login if at >= self.login && !self.logins.joins(self.text, at) => {
                self.login = login::scan(self.text, at, end, spans);
            }
            _ => {}
        }
        match engine {
            Engine::Name { .. }
            | Engine::Tongue
            | Engine::Rule(..)
            | Engine::Url
            | Engine::Jwt
            | Engine::Port
            | Engine::Hook => false,
            Engine::Spoken(sort) if sort.is_of_digits() => {
                is_word(self.text, at, end) && digits_near(self.text, at, end) >= 3
            }
            // A sign between user and password, which stands in much code.
            Engine::Login if end - at <= 4 && !self.text[at..end].iter().any(u8::is_ascii_alphabetic) => {
                digits_near(self.text, at, end) > 0
            }
            _ => is_word(self.text, at, end),
        }
    }

    /// Whether a word that names a secret is a name where it stands.
    fn is_name(&self, engine: Engine, at: usize, end: usize) -> bool {
        match engine {
            Engine::Name { whole } => !whole || is_whole(self.text, at, end),
            _ => is_written(self.text, at, end),
        }
    }

    fn rule(&mut self, index: u16, at: usize, spans: &mut Spans) {
        let known = self.rules.iter().position(|(known, _)| *known == index);
        if known.is_some_and(|known| at < self.rules[known].1) {
            return;
        }
        let (rule, shape) = (&RULES[usize::from(index)], &SHAPES[usize::from(index)]);
        let Some((start, end)) = shape.find_among(self.text, at, &mut self.runs) else { return };
        match known {
            Some(known) => self.rules[known].1 = end,
            None => self.rules.push((index, end)),
        }
        // A short prefix is also found in the middle of base64; four bytes in a row are not.
        let inside =
            start.checked_sub(1).is_some_and(|at| matches!(self.text[at], b'-' | b'_' | b'/' | b'+'));
        if inside && (shape.fixed() <= 3 || self.text[start..end].starts_with(b"EAAA")) {
            return;
        }
        if !value::is_public(&self.text[start..end])
            && token::stands_alone(self.text, start)
            && token::is_believable(rule.strict, shape.anchor(), &self.text[start..end])
        {
            spans.add(start, end, rule.kind, true);
            if let Some((start, end)) = token::secret_behind(self.text, end, rule.kind) {
                spans.add(start, end, "aws_secret_access_key", true);
            }
        }
    }
}

/// Whether a literal stands as a word, or begins one, in another reading too: an escape may stand before it.
fn is_word(text: &[u8], at: usize, end: usize) -> bool {
    const ESCAPE: usize = 8;
    let of_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let begins = at == 0 || !of_word(text[at]) || !of_word(text[at - 1]) || {
        let before = &text[at.saturating_sub(ESCAPE)..at];
        before.iter().any(|byte| matches!(byte, b'\\' | b'%' | b'&' | b'=' | 0x1B))
    };
    let rest = &text[end..];
    let rest = rest.strip_prefix(b"s").unwrap_or(rest);
    let goes_on = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
    begins && !(of_word(text[end - 1]) && rest.first().is_some_and(goes_on))
}

/// How many digits stand near a literal, of which codes, numbers and most passwords have some.
fn digits_near(text: &[u8], at: usize, end: usize) -> usize {
    const BEFORE: usize = 32;
    const BEHIND: usize = 128;
    let near = &text[at.saturating_sub(BEFORE)..text.len().min(end + BEHIND)];
    crate::work::read(near.len());
    near.iter().filter(|byte| byte.is_ascii_digit()).count()
}

/// Whether a program wrote the name around a word: it is of several parts, or a flag, or no other word follows it.
fn is_written(text: &[u8], at: usize, end: usize) -> bool {
    const LONG: usize = 32;
    let of_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | 0x80..);
    let start = at - text[..at].iter().rev().take(LONG).take_while(of_name).count();
    let stop = end + text[end..].iter().take(LONG).take_while(of_name).count();
    let name = &text[start..stop];
    let humps = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    let follows = matches!(text.get(stop), Some(b' ' | b'\''))
        && text.get(stop + 1).is_some_and(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    // With a colon behind it a word with letters of its own is spoken.
    let rest = &text[stop..];
    let titled = rest.starts_with(b"</") && !rest.starts_with(b"</key>");
    let spoken = !name.is_ascii() && (rest.starts_with(b":") || titled);
    !follows && !spoken || name.starts_with(b"-") || name.contains(&b'_') || name.windows(2).any(humps)
}

/// Whether a short word ends where its letters do, and is `key` or `pass` or begins a word: `patKey`, not `path`.
fn is_whole(text: &[u8], at: usize, end: usize) -> bool {
    let byte = |at: usize| text.get(at).copied().unwrap_or(b' ');
    let goes_on = byte(end).is_ascii_lowercase()
        || byte(end).is_ascii_uppercase() && byte(end - 1).is_ascii_uppercase();
    let before = at.checked_sub(1).map_or(b' ', byte);
    let escape = at >= 2 && text[at - 2] == b'\\';
    let inside = before.is_ascii_alphabetic()
        && before.is_ascii_lowercase() == text[at].is_ascii_lowercase()
        && !escape;
    !goes_on
        && (!inside
            || matches!(text[at] | 0x20, b'k')
            || text[at..end].eq_ignore_ascii_case(b"pw")
            || text[at..end].eq_ignore_ascii_case(b"psk")
            || end - at == 4 && text[at..end].eq_ignore_ascii_case(b"pass"))
}

/// Whether a value is short of surprise: too easily guessed for a fingerprint.
pub(crate) fn is_guessable(secret: &[u8]) -> bool {
    let sample = &secret[..secret.len().min(512)];
    chance::bits(sample) < 50 || value::is_placeholder(sample)
}

#[cfg(test)]
mod examples;

#[cfg(test)]
mod tables;

#[cfg(test)]
mod tests {
    use super::*;

    /// The example is caught whole, and for what it is.
    fn catches(plan: &Plan, hit: &str, kind: &str) -> bool {
        let start = hit.rfind(' ').map_or(0, |at| at + 1);
        let mut spans = Spans::default();
        scan_into(plan, hit, 0, &mut spans);
        spans.found().iter().any(|span| span.start <= start && span.end == hit.len() && span.kind == kind)
    }

    #[test]
    fn no_rule_can_be_deleted_unseen() {
        let mut idle = Vec::new();
        for (index, rule) in RULES.iter().enumerate() {
            let without = Plan::without(Some(index), None);
            let hits = |plan| rule.hits.iter().all(|hit| catches(plan, hit, rule.kind));
            if !hits(plan()) || hits(&without) {
                idle.push(rule.shape);
            }
        }
        assert!(idle.is_empty(), "nobody would miss {idle:#?}");
    }

    #[test]
    fn each_spoken_name_names_its_value() {
        let mut unheard = Vec::new();
        for (sort, names) in spoken::NAMES {
            let value = match sort {
                spoken::Sort::Password => "Kd83-mQpz!4",
                spoken::Sort::Key => "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6",
                spoken::Sort::Code | spoken::Sort::Pin => "482913",
                spoken::Sort::Codes => "k3m9-x2p7",
                spoken::Sort::Entry => "door: 482913",
                spoken::Sort::Network => "Lumen / flatwhite2024",
                spoken::Sort::Answer | spoken::Sort::Word => "Featherstone",
                spoken::Sort::Serial => "8XK2-PPLM-44TR-XC81",
                spoken::Sort::Login => "from zabbix to Otter!Bridge5",
            };
            for name in *names {
                let joint = if spoken::is_joined(name) || *sort == spoken::Sort::Login { "" } else { ":" };
                let text = format!("Zoom. Security question: {name}{joint} {value}");
                if scan(&text).is_empty() {
                    unheard.push(text);
                }
            }
        }
        assert!(unheard.is_empty(), "{unheard:#?}");
    }

    /// Every word that wakes an engine of names, schemes, logins, screens and pronouns.
    fn words() -> impl Iterator<Item = &'static str> {
        let lists =
            [NAME_STEMS, NAME_WORDS, TONGUES, SCHEMES, LOGINS, typed::TYPES, wallet::WORDS, prose::ACCESS];
        lists.into_iter().flatten().copied().chain(spoken::follow::openers())
    }

    #[test]
    fn no_word_can_be_deleted_unseen() {
        let mut idle: Vec<&str> =
            words().filter(|word| !examples::EXAMPLES.iter().any(|(own, _)| own == word)).collect();
        for (word, text) in examples::EXAMPLES {
            let without = Plan::without(None, Some(word));
            if scan(text).is_empty()
                || !scan_by(&without, text).is_empty()
                || !words().any(|own| own == *word)
            {
                idle.push(word);
            }
        }
        assert!(idle.is_empty(), "nobody would miss {idle:#?}");
    }

    #[test]
    fn each_command_gives_its_password_away() {
        let open: Vec<String> = command::examples().filter(|text| scan(text).is_empty()).collect();
        assert!(open.is_empty(), "{open:#?}");
    }

    #[test]
    fn each_printing_command_is_believed() {
        for command in printed::COMMANDS {
            let text = format!("$ {command} x\nk8vLm2ZpXt9Rk7Wd3Yb5\n");
            assert!(!scan(&text).is_empty(), "{text}");
        }
    }
}
