//! Words of single tools that stand before a password: a cloud's account, a database's job, a monitor's macros, what
//! signs a web token.

use super::{REACH, add, bare};
use crate::prose::{looks_chosen, looks_joined};
use crate::span::Spans;
use crate::{chance, value};

/// Looks at what follows such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    Some(match word {
        b"core.windows.net" => storage(text, end, spans),
        b" using '" if said(text, at, &[b"connect", b"user"]) => {
            let long = memchr::memchr2(b'\'', b'\n', &text[end..]).unwrap_or(0);
            add(text, end, end + long, spans);
            end
        }
        b" using '" => end,
        b"admin: " | b"admin=" | b"root: " => {
            // `Local admin:   X`: in a column.
            let start = end + text[end..].iter().take(24).take_while(|&&byte| byte == b' ').count();
            let long = bare(text, start);
            let word = &text[start..start + long];
            let ends = matches!(text.get(start + long), None | Some(b'\n' | b'\r'));
            let made = (10..16).contains(&long) && is_machine_made(word) || is_made_in_groups(word);
            if ends && (is_odd(word) || made) {
                add(text, start, start + long, spans);
            }
            end
        }
        // A longer word may begin here.
        b"admin:" | b"root:" => {
            joined(text, at, end, spans);
            at
        }
        b"jwt.sign(" | b"jwt.verify(" | b"jwt.encode(" | b"jwt.decode(" => signed(text, end, spans),
        // What a cluster's members say to one another is sealed with it.
        b"encrypt = \"" | b"encrypt\": \"" | b"encrypt  " => {
            let signs =
                text[end..].iter().take(24).take_while(|byte| matches!(byte, b' ' | b'=' | b'"')).count();
            let start = end + signs;
            let long = bare(text, start);
            if matches!(long, 24 | 44) && text[..start + long].ends_with(b"=") {
                add(text, start, start + long, spans);
            }
            start
        }
        b"altuser" | b"adduser " | b"alu " | b"usrprf(" => host_user(text, at, end, spans),
        // The file's own bytes stand below: a longer word looks at them.
        b"id.json" if text[end..].starts_with(b"\n[") => at,
        b"solana" | b"keypair" | b"id.json" | b"phantom" => keypair(text, end, spans),
        b"secretkeyspec(" => {
            key_spec(text, end, spans);
            end
        }
        b"| p4 " => super::shell::echoed_before(text, at, end, spans),
        b"$user" => macros(text, end, spans),
        b"initial: " => {
            let long = bare(text, end);
            let word = &text[end..end + long];
            if word.iter().any(u8::is_ascii_digit) && (value::is_chosen(word) || looks_joined(word)) {
                add(text, end, end + long, spans);
            }
            end
        }
        b".logon " => host_logon(text, end, spans),
        b"sqlplus -" | b"> connect " | b"> conn " | b"\nconnect " | b"\nconn " | b"userid=" | b"expdp "
        | b"impdp " | b"sqlldr " | b"rman target " | b"sqlcl " | b"dgmgrl " | b"tbsql " | b"disql "
        | b"$ exp " | b"$ imp " | b"$ sql " => logon(text, end, spans),
        b"&p=" => super::short::parameter(text, at, end, spans),
        b"\"p\":\"" | b"\"p\": \"" => super::short::member(text, at, end, spans),
        b"accounts: [" | b"accounts = [" => accounts(text, end, spans),
        b" => " => voicemail(text, at, end, spans),
        b" into index " => typed(text, at, end, spans),
        b"admin, \"" => behind_comma(text, at, end, spans),
        b"encode_base64(" | b"b64encode(" => parted(text, end, spans),
        // `Plug.Crypto.sign("X", "user", 42)`: what signs is the first literal.
        b"plug.crypto." => {
            let call = text[end..].iter().take(16).take_while(|byte| byte.is_ascii_lowercase()).count();
            if text.get(end + call) == Some(&b'(') {
                super::calls::first_literal(text, end + call + 1, spans);
            }
            end
        }
        b":0:0:" => super::hashed::crypted(text, at, end, spans),
        b"ksecvaluedata as string: \"" | b"(\"appid\", \"" | b"mschapv2\t\"" => {
            super::calls::to_quote(text, end, spans)
        }
        b"\" \"md5" => super::hashed::pooled(text, at, spans),
        b"totp.now()" => drawn_now(text, end, spans),
        b"loaded 1 password hash" | b" password hashes" => super::hashed::cracked(text, at, end, spans),
        b"buffer.from(" | b"btoa(" => basic(text, at, end, spans),
        b".fill(" => filled(text, at, end, spans),
        b" on +@" | b" on ~" => super::typed_in::ruled(text, at, spans),
        b"lpa:1$" => activation(text, end, spans),
        b"{aes256}" | b"{aes}" => super::hashed::sealed(text, at, end, spans),
        b"net use " => super::typed_in::mapped(text, end, spans),
        b"\nuser " => super::typed_in::transfer(text, at, end, spans),
        _ => return None,
    })
}

/// `>>> totp.now()⏎'842679'`: good for half a minute, and for those who read along.
fn drawn_now(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let below = text[end..].strip_prefix(b"\n").unwrap_or_default();
    let word = crate::search::line(below, 0, 16).trim_ascii();
    let code = match word {
        [b'\'', code @ .., b'\''] | [b'"', code @ .., b'"'] => code,
        _ => word,
    };
    if (6..=8).contains(&code.len()) && code.iter().all(u8::is_ascii_digit) {
        let start = crate::search::offset(text, code);
        spans.add(start, start + code.len(), "otp", false);
    }
    end
}

/// `Basic ${Buffer.from("ann:X")}`: a literal of a user and a password, where a header is made.
fn basic(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let sign = text.get(end).copied().filter(|sign| matches!(sign, b'"' | b'\'' | b'`'));
    let before = crate::search::line_before(text, at, 64).to_ascii_lowercase();
    let Some(sign) = sign.filter(|_| crate::search::has(&before, b"basic")) else { return end };
    let line = crate::search::line(text, end + 1, 160);
    let Some(inside) = memchr::memchr(sign, line).map(|long| &line[..long]) else { return end };
    let Some(colon) = memchr::memchr(b':', inside).filter(|&colon| colon > 0) else { return end };
    let secret = &inside[colon + 1..];
    if !secret.contains(&b'$') && value::is_choosable(secret) {
        add(text, end + 1 + colon + 1, end + 1 + inside.len(), spans);
    }
    end
}

/// `getByPlaceholder('6-digit code').fill('112853')`: what a script types where a code is asked for.
fn filled(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    const CODES: [&[u8]; 7] = [b"code", b"otp", b"pin", b"passcode", b"2fa", b"mfa", b"token"];
    let before = crate::search::line_before(text, at, 64).to_ascii_lowercase();
    let Some((quote, start)) = crate::quote::open(text, end) else { return end };
    let Some(stop) = crate::quote::close(text, start, quote) else { return end };
    let digits = (4..=8).contains(&(stop - start)) && text[start..stop].iter().all(u8::is_ascii_digit);
    if digits && CODES.iter().any(|code| crate::search::has(&before, code)) {
        spans.add(start, stop, "otp", false);
    }
    end
}

/// `LPA:1$smdp.example$X`: a card's plan, to whoever asks first.
fn activation(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = crate::search::line(text, end, 96);
    let Some(sign) = memchr::memchr(b'$', line) else { return end };
    let host = line[..sign].iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'));
    let long =
        line[sign + 1..].iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let start = end + sign + 1;
    if host && long >= 8 && !value::is_placeholder(&text[start..start + long]) {
        spans.add(start, start + long, "otp", true);
    }
    start + long
}

/// `NVR admin:X`: letters of both cases, a digit and a sign, and no address behind.
fn joined(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    // Hot path: a blank follows most of them.
    let opens = at == 0 || matches!(text[at - 1], b' ' | b'\n' | b'(' | b'\t');
    if !opens || matches!(text.get(end), None | Some(b' ' | b'\n' | b'"')) {
        return;
    }
    let long = bare(text, end);
    let word = &text[end..end + long];
    let ends = matches!(text.get(end + long), None | Some(b'\n' | b'\r' | b' ' | b',' | b')' | b';'));
    if ends && !word.contains(&b'@') && super::told::is_strong(word) && super::told::is_mixed(word) {
        add(text, end, end + long, spans);
    }
}

/// `9vTq-Lm2x-Zk8r`: groups as long as one another, each of letters of both cases and a digit.
fn is_made_in_groups(word: &[u8]) -> bool {
    let mut groups = word.split(|&byte| byte == b'-');
    let first = groups.clone().next().unwrap_or_default().len();
    let mixed = |group: &[u8]| {
        group.len() == first
            && group.iter().all(u8::is_ascii_alphanumeric)
            && group.iter().any(u8::is_ascii_digit)
            && group.iter().any(u8::is_ascii_uppercase)
            && group.iter().any(u8::is_ascii_lowercase)
    };
    (3..=8).contains(&first) && groups.clone().count() >= 3 && groups.all(mixed)
}

/// `BqJPwV7OxGJM`: letters of both cases and a digit that no word has.
fn is_machine_made(word: &[u8]) -> bool {
    word.iter().all(u8::is_ascii_alphanumeric)
        && word.iter().any(u8::is_ascii_digit)
        && word.iter().any(u8::is_ascii_lowercase)
        && word.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 3
        && chance::is_random(word)
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
    // `three_small_words` are no user's name.
    let words = || word.split(|&byte| byte == b'_').filter(|part| part.len() >= 3).count() >= 3;
    if value::is_chosen(word) || looks_chosen(word) && long >= 6 || words() && value::is_choosable(word) {
        add(text, start, start + long, spans);
    }
    end
}

/// `https://10.0.0.7:4444, admin, "X"`, `super user: shopadmin, "X"`: between quotes behind who it is.
fn behind_comma(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = crate::search::last_line(&text[at.saturating_sub(96)..at]);
    let inside = crate::search::line(text, end, 64);
    crate::work::read(before.len());
    let Some(long) = memchr::memchr(b'"', inside) else { return end };
    let word = &inside[..long];
    // `permit(admin, "editor-2")`, `roles = [admin, "editor-2"]`.
    let code = before.iter().any(|byte| b"([{=<\"".contains(byte));
    let ends = matches!(inside.get(long + 1), None | Some(b'.' | b',' | b';' | b')' | b'\r'));
    // `he told the admin, "restart node-17 now"`.
    let named = before.last().is_some_and(u8::is_ascii_alphanumeric)
        || matches!(before.trim_ascii_end().last(), Some(b',' | b':' | b';'));
    let address = crate::search::has(before, b"://");
    let placed = address || crate::search::has(before, b": ");
    let phrase = address && value::is_phrase(word) && word.iter().any(u8::is_ascii_digit);
    if !code && ends && named && placed && (phrase || value::is_chosen(word) || value::is_crafted(word)) {
        add(text, end, end + long, spans);
    }
    end
}

/// `Input ann into index 2⏎Input X into index 3`: what an agent types into a page, and whose word stands before it.
fn typed(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let line = crate::search::last_line(&text[at.saturating_sub(96)..at]);
    crate::work::read(line.len());
    let word = line.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let input = line[..line.len() - word.len()].ends_with(b"nput ");
    if input && super::told::is_strong(word) && !super::told::is_address(word) {
        add(text, at - word.len(), at, spans);
    }
    end
}

/// `"\0ann\0X"`: as a mail server is told who comes, and with what.
fn parted(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let from = end + usize::from(text.get(end) == Some(&b'b'));
    let Some((quote, start)) = crate::quote::open(text, from) else { return end };
    let Some(stop) = crate::quote::close(text, start, quote) else { return end };
    let nul = |rest: &[u8]| {
        [&b"\\x00"[..], b"\\000", b"\\0"].iter().find(|nul| rest.starts_with(nul)).map(|nul| nul.len())
    };
    let mut nuls = memchr::memchr_iter(b'\\', &text[start..stop])
        .filter_map(|at| nul(&text[start + at..stop]).map(|long| start + at + long));
    crate::work::read(stop - start);
    if let (Some(_), Some(secret), None) = (nuls.next(), nuls.next(), nuls.next()) {
        add(text, secret, stop, spans);
    }
    stop
}

/// `.LOGON host/ann,X;`.
fn host_logon(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = login_line(text, end);
    let word = line.split(|&byte| byte == b' ').find(|word| word.contains(&b'/')).unwrap_or_default();
    if let Some(comma) = memchr::memchr(b',', word) {
        let secret = word[comma + 1..].strip_suffix(b";").unwrap_or(&word[comma + 1..]);
        let start = crate::search::offset(text, secret);
        add(text, start, start + secret.len(), spans);
    }
    end
}

/// `sqlplus -S ann/X@db`, `SQL> CONNECT ann/X@db`, `expdp ann/X directory=D`, `sqlldr userid=ann/X@db`, `rman target sys/X
/// catalog rman/Y@db`: a user, a slash, a password, and behind an `@` where.
fn logon(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    if let Some((start, stop)) = quoted_logon(text, end) {
        spans.add(start, stop, "password", false);
        return stop;
    }
    for pair in login_line(text, end).split(|byte| matches!(byte, b' ' | b'\'' | b'`')) {
        let pair = pair.strip_prefix(b"userid=").unwrap_or(pair);
        let pair = pair.strip_suffix(b";").unwrap_or(pair);
        let Some(slash) = memchr::memchr(b'/', pair).filter(|&slash| slash > 0) else { continue };
        let sign = memchr::memchr(b'@', &pair[slash..]).map(|at| slash + at);
        let secret = &pair[slash + 1..sign.unwrap_or(pair.len())];
        let host = sign.map_or(&b""[..], |sign| &pair[sign + 1..]);
        let user = &pair[..slash];
        let named =
            user.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#'));
        // `app/main@v2`, `app/main@2.0`: a part of a project, and which one.
        let number = host.strip_prefix(b"v").unwrap_or(host);
        let dots = memchr::memchr_iter(b'.', number).count();
        let version = number.first().is_some_and(u8::is_ascii_digit) && dots < 3;
        // `> connect db/replica3`: only a tool of one database takes a pair without it.
        let own = !matches!(text[..end], [.., b'n' | b't', b' ']) || ends_in_tool(&text[..end]);
        let good = if host.is_empty() { own && value::is_chosen(secret) } else { !version };
        if named && good && !secret.iter().any(|byte| matches!(byte, b'/' | b'=')) {
            let start = crate::search::offset(text, secret);
            add(text, start, start + secret.len(), spans);
        }
    }
    end
}

/// `expdp ann/"X"@db`: a password with a sign wants quotes.
fn quoted_logon(text: &[u8], end: usize) -> Option<(usize, usize)> {
    let line = crate::search::line(text, end, REACH);
    let named = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#');
    let user = line.iter().take_while(named).count();
    let inside = line[user..].strip_prefix(b"/\"").filter(|_| user > 0)?;
    let long = memchr::memchr(b'"', inside)?;
    let ends = matches!(inside.get(long + 1), None | Some(b'@' | b' '));
    (ends && value::is_choosable(&inside[..long])).then_some((end + user + 2, end + user + 2 + long))
}

/// `rman target `; what only connects may connect to anything.
fn ends_in_tool(before: &[u8]) -> bool {
    before.ends_with(b"target ")
}

/// The rest of the line, or of the string that it stands in.
fn login_line(text: &[u8], end: usize) -> &[u8] {
    let rest = &text[end..text.len().min(end + REACH)];
    let line = &rest[..memchr::memchr2(b'\n', b'"', rest).unwrap_or(rest.len())];
    crate::work::read(line.len());
    line
}

/// `accounts: ["0x…", "0x…"]`: the keys that sign for them, as long as no address is.
fn accounts(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let window = &text[end..text.len().min(end + 800)];
    let list = &window[..memchr::memchr(b']', window).unwrap_or(0)];
    crate::work::read(list.len());
    for part in list.split(|byte| matches!(byte, b'"' | b'\'' | b'`')) {
        let key = part.strip_prefix(b"0x").unwrap_or(part);
        if key.len() == 64 && value::is_hex(key) {
            let start = crate::search::offset(text, part);
            spans.add(start, start + part.len(), "wallet_key", true);
        }
    }
    end
}

/// `201 => 3805,Front Desk,desk@example.org`: a box of a telephone exchange.
fn voicemail(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(6)..at];
    let number = before.rsplit(|&byte| byte == b'\n').next().unwrap_or_default();
    let number = number.rsplit(|byte| matches!(byte, b':' | b' ')).next().unwrap_or_default();
    let long = text[end..].iter().take(11).take_while(|byte| byte.is_ascii_digit()).count();
    let named =
        text.get(end + long) == Some(&b',') && text.get(end + long + 1).is_some_and(u8::is_ascii_alphabetic);
    let own =
        number.len() >= 3 && number.len() < before.len().max(6) && number.iter().all(u8::is_ascii_digit);
    // `voicemail.conf:31: 204 => 6630,Ann`: as a search shows it.
    let shown = || {
        let line = crate::search::last_line(crate::search::line_before(text, at, 64));
        let file =
            line.strip_suffix(number).and_then(|line| line.strip_suffix(b": ").or(line.strip_suffix(b":")));
        file.is_some_and(|file| crate::search::has(file, b"voicemail.conf:"))
            || line.strip_suffix(number).is_some_and(|line| line.trim_ascii_end().ends_with(b"oicemail"))
    };
    let opens = before.len() == number.len() || before[..before.len() - number.len()].ends_with(b"\n");
    if own && (opens || shown()) && named && (4..=10).contains(&long) {
        spans.add(end, end + long, "pin", false);
    }
    end
}

/// `SecretKeySpec("X", "AES")`, `SecretKeySpec(Base64.getDecoder().decode("X"), "AES")`: as long as keys are, or made.
fn key_spec(text: &[u8], end: usize, spans: &mut Spans) {
    let line = crate::search::line(text, end, 64);
    let part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'(' | b')' | b'_');
    let path = line.iter().take_while(part).count();
    if line.get(path) != Some(&b'"') {
        return;
    }
    let from = end + path + 1;
    let long = bare(text, from);
    let word = &text[from..from + long];
    let call = line[..path].rsplit(|byte| matches!(byte, b'.' | b')')).next().unwrap_or_default();
    let decodes = [&b"decode("[..], b"decodehex(", b"parsehex(", b"hextobytes("];
    let good = if path == 0 {
        matches!(long, 16 | 24 | 32)
    } else {
        long >= 16
            && decodes.iter().any(|own| own.eq_ignore_ascii_case(call))
            && (chance::is_random(word) || value::is_hex(word))
    };
    if good && text.get(from + long) == Some(&b'"') {
        add(text, from, from + long, spans);
    }
}

/// `jwt.sign(payload, 'X')`: what signs is a literal that ends an argument and was not read from elsewhere.
fn signed(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let line = crate::search::line(text, end, REACH);
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

/// `ALTUSER PRDB017 PASSWORD(X) NOEXPIRED`, `PHRASE('X')`, `CRTUSRPRF USRPRF(ANN) PASSWORD(X)`.
fn host_user(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    if at > 0 && text[at - 1].is_ascii_alphanumeric() {
        return end;
    }
    let line = crate::search::line(text, end, 96);
    for word in [&b"PASSWORD("[..], b"PHRASE('"] {
        let Some(at) = memchr::memmem::find(line, word) else { continue };
        let from = at + word.len();
        let long = line[from..].iter().position(|byte| matches!(byte, b')' | b'\'')).unwrap_or(0);
        // `*NONE`, `*SAME`: what a system calls no password.
        if line[from..].starts_with(b"*") {
            continue;
        }
        add(text, end + from, end + from + long, spans);
    }
    end
}

/// `solana id.json -> [143,165,…]`: 64 bytes, the private half first.
fn keypair(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const BYTES: usize = 64;
    const LONGEST: usize = BYTES * "255, ".len();
    imported(text, end, spans);
    let Some(gap) = memchr::memchr2(b'[', b'\n', &text[end..text.len().min(end + 32)]) else { return end };
    let from = end + gap + 1;
    let window = text.get(from..text.len().min(from + LONGEST)).unwrap_or_default();
    let Some(long) = memchr::memchr(b']', window) else { return end };
    crate::work::read(long);
    let is_byte =
        |number: &[u8]| std::str::from_utf8(number).is_ok_and(|number| number.parse::<u8>().is_ok());
    let mut numbers = window[..long].split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    if numbers.clone().count() == BYTES && numbers.all(is_byte) {
        spans.add(from, from + long, "private_key", true);
    }
    end
}

/// "import this in phantom to test: X": both halves in base 58, which an account's signatures are too.
fn imported(text: &[u8], end: usize, spans: &mut Spans) {
    let line = crate::search::line(text, end, 160);
    let before = crate::search::last_line(&text[end.saturating_sub(64)..end]).to_ascii_lowercase();
    let Some(colon) = memchr::memmem::find(line, b": ").filter(|_| crate::search::has(&before, b"import"))
    else {
        return;
    };
    let word = line[colon + 2..].trim_ascii();
    if matches!(word.len(), 86..=88) && word.iter().all(u8::is_ascii_alphanumeric) && chance::is_random(word)
    {
        let start = crate::search::offset(text, word);
        spans.add(start, start + word.len(), "private_key", true);
    }
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

/// Whether a literal follows.
pub(super) fn quoted_next(text: &[u8], end: usize) -> bool {
    let rest = text[end..text.len().min(end + 24)].trim_ascii_start();
    let lower = rest.to_ascii_lowercase();
    matches!(rest.first(), Some(b'\'' | b'"'))
        || lower.starts_with(b"password")
        || lower.starts_with(b"values")
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_key_may_be_decoded_first() {
        let key = "q7Kw2Zx9Lp4Rt8Yc1Hs6Td3Jf5Gb0Ue2Ia9Ko4Mv7Nx=";
        for text in [
            format!("val spec = SecretKeySpec(Base64.decode(\"{key}\"), \"AES\")"),
            format!("new SecretKeySpec(Base64.getDecoder().decode(\"{key}\"), \"AES\")"),
        ] {
            assert_eq!(found(&text), [key], "{text}");
        }
        for text in [
            format!("new SecretKeySpec(store.find(\"{key}\"), \"AES\")"),
            "new SecretKeySpec(Base64.getDecoder().decode(props.get(\"otter.river-7\")), \"AES\")".to_owned(),
            "new SecretKeySpec(raw, \"HmacSHA256\")".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn who_logs_in_and_a_colon() {
        for text in ["NVR admin:heron!Tide7", "- nas02 root:heron!Tide7, only from the office"] {
            assert_eq!(found(text), ["heron!Tide7"], "{text}");
        }
        for text in [
            "root:x:0:0:root:/root:/bin/bash",
            "scope admin:read_All7",
            "admin:/srv/Heron!7",
            "the admin:Heron? asked again",
            "admin:[REDACTED:password]",
            "admin:$HERON_Tide7",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn hosts_set_passwords_in_brackets() {
        assert_eq!(found("CHGUSRPRF USRPRF(ANN) PASSWORD(LAKE5SKY)"), ["LAKE5SKY"]);
        assert_eq!(found("ADDUSER TST1 DFLTGRP(T) PASSWORD(LAKE5SKY) TSO(X)"), ["LAKE5SKY"]);
        assert_eq!(found("CHGUSRPRF USRPRF(ANN) PASSWORD(*NONE)"), Vec::<&str>::new());
        assert_eq!(found("a valu PASSWORD(LAKE)"), Vec::<&str>::new());
    }

    #[test]
    fn tools_of_a_database_take_both_in_a_word() {
        for text in [
            "sqlplus hr/starfighter@//ora:1521/HR",
            "$ expdp hr/starfighter@FIN directory=D dumpfile=a.dmp",
            "$ expdp hr/\"starfighter\"@FIN directory=D",
            "sqlldr userid=hr/starfighter@FIN control=a.ctl",
            "rman target sys/starfighter@FIN catalog rman/starfighter@CAT",
            "SQL> conn hr/starfighter@FIN as x",
            ".LOGON tdp/ann,starfighter;",
        ] {
            assert!(
                found(text).iter().all(|found| *found == "starfighter") && !found(text).is_empty(),
                "{text}"
            );
        }
        for text in [
            "sqlplus -S / @scripts/run.sql",
            "sqlplus /nolog",
            "$ sql app/main@v2",
            "$ imp lib/part.dmp",
            "rman target / catalog x",
            "userid=ann/b.txt",
            "impdp system directory=D dumpfile=a/b.dmp",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_keypair_has_so_many_bytes() {
        let bytes =
            |count: usize| (0..count).map(|at| (at * 7 % 256).to_string()).collect::<Vec<_>>().join(",");
        assert_eq!(found(&format!("solana id.json -> [{}]", bytes(64))), [bytes(64)]);
        assert_eq!(found(&format!("solana slots [{}]", bytes(40))), Vec::<&str>::new());
        assert_eq!(found(&format!("keypair of\n[{}]", bytes(64))), Vec::<&str>::new());
    }
}
