//! The head of one session: reading on from the last seal and making the next.

use event::{SessionId, genesis};
use journal::{Extent, Journal, Place, ReadError};

use crate::cache::{Head, TreeFile};
use crate::error::AuditError;
use crate::leaf::Seal;
use crate::tree::{Tree, hex, unhex};

/// Why a session cannot be sealed now; the others can.
#[derive(Debug)]
pub(crate) enum Stuck {
    /// What stands there is not what was sealed, or not whole, or somebody holds on to it.
    Session(String),
    /// The disk refused.
    Failed(AuditError),
}

impl From<AuditError> for Stuck {
    fn from(error: AuditError) -> Self {
        Self::Failed(error)
    }
}

impl From<journal::JournalError> for Stuck {
    fn from(error: journal::JournalError) -> Self {
        match error {
            error @ journal::JournalError::Locked { .. } => Self::Session(error.to_string()),
            error => Self::Failed(error.into()),
        }
    }
}

/// Where a session stands after its sealed events and those that follow.
pub(crate) struct Advanced {
    pub(crate) tree: Tree,
    pub(crate) place: Place,
    pub(crate) bytes: u64,
    pub(crate) closed: bool,
}

/// Reads on from a head (or the beginning), up to `upto` events if that is given. Every header is hashed and
/// every link of the chain followed; payloads are `verify`'s matter. `None` when nothing new is there.
pub(crate) fn advance(
    journal: &Journal,
    session: &SessionId,
    head: Option<&Head>,
    upto: Option<u64>,
) -> Result<Option<Advanced>, Stuck> {
    let place = head.map_or_else(Place::default, |head| head.place.clone());
    let bad_cache = || Stuck::Session("the cache of its head is none".to_owned());
    let mut tree = head.map_or(Some(Tree::default()), |head| head.tree.tree()).ok_or_else(bad_cache)?;
    if tree.size() != place.seq {
        return Err(bad_cache());
    }
    if journal.extent(session)?.ends_at(&place) {
        return Ok(None);
    }
    let extent = journal.settle(session)?;
    let mut end = place.clone();
    let mut chain =
        if place.seq == 0 { genesis(journal.store_id(), session.as_str()) } else { place.head.clone() };
    let mut closed = false;
    let mut reader = journal.read(session, place.clone())?.heads_only();
    while upto.is_none_or(|upto| tree.size() < upto) {
        let entry = match reader.next() {
            Ok(Some(entry)) => entry,
            Ok(None) => break,
            Err(ReadError::Damage(finding)) => return Err(Stuck::Session(finding.to_string())),
            Err(ReadError::Journal(error)) => return Err(error.into()),
        };
        let behind = entry.pointer.offset + u64::from(entry.pointer.len) + 1;
        if !is_settled(&extent, entry.pointer.segment, behind) {
            break;
        }
        let (line, seq) = (&entry.line, entry.line.seq);
        if line.prev != chain || !line.hash_matches() {
            return Err(Stuck::Session(format!("{session}/{seq}: the chain does not hold")));
        }
        let hash = unhex(line.hash).ok_or_else(bad_cache)?;
        tree.push(crate::tree::leaf_hash(&hash));
        line.hash.clone_into(&mut chain);
        closed = line.kind == "session.closed";
        end.segment = entry.pointer.segment;
        end.offset = behind;
        end.seq = seq + 1;
    }
    if end.seq == place.seq {
        return Ok(None);
    }
    end.head = chain;
    let before = extent.segments.iter().filter(|segment| segment.first < end.segment);
    let bytes = before.map(|segment| segment.len).sum::<u64>() + end.offset;
    Ok(Some(Advanced { tree, place: end, bytes, closed }))
}

fn is_settled(extent: &Extent, segment: u64, end: u64) -> bool {
    extent.segments.last().is_some_and(|last| (segment, end) <= (last.first, last.len))
}

/// The head that a seal stands for, read again from the journal.
pub(crate) fn again(
    journal: &Journal,
    session: &SessionId,
    seal: &Seal,
    previous: String,
) -> Result<Head, Stuck> {
    let stands = advance(journal, session, None, Some(seal.events))?;
    let fits = |there: &Advanced| {
        there.tree.size() == seal.events
            && hex(&there.tree.root()) == seal.root
            && there.place.head == seal.head
    };
    let there =
        stands.filter(fits).ok_or_else(|| Stuck::Session(format!("{session} is not what was sealed")))?;
    Ok(Head { previous, place: there.place, tree: TreeFile::from(&there.tree) })
}
