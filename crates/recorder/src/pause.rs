//! Recording paused: the door says so, and the pause is recorded itself, so that a gap is seen by whoever reads.
//!
//! A session that something was to be recorded in gets one `recording.paused`; the first event after the pause
//! comes behind a `recording.resumed`. What was to be recorded meanwhile is refused, never silently lost.

use event::SessionId;
use redact::{Clean, Fact};

use crate::error::RecorderError;
use crate::record::Recorder;

/// What a door knows of a pause, and remembers from process to process.
pub trait Pause: Send + Sync {
    /// Why nothing is to be recorded now; `None` if everything is.
    fn reason(&self) -> Option<&'static str>;
    /// True if a pause of the session was recorded, and not its end.
    fn is_noted(&self, session: &str) -> bool;
    /// Remembers that it was, or that it ended.
    fn note(&self, session: &str, paused: bool);
}

impl Recorder {
    /// The same recorder behind a door that may pause it.
    #[must_use]
    pub fn with_pause(mut self, pause: Box<dyn Pause>) -> Self {
        self.pause = Some(pause);
        self
    }

    /// Records the beginning or the end of a pause where it falls due. An error while it lasts.
    pub(crate) fn mind_pause(&mut self, name: &str, session: &SessionId) -> Result<(), RecorderError> {
        let Some(pause) = self.pause.take() else { return Ok(()) };
        let minded = self.minded(&*pause, name, session);
        self.pause = Some(pause);
        minded
    }

    fn minded(&mut self, pause: &dyn Pause, name: &str, session: &SessionId) -> Result<(), RecorderError> {
        let noted = pause.is_noted(session.as_str());
        match pause.reason() {
            None if !noted => Ok(()),
            None => {
                self.say(name, session, "recording.resumed", vec![])?;
                pause.note(session.as_str(), false);
                Ok(())
            }
            Some(reason) => {
                if !noted {
                    self.say(name, session, "recording.paused", vec![("reason", Fact::Word(reason))])?;
                    self.sync()?;
                    pause.note(session.as_str(), true);
                }
                Err(RecorderError::Paused { session: session.to_string(), reason })
            }
        }
    }

    fn say(
        &mut self,
        name: &str,
        session: &SessionId,
        kind: &'static str,
        data: Vec<(&'static str, Fact)>,
    ) -> Result<(), RecorderError> {
        self.append(name, &Clean::system(session.clone(), kind, vec![], data)).map(drop)
    }
}
