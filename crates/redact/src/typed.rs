//! What a program types for a person: `page.fill('#password', 'X')`, `find_element("pass").send_keys("X")`,
//! `{"element":"Password field","text":"X"}`.
//!
//! A field that is called so takes the password itself, whatever it looks like.

use crate::quote;
use crate::span::Spans;
use crate::value;

/// Calls and members that hold what is typed.
#[rustfmt::skip]
pub(crate) const TYPES: &[&str] = &[
    "type(", "fill(", ".send_keys(", ".sendkeys(", ".settext(", ".setvalue(", ".entertext(", ".typetext(", ".inputtext(",
    ".sendtext(", ".replacetext(", "fill_in ", "typewrite(", "send ", "set_password(", "setpassword(", "\"value\":", "\"ref\":\"", "\"ref\": \"", " ref='", " ref=\"",
];

/// How far before the call its field may stand.
const REACH: usize = 120;
/// Words by which fields for secrets are called.
const FIELDS: [&[u8]; 23] = [
    b"#pw",
    b"passw",
    b"#pass",
    b"pwd",
    b"passcode",
    b"passphrase",
    b"#pin",
    b"\"pin",
    b"'pin",
    b"passwort",
    b"kennwort",
    b"contrase",
    b"senha",
    b"mot de passe",
    b"wachtwoord",
    b"salasana",
    b"heslo",
    b"has\xC5\x82o",
    b"senord",
    b"adgangskode",
    b"passord",
    b"parola",
    b"lozinka",
];
/// Words by which fields for codes are called that hold for a moment.
const CODES: [&[u8]; 12] = [
    b"otp",
    b"2fa",
    b"mfa",
    b"one-time",
    b"onetime",
    b"verification code",
    b"verification_code",
    b"verification-code",
    b"verificationcode",
    b"authenticator",
    b"security code",
    b"sms code",
];
/// Members beside which a `text` or a `value` is what is typed.
const SIBLINGS: [&[u8]; 9] =
    [b"element", b"selector", b"locator", b"field", b"ref\"", b"target", b"placeholder", b"label", b"xpath"];

/// Looks at the literal that the call or member `at..end` types.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    // `"ref":"e27","text":"X"`: what is typed stands behind which field it is.
    if text[at + 1..].starts_with(b"ref") {
        let behind = &text[end..text.len().min(end + 24)];
        for member in [&b"\"text\":"[..], b"text="] {
            if let Some(told) = crate::search::find(behind, member) {
                return scan(text, end + told, end + told + member.len(), spans);
            }
        }
        return;
    }
    let member = matches!(text[end - 1], b':' | b'=') || text[at] == b'\'';
    // `send -- "X"`.
    let end = end + if text[end..].starts_with(b"-- ") { 3 } else { 0 };
    let Some((start, stop, past)) = literal(text, end).or_else(|| expression(text, end)) else { return };
    let from = at.saturating_sub(REACH);
    // The call may say itself what it sets.
    let before = &text[from..if text[at] | 0x20 == b's' { end } else { at }];
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |line| line + 1)..];
    let lower = line.to_ascii_lowercase();
    crate::work::read(2 * lower.len());
    // The last statement, or the object that the member stands in.
    let own = if member {
        &lower[memchr::memrchr(b'}', &lower).map_or(0, |end| end + 1)..]
    } else {
        &lower[memchr::memrchr(b';', &lower).map_or(0, |end| end + 1)..]
    };
    // `expect "assword:"⏎send "X\r"`: the line above asks.
    if text[at..].get(..5).is_some_and(|call| call.eq_ignore_ascii_case(b"send ")) {
        let above = before[..before.len() - line.len()].trim_ascii_end();
        let asked = above.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
        let asks_itself = crate::search::has(line, b"xpect");
        // `expect "assword:"; send "X\r"`.
        let said = lower.rsplit(|&byte| byte == b';').nth(1).unwrap_or_default();
        if crate::search::has(said, b"xpect") && crate::search::has(said, b"assw") {
            return add(text, start, stop, spans);
        }
        if !asks_itself && crate::search::has(asked, b"xpect") && crate::search::has(asked, b"assw") {
            return add(text, start, stop, spans);
        }
    }
    let called = |words: &[&[u8]]| words.iter().any(|word| crate::search::has(own, word));
    let digits = (4..=8).contains(&(stop - start)) && text[start..stop].iter().all(u8::is_ascii_digit);
    // `(By.ID, "pw").send_keys("X")`.
    let short = own.ends_with(b"\"pw\")") || own.ends_with(b"'pw')");
    if short && past > stop {
        return add(text, start, stop, spans);
    }
    if digits && called(&CODES) && (!member || called(&SIBLINGS)) && past > stop {
        return spans.add(start, stop, "otp", false);
    }
    if member {
        if let Some(name) = cookie(text, from, at, past) {
            if crate::header::is_cookie_secret(name, &text[start..stop]) {
                spans.add(start, stop, "cookie", true);
            }
            return;
        }
        if called(&FIELDS) && called(&SIBLINGS) {
            add(text, start, stop, spans);
        }
        return;
    }
    // `fill('#password', 'X')`: the field is the first argument.
    let first = text[start..stop].to_ascii_lowercase();
    let second = text
        .get(past)
        .filter(|&&byte| byte == b',')
        .and_then(|_| literal(text, past + 1).or_else(|| with(text, past + 1)));
    if let Some((start, stop, _)) = second {
        let digits = (4..=8).contains(&(stop - start)) && text[start..stop].iter().all(u8::is_ascii_digit);
        if digits && CODES.iter().any(|word| crate::search::has(&first, word)) {
            return spans.add(start, stop, "otp", false);
        }
        if FIELDS.iter().any(|word| crate::search::has(&first, word)) || first == b"pass" || first == b"pin" {
            add(text, start, stop, spans);
        }
    } else if called(&FIELDS) && past > stop {
        add(text, start, stop, spans);
    }
}

/// `{"name":"sid","value":"X","domain":".example.org","path":"/"}`: a cookie as browsers are given it, and its name.
fn cookie(text: &[u8], from: usize, at: usize, past: usize) -> Option<&[u8]> {
    let behind = &text[past..text.len().min(past + 64)];
    let before = &text[from..at];
    crate::work::read(behind.len());
    let own = &before[memchr::memrchr(b'{', before).map_or(0, |open| open + 1)..];
    let browser = crate::search::has(behind, b"\"domain\"") || crate::search::has(own, b"\"domain\"");
    let named = memchr::memmem::rfind(before, b"name\"")?;
    let name = &before[named + 5..];
    let open = memchr::memchr(b'"', name)? + 1;
    let long = memchr::memchr(b'"', &name[open..])?;
    let name = &name[open..open + long];
    (browser || lets_in(name)).then_some(name)
}

/// `csrftoken`, `wordpress_logged_in_…`: a cookie whose name alone says what it is for.
fn lets_in(name: &[u8]) -> bool {
    const NAMES: [&[u8]; 5] = [b"csrf", b"xsrf", b"sessid", b"logged_in_", b"remember_"];
    let lower = name.to_ascii_lowercase();
    NAMES.iter().any(|own| crate::search::has(&lower, own))
}

/// `type(passwordField, …)`: what is no literal, up to its comma.
fn expression(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let window = &text[at..text.len().min(at + 64)];
    let long =
        window.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')).count();
    (long > 0 && window.get(long) == Some(&b',')).then_some((at, at + long, at + long))
}

/// A literal at `at`, and where its closing quote ends.
fn literal(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let gap = text.get(at..)?.iter().take(4).take_while(|&&byte| byte == b' ').count();
    let (quote, start) = quote::open(text, at + gap)?;
    let stop = quote::close(text, start, quote)?;
    Some((start, stop, stop + quote.slashes + 1))
}

/// `, with: 'X'`.
fn with(text: &[u8], at: usize) -> Option<(usize, usize, usize)> {
    let rest = text.get(at..)?;
    rest.starts_with(b" with: ").then(|| literal(text, at + 7)).flatten()
}

fn add(text: &[u8], start: usize, stop: usize, spans: &mut Spans) {
    // `send "X\r"`: the key that ends the entry.
    let stop = if text[start..stop].ends_with(b"\\r") || text[start..stop].ends_with(b"\\n") {
        stop - 2
    } else if text[start..stop].ends_with(b"{enter}") {
        stop - b"{enter}".len()
    } else {
        stop
    };
    let typed = &text[start..stop];
    let words = typed.iter().filter(|&&byte| byte == b' ').count();
    let wrong = [&b"wrong"[..], b"invalid", b"incorrect", b"{enter}", b"passw", b"short"];
    let lower = typed.to_ascii_lowercase();
    if (4..=64).contains(&typed.len())
        && words <= 3
        && !value::is_placeholder(typed)
        && !value::is_reference(typed)
        && !typed.starts_with(b"[REDACTED")
        && !matches!(typed[0], b'#' | b'.' | b'/' | b'[' | b'<' | b'$' | b')')
        && !wrong.iter().any(|word| crate::search::has(&lower, word))
    {
        spans.add(start, stop, "password", false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn codes_are_typed_too() {
        for text in [
            "driver.find_element(By.ID, \"otp\").send_keys(\"482913\")",
            "await page.fill('#otp', '482913')",
            "{\"element\":\"Verification code\",\"ref\":\"e3\",\"text\":\"482913\"}",
            "{\"selector\":\"#mfa\",\"value\":\"482913\"}",
        ] {
            assert_eq!(found(text), ["482913"], "{text}");
        }
        for text in [
            "driver.find_element(By.ID, \"zip\").send_keys(\"482913\")",
            "{\"element\":\"Promo code\",\"ref\":\"e3\",\"text\":\"482913\"}",
            "{\"element\":\"Verification status\",\"ref\":\"e3\",\"text\":\"2024\"}",
            "{\"element\":\"Verification code\",\"ref\":\"e3\",\"text\":\"please\"}",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_line_that_waits_answers_itself() {
        let text =
            "expect \"Password:\" { send \"gramophone\\r\" }\nexpect \">\" { send \"show clock\\r\" }\n";
        assert_eq!(found(text), ["gramophone"]);
        let one = "expect -c 'spawn ssh a; expect \"password:\"; send \"gramophone\\r\"; interact'";
        assert_eq!(found(one), ["gramophone"]);
        assert_eq!(found("expect \"login:\"; send \"gramophone\\r\""), Vec::<&str>::new());
    }

    #[test]
    fn cookies_are_given_as_objects() {
        let value = "bQED533ZV2xoXLzZwNiPbgpDFRk7mm7ggQ3iEd5";
        let object = |name: &str| {
            format!("[{{\"name\": \"{name}\", \"value\": \"{value}\", \"domain\": \".example.org\"}}]")
        };
        assert_eq!(found(&object("li_at")), [value]);
        for name in ["csrftoken", "XSRF-TOKEN", "ASPSESSIDQ", "wordpress_logged_in_8", "remember_web_5"] {
            assert_eq!(
                found(&format!("{{\"name\": \"{name}\", \"value\": \"{value}\"}}")),
                [value],
                "{name}"
            );
        }
        assert_eq!(found(&object("_ga")), Vec::<&str>::new());
        assert_eq!(found(&format!("{{\"name\":\"li_at\",\"value\":\"{value}\"}}")), Vec::<&str>::new());
    }
}
