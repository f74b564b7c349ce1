//! V13: tables as wikis and typesetters mark them up (`^ Host ^ Password ^`, `! Host !! Password`, `|=== |Host |Password`,
//! `* - Host`, `Host & Password \\`), with one line a row and `|` between its cells, as other tables are written.
//!
//! - M1  a table begins with the line of its heading, in which a literal stands; what is above it is looked at a bounded
//!   way up
//! - M2  as many rows are read as other tables have, and no line twice

use super::{Hits, View, line_end, lines};
use crate::search::{has, last_line};

const MOST_ROWS: usize = 64;
const MOST_LINES: usize = 512;
const LONGEST_LINE: usize = 1024;
/// How far above its heading a table says what it is.
const ABOVE: usize = 512;

type Cell = (usize, usize);

/// How a table is marked up.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Markup {
    /// `^ Host ^ Password ^`, `|_. Host |_. Password |`, `|=Host|=Password|`; rows with bars.
    Doku,
    /// `! Host !! Password`, or a line for each; `|-` ends a row.
    Media,
    /// `|Host |Password` inside `|===`, however many a line.
    Ascii,
    /// `* - Host`, and `- Password` below.
    List,
    /// `Host & Password \\`.
    Latex,
}

/// One view for each table.
pub(crate) fn marked(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let (mut at, mut floor) = (0, 0);
    while let Some(hit) = hits.next(at).filter(|&hit| hit < bytes.len()) {
        let limit = bytes.len().min(hit + Hits::BLOCK);
        at = limit;
        for line in lines::starts(bytes, floor, hit, limit) {
            let Some((start, end, rows)) = table(bytes, floor, line) else { continue };
            views.push(join(text, start, end, &rows));
            floor = end;
            at = at.max(end);
            break;
        }
    }
    views
}

/// The table of whose heading the line from `line` is a part: where it begins and ends, and its rows.
fn table(bytes: &[u8], floor: usize, line: usize) -> Option<(usize, usize, Vec<Vec<Cell>>)> {
    let markup = markup(bytes, floor, line)?;
    let start = match markup {
        Markup::Media | Markup::List | Markup::Ascii => first_cell(bytes, floor, line, markup),
        _ => line,
    };
    let (rows, end) = rows(bytes, start, markup);
    let wide = rows.first().map_or(0, Vec::len);
    (rows.len() >= 2 && wide >= 2).then_some((start, end, rows))
}

/// How the line is marked up, if it is. Hot path: most lines show by their first sign that they are not.
fn markup(bytes: &[u8], floor: usize, line: usize) -> Option<Markup> {
    let row = row(bytes, line);
    let bare = row.trim_ascii();
    let above = &bytes[floor.max(line.saturating_sub(ABOVE)).min(line)..line];
    match bare {
        [b'^', .., b'^'] | [b'|', b'_', b'.', ..] | [b'|', b'=', b'A'..=b'Z' | b'a'..=b'z' | b' ', ..] => {
            Some(Markup::Doku)
        }
        [b'!', b' ' | b'A'..=b'Z' | b'a'..=b'z', ..] if has(above, b"{|") => Some(Markup::Media),
        [b'|', ..] if has(above, b"|===") => Some(Markup::Ascii),
        [b'*' | b'-', b' ', ..] if has(above, b"list-table::") => Some(Markup::List),
        [.., b'\\', b'\\'] if bare.contains(&b'&') => Some(Markup::Latex),
        _ => None,
    }
}

/// The line from `start`, as far as lines of tables go.
fn row(bytes: &[u8], start: usize) -> &[u8] {
    let line = crate::search::line(bytes, start, LONGEST_LINE);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Where the heading begins of whose cells one stands on the line: below what opens the table.
fn first_cell(bytes: &[u8], floor: usize, line: usize, markup: Markup) -> usize {
    let mut first = line;
    while first > floor {
        let above = last_line(&bytes[floor.max(first.saturating_sub(ABOVE))..first - 1]);
        let start = first - 1 - above.len();
        let bare = above.trim_ascii();
        let cell = match markup {
            Markup::Media => bare.starts_with(b"!"),
            Markup::Ascii => bare.starts_with(b"|") && !bare.starts_with(b"|==="),
            _ => bare.starts_with(b"- ") || bare.starts_with(b"* - "),
        };
        if !cell || line - start > ABOVE {
            break;
        }
        first = start;
    }
    first
}

/// The rows from `start` on, the heading first, and where they end.
fn rows(bytes: &[u8], start: usize, markup: Markup) -> (Vec<Vec<Cell>>, usize) {
    let mut rows: Vec<Vec<Cell>> = vec![Vec::new()];
    let mut at = start;
    // How many cells a row has, where lines don't say it.
    let mut wide = usize::MAX;
    for _ in 0..MOST_LINES {
        let line = row(bytes, at);
        let bare = line.trim_ascii();
        if at >= bytes.len() || rows.len() > MOST_ROWS || line.len() == LONGEST_LINE || !markup.goes_on(bare)
        {
            break;
        }
        crate::work::read(line.len());
        if markup.begins_row(bare) {
            rows.push(Vec::new());
        }
        let cells = markup.cells(bytes, bare);
        let several = cells.len() > 1;
        for cell in cells {
            if rows.last().is_none_or(|row| row.len() >= wide) {
                rows.push(Vec::new());
            }
            rows.last_mut().into_iter().for_each(|row| row.push(cell));
        }
        // A line of several cells is a row, as is what stands before an empty line.
        if markup == Markup::Ascii && wide == usize::MAX && (several || bare.is_empty()) {
            wide = rows[0].len();
        }
        at = line_end(bytes, at);
    }
    rows.retain(|row| !row.is_empty());
    (rows, at)
}

impl Markup {
    /// Whether a line is one of the table's.
    fn goes_on(self, line: &[u8]) -> bool {
        match self {
            Self::Doku => matches!(line.first(), Some(b'|' | b'^')),
            Self::Media => matches!(line.first(), Some(b'|' | b'!')) && !line.starts_with(b"|}"),
            Self::Ascii => !line.starts_with(b"|===") && (line.is_empty() || line.contains(&b'|')),
            Self::List => line.is_empty() || line.starts_with(b"- ") || line.starts_with(b"* -"),
            Self::Latex => line.starts_with(b"\\") || line.ends_with(b"\\\\"),
        }
    }

    /// Whether a row begins with the line.
    fn begins_row(self, line: &[u8]) -> bool {
        match self {
            Self::Doku => true,
            Self::Media => line.starts_with(b"|-"),
            Self::Ascii => false,
            Self::List => line.starts_with(b"* -"),
            Self::Latex => line.ends_with(b"\\\\"),
        }
    }

    /// The cells of a line.
    fn cells(self, bytes: &[u8], line: &[u8]) -> Vec<Cell> {
        let place = |cell: &[u8]| {
            let cell = cell.trim_ascii();
            let from = crate::search::offset(bytes, cell);
            (from, from + cell.len())
        };
        match self {
            Self::Doku => between_bars(line).into_iter().map(place).collect(),
            Self::Media if line.starts_with(b"|-") || line.starts_with(b"|+") => Vec::new(),
            Self::Media => doubled(&line[1..]).into_iter().map(without_attributes).map(place).collect(),
            Self::Ascii => line.split(|&byte| byte == b'|').skip(1).map(place).collect(),
            Self::List if line.is_empty() => Vec::new(),
            Self::List => {
                vec![place(line.strip_prefix(b"* -").or_else(|| line.strip_prefix(b"-")).unwrap_or(line))]
            }
            Self::Latex => parted(line).into_iter().map(place).collect(),
        }
    }
}

/// `|_. Host |_. User |`, `^ Host ^ User ^`: without what makes a title.
fn between_bars(line: &[u8]) -> Vec<&[u8]> {
    let is_bar = |byte: &u8| matches!(byte, b'|' | b'^');
    let inside = line.strip_prefix(b"|").or_else(|| line.strip_prefix(b"^")).unwrap_or(line);
    let inside = inside.strip_suffix(b"|").or_else(|| inside.strip_suffix(b"^")).unwrap_or(inside);
    let titled = |cell| <[u8]>::strip_prefix(cell, b"_.").or_else(|| cell.strip_prefix(b"=")).unwrap_or(cell);
    inside.split(is_bar).map(titled).collect()
}

/// `System !! User`, `web1 || ann`.
fn doubled(line: &[u8]) -> Vec<&[u8]> {
    let (mut cells, mut rest) = (Vec::new(), line);
    while let Some(at) = [&b"||"[..], b"!!"].iter().filter_map(|sign| crate::search::find(rest, sign)).min() {
        cells.push(&rest[..at]);
        rest = &rest[at + 2..];
    }
    cells.push(rest);
    cells
}

/// `web1 & ann \\`: an `&` that is escaped parts nothing.
fn parted(line: &[u8]) -> Vec<&[u8]> {
    let Some(row) = line.strip_suffix(b"\\\\") else { return Vec::new() };
    let (mut cells, mut begun) = (Vec::new(), 0);
    for at in memchr::memchr_iter(b'&', row).filter(|&at| at == 0 || row[at - 1] != b'\\') {
        cells.push(&row[begun..at]);
        begun = at + 1;
    }
    cells.push(&row[begun..]);
    cells
}

/// `style="color: red" | X`: the cell itself.
fn without_attributes(cell: &[u8]) -> &[u8] {
    match memchr::memchr(b'|', cell) {
        Some(bar) if cell[..bar].contains(&b'=') => &cell[bar + 1..],
        _ => cell,
    }
}

/// One line a row, and a rule below the heading.
fn join(text: &str, start: usize, end: usize, rows: &[Vec<Cell>]) -> View {
    let mut view = View::new(start, end - start);
    for (number, row) in rows.iter().enumerate() {
        let begins = row.first().map_or(0, |cell| cell.0 - start);
        for &(from, to) in row {
            for sign in ['|', ' '] {
                view.push(sign, from - start);
            }
            view.copy(&text[from..to], from - start);
            view.push(' ', to - start);
        }
        let ends = row.last().map_or(begins, |cell| cell.1 - start);
        for sign in ['|', '\n'] {
            view.push(sign, ends);
        }
        if number == 0 {
            ("|---".repeat(row.len()) + "|\n").chars().for_each(|sign| view.push(sign, ends));
        }
    }
    view.finish(end - start)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_table_is_one_however_it_is_marked_up() {
        for text in [
            "^ Gerät ^ User ^ Kennwort ^\n| sw1 | ann | winter_wolke30 |\n",
            "|_. Host |_. User |_. Password |\n| web1 | ann | winter_wolke30 |\n",
            "|=Host|=User|=Password|\n|web1|ann|winter_wolke30|\n",
            "{| class=\"wikitable\"\n! Host !! User !! Password\n|-\n| web1 || ann || winter_wolke30\n|}\n",
            "{|\n! Host\n! User\n! Password\n|-\n| web1\n| ann\n| style=\"color: red\" | winter_wolke30\n|}\n",
            "[cols=3]\n|===\n|Host |User |Password\n\n|web1 |ann |winter_wolke30\n|===\n",
            "|===\n|Host\n|User\n|Password\n\n|web1\n|ann\n|winter_wolke30\n|===\n",
            ".. list-table::\n   :header-rows: 1\n\n   * - Host\n     - User\n     - Password\n   * - web1\n     - ann\n     - winter_wolke30\n",
            "\\begin{tabular}{lll}\nHost & User & Password \\\\\n\\hline\nweb1 & ann & winter_wolke30 \\\\\n\\end{tabular}\n",
        ] {
            assert_eq!(found(text), ["winter_wolke30"], "{text}");
        }
    }

    #[test]
    fn a_table_without_any_has_none() {
        for text in [
            "^ Setting ^ Password ^\n| strength | strong |\n",
            "{|\n! Field !! Password\n|-\n| length || 12\n|}\n",
            "|===\n|Field |Password\n\n|type |string\n|===\n",
            "Password & required \\\\\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
