//! Words that a person may have chosen, where little else can stand.

use super::{Traits, is_path, is_placeholder, is_reference, names_itself};
use crate::prose;

/// States and kinds that programs write where passwords stand too.
#[rustfmt::skip]
const STATES: [&[u8]; 67] = [
    b"required", b"disabled", b"enabled", b"optional", b"missing", b"invalid", b"incorrect", b"expired", b"rejected", b"accepted", b"protected",
    b"forgotten", b"localhost", b"anonymous", b"unchanged", b"unlocked", b"locked", b"failed", b"success", b"pending", b"verified", b"unverified",
    b"interactive", b"keyboard-interactive", b"publickey", b"keychain", b"keyring", b"external", b"internal", b"plaintext", b"cleartext", b"encrypted",
    b"hashed", b"hidden", b"visible", b"always", b"never", b"string", b"varchar", b"boolean", b"integer", b"number", b"object", b"private",
    b"description", b"property", b"attribute", b"required-field", b"off-by-default", b"change", b"community", b"created", b"deleted", b"updated", b"remember",
    b"leaked", b"stolen", b"hacked", b"guessed", b"breached", b"phished",
    b"refresh", b"changed", b"database", b"username", b"hostname", b"function",
];

/// `bananenbrot`, `silent-otter-garden`, `Blue&Green`: one word, no state, no type, no path, no label.
pub(crate) fn is_choosable(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let plain = word.iter().all(|byte| byte.is_ascii_graphic() || *byte >= 0x80);
    let syntax = word.iter().any(|byte| {
        matches!(
            byte,
            b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'"' | b'\'' | b'`' | b'\\' | b'|' | b'/'
        )
    });
    plain
        && !syntax
        && word.len() >= 6
        && word.len() <= 128
        && traits.letters >= 2
        && !matches!(word[0], b'-' | b'$' | b'%' | b':' | b'=' | b',' | b'.')
        && !STATES.iter().any(|state| state.eq_ignore_ascii_case(word))
        && !is_placeholder(word)
        && !is_reference(word)
        && !is_path(word)
        && !names_itself(word)
        && !prose::is_jargon(word)
        && !super::is_constant(word)
}

/// The same where an identifier may stand too: only with a digit, a sign, or three words and dashes between.
pub(crate) fn is_chosen(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let words = word.split(|&byte| byte == b'-').filter(|word| word.len() >= 3).count();
    let dashed = words >= 3 && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-');
    let inside = &word[..word.len().saturating_sub(1)];
    let signed = traits.letters >= 4
        && inside.iter().any(|byte| {
            matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'?' | b'^' | b'@' | b'~')
        });
    let numbered = traits.digits >= 2 && !word.contains(&b'_') && !word.contains(&b'.');
    is_choosable(word)
        && (dashed || signed || numbered || prose::looks_like_secret(word) || prose::looks_joined(word))
}

/// What rooms, papers and machines are called, before a number: `Sprint-Review-12`, `Halle-West-3`.
#[rustfmt::skip]
const THINGS: [&[u8]; 62] = [
    b"sprint", b"review", b"meeting", b"notes", b"report", b"page", b"chapter", b"figure", b"table", b"section", b"step", b"phase", b"version",
    b"release", b"build", b"ticket", b"issue", b"task", b"room", b"floor", b"gate", b"hall", b"halle", b"raum", b"etage", b"server", b"host",
    b"node", b"cluster", b"zone", b"region", b"team", b"group", b"gruppe", b"class", b"test", b"demo", b"draft", b"copy", b"week", b"day", b"part",
    b"level", b"stage", b"line", b"port", b"rack", b"switch", b"router", b"printer", b"drucker", b"pc",
    b"wlan", b"wifi", b"net", b"network", b"guest", b"gast", b"lab", b"office", b"buero", b"fritz",
];

/// `Zeppelin-Hangar-12`, `Sangria_Fresca5`, `oat.Milk.Moratorium`, `Diesel4Stunden`: words joined as only passwords are,
/// where a user's name stands before, or a word that joins a password and its name.
pub(crate) fn is_crafted(word: &[u8]) -> bool {
    let joint = |byte: &u8| matches!(byte, b'-' | b'_' | b'.');
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || joint(byte);
    if !(8..=64).contains(&word.len())
        || !word.iter().all(plain)
        || word.iter().all(|byte| !byte.is_ascii_uppercase())
        || prose::is_jargon(word)
        || is_placeholder(word)
        || names_itself(word)
    {
        return false;
    }
    let letters =
        |part: &[u8]| part.iter().take_while(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii()).count();
    let titled = |part: &&[u8]| {
        let long = letters(part);
        long >= 3
            && part[..long].iter().any(u8::is_ascii_uppercase)
            && part[..long].iter().any(u8::is_ascii_lowercase)
    };
    let parts = || word.split(joint);
    let thing = |part: &[u8]| THINGS.iter().any(|thing| thing.eq_ignore_ascii_case(&part[..letters(part)]));
    let spelt = parts().all(|part| !part.is_empty() && part.len() <= 20);
    let titles = parts().filter(titled).count();
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner = word.iter().filter(|byte| byte.is_ascii_digit()).count() > ending;
    let leet = inner && (parts().count() == 1 || prose::is_leet(word));
    let numbered = (1..=4).contains(&ending) && (titles >= 2 || parts().count() >= 2);
    // `Chirimoya.en.Julio`; a file, a host ends in small letters: `Otter.tar.gz`.
    let words = parts().count() >= 3
        && titles >= 2
        && parts().any(|part| part.iter().all(u8::is_ascii_lowercase))
        && parts().next_back().is_some_and(|last| titled(&last));
    spelt && titles >= 1 && !parts().any(thing) && (numbered || words || leet)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_craft() {
        for word in [
            "Zeppelin-Hangar-12",
            "Sangria_Fresca5",
            "oat.Milk.Moratorium",
            "Diesel4Stunden",
            "loud-Heron-71",
            "Kr1ekenTaart.Zondag",
            "portoSeguro-1755",
        ] {
            assert!(is_crafted(word.as_bytes()), "{word}");
        }
        for word in [
            "Sprint-Review-12",
            "Windows-Server-2019",
            "Otter.tar.gz",
            "Otter.River",
            "Customer-Relationship-Management",
            "README.md",
            "otter-river-7",
            "Debian-12",
            "OtterRiver",
            "www.Otter-Hof.de",
        ] {
            assert!(!is_crafted(word.as_bytes()), "{word}");
        }
    }

    #[test]
    fn what_people_choose() {
        for word in ["bananenbrot", "silent-otter-garden", "Blue&Green", "kitchen51", "maple-window-03"] {
            assert!(is_choosable(word.as_bytes()), "{word}");
        }
        for word in ["silent-otter-garden", "Blue&Green", "kitchen51", "maple-window-03", "p4nc4ke"] {
            assert!(is_chosen(word.as_bytes()), "{word}");
        }
        assert!(!is_chosen(b"bananenbrot"));
        assert!(!is_chosen(b"nevermind!"));
    }

    #[test]
    fn what_programs_say() {
        for word in [
            "user_password",
            "changeme",
            "$SECRET",
            "/run/secret",
            "sha256",
            "get(x)",
            "UPPER_CASE_NAME",
            "short",
        ] {
            assert!(!is_choosable(word.as_bytes()), "{word}");
        }
        for word in STATES {
            assert!(!is_choosable(word), "{}", String::from_utf8_lossy(word));
        }
    }
}
