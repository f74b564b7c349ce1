//! What names of passwords and keys are called in other tongues, as programs write them: `motDePasse`, `DB_HESLO`,
//! `clave_secreta`. A new tongue is a word in a row, and one in `scan/words.rs` that wakes the engine.

use super::{Trust, Verdict, Words};

/// Passwords in one word.
#[rustfmt::skip]
const PASSWORDS: &[&str] = &[
    "motdepasse", "mdp", "palavrapasse", "adgangskode", "kodeord", "passord", "losenord", "lösenord", "salasana",
    "heslo", "hesla", "hasło", "hasla", "geslo", "lozinka", "jelszo", "jelszó", "sifre", "şifre", "sifresi", "şifresi",
    "parolasi", "katasandi", "matkhau", "mima", "slaptazodis", "пароль", "zugangsdaten",
];
/// Those that other words are set before.
const COMPOUNDS: &[&str] =
    &["kennwort", "wachtwoord", "losenord", "lösenord", "adgangskode", "passord", "salasana"];
/// Passwords in several words: the last, and what stands before it.
const PHRASES: &[(&str, &str)] =
    &[("passe", "de"), ("passe", "palavra"), ("sandi", "kata"), ("khau", "mat"), ("acceso", "clave")];
#[rustfmt::skip]
/// Keys: secrets by what stands beside them, as in `clave_api`, or by their look.
const KEYS: &[&str] = &[
    "clave", "chave", "chiave", "llave", "cle", "clé", "klucz", "klic", "klíč", "schluessel", "schlüssel", "sleutel", "nyckel", "nøkkel", "nøgle", "avain", "anahtar", "anahtari",
];
/// What a key is for that is none of a table's.
#[rustfmt::skip]
const SECRET: &[&str] = &[
    "api", "secreta", "secrete", "segreta", "secreto", "segredo", "privada", "privee", "privata", "admin", "db", "bd", "acceso", "acces", "accesso", "acesso", "geheimer", "privater", "tajny",
];

/// What the word at `at` says, if it is of another tongue.
pub(super) fn judge(words: &Words, at: usize) -> Verdict {
    let (word, before) = (words.get(at), words.before(at));
    let after = if at + 1 < words.count { words.get(at + 1) } else { "" };
    let phrase = PHRASES.contains(&(word, before));
    // `Initialkennwort`.
    let compound = || COMPOUNDS.iter().any(|end| word.len() > end.len() && word.ends_with(end));
    if phrase || PASSWORDS.contains(&word) || compound() {
        return Verdict::secret("password", Trust::Password);
    }
    // A word for both.
    let lets_in =
        |beside: &str| matches!(beside, "db" | "bd" | "admin" | "acceso" | "usuario" | "wifi" | "correo");
    if word == "clave" && (lets_in(before) || lets_in(after)) {
        return Verdict::secret("password", Trust::Password);
    }
    if KEYS.contains(&word) {
        let secret = SECRET.contains(&before) || SECRET.contains(&after);
        return Verdict::secret("api_key", if secret { Trust::Secret } else { Trust::Weak });
    }
    match word {
        "geheim" | "秘密" | "秘密鍵" | "秘密键" | "私钥" | "私鑰" | "密钥" | "密鑰" | "秘钥" | "暗号鍵"
        | "geheimnis" | "segredo" | "segreto" | "secreto" => Verdict::secret("secret", Trust::Secret),
        "jeton" => Verdict::secret("token", Trust::Secret),
        _ => Verdict::Other,
    }
}

/// Words of other tongues behind a secret's that leave it one: whose it is, which, and what for.
#[rustfmt::skip]
pub(super) fn is_neutral(word: &str) -> bool {
    matches!(
        word,
        "bd" | "baza" | "bazy" | "baze" | "banco" | "banca" | "datenbank" | "serveur" | "servidor" | "serwer" | "serwera" | "correo" | "correio" | "poczta"
        | "usuario" | "utilisateur" | "benutzer" | "nutzer" | "gebruiker" | "neu" | "alt" | "nueva" | "nuevo" | "nouveau" | "ancien" | "nova" | "novo" | "nowe"
        | "nuova" | "nuovo" | "nieuw" | "acceso" | "acces" | "accesso" | "acesso" | "secreta" | "secrete" | "segreta" | "secreto" | "privada" | "privee" | "privata" | "бд"
    )
}
