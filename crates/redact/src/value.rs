//! Whether a value that stands where a secret could stand is one.
//!
//! What it must not be: a placeholder (judged as a whole, word by word, never by a substring: a random
//! value may contain any word), a reference (`${X}`, `settings.KEY`, `get_token()`), a type, prose.

use crate::chance;
use crate::names::{Name, Trust};
use crate::placeholder::is_alphabet;
pub(crate) use crate::placeholder::is_placeholder;
pub(crate) use crate::placeholder::{is_public, is_reference};

/// Where a value stands; the barer the place, the more the value itself must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Between quotes.
    Quoted,
    /// The rest of a line of settings: `NAME=value`, `name: value`.
    Line,
    /// A parameter of an address.
    Query,
    /// `NAME=value` of an environment: never a type.
    Set,
    /// Between an element's tags.
    Tag,
    /// After a flag, in a query, a connection string, a cell, a tag: data, not code.
    Data,
    /// Unquoted in what may be code.
    Code,
}

/// Whether `value`, at `place`, under `name`, is a secret.
pub(crate) fn is_secret(name: Name, value: &[u8], place: Place) -> bool {
    if value.len() < 4 || is_placeholder(value) || is_reference(value) {
        return false;
    }
    // What stands around an earlier mark was judged then; only quotes say where such a value ends.
    if place != Place::Quoted && value.len() > 10 && crate::search::has(value, b"[REDACTED:") {
        return false;
    }
    // An armoured key has an engine of its own, which leaves what stands around it.
    if value.len() >= 26 && crate::search::has(value, b"-----BEGIN") {
        return false;
    }
    match name.trust {
        Trust::Password => is_password(name, value, place),
        Trust::Secret => value.len() >= 8 && (is_token(value, place) || is_typed_secret(name, value, place)),
        Trust::Weak if place == Place::Query => value.len() >= 8 && is_token(value, place),
        Trust::Weak => is_weak_secret(name, value, place),
    }
}

/// Whether a JSON number under `name` is a secret: a number has no quotes, and no shape but its digits.
pub(crate) fn is_secret_number(name: Name, digits: &[u8]) -> bool {
    match name.trust {
        Trust::Password => digits.len() >= 4,
        Trust::Secret => digits.len() >= 8 && matches!(name.kind, "secret" | "api_key" | "credential"),
        Trust::Weak => false,
    }
}

fn is_password(name: Name, value: &[u8], place: Place) -> bool {
    let shape = Traits::of(value);
    if shape.spaces > 0 {
        return place != Place::Code
            && (name.kind == "mnemonic" && shape.spaces >= 3
                || looks_typed(value, &shape)
                || is_grouped(value)
                || place == Place::Quoted && is_sentence_like(value, &shape));
    }
    if value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
        || value.starts_with(b"0x") && is_hex(&value[2..])
    {
        return value.len() >= 6 && place != Place::Code && value.iter().all(u8::is_ascii_digit);
    }
    match place {
        Place::Quoted => {
            !names_itself(value) && !is_constant(value) && !is_path(value) && !value.ends_with(b"()")
        }
        Place::Data | Place::Line | Place::Query | Place::Tag | Place::Set => {
            !names_itself(value)
                && (!is_code(value) || is_titled(value))
                && (!is_type(value) || matches!(place, Place::Set | Place::Tag) && !is_type_name(value))
                && !is_path(value)
        }
        Place::Code => {
            !is_code(value)
                && !is_type(value)
                && !is_path(value)
                && shape.digits > 0
                && shape.letters > 0
                && !has_joint_words(value)
        }
    }
}

fn is_token(value: &[u8], place: Place) -> bool {
    let shape = Traits::of(value);
    if is_wild(value, &shape) {
        return place != Place::Code;
    }
    if shape.spaces > 0
        || is_path(value)
        || has_syntax(value)
        || names_itself(value) && !chance::is_random(value)
    {
        return false;
    }
    if is_hex(value) || is_uuid(value) {
        let shortest = if place == Place::Query { 8 } else { 16 };
        return value.len() >= shortest && shape.digits > 0;
    }
    if place == Place::Code && is_code(value) || place == Place::Line && is_identifier_path(value) {
        return false;
    }
    if names_its_type(value) {
        return false;
    }
    let letters_only = shape.digits == 0 && value.len() < 24 && chance::density(value) < 55;
    if chance::is_random(value) && !letters_only && !has_joint_words(value) {
        return true;
    }
    let mixed = shape.digits > 0 && shape.letters > 0;
    match place {
        Place::Query => mixed && shape.digits >= 2 && value.len() >= 10,
        Place::Quoted | Place::Data | Place::Tag | Place::Set => {
            mixed && shape.digits >= 2 && !has_joint_words(value) && chance::density(value) >= 30
        }
        Place::Line => {
            mixed && value.len() >= 8 && !is_code(value) && !is_type(value) && chance::density(value) >= 33
        }
        Place::Code => false,
    }
}

/// `JWT_SECRET=my-long-signing-secret-2024`: words that somebody typed where only a secret can stand.
fn is_typed_secret(name: Name, value: &[u8], place: Place) -> bool {
    if name.kind != "secret" || has_syntax(value) || is_path(value) || value.contains(&b':') {
        return false;
    }
    let parts = value.split(|byte| matches!(byte, b'-' | b'_' | b' ')).count();
    let marked =
        value.iter().any(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^'));
    let setting = match place {
        // Nothing but a value stands there.
        Place::Set => return value.len() >= 8 && !is_type(value) && !names_itself(value),
        Place::Data | Place::Tag => value.len() >= 16,
        Place::Quoted => value.len() >= 16 && !names_itself(value) && (marked || parts >= 3),
        Place::Line | Place::Query | Place::Code => false,
    };
    setting && value.iter().any(u8::is_ascii_digit)
}

fn is_weak_secret(name: Name, value: &[u8], place: Place) -> bool {
    let shape = Traits::of(value);
    if name.kind == "recovery_code" {
        return shape.spaces == 0 && value.len() >= 6 && shape.digits > 0 && chance::density(value) >= 33;
    }
    if value.starts_with(b"0x") && place == Place::Code {
        return false;
    }
    if name.kind == "pin" {
        return matches!(value.len(), 4..=10)
            && shape.digits == value.len()
            && !matches!(place, Place::Code | Place::Query);
    }
    if name.kind == "mnemonic" || is_alphabet(value) {
        return false;
    }
    if name.kind == "salt" && place == Place::Quoted && (8..16).contains(&value.len()) {
        return is_scrambled(value);
    }
    // Signatures of thoughts and of web pages: only in an address is one a credential.
    if name.kind == "signature" {
        return false;
    }
    if is_wild(value, &shape) {
        return place == Place::Quoted;
    }
    if name.kind == "session" && shape.digits < 4 {
        return false;
    }
    if matches!(name.kind, "api_key" | "key") && is_composed(value) {
        return false;
    }
    if shape.spaces > 0
        || value.len() < 16
        || has_syntax(value)
        || place == Place::Code && is_code(value)
        || is_uuid(value)
        || is_path(value)
    {
        return false;
    }
    if is_hex(value) {
        return matches!(name.kind, "salt" | "seed" | "session") && value.len() >= 32
            || name.kind == "password" && value.len() >= 32 && place != Place::Code
            || name.kind == "key" && value.len() >= 48 && place == Place::Quoted
            || name.kind == "api_key" && value.len() >= 32 && place != Place::Code;
    }
    let classes =
        usize::from(shape.uppers > 0) + usize::from(shape.lowers > 0) + usize::from(shape.digits > 0);
    classes >= 2
        && chance::is_random(value)
        && (shape.digits >= 2 || chance::density(value) >= 58)
        && !has_joint_words(value)
}

/// A salt of a framework: long, and of every class of signs, brackets and blanks too.
pub(crate) fn is_wild(value: &[u8], shape: &Traits) -> bool {
    value.len() >= 24
        && shape.digits >= 3
        && shape.lowers >= 4
        && value.iter().filter(|byte| byte.is_ascii_punctuation() && !is_base64_sign(**byte)).count() >= 2
        && shape.spaces <= value.len() / 12
        && chance::density(value) >= 46
        && !is_pattern(value)
}

/// `fuJBbQdT`: more turns between small and capital letters and digits than a name's words have.
fn is_scrambled(value: &[u8]) -> bool {
    let class = |byte: u8| (byte.is_ascii_uppercase(), byte.is_ascii_digit());
    let turns = value.windows(2).filter(|two| class(two[0]) != class(two[1])).count();
    turns >= 3
        && chance::density(value) >= 46
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || is_base64_sign(*byte))
}

/// `drei Hasen im Hof`: words that somebody chose, and none that speaks about passwords.
pub(crate) fn is_phrase(value: &[u8]) -> bool {
    let shape = Traits::of(value);
    let lower = value.to_ascii_lowercase();
    let mut words = lower.split(|byte| !byte.is_ascii_alphanumeric());
    (1..=9).contains(&shape.spaces)
        && (10..=96).contains(&value.len())
        && !value.iter().any(|byte| {
            matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'%' | b'/' | b':' | b'.' | b'\\' | b'$')
        })
        && !names_itself_anywhere(&lower)
        && !words.any(|word| SPEAKING.iter().any(|speaking| speaking.as_bytes() == word))
        && value[value.len() - 1] != b'?'
}

fn is_base64_sign(byte: u8) -> bool {
    matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_' | b'.' | b':' | b',')
}

/// A regular expression, a format, markup: as wild, but no secret.
fn is_pattern(value: &[u8]) -> bool {
    let starts: [&[u8]; 8] = [b"(?", b"[^", b"[a-", b"[A-", b"[0-", b"\\", b"](", b"=\""];
    starts.iter().any(|start| crate::search::has(value, start))
}

/// `linux-cargo-3f9a…`: the key of a cache, made of words and a digest.
fn is_composed(value: &[u8]) -> bool {
    let parts: Vec<&[u8]> = value.split(|&byte| byte == b'-' || byte == b':').collect();
    parts.len() >= 2
        && parts[0].len() >= 3
        && parts[0].iter().all(u8::is_ascii_lowercase)
        && !chance::is_random(parts[0])
}

/// Signs that no token has, but patterns, types and code do.
fn has_syntax(value: &[u8]) -> bool {
    value.iter().any(|byte| {
        matches!(
            byte,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'|' | b'\\' | b'"' | b'\'' | b'`' | b';'
        )
    })
}

/// The few counts that the judges need.
pub(crate) struct Traits {
    pub(crate) letters: usize,
    pub(crate) lowers: usize,
    pub(crate) uppers: usize,
    pub(crate) digits: usize,
    pub(crate) spaces: usize,
    pub(crate) symbols: usize,
}

impl Traits {
    pub(crate) fn of(value: &[u8]) -> Self {
        crate::work::read(value.len());
        let mut counts = [0; 6];
        for &byte in value {
            counts[usize::from(SORTS[usize::from(byte)])] += 1;
        }
        let [lowers, uppers, digits, spaces, symbols, _] = counts;
        Self { letters: lowers + uppers, lowers, uppers, digits, spaces, symbols }
    }
}

/// The count of `Traits` that each byte belongs to.
const SORTS: [u8; 256] = {
    let mut table = [5; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = match byte {
            b'a'..=b'z' => 0,
            b'A'..=b'Z' => 1,
            b'0'..=b'9' => 2,
            b' ' | b'\t' | b'\n' | b'\r' | 0x0C => 3,
            b'_' | b'-' | b'.' | b'/' | b':' | b',' => 5,
            _ if byte.is_ascii_punctuation() => 4,
            _ => 5,
        };
        byte += 1;
    }
    table
};

/// A pass phrase that somebody typed: few words, with digits or symbols among them.
fn looks_typed(value: &[u8], shape: &Traits) -> bool {
    shape.spaces <= 4
        && value.len() <= 48
        && shape.digits > 0
        && shape.symbols > 0
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';'))
}

/// Words of sentences about passwords.
#[rustfmt::skip]
const SPEAKING: [&str; 48] = [
    "must", "should", "least", "at", "characters", "chars", "enter", "your", "please", "invalid", "wrong", "is", "the", "of", "to", "with", "and", "for", "not", "than", "attempts", "minutes", "days", "digits", "this", "optional", "required", "default", "no", "same", "as", "used", "was", "has", "be", "can", "cannot", "by", "empty", "match", "does", "change", "set", "confirm", "new", "from", "if", "when",
];

/// `Gleis 9, Abschnitt C`: few words with a number among them, and none that speaks about passwords.
fn is_sentence_like(value: &[u8], shape: &Traits) -> bool {
    let lower = value.to_ascii_lowercase();
    let mut words = lower.split(|byte| !byte.is_ascii_alphanumeric());
    shape.spaces <= 4
        && (12..=40).contains(&value.len())
        && shape.digits > 0
        && shape.uppers > 0
        && !names_itself_anywhere(&lower)
        && !value.iter().any(|byte| matches!(byte, b'(' | b'{' | b'<' | b'=' | b';' | b'%' | b'/' | b':'))
        && !words.any(|word| SPEAKING.iter().any(|speaking| speaking.as_bytes() == word))
}

/// A label: it says what it is.
fn names_itself_anywhere(lower: &[u8]) -> bool {
    [&b"pass"[..], b"pwd", b"login", b"secret", b"token", b"field", b"user"]
        .iter()
        .any(|word| crate::search::has(lower, word))
}

/// `abcd efgh ijkl mnop`: groups of a length that no words are.
pub(crate) fn is_grouped(value: &[u8]) -> bool {
    let groups: Vec<&[u8]> = value.split(|&byte| byte == b' ').take(9).collect();
    let even = groups
        .iter()
        .all(|group| group.len() == groups[0].len() && group.iter().all(u8::is_ascii_alphanumeric));
    let spelt = groups.iter().filter(|group| chance::density(group) < 38).count();
    (3..=8).contains(&groups.len()) && (2..=6).contains(&groups[0].len()) && even && spelt * 2 < groups.len()
}

/// What unquoted code looks like: calls, indexing, paths of identifiers.
fn is_code(value: &[u8]) -> bool {
    let call = value
        .iter()
        .position(|&byte| byte == b'(' || byte == b'[')
        .is_some_and(|at| at > 0 && is_identifier(&value[..at]));
    let punctuated = crate::search::has(value, b"::")
        || crate::search::has(value, b"->")
        || crate::search::has(value, b"=>");
    let generic = value.ends_with(b">")
        && value
            .iter()
            .position(|&byte| byte == b'<')
            .is_some_and(|at| at > 0 && is_identifier(&value[..at]));
    let braced = value.len() > 24 && value[0] == b'{' && chance::is_random(&value[1..value.len() - 1]);
    call || punctuated
        || generic
        || is_identifier_path(value)
        || !braced
            && matches!(value.first(), Some(b'(' | b'[' | b'{' | b')' | b']' | b'}' | b'|' | b',' | b';'))
}

fn is_identifier(value: &[u8]) -> bool {
    value.first().is_some_and(|byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'&' | b'*' | b'$' | b'@' | b'!')
    }) && value[1..].iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'.' | b':' | b'$' | b'!' | b'?' | b'<' | b'>' | b'-')
    })
}

/// `settings.API_KEY`, `self.token`, `user?.password`: two or more spelt words with dots between.
fn is_identifier_path(value: &[u8]) -> bool {
    let mut segments =
        value.split(|&byte| byte == b'.').map(|segment| segment.strip_suffix(b"?").unwrap_or(segment));
    let spelt = |segment: &[u8]| {
        !segment.is_empty()
            && is_identifier(segment)
            && !chance::is_random(segment)
            && !crate::prose::is_leet(segment)
    };
    value.contains(&b'.') && segments.all(spelt) && chance::density(value) < 48
}

/// `Whale.Song7`: capitals and a digit at the end, as in no path of identifiers; no `System.Int32`.
fn is_titled(value: &[u8]) -> bool {
    let words = || value.split(|&byte| byte == b'.');
    let number = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    words().count() == 2
        && words().all(|word| {
            word.first().is_some_and(u8::is_ascii_uppercase)
                && word[1..].iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
        })
        && number > 0
        && !value[..value.len() - number].ends_with(b"Int")
        && !value[..value.len() - number].ends_with(b"Float")
}

/// Words joined by `_` or `-`, with digits only at their ends: an identifier.
fn has_joint_words(value: &[u8]) -> bool {
    let joints = value.iter().any(|byte| matches!(byte, b'_' | b'-'));
    let spelt = |word: &[u8]| class_changes(word) < 3 && (word.len() < 16 || !chance::is_random(word));
    joints && chance::density(value) < 40 && value.split(|byte| matches!(byte, b'_' | b'-')).all(spelt)
}

fn class_changes(word: &[u8]) -> usize {
    word.windows(2).filter(|two| two[0].is_ascii_digit() != two[1].is_ascii_digit()).count()
}

/// Names of types, and what schemas and prose put after a colon.
#[rustfmt::skip]
fn is_type(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let lower = text.trim_end_matches(['?', ';', ',']).to_ascii_lowercase();
    let letters = value.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'?' | b'_'));
    let pascal = letters
        && value[0].is_ascii_uppercase()
        && value[1..].iter().any(u8::is_ascii_lowercase)
        && !chance::is_random(value);
    pascal
        || matches!(
            lower.as_str(),
            "string" | "str" | "text" | "varchar" | "bytes" | "bool" | "boolean" | "int" | "integer" |
            "number" | "float" | "uuid" | "array" | "list" | "dict" | "map" | "object" | "struct" |
            "union" | "option" | "any" | "unknown" | "never" | "void" | "self" | "this" | "readonly" |
            "must" | "should" | "can" | "cannot" | "may" | "will" | "when" | "where" | "which" | "what"
            | "that" | "rotated" | "stored" | "checks" | "used" | "missing" | "mismatch" | "failed" |
            "accepted" | "rejected" | "prompt" | "incorrect" | "correct" | "same" | "only" | "been" |
            "has" | "was" | "are" | "cleartext" | "plaintext" | "plain" | "hashed" | "string[]" |
            "disabled" | "enabled" | "always" | "never_expires" | "keyring" | "write" | "read" |
            "delete" | "create" | "update" | "md5" | "sha256" | "sha1" | "sha512" | "bcrypt" | "scrypt"
            | "argon2" | "u8" | "u32" | "u64" | "i32" | "i64" | "usize"
        )
}

/// What is a type or a state even where only values stand.
fn is_type_name(value: &[u8]) -> bool {
    !value[0].is_ascii_uppercase()
        || value.ends_with(b"String")
        || value.ends_with(b"Type")
        || value.contains(&b'?')
}

/// `VALUE_SPECIFIED_IN_NO_LOG_PARAMETER`: what a program calls a state.
fn is_constant(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
        && value.iter().filter(|&&byte| byte == b'_').count() >= 2
}

/// Labels and translation keys: `Password`, `login.password`, `new-password`, `Passwort`.
fn names_itself(value: &[u8]) -> bool {
    if value.iter().any(|byte| {
        byte.is_ascii_digit()
            || matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=')
    }) {
        return false;
    }
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let lower = text.to_ascii_lowercase();
    [
        "passw",
        "pwd",
        "kennwort",
        "contras",
        "senha",
        "wachtwoord",
        "парол",
        "密",
        "パス",
        "secret",
        "token",
        "credential",
        "apikey",
        "api_key",
        "api-key",
        "mot de passe",
        "lösen",
        "hasło",
        "login",
    ]
    .iter()
    .any(|word| lower.contains(word))
}

/// `OAuth2Token`, `X448PrivateKey`: a type that is called what it holds.
fn names_its_type(value: &[u8]) -> bool {
    let ends = [&b"Token"[..], b"Key", b"Secret", b"Credentials", b"Auth", b"Id", b"Name"]
        .iter()
        .any(|end| value.ends_with(end));
    ends && chance::density(value) < 48 && value.iter().all(u8::is_ascii_alphanumeric)
}

/// A file or an address without credentials: `/run/secrets/db`, `./key.pem`, `https://…`, `C:\keys`.
fn is_path(value: &[u8]) -> bool {
    let starts = [&b"/"[..], b"./", b"../", b"~/", b"file:", b"http://", b"https://", b"C:\\"]
        .iter()
        .any(|start| value.starts_with(start));
    let slashes = memchr::memchr_iter(b'/', value).count();
    let file = [
        &b".pem"[..],
        b".key",
        b".txt",
        b".json",
        b".yaml",
        b".yml",
        b".py",
        b".rs",
        b".ts",
        b".js",
        b".md",
        b".go",
        b".toml",
        b".sh",
        b".html",
        b".crt",
    ]
    .iter()
    .any(|end| value.ends_with(end));
    (starts && slashes >= 1 && !chance::is_random(value))
        || (file && chance::density(value) < 48)
        || (slashes >= 2 && chance::density(value) < 42)
}

/// Only hex digits of one case.
pub(crate) fn is_hex(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
        || value.iter().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte))
}

/// `8-4-4-4-12` hex digits.
pub(crate) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(at, byte)| {
            if matches!(at, 8 | 13 | 18 | 23) { *byte == b'-' } else { byte.is_ascii_hexdigit() }
        })
}
