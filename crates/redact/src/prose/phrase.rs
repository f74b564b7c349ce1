//! Secrets of several words: seeds of wallets, passphrases, passwords of mail programs.

use crate::names::{Name, Trust};
use crate::span::Spans;

/// Where what a heading announces begins: on the next line, if this one ends in a colon.
pub(super) fn below(text: &[u8], at: usize) -> usize {
    let rest = &text[at..text.len().min(at + 120)];
    let line = memchr::memchr(b'\n', rest).filter(|&line| rest[..line].trim_ascii_end().ends_with(b":"));
    line.map_or(at, |line| at + line + 1)
}

/// A phrase of twelve or more words.
pub(crate) fn phrase(text: &[u8], at: usize, spans: &mut Spans) {
    let at = below(text, at);
    let at = at + if text[at..].starts_with(b" words") { 6 } else { 0 };
    let start = at
        + text[at..]
            .iter()
            .take(24)
            .take_while(|byte| matches!(byte, b' ' | b':' | b'=' | b'"' | b'\'' | b'\n' | b'`'))
            .count();
    let (mut end, mut words) = (start, 0);
    while words < 25 {
        let long = text[end..].iter().take(10).take_while(|byte| byte.is_ascii_lowercase()).count();
        if !(3..=8).contains(&long) {
            break;
        }
        words += 1;
        end += long;
        if text.get(end) != Some(&b' ') {
            break;
        }
        end += 1;
    }
    if words >= 12 {
        spans.add(start, end - usize::from(text[end - 1] == b' '), "mnemonic", true);
    }
}

/// Words that sentences are made of: a passphrase has none.
const SMALL: [&[u8]; 24] = [
    b"the", b"and", b"that", b"this", b"with", b"from", b"your", b"have", b"must", b"will", b"when", b"then",
    b"they", b"into", b"only", b"each", b"same", b"been", b"were", b"should", b"please", b"which", b"there",
    b"where",
];

/// `passphrase: copper window marmalade seventeen`, `App password: ekqt cnrt vspf reef`: behind a colon, up to the
/// end of the line, four words or more and nothing else.
pub(crate) fn words(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    let rest = &text[stop..text.len().min(stop + 160)];
    let line = &rest[..memchr::memchr2(b'\n', b'"', rest).unwrap_or(rest.len())];
    let colon = memchr::memchr(b':', line).filter(|&colon| line.get(colon + 1) == Some(&b' '))?;
    let phrase = line[colon + 2..].trim_ascii();
    let words: Vec<&[u8]> = phrase.split(|&byte| byte == b' ').take(13).collect();
    let plain = words.iter().all(|word| word.len() >= 4 && word.iter().all(u8::is_ascii_lowercase));
    let sentence = words.iter().any(|word| SMALL.contains(word));
    let even = words.len() == 4 && words.iter().all(|word| word.len() == 4);
    let start = stop + colon + 2;
    (plain && !sentence && (4..=12).contains(&words.len()) && (even || colon < 64))
        .then_some((start, start + phrase.len()))
}

/// "master password is purple monkey dishwasher 7": words and a number to the end of the line.
pub(super) fn said(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    const WORDS: std::ops::RangeInclusive<usize> = 3..=6;
    let rest = &text[stop..text.len().min(stop + 80)];
    if name.trust != Trust::Password || !matches!(rest, [b' ', b'i', ..] | [b':', ..]) {
        return None;
    }
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let phrase = line.strip_prefix(b" is ").or_else(|| line.strip_prefix(b": "))?.trim_ascii_end();
    let phrase = phrase.strip_suffix(b".").unwrap_or(phrase);
    let mut words = phrase.rsplit(|&byte| byte == b' ');
    let number =
        words.next().is_some_and(|word| (1..=4).contains(&word.len()) && word.iter().all(u8::is_ascii_digit));
    let plain = words
        .clone()
        .all(|word| word.len() >= 3 && word.iter().all(u8::is_ascii_lowercase) && !SMALL.contains(&word));
    let start = stop + line.len() - line[line.iter().position(u8::is_ascii_lowercase)?..].len();
    let start = start + usize::from(line.starts_with(b" is ")) * 3;
    (number && plain && WORDS.contains(&words.count())).then_some((start, start + phrase.len()))
}

/// More of them, which only short phrases may not have.
const SMALLER: [&[u8]; 22] = [
    b"is", b"not", b"be", b"to", b"in", b"on", b"of", b"for", b"or", b"a", b"an", b"it", b"does", b"do",
    b"can", b"was", b"are", b"has", b"no", b"by", b"as", b"at",
];
/// What is said of a passphrase instead of it.
const SAID: [&[u8]; 23] = [
    b"see",
    b"ask",
    b"being",
    b"leave",
    b"whatever",
    b"what",
    b"better",
    b"simply",
    b"several",
    b"never",
    b"always",
    b"wrong",
    b"empty",
    b"optional",
    b"required",
    b"kept",
    b"known",
    b"shown",
    b"read",
    b"too",
    b"four",
    b"five",
    b"six",
];

fn is_small(word: &[u8]) -> bool {
    SMALL.contains(&word) || SMALLER.contains(&word)
}

/// Words of small letters alone, none of which sentences are made of.
fn are_chosen(phrase: &[u8], words: std::ops::RangeInclusive<usize>) -> bool {
    let small = |word: &[u8]| word.iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii());
    let parts = || phrase.split(|&byte| byte == b' ');
    let first = parts().next().unwrap_or_default();
    words.contains(&parts().count())
        && parts().all(|word| word.len() >= 2 && small(word) && !is_small(word))
        && !SAID.contains(&first)
        && !first.ends_with(b"ed")
}

/// "network `Loft`, password `paper boats drift north`".
pub(super) fn ticked(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    let inside = text[stop..].strip_prefix(b" `").filter(|_| name.trust == Trust::Password)?;
    let end =
        memchr::memchr2(b'`', b'\n', &inside[..inside.len().min(80)]).filter(|&end| inside[end] == b'`')?;
    are_chosen(&inside[..end], 3..=7).then_some((stop + 2, stop + 2 + end))
}

/// "the borg passphrase is otter bridge kettle river, the key file is in the safe".
pub(super) fn told(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    let said = text[stop..].strip_prefix(b" is ").filter(|_| name.trust == Trust::Password)?;
    let window = &said[..said.len().min(80)];
    let end = window
        .iter()
        .position(|byte| matches!(byte, b',' | b'.' | b';' | b'\n'))
        .or((said.len() < 80).then_some(said.len()))?;
    let phrase = super::ends_in(&text[start..stop], b"phrase");
    (phrase && are_chosen(&window[..end], 4..=8)).then_some((stop + 4, stop + 4 + end))
}

/// Words that a phrase of a few others may have between them.
const BETWEEN: [&[u8]; 12] =
    [b"at", b"on", b"the", b"of", b"under", b"in", b"over", b"and", b"a", b"an", b"near", b"by"];
/// What is said of a passphrase, by a word that no phrase needs: where it is, who has it, what it is for.
#[rustfmt::skip]
const ABOUT: [&[u8]; 76] = [
    b"written", b"hidden", b"given", b"taken", b"known", b"lost", b"sent", b"set", b"left", b"sealed", b"stored", b"kept", b"taped", b"printed", b"used", b"asked",
    b"changed", b"required", b"needed", b"shared", b"saved", b"derived", b"generated", b"entered", b"prompted", b"cached", b"random", b"words", b"word", b"letters", b"characters", b"key",
    b"keys", b"file", b"files", b"string", b"text", b"secret", b"server", b"user", b"account", b"private", b"public", b"vault", b"wallet", b"manager", b"config", b"value",
    b"option", b"field", b"input", b"prompt", b"password", b"passphrase", b"phrase", b"keyring", b"envelope", b"drawer", b"wiki", b"safe", b"notebook", b"card", b"very", b"too",
    b"also", b"only", b"all", b"more", b"less", b"still", b"already", b"again", b"same", b"here", b"enough", b"sensitive",
];

/// "disk passphrase is nineteen purple umbrellas at dawn", `LUKS passphrase: …`: to the end of the line, two words and
/// more before the first small one. A predicate begins otherwise: `available in the vault`.
pub(super) fn loose(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    if !super::ends_in(&text[start..stop], b"phrase") {
        return None;
    }
    let line = crate::search::line(text, stop, 140);
    let joint = [&b" is "[..], b": ", b" = ", b" -> ", " → ".as_bytes()].into_iter().find_map(|joint| {
        let at = memchr::memmem::find(line, joint)?;
        let of = &line[..at];
        let plain = of.iter().all(|byte| byte.is_ascii_alphanumeric() || b" -:/.@_'".contains(byte));
        let whose =
            [&b" for "[..], b" of ", b" to ", b" on ", b" in case "].iter().any(|own| of.starts_with(own));
        (of.is_empty() || of == b" in use" || whose && plain && at <= 64).then_some(at + joint.len())
    })?;
    let said = &line[joint..];
    let dash = memchr::memmem::find(said, " – ".as_bytes()).or_else(|| memchr::memmem::find(said, b" ("));
    let phrase = said[..memchr::memchr(b';', said).or(dash).unwrap_or(said.len())].trim_ascii();
    let phrase = phrase.strip_suffix(b".").unwrap_or(phrase);
    let from = crate::search::offset(text, phrase);
    // `Seven tired geese …`: as a sentence begins.
    let small = [&phrase[..phrase.len().min(1)].to_ascii_lowercase(), phrase.get(1..)?].concat();
    is_told(&small).then_some((from, from + phrase.len()))
}

fn is_told(phrase: &[u8]) -> bool {
    let parts = || phrase.split(|&byte| byte == b' ');
    let content = |word: &[u8]| {
        word.len() >= 3
            && word.iter().all(|byte| byte.is_ascii_lowercase() || !byte.is_ascii())
            && !is_small(word)
            && !BETWEEN.contains(&word)
            && !ABOUT.contains(&word)
            && !SAID.contains(&word)
    };
    let between = |word: &[u8]| BETWEEN.contains(&word);
    let last = parts().next_back().unwrap_or_default();
    (4..=8).contains(&parts().count())
        && parts().take(2).all(content)
        && parts().all(|word| content(word) || between(word))
        && parts().filter(|word| content(word)).count() >= 3
        && content(last)
        && !parts().next().is_some_and(|first| first.ends_with(b"ed") || first.ends_with(b"ly"))
}

/// `Password for user claims: saffron Kettle 7`, `PASSWORD        sju sjömän 1953`: what is typed behind a prompt or
/// stands in a column, with a number at its end.
pub(super) fn prompted(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    const NOTES: [&[u8]; 14] = [
        b"see", b"from", b"valid", b"until", b"expires", b"minimum", b"min", b"max", b"after", b"before",
        b"since", b"changed", b"reset", b"attempt",
    ];
    if name.trust != Trust::Password || !matches!(text.get(stop), Some(b' ')) {
        return None;
    }
    // `enter password for new repository: X`.
    let before = text[..start].strip_suffix(b"enter ").unwrap_or(&text[..start]);
    let opens = before.last().is_none_or(|&byte| byte == b'\n');
    let line = crate::search::line(text, stop, 120).trim_ascii_end();
    let asked = [&b" for user "[..], b" for new "]
        .iter()
        .any(|of| line.starts_with(of))
        .then(|| memchr::memmem::find(line, b": "))
        .flatten()
        .map(|at| at + 2);
    let from = asked.or_else(|| {
        let blanks = line.iter().take_while(|&&byte| byte == b' ').count();
        (blanks >= 3 && blanks < line.len()).then_some(blanks)
    })?;
    let phrase = &line[from..];
    let (words, number) = phrase.split_at(memchr::memrchr(b' ', phrase)?);
    let number = &number[1..];
    let numbered = (1..=4).contains(&number.len()) && number.iter().all(u8::is_ascii_digit);
    let word = |word: &[u8]| {
        word.len() >= 3
            && word.iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
            && !is_small(word)
    };
    let parts = || words.split(|&byte| byte == b' ');
    let noted = parts().next().is_none_or(|first| NOTES.contains(&first.to_ascii_lowercase().as_slice()));
    (opens && numbered && (2..=6).contains(&parts().count()) && parts().all(word) && !noted)
        .then_some((stop + from, stop + line.len()))
}

/// `TOTP secret (manual entry): JBSW Y3DP EHPK 3PXP`: base 32 in groups, as apps show it.
pub(crate) fn grouped(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    if !matches!(name.kind, "otp" | "secret" | "seed" | "key" | "api_key") {
        return None;
    }
    let rest = &text[stop..text.len().min(stop + 128)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let colon = memchr::memchr(b':', line).or_else(|| line.starts_with(b" ").then_some(0))?;
    let from = colon + 1 + line[colon + 1..].iter().take_while(|&&byte| byte == b' ').count();
    let group = |word: &[u8]| {
        word.len() == 4 && word.iter().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte))
    };
    // "Enter this key manually: JBSWY3DPEHPK3PXP", "Setup key: 5tbn plj6 5tkp …".
    let base32 = |byte: &u8| byte.is_ascii_alphabetic() || (b'2'..=b'7').contains(byte);
    let word = &line[from..from + line[from..].iter().take_while(|byte| base32(byte)).count()];
    let whole = matches!(line.get(from + word.len()), None | Some(b' ' | b'.' | b',' | b'\r' | b'"' | b'<'));
    let upper = word.iter().all(|byte| !byte.is_ascii_lowercase());
    if whole && upper && word.len() >= 16 && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2 {
        return Some((stop + from, stop + from + word.len()));
    }
    let small = |word: &[u8]| {
        word.len() == 4 && word.iter().all(|byte| byte.is_ascii_lowercase() || (b'2'..=b'7').contains(byte))
    };
    let groups =
        line[from..].split(|&byte| byte == b' ').take_while(|word| small(word.trim_ascii_end())).count();
    if (4..=16).contains(&groups) {
        let list = &line[from..line.len().min(from + groups * 5 - 1)];
        let ends = matches!(line.get(from + list.len()), None | Some(b'\r' | b'"'));
        let spelt =
            ends && name.kind == "api_key" && (6..=8).contains(&groups) && crate::value::is_grouped(list);
        if spelt || list.iter().filter(|byte| byte.is_ascii_digit()).count() >= (groups / 4).max(2) {
            return Some((stop + from, stop + from + list.len()));
        }
    }
    if let Some(long) = mixed_groups(&line[from..]) {
        return Some((stop + from, stop + from + long));
    }
    let groups = line[from..].split(|&byte| byte == b' ').take_while(|word| group(word)).count();
    let long = (groups * 5).checked_sub(1)?;
    let digits = line[from..from + long].iter().any(u8::is_ascii_digit);
    (groups >= 4 && digits).then_some((stop + from, stop + from + long))
}

/// `EsTc Yw3k 9aLp Qx7m`: groups of four that no words are, as apps show keys that are written down.
pub(crate) fn mixed_groups(rest: &[u8]) -> Option<usize> {
    let group = |word: &&[u8]| word.len() == 4 && word.iter().all(u8::is_ascii_alphanumeric);
    let groups: Vec<&[u8]> = rest.split(|&byte| byte == b' ').take(16).take_while(group).collect();
    let mixed = |word: &&&[u8]| {
        let inner = word[1..].iter().any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        inner && word.iter().any(u8::is_ascii_lowercase)
    };
    (groups.len() >= 4 && groups.iter().filter(mixed).count() * 2 > groups.len())
        .then(|| groups.len() * 5 - 1)
}

/// `gmail app password wxyz abcd qrst mnop`: four groups of four letters that end the line.
pub(super) fn four(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    const LONG: usize = 19;
    let blanks = text[stop..].iter().take(16).take_while(|&&byte| byte == b' ').count();
    let groups = text.get(stop + blanks..)?.get(..LONG).filter(|_| blanks > 0)?;
    let rest = text.get(stop + blanks + LONG..).unwrap_or_default();
    let ends = matches!(rest.first(), None | Some(b'\n' | b'\r' | b'.' | b','))
        || rest.starts_with(b" (")
        || rest.starts_with(b"  ");
    let even = groups.iter().enumerate().all(|(at, byte)| (*byte == b' ') == (at % 5 == 4));
    (name.trust == Trust::Password && ends && even && crate::value::is_grouped(groups))
        .then_some((stop + blanks, stop + blanks + LONG))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn seeds_are_written_to_be_typed() {
        assert_eq!(found("Can't scan? Enter this key manually: M5HH76GASFDMACHG"), ["M5HH76GASFDMACHG"]);
        assert_eq!(
            found("Setup key: 5tbn plj6 5tkp bhps qzw2 sqqm lel7 bz3v"),
            ["5tbn plj6 5tkp bhps qzw2 sqqm lel7 bz3v"]
        );
        assert_eq!(
            found("or type this setup key instead: vmqo zkqr chbu toxd nzwp utqf uavr gbki"),
            ["vmqo zkqr chbu toxd nzwp utqf uavr gbki"]
        );
        assert_eq!(found("Setup key: this will then show what they gave"), Vec::<&str>::new());
        assert_eq!(found("the setup key shows: this will then show what they gave"), Vec::<&str>::new());
        for (text, phrase) in [
            ("network `Loft`, password `paper boats drift north`.", "paper boats drift north"),
            (
                "the borg passphrase is otter bridge kettle river, the file is in the safe",
                "otter bridge kettle river",
            ),
            ("Password for user claims: saffron Kettle 7\npsql (16.4)\n", "saffron Kettle 7"),
            (
                "enter password for new repository: Honig Schlitten Orgel 61\nenter password again:\n",
                "Honig Schlitten Orgel 61",
            ),
            ("LOGIN           ann\nPASSWORD        otter brücke kettle 53\n", "otter brücke kettle 53"),
            ("Password      cpce ohae yavp hqoz   (app password)\n", "cpce ohae yavp hqoz"),
        ] {
            assert_eq!(found(text), [phrase], "{text}");
        }
        for text in [
            "the password `must not be empty`",
            "the password `is too short`",
            "the passphrase is never stored anywhere else, trust me",
            "the passphrase is used once per session, then dropped",
            "the passphrase is four random words, chosen by you",
            "Password for user claims: see ticket 4471\n",
            "Password      expires after day 90\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(found("db::password: 'Sommer5173#'"), ["Sommer5173#"]);
    }

    #[test]
    fn a_phrase_may_have_small_words() {
        for text in [
            "- backup box, disk passphrase is eleven crooked lanterns on ice\n- buy milk",
            "LUKS passphrase: eleven crooked lanterns on ice",
            "passphrase for the usb stick is eleven crooked lanterns on ice.",
        ] {
            assert_eq!(found(text), ["eleven crooked lanterns on ice"], "{text}");
        }
        for text in [
            "the passphrase is available in the vault of ops",
            "the passphrase is somewhere in the wiki of ours",
            "the passphrase is written down in the blue notebook",
            "the passphrase is probably different on the laptop",
            "the passphrase is case sensitive and very long",
            "the passphrase is inside the envelope at reception",
            "the passphrase is not the one of the laptop",
            "the passphrase is asked at boot, then cached",
            "passphrase: text used on the private side",
            "passphrase: some long phrase of your choice",
            "the passphrase is the name of our dog",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
