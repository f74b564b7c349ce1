//! What an engine took with a secret and is none: how it is sent, what it is called, what stands behind it.
//!
//! - T1  a secret loses no byte: what is cut is a form that is known, and what stays is long enough to be one

use crate::chance;
use crate::search::{find, has};

/// What stays is no shorter.
const SHORTEST: usize = 6;
/// Nothing longer is asked.
const LONGEST: usize = 1024;

/// The part of `start..end` that is the secret.
pub(super) fn trimmed(text: &[u8], start: usize, end: usize, kind: &str) -> (usize, usize) {
    let whole = &text[start..end];
    if !(SHORTEST..=LONGEST).contains(&whole.len()) {
        return (start, end);
    }
    let mut inside = whole;
    inside = &inside[scheme(inside, kind)..];
    inside = &inside[name_of_cookie(inside, kind)..];
    inside = &inside[address_of_call(inside)..];
    inside = &inside[fields_before(text, start, inside)..];
    inside = of_element(inside).unwrap_or(inside);
    inside = &inside[user_of_hash(inside)..];
    inside = &inside[..without_fields(inside)];
    inside = &inside[..without_host(text, start, inside)];
    inside = &inside[..without_clause(inside)];
    inside = &inside[..without_slash(text, start, inside)];
    inside = &inside[..without_day(inside)];
    inside = &inside[..without_close(inside)];
    if inside.len() < SHORTEST {
        return (start, end);
    }
    let lead = crate::search::offset(whole, inside);
    (start + lead, start + lead + inside.len())
}

/// `Bearer X`: how it is sent.
fn scheme(value: &[u8], kind: &str) -> usize {
    const SCHEMES: [&[u8]; 4] = [b"bearer ", b"basic ", b"token ", b"apikey "];
    let begins =
        |scheme: &&&[u8]| value.get(..scheme.len()).is_some_and(|head| head.eq_ignore_ascii_case(scheme));
    // `basic instinct` is a password.
    let one = memchr::memchr_iter(b' ', value).count() == 1 && !matches!(kind, "password" | "mnemonic");
    SCHEMES.iter().find(begins).filter(|_| one).map_or(0, |scheme| scheme.len())
}

/// `sessionid=X`: what a cookie is called.
fn name_of_cookie(value: &[u8], kind: &str) -> usize {
    const NAMES: [&[u8]; 6] = [b"sess", b"sid", b"auth", b"token", b"identity", b"cookie"];
    let Some(sign) = memchr::memchr(b'=', &value[..value.len().min(64)]) else { return 0 };
    let (name, rest) = (&value[..sign], &value[sign + 1..]);
    let named = matches!(kind, "session" | "cookie")
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'))
        && rest.len() >= 12
        && !chance::is_random(name);
    if named && NAMES.iter().any(|own| has(&name.to_ascii_lowercase(), own)) { sign + 1 } else { 0 }
}

/// `/google/callback?code=X`, `/edit?reset_password_token=X`: where somebody is sent with it.
fn address_of_call(value: &[u8]) -> usize {
    let query = value.starts_with(b"/").then(|| memchr::memchr(b'?', value)).flatten();
    let sign = query.and_then(|query| memchr::memchr(b'=', &value[query..]).map(|sign| query + sign + 1));
    sign.filter(|&from| value.len() >= from + 8).unwrap_or(0)
}

/// `pass:X`, `ops:X` behind `stats auth`, `localhost:5432:*:ann:X`: what a tool has before it.
fn fields_before(text: &[u8], start: usize, value: &[u8]) -> usize {
    let asked = [&b"-pass "[..], b"-passin ", b"-passout "].iter().any(|flag| text[..start].ends_with(flag));
    // `PASSWORD: &str = "X`: its type.
    if let Some(rest) =
        [&b"&str = \""[..], b"&'static str = \""].iter().find_map(|kind| value.strip_prefix(*kind))
    {
        return if rest.len() >= SHORTEST { value.len() - rest.len() } else { 0 };
    }
    if let Some(rest) = value.strip_prefix(b"pass:").filter(|rest| asked && rest.len() >= SHORTEST) {
        return value.len() - rest.len();
    }
    let colon = memchr::memchr(b':', value);
    if text[..start].ends_with(b"stats auth ") {
        return colon.map_or(0, |at| at + 1);
    }
    let mut fields = value.splitn(5, |&byte| byte == b':');
    let (host, port) = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
    let number = (2..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    // `3c:84:6a:12:f0:9e`: bytes of a key have no host before them.
    let of_host = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-');
    let named = host == b"localhost" || host == b"*" || host.contains(&b'.') && host.iter().all(of_host);
    let secret = fields.nth(2).filter(|secret| number && named && !secret.is_empty());
    secret.map_or(0, |secret| value.len() - secret.len())
}

/// `>X</wsse:Password`: inside its element.
fn of_element(value: &[u8]) -> Option<&[u8]> {
    let inside = value.strip_prefix(b">")?;
    find(inside, b"</").map(|close| &inside[..close])
}

/// `ann:$apr1$1ZVhXP18$1qgRSxm…`: whose hash it is.
fn user_of_hash(value: &[u8]) -> usize {
    const HASHES: [&[u8]; 6] = [b":$apr1$", b":$2", b":$6$", b":$5$", b":$1$", b":$y$"];
    let Some(colon) = memchr::memchr(b':', &value[..value.len().min(48)]) else { return 0 };
    let name =
        value[..colon].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    if name && HASHES.iter().any(|hash| value[colon..].starts_with(hash)) { colon + 1 } else { 0 }
}

/// `$6$…:19782:0:99999:7:::`: since when, and for how long.
fn without_fields(value: &[u8]) -> usize {
    let hash = value.starts_with(b"$") && value.iter().filter(|&&byte| byte == b'$').count() >= 3;
    let fields = |at: &usize| {
        let rest = &value[*at..];
        rest.iter().all(|byte| byte.is_ascii_digit() || *byte == b':') && rest[1..].contains(&b':')
    };
    hash.then(|| memchr::memchr(b':', value)).flatten().filter(fields).unwrap_or(value.len())
}

/// `X@git.example.org/river.git`: where an address goes on.
fn without_host(text: &[u8], start: usize, value: &[u8]) -> usize {
    let Some(at) = memchr::memrchr(b'@', value) else { return value.len() };
    let before = crate::search::before(text, start, 96);
    let user = memchr::memmem::rfind(before, b"://").map(|sign| &before[sign + 3..]);
    let of_user = user.is_some_and(|user| {
        user.ends_with(b":") && !user.iter().any(|byte| matches!(byte, b'/' | b'@' | b' ' | b'"' | b'\''))
    });
    let host = value[at + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.'))
        .count();
    let rest = &value[at + 1 + host..];
    let named = host >= 4 && value[at + 1..at + 1 + host].contains(&b'.');
    let path = rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b"/:.-_'\"?=&".contains(byte));
    let opens = rest.first().is_none_or(|byte| matches!(byte, b'/' | b':' | b'\'' | b'"'));
    if of_user && named && path && opens { at } else { value.len() }
}

/// `sed 's/PASSWORD=.*/PASSWORD=X/'`: the slash that ends what is put there.
fn without_slash(text: &[u8], start: usize, value: &[u8]) -> usize {
    let Some(head) = value.strip_suffix(b"/").or_else(|| value.strip_suffix(b"/g")) else {
        return value.len();
    };
    let line = crate::search::last_line(crate::search::before(text, start, 96));
    if has(line, b"s/") && has(line, b"=.*/") { head.len() } else { value.len() }
}

/// `X，端口`: what is said behind it, where signs are wide.
fn without_clause(value: &[u8]) -> usize {
    let head = value.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    let wide =
        ["，", "。", "；", "、", "！", "）"].iter().any(|sign| value[head..].starts_with(sign.as_bytes()));
    if wide && head >= SHORTEST { head } else { value.len() }
}

/// `X,2024-03-02`: the next cell of a row.
fn without_day(value: &[u8]) -> usize {
    let Some((head, day)) = value.split_last_chunk::<11>() else { return value.len() };
    let form = day.iter().enumerate().all(|(at, byte)| match at {
        0 => *byte == b',',
        5 | 8 => *byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    if form && day[1..3] == *b"20" { head.len() } else { value.len() }
}

/// `X'}`: what closes behind it and was not opened in it; a terminal's colour that ends.
fn without_close(value: &[u8]) -> usize {
    if let Some(at) = find(value, b"\x1B[")
        .filter(|&at| value[at + 2..].iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b';' | b'm')))
    {
        return at;
    }
    let token = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let closed = [&b"'}"[..], b"\"}", b"']", b"\"]"].into_iter().find_map(|close| value.strip_suffix(close));
    closed.filter(|head| head.iter().all(token)).map_or(value.len(), <[u8]>::len)
}

#[cfg(test)]
mod tests {
    use super::trimmed;

    fn rest<'a>(before: &str, value: &'a str, kind: &str) -> &'a str {
        let text = format!("{before}{value}");
        let (start, end) = trimmed(text.as_bytes(), before.len(), text.len(), kind);
        &value[start - before.len()..end - before.len()]
    }

    #[test]
    fn what_is_none_of_it_stays() {
        for (before, value, kind, secret) in [
            ("", "Bearer phx_IcwJo7paOIdwzoE2", "auth", "phx_IcwJo7paOIdwzoE2"),
            ("", "sessionid=6hszovv5z4g5igjnugkq", "session", "6hszovv5z4g5igjnugkq"),
            ("", "/google/callback?code=4%2F0A-l-cVLwffQ6", "auth", "4%2F0A-l-cVLwffQ6"),
            ("", "monitor:$apr1$1ZVhXP18$1qgRSxmXcX", "password", "$apr1$1ZVhXP18$1qgRSxmXcX"),
            ("", "$6$aZPoyjhK$uMfTODSIJpd1:19961:0:99999", "password_hash", "$6$aZPoyjhK$uMfTODSIJpd1"),
            (
                "",
                "$6$aZPoyjhK$uMfT.ODSIJpd.:19961:0:99999:7:30:20000:",
                "password_hash",
                "$6$aZPoyjhK$uMfT.ODSIJpd.",
            ),
            ("https://lotte:", "0Y%21VpiwlkTvPp@git.lumenia.be", "password", "0Y%21VpiwlkTvPp"),
            (
                "'https://x-access-token:",
                "ghs_F69WJqnFXv@github.com/acme/infra.git/':",
                "token",
                "ghs_F69WJqnFXv",
            ),
            ("", "xnd_production_isaiD0ZISn3d,2024-03-02", "key", "xnd_production_isaiD0ZISn3d"),
            ("'Authorization': '", "phx_IcwJo7paOIdwzoE2'}", "token", "phx_IcwJo7paOIdwzoE2"),
            ("密码：", "nMHpiYWxv52E，端口", "password", "nMHpiYWxv52E"),
            ("", "/edit?reset_password_token=m2xNIvLYDa9G", "password", "m2xNIvLYDa9G"),
            ("-pass ", "pass:h5ZgQUpalm", "password", "h5ZgQUpalm"),
            ("PASSWORD: ", "&str = \"gldt-2zJqLlvJtUU\"", "password", "gldt-2zJqLlvJtUU\""),
            ("stats auth ", "ops:Otter1993", "auth", "Otter1993"),
            ("", "localhost:5432:*:postgres:Marble36?", "password", "Marble36?"),
            ("\"PasswordText\"", ">Mw7GsiIpgUl3ff</wsse:Password", "password", "Mw7GsiIpgUl3ff"),
            ("", "gsk_vHEjXKhYOBe2e9VE\x1B[0m", "key", "gsk_vHEjXKhYOBe2e9VE"),
        ] {
            assert_eq!(rest(before, value, kind), secret, "{value}");
        }
    }

    #[test]
    fn a_secret_keeps_what_is_its_own() {
        for (before, value, kind) in [
            ("", "Bearer of the rings", "password"),
            ("", "basic", "password"),
            ("", "Otter=River7Stone12", "password"),
            ("", "c2Vzc2lvbg=k8vLm2ZpXt9Rk7", "session"),
            ("", "otter:$6river", "password"),
            ("", "$otter$River$12:47", "password"),
            ("password: ", "Otter@bridge.river", "password"),
            ("https://otter.example/login ", "Otter@bridge.river", "password"),
            ("https://ann:", "Otter@bridge!river", "password"),
            ("", "Otter,2024-03", "password"),
            ("", "Otter{river'}", "password"),
            ("", "{'k8vLm2ZpXt9Rk7'}", "password"),
            ("", "Otter!Bridge'}", "password"),
            ("", "/otter?code=riv", "auth"),
            ("", "pass:otter12", "password"),
            ("", "basic instinct", "password"),
            ("", "Otter:River:12:Stone:7", "password"),
            ("", "3c:84:6a:12:f0:9e:01:7b", "key"),
            ("", ">Otter!12", "password"),
        ] {
            assert_eq!(rest(before, value, kind), value, "{value}");
        }
    }
}
