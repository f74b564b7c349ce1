//! What people note for one another: passwords right behind their names, the guests' network.

use super::joint::{value_end, value_start};
use super::{Sort, accepts};
use crate::prose;
use crate::span::Spans;
use crate::value::{self, Traits};

/// `clé de signature HMAC X`, `clave AES X`: what a key is for, between.
fn for_what(rest: &[u8]) -> Option<&'static [u8]> {
    #[rustfmt::skip]
    const USES: [&str; 15] = [
        " de signature HMAC", " de signature", " de chiffrement", " HMAC", " AES", " API", " d'API", " d’API", " de firma", " de cifrado",
        " de assinatura", " de criptografia", " di firma", " di cifratura", " подписи",
    ];
    rest.starts_with(b" ")
        .then(|| USES.iter().map(|of| of.as_bytes()).find(|of| rest.starts_with(of)))
        .flatten()
}

/// The last words before a value, of one sentence.
fn names_network(before: &[u8]) -> bool {
    static NETWORKS: crate::search::Words<3> = crate::search::Words::new([b"wlan", b"wifi", b"wi-fi"]);
    NETWORKS.within(before.rsplit(|&byte| matches!(byte, b'.' | b',' | b'\n')).next().unwrap_or_default())
}

/// `WLAN-Schlüssel 5820194736251408`: as a router's label has it, sixteen digits or twenty.
fn is_on_label(text: &[u8], end: usize, word: &[u8]) -> bool {
    matches!(word.len(), 16 | 20)
        && word.iter().all(u8::is_ascii_digit)
        && names_network(&text[end.saturating_sub(24)..end])
        && !crate::placeholder::is_placeholder(word)
}

/// `пароль ogurchik2020`, `mot de passe Marseille13!`, `şifreniz Kadikoy.34!x`: the value stands right behind the
/// name, which may have an ending; nothing joins them, so it must show itself.
pub(super) fn adjacent(text: &[u8], sort: Sort, end: usize) -> Option<(usize, usize)> {
    let letters = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let ending = text[end..].iter().take(12).take_while(|byte| letters(byte)).count();
    let gap = end + ending;
    // `hasło wifi X`: of what, between.
    let rest = text.get(gap..)?;
    let of = [&b" wifi"[..], b" wi-fi", b" Wi-Fi", b" WLAN", b" wlan", b" WiFi"]
        .into_iter()
        .find(|of| rest.starts_with(of))
        .or_else(|| (sort == Sort::Key).then(|| for_what(rest)).flatten());
    let gap = gap + of.map_or(0, <[u8]>::len);
    let start = gap
        + text
            .get(gap..)?
            .iter()
            .take(16)
            .take_while(|byte| matches!(byte, b' ' | b'"' | b'`' | b'\''))
            .count();
    if start == gap {
        return None;
    }
    // `la contraseña <b>X</b>`.
    let tag = [&b"<b>"[..], b"<strong>", b"<code>", b"<kbd>", b"<tt>"]
        .into_iter()
        .find(|tag| text[start..].starts_with(tag));
    let start = start + tag.map_or(0, <[u8]>::len);
    let stop = value_end(text, start);
    let word = &text[start..stop];
    let digits = Traits::of(word).digits;
    let network = sort == Sort::Password
        && super::is_of_network(text, end.saturating_sub(8))
        && is_closed(text, stop, word);
    if network || sort == Sort::Password && is_on_label(text, end, word) {
        return Some((start, stop));
    }
    let dashed = word.split(|&byte| byte == b'-').filter(|part| part.len() >= 4).count();
    // `Wacholder.Drossel.Winter`.
    let titled = || {
        // `System.Security.Cryptography`: a library's.
        const LIBRARIES: [&[u8]; 4] = [b"System.", b"Microsoft.", b"Windows.", b"Android."];
        let library = LIBRARIES.iter().any(|own| word.starts_with(own));
        let parts = word.split(|&byte| byte == b'.');
        !library
            && parts.clone().count() >= 3
            && parts.clone().all(|part| {
                part.len() >= 4
                    && part[0].is_ascii_uppercase()
                    && part[1..].iter().all(u8::is_ascii_lowercase)
            })
    };
    // `Kennwort Otter!Mai – bitte gleich ändern`: what is said goes on behind a dash.
    let dash = [" – ", " — ", " - ", " ("].iter().any(|dash| text[stop..].starts_with(dash.as_bytes()));
    let ends =
        dash || matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'<' | b'\n' | b'\r'));
    let signed = word.len() >= 8
        && !matches!(word, [_, b'#', ..])
        && word[1..word.len() - 1]
            .iter()
            .any(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'+' | b'*' | b'?' | b'^' | b'~'));
    // `` identifiant `ann`, mot de passe `X` ``.
    let ticked = text[..start].ends_with(b" `") && text.get(stop) == Some(&b'`');
    let user = || {
        let line = crate::search::last_line(&text[end.saturating_sub(48)..end]);
        memchr::memmem::find(line, b"`, ").or_else(|| memchr::memmem::find(line, b"` / ")).is_some()
    };
    if ticked && sort == Sort::Password && user() && crate::value::is_choosable(word) {
        return Some((start, stop));
    }
    // `lösenordet Otter!Fredag och så vidare`: whatever follows.
    let made = signed && is_pair(word);
    if sort == Sort::Password
        && (made
            || ends
                && (titled()
                    || value::is_crafted(word)
                    || signed && accepts(sort, word) && value::is_chosen(word)))
    {
        return Some((start, stop));
    }
    let words = sort == Sort::Password
        && (dashed >= 3 && word.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-'));
    // `пароль Выдра_у_реки5`: what looks joined in Latin letters.
    let foreign = || word.contains(&b'_') && word.iter().filter(|byte| !byte.is_ascii()).count() >= 4;
    let shows = words
        || sort == Sort::Password && ends && digits > 0 && foreign()
        || of.is_some() && digits > 0 && word.len() >= 8
        || digits > 0 && (sort == Sort::Key || prose::looks_joined(word) || prose::looks_like_secret(word));
    (shows && accepts(sort, word)).then_some((start, stop))
}

/// `Otter!Fredag`: two words with capitals and a sign between.
fn is_pair(word: &[u8]) -> bool {
    let titled = |part: &[u8]| {
        part.len() >= 4 && part[0].is_ascii_uppercase() && part[1..].iter().all(u8::is_ascii_lowercase)
    };
    let mut parts = word.split(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'*' | b'^' | b'~'));
    parts.clone().count() == 2 && parts.all(titled)
}

/// In a note about a network one word of letters that ends what is said.
fn is_closed(text: &[u8], stop: usize, word: &[u8]) -> bool {
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r'));
    ends && word.len() >= 8
        && word.iter().all(u8::is_ascii_alphabetic)
        && value::is_choosable(word)
        && !is_state(word)
}

/// Words between a password and what it is of.
#[rustfmt::skip]
const OF: [&str; 26] = [
    "от", "до", "к", "на", "для", "do", "od", "k", "ke", "na", "du", "de", "del", "della", "da", "för", "till", "til", "van", "voor", "für", "vom", "zum", "zu", "for", "a",
];
/// Things whose names and numbers follow.
const NAMED: [&str; 8] = ["server", "host", "benutzer", "user", "usuario", "utente", "konto", "version"];

/// `пароль от админки Vareniki_55,`, `hasło do panelu X.`: behind what it is of, a word that shows itself ends what is
/// said.
pub(super) fn of_thing(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const MOST_WORDS: usize = 4;
    /// What may stand right before the value.
    const JOINTS: [&str; 8] = ["to", "je", "jest", "är", "er", "é", "è", "is"];
    let line = crate::search::line(text, end, 64);
    let mut words = line.strip_prefix(b" ")?.split(|&byte| byte == b' ').take(MOST_WORDS + 2);
    let of = words.next()?;
    OF.iter().find(|own| own.as_bytes() == of)?;
    let mut thing = words.next()?;
    for word in words {
        let start = crate::search::offset(text, word);
        let stop = value_end(text, start);
        let value = &text[start..stop];
        let lower = String::from_utf8_lossy(thing).to_lowercase();
        let joined = JOINTS.contains(&lower.as_str());
        let plain = lower.chars().all(|sign| sign.is_alphabetic() || matches!(sign, '-' | '.' | '@'));
        if !plain || NAMED.iter().any(|named| lower.contains(named)) {
            return None;
        }
        let traits = Traits::of(value);
        let shows = traits.digits > 0
            && (traits.symbols > 0
                || value.contains(&b'_') && traits.uppers > 0
                || traits.uppers > 0 && traits.lowers >= 3 && traits.digits >= 2);
        let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r'));
        let ends = ends || joined && text.get(stop) == Some(&b' ');
        let shows = shows || joined && (traits.symbols > 0 || value::is_crafted(value));
        if shows && ends && accepts(Sort::Password, value) && value::is_chosen(value) {
            return Some((start, stop));
        }
        thing = word;
    }
    None
}

/// `WIFI:T:WPA;S:Cafe;P:X;;` as in a printed square, `WiFi: NAME / X`, `Guest wifi (NAME) is X`.
pub(super) fn network(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    if called_before(text, at)
        && let Some(start) = value_start(text, at, end)
    {
        let stop = value_end(text, start);
        let word = &text[start..stop];
        let digits = word.iter().any(u8::is_ascii_digit);
        if word.len() >= 8 && digits && accepts(Sort::Network, word) {
            spans.add(start, stop, "password", false);
        }
        return;
    }
    let line = crate::search::line(text, end, 96);
    let (start, stop) = match [&b":T:"[..], b":S:"].iter().find(|code| line.starts_with(code)) {
        Some(_) => {
            let Some(key) = memchr::memmem::find(line, b";P:") else { return };
            (end + key + 3, end + key + 3 + squared(&line[key + 3..]))
        }
        None => match noted(line) {
            Some(at) => (end + at, value_end(text, end + at)),
            None => return,
        },
    };
    let word = &text[start..stop];
    // WPA takes eight characters and more.
    let square = line.starts_with(b":");
    let plain = word.iter().all(|byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'/' | b'(' | b')' | b'<')
            || square && (!byte.is_ascii() || *byte == b' ')
    });
    let lower = word.to_ascii_lowercase();
    let standard = [&b"wpa"[..], b"wep", b"802."].iter().any(|own| lower.starts_with(own));
    let ends =
        matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r' | b'"' | b'\\'));
    let shows = ends || !word.iter().all(u8::is_ascii_lowercase);
    let named = standard
        || !shows
        || [&b"wlan"[..], b"wifi", b"wi-fi"].iter().any(|own| crate::search::has(&lower, own));
    if word.len() >= 8
        && plain
        && !named
        && !value::is_placeholder(word)
        && !value::names_itself(word)
        && (line.starts_with(b":") || !prose::is_jargon(word))
    {
        spans.add(start, stop, "password", true);
    }
}

/// `X;H:false;;`: up to the sign that ends a field, which a `\` before it takes into the value.
fn squared(rest: &[u8]) -> usize {
    memchr::memchr_iter(b';', rest).find(|&at| !rest[..at].ends_with(b"\\")).unwrap_or(0)
}

/// Where the password begins on a line that goes on behind the word for the network.
fn noted(line: &[u8]) -> Option<usize> {
    // `: NAME / X`, ` "NAME" / "X"`.
    let named = line.starts_with(b": ") || line.starts_with(b" \"");
    // ` "NAME" with X`, ` "NAME": X`.
    let close = line.strip_prefix(b" \"").and_then(|line| memchr::memchr(b'"', line)).map(|close| close + 3);
    if let Some(close) = close {
        let behind = [&b" with "[..], b": ", b" - ", b" mit ", b" password ", b" pw "]
            .iter()
            .find(|joint| line[close..].starts_with(joint))
            .map(|joint| joint.len());
        if let Some(joint) = behind {
            return Some(close + joint);
        }
    }
    if let Some(start) = of_whom(line).or_else(|| lone(line)) {
        return Some(start);
    }
    // ` SeaView5G / X`.
    if let Some(slash) = memchr::memmem::find(line, b" / ").filter(|_| line.starts_with(b" ")) {
        let name = &line[1..slash.max(1)];
        let called = name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
            && name.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase());
        let word = &line[slash + 3..];
        let long = word.iter().take_while(|&&byte| byte != b' ').count();
        if called && long == word.trim_ascii_end().len() && value::is_choosable(&word[..long]) {
            return Some(slash + 3);
        }
    }
    if let Some(slash) = whose(line) {
        return Some(slash);
    }
    if named && let Some(slash) = memchr::memmem::find(line, b" / ") {
        let quote = usize::from(line.get(slash + 3) == Some(&b'"'));
        return Some(slash + 3 + quote);
    }
    if let Some(close) = line.starts_with(b" (").then(|| memchr::memchr(b')', line)).flatten() {
        let is = line[close + 1..].strip_prefix(b" is ").or_else(|| line[close + 1..].strip_prefix(b": "))?;
        return Some(line.len() - is.len());
    }
    keyed(line)
}

/// ` gäste: sonnenblume22`: at most a word for whose it is, and one that nothing is called.
fn lone(line: &[u8]) -> Option<usize> {
    const MAKERS: [&[u8]; 9] = [
        b"fritz",
        b"netgear",
        b"tplink",
        b"linksys",
        b"dlink",
        b"vodafone",
        b"telekom",
        b"speedport",
        b"guest",
    ];
    let colon = memchr::memmem::find(line, b": ")?;
    let whose = line[..colon].strip_prefix(b" ").unwrap_or(&line[..colon]);
    let word = line[colon + 2..].trim_ascii();
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let letters = &word[..word.len() - digits];
    let plain = |part: &[u8]| part.iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii());
    let said = whose.len() <= 12
        && plain(whose)
        && plain(letters)
        && letters.len() >= 6
        && (2..=4).contains(&digits);
    (said && !MAKERS.iter().any(|maker| letters.starts_with(maker))).then_some(colon + 2)
}

/// ` office "NAME": X`: whose network it is, in a word, what it is called, and behind a colon a word with a digit or a
/// sign.
fn of_whom(line: &[u8]) -> Option<usize> {
    let open = memchr::memmem::find(&line[..line.len().min(24)], b" \"").filter(|&open| open > 1)?;
    let word = line[..open].strip_prefix(b" ")?;
    let name = &line[open + 2..];
    let close = memchr::memchr(b'"', name)?;
    let said = name[close + 1..].strip_prefix(b": ")?;
    let long = said.iter().take_while(|&&byte| byte != b' ').count();
    let value = said[..long].strip_suffix(b".").unwrap_or(&said[..long]);
    let shows = value.iter().any(|byte| byte.is_ascii_digit() || b"!#$%&*+?^@".contains(byte));
    let shows = shows && !value.contains(&b'.');
    let plain = word.iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    (plain && shows && value::is_choosable(value) && (long == said.len() || said[long..].starts_with(b" (")))
        .then(|| line.len() - said.len())
}

/// ` guest: NAME / X`, ` Gäste: NAME / X`: whose network it is, in a word, and what nobody calls a thing but a network.
fn whose(line: &[u8]) -> Option<usize> {
    let colon = memchr::memmem::find(&line[..line.len().min(20)], b": ")?;
    let word = line[..colon].strip_prefix(b" ")?;
    let plain = word.iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let slash = memchr::memmem::find(line, b" / ").filter(|&slash| slash > colon + 2)?;
    let name = &line[colon + 2..slash];
    let called = name.iter().any(u8::is_ascii_uppercase)
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b' '));
    let said = &line[slash + 3..];
    let long = said.iter().take_while(|&&byte| byte != b' ').count();
    (plain && called && long == said.trim_ascii_end().len()).then_some(slash + 3)
}

/// `code wifi est X`: the word for its password stands before the network.
fn called_before(text: &[u8], at: usize) -> bool {
    const CALLS: [&str; 8] = ["code", "clé", "key", "clave", "senha", "chiave", "passe", "kod"];
    let before = String::from_utf8_lossy(&text[at.saturating_sub(16)..at]).to_lowercase();
    let last = before
        .split_whitespace()
        .rev()
        .find(|word| !matches!(*word, "du" | "del" | "do" | "de" | "le" | "der" | "the"));
    last.is_some_and(|word| CALLS.contains(&word))
}

/// States of a password, and what a page offers to do with it.
#[rustfmt::skip]
const STATES: [&str; 115] = [
    "locked", "malformed", "revoked", "synced", "unavailable", "masked", "allowed", "expired", "rotated", "deprecated", "mandatory", "obrigatório", "obrigatória", "gizli", "échec", "hatalı", "geçersiz", "erişilemiyor",
    "gewijzigd", "veranderd", "ingesteld", "hersteld", "verlopen", "aangemaakt", "réinitialisé", "modifié", "restablecida", "cambiada", "ändrat", "zmienione",
    "geslaagd", "mislukt", "gelukt", "bestanden", "fehlgeschlagen", "erfolgreich", "réussi", "échoué", "correcto", "fallido", "superato", "fallito",
    "zaliczone", "lyckades", "misslyckades", "godkänd", "passed", "failed",
    "unverändert", "unveraendert", "required", "optional", "missing", "unknown", "incorrect", "protected", "disabled", "changed", "forgotten", "invalid", "unchanged", "erforderlich",
    "unbekannt", "geändert", "vergessen", "obligatoire", "inconnu", "obligatoria", "desconocida", "obligatorio", "necessario", "verplicht", "gerekli", "wymagane",
    "vergessen?", "eingeben", "anzeigen", "ändern", "zurücksetzen", "pflichtfeld", "wiederholen", "bestätigen", "ausblenden", "abgelaufen", "ungültig", "falsch",
    "korrekt", "oublié", "oublié?", "modifier", "afficher", "incorrecto", "incorrecta", "olvidada", "olvidaste", "mostrar", "cambiar",
    "caducada", "errata", "dimenticata", "mostra", "esqueceu", "alterar", "vergeten", "vergeten?", "wijzigen", "tonen", "zapomniane", "pokaż",
    "nieprawidłowe", "забыли", "изменить", "показать", "неверный", "zmień",
];

/// Whether it is one of those.
pub(crate) fn is_state(word: &[u8]) -> bool {
    // Most words have a digit or a sign, and no state has one.
    let sign = |byte: u8| byte.is_ascii() && !byte.is_ascii_alphabetic() && byte != b'?';
    !word.iter().any(|&byte| sign(byte))
        && STATES.contains(&String::from_utf8_lossy(word).to_lowercase().as_str())
}

/// `-Passwort: X`, ` misafir şifresi: X`: the word for its password, a colon, and one word to the end of the line.
fn keyed(line: &[u8]) -> Option<usize> {
    let colon = memchr::memchr(b':', &line[..line.len().min(40)])?;
    let name = String::from_utf8_lossy(&line[..colon]).to_lowercase();
    let plain = name.chars().all(|sign| sign.is_alphabetic() || matches!(sign, ' ' | '-' | '\'' | '’'));
    let called = super::names::passwords().any(|word| word.len() >= 3 && name.contains(word))
        || name.trim_end().ends_with("key");
    let value = line[colon + 1..].trim_ascii();
    let word = value.len() >= 8 && !value.contains(&b' ') && !is_state(value);
    (plain && called && word).then(|| line.len() - line[colon + 1..].trim_ascii_start().len())
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_note_shows_its_value() {
        for (text, secret) in [
            ("Auf dem Aufkleber steht WLAN-Schlüssel 6632190847205316, Gerät 4.", "6632190847205316"),
            ("WLAN-Schlüssel 66321908472053168841", "66321908472053168841"),
            (
                "clé de signature HMAC 81fa2c90d1e4b5c6a7d881fa2c90d1e4, merci",
                "81fa2c90d1e4b5c6a7d881fa2c90d1e4",
            ),
            ("Das Postfach hat das Passwort Drossel.Amsel.Winter.", "Drossel.Amsel.Winter"),
            ("wifi Kontor, ww wafel!zonder!stroop.", "wafel!zonder!stroop"),
            ("Пароль от роутера Vareniki_5x, от камеры другой", "Vareniki_5x"),
            ("Der Einschreibeschlüssel Brechung9b gilt bis Mittwoch", "Brechung9b"),
            ("Wifi guest: Kontor-Gast / willkommen-am-teich", "willkommen-am-teich"),
            ("WLAN Gäste: Haus 3 / willkommen-am-teich\n", "willkommen-am-teich"),
            ("- wifi ufficio \"TEICH-UFF\": reiher1968teich\n", "reiher1968teich"),
            ("WLAN Büro \"Teich\": Reiher!teich (Aufkleber)\n", "Reiher!teich"),
            ("Benutzername ann, Kennwort Otter!Mai – bitte gleich ändern.", "Otter!Mai"),
            ("das Kennwort Zander!Teich (nur intern)", "Zander!Teich"),
            ("логин ann, пароль Выдра_у_реки5", "Выдра_у_реки5"),
            ("hytta: nøkkelboks 4471\n", "4471"),
            ("bruk engangskoden 482913 for å logge inn hos Otter.", "482913"),
            ("暗号化キーは w7kq2zx9lp4rt です。", "w7kq2zx9lp4rt"),
            ("WIFI:T:WPA;S:Kate am See;P:möwe-und-brötchen;;", "möwe-und-brötchen"),
            ("WIFI:T:WPA;S:Kate;P:drei Reiher 24;H:false;;", "drei Reiher 24"),
            ("WIFI:S:Kate;T:WPA;P:drei\\;Reiher24;;", "drei\\;Reiher24"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "WLAN-Schlüssel 0000000000000000",
            "WLAN-Schlüssel 663219084720",
            "Das WLAN lief. Der Kundenschlüssel 6632190847205316 gilt.",
            "WLAN-Adapter 6632190847205316",
            "Schlüssel 6632190847205316x",
            "clé de signature HMAC 256 bits",
            "clé AES 256, clave de firma RSA2048",
            "clé de signature de 2048 bits",
            "Das Passwort steht in Drossel.Amsel.Winter.",
            "Neues App-Passwort „Pixel8 Kontor“:\nBenutzer: nora\n",
            "Das Passwort System.Security.Cryptography.",
            "Passwort C#-Programm.",
            "Das Kennwort Groß/klein – beides zählt.",
            "Kennwort vergessen – bitte melden",
            "пароль Выдра_у_реки - это шутка",
            "пароль должен_быть_длинным",
            "暗号化キーは AES-256 です。",
            "nyckelskåp nr 12 i korridoren",
            "engangskoden er gyldig i 10 minutter",
            "Wifi guest: channel / band-at-five",
            "wifi network \"Teich\": connected\n",
            "wifi profile \"Teich\": 802.11ac\n",
            "Wi-Fi driver \"teich\": firmware-77.2\n",
            "WLAN Adapter \"Teich\": Treiber12.4 wurde geladen\n",
            "WLAN Gäste: an / aus-bis-montag",
            "see a.example, www.kontor5.example",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
