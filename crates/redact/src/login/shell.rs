//! Passwords that a shell hands on: `echo X | sudo -S`, `sftp bob:X@host`.

use super::REACH;
use super::add;
use super::bare;
use crate::prose::looks_joined;
use crate::quote;
use crate::span::Spans;

pub(super) fn quoted_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let gap = text[end..]
        .iter()
        .take(24)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'_'))
        .count();
    let Some((quote, start)) = quote::open(text, end + gap) else { return end };
    if quote.sign == b'`' {
        return end;
    }
    let Some(stop) = quote::close(text, start, quote) else { return end };
    add(text, start, stop, spans);
    // `IDENTIFIED BY "new" REPLACE "old"`.
    let past = stop + quote.slashes + 1;
    if text.get(past..).is_some_and(|rest| rest.starts_with(b" REPLACE ") || rest.starts_with(b" replace ")) {
        return quoted_after(text, past + 8, spans);
    }
    stop
}

/// `CREATE USER x IDENTIFIED BY`, and no sentence about columns.
pub(super) fn creates_user(before: &[u8]) -> bool {
    let lower = before.to_ascii_lowercase();
    [&b"user"[..], b"role", b"grant", b"alter", b"connect to", b"keystore", b"wallet"]
        .iter()
        .any(|word| crate::search::has(&lower, word))
}

/// `echo "root:X" | chpasswd`.
pub(super) fn piped_before(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(REACH);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let piped = memchr::memchr(b':', &text[line..at]).map(|colon| line + colon + 1);
    // `chpasswd <<< "root:X"`.
    let rest = &text[end..text.len().min(end + REACH)];
    let given = rest
        .starts_with(b" <<< ")
        .then(|| {
            memchr::memchr2(b':', b'\n', rest)
                .filter(|&colon| rest[colon] == b':')
                .map(|colon| end + colon + 1)
        })
        .flatten();
    for start in piped.into_iter().chain(given) {
        add(text, start, start + bare(text, start), spans);
    }
    if rest.starts_with(b" <<") && given.is_none() {
        fed_below(text, end, spans);
    }
    end
}

/// `chpasswd <<EOF⏎root:X⏎backup:Y⏎EOF`: a line for each user.
fn fed_below(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 32;
    let mut from = end + crate::search::line(text, end, REACH).len() + 1;
    for _ in 0..MOST_LINES {
        let line = crate::search::line(text, from.min(text.len()), REACH);
        let Some(colon) = memchr::memchr(b':', line).filter(|&colon| colon > 0) else { return };
        let start = from + colon + 1;
        add(text, start, start + bare(text, start), spans);
        from += line.len() + 1;
    }
}

/// `echo X | sudo -S`, `echo X | docker login --password-stdin`.
pub(super) fn echoed_before(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(REACH);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let written = [
        &b"echo "[..],
        b"printf '%%s' ",
        b"printf '%s\\n%s\\n' ",
        b"printf '%s\\n' ",
        b"printf '%s' ",
        b"printf \"%s\" ",
        b"printf %s ",
        b"printf ",
    ];
    let Some(mut start) = written
        .iter()
        .find_map(|echo| memchr::memmem::rfind(&text[line..at], echo).map(|at| line + at + echo.len()))
    else {
        return end;
    };
    start += text[start..at].iter().take_while(|byte| matches!(byte, b'"' | b'\'' | b' ')).count();
    start += flags(&text[start..at]);
    let open = text[start - 1];
    let quoted = memchr::memchr(open, &text[start..at]).filter(|_| matches!(open, b'"' | b'\''));
    let mut long = quoted.unwrap_or_else(|| bare(text, start));
    if text[at..end].ends_with(b"64") {
        let Some(colon) = memchr::memchr(b':', &text[start..start + long]) else { return end };
        (start, long) = (start + colon + 1, long - colon - 1);
    }
    if memchr::memchr(b'|', &text[start..end]).is_some() {
        // `(echo X; echo X) | smbpasswd -s`: it is asked for twice.
        let word = &text[start..start + long];
        if long >= 6 {
            for again in memchr::memmem::find_iter(&text[line..start], word) {
                add(text, line + again, line + again + long, spans);
            }
        }
        add(text, start, start + long, spans);
    }
    end
}

/// `-n '`, `-ne "`: what `echo` is told before its word.
pub(super) fn flags(rest: &[u8]) -> usize {
    let flag =
        rest.iter().position(|&byte| byte == b' ').filter(|_| rest.first() == Some(&b'-')).unwrap_or(0);
    flag + rest[flag..].iter().take_while(|byte| matches!(byte, b' ' | b'"' | b'\'')).count()
}

/// `sftp user:X@host`: an address without a scheme.
pub(super) fn address(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let rest = &text[end..text.len().min(end + REACH)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    let Some(sign) = memchr::memrchr(b'@', line) else { return end };
    let from =
        line[..sign].iter().rposition(|byte| matches!(byte, b' ' | b'"' | b'\'')).map_or(0, |at| at + 1);
    let Some(colon) = memchr::memchr(b':', &line[from..sign]) else { return end };
    let (start, stop) = (end + from + colon + 1, end + sign);
    if colon > 0
        && line.get(sign + 1).is_some_and(u8::is_ascii_alphanumeric)
        && !text[start..stop].contains(&b'/')
    {
        add(text, start, stop, spans);
    }
    stop
}

/// `add_user bob X`, `net user bob X`, `sqlplus scott/X@db`.
pub(super) fn positional(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let word = |from: usize| {
        let gap = text[from..].iter().take(4).take_while(|&&byte| byte == b' ').count();
        let quoted = usize::from(matches!(text.get(from + gap), Some(b'\'' | b'"')));
        let start = from + gap + quoted;
        let closed = crate::quote::open(text, from + gap)
            .and_then(|(quote, inside)| crate::quote::close(text, inside, quote))
            .filter(|&end| quoted > 0 && end - start <= 96);
        (gap > 0).then(|| (start, closed.unwrap_or_else(|| start + bare(text, start))))
    };
    let Some((user, user_end)) = word(end) else { return end };
    let slash = memchr::memchr(b'/', &text[user..user_end]);
    let (start, stop) = if let Some(slash) = slash {
        let start = user + slash + 1;
        (start, start + memchr::memchr(b'@', &text[start..user_end]).unwrap_or(user_end - start))
    } else {
        let past = user_end + usize::from(matches!(text.get(user_end), Some(b'\'' | b'"')));
        word(past).unwrap_or((user_end, user_end))
    };
    let secret = &text[start..stop];
    // Between quotes stands whatever its maker made.
    let between = start > 0 && matches!(text[start - 1], b'\'' | b'"') && slash.is_none();
    let made = between && secret.len() >= 12 && !secret.contains(&b' ') && crate::chance::is_random(secret);
    // `sqlplus ann/X@db`: where to stands behind.
    let placed =
        slash.is_some_and(|slash| slash > 0) && text.get(stop) == Some(&b'@') && !secret.contains(&b'/');
    if placed
        || made
        || crate::prose::looks_like_secret(secret)
        || looks_joined(secret)
        || crate::value::is_chosen(secret)
    {
        add(text, start, stop, spans);
    }
    stop
}

/// A word with a digit, or one that shows that somebody chose it.
fn is_given(word: &[u8]) -> bool {
    let numbered = word.iter().any(u8::is_ascii_digit) && word.iter().all(u8::is_ascii_graphic);
    let syntax = word.iter().any(|byte| matches!(byte, b'<' | b'>' | b'&' | b'$' | b'/' | b'{' | b'('));
    !syntax && word.len() >= 6 && (numbered || crate::value::is_chosen(word))
}

/// `conn sys/X@orcl as sysdba`: the pair before the words.
pub(super) fn connected_before(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let run = text[..at].iter().rev().take(96).take_while(|byte| byte.is_ascii_graphic()).count();
    let pair = &text[at - run..at];
    let head = text[(at - run).saturating_sub(10)..at - run].to_ascii_lowercase();
    let Some(slash) = memchr::memchr(b'/', pair).filter(|&slash| slash > 0) else { return end };
    let host = memchr::memrchr(b'@', pair).filter(|&sign| sign > slash).unwrap_or(pair.len());
    // "the box still uses sys/X as sysdba".
    let told = || pair[..slash].eq_ignore_ascii_case(b"sys") && is_given(&pair[slash + 1..host]);
    if ![&b"conn "[..], b"connect ", b"sqlplus "].iter().any(|verb| head.ends_with(verb)) && !told() {
        return end;
    }
    add(text, at - run + slash + 1, at - run + host, spans);
    end
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn who_connects_as_sysdba_is_told() {
        for text in ["the box still uses sys/otter_river9 as sysdba", "try SYS/otter_river9@orcl as sysdba"] {
            assert_eq!(found(text), ["otter_river9"], "{text}");
        }
        for text in [
            "log in / as sysdba",
            "use sys/<password> as sysdba",
            "use sys/$SYS_PW as sysdba",
            "see sys/kernel/mm2 as sysdba",
            "see docs/otter_river9 as sysdba",
            "use sys/&otter_pw9 as sysdba",
            "either sys/system as sysdba",
            "use sys/password as sysdba",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
