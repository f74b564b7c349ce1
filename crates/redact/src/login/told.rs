//! Logins as people tell them: `admin / X`, `log in as bob with X`.

use super::REACH;
use super::add;
use super::bare;
use crate::prose::looks_chosen;
use crate::prose::looks_joined;
use crate::search::Words;
use crate::span::Spans;

/// `admin Nightowl#3`: the user's password right behind, with letters of both cases, a digit and a sign.
pub(super) fn showing(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let told = is_still(text, at, end).or_else(|| beside(text, at, end)).or_else(|| in_row(text, at, end));
    if let Some((start, stop)) = told {
        add(text, start, stop, spans);
    }
    changed(text, end, spans);
    let long = bare(text, end);
    let word = &text[end..end + long];
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    let sign = |byte: &u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+');
    let syntax = word.iter().any(|byte| matches!(byte, b'=' | b'(' | b'/' | b':' | b'[' | b'{'));
    let alone = at == 0 || !text[at - 1].is_ascii_alphanumeric();
    if alone
        && long >= 7
        && !syntax
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && word.iter().any(sign)
    {
        add(text, end, end + long, spans);
    }
    // What follows may begin with the blank that ends the word.
    at
}

/// `root is still "Fenugreek+Lime4"`: a word with a digit and a sign that no name has, said of who logs in.
fn is_still(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    const SAID: [&str; 11] = [
        "with ",
        "is still ",
        "is now ",
        "is ",
        "was ",
        "remains ",
        "ist noch ",
        "ist jetzt ",
        "ist ",
        "est toujours ",
        "sigue siendo ",
    ];
    let rest = &text[end..text.len().min(end + 96)];
    let said_nth = SAID.iter().position(|said| rest.starts_with(said.as_bytes()))?;
    let said = SAID[said_nth].len();
    let quoted = matches!(rest.get(said), Some(b'"' | b'`' | b'\''));
    let start = end + said + usize::from(quoted);
    let stop = start + bare(text, start);
    let word = &text[start..stop];
    // `IPMI is ADMIN with Otterbach9.`
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b')' | b'\n'));
    let named = [&b" is "[..], b": "].iter().any(|said| text[..at].ends_with(said));
    let with = SAID[said_nth] == "with " && ends && named && word.iter().any(u8::is_ascii_uppercase);
    // `root is N0t-th4t-3asy now`.
    let leet = said > 2
        && word.len() >= 10
        && crate::prose::is_leet(word)
        && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
        && crate::value::is_chosen(word);
    let chosen = leet
        || with && word.len() >= 8 && word.iter().any(u8::is_ascii_digit) && crate::value::is_chosen(word);
    (chosen || is_strong(word) && word.len() >= 8 && (quoted || is_mixed(word))).then_some((start, stop))
}

/// "use admin and green-zebra-77.": behind a verb of using both, what is said ends with the second.
fn beside(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    #[rustfmt::skip]
    const USES: [&str; 18] = [
        "use", "with", "as", "usen", "usa", "use", "usar", "con", "utilisez", "utilise", "avec", "nutze", "nutzt", "mit", "verwende", "gebruik", "met", "com",
    ];
    const AND: [&str; 8] = ["and ", "y ", "et ", "und ", "e ", "en ", "och ", "og "];
    let rest = &text[end..text.len().min(end + 64)];
    let and = AND.iter().find(|and| rest.starts_with(and.as_bytes()))?.len();
    let before = text[at.saturating_sub(12)..at].trim_ascii_end();
    let verb = before.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let uses = USES.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(verb));
    if !uses || !opens_page(text, at) {
        return None;
    }
    let (start, stop) = (end + and, end + and + bare(text, end + and));
    let word = &text[start..stop];
    let ends = matches!(text.get(stop), None | Some(b'\n' | b'\r' | b'.' | b',' | b';' | b')'));
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let shows = is_strong(word) || digits >= 2 && looks_joined(word) || crate::value::is_crafted(word);
    (ends && shows && !crate::prose::is_numbered_thing(word)).then_some((start, stop))
}

/// `nas02 | root | X`, `nas02 - root - X`: a row without a heading.
fn in_row(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let sign = [&b"| "[..], b"- "].into_iter().find(|sign| text[end..].starts_with(sign))?;
    let start = end + sign.len();
    let stop = start + bare(text, start);
    let word = &text[start..stop];
    let ends = matches!(text.get(stop), None | Some(b'\n' | b'\r' | b' '));
    let parted = text[..at].ends_with(sign) && text[..at].trim_ascii_end().len() > sign.len();
    (parted && ends && is_strong(word) && is_mixed(word)).then_some((start, stop))
}

/// `root changed from X to Y`: both show themselves.
fn changed(text: &[u8], end: usize, spans: &mut Spans) {
    const FROM: [(&str, &str); 4] = [
        ("changed from ", " to "),
        ("geändert von ", " auf "),
        ("geändert von ", " in "),
        ("changé de ", " à "),
    ];
    for (from, to) in FROM {
        let Some(rest) = text[end..].strip_prefix(from.as_bytes()) else { continue };
        let start = crate::search::offset(text, rest);
        let stop = start + bare(text, start);
        let next = stop + to.len();
        if !text[stop..].starts_with(to.as_bytes()) {
            continue;
        }
        let last = next + bare(text, next);
        if is_strong(&text[start..stop]) && is_strong(&text[next..last]) {
            add(text, start, stop, spans);
            add(text, next, last, spans);
        }
    }
}

/// Whether the line before speaks of what one logs in to.
fn opens_page(text: &[u8], at: usize) -> bool {
    #[rustfmt::skip]
    static PAGES: Words<12> = Words::new([
        b"page", b"p\xC3\xA1gina", b"pagina", b" web", b"login", b"log in", b"sign in", b"anmeld", b"portal", b"interface", b"oberfl", b"console",
    ]);
    let line = crate::search::last_line(&text[at.saturating_sub(64)..at]);
    crate::work::read(line.len());
    PAGES.within(line)
}

pub(super) fn is_mixed(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase)
}

/// `bob@harbor.test with X`, `bob@harbor.test → X`, `bob@harbor.test / X`.
pub(super) fn with_mail(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let host = text[end..]
        .iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .count();
    let rest = &text[end + host..];
    if rest.starts_with(b"!")
        && let Some((start, stop)) = of_token(rest)
    {
        spans.add(end + host + start, end + host + stop, "token", true);
        return end + host + stop;
    }
    if let Some((start, stop)) = of_row(text, end, end + host) {
        add(text, start, stop, spans);
        return stop;
    }
    if let Some((start, stop)) = then(text, end, end + host) {
        add(text, start, stop, spans);
        return stop;
    }
    let Some(gap) = [
        " with ", " → ", " -> ", " / ", " | ", " : ", ") : ", "): ", " mit ", " avec ", " con ", " com ",
        " met ", " med ",
    ]
    .iter()
    .find(|gap| rest.starts_with(gap.as_bytes())) else {
        return end;
    };
    let start = end + host + gap.len();
    let long = bare(text, start);
    let word = &text[start..start + long];
    // A program's list: `@rivers : 0..$last`.
    let user = end > 1 && !text[end - 2].is_ascii_whitespace();
    // Words of other tongues join more than that.
    if *gap != " with " && gap.as_bytes()[1].is_ascii_lowercase() && !is_strong(word) && !is_made(word) {
        return end;
    }
    // `j@m3HVYU;QQw`, and no second address.
    let address = word.contains(&b'@') && (word.contains(&b'.') || !is_strong(word) || !is_mixed(word));
    if host >= 4
        && user
        && !address
        && (word.iter().any(u8::is_ascii_digit) && (looks_chosen(word) || looks_joined(word))
            || crate::value::is_crafted(word))
    {
        add(text, start, start + long, spans);
    }
    end
}

/// `ann@otter.example:X` that is the whole line: a list of what was stolen; no folder on another machine.
fn of_row(text: &[u8], sign: usize, host_end: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, host_end, 96).trim_ascii_end();
    let secret = line.strip_prefix(b":")?;
    let user = crate::search::last_line(&text[sign.saturating_sub(64)..sign]);
    let named = user.len() < 64
        && user.len() > 1
        && user[..user.len() - 1].iter().all(|byte| byte.is_ascii_alphanumeric() || b"._-+".contains(byte));
    let top = text[sign..host_end].contains(&b'.');
    let word = !secret.iter().any(|byte| matches!(byte, b'/' | b' ' | b':' | b'~'));
    let digits = secret.iter().filter(|byte| byte.is_ascii_digit()).count();
    (named && top && word && digits >= 2 && secret.len() > digits && crate::value::is_chosen(secret))
        .then_some((host_end + 1, host_end + 1 + secret.len()))
}

/// `backup@pbs!nightly = 2c7e91f0-4bd8-…`: a token of Proxmox, its name, and behind it what it is.
fn of_token(rest: &[u8]) -> Option<(usize, usize)> {
    const LONG: usize = 36;
    let name = rest[1..]
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        .count();
    let signs = rest[1 + name..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'=' | b':')).count();
    let start = 1 + name + signs;
    let word = rest.get(start..start + LONG)?;
    (name > 0 && signs > 0 && crate::value::is_uuid(word)).then_some((start, start + LONG))
}

/// Words between what is typed first and what then; a language is a pair.
#[rustfmt::skip]
const THEN: [&str; 29] = [
    " and then ", " then ", " und dann ", " dann ", " et puis ", " puis ", " y luego ", " luego ", " e poi ", " poi ",
    " e depois ", " depois ", " en dan ", " dan ", " och sen ", " sen ", " og så ", " så ", " i potem ", " potem ",
    " and ", " und ", " et ", " y ", " en ", " och ", " og ", " i ", " e ",
];

/// "what was the login?⏎tv@kontor.example and then X": the answer to a question, which the second word ends.
fn then(text: &[u8], sign: usize, host_end: usize) -> Option<(usize, usize)> {
    let rest = &text[host_end..];
    let gap = THEN.iter().find(|gap| rest.starts_with(gap.as_bytes()))?.len();
    let (start, stop) = (host_end + gap, host_end + gap + bare(text, host_end + gap));
    let word = &text[start..stop];
    let ends = matches!(text.get(stop), None | Some(b'\n' | b'\r' | b'.' | b',' | b';' | b'"'));
    let line = crate::search::last_line(&text[sign.saturating_sub(REACH)..sign]);
    let above = text[..sign - line.len()].trim_ascii_end();
    // `Olu  14:03`: who says so, and when.
    let head = crate::search::last_line(&above[above.len().saturating_sub(48)..]);
    let headed = head.len() < 48 && crate::prose::is_head(head);
    let above = if headed { above[..above.len() - head.len()].trim_ascii_end() } else { above };
    let asked = above.ends_with(b"?") || above.ends_with(b"?\"");
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    // "buy it as qa@otter.example and Napoli_Lagos67.": nobody asked, and it shows itself.
    let shows = has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
        && has(|byte| byte.is_ascii_punctuation() && !matches!(byte, b'-' | b'.'))
        && word.len() >= 10;
    ((asked || shows) && ends && word.len() >= 6 && !word.contains(&b'@') && crate::value::is_chosen(word))
        .then_some((start, stop))
}

/// The same for words of other tongues.
pub(crate) fn pair(text: &[u8], end: usize, spans: &mut Spans) {
    if with_after(text, end, spans) == end && !super::entered::scan(text, end, spans) {
        pair_after(text, end, spans);
    }
}

/// `log in as demo with X`, `sign in with bob and X`: what follows the word, or the word and its user.
pub(super) fn with_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let rest = &text[end..text.len().min(end + 80)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    let Some(with) = [&b" with "[..], b" using "]
        .iter()
        .find_map(|with| crate::search::find(line, with).map(|at| at + with.len()))
    else {
        return end;
    };
    let quotes = |at: usize| usize::from(matches!(text.get(at), Some(b'"' | b'\'' | b'`')));
    let first = end + with + quotes(end + with);
    let long = bare(text, first);
    if is_strong(&text[first..first + long]) {
        add(text, first, first + long, spans);
        return first + long;
    }
    // "as installer with X": a user was named.
    let named = line[..with]
        .strip_prefix(b" as ")
        .is_some_and(|user| user.iter().filter(|&&byte| byte == b' ').count() == 2);
    let word = &text[first..first + long];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let joints = word.iter().filter(|byte| matches!(byte, b'-' | b'_')).count();
    if named
        && long >= 7
        && (digits >= 2
            || is_signed_title(word)
            || digits == 1 && joints >= 2 && word[0].is_ascii_lowercase()
            || word[..long - 1]
                .iter()
                .filter(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*'))
                .count()
                >= 2)
        && crate::value::is_chosen(word)
    {
        add(text, first, first + long, spans);
        return first + long;
    }
    // "with my address and X": several words say who.
    let said = memchr::memmem::rfind(&line[with..], b" and ").map(|and| end + with + and + 5);
    if let Some(start) = said.map(|start| start + quotes(start)) {
        let long = text[start..].iter().take(64).take_while(|byte| byte.is_ascii_graphic()).count();
        let word = &text[start..start + long];
        let kept =
            long - word.iter().rev().take_while(|byte| matches!(byte, b'.' | b',' | b'"' | b'`')).count();
        if is_strong(&word[..kept]) {
            add(text, start, start + kept, spans);
            return start + kept;
        }
    }
    let user = first + long + quotes(first + long);
    let Some(gap) = [&b" and "[..], b" & ", b", "].into_iter().find(|gap| text[user..].starts_with(gap))
    else {
        return end;
    };
    let start = user + gap.len() + quotes(user + gap.len());
    let long = bare(text, start);
    let word = &text[start..start + long];
    if long >= 6 && (is_strong(word) || looks_joined(word)) {
        add(text, start, start + long, spans);
        return start + long;
    }
    end
}

/// `Parchment_Quill4`: no number of its own behind a dash, as things have.
pub(crate) fn is_signed_title(word: &[u8]) -> bool {
    let letters = &word[..word.len() - word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count()];
    let title = letters.iter().rev().take_while(|byte| byte.is_ascii_alphabetic()).count();
    // `Chrome_v2`.
    letters.len() < word.len() && title >= 3 && crate::value::is_crafted(word)
}

/// Letters, a digit and a sign that only passwords have: `Sunny$ide4`.
pub(super) fn is_strong(word: &[u8]) -> bool {
    let sign =
        |byte: &u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+' | b'@');
    let syntax =
        word.iter().any(|byte| matches!(byte, b'=' | b'(' | b'/' | b':' | b'[' | b'{' | b'<' | b'\\'));
    word.len() >= 7
        && !syntax
        && word[0].is_ascii_alphanumeric()
        && word.iter().any(u8::is_ascii_digit)
        && word.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 3
        && word.iter().any(sign)
        && !crate::prose::is_jargon(word)
}

/// "the device login is⏎  ubnt⏎  X": who and what, each alone on a line that is set in.
pub(super) fn below(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    if !matches!(text.get(end), Some(b' ' | b':')) {
        return false;
    }
    let joint = [&b" is:\n"[..], b" is\n", b":\n", b" ist:\n", b" ist\n"];
    let Some(joint) = joint.iter().find(|joint| text[end..].starts_with(joint)) else { return false };
    let lone = |from: usize| {
        let line = crate::search::line(text, from, REACH);
        let word = line.trim_ascii();
        let set_in = line.starts_with(b"  ") || line.starts_with(b"\t");
        let plain = word.iter().all(|byte| byte.is_ascii_graphic() && !b":=<>{}()[]/\"'`,".contains(byte));
        (set_in && plain && word.len() >= 2).then_some((word, from + line.len() + 1))
    };
    let Some((user, next)) = lone(end + joint.len()) else { return false };
    let Some((word, _)) = lone(next) else { return false };
    let digit = word.iter().any(u8::is_ascii_digit);
    let shows = word.len() >= 8 && digit && (is_mixed(word) || is_strong(word)) && !user.starts_with(b"-");
    let shows = shows && crate::value::is_chosen(word);
    if shows {
        let start = crate::search::offset(text, word);
        add(text, start, start + word.len(), spans);
    }
    shows
}

/// `ann@kontor.example`.
pub(super) fn is_address(word: &[u8]) -> bool {
    memchr::memchr(b'@', word).is_some_and(|at| at > 0 && word[at..].contains(&b'.'))
}

/// `ztAVkzDdNMJK3YDRQ8`: made by a machine, and no digest, no name, no path.
pub(super) fn is_made(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    word.len() >= 16
        && digits >= 2
        && word.iter().all(u8::is_ascii_alphanumeric)
        && word.iter().any(u8::is_ascii_uppercase)
        && word.iter().any(u8::is_ascii_lowercase)
        && crate::chance::is_random(word)
}

/// "`robot$push` with `X`", "the shared account `guest` with `X`".
pub(super) fn ticked(text: &[u8], end: usize, spans: &mut Spans) {
    const LENT: [&[u8]; 6] =
        [b" account ", b" login ", b" user ", b"log in as ", b"logged in as ", b"credentials "];
    let long = bare(text, end);
    let word = &text[end..end + long];
    let before = &text[end.saturating_sub(64)..end];
    let user = before
        .strip_suffix(b"` with `")
        .and_then(|rest| memchr::memrchr(b'`', rest).map(|tick| &rest[..tick]));
    let lent = || user.is_some_and(|user| LENT.iter().any(|own| user.ends_with(own)));
    if text.get(end + long) == Some(&b'`') && (is_made(word) || lent() && crate::value::is_chosen(word)) {
        add(text, end, end + long, spans);
    }
}

/// `Credentials: admin:X`, and nothing else on the line: whatever it looks like.
pub(super) fn lone_pair(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    if !text[end..].starts_with(b": ") {
        return false;
    }
    let start = end + 2;
    let long = bare(text, start);
    let pair = &text[start..start + long];
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon >= 2) else { return false };
    let secret = &pair[colon + 1..];
    let lone = matches!(text.get(start + long), None | Some(b'\n' | b'\r' | b'\\'));
    let plain = secret.len() >= 6 && !secret.iter().any(|byte| matches!(byte, b'/' | b':'));
    if lone && plain {
        add(text, start + colon + 1, start + long, spans);
    }
    lone && plain
}

/// `login: ann@example.org, X`: behind a user's address and a comma one word that ends what is said.
fn mailed(text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    let rest = &text[end..text.len().min(end + REACH)];
    let said = rest.strip_prefix(b": ").or_else(|| rest.strip_prefix(b" is "))?;
    let long = said.iter().take_while(|byte| byte.is_ascii_graphic() && **byte != b',').count();
    crate::work::read(long);
    let start = crate::search::offset(text, said[long..].strip_prefix(b", ")?);
    let stop = start + bare(text, start);
    let word = &text[start..stop];
    let ends = matches!(text.get(stop), None | Some(b'\n' | b'\r' | b'.' | b',' | b';' | b')' | b'"'));
    let mail = memchr::memchr(b'@', &said[..long]).is_some_and(|at| at > 0 && said[at..long].contains(&b'.'));
    let shows = word.iter().any(u8::is_ascii_digit) && !word.contains(&b'@') && crate::value::is_chosen(word);
    (mail && ends && shows).then(|| {
        add(text, start, stop, spans);
        stop
    })
}

/// `user / password`, `user:password` within the rest of the line.
pub(super) fn pair_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    if let Some(stop) = mailed(text, end, spans) {
        return stop;
    }
    let limit = text.len().min(end + REACH);
    let line = memchr::memchr(b'\n', &text[end..limit]).map_or(limit, |line| end + line);
    crate::work::read(line - end);
    let mut at = end;
    while at < line {
        let Some(sign) = memchr::memchr2(b'/', b':', &text[at..line]) else { break };
        let sign = at + sign;
        at = sign + 1;
        let spaced = text[sign - 1] == b' ' && text.get(at) == Some(&b' ');
        let start = at + usize::from(spaced);
        let user = text[..sign - usize::from(spaced)]
            .iter()
            .rev()
            .take(40)
            .take_while(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'-' | b'+')
            })
            .count();
        let secret = start..start + bare(text, start).min(line.saturating_sub(start));
        let body = &text[secret.clone()];
        let whole = !body.iter().any(|byte| matches!(byte, b'/' | b':'));
        let names = text.get(end..sign - usize::from(spaced) - user).unwrap_or(b"?").trim_ascii();
        let direct = matches!(names, b"with" | b"as" | b":" | b"=" | b"is" | b"are" | b"");
        let direct = direct || names.ends_with(b" are") && names.len() <= 32;
        // `Old login was ann/Winter2021!`: a path may stand there too.
        let direct = direct || matches!(names, b"was" | b"were" | b"remains" | b"stays") && is_strong(body);
        let tight_slash = text[sign] == b'/' && !spaced && !direct;
        if user >= 2
            && !tight_slash
            && body.len() >= 6
            && whole
            && (looks_chosen(body) || direct && crate::value::is_drawn_together(body) || spaced && looks_joined(body) || direct && text[sign] == b':' && is_signed_title(body))
            && (!spaced || names_more(body))
            // `WLAN-Schlüssel`: the word goes on.
            && text.get(secret.end).is_none_or(u8::is_ascii)
            && !text[end..sign].contains(&b'=')
        {
            add(text, secret.start, secret.end, spans);
            return secret.end;
        }
    }
    end
}

/// `Google2`: a word and one digit is also a name.
pub(super) fn names_more(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let ending = word.ends_with(b"2") || word.ends_with(b"3");
    !(digits == 1 && ending && word.iter().all(u8::is_ascii_alphanumeric) && word[0].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_mail_and_what_shows_itself() {
        assert_eq!(
            found("buy it as qa@otter.example and Napoli_Lagos67. The id is 4471."),
            ["Napoli_Lagos67"]
        );
        for text in
            ["write to qa@otter.example and Napoli_Office.", "cc ann@otter.example and Ticket-4471-Open."]
        {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn rows_of_what_was_stolen() {
        assert_eq!(found("hsilva@mail.example:Otter793Yanke\nhenrik@web.example:Peanut6993\n").len(), 2);
        for text in [
            "deploy@cdn.example:/srv/www12/otter34\n",
            "git@git.example:otter12/river34.git\n",
            "root@web1.example:2222\n",
            "mail ann@web.example:otter12\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_user_stands_before_what_shows_itself() {
        let made = "ztAVkzDdNMJK3YDRQ8";
        assert_eq!(found(&format!("push as `ci$images` with `{made}`")), [made]);
        assert_eq!(found(&format!("the farm is ann_t / {made} for now")), [made]);
        assert_eq!(found("it is `stats_ro` / kQ7-quince-12 now"), ["kQ7-quince-12"]);
        assert_eq!(found("please log in as qa_bot with heron-Sunday-8, thanks"), ["heron-Sunday-8"]);
    }

    #[test]
    fn what_was_asked_for_stands_behind_who_logs_in() {
        for (text, secret) in [
            (
                "\"what was the login of the TV?\"\n\"tv@kontor.example and then heron4Kettle\"",
                "heron4Kettle",
            ),
            (
                "ann: wie war der Login fürs Layout?\nbo: ann@kontor.example und dann heron4Kettle",
                "heron4Kettle",
            ),
            ("- bastion root is still \"Zander+Teich4\", must be changed", "Zander+Teich4"),
            ("wants the Windows login (till3 / Zander.Teich).", "Zander.Teich"),
            ("LDAP bind: cn=shop,ou=svc,dc=kontor,dc=lan / Zander*Teich*Hut\n", "Zander*Teich*Hut"),
            ("use mine for now: OTTERA / Zander&Teich82 client 200", "Zander&Teich82"),
            ("för API:et är dns@kontor med z@n3HVTEICHdu;Qw.", "z@n3HVTEICHdu;Qw"),
            ("ann@kontor.example mit Zander!Teich4", "Zander!Teich4"),
            ("TeamViewer 188 204 417 / k7x2p9", "k7x2p9"),
            ("nas02 | root | zander!Teich7", "zander!Teich7"),
            ("nas02 - root - zander!Teich7\n", "zander!Teich7"),
            ("For the web page use admin and green-heron-77.", "green-heron-77"),
            ("Para la página web usen admin y garza-verde-77.", "garza-verde-77"),
            ("Pour la page web, utilisez admin et heron-vert-77.", "heron-vert-77"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "ann: who has the login?\nbo: ann@kontor.example and then Tuesday2 is the meeting",
            "write to ann@kontor.example and then heron4Kettle",
            "root is still \"read-only\", must be remounted",
            "the project root is \"src/main2\" now",
            "the login (user / Zander.Teich) is gone",
            "the login (SAML / Oidc.Zander) works",
            "cn=shop,ou=svc,dc=kontor / dc=lan",
            "dc=kontor,dc=lan / everything",
            "TeamViewer 15.54.3 / 188204417",
            "AnyDesk 188 204 417 / offline",
            "order 188 204 417 / k7x2p9",
            "nas02 | root | /dev/sda1!2",
            "the root | Teich7!zander of it",
            "nas02 - root - read only",
            "root changed from 4 to 5",
            "root changed from version1!a",
            "PII / Radius*180f of mine",
            "ABC / Def&Ghi12 are two lists",
            "ann@kontor.example mit Release-2024",
            "ann@kontor.example con anexo-2024-05",
            "use admin and role-reader-12, then go on",
            "the web page is for admin and green-heron-77.",
            "On the web page use admin and reader.",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn two_names_are_no_login() {
        for text in [
            "replace `utf8` with `utf8mb4_0900_ai_ci`",
            "swap `parseUserName2` with `parseAccountName2`",
            "the tables users_old / users_new2024",
            "log in as admin with Okta-Verify",
            "log in as admin with Okta-Verify-2",
            "sign in as root with ssh-key-2",
            "`read_only` / ReadWrite2",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn who_logs_in_is_told_before() {
        for (text, secret) in [
            ("the CAD login: team@kontor.example, kettle-3to1-Whoops.", "kettle-3to1-Whoops"),
            ("the old login was billing/Winter2021!, still in three scripts", "Winter2021!"),
            ("login with admin:Heron_Kettle7 then", "Heron_Kettle7"),
            ("the queue uses basic auth relay / Ott3rBridge77\n", "Ott3rBridge77"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "the login: ann@kontor.example, since May.",
            "the old login was app/AuthGuard2 or so",
            "login: page/Settings_Tab4",
            "the login was at src/Login_Page2.vue",
            "the login: ann@kontor.example, bob@kontor.example.",
            "the queue of relay / Ott3rBridge77\n",
            "account relay / Version1904b\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_only_looks_told_stays() {
        for text in [
            "TTL token:bucket:58254 -> (integer) 57",
            "new password: username jp8j34x6srqzv9kbwd1g and then",
            "  LOGON INITIATION - INVALID PASSWORD ENTERED AT TERMINAL LCL00A3",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn single_tools_tell_it_in_their_way() {
        let key = "MT0tzf8f6aeJcTK2b68jozoLfy.GjqqAn.ReShLt31rGRTFJFK4dP6FYaRA8i6jOIg4Vn8FV";
        assert_eq!(found(&format!("client.login('{key}');")), [key]);
        assert_eq!(found("client.login('welcome-to-the-login-page-of-this-site');"), Vec::<&str>::new());
        assert_eq!(found("(mosquitto_sub): -h mqtt.lan -P 'heron_kettle-205'"), ["heron_kettle-205"]);
        assert_eq!(found("<w:Password Type=\"t#Text\">Heron.Kettle</w:Password>"), ["Heron.Kettle"]);
        assert_eq!(found("<w:Password Type=\"t#Text\">config.password</w:Password>"), Vec::<&str>::new());
        assert_eq!(found("gpg --passphrase 'Unser Garten bleibt.' -d a"), ["Unser Garten bleibt."]);
        assert_eq!(found("  RABBITMQ_ERLANG_COOKIE: QWERJKLHGFDSAZXCVBNM\n"), ["QWERJKLHGFDSAZXCVBNM"]);
        let hex = "32a26600e2ea1a1dc4d12448aeadc54778820e1981c31d88";
        assert_eq!(found(&format!("yubikey: Management Key {hex}")), [hex]);
    }
}
