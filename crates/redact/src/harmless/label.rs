//! What a form calls its fields, in whatever tongue: a file of translations has it where other files have a value, and
//! often with its letters escaped (`"password": "Has\u0142o"`).

use crate::spoken;

/// Nothing that a form says of a field is longer.
const LONGEST: usize = 400;
/// Kinds that machines make, of letters that every keyboard has.
const MADE: [&str; 10] =
    ["token", "api_key", "key", "auth", "otp", "pin", "webhook", "session", "credential", "recovery_code"];

/// Whether what was found at `start..end`, as of this kind, is what a form says.
pub(crate) fn is_label(kind: &str, text: &[u8], start: usize, end: usize) -> bool {
    // An engine may have begun inside an escape.
    let start = start - usize::from(text[..start].ends_with(b"\\") && text[start..].starts_with(b"u"));
    let value = &text[start..end];
    // Hot path: most values have a digit or a sign, and no letter that is escaped.
    let worded = || {
        let joint = |byte: u8| matches!(byte, b' ' | b'-');
        value.array_windows().all(|&[before, byte]| {
            byte.is_ascii_lowercase() || joint(byte) || joint(before) && byte.is_ascii_uppercase()
        })
    };
    if value.len() > LONGEST || !value.contains(&b'\\') && value.is_ascii() && !worded() {
        return false;
    }
    let escaped = memchr::memmem::find(value, b"\\u").is_some();
    let plain = value.is_ascii() && !escaped;
    let said = crate::view::lettered(&String::from_utf8_lossy(value));
    let word = said.chars().all(|sign| sign.is_alphabetic() || matches!(sign, '-' | ' '));
    if plain {
        // "Ongeldige authenticatie": what a machine made has no blank.
        let made = MADE.contains(&kind) && kind != "recovery_code";
        let told = said.contains(' ') && said.starts_with(char::is_uppercase) && made;
        // `Zwei-Faktor-Code`.
        let titled = |word: &str| {
            word.starts_with(char::is_uppercase) && word[1..].bytes().all(|byte| byte.is_ascii_lowercase())
        };
        let joined = kind == "recovery_code" && said.contains('-') && said.split('-').all(titled);
        return word && (told || joined || speaks(&said));
    }
    // A word of a longer string is no value.
    let whole = start > 0 && text[start - 1] == b'"' && text.get(end) == Some(&b'"');
    if escaped && word && !whole {
        return true;
    }
    let foreign = said.chars().any(|sign| !sign.is_ascii() && sign.is_alphabetic());
    let digits = said.chars().filter(char::is_ascii_digit).count();
    let code = kind == "recovery_code" && digits <= 2;
    foreign && (digits == 0 && MADE.contains(&kind) || (digits == 0 || code) && speaks(&said))
}

/// `Salasõna`, `Érvénytelen jelszó`, `密码（可选）`: a name, or a sentence in which one stands.
fn speaks(said: &str) -> bool {
    let lower = said.to_lowercase();
    // Who makes up a phrase writes it small.
    let sentence =
        said.contains(' ') && said.starts_with(char::is_uppercase) || said.chars().any(is_without_blanks);
    spoken::is_name(&lower) || sentence && spoken::names_within(&lower)
}

/// Letters of tongues that set no blanks between words.
fn is_without_blanks(sign: char) -> bool {
    matches!(sign, '\u{0E00}'..='\u{0E7F}' | '\u{3040}'..='\u{30FF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7AF}')
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_a_form_says_stays() {
        for text in [
            r#"{"password": "Has\u0142o"}"#,
            r#"{"password": "\u041f\u0430\u0440\u043e\u043b\u044c"}"#,
            r#"{"password": "Salas\u00f5na"}"#,
            r#"{"password": "Slaptažodis"}"#,
            r#"{"password": "Palavra-passe"}"#,
            r#"{"password": "Geslo"}"#,
            r#"{"password": "API jelszó (hagyja üresen, ha nincs jelszó)"}"#,
            r#"{"token": "Hozz\u00e1f\u00e9r\u00e9si token"}"#,
            r#"{"api_key": "\u00c9rv\u00e9nytelen API-kulcs"}"#,
            r#"{"invalid_auth": "Niepoprawne uwierzytelnienie, błąd"}"#,
            r#"{"secret": "クライアントシークレット(オプション)"}"#,
            r#"{"invalid_auth": "Ongeldige authenticatie"}"#,
            r#"{"mfa_code": "MFA kodu (6 basamakl\u0131)"}"#,
            r#"{"password": "Parola controlerului Smart Home"}"#,
            r#"{"password": "\u039a\u03c9\u03b4\u03b9\u03ba\u03cc\u03c2 \u03c0\u03c1\u03cc\u03c3\u03b2\u03b1\u03c3\u03b7\u03c2"}"#,
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_somebody_chose_leaves() {
        for (text, secret) in [
            (r#"{"password": "Gr\u00fcne!Birke7"}"#, r"Gr\u00fcne!Birke7"),
            (r#"{"password": "Grüne!Birke7"}"#, "Grüne!Birke7"),
            (r#"{"token": "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6"}"#, "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6"),
            ("passphrase: vier müde bären tanzen langsam\n", "vier müde bären tanzen langsam"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }
}
