//! The recorder as a sink, and a rehearsal of it.

use std::path::Path;

use event::Draft;
use recorder::{Cleaned, Cleaner, Importing, Outcome, RecorderError, Rehearsal};

use crate::{Cursor, Keys, Past, Sink, Taken};

impl Keys for Importing<'_> {
    fn derived_key(&self, material: &str) -> String {
        Importing::derived_key(self, material)
    }

    fn session_of(&self, key: &str) -> Option<String> {
        self.owner(key)
    }

    fn told(&self, session: &str) -> Vec<Past> {
        // a session that cannot be read has told nothing; what is wrong with it comes out when it is written
        Importing::told(self, session).unwrap_or_default()
    }
}

impl Sink for Importing<'_> {
    type Error = RecorderError;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, RecorderError> {
        Importing::take(self, drafts).map(Taken::from)
    }

    fn cleaner(&self) -> Option<Cleaner> {
        Some(Importing::cleaner(self))
    }

    fn take_cleaned(&mut self, cleaned: Vec<Cleaned>) -> Result<Taken, RecorderError> {
        Importing::take_cleaned(self, cleaned).map(Taken::from)
    }

    fn flush(&mut self) -> Result<(), RecorderError> {
        Importing::flush(self)
    }

    fn file_begins(&mut self) -> Result<(), RecorderError> {
        self.begin()
    }

    fn cursor(&self, path: &Path) -> Option<Cursor> {
        self.remembered(&path.to_string_lossy())
    }

    fn remember(&mut self, path: &Path, cursor: &Cursor) {
        Importing::remember(self, &path.to_string_lossy(), cursor);
    }

    fn file_done(&mut self) -> Result<(), RecorderError> {
        self.sync()
    }

    fn redacted(&self) -> u64 {
        Importing::redacted(self)
    }
}

impl From<Outcome> for Taken {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Stored => Self::Stored,
            Outcome::Duplicate => Self::Duplicate,
            Outcome::Linked => Self::Linked,
        }
    }
}

impl Keys for Rehearsal<'_> {
    fn derived_key(&self, material: &str) -> String {
        Rehearsal::derived_key(self, material)
    }

    fn session_of(&self, key: &str) -> Option<String> {
        self.owner(key)
    }
}

impl Sink for Rehearsal<'_> {
    type Error = RecorderError;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, RecorderError> {
        Rehearsal::take(self, drafts).map(Taken::from)
    }

    fn file_begins(&mut self) -> Result<(), RecorderError> {
        self.begin()
    }

    fn cursor(&self, path: &Path) -> Option<Cursor> {
        self.remembered(&path.to_string_lossy())
    }

    fn redacted(&self) -> u64 {
        Rehearsal::redacted(self)
    }
}
