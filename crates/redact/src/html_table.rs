//! Tables of web pages: a heading cell that names a secret, and the cells of its column in the rows below.

use crate::names::{Name, Trust};
use crate::prose;
use crate::span::Spans;
use crate::value::{self, Place};

const BACK: usize = 600;
const REACH: usize = 4096;
const MOST_ROWS: usize = 32;

/// If the name `start..stop` is all of a heading cell, looks at the rows below.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if name.trust < Trust::Secret || text.get(stop) != Some(&b'<') || text.get(stop + 1) != Some(&b'/') {
        return;
    }
    let before = &text[start.saturating_sub(BACK)..start];
    let Some(row) = rfind_tag(before, b"<tr") else { return };
    crate::work::read(before.len());
    let head = &before[row..];
    let columns = cells(head).count();
    let own =
        cells(head).last().is_some_and(|cell| head[cell..].iter().filter(|&&byte| byte == b'>').count() <= 2);
    if columns == 0 || !own {
        return;
    }
    let rest = &text[stop..text.len().min(stop + REACH)];
    crate::work::read(rest.len());
    let table = &rest[..memchr::memmem::find(rest, b"</table").unwrap_or(rest.len())];
    let rows = memchr::memmem::find_iter(table, b"<tr").take(MOST_ROWS);
    for row in rows {
        let body = &table[row..];
        let body = &body[..memchr::memmem::find(&body[3..], b"<tr").map_or(body.len(), |end| end + 3)];
        let Some(cell) = cells(body).nth(columns - 1) else { return };
        let (open, close) = inner(body, cell);
        let word = &body[open..close];
        let good = match name.trust {
            Trust::Password => {
                value::is_chosen(word)
                    || value::is_secret(name, word, Place::Tag) && prose::looks_like_secret(word)
            }
            _ => value::is_secret(name, word, Place::Tag),
        };
        if good {
            spans.add(stop + row + open, stop + row + close, name.kind, false);
        }
    }
}

fn rfind_tag(text: &[u8], tag: &[u8]) -> Option<usize> {
    memchr::memmem::rfind(text, tag)
}

/// Where each cell of a row begins.
fn cells(row: &[u8]) -> impl Iterator<Item = usize> {
    memchr::memmem::find_iter(row, b"<t").filter(|&at| {
        matches!(row.get(at + 2), Some(b'd' | b'h')) && matches!(row.get(at + 3), Some(b'>' | b' '))
    })
}

/// What stands inside a cell, without the elements around it.
fn inner(row: &[u8], cell: usize) -> (usize, usize) {
    let mut at = cell;
    while row.get(at) == Some(&b'<') && row.get(at + 1) != Some(&b'/') {
        at += memchr::memchr(b'>', &row[at..]).map_or(row.len() - at, |end| end + 1);
        at += row[at.min(row.len())..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    }
    let at = at.min(row.len());
    let long = memchr::memchr(b'<', &row[at..]).unwrap_or(row.len() - at);
    let word = row[at..at + long].trim_ascii_end();
    (at, at + word.len())
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_heading_cell_names_its_column() {
        let rows = "<tr><td>ann</td><td><code>silent-otter-lamp</code></td></tr>\n<tr>\n  <td class=\"x\">bob</td>\n  <td>Blue&amp;Green7</td>\n</tr>";
        let text = format!(
            "<table><tr><th>User</th><th>Password</th></tr>\n{rows}</table><td>silent-otter-lamp</td>"
        );
        assert_eq!(found(&text), ["silent-otter-lamp", "Blue&amp;Green7"]);
        let other = format!("<table><tr><th>User</th><th>Team</th></tr>\n{rows}</table>");
        assert_eq!(found(&other), Vec::<&str>::new());
    }
}
