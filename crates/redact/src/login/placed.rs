//! Calls of libraries that take a secret at a known place: `smtp.PlainAuth("", "ann", "X", host)`, `WiFi.begin("Nest",
//! "X")`, `AES_DECRYPT(card, 'X')`. To add one, add a row: the test makes an example of each.

use super::add;
use crate::quote;
use crate::span::Spans;
use crate::{chance, value};

/// What stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    /// A word that somebody may have chosen.
    Word,
    /// The same, where another literal may stand too: it must show itself.
    Shown,
    /// What a server made.
    Made,
}

/// Calls, which of their arguments it is, and what it looks like.
#[rustfmt::skip]
const CALLS: &[(&str, usize, Sort)] = &[
    ("plainauth(", 2, Sort::Word), ("crammd5auth(", 1, Sort::Word), ("imap_open(", 2, Sort::Word), ("ftp_login(", 2, Sort::Word),
    ("basicauthentication(", 1, Sort::Word), ("passwordauthentication(", 1, Sort::Shown),
    ("ssh2_auth_password(", 2, Sort::Word), ("userauth_password(", 1, Sort::Word), (".auth_password(", 1, Sort::Word), ("ldap_bind(", 2, Sort::Word),
    ("with_auth(", 1, Sort::Word), ("credentials.basic(", 1, Sort::Word), ("smtp.start(", 4, Sort::Word), ("ftp.open(", 2, Sort::Word),
    ("networkcredential]::new(", 1, Sort::Word), ("pscredential]::new(", 1, Sort::Word), ("wifi.begin(", 1, Sort::Word), ("wifi.softap(", 1, Sort::Word),
    ("wifimulti.addap(", 1, Sort::Word), ("newstaticv4(", 1, Sort::Word), ("newstaticv2(", 1, Sort::Word), ("minio(", 2, Sort::Word), ("x509certificate2(", 1, Sort::Word),
    (".mapnetworkdrive(", 4, Sort::Word), (".mapnetworkdrive ", 4, Sort::Word), ("load_key_and_certificates(", 1, Sort::Word), ("keyring.set_password(", 2, Sort::Word), ("aes_decrypt(", 1, Sort::Word), ("aes_encrypt(", 1, Sort::Word),
    ("pgp_sym_encrypt(", 1, Sort::Word), ("pgp_sym_decrypt(", 1, Sort::Word), ("encryptbypassphrase(", 0, Sort::Word), ("decryptbypassphrase(", 0, Sort::Word),
    ("openssl_encrypt(", 2, Sort::Word), ("openssl_decrypt(", 2, Sort::Word), ("aes.encrypt(", 1, Sort::Word), ("aes.decrypt(", 1, Sort::Word),
    ("createcipheriv(", 1, Sort::Word), ("createdecipheriv(", 1, Sort::Word), ("createcipher(", 1, Sort::Word), ("createdecipher(", 1, Sort::Word), ("aes.new(", 0, Sort::Word),
    ("signwith(", 1, Sort::Word), ("setsigningkey(", 0, Sort::Word), ("pbekeyspec(", 0, Sort::Word), ("openorcreatedatabase(", 1, Sort::Word), ("bind(\"cn=", 1, Sort::Word),
    ("bind(\"uid=", 1, Sort::Word), ("bind('cn=", 1, Sort::Word), ("bind('uid=", 1, Sort::Word), ("workbook.protect(", 0, Sort::Shown), ("sheet.protect(", 0, Sort::Shown),
    ("reader.decrypt(", 0, Sort::Shown), ("pdf.decrypt(", 0, Sort::Shown), ("writer.encrypt(", 0, Sort::Shown), ("pdf.encrypt(", 0, Sort::Shown),
    ("setvapiddetails(", 2, Sort::Made), ("vapiddetails(", 2, Sort::Made), ("pushservice(", 1, Sort::Made), ("vapidsignaturebuilder::from_base64(", 0, Sort::Made),
    ("vapid.from_string(", 0, Sort::Made), ("opentok(", 1, Sort::Made), ("apiconnect(", 1, Sort::Made), ("initclient(", 0, Sort::Made), ("streamchat(", 1, Sort::Made),
    ("newstaticcredentials(", 1, Sort::Made), ("newstaticcredentialsprovider(", 1, Sort::Made), ("iamauthenticator(", 0, Sort::Made), ("meilisearch(", 1, Sort::Made),
    ("blynk.begin(", 0, Sort::Made), ("dashboardapi(", 0, Sort::Made), ("fredr_set_key(", 0, Sort::Made),
    ("get_factory(", 0, Sort::Made), ("new accesstoken(", 1, Sort::Made), ("thingspeak.writefield(", 3, Sort::Made), ("thingspeak.writefields(", 1, Sort::Made),
    ("hashids(", 0, Sort::Word), ("cryptr(", 0, Sort::Word), ("secretbox(", 0, Sort::Made), ("sodium_crypto_secretbox(", 2, Sort::Made),
    ("aesgcm(", 0, Sort::Made), ("chacha20poly1305(", 0, Sort::Made), ("at+cwjap=", 1, Sort::Word), ("at+cwsap=", 1, Sort::Word),
    ("hash::make(", 0, Sort::Shown), ("bcrypt.hash(", 0, Sort::Shown), ("hashsync(", 0, Sort::Shown), ("password_hash(", 0, Sort::Shown), ("password_verify(", 0, Sort::Shown), ("check_password(", 0, Sort::Shown), ("bs58.decode(", 0, Sort::Made), ("tuyaopenapi(", 2, Sort::Made), ("getseed(", 0, Sort::Shown),
    ("braintreegateway(", 3, Sort::Made), ("database(", 2, Sort::Shown), ("unsafeplaintext(", 0, Sort::Word), ("basiccredentials.create(", 1, Sort::Made), ("awsbasiccredentials.create(", 1, Sort::Made), ("basic_authorize ", 1, Sort::Word), ("security.createuser(", 1, Sort::Word), ("remote(", 4, Sort::Shown),
    ("symmetrickey(", 0, Sort::Word), ("algoliasearch(", 1, Sort::Made), ("searchclient.create(", 1, Sort::Made), ("searchclient(", 1, Sort::Made),
    ("security_credentials, ", 0, Sort::Word), ("registerlicense(", 0, Sort::Made), ("setlicensekey(", 0, Sort::Made), ("setlicense(", 0, Sort::Made),
];
const REACH: usize = 240;

/// Every call, for the pass that finds them.
pub(crate) fn calls() -> impl Iterator<Item = &'static str> {
    CALLS.iter().map(|row| row.0)
}

/// A line for each row.
#[cfg(test)]
pub(crate) fn examples() -> impl Iterator<Item = String> {
    CALLS.iter().map(|(call, place, sort)| {
        let value = if *sort == Sort::Made { "K7QW2ZX9LPRT8YC1" } else { "Kd83mQpz-4" };
        let opened = call.split_once('(').is_some_and(|(_, rest)| !rest.is_empty());
        let sign = if call.contains('\'') { '\'' } else { '"' };
        let first = if opened { format!("ann{sign}, ") } else { "a, ".repeat(*place) };
        format!("x = {call}{first}{sign}{value}{sign}, z)")
    })
}

/// Looks at the arguments of the call that `row` names and that ends at `end`.
pub(crate) fn scan(text: &[u8], row: usize, at: usize, end: usize, spans: &mut Spans) {
    let (call, place, sort) = CALLS[row];
    let inside = call.starts_with('.')
        || !at.checked_sub(1).is_some_and(|at| text[at].is_ascii_alphanumeric() || text[at] == b'_');
    if !inside {
        return;
    }
    // Behind `bind("cn=` the first literal is open.
    let open = call.find('(').map_or(0, |open| call.len() - open - 1);
    let Some((start, stop)) = argument(text, end - open, place) else { return };
    let word = &text[start..stop];
    // `Using_this_key_…___e592ee76…`: words, and what is made of them.
    let signed = || {
        word.split_last_chunk::<32>().is_some_and(|(head, sum)| head.ends_with(b"_") && value::is_hex(sum))
    };
    let made = word.len() >= 16 && (chance::is_random(word) || value::is_hex(word) || signed());
    let good = match sort {
        // `new Hashids("rowan by the weir")`.
        Sort::Word => is_word(word) || is_words(word),
        Sort::Shown => is_word(word) && (value::is_chosen(word) || made),
        Sort::Made => made && !value::is_placeholder(word),
    };
    if good {
        add(text, start, stop, spans);
    }
}

/// A dot, a slash or a plus sign are signs like others here; a path and a host are none.
fn is_word(word: &[u8]) -> bool {
    let plain: Vec<u8> =
        word.iter().map(|&byte| if matches!(byte, b'.' | b'/' | b'=') { b'-' } else { byte }).collect();
    !value::is_path(word) && value::is_choosable(&plain)
}

/// `rowan by the weir`; no "type the wifi key here", which says what is to stand there.
fn is_words(word: &[u8]) -> bool {
    #[rustfmt::skip]
    const SAYING: [&[u8]; 34] = [
        b"my", b"your", b"some", b"this", b"that", b"here", b"key", b"keys", b"salt", b"value", b"text", b"string", b"phrase", b"message", b"data", b"pick",
        b"choose", b"type", b"enter", b"put", b"replace", b"use", b"insert", b"example", b"sample", b"hello", b"world", b"random", b"change", b"todo", b"one",
        b"long", b"good", b"real",
    ];
    let speaks = |part: &[u8]| SAYING.iter().any(|own| own.eq_ignore_ascii_case(part));
    word.contains(&b' ')
        && value::is_phrase(word)
        && !word.split(|byte| !byte.is_ascii_alphanumeric()).any(speaks)
}

/// The literal that is the argument at `place`, whatever makes bytes of it.
fn argument(text: &[u8], from: usize, place: usize) -> Option<(usize, usize)> {
    let limit = text.len().min(from + REACH);
    let (mut at, mut seen, mut deep, mut code) = (from, 0, 0_u32, 0);
    while at < limit {
        if let Some((quote, start)) = quote::open(text, at) {
            let stop = quote::close(text, start, quote)?;
            if seen == place {
                return (stop <= limit && (deep == 0 || makes_bytes(&text[from..at])))
                    .then_some((start, stop));
            }
            at = stop + quote.slashes + 1;
            continue;
        }
        match text[at] {
            b'(' | b'[' | b'{' => deep += 1,
            b')' | b']' | b'}' if deep == 0 => return None,
            b')' | b']' | b'}' => deep -= 1,
            b',' if deep == 0 => (seen, code) = (seen + 1, 0),
            b'\n' if seen == place && code > 0 => return None,
            byte => code += usize::from(byte.is_ascii_alphanumeric()),
        }
        // `key, "aes"`: what is made elsewhere is no literal.
        if seen > place || seen == place && code > 24 {
            return None;
        }
        at += 1;
    }
    crate::work::read(limit - from);
    None
}

/// `Buffer.from(`, `[]byte(`; what another call looks up is no secret itself.
fn makes_bytes(before: &[u8]) -> bool {
    #[rustfmt::skip]
    const MAKES: [&[u8]; 13] = [
        b"byte(", b"from(", b"bytes(", b"some(", b"parse(", b"encode(", b"securestring(", b"data(", b"fromhex(", b"hex2bin(", b"unhexlify(", b"b64decode(", b"base64encoded:",
    ];
    let before = before.trim_ascii_end();
    MAKES.iter().any(|make| crate::prose::ends_in(before.strip_suffix(b"b").unwrap_or(before), make))
}

#[cfg(test)]
mod tests {
    use crate::scan;
    use crate::testing::found;

    #[test]
    fn each_call_is_given_its_secret() {
        let open: Vec<String> = super::examples().filter(|text| scan(text).is_empty()).collect();
        assert!(open.is_empty(), "{open:#?}");
    }

    #[test]
    fn what_makes_bytes_of_it_stands_around() {
        let hex = "d1d16be03a8b453cb6a73bdb3ea10d20d1d16be03a8b453cb6a73bdb3ea10d21";
        let text = format!("crypto.createCipheriv(\"aes-256-cbc\", Buffer.from(\"{hex}\", \"hex\"), iv)");
        assert_eq!(found(&text), [hex]);
        for text in [
            "auth := smtp.PlainAuth(\"\", user(\"a\"), \"star.fighter\", host)",
            "AES.new(b\"star.fighter\", AES.MODE_CBC, iv)",
            "l.Bind(\"cn=admin,dc=x\", \"star.fighter\")",
            "SELECT AES_DECRYPT(card, 'star.fighter') FROM t;",
            "let key = SymmetricKey(data: Data(\"star.fighter\".utf8))",
            "$h = new Hashids\\Hashids('star.fighter', 8);",
        ] {
            assert_eq!(found(text), ["star.fighter"], "{text}");
        }
    }

    #[test]
    fn what_seals_is_made_of_a_text() {
        let hex = "d1d16be03a8b453cb6a73bdb3ea10d20d1d16be03a8b453cb6a73bdb3ea10d21";
        for text in [
            format!("nacl.secret.SecretBox(bytes.fromhex(\"{hex}\"))"),
            format!("sodium_crypto_secretbox($m, $n, hex2bin('{hex}'))"),
            format!("AESGCM(binascii.unhexlify(\"{hex}\"))"),
            format!("SymmetricKey(data: Data(base64Encoded: \"{hex}\")!)"),
        ] {
            assert_eq!(found(&text), [hex], "{text}");
        }
        for text in [
            format!("SecretBox(load(\"{hex}\"))"),
            format!("AESGCM(key).decrypt(nonce, \"{hex}\")"),
            "SecretBox(bytes.fromhex(\"00\"))".to_owned(),
            "Hash::make('password')".to_owned(),
            "bcrypt.hash(password, 12)".to_owned(),
            "password_hash($pw, 'sha256-crypt')".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(found("AT+CWJAP=\"Nest\",\"starfighter\""), ["starfighter"]);
    }

    #[test]
    fn words_may_stand_there() {
        assert_eq!(found("new Hashids('rowan by weir 7', 10)"), ["rowan by weir 7"]);
        assert_eq!(found("WiFi.begin(\"Nest\", \"otter på kettle\")"), ["otter på kettle"]);
        for text in [
            "new Hashids('this is my salt')",
            "new Hashids('')",
            "new Hashids('my salt value here')",
            "pgp_sym_encrypt('hello world', 'pick a good one')",
            "new Hashids(process.env.SALT, 'my long alphabet')",
            "SymmetricKey(size: .bits256)",
            "SymmetricKey(data: keychain.read(\"river.key-1\"))",
            "WiFi.begin(\"Nest\", \"enter your password\")",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_drive_may_be_given_no_password() {
        let call = "net.MapNetworkDrive \"Z:\", \"\\\\nas\\bkp\", False, \"nas\\ann\", \"star.fighter\"";
        assert_eq!(found(call), ["star.fighter"]);
        for text in [
            "net.MapNetworkDrive \"Z:\", \"\\\\nas\\bkp\", False, strUser, strPass",
            "net.MapNetworkDrive \"Z:\", \"\\\\nas\\heron.kettle\"",
            "net.MapNetworkDrive \"Z:\", \"\\\\nas\\bkp\", True, \"nas\\ann\", \"password\"",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_push_is_signed_over_several_lines() {
        let key = "qVLHCNAajRNS7GHLi7JdOtN8KCtFgeWyXAsiws2NowQ";
        let public =
            "BA5USz7pR-R1icSCi_uRGSwqWPLinnRc2TUVmg7cw6rnKRi5WF9HLwvHv--5FSoqHRzTB_TQDEe8zfav6eBwA9L";
        let text =
            format!("webpush.setVapidDetails(\n  'mailto:a@kontor.example',\n  '{public}',\n  '{key}',\n);");
        assert_eq!(found(&text), [key]);
        let text = format!("new VapidDetails(\"mailto:a@kontor.example\", \"{public}\", \"{key}\")");
        assert_eq!(found(&text), [key]);
        let text =
            format!("webpush.setVapidDetails('mailto:a@kontor.example', '{public}', process.env.VAPID_KEY)");
        assert_eq!(found(&text), Vec::<&str>::new());
    }

    #[test]
    fn what_stands_at_other_places_stays() {
        for text in [
            "smtp.PlainAuth(\"\", \"ann\", os.Getenv(\"SMTP_PW\"), host)",
            "createCipheriv('aes-256-cbc', key, iv)",
            "createCipheriv('aes-256-cbc', config.get('cipher.key-2'), iv)",
            "AES.encrypt(\"a message of many words\", key)",
            "aes_decrypt(data, @key)",
            "pdf.decrypt(\"\")",
            "sheet.protect(\"everything\")",
            "WiFi.begin(ssid, \"your_password\")",
            "openssl_encrypt($data, 'aes-256-cbc', $key, 0, 'initvector16byte')",
            "f.bind(this, \"cn-name-2024\")",
            "myaes.new(\"star.fighter\")",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
