//! Values that stand below what names them: after a colon at the end of a line, in the next turn of a talk.

use super::word::strip;
use super::{looks_joined, looks_like_secret, next_word};
use crate::chance;
use crate::marker;
use crate::names::{Name, Trust};
use crate::search::{self, Words};
use crate::span::Spans;
use crate::value;

/// Lines of a talk in which an answer may stand.
const MOST_TURNS: usize = 4;
/// Lines over which a mail program may break one key.
const MOST_PIECES: usize = 12;
const LONGEST_LINE: usize = 200;

/// "what's the password again?⏎A: X", "anyone have the pw?⏎ann: user is bob⏎ann: X": the lone word of a turn that
/// follows, if one is asked for or somebody speaks.
pub(crate) fn answered(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    answered_by(text, stop, |word, said| {
        looks_like_secret(word)
            || said && (looks_joined(word) || value::is_chosen(word) || value::is_disclosed(word))
    })
}

/// The same for a PIN.
pub(crate) fn answered_in_digits(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    answered_by(text, stop, |word, _| is_digits(word)).or_else(|| {
        let line = line_at(text, stop);
        let turn = line_at(text, stop + line.len() + 1);
        let said = speaker(turn);
        let rest = turn[said..].trim_ascii_start();
        let long = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        // `882 041`.
        let halves = long == 3
            && rest.get(3) == Some(&b' ')
            && rest.get(4..7).is_some_and(|half| half.iter().all(u8::is_ascii_digit));
        let long = if halves { 7 } else { long };
        let ends = matches!(rest.get(long), None | Some(b' ' | b',' | b'.' | b';' | b'#' | b'!'));
        // "468750, then the star": the first word of the answer.
        let start = stop + line.len() + 1 + (turn.len() - rest.len());
        let asked = line.trim_ascii_end().ends_with(b"?") && said > 0;
        // "und die Pin vom Tablet": nobody asks with a sign.
        let alone = said > 0
            && speaker(line_before(text, stop)) > 0
            && rest.trim_ascii_end().len() == long
            && is_few(line);
        ((asked || alone) && ends && (halves || is_digits(&rest[..long]))).then_some((start, start + long))
    })
}

/// A few words and no number among them.
fn is_few(line: &[u8]) -> bool {
    line.len() <= 48 && !line.iter().any(u8::is_ascii_digit)
}

fn is_digits(word: &[u8]) -> bool {
    (4..=8).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

/// The same for a token: "can you send me the api key?⏎sure: X".
pub(crate) fn answered_with_token(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    // What else is random, and is asked for beside a token.
    #[rustfmt::skip]
    static IDS: Words<12> = Words::new([
        b"commit", b"trace", b"hash", b"fingerprint", b"request id", b"correlation", b"checksum", b"digest", b"job id", b"session id", b"build id", b"token id",
    ]);
    if !matches!(name.kind, "token" | "api_key" | "key" | "secret") {
        return None;
    }
    let of_id = || IDS.within(line_before(text, stop)) || IDS.within(line_at(text, stop));
    answered_by(text, stop, |word, _| is_lone(name, word) || value::is_uuid(word)).filter(|_| !of_id())
}

fn answered_by(text: &[u8], stop: usize, is_answer: impl Fn(&[u8], bool) -> bool) -> Option<(usize, usize)> {
    let rest = &text[stop..text.len().min(stop + 72)];
    let line = memchr::memchr(b'\n', rest)?;
    // Most lines are of code.
    if memchr::memchr3(b'=', b'{', b'<', &rest[..line]).is_some()
        || is_of_another(&rest[..line])
        || marker::is_within(&rest[..line])
    {
        return None;
    }
    let asked = ends_in_question(&rest[..line]);
    let own = line_before(text, stop);
    let said = speaker(own);
    // "please send the key" below who says it, and when.
    let headed = !asked
        && said == 0
        && is_head(line_before(text, (stop - own.len()).saturating_sub(1)))
        && asks(own, &rest[..line]);
    let talk = || {
        let own = own.trim_ascii_start();
        let said = speaker(own);
        // The line below must be somebody's, or one that goes on.
        let goes_on = || {
            let below = line_at(text, stop + line + 1);
            below.starts_with(b" ") || speaker(below) > 0
        };
        // Without a question only what begins as a talk does is one: `Files: x⏎License: y` is none.
        said > 0 && goes_on() && (matches!(own[0], b'<' | b'[' | b'>') || asks(&own[said..], &rest[..line]))
    };
    let asked = asked || headed;
    if !(asked || talk()) {
        return None;
    }
    let mut at = stop + line + 1;
    for turn in 0..MOST_TURNS {
        let below = line_at(text, at).trim_ascii_end();
        // What was asked for was told here before.
        if turn == 0 && marker::is_within(below) {
            return None;
        }
        let said = speaker(below);
        let said = said + below[said..].iter().take_while(|&&byte| byte == b' ').count();
        // `X です`.
        let polite =
            below.strip_suffix("です".as_bytes()).map_or(below.len(), |rest| rest.trim_ascii_end().len());
        let (start, end) = told(text, at + said, at + polite.max(said));
        let word = text.get(start..end)?;
        let lone = !word.is_empty() && !word.contains(&b' ');
        if lone && word.starts_with(b"REDACTED:") {
            return None;
        }
        let plain = !search::has(word, b"://");
        let said_above = turn == 1 && said == 0;
        // `"slow worm under slate" if I remember`: a phrase between quotes.
        if asked
            && turn == 0
            && let Some((start, end)) = in_quotes(text, at + said)
        {
            return Some((start, end));
        }
        if asked
            && said > 0
            && turn == 0
            && let Some(used) = used(text, at + said, at + polite.max(said), &is_answer)
        {
            return Some(used);
        }
        if lone
            && plain
            && (said > 0 || asked && turn == 0 || said_above)
            && is_answer(word, said > 0 || said_above)
        {
            return Some((start, end));
        }
        at += below.len();
        at += text[at..].iter().take(2).take_while(|byte| matches!(byte, b'\n' | b'\r' | b' ')).count();
        if said == 0 && !(turn == 0 && asked && is_head(below)) {
            return None;
        }
    }
    None
}

/// "all of them use X.": the word behind the verb, up to five words on.
fn used(
    text: &[u8],
    from: usize,
    to: usize,
    is_answer: &impl Fn(&[u8], bool) -> bool,
) -> Option<(usize, usize)> {
    const VERBS: [&[u8]; 4] = [b"use", b"uses", b"used", b"have"];
    const MOST: usize = 5;
    let said = &text[from.min(to)..to];
    let mut words = said.split(|&byte| byte == b' ');
    words.by_ref().take(MOST).find(|word| VERBS.contains(word))?;
    let word = words.next()?;
    let at = search::offset(text, word);
    let (start, end) = strip(text, at, at + word.len());
    let word = &text[start..end];
    let shows = word.iter().any(u8::is_ascii_digit) || word.iter().any(u8::is_ascii_punctuation);
    (shows && word.len() >= 8 && is_answer(word, true)).then_some((start, end))
}

/// How an answer may begin, before what was asked for; a language is a row.
#[rustfmt::skip]
const YES: &[&[&str]] = &[
    &["yes", "yep", "yeah", "yup", "sure", "sure thing", "ok", "okay", "of course", "here", "here you go", "here it is", "there you go", "got it", "it's", "it’s", "it is", "its", "that's"],
    &["ja", "klar", "na klar", "ja klar", "sicher", "natürlich", "hier", "hier bitte", "jo", "jup"],
    &["oui", "bien sûr", "voici", "voilà", "tiens"],
    &["sí", "si", "claro", "claro que sí", "por supuesto", "aquí", "aquí tienes", "toma"],
    &["sim", "aqui", "aqui está", "certo", "certo che sì", "sì", "ecco", "eccola"],
    &["tuurlijk", "natuurlijk", "zeker", "visst", "självklart", "här", "selvfølgelig", "her", "joo", "totta kai"],
    &["tak", "jasne", "pewnie", "proszę", "jasně", "ano", "да", "конечно", "вот", "держи", "так", "ось", "tabii"],
];
const MOST_YES: usize = 2;

/// How far the words go that an answer begins with: `sure: `, `ja, hier: `.
pub(super) fn yes(said: &[u8]) -> usize {
    let mut at = 0;
    for _ in 0..MOST_YES {
        let rest = &said[at..];
        let same = |word: &&&str| {
            rest.get(..word.len()).is_some_and(|here| here.eq_ignore_ascii_case(word.as_bytes()))
                && sign_behind(&rest[word.len()..]) > 0
        };
        let Some(word) = YES.iter().flat_map(|row| row.iter()).filter(same).max_by_key(|word| word.len())
        else {
            break;
        };
        at += word.len() + sign_behind(&rest[word.len()..]);
    }
    at
}

/// The sign and the blanks behind such a word.
fn sign_behind(rest: &[u8]) -> usize {
    const SIGNS: [&str; 9] = [", ", ": ", " : ", "! ", ". ", " - ", " – ", "... ", " "];
    SIGNS.iter().find(|sign| rest.starts_with(sign.as_bytes())).map_or(0, |sign| sign.len())
}

/// What an answer `from..to` tells: `sure, X`, `X (not for the other one)`, `X, on the new box`.
fn told(text: &[u8], from: usize, to: usize) -> (usize, usize) {
    let said = &text[from.min(to)..to];
    let from = from + yes(said);
    let said = &text[from.min(to)..to];
    let Some(blank) = memchr::memchr(b' ', said) else { return strip(text, from, to) };
    let more = &said[blank + 1..];
    let aside = more.starts_with(b"(") || more.starts_with(b"- ") || more.starts_with("– ".as_bytes());
    let ends = blank > 0 && matches!(said[blank - 1], b',' | b';' | b'"' | b'`');
    // No sentence begins so.
    let word = &said[..blank];
    let made = blank >= 20
        && !value::is_hex(word)
        && word.iter().all(|byte| is_token_sign(*byte))
        && word.iter().any(u8::is_ascii_digit)
        && chance::is_random(word);
    strip(text, from, if aside || ends || made { from + blank } else { to })
}

/// `?`, and `;` of Greek, the sign of Chinese and Japanese; thanks may follow.
fn ends_in_question(line: &[u8]) -> bool {
    const MOST_THANKS: usize = 20;
    let line = line.trim_ascii_end();
    let said = memchr::memrchr(b'?', line).filter(|&at| at > 0 && line[at - 1] != b' ');
    let thanks = said.map_or(line, |at| &line[at + 1..]);
    let courteous = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic() || b" !:)".contains(byte);
    if said.is_some() && thanks.len() != 2 && thanks.len() <= MOST_THANKS && thanks.iter().all(courteous) {
        return true;
    }
    let greek = line.ends_with(b";") && line.iter().any(|byte| matches!(byte, 0xCE | 0xCF));
    greek || line.ends_with(b"?") || ["？", "؟"].iter().any(|sign| line.ends_with(sign.as_bytes()))
}

/// Words that ask, where nobody sets a sign; a language is a row.
#[rustfmt::skip]
static ASKING: [Words<21>; 3] = [
    Words::exact([
        b"anyone", b"anybody", b"remember", b"remind",
        b"wie", "weiß".as_bytes(), b"wer", b"kennt", b"nochmal",
        b"quel", b"quoi", b"quelqu'un", "cuál".as_bytes(), b"cual", b"sabe", b"qual", b"quale", b"wat", b"welk", b"weet",
        b"vad",
    ]),
    Words::exact([
        b"hvad", b"hva", "mikä".as_bytes(), "mitä".as_bytes(), b"muistatko", "tiedätkö".as_bytes(), "jaké".as_bytes(), b"jaki", b"jakie", "pamięta".as_bytes(), b"zna",
        "ποιος".as_bytes(), "ποιο".as_bytes(), "какой".as_bytes(), "який".as_bytes(), "кто".as_bytes(), "хто".as_bytes(), b"apa", "gì".as_bytes(), b"neydi", b"nedir",
    ]),
    Words::exact([
        b"send", b"share", b"need", b"schick", b"schickst", b"brauche", b"gib", b"gibst",
        b"envoie", b"envoyer", b"besoin", b"passe", b"manda", "mándame".as_bytes(), "pásame".as_bytes(), b"necesito",
        b"stuur", b"skicka", "wyślij".as_bytes(), "скинь".as_bytes(), "пришли".as_bytes(),
    ]),
];
/// More of them.
static ASKING_TOO: Words<3> = Words::exact(["pošli".as_bytes(), "pošleš".as_bytes(), b"nur"]);
/// The same of several words, and of scripts that set no blanks between them.
#[rustfmt::skip]
static ASKING_WITHIN: Words<12> = Words::exact([
    b"mi a ", b"mi volt a ", b"tudja valaki", b"care e", "何".as_bytes(), "なん".as_bytes(), "教えて".as_bytes(), "多少".as_bytes(), "什么".as_bytes(),
    "뭐".as_bytes(), "뭔".as_bytes(), "알려".as_bytes(),
]);
/// What may follow a password that is asked for in English.
#[rustfmt::skip]
const BEHIND: [&[u8]; 13] = [
    b"", b"for", b"to", b"of", b"on", b"at", b"again", b"is", b"was", b"pls", b"please", b"here", b"there",
];

/// Whether what stands before a name and behind it on its line asks for it, and says nothing.
fn asks(before: &[u8], rest: &[u8]) -> bool {
    let words = |part: &[u8], asking: &dyn Fn(&[u8]) -> bool| {
        part.split(|byte| matches!(byte, b' ' | b',' | b':' | b'?' | b'.')).any(asking)
    };
    let known = |word: &[u8]| ASKING.iter().any(|asking| asking.equals(word)) || ASKING_TOO.equals(word);
    if words(before, &known) || words(rest, &known) {
        return true;
    }
    if ASKING_WITHIN.within(before) || ASKING_WITHIN.within(rest) {
        return true;
    }
    let next = rest.trim_ascii_start().split(|&byte| byte == b' ').next().unwrap_or_default();
    BEHIND.contains(&next) && words(before, &|word| matches!(word, b"what" | b"whats" | b"what's"))
}

/// A phrase between quotes that begins at `at`.
fn in_quotes(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let rest = text.get(at..)?.strip_prefix(b"\"")?;
    let long =
        memchr::memchr2(b'"', b'\n', &rest[..rest.len().min(96)]).filter(|&long| rest[long] == b'"')?;
    let phrase = &rest[..long];
    let plain = phrase.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b' ');
    (plain && memchr::memchr_iter(b' ', phrase).count() >= 2 && value::is_phrase(phrase))
        .then_some((at + 1, at + 1 + long))
}

/// `bob  10:03 AM`, `[28.11.26, 10:03] Bob`: who speaks, and when, above what is said.
pub(crate) fn is_head(line: &[u8]) -> bool {
    let time = || {
        line.array_windows().any(|[one, colon, two, three]| {
            *colon == b':' && one.is_ascii_digit() && two.is_ascii_digit() && three.is_ascii_digit()
        })
    };
    let words = || line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).count();
    line.len() <= 48 && time() && words() <= 6 && line.iter().any(u8::is_ascii_alphabetic)
}

/// `password manager`, `password policy`: the talk is about something else of that name.
pub(crate) fn is_of_another(rest: &[u8]) -> bool {
    let rest = rest.trim_ascii_start();
    let long = rest.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    super::OTHERS.equals(&rest[..long])
}

fn line_at(text: &[u8], at: usize) -> &[u8] {
    let rest = &text[at.min(text.len())..text.len().min(at + LONGEST_LINE)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    line
}

pub(super) fn line_before(text: &[u8], stop: usize) -> &[u8] {
    let from = stop.saturating_sub(LONGEST_LINE);
    let line = &text[from..stop];
    memchr::memrchr(b'\n', line).map_or(line, |line_end| &line[line_end + 1..])
}

/// How far the words go that say who speaks: `A: `, `<bob> `, `[14:02] bob: `, `Tom (09:14): `, `> mia: `, `@ann: `.
pub(crate) fn speaker(line: &[u8]) -> usize {
    let mut at = line.iter().take_while(|byte| matches!(byte, b'>' | b' ' | b'-' | b'*')).count();
    if line.get(at) == Some(&b'[') {
        at += memchr::memchr(b']', &line[..line.len().min(at + 24)][at..]).map_or(0, |close| close + 1);
        at += line[at..].iter().take_while(|&&byte| byte == b' ').count();
    }
    let name = &line[at..line.len().min(at + 32)];
    if name.first() == Some(&b'<') {
        return memchr::memchr(b'>', name).map_or(0, |close| at + close + 1);
    }
    let letters = name
        .iter()
        .take_while(|byte| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'@' | b'_' | b'.')
        })
        .count();
    let time = name[letters..]
        .strip_prefix(b" (")
        .and_then(|time| memchr::memchr(b')', time))
        .map_or(0, |close| close + 3);
    // `Marlene Radhaus: `, `Luc : `.
    let blank = name.get(letters) == Some(&b' ');
    let more = name[letters..].split(|&byte| byte == b' ').skip(1).take(if blank { 2 } else { 0 });
    let ends = |word: &[u8]| {
        let long = word.iter().take_while(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
        crate::search::offset(name, word) + long
    };
    let named = more.take_while(|word| word.first().is_some_and(u8::is_ascii_uppercase)).map(ends).last();
    let past = if time == 0 { named.unwrap_or(letters) } else { letters + time };
    let gap = usize::from(name.get(past) == Some(&b' ') && name.get(past + 1) == Some(&b':'));
    let spoken =
        letters > 0 && name.get(past + gap) == Some(&b':') && name.get(past + gap + 1) == Some(&b' ');
    if spoken { at + past + gap + 2 } else { 0 }
}

/// "Use the following password:⏎⏎X⏎": the only word of the next line that has one.
pub(super) fn next_line(text: &[u8], at: usize, name: Name, spans: &mut Spans) {
    if at == 0 || text[at - 1..].iter().take(2).all(|&byte| !matches!(byte, b':' | b'?')) {
        return;
    }
    let gap =
        text[at..].iter().take(40).take_while(|byte| byte.is_ascii_whitespace() || **byte == b':').count();
    let limit = text.len().min(at + gap + 160);
    let Some(word) = next_word(text, at + gap, limit) else { return };
    // `A: X`, `<bob> X`: who says it stands before it.
    let speaker = matches!(text[word.after - 1], b':' | b'>') && word.after - at - gap <= 16;
    let said = if speaker { next_word(text, word.after, limit) } else { None };
    let word = said.unwrap_or(word);
    let alone = next_word(text, word.after, limit).is_none();
    let bytes = &text[word.start..word.end];
    if alone && super::is_value(name, bytes, true, true) && looks_like_secret(bytes) {
        spans.add(word.start, word.end, name.kind, false);
    }
}

/// "Here is the deploy key (Outlook broke it in two):⏎⏎X⏎Y": what a sentence that ends in a colon announces, alone
/// on its line, and the lines over which a mail program broke it.
pub(crate) fn announced(text: &[u8], stop: usize, name: Name, spans: &mut Spans) -> bool {
    let rest = &text[stop..text.len().min(stop + 120)];
    let Some(line) = memchr::memchr(b'\n', rest) else { return false };
    let heading = rest[..line].trim_ascii_end();
    let colon = heading.ends_with(b":");
    if !colon && !begins_lone(&text[stop + line..]) {
        return false;
    }
    if heading.iter().any(|&byte| crate::search::is_one!(byte, b'"' | b'{' | b'=' | b';' | b'<' | b'|'))
        || is_of_another(heading)
        || marker::is_within(heading)
    {
        return false;
    }
    let mut at = stop + line + 1;
    at += text[at..].iter().take(4).take_while(|byte| matches!(byte, b'\n' | b'\r' | b'`')).count();
    if colon && listed(text, at, name, spans) {
        return true;
    }
    let first = line_at(text, at).trim_ascii_end();
    if !is_lone(name, first) || !colon && !announces(line_before(text, stop + line)) {
        return false;
    }
    let mut end = at + first.len();
    // A key that was broken goes on in pieces of the same signs, all but the last as long.
    let digest = value::is_hex(first);
    for _ in 0..MOST_PIECES {
        let piece = line_at(text, end + 1).trim_ascii_end();
        let goes_on = text.get(end) == Some(&b'\n')
            && (6..=first.len()).contains(&piece.len())
            && first.len() >= 24
            && !digest
            && piece.iter().all(|byte| is_token_sign(*byte))
            && (chance::is_random(piece) || piece.len() < 16 && chance::density(piece) >= 44);
        if !goes_on {
            break;
        }
        end += 1 + piece.len();
    }
    spans.add(at, end, name.kind, false);
    true
}

/// Whether the next line that has words begins with a long one: what follows is worth a look.
fn begins_lone(rest: &[u8]) -> bool {
    let at = rest.iter().take(5).take_while(|byte| matches!(byte, b'\n' | b'\r' | b'`')).count();
    rest[at..].iter().take(8).all(u8::is_ascii_graphic) && rest.len() >= at + 8
}

/// "here's the key you asked for", "token below": what announces without a colon.
fn announces(line: &[u8]) -> bool {
    const WORDS: [&str; 15] = [
        "copy",
        "here",
        "below",
        "following",
        "hier",
        "unten",
        "folgende",
        "voici",
        "ci-dessous",
        "aquí",
        "abajo",
        "aqui",
        "ecco",
        "вот",
        "ниже",
    ];
    let line = String::from_utf8_lossy(line).to_lowercase();
    line.split(|sign: char| !sign.is_alphabetic() && sign != '-').any(|word| WORDS.contains(&word))
}

/// `Unseal shares:⏎1) X⏎2) Y`: random values alone behind the signs of a list.
fn listed(text: &[u8], from: usize, name: Name, spans: &mut Spans) -> bool {
    let (mut at, mut found) = (from, false);
    for _ in 0..MOST_PIECES {
        let line = line_at(text, at);
        let mark = line
            .iter()
            .take(6)
            .take_while(|byte| {
                byte.is_ascii_digit() || matches!(byte, b' ' | b'-' | b'*' | b'.' | b')' | b'`')
            })
            .count();
        let word = line[mark..].trim_ascii_end();
        let word = word.strip_suffix(b"`").unwrap_or(word);
        if mark < 2 || line[mark - 1] != b' ' || !is_lone(name, word) {
            break;
        }
        spans.add(at + mark, at + mark + word.len(), name.kind, false);
        (at, found) = (at + line.len() + 1, true);
    }
    found
}

fn is_token_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_' | b'.' | b'~')
}

fn is_lone(name: Name, word: &[u8]) -> bool {
    // Most lines have a blank, and are looked at no further.
    if word.len() < 8
        || !word.iter().all(u8::is_ascii_graphic)
        || value::is_placeholder(word)
        || value::is_reference(word)
        || search::has(word, b"[REDACTED")
    {
        return false;
    }
    let graphic = !search::has(word, b"://");
    let digits = word.iter().any(u8::is_ascii_digit);
    match name.trust {
        Trust::Password => {
            graphic && (looks_like_secret(word) || looks_joined(word) || value::is_chosen(word))
        }
        _ => {
            word.len() >= 16
                && digits
                && word.iter().all(|byte| is_token_sign(*byte) || *byte == b':' && search::has(word, b"==:"))
                && !word.starts_with(b"/")
                && (chance::is_random(word) || value::is_hex(word) && !matches!(word.len(), 40 | 64))
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn an_answer_may_say_more() {
        const KEY: &str = "q7Wn3kLz0Tb8Yc5Rm2Vx9Pd4Hs6Fg1Jb";
        for text in [
            format!(
                "Otter 10:02\ncan someone send me the api key for the parcels?\nHeron 10:04\nsure: {KEY} (test has another)"
            ),
            format!("Otter 10:02\nplease send the api key\nHeron 10:04\n{KEY}"),
            format!("ann: hast du den API-Key vom Wetter?\nbo: klar, {KEY}"),
            format!(
                "Ann 14:02\ntu peux m'envoyer la clé API du colis ?\nBo 14:03\noui : {KEY} (celle de test non)"
            ),
            format!("ann: ¿me pasas el token de la API?\nbo: claro: {KEY}"),
            format!("ann: heb jij de API-sleutel van de post?\nbo: ja, {KEY} (die van test is anders)"),
            format!("ann: masz klucz API do paczek?\nbo: jasne: {KEY}"),
            format!("Ann 11:20\nHar du API-nyckeln till posten?\nBo 11:21\nja, {KEY}"),
            format!("<ann> anyone got the deploy token?\n<bo> one sec\n<bo> {KEY} there you go"),
            format!("> Could you share the client secret of the sandbox? thanks!\nOf course: {KEY}"),
        ] {
            assert_eq!(found(&text), [KEY], "{text}");
        }
        assert_eq!(
            found("ann: kannst du mir das Passwort schicken?\nbo: klar, sonnenblume77"),
            ["sonnenblume77"]
        );
        assert_eq!(
            found(
                "Ann 15:12\nmoin, wie war das Passwort vom Drucker?\nBo 15:15\nklar: Zander-Teich-8 (nur intern)"
            ),
            ["Zander-Teich-8"]
        );
    }

    #[test]
    fn what_else_is_answered_stays() {
        for text in [
            "ann: can you send me the commit for the api key rotation?\nbo: sure: 4f1d9a07c3b2e85d6617fa90bc34de2104bc9e7a",
            "ann: what's the trace id for the token error?\nbo: klar: 4f1d9a07c3b2e85d6617fa90bc34de21",
            "ann: is the api key in the vault?\nbo: yes, secret/data/weather/prod",
            "ann: which token format do we use?\nbo: sure, JWT-RS256-v2",
            "ann: can you send me the api key?\nbo: sure, request REQ-2291-8841 is approved by 10:30",
            "ann: what's the login page?\nbo: https://login.kontor.example/v2/start",
            "<comment>tabela (hasło)</comment>\n<comment>Otter-kalkylblad (krypterat)</comment>",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
