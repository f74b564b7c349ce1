//! The records of one file, one by one, into the sink.

use event::Draft;

use super::frame::{Frame, stand_for, tell_repairs};
use super::report::Report;
use crate::{Gap, Item, Keys, Mapped, Place, Sink, SourceFile, Taken, Transcript};

/// Hands the records of one file to the sink and keeps count.
pub(super) struct Intake<'a, S> {
    transcript: &'a mut dyn Transcript,
    pub(super) sink: &'a mut S,
    pub(super) report: &'a mut Report,
    frame: Frame,
    /// Records that begin before this offset were told before: they are mapped for what follows, and not told.
    pub(super) known: u64,
    /// Behind the beginning of the last record, or where a gap begins that ends the file: it may go on.
    pub(super) read_to: u64,
    /// Calls that are held back until their response is over; `None` where all is there.
    pub(super) held: Option<Vec<(Draft, Place)>>,
}

impl<'a, S: Sink> Intake<'a, S> {
    pub(super) fn new(
        source: &SourceFile,
        transcript: &'a mut dyn Transcript,
        sink: &'a mut S,
        report: &'a mut Report,
    ) -> Self {
        let frame = Frame::new(source, &*sink as &dyn Keys);
        Self { transcript, sink, report, frame, known: 0, read_to: 0, held: None }
    }

    pub(super) fn take(&mut self, item: Item<'_>) -> Result<(), S::Error> {
        self.report.records += 1;
        match item {
            Item::Gap(gap) => {
                self.read_to = gap.place.offset;
                self.gap(gap)
            }
            Item::Record(record) => {
                self.read_to = record.place.offset + 1;
                let (place, repaired) = (record.place, record.repaired.clone());
                self.report.repaired += u64::from(!repaired.is_empty());
                let mapped = self.transcript.map(record, &*self.sink as &dyn Keys);
                if place.offset < self.known {
                    self.transcript.opening();
                    self.report.duplicates += 1;
                    return Ok(());
                }
                self.mapped(mapped, place, &repaired)
            }
        }
    }

    fn mapped(&mut self, mapped: Mapped, place: Place, repaired: &[&'static str]) -> Result<(), S::Error> {
        let (mut drafts, raw) = match mapped {
            Mapped::Events(drafts) => (drafts, false),
            Mapped::Raw(draft) => (vec![draft], true),
            Mapped::Duplicate => {
                self.report.duplicates += 1;
                return Ok(());
            }
            Mapped::Elsewhere => {
                self.report.linked += 1;
                self.report.elsewhere += 1;
                return Ok(());
            }
        };
        tell_repairs(&mut drafts, repaired);
        self.stand_for_gap(&mut drafts, place);
        self.hold(&mut drafts, place)?;
        if drafts.is_empty() {
            self.report.stored += 1;
            return Ok(());
        }
        let events = drafts.len() as u64;
        match self.store(drafts, place.line)? {
            Taken::Stored => {
                self.report.events += events;
                *(if raw { &mut self.report.raw } else { &mut self.report.stored }) += 1;
            }
            Taken::Duplicate => self.report.duplicates += 1,
            Taken::Linked => self.report.linked += 1,
        }
        Ok(())
    }

    /// Holds a call back while its response may go on; what comes after a response tells the calls before.
    fn hold(&mut self, drafts: &mut Vec<Draft>, place: Place) -> Result<(), S::Error> {
        if self.held.is_none() {
            return Ok(());
        }
        let is_next = |draft: &Draft| {
            draft.kind == *"model.called"
                || draft.kind == *"skill.returned"
                || draft.header.get("role").is_some_and(|role| role == "user")
        };
        if drafts.iter().any(is_next) {
            self.release()?;
        }
        let Some(held) = &mut self.held else { return Ok(()) };
        let transcript = &*self.transcript;
        held.extend(drafts.extract_if(.., |draft| transcript.holds_back(draft)).map(|draft| (draft, place)));
        Ok(())
    }

    /// Tells the calls that were held back, with what has been learned of them since.
    pub(super) fn release(&mut self) -> Result<(), S::Error> {
        let held = self.held.as_mut().map(std::mem::take).unwrap_or_default();
        for (mut draft, place) in held {
            if self.transcript.settle(&mut draft) && self.store(vec![draft], place.line)? == Taken::Stored {
                self.report.events += 1;
            }
        }
        Ok(())
    }

    fn stand_for_gap(&self, drafts: &mut [Draft], place: Place) {
        let key = self.frame.gap_key(&*self.sink, self.transcript.gap_session(), place.offset);
        if self.sink.session_of(&key).is_some() {
            stand_for(drafts, key);
        }
    }

    pub(super) fn gap(&mut self, gap: Gap) -> Result<(), S::Error> {
        let (line, bytes) = (gap.place.line, gap.bytes);
        let draft = self.frame.gap(&*self.sink, self.transcript.gap_session(), gap);
        self.report.gap_bytes += bytes;
        match self.store(vec![draft], line)? {
            Taken::Stored => {
                self.report.events += 1;
                self.report.gaps += 1;
            }
            Taken::Duplicate => self.report.duplicates += 1,
            Taken::Linked => self.report.linked += 1,
        }
        Ok(())
    }

    /// The session's opening goes in front of the first drafts; it is no record's own.
    fn store(&mut self, drafts: Vec<Draft>, line: u64) -> Result<Taken, S::Error> {
        // a file that grows says more of its session when it is read again: it was opened all the same
        let opening = self.transcript.opening().filter(|opening| {
            let known = |key: &String| self.sink.session_of(key).is_some();
            self.held.is_none() || !opening.key.as_ref().is_some_and(known)
        });
        if let Some(opening) = opening
            && self.sink.take(vec![self.frame.placed(opening, line)])? == Taken::Stored
        {
            self.report.opened += 1;
        }
        let drafts = drafts.into_iter().map(|draft| self.frame.placed(draft, line)).collect();
        self.sink.take(drafts)
    }

    /// Like the opening, these are no record's own.
    pub(super) fn close(&mut self) -> Result<(), S::Error> {
        for draft in self.transcript.closing() {
            let line = self.report.records;
            if self.sink.take(vec![self.frame.placed(draft, line)])? == Taken::Stored {
                self.report.events += 1;
            }
        }
        Ok(())
    }
}
