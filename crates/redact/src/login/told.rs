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
    // A program's list: `@rivers : 0..$last`.
    let user = end > 1 && !text[end - 2].is_ascii_whitespace();
    if host >= 4
        && user
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
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let joints = word.iter().filter(|byte| matches!(byte, b'-' | b'_')).count();
    if named
        && long >= 7
        && (digits >= 2 || digits == 1 && joints >= 2 && word[0].is_ascii_lowercase())
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

/// `ztAVkzDdNMJK3YDRQ8`: made by a machine, and no digest, no name, no path.
pub(super) fn is_made(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    word.len() >= 16
        && digits >= 2
        && word.iter().all(u8::is_ascii_alphanumeric)
        && word.iter().any(u8::is_ascii_uppercase)
        && word.iter().any(u8::is_ascii_lowercase)
        && crate::chance::is_random(word)
}

/// "`robot$push` with `X`".
pub(super) fn ticked(text: &[u8], end: usize, spans: &mut Spans) {
    let long = bare(text, end);
    if text.get(end + long) == Some(&b'`') && is_made(&text[end..end + long]) {
        add(text, end, end + long, spans);
    }
}

/// `- Jira: oskar / X`: a user, a slash, and what only a password looks like.
pub(super) fn strong_pair(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let ticked = text[..at].ends_with(b"`");
    let at = at - usize::from(ticked);
    let end = end + usize::from(ticked && text.get(end) == Some(&b'`'));
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
    let ends = ends || ticked && text.get(end + long) == Some(&b'`');
    // A name that programs have.
    let named = ticked || text[at - user..at].contains(&b'_');
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    let joined = named
        && more
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
        && looks_joined(word);
    if user >= 2
        && spelt
        && ends
        && (sure
            || chosen
            || joined
            || is_made(word)
            || is_strong(word) && word.iter().any(u8::is_ascii_uppercase))
    {
        add(text, end, end + long, spans);
    }
    end
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

/// `user / password`, `user:password` within the rest of the line.
pub(super) fn pair_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
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
            // `WLAN-Schlüssel`: the word goes on.
            && text.get(secret.end).is_none_or(u8::is_ascii)
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
    fn a_user_stands_before_what_shows_itself() {
        let made = "ztAVkzDdNMJK3YDRQ8";
        assert_eq!(found(&format!("push as `ci$images` with `{made}`")), [made]);
        assert_eq!(found(&format!("the farm is ann_t / {made} for now")), [made]);
        assert_eq!(found("it is `stats_ro` / kQ7-quince-12 now"), ["kQ7-quince-12"]);
        assert_eq!(found("please log in as qa_bot with heron-Sunday-8, thanks"), ["heron-Sunday-8"]);
    }

    #[test]
    fn two_names_are_no_login() {
        for text in [
            "replace `utf8` with `utf8mb4_0900_ai_ci`",
            "swap `parseUserName2` with `parseAccountName2`",
            "the tables users_old / users_new2024",
            "log in as admin with Okta-Verify",
            "log in as admin with Okta-Verify-2",
            "sign in as root with ssh-key-2",
            "`read_only` / ReadWrite2",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
