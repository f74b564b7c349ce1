//! Names as people say them, in many languages: `Das Passwort lautet …`, `Mot de passe : …`, `密码是 …`,
//! `your verification code is …`.
//!
//! Behind such a name a few words may follow, then a sign or a word that joins (`:`, `=`, `est`, `是`), then the
//! value. The value must show itself, since the same words stand in every form and help page.

mod notes;

use crate::chance;
use crate::prose;
use crate::span::Spans;
use crate::value::{self, Traits};

/// What a spoken name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Password,
    Key,
    Code,
    /// A code of digits whose name is one word: `PIN 8340`.
    Pin,
    /// `WiFi: NAME / X`, `Guest wifi (NAME) is X`.
    Network,
    /// What only the account's owner knows: the rest of the line.
    Answer,
}

/// Each name; small and capital letters beyond ASCII are spelt out.
#[rustfmt::skip]
pub(crate) const NAMES: &[(Sort, &[&str])] = &[
    (Sort::Password, &[
        "passwort", "kennwort", "zugangsdaten", "anmeldedaten", "mot de passe", "mdp", "identifiants", "contraseña",
        "contrasena", "credenciales", "clave", "senha", "palavra-passe", "parola", "wachtwoord", "lösenord", "adgangskode",
        "passord", "salasana", "hasło", "heslo", "jelszó", "lozinka", "geslo", "şifre", "Şifre", "sifre", "kata sandi",
        "mật khẩu", "пароль", "Пароль", "пароля", "кодовое слово", "κωδικός", "סיסמה", "كلمة المرور", "पासवर्ड", "รหัสผ่าน",
        "密码", "密碼", "口令", "パスワード", "合言葉", "비밀번호", "암호", "passphrase", "reset it to", "changed it to",
        "set it to", "try again with", "try it with",
    ]),
    (Sort::Key, &[
        "schlüssel", "clé", "Clé", "llave", "chave", "chiave", "sleutel", "nyckel", "klucz", "ключ", "Ключ", "токен", "Токен",
        "jeton", "密钥", "密鑰", "令牌", "APIキー", "トークン", "시크릿", "토큰", "API 키", "clave secreta", "秘钥",
    ]),
    (Sort::Code, &[
        "verification code", "one-time code", "one time code", "security code", "access code", "door code", "alarm code",
        "login code", "sign-in code", "2fa code", "confirmation code", "gate code", "entry code", "sms code", "unlock code",
        "authentication code", "your code", "your pin", "my pin", "the pin", "pin is", "pin for", "pin für", "pin fur", "otp is",
        "zugangscode", "türcode", "sicherheitscode", "bestätigungscode", "code d'accès", "code d’accès", "code secret",
        "code de vérification", "código de verificación", "código de acceso", "código de acesso", "codice di accesso",
        "codice di verifica", "verificatiecode", "toegangscode", "код подтверждения", "код доступа", "验证码", "驗證碼",
        "確認コード", "認証コード", "暗証番号", "인증번호", "인증 코드", "combination", "duress code", "guard code", "code is",
        "kapı kodu", "código da porta", "código de la puerta", "código do portão", "code de l'immeuble", "code de l’immeuble",
        "code de la porte", "code du portail", "codice del portone", "codice della porta", "codice del cancello", "haustürcode",
        "torcode", "deurcode", "koden till", "koden til", "код домофона", "Код домофона", "код от домофона", "kod do drzwi",
        "kod do bramy", "kod do domofonu", "kód k bráně", "ovikoodi", "kapukód", "κωδικός πόρτας", "alarmanlage", "key safe",
        "key box", "lockbox", "bitlocker", "alarm panel",
    ]),
    (Sort::Pin, &["pin", "puk", "pinkod", "pin-kod", "pin code", "pin-code", "pincode", "pin-koodi", "пин-код", "ПИН-код", "пин", "ПИН"]),
    (Sort::Network, &["wifi", "wi-fi", "wlan", "вайфай", "вай-фай", "Wi-Fi"]),
    (Sort::Answer, &[
        "mother's maiden name", "mother’s maiden name", "maiden name", "first pet", "name of your pet", "street you grew up on",
        "city were you born", "first school", "first car", "favorite teacher", "favourite teacher", "security answer",
    ]),
];

/// Signs and words that join a name and its value, between blanks where they are letters.
#[rustfmt::skip]
const JOINTS: &[&str] = &[
    ":", "：", "=", "→", "->", " is ", " was ", " to ", " with ", " ist ", " lautet ", " est ", " es ", " é ", " è ", " är ",
    " er ", " on ", " je ", " jest ", " to jest ", " it's ", " it’s ", " c'est ", " c’est ", " = ", " — ", " – ", "是", "为", "為", "は", "는", "은",
];
/// Those that stand at the end of a name already.
const JOINED: [&str; 5] = [" it to", "again with", "it with", "pin is", "otp is"];

const REACH: usize = 64;
const LONGEST: usize = 128;

/// Looks for the value of the spoken name `at..end`.
pub(crate) fn scan(text: &[u8], sort: Sort, at: usize, end: usize, spans: &mut Spans) {
    if !stands_alone(text, at, end) {
        return;
    }
    if sort == Sort::Code && before(text, at, spans) {
        return;
    }
    match sort {
        Sort::Pin => return notes::pin(text, at, end, spans),
        Sort::Network => return notes::network(text, end, spans),
        Sort::Answer => return notes::answer(text, end, spans),
        Sort::Password | Sort::Key => {
            if let Some((start, stop)) = notes::adjacent(text, sort, end) {
                return spans.add(start, stop, kind(sort), false);
            }
        }
        Sort::Code if is_technical(text, at) => return,
        Sort::Code => {
            notes::list(text, end, spans);
            if let Some((start, stop)) = notes::near(text, end) {
                return spans.add(start, stop, kind(sort), false);
            }
        }
    }
    if sort == Sort::Password && notes::changed(text, end, spans) {
        return;
    }
    let Some(start) = value_start(text, at, end) else { return };
    let stop = value_end(text, start);
    let stop = if sort == Sort::Code { pair_end(text, start, stop) } else { stop };
    let (start, stop) = second(text, sort, start, stop).unwrap_or((start, stop));
    if accepts(sort, &text[start..stop]) {
        spans.add(start, stop, kind(sort), false);
    }
}

/// Whether the name is no part of another word; `Testpasswort` is a password too, `enclave` no `clave`.
fn stands_alone(text: &[u8], at: usize, end: usize) -> bool {
    let letter = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let ascii = text[at..end].is_ascii();
    let left = letter(at.checked_sub(1).and_then(|at| text.get(at)));
    let right = letter(text.get(end)) && text[end - 1].is_ascii();
    !(right || left && ascii && (end - at < 8 || text[at..end].contains(&b' ')))
}

fn kind(sort: Sort) -> &'static str {
    match sort {
        Sort::Password | Sort::Network => "password",
        Sort::Key => "api_key",
        Sort::Code | Sort::Pin | Sort::Answer => "recovery_code",
    }
}

/// `error code is 5003`: a code that opens nothing.
#[rustfmt::skip]
const TECHNICAL: &[&str] = &[
    "error", "status", "exit", "return", "response", "area", "zip", "postal", "country", "http", "source", "product", "item", "sort",
    "qr", "bar", "dress", "language", "currency", "promo", "discount", "coupon", "reason", "result", "op", "char", "key", "event",
    "airport", "dialing", "dial", "this", "the", "machine", "byte", "unicode", "branch", "bank", "color", "colour", "clean",
];

fn is_technical(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(16)..at].trim_ascii_end();
    let word =
        before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default().to_ascii_lowercase();
    TECHNICAL.iter().any(|technical| technical.as_bytes() == word)
}

/// Whether a name ends in what joins it to its value.
pub(crate) fn is_joined(name: &str) -> bool {
    JOINED.iter().any(|joint| name.to_ascii_lowercase().ends_with(joint))
}

/// Behind the first joint on the line, if only words stand before it.
fn value_start(text: &[u8], at: usize, end: usize) -> Option<usize> {
    let window = &text[end..text.len().min(end + REACH)];
    let mut from = 0;
    let joined = std::str::from_utf8(&text[at..end]).is_ok_and(is_joined);
    if !joined {
        let joint = (0..window.len()).find_map(|at| {
            let rest = &window[at..];
            if rest[0].is_ascii_alphanumeric() {
                return None;
            }
            JOINTS.iter().find(|joint| rest.starts_with(joint.as_bytes())).map(|joint| at + joint.len())
        })?;
        let between = &window[..joint];
        if between
            .iter()
            .any(|byte| matches!(byte, b'\n' | b'?' | b'!' | b'.' | b'(' | b'{' | b'<' | b'/' | b';'))
        {
            return None;
        }
        from = joint;
    }
    let dressing = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b'`' | b'*');
    let opened = |rest: &[u8]| {
        ["「", "“", "«", "„", "『", "\u{a0}"]
            .iter()
            .find(|sign| rest.starts_with(sign.as_bytes()))
            .map(|sign| sign.len())
    };
    while from < window.len() {
        match opened(&window[from..]) {
            Some(long) => from += long,
            None if dressing(&window[from]) => from += 1,
            None => break,
        }
    }
    Some(end + from)
}

/// Up to a blank, a quote, or a sign of another script; without the sentence's own punctuation.
fn value_end(text: &[u8], start: usize) -> usize {
    let window = &text[start.min(text.len())..text.len().min(start + LONGEST)];
    // From E2 on begin the letters and signs of the scripts that are written without blanks.
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'`' | b'<' | b'>' | b'\\' | 0xE2..);
    let long = window.iter().position(ends).unwrap_or(window.len());
    let tail = window[..long]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b':' | b')' | b'\'' | b'?' | b'*'))
        .count();
    start + long - tail
}

/// `admin / X`: the user stands first.
fn second(text: &[u8], sort: Sort, start: usize, stop: usize) -> Option<(usize, usize)> {
    if sort != Sort::Password || accepts(sort, &text[start..stop]) {
        return None;
    }
    let rest = text.get(stop..)?;
    let gap = [&b" / "[..], b" : ", b", ", b" - "].iter().find(|gap| rest.starts_with(gap))?.len();
    Some((stop + gap, value_end(text, stop + gap)))
}

/// `771 204`: the other half of a code.
fn pair_end(text: &[u8], start: usize, stop: usize) -> usize {
    let digits = |from: usize| {
        text.get(from..)
            .map_or(0, |rest| rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count())
    };
    let first = digits(start);
    let paired =
        first >= 3 && start + first == stop && text.get(stop) == Some(&b' ') && digits(stop + 1) == first;
    if paired { stop + 1 + first } else { stop }
}

/// "Use 771 204 as your one-time code", "482913 is your verification code".
fn before(text: &[u8], at: usize, spans: &mut Spans) -> bool {
    let from = at.saturating_sub(40);
    let window = &text[from..at];
    let line = memchr::memrchr(b'\n', window).map_or(window, |line| &window[line + 1..]);
    let Some(verb) = [&b" as your "[..], b" is your ", b" as the ", b" is the "]
        .iter()
        .find_map(|verb| memchr::memmem::rfind(line, verb))
    else {
        return false;
    };
    let stop = at - line.len() + verb;
    let long = text[..stop]
        .iter()
        .rev()
        .take(24)
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b' ' | b'-'))
        .count();
    let head = text[stop - long..stop].iter().take_while(|byte| !byte.is_ascii_digit()).count();
    let start = stop - long + head;
    let found = start < stop && accepts(Sort::Code, &text[start..stop]);
    if found {
        spans.add(start, stop, kind(Sort::Code), false);
    }
    found
}

fn accepts(sort: Sort, word: &[u8]) -> bool {
    if word.len() < 4
        || value::is_placeholder(word)
        || value::is_reference(word)
        || crate::search::has(word, b"[REDACTED")
    {
        return false;
    }
    let traits = Traits::of(word);
    let foreign = word.iter().filter(|byte| !byte.is_ascii()).count();
    match sort {
        Sort::Password => {
            let syntax =
                word.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[' | b'=' | b'/' | b'<' | b'|'));
            word.len() >= 6
                && !syntax
                && !is_code_name(word)
                && !prose::is_jargon(word)
                && (prose::looks_like_secret(word)
                    || prose::looks_joined(word)
                    || traits.digits > 0 && traits.letters + foreign >= 3)
        }
        Sort::Key => {
            word.len() >= 12
                && traits.digits >= 2
                && (chance::is_random(word) || value::is_hex(word) && word.len() >= 16)
        }
        Sort::Code | Sort::Pin => is_code(word, &traits),
        Sort::Network | Sort::Answer => false,
    }
}

/// `user_id2`, `field1`: an identifier, not a password.
fn is_code_name(word: &[u8]) -> bool {
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner = word.iter().filter(|byte| byte.is_ascii_digit()).count() > ending;
    let case = |letter: fn(&u8) -> bool| {
        word.iter().all(|byte| letter(byte) || byte.is_ascii_digit() || *byte == b'_')
    };
    // `betisbalompie1907` is a word and a year: nobody numbers fields so.
    let dated = ending >= 2 && word.len() >= 8 && !word.contains(&b'_');
    !inner && !dated && case(u8::is_ascii_lowercase)
        || case(u8::is_ascii_uppercase)
        || crate::search::has(word, b"::")
}

/// `482913`, `771 204`, `9274#`, `88213-QT`; no year.
fn is_code(word: &[u8], traits: &Traits) -> bool {
    let plain = word.iter().all(|byte| {
        byte.is_ascii_digit() || byte.is_ascii_uppercase() || matches!(byte, b' ' | b'-' | b'#' | b'*')
    });
    // `12-18` is from where to where.
    let range = word.len() <= 5 && word.contains(&b'-');
    let year = range || word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    // A volume's recovery key: eight times six digits.
    if word.len() == 55
        && word
            .split(|&byte| byte == b'-')
            .all(|group| group.len() == 6 && group.iter().all(u8::is_ascii_digit))
    {
        return true;
    }
    plain && !year && (4..=12).contains(&word.len()) && traits.digits >= 3 && traits.digits * 2 >= word.len()
}
