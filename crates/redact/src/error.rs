//! Why a draft cannot be cleaned. No message repeats a byte of the draft.

/// A draft that has no clean form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedactError {
    /// The session's name has a path separator or a control character, or is empty.
    #[error("the session's name is refused: it is empty or has a path separator or control character")]
    Session,
    /// A member of `data` is itself named after a secret.
    #[error("member {index} of data (counted from 0) is named by a secret")]
    MemberName {
        /// Its place among the members.
        index: usize,
    },
}
