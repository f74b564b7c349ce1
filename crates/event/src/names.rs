//! Names: session ids, and how one event points at another.

use std::fmt;
use std::sync::Arc;

/// A session id as it stands in headers, file names and references: `[a-z0-9][a-z0-9_-]{0,63}`.
///
/// Ids that callers use may look different; the redactor maps those to `m-` and 32 hex digits.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SessionId(Arc<str>);

/// A name that cannot be used, with what is wrong about it.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NameError {
    /// The text does not fit the grammar of a session id.
    #[error("{name:?} is not a session id of the store ([a-z0-9][a-z0-9_-]{{0,63}})")]
    Session {
        /// The text as given.
        name: String,
    },
    /// The text is not `session/sequence`.
    #[error("{name:?} is not an event (write session/sequence, e.g. sample-auth/17)")]
    Event {
        /// The text as given.
        name: String,
    },
    /// A name that would leave its folder or a terminal line.
    #[error("{name:?} has a path separator or control character and is refused as a session id")]
    Unsafe {
        /// The text as given.
        name: String,
    },
}

impl SessionId {
    /// Accepts a stored id, including mapped (`m-…`) ones.
    pub fn new(name: &str) -> Result<Self, NameError> {
        let fits = !name.is_empty()
            && name.len() <= 64
            && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_' | b'-'))
            && !name.starts_with(['_', '-']);
        if fits { Ok(Self(name.into())) } else { Err(NameError::Session { name: name.to_owned() }) }
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// True for an id that stands for a longer or stranger original.
    pub fn is_mapped(&self) -> bool {
        self.0.starts_with("m-")
    }

    /// Refuses what could leave a folder or a line: path separators, control characters, nothing at all.
    pub fn check_caller_name(name: &str) -> Result<(), NameError> {
        let bad = name.is_empty() || name.contains(['/', '\\']) || name.chars().any(char::is_control);
        if bad { Err(NameError::Unsafe { name: name.to_owned() }) } else { Ok(()) }
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for SessionId {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

/// An event by name: `session/sequence`, and optionally `#` with leading digits of its hash.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct EventRef {
    /// The session as the caller wrote it (an id of the store or an original).
    pub session: String,
    /// 0-based place in the session.
    pub seq: u64,
    /// Leading hex digits of the hash that the event must have, if given.
    pub hash: Option<String>,
}

impl EventRef {
    /// Reads `s/17`, `s/17#<hex>` or a permalink, `recount://local/s/17#<hex>`. The last `/` counts, so that
    /// odd originals still work.
    pub fn parse(text: &str) -> Result<Self, NameError> {
        let bad = || NameError::Event { name: text.to_owned() };
        let text = text.strip_prefix("recount://local/").unwrap_or(text);
        let (name, hash) = match text.split_once('#') {
            Some((name, hash)) if !hash.is_empty() && is_lower_hex(hash) => (name, Some(hash.to_owned())),
            Some(_) => return Err(bad()),
            None => (text, None),
        };
        let (session, seq) = name.rsplit_once('/').ok_or_else(bad)?;
        let seq: u64 = seq.parse().map_err(|_| bad())?;
        SessionId::check_caller_name(session).map_err(|_| bad())?;
        Ok(Self { session: session.to_owned(), seq, hash })
    }
}

impl fmt::Display for EventRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.session, self.seq)?;
        self.hash.as_ref().map_or(Ok(()), |hash| write!(f, "#{hash}"))
    }
}

/// True when every byte is a lower-case hex digit.
pub(crate) fn is_lower_hex(text: &str) -> bool {
    // without an exit in the middle, many bytes are looked at at once
    text.bytes().fold(true, |hex, b| hex & matches!(b, b'0'..=b'9' | b'a'..=b'f'))
}

/// `[a-z][a-z0-9_]{0,63}` and none of the three words that frame the payload.
pub(crate) fn is_member_name(name: &str) -> bool {
    let shape = name.len() <= 64
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.bytes().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    shape && !matches!(name, "hash" | "data" | "salt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn session_ids_follow_the_grammar() {
        for good in ["s", "0a", "sample-auth", "a_b", "m-00"] {
            assert!(SessionId::new(good).is_ok(), "{good}");
        }
        for bad in ["", "-a", "_a", "A", "a/b", "../x", "a b", "é", &"a".repeat(65)] {
            assert!(SessionId::new(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn caller_names_that_leave_a_folder_are_refused() {
        for bad in ["", "../etc", "a\\b", "a\nb", "a\u{7f}b"] {
            assert!(SessionId::check_caller_name(bad).is_err(), "{bad:?}");
        }
        assert!(SessionId::check_caller_name("Über Session №1").is_ok());
    }

    #[test]
    fn an_event_is_session_slash_sequence() {
        assert_eq!(EventRef::parse("s/17").map(|r| r.to_string()), Ok("s/17".to_owned()));
        assert_eq!(EventRef::parse("s/17#0af1").map(|r| r.to_string()), Ok("s/17#0af1".to_owned()));
        let link = EventRef::parse("recount://local/s/17#0af1");
        assert_eq!(link.map(|r| r.to_string()), Ok("s/17#0af1".to_owned()));
        for bad in
            ["s", "s/", "s/x", "recount://elsewhere/s/1", "recount://s/1", "/3", "s/3#", "s/3#XY", "../s/3"]
        {
            assert!(EventRef::parse(bad).is_err(), "{bad}");
        }
    }
}
