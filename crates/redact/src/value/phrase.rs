//! Values of several words: what people choose, and what speaks about passwords.

use super::traits::Traits;
use crate::search::Words;

/// `drei Hasen im Hof`: words that somebody chose, and none that speaks about passwords.
pub(crate) fn is_phrase(value: &[u8]) -> bool {
    if !(10..=96).contains(&value.len()) {
        return false;
    }
    let shape = Traits::of(value);
    let mut words = value.split(|byte| !byte.is_ascii_alphanumeric());
    (1..=9).contains(&shape.spaces)
        && !value.iter().any(|byte| {
            matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'%' | b'/' | b':' | b'.' | b'\\' | b'$')
        })
        && !names_itself_anywhere(value)
        && !words.any(|word| (shape.spaces < 3 || !is_one_of(word, &SMALL)) && is_one_of(word, &SPEAKING))
        && !crate::search::has(value, b" -")
        && value[value.len() - 1] != b'?'
        && value[0] != b'['
}

/// `no snow on the lower road`: five small words or more where nothing but a phrase can stand.
pub(crate) fn is_long_phrase(value: &[u8]) -> bool {
    let words = || value.split(|&byte| byte == b' ');
    (5..=12).contains(&words().count())
        && words().all(|word| !word.is_empty() && word.iter().all(u8::is_ascii_lowercase))
        && !names_itself_anywhere(value)
        && !words().any(|word| matches!(word, b"your" | b"please" | b"enter" | b"must" | b"should"))
}

/// `lamp river stone moss`: four small words or more, as dice draw them. What is said of a password has small words
/// between, or one of those that tell what is done with it.
pub(crate) fn is_drawn(value: &[u8]) -> bool {
    let words = || value.split(|&byte| byte == b' ');
    (4..=10).contains(&words().count())
        && words().all(|word| (3..=9).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase))
        && says_nothing(words())
}

/// `read from keyring later`: small words, of which two and more tell what is done with passwords.
pub(crate) fn is_told(value: &[u8]) -> bool {
    let words = || value.split(|&byte| byte == b' ');
    (3..=8).contains(&words().count())
        && words().all(|word| !word.is_empty() && word.iter().all(u8::is_ascii_lowercase))
        && words().filter(|word| is_one_of(word, &TOLD)).count() >= 2
}

/// `otter_bridge_lamp`: three or more with one sign between; a program's names have words of their own.
pub(crate) fn is_drawn_together(value: &[u8]) -> bool {
    let Some(&sign) = value.iter().find(|byte| matches!(byte, b'_' | b'-')) else { return false };
    let words = || value.split(|&byte| byte == sign);
    (3..=8).contains(&words().count())
        && words().all(|word| (3..=12).contains(&word.len()) && word.iter().all(u8::is_ascii_lowercase))
        && says_nothing(words())
        && !words().any(|word| is_one_of(word, &PROGRAMMED))
}

/// Words that programs make their names of.
#[rustfmt::skip]
const PROGRAMMED: [&str; 99] = [
    "get", "has", "max", "min", "num", "count", "size", "list", "index", "test", "run", "env", "var", "data", "base", "code", "error", "path", "dir", "func", "method",
    "class", "object", "input", "output", "custom", "manager", "service", "provider", "client", "handler", "state", "status", "mode", "option", "options", "param", "args",
    "core", "util", "common", "setting", "settings", "api", "auth", "current", "url", "host", "port", "request", "response", "session", "cookie", "header", "body", "json",
    "query", "model", "view", "form", "table", "column", "row", "create", "update", "delete", "add", "remove", "make", "read", "write", "load", "save", "parse",
    "validate", "verify", "policy", "prod", "dev", "staging", "master", "main", "cluster", "node", "pod", "app", "web", "worker", "job", "queue", "bucket", "image", "build",
    "release", "deploy", "rotation", "feature", "module", "log",
];

fn says_nothing<'a>(mut words: impl Iterator<Item = &'a [u8]>) -> bool {
    !words.any(|word| is_one_of(word, &SPEAKING) || is_one_of(word, &TOLD) || OWN_WORDS.contains(&word))
}

/// What is told in words of its own.
const OWN_WORDS: [&[u8]; 9] =
    [b"password", b"passwords", b"pass", b"login", b"secret", b"token", b"field", b"user", b"username"];

/// What is done with passwords, what they are, and where they are told.
#[rustfmt::skip]
const TOLD: [&str; 125] = [
    "ask", "see", "use", "using", "via", "get", "check", "contact", "stored", "store", "kept", "keep", "hashed", "hash", "encrypted", "generated",
    "random", "string", "value", "text", "plain", "only", "long", "short", "weak", "strong", "old", "expired", "expires", "reset", "sent", "send",
    "needs", "need", "never", "always", "access", "account", "admin", "server", "database", "config", "file", "vault", "key", "letters", "numbers",
    "symbols", "type", "name", "email", "here", "there", "you", "are", "have", "will", "may", "into", "after", "before", "without", "los", "una",
    "print", "current", "working", "directory", "tests", "green", "left", "pick", "several", "words", "word", "common", "management", "tool",
    "anywhere", "share", "later", "keyring", "cases", "all", "bitte", "wird", "beim", "neu", "der", "die", "das", "und", "ist", "bei", "von", "vom",
    "zum", "mit", "auf", "nach", "voir", "dans", "avec", "pour", "est", "les", "des", "une", "con", "por", "para", "del", "luego", "het", "een",
    "van", "niet", "per", "non", "che", "med", "och", "fra", "nie", "jest",
];

/// A pass phrase that somebody typed: few words, with digits or symbols among them.
pub(super) fn looks_typed(value: &[u8], shape: &Traits) -> bool {
    shape.spaces <= 4
        && value.len() <= 48
        && shape.digits > 0
        && shape.symbols > 0
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';'))
}

/// Those of them that a phrase of four words may have.
const SMALL: [&str; 9] = ["the", "of", "to", "with", "and", "for", "at", "by", "as"];

/// Words of sentences about passwords.
#[rustfmt::skip]
pub(super) const SPEAKING: [&str; 48] = [
    "must", "should", "least", "at", "characters", "chars", "enter", "your", "please", "invalid", "wrong", "is", "the", "of", "to", "with", "and", "for", "not", "than", "attempts", "minutes", "days", "digits", "this", "optional", "required", "default", "no", "same", "as", "used", "was", "has", "be", "can", "cannot", "by", "empty", "match", "does", "change", "set", "confirm", "new", "from", "if", "when",
];

/// `Gleis 9, Abschnitt C`: few words with a number among them, and none that speaks about passwords.
pub(super) fn is_sentence_like(value: &[u8], shape: &Traits) -> bool {
    let mut words = value.split(|byte| !byte.is_ascii_alphanumeric());
    shape.spaces <= 4
        && (12..=40).contains(&value.len())
        && shape.digits > 0
        && shape.uppers > 0
        && !names_itself_anywhere(value)
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'%' | b'/' | b':'))
        && !words.any(|word| is_one_of(word, &SPEAKING))
}

/// Whatever its letter case.
fn is_one_of(word: &[u8], words: &[&str]) -> bool {
    words.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(word))
}

/// A label: it says what it is.
pub(super) fn names_itself_anywhere(value: &[u8]) -> bool {
    static OWN: Words<7> = Words::new([b"pass", b"pwd", b"login", b"secret", b"token", b"field", b"user"]);
    OWN.within(value)
}
