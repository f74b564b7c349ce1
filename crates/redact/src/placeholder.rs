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
    "id", "name", "some", "string", "str", "text", "unique", "phrase", "redacted", "masked", "hidden",
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
    "arguments", "parameter", "parameters", "return", "clear", "short", "weak", "mismatch",
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
        || is_elided(value)
        || signs & TEMPLATE != 0 && is_template(value)
        || value.ends_with(b"EXAMPLE")
        || value.ends_with(b"EXAMPLEKEY")
        || is_filler_words(value, signs)
}

/// `(see the vault)`: several words in brackets; `[use 'op item get …' to reveal]`: how a vault shows what it hides.
fn is_remark(value: &[u8]) -> bool {
    value.first() == Some(&b'(') && value.last() == Some(&b')') && value.contains(&b' ')
        || value.starts_with(b"[use ")
        // Jasypt's: what stands in the brackets is encrypted.
        || value.starts_with(b"ENC(") && value.ends_with(b")")
}

/// Which judge a byte concerns: most values have none of these.
const STAR: u8 = 1;
const TEMPLATE: u8 = 2;
const NO_FILLER: u8 = 4;
const CAPITAL: u8 = 8;
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
            | if byte.is_ascii_uppercase() { CAPITAL } else { 0 };
        byte += 1;
    }
    table
};

/// `xxxx`, `****`, `sk-xxxxxxxx`, `ghp_...`, `0000`, `abc***`.
fn is_mask(value: &[u8], signs: u8) -> bool {
    let masks = |byte: &u8| matches!(byte, b'x' | b'X' | b'*' | b'.' | b'#' | b'_' | b'-');
    let Some(&last) = value.last() else { return true };
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
    static WITHIN: Words<6> = Words::exact([b"${", b"{{", b"$(", b"#{", b"<%", b"%s"]);
    let pair = (value.first(), value.last());
    WITHIN.within(value)
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
fn is_filler_words(value: &[u8], signs: u8) -> bool {
    if value.len() > LONGEST_FILLERS || signs & NO_FILLER != 0 {
        return matches!(value, b"1234" | b"12345" | b"123456" | b"anonymous@" | b"guest@");
    }
    let mut words =
        value.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| !word.is_empty()).peekable();
    words.peek().is_some()
        // Without capitals they are the same words.
        && (words.all(is_filler) || signs & CAPITAL != 0 && camel_words_are_fillers(value))
        && (value.is_ascii() || std::str::from_utf8(value).is_ok())
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
static PUBLIC: Words<8> = Words::exact([
    b"pk_live_",
    b"pk_test_",
    b"phc_",
    b"bc1q",
    // How public keys begin in base64, by their algorithm.
    b"MIIBIjANBgkqhkiG9w0BAQE",
    b"MFkwEwYHKoZIzj0",
    b"MCowBQYDK2VwAyEA",
    b"MIGfMA0GCSqGSIb3DQEB",
]);

pub(crate) fn is_public(value: &[u8]) -> bool {
    PUBLIC.begin(value)
}

/// What is found and yet no secret, whatever its name: an account's number, a wallet's address, what documentation
/// has for everybody.
pub(crate) fn is_known_harmless(value: &[u8]) -> bool {
    const EXAMPLES: [&[u8]; 3] = [
        b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        b"AKIAIOSFODNN7EXAMPLE",
        b"sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    ];
    let hex = |head: &[u8], long: usize| {
        value
            .strip_prefix(head)
            .is_some_and(|rest| rest.len() == long && rest.iter().all(u8::is_ascii_hexdigit))
    };
    hex(b"AC", 32)
        || hex(b"0x", 40)
        || is_pod(value)
        || is_object_of_stripe(value)
        || value.starts_with(b"op item get ")
        || is_recipient(value)
        // `App-Passwort „Pixel 8“`: a quote that the value does not close.
        || value.starts_with("„".as_bytes()) && !crate::search::has(value, "“".as_bytes())
        || METHODS.iter().any(|method| method.as_bytes().eq_ignore_ascii_case(value))
        || is_rest_of_code(value)
        || is_mechanism(value)
        || is_said_to_be_none(value)
        || is_remote(value)
        || is_release(value)
        || is_cloud_id(value)
        || is_glob(value)
        || memchr::memmem::find_iter(value, "、".as_bytes()).count() >= 2
        || value.starts_with(b"localhost:") && value[10..].iter().all(u8::is_ascii_digit)
        || crate::spoken::is_state(value)
        || EXAMPLES.iter().any(|example| value.ends_with(example))
}

/// `deploy@cdn:/srv/www/`: a folder on another machine.
fn is_remote(value: &[u8]) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let Some(at) = memchr::memchr(b'@', value) else { return false };
    let host = value[at + 1..].iter().take_while(|byte| name(byte)).count();
    let folder = &value[at + 1 + host..];
    at > 0
        && host > 0
        && value[..at].iter().all(name)
        && (folder.starts_with(b":/") || folder.starts_with(b":~"))
}

/// `$6$redacted`, `'\\u0000'`, `generate-with-openssl-rand`, `/etc/app/wlan.conf:`, `one-time-code` of a form: something else is
/// in a password's place, and says so.
fn is_said_to_be_none(value: &[u8]) -> bool {
    const FIELDS: [&[u8]; 3] = [b"current-password", b"new-password", b"one-time-code"];
    let made = value.starts_with(b"generate") && crate::search::has(value, b"openssl");
    let file = [&b"/etc/"[..], b"/var/lib/", b"/usr/share/"].iter().any(|folder| value.starts_with(folder));
    let escape = value.len() == 6 && value.starts_with(b"\\u00");
    made || file || escape || value.ends_with(b"$redacted") || FIELDS.contains(&value)
}

/// How a mail server lets somebody in: `AUTH=CRAM-MD5`; each may end in `-PLUS`.
#[rustfmt::skip]
const MECHANISMS: [&[u8]; 14] = [
    b"PLAIN", b"LOGIN", b"ANONYMOUS", b"EXTERNAL", b"CRAM-MD5", b"DIGEST-MD5", b"SCRAM-SHA-1", b"SCRAM-SHA-256", b"SCRAM-SHA-512", b"GSSAPI",
    b"GSS-SPNEGO", b"NTLM", b"XOAUTH2", b"OAUTHBEARER",
];

fn is_mechanism(value: &[u8]) -> bool {
    let plain = value.strip_suffix(b"-PLUS").unwrap_or(value);
    MECHANISMS.contains(&plain)
}

/// `1:4.13+dfsg1-1+deb12u1`, `2.0.0.post1`, `16.0.1.0.0.7`: which release of something. No `12.11.1987`.
pub(crate) fn is_release(value: &[u8]) -> bool {
    let joint = |byte: &u8| matches!(byte, b'.' | b'-' | b'+' | b'~' | b':');
    let year = value.rsplit(joint).next().is_some_and(|last| last.len() == 4);
    let parts = value.split(joint).count();
    value.first().is_some_and(u8::is_ascii_digit)
        && value.contains(&b'.')
        && value.len() <= 40
        && parts >= 3
        && (!year || parts > 3)
        && value.split(joint).all(is_part_of_release)
}

/// `12`, `dfsg1`, `10b0`, `deb12u1`.
fn is_part_of_release(mut part: &[u8]) -> bool {
    #[rustfmt::skip]
    const WORDS: [&[u8]; 14] = [
        b"", b"a", b"b", b"u", b"rc", b"alpha", b"beta", b"dev", b"post", b"deb", b"dfsg", b"ds", b"ubuntu", b"bpo",
    ];
    let empty = part.is_empty();
    while !part.is_empty() {
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let letters = part[digits..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        if digits + letters == 0 || !WORDS.contains(&&part[digits..digits + letters]) {
            return false;
        }
        part = &part[digits + letters..];
    }
    !empty
}

/// `i-1234567890abcdef0`, `vpc-1a2b3c4d`: what a cloud calls a thing.
fn is_cloud_id(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const THINGS: [&[u8]; 12] =
        [b"i", b"ami", b"vpc", b"subnet", b"sg", b"vol", b"snap", b"eni", b"igw", b"rtb", b"lt", b"eipalloc"];
    let Some(dash) = memchr::memchr(b'-', &value[..value.len().min(12)]) else { return false };
    let number = &value[dash + 1..];
    THINGS.contains(&&value[..dash])
        && matches!(number.len(), 8 | 17)
        && number.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
}

/// `all*tokens*updated*`: what a program waits for.
fn is_glob(value: &[u8]) -> bool {
    memchr::memchr_iter(b'*', value).count() >= 3
        && value.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'*')
}

/// `{{ vault_mysql_root }}`: a name that a template puts its value for.
pub(crate) fn is_in_template(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[start.saturating_sub(4)..start].trim_ascii_end();
    let behind = text[end..text.len().min(end + 4)].trim_ascii_start();
    let name = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'.') || byte.is_ascii_digit();
    before.ends_with(b"{{") && behind.starts_with(b"}}") && text[start..end].iter().all(name)
}

/// `evt_1N…`, `cus_9s…`: what Stripe calls an event, a customer, a price; whoever knows it can do nothing with it.
fn is_object_of_stripe(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const OBJECTS: [&[u8]; 22] = [
        b"evt", b"cus", b"price", b"prod", b"acct", b"sub", b"ch", b"req", b"in", b"txn", b"pm", b"we", b"ii", b"si", b"po", b"re", b"plan", b"card", b"ba",
        b"il", b"py", b"dp",
    ];
    let Some(line) = memchr::memchr(b'_', value) else { return false };
    let (object, id) = (&value[..line], &value[line + 1..]);
    (14..=28).contains(&id.len()) && id.iter().all(u8::is_ascii_alphanumeric) && OBJECTS.contains(&object)
}

/// How two ends of a wireless network prove who they are.
const METHODS: [&str; 6] = ["mschapv2", "mschap-v2", "mschap", "eap-mschapv2", "eap-ttls", "eap-peap"];

/// `age1ql3z…`: for whom something is encrypted.
fn is_recipient(value: &[u8]) -> bool {
    value.len() == 62
        && value.starts_with(b"age1")
        && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// `).type(Cypress.env('PASSWORD2`: a quote that closed was taken for one that opens.
fn is_rest_of_code(value: &[u8]) -> bool {
    value.starts_with(b").") && value.contains(&b'(')
}

/// `keycloak-7d9f8b6c5d-x2k9p`: what a cluster calls a process, in the letters that it uses for that.
fn is_pod(value: &[u8]) -> bool {
    if !matches!(value, [.., b'-', _, _, _, _, _]) {
        return false;
    }
    let mut parts = value.rsplit(|&byte| byte == b'-');
    let (Some(own), Some(template), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let made = |part: &[u8]| part.iter().all(|byte| b"bcdfghjklmnpqrstvwxz2456789".contains(byte));
    own.len() == 5
        && (8..=10).contains(&template.len())
        && template.iter().any(u8::is_ascii_digit)
        && made(own)
        && made(template)
        && name.iter().all(u8::is_ascii_lowercase)
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
static REFERENCES: Words<17> = Words::exact([
    b"/dev/", b"/etc/", b"/home/", b"/usr/", b"/proc/", b"/run/", b"/root/",
    b"[REDACTED", b"sha512-", b"sha256-", b"sha1-", b"process.env", b"os.environ", b"secretref:", b"op://", b"vault:", b"arn:aws",
]);

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
            "sk-ant-...x7Q-wAA",
            "ghp_…4f2K",
            "anonymous@",
            "[use 'op item get k7 --reveal' to reveal",
            "ENC(k8vLm2ZpXt9Rk7Wd3Yb5Nc==)",
        ] {
            assert!(is_placeholder(value.as_bytes()), "{value}");
        }
        for value in ["$TOKEN", "$env:TOKEN", "!vault", "process.env.KEY", "op://vault/item"] {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_known_by_its_form() {
        let mechanisms = MECHANISMS.iter().map(|word| std::str::from_utf8(word).unwrap_or_default());
        for value in mechanisms.chain([
            "SCRAM-SHA-256-PLUS",
            "1:4.13+dfsg1-1+deb12u1",
            "2.10.1-2+deb13u1",
            "2.0.0.post1",
            "16.0.1.0.0.7",
            "i-1234567890abcdef0",
            "vpc-1a2b3c4d",
            "all*tokens*updated*well",
            "localhost:22",
            "$6$redacted",
            "deploy@cdn:/srv/www/",
            "\\u0000",
            "generate-with-openssl-rand",
            "/etc/app/wlan.conf:",
            "one-time-code",
            "水獭体系、JWT、OAuth2",
        ]) {
            assert!(is_known_harmless(value.as_bytes()), "{value}");
        }
        for value in [
            "12.11.1987",
            "1.2.otter",
            "4711-0815-12",
            "i-otter!7",
            "2*otter*river*",
            "localhost:2x",
            "NTLM7",
            "generate7openbsd",
            "/etc7otter",
            "otter@7!:/bridge",
        ] {
            assert!(!is_known_harmless(value.as_bytes()), "{value}");
        }
        for value in ["--no-block", "--print0", "$$PATH"] {
            assert!(is_reference(value.as_bytes()), "{value}");
        }
        for value in ["--Otter7!", "$$otter77", "-----otter"] {
            assert!(!is_reference(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_known_to_everybody() {
        for method in METHODS {
            assert!(is_known_harmless(method.to_uppercase().as_bytes()), "{method}");
        }
    }

    #[test]
    fn objects_of_a_shop_are_known() {
        assert!(is_known_harmless(b"evt_1QzX83LkdIwHu7ix9AbCdEfG"));
        assert!(!is_known_harmless(b"sk_1QzX83LkdIwHu7ix9AbCdEfG"));
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
