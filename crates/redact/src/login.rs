//! Lines that log somebody in without naming the password: `login: admin / Passw0rd!`,
//! `credentials admin:hunter22`, `IDENTIFIED BY 'x'`, `pass:x`, `community x`.

use crate::chance;
use crate::prose::{looks_chosen, looks_joined};
use crate::quote;
use crate::span::Spans;
use crate::value;

const REACH: usize = 160;

/// Looks at what follows the login word `at..end`; returns where it stopped reading.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let word = text[at..end].to_ascii_lowercase();
    match word.as_slice() {
        b"identified by" if !creates_user(&text[at.saturating_sub(120)..at]) => end,
        b"identified by" | b"convertto-securestring" => quoted_after(text, end, spans),
        b"pass:"
            if text[..at].ends_with(b"-pass ")
                || text[..at].ends_with(b"-passin ")
                || text[..at].ends_with(b"-passout ") =>
        {
            let long = bare(text, end);
            add(text, end, end + long, spans);
            end + long
        }
        b"pass:" if at > 0 && matches!(text[at - 1], b' ' | b'"' | b'\'' | b'=') => {
            bare_after(text, end, spans)
        }
        b"sftp " | b"scp " | b"rsync " | b"lftp " | b"ssh " => address(text, end, spans),
        b"| base64" => {
            crate::printed::scan(text, at, end, spans);
            echoed_before(text, at, end, spans)
        }
        b"sudo -s" | b"-stdin" | b"| cryptsetup" | b"| passwd" | b"| kinit" | b"--with-token" => {
            echoed_before(text, at, end, spans)
        }
        [b':', .., b':'] => colon_fields(text, at, end, spans),
        b"random_password" => generated(text, end, spans),
        b": psk " | b": eap " | b": xauth " => in_quotes(text, end, spans),
        b"\ttrue\t" | b"\tfalse\t" => jar(text, at, end, spans),
        b"*:*:*:" => any_host(text, end, spans),
        b"thin:" => thin(text, end, spans),
        b"client(" | b"auth(" | b"session(" | b"connection(" => constructed(text, end, spans),
        b"> auth " => prompted(text, at, end, spans),
        b" on >" | b" on #" | b" off >" => access_list(text, at, end, spans),
        b"http-basic." => stored(text, end, spans),
        b"list: |" => user_list(text, end, spans),
        b"login" | b"basicauth" | b"basic_auth" | b".auth" if text.get(end) == Some(&b'(') => {
            arguments(text, end, spans)
        }
        b"community" if text.get(end) == Some(&b' ') && is_snmp(text, at) => {
            let lead = [&b" string is "[..], b" string: ", b" string ", b" is "];
            let long = lead.iter().find(|lead| text[end..].starts_with(lead)).map_or(1, |lead| lead.len());
            bare_after(text, end + long, spans)
        }
        b"community" | b"pass:" | b"basicauth" | b"basic_auth" | b".auth" => end,
        b"add_user" | b"change_password" | b"net user" | b"sqlplus" => positional(text, end, spans),
        b".connect(" | b"getconnection(" | b"networkcredential(" => literals(text, end, spans),
        b"chpasswd" => piped_before(text, at, end, spans),
        b"admin " | b"root " => showing(text, at, end, spans),
        b"@" => {
            crate::pair::before_host(text, at, spans);
            with_mail(text, end, spans)
        }
        b"\np: " => below_user(text, at, end, spans),
        b" / " => strong_pair(text, at, end, spans),
        b"credentials" if lone_pair(text, end, spans) => end,
        _ => {
            let stop = with_after(text, end, spans);
            if stop > end { stop } else { pair_after(text, end, spans) }
        }
    }
}

/// `"type": "random_password", …, "result": "X"`: what a provider of infrastructure made and keeps.
fn generated(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + 800)];
    crate::work::read(window.len());
    let Some(result) = memchr::memmem::find(window, b"\"result\": \"") else { return end };
    let start = end + result + 11;
    let Some(long) = memchr::memchr2(b'"', b'\n', &text[start..]) else { return end };
    add(text, start, start + long.min(128), spans);
    start + long
}

/// `%any : PSK "X"`: a keyring's line.
fn in_quotes(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some((quote, start)) = quote::open(text, end) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    add(text, start, stop, spans);
    stop
}

/// `.example.org⇥TRUE⇥/⇥TRUE⇥1790000000⇥name⇥X`: a line of a cookie jar.
fn jar(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(REACH);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let window = &text[line..text.len().min(line + 4096)];
    let row = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(row.len());
    let fields: Vec<&[u8]> = row.split(|&byte| byte == b'\t').take(8).collect();
    if fields.len() != 7 || !fields[4].iter().all(u8::is_ascii_digit) {
        return end;
    }
    let value = fields[6].trim_ascii_end();
    if crate::header::is_cookie_secret(fields[5], value) {
        let start = line + row.len() - fields[6].len();
        spans.add(start, start + value.len(), "cookie", true);
    }
    line + row.len()
}

fn quoted_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
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
fn creates_user(before: &[u8]) -> bool {
    let lower = before.to_ascii_lowercase();
    [&b"user"[..], b"role", b"grant", b"alter"].iter().any(|word| crate::search::has(&lower, word))
}

/// `admin Nightowl#3`: the user's password right behind, with letters of both cases, a digit and a sign.
fn showing(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
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
    end
}

/// `bob@harbor.test with X`, `bob@harbor.test → X`, `bob@harbor.test / X`.
fn with_mail(text: &[u8], end: usize, spans: &mut Spans) -> usize {
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

/// `u: bob⏎p: X`.
fn below_user(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(80);
    let above = text[from..at]
        .rsplit(|&byte| byte == b'\n')
        .next()
        .unwrap_or_default()
        .trim_ascii_start()
        .to_ascii_lowercase();
    let long = bare(text, end);
    if [&b"u: "[..], b"user: ", b"usr: ", b"login: ", b"e: ", b"email: "]
        .iter()
        .any(|user| above.starts_with(user))
        && long >= 4
    {
        add(text, end, end + long, spans);
    }
    end
}

fn is_snmp(text: &[u8], at: usize) -> bool {
    text[at.saturating_sub(40)..at].to_ascii_lowercase().windows(4).any(|four| four == b"snmp")
}

fn bare_after(text: &[u8], start: usize, spans: &mut Spans) -> usize {
    let long = bare(text, start);
    let secret = &text[start..start + long];
    if long >= 6 && (looks_chosen(secret) || looks_joined(secret) || chance::is_random(secret)) {
        add(text, start, start + long, spans);
    }
    start + long
}

/// `echo "root:X" | chpasswd`.
fn piped_before(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
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
    end
}

/// `echo X | sudo -S`, `echo X | docker login --password-stdin`.
fn echoed_before(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(REACH);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let Some(echo) = memchr::memmem::rfind(&text[line..at], b"echo ") else { return end };
    let mut start = line + echo + 5;
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
        add(text, start, start + long, spans);
    }
    end
}

/// `-n '`, `-ne "`: what `echo` is told before its word.
fn flags(rest: &[u8]) -> usize {
    let flag =
        rest.iter().position(|&byte| byte == b' ').filter(|_| rest.first() == Some(&b'-')).unwrap_or(0);
    flag + rest[flag..].iter().take_while(|byte| matches!(byte, b' ' | b'"' | b'\'')).count()
}

/// `sftp user:X@host`: an address without a scheme.
fn address(text: &[u8], end: usize, spans: &mut Spans) -> usize {
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

/// A line of `.pgpass`: `host:5432:db:user:X`.
fn colon_fields(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let host = text[..at]
        .iter()
        .rev()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'*' | b':'))
        .count();
    let opens = text[..at - host].last().is_none_or(|byte| matches!(byte, b'\n' | b'"' | b'\'' | b' '));
    let line = &text[end..text.len().min(end + REACH)];
    let line = &line[..line
        .iter()
        .enumerate()
        .position(|(at, byte)| {
            matches!(byte, b'\n' | b'"' | b'\'' | b' ') || *byte == b'\\' && line.get(at + 1) != Some(&b':')
        })
        .unwrap_or(line.len())];
    let mut fields = line.splitn(3, |&byte| byte == b':');
    let (Some(database), Some(user), Some(secret)) = (fields.next(), fields.next(), fields.next()) else {
        return end;
    };
    if host > 0 && opens && !database.is_empty() && !user.is_empty() {
        let start = end + database.len() + user.len() + 2;
        add(text, start, start + secret.len(), spans);
    }
    end
}

/// `*:*:*:app:X`: a line of `.pgpass` for every host.
fn any_host(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let Some(colon) = memchr::memchr(b':', &text[end..end + long]).filter(|&colon| colon > 0) else {
        return end;
    };
    add(text, end + colon + 1, end + long, spans);
    end + long
}

/// `jdbc:oracle:thin:scott/X@//host`.
fn thin(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let pair = &text[end..end + long];
    let (Some(slash), Some(sign)) = (memchr::memchr(b'/', pair), memchr::memchr(b'@', pair)) else {
        return end;
    };
    if slash > 0 && slash < sign {
        add(text, end + slash + 1, end + sign, spans);
    }
    end + long
}

/// `login("user", "X")`, `HTTPBasicAuth('user', 'X')`: the second of two literals.
fn arguments(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    // `login(page, 'amy', 'X')`: what is no literal comes first.
    let gap = text[end + 1..]
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b',' | b' '))
        .count();
    let from =
        if text[end + 1..end + 1 + gap].trim_ascii_end().ends_with(b",") { end + 1 + gap } else { end + 1 };
    let Some((quote, first)) = quote::open(text, from) else { return end };
    let Some(first_end) = quote::close(text, first, quote) else { return end };
    second_literal(text, first_end + quote.slashes + 1, spans).unwrap_or(end)
}

/// `add_user bob X`, `net user bob X`, `sqlplus scott/X@db`.
fn positional(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let word = |from: usize| {
        let gap = text[from..].iter().take(4).take_while(|&&byte| byte == b' ').count();
        (gap > 0).then_some((from + gap, from + gap + bare(text, from + gap)))
    };
    let Some((user, user_end)) = word(end) else { return end };
    let slash = memchr::memchr(b'/', &text[user..user_end]);
    let (start, stop) = match slash {
        Some(slash) => {
            let start = user + slash + 1;
            (start, start + memchr::memchr(b'@', &text[start..user_end]).unwrap_or(user_end - start))
        }
        None => word(user_end).unwrap_or((user_end, user_end)),
    };
    if crate::prose::looks_like_secret(&text[start..stop]) || looks_joined(&text[start..stop]) {
        add(text, start, stop, spans);
    }
    stop
}

/// `connect("host", "user", "X")`: a literal after the first that looks like a secret.
fn literals(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let (mut at, limit, mut count) = (end, text.len().min(end + REACH), 0);
    while at < limit && text[at] != b')' && text[at] != b'=' {
        let Some((quote, start)) = quote::open(text, at) else {
            at += 1;
            continue;
        };
        let Some(stop) = quote::close(text, start, quote) else { return at };
        let literal = &text[start..stop];
        if count > 0
            && !literal.contains(&b'/')
            && !literal.contains(&b'.')
            && crate::prose::looks_like_secret(literal)
        {
            add(text, start, stop, spans);
        }
        (at, count) = (stop + quote.slashes + 1, count + 1);
    }
    at
}

/// `, "X")`: records X.
pub(crate) fn second_literal(text: &[u8], at: usize, spans: &mut Spans) -> Option<usize> {
    let gap = text
        .get(at..)?
        .iter()
        .take(24)
        .take_while(|byte| {
            matches!(byte, b',' | b' ' | b'\n') || byte.is_ascii_alphabetic() || **byte == b'('
        })
        .count();
    if text.get(at) != Some(&b',') {
        return None;
    }
    let (quote, start) = quote::open(text, at + gap)?;
    let stop = quote::close(text, start, quote)?;
    if crate::prose::looks_like_secret(&text[start..stop]) || looks_joined(&text[start..stop]) {
        add(text, start, stop, spans);
    }
    Some(stop)
}

/// The same for words of other tongues.
pub(crate) fn pair(text: &[u8], end: usize, spans: &mut Spans) {
    if with_after(text, end, spans) == end {
        pair_after(text, end, spans);
    }
}

/// `log in as demo with X`, `sign in with bob and X`: what follows the word, or the word and its user.
fn with_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
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
fn is_strong(word: &[u8]) -> bool {
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
fn strong_pair(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let user = text[..at]
        .iter()
        .rev()
        .take(40)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'@' | b'-'))
        .count();
    let long = bare(text, end);
    let word = &text[end..end + long];
    let ends = matches!(text.get(end + long), None | Some(b'\n' | b'\r' | b',' | b';' | b'.' | b' ' | b')'));
    let spelt = text[at - user..at].iter().any(u8::is_ascii_lowercase);
    if user >= 2 && spelt && is_strong(word) && word.iter().any(u8::is_ascii_uppercase) && ends {
        add(text, end, end + long, spans);
    }
    end
}

/// `Credentials: admin:X`, and nothing else on the line: whatever it looks like.
fn lone_pair(text: &[u8], end: usize, spans: &mut Spans) -> bool {
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
fn pair_after(text: &[u8], end: usize, spans: &mut Spans) -> usize {
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

/// `TwilioClient("AC…", "X")`: a literal after the first that nobody would have written.
fn constructed(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some((quote, first)) = quote::open(text, end) else { return end };
    let Some(first_end) = quote::close(text, first, quote) else { return end };
    let at = first_end + quote.slashes + 1;
    let gap = text[at..].iter().take(3).take_while(|byte| matches!(byte, b',' | b' ')).count();
    let Some((quote, start)) = quote::open(text, at + gap).filter(|_| gap > 0) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    let word = &text[start..stop];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = value::is_hex(word) && word.len() >= 32;
    if word.len() >= 16 && digits >= 2 && !word.contains(&b'/') && (hex || chance::is_random(word)) {
        add(text, start, stop, spans);
    }
    stop
}

/// `127.0.0.1:6379> AUTH X`, `redis> AUTH user X`: what follows is the password, whatever it looks like.
fn prompted(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(64);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let prompt = &text[line..at];
    let asked = !prompt.contains(&b' ') && (prompt.contains(&b':') || prompt.ends_with(b"redis"));
    let mut start = end;
    let mut long = bare(text, start);
    if text.get(start + long) == Some(&b' ') {
        start += long + 1;
        long = bare(text, start);
    }
    if asked && matches!(text.get(start + long), None | Some(b'\n' | b'\r')) {
        add(text, start, start + long, spans);
    }
    end
}

/// `user worker on >X ~jobs:*`: a line of an access list; `#` says that it is a digest of the password.
fn access_list(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let from = at.saturating_sub(80);
    let before = text[from..at].rsplit(|&byte| byte == b'\n').next().unwrap_or_default().to_ascii_lowercase();
    let mut words = before.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).rev();
    let user =
        words.next().is_some() && words.next().is_some_and(|word| matches!(word, b"user" | b"setuser"));
    let long = bare(text, end);
    if user && long >= 4 && (text[end - 1] == b'>' || value::is_hex(&text[end..end + long])) {
        add(text, end, end + long, spans);
    }
    end
}

/// `poetry config http-basic.NAME user X`.
fn stored(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let mut at = end + bare(text, end);
    let user = bare(text, at + 1);
    if text.get(at) != Some(&b' ') || user == 0 || text.get(at + 1 + user) != Some(&b' ') {
        return end;
    }
    at += user + 2;
    let long = bare(text, at);
    if long >= 6 && text[at..at + long].first() != Some(&b'-') {
        add(text, at, at + long, spans);
    }
    end
}

/// `chpasswd:⏎  list: |⏎    root:X`.
fn user_list(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const MOST_LINES: usize = 16;
    if !crate::search::has(&text[end.saturating_sub(64)..end], b"chpasswd") {
        return end;
    }
    let mut at = end + 1;
    for _ in 0..MOST_LINES {
        let blanks =
            text.get(at..).map_or(0, |rest| rest.iter().take(16).take_while(|&&byte| byte == b' ').count());
        let start = at + blanks;
        let long = bare(text, start);
        let Some(colon) =
            text.get(start..start + long).and_then(|pair| memchr::memchr(b':', pair)).filter(|_| blanks > 0)
        else {
            break;
        };
        add(text, start + colon + 1, start + long, spans);
        at = start + long + 1;
    }
    end
}

/// `Google2`: a word and one digit is also a name.
fn names_more(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let ending = word.ends_with(b"2") || word.ends_with(b"3");
    !(digits == 1 && ending && word.iter().all(u8::is_ascii_alphanumeric) && word[0].is_ascii_uppercase())
}

fn bare(text: &[u8], start: usize) -> usize {
    let run = text.get(start..).unwrap_or(b"");
    let long = run
        .iter()
        .take(128)
        .take_while(|byte| {
            byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>' | b'|')
        })
        .count();
    crate::work::read(long);
    long - run[..long]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b')' | b':'))
        .count()
}

fn add(text: &[u8], start: usize, end: usize, spans: &mut Spans) {
    let secret = &text[start..end];
    if secret.len() >= 4
        && !value::is_placeholder(secret)
        && !secret.starts_with(b"$")
        && !secret.starts_with(b"[REDACTED")
    {
        spans.add(start, end, "password", false);
    }
}
