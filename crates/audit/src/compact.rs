//! Compressing what is done with: segments that another follows, that read well, and all of whose events are sealed.

use event::SessionId;
use journal::{Journal, Packed, Place, ReadError};

use crate::error::AuditError;
use crate::verify::{Demands, sealed_events};

/// What became of a segment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// It was compressed.
    Packed(Packed),
    /// It would be, of so many bytes.
    Would(u64),
    /// It was left as it is, and why.
    Left(String),
}

/// One rolled segment that stood as lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compaction {
    /// The session.
    pub session: SessionId,
    /// The segment, by its first sequence.
    pub first: u64,
    /// What became of it.
    pub fate: Fate,
}

/// Compresses rolled segments of a session, or of all; `dry` only says which.
pub fn compact(
    journal: &Journal,
    only: Option<&SessionId>,
    dry: bool,
) -> Result<Vec<Compaction>, AuditError> {
    let sessions = only.map_or_else(|| journal.sessions(), |session| Ok(vec![session.clone()]))?;
    let mut rolled = Vec::new();
    for session in sessions {
        rolled.extend(
            journal.rolled(&session)?.into_iter().map(|(first, next)| (session.clone(), first, next)),
        );
    }
    if rolled.is_empty() {
        return Ok(Vec::new());
    }
    let sealed = sealed_events(journal, &Demands::default())?;
    let done = rolled.into_iter().map(|(session, first, next)| {
        let count = sealed.get(session.as_str()).copied().unwrap_or(0);
        let fate = fate(journal, &session, (first, next), count, dry)?;
        Ok(Compaction { session, first, fate })
    });
    done.collect()
}

fn fate(
    journal: &Journal,
    session: &SessionId,
    (first, next): (u64, u64),
    sealed: u64,
    dry: bool,
) -> Result<Fate, AuditError> {
    if sealed < next {
        return Ok(Fate::Left("not all of its events are sealed; `recount seal` seals them".to_owned()));
    }
    if let Some(what) = damage(journal, session, first)? {
        return Ok(Fate::Left(format!("{what}; damage is kept as it is")));
    }
    if dry {
        let extent = journal.extent(session)?;
        let bytes = extent.segments.iter().find(|segment| segment.first == first).map_or(0, |s| s.len);
        return Ok(Fate::Would(bytes));
    }
    let packed = journal.pack_segment(session, first)?;
    Ok(packed.map_or_else(|| Fate::Left("somebody is writing in it".to_owned()), Fate::Packed))
}

/// What is wrong with a segment; its first line may be chained to anything.
fn damage(journal: &Journal, session: &SessionId, first: u64) -> Result<Option<String>, AuditError> {
    let place = Place { segment: first, seq: first, ..Place::default() };
    // the reader takes a place that says nothing for the beginning, which it is
    let mut reader = journal.read(session, place)?;
    loop {
        match reader.next() {
            Ok(Some(entry)) if entry.pointer.segment == first => {}
            Err(ReadError::Damage(finding)) if finding.segment == first => {
                return Ok(Some(finding.to_string()));
            }
            Ok(_) | Err(ReadError::Damage(_)) => return Ok(None),
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
    }
}
