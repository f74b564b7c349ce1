//! Values before their names, in pairs and in quotes.

use super::judge::is_value;
use super::looks::looks_joined;
use super::looks::looks_like_secret;
use super::looks::shows_digit;
use super::word::Word;
use super::word::next_word;
use super::word::strip;
use crate::names::Name;
use crate::names::Trust;
use crate::search::Words;
use crate::span::Spans;
use crate::value;

/// "changed the password from X to Y": both, if the new one shows itself.
pub(super) fn from_to(text: &[u8], word: &Word, name: Name, limit: usize) -> Option<[(usize, usize); 2]> {
    if !text[word.start..word.end].eq_ignore_ascii_case(b"from") || name.trust != Trust::Password {
        return None;
    }
    let old = next_word(text, word.after, limit)?;
    let to =
        next_word(text, old.after, limit).filter(|to| text[to.start..to.end].eq_ignore_ascii_case(b"to"))?;
    let new = next_word(text, to.after, limit)?;
    let shows = |word: &Word| {
        let bytes = &text[word.start..word.end];
        looks_like_secret(bytes) || looks_joined(bytes)
    };
    (shows(&old) || shows(&new)).then_some([(old.start, old.end), (new.start, new.end)])
}

/// `Password "badge me up 22"`: a quoted phrase right behind its name.
pub(super) fn spaced(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = text.get(stop..text.len().min(stop + 96))?;
    // `CREATE ROLE app LOGIN PASSWORD 'x'`: a statement takes whatever stands between the quotes.
    if rest.starts_with(b" '") && text[..stop].ends_with(b" PASSWORD") {
        let before = &text[stop.saturating_sub(96)..stop];
        let statement =
            [&b"ROLE "[..], b"USER ", b"LOGIN "].iter().any(|word| crate::search::has(before, word));
        let long = memchr::memchr(b'\'', &rest[2..])?;
        let secret = &rest[2..2 + long];
        let holds = statement && long >= 4 && !value::is_placeholder(secret) && !value::is_reference(secret);
        return holds.then_some((stop + 2, stop + 2 + long));
    }
    if name.trust != Trust::Password {
        return None;
    }
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let open = memchr::memchr2(b'"', b'\'', line).filter(|&open| open > 0 && line[open - 1] == b' ')?;
    let long = memchr::memchr(line[open], &line[open + 1..])?;
    let phrase = &line[open + 1..][..long];
    let lead = line[..open].trim_ascii();
    let joined = lead.is_empty()
        || matches!(lead.rsplit(|&byte| byte == b' ').next(), Some(b"is" | b"was" | b":" | b"=" | b"now"));
    let shows = phrase.contains(&b' ') && shows_digit(phrase) && (8..=48).contains(&phrase.len());
    (joined && shows).then_some((stop + open + 1, stop + open + 1 + long))
}

/// Words that say whose a password is.
const MOST_WHOSE: usize = 4;

/// "hunter2 as the password", "hunter2 is the password".
pub(super) fn before_name(text: &[u8], start: usize, name: Name, spans: &mut Spans) -> bool {
    let from = text.floor_boundary(start.saturating_sub(72));
    let window = &text[from..start];
    if let Some((from, to)) = explained(text, start, name) {
        spans.add(from, to, name.kind, false);
        return true;
    }
    // What is joined to the name is none of its words.
    if !matches!(window.last(), None | Some(b' ' | b'\n')) {
        return false;
    }
    let mut words = sentence(window).split(|&byte| byte == b' ').rev().filter(|word| !word.is_empty());
    let mut word = words.next().unwrap_or(b"");
    // "as the redis password": whose it is.
    let mut whose = 0;
    while whose < MOST_WHOSE
        && !matches!(word, b"as" | b"is" | b"for")
        && word.iter().all(u8::is_ascii_alphanumeric)
    {
        let article = matches!(
            word,
            b"the" | b"my" | b"our" | b"a" | b"its" | b"their" | b"new" | b"root" | b"admin" | b"your"
        );
        word = words.next().unwrap_or(b"");
        whose += 1;
        if article {
            break;
        }
    }
    let purpose = word == b"for" && ends_clause(text, start);
    if !matches!(word, b"as" | b"is") && !purpose || word == b"is" && whose > 1 {
        return false;
    }
    let Some(value) = words.next() else { return false };
    if purpose && !words.next().is_some_and(|verb| USES.contains(&verb.to_ascii_lowercase().as_slice())) {
        return false;
    }
    let Some(offset) = word_start(text, crate::search::offset(text, value)) else { return false };
    let (start, end) = strip(text, offset, crate::search::offset(text, value) + value.len());
    let quoted = start > offset;
    let secret = &text[start..end];
    let chosen = name.trust == Trust::Password
        && if purpose {
            is_typed(secret)
        } else {
            word == b"as" && (value::is_chosen(secret) || looks_joined(secret) || value::is_disclosed(secret))
        };
    let found = chosen || !purpose && is_value(name, secret, quoted, true);
    if found {
        spans.add(start, end, name.kind, false);
    }
    found
}

/// Verbs before what somebody is to type.
const USES: [&[u8]; 8] = [b"use", b"used", b"using", b"enter", b"type", b"put", b"try", b"take"];

/// What stands before a name in its sentence: where its line is broken behind `as`, on the line before too.
fn sentence(window: &[u8]) -> &[u8] {
    let line = crate::search::last_line(window);
    let above = window[..window.len() - line.len()].trim_ascii_end();
    let broken =
        line.is_empty() && [&b" as"[..], b" as the", b" as your"].iter().any(|end| above.ends_with(end));
    if broken { crate::search::last_line(above) } else { line }
}

/// Whether what is said ends with the name from `start`, or goes on with another clause.
fn ends_clause(text: &[u8], start: usize) -> bool {
    let long = text[start..].iter().take(24).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let rest = &text[start + long..];
    matches!(rest.first(), None | Some(b'.' | b',' | b';' | b'!' | b')' | b'\n' | b'\r'))
        || [&b" and "[..], b" on ", b" until ", b" for now"].iter().any(|next| rest.starts_with(next))
}

/// `lobby-lilies-4`: what people type, and no way to keep it.
fn is_typed(word: &[u8]) -> bool {
    static WAYS: Words<14> = Words::new([
        b"crypt", b"sha", b"argon", b"pbkdf", b"md5", b"hash", b"aes", b"field", b"form", b"regex", b"utf",
        b"base64", b"rot13", b"salt",
    ]);
    shows_digit(word)
        && word.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 6
        && (value::is_chosen(word) || looks_joined(word) || super::looks::looks_jointed(word))
        && !WAYS.within(word)
}

/// Where the word around `at` begins, which may be longer than what was looked at; `None` if it goes on and on.
fn word_start(text: &[u8], at: usize) -> Option<usize> {
    const LONGEST: usize = 512;
    let before = text[..at].iter().rev().take(LONGEST).take_while(|byte| !byte.is_ascii_whitespace()).count();
    crate::work::read(before);
    (before < LONGEST).then_some(at - before)
}

/// `X (wiki API key, read only)`: in brackets behind it, what it is.
fn explained(text: &[u8], start: usize, name: Name) -> Option<(usize, usize)> {
    const STATES: [&[u8]; 8] = [b"invalid", b"expired", b"wrong", b"missing", b"bad", b"no ", b"fix", b"add"];
    let of_name = |byte: &&u8| crate::search::is_one!(**byte, b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_');
    let long = text[start..text.len().min(start + 24)].iter().take_while(of_name).count();
    if !matches!(text.get(start + long), Some(b')' | b',')) {
        return None;
    }
    let before = crate::search::last_line(&text[start.saturating_sub(128)..start]);
    let open = memchr::memrchr(b'(', before)?;
    let own = &before[open + 1..];
    let plain = own.len() <= 32 && own.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ');
    crate::work::read(2 * before.len());
    let head = before[..open].strip_suffix(b" ").filter(|_| plain)?;
    let own = own.to_ascii_lowercase();
    if STATES.iter().any(|state| crate::search::has(&own, state)) {
        return None;
    }
    let word = head.rsplit(|&byte| byte == b' ').next()?;
    let end = crate::search::offset(text, word) + word.len();
    let (from, to) = strip(text, word_start(text, end - word.len())?, end);
    let word = &text[from..to];
    // An id is called one before it.
    let ids = head[..head.len().saturating_sub(word.len())].trim_ascii_end().to_ascii_lowercase();
    let identified = [
        &b"id"[..],
        b"request",
        b"correlation",
        b"trace",
        b"commit",
        b"session",
        b"build",
        b"run",
        b"job",
        b"image",
        b"version",
        b"digest",
        b"sha256",
        b"id:",
        b"id=",
    ]
    .iter()
    .any(|id| ids.ends_with(id));
    let digest = value::is_hex(word) && matches!(word.len(), 40 | 64);
    let random = word.len() >= 20
        && shows_digit(word)
        && !digest
        && (value::is_uuid(word) || value::is_hex(word) || crate::chance::is_random(word));
    let signed =
        word.iter().any(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^'));
    // A guide, a page are called so too, and more is said of them.
    let closes = text[start + long..].starts_with(b")")
        && matches!(text.get(start + long + 1), None | Some(b'\n' | b'\r' | b'.' | b',' | b';' | b'!'));
    let shows = signed && looks_like_secret(word) && value::is_chosen(word)
        || closes && crate::login::is_signed_title(word);
    let chosen = name.trust == Trust::Password && shows;
    let good =
        name.trust >= Trust::Secret && (random && value::is_secret(name, word, value::Place::Data) || chosen);
    (good && !identified && !crate::search::has(word, b"://")).then_some((from, to))
}

pub(super) trait Boundary {
    fn floor_boundary(&self, at: usize) -> usize;
}

impl Boundary for [u8] {
    fn floor_boundary(&self, mut at: usize) -> usize {
        while at > 0 && self[at] & 0xC0 == 0x80 {
            at -= 1;
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_word_longer_than_what_is_looked_at_is_taken_whole() {
        let key = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6".repeat(4);
        for text in [format!("use {key} as the API key"), format!("use {key} (the API key)")] {
            assert_eq!(found(&text), [&key], "{text}");
        }
    }

    #[test]
    fn what_is_used_for_a_password_is_one() {
        for (text, secret) in [
            ("log in as scan-2og and use Zanderteich!2023 for the password. Thanks", "Zanderteich!2023"),
            ("Sign in as frontdesk and use lobby-herons-4 for the password.", "lobby-herons-4"),
            ("so use Zanderteich!2023 as the\npassword.", "Zanderteich!2023"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "use the form for the password reset",
            "use bcrypt-cost-12 for the password hash",
            "We use argon2id-v19 for the password.",
            "use Login-Form-2 for the password",
            "use heron-kettle-12 for the password field",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_it_is_stands_in_brackets_behind() {
        let id = "7c41f36a-38ae-4f91-ae38-689d5b4863a1";
        assert_eq!(found(&format!("paste this there: {id} (the wiki API key, read only)")), [id]);
        assert_eq!(found("and Gr0tto&Fern7 (guest password) for the rest"), ["Gr0tto&Fern7"]);
        assert_eq!(found("they said it is Grotto_Fern7 (the wifi password)"), ["Grotto_Fern7"]);
        for text in [
            format!("request {id} (invalid token)"),
            format!("correlation id {id} (session token)"),
            "22f276b4988c35dc6eaec3116e727c81da582d1b (API key)".to_owned(),
            "see Settings2 (admin password)".to_owned(),
            "the second page (admin password)".to_owned(),
            "use Welcome-Letter-4 (initial password), then print".to_owned(),
            "see Setup_Guide4 (password) on the page".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
