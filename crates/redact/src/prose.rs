//! Secrets in sentences: "the password for admin is hunter2", "log in with admin / Passw0rd!".
//!
//! A sentence gives no syntax to lean on, so the value must show itself: digits among letters,
//! symbols, or spelling that no word has; and it must stand within a few words of its name.

mod around;
mod judge;
pub(crate) use self::judge::is_strung;
mod word;
use self::around::{before_name, from_to, spaced};
use self::judge::{
    is_below_user, is_handed, is_numbered, is_plain_talk, is_plausible, is_value, names_nothing,
};
use self::word::{Word, next_word, strip};
mod again;
mod below;
mod codes;
mod looks;
mod phrase;
mod same;
mod strong;
use self::below::next_line;
pub(crate) use self::below::{
    announced, answered, answered_in_digits, answered_with_token, is_head, is_of_another, speaker,
};
pub(crate) use self::codes::code_list;
use self::looks::looks_jointed;
use self::looks::{has_joints, shows_digit};
pub(crate) use self::looks::{
    is_jargon, is_leet, looks_chosen, looks_dotted, looks_joined, looks_like_secret,
};
pub(crate) use self::phrase::{grouped, mixed_groups, phrase, words};
pub(crate) use self::strong::{
    ACCESS, around as strong_around, beside as strong_beside, is_numbered as is_numbered_thing,
    scan as strong,
};
use crate::chance;
use crate::names::{Name, Trust};
use crate::search::Words;
use crate::span::Spans;
use crate::value::Traits;

/// Words and signs that join a name and its value; `tests` has each again, so that none goes unseen.
#[rustfmt::skip]
static JOINS: Words<30> = Words::new([
    b"is", b"it's", b"was", b"to", b"as", b"->", b"-", "→".as_bytes(), "–".as_bytes(), "—".as_bytes(),
    b"still", b"remains", b"became", b"be", b"now", b"today", b"adesso", b"ora", b"jetzt", b"nu", b"ahora", b"stays", b"ist", b"lautet", b"est", b"jest", "è".as_bytes(), "é".as_bytes(), b"es", b"lyder",
]);
const MOST_WORDS: usize = 12;

fn is_join(word: &[u8]) -> bool {
    JOINS.equals(word)
}

/// Words behind a name after which a colon still joins its value.
const NEAR: usize = 4;
/// The same behind a name that opens its line.
const FAR: usize = 8;
const REACH: usize = 120;

/// Looks for the value of a name that ends at `stop`; behind a `silent` one nothing is said on its line.
pub(crate) fn after_name(
    text: &[u8],
    start: usize,
    stop: usize,
    name: Name,
    silent: bool,
    spans: &mut Spans,
) {
    if announced(text, stop, name, spans) {
        return;
    }
    let talk = match name.trust {
        Trust::Password => answered(text, stop),
        _ => answered_with_token(text, stop, name),
    };
    match talk {
        // "try it with user backup pass X ok?": its own line may tell it too.
        Some((start, end)) => spans.add(start, end, name.kind, false),
        None if silent => {}
        None => {
            if let Some((start, end)) = said_behind(text, start, stop, name) {
                return spans.add(start, end, name.kind, false);
            }
        }
    }
    // "pass" is a verb, "pat" a pattern: without a sign of syntax they name only what shows itself.
    if is_verb(&text[start..stop]) {
        return after_verb(text, stop, name, spans);
    }
    if before_name(text, start, name, spans) {
        return;
    }
    if let Some((from, to)) = if silent { None } else { behind_user(text, start, stop, name) } {
        return spans.add(from, to, name.kind, false);
    }
    in_sentence(text, start, stop, name, spans);
}

/// A sentence that goes on behind the name: `the password's X`, `the password for the printer is X`.
fn in_sentence(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    let stop = if text[stop..].starts_with(b"'s ") { stop + 2 } else { stop };
    let goes_on = broken(text, stop);
    if !goes_on && !matches!(text.get(stop), Some(b' ' | b'"' | b'\'' | b'`' | b')' | b':' | b'*' | b'\t')) {
        return;
    }
    if is_held(text, start, stop) || names_nothing(text, start, stop) {
        return;
    }
    if name.trust == Trust::Password
        && let Some((start, end)) = judge::dictated(text, stop)
    {
        return spans.add(start, end, name.kind, false);
    }
    let copula = text[stop] == b':';
    let from = stop + usize::from(copula || goes_on);
    if !is_plain_talk(text, from) {
        Sentence { text, start, stop, name, at: from, first: from, copula, just: copula }.read(spans);
    }
}

/// The words behind a name, one after the other.
struct Sentence<'a> {
    text: &'a [u8],
    /// Where the name stands.
    start: usize,
    stop: usize,
    name: Name,
    /// Where the next word is looked for, and where the first was.
    at: usize,
    first: usize,
    /// Whether a word or sign that joins a name to its value was read; whether it was the last.
    copula: bool,
    just: bool,
}

impl Sentence<'_> {
    fn read(mut self, spans: &mut Spans) {
        let limit = self.text.len().min(self.at + REACH);
        // Directly after a colon the value is near, or it is not one.
        let most = if self.copula { 3 } else { MOST_WORDS };
        for turn in 0..most {
            let below = self.at + usize::from(broken(self.text, self.at));
            let Some(word) = next_word(self.text, below, limit) else {
                return next_line(self.text, self.at, self.name, spans);
            };
            // Most words have none of what is asked about below.
            let signs = self.text[self.at..word.after]
                .iter()
                .any(|&byte| crate::search::is_one!(byte, b'[' | b':' | b'\\'));
            if self.is_of_another(&word, signs) {
                return;
            }
            if self.is_told(&word) {
                return spans.add(word.start, word.end, self.name.kind, false);
            }
            if let Some(pair) = from_to(self.text, &word, self.name, limit) {
                return pair
                    .into_iter()
                    .for_each(|(start, end)| spans.add(start, end, self.name.kind, false));
            }
            self.join(&word, turn);
            if self.ends(&word, signs) {
                return;
            }
            // `password 7 0822…`: a router's type of encoding stands between.
            let bytes = &self.text[word.start..word.end];
            if bytes.len() == 1 && bytes[0].is_ascii_digit() && self.first == self.at {
                self.first = word.after;
            }
            self.at = word.after;
        }
    }

    fn is_first(&self) -> bool {
        self.at == self.first
    }

    /// Whether the word says that the sentence is about something else.
    fn is_of_another(&self, word: &Word, signs: bool) -> bool {
        let (text, name) = (self.text, self.name);
        let bytes = &text[word.start..word.end];
        let loose = name.trust != Trust::Password || RULES.contains(&bytes);
        // `Token ID: ce84…`; of a `Secret ID` the secret is one.
        let other = self.is_first()
            && (loose && OTHERS.equals(bytes)
                || name.kind == "token" && bytes == b"ID"
                || self.copula && bytes == b"username");
        other
            || signs && crate::search::has(&text[self.at..word.end], b"[REDACTED")
            // `PASSWORD: WIN32_ERROR = 86`: a type stands between a name and its value.
            || self.copula && text[word.after..].starts_with(b" = ")
            // A path of types is no sentence; what passwords are like is none; `new password: username X password Y`
            // has a name for each.
            // In `get-login-password | docker login` another command follows.
            || matches!(bytes, b"like" | b"such" | b"|")
            || signs && crate::search::has(bytes, b"::")
            // `"type": "Secret Keyword", "hash": "X"`: another member's.
            || word.quoted && !self.is_first() && text[..word.start].ends_with(b"\": \"")
    }

    /// Whether the word is what the name names.
    fn is_told(&self, word: &Word) -> bool {
        let (text, name, just, copula) = (self.text, self.name, self.just, self.copula);
        let bytes = &text[word.start..word.end];
        let password = name.trust == Trust::Password;
        if just && password && (is_strung(bytes) || crate::value::is_drawn_together(bytes)) {
            return true;
        }
        if just && password && !self.is_behind_to(word) && crate::value::is_disclosed(bytes) {
            return true;
        }
        // `use the password otter-bridge-lamp-river to log in`.
        let four = || memchr::memchr2_iter(b'-', b'_', bytes).count() >= 3;
        if password && self.is_first() && four() && crate::value::is_drawn_together(bytes) {
            return true;
        }
        if password && (just || self.is_first()) && self.is_counted_out(word) {
            return true;
        }
        // Most words are words.
        if !is_plausible(bytes, word.quoted)
            // Whose it is, or the next name of a list.
            || is_made_by(text, word.start)
            || is_sibling(text, self.start, self.stop, bytes)
            // `muhasebe bilgisayarının`: a word of any language, on the way.
            || !just && !word.quoted && bytes[1..].iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
            // `password1`, beside a `password2`: fields.
            || is_numbered(bytes) && !just
            // `password for task "Photos" is X`: what it is of.
            || word.quoted && !self.is_first() && text[word.after..].starts_with(b" is ") && !copula
        {
            return false;
        }
        let bracket = text[word.start - 1] == b'(';
        let sure =
            copula || self.is_first() && name.trust != Trust::Weak || bracket && !bytes.starts_with(b"0x");
        is_value(name, bytes, word.quoted && (just || shows_digit(bytes)), sure)
            || is_handed(text, self.start, self.is_first(), name, bytes, copula)
            || password && self.is_password(word, bracket)
            || matches!(name.kind, "key" | "api_key")
                && (chance::is_product_key(bytes) || is_chain_key(bytes))
    }

    /// `the password to otter77 is X`: what it opens. `changed the password to X`: the new one.
    fn is_behind_to(&self, word: &Word) -> bool {
        const CHANGES: [&[u8]; 5] = [b"hang", b"set ", b"rotat", b"updat", b"eset"];
        let before = &self.text[..word.start];
        let to = [&b" to "[..], b" as ", b" to \"", b" to `"].iter().any(|to| before.ends_with(to));
        let line = crate::search::line_before(self.text, self.start, 64);
        to && !CHANGES.iter().any(|verb| crate::search::has(line, verb))
    }

    /// `the wifi password is 7526021821.`: digits that are no day, and behind them nothing that they count.
    fn is_counted_out(&self, word: &Word) -> bool {
        let bytes = &self.text[word.start..word.end];
        let day = matches!(bytes.len(), 6 | 8) && matches!(bytes, [b'1', b'9', ..] | [b'2', b'0', ..]);
        let rest = &self.text[word.end..];
        let closes = rest.iter().position(|byte| !matches!(byte, b'.' | b',' | b')' | b'!'));
        let lone = match closes {
            None => true,
            Some(0) => matches!(rest[0], b'\n' | b'\r' | b'"' | b'`'),
            Some(at) => matches!(rest[at], b'\n' | b'\r' | b' '),
        };
        let shortest = if self.is_first() { 6 } else { 7 };
        (shortest..=12).contains(&bytes.len())
            && bytes.iter().all(u8::is_ascii_digit)
            && !day
            && lone
            && !self.text[self.stop..word.start].contains(&b',')
            && !judge::is_of_other(&self.text[self.start..word.start])
            && !crate::value::is_placeholder(bytes)
            && !crate::spoken::is_counted(self.text, self.start, bytes)
    }

    /// What only a password may look like.
    fn is_password(&self, word: &Word, bracket: bool) -> bool {
        let (text, just) = (self.text, self.just);
        let bytes = &text[word.start..word.end];
        let below = || self.is_first() && is_below_user(text, self.stop, word.end);
        let jointed = || looks_jointed(bytes) || crate::value::is_chosen(bytes);
        self.is_first() && word.quoted && crate::value::is_chosen(bytes)
            || (looks_joined(bytes) || just && jointed()) && (just || self.is_first() && bracket || below())
            || (self.is_first() || just) && crate::value::is_crafted(bytes)
            || below() && judge::is_dotted(bytes)
            || bracket && judge::is_bracketed(text, word)
    }

    /// Whether the word joins the name to the next.
    fn join(&mut self, word: &Word, turn: usize) {
        let text = self.text;
        let bytes = &text[word.start..word.end];
        self.just = is_join(bytes);
        self.just |= self.copula && (text[word.after - 1] == b':' && word.after > word.end || bytes == b"/");
        // "shared secret for the radius: X".
        let sure = self.name.trust == Trust::Password || self.name.kind == "secret";
        let plain = text[word.start - 1] == b' ' && matches!(&text[word.end..word.after], b":" | b"):");
        // `Password on the chalkboard this month: X`.
        let opens = || self.text[..self.start].last().is_none_or(|byte| *byte == b'\n');
        self.just |= sure && (turn < NEAR || turn < FAR && opens()) && plain;
        self.copula |= self.just;
    }

    fn ends(&self, word: &Word, signs: bool) -> bool {
        // "the printer's password? -> X".
        let rest = &self.text[word.after..];
        let answered = rest.starts_with(b" -> ") || rest.starts_with(" → ".as_bytes());
        // In a string of JSON the line ends here.
        let breaks = signs && crate::search::has(&self.text[word.start..word.after], b"\\n");
        word.ends_sentence && !answered || breaks
    }
}

/// Whether a sentence is broken at `at` before or behind its verb: `the password for it is⏎X`, `the password⏎is X`.
fn broken(text: &[u8], at: usize) -> bool {
    const VERBS: [&[u8]; 6] = [b"is", b"was", b"ist", b"lautet", b"est", b"now"];
    if text.get(at) != Some(&b'\n') {
        return false;
    }
    let below = &text[at + 1..text.len().min(at + 8)];
    let next = below.split(|&byte| byte == b' ').next().unwrap_or_default();
    let last = text[at.saturating_sub(8)..at].rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    VERBS.contains(&last) && below.first().is_some_and(u8::is_ascii_graphic)
        || VERBS.contains(&next) && next.len() < below.len()
}

/// A phrase, or groups, behind the name on its line.
fn said_behind(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    let passphrase = ends_in(&text[start..stop], b"phrase");
    // The others are what passwords are written in.
    if name.trust != Trust::Password && !passphrase {
        return phrase::grouped(text, stop, name);
    }
    let several = passphrase || text[stop..].starts_with(b": ") && name.trust == Trust::Password;
    let words = if several { words(text, stop) } else { None };
    words
        .filter(|said| passphrase || said.1 - said.0 == 19)
        .or_else(|| spaced(text, stop, name))
        .or_else(|| phrase::said(text, stop, name))
        .or_else(|| phrase::grouped(text, stop, name))
        .or_else(|| phrase::four(text, stop, name))
        .or_else(|| phrase::ticked(text, stop, name))
        .or_else(|| phrase::told(text, start, stop, name))
        .or_else(|| phrase::loose(text, start, stop))
        .or_else(|| phrase::prompted(text, start, stop, name))
}

/// `0x` and 64 hex digits: what a chain's account signs with.
fn is_chain_key(word: &[u8]) -> bool {
    word.strip_prefix(b"0x").is_some_and(|hex| hex.len() == 64 && hex.iter().all(u8::is_ascii_hexdigit))
}

/// "password generator by otterX#9347".
fn is_made_by(text: &[u8], at: usize) -> bool {
    text[..at].ends_with(b" by ")
}

/// `fbsql_password fbsql_fetch_row`, `n3chgpassword n3detach`: names that begin alike.
fn is_sibling(text: &[u8], start: usize, stop: usize, word: &[u8]) -> bool {
    let name = &text[start..stop];
    let alike = name.iter().zip(word).take_while(|(one, other)| one == other).count();
    let head = &name[..alike];
    name.len() >= alike + 8
        && (alike >= 4 && head.contains(&b'_') || alike >= 2 && head.iter().any(u8::is_ascii_digit))
}

/// `"Bearer $TOKEN" -H "X-Request-Id: …"`: a variable of a shell has the value, and what follows is another's.
fn is_held(text: &[u8], start: usize, stop: usize) -> bool {
    let variable = |from: usize| {
        let long = text[from..]
            .iter()
            .take(40)
            .take_while(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_'))
            .count();
        long >= 3 && text.get(from + long) == Some(&b'"')
    };
    text[..start].ends_with(b"$") && text[stop] == b'"'
        || text[stop..].starts_with(b" $") && variable(stop + 2)
}

/// `Recovery-Phrase` ends in `phrase`.
pub(crate) fn ends_in(name: &[u8], word: &[u8]) -> bool {
    name.len() >= word.len() && name[name.len() - word.len()..].eq_ignore_ascii_case(word)
}

fn is_verb(name: &[u8]) -> bool {
    const VERBS: [&[u8]; 8] = [b"pass", b"pat", b"sid", b"sas", b"sig", b"code", b"auth", b"cred"];
    VERBS.iter().any(|verb| verb.eq_ignore_ascii_case(name))
}

/// Those of them that also speak about passwords, and not of one.
const RULES: [&[u8]; 9] =
    [b"requirements", b"policy", b"manager", b"managers", b"field", b"fields", b"reset", b"rules", b"expiry"];

/// Words that name another thing of the same name: `key fingerprint`, `token count`, `password policy`.
#[rustfmt::skip]
static OTHERS: Words<26> = Words::exact([
    b"requirements",
    b"fingerprint", b"fingerprints", b"digest", b"checksum", b"checksum/config", b"hash", b"id", b"ids", b"count", b"length", b"size", b"policy",
    b"type", b"usage", b"limit", b"budget", b"expiry", b"expires", b"version", b"manager", b"managers", b"field", b"fields", b"reset", b"rules",
]);

/// What a short word for a password is of.
const OF_PASS: [&[u8]; 6] =
    [b"vault pass", b"sudo pass", b"root pass", b"admin pass", b"wifi pass", b"master pass"];

/// `user bob, pass mK8#pLq2`.
fn after_verb(text: &[u8], stop: usize, name: Name, spans: &mut Spans) {
    let limit = text.len().min(stop + REACH);
    let Some(word) = next_word(text, stop, limit) else { return };
    if let Some(pair) = from_to(text, &word, name, limit) {
        return pair.into_iter().for_each(|(start, end)| spans.add(start, end, name.kind, false));
    }
    let bytes = &text[word.start..word.end];
    let traits = Traits::of(bytes);
    let shows = traits.digits >= 2 && traits.uppers > 0 || traits.digits > 0 && traits.symbols > 0;
    let opened = text[word.start - 1] == b'(' && chance::is_random(bytes) && traits.digits > 0
        // `the vault pass "Otter!Otter!"`.
        || word.quoted && crate::value::is_chosen(bytes) && OF_PASS.iter().any(|of| text[..stop].ends_with(of));
    if name.trust == Trust::Password
        && text[stop] == b' '
        && (shows && !has_joints(bytes) && is_value(name, bytes, false, true)
            || opened
            || is_value(name, bytes, false, true) && follows_mail(text, stop)
            || traits.digits > 0 && traits.letters >= 4 && bytes.len() >= 8 && follows_user(text, stop)
            || is_below_user(text, stop, word.end) && looks_joined(bytes)
            || behind_user(text, stop - 4, stop, name).is_some())
    {
        spans.add(word.start, word.end, name.kind, false);
    }
}

/// "creds: user depot pw X", "ssh pi@10.0.0.5, pw X": the word right behind, if the user stands right before.
fn behind_user(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    if name.trust != Trust::Password || text.get(stop) != Some(&b' ') {
        return None;
    }
    let word = next_word(text, stop, text.len().min(stop + REACH))?;
    let bytes = &text[word.start..word.end];
    let traits = Traits::of(bytes);
    // `rye-barley-oats`.
    let dashed = bytes.split(|&byte| byte == b'-').filter(|part| part.len() >= 3).count() >= 3
        && bytes.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
        && matches!(text.get(word.end), None | Some(b'\n' | b'\r' | b'.'));
    let numbered = (traits.digits > 0 || dashed) && traits.letters >= 4 && bytes.len() >= 8;
    if let Some(named) = behind_comma(text, start, stop) {
        return Some(named);
    }
    // Nobody shortens the word in a sentence about passwords; `pass` is a verb too.
    let short = [&b"pw"[..], b"pwd", b"pass"].iter().any(|own| own.eq_ignore_ascii_case(&text[start..stop]));
    // `Wi-Fi "Attic", password rye-barley-oats`.
    let network = || {
        static NETWORKS: Words<4> = Words::new([b"wi-fi", b"wifi", b"wlan", b"ssid"]);
        dashed && NETWORKS.within(crate::search::last_line(&text[start.saturating_sub(48)..start]))
    };
    if !numbered && !short || !(follows_user(text, stop) || follows_address(text, start) || network()) {
        return None;
    }
    let jointed =
        bytes[..bytes.len().saturating_sub(1)].iter().any(|byte| matches!(byte, b'-' | b'.' | b'_'));
    let noun = stop - start < 4 || jointed;
    let rest = &text[word.end..];
    let ends = rest.first().is_none_or(|byte| b"\n\r.,;)".contains(byte))
        || [&b"  "[..], b" (", b" .", b" \xE2"].iter().any(|end| rest.starts_with(end));
    (numbered && crate::value::is_chosen(bytes)
        || short && noun && ends && crate::value::is_choosable(bytes) && !crate::spoken::is_state(bytes))
    .then_some((word.start, word.end))
}

/// `user admin, password Forklift-Without-Brake`, `Server wms01, wachtwoord Kopernik/1543/Torun`: who or where stands
/// before the comma, and one word of several ends what is said.
pub(crate) fn behind_comma(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    const LONGEST_WORD: usize = 64;
    #[rustfmt::skip]
    static OWNERS: Words<24> = Words::new([
        b"user", b"login", b"username", b"account", b"server", b"host", b"gebruiker", b"benutzer", b"benutzername", b"konto", b"utente", b"usuario",
        b"utilisateur", b"identifiant", b"compte", b"cuenta", b"anv\xC3\xA4ndare", b"bruker", b"bruger", b"u\xC5\xBCytkownik",
        b"zugangsnummer", b"kundennummer", b"customer", b"kunde",
    ]);
    let before = text[..start].strip_suffix(b", ")?;
    let said = crate::search::last_line(&before[before.len().saturating_sub(48)..]);
    let mut words = said.rsplit(|&byte| byte == b' ');
    let (name, owner) = (words.next()?, words.next()?);
    let owner = owner.strip_suffix(b":").unwrap_or(owner);
    let from = stop + 1;
    let rest = text.get(from..text.len().min(from + LONGEST_WORD))?;
    let long =
        rest.iter().take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'<')).count();
    crate::work::read(long);
    let (from, to) = strip(text, from, from + long);
    let ends = long < LONGEST_WORD && rest.get(long).is_none_or(|byte| matches!(byte, b'\n' | b'\r'))
        || matches!(text.get(to), Some(b'.' | b',' | b';' | b')'));
    let word = &text[from..to];
    // `user guide, password Vault-And-Rotation`.
    let named = !matches!(
        name,
        b"guide" | b"manual" | b"management" | b"list" | b"data" | b"name" | b"settings" | b"accounts"
    );
    // `MQTT user mosq, password zanzare-estate`, and the line is over.
    let lone = || {
        let called = !matches!(owner, b"login" | b"server" | b"host" | b"account")
            && !matches!(
                name,
                b"group" | b"groups" | b"interface" | b"profile" | b"role" | b"table" | b"menu" | b"input"
            );
        called && matches!(text.get(to), None | Some(b'\n' | b'\r')) && is_of_two(word)
    };
    // `TeamViewer: ID 1 402 118 937, password X`.
    let desk =
        || name.len() == 3 && name.iter().all(u8::is_ascii_digit) && owner.iter().all(u8::is_ascii_digit);
    let user = OWNERS.equals(owner) && name.len() >= 2 && named;
    (ends
        && (user && (is_of_several(word) || is_number(word) || is_halved(word) || lone())
            || (is_halved(word) || crate::value::is_crafted(word)) && desk()))
    .then_some((from, to))
}

/// `51608898`, as a provider's letter has it.
fn is_number(word: &[u8]) -> bool {
    (6..=10).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

/// `Forklift-Without-Brake`, `Kopernik/1543/Torun`: three parts with the same sign between, titles or a number.
fn is_of_several(word: &[u8]) -> bool {
    const SERVICES: [&[u8]; 5] = [b"service", b"portal", b"sign", b"reset", b"policy"];
    let Some(&sign) = word.iter().find(|byte| matches!(byte, b'-' | b'/' | b'.' | b'_')) else {
        return false;
    };
    let parts = || word.split(|&byte| byte == sign);
    let title = |part: &[u8]| {
        part.len() >= 3
            && (part[0].is_ascii_uppercase() || !part[0].is_ascii())
            && part[1..].iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
            && !SERVICES.iter().any(|own| own.eq_ignore_ascii_case(part))
    };
    let number = |part: &[u8]| (2..=6).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    (3..=6).contains(&parts().count())
        && parts().all(|part| title(part) || number(part))
        && parts().filter(|part| title(part)).count() >= 2
}

/// `seeBlick!fern`: two words and a sign between that no sentence has there.
fn is_halved(word: &[u8]) -> bool {
    let sign = |byte: &u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'*' | b'^' | b'~' | b'&' | b'+');
    let mut parts = word.split(sign);
    let letters = |part: &[u8]| part.len() >= 3 && part.iter().all(u8::is_ascii_alphabetic);
    parts.clone().count() == 2
        && parts.all(letters)
        && (word.contains(&b'!') || word.iter().any(u8::is_ascii_uppercase))
        && crate::value::is_choosable(word)
}

/// `grapefruit-sunday`: two words of small letters.
fn is_of_two(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b'-');
    let small = |part: &[u8]| part.len() >= 5 && part.iter().all(u8::is_ascii_lowercase);
    parts.clone().count() == 2 && parts.all(small) && crate::value::is_choosable(word)
}

/// `pi@10.0.0.5, pw`: an address stands right before.
fn follows_address(text: &[u8], start: usize) -> bool {
    let before = text[start.saturating_sub(64)..start].trim_ascii_end();
    let before = before.strip_suffix(b",").or_else(|| before.strip_suffix(b";")).unwrap_or(before);
    let long = before.iter().rev().take_while(|byte| byte.is_ascii_graphic()).count();
    let sign = memchr::memchr(b'@', &before[before.len() - long..]);
    sign.is_some_and(|sign| sign > 0 && sign + 3 < long)
}

/// "user media, pass X": the user is named right before.
fn follows_user(text: &[u8], stop: usize) -> bool {
    let before = &text[stop.saturating_sub(40)..stop];
    let line = crate::search::last_line(before);
    let mut words =
        line.trim_ascii_end().rsplit(|&byte| byte == b' ').filter(|word| !word.is_empty()).skip(1);
    let user = words.next().unwrap_or_default();
    let said = words.next().map(|word| word.strip_prefix(b"(").unwrap_or(word));
    !user.is_empty() && matches!(said, Some(b"user" | b"login" | b"username" | b"account"))
}

/// "my account is bob@example.org and pass X": the user was named a few words before.
fn follows_mail(text: &[u8], stop: usize) -> bool {
    let before = &text[stop.saturating_sub(48)..stop];
    let line = crate::search::last_line(before);
    memchr::memrchr(b'@', line).is_some_and(|sign| {
        sign > 0
            && line[sign - 1].is_ascii_alphanumeric()
            && memchr::memchr_iter(b' ', &line[sign..]).count() <= 4
            && line[sign..].contains(&b'.')
    })
}

#[cfg(test)]
mod tests {
    use crate::scan;

    #[test]
    fn the_line_above_may_end_in_the_user() {
        let found = |text: &str| {
            scan(text).iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(
            found("host sftp.kontor.example, port 22, user ledger\npassword Kettle+heron.two\nbye\n"),
            ["Kettle+heron.two"]
        );
        assert_eq!(found("password (case sensitive): heronKettle7"), ["heronKettle7"]);
        assert!(found("see the form, user first\npassword field!\n").is_empty());
    }

    #[test]
    fn who_and_where_stand_before_a_comma() {
        let found = |text: &'static str| -> Vec<&str> {
            scan(text).iter().map(|span| &text[span.start..span.end]).collect()
        };
        for (text, secret) in [
            ("user admin, password Heron-Without-Kettle", "Heron-Without-Kettle"),
            ("Server till01, wachtwoord Reiger-Zonder-Ketel\nbye", "Reiger-Zonder-Ketel"),
            ("NVR 10.0.0.7, konto admin, hasło Czapla/1543/Torun", "Czapla/1543/Torun"),
            ("Benutzer: anna, Passwort Reiher-Ohne-Kessel.", "Reiher-Ohne-Kessel"),
            ("user admin, password heron-and-kettle", "heron-and-kettle"),
            ("T-Online Zugangsnummer 002152759638, Kennwort 51608894", "51608894"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "user guide, password Vault-And-Rotation",
            "Server till01, Passwort Self-Service-Portal",
            "MFA, password Heron-Without-Kettle",
            "user admin, password Heron-Without-Kettle is a bad one to take",
            "user admin, password /var/lib/secret",
            "user admin, password heron-and-kettle for all",
            "user admin, password 12",
            "user admin, password 51608894 times wrong",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_line_may_end_within_a_sentence() {
        let found = |text: &'static str| -> Vec<&str> {
            scan(text).iter().map(|span| &text[span.start..span.end]).collect()
        };
        for text in [
            "The password for the scanner is\nlobby-herons-4, please keep it.",
            "The password\nis lobby-herons-4, please keep it.",
            "the password of the scanner\nis now lobby-herons-4.",
        ] {
            assert_eq!(found(text), ["lobby-herons-4"], "{text}");
        }
        for text in [
            "The password for the scanner is\nin the vault, ask Jens.",
            "The password\nis hashed with argon2id-v19 there.",
            "- change the password\n- lobby-herons-4 is the room",
            "the password\n\nis lobby-herons-4",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_verb_may_be_a_letter() {
        let found = |text: &str| scan(text).len();
        assert_eq!(found("staging login is ann@example.org and the password's Heron-kettle22. Thanks"), 1);
        assert_eq!(found("the wifi password's length must be 12 characters"), 0);
        assert_eq!(found("the admin password's expiry is 2024-11-02"), 0);
        assert_eq!(found("the key's owner is team-infra-42"), 0);
    }

    #[test]
    fn a_bracket_may_stand_before_the_verb() {
        let key = "OTT_ER-7719441387226524-032391-165a23519a4b96e018ac3571814539a0-290676797";
        for text in [
            format!("El token del puente (producción) es {key}."),
            format!("the API token for the bridge (production) is {key}, keep it"),
        ] {
            let found: Vec<&str> = scan(&text).iter().map(|span| &text[span.start..span.end]).collect();
            assert_eq!(found, [key], "{text}");
        }
    }

    #[test]
    fn what_is_told_of_others_stays() {
        for text in [
            "curl -H \"Authorization: Bearer $TOKEN\" -H \"X-Request-Id: e5a17d4b-0c9d-47bd-a8f6-d46b1d518005\"",
            "db_password: \"{{ vault_mysql_root }}\"",
            "\"type\": \"Secret Keyword\", \"digest_of_it\": \"dacc79f340c6f5f669e9e376a6fede1f3a8b7df9\"",
            "password generator by otterX#9347",
            "fbsql_open fbsql_password fbsql_error fbsql_fetch_array fbsql_fetch_assoc",
            "password:    [use 'op item get 4ud9bsrfvg57q2qzd9bo27die5 --reveal' to reveal]",
        ] {
            assert!(scan(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn each_joint_joins_a_name_and_its_value() {
        let joints = [
            "is", "it's", "was", "to", "as", "->", "-", "→", "–", "—", "still", "remains", "became", "be",
            "now", "stays", "ist", "lautet", "est", "jest", "è", "é", "es", "lyder",
        ];
        let open = |joint: &str| scan(&format!("the password for it {joint} hunterx7 since may")).is_empty();
        assert!(open("xyzzy"), "without a joint it is no value");
        assert_eq!(joints.into_iter().filter(|joint| open(joint)).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn a_user_stands_right_before_a_short_word_for_it() {
        let found = |text: &'static str| -> Vec<&str> {
            scan(text).iter().map(|span| &text[span.start..span.end]).collect()
        };
        for text in [
            "neo4j: user graph  pass crater-velvet-ombre  (dev)",
            "db: user app pw crater-velvet-ombre; port 5432",
            "pi: ssh pi@10.0.0.5, pw crater-velvet-ombre .",
        ] {
            assert_eq!(found(text), ["crater-velvet-ombre"], "{text}");
        }
        for text in [
            "the user root, pass through-the-wall only",
            "a user account, pass quickly.",
            "user bob, pw required",
            "mail bob@example.org, password somewhere",
            "a user gets pw crater soon",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
