//! Lines that log somebody in without naming the password: `login: admin / Passw0rd!`,
//! `credentials admin:hunter22`, `IDENTIFIED BY 'x'`, `pass:x`, `community x`.

mod calls;
mod dumped;
mod entered;
mod files;
mod given;
mod hashed;
mod here;
mod kept;
mod keys;
mod lets_in;
mod lines;
mod looted;
mod monitor;
mod own;
mod pairs;
pub(crate) mod placed;
mod sections;
mod shell;
mod short;
mod slash;
mod told;
mod typed_in;
pub(crate) use self::calls::second_literal;
use self::calls::{arguments, constructed, first_literal, literals};
use self::files::{
    access_list, below_user, colon_fields, generated, in_quotes, jar, prompted, stored, user_list,
};
pub(crate) use self::kept::key_log;
use self::shell::{address, creates_user, echoed_before, piped_before, positional, quoted_after};
use self::slash::strong_pair;
pub(crate) use self::told::{is_signed_title, pair};
use self::told::{lone_pair, pair_after, showing, with_after, with_mail};
use crate::chance;
use crate::prose::{looks_chosen, looks_joined};
use crate::span::Spans;
use crate::value;
const REACH: usize = 160;

/// Looks at what follows the login word `at..end`; returns where it stopped reading.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let word = text[at..end].to_ascii_lowercase();
    let found = own::scan(&word, text, at, end, spans)
        .or_else(|| lines::scan(&word, text, at, end, spans))
        .or_else(|| calls::scan(&word, text, end, spans))
        .or_else(|| keys::scan(&word, text, at, end, spans))
        .or_else(|| kept::scan(&word, text, at, end, spans))
        .or_else(|| monitor::scan(&word, text, end, spans))
        .or_else(|| lets_in::scan(&word, text, at, end, spans))
        .or_else(|| dumped::scan(&word, text, end, spans));
    if let Some(stop) = found {
        return stop;
    }
    if matches!(word.as_slice(), b"login" | b"credentials" | b"creds" | b"auth=(")
        && let Some(stop) = pairs::scan(text, end - if word.ends_with(b"(") { 2 } else { 0 }, spans)
    {
        return stop;
    }
    if word == b"login" && told::below(text, end, spans) {
        return end;
    }
    let given = given::scan(&word, text, at, end, spans).or_else(|| here::scan(&word, text, at, end, spans));
    if let Some(stop) = given {
        return stop;
    }
    if matches!(word.as_slice(), b"login" | b"credentials" | b"creds") {
        crate::spoken::list::below(text, at, end, spans);
    }
    match word.as_slice() {
        b"identified by" if !creates_user(&text[at.saturating_sub(120)..at]) => end,
        b"identified by"
            if text.get(end).is_some_and(|byte| *byte == b' ') && !own::quoted_next(text, end) =>
        {
            typed_in::identified(text, end, spans)
        }
        b"identified with" if creates_user(&text[at.saturating_sub(120)..at]) => {
            typed_in::identified(text, end, spans)
        }
        b"login" if typed_in::mailbox(text, at, end, spans) => end,
        b"identified by" => quoted_after(text, end, spans),
        b"sftp " | b"scp " | b"rsync " | b"lftp " | b"ssh " | b"register => " | b"curlftpfs "
        | b"mysqlsh " => address(text, end, spans),
        b"| base64" => {
            crate::printed::scan(text, at, end, spans);
            echoed_before(text, at, end, spans)
        }
        b"secret put" | b"secret set" | b"secret create" | b"env add" | b"data-file=-" => {
            echoed_before(text, at, end, spans)
        }
        [b':', .., b':'] => colon_fields(text, at, end, spans),
        b"ugfzc3dvcmq6" => asked(text, end, spans),
        b": root/" | b": admin/" => behind_slash(text, end, spans),
        b"random_password" => generated(text, end, spans),
        b": eap " | b": xauth " | b": psk " => in_quotes(text, end, spans),
        b"\ttrue\t" | b"\tfalse\t" => jar(text, at, end, spans),
        b"credentials.new(" | b"client(" | b"auth(" | b"session(" | b"connection(" => {
            constructed(text, end, spans)
        }
        // What a bridge of lamps calls a user is what lets it in.
        b"success\":{\"username\":\"" => calls::to_quote(text, end, spans),
        b"\"securestring" => calls::kept_value(text, end, spans),
        b" as sysdba" => shell::connected_before(text, at, end, spans),
        b"authenticate" if calls::number(text, end, spans) => end,
        b"changeuserpassword(" | b"digestauth(" | b"ntlmauth(" | b"rcon(" | b"username_pw_set(" => {
            arguments(text, end - 1, spans)
        }
        b"cookieparser(" | b"fernet(" => first_literal(text, end, spans),
        b"> auth " => prompted(text, at, end, spans),
        b" on >" | b" on #" | b" off >" | b" on '>" | b" on \">" => access_list(text, at, end, spans),
        b"http-basic." => stored(text, end, spans),
        b"list: |" => user_list(text, end, spans),
        b"login" | b"authenticate" | b"basicauth" | b"basic_auth" | b".auth"
            if text.get(end) == Some(&b'(') =>
        {
            arguments(text, end, spans)
        }
        b"community" | b"comunidad" => community(text, at, end, spans),
        b"auth=(" | b"identified with" | b"authenticate" | b"basicauth" | b"basic_auth" | b".auth" => end,
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
        [b'[', .., b']'] => sections::scan(text, at, end, spans),
        [b'u', .., b'{'] => sections::members(text, end, spans),
        b"\np: " | [b'\n', .., b':', b' '] => below_user(text, at, end, spans),
        b" / " => strong_pair(text, at, end, spans),
        b"credentials" if lone_pair(text, end, spans) => end,
        _ => {
            let stop = with_after(text, end, spans);
            if stop > end || entered::scan(text, end, spans) { stop } else { pair_after(text, end, spans) }
        }
    }
}

/// `334 UGFzc3dvcmQ6`: a mail server asks for the password, and the next line tells it.
fn asked(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    // `reply: b'334 UGFzc3dvcmQ6\r\n'⏎send: 'X\r\n'`: as a library logs it.
    let logged = text[end..].starts_with(b"\\r\\n'\nsend: '");
    let breaks = text[end..].iter().take(2).take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    if logged {
        let start = end + b"\\r\\n'\nsend: '".len();
        let long = bare(text, start);
        add(text, start, start + long, spans);
        return start + long;
    }
    if breaks == 0 {
        return end;
    }
    let line = &text[end + breaks..text.len().min(end + 200)];
    let sign = line
        .iter()
        .take(8)
        .take_while(|byte| matches!(byte, b'>' | b'C' | b':' | b' ' | b'~' | b'-'))
        .count();
    let start = end + breaks + sign;
    let long = bare(text, start);
    let verb = matches!(&text[start..start + long], b"QUIT" | b"RSET" | b"NOOP");
    if !verb && matches!(text.get(start + long), None | Some(b'\n' | b'\r')) {
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

/// `community: X`, `community = "X"`, `community string is X` of a network's devices.
fn community(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let rest = &text[end..];
    // `-c "$COMMUNITY" switch01`.
    if text[..at].ends_with(b"$") {
        return end;
    }
    // `comunidad SNMP X`: of what stands behind.
    let named = rest.starts_with(b" SNMP ");
    let written =
        rest.starts_with(b" de ") && text[at.saturating_sub(96)..at].windows(4).any(|four| four == b"SNMP");
    if !named && !written && !is_snmp(text, at) && !is_noted(text, end) {
        return end;
    }
    if matches!(rest.first(), Some(b'"' | b':' | b'=')) || rest.starts_with(b" = \"") {
        let signs = rest.iter().take(5).take_while(|byte| matches!(byte, b'"' | b':' | b'=' | b' ')).count();
        return bare_after(text, end + signs, spans);
    }
    let lead = [
        &b" string is "[..],
        b" SNMP ",
        b" de escritura es ",
        b" de lectura es ",
        b" es ",
        b" string: ",
        b" string ",
        b" is ",
        b" (ro): ",
        b" (rw): ",
        b" (ro) ",
        b" (rw) ",
        b" (RO): ",
        b" (RW): ",
        b" (RO) ",
        b" (RW) ",
        b" read cipher ",
        b" write cipher ",
        b" read simple ",
        b" write simple ",
        b" read ",
        b" write ",
        b" ro: ",
        b" rw: ",
        b" RO: ",
        b" RW: ",
        b" ",
    ];
    match lead.iter().find(|lead| rest.starts_with(lead)) {
        Some(lead) => bare_after(text, end + lead.len(), spans),
        None => end,
    }
}

/// `Community: X (SNMP v2c)`: what it is of stands behind.
fn is_noted(text: &[u8], end: usize) -> bool {
    let line = crate::search::line(text, end, 64);
    line.starts_with(b": ") && crate::search::has(&line.to_ascii_lowercase(), b"snmp")
}

fn is_snmp(text: &[u8], at: usize) -> bool {
    let far = if text.get(at + 9) == Some(&b' ') && !text[at + 9..].starts_with(b" = \"") { 40 } else { 160 };
    text[at.saturating_sub(far)..at].to_ascii_lowercase().windows(4).any(|four| four == b"snmp")
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
            let quote = matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>' | b'|');
            crate::search::is_typed(**byte) && !quote
        })
        .count();
    crate::work::read(long);
    long - run[..long]
        .iter()
        .rev()
        .take_while(|byte| matches!(byte, b'.' | b',' | b';' | b')' | b':'))
        .count()
}

/// Where a part of the text begins and ends.
fn place(text: &[u8], part: &[u8]) -> (usize, usize) {
    let start = crate::search::offset(text, part);
    (start, start + part.len())
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
