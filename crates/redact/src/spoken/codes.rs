//! Codes of digits: what is sent, asked for, listed, dialled, and near its name.

use super::about::technical_before;
use super::accept::is_code;
use super::doors::{has_word, opens};
use super::joint::{pair_end, value_end};
use super::later::{is_measured, is_paired};
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
        let digest = matches!(word.len(), 40 | 64);
        if start > end && word.len() >= 24 && digits >= 6 && crate::value::is_hex(word) && !digest {
            return Some((start, stop));
        }
        let keyed = nth <= most || word.ends_with(b"#");
        if start > end
            && plain
            && keyed
            && !range
            && (4..=10).contains(&digits)
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

pub(super) fn is_sent(word: &[u8]) -> bool {
    word.len() == 6 && word.iter().all(u8::is_ascii_digit) || word.len() == 7 && is_paired(word)
}

/// "the code is 708 112": what is sent has six digits, and few other codes have. True if there is no more to look for.
pub(super) fn sent(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> bool {
    let second = is_second_factor(&text[at..end]);
    let found = if second { factor(text, end) } else { told(text, at, end).or_else(|| below(text, end)) };
    if let Some((start, stop)) = found {
        spans.add(start, stop, "recovery_code", false);
    } else if second {
        // `GitHub two-factor, saved in May⏎206b0-7e976⏎54594-4354f`: one is a number of something.
        let before = spans.found().len();
        let line = crate::search::line(text, end, 64);
        prose::code_list(text, end + line.len(), spans);
        if spans.found().len() < before + 2 {
            spans.truncate(before);
        }
    }
    second || found.is_some()
}

/// `gilt der neue Code 3538#`: the sign that ends the entry at a door.
pub(super) fn keyed(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let word = text[at..end].iter().all(u8::is_ascii_alphabetic) && end - at >= 4;
    let rest = text[end..].strip_prefix(b" ").filter(|_| word)?;
    let long = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let ends = |at: usize| {
        rest.get(at).is_none_or(|byte| matches!(byte, b' ' | b'.' | b',' | b';' | b')' | b'\n' | b'\r'))
    };
    ((4..=8).contains(&long) && rest.get(long) == Some(&b'#') && ends(long + 1))
        .then_some((end + 1, end + 2 + long))
}

/// "Enter this code to sign in:⏎⏎  684-786": alone on the next line that has anything.
fn below(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, end, 64);
    let said = line.trim_ascii_end();
    if !(said.is_empty() || said.ends_with(b":")) || said.iter().any(u8::is_ascii_digit) {
        return None;
    }
    let from = end + line.len();
    let gap = text[from..].iter().take(24).take_while(|byte| byte.is_ascii_whitespace()).count();
    let start = from + gap;
    let code = crate::search::line(text, start, 16).trim_ascii_end();
    let breaks = text[from..start].iter().filter(|&&byte| byte == b'\n').count();
    ((1..=3).contains(&breaks) && is_sent(code)).then_some((start, start + code.len()))
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

/// Codes that their form tells apart from other numbers, wherever they stand a little behind the name.
pub(super) fn of_own_form(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    volume(text, end, spans);
    home(text, end, spans);
    dialled(text, at, end, spans);
    spelt(text, end, spans);
    to_finish(text, end, spans);
    boxed(text, end, spans);
}

/// `pair with Homebridge:⏎ ┌──┐⏎ │ 617-40-293 │`: in a box of lines.
fn boxed(text: &[u8], end: usize, spans: &mut Spans) {
    if !text[..end].ends_with(b"ridge") {
        return;
    }
    let window = &text[end..text.len().min(end + 200)];
    let form = |at: usize| {
        window.get(at..at + 10).is_some_and(|code| {
            code.iter().enumerate().all(|(at, byte)| match at {
                3 | 6 => *byte == b'-',
                _ => byte.is_ascii_digit(),
            })
        })
    };
    let dash = memchr::memchr_iter(b'-', window).find_map(|dash| dash.checked_sub(3).filter(|&at| form(at)));
    if let Some(at) = dash {
        spans.add(end + at, end + at + 10, "recovery_code", false);
    }
}

/// `Your sign-in code⏎⏎Use 481 907 to finish`: what is to be done with it stands a few lines below its name.
fn to_finish(text: &[u8], end: usize, spans: &mut Spans) {
    const USES: [&[u8]; 6] =
        [b"\nUse ", b"\nEnter ", b"\nBruk ", b"\nUsa ", b"\nUtilisez ", b"\nVerwenden Sie "];
    let window = &text[end..text.len().min(end + 96)];
    // Hot path: most names end no line.
    if !window.starts_with(b"\n") && !window.starts_with(b" \n") {
        return;
    }
    let Some(start) =
        USES.iter().find_map(|own| memchr::memmem::find(window, own).map(|at| end + at + own.len()))
    else {
        return;
    };
    let long = text[start..].iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let stop = super::joint::pair_end(text, start, start + long);
    if (6..=8).contains(&(stop - start)) && text.get(stop) == Some(&b' ') {
        spans.add(start, stop, "recovery_code", false);
    }
}

/// `registration code UMOK20UV`: capitals and digits right behind the name.
pub(super) fn behind(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const NAMES: [&[u8]; 4] = [b"egistration code", b"ctivation code", b"erungscode", b"chaltcode"];
    const FETCHED: [&[u8]; 5] = [b"haalcode", b"holcode", b"ickup code", b"ick-up code", b"ollection code"];
    let fetched = FETCHED.iter().any(|name| text[..end].ends_with(name));
    let named = fetched || NAMES.iter().any(|name| text[..end].ends_with(name));
    let rest = text[end..].strip_prefix(b" ").filter(|_| named)?;
    let long =
        rest.iter().take(13).take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    let digits = rest[..long].iter().filter(|byte| byte.is_ascii_digit()).count();
    let ends = matches!(rest.get(long), None | Some(b' ' | b'.' | b',' | b';' | b')' | b'\n' | b'\r'));
    let letters = long - digits;
    (ends
        && (6 - usize::from(fetched)..=12).contains(&long)
        && digits >= 2
        && letters >= 3 - usize::from(fetched))
    .then_some((end + 1, end + 1 + long))
}

/// "the alarm code at the cabin is 5 9 0 2": digit by digit, as it was said.
fn spelt(text: &[u8], end: usize, spans: &mut Spans) {
    let line = crate::search::line(text, end, 64);
    let joint = [&b" is "[..], b": ", b" ist ", b" est ", b" es "];
    let Some(start) =
        joint.iter().find_map(|joint| memchr::memmem::find(line, joint).map(|at| at + joint.len()))
    else {
        return;
    };
    let rest = &line[start..];
    let long = rest
        .iter()
        .enumerate()
        .take_while(|(at, byte)| if at % 2 == 0 { byte.is_ascii_digit() } else { **byte == b' ' })
        .count();
    let long = long - usize::from(long % 2 == 0 && long > 0);
    let goes_on = rest.get(long).is_some_and(u8::is_ascii_alphanumeric);
    let plain = line[..start]
        .iter()
        .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b' ' | b':') || !byte.is_ascii());
    if plain && !goes_on && (7..=15).contains(&long) {
        spans.add(end + start, end + start + long, "recovery_code", false);
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
    if let Some(cell) = code_column(&window[at..]) {
        let name = crate::names::Name { kind: "pin", trust: crate::names::Trust::Weak };
        let start = end + at + cell;
        crate::table::scan(text, start, start + b"Code".len(), name, spans);
        return;
    }
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

/// `| Zone | Who | Code |`: where the heading of the column stands, in the first row of a table.
fn code_column(below: &[u8]) -> Option<usize> {
    let gap = below.iter().take_while(|&&byte| byte == b'\n').count();
    let row = crate::search::line(below, gap, 120);
    let cell = memchr::memmem::find(&row.to_ascii_lowercase(), b"| code |")?;
    row.starts_with(b"|").then_some(gap + cell + 2)
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
    let joins = last.eq_ignore_ascii_case(b"code") || last.eq_ignore_ascii_case(b"ekit");
    let line = crate::search::line(text, end, 48);
    let Some(digit) = line.iter().position(u8::is_ascii_digit).filter(|_| joins) else { return };
    let stop = value_end(text, end + digit);
    let groups = text[end + digit..stop].split(|&byte| byte == b'-');
    let digits = groups.clone().all(|group| group.iter().all(u8::is_ascii_digit));
    if digits && FORMS.iter().any(|form| groups.clone().map(<[u8]>::len).eq(form.iter().copied())) {
        spans.add(end + digit, stop, "recovery_code", false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

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
            "Package verification code: 9c1336cdc6d08b59612eb0cd856ebe887ae720c7",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
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
