//! Passphrases of plain words in other tongues: `Nyckelfilens lösenfras är X`, `la phrase secrète de la clé est X`.
//!
//! What is said of a passphrase has a small word, or a word of what becomes of it; a phrase that somebody chose has none.

use super::joint::joint;
use crate::search::Words;
use crate::value;

const LONGEST: usize = 96;

/// What such names have in them.
static PHRASES: Words<10> = Words::new([
    b"phras",
    b"fras",
    b"zin",
    b"satz",
    b"lause",
    "sætning".as_bytes(),
    "fráze".as_bytes(),
    "фраза".as_bytes(),
    "Фраза".as_bytes(),
    b"mondat",
]);

/// Words that sentences have; a language is a row.
#[rustfmt::skip]
const SMALL: &[&[&str]] = &[
    &["the", "a", "an", "of", "in", "on", "at", "is", "are", "to", "for", "with", "from", "not", "and", "or", "words", "characters", "your", "this", "that", "must", "will"],
    &["der", "die", "das", "des", "dem", "den", "ein", "eine", "einer", "einem", "einen", "im", "am", "an", "auf", "aus", "bei", "mit", "nach", "seit", "von", "vom", "zu", "zum", "zur", "für",
      "über", "unter", "wie", "was", "wo", "nicht", "nur", "auch", "noch", "schon", "immer", "wieder", "jetzt", "nun", "sehr", "und", "oder", "aber", "dass", "wenn", "weil", "ist", "sind", "war",
      "wird", "wurde", "worden", "werden", "kann", "muss", "soll", "hat", "haben", "mindestens", "zeichen", "wörter", "wörtern", "abgelaufen", "gültig", "leider", "bitte", "derzeit"],
    &["le", "la", "les", "un", "une", "du", "de", "au", "aux", "en", "dans", "par", "pour", "sur", "avec", "sans", "sous", "ce", "cette", "est", "sont", "pas", "plus", "très", "trop", "aussi",
      "encore", "toujours", "et", "ou", "mais", "que", "qui", "moins", "mots", "caractères", "obligatoire", "requise", "demandée"],
    &["el", "los", "las", "una", "uno", "del", "da", "do", "dos", "di", "della", "em", "nel", "nella", "por", "para", "per", "con", "com", "sin", "sem", "su", "sua", "suo", "y", "e", "o", "ma", "mas",
      "pero", "che", "não", "no", "non", "muy", "muito", "molto", "más", "mais", "più", "ya", "già", "já", "siempre", "sempre", "también", "anche", "menos", "almeno", "palabras", "palavras", "parole", "obligatoria"],
    &["het", "een", "van", "voor", "met", "op", "aan", "bij", "naar", "uit", "te", "niet", "ook", "nog", "al", "of", "maar", "dat", "zijn", "werd", "wordt", "minstens", "tekens", "woorden", "verlopen", "sinds"],
    &["ett", "et", "det", "av", "på", "i", "till", "til", "för", "med", "från", "fra", "om", "och", "og", "eller", "men", "att", "som", "inte", "ikke", "är", "er", "var", "blir", "har", "kan", "ska",
      "skal", "måste", "minst", "tecken", "tegn", "ord", "bara", "kun", "samma", "samme", "fortfarande", "stadig"],
    &["ei", "ja", "tai", "mutta", "että", "joka", "tämä", "se", "vähintään", "merkkiä", "sanaa", "vielä", "w", "we", "z", "ze", "na", "od", "po", "przy", "dla", "oraz", "lub", "ale", "że", "to", "jest", "nie",
      "co", "najmniej", "znaków", "słów", "v", "ve", "s", "pro", "nebo", "že", "je", "není"],
    &["в", "во", "на", "с", "со", "к", "ко", "от", "до", "по", "из", "у", "для", "и", "или", "но", "что", "не", "это", "слов", "символов", "уже", "ещё", "только", "та", "або"],
];

/// Looks for the words behind the name `at..end`, to the end of what is said.
pub(super) fn scan(text: &[u8], at: usize, end: usize) -> Option<(usize, usize)> {
    let name = &text[at..end];
    if !PHRASES.within(name) {
        return None;
    }
    let start = joint(text, at, end)?.start;
    // In English `prose::phrase` judges it.
    if name.eq_ignore_ascii_case(b"passphrase") && text[..start].ends_with(b" is ") {
        return None;
    }
    let line = crate::search::line(text, start, LONGEST);
    let long =
        line.iter().position(|byte| matches!(byte, b'.' | b',' | b';' | b'"' | b')')).unwrap_or(line.len());
    let phrase = line[..long].trim_ascii_end();
    (long < LONGEST && is_chosen(phrase)).then_some((start, start + phrase.len()))
}

/// Four words or more, in small letters, that make no sentence.
fn is_chosen(phrase: &[u8]) -> bool {
    let Ok(said) = std::str::from_utf8(phrase) else { return false };
    let small = |word: &str| SMALL.iter().any(|row| row.contains(&word));
    let words = || said.split(' ');
    (4..=9).contains(&words().count())
        && words()
            .all(|word| word.chars().count() >= 2 && word.chars().all(char::is_lowercase) && !small(word))
        && words().filter(|word| word.chars().count() >= 4).count() >= 3
        && value::is_phrase(phrase)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_phrase_makes_no_sentence() {
        for (text, phrase) in [
            ("Backupens lösenfras är sju gamla ugglor sover.", "sju gamla ugglor sover"),
            ("Die Passphrase vom Backup lautet sieben alte eulen schlafen", "sieben alte eulen schlafen"),
            (
                "La phrase secrète de la sauvegarde est sept vieux hiboux dorment, merci",
                "sept vieux hiboux dorment",
            ),
            ("avaimen salalause on seitsemän vanhaa pöllöä nukkuu", "seitsemän vanhaa pöllöä nukkuu"),
            ("De wachtwoordzin: zeven oude uilen slapen", "zeven oude uilen slapen"),
            ("a frase-passe é sete velhas corujas dormem", "sete velhas corujas dormem"),
        ] {
            assert_eq!(found(text), [phrase], "{text}");
        }
    }

    #[test]
    fn what_is_said_of_a_phrase_stays() {
        for text in [
            "lösenfras är ett annat ord för lösenord",
            "lösenfras är minst tolv tecken lång",
            "Eine Passphrase ist ein langes Passwort",
            "Die Passphrase ist leider schon lange abgelaufen",
            "La phrase secrète est demandée au démarrage",
            "la phrase de passe est stockée dans le coffre",
            "De wachtwoordzin is verlopen sinds vorige week",
            "a frase secreta é obrigatória para exportar chaves",
            "фраза: в сейфе под столом лежит",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
