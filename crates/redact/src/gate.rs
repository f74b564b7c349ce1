//! Whether a value may be looked for wherever it stands, without a name beside it.
//!
//! A registered `user` must not take that word out of all prose, and a secret of letters alone must
//! not be passed over: so the question is not which characters a value has, but whether somebody
//! would write it without meaning the secret.

use crate::chance;
use crate::placeholder::{is_placeholder, is_reference};

/// Shorter values stand in other words by chance.
pub(crate) const SHORTEST: usize = 8;
/// Tenths of a bit a letter: above, no word is spelt so, not even `localhost` or `Schwarzwald`.
const SPELT: u32 = 54;

/// Whether `value`, wherever it stands, can only be the secret.
pub(crate) fn is_unmistakable(value: &str) -> bool {
    let bytes = value.as_bytes();
    if bytes.len() < SHORTEST
        || value.trim() != value
        || is_placeholder(bytes)
        || is_reference(bytes)
        || value.contains("[REDACTED")
        || is_number(bytes)
        || is_place(value)
    {
        return false;
    }
    let letters_only = bytes.iter().all(u8::is_ascii_alphabetic);
    is_unspelt(bytes) || !letters_only && chance::is_random(bytes) || is_mixed(bytes) || is_phrase(value)
}

/// Numbers, dates, versions, addresses of machines: digits and what joins them.
fn is_number(value: &[u8]) -> bool {
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    letters == 0 && digits < 12 && value.is_ascii() || letters <= 1 && value.contains(&b'.')
}

/// Paths, addresses, names of hosts, media types.
fn is_place(value: &str) -> bool {
    let path = value.starts_with(['/', '~', '.']) && value.matches('/').count() >= 1;
    let parts = || value.split(['/', '.', ':', '@', '-', '_']);
    let spelt = parts().all(|part| part.bytes().all(|byte| byte.is_ascii_digit()) || is_spelt(part));
    path && !chance::is_random(value.as_bytes()) || value.contains("://") || spelt && parts().count() < 4
}

/// `Summer`, `oauth2`, `production`: a word, maybe numbered.
fn is_spelt(part: &str) -> bool {
    let word = part.trim_end_matches(|sign: char| sign.is_ascii_digit());
    let small = word.chars().skip(1).all(|sign| sign.is_ascii_lowercase());
    let one_case = small || word.chars().all(|sign| sign.is_ascii_uppercase());
    part.len() - word.len() <= 4 && one_case && chance::density(word.as_bytes()) < SPELT
}

/// Letters in an order that no word has, or digits between them that no name has (`sha256sum` has one number).
fn is_unspelt(value: &[u8]) -> bool {
    let numbers =
        value.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()).filter(|run| run[0].is_ascii_digit());
    let numbers = numbers.count();
    value.iter().all(u8::is_ascii_alphanumeric)
        && numbers != 1
        && chance::density(value) >= SPELT
        && chance::bits(value) >= 40
}

/// Letters, digits and signs in one, as people choose passwords.
fn is_mixed(value: &[u8]) -> bool {
    let sign = |byte: &&u8| {
        byte.is_ascii_graphic()
            && !byte.is_ascii_alphanumeric()
            && !matches!(byte, b'-' | b'_' | b'.' | b'/' | b':' | b',')
    };
    let letters = value.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = value.iter().any(u8::is_ascii_digit);
    let signs = value.iter().filter(sign).count();
    let spaced = value.contains(&b' ');
    letters >= 3 && !spaced && (digits && signs > 0 || signs > 1) && chance::bits(value) >= 24
}

/// Four words or more in a row that is long enough: nobody writes it by chance.
fn is_phrase(value: &str) -> bool {
    let words = value.split([' ', '-', '_', '.']).filter(|word| word.len() >= 3).count();
    let plain =
        value.chars().all(|sign| sign.is_ascii_alphanumeric() || matches!(sign, ' ' | '-' | '_' | '.'));
    words >= 4 && plain && value.len() >= 20
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_are_never_looked_for() {
        for value in [
            "user",
            "development",
            "localhost",
            "production",
            "postgres",
            "username",
            "password",
            "Password",
            "administrator",
            "keyboard",
            "keyboard cat",
            "us-east-1",
            "127.0.0.1",
            "2026-11-28",
            "1.2.3-beta",
            "12345678",
            "http://localhost:3000",
            "/usr/local/bin",
            "user@example.com",
            "application/json",
            "localhost:5432",
            "ubuntu-22.04",
            "test1234",
            "PRODUCTION",
            "my-service-name",
            "changeme123",
            "database_url",
            "./target/debug",
            "internationalization",
            "Staging2",
            "true",
            "developer",
            "configuration",
            "postgresql",
            "nginxproxy",
            "rabbitmq",
            "Schwarzwald",
            "xylophone",
            "sha256sum",
            "webhooks",
            "redis:6379",
            "some text",
            "README.md",
            "com.example.app",
            "hello-world",
        ] {
            assert!(
                !is_unmistakable(value),
                "{value}: {} {}",
                chance::bits(value.as_bytes()),
                chance::density(value.as_bytes())
            );
        }
    }

    #[test]
    fn secrets_are_also_those_of_letters_alone() {
        for value in [
            "hunter2!x9",
            "xqzvbnwp",
            "kqwzxjvbpl",
            "Tr0ub4dor&3",
            "S3cr3t!Pass",
            "Sommer2026!",
            "aghoh8oubu1obin9Cagae0u",
            "correct-horse-battery-staple",
            "correct horse battery staple",
            "w1zQKhicZy2grZs",
            "p@ssw0rd!23",
            "2e570ead545ddd9a50eee8f55b85d40c",
            "vXqLpTzWk",
            "gT7#kk2Lq",
            "k3v9x2p1",
        ] {
            assert!(
                is_unmistakable(value),
                "{value}: {} {}",
                chance::bits(value.as_bytes()),
                chance::density(value.as_bytes())
            );
        }
    }
}
