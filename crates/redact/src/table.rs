//! Columns: a heading that names a secret, and the cells below it. Markdown, psql and CSV alike.

use std::ops::Range;

use crate::chance;
use crate::harmless;
use crate::names::{self, Name, Trust};
use crate::prose;
use crate::search::Words;
use crate::span::Spans;
use crate::value::{self, Place};

const MOST_ROWS: usize = 64;
/// Each name of a heading reads it once more, so it must be short.
const LONGEST_HEAD: usize = 256;
const LONGEST_ROW: usize = 1024;

/// If the name `start..stop` heads a column, looks at the cells below; returns the rows that were read.
pub(crate) fn scan(
    text: &[u8],
    start: usize,
    stop: usize,
    name: Name,
    spans: &mut Spans,
) -> Option<Range<usize>> {
    if name.trust == Trust::Weak && !matches!(name.kind, "pin" | "recovery_code" | "otp" | "key" | "api_key")
    {
        return None;
    }
    let sign = separator(text, start, stop)?;
    let before = &text[start.saturating_sub(LONGEST_HEAD + 1)..start];
    let from = start - crate::search::last_line(before).len();
    let head_end = line_end(text, stop);
    if head_end - from > LONGEST_HEAD {
        return Some(start..head_end);
    }
    let head = &text[from..head_end];
    let tabs = sign == b'\t' && crate::search::has(head, b"\t\t");
    let below = row(text, head_end + 1);
    if !tabs && !is_rule(below) && !belongs(head, below, sign) || !is_head(head, sign) {
        // No other name of this line heads a column either.
        return Some(start..head_end);
    }
    let column = columns(&text[from..start], sign);
    // Beside a user a secret is what he logs in with.
    let name = match name.kind {
        // `# client  server  secret  IP addresses`: of dialled lines.
        "secret" if names_users(head, sign) => Name { trust: Trust::Password, ..name },
        _ => name,
    };
    // Two words with a comma between are no table.
    if count(head, sign) < 2 && name.trust == Trust::Weak && !is_rule(below) {
        return Some(start..head_end);
    }
    // `ID⇥⇥⇥Token⇥⇥User`: tabs line the columns up.
    let padded = tabs.then(|| (filled(&text[from..start], sign), filled(head, sign)));
    let mut users = None;
    let mut at = head_end + 1;
    for _ in 0..MOST_ROWS {
        let row = row(text, at);
        let end = at + row.len();
        if row.is_empty() {
            break;
        }
        let place = if let Some((before, all)) = padded {
            let nth = cells(row, sign).enumerate().filter(|(_, cell)| !cell.is_empty()).nth(before);
            let Some((place, _)) = nth.filter(|_| filled(row, sign) == all) else { break };
            Some(place)
        } else if is_rule(row) {
            None
        } else if belongs(head, row, sign) {
            Some(column)
        } else {
            break;
        };
        if let Some(place) = place {
            let users = *users.get_or_insert_with(|| takes_all(name, head, sign));
            cell(text, at, end, sign, place, name, users, spans);
        }
        at = end + 1;
    }
    Some(head_end + 1..at)
}

/// The title of the column that `at` stands in, of rows that begin with a bar; in a string of JSON too.
pub(crate) fn title(text: &[u8], at: usize) -> Option<&[u8]> {
    const REACH: usize = 2048;
    let window = &text[at.saturating_sub(REACH)..at];
    let line = last_row(window);
    let column = memchr::memchr_iter(b'|', line).count();
    let mut above = without_break(&window[..window.len() - line.len()]);
    let mut head = None;
    while matches!(last_row(above).first(), Some(b'|' | b'+')) {
        let row = last_row(above);
        head = if row[0] == b'|' { Some(row) } else { head };
        above = without_break(&above[..above.len() - row.len()]);
    }
    crate::work::read(window.len() - above.len());
    head.and_then(|head| head.split(|&byte| byte == b'|').nth(column)).map(<[u8]>::trim_ascii)
}

/// The last line of `text`, where it begins and ends as it does in a string of JSON too.
pub(crate) fn last_row(text: &[u8]) -> &[u8] {
    let line = crate::search::last_line(text);
    let broken = memchr::memmem::rfind(line, b"\\n").map(|at| at + 2);
    let opened = || memchr::memmem::rfind(line, b"\"|").map(|at| at + 1);
    &line[broken.or_else(opened).unwrap_or(0)..]
}

fn without_break(text: &[u8]) -> &[u8] {
    text.strip_suffix(b"\\n").unwrap_or(text).trim_ascii_end()
}

/// The line from `at`.
fn row(text: &[u8], at: usize) -> &[u8] {
    text.get(at..line_end(text, at)).unwrap_or_default()
}

/// `|---|---|`.
fn is_rule(row: &[u8]) -> bool {
    row.iter().all(|byte| matches!(byte, b'-' | b'|' | b'+' | b':' | b' ' | b'='))
}

/// Whether a line has the columns of the heading, and is none itself.
fn belongs(head: &[u8], row: &[u8], sign: u8) -> bool {
    count_cells(row, sign) == columns(head, sign) + 1 && !goes_on(head, row, sign)
}

/// How many columns a part of a heading parts: `|| Host || Password ||` above `| cdn | X |` is how a wiki marks one.
fn columns(head: &[u8], sign: u8) -> usize {
    count(head, sign) / if head.starts_with(b"||") { 2 } else { 1 }
}

/// The sign beside the name, if it is one that parts columns.
fn separator(text: &[u8], start: usize, stop: usize) -> Option<u8> {
    // `pass / key`: either stands there.
    let rest = &text[stop..];
    let other = rest
        .strip_prefix(b" / ")
        .map_or(0, |other| 3 + other.iter().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count());
    let after = rest[other..].iter().take(64).find(|byte| !matches!(byte, b' ' | b'"' | b'`'));
    let parts = |byte: Option<&u8>| byte.copied().filter(|byte| matches!(byte, b'|' | b',' | b'\t' | b';'));
    let ends = matches!(after, None | Some(b'\n' | b'\r'));
    if !ends && parts(after).is_none() {
        return None;
    }
    // `Initial password`: words of the same heading.
    let plain = |byte: &&u8| !matches!(byte, b' ' | b'"' | b'`') && !byte.is_ascii_alphabetic();
    let before = text[..start].iter().rev().take(64).find(plain);
    let opens = matches!(before, None | Some(b'\n'));
    match (parts(before), parts(after)) {
        (Some(left), Some(right)) if left == right => Some(left),
        (Some(left), None) if ends => Some(left),
        (None, Some(right)) if opens => Some(right),
        _ => None,
    }
}

/// A heading is words and separators: no values, no sentence.
fn is_head(line: &[u8], sign: u8) -> bool {
    line.contains(&sign)
        && line.split(|&byte| byte == sign).all(|cell| {
            let cell = cell.trim_ascii();
            // A list has a comma at the end of each line.
            (sign == b'|' || !cell.is_empty() || count(line, sign) >= 3)
                && cell.len() <= 32
                && count(cell, b' ') <= 2
                && is_title(cell)
                && !(cell.len() >= 20 && chance::is_random(cell))
                && cell.iter().all(|&byte| is_title_byte(byte))
        })
}

fn is_title_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || crate::search::is_one!(
            byte,
            b'_' | b'-' | b' ' | b'"' | b'`' | b'*' | b'.' | b'/' | b'(' | b')' | 0x80..
        )
}

/// Whether a cell may head a column: `2.1.0`, `2026-05` and `/*tag*` are what stands below one.
pub(crate) fn is_title(cell: &[u8]) -> bool {
    let path = cell.starts_with(b"/");
    if path || !cell.iter().any(u8::is_ascii_digit) {
        return !path;
    }
    let letters = cell.iter().any(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii());
    let version = cell.windows(3).any(|of| of[1] == b'.' && of[0].is_ascii_digit() && of[2].is_ascii_digit());
    !version && letters
}

/// `apt⇥login⏎apt⇥passwd⏎apt⇥patch`: a line says what the one above says too, so that one is no heading.
/// What only says who logs in may stand in both.
fn goes_on(head: &[u8], row: &[u8], sign: u8) -> bool {
    let titles = head.split(|&byte| byte == sign).map(<[u8]>::trim_ascii);
    titles.zip(cells(row, sign)).any(|(title, cell)| {
        !title.is_empty()
            && cell.trim_ascii() == title
            && title.iter().any(u8::is_ascii_alphabetic)
            && !is_user(title)
    })
}

/// How many cells have something in them.
fn filled(row: &[u8], sign: u8) -> usize {
    cells(row, sign).filter(|cell| !cell.is_empty()).count()
}

fn count(text: &[u8], sign: u8) -> usize {
    memchr::memchr_iter(sign, text).count()
}

/// The cells of a row: a sign between quotes parts none.
fn cells(row: &[u8], sign: u8) -> impl Iterator<Item = &[u8]> {
    let mut quoted = false;
    row.split(move |&byte| {
        quoted ^= byte == b'"' && sign != b'|';
        byte == sign && !quoted
    })
}

fn count_cells(row: &[u8], sign: u8) -> usize {
    if sign == b'|' { count(row, sign) + 1 } else { cells(row, sign).count() }
}

fn line_end(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..text.len().min(at + LONGEST_ROW)).unwrap_or_default();
    crate::work::read(1);
    at + memchr::memchr(b'\n', rest).unwrap_or(rest.len())
}

/// Whether another column names who logs in: then each cell of ours is a password.
fn takes_all(name: Name, head: &[u8], sign: u8) -> bool {
    (name.trust == Trust::Password || name.kind == "credential") && names_users(head, sign)
}

fn names_users(head: &[u8], sign: u8) -> bool {
    head.split(|&byte| byte == sign).map(<[u8]>::trim_ascii).any(is_user)
}

/// Whether the title of a column says who logs in.
fn is_user(title: &[u8]) -> bool {
    #[rustfmt::skip]
    static USERS: Words<19> = Words::new([
        b"user", b"username", b"login", b"account", b"email", b"e-mail", b"benutzer", b"benutzername", b"utilisateur", b"usuario",
        b"utente", b"gebruiker", b"host", b"server", b"# client", b"client", b"konto", b"user name", b"login name",
    ]);
    const PARTS: [&[u8]; 4] = [b"user", b"username", b"login", b"account"];
    // `"Account","Login Name","Password"`: as password managers export them.
    let title = title.strip_prefix(b"\"").and_then(|title| title.strip_suffix(b"\"")).unwrap_or(title);
    USERS.equals(title)
        || title.contains(&b'_') && title.split(|&byte| byte == b'_').any(|part| PARTS.contains(&part))
}

/// `0458`, `57881-81082`, `264B-DE45-05DB`: what stands below `PIN` and `Code`.
fn is_code(name: Name, secret: &[u8]) -> bool {
    let digits = secret.iter().filter(|byte| byte.is_ascii_digit()).count();
    let plain = secret.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'-');
    match name.kind {
        "pin" | "otp" | "recovery_code" => {
            digits == secret.len() && (4..=10).contains(&digits)
                || value::is_code_in_groups(secret)
                || digits >= 4 && plain && secret.len() >= 9 && secret.contains(&b'-')
        }
        "secret" | "api_key" | "key" => {
            digits >= 4 && plain && secret.len() >= 12 && secret.contains(&b'-') && !value::is_uuid(secret)
        }
        _ => false,
    }
}

/// `X25519PrivateKey⏎| P384PrivateKey`: another of the names, below a key's or a token's.
fn names_another(name: Name, secret: &[u8]) -> bool {
    let word = secret.strip_suffix(b",").unwrap_or(secret);
    name.trust == Trust::Secret
        && word.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && names::judge(word).is_some_and(|other| other.kind == name.kind)
}

/// What nobody would have written, below a token's name.
fn is_token(name: Name, secret: &[u8], traits: &value::Traits) -> bool {
    let mixed = traits.digits > 0 && traits.uppers > 0 && traits.lowers > 0;
    name.trust == Trust::Secret && secret.len() >= 16 && mixed && chance::is_random(secret)
}

/// One word, and no "none", "valid", "sso".
fn shows_in_row(word: &[u8], traits: &value::Traits) -> bool {
    let mixed = traits.uppers > 0 && traits.lowers > 0 && word.iter().any(u8::is_ascii_punctuation);
    traits.spaces == 0
        && word.len() >= 6
        && (traits.digits > 0 || traits.symbols > 0 || mixed || word.len() >= 9)
        && !word.contains(&b'(')
}

/// `siehe Tresor`, `voir coffre-fort`, `in 1Password`: a cell says where it is, or who knows it; a language is a row.
fn points_elsewhere(cell: &[u8]) -> bool {
    #[rustfmt::skip]
    static IN: Words<24> = Words::new([
        b"in", b"im", b"bei", b"beim", b"dans", b"chez", b"en", b"con", b"em", b"no", b"na", b"nel", b"nella", b"da", b"bij", b"hos", b"i", b"w", b"u", b"at", b"with",
        "в".as_bytes(), "у".as_bytes(), "à".as_bytes(),
    ]);
    let Some(gap) = memchr::memchr(b' ', cell) else { return false };
    let blanks = memchr::memchr_iter(b' ', cell).count();
    // `In Bruges2008` says nowhere where.
    let numbered = cell.last().is_some_and(u8::is_ascii_digit);
    blanks <= 3 && harmless::SEE.equals(&cell[..gap]) || blanks <= 2 && !numbered && IN.equals(&cell[..gap])
}

/// `pg-credentials`, `rotated-2024`: what a secret is called, or what was done with it.
fn is_name_of_one(cell: &[u8]) -> bool {
    static NAMES: Words<10> = Words::new([
        b"cred", b"vault", b"tls", b"cert", b"kv/", b"rotat", b"secret", b"token", b"expire", b"pending",
    ]);
    NAMES.within(cell) || value::names_itself(cell)
}

/// `0124`: as many digits as a code has, and no year.
fn is_number(cell: &[u8]) -> bool {
    let year = cell.len() == 4 && (cell.starts_with(b"19") || cell.starts_with(b"20"));
    (4..=8).contains(&cell.len()) && !year && cell.iter().all(u8::is_ascii_digit)
}

#[allow(clippy::too_many_arguments)]
fn cell(
    text: &[u8],
    at: usize,
    end: usize,
    sign: u8,
    column: usize,
    name: Name,
    users: bool,
    spans: &mut Spans,
) {
    let Some(found) = cells(&text[at..end], sign).nth(column) else { return };
    let mut start = at + (found.as_ptr() as usize - text[at..].as_ptr() as usize);
    let mut stop = start + found.len();
    let dressing = |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'`' | b'\'' | b'*');
    while start < stop && dressing(text[start]) {
        start += 1;
    }
    while start < stop && dressing(text[stop - 1]) {
        stop -= 1;
    }
    let secret = &text[start..stop];
    let traits = value::Traits::of(secret);
    let typed = name.trust == Trust::Password
        && secret.len() >= 6
        && traits.spaces == 0
        && traits.digits > 0
        && traits.letters > 2
        && !secret.contains(&b'_')
        && !prose::is_jargon(secret);
    let phrase = name.trust == Trust::Password && value::is_phrase(secret) && !points_elsewhere(secret);
    if name.kind == "secret" && is_name_of_one(secret) {
        return;
    }
    let row = users
        && (shows_in_row(secret, &traits) || phrase || is_number(secret))
        && !value::is_placeholder(secret)
        && !value::is_reference(secret);
    if row
        || is_code(name, secret)
        || !names_another(name, secret)
            && value::is_secret(name, secret, Place::Data)
            && (typed
                || prose::looks_like_secret(secret)
                || is_token(name, secret, &traits)
                || name.trust == Trust::Password && (prose::looks_joined(secret) || value::is_chosen(secret)))
    {
        spans.add(start, stop, name.kind, false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn cells_stand_below_their_heading() {
        for text in [
            "name\tpassword\trole\nann\tOtter!Bridge5\treader\n",
            "user;password;since\nann;Otter!Bridge5;2024-05\n",
            "| user | 2fa | password |\n|---|---|---|\n| user | on | Otter!Bridge5 |\n",
            "host,password,2fa\ndb1,Otter!Bridge5,yes\n",
            "|| Host || User || Password || Note ||\n| cdn | ann | Otter!Bridge5 | by hand |\n",
            "||Outil||Compte||Mot de passe||\n|cdn|ann|Otter!Bridge5|\n|dns|ann|idem AD|\n",
            "||System||Gebruiker||Wachtwoord||\n|cdn|ann|Otter!Bridge5|\n",
            "Tjänst\tAnvändare\tLösenord\ncdn\tann\tOtter!Bridge5\n",
        ] {
            assert_eq!(found(text), ["Otter!Bridge5"], "{text}");
        }
        let exported = "\"Account\",\"Login Name\",\"Password\",\"Web Site\"\n\"Tax\",\"\",\"73104418\",\"\"\n\"Bank\",\"ann\",\"\",\"\"\n";
        assert_eq!(found(exported), ["73104418"]);
    }

    #[test]
    fn a_cell_may_say_where_it_is() {
        let table = |cell: &str| {
            format!(
                "| Env | User | Kennwort |\n|---|---|---|\n| dev | ann | Otter!Bridge5 |\n| prd | – | {cell} |\n"
            )
        };
        for cell in [
            "siehe Tresor",
            "see the vault",
            "voir coffre-fort",
            "ver bóveda",
            "véase la bóveda",
            "vedi cassaforte",
            "zie kluis",
            "se bankboks",
            "patrz sejf",
            "см. сейф",
            "im Tresor",
            "bei Jens",
            "in 1Password",
            "chez Ann",
            "ask Ann first",
            "dans le coffre",
        ] {
            assert_eq!(found(&table(cell)), ["Otter!Bridge5"], "{cell}");
        }
        for cell in ["drei Reiher im Schilf", "seven herons wade", "inn river heron"] {
            assert_eq!(found(&table(cell)), ["Otter!Bridge5", cell], "{cell}");
        }
    }

    #[test]
    fn a_row_is_no_heading() {
        for text in [
            "otter-password\t0.3.1\t2021-04\t\tWords for otters\notter-river-2\t1.0\t2022-05\t\tRivers\n",
            "password,1.2.0,2022-04\notter-river-2,1.3.0,2021-05\n",
            "||Champ||Mot de passe||\n|Type|texte|\n|Longueur|12-64|\n",
            "passwd;7;2022\notter-river-2;8;2021\n",
            "|credentials|12|\n|otter-river-2-bridge|14|\n",
            "otter-passwd\tpi_otter.txt\t/*otter-passwd*\notter-river-2\tpi_otter.txt\t/*otter-river-2*\n",
            "syn keyword\totterService\tkpasswd\nsyn keyword\totterService\triver524\n",
            "    x25519.River\n    | OTTER768X25519PrivateKey\n    | OTTER1024P384PrivateKey,\n    info: Buffer\n",
            "apt\tbase-passwd\tamd\napt\triver-bus-2\tamd\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
