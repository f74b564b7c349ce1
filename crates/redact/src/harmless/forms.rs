//! What machines, tickets, releases, permissions, algorithms and errors are called: values that look drawn, and that
//! whole trades tell one another by a form of their own.

/// Whether `value` has such a form.
pub(super) fn is(value: &[u8]) -> bool {
    let value = bare(value);
    if value.len() < 2 || value.len() > LONGEST {
        return false;
    }
    is_host(value)
        || is_kept_by_cluster(value)
        || is_ticket(value)
        || is_error(value)
        || is_permission(value)
        || is_package(value)
        || is_algorithm(value)
        || is_amount(value)
        || is_hunk(value)
        || is_code_point(value)
        || is_encoder(value)
        || is_aligned_setting(value)
        || is_pattern(value)
        || is_place_in_document(value)
        || is_format(value)
        || is_file(value)
        || is_mention(value)
        || is_tag(value)
        || is_trace(value)
        || is_address(value)
        || is_channel(value)
        || is_name_in_code(value)
        || is_folder(value)
        || is_row(value)
        || is_specified(value)
        || is_device(value)
        || super::ids::is_day(value)
}

const LONGEST: usize = 120;

/// Without what a sentence or a page puts around it.
fn bare(value: &[u8]) -> &[u8] {
    const BEFORE: [&str; 5] = ["“", "„", "«", "_", "*"];
    const BEHIND: [&str; 13] = ["”", "“", "»", "_", "*", "!", "?", ".", ",", ";", "]", ")", "\\n"];
    let mut value = value;
    while let Some(rest) = BEFORE.iter().find_map(|sign| value.strip_prefix(sign.as_bytes())) {
        value = rest;
    }
    // What opens inside closes inside.
    let opened = |sign: &str| sign == "]" && value.contains(&b'[') || sign == ")" && value.contains(&b'(');
    let mut bare = value;
    while let Some(rest) =
        BEHIND.iter().filter(|sign| !opened(sign)).find_map(|sign| bare.strip_suffix(sign.as_bytes()))
    {
        bare = rest;
    }
    bare
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "as iterators hand it")]
fn lower(byte: &u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit()
}

fn digits(value: &[u8]) -> bool {
    !value.is_empty() && value.iter().all(u8::is_ascii_digit)
}

/// `ip-10-2-3-4`, `WIN-2CDPV1L`, `DESKTOP-R4TZ5NE`, `WIN-DQ70ZOW$`: as systems and clouds name a machine that nobody did.
fn is_host(value: &[u8]) -> bool {
    if let Some(address) = value.strip_prefix(b"ip-") {
        let host = address.split(|&byte| byte == b'.').next().unwrap_or_default();
        return host.split(|&byte| byte == b'-').count() == 4
            && host.split(|&byte| byte == b'-').all(|part| part.len() <= 3 && digits(part));
    }
    let value = value.strip_suffix(b"$").unwrap_or(value);
    [&b"WIN-"[..], b"DESKTOP-", b"LAPTOP-"].iter().any(|own| {
        value.strip_prefix(*own).is_some_and(|rest| {
            (7..=11).contains(&rest.len())
                && rest.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        })
    })
}

/// `keycloak-7d9f8b6c5d-x2k9p`, `harbor-creds-xk9tn`: what a cluster calls a process and what it keeps a secret under:
/// words, and five signs that it drew.
fn is_kept_by_cluster(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const KEPT: &[&[u8]] =
        &[b"token", b"secret", b"secrets", b"creds", b"credentials", b"tls", b"cert", b"dockercfg", b"config", b"auth"];
    let mut parts = value.rsplit(|&byte| byte == b'-');
    let (Some(own), Some(kind), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let word = |part: &[u8]| part.len() >= 2 && part[0].is_ascii_lowercase() && part.iter().all(lower);
    let hex = |part: &[u8]| {
        (8..=10).contains(&part.len())
            && part.iter().any(u8::is_ascii_digit)
            && part.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
    };
    own.len() == 5
        && own.iter().all(lower)
        && own.iter().any(u8::is_ascii_digit)
        && word(name)
        && name.iter().all(u8::is_ascii_lowercase)
        && (KEPT.contains(&kind) || hex(kind))
        && parts.all(word)
}

/// `OPS-4471`, `INC0012557`, `PO4313369`, `BILL-9629`: under which somebody looks after it; the list is a word.
fn is_ticket(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const LISTS: &[&[u8]] = &[
        b"OPS", b"JIRA", b"INC", b"CHG", b"REQ", b"RITM", b"PRB", b"TASK", b"SCTASK", b"BUG", b"HELP", b"PLAT", b"INFRA", b"SEC", b"AUTH", b"DEV", b"BILL", b"SUP", b"SUPPORT",
        b"TICKET", b"CASE", b"ISSUE", b"SRE", b"NET", b"IAM", b"ITSM", b"PROJ", b"WEB", b"APP", b"DATA", b"CORE", b"PAY", b"TECH", b"DEVOPS", b"ENG", b"CLOUD", b"DOC", b"DOCS",
        b"INT", b"CRM", b"ERP", b"MOB", b"IOS", b"GDPR", b"PCI", b"RFC", b"ADR", b"EPIC", b"STORY", b"PO", b"SO", b"RMA",
    ];
    let letters = value.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let (list, rest) = value.split_at(letters);
    let number = rest.strip_prefix(b"-").unwrap_or(rest);
    let long = if number.len() == rest.len() { 5..=10 } else { 2..=7 };
    long.contains(&number.len()) && digits(number) && LISTS.contains(&list)
}

/// `AADSTS50126`, `ORA-01017`, `PGRST301`, `MSB3073`, `ERR-5730`: by what makers call a fault.
fn is_error(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const MAKERS: &[&[u8]] = &[
        b"AADSTS", b"AADB2C", b"ORA-", b"TNS-", b"PGRST", b"MSB", b"ERR-", b"ERROR-", b"SQLSTATE", b"SQL", b"NU", b"IDX", b"KB", b"MSIS", b"NETSDK", b"Error", b"SQLSTATE ",
    ];
    MAKERS.iter().any(|maker| {
        value.strip_prefix(*maker).is_some_and(|number| (3..=8).contains(&number.len()) && digits(number))
    })
}

/// `s3:GetObject`, `secretsmanager:GetSecretValue`: what somebody may do with a cloud's service.
fn is_permission(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const SERVICES: &[&[u8]] = &[
        b"s3", b"iam", b"kms", b"sts", b"ec2", b"sns", b"sqs", b"logs", b"lambda", b"dynamodb", b"secretsmanager", b"ssm", b"ecr", b"ecs", b"rds", b"eks", b"cloudwatch", b"events",
        b"route53", b"acm", b"sso", b"cognito-idp",
    ];
    let Some(colon) = memchr::memchr(b':', value) else { return false };
    let action = &value[colon + 1..];
    SERVICES.contains(&&value[..colon])
        && action.first().is_some_and(u8::is_ascii_uppercase)
        && action.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'*')
}

/// `node-vault@8.12.2`, `@scope/name@1.0.0`: a package and its release.
fn is_package(value: &[u8]) -> bool {
    let Some(at) = memchr::memrchr(b'@', value).filter(|&at| at > 1) else { return false };
    let (name, release) = (&value[..at], &value[at + 1..]);
    let release = release.strip_prefix(b"v").or_else(|| release.strip_prefix(b"^")).unwrap_or(release);
    name.iter().all(|byte| lower(byte) || matches!(byte, b'-' | b'_' | b'.' | b'/' | b'@'))
        && (release.split(|&byte| byte == b'.').count() == 3
            && release.split(|&byte| byte == b'.').all(|part| part.len() <= 4 && digits(part))
            || super::is_release(release))
}

/// `ECDHE-RSA-AES128-GCM-SHA256`, `XChaCha20-Poly1305`, `A256GCMKW`, `NTLMv2`, `prime256v1`: parts of which each is the name of
/// a way to hide, to sign or to prove something.
fn is_algorithm(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const PARTS: &[&[u8]] = &[
        b"aes", b"aes128", b"aes192", b"aes256", b"gcm", b"cbc", b"ctr", b"ccm", b"siv", b"ecb", b"cfb", b"ofb", b"xts", b"kw", b"wrap", b"sha", b"sha1", b"sha2", b"sha224", b"sha256", b"sha384", b"sha512",
        b"sha3", b"shake256", b"hmac", b"rsa", b"dsa", b"ecdsa", b"ecdh", b"ecdhe", b"dhe", b"dh", b"es", b"ed25519", b"x25519", b"ed448", b"x448", b"chacha20", b"xchacha20", b"poly1305", b"xsalsa20",
        b"salsa20", b"pbkdf2", b"hkdf", b"scrypt", b"bcrypt", b"argon2", b"argon2i", b"argon2d", b"argon2id", b"md4", b"md5", b"ntlm", b"ntlmv1", b"ntlmv2", b"tls", b"ssl", b"psk", b"wpa", b"wpa2", b"wpa3",
        b"sae", b"oaep", b"pss", b"pkcs1", b"pkcs7", b"pkcs8", b"pkcs12", b"prime256v1", b"secp256k1", b"secp256r1", b"secp384r1", b"secp521r1", b"p256", b"p384", b"p521", b"curve25519", b"blowfish", b"3des", b"des3",
        b"des", b"ede", b"ede3", b"rc4", b"camellia", b"camellia256", b"aria", b"sm3", b"sm4", b"a128kw", b"a192kw", b"a256kw", b"a128gcm", b"a256gcm", b"a128gcmkw", b"a192gcmkw", b"a256gcmkw", b"hs256", b"hs512", b"rs256", b"rs512", b"ps256",
        b"ps512", b"es256", b"es256k", b"es384", b"es512", b"eddsa", b"cmac", b"blake2b", b"blake2s", b"blake3", b"ripemd160", b"sha512crypt", b"sha256crypt", b"md5crypt", b"socks4", b"socks5", b"ssha", b"ssha256", b"ssha512", b"brainpoolp256r1", b"brainpoolp384r1", b"brainpoolp512r1",
    ];
    let parts = || value.split(|byte| matches!(byte, b'-' | b'_' | b'+' | b'/'));
    let known = |part: &[u8]| PARTS.iter().any(|name| name.eq_ignore_ascii_case(part));
    // Hot path: most values have a part that is too long.
    value[0].is_ascii_alphanumeric()
        && parts().all(|part| part.len() <= 15)
        && parts().any(known)
        && parts().all(|part| known(part) || (1..=5).contains(&part.len()) && digits(part))
}

/// `14.724s`, `7d22h`, `PT16H`, `~1h49m`, `761B`, `6.4kB`, `$51.49/month`: how long, how much.
fn is_amount(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const UNITS: &[&[u8]] = &[
        b"s", b"ms", b"us", b"ns", b"m", b"min", b"h", b"d", b"w", b"D", b"H", b"M", b"S", b"B", b"kB", b"KB", b"KiB", b"MB", b"MiB", b"GB", b"GiB", b"Mi",
    ];
    // `-23,80` of an account.
    if let [whole @ .., b',', b'0'..=b'9', b'0'..=b'9'] = value.strip_prefix(b"-").unwrap_or_default() {
        return digits(whole);
    }
    let value = value.strip_prefix(b"~").unwrap_or(value);
    let value = value.strip_prefix(b"PT").or_else(|| value.strip_prefix(b"P")).unwrap_or(value);
    if let Some(price) = value.strip_prefix(b"$").or_else(|| value.strip_prefix("€".as_bytes())) {
        let money = price.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let (amount, rest) = price.split_at(money);
        return amount.iter().rev().nth(2) == Some(&b'.') && (rest.is_empty() || rest[0] == b'/');
    }
    let mut rest = value;
    let mut parts = 0;
    while !rest.is_empty() {
        let number = rest.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        let unit = rest[number..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        if !(1..=6).contains(&number)
            || !rest[0].is_ascii_digit()
            || !UNITS.contains(&&rest[number..number + unit])
        {
            return false;
        }
        (rest, parts) = (&rest[number + unit..], parts + 1);
    }
    (1..=4).contains(&parts)
}

/// `^[A-Za-z0-9_-]{20,}$`, `\d{4,8}`: what a value must be like.
fn is_pattern(value: &[u8]) -> bool {
    const CLASSES: &[&[u8]] = &[b"\\d{", b"\\w{", b"\\S{", b"[0-9", b"[A-Z", b"[a-z"];
    let counted =
        value.ends_with(b"}") || value.ends_with(b"}$") || value.ends_with(b"+") || value.ends_with(b"+$");
    let whole = value.starts_with(b"^") && value.ends_with(b"$");
    let inner = value.strip_prefix(b"^").unwrap_or(value);
    (whole || counted) && CLASSES.iter().any(|class| inner.starts_with(class))
}

/// `$.clients[*].secret`, `spec.template.spec.containers[0].env[3]`, `@Model.form.otter`: where in a document, a page.
fn is_place_in_document(value: &[u8]) -> bool {
    let part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'[' | b']' | b'*' | b'$' | b'-')
    };
    let rooted = value.starts_with(b"$.") || value.starts_with(b"@Model.");
    let indexed = crate::search::has(value, b"].") || value.ends_with(b"]");
    let indexed = indexed && value.contains(&b'.') && value[0].is_ascii_lowercase();
    let plain = |word: &[u8]| word.len() < 16 || !crate::chance::is_random(word);
    (rooted || indexed)
        && value[1..].iter().all(part)
        && value.split(|byte| matches!(byte, b'.' | b'[' | b']')).all(plain)
}

/// `U+00FF`: a sign by its number.
fn is_code_point(value: &[u8]) -> bool {
    let number = value.strip_prefix(b"U+").or_else(|| value.strip_prefix(b"u+"));
    number.is_some_and(|number| (4..=6).contains(&number.len()) && number.iter().all(u8::is_ascii_hexdigit))
}

/// `40a41,42`, `17c17`: which lines differ.
fn is_hunk(value: &[u8]) -> bool {
    let Some(sign) = value.iter().position(|byte| matches!(byte, b'a' | b'c' | b'd')) else { return false };
    let lines = |part: &[u8]| part.split(|&byte| byte == b',').all(digits);
    lines(&value[..sign]) && lines(&value[sign + 1..]) && value.contains(&b',')
}

/// `encodeUtf8`, `toBase64`: what a program does with it.
fn is_encoder(value: &[u8]) -> bool {
    const CODES: [&[u8]; 8] =
        [b"Utf8", b"UTF8", b"Utf16", b"UTF16", b"Base64", b"Base32", b"Latin1", b"Sha256"];
    CODES.iter().any(|code| {
        value.strip_suffix(*code).is_some_and(|verb| {
            verb.len() >= 2 && verb[0].is_ascii_lowercase() && verb.iter().all(u8::is_ascii_alphabetic)
        })
    })
}

/// `802-11-wireless-security.psk-flags:     1 (agent-owned)`: the next line of a list of settings.
fn is_aligned_setting(value: &[u8]) -> bool {
    let name = value
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_'))
        .count();
    name >= 4 && value[..name].contains(&b'.') && value[name..].starts_with(b":   ")
}

/// `%1$s`, `{0}`: where a program puts it.
fn is_format(value: &[u8]) -> bool {
    let numbered =
        value.strip_prefix(b"%").and_then(|rest| rest.strip_suffix(b"s").or_else(|| rest.strip_suffix(b"d")));
    numbered.is_some_and(|rest| rest.is_empty() || rest.strip_suffix(b"$").is_some_and(digits))
}

/// `fs03\it\sso.kdbx`, `HKLM\SOFTWARE\Otter`, `certs/river-dev.p12`: a file, a folder or a place of a registry.
fn is_file(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const ENDINGS: &[&[u8]] = &[
        b"kdbx", b"pfx", b"p12", b"jks", b"keytab", b"asc", b"gpg", b"pem", b"crt", b"cer", b"zip", b"gz", b"snap", b"sql", b"dump", b"log", b"bak", b"csv", b"xlsx", b"pdf", b"conf", b"env", b"yaml", b"json",
    ];
    let registry = [&b"HKLM\\"[..], b"HKCU\\", b"HKEY_", b"HKLM:\\", b"HKCU:\\"]
        .iter()
        .any(|root| value.starts_with(root));
    let part = |byte: &u8| {
        byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'/' | b'\\' | b':' | b' ')
    };
    let ending = memchr::memrchr(b'.', value).map_or(&value[..0], |dot| &value[dot + 1..]);
    let folders = value.iter().any(|byte| matches!(byte, b'/' | b'\\'));
    let sealed = [&b"kdbx"[..], b"pfx", b"p12", b"jks", b"keytab", b"snap"].contains(&ending);
    registry || (folders || sealed) && ENDINGS.contains(&ending) && value.iter().all(part)
}

/// `1-230b98e0-85864282c329ae094266abd5`, `req_gmz9d4b52cqx`: which request.
fn is_trace(value: &[u8]) -> bool {
    if let Some(own) = value.strip_prefix(b"req_") {
        return (10..=16).contains(&own.len()) && own.iter().all(lower);
    }
    value.len() == 35
        && value.starts_with(b"1-")
        && value[10] == b'-'
        && crate::value::is_hex(&value[2..10])
        && crate::value::is_hex(&value[11..])
}

/// `[203.0.113.98]:57504`, `83-72-0D-4E-2A-4B`, `12:10:21`: of which machine, at which hour.
fn is_address(value: &[u8]) -> bool {
    let pairs = |sign: u8, count: usize| {
        value.split(|&byte| byte == sign).count() == count
            && value.split(|&byte| byte == sign).all(|pair| pair.len() == 2)
    };
    let bracketed = value
        .strip_prefix(b"[")
        .and_then(|rest| memchr::memmem::find(rest, b"]:").map(|at| rest.split_at(at)));
    bracketed.is_some_and(|(host, port)| {
        host.iter().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b':')) && digits(&port[2..])
    }) || pairs(b'-', 6) && value.iter().all(|byte| byte.is_ascii_hexdigit() || *byte == b'-')
        || pairs(b':', 3) && value.iter().all(|byte| byte.is_ascii_digit() || *byte == b':')
}

/// `#help-8505`, `#pin-1`, `@monthly`: a room to talk in, an element of a page, how often.
fn is_channel(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const ROOMS: &[&[u8]] = &[
        b"help", b"inc", b"incident", b"ops", b"team", b"proj", b"support", b"alerts", b"dev", b"general", b"pin", b"token", b"password", b"input", b"otp", b"code", b"field", b"form", b"btn", b"login", b"modal",
    ];
    const TIMES: &[&[u8]] =
        &[b"@hourly", b"@daily", b"@weekly", b"@monthly", b"@yearly", b"@reboot", b"@midnight"];
    let Some(room) = value.strip_prefix(b"#") else { return TIMES.contains(&value) };
    let mut words = room.split(|&byte| byte == b'-');
    words.next().is_some_and(|first| ROOMS.contains(&first))
        && words.clone().next().is_some()
        && words.all(|word| word.iter().all(u8::is_ascii_lowercase) || word.len() <= 5 && digits(word))
}

/// `rabbitmqPasswordId`, `opts$smtp_password`, `@masterKey`, `backup-passphrase-field`: what a program calls what holds one.
fn is_name_in_code(value: &[u8]) -> bool {
    const PARTS: &[&[u8]] = &[
        b"field",
        b"input",
        b"label",
        b"form",
        b"btn",
        b"button",
        b"wrapper",
        b"container",
        b"toggle",
        b"icon",
        b"hint",
        b"error",
        b"help",
        b"group",
    ];
    let named = |word: &[u8]| crate::names::judge(word).is_some();
    let humps = |word: &[u8]| {
        word.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count()
    };
    let letters = |word: &[u8]| word.iter().all(u8::is_ascii_alphabetic);
    let variable =
        value.strip_prefix(b"@").is_some_and(|name| letters(name) && humps(name) >= 1 && named(name));
    let member = memchr::memchr(b'$', value).is_some_and(|at| {
        at > 0
            && value[..at].iter().all(u8::is_ascii_lowercase)
            && value[at + 1..].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
            && named(&value[at + 1..])
    });
    let id = value[0].is_ascii_lowercase()
        && letters(value)
        && humps(value) >= 2
        && [&b"Id"[..], b"Name", b"Field", b"Label", b"Hash", b"Ref"]
            .iter()
            .any(|end| value.ends_with(end) && named(&value[..value.len() - end.len()]));
    let mut words = value.rsplit(|&byte| byte == b'-');
    let element = words.next().is_some_and(|last| PARTS.contains(&last))
        && words.clone().any(named)
        && words.all(|word| !word.is_empty() && word.iter().all(u8::is_ascii_lowercase));
    variable || member || id || element
}

/// `pkg/vault/jwt.java`, `kv-v2/teams/kafka/preprod`, `dependabot/npm/jwt-river`: small words between slashes, one of them a folder.
fn is_folder(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const FOLDERS: &[&[u8]] = &[
        b"pkg", b"cmd", b"src", b"lib", b"internal", b"kv", b"kv-v1", b"kv-v2", b"secret", b"secrets", b"dependabot", b"renovate", b"teams", b"team", b"app", b"apps", b"config", b"configs", b"charts", b"deploy", b"helm",
        b"test", b"tests", b"docs", b"infra", b"ops", b"modules", b"services", b"vault", b"data", b"prod", b"staging", b"preprod", b"creds",
    ];
    let word = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_lowercase)
            && part.iter().all(|byte| lower(byte) || matches!(byte, b'-' | b'_' | b'.'))
            && part
                .split(|byte| matches!(byte, b'-' | b'_' | b'.'))
                .all(|word| word.len() < 5 || !word.iter().any(u8::is_ascii_digit))
    };
    let parts = || value.split(|&byte| byte == b'/');
    parts().count() >= 3 && parts().all(word) && parts().any(|part| FOLDERS.contains(&part))
}

/// `32 bytes, base64url without padding`, `traceparent 00-e9e5…`: how long it must be, what a request carries.
fn is_specified(value: &[u8]) -> bool {
    let count = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let units = [&b" bytes"[..], b" characters", b" chars", b" digits", b" bits", b"-byte ", b"-bit "];
    (1..=4).contains(&count) && units.iter().any(|unit| value[count..].starts_with(unit))
        || value.starts_with(b"traceparent ")
        || value.starts_with(b"SQLSTATE[")
        || value.ends_with(b"Array") && value.starts_with(b"Uint")
        // Masked in its middle, a chord of keys, what went wrong, how a store signs.
        || crate::search::has(value, "•••".as_bytes())
        || [&b"Ctrl+"[..], b"Cmd+", b"Alt+", b"Shift+", b"Error 0x"].iter().any(|own| value.starts_with(own))
        || matches!(value, b"S3v4" | b"S3v2")
        || is_reference(value)
}

/// `postgres#password`, `db/river#api_key`: where something else keeps it, and under which name.
fn is_reference(value: &[u8]) -> bool {
    let Some(at) = memchr::memchr(b'#', value).filter(|&at| at >= 2) else { return false };
    let (place, name) = (&value[..at], &value[at + 1..]);
    place.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'/' | b'-' | b'_'))
        && name.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
        && crate::names::judge(name).is_some()
}

/// `DS920+`, `CRS326-24G-2S+RM`, `RB4011iGS+`: what makers print on a device.
fn is_device(value: &[u8]) -> bool {
    let letters = value.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let number = value[letters..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &value[letters + number..];
    let port = |part: &[u8]| {
        let count = part.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let rest = &part[count..];
        (1..=2).contains(&count)
            && rest.len() <= 4
            && rest.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'+')
    };
    (2..=4).contains(&letters)
        && (3..=4).contains(&number)
        && (rest == b"+"
            || rest.starts_with(b"-") && rest[1..].split(|&byte| byte == b'-').all(port)
            || rest == b"iGS+")
}

/// `INC0012557,Compliant`, `ann;2023-03-10T19:36:53Z`: cells of which one is known by its form and the others are words.
fn is_row(value: &[u8]) -> bool {
    let Some(at) = value.iter().position(|byte| matches!(byte, b',' | b';')) else { return false };
    let sign = value[at];
    let known =
        |cell: &[u8]| super::ids::is_day(cell) || is_ticket(cell) || is_amount(cell) || is_address(cell);
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || *byte == b'-';
    let word = |cell: &[u8]| (2..=16).contains(&cell.len()) && cell.iter().all(letter);
    let cells = || value.split(|&byte| byte == sign);
    cells().any(known) && cells().all(|cell| known(cell) || word(cell))
}

/// `@U07RKEM9DB`: of whom a chat speaks.
fn is_mention(value: &[u8]) -> bool {
    value.strip_prefix(b"@U0").is_some_and(|id| {
        (8..=9).contains(&id.len())
            && id.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
    })
}

/// `sha-79d9aae`, `v1.0.0-rc5`, `11.33.20-SNAPSHOT`: which build.
fn is_tag(value: &[u8]) -> bool {
    const BUILDS: &[&[u8]] = &[b"-SNAPSHOT", b"-RELEASE", b"-alpine", b"-slim"];
    if let Some(commit) = value.strip_prefix(b"sha-") {
        return (7..=40).contains(&commit.len()) && crate::value::is_hex(commit);
    }
    let release = value.strip_prefix(b"v").unwrap_or(value);
    let release = BUILDS.iter().find_map(|build| release.strip_suffix(*build)).unwrap_or(release);
    let parts = release.split(|&byte| byte == b'.');
    release.len() < value.len()
        && parts.clone().count() == 3
        && parts.clone().all(|part| part.len() <= 3 && digits(part))
        || release.len() < value.len() && super::is_release(release)
}

#[cfg(test)]
mod tests {
    use super::is;

    #[test]
    fn what_has_a_form_of_its_own() {
        for value in [
            "ip-10-203-120-210",
            "ip-10-2-3-4.eu-west-1.compute.internal",
            "WIN-2CDPV1L",
            "WIN-DQ70ZOW$",
            "DESKTOP-R4TZ5NE",
            "harbor-creds-xk9tn",
            "otter-river-token-6cgg2",
            "report-9fe161d8d-cw2pg",
            "OPS-4471",
            "BILL-9629",
            "INC0012557",
            "PO4313369",
            "INFRA-6709!",
            "AADSTS50126",
            "ORA-01017",
            "PGRST301",
            "s3:GetObject",
            "secretsmanager:GetSecretValue",
            "node-vault@8.12.2",
            "@otter/river@1.0.0",
            "ECDHE-RSA-AES128-GCM-SHA256",
            "XChaCha20",
            "A256GCMKW",
            "ECDH-ES+A128KW",
            "PBKDF2-HMAC-SHA512",
            "NTLMv2",
            "prime256v1",
            "14.724s",
            "7d22h",
            "PT16H",
            "~1h49m",
            "761B",
            "6.4kB",
            "$51.49/month",
            "^[A-Za-z0-9_-]{20,}$",
            "\\d{4,8}",
            "$.clients[*].secret",
            "spec.template.spec.containers[0].env[3]",
            "@Model.form.otter_password",
            "%1$s",
            "fs03\\it\\sso.kdbx",
            "HKLM\\SOFTWARE\\Otter\\Auth",
            "exec:/usr/bin/cat certs/river-dev.p12",
            "@U07RKEM9DB",
            "sha-79d9aae",
            "v1.0.0-rc5",
            "11.33.20-SNAPSHOT",
            "1-230b98e0-85864282c329ae094266abd5",
            "req_gmz9d4b52cqx",
            "[203.0.113.98]:57504",
            "83-72-0D-4E-2A-4B",
            "12:10:21",
            "#help-8505",
            "#pin-1",
            "@monthly",
            "rabbitmqPasswordId",
            "opts$smtp_password",
            "@masterKey",
            "backup-passphrase-field",
            "pkg/vault/jwt.java",
            "kv-v2/teams/kafka/preprod",
            "INC0012557,Compliant",
            "ann;2023-03-10T19:36:53Z",
            "2026-10-20T00:40:00.953Z!",
            "“1-230b98e0-85864282c329ae094266abd5”",
            "PBKDF2-SHA256**!",
            "32 bytes, base64url without padding",
            "SQLSTATE[28P01]",
            "Uint8Array",
            "DS920+",
            "Ctrl+C",
            "sk_live_••••••••4f2a",
            "postgres#password",
            "CRS326-24G-2S+RM",
        ] {
            assert!(is(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_only_looks_alike_has_none() {
        for value in [
            "ip-10-otter-3-4",
            "WIN-Otter7",
            "DESKTOP-otter7",
            "Otter-creds-xk9tn",
            "otter-river-xk9tn",
            "otter-creds-River",
            "RIVER-4471",
            "OPS-44x1",
            "OPS-7",
            "INC77",
            "PO-Otter",
            "AADSTS5x",
            "otter:GetObject",
            "s3:otter7",
            "otter@River7",
            "otter@8.12",
            "AES-otter",
            "SHA256-River7",
            "14otter",
            "7d22x",
            "$Otter51",
            "$51",
            "^otter$",
            "{20,}$",
            "$.Otter7k2LmQ9xTz4W8pVb",
            "otter[7]river",
            "%otter$s",
            "otter.kdbx7",
            "HKLMOtter7",
            "@Uotter7",
            "@dmin2024",
            "sha-otter7",
            "v1.River7",
            "1-otter",
            "req_Otter7",
            "12:otter:21",
            "#otter-77",
            "#help",
            "@otter",
            "otterRiverId",
            "otter$river",
            "@otterRiver",
            "otter-river-field",
            "otter/river",
            "river/otter/stone",
            "birch/lynx/0412",
            "otter/river/x7k2mQ9",
            "otter,River7",
            "32 otters",
            "otter#river",
            "DS920-otter",
            "OTTER920+",
            "Otter;Summer2024",
        ] {
            assert!(!is(value.as_bytes()), "{value}");
        }
    }
}
