//! What somebody typed is told back to them, and may end up in a log: secrets stay unsaid there, too.

use std::path::Path;

use redact::{Keys, Redactor};

/// The text without the secrets in it.
pub(crate) fn unsaid(text: &str) -> String {
    // the marks made here have no fingerprint, so it does not matter what the keys are
    let keys = Keys { store_secret: [0; 32], redaction_key: [0; 32] };
    let (_, spans) = Redactor::new(&keys).redact_text(text);
    let mut out = String::new();
    let mut at = 0;
    for span in spans {
        out.push_str(&text[at..span.start]);
        out.push_str("[REDACTED:");
        out.push_str(span.kind);
        out.push(']');
        at = span.end;
    }
    out.push_str(&text[at..]);
    out
}

/// A path without the secrets in its names.
pub(crate) fn unsaid_path(path: &Path) -> String {
    path.to_string_lossy().split('/').map(unsaid).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_secret_is_left_out() {
        let token = "npm_Mhmpgppa0nLgTEToD4uyetiAY2bv6d";
        assert_eq!(unsaid(&format!("unknown key {token:?}, so")), "unknown key \"[REDACTED:npm_token]\", so");
        assert_eq!(unsaid_path(Path::new(&format!("/w/{token}/a.jsonl"))), "/w/[REDACTED:npm_token]/a.jsonl");
        assert_eq!(unsaid("nothing to hide"), "nothing to hide");
    }
}
