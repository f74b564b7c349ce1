//! Names as people say them, in many languages: `Das Passwort lautet …`, `Mot de passe : …`, `密码是 …`,
//! `your verification code is …`.
//!
//! Behind such a name a few words may follow, then a sign or a word that joins (`:`, `=`, `est`, `是`), then the
//! value. The value must show itself, since the same words stand in every form and help page.

mod about;
mod accept;
mod joint;
mod later;
pub(crate) mod list;
pub(crate) mod moved;
pub(crate) use self::about::is_counted;
use self::about::{before as told_before, is_of_network, is_technical, name_end};
pub(crate) use self::accept::is_name_itself;
use self::accept::{accepts, is_said};
pub(crate) use self::doors::opens;
#[cfg(test)]
pub(crate) use self::joint::is_joined;
pub(crate) use self::joint::value_end;
use self::joint::{joint, pair_end, second};
pub(crate) use self::serials::is_license;
mod answer;
mod before;
mod changed;
mod codes;
mod doors;
pub(crate) mod follow;
pub(crate) mod frames;
mod names;
mod notes;
pub(crate) use self::notes::is_state;
mod phrases;
mod pin;
mod serials;
mod verses;
pub(crate) use self::names::{NAMES, is_called, is_name, names_within};
use crate::names::{Name, Trust};
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::value;

/// How much of a heading, and of the line above it, is looked at.
const REACH_OF_HEAD: usize = 256;
/// What answers for a key are judged by.
const TOKEN: Name = Name { kind: "api_key", trust: Trust::Secret };

/// What a spoken name names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    Password,
    Key,
    Code,
    /// Codes for the day on which the telephone is lost: a list.
    Codes,
    /// A word for "code": what it opens must be named too.
    Entry,
    /// A code of digits whose name is one word: `PIN 8340`.
    Pin,
    /// What a vendor prints on a box.
    Serial,
    /// A word that is asked for on the telephone.
    Word,
    /// A login that is changed from what to what.
    Login,
    /// `WiFi: NAME / X`, `Guest wifi (NAME) is X`.
    Network,
    /// What only the account's owner knows: the rest of the line.
    Answer,
}

impl Sort {
    /// Whether its values have digits, and stand near.
    pub(crate) fn is_of_digits(self) -> bool {
        matches!(self, Self::Entry | Self::Pin | Self::Serial)
    }
}

/// Looks for the value of the spoken name `at..end`.
pub(crate) fn scan(text: &[u8], sort: Sort, at: usize, end: usize, floor: &mut usize, spans: &mut Spans) {
    let Some(end) = name_end(text, sort, at, end) else { return };
    // `?return=%2Fpasswort%2Frichtlinie&state=X`: a part of a path.
    if text[end..].starts_with(b"%2F") {
        return;
    }
    if sort == Sort::Password && (is_how(text, at, end) || is_place(text, at, end)) {
        return;
    }
    if matches!(sort, Sort::Password | Sort::Key | Sort::Pin | Sort::Code | Sort::Codes | Sort::Entry) {
        frames::scan(text, at, end, sort, kind(sort), spans);
    }
    match sort {
        Sort::Pin => return pin::pin(text, at, end, spans),
        Sort::Network => return network(text, at, end, spans),
        Sort::Answer => return answer::scan(text, at, end, spans),
        Sort::Word => return answer::word(text, at, end, spans),
        Sort::Entry => return entry(text, at, end, spans),
        Sort::Codes => return recovery(text, at, end, spans),
        Sort::Login => return login(text, end, spans),
        // The key of a network is a password.
        Sort::Key if is_of_network(text, at) => return scan(text, Sort::Password, at, end, floor, spans),
        Sort::Password | Sort::Key => {
            let asked = (sort == Sort::Key).then(|| prose::answered_with_token(text, end, TOKEN)).flatten();
            let beside = || (sort == Sort::Password).then(|| prose::behind_comma(text, at, end)).flatten();
            let groups = (sort == Sort::Key && text[end..].starts_with(b": "))
                .then(|| prose::grouped(text, end, Name { kind: "key", trust: Trust::Secret }))
                .flatten();
            if sort == Sort::Key {
                crate::keyvalue::seed_below(text, end, spans);
            }
            let asked = asked.or(groups);
            if let Some((start, stop)) = asked.or_else(|| notes::adjacent(text, sort, end)).or_else(beside) {
                return spans.add(start, stop, kind(sort), false);
            }
        }
        Sort::Code if is_done(text, at, end, spans) => return,
        Sort::Serial => return serial(text, at, end, spans),
        Sort::Code if found_code(text, at, end, spans) => return,
        Sort::Code => {}
    }
    if sort == Sort::Password && around_password(text, at, end, floor, spans) {
        return;
    }
    if sort == Sort::Code
        && let Some((start, stop)) = later::later(text, end)
    {
        return spans.add(start, stop, kind(sort), false);
    }
    if sort == Sort::Password && moved::scan(text, end, spans) {
        return;
    }
    let Some(joint) = joint(text, at, end) else { return };
    let stop = value_end(text, joint.start);
    let stop = if sort == Sort::Code { pair_end(text, joint.start, stop) } else { stop };
    if sort == Sort::Password
        && let Some(stop) = accept::fives_end(text, joint.start)
    {
        return spans.add(joint.start, stop, kind(sort), false);
    }
    let (start, stop) = if is_said(sort, &joint, &text[joint.start..stop]) {
        (joint.start, stop)
    } else {
        second(text, sort, joint.start, stop).unwrap_or((joint.start, stop))
    };
    let (start, stop) = monospaced(text, start, stop).unwrap_or((start, stop));
    if !is_otherwise(text, sort, at, end, (start, stop))
        && is_value(text, sort, (at, end), &joint, (start, stop))
    {
        spans.add(start, stop, kind(sort), false);
    }
}

/// Whether what stands behind the name means something else: a booking, a time, a state, a number of a list.
fn is_otherwise(text: &[u8], sort: Sort, at: usize, end: usize, (start, stop): (usize, usize)) -> bool {
    // A reservation has one too, of letters.
    let booked =
        text[at..end].starts_with(b"confirmation") && !text[start..stop].iter().all(u8::is_ascii_digit);
    // `12 laps: 3m20s44`.
    if text[at..end].eq_ignore_ascii_case(b"laps") && &text[at..end] != b"LAPS" {
        return true;
    }
    // `Tamper protection: Policy-2`: what is on, or how.
    let feature = text[at..end].eq_ignore_ascii_case(b"tamper protection")
        || text[at..end].eq_ignore_ascii_case(b"manipulationsschutz");
    if feature && !crate::chance::is_random(&text[start..stop]) {
        return true;
    }
    let measured = sort == Sort::Code && later::is_measured(text, stop);
    if booked || measured || is_counted(text, at, &text[start..stop]) {
        return true;
    }
    false
}

/// Whether it looks as what the name names, or as only that can look there.
fn is_value(
    text: &[u8],
    sort: Sort,
    (at, end): (usize, usize),
    joint: &joint::Joint,
    (start, stop): (usize, usize),
) -> bool {
    // A program's own label, and no sentence's.
    let label = text[at..end].len() == 11 && text[at..end].ends_with(b"ontent")
        || text[at..end].ends_with("chlüsselinhalt".as_bytes());
    let shown = label && stop - start >= 8 && matches!(text.get(stop), None | Some(b'\n' | b'\r'));
    let shown = shown
        || sort == Sort::Password
            && text[end..joint.start].contains(&b':')
            && is_field(text, at, stop)
            && (value::is_choosable(&text[start..stop]) || accept::is_halved(&text[start..stop]))
            && !notes::is_state(&text[start..stop])
            && !is_name_itself(&text[start..stop]);
    // `Kenncode: T7pkw2` of a meeting.
    let meeting = text[at..end].eq_ignore_ascii_case(b"kenncode")
        && (6..=10).contains(&(stop - start))
        && text[start..stop].iter().all(u8::is_ascii_alphanumeric)
        && text[start..stop].iter().any(u8::is_ascii_digit);
    let network = prose::ends_in(&text[at..end], "schlüssel".as_bytes())
        && (8..=32).contains(&(stop - start))
        && text[start..stop].iter().all(u8::is_ascii_digit);
    // `пароль от сейфа: 4471`, `현관 비밀번호는 4471`.
    let word = &text[start..stop];
    let opening = sort == Sort::Password
        && (4..=8).contains(&word.len())
        && word.iter().all(u8::is_ascii_digit)
        && opens(&text[at.saturating_sub(24)..start]);
    // `das Passwort dazu lautet leuchtturm-ro.`: this verb is followed by nothing else.
    let stated = sort == Sort::Password
        && [&b" lautet "[..], b" lyder ", b" brzmi ", b" luidt "]
            .iter()
            .any(|verb| text[..start].ends_with(verb))
        && matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r'))
        && value::is_choosable(word)
        && (word.len() >= 10 || word.iter().any(|byte| !byte.is_ascii_lowercase()));
    let digits = sort == Sort::Password
        && accept::is_digits(word)
        && (joint.verb || text[end..start].contains(&b':'))
        && matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r' | 0x80..));
    opening
        || digits
        || stated
        || network
        || meeting
        || shown
        || accepts(sort, &text[start..stop])
        || is_said(sort, joint, &text[start..stop])
}

/// A key as makers print them: beside its name, or in its column.
fn serial(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    // `Programm   Lizenzschlüssel`; a column of serials says which machine.
    if matches!(text.get(end), Some(b' ' | b'\n')) && prose::ends_in(&text[at..end], "schlüssel".as_bytes())
    {
        let name = Name { kind: "license_key", trust: Trust::Secret };
        crate::aligned::scan(text, at, end, name, spans);
    }
    serials::serial(text, at, end, spans);
}

/// A code in a column, asked for, of a form of its own, in a list, near its name: true if there is no more to look for.
fn found_code(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> bool {
    // `Raum       Türcode`.
    if matches!(text.get(end), None | Some(b' ' | b'\n')) {
        let name = Name { kind: "pin", trust: Trust::Weak };
        crate::aligned::scan(text, at, end, name, spans);
    }
    if let Some((start, stop)) = codes::asked(text, at, end) {
        spans.add(start, stop, kind(Sort::Code), false);
        return true;
    }
    codes::of_own_form(text, at, end, spans);
    if let Some((start, stop)) = codes::behind(text, end) {
        spans.add(start, stop, kind(Sort::Code), false);
        return true;
    }
    if let Some((start, stop)) = codes::paired(text, at, end) {
        spans.add(start, stop, kind(Sort::Code), false);
        return true;
    }
    codes::list(text, end, spans);
    if let Some((start, stop)) = codes::near(text, codes::between(&text[at..end]), end) {
        spans.add(start, stop, kind(Sort::Code), false);
        return true;
    }
    false
}

/// `Codice di recupero: RB-40718-22953`: one beside its name, and a list below. What the list finds says nothing of the one.
fn recovery(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    prose::code_list(text, end, spans);
    let Some(start) = joint::value_start(text, at, end) else { return };
    let stop = value_end(text, start);
    let word = &text[start..stop];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let plain = word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'-');
    if plain
        && (10..=40).contains(&word.len())
        && digits * 2 >= word.len()
        && word.contains(&b'-')
        && !value::is_placeholder(word)
    {
        spans.add(start, stop, kind(Sort::Codes), false);
    }
}

/// A login that is asked for, that changes, that is told.
fn login(text: &[u8], end: usize, spans: &mut Spans) {
    if let Some((start, stop)) = prose::answered(text, end) {
        spans.add(start, stop, kind(Sort::Login), false);
    } else if !changed::scan(text, end, changed::Old::Anything, spans) {
        crate::login::pair(text, end, spans);
    }
}

/// What no joint joins with a password's name: true if there is no more to look for.
fn around_password(text: &[u8], at: usize, end: usize, floor: &mut usize, spans: &mut Spans) -> bool {
    crate::asked::twice(text, end, kind(Sort::Password), spans);
    list::below(text, at, end, spans);
    heads(text, at, end, spans);
    prose::strong(text, end, floor, spans);
    if list::scan(text, end, spans) {
        return true;
    }
    if let Some((start, stop)) = notes::of_thing(text, end)
        .or_else(|| verses::scan(text, at, end))
        .or_else(|| before::scan(text, at, end))
    {
        spans.add(start, stop, kind(Sort::Password), false);
        return true;
    }
    talked_of(text, end, spans) || !text[..end].ends_with(b" to") && phrases::quoted(text, end, spans)
}

/// `||Outil||Compte||Mot de passe||`: the first line of a table.
fn heads(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let parts = |byte: Option<&u8>| {
        byte.is_some_and(|byte| matches!(byte, b'|' | b'\t' | b';' | b',' | b'\n' | b' '))
    };
    let opens = at == 0 || parts(text.get(at - 1));
    if !opens || !parts(text.get(end)) || text.get(end) == Some(&b' ') && text.get(end + 1) != Some(&b'|') {
        return;
    }
    let window = &text[at.saturating_sub(REACH_OF_HEAD)..at];
    let line = crate::search::last_line(window);
    let above = crate::search::last_line(window[..window.len() - line.len()].trim_ascii_end());
    let sign = line.iter().rev().chain(&text[end..text.len().min(end + 2)]).find(|byte| **byte != b' ');
    // A row of another table is none of its headings.
    if sign.is_some_and(|sign| !above.contains(sign)) {
        crate::table::scan(text, at, end, Name { kind: "password", trust: Trust::Password }, spans);
    }
}

/// `{{X}}`, as some trackers set what is to be copied; a template has a name there.
fn monospaced(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    let inside = text[start..stop].strip_prefix(b"{{")?.strip_suffix(b"}}")?;
    let digits = inside.iter().filter(|byte| byte.is_ascii_digit()).count();
    let named = inside
        .iter()
        .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'_' | b'.'));
    let signed = inside
        .iter()
        .any(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+'));
    let random = inside.len() >= 16 && digits >= 2 && crate::chance::is_random(inside);
    (digits > 0 && !named && (signed || random)).then_some((start + 2, stop - 2))
}

/// Whether a code was found by what stands beside its name, or opens nothing.
fn is_done(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> bool {
    // `.combinations(100, 1999)`.
    let called = text.get(end) == Some(&b'(') && at > 0 && text[at - 1] == b'.';
    called
        || host_key(text, at, end, spans)
        || codes::sent(text, at, end, spans)
        || told_before(text, at, spans)
        || is_technical(text, at, end)
        || changed::scan(text, end, changed::Old::Digits, spans)
}

/// `Host key: 508868`, `Host key for Ann: 346470` of a meeting; another host's has no number. True for each of that name.
fn host_key(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> bool {
    const LONG: usize = 6;
    static MEETINGS: Words<3> = Words::new([b"zoom", b"meeting", b"webex"]);
    if !text[at..end].eq_ignore_ascii_case(b"host key") {
        return false;
    }
    let line = crate::search::line(text, end, 48);
    let joint = memchr::memmem::find(line, b": ").filter(|&at| at == 0 || line.starts_with(b" for "));
    let joint = joint.map(|at| at + 2).or((line.first() == Some(&b' ')).then_some(1));
    let digits = |at: &usize| {
        let rest = line[*at..].trim_ascii_end();
        rest.len() == LONG && rest.iter().all(u8::is_ascii_digit)
    };
    if let Some(joint) = joint.filter(digits)
        && MEETINGS.within(crate::search::before(text, at, 240))
    {
        spans.add(end + joint, end + joint + LONG, kind(Sort::Code), false);
    }
    true
}

/// A code, and what it opens: a network, a list of rooms, a door.
fn entry(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    if text[..end].ends_with(b" with") {
        phrases::told(text, end, spans);
    }
    if let Some((start, stop)) = codes::keyed(text, at, end) {
        return spans.add(start, stop, kind(Sort::Entry), false);
    }
    if let Some((start, stop)) = codes::of_network(text, at, end) {
        return spans.add(start, stop, "password", false);
    }
    if is_yours(text, at, end) && told_before(text, at, spans) {
        return;
    }
    codes::row(text, at, end, spans);
    doors::entry(text, at, end, spans);
}

/// `482913 is your Otter code`: who sends it stands between.
fn is_yours(text: &[u8], at: usize, end: usize) -> bool {
    if !text[at..end].eq_ignore_ascii_case(b"code") {
        return false;
    }
    let line = crate::search::last_line(&text[at.saturating_sub(40)..at]);
    crate::work::read(line.len());
    // Hot path: programs and pages are full of this word, and few lines have the rarest letter.
    let yours = |&at: &usize| line[at..].starts_with(b"your ") && line[..at].ends_with(b" is ");
    memchr::memrchr_iter(b'y', line).find(yours).is_some_and(|at| {
        line[at..].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-'))
    }) && !about::technical_before(text, at)
}

/// `パスは src/main2.rs`: the same word is short for a path.
fn is_place(text: &[u8], at: usize, end: usize) -> bool {
    if !text[at..end].starts_with("パスは".as_bytes()) {
        return false;
    }
    let long =
        text[end..].iter().take(64).take_while(|byte| byte.is_ascii_graphic() || **byte == b' ').count();
    text[end..end + long].iter().any(|byte| matches!(byte, b'.' | b'/' | b'\\' | b':'))
}

/// What stands behind a network, or is asked for: "c'est quoi le code wifi⏎Eve: X".
fn network(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    match code_asked(text, at, end) {
        Some((start, stop)) => spans.add(start, stop, "password", false),
        None => notes::network(text, at, end, spans),
    }
}

/// What opens a network is called a code too, and so is a program's text, in English alone.
fn code_asked(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    const ASKED: [&[u8]; 5] = [b"le code", b" kod", b"what's the w", b"wlan-code", b"el c\xC3\xB3digo"];
    let from = at - crate::search::last_line(&text[at.saturating_sub(40)..at]).len();
    let rest = &text[end..text.len().min(end + 24)];
    let line = &text[from..end + memchr::memchr(b'\n', rest)?];
    crate::work::read(line.len());
    let code = ASKED.iter().any(|word| crate::search::has(line, word)) && crate::search::has(line, b"od");
    code.then(|| prose::answered(text, end)).flatten()
}

/// `encrypted with AES256`: how, and not by what.
fn is_how(text: &[u8], at: usize, end: usize) -> bool {
    let name = text[at..end].to_ascii_lowercase();
    let by = [&b" with"[..], b" mit", b" avec", b" con"].iter().any(|by| name.ends_with(by));
    by && !name.starts_with(b"try ") && !later::is_only_a_password(text, end)
}

/// `Mot de passe : X`: the name opens its line, and the value ends it.
fn is_field(text: &[u8], at: usize, stop: usize) -> bool {
    // `Kundenkennwort`: what it is of, in the same word.
    let at = at
        - text[..at]
            .iter()
            .rev()
            .take(16)
            .take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'-')
            .count();
    let before = &text[at.saturating_sub(24)..at];
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    // Blanks that nobody sees may stand behind it.
    let blanks = text[stop..].iter().take(8).take_while(|&&byte| byte == b' ').count();
    let ends = matches!(text.get(stop + blanks), None | Some(b'\n' | b'\r'));
    let opens = (line.len() < before.len() || before.len() == at)
        && line
            .iter()
            .all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'*' | b'>' | b'|' | 0xE2 | 0x80 | 0xA2));
    // `Logga in som "vakt". Lösenord: X`: behind a sentence.
    ends && (opens || line.ends_with(b". ") && line.len() > 4)
}

/// A change from what to what, an answer in the next turn, a line of its own.
fn talked_of(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    if changed::scan(text, end, changed::Old::Password, spans) {
        return true;
    }
    let name = Name { kind: "password", trust: Trust::Password };
    if let Some((start, stop)) = prose::answered(text, end) {
        spans.add(start, stop, name.kind, false);
        return true;
    }
    prose::announced(text, end, name, spans)
}

fn kind(sort: Sort) -> &'static str {
    match sort {
        Sort::Password | Sort::Network | Sort::Login => "password",
        Sort::Key => "api_key",
        Sort::Serial => "license_key",
        Sort::Code | Sort::Codes | Sort::Entry | Sort::Pin | Sort::Answer | Sort::Word => "recovery_code",
    }
}

#[cfg(test)]
mod tests {
    use crate::scan;
    use crate::testing::found;

    #[test]
    fn a_code_beside_its_name_leaves_whatever_stands_below() {
        let text = "Codice di recupero: TL-51822-90417\nHasło wifi: pierogi2024\n";
        assert_eq!(found(text), ["TL-51822-90417", "pierogi2024"]);
    }

    #[test]
    fn a_seed_stands_below_its_key_whatever_stands_above() {
        let seed = "djra 4f3b jfcg yv3b p6z7 5rra fjqu dtwu";
        let text = format!("password: Otter!Bridge5\n\nGeben Sie diesen Schlüssel ein:\n\n{seed}\n");
        assert_eq!(found(&text), ["Otter!Bridge5", seed]);
    }

    #[test]
    fn a_tickets_number_counts_up_to_no_pin() {
        assert_eq!(found("issue SEC-1187.\nWallbox, Nutzer-PIN 1188\n"), ["1188"]);
        assert!(!found("{\"Pass\": 1207, \"pin\": 1208}").contains(&"1208"));
    }

    #[test]
    #[rustfmt::skip]
    fn each_verb_and_sign_joins_a_name_and_its_value() {
        let joints = [
            " is ", " was ", " it's ", " it’s ", " to ", " with ", " ours is ", " becomes ",
            " remains ", " ist ", " lautet ", " war ", " bleibt ", " est ", " c'est ", " c’est ",
            " était ", " sera ", " a ser ", " es ", " era ", " será ", " é ", " è ", " sarà ", " är ", " er ",
            " var ", " on ", " je ", " jest ", " to jest ", " là ", " adalah ", " este ", "是", "为", "為",
            " continua ", " sigue siendo ", " reste ", " resta ", " fica ", " rimane ", " blijft ", " artık ", " mostantól ",
            "は", "は「", "는", "은", ":", "：", "=", "→", "->", " = ", " — ", " – ", "「", "『",
        ];
        let open = |joint: &str| scan(&format!("mot de passe de Jean{joint}soleil27xq")).is_empty();
        assert!(open(" xyzzy "), "without a joint it is no value");
        assert_eq!(joints.into_iter().filter(|joint| open(joint)).collect::<Vec<_>>(), Vec::<&str>::new());
        let since = super::joint::SINCE.iter().map(|word| format!(" est{word}"));
        assert_eq!(since.filter(|joint| open(joint)).collect::<Vec<_>>(), Vec::<String>::new());
    }

    #[test]
    fn a_router_s_label_has_its_key_in_fives() {
        let key = "5482 0917 3306 4471 8059";
        for text in [
            format!("WLAN-Netzwerkschlüssel (WPA2): {key}\nSerien-Nr. J312.482.00.033.817"),
            format!("Netzwerkschlüssel: {key}"),
            format!("Mot de passe : {key} \n"),
        ] {
            assert_eq!(found(&text), [key], "{text}");
        }
        for text in [
            "Netzwerkschlüssel: 5482 0917 3306 4471 8059 2211\n",
            "Netzwerkschlüssel: 5482 0917 3306 4471\n",
            "Passwort vergessen? IBAN: 5482 0917 3306 4471 8059",
            "Das Passwort steht auf dem Aufkleber. Vertrag: 5482 0917 3306 4471 8059\n",
            "Artikel: 5482 0917 3306 4471 8059\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn blanks_that_nobody_sees_stand_behind() {
        assert_eq!(found("web pw: pepper-canoe \ncups: local"), ["pepper-canoe"]);
        assert_eq!(found("Mot de passe : poivre-canoe  \nServeur : x"), ["poivre-canoe"]);
        for text in [
            "the pw: required \nx",
            "Mot de passe : obligatoire \nx",
            "admin password: str \nx",
            "the pw: see vault \n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_password_has_a_slash() {
        assert_eq!(found("Hasło: Topolowa9/miasto\nSerwer: x"), ["Topolowa9/miasto"]);
        for text in [
            "Hasło: Intranet/hasla\n",
            "Hasło: dokumenty2/hasla\n",
            "Hasło: Topolowa9/miasto/hasla\n",
            "Hasło: Topolowa9/Miasto.kdbx\n",
            "Hasło jest w Topolowa9/miasto\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn codes_of_doors_and_masters_in_other_tongues() {
        for text in [
            "Portkod: 5914",
            "Portkoden till skolan är 5914 från måndag",
            "Código mestre da porta 3: 5914",
            "o código maestro 591462",
            "Larmet stängs av med 5914.",
            "alarm rozbrajasz kodem 5914.",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        for text in [
            "Portkoden byttes i maj 2024.",
            "Portkoden är ändrad, fråga Maja på 070-418 22 09",
            "Le code maître contient 5914 lignes",
            "stängs av med en knapp, rum 5914",
            "Lampan stängs av med 5914 andra",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_shop_signs_with_its_bank_s_key() {
        let key = "kT4/RfwX/mJQkFHV338kgjkQvmzQ2jAq";
        assert_eq!(found(&format!("Clave SHA-256 de firma: {key}")), [key]);
        assert_eq!(found(&format!("Clave de firma: {key}")), [key]);
        for text in [
            "Clave de firma: caducada",
            "Clave de firma (SHA-256): véase el panel",
            "Clave de firma: la del banco, 335825199",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn who_sends_a_code_stands_before_it() {
        assert_eq!(scan("482913 is your Otter code. Don't share it.").len(), 1);
        for text in [
            "90210 is your zip code",
            "482913 is your customer number, code review is next",
            "there is your Otter code",
        ] {
            assert!(scan(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn since_when_it_holds_stands_between() {
        for text in [
            "het wachtwoord van de kassa is nu Fiets-Heuvel-41 (was verlopen)",
            "Kennwort lautet jetzt Fiets-Heuvel-41",
            "le mot de passe du NAS est désormais Fiets-Heuvel-41.",
            "la password del gestionale è adesso Fiets-Heuvel-41",
            "hasło do drukarki to teraz Fiets-Heuvel-41",
            "le mot de passe a été changé en Fiets-Heuvel-41",
        ] {
            let found: Vec<&str> = scan(text).iter().map(|span| &text[span.start..span.end]).collect();
            assert_eq!(found, ["Fiets-Heuvel-41"], "{text}");
        }
        for text in [
            "het wachtwoord is nu verlopen",
            "das Passwort ist jetzt wieder gültig",
            "le mot de passe est maintenant obligatoire",
            "la contraseña es ahora de 12 caracteres",
        ] {
            assert!(scan(text).is_empty(), "{text}");
        }
    }
}
