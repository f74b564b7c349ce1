//! A sheet on which dots lead from a label to what opens: `Safe ................ 24-11-13`, `Guest Wi-Fi .... X`.

use crate::company;
use crate::span::Spans;
use crate::value;

/// What is opened.
#[rustfmt::skip]
const LABELS: [&[u8]; 26] = [
    b"safe", b"alarm", b"wi-fi", b"wifi", b"wlan", b"router", b"login", b"pos", b"code", b"pin", b"door", b"gate", b"admin", b"password", b"passwort", b"lock",
    b"tresor", b"till", b"supervisor", b"keypad", b"garage", b"vault", b"locker", b"kasse", b"nvr", b"camera",
];
const LONGEST: usize = 64;

/// Looks at what follows the dots that begin at `at`.
pub(crate) fn scan(text: &[u8], at: usize, spans: &mut Spans) {
    let Some(line) = company::line_start(text, at) else { return };
    let label = text[line..at].to_ascii_lowercase();
    let dots = text[at..].iter().take(80).take_while(|byte| matches!(byte, b'.' | b' ')).count();
    crate::work::read(label.len() + dots);
    let named = label.len() <= 40
        && label
            .split(|byte| !byte.is_ascii_alphabetic() && *byte != b'-')
            .any(|word| LABELS.contains(&word));
    // `password_length ..... 12`: a field that is none of these.
    let field = label.contains(&b'_') && crate::names::judge(label.trim_ascii()).is_none();
    if !named || field || !text[at + dots - 1].is_ascii_whitespace() {
        return;
    }
    let start = at + dots;
    let long = text[start..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let word = &text[start..start + long];
    let ends = matches!(text.get(start + long), None | Some(b'\n' | b'\r' | b' '));
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let code =
        digits >= 4 && word.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'#' | b'*'));
    if ends
        && (code || value::is_choosable(word) && matches!(text.get(start + long), None | Some(b'\n' | b'\r')))
    {
        spans.add(start, start + long, if code { "pin" } else { "password" }, false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn dots_lead_to_what_opens() {
        for label in super::LABELS {
            let label = std::str::from_utf8(label).expect("text");
            assert_eq!(found(&format!("The {label} ......... 24-11-13\n")), ["24-11-13"], "{label}");
        }
        assert_eq!(found("Guest Wi-Fi ......... heronbenfica\n"), ["heronbenfica"]);
    }

    #[test]
    fn other_lists_stay() {
        for text in [
            "Login ......... 12\n",
            "Chapter nine ......... 24-11-13\n",
            "Alarm ......... see below\n",
            "Router ....... disabled\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
