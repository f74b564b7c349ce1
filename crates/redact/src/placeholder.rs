//! What only holds the place of a secret: masks, templates, references, words that examples use.
//!
//! Always judged as a whole or word by word: a random value may contain any word.

/// Words that fill the place of a secret in examples, in any combination.
#[rustfmt::skip]
fn is_filler(word: &str) -> bool {
    matches!(
        word,
        "your" | "my" | "the" | "a" | "an" | "api" | "key" | "token" | "secret" | "secrets" | "password"
        | "passwd" | "pass" | "pwd" | "here" | "change" | "changeme" | "changeit" | "me" | "it" |
        "insert" | "enter" | "replace" | "example" | "sample" | "dummy" | "fake" | "test" | "testing" |
        "todo" | "user" | "username" | "foo" | "bar" | "baz" | "value" | "placeholder" | "default" |
        "goes" | "with" | "put" | "client" | "access" | "auth" | "app" | "id" | "name" | "some" |
        "string" | "str" | "text" | "unique" | "phrase" | "redacted" | "masked" | "hidden" | "removed" |
        "none" | "null" | "nil" | "true" | "false" | "undefined" | "required" | "optional" | "this" |
        "in" | "to" | "for" | "of" | "actual" | "real" | "real_key" | "xxx" | "tbd" | "unset" | "empty"
        | "unknown" | "yes" | "no" | "on" | "off" | "auto" | "basic" | "bearer" | "yourpassword" |
        "mypassword" | "mysecret" | "yoursecret" | "yourtoken" | "yourapikey" | "apikey" | "github" |
        "openai" | "aws" | "db" | "database" | "private" | "public" | "encrypted" | "invalid" | "valid"
        | "wrong" | "bad" | "expired" | "new" | "old" | "current" | "confirm" | "input" | "field" |
        "admin" | "root" | "postgres" | "guest" | "abc" | "any" | "object" | "number" | "boolean" |
        "bool" | "int" | "integer" | "bytes" | "char" | "credentials" | "credential" | "service" |
        "account" | "session" | "cookie" | "refresh" | "code" | "login" | "sensitive" | "not" | "set" |
        "provided" | "omitted" | "see" | "vault" | "from" | "env" | "environment" | "variable" |
        "config" | "file" | "prod" | "dev" | "staging" | "production" | "development" | "is" | "and" |
        "or" | "ghp" | "sk" | "pk" | "live" | "ant" | "proj" | "xoxb" | "please" | "use" | "keep" |
        "safe" | "long" | "random" | "generated" | "generate" | "super" | "strong" | "own" | "company" |
        "org" | "project" | "email" | "host" | "option" | "options" | "flag" | "flags" | "argument" | "arguments" |
        "parameter" | "parameters" | "return" | "clear"
    )
}

const LONGEST_FILLERS: usize = 64;

/// Whether `value` only holds the place of a secret.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    crate::work::read(value.len());
    is_mask(value)
        || is_template(value)
        || value.ends_with(b"EXAMPLE")
        || value.ends_with(b"EXAMPLEKEY")
        || is_filler_words(value)
}

/// `xxxx`, `****`, `sk-xxxxxxxx`, `ghp_...`, `0000`, `abc***`.
fn is_mask(value: &[u8]) -> bool {
    let Some(&last) = value.last() else { return true };
    let same = value.iter().rev().take_while(|&&byte| byte == last).count();
    if same == value.len() {
        return true;
    }
    let masks = |byte: &u8| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'#' | b'_' | b'-');
    let tail = value.iter().rev().take_while(|&byte| masks(byte)).count();
    value.ends_with(b"...")
        || value.ends_with("…".as_bytes())
        || same >= 6 && same * 3 >= value.len()
        || tail >= 4 && tail * 2 >= value.len()
        || crate::search::has(value, b"***")
        || value.len() > 2 && value[0] == b'*' && last == b'*'
        || value.starts_with("•".as_bytes())
}

/// `ABCDEFGH…`: letters in their own order.
pub(crate) fn is_alphabet(value: &[u8]) -> bool {
    let mut run = 1;
    value.len() >= 8
        && value.windows(2).any(|two| {
            run = if two[0].is_ascii_alphabetic() && two[1] == two[0] + 1 { run + 1 } else { 1 };
            run >= 8
        })
}

/// `${X}`, `{{ x }}`, `<token>`, `%s`, `{token}`, `[token]`.
fn is_template(value: &[u8]) -> bool {
    if !value.iter().any(|byte| matches!(byte, b'$' | b'{' | b'}' | b'#' | b'<' | b'%' | b'[')) {
        return false;
    }
    let has = |needle: &[u8]| crate::search::has(value, needle);
    let pair = (value.first(), value.last());
    has(b"${")
        || has(b"{{")
        || has(b"$(")
        || has(b"#{")
        || has(b"<%")
        || has(b"%s")
        || value.starts_with(b"%(")
        || matches!(value, b"%s" | b"%v" | b"{}" | b"%d" | b"%q")
        || matches!(pair, (Some(b'<'), Some(b'>')))
        || matches!(pair, (Some(b'{'), Some(b'}')) | (Some(b'['), Some(b']')))
            && !crate::chance::is_random(&value[1..value.len() - 1])
        || pair == (Some(&b'%'), Some(&b'%')) && value.len() > 2
        || value.len() < 48
            && value.starts_with(b"<")
            && value[1..].first().is_some_and(u8::is_ascii_alphabetic)
}

/// Every word is a filler: `your-api-key-here`, `changeme`, `sk-your-key`.
fn is_filler_words(value: &[u8]) -> bool {
    let signs = |byte: &u8| {
        byte.is_ascii_digit() || matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*')
    };
    if value.len() > LONGEST_FILLERS || value.iter().any(signs) {
        return matches!(value, b"1234" | b"12345" | b"123456");
    }
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let mut space = [0; LONGEST_FILLERS];
    let lower = &mut space[..value.len()];
    lower.copy_from_slice(value);
    lower.make_ascii_lowercase();
    let Ok(lower) = std::str::from_utf8(lower) else { return false };
    let mut words =
        lower.split(|sign: char| !sign.is_ascii_alphabetic()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some() && (words.all(is_filler) || camel_words_are_fillers(text))
}

fn camel_words_are_fillers(text: &str) -> bool {
    let mut word = String::new();
    let mut seen = false;
    for sign in text.chars().chain(['_']) {
        if (!sign.is_ascii_lowercase()) && !word.is_empty() {
            if !is_filler(&word) {
                return false;
            }
            (seen, word) = (true, String::new());
        }
        if sign.is_ascii_alphabetic() {
            word.push(sign.to_ascii_lowercase());
        }
    }
    seen
}

/// How keys begin that pages and apps show to everybody.
const PUBLIC: [&[u8]; 4] = [b"pk_live_", b"pk_test_", b"phc_", b"bc1q"];

pub(crate) fn is_public(value: &[u8]) -> bool {
    PUBLIC.iter().any(|public| value.starts_with(public))
}

/// `$TOKEN`, `$env:TOKEN`, `@token`, `!vault`, `&anchor`, `*alias`, `process.env.X`, `[REDACTED:…]`.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let word = |rest: &[u8]| {
        !rest.is_empty()
            && rest
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'))
    };
    let digits = value.iter().filter(|byte| byte.is_ascii_digit()).count();
    match value {
        [b'$', rest @ ..] => {
            word(rest)
                && (digits == 0
                    || rest
                        .iter()
                        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_'))
        }
        // An entity: what it stands for is read in a view of its own.
        [b'&', b'#', ..] | [b'&', b'l', b't', b';', ..] => true,
        [b'!' | b'&' | b'*', rest @ ..] => {
            word(rest) && digits == 0 && rest.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
        }
        _ => {
            value.starts_with(b"[REDACTED")
                // What a package must be like, byte by byte.
                || value.starts_with(b"sha512-")
                || value.starts_with(b"sha256-")
                || value.starts_with(b"sha1-")
                // Made to be seen in every page: publishable by their makers' own word.
                || is_public(value)
                || value.starts_with(b"process.env")
                || value.starts_with(b"os.environ")
                || value.starts_with(b"secretref:")
                || value.starts_with(b"op://")
                || value.starts_with(b"vault:")
                || value.starts_with(b"arn:aws")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_holds_the_place_of_a_secret() {
        for value in [
            "changeme",
            "your-api-key-here",
            "YOUR_API_KEY",
            "sk-xxxxxxxxxxxxxxxx",
            "********",
            "ghp_...",
            "${DB_PASSWORD}",
            "{{ vault_password }}",
            "<token>",
            "%s",
            "AKIAIOSFODNN7EXAMPLE",
            "myPassword",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["$TOKEN", "$env:TOKEN", "!vault", "process.env.KEY", "op://vault/item"] {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_value_that_contains_such_a_word_is_none() {
        for value in ["xK9hook2mQexample7pLw4", "Password1!", "test9Kq2Lm8", "changeme99"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
