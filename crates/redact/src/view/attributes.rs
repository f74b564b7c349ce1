//! V12: what an attribute of XML says in more than one line (`message="a&#10;b"`), as it is meant: what a test failed
//! with, what an app says.
//!
//! - A1  only attributes with a line break in them: others stand as they are meant, but for an escape

use super::{Hits, View, markup};

/// How long what an attribute says may be.
const LONGEST: usize = 64 * 1024;

/// One view for each attribute.
pub(crate) fn attributes(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut floor = 0;
    for at in memchr::memmem::find_iter(bytes, "&#").filter(|&at| breaks(&bytes[at + 2..])) {
        if at < floor {
            continue;
        }
        let Some((start, end)) = quoted(bytes, floor, at) else {
            floor = at;
            continue;
        };
        floor = end;
        if hits.any(start, end) {
            views.push(markup::read(&text[start..end], start, false));
        }
    }
    views
}

/// Whether an escape goes on so that is the end of a line.
fn breaks(rest: &[u8]) -> bool {
    [b"10;".as_slice(), b"13;", b"xA;", b"xa;", b"xD;", b"xd;"].iter().any(|code| rest.starts_with(code))
}

/// What stands between the quotes around `at` behind a `=`.
fn quoted(bytes: &[u8], floor: usize, at: usize) -> Option<(usize, usize)> {
    let floor = floor.max(at.saturating_sub(LONGEST));
    let open = memchr::memrchr2(b'"', b'\'', &bytes[floor..at]).map(|open| floor + open);
    let open = open
        .filter(|&open| open > 0 && bytes[open - 1] == b'=')
        .or_else(|| memchr::memmem::rfind(&bytes[floor..at], b"=\"").map(|sign| floor + sign + 1))?;
    let end = memchr::memchr(bytes[open], &bytes[at..bytes.len().min(at + LONGEST)])?;
    crate::work::read(at + end - floor);
    Some((open + 1, at + end))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_an_attribute_says_in_lines_is_read() {
        for (text, secret) in [
            (
                "<failure message=\"ldap_bind_dn = cn=svc,dc=lan&#10;ldap_bind_pw = Schneeball\" type=\"x\"/>",
                "Schneeball",
            ),
            ("<a text='it&apos;s&#xA;name,login,password&#xA;Ann,ann,s4ilBoat!&#xA;'/>", "s4ilBoat!"),
            (
                "<a text=\"it's one&#10;ldap_bind_dn = cn=svc,dc=lan&#13;&#10;ldap_bind_pw = Schneeball\"/>",
                "Schneeball",
            ),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn an_open_one_is_none() {
        for text in ["<a text=\"a&#10;b", "&#10;&#10;", "\"a&#10;b\"", "=\"&#10;"] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
