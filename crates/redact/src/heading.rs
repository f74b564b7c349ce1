//! A file of secrets, shown with its name above it: `# jmxremote.password`, `$ cat /etc/ppp/chap-secrets`,
//! `==> sasl_passwd <==`. Each line below is a name and its secret.

use crate::prose::{looks_chosen, looks_joined};
use crate::span::Spans;
use crate::{chance, company, marker, names, search, value};

const MOST_LINES: usize = 24;
const LONGEST_LINE: usize = 160;
/// Longer lines end it.
const LONGEST_PASSED: usize = 1024;
/// Words that show a file.
const SHOWS: [&[u8]; 7] = [b"view", b"cat", b"more", b"less", b"type", b"head", b"tail"];

/// Looks at the lines below, if the name that ends at `stop` ends the name of a file that is shown.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, spans: &mut Spans) -> Option<usize> {
    let rest = &text[stop..text.len().min(stop + 32)];
    // Behind most names a word follows.
    let first = rest.iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r' | 0x0C));
    if !matches!(first, Some(b'\n' | b'.' | b':' | b'<')) {
        return None;
    }
    let tail = rest[..memchr::memchr(b'\n', rest)?].trim_ascii();
    let listed = matches!(tail, b".yml" | b".yaml" | b".env" | b".txt");
    // `cat > /etc/ppp/chap-secrets <<EOF`.
    let ends = listed || matches!(tail, b"" | b":" | b"<==" | b".client") || tail.starts_with(b"<<");
    let columns = text[start..stop].ends_with(b"ap-secrets");
    if !ends || !names_file(&text[company::line_start(text, start)?..stop], tail == b".client") {
        return None;
    }
    let mut at = stop + memchr::memchr(b'\n', rest)? + 1;
    for _ in 0..MOST_LINES {
        let window = search::line_behind(text, at, LONGEST_LINE);
        let ends = at + window.len() == text.len();
        let Some(long) = memchr::memchr(b'\n', window).or(ends.then_some(window.len())) else {
            // A mark in it would make it shorter: what stands below is told all the same.
            let line = search::line(text, at, LONGEST_PASSED);
            crate::work::read(line.len());
            if line.len() == LONGEST_PASSED {
                break;
            }
            at += line.len() + 1;
            continue;
        };
        let row = &window[..long];
        // The next command, behind a prompt or what a chat has before it.
        if row.trim_ascii().is_empty() || row.starts_with(b"$ ") || search::has(row, b"> $ ") {
            break;
        }
        if marker::is_within(row) {
            // Its secret was found before.
        } else if !row.starts_with(b"#") {
            if phrase(row, at, &text[start..stop], spans) {
                return Some(at);
            }
            if columns && third_field(row, at, spans) {
                at += long + 1;
                continue;
            }
            last_field(row, at, listed, spans);
        } else if row.len() > 2 && row[1..].trim_ascii().iter().all(|&byte| byte != b' ') {
            // Another file's name.
            break;
        }
        at += long + 1;
    }
    Some(at)
}

/// `# NAME`, `$ cat NAME`, `==> NAME <==`, `NAME:` with a dot, a slash or a joint in the name.
fn names_file(line: &[u8], client: bool) -> bool {
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty());
    let last = line.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let file = last.iter().any(|byte| matches!(byte, b'.' | b'/'))
        && last
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/' | b'_' | b'-' | b'~'));
    let shown = match words.next() {
        Some(b"#" | b"==>" | b";" | b"//") => {
            words.clone().count() == 1 || words.any(|word| SHOWS.contains(&word))
        }
        Some(b"$" | b">" | b"%") => words.any(|word| SHOWS.contains(&word)),
        // A path alone, of a file of nothing else.
        Some(first) if first.starts_with(b"/") => words.next().is_none() && first.ends_with(b"ap-secrets"),
        Some(b"cat" | b"tee") if words.clone().next() == Some(b">") => words.count() == 2,
        Some(first) => SHOWS.contains(&first) && words.count() == 1,
        None => false,
    };
    // `/etc/passwd` has none.
    file && shown && (client || !last.ends_with(b"/passwd"))
}

/// `# client  server  secret  IP addresses`: what stands third on each line below, whatever is between.
pub(crate) fn dialled(text: &[u8], start: usize, stop: usize, spans: &mut Spans) {
    let head = search::last_line(&text[start.saturating_sub(64)..start]);
    let opens = head.trim_ascii_start().starts_with(b"#") || head.trim_ascii_start().starts_with(b"client");
    if !(opens && search::has(head, b"client") && search::has(head, b"server")) {
        return;
    }
    let Some(mut at) = search::next_line(text, stop, LONGEST_LINE) else { return };
    for _ in 0..MOST_LINES {
        let row = search::line(text, at, LONGEST_LINE);
        crate::work::read(row.len());
        let fields = row.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).count();
        if row.starts_with(b"#") || !(3..=5).contains(&fields) {
            return;
        }
        third_field(row, at, spans);
        at += row.len() + 1;
        if at >= text.len() {
            return;
        }
    }
}

/// `$ cat ~/.vault_pass⏎cactus wagon violet maple`: words alone are what the file holds.
fn phrase(row: &[u8], at: usize, name: &[u8], spans: &mut Spans) -> bool {
    let row = row.trim_ascii_end();
    let words = row.split(|&byte| byte == b' ').filter(|word| word.len() >= 3).count();
    let plain = row.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ');
    let holds = name.windows(4).any(|four| four.eq_ignore_ascii_case(b"pass"));
    let found = holds && plain && (3..=10).contains(&words) && value::is_phrase(row);
    if found {
        spans.add(at, at + row.len(), "password", false);
    }
    found
}

/// `client server X address`: of dialled lines.
fn third_field(row: &[u8], at: usize, spans: &mut Spans) -> bool {
    let mut fields = row.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let Some(field) = fields.nth(2) else { return false };
    let quoted = usize::from(field.len() > 2 && field[0] == b'"' && field[field.len() - 1] == b'"');
    let start = at + search::offset(row, field) + quoted;
    let secret = &field[quoted..field.len() - quoted];
    if secret.len() >= 4 && !value::is_placeholder(secret) {
        spans.add(start, start + secret.len(), "password", false);
    }
    true
}

/// `name X`, `name:X`, `host name:X`: the last of a line's fields, if nothing else can stand there.
fn last_field(row: &[u8], at: usize, listed: bool, spans: &mut Spans) {
    let row = row.trim_ascii_end();
    let from =
        row.iter().rposition(|byte| matches!(byte, b' ' | b'\t' | b':' | b'=')).map_or(0, |sign| sign + 1);
    let head = row[..from].trim_ascii_end();
    let (mut start, mut secret) = (at + from, &row[from..]);
    if let [b'"', inside @ .., b'"'] = secret {
        (start, secret) = (start + 1, inside);
    }
    // `domain=KONTOR` beside them.
    let set = from > 0 && row[from - 1] == b'=';
    if set && names::is_identity(&row[..from - 1]) {
        return;
    }
    let two = !head.is_empty() && head.split(u8::is_ascii_whitespace).count() == 1;
    let shows = looks_chosen(secret) || looks_joined(secret) || chance::is_random(secret);
    let number = secret.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'/'));
    if secret.len() >= 6
        && (shows || two && !listed)
        && from > 0
        && !number
        && !secret.starts_with(b"/")
        && !value::is_placeholder(secret)
        && !value::is_reference(secret)
    {
        spans.add(start, start + secret.len(), "password", false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn each_line_of_a_file_of_secrets_ends_in_one() {
        assert_eq!(
            found("# jmxremote.password\nmonitor  zuschauer\n# jmxremote.access\nmonitor  readonly\n"),
            ["zuschauer"]
        );
        assert_eq!(
            found("/etc/ppp/chap-secrets\n# client  server  secret\nalice  *  otter.river\n"),
            ["otter.river"]
        );
        assert_eq!(found("$ cat /etc/ppp/chap-secrets\nalice * Fenster_9x 10.0.0.10\n"), ["Fenster_9x"]);
        assert_eq!(found("$ cat /etc/passwd\nroot:x:0:0:root:/root:/bin/bash\n"), Vec::<&str>::new());
    }
}
