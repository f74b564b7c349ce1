//! Sections of a file in which each line is who may come in and a password: `[admins]` of `CouchDB`, `[users]` of svnserve.

use super::add;
use crate::span::Spans;
use crate::{company, value};

/// What is told of a user, and names none.
const FIELDS: [&[u8]; 12] = [
    b"id",
    b"name",
    b"user",
    b"username",
    b"email",
    b"mail",
    b"role",
    b"type",
    b"url",
    b"path",
    b"version",
    b"status",
];
const MOST_LINES: usize = 24;
const LONGEST_LINE: usize = 160;

/// Looks at the lines below the heading that ends at `end`.
pub(super) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let opens = company::line_start(text, at).is_some_and(|line| text[line..at].trim_ascii().is_empty());
    let Some(mut from) = crate::search::next_line(text, end, LONGEST_LINE).filter(|_| opens) else {
        return end;
    };
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let mut shown = false;
    for _ in 0..MOST_LINES {
        let line = crate::search::line(text, from, LONGEST_LINE);
        crate::work::read(line.len());
        let said = line.trim_ascii();
        if said.is_empty() || said.starts_with(b"[") {
            break;
        }
        if !matches!(said[0], b'#' | b';') {
            let Some(secret) = of_user(said) else { return end };
            shown |= value::is_chosen(secret) && secret.iter().any(u8::is_ascii_digit)
                || value::is_drawn_together(secret);
            let start = crate::search::offset(text, secret);
            rows.push((start, start + secret.len()));
        }
        from += line.len() + 1;
        if from > text.len() {
            break;
        }
    }
    // Of roles and groups none shows itself.
    if shown {
        for (start, stop) in rows {
            add(text, start, stop, spans);
        }
    }
    end
}

/// `"RegisteredUsers": {"harry": "X", …}`: the members of an object of users, if one of them shows itself.
pub(super) fn members(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + MOST_LINES * LONGEST_LINE / 4)];
    crate::work::read(window.len());
    let close = memchr::memchr2(b'}', b'{', window).unwrap_or(window.len());
    let mut rows: Vec<(usize, usize)> = Vec::new();
    let mut shown = false;
    for member in window[..close].split(|&byte| byte == b',') {
        let Some(secret) = of_member(member) else { return end };
        shown |= value::is_chosen(secret) && secret.iter().any(u8::is_ascii_digit);
        let start = crate::search::offset(text, secret);
        rows.push((start, start + secret.len()));
    }
    for (start, stop) in rows.into_iter().filter(|_| shown) {
        add(text, start, stop, spans);
    }
    end
}

/// `"harry" : "X"`.
fn of_member(member: &[u8]) -> Option<&[u8]> {
    let (user, rest) = quoted(member.trim_ascii())?;
    let (secret, rest) = quoted(rest.trim_ascii_start().strip_prefix(b":")?.trim_ascii_start())?;
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@');
    let named = !user.is_empty() && user.iter().all(plain) && !FIELDS.contains(&user);
    let word =
        secret.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'(' | b'{' | b'@'));
    (named && word && secret.len() >= 4 && rest.trim_ascii().is_empty()).then_some(secret)
}

/// What stands between the quotes that `text` begins with, and what follows.
fn quoted(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let inside = text.strip_prefix(b"\"")?;
    let close = memchr::memchr(b'"', inside)?;
    Some((&inside[..close], &inside[close + 1..]))
}

/// `harry = X`: one word for who, and one that somebody may have chosen.
fn of_user(line: &[u8]) -> Option<&[u8]> {
    let sign = memchr::memchr(b'=', line)?;
    let (user, secret) = (line[..sign].trim_ascii(), line[sign + 1..].trim_ascii());
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'@');
    let named = !user.is_empty() && user.iter().all(plain) && !user.iter().all(u8::is_ascii_digit);
    let word =
        secret.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b',' | b'/' | b'(' | b'{'));
    // `-hashed-…`, `-pbkdf2-…`: CouchDB's own form.
    (named && word && secret.len() >= 4 && !secret.starts_with(b"-")).then_some(secret)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn each_line_of_a_section_of_users_ends_in_a_password() {
        assert_eq!(
            found("[couchdb]\nuuid = 1cfd\n\n[admins]\nadmin = Zwiebel94!!\n\n[chttpd]\n"),
            ["Zwiebel94!!"]
        );
        assert_eq!(found("[users]\nharry = otterpond\nsally = river-pw-94\n[groups]\n").len(), 2);
        assert_eq!(
            found("\"RegisteredUsers\" : {\n  \"ann\" : \"Zwiebel94!!\",\n  \"ben\" : \"otterpond\"\n}")
                .len(),
            2
        );
        for text in [
            "\"users\": {\"ann\": \"admin\", \"ben\": \"reader\"}",
            "\"users\": {\"id\": \"Zwiebel94!!\", \"name\": \"ben\"}",
            "\"users\": {\"ann\": {\"role\": \"admin7\"}}",
            "[users]\nharry = admin\nsally = reader\n",
            "[users]\nmax_count = 12\nlimit = 40\n",
            "[users]\ncolumns = name, mail1, phone2\n",
            "[admins]\nadmin = -pbkdf2-0ab12cd4,8a5c,10\n",
            "users[users]\nharry = river-pw-94\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
