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
        || is_of_paper(text, start, value)
        || is_on_receipt(text, start, value)
        || is_second_name(text, start, value)
        || is_of_time(text, start, value)
        || is_which(text, start, value)
        || text[..start].ends_with(b"PublicKey = ")
        || is_customer(text, start, value)
        || is_called_so(text, start, value)
        || is_user(text, start, value)
        || is_compared(text, start, value)
        || is_borrowed(text, start, value)
        || is_key_of_signer(text, start, end)
        || is_remark_on_column(text, start)
        || is_other_host(text, start, value)
        || is_id_of_made(text, start, value)
        || is_post_code(text, start, value)
        || is_key_of_store(text, start)
        || is_user_before_password(text, start, end)
        || is_of_booking(text, start, value)
        || is_attribute(text, start)
        || is_in_vault(text, start, value)
        || is_turn_in_queue(text, start, value)
        || is_key_of_commits(text, start, value)
        || is_test(text, start, end)
        || is_of_identity(text, start, value)
        || matches!(value, b"successfully" | b"successfully." | b"successful" | b"succeeded")
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

/// `gpg: using "Y2V2WS02D3UPEK6O" as default secret key`: by what a key is known.
fn is_key_of_signer(text: &[u8], start: usize, end: usize) -> bool {
    text[..start].ends_with(b"using \"") && text[end..].starts_with(b"\" as ")
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
        || ["request-id", "request_id", "correlation-id", "trace-id", "traceparent"].iter().any(|own| ends(own))
        // A session of agents.
        || value::is_uuid(value) && ends("- session")
}

/// `    --- PASS: TestKey/pkcs1 (0.02s)`, `PASS: river.exp⏎FAIL: stone.exp`: which test it was.
fn is_test(text: &[u8], start: usize, end: usize) -> bool {
    static OTHERS: Words<4> = Words::exact([b"\nFAIL: ", b"\nSKIP: ", b"\nXFAIL: ", b"\nERROR: "]);
    let Some(before) = text[..start].strip_suffix(b"PASS: ") else { return false };
    before.ends_with(b"--- ")
        || matches!(before.last(), None | Some(b'\n'))
            && (OTHERS.within(crate::search::behind(text, end, 256))
                || OTHERS.within(crate::search::before(text, start, 256)))
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

/// `Kennwort: liegt bei Frau Kramer, Raum 214`: where it is, in the words of a sentence.
fn is_said_elsewhere(text: &[u8], start: usize, value: &[u8]) -> bool {
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'' | b'`');
    let gap = memchr::memchr(b' ', &value[..value.len().min(12)]);
    // "ask Tom, it was X": and yet it is there.
    let told = || value.split(|&byte| byte == b' ').any(|word| word.len() >= 10 && chance::is_random(word));
    !quoted && gap.is_some_and(|gap| SEE.equals(&value[..gap])) && !told()
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
    static PLACES: Words<12> = Words::new([
        b"resource",
        b"vault", b"folder", b"ordner", b"dossier", b"carpeta", b"cartella", b"dashboard", b"panel", b"board", b"channel", b"playlist",
    ]);
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
    quote > 0 && PLACES.equals(word) && !value.iter().any(sign)
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

fn line_before(text: &[u8], start: usize, most: usize) -> &[u8] {
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
            "Heads-up: phishing, subject \"Your password expires today [Ref 88204417]\". Do not click.",
            "door code: see ticket 33064\n",
            "password reset, invoice: 40022917",
            "Password screen strings are in Lokalise project bb65fdca3db1429a; ping me",
            "KeyError 'password_confirm' in signup.py line 88, release portal@22c03fefd2a3",
            "password credential keyId dea4f287-afab-40d1-9d77-1fc6874959f0 (hint: none)",
            "password for the bastion is still in 1Password, vault \"Infra-EU2\"",
            "su código de cliente es 40022917. Para crear su contraseña entre en el portal.",
            "Express service code: 17302964451\nBIOS password: not set",
            "[[ \"$pass1\" == \"$pass2\" ]] || exit 1",
            "if [ \"$password\" != \"$password2\" ]; then",
            "box add user local, \"Added user `ann` successfully.\"",
            "fn hash_password(password: &SecretString, salt: &SaltString) -> Result<String, a::password_hash::Error> {",
            "gpg: using \"Y2V2WS02D3UPEK6O\" as default secret key for signing",
            "comment on column users.password_salt is 'removed in 2023, bcrypt keeps its own';",
            "Erlang cookie on heron2 was wrong, copied it from heron1:\n# cat x\n",
            "op read \"op://Infra/Postgres/password\" | docker secret create pg_pass -\nlbqk0fd2x3mz8n1v7yt5",
            "PIN Indian postal index: 560034 Koramangala, 110001 Connaught Place",
            "redis> GET otp:+4915170012933\n(nil)\n",
            "Der Zugang zur Box im Lager ist otter4410, Kennwort steht im Tresor",
            "Installed product key successfully.\nPartial Product Key: 8HVX7",
            "Senha: B073\nGuich\u{ea}: 4\nTempo de espera: 35 min\n",
            "\"Passwort\" im Kreuzwortr\u{e4}tsel: 7 Buchstaben, 14 waagerecht",
            "  match Argon2.verify ~encoded:hash ~pwd:pw ~kind:Argon2.ID with\n",
            "  - key: wifi_password\n    label: Wi-Fi password\n  - key: admin_pin\n    type: pin\n",
            "CrashReporter Key:   3a71e9d0c48f5b26e7d19840fb3c6a52d7e08f91",
            "security find-generic-password -s \"build\" -a \"ci@mac-02\"\n    \"acct\"<blob>=\"ci@mac-02\"\n",
            "id = \"https://kv-mail.vault.azure.net/secrets/smtp-password/9d1f70c2e84b4a6fb3507ce1d28a964e\"\n",
            "[user]\n\tname = Ann\n\tsigningkey = 0x9C3E5F71A2D8B604\n",
            "=== RUN   TestParsePrivateKey/otter1\n    --- PASS: TestParsePrivateKey/otter1 (0.02s)\n",
            "PASS: otter.base/river.exp: stone 12\nPASS: otter.base/river.exp\nFAIL: otter.base/r2.exp\n",
            "1718012385.1146 [0 10.0.2.9:51522] \"GET\" \"session:lock:1a3b118d79db3c0d\"\n",
            "kind: Secret\nmetadata:\n  name: otter-credentials\n  namespace: prod\n  uid: 836db367-4cc0-40ac-94e4-b2c011d6c368\n",
            "$ wg genkey | tee priv | wg pubkey\nPVxI88pZOoPUdLIAUjOFgpmqZREkER0CSl1kLwLzYO8=\n",
            "$ keepassxc-cli show -a UserName team.kdbx hosting/inwx\nyannick@grafnetz.be\n",
            "Confirm that `invalid_api_key` errors stop in Grafana (dashboard `x5eomj3gx`).",
            "The docs mention a secret but I only see the client id qtctnzd8hdeyqevl7kkz.",
            "{\"name\": \"SmtpPassword\", \"value\": \"@Microsoft.KeyVault(SecretUri=https://a.vault.azure.net/secrets/S/3920d04ba4b291cdcfa6e049328b857f)\"}",
            "A GitLab access token was committed in f89c7ae13a6819f95b28146f611343c91aa32f98.",
            "arn:aws:secretsmanager:eu-central-1:553085339652:secret:prod/db/password-Q8wYnI\n",
            "DATABRICKS_TOKEN=<unset>\nPOD_UID=293c914c-c02e-4c9a-a8d3-aba3cdc9f235\n",
            "$1 = {port = 443, cred = 0x558fc1ddb64d \"\", retries = 3}",
            "Guest:501:aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0:::\n",
            "msg=\"Stored new private key in temporary Secret resource \\\"id-tls-x8k2q\\\"\"",
            "| name | rotated by | interval |\n| db-password | terraform | 90 d |\n| webhook-signing-key | cron job | 30 d |\n",
            "\"| name | rotated by | interval |\\n| db-password | terraform | 90 d |\\n| smtp-relay | by hand | yearly |\"",
            "|      Name      |          Rotated           |\n+-----+------+\n|  prod/db-password   |  2025-01-03T02:11:40+01:00 |\n",
            "| Campo          | Tipo     | Obligatorio |\n|---|---|---|\n| contrase\u{f1}a     | texto    | s\u{ed} |\n",
            "$ sqlite3 app.db 'select count(*), sum(confirmed_at is null) from totp'\n3118|204\n",
            "Le site refuse mon nouveau mot de passe \u{ab} trop semblable \u{e0} l'ancien \u{bb}.",
            "TLSConnect=psk\nTLSPSKIdentity=PSK-web01\nTLSPSKFile=/etc/zabbix/psk\n",
            "headers={'Authorization': 'Bearer <redacted>', 'X-Request-ID': 'a39cb65dcfd696cdcc4141b619b36407'}",
            "- nothing to copy, comes from the secret store\n- session: 75131562-87b1-4e63-bddd-ffb07adbef3b, budget left: 46k\n",
            "$ kubectl -n ci get sa deployer -o jsonpath='{.metadata.uid}'\n0b63c8cb-8413-468e-98bf-c7f602bb06e3\n",
            "send: 'AUTH LOGIN c2l5ZXJAbm9ydGh3aW5kLmRl\\r\\n'\n",
            "smtp-password        True\nsftp-private-key     False\n",
            "Hotel Marisol\nC\u{f3}digo de confirmaci\u{f3}n de la agencia: BK-20914-33\n",
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
