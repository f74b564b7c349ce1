//! What code, settings, forms and commands have in a secret's place.

use super::{COLON, DASH, DOT, JOINT, LIST};

/// Whether `value` is written so, by its form. `signs` are those that it has.
pub(super) fn is(value: &[u8], signs: u8) -> bool {
    signs & DOT != 0 && (is_page(value) || is_setting_path(value))
        || signs & LIST != 0
            && (is_glob(value)
                || is_constraint(value)
                || is_counted_up(value)
                // `".htpasswd", client: …, request: "`: what stands between two quoted words.
                || value.starts_with(b", "))
        || signs & (JOINT | DASH) != 0 && is_name_of_field(value)
        || value.starts_with(b"op item get ")
        // What a runner says of its log, what code goes on with, what a server is asked to log in by.
        || value.starts_with(b"##[")
        || value.starts_with(b"&&")
        || value.starts_with(b"&quot")
        || value.starts_with(b"ActiveDirectory")
        // `.values.result` of a query, `main@sha1:71e38…` of a release.
        || value.starts_with(b".") && value[1..].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'.')
        || signs & COLON != 0 && (crate::search::has(value, b"@sha1:") || crate::search::has(value, b"@sha256:"))
        || is_of_environment(value)
        // The name of an attribute.
        || value.strip_suffix(b"=").is_some_and(|name| name.len() >= 3 && name.iter().all(u8::is_ascii_lowercase))
        || value.len() < 8 && value.strip_suffix(b"<").is_some_and(|word| word.iter().all(u8::is_ascii_lowercase))
        || is_labelled(value)
        || is_rest_of_query(value)
        || METHODS.iter().any(|method| method.as_bytes().eq_ignore_ascii_case(value))
        || is_rest_of_code(value)
        || is_call_of_variable(value)
        || is_mechanism(value)
        || is_remark(value)
        || is_first_part(value)
        || is_next_name(value)
        || ENCODINGS.contains(&value)
}

/// `migration-changes.html#get-login`: a page, and a place in it.
fn is_page(value: &[u8]) -> bool {
    let Some(at) = crate::search::find(value, b".html") else { return false };
    let path = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b'#');
    value.iter().all(path) && !value.get(at + 5).is_some_and(u8::is_ascii_alphanumeric)
}

/// `~kind:Argon2.ID`: an argument, and what it is called.
fn is_labelled(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"~") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    name >= 2 && rest.get(name) == Some(&b':')
}

/// `admin_pin`, `region_code`, `sftp-private-key`: words of a name, and what it holds.
fn is_name_of_field(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const KEYS: [&[u8]; 20] = [
        b"private", b"public", b"signing", b"ssh", b"gpg", b"pgp", b"tls", b"ssl", b"deploy", b"encryption", b"master", b"webhook", b"shared", b"host", b"session",
        b"license", b"access", b"account", b"storage", b"client",
    ];
    let mut words = value.rsplit(|byte| matches!(byte, b'_' | b'-'));
    let last = words.next().unwrap_or_default();
    let plain = value.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'));
    // Words of a passphrase have dashes between them.
    let dashed = memchr::memchr(b'-', value).is_some();
    let names = matches!(last, b"pin" | b"code" | b"key" | b"ssid" | b"name" | b"user");
    plain && names && (!dashed || last == b"key" && words.next().is_some_and(|kind| KEYS.contains(&kind)))
}

/// `process.env.E2E_PASSWORD`.
fn is_of_environment(value: &[u8]) -> bool {
    let name = value.strip_prefix(b"process.env.").or_else(|| value.strip_prefix(b"import.meta.env."));
    name.is_some_and(|name| name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}

/// ` OR path LIKE `: what stands between two literals of a query.
fn is_rest_of_query(value: &[u8]) -> bool {
    let inside = value.trim_ascii();
    value.starts_with(b" ")
        && value.ends_with(b" ")
        && [&b"OR "[..], b"AND ", b"or ", b"and "].iter().any(|joint| inside.starts_with(joint))
        && [&b" LIKE"[..], b" like", b" =", b" IN", b" IS"].iter().any(|sign| inside.ends_with(sign))
}

/// `#TODO`: what is left to do.
fn is_remark(value: &[u8]) -> bool {
    value.strip_prefix(b"#").is_some_and(|word| word.len() >= 3 && word.iter().all(u8::is_ascii_uppercase))
}

/// `nToken+1`: a name that says what it counts, and how far.
fn is_counted_up(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let Some((sign, name)) = value[..value.len() - digits].split_last() else { return false };
    (1..=2).contains(&digits)
        && matches!(sign, b'+' | b'*')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && crate::value::names_itself(name)
}

/// `required|string|min:12|confirmed`: what a form asks of a value.
fn is_constraint(value: &[u8]) -> bool {
    const FIRST: [&[u8]; 7] =
        [b"required", b"nullable", b"sometimes", b"string", b"filled", b"bail", b"present"];
    let mut rules = value.split(|&byte| byte == b'|');
    let rule = |rule: &[u8]| {
        rule.iter().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b':' | b'_' | b',')
        })
    };
    value.contains(&b'|') && rules.next().is_some_and(|first| FIRST.contains(&first)) && rules.all(rule)
}

/// `S3_SECRET_KEY=`: the next line, whose name has no value.
fn is_next_name(value: &[u8]) -> bool {
    let Some(name) = value.strip_suffix(b"=") else { return false };
    name.contains(&b'_')
        && name[0].is_ascii_uppercase()
        && name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `eyJhbGciOiJIUzI1NiJ9`, `$argon2id$v=19$m=65536,t=3,p=4$`: how a web token is signed, how a hash is made, and nothing
/// of either.
fn is_first_part(value: &[u8]) -> bool {
    let signed = value.len() <= 64
        && (value.starts_with(b"eyJhbGciOi") || value.starts_with(b"eyJ0eXAiOi"))
        && value.iter().all(u8::is_ascii_alphanumeric);
    let made =
        value.starts_with(b"$") && value.ends_with(b"$") && memchr::memchr_iter(b'$', value).count() >= 3;
    signed || made && !value.iter().any(u8::is_ascii_uppercase)
}

/// `fs.s3.cse.encryptionMaterialsProvider`: small words with dots between, of which one goes on in humps.
fn is_setting_path(value: &[u8]) -> bool {
    let humps = |part: &[u8]| {
        part.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count()
    };
    let word = |part: &[u8]| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        part.len() >= 2
            && part[0].is_ascii_lowercase()
            && part[..part.len() - digits].iter().all(u8::is_ascii_alphabetic)
            && part.windows(2).all(|two| !(two[0].is_ascii_uppercase() && two[1].is_ascii_uppercase()))
    };
    let mut parts = value.split(|&byte| byte == b'.');
    value.first().is_some_and(u8::is_ascii_lowercase)
        && memchr::memchr_iter(b'.', value).count() >= 2
        && parts.clone().all(word)
        && parts.any(|part| humps(part) > 0)
}

/// How bytes are written down.
const ENCODINGS: [&[u8]; 13] = [
    b"ssh-ed25519",
    b"ssh-rsa",
    b"ssh-dss",
    b"base16",
    b"base32",
    b"base36",
    b"base58",
    b"base62",
    b"base64",
    b"base64url",
    b"base85",
    b"utf-8",
    b"ascii85",
];

/// How a mail server lets somebody in: `AUTH=CRAM-MD5`; each may end in `-PLUS`.
#[rustfmt::skip]
pub(super) const MECHANISMS: [&[u8]; 14] = [
    b"PLAIN", b"LOGIN", b"ANONYMOUS", b"EXTERNAL", b"CRAM-MD5", b"DIGEST-MD5", b"SCRAM-SHA-1", b"SCRAM-SHA-256", b"SCRAM-SHA-512", b"GSSAPI",
    b"GSS-SPNEGO", b"NTLM", b"XOAUTH2", b"OAUTHBEARER",
];

fn is_mechanism(value: &[u8]) -> bool {
    let plain = value.strip_suffix(b"-PLUS").unwrap_or(value);
    MECHANISMS.contains(&plain)
}

/// `all*tokens*updated*`: what a program waits for.
fn is_glob(value: &[u8]) -> bool {
    memchr::memchr_iter(b'*', value).count() >= 3
        && value.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'*')
}

/// How two ends of a wireless network prove who they are.
pub(super) const METHODS: [&str; 6] =
    ["mschapv2", "mschap-v2", "mschap", "eap-mschapv2", "eap-ttls", "eap-peap"];

/// `).type(Cypress.env('PASSWORD2`: a quote that closed was taken for one that opens.
fn is_rest_of_code(value: &[u8]) -> bool {
    value.starts_with(b").") && value.contains(&b'(')
}

/// `$password).textContentType(.password)`: a variable, and what is done with it.
fn is_call_of_variable(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"$") else { return false };
    let long = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    long > 0 && rest[long..].starts_with(b").")
}
