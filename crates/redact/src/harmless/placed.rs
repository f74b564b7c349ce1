//! What is no secret for the one word right before it: `the password on X`, `lookup failed: X`, `"trace_id": "X"`, `ask @ann`:
//! where, whose, since when, what went wrong, which request.

use super::beside::line_before;
use crate::search::has;
use crate::value;

/// As far back a word is looked for.
const NEAR: usize = 64;

/// Whether the word before `start..end` says so.
pub(super) fn says_so(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    if value.len() > NEAR || value.contains(&b' ') {
        return false;
    }
    let line = unwrapped(line_before(text, start, NEAR));
    is_behind_preposition(text, line, start, end)
        || is_fault(line, value)
        || is_numbered(line, value)
        || is_whom_to_ask(line, value)
        || is_fingerprint(line, value)
        || is_of_keyring(text, start, end)
        || is_when(line, value)
        // What a cluster keeps it under.
        || [&b"get secret "[..], b"in Secret ", b"describe secret "].iter().any(|own| line.ends_with(own))
        || is_called(text, line, start, end)
        // A package's sum, as its bill of materials has it.
        || value.len() == 40 && value::is_hex(value) && line.ends_with(b"verification code: ")
        || line.ends_with(b" lease ") && value.contains(&b'/')
}

/// Without the quotes and signs that a value is put between.
fn unwrapped(line: &[u8]) -> &[u8] {
    const MARKS: [&str; 12] = ["\"", "'", "`", "<", "(", "[", "*", "_", "“", "‘", "«", "\u{a0}"];
    let mut line = line;
    while let Some(rest) = MARKS.iter().find_map(|mark| line.strip_suffix(mark.as_bytes())) {
        line = rest;
    }
    if line.ends_with("« ".as_bytes()) { &line[..line.len() - "« ".len()] } else { line }
}

/// The last word of `line`, if a blank stands behind it, and what is before.
fn last_word(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(b" ")?;
    let from = line.iter().rposition(|byte| matches!(byte, b' ' | b'\t' | b'(')).map_or(0, |at| at + 1);
    Some((&line[..from], &line[from..]))
}

/// `rotated the root password on db3`, `la clave de acceso en app-2`, `password for helpdesk01`: where it is good, for whom, since
/// when. No `changed to X`, and no `Passwort auf X geändert`.
fn is_behind_preposition(text: &[u8], line: &[u8], start: usize, end: usize) -> bool {
    const PLAIN: [&str; 22] = [
        "on", "for", "from", "until", "since", "after", "before", "during", "inside", "für", "pour", "sur",
        "su", "per", "voor", "för", "of", "de", "di", "do", "von", "van",
    ];
    /// Those behind which a verb of change puts the new value.
    const TURNING: [&str; 6] = ["auf", "in", "en", "em", "op", "para"];
    /// What has a name of its own.
    #[rustfmt::skip]
    const THINGS: [&str; 24] = [
        "fob", "badge", "pod", "node", "host", "slot", "lease", "run", "job", "build", "container", "cluster", "region", "account", "user", "узле", "uzlu", "konto", "compte", "cuenta", "conta", "utente", "benutzer", "rolle",
    ];
    #[rustfmt::skip]
    const CHANGES: [&[u8]; 21] = [
        b"wijzig", b"veran", b"schimb", b"wymie",
        b"chang", b"camb", b"modif", b"troc", b"troqu", b"mud", b"nder", b"setz", b"gesetzt", b"stell", b"gezet", b"set ", b"log", b"sign", b"type", b"enter", b"put",
    ];
    let Some((before, word)) = last_word(line) else { return false };
    let word = String::from_utf8_lossy(word).to_lowercase();
    let value = &text[start..end];
    // What was drawn to be a secret is one wherever somebody says it.
    let sorts: [fn(&u8) -> bool; 3] = [u8::is_ascii_lowercase, u8::is_ascii_uppercase, u8::is_ascii_digit];
    let mixed = || sorts.iter().all(|sort| value.iter().any(sort));
    if crate::chance::is_random(value) && (value.len() > 24 || mixed()) {
        return false;
    }
    // In Finnish it is the word for `is`.
    if word == "on" && !is_english(before) {
        return false;
    }
    let turns = TURNING.contains(&word.as_str());
    if !turns && !PLAIN.contains(&word.as_str()) && !THINGS.contains(&word.as_str()) {
        return false;
    }
    let behind = crate::search::line_behind(text, end, 32);
    let changed = |part: &[u8]| {
        let part = part.to_ascii_lowercase();
        CHANGES.iter().any(|verb| has(&part, verb))
    };
    let host = || {
        value.iter().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_')
        })
    };
    let next = behind.trim_ascii_start();
    // `for otter: X`, `for otter / X`: then the value comes behind.
    let replaced = word == "from" && next.get(..3).is_some_and(|to| to.eq_ignore_ascii_case(b"to "));
    let replaced =
        replaced || word == "from" && next.get(1..4).is_some_and(|to| to.eq_ignore_ascii_case(b" to"));
    !turns && is_named(before) && !replaced && !next.starts_with(b"=")
        || turns && host() && is_named(before) && !changed(before) && !changed(behind)
}

/// Whether it is called there what it is called in English.
fn is_english(line: &[u8]) -> bool {
    const NAMES: [&str; 10] =
        ["password", "passphrase", "key", "token", "secret", "psk", "pw", "code", "pin", "credential"];
    let line = String::from_utf8_lossy(line).to_lowercase();
    NAMES.iter().any(|name| line.contains(name)) && !line.contains("koodi") && !line.contains("avain")
}

/// Whether what somebody may not know is spoken of there.
fn is_named(line: &[u8]) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 24] = [
        "pass", "pw", "psk", "key", "secret", "token", "pin", "code", "credential", "pwd", "kennwort", "contrase", "clave", "senha", "wachtwoord", "lösenord", "parol", "phrase",
        "jwt", "clé", "chiave", "schlüssel", "jeton", "cookie",
    ];
    let line = String::from_utf8_lossy(line).to_lowercase();
    NAMES.iter().any(|name| line.contains(name))
}

/// `key lookup failed: INVALID_GRANT`, `not found: river-staging-key`, `rejected (TS7938)`: what went wrong, and with what.
fn is_fault(line: &[u8], value: &[u8]) -> bool {
    #[rustfmt::skip]
    const FAULTS: [&str; 26] = [
        "failed", "failure", "found", "missing", "expired", "denied", "error", "errors", "unavailable", "rejected", "fehlgeschlagen", "gefunden", "abgelaufen", "échec", "expiré", "introuvable", "encontrada",
        "encontrado", "fallida", "caducada", "scaduta", "scaduto", "trovata", "fallito", "mislukt", "verlopen",
    ];
    let head = line.trim_ascii_end();
    let Some(head) = head.strip_suffix(b":").or_else(|| head.strip_suffix(b" with")) else { return false };
    let word = head.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let word = String::from_utf8_lossy(word).to_lowercase();
    let code = value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
        && value[0].is_ascii_uppercase();
    let name =
        value.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b'.' | b'/'));
    FAULTS.contains(&word.as_str()) && (code || name && !crate::chance::is_random(value))
}

/// `Naam van het wachtwoord: "X"`, `<pin digest="SHA-256">X`, `keyAlias: X`, `--export-secret-keys X`, `CKV_SECRET_6: "X"`: what it is
/// called, by what it is known.
fn is_called(text: &[u8], line: &[u8], start: usize, end: usize) -> bool {
    const CALLED: [&str; 11] = [
        "naam van ",
        "name of the ",
        "name des ",
        "nom du ",
        "nom de la ",
        "nombre de ",
        "identificador d",
        "identifiant d",
        "key identifier",
        "secret-keys",
        "ckv_secret",
    ];
    const ENDS: [&[u8]; 7] = [
        b"digest=\"SHA-256\">",
        b"SHA-256' = '",
        b"SHA-1' = '",
        b"MD5' = '",
        b"lias\": \"",
        b"lias\":\"",
        b"lias: ",
    ];
    let value = &text[start..end];
    let said = String::from_utf8_lossy(line).to_lowercase();
    let port = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    // Which key of a cloud's: its own bytes never leave it.
    value::is_uuid(value) && said.contains("kms key")
        || CALLED.iter().any(|word| said.contains(word)) && (value::is_uuid(value) || !crate::chance::is_random(value) || said.contains("secret-keys"))
        || ENDS.iter().any(|own| text[..start].ends_with(own))
        // `https://10.0.0.2:8006,root@pam` in a table's cells.
        || (2..=5).contains(&port) && value.get(port) == Some(&b',') && has(line, b"://")
        // `config set --secret mysqlRootPassword "X"`.
        || line.ends_with(b"--secret ") && text[end..].starts_with(b" ") && crate::names::judge(value).is_some()
}

/// `"trace_id": "…"`, `request “18e5…”`, `instance="ip-10-2-3-4"`, `Trace ID: …`, `code: req_d4pt…`: which of many, by its name.
fn is_numbered(line: &[u8], value: &[u8]) -> bool {
    #[rustfmt::skip]
    const WHICH: [&str; 30] = [
        "trace", "traceid", "trace_id", "trace-id", "traceparent", "spanid", "span_id", "requestid", "request_id", "request-id", "reqid", "req_id", "correlation", "correlationid", "correlation_id", "correlation-id",
        "reference", "instance", "host", "hostname", "node", "target", "tenant", "error_code", "errorcode", "checksum", "etag", "x-request-id", "x-trace-id", "incident",
    ];
    let sign = |byte: &u8| matches!(byte, b'"' | b'\'' | b' ' | b'=' | b':');
    let joint = line.iter().rev().take_while(|byte| sign(byte)).count();
    let head = &line[..line.len() - joint];
    let long = head
        .iter()
        .rev()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
        .count();
    // The `n` of an escaped line break is no part of the word.
    let long = long
        - usize::from(
            head[..head.len() - long].ends_with(b"\\") && head[head.len() - long..].starts_with(b"n"),
        );
    let name = String::from_utf8_lossy(&head[head.len() - long..]).to_lowercase();
    let plain =
        value.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b':'));
    let spaced = name == "id" && {
        let owner = String::from_utf8_lossy(&head[..head.len() - long]).to_lowercase();
        WHICH.iter().any(|which| owner.trim_end().ends_with(which))
    };
    // `repository 4c1d90ab`: by its first digits.
    let short = matches!(
        name.as_str(),
        "repository" | "repo" | "snapshot" | "commit" | "revision" | "container" | "image" | "layer"
    ) && matches!(value.len(), 7..=12)
        && value::is_hex(value)
        && !value.iter().any(u8::is_ascii_uppercase);
    // `request` alone, before what only numbers requests.
    let asked =
        matches!(name.as_str(), "request" | "solicitud" | "richiesta" | "requête" | "anfrage" | "pedido")
            && (value::is_uuid(value) || value::is_hex(value) || value.starts_with(b"req") || is_ulid(value));
    // `webhook_secret_id`, and no `role_id` with its `secret_id`.
    let of_secret = name.ends_with("_secret_id") && !["role", "vault"].iter().any(|own| name.contains(own))
        || head.ends_with(b"checksum/secret");
    joint > 0 && plain && (of_secret || WHICH.contains(&name.as_str()) || spaced || asked || short)
}

/// `01J02X4995R2GYD3FFQ7DPB20Q`: when, and which of then.
fn is_ulid(value: &[u8]) -> bool {
    value.len() == 26
        && value.starts_with(b"01")
        && value.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
}

/// `ask @luis74 for access`, `– cc @katja98`, `閲覧は@quentin57まで`: of whom a chat speaks.
fn is_whom_to_ask(line: &[u8], value: &[u8]) -> bool {
    #[rustfmt::skip]
    const ASKS: [&str; 28] = [
        "ask", "cc", "shared with", "via", "access", "ping", "contact", "owner", "by", "hey", "hi", "thanks", "acces", "accès", "acesso", "accesso", "zugriff", "zugang", "toegang", "vraag", "chiede", "pidan",
        "доступ", "erişim", "dostęp", "閲覧", "ссылка", "talk to",
    ];
    let Some(name) = value.strip_prefix(b"@") else { return false };
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let plain = digits <= 3
        && name.len() - digits >= 3
        && name[..name.len() - digits].iter().all(u8::is_ascii_lowercase);
    plain && {
        let said = String::from_utf8_lossy(line).to_lowercase();
        let told =
            [":", "=", " is", " ist", " est", " es"].iter().any(|joint| said.trim_end().ends_with(joint));
        !told && ASKS.iter().any(|ask| said.contains(ask))
    }
}

/// `gpg: decryption failed: Bad passphrase (5D5B7F4F4541052E)`, `SHA256:j2Zd… ann@river-05 (RSA)`: of which key.
fn is_of_keyring(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    let capital = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    let kinds = [&b" (RSA)"[..], b" (ED25519)", b" (ECDSA)"];
    value.len() == 16 && value.iter().all(capital) && has(line_before(text, start, 96), b"gpg")
        || value.contains(&b'@') && kinds.iter().any(|kind| text[end..].starts_with(kind))
        || value.len() == 43 && text[..start].ends_with(b"SHA256:")
}

/// `Expiration du code PIN : 22.12.2026`, `geändert am 20221129`: until when it is good, when it was made.
fn is_when(line: &[u8], value: &[u8]) -> bool {
    #[rustfmt::skip]
    const TELLS: [&str; 19] = [
        "expir", "ablauf", "läuft", "gültig", "scad", "vence", "venci", "caduc", "valid", "verlo", "platno", "ważn", "süre", "geändert", "changed", "rotat", "doldu", "有効期限", "期限",
    ];
    let plain = value.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'/' | b':'));
    let year = value.len() == 8 && value.starts_with(b"20")
        || value.len() == 10 && value.iter().filter(|byte| !byte.is_ascii_digit()).count() == 2
        || matches!(value.len(), 5 | 8) && value.contains(&b':');
    plain && year && {
        let said = String::from_utf8_lossy(line).to_lowercase();
        TELLS.iter().any(|word| said.contains(word))
    }
}

/// `The fingerprint of the deploy key should read "09:31:4c:…"`: by what a key is known.
fn is_fingerprint(line: &[u8], value: &[u8]) -> bool {
    let pairs = value.len() >= 47
        && value
            .split(|&byte| byte == b':')
            .all(|pair| pair.len() == 2 && pair.iter().all(u8::is_ascii_hexdigit));
    pairs && {
        let said = String::from_utf8_lossy(line).to_lowercase();
        ["fingerprint", "thumbprint", "fingerabdruck", "empreinte", "huella", "impronta", "отпечат"]
            .iter()
            .any(|word| said.contains(word))
    }
}
