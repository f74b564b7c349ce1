//! Passwords on command lines that have no name: `mysql -pX`, `curl -u user:X`, `sshpass -p X`.

mod rows;

use self::rows::{COMMANDS, Carries};
use crate::assigned::Use;
use crate::chance;
use crate::span::Spans;
use crate::value;

/// How often one command takes the same flag.
const MOST_FLAGS: usize = 4;

/// Every command, for the AC pass.
pub(crate) fn commands() -> impl Iterator<Item = &'static [u8]> {
    COMMANDS.iter().map(|row| row.0)
}

/// A line for each row.
#[cfg(test)]
pub(crate) fn examples() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|(command, flag, carries)| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let value = match carries {
            Carries::Attached => "Kd83mQpz!4".to_owned(),
            Carries::Word | Carries::Sure => " Kd83mQpz!4".to_owned(),
            Carries::Last => " box ann Kd83mQpz!4".to_owned(),
            Carries::Second => " ann Kd83mQpz!4".to_owned(),
            Carries::Made => " OTTER Kd83mQpz4x7TTw9RkWv2Lb".to_owned(),
            Carries::Pair(sign) => format!(" ann{}Kd83mQpz!4", char::from(*sign)),
            Carries::Tail => " hmac-sha256:box:Kd83mQpz!4".to_owned(),
            Carries::Target => " corp/ann:Kd83mQpz!4@10.0.0.4".to_owned(),
            Carries::Radius => " -t pap ann Kd83mQpz!4".to_owned(),
            Carries::Cookies => " 'visit=k8vLm2ZpXt9Rk7Wd3Yb5'".to_owned(),
        };
        format!("$ {} {}{value}", text(command).trim_end(), text(flag)).replace("  ", " ")
    })
}

/// Looks at the rest of the line after the command that `row` names and that ends at `end`.
pub(crate) fn scan(text: &[u8], row: usize, at: usize, end: usize, spans: &mut Spans) {
    let (command, flag, carries) = COMMANDS[row];
    if is_inside_word(text, at) {
        return;
    }
    let end = end + extension(text, end);
    if !matches!(text.get(end), Some(b' ' | b'"' | b'\'' | b')')) && text[end - 1] != b' ' {
        return;
    }
    let line = within(text, at, whole(&text[end..text.len().min(end + 512)]));
    let limit = end + line.len();
    if command == b"ssm put-parameter" && is_plain_parameter(line) {
        return;
    }
    match carries {
        Carries::Last => last(text, end, line, flag, spans),
        Carries::Radius => radius(text, end, limit, spans),
        Carries::Second | Carries::Made if flag.is_empty() => {
            second(text, (end, limit), opens(text, at), carries, spans);
        }
        Carries::Target => target(text, end, line, spans),
        // A directive: its first word is the secret.
        Carries::Pair(_) if flag.is_empty() => argument(text, end, limit, carries, spans),
        _ if flag.is_empty() => argument(text, end, limit, Carries::Last, spans),
        _ => flags(text, at, end, line, (flag, carries), spans),
    }
}

/// Whether the command is the end of a longer word.
fn is_inside_word(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else { return false };
    let escape = before > 0 && text[before - 1] == b'\\';
    text[before] == b'-' || text[before].is_ascii_alphanumeric() && !escape
}

/// A parameter of this type is no secret.
fn is_plain_parameter(line: &[u8]) -> bool {
    [&b"--type \"String\""[..], b"--type String"].iter().any(|plain| crate::search::has(line, plain))
}

/// `htpasswd -b file ann X`: the last word of the command.
fn last(text: &[u8], end: usize, line: &[u8], flag: &[u8], spans: &mut Spans) {
    // `mc alias set home http://minio:9000 ann X --api S3v4`: a flag and its value may stand behind.
    let tail = memchr::memmem::rfind(line, b" --").filter(|_| text[..end].ends_with(b"alias set"));
    // `rasdial "Work" ann X /domain:WORK`.
    let domain = || crate::search::find(line, b" /domain:").filter(|_| text[..end].ends_with(b"rasdial"));
    let tail = tail.or_else(domain).filter(|&at| memchr::memchr_iter(b' ', &line[at + 1..]).count() <= 1);
    let line = &line[..tail.unwrap_or(line.len())];
    let flagged = flag.is_empty() || crate::search::has(line, &[b" ", flag, b" "].concat());
    let from = line.trim_ascii_end().iter().rposition(|&byte| byte == b' ').unwrap_or(0);
    let words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).count();
    // `IDENTIFY X`, `IDENTIFY ann X`: who comes may go without saying.
    let fewest = 2 - usize::from(text[..end].ends_with(b"DENTIFY") || text[..end].ends_with(b"dentify"));
    if flagged && words >= fewest + usize::from(!flag.is_empty()) {
        argument(text, end + from, end + line.len(), Carries::Last, spans);
    }
}

/// `doveadm auth test ann X`: the word behind the first.
fn second(text: &[u8], (end, limit): (usize, usize), run: bool, carries: Carries, spans: &mut Spans) {
    let first = word(text, (end + 1).min(limit), limit);
    // `doveadm auth test -x service=imap ann`: a flag is no user.
    if matches!(text.get(first.0), Some(b'@' | b'-')) {
        return;
    }
    let carries = if run && carries == Carries::Second { Carries::Sure } else { carries };
    let past = first.1 + usize::from(matches!(text.get(first.1), Some(b'"' | b'\'')) && first.0 > end + 1);
    argument(text, past.min(limit), limit, carries, spans);
}

/// What stands behind each of a command's flags.
fn flags(
    text: &[u8],
    at: usize,
    end: usize,
    line: &[u8],
    (flag, carries): (&[u8], Carries),
    spans: &mut Spans,
) {
    // Windows takes its own flags in any case.
    let lower = flag.starts_with(b"/").then(|| line.to_ascii_lowercase());
    let begins = |hit: &usize| {
        let before = hit.checked_sub(1).map_or(text[end - 1], |before| line[before]);
        matches!(before, b' ' | b'"' | b',' | b'\n' | b'\t')
    };
    let hits = memchr::memmem::find_iter(lower.as_deref().unwrap_or(line), flag);
    let limit = end + line.len();
    for hit in hits.filter(begins).take(MOST_FLAGS) {
        let behind = end + hit + flag.len();
        let run = opens(text, at);
        match carries {
            Carries::Cookies => {
                crate::header::scan_pairs(text, behind, 2048, spans);
                return;
            }
            Carries::Second if text.get(behind) != Some(&b' ') => {}
            Carries::Second => behind_user(text, (behind + 1).min(limit), limit, run, spans),
            Carries::Word if run => argument(text, behind, limit, Carries::Sure, spans),
            Carries::Attached if run && attached(text, behind, limit, spans) => {}
            _ => argument(text, behind, limit, carries, spans),
        }
    }
}

/// `ann X`, `CORP\ann X`.
fn behind_user(text: &[u8], from: usize, limit: usize, run: bool, spans: &mut Spans) {
    let mut user = word(text, from, limit).1;
    if text.get(user) == Some(&b'\\') {
        user += text[user..limit].iter().take_while(|byte| byte.is_ascii_graphic()).count();
    }
    if !text[from.min(user)..user].starts_with(b"anonymous") {
        let carries = if run { Carries::Sure } else { Carries::Second };
        argument(text, user, limit, carries, spans);
    }
}

/// `schtasks.exe`: as Windows calls its programs.
fn extension(text: &[u8], end: usize) -> usize {
    let exe = text.get(end..end + 4).is_some_and(|exe| exe.eq_ignore_ascii_case(b".exe"));
    if exe { 4 } else { 0 }
}

/// The rest of a command, over the lines that end in a backslash (or in what other shells take for it).
fn whole(rest: &[u8]) -> &[u8] {
    let (mut from, mut open) = (0, false);
    // `-e "mirror -R; quit" -u ann,X`: a sign between quotes ends nothing, if they close on the line.
    let mut inside = |at: usize| {
        open ^= memchr::memchr_iter(b'"', &rest[from..at]).count() % 2 == 1;
        from = at;
        open && memchr::memchr2(b'"', b'\n', &rest[at..]).is_some_and(|close| rest[at + close] == b'"')
    };
    let ends = |at: &usize| match rest[*at] {
        b'\n' => !goes_on(&rest[..*at]),
        _ => !inside(*at),
    };
    let end = memchr::memchr3_iter(b'\n', b'|', b';', rest).find(ends);
    &rest[..end.unwrap_or(rest.len())]
}

/// `"cmd": "mc admin user add …", "rc": 0`: what stands between quotes ends with them.
fn within<'a>(text: &[u8], at: usize, line: &'a [u8]) -> &'a [u8] {
    let Some(&quote) =
        at.checked_sub(1).map(|before| &text[before]).filter(|byte| matches!(byte, b'"' | b'\''))
    else {
        return line;
    };
    let escaped = |end: &usize| *end > 0 && line[*end - 1] == b'\\';
    &line[..memchr::memchr_iter(quote, line).find(|end| !escaped(end)).unwrap_or(line.len())]
}

/// Whether a command goes on behind the line that ends here.
pub(crate) fn goes_on(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    line.ends_with(b" \\") || line.ends_with(b" `") || line.ends_with(b" ^")
}

/// `secretsdump.py corp/ann:X@10.0.0.4`, `psexec.py ann:'X'@host`.
fn target(text: &[u8], end: usize, line: &[u8], spans: &mut Spans) {
    let mut words = line.split(|&byte| byte == b' ');
    let hashed = line.starts_with(b" -hashes ").then(|| words.nth(2));
    let pair =
        words.find(|word| word.contains(&b':') && !word.starts_with(b"-")).filter(|_| hashed.is_none());
    let Some(pair) = pair else { return };
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon > 0) else { return };
    let secret =
        &pair[colon + 1..memchr::memrchr(b'@', pair).filter(|&sign| sign > colon).unwrap_or(pair.len())];
    let secret = match secret {
        [b'\'', inside @ .., b'\''] | [b'"', inside @ .., b'"'] => inside,
        _ => secret,
    };
    // `-hashes LM:NT`, `fe80::1`, `host:445`.
    let plain = secret.iter().all(|byte| byte.is_ascii_digit() || *byte == b':');
    let start = crate::search::offset(text, secret);
    if start >= end
        && secret.len() >= 4
        && !plain
        && !secret.contains(&b'/')
        && !value::is_placeholder(secret)
        && !secret.starts_with(b"$")
    {
        spans.add(start, start + secret.len(), "password", false);
    }
}

/// `radtest -t mschap ann X host 0 secret`.
fn radius(text: &[u8], at: usize, limit: usize, spans: &mut Spans) {
    let (mut from, mut seen, mut skip) = (at, 0, false);
    while from < limit && seen < 2 {
        if text[from] == b' ' {
            from += 1;
            continue;
        }
        let (start, end) = word(text, from, limit);
        let own = &text[start..end];
        let flag = own.starts_with(b"-");
        if !flag && !skip {
            seen += 1;
        }
        if seen == 2 && own.len() >= 4 && !value::is_placeholder(own) && !own.starts_with(b"$") {
            spans.add(start, end, "password", false);
        }
        skip = matches!(own, b"-t" | b"-d" | b"-D" | b"-P");
        from = end + 1;
    }
}

/// `-u X:`, `-u X:pw`: a key that stands where a user does, and nothing behind it.
fn is_own_key(user: &[u8]) -> bool {
    user.len() >= 20 && (value::is_hex(user) || chance::is_random(user))
}

fn argument(text: &[u8], at: usize, limit: usize, carries: Carries, spans: &mut Spans) {
    let blanks = text[at..limit].iter().take_while(|byte| matches!(byte, b' ' | b'=' | b'"' | b',')).count();
    let attached = blanks == 0;
    if attached != (carries == Carries::Attached)
        && !(attached && text.get(at) == Some(&b'\''))
        && carries != Carries::Attached
    {
        return;
    }
    // The quote that opens the word is not the end of the flag's own.
    let opened = blanks > 1 && matches!(text[at + blanks - 1], b'"') && text[at + blanks - 2] == b' ';
    let (start, end) = word(text, at + blanks - usize::from(opened), limit);
    // `-p"X"`.
    let enclosed = text[at..start] == *b"\"" && text.get(end) == Some(&b'"');
    let escaped = text[at..start].ends_with(b"\\\"");
    let quoted =
        start > at && (text[start - 1] == b'\'' || text[at..start] == *b" \"" || enclosed || escaped);
    // `-u ann:'X'`: the shell takes the quotes off.
    let behind = match carries {
        Carries::Pair(sign)
            if !quoted && text[at..start].ends_with(b" ") && text[start..end].ends_with(&[sign]) =>
        {
            matches!(text.get(end), Some(b'\'' | b'"')).then(|| word(text, end, limit))
        }
        _ => None,
    };
    if let Some((start, end)) = behind.filter(|(start, end)| start < end) {
        let secret = &text[start..end];
        if secret.len() >= 4 && !value::is_placeholder(secret) && !secret.starts_with(b"$") {
            spans.add(start, end, "password", true);
        }
        return;
    }
    let start = match carries {
        Carries::Pair(sign) => match text[start..end].iter().position(|&byte| byte == sign) {
            Some(colon)
                if end - start - colon <= 4
                    && text[start] == b'$'
                    && text.get(start + colon + 1) != Some(&b'$') =>
            {
                return crate::assigned::scan(text, start, Use::Token, spans);
            }
            Some(colon) if end - start - colon <= 4 && is_own_key(&text[start..start + colon]) => {
                return spans.add(start, start + colon, "api_key", false);
            }
            Some(colon) => start + colon + 1,
            None => return,
        },
        Carries::Tail => match memchr::memrchr(b':', &text[start..end]) {
            Some(colon) => start + colon + 1,
            None => return,
        },
        _ => start,
    };
    let secret = &text[start..end];
    if secret.starts_with(b"$") {
        let used = if carries == Carries::Made { Use::Token } else { Use::Password };
        return crate::assigned::scan(text, start, used, spans);
    }
    let spaced = carries == Carries::Attached && blanks > 0;
    if secret.len() < 4
        || value::is_placeholder(secret)
        || secret.starts_with(b"-")
        || spaced && !quoted && (!crate::prose::looks_chosen(secret) || is_database(secret))
        || secret.starts_with(b"//")
    {
        return;
    }
    let made = secret.len() >= 20 && (value::is_hex(secret) || chance::is_random(secret));
    if carries == Carries::Made && !made {
        return;
    }
    let sure = quoted || carries == Carries::Sure && value::is_choosable(secret);
    if !sure
        && secret.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_' || *byte == b'-')
        && !chance::is_random(secret)
        && !matches!(carries, Carries::Pair(_) | Carries::Last | Carries::Tail)
    {
        return;
    }
    spans.add(start, end, "password", true);
}

/// `mysql -p orders_2024`: behind a bare flag stands a database, which has small letters, digits and lines below.
fn is_database(word: &[u8]) -> bool {
    word.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `-pX`, `/p:X` of a command that is run, whatever word it is.
fn attached(text: &[u8], at: usize, limit: usize, spans: &mut Spans) -> bool {
    const OPTIONS: [&[u8]; 7] = [b"rotocol", b"rompt", b"ort", b"rint", b"lugin", b"arallel", b"rogress"];
    let (start, end) = word(text, at, limit);
    let secret = &text[start..end];
    let found = start == at
        && value::is_choosable(secret)
        && !OPTIONS.iter().any(|option| secret.starts_with(option));
    if found {
        spans.add(start, end, "password", true);
    }
    found
}

/// Whether the command at `at` is run: it begins its line, stands behind a prompt or another command.
fn opens(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(24)..at];
    let line = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let words = line.trim_ascii();
    words.is_empty()
        || [
            &b"$"[..],
            b"#",
            b">",
            b"%",
            b"sudo",
            b"&&",
            b"||",
            b";",
            b"|",
            b"`",
            b"+",
            b"run:",
            b"RUN",
            b"-",
            b"exec",
            b"time",
        ]
        .iter()
        .any(|head| words.ends_with(head))
        || line.ends_with(b"bin/")
}

/// A shell word: quoted, or up to a blank.
fn word(text: &[u8], at: usize, limit: usize) -> (usize, usize) {
    let sign = text.get(at).copied().unwrap_or(0);
    // `\"X\"`: of a command that stands in a string.
    if let Some(inside) = text[at.min(limit)..limit].strip_prefix(b"\\\"") {
        let long = crate::search::find(inside, b"\\\"").unwrap_or(inside.len());
        return (at + 2, at + 2 + long);
    }
    if at < limit && matches!(sign, b'\'' | b'"') {
        let inside = &text[at + 1..limit];
        // Unclosed, it ends with the string that the whole line stands in.
        let open = inside.strip_suffix(b"\"").unwrap_or(inside).len();
        let long = inside.iter().position(|&byte| byte == sign).unwrap_or(open);
        return (at + 1, at + 1 + long);
    }
    let long = text[at.min(limit)..limit]
        .iter()
        .take_while(|byte| !byte.is_ascii_whitespace() && !matches!(byte, b'"' | b'\'' | b'`' | b'\\'))
        .count();
    (at, at + long)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_password_behind_its_user_may_have_quotes_of_its_own() {
        assert_eq!(found("curl -sS -u knovak:'Otter@36$' -X POST https://a.example"), ["Otter@36$"]);
        assert_eq!(found("lftp -u webmaster,'otter1987' ftp.a.example <<EOF\n"), ["otter1987"]);
        assert_eq!(
            found("lftp -e \"mirror -R; quit\" -u web7311,l5Ow6Y91WgeRc sftp://a.example"),
            ["l5Ow6Y91WgeRc"]
        );
        assert_eq!(found("smbclient -U 'A\\ann%G1r@ff351%' //10.0.0.2/F -c 'ls'"), ["G1r@ff351%"]);
        assert_eq!(found("curl -u \"$API_KEY:\" -H \"A: b\" https://a.example"), Vec::<&str>::new());
        assert_eq!(found("curl -u ann:'$PASS' https://a.example"), Vec::<&str>::new());
    }

    #[test]
    fn commands_take_it_where_they_take_it() {
        for text in [
            "$ nsupdate -y hmac-sha256:box:starfighter",
            "$ radclient 10.0.0.1 auth starfighter",
            "$ mkpasswd -m sha-512 starfighter",
            "$ secretsdump.py corp/ann:'starfighter'@10.0.0.4",
            "$ GetUserSPNs.py corp/ann:starfighter -dc-ip 10.0.0.4",
            "/msg NickServ IDENTIFY starfighter",
            "EXEC sp_addlogin 'ann', 'starfighter';",
            "ftp> user ann starfighter",
            "$ doveadm auth test ann@example.org 'starfighter'",
            "$ doveadm auth login ann starfighter",
            "$ SUSEConnect -e ann@example.org -r starfighter",
            "mgmt-user ann starfighter",
        ] {
            assert_eq!(found(text), ["starfighter"], "{text}");
        }
        assert_eq!(
            found("$ radtest -t pap ann starfighter 10.0.0.1 0 heron-kettle-7"),
            ["starfighter", "heron-kettle-7"]
        );
        let token = "5a1f0c7e-93b2-4d18-8e6a-0b7c4f2d9e13";
        assert_eq!(found(&format!("$ bash <(curl -s https://codecov.io/bash) -t {token} -F unit")), [token]);
    }

    #[test]
    fn a_command_goes_on_behind_a_backslash() {
        for text in [
            "$ mysqldump -h db1 \\\n  -u shop -p'heron/kettle' shop",
            "mosquitto_sub -h mqtt.lan \\\n  -u press -P 'heron/kettle' -v",
            "cqlsh 10.0.0.7 \\\n  -u ann \\\n  -p 'heron/kettle'",
            "sqlcmd.exe -S db1 `\n  -U sa -P \"heron/kettle\" -Q x",
            "schtasks /Create /TN a /TR C:\\a.exe /RU CORP\\ann /RP \"heron/kettle\" /SC DAILY",
            "schtasks.exe /Create /TN a ^\r\n /RU ann /RP \"heron/kettle\"",
            "TASKLIST /S box /U ann /P \"heron/kettle\"",
        ] {
            assert_eq!(found(text), ["heron/kettle"], "{text}");
        }
        for text in [
            "$ mysql -h db1\n  -P 'heron/kettle'",
            "$ mosquitto_sub -h mqtt.lan\n -P 'heron/kettle'",
            "$ docker run -v a:b \\\n  -p 8080:80 x",
            "schtasks /Query /FO LIST /V",
            "aws ssm put-parameter \\\n  --name a \\\n  --value \"heron/kettle\" \\\n  --type \"String\"",
            "the flag /RP of schtasks takes a password",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_commands_take_besides_stays() {
        for text in [
            "$ dig @ns1.example.org example.org AXFR +noall",
            "$ dig -y mykey example.org",
            "$ docker run --name pihole -p 53:53/udp -p 8081:80 pihole/pihole",
            "the output of `mkpasswd -m sha-512`. Plain words are not accepted.",
            "$ psexec.py -hashes :aad3 ann@10.0.0.4:4455",
            "$ secretsdump.py -h",
            "$ radtest -h",
            "/msg NickServ IDENTIFY",
            "NickServ identify is needed before you join",
            "$ smbclient.py -hashes aad3b:31d6 ann@10.0.0.4",
            "$ ansible-vault encrypt_string --stdin-name db",
            "$ sp_password @old, @new",
            "$ doveadm auth test -x service=imap ann@example.org",
            "$ doveadm auth test ann@example.org",
            "$ SUSEConnect --url https://rmt.kontor.example",
            "$ sudo pro attach --help",
            "$ sudo pro attach [token]",
            "mgmt-user admin root",
            "mgmt-user localauth-disable",
            "isakmp key [key] address 10.0.0.1",
            "super password level 3",
            "the super password is simple enough",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
