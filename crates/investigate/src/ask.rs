//! One query, understood: the grammar is the index's; what only the store or the person can fill in (an
//! event's time, a saved search, a project, a case, marks that take a whole session to know) is filled in here.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use event::{Event, EventRef};
use recorder::query::{Deep, Item, Keyword, Name, Node, Open};
use recorder::{Now, Options, Query, QueryError, Sort, Store};

use crate::cases;
use crate::error::InvestigateError;
use crate::gaps::{GapKind, gaps};
use crate::trace::Trace;

/// Saved searches may name each other so deep.
const MAX_DEPTH: usize = 8;
/// So many names are filled in for one query: searches that name searches grow fast.
const MAX_NAMES: u32 = 200;
/// Events that one name may stand for.
const MOST: usize = 100_000;

/// Saved searches by name.
pub type Saved = BTreeMap<String, String>;

/// Reads a query and fills in its names.
pub fn ask(store: &Store, text: &str, now: &Now, saved: &Saved) -> Result<Query, InvestigateError> {
    let query = Query::parse(text, now)?;
    Asking { store, now, saved, depth: 0, filled: &Cell::new(0) }.fill_in(query)
}

#[derive(Clone, Copy)]
struct Asking<'a> {
    store: &'a Store,
    now: &'a Now,
    saved: &'a Saved,
    depth: usize,
    filled: &'a Cell<u32>,
}

impl Asking<'_> {
    fn fill_in(self, query: Query) -> Result<Query, InvestigateError> {
        query.resolve(&mut |open| self.fill(open))
    }

    fn fill(self, open: &Open) -> Result<Node, InvestigateError> {
        self.filled.set(self.filled.get() + 1);
        if self.filled.get() > MAX_NAMES {
            let error = QueryError::new(open.at, format!("more than {MAX_NAMES} names to fill in"));
            return Err(error.hint("saved searches that name saved searches grow fast").into());
        }
        match &open.name {
            Name::Saved(name) => self.saved(name, open.at),
            Name::Time(sign, event) => {
                let event = self.event(event, open.at)?;
                Ok(self.parse(&format!("at:{sign}\"{}\"", event.time()))?.root)
            }
            Name::Near(event, around) => {
                let event = self.event(event, open.at)?;
                let (low, high) = (event.seq.saturating_sub(*around), event.seq.saturating_add(*around));
                Ok(Node::And(vec![sessions([event.session.to_string()]), Node::Seq { low, high }]))
            }
            Name::Project(items) => self.project(items),
            Name::Case(items) => self.cases(items),
            Name::Mark(mark) => self.mark(mark),
        }
    }

    fn parse(self, text: &str) -> Result<Query, InvestigateError> {
        Ok(Query::parse(text, self.now)?)
    }

    /// The event that a query names; one that is not there is a fault of the query.
    fn event(self, reference: &EventRef, at: usize) -> Result<Event, InvestigateError> {
        match self.store.event(reference) {
            Ok((event, _)) => Ok(event),
            Err(error) => Err(QueryError::new(at, error.to_string()).into()),
        }
    }

    fn saved(self, name: &str, at: usize) -> Result<Node, InvestigateError> {
        let Some(text) = self.saved.get(name) else {
            let near = event::nearest(name, self.saved.keys().map(String::as_str));
            let near = near.map_or_else(String::new, |near| format!("did you mean @{near}? "));
            let hint = format!(
                "{near}`recount search --save {name} QUERY` saves one; to look for the text itself, quote it"
            );
            return Err(QueryError::new(at, format!("no saved search {name:?}")).hint(hint).into());
        };
        if self.depth >= MAX_DEPTH {
            return Err(
                QueryError::new(at, format!("@{name} names searches that name searches, and so on")).into()
            );
        }
        let inner = Asking { depth: self.depth + 1, ..self };
        let filled = inner.parse(text).and_then(|query| inner.fill_in(query));
        filled.map(|query| query.root).map_err(|error| match error {
            InvestigateError::Query(error) => {
                QueryError::new(at, format!("in the saved search @{name}: {}", error.message)).into()
            }
            error => error,
        })
    }

    /// Events that a query finds, all of them.
    fn found(self, text: &str) -> Result<Vec<Event>, InvestigateError> {
        let options = Options { limit: MOST, sort: Some(Sort::Oldest), ..Options::default() };
        let answer = self.store.search(&self.parse(text)?, &options, false)?;
        Ok(answer.hits.into_iter().map(|hit| hit.event).collect())
    }

    fn project(self, items: &[Item]) -> Result<Node, InvestigateError> {
        let within = |event: &Event| {
            let cwd = event.data.get("cwd")?.as_str()?.to_lowercase();
            let ends = |end: &str| {
                items
                    .iter()
                    .any(|item| if item.prefix { end.starts_with(&item.text) } else { end == item.text })
            };
            let fits = ends(&cwd) || cwd.match_indices('/').any(|(at, _)| ends(&cwd[at + 1..]));
            fits.then(|| event.session.to_string())
        };
        let found: BTreeSet<String> = self.found("has:cwd")?.iter().filter_map(within).collect();
        Ok(sessions(found))
    }

    fn cases(self, items: &[Item]) -> Result<Node, InvestigateError> {
        let mut named = Vec::new();
        for case in cases::cases(self.store)? {
            let id = case.session.as_str();
            if items.iter().any(|item| if item.prefix { id.starts_with(&item.text) } else { id == item.text })
            {
                named.extend(case.events.iter().flat_map(references));
            }
        }
        Ok(events(named))
    }

    fn mark(self, mark: &str) -> Result<Node, InvestigateError> {
        if mark == "bookmarked" {
            return Ok(events(self.found("kind:bookmark.set")?.iter().flat_map(references).collect()));
        }
        let (kind, only) = match mark {
            "unread" => (GapKind::UnreadHandoff, "kind:handoff.made"),
            _ => (GapKind::Silence, "kind:session.opened"),
        };
        let of: BTreeSet<_> = self.found(only)?.into_iter().map(|event| event.session).collect();
        let mut named = Vec::new();
        for session in of {
            let trace = Trace::read(self.store, &session, None)?;
            let wanted = gaps(&trace).into_iter().filter(|gap| gap.kind == kind);
            named.extend(wanted.map(|gap| (gap.event.session.to_string(), gap.event.seq)));
        }
        Ok(events(named))
    }
}

/// The events that an entry of a case names.
fn references(event: &Event) -> Vec<(String, u64)> {
    let named = ["about", "cause"].iter().filter_map(|name| {
        let value = event.header.get(name)?;
        match value.as_u64() {
            Some(seq) => Some((event.session.to_string(), seq)),
            None => EventRef::parse(value.as_str()?).ok().map(|reference| (reference.session, reference.seq)),
        }
    });
    named.collect()
}

fn events(mut named: Vec<(String, u64)>) -> Node {
    named.sort_unstable();
    named.dedup();
    Node::Deep(Deep::Events(named))
}

fn sessions(names: impl IntoIterator<Item = String>) -> Node {
    let values = names.into_iter().map(|text| Item { text, prefix: false }).collect();
    Node::Keyword { field: Keyword::Session, values }
}
