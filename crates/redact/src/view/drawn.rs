//! V10: tables whose edges are drawn (`│ host │ password │`), with the signs that a keyboard has, as other tables are
//! written.
//!
//! - D1  only lines with an upright edge, and the lines of edges between them

use super::{Hits, View, line_end, stretches};

/// The first two bytes of each sign that draws a table: U+2500 to U+257F.
const FIRST: u8 = 0xE2;

/// One view for each table.
pub(crate) fn drawn(text: &str, hits: &Hits) -> Vec<View> {
    stretches(text, hits, next, line_end, read)
}

/// The next sign of an edge.
fn next(bytes: &[u8], from: usize) -> Option<usize> {
    let signs = memchr::memchr_iter(FIRST, bytes.get(from..)?).map(|at| from + at);
    signs.into_iter().find(|&at| matches!(bytes.get(at + 1), Some(0x94 | 0x95)))
}

fn read(text: &str, base: usize) -> View {
    crate::work::read(text.len());
    let mut view = View::new(base, text.len());
    let mut from = 0;
    for (at, sign) in text.char_indices().filter(|(_, sign)| ('\u{2500}'..='\u{257F}').contains(sign)) {
        view.copy(&text[from..at], from);
        view.push(plain(sign), at);
        from = at + sign.len_utf8();
    }
    view.copy(&text[from..], from);
    view.finish(text.len())
}

/// The sign of a keyboard for it.
fn plain(sign: char) -> char {
    match sign {
        '│' | '┃' | '║' | '╎' | '╏' | '┆' | '┇' | '┊' | '┋' => '|',
        '─' | '━' | '═' | '╌' | '╍' | '┄' | '┅' | '┈' | '┉' => '-',
        _ => '+',
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_drawn_table_is_one() {
        for (text, secret) in [
            (
                "┌─────────────┬─────────────────┬────────┐\n│ Host        │ Password        │ User   │\n├─────────────┼─────────────────┼────────┤\n│ example.org │ myhateoysters19 │ tgreen │\n└─────────────┴─────────────────┴────────┘\n",
                "myhateoysters19",
            ),
            (
                "┃ Date       ┃ Alarm PIN  ┃\n┣━━━━━━━━━━━━╋━━━━━━━━━━━━┫\n┃ 2025-01-15 ┃ 63581017   ┃\n",
                "63581017",
            ),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn what_is_drawn_around_words_is_none() {
        for text in [
            "┌──────────┬──────────┐\n│ Setting  │ Password │\n├──────────┼──────────┤\n│ strength │ strong   │\n└──────────┴──────────┘\n",
            "╭─ Password policy ─╮\n│ at least 12 signs │\n╰───────────────────╯\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
