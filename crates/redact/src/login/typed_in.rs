//! Logins that are typed line by line: a mapped drive, a file transfer, a mailbox.

use super::add;
use crate::company;
use crate::span::Spans;
use crate::value;

const LONGEST: usize = 160;

fn line(text: &[u8], from: usize) -> &[u8] {
    crate::search::line(text, from, LONGEST)
}

/// `net use Z: \\srv\share X /user:ann`: the word that is no drive, no path and no switch.
pub(super) fn mapped(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = line(text, end);
    let mut shared = false;
    for word in line.split(|byte| matches!(byte, b' ' | b'\r')).filter(|word| !word.is_empty()) {
        let at = crate::search::offset(text, word);
        if word.starts_with(b"\\\\") {
            shared = true;
        } else if shared && !word.starts_with(b"/") && word != b"*" {
            let quoted = usize::from(word.len() > 2 && word[0] == b'"');
            add(text, at + quoted, at + word.len() - quoted, spans);
            break;
        }
    }
    end + line.len()
}

/// `open ftp.example.org⏎user ann X`: the second word, if a transfer was opened above.
pub(super) fn transfer(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let Some(above) = company::line_start(text, at) else { return end };
    let opened = [&b"open "[..], b"ftp ", b"connect "].iter().any(|word| text[above..at].starts_with(word));
    if !opened {
        return end;
    }
    let line = line(text, end);
    let mut words = line.split(|byte| matches!(byte, b' ' | b'\r')).filter(|word| !word.is_empty());
    if let (true, Some(_), Some(secret), None) = (opened, words.next(), words.next(), words.next()) {
        let at = crate::search::offset(text, secret);
        add(text, at, at + secret.len(), spans);
    }
    end + line.len()
}

/// `user worker on +@all ~jobs:* >X`: a line of the rules of a store, where what lets somebody in stands behind `>`, and
/// its digest behind `#`.
pub(super) fn ruled(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let rule = line(text, end);
    let user = crate::search::line_before(text, end, 80).trim_ascii_start();
    if !user.starts_with(b"user ") && !crate::search::has(user, b"SETUSER ") {
        return end;
    }
    for word in rule.trim_ascii_end().split(|&byte| byte == b' ') {
        let Some((sign, secret)) = word.split_first() else { continue };
        let digest = *sign == b'#' && secret.len() == 64 && value::is_hex(secret);
        if *sign == b'>' && secret.len() >= 4 || digest {
            let start = crate::search::offset(text, secret);
            add(text, start, start + secret.len(), spans);
        }
    }
    end + rule.len()
}

/// `a1 LOGIN ann@example.org "X"`: a mailbox's, behind its line's tag.
pub(super) fn mailbox(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> bool {
    let Some(start) = company::line_start(text, at) else { return false };
    let head = text[start..at].trim_ascii();
    let head = head.strip_prefix(b"C:").or_else(|| head.strip_prefix(b">")).unwrap_or(head).trim_ascii();
    // `11:20.04 > b'A2 LOGIN ann "X"'`: as a program logs it.
    let logged = memchr::memmem::rfind(head, b"b'").map(|at| &head[at + b"b'".len()..]);
    // `E..Y..@.@...a002 LOGIN ann X`: what a dump shows of a packet.
    let dumped = (head.starts_with(b"E..")).then(|| head.rsplit(|&byte| byte == b'.').next()).flatten();
    let logged = logged.or(dumped);
    let quoted = logged.is_some() && dumped.is_none();
    let head = logged.unwrap_or(head);
    let tag = (1..=8).contains(&head.len())
        && head.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'.');
    if &text[at..end] != b"LOGIN" || !tag || !head.iter().any(u8::is_ascii_digit) {
        return false;
    }
    let line = line(text, end);
    let user = line.strip_prefix(b" ").unwrap_or_default();
    let Some(gap) = user.iter().position(|&byte| byte == b' ') else { return false };
    let secret = user[gap + 1..].trim_ascii();
    let secret = if quoted { secret.strip_suffix(b"'").unwrap_or(secret) } else { secret };
    let secret = match secret {
        [b'"', inside @ .., b'"'] => inside,
        _ if secret.contains(&b' ') => return false,
        _ => secret,
    };
    let at = crate::search::offset(text, secret);
    add(text, at, at + secret.len(), spans);
    true
}

/// `IDENTIFIED BY X`, `IDENTIFIED WITH plugin BY 'X'`, without quotes too.
pub(super) fn identified(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = line(text, end);
    let by = match line.strip_prefix(b" ") {
        Some(_) if !crate::prose::ends_in(&text[..end], b"with") => 0,
        _ => {
            let lower = line.to_ascii_lowercase();
            match memchr::memmem::find(&lower, b" by ") {
                Some(by) => by + 3,
                None => return end,
            }
        }
    };
    let rest = line[by..].trim_ascii_start();
    let at = crate::search::offset(text, rest);
    let long = match rest.first() {
        Some(sign @ (b'\'' | b'"')) => {
            let long = memchr::memchr(*sign, &rest[1..]).unwrap_or(0);
            add(text, at + 1, at + 1 + long, spans);
            return at + 1 + long;
        }
        _ => rest.iter().take_while(|byte| byte.is_ascii_graphic() && !matches!(byte, b';' | b',')).count(),
    };
    if value::is_choosable(&rest[..long]) {
        add(text, at, at + long, spans);
    }
    at + long
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_is_typed_to_log_in() {
        for text in [
            "net use Z: \\\\srv\\share starfighter /user:ann",
            "net use \\\\srv\\share /user:ann starfighter /persistent:no",
            "open ftp.example.org\nuser ann starfighter\nput a.txt\n",
            "a1 LOGIN ann@example.org \"starfighter\"\n",
            "a1 LOGIN ann starfighter\r\n",
            "E..Y..@.@...a002 LOGIN ann@example.org starfighter\n",
            "  11:20.04 > b'A2 LOGIN ann@example.org \"starfighter\"'\n",
            "ALTER USER app IDENTIFIED BY starfighter;",
            "ALTER USER app IDENTIFIED WITH mysql_native_password BY 'starfighter';",
        ] {
            assert_eq!(found(text), ["starfighter"], "{text}");
        }
    }

    #[test]
    fn what_only_speaks_of_it_stays() {
        for text in [
            "net use Z: \\\\srv\\share * /user:ann",
            "net use Z: \\\\srv\\share /delete",
            "ask your\nuser ann starfighter\nfor it\n",
            "the LOGIN ann starfighter\n",
            "a1 LOGIN is not allowed here\n",
            "users are IDENTIFIED BY number;",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
