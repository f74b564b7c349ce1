//! Rows: aligned for people, tab-separated for programs. Cells are harmless text.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

use crate::harmless::harmless;

/// The last column gets at least so much, however narrow the terminal.
const LEAST_ROOM: usize = 20;

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
    /// Where it leads.
    link: Option<Link>,
}

#[derive(Debug, Clone)]
struct Link {
    target: String,
    /// Where there are no links to click, the target is shown instead of the text.
    told: bool,
}

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Self {
        Self { pieces: vec![(harmless(text.as_ref()), false)], link: None }
    }
}

impl Cell {
    /// A cell with highlighted pieces.
    pub(crate) fn pieces(pieces: &[(String, bool)]) -> Self {
        Self { pieces: pieces.iter().map(|(text, mark)| (harmless(text), *mark)).collect(), link: None }
    }

    /// Text that leads somewhere on a terminal; elsewhere the target itself.
    pub(crate) fn link(text: &str, target: &str) -> Self {
        Self { link: Some(Link { target: harmless(target), told: true }), ..Self::from(text) }
    }

    /// Text that leads somewhere on a terminal, and stays text elsewhere.
    pub(crate) fn linked(text: &str, target: &str) -> Self {
        Self { link: Some(Link { target: harmless(target), told: false }), ..Self::from(text) }
    }

    /// For a terminal, with its link.
    fn shown(&self, color: bool) -> String {
        match &self.link {
            Some(link) => {
                format!("\u{1b}]8;;{}\u{1b}\\{}\u{1b}]8;;\u{1b}\\", link.target, self.rendered(color))
            }
            None => self.rendered(color),
        }
    }

    /// For programs.
    fn tell(&self, color: bool, out: &mut String) {
        match &self.link {
            Some(link) if link.told => out.push_str(&link.target),
            _ => self.render(color, out),
        }
    }

    fn width(&self) -> usize {
        self.pieces.iter().map(|(text, _)| text.width()).sum()
    }

    /// As much of it as fits into `room` columns, with `…` where something was left out.
    fn cut(&self, room: usize) -> Self {
        if self.width() <= room {
            return self.clone();
        }
        let mut left = room.saturating_sub(1);
        let mut pieces = Vec::new();
        for (text, mark) in &self.pieces {
            let fits = |c: &char| {
                let wide = c.width().unwrap_or(0);
                let fits = wide <= left;
                left = if fits { left - wide } else { 0 };
                fits
            };
            pieces.push((text.chars().take_while(fits).collect(), *mark));
        }
        pieces.push(("…".to_owned(), false));
        Self { pieces, link: self.link.clone() }
    }

    fn rendered(&self, color: bool) -> String {
        let mut out = String::new();
        self.render(color, &mut out);
        out
    }

    fn render(&self, color: bool, out: &mut String) {
        for (text, mark) in &self.pieces {
            if *mark && color && !text.is_empty() {
                out.extend(["\u{1b}[1;33m", text, "\u{1b}[0m"]);
            } else {
                out.push_str(text);
            }
        }
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
        let mut out = String::new();
        for row in &self.rows {
            for (at, cell) in row.iter().enumerate() {
                out.push_str(if at > 0 { "\t" } else { "" });
                cell.tell(color, &mut out);
            }
            out.push('\n');
        }
        out
    }

    /// Aligned columns under a header; the last column is cut where the line would be longer than `width`.
    pub(crate) fn aligned(&self, color: bool, width: usize) -> String {
        let head: Vec<Cell> = self.head.iter().map(Cell::from).collect();
        let widest = |column: usize| {
            let cells = std::iter::once(&head).chain(&self.rows).filter_map(|row| row.get(column));
            cells.map(Cell::width).max().unwrap_or(0)
        };
        let last = self.head.len().saturating_sub(1);
        let widths: Vec<usize> = (0..last).map(widest).collect();
        let room = width.saturating_sub(widths.iter().map(|w| w + 2).sum()).max(LEAST_ROOM);
        let mut out = String::new();
        for (number, row) in std::iter::once(&head).chain(&self.rows).enumerate() {
            let mut line = String::new();
            for (cell, wide) in row.iter().zip(&widths) {
                line.push_str(&cell.shown(color));
                line.push_str(&" ".repeat(wide - cell.width() + 2));
            }
            if let Some(cell) = row.get(last) {
                line.push_str(&cell.cut(room).shown(color));
            }
            let line = line.trim_end();
            if color && number == 0 {
                out = out + "\u{1b}[2m" + line + "\u{1b}[0m\n";
            } else {
                out = out + line + "\n";
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_aligned_and_the_last_column_is_cut_on_a_character() {
        let mut table = Table::new(&["a", "text"]);
        table.row(vec!["漢字".into(), "short".into()]);
        table.row(vec!["x".into(), Cell::pieces(&[("é".repeat(10), false), ("marked".repeat(5), true)])]);
        let text = table.aligned(false, 26);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a     text");
        assert_eq!(lines[1], "漢字  short");
        assert_eq!(lines[2], format!("x     {}markedmar…", "é".repeat(10)));
        assert!(table.aligned(true, 26).contains("\u{1b}[1;33mmarkedmar\u{1b}[0m…"));
        assert_eq!(table.tabs(false).lines().count(), 2);
    }

    #[test]
    fn links_are_clicked_on_a_terminal_and_told_elsewhere() {
        let mut table = Table::new(&["event", "text"]);
        table.row(vec![Cell::link("s/1", "recount://local/s/1#00"), Cell::linked("x", "recount://y")]);
        assert_eq!(table.tabs(false), "recount://local/s/1#00\tx\n");
        let shown = table.aligned(false, 40);
        assert!(
            shown.contains("\u{1b}]8;;recount://local/s/1#00\u{1b}\\s/1\u{1b}]8;;\u{1b}\\    "),
            "{shown:?}"
        );
    }
}
