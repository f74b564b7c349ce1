//! Text that a caller hands in: an argument, a file, or standard input.

use std::fs;
use std::io::{IsTerminal as _, Read as _, stdin};
use std::path::Path;

use serde_json::Value;

use crate::args::team::Content;
use crate::failure::Failure;

/// A text given as an argument shows in the process list and has the system's limit.
pub(crate) const MAX_ARGUMENT_BYTES: usize = 128 * 1024;

/// The text, from wherever it comes.
pub(crate) fn text(content: &Content) -> Result<String, Failure> {
    if let Some(file) = &content.content_file {
        return file_or_stdin(file);
    }
    match content.text.as_deref().or(content.argument.as_deref()) {
        None if stdin().is_terminal() => Err(Failure::usage("there is no text")
            .hint("give it as an argument, with --content-file, or on standard input")),
        None | Some("-") => standard_input(),
        Some(text) => argument(text).map(str::to_owned),
    }
}

/// A text that was given as an argument, unless it is too long for one.
fn argument(text: &str) -> Result<&str, Failure> {
    if text.len() <= MAX_ARGUMENT_BYTES {
        return Ok(text);
    }
    let message =
        format!("the text has {} bytes, more than the {MAX_ARGUMENT_BYTES} of an argument", text.len());
    Err(Failure::usage(message).hint("pass it on standard input with -, or with --content-file"))
}

/// JSON, from wherever it comes. A parser's complaint never repeats the text.
pub(crate) fn json(what: &str, content: &Content) -> Result<Value, Failure> {
    let text = text(content)?;
    parse(what, &text)
}

/// Reads JSON.
pub(crate) fn parse(what: &str, text: &str) -> Result<Value, Failure> {
    serde_json::from_str(text).map_err(|error| {
        let what = format!("{what} is no JSON (line {}, column {})", error.line(), error.column());
        Failure::usage(what).hint("nothing was recorded")
    })
}

/// A file's text; `-` is standard input.
pub(crate) fn file_or_stdin(file: &Path) -> Result<String, Failure> {
    if file == Path::new("-") {
        return standard_input();
    }
    fs::read_to_string(file).map_err(|e| Failure::io(&format!("read {}", file.display()), &e))
}

fn standard_input() -> Result<String, Failure> {
    let mut text = String::new();
    stdin().read_to_string(&mut text).map_err(|e| Failure::io("read standard input", &e))?;
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_too_long_for_an_argument_is_refused_with_the_way() {
        assert!(argument(&"x".repeat(MAX_ARGUMENT_BYTES)).is_ok());
        let refused = argument(&"x".repeat(MAX_ARGUMENT_BYTES + 1)).expect_err("too long");
        assert!(refused.text().contains("131073 bytes"));
        assert_eq!(refused.exit(), crate::failure::USAGE);
    }
}
