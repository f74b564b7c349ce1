//! What stands behind a name, read as its syntax says.

use super::Context;
use super::Join;
use super::Run;
use crate::assigned::Use;
use crate::chance;
use crate::company;
use crate::login;
use crate::names;
use crate::names::Trust;
use crate::prose;
use crate::quote;
use crate::search::Words;
use crate::span::Spans;
use crate::spoken;
use crate::value;
use crate::value::Place;

impl Context<'_> {
    /// `password  abcd efgh ijkl mnop`: where the last of the groups ends.
    pub(super) fn grouped_end(&self, start: usize, bare: usize) -> Option<usize> {
        if self.byte(bare) != b' ' || self.name.trust != Trust::Password || !self.opens_line() {
            return None;
        }
        let line = crate::search::line(self.text, start, 64).trim_ascii_end();
        let shell = self.byte(self.stop) == b'=' && self.is_setting();
        let chosen = value::is_phrase(line)
            && (shell || line.iter().any(u8::is_ascii_digit) && memchr::memchr_iter(b' ', line).count() >= 2);
        let holds = value::is_grouped(line) || chosen && company::is_setting(self.text, self.start);
        holds.then_some(start + line.len())
    }

    /// `password = 0x5581f0 "X"`: where a debugger found it.
    fn past_place(&self, at: usize) -> usize {
        let Some(rest) = self.text[at..].strip_prefix(b"0x") else { return at };
        let long = rest.iter().take(17).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if long > 0 && rest[long..].starts_with(b" \"") { at + 2 + long + 1 } else { at }
    }

    /// Finds the value and records it; false when there is nothing secret.
    pub(super) fn value(
        &self,
        join: Join,
        at: usize,
        closed: bool,
        run: &mut Run,
        spans: &mut Spans,
    ) -> bool {
        let start = self.past_tag(self.skip_blanks(at));
        // `hmac_key: !!binary |⏎  dzpC…`: of which type it is.
        let start = if self.text[start..].starts_with(b"!!binary ") { start + 9 } else { start };
        let start = self.past_place(start);
        // `s/PASSWORD=.*/…`: whatever stood there.
        if self.text[start.min(self.text.len())..].starts_with(b".*/") {
            return false;
        }
        // `password=password=…`, `--token --token`: the next name has the value.
        let name = &self.text[self.start..self.stop];
        if self.text[start..].starts_with(name) && self.byte(start + name.len()) == self.byte(self.stop) {
            return false;
        }
        let variable = start + usize::from(matches!(self.byte(start), b'"' | b'\''));
        if self.byte(variable) == b'$' && self.name.trust >= Trust::Secret {
            let used = if self.name.trust == Trust::Password { Use::Password } else { Use::Token };
            crate::assigned::scan(self.text, variable, used, spans);
        }
        // `secret: ['X', 'Y']`.
        let list = join == Join::Colon
            && self.name.trust >= Trust::Secret
            && self.byte(start) == b'['
            && matches!(self.byte(start + 1), b'"' | b'\'');
        if list && start >= run.object && self.inside(start, run, spans) {
            return true;
        }
        if let Some((from, end)) = quote::delimited(self.text, start) {
            return self.record(from, end, Place::Quoted, spans);
        }
        if let Some((quote, inside)) = self.string_start(start) {
            return self.quoted(quote, inside, join == Join::Item, spans);
        }
        if join == Join::Item {
            return false;
        }
        if let Some(done) = self.element(join, at, start, spans) {
            return done;
        }
        if let Some((from, end)) = self.braced(join, start) {
            return self.record(from, end, Place::Quoted, spans);
        }
        if closed && matches!(self.byte(start), b'{' | b'[') && self.name.trust >= Trust::Secret {
            return start >= run.object && self.inside(start, run, spans);
        }
        if matches!(self.byte(start), b'\n' | b'\r' | 0) || self.text[start..].starts_with(b"\\n") {
            let literal = join == Join::Equals && !closed && self.is_literal_below(start);
            return (join == Join::Colon || literal) && self.next_line(start, spans);
        }
        if matches!(join, Join::Colon | Join::Equals) && matches!(self.byte(start), b'|' | b'>') {
            return self.next_line(
                self.skip_blanks(start + 1 + usize::from(matches!(self.byte(start + 1), b'-' | b'+'))),
                spans,
            );
        }
        let bare = self.tag_end(join, at, start).unwrap_or_else(|| self.bare_end(start));
        if self.byte(at - 1) == b'>' && join == Join::Apart && self.byte(bare) != b'<' {
            return false;
        }
        if join == Join::Flag
            && let Some(end) = self.grouped_end(start, bare)
        {
            spans.add(start, end, self.name.kind, true);
            return true;
        }
        if join == Join::Flag && !self.is_behind_flag() && self.is_sentence(start, bare) {
            return false;
        }
        if closed && join == Join::Colon && self.is_number(start, bare) {
            let digits = &self.text[start..bare];
            let secret = (value::is_secret_number(self.name, digits) || self.is_pin_of_somebody(digits))
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
        if let Some(from) = self.credential(join, start, bare) {
            spans.add(from, self.bare_end(from), self.name.kind, true);
            return true;
        }
        // Nothing so short is its secret, wherever it stands.
        if bare - start < value::shortest(self.name, Place::Query) {
            return self.wrapped(start, spans);
        }
        let place = self.place(join, at, start, bare, closed);
        let bare = if place == Place::Query { self.query_end(start, bare) } else { bare };
        if self.record(start, bare, place, spans) {
            self.others(start, bare, place, spans);
            return true;
        }
        self.wrapped(start, spans)
    }

    /// `"user_pin": 6263`: of a person, a door, a card; others are a chip's.
    fn is_pin_of_somebody(&self, digits: &[u8]) -> bool {
        #[rustfmt::skip]
        const OWNERS: [&[u8]; 20] = [
            b"user", b"unlock", b"door", b"alarm", b"card", b"sim", b"access", b"entry", b"customer", b"device", b"parental", b"voicemail", b"admin", b"safe", b"gate", b"atm", b"login", b"security", b"guest", b"master",
        ];
        let name = self.text[self.start..self.stop].to_ascii_lowercase();
        self.name.kind == "pin"
            && (4..=8).contains(&digits.len())
            && OWNERS.iter().any(|owner| crate::search::has(&name, owner))
    }

    /// `UID=sa;PWD={X};`, `PWD = {X}` that is the whole line: what a driver takes between braces.
    fn braced(&self, join: Join, start: usize) -> Option<(usize, usize)> {
        if join != Join::Equals || self.byte(start) != b'{' {
            return None;
        }
        let line = crate::search::line(self.text, start, 160).trim_ascii_end();
        let amid =
            self.text[..self.start].ends_with(b";").then(|| memchr::memmem::find(line, b"};")).flatten();
        let whole =
            &self.text[self.start..self.stop] == b"PWD" && line.ends_with(b"}") && !line.contains(&b' ');
        // `set bot_token {X}`.
        let set = self.text[..self.start].ends_with(b"set ") && line.ends_with(b"}") && !line.contains(&b' ');
        let whole = whole || set;
        amid.or_else(|| whole.then(|| line.len() - 1)).map(|long| (start + 1, start + long))
    }

    /// What follows `#` in an address is a place in the page; `![build](https://ci.example/badge.svg?token=X)](https://…`.
    fn query_end(&self, start: usize, end: usize) -> usize {
        let value = &self.text[start..end];
        let value = &value[..memchr::memchr(b'#', value).unwrap_or(value.len())];
        start + crate::search::find(value, b")](").unwrap_or(value.len())
    }

    /// `APP_KEYS=X,Y`: those behind the first, as long as it.
    fn others(&self, start: usize, end: usize, place: Place, spans: &mut Spans) {
        let (long, mut at) = (end - start, end);
        if !matches!(self.text[self.stop - 1], b'S' | b's') {
            return;
        }
        while self.byte(at) == b',' && self.text.len() > at + long {
            let next = at + 1 + long;
            if self.bare_end(at + 1) < next || !self.record(at + 1, next, place, spans) {
                return;
            }
            at = next;
        }
    }

    /// `PASSWORD =⏎  "X"`.
    fn is_literal_below(&self, start: usize) -> bool {
        let below = self.text[start..].iter().take(40).position(|byte| !byte.is_ascii_whitespace());
        below.is_some_and(|gap| matches!(self.byte(start + gap), b'"' | b'\''))
    }

    /// `<b>Password:</b> X`: past what closes the element that the name stands in.
    fn past_tag(&self, at: usize) -> usize {
        if self.byte(at) == b'#' {
            return at + self.read_as(at);
        }
        if !self.text[at.min(self.text.len())..].starts_with(b"</") {
            return at;
        }
        let window = &self.text[at..self.text.len().min(at + 16)];
        memchr::memchr(b'>', window).map_or(at, |close| self.skip_blanks(at + close + 1))
    }

    /// `#bytes "X"`: how long the tag is that says how a string is read; `#env "X"` reads another's.
    pub(super) fn read_as(&self, at: usize) -> usize {
        const TAGS: [&[u8]; 6] =
            [b"#bytes \"", b"#base64 \"", b"#b64 \"", b"#hex \"", b"#secret \"", b"#string \""];
        let rest = &self.text[at..];
        TAGS.iter().find(|tag| rest.starts_with(tag)).map_or(0, |tag| tag.len() - 1)
    }

    /// `http-auth = admin:X`, `Authorization: Key X`: what stands behind a user or a scheme.
    fn credential(&self, join: Join, start: usize, bare: usize) -> Option<usize> {
        // These have an engine of their own.
        const KNOWN: [&[u8]; 5] = [b"Basic", b"Bearer", b"Digest", b"Negotiate", b"Token"];
        if self.name.kind != "auth" || !matches!(join, Join::Colon | Join::Equals) {
            return None;
        }
        let word = &self.text[start..bare];
        if self.byte(bare) == b' ' && join == Join::Colon && (3..=16).contains(&word.len()) {
            let next = &self.text[bare + 1..self.bare_end(bare + 1)];
            let scheme = !KNOWN.contains(&word)
                && word[0].is_ascii_uppercase()
                && word.iter().all(u8::is_ascii_alphabetic);
            let random = chance::is_random(next)
                || value::is_hex(next)
                || next.len() >= 16 && value::is_uuid(&next[..next.len().min(36)]);
            let token =
                next.len() >= 16 && !next.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'$' | b'='));
            return (scheme && token && random && !value::is_placeholder(next)).then_some(bare + 1);
        }
        let colon = memchr::memchr(b':', word).filter(|&colon| colon >= 2)?;
        let (user, secret) = (&word[..colon], &word[colon + 1..]);
        let plain =
            user.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        let shows = prose::looks_like_secret(secret) || prose::looks_joined(secret);
        let lone = !secret.iter().any(|byte| matches!(byte, b':' | b'/' | b'(' | b'{' | b'$'));
        (plain && lone && shows && !value::is_placeholder(secret)).then_some(start + colon + 1)
    }

    /// `--username ann --password X`: another flag and its word stand right before.
    fn is_behind_flag(&self) -> bool {
        let before = self.text[self.start.saturating_sub(64)..self.start].trim_ascii_end();
        let mut words = before.rsplit(|&byte| byte == b' ');
        let value = words.next().unwrap_or_default();
        let flag = words.next().unwrap_or_default();
        flag.len() > 2
            && flag.starts_with(b"-")
            && !matches!(value, b"and" | b"or" | b"with")
            && !value.starts_with(b"-")
    }

    /// `pass_phrase=clouds over the bay`: a setting takes the whole line.
    pub(super) fn spoken_end(&self, join: Join, start: usize, bare: usize) -> Option<usize> {
        if let Some(end) = self.enclosed_end(join, start, bare).or_else(|| self.drawn_end(join, start, bare))
        {
            return Some(end);
        }
        // `gpg_passphrase = words so`: blanks around the sign, as in the settings beside it.
        let apart = || self.byte(self.stop) == b' ' && company::is_setting(self.text, self.start);
        if join != Join::Equals
            || self.byte(bare) != b' '
            || !prose::ends_in(&self.text[self.start..self.stop], b"phrase")
            || !self.opens_line()
            || self.byte(self.stop) != b'=' && !apart()
        {
            return None;
        }
        let line = crate::search::line(self.text, start, 128).trim_ascii_end();
        let words = line.split(|&byte| byte == b' ').count();
        // `passphrase = read from the keyring` speaks of it.
        if self.byte(self.stop) != b'=' && !value::is_phrase(line) {
            return None;
        }
        let plain = !line
            .iter()
            .any(|byte| matches!(byte, b'"' | b'\'' | b'(' | b';' | b'=' | b'<' | b'$' | b'{' | b'#'));
        (plain && (2..=8).contains(&words)).then_some(start + line.len())
    }

    /// `password: lamp river stone moss`: drawn words to the end of the line that the name begins.
    fn drawn_end(&self, join: Join, start: usize, bare: usize) -> Option<usize> {
        if self.byte(bare) != b' '
            || self.name.trust != Trust::Password
            // `pwd: print the folder`, `pass: all of them`: short names are words of lists.
            || self.stop - self.start <= 4
            || !matches!(join, Join::Colon | Join::Equals)
            || !self.opens_line()
        {
            return None;
        }
        let line = crate::search::line(self.text, start, 96).trim_ascii_end();
        value::is_drawn(line).then_some(start + line.len())
    }

    /// What stands in an element, or between tags that set it apart; whether it was a secret, if it does.
    fn element(&self, join: Join, at: usize, start: usize, spans: &mut Spans) -> Option<bool> {
        let opened = join == Join::Apart && self.byte(at - 1) == b'>';
        let nested = self.nested(start).filter(|_| opened && !self.text[..self.start].ends_with(b"/"));
        let Some((from, end)) = nested.or_else(|| self.tagged(start)) else {
            let end = self.element_end(start).filter(|_| opened)?;
            spans.add(start, end, self.name.kind, true);
            return Some(true);
        };
        Some(self.record(from, end, Place::Tag, spans))
    }

    /// `<string>X&quot;Y</string>`: one word that the element's end closes, whatever signs it has.
    fn tag_end(&self, join: Join, at: usize, start: usize) -> Option<usize> {
        if join != Join::Apart || self.byte(at - 1) != b'>' {
            return None;
        }
        let window = &self.text[start..self.text.len().min(start + 256)];
        let long = window.iter().position(|byte| *byte == b'<' || byte.is_ascii_whitespace())?;
        (window[long..].starts_with(b"</") && crate::search::has(&window[..long], b";"))
            .then_some(start + long)
    }

    /// `<passphrase>seven quiet herons wade</passphrase>`, a profile's `<key>Password</key><string>three words so</string>`:
    /// words, and no label.
    fn element_end(&self, start: usize) -> Option<usize> {
        let phrase = prose::ends_in(&self.text[self.start..self.stop], b"phrase");
        let listed = self.text[..start].ends_with(b"<string>") && self.is_sure();
        if !phrase && !listed && self.name.trust != Trust::Password {
            return None;
        }
        let window = &self.text[start..self.text.len().min(start + 96)];
        let long = memchr::memchr2(b'<', b'\n', window).filter(|&end| window[end..].starts_with(b"</"))?;
        let small =
            |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b' ' | b',');
        let words = &window[..long];
        let chosen =
            (phrase || listed) && memchr::memchr_iter(b' ', words).count() >= 2 && value::is_phrase(words);
        (chosen && (listed || words.iter().all(small)) || value::is_drawn(words)).then_some(start + long)
    }

    /// `"SESSION_SECRET=three words or so"`: a setting between quotes ends with them.
    fn enclosed_end(&self, join: Join, start: usize, bare: usize) -> Option<usize> {
        if join != Join::Equals
            || self.byte(bare) != b' '
            || !self.is_sure()
            || !self.is_setting()
            || !self.text[..self.start].ends_with(b"\"")
        {
            return None;
        }
        let window = &self.text[start..self.text.len().min(start + 96)];
        let long = memchr::memchr2(b'"', b'\n', window).filter(|&end| window[end] == b'"')?;
        value::is_phrase(&window[..long]).then_some(start + long)
    }

    /// `KEY: KeyUsage = 2`, `eOnePass==ONEPASS_OFF`: a type between a name and its value, another name to compare with.
    pub(super) fn is_annotation(&self, join: Join, start: usize, bare: usize) -> bool {
        let word = &self.text[start..bare];
        let name = |byte: &u8| crate::search::is_one!(*byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b':' | b'.' | b'*');
        let set = self.byte(bare) == b' ' && self.byte(bare + 1) == b'=' && self.byte(bare + 2) == b' ';
        let shout = || {
            word.contains(&b'_')
                && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
                && !chance::is_random(word)
        };
        (join == Join::Colon && set || self.text[..start].ends_with(b"==") || shout())
            && word.iter().all(name)
    }

    /// `"pin": 82382847` in JSON: digits, and behind them what ends a member.
    pub(super) fn is_number(&self, start: usize, end: usize) -> bool {
        start < end
            && self.text[start..end].iter().all(u8::is_ascii_digit)
            && matches!(self.byte(self.skip_blanks(end)), b',' | b'}' | b']' | b'\n' | b'\r' | b'\\' | 0)
    }

    /// `<Password>⏎  <Value>X</Value>`.
    pub(super) fn nested(&self, start: usize) -> Option<(usize, usize)> {
        const TAGS: [&[u8]; 3] = [b"<value>", b"<string>", b"<plaintext>"];
        let window = &self.text[start..self.text.len().min(start + 320)];
        let gap = window.iter().take(32).take_while(|byte| byte.is_ascii_whitespace()).count();
        let tag = TAGS
            .iter()
            .find(|tag| window[gap..].get(..tag.len()).is_some_and(|head| head.eq_ignore_ascii_case(tag)))?;
        let from = start + gap + tag.len();
        let long = memchr::memchr2(b'<', b'\n', &window[gap + tag.len()..])?;
        (self.byte(from + long) == b'<').then_some((from, from + long))
    }

    /// `Key: <b>X</b>`: what a page sets apart.
    pub(super) fn tagged(&self, start: usize) -> Option<(usize, usize)> {
        const TAGS: [&[u8]; 8] =
            [b"<b>", b"<i>", b"<em>", b"<tt>", b"<kbd>", b"<code>", b"<strong>", b"<samp>"];
        if self.byte(start) != b'<' {
            return None;
        }
        let tag = TAGS.iter().find(|tag| self.text[start..].starts_with(tag))?;
        let from = start + tag.len();
        let window = &self.text[from..self.text.len().min(from + 256)];
        let long = memchr::memchr2(b'<', b'\n', window).filter(|&end| window[end] == b'<')?;
        Some((from, from + long))
    }

    /// `"password": {"old": "x", "new": "y"}`: the strings inside, if they look like secrets by themselves.
    pub(super) fn inside(&self, start: usize, run: &mut Run, spans: &mut Spans) -> bool {
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
                let digest = || prose::ends_in(string, b"hash") || prose::ends_in(string, b"integrity");
                plain = std::str::from_utf8(string).is_ok_and(names::is_plain)
                    || digest()
                    || string.ends_with(b"Id")
                        && !string.ends_with(b"KeyId")
                        && names::judge(string).is_none();
            } else if !plain && prose::looks_like_secret(string) {
                found |= self.record(from, end, Place::Quoted, spans);
            }
            at = end + quote.slashes + 1;
        }
        // The next object is another.
        run.object = at.min(limit);
        found
    }

    /// An opening quote, perhaps behind a string prefix (`b"`, `r"`, `f'`, `@"`, `!!str "`, `\u0022`).
    pub(super) fn string_start(&self, at: usize) -> Option<(quote::Quote, usize)> {
        let prefix = match self.byte(at) {
            b'b' | b'r' | b'f' | b'u' | b'@' | b'L' | b'N' | b'[' | b'(' | b'&' => 1,
            _ => 0,
        };
        // `&'static str` is a lifetime.
        if self.text[at..].starts_with(b"&'") {
            return None;
        }
        if let Some(tripled) = self.tripled(at) {
            return Some(tripled);
        }
        // `<<"X">>` of Erlang.
        let prefix = if self.text[at..].starts_with(b"<<\"") { 2 } else { prefix };
        quote::open(self.text, at).or_else(|| quote::open(self.text, at + prefix))
    }

    /// `"""X"""`: three quotes that are closed on their line, as settings have them around any sign.
    fn tripled(&self, at: usize) -> Option<(quote::Quote, usize)> {
        let sign = self.byte(at);
        let signs = [sign; 3];
        if !matches!(sign, b'"' | b'\'') || !self.text[at..].starts_with(&signs) {
            return None;
        }
        let line = crate::search::line(self.text, at + 3, 160);
        let long = memchr::memmem::find(line, &signs).filter(|&long| long > 0)?;
        crate::work::read(long);
        Some((quote::Quote { sign, slashes: 0 }, at + 3))
    }

    /// A value between quotes; a `doubtful` one must look like a secret by itself.
    pub(super) fn quoted(
        &self,
        quote: quote::Quote,
        inside: usize,
        doubtful: bool,
        spans: &mut Spans,
    ) -> bool {
        let Some(end) = quote::close(self.text, inside, quote) else {
            let end = self.bare_end(inside);
            return !doubtful && self.record(inside, end, Place::Data, spans);
        };
        let end = self.last_quote(quote, inside, end);
        let string = &self.text[inside..end];
        // `--secret-string '{"password":"X"}'`: its members are judged one by one.
        if string.starts_with(b"{\"") || string.starts_with(b"[{\"") || string.starts_with(b"{\\\"") {
            return false;
        }
        let told = self.name.trust == Trust::Password
            && self.text[..inside].ends_with(b"(\"")
            && value::is_chosen(string);
        if doubtful
            && (!(told
                || self.sets_digest(string)
                || self.is_number_for(string)
                || prose::looks_like_secret(string) && shows_more(string))
                || self.is_listed(end + quote.slashes + 1))
        {
            return false;
        }
        let member = self.byte(self.after_closers()) == b':' && self.after_closers() > self.stop;
        // A flag takes a sentence with its full stop.
        let said = string.strip_suffix(b".").filter(|_| self.is_flag()).unwrap_or(string);
        let phrase = (value::is_phrase(said) || self.is_flag() && value::is_long_phrase(said))
            && (self.takes_phrases(quote)
                || member && self.is_sure() && string.iter().any(u8::is_ascii_digit));
        if !doubtful && phrase {
            spans.add(inside, end, self.name.kind, true);
            return true;
        }
        // `"X-Acme-Admin-Secret": "three-words-so"`: a header holds nothing but the secret.
        let header = self.name.kind == "secret"
            && member
            && self.text[self.start..].get(..2).is_some_and(|head| head.eq_ignore_ascii_case(b"x-"));
        if header && value::is_chosen(string) {
            spans.add(inside, end, self.name.kind, true);
            return true;
        }
        let set = self.name.kind == "secret"
            && self.byte(self.stop) == b'='
            && inside == self.stop + 2
            && self.is_setting()
            && self.opens_line();
        let found = self.record(inside, end, if set { Place::Set } else { Place::Quoted }, spans);
        // `"old" -> "X"`: what a plan puts in its place.
        let next = end + quote.slashes + 1;
        if !found && self.text[next.min(self.text.len())..].starts_with(b" -> \"") {
            let from = next + 5;
            return quote::close(self.text, from, quote)
                .is_some_and(|end| self.record(from, end, Place::Quoted, spans));
        }
        if !found && self.name.kind == "auth" && self.takes_two(inside - quote.slashes - 1) {
            return login::second_literal(self.text, end + quote.slashes + 1, false, spans).is_some();
        }
        found
    }

    /// `env.DB_PASSWORD || "6591780143"`: digits that stand in for a password.
    fn is_number_for(&self, string: &[u8]) -> bool {
        self.name.trust == Trust::Password
            && (8..=16).contains(&string.len())
            && string.iter().all(u8::is_ascii_digit)
            && self.text[self.stop..].trim_ascii_start().starts_with(b"||")
    }

    /// `password="Reiher"teich7"`: where the value of a setting has its own quote inside, the last of the line ends it.
    fn last_quote(&self, quote: quote::Quote, inside: usize, end: usize) -> usize {
        let torn = self.byte(end + 1).is_ascii_alphanumeric()
            && quote.slashes == 0
            && inside == self.stop + 2
            && self.byte(self.stop) == b'='
            && self.name.trust == Trust::Password
            // Hot path: no quote stands before it.
            && (self.start == 0 || self.text[self.start - 1].is_ascii_whitespace())
            && self.opens_line();
        if !torn {
            return end;
        }
        let line = crate::search::line(self.text, inside, 96).trim_ascii_end();
        let whole = line.ends_with(&[quote.sign]) && memchr::memchr_iter(quote.sign, line).count() == 2;
        if whole && !line.contains(&b' ') { inside + line.len() - 1 } else { end }
    }

    /// `auth=("ann", "X")`, `basicAuth: 'ann', 'X'`; what follows a member of an object is another member.
    fn takes_two(&self, open: usize) -> bool {
        let before = self.text[open.saturating_sub(16)..open].trim_ascii_end();
        match before.last() {
            Some(b'(' | b'[' | b'{' | b'=') => true,
            Some(b':') => self.after_closers() == self.stop,
            _ => false,
        }
    }

    /// `"passphrase": "drei Hasen"`, `DB_PASSWORD="smooth jazz"`.
    pub(super) fn takes_phrases(&self, quote: quote::Quote) -> bool {
        let name = &self.text[self.start..self.stop];
        let phrase = prose::ends_in(name, b"phrase") || prose::ends_in(name, b"psk");
        let shell = self.is_setting()
            && self.byte(self.stop) == b'='
            && self.byte(self.stop + 1 + quote.slashes) == quote.sign;
        let constant = self.name.kind == "secret" && self.is_setting();
        let before = &self.text[self.start.saturating_sub(48)..self.start];
        let session = self.name.kind == "secret" && crate::search::has(before, b"session({");
        self.is_sure() && (phrase || shell || constant || session || self.is_defined())
    }

    /// `define( 'DB_PASSWORD', 'three words so' )`: what a server wants; words of a page are defined so too.
    fn is_defined(&self) -> bool {
        static SERVERS: Words<7> =
            Words::new([b"db_", b"smtp", b"mail", b"ftp", b"mysql", b"ldap", b"redis"]);
        let before = &self.text[self.start.saturating_sub(12)..self.start];
        let before = before.strip_suffix(b"'").or_else(|| before.strip_suffix(b"\""));
        before.is_some_and(|before| before.trim_ascii_end().ends_with(b"define("))
            && SERVERS.within(&self.text[self.start..self.stop])
    }

    /// `password: |⏎  value`: the one word of the next line, if it is indented.
    pub(super) fn next_line(&self, at: usize, spans: &mut Spans) -> bool {
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
        let line = crate::search::line(self.text, start, 96).trim_ascii_end();
        if self.name.trust == Trust::Password && self.byte(end) == b' ' && value::is_drawn(line) {
            spans.add(start, start + line.len(), self.name.kind, true);
            return true;
        }
        matches!(self.byte(end), b'\n' | b'\r' | 0 | b'\\')
            && !self.text[start..end].ends_with(b":")
            && !self.is_annotation(Join::Apart, start, end)
            && (self.name.trust == Trust::Password && value::is_choosable(&self.text[start..end])
                || self.text[start..end]
                    .iter()
                    .any(|byte| !byte.is_ascii_lowercase() && !matches!(byte, b'_' | b'(')))
            && self.record(start, end, Place::Line, spans)
    }

    /// `the --password options of`: a word among words.
    pub(super) fn is_sentence(&self, start: usize, end: usize) -> bool {
        let word = self.text[start..end].iter().all(u8::is_ascii_lowercase);
        word && self.byte(end) == b' ' && self.byte(end + 1).is_ascii_lowercase()
    }

    /// Whether the word at `at` may be a password that somebody chose.
    pub(super) fn chosen(&self, at: usize) -> bool {
        let start = self.skip_blanks(at);
        self.name.trust == Trust::Password && value::is_chosen(&self.text[start..self.bare_end(start)])
    }

    /// Whether the word at `at` looks like a secret by itself.
    pub(super) fn shows(&self, at: usize) -> bool {
        let start = self.skip_blanks(at);
        prose::looks_like_secret(&self.text[start..self.bare_end(start)])
    }

    /// `SecretString::new("literal")`, `password: str = "literal"`, `b64decode('…')`.
    pub(super) fn wrapped(&self, start: usize, spans: &mut Spans) -> bool {
        let window = &self.text[start..self.text.len().min(start + 48)];
        let head = window
            .iter()
            .take_while(|byte| {
                crate::search::is_one!(
                    **byte,
                    b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'.' | b':' | b'<' | b'>' | b'[' | b']' | b'&' | b'*' | b'?' | b'\''
                )
            })
            .count();
        // `Base64.getDecoder().decode("X")`.
        let called = window[head..].strip_prefix(b"().decode").map_or(0, |_| b"().decode".len());
        let head = head + called;
        let open = window[head..].iter().take_while(|byte| matches!(byte, b' ' | b'(' | b'=')).count();
        let joint = &window[head..head + open];
        if head == 0
            || open == 0
            || memchr::memchr_iter(b'(', joint).count() + memchr::memchr_iter(b'=', joint).count() != 1
        {
            return false;
        }
        // `Encoding.UTF8.GetBytes("X")` makes bytes of it.
        let translates = || window[..head] == *b"t" || window[..head].ends_with(b".t");
        let hands_on =
            || [&b"getbytes"[..], b"decode"].iter().any(|own| prose::ends_in(&window[..head], own));
        let reads = || (translates() || READS.within(&window[..=head])) && !hands_on();
        if joint.contains(&b'(') && reads() {
            return false;
        }
        let from = start + head + open;
        let Some((quote, inside)) = self.string_start(from + label(&self.text[from..])) else { return false };
        self.quoted(quote, inside, true, spans)
    }
}

/// `Data(hex: "X")`, `SymmetricKey(data: Data(hex: "X"))`: how long the labels are that an argument has before its literal.
fn label(rest: &[u8]) -> usize {
    const INNER: &[u8] = b"data: Data(";
    let inner = if rest.starts_with(INNER) { INNER.len() } else { 0 };
    let long = rest[inner..].iter().take(24).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if long > 0 && rest[inner + long..].starts_with(b": \"") { inner + long + 2 } else { inner }
}

/// Calls that ask somebody else.
#[rustfmt::skip]
static READS: Words<14> = Words::new([
    b"get", b"env", b"var", b"config", b"read", b"load", b"fetch", b"find", b"lookup", b"param", b"input", b"prompt", b"label", b"query",
]);

/// Beside another string: more than an identifier with a digit in it.
pub(super) fn shows_more(string: &[u8]) -> bool {
    let traits = value::Traits::of(string);
    traits.symbols > 0 || chance::density(string) >= 42 || prose::is_leet(string) && !string.contains(&b'_')
}
