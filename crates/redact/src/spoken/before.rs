//! Passwords that stand before what they are: `nimm X als Passwort`, `mets X comme mot de passe`.

use crate::prose;
use crate::search;
use crate::value;

/// Words between the two; a language is a row.
#[rustfmt::skip]
const AS: &[&str] = &[
    "als", "als dein", "als das", "als neues",
    "comme", "comme nouveau",
    "como", "como nueva", "como nova", "como a",
    "come", "come nuova",
    "som", "som nytt",
    "jako", "jako nowe",
    "как",
];
const REACH: usize = 96;

/// Looks for it before the name that begins at `at` and ends at `end`.
pub(super) fn scan(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    // `als Passwort-Hash`: the word goes on.
    if matches!(text.get(end), Some(b'-' | b'_' | b'/' | b'=' | b':')) {
        return None;
    }
    let before = search::last_line(&text[at.saturating_sub(REACH)..at]);
    let said = before.strip_suffix(b" ")?;
    let head = AS.iter().find_map(|word| said.strip_suffix(word.as_bytes())?.strip_suffix(b" "))?;
    let word = head.rsplit(|&byte| byte == b' ').next()?;
    // Something is said before it, and its beginning was read.
    if word.len() == head.len() {
        return None;
    }
    let quoted = matches!(word, [b'"' | b'`' | b'\'', .., b'"' | b'`' | b'\'']);
    let word = if quoted { &word[1..word.len() - 1] } else { word };
    let shows = word.iter().any(u8::is_ascii_digit) && (value::is_chosen(word) || prose::looks_joined(word));
    let start = search::offset(text, word);
    (shows && super::accepts(super::Sort::Password, word)).then_some((start, start + word.len()))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_is_taken_as_a_password_is_one() {
        for text in [
            "Melde dich an und nimm Zander-Teich-31 als Passwort.",
            "connecte-toi et mets Zander-Teich-31 comme mot de passe",
            "entra y pon `Zander-Teich-31` como contraseña, gracias",
            "gebruik zander.teich31 als wachtwoord",
            "Użyj Zander_Teich31 jako hasło",
            "logga in med Zander-Teich-31 som lösenord",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        for text in [
            "Wir speichern SHA256 als Passwort-Hash",
            "nimm deinen Namen als Passwort",
            "on met le numéro comme mot de passe",
            "usa la variable ENV_2 como contraseña",
            "Version 2.4.1 als Passwort-Safe",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
