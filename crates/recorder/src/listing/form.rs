//! How a listing is written.
//!
//! ```text
//! recount listing 1 <rules> <BLAKE3 of the next line> <BLAKE3 of all behind it>
//! {"store":…,"session":…,"cover":{…},"place":{…},"rows":N,"numbers":bytes,"order":bytes,"duplicates":N}
//! numbers of the rows, order of telling, words (`row.rs`)
//! ```
//! `rules` is a hash of the code that decides what a row says and where it is told: what another build wrote is
//! none of ours.

use std::sync::{Arc, LazyLock};

use event::SessionId;
use index::KeepTurn;
use journal::{Cover, Place};
use serde::{Deserialize, Serialize};

use super::{Listing, Order};
use crate::row::{Block, read_number, write_number};

static FORM: LazyLock<String> = LazyLock::new(|| {
    let rules = [
        include_str!("../order.rs"),
        include_str!("../steps.rs"),
        include_str!("../row.rs"),
        include_str!("../summary.rs"),
        include_str!("../../../journal/src/duplicates.rs"),
    ];
    format!("recount listing 1 {} ", &sum_of(&rules.concat())[..16])
});

/// What stands in the second line.
#[derive(Serialize, Deserialize)]
pub(super) struct Head {
    store: String,
    session: String,
    pub(super) cover: Cover,
    place: Place,
    rows: usize,
    /// Bytes of the rows' numbers, and of the order; where the order is not kept, none.
    numbers: usize,
    order: usize,
    duplicates: u64,
}

fn sum_of(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// Keeps a listing.
pub(super) fn keep(turn: &KeepTurn, store: &str, session: &SessionId, listing: &Listing) {
    let Some((numbers, words)) = listing.block.written() else { return };
    let mut order = String::new();
    for (at, conflict, superseded) in listing.order.iter().flat_map(|order| &order.rows) {
        write_number(&mut order, *at as u64 * 4 + u64::from(*conflict) + 2 * u64::from(*superseded));
    }
    let head = Head {
        store: store.to_owned(),
        session: session.to_string(),
        cover: listing.cover.clone(),
        place: listing.place.clone(),
        rows: listing.block.len(),
        numbers: numbers.len(),
        order: order.len(),
        duplicates: listing.order.as_ref().map_or(0, |order| order.duplicates),
    };
    let Ok(head) = serde_json::to_string(&head) else { return };
    let mut sum = blake3::Hasher::new();
    sum.update(numbers.as_bytes()).update(order.as_bytes()).update(words.as_bytes());
    let sums = format!("{}{} {}\n", *FORM, sum_of(&head), sum.finalize().to_hex());
    turn.keep(session, &[&sums, &head, "\n", &numbers, &order, words]);
}

/// A text that was kept, with its head read.
pub(super) struct Written {
    pub(super) head: Head,
    text: String,
    /// Where the numbers begin.
    start: usize,
}

impl Written {
    /// `None` for what is none of this form, store and session, or was changed.
    pub(super) fn of(text: String, store: &str, session: &SessionId) -> Option<Self> {
        let (sums, body) = text.split_once('\n')?;
        let (head, rest) = body.split_once('\n')?;
        let sum = sums.rsplit_once(' ')?.1;
        let head = Head::read(sums, head, store, session).filter(|_| sum_of(rest) == sum)?;
        let start = text.len() - rest.len();
        Some(Self { head, text, start })
    }

    pub(super) fn listing(self) -> Option<Listing> {
        let Self { head, text, start } = self;
        let middle = start.checked_add(head.numbers)?;
        let end = middle.checked_add(head.order)?;
        let order = (head.order > 0).then(|| read_order(text.get(middle..end)?, head.rows));
        let order = order.map(|rows| rows.map(|rows| Order { rows, duplicates: head.duplicates }));
        let block = Arc::new(Block::read(head.rows, start..middle, end, text)?);
        let order = match order {
            Some(None) => return None,
            order => order.flatten(),
        };
        Some(Listing { cover: head.cover, place: head.place, block, order })
    }
}

fn read_order(digits: &str, rows: usize) -> Option<Vec<(usize, bool, bool)>> {
    let mut digits = digits.bytes();
    // each has a digit at least
    let mut order = Vec::with_capacity(rows.min(digits.len()));
    while digits.len() > 0 {
        let number = read_number(&mut digits)?;
        let at = usize::try_from(number / 4).ok().filter(|at| *at < rows)?;
        order.push((at, number & 1 != 0, number & 2 != 0));
    }
    Some(order)
}

impl Head {
    /// Reads the first two lines.
    pub(super) fn read(sums: &str, head: &str, store: &str, session: &SessionId) -> Option<Self> {
        let (sum, _) = sums.strip_prefix(FORM.as_str())?.split_once(' ')?;
        (sum_of(head) == sum).then_some(())?;
        let head: Self = serde_json::from_str(head).ok()?;
        (head.store == store && head.session == session.as_str()).then_some(head)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(rows: usize, order: usize) -> Head {
        let (store, session) = ("a".to_owned(), "s".to_owned());
        let (cover, place) = (Cover::default(), Place::default());
        Head { store, session, cover, place, rows, numbers: 0, order, duplicates: 0 }
    }

    /// As somebody would write it who knows how, with the right sums.
    fn forged(head: &Head, rest: &str) -> String {
        let head = serde_json::to_string(head).expect("JSON");
        format!("{}{} {}\n{head}\n{rest}", *FORM, sum_of(&head), sum_of(rest))
    }

    fn read(text: &str, store: &str, session: &str) -> Option<Listing> {
        let session = SessionId::new(session).expect("an id");
        Written::of(text.to_owned(), store, &session)?.listing()
    }

    #[test]
    fn of_what_is_none_of_ours_nothing_is_read() {
        let good = forged(&head(0, 0), "");
        assert!(read(&good, "a", "s").is_some());
        assert!(read(&good, "b", "s").is_none() && read(&good, "a", "t").is_none());
        assert!(read(&good.replace("listing 1", "listing 2"), "a", "s").is_none());
        assert!(read(&good.replace("\"rows\":0", "\"rows\":1"), "a", "s").is_none());
        assert!(read(&(good + "x"), "a", "s").is_none());
    }

    #[test]
    fn what_a_head_claims_and_nothing_bears_out_does_no_harm() {
        for (rows, order, rest) in [
            (usize::MAX, 0, ""),
            (1 << 40, 0, "aaaa"),
            (0, usize::MAX, "é"),
            (1 << 40, 3, "aaa"),
            (1, 1, "é"),
        ] {
            assert!(read(&forged(&head(rows, order), rest), "a", "s").is_none(), "{rows} {order} {rest}");
        }
    }
}
