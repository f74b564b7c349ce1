//! HTTP headers and cookies: `Authorization: Bearer …`, `Proxy-Authorization: Basic …`, `Cookie: a=b`.

mod put;
pub(crate) use self::put::table;

use crate::assigned::Use;
use crate::chance;
use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value::{self, Place};

/// A scheme word (`Bearer`, `Basic`, `token` …) that ends at `end`: its credential follows.
pub(crate) fn scan_scheme(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let left = at.checked_sub(1).map_or(b' ', |before| text[before]);
    if left.is_ascii_alphanumeric() && !(at >= 2 && text[at - 2] == b'\\') {
        return;
    }
    let Some(start) = after_blank(text, end) else { return };
    if text[at..end].eq_ignore_ascii_case(b"digest") {
        return digest(text, start, spans);
    }
    if text.get(start) == Some(&b'$') && in_header(text, at) {
        return crate::assigned::scan(text, start, Use::Token, spans);
    }
    let stop = start + text[start..].iter().take(8192).take_while(|&&byte| is_credential(byte)).count();
    crate::work::read(stop - start);
    let stop = stop
        - text[start..stop]
            .iter()
            .rev()
            .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b':' | b')'))
            .count();
    let credential = &text[start..stop];
    // `token id=7f0e4b2c`: by what it is known.
    let known = [&b"id="[..], b"jti=", b"kid=", b"sid=", b"sub=", b"uid="];
    if credential.len() < 8 || is_setting(credential) || known.iter().any(|own| credential.starts_with(own)) {
        return;
    }
    let header = in_header(text, at);
    let basic = text[at..end].eq_ignore_ascii_case(b"basic");
    let plain = text[at..end].len() == 10 && text[at + 4] == b' ';
    let good = if plain {
        // A mail server's: `NUL user NUL password`, or the password alone; no address, which says who it is.
        !credential.starts_with(b"--")
            && crate::decode::base64(credential).is_some_and(|plain| is_sasl(&plain) && !is_address(&plain))
    } else if basic {
        credential.len() >= 8 && is_pair(credential, header)
            || header && credential.len() >= 24 && chance::is_random(credential)
    } else if header {
        credential.len() >= 8 && accepts(credential)
    } else if text[at..end].eq_ignore_ascii_case(b"geniekey") {
        value::is_uuid(credential)
    } else {
        !text[at..end].eq_ignore_ascii_case(b"token")
            && credential.len() >= 16
            && (chance::is_random(credential) || value::is_hex(credential) && credential.len() >= 32)
            && accepts(credential)
    };
    if good {
        spans.add(
            start,
            stop,
            if basic || plain { "basic_auth" } else { "bearer" },
            header || basic || plain,
        );
    }
    if good && basic {
        decoded(text, stop, credential, spans);
    }
}

/// `Basic ZWx…⏎decoded: elastic:X`: the same again, as it reads.
fn decoded(text: &[u8], stop: usize, credential: &[u8], spans: &mut Spans) {
    const REACH: usize = 256;
    let Some(plain) = crate::decode::base64(credential) else { return };
    let Some(colon) = memchr::memchr(b':', &plain).filter(|colon| plain.len() >= colon + 7) else { return };
    let below = &text[stop..text.len().min(stop + REACH)];
    crate::work::read(below.len());
    if let Some(at) = crate::search::find(below, &plain) {
        spans.add(stop + at + colon + 1, stop + at + plain.len(), "password", false);
    }
}

/// Whether a run of base 64 is what a mailbox is opened with: nobody, a user and a password, each behind a zero.
pub(crate) fn is_sasl_plain(run: &[u8]) -> bool {
    let whole = &run[..run.len() - usize::from(run.len() % 4 == 1)];
    crate::decode::base64(whole).is_some_and(|plain| {
        let mut parts = plain.split(|&byte| byte == 0);
        let (none, user, secret) = (parts.next(), parts.next(), parts.next());
        let typed = |part: Option<&[u8]>| {
            part.is_some_and(|part| part.len() >= 2 && part.iter().all(u8::is_ascii_graphic))
        };
        none == Some(b"") && typed(user) && typed(secret) && parts.next().is_none()
    })
}

/// `token_type=Bearer ttl=3600`: the next setting of a line.
fn is_setting(credential: &[u8]) -> bool {
    let name = credential.iter().take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    let value = credential[name..].strip_prefix(b"=").unwrap_or_default();
    let plain = value.iter().all(u8::is_ascii_digit) || value.iter().all(u8::is_ascii_lowercase);
    name >= 2 && (1..16).contains(&value.len()) && plain
}

/// `Digest username="bob", …, response="…"`.
fn digest(text: &[u8], start: usize, spans: &mut Spans) {
    let line = &text[start..text.len().min(start + 512)];
    let Some(at) = memchr::memmem::find(line, b"response=") else { return };
    let from = start
        + at
        + 9
        + line[at + 9..].iter().take(4).take_while(|byte| matches!(byte, b'"' | b'\\')).count();
    let long = text[from..].iter().take(128).take_while(|byte| byte.is_ascii_hexdigit()).count();
    if long >= 16 {
        spans.add(from, from + long, "digest_auth", true);
    }
}

fn after_blank(text: &[u8], end: usize) -> Option<usize> {
    let blanks = text[end..].iter().take(8).take_while(|&&byte| byte == b' ').count();
    let mut start = end + blanks;
    if matches!(text.get(start), Some(b'"' | b'`' | b'\'')) && blanks > 0 {
        start += 1;
    }
    (blanks > 0).then_some(start)
}

fn is_credential(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'-' | b'_' | b'.' | b'~' | b'+' | b'/' | b'=' | b':' | b'|' | b'%' | b'!' | b'@' | b'*'
        )
}

fn accepts(credential: &[u8]) -> bool {
    let name = Name { kind: "bearer", trust: Trust::Secret };
    value::is_secret(name, credential, Place::Data)
}

/// Parts of the names of headers that carry credentials; `tests` has each again.
const NAMES: [&[u8; 5]; 4] = [b"authz", b"autho", b"-auth", b"token"];

/// Whether an `authorization` name stands a little before: then the scheme word is no prose.
fn in_header(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(28)..at];
    let line = before.iter().rposition(|&byte| byte == b'\n').map_or(before, |line| &before[line..]);
    line.windows(5).any(|five| NAMES.iter().any(|name| name.eq_ignore_ascii_case(five)))
}

/// Basic credentials: base64 of printable text with a colon. Where no header says so it must be a text to its last
/// letter: by chance, "Operations" is base64 of bytes with a colon.
fn is_pair(credential: &[u8], header: bool) -> bool {
    crate::decode::base64(credential).is_some_and(|plain| {
        plain.contains(&b':')
            && plain.iter().all(|&byte| byte >= 0x20 && byte != 0x7F)
            && (header || std::str::from_utf8(&plain).is_ok())
    })
}

/// `ann@otter.example`.
fn is_address(plain: &[u8]) -> bool {
    let sign = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-+@".contains(byte);
    let host = memchr::memchr(b'@', plain).map(|at| &plain[at + 1..]);
    plain.iter().all(sign) && host.is_some_and(|host| host.contains(&b'.') && !host.contains(&b'@'))
}

fn is_sasl(plain: &[u8]) -> bool {
    plain.len() >= 6 && plain.iter().all(|&byte| byte == 0 || byte >= 0x20 && byte != 0x7F)
}

/// `Cookie: theme=dark; session=…`: each pair whose value is random.
pub(crate) fn scan_cookie(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    put::scan(text, end, spans);
    let mut at = end;
    while matches!(text.get(at), Some(b'"' | b'\'' | b'\\' | b' ' | b':' | b'=' | b',' | b'[' | b'>'))
        && at < end + 12
    {
        at += 1;
    }
    if !text[end..at].iter().any(|byte| matches!(byte, b':' | b'=' | b',')) {
        return end;
    }
    scan_pairs(text, at, 8192, spans)
}

/// `a=b; c=X` behind a quote or none; returns where they end.
pub(crate) fn scan_pairs(text: &[u8], at: usize, longest: usize, spans: &mut Spans) -> usize {
    let at = at
        + text[at..]
            .iter()
            .take(4)
            .take_while(|byte| matches!(byte, b' ' | b'"' | b'\'' | b'=' | b'$'))
            .count();
    let line = &text[at..text.len().min(at + longest)];
    let long = line
        .iter()
        .position(|byte| matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\'))
        .unwrap_or(line.len());
    crate::work::read(long);
    let mut from = at;
    for pair in line[..long].split(|&byte| byte == b';') {
        cookie_pair(pair, from, spans);
        from += pair.len() + 1;
    }
    at + long
}

fn cookie_pair(pair: &[u8], from: usize, spans: &mut Spans) {
    let Some(equals) = pair.iter().position(|&byte| byte == b'=') else { return };
    let value = &pair[equals + 1..];
    let value = &value[..value.iter().position(u8::is_ascii_whitespace).unwrap_or(value.len())];
    if is_cookie_secret(pair[..equals].trim_ascii(), value) {
        spans.add(from + equals + 1, from + equals + 1 + value.len(), "cookie", true);
    }
}

pub(crate) fn is_cookie_secret(name: &[u8], value: &[u8]) -> bool {
    // Most values are short, and their names are not looked at.
    let harmless = || {
        [&b"_ga"[..], b"_gid", b"_gcl"].iter().any(|counter| name.starts_with(counter))
            || matches!(
                name.to_ascii_lowercase().as_slice(),
                b"theme" | b"lang" | b"locale" | b"expires" | b"path" | b"domain" | b"max-age" | b"samesite"
            )
    };
    value.len() >= 12
        && !harmless()
        && !value::is_placeholder(value)
        && (chance::is_random(value)
            || value::is_hex(value)
            || value::is_uuid(value)
            || value.contains(&b'.') && value.len() > 32)
}

#[cfg(test)]
mod tests {
    use crate::scan;

    #[test]
    fn each_name_makes_a_scheme_a_header() {
        let open = |name: &str| scan(&format!("{name}: SSWS k8vLm2ZpXt")).is_empty();
        assert!(open("X-Order"), "without a name it is no header");
        let names = ["Authz", "Authorization", "X-Auth", "X-Token"];
        assert_eq!(names.into_iter().filter(|name| open(name)).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn words_behind_a_scheme_are_prose() {
        for text in [
            "see `Basic Operations for Tables`",
            "A basic Open-source Carte international",
            "run `otter auth login --no-launch-browser` first",
            "user=h.okonjo mfa=totp token_type=Bearer ttl=3600\n",
        ] {
            assert_eq!(scan(text), Vec::new(), "{text}");
        }
        for text in ["sent Basic YW5uOk90dGVyIUJyaWRnZTU= there", "AUTH LOGIN T3R0ZXIhQnJpZGdlNQ=="] {
            assert_eq!(scan(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn what_was_decoded_is_the_same_again() {
        let text = "Authorization: Basic YW5uOmdyYW1vcGhvbmU=\nthat is ann:gramophone in clear";
        let found: Vec<&str> = scan(text).iter().map(|span| &text[span.start..span.end]).collect();
        assert_eq!(found, ["YW5uOmdyYW1vcGhvbmU=", "gramophone"]);
        assert_eq!(scan("Authorization: Basic YW5uOmdyYW1vcGhvbmU=\nthat is a gramophone").len(), 1);
    }

    #[test]
    fn each_harmless_cookie_stays() {
        let open = |name: &str| super::is_cookie_secret(name.as_bytes(), b"k8vLm2ZpXt9Rk7Wd3Yb5");
        assert!(open("visit"), "another is a secret");
        let names = ["_ga", "theme", "lang", "locale", "expires", "path", "domain", "max-age", "samesite"];
        assert_eq!(names.into_iter().filter(|name| open(name)).collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn schemes_of_single_services() {
        let open = |text: &str| scan(text).is_empty();
        assert!(!open("extraheader \"AUTHORIZATION: Basic 6q4j337h28SJJrS0IKD+cSP49uxgGIF1apSoqlpG\""));
        assert!(!open("GenieKey 0e5f0a3c-2f0b-4a7c-9d3e-6b1f8c2d4e5a"));
        assert!(!open("Statuspage: OAuth 2c9d4e5a6b1f8c2d4e5a0e5f0a3c2f0b"));
        assert!(open("OAuth authorization-code-with-pkce"));
        assert!(open("Basic understanding-of-the-protocol"));
    }

    #[test]
    fn cookies_stand_in_commands_and_maps() {
        let value = "k8vLm2ZpXt9Rk7Wd3Yb5";
        for text in [
            format!("$ curl -s https://a.example -b 'theme=dark; visit={value}' | head"),
            format!("$ curl --cookie \"visit={value}\" https://a.example"),
            format!("headers: {{\"Cookie\" => \"visit={value}; theme=dark\"}}"),
            format!("curl -u {value}: https://a.example"),
            format!("replay: 'JSESSIONID=0351D42FC4C113C75108BBB0E23B1379.node1' # {value}"),
        ] {
            let found = scan(&text);
            assert_eq!(found.len(), 1, "{text}");
        }
        for text in [
            "$ curl -b jar.txt https://a.example",
            "$ curl -b 'theme=dark' x",
            "$ curl -u deployer: https://a.example",
        ] {
            assert_eq!(scan(text), Vec::new(), "{text}");
        }
    }
}
