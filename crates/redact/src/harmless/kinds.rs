//! What tells how a secret is kept, checked or asked for, where the secret would stand: `bcrypt`, `86400s`, `min=8`,
//! `VARCHAR(255)`, `@NotBlank`, `System.getenv("DB")`.

use crate::search::Words;

/// How a secret is hashed, signed, sent.
static METHODS: Words<31> = Words::new([
    b"scram-sha-256",
    b"scram-sha-512",
    b"scram-sha-1",
    b"argon2",
    b"argon2i",
    b"argon2d",
    b"argon2id",
    b"bcrypt",
    b"scrypt",
    b"pbkdf2",
    b"yescrypt",
    b"md5",
    b"sha1",
    b"sha256",
    b"sha384",
    b"sha512",
    b"sha-256",
    b"sha-512",
    b"hs256",
    b"hs384",
    b"hs512",
    b"rs256",
    b"rs512",
    b"es256",
    b"ps256",
    b"eddsa",
    b"aes-256-gcm",
    b"aes-256-cbc",
    b"fixme",
    b"802-11-wireless-security.psk",
    b"cram-md5",
]);
/// Which values a program takes.
static CHECKS: Words<14> = Words::new([
    b"notblank",
    b"notnull",
    b"notempty",
    b"size",
    b"length",
    b"email",
    b"pattern",
    b"valid",
    b"min",
    b"max",
    b"isstring",
    b"isnotempty",
    b"column",
    b"minlength",
]);
/// Of which type a column is, and how long a value must be.
static TYPES: Words<14> = Words::new([
    b"varchar",
    b"nvarchar",
    b"char",
    b"varchar2",
    b"text",
    b"string",
    b"minlength",
    b"maxlength",
    b"min",
    b"max",
    b"length",
    b"size",
    b"binary",
    b"varbinary",
]);

/// Whether `value` tells of a secret what is no part of it.
pub(super) fn is(value: &[u8]) -> bool {
    METHODS.equals(value)
        || is_time(value)
        || is_day(value)
        || is_bound(value)
        || value.strip_prefix(b"@").is_some_and(|check| CHECKS.equals(check))
        || value.len() > 5 && value.starts_with(b"@@") && value.ends_with(b"@@")
        || is_call(value)
}

/// `86400s`, `30d`.
fn is_time(value: &[u8]) -> bool {
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=6).contains(&digits)
        && matches!(&value[digits..], b"s" | b"ms" | b"m" | b"h" | b"d" | b"min" | b"sec" | b"days")
}

/// `2024-01-5`.
fn is_day(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b'-');
    let long = |part: Option<&[u8]>, most: usize| {
        part.is_some_and(|part| (1..=most).contains(&part.len()) && part.iter().all(u8::is_ascii_digit))
    };
    (value.starts_with(b"19") || value.starts_with(b"20"))
        && long(parts.next(), 4)
        && long(parts.next(), 2)
        && long(parts.next(), 2)
        && parts.next().is_none()
}

/// `min=8`, `len:32`.
fn is_bound(value: &[u8]) -> bool {
    [&b"min"[..], b"max", b"len", b"length", b"minlength", b"maxlength"].iter().any(|name| {
        let rest = value
            .strip_prefix(*name)
            .and_then(|rest| rest.strip_prefix(b"=").or_else(|| rest.strip_prefix(b":")));
        rest.is_some_and(|count| !count.is_empty() && count.iter().all(u8::is_ascii_digit))
    })
}

/// `VARCHAR(255)`, `z.string().min(8)`, `getpass.getpass()`: a call by its name, by its path, by what it is given.
fn is_call(value: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'(', value).filter(|_| value.ends_with(b")")) else { return false };
    let (callee, rest) = (&value[..open], &value[open..]);
    let named = callee.first().is_some_and(u8::is_ascii_lowercase)
        || callee.first().is_some_and(u8::is_ascii_uppercase);
    let spelt = callee.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'));
    let given = rest.iter().all(|byte| byte.is_ascii_alphanumeric() || b"()._,' \"".contains(byte));
    let path = callee.iter().all(|byte| !byte.is_ascii_digit())
        && callee.split(|&byte| byte == b'.').filter(|part| part.len() >= 3).count() >= 2;
    let chained = memchr::memchr_iter(b'(', rest).count() >= 2 && crate::search::has(rest, b").");
    named && spelt && given && (TYPES.equals(callee) || path || chained)
}

#[cfg(test)]
mod tests {
    use super::is;

    #[test]
    fn how_a_secret_is_kept_is_none() {
        for value in [
            "scram-sha-256",
            "HS256",
            "2024-01-5",
            "bcrypt",
            "86400s",
            "min=8",
            "@NotBlank",
            "@@PASSWORD@@",
            "VARCHAR(255)",
            "z.string().min(8)",
            "getpass.getpass()",
            "System.getenv(\"DB\")",
            "FIXME",
        ] {
            assert!(is(value.as_bytes()), "{value}");
        }
        for value in [
            "Otter(7)",
            "Summer(2024)",
            "bcrypt7",
            "@Tangerine",
            "otter.s(river",
            "86400",
            "min=otter",
            "YIT(U6CEIos)AwQv",
            "8s!river",
            "o1.r2(3)",
        ] {
            assert!(!is(value.as_bytes()), "{value}");
        }
    }
}
