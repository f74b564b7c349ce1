//! The recorder as a sink.

use event::Draft;
use recorder::{Importing, Outcome, RecorderError};

use crate::{Hasher, Keys, Sink, Taken};

impl Keys for Importing<'_> {
    fn derived_key(&self, material: &str) -> String {
        Importing::derived_key(self, material)
    }

    fn session_of(&self, key: &str) -> Option<String> {
        self.owner(key)
    }

    fn hasher(&self) -> Option<Hasher> {
        Some(std::sync::Arc::new(Importing::hasher(self)))
    }
}

impl Sink for Importing<'_> {
    type Error = RecorderError;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, RecorderError> {
        Importing::take(self, drafts).map(|outcome| match outcome {
            Outcome::Stored => Taken::Stored,
            Outcome::Duplicate => Taken::Duplicate,
            Outcome::Linked => Taken::Linked,
        })
    }

    fn file_done(&mut self) -> Result<(), RecorderError> {
        self.sync()
    }

    fn redacted(&self) -> u64 {
        Importing::redacted(self)
    }
}
