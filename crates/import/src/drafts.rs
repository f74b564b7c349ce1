//! Our own drafts as NDJSON, from any stream: `record` and `import -`.
//!
//! One guarded line at a time: a line beyond [`MAX_DRAFT_BYTES`] is skipped while it is read, every other
//! line goes through the parser alone, so that an error names its line and never stops the next one.

use std::io::{self, BufRead, BufReader, Read};

use event::{Draft, DraftError, Origin, draft_from_json};
use ndjson_stream::config::{EmptyLineHandling, NdjsonConfig};
use ndjson_stream::engine::NdjsonEngine;
use serde_json::value::RawValue;

/// The longest line.
pub const MAX_DRAFT_BYTES: usize = 16 * 1024 * 1024;
const BOM: &[u8] = b"\xef\xbb\xbf";

/// One line of the stream.
pub struct DraftLine {
    /// Its number, from 1.
    pub line: u64,
    /// What it says.
    pub draft: Result<Draft, DraftError>,
}

/// Reads drafts; blank lines are skipped. It ends with the stream or its first I/O error.
pub struct Drafts<R> {
    input: BufReader<R>,
    origin: Origin,
    line: u64,
    bytes: Vec<u8>,
    failed: bool,
}

impl<R: Read> Drafts<R> {
    /// Reads a stream whose drafts come through this door.
    pub fn new(input: R, origin: Origin) -> Self {
        Self { input: BufReader::new(input), origin, line: 0, bytes: Vec::new(), failed: false }
    }

    /// The next line, whole or too long; `None` at the end.
    fn read_line(&mut self) -> io::Result<Option<bool>> {
        self.bytes.clear();
        let limit = MAX_DRAFT_BYTES as u64 + 1;
        let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.bytes)?;
        if read == 0 {
            return Ok(None);
        }
        self.line += 1;
        if self.line == 1 && self.bytes.starts_with(BOM) {
            self.bytes.drain(..BOM.len());
        }
        let fits = self.bytes.len() <= MAX_DRAFT_BYTES || self.bytes.ends_with(b"\n");
        if !fits {
            self.bytes = Vec::new();
            self.input.skip_until(b'\n')?;
        }
        Ok(Some(fits))
    }

    /// The draft on the line at hand; `None` for a blank one.
    fn draft(&self) -> Option<Result<Draft, DraftError>> {
        // the parser wants its line ended; the last one may not be
        let blank = NdjsonConfig::default().with_empty_line_handling(EmptyLineHandling::IgnoreBlank);
        let mut parser = NdjsonEngine::<Box<RawValue>>::with_config(blank.with_parse_rest(true));
        parser.input(self.bytes.as_slice());
        parser.finalize();
        let not_json = |what: String| DraftError::NotJson { what };
        Some(match parser.pop()? {
            Ok(record) => draft_from_json(record.get(), self.origin),
            // never the text itself: it may hold a secret
            Err(error) if error.is_eof() => Err(not_json("it ends early".to_owned())),
            Err(error) => Err(not_json(format!("it is not JSON (column {})", error.column()))),
        })
    }
}

impl<R: Read> Iterator for Drafts<R> {
    type Item = io::Result<DraftLine>;

    fn next(&mut self) -> Option<Self::Item> {
        while !self.failed {
            match self.read_line() {
                Ok(None) => return None,
                Ok(Some(true)) => {
                    if let Some(draft) = self.draft() {
                        return Some(Ok(DraftLine { line: self.line, draft }));
                    }
                }
                Ok(Some(false)) => {
                    let what = format!("the line is longer than {} MiB", MAX_DRAFT_BYTES >> 20);
                    return Some(Ok(DraftLine { line: self.line, draft: Err(DraftError::NotJson { what }) }));
                }
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<(u64, Result<String, String>)> {
        Drafts::new(text, Origin::Claimed)
            .map(|line| line.expect("a slice does not fail"))
            .map(|line| (line.line, line.draft.map(|d| d.session).map_err(|e| e.to_string())))
            .collect()
    }

    #[test]
    fn a_bad_line_names_itself_and_the_others_go_on() {
        let good = r#"{"session":"s","kind":"note.added","data":{"text":"hi"}}"#;
        let text = format!(
            "\u{feff}{good}\r\n\n  \n{{\"session\":\"t\",\"kind\":\"note.add\"}}\nnot json\n{good} x\n{good}"
        );
        let lines = read(text.as_bytes());
        let numbers: Vec<u64> = lines.iter().map(|(line, _)| *line).collect();
        assert_eq!(numbers, [1, 4, 5, 6, 7]);
        assert_eq!((&lines[0].1, &lines[4].1), (&Ok("s".to_owned()), &Ok("s".to_owned())));
        let said = |index: usize| lines[index].1.clone().err().unwrap_or_default();
        assert!(
            said(1).contains("note.added") && said(2).contains("not JSON") && said(3).contains("not JSON")
        );
    }

    #[test]
    fn a_giant_line_is_skipped_and_said() {
        let mut text = vec![b' '; MAX_DRAFT_BYTES + 10];
        text.extend_from_slice(b"\n{\"session\":\"s\",\"kind\":\"note.added\"}\n");
        let lines = read(&text);
        assert!(lines[0].1.clone().err().unwrap_or_default().contains("longer than 16 MiB"));
        assert_eq!(lines[1], (2, Ok("s".to_owned())));
    }
}
