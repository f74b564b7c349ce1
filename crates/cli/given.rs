//! Text that is given as an argument, on standard input or in a file.

use std::io::{Read as _, stdin};
use std::path::Path;

use crate::failure::Failure;

/// A text given as an argument shows in the process list and has the system's limit.
const MAX_ARGUMENT_BYTES: usize = 128 * 1024;

/// The text, from where it is given; what is not UTF-8 is replaced.
pub(crate) fn text(what: &str, argument: Option<&str>, file: Option<&Path>) -> Result<String, Failure> {
    match (argument, file) {
        (None, Some(file)) => read(file),
        (Some("-"), None) => {
            let mut bytes = Vec::new();
            stdin().read_to_end(&mut bytes).map_err(|e| Failure::io("read standard input", &e))?;
            Ok(String::from_utf8_lossy(&bytes).into_owned())
        }
        (Some(text), None) if text.len() > MAX_ARGUMENT_BYTES => {
            let message = format!("{what} has {} bytes, more than {MAX_ARGUMENT_BYTES}", text.len());
            Err(Failure::usage(message).hint("pass it on standard input with -, or in a file"))
        }
        (Some(text), None) => Ok(text.to_owned()),
        (None, None) => Err(Failure::usage(format!("{what} is missing"))
            .hint("give it as an argument, - for standard input, or a file")),
        (Some(_), Some(_)) => Err(Failure::usage(format!("{what} is given twice"))),
    }
}

/// The text of a file.
pub(crate) fn read(file: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
