//! What a store answers below the line that asks it: rows without a heading, a key's value, chosen fields.
//!
//! `sqlite> select name, password from users;⏎ann|X`, `redis> GET otp:4915⏎"482913"`, `--fields username,password⏎ann,X`.

use crate::names::{Name, Trust};
use crate::prose;
use crate::search;
use crate::span::Spans;
use crate::{chance, value};

const LONGEST_LINE: usize = 240;
const MOST_ROWS: usize = 32;

/// Looks at the lines below the one that the name `start..stop` stands in.
pub(super) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    // Hot path: few names stand so, and few lines end so.
    let (before, next) = (&text[..start], text.get(stop));
    if matches!(before.last(), Some(b' ' | b',' | b'.')) && matches!(next, Some(b' ' | b',' | b';')) {
        rows(text, start, stop, name, spans);
    }
    if before.ends_with(b",")
        || next == Some(&b',')
        || before.ends_with(b"label=")
        || before.ends_with(b"--fields=")
    {
        fields(text, start, stop, name, spans);
    }
    if next == Some(&b':') {
        stored(text, start, stop, name, spans);
    }
}

/// What stands before `at` on its line.
fn line_to(text: &[u8], at: usize) -> &[u8] {
    search::last_line(&text[at.saturating_sub(LONGEST_LINE)..at])
}

/// The rows below a query that names a column, or a table of secrets.
fn rows(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    let rest = search::line(text, stop, LONGEST_LINE);
    if !rest.trim_ascii_end().ends_with(b";") {
        return;
    }
    let before = line_to(text, start);
    let Some(list) = after_select(before) else { return };
    let table = ends_in_word(before, b"from ");
    let list = if table { &list[..list.len() - b" from ".len()] } else { list };
    if list.contains(&b'(') || list.contains(&b'*') {
        return;
    }
    let nth = memchr::memchr_iter(b',', list).count();
    let columns = nth + if table { 0 } else { memchr::memchr_iter(b',', until_from(rest)).count() };
    // One column alone only where a prompt says that somebody asks.
    let prompted = [&b"> "[..], b"=# "].iter().any(|prompt| search::has(before, prompt));
    if columns == 0 && !prompted {
        return;
    }
    let mut at = stop + rest.len() + 1;
    for _ in 0..MOST_ROWS {
        let row = search::line(text, at.min(text.len()), LONGEST_LINE).trim_ascii_end();
        let sign = if row.contains(&b'|') { b'|' } else { b'\t' };
        if row.is_empty() || memchr::memchr_iter(sign, row).count() != columns {
            return;
        }
        for (place, cell) in row.split(|&byte| byte == sign).enumerate() {
            let cell = cell.trim_ascii();
            if is_made(cell) && (table || place == nth) || place == nth && !table && is_chosen(name, cell) {
                let from = search::offset(text, cell);
                spans.add(from, from + cell.len(), name.kind, false);
            }
        }
        at += search::line(text, at, LONGEST_LINE).len() + 1;
    }
}

/// What stands behind `select `.
fn after_select(line: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::find(line, b"elect ").or_else(|| memchr::memmem::find(line, b"ELECT "))?;
    let whole = at > 0 && matches!(line[at - 1], b's' | b'S');
    whole.then(|| &line[at + b"elect ".len()..])
}

fn ends_in_word(line: &[u8], word: &[u8]) -> bool {
    line.len() > word.len() && prose::ends_in(line, word)
}

fn until_from(rest: &[u8]) -> &[u8] {
    let from = memchr::memmem::find(rest, b" from ").or_else(|| memchr::memmem::find(rest, b" FROM "));
    &rest[..from.unwrap_or(0)]
}

fn is_made(cell: &[u8]) -> bool {
    cell.len() >= 20
        && !cell.contains(&b' ')
        && !value::is_uuid(cell)
        && !value::is_placeholder(cell)
        && (chance::is_random(cell) || value::is_hex(cell) && cell.len() == 32)
}

fn is_chosen(name: Name, cell: &[u8]) -> bool {
    name.trust == Trust::Password
        && !value::is_placeholder(cell)
        && cell.len() >= 6
        && value::is_choosable(cell)
}

/// `--fields username,password --reveal⏎ann,X`.
fn fields(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if name.trust < Trust::Password {
        return;
    }
    let before = line_to(text, start);
    let list = before.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    if !before[..before.len() - list.len()].ends_with(b"--fields ") && !list.starts_with(b"--fields=") {
        return;
    }
    let nth = memchr::memchr_iter(b',', list).count();
    let rest = search::line(text, stop, LONGEST_LINE);
    let last = !rest.starts_with(b",");
    let below = stop + rest.len() + 1;
    let row = search::line(text, below.min(text.len()), LONGEST_LINE).trim_ascii_end();
    // Behind the last sign the rest of the line is the last field's, whatever signs it has.
    let most = if last { nth + 1 } else { usize::MAX };
    let cell = row.splitn(most, |&byte| byte == b',').nth(nth).unwrap_or_default();
    if cell.len() >= 4 && !cell.contains(&b' ') && !value::is_placeholder(cell) {
        let from = search::offset(text, cell);
        spans.add(from, from + cell.len(), name.kind, false);
    }
}

/// `redis> GET otp:4915⏎"482913"`: a lone word between quotes.
fn stored(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    let before = &text[..start];
    let asks = [&b"> GET "[..], b"> get ", b"> GETDEL ", b"> GETEX "].iter().any(|ask| before.ends_with(ask));
    if !asks || matches!(name.kind, "key" | "auth" | "signature") {
        return;
    }
    let below = stop + search::line(text, stop, LONGEST_LINE).len() + 1;
    let row = search::line(text, below.min(text.len()), LONGEST_LINE).trim_ascii_end();
    let Some(word) = row.strip_prefix(b"\"").and_then(|row| row.strip_suffix(b"\"")) else { return };
    let syntax = word.iter().any(|byte| matches!(byte, b' ' | b'{' | b'[' | b'\\'));
    if word.len() >= 4 && !syntax && !value::is_placeholder(word) {
        let from = search::offset(text, word);
        spans.add(from, from + word.len(), name.kind, false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_was_asked_for_is_answered_below() {
        let (one, other) = ("o3EwixKdjfSqthkj3zQ11Aur5TZ1psWZ", "56d5077f18cf7e2e01b25b5f9f7814f4");
        assert_eq!(
            found(&format!(
                "sqlite> select key, provider, value from api_credentials;\ngeo|quest|{one}\nfx|fixer|{other}\n"
            )),
            [one, other]
        );
        assert_eq!(
            found("sqlite> SELECT login, password FROM users;\nann|Otter!Bridge5\nbob|silver-kettle-9\n"),
            ["Otter!Bridge5", "silver-kettle-9"]
        );
        assert_eq!(found("127.0.0.1:6379> GET otp:4915170\n\"492397\"\n"), ["492397"]);
        assert_eq!(
            found("$ op item get \"Tax\" --fields username,password --reveal\nann,^TJ5E,39CL6+gBZDgm\n"),
            ["^TJ5E,39CL6+gBZDgm"]
        );
        assert_eq!(
            found("$ op item get Tax --fields password,username\nOtter!Bridge5,ann\n"),
            ["Otter!Bridge5"]
        );
    }

    #[test]
    fn what_else_is_answered_stays() {
        for text in [
            "sqlite> select id, name from credentials;\n1|ann\n2|bob\n",
            "sqlite> select id, uuid from tokens;\n1|1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\n",
            "sqlite> select login, password_changed from users;\nann|2024-05-01\n",
            "sqlite> select count(*) from tokens;\n48213\n",
            "sqlite> select password from users;\n",
            "redis> GET otp:4915170\n(nil)\n",
            "redis> GET session:ab12\n\"{\\\"user\\\":3}\"\n",
            "redis> GET password:policy\n\"twelve signs at least\"\n",
            "$ op item get Tax --fields username,password\nannika,[use 'op item get …' to reveal]\n",
            "we select a token from users; then\na|b|c\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
