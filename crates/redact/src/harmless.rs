//! What is found and yet no secret, whatever its name: known to everybody by its form, or by what stands around it.

use crate::search::Words;

/// Nothing but an example's web token is longer.
const LONGEST: usize = 256;

/// Whether what stands at `start..end` was found and is yet no secret.
pub(crate) fn is_harmless(text: &[u8], start: usize, end: usize) -> bool {
    is_known(&text[start..end])
        || is_in_template(text, start, end)
        || is_port(text, start, end)
        || is_complaint(text, start, end)
        || end - start <= LONGEST && is_torn_code(text, start, end)
        || is_digest(text, start, end)
        || is_listed_key(text, start, end)
        || is_example(text, start)
        || is_anonymous(text, start, end)
        || is_key_id(text, start, end)
        || is_source(text, start, end)
        || is_flagged_id(text, start, end)
        || is_network_name(text, start)
        // A public key.
        || text[..start].ends_with(b"did:key:")
}

/// What `list-access-keys` says of a key, and a trail of whoever used it: which one, and no more than that.
fn is_listed_key(text: &[u8], start: usize, end: usize) -> bool {
    let id = end - start == 20 && matches!(&text[start..start + 4], b"AKIA" | b"ASIA");
    let before = &text[start.saturating_sub(400)..start];
    id && [&b"\"AccessKeyMetadata\""[..], b"\"userIdentity\""]
        .iter()
        .any(|list| crate::search::has(before, list))
}

/// "passwords such as "Summer2024!" are rejected": what none should be like.
fn is_example(text: &[u8], start: usize) -> bool {
    const SAYS: [&[u8]; 6] = [b"such as", b"e.g.", b"for example", b"z. B.", b"z.B.", b"par exemple"];
    let before = text[start.saturating_sub(24)..start].strip_suffix(b"\"").map(<[u8]>::trim_ascii_end);
    before.is_some_and(|before| SAYS.iter().any(|says| before.ends_with(says)))
}

/// `machine ftp.example.org login anonymous password guest@`: what a server asks out of courtesy.
fn is_anonymous(text: &[u8], start: usize, end: usize) -> bool {
    let before = &text[start.saturating_sub(64)..start];
    text[start..end].contains(&b'@') && crate::search::has(before, b"anonymous")
}

/// `signingkey = 7E14F1C4C958713F`: which key signs, as Git has it; `PublicKeyToken=b77a5c561934e089`: whose a library is.
fn is_key_id(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[start.saturating_sub(32)..start].trim_ascii_end();
    let before = before.strip_suffix(b"=").or_else(|| before.strip_suffix(b">")).unwrap_or(before);
    let called = |name: &[u8]| crate::prose::ends_in(before.trim_ascii_end(), name);
    let capital = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    match end - start {
        8 | 16 | 40 if called(b"signingkey") => text[start..end].iter().all(capital),
        16 => called(b"publickeytoken") && crate::value::is_hex(&text[start..end]),
        _ => false,
    }
}

/// `--id 2356ee9a-…`, `-ApplicationId b0e3b1af-…`: which of several things a command is about. No `--secret-id`.
fn is_flagged_id(text: &[u8], start: usize, end: usize) -> bool {
    if end - start != 36 || !crate::value::is_uuid(&text[start..end]) {
        return false;
    }
    let before = &text[start.saturating_sub(40)..start];
    let Some(before) = before.strip_suffix(b" ").or_else(|| before.strip_suffix(b"=")) else { return false };
    let flag = before.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    flag.starts_with(b"-") && crate::prose::ends_in(flag, b"id") && !crate::search::has(flag, b"secret")
}

/// `SSID: KAIGI-5F`; no `PHPSESSID=`.
fn is_network_name(text: &[u8], start: usize) -> bool {
    let quote = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ');
    let before = &text[start.saturating_sub(16)..start];
    let before = &before[..before.len() - before.iter().rev().take_while(|byte| quote(byte)).count()];
    let Some(name) = before.strip_suffix(b":").or_else(|| before.strip_suffix(b"=")) else { return false };
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    let long = name.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    name[name.len() - long..].eq_ignore_ascii_case(b"ssid")
}

/// `DSN=SAPHANA64;`: what a driver calls a database.
fn is_source(text: &[u8], start: usize, end: usize) -> bool {
    crate::prose::ends_in(&text[start.saturating_sub(4)..start], b"dsn=")
        && text[start..end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && text.get(end) == Some(&b';')
}

/// `sha256:574e46…`, and what stands in a column that is called so: what a thing must be like.
fn is_digest(text: &[u8], start: usize, end: usize) -> bool {
    let before = &text[start.saturating_sub(512)..start];
    if end - start < 12 || before.ends_with(b"sha256=") || !crate::value::is_hex(&text[start..end]) {
        return end - start >= 43 && before.ends_with(b"sha256=");
    }
    let column = |head: &[u8]| head.starts_with(b"NAME ") && crate::search::has(head, b" DIGEST ");
    [&b"sha1:"[..], b"sha256:", b"sha512:", b"md5:"].iter().any(|sum| before.ends_with(sum))
        || before.ends_with(b"  ") && before.split(|&byte| byte == b'\n').any(column)
}

/// `${SMTP_PASSWORD:?missing}`: what a shell says if the variable has no value.
fn is_complaint(text: &[u8], start: usize, end: usize) -> bool {
    let before = &text[start.saturating_sub(64)..start];
    text[start..end].starts_with(b"?")
        && before.ends_with(b":")
        && memchr::memmem::rfind(before, b"${").is_some_and(|open| !before[open..].contains(&b'}'))
}

/// `192.168.1.1:4567`: where a machine listens.
fn is_port(text: &[u8], start: usize, end: usize) -> bool {
    let number = end - start <= 5 && text[start..end].iter().all(u8::is_ascii_digit);
    let Some(host) = text[start.saturating_sub(16)..start].strip_suffix(b":").filter(|_| number) else {
        return false;
    };
    let long = host.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    memchr::memchr_iter(b'.', &host[host.len() - long..]).count() == 3
}

/// What is found and yet no secret, whatever its name: an account's number, a wallet's address, what documentation
/// has for everybody.
fn is_known(value: &[u8]) -> bool {
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
    if EXAMPLES.iter().any(|example| value.ends_with(example)) {
        return true;
    }
    if value.len() > LONGEST {
        return false;
    }
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
        || is_page(value)
        || is_remark(value)
        || is_day(value)
        || is_model(value)
        || is_counted_up(value)
        || is_setting_path(value)
        || is_first_part(value)
        || is_thousands(value)
        || is_made_of_digest(value)
        || is_pangram(value)
        || is_constraint(value)
        || is_fingerprint(value)
        || is_instruction(value)
        || is_next_name(value)
        || value.len() < 8
            && value.strip_suffix(b"<").is_some_and(|word| word.iter().all(u8::is_ascii_lowercase))
        || is_numbered_example(value)
        || is_marked_example(value)
        || is_padded(value)
        || is_station(value)
        || is_zone(value)
        || ENCODINGS.contains(&value)
        || is_sum(value)
        || is_of_commit(value)
        // `".htpasswd", client: …, request: "`: what stands between two quoted words.
        || value.starts_with(b", ")
        // What a vault's file has in the place of a value.
        || value.starts_with(b"ENC[AES256_GCM,")
        || is_clause(value)
        || crate::spoken::is_called(value)
        || crate::search::find_all(value, "、".as_bytes()).count() >= 2
        || value.starts_with(b"localhost:") && value[10..].iter().all(u8::is_ascii_digit)
        || crate::spoken::is_state(value)
}

/// `migration-changes.html#get-login`: a page, and a place in it.
fn is_page(value: &[u8]) -> bool {
    let Some(at) = crate::search::find(value, b".html") else { return false };
    let path = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b'#');
    value.iter().all(path) && !value.get(at + 5).is_some_and(u8::is_ascii_alphanumeric)
}

/// `!0,image:!0})b.pseudos[e]=function(t){return`, `!1,n`: a program without its blanks, whatever a generator makes: only
/// beside its own words, and not between quotes. `:pw[d]`: what an editor is told.
fn is_torn_code(text: &[u8], start: usize, end: usize) -> bool {
    const NEAR: usize = 200;
    let value = &text[start..end];
    let bracket = |byte: &&u8| crate::search::is_one!(**byte, b'(' | b')' | b'[' | b']' | b'{' | b'}');
    let brackets = value.iter().filter(bracket).count();
    let told = value.starts_with(b":")
        && value[1..].iter().all(|byte| byte.is_ascii_lowercase() || b"[]".contains(byte));
    let digit = |at: usize| value[at].is_ascii_digit() && !(at > 0 && value[at - 1] == b'!');
    let torn = value.len() >= 20 && brackets >= 4 && !(0..value.len()).any(digit);
    let negated = matches!(value, [b'!', b'0' | b'1', b',' | b'}' | b')' | b']' | b';', ..]);
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`');
    let near =
        || crate::search::has(&text[start.saturating_sub(NEAR)..text.len().min(end + NEAR)], b"function");
    brackets == 2 && told || (torn || negated) && !quoted && near()
}

/// `#TODO`: what is left to do.
fn is_remark(value: &[u8]) -> bool {
    value.strip_prefix(b"#").is_some_and(|word| word.len() >= 3 && word.iter().all(u8::is_ascii_uppercase))
}

/// `2026-10-21`.
fn is_day(value: &[u8]) -> bool {
    value.len() == 10
        && value.starts_with(b"20")
        && value
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() })
}

/// `openrouter/qwen/qwen3-32b`: who serves a model, whose it is, and which.
fn is_model(value: &[u8]) -> bool {
    let word = |part: &[u8]| {
        (2..=24).contains(&part.len())
            && part[0].is_ascii_lowercase()
            && part.iter().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_')
            })
            && !crate::chance::is_random(part)
    };
    memchr::memchr_iter(b'/', value).count() == 2
        && value.contains(&b'-')
        && value.iter().any(u8::is_ascii_digit)
        && value.split(|&byte| byte == b'/').all(word)
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

/// `node-modules-Linux-x64-be41b8…`: what a cache keeps something under, words and a whole digest.
fn is_made_of_digest(value: &[u8]) -> bool {
    if value.len() <= 40 {
        return false;
    }
    let mut parts = value.rsplit(|&byte| byte == b'-');
    let digest = parts.next().is_some_and(|last| matches!(last.len(), 40 | 64) && crate::value::is_hex(last));
    digest && parts.filter(|part| part.len() >= 3 && part.iter().all(u8::is_ascii_alphabetic)).count() >= 3
}

/// What everybody tries programs with, plain and in base64.
fn is_pangram(value: &[u8]) -> bool {
    static KNOWN: Words<5> = Words::exact([
        b"quick brown fox",
        b"orem ipsum",
        b"cXVpY2sgYnJvd24gZm94",
        b"F1aWNrIGJyb3duIGZve",
        b"xdWljayBicm93biBmb3",
    ]);
    value.len() >= 20 && KNOWN.within(value)
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

/// `SHA256:vnBXCFuZ…`: by what a key is known.
fn is_fingerprint(value: &[u8]) -> bool {
    value.strip_prefix(b"SHA256:").is_some_and(|sum| sum.len() == 43 || sum.len() == 44)
}

/// `8자 이상 입력하세요`: what a form says to whoever fills it in.
fn is_instruction(value: &[u8]) -> bool {
    const ENDINGS: [&str; 7] = ["하세요", "세요.", "십시오", "니다", "ください", "请输入", "請輸入"];
    !value.is_ascii() && ENDINGS.iter().any(|ending| crate::search::has(value, ending.as_bytes()))
}

/// `12,440`.
fn is_thousands(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b',');
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    value.contains(&b',')
        && parts.next().is_some_and(|first| (1..=3).contains(&first.len()) && digits(first))
        && parts.all(|part| part.len() == 3 && digits(part))
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
    memchr::memchr_iter(b'.', value).count() >= 2
        && parts.clone().all(word)
        && parts.any(|part| humps(part) > 0)
}

/// `my-value-2`.
fn is_numbered_example(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let words = &value[..value.len() - digits];
    (1..=2).contains(&digits)
        && crate::search::has(words, b"value")
        && crate::placeholder::is_placeholder(words)
}

/// `a1b2c3d4-5678-90ab-cdef-EXAMPLE11111`: no id of random digits has such a word.
fn is_marked_example(value: &[u8]) -> bool {
    const WORD: &[u8] = b"example";
    let dashes = [8, 13, 18, 23];
    value.len() == 36
        && dashes.iter().all(|&at| value[at] == b'-')
        && value.windows(WORD.len()).any(|part| part.eq_ignore_ascii_case(WORD))
}

/// `7f1b0264000…0cccccccccccccccc`: no key has one digit a dozen times in a row.
fn is_padded(value: &[u8]) -> bool {
    value.len() >= 32
        && value.chunk_by(|one, two| one == two).any(|same| same.len() >= 12)
        && crate::value::is_hex(value)
}

/// `3c:84:6a:12:f0:9e`: a network card.
fn is_station(value: &[u8]) -> bool {
    value.len() == 17
        && value.chunks(3).all(|part| {
            part[..2].iter().all(u8::is_ascii_hexdigit) && part.get(2).is_none_or(|&sign| sign == b':')
        })
}

/// `sha256:9119768e…`: what a certificate must be like.
fn is_sum(value: &[u8]) -> bool {
    [&b"sha1:"[..], b"sha256:", b"sha512:"]
        .iter()
        .any(|kind| value.strip_prefix(*kind).is_some_and(|sum| sum.len() >= 40 && crate::value::is_hex(sum)))
}

/// `/zipball/f1eac51e…`: words of a path, and which commit.
fn is_of_commit(value: &[u8]) -> bool {
    let Some(slash) = memchr::memrchr(b'/', value).filter(|_| value.starts_with(b"/")) else { return false };
    value.len() - slash == 41
        && slash > 0
        && value[..slash].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'/')
        && crate::value::is_hex(&value[slash + 1..])
}

/// `Europe/Oslo`.
fn is_zone(value: &[u8]) -> bool {
    const REGIONS: [&[u8]; 10] = [
        b"Africa",
        b"America",
        b"Antarctica",
        b"Asia",
        b"Atlantic",
        b"Australia",
        b"Etc",
        b"Europe",
        b"Indian",
        b"Pacific",
    ];
    memchr::memchr(b'/', value).is_some_and(|slash| {
        REGIONS.contains(&&value[..slash])
            && value[slash + 1..].first().is_some_and(u8::is_ascii_uppercase)
            && value[slash + 1..]
                .iter()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'/' | b'-'))
    })
}

/// How bytes are written down.
const ENCODINGS: [&[u8]; 10] = [
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

/// `如何读懂市场周期并把握投资节奏`: twelve signs and more of a script that has no blanks are half a sentence.
fn is_clause(value: &[u8]) -> bool {
    const LONGEST_WORD: usize = 36;
    value.len() >= LONGEST_WORD
        && value.iter().all(|byte| !byte.is_ascii())
        && std::str::from_utf8(value)
            .is_ok_and(|text| text.chars().all(|sign| ('\u{3000}'..'\u{a000}').contains(&sign)))
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

/// `none needed`, `$6$redacted`, `x-redacted`, `'\\u0000'`, `generate-with-openssl-rand`, `/etc/app/wlan.conf:`, `one-time-code` of a form: something else is
/// in a password's place, and says so.
fn is_said_to_be_none(value: &[u8]) -> bool {
    const FIELDS: [&[u8]; 3] = [b"current-password", b"new-password", b"one-time-code"];
    let made = value.starts_with(b"generate") && crate::search::has(value, b"openssl");
    let file = [&b"/etc/"[..], b"/var/lib/", b"/usr/share/"].iter().any(|folder| value.starts_with(folder));
    let escape = value.len() == 6 && value.starts_with(b"\\u00");
    let needless = value
        .strip_prefix(b"none ")
        .is_some_and(|rest| rest.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' '));
    made || file || escape || needless || crate::prose::ends_in(value, b"redacted") || FIELDS.contains(&value)
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
    if value.len() > 40 || !value.first().is_some_and(u8::is_ascii_digit) || !value.contains(&b'.') {
        return false;
    }
    let joint = |byte: &u8| matches!(byte, b'.' | b'-' | b'+' | b'~' | b':');
    let year = value.rsplit(joint).next().is_some_and(|last| last.len() == 4);
    let parts = value.split(joint).count();
    parts >= 3 && (!year || parts > 3) && value.split(joint).all(is_part_of_release)
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
fn is_in_template(text: &[u8], start: usize, end: usize) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

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
            "otter-bridges.html#river-get-login",
            "#TODO",
            "2026-10-21",
            "openriver/otter/otter3-32b",
            "nToken+1",
            "x-redacted",
            "fs.s3.cse.otterMaterialsRiver",
            "my-value-2",
            "12,440",
            "node-modules-Otter-x64-be41b83c83748fd5c77041f74d935a0d8026bdc62232a2154b18a13f69f96ae7",
            "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZwo=",
            "required|string|min:12|confirmed",
            "SHA256:vnBXCFuZp5cwGt3BkwwQjnAveGScqNG40iVgNFHi0nU",
            "8자 이상 입력하세요",
            "S3_OTTER_KEY=",
            "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9",
            "$argon2i$v=19$m=65536,t=16,p=1$",
            "如何读懂市场周期并把握投资节奏",
            "Clé pré-partagée",
            "Bestätigungscode",
            "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111",
            "7f1b02640000000000000000000000000000000000000000cccccccccccccccc",
            "3c:84:6a:12:f0:9e",
            "Europe/Oslo",
            "America/Argentina/Buenos_Aires",
            "base32",
            "none needed",
            "sha256:9119768edefd3a98126be9d51d2e5829c19d9ab5cef5701e7c741b6222939a0a",
            "/zipball/f1eac51ebaccea98dac5eaf6b62d136ad512ebc1",
            "ENC[AES256_GCM,data:s7YEirk9,iv:D50duH+S,tag:+xcpmzYs,type:str]",
        ]) {
            assert!(is_known(value.as_bytes()), "{value}");
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
            "otter.html5",
            "#Otter",
            "2026-10-2x",
            "otter/river/9f7d1c2ab0417fd3e6a55c20",
            "otter+1",
            "redacted7",
            "Otter.con.River7",
            "otter.to.river",
            "my-otter-2",
            "12,44",
            "acme-live-be41b83c83748fd5c77041f74d935a0d8026bdc62232a2154b18a13f69f96ae7",
            "otter|River|min:12",
            "SHA256:otter",
            "otter12<",
            "river/otter/stone",
            "page.html?sig=k8vLm2ZpXt9Rk7Wd3Yb5",
            "OTTER7RIVER=",
            "eyJhbGciOiJSUzI1NiJ9.eyJvdHRlciI6MX0.c2ln",
            "$otter$River$",
            "水獭的河",
            "Clé pré-partagée7",
            "a1b2c3d4-5678-90ab-cdef-111111111111",
            "7f1b02640000b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5cccccccc1234",
            "3c:84:6a:12:f0:otter",
            "Europe/otter",
            "River/Oslo",
            "base32otter",
            "none needed7",
            "sha256:otter",
            "/otter/f1eac51ebaccea98dac5eaf6b62d136ad512ebc1ff",
            "ENC[otter]",
        ] {
            assert!(!is_known(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_known_to_everybody() {
        for method in METHODS {
            assert!(is_known(method.to_uppercase().as_bytes()), "{method}");
        }
    }

    #[test]
    fn objects_of_a_shop_are_known() {
        assert!(is_known(b"evt_1QzX83LkdIwHu7ix9AbCdEfG"));
        assert!(!is_known(b"sk_1QzX83LkdIwHu7ix9AbCdEfG"));
    }

    #[test]
    fn what_stands_around_says_that_it_is_none() {
        for text in [
            "  \"AccessKeyMetadata\": [ { \"UserName\": \"ci\", \"AccessKeyId\": \"AKIA7L6Y76HLFDUH2JSX\" } ]",
            "{\"userIdentity\":{\"type\":\"AssumedRole\",\"accessKeyId\":\"ASIA7LD2ACXAU3RNEIEP\"}}",
            "function(e){for(b in{radio:!0,password:!0,image:!0})b.otter[e]=function(t){return function(e){}}",
            "o(e.user,e.password),i.otters)for(n in i.otters)r[n]=i.otters[n];for(n in i.rivers)function(){}",
            "!function(e,t){return n.key=\"k\",n.password=!1,n}",
            "|:pwd|\t\t:pw[d]\t\tprint current directory",
            "Passwords such as \"Summer2024!\" are rejected.",
            "Das Passwort darf nicht einfach sein, z. B. \"Sommer2024!\".",
            "the pairing code is shown at 192.168.1.1:4567",
            "SMTP_PASSWORD=${SMTP_PASSWORD:?missing}",
            "subject: did:key:z6MkutwZrvyVeGciOIG1YYmXqwoHAgohQBDOFsiAwmj2Jzhm\nnote: its private key stays",
            "$ az ad app credential list --id 2356ee9a-134b-451d-a048-ae1d8f25c2fc -o table",
            "NAME               DIGEST            CREATED AT\nSECRET_KEY_BASE    5816b4db6a17a58f  1mo ago\n",
            "Authentication methods: publickey,keyboard-interactive,password\nsw-core-2#show ip ssh\n",
            "machine ftp.otter.org login anonymous password ann@example.org\n",
            "[user]\n\tsigningkey = 7E14F1C4C958713F\n",
            "<PublicKeyToken>550c6367ddfe7525</PublicKeyToken>",
            "DSN=OTTER64;UID=ann;",
            "Get-AzADAppCredential -ApplicationId b0e3b1af-f7db-4bf2-ab1c-d220c79f30c2 | Select KeyId",
            "user \"ann\" was not found in \"/etc/nginx/.htpasswd\", client: 192.0.2.5, request: \"GET /\"",
            "$ vault kv get -field=username secret/ci\notter-river\n$",
            "{\"bucketName\": \"river\", \"key\": \"signed-2065c468-73e2-4385-a6c9-0123456789ab\"}",
        ] {
            assert_eq!(crate::scan(text), [], "{text}");
        }
        assert_eq!(crate::scan("{\"accessKeyId\":\"ASIA7LD2ACXAU3RNEIEP\"}").len(), 1);
        assert_eq!(crate::scan("SMTP_PASSWORD=${SMTP_PASSWORD:-Summer2024!}").len(), 1);
        let key =
            "NAME               DIGEST            CREATED AT\nAPI_KEY=5816b4db6a17a58f2c83c4ad794e48fe\n";
        assert_eq!(crate::scan(key).len(), 1);
        for text in [
            "login --secret-id b0e3b1af-f7db-4bf2-ab1c-d220c79f30c2",
            "$ vault kv get -field=password secret/ci\notter-river\n$",
            "SSID: KAIGI-5F、パスワードは「sakura-tunnel-0528」です。",
            "{\"Cookie\" => \"PHPSESSID=e78ng3p469tbx02m9ctoqcazzp; lang=de\"}",
            "machine ftp.otter.org login ann password Otter@River7\n",
            "SIGNINGKEY = 7Kd83mQpz4xTTw9Rk\n",
            "DSN=OTTER64;PWD=Quarter4#Close;",
        ] {
            assert_eq!(crate::scan(text).len(), 1, "{text}");
        }
        assert_eq!(crate::scan("pay --id sk_live_4eC39HqLyjWDarjtT1zdp7dq").len(), 1);
    }
}
