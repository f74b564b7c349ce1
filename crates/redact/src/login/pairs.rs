//! A pair of literals under a name that says that somebody logs in: `debugLogin = ("qa@example.org", "X")`,
//! `auth=("ann", "X")`, `val demoLogin = "ann" to "X"`.

use super::add;
use crate::quote;
use crate::span::Spans;
use crate::value;

const REACH: usize = 64;

/// Looks at what stands behind the name that ends at `end`.
pub(super) fn scan(text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    let (user, stop, opened) = user(text, end)?;
    let word = &text[user..stop.0];
    let (start, past) = second(text, stop.1)?;
    let closed = match opened {
        Some(close) => text[past + made(&text[past..])..].trim_ascii_start().starts_with(&[close]),
        None => true,
    };
    let secret = &text[start..past - 1];
    let mail = word.contains(&b'@');
    // A list of two may be one of ways to log in, of keys to press.
    let list = matches!(opened, Some(b']' | b'}'));
    let shown = value::is_crafted(secret) || super::told::is_strong(secret);
    let good = if list && !mail { shown } else { value::is_chosen(secret) };
    let good = good || mail && value::is_choosable(secret);
    if !closed || !is_user(word) || !good || secret.contains(&b'@') && !mail {
        return None;
    }
    add(text, start, past - 1, spans);
    Some(past)
}

/// The first literal behind `s: (&str, &str) = (`, and what closes the pair.
fn user(text: &[u8], end: usize) -> Option<(usize, (usize, usize), Option<u8>)> {
    let line = crate::search::line(text, end, REACH);
    let line = line.strip_prefix(b"s").unwrap_or(line);
    // `loginMethods`: of what, ends the name.
    if line.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let sign = memchr::memchr(b'=', line).or_else(|| line.starts_with(b": ").then_some(0))?;
    crate::work::read(sign);
    let typed =
        line[..sign].iter().all(|byte| byte.is_ascii_alphanumeric() || b" :&'(),<>_?\"[]".contains(byte));
    let behind = line[sign + 1..].trim_ascii_start();
    let open = [&b"("[..], b"[", b"Pair(", b"new[] {", b"{", b"Tuple.Create(", b"std::pair(", b"array(", b""]
        .into_iter()
        .find(|open| behind.starts_with(open))?;
    let close = open.last().map(|byte| match byte {
        b'(' => b')',
        b'[' => b']',
        _ => b'}',
    });
    let inside = behind[open.len()..].trim_ascii_start();
    let from = crate::search::offset(text, inside);
    let (quote, start) = quote::open(text, from).filter(|_| typed && !inside.is_empty())?;
    let stop = quote::close(text, start, quote)?;
    Some((start, (stop, stop + quote.slashes + 1), close))
}

/// The literal behind `, ` or Kotlin's ` to `; where its quote has closed.
fn second(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let at = at + made(text.get(at..)?);
    let rest = text.get(at..)?;
    let gap = [&b", "[..], b",", b" to "].iter().find(|gap| rest.starts_with(gap))?.len();
    let (quote, start) = quote::open(text, at + gap)?;
    let stop = quote::close(text, start, quote)?;
    (quote.slashes == 0).then_some((start, stop + 1))
}

/// How long the call is that makes a string of a literal.
fn made(rest: &[u8]) -> usize {
    let calls = [&b".to_string()"[..], b".to_owned()", b".into()"];
    calls.iter().find(|call| rest.starts_with(call)).map_or(0, |call| call.len())
}

/// A name or an address, and no page, no field, no kind.
fn is_user(word: &[u8]) -> bool {
    let sign =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'@' | b'+' | b'\\');
    (2..=64).contains(&word.len()) && word.iter().all(sign) && !value::is_path(word)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_pair_logs_in() {
        for text in [
            "static let debugLogin = (\"qa@kontor.example\", \"Heron#Kettle7\")",
            "DEMO_LOGIN = (\"qa\", \"Heron#Kettle7\")",
            "const ADMIN_LOGIN: (&str, &str) = (\"root\", \"Heron#Kettle7\");",
            "let admin_login = (\"qa\".to_string(), \"Heron#Kettle7\".to_string());",
            "val testLogin = Pair(\"qa\", \"Heron#Kettle7\")",
            "val testLogin = \"qa\" to \"Heron#Kettle7\"",
            "const demoLogin = ['qa@kontor.example', 'Heron#Kettle7'];",
            "test_credentials = (\"qa\", \"Heron#Kettle7\")",
            "requests.get(url, auth=(\"qa\", \"Heron#Kettle7\"))",
        ] {
            assert_eq!(found(text), ["Heron#Kettle7"], "{text}");
        }
    }

    #[test]
    fn other_pairs_stay() {
        for text in [
            "login = (\"username\", \"password\")",
            "LOGIN_PAGES = (\"login.html\", \"reset-page-2.html\")",
            "credentials = ['same-origin', 'include-all-2', 'omit']",
            "login_titles = (\"Sign in\", \"Welcome back, 2nd time\")",
            "auth=(\"user\", \"pass\")",
            "auth=(user, \"Basic\")",
            "login_events = ['login.started', 'login_finished']",
            "val loginState = \"idle\" to \"pending-2\"",
            "login: [\"ctrl+l\", \"cmd+shift+l\"]",
            "const loginMethods = (\"ann\", \"webauthn-l2\");",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
