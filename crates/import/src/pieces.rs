//! Texts that come in pieces: put together, so that the whole is what is told and redacted.
//!
//! A stream tells an answer as deltas and, if it lives long enough, once more as a whole. A look ahead
//! ([`Pieces::see`], [`Pieces::see_whole`]) finds out whether the whole comes; if not, the last piece tells
//! the pieces together. A secret that is cut in two between pieces is whole again before anybody stores it.

use std::collections::{HashMap, VecDeque};

use crate::derive::short;

/// Pieces by the text that they are part of.
#[derive(Debug, Default)]
pub(crate) struct Pieces {
    texts: HashMap<u64, Runs>,
}

/// The runs of one text's pieces: several only where nothing tells texts apart but their order.
#[derive(Debug, Default)]
struct Runs {
    seen: VecDeque<Run>,
    /// What has been put together of the first one.
    text: String,
}

#[derive(Debug, Default)]
struct Run {
    pieces: usize,
    text: String,
    ended: bool,
    told: bool,
}

/// What becomes of a piece.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// Another record tells it.
    Told,
    /// It is the last one, and no other record tells the text.
    Last(String),
}

impl Pieces {
    /// Looks ahead at a piece.
    pub(crate) fn see(&mut self, of: &str, piece: &str) {
        let runs = &mut self.texts.entry(short(of)).or_default().seen;
        if runs.back().is_none_or(|run| run.ended) {
            runs.push_back(Run::default());
        }
        if let Some(run) = runs.back_mut() {
            run.pieces += 1;
            run.text.push_str(piece);
        }
    }

    /// Looks ahead at the whole; with a text, only the same text counts. True if pieces of it came before.
    pub(crate) fn see_whole(&mut self, of: &str, text: Option<&str>) -> bool {
        let run = self.texts.get_mut(&short(of)).and_then(|runs| runs.seen.back_mut());
        let Some(run) = run.filter(|run| !run.ended) else { return false };
        run.told = text.is_none_or(|text| text == run.text);
        run.ended = true;
        // it is put together again when it is told
        run.text = String::new();
        true
    }

    /// The next piece, in the order in which they were seen.
    pub(crate) fn next(&mut self, of: &str, piece: &str) -> Piece {
        let Some(runs) = self.texts.get_mut(&short(of)) else { return Piece::Last(piece.to_owned()) };
        runs.text.push_str(piece);
        let Some(run) = runs.seen.front_mut() else { return Piece::Last(std::mem::take(&mut runs.text)) };
        run.pieces = run.pieces.saturating_sub(1);
        if run.pieces > 0 {
            return Piece::Told;
        }
        let (text, told) = (std::mem::take(&mut runs.text), run.told);
        runs.seen.pop_front();
        if told { Piece::Told } else { Piece::Last(text) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_of_a_whole_that_comes_are_told_by_it() {
        let mut pieces = Pieces::default();
        pieces.see("a", "sec");
        pieces.see("a", "ret");
        assert!(pieces.see_whole("a", Some("secret")));
        assert_eq!((pieces.next("a", "sec"), pieces.next("a", "ret")), (Piece::Told, Piece::Told));
    }

    #[test]
    fn without_a_whole_the_last_piece_tells_all() {
        let mut pieces = Pieces::default();
        for _ in 0..2 {
            pieces.see("a", "x");
            pieces.see("a", "y");
            assert!(!pieces.see_whole("b", None));
            pieces.see_whole("a", Some("something else"));
        }
        for _ in 0..2 {
            assert_eq!(pieces.next("a", "x"), Piece::Told);
            assert_eq!(pieces.next("a", "y"), Piece::Last("xy".to_owned()));
        }
        assert_eq!(pieces.next("never seen", "z"), Piece::Last("z".to_owned()));
    }
}
