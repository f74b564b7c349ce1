//! Codes of digits that open doors, phones and accounts, and keys as vendors print them.

use super::about::technical_before;
use super::accept::is_code;
use super::changed;
use super::joint::{SIGNS, VERBS, pair_end, value_end, value_start};
use super::later::{is_measured, is_paired, later};
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::value::Traits;

/// `Türcode ist 1988`: behind any other word it is a year.
static JOINTS: Words<10> = Words::new([
    b"is",
    b"ist",
    b"est",
    b"es",
    b"jest",
    b"to",
    "è".as_bytes(),
    "é".as_bytes(),
    "är".as_bytes(),
    b"er",
]);

/// `Türcode Hintereingang 1938*`, `combination 24-7-31`, `Код домофона 38К1207`: at most one word stands between.
pub(super) fn near(text: &[u8], most: usize, end: usize) -> Option<(usize, usize)> {
    let mut start = end;
    let mut between = &text[..0];
    // `Door code back entrance 1938#`: what such a lock wants behind the digits tells them over one word more.
    for nth in 0..=most + most.min(1) {
        start += text.get(start..)?.iter().take(3).take_while(|byte| matches!(byte, b' ' | b':')).count();
        let stop = value_end(text, start);
        let word = &text[start..stop];
        let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
        let plain = word
            .iter()
            .all(|byte| byte.is_ascii_digit() || matches!(byte, b'#' | b'*' | b'-') || !byte.is_ascii());
        // `12-18` is from where to where.
        let dashes = word.iter().filter(|&&byte| byte == b'-').count();
        let dash = |at: usize| word.get(at) == Some(&b'-');
        let date = word.len() == 10 && (dash(4) && dash(7) || dash(2) && dash(5));
        let range = word.len() <= 5 && dashes > 0 || date;
        // `Alarm codes 2025: …`: since when.
        let year = word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
        let elsewhen = nth > 0 && !JOINTS.equals(between);
        if year && (elsewhen || text.get(stop) == Some(&b':')) {
            return None;
        }
        // `Türcode siehe Ticket 33064`.
        if crate::harmless::SEE.equals(word) || word.eq_ignore_ascii_case(b"ticket") {
            return None;
        }
        between = word;
        if start > end && word.len() >= 24 && digits >= 6 && crate::value::is_hex(word) {
            return Some((start, stop));
        }
        let keyed = nth <= most || word.ends_with(b"#");
        if start > end
            && plain
            && keyed
            && !range
            && digits >= 4
            && word.len() <= 12
            && !is_measured(text, stop)
        {
            return Some((start, stop));
        }
        if word.iter().any(u8::is_ascii_digit) || word.is_empty() {
            return None;
        }
        start = stop;
    }
    None
}

/// `2FA`, of which more is spoken than its codes.
fn is_second_factor(name: &[u8]) -> bool {
    [&b"2fa"[..], b"two-factor"].iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// "apple id 2fa for the laptop came in: 389374": six digits behind the line's colon.
fn factor(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, end, 64);
    let start = end + memchr::memmem::find(line, b": ")? + 2;
    let stop = pair_end(text, start, value_end(text, start));
    is_sent(&text[start..stop]).then_some((start, stop))
}

fn is_sent(word: &[u8]) -> bool {
    word.len() == 6 && word.iter().all(u8::is_ascii_digit) || word.len() == 7 && is_paired(word)
}

/// "the code is 708 112": what is sent has six digits, and few other codes have. True if there is no more to look for.
pub(super) fn sent(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> bool {
    let second = is_second_factor(&text[at..end]);
    let found = if second { factor(text, end) } else { told(text, at, end) };
    if let Some((start, stop)) = found {
        spans.add(start, stop, "recovery_code", false);
    }
    second || found.is_some()
}

fn told(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let the = text[at.saturating_sub(4)..at].eq_ignore_ascii_case(b"the ");
    if !the || !text[at..end].eq_ignore_ascii_case(b"code is") || text.get(end) != Some(&b' ') {
        return None;
    }
    let start = end + 1;
    let stop = pair_end(text, start, value_end(text, start));
    (is_sent(&text[start..stop]) && !is_measured(text, stop)).then_some((start, stop))
}

/// How many words may stand between a name and its code: a combination may be one of anything.
pub(super) fn between(name: &[u8]) -> usize {
    const DIRECT: [&[u8]; 6] =
        [b"combination", b"combinations", b"code is", b"kombination", b"combinaison", b"combinazione"];
    usize::from(!DIRECT.iter().any(|own| own.eq_ignore_ascii_case(name)))
}

/// `PIN 8340`, `PUK: 35014081`, `PIN do sejfu: 70316`, `PINは8340`, `el PIN de la caja fuerte 8830`, `and pin 0917`;
/// `pin 13` is one of a chip's.
pub(super) fn pin(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    if changed::scan(text, end, changed::Old::Digits, spans) {
        return;
    }
    if let Some((start, stop)) = prose::answered_in_digits(text, end) {
        return spans.add(start, stop, "recovery_code", false);
    }
    if let Some((start, stop)) = set_to(text, end) {
        return spans.add(start, stop, "password", false);
    }
    if let Some((start, stop)) = of_card(text, at, end) {
        return spans.add(start, stop, "recovery_code", false);
    }
    if let Some((start, stop)) =
        near(text, 2, end).filter(|_| !text[at].is_ascii()).or_else(|| of_thing(text, end))
    {
        return spans.add(start, stop, "recovery_code", false);
    }
    // A chip has no word of so many letters.
    let capitals = end - at >= 6
        || text[at..end].eq_ignore_ascii_case(b"puk")
        || text[at].is_ascii_uppercase()
        || !text[at].is_ascii();
    let near = end + text[end..].iter().take(3).take_while(|byte| matches!(byte, b' ' | b'#' | b'"')).count();
    let start = if (capitals || is_mine(text, at)) && text.get(near).is_some_and(u8::is_ascii_digit) {
        near
    } else if let Some((start, stop)) = later(text, end)
        .filter(|&(start, stop)| (capitals || end - at <= 4) && !is_number(text, at, start, stop))
    {
        return spans.add(start, stop, "recovery_code", false);
    } else {
        match value_start(text, at, end) {
            Some(start) => start,
            None => return,
        }
    };
    let whole = pair_end(text, start, value_end(text, start));
    let named = end - at >= 6 || text[at..end].eq_ignore_ascii_case(b"tan");
    if named && is_paired(&text[start..whole]) {
        return spans.add(start, whole, "recovery_code", false);
    }
    let long = text[start..].iter().take(13).take_while(|byte| byte.is_ascii_digit()).count();
    let goes_on = text.get(start + long).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let masked = text[..start].ends_with(b"**");
    if (4..=12).contains(&long)
        && !goes_on
        && !is_number(text, at, start, start + long)
        && !masked
        && !super::is_counted(text, at, &text[start..start + long])
    {
        spans.add(start, start + long, "recovery_code", false);
    }
}

/// `tan 1.57 -> 1255.7655`, `tan, digits=1500`, `192.168.1.1:4567`: a fraction, another setting's, a port.
fn is_number(text: &[u8], name: usize, start: usize, end: usize) -> bool {
    let digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    let fraction = text.get(end) == Some(&b'.') && digit(end + 1);
    let port = start > 1 && text[start - 1] == b':' && digit(start - 2);
    let setting = text[name..start].ends_with(b"=") && text[name..start].contains(&b',');
    fraction || port || setting
}

/// `SO PIN changed to 41-otter-19`: some take letters.
fn set_to(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let rest = &text[end..text.len().min(end + 64)];
    let long = [&b" changed to "[..], b" set to ", b" reset to ", b" is now "]
        .iter()
        .find(|verb| rest.starts_with(verb))?
        .len();
    let (start, stop) = (end + long, value_end(text, end + long));
    let word = &text[start..stop];
    let traits = Traits::of(word);
    (traits.digits >= 2 && traits.letters >= 4 && crate::value::is_chosen(word)).then_some((start, stop))
}

/// `, pin 0917`, `and pin 0917`, `my pin 0917`: somebody's.
fn is_mine(text: &[u8], at: usize) -> bool {
    let before = text[at.saturating_sub(12)..at].trim_ascii_end();
    let word = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    before.last().is_some_and(|byte| matches!(byte, b',' | b'(' | b';' | b'/'))
        || matches!(
            word,
            b"sim"
                | b"SIM"
                | b"card"
                | b"support"
                | b"door"
                | b"alarm"
                | b"and"
                | b"my"
                | b"with"
                | b"his"
                | b"her"
                | b"our"
                | b"use"
                | b"und"
                | b"et"
                | b"y"
                | b"e"
        )
}

/// `PIN ke kartě 3907.`, `Пин-код от тамбура 2580`: up to three words of what it is of, and digits that end what is said.
fn of_card(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    const COUNTS: [&str; 16] = [
        "must", "length", "digit", "attempt", "try", "page", "room", "port", "error", "since", "seit", "bis",
        "until", "muss", "has", "pad",
    ];
    let called = text[at].is_ascii_uppercase() && text[at + 1].is_ascii_uppercase() || !text[at].is_ascii();
    let window = &text[end..text.len().min(end + 48)];
    let digit = window.iter().position(u8::is_ascii_digit).filter(|_| called && window[0] == b' ')?;
    let between = String::from_utf8_lossy(&window[..digit]).to_lowercase();
    let words = between.split_whitespace().count();
    let plain = between.chars().all(|sign| sign.is_alphabetic() || sign == ' ') && between.ends_with(' ');
    let (start, stop) = (end + digit, value_end(text, end + digit));
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r' | b'#'));
    let counts = COUNTS.iter().any(|word| between.contains(word));
    (plain && ends && !counts && (1..=3).contains(&words) && is_entry_code(text, start, stop))
        .then_some((start, stop))
}

/// `PIN de la caja fuerte 8830`: what it opens stands between, and digits end what is said.
fn of_thing(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let window = &text[end..text.len().min(end + 40)];
    let digit = window.iter().position(u8::is_ascii_digit)?;
    let (start, stop) = (end + digit, value_end(text, end + digit));
    let between = String::from_utf8_lossy(&window[..digit]).to_lowercase();
    let words = between.chars().all(|sign| sign.is_alphabetic() || sign == ' ') && between.starts_with(' ');
    let thing = THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(&between, thing));
    (words && thing && is_entry_code(text, start, stop)).then_some((start, stop))
}

/// Codes that their form tells apart from other numbers, wherever they stand a little behind the name.
pub(super) fn of_own_form(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    volume(text, end, spans);
    home(text, end, spans);
    dialled(text, at, end, spans);
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

/// What codes open; a language is a row.
#[rustfmt::skip]
const THINGS: &[&[&str]] = &[
    &["service menu", "service-menü", "servicemenü", "menu avanzato", "menu servizio", "menú de servicio", "menu technique", "menu serwisowe"],
    &["door", "gate", "alarm", "locker", "lockbox", "key box", "key safe", "padlock", "bike shed", "front entrance", "garage", "strongbox", "the safe", "elevator", "shed", "keypad", "cabinet", "lock", "panel", "boiler", "thermostat", "letterbox", "mailbox", "bike room", "laundry", "bin store", "storeroom", "copier"],
    &["tür", "schließfach", "tresor", "haustür", "hintertür", "spind", "schloss", "eingang", "keller", "schuppen", "schlüsseltresor", "schlüsselkasten", "fahrradraum", "fahrradkeller", "waschküche", "müllraum"],
    &["porte", "portail", "alarme", "coffre", "immeuble", "entrée", "cadenas", "ascenseur", "local vélo", "buanderie", "local poubelle"],
    &["puerta", "portón", "caja fuerte", "edificio", "entrada", "candado", "garaje", "trastero", "lavandería", "taquilla"],
    &["porta", "portão", "cofre", "prédio", "cadeado", "portaria"],
    &["portone", "cancello", "cassaforte", "allarme", "ingresso", "lucchetto"],
    &["deur", "poort", "kluis", "voordeur", "achterdeur", "kelder", "fietsenstalling", "berging", "wasruimte"],
    &["dörr", "larm", "förråd", "kassaskåp", "dør", "skab", "cykelrum", "tvättstug", "soprum", "porten", "cykelkælder", "vaskekælder", "nøgleboks", "nøkkelboks", "garasje"],
    &["ovi", "hälytys", "kassakaappi", "avainsäilö", "avainlaati", "pyörävarasto", "pesutupa", "portti"],
    &["drzwi", "bram", "domofon", "sejf", "klatk", "furtk", "rowerowni", "piwnic", "garaż", "szlaban"],
    &["vrata", "врата", "dveř", "brán", "vchod", "trezor", "ajtó", "kapu", "kapı", "kilit"],
    &["двер", "домофон", "ворот", "сейф", "подъезд", "калитк"],
    &["לדלת", "הדלת", "לשער", "השער", "הכספת", "האזעקה", "الباب", "باب", "البوابة", "الخزنة", "الإنذار"],
    &["πόρτα", "χρηματοκιβώτιο", "门", "門", "金庫", "보험", "현관", "ドア", "玄関"],
];

/// `Le code de la porte est 8841`, `koden till förrådet är 3316`, `Ofis kapı kodu: 5518`, `locker 14, code 5531`: a code,
/// what it opens, and digits that end what is said.
pub(super) fn entry(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    // `<code>`, of which pages are full.
    if at > 0 && matches!(text[at - 1], b'<' | b'/') {
        return;
    }
    let line = crate::search::line(text, end, 64);
    if line.contains(&b'?')
        && opens(line)
        && let Some((start, stop)) = prose::answered_in_digits(text, end)
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
    let direct = before.trim_ascii().is_empty();
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
    if !technical && (opens(&around) || held || identified) {
        spans.add(start, stop, "recovery_code", false);
        next(text, stop, spans);
    }
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
const HELD: [&str; 9] =
    ["handy", "telefon", "smartphone", "iphone", "ipad", "phone", "tablet", "móvil", "téléphone"];

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

/// `Netværk: Kontor-Gast, kode: X`: in what is said of a network its code is a password.
pub(super) fn of_network(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let joined =
        text[end..].starts_with(b": ") && super::is_of_network(text, at) && !technical_before(text, at);
    if !joined {
        return None;
    }
    let (start, stop) = (end + 2, value_end(text, end + 2));
    let word = text.get(start..stop).unwrap_or_default();
    let long = word.len() >= 8 && Traits::of(word).lowers >= 3 && !word.starts_with(b"0x");
    (long && super::accepts(super::Sort::Password, &text[start..stop])).then_some((start, stop))
}

/// `Copier codes 24/25: English 20418, Maths 20733`: whose each is, and as many digits in each.
pub(super) fn row(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const SHARED: [&str; 6] =
        ["copier", "kopierer", "photocopieuse", "fotocopiadora", "fotocopiatrice", "alarm"];
    if text[end - 1] != b's' {
        return;
    }
    let line = crate::search::line(text, end, 200);
    let Some(colon) = memchr::memchr(b':', &line[..line.len().min(24)]) else { return };
    crate::work::read(line.len());
    if !line[colon + 1..].iter().any(u8::is_ascii_digit) || technical_before(text, at) {
        return;
    }
    let before = String::from_utf8_lossy(&text[at.saturating_sub(24)..at]).to_lowercase();
    if !SHARED.iter().any(|thing| has_word(&before, thing)) && !opens(before.as_bytes()) {
        return;
    }
    let mut found: Vec<(usize, usize)> = Vec::new();
    for item in line[colon + 1..].split(|byte| matches!(byte, b',' | b';')) {
        let Some(digit) = item.iter().position(u8::is_ascii_digit) else { break };
        let start = crate::search::offset(text, item) + digit;
        let stop = value_end(text, start);
        let named = item[..digit].iter().any(u8::is_ascii_alphabetic);
        let even = found.first().is_none_or(|(from, to)| to - from == stop - start);
        if !named || !even || !is_entry_code(text, start, stop) {
            break;
        }
        found.push((start, stop));
    }
    if found.len() >= 2 {
        for (start, stop) in found {
            spans.add(start, stop, "recovery_code", false);
        }
    }
}

/// `key box …, dial 0-7-2-4`, `Zahlenschloss 417`, `HomeKit code …: 482-15-937`: digits with dashes between as they are
/// dialled or printed on a label, and the three of a padlock.
fn dialled(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let name = text[at..end].to_ascii_lowercase();
    let label = [&b"homekit"[..], b"matter", b"setup", b"pairing"].iter().any(|own| name.starts_with(own));
    let lock = [&b"lock"[..], b"schloss", b"box", b"safe", b"combination"]
        .iter()
        .any(|own| crate::search::has(&name, own));
    if !label && !lock {
        return;
    }
    let window = &text[end..text.len().min(end + if label { 240 } else { 80 })];
    crate::work::read(window.len());
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    let plain = |byte: &u8| byte.is_ascii_digit() || *byte == b'-';
    let mut from = 0;
    while let Some(digit) = line[from..].iter().position(u8::is_ascii_digit) {
        let start = from + digit;
        let long = line[start..].iter().take_while(|byte| plain(byte)).count();
        let word = &line[start..start + long];
        let inside = start > 0 && line[start - 1].is_ascii_alphanumeric();
        let ends = line.get(start + long).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'/');
        let groups: Vec<usize> = word.split(|&byte| byte == b'-').map(<[u8]>::len).collect();
        let printed = label && matches!(groups[..], [3, 2, 3] | [4, 3, 4]);
        let closes = matches!(line.get(start + long), None | Some(b'.' | b',' | b';' | b')' | b'\r'));
        let single =
            lock && closes && (3..=6).contains(&groups.len()) && groups.iter().all(|&long| long == 1);
        let three = lock
            && start == 1
            && long == 3
            && groups.len() == 1
            && matches!(line.get(4), None | Some(b'.' | b',' | b';' | b')'));
        if !inside && ends && (printed || single || three) {
            spans.add(end + start, end + start + long, "recovery_code", false);
        }
        from = start + long;
    }
}

/// `Koppelcode K7QMX2.`: capitals and digits right behind that end what is said; a voucher has them too.
pub(super) fn paired(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    const JOINS: [&[u8]; 9] = [
        b"koppel",
        b"kopplung",
        b"pair",
        b"emparejamiento",
        b"associazione",
        b"eltern",
        b"session",
        b"setup",
        b"login",
    ];
    let name = text[at..end].to_ascii_lowercase();
    if !JOINS.iter().any(|own| crate::search::has(&name, own)) {
        return None;
    }
    let start = end + 1;
    let stop = value_end(text, start);
    let word = text.get(start..stop).filter(|_| text[end] == b' ')?;
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r'));
    let traits = Traits::of(word);
    (ends && traits.digits >= 2 && super::accept::is_sent_code(word, &traits) && !prose::is_jargon(word))
        .then_some((start, stop))
}

/// Whether something is spoken of that a code opens.
pub(crate) fn opens(said: &[u8]) -> bool {
    let said = String::from_utf8_lossy(said).to_lowercase();
    THINGS.iter().flat_map(|row| row.iter()).any(|thing| has_word(&said, thing))
}

/// "what's the supervisor code?⏎Ann: 60915": asked of somebody who answers in digits.
pub(super) fn asked(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, end, 64);
    let year = |start: usize| text[start..].starts_with(b"19") || text[start..].starts_with(b"20");
    let technical = || technical_before(text, at);
    line.trim_ascii_end()
        .ends_with(b"?")
        .then(|| prose::answered_in_digits(text, end))
        .flatten()
        .filter(|&(start, stop)| (stop - start > 4 || !year(start)) && !technical())
}

/// Four to ten digits, perhaps in pairs (`88-12-40`), perhaps with the sign that ends the entry; no year, no time.
pub(super) fn is_entry_code(text: &[u8], start: usize, stop: usize) -> bool {
    let word = &text[start..stop];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let dashes = word.iter().filter(|&&byte| byte == b'-').count();
    let capitals = word.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    let plain = capitals <= 1
        && word.iter().all(|byte| {
            byte.is_ascii_digit()
                || byte.is_ascii_uppercase()
                || matches!(byte, b'#' | b'*' | b'-')
                || !byte.is_ascii()
        });
    // `183-63-442`: what opens a home's devices.
    let home = word.len() == 10 && word[3] == b'-' && word[6] == b'-';
    let pairs = dashes == 0 || dashes == 2 && (word.len() <= 8 || home);
    let year = word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    let goes_on = text.get(stop).is_some_and(u8::is_ascii_alphanumeric);
    let inside = start.checked_sub(1).is_some_and(|at| text[at].is_ascii_alphanumeric());
    (4..=10).contains(&word.len()) && digits >= 4 && plain && pairs && !year && !goes_on && !inside
}

/// `Код домофона 38К1207`: only what it opens stands between.
fn is_thing(between: &[u8]) -> bool {
    let text = String::from_utf8_lossy(between).to_lowercase();
    let text = ["do ", "od ", "na ", "za ", "до ", "от ", "для ", "of the ", "for the "]
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
fn has_word(around: &str, thing: &str) -> bool {
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

/// `448470-221452-…`: eight times six digits within two lines of the word for such a key.
fn volume(text: &[u8], end: usize, spans: &mut Spans) {
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

/// `setup code of the old bridge 931-65-911`, `pairing code 7737-419-5207`: as things of a house are joined to it.
fn home(text: &[u8], end: usize, spans: &mut Spans) {
    const FORMS: [[usize; 3]; 2] = [[3, 2, 3], [4, 3, 4]];
    let last = &text[end.saturating_sub(4)..end];
    let joins = last.eq_ignore_ascii_case(b"code");
    let line = crate::search::line(text, end, 48);
    let Some(digit) = line.iter().position(u8::is_ascii_digit).filter(|_| joins) else { return };
    let stop = value_end(text, end + digit);
    let groups = text[end + digit..stop].split(|&byte| byte == b'-');
    let digits = groups.clone().all(|group| group.iter().all(u8::is_ascii_digit));
    if digits && FORMS.iter().any(|form| groups.clone().map(<[u8]>::len).eq(form.iter().copied())) {
        spans.add(end + digit, stop, "recovery_code", false);
    }
}

/// `Serial: 8XK2-PPLM-44TR-XC81 (3 seats)`: groups, as vendors print them.
pub(super) fn serial(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let window = &text[end..text.len().min(end + 112)];
    // What a command prints stands below it.
    let long = match memchr::memchr(b'\n', window) {
        Some(0) => memchr::memchr(b'\n', &window[1..]).map(|long| long + 1),
        long => long,
    };
    let line = &window[..long.unwrap_or(window.len())];
    games(text, end, spans);
    in_fours(text, end, spans);
    listed(text, at, end, spans);
    let words = line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
    for word in words.filter(|word| crate::chance::is_product_key(word) || is_game_key(word)) {
        let start = crate::search::offset(text, word);
        spans.add(start, start + word.len(), "license_key", false);
    }
}

/// `Matrix recovery key – keep safe!⏎EsTc Yw3k 9aLp Qx7m …`: groups of four, on the line below.
fn in_fours(text: &[u8], end: usize, spans: &mut Spans) {
    const FEWEST: usize = 8 * 5 - 1;
    let line = crate::search::line(text, end, 64);
    let from = end + line.len();
    if text.get(from) != Some(&b'\n') {
        return;
    }
    let below = crate::search::line(text, from + 1, 96).trim_ascii();
    let Some(long) = crate::prose::mixed_groups(below).filter(|&long| long >= FEWEST) else { return };
    // `d41d 8cd9 8f00 …`: hex digits are a fingerprint's.
    let capitals = below.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    if long == below.len() && capitals >= 6 {
        let start = crate::search::offset(text, below);
        spans.add(start, start + long, "recovery_key", false);
    }
}

/// `Licences, May (folder "Software")⏎Server 2022   X   3 seats`: a heading that opens its line, and lines below that
/// have a key among other words.
fn listed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let window = &text[end..text.len().min(end + 960)];
    let Some(first) = memchr::memchr(b'\n', &window[..window.len().min(72)]) else { return };
    let line = crate::search::last_line(&text[at.saturating_sub(24)..at]);
    // `License: MIT` is one, and of a program.
    let several = matches!(text[end - 1], b's' | b'n') || text[at..end].eq_ignore_ascii_case(b"licenze");
    if !several || !line.iter().all(|byte| b" #*=-\t".contains(byte)) {
        return;
    }
    for line in window[first + 1..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        if line.trim_ascii().is_empty() {
            return;
        }
        let words = line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
        let made = |word: &&[u8]| is_license(word);
        for key in words.filter(made) {
            let start = crate::search::offset(text, key);
            spans.add(start, start + key.len(), "license_key", false);
        }
    }
}

/// Two groups or more that have letters and digits: `CODE-2024-ABCD-1234` is a number of something.
fn is_mixed(word: &[u8]) -> bool {
    let mixed =
        |group: &&[u8]| group.iter().any(u8::is_ascii_digit) && group.iter().any(u8::is_ascii_uppercase);
    word.split(|&byte| byte == b'-').filter(mixed).count() >= 2
}

/// Whether a cell is a key as makers print them.
pub(crate) fn is_license(word: &[u8]) -> bool {
    crate::chance::is_product_key(word) && is_mixed(word) || is_long_key(word)
}

/// `36USMWEF-025PHVP3-1KA7KAZ8-KL27VQZK`: four times eight.
fn is_long_key(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    word.len() == 35
        && word.split(|&byte| byte == b'-').all(|group| group.len() == 8)
        && traits.uppers + traits.digits == 32
        && traits.digits >= 4
        && !crate::value::is_hex(&word[..8])
}

/// Lines below of which each is a key and no more.
fn games(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let window = &text[end..text.len().min(end + 400)];
    let Some(first) = memchr::memchr(b'\n', window).filter(|&first| first <= 80) else { return };
    for line in window[first + 1..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        let key = line.trim_ascii();
        let key = key.strip_prefix(b"- ").or_else(|| key.strip_prefix(b"* ")).unwrap_or(key);
        if !is_game_key(key) && !crate::chance::is_product_key(key) {
            return;
        }
        let start = crate::search::offset(text, key);
        spans.add(start, start + key.len(), "license_key", false);
    }
}

/// `4KW2Y-ND8T8-C7JDQ`: three times five.
fn is_game_key(word: &[u8]) -> bool {
    if word.len() != 17 {
        return false;
    }
    let traits = Traits::of(word);
    word.split(|&byte| byte == b'-').all(|group| group.len() == 5)
        && traits.uppers + traits.digits == 15
        && traits.uppers >= 3
        && traits.digits >= 2
}

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn a_key_in_fours_stands_below() {
        let key = "EsUc Yw3k 9aLp Qx7m Vb2n Zr8t Hd4F kM6s Tq1W Rb5J nX9e Lc3P";
        for head in ["Matrix recovery key, keep it safe!", "Element security key", "$ cat recovery-key.txt"] {
            assert_eq!(found(&format!("{head}\n{key}\nDevice: KDWNXQHZRM\n")), [key], "{head}");
        }
        for text in [
            format!("{key}\n"),
            "recovery key\nSave This Only Here With Your Own Keys Some Place\n".to_owned(),
            "recovery key\nEsUc Yw3k 9aLp\n".to_owned(),
            format!("recovery key\n\nDevice KDWN:\n{key}\n"),
            "recovery key\nd41d 8cd9 8f00 b204 e980 0998 ecf8 427e\n".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_was_sent_has_six_digits() {
        assert_eq!(found("ann> the code is 708 412 be quick"), ["708 412"]);
        assert_eq!(found("the 2fa for the mailbox came in: 389174. trusting it"), ["389174"]);
        assert_eq!(found("Here is the code you need to login: K7Q2P"), ["K7Q2P"]);
        assert_eq!(found("First copy your one-time code: BCDF-7HJK"), ["BCDF-7HJK"]);
        assert_eq!(found("Kombination vom Tresor: 12-44-09"), ["12-44-09"]);
        assert_eq!(found("the setup code printed on the plug: 031-45-154"), ["031-45-154"]);
    }

    #[test]
    fn other_numbers_are_no_codes() {
        for text in [
            "the code is 200000 lines long",
            "2FA adoption went from 4400 to 9000",
            "2FA rollout: 2024 users enabled it",
            "one-time code: READ-ONLY",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn keys_stand_alone_below_what_names_them() {
        let keys = ["8KD2Y-ND8T8-C7JDQ", "QPYL1-1ER6Y-VJM7I"];
        assert_eq!(
            found(&format!("two keys for the demo, be quick\n{}\n{}\nhave fun", keys[0], keys[1])),
            keys
        );
        assert_eq!(found(&format!("steam key: {}", keys[0])), &keys[..1]);
        assert_eq!(found("keys for the demo\nSTART-RIGHT-AWAY2\nmore"), Vec::<&str>::new());
        assert_eq!(found("order 8KD2Y-ND8T8-C7JDQ"), Vec::<&str>::new());
    }

    #[test]
    fn codes_of_houses_and_labels() {
        for (text, codes) in [
            ("Koden till förrådet är 2586 och till tvättstugan 9013#. Hej", &["2586", "9013#"][..]),
            ("The code for the gate is 4471 and for the bike room 8820.", &["4471", "8820"]),
            ("Avainlaatikon koodi on 51907.", &["51907"]),
            ("Kopierer-Codes 25: Verwaltung 20418, Werkstatt 20733.", &["20418", "20733"]),
            ("the key box is by the gate, dial 0-7-2-4, then pull", &["0-7-2-4"]),
            ("Am Schuppen hängt ein Zahlenschloss 417.", &["417"]),
            ("Sein Handy öffnet mit 271828.", &["271828"]),
            ("son téléphone se déverrouille avec 271828", &["271828"]),
            ("HomeKit code, it stands on the back: 518-42-937", &["518-42-937"]),
            ("Koppelcode K7QMX2.", &["K7QMX2"]),
            ("Alarm codes 2025: Anna 1842, Ben 7703", &["1842", "7703"]),
            ("Matter pairing code, on the box: 3497-011-2332", &["3497-011-2332"]),
            ("the SO PIN changed to 41-otter-19 yesterday", &["41-otter-19"]),
            ("Elterncode für Mia: BXHC-VJQP", &["BXHC-VJQP"]),
            ("the PIN they gave me (7741) ends today", &["7741"]),
            ("The session code shown is 847 193 056 today", &["847 193 056"]),
            ("WLAN: Kontor-Gast, code: Hafergrütze-22-Kiel", &["Hafergrütze-22-Kiel"]),
            ("itan-liste:\n01 482915\n02 039174\n", &["482915", "039174"]),
            ("De code van de achterdeur in Venlo is gewijzigd in 4417.", &["4417"]),
            ("Der Code der Hintertür wurde auf 4417 geändert.", &["4417"]),
            ("Le code de la porte a été changé en 4417.", &["4417"]),
            ("2) code porte principale 4417\n", &["4417"]),
            ("Code du portail: A4417\n", &["A4417"]),
            ("Tor-Code neu: 4417#\n", &["4417#"]),
            ("Zoom: 884 2210 4417, Code 771204\n", &["771204"]),
            ("AuthInfo kontor.example: aX9!kd83Lm\n", &["aX9!kd83Lm"]),
            ("SNMP community (ro) n0rdRO_mon\n", &["n0rdRO_mon"]),
            ("Community: n0rdRO_mon (SNMP v2c)\n", &["n0rdRO_mon"]),
            ("Meeting-ID: 884 2210 4417  Kenncode: T7pkw2\n", &["T7pkw2"]),
            ("LAPS NB-1042: rg0J-UYVt@a:ot\n", &["rg0J-UYVt@a:ot"]),
            ("Riello: codice menu avanzato 4417\n", &["4417"]),
            ("Kod bramy głównej 4417\n", &["4417"]),
            ("ID administrateur système : 8877123, code 7930441\n", &["7930441"]),
            ("Ann: what's the supervisor code for deleting it?\nBob: 60441, but ask first\n", &["60441"]),
            ("Ann: en de supervisorcode om te wissen?\nBob: 60441, maar vraag eerst\n", &["60441"]),
            ("Aktivierungs-Code: 09KI-6EX6-6R7Z\n", &["09KI-6EX6-6R7Z"]),
            (
                "Licences, May (folder \"Software\")\nServer 2022   8KD2Y-ND8T8-C7JDQ-7SRPM-MSRRC   3 seats\nBackup   36USMWEG-025PHVP3-1KA7KAZ8-KL27VQZK   until May\n",
                &["8KD2Y-ND8T8-C7JDQ-7SRPM-MSRRC", "36USMWEG-025PHVP3-1KA7KAZ8-KL27VQZK"],
            ),
        ] {
            assert_eq!(found(text), codes, "{text}");
        }
    }

    #[test]
    fn codes_that_are_sent_have_capitals_and_groups() {
        assert_eq!(found("Ihr Freischaltcode lautet 7KMQ2ZPA9 und gilt 10 Tage."), ["7KMQ2ZPA9"]);
        assert_eq!(found("Der Abrufcode dazu ist RT4X-9LKM-QW27."), ["RT4X-9LKM-QW27"]);
        assert_eq!(found("Votre code d'activation est K7P2QX."), ["K7P2QX"]);
        assert_eq!(found("HomeKit setup code of the old bridge 482-91-376"), ["482-91-376"]);
        assert_eq!(found("manual pairing code 7737-419-5207 for the plug"), ["7737-419-5207"]);
        assert_eq!(found("Duo bypass code 627829170 for her"), ["627829170"]);
    }

    #[test]
    fn other_codes_open_nothing() {
        for text in [
            "host key: SHA256 fingerprint 4417",
            "ssh host key verification failed",
            "the setup code of the office since 12-10-2021",
            "the pairing code has 3-5 words",
            "Das Aktivierungscode-Feld ist leer.",
            "the service code is in src/service.rs and has 4000 lines",
            "Produktcode: 48213, Fehlercode ist 4013",
            "Zum Aktivierungscode: siehe Seite 2024",
            "en portería con el DNI. El código de proveedor es 10044821",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_code_comes_by_message() {
        for (text, code) in [
            ("Kod SMS, który dostałam, to 407 318.", "407 318"),
            ("Kod z SMS: 407318", "407318"),
            ("código SMS: 407318", "407318"),
            ("код из смс 407318", "407318"),
            ("door code back entrance 3306#", "3306#"),
            ("Türcode Hintereingang links 3306#", "3306#"),
        ] {
            assert_eq!(found(text), [code], "{text}");
        }
        for text in [
            "Kod SMS wysłano o 14:05",
            "kod z SMS nie przyszedł, zgłoszenie nr A407318",
            "the code sms gateway returned 200",
            "Code SMS envoyé le 2024-05-30",
            "door code back entrance 3306 times",
            "gate code in pull request 4417#note",
            "door code back entrance is 12#",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn codes_of_nothing_stay() {
        for text in [
            "The code for the gate is reviewed and merged 8820 times",
            "The code of the parser was changed to 4417 lines",
            "Der Code wurde auf 4417 Zeilen geändert.",
            "the code door handling tests 4417\n",
            "- code lock contention 4417\n",
            "- code elevator simulation 20441\n",
            "Code du portail: RFC4417\n",
            "Kenncode: folgt\n",
            "AuthInfo kontor.example: folgt per Post\n",
            "the auth code is in src/auth2.rs\n",
            "auth code flow with PKCE S256\n",
            "Community: Kontor2024 (forum)\n",
            "SNMP community (ro) is set\n",
            "12 laps: 3min-20sec-4\n",
            "LAPS: rolled out on NB-1042\n",
            "Code der Tür: v4417\n",
            "Licences (May)\nsee CODE-2024-ABCD-1234 for more\n",
            "License: MIT\nOrder 8KD2-ND8T-C7JD-7SRP\n",
            "customer 8877123, code 7930441\n",
            "Türcode siehe Ticket 33064\n",
            "Portkoden byttes 2024.\n",
            "Türcode wurde 2024 geändert\n",
            "PIN: voir fiche 1288\n",
            "Kennwort: liegt bei Frau Kramer, Raum 214\n",
            "Passwort: siehe Tresor 2\n",
            "Ann: what's the status code again?\nBob: 40441\n",
            "Ann: is the confirmation code?\nBob: 2024\n",
            "# Licenses\nApache-2.0 WITH LLVM-exception\nORDER-2024-0001-0002\n",
            "see the licenses of each\nServer   8KD2Y-ND8T8-C7JDQ\n",
            "Area codes: Berlin 03012, Hamburg 04012",
            "zip codes of the door makers: Berlin 10115, Hamburg 20095",
            "the padlock 417 times",
            "use code SUMMER25.",
            "your code FENNEL20, valid until May",
            "Room combination: 3-4-5 persons.",
            "the combination 1-2 of those",
            "a padlock from 2024-11-20",
            "the app opens with 4 tabs",
            "the phone opens with 2586 unread mails",
            "PIN entry (3 tries) and more",
            "session code is in src/session.rs",
            "Wi-Fi is down. Ticket code: KB-20441-WLAN",
            "network down, wifi error code: 0x80070035a",
            "The session code 4012lines was merged",
            "GPIO pin set to high-level-2",
            "the pin is now output-enabled",
            "Koppelcode folgt.",
            "Elterncode fehlt: BITTE-JETZT",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
