//! On a line of prose that speaks of a password, and in the turns after a question for one, a word that only a password
//! looks like is one, wherever it stands.

use super::below::speaker;
use crate::span::Spans;
use crate::value;

const REACH: usize = 200;
const MOST_TURNS: usize = 4;

/// Looks at the rest of the line behind the name that ends at `stop`, and at the turns below a question.
pub(crate) fn scan(text: &[u8], stop: usize, spans: &mut Spans) {
    let line = line(text, stop);
    if !is_prose(line) {
        return;
    }
    words(text, line, spans);
    if !line.trim_ascii_end().ends_with(b"?") {
        return;
    }
    let mut at = stop + line.len() + 1;
    for _ in 0..MOST_TURNS {
        let turn = self::line(text, at);
        if speaker(turn) == 0 {
            return;
        }
        if is_prose(turn) {
            words(text, turn, spans);
        }
        at += turn.len() + 1;
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
    let code = line.iter().any(|byte| matches!(byte, b'=' | b'{' | b'}' | b'<' | b'|' | b'\\'));
    let plain =
        line.iter().filter(|byte| byte.is_ascii_alphabetic() || **byte == b' ' || !byte.is_ascii()).count();
    !code && line.len() >= 8 && plain * 2 >= line.len()
}

fn words(text: &[u8], line: &[u8], spans: &mut Spans) {
    for word in line.split(|&byte| byte == b' ').filter(|word| word.len() >= 8) {
        let at = word.as_ptr() as usize - text.as_ptr() as usize;
        let (start, end) = super::word::strip(text, at, at + word.len());
        if is_strong(&text[start..end]) {
            spans.add(start, end, "password", false);
        }
    }
}

/// Letters, digits and a sign that only passwords have.
fn is_strong(word: &[u8]) -> bool {
    let sign =
        |byte: &&u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+' | b'~');
    let syntax = word.iter().any(|byte| {
        matches!(
            byte,
            b'=' | b'(' | b')' | b'/' | b':' | b'[' | b']' | b'{' | b'<' | b'@' | b'"' | b'\'' | b'`' | b','
        )
    });
    let letters = word.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let cases = word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase);
    (8..=64).contains(&word.len())
        // `issue#4711a` is a number's.
        && (cases || word.iter().filter(sign).count() >= 2)
        && word[0].is_ascii_alphanumeric()
        && !syntax
        && letters >= 4
        && digits >= 1
        && word.iter().filter(sign).count() >= 1
        && !word.starts_with(b"http")
        && value::is_choosable(word)
}

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
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
        assert_eq!(found("the room is in the annex, i.e. `Lantern53%Isle`."), Vec::<&str>::new());
        assert_eq!(
            found("the password of C#12 users, see issue#4711abc and AT&T-2024 (R&D)"),
            Vec::<&str>::new()
        );
        assert_eq!(found("password = load(x) or Lantern53%Isle"), Vec::<&str>::new());
    }
}
