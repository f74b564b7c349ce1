//! Sealing as the commands that write do it: a seal that fails is said, and stops nothing.

use audit::{AuditError, Keyring, Sealed, Sealer, Sealing};
use journal::Journal;
use recorder::Recorder;
use world::World;

use crate::failure::Failure;
use crate::place;

/// Watches what a command records and seals it in time.
pub(crate) struct Seals {
    sealing: Sealing,
    warned: bool,
}

/// The sealer of a store, with its keys where the user has them.
pub(crate) fn sealer(journal: &Journal) -> Result<Sealer, Failure> {
    Ok(Sealer::new(journal, keyring(journal)?))
}

/// The keys of a store's log.
pub(crate) fn keyring(journal: &Journal) -> Result<Keyring, Failure> {
    Ok(Keyring::new(World::real(), place::keys_dir(journal.store_id())?))
}

impl Seals {
    pub(crate) fn new(recorder: &Recorder) -> Result<Self, Failure> {
        let sealing = Sealing::new(sealer(recorder.store().journal())?);
        Ok(Self { sealing, warned: false })
    }

    /// After each event of a stream.
    pub(crate) fn after(&mut self, recorder: &mut Recorder) {
        let sealed = self.sealing.after(recorder);
        self.told(sealed);
    }

    /// At the end of a stream.
    pub(crate) fn finish(&mut self, recorder: &mut Recorder) {
        let sealed = self.sealing.finish(recorder);
        self.told(sealed);
    }

    /// At the end of a command that records one event.
    pub(crate) fn leave(&mut self, recorder: &mut Recorder) {
        let sealed = self.sealing.leave(recorder);
        self.told(sealed);
    }

    fn told(&mut self, sealed: Result<Option<Sealed>, AuditError>) {
        let what = match sealed {
            Ok(Some(sealed)) => match sealed.stuck.into_iter().next() {
                Some((session, what)) => format!("{session}: {what}"),
                None => return,
            },
            Ok(None) => return,
            Err(error) => Failure::from(error).text(),
        };
        if !self.warned {
            eprintln!("warning: not sealed: {}", crate::harmless::harmless(&what));
            self.warned = true;
        }
    }
}
