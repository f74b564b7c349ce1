//! Names and their values, whatever the syntax: JSON at any escape depth, YAML, env files, flags, XML,
//! tables, assignments in code. Hand written: one look right of the name, no backtracking.

use std::ops::Range;

use crate::crowd::Crowd;
use crate::names::{self, Name, Trust};
use crate::printed;
use crate::prose;
use crate::quote;
use crate::span::Spans;
use crate::value::{self, Place};
use crate::{chance, company, heading, login, spoken, table};

/// Names of the field that holds what another field named.
const VALUE_WORDS: [&[u8]; 9] =
    [b"value", b"Value", b"VALUE", b"string>", b"default", b"content", b"secret>", b"td>", b"dd>"];
const LONGEST_NAME: usize = 64;
const LONGEST_BARE: usize = 4096;
const MOST_NAMES_IN_A_RUN: usize = 16;
const MOST_READ_IN_A_RUN: usize = 2 * LONGEST_BARE;

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.') || byte >= 0x80
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
    (start, stop)
}

/// Looks at the name around the key word `at..end`; returns where the name ends.
pub(crate) fn scan_name(text: &[u8], at: usize, end: usize, run: &mut Run, spans: &mut Spans) -> usize {
    let (start, stop) = name_around(text, at, end);
    // `</key>`: what follows belongs to the name inside.
    if text[..start].ends_with(b"</") {
        return stop;
    }
    let first = phrase_start(text, start);
    let trimmed = stop - text[start..stop].iter().rev().take_while(|&&byte| byte == b'-').count();
    if let Some(mut name) = names::judge(&text[first..trimmed]) {
        if name.kind == "key" && is_inside_secret(text, start) {
            name = Name { kind: "secret", trust: Trust::Secret };
        }
        if matches!(name.kind, "key" | "api_key")
            && is_network(&text[start.saturating_sub(64)..start])
            && is_plain_key(&text[start..stop])
        {
            name = Name { kind: "password", trust: Trust::Password };
        }
        let crowded = run.crowd.joins(text, start);
        if !crowded
            && start >= run.file
            && name.trust >= Trust::Secret
            && let Some(end) = heading::scan(text, start, stop, spans)
        {
            run.file = end;
        }
        let context = Context { text, start, stop: trimmed, name, phrase: first < start, crowded };
        let shown = name.trust >= Trust::Secret
            || matches!(name.kind, "key" | "api_key" | "token")
            || text[start..stop].ends_with(b"get_cookie");
        if shown && !crowded {
            printed::scan_named(text, start, stop, name.kind, spans);
        }
        if run.takes(start) {
            let end = context.scan(run, spans);
            run.judged(start, end);
        }
    }
    stop
}

/// Whether a wireless network is named a little before: then its key is a password.
fn is_network(before: &[u8]) -> bool {
    let before = before.to_ascii_lowercase();
    [&b"ssid"[..], b"wifi", b"wi-fi", b"wlan", b"network:", b"hotspot"]
        .iter()
        .any(|word| crate::search::has(&before, word))
}

/// `"Jwt": { …, "Key": "X" }`: the object that a member stands in is called like a secret.
fn is_inside_secret(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(160)..start];
    if !before.ends_with(b"\"") {
        return false;
    }
    crate::work::read(before.len());
    let open = memchr::memrchr2(b'{', b'}', before).filter(|&at| before[at] == b'{');
    let Some(head) = open.map(|open| before[..open].trim_ascii_end()) else { return false };
    let Some(name) =
        head.strip_suffix(b":").map(<[u8]>::trim_ascii_end).and_then(|head| head.strip_suffix(b"\""))
    else {
        return false;
    };
    let long = name.iter().rev().take(32).take_while(|byte| is_name_byte(**byte)).count();
    names::judge(&name[name.len() - long..])
        .is_some_and(|name| matches!(name.kind, "token" | "secret" | "auth"))
}

fn is_plain_key(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"key") || name.eq_ignore_ascii_case(b"psk")
}

/// Names of several words (`Secret Access Key:`): up to two words before, one space apart.
fn phrase_start(text: &[u8], start: usize) -> usize {
    let mut first = start;
    for _ in 0..2 {
        let Some(b' ') = first.checked_sub(1).map(|at| text[at]) else { break };
        let word =
            text[..first - 1].iter().rev().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count();
        if word == 0 {
            break;
        }
        first -= word + 1;
    }
    first
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
    crowd: Crowd,
}

impl Run {
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

impl Context<'_> {
    /// Records the value of the name; returns how far an unquoted value was read.
    fn scan(&self, run: &mut Run, spans: &mut Spans) -> usize {
        // `Token::U8(…)` and `AWS::IAM::AccessKey` are paths of types.
        let typed = self.text[self.stop..].starts_with(b"::") && !self.is_encoded();
        if typed || self.text[..self.start].ends_with(b"::") || self.in_resource() || self.is_sealed() {
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
            prose::after_name(self.text, self.start, self.stop, self.name, spans);
        }
        reached
    }

    /// `userPassword:: e1NT…`: a directory's way to say that the value is base64.
    fn is_encoded(&self) -> bool {
        self.text[self.stop..].starts_with(b":: ") && self.opens_line()
    }

    /// `arn:aws:secretsmanager:…:secret:prod/db`: a resource that is called so.
    fn in_resource(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(80)..self.start];
        before.ends_with(b":") && crate::search::has(before, b"arn:")
    }

    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// Past the name's closing quote and bracket.
    fn after_closers(&self) -> usize {
        let mut at = self.stop;
        if let Some((_, after)) = quote::open(self.text, at) {
            at = after;
        } else if self.byte(at) == b'*' && self.byte(at + 1) == b'*' {
            at += 2;
        }
        if at > self.stop && matches!(self.byte(at), b']' | b')') {
            at += 1;
        }
        at
    }

    fn skip_blanks(&self, mut at: usize) -> usize {
        let most = at + 64;
        while at < most && matches!(self.byte(at), b' ' | b'\t') {
            at += 1;
        }
        at
    }

    /// The sign that joins name and value, and where the value may start.
    fn join(&self, at: usize) -> Option<(Join, usize)> {
        let closed = at > self.stop;
        let blank = self.skip_blanks(at);
        let found = match (self.byte(blank), self.byte(blank + 1)) {
            (b':', b':') if self.is_encoded() => (Join::Colon, blank + 2),
            (b':', b':') | (b'=', b'~') => return None,
            (b':', b'=' | b'-') | (b'=', b'>') => (Join::Equals, blank + 2),
            (b':', b'*') if self.byte(blank + 2) == b'*' => (Join::Colon, blank + 3),
            (b':', _) => (Join::Colon, blank + 1),
            (b'=', b'=') => {
                // What is compared shows itself only between quotes.
                let past = blank + 2 + usize::from(self.byte(blank + 2) == b'=');
                quote::open(self.text, self.skip_blanks(past).min(self.text.len()))?;
                (Join::Apart, past)
            }
            (b'=', _) => (Join::Equals, blank + 1),
            (b'|', b'|') | (b'?', b'?') => (Join::Item, blank + 2),
            (b'|', b' ' | b'\t') if self.in_row() || blank > at && self.shows(blank + 1) => {
                (Join::Apart, blank + 1)
            }
            (b'|', _) => return None,
            (b',', _) if closed => return self.value_field(at).or(Some((Join::Item, blank + 1))),
            (b'>', _) if closed && self.in_tag() => (Join::Apart, blank + 1),
            (b'>', _)
                if self.start > 0
                    && matches!(self.text[self.start - 1], b'<' | b':' | b'/')
                    && !self.text[..self.start].ends_with(b"?P<") =>
            {
                (Join::Apart, blank + 1)
            }
            (b'&', _) if self.text[blank..].starts_with(b"&gt;") => (Join::Apart, blank + 4),
            (b'(', b'"' | b'\'') if !closed => (Join::Item, blank + 1),
            (b'"' | b'\'', _) if blank > at && self.is_keyword() => (Join::Equals, blank),
            _ if blank > at && (self.is_flag() || self.is_directive(blank)) => (Join::Flag, blank),
            _ if blank > at && self.opens_tag() => {
                let window = &self.text[blank..self.text.len().min(blank + 96)];
                return memchr::memchr(b'>', window).map(|end| (Join::Apart, blank + end + 1));
            }
            (b'\n' | b'\r' | b'\\' | b'<', _) => return self.value_field(at),
            _ if closed => return self.value_field(at),
            _ => return None,
        };
        Some(found)
    }

    /// `<Password `, `<ns:Password `.
    fn opens_tag(&self) -> bool {
        let before = &self.text[..self.start];
        let prefix = before.ends_with(b":");
        let space = &before[..self.start - usize::from(prefix)];
        let long = if prefix {
            space.iter().rev().take(16).take_while(|byte| byte.is_ascii_alphanumeric()).count()
        } else {
            0
        };
        space[..space.len() - long].ends_with(b"<")
    }

    /// `<entry key="jdbc.password">`: an attribute's value, and the tag ends behind it.
    fn in_tag(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(80)..self.start];
        let tag = before.iter().rposition(|&byte| byte == b'<').map_or(&before[..0], |at| &before[at..]);
        tag.len() > 2
            && !tag.contains(&b'>')
            && before.last().is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }

    /// `bindpw X`, `set -x MYSQL_PWD X`, `ENV API_SECRET X`: a line of its own, whose last word shows itself.
    fn is_directive(&self, at: usize) -> bool {
        let end = self.bare_end(at);
        let past = end + usize::from(self.byte(end) == b';');
        let lone = matches!(self.byte(past), b'\n' | b'\r' | 0) && end - at >= 6;
        // These open nothing but a server, and their whole value is one word.
        let only = [&b"requirepass"[..], b"masterauth"].contains(&&self.text[self.start..self.stop]);
        let setting = || self.is_sure() && company::is_setting(self.text, self.start);
        lone && (only || prose::looks_like_secret(&self.text[at..end]) || setting()) && self.opens_line()
            || self.grouped_end(at, end).is_some_and(|_| setting())
            || self.in_login_line(at)
    }

    fn is_sure(&self) -> bool {
        self.name.trust == Trust::Password || self.name.kind == "secret"
    }

    /// `machine ftp.example.org login bob password X`.
    fn in_login_line(&self, at: usize) -> bool {
        let Some(line) = company::line_start(self.text, self.start).filter(|_| self.byte(at) > b' ') else {
            return false;
        };
        let mut words = self.text[line..self.start]
            .split(|byte| byte.is_ascii_whitespace())
            .filter(|word| !word.is_empty());
        let Some(opener) = words.next() else { return false };
        let value = &self.text[at..self.bare_end(at)];
        let ends = matches!(self.byte(at + value.len()), b'\n' | b'\r' | 0);
        let shell = opener == b"username" && words.clone().count() == 1 && ends;
        let machine = matches!(opener, b"machine" | b"default") && {
            let mut keys = words.skip(usize::from(opener == b"machine")).step_by(2);
            keys.clone().count() > 0
                && keys.all(|key| matches!(key, b"login" | b"user" | b"account" | b"port"))
        };
        (shell || machine) && self.name.trust == Trust::Password && !value.iter().all(u8::is_ascii_digit)
    }

    /// `password  abcd efgh ijkl mnop`: where the last of the groups ends.
    fn grouped_end(&self, start: usize, bare: usize) -> Option<usize> {
        if self.byte(bare) != b' ' || self.name.trust != Trust::Password || !self.opens_line() {
            return None;
        }
        let window = &self.text[start..self.text.len().min(start + 64)];
        let line = window[..memchr::memchr(b'\n', window).unwrap_or(window.len())].trim_ascii_end();
        let chosen = self.byte(self.stop) == b'=' && self.is_setting() && value::is_phrase(line);
        let holds = value::is_grouped(line) || chosen && company::is_setting(self.text, self.start);
        holds.then_some(start + line.len())
    }

    /// `:password "X"`, `#define PASSWORD "X"`.
    fn is_keyword(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(16)..self.start];
        before.ends_with(b":") && matches!(before, [b':'] | [.., b' ' | b'(' | b'{' | b'\n' | b'[', b':'])
            || before.trim_ascii_end().ends_with(b"#define")
    }

    fn is_flag(&self) -> bool {
        self.text[self.start] == b'-'
            && self.text.get(self.start + 1).is_some_and(|byte| *byte == b'-' || byte.is_ascii_alphabetic())
    }

    /// `"name":"X","value":"Y"`, `name: X⏎ value: Y`, `name="X" value="Y"`, `<key>X</key><string>Y`.
    fn value_field(&self, at: usize) -> Option<(Join, usize)> {
        let window = &self.text[at..self.text.len().min(at + 96)];
        let mut seen = 0;
        while seen < window.len() {
            let rest = &window[seen..];
            let Some(word) = VALUE_WORDS.iter().find(|word| rest.starts_with(word)) else {
                seen += skip_attribute(rest).or_else(|| skip_between(rest)).or_else(|| skip_field(rest))?;
                continue;
            };
            let mut after = at + seen + word.len();
            after = quote::open(self.text, after).map_or(after, |(_, past)| past);
            if self.byte(after) == b' ' && self.byte(at + seen - 1) == b'<' {
                let tag = &self.text[after..self.text.len().min(after + 96)];
                return memchr::memchr2(b'>', b'\n', tag).map(|end| (Join::Apart, after + end + 1));
            }
            after = self.skip_blanks(after);
            return match self.byte(after) {
                b':' | b'=' | b'>' => Some((Join::Apart, after + 1)),
                _ if word.ends_with(b">") => Some((Join::Apart, after)),
                _ => None,
            };
        }
        None
    }

    /// Finds the value and records it; false when there is nothing secret.
    fn value(&self, join: Join, at: usize, closed: bool, run: &mut Run, spans: &mut Spans) -> bool {
        let start = self.skip_blanks(at);
        // `password=password=…`, `--token --token`: the next name has the value.
        let name = &self.text[self.start..self.stop];
        if self.text[start..].starts_with(name) && self.byte(start + name.len()) == self.byte(self.stop) {
            return false;
        }
        if let Some((quote, inside)) = self.string_start(start) {
            return self.quoted(quote, inside, join == Join::Item, spans);
        }
        if join == Join::Item {
            return false;
        }
        if join == Join::Apart
            && self.byte(at - 1) == b'>'
            && !self.text[..self.start].ends_with(b"/")
            && let Some((from, end)) = self.nested(start)
        {
            return self.record(from, end, Place::Tag, spans);
        }
        if let Some((from, end)) = self.tagged(start) {
            return self.record(from, end, Place::Tag, spans);
        }
        if closed && matches!(self.byte(start), b'{' | b'[') && self.name.trust >= Trust::Secret {
            return start >= run.object && self.inside(start, run, spans);
        }
        if matches!(self.byte(start), b'\n' | b'\r' | 0) || self.text[start..].starts_with(b"\\n") {
            return join == Join::Colon && self.next_line(start, spans);
        }
        if matches!(join, Join::Colon | Join::Equals) && matches!(self.byte(start), b'|' | b'>') {
            return self.next_line(
                self.skip_blanks(start + 1 + usize::from(matches!(self.byte(start + 1), b'-' | b'+'))),
                spans,
            );
        }
        let bare = self.bare_end(start);
        if self.byte(at - 1) == b'>' && join == Join::Apart && self.byte(bare) != b'<' {
            return false;
        }
        if join == Join::Flag
            && let Some(end) = self.grouped_end(start, bare)
        {
            spans.add(start, end, self.name.kind, true);
            return true;
        }
        if join == Join::Flag && self.is_sentence(start, bare) {
            return false;
        }
        if closed && join == Join::Colon && self.is_number(start, bare) {
            let secret = value::is_secret_number(self.name, &self.text[start..bare])
                && !spoken::is_counted(self.text, self.start, &self.text[start..bare]);
            if secret {
                spans.add(start, bare, self.name.kind, true);
            }
            return secret;
        }
        if self.is_annotation(join, start, bare) {
            return false;
        }
        let spelt = self.text[start..bare].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
        // `passwd:shell` is a name, `x_pass = other_name` a statement.
        if spelt
            && (join == Join::Colon && start == at && self.text.get(bare) == Some(&b'"')
                || join == Join::Equals && start > at && self.text[start..bare].contains(&b'_'))
        {
            return false;
        }
        if let Some(end) = self.spoken_end(join, start, bare).or_else(|| self.grouped_end(start, bare)) {
            spans.add(start, end, self.name.kind, true);
            return true;
        }
        let place = self.place(join, at, start, bare, closed);
        // What follows `#` in an address is a place in the page.
        let bare = match memchr::memchr(b'#', &self.text[start..bare]) {
            Some(fragment) if place == Place::Query => start + fragment,
            _ => bare,
        };
        if self.record(start, bare, place, spans) {
            return true;
        }
        self.wrapped(start, spans)
    }

    /// `pass_phrase=clouds over the bay`: a setting takes the whole line.
    fn spoken_end(&self, join: Join, start: usize, bare: usize) -> Option<usize> {
        let phrase = self.text[self.start..self.stop].to_ascii_lowercase().ends_with(b"phrase");
        if !phrase
            || join != Join::Equals
            || self.byte(self.stop) != b'='
            || self.byte(bare) != b' '
            || !self.opens_line()
        {
            return None;
        }
        let window = &self.text[start..self.text.len().min(start + 128)];
        let line = window[..memchr::memchr(b'\n', window).unwrap_or(window.len())].trim_ascii_end();
        let words = line.split(|&byte| byte == b' ').count();
        let plain = !line
            .iter()
            .any(|byte| matches!(byte, b'"' | b'\'' | b'(' | b';' | b'=' | b'<' | b'$' | b'{' | b'#'));
        (plain && (2..=8).contains(&words)).then_some(start + line.len())
    }

    /// `KEY: KeyUsage = 2`, `eOnePass==ONEPASS_OFF`: a type between a name and its value, another name to compare with.
    fn is_annotation(&self, join: Join, start: usize, bare: usize) -> bool {
        let word = &self.text[start..bare];
        let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'*');
        let set = self.byte(bare) == b' ' && self.byte(bare + 1) == b'=' && self.byte(bare + 2) == b' ';
        let shout = word.contains(&b'_')
            && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
            && !chance::is_random(word);
        word.iter().all(name) && (join == Join::Colon && set || shout || self.text[..start].ends_with(b"=="))
    }

    /// `"pin": 82382847` in JSON: digits, and behind them what ends a member.
    fn is_number(&self, start: usize, end: usize) -> bool {
        start < end
            && self.text[start..end].iter().all(u8::is_ascii_digit)
            && matches!(self.byte(self.skip_blanks(end)), b',' | b'}' | b']' | b'\n' | b'\r' | b'\\' | 0)
    }

    /// `<Password>⏎  <Value>X</Value>`.
    fn nested(&self, start: usize) -> Option<(usize, usize)> {
        let window = &self.text[start..self.text.len().min(start + 320)];
        let gap = window.iter().take(32).take_while(|byte| byte.is_ascii_whitespace()).count();
        const TAGS: [&[u8]; 3] = [b"<value>", b"<string>", b"<plaintext>"];
        let tag = TAGS
            .iter()
            .find(|tag| window[gap..].get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag)))?;
        let from = start + gap + tag.len();
        let long = memchr::memchr2(b'<', b'\n', &window[gap + tag.len()..])?;
        (self.byte(from + long) == b'<').then_some((from, from + long))
    }

    /// `Key: <b>X</b>`: what a page sets apart.
    fn tagged(&self, start: usize) -> Option<(usize, usize)> {
        const TAGS: [&[u8]; 8] =
            [b"<b>", b"<i>", b"<em>", b"<tt>", b"<kbd>", b"<code>", b"<strong>", b"<samp>"];
        let tag = TAGS.iter().find(|tag| self.text[start..].starts_with(tag))?;
        let from = start + tag.len();
        let window = &self.text[from..self.text.len().min(from + 256)];
        let long = memchr::memchr2(b'<', b'\n', window).filter(|&end| window[end] == b'<')?;
        Some((from, from + long))
    }

    /// `"password": {"old": "x", "new": "y"}`: the strings inside, if they look like secrets by themselves.
    fn inside(&self, start: usize, run: &mut Run, spans: &mut Spans) -> bool {
        let limit = self.text.len().min(start + 512);
        run.object = limit;
        let (mut at, mut found, mut plain) = (start + 1, false, false);
        while at < limit && !matches!(self.byte(at), b'}' | b']') {
            let Some((quote, from)) = quote::open(self.text, at) else {
                at += 1;
                continue;
            };
            let Some(end) = quote::close(self.text, from, quote) else { return found };
            let string = &self.text[from..end];
            let after = end + quote.slashes + 1;
            if self.byte(self.skip_blanks(after)) == b':' {
                plain = std::str::from_utf8(string).is_ok_and(names::is_plain);
            } else if !plain && prose::looks_like_secret(string) {
                found |= self.record(from, end, Place::Quoted, spans);
            }
            at = end + quote.slashes + 1;
        }
        found
    }

    /// An opening quote, perhaps behind a string prefix (`b"`, `r"`, `f'`, `@"`, `!!str "`, `\u0022`).
    fn string_start(&self, at: usize) -> Option<(quote::Quote, usize)> {
        let prefix = match self.byte(at) {
            b'b' | b'r' | b'f' | b'u' | b'@' | b'L' | b'N' | b'[' | b'(' | b'&' => 1,
            _ => 0,
        };
        // `&'static str` is a lifetime.
        if self.text[at..].starts_with(b"&'") {
            return None;
        }
        quote::open(self.text, at).or_else(|| quote::open(self.text, at + prefix))
    }

    /// A value between quotes; a `doubtful` one must look like a secret by itself.
    fn quoted(&self, quote: quote::Quote, inside: usize, doubtful: bool, spans: &mut Spans) -> bool {
        let Some(end) = quote::close(self.text, inside, quote) else {
            let end = self.bare_end(inside);
            return !doubtful && self.record(inside, end, Place::Data, spans);
        };
        let string = &self.text[inside..end];
        if doubtful
            && (!(prose::looks_like_secret(string) && shows_more(string))
                || self.is_listed(end + quote.slashes + 1))
        {
            return false;
        }
        if !doubtful && self.takes_phrases(quote) && value::is_phrase(string) {
            spans.add(inside, end, self.name.kind, true);
            return true;
        }
        let found = self.record(inside, end, Place::Quoted, spans);
        if !found && self.name.kind == "auth" {
            return login::second_literal(self.text, end + quote.slashes + 1, spans).is_some();
        }
        found
    }

    /// `"passphrase": "drei Hasen"`, `DB_PASSWORD="smooth jazz"`.
    fn takes_phrases(&self, quote: quote::Quote) -> bool {
        let name = &self.text[self.start..self.stop];
        let long = name.len().saturating_sub(6);
        let phrase = name[long..].eq_ignore_ascii_case(b"phrase");
        let shell = self.is_setting()
            && self.byte(self.stop) == b'='
            && self.byte(self.stop + 1 + quote.slashes) == quote.sign;
        self.name.trust == Trust::Password && (phrase || shell)
    }

    /// `'a_token', 'b_token2', 'c'`: one of a list of names.
    fn is_listed(&self, past: usize) -> bool {
        let next = self.skip_blanks(past + 1);
        let goes_on = self.byte(past) == b',' && matches!(self.byte(next), b'"' | b'\'' | b'\n');
        let before = &self.text[self.start.saturating_sub(4)..self.start];
        goes_on && before.contains(&b',')
    }

    /// `password: |⏎  value`: the one word of the next line, if it is indented.
    fn next_line(&self, at: usize, spans: &mut Spans) -> bool {
        let break_long = match (self.byte(at), self.byte(at + 1)) {
            (b'\r', b'\n') | (b'\\', b'n') => 2,
            (b'\n', _) => 1,
            _ => return false,
        };
        let start = self.skip_blanks(at + break_long);
        if start < at + break_long + 1 {
            return false;
        }
        if let Some((quote, inside)) = quote::open(self.text, start) {
            return self.quoted(quote, inside, false, spans);
        }
        let end = self.bare_end(start);
        matches!(self.byte(end), b'\n' | b'\r' | 0 | b'\\')
            && !self.text[start..end].ends_with(b":")
            && !self.is_annotation(Join::Apart, start, end)
            && self.text[start..end]
                .iter()
                .any(|byte| !byte.is_ascii_lowercase() && !matches!(byte, b'_' | b'('))
            && self.record(start, end, Place::Line, spans)
    }

    /// Where an unquoted value ends; beside its own name it is none.
    fn run_end(&self, value_at: usize) -> usize {
        let start = self.skip_blanks(value_at);
        if self.text[start..].starts_with(&self.text[self.start..self.stop]) {
            start
        } else {
            self.bare_end(start)
        }
    }

    /// The end of an unquoted value.
    fn bare_end(&self, start: usize) -> usize {
        let window = &self.text[start..self.text.len().min(start + LONGEST_BARE)];
        let mut at = 0;
        while at < window.len() {
            match window[at] {
                byte if byte.is_ascii_whitespace() || byte == 0 => break,
                b'"' | b'\'' | b'`' => break,
                b'\\' if matches!(window.get(at + 1), Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'u')) => {
                    break;
                }
                b'\\' if self.slashes_then_quote(start + at) => break,
                b'<' if matches!(window.get(at + 1), Some(b'/')) => break,
                b'&' | b';' | b',' if self.is_parameter_break(start + at) => break,
                _ => at += 1,
            }
        }
        crate::work::read(at);
        start + at - trailing(&window[..at])
    }

    fn slashes_then_quote(&self, at: usize) -> bool {
        quote::open(self.text, at).is_some() || {
            let slashes = self.text[at..].iter().take(64).take_while(|&&byte| byte == b'\\').count();
            slashes > 1 && matches!(self.byte(at + slashes), b'n' | b'r' | b't')
        }
    }

    /// `&name=` and `;Name=` begin the next parameter; `&quot;` ends a string.
    fn is_parameter_break(&self, at: usize) -> bool {
        let rest = &self.text[at + 1..self.text.len().min(at + 40)];
        // Only names of settings (`;User Id=`) have blanks.
        let blank = self.byte(at) != b'&';
        let word = rest
            .iter()
            .take_while(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(byte, b'_' | b'-' | b'.' | b'#' | b'[' | b']')
                    || blank && **byte == b' '
            })
            .count();
        // `&quot;` ends a string; `&Kran;` is half a password.
        let entity = rest[..word]
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'#');
        match rest.get(word) {
            Some(b'=') => word > 0,
            Some(b';') => word > 0 && (entity || self.byte(at) != b'&'),
            _ => false,
        }
    }

    fn place(&self, join: Join, joined: usize, start: usize, end: usize, closed: bool) -> Place {
        let line_ends = matches!(self.byte(self.skip_blanks(end)), b'\n' | b'\r' | 0 | b'\\' | b'#')
            || self.byte(end) == b';' && matches!(self.byte(end + 1), b'\n' | b'\r' | 0)
            || self.byte(end) == b'"' && !closed;
        let tight = start == joined && self.byte(self.stop) == b'=';
        match join {
            Join::Apart if self.byte(end) == b'<' => Place::Tag,
            Join::Flag | Join::Equals | Join::Colon
                if line_ends
                    && (self.name.trust == Trust::Password
                        || self.name.kind == "secret" && join != Join::Colon)
                    && self.opens_line()
                    && company::is_setting(self.text, self.start) =>
            {
                Place::Set
            }
            Join::Flag | Join::Apart | Join::Item => Place::Data,
            Join::Equals if tight && (self.in_query() || self.in_amazon()) => Place::Query,
            Join::Equals
                if tight
                    && self.name.trust == Trust::Password
                    && (self.is_setting() || line_ends && self.text[..self.start].ends_with(b"\n")) =>
            {
                Place::Set
            }
            Join::Equals if tight && (self.is_setting() || self.in_connection(end)) => Place::Data,
            Join::Colon
                if line_ends && self.name.kind == "secret" && self.is_setting() && self.opens_line() =>
            {
                Place::Data
            }
            Join::Colon | Join::Equals if line_ends && self.opens_line() => Place::Line,
            Join::Equals
                if tight && matches!(self.byte(end), b' ' | b'"' | b'\n' | b'&' | b'\\' | b'\'' | 0) =>
            {
                Place::Line
            }
            Join::Colon
                if self.name.trust == Trust::Password
                    && matches!(self.byte(end), b'\n' | b'\r' | 0 | b'"' | b'\\') =>
            {
                Place::Line
            }
            _ => Place::Code,
        }
    }

    /// `the --password options of`: a word among words.
    fn is_sentence(&self, start: usize, end: usize) -> bool {
        let word = self.text[start..end].iter().all(u8::is_ascii_lowercase);
        word && self.byte(end) == b' ' && self.byte(end + 1).is_ascii_lowercase()
    }

    /// Whether the word at `at` looks like a secret by itself.
    fn shows(&self, at: usize) -> bool {
        let start = self.skip_blanks(at);
        prose::looks_like_secret(&self.text[start..self.bare_end(start)])
    }

    /// A signature in an `Authorization` of Amazon's.
    fn in_amazon(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(256)..self.start];
        self.name.kind == "signature" && crate::search::has(before, b"Credential=")
    }

    /// Whether the line is a row of a table: `| name | value |`.
    fn in_row(&self) -> bool {
        self.text[..self.start]
            .iter()
            .rev()
            .take(80)
            .take_while(|&&byte| byte != b'\n')
            .any(|&byte| byte == b'|')
    }

    fn in_query(&self) -> bool {
        self.start > 0 && matches!(self.text[self.start - 1], b'?' | b'&')
    }

    /// `PASSWORD=`, `export PASSWORD=`, `--password=`: never code.
    fn is_setting(&self) -> bool {
        let name = &self.text[self.start..self.stop];
        name.iter().all(|byte| !byte.is_ascii_lowercase()) || self.is_flag()
    }

    /// `…;Password=x;`, `host=h password=x`.
    fn in_connection(&self, end: usize) -> bool {
        let before = self.text[..self.start].iter().rev().take(48);
        let pairs = before.take_while(|&&byte| byte != b'\n').any(|&byte| byte == b'=');
        pairs
            && (matches!(self.byte(end), b';' | b',') && self.is_parameter_break(end)
                || self.byte(end) == b';'
                || matches!(self.byte(end), b' ' | b'"' | b'\n' | b'\'' | 0))
    }

    /// Whether only blanks, list dashes, diff signs, comments or `export` stand before the name.
    fn opens_line(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(80)..self.start];
        let line = before.iter().rposition(|&byte| byte == b'\n').map_or(before, |at| &before[at + 1..]);
        let words = line
            .split(|byte| {
                matches!(byte, b' ' | b'\t' | b'-' | b'+' | b'#' | b'>' | b'|' | b'*' | b'$' | b'"' | b'\'')
            })
            .filter(|word| !word.is_empty());
        words.take(4).all(|word| {
            matches!(
                word,
                b"export"
                    | b"set"
                    | b"ENV"
                    | b"ARG"
                    | b"env"
                    | b"const"
                    | b"var"
                    | b"//"
                    | b"declare"
                    | b"x"
                    | b"setx"
            ) || word.iter().all(u8::is_ascii_digit)
        }) || line.ends_with(b"\\n")
            || line
                .rsplit(|&byte| byte == b' ')
                .next()
                .is_some_and(|last| last.ends_with(b"n") && last.contains(&b'\\'))
    }

    /// `SecretString::new("literal")`, `password: str = "literal"`, `b64decode('…')`.
    fn wrapped(&self, start: usize, spans: &mut Spans) -> bool {
        let window = &self.text[start..self.text.len().min(start + 48)];
        let head = window
            .iter()
            .take_while(|byte| {
                byte.is_ascii_alphanumeric()
                    || matches!(
                        byte,
                        b'_' | b'.' | b':' | b'<' | b'>' | b'[' | b']' | b'&' | b'*' | b'?' | b'\''
                    )
            })
            .count();
        let open = window[head..].iter().take_while(|byte| matches!(byte, b' ' | b'(' | b'=')).count();
        let joint = &window[head..head + open];
        if head == 0
            || memchr::memchr_iter(b'(', joint).count() + memchr::memchr_iter(b'=', joint).count() != 1
        {
            return false;
        }
        let reads = [
            &b"get"[..],
            b"env",
            b"var",
            b"config",
            b"read",
            b"load",
            b"fetch",
            b"find",
            b"lookup",
            b"param",
            b"input",
            b"prompt",
            b"t(",
            b"label",
            b"query",
        ];
        if joint.contains(&b'(')
            && reads.iter().any(|word| crate::search::has(&window[..=head].to_ascii_lowercase(), word))
        {
            return false;
        }
        let Some((quote, inside)) = quote::open(self.text, start + head + open) else { return false };
        self.quoted(quote, inside, true, spans)
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
        if start >= end || itself || !value::is_secret(self.name, &self.text[start..end], place) {
            return false;
        }
        spans.add(start, end, self.name.kind, self.name.trust >= Trust::Secret && place != Place::Code);
        true
    }
}

/// Beside another string: more than an identifier with a digit in it.
fn shows_more(string: &[u8]) -> bool {
    let traits = value::Traits::of(string);
    traits.symbols > 0 || chance::density(string) >= 42 || prose::is_leet(string) && !string.contains(&b'_')
}

/// Signs, line breaks and closing tags between a name and the `value` that belongs to it.
fn skip_between(rest: &[u8]) -> Option<usize> {
    match rest[0] {
        b'"' | b'\'' | b',' | b' ' | b'\n' | b'\r' | b'\t' | b'-' | b'\\' | b'{' => Some(1),
        b'<' if rest.get(1) == Some(&b'/') => rest.iter().position(|&byte| byte == b'>').map(|at| at + 1),
        b'n' | b'<' if rest.len() > 1 => Some(1),
        _ => None,
    }
}

/// ` serializeAs="String">`: another attribute, and the end of the tag.
fn skip_attribute(rest: &[u8]) -> Option<usize> {
    let rest_of = rest.strip_prefix(b" ")?;
    let name =
        rest_of.iter().take(24).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':').count();
    let value = rest_of[name..].strip_prefix(b"=\"").filter(|_| name > 0)?;
    let long = value.iter().take(32).position(|&byte| byte == b'"')?;
    let own =
        [&b"value"[..], b"content", b"default"].iter().any(|own| rest_of[..name].eq_ignore_ascii_case(own));
    let end = 1 + name + 2 + long + 1;
    let tag = usize::from(rest.get(end) == Some(&b'>'));
    (!own).then_some(end + tag)
}

/// A short field between the two: `type = string⏎`, `sensitive = true⏎`.
fn skip_field(rest: &[u8]) -> Option<usize> {
    let line = &rest[..memchr::memchr(b'\n', &rest[..rest.len().min(48)])?];
    let words =
        [&b"type"[..], b"description", b"sensitive", b"kind", b"required", b"nullable", b"id", b"secret"];
    let (name, _) = line.split_at(line.iter().position(|&byte| matches!(byte, b'=' | b':'))?);
    let name = name.trim_ascii();
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    words.iter().any(|word| word.eq_ignore_ascii_case(name)).then_some(line.len())
}

/// Closing punctuation that belongs to the text around, not to the value.
fn trailing(value: &[u8]) -> usize {
    let mut end = value.len();
    while end > 0 {
        let opener = match value[end - 1] {
            b',' | b';' | b'|' | b'.' | b':' => None,
            b')' => Some(b'('),
            b']' => Some(b'['),
            b'}' => Some(b'{'),
            b'>' => Some(b'<'),
            _ => break,
        };
        if opener.is_some_and(|opener| value[..end].contains(&opener)) {
            break;
        }
        end -= 1;
    }
    value.len() - end
}
