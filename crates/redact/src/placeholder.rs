//! What only holds the place of a secret: masks, templates, references, words that examples use.
//!
//! Always judged as a whole or word by word: a random value may contain any word.

use crate::search::Words;

/// Words that fill the place of a secret in examples, in any combination.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "your", "my", "the", "a", "an", "api", "key", "token", "secret", "secrets", "password", "passwd",
    "pass", "pwd", "here", "change", "changeme", "changeit", "me", "it", "insert", "enter", "replace",
    "example", "sample", "dummy", "fake", "test", "testing", "todo", "user", "username", "foo", "bar",
    "baz", "value", "placeholder", "default", "goes", "with", "put", "client", "access", "auth", "app",
    "id", "name", "some", "string", "str", "text", "unique", "phrase", "redacted", "masked", "hidden", "saved",
    "removed", "none", "null", "nil", "true", "false", "undefined", "required", "optional", "this", "in",
    "to", "for", "of", "actual", "real", "real_key", "xxx", "tbd", "unset", "empty", "unknown", "yes",
    "no", "on", "off", "auto", "basic", "bearer", "yourpassword", "mypassword", "mysecret", "yoursecret",
    "yourtoken", "yourapikey", "apikey", "github", "openai", "aws", "db", "database", "private", "public",
    "encrypted", "invalid", "valid", "wrong", "bad", "expired", "new", "old", "current", "confirm",
    "input", "field", "admin", "root", "postgres", "guest", "abc", "any", "object", "number", "boolean",
    "bool", "int", "integer", "bytes", "char", "credentials", "credential", "service", "account",
    "session", "cookie", "refresh", "code", "login", "sensitive", "not", "set", "provided", "omitted",
    "see", "vault", "from", "env", "environment", "variable", "config", "file", "prod", "dev", "staging",
    "production", "development", "is", "and", "or", "ghp", "sk", "pk", "live", "ant", "proj", "xoxb",
    "please", "use", "keep", "safe", "long", "random", "generated", "generate", "super", "strong", "own",
    "company", "org", "project", "email", "host", "option", "options", "flag", "flags", "argument",
    "arguments", "parameter", "parameters", "return", "clear", "short", "weak", "mismatch", "before", "deploy", "deploying", "startup", "will", "fail",
];

/// By hash: which of them, plus one; a slot that is taken leads to the next.
static FILLER_SLOTS: [u16; SLOTS] = {
    let mut slots = [0; SLOTS];
    let mut word = 0;
    while word < FILLERS.len() {
        let mut slot = slot(FILLERS[word].as_bytes());
        while slots[slot] != 0 {
            slot = (slot + 1) % SLOTS;
        }
        word += 1;
        #[allow(clippy::cast_possible_truncation, reason = "there are fewer words than slots")]
        let number = word as u16;
        slots[slot] = number;
    }
    slots
};
/// Four times as many as words, or more.
const SLOTS: usize = 1024;

/// Small and capital letters fall into the same slot.
const fn slot(word: &[u8]) -> usize {
    let (mut hash, mut at) = (word.len(), 0);
    while at < word.len() {
        hash = hash.wrapping_mul(31) ^ (word[at] | 0x20) as usize;
        at += 1;
    }
    (hash ^ hash >> 10) % SLOTS
}

/// Whether a word of letters is one of them, in whatever case.
fn is_filler(word: &[u8]) -> bool {
    let mut slot = slot(word);
    while let Some(filler) = usize::from(FILLER_SLOTS[slot]).checked_sub(1) {
        if FILLERS[filler].as_bytes().eq_ignore_ascii_case(word) {
            return true;
        }
        slot = (slot + 1) % SLOTS;
    }
    false
}

const LONGEST_FILLERS: usize = 64;

/// Whether `value` only holds the place of a secret.
pub(crate) fn is_placeholder(value: &[u8]) -> bool {
    crate::work::read(value.len());
    let signs = crate::search::sorts(value, &SIGNS);
    is_mask(value, signs)
        || is_remark(value)
        || signs & DOTS != 0 && is_elided(value)
        || signs & TEMPLATE != 0 && is_template(value)
        || value.ends_with(b"EXAMPLE")
        || value.ends_with(b"EXAMPLEKEY")
        || value.starts_with(b"WPA") && is_standard(value)
        || value.len() == VOLUME.word(0).len() && VOLUME.equals(value)
        || is_filler_words(value, signs)
}

/// `WPA2-PSK`, `WPA3-Personal`: how a network is protected.
fn is_standard(value: &[u8]) -> bool {
    static PARTS: Words<9> =
        Words::new([b"WPA", b"WPA2", b"WPA3", b"PSK", b"SAE", b"EAP", b"Personal", b"Enterprise", b"Mixed"]);
    value.split(|byte| matches!(byte, b'-' | b'/' | b'_' | b' ')).all(|part| PARTS.equals(part))
}

/// What a maker prints in its handbook for all who have many of its systems, and a server of theirs activates: editions
/// of Windows 10 and 11, and of Windows Server since 2016.
#[rustfmt::skip]
static VOLUME: Words<11> = Words::exact([
    b"W269N-WFGWX-YVC9B-4J6C9-T83GX", b"MH37W-N47XK-V7XM9-C7227-GCQG9", b"NPPR9-FWDCX-D2C8J-H872K-2YT43", b"NW6C2-QMPVW-D7KKK-3GKT6-VCFB2",
    b"TX9XD-98N7V-6WMQ6-BX7FG-H8Q99", b"N69G4-B89J2-4G8F4-WWYCC-J464C", b"WMDGN-G9PQG-XVVXX-R3X43-63DFG", b"WC2BQ-8NRM3-FDDYY-2BFGV-KHKQY",
    b"CB7KF-BWN84-R7R2Y-793K2-8XDDG", b"VDYBN-27WPP-V4HQT-9VMD4-VMK7H", b"WX4NM-KYWYW-QJJR4-XV3QB-6VM33",
]);

/// `(see the vault)`: several words in brackets; `[use 'op item get …' to reveal]`: how a vault shows what it hides.
fn is_remark(value: &[u8]) -> bool {
    value.first() == Some(&b'(') && value.last() == Some(&b')') && value.contains(&b' ')
        || value.starts_with(b"[use ")
        // `<redacted:sha256:417ece0f7351>`.
        || value.get(..9).is_some_and(|head| head.eq_ignore_ascii_case(b"redacted:"))
        // `REDACTED # (24 bytes)`.
        || value.starts_with(b"REDACTED # (") && value.ends_with(b" bytes)")
        // Jasypt's: what stands in the brackets is encrypted.
        || value.starts_with(b"ENC(") && value.ends_with(b")")
        // `ENC[pg_datadog]`: an agent asks for it by that name.
        || value.starts_with(b"ENC[") && value.ends_with(b"]")
}

/// Which judge a byte concerns: most values have none of these.
const STAR: u8 = 1;
const TEMPLATE: u8 = 2;
const NO_FILLER: u8 = 4;
const CAPITAL: u8 = 8;
const DOTS: u8 = 16;
const SIGNS: [u8; 256] = {
    let mut table = [0; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        let template = matches!(byte, b'$' | b'{' | b'}' | b'#' | b'<' | b'%' | b'[');
        let no_filler =
            byte.is_ascii_digit() || matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*');
        table[byte as usize] = if byte == b'*' { STAR } else { 0 }
            | if template { TEMPLATE } else { 0 }
            | if no_filler { NO_FILLER } else { 0 }
            | if byte.is_ascii_uppercase() { CAPITAL } else { 0 }
            | if byte == b'.' { DOTS } else { 0 };
        byte += 1;
    }
    // `…` begins so.
    table[0xE2] = DOTS;
    table
};

/// `xxxx`, `****`, `sk-xxxxxxxx`, `ghp_...`, `0000`, `abc***`.
fn is_mask(value: &[u8], signs: u8) -> bool {
    let masks = |byte: &u8| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'#' | b'_' | b'-');
    let Some(&last) = value.last() else { return true };
    // `xxxx9aQw`: of what was set its end is shown.
    if value.len() <= 10 && value.starts_with(b"xxxx") {
        return true;
    }
    // Most values end in two different bytes, and no mask does.
    if let [first, .., before, _] = value
        && *before != last
        && !masks(&last)
        && first.is_ascii()
        && last.is_ascii()
        && signs & STAR == 0
    {
        return false;
    }
    let same = value.iter().rev().take_while(|&&byte| byte == last).count();
    if same == value.len() {
        return true;
    }
    let tail = value.iter().rev().take_while(|&byte| masks(byte)).count();
    value.ends_with(b"...")
        || value.ends_with("…".as_bytes())
        || same >= 6 && same * 3 >= value.len()
        || tail >= 4 && tail * 2 >= value.len()
        || signs & STAR != 0 && crate::search::has(value, b"***")
        || value.len() > 2 && value[0] == b'*' && last == b'*'
        || value.starts_with("•".as_bytes())
        || value.starts_with("··".as_bytes())
}

/// `sk-ant-...x7Q-wAA`, `ghp_…4f2K`: a key of which its beginning and its end are shown.
fn is_elided(value: &[u8]) -> bool {
    if value.len() > 40 {
        return false;
    }
    let cut = |sign: &[u8]| {
        let at = crate::search::find(value, sign)?;
        Some((&value[..at], &value[at + sign.len()..]))
    };
    let Some((head, tail)) = cut(b"...").or_else(|| cut("…".as_bytes())) else { return false };
    let plain =
        |part: &[u8]| part.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    let begins = head.iter().any(|byte| matches!(byte, b'-' | b'_')) && head[0].is_ascii_alphabetic();
    begins && plain(head) && plain(tail) && tail.len() <= 8
}

/// `ABCDEFGH…`: letters in their own order.
pub(crate) fn is_alphabet(value: &[u8]) -> bool {
    // A run of eight has seven steps, so one of each seven steps is in it.
    let step = |at: usize| value[at].is_ascii_alphabetic() && value[at + 1] == value[at] + 1;
    let mut run = 1;
    value.len() >= 8
        && (0..value.len() - 1).step_by(7).any(step)
        && value.windows(2).any(|two| {
            run = if two[0].is_ascii_alphabetic() && two[1] == two[0] + 1 { run + 1 } else { 1 };
            run >= 8
        })
}

/// `${X}`, `{{ x }}`, `<token>`, `%s`, `{token}`, `[token]`.
fn is_template(value: &[u8]) -> bool {
    static WITHIN: Words<5> = Words::exact([b"${", b"$(", b"#{", b"<%", b"%s"]);
    // In a long random value two such signs meet by chance.
    let by_chance = || {
        let at = value.windows(2).position(|two| WITHIN.begin(two)).unwrap_or_default();
        let filled = [&value[..at], &value[(at + 2).min(value.len())..]];
        // No brace closes a `%s`.
        let format = value[at..].starts_with(b"%s");
        // `lfD#%sqx39Qb`: no format has small and capital letters, digits and a sign.
        let has = |sort: fn(&u8) -> bool| filled.iter().any(|part| part.iter().any(sort));
        let mixed = format
            && value.len() >= 10
            && !has(|byte| matches!(byte, b' ' | b'=' | b'/' | b'{' | b'<' | b'%'))
            && has(u8::is_ascii_digit)
            && has(u8::is_ascii_uppercase)
            && has(u8::is_ascii_lowercase)
            && filled.iter().all(|part| part.iter().any(u8::is_ascii_digit) || part.len() < 8);
        mixed
            || filled.iter().any(|part| {
                part.len() >= 16 && crate::chance::is_random(part) && (format || !part.contains(&b'}'))
            })
    };
    let pair = (value.first(), value.last());
    // What opens by chance is not closed.
    let closed = |open: usize| value.starts_with(b"{{") || crate::search::has(&value[open..], b"}}");
    WITHIN.within(value) && !by_chance()
        || crate::search::find(value, b"{{").is_some_and(closed)
        || value.starts_with(b"%(")
        || crate::search::find(value, b"%(").is_some_and(|at| crate::search::has(&value[at..], b")s"))
        || value.starts_with(b"%3C") && value.ends_with(b"%3E")
        || [&b"%24%7B"[..], b"%7B%7B", b"%5BFILTERED"].iter().any(|open| value.starts_with(open))
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
fn is_filler_words(value: &[u8], signs: u8) -> bool {
    if value.len() > LONGEST_FILLERS || signs & NO_FILLER != 0 {
        return matches!(value, b"1234" | b"12345" | b"123456" | b"anonymous@" | b"-anonymous@" | b"guest@")
            || is_to_replace(value);
    }
    if is_yours(value) {
        return true;
    }
    let mut words =
        value.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| !word.is_empty()).peekable();
    is_to_replace(value)
        || words.peek().is_some()
        // Without capitals they are the same words.
        && (words.all(is_filler) || signs & CAPITAL != 0 && camel_words_are_fillers(value))
        && (value.is_ascii() || std::str::from_utf8(value).is_ok())
}

/// `your-smtp-password`, `your_acme_widget_key`: whatever stands between.
fn is_yours(value: &[u8]) -> bool {
    let joint = |byte: &u8| matches!(byte, b'-' | b'_' | b' ');
    let head = value.get(..5).is_some_and(|head| head[..4].eq_ignore_ascii_case(b"your") && joint(&head[4]));
    head && value.iter().all(|byte| byte.is_ascii_alphabetic() || joint(byte))
        && value.rsplit(joint).next().is_some_and(is_filler)
}

/// `replace-with-32-random-bytes`, `REPLACE_ME_WITH_OPENSSL_RAND_HEX_32`: what is to be done, in words and numbers.
fn is_to_replace(value: &[u8]) -> bool {
    const ORDERS: [&[u8]; 4] = [b"replace", b"change", b"generate", b"insert"];
    let mut words = value.split(|byte| matches!(byte, b'-' | b'_' | b' '));
    let is = |word: Option<&[u8]>, of: &[&[u8]]| {
        word.is_some_and(|word| of.iter().any(|own| own.eq_ignore_ascii_case(word)))
    };
    let spelt = |word: &[u8]| {
        word.iter().all(u8::is_ascii_alphabetic) || word.len() <= 3 && word.iter().all(u8::is_ascii_digit)
    };
    value.len() <= LONGEST_FILLERS
        && is(words.next(), &ORDERS)
        && is(words.next(), &[b"with", b"me", b"this", b"by"])
        && words.clone().count() >= 2
        && words.all(spelt)
}

/// The same for the words of `myPassword`.
fn camel_words_are_fillers(value: &[u8]) -> bool {
    let mut word = 0..0;
    let mut seen = false;
    for (at, byte) in value.iter().chain(b"_").enumerate() {
        if !byte.is_ascii_lowercase() && !word.is_empty() {
            if !is_filler(&value[word]) {
                return false;
            }
            (seen, word) = (true, at..at);
        }
        if byte.is_ascii_alphabetic() {
            word = if word.is_empty() { at..at + 1 } else { word.start..at + 1 };
        }
    }
    seen
}

/// How keys begin that pages and apps show to everybody.
static PUBLIC: Words<24> = Words::exact([
    b"pk_live_",
    b"pk_test_",
    b"sb_publishable_",
    b"phc_",
    b"rzp_live_",
    b"rzp_test_",
    b"mob-",
    b"bc1q",
    // What a map shows to every page, by its maker's word.
    b"pk.eyJ",
    // A shop's, in an app.
    b"appl_",
    b"goog_",
    // Public halves of wallets and of who says something.
    b"age1",
    b"xpub",
    b"ypub",
    b"zpub",
    b"tpubD",
    b"npub1",
    b"ssh-ed25519 ",
    b"ssh-rsa ",
    b"ecdsa-sha2-",
    // How public keys begin in base64, by their algorithm.
    b"MIIBIjANBgkqhkiG9w0BAQE",
    b"MFkwEwYHKoZIzj0",
    b"MCowBQYDK2VwAyEA",
    b"MIGfMA0GCSqGSIb3DQEB",
]);

pub(crate) fn is_public(value: &[u8]) -> bool {
    PUBLIC.begin(value)
}

/// `$TOKEN`, `$env:TOKEN`, `@token`, `!vault`, `&anchor`, `*alias`, `process.env.X`, `[REDACTED:…]`.
pub(crate) fn is_reference(value: &[u8]) -> bool {
    let word = |rest: &[u8]| {
        !rest.is_empty()
            && rest
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b':' | b'-'))
    };
    let digits = || value.iter().any(u8::is_ascii_digit);
    match value {
        // Make's way to hand a variable on: `$$PATH`.
        [b'$', b'$', rest @ ..] if rest.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_') => {
            !rest.is_empty()
        }
        // `$USER8$`, `$HOSTADDRESS$`: a monitor's own variables.
        [b'$', rest @ .., b'$']
            if rest.len() >= 4
                && rest.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) =>
        {
            true
        }
        [b'$', rest @ ..] => {
            word(rest)
                && (!digits()
                    || rest
                        .iter()
                        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_'))
        }
        // `--no-block`: another flag.
        [b'-', b'-', rest @ ..] => {
            rest.first().is_some_and(u8::is_ascii_lowercase)
                && rest.iter().all(|byte| {
                    byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'=' | b'|')
                })
        }
        // `@VMWARE_PASSWORD`.
        [b'@', rest @ ..]
            if rest.len() >= 3 && rest.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_') =>
        {
            true
        }
        // `-no_debug`.
        [b'-', rest @ ..]
            if rest.len() >= 3 && rest.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_') =>
        {
            true
        }
        // An entity: what it stands for is read in a view of its own.
        // `0x$KEY`, `<(echo …)` of a shell.
        [b'&', b'#', ..] | [b'&', b'l', b't', b';', ..] | [b'0', b'x', b'$', ..] | [b'<', b'(', ..] => true,
        [b'!' | b'&' | b'*', rest @ ..] => {
            word(rest) && !digits() && rest.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
        }
        // Publishable keys are made to be seen in every page, by their makers' own word.
        _ => REFERENCES.begin(value) || is_public(value),
    }
}

/// How references begin; `sha512-` is what a package must be like, byte by byte.
#[rustfmt::skip]
static REFERENCES: Words<18> = Words::exact([
    b"/dev/", b"/etc/", b"/home/", b"/usr/", b"/proc/", b"/run/", b"/root/",
    b"[REDACTED", b"sha512-", b"sha256-", b"sha1-", b"process.env", b"os.environ", b"secretref:", b"op://", b"vault:", b"arn:aws", b"@Microsoft.KeyVault(",
]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_and_formats_end_where_values_begin() {
        for value in [
            "replace-with-Kx7mQ2vLp9",
            "change-me-k8vLm2ZpXt9R",
            "replace-4471-lamps",
            "Change_Me_Otter77",
            "%sK..bR7W m3Q)~tVZHQX`Pd}LN KsXu8RD6f`;&/<4pwqv9cGhOacN1p$-wT;h2",
        ] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["%s-of-{}", "user:%s}", "${DB_PASSWORD}", "generate_with_openssl_rand_64"] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_holds_the_place_of_a_secret() {
        for value in [
            "changeme",
            "your-api-key-here",
            "YOUR_API_KEY",
            "your-smtp-password",
            "YOUR_ACME_WIDGET_KEY",
            "sk-xxxxxxxxxxxxxxxx",
            "********",
            "ghp_...",
            "${DB_PASSWORD}",
            "{{ vault_password }}",
            "<token>",
            "%s",
            "AKIAIOSFODNN7EXAMPLE",
            "myPassword",
            "sk-ant-...x7Q-wAA",
            "ghp_…4f2K",
            "anonymous@",
            "-anonymous@",
            "[use 'op item get k7 --reveal' to reveal",
            "ENC(k8vLm2ZpXt9Rk7Wd3Yb5Nc==)",
            "WPA2",
            "WPA2-PSK",
            "WPA3-Personal",
            "W269N-WFGWX-YVC9B-4J6C9-T83GX",
            "replace-with-32-random-bytes",
            "REPLACE_ME_WITH_OPENSSL_RAND_HEX_32",
            "replace-with-output-of-openssl-rand",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["WPA2otter7", "WPA-Otter-Bridge", "W269N-WFGWX-YVC9B-4J6C9-T83GQ"] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["$TOKEN", "$env:TOKEN", "!vault", "process.env.KEY", "op://vault/item"] {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn other_flags_are_no_values() {
        for value in ["--no-block", "--print0", "$$PATH"] {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
        for value in ["--Otter7!", "$$otter77", "-----otter"] {
            assert!(!is_reference(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn a_value_that_contains_such_a_word_is_none() {
        for value in [
            "xK9hook2mQexample7pLw4",
            "Password1!",
            "test9Kq2Lm8",
            "changeme99",
            "wait...what9",
            "evt...Kd83mQpz4x-TT-m8Kq2Lw",
        ] {
            assert!(!is_placeholder(value.as_bytes()), "{value}");
        }
    }
}
