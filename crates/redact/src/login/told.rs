//! Logins as people tell them: `admin / X`, `log in as bob with X`.

use super::REACH;
use super::add;
use super::bare;
use crate::prose::looks_chosen;
use crate::prose::looks_joined;
use crate::span::Spans;

/// `admin Nightowl#3`: the user's password right behind, with letters of both cases, a digit and a sign.
pub(super) fn showing(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let word = &text[end..end + long];
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    let sign = |byte: &u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+');
    let syntax = word.iter().any(|byte| matches!(byte, b'=' | b'(' | b'/' | b':' | b'[' | b'{'));
    let alone = at == 0 || !text[at - 1].is_ascii_alphanumeric();
    if alone
        && long >= 7
        && !syntax
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && word.iter().any(sign)
    {
        add(text, end, end + long, spans);
    }
    // What follows may begin with the blank that ends the word.
    at
}

/// `bob@harbor.test with X`, `bob@harbor.test → X`, `bob@harbor.test / X`.
pub(super) fn with_mail(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let host = text[end..]
        .iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .count();
    let rest = &text[end + host..];
    let Some(gap) =
        [" with ", " → ", " -> ", " / ", " | ", " : "].iter().find(|gap| rest.starts_with(gap.as_bytes()))
    else {
        return end;
    };
    let start = end + host + gap.len();
    let long = bare(text, start);
    let word = &text[start..start + long];
    if host >= 4
        && word.iter().any(u8::is_ascii_digit)
        && !word.contains(&b'@')
        && (looks_chosen(word) || looks_joined(word))
    {
        add(text, start, start + long, spans);
    }
    end
}

/// The same for words of other tongues.
pub(crate) fn pair(text: &[u8], end: usize, spans: &mut Spans) {
    if with_after(text, end, spans) == end {
        pair_after(text, end, spans);
    }
}

/// `log in as demo with X`, `sign in with bob and X`: what follows the word, or the word and its user.
pub(super) fn with_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let rest = &text[end..text.len().min(end + 80)];
    let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    let Some(with) = [&b" with "[..], b" using "]
        .iter()
        .find_map(|with| crate::search::find(line, with).map(|at| at + with.len()))
    else {
        return end;
    };
    let quotes = |at: usize| usize::from(matches!(text.get(at), Some(b'"' | b'\'' | b'`')));
    let first = end + with + quotes(end + with);
    let long = bare(text, first);
    if is_strong(&text[first..first + long]) {
        add(text, first, first + long, spans);
        return first + long;
    }
    // "as installer with X": a user was named.
    let named = line[..with]
        .strip_prefix(b" as ")
        .is_some_and(|user| user.iter().filter(|&&byte| byte == b' ').count() == 2);
    let word = &text[first..first + long];
    if named
        && long >= 7
        && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
        && crate::value::is_chosen(word)
    {
        add(text, first, first + long, spans);
        return first + long;
    }
    // "with my address and X": several words say who.
    let said = memchr::memmem::rfind(&line[with..], b" and ").map(|and| end + with + and + 5);
    if let Some(start) = said.map(|start| start + quotes(start)) {
        let long = text[start..].iter().take(64).take_while(|byte| byte.is_ascii_graphic()).count();
        let word = &text[start..start + long];
        let kept =
            long - word.iter().rev().take_while(|byte| matches!(byte, b'.' | b',' | b'"' | b'`')).count();
        if is_strong(&word[..kept]) {
            add(text, start, start + kept, spans);
            return start + kept;
        }
    }
    let user = first + long + quotes(first + long);
    let Some(gap) = [&b" and "[..], b" & ", b", "].into_iter().find(|gap| text[user..].starts_with(gap))
    else {
        return end;
    };
    let start = user + gap.len() + quotes(user + gap.len());
    let long = bare(text, start);
    let word = &text[start..start + long];
    if long >= 6 && (is_strong(word) || looks_joined(word)) {
        add(text, start, start + long, spans);
        return start + long;
    }
    end
}

/// Letters, a digit and a sign that only passwords have: `Sunny$ide4`.
pub(super) fn is_strong(word: &[u8]) -> bool {
    let sign =
        |byte: &u8| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+' | b'@');
    let syntax =
        word.iter().any(|byte| matches!(byte, b'=' | b'(' | b'/' | b':' | b'[' | b'{' | b'<' | b'\\'));
    word.len() >= 7
        && !syntax
        && word[0].is_ascii_alphanumeric()
        && word.iter().any(u8::is_ascii_digit)
        && word.iter().filter(|byte| byte.is_ascii_alphabetic()).count() >= 3
        && word.iter().any(sign)
        && !crate::prose::is_jargon(word)
}

/// `- Jira: oskar / X`: a user, a slash, and what only a password looks like.
pub(super) fn strong_pair(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let user = text[..at]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'-'))
        .count();
    let long = bare(text, end);
    let word = &text[end..end + long];
    let ends = matches!(text.get(end + long), None | Some(b'\n' | b'\r' | b',' | b';' | b'.' | b' ' | b')'));
    let spelt = text[at - user..at].iter().any(|byte| byte.is_ascii_lowercase() || *byte == b'_');
    let known = [
        &b"admin"[..],
        b"adm",
        b"root",
        b"user",
        b"guest",
        b"operator",
        b"demo",
        b"sysadmin",
        b"administrator",
        b"ubnt",
        b"pi",
        b"ubuntu",
        b"sa",
        b"postgres",
        b"cisco",
        b"installer",
        b"service",
        b"beheerder",
        b"verwalter",
        b"benutzer",
        b"gast",
        b"administrateur",
        b"administrador",
        b"amministratore",
        b"invitado",
    ];
    let stands = matches!(text.get(end + long), None | Some(b'\n' | b'\r'))
        || text.get(end + long) == Some(&b'.')
            && matches!(text.get(end + long + 1), None | Some(b'\n' | b'\r'));
    let sure = known.contains(&&text[at - user..at])
        && stands
        && crate::value::is_choosable(word)
        && !word.contains(&b'.');
    let known = known.contains(&&text[at - user..at]) && long >= 8 && !word.contains(&b'.');
    let more = word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
        || word.iter().any(|byte| !byte.is_ascii_lowercase() && !byte.is_ascii_digit());
    let chosen = known
        && more
        && word.iter().any(u8::is_ascii_digit)
        && !crate::prose::is_numbered_thing(word)
        && crate::value::is_chosen(word);
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let cases = word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase);
    let asked = digits >= 3
        && cases
        && crate::value::is_chosen(word)
        && !crate::prose::is_numbered_thing(word)
        && tells_login(text, at - user);
    if user >= 2
        && spelt
        && ends
        && (sure || chosen || asked || is_strong(word) && word.iter().any(u8::is_ascii_uppercase))
    {
        add(text, end, end + long, spans);
    }
    end
}

/// Whether the words before a user's name say that somebody logs in: `uses basic auth relay / X`.
fn tells_login(text: &[u8], at: usize) -> bool {
    let before = crate::search::last_line(&text[at.saturating_sub(24)..at]).to_ascii_lowercase();
    [&b"basic auth"[..], b"login", b"log in", b"sign in", b"anmeld", b"creds", b"account", b"konto"]
        .iter()
        .any(|word| crate::search::has(&before, word))
}

/// `Credentials: admin:X`, and nothing else on the line: whatever it looks like.
pub(super) fn lone_pair(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    if !text[end..].starts_with(b": ") {
        return false;
    }
    let start = end + 2;
    let long = bare(text, start);
    let pair = &text[start..start + long];
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon >= 2) else { return false };
    let secret = &pair[colon + 1..];
    let lone = matches!(text.get(start + long), None | Some(b'\n' | b'\r' | b'\\'));
    let plain = secret.len() >= 6 && !secret.iter().any(|byte| matches!(byte, b'/' | b':'));
    if lone && plain {
        add(text, start + colon + 1, start + long, spans);
    }
    lone && plain
}

/// `login: ann@example.org, X`: behind a user's address and a comma one word that ends what is said.
fn mailed(text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    let rest = &text[end..text.len().min(end + REACH)];
    let said = rest.strip_prefix(b": ").or_else(|| rest.strip_prefix(b" is "))?;
    let long = said.iter().take_while(|byte| byte.is_ascii_graphic() && **byte != b',').count();
    crate::work::read(long);
    let start = said[long..].strip_prefix(b", ")?.as_ptr() as usize - text.as_ptr() as usize;
    let stop = start + bare(text, start);
    let word = &text[start..stop];
    let ends = matches!(text.get(stop), None | Some(b'\n' | b'\r' | b'.' | b',' | b';' | b')' | b'"'));
    let mail = memchr::memchr(b'@', &said[..long]).is_some_and(|at| at > 0 && said[at..long].contains(&b'.'));
    let shows = word.iter().any(u8::is_ascii_digit) && !word.contains(&b'@') && crate::value::is_chosen(word);
    (mail && ends && shows).then(|| {
        add(text, start, stop, spans);
        stop
    })
}

/// `user / password`, `user:password` within the rest of the line.
pub(super) fn pair_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    if let Some(stop) = mailed(text, end, spans) {
        return stop;
    }
    let limit = text.len().min(end + REACH);
    let line = memchr::memchr(b'\n', &text[end..limit]).map_or(limit, |line| end + line);
    crate::work::read(line - end);
    let mut at = end;
    while at < line {
        let Some(sign) = memchr::memchr2(b'/', b':', &text[at..line]) else { break };
        let sign = at + sign;
        at = sign + 1;
        let spaced = text[sign - 1] == b' ' && text.get(at) == Some(&b' ');
        let start = at + usize::from(spaced);
        let user = text[..sign - usize::from(spaced)]
            .iter()
            .rev()
            .take(40)
            .take_while(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'-' | b'+')
            })
            .count();
        let secret = start..start + bare(text, start).min(line.saturating_sub(start));
        let body = &text[secret.clone()];
        let whole = !body.iter().any(|byte| matches!(byte, b'/' | b':'));
        let names = text.get(end..sign - usize::from(spaced) - user).unwrap_or(b"?").trim_ascii();
        let direct = matches!(names, b"with" | b"as" | b":" | b"=" | b"is" | b"are" | b"");
        let tight_slash = text[sign] == b'/' && !spaced && !direct;
        if user >= 2
            && !tight_slash
            && body.len() >= 6
            && whole
            && (looks_chosen(body) || spaced && looks_joined(body))
            && (!spaced || names_more(body))
            && !text[end..sign].contains(&b'=')
        {
            add(text, secret.start, secret.end, spans);
            return secret.end;
        }
    }
    end
}

/// `Google2`: a word and one digit is also a name.
pub(super) fn names_more(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let ending = word.ends_with(b"2") || word.ends_with(b"3");
    !(digits == 1 && ending && word.iter().all(u8::is_ascii_alphanumeric) && word[0].is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use crate::scan;

    fn found(text: &str) -> Vec<&str> {
        scan(text).iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn who_logs_in_is_told_before() {
        for (text, secret) in [
            ("the CAD login: team@kontor.example, kettle-3to1-Whoops.", "kettle-3to1-Whoops"),
            ("the queue uses basic auth relay / Ott3rBridge77\n", "Ott3rBridge77"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
        for text in [
            "the login: ann@kontor.example, since May.",
            "the login: ann@kontor.example, bob@kontor.example.",
            "the queue of relay / Ott3rBridge77\n",
            "account relay / Version1904b\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
