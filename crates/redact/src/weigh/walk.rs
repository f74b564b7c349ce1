//! What stands behind a name, word by word: which may be its value, and how it is joined.

use super::words::{Small, is_copula, is_other, is_particle, is_value_label, strip};
use super::{Evidence, REACH, Sign};
use crate::names::{self, Name, Trust};
use crate::quote;
use crate::value;

const MOST_TURNS: usize = 6;
/// Words between a name and its value.
const MOST_WORDS: usize = 2;
const MOST_LINES: usize = 2;
const LONGEST_QUOTED: usize = 160;
const LONGEST_TAG: usize = 240;
const LONGEST_PHRASE: usize = 80;

/// A word that may be the value of the name before it.
pub(super) struct Value {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quoted: Option<u8>,
    path: Path,
    alone: bool,
}

/// What lies between a name and a word.
#[derive(Clone, Copy)]
struct Path {
    by: Sign,
    words: usize,
    lines: usize,
    value_label: bool,
    speaker: bool,
    value: bool,
}

impl Value {
    pub(super) fn path_signs(&self, evidence: &mut Evidence) {
        let path = &self.path;
        evidence.add(path.by);
        evidence.add(match path.words {
            0 => Sign::WordsNone,
            1 => Sign::WordsOne,
            _ => Sign::WordsFew,
        });
        evidence.when(path.lines > 0, Sign::LinesOne);
        evidence.when(path.value_label, Sign::ValueLabelPassed);
        evidence.when(path.speaker, Sign::SpeakerPassed);
        evidence.when(path.value, Sign::ValuePassed);
        evidence.when(self.alone, Sign::Alone);
        evidence.when(self.quoted.is_some_and(|sign| sign != b'`'), Sign::Quoted);
    }
}

#[allow(clippy::struct_excessive_bools, reason = "what is known of a name, each by itself")]
struct Walk<'a> {
    text: &'a [u8],
    at: usize,
    limit: usize,
    path: Path,
    line_words: usize,
    /// Where the name begins, and what it says.
    name: usize,
    said: Name,
    /// What was found there already.
    known: &'a dyn Fn(usize, usize) -> bool,
    /// The name stands between quotes, and is `key`.
    json: bool,
    key: bool,
    /// `NAME=` in capitals.
    setting: bool,
    /// `pin`, `code`: of digits.
    code: bool,
    query: bool,
    /// What follows a scheme's name has an engine of its own.
    auth: bool,
    turns: usize,
}

/// Calls `take` with each word behind the name `start..stop` that may be its value; but for what is `known`.
pub(super) fn values(
    text: &[u8],
    start: usize,
    stop: usize,
    name: Name,
    known: &dyn Fn(usize, usize) -> bool,
    mut take: impl FnMut(&Value),
) {
    let path =
        Path { by: Sign::ByBlank, words: 0, lines: 0, value_label: false, speaker: false, value: false };
    let limit = text.len().min(stop + REACH);
    crate::work::read(limit - stop);
    let json = start > 0 && text[start - 1] == b'"';
    let setting =
        text.get(stop) == Some(&b'=') && text[start..stop].iter().all(|byte| !byte.is_ascii_lowercase());
    let mut walk = Walk {
        text,
        at: stop,
        limit,
        path,
        line_words: 1,
        name: start,
        said: name,
        known,
        json,
        key: name.kind == "key",
        auth: name.kind == "auth",
        setting,
        code: matches!(name.kind, "pin" | "otp" | "recovery_code"),
        query: start > 0 && matches!(text[start - 1], b'?' | b'&'),
        turns: 0,
    };
    if super::line::opens_tag(text, start) {
        if !walk.rest_of_tag() {
            return;
        }
    } else {
        walk.skip_closers(start);
    }
    while walk.at < walk.limit && walk.turns < MOST_TURNS {
        if !walk.step(&mut take) {
            return;
        }
    }
}

impl Walk<'_> {
    fn byte(&self, at: usize) -> u8 {
        self.text.get(at).copied().unwrap_or(0)
    }

    /// The quote, the bracket or the stars that close the name.
    fn skip_closers(&mut self, start: usize) {
        let opened = start > 0 && matches!(self.text[start - 1], b'"' | b'\'' | b'`' | b'*');
        if opened && let Some((_, past)) = quote::open(self.text, self.at) {
            self.at = past;
        }
        while matches!(self.byte(self.at), b'*' | b')' | b']' | b'?') {
            self.at += 1;
        }
    }

    /// `<Password Type="…">`, `<PASSWORD value="`: to what the tag says or holds.
    fn rest_of_tag(&mut self) -> bool {
        let window = &self.text[self.at..self.text.len().min(self.at + LONGEST_TAG)];
        let Some(end) = memchr::memchr2(b'>', b'\n', window).filter(|&end| window[end] == b'>') else {
            return false;
        };
        if let Some(value) = memchr::memmem::find(&window[..end], b" value=") {
            self.path.value_label = true;
            self.by(Sign::ByEqualsTight, value + 7)
        } else if window[..end].ends_with(b"/") {
            false
        } else {
            self.limit = self.text.len().min(self.at + end + REACH);
            self.by(Sign::ByTag, end + 1)
        }
    }

    /// Reads one thing; false if nothing behind it belongs to the name.
    fn step(&mut self, take: &mut impl FnMut(&Value)) -> bool {
        let at = self.at;
        match self.byte(at) {
            b' ' | b'\t' | b'\r' => {
                self.at += 1;
                true
            }
            b'\n' => self.line_break(),
            // What the name had is a mark already.
            b'[' if crate::marker::begins(&self.text[at..]) => false,
            b'<' if self.byte(at + 1).is_ascii_alphabetic() || self.byte(at + 1) == b'/' => self.tag(),
            b'"' | b'\'' | b'`' | b'\\' => self.string(take),
            b'=' | b':' | b',' | b'|' | b'(' | b'>' | b'-' | b';' | b'[' | b'{' | b')' | b']' | b'}'
            | b'*' | b'<' | b'?' | b'!' | b'+' | b'&' | b'/' | b'.'
                if self.sign() =>
            {
                true
            }
            0xE2 if self.text[at..].starts_with("→".as_bytes()) => self.by(Sign::ByArrow, 3),
            0xE2 if self.text[at..].starts_with("–".as_bytes())
                || self.text[at..].starts_with("—".as_bytes()) =>
            {
                self.by(Sign::ByDash, 3)
            }
            0xE2 if self.text[at..].starts_with(b"\xE2\x80") => {
                self.at += 3;
                true
            }
            0xC2 if matches!(self.byte(at + 1), 0xAB | 0xBB | 0xA0) => {
                self.at += 2;
                true
            }
            _ => self.word(take),
        }
    }

    fn by(&mut self, sign: Sign, long: usize) -> bool {
        self.path.by = sign;
        self.at += long;
        true
    }

    fn line_break(&mut self) -> bool {
        // Nothing at the end of the line says that something follows.
        let joined = matches!(
            self.path.by,
            Sign::ByColon | Sign::ByEquals | Sign::ByArrow | Sign::ByTag | Sign::ByCopula | Sign::ByBreak
        );
        if !(joined || self.path.speaker || self.path.lines == 0 && self.is_command()) {
            return false;
        }
        self.at += 1;
        self.path.lines += 1;
        self.path.by = Sign::ByBreak;
        self.line_words = 0;
        let rest = &self.text[self.at..self.limit];
        // A blank line is no line; two end what was said.
        self.path.lines <= MOST_LINES && !rest.starts_with(b"\n\n")
    }

    /// The line is a command's.
    fn is_command(&self) -> bool {
        super::line::is_prompt(self.text, self.name)
    }

    /// Signs between words; false if it is the beginning of a word.
    fn sign(&mut self) -> bool {
        let (at, text) = (self.at, self.text);
        let (byte, next) = (self.byte(at), self.byte(at + 1));
        let blank = |byte: u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0);
        let before = if at > 0 { text[at - 1] } else { b' ' };
        match (byte, next) {
            (b'=' | b'-', b'>') => self.by(Sign::ByArrow, 2),
            (b':' | b'=', b'=') => self.by(Sign::ByEquals, 2),
            (b'=', next) if !blank(before) && !blank(next) => self.by(Sign::ByEqualsTight, 1),
            (b'=', _) => self.by(Sign::ByEquals, 1),
            (b':', b':') => self.by(Sign::ByColonTight, 2),
            (b':', next) if blank(next) || next == b'*' => self.by(Sign::ByColon, 1),
            (b':', _) => self.by(Sign::ByColonTight, 1),
            (b',', _) => self.by(Sign::ByComma, 1),
            (b'|', _) => self.by(Sign::ByBar, 1),
            (b'(' | b'[' | b'{', _) => self.by(Sign::ByParen, 1),
            (b'-', b' ') => self.by(Sign::ByDash, 1),
            (b'>', b' ') if blank(before) => self.by(Sign::ByArrow, 1),
            (b'.' | b'!' | b'?', next) if blank(next) => {
                self.at += 1;
                true
            }
            (b')' | b']' | b'}' | b'*' | b'>' | b';' | b'?', _) => {
                self.at += 1;
                true
            }
            (b'!' | b'&' | b'+' | b'/', next) if blank(next) => {
                self.at += 1;
                true
            }
            _ => false,
        }
    }

    fn tag(&mut self) -> bool {
        let window = &self.text[self.at..self.limit.min(self.at + 96)];
        let Some(end) = memchr::memchr(b'>', window) else { return false };
        self.by(Sign::ByTag, end + 1)
    }

    fn string(&mut self, take: &mut impl FnMut(&Value)) -> bool {
        let Some((open, start)) = quote::open(self.text, self.at) else {
            self.at += 1 + usize::from(self.byte(self.at + 1).is_ascii_alphanumeric());
            return true;
        };
        let end = quote::close(self.text, start, open).filter(|&end| end - start <= LONGEST_QUOTED);
        let Some(end) = end else {
            self.at = start;
            return true;
        };
        let past = end + open.slashes + 1;
        self.turns += 1;
        let inside = &self.text[start..end];
        // `password: ""` has none.
        if inside.is_empty()
            && matches!(
                self.path.by,
                Sign::ByColon | Sign::ByEquals | Sign::ByEqualsTight | Sign::ByColonTight
            )
        {
            return false;
        }
        // `": "` between two strings was taken for one.
        if inside.is_empty() || inside.iter().all(|byte| !byte.is_ascii_alphanumeric() && *byte < 0x80) {
            self.at = start;
            return true;
        }
        let next = self.text[past.min(self.text.len())..].iter().take(2).find(|&&byte| byte != b' ');
        if matches!(next, Some(b':' | b'=')) && open.sign != b'`' {
            self.at = past;
            return self.label(start, end);
        }
        self.give(start, end, Some(open.sign), take);
        false
    }

    /// The name of another value: `value` is ours, what is a secret's looks after itself.
    fn label(&mut self, start: usize, end: usize) -> bool {
        let label = &self.text[start..end];
        if is_value_label(label) {
            self.path.value_label = true;
            return true;
        }
        if names::judge(label).is_some_and(|name| name.trust >= Trust::Secret) {
            return false;
        }
        // On a line of its own it is somebody who speaks.
        if self.line_words > 0 || names::is_identity(label) {
            return false;
        }
        let again = self.path.speaker;
        self.path.speaker = true;
        self.line_words += 1;
        !again
    }

    fn word(&mut self, take: &mut impl FnMut(&Value)) -> bool {
        let start = self.at;
        // `@"X"`, `N'X'`, `b"X"`.
        if matches!(self.byte(start), b'@' | b'N' | b'b' | b'r' | b'f' | b'u')
            && matches!(self.byte(start + 1), b'"' | b'\'')
        {
            self.at += 1;
            return self.string(take);
        }
        let end = crate::keyvalue::bare_end(self.text, start).min(self.limit);
        if end <= start {
            self.at += 1;
            return true;
        }
        self.turns += 1;
        let word = &self.text[start..end];
        self.at = end;
        // `email=bea@example.org`: another pair.
        let equals = memchr::memchr(b'=', word).filter(|&at| {
            at > 0
                && at + 1 < word.len()
                && word[at + 1] != b'='
                && word[..at]
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        });
        if let Some(equals) =
            equals.filter(|&at| self.path.words > 0 || self.path.by != Sign::ByEqualsTight || at < 12)
        {
            let head = &word[..equals];
            if !crate::chance::is_random(head) {
                self.at = start + equals;
                return self.label(start, start + equals);
            }
        }
        if matches!(self.byte(end), b':')
            && matches!(self.byte(end + 1), b' ' | b'\n' | b'\t')
            && self.path.by != Sign::ByColon
            && word.iter().all(|byte| byte.is_ascii_alphabetic() || *byte >= 0x80)
        {
            return self.label(start, end);
        }
        if let Some(small) = Small::of(word) {
            if is_copula(&small) {
                self.path.by = Sign::ByCopula;
                return true;
            }
            if is_particle(&small) {
                self.path.by = Sign::ByParticle;
                return true;
            }
            if is_other(&small) {
                return false;
            }
        }
        // `AUTH default X`, "the password for staging is X".
        let plain = word.iter().all(u8::is_ascii_lowercase);
        if plain && !self.is_direct() && self.path.words < MOST_WORDS {
            self.path.words += 1;
            self.line_words += 1;
            self.path.by = Sign::ByBlank;
            return !matches!(self.byte(end), b'.' | b';' | b',');
        }
        self.give(start, end, None, take);
        self.rest(start, end, take);
        false
    }

    fn is_direct(&self) -> bool {
        self.path.words == 0 && self.path.by != Sign::ByBlank && self.path.by != Sign::ByParticle
            || self.path.by == Sign::ByCopula
    }

    /// `password: drei Hasen`, `<password>drei Hasen</password>`: all that stands there.
    fn rest(&mut self, start: usize, end: usize, take: &mut impl FnMut(&Value)) {
        let sign = self.path.by;
        let tag = sign == Sign::ByTag;
        let row = sign == Sign::ByBar;
        if self.auth
            || self.byte(end) != b' '
            || !(tag
                || row
                || matches!(sign, Sign::ByColon | Sign::ByEquals | Sign::ByEqualsTight)
                    && super::line::opens(self.text, self.name))
        {
            return;
        }
        let window = &self.text[start..self.text.len().min(start + LONGEST_PHRASE)];
        let stop =
            window.iter().position(|&byte| byte == b'\n' || tag && byte == b'<' || row && byte == b'|');
        let Some(long) = stop.or((start + window.len() == self.text.len()).then_some(window.len())) else {
            return;
        };
        let line = window[..long].trim_ascii_end();
        let words = line.split(|&byte| byte == b' ').count();
        // `password=X use-ipsec=yes`: another pair.
        if sign == Sign::ByEqualsTight && line.contains(&b'=') {
            return;
        }
        if (2..=7).contains(&words) && (!tag || window.get(long) == Some(&b'<')) {
            self.give(start, start + line.len(), None, take);
        }
    }

    /// Hands a word on, if it may be a value at all.
    fn give(&mut self, start: usize, end: usize, quoted: Option<u8>, take: &mut impl FnMut(&Value)) {
        let last = quoted.is_some() || self.byte(end) != b' ';
        let (start, end) = if quoted.is_some() { (start, end) } else { strip(self.text, start, end) };
        let word = &self.text[start..end];
        let known = (self.known)(start, end);
        // Nothing can make a secret of it, or something did, and nothing is read behind it.
        if last && (known || super::look::is_plain(word, self.said)) {
            return;
        }
        // What goes on past the window was not read to its end.
        if end >= self.limit && end < self.text.len() {
            return;
        }
        let plain = quoted.is_none() && word.iter().all(u8::is_ascii_lowercase);
        if word.len() < 4 || plain && !self.is_direct() {
            return;
        }
        // `"pin": 4711` may count; `@host:80`, `0x28bfc32f` and a digest under `key` are no secrets.
        let number = self.json && quoted.is_none() && word.iter().all(u8::is_ascii_digit);
        let hex = word.starts_with(b"0x") && word.len() <= 18
            || self.json && self.key && word.len() < 48 && value::is_hex(word);
        // `PW15 81570`, `?key=x#fragment`: a list, a place in a page.
        let joined = matches!(self.path.by, Sign::ByColon | Sign::ByEqualsTight);
        let listed = !self.code && quoted.is_none() && !joined && word.iter().all(u8::is_ascii_digit);
        let fragment = self.query && word.contains(&b'#');
        if number || hex || listed || fragment || word[0] == b'@' || crate::placeholder::is_alphabet(word) {
            return;
        }
        // `'{"password":"X"}'`: its members have names of their own.
        if word.starts_with(b"{\"") || is_reply(word) {
            return;
        }
        // `PASSWORD FOR 'root'@'localhost'`: whose it is.
        if quoted.is_some() && (self.text[end..].starts_with(b"'@") || self.text[..start].ends_with(b"@'")) {
            return;
        }
        // `PASS: ESCAPE_OPERATION = 3`: a type, or another name.
        let next = (self.byte(end), self.byte(end + 1));
        let named = value::is_constant(word)
            || matches!(next, (b' ', b'=')) && matches!(self.byte(end + 2), b' ' | b'\n')
            || next == (b' ', b'{');
        if quoted.is_none() && (named || !self.setting && value::is_code(word)) {
            return;
        }
        if crate::marker::is_within(word) || value::is_reference(word) || value::is_placeholder(word) {
            return;
        }
        let opens = self.path.lines > 0 && self.line_words == 0;
        let ends = matches!(self.byte(end + usize::from(quoted.is_some())), b'\n' | b'\r' | 0);
        if !known {
            take(&Value { start, end, quoted, path: self.path, alone: opens && ends });
        }
        self.path.value = true;
    }
}

/// `550 5.7.30 Not supported.`: what a mail server answers.
fn is_reply(word: &[u8]) -> bool {
    matches!(
        word,
        [
            b'2' | b'4' | b'5',
            b'0'..=b'9',
            b'0'..=b'9',
            b' ' | b'-',
            b'2' | b'4' | b'5',
            b'.',
            b'0'..=b'9',
            ..
        ]
    )
}
