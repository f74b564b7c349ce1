//! What tools keep in files of their own form: a recorded line's keys, accounts with a password in the clear, a clock's
//! keys, answers for an installer.

use super::{REACH, add, bare, place};
use crate::span::Spans;
use crate::value;

/// ` 1: 86a961 6c676f … - 14`: the lines of a repository's key that was printed, each with its sum behind.
fn paper(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const MOST_LINES: usize = 40;
    let mut from = end + crate::search::line(text, end, REACH).len() + 1;
    for _ in 0..MOST_LINES {
        let line = crate::search::line(text, from.min(text.len()), REACH);
        from += line.len() + 1;
        let Some(colon) = memchr::memmem::find(line, b": ") else { return end };
        if line[..colon].trim_ascii() == b"id" {
            continue;
        }
        let Some(sum) = memchr::memmem::rfind(line, b" - ").filter(|&sum| sum > colon + 2) else {
            return end;
        };
        let groups = &line[colon + 2..sum];
        let hex = |group: &[u8]| (2..=6).contains(&group.len()) && group.iter().all(u8::is_ascii_hexdigit);
        if !groups.split(|&byte| byte == b' ').all(hex) {
            return end;
        }
        let (start, stop) = place(text, groups);
        spans.add(start, stop, "recovery_key", true);
    }
    end
}

/// Looks at what stands around such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    Some(match word {
        b"client_random " => {
            if let Some((start, stop)) = key_log(text, end) {
                spans.add(start, stop, "session_key", true);
            }
            end
        }
        b":/home/" | b":/root:/" => shadowless(text, at, end, spans),
        b"cache_peer " => peer(text, end, spans),
        b"ntp.keys" | b"chrony.keys" => clock_keys(text, end, spans),
        b"] user successfully reset.\nnew value: " | b"insecure-password " | b"key found! [ " => {
            let long = bare(text, end);
            add(text, end, end + long, spans);
            end + long
        }
        b"password password " | b"password-again password " => preseeded(text, at, end, spans),
        b"convertto-securestring" => super::shell::quoted_after(text, end + switches(text, end), spans),
        b"\"; ## secret-data" => {
            let before = crate::search::last_line(&text[at.saturating_sub(REACH)..at]);
            if let Some(open) = memchr::memrchr(b'"', before) {
                add(text, at - (before.len() - open - 1), at, spans);
            }
            end
        }
        b"request command: pass" => {
            captured(text, at, end, spans);
            end
        }
        b"\"token_last_eight\"" => {
            fresh(text, at, spans);
            end
        }
        b"borg paper key v1" => paper(text, end, spans),
        b"wordpress_logged_in_" => remembered(text, end, spans),
        b"*:*:*:" => super::files::any_host(text, end, spans),
        b"invalid user " => {
            mistyped(text, end, end + bare(text, end), spans);
            end
        }
        b": command not found" => {
            let long = text[..at].iter().rev().take(64).take_while(|byte| byte.is_ascii_graphic()).count();
            mistyped(text, at - long, at, spans);
            // `$ X⏎bash: command not found`.
            let above = text[..at - long].strip_suffix(b"\n").unwrap_or_default();
            let typed = above.iter().rev().take(64).take_while(|byte| byte.is_ascii_graphic()).count();
            if [&b"bash"[..], b"zsh", b"sh", b"-bash"].contains(&&text[at - long..at]) && typed > 0 {
                mistyped(text, above.len() - typed, above.len(), spans);
            }
            end
        }
        b"wif " => {
            let long = bare(text, end);
            let own = matches!(text.get(end), Some(b'K' | b'L' | b'5' | b'c'));
            if own && matches!(long, 51 | 52) && text[end..end + long].iter().all(u8::is_ascii_alphanumeric) {
                spans.add(end, end + long, "wallet_key", true);
            }
            end + long
        }
        b"guard code" => {
            guard(text, end, spans);
            end
        }
        b"scan the qr" | b"can't scan" | b"cannot scan" | b"unable to scan" => {
            by_hand(text, end, spans);
            end
        }
        b"\" totp_auth" => authenticator(text, at, end, spans),
        b"fi voucher" => voucher(text, end, spans),
        b"insert into" => crate::insert::unnamed(text, end, spans),
        b"thin:" => super::files::thin(text, end, spans),
        _ => return None,
    })
}

/// `PASS X\r\n⏎  Request command: PASS⏎  Request arg: X`: a packet that somebody looks at.
fn captured(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let below = text.get(end + line(text, end).len() + 1..).unwrap_or_default();
    let row = crate::search::line(below, 0, REACH).trim_ascii();
    let Some(secret) = row.strip_prefix(b"Request arg: ").filter(|secret| secret.len() >= 4) else { return };
    let (start, stop) = place(text, secret);
    add(text, start, stop, spans);
    let before = &text[at.saturating_sub(REACH)..at];
    if let Some(same) = memchr::memmem::rfind(before, &[b"PASS ", secret].concat()) {
        let start = at - before.len() + same + 5;
        add(text, start, start + secret.len(), spans);
    }
}

/// `"sha1":"942d63d0…","token_last_eight":"8db8febf"`: a token that Gitea shows this once.
fn fresh(text: &[u8], at: usize, spans: &mut Spans) {
    const LONG: usize = 40;
    let before = &text[at.saturating_sub(160)..at];
    crate::work::read(before.len());
    let Some(sha) = memchr::memmem::rfind(before, b"\"sha1\":") else { return };
    let value = before[sha + 7..].trim_ascii_start();
    if let Some(token) = value.strip_prefix(b"\"").and_then(|value| value.get(..LONG))
        && value::is_hex(token)
    {
        let (start, stop) = place(text, token);
        spans.add(start, stop, "token", true);
    }
}

/// `wordpress_logged_in_ab5f…=ann%7C1711892033%7CX%7CY`: a cookie, wherever it stands.
fn remembered(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const SITE: usize = 32;
    let value = end + SITE + 1;
    if !text.get(end..end + SITE).is_some_and(value::is_hex) || text.get(value - 1) != Some(&b'=') {
        return end;
    }
    let long = bare(text, value);
    if long >= 60 && text[value..value + long].contains(&b'%') {
        spans.add(value, value + long, "cookie", true);
    }
    value + long
}

/// `Invalid user Otter.77 from 10.0.0.9`, `-bash: Otter*78: command not found`: a password that was typed where a user, a
/// command should stand; and the line on which it was.
fn mistyped(text: &[u8], start: usize, stop: usize, spans: &mut Spans) {
    let word = &text[start..stop];
    let has = |sort: fn(&u8) -> bool| word.iter().any(sort);
    // A password was asked for a line or two above.
    let asked = || {
        let above = crate::search::before(text, start, REACH);
        [&b"assword for "[..], b"assword:"].iter().any(|ask| crate::search::has(above, ask))
    };
    let sign = has(|byte| matches!(byte, b'!' | b'#' | b'$' | b'%' | b'&' | b'*' | b'+' | b'?' | b'^'))
        || is_numbered(word)
        || asked();
    let shows = word.len() >= 8
        && sign
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && !word.iter().any(|byte| matches!(byte, b'/' | b'=' | b'(' | b'\\'))
        && value::is_chosen(word);
    if !(shows || value::is_disclosed(word) && asked()) {
        return;
    }
    spans.add(start, stop, "password", false);
    let before = crate::search::before(text, start, REACH);
    if let Some(same) = memchr::memmem::rfind(before, word) {
        let from = start - before.len() + same;
        spans.add(from, from + word.len(), "password", false);
    }
}

/// `Otter.77`: letters, a dot and digits, and no second dot.
fn is_numbered(word: &[u8]) -> bool {
    let dot = memchr::memchr(b'.', word).unwrap_or_default();
    dot > 0
        && word[..dot].iter().all(u8::is_ascii_alphabetic)
        && word[dot + 1..].iter().all(u8::is_ascii_digit)
}

/// `J2BX…⏎" RATE_LIMIT 3 30⏎" TOTP_AUTH⏎21338963⏎…`: what a login's second factor keeps at home: its key, and codes for
/// the day on which the telephone is lost.
fn authenticator(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    const MOST_CODES: usize = 12;
    let before = &text[at.saturating_sub(REACH)..at];
    crate::work::read(before.len());
    for word in before.split(u8::is_ascii_whitespace) {
        let base32 = word.iter().all(|byte| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte));
        if matches!(word.len(), 16 | 26 | 32 | 52) && base32 {
            let (start, stop) = place(text, word);
            spans.add(start, stop, "otp", true);
        }
    }
    let below = &text[end..text.len().min(end + REACH)];
    for word in below.split(|&byte| byte == b'\n').skip(1).take(MOST_CODES) {
        if word.len() == 8 && word.iter().all(u8::is_ascii_digit) {
            let (start, stop) = place(text, word);
            spans.add(start, stop, "recovery_code", true);
        }
    }
    end
}

/// `scan the QR or enter 6BTO LJQ2 L644 53GD by hand`: what the square says, in base 32.
fn by_hand(text: &[u8], end: usize, spans: &mut Spans) {
    const FEWEST: usize = 4;
    let window = &text[end..text.len().min(end + 160)];
    crate::work::read(window.len());
    let of = |word: &[u8], letter: fn(&u8) -> bool| {
        word.iter().all(|byte| letter(byte) || (b'2'..=b'7').contains(byte))
    };
    let base32 = |word: &[u8]| of(word, u8::is_ascii_uppercase) || of(word, u8::is_ascii_lowercase);
    let digits = |word: &[u8]| word.iter().filter(|byte| byte.is_ascii_digit()).count();
    // Where groups of four began, and how many they are.
    let (mut from, mut groups) = (0, 0);
    for word in window.split(|byte| matches!(byte, b' ' | b'\n')).chain([&window[window.len()..]]) {
        let start = crate::search::offset(text, word);
        if word.len() == 4 && base32(word) {
            from = if groups == 0 { start } else { from };
            groups += 1;
            continue;
        }
        let whole = word.len() >= 16 && digits(word) >= 2 && of(word, u8::is_ascii_uppercase);
        let stop = if whole { start + word.len() } else { (from + groups * 5).saturating_sub(1) };
        let from = if whole { start } else { from };
        if whole || groups >= FEWEST && digits(&text[from..stop]) >= 2 {
            return spans.add(from, stop, "otp", false);
        }
        groups = 0;
    }
}

/// `Steam Guard code for otter: MWVOT`: five capitals or digits that end the line.
fn guard(text: &[u8], end: usize, spans: &mut Spans) {
    const LONG: usize = 5;
    let line = crate::search::line(text, end, 64);
    let Some(colon) = memchr::memmem::find(line, b": ") else { return };
    let code = line[colon + 2..].trim_ascii_end();
    let code = code.strip_suffix(b".").unwrap_or(code);
    if code.len() == LONG && code.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()) {
        let (start, stop) = place(text, code);
        spans.add(start, stop, "recovery_code", false);
    }
}

/// `Guest Wi-Fi voucher  [1 day]⏎    90705-98624`: twice five digits, within two lines.
fn voucher(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + 96)];
    crate::work::read(window.len());
    for word in window.split(|byte| !(byte.is_ascii_digit() || *byte == b'-')) {
        if word.len() == 11
            && word[5] == b'-'
            && word.iter().filter(|byte| byte.is_ascii_digit()).count() == 10
        {
            let (start, stop) = place(text, word);
            spans.add(start, stop, "password", false);
        }
    }
    end
}

/// The rest of the line, as far as one looks.
fn line(text: &[u8], start: usize) -> &[u8] {
    crate::search::line(text, start, REACH * 2)
}

/// `CLIENT_RANDOM 5b0c… 9e61…`, `SERVER_TRAFFIC_SECRET_0 5b0c… 9e61…`: what a browser writes for whoever reads the line.
pub(crate) fn key_log(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let mut words = line(text, end).split(|&byte| byte == b' ').filter(|word| word.len() > 2);
    let (random, secret) = (words.next()?, words.next()?.trim_ascii_end());
    let long = matches!(secret.len(), 64 | 96 | 128);
    (random.len() == 64 && value::is_hex(random) && long && value::is_hex(secret))
        .then(|| place(text, secret))
}

/// `ann:X:1002:1002::/home/ann:/bin/sh`: a row of accounts whose password stands where an `x` should.
fn shadowless(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = crate::search::last_line(&text[at.saturating_sub(REACH)..at]);
    crate::work::read(before.len());
    let fields: Vec<&[u8]> = before.split(|&byte| byte == b':').take(6).collect();
    let [user, secret, number, group, _] = fields[..] else { return end };
    let digits = |field: &[u8]| !field.is_empty() && field.iter().all(u8::is_ascii_digit);
    let plain = !matches!(secret.first(), None | Some(b'$' | b'*' | b'!' | b'_'))
        && secret.iter().all(u8::is_ascii_graphic);
    if !user.is_empty() && digits(number) && digits(group) && plain {
        let (start, stop) = place(text, secret);
        add(text, start, stop, spans);
    }
    end
}

/// `cache_peer proxy.example.org parent 8080 0 login=ann:X`.
fn peer(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some(login) = memchr::memmem::find(line(text, end), b" login=") else { return end };
    let from = end + login + 7;
    let long = bare(text, from);
    if let Some(colon) = memchr::memchr(b':', &text[from..from + long]) {
        add(text, from + colon + 1, from + long, spans);
    }
    from + long
}

/// `ntp.keys⏎1 SHA1 75f6…⏎2 MD5 X`: a number, how it is hashed, and the key.
fn clock_keys(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const MOST_LINES: usize = 16;
    const SORTS: [&[u8]; 8] =
        [b"MD5", b"M", b"SHA1", b"SHA256", b"SHA512", b"AES128", b"AES256", b"AES128CMAC"];
    let head = line(text, end);
    if head.len() > 2 {
        return end;
    }
    let mut at = end + head.len() + 1;
    for _ in 0..MOST_LINES {
        let Some(row) = text.get(at..).map(|_| line(text, at)) else { break };
        let mut words = row.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let number = words.next().is_some_and(|word| word.iter().all(u8::is_ascii_digit));
        let sort = words.next().is_some_and(|word| SORTS.contains(&word));
        let Some(secret) = words.next().filter(|_| number && sort) else { break };
        let (start, stop) = place(text, secret);
        add(text, start, stop, spans);
        at += row.len() + 1;
    }
    end
}

/// `d-i passwd/root-password password X`: an answer for an installer, by whose question it is.
fn preseeded(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let question = text[at.saturating_sub(48)..at].rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let long = bare(text, end);
    if question.contains(&b'/') && matches!(text.get(end + long), None | Some(b'\n' | b'\r')) {
        add(text, end, end + long, spans);
    }
    end + long
}

/// ` -AsPlainText -Force -String`: what stands between a command and its literal.
fn switches(text: &[u8], end: usize) -> usize {
    let rest = &text[end..text.len().min(end + 48)];
    let long =
        rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b' ' | b'-')).count();
    if rest[..long].contains(&b'-') { long } else { 0 }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn files_of_tools_tell_by_their_form() {
        for text in [
            "ops:gramophone:1002:1002:Ops,,,:/home/ops:/bin/bash",
            "loaded ntp.keys\n7 MD5 gramophone\n",
            "7 x\n/etc/chrony.keys\n3 SHA256 gramophone\n",
            "cache_peer 10.1.1.1 parent 3128 0 no-query login=ops:gramophone",
            "mysql-server mysql-server/root_password password gramophone\n",
            "d-i passwd/root-password-again password gramophone",
            "user ops insecure-password gramophone groups all",
            "$p = ConvertTo-SecureString -String 'gramophone' -AsPlainText -Force",
            "ConvertTo-SecureString -AsPlainText -Force -String \"gramophone\"",
            "{\"type\":\"random_password\",\"instances\":[{\"attributes\":{\"length\":10,\"result\":\"gramophone\"}}]}",
            "        MOVE 'gramophone' TO WS-FTP-PASSWORD.",
            "authentication-key \"gramophone\"; ## SECRET-DATA",
            "db-1.internal:5432:*:otter:gramophone\n",
        ] {
            assert_eq!(found(text), ["gramophone"], "{text}");
        }
    }

    #[test]
    fn a_packet_shows_it_twice() {
        let text =
            "    PASS Inktvis_A0\\r\\n\n        Request command: PASS\n        Request arg: Inktvis_A0\n";
        assert_eq!(found(text), ["Inktvis_A0", "Inktvis_A0"]);
        assert_eq!(found(&text.replace("PASS", "LIST")), Vec::<&str>::new());
    }

    #[test]
    fn a_token_is_shown_once() {
        let token = "942d63d02d21ad71b16fd79bf9851428db8febf5";
        let text = |eight: &str| format!("{{\"id\":4,\"sha1\":\"{token}\",\"{eight}\":\"8db8febf\"}}");
        assert_eq!(found(&text("token_last_eight")), [token]);
        assert_eq!(found(&text("last_eight")), Vec::<&str>::new());
    }

    #[test]
    fn spoken_and_typed_ones() {
        for (text, secret) in [
            ("كلمة السر الجديدة هي Ward-5530 شكرا", "Ward-5530"),
            ("הסיסמה לשרת היא lavan2024kof תודה", "lavan2024kof"),
            ("Abholcode 417730, Fach 2", "417730"),
            ("Your pickup code is 417730.", "417730"),
            ("Einrichtungscode 2468-135-7913", "2468-135-7913"),
            ("Google-Ersatzcodes: 4417 9032, 8815 0264, 7731 5590", "4417 9032"),
            ("7z a box.7z -p\"Mond.Licht.im.Park\" docs/", "Mond.Licht.im.Park"),
        ] {
            assert!(
                found(text).first().is_some_and(|first| first.starts_with(secret)),
                "{text} {:?}",
                found(text)
            );
        }
    }

    #[test]
    fn near_ones_stay() {
        for text in [
            "ops:x:1002:1002:Ops,,,:/home/ops:/bin/bash\nroot:*:0:0:root:/root:/bin/sh",
            "daemon:!:1:1:daemon:/root:/usr/sbin/nologin",
            "see ntp.keys for the keys\n7 MD5 gramophone\n",
            "cache_peer 10.1.1.1 parent 3128 0 no-query login=PASS",
            "ask for the password password gramophone\n",
            "CLIENT_RANDOM is 32 bytes and then 48 bytes",
            "$p = ConvertTo-SecureString $plain -AsPlainText -Force",
            "MOVE SPACES TO WS-PASSWORD.",
            "URL: android://k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6TqPwZj4Vf8Gd2Xs0A==@org.example.app/",
            "resolved \"https://registry.yarnpkg.com/passport-jwt/-/passport-jwt-4.0.1.tgz#3a3d70aff34d286be2d2962f9207c718c4a36624\"",
            "GPG_KEY=A035C8C19219BA821ECEA86B64E628F8D684696D",
            "كلمة السر الجديدة هي مهمة جدا",
            "הסיסמה לשרת היא ארוכה מאוד",
            "Der Abholcode kommt per SMS.",
            "const a = `7z x -p\"${pw}\" out`;",
            "# openssl rand -hex 32\nSESSION_SECRET_KEY=\n",
            "return fail(422, { password: \"mismatch\" });",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_line_that_was_recorded_has_keys() {
        let (random, secret) =
            ("5b0c51d6f0a2c97e1348bb6d7a95e2f0".repeat(2), "9e61c04b7d2f58a3160ce94d8b27f5a1".repeat(3));
        assert_eq!(found(&format!("CLIENT_RANDOM {random} {secret}")), [secret.as_str()]);
        let tls = &secret[..64];
        assert!(found(&format!("SERVER_TRAFFIC_SECRET_0 {random} {tls}\n")).contains(&tls));
    }
}
