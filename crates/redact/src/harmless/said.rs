//! What people say in a secret's place, and what sentences leave there.

use super::{BLANK, FOREIGN};
use crate::search::Words;

/// Whether `value` is said, by its form. `signs` are those that it has.
pub(super) fn is(value: &[u8], signs: u8) -> bool {
    signs & FOREIGN != 0
        && (is_instruction(value)
            || is_clause(value)
            || is_contraction(value)
            || is_numbered_line(value)
            || is_drawn(value)
            // `App-Passwort „Pixel 8“`: a quote that the value does not close.
            || value.starts_with("„".as_bytes()) && !crate::search::has(value, "“".as_bytes())
            || crate::search::find_all(value, "、".as_bytes()).count() >= 2)
        || signs & (FOREIGN | BLANK) != 0 && crate::spoken::is_called(value)
        || signs & FOREIGN != 0 && is_title(value)
        || signs & BLANK != 0 && (is_somebody_to_ask(value) || is_rule(value) || crate::value::is_told(value))
        || is_said_to_be_none(value)
        || signs & BLANK != 0 && value.ends_with(b" denied")
        // `trop semblable à l'ancien`: what a site says of a password.
        || signs & BLANK != 0 && crate::search::has(value, b"l'ancien")
        || is_pangram(value)
        || is_told_in_base64(value)
        // What a framework's manual signs with.
        || value == b"keyboard cat"
        // What a vault's file has in the place of a value.
        || value.starts_with(b"ENC[AES256_GCM,")
        || crate::spoken::is_state(value)
}

/// `كلمة مرور جديدة`, `Νέος κωδικός`: what a field is called, in scripts of which nobody makes passwords of this word.
fn is_title(value: &[u8]) -> bool {
    const NAMES: [&str; 8] =
        ["كلمة المرور", "كلمة مرور", "رمز عبور", "סיסמ", "κωδικ", "पासवर्ड", "รหัสผ่าน", "পাসওয়ার্ড"];
    NAMES.iter().any(|name| crate::search::has(value, name.as_bytes()))
}

/// `Das Passwort muss mindestens 12 Zeichen lang sein`: what a password must be.
fn is_rule(value: &[u8]) -> bool {
    static NAMES: Words<14> = Words::new([
        b"password",
        b"passwort",
        b"kennwort",
        b"mot de passe",
        b"contrase",
        b"senha",
        b"wachtwoord",
        b"has\xC5\x82o",
        b"heslo",
        b"senord",
        b"adgangskode",
        b"passord",
        b"salasana",
        b"parol",
    ]);
    static MUST: Words<24> = Words::new([
        b" muss ",
        b" darf ",
        b" ist ",
        b" mindestens ",
        b" doit ",
        b" est ",
        b" debe ",
        b" no es ",
        b" deve ",
        b" moet ",
        b" musi ",
        b" mus\xC3\xAD ",
        b" m\xC3\xA5ste ",
        b" skal ",
        b" must ",
        b" should ",
        b" cannot ",
        b" may not ",
        b" on oltava ",
        b" trebuie ",
        b" is too ",
        b" is not ",
        b" has been ",
        b" does not ",
    ]);
    NAMES.within(value) && MUST.within(value)
}

/// What everybody tries programs with, plain and in base64.
fn is_pangram(value: &[u8]) -> bool {
    static KNOWN: Words<5> = Words::exact([
        b"quick brown fox",
        b"orem ipsum",
        b"cXVpY2sgYnJvd24gZm94",
        b"F1aWNrIGJyb3duIGZve",
        b"xdWljayBicm93biBmb3",
    ]);
    value.len() >= 20 && KNOWN.within(value)
}

/// `8자 이상 입력하세요`: what a form says to whoever fills it in.
fn is_instruction(value: &[u8]) -> bool {
    const ENDINGS: [&str; 8] =
        ["하세요", "세요.", "십시오", "니다", "ください", "を入力", "请输入", "請輸入"];
    !value.is_ascii() && ENDINGS.iter().any(|ending| crate::search::has(value, ending.as_bytes()))
}

/// `12→net`: a listing's next line.
fn is_numbered_line(value: &[u8]) -> bool {
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && value[digits..].starts_with("→".as_bytes())
}

/// `┌──────┬───────┐`: the edge of a table.
fn is_drawn(value: &[u8]) -> bool {
    let (signs, rest) = value.as_chunks::<3>();
    rest.is_empty() && signs.iter().all(|sign| sign[0] == 0xE2 && matches!(sign[1], 0x94 | 0x95))
}

/// `doesn’t`.
fn is_contraction(value: &[u8]) -> bool {
    const ENDINGS: [&str; 6] = ["’t", "’s", "’re", "’ve", "’ll", "’d"];
    ENDINGS.iter().any(|ending| {
        value.strip_suffix(ending.as_bytes()).is_some_and(|word| word.iter().all(u8::is_ascii_lowercase))
    })
}

/// `VGhlIGtleSB0byBhIGdvb2Q…`: a sentence, if one reads it.
fn is_told_in_base64(value: &[u8]) -> bool {
    let run = value.len() - value.iter().rev().take_while(|&&byte| byte == b'=').count();
    // `aHR0cHM6Ly9lcnAubG9jYWw=`: an address without anybody's name.
    if value.starts_with(b"aHR0c") {
        let said = crate::decode::base64(value).and_then(|said| String::from_utf8(said).ok());
        return said.is_some_and(|said| said.starts_with("http") && !said.contains(['@', '?', '=', ' ']));
    }
    // `UkVEQUNURUQ=`: nothing, as it is said elsewhere.
    let hidden = |said: Vec<u8>| said.len() >= 6 && crate::value::is_placeholder(&said);
    if run < 24 {
        return value.ends_with(b"=") && crate::decode::base64(value).is_some_and(hidden);
    }
    let said = crate::view::decoded(value, 0, run);
    said.is_some_and(|(_, said)| {
        if ["<svg", "<?xml", "<!DOCTYPE", "<html"].iter().any(|page| said.starts_with(page)) {
            return true;
        }
        // What somebody chose to let in by has no capital and no stop.
        let Some(said) = said.trim_end().strip_suffix('.') else { return false };
        said.starts_with(|first: char| first.is_ascii_uppercase())
            && said.split(' ').count() >= 5
            && said.split(' ').all(|word| {
                let word = word.strip_suffix(',').unwrap_or(word);
                !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'\'')
            })
    })
}

/// `如何读懂市场周期并把握投资节奏`: twelve signs and more of a script that has no blanks are half a sentence.
fn is_clause(value: &[u8]) -> bool {
    const LONGEST_WORD: usize = 36;
    value.len() >= LONGEST_WORD
        && value.iter().all(|byte| !byte.is_ascii())
        && std::str::from_utf8(value)
            .is_ok_and(|text| text.chars().all(|sign| ('\u{3000}'..'\u{a000}').contains(&sign)))
}

/// `none needed`, `$6$redacted`, `x-redacted`, `'\\u0000'`, `generate-with-openssl-rand`, `/etc/app/wlan.conf:`, `one-time-code` of a form: something else is
/// in a password's place, and says so.
fn is_said_to_be_none(value: &[u8]) -> bool {
    const FIELDS: [&[u8]; 5] = [b"current-password", b"new-password", b"one-time-code", b"stdin", b"stdout"];
    let made = value.starts_with(b"generate") && crate::search::has(value, b"openssl");
    let file = [&b"/etc/"[..], b"/var/lib/", b"/usr/share/", b"/nix/store/"]
        .iter()
        .any(|folder| value.starts_with(folder));
    let file = file || value.starts_with(b"file:") && !crate::search::has(value, b"=");
    let escape = value.len() == 6 && value.starts_with(b"\\u00");
    let needless =
        matches!(value, b"none needed" | b"none required" | b"none set" | b"none yet" | b"none so far");
    made || file || escape || needless || crate::prose::ends_in(value, b"redacted") || FIELDS.contains(&value)
}

/// `ask Marina`, `спросить у Марины`: two or three words, of which the last is a name.
fn is_somebody_to_ask(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const ASKS: [&str; 10] = ["ask", "Ask", "fragen", "frag", "demander", "preguntar", "chiedere", "vragen", "спросить", "спроси"];
    let said = std::str::from_utf8(value).unwrap_or_default();
    let mut words = said.split(' ');
    words.clone().count() <= 3
        && words.next().is_some_and(|first| ASKS.contains(&first))
        && words
            .next_back()
            .is_some_and(|whom| whom.starts_with(char::is_uppercase) && whom.chars().all(char::is_alphabetic))
}
