//! Answers to security questions, and words that are asked for on the telephone.

use super::joint::{value_end, value_start};
use crate::span::Spans;
use crate::value;

/// Questions that friends ask too: they count only where security is spoken of.
const ORDINARY: [&str; 15] = [
    "your answer",
    "antwoord",
    "antwort",
    "réponse",
    "respuesta",
    "risposta",
    "birthplace",
    "favo",
    "where were",
    "first school",
    "first car",
    "first job",
    "first concert",
    "childhood",
    "best friend",
];
/// What a text says that speaks of them.
#[rustfmt::skip]
const SECURITY: [&str; 12] = [
    "security question", "security answer", "secret question", "security q", "recovery question", "sicherheitsfrage", "question secrète",
    "question de sécurité", "pregunta de seguridad", "pergunta de segurança", "domanda di sicurezza", "beveiligingsvraag",
];
const LONGEST: usize = 96;

/// `Mother's maiden name? X`, `First pet: X`, `favourite colour?⏎Answer: X`: the rest of the line.
pub(super) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let name = text[at..end].to_ascii_lowercase();
    if ORDINARY.iter().any(|ordinary| name.starts_with(ordinary.as_bytes())) && !is_secured(text, at) {
        return;
    }
    let line = crate::search::line(text, end, LONGEST);
    let told = name.ends_with(b"maiden name") || crate::search::has(&name, b"answer");
    if told && let Some(rest) = line.strip_prefix(b" is ") {
        let long = names_long(rest);
        if long >= 3 {
            spans.add(end + 4, end + 4 + long, "recovery_code", false);
        }
        return;
    }
    if let Some((start, stop)) = between(text, end, line) {
        return spans.add(start, stop, "recovery_code", false);
    }
    let sign = line.iter().take(24).position(|byte| matches!(byte, b'?' | b':'));
    let Some(sign) = sign else { return };
    let rest = &line[sign..];
    let gap = sign
        + rest.iter().take(8).take_while(|byte| matches!(byte, b'?' | b':' | b' ' | b'"' | b'*')).count();
    let (start, answer) = match line[gap..].trim_ascii_end() {
        b"" if rest[0] == b'?' => match below(text, end + line.len() + 1) {
            Some(found) => found,
            None => return,
        },
        answer => (end + gap, answer),
    };
    let words = answer.split(|&byte| byte == b' ').count();
    // An answer is a name or a word, not the rest of a sentence.
    let named = words == 1 || answer.first().is_some_and(|byte| !byte.is_ascii_lowercase());
    let asked = named && (start > end + line.len() || line[..gap].ends_with(b" "));
    if asked && answer.len() >= 3 && words <= 4 && !answer.ends_with(b"?") && !value::is_placeholder(answer) {
        spans.add(start, start + answer.len(), "recovery_code", false);
    }
}

/// `maiden name: it's X, first pet: Y`, `"first pet" -> X.`: words with capitals that end what is said.
fn between(text: &[u8], end: usize, line: &[u8]) -> Option<(usize, usize)> {
    const JOINTS: [&str; 9] = [": ", "): ", "\" = ", "\": ", " -> ", "\" -> ", "? ", " → ", "\" → "];
    let joint = JOINTS.iter().find(|joint| line.starts_with(joint.as_bytes()))?.len();
    let said = [&b"it's "[..], b"it is ", b"we put ", b"i put ", b"I put "]
        .iter()
        .find(|said| line[joint..].starts_with(said))
        .map_or(0, |said| said.len());
    let start = end + joint + said;
    let stop = start + names_long(&text[start..text.len().min(start + LONGEST)]);
    // `first pet → Biscuit the tortoise;`: of what is noted the rest.
    let noted = line[..joint].ends_with("→ ".as_bytes()).then(|| {
        let rest = &line[joint..];
        let long = memchr::memchr2(b';', b'\n', rest).unwrap_or(rest.len());
        (memchr::memchr_iter(b' ', &rest[..long]).count() < 4).then_some(start + long)
    });
    let stop = noted.flatten().unwrap_or(stop);
    let ends = noted.is_some() || matches!(text.get(stop), Some(b',' | b'.' | b';' | b'"' | b')'));
    (ends && stop - start >= 3 && !value::is_placeholder(&text[start..stop])).then_some((start, stop))
}

/// `Tante Hildegard`: words with capitals.
fn names_long(rest: &[u8]) -> usize {
    const MOST_WORDS: usize = 3;
    let letter = |byte: &&u8| byte.is_ascii_alphabetic() || matches!(byte, b'-' | b'\'') || !byte.is_ascii();
    let mut long = 0;
    for _ in 0..MOST_WORDS {
        let from = if long == 0 { 0 } else { long + 1 };
        let capital = rest.get(from).is_some_and(|byte| byte.is_ascii_uppercase() || !byte.is_ascii());
        if !capital || from > 0 && rest[long] != b' ' {
            break;
        }
        long = from + rest[from..].iter().take_while(letter).count();
    }
    long
}

/// `Answer: X`, `A: X`, on the line below the question.
fn below(text: &[u8], at: usize) -> Option<(usize, &[u8])> {
    let rest = &text[at.min(text.len())..text.len().min(at + LONGEST)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let lower = line.to_ascii_lowercase();
    let long = [
        &b"answer: "[..],
        b"a: ",
        b"antwort: ",
        "réponse : ".as_bytes(),
        b"respuesta: ",
        b"resposta: ",
        b"risposta: ",
        b"- ",
    ]
    .iter()
    .find(|word| lower.starts_with(word))?
    .len();
    Some((at + long, line[long..].trim_ascii_end()))
}

fn is_secured(text: &[u8], at: usize) -> bool {
    let lower = text[at.saturating_sub(200)..at].to_ascii_lowercase();
    crate::work::read(2 * lower.len());
    SECURITY.iter().any(|word| crate::search::has(&lower, word.as_bytes()))
}

/// What is said of a word instead of it.
const SAID: [&[u8]; 10] = [
    b"required",
    b"needed",
    b"changed",
    b"different",
    b"unknown",
    b"missing",
    b"optional",
    b"correct",
    b"always",
    b"written",
];

/// `codeword is Kingfisher`, `ours is Kingfisher`, `they ask for the word "pelican"`: one word, quoted or with a
/// capital, that ends what is said.
pub(super) fn word(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let direct = matches!(text.get(end..end + 2), Some(b" \"" | b" '"));
    let start = if direct {
        end + 2
    } else {
        match value_start(text, at, end) {
            Some(start) if start < end + 32 => start,
            _ => return,
        }
    };
    let stop = value_end(text, start);
    let word = &text[start..stop];
    let quoted = start > 0 && matches!(text[start - 1], b'"' | b'\'');
    let capital =
        word.first().is_some_and(u8::is_ascii_uppercase) && word[1..].iter().all(u8::is_ascii_lowercase);
    let ends = matches!(text.get(stop), None | Some(b'.' | b',' | b';' | b'\n' | b'"' | b'\'' | b')'));
    // `Code word is marmalade, user code 5062`.
    let small = text[..start].ends_with(b" is ")
        && text.get(stop) == Some(&b',')
        && word.len() >= 6
        && word.iter().all(u8::is_ascii_lowercase)
        && !SAID.contains(&word);
    let capital = capital || small;
    if (4..=24).contains(&word.len())
        && word.iter().all(u8::is_ascii_alphabetic)
        && (quoted || capital)
        && ends
        && !value::is_placeholder(word)
    {
        spans.add(start, stop, "recovery_code", false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn an_answer_is_told_by_capitals() {
        assert_eq!(found("the secret question answer is Aunt Hilde"), ["Aunt Hilde"]);
        assert_eq!(found("the secret question answer is stored hashed"), Vec::<&str>::new());
    }
}
