//! The next seal of one session: from its cached head, or the last seal when that is lost.

use std::collections::{BTreeMap, BTreeSet};

use event::SessionId;
use recorder::Link;
use world::rfc3339;

use super::Log;
use crate::cache::{self, Head, TreeFile};
use crate::error::AuditError;
use crate::head::{self, Stuck};
use crate::leaf::{Leaf, Seal};
use crate::tree::{hex, leaf_hash};

impl Log<'_> {
    /// The last seals of those sessions whose cached head is gone: one reading of the log for all of them.
    pub(super) fn lost_heads(
        &self,
        sessions: &BTreeSet<SessionId>,
    ) -> Result<BTreeMap<SessionId, (Seal, String)>, AuditError> {
        let mut lost = BTreeMap::new();
        for session in sessions {
            if self.cached(session)?.is_none() {
                lost.insert(session.clone(), None);
            }
        }
        if lost.is_empty() {
            return Ok(BTreeMap::new());
        }
        let mut lines = self.sealer.journal.log_lines(0)?;
        while let Some((line, end)) = lines.next()? {
            if end > self.state.bytes {
                break;
            }
            let (session, last) = match Leaf::parse(line) {
                Ok(Leaf::Seal(seal)) => (seal.session.clone(), Some((seal, hex(&leaf_hash(line))))),
                // what comes after begins anew
                Ok(Leaf::Purge(purge)) => (purge.session, None),
                _ => continue,
            };
            if let Ok(session) = SessionId::new(&session)
                && let Some(found) = lost.get_mut(&session)
            {
                *found = last;
            }
        }
        Ok(lost.into_iter().filter_map(|(session, found)| Some((session, found?))).collect())
    }

    fn cached(&self, session: &SessionId) -> Result<Option<Head>, AuditError> {
        let bytes = self.sealer.journal.log_file(&format!("heads/{session}"))?;
        Ok(bytes.and_then(|bytes| cache::from_bytes(&bytes)))
    }

    pub(super) fn seal(
        &self,
        session: &SessionId,
        lost: Option<(Seal, String)>,
        links: &[Link],
    ) -> Result<Option<(Seal, Head)>, Stuck> {
        let journal = &self.sealer.journal;
        let known = match lost {
            Some((seal, hash)) => Some(head::again(journal, session, &seal, hash)?),
            None => self.cached(session)?,
        };
        let Some(there) = head::advance(journal, session, known.as_ref(), None, links)? else {
            return Ok(None);
        };
        let seal = Seal {
            session: session.to_string(),
            events: there.tree.size(),
            bytes: there.bytes,
            head: there.place.head.clone(),
            root: hex(&there.tree.root()),
            previous: known.map_or_else(|| "0".repeat(64), |head| head.previous),
            status: if there.closed { "closed" } else { "open" }.to_owned(),
            ts: rfc3339(self.sealer.now()),
        };
        let previous = hex(&leaf_hash(Leaf::Seal(seal.clone()).to_line().as_bytes()));
        let head = Head { previous, place: there.place, tree: TreeFile::from(&there.tree) };
        Ok(Some((seal, head)))
    }
}
