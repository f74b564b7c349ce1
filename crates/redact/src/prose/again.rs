//! The other passwords of the same breath: "… is X, the one for the NAS is Y", `la del FTP, Y`, `Jenkins: ci / Y`.
//!
//! Near a password that was found, a verb joins whatever it joins there too; what is spoken of may be left out ("das
//! der Zip-Datei"), and must not be a user, a host or another thing that has a name.
//!
//! - A1  at most [`NEAR`] lines each way are read, each of them once

use super::below::speaker;
use super::word::strip;
use crate::search::Words;
use crate::span::Spans;
use crate::spoken;
use crate::value::{self, Traits};

const NEAR: usize = 2;
const REACH: usize = 240;
/// Words that may stand between the verb and the value.
const MOST_FILLERS: usize = 2;

/// What joins, in the tongues that have a word of its own for it.
#[rustfmt::skip]
static VERBS: Words<26> = Words::exact([
    b"is", b"is:", b"ist", b"lautet", b"est", b"es", "è".as_bytes(), "é".as_bytes(), "är".as_bytes(), b"er", b"jest",
    b"to", "→".as_bytes(), b"->", b"=", "–".as_bytes(), "—".as_bytes(), b"was", b"war", b"era", "était".as_bytes(),
    b"bleibt", b"remains", b"stays", b"becomes", "é:".as_bytes(),
]);
#[rustfmt::skip]
static FILLERS: Words<22> = Words::exact([
    b"now", b"still", b"again", b"just", b"ab", b"heute", b"jetzt", b"noch", b"weiterhin", b"ahora",
    "todavía".as_bytes(), b"toujours", b"maintenant", b"ancora", b"adesso", b"agora", b"ainda", b"nu", b"nog",
    b"fortfarande", b"nadal", b"teraz",
]);

/// How a thing is spoken of whose name was said before; a row is a tongue.
#[rustfmt::skip]
const LEFT_OUT: [&[&str]; 9] = [
    &["the one for", "the one on", "the one to", "the one of", "that of the", "the other one", "the second one"],
    &["das vom", "das von", "das der", "das des", "das für", "das zum", "der vom", "der für", "die vom", "die der", "die für"],
    &["la del", "la de la", "la de los", "la de", "el del", "el de la", "lo del"],
    &["celui d", "celle d", "ceux d"],
    &["quella del", "quella di", "quello del", "quello di"],
    &["a do", "a da", "o do", "o da", "a dos"],
    &["die van", "dat van", "het van", "die voor", "dat voor"],
    &["det till", "den till", "det til", "den til", "det för"],
    &["а от", "а для", "а к", "a do", "a k", "to do", "ten do"],
];
/// By their first two bytes, small or capital: which of them begin so, a bit each. Most words show at once that they
/// begin none.
static FIRSTS: [[u64; 256]; 2] = {
    let mut firsts = [[0; 256]; 2];
    let (mut row, mut part) = (0, 0);
    while row < LEFT_OUT.len() {
        let mut at = 0;
        while at < LEFT_OUT[row].len() {
            assert!(part < u64::BITS, "each has a bit");
            let bytes = LEFT_OUT[row][at].as_bytes();
            firsts[0][bytes[0].to_ascii_lowercase() as usize] |= 1 << part;
            firsts[0][bytes[0].to_ascii_uppercase() as usize] |= 1 << part;
            firsts[1][bytes[1].to_ascii_lowercase() as usize] |= 1 << part;
            firsts[1][bytes[1].to_ascii_uppercase() as usize] |= 1 << part;
            (at, part) = (at + 1, part + 1);
        }
        row += 1;
    }
    firsts
};
/// The same in scripts without blanks, and the word that joins.
const LEFT_OUT_JOINED: [&str; 4] = ["のほうは", "の方は", "のは", "的是"];

/// Things that have names and numbers, and no secret.
#[rustfmt::skip]
static NAMED: Words<32> = Words::new([
    b"user", b"login", b"account", b"host", b"server", b"port", b"version", b"ticket", b"name", b"ssid", b"network", b"url", b"address", b"database",
    b"branch", b"model", b"role", b"group", b"file", b"path", b"release", b"build", b"benutzer", b"konto", b"usuario", b"utente", b"identifiant", b"utilisateur",
    b"serial", b"extension", b"order", b"gebruiker",
]);

pub(super) fn scan(text: &[u8], spans: &mut Spans) {
    let near = |kind: &str| matches!(kind, "password" | "recovery_code" | "pin");
    let mut found: Vec<(usize, usize)> =
        spans.found().iter().filter(|span| near(span.kind)).map(|span| (span.start, span.end)).collect();
    found.sort_unstable();
    let mut floor = 0;
    for &(start, end) in &found {
        let mut at = first_line(text, start).max(floor);
        let stop = last_line(text, end);
        while at < stop {
            let line = line(text, at);
            if is_talk(line) {
                joined(text, at, line, spans);
                apart(text, at, line, spans);
            }
            at += line.len() + 1;
        }
        floor = floor.max(at);
    }
}

/// Where the first line begins that is near.
fn first_line(text: &[u8], start: usize) -> usize {
    let mut from = start;
    for _ in 0..=NEAR {
        let before = &text[from.saturating_sub(REACH)..from];
        let Some(end) = memchr::memrchr(b'\n', before) else {
            return if from > REACH { from } else { 0 };
        };
        from -= before.len() - end;
    }
    from + 1
}

/// Where the last one ends.
fn last_line(text: &[u8], end: usize) -> usize {
    let mut at = end;
    for _ in 0..=NEAR {
        at = (at + line(text, at).len() + 1).min(text.len());
    }
    at
}

fn line(text: &[u8], from: usize) -> &[u8] {
    let rest = &text[from.min(text.len())..text.len().min(from + REACH)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    line
}

/// Words and blanks, and no signs of code.
fn is_talk(line: &[u8]) -> bool {
    let code = line.iter().any(|byte| matches!(byte, b'{' | b'}' | b'<' | b'|'));
    let set = memchr::memchr_iter(b'=', line)
        .any(|at| line.get(at + 1) == Some(&b' ') || at > 0 && line[at - 1] == b' ');
    !code && !set && (memchr::memchr(b' ', line).is_some() || !line.is_ascii())
}

/// `X ist Y`, `la del FTP, Y`: what the words of the line join.
fn joined(text: &[u8], from: usize, line: &[u8], spans: &mut Spans) {
    let (mut clause, mut fillers) = (0, MOST_FILLERS + 1);
    let mut before: &[u8] = b"";
    for word in line.split(|&byte| byte == b' ') {
        let at = crate::search::offset(line, word);
        let verb = VERBS.equals(word);
        let filler = FILLERS.equals(word);
        if !verb && !filler && at > 0 {
            let (start, end) = strip(text, from + at, from + at + word.len());
            let said = Said { clause: &line[clause..at], word: &text[start..end] };
            let ends =
                at + word.len() == line.len() || matches!(word.last(), Some(b'.' | b',' | b';' | b')'));
            let shows = match before.last() {
                _ if fillers <= MOST_FILLERS => said.is_joined(),
                Some(b',') => said.is_sure() && said.is_left_out(),
                _ => ends && said.is_numbered() && said.is_left_out(),
            };
            if start < end && shows {
                spans.add(start, end, said.kind(), false);
            }
        }
        fillers = if verb {
            0
        } else if filler {
            fillers + 1
        } else {
            MOST_FILLERS + 1
        };
        if matches!(word.last(), Some(b'.' | b';' | b'!' | b'?')) {
            clause = at + word.len();
        }
        before = word;
    }
    // None of them is ASCII.
    for words in LEFT_OUT_JOINED.iter().filter(|_| !line.is_ascii()) {
        for at in memchr::memmem::find_iter(line, words.as_bytes()) {
            let start = from + at + words.len();
            let start = start + usize::from(text.get(start) == Some(&b' '));
            let end = spoken::value_end(text, start).min(from + line.len());
            let said = Said { clause: b"", word: &text[start..end] };
            if said.is_chosen() || said.is_digits() {
                spans.add(start, end, said.kind(), false);
            }
        }
    }
}

/// `Jenkins: ci / Y`, `the door in front is preview / Y`: a user and what follows the slash.
fn apart(text: &[u8], from: usize, line: &[u8], spans: &mut Spans) {
    for slash in memchr::memmem::find_iter(line, b" / ") {
        let start = from + slash + 3;
        let long = line[slash + 3..].iter().take_while(|&&byte| byte != b' ').count();
        let (start, end) = strip(text, start, start + long);
        let user = line[..slash].rsplit(|&byte| byte == b' ').next().unwrap_or_default();
        let named = user.len() >= 2
            && user[0].is_ascii_alphanumeric()
            && user.iter().all(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-' | b'@' | b'\\')
            });
        let said = Said { clause: b"", word: &text[start..end] };
        let alone = slash == speaker(line) + user.len() && start + (end - start) == from + line.len();
        let asked = alone
            && from > 1
            && said.word.iter().all(u8::is_ascii_lowercase)
            && text[..from - 1].ends_with(b"?");
        let plain = said.word.iter().all(u8::is_ascii_alphanumeric);
        let chosen =
            said.is_chosen() && !super::strong::is_numbered(said.word) && (!plain || said.word.len() >= 9);
        let ticket = user.iter().all(|byte| !byte.is_ascii_lowercase());
        if named && !ticket && (chosen || asked && value::is_choosable(said.word)) {
            spans.add(start, end, "password", false);
        }
    }
}

/// A word, and what of the sentence stands before it.
struct Said<'a> {
    clause: &'a [u8],
    word: &'a [u8],
}

impl Said<'_> {
    fn kind(&self) -> &'static str {
        if self.is_digits() { "recovery_code" } else { "password" }
    }

    /// Behind a verb.
    fn is_joined(&self) -> bool {
        self.is_digits() && (self.is_left_out() || spoken::opens(self.clause) && !is_numbering(self.clause))
            || self.is_chosen() && (self.is_left_out() || self.is_signed() && !NAMED.within(self.clause))
    }

    fn is_left_out(&self) -> bool {
        crate::work::read(2 * self.clause.len());
        let letter = |at: usize| {
            self.clause
                .get(at)
                .is_some_and(|byte| crate::search::is_one!(*byte, b'a'..=b'z' | b'A'..=b'Z' | 0x80..))
        };
        let opens = |at: usize| !at.checked_sub(1).is_some_and(letter);
        let twos = self.clause.iter().zip(self.clause.get(1..).unwrap_or_default());
        let may_begin = |(at, (one, two)): (usize, (&u8, &u8))| {
            let may = FIRSTS[0][usize::from(*one)] & FIRSTS[1][usize::from(*two)];
            (may != 0 && opens(at)).then_some((at, may))
        };
        twos.enumerate().filter_map(may_begin).any(|(at, may)| {
            let parts = LEFT_OUT.iter().flat_map(|row| row.iter()).enumerate();
            parts.filter(|(part, _)| may >> part & 1 == 1).any(|(_, part)| {
                let end = at + part.len();
                let same =
                    self.clause.get(at..end).is_some_and(|here| here.eq_ignore_ascii_case(part.as_bytes()));
                same && (part.ends_with(" d") || !letter(end))
            })
        })
    }

    fn is_digits(&self) -> bool {
        let year = self.word.len() == 4 && (self.word.starts_with(b"19") || self.word.starts_with(b"20"));
        (4..=8).contains(&self.word.len()) && !year && self.word.iter().all(u8::is_ascii_digit)
    }

    fn is_chosen(&self) -> bool {
        let traits = Traits::of(self.word);
        let place = self.word.iter().any(|byte| matches!(byte, b'/' | b':' | b',')) || is_host(self.word);
        self.word.len() >= 7
            && traits.letters >= 3
            && (traits.digits > 0 || traits.symbols > 0 && traits.letters >= 6)
            && !place
            && value::is_chosen(self.word)
    }

    /// A sign that only passwords have.
    fn is_signed(&self) -> bool {
        let traits = Traits::of(self.word);
        self.is_chosen() && traits.digits > 0 && traits.symbols > 0
    }

    /// Letters and a number.
    fn is_numbered(&self) -> bool {
        let traits = Traits::of(self.word);
        self.is_chosen()
            && traits.digits >= 2
            && traits.letters + traits.digits == self.word.len()
            && traits.letters >= 4
    }

    /// Small and capital letters and a number, or a sign that only passwords have: no name of a machine.
    fn is_sure(&self) -> bool {
        let traits = Traits::of(self.word);
        let cases = traits.uppers > 0 && traits.lowers >= 3 && traits.digits >= 2;
        let joints = self.word.iter().any(|byte| matches!(byte, b'.' | b'/'));
        self.is_chosen() && traits.digits > 0 && (traits.symbols > 0 || cases && !joints)
    }
}

/// "order number is", "die Kundennummer ist".
fn is_numbering(clause: &[u8]) -> bool {
    [&b"umber"[..], b"ummer", b"umero", "úmero".as_bytes(), b"xtension"]
        .iter()
        .any(|word| crate::search::has(clause, word))
}

/// `mail.example.org`, `bob@example.org`.
fn is_host(word: &[u8]) -> bool {
    let end = word.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    end.len() < word.len() && (2..=12).contains(&end.len()) && end.iter().all(u8::is_ascii_lowercase)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_is_left_out_was_said_before() {
        for (text, second) in [
            (
                "the password of the router is Heron-Lake41. The one for the NAS is fernsehturm88.",
                "fernsehturm88",
            ),
            (
                "Das Passwort fürs Postfach lautet Heron-Lake41 und das der Zip-Datei fernsehturm88.",
                "fernsehturm88",
            ),
            ("La clave del router es Heron-Lake41; la del FTP, Fernanda611.", "Fernanda611"),
            (
                "Ciao, la password del NAS è Heron-Lake41. Quella del POS invece è basilico88, a dopo",
                "basilico88",
            ),
            ("Oi, a senha do Wi-Fi é Heron-Lake41 e a do cofre é 3391.", "3391"),
            ("NASのパスワードはHeron-Lake41です。VPNのほうはmomiji-2290です。", "momiji-2290"),
            (
                "neues Passwort ist Heron-Lake41\nLea: Das vom Tableau (user lea) ist Brezel@46tee falls du",
                "Brezel@46tee",
            ),
            ("the password is Heron-Lake41, and the wiki is now Heather*77x by the way", "Heather*77x"),
            ("pw Heron-Lake41!\nthe gate in front of it is preview / anchorjuniper95", "anchorjuniper95"),
            (
                "what is the sudo pw?\nlin: Heron-Lake41\nraj: and of the viewer?\nlin: viewer / donttouch",
                "donttouch",
            ),
        ] {
            assert_eq!(found(text).last(), Some(&second), "{text}");
        }
    }

    #[test]
    fn what_has_a_name_stays() {
        for rest in [
            "The host is Build-agent12.",
            "The image is ubuntu-22-agent.",
            "The new server is Frontend12x.",
            "The one after that is on Monday 14:30.",
            "My extension is 4471.",
            "The room is B2/114, the year is 2024.",
            "The mail is at Mail01.example.org.",
            "The branch is Release2024a.",
        ] {
            assert_eq!(found(&format!("the password is Heron-Lake41. {rest}")), ["Heron-Lake41"], "{rest}");
        }
        assert_eq!(found("The one for the NAS is fernsehturm88."), Vec::<&str>::new());
    }
}
