//! On a line of prose that speaks of a password, and in the turns after a question for one, a word that only a password
//! looks like is one, wherever it stands.

use super::below::speaker;
use crate::span::Spans;
use crate::spoken;
use crate::value;

const REACH: usize = 200;
const MOST_TURNS: usize = 4;
const SHORTEST: usize = 8;
/// Where no password is spoken of.
const SHORTEST_ALONE: usize = 10;
/// What people number: `build4417`, `slide12`.
#[rustfmt::skip]
const NUMBERED: &[&[u8]] = &[
    b"branch", b"build", b"bundle", b"chapter", b"client", b"column", b"commit", b"demo", b"figure", b"floor", b"group", b"host",
    b"image", b"issue", b"item", b"kapitel", b"level", b"line", b"model", b"node", b"page", b"part", b"patch", b"phase", b"port",
    b"release", b"report", b"room", b"round", b"sample", b"seite", b"server", b"slide", b"sprint", b"stage", b"step", b"table",
    b"task", b"team", b"test", b"ticket", b"user", b"version", b"week", b"worker",
];

/// Words that speak of getting in; `examples` has each again.
pub(crate) const ACCESS: &[&str] = &[
    "rdp",
    "ssh",
    "vpn",
    "account",
    "sysadmin",
    "unlock",
    "log on",
    "told me",
    "share user",
    "anmeld",
    "vault of",
    "admin",
    "log in",
    "login",
    "handing over",
];

/// Looks at the whole line around a word that speaks of getting in; returns where it ends.
pub(crate) fn around(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(REACH)..at];
    if before.last().is_some_and(u8::is_ascii_alphanumeric) {
        return at;
    }
    let from = at - memchr::memrchr(b'\n', before).map_or(before.len(), |line| before.len() - line - 1);
    crate::work::read(at - from);
    let rest = &text[at..text.len().min(at + REACH)];
    let line = &text[from..at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    if (is_signed(line) || may_be_odd(line)) && is_prose(line) {
        words(text, line, 0, SHORTEST_ALONE, spans);
    }
    from + line.len()
}

/// Looks at the rest of the line behind the name that ends at `stop`, and at the turns below a question; what lies
/// before `floor` was judged for a name before.
pub(crate) fn scan(text: &[u8], stop: usize, floor: &mut usize, spans: &mut Spans) {
    let line = line(text, stop);
    if line.starts_with(b" = ") {
        return assigned(text, stop, line, spans);
    }
    let talk = speaker(super::below::line_before(text, stop)) > 0;
    let asked = line.trim_ascii_end().ends_with(b"?");
    // On most lines there is no such word, and nobody asks.
    if !asked && !talk && !is_signed(line) && !may_be_odd(line) {
        return;
    }
    if is_prose(line) {
        *floor = words(text, line, *floor, SHORTEST, spans);
    } else if line.trim_ascii().len() > 8 {
        return;
    }
    if !asked && !talk || super::below::is_of_another(line) {
        return;
    }
    let mut at = stop + line.len() + 1;
    first(text, at, spans);
    for _ in 0..MOST_TURNS * usize::from(asked) {
        let turn = self::line(text, at);
        if speaker(turn) == 0 {
            return;
        }
        if is_prose(turn) {
            words(text, turn, 0, SHORTEST, spans);
        }
        at += turn.len() + 1;
    }
}

/// "MFA is off for two days; password = X ; only from the office": within a sentence.
fn assigned(text: &[u8], stop: usize, line: &[u8], spans: &mut Spans) {
    const EQUALS: usize = 3;
    let long = line[EQUALS..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
    let (start, end) = super::word::strip(text, stop + EQUALS, stop + EQUALS + long);
    let word = &text[start..end];
    let before = super::below::line_before(text, stop);
    let before = &before[..memchr::memrchr(b' ', before).unwrap_or(0)];
    let behind = line[EQUALS + long..].trim_ascii_start();
    let behind = behind.strip_prefix(b";").unwrap_or(behind).trim_ascii_start();
    let goes_on = behind.first().is_none_or(u8::is_ascii_lowercase);
    if goes_on
        && is_prose(before)
        && memchr::memchr_iter(b' ', before).count() >= 3
        && value::is_crafted(word)
    {
        spans.add(start, end, "password", false);
    }
}

/// "Ich: corolla80 aber bitte nicht weitergeben": the first word of the turn that answers.
fn first(text: &[u8], at: usize, spans: &mut Spans) {
    let turn = line(text, at);
    let said = speaker(turn);
    let rest = turn[said..].trim_ascii_start();
    // `secretVersion: d3821dcc…` is no turn of a talk.
    let speaker = turn[..said].trim_ascii_end();
    let member = [&b"ersion:"[..], b"Id:", b"_id:", b"Name:"].iter().any(|end| speaker.ends_with(end));
    if said == 0 || rest.is_empty() || member {
        return;
    }
    let mut from = crate::search::offset(text, rest);
    let long_at =
        |from: usize| text[from..].iter().take(REACH).take_while(|byte| !byte.is_ascii_whitespace()).count();
    // "oui, X".
    from += super::below::yes(rest);
    let long = long_at(from);
    let (start, end) = super::word::strip(text, from, from + long);
    let word = &text[start..end];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let plain = !word.iter().any(|byte| matches!(byte, b'.' | b':' | b'/' | b'@' | b'_'));
    if digits >= 2
        && letters >= 4
        && plain
        && !is_numbered(word)
        && !word[0].is_ascii_digit()
        && value::is_chosen(word)
    {
        spans.add(start, end, "password", false);
    }
}

/// `build4417`.
pub(crate) fn is_numbered(word: &[u8]) -> bool {
    let named = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    NUMBERED.iter().any(|name| name.eq_ignore_ascii_case(&word[..named]))
}

/// Beside a secret, a word that only a password looks like is one: the lines of a plan, of a list of logins.
pub(crate) fn beside(text: &[u8], spans: &mut Spans) {
    const NEAR: usize = 2;
    let found: Vec<usize> =
        spans.found().iter().filter(|span| span.kind == "password").map(|span| span.start).collect();
    super::again::scan(text, spans);
    let mut floor = 0;
    for start in found {
        let mut from = start;
        for _ in 0..=NEAR {
            let before = &text[from.saturating_sub(REACH)..from];
            let Some(line) = memchr::memrchr(b'\n', before) else { break };
            from -= before.len() - line;
        }
        let mut at = (from + usize::from(text.get(from) == Some(&b'\n'))).max(floor);
        for _ in 0..=2 * NEAR {
            let line = line(text, at);
            if line.is_empty() && at >= text.len() {
                break;
            }
            if line.len() < REACH && is_signed(line) && is_prose(line) {
                strict(text, line, spans);
            }
            at += line.len() + 1;
        }
        floor = at.min(text.len());
    }
    super::same::scan(text, spans);
}

fn strict(text: &[u8], line: &[u8], spans: &mut Spans) {
    for word in line.split(|&byte| byte == b' ').filter(|word| word.len() >= 8) {
        let at = crate::search::offset(text, word);
        let (start, end) = super::word::strip(text, at, at + word.len());
        let word = &text[start..end];
        let cases = word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase);
        if cases && is_strong(word) {
            spans.add(start, end, "password", false);
        }
    }
}

fn line(text: &[u8], from: usize) -> &[u8] {
    let rest = &text[from.min(text.len())..text.len().min(from + REACH)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    line
}

/// Words and blanks, and no signs of code.
fn is_prose(line: &[u8]) -> bool {
    let code = line.iter().any(|&byte| crate::search::is_one!(byte, b'=' | b'{' | b'}' | b'<' | b'|'));
    // `KONTOR\ann`, `.\ann`: a user of a domain.
    let domain = |at: usize| {
        at > 0
            && (line[at - 1].is_ascii_uppercase() || line[at - 1] == b'.')
            && line.get(at + 1).is_some_and(u8::is_ascii_lowercase)
    };
    let code = code || memchr::memchr_iter(b'\\', line).any(|at| !domain(at));
    let plain =
        line.iter().filter(|byte| byte.is_ascii_alphabetic() || **byte == b' ' || !byte.is_ascii()).count();
    !code && line.len() >= 8 && memchr::memchr_iter(b' ', line).count() >= 2 && plain * 2 >= line.len()
}

/// Judges the words of a line but those that begin before `floor`; returns where the last begins: the line may be cut
/// there.
fn words(text: &[u8], line: &[u8], floor: usize, shortest: usize, spans: &mut Spans) -> usize {
    let offset = |part: &[u8]| crate::search::offset(text, part);
    let from = offset(line);
    let last = from + memchr::memrchr(b' ', line).map_or(0, |blank| blank + 1);
    for word in line.split(|&byte| byte == b' ').filter(|word| word.len() >= shortest) {
        let at = offset(word);
        // The line may begin in the middle of its first word.
        if at > from && at < floor {
            continue;
        }
        let (start, end) = super::word::strip(text, at, at + word.len());
        let word = &text[start..end];
        if word.len() >= shortest && (is_strong(word) || is_joined(&text[from..at]) && is_odd(word)) {
            spans.add(start, end, "password", false);
        }
    }
    floor.max(last)
}

/// Words and signs behind which it is said what gets somebody in.
const JOINTS: [&str; 24] = [
    " to", " is", " use", " uses", " using", " with", " have", " now", " es", " est", " c'est", " è", " é",
    " ist", " je", " jest", " mit", " avec", " con", " =", ":", " ->", " →", "`,",
];

/// `PurpleRhino_22`, `Chirimoya.en.Julio`: crafted, and neither a product nor a machine; no `Okta-Verify-2`.
fn is_odd(word: &[u8]) -> bool {
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    (ending >= 2 || word.iter().any(|byte| matches!(byte, b'_' | b'.'))) && value::is_crafted(word)
}

fn is_joined(before: &[u8]) -> bool {
    let Some(before) = before.strip_suffix(b" ") else { return false };
    JOINTS.iter().any(|joint| before.ends_with(joint.as_bytes()))
}

/// Whether a line has a word that may be odd: a capital, and two digits, a line or a dot inside a word.
fn may_be_odd(line: &[u8]) -> bool {
    const CAPITAL: u8 = 1;
    const INSIDE: u8 = 2;
    const SORTS: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0_u8;
        while byte < 128 {
            table[byte as usize] = if byte.is_ascii_uppercase() {
                CAPITAL
            } else if byte.is_ascii_digit() || matches!(byte, b'_' | b'.') {
                INSIDE
            } else {
                0
            };
            byte += 1;
        }
        table
    };
    let inside = |two: &[u8]| {
        two[0].is_ascii_digit() && two[1].is_ascii_digit()
            || matches!(two[0], b'_' | b'.') && two[1].is_ascii_alphabetic()
    };
    crate::search::sorts(line, &SORTS) == CAPITAL | INSIDE && line.windows(2).any(inside)
}

/// Signs that in a word only passwords have. (Versions have `+` and `~`: `9.2p1+deb12u2`.)
const fn is_sign(byte: u8) -> bool {
    matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^')
}

/// Whether a line has one of them.
fn is_signed(line: &[u8]) -> bool {
    const SIGNS: [u8; 256] = {
        let mut table = [0; 256];
        let mut byte = 0_u8;
        while byte < 128 {
            table[byte as usize] = is_sign(byte) as u8;
            byte += 1;
        }
        table
    };
    crate::search::sorts(line, &SIGNS) != 0
}

/// How many such signs a word has. What ends a sentence is none, unless a number stands before it (`Sommer2026!`), and
/// neither is what an address writes a blank as (`My%20File`).
fn signs(word: &[u8]) -> usize {
    let counts = |at: usize| match (word[at], &word[at + 1..]) {
        (b'!', []) => word[..at].iter().rev().take(2).filter(|byte| byte.is_ascii_digit()).count() == 2,
        (b'?', []) => false,
        (b'%', [high, low, ..]) => !(high.is_ascii_hexdigit() && low.is_ascii_hexdigit()),
        (byte, _) => is_sign(byte),
    };
    (0..word.len()).filter(|&at| counts(at)).count()
}

/// Letters, digits and a sign that only passwords have.
fn is_strong(word: &[u8]) -> bool {
    // Most words have no such sign.
    if !is_signed(word) {
        return false;
    }
    let syntax = word.iter().any(|byte| {
        matches!(
            byte,
            b'=' | b'('
                | b')'
                | b'/'
                | b':'
                | b'['
                | b']'
                | b'{'
                | b'<'
                | b'@'
                | b'"'
                | b'\''
                | b'`'
                | b','
                | b';'
        )
    });
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let cases = word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase);
    (8..=64).contains(&word.len())
        // `issue#4711a` is a number's.
        && (cases || signs(word) >= 2 || letters >= 10)
        && word[0].is_ascii_alphanumeric()
        && !syntax
        && letters >= 4
        && digits >= 1
        && signs(word) >= 1
        && !word.starts_with(b"http")
        && !crate::search::has(word, b"FRITZ!")
        && !is_reference(word)
        && value::is_choosable(word)
        && !spoken::is_name_itself(word)
}

#[rustfmt::skip]
const COMMANDS: [&[u8]; 14] = [
    b"show", b"sh", b"conf", b"configure", b"ping", b"copy", b"write", b"wr", b"exit", b"end", b"debug", b"no", b"clear", b"reload",
];

/// `project-name#38417`, `Login#4412`, `OPS-4412#c7`: what trackers call an entry.
fn is_reference(word: &[u8]) -> bool {
    let project = word.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let number = word[project..].strip_prefix(b"-").unwrap_or_default();
    let digits = number.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if project >= 2 && digits >= 2 && matches!(number.get(digits), None | Some(b'#' | b'/' | b':')) {
        return true;
    }
    let mut parts = word.splitn(2, |&byte| byte == b'#');
    // `sw-core-2#show`: what a router is told.
    let (name, number) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    if COMMANDS.contains(&number) {
        return true;
    }
    let named = name.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'_' | b'.'));
    let projects = number.len() >= 3 || name.contains(&b'-') || !name.iter().any(u8::is_ascii_uppercase);
    named && projects && !number.is_empty() && number.iter().all(u8::is_ascii_digit)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_sentence_may_set_it() {
        assert_eq!(
            found(
                "the mailbox has MFA off for two days; password = Heron-Kettle-30 ; please only from the office."
            ),
            ["Heron-Kettle-30"]
        );
        assert_eq!(found("when the password = Confirm-Field ; the form is sent"), Vec::<&str>::new());
    }

    #[test]
    fn a_strong_word_stands_anywhere_on_the_line() {
        assert_eq!(
            found("the seed uses the same pass as staging, i.e. `Lantern53%Isle`."),
            ["Lantern53%Isle"]
        );
        assert_eq!(
            found(
                "[09:14] dana: remember the root pw for the old box?\n[09:15] felix: 42#Marble#24 I think\n[09:15] felix: or Ribbon*1991"
            ),
            ["42#Marble#24", "Ribbon*1991"]
        );
        assert_eq!(
            found(
                "[03.04., 08:02] Ruth: dein Netflix Kennwort\n[03.04., 08:10] Ich: corolla80 aber bitte nicht weitergeben"
            ),
            ["corolla80"]
        );
        assert_eq!(
            found(
                "1. host: admin, password ZSIB7SDR\n2. the other is operated by Eva\n3. array: manage, 3oRHqD#EJ then\n"
            ),
            ["ZSIB7SDR", "3oRHqD#EJ"]
        );
        assert_eq!(found("use my Oracle account SCOTT with 8beetle#8prague to run it"), ["8beetle#8prague"]);
        assert_eq!(
            found("1. the host\n2. the other is operated by Eva\n3. array: manage, 3oRHqD#EJ then\n"),
            Vec::<&str>::new()
        );
        assert_eq!(found("the room is in the annex, i.e. `Lantern53%Isle`."), Vec::<&str>::new());
        assert_eq!(found("the password of C#12 users (R&D)"), Vec::<&str>::new());
        for text in [
            "SQL admin password, OAuth; none typed by the user. project-name#38417 says more",
            "the account page still shows OpenSSH_9.2p1+deb12u2 after the ssh upgrade",
            "the ssh server has libssl3.0.2~ubuntu1.10 beside it",
            "password reset flow broken, see Login#4412 and TICKET-2213",
            "the root password policy says min 12 chars, e.g. upper+lower+digit+1symbol",
            "did you look at the vpn page of account2Settings?",
            "the account has a file My%20Plan2.pdf since then",
            "the account now has OAuth2Client! so log in again",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(
            found("[09:12] ann: did the login test pass?\n[09:13] bob: build4417 did"),
            Vec::<&str>::new()
        );
        assert_eq!(found("the pass of the ssh box, so Sommer2026! again"), ["Sommer2026!"]);
        assert_eq!(found("password = load(x) or Lantern53%Isle"), Vec::<&str>::new());
    }
}
