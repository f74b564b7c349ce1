//! The words of a wallet: twelve to twenty-five small words in a row, near a word that speaks of one, in prose, in
//! lines, numbered, in columns.

use crate::span::Spans;

/// What speaks of a wallet; `examples` has each again.
pub(crate) const WORDS: &[&str] = &[
    "wallet",
    "metamask",
    "trezor",
    "ledger",
    "mnemonic",
    "seed",
    "my phrase",
    "bip39",
    "bip-39",
    "electrum",
    "recovery words",
    "recovery phrase",
    "order matters",
    "words in this order",
    "words in order",
    "words, in order",
    "secret phrase",
    "backup phrase",
    "wiederherstellungsphrase",
    "phrase de récupération",
    "frase de recuperación",
    "frase de recuperação",
    "frase di recupero",
    "herstelzin",
    "\nwords ",
    "\npriv ",
];
/// What a key's line is called.
const PRIVATE: [&[u8]; 7] =
    [b"priv", b"private", b"privkey", b"privatekey", b"private key", b"priv key", b"secret key"];

const REACH: usize = 400;
const LONGEST: usize = 320;
/// How many words wallets have.
const COUNTS: [usize; 6] = [12, 15, 18, 21, 24, 25];

/// Words of three to eight letters that no list of wallets' words has, and every sentence.
#[rustfmt::skip]
const PROSE: [&[u8]; 66] = [
    b"the", b"and", b"for", b"with", b"from", b"has", b"had", b"was", b"were", b"are", b"not", b"but", b"his", b"her", b"our", b"your", b"their",
    b"been", b"into", b"than", b"those", b"these", b"would", b"could", b"should", b"does", b"did", b"its", b"who", b"how", b"because", b"while", b"after",
    b"which", b"whether", b"without", b"during", b"through", b"every", b"many", b"most", b"some", b"them", b"here",
    b"please", b"might", b"using", b"used", b"uses", b"made", b"makes", b"see", b"get", b"gets", b"set", b"sets", b"let", b"new", b"per",
    b"etc", b"via", b"yes", b"don", b"pls", b"plz", b"thx",
];

/// Looks ahead of the word that ends at `end`; returns how far it has read.
pub(crate) fn scan(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    if text[..end].ends_with(b"\nwords ") || text[..end].ends_with(b"\npriv ") {
        return noted(text, end, spans);
    }
    let limit = text.len().min(end + REACH);
    let mut at = end;
    while at < limit {
        if text[at] == b'0'
            && let Some(stop) = private_key(text, at)
        {
            spans.add(at, stop, "key", true);
            at = stop;
            continue;
        }
        if text[at..].starts_with(b"words ") && text[..at].ends_with(b"\n") {
            at = noted(text, at + 6, spans);
            continue;
        }
        if !(text[at].is_ascii_lowercase() && opens(text, at)) {
            at += 1;
            continue;
        }
        let (stop, words) = run(text, at);
        if COUNTS.contains(&words) {
            spans.add(at, stop, "mnemonic", true);
        }
        at = stop.max(at + 1);
    }
    crate::work::read(at - end);
    at
}

/// `words   glove orbit …⏎`, `priv    0x…⏎`: a line of a note that is called so, and nothing else on it.
fn noted(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let at = end + crate::search::line(text, end, 16).iter().take_while(|&&byte| byte == b' ').count();
    if let Some(stop) = private_key(text, at) {
        spans.add(at, stop, "key", true);
        return stop;
    }
    let (stop, words) = run(text, at);
    crate::work::read(stop - end);
    let ends = matches!(text.get(stop), None | Some(b'\n' | b'\r'));
    if ends && text[end - 2] == b's' && COUNTS.contains(&words) && !text[at..stop].contains(&b'\n') {
        spans.add(at, stop, "mnemonic", true);
    }
    stop.max(end)
}

/// `priv    0x…` beside an address: 64 hex digits on a line that is called so.
fn private_key(text: &[u8], at: usize) -> Option<usize> {
    const LONG: usize = 66;
    let key = text.get(at..at + LONG)?.strip_prefix(b"0x")?;
    let ends = text.get(at + LONG).is_none_or(|byte| !byte.is_ascii_alphanumeric());
    (ends && key.iter().all(u8::is_ascii_hexdigit) && label(text, at, &PRIVATE)).then_some(at + LONG)
}

/// Whether all that stands before `at` on its line is one of those, and blanks or a colon.
fn label(text: &[u8], at: usize, labels: &[&[u8]]) -> bool {
    let before = crate::search::last_line(&text[at.saturating_sub(32)..at]).trim_ascii();
    let name = before.strip_suffix(b":").unwrap_or(before).trim_ascii_end();
    labels.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// A row of words opens a line, or stands behind a colon, a quote, a number of a list.
fn opens(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(4)..at];
    let trimmed = before.trim_ascii_end();
    matches!(before.last(), Some(b'\n' | b'"' | b'`' | b'\''))
        || before == b"are "
        || before.ends_with(b" is ")
        || trimmed.len() < before.len()
            && matches!(trimmed.last(), None | Some(b':' | b'.' | b')' | b'=' | b'\n' | b'|' | b'>'))
}

/// Where the row of words from `at` ends, and how many they are.
fn run(text: &[u8], at: usize) -> (usize, usize) {
    let limit = text.len().min(at + LONGEST);
    let (mut from, mut stop, mut words, mut first_line) = (at, at, 0, None);
    while from < limit && words < COUNTS[5] {
        let long = text[from..limit].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        if !(3..=8).contains(&long) || PROSE.contains(&&text[from..from + long]) {
            break;
        }
        (stop, words) = (from + long, words + 1);
        from = stop + gap(&text[stop..limit]);
        if from == stop {
            break;
        }
        if text[stop..from].contains(&b'\n') {
            let line = *first_line.get_or_insert(words);
            // A line of another length is no more of it.
            if COUNTS.contains(&words) && words_on_line(&text[from..limit]) != line {
                break;
            }
        }
    }
    (stop, words)
}

fn words_on_line(rest: &[u8]) -> usize {
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    // A sentence below has signs that no list has.
    if line.iter().any(|byte| matches!(byte, b'?' | b'!' | b'\'' | b'"' | b';')) {
        return 0;
    }
    line.split(|byte| !byte.is_ascii_alphabetic()).filter(|word| word.len() >= 3).count()
}

/// Blanks, line breaks, numbers of a list and commas between two words.
fn gap(rest: &[u8]) -> usize {
    let mut at = 0;
    while at < rest.len().min(32) {
        let digits = rest[at..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        match rest[at] {
            b' ' | b'\n' | b'\r' | b'\t' | b',' | b'|' => at += 1,
            _ if digits > 0 && matches!(rest.get(at + digits), Some(b'.' | b')' | b':')) => at += digits + 1,
            _ => break,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    const SEED: &str = "army slam unveil fiction style ugly culture jar wisdom canoe output lesson";

    #[test]
    fn the_words_stand_somewhere_behind() {
        for text in [
            format!("my wallet, written down in May:\n\n{SEED}\n"),
            format!("I gave them my phrase: {SEED}"),
            format!("metamask (laptop)\n{SEED}\nkeep"),
            format!("the seed of the treasury, check the path: {SEED}"),
        ] {
            assert_eq!(found(&text), [SEED], "{text}");
        }
        let numbered: Vec<String> =
            SEED.split(' ').enumerate().map(|(at, word)| format!("{}. {word}", at + 1)).collect();
        let text = format!("trezor card\n{}\n", numbered.join("\n"));
        assert_eq!(found(&text).len(), 1, "{text}");
    }

    #[test]
    fn a_sentence_may_stand_between() {
        for text in [
            format!("Recovery phrase\nKeep it somewhere safe. Never type it into a website!\n\n{SEED}\n"),
            format!("Frase di recupero. Non mostrarla a nessuno.\n{SEED}\n"),
            format!("wallet on paper\naddress 0xcba3426e4113acb76d38b4059c000603bfde028c\nwords   {SEED}\n"),
        ] {
            assert_eq!(found(&text), [SEED], "{text}");
        }
        let key = "0x2f907681469a04e57b0671a4a3c2ce430bc5770768c1583dfe3c389766bd0e17";
        assert_eq!(
            found(&format!("wallet two\naddr: 0xcba3426e4113acb76d38b4059c000603bfde028c\npriv  {key}\n")),
            [key]
        );
        assert_eq!(found(&format!("wallet two\nblock {key}\nhash  {key}\n")), Vec::<&str>::new());
    }

    #[test]
    fn a_sentence_is_no_wallet() {
        for text in [
            "the wallet keeps words alone behind some very long glass doors until people come back home again today".to_owned(),
            format!("wallet: {}", &SEED[..60]),
            format!("wallet of {SEED}"),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }
}
