//! What is no secret for what stands around it: an id, a digest, a port, what a document warns of.

use super::LONGEST;
use crate::prose::ends_in;
use crate::search::{has, last_line};
use crate::value;

/// Whether what stands around `start..end` says that it is no secret.
pub(super) fn says_so(text: &[u8], start: usize, end: usize) -> bool {
    is_in_template(text, start, end)
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
        || is_numbered(text, start, end)
        || is_counted(text, start, end)
        || is_asked_for(text, start, end)
        || is_key_to_seal(text, start, end)
        || is_key_of_app(text, start, end)
        || is_instrumented(text, start, end)
        || is_accessor(text, start, end)
        || is_of_other_column(text, start)
        || is_summed(text, start, end)
        || super::beside::says_so(text, start, end)
        // A public key.
        || text[..start].ends_with(b"did:key:")
}

/// `6f8db599…  /etc/zabbix/psk`: what `md5sum` and its sisters print, and of which file.
fn is_summed(text: &[u8], start: usize, end: usize) -> bool {
    let opens =
        matches!(end - start, 32 | 40 | 56 | 64 | 96 | 128) && (start == 0 || text[start - 1] == b'\n');
    if !opens || !matches!(text.get(end..end + 2), Some(b"  " | b" *")) || !value::is_hex(&text[start..end]) {
        return false;
    }
    let file = crate::search::line(text, end + 2, LONGEST).trim_ascii_end();
    // A mark in its place changes nothing.
    (file.iter().any(|byte| matches!(byte, b'/' | b'.')) || file.starts_with(b"[REDACTED:"))
        && !file.contains(&b' ')
}

/// `commit bf7ab42`, `SENTRY_RELEASE=5e2dbe3f…`, `key_id_old: 43fc3866…`, `(request "e0c41c1b-…")`, `"sid": "fea209c8-…"`, `48.1ms  fe4356a5…`:
/// which one of many, in digits.
fn is_numbered(text: &[u8], start: usize, end: usize) -> bool {
    const ENDINGS: [&[u8]; 4] = [b"commit", b"release", b"revision", b"request"];
    let value = &text[start..end];
    let digits = (7..=64).contains(&value.len()) && value::is_hex(value);
    if !digits && !value::is_uuid(value) {
        return false;
    }
    let before = &text[start.saturating_sub(48)..start];
    let sign = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ' | b'=' | b':');
    let joint = before.iter().rev().take_while(|byte| sign(byte)).count();
    let before = &before[..before.len() - joint];
    let long = before
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    let name = before[before.len() - long..].to_ascii_lowercase();
    // A part of a trace, behind how long it took; what holds for a while is told in other units.
    let timed = value.len() == 16
        && joint >= 2
        && name.strip_suffix(b"ms").is_some_and(|count| count.last().is_some_and(u8::is_ascii_digit));
    // `MAPS_KEY_RELEASE=`: for which build.
    let secret = [&b"key"[..], b"secret", b"token", b"pass"].iter().any(|own| has(&name, own));
    joint > 0
        && (timed
            || ENDINGS.iter().any(|ending| name.ends_with(ending)) && !secret
            || has(&name, b"key_id") && !has(&name, b"access")
            || !digits && [&b"\"sid\": \""[..], b"\"sid\":\""].iter().any(|own| text[..start].ends_with(own)))
}

/// `rate:login:b953c70c…`: whose tries are counted.
fn is_counted(text: &[u8], start: usize, end: usize) -> bool {
    const TRIES: [&[u8]; 6] = [b"rate", b"limit", b"throttle", b"tries", b"attempts", b"failed"];
    let before = text[..start].strip_suffix(b":login:");
    end - start >= 16
        && before.is_some_and(|before| TRIES.iter().any(|tries| before.ends_with(tries)))
        && value::is_hex(&text[start..end])
}

/// `Password for [OTTERS\\ann]:`, `password for ann@otters.org at otters.1password.eu:`: whose is asked for, and where.
fn is_asked_for(text: &[u8], start: usize, end: usize) -> bool {
    let host = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-');
    let asked = || has(last_line(&text[start.saturating_sub(80)..start]), b" for ");
    text[..start].ends_with(b" for [") && text[end..].starts_with(b"]:")
        || text[..start].ends_with(b" at ")
            && text[end..].starts_with(b":")
            && text[start..end].contains(&b'.')
            && text[start..end].iter().all(host)
            && asked()
}

/// `| DB password | platform | 90 days |` below `| Secret | Owner | Rotation |`: what is told of a secret.
fn is_of_other_column(text: &[u8], start: usize) -> bool {
    const REACH: usize = 2048;
    #[rustfmt::skip]
    const NAMES: [&[u8]; 11] = [
        b"pass", b"key", b"secret", b"token", b"pin", b"code", b"contras", b"senha", b"kennwort", b"wachtwoord", "парол".as_bytes(),
    ];
    #[rustfmt::skip]
    const TITLES: [&[u8]; 40] = [
        b"owner", b"team", b"where", b"stored in", b"location", b"rotation", b"rotated", b"last rotated", b"next rotation", b"status", b"state",
        b"env", b"environment", b"contact", b"responsible", b"scope", b"expires", b"expiry", b"since", b"updated", b"besitzer", b"ablage",
        b"meaning", b"purpose", b"used for", b"where to get it", b"bedeutung", b"zweck",
        b"type", b"data type", b"typ", b"tipo", b"datentyp", b"type de champ", b"interval", b"last changed", b"enabled", b"required", b"created", b"description",
    ];
    let window = &text[start.saturating_sub(REACH)..start];
    let line = crate::table::last_row(window);
    // Most rows name no secret themselves, and the lines above are not read for them.
    let named = || {
        let lower = line.to_ascii_lowercase();
        NAMES.iter().any(|name| has(&lower, name))
    };
    if !line.starts_with(b"|") || !named() {
        return false;
    }
    let title = crate::table::title(text, start);
    // `owned by`, `rotated by`: who does it.
    let told =
        |title: &[u8]| ends_in(title, b" by") || TITLES.iter().any(|known| known.eq_ignore_ascii_case(title));
    title.is_some_and(told)
}

/// `{"key_id":"3105916941543051726","key":"SXGX8KZZ…"}`: with what others encrypt, as GitHub says it.
fn is_key_to_seal(text: &[u8], start: usize, end: usize) -> bool {
    let seals = end - start == 44 && text[end - 1] == b'=';
    seals && {
        let before = last_line(&text[start.saturating_sub(80)..start]);
        has(before, b"\"key_id\"")
            && [&b"\"key\":\""[..], b"\"key\": \""].iter().any(|name| before.ends_with(name))
    }
}

/// `Bootstrap Token   management   true   0b8368fa-…` below `Name  Type  Global  Accessor ID`: which one.
fn is_accessor(text: &[u8], start: usize, end: usize) -> bool {
    if !value::is_uuid(&text[start..end]) || !text[..start].ends_with(b"  ") {
        return false;
    }
    let before = &text[start.saturating_sub(512)..start];
    before.split(|&byte| byte == b'\n').any(|head| has(head, b"  Accessor ID  ") && !has(head, b"Secret"))
}

/// `PUSHER_APP_KEY=25443…`, `new Pusher("25443…")`, `SHOPIFY_API_KEY=f7a51…`: for which app, as each page that listens
/// says. No `PUSHER_APP_SECRET`.
fn is_key_of_app(text: &[u8], start: usize, end: usize) -> bool {
    let (seller, key): (&[u8], &[u8]) = match end - start {
        20 => (b"pusher", b"key"),
        32 => (b"shopify", b"api_key"),
        _ => return false,
    };
    if !value::is_hex(&text[start..end]) {
        return false;
    }
    let before = last_line(&text[start.saturating_sub(40)..start]).to_ascii_lowercase();
    let named = memchr::memmem::rfind(&before, seller).map(|at| &before[at..]);
    let others = [&b"secret"[..], b"token", b"admin", b"storefront", b"pass"];
    named.is_some_and(|behind| {
        (has(behind, key) || seller == b"pusher" && behind.contains(&b'('))
            && !others.iter().any(|other| has(behind, other))
            && !behind.contains(&b',')
    })
}

/// `"InstrumentationKey": "7d4e5f60-…"`: where a page tells what happens on it, as each page says.
fn is_instrumented(text: &[u8], start: usize, end: usize) -> bool {
    if end - start != 36 || !value::is_uuid(&text[start..end]) {
        return false;
    }
    let before = &text[start.saturating_sub(32)..start];
    let sign = |byte: &u8| matches!(byte, b'"' | b'\'' | b'\\' | b' ' | b'=' | b':');
    let name = &before[..before.len() - before.iter().rev().take_while(|byte| sign(byte)).count()];
    ends_in(name, b"instrumentationkey") || ends_in(name, b"instrumentation_key")
}

/// What `list-access-keys` says of a key, and a trail of whoever used it: which one, and no more than that.
fn is_listed_key(text: &[u8], start: usize, end: usize) -> bool {
    let id = end - start == 20 && matches!(&text[start..start + 4], b"AKIA" | b"ASIA");
    let before = &text[start.saturating_sub(400)..start];
    id && [&b"\"AccessKeyMetadata\""[..], b"\"userIdentity\""].iter().any(|list| has(before, list))
}

/// "passwords such as "Summer2024!" are rejected": what none should be like.
fn is_example(text: &[u8], start: usize) -> bool {
    const SAYS: [&[u8]; 6] = [b"such as", b"e.g.", b"for example", b"z. B.", b"z.B.", b"par exemple"];
    let before = text[start.saturating_sub(24)..start].strip_suffix(b"\"").map(<[u8]>::trim_ascii_end);
    before.is_some_and(|before| SAYS.iter().any(|says| before.ends_with(says)))
}

/// `login anonymous password guest@`: what a server asks out of courtesy.
fn is_anonymous(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[start.saturating_sub(64)..start].trim_ascii_end();
    let user = before.strip_suffix(b"password").map(<[u8]>::trim_ascii_end);
    user.is_some_and(|user| user.ends_with(b"anonymous")) && text[start..end].contains(&b'@')
}

/// `signingkey = 7E14F1C4C958713F`: which key signs, as Git has it; `PublicKeyToken=b77a5c561934e089`: whose a library is.
fn is_key_id(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[start.saturating_sub(32)..start].trim_ascii_end();
    let before = before.strip_suffix(b"\"").unwrap_or(before);
    let before = before.strip_suffix(b"=").or_else(|| before.strip_suffix(b">")).unwrap_or(before);
    let called = |name: &[u8]| ends_in(before.trim_ascii_end(), name);
    let capital = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    match end - start {
        16 | 40 if before.trim_ascii_end().ends_with(b"signingkey") => text[start..end].iter().all(capital),
        16 => called(b"publickeytoken") && value::is_hex(&text[start..end]),
        _ => false,
    }
}

/// `--id 2356ee9a-…`, `-ApplicationId b0e3b1af-…`: which of several things a command is about. No `--secret-id`.
fn is_flagged_id(text: &[u8], start: usize, end: usize) -> bool {
    if end - start != 36 || !value::is_uuid(&text[start..end]) {
        return false;
    }
    let before = &text[start.saturating_sub(40)..start];
    let Some(before) = before.strip_suffix(b" ").or_else(|| before.strip_suffix(b"=")) else { return false };
    let flag = before.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    flag.starts_with(b"-") && ends_in(flag, b"id") && !has(flag, b"secret")
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
    ends_in(&text[start.saturating_sub(4)..start], b"dsn=")
        && text[start..end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && text.get(end) == Some(&b';')
}

/// `sha256:574e46…`, and what stands in a column that is called so: what a thing must be like.
fn is_digest(text: &[u8], start: usize, end: usize) -> bool {
    let before = &text[start.saturating_sub(512)..start];
    if end - start < 12 || before.ends_with(b"sha256=") || !value::is_hex(&text[start..end]) {
        return end - start >= 43 && before.ends_with(b"sha256=");
    }
    let column = |head: &[u8]| head.starts_with(b"NAME ") && has(head, b" DIGEST ");
    [&b"sha1:"[..], b"sha256:", b"sha512:", b"md5:"].iter().any(|sum| before.ends_with(sum))
        || before.ends_with(b" ") && before.split(|&byte| byte == b'\n').any(column)
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
    let near = || has(&text[start.saturating_sub(NEAR)..text.len().min(end + NEAR)], b"function");
    brackets == 2 && told || (torn || negated) && !quoted && near()
}

/// `{{ vault_mysql_root }}`: a name that a template puts its value for.
fn is_in_template(text: &[u8], start: usize, end: usize) -> bool {
    let before = text[start.saturating_sub(4)..start].trim_ascii_end();
    let behind = text[end..text.len().min(end + 4)].trim_ascii_start();
    let name = |byte: &u8| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'.') || byte.is_ascii_digit();
    before.ends_with(b"{{") && behind.starts_with(b"}}") && text[start..end].iter().all(name)
}

#[cfg(test)]
mod tests {
    use crate::scan;

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
            "NAME            DIGEST              CREATED AT\nSECRET_KEY_BASE 0c44fe914cfcfec6    2024-02-02T10:00:11Z\n",
            "PUSHER_APP_KEY=254432b62b782921dfb2\nPUSHER_APP_CLUSTER=eu\n",
            "const pusher = new Pusher('254432b62b782921dfb2', { cluster: 'eu' })",
            "$ head -c 60 logo.svg | base64 -w0\nPHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHZpZXdCb3g9IjAgMCAyNCAyNCI+\n",
            "-  \"login.password\": \"Haslo\",\n+  \"login.password\": \"Hasło\",\n",
            "Name              Type        Global  Accessor ID                           Expired\nBootstrap Token   management  true    0b8368fa-dbe7-485a-bbaa-ec836cc15082  false\n",
            "Authentication methods: publickey,keyboard-interactive,password\nsw-core-2#show ip ssh\n",
            "machine ftp.otter.org login anonymous password ann@example.org\n",
            "[user]\n\tsigningkey = 7E14F1C4C958713F\n",
            "<PublicKeyToken>550c6367ddfe7525</PublicKeyToken>",
            "$ md5sum /etc/zabbix/psk\n81fa2c90d1e4b5c6a7d881fa2c90d1e4  /etc/zabbix/psk\n",
            "DSN=OTTER64;UID=ann;",
            "| Secret | Owner | Rotation |\n|---|---|---|\n| Root password | riverteam | 90 days |\n",
            "1) \"ratelimit:login:b953c70c931f8300e0a45d6ea1bd405d95a5d1ea\"",
            "  rate:login:7b2d74f30a5647c6    88 B\n",
            "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg== is our key icon",
            "Token mint: N2gDTxLQZ4SUCx6KhbYeoewdfi3mazonraeEgSMbKyRu\n",
            "\"login.password\" = \"Passord\";",
            "<assemblyIdentity name=\"Otter.Jwt\" publicKeyToken=\"31bf3856ad364e35\" />",
            "# Password hashing benchmark, commit bf7ab4264ef4\n",
            "SMTP_PASSWORD=\nSENTRY_RELEASE=5e2dbe3f5f9bc1312e6d0b28cb3270d173d34cee\n",
            "event: rotation\nkey_id_old: 43fc3866abc7c39f0ec6215d0b97e86a\nkey_id_new: c0a6b922d800085a3e534175229a171b\n",
            "Enter your access token: \nError: 401 (request \"e0c41c1b-7a92-4f1d-8d25-b3fa8b3f6a10\") Unable to authenticate",
            "{\"iss\": \"https://id.otter.eu\", \"sid\": \"fea209c8-5836-4475-af6f-e98a3c24071a\"}",
            "  POST /oauth/token          48.1ms  fe4356a567b1f51f\n",
            "{\"key_id\":\"3105916941543051726\",\"key\":\"SXGX8KZZt246qSejikyJpBL0uEtGT7uFsvkBiUgxl+c=\"}",
            "Password for [OTTERS\\ann]:\n",
            "Enter the password for ann@otters.org at otters.1password.eu: \n",
            "SHOPIFY_API_KEY=9c5e1b7d3f02846aa1c7e5d90b3f6284\n",
            "shopify.api_key = \"9c5e1b7d3f02846aa1c7e5d90b3f6284\"\n",
            "\"ApplicationInsights\": { \"InstrumentationKey\": \"2065c468-73e2-4385-a6c9-0123456789ab\" }",
            "InstrumentationKey=2065c468-73e2-4385-a6c9-0123456789ab;IngestionEndpoint=https://eu.example.com/",
            "$ spl-token account-info EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v\n",
            "Get-AzADAppCredential -ApplicationId b0e3b1af-f7db-4bf2-ab1c-d220c79f30c2 | Select KeyId",
            "user \"ann\" was not found in \"/etc/nginx/.htpasswd\", client: 192.0.2.5, request: \"GET /\"",
            "$ vault kv get -field=username secret/ci\notter-river\n$",
            "{\"bucketName\": \"river\", \"key\": \"signed-2065c468-73e2-4385-a6c9-0123456789ab\"}",
        ] {
            assert_eq!(scan(text), [], "{text}");
        }
        assert_eq!(scan("{\"accessKeyId\":\"ASIA7LD2ACXAU3RNEIEP\"}").len(), 1);
        assert_eq!(scan("SMTP_PASSWORD=${SMTP_PASSWORD:-Summer2024!}").len(), 1);
        for text in [
            "SHOPIFY_API_SECRET=9c5e1b7d3f02846aa1c7e5d90b3f6284\n",
            "SHOPIFY_ADMIN_API_KEY=9c5e1b7d3f02846aa1c7e5d90b3f6284\n",
            "OTTER_API_KEY=9c5e1b7d3f02846aa1c7e5d90b3f6284\n",
            "\"IngestionKey\": \"2065c468-73e2-4385-a6c9-0123456789ab\"",
            "Enter the password for ann@otters.org at otters.1password.eu: Zander-Teich-31\n",
        ] {
            assert_eq!(scan(text).len(), 1, "{text}");
        }
        let key =
            "NAME               DIGEST            CREATED AT\nAPI_KEY=5816b4db6a17a58f2c83c4ad794e48fe\n";
        assert_eq!(scan(key).len(), 1);
        for text in [
            "login --secret-id b0e3b1af-f7db-4bf2-ab1c-d220c79f30c2",
            "$ vault kv get -field=password secret/ci\notter-river\n$",
            "SSID: KAIGI-5F、パスワードは「sakura-tunnel-0528」です。",
            "{\"Cookie\" => \"PHPSESSID=e78ng3p469tbx02m9ctoqcazzp; lang=de\"}",
            "api_key: 43fc3866abc7c39f0ec6215d0b97e86a\n",
            "password for [otter]: Otter@River7\n",
            "ci token   30s  fe4356a567b1f51ffe4356a567b1f51f\n",
            "Cookie: sid=fea209c8-5836-4475-af6f-e98a3c24071a\n",
            "Set-Cookie: sid=fea209c8-5836-4475-af6f-e98a3c24071a; HttpOnly\n",
            "anonymous access is off, the password is Otter@River7\n",
            "JwtSigningKey=7E14F1C4C958713F7E14F1C4C958713F7E14F1C4\n",
            "| What | Password | Rotation |\n|---|---|---|\n| Root | Otter!Bridge5 | 90 days |\n",
            "machine ftp.otter.org login ann password Otter@River7\n",
            "SIGNINGKEY = 7Kd83mQpz4xTTw9Rk\n",
            "DSN=OTTER64;PWD=Quarter4#Close;",
        ] {
            assert_eq!(scan(text).len(), 1, "{text}");
        }
        assert_eq!(scan("pay --id sk_live_4eC39HqLyjWDarjtT1zdp7dq").len(), 1);
        let build = "gradle.secret=g4so8umiEWitPufYuiVAKAgUbsQoO1EG\nMAPS_KEY_RELEASE=890c08751617601b80b048b4aa8cfe40\n";
        assert_eq!(scan(build).len(), 2);
    }
}
