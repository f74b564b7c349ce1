//! What people note for one another: PINs, door codes, the guests' network, answers to security questions.

use super::{Sort, accepts, changed, is_code, value_end, value_start};
use crate::prose;
use crate::span::Spans;
use crate::value::{self, Traits};

/// `пароль ogurchik2020`, `mot de passe Marseille13!`, `şifreniz Kadikoy.34!x`: the value stands right behind the
/// name, which may have an ending; nothing joins them, so it must show itself.
pub(super) fn adjacent(text: &[u8], sort: Sort, end: usize) -> Option<(usize, usize)> {
    let letters = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let ending = text[end..].iter().take(12).take_while(|byte| letters(byte)).count();
    let gap = end + ending;
    let start = gap
        + text
            .get(gap..)?
            .iter()
            .take(4)
            .take_while(|byte| matches!(byte, b' ' | b'"' | b'`' | b'\''))
            .count();
    if start == gap {
        return None;
    }
    let stop = value_end(text, start);
    let word = &text[start..stop];
    let digits = Traits::of(word).digits;
    let shows =
        digits > 0 && (sort == Sort::Key || prose::looks_joined(word) || prose::looks_like_secret(word));
    (shows && accepts(sort, word)).then_some((start, stop))
}

/// `Türcode Hintereingang 1938*`, `combination 24-7-31`, `Код домофона 38К1207`: at most one word stands between.
pub(super) fn near(text: &[u8], most: usize, end: usize) -> Option<(usize, usize)> {
    let mut start = end;
    for _ in 0..=most {
        start += text.get(start..)?.iter().take(3).take_while(|byte| matches!(byte, b' ' | b':')).count();
        let stop = value_end(text, start);
        let word = &text[start..stop];
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        let plain = word
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'*' | b'-') || !byte.is_ascii());
        // `12-18` is from where to where.
        let dashes = word.iter().filter(|&&byte| byte == b'-').count();
        let range = word.len() <= 5 && dashes > 0 || word.len() == 10 && dashes == 2;
        if start > end && plain && !range && digits >= 4 && word.len() <= 12 {
            return Some((start, stop));
        }
        if word.iter().any(u8::is_ascii_digit) || word.is_empty() {
            return None;
        }
        start = stop;
    }
    None
}

/// `PIN 8340`, `PUK: 35014081`, `PIN do sejfu: 70316`, `PINは8340`; `pin 13` is one of a chip's.
pub(super) fn pin(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let capitals = text[at].is_ascii_uppercase() || !text[at].is_ascii();
    if changed::scan(text, end, changed::Old::Digits, spans) {
        return;
    }
    if !text[at].is_ascii()
        && let Some((start, stop)) = near(text, 2, end)
    {
        return spans.add(start, stop, "recovery_code", false);
    }
    let near = end + text[end..].iter().take(3).take_while(|byte| matches!(byte, b' ' | b'#' | b'"')).count();
    let start = if capitals && text.get(near).is_some_and(u8::is_ascii_digit) {
        near
    } else {
        match value_start(text, at, end) {
            Some(start) => start,
            None => return,
        }
    };
    let long = text[start..].iter().take(13).take_while(|byte| byte.is_ascii_digit()).count();
    let goes_on = text.get(start + long).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    if (4..=12).contains(&long) && !goes_on {
        spans.add(start, start + long, "recovery_code", false);
    }
}

/// Codes in a list below their heading: `**Door codes (Q3)**⏎- Front entrance: 4471#⏎- Server room: C90825`.
pub(super) fn list(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let window = &text[end..text.len().min(end + 640)];
    let Some(first) = memchr::memchr(b'\n', &window[..window.len().min(40)]) else { return };
    let heading = window[..first].trim_ascii();
    let ends = heading.is_empty() || matches!(heading.last(), Some(b':' | b')' | b'*' | b'#'));
    if !text[..end].ends_with(b"s") || !ends {
        return;
    }
    let mut at = first + 1;
    for line in window[at..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        let trimmed = line.trim_ascii_start();
        if !trimmed.starts_with(b"-") && !trimmed.starts_with(b"*") && !trimmed.is_empty() {
            return;
        }
        if let Some(colon) = memchr::memrchr(b':', line) {
            let start =
                end + at + colon + 1 + line[colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
            let stop = value_end(text, start).min(end + at + line.len());
            if start < stop && is_code(&text[start..stop], &Traits::of(&text[start..stop])) {
                spans.add(start, stop, "recovery_code", false);
            }
        }
        at += line.len() + 1;
    }
}

/// `WIFI:T:WPA;S:Cafe;P:X;;` as in a printed square, `WiFi: NAME / X`, `Guest wifi (NAME) is X`.
pub(super) fn network(text: &[u8], end: usize, spans: &mut Spans) {
    let window = &text[end..text.len().min(end + 96)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(line.len());
    let (start, stop) = match [&b":T:"[..], b":S:"].iter().find(|code| line.starts_with(code)) {
        Some(_) => {
            let Some(key) = memchr::memmem::find(line, b";P:") else { return };
            let long = line[key + 3..].iter().position(|&byte| byte == b';').unwrap_or(0);
            (end + key + 3, end + key + 3 + long)
        }
        None => match noted(line) {
            Some(at) => (end + at, value_end(text, end + at)),
            None => return,
        },
    };
    let word = &text[start..stop];
    // WPA takes eight characters and more.
    let plain = word.iter().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'/' | b'(' | b')' | b'<'));
    if word.len() >= 8 && plain && !value::is_placeholder(word) && !prose::is_jargon(word) {
        spans.add(start, stop, "password", true);
    }
}

/// Where the password begins on a line that goes on behind the word for the network.
fn noted(line: &[u8]) -> Option<usize> {
    // `: NAME / X`, ` "NAME" / "X"`.
    let named = line.starts_with(b": ") || line.starts_with(b" \"");
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

/// `-Passwort: X`, ` misafir şifresi: X`: the word for its password, a colon, and one word to the end of the line.
fn keyed(line: &[u8]) -> Option<usize> {
    const STATES: [&str; 24] = [
        "required",
        "optional",
        "missing",
        "unknown",
        "incorrect",
        "protected",
        "disabled",
        "changed",
        "forgotten",
        "invalid",
        "unchanged",
        "erforderlich",
        "unbekannt",
        "geändert",
        "vergessen",
        "obligatoire",
        "inconnu",
        "obligatoria",
        "desconocida",
        "obligatorio",
        "necessario",
        "verplicht",
        "gerekli",
        "wymagane",
    ];
    let colon = memchr::memchr(b':', &line[..line.len().min(40)])?;
    let name = String::from_utf8_lossy(&line[..colon]).to_lowercase();
    let plain = name.chars().all(|sign| sign.is_alphabetic() || matches!(sign, ' ' | '-' | '\'' | '’'));
    let called = super::names::passwords().any(|word| word.len() >= 3 && name.contains(word))
        || name.trim_end().ends_with("key");
    let value = line[colon + 1..].trim_ascii();
    let lower = String::from_utf8_lossy(value).to_lowercase();
    let word = value.len() >= 8 && !value.contains(&b' ') && !STATES.contains(&lower.as_str());
    (plain && called && word).then(|| line.len() - line[colon + 1..].trim_ascii_start().len())
}

/// What codes open; a language is a row.
#[rustfmt::skip]
const THINGS: &[&[&str]] = &[
    &["door", "gate", "alarm", "front entrance", "garage", "strongbox", "the safe", "elevator", "shed", "keypad", "cabinet"],
    &["tür", "schloss", "tresor", "eingang", "keller", "schuppen"],
    &["porte", "portail", "alarme", "coffre", "immeuble", "entrée", "cadenas", "ascenseur"],
    &["puerta", "portón", "caja fuerte", "edificio", "entrada", "candado", "garaje"],
    &["porta", "portão", "cofre", "prédio", "cadeado", "portaria"],
    &["portone", "cancello", "cassaforte", "allarme", "ingresso", "lucchetto"],
    &["deur", "poort", "kluis", "voordeur", "kelder"],
    &["dörr", "larm", "förråd", "kassaskåp", "dør", "skab"],
    &["ovi", "hälytys", "kassakaappi"],
    &["drzwi", "bram", "domofon", "sejf", "klatk", "furtk"],
    &["dveř", "brán", "vchod", "trezor", "ajtó", "kapu", "kapı", "kilit"],
    &["двер", "домофон", "ворот", "сейф", "подъезд", "калитк"],
    &["πόρτα", "χρηματοκιβώτιο", "门", "門", "金庫", "보험", "현관", "ドア", "玄関"],
];

/// `Le code de la porte est 8841`, `koden till förrådet är 3316`, `Ofis kapı kodu: 5518`: a code, what it opens, and
/// digits that end what is said.
pub(super) fn entry(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    if super::is_technical(text, at, end) && !text[..at].ends_with(b"the ") && !text[..at].ends_with(b"The ")
    {
        return;
    }
    let window = &text[end..text.len().min(end + 64)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(line.len());
    let Some(digit) = line.iter().position(u8::is_ascii_digit) else { return };
    let start = end + digit;
    let stop = value_end(text, start);
    let word = &text[start..stop];
    let joined = is_joined(&line[..digit]) || is_thing(line[..digit].trim_ascii());
    let ends = !text.get(stop).is_some_and(|byte| byte.is_ascii_alphanumeric());
    let shape = word.len() >= 4
        && word.len() <= 10
        && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 4
        && word.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'*') || !byte.is_ascii());
    let year = word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    if !joined || !ends || !shape || year || text[start.saturating_sub(1)].is_ascii_alphanumeric() {
        return;
    }
    let from = end.saturating_sub(32);
    let around = String::from_utf8_lossy(&text[from..start]).to_lowercase();
    crate::work::read(2 * around.len());
    if THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(&around, thing)) {
        spans.add(start, stop, "recovery_code", false);
    }
}

/// `Код домофона 38К1207`: only what it opens stands between.
fn is_thing(between: &[u8]) -> bool {
    let text = String::from_utf8_lossy(between).to_lowercase();
    !text.contains(|sign: char| !sign.is_alphabetic())
        && THINGS.iter().flat_map(|row| row.iter()).any(|thing| text.starts_with(thing))
}

/// Whether a sign or a verb ends `before`, and no sentence ended on the way.
fn is_joined(before: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(before) else { return false };
    let text = text.trim_end_matches([' ', '"', '`', '*', '\u{a0}']);
    let text = [" le", " het", " el", " il", " o"]
        .iter()
        .find_map(|article| text.strip_suffix(article))
        .unwrap_or(text);
    !text.contains(['.', '!', '?', ';', '{', '<', ','])
        && (super::SIGNS.iter().any(|sign| text.ends_with(sign.trim()))
            || super::VERBS.iter().any(|verb| text.ends_with(verb.trim_end())))
}

/// Whether a word is called so, but for its ending; a long one may stand in another: `Haustür`.
fn has_word(around: &str, thing: &str) -> bool {
    const LONGEST_ENDING: usize = 2;
    around.match_indices(thing).any(|(at, _)| {
        let inside = around[..at].ends_with(char::is_alphabetic);
        let ending = around[at + thing.len()..].chars().take_while(|sign| sign.is_alphabetic()).count();
        thing.chars().count() >= 5 || !thing.is_ascii() || !inside && ending <= LONGEST_ENDING
    })
}

/// `448470-221452-…`: eight times six digits within two lines of the word for such a key.
pub(super) fn volume(text: &[u8], end: usize, spans: &mut Spans) {
    const LONG: usize = 55;
    let window = &text[end..text.len().min(end + 160)];
    let key = |dash: usize| {
        let start = end + dash.checked_sub(6)?;
        let word = text.get(start..start + LONG)?;
        is_code(word, &Traits::of(word)).then_some(start)
    };
    if let Some(start) = memchr::memchr_iter(b'-', window).take(8).find_map(key) {
        spans.add(start, start + LONG, "recovery_code", false);
    }
}

/// `Serial: 8XK2-PPLM-44TR-XC81 (3 seats)`: groups, as vendors print them.
pub(super) fn serial(text: &[u8], end: usize, spans: &mut Spans) {
    let window = &text[end..text.len().min(end + 64)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let words = line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
    for word in words.filter(|word| crate::chance::is_product_key(word)) {
        let start = word.as_ptr() as usize - text.as_ptr() as usize;
        spans.add(start, start + word.len(), "license_key", false);
    }
}
