//! How a name and its value are joined, whatever the syntax.

use super::Context;
use super::Join;
use super::is_name_byte;
use crate::company;
use crate::names::Trust;
use crate::prose;
use crate::quote;

impl Context<'_> {
    /// `userPassword:: e1NT…`: a directory's way to say that the value is base64.
    pub(super) fn is_encoded(&self) -> bool {
        self.text[self.stop..].starts_with(b":: ") && self.opens_line()
    }

    /// `::set-output name=token::X`: what a step of a workflow hands on.
    pub(super) fn is_output(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(24)..self.start];
        self.text[self.stop..].starts_with(b"::")
            && before
                .strip_suffix(b" name=")
                .is_some_and(|head| head.ends_with(b"::set-output") || head.ends_with(b"::save-state"))
    }

    /// Past the name's closing quote and bracket.
    pub(super) fn after_closers(&self) -> usize {
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

    /// The sign that joins name and value, and where the value may start.
    pub(super) fn join(&self, at: usize) -> Option<(Join, usize)> {
        let closed = at > self.stop;
        let at = self.skip_remark(self.skip_leaders(at));
        let blank = self.skip_blanks(at);
        let found = match (self.byte(blank), self.byte(blank + 1)) {
            (b':', b':') if self.is_encoded() || self.is_output() => (Join::Colon, blank + 2),
            (b':', b':') | (b'=', b'~') => return None,
            (b':' | b'?', b'=') | (b':' | b'<', b'-') | (b'=', b'>') => (Join::Equals, blank + 2),
            (b':', b'*') if self.byte(blank + 2) == b'*' => (Join::Colon, blank + 3),
            (b':', _) => (Join::Colon, blank + 1),
            (b'=' | b'!', b'=') => {
                // What is compared shows itself only between quotes.
                let past = blank + 2 + usize::from(self.byte(blank + 2) == b'=');
                quote::open(self.text, self.skip_blanks(past).min(self.text.len()))?;
                (Join::Apart, past)
            }
            (b'=', _) => (Join::Equals, blank + 1),
            // `??=`, `||=`: what is given where there is nothing yet.
            (b'|', b'|') | (b'?', b'?') if self.byte(blank + 2) == b'=' => (Join::Equals, blank + 3),
            (b'|', b'|') | (b'?', b'?') => (Join::Item, blank + 2),
            (b'|', b' ' | b'\t') if self.heads() || self.is_amid_heads(blank) => return None,
            (b'|', b' ' | b'\t')
                if self.in_row() || blank > at && (self.shows(blank + 1) || self.chosen(blank + 1)) =>
            {
                (Join::Apart, blank + 1)
            }
            (b'|', _) => return None,
            // `set bot_token {X}`.
            (b'{', _) if blank > at && self.text[..self.start].ends_with(b"set ") => (Join::Equals, blank),
            // `strncpy(cfg->proxy_password, "X", …)`.
            (b',', b' ') if !closed && self.is_copied() => (Join::Equals, blank + 2),
            // `$ENV{MAIL_PASS} = 'X'`, `hash{secret} = "X"`.
            (b'}', b' ')
                if self.text[blank..].starts_with(b"} = ") && self.text[..self.start].ends_with(b"{") =>
            {
                (Join::Equals, blank + 4)
            }
            // `{password, "X"}`, `(password . "X")`: a pair.
            (b',', _) if !closed && self.text[..self.start].ends_with(b"{") => (Join::Equals, blank + 1),
            (b'.', b' ') if blank > at && self.text[..self.start].ends_with(b"(") => {
                (Join::Equals, blank + 1)
            }
            // `ParameterKey=DbPassword,ParameterValue=X` of a stack.
            (b',', b'P') if self.text[blank..].starts_with(b",ParameterValue=") => {
                (Join::Apart, blank + b",ParameterValue=".len())
            }
            // `aes_key,data,hex2bin,X`: a row of what a chip keeps.
            (b',', b'd') if !closed && self.past_kind(blank).is_some() => {
                (Join::Equals, self.past_kind(blank)?)
            }
            // `variable=DB_PASSWORD;issecret=true]X`: a pipeline's own way to set one.
            (b';', b'i') if self.text[blank..].starts_with(b";issecret=true]") => {
                (Join::Equals, blank + b";issecret=true]".len())
            }
            (b',', _) if closed && self.is_set() => (Join::Equals, blank + 1),
            (b',', _) if closed => return self.value_field(at).or(Some((Join::Item, blank + 1))),
            (b'>', _) if closed && self.in_tag() => (Join::Apart, blank + 1),
            // `<string name="api_key" translatable="false">X`: another attribute stands between.
            (b'a'..=b'z', _)
                if closed && blank > at && self.in_tag() && self.past_attributes(blank).is_some() =>
            {
                (Join::Apart, self.past_attributes(blank)?)
            }
            (b'>', _)
                if self.start > 0
                    && matches!(self.text[self.start - 1], b'<' | b':' | b'/')
                    && !self.text[..self.start].ends_with(b"?P<") =>
            {
                (Join::Apart, blank + 1)
            }
            (b'&', _) if self.text[blank..].starts_with(b"&gt;") => (Join::Apart, blank + 4),
            (b'(', b'"' | b'\'') if !closed && self.is_setter() => (Join::Equals, blank + 1),
            (b'(', b'r' | b'q' | b'%') if !closed && quote::delimited(self.text, blank + 1).is_some() => {
                (Join::Equals, blank + 1)
            }
            (b'(', b'"' | b'\'') if !closed => (Join::Item, blank + 1),
            (b'"' | b'\'', _) if blank > at && (self.is_keyword() || self.is_called(blank)) => {
                (Join::Equals, blank)
            }
            (b'#', b'a'..=b'z') if blank > at && self.is_keyword() && self.read_as(blank) > 0 => {
                (Join::Equals, blank)
            }
            // `WS-DB-PASSWORD PIC X(08) VALUE 'X'`.
            (b'P', b'I') if blank > at && self.past_picture(blank).is_some() => {
                (Join::Equals, self.past_picture(blank)?)
            }
            _ if blank > at && self.is_image_setting() => (Join::Equals, blank),
            _ if blank > at && (self.is_flag() || self.is_directive(blank)) => (Join::Flag, blank),
            _ if blank > at && self.opens_tag() => {
                let window = &self.text[blank..self.text.len().min(blank + 96)];
                return memchr::memchr(b'>', window).map(|end| (Join::Apart, blank + end + 1));
            }
            (b'[', _) if blank > at => (Join::Colon, self.past_default(blank)?),
            (b'\n' | b'\r' | b'\\' | b'<', _) => return self.value_field(at),
            _ if closed => return self.value_field(at),
            _ => return None,
        };
        Some(found)
    }

    /// Whether the name is what a function of C copies a string to.
    fn is_copied(&self) -> bool {
        let path =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'>' | b'.' | b'&');
        let before = &self.text[self.start.saturating_sub(64)..self.start];
        let long = before.iter().rev().take_while(|byte| path(byte)).count();
        let call = &before[..before.len() - long];
        [&b"cpy("[..], b"cat(", b"strdup("].iter().any(|copies| call.ends_with(copies))
    }

    fn past_picture(&self, at: usize) -> Option<usize> {
        let line = crate::search::line(self.text, at, 64);
        let value = memchr::memmem::find(line, b" VALUE ").filter(|_| line.starts_with(b"PIC "))?;
        Some(at + value + b" VALUE ".len())
    }

    fn past_kind(&self, at: usize) -> Option<usize> {
        const KINDS: [&[u8]; 5] =
            [b",data,string,", b",data,hex2bin,", b",data,base64,", b",data,binary,", b",data,u32,"];
        KINDS.iter().find(|kind| self.text[at..].starts_with(kind)).map(|kind| at + kind.len())
    }

    /// `Password........: X`: dots that lead to the value.
    fn skip_leaders(&self, at: usize) -> usize {
        let dots = self.text[at..].iter().take(40).take_while(|&&byte| byte == b'.').count();
        if dots >= 2 && self.byte(at + dots) == b':' { at + dots } else { at }
    }

    /// `Password (new): X`, `PIN (4-stellig): X`: past what is said of a name whose value ends the line.
    fn skip_remark(&self, at: usize) -> usize {
        if self.name.trust < Trust::Secret || !self.text[at.min(self.text.len())..].starts_with(b" (") {
            return at;
        }
        let line = crate::search::line(self.text, at, 96).trim_ascii_end();
        let Some(close) = memchr::memmem::find(&line[..line.len().min(28)], b"): ") else { return at };
        let remark = &line[2..close];
        let typed = TYPES
            .iter()
            .any(|own| remark.get(..own.len()).is_some_and(|head| head.eq_ignore_ascii_case(own)));
        let lone = line[close + 3..].len() >= 4 && !line[close + 3..].contains(&b' ');
        if lone && !typed && !remark.contains(&b'(') { at + close + 1 } else { at }
    }

    /// `AWS Secret Access Key [None]: X`: a program asks, and says what it has already; one word ends the line.
    fn past_default(&self, at: usize) -> Option<usize> {
        let line = crate::search::line(self.text, at, 160).trim_ascii_end();
        let close = memchr::memmem::find(&line[..line.len().min(40)], b"]: ")?;
        let typed = line[close + 3..].trim_ascii_start();
        let lone = !typed.is_empty() && !typed.contains(&b' ') && self.name.trust >= Trust::Secret;
        lone.then_some(at + close + 2)
    }

    /// `setDbPassword("X")`, `withPassword("X")`.
    fn is_setter(&self) -> bool {
        let name = self.text[self.start..self.stop].rsplit(|&byte| byte == b'.').next().unwrap_or_default();
        // `setPassword("X")` has an engine of its own.
        let own = name.len() > 3
            && name[3..].trim_ascii_start().to_ascii_lowercase().ends_with(b"password")
            && name.len() <= 12;
        self.name.trust == Trust::Password
            && !(own && name[..3].eq_ignore_ascii_case(b"set"))
            && [&b"set"[..], b"with", b"Set", b"With"]
                .iter()
                .any(|verb| name.starts_with(verb) && name.len() > verb.len() + 2)
    }

    /// `Header.Set("X-Api-Key", "0e6d…")`, `headers.append("X-Auth-Token", "0e6d…")`: hex digits that a call sets for the name.
    pub(super) fn sets_digest(&self, string: &[u8]) -> bool {
        const SETS: [&[u8]; 10] = [
            b"set(",
            b"header(",
            b"append(",
            b"put(",
            b"insert(",
            b"add(",
            b"setenv(",
            b"putenv(",
            b"property(",
            b"define(",
        ];
        if string.len() < 32 || !crate::value::is_hex(string) || self.name.trust < Trust::Secret {
            return false;
        }
        let before = &self.text[self.start.saturating_sub(32)..self.start];
        let call = before.strip_suffix(b"\"").or_else(|| before.strip_suffix(b"'")).unwrap_or_default();
        let call = call.to_ascii_lowercase();
        SETS.iter().any(|set| call.ends_with(set))
    }

    /// `set("mail.password", "X")`: a call that is told a name and its value.
    fn is_set(&self) -> bool {
        #[rustfmt::skip]
        const SETS: [&[u8]; 26] = [
            b"set(", b"put(", b"setproperty(", b"setenv(", b"putenv(", b"setitem(", b"store(", b"setvalue(", b"setdefault(", b"setenvironmentvariable(",
            b"define(", b"define( ", b"buildconfigfield(", b"getordefault(", b"fetch(", b"getenv(", b"env(", b"values (", b"values(", b".config(", b"flag.string(",
            b"environ.get(", b".option(", b".property(", b"setstring(", b"addproperty(",
        ];
        let before = &self.text[self.start.saturating_sub(48)..self.start];
        let Some(open) = memchr::memrchr(b'(', before) else { return false };
        let quoted = before[open + 1..]
            .iter()
            .all(|byte| is_name_byte(*byte) || matches!(byte, b'"' | b'\'' | b',' | b' ' | b'/'));
        let lower = before[..=open].to_ascii_lowercase();
        let head = lower[..open].trim_ascii_end();
        let list = head.ends_with(b"),") || head.ends_with(b"values");
        // `(13,'smtp_pass','X','yes')`: a number stands first, and the name is more than a word.
        let numbered = before[open + 1..].strip_suffix(b"'").is_some_and(|number| {
            number.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' '))
                && self.text[self.start..self.stop].contains(&b'_')
        });
        // `('payment/otter/passphrase','X')`: the name is the last of a path.
        let path = before.ends_with(b"/")
            && before[open + 1..].strip_prefix(b"'").is_some_and(|path| !path.contains(&b'\''));
        let values = list && (before.ends_with(b"('") || numbered || path);
        let sure = self.name.trust == Trust::Password
            || self.name.trust == Trust::Secret && lower.ends_with(b"define(")
            || values;
        quoted && sure && (values || SETS.iter().any(|set| lower.ends_with(set)))
    }

    /// `| password | mail |⏎|---|---|`: the head of a column, whose cells are below.
    fn heads(&self) -> bool {
        let end = |from: usize| {
            memchr::memchr(b'\n', &self.text[from..self.text.len().min(from + 160)]).map(|long| from + long)
        };
        let Some(below) = end(self.stop).map(|end| &self.text[end + 1..self.text.len().min(end + 161)])
        else {
            return false;
        };
        let rule = &below[..memchr::memchr(b'\n', below).unwrap_or(below.len())];
        let is_rule = |line: &[u8]| {
            let line = line.trim_ascii();
            line.len() >= 3 && line.iter().all(|byte| matches!(byte, b'-' | b'|' | b'+' | b':' | b' ' | b'='))
        };
        if !is_rule(rule) {
            return false;
        }
        // What ends a table has no row below; of a rule that is longer than was looked, nobody knows.
        let row = below.get(rule.len() + 1..).unwrap_or(if below.len() < 160 { b"" } else { b"|" });
        if !row[..memchr::memchr(b'\n', row).unwrap_or(row.len())].contains(&b'|') {
            return false;
        }
        let above = &self.text[self.start.saturating_sub(320)..self.start];
        let mut lines = above.rsplit(|&byte| byte == b'\n').skip(1).filter(|line| !is_rule(line));
        !lines.next().is_some_and(|line| line.contains(&b'|'))
    }

    /// `usename | has_password | valuntil⏎ app | t | ∅`: one of several titles, and a row below them.
    fn is_amid_heads(&self, bar: usize) -> bool {
        let line = crate::search::last_line(crate::search::line_before(self.text, self.start, 160));
        let cell = crate::search::line(self.text, bar + 1, 64);
        let cell = cell.split(|&byte| byte == b'|').next().unwrap_or_default().trim_ascii();
        let title = !cell.is_empty() && cell.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
        let several = line.trim_ascii_end().ends_with(b"|") && line.iter().any(u8::is_ascii_alphanumeric);
        let rest = crate::search::line(self.text, self.stop, 160);
        let below = crate::search::line(self.text, (self.stop + rest.len() + 1).min(self.text.len()), 240);
        let bars = |part: &[u8]| memchr::memchr_iter(b'|', part).count();
        // `ann | password | X` above `ben | password | Y`.
        let again = crate::search::has(below, &self.text[self.start..self.stop]);
        title && several && !again && bars(below) > 0 && bars(below) == bars(line) + bars(rest)
    }

    /// `<Password `, `<ns:Password `.
    pub(super) fn opens_tag(&self) -> bool {
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

    /// Past the `>` of a tag of a `<string>` of an app, whose other attributes begin at `from`.
    fn past_attributes(&self, from: usize) -> Option<usize> {
        let before = &self.text[self.start.saturating_sub(24)..self.start];
        let rest = &self.text[from..self.text.len().min(from + 64)];
        let close = memchr::memchr(b'>', rest)?;
        (before.ends_with(b"<string name=\"") && rest[..close].ends_with(b"\"")).then_some(from + close + 1)
    }

    /// `<entry key="jdbc.password">`: an attribute's value, and the tag ends behind it.
    pub(super) fn in_tag(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(80)..self.start];
        let tag = before.iter().rposition(|&byte| byte == b'<').map_or(&before[..0], |at| &before[at..]);
        tag.len() > 2
            && !tag.contains(&b'>')
            && before.last().is_some_and(|byte| matches!(byte, b'"' | b'\''))
    }

    /// `ENV DB_PASSWORD X`: as images are told, in capitals.
    fn is_image_setting(&self) -> bool {
        let before = &self.text[..self.start];
        self.is_sure()
            && self.is_setting()
            && before
                .strip_suffix(b"ENV ")
                .is_some_and(|rest| matches!(rest.last(), None | Some(b'\n' | b' ')))
    }

    /// `bindpw X`, `set -x MYSQL_PWD X`, `ENV API_SECRET X`: a line of its own, whose last word shows itself.
    pub(super) fn is_directive(&self, at: usize) -> bool {
        let end = self.bare_end(at);
        let past = end + usize::from(self.byte(end) == b';');
        let lone = matches!(self.byte(past), b'\n' | b'\r' | 0) && end - at >= 6;
        if !lone && self.name.trust != Trust::Password {
            return false;
        }
        // These open nothing but a server, and their whole value is one word.
        let only = [&b"requirepass"[..], b"masterauth"].contains(&&self.text[self.start..self.stop]);
        let setting = || self.is_sure() && company::is_setting(self.text, self.start);
        let word = &self.text[at..end];
        // `ENV DB_PASSWORD X`, `Password      X`: a constant, a column.
        let column = at - self.stop >= 2 || self.byte(self.stop) == b'\t';
        let shell = self.name.trust == Trust::Password
            && (self.is_setting() && self.byte(self.start) != b'-' || column)
            && (crate::value::is_choosable(word) || column && is_number(word));
        // `Backlog MqttUser tas; MqttPassword X;`.
        let name = &self.text[self.start..self.stop];
        let humps = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
        let listed = self.name.trust == Trust::Password
            && self.text[..self.start].ends_with(b"; ")
            && name[0].is_ascii_uppercase()
            && (name.windows(2).any(humps) || name.ends_with(b"1") || name.ends_with(b"2"))
            && matches!(self.byte(end), b';' | b'\n' | b'\r' | 0);
        if listed && crate::value::is_choosable(word) {
            return true;
        }
        lone && (only || shell || prose::looks_like_secret(word) || setting()) && self.opens_line()
            || self.grouped_end(at, end).is_some_and(|_| setting())
            || self.in_login_line(at)
    }

    /// `machine ftp.example.org login bob password X`.
    pub(super) fn in_login_line(&self, at: usize) -> bool {
        if self.name.trust != Trust::Password || self.byte(at) <= b' ' {
            return false;
        }
        let Some(line) = company::line_start(self.text, self.start) else { return false };
        let value = &self.text[at..self.bare_end(at)];
        if self.text[line..self.start].trim_ascii().is_empty() {
            return self.in_login_block(line) && crate::value::is_choosable(value);
        }
        let mut words =
            self.text[line..self.start].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let Some(opener) = words.next() else { return false };
        let ends = matches!(self.byte(at + value.len()), b'\n' | b'\r' | 0);
        let shell = opener == b"username" && words.clone().count() == 1 && ends;
        let machine = matches!(opener, b"machine" | b"default") && {
            let mut keys = words.skip(usize::from(opener == b"machine")).step_by(2);
            keys.clone().count() > 0
                && keys.all(|key| matches!(key, b"login" | b"user" | b"account" | b"port"))
        };
        (shell || machine) && !value.iter().all(u8::is_ascii_digit)
    }

    /// `machine ftp.example.org⏎  login bob⏎  password X`: lines of two words below the one that names the machine.
    fn in_login_block(&self, line: usize) -> bool {
        const MOST_LINES: usize = 3;
        let mut below = line;
        for _ in 0..MOST_LINES {
            let Some(end) = below.checked_sub(1) else { return false };
            let Some(above) = company::line_start(self.text, end) else { return false };
            let mut words =
                self.text[above..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
            match (words.next(), words.next(), words.next()) {
                (Some(b"machine"), Some(_), None) | (Some(b"default"), None, None) => return true,
                (Some(b"login" | b"user" | b"account" | b"port"), Some(_), None) => below = above,
                _ => return false,
            }
        }
        false
    }

    /// `:password "X"`, `#define PASSWORD "X"`.
    pub(super) fn is_keyword(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(16)..self.start];
        before.ends_with(b":") && matches!(before, [b':'] | [.., b' ' | b'(' | b'{' | b'\n' | b'[', b':'])
            || before.trim_ascii_end().ends_with(b"#define")
            || self.is_sure() && sets(before)
    }

    /// `keyPassword 'X'`, `password "X";`: a line of its own, as build files and servers have them.
    fn is_called(&self, at: usize) -> bool {
        let Some((quote, inside)) = quote::open(self.text, at) else { return false };
        let Some(end) = quote::close(self.text, inside, quote) else { return false };
        let past = end + quote.slashes + 1 + usize::from(matches!(self.byte(end + 1), b';' | b','));
        let before = &self.text[..self.start];
        let indented = before.iter().rev().take(40).find(|byte| !matches!(byte, b' ' | b'\t'));
        self.is_sure()
            && self.name.trust >= Trust::Secret
            && matches!(indented, None | Some(b'\n'))
            && matches!(self.byte(past), b'\n' | b'\r' | 0)
            && crate::value::is_choosable(&self.text[inside..end])
    }

    pub(super) fn is_flag(&self) -> bool {
        self.text[self.start] == b'-'
            && self.text.get(self.start + 1).is_some_and(|byte| *byte == b'-' || byte.is_ascii_alphabetic())
    }

    /// `"name":"X","value":"Y"`, `name: X⏎ value: Y`, `name="X" value="Y"`, `<key>X</key><string>Y`.
    pub(super) fn value_field(&self, at: usize) -> Option<(Join, usize)> {
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

    /// `'a_token', 'b_token2', 'c'`: one of a list of names.
    pub(super) fn is_listed(&self, past: usize) -> bool {
        let next = self.skip_blanks(past + 1);
        let goes_on = self.byte(past) == b',' && matches!(self.byte(next), b'"' | b'\'' | b'\n');
        let before = &self.text[self.start.saturating_sub(4)..self.start];
        goes_on && before.contains(&b',')
    }
}

/// Digits that are no day and no count.
fn is_number(word: &[u8]) -> bool {
    (6..=12).contains(&word.len())
        && word.iter().all(u8::is_ascii_digit)
        && !matches!(word, [b'1', b'9', ..] | [b'2', b'0', ..])
}

/// `setx `, `(setq `, `set `: what gives a variable the string behind it.
fn sets(before: &[u8]) -> bool {
    const SETS: [&[u8]; 8] =
        [b"setx ", b"setq ", b"set ", b"setenv ", b"defvar ", b"defparameter *", b"defconst ", b"set -gx "];
    SETS.iter().any(|set| {
        before
            .strip_suffix(*set)
            .is_some_and(|rest| matches!(rest.last(), None | Some(b'\n' | b' ' | b'(' | b'\t')))
    })
}

/// What a document says of a member, and not of its value.
const TYPES: [&[u8]; 12] = [
    b"str",
    b"optional",
    b"required",
    b"int",
    b"bool",
    b"object",
    b"array",
    b"number",
    b"default",
    b"see",
    b"e.g",
    b"one of",
];

/// Names of the field that holds what another field named.
pub(super) const VALUE_WORDS: [&[u8]; 10] = [
    b"value",
    b"Value",
    b"VALUE",
    b"ParameterValue",
    b"string>",
    b"default",
    b"content",
    b"secret>",
    b"td>",
    b"dd>",
];

/// Signs, line breaks and closing tags between a name and the `value` that belongs to it.
pub(super) fn skip_between(rest: &[u8]) -> Option<usize> {
    match rest[0] {
        b'"' | b'\'' | b',' | b' ' | b'\n' | b'\r' | b'\t' | b'-' | b'\\' | b'{' => Some(1),
        b'<' if rest.get(1) == Some(&b'/') => rest.iter().position(|&byte| byte == b'>').map(|at| at + 1),
        b'n' | b'<' if rest.len() > 1 => Some(1),
        _ => namespace(rest),
    }
}

/// `android:value="X"`: what stands before the colon.
fn namespace(rest: &[u8]) -> Option<usize> {
    let long = rest.iter().take(12).take_while(|byte| byte.is_ascii_lowercase()).count();
    (long > 0 && rest[long..].starts_with(b":value=")).then_some(long + 1)
}

/// ` serializeAs="String">`: another attribute, and the end of the tag.
pub(super) fn skip_attribute(rest: &[u8]) -> Option<usize> {
    let rest_of = rest.strip_prefix(b" ")?;
    let name =
        rest_of.iter().take(24).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':').count();
    let value = rest_of[name..].strip_prefix(b"=\"").filter(|_| name > 0)?;
    let long = value.iter().take(32).position(|&byte| byte == b'"')?;
    let last = rest_of[..name].rsplit(|&byte| byte == b':').next().unwrap_or_default();
    let own = [&b"value"[..], b"content", b"default"].iter().any(|own| last.eq_ignore_ascii_case(own));
    let end = 1 + name + 2 + long + 1;
    let tag = usize::from(rest.get(end) == Some(&b'>'));
    (!own).then_some(end + tag)
}

/// A short field between the two: `type = string⏎`, `sensitive = true⏎`.
pub(super) fn skip_field(rest: &[u8]) -> Option<usize> {
    let line = &rest[..memchr::memchr(b'\n', &rest[..rest.len().min(48)])?];
    let words =
        [&b"type"[..], b"description", b"sensitive", b"kind", b"required", b"nullable", b"id", b"secret"];
    let (name, _) = line.split_at(line.iter().position(|&byte| matches!(byte, b'=' | b':'))?);
    let name = name.trim_ascii();
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    words.iter().any(|word| word.eq_ignore_ascii_case(name)).then_some(line.len())
}
