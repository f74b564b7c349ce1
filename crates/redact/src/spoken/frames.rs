//! Frames of talk that promise a value and nothing else: `log in as ann with the password X`, `パスワードをXに変更`, `enter X as
//! your PIN`, `the temporary password for ann: X`, a table's row `| root password | X |`.
//!
//! - F1  only words stand between a name and its value, and the frame says where the value ends
//! - F2  inside such a frame what shows little is a value: a word with a number, a sign at its end, two words joined

use super::Sort;
use super::joint::{dressing, value_end};
use crate::prose;
use crate::search;
use crate::span::Spans;
use crate::value;

const REACH: usize = 120;

/// Looks at the frames around the name `at..end`; returns whether one holds a value.
pub(crate) fn scan(
    text: &[u8],
    at: usize,
    end: usize,
    sort: Sort,
    kind: &'static str,
    spans: &mut Spans,
) -> bool {
    let found = handed(text, at, end, sort)
        .or_else(|| turned(text, end))
        .or_else(|| owned(text, end))
        .or_else(|| as_such(text, at, sort))
        .or_else(|| beside(text, at, end));
    if let Some((start, stop)) = found {
        spans.add(start, stop, kind, false);
    }
    found.is_some()
}

/// Words before a name that hand its value over; a language is a row.
#[rustfmt::skip]
const WITH: &[&[&str]] = &[
    &["with ", "with the ", "using ", "using the ", "and ", "and the ", "and password ", "use the "],
    &["mit ", "mit dem ", "und ", "und dem "],
    &["avec ", "avec le ", "et ", "et le "],
    &["con ", "con la ", "con el ", "usando la ", "usando ", "y ", "y la "],
    &["com ", "com a ", "usando a ", "e a ", "e "],
    &["con ", "con la ", "usando la ", "e la "],
    &["met ", "met het ", "en ", "en het "],
    &["med ", "och ", "og "],
    &["s ", "se ", "z ", "i ", "a "],
    &["с ", "и ", "под "],
    &["ve "],
    &["和", "与", "用", "と", "及"],
];

/// `log in as ann with password X`, `s heslem X`, `和密码“X”`, `パスワード「X」`: right behind the name.
fn handed(text: &[u8], at: usize, end: usize, sort: Sort) -> Option<(usize, usize)> {
    let before = search::line_before(text, at, 24);
    let said = String::from_utf8_lossy(before).to_lowercase();
    let with = WITH.iter().flat_map(|row| row.iter()).any(|word| {
        said.ends_with(word) && {
            let head = &said[..said.len() - word.len()];
            !word.is_ascii() || head.is_empty() || head.ends_with([' ', ',', '.', '(', '\n'])
        }
    });
    let window = text.get(end..text.len().min(end + REACH))?;
    let drawn = ["「", "『", "“"].iter().any(|sign| window.starts_with(sign.as_bytes()));
    let foreign = !text[at..end].is_ascii();
    // `с паролем X`, `s heslem X`, `med lösenordet X`: the name goes on with its case.
    let case = if foreign || sort == Sort::Password { case_end(window) } else { 0 };
    if !(with && matches!(window.get(case), Some(b' ')) || drawn && foreign) {
        return None;
    }
    let from = case + dressing(&window[case..]);
    let quoted = from > case + 1 || drawn;
    let (start, stop) = (end + from, value_end(text, end + from));
    let word = text.get(start..stop)?;
    shows(word, quoted).then_some((start, whole(text, start, stop)))
}

/// How many letters still belong to the name.
fn case_end(window: &[u8]) -> usize {
    window
        .iter()
        .take(8)
        .take_while(|byte| byte.is_ascii_lowercase() || matches!(byte, 0xC3..=0xD4 | 0x80..=0xBF))
        .count()
}

/// `パスワードをXに変更しました`, `密码改为 X`, `şifresini X olarak değiştirdi`: what a name was turned into.
fn turned(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const TURNS: [&str; 9] = ["を", "改为", "改成", "設定為", "设为", "设置为", "重置为", "更新为", "换成"];
    const DONE: [&str; 5] = ["に変更", "に設定", "にしま", "に更新", "に変え"];
    let window = text.get(end..text.len().min(end + REACH))?;
    if let Some(turn) = TURNS.iter().find(|turn| window.starts_with(turn.as_bytes())) {
        let from = turn.len() + dressing(&window[turn.len()..]);
        let (start, stop) = (end + from, value_end(text, end + from));
        let rest = text.get(stop..)?;
        let rest = rest.strip_prefix("」".as_bytes()).unwrap_or(rest);
        let done = *turn != "を" || DONE.iter().any(|done| rest.starts_with(done.as_bytes()));
        return (done && shows(text.get(start..stop)?, false)).then_some((start, stop));
    }
    let case = case_end(window);
    let from = case + dressing(&window[case..]);
    let (start, stop) = (end + from, value_end(text, end + from));
    let word = text.get(start..stop.max(start))?;
    let done = text.get(stop..)?.starts_with(b" olarak") && from > case;
    (done && shows(word, false)).then_some((start, stop))
}

/// `sudo password for app_rw on cache02: X`, `Enter passphrase for key '/home/ann/.ssh/id': X`, `root pw on db3 = X`: whose it
/// is, a sign, and the value to the end of the line.
fn owned(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const OWNERS: [&str; 16] = [
        " for ",
        " on ",
        " of ",
        " is generated for ",
        " generated for ",
        " für ",
        " auf ",
        " pour ",
        " sur ",
        " para ",
        " per ",
        " voor ",
        " för ",
        " dla ",
        " для ",
        " till ",
    ];
    let line = search::line(text, end, REACH);
    let owner = OWNERS.iter().find(|owner| line.starts_with(owner.as_bytes()))?;
    let sign = [&b": "[..], b" = "]
        .iter()
        .filter_map(|sign| search::find(line, sign).map(|at| (at, sign.len())))
        .min()?;
    let (whose, value) = (&line[owner.len()..sign.0], line[sign.0 + sign.1..].trim_ascii());
    let name = |byte: &u8| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b' ' | b'-' | b'_' | b'.' | b'@' | b'/' | b'\'' | 0x80..)
    };
    let words = memchr::memchr_iter(b' ', whose).count();
    let start = search::offset(text, value);
    (!whose.is_empty()
        && whose.iter().all(name)
        && words <= 4
        && !value.contains(&b' ')
        && shows(value, false))
    .then_some((start, start + value.len()))
}

/// `enter 0549 as your PIN`, `try island= as the password`: what is used as one.
fn as_such(text: &[u8], at: usize, sort: Sort) -> Option<(usize, usize)> {
    const ROLES: [&[u8]; 11] = [
        b" as the ",
        b" as your ",
        b" as my ",
        b" as ",
        b" as password ",
        b" als ",
        b" comme ",
        b" como ",
        b" come ",
        b" som ",
        b" jako ",
    ];
    const VERBS: [&[u8]; 14] = [
        b"use", b"enter", b"try", b"type", b"with", b"put", b"set", b"uses", b"pasted", b"gib", b"nutze",
        b"utilise", b"usa", b"usar",
    ];
    let line = search::line_before(text, at, 80);
    let role = ROLES.iter().filter(|role| line.ends_with(role)).map(|role| role.len()).max()?;
    let said = &line[..line.len() - role];
    let from = memchr::memrchr(b' ', said)? + 1;
    let verb = said[..from - 1].rsplit(|&byte| byte == b' ').next().unwrap_or_default().to_ascii_lowercase();
    let start = search::offset(text, said) + from;
    let start = start + usize::from(matches!(text[start], b'"' | b'\'' | b'`'));
    let stop = value_end(text, start);
    let word = text.get(start..stop)?;
    let code = matches!(sort, Sort::Pin | Sort::Code)
        && (4..=8).contains(&word.len())
        && word.iter().all(u8::is_ascii_digit);
    (VERBS.contains(&verb.as_slice()) && (code || sort == Sort::Password && shows(word, false)))
        .then_some((start, stop))
}

/// `| hasło roota | X |`: a row of two cells, of which the first is the name and no more than three other words.
fn beside(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let before = search::line_before(text, at, 48).strip_prefix(b"| ")?;
    let line = search::line(text, end, REACH).trim_ascii_end();
    let bar = search::find(line, b" | ")?;
    let cell = line[bar + 3..].strip_suffix(b"|")?.trim_ascii();
    let cell = cell.strip_prefix(b"`").and_then(|cell| cell.strip_suffix(b"`")).unwrap_or(cell);
    let letters = |part: &[u8]| {
        part.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'-' | b'\'' | 0x80..))
    };
    let words = |part: &[u8]| part.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).count();
    let named = letters(before) && letters(&line[..bar]) && words(before) + words(&line[..bar]) <= 4;
    let start = search::offset(text, cell);
    let plain = !cell.contains(&b'|') && !cell.contains(&b' ');
    (named && plain && shows(cell, false)).then_some((start, start + cell.len()))
}

/// Whether what stands in a frame is a value; between quotes it need not even be more than a word.
fn shows(word: &[u8], quoted: bool) -> bool {
    if word.len() < 4 || value::is_placeholder(word) || value::is_reference(word) || super::is_state(word) {
        return false;
    }
    // What programs, files and machines are called; hosts and addresses.
    if search::has(word, b"://")
        || word.starts_with(b"/")
        || word.starts_with(b"~")
        || search::has(word, b"[REDACTED")
    {
        return false;
    }
    let traits = value::Traits::of(word);
    let random =
        word.len() >= 12 && crate::chance::is_random(word) && (traits.digits > 0 || traits.symbols > 0);
    value::is_disclosed(word)
        || prose::looks_like_secret(word)
        || prose::looks_joined(word)
        || value::is_chosen(word)
        || random
        || quoted && traits.digits > 0 && traits.letters >= 3 && !prose::is_jargon(word)
}

/// With a sign that belongs to it: `Winter2010!` before the end of what is said.
fn whole(text: &[u8], start: usize, stop: usize) -> usize {
    let sign = matches!(text.get(stop), Some(b'?' | b'*'));
    let ends = matches!(text.get(stop + 1), None | Some(b'.' | b',' | b'"' | b'`' | b')' | b';'));
    stop + usize::from(sign && ends && stop > start)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_frame_holds_a_value() {
        for (text, secret) in [
            ("Přihlas se jako irene s heslem harbor_silver_351.", "harbor_silver_351"),
            ("Заходи под dmitri с паролем Easter@2017, потом поменяй", "Easter@2017"),
            ("请用账号 frank 和密码“Phh744WVQOO9nYeR4eLa9”登录", "Phh744WVQOO9nYeR4eLa9"),
            ("mail2のrootパスワードをOtter2010に変更しました", "Otter2010"),
            ("ログインは postgres、パスワード「nectar84otter」でお願いします", "nectar84otter"),
            ("Melde dich als guest mit dem Kennwort „Blumentopf_6334“ an.", "Blumentopf_6334"),
            ("enter 0549 as your PIN and press OK", "0549"),
            ("Noah: try island= as the password", "island="),
            ("A temporary password is generated for jdoe@proxy1: t9Kd2mQ7xw", "t9Kd2mQ7xw"),
            ("root pw on build7 = harbor_silver_351", "harbor_silver_351"),
            ("| hasło roota | S3cr3t#68 |", "S3cr3t#68"),
            ("| пароль root | orbit_otter_75 |", "orbit_otter_75"),
            ("mail2 üzerindeki root şifresini Otter2022? olarak değiştirdi", "Otter2022"),
        ] {
            assert!(found(text).iter().any(|found| found.starts_with(secret)), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn a_frame_of_words_holds_none() {
        for text in [
            "log in with the password manager",
            "sign in with a password or a passkey",
            "Melde dich mit dem Passwort der Firma an.",
            "the token for web01: expired",
            "password for ann@river.example: ",
            "use the id as the key",
            "enter your mail as the password hint",
            "| root password | rotated |",
            "| Passwort | Pflichtfeld |",
            "パスワードを変更しました",
            "密码改为必填",
            "connect with passwords disabled",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
