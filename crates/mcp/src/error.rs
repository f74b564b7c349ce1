//! What can go wrong, for the agent that asked and for who started the server.

use recorder::RecorderError;

/// Why the server ended.
#[derive(Debug, thiserror::Error)]
pub enum McpError {
    /// The runtime could not be made.
    #[error("cannot start serving")]
    Runtime {
        /// Why.
        source: std::io::Error,
    },
    /// The other side did not speak the protocol.
    #[error("the client did not begin as the protocol says: {what}")]
    Client {
        /// What it did.
        what: String,
    },
}

/// Why a call has no answer, and what to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) what: String,
    pub(crate) hint: String,
}

impl Refusal {
    pub(crate) fn new(what: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { what: what.into(), hint: hint.into() }
    }

    pub(crate) fn text(&self) -> String {
        let text = format!("error: {}\nhint: {}", self.what, self.hint);
        recorder::harmless_text(&text)
    }
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        text = format!("{text}: {cause}");
        source = cause.source();
    }
    text
}

impl From<RecorderError> for Refusal {
    fn from(error: RecorderError) -> Self {
        let text = with_sources(&error);
        let hint = match error {
            RecorderError::NoSession { near: Some(near), .. } => {
                format!("did you mean {near:?}? the tool `sessions` lists them")
            }
            RecorderError::NoSession { .. } => "the tool `sessions` lists them".to_owned(),
            RecorderError::Ambiguous { some, .. } => format!("write more of one of {}", some.join(", ")),
            RecorderError::NoEvent { session, last: Some(last), .. } => {
                format!("the last event of this session is {session}/{last}")
            }
            RecorderError::OtherHash { .. } => {
                "the link names another event than the one stored here".to_owned()
            }
            RecorderError::Redact { .. } => "mend the text or the name and call again".to_owned(),
            _ => "a person should look: `recount doctor` and `recount verify` say more".to_owned(),
        };
        Self::new(text, hint)
    }
}

impl From<journal::JournalError> for Refusal {
    fn from(error: journal::JournalError) -> Self {
        RecorderError::from(error).into()
    }
}

impl From<orchestrate::OrchestrateError> for Refusal {
    fn from(error: orchestrate::OrchestrateError) -> Self {
        use orchestrate::OrchestrateError as Error;
        let text = with_sources(&error);
        let hint = match error {
            Error::Recorder(error) => return error.into(),
            Error::File { .. } => "a person should look at the folder; nothing else was written",
            Error::Nothing { .. } => "the tools `timeline` and `search` show what there is",
            _ => "mend the argument and call again; nothing was recorded",
        };
        Self::new(text, hint)
    }
}

impl From<event::DraftError> for Refusal {
    fn from(error: event::DraftError) -> Self {
        Self::new(error.to_string(), "mend the argument and call again; nothing was recorded")
    }
}
