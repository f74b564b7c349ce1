//! The head of one session: going on from the last seal, by what this process appended and by reading what
//! others did.

use event::{SessionId, genesis};
use journal::{Extent, Journal, Place, Pointer, ReadError};
use recorder::Link;

use crate::cache::{Head, TreeFile};
use crate::error::AuditError;
use crate::leaf::Seal;
use crate::tree::{Hash, Tree, hex, leaf_hash, unhex};

/// A run of fewer links is read: to check where it stands takes as long.
const SHORT_RUN: usize = 16;

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

/// On the way through a session, from its last seal on.
struct Walk<'a> {
    journal: &'a Journal,
    session: &'a SessionId,
    extent: Extent,
    tree: Tree,
    /// Where the next event stands; its `head` is the hash of the event before.
    end: Place,
    closed: bool,
}

/// Goes on from a head (or the beginning), up to `upto` events if that is given. What `links` tell is taken
/// from memory, everything else is read: every header is hashed and every link of the chain followed; payloads
/// are `verify`'s matter. `None` when nothing new is there.
pub(crate) fn advance(
    journal: &Journal,
    session: &SessionId,
    head: Option<&Head>,
    upto: Option<u64>,
    links: &[Link],
) -> Result<Option<Advanced>, Stuck> {
    let place = head.map_or_else(Place::default, |head| head.place.clone());
    let tree = head.map_or(Some(Tree::default()), |head| head.tree.tree());
    let tree = tree.filter(|tree| tree.size() == place.seq).ok_or_else(bad_cache)?;
    if journal.extent(session)?.ends_at(&place) {
        return Ok(None);
    }
    let extent = journal.settle(session)?;
    let mut end = place.clone();
    if place.seq == 0 {
        end.head = genesis(journal.store_id(), session.as_str());
    }
    let mut walk = Walk { journal, session, extent, tree, end, closed: false };
    for run in runs(links, place.seq).filter(|run| run.len() >= SHORT_RUN) {
        walk.read(Some(run[0].seq))?;
        walk.follow(run)?;
    }
    walk.read(upto)?;
    let Walk { extent, tree, end, closed, .. } = walk;
    if end.seq == place.seq {
        return Ok(None);
    }
    let before = extent.segments.iter().filter(|segment| segment.first < end.segment);
    let bytes = before.map(|segment| segment.len).sum::<u64>() + end.offset;
    Ok(Some(Advanced { tree, place: end, bytes, closed }))
}

fn bad_cache() -> Stuck {
    Stuck::Session("the cache of its head is none".to_owned())
}

/// Links from a sequence on that follow one another with no event of others between them.
fn runs(links: &[Link], from: u64) -> impl Iterator<Item = &[Link]> {
    let known = links.partition_point(|link| link.seq < from);
    links[known..].chunk_by(|one, next| one.seq + 1 == next.seq)
}

impl Walk<'_> {
    fn read(&mut self, upto: Option<u64>) -> Result<(), Stuck> {
        if self.extent.ends_at(&self.end) {
            return Ok(());
        }
        // the reader finds the first segment by a place that says nothing
        let from = if self.end.seq == 0 { Place::default() } else { self.end.clone() };
        let mut reader = self.journal.read(self.session, from)?.heads_only();
        while upto.is_none_or(|upto| self.tree.size() < upto) {
            let entry = match reader.next() {
                Ok(Some(entry)) => entry,
                Ok(None) => break,
                Err(ReadError::Damage(finding)) => return Err(Stuck::Session(finding.to_string())),
                Err(ReadError::Journal(error)) => return Err(error.into()),
            };
            if !is_settled(&self.extent, &entry.pointer) {
                break;
            }
            let line = &entry.line;
            if line.prev != self.end.head || !line.hash_matches() {
                let what = format!("{}/{}: the chain does not hold", self.session, line.seq);
                return Err(Stuck::Session(what));
            }
            self.tree.push(leaf_hash(&unhex(line.hash).ok_or_else(bad_cache)?));
            self.closed = line.kind == "session.closed";
            self.end = behind(&entry.pointer, line.seq, line.hash);
        }
        Ok(())
    }

    /// Takes a run from memory, if it goes on from here and its first and last event stand where it says, on
    /// the disk. In any doubt it takes nothing, and reading tells what is there.
    fn follow(&mut self, run: &[Link]) -> Result<(), Stuck> {
        let [first, .., before, last] = run else { return Ok(()) };
        let goes_on = first.seq == self.end.seq && is_settled(&self.extent, &last.pointer);
        if !goes_on || !self.stands(first, &self.end.head)? || !self.stands(last, &before.hash)? {
            return Ok(());
        }
        let hashes: Option<Vec<Hash>> = run.iter().map(|link| unhex(&link.hash)).collect();
        for hash in hashes.ok_or_else(bad_cache)? {
            self.tree.push(leaf_hash(&hash));
        }
        self.closed = last.closes;
        self.end = behind(&last.pointer, last.seq, &last.hash);
        Ok(())
    }

    fn stands(&self, link: &Link, prev: &str) -> Result<bool, Stuck> {
        let (segment, offset) = (link.pointer.segment, link.pointer.offset);
        let place = Place { segment, offset, seq: link.seq, head: String::new() };
        match self.journal.read(self.session, place)?.heads_only().next() {
            Ok(Some(entry)) => {
                let line = &entry.line;
                Ok(line.hash == link.hash && line.prev == prev && line.hash_matches())
            }
            Ok(None) | Err(ReadError::Damage(_)) => Ok(false),
            Err(ReadError::Journal(error)) => Err(error.into()),
        }
    }
}

fn behind(at: &Pointer, seq: u64, hash: &str) -> Place {
    let offset = at.offset + u64::from(at.len) + 1;
    Place { segment: at.segment, offset, seq: seq + 1, head: hash.to_owned() }
}

fn is_settled(extent: &Extent, at: &Pointer) -> bool {
    let end = at.offset + u64::from(at.len) + 1;
    extent.segments.last().is_some_and(|last| (at.segment, end) <= (last.first, last.len))
}

/// The head that a seal stands for, read again from the journal.
pub(crate) fn again(
    journal: &Journal,
    session: &SessionId,
    seal: &Seal,
    previous: String,
) -> Result<Head, Stuck> {
    let stands = advance(journal, session, None, Some(seal.events), &[])?;
    let fits = |there: &Advanced| {
        there.tree.size() == seal.events
            && hex(&there.tree.root()) == seal.root
            && there.place.head == seal.head
    };
    let there =
        stands.filter(fits).ok_or_else(|| Stuck::Session(format!("{session} is not what was sealed")))?;
    Ok(Head { previous, place: there.place, tree: TreeFile::from(&there.tree) })
}
