//! Lines that log somebody in without naming the password: `login: admin / Passw0rd!`,
//! `credentials admin:hunter22`, `IDENTIFIED BY 'x'`, `pass:x`, `community x`.

mod calls;
mod files;
mod shell;
mod short;
mod told;
mod typed_in;
pub(crate) use self::calls::second_literal;
use self::calls::{arguments, constructed, literals};
use self::files::{
    access_list, any_host, below_user, colon_fields, generated, in_quotes, jar, prompted, stored, thin,
    user_list,
};
use self::shell::{address, creates_user, echoed_before, piped_before, positional, quoted_after};
pub(crate) use self::told::pair;
use self::told::{lone_pair, pair_after, showing, strong_pair, with_after, with_mail};
use crate::chance;
use crate::prose::{looks_chosen, looks_joined};
use crate::span::Spans;
use crate::value;
const REACH: usize = 160;

/// Looks at what follows the login word `at..end`; returns where it stopped reading.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let word = text[at..end].to_ascii_lowercase();
    match word.as_slice() {
        b"identified by" if !creates_user(&text[at.saturating_sub(120)..at]) => end,
        b"identified by" if text.get(end).is_some_and(|byte| *byte == b' ') && !quoted_next(text, end) => {
            typed_in::identified(text, end, spans)
        }
        b"identified with" if creates_user(&text[at.saturating_sub(120)..at]) => {
            typed_in::identified(text, end, spans)
        }
        b"identified with" => end,
        b"core.windows.net" => storage(text, end, spans),
        b" using '" if said(text, at, &[b"connect", b"user"]) => {
            let long = memchr::memchr2(b'\'', b'\n', &text[end..]).unwrap_or(0);
            add(text, end, end + long, spans);
            end
        }
        b" using '" => end,
        b"admin: " | b"admin=" | b"root: " => {
            let long = bare(text, end);
            let word = &text[end..end + long];
            let ends = matches!(text.get(end + long), None | Some(b'\n' | b'\r'));
            if ends && is_odd(word) {
                add(text, end, end + long, spans);
            }
            end
        }
        b"jwt.sign(" | b"jwt.verify(" | b"jwt.encode(" | b"jwt.decode(" => signed(text, end, spans),
        b"encrypt = \"" | b"encrypt\": \"" => {
            let long = bare(text, end);
            if matches!(long, 24 | 44) && text[..end + long].ends_with(b"=") {
                add(text, end, end + long, spans);
            }
            end
        }
        b"$user" => macros(text, end, spans),
        b"initial: " => {
            let long = bare(text, end);
            let word = &text[end..end + long];
            if word.iter().any(u8::is_ascii_digit) && (value::is_chosen(word) || looks_joined(word)) {
                add(text, end, end + long, spans);
            }
            end
        }
        b".logon " | b"sqlplus -" | b"> connect " => logon(text, end, spans),
        b"&p=" => short::parameter(text, at, end, spans),
        b"\"p\":\"" | b"\"p\": \"" => short::member(text, at, end, spans),
        b"accounts: [" | b"accounts = [" => accounts(text, end, spans),
        b" => " => voicemail(text, at, end, spans),
        b"net use " => typed_in::mapped(text, end, spans),
        b"\nuser " => typed_in::transfer(text, at, end, spans),
        b"login" if typed_in::mailbox(text, at, end, spans) => end,
        b"identified by" | b"convertto-securestring" => quoted_after(text, end, spans),
        b"sftp " | b"scp " | b"rsync " | b"lftp " | b"ssh " => address(text, end, spans),
        b"| base64" => {
            crate::printed::scan(text, at, end, spans);
            echoed_before(text, at, end, spans)
        }
        b"secret put" | b"secret set" | b"secret create" | b"env add" | b"data-file=-" => {
            echoed_before(text, at, end, spans)
        }
        b"sudo -s" | b"-stdin" | b"| cryptsetup" | b"| passwd" | b"| kinit" | b"--with-token"
        | b"load-key" => echoed_before(text, at, end, spans),
        [b':', .., b':'] => colon_fields(text, at, end, spans),
        b"ugfzc3dvcmq6" => asked(text, end, spans),
        b"key found! [ " => {
            let long = bare(text, end);
            add(text, end, end + long, spans);
            end + long
        }
        b": root/" | b": admin/" => behind_slash(text, end, spans),
        b"random_password" => generated(text, end, spans),
        b": eap " | b": xauth " => in_quotes(text, end, spans),
        b"\ttrue\t" | b"\tfalse\t" => jar(text, at, end, spans),
        b"*:*:*:" => any_host(text, end, spans),
        b"thin:" => thin(text, end, spans),
        b"client(" | b"auth(" | b"session(" | b"connection(" => constructed(text, end, spans),
        b"> auth " => prompted(text, at, end, spans),
        b" on >" | b" on #" | b" off >" => access_list(text, at, end, spans),
        b"http-basic." => stored(text, end, spans),
        b"list: |" => user_list(text, end, spans),
        b"login" | b"authenticate" | b"basicauth" | b"basic_auth" | b".auth"
            if text.get(end) == Some(&b'(') =>
        {
            arguments(text, end, spans)
        }
        b"community" if text.get(end) == Some(&b' ') && is_snmp(text, at) => {
            let lead = [&b" string is "[..], b" string: ", b" string ", b" is "];
            let long = lead.iter().find(|lead| text[end..].starts_with(lead)).map_or(1, |lead| lead.len());
            bare_after(text, end + long, spans)
        }
        b"authenticate" => end,
        b"community" | b"basicauth" | b"basic_auth" | b".auth" => end,
        b"add_user" | b"change_password" | b"net user" | b"sqlplus" => positional(text, end, spans),
        b"connect("
        | b"mysqli("
        | b"ftp("
        | b"__construct("
        | b"pdo("
        | b"getconnection("
        | b"networkcredential(" => literals(text, end, spans),
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

/// `jwt.sign(payload, 'X')`: what signs is a literal that ends an argument and was not read from elsewhere.
fn signed(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + REACH)];
    let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
    crate::work::read(line.len());
    for at in memchr::memmem::find_iter(line, b", ") {
        let Some(&sign) = line.get(at + 2).filter(|byte| matches!(byte, b'"' | b'\'')) else { continue };
        let from = at + 3;
        let Some(long) = memchr::memchr(sign, &line[from..]) else { return end };
        let word = &line[from..from + long];
        let ends = matches!(line.get(from + long + 1), Some(b')' | b','));
        if ends
            && (value::is_chosen(word)
                || word.len() >= 12 && (chance::is_random(word) || value::is_hex(word)))
        {
            add(text, end + from, end + from + long, spans);
            return end + from + long;
        }
    }
    end
}

/// Letters, a digit and a sign that no name of anything has.
fn is_odd(word: &[u8]) -> bool {
    let sign =
        word.iter().any(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'?' | b'^' | b'+'));
    sign && word.iter().any(u8::is_ascii_digit)
        && value::is_chosen(word)
        && !word.contains(&b'/')
        && !word.contains(&b',')
}

/// Whether the line says one of `words` before.
fn said(text: &[u8], at: usize, words: &[&[u8]]) -> bool {
    let before = text[at.saturating_sub(80)..at].to_ascii_lowercase();
    words.iter().all(|word| crate::search::has(&before, word))
}

/// `fs.azure.account.key.lake.dfs.core.windows.net", "X"`: an account's key behind its host.
fn storage(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + 48)];
    let gap = window
        .iter()
        .take_while(|byte| {
            !byte.is_ascii_alphanumeric() && **byte != b'/' && **byte != b'+'
                || **byte == b'/' && window.get(1) == Some(&b'/')
        })
        .count();
    let start = end + gap + if window[gap..].starts_with(b"name>") { 5 } else { 0 };
    let start = if start > end + gap {
        // `…core.windows.net</name>⏎  <value>X`.
        match memchr::memmem::find(&text[start..text.len().min(start + 48)], b"<value>") {
            Some(value) => start + value + 7,
            None => return end,
        }
    } else {
        start
    };
    let long = text[start..]
        .iter()
        .take(128)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'='))
        .count();
    crate::work::read(long + gap);
    if (80..=96).contains(&long) && text[..start + long].ends_with(b"=") {
        spans.add(start, start + long, "azure_storage_key", true);
    }
    end
}

/// `$USER4$=X`: a monitor's own values, of which the first are paths.
fn macros(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let digits = text[end..].iter().take(3).take_while(|byte| byte.is_ascii_digit()).count();
    let start = end + digits + 2;
    if digits == 0 || !text[end + digits..].starts_with(b"$=") {
        return end;
    }
    let long = bare(text, start);
    let word = &text[start..start + long];
    if value::is_chosen(word) || looks_chosen(word) && long >= 6 {
        add(text, start, start + long, spans);
    }
    end
}

/// `.LOGON host/ann,X;`, `sqlplus -S ann/X@db`, `SQL> CONNECT ann/X@db`.
fn logon(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let rest = &text[end..text.len().min(end + REACH)];
    let line = &rest[..memchr::memchr2(b'\n', b'"', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    let pair = line.split(|&byte| byte == b' ').find(|word| word.contains(&b'/') && !word.starts_with(b"/"));
    let Some(slash) = pair.and_then(|pair| memchr::memchr(b'/', pair).map(|slash| &pair[slash + 1..])) else {
        return end;
    };
    let teradata = text[..end].to_ascii_lowercase().ends_with(b".logon ");
    let secret = match (teradata, memchr::memchr(b',', slash)) {
        (true, Some(comma)) => &slash[comma + 1..],
        (true, None) => return end,
        _ => &slash[..memchr::memchr(b'@', slash).unwrap_or(slash.len())],
    };
    let secret = secret.strip_suffix(b";").unwrap_or(secret);
    let start = secret.as_ptr() as usize - text.as_ptr() as usize;
    if !secret.contains(&b'/') {
        add(text, start, start + secret.len(), spans);
    }
    end
}

/// `accounts: ["0x…", "0x…"]`: the keys that sign for them, as long as no address is.
fn accounts(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + 800)];
    let list = &window[..memchr::memchr(b']', window).unwrap_or(0)];
    crate::work::read(list.len());
    for part in list.split(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        let key = part.strip_prefix(b"0x").unwrap_or(part);
        if key.len() == 64 && value::is_hex(key) {
            let start = part.as_ptr() as usize - text.as_ptr() as usize;
            spans.add(start, start + part.len(), "wallet_key", true);
        }
    }
    end
}

/// `201 => 3805,Front Desk,desk@example.org`: a box of a telephone exchange.
fn voicemail(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(6)..at];
    let number = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let long = text[end..].iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    let named =
        text.get(end + long) == Some(&b',') && text.get(end + long + 1).is_some_and(u8::is_ascii_alphabetic);
    let own =
        number.len() >= 3 && number.len() < before.len().max(6) && number.iter().all(u8::is_ascii_digit);
    if own && named && (4..=10).contains(&long) {
        spans.add(end, end + long, "pin", false);
    }
    end
}

/// Whether a literal follows.
fn quoted_next(text: &[u8], end: usize) -> bool {
    let rest = text[end..text.len().min(end + 24)].trim_ascii_start();
    let lower = rest.to_ascii_lowercase();
    matches!(rest.first(), Some(b'\'' | b'"'))
        || lower.starts_with(b"password")
        || lower.starts_with(b"values")
}

/// `334 UGFzc3dvcmQ6`: a mail server asks for the password, and the next line tells it.
fn asked(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    if text.get(end) != Some(&b'\n') {
        return end;
    }
    let line = &text[end + 1..text.len().min(end + 200)];
    let sign = line.iter().take(4).take_while(|byte| matches!(byte, b'>' | b'C' | b':' | b' ')).count();
    let start = end + 1 + sign;
    let long = bare(text, start);
    if matches!(text.get(start + long), None | Some(b'\n' | b'\r')) {
        add(text, start, start + long, spans);
    }
    start + long
}

/// `iDRAC: root/X`: letters and a digit, and no path.
fn behind_slash(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = bare(text, end);
    let word = &text[end..end + long];
    let path = word.iter().any(|byte| matches!(byte, b'/' | b':' | b'@'));
    if long >= 6 && !path && (looks_chosen(word) || looks_joined(word)) {
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
