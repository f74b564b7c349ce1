//! One segment to read from, whether it stands as lines or compressed. Offsets are of the lines either way.

use std::sync::{Mutex, PoisonError};

use event::SessionId;
use world::{DiskFile, Open};

use crate::erase::Mask;
use crate::error::{Context, JournalError};
use crate::finding::{Finding, FindingCode};
use crate::frames::{self, Frames};
use crate::layout::Shape;
use crate::store::Journal;

/// An open segment.
#[derive(Debug)]
pub(crate) struct Segment {
    session: SessionId,
    first: u64,
    path: std::path::PathBuf,
    file: Box<dyn DiskFile>,
    packed: Option<Packed>,
    mask: Option<Mask>,
}

#[derive(Debug)]
struct Packed {
    frames: Frames,
    /// The content of the frame that was read last.
    hot: Mutex<Option<(usize, Vec<u8>)>>,
}

impl Segment {
    /// Opens the segment that begins with `first`; `None` if there is none.
    pub(crate) fn open(
        journal: &Journal,
        session: &SessionId,
        first: u64,
    ) -> Result<Option<Self>, JournalError> {
        // one that is just being compressed or restored is there under the other name by the time we look
        for shape in [Shape::Lines, Shape::Packed, Shape::Lines] {
            let path = journal.layout.segment_as(session, first, shape);
            let file = match journal.world.disk.open(&path, Open::Read) {
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
                opened => opened.at("open", &path)?,
            };
            let packed = match shape {
                Shape::Lines => None,
                Shape::Packed => {
                    let len = file.stat().at("look at", &path)?.len;
                    let frames = frames::scan(&*file, len).at("read", &path)?;
                    Some(Packed { frames, hot: Mutex::new(None) })
                }
            };
            let mask = Mask::of(journal, session, first)?;
            return Ok(Some(Self { session: session.clone(), first, path, file, packed, mask }));
        }
        Ok(None)
    }

    /// Reads at an offset of the lines; 0 at the end. What is ordered to be erased does not come through.
    pub(crate) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize, JournalError> {
        let len = self.read_raw(buffer, offset)?;
        if let Some(mask) = &self.mask {
            mask.apply(&mut buffer[..len], offset);
        }
        Ok(len)
    }

    fn read_raw(&self, buffer: &mut [u8], offset: u64) -> Result<usize, JournalError> {
        let Some(packed) = &self.packed else {
            return self.file.read_at(buffer, offset).at("read", &self.path);
        };
        let Some(at) = packed.frames.find(offset) else {
            return packed.frames.damage.map_or(Ok(0), |what| Err(self.damaged(offset, what)));
        };
        let frame = packed.frames.list[at];
        let mut hot = packed.hot.lock().unwrap_or_else(PoisonError::into_inner);
        if hot.as_ref().is_none_or(|(known, _)| *known != at) {
            let content = frames::unpack(&*self.file, &frame).at("read", &self.path)?;
            let what = "a compressed frame is not what was compressed";
            *hot = Some((at, content.ok_or_else(|| self.damaged(frame.start, what))?));
        }
        let from = usize::try_from(offset - frame.start).unwrap_or(usize::MAX);
        let content = hot.as_ref().and_then(|(_, content)| content.get(from..)).unwrap_or_default();
        let len = content.len().min(buffer.len());
        buffer[..len].copy_from_slice(&content[..len]);
        Ok(len)
    }

    /// Reads until the buffer is full or the segment ends.
    pub(crate) fn read_full_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize, JournalError> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.read_at(&mut buffer[filled..], offset + filled as u64)? {
                0 => break,
                count => filled += count,
            }
        }
        Ok(filled)
    }

    /// Bytes of its lines, as far as they can be told.
    pub(crate) fn len(&self) -> Result<u64, JournalError> {
        match &self.packed {
            Some(packed) => Ok(packed.frames.len()),
            None => Ok(self.file.stat().at("look at", &self.path)?.len),
        }
    }

    fn damaged(&self, offset: u64, what: &str) -> JournalError {
        JournalError::Damaged(Finding {
            code: FindingCode::Malformed,
            session: self.session.to_string(),
            seq: self.first,
            segment: self.first,
            offset,
            cause: what.to_owned(),
        })
    }
}
