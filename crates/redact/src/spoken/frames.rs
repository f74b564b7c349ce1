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

/// Looks at the frames around the name `at..end`.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, sort: Sort, kind: &'static str, spans: &mut Spans) {
    let line = search::line(text, end, REACH);
    if sort == Sort::Entry {
        if let Some((start, stop)) = asked(text, line, end, Sort::Code) {
            spans.add(start, stop, kind, false);
        }
        return;
    }
    // Hot path: most names are a program's, and stand between its signs.
    let spoken = at.checked_sub(1).is_some_and(|at| matches!(text[at], b' ' | 0x80..));
    let goes_on = line.first().is_some_and(|byte| matches!(byte, b' ' | b'a'..=b'z' | 0x80..));
    let blank = line.first() == Some(&b' ');
    let found = (spoken.then(|| handed(text, at, end, sort)).flatten())
        .or_else(|| (goes_on && sort == Sort::Password).then(|| turned(text, at, end)).flatten())
        .or_else(|| blank.then(|| owned(text, line, sort)).flatten())
        .or_else(|| (spoken || text[..at].ends_with(b"[")).then(|| as_such(text, at, end, sort)).flatten())
        .or_else(|| line.contains(&b'|').then(|| beside(text, at, line)).flatten())
        .or_else(|| blank.then(|| bracketed(text, end, sort)).flatten())
        .or_else(|| asked(text, line, end, sort))
        .or_else(|| grouped(text, line, (at, end), sort))
        .or_else(|| direct(text, line, (at, end)))
        .or_else(|| blank.then(|| qualified(text, line, sort)).flatten())
        .or_else(|| stated(text, line, sort));
    // A key is called by more names than a password.
    let drawn = |&(start, stop): &(usize, usize)| sort != Sort::Key || is_drawn(&text[start..stop]);
    if let Some((start, stop)) = found.filter(drawn) {
        spans.add(start, stop, kind, false);
    }
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
    &["s ", "se ", "z "],
    &["с ", "и ", "под "],
    &["ve "],
    &["和", "与", "用", "と", "及"],
];

/// `log in as ann with password X`, `s heslem X`, `和密码“X”`, `パスワード「X」`: right behind the name.
fn handed(text: &[u8], at: usize, end: usize, sort: Sort) -> Option<(usize, usize)> {
    // `install and pin it`, `secrets and pass them on`.
    if !matches!(sort, Sort::Password | Sort::Key) || text[at..end].eq_ignore_ascii_case(b"pass") {
        return None;
    }
    let window = text.get(end..text.len().min(end + REACH))?;
    let foreign = !text[at..end].is_ascii();
    let drawn = foreign && ["「", "『", "“"].iter().any(|sign| window.starts_with(sign.as_bytes()));
    // `с паролем X`, `s heslem X`, `med lösenordet X`: the name goes on with its case.
    let case = if foreign || sort == Sort::Password { case_end(window) } else { 0 };
    if !drawn && window.get(case) != Some(&b' ') {
        return None;
    }
    let from = case + dressing(&window[case..]);
    let quoted = from > case + 1 || drawn;
    let (start, stop) = (end + from, value_end(text, end + from));
    let word = text.get(start..stop)?;
    // Hot path: behind most names stands a word.
    let plain = word.iter().all(u8::is_ascii_lowercase) && word.len() < 5;
    (!plain && shows(word, quoted) && (drawn || is_handed_over(text, at)))
        .then_some((start, whole(text, start, stop)))
}

/// Whether such a word stands before the name at `at`.
fn is_handed_over(text: &[u8], at: usize) -> bool {
    let said = String::from_utf8_lossy(search::line_before(text, at, 24)).to_lowercase();
    WITH.iter().flat_map(|row| row.iter()).any(|word| {
        said.ends_with(word) && {
            let head = &said[..said.len() - word.len()];
            !word.is_ascii() || head.is_empty() || head.ends_with([' ', ',', '.', '(', '\n'])
        }
    })
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
fn turned(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    const TURNS: [&str; 9] = ["を", "改为", "改成", "設定為", "设为", "设置为", "重置为", "更新为", "换成"];
    const DONE: [&str; 5] = ["に変更", "に設定", "にしま", "に更新", "に変え"];
    /// `portal password reset to X by Ben`, `replace the old password with X in …`.
    const ENGLISH: [&[u8]; 7] =
        [b" reset to ", b" changed to ", b" set to ", b" rotated to ", b" updated to ", b" with ", b" by "];
    let window = text.get(end..text.len().min(end + REACH))?;
    if let Some(turn) = ENGLISH.iter().find(|turn| window.starts_with(turn)) {
        let said = search::line_before(text, at, 40).to_ascii_lowercase();
        let replaced = !matches!(*turn, b" with " | b" by ") || search::has(&said, b"eplace the ");
        let (start, stop) = word(text, end + turn.len());
        let value = text.get(start..stop)?;
        return (replaced && (value::is_disclosed(value) || prose::looks_like_secret(value)))
            .then_some((start, stop));
    }
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
fn owned(text: &[u8], line: &[u8], sort: Sort) -> Option<(usize, usize)> {
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
    // `hasło tymczasowe: X`: of which sort it is.
    let sorted = |colon: &usize| sort == Sort::Password && *colon > 0 && line[0] == b' ';
    if let Some(colon) = search::find(line, b": ").filter(sorted) {
        let (sort, value) = (&line[..colon], line[colon + 2..].trim_ascii());
        let words = memchr::memchr_iter(b' ', sort).count();
        let letters = sort.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b' ' | 0x80..));
        if !value.is_empty() && words <= 2 && letters && !value.contains(&b' ') && value::is_disclosed(value)
        {
            let start = search::offset(text, value);
            return Some((start, start + value.len()));
        }
    }
    let owner = OWNERS.iter().find(|owner| line.starts_with(owner.as_bytes()))?;
    let sign = [&b": "[..], b" = "]
        .iter()
        .filter_map(|sign| search::find(line, sign).map(|at| (at, sign.len())))
        .min()?;
    let (whose, value) = (&line[owner.len()..sign.0], line[sign.0 + sign.1..].trim_ascii());
    let value = value.strip_suffix(b".").unwrap_or(value);
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
fn as_such(text: &[u8], at: usize, end: usize, sort: Sort) -> Option<(usize, usize)> {
    const ROLES: [&[u8]; 13] = [
        b" into [",
        b" into the ",
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
    const VERBS: [&[u8]; 16] = [
        b"typed", b"filled", b"use", b"enter", b"try", b"type", b"with", b"put", b"set", b"uses", b"pasted",
        b"gib", b"nutze", b"utilise", b"usa", b"usar",
    ];
    let line = search::line_before(text, at, 80);
    let role = ROLES.iter().filter(|role| line.ends_with(role)).map(|role| role.len()).max()?;
    let said = &line[..line.len() - role];
    // `use koala basket rocket harbor as the passphrase`.
    if text[at..end].ends_with(b"phrase") {
        let verb = VERBS
            .iter()
            .filter_map(|verb| memchr::memmem::rfind(said, verb).map(|at| at + verb.len() + 1))
            .max()?;
        let words = said.get(verb..)?.trim_ascii();
        let start = search::offset(text, words);
        if value::is_drawn(words) {
            return Some((start, start + words.len()));
        }
    }
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

/// A value and where it ends, behind what it is dressed in.
fn word(text: &[u8], from: usize) -> (usize, usize) {
    let start = from + dressing(text.get(from..text.len().min(from + REACH)).unwrap_or_default());
    (start, whole(text, start, value_end(text, start)))
}

/// `rotate wifi password (currently X)`, `the admin password (X)`: right behind the name, and nothing else there.
fn bracketed(text: &[u8], end: usize, sort: Sort) -> Option<(usize, usize)> {
    const SINCE: [&[u8]; 6] = [b"currently ", b"now ", b"was ", b"temp: ", b"old: ", b"aktuell "];
    if sort != Sort::Password {
        return None;
    }
    let inside = text.get(end..text.len().min(end + REACH))?.strip_prefix(b" (")?;
    let since = SINCE.iter().find(|since| inside.starts_with(since)).map_or(0, |since| since.len());
    let (start, stop) = word(text, end + 2 + since);
    let value = text.get(start..stop)?;
    let closes = matches!(text.get(stop..stop + 2), Some([b')', _] | [b'`' | b'"', b')']))
        || text.get(stop) == Some(&b')');
    (closes && (value::is_disclosed(value) || since > 0 && shows(value, false))).then_some((start, stop))
}

/// `which secret does it use?⏎Ann: X`, `what's the code?⏎Ben: it's 9906-1581`: all that the answer says.
fn asked(text: &[u8], line: &[u8], end: usize, sort: Sort) -> Option<(usize, usize)> {
    const OPENS: [&[u8]; 6] = [b"it's ", b"it is ", b"its ", b"sure, ", b"sure: ", b"try "];
    if !line.trim_ascii_end().ends_with(b"?") || line.contains(&b'{') || prose::is_of_another(line) {
        return None;
    }
    let from = end + line.len() + 1;
    let turn = search::line(text, from, REACH);
    let said = prose::speaker(turn);
    // `密码是多少?⏎Frank:X`: no blank behind who says it.
    let name =
        || turn.iter().take(24).take_while(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count();
    let tight = if said == 0 && !line.is_ascii() { name() } else { 0 };
    let said = if tight > 0 && turn.get(tight) == Some(&b':') { tight + 1 } else { said };
    let rest = turn.get(said..)?.trim_ascii();
    let opened =
        OPENS.iter().find(|open| rest.to_ascii_lowercase().starts_with(open)).map_or(0, |open| open.len());
    let value = rest[opened..].trim_ascii();
    let value = value.strip_suffix(b".").unwrap_or(value);
    if value.is_empty() {
        return None;
    }
    let start = search::offset(text, value);
    let digest = matches!(value.len(), 40 | 64) && value::is_hex(value);
    let code = sort == Sort::Code && value::is_code_in_groups(value);
    (said > 0
        && !digest
        && !value.contains(&b' ')
        && (code || sort == Sort::Password && shows(value, false) || sort == Sort::Key && is_drawn(value)))
    .then_some((start, start + value.len()))
}

/// `Misafir wifi şifresi X`: a name of another tongue, its value, and nothing else on the line but two or three words.
fn direct(text: &[u8], line: &[u8], (at, end): (usize, usize)) -> Option<(usize, usize)> {
    if text[at..end].is_ascii() {
        return None;
    }
    let case = case_end(line);
    let word = line.get(case..)?.strip_prefix(b" ")?.trim_ascii_end();
    let before = search::line_before(text, at, 48);
    // Who says it.
    let before = before.strip_prefix(b"\n").unwrap_or(before);
    let before = &before[prose::speaker(before)..];
    let words = before.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b'-' | 0x80..));
    let few = memchr::memchr_iter(b' ', before).count() <= 3 && (before.is_empty() || words);
    let start = search::offset(text, line) + case + 1;
    (few && !word.is_empty() && !word.contains(&b' ') && value::is_disclosed(word))
        .then_some((start, start + word.len()))
}

/// `la contraseña temporal X y …`, `le mot de passe provisoire X`, `hasło tymczasowe X`: an adjective behind its name.
fn qualified(text: &[u8], line: &[u8], sort: Sort) -> Option<(usize, usize)> {
    #[rustfmt::skip]
    const QUALITIES: [&str; 22] = [
        " temporal ", " provisional ", " nueva ", " inicial ", " actual ", " provisoire ", " temporaire ", " actuel ", " initial ", " provvisoria ", " temporanea ", " nuova ", " iniziale ", " attuale ",
        " temporária ", " provisória ", " nova ", " atual ", " tymczasowe ", " nowe ", " temporară ", " nouă ",
    ];
    let quality = QUALITIES.iter().find(|quality| line.starts_with(quality.as_bytes()))?;
    let (start, stop) = word(text, search::offset(text, line) + quality.len());
    let value = text.get(start..stop)?;
    (sort == Sort::Password && value::is_disclosed(value)).then_some((start, stop))
}

/// `Ihre TAN für die Überweisung von 1.240,00 EUR lautet 845212.`: behind a verb that only says what something is.
fn stated(text: &[u8], line: &[u8], sort: Sort) -> Option<(usize, usize)> {
    const VERBS: [&[u8]; 5] = [b" lautet: ", b" lautet ", b" lyder ", b" luidt ", b" brzmi "];
    if !matches!(sort, Sort::Pin | Sort::Code) {
        return None;
    }
    let from = VERBS.iter().find_map(|verb| search::find(line, verb).map(|at| at + verb.len()))?;
    let (start, stop) = word(text, search::offset(text, line) + from);
    let value = text.get(start..stop)?;
    ((4..=8).contains(&value.len()) && value.iter().all(u8::is_ascii_digit)).then_some((start, stop))
}

/// `use code DXKL-VMQN to open it`, `one-time code BBK3-DX4X issued`, `backup code for it is 481-610`: groups of a code.
fn grouped(text: &[u8], line: &[u8], (at, end): (usize, usize), sort: Sort) -> Option<(usize, usize)> {
    const JOINTS: [&[u8]; 7] = [b" is ", b" was ", b": ", b" = ", b" to ", b" ist ", b" est "];
    let once = || text[..at].ends_with(b"one-time ") || text[..at].ends_with(b"One-time ");
    let coded = matches!(sort, Sort::Code | Sort::Pin | Sort::Codes) || sort == Sort::Password && once();
    if !coded {
        return None;
    }
    let line = &line[..line.len().min(64)];
    let from = line.iter().position(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())?;
    let between = &line[..from];
    let plain = between
        .iter()
        .all(|byte| byte.is_ascii_lowercase() || matches!(byte, b' ' | b':' | b'=' | b'"' | b'`'));
    let joined = between == b" " || JOINTS.iter().any(|joint| between.ends_with(joint));
    let start = end + from;
    let stop = value_end(text, start);
    let pair = super::pair_end(text, start, stop);
    let stop = if pair > stop && between != b" " { pair } else { stop };
    // `Set the PIN on the phone to 6119 this morning`.
    let set = || {
        let verb = search::line_before(text, at, 40).to_ascii_lowercase();
        let word = &text[start..stop];
        [&b"set the "[..], b"changed the ", b"reset the "].iter().any(|set| search::has(&verb, set))
            && between.ends_with(b" to ")
            && (4..=8).contains(&word.len())
            && word.iter().all(u8::is_ascii_digit)
    };
    let halves = stop == pair && stop - start == 9 && text[start + 4] == b' ';
    (plain && joined && (value::is_code_in_groups(&text[start..stop]) || halves || set()))
        .then_some((start, stop))
}

/// `| hasło roota | X |`: a row of two cells, of which the first is the name and no more than three other words.
fn beside(text: &[u8], at: usize, line: &[u8]) -> Option<(usize, usize)> {
    let before = search::line_before(text, at, 48).strip_prefix(b"| ")?;
    let line = line.trim_ascii_end();
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
    if word.len() < 4
        || word.iter().all(u8::is_ascii_lowercase) && !value::is_disclosed(word)
        || value::is_placeholder(word)
        || value::is_reference(word)
        || super::is_state(word)
    {
        return false;
    }
    // What programs, files and machines are called; hosts and addresses.
    if search::has(word, b"://")
        || word.starts_with(b"/")
        || word.starts_with(b"~")
        || word.starts_with(b"{")
        || search::has(word, b"[REDACTED")
    {
        return false;
    }
    // Words of a tongue with letters of its own, and such letters escaped.
    let plain = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii() || *byte == b'-';
    if !word.is_ascii() && word.iter().all(plain) || word.contains(&b'\\') {
        return false;
    }
    let traits = value::Traits::of(word);
    let random =
        word.len() >= 12 && crate::chance::is_random(word) && (traits.digits > 0 || traits.symbols > 0);
    // `V3r@n077`: of all sorts.
    let every = word.len() >= 8
        && traits.uppers > 0
        && traits.uppers < traits.letters
        && traits.digits > 0
        && traits.symbols > 0
        && !word.iter().any(|byte| matches!(byte, b'/' | b'(' | b':' | b'<' | b'='));
    every
        || value::is_disclosed(word)
        || prose::looks_like_secret(word)
        || prose::looks_joined(word)
        || value::is_chosen(word)
        || random
        || quoted && traits.digits > 0 && traits.letters >= 3 && !prose::is_jargon(word)
}

/// What nobody would call a format or a method by.
fn is_drawn(word: &[u8]) -> bool {
    let traits = value::Traits::of(word);
    value::is_disclosed(word)
        || word.len() >= 12 && crate::chance::is_random(word) && traits.digits + traits.symbols > 0
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
            ("Noah: try harbor_silver_351 as the password", "harbor_silver_351"),
            ("A temporary password is generated for jdoe@proxy1: t9Kd2mQ7xw", "t9Kd2mQ7xw"),
            ("root pw on build7 = harbor_silver_351", "harbor_silver_351"),
            ("use koala basket rocket harbor as the passphrase", "koala basket rocket harbor"),
            ("customer's portal password reset to tunnel97 by Ben.", "tunnel97"),
            ("Please replace the old pass with Feather+ in the config", "Feather+"),
            ("- [ ] rotate wifi password (currently zebra_pickle_866)", "zebra_pickle_866"),
            ("Hugo: which session secret does it use?\nGita: Sunset-Valley24\n", "Sunset-Valley24"),
            ("Noah: I'm at the back door, what's the code?\nJonas: it's 4V7D-38BB\n", "4V7D-38BB"),
            ("use code DXKL-VMQN to open the garage", "DXKL-VMQN"),
            ("INFO device login: one-time code BBK3-DX4X issued to gina", "BBK3-DX4X"),
            ("My backup code for mysql is 099-141, keep it safe.", "099-141"),
            ("Zaloguj się jako kmeier, hasło tymczasowe: bridge_glacier_446\n", "bridge_glacier_446"),
            ("the one-time password that arrived by text was FMHW-RFGF", "FMHW-RFGF"),
            ("Set the PIN on the phone to 6119 this morning.", "6119"),
            ("Noah:zabbix的密码是多少?\nFrank:ember_basket_367\n", "ember_basket_367"),
            ("Misafir wifi şifresi tiger_island_779", "tiger_island_779"),
            (
                "| åtkomsttoken | bb832e6c-ab65-4442-afbe-9d34bc8a922d |",
                "bb832e6c-ab65-4442-afbe-9d34bc8a922d",
            ),
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
            "the admin password (see web01)",
            "error code INC-4471 came back",
            "what is the password policy?\nAnn: rotated\n",
            "password reset to default by Ben",
            "Set the PIN on the board to 13.",
            "Şifre değiştirildi",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
