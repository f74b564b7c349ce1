//! Which events a bundle tells whole: those of a query, or all of the sessions that were named.

use std::collections::{BTreeMap, BTreeSet};

use event::SessionId;
use recorder::{Options, Query, Sort, Store};

use super::filter::{Filter, Wanted};
use super::telling::Pick;
use crate::error::AuditError;

/// Sessions and what is told of them.
#[derive(Debug, Clone)]
pub struct Selection {
    /// In order of their ids.
    pub sessions: Vec<(SessionId, Pick)>,
    /// The query, where headers alone decide it.
    pub filter: Option<Filter>,
}

/// Selects from a store: the named sessions, or all. A session without a match is left out where none was named.
pub fn select(store: &Store, named: &[SessionId], query: Option<&Query>) -> Result<Selection, AuditError> {
    let named: BTreeSet<SessionId> = named.iter().cloned().collect();
    let sessions = || -> Result<BTreeSet<SessionId>, AuditError> {
        let all = || store.journal().sessions().map(|all| all.into_iter().collect());
        Ok(if named.is_empty() { all()? } else { named.clone() })
    };
    let with = |pick: Pick| {
        Ok::<_, AuditError>(sessions()?.into_iter().map(|session| (session, pick.clone())).collect())
    };
    let Some(query) = query else { return Ok(Selection { sessions: with(Pick::All)?, filter: None }) };
    // a session by its caller's name is not what headers have
    let known = store.journal().sessions()?;
    let is_id = |wanted: &&Wanted| known.iter().any(|session| wanted.is(session.as_str()));
    let filter = Filter::of(&query.root).filter(|filter| filter.sessions().iter().all(is_id));
    if let Some(filter) = filter {
        return Ok(Selection { sessions: with(Pick::Matching(filter.clone()))?, filter: Some(filter) });
    }
    // the journal itself answers: nothing that is handed out rests on the index
    let options = Options { limit: usize::MAX, sort: Some(Sort::Oldest), context: 0 };
    let mut found: BTreeMap<SessionId, BTreeSet<u64>> =
        named.iter().map(|session| (session.clone(), BTreeSet::new())).collect();
    for hit in store.search(query, &options, true)?.hits {
        let session = hit.event.session;
        if named.is_empty() || named.contains(&session) {
            found.entry(session).or_default().insert(hit.event.seq);
        }
    }
    let sessions = found.into_iter().map(|(session, these)| (session, Pick::These(these))).collect();
    Ok(Selection { sessions, filter: None })
}
