//! Why a step is on the reading list, in words for its reader.

use std::fmt;

/// Why a step is listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason {
    /// An agent that does work, where another only hands it out.
    Worker,
    /// It says so with these words.
    Assumes(String),
    /// It says with these words that it looked; nothing was recorded since somebody spoke.
    Claims(String),
    /// It was refused, by a person or a rule, as the event with this sequence says.
    Refused(u64),
    /// What it did failed first, in the event with this sequence.
    FailedFirst(u64),
    /// It is the last change before the first test that failed.
    TestedFirst(u64),
    /// It changed state.
    Changed,
    /// It wrote code.
    WroteCode,
    /// Its command or code goes round what would check it, with these words.
    Bypasses(String),
    /// It went on from what the look-up with this sequence found.
    WentOnFrom(u64),
    /// The first time that a coordinator says that all is done.
    SaysDone,
    /// The first time that a coordinator gives its plan up.
    GivesUp,
    /// The last step, and the record ends in an error.
    BreaksOff,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Worker => f.write_str("worker"),
            Self::Assumes(words) => write!(f, "says \"{words}\""),
            Self::Claims(words) => {
                write!(f, "says \"{words}\", with no act recorded since the message before")
            }
            Self::Refused(seq) => write!(f, "was refused (/{seq})"),
            Self::FailedFirst(seq) => write!(f, "failed first (/{seq})"),
            Self::TestedFirst(seq) => write!(f, "last change before the first failing test (/{seq})"),
            Self::Changed => f.write_str("changed state"),
            Self::WroteCode => f.write_str("wrote code"),
            Self::Bypasses(words) => write!(f, "goes round a check (`{words}`)"),
            Self::WentOnFrom(seq) => write!(f, "went on from what /{seq} found"),
            Self::SaysDone => f.write_str("coordinator says that all is done"),
            Self::GivesUp => f.write_str("coordinator gives its plan up"),
            Self::BreaksOff => f.write_str("the last step, and it ends in an error"),
        }
    }
}
