//! What a password was changed to, in the words of other tongues: `remis le mdp à X`, `das Passwort auf X gesetzt`.
//!
//! The same prepositions stand everywhere; only a verb of changing on the line makes one say what it was changed to.

use super::accept::accepts;
use super::{Sort, value_end};
use crate::prose;
use crate::search::{self, Words};
use crate::span::Spans;
use crate::value::{self, Traits};

const REACH: usize = 80;

/// The words of [`CHANGES`] that stand before the new one, in the same order: they are looked for in one walk.
#[rustfmt::skip]
static TOS: Words<22> = Words::exact([
    " à ".as_bytes(), b" auf ", b" a ", b" por ", b" para ", b" a ", b" in ", b" op ", b" naar ", b" in ", b" na ", b" till ", b" til ",
    " на ".as_bytes(), " în ".as_bytes(), b" la ", " σε ".as_bytes(), " thành ".as_bytes(), b" jadi ", b" menjadi ",
    b" en ", b" par ",
]);

/// Words before the new one, and verbs of changing by their stems; a language is a row.
#[rustfmt::skip]
const CHANGES: &[(&[&str], &[&str])] = &[
    (&["à"], &["mis ", "chang", "modifi", "réinit", "passé"]),
    (&["auf"], &["gesetzt", "geändert", "gestellt"]),
    (&["a", "por"], &["puesto", "cambi", "restablec"]),
    (&["para"], &["mudei", "mudou", "alter", "troquei", "redefin"]),
    (&["a", "in"], &["messo", "cambiat", "impostat"]),
    (&["op", "naar"], &["gezet", "gewijzigd", "veranderd", "gereset"]),
    (&["in"], &["veranderd in", "gewijzigd in"]),
    (&["na"], &["zmieni", "ustawi", "změn", "nastav"]),
    (&["till", "til"], &["satte", "bytte", "bytt", "ändra", "endret", "ændre", "skifte", "satt", " sat "]),
    (&["на"], &["помен", "смен", "измен", "поставил", "сброс", "змін", "постав"]),
    (&["în", "la"], &["schimb"]),
    (&["σε"], &["άλλαξ"]),
    (&["thành"], &["đổi"]),
    (&["jadi", "menjadi"], &["ganti", "ubah"]),
    (&["en"], &["changé", "modifié"]),
    (&["par"], &["remplacé"]),
];

/// Looks for the new password behind the name that ends at `end`.
pub(crate) fn scan(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let line = crate::search::line(text, end, REACH);
    let tos = TOS.which(line);
    let yap = search::find_all(line, b"yap").map(|at| at.saturating_sub(1)).find(|&at| line[at] == b' ');
    if tos == 0 && yap.is_none() {
        return false;
    }
    if let Some(verb) = yap.filter(|_| line.starts_with(b" ")) {
        let start = end + 1;
        let new = value_end(text, start) == end + verb && is_new(&text[start..end + verb]);
        if new {
            spans.add(start, end + verb, "password", false);
        }
        return new;
    }
    let before = &search::last_line(&text[end.saturating_sub(REACH)..end]).to_ascii_lowercase();
    let rows = CHANGES.iter().flat_map(|(tos, verbs)| tos.iter().map(move |_| verbs));
    rows.enumerate().filter(|(row, _)| tos >> row & 1 == 1).any(|(row, verbs)| {
        let said = |part: &[u8]| verbs.iter().any(|verb| search::has(part, verb.as_bytes()));
        let to = TOS.word(row);
        search::find_all(line, to).any(|at| {
            let from = end + at + to.len();
            let start = from + usize::from(matches!(text.get(from), Some(b'"' | b'\'' | b'`')));
            let stop = value_end(text, start);
            // `auf X gesetzt`: a German verb ends its sentence; before it stands where.
            let behind = &text[stop..end + line.len().max(stop - end)];
            let word = &text[start..stop.max(start)];
            let told = || match to {
                b" auf " => said(behind) || said(&line[..at]) && is_no_place(word),
                _ => said(before) || said(line),
            };
            let new = is_new(word) && told();
            if new {
                spans.add(start, stop, "password", false);
            }
            new
        })
    })
}

/// A place has its number at its end and no sign.
fn is_no_place(word: &[u8]) -> bool {
    let end = word.iter().rposition(|byte| !byte.is_ascii_digit()).map_or(0, |at| at + 1);
    word[..end]
        .iter()
        .any(|byte| byte.is_ascii_digit() || matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?'))
}

fn is_new(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    value::is_disclosed(word)
        || word.len() >= 8
            && traits.digits > 0
            && traits.letters >= 4
            && !word.contains(&b'.')
            && (prose::looks_like_secret(word) || prose::looks_joined(word) || value::is_chosen(word))
            && accepts(Sort::Password, word)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_it_was_changed_to_is_the_new_one() {
        for text in [
            "j'ai remis le mdp à heron-kettle-205, merci",
            "hab das Passwort vom Drucker auf heron-kettle-205 gesetzt",
            "Kennwort zurückgesetzt auf heron-205-kettle, bitte gleich ändern",
            "he puesto la contraseña a heron-kettle-205 otra vez",
            "mudei a senha do wifi para heron-kettle-205",
            "ho cambiato la password in heron-kettle-205",
            "ik heb het wachtwoord op heron-kettle-205 gezet",
            "het wachtwoord van de printer is veranderd in heron-kettle-205",
            "zmieniłem hasło na heron-kettle-205",
            "bytte lösenordet till heron-kettle-205",
            "поменял пароль на heron-kettle-205",
            "şifreyi heron-kettle-205 yaptım",
            "am schimbat parola în heron-kettle-205",
        ] {
            let new = if text.contains("heron-205") { "heron-205-kettle" } else { "heron-kettle-205" };
            assert_eq!(found(text), [new], "{text}");
        }
    }

    #[test]
    fn each_preposition_is_looked_for_first() {
        let tos = super::CHANGES.iter().flat_map(|(tos, _)| tos.iter());
        for (row, to) in tos.enumerate() {
            assert_eq!(super::TOS.word(row), format!(" {to} ").as_bytes());
        }
    }

    #[test]
    fn what_only_says_where_or_when_stays() {
        for text in [
            "j'ai remis le mdp à Jean-Pierre hier",
            "das Passwort auf web02-backup-17 fehlt noch",
            "hab das Passwort auf Seite 12 geändert",
            "j'ai changé le mot de passe sur srv-backup-02",
            "we reset the password a second-time-round2",
            "reset the password in staging-eu1-db",
            "se cambió la contraseña en servidor-web-02",
            "Passwort geändert auf PC-Buero-07",
            "zmieniłem hasło na serwerze db-07",
            "het wachtwoord staat in config-backup-02",
            "mudei a senha para todos em 2024",
            "ho cambiato la password in config2.yaml",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
