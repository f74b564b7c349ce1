//! Values whose name was said before: "it's X", "Neu: X", "the old one was X", "new value: X⏎put it in `FERNET_KEY`".
//!
//! The value is looked at first and must show itself; only then are the words before it read for what it could be.

use super::{names, value_end};
use crate::chance;
use crate::names as named;
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::value::{self, Traits};

/// What stands for a name that was said before; a language is a row.
#[rustfmt::skip]
pub(crate) const OPENERS: &[&[&str]] = &[
    &["it's ", "it’s ", "it is ", "it was ", "i typed ", "i pasted ", "no its ", "nope its ", "ours is ", "mine is ", "theirs is ", "that's ", "that’s ", "this one", "new one", "temp one", "temporary one", "old one",
      "new value", "old value", "current one", "previous one", "other one", "new: ", "old: ", "now: ", "before: ", "probably ", "or maybe ",
      "reset to ", "manually to ", "default was ", "default is ", "used to be ", "here you go", "here it is", "try ", "still ", "i picked ", "i chose ", "it wants ", "i've used ", "i used "],
    &["habe ich ", "hab ich ", "neu: ", "alt: ", "neue ist ", "neue lautet ", "alte war ", "das alte ", "das neue ", "bisher: ", "jetzt: ", "vorher: "],
    &["j'ai mis ", "j’ai mis ", "nouveau : ", "nouveau: ", "ancien : ", "ancien: ", "c'est ", "c’est ", "le nouveau ", "l'ancien ", "l’ancien "],
    &["he puesto ", "nueva: ", "nuevo: ", "antigua: ", "antiguo: ", "la nueva ", "la antigua ", "la vieja ", "vieja: ", "el viejo ", "el nuevo ", "ahora es ", "antes era ", "anterior: "],
    &["nova: ", "novo: ", "antiga: ", "a nova ", "a antiga ", "agora é "],
    &["ho messo ", "nuova: ", "vecchia: ", "la nuova ", "la vecchia ", "adesso è ", "ora è "],
    &["nieuw: ", "oud: ", "nieuwe is ", "oude was "],
    &["ny: ", "nya: ", "gammal: ", "gammel: ", "nytt: ", "gamla: "],
    &["nowe: ", "stare: ", "nowe to ", "stare to ", "teraz masz ", "teraz to "],
    &["nové: ", "staré: "],
    &["новый: ", "старый: ", "Новый: ", "Старый: ", "новый — ", "старый — ", "новый - ", "старый - ", "теперь "],
    &["yeni: ", "eski: ", "yenisi: ", "eskisi: ", "yenisi ", "eskisi "],
    &["det nya är ", "den nya är ", "det nye er "],
    &["saisissez ", "inserisci ", "digita ", "introduce ", "introduzca ", "escribe ", "digite ", "insira ", "wpisz ", "zadejte ", "введите "],
    &["one before that, ", "one before, ", "old one, ", "l'ancien, ", "l’ancien, ", "das alte, ", "la anterior, ", "la antigua, ", "het oude, ", "quella vecchia, ", "la vecchia, ", "a antiga, ", "det gamla, ", "det gamle, "],
    &["both ends to ", "both sides to ", "each end to ", "both ends have ", "both sides have ", "both ends now have ", "both sides now have ", "beiden seiten ", "des deux côtés ", "ambos lados ", "beide kanten "],
    &[". es ", ". het is ", ". È ", ". É "],
    &["改成", "改为", "换成", "新密码", "旧密码", "新的是", "新しいのは", "새로운 것은"],
];

/// What stands for the same name of another thing: `… e a do Netflix continua X`.
const OF_ANOTHER: [&str; 29] = [
    "and the one for ",
    "and the one of ",
    "und das von ",
    "und das für ",
    "und das vom ",
    "et celui d",
    "et celui pour ",
    "y la de",
    "y el de",
    "e a d",
    "e quella d",
    "en dat van ",
    "en die van ",
    "och det till ",
    "og det til ",
    "a do ",
    "а от ",
    ", the one for ",
    ", the one of ",
    ", that of ",
    ", das von ",
    ", das für ",
    ", das vom ",
    ", celui d",
    ", celle d",
    ", quello d",
    ", quella d",
    ", el de",
    ", la de",
];

/// Words that may stand between the opener and the value.
#[rustfmt::skip]
const FILLERS: [&str; 44] = [
    "you", "is", "was", "now", "still", "just", "probably", "maybe", "called", "set", "to", "again", "currently", "always", "literally", "simply",
    "ist", "war", "lautet", "jetzt", "noch", "est", "était", "es", "era", "ahora", "é", "è", "maintenant", "toujours", "är", "er", "to",
    "jest", "with", "be", "for", "nu", "nå", "ora", "adesso", "teraz", "agora", "şimdi",
];

/// How far before the opener its name may stand.
const REACH: usize = 200;
/// How far behind the value, if the opener promises a value.
const AHEAD: usize = 96;
const MOST_FILLERS: usize = 3;
const LONGEST: usize = 512;

pub(crate) fn openers() -> impl Iterator<Item = &'static str> {
    OPENERS.iter().flat_map(|row| row.iter().copied()).chain(OF_ANOTHER)
}

/// Looks at what follows the opener `at..end`.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    if at > 0 && text[at - 1].is_ascii_alphanumeric() && text[at].is_ascii_alphanumeric() {
        return;
    }
    let another = OF_ANOTHER.iter().any(|own| own.as_bytes().eq_ignore_ascii_case(&text[at..end]));
    let value = if another { of_another(text, end) } else { value_after(text, end) };
    let Some((start, stop)) = value else { return };
    let shows = sort(&text[start..stop]).is_some();
    let promised = || text[at..end].ends_with(b" one").then(|| ends_line(text, end)).flatten();
    let (start, stop) = if shows { (start, stop) } else { promised().unwrap_or((start, stop)) };
    let word = &text[start..stop];
    let Some(sort) = sort(word).or_else(|| is_code(text, stop, word).then_some(Shows::Digits)) else {
        return;
    };
    // "the counter was reset to 0x00": only what was chosen has all three.
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    let mixed = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_digit);
    if (text[at..end].ends_with(b"eset to ") || text[at..end].ends_with(b"ally to ")) && !mixed {
        return;
    }
    let before = crate::search::before(text, at, REACH);
    if is_of_another(before) {
        return;
    }
    // "I picked X": what for, is said in the same sentence.
    let by = [&b"picked "[..], b"chose ", b"used ", b"wants ", b"ich ", b"mis ", b"puesto ", b"messo "];
    let own = text[..end].len() > 6 && by.iter().any(|verb| text[at..end].ends_with(verb));
    let sentence = before.iter().rposition(|byte| matches!(byte, b'.' | b'!' | b'?' | b';' | b'\n'));
    let before = if own { &before[sentence.map_or(0, |end| end + 1)..] } else { before };
    let before = memchr::memmem::rfind(before, b"\n\n").map_or(before, |gap| &before[gap..]);
    crate::work::read(2 * before.len());
    let kind = said_before(before, sort)
        .or_else(|| {
            // "Old: X, new: Y. (db password)".
            let ends = matches!(text.get(stop), None | Some(b',' | b'.' | b';' | b'\n' | b'\r'));
            let changes = ends && text[at..end].ends_with(b": ") && sort == Shows::Chosen;
            let line = crate::search::behind(text, stop, AHEAD);
            changes.then(|| said_before(line, sort)).flatten()
        })
        .or_else(|| {
            let promises = text[at..end].windows(5).any(|five| five.eq_ignore_ascii_case(b"value"))
                || text[at..end].ends_with(b"one");
            (promises && sort == Shows::Random && (said_behind(text, stop) || is_renewed(before)))
                .then_some("api_key")
        });
    let wrong = || {
        let behind = crate::search::line_behind(text, stop, AHEAD);
        crate::search::has(behind, b" wrong ") && text[at..end].ends_with(b"ed ")
    };
    let kind = kind.or_else(|| (sort == Shows::Chosen && wrong()).then_some("password"));
    let kind = kind.or_else(|| (sort == Shows::Chosen && is_dictated(text, stop)).then_some("password"));
    // `` (``create-login-profile``) ``: a literal in a manual.
    let manual = text[..start].ends_with(b"``")
        && text[start..stop].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-');
    if let Some(kind) = kind.filter(|_| !manual) {
        spans.add(start, stop, kind, false);
    }
}

/// How a word shows itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shows {
    /// As somebody chose it.
    Chosen,
    /// As nobody would.
    Random,
    /// As what opens a door or a telephone.
    Digits,
}

/// Four to eight digits, and what is said ends behind them.
fn is_code(text: &[u8], stop: usize, word: &[u8]) -> bool {
    let year = word.len() == 4 && (word.starts_with(b"19") || word.starts_with(b"20"));
    let ends = matches!(text.get(stop), None | Some(b',' | b'.' | b';' | b'\n' | b'\r' | b'#' | b'"' | b')'));
    (4..=8).contains(&word.len()) && !year && ends && word.iter().all(u8::is_ascii_digit)
}

fn sort(word: &[u8]) -> Option<Shows> {
    if is_worded(word) || is_named(word) {
        return Some(Shows::Chosen);
    }
    let traits = Traits::of(word);
    if word.len() < 6
        || word.len() > LONGEST
        || traits.digits == 0
        || traits.letters + word.iter().filter(|byte| !byte.is_ascii()).count() < 2
        || value::is_placeholder(word)
        || value::is_reference(word)
        || prose::is_jargon(word)
        || word.iter().any(|byte| matches!(byte, b'(' | b'{' | b'[' | b'<' | b'|'))
        || memchr::memchr(b'=', word).is_some_and(|at| word[at..].iter().any(|&byte| byte != b'='))
        || crate::search::has(word, b"://")
    {
        return None;
    }
    let random = word.len() >= 16 && traits.digits >= 2 && (chance::is_random(word) || value::is_hex(word));
    if random {
        return Some(Shows::Random);
    }
    let path = word.contains(&b'/') || crate::search::has(word, b"::");
    (!path && (prose::looks_like_secret(word) || prose::looks_joined(word) || value::is_disclosed(word)))
        .then_some(Shows::Chosen)
}

/// `umber.mitten.rudder`, `corridor-Nine-Apples`: three words or more with the same sign between.
fn is_worded(word: &[u8]) -> bool {
    let Some(&sign) = word.iter().find(|byte| matches!(byte, b'.' | b'-' | b'_')) else { return false };
    let last = word.rsplit(|&byte| byte == sign).next().unwrap_or_default();
    let words = word.split(|&byte| byte == sign);
    let plain = words.clone().all(|part| part.len() >= 4 && part[1..].iter().all(u8::is_ascii_lowercase));
    let letters = words.clone().all(|part| part.first().is_some_and(u8::is_ascii_alphabetic))
        && word.first().is_some_and(u8::is_ascii_lowercase);
    plain
        && letters
        && words.count() >= 3
        && !matches!(last, b"local" | b"internal" | b"example" | b"json" | b"yaml" | b"toml" | b"html")
}

/// `Thimble_Rocket_Jam`: three words with capitals, and lines between.
fn is_named(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b'_');
    let titled = |part: &[u8]| {
        part.len() >= 3 && part[0].is_ascii_uppercase() && part[1..].iter().all(u8::is_ascii_lowercase)
    };
    word.len() >= 14 && parts.clone().count() == 3 && parts.all(titled)
}

/// Up to three small words, a sign, then the value.
fn value_after(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let limit = text.len().min(end + 64);
    let mut at = end;
    for _ in 0..=MOST_FILLERS {
        at += text[at..limit]
            .iter()
            .take_while(|byte| matches!(byte, b' ' | b':' | b'(' | b'"' | b'`' | b'\'' | b'*'))
            .count();
        let stop = value_end(text, at);
        let word = text.get(at..stop)?;
        let filler = std::str::from_utf8(word).is_ok_and(|word| FILLERS.contains(&word));
        if !filler {
            return (!word.is_empty()).then_some((at, stop));
        }
        at = stop;
    }
    None
}

/// `Netflix continua X`: behind one to five words that say of what.
fn of_another(text: &[u8], end: usize) -> Option<(usize, usize)> {
    const MOST_WORDS: usize = 5;
    let line = crate::search::line(text, end, 64);
    let words = line.split(|&byte| byte == b' ').take(MOST_WORDS + 1);
    let mut starts = words.map(|word| crate::search::offset(text, word)).skip(1);
    let start = starts.find(|&start| {
        let stop = value_end(text, start);
        let word = &text[start..stop];
        sort(word).is_some() || is_code(text, stop, word)
    })?;
    let between = &text[end..start];
    let plain = !between.iter().any(|byte| matches!(byte, b'.' | b';' | b'=' | b'(' | b'/' | b'"'));
    plain.then(|| (start, value_end(text, start)))
}

/// "New one until May, for the packages: X": a long random word that ends the line behind a colon.
fn ends_line(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, end, 160);
    let colon = memchr::memmem::rfind(line, b": ")?;
    let (start, stop) = (end + colon + 2, end + line.trim_ascii_end().len());
    let word = text.get(start..stop).filter(|word| word.len() >= 20 && !word.contains(&b' '))?;
    (sort(word) == Some(Shows::Random)).then_some((start, stop))
}

/// "the flight number? it's": what was said last is another thing's.
fn is_of_another(before: &[u8]) -> bool {
    static OTHERS: Words<8> =
        Words::new([b"number", b"nummer", b"ticket", b"flight", b"version", b"seat", b"gate?", b"hostname"]);
    let said = before.trim_ascii_end();
    let said = said.strip_suffix(b"?").unwrap_or(said);
    let from =
        said.iter().rposition(|byte| matches!(byte, b'.' | b'?' | b'!' | b'\n')).map_or(0, |at| at + 1);
    let last = &said[from..];
    OTHERS.within(last) && said_before(last, Shows::Chosen).is_none()
}

/// The kind that the words before speak of.
fn said_before(before: &[u8], sort: Shows) -> Option<&'static str> {
    let lower = before.to_ascii_lowercase();
    let says = |word: &str| {
        memchr::memmem::find_iter(&lower, word.as_bytes()).any(|at| {
            let letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
            let short = word.len() <= 4;
            !short
                || !letter(at.checked_sub(1).and_then(|at| lower.get(at)))
                    && !letter(lower.get(at + word.len()))
        })
    };
    if sort == Shows::Digits {
        const OPEN: [&str; 17] = [
            "the safe",
            "the alarm",
            "the gate",
            "the lockbox",
            "the key safe",
            "pin",
            "passcode",
            "pincode",
            "door code",
            "gate code",
            "access code",
            "unlock",
            "locked",
            "keypad",
            "padlock",
            "combination",
            "пин",
        ];
        let asks = || is_asked_for(&lower) && names::passwords().any(says);
        return (OPEN.iter().any(|word| says(word)) || asks()).then_some("recovery_code");
    }
    let reset = ["reset mail", "reset email", "reset e-mail", "reset link"];
    if sort == Shows::Chosen && (is_rotated(&lower) || is_let_in_again(&lower) || is_asked_of_network(&lower))
        || reset.iter().any(|word| says(word))
        || [
            "vault pass",
            "sudo pass",
            "root pass",
            "shared key",
            "admin secret",
            "master secret",
            "shared secret",
        ]
        .iter()
        .any(|word| says(word))
    {
        return Some("password");
    }
    if names::passwords().any(says) {
        return Some("password");
    }
    (sort == Shows::Random
        && ["token", "key", "pat", "secret", "schlüssel", "clave", "clé", "ключ", "токен"]
            .iter()
            .any(|word| says(word)))
    .then_some("api_key")
}

/// "the printer asks for a password. It's 7719": who wants it is a thing.
fn is_asked_for(before: &[u8]) -> bool {
    #[rustfmt::skip]
    static ASKS: Words<12> = Words::new([
        b"asks for", b"asking for", b"wants a", b"prompts for", b"pide ", b"verlangt", b"fragt nach", b"demande ", b"chiede ", b"pede ", b"vraagt", b"prosi o",
    ]);
    ASKS.within(before)
}

/// "we rotated it this morning. SSID Visitors, new one is X": what networks have, and is changed.
fn is_rotated(before: &[u8]) -> bool {
    static CHANGES: Words<3> = Words::new([b"rotated", b"changed it", b"changed the"]);
    static NETWORKS: Words<4> = Words::new([b"ssid", b"wifi", b"wi-fi", b"wlan"]);
    CHANGES.within(before) && NETWORKS.within(before)
}

/// "Cloudflare is red again, 401. I rotated it yesterday, new one is X": what is made anew, and no release.
fn is_renewed(before: &[u8]) -> bool {
    #[rustfmt::skip]
    static RENEWS: Words<9> = Words::new([
        b"rotate", b"revoke", b"regenerat", b"reissue", b"unauthorized", b" 401", b" 403", b"rotiert", b"leaked",
    ]);
    RENEWS.within(before)
}

/// "I can't log in … I reset it, now you have X".
fn is_let_in_again(before: &[u8]) -> bool {
    #[rustfmt::skip]
    static RESETS: Words<10> = Words::new([
        b"reset it", b"have reset", b"just reset", b"zresetowa", "zurückgesetzt".as_bytes(), "réinitialis".as_bytes(), b"restablec", b"reimpost", b"gereset", "сбросил".as_bytes(),
    ]);
    #[rustfmt::skip]
    static LOCKED_OUT: Words<13> = Words::new([
        b"connexion", b"anmeldung",
        b"log in", b"login", b"locked out", b"zalogow", b"einloggen", b"anmelden", b"connecter", b"acceder", b"accedere", b"inloggen", "войти".as_bytes(),
    ]);
    RESETS.within(before) && LOCKED_OUT.within(before)
}

/// "c'est quoi le wifi ? … réseau invites, et c'est X": the question is of a network.
fn is_asked_of_network(before: &[u8]) -> bool {
    static NETWORKS: Words<4> = Words::new([b"wifi", b"wi-fi", b"wlan", b"hotspot"]);
    memchr::memchr_iter(b'?', before).any(|mark| NETWORKS.within(crate::search::last_line(&before[..mark])))
}

/// "It's Harvest-Moon-58, capital H", "is blueberrymuffin all in lower case": how each letter is written is said of
/// passwords alone.
pub(crate) fn is_dictated(text: &[u8], stop: usize) -> bool {
    #[rustfmt::skip]
    const SAID: [&str; 24] = [
        "capital ", "with a capital", "all lower", "all in lower", "in lower", "in all lower", "all small", "all one word", "one word", "no spaces", "big ", "groß", "mit groß",
        "alles klein", "klein geschrieben", "majuscule", "tout en minuscule", "en minuscule", "con may", "todo en min", "todo junto", "hoofdletter", "maiuscol", "tutto minuscolo",
    ];
    let rest = &text[stop..text.len().min(stop + 24)];
    // Most words are followed by neither.
    let (comma, rest) = match rest {
        [b',', b' ', rest @ ..] => (true, rest),
        [b' ', rest @ ..] => (false, rest),
        _ => return false,
    };
    let rest = rest.to_ascii_lowercase();
    let said = SAID.iter().find(|said| rest.starts_with(said.as_bytes()));
    // "a capital" begins many a sentence, and "in lower" goes on in many ways.
    said.is_some_and(|said| {
        comma || said.starts_with("all") || said.contains("klein") || crate::search::has(&rest, b"case")
    })
}

/// `put it in FERNET_KEY`: the name follows.
fn said_behind(text: &[u8], stop: usize) -> bool {
    let window = crate::search::behind(text, stop, AHEAD);
    crate::work::read(window.len());
    window.split(|byte| !(byte.is_ascii_alphanumeric() || *byte == b'_')).any(|word| {
        word.contains(&b'_')
            && word.iter().all(|byte| !byte.is_ascii_lowercase())
            && named::judge(word).is_some()
    })
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_was_named_before_is_told_later() {
        let key = "qm81xv7k3rt0zp5yd2nc9wb6hs4jf8ga7elu";
        assert_eq!(
            found(&format!("My PAT had run out. New one until May, packages only: {key}\nthanks")),
            [key]
        );
        for text in [
            "The label printer asks for a password in its menu. It's 7719.",
            "La impresora pide contraseña en el menú. Es 7719.",
            "Der Drucker verlangt im Menü ein Kennwort. Es lautet 7719.",
            "De printer vraagt om een wachtwoord. Het is 7719.",
            "La stampante chiede la password. È 7719.",
        ] {
            assert_eq!(found(text), ["7719"], "{text}");
        }
        assert_eq!(
            found("[09:43] ann: we rotated it this morning. SSID Visitors, new one is rainy-otter-412"),
            ["rainy-otter-412"]
        );
        for (text, secret) in [
            (
                "ann: the river job is red again, 401\nbob: rotated it, new one is 7693da5746233f5d3a26aeb95b19819313d40\n",
                "7693da5746233f5d3a26aeb95b19819313d40",
            ),
            ("ann: nie mogę się zalogować\nbob: zresetowałem, teraz masz Otter_Kaffee26\n", "Otter_Kaffee26"),
            ("Emre: panel şifresi değişti mi?\nSelin: evet, yenisi iHateOtters56\n", "iHateOtters56"),
            (
                "Luc: c'est quoi le wifi de la salle 7 ?\nAnn: réseau river-invites, et c'est Br4twurst!37\n",
                "Br4twurst!37",
            ),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "the build is green, new one is 7693da5746233f5d3a26aeb95b19819313d40\n",
            "I reset it, now it's Otter_Kaffee26\n",
            "le wifi est en panne, c'est Netgear-5G2\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(
            found("AGENT: It's Kettle-Moon-58, capital K, capital M, with dashes."),
            ["Kettle-Moon-58"]
        );
    }

    #[test]
    fn of_two_things_the_second_is_named_shortly() {
        for (text, secret) in [
            (
                "A senha do portal é caju2manga e a do Spotify continua Arara@Azul7, conta da Lia",
                "Arara@Azul7",
            ),
            ("La clave del wifi es sandia3verano y la del portal es Tucan@Verde9", "Tucan@Verde9"),
            (
                "Le mot de passe du wifi est figue4soleil et celui du portail reste Toucan@Vert9.",
                "Toucan@Vert9",
            ),
            (
                "the password is Compass&Map12. If it fails try the old one, plotter2019, for an hour",
                "plotter2019",
            ),
            ("mot de passe Boussole&Carte12. Sinon essaie l'ancien, carto2019, une heure", "carto2019"),
            (
                "the pre-shared key did not match; set both ends to kTa2MMPlUZqLJWQ8dzxrx7",
                "kTa2MMPlUZqLJWQ8dzxrx7",
            ),
        ] {
            assert_eq!(found(text).last(), Some(&secret), "{text}");
        }
        for text in [
            "A porta do portal é azul e a do Spotify continua Arara@Azul7",
            "Le mot de passe est obligatoire et celui du portail reste inchangé.",
            "the cable did not match; set both ends to 1000base-T2x",
            "the password policy changed, and the one for guests is 12 characters",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_was_not_named_stays() {
        for text in [
            "The build had run out. New one until May, see: d1d16be03a8b453cb6a73bdb3ea10d20ffee0102",
            "My PAT had run out. New one until May, see: https://kontor.example/a",
            "AGENT: It's Kettle-Moon-58, the model of last year.",
            "The form asks for a password. It's 2024, and we still do so.",
            "La contraseña es larga. Es 4417.",
            "The printer asks for paper. It's 7719.",
            "we rotated the logs this morning, new one is app-otter-412",
            "Das Kennwort ist lang. Es lautet so.",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
