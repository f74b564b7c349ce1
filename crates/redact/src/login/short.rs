//! Logins whose names are one letter long: `?u=ann&p=X`, `{"u":"ann","p":"X"}`, `user worker … p=X`.

use super::add;
use crate::span::Spans;

const BACK: usize = 96;
const LONGEST: usize = 128;
/// How the user is called right before.
const USERS: [&[u8]; 8] = [b"u", b"user", b"usr", b"username", b"login", b"l", b"email", b"name"];

/// `&p=`: the rest of the parameter.
pub(super) fn parameter(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(BACK)..at];
    let Some(open) =
        before.iter().rposition(|byte| matches!(byte, b'?' | b'&' | b' ' | b'"' | b'\'' | b'\n'))
    else {
        return end;
    };
    crate::work::read(before.len());
    let pair = &before[open + 1..];
    let user = memchr::memchr(b'=', pair).map(|equals| &pair[..equals]);
    if user.is_some_and(|user| USERS.contains(&user)) {
        let long = text[end..]
            .iter()
            .take(LONGEST)
            .take_while(|byte| {
                byte.is_ascii_graphic() && !matches!(byte, b'&' | b'"' | b'\'' | b'`' | b'<' | b'#')
            })
            .count();
        add(text, end, end + long, spans);
    }
    end
}

/// `"p":"`: the string, if the member before names a user.
pub(super) fn member(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = text[at.saturating_sub(BACK)..at].trim_ascii_end();
    let Some(before) =
        before.strip_suffix(b",").map(<[u8]>::trim_ascii_end).and_then(|before| before.strip_suffix(b"\""))
    else {
        return end;
    };
    crate::work::read(before.len());
    let mut parts = before.rsplit(|&byte| byte == b'"');
    let _ = parts.next();
    let joint = parts.next().unwrap_or_default();
    let user = parts.next().unwrap_or_default();
    if joint.trim_ascii() == b":" && USERS.contains(&user) {
        let long = text[end..].iter().take(LONGEST).take_while(|byte| !matches!(byte, b'"' | b'\n')).count();
        add(text, end, end + long, spans);
    }
    end
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_letter_beside_a_user_is_enough() {
        assert_eq!(found("POST /login?u=mara&p=magnet-pepper HTTP/1.1"), ["magnet-pepper"]);
        assert_eq!(found("{\"grant\":\"x\",\"u\":\"petra\",\"p\":\"tequila sunrise\"}"), ["tequila sunrise"]);
        assert_eq!(found("GET /list?q=mara&p=magnet-pepper"), Vec::<&str>::new());
        assert_eq!(found("{\"x\":\"petra\",\"p\":\"tequila sunrise\"}"), Vec::<&str>::new());
    }
}
