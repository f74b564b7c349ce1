//! What is a value where a sentence promises one and nothing else: `the password is harbor_silver_351`, `changed it to
//! Ember#`. Elsewhere the same words are names in code, hosts or plain talk.

use super::{is_placeholder, is_reference};
use crate::prose;
use crate::search::Words;

const SHORTEST: usize = 5;
const LONGEST: usize = 64;

/// Whether `word` is more than a word of talk, and nothing that machines are called.
pub(crate) fn is_disclosed(word: &[u8]) -> bool {
    if (10..=LONGEST).contains(&word.len()) && is_scrambled(word) {
        return !is_placeholder(word) && !is_reference(word);
    }
    (SHORTEST..=LONGEST).contains(&word.len())
        && !is_placeholder(word)
        && !is_reference(word)
        && !word.iter().any(|byte| matches!(byte, b' ' | b'<' | b'>' | b'(' | b'{' | b'"'))
        && (is_walk(word)
            || is_marked(word)
            || is_worded(word)
            || is_numbered(word)
            || is_titled(word)
            || super::is_uuid(word)
            || super::is_hex(word) && word.len() >= 12 && mixed(word))
}

fn mixed(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit) && word.iter().any(u8::is_ascii_alphabetic)
}

/// `q6{Lq&%KDmTQExVNwtu`: letters of both sizes, digits and signs as nobody would write code.
fn is_scrambled(word: &[u8]) -> bool {
    static CODE: Words<8> = Words::exact([b"()", b"=>", b"&&", b"||", b"::", b"->", b"${", b"%("]);
    let sign = |byte: &&u8| byte.is_ascii_punctuation() && !b"-_./:,".contains(byte);
    let any = |sort: fn(&u8) -> bool| word.iter().any(sort);
    word.iter().filter(sign).count() >= 2
        && mixed(word)
        && any(u8::is_ascii_lowercase)
        && any(u8::is_ascii_uppercase)
        && !word
            .iter()
            .any(|byte| byte.is_ascii_whitespace() || !byte.is_ascii() || matches!(byte, b'"' | b'\\'))
        && !CODE.within(word)
        && crate::chance::is_random(word)
}

/// Keys beside one another.
const ROWS: [&[u8]; 9] = [
    b"qwertyuiop",
    b"qwertzuiop",
    b"azertyuiop",
    b"asdfghjkl",
    b"qsdfghjklm",
    b"zxcvbnm",
    b"yxcvbnm",
    b"1qaz2wsx3edc4rfv",
    b"qazwsxedcrfv",
];

/// Which keys come right behind one in a row, a bit each.
static NEXT: [u32; 256] = {
    let mut next = [0; 256];
    let mut row = 0;
    while row < ROWS.len() {
        let mut at = 1;
        while at < ROWS[row].len() {
            next[ROWS[row][at - 1] as usize] |= key(ROWS[row][at]);
            at += 1;
        }
        row += 1;
    }
    next
};

/// The bit of a letter or a small digit, none of another byte.
const fn key(byte: u8) -> u32 {
    match byte {
        b'a'..=b'z' => 1 << (byte - b'a'),
        b'1'..=b'6' => 1 << (byte - b'1' + 26),
        _ => 0,
    }
}

/// `poiuyt`, `zxcvbnm`, `1qaz2wsx`: keys beside one another.
fn is_walk(word: &[u8]) -> bool {
    const WALKED: usize = 5;
    if word.len() > 16 {
        return false;
    }
    let mut lower = [0; 16];
    let lower = &mut lower[..word.len()];
    lower.copy_from_slice(word);
    lower.make_ascii_lowercase();
    // Hot path: of most words no two letters stand side by side.
    let steps = |one: u8, other: u8| NEXT[usize::from(one)] & key(other) != 0;
    let near = |part: &&[u8]| steps(part[0], part[1]) || steps(part[1], part[0]);
    if lower.windows(2).filter(near).count() + 1 < WALKED {
        return false;
    }
    let letters = lower.iter().filter(|byte| byte.is_ascii_alphabetic()).count();
    letters >= 4
        && lower.windows(WALKED).any(|part| {
            let back: Vec<u8> = part.iter().rev().copied().collect();
            ROWS.iter().any(|row| crate::search::has(row, part) || crate::search::has(row, &back))
        })
}

/// `Ember#`, `velvet=`, `*ecret61`, `anchor~`: letters, and a sign at the end or the beginning that no sentence has there.
fn is_marked(word: &[u8]) -> bool {
    let mark = |byte: &u8| {
        matches!(
            byte,
            b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'~' | b'=' | b'@' | b'+' | b'!' | b'?' | b'-' | b'_'
        )
    };
    let (first, last) = (word[0], word[word.len() - 1]);
    let inner = |part: &[u8]| {
        part.len() >= 4
            && part.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 4
            && part.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'='))
    };
    let digits = word.iter().any(u8::is_ascii_digit);
    let loud = |byte: u8| mark(&byte) && !matches!(byte, b'!' | b'?' | b'-' | b'_' | b'*');
    // `except*`, `tacacs+`: signs that programs put behind a word.
    let titled = digits || word.iter().any(u8::is_ascii_uppercase);
    let behind = loud(last) && (titled || !matches!(last, b'+' | b'&'))
        || matches!(last, b'!' | b'?') && digits
        || last == b'*' && titled && first != b'*';
    behind
        && inner(&word[..word.len() - 1])
        && !word.ends_with(b"==")
        && !super::names_itself(&word[..word.len() - 1])
        || mark(&first)
            && first != b'#'
            && !matches!(first, b'_' | b'!')
            && digits
            && inner(&word[1..])
            && !word.starts_with(b"--")
}

/// Words that programs join.
#[rustfmt::skip]
const PROGRAMS: &[&[u8]] = &[
    b"config", b"settings", b"self", b"this", b"process", b"options", b"params", b"args", b"request", b"response", b"user", b"users", b"data", b"value", b"values", b"secret", b"secrets", b"password", b"passwords",
    b"token", b"tokens", b"auth", b"login", b"account", b"local", b"internal", b"example", b"http", b"https", b"prod", b"staging", b"service", b"services", b"server", b"client", b"database", b"default", b"admin",
    b"root", b"test", b"tests", b"vault", b"keys", b"name", b"file", b"path", b"json", b"yaml", b"html", b"text", b"field", b"fields", b"form", b"body", b"props", b"state", b"store", b"config_map", b"application", b"properties", b"spring",
    b"datasource", b"credentials", b"credential", b"session", b"cookie", b"header", b"headers", b"query", b"result", b"results", b"object", b"class", b"type", b"string", b"number", b"case", b"sensitive", b"read", b"write", b"only",
    b"date", b"point", b"time", b"word", b"letter", b"character", b"long", b"factor", b"well", b"known", b"based", b"free", b"encoded", b"encrypted", b"hashed", b"protected", b"signed", b"random", b"generated", b"builtin", b"assert", b"storage", b"collections", b"update", b"create", b"delete", b"list", b"configs", b"projects", b"firebase",
];

/// `harbor.velvet.koala`, `candle-panda-copper`, `harbor_silver_351`: three words or more between the same signs, none
/// of which is one of programs.
fn is_worded(word: &[u8]) -> bool {
    let Some(&sign) = word.iter().find(|byte| matches!(byte, b'.' | b'-' | b'_' | b'/' | b'~')) else {
        return false;
    };
    let parts = || word.split(|&byte| byte == sign);
    let letters = |part: &[u8]| {
        part.len() >= 4 && part.iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
    };
    let number = |part: &[u8]| (1..=4).contains(&part.len()) && part.iter().all(u8::is_ascii_digit);
    let words = parts().filter(|part| letters(part)).count();
    let numbers = parts().filter(|part| number(part)).count();
    let numbered =
        numbers == 1 && number(parts().next_back().unwrap_or_default()) && words >= 2 && sign != b'/';
    words + numbers == parts().count()
        && (words >= 3 && numbers == 0 && sign != b'_' && sign != b'/' || numbered)
        && !parts().any(|part| PROGRAMS.contains(&part))
        && parts().enumerate().all(|(at, part)| parts().skip(at + 1).all(|other| other != part))
}

/// `sonnenblume_7883`, `Pirate7546`, `v6-panda-23`, `Amber=Pirate9`, `violin_domino04`: a word that ends in digits, or two
/// that no program joins.
fn is_numbered(word: &[u8]) -> bool {
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let head = &word[..word.len() - digits];
    let version = matches!(head, [b'v', digit, b'-', ..] if digit.is_ascii_digit());
    let head = if version { &head[3..] } else { head };
    let head = head
        .strip_suffix(b"_")
        .or_else(|| head.strip_suffix(b"-"))
        .or_else(|| head.strip_suffix(b"."))
        .unwrap_or(head);
    let parts = || head.split(|byte| matches!(byte, b'=' | b'-' | b'_' | b'*' | b'~' | b'+'));
    let joined = parts().count() > 1;
    (1..=5).contains(&digits)
        && head.len() + digits >= if version { 6 } else { 8 }
        && (digits >= 2 || joined)
        && !(joined && parts().any(|part| PROGRAMS.contains(&part)))
        && parts().all(|part| {
            part.len() >= 4
                && part[1..].iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
                && (part[0].is_ascii_alphabetic() || !part[0].is_ascii())
        })
        && (version || !prose::is_jargon(word))
}

/// `CobaltLiverpool55`, `SpringSummer3#`: two words with capitals and a number; programs join others.
fn is_titled(word: &[u8]) -> bool {
    const TITLES: [&[u8]; 22] = [
        b"server", b"client", b"windows", b"object", b"version", b"table", b"column", b"section", b"chapter",
        b"layer", b"group", b"node", b"level", b"version", b"schema", b"model", b"event", b"handler",
        b"array", b"vector", b"image", b"block",
    ];
    let word = word.strip_suffix(b"#").or_else(|| word.strip_suffix(b"!")).unwrap_or(word);
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let head = &word[..word.len() - digits];
    let Some(second) = head.iter().skip(1).position(u8::is_ascii_uppercase).map(|at| at + 1) else {
        return false;
    };
    let titled = |part: &[u8]| {
        let small = part.to_ascii_lowercase();
        part.len() >= 4
            && part[0].is_ascii_uppercase()
            && part[1..].iter().all(u8::is_ascii_lowercase)
            && !PROGRAMS.contains(&small.as_slice())
            && !TITLES.contains(&small.as_slice())
    };
    (1..=4).contains(&digits) && titled(&head[..second]) && titled(&head[second..])
}

#[cfg(test)]
mod tests {
    use super::is_disclosed;

    #[test]
    fn more_than_a_word_of_talk() {
        for word in [
            "poiuyt",
            "asdfgh",
            "zxcvbnm_56",
            "Ember#",
            "velvet=",
            "*ecret61",
            "-parrot54",
            "harbor.velvet.koala",
            "candle-panda-copper",
            "harbor_silver_351",
            "sonnenblume_7883",
            "Pirate7546",
            "violin_domino04",
            "lantern*violet50",
            "lantern~thunder~meadow",
            "CobaltLiverpool55",
            "SpringSummer3#",
            "dragon_bluebird96",
            "v6-panda-23",
            "Amber=Pirate9",
            "clara.1980",
            "October2016*",
            "cf95f87d-f95b-47ff-b1f5-ba7bff850425",
            "88f0d8f03a974",
            "q6{Lq&%KDmTQExVNwtu",
        ] {
            assert!(is_disclosed(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn words_of_talk_and_of_programs() {
        for word in [
            "required",
            "case-sensitive",
            "up-to-date",
            "well-known",
            "user.profile.value",
            "config.auth.secret",
            "read-only-user",
            "base64-encoded",
            "mandatory",
            "web01",
            "sha256",
            "end-to-end",
            "river.example.com",
            "expired!",
            "--password",
            "#token",
            "point-in-time",
            "secret_name_1",
            "staging_database12",
            "test_user02",
            "TestServer01",
            "WindowsServer2019",
            "663219084720",
            "getToken(User1)[\'Key2\']",
        ] {
            assert!(!is_disclosed(word.as_bytes()), "{word}");
        }
    }
}
