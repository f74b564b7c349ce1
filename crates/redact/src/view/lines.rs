//! V5: lines without what a program set before each of them: numbers of a listing, `+` and `-` of a patch, `> ` of an
//! answer, `file:12:` of a search, `web-1  | ` and the time of a log. Names and values are told from where a line begins,
//! and tables from the line above.
//!
//! - L1  neighbours with leads of one kind are one view; each line is asked once, by its first byte
//! - L2  a lead is as long as its form says, and bounded

use super::{Hits, View};
use crate::names;

/// What stands before a line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// `    12⇥`, `    12→`.
    Number,
    /// A sign of a patch, below its `@@`.
    Patch,
    /// A plus, wherever it is.
    Plus,
    /// `> `, `< `, `E       `.
    Answer,
    /// `│ `, and what closes it.
    Box,
    /// `notes/x.txt:12:`, `12:`, `3f2a91bc (Ann 2026-11-30 13:51:02 +0100 12) `.
    Place,
    /// `web-1  | `, `[pod/api-7c9d] `, `api-7c9d8f6b5-x2v9k api `.
    Service,
    /// `2026-11-30T13:51:02Z INFO worker[3]: `, `13:51:02 `.
    Time,
}

/// How long each part of a lead may be.
const LONGEST: usize = 96;
/// How far behind the beginning of its line a literal may stand.
const REACH: usize = 1024;
const LEVELS: [&[u8]; 10] =
    [b"trace", b"debug", b"info", b"notice", b"warn", b"warning", b"error", b"err", b"fatal", b"critical"];
const MONTHS: [&[u8]; 12] =
    [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];

/// One view for each stretch of lines with leads of one kind around a literal, or of the whole text if all its lines are
/// set in.
pub(crate) fn lines(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let (mut at, mut floor, mut patch) = (0, 0, 0);
    while let Some(hit) = hits.next(at).filter(|&hit| hit < bytes.len()) {
        // Its own lines are asked when it is read.
        if views.is_empty()
            && at == 0
            && let Some(view) = returned(text).or_else(|| whole(text))
        {
            return vec![view];
        }
        let limit = bytes.len().min(hit + Hits::BLOCK);
        at = limit;
        for line in starts(bytes, floor, hit, limit) {
            let lead = may_lead(&bytes[line..]).then(|| lead(text_line(bytes, line))).flatten();
            let Some((lead, _)) = lead else { continue };
            let (from, parts) = stretch(bytes, (floor, &mut patch), line, lead);
            // A list's dash is no sign of a patch.
            let Some(&(_, end)) = parts.last() else { continue };
            views.push(join(text, from, &parts));
            floor = memchr::memchr(b'\n', &bytes[end..]).map_or(bytes.len(), |line| end + line + 1);
            at = at.max(floor);
            break;
        }
    }
    views
}

/// Whether `start..end` stands in what a program set before its line; brackets may hold anything.
pub(crate) fn is_lead(text: &[u8], start: usize, end: usize) -> bool {
    let line = start - crate::search::last_line(&text[start.saturating_sub(LONGEST)..start]).len();
    let begins = line == 0 || text[line - 1] == b'\n';
    let told = begins
        && may_lead(&text[line..])
        && lead(text_line(text, line)).is_some_and(|(kind, long)| {
            let named = kind == Lead::Place
                || kind == Lead::Time
                || kind == Lead::Service && (text[line] != b'[' || text[line..line + long].contains(&b'/'));
            named && end <= line + long
        });
    if told {
        crate::work::read(end - line);
    }
    told
}

/// Where the lines begin that stand in `hit..limit`, and the one that goes on there.
pub(super) fn starts(bytes: &[u8], floor: usize, hit: usize, limit: usize) -> impl Iterator<Item = usize> {
    let near = floor.max(hit.saturating_sub(REACH));
    let first = memchr::memrchr(b'\n', &bytes[near.min(hit)..hit]).map(|line| near + line + 1);
    let first = first.or((near == floor).then_some(floor));
    let rest = memchr::memchr_iter(b'\n', &bytes[hit..limit]).map(move |line| hit + line + 1);
    first.into_iter().chain(rest).filter(move |&line| line < limit)
}

/// The line from `start`.
fn text_line(bytes: &[u8], start: usize) -> &[u8] {
    let rest = &bytes[start..];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    line
}

/// The lines around the one from `line` with leads of that kind: where they begin, and what stands behind each lead. No
/// line before `patch` is looked at for what a patch begins with: it was before, and there was none.
fn stretch(
    bytes: &[u8],
    (floor, patch): (usize, &mut usize),
    line: usize,
    kind: Lead,
) -> (usize, Vec<(usize, usize)>) {
    let above = |start: usize| {
        let end = start.checked_sub(1).filter(|end| *end >= floor)?;
        Some(memchr::memrchr(b'\n', &bytes[floor..end]).map_or(floor, |at| floor + at + 1))
    };
    let signed = |start: &usize| matches!(bytes.get(*start), Some(b'+' | b'-' | b' '));
    let mut kind = kind;
    let mut first = line;
    if matches!(kind, Lead::Plus | Lead::Patch) {
        let least = *patch;
        while let Some(start) = above(first).filter(|start| *start >= least && signed(start)) {
            crate::work::read(first - start);
            first = start;
        }
        let begins = |start: usize| start >= least && bytes[start..].starts_with(b"@@ ");
        kind = if above(first).is_some_and(begins) { Lead::Patch } else { Lead::Plus };
        first = if kind == Lead::Patch { first } else { line };
        *patch = line;
    }
    let behind = |start: usize| match kind {
        Lead::Patch => signed(&start).then_some(1),
        kind => lead(text_line(bytes, start)).filter(|(own, _)| *own == kind).map(|(_, long)| long),
    };
    while let Some(start) = above(first).filter(|&start| kind != Lead::Patch && behind(start).is_some()) {
        first = start;
    }
    let (mut at, mut parts) = (first, Vec::new());
    while let Some(long) = (at < bytes.len()).then(|| behind(at)).flatten() {
        let line = text_line(bytes, at);
        let inside = match kind {
            Lead::Box => line.strip_suffix("│".as_bytes()).unwrap_or(line).trim_ascii_end(),
            _ => line,
        };
        parts.push((at + long, at + inside.len().max(long)));
        at += line.len() + 1;
    }
    (first, parts)
}

/// A text whose every line begins with the same blanks or signs of a remark: `    `, `# `, `// `.
fn whole(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let is_sign = |byte: &u8| matches!(byte, b' ' | b'\t' | b'#' | b'/' | b';' | b'*');
    let mut long = bytes.iter().take(LONGEST).take_while(|byte| is_sign(byte)).count();
    let (mut at, mut parts) = (0, Vec::new());
    // Hot path: most texts show at once that they are not.
    while long > 0 && at < bytes.len() {
        let end = memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |long| at + long);
        let same = bytes[..long].iter().zip(&bytes[at..end]).take_while(|(one, other)| one == other).count();
        // An empty line has nothing to be set in.
        if !bytes[at..end].trim_ascii().is_empty() {
            long = long.min(same);
        }
        parts.push((at, end));
        at = end + 1;
    }
    // What is said begins behind a blank.
    let long = bytes[..long].iter().rposition(|byte| matches!(byte, b' ' | b'\t')).map_or(0, |at| at + 1);
    if long == 0 || parts.is_empty() {
        return None;
    }
    let parts: Vec<(usize, usize)> =
        parts.into_iter().map(|(from, to)| ((from + long).min(to), to)).collect();
    Some(join(text, 0, &parts))
}

/// A text whose lines end in two signs, as Windows has them: in one.
fn returned(text: &str) -> Option<View> {
    let bytes = text.as_bytes();
    let first = memchr::memchr(b'\r', bytes).filter(|at| bytes.get(at + 1) == Some(&b'\n'))?;
    crate::work::read(bytes.len());
    let mut view = View::new(0, bytes.len());
    view.copy(&text[..first], 0);
    let mut from = first;
    while let Some(at) = memchr::memmem::find(&bytes[from..], b"\r\n").map(|at| from + at) {
        view.copy(&text[from..at], from);
        view.push('\n', at);
        from = at + 2;
    }
    view.copy(&text[from..], from);
    Some(view.finish(bytes.len()))
}

/// The lines without their leads.
fn join(text: &str, start: usize, parts: &[(usize, usize)]) -> View {
    let mut view = View::new(start, parts.iter().map(|(from, to)| to - from + 1).sum());
    for &(from, to) in parts {
        view.copy(&text[from..to], from - start);
        view.push('\n', to - start);
    }
    let end = parts.last().map_or(start, |part| part.1);
    view.finish(end - start)
}

/// Whether a lead may begin the line from here. Hot path: most lines show at once that none does.
fn may_lead(line: &[u8]) -> bool {
    let Some(first) = line.first() else { return false };
    match first {
        b'+' | b'-' | b'>' | b'<' | b'[' | b'0'..=b'9' | 0xE2 => true,
        b' ' => {
            let blanks = line.iter().take(8).take_while(|&&byte| byte == b' ').count();
            line.get(blanks).is_some_and(u8::is_ascii_digit)
        }
        b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'/' | b'_' => may_be_named(line),
        _ => false,
    }
}

/// The same where a name stands first, by where it ends.
fn may_be_named(line: &[u8]) -> bool {
    let ends = |byte: &u8| crate::search::is_one!(*byte, b' ' | b':' | b'|' | b'\t' | b'\n');
    let Some(long) = line.iter().take(LONGEST).position(ends) else { return false };
    match line[long] {
        b'\t' => true,
        b':' => line.get(long + 1).is_some_and(u8::is_ascii_digit),
        // A month, a failed test's `E`; a pod, a service, a digest.
        b' ' => matches!(long, 1 | 3 | 7..) || line[long - 1].is_ascii_digit(),
        _ => false,
    }
}

/// Whether a number or a place stands before the line: all that was set there.
pub(super) fn has_lead(bytes: &[u8], line: usize) -> bool {
    may_lead(&bytes[line..])
        && lead(text_line(bytes, line)).is_some_and(|(lead, _)| matches!(lead, Lead::Number | Lead::Place))
}

/// How bad it is that a log tells.
pub(super) fn is_level(word: &[u8]) -> bool {
    word.len() >= 3 && LEVELS.iter().any(|level| level.eq_ignore_ascii_case(word))
}

/// What stands before a line, and how long it is. Hot path: the first byte says what it may be.
fn lead(line: &[u8]) -> Option<(Lead, usize)> {
    match *line.first()? {
        b'+' if line.get(1) != Some(&b'+') => Some((Lead::Plus, 1)),
        b'-' if !matches!(line.get(1), None | Some(b'-')) => Some((Lead::Patch, 1)),
        b'>' | b'<' => {
            let long = line.iter().take(8).take_while(|byte| matches!(byte, b'>' | b'<' | b' ')).count();
            line[..long].ends_with(b" ").then_some((Lead::Answer, long))
        }
        b' ' | b'\t' | b'0'..=b'9' | b'[' => numbered(line)
            .or_else(|| timed(line).map(|long| (Lead::Time, long)))
            .or_else(|| bracketed(line))
            .or_else(|| blamed(line)),
        0xE2 if line.starts_with("│ ".as_bytes()) => Some((Lead::Box, "│ ".len())),
        b'a'..=b'z' | b'A'..=b'Z' | b'.' | b'/' | b'_' => named(line),
        _ => None,
    }
}

/// `    12⇥text`, `    12→text`, `12:text`, `13:51:02 text`.
fn numbered(line: &[u8]) -> Option<(Lead, usize)> {
    let blanks = line.iter().take(8).take_while(|&&byte| byte == b' ').count();
    let digits = line[blanks..].iter().take(8).take_while(|byte| byte.is_ascii_digit()).count();
    let rest = &line[blanks + digits..];
    if blanks == 0 && digits == 2 && rest.starts_with(b":") {
        let part = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b',');
        let clock = line.iter().take(16).take_while(part).count();
        if clock >= 8 {
            return (line.get(clock) == Some(&b' ')).then_some((Lead::Time, clock + 1));
        }
    }
    let sign = [b"\t", "→".as_bytes()].into_iter().find(|sign| rest.starts_with(sign));
    let sign = sign.or((blanks == 0 && rest.starts_with(b":")).then_some(b":"))?;
    (1..=7).contains(&digits).then_some((Lead::Number, blanks + digits + sign.len()))
}

/// `[pod/api-7c9d] text`, `[INFO] text`.
fn bracketed(line: &[u8]) -> Option<(Lead, usize)> {
    let inside = line.strip_prefix(b"[")?;
    let close = memchr::memchr(b']', &inside[..inside.len().min(LONGEST)])?;
    (close > 0 && inside.get(close + 1) == Some(&b' ')).then_some((Lead::Service, close + 3))
}

/// `3f2a91bc (Ann Otter 2026-11-30 13:51:02 +0100 12) text`: who wrote a line.
fn blamed(line: &[u8]) -> Option<(Lead, usize)> {
    let hash = line.iter().take(41).take_while(|byte| byte.is_ascii_hexdigit()).count();
    let who = line.get(hash..line.len().min(hash + LONGEST))?.strip_prefix(b" (")?;
    let close = memchr::memmem::find(who, b") ")?;
    let dated = who[..close].iter().filter(|byte| byte.is_ascii_digit()).count() >= 12;
    (hash >= 7 && dated).then_some((Lead::Place, hash + 2 + close + 2))
}

/// `notes/x.txt:12:`, `web-1  | `, `Nov 30 13:51:02 box app[3]: `, `build⇥Run tests⇥2026-11-30T13:51:02Z `.
fn named(line: &[u8]) -> Option<(Lead, usize)> {
    let long = line.iter().take(LONGEST).position(|byte| matches!(byte, b' ' | b':' | b'|' | b'\t'))?;
    match line[long] {
        b':' => {
            let digits = line[long + 1..].iter().take(7).take_while(|byte| byte.is_ascii_digit()).count();
            let past = long + 1 + digits;
            let path = line[..long].iter().any(|byte| matches!(byte, b'.' | b'/'));
            (digits > 0 && path && line.get(past) == Some(&b':')).then_some((Lead::Place, past + 1))
        }
        b' ' if blamed(line).is_some() => blamed(line),
        // `E       text` of a failed test.
        b' ' if line.starts_with(b"E   ") => Some((Lead::Answer, b"E   ".len())),
        b'\t' => {
            let step = long + 1 + memchr::memchr(b'\t', &line[long + 1..line.len().min(long + LONGEST)])?;
            Some((Lead::Time, step + 1 + timed(&line[step + 1..])?))
        }
        b'|' => None,
        _ if MONTHS.contains(&&line[..long]) => logged(line).map(|long| (Lead::Time, long)),
        _ => {
            let blanks = line[long..].iter().take(32).take_while(|&&byte| byte == b' ').count();
            // `api-7c9d8f6b5-x2v9k api text`: a pod, and which of its containers.
            let container = &line[long + blanks..];
            let own = container.iter().take_while(|byte| byte.is_ascii_graphic()).count();
            if blanks == 1 && is_pod(&line[..long]) && own > 0 && line.starts_with(&container[..own]) {
                return (container.get(own) == Some(&b' ')).then_some((Lead::Service, long + 1 + own + 1));
            }
            let service = line[..long].last().is_some_and(u8::is_ascii_digit);
            let bar = long + blanks + 1;
            let sign = service && line.get(bar - 1) == Some(&b'|');
            match line.get(bar) {
                None if sign => Some((Lead::Service, bar)),
                Some(b' ') if sign => Some((Lead::Service, bar + 1)),
                _ => None,
            }
        }
    }
}

/// `api-7c9d8f6b5-x2v9k`.
fn is_pod(word: &[u8]) -> bool {
    let sign = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
    word.len() >= 12 && word.contains(&b'-') && word.iter().any(u8::is_ascii_digit) && word.iter().all(sign)
}

/// `Nov 30 13:51:02 box app[3]: `.
fn logged(line: &[u8]) -> Option<usize> {
    let clock = line.get(7..15)?;
    let time = clock
        .iter()
        .enumerate()
        .all(|(at, byte)| if at % 3 == 2 { *byte == b':' } else { byte.is_ascii_digit() });
    let rest = line.get(16..line.len().min(16 + LONGEST))?;
    let colon = memchr::memmem::find(rest, b": ")?;
    (time && memchr::memchr_iter(b' ', &rest[..colon]).count() == 1).then_some(16 + colon + 2)
}

/// `2026-11-30T13:51:02.113Z INFO worker[3]: `: a time, how bad it is, and who says so.
fn timed(line: &[u8]) -> Option<usize> {
    let open = usize::from(line.first() == Some(&b'['));
    let date = line.get(open..open + 16)?;
    let form = date.iter().enumerate().all(|(at, byte)| match at {
        4 | 7 => *byte == b'-',
        10 => matches!(byte, b'T' | b' '),
        13 => *byte == b':',
        _ => byte.is_ascii_digit(),
    });
    if !form {
        return None;
    }
    let rest = &line[open + 16..];
    let clock = rest
        .iter()
        .take(24)
        .take_while(|byte| {
            byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b',' | b'Z' | b'+' | b'-' | b']')
        })
        .count();
    let mut at = open + 16 + clock;
    at += line[at..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let word = |at: usize| {
        let long = line[at..].iter().take(LONGEST).take_while(|byte| !byte.is_ascii_whitespace()).count();
        &line[at..at + long]
    };
    let level = word(at);
    let bare = level.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    if bare >= 3
        && bare + 3 >= level.len()
        && LEVELS.iter().any(|own| own.eq_ignore_ascii_case(letters(level)))
    {
        at += level.len();
        at += line[at..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    }
    // `[drone:3] `: where.
    let place = word(at);
    if place.starts_with(b"[") && place.ends_with(b"]") && line.get(at + place.len()) == Some(&b' ') {
        at += place.len() + 1;
    }
    // `worker[3]: `, `app.db: `: who says so, if no secret is called so; `sha: ` is a name like others.
    let source = word(at);
    let says = source.ends_with(b":")
        && source.iter().any(|byte| matches!(byte, b'[' | b'.' | b'/'))
        && names::judge(&source[..source.len() - 1]).is_none();
    Some(if says && line.get(at + source.len()) == Some(&b' ') { at + source.len() + 1 } else { at })
}

/// `[INFO]`, `INFO:`: the letters.
fn letters(word: &[u8]) -> &[u8] {
    let from = word.iter().position(u8::is_ascii_alphabetic).unwrap_or_default();
    let long = word[from..].iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    &word[from..from + long]
}

#[cfg(test)]
mod tests {
    use super::lines;
    use crate::testing::found;
    use crate::view::Hits;

    /// The text of the last views.
    fn read(text: &str) -> Vec<String> {
        let mut hits = Hits::default();
        (0..text.len()).for_each(|at| hits.mark(at));
        let views = lines(text, &hits).into_iter().map(|view| view.text);
        views
            .flat_map(|text| Some(read(&text)).filter(|inner| !inner.is_empty()).unwrap_or(vec![text]))
            .collect()
    }

    #[test]
    fn leads_are_taken_off() {
        for (text, plain) in [
            ("     1\tuser\tpw\n     2\tann\tx\n", "user\tpw\nann\tx\n"),
            ("     9→a\n    10→b\n", "a\nb\n"),
            ("@@ -1,2 +1,2 @@\n a\n-b\n+c\nx", "a\nb\nc\n"),
            ("x\n+a\n b\n", "a\n"),
            ("+a\n+b", "a\nb\n"),
            ("> a\n> > b\n", "a\nb\n"),
            ("notes/x.txt:12:a\nnotes/x.txt:13:b\n", "a\nb\n"),
            ("web-1  | a\ndb-1   | b\n", "a\nb\n"),
            ("2026-11-30T13:51:02.113Z INFO worker[3]: a\n2026-11-30T13:51:03.113Z b\n", "a\nb\n"),
            ("[2026-11-30 13:51:02] [warn] a\n", "a\n"),
            ("[2026-11-30 13:51:02] [drone:3] a\n", "a\n"),
            ("web-1  |\nweb-1  | a\n", "\na\n"),
            ("Nov 30 13:51:02 box app[3]: a\n", "a\n"),
            ("build\tRun tests\t2026-11-30T13:51:02.1Z a\n", "a\n"),
            ("2026-11-30T13:51:02Z password: a\n", "password: a\n"),
            ("2026-11-30T13:51:02Z SHA: a\n", "SHA: a\n"),
            ("│ a  │\n│ b  │\n", "a\nb\n"),
            ("12:a\n13:b\n", "a\nb\n"),
            ("13:51:02 a\n13:51:02.113 b\n", "a\nb\n"),
            ("[pod/api-7c9d] a\n[pod/api-7c9d] b\n", "a\nb\n"),
            ("api-7c9d8f6b5-x2v9k api a\n", "a\n"),
            ("3f2a91bc (Ann Otter 2026-11-30 13:51:02 +0100 12) a\n", "a\n"),
            ("E   a\nE   b\n", "a\nb\n"),
            ("< a\n< b\n", "a\nb\n"),
            ("    a\n\n      b\n", "a\n\n  b\n"),
            ("# a\n# b\n", "a\nb\n"),
            ("a\r\nb\r\n", "a\nb\n"),
        ] {
            assert_eq!(read(text), [plain], "{text}");
        }
    }

    #[test]
    fn other_lines_have_none() {
        for text in [
            "a | b | c\n",
            "a: 12: b\n",
            "12 monkeys\n",
            "++i;\n",
            "- a list\n",
            "<a>\n",
            "2026-11-30 was a Monday\n",
            "May 2026 was warm: nobody knows\n",
            "http://10.0.0.4:80/x\n",
            "\n\n",
        ] {
            assert!(read(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn what_a_lead_hid_is_found() {
        for text in [
            "     1\t| Site | Login | Pass |\n     2\t| --- | --- | --- |\n     3\t| shop | amy | Peach+Plum3 |\n",
            "+| Site | Login | Pass |\n+| --- | --- | --- |\n+| shop | amy | Peach+Plum3 |\n",
            "{\"content\":\"     1→| Site | Login | Pass |\\n     2→| --- | --- | --- |\\n     3→| shop | amy | Peach+Plum3 |\"}",
        ] {
            assert_eq!(found(text), ["Peach+Plum3"], "{text}");
        }
    }
}
