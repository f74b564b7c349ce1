//! Where a value stands: what may be code asks more of it.

use super::Context;
use super::Join;
use crate::company;
use crate::names::Trust;
use crate::search::Words;
use crate::value::Place;

impl Context<'_> {
    pub(super) fn is_sure(&self) -> bool {
        self.name.trust == Trust::Password || self.name.kind == "secret"
    }

    pub(super) fn place(&self, join: Join, joined: usize, start: usize, end: usize, closed: bool) -> Place {
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
            // What a password's flag takes is no type.
            Join::Flag if self.is_flag() && self.name.trust == Trust::Password => Place::Set,
            Join::Flag | Join::Apart if self.in_login_line(start) => Place::Set,
            Join::Flag | Join::Apart | Join::Item => Place::Data,
            // `GITHUB_WEBHOOK_SECRET=orbit_Sardine`.
            Join::Equals
                if tight
                    && line_ends
                    && self.name.kind == "secret"
                    && self.is_setting()
                    && self.opens_line() =>
            {
                Place::Set
            }
            Join::Equals if tight && self.in_set() => Place::Data,
            Join::Equals if tight && (self.in_query() || self.in_amazon()) => Place::Query,
            Join::Equals
                if tight
                    && self.name.trust == Trust::Password
                    && (self.is_setting() || line_ends && self.text[..self.start].ends_with(b"\n")) =>
            {
                Place::Set
            }
            Join::Equals if tight && self.name.trust == Trust::Password && self.in_pairs(end) => Place::Set,
            Join::Equals if tight && (self.is_setting() || self.in_connection(end)) => Place::Data,
            Join::Colon
                if line_ends && self.name.kind == "secret" && self.is_setting() && self.opens_line() =>
            {
                Place::Data
            }
            // `MYSQL_PASSWORD: X` of an environment.
            Join::Colon
                if line_ends
                    && self.name.trust == Trust::Password
                    && self.is_setting()
                    && self.text[self.start..self.stop].contains(&b'_')
                    && self.opens_line() =>
            {
                Place::Set
            }
            Join::Colon | Join::Equals if line_ends && self.opens_line() => Place::Line,
            Join::Equals
                if tight && matches!(self.byte(end), b' ' | b'"' | b'\n' | b'&' | b'\\' | b'\'' | 0) =>
            {
                Place::Line
            }
            Join::Colon
                if self.name.trust == Trust::Password
                    && (matches!(self.byte(end), b'\n' | b'\r' | 0 | b'"' | b'\\')
                        // Blanks that nobody sees.
                        || matches!(self.byte(self.skip_blanks(end)), b'\n' | b'\r' | 0)) =>
            {
                Place::Line
            }
            _ => Place::Code,
        }
    }

    /// A signature in an `Authorization` of Amazon's.
    pub(super) fn in_amazon(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(256)..self.start];
        self.name.kind == "signature" && crate::search::has(before, b"Credential=")
    }

    /// `--set auth.password=X,auth.user=ann`.
    fn in_set(&self) -> bool {
        let before = &self.text[self.start.saturating_sub(64)..self.start];
        let line = || crate::search::last_line(before);
        memchr::memchr(b'-', before).is_some()
            && memchr::memchr_iter(b'-', line())
                .any(|at| line()[at..].starts_with(b"--set ") || line()[at..].starts_with(b"--from-literal="))
    }

    /// Whether the line is a row of a table: `| name | value |`.
    pub(super) fn in_row(&self) -> bool {
        self.text[..self.start]
            .iter()
            .rev()
            .take(80)
            .take_while(|&&byte| byte != b'\n')
            .any(|&byte| byte == b'|')
    }

    pub(super) fn in_query(&self) -> bool {
        self.start > 0
            && (matches!(self.text[self.start - 1], b'?' | b'&')
                // A server's own, in the path.
                || self.text[..self.start].ends_with(b";") && self.text[self.start..].starts_with(b"jsession"))
    }

    /// `PASSWORD=`, `export PASSWORD=`, `--password=`: never code.
    pub(super) fn is_setting(&self) -> bool {
        let name = &self.text[self.start..self.stop];
        name.iter().all(|byte| !byte.is_ascii_lowercase()) || self.is_flag()
    }

    /// `Server=db;User Id=crm;Password=X(4);`: a driver takes whatever stands up to the next sign.
    pub(super) fn in_driver(&self, end: usize) -> bool {
        static USERS: Words<5> = Words::new([b"user id=", b"uid=", b"user=", b"data source=", b"server="]);
        let before = &self.text[self.start.saturating_sub(96)..self.start];
        self.name.trust == Trust::Password
            && before.ends_with(b";")
            && matches!(self.byte(end), b';' | b'"')
            && USERS.within(before)
            && !self.text[self.stop..end]
                .iter()
                .any(|byte| matches!(byte, b'{' | b'$' | b'<' | b'%' | b'+' | b' '))
    }

    /// `user=branch4 password=Canoe.Ledger.Plum use=yes`: pairs with blanks between are no arguments of a call.
    fn in_pairs(&self, end: usize) -> bool {
        let before = &self.text[self.start.saturating_sub(96)..self.start];
        let line = crate::search::last_line(before);
        let last = line.strip_suffix(b" ").and_then(|line| line.rsplit(|&byte| byte == b' ').next());
        matches!(self.byte(end), b' ' | b'\n' | b'\r' | 0)
            && !line.iter().any(|byte| matches!(byte, b'(' | b'{' | b'['))
            && last.is_some_and(|pair| pair.contains(&b'=') && !pair.ends_with(b"=") && !pair.ends_with(b","))
    }

    /// `…;Password=x;`, `host=h password=x`.
    pub(super) fn in_connection(&self, end: usize) -> bool {
        let before = self.text[..self.start].iter().rev().take(48);
        let pairs = before.take_while(|&&byte| byte != b'\n').any(|&byte| byte == b'=');
        pairs
            && (matches!(self.byte(end), b';' | b',') && self.is_parameter_break(end)
                || self.byte(end) == b';'
                || matches!(self.byte(end), b' ' | b'"' | b'\n' | b'\'' | 0))
    }

    /// Whether only blanks, list dashes, diff signs, comments or `export` stand before the name.
    pub(super) fn opens_line(&self) -> bool {
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
}
