//! Names and their values, whatever the syntax: JSON at any escape depth, YAML, env files, flags, XML,
//! tables, assignments in code. Hand written: one look right of the name, no backtracking.

mod end;
mod join;
mod literal;
mod meant;
mod odd;
mod parallel;
mod place;
mod queried;
mod read;
mod settings;

pub(crate) use self::odd::seed_below;
use self::odd::{
    between_quotes, is_of_another, numbered, of_account, of_loader, of_parameter, packed, phrase_in_cell,
    piped_in, router_key, server_key, written,
};
use crate::crowd::Crowd;
use crate::names::{self, Name, Trust};
use crate::printed;
use crate::prose;
use crate::search::{Lately, Words};
use crate::span::Spans;
use crate::spoken::Sort;
use crate::value::{self, Place};
use crate::{heading, table};
use std::cell::Cell;
use std::ops::Range;
const LONGEST_NAME: usize = 64;
const LONGEST_BARE: usize = 4096;
const MOST_NAMES_IN_A_RUN: usize = 16;
const MOST_READ_IN_A_RUN: usize = 2 * LONGEST_BARE;

fn is_name_byte(byte: u8) -> bool {
    crate::search::is_one!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | 0x80..)
}

/// The name around a key word at `at`.
fn name_around(text: &[u8], at: usize, end: usize) -> (usize, usize) {
    let mut start = at;
    while start > 0 && at - start < LONGEST_NAME && is_name_byte(text[start - 1]) {
        start -= 1;
    }
    // The `n` of an escaped line break is no part of the name.
    if start > 0 && start < at && text[start - 1] == b'\\' && matches!(text[start], b'n' | b't' | b'r') {
        start += 1;
    }
    let mut stop = end;
    while stop < text.len() && stop - end < LONGEST_NAME && is_name_byte(text[stop]) && text[stop] != b'.' {
        stop += 1;
    }
    (start, stop + property(&text[stop..text.len().min(stop + LONGEST_NAME)]))
}

/// `jwt.secret.value=X`: how long a property's last word is that says nothing of its own.
fn property(rest: &[u8]) -> usize {
    static WORDS: Words<12> = Words::exact([
        b"value",
        b"val",
        b"data",
        b"default",
        b"prod",
        b"production",
        b"staging",
        b"dev",
        b"test",
        b"live",
        b"current",
        b"plain",
    ]);
    let Some(rest) = rest.strip_prefix(b".") else { return 0 };
    let long = rest.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let joined = [&b"="[..], b" = ", b": "].iter().any(|sign| rest[long..].starts_with(sign));
    if joined && WORDS.equals(&rest[..long]) { long + 1 } else { 0 }
}

/// Looks at the name around the key word `at..end`; returns where the name ends.
pub(crate) fn scan_name(text: &[u8], at: usize, end: usize, run: &mut Run, spans: &mut Spans) -> usize {
    let (start, stop) = name_around(text, at, end);
    // `</key>`: what follows belongs to the name inside.
    if text[..start].ends_with(b"</") || is_in_address(text, start) {
        return stop;
    }
    // The word for several names no value of its own.
    if text[..stop].ends_with(b"asswords")
        && !is_of_another(text, start, stop)
        && !meant::is_meant_otherwise(text, start, stop)
    {
        crate::spoken::list::below(text, start, stop, spans);
    }
    let first = phrase_start(text, start);
    let trimmed = stop - text[start..stop].iter().rev().take_while(|&&byte| byte == b'-').count();
    // "I typed the setup key into the app:", and it stands below. Hot path: settings go on with their value.
    if stop == start + 3
        && text[..stop].ends_with(b"key")
        && matches!(text.get(stop..stop + 2), Some(b":\n" | [b' ', b'a'..=b'z']))
    {
        seed_below(text, stop, spans);
    }
    let Some(name) = run.judge(text, first..trimmed) else { return stop };
    // Most names are of no secret, or stand in code.
    if name.trust < Trust::Password && meant::is_code(text, stop)
        || is_of_another(text, start, stop)
        || meant::is_meant_otherwise(text, start, stop)
    {
        return stop;
    }
    let name = in_its_place(text, start, stop, name, run);
    let crowded = run.crowd.joins(text, start);
    if !crowded
        && start >= run.file
        && name.trust >= Trust::Secret
        && let Some(end) = heading::scan(text, start, stop, spans)
    {
        run.file = end;
    }
    let silent = !crowded && is_silent(text, trimmed);
    let phrase = first < start;
    let context = Context { phrase, crowded, silent, ..Context::of(text, start, trimmed, name) };
    if context.is_sealed() {
        return stop;
    }
    by_odd_ways(text, start, stop, name, spans);
    let shown = name.trust >= Trust::Secret
        || matches!(name.kind, "key" | "api_key" | "token")
        || text[start..stop].ends_with(b"get_cookie");
    if name.trust >= Trust::Secret {
        printed::debugged(text, start, stop, spans);
    }
    if shown && !crowded {
        printed::scan_named(text, start, stop, name.kind, spans);
    }
    if !crowded
        && start >= run.inside
        && let Some(end) = crate::container::scan(text, start, trimmed, name, spans)
    {
        run.inside = end;
    }
    if !crowded {
        context.syntaxes(spans);
    }
    if parallel::scan(text, start, stop, name, spans) {
        return stop;
    }
    let found = spans.found().len();
    if !crowded && !silent {
        let sort = match name.kind {
            _ if name.trust == Trust::Password => Sort::Password,
            "recovery_code" | "otp" | "pin" => Sort::Code,
            _ => Sort::Key,
        };
        crate::spoken::frames::scan(text, start, stop, sort, name.kind, spans);
    }
    if run.takes(start) {
        let end = context.scan(run, spans);
        if !silent {
            context.given(spans);
        }
        let talk = end <= stop + 2 || text.get(stop) == Some(&b' ');
        if !crowded && name.trust == Trust::Password && talk {
            prose::strong(text, stop, &mut run.strong, spans);
            if !silent {
                crate::spoken::moved::scan(text, stop, spans);
            }
        }
        context.stands_in(spans);
        run.judged(start, end);
    }
    if !crowded {
        crate::weigh::scan(text, start, trimmed, name, found, spans);
    }
    stop
}

/// What the name `start..stop` says where it stands: a `key` in an object of secrets, beside a user, of a network.
fn in_its_place(text: &[u8], start: usize, stop: usize, name: Name, run: &mut Run) -> Name {
    let sealed = name.kind == "key" && (is_inside_secret(text, start) || is_beside_user(text, start));
    let network = !sealed
        && matches!(name.kind, "key" | "api_key")
        && is_plain_key(&text[start..stop])
        && (text[start..].starts_with(b"wireless.") || is_network(text, start, &mut run.networks));
    if name.kind == "secret" && (is_signer(text, start, stop) || is_of_telephone(text, start, stop)) {
        return Name { trust: Trust::Password, ..name };
    }
    match (sealed, network) {
        (true, _) => Name { kind: "secret", trust: Trust::Secret },
        (_, true) => Name { kind: "password", trust: Trust::Password },
        _ => name,
    }
}

/// `type=friend⏎username=6012⏎secret=683do1`: of a telephone, beside what else its section says of it.
fn is_of_telephone(text: &[u8], start: usize, stop: usize) -> bool {
    static SAYS: Words<5> =
        Words::new([b"type=friend", b"type=peer", b"host=dynamic", b"type=auth", b"context="]);
    let set =
        text[start..stop] == *b"secret" && text.get(stop) == Some(&b'=') && text[..start].ends_with(b"\n");
    set && {
        let near = &text[start.saturating_sub(120)..text.len().min(stop + 120)];
        crate::work::read(near.len());
        SAYS.within(near)
    }
}

/// `register(jwt, { secret: 'otter-signs-river-things' })`: somebody chose what signs.
fn is_signer(text: &[u8], start: usize, stop: usize) -> bool {
    static SIGNERS: Words<3> = Words::new([b"jwt", b"cookie", b"session"]);
    let quoted = [&b": '"[..], b": \""].iter().any(|joint| text[stop..].starts_with(joint));
    quoted && matches!(text[..start].last(), Some(b' ' | b'{' | b'(')) && {
        let line = crate::search::last_line(crate::search::line_before(text, start, 96));
        // `session({⏎  secret: '…'`.
        let opens = line.trim_ascii().is_empty();
        SIGNERS.within(if opens { &text[start.saturating_sub(48)..start] } else { line })
    }
}

/// Ways to write a value that no grammar of names and values has.
fn by_odd_ways(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if name.kind == "key"
        && text[stop..].starts_with(b": ")
        && let Some((from, to)) = prose::grouped(text, stop, name)
    {
        spans.add(from, to, "otp", false);
    }
    // `#define DOOR_PIN 3525`; a chip has no pin of so many digits.
    if name.kind == "pin" && text[..start].ends_with(b"#define ") && text.get(stop) == Some(&b' ') {
        let line = crate::search::line(text, stop, LONGEST_NAME).trim_ascii();
        let digits = line.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if (4..=8).contains(&digits) && matches!(line.get(digits), None | Some(b' ')) {
            let from = crate::search::offset(text, line);
            spans.add(from, from + digits, "pin", false);
        }
    }
    queried::scan(text, start, stop, name, spans);
    if name.kind == "secret" && matches!(text[..start].last(), Some(b'\t' | b' ')) {
        crate::heading::dialled(text, start, stop, spans);
    }
    if name.trust == Trust::Password {
        if text[..stop].ends_with(b"asswords") {
            crate::spoken::list::scan(text, stop, spans);
        }
        crate::spoken::list::below(text, start, stop, spans);
    }
    let odd = piped_in(text, stop, name)
        .or_else(|| packed(text, stop, name))
        .or_else(|| of_parameter(text, stop, name))
        .or_else(|| {
            (name.trust == Trust::Password)
                .then(|| of_loader(text, start, stop).or_else(|| between_quotes(text, start, stop)))
                .flatten()
        })
        .or_else(|| of_account(text, start, stop, name))
        .or_else(|| numbered(text, stop, name))
        .or_else(|| written(text, start, name))
        .or_else(|| {
            // Hot path: behind most names one blank and a word follow.
            let cell = name.trust == Trust::Password
                && matches!(text.get(stop..stop + 2), Some([b'\t', _] | [b' ', b' ' | b'|']));
            cell.then(|| phrase_in_cell(text, start, stop)).flatten()
        })
        .or_else(|| settings::value(text, start, stop, name));
    if let Some((from, to)) = odd {
        spans.add(from, to, "password", false);
    }
    if name.kind == "key"
        && let Some((from, to)) = server_key(text, start, stop)
    {
        spans.add(from, to, "password", false);
    }
    if name.kind == "key"
        && let Some(long) = router_key(&text[stop..text.len().min(stop + 96)])
    {
        spans.add(stop + 3, stop + 3 + long, "password", false);
    }
}

/// `https://otter.example/river;jsessionid=X`: how servers mark a page's address, which somebody passed on; where it is
/// asked for it is somebody's.
fn is_in_address(text: &[u8], start: usize) -> bool {
    text[..start].ends_with(b";") && text[start..].starts_with(b"jsession") && {
        let near = &text[start.saturating_sub(160)..start];
        let word = near.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        let line = crate::search::last_line(near);
        let sent =
            [&b"ocation: "[..], b"302 -> ", b"Referer: "].iter().any(|sent| crate::search::has(line, sent));
        crate::search::has(word, b"://") && !sent
    }
}

/// Whether only signs stand behind a name on its line: no word, and no quote.
fn is_silent(text: &[u8], stop: usize) -> bool {
    let rest = &text[stop..text.len().min(stop + LONGEST_NAME)];
    let tells = |byte: &&u8| {
        crate::search::is_one!(
            **byte,
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'"' | b'\'' | b'`' | b'\n' | 0x80..
        )
    };
    rest.iter().find(tells) == Some(&b'\n')
}

/// Whether a wireless network is named a little before: then its key is a password.
fn is_network(text: &[u8], start: usize, lately: &mut Lately) -> bool {
    // `option encryption 'psk2'⏎option key 'X'`.
    static NETWORKS: Words<9> = Words::new([
        b"ssid",
        b"wifi",
        b"wi-fi",
        b"wlan",
        b"network:",
        b"network is \"",
        b"hotspot",
        b"encryption 'psk",
        b"encryption 'sae",
    ]);
    lately.stands(&NETWORKS, text, start.saturating_sub(64), start)
}

/// `"Jwt": { …, "Key": "X" }`, `'crypt' => ['key' => 'X']`: the object that a member stands in is called like a secret.
fn is_inside_secret(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(160)..start];
    let Some(&sign) = before.last().filter(|sign| matches!(sign, b'"' | b'\'')) else { return false };
    crate::work::read(before.len());
    let brace = |byte: &u8| matches!(byte, b'{' | b'}' | b'[' | b']');
    let open = before.iter().rposition(brace).filter(|&at| matches!(before[at], b'{' | b'['));
    let Some(head) = open.map(|open| before[..open].trim_ascii_end()) else { return false };
    let Some(name) = head
        .strip_suffix(b":")
        .or_else(|| head.strip_suffix(b"=>"))
        .map(<[u8]>::trim_ascii_end)
        .and_then(|head| head.strip_suffix(&[sign]))
    else {
        return false;
    };
    let long = name.iter().rev().take(32).take_while(|byte| is_name_byte(**byte)).count();
    let own = &name[name.len() - long..];
    let seals = [&b"crypt"[..], b"encryption", b"encrypter", b"cipher", b"hmac"];
    seals.iter().any(|seal| seal.eq_ignore_ascii_case(own))
        || names::judge(own).is_some_and(|name| matches!(name.kind, "token" | "secret" | "auth"))
}

static NAMED: Words<5> =
    Words::exact([b"\"username\":", b"\"username\" :", b"\"user\":", b"user=\"", b"username=\""]);

/// `{"username":"otter","key":"X"}`, `Client(user="sync", key="X")`.
fn is_beside_user(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(64)..start];
    if !before.ends_with(b", ") && !before.ends_with(b"\"") {
        return false;
    }
    let line = crate::search::last_line(before);
    crate::work::read(line.len());
    NAMED.within(line)
}

fn is_plain_key(name: &[u8]) -> bool {
    // `wireless.default_radio0.key='X'`.
    let name = name
        .strip_prefix(b"wireless.")
        .and_then(|name| name.rsplit(|&byte| byte == b'.').next())
        .unwrap_or(name);
    name.eq_ignore_ascii_case(b"key") || name.eq_ignore_ascii_case(b"psk")
}

/// Names of several words (`Secret Access Key:`): up to two words before, one space apart.
fn phrase_start(text: &[u8], start: usize) -> usize {
    let mut first = start;
    // `agent start --token X`: a flag is a name as it stands.
    if text.get(start) == Some(&b'-') {
        return start;
    }
    for _ in 0..2 {
        let Some(b' ') = first.checked_sub(1).map(|at| text[at]) else { break };
        let word =
            text[..first - 1].iter().rev().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let before = &text[first - 1 - word..first - 1];
        if word == 0 || is_type(before) || is_modifier(before) && is_compound(&text[start..]) {
            break;
        }
        first -= word + 1;
    }
    first
}

/// `public string ApiKey`, `std::string token`: of what type it is.
fn is_type(word: &[u8]) -> bool {
    matches!(word, b"string" | b"String" | b"str" | b"char" | b"bytes")
}

/// `public const API_KEY`: who may see the name, and not that its key is public.
fn is_modifier(word: &[u8]) -> bool {
    matches!(word, b"public" | b"const" | b"static" | b"readonly" | b"final")
}

/// Whether the name that `rest` begins with is of several words in one, as programs write it.
fn is_compound(rest: &[u8]) -> bool {
    let long = rest.iter().take(LONGEST_NAME).take_while(|byte| is_name_byte(**byte)).count();
    let name = &rest[..long];
    name.contains(&b'_')
        || name.windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase())
}

/// The unquoted run that was read last. A run full of names (`key=key=key=…`) would be read once for each:
/// after a few that were no secrets it is left alone, and so is one that was found to be a secret.
#[derive(Debug, Default)]
pub(crate) struct Run {
    end: usize,
    names: usize,
    /// Bytes that were read for those names, again and again.
    read: usize,
    /// Tables and objects that were read for a name already.
    table: Range<usize>,
    object: usize,
    file: usize,
    inside: usize,
    /// Up to where words were judged on lines that speak of passwords.
    strong: usize,
    crowd: Crowd,
    networks: Lately,
    /// The name before, and what it says: the same is often the next too.
    judged: (Range<usize>, Option<Name>),
}

impl Run {
    fn judge(&mut self, text: &[u8], name: Range<usize>) -> Option<Name> {
        if text[self.judged.0.clone()] != text[name.clone()] {
            self.judged = (name.clone(), names::judge(&text[name]));
        }
        self.judged.1
    }

    /// Whether the name that was judged last is one.
    pub(crate) fn is_name(&self) -> bool {
        self.judged.1.is_some()
    }

    fn takes(&mut self, start: usize) -> bool {
        if start >= self.end {
            (self.names, self.read) = (0, 0);
        }
        self.names < MOST_NAMES_IN_A_RUN && self.read < MOST_READ_IN_A_RUN
    }

    fn judged(&mut self, start: usize, end: usize) {
        self.names += 1;
        self.read += end.saturating_sub(start);
        self.end = self.end.max(end);
    }
}

struct Context<'a> {
    text: &'a [u8],
    start: usize,
    stop: usize,
    name: Name,
    /// The name has several words, as in a sentence.
    phrase: bool,
    /// It is one of many names side by side.
    crowded: bool,
    /// Nothing follows it on its line.
    silent: bool,
    /// Where the value begins and ends that was read last: it is asked for again.
    bare: Cell<(usize, usize)>,
}

/// Where an unquoted value that begins at `start` ends.
pub(crate) fn bare_end(text: &[u8], start: usize) -> usize {
    let name = Name { kind: "key", trust: Trust::Weak };
    Context::of(text, start, start, name).bare_end(start)
}

/// How name and value are joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Join {
    Colon,
    Equals,
    /// `name: X` … `value: Y`, a cell, a tag.
    Apart,
    /// `"name", "value"`, `name || "value"`: only quoted, and only if it looks like a secret by itself.
    Item,
    Flag,
}

impl<'a> Context<'a> {
    fn of(text: &'a [u8], start: usize, stop: usize, name: Name) -> Self {
        Self { text, start, stop, name, phrase: false, crowded: false, silent: false, bare: Cell::default() }
    }

    /// Engines that know one syntax each, and look at all that stands around the name. Hot path: which of them may be
    /// meant, the byte behind the name says.
    fn syntaxes(&self, spans: &mut Spans) {
        let Self { text, start, stop, name, .. } = *self;
        match text.get(stop) {
            None => crate::aligned::scan(text, start, stop, name, spans),
            Some(b' ') => {
                crate::aligned::scan(text, start, stop, name, spans);
                crate::directive::scan(text, start, stop, name, spans);
                if !self.silent {
                    crate::asked::scan(text, start, stop, name, spans);
                }
                crate::bytes::named(text, stop, name, spans);
            }
            Some(b'\n') => {
                crate::aligned::scan(text, start, stop, name, spans);
                crate::directive::below(text, start, stop, name, spans);
            }
            Some(b':') => {
                if !self.silent {
                    crate::asked::scan(text, start, stop, name, spans);
                }
                crate::bytes::named(text, stop, name, spans);
            }
            Some(b'"') => {
                crate::php::scan(text, stop, name, spans);
                crate::tag::scan(text, start, stop, name, spans);
                crate::insert::scan(text, start, stop, name, spans);
                crate::bytes::named(text, stop, name, spans);
            }
            Some(b'=' | b'[') => crate::bytes::named(text, stop, name, spans),
            Some(b'\\') => crate::php::scan(text, stop, name, spans),
            Some(b'\'') => {
                crate::tag::scan(text, start, stop, name, spans);
                crate::insert::updated(text, start, name, spans);
            }
            Some(b'<') => crate::html_table::scan(text, start, stop, name, spans),
            Some(b',' | b')' | b'`' | b']') => crate::insert::scan(text, start, stop, name, spans),
            _ => {}
        }
    }

    /// Records the value of the name; returns how far an unquoted value was read.
    fn scan(&self, run: &mut Run, spans: &mut Spans) -> usize {
        // `Token::U8(…)` and `AWS::IAM::AccessKey` are paths of types.
        let typed = self.text[self.stop..].starts_with(b"::") && !self.is_encoded() && !self.is_output();
        // `db::password: 'X'` of a hierarchy.
        let path = self.text[..self.start].ends_with(b"::") && !self.text[self.stop..].starts_with(b": ");
        if typed || path || self.is_sealed() {
            return self.stop;
        }
        match self.name.kind {
            "recovery_code" => prose::code_list(self.text, self.stop, spans),
            "mnemonic" | "seed" => prose::phrase(self.text, self.stop, spans),
            _ if run.table.contains(&self.start) => {}
            _ => {
                if let Some(rows) = table::scan(self.text, self.start, self.stop, self.name, spans) {
                    run.table = rows;
                }
            }
        }
        let at = self.after_closers();
        let mut reached = self.stop;
        if let Some((join, value_at)) = self.join(at) {
            let done = self.value(join, value_at, at > self.stop, run, spans);
            let end = self.run_end(value_at);
            let sentence = self.name.trust == Trust::Password || self.phrase;
            if done || join != Join::Colon || !sentence {
                return end;
            }
            reached = end;
        }
        if !self.crowded {
            prose::after_name(self.text, self.start, self.stop, self.name, self.silent, spans);
        }
        reached
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        let most = at + 64;
        while at < most && matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        at
    }

    /// What only a cluster can open again: `encryptedData:⏎  password: AgB…`.
    fn is_sealed(&self) -> bool {
        self.text[self.stop..].starts_with(b": Ag")
            && crate::search::has(&self.text[self.start.saturating_sub(400)..self.start], b"encryptedData")
    }

    fn record(&self, start: usize, end: usize, place: Place, spans: &mut Spans) -> bool {
        let name = self.text[self.start..self.stop].rsplit(|&byte| byte == b'.').next().unwrap_or(b"");
        let bare = name.iter().position(|&byte| byte != b'_').map_or(name, |at| &name[at..]);
        let itself = self.text[start..end.max(start)].eq_ignore_ascii_case(bare);
        // `turn_shared_secret: thunder-purple-biscuit-island`; a plain `secret: redis-main-auth` names one.
        let typed = self.name.kind == "secret"
            && place == Place::Line
            && end > start + 16
            && bare.len() > 10
            && memchr::memchr_iter(b'-', &self.text[start..end]).count() >= 2
            && value::is_chosen(&self.text[start..end]);
        // `add peer=hq secret="hq-Tunnel_ferret"`: as a router writes what it was told.
        let exported = self.name.kind == "secret"
            && place == Place::Quoted
            && self.byte(self.stop) == b'='
            && matches!(
                crate::search::last_line(&self.text[self.start.saturating_sub(160)..self.start]),
                [b'a', b'd', b'd', b' ', ..]
            )
            && value::is_choosable(&self.text[start..end]);
        // `IG1pw7A= 102442` below `IG1pw68= 102441`: a list that somebody counted.
        let counted = place != Place::Quoted
            && start < end
            && crate::spoken::is_counted(self.text, self.start, &self.text[start..end]);
        // `secret_id = "prod/db"`: which one.
        let named = bare.len() > 6 && prose::ends_in(bare, b"id") && self.text[start..end].contains(&b'/');
        if place == Place::Data
            && self.in_driver(end)
            && end >= start + 4
            && !value::is_placeholder(&self.text[start..end])
        {
            spans.add(start, end, self.name.kind, true);
            return true;
        }
        if start >= end
            || itself
            || named
            || counted
            || !typed && !exported && !value::is_secret(self.name, &self.text[start..end], place)
        {
            return false;
        }
        spans.add(start, end, self.name.kind, self.name.trust >= Trust::Secret && place != Place::Code);
        true
    }
}
