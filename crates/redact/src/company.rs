//! What a line's neighbours say about it: lines of the same form make a word a value and no type, and beside one
//! secret a random value is another.
//!
//! - N1  at most `MOST_LINES` lines each way are read, none farther than `LONGEST_LINE` bytes

use crate::span::{Span, Spans};
use crate::{chance, names, prose, value};

const LONGEST_LINE: usize = 160;
const MOST_LINES: usize = 3;

/// How a line of settings is made: its indentation, and what joins name and value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Form {
    indent: usize,
    joint: Joint,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Joint {
    Tight(u8),
    Spaced(u8),
    Blank,
}

/// A line of settings.
struct Setting<'a> {
    form: Form,
    name: &'a [u8],
    value: &'a [u8],
    /// Where the value begins in the text.
    at: usize,
}

/// The line from `from`, if it is a name, a joint and a value.
fn setting(text: &[u8], from: usize) -> Option<Setting<'_>> {
    let line = line_at(text, from)?;
    let line = line.strip_prefix(b"export ").unwrap_or(line);
    let indent = line.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'+' | b'-')).count();
    let rest = &line[indent..];
    let quoted = usize::from(matches!(rest.first(), Some(b'"')));
    let long = rest[quoted..].iter().take_while(|byte| is_name_byte(**byte)).count();
    let name = &rest[quoted..quoted + long];
    name.first().filter(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'.' | b'$'))?;
    // `"DB_ROOT=X",`: the whole line between quotes.
    let whole = quoted > 0 && rest.get(quoted + long) == Some(&b'=');
    let behind = quoted + long + if whole { 0 } else { quoted };
    let gap = rest.get(behind..)?.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let sign = *rest.get(behind + gap)?;
    let after = &rest[behind + gap + usize::from(matches!(sign, b'=' | b':'))..];
    let joint = match sign {
        b'=' | b':' if gap == 0 && !after.starts_with(b" ") => Joint::Tight(sign),
        b'=' | b':' => Joint::Spaced(sign),
        _ if gap > 0 => Joint::Blank,
        _ => return None,
    };
    let value = after.trim_ascii();
    let value = value.strip_suffix(b",").or_else(|| value.strip_suffix(b";")).unwrap_or(value);
    let value = value.strip_suffix(b"\"").filter(|_| whole).unwrap_or(value);
    let at = crate::search::offset(text, value);
    (!value.is_empty()).then_some(Setting { form: Form { indent, joint }, name, value, at })
}

fn is_name_byte(byte: u8) -> bool {
    crate::search::is_one!(byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' | b'-' | b'.' | b'$')
}

/// The line that begins at `from`; `None` if it is too long to be a setting.
fn line_at(text: &[u8], from: usize) -> Option<&[u8]> {
    let window = text.get(from..text.len().min(from + LONGEST_LINE))?;
    let long = memchr::memchr(b'\n', window);
    crate::work::read(long.unwrap_or(window.len()));
    match long {
        Some(long) => Some(&window[..long]),
        None if from + window.len() == text.len() => Some(window),
        None => None,
    }
}

/// Where the line that `at` stands in begins.
pub(crate) fn line_start(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(LONGEST_LINE);
    let line = memchr::memrchr(b'\n', &text[from..at]).map(|line| from + line + 1);
    line.or_else(|| (from == 0).then_some(0))
}

/// The beginnings of the lines around the one that begins at `line`, the nearest first.
fn neighbours(text: &[u8], line: usize) -> impl Iterator<Item = usize> {
    let above =
        std::iter::successors(Some(line), |&at| at.checked_sub(1).and_then(|end| line_start(text, end)));
    let below = std::iter::successors(Some(line), |&at| {
        let long = line_at(text, at)?.len();
        (at + long + 1 < text.len()).then_some(at + long + 1)
    });
    above.skip(1).take(MOST_LINES).chain(below.skip(1).take(MOST_LINES))
}

/// Whether the line around `at` stands among settings: one beside it has the same form, and a value that no
/// program's text has without quotes.
pub(crate) fn is_setting(text: &[u8], at: usize) -> bool {
    let Some(line) = line_start(text, at) else { return false };
    let Some(own) = setting(text, line) else { return false };
    neighbours(text, line).any(|line| match setting(text, line) {
        Some(other) => other.form == own.form && (is_plain_data(other.value) || is_user(&other)),
        None => own.form.joint != Joint::Blank && is_section(text, line),
    })
}

/// `[section]`.
fn is_section(text: &[u8], line: usize) -> bool {
    line_at(text, line).is_some_and(|line| {
        let line = line.trim_ascii_end();
        line.len() > 2
            && line.starts_with(b"[")
            && line.ends_with(b"]")
            && line[1..line.len() - 1]
                .iter()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ' | b'/'))
    })
}

/// A host, an address, a path, a mail address, a switch: what stands bare only in settings.
fn is_plain_data(value: &[u8]) -> bool {
    let graphic = value.iter().all(u8::is_ascii_graphic);
    let switch = matches!(value, b"on" | b"off" | b"yes" | b"no" | b"tls" | b"ssl");
    let path = value.starts_with(b"/") && value.len() > 2 && !value.ends_with(b"/");
    let address = crate::search::has(value, b"://") && !value.contains(&b'(');
    let directory = crate::search::has(value, b",dc=");
    graphic && (directory || switch || path || address || is_host(value) || is_net(value))
}

/// `192.168.88.0/24`.
fn is_net(value: &[u8]) -> bool {
    let Some(slash) = memchr::memchr(b'/', value) else { return false };
    let (net, long) = (&value[..slash], &value[slash + 1..]);
    matches!(long.len(), 1 | 2)
        && long.iter().all(u8::is_ascii_digit)
        && memchr::memchr_iter(b'.', net).count() == 3
        && net
            .split(|&byte| byte == b'.')
            .all(|part| matches!(part.len(), 1..=3) && part.iter().all(u8::is_ascii_digit))
}

/// `username: neo4j`; no `username: string`, and nothing of a list of arguments.
fn is_user(line: &Setting<'_>) -> bool {
    let plain =
        |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_' | b'.');
    matches!(line.name, b"user" | b"username" | b"login")
        && line.form.joint == Joint::Spaced(b':')
        && line.value.iter().all(plain)
        && !value::is_code(line.value)
        && !value::is_type(line.value)
        && !value::is_placeholder(line.value)
}

/// `mail.example.org`, `bob@example.org:25`, `10.0.0.1`: two dots, or a dot behind an `@`; no call, no `a.b`.
fn is_host(value: &[u8]) -> bool {
    let name = value.rsplit(|&byte| byte == b'@').next().unwrap_or_default();
    let mail = name.len() < value.len();
    let dots = memchr::memchr_iter(b'.', name).count();
    let plain = value.iter().all(|byte| {
        byte.is_ascii_lowercase()
            || byte.is_ascii_digit()
            || matches!(byte, b'.' | b'-' | b'@' | b':' | b'+' | b'_')
    });
    let number =
        dots == 3 && name.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b':' | b'/'));
    let top = name.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let known = [
        &b"com"[..],
        b"net",
        b"org",
        b"example",
        b"test",
        b"local",
        b"lan",
        b"io",
        b"internal",
        b"de",
        b"eu",
    ];
    plain && (number || dots >= 1 && (mail || known.contains(&top)))
}

/// Beside a secret that is sure, what is joined to a name in the same way and is random is one too, whatever the name:
/// `ELEVENLABS_KEY=…⏎DEEPGRAM=…`.
pub(crate) fn scan(text: &[u8], spans: &mut Spans) {
    let (mut last, mut judged) = (usize::MAX, Judged::default());
    let sure = |span: &&Span| span.certain || span.kind == "api_key" && span.end - span.start >= 32;
    let sure: Vec<Span> = spans.found().iter().filter(sure).copied().collect();
    for span in sure {
        behind_id(text, span, spans);
        changed_to(text, span, spans);
        let Some(line) = line_start(text, span.start).filter(|&line| line != last) else { continue };
        last = line;
        if let Some(own) = setting(text, line) {
            beside_line(text, line, own.form, &mut judged, spans);
        }
        members(text, span.end, spans);
    }
}

/// `AKIA… / X`: what signs stands behind the id that it signs for.
fn behind_id(text: &[u8], span: Span, spans: &mut Spans) {
    const LONG: usize = 40;
    if span.kind != "aws_access_key_id" {
        return;
    }
    let gap = text[span.end..]
        .iter()
        .take(4)
        .take_while(|byte| matches!(byte, b' ' | b'/' | b':' | b',' | b'|'))
        .count();
    let key = text[span.end + gap..]
        .iter()
        .take(LONG + 1)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/'))
        .count();
    let start = span.end + gap;
    if gap > 0 && key == LONG && chance::is_random(&text[start..start + key]) {
        spans.add(start, start + key, "api_key", true);
    }
}

/// `password = "Y" -> "X"`: what a plan puts in its place.
fn changed_to(text: &[u8], span: Span, spans: &mut Spans) {
    let Some(rest) = text[span.end..].strip_prefix(b"\" -> \"") else { return };
    let line = &rest[..rest.len().min(512)];
    let Some(long) = memchr::memchr2(b'"', b'\n', line).filter(|&long| line[long] == b'"') else { return };
    crate::work::read(long);
    if long >= 4 && !value::is_placeholder(&line[..long]) {
        let start = crate::search::offset(text, rest);
        spans.add(start, start + long, span.kind, span.certain);
    }
}

/// `"api_key":"…","encoded":"X"`: the members behind one that is a secret.
fn members(text: &[u8], mut at: usize, spans: &mut Spans) {
    for _ in 0..MOST_LINES {
        let window = &text[at..text.len().min(at + 512)];
        let Some((name, value)) = member(window) else { return };
        let (start, end) = (at + value.start, at + value.end);
        crate::work::read(value.end);
        if is_unnamed_secret(&window[name], &text[start..end]) {
            spans.add(start, end, "secret", false);
        }
        at = end;
    }
}

/// `","name":"value`: where its name and its value stand.
fn member(window: &[u8]) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
    let slashes = window.iter().take(7).take_while(|&&byte| byte == b'\\').count();
    let quote = window.get(..=slashes)?;
    let past = |from: usize, sign: &[u8]| window.get(from..)?.starts_with(sign).then_some(from + sign.len());
    let blank = |from: usize| from + usize::from(window.get(from) == Some(&b' '));
    let start = past(blank(past(past(0, quote)?, b",")?), quote)?;
    let name =
        start..start + window[start..].iter().take(32).position(|byte| matches!(byte, b'"' | b'\\'))?;
    let open = past(blank(past(past(name.end, quote)?, b":")?), quote)?;
    let value = open..open + window[open..].iter().position(|byte| matches!(byte, b'"' | b'\\' | b'\n'))?;
    quote.ends_with(b"\"").then_some((name, value))
}

/// How far the line that `at` stands in is indented.
pub(crate) fn indent(text: &[u8], at: usize) -> Option<usize> {
    let line = line_start(text, at)?;
    Some(text[line..at].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count())
}

/// The value of the line from `line`, if it is random: for lines among secrets.
pub(crate) fn unnamed(text: &[u8], line: usize, spans: &mut Spans) {
    let Some(words) = line_at(text, line) else { return };
    let Some(sign) = memchr::memchr2(b'=', b':', words) else { return };
    let name = words[..sign].trim_ascii_end();
    let name = name.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let name = name.strip_suffix(b"\"").unwrap_or(name);
    let value = words[sign + 1..].trim_ascii();
    let value = value.strip_suffix(b",").or_else(|| value.strip_suffix(b";")).unwrap_or(value);
    let (value, _) = unquoted(value);
    if is_unnamed_secret(name, value) {
        let start = line + crate::search::offset(words, value);
        spans.add(start, start + value.len(), "secret", false);
    }
}

/// Lines that were judged lately, for each is beside several.
#[derive(Default)]
struct Judged {
    lines: [usize; 2 * MOST_LINES + 2],
    next: usize,
}

impl Judged {
    fn has(&self, line: usize) -> bool {
        self.lines.contains(&(line + 1))
    }

    fn add(&mut self, line: usize) {
        self.lines[self.next] = line + 1;
        self.next = (self.next + 1) % self.lines.len();
    }
}

fn beside_line(text: &[u8], line: usize, form: Form, judged: &mut Judged, spans: &mut Spans) {
    for beside in neighbours(text, line) {
        if judged.has(beside) {
            continue;
        }
        let Some(other) = setting(text, beside).filter(|other| other.form == form) else { continue };
        judged.add(beside);
        let (value, lead) = unquoted(other.value);
        if is_unnamed_secret(other.name, value) {
            spans.add(other.at + lead, other.at + lead + value.len(), "secret", false);
        }
    }
}

fn unquoted(value: &[u8]) -> (&[u8], usize) {
    match value {
        [b'"', inside @ .., b'"'] | [b'\'', inside @ .., b'\''] => (inside, 1),
        _ => (value, 0),
    }
}

fn is_unnamed_secret(name: &[u8], word: &[u8]) -> bool {
    let padding = word.iter().rev().take_while(|&&byte| byte == b'=').count();
    let token = word[..word.len() - padding]
        .iter()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'+' | b'/'));
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let long = if value::is_hex(word) { 32 } else { 20 };
    // Of letters alone nobody would write so many.
    let spelt = digits < 3 && (word.len() < 32 || chance::density(word) < 50);
    token
        && word.len() >= long
        && !spelt
        && !word.starts_with(b"/")
        && !value::is_uuid(word)
        && !value::is_public(word)
        && !value::is_placeholder(word)
        && (chance::is_random(word) || value::is_hex(word))
        && !names::is_identity(name)
        && !is_release(name, word)
        && !((value::is_hex(word) || is_process(name)) && names_a_place(name))
}

/// `RELEASE=6c03cc77…`: what was built, no `MAPS_KEY_RELEASE`; `ikey=DI…`: which of somebody's applications.
fn is_release(name: &[u8], word: &[u8]) -> bool {
    value::is_hex(word) && name.eq_ignore_ascii_case(b"release") || name.eq_ignore_ascii_case(b"ikey")
}

/// `HOSTNAME=portal-bdfb4f8a66-gfx1o`: what runs, whatever it is called.
fn is_process(name: &[u8]) -> bool {
    prose::ends_in(name, b"hostname") || prose::ends_in(name, b"pod") || prose::ends_in(name, b"pod_name")
}

/// `DB`, `NOTION_PAGE`, `CF_ZONE`: which of several things of an account, in digits.
fn names_a_place(name: &[u8]) -> bool {
    #[rustfmt::skip]
    const PLACES: [&[u8]; 36] = [
        b"db", b"database", b"page", b"board", b"zone", b"folder", b"workspace", b"dataset", b"bucket", b"block", b"parent", b"view", b"list", b"space",
        b"gpg_key", b"pgp_key", b"label", b"match", b"tag", b"build", b"hostname", b"pod", b"pod_name", b"node_name",
        b"signature", b"ca", b"sha", b"sha1", b"sha256", b"digest", b"checksum", b"etag", b"fingerprint", b"thumbprint", b"commit", b"revision",
    ];
    PLACES.iter().any(|place| {
        let head = name.len().checked_sub(place.len()).map(|at| &name[..at]);
        prose::ends_in(name, place)
            && head.is_some_and(|head| head.last().is_none_or(|byte| matches!(byte, b'_' | b'-' | b'.')))
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn among_settings_a_word_is_a_value() {
        assert_eq!(found("host = mx.example.org\npassword = Wellblech\n"), ["Wellblech"]);
        assert_eq!(found("[pypi]\nusername = build\npassword = Wellblech\n"), ["Wellblech"]);
        assert_eq!(found("user = load(path)\npassword = Wellblech\n"), Vec::<&str>::new());
        assert_eq!(found("username: otter\npassword: River.Walnut.Tree\n"), ["River.Walnut.Tree"]);
        assert_eq!(
            found("client ap-3 {\n\tipaddr = 10.4.0.0/24\n\tsecret = warmRiver_lamp\n}\n"),
            ["warmRiver_lamp"]
        );
        for text in [
            "ratio = 3/24\nsecret = warmRiver_lamp\n",
            "date = 10.4.2024/24\nsecret = warmRiver_lamp\n",
            "image = otter/24\nsecret = warmRiver_lamp\n",
            "ipaddr = 10.4.0.0/24\nsecret = <secret>\n",
            "ipaddr = net(10.4.0.0/24)\nsecret = warmRiver_lamp\n",
            "username: string\npassword: Models.Walnut.Tree\n",
            "user: ann,\npassword: Models.Walnut.Tree,\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn behind_an_id_stands_what_signs() {
        let (id, key) = ("AKIAQ7ZKD3MXWVTLR5PN", "m9Kd2QzX7VbNwL4RtYpC8sFhGj3UeAi1OxTyB6nM");
        assert_eq!(found(&format!("for the uploader: {id} / {key}")), [id, key]);
        assert_eq!(found(&format!("for the uploader: {key}")), Vec::<&str>::new());
    }

    #[test]
    fn beside_a_secret_a_random_value_is_one() {
        let key = "gsk_2OEQ3HdAVja76RnIChtP8HKQDLM7ToThwNScgrLR";
        let other = "946512e90bf6eae678cd25cebeee2f277b339ccb";
        assert_eq!(found(&format!("GROQ={key}\nRIVERGRAM={other}\n")), [key, other]);
        assert_eq!(found(&format!("GROQ={key}\nCOMMIT_SHA={other}\n")), [key]);
        assert_eq!(found(&format!("RIVERGRAM={other}\n")), Vec::<&str>::new());
        let hex = "7c02b1a94de85f36a0d9e47712cb58f3";
        for place in ["DB", "RIVER_PAGE", "CF_ZONE", "notion.database"] {
            assert_eq!(found(&format!("GROQ={key}\n{place}={hex}\n")), [key], "{place}");
        }
        for name in ["RIVER", "RIVERDB", "HOMEPAGE"] {
            assert_eq!(found(&format!("GROQ={key}\n{name}={hex}\n")), [key, hex], "{name}");
        }
        for (name, public) in [
            ("GPG_KEY", "7A250D872C410698C4B3071DCCC56E66D11FAF2E"),
            ("If-None-Match", "e6f46f938f39506625d33b900fa80e86"),
            ("HOSTNAME", "portal-bdfb4f8a66-gfx1o"),
            ("build_label", "92580f8167a31cb604cf748710e4130e6591d62f"),
            ("npub", "npub1tqmd69vsx82un00yjau3r5qzsjrfhs8eatxx03xa2qgmvjkytw0s2m2slm"),
        ] {
            assert_eq!(found(&format!("GROQ={key}\n{name}={public}\n")), [key], "{name}");
        }
        let plan = format!("  ~ password = \"{key}\" -> \"lH45GvdAhVkxZrdPC3TL\"\n");
        assert_eq!(found(&plan), [key, "lH45GvdAhVkxZrdPC3TL"]);
        let lines = format!("  \"DBPASS={key}\",\n  \"DBROOT={other}\",\n  \"BUILD_SHA={other}\"\n");
        assert_eq!(found(&lines), [key, other]);
        let letters = "CfBXKDCyEaHKpftqqqQvcXABGIWIEGNsgHxsrWYg";
        assert_eq!(
            found(&format!("GROQ={key}\nOTTERS={letters}\nRIVERS=CustomerRelationshipManagementSystem\n")),
            [key, letters]
        );
        let members = format!("{{\"api_key\":\"{key}\",\"encoded\":\"{other}\",\"id\":\"{other}\"}}");
        assert_eq!(found(&members), [key, other]);
    }
}
