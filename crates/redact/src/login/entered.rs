//! Who logs in, and with what: `melde dich als demo mit X an`, `log in as root using X`, `connecte-toi avec demo et X`.

use super::{add, bare};
use crate::prose::looks_joined;
use crate::search::Words;
use crate::span::Spans;
use crate::value;

/// Words before a user; a language is a row.
#[rustfmt::skip]
static AS: Words<25> = Words::exact([
    b" is ", b" as ", b" user ", b" with user ",
    b" als ", b" mit ", b" benutzer ",
    b" en tant que ", b" comme ", b" avec ",
    b" como ", b" con ", b" com ",
    b" come ",
    b" met ",
    b" som ", b" med ",
    b" jako ", " jako użytkownik ".as_bytes(),
    " как ".as_bytes(), " под ".as_bytes(), b" with ",
    b" with username ", b" als gebruiker ", b" mit benutzer ",
]);
/// Words between a user and a password.
#[rustfmt::skip]
static WITH: Words<24> = Words::exact([
    b" with ", b" using ", b" and ", b" with password ", b" and password ",
    b" mit ", b" und ", b" mit passwort ",
    b" avec ", b" et ",
    b" con ", b" y ", b" e ", b" com ", b" com a senha ", " con la contraseña ".as_bytes(),
    b" met ", b" en ",
    b" med ", b" och ", b" og ",
    " hasłem ".as_bytes(), " с паролем ".as_bytes(), b" i ",
]);
const REACH: usize = 96;

/// Looks at what follows the word for logging in that ends at `end`.
pub(super) fn scan(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let line = crate::search::line(text, end, REACH);
    // `entra como`: the word for logging in ends in one of them.
    let own = AS.words().any(|word| text[..end].ends_with(word.trim_ascii_end())).then_some(1);
    let users = own.into_iter().chain(behind(line)).filter(|&at| at < line.len());
    let Some((user, gap)) = users.into_iter().find_map(|at| {
        let long = line[at..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let gap = WITH.longest(&line[at + long..])?;
        is_user(&line[at..at + long]).then_some((at + long, gap))
    }) else {
        return false;
    };
    let from = end + user + gap;
    let start = from + usize::from(matches!(text.get(from), Some(b'`' | b'"' | b'\'' | b'*')));
    let stop = start + bare(text, start);
    let found = is_password(&text[start..stop]);
    if found {
        add(text, start, stop, spans);
    }
    found
}

/// Behind each of the words before a user that stands on the line.
fn behind(line: &[u8]) -> impl Iterator<Item = usize> {
    const MOST: usize = 4;
    memchr::memchr_iter(b' ', line).filter_map(|at| AS.longest(&line[at..]).map(|long| at + long)).take(MOST)
}

/// `demo-lead`, `ann@example.org`: one word, and none of a sentence.
fn is_user(word: &[u8]) -> bool {
    let word = word.strip_prefix(b"`").and_then(|word| word.strip_suffix(b"`")).unwrap_or(word);
    let sign = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'@' | b'+');
    word.len() >= 2 && word.iter().all(sign)
}

/// What shows itself, and is no thing with a number.
fn is_password(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let dashed: Vec<u8> = word.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
    let mixed = word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase);
    super::told::is_strong(word)
        || super::told::is_signed_title(word)
        || super::told::is_made(word)
        || digits >= 2 && mixed && word.len() >= 8 && value::is_chosen(&dashed) && looks_joined(&dashed)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn who_comes_is_said_before() {
        for text in [
            "demo.kontor.example, sign in as demo-lead with Velvet_Heron4. It resets nightly.",
            "Connect as svc_report using Velvet_Heron4",
            "log in with user demo and Velvet_Heron4",
            "Melde dich als demo-lead mit Velvet_Heron4 an.",
            "connecte-toi en tant que demo avec Velvet_Heron4",
            "inicia sesión como demo con Velvet_Heron4",
            "accedi come demo con Velvet_Heron4",
            "entra como demo con Velvet_Heron4",
            "log in als demo met Velvet_Heron4",
            "logga in som demo med Velvet_Heron4",
            "zaloguj się jako demo hasłem Velvet_Heron4",
            "войди как demo с паролем Velvet_Heron4",
        ] {
            assert_eq!(found(text), ["Velvet_Heron4"], "{text}");
        }
        for text in [
            "log in as admin with Okta-Verify-2",
            "sign in as root with ssh-key-2",
            "Connect as a guest with the App",
            "log in with GitHub and Google2",
            "melde dich als Mitglied mit Ausweis an",
            "connecte-toi avec ton compte et FranceConnect",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
