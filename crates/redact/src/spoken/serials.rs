//! Keys as vendors print them: in groups, in a column, below what names them.

use crate::span::Spans;
use crate::value::Traits;

/// `Serial: 8XK2-PPLM-44TR-XC81 (3 seats)`: groups, as vendors print them.
pub(super) fn serial(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let window = &text[end..text.len().min(end + 112)];
    // What a command prints stands below it.
    let long = match memchr::memchr(b'\n', window) {
        Some(0) => memchr::memchr(b'\n', &window[1..]).map(|long| long + 1),
        long => long,
    };
    let line = &window[..long.unwrap_or(window.len())];
    games(text, end, spans);
    in_fours(text, end, spans);
    listed(text, at, end, spans);
    in_sixteens(text, end, spans);
    let words = line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
    let words = words.filter(|word| {
        crate::chance::is_product_key(word)
            || is_game_key(word)
            || is_in_eights(word)
            || text[at..end].to_ascii_lowercase().starts_with(b"gift") && is_gift(word)
    });
    for word in words {
        let start = crate::search::offset(text, word);
        spans.add(start, start + word.len(), "license_key", false);
    }
}

/// `Your account recovery key for Proton⏎WDYYfaZT8KrO375Q XBUnulrlU5XDC3ZX`: two groups of sixteen, on the line below.
fn in_sixteens(text: &[u8], end: usize, spans: &mut Spans) {
    let from = end + crate::search::line(text, end, 64).len();
    if text.get(from) != Some(&b'\n') || !text[..end].ends_with(b"ecovery key") {
        return;
    }
    let below = crate::search::line(text, from + 1, 96).trim_ascii();
    let mut groups = below.split(|&byte| byte == b' ');
    let made = |group: &[u8]| {
        group.len() == 16 && group.iter().all(u8::is_ascii_alphanumeric) && crate::chance::is_random(group)
    };
    if groups.clone().count() == 2 && groups.all(made) {
        let start = crate::search::offset(text, below);
        spans.add(start, start + below.len(), "recovery_key", false);
    }
}

/// `uibdijyt-uklmschk-sdfbtguy-oojidxwb`: groups of eight small letters, as a volume's recovery key is shown.
fn is_in_eights(word: &[u8]) -> bool {
    let mut groups = word.split(|&byte| byte == b'-');
    let eight = |group: &[u8]| group.len() == 8 && group.iter().all(u8::is_ascii_lowercase);
    groups.clone().count() >= 4 && groups.all(eight) && crate::chance::is_random(word)
}

/// `Matrix recovery key – keep safe!⏎EsTc Yw3k 9aLp Qx7m …`: groups of four, on the line below.
fn in_fours(text: &[u8], end: usize, spans: &mut Spans) {
    const FEWEST: usize = 8 * 5 - 1;
    let line = crate::search::line(text, end, 64);
    let from = end + line.len();
    if text.get(from) != Some(&b'\n') {
        return;
    }
    let below = crate::search::line(text, from + 1, 96).trim_ascii();
    let Some(long) = crate::prose::mixed_groups(below).filter(|&long| long >= FEWEST) else { return };
    // `d41d 8cd9 8f00 …`: hex digits are a fingerprint's.
    let capitals = below.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    if long == below.len() && capitals >= 6 {
        let start = crate::search::offset(text, below);
        spans.add(start, start + long, "recovery_key", false);
    }
}

/// `Licences, May (folder "Software")⏎Server 2022   X   3 seats`: a heading that opens its line, and lines below that
/// have a key among other words.
fn listed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let window = &text[end..text.len().min(end + 960)];
    let Some(first) = memchr::memchr(b'\n', &window[..window.len().min(72)]) else { return };
    let line = crate::search::last_line(&text[at.saturating_sub(24)..at]);
    // `License: MIT` is one, and of a program.
    let several = matches!(text[end - 1], b's' | b'n') || text[at..end].eq_ignore_ascii_case(b"licenze");
    if !several || !line.iter().all(|byte| b" #*=-\t".contains(byte)) {
        return;
    }
    for line in window[first + 1..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        if line.trim_ascii().is_empty() {
            return;
        }
        let words = line.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'-'));
        let made = |word: &&[u8]| is_license(word);
        for key in words.filter(made) {
            let start = crate::search::offset(text, key);
            spans.add(start, start + key.len(), "license_key", false);
        }
    }
}

/// Two groups or more that have letters and digits: `CODE-2024-ABCD-1234` is a number of something.
fn is_mixed(word: &[u8]) -> bool {
    let mixed =
        |group: &&[u8]| group.iter().any(u8::is_ascii_digit) && group.iter().any(u8::is_ascii_uppercase);
    word.split(|&byte| byte == b'-').filter(mixed).count() >= 2
}

/// Whether a cell is a key as makers print them.
pub(crate) fn is_license(word: &[u8]) -> bool {
    crate::chance::is_product_key(word) && is_mixed(word) || is_long_key(word)
}

/// `36USMWEF-025PHVP3-1KA7KAZ8-KL27VQZK`: four times eight.
fn is_long_key(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    word.len() == 35
        && word.split(|&byte| byte == b'-').all(|group| group.len() == 8)
        && traits.uppers + traits.digits == 32
        && traits.digits >= 4
        && !crate::value::is_hex(&word[..8])
}

/// Lines below of which each is a key and no more.
fn games(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let window = &text[end..text.len().min(end + 400)];
    let Some(first) = memchr::memchr(b'\n', window).filter(|&first| first <= 80) else { return };
    for line in window[first + 1..].split(|&byte| byte == b'\n').take(MOST_LINES) {
        crate::work::read(line.len());
        let key = line.trim_ascii();
        let key = key.strip_prefix(b"- ").or_else(|| key.strip_prefix(b"* ")).unwrap_or(key);
        if !is_game_key(key) && !crate::chance::is_product_key(key) {
            return;
        }
        let start = crate::search::offset(text, key);
        spans.add(start, start + key.len(), "license_key", false);
    }
}

/// `T5XX-X3DT-WRJD`: three times four.
fn is_gift(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let fours = word.len() == 14 && word.split(|&byte| byte == b'-').all(|group| group.len() == 4);
    fours && traits.uppers + traits.digits == 12 && traits.uppers >= 2 && traits.digits >= 1
}

/// `4KW2Y-ND8T8-C7JDQ`: three times five.
fn is_game_key(word: &[u8]) -> bool {
    if word.len() != 17 {
        return false;
    }
    let traits = Traits::of(word);
    word.split(|&byte| byte == b'-').all(|group| group.len() == 5)
        && traits.uppers + traits.digits == 15
        && traits.uppers >= 3
        // `START-RIGHT-AWAY2` is said.
        && (traits.digits >= 2 || traits.digits == 1 && crate::chance::density(word) >= 48)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_key_in_fours_stands_below() {
        let key = "EsUc Yw3k 9aLp Qx7m Vb2n Zr8t Hd4F kM6s Tq1W Rb5J nX9e Lc3P";
        for head in ["Matrix recovery key, keep it safe!", "Element security key", "$ cat recovery-key.txt"] {
            assert_eq!(found(&format!("{head}\n{key}\nDevice: KDWNXQHZRM\n")), [key], "{head}");
        }
        for text in [
            format!("{key}\n"),
            "recovery key\nSave This Only Here With Your Own Keys Some Place\n".to_owned(),
            "recovery key\nEsUc Yw3k 9aLp\n".to_owned(),
            format!("recovery key\n\nDevice KDWN:\n{key}\n"),
            "recovery key\nd41d 8cd9 8f00 b204 e980 0998 ecf8 427e\n".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn keys_stand_alone_below_what_names_them() {
        let keys = ["8KD2Y-ND8T8-C7JDQ", "QPYL1-1ER6Y-VJM7I"];
        assert_eq!(
            found(&format!("two keys for the demo, be quick\n{}\n{}\nhave fun", keys[0], keys[1])),
            keys
        );
        assert_eq!(found(&format!("steam key: {}", keys[0])), &keys[..1]);
        assert_eq!(found("keys for the demo\nSTART-RIGHT-AWAY2\nmore"), Vec::<&str>::new());
        assert_eq!(found("order 8KD2Y-ND8T8-C7JDQ"), Vec::<&str>::new());
    }
}
