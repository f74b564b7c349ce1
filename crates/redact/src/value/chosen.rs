//! Words that a person may have chosen, where little else can stand.

use super::{Traits, is_path, is_placeholder, is_reference, names_itself};
use crate::prose;

/// States and kinds that programs write where passwords stand too.
#[rustfmt::skip]
const STATES: [&[u8]; 61] = [
    b"required", b"disabled", b"enabled", b"optional", b"missing", b"invalid", b"incorrect", b"expired", b"rejected", b"accepted", b"protected",
    b"forgotten", b"localhost", b"anonymous", b"unchanged", b"unlocked", b"locked", b"failed", b"success", b"pending", b"verified", b"unverified",
    b"interactive", b"keyboard-interactive", b"publickey", b"keychain", b"keyring", b"external", b"internal", b"plaintext", b"cleartext", b"encrypted",
    b"hashed", b"hidden", b"visible", b"always", b"never", b"string", b"varchar", b"boolean", b"integer", b"number", b"object", b"private",
    b"description", b"property", b"attribute", b"required-field", b"off-by-default", b"change", b"community", b"created", b"deleted", b"updated", b"remember",
    b"refresh", b"changed", b"database", b"username", b"hostname", b"function",
];

/// `bananenbrot`, `silent-otter-garden`, `Blue&Green`: one word, no state, no type, no path, no label.
pub(crate) fn is_choosable(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let plain = word.iter().all(|byte| byte.is_ascii_graphic() || *byte >= 0x80);
    let syntax = word.iter().any(|byte| {
        matches!(
            byte,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'"' | b'\'' | b'`' | b'\\' | b'|' | b'/'
        )
    });
    let lower = word.to_ascii_lowercase();
    plain
        && !syntax
        && word.len() >= 6
        && word.len() <= 128
        && traits.letters >= 2
        && !matches!(word[0], b'-' | b'$' | b'%' | b':' | b'=' | b',' | b'.')
        && !STATES.contains(&lower.as_slice())
        && !is_placeholder(word)
        && !is_reference(word)
        && !is_path(word)
        && !names_itself(word)
        && !prose::is_jargon(word)
        && !super::is_constant(word)
}

/// The same where an identifier may stand too: only with a digit, a sign, or three words and dashes between.
pub(crate) fn is_chosen(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let words = word.split(|&byte| byte == b'-').filter(|word| word.len() >= 3).count();
    let dashed = words >= 3 && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let inside = &word[..word.len().saturating_sub(1)];
    let signed = traits.letters >= 4
        && inside.iter().any(|byte| {
            matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'?' | b'^' | b'@' | b'~')
        });
    let numbered = traits.digits >= 2 && !word.contains(&b'_') && !word.contains(&b'.');
    is_choosable(word)
        && (dashed || signed || numbered || prose::looks_like_secret(word) || prose::looks_joined(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_choose() {
        for word in ["bananenbrot", "silent-otter-garden", "Blue&Green", "kitchen51", "maple-window-03"] {
            assert!(is_choosable(word.as_bytes()), "{word}");
        }
        for word in ["silent-otter-garden", "Blue&Green", "kitchen51", "maple-window-03", "p4nc4ke"] {
            assert!(is_chosen(word.as_bytes()), "{word}");
        }
        assert!(!is_chosen(b"bananenbrot"));
        assert!(!is_chosen(b"nevermind!"));
    }

    #[test]
    fn what_programs_say() {
        for word in [
            "user_password",
            "changeme",
            "$SECRET",
            "/run/secret",
            "sha256",
            "get(x)",
            "UPPER_CASE_NAME",
            "short",
        ] {
            assert!(!is_choosable(word.as_bytes()), "{word}");
        }
        for word in STATES {
            assert!(!is_choosable(word), "{}", String::from_utf8_lossy(word));
        }
    }
}
