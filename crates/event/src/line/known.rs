//! Taking a line apart that was checked before, byte for byte: the same parts, and no check a second time.

use memchr::{memchr, memchr2};

use super::{Field, Line, Member};

const PREV: &[u8] = b"prev";

impl<'a> Line<'a> {
    /// The parts of a line that [`Line::parse`] accepted. Of other bytes nothing is promised but that it ends: `None`,
    /// or parts that do not hold.
    pub fn known(text: &'a str) -> Option<Self> {
        let mut at = Walk { text, at: 0 };
        at.skip("{\"v\":")?;
        at.until(b',')?;
        at.skip("\"session\":\"")?;
        let session = at.until(b'"')?;
        at.skip(",\"seq\":")?;
        let seq = at.until(b',')?.parse().ok()?;
        at.skip("\"ts\":\"")?;
        let ts = at.until(b'"')?;
        at.skip(",\"kind\":\"")?;
        let kind = at.until(b'"')?;
        let (fields, prev) = at.fields()?;
        at.skip(",\"commit\":{")?;
        let mut members = at.commits()?;
        let header = text.get(..at.at)?;
        at.skip(",\"hash\":\"")?;
        let hash = at.until(b'"')?;
        at.skip(",\"data\":{")?;
        for member in &mut members {
            at.values(member)?;
        }
        at.skip(if members.is_empty() { "},\"salt\":{" } else { "\"salt\":{" })?;
        for member in &mut members {
            at.skip("\"")?;
            at.skip(member.name)?;
            at.skip("\":\"")?;
            member.salt_at = at.at;
            member.salt = at.until(b'"')?;
            // a comma, or the end of all salts
            at.at += 1;
        }
        Some(Self { session, seq, ts, kind, fields, prev, hash, members, header })
    }
}

struct Walk<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Walk<'a> {
    fn rest(&self) -> &'a [u8] {
        self.text.as_bytes().get(self.at..).unwrap_or_default()
    }

    fn skip(&mut self, part: &str) -> Option<()> {
        self.rest().starts_with(part.as_bytes()).then_some(())?;
        self.at += part.len();
        Some(())
    }

    /// What stands before the next such byte, which is passed too.
    fn until(&mut self, byte: u8) -> Option<&'a str> {
        let len = memchr(byte, self.rest())?;
        let found = self.text.get(self.at..self.at + len);
        self.at += len + 1;
        found
    }

    /// The fields up to `prev`, and what that is.
    fn fields(&mut self) -> Option<(Vec<Field<'a>>, &'a str)> {
        let mut fields = Vec::with_capacity(16);
        loop {
            self.skip(",\"")?;
            let name = self.until(b'"')?;
            self.skip(":")?;
            let start = self.at;
            self.field_value()?;
            let raw = self.text.get(start..self.at)?;
            if name.as_bytes() == PREV {
                return Some((fields, raw.strip_prefix('"')?.strip_suffix('"')?));
            }
            fields.push(Field { name, raw });
        }
    }

    /// Passes a value of a header, in whose strings no quote stands.
    fn field_value(&mut self) -> Option<()> {
        let close = match self.rest().first()? {
            b'"' => {
                self.at += 1;
                return self.until(b'"').map(drop);
            }
            b'{' => b'}',
            b'[' => b']',
            _ => {
                self.at += memchr(b',', self.rest())?;
                return Some(());
            }
        };
        loop {
            self.at += memchr2(b'"', close, self.rest())?;
            self.at += 1;
            if self.text.as_bytes()[self.at - 1] == close {
                return Some(());
            }
            self.until(b'"')?;
        }
    }

    /// Names and commitments up to the brace that ends the header, that too.
    fn commits(&mut self) -> Option<Vec<Member<'a>>> {
        let mut members = Vec::with_capacity(4);
        while self.skip("}").is_none() {
            if !members.is_empty() {
                self.skip(",")?;
            }
            self.skip("\"")?;
            let name = self.until(b'"')?;
            self.skip(":\"")?;
            let commit = self.until(b'"')?;
            members.push(Member {
                name,
                commit,
                value: "",
                value_at: 0,
                slot_bytes: 0,
                salt: "",
                salt_at: 0,
            });
        }
        Some(members)
    }

    /// One member of the payload, and the comma or brace behind it.
    fn values(&mut self, member: &mut Member<'a>) -> Option<()> {
        self.skip("\"")?;
        self.skip(member.name)?;
        self.skip("\":")?;
        member.value_at = self.at;
        self.value()?;
        member.value = self.text.get(member.value_at..self.at)?;
        self.at += self.rest().iter().take_while(|byte| **byte == b' ').count();
        member.slot_bytes = self.at - member.value_at;
        if self.skip(",").is_none() {
            self.skip("},")?;
        }
        Some(())
    }

    /// Passes a JSON value.
    fn value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match *self.rest().first()? {
                b'"' => self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.at += 1;
                }
                b',' | b':' => self.at += 1,
                _ => {
                    let ends = |byte: &&u8| !matches!(byte, b',' | b'}' | b']' | b' ');
                    self.at += self.rest().iter().take_while(ends).count().max(1);
                }
            }
            if depth == 0 {
                return Some(());
            }
        }
    }

    fn string(&mut self) -> Option<()> {
        self.at += 1;
        loop {
            self.at += memchr2(b'"', b'\\', self.rest())?;
            if self.text.as_bytes()[self.at] == b'"' {
                self.at += 1;
                return Some(());
            }
            // whatever is escaped, its first byte is no end
            self.at += 2;
        }
    }
}
