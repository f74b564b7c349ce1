//! Codes of what people open: doors, lockers, safes, gates; a language is a row.

use super::about::{is_swedish, technical_before};
use super::codes::is_entry_code;
use super::joint::{SIGNS, VERBS, value_end};
use super::later::is_measured;
use crate::prose;
use crate::span::Spans;

/// What codes open; a language is a row.
#[rustfmt::skip]
pub(super) const THINGS: &[&[&str]] = &[
    &["service menu", "service-menü", "servicemenü", "menu avanzato", "menu servizio", "menú de servicio", "menu technique", "menu serwisowe"],
    &["door", "gate", "alarm", "locker", "lockbox", "key box", "key safe", "padlock", "bike shed", "front entrance", "garage", "strongbox", "the safe", "elevator", "shed", "keypad", "cabinet", "lock", "panel", "boiler", "thermostat", "letterbox", "mailbox", "bike room", "laundry", "bin store", "storeroom", "copier", "turnstile"],
    &["tür", "schließfach", "tresor", "haustür", "hintertür", "spind", "schloss", "eingang", "keller", "schuppen", "schlüsseltresor", "schlüsselkasten", "fahrradraum", "fahrradkeller", "waschküche", "müllraum"],
    &["porte", "portail", "alarme", "coffre", "immeuble", "entrée", "cadenas", "ascenseur", "boîte à clés", "boite à clés", "local vélo", "buanderie", "local poubelle"],
    &["puerta", "portón", "caja fuerte", "edificio", "entrada", "candado", "garaje", "trastero", "lavandería", "taquilla"],
    &["porta", "portão", "cofre", "prédio", "cadeado", "portaria"],
    &["portone", "cancello", "cassaforte", "allarme", "ingresso", "lucchetto", "tornello"],
    &["deur", "poort", "kluis", "voordeur", "achterdeur", "kelder", "fietsenstalling", "berging", "wasruimte"],
    &["dörr", "larm", "förråd", "kassaskåp", "dør", "skab", "cykelrum", "tvättstug", "soprum", "porten", "cykelkælder", "vaskekælder", "nøgleboks", "nøkkelboks", "garasje"],
    &["ovi", "hälytys", "kassakaappi", "avainsäilö", "avainlaati", "pyörävarasto", "pesutupa", "portti"],
    &["drzwi", "bram", "domofon", "sejf", "klatk", "furtk", "rowerowni", "piwnic", "garaż", "szlaban"],
    &["vrata", "врата", "dveř", "brán", "vchod", "trezor", "ajtó", "kapu", "kapı", "kilit"],
    &["двер", "домофон", "ворот", "сейф", "подъезд", "калитк"],
    &["לדלת", "הדלת", "לשער", "השער", "הכספת", "האזעקה", "الباب", "باب", "البوابة", "الخزنة", "الإنذار"],
    &["πόρτα", "χρηματοκιβώτιο", "门", "門", "金庫", "보험", "현관", "ドア", "玄関"],
];

/// Words that may stand between a verb of opening and its code.
const BY_CODE: [&[u8]; 7] =
    [b"", b"il codice", b"le code", b"dem code", b"dem Code", b"the code", "el código".as_bytes()];

/// `Le code de la porte est 8841`, `koden till förrådet är 3316`, `Ofis kapı kodu: 5518`, `locker 14, code 5531`: a code,
/// what it opens, and digits that end what is said.
pub(super) fn entry(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    // `<code>`, of which pages are full.
    if at > 0 && matches!(text[at - 1], b'<' | b'/') {
        return;
    }
    let line = crate::search::line(text, end, 64);
    let asked = line.contains(&b'?') && opens(line);
    if let Some((start, stop)) = prose::answered_in_digits(text, end)
        && (asked || is_told(text, at, start, stop))
    {
        return spans.add(start, stop, "recovery_code", false);
    }
    let Some(digit) = line.iter().position(u8::is_ascii_digit) else { return };
    // `A4471`.
    let capital = digit >= 2 && line[digit - 1].is_ascii_uppercase() && line[digit - 2] == b' ';
    let digit = digit - usize::from(capital);
    let start = end + digit;
    let stop = value_end(text, start);
    let before = &line[..digit];
    // "opens with", "s'ouvre avec": no noun has several words.
    let verb = text[at..end].contains(&b' ');
    let direct = BY_CODE.contains(&before.trim_ascii());
    let label = || is_label(text, at) && is_named_thing(before);
    let joined = is_joined(before) || is_changed(before, &text[stop..]);
    if !(joined || is_thing(before.trim_ascii()) || direct || label()) || !is_entry_code(text, start, stop) {
        return;
    }
    let technical = technical_before(text, at) || is_measured(text, stop);
    // "the panel, the installer left it on code X": what it opens stands before the verb.
    let set = direct && [&b" on "[..], b" auf ", b" sur ", b" en "].iter().any(|on| text[..at].ends_with(on));
    let from = at.saturating_sub(if verb {
        64
    } else if set {
        96
    } else {
        32
    });
    let around = String::from_utf8_lossy(&text[from..start]).to_lowercase();
    crate::work::read(2 * around.len());
    // An error's code beside a door is still an error's.
    let opens = |text: &str| THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(text, thing));
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r' | b'#'));
    let held = verb && ends && HELD.iter().any(|thing| has_word(&around, thing));
    let identified = direct && ends && follows_id(text, at);
    let compound = direct && is_swedish(text, at, &text[at..end]);
    if !technical && (opens(&around) || held || identified || compound) {
        spans.add(start, stop, "recovery_code", false);
        next(text, stop, spans);
    }
}

/// "paste the code⏎bob: 482 913": all that the answer says, and what it is for is no error's.
fn is_told(text: &[u8], at: usize, start: usize, stop: usize) -> bool {
    super::codes::is_sent(&text[start..stop])
        && matches!(text.get(stop), None | Some(b'\n' | b'\r'))
        && !technical_before(text, at)
}

/// `ID administrateur : 7654321, code X`: behind who it is, in digits.
fn follows_id(text: &[u8], at: usize) -> bool {
    let line = crate::search::last_line(&text[at.saturating_sub(64)..at]);
    let Some(said) = line.strip_suffix(b", ").or_else(|| line.strip_suffix(b" / ")) else { return false };
    let digits = said.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let head = &said[..said.len() - digits];
    // `process id 48213, code 1344` is an error's.
    let labelled = head.trim_ascii_end().ends_with(b":");
    let mut words = head.split(|byte| !byte.is_ascii_alphanumeric());
    (4..=10).contains(&digits)
        && head.last().is_some_and(|byte| matches!(byte, b' ' | b':'))
        && words.any(|word| {
            labelled && word.eq_ignore_ascii_case(b"id")
                || [&b"user"[..], b"benutzer", b"login", b"zoom", b"webex", b"meeting"]
                    .iter()
                    .any(|own| own.eq_ignore_ascii_case(word))
        })
}

/// Whether a name opens its line, or what a sign begins: no sentence goes before it.
fn is_label(text: &[u8], at: usize) -> bool {
    let line = crate::search::last_line(&text[at.saturating_sub(48)..at]).trim_ascii_end();
    line.last().is_none_or(|byte| matches!(byte, b':' | b',' | b'-' | b'*' | b')' | b';' | b'|'))
}

/// `code porte principale X`: what it opens, and which of them.
fn is_named_thing(before: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(before) else { return false };
    let words = text.trim().to_lowercase();
    text.starts_with(' ')
        && text.ends_with(' ')
        && (1..=2).contains(&words.matches(' ').count())
        && words.chars().all(|sign| sign.is_alphabetic() || matches!(sign, ' ' | '-'))
        && named_things().any(|thing| words.starts_with(thing))
}

/// In English such a name stands before the code, and programs have words of those: `code elevator simulation`.
fn named_things() -> impl Iterator<Item = &'static str> {
    let rows = THINGS.iter().filter(|row| row[0] != "door");
    rows.flat_map(|row| row.iter().copied()).filter(|thing| !matches!(*thing, "porta" | "entrada"))
}

/// `De code … is gewijzigd in X`, `Der Code … wurde auf X geändert`; a language is a row.
fn is_changed(before: &[u8], behind: &[u8]) -> bool {
    #[rustfmt::skip]
    const CHANGED: [&str; 24] = [
        "changed to", "reset to", "set to", "geändert auf", "geändert in", "geändert zu", "changé en", "modifié en", "remplacé par", "cambiado a", "cambiado por", "cambiada a",
        "cambiato in", "alterado para", "mudado para", "gewijzigd in", "gewijzigd naar", "veranderd in", "ändrats till", "ändrad till", "endret til", "ændret til", "zmieniony na", "změněn na",
    ];
    const BEHIND: [&str; 3] = [" geändert", " gesetzt", " umgestellt"];
    let Ok(text) = std::str::from_utf8(before) else { return false };
    let said = text.trim_end();
    let plain = !said.contains(['.', '!', '?', ';', '{', '<', '"']);
    let follows = said.ends_with(" auf") && BEHIND.iter().any(|verb| behind.starts_with(verb.as_bytes()));
    plain && (follows || CHANGED.iter().any(|verb| said.ends_with(verb)))
}

/// What people hold in their hands, and a code opens.
const HELD: [&str; 13] = [
    "handy",
    "telefon",
    "smartphone",
    "iphone",
    "ipad",
    "phone",
    "tablet",
    "móvil",
    "téléphone",
    "pdf",
    "zip",
    "archive",
    "attachment",
];

/// `… is 2586 och till tvättstugan 9013#`: what else opens with what, in the same sentence.
fn next(text: &[u8], stop: usize, spans: &mut Spans) {
    const MOST: usize = 4;
    let mut at = stop;
    for _ in 0..MOST {
        let window = &text[at..text.len().min(at + 48)];
        crate::work::read(window.len());
        let Some(digit) = window.iter().position(u8::is_ascii_digit) else { return };
        let between = String::from_utf8_lossy(&window[..digit]).to_lowercase();
        let goes_on = [" och ", " and ", " und ", " et ", " y ", " e ", " en ", " og ", " ja ", " i ", ", "]
            .iter()
            .any(|and| between.starts_with(and));
        let words =
            between.chars().all(|sign| sign.is_alphabetic() || matches!(sign, ' ' | ',' | ':' | '\''));
        let thing = THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(&between, thing));
        let (start, end) = (at + digit, value_end(text, at + digit));
        if !goes_on || !words || !thing || !is_entry_code(text, start, end) || is_measured(text, end) {
            return;
        }
        spans.add(start, end, "recovery_code", false);
        at = end;
    }
}

/// Whether something is spoken of that a code opens.
pub(crate) fn opens(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said).to_lowercase();
    THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(&said, thing))
}

/// `Код домофона 38К1207`: only what it opens stands between.
fn is_thing(between: &[u8]) -> bool {
    let text = String::from_utf8_lossy(between).to_lowercase();
    let text = [
        "de l'", "de l’", "de la ", "dell'", "della ", "del ", "du ", "vom ", "do ", "od ", "na ", "za ",
        "до ", "от ", "для ", "of the ", "for the ",
    ]
    .iter()
    .find_map(|of| text.strip_prefix(of))
    .unwrap_or(&text);
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
        && (SIGNS.iter().any(|sign| text.ends_with(sign.trim()))
            || VERBS.iter().any(|verb| text.ends_with(verb.trim_end())))
}

/// Whether a word is called so, but for its ending; a long one may stand in another: `Haustür`.
pub(super) fn has_word(around: &str, thing: &str) -> bool {
    const LONGEST_ENDING: usize = 2;
    // Hot path: there are a hundred things, and a searcher for each would take longer to build than to run.
    crate::search::find_all(around.as_bytes(), thing.as_bytes()).any(|at| {
        let inside = around[..at].ends_with(char::is_alphabetic);
        let ending = around[at + thing.len()..].chars().take_while(|sign| sign.is_alphabetic()).count();
        let rest = &around[at + thing.len()..];
        // A portal, a porter's lodge.
        let portal = thing == "porta" && rest.starts_with('l') || thing == "porte" && rest.starts_with('r');
        !portal && thing.chars().count() >= 5 || !thing.is_ascii() || !inside && ending <= LONGEST_ENDING
    })
}
