//! The recorder as a sink.

use event::Draft;
use recorder::{Importing, Outcome, RecorderError};

use crate::{Keys, Past, Sink, Taken};

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
