//! Columns of a statement: `INSERT INTO users (name, password) VALUES ('ann', 'X')`. The place of the name among the
//! columns is the place of its value in each row.

use crate::names::{Name, Trust};
use crate::search::Words;
use crate::span::Spans;
use crate::value::{self, Place};

const REACH: usize = 400;
const MOST_ROWS: usize = 32;
const LONGEST_ROW: usize = 1024;

/// Looks at the rows below the column `start..stop`.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if name.trust < Trust::Secret || !matches!(text.get(stop), Some(b',' | b')' | b'`' | b'"' | b']')) {
        return;
    }
    let ahead = &text[stop..text.len().min(stop + REACH)];
    let Some(close) = memchr::memchr2(b')', b'(', ahead).filter(|&at| ahead[at] == b')') else { return };
    crate::work::read(close);
    let rest = &ahead[close + 1..];
    let blanks = rest.iter().take(8).take_while(|byte| byte.is_ascii_whitespace()).count();
    let copies = rest.get(..11).is_some_and(|word| word.eq_ignore_ascii_case(b" from stdin"));
    let keyword = rest.get(blanks..blanks + 6).filter(|word| copies || word.eq_ignore_ascii_case(b"values"));
    let Some(values) = keyword else { return };
    let before = &text[start.saturating_sub(REACH)..start];
    let Some(open) = memchr::memrchr2(b'(', b')', before).filter(|&at| before[at] == b'(') else { return };
    crate::work::read(before.len());
    let column = memchr::memchr_iter(b',', &before[open..]).count();
    if copies {
        return copied(text, stop + close, column, name, spans);
    }
    let mut at = stop + close + 1 + blanks + values.len();
    for _ in 0..MOST_ROWS {
        at += text[at..]
            .iter()
            .take(16)
            .take_while(|byte| byte.is_ascii_whitespace() || **byte == b',')
            .count();
        let Some(end) = row(text, at, column, name, spans) else { return };
        at = end;
    }
}

/// `INSERT INTO api_clients VALUES (7, 'scanner', 'X')`: no column says what stands where, the table's name must. What
/// nobody would have written is what lets in.
pub(crate) fn unnamed(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    static TABLES: Words<10> = Words::new([
        b"token",
        b"api_key",
        b"apikey",
        b"secret",
        b"credential",
        b"api_client",
        b"session",
        b"oauth",
        b"access_key",
        b"webhook",
    ]);
    const LONGEST_NAME: usize = 80;
    let line = crate::search::line(text, end, LONGEST_NAME);
    let Some(values) = memchr::memmem::find(&line.to_ascii_uppercase(), b" VALUES") else { return end };
    let table = &line[..values];
    crate::work::read(line.len());
    if table.contains(&b'(') || !TABLES.within(table) {
        return end;
    }
    let mut at = end + values + b" VALUES".len();
    for _ in 0..MOST_ROWS {
        at +=
            text[at..].iter().take(16).take_while(|byte| matches!(byte, b' ' | b',' | b'\n' | b'\r')).count();
        let Some(stop) = text.get(at).filter(|byte| **byte == b'(').and_then(|_| made(text, at, spans))
        else {
            return at;
        };
        at = stop;
    }
    at
}

/// Records the literals of a row that nobody would have written; returns where the row ends.
fn made(text: &[u8], at: usize, spans: &mut Spans) -> Option<usize> {
    let limit = text.len().min(at + LONGEST_ROW);
    let mut from = at + 1;
    while from < limit && text[from] != b')' {
        if text[from] == b'\'' {
            let end = literal_end(text, from + 1, limit, b'\'')?;
            let word = &text[from + 1..end];
            let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
            let plain = word.iter().all(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'+' | b'/' | b'=')
            });
            let name = Name { kind: "token", trust: Trust::Secret };
            if plain
                && (24..=200).contains(&word.len())
                && digits >= 3
                && crate::chance::is_random(word)
                && value::is_secret(name, word, Place::Quoted)
            {
                spans.add(from + 1, end, name.kind, true);
            }
            from = end;
        }
        from += 1;
    }
    crate::work::read(from - at);
    (from < limit).then_some(from + 1)
}

/// `UPDATE config SET value = 'X' WHERE path = 'payment/webhook_secret'`: a row that is called so.
pub(crate) fn updated(text: &[u8], start: usize, name: Name, spans: &mut Spans) {
    if name.trust < Trust::Secret {
        return;
    }
    let before = &text[start.saturating_sub(REACH)..start];
    let path = before
        .iter()
        .rev()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || b"_-./:".contains(byte));
    let Some(head) = before[..before.len() - path.count()].strip_suffix(b"'") else { return };
    let Some(head) = head.trim_ascii_end().strip_suffix(b"=").map(<[u8]>::trim_ascii_end) else { return };
    crate::work::read(before.len());
    let lower = head.to_ascii_lowercase();
    let Some(clause) = memchr::memmem::rfind(&lower, b"where ") else { return };
    let Some(set) = memchr::memmem::rfind(&lower[..clause], b"set ") else { return };
    let Some(open) = memchr::memchr(b'\'', &head[set..clause]).map(|open| set + open + 1) else { return };
    let joined = head[set..open - 1].trim_ascii_end().ends_with(b"=");
    let lone = head[clause + 6..].iter().all(|byte| byte.is_ascii_alphanumeric() || b"_.`\"".contains(byte));
    let Some(end) = literal_end(head, open, clause, b'\'').filter(|_| joined && lone) else { return };
    if value::is_secret(name, &head[open..end], Place::Quoted) {
        let from = crate::search::offset(text, head);
        spans.add(from + open, from + end, name.kind, true);
    }
}

/// `COPY users (id, password) FROM stdin;`: rows whose fields tabs part, up to `\.`.
fn copied(text: &[u8], from: usize, column: usize, name: Name, spans: &mut Spans) {
    let mut at = from;
    for _ in 0..=MOST_ROWS {
        let row = crate::search::line(text, at, LONGEST_ROW);
        if at > from {
            let Some(field) = row.split(|&byte| byte == b'\t').nth(column).filter(|_| row.contains(&b'\t'))
            else {
                return;
            };
            if value::is_secret(name, field, Place::Quoted) {
                let start = crate::search::offset(text, field);
                spans.add(start, start + field.len(), name.kind, true);
            }
        }
        at += row.len() + 1;
        if at >= text.len() {
            return;
        }
    }
}

/// One row in brackets: records the literal in the column; returns where the row ends.
fn row(text: &[u8], at: usize, column: usize, name: Name, spans: &mut Spans) -> Option<usize> {
    if text.get(at) != Some(&b'(') {
        return None;
    }
    let limit = text.len().min(at + LONGEST_ROW);
    let (mut from, mut seen, mut deep) = (at + 1, 0, 0_u32);
    while from < limit {
        match text[from] {
            sign @ (b'\'' | b'"') => {
                let end = literal_end(text, from + 1, limit, sign)?;
                // `'{"domain":"x"}'`: its members have names of their own.
                let object = text[from + 1..end].starts_with(b"{\"");
                if seen == column
                    && deep <= 1
                    && !object
                    && value::is_secret(name, &text[from + 1..end], Place::Quoted)
                {
                    spans.add(from + 1, end, name.kind, true);
                }
                from = end;
            }
            b'(' => deep += 1,
            b')' if deep == 0 => return Some(from + 1),
            b')' => deep -= 1,
            b',' if deep == 0 => seen += 1,
            _ => {}
        }
        from += 1;
    }
    crate::work::read(from - at);
    None
}

/// Where a literal ends: a quote that is doubled or escaped is one of its signs.
fn literal_end(text: &[u8], from: usize, limit: usize, sign: u8) -> Option<usize> {
    let mut at = from;
    while at < limit {
        match text[at] {
            b'\\' => at += 1,
            byte if byte == sign && text.get(at + 1) == Some(&sign) => at += 1,
            byte if byte == sign => return Some(at),
            _ => {}
        }
        at += 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_a_row_is_given_that_is_called_so() {
        for text in [
            "UPDATE core_config SET value='Kd83mQpz-4x7' WHERE path='payment/mollie/webhook_secret';",
            "update `options` set `val` = 'Kd83mQpz-4x7' where `name` = 'smtp_password'",
        ] {
            assert_eq!(found(text), ["Kd83mQpz-4x7"], "{text}");
        }
        for text in [
            "UPDATE core_config SET value='on' WHERE path='payment/mollie/webhook_secret';",
            "SELECT 'Kd83mQpz-4x7' FROM t WHERE path='payment/mollie/webhook_secret';",
            "UPDATE t SET note='Kd83mQpz-4x7' WHERE id = 4 AND path='payment/mollie/webhook_secret';",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_column_names_the_literals_at_its_place() {
        assert_eq!(
            found(
                "INSERT INTO users (id, `password`, mail) VALUES (1, 'swordfish', 'a@b.example'),\n (2, concat('x'), 'b'), (3, 'moon''light', '');"
            ),
            ["swordfish", "moon''light"]
        );
        assert_eq!(
            found("insert into app.login (login_name, user_pass)\nvalues ('ann', 'starfighter');"),
            ["starfighter"]
        );
    }

    #[test]
    fn rows_that_are_copied_have_tabs() {
        assert_eq!(
            found(
                "COPY users (id, login, plain_pw, created) FROM stdin;\n1\thd\tswordfish\t2009\n2\tmg\tmoonlight\t2010\n\\.\n"
            ),
            ["swordfish", "moonlight"]
        );
    }

    #[test]
    fn other_columns_stay() {
        assert_eq!(
            found("INSERT INTO users (id, password_hint, mail) VALUES (1, 'swordfish', 'c')"),
            Vec::<&str>::new()
        );
        assert_eq!(found("INSERT INTO users (id, password) SELECT 'swordfish'"), Vec::<&str>::new());
        assert_eq!(
            found("INSERT INTO users (id, password) VALUES (1, ?), (2, $1), (3, NULL)"),
            Vec::<&str>::new()
        );
    }
}
