//! Several names that are given their values at once: `user, password = "ann", "X"`.

use super::is_name_byte;
use crate::names::{Name, Trust};
use crate::quote;
use crate::span::Spans;
use crate::value::{self, Place};

const REACH: usize = 80;
const MOST: usize = 6;

/// Records what the name `start..stop` is given beside others, or otherwise; true if nothing else is its value.
pub(super) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) -> bool {
    let several = literal(text, start, stop);
    let sure = name.trust >= Trust::Secret;
    let given = several.or_else(|| if sure { otherwise(text, stop) } else { None });
    if let Some((from, to)) =
        given.filter(|&(from, to)| value::is_secret(name, &text[from..to], Place::Quoted))
    {
        spans.add(from, to, name.kind, true);
    }
    several.is_some()
}

/// The literal for the name `start..stop`, if it is one of several.
fn literal(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    // Most names stand alone.
    if !text[..start].ends_with(b", ") && text.get(stop) != Some(&b',') {
        return None;
    }
    let head = crate::search::last_line(&text[start.saturating_sub(REACH)..start]).trim_ascii_start();
    let head = ["let ", "var ", "const ", "my (", "local "]
        .iter()
        .find_map(|word| head.strip_prefix(word.as_bytes()))
        .unwrap_or(head);
    let window = &text[stop..text.len().min(stop + REACH)];
    let sign = memchr::memchr2(b'=', b'\n', window).filter(|&sign| window[sign] == b'=')?;
    crate::work::read(head.len() + sign);
    let names = |part: &[u8]| {
        let part = part.strip_suffix(b":").unwrap_or(part);
        part.iter().all(|byte| is_name_byte(*byte) || matches!(byte, b',' | b' ' | b'$' | b'(' | b')'))
    };
    let place = memchr::memchr_iter(b',', head).count();
    let behind = memchr::memchr_iter(b',', &window[..sign]).count();
    let parted =
        (head.is_empty() || head.ends_with(b", ")) && matches!(window[0], b',' | b' ' | b'=' | b')' | b':');
    if !parted || place + behind == 0 || place + behind >= MOST || !names(head) || !names(&window[..sign]) {
        return None;
    }
    let mut at = stop + sign + 1;
    for other in 0..=place {
        at += text[at..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b',' | b'(')).count();
        let (quote, inside) = quote::open(text, at)?;
        let end = quote::close(text, inside, quote).filter(|end| end - inside <= REACH)?;
        if other == place {
            return Some((inside, end));
        }
        at = end + quote.slashes + 1;
    }
    None
}

/// `KEY = 'x' if DEBUG else 'X'`: what it is given otherwise.
fn otherwise(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    text[stop..].strip_prefix(b" = ")?;
    let line = crate::search::line(text, stop, 3 * REACH);
    let at = stop
        + memchr::memmem::rfind(line, b" else ").filter(|&at| crate::search::has(&line[..at], b" if "))?
        + 6;
    let (quote, inside) = quote::open(text, at)?;
    quote::close(text, inside, quote).filter(|end| end - inside <= REACH).map(|end| (inside, end))
}

#[cfg(test)]
mod tests {
    use crate::scan;

    #[test]
    fn a_list_and_a_link_end_where_they_end() {
        let found = |text: &'static str| -> Vec<&str> {
            scan(text).iter().map(|span| &text[span.start..span.end]).collect()
        };
        let (one, two) = ("mphfpKuP2VSLnwd2EthDbw==", "pvYClA0FTWuZS34UX11Prw==");
        assert_eq!(found("-e APP_KEYS=mphfpKuP2VSLnwd2EthDbw==,pvYClA0FTWuZS34UX11Prw== \\\n"), [one, two]);
        let token = "ecedd1dce3592adcd72ee4c61481972c32dcfad7";
        assert_eq!(
            found(
                "[![x](https://ci.example/x.svg?s=1&circle-token=ecedd1dce3592adcd72ee4c61481972c32dcfad7)](https://ci.example/x)"
            ),
            [token]
        );
        assert_eq!(found("https://a.example/x?password=Otter)Bridge7x"), ["Otter)Bridge7x"]);
    }

    #[test]
    fn each_name_has_its_own() {
        let found = |text: &'static str| -> Vec<&str> {
            scan(text).iter().map(|span| &text[span.start..span.end]).collect()
        };
        for text in [
            "user, password = \"ann\", \"otterbridge7\"",
            "host, user, password := \"db1\", \"ann\", \"otterbridge7\"",
            "password, user = \"otterbridge7\", \"ann\"",
        ] {
            assert_eq!(found(text), ["otterbridge7"], "{text}");
        }
        assert_eq!(found("DB_PASSWORD = 'changeme' if DEBUG else 'otterbridge7'"), ["otterbridge7"]);
        assert_eq!(found("DB_PASSWORD = None if DEBUG else 'changeme'"), Vec::<&str>::new());
        assert_eq!(found("def hash(password: str, method: str = \"scrypt7otter\"):"), Vec::<&str>::new());
        assert_eq!(found("user, password = read(\"ann.txt\"), \"see below\""), Vec::<&str>::new());
    }
}
