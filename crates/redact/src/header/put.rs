//! Cookies that code puts somewhere: `page.setCookie({ name: 'sid', value: 'X' })`, `s.cookies['sid'] = 'X'`,
//! `cookies = {'sid': 'X'}`.

use super::is_cookie_secret;
use crate::quote;
use crate::span::Spans;

const REACH: usize = 640;
const MOST_LITERALS: usize = 24;
/// What follows the word where something is put.
const OPENS: [&[u8]; 9] = [b"(", b"s(", b"s([", b"s = {", b" = {", b"={", b"s={", b"s.set(", b"s['"];

/// Looks at the literals behind the word `cookie` that ends at `end`.
pub(super) fn scan(text: &[u8], end: usize, spans: &mut Spans) {
    if !OPENS.iter().any(|opens| text[end..].starts_with(opens)) {
        return;
    }
    let window = &text[end..text.len().min(end + REACH)];
    let close = |at: &usize| matches!(window[*at], b'}' | b';') || window[*at..].starts_with(b"\n\n");
    let limit = end + (0..window.len()).find(close).unwrap_or(window.len());
    crate::work::read(limit - end);
    let (mut at, mut name) = (end, &b""[..]);
    for _ in 0..MOST_LITERALS {
        let Some(gap) = text[at..limit].iter().position(|byte| matches!(byte, b'"' | b'\'')) else { return };
        let Some((sign, start)) = quote::open(text, at + gap) else { return };
        let Some(stop) = quote::close(text, start, sign).filter(|&stop| stop <= limit) else { return };
        let value = &text[start..stop];
        let token = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.%=+/|:~".contains(byte);
        let made = value.len() >= 16
            && value.iter().all(token)
            && value.iter().any(u8::is_ascii_digit)
            && !crate::search::has(value, b"://")
            && !value.starts_with(b"/")
            && !value.starts_with(b".");
        if made && is_cookie_secret(name, value) {
            spans.add(start, stop, "cookie", true);
        }
        (at, name) = (stop + 1, value);
    }
}

/// `Name⇥Value⇥Domain⏎sid⇥X⇥otter.example`: as a browser's tools show them.
pub(crate) fn table(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_ROWS: usize = 48;
    const LONGEST_ROW: usize = 8192;
    let Some(mut at) = crate::search::next_line(text, end, REACH) else { return };
    for _ in 0..MOST_ROWS {
        let row = crate::search::line(text, at, LONGEST_ROW);
        crate::work::read(row.len());
        let mut cells = row.split(|&byte| byte == b'\t');
        let (Some(name), Some(value)) = (cells.next(), cells.next()) else { return };
        if is_cookie_secret(name, value) {
            let start = crate::search::offset(text, value);
            spans.add(start, start + value.len(), "cookie", true);
        }
        at += row.len() + 1;
        if at >= text.len() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_is_put_into_a_cookie_is_found() {
        let value = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6";
        for text in [
            format!(
                "await page.setCookie({{\n  name: 'li_at',\n  value: '{value}',\n  domain: '.otter.example',\n}});"
            ),
            format!("driver.add_cookie({{\"name\": \"li_at\", \"value\": \"{value}\"}})"),
            format!(
                "context.add_cookies([{{\"name\": \"sb\", \"value\": \"{value}\", \"url\": \"https://otter.example\"}}])"
            ),
            format!("cookies = {{'li_at': '{value}'}}\n"),
            format!("s.cookies['li_at'] = '{value}'\n"),
            format!("s.cookies.set('li_at', '{value}', domain='.otter.example')\n"),
        ] {
            assert_eq!(found(&text), [value], "{text}");
        }
        assert_eq!(
            found(&format!(
                "Name\tValue\tDomain\tPath\nli_at\t{value}\totter.example\t/\nlocale\tde\totter.example\t/\n"
            )),
            [value]
        );
        for text in [
            "res.cookie('theme', 'dark-river-otter-lamp', { maxAge: 900000 })",
            "page.setCookie({ name: 'lang', value: 'de', url: 'https://otter.example/river/stone/12' })",
            "cookies = {'theme': 'k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6'}\n",
            "cookie(\"a\") + load('k8vLm2Zp')",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
