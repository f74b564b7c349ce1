//! Whether a value that stands where a secret could stand is one.
//!
//! What it must not be: a placeholder (judged as a whole, word by word, never by a substring: a random
//! value may contain any word), a reference (`${X}`, `settings.KEY`, `get_token()`), a type, prose.

mod chosen;
mod code;
mod disclosed;
mod phrase;
mod traits;
pub(crate) use self::chosen::{is_choosable, is_chosen, is_crafted};
use self::code::{
    has_joint_words, has_syntax, is_composed, is_dotted, is_slashed, is_titled, is_type_name, names_its_type,
};
pub(crate) use self::code::{
    is_code, is_constant, is_identifier_path, is_object, is_path, is_type, names_itself,
};
pub(crate) use self::disclosed::is_disclosed;
pub(crate) use self::phrase::{is_drawn, is_drawn_together, is_long_phrase, is_phrase, is_told};
use self::phrase::{is_sentence_like, looks_typed};
use self::traits::{COUNT_BITS, COUNTED, MOST_COUNTED, is_scrambled};
pub(crate) use self::traits::{
    Traits, is_code_in_groups, is_grouped, is_hex, is_scoped_uuid, is_signed, is_uuid, is_wild,
};
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

/// No shorter value is a secret of that name. Hot path: most values of names that promise little are short.
pub(crate) fn shortest(name: Name, place: Place) -> usize {
    match name.trust {
        Trust::Password => 4,
        Trust::Secret => 8,
        Trust::Weak if place == Place::Quoted || matches!(name.kind, "pin" | "recovery_code") => 4,
        Trust::Weak if place == Place::Query => 8,
        Trust::Weak => 16,
    }
}

/// Whether `value`, at `place`, under `name`, is a secret.
pub(crate) fn is_secret(name: Name, value: &[u8], place: Place) -> bool {
    if value.len() < shortest(name, place) || is_placeholder(value) || is_reference(value) {
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
        Trust::Weak if place == Place::Query => {
            value.len() >= 8 && is_token(value, place) && !is_object(value)
        }
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
                || is_drawn(value)
                || place == Place::Quoted && is_sentence_like(value, &shape));
    }
    if value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b','))
        || value.starts_with(b"0x") && is_hex(&value[2..])
    {
        return value.len() >= 6 && place != Place::Code && value.iter().all(u8::is_ascii_digit);
    }
    match place {
        Place::Quoted => {
            !names_itself(value)
                && !is_constant(value)
                && (!is_path(value) || is_slashed(value))
                && !value.ends_with(b"()")
        }
        Place::Data | Place::Line | Place::Query | Place::Tag | Place::Set => {
            !names_itself(value)
                && (!is_code(value)
                    || is_titled(value)
                    || matches!(place, Place::Set | Place::Tag | Place::Query) && is_dotted(value))
                && (!is_type(value) || matches!(place, Place::Set | Place::Tag) && !is_type_name(value))
                && (!is_path(value) || is_slashed(value))
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
    let written = matches!(place, Place::Quoted | Place::Data | Place::Tag | Place::Set);
    if written && is_signed(value, &shape) {
        return true;
    }
    if shape.spaces > 0
        || is_path(value)
        || has_syntax(value) && !(place == Place::Quoted && is_unclosed(value, &shape))
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
    if names_its_type(value) || is_stored_under(value) {
        return false;
    }
    let letters_only = shape.digits == 0 && value.len() < 24 && chance::density(value) < 55;
    if !letters_only && chance::is_random(value) {
        return true;
    }
    let mixed = shape.digits > 0 && shape.letters > 0;
    match place {
        Place::Query => mixed && (shape.digits >= 2 || is_crafted(value)) && value.len() >= 10,
        Place::Quoted | Place::Data | Place::Tag | Place::Set => {
            mixed && shape.digits >= 2 && !has_joint_words(value) && chance::density(value) >= 30
        }
        Place::Line => {
            mixed && value.len() >= 8 && !is_code(value) && !is_type(value) && chance::density(value) >= 33
        }
        Place::Code => false,
    }
}

/// `ab5#ygBnaHx1lCWpfPm]/`: a bracket that nothing opens or closes, among random signs.
fn is_unclosed(value: &[u8], shape: &Traits) -> bool {
    let count = |sign: u8| value.iter().filter(|&&byte| byte == sign).count();
    let unclosed =
        [(b'(', b')'), (b'[', b']'), (b'{', b'}')].iter().any(|&(open, close)| count(open) != count(close));
    value.len() >= 16
        && shape.digits >= 2
        && shape.uppers >= 2
        && shape.lowers >= 2
        && unclosed
        && chance::is_random(value)
}

/// `bucket:58254`: the rest of what a store has something under.
fn is_stored_under(value: &[u8]) -> bool {
    let part = |part: &[u8]| {
        part.len() >= 2 && (part.iter().all(u8::is_ascii_lowercase) || part.iter().all(u8::is_ascii_digit))
    };
    value.contains(&b':')
        && value[0].is_ascii_lowercase()
        && !chance::is_random(value)
        && value.split(|&byte| byte == b':').all(part)
}

/// `JWT_SECRET=my-long-signing-secret-2024`: words that somebody typed where only a secret can stand.
fn is_typed_secret(name: Name, value: &[u8], place: Place) -> bool {
    if name.kind != "secret" || has_syntax(value) || is_path(value) || value.contains(&b':') {
        return false;
    }
    // `secret = "Magpie-Tower-99"`.
    if place != Place::Code && is_crafted(value) {
        return true;
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
        return place != Place::Code && is_code_in_groups(value)
            || shape.spaces == 0
                && value.len() >= 6
                && shape.digits > 0
                && chance::density(value) >= 33
                && memchr::memchr2(b'\\', b'/', value).is_none()
                // A package's verification code is its sum.
                && !(matches!(value.len(), 40 | 64) && is_hex(value));
    }
    if value.starts_with(b"0x") && place == Place::Code {
        return false;
    }
    if name.kind == "pin" && place == Place::Quoted && value.len() >= 12 && chance::is_random(value) {
        return shape.spaces == 0 && shape.digits >= 2 && !has_syntax(value);
    }
    if matches!(name.kind, "pin" | "otp") && place != Place::Code && is_code_in_groups(value) {
        return true;
    }
    if name.kind == "pin" {
        return matches!(value.len(), 4..=10)
            && shape.digits == value.len()
            && !matches!(place, Place::Code | Place::Query);
    }
    let base32 = |byte: &u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte);
    if name.kind == "otp"
        && matches!(value.len(), 16 | 20 | 24 | 26 | 32..)
        && value.iter().all(base32)
        && shape.digits >= 2
    {
        return true;
    }
    if name.kind == "mnemonic" || is_alphabet(value) {
        return false;
    }
    if name.kind == "salt" && place == Place::Quoted && crate::prose::is_leet(value) && !has_syntax(value) {
        return value.len() >= 8 && shape.spaces == 0;
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
    if name.kind == "session" && is_of_nodes(value) {
        return place != Place::Code;
    }
    if name.kind == "session" && shape.digits < 4 {
        return false;
    }
    if matches!(name.kind, "api_key" | "key") && (is_composed(value) || crate::url::is_report_address(value))
    {
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

/// `VQTGZBWNDKAMJXSPPFYL`: the cookie that the nodes of an Erlang cluster make up, twenty capitals.
fn is_of_nodes(value: &[u8]) -> bool {
    value.len() == 20 && value.iter().all(u8::is_ascii_uppercase) && chance::is_random(value)
}

impl Traits {
    pub(crate) fn of(value: &[u8]) -> Self {
        crate::work::read(value.len());
        let mut counts = [0; 5];
        for part in value.chunks(MOST_COUNTED) {
            let packed = part.iter().fold(0, |packed, &byte| packed + COUNTED[usize::from(byte)]);
            for (sort, count) in counts.iter_mut().enumerate() {
                *count += usize::try_from(packed >> (sort * COUNT_BITS) & MOST_COUNTED as u64).unwrap_or(0);
            }
        }
        let [lowers, uppers, digits, spaces, symbols] = counts;
        Self { letters: lowers + uppers, lowers, uppers, digits, spaces, symbols }
    }
}
