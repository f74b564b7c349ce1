//! Rows: aligned for people, tab-separated for programs. Cells are harmless text.

use unicode_width::UnicodeWidthStr as _;

use crate::harmless::harmless;

/// Rows under a header.
#[derive(Debug, Default)]
pub(crate) struct Table {
    head: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
}

/// One cell, and which parts of it are to be seen first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cell {
    /// Pieces of text; `true` marks a highlight.
    pieces: Vec<(String, bool)>,
}

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { pieces: vec![(harmless(text.as_ref()), false)] }
    }
}

impl Cell {
    /// A cell with highlighted pieces.
    pub(crate) fn pieces(pieces: &[(String, bool)]) -> Self {
        Self { pieces: pieces.iter().map(|(text, mark)| (harmless(text), *mark)).collect() }
    }

    fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }

    fn render(&self, color: bool) -> String {
        let piece = |(text, mark): &(String, bool)| {
            if *mark && color { format!("\u{1b}[1;33m{text}\u{1b}[0m") } else { text.clone() }
        };
        self.pieces.iter().map(piece).collect()
    }
}

impl Table {
    pub(crate) fn new(head: &[&'static str]) -> Self {
        Self { head: head.to_vec(), rows: Vec::new() }
    }

    pub(crate) fn row(&mut self, cells: Vec<Cell>) {
        self.rows.push(cells);
    }

    /// Tab-separated, without the header: for programs.
    pub(crate) fn tabs(&self, color: bool) -> String {
        let line =
            |row: &Vec<Cell>| row.iter().map(|c| c.render(color)).collect::<Vec<_>>().join("\t") + "\n";
        self.rows.iter().map(line).collect()
    }

    /// Aligned columns under a header; the last column takes what is left.
    pub(crate) fn aligned(&self, color: bool, width: usize) -> String {
        let head: Vec<Cell> = self.head.iter().map(Cell::from).collect();
        let columns = self.head.len();
        let widest = |column: usize| {
            let cells = std::iter::once(&head).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(Cell::width).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..columns).map(widest).collect();
        let mut out = String::new();
        for (number, row) in std::iter::once(&head).chain(&self.rows).enumerate() {
            let mut line = String::new();
            for (column, cell) in row.iter().enumerate() {
                line.push_str(&cell.render(color));
                if column + 1 < row.len() {
                    line.push_str(&" ".repeat(widths[column] - cell.width() + 2));
                }
            }
            let line =
                if width > 0 && !color { cut(line.trim_end(), width) } else { line.trim_end().to_owned() };
            let faint = color && number == 0;
            if faint {
                out = out + "\u{1b}[2m" + &line + "\u{1b}[0m\n";
            } else {
                out = out + &line + "\n";
            }
        }
        out
    }
}

/// As many characters as fit into `width` columns.
fn cut(line: &str, width: usize) -> String {
    if line.width() <= width {
        return line.to_owned();
    }
    let mut out = String::new();
    for c in line.chars() {
        if out.width() + 2 > width {
            break;
        }
        out.push(c);
    }
    out.push('…');
    out
}
