//! V6: lines that begin alike, whatever they begin with. `src/app.conf-12-`, `I0423 12:00:01 main.go:20] `,
//! `{"time":"2026-03-01T10:00:00Z","msg":"`, `echo '`, ` * `, `<li>`: nobody has a list of all that programs set before
//! each line, and what it is shows by itself: it is the same in each, but for numbers.
//!
//! - A1  a lead ends where a sign does, and no secret is called so; neighbours begin with it
//! - A2  where it ends in a quote each line is one string, and is read as it is meant
//! - A3  each line is compared with the few around it, as far as a lead may be long

use super::strings::close;
use super::{Hits, Rules, View, lines, markup, strings};
use crate::names;

/// How long a lead may be.
const LONGEST: usize = 160;
/// What may stand behind the string of a line.
const LONGEST_TAIL: usize = 32;
/// How many lines without a literal are read above and below one.
const MOST_AROUND: usize = 6;

/// One view for each stretch of lines that begin alike.
pub(crate) fn alike(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let (mut at, mut floor, mut differs) = (0, 0, 0);
    while let Some(hit) = hits.next(at).filter(|&hit| hit < bytes.len()) {
        let limit = bytes.len().min(hit + Hits::BLOCK);
        at = limit;
        for line in lines::starts(bytes, floor, hit, limit) {
            // What is known to be set before lines has a view already.
            if lines::has_lead(bytes, line) {
                continue;
            }
            let Some(stretch) = stretch(bytes, hits, (floor, &mut differs), line) else { continue };
            floor = stretch.end;
            at = at.max(floor);
            if stretch.speaks(bytes) {
                views.push(join(text, &stretch));
            }
            break;
        }
    }
    views
}

/// Lines that begin alike: where they begin and end, and what stands between lead and tail of each.
struct Stretch {
    start: usize,
    end: usize,
    parts: Vec<(usize, usize)>,
    /// What the lead ends in.
    sign: u8,
}

impl Stretch {
    /// A list of words is no text.
    fn speaks(&self, bytes: &[u8]) -> bool {
        let says =
            |&(from, to): &(usize, usize)| bytes[from..to].iter().any(|byte| matches!(byte, b' ' | b'='));
        !is_quote(self.sign) || self.parts.iter().any(says)
    }
}

/// The stretch around the line that begins at `line`, if it and a neighbour begin alike. The line at `differs` was
/// compared with the one above it already.
fn stretch(bytes: &[u8], hits: &Hits, (floor, differs): (usize, &mut usize), line: usize) -> Option<Stretch> {
    let here = head(bytes, line);
    let alike = |other: &usize| begin_alike(here, head(bytes, *other));
    let with = |other: usize| common(here, head(bytes, other));
    let below = next(bytes, line);
    let above = if *differs == line { None } else { previous(bytes, floor, line).filter(alike) };
    let same = below.filter(alike);
    *differs = if same.is_none() { below.unwrap_or_default() } else { 0 };
    let lead = same
        .and_then(|below| {
            let two = with(below)?;
            // What the next two share by chance, the third may not.
            let third = next(bytes, below)
                .filter(|third| begin_alike(&here[..two], head(bytes, *third)))
                .and_then(|third| common(&here[..two], head(bytes, third)));
            Some(third.unwrap_or(two))
        })
        .or_else(|| above.and_then(with))?;
    let lead = &here[..lead];
    let sign = lead.trim_ascii_end().last().copied().unwrap_or_default();
    let mut first = line;
    for _ in 0..MOST_AROUND {
        let Some(start) = previous(bytes, floor, first).filter(|&start| part(bytes, start, lead).is_some())
        else {
            break;
        };
        first = start;
    }
    let (mut parts, mut end, mut idle) = (Vec::new(), first, 0);
    while let Some(inside) =
        (end < bytes.len() && idle <= 2 * MOST_AROUND).then(|| part(bytes, end, lead)).flatten()
    {
        parts.push(inside);
        idle = if hits.any(end, inside.1) { 0 } else { idle + 1 };
        end = next(bytes, end).unwrap_or(bytes.len());
    }
    (parts.len() >= 2).then_some(Stretch { start: first, end, parts, sign })
}

/// As many bytes from the beginning of a line as a lead may have.
fn head(bytes: &[u8], line: usize) -> &[u8] {
    &bytes[line..bytes.len().min(line + LONGEST)]
}

fn next(bytes: &[u8], line: usize) -> Option<usize> {
    let end = memchr::memchr(b'\n', &bytes[line..]);
    crate::work::read(end.unwrap_or(bytes.len() - line));
    end.map(|end| line + end + 1).filter(|&next| next < bytes.len())
}

fn previous(bytes: &[u8], floor: usize, line: usize) -> Option<usize> {
    let end = line.checked_sub(1).filter(|&end| end >= floor)?;
    let start = memchr::memrchr(b'\n', &bytes[floor..end]).map_or(floor, |at| floor + at + 1);
    crate::work::read(end - start);
    Some(start)
}

/// Whether two lines begin alike, as far as it shows. Hot path: most neighbours begin otherwise, or with a word alone.
fn begin_alike(one: &[u8], other: &[u8]) -> bool {
    let same = same(one, other);
    crate::work::read(same);
    let differ =
        |by: fn(u8) -> bool| [one, other].iter().all(|line| line.get(same).is_some_and(|byte| by(*byte)));
    // How bad it is may stand first.
    let level = || same == 0 && differ(|byte| byte.is_ascii_uppercase());
    one[..same].iter().any(|byte| may_end(*byte)) || differ(is_blank_or_digit) || level()
}

/// How long the lead is that two lines have in common that begin alike.
fn common(one: &[u8], other: &[u8]) -> Option<usize> {
    let (long, _) = shared(one, other);
    crate::work::read(long);
    lead_end(&one[..long])
}

fn is_blank_or_digit(byte: u8) -> bool {
    crate::search::is_one!(byte, b' ' | b'0'..=b'9')
}

/// Signs that a lead ends in, and digits, behind which others do.
#[rustfmt::skip]
fn may_end(byte: u8) -> bool {
    crate::search::is_one!(
        byte,
        b'0'..=b'9' | b'"' | b'\'' | b'>' | b'<' | b'[' | b':' | b'#' | b'*' | b'%' | b';' | b']' | b'-' | b'+' | b'/' | 0x82
    )
}

/// How many bytes two lines begin with alike.
fn same(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take_while(|(a, b)| a == b && **a != b'\n').count()
}

/// How far two lines are the same, but for numbers, how far they are set in, what brackets hold, and how bad it is.
/// Hot path: most bytes are the same.
fn shared(one: &[u8], other: &[u8]) -> (usize, usize) {
    let (mut at, mut to) = (0, 0);
    while let (Some(&x), Some(&y)) = (one.get(at), other.get(to)) {
        if is_blank_or_digit(x) && is_blank_or_digit(y) {
            let (a, b) = (&one[at..], &other[to..]);
            let (a_number, b_number) = (number(a), number(b));
            let both = a_number > 0 && b_number > 0;
            let (a_long, b_long) = if both { (a_number, b_number) } else { (blanks(a), blanks(b)) };
            if a_long == 0 || b_long == 0 {
                break;
            }
            (at, to) = (at + a_long, to + b_long);
        } else if x == y && x != b'\n' {
            (at, to) = (at + 1, to + 1);
        } else {
            let Some((past, behind)) = varied(one, at, other, to) else { break };
            (at, to) = (past, behind);
        }
    }
    (at, to)
}

/// Where two words end that differ where it does not matter: in brackets, and in how bad it is.
fn varied(one: &[u8], at: usize, other: &[u8], to: usize) -> Option<(usize, usize)> {
    let of_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-');
    let begun = one[..at].iter().rev().take_while(of_word).count();
    let (start, from) = (at - begun, to.checked_sub(begun)?);
    let (own, others) = (word(&one[start..]), word(&other[from..]));
    let (past, behind) = (start + own, from + others);
    let bracket = start > 0
        && matches!((one[start - 1], one.get(past)), (b'<', Some(b'>')) | (b'[', Some(b']')))
        && one.get(past) == other.get(behind);
    // `I0423`, `E0423`.
    let short = |word: &[u8]| {
        start == 0
            && word.len() == 5
            && word[0].is_ascii_uppercase()
            && word[1..].iter().all(u8::is_ascii_digit)
    };
    let is_level = |word: &[u8]| lines::is_level(word) || short(word);
    let levels = || is_level(&one[start..past]) && is_level(&other[from..behind]);
    // What comes behind the same word is no word.
    let differ = own > begun && others > begun || own != others;
    (own > 0 && others > 0 && differ && (bracket || levels())).then_some((past, behind))
}

fn blanks(rest: &[u8]) -> usize {
    rest.iter().take_while(|&&byte| byte == b' ').count()
}

/// How long a number is, with the blanks that set it right.
fn number(rest: &[u8]) -> usize {
    let blanks = blanks(rest);
    let digits = rest[blanks..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 { blanks + digits } else { 0 }
}

fn word(rest: &[u8]) -> usize {
    rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-')).count()
}

/// Where the longest lead ends that is one by what it ends in.
fn lead_end(shared: &[u8]) -> Option<usize> {
    let signs = shared.iter().take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    // What a table's rows begin with, and an object's.
    if matches!(shared.trim_ascii_start().first(), None | Some(b'|' | b'{' | b'(')) && signs == shared.len() {
        return None;
    }
    (1..=shared.len()).rev().find(|&end| is_lead(&shared[..end]))
}

fn is_lead(lead: &[u8]) -> bool {
    // Hot path: most leads end in a letter.
    let Some(&last) = lead.last() else { return false };
    if !crate::search::is_one!(last, b' ' | b'\t' | b'"' | b'\'' | b'>' | b'-' | b'+' | b':' | 0x82) {
        return false;
    }
    let bare = lead.trim_ascii_end();
    let blank = bare.len() < lead.len();
    let behind_digit =
        |sign: u8| bare.strip_suffix(&[sign]).and_then(<[u8]>::last).is_some_and(u8::is_ascii_digit);
    let ends = match bare.last() {
        Some(b'"' | b'\'') => !blank && !bare.ends_with(b"\\\""),
        Some(b'>') => bare.contains(&b'<') || !matches!(bare, [.., b'=' | b'-', b'>']),
        Some(b'-') if !blank => behind_digit(b'-'),
        // `12 +`.
        Some(b'+') if !blank => bare.ends_with(b" +") && is_numbered(lead),
        Some(b':') => {
            is_numbered(lead) && (blank || behind_digit(b':')) || lines::is_level(&lead[..word(lead)])
        }
        Some(b'.' | b')') => blank && (behind_digit(b'.') || behind_digit(b')')),
        Some(b'|') => blank && is_numbered(lead),
        Some(b'#' | b'*' | b'%' | b';' | b']' | b'-' | b'+' | b'/') => blank,
        Some(0x82) => bare.ends_with("│".as_bytes()),
        _ => false,
    };
    // `"arn:aws:…:4711:` goes on in its string.
    let torn = ends && bare.len() > 1 && is_open(&bare[..bare.len() - 1]) && !matches!(last, b'"' | b'\'');
    let words = || {
        !lead[0].is_ascii_alphanumeric()
            || matches!(last, b'"' | b'\'' | b'>')
            || lines::is_level(&lead[..word(lead)])
    };
    ends && !torn && (is_numbered(lead) || words() && !speaks_of_secrets(lead))
}

/// Whether a string begins in it and does not end.
fn is_open(lead: &[u8]) -> bool {
    memchr::memchr_iter(b'"', lead).count() % 2 == 1
}

/// Whether a number stands by itself, or behind one letter: `12:`, `L12:`, `I0423 `; not that of `SIGUSR1`.
fn is_numbered(lead: &[u8]) -> bool {
    (0..lead.len()).any(|at| {
        let before = |back: usize| at.checked_sub(back).map_or(b' ', |at| lead[at]);
        let begins = |byte: u8| !byte.is_ascii_alphanumeric() && byte != b'_';
        lead[at].is_ascii_digit() && (begins(before(1)) || at == 1)
    })
}

/// What is called like a secret is no lead: `my public key: `.
fn speaks_of_secrets(lead: &[u8]) -> bool {
    lead.split(|byte| !byte.is_ascii_alphanumeric())
        .any(|word| word.len() > 2 && names::judge(word).is_some())
}

/// What stands on the line from `start` behind the lead, if it begins so: up to its tail.
fn part(bytes: &[u8], start: usize, lead: &[u8]) -> Option<(usize, usize)> {
    let end = memchr::memchr(b'\n', &bytes[start..]).map_or(bytes.len(), |long| start + long);
    let line = &bytes[start..end];
    crate::work::read(line.len());
    let bare = lead.trim_ascii_end();
    let (same, own) = shared(lead, line);
    if same < lead.len() {
        // An empty line has nothing behind the blank.
        let (same, own) = shared(bare, line);
        return (same == bare.len() && own == line.len() && bare.len() < lead.len()).then_some((end, end));
    }
    // Blanks behind a lead's own set a line in.
    let from = start + own - trailing(&line[..own]).saturating_sub(trailing(lead));
    let inside = &bytes[from..end];
    let long = match bare.last() {
        Some(sign @ (b'"' | b'\'')) => {
            let string = close(&bytes[..end], from, *sign);
            let tail = &bytes[(string.end + 1).min(end)..end];
            let whole = string.closed && tail.len() <= LONGEST_TAIL && !tail.contains(sign);
            return whole.then_some((from, string.end));
        }
        Some(b'>') => without_tags(inside),
        Some(0x82) => {
            let bar = memchr::memmem::rfind(inside, "│".as_bytes());
            inside[..bar.unwrap_or(inside.len())].trim_ascii_end().len()
        }
        _ => inside.len(),
    };
    Some((from, from + long))
}

fn trailing(bytes: &[u8]) -> usize {
    bytes.iter().rev().take_while(|&&byte| byte == b' ').count()
}

/// How long a line is without the tags that close at its end.
fn without_tags(line: &[u8]) -> usize {
    let mut bare = line.trim_ascii_end();
    while bare.ends_with(b">")
        && let Some(open) = memchr::memrchr(b'<', bare)
        && (bare[open..].starts_with(b"</") || bare[open..].starts_with(b"<br"))
    {
        bare = bare[..open].trim_ascii_end();
    }
    bare.len()
}

fn is_quote(sign: u8) -> bool {
    matches!(sign, b'"' | b'\'')
}

/// The lines without what all of them begin with.
fn join(text: &str, stretch: &Stretch) -> View {
    let mut view = View::new(stretch.start, stretch.end - stretch.start);
    for &(from, to) in &stretch.parts {
        let (inside, own) = (&text[from..to], from - stretch.start);
        match stretch.sign {
            sign if is_quote(sign) => strings::read_into(&mut view, inside, own),
            b'>' => markup::read_into(&mut view, inside, own),
            _ => view.copy(inside, own),
        }
        if !is_quote(stretch.sign) || !view.text.ends_with('\n') {
            view.push('\n', to - stretch.start);
        }
    }
    let end = stretch.parts.last().map_or(0, |part| part.1 - stretch.start);
    let view = view.finish(end);
    if is_quote(stretch.sign) { view.ruling(Rules::Leads) } else { view }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;
    use crate::view::Hits;

    fn read(text: &str) -> Vec<String> {
        let mut hits = Hits::default();
        (0..text.len()).for_each(|at| hits.mark(at));
        super::alike(text, &hits).into_iter().map(|view| view.text).collect()
    }

    #[test]
    fn what_all_begin_with_is_taken_off() {
        for text in [
            "src/a.conf-9-a b\nsrc/a.conf-10-  c\n",
            "I0423 12:00:01.12   345 main.go:9] a b\nE0423 12:00:02.1   345 main.go:10]   c\n",
            "INFO:app.main:a b\nWARN:app.main:  c\n",
            "[12:01] <ann> a b\n[12:02] <bob>   c\n",
            "  9   │ a b\n 10   │   c\n",
            "  9      + a b\n 10      +   c\n",
            "L9: a b\nL10:   c\n",
            " * a b\n *   c\n",
            "-- a b\n--   c\n",
            "- a b\n-   c\n",
            "echo 'a b' >> f\necho '  c' >> f\n",
            "    \"a b\\n\",\n    \"  c\"\n",
            "{\"n\":1,\"msg\":\"a b\"}\n{\"n\":2,\"msg\":\"  c\"}\n",
            "  <li>a b</li>\n  <li>  c</li>\n",
            "│a b      │ top\n│  c      │ top\n",
        ] {
            assert_eq!(read(text), ["a b\n  c\n"], "{text}");
        }
        assert_eq!(read(" * a\n * b\n *\n * c\n"), ["a\nb\n\nc\n"]);
    }

    #[test]
    fn other_lines_keep_what_they_begin_with() {
        for text in [
            "let a = 1;\nlet b = 2;\n",
            "    one\n    two\n",
            "AWS_A=b\nAWS_C=d\n",
            "my public key: a\nmy public key: b\n",
            "| a | b |\n| c | d |\n",
            "{\"a\": 1},\n{\"b\": 2},\n",
            "  \"a\": 1,\n  \"b\": 2,\n",
            "  \"word\",\n  \"other\",\n",
            "pub const SIGUSR1: a\npub const SIGUSR2: b\n",
            "    \"arn:aws:4711:a\",\n    \"arn:aws:4712:b\",\n",
            "err(\nerr[\n",
            "- a\n",
        ] {
            assert!(read(text).is_empty(), "{text}: {:?}", read(text));
        }
    }

    #[test]
    fn what_stands_between_the_lines_of_a_key_stays() {
        let record = |line: &str| format!("{{\"n\":1,\"msg\":\"{line}\"}}\n");
        let body = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6Qw4Ge0Jf8TyUaBzVxCnMoPi2LrSdEhKgFj1q";
        let lines = ["-----BEGIN EC PRIVATE KEY-----", body, "-----END EC PRIVATE KEY-----"];
        let text: String = lines.iter().map(|line| record(line)).collect();
        assert_eq!(found(&text), lines);
    }
}
