//! Errors as people read them: what, where, the code to look up, and what to do.

use std::fmt::Write as _;
use std::io;

use ::investigate::InvestigateError;
use ::investigate::cases::MODES;
use audit::AuditError;
use event::DraftError;
use journal::{FindingCode, JournalError};
use orchestrate::OrchestrateError;
use recorder::RecorderError;

use crate::harmless::harmless;
use crate::unsaid::unsaid;

/// Asked, and the answer is no.
pub(crate) const NO: u8 = 1;
/// Wrong call.
pub(crate) const USAGE: u8 = 2;
/// No such session or event.
pub(crate) const NOT_FOUND: u8 = 3;
/// Integrity failure.
pub(crate) const INTEGRITY: u8 = 4;
/// Refused by policy, or for want of a key.
pub(crate) const REFUSED: u8 = 6;
/// Input or output failed.
pub(crate) const IO: u8 = 74;

/// Why a command failed.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: u8,
    message: String,
    code: Option<&'static str>,
    hint: Option<String>,
}

impl Failure {
    pub(crate) fn new(exit: u8, message: impl Into<String>) -> Self {
        Self { exit, message: message.into(), code: None, hint: None }
    }

    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(USAGE, message)
    }

    #[must_use]
    pub(crate) fn code(mut self, code: &'static str) -> Self {
        self.code = Some(code);
        self
    }

    #[must_use]
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    pub(crate) fn io(doing: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            // whoever read our output has seen enough
            return Self::new(0, String::new());
        }
        Self::new(IO, format!("cannot {doing}: {error}")).code("R0008")
    }

    /// The text for one line of a stream, without the frame of a whole failure.
    pub(crate) fn text(&self) -> String {
        harmless(&unsaid(&self.message))
    }

    pub(crate) fn exit(&self) -> u8 {
        self.exit
    }

    /// Prints the failure and gives the exit code.
    pub(crate) fn report(&self) -> u8 {
        if self.exit == 0 {
            return 0;
        }
        let mut text = format!("error: {}", multiline(&self.message));
        if let Some(code) = self.code {
            let _ = write!(text, " [{code}]");
        }
        text.push('\n');
        if let Some(hint) = &self.hint {
            let _ = write!(text, "\nhint: {}\n", multiline(hint));
        }
        let _ = io::Write::write_all(&mut io::stderr(), text.as_bytes());
        self.exit
    }
}

fn multiline(text: &str) -> String {
    unsaid(text).split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

fn with_sources(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let _ = write!(text, ": {cause}");
        source = cause.source();
    }
    text
}

impl From<RecorderError> for Failure {
    fn from(error: RecorderError) -> Self {
        let text = with_sources(&error);
        match error {
            RecorderError::Journal(error) => error.into(),
            RecorderError::Redact { .. } => Self::usage(text).code("R0007"),
            RecorderError::Index(_) => {
                Self::new(IO, text).code("R0013").hint("`recount reindex` makes the index anew; --no-index does without it")
            }
            RecorderError::NoSession { near, .. } => {
                let hint = near.map(|near| format!("did you mean {near:?}? `recount sessions` lists them"));
                Self::new(NOT_FOUND, text).code("R0005").hint(hint.unwrap_or("`recount sessions` lists them".to_owned()))
            }
            RecorderError::Paused { reason, .. } => {
                Self::new(REFUSED, text).hint(format!("unset {reason} to record again"))
            }
            RecorderError::Ambiguous { some, .. } => {
                Self::new(NOT_FOUND, text).code("R0005").hint(format!("write more of one of {}", some.join(", ")))
            }
            RecorderError::NoEvent { session, last, .. } => {
                let hint = match last {
                    Some(last) => format!("the last event of this session is {session}/{last}"),
                    None => format!("{session} has no events"),
                };
                Self::new(NOT_FOUND, text).code("R0005").hint(hint)
            }
            RecorderError::OtherHash { .. } => Self::new(INTEGRITY, text)
                .code("R0014")
                .hint("the link names another event than the one stored here: another store, or a rewritten journal"),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(error: JournalError) -> Self {
        let text = with_sources(&error);
        match error {
            JournalError::Disk { .. } => {
                Self::new(IO, text).code("R0008").hint("nothing was acknowledged that is not stored")
            }
            JournalError::NoStore { .. } => Self::new(NOT_FOUND, text)
                .code("R0001")
                .hint("`recount init` makes one; --store or $RECOUNT_STORE says where"),
            JournalError::BadStore { .. } => Self::new(INTEGRITY, text).code("R0012"),
            JournalError::NewerFormat { .. } => {
                Self::new(INTEGRITY, text).code("R0002").hint("use a newer recount")
            }
            JournalError::Locked { .. } => {
                Self::new(IO, text).code("R0003").hint("try again when it is done")
            }
            JournalError::Purging { .. } => Self::new(REFUSED, text)
                .code("R0020")
                .hint("`recount seal` finishes the purge; then the session begins anew"),
            JournalError::NotErasable { .. } => Self::new(REFUSED, text).code("R0021"),
            JournalError::Poisoned { .. } => Self::new(IO, text).code("R0009"),
            JournalError::Damaged(finding) => {
                let code = if finding.code == FindingCode::TornTail { "R0010" } else { "R0004" };
                Self::new(INTEGRITY, text)
                    .code(code)
                    .hint(format!("`recount verify {}` shows all findings", finding.session))
            }
            JournalError::NoSession { .. } | JournalError::NoEvent { .. } => {
                Self::new(NOT_FOUND, text).code("R0005")
            }
            JournalError::Encode { .. } => Self::usage(text).code("R0007"),
            JournalError::NoBlob { .. } | JournalError::BlobChanged { .. } => {
                Self::new(INTEGRITY, text).code("R0011")
            }
        }
    }
}

impl From<AuditError> for Failure {
    fn from(error: AuditError) -> Self {
        let text = with_sources(&error);
        match error {
            AuditError::Journal(error) => error.into(),
            AuditError::Recorder(error) => error.into(),
            AuditError::NoKey { .. } => Self::new(REFUSED, text)
                .code("R0016")
                .hint("a store is sealed where its keys are; `recount keys` shows what is here, `recount explain R0016` what to do without"),
            AuditError::Chance { .. } | AuditError::Write { .. } | AuditError::Read { .. } => {
                Self::new(IO, text).code("R0008")
            }
            AuditError::KeyFile { .. } => Self::new(INTEGRITY, text).code("R0016").hint(
                "put back a copy of the file, or compare the store with a pin kept elsewhere and run `recount keys recover`",
            ),
            AuditError::LogDamaged { .. } | AuditError::Unsealable { .. } => {
                Self::new(INTEGRITY, text).code("R0015").hint("`recount verify` shows all findings")
            }
            AuditError::Behind { .. } => Self::new(INTEGRITY, text)
                .code("R0015")
                .hint("the store is an old copy, or was changed; `recount verify` shows all findings"),
            AuditError::NeverSealed | AuditError::NotSealed { .. } => {
                Self::new(NO, text).hint("`recount seal` seals it now")
            }
            AuditError::BadPolicy { .. } | AuditError::BadCustody { .. } => Self::usage(text),
            AuditError::Exists { .. } => Self::usage(text).hint("a bundle is made where nothing is yet"),
            AuditError::NotSigned { .. } => {
                Self::new(REFUSED, text).hint("no bundle was made; the log says that one was asked for")
            }
            AuditError::Held { .. } => Self::new(REFUSED, text)
                .code("R0020")
                .hint("`recount hold list` shows the holds; a court's order goes before a hold"),
            AuditError::NotErased { .. } => {
                Self::new(INTEGRITY, text).code("R0021").hint("`recount verify` shows all findings")
            }
            AuditError::StillThere { .. } => Self::new(IO, text).code("R0021").hint("`recount repair` sweeps again"),
            AuditError::TooYoung { .. } => Self::new(REFUSED, text)
                .code("R0020")
                .hint("an order (--basis gdpr17, secret, court or contract) needs no age"),
            AuditError::NoHold { .. } => Self::new(NO, text).hint("`recount hold list` shows the holds"),
            AuditError::Busy { session } => Self::new(IO, text)
                .code("R0003")
                .hint(format!("try again when it is done; after a crash, `recount repair {session}` comes first")),
            AuditError::BadStamp { .. } => Self::usage(text)
                .hint("`recount anchor rfc3161` says how to have the checkpoint stamped"),
            AuditError::BadPin { .. } => Self::usage(text).hint("`recount pin` prints one"),
        }
    }
}

impl From<InvestigateError> for Failure {
    fn from(error: InvestigateError) -> Self {
        let text = error.to_string();
        match error {
            InvestigateError::Store(error) => error.into(),
            InvestigateError::Query(_) => Self::usage(text).code("R0006"),
            InvestigateError::Value { .. } => Self::usage(text),
            InvestigateError::NoCase { .. } => {
                Self::new(NOT_FOUND, text).code("R0005").hint("`recount case list` lists them")
            }
            InvestigateError::NoneOpen => {
                Self::new(NOT_FOUND, text).hint("`recount case open TITLE` begins one")
            }
            InvestigateError::NoMode { mode } => {
                let codes: Vec<&str> = MODES.iter().map(|(code, _)| *code).collect();
                let near = event::nearest(&mode.to_uppercase(), codes.iter().copied());
                let near = near.map_or_else(String::new, |near| format!("did you mean {near}? "));
                Self::usage(text).hint(format!("{near}the modes of MAST are {}", codes.join(", ")))
            }
        }
    }
}

impl From<OrchestrateError> for Failure {
    fn from(error: OrchestrateError) -> Self {
        let text = with_sources(&error);
        match error {
            OrchestrateError::Recorder(error) => error.into(),
            OrchestrateError::Draft(error) => error.into(),
            OrchestrateError::Word { .. }
            | OrchestrateError::Empty { .. }
            | OrchestrateError::Shape { .. }
            | OrchestrateError::Json { .. }
            | OrchestrateError::Handoff { .. } => {
                Self::usage(text).code("R0007").hint("nothing was recorded")
            }
            OrchestrateError::Query(_) => Self::usage(text).code("R0006"),
            OrchestrateError::Nothing { .. } => Self::new(NOT_FOUND, text).code("R0005"),
            OrchestrateError::File { .. } => Self::new(IO, text)
                .code("R0008")
                .hint("what was acknowledged is in the journal; its file beside it is a copy"),
        }
    }
}

impl From<DraftError> for Failure {
    fn from(error: DraftError) -> Self {
        Self::usage(error.to_string()).code("R0007")
    }
}

impl From<event::NameError> for Failure {
    fn from(error: event::NameError) -> Self {
        Self::usage(error.to_string())
    }
}
