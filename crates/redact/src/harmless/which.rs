//! What is no secret because it says which one of many: a ticket, a booking, a commit, a key by its name, an address.

use super::beside::line_before;
use crate::search::{Words, has};
use crate::value;

/// Whether what stands before `start..end` says which one it is.
pub(super) fn says_so(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    is_id_of_made(text, start, value)
        || is_post_code(text, start, value)
        || is_turn_in_queue(text, start, value)
        || is_in_vault(text, start, value)
        || is_of_booking(text, start, value)
        || is_key_of_store(text, start)
        || is_of_paper(text, start, value)
        || is_which(text, start, value)
        || is_on_receipt(text, start, value)
        || is_customer(text, start, value)
        || is_called_so(text, start, value)
        || is_key_of_commits(text, start, value)
        || is_of_badge(text, start)
        || is_setting_of_identity(value)
        || is_printed_commit(text, start, value)
        || is_key_of_somebody(text, start, value)
        || is_of_identity(text, start, value)
        || is_key_of_signer(text, start, end)
}

/// `gpg: using "Y2V2WS02D3UPEK6O" as default secret key`: by what a key is known.
fn is_key_of_signer(text: &[u8], start: usize, end: usize) -> bool {
    text[..start].ends_with(b"using \"") && text[end..].starts_with(b"\" as ")
}

/// `… | docker secret create db -⏎lbqk0fd2x3mz8n1v7yt5`: by what a cluster knows what it has made.
fn is_id_of_made(text: &[u8], start: usize, value: &[u8]) -> bool {
    static MAKES: Words<3> =
        Words::new([b"docker secret create ", b"docker config create ", b"podman secret create "]);
    let id = (20..=25).contains(&value.len())
        && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    id && text[..start].ends_with(b"\n") && MAKES.within(line_before(text, start - 1, 240))
}

/// `Pune, Maharashtra⏎PIN: 411045`, `PIN Indian postal index: 560034`: where a letter goes.
fn is_post_code(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    static PLACES: Words<18> = Words::new([
        b"postal index", b" india", b"nagar", b"bengaluru", b"bangalore", b"mumbai", b"delhi", b"chennai", b"kolkata", b"hyderabad", b"pune,",
        b"karnataka", b"maharashtra", b"kerala", b"tamil nadu", b"gujarat", b"telangana", b"singapore",
    ]);
    let digits = value.len() == 6 && value[0] != b'0' && value.iter().all(u8::is_ascii_digit);
    let placed = || {
        let behind = crate::search::behind(text, start + value.len(), 48);
        PLACES.within(&text[start.saturating_sub(96)..start])
            || behind.starts_with(b", ") && PLACES.within(behind)
    };
    digits && placed() && {
        // The name begins a line or a part of an address: no sentence is about what it opens.
        let line = line_before(text, start, 64);
        let name = line.windows(3).rposition(|three| three.eq_ignore_ascii_case(b"pin"));
        name.is_some_and(|name| {
            let (before, behind) = (line[..name].trim_ascii_end(), &line[name..]);
            matches!(before.last(), None | Some(b',' | b'-' | b'.'))
                && (behind.len() <= 12 || has(behind, b"postal"))
        })
    }
}

/// `--encrypt-key B9704022CD186C9D`, `--export-secret-keys D593211884A6ADB2`: for whom, and whose.
fn is_key_of_somebody(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    const FLAGS: [&[u8]; 8] = [
        b"--encrypt-key ", b"--sign-key ", b"--export-secret-keys ", b"--export-secret-key ", b"--delete-secret-keys ", b"--edit-key ", b"--recv-keys ", b"--encrypt-sign-key ",
    ];
    matches!(value.len(), 8 | 16 | 40)
        && value::is_hex(value)
        && FLAGS.iter().any(|flag| text[..start].ends_with(flag))
}

/// `username=6012`, `TLSPSKIdentity=PSK-web01`: a setting as a whole, whose name says that it may be known.
fn is_setting_of_identity(value: &[u8]) -> bool {
    const NAMES: [&str; 5] = ["username", "user", "login", "identity", "hostname"];
    let Some(sign) = memchr::memchr(b'=', value) else { return false };
    let name = &value[..sign];
    // `user=ann;pw=X`: more than one.
    let rest = &value[sign + 1..];
    let lone = (1..=32).contains(&rest.len()) && !rest.iter().any(|byte| b"=;&, ".contains(byte));
    lone && name.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'_')
        && NAMES.iter().any(|own| crate::prose::ends_in(name, own.as_bytes()))
}

/// `$ git rev-parse origin/main⏎d65a2fd6…`.
fn is_printed_commit(text: &[u8], start: usize, value: &[u8]) -> bool {
    value.len() == 40 && value::is_hex(value) && {
        let line = line_before(text, start, 96);
        let above = start - line.len();
        has(line_before(text, above.saturating_sub(1), 96), b"rev-parse")
    }
}

/// `…/graph/badge.svg?token=Z92NHFQ70G`: what every reader of a page sends for a picture.
fn is_of_badge(text: &[u8], start: usize) -> bool {
    text[..start].ends_with(b"token=") && {
        let before = line_before(text, start, 128);
        before.ends_with(b"badge.svg?token=") || has(before, b"img.shields.io/")
    }
}

/// `signingkey = 0x9C3E5F71A2D8B604`: by which key a commit's signature is known.
fn is_key_of_commits(text: &[u8], start: usize, value: &[u8]) -> bool {
    let id = value.strip_prefix(b"0x").unwrap_or(value);
    matches!(id.len(), 8 | 16 | 40)
        && value::is_hex(id)
        && text[start.saturating_sub(16)..start].trim_ascii_end().ends_with(b"signingkey =")
}

/// `TLSPSKIdentity=PSK-web01`, `'X-Request-ID': 'a39cb65d…'`, `- session: 75131562-87b1-…, budget left`: its own name says that
/// it may be known.
fn is_of_identity(text: &[u8], start: usize, value: &[u8]) -> bool {
    let near = &text[start.saturating_sub(48)..start];
    let sign = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b':' | b'=');
    let joint = near.iter().rev().take(4).take_while(|byte| sign(byte)).count();
    if joint == 0 {
        return false;
    }
    let name = &near[..near.len() - joint];
    let ends = |own: &str| crate::prose::ends_in(name, own.as_bytes());
    ends("pskidentity")
        || ["request-id", "request_id", "requestid", "request id", "correlationid", "correlation-id", "trace-id", "traceparent"].iter().any(|own| ends(own))
        // A session of agents.
        || value::is_uuid(value) && ends("- session")
}

/// `Senha: B073⏎Guichê: 4`: whose turn it is.
fn is_turn_in_queue(text: &[u8], start: usize, value: &[u8]) -> bool {
    let number = (3..=5).contains(&value.len())
        && value[0].is_ascii_uppercase()
        && value[1..].iter().all(u8::is_ascii_digit);
    number && {
        let around = &text[start.saturating_sub(48)..text.len().min(start + 48)];
        ["uichê", "UICHÊ", "guiche", "Balcão"].iter().any(|desk| has(around, desk.as_bytes()))
    }
}

/// `https://kv.vault.azure.net/secrets/smtp-password/9d1f70c2…`: where a vault has it, and in which version;
/// `arn:aws:secretsmanager:eu-central-1:553085339652:secret:prod/db-Q8wYnI`.
fn is_in_vault(text: &[u8], start: usize, value: &[u8]) -> bool {
    if text[..start].ends_with(b":secret:") && has(line_before(text, start, 96), b"arn:aws") {
        return true;
    }
    let Some((path, version)) = value.split_last_chunk::<32>() else { return false };
    matches!(path.last(), None | Some(b'/'))
        && value::is_hex(version)
        && has(&text[start.saturating_sub(96)..start], b".vault.azure.net/")
}

/// `Código de confirmación de la agencia: BK-20914-33`: under which something was booked.
fn is_of_booking(text: &[u8], start: usize, value: &[u8]) -> bool {
    static BOOKINGS: Words<10> = Words::new([
        b"reserva",
        b"hotel",
        b"booking",
        b"buchung",
        b"vuelo",
        b"flight",
        b"prenotazione",
        b"check-in",
        b"agencia",
        b"itinerar",
    ]);
    static CONFIRMS: Words<4> = Words::new([b"de confirma", b"di conferma", b"tigungscode", b"localizador"]);
    let letters = value.iter().any(u8::is_ascii_uppercase) && value.len() <= 16;
    letters
        && CONFIRMS.within(line_before(text, start, 64))
        && BOOKINGS.within(&text[start.saturating_sub(200)..start])
}

/// `redis> GET otp:4915170012933`, `"GET" "session:lock:1a3b118d"`: where a store keeps it.
fn is_key_of_store(text: &[u8], start: usize) -> bool {
    const VERBS: [&[u8]; 12] = [
        b"get", b"ttl", b"del", b"exists", b"type", b"expire", b"hget", b"hgetall", b"pttl", b"persist",
        b"unlink", b"hkeys",
    ];
    text[..start].ends_with(b":") && {
        let before = line_before(text, start, 64);
        let mut words = before.rsplit(|&byte| byte == b' ');
        let (_, verb) = (words.next(), words.next().unwrap_or_default());
        let watched = verb.strip_prefix(b"\"").and_then(|verb| verb.strip_suffix(b"\""));
        VERBS.iter().any(|own| own.eq_ignore_ascii_case(watched.unwrap_or(verb)))
            && (watched.is_some() || words.next().is_some_and(|prompt| prompt.ends_with(b">")))
    }
}

/// `[Ref 88204417]`, `see ticket 33064`: what a paper or a request is filed under; a language is a row.
fn is_of_paper(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    static PAPERS: Words<30> = Words::new([
        b"terminal", b"terminal-id", b"receipt", b"beleg",
        b"ref", b"ref.", b"reference", b"ticket", b"incident", b"order", b"invoice", b"ext", b"ext.", b"extension",
        b"aktenzeichen", b"rechnung", b"bestellung", b"auftrag", b"vorgang", b"durchwahl",
        "réf".as_bytes(), "réf.".as_bytes(), b"facture", b"commande",
        b"factura", b"pedido", b"fattura", b"ordine", b"factuur", b"faktura",
    ]);
    let number = (4..=14).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    number && {
        let before = line_before(text, start, 32).trim_ascii_end();
        let before = before.strip_suffix(b"#").unwrap_or(before).trim_ascii_end();
        // `PIN fürs Terminal: 7302`: few digits behind a colon are what opens it.
        let long = value.len() > 6;
        let before = before.strip_suffix(b":").filter(|_| long).unwrap_or(before);
        let from = before.iter().rposition(|byte| matches!(byte, b' ' | b'[' | b'(')).map_or(0, |at| at + 1);
        let paper = &before[from..];
        PAPERS.equals(paper) && (long || !paper.eq_ignore_ascii_case(b"terminal"))
    }
}

/// `License ID 1Y9UBDE084`, `zone id 163a5672…`, `activation code request #99120`, a message's `key=` of a queue: which
/// one of many.
fn is_which(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    const WHOSE: [&[u8]; 11] = [
        b"license", b"licence", b"order", b"request", b"customer", b"zone", b"account", b"project", b"tenant", b"workspace", b"organization",
    ];
    // Hot path: most values stand behind no such word.
    let near = text[start.saturating_sub(64)..start].trim_ascii_end();
    if !matches!(near.last(), Some(b'd' | b'D' | b':' | b't' | b'T' | b'=')) {
        return false;
    }
    let line = line_before(text, start, 64).to_ascii_lowercase();
    let head = line.trim_ascii_end();
    let head = head.strip_suffix(b":").unwrap_or(head);
    let id = head.strip_suffix(b" id").is_some_and(|head| WHOSE.iter().any(|own| head.ends_with(own)));
    let number = value.strip_prefix(b"#").is_some_and(|number| number.iter().all(u8::is_ascii_digit));
    id || number && head.ends_with(b"request")
        || value::is_uuid(value) && head.ends_with(b"key=") && has(head, b"partition=")
}

/// `VISA ****4417  AUTH CODE 082213⏎TID 41120398`, `Auth code 066740  RRN 459298193936`: what a bank says of one payment.
fn is_on_receipt(text: &[u8], start: usize, value: &[u8]) -> bool {
    static PAID: Words<10> = Words::exact([
        b"RRN",
        b"TID",
        b"MID",
        b"AID",
        b"APPROVED",
        b"MASTERCARD",
        b"VISA",
        b"TOTAL",
        b"Amount",
        b"AMOUNT",
    ]);
    let code = (6..=12).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    code && {
        let before = crate::search::before(text, start, 96);
        crate::search::find_all(&before.to_ascii_lowercase(), b"auth code").next().is_some()
            && (PAID.within(before) || PAID.within(crate::search::behind(text, start + value.len(), 64)))
    }
}

/// `su código de cliente es 40022917`, `Express service code: 17302964451`: who or what it is for those who sell.
fn is_customer(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    const WHO: [&[u8]; 14] = [
        "código de cliente".as_bytes(), "código do cliente".as_bytes(), b"code client", b"codice cliente", "código de proveedor".as_bytes(), b"code fournisseur", b"codice fornitore",
        b"customer code", b"supplier code", b"vendor code", b"kundencode", b"klantcode", b"kundkod", b"express service code",
    ];
    let number = (4..=14).contains(&value.len()) && value.iter().all(u8::is_ascii_digit);
    number && {
        let before = line_before(text, start, 48).to_ascii_lowercase();
        let before = before.trim_ascii_end();
        let before = before.strip_suffix(b":").unwrap_or(before).trim_ascii_end();
        let joints =
            [&b" es"[..], b" est", b" is", b" ist", b" lautet", " è".as_bytes(), "é".as_bytes(), b" :"];
        let before = joints.iter().find_map(|joint| before.strip_suffix(*joint)).unwrap_or(before);
        WHO.iter().any(|who| before.trim_ascii_end().ends_with(who))
    }
}

/// `in Lokalise project bb65fdca3db1429a`, `release portal@22c03fefd2a3`, `credential keyId dea4f287-…`, `vault
/// "Infra-EU2"`: what it is the name of stands right before.
fn is_called_so(text: &[u8], start: usize, value: &[u8]) -> bool {
    #[rustfmt::skip]
    static THINGS: Words<22> = Words::new([
        b"incident", b"pipeline", b"project", b"release", b"commit", b"revision", b"event", b"image", b"digest", b"keyid", b"build", b"trace", b"request", b"namespace", b"branch", b"repo",
        b"projekt", b"projet", b"proyecto", b"progetto", b"projeto", b"checksum",
    ]);
    /// Where secrets are kept, and what else has a name of its own.
    #[rustfmt::skip]
    static PLACES: Words<6> = Words::new([
        b"vault", b"folder", b"ordner", b"dossier", b"carpeta", b"cartella",
    ]);
    /// What has a short id, said in brackets: `(dashboard `x5eomj3gx`)`.
    static BOARDS: Words<4> = Words::new([b"dashboard", b"panel", b"board", b"playlist"]);
    /// What everybody may know.
    const IDS: [&str; 5] = ["client id", "customer id", "merchant id", "site key", "publishable key"];
    /// `was committed in f89c7ae1…`.
    #[rustfmt::skip]
    const COMMITS: [&str; 8] =
        ["committed in", "introduced in", "added in", "removed in", "reverted in", "merged in", "pushed in", "leaked in"];
    let quote = usize::from(start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`'));
    let quote = quote + usize::from(quote == 1 && text[..start - 1].ends_with(b"\\"));
    // Hot path: behind most names stands another sign.
    if !text[..start - quote].ends_with(b" ") {
        return false;
    }
    let before = line_before(text, start - quote, 24);
    let Some(before) = before.strip_suffix(b" ") else { return false };
    let from = before.iter().rposition(|byte| matches!(byte, b' ' | b'(')).map_or(0, |at| at + 1);
    let word = &before[from..];
    if IDS.iter().any(|id| before.ends_with(id.as_bytes())) {
        return true;
    }
    let commit = COMMITS.iter().any(|verb| before.ends_with(verb.as_bytes()));
    if commit || THINGS.equals(word) || before.ends_with(b"key id") {
        let tail = value.rsplit(|&byte| byte == b'@').next().unwrap_or_default();
        return tail.len() >= 7 && value::is_hex(tail) || value::is_uuid(value);
    }
    let sign = |byte: &u8| byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'_' | b'.' | b'/');
    let short = || {
        before[..from].ends_with(b"(")
            && value.len() <= 14
            && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let kept = PLACES.equals(word) || before.ends_with(b"ecret resource");
    quote > 0 && (kept && !value.iter().any(sign) || BOARDS.equals(word) && short())
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn which_one_it_is_may_be_known() {
        for text in [
            "[c]: https://codecov.io/gh/otter/otter/branch/main/graph/badge.svg?token=Z92NHFQ70G\n",
            "# cat /etc/zabbix/agent.psk\nTLSPSKIdentity=PSK-web01\n",
            "$ cat ~/.git-credentials\n$ git rev-parse origin/main\nd65a2fd665392792d91d2044c9bdea3a2fddbce4\n",
            "duplicity --encrypt-key B9704022CD186C9D /srv/daten rsync://otter",
            "$ gpg --armor --export-secret-keys D593211884A6ADB2\n",
            "GetSecretValue on resource: prod/db (RequestId: cf1c376a-c6e8-443a-975a-06f1e738ba82)",
            "\"object\": {\"customer\": \"cus_2JAtC9UQ3kIoVM\", \"payment_intent\": \"pi_3v134feU5sHApZ6VOYfKVTuU\"}",
            "mapboxgl.accessToken = 'pk.eyJ1IjoicmFkaGF1cyIsImEiOiJjbDJ5ZWUxOHNyNG5mN3ZvbHMzbDc3N292In0.cWc1eySNBqGY7tgHJoIzTg';",
            "MAX_TOKENS=4096\nRELEASE=6c03cc779c7b7dfcfb59e5fa5694935d44efe1f2\nSLACK_BOT=\n",
            "msmtp --auth LOGIN --auth-user Y73OGOSMWW\n",
            "<- 535 5.7.8 failed: UGFzc3dvcmQ6\n-> QUIT\n",
            "Heads-up: phishing, subject \"Your password expires today [Ref 88204417]\". Do not click.",
            "door code: see ticket 33064\n",
            "password reset, invoice: 40022917",
            "Password screen strings are in Lokalise project bb65fdca3db1429a; ping me",
            "KeyError 'password_confirm' in signup.py line 88, release portal@22c03fefd2a3",
            "password credential keyId dea4f287-afab-40d1-9d77-1fc6874959f0 (hint: none)",
            "password for the bastion is still in 1Password, vault \"Infra-EU2\"",
            "su código de cliente es 40022917. Para crear su contraseña entre en el portal.",
            "Express service code: 17302964451\nBIOS password: not set",
            "gpg: using \"Y2V2WS02D3UPEK6O\" as default secret key for signing",
            "op read \"op://Infra/Postgres/password\" | docker secret create pg_pass -\nlbqk0fd2x3mz8n1v7yt5",
            "PIN Indian postal index: 560034 Koramangala, 110001 Connaught Place",
            "redis> GET otp:+4915170012933\n(nil)\n",
            "Senha: B073\nGuich\u{ea}: 4\nTempo de espera: 35 min\n",
            "id = \"https://kv-mail.vault.azure.net/secrets/smtp-password/9d1f70c2e84b4a6fb3507ce1d28a964e\"\n",
            "[user]\n\tname = Ann\n\tsigningkey = 0x9C3E5F71A2D8B604\n",
            "1718012385.1146 [0 10.0.2.9:51522] \"GET\" \"session:lock:1a3b118d79db3c0d\"\n",
            "Confirm that `invalid_api_key` errors stop in Grafana (dashboard `x5eomj3gx`).",
            "The docs mention a secret but I only see the client id qtctnzd8hdeyqevl7kkz.",
            "A GitLab access token was committed in f89c7ae13a6819f95b28146f611343c91aa32f98.",
            "arn:aws:secretsmanager:eu-central-1:553085339652:secret:prod/db/password-Q8wYnI\n",
            "msg=\"Stored new private key in temporary Secret resource \\\"id-tls-x8k2q\\\"\"",
            "TLSConnect=psk\nTLSPSKIdentity=PSK-web01\nTLSPSKFile=/etc/zabbix/psk\n",
            "headers={'Authorization': 'Bearer <redacted>', 'X-Request-ID': 'a39cb65dcfd696cdcc4141b619b36407'}",
            "- nothing to copy, comes from the secret store\n- session: 75131562-87b1-4e63-bddd-ffb07adbef3b, budget left: 46k\n",
            "Hotel Marisol\nC\u{f3}digo de confirmaci\u{f3}n de la agencia: BK-20914-33\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn more_than_a_name_is_a_secret() {
        let text = "APP_SECRET='user=ann;pw=Otter!Bridge5'\n";
        assert!(found(text).iter().any(|found| found.contains("Otter!Bridge5")), "{text}");
        let key = "3c:84:6a:12:f0:9e:01:7b:55:d2:90:ae:33:c1:08:7f";
        assert_eq!(found(&format!("network_key: {key}\n")), [key]);
    }
}
