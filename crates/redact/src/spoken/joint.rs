//! What joins a spoken name and its value, and where the value ends.

use super::Sort;
use super::accept::accepts;

/// Signs that join a name and its value.
pub(super) const SIGNS: &[&str] = &[":", "：", "】", "=", "→", "->", " = ", " — ", " – ", "「", "『", "« "];

/// Words that do, between blanks where they are letters; a language is a row.
#[rustfmt::skip]
pub(super) const VERBS: &[&str] = &[
    " is ", " was ", " it's ", " it’s ", " to ", " with ", " ours is ", " becomes ", " remains ",
    " ist ", " lautet ", " war ", " bleibt ", " blijft ",
    " est ", " est le ", " es el ", " è il ", " é o ", " c'est ", " c’est ", " était ", " sera ",
    " es ", " era ", " será ", " é ", " a ser ", " è ", " sarà ", " continua ", " continua a ser ", " sigue siendo ", " reste ", " resta ", " fica ", " rimane ",
    " är ", " er ", " var ", " on ", " je ", " jest ", " to jest ", " brzmi ", " zní ", " lyder ", " luidt ", " to ", " là ", " artık ", " mostantól ", " είναι ", " adalah ", " este ", " هي ", " هو ", " היא ", " הוא ",
    "是", "为", "為", "は", "は「", "는", "은",
];

/// What may stand behind a verb: since when it holds, and that it still does; a language is a row.
#[rustfmt::skip]
pub(super) const SINCE: &[&str] = &[
    " now ", " still ", " currently ", " as of today ", " from now on ",
    " jetzt ", " nun ", " noch ", " weiterhin ", " ab jetzt ", " ab heute ", " ab sofort ", " seit heute ", " seit gestern ",
    " maintenant ", " désormais ", " dorénavant ", " toujours ", " encore ", " à présent ", " depuis hier ",
    " ahora ", " todavía ", " aún ", " desde hoy ", " agora ", " ainda ", " desde ontem ", " a partir de hoje ", " a partir de hoy ",
    " adesso ", " ora ", " ancora ", " da oggi ", " nu ", " nog ", " voortaan ", " vanaf nu ", " sinds gisteren ", " vanaf vandaag ",
    " fortfarande ", " från och med nu ", " nå ", " fra nå av ", " stadig ", " nyt ", " vielä ", " teraz ", " nadal ", " od teraz ", " teď ", " nyní ", " pořád ",
    " сейчас ", " теперь ", " пока ", " şimdi ",
];

/// Those that stand at the end of a name already.
pub(super) const JOINED: [&str; 24] = [
    "パスは",
    " it to",
    "again with",
    "it with",
    "pin is",
    "otp is",
    "word is",
    "ed with",
    "s with",
    "sselt mit",
    "tzt mit",
    "ist mit",
    "chiffré avec",
    "cifrado con",
    "protegido con",
    "packen mit",
    "packt mit",
    "unzip with",
    "extract with",
    "décompresser avec",
    "descomprimir con",
    "estrarre con",
    "uitpakken met",
    "unpack with",
];

const REACH: usize = 64;

pub(super) const LONGEST: usize = 128;

/// Whether a name ends in what joins it to its value.
pub(crate) fn is_joined(name: &str) -> bool {
    JOINED.iter().any(|joint| name.to_ascii_lowercase().ends_with(joint))
}

/// Where a value starts, and whether a verb stands before it.
pub(super) struct Joint {
    pub(super) start: usize,
    pub(super) verb: bool,
}

/// Behind the first joint on the line, if only words stand before it.
pub(super) fn joint(text: &[u8], at: usize, end: usize) -> Option<Joint> {
    let window = &text[end..text.len().min(end + REACH)];
    let (mut from, mut verb) = (0, true);
    let joined = std::str::from_utf8(&text[at..end]).is_ok_and(is_joined);
    if !joined {
        let joint;
        // No joint is on another line, but for what stands in brackets.
        let line = memchr::memchr(b'\n', window).filter(|&line| !window[..line].contains(&b'('));
        let on_line = (0..line.map_or(window.len(), |line| line + 1)).find_map(|at| {
            let rest = &window[at..];
            if rest[0].is_ascii_alphanumeric() {
                return None;
            }
            // Hot path: most joints differ in their second byte.
            let second = rest.get(1);
            let find = |joints: &[&str]| {
                joints
                    .iter()
                    .filter(|joint| joint.len() < 2 || joint.as_bytes().get(1) == second)
                    .filter(|joint| rest.starts_with(joint.as_bytes()))
                    .map(|joint| joint.len())
                    .max()
            };
            find(VERBS).map(|long| (at + long, true)).or_else(|| find(SIGNS).map(|long| (at + long, false)))
        });
        if let Some(line) = line.filter(|_| on_line.is_none()) {
            let start = end + line + 1 + dressing(&window[line + 1..]);
            // What it joins ends what is said.
            let ends = || {
                matches!(
                    text.get(value_end(text, start)),
                    None | Some(b'.' | b',' | b';' | b')' | b'\n' | b'\r')
                )
            };
            return (ends() && is_broken(&window[..line])).then_some(Joint { start, verb: true });
        }
        (joint, verb) = on_line?;
        if !is_plain(&window[..joint]) {
            return None;
        }
        from = joint;
    }
    if verb && !joined {
        from += since(&window[from.max(1) - 1..]);
    }
    Some(Joint { start: end + from + dressing(&window[from..]), verb })
}

/// `La clé sous la box est⏎X`: a verb ends a line which only words stand on.
fn is_broken(line: &[u8]) -> bool {
    let Some(from) = memchr::memrchr(b' ', line) else { return false };
    let verb = &line[from..];
    verb.len() <= 8
        && VERBS.iter().any(|own| own.as_bytes().strip_suffix(b" ") == Some(verb))
        && is_plain(&line[..from])
}

/// How long the word is that says since when, behind the blank of a verb.
fn since(rest: &[u8]) -> usize {
    let words = SINCE.iter().filter(|word| rest.starts_with(word.as_bytes()));
    words.map(|word| word.len() - 1).max().unwrap_or(0)
}

/// Behind the first joint on the line, if only words stand before it.
pub(super) fn value_start(text: &[u8], at: usize, end: usize) -> Option<usize> {
    joint(text, at, end).map(|joint| joint.start)
}

/// Words alone between a name and its joint; what stands in brackets does not count.
pub(super) fn is_plain(between: &[u8]) -> bool {
    let open = memchr::memchr(b'(', between);
    let close = memchr::memrchr(b')', between);
    let outside = match (open, close) {
        (Some(open), Some(close)) if open < close => [&between[..open], &between[close + 1..]],
        _ => [between, &[]],
    };
    let stop = |byte: &u8| matches!(byte, b'\n' | b'?' | b'!' | b'(' | b'{' | b'<' | b'/' | b';');
    // `im 3. OG`, `ann@example.org`: a number's dot ends no sentence, and a host's neither.
    let ends = |part: &[u8]| {
        let inside = |at: usize| part.get(at + 1).is_some_and(u8::is_ascii_lowercase);
        part.iter()
            .enumerate()
            .any(|(at, &byte)| byte == b'.' && !(at > 0 && part[at - 1].is_ascii_digit()) && !inside(at))
    };
    !between.contains(&b'\n') && !outside.iter().any(|part| part.iter().any(stop) || ends(part))
}

/// Blanks, opening quotes and a page's tags before a value: `<b>Codice:</b> <code>X</code>`.
pub(super) fn dressing(window: &[u8]) -> usize {
    const TAGS: [&[u8]; 9] =
        [b"<b>", b"<strong>", b"<code>", b"<kbd>", b"<tt>", b"<em>", b"<i>", b"</b>", b"</strong>"];
    let mut from = 0;
    while from < window.len() {
        if window[from] == b'<' {
            match TAGS.iter().find(|tag| window[from..].starts_with(tag)) {
                Some(tag) => from += tag.len(),
                None => break,
            }
            continue;
        }
        let opened = ["「", "“", "«", "„", "『", "\u{a0}"]
            .iter()
            .find(|sign| window[from..].starts_with(sign.as_bytes()));
        match opened {
            Some(sign) => from += sign.len(),
            None if matches!(window[from], b' ' | b'"' | b'\'' | b'`' | b'*') => from += 1,
            None => break,
        }
    }
    from
}

/// Up to a blank, a quote, or a sign of another script; without the sentence's own punctuation.
pub(crate) fn value_end(text: &[u8], start: usize) -> usize {
    let window = &text[start.min(text.len())..text.len().min(start + LONGEST)];
    // From E2 on begin the letters and signs of the scripts that are written without blanks.
    let ends =
        |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'`' | b'<' | b'>' | b'\\' | 0xE2..);
    let long = window.iter().position(ends).unwrap_or(window.len());
    let tail = window[..long]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b':' | b')' | b'\'' | b'?' | b'*'))
        .count();
    start + long - tail
}

/// `admin / X`: the user stands first.
pub(super) fn second(text: &[u8], sort: Sort, start: usize, stop: usize) -> Option<(usize, usize)> {
    let said = &text[start..stop];
    // A network's key of digits is no user.
    let number = said.len() >= 8 && said.iter().all(u8::is_ascii_digit);
    if sort != Sort::Password || number || accepts(sort, said) || crate::search::has(said, b"[REDACTED") {
        return None;
    }
    let rest = text.get(stop..)?;
    let gap = [&b" / "[..], b" : ", b", ", b" - "].iter().find(|gap| rest.starts_with(gap))?.len();
    Some((stop + gap, value_end(text, stop + gap)))
}

/// `771 204`: the other half of a code.
pub(super) fn pair_end(text: &[u8], start: usize, stop: usize) -> usize {
    let digits = |from: usize| {
        text.get(from..)
            .map_or(0, |rest| rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count())
    };
    let first = digits(start);
    let paired =
        first >= 3 && start + first == stop && text.get(stop) == Some(&b' ') && digits(stop + 1) == first;
    // `847 193 056`: a third.
    let third = paired && first == 3 && text.get(stop + 4) == Some(&b' ') && digits(stop + 5) == first;
    if third {
        stop + 8
    } else if paired {
        stop + 1 + first
    } else {
        stop
    }
}
