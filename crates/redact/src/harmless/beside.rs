//! What is no secret for the words right before it: whose keys are spoken of, what a ticket is called, a certificate.

use crate::chance;
use crate::search::{Words, has, last_line};
use crate::value;

/// How it begins where a secret should stand and a reader is sent elsewhere; a language is a row.
#[rustfmt::skip]
pub(crate) static SEE: Words<29> = Words::new([
    b"see", b"ask", b"siehe", b"steht", b"liegt", b"fragen", b"frag", b"voir", b"demander", b"ver", "véase".as_bytes(), b"vease", b"pedir", b"preguntar", b"vedi", b"chiedere",
    b"zie", b"vraag", b"se", "fråga".as_bytes(), "spør".as_bytes(), b"patrz", b"zapytaj", b"viz", "см.".as_bytes(), "См.".as_bytes(), "см".as_bytes(), "смотри".as_bytes(), "bkz.".as_bytes(),
]);

pub(super) fn says_so(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    is_whose(text, start, value)
        || is_ticket_title(text, start, value)
        || is_certificate(text, start, value)
        || is_about(text, start, value)
        || is_user_of_hidden(text, start)
        || is_pin_of_certificate(value)
        || is_row_of_names(value)
        || is_title(text, start, end)
        || is_said_elsewhere(text, start, value)
        || is_second_name(text, start, value)
        || is_of_time(text, start, value)
        || text[..start].ends_with(b"PublicKey = ")
        || is_user(text, start, value)
        || is_compared(text, start, value)
        || is_borrowed(text, start, value)
        || is_remark_on_column(text, start)
        || is_other_host(text, start, value)
        || is_user_before_password(text, start, end)
        || is_attribute(text, start)
        || is_test(text, start, end)
        || matches!(value, b"successfully" | b"successfully." | b"successful" | b"succeeded")
        || super::which::says_so(text, start, end)
}

/// `fn hash(password: &SecretString, …)`: a type that is borrowed.
fn is_borrowed(text: &[u8], start: usize, value: &[u8]) -> bool {
    let Some(word) = value.strip_prefix(b"&") else { return false };
    let name = word.first().is_some_and(u8::is_ascii_uppercase)
        && word.iter().all(u8::is_ascii_alphanumeric)
        && word.iter().filter(|byte| byte.is_ascii_lowercase()).count() >= 3;
    name && text[..start].ends_with(b": ") && {
        let line = line_before(text, start, 160);
        has(line, b"fn ") || has(line, b"|")
    }
}

/// `comment on column users.password_salt is 'removed in 2023'`.
fn is_remark_on_column(text: &[u8], start: usize) -> bool {
    static REMARKS: Words<2> = Words::new([b"comment on column", b"comment on table"]);
    let near = &text[start.saturating_sub(5)..start];
    [&b" is '"[..], b" IS '"].contains(&near) && REMARKS.within(line_before(text, start, 120))
}

/// `rabbit2 was wrong, copied it from rabbit1`: machines that are numbered, both in one line.
fn is_other_host(text: &[u8], start: usize, value: &[u8]) -> bool {
    let stem = value.len() - value.iter().rev().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    let name = stem >= 3
        && stem < value.len()
        && value[..stem].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-');
    name && text[..start].ends_with(b" from ") && {
        let before = line_before(text, start, 160);
        before.split(|&byte| byte == b' ').any(|word| {
            word.len() == value.len()
                && word != value
                && word.starts_with(&value[..stem])
                && word[stem..].iter().all(u8::is_ascii_digit)
        })
    }
}

/// `Der Zugang zur Box ist otter4410, Kennwort …`: who it is stands before the word for what he has.
fn is_user_before_password(text: &[u8], start: usize, end: usize) -> bool {
    #[rustfmt::skip]
    const NAMES: [&str; 9] = [
        ", Kennwort ", ", Passwort ", ", password ", ", mot de passe ", ", contraseña ", ", senha ", ", wachtwoord ", ", lösenord ", ", hasło ",
    ];
    #[rustfmt::skip]
    static OWN: Words<20> = Words::new([
        b"pass", b"pwd", b"kennw", b"contrase", b"senha", b"wachtw", b"senord", b"pw ", b"key", b"schl\xC3\xBCssel", b"cl\xC3\xA9", b"clave",
        b"wlan", b"wifi", b"wi-fi", b"code", b"pin", b"secret", b"token", b"chave",
    ]);
    let rest = &text[end..text.len().min(end + 20)];
    let named = rest.starts_with(b", ") && NAMES.iter().any(|name| rest.starts_with(name.as_bytes()));
    let plain = text[start..end].iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    named && plain && !OWN.within(line_before(text, start, 64))
}

/// `Partial Product Key: 8HVX7`, `CrashReporter Key: 3a71…`, `"acct"<blob>="ci@mac"`: what is told of it, and of whom.
fn is_attribute(text: &[u8], start: usize) -> bool {
    let near = &text[start.saturating_sub(24)..start];
    near.ends_with(b"artial Product Key: ")
        || near.trim_ascii_end().ends_with(b"CrashReporter Key:")
        || near.ends_with(b"<blob>=\"")
        // `security find-generic-password -s "build" -a "ci@mac"`: whose it is.
        || near.ends_with(b" -a \"") && has(line_before(text, start, 96), b"security find-")
}

/// `    --- PASS: TestKey/pkcs1 (0.02s)`, `PASS: river.exp⏎FAIL: stone.exp`: which test it was.
fn is_test(text: &[u8], start: usize, end: usize) -> bool {
    static OTHERS: Words<3> = Words::exact([b"\nFAIL: ", b"\nSKIP: ", b"\nXFAIL: "]);
    let Some(before) = text[..start].strip_suffix(b"PASS: ") else { return false };
    before.ends_with(b"--- ")
        || matches!(before.last(), None | Some(b'\n'))
            && (OTHERS.within(crate::search::behind(text, end, 256))
                || OTHERS.within(crate::search::before(text, start, 256)))
}

/// `Kennwort: liegt bei Frau Kramer, Raum 214`: where it is, in the words of a sentence.
fn is_said_elsewhere(text: &[u8], start: usize, value: &[u8]) -> bool {
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`');
    let gap = memchr::memchr(b' ', &value[..value.len().min(12)]);
    // "ask Tom, it was X": and yet it is there.
    let told = || value.split(|&byte| byte == b' ').any(|word| word.len() >= 10 && chance::is_random(word));
    !quoted && gap.is_some_and(|gap| SEE.equals(&value[..gap])) && !told()
}

/// `51:02.1234567Z` of `2026-11-30T13:51:02.1234567Z`.
fn is_of_time(text: &[u8], start: usize, value: &[u8]) -> bool {
    let part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'-');
    let Some(clock) = value.strip_suffix(b"Z") else { return false };
    clock.iter().all(part) && {
        let before = crate::search::before(text, start, 24);
        let own = before.iter().rev().take_while(|byte| part(byte) || **byte == b'T').count();
        before[before.len() - own..].contains(&b'T')
    }
}

/// `"password1", "password2"`: the names of two fields.
fn is_second_name(text: &[u8], start: usize, value: &[u8]) -> bool {
    matches!(value, b"password2" | b"passwd2" | b"pass2" | b"pwd2") && {
        let first = [&value[..value.len() - 1], b"1"].concat();
        has(crate::search::before(text, start, 64), &first)
    }
}

/// `A senha do Protheus (usuário fiscal03) ficou …`: who it is stands right behind the word for it, in brackets.
fn is_user(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    const USERS: [&[u8]; 9] = [
        b"(user ", b"(username ", b"(usuario ", "(usuário ".as_bytes(), b"(utente ", b"(benutzer ", b"(utilisateur ", b"(gebruiker ", b"(login ",
    ];
    let plain = value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'.');
    plain && {
        let before = line_before(text, start, 16).to_ascii_lowercase();
        USERS.iter().any(|user| before.ends_with(user)) && text.get(start + value.len()) == Some(&b')')
    }
}

/// `"$pass1" == "$pass2"`: two variables.
fn is_compared(text: &[u8], start: usize, value: &[u8]) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'{' | b'}');
    value.strip_prefix(b"$").is_some_and(|rest| rest.iter().all(name)) && {
        let before = without_quote(line_before(text, start, 64));
        let signs = [&b"=="[..], b"!=", b"="];
        let before = signs
            .iter()
            .find_map(|sign| before.strip_suffix(*sign))
            .map(|before| without_quote(before.trim_ascii_end()));
        before.is_some_and(|before| {
            let long = before.iter().rev().take_while(|byte| name(byte)).count();
            long > 0 && before[..before.len() - long].ends_with(b"$")
        })
    }
}

pub(super) fn line_before(text: &[u8], start: usize, most: usize) -> &[u8] {
    last_line(&text[start.saturating_sub(most)..start])
}

fn without_quote(before: &[u8]) -> &[u8] {
    before_quote(before).trim_ascii_end()
}

fn before_quote(before: &[u8]) -> &[u8] {
    let quote = usize::from(matches!(before.last(), Some(b'"' | b'\'' | b'`')));
    &before[..before.len() - quote]
}

/// `client secret keys for app 'e7899a40-…'`, `a secret added to the app 'e7899a40-…'`: whose they are.
fn is_whose(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    const OWNERS: [&[u8]; 14] = [
        b"app", b"application", b"tenant", b"client", b"user", b"account", b"project", b"service", b"device", b"organization", b"workspace", b"subscription", b"principal", b"integration",
    ];
    if !value::is_uuid(value) {
        return false;
    }
    let mut words = without_quote(line_before(text, start, 48)).rsplit(|&byte| byte == b' ');
    let owner = words.next().unwrap_or_default();
    let mut joint = words.filter(|word| !matches!(*word, b"the" | b"your" | b"this"));
    OWNERS.contains(&owner) && matches!(joint.next(), Some(b"for" | b"of" | b"from" | b"to" | b"in" | b"by"))
}

/// `AUTH-2211 "Rotate signing key before July"`: what a ticket is called.
fn is_ticket_title(text: &[u8], start: usize, value: &[u8]) -> bool {
    if memchr::memchr_iter(b' ', value).count() < 2 {
        return false;
    }
    let before = without_quote(line_before(text, start, 32));
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let Some(project) = before[..before.len() - digits].strip_suffix(b"-") else { return false };
    let long = project.iter().rev().take_while(|byte| byte.is_ascii_uppercase()).count();
    let whole = project.len() == long || !project[project.len() - long - 1].is_ascii_alphanumeric();
    (1..=6).contains(&digits) && (2..=10).contains(&long) && whole
}

/// `<ds:X509Certificate>⏎MIIC4I…`: the first line of one.
fn is_certificate(text: &[u8], start: usize, value: &[u8]) -> bool {
    value.starts_with(b"MII")
        && text[start.saturating_sub(64)..start].trim_ascii_end().ends_with(b"X509Certificate>")
}

/// `password policy: see the wiki`: words about passwords.
fn is_about(text: &[u8], start: usize, value: &[u8]) -> bool {
    const ABOUT: [&[u8]; 8] =
        [b"policy", b"policies", b"rules", b"reset", b"manager", b"expiry", b"requirements", b"rotation"];
    let words = value.trim_ascii();
    let plain = words.contains(&b' ') && words.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    let before = line_before(text, start, 32).trim_ascii_end();
    plain && before.strip_suffix(b":").is_some_and(|before| ABOUT.iter().any(|word| before.ends_with(word)))
}

/// `password: "[FILTERED]", username: "ann"`: who it is stands behind what is hidden.
fn is_user_of_hidden(text: &[u8], start: usize) -> bool {
    const USERS: [&[u8]; 4] = [b"user", b"username", b"login", b"email"];
    let before = line_before(text, start, 64);
    let sign = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b':' | b'=' | b'>');
    let name = &before[..before.len() - before.iter().rev().take_while(|byte| sign(byte)).count()];
    let hidden = [&b"[FILTERED]\""[..], b"[HIDDEN]\"", b"[REDACTED]\"", b"[MASKED]\""];
    USERS.iter().any(|user| name.ends_with(user)) && hidden.iter().any(|own| has(name, own))
}

/// `sha256/8IzDxNBziDMhGtcO…=`: what a certificate's key must be like.
fn is_pin_of_certificate(value: &[u8]) -> bool {
    value.strip_prefix(b"sha256/").is_some_and(|digest| digest.len() == 44 && digest.ends_with(b"="))
}

/// `name | wrong_password | last_session⏎ ann |  9 |  388`: what a column is called, above one of numbers.
fn is_title(text: &[u8], start: usize, end: usize) -> bool {
    const LONGEST: usize = 160;
    let value = &text[start..end];
    let name = |byte: &u8| byte.is_ascii_lowercase() || *byte == b'_';
    if !text[..start].ends_with(b"| ") || !value.contains(&b'_') || !value.iter().all(name) {
        return false;
    }
    let before = line_before(text, start, LONGEST);
    let rest = crate::search::line(text, end, LONGEST);
    let below = crate::search::line(text, end + rest.len() + 1, LONGEST);
    let bars = |line: &[u8]| memchr::memchr_iter(b'|', line).count();
    let titles = before.iter().chain(rest).all(|byte| name(byte) || matches!(byte, b' ' | b'|' | b'\r'));
    let nth = below.split(|&byte| byte == b'|').nth(bars(before)).unwrap_or_default().trim_ascii();
    let number = !nth.is_empty() && nth.iter().all(u8::is_ascii_digit);
    titles && number && bars(before) + bars(rest) == bars(below)
}

/// `#host:port:db:user:password`: how the lines of a file are made.
fn is_row_of_names(value: &[u8]) -> bool {
    let Some(names) = value.strip_prefix(b"#").map(<[u8]>::trim_ascii_start) else { return false };
    memchr::memchr_iter(b':', names).count() >= 3
        && has(names, b"host")
        && names.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b':' | b'_'))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_the_words_before_say() {
        for text in [
            "the provided client secret keys for app '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed' are expired",
            "Ensure the secret sent is the value, for a secret added to app '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'.",
            "the client secret was revoked in the tenant '1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed'",
            "api keys of tenant \"1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed\" were rotated",
            "AUTH-31  \"Rotate the otters before June\"",
            "Jira: PASS-12 \"Move the backup to Oslo\"",
            "<KeyInfo><X509Certificate>\nMIIC4IlUIEEetNauyL0GAEPQxrWo3cPZWUt4BCmYK1SpZDiWcyG+CYnvTG6Ab2V/\n</X509Certificate>",
            "$ echo 'password policy: see the wiki' | base64\n",
            "State: %{password: \"[FILTERED]\", username: \"heron\"}",
            "( \"backup pin\", \"sha256/MpEeBlwfOudHdRRxjCWFG/ThEbNBrjCVvsKlsd322Sg=\" )",
            "$ cat ~/.pgpass\n#host:port:db:user:password\n",
            " name  | wrong_password | last_visit\n ann   |              9 |       388\n",
            "[[ \"$pass1\" == \"$pass2\" ]] || exit 1",
            "if [ \"$password\" != \"$password2\" ]; then",
            "box add user local, \"Added user `ann` successfully.\"",
            "fn hash_password(password: &SecretString, salt: &SaltString) -> Result<String, a::password_hash::Error> {",
            "comment on column users.password_salt is 'removed in 2023, bcrypt keeps its own';",
            "Erlang cookie on heron2 was wrong, copied it from heron1:\n# cat x\n",
            "Der Zugang zur Box im Lager ist otter4410, Kennwort steht im Tresor",
            "Installed product key successfully.\nPartial Product Key: 8HVX7",
            "\"Passwort\" im Kreuzwortr\u{e4}tsel: 7 Buchstaben, 14 waagerecht",
            "  match Argon2.verify ~encoded:hash ~pwd:pw ~kind:Argon2.ID with\n",
            "  - key: wifi_password\n    label: Wi-Fi password\n  - key: admin_pin\n    type: pin\n",
            "CrashReporter Key:   3a71e9d0c48f5b26e7d19840fb3c6a52d7e08f91",
            "security find-generic-password -s \"build\" -a \"ci@mac-02\"\n    \"acct\"<blob>=\"ci@mac-02\"\n",
            "=== RUN   TestParsePrivateKey/otter1\n    --- PASS: TestParsePrivateKey/otter1 (0.02s)\n",
            "PASS: otter.base/river.exp: stone 12\nPASS: otter.base/river.exp\nFAIL: otter.base/r2.exp\n",
            "kind: Secret\nmetadata:\n  name: otter-credentials\n  namespace: prod\n  uid: 836db367-4cc0-40ac-94e4-b2c011d6c368\n",
            "$ wg genkey | tee priv | wg pubkey\nPVxI88pZOoPUdLIAUjOFgpmqZREkER0CSl1kLwLzYO8=\n",
            "$ keepassxc-cli show -a UserName team.kdbx hosting/inwx\nyannick@grafnetz.be\n",
            "{\"name\": \"SmtpPassword\", \"value\": \"@Microsoft.KeyVault(SecretUri=https://a.vault.azure.net/secrets/S/3920d04ba4b291cdcfa6e049328b857f)\"}",
            "DATABRICKS_TOKEN=<unset>\nPOD_UID=293c914c-c02e-4c9a-a8d3-aba3cdc9f235\n",
            "$1 = {port = 443, cred = 0x558fc1ddb64d \"\", retries = 3}",
            "Guest:501:aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0:::\n",
            "| name | rotated by | interval |\n| db-password | terraform | 90 d |\n| webhook-signing-key | cron job | 30 d |\n",
            "\"| name | rotated by | interval |\\n| db-password | terraform | 90 d |\\n| smtp-relay | by hand | yearly |\"",
            "|      Name      |          Rotated           |\n+-----+------+\n|  prod/db-password   |  2025-01-03T02:11:40+01:00 |\n",
            "| Campo          | Tipo     | Obligatorio |\n|---|---|---|\n| contrase\u{f1}a     | texto    | s\u{ed} |\n",
            "$ sqlite3 app.db 'select count(*), sum(confirmed_at is null) from totp'\n3118|204\n",
            "Le site refuse mon nouveau mot de passe \u{ab} trop semblable \u{e0} l'ancien \u{bb}.",
            "$ kubectl -n ci get sa deployer -o jsonpath='{.metadata.uid}'\n0b63c8cb-8413-468e-98bf-c7f602bb06e3\n",
            "send: 'AUTH LOGIN c2l5ZXJAbm9ydGh3aW5kLmRl\\r\\n'\n",
            "smtp-password        True\nsftp-private-key     False\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
        for (text, secret) in [
            ("fn f(a: u8) { let password: &str = \"Otter!Bridge5\"; }", "Otter!Bridge5"),
            ("comment on column users.password_salt is 'gone'; -- password: Otter!Bridge5", "Otter!Bridge5"),
            ("the password of heron2 is heron17", "heron17"),
            ("PIN of the safe in our Delhi office is 560312", "560312"),
            ("WLAN-Schl\u{fc}ssel: otter-bridge-4410, Passwort vom NAS", "otter-bridge-4410"),
            ("Hotel booking site: your confirmation code is 482913", "482913"),
            ("redis> AUTH Otter!Bridge5\n", "Otter!Bridge5"),
            ("signingkey = Otter!Bridge5\n", "Otter!Bridge5"),
            ("HOST: a\nUSER: ann\nPASS: Otter!Bridge5\nERR: none", "Otter!Bridge5"),
            ("ssid: Otter\nwpa_passphrase=otter-river-key\n", "otter-river-key"),
            ("client secret: 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed", "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed"),
            (
                "this client secret of the app: 1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
                "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed",
            ),
            ("[[ \"$pass\" == '$Zander-31x' ]] || exit 1", "$Zander-31x"),
            ("the door code is 4471 (ref 33064)", "4471"),
            ("A senha do Protheus (usuário fiscal03) ficou Jabuticaba#41.", "Jabuticaba#41"),
            ("the password of the vault \"Heron!22-Kettle\" is new", "Heron!22-Kettle"),
            ("the PIN for the client is 4471", "4471"),
            ("PIN fürs Terminal: 7302.", "7302"),
            ("door code for the extension: 4471", "4471"),
            ("project secret: bb65fdca3db1429abb65fdca3db1429a", "bb65fdca3db1429abb65fdca3db1429a"),
            ("password: \"[FILTERED]\", password: \"Zander-Teich-31\"", "Zander-Teich-31"),
            ("$ echo 'password: heron in the kettle' | base64\n", "heron in the kettle"),
            (
                "$ cat ~/.pgpass\n#host:port:db:user:password\ndb:5432:*:ann:Zander-Teich-31\n",
                "Zander-Teich-31",
            ),
        ] {
            assert!(found(text).iter().any(|found| found.contains(secret)), "{text}");
        }
    }
}
