//! What only looks like a value: code, types, paths, labels.

use super::traits::class_changes;
use crate::chance;
use crate::search::Words;

/// `linux-cargo-3f9a…`: the key of a cache, made of words and a digest.
pub(super) fn is_composed(value: &[u8]) -> bool {
    let parts: Vec<&[u8]> = value.split(|&byte| byte == b'-' || byte == b':').collect();
    parts.len() >= 2
        && parts[0].len() >= 3
        && parts[0].iter().all(u8::is_ascii_lowercase)
        && !chance::is_random(parts[0])
}

/// `cloudformation/7870825a-xmpl`: where a store keeps something.
pub(crate) fn is_object(value: &[u8]) -> bool {
    memchr::memchr(b'/', value).is_some_and(|slash| {
        slash >= 3 && value[..slash].iter().all(u8::is_ascii_lowercase) && !chance::is_random(&value[..slash])
    })
}

/// Signs that no token has, but patterns, types and code do.
pub(super) fn has_syntax(value: &[u8]) -> bool {
    value.iter().any(|&byte| {
        crate::search::is_one!(
            byte,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'|' | b'\\' | b'"' | b'\'' | b'`' | b';'
        )
    })
}

/// `::`, `->`, `=>`.
static PUNCTUATION: Words<3> = Words::exact([b"::", b"->", b"=>"]);

/// Signs of which what looks like code has one at least.
const SYNTAX: [u8; 256] = {
    let mut table = [0; 256];
    let signs = b"([{)]}|,;<>:.";
    let mut at = 0;
    while at < signs.len() {
        table[signs[at] as usize] = 1;
        at += 1;
    }
    table
};

/// What unquoted code looks like: calls, indexing, paths of identifiers.
pub(crate) fn is_code(value: &[u8]) -> bool {
    if crate::search::sorts(value, &SYNTAX) == 0 {
        return false;
    }
    let call = value.iter().position(|&byte| byte == b'(' || byte == b'[').is_some_and(|at| {
        at > 0 && is_identifier(&value[..at]) && !is_numbered(value, at) && !goes_on(&value[at..])
    });
    let punctuated = PUNCTUATION.within(value);
    let generic = value.ends_with(b">")
        && value
            .iter()
            .position(|&byte| byte == b'<')
            .is_some_and(|at| at > 0 && is_identifier(&value[..at]));
    let braced = value.len() > 24 && value[0] == b'{' && chance::is_random(&value[1..value.len() - 1]);
    call || punctuated
        || generic
        || is_identifier_path(value)
        || !braced
            && matches!(value.first(), Some(b'(' | b'[' | b'{' | b')' | b']' | b'}' | b'|' | b',' | b';'))
}

/// `Otter-River(7)`: no function has a dash, and no page of a manual a capital behind it.
fn is_numbered(value: &[u8], open: usize) -> bool {
    let dash = memchr::memchr(b'-', &value[..open]);
    let titled = dash.is_some_and(|dash| value[dash + 1].is_ascii_uppercase());
    let number = value[open..].strip_prefix(b"(").and_then(|rest| rest.strip_suffix(b")"));
    titled && number.is_some_and(|digits| !digits.is_empty() && digits.iter().all(u8::is_ascii_digit))
}

/// `YIT(U6CEIos)AwQv`: no call is followed by letters.
fn goes_on(call: &[u8]) -> bool {
    let close = if call[0] == b'(' { b')' } else { b']' };
    let behind = memchr::memrchr(close, call).map_or(&call[..0], |at| &call[at + 1..]);
    let sign = |byte: &u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'*');
    behind.len() >= 2
        && behind[..2].iter().all(u8::is_ascii_alphanumeric)
        && behind.iter().all(|byte| byte.is_ascii_alphanumeric() || sign(byte))
        && call.iter().any(u8::is_ascii_digit)
        && memchr::memchr2_iter(b'(', b'[', call).count() == 1
}

pub(super) fn is_identifier(value: &[u8]) -> bool {
    value.first().is_some_and(|byte| {
        byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'&' | b'*' | b'$' | b'@' | b'!')
    }) && value[1..].iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(byte, b'_' | b'.' | b':' | b'$' | b'!' | b'?' | b'<' | b'>' | b'-')
    })
}

/// `settings.API_KEY`, `self.token`, `user?.password`: two or more spelt words with dots between.
pub(crate) fn is_identifier_path(value: &[u8]) -> bool {
    // `hW4!zebra.Lantern`: in a path of identifiers a mark stands at the end of one.
    let marked = |two: &[u8]| two[0] == b'!' && two[1].is_ascii_alphanumeric();
    if !value.contains(&b'.') || value[1..].windows(2).any(marked) {
        return false;
    }
    let mut segments =
        value.split(|&byte| byte == b'.').map(|segment| segment.strip_suffix(b"?").unwrap_or(segment));
    let spelt = |segment: &[u8]| {
        !segment.is_empty()
            && is_identifier(segment)
            && !chance::is_random(segment)
            && !crate::prose::is_leet(segment)
    };
    segments.all(spelt) && chance::density(value) < 48
}

/// `Whale.Song7`, `popcorn.Attic61`: a capital and a digit at the end, as in no path of identifiers; no `System.Int32`.
pub(super) fn is_titled(value: &[u8]) -> bool {
    const WIDTHS: [&[u8]; 9] = [b"2", b"3", b"8", b"16", b"32", b"64", b"128", b"256", b"512"];
    let mut words = value.split(|&byte| byte == b'.');
    let plain = |word: &[u8]| {
        word.first().is_some_and(u8::is_ascii_alphabetic)
            && word[1..].iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let last = words.next_back().unwrap_or_default();
    memchr::memchr_iter(b'.', value).count() == 1
        && digits > 0
        && words.chain([last]).all(plain)
        && last[0].is_ascii_uppercase()
        && (last.len() < digits + 3 || !WIDTHS.contains(&&value[value.len() - digits..]))
}

/// `paper.airplane`, `Dr.Oetker!pudding`: where nothing but a value stands, two words are no path of identifiers.
pub(super) fn is_dotted(value: &[u8]) -> bool {
    const OWNERS: [&[u8]; 12] = [
        b"os",
        b"process",
        b"config",
        b"settings",
        b"env",
        b"self",
        b"this",
        b"options",
        b"params",
        b"args",
        b"secrets",
        b"request",
    ];
    let head = value.split(|&byte| byte == b'.').next().unwrap_or_default();
    memchr::memchr_iter(b'.', value).count() <= 2
        && value
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'!' | b'-' | b'#' | b'+'))
        && head.len() >= 2
        && !OWNERS.contains(&head)
}

/// Words joined by `_` or `-`, with digits only at their ends: an identifier, and never random.
pub(super) fn has_joint_words(value: &[u8]) -> bool {
    let joints = value.iter().any(|byte| matches!(byte, b'_' | b'-'));
    let spelt = |word: &[u8]| class_changes(word) < 3 && (word.len() < 16 || !chance::is_random(word));
    joints && chance::density(value) < 40 && value.split(|byte| matches!(byte, b'_' | b'-')).all(spelt)
}

/// Names of types, and what schemas and prose put after a colon.
#[rustfmt::skip]
pub(crate) fn is_type(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let lower = text.trim_end_matches(['?', ';', ',']).to_ascii_lowercase();
    let letters = value.iter().all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'?' | b'_'));
    let pascal = letters
        && value[0].is_ascii_uppercase()
        && value[1..].iter().any(u8::is_ascii_lowercase)
        && !is_phrase_joined(value)
        && !chance::is_random(value);
    pascal
        || matches!(
            lower.as_str(),
            "string" | "str" | "text" | "varchar" | "bytes" | "bool" | "boolean" | "int" | "integer" |
            "number" | "float" | "uuid" | "array" | "list" | "dict" | "map" | "object" | "struct" |
            "union" | "option" | "any" | "unknown" | "never" | "void" | "self" | "this" | "readonly" |
            "must" | "should" | "can" | "cannot" | "may" | "will" | "when" | "where" | "which" | "what"
            | "that" | "rotated" | "stored" | "checks" | "used" | "missing" | "mismatch" | "failed" |
            "accepted" | "rejected" | "prompt" | "incorrect" | "correct" | "same" | "only" | "been" |
            "has" | "was" | "are" | "cleartext" | "plaintext" | "plain" | "hashed" | "string[]" |
            "disabled" | "enabled" | "always" | "never_expires" | "keyring" | "write" | "read" |
            "delete" | "create" | "update" | "md5" | "sha256" | "sha1" | "sha512" | "bcrypt" | "scrypt"
            | "argon2" | "u8" | "u32" | "u64" | "uint8array" | "i32" | "i64" | "usize"
        )
}

/// `Otter_in_the_rain`: a type has a capital in each of its words.
fn is_phrase_joined(value: &[u8]) -> bool {
    let words = value.split(|&byte| byte == b'_');
    words.clone().count() >= 3
        && words.skip(1).all(|word| word.len() >= 2 && word.iter().all(u8::is_ascii_lowercase))
}

/// What is a type or a state even where only values stand.
pub(super) fn is_type_name(value: &[u8]) -> bool {
    !value[0].is_ascii_uppercase()
        || value.ends_with(b"String")
        || value.ends_with(b"Type")
        || value.contains(&b'?')
}

/// `VALUE_SPECIFIED_IN_NO_LOG_PARAMETER`: what a program calls a state.
pub(crate) fn is_constant(value: &[u8]) -> bool {
    value.iter().all(|byte| byte.is_ascii_uppercase() || *byte == b'_')
        && value.iter().filter(|&&byte| byte == b'_').count() >= 2
}

/// Labels and translation keys: `Password`, `login.password`, `new-password`, `Passwort`.
pub(crate) fn names_itself(value: &[u8]) -> bool {
    if value.iter().any(|byte| {
        byte.is_ascii_digit()
            || matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'=')
    }) {
        return false;
    }
    // `zSTCsZpwDpsBE)IX}SAW`: in what nobody wrote three letters meet by chance.
    let joint = |byte: &u8| matches!(byte, b' ' | b'_' | b'-' | b'.');
    if value.len() >= 16 && !value.iter().any(joint) && chance::is_random(value) {
        return false;
    }
    (value.is_ascii() || std::str::from_utf8(value).is_ok()) && OWN_NAMES.within(value)
}

#[rustfmt::skip]
static OWN_NAMES: Words<26> = Words::new([
    b"haslo", b"hasla", b"heslo", b"passw", b"pwd", b"kennwort", b"contras", b"senha", b"wachtwoord", "парол".as_bytes(), "密".as_bytes(), "パス".as_bytes(),
    b"secret", b"token", b"credential", b"apikey", b"api_key", b"api-key", b"mot de passe", "lösen".as_bytes(), "hasło".as_bytes(), b"login", b"passord", b"adgangskode", b"salasana", "jelszó".as_bytes(),
]);

/// `OAuth2Token`, `X448PrivateKey`: a type that is called what it holds.
pub(super) fn names_its_type(value: &[u8]) -> bool {
    let ends = [&b"Token"[..], b"Key", b"Secret", b"Credentials", b"Auth", b"Id", b"Name"]
        .iter()
        .any(|end| value.ends_with(end));
    ends && chance::density(value) < 48 && value.iter().all(u8::is_ascii_alphanumeric)
}

/// `html` and its dot.
const LONGEST_EXTENSION: usize = 5;

/// A file or an address without credentials: `/run/secrets/db`, `./key.pem`, `https://…`, `C:\keys`.
#[rustfmt::skip]
pub(crate) fn is_path(value: &[u8]) -> bool {
    static STARTS: Words<8> =
        Words::exact([b"/", b"./", b"../", b"~/", b"file:", b"http://", b"https://", b"C:\\"]);
    let slashes = memchr::memchr_iter(b'/', value).count();
    let dot = value.iter().rev().take(LONGEST_EXTENSION).position(|&byte| byte == b'.');
    let file = dot.is_some_and(|dot| {
        matches!(
            &value[value.len() - dot..],
            b"pem" | b"key" | b"txt" | b"json" | b"yaml" | b"yml" | b"py" | b"rs" | b"ts" | b"js" | b"md" | b"go" | b"toml" | b"sh" | b"html" | b"crt"
        )
    });
    let starts = slashes >= 1 && STARTS.begin(value);
    (starts && !chance::is_random(value))
        || (file && chance::density(value) < 48)
        || (slashes >= 2 && chance::density(value) < 42)
}

/// `birch/Lynx/0412`: words and a number that somebody joined with slashes, as no path is: a capital, small letters, and
/// a part of digits.
pub(super) fn is_slashed(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const FOLDERS: [&[u8]; 37] = [
        b"users", b"user", b"home", b"kv", b"secret", b"secrets", b"data", b"prod", b"dev", b"test", b"config", b"app", b"apps", b"vault", b"db", b"api",
        b"src", b"var", b"etc", b"opt", b"tmp", b"images", b"docs", b"doc", b"guide", b"wiki", b"notes", b"team", b"teams", b"corp", b"files", b"shared",
        b"public", b"backup", b"backups", b"archive", b"policies",
    ];
    let parts = || value.split(|&byte| byte == b'/');
    let letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
    let plain = |part: &[u8]| {
        part.len() >= 3 && (part.iter().all(letter) || part.iter().all(u8::is_ascii_digit) && part.len() <= 4)
    };
    let titled =
        |part: &[u8]| part[0].is_ascii_uppercase() && part[1..].iter().all(|byte| !byte.is_ascii_uppercase());
    (12..=40).contains(&value.len())
        && (3..=4).contains(&parts().count())
        && parts().all(plain)
        && parts().filter(|part| part[0].is_ascii_digit()).count() == 1
        && parts().any(titled)
        && !parts().any(|part| FOLDERS.iter().any(|folder| folder.eq_ignore_ascii_case(part)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bracket_that_nothing_closes_is_one_sign_of_many() {
        let found = |text: &str| {
            crate::scan(text).iter().map(|span| text[span.start..span.end].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(found("SECRET_KEY = 'ab5#ygBnaHx1lCWpfPm]/'"), ["ab5#ygBnaHx1lCWpfPm]/"]);
        assert_eq!(found("SECRET_KEY = b'k5#ygBnaHx1lCWpfPm\\n\\xec]/'"), ["k5#ygBnaHx1lCWpfPm\\n\\xec]/"]);
        for text in [
            "api_key = \"[A-Za-z0-9]{32\"",
            "token = \"items[Index2Of3\"",
            "apiKey: \"getKey(User1, Role2\"",
            "token_pattern = \"xoxb-([0-9]{12}\"",
            "const SECRET_KEY = 'process.env[SECRET2KEY1'",
        ] {
            assert_eq!(found(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn a_number_in_brackets_calls_nothing() {
        for value in ["Otter-River(7)", "otter-River(12)"] {
            assert!(!is_code(value.as_bytes()), "{value}");
        }
        for value in [
            "otter-river(7)",
            "OtterRiver(7)",
            "otter_River(7)",
            "Otter-River(7x)",
            "Otter-River()",
            "Otter-River(7",
            "Otter-(7)",
        ] {
            assert!(is_code(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_joined_with_slashes() {
        for value in ["birch/Lynx/0412", "Galilei/1632/Pisa", "möwe/Deich/778"] {
            assert!(is_slashed(value.as_bytes()), "{value}");
        }
        for value in [
            "birch/lynx/0412",
            "/birch/Lynx/0412",
            "Users/Lynx/2024",
            "docs/Lynx/2024",
            "birch/Lynx/main.rs",
            "birch/Lynx/River",
            "2024/05/Lynx",
            "birch/LynxRiver/0412",
            "Lynx/12",
            "birch/Lynx/20240",
        ] {
            assert!(!is_slashed(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_letters_follow_is_no_call() {
        for value in ["RUT(k7QELmatB)xWo4", "otter[7river]Kx", "RUT(k7QELmatB)xW!"] {
            assert!(!is_code(value.as_bytes()), "{value}");
        }
        for value in [
            "get(k7)",
            "get(k7).x",
            "get(k7)(x2)",
            "get(a)[b7]",
            "map[string]byte",
            "vec[7]",
            "f(x)y",
            "f(7)!=x",
        ] {
            assert!(is_code(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn no_path_of_identifiers_is_so() {
        for value in ["Whale.Song7", "popcorn.Attic61", "Otter.K3"] {
            assert!(is_titled(value.as_bytes()), "{value}");
        }
        for value in ["System.Int32", "np.Float64", "geo.Vector3", "settings.KEY9", "otter.river7", "a.b.C7"]
        {
            assert!(!is_titled(value.as_bytes()), "{value}");
        }
        assert!(is_identifier_path(b"settings.vec!"));
        assert!(!is_identifier_path(b"hW4!otter.River"));
    }
}
