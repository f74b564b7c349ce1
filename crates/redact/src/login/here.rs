//! What a shell, a script or a statement hands on as it stands: `<<< X`, `--password-command "echo X"`, `MD5('X')`,
//! `PRAGMA key = 'X'`, `DefaultPassword REG_SZ X`.

use super::{REACH, add, bare};
use crate::names::{self, Trust};
use crate::quote;
use crate::span::Spans;
use crate::value;

/// Looks at what stands around such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        b" <<< " => fed(text, at, end, spans),
        b"\"echo " | b"'echo " => asked(text, at, end, spans),
        b" reg_sz " => registered(text, at, end, spans),
        b".tochararray()" => signs(text, at, spans),
        b", gen_salt(" => before(text, at, spans),
        b"md5('" | b"sha1('" | b"sha2('" => hashed(text, at, end, spans),
        b"loginmodule required" => module(text, end, spans),
        b"pragma key" | b"pragma rekey" | b" as encrypted key" => {
            let gap =
                text[end..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b'=' | b'(')).count();
            literal(text, end + gap, |_| true, spans);
        }
        b"[]byte(\"" => {
            let line = crate::search::last_line(&text[at.saturating_sub(REACH)..at]).to_ascii_lowercase();
            let named = [&b"key"[..], b"secret", b"jwt", b"hmac", b"passphrase"]
                .iter()
                .any(|own| crate::search::has(&line, own));
            if named && !crate::search::has(&line, b"func ") {
                literal(text, end - 1, |word| !word.contains(&b' '), spans);
            }
        }
        b"= static:" => {
            let long = bare(text, end);
            if let Some(colon) = memchr::memchr(b':', &text[end..end + long]) {
                add(text, end + colon + 1, end + long, spans);
            }
        }
        // `gems.contribsys.com⏎Set for the current user (…): "d2989f28:538331bd"`: a user and what he paid for, in hex.
        b"contribsys.com" => licensed(text, end, spans),
        b"\"appid\": \"" => {
            let before = &text[at.saturating_sub(REACH)..at];
            let long = text[end..].iter().take(33).take_while(|byte| byte.is_ascii_hexdigit()).count();
            if long == 32 && crate::search::has(before, b"openweathermap") {
                add(text, end, end + long, spans);
            }
        }
        // `microk8s join 10.77.1.5:25000/b98286ee…/7b08a7968342`.
        b":25000/" => {
            let long = text[end..].iter().take(33).take_while(|byte| byte.is_ascii_hexdigit()).count();
            if long == 32 {
                add(text, end, end + long, spans);
            }
        }
        b"login ok: [" | b"login incorrect: [" => logged(text, end, spans),
        b"fastlane_session=" => literal(text, end, |word| word.len() > 40, spans),
        _ => return None,
    }
    Some(end)
}

fn licensed(text: &[u8], end: usize, spans: &mut Spans) {
    const LONG: usize = 8;
    let window = &text[end..text.len().min(end + 160)];
    let hex = |part: Option<&[u8]>| part.is_some_and(|part| part.iter().all(u8::is_ascii_hexdigit));
    let pair = memchr::memchr_iter(b':', window).find(|&colon| {
        colon >= LONG
            && hex(window.get(colon - LONG..colon))
            && hex(window.get(colon + 1..colon + 1 + LONG))
            && !window.get(colon + 1 + LONG).is_some_and(u8::is_ascii_alphanumeric)
    });
    if let Some(colon) = pair {
        add(text, end + colon - LONG, end + colon + 1 + LONG, spans);
    }
}

/// `Login OK: [ann/X] (from client …)`: as a RADIUS server logs who came, and with what.
fn logged(text: &[u8], end: usize, spans: &mut Spans) {
    let line = crate::search::line(text, end, 160);
    let Some(close) = memchr::memchr(b']', line) else { return };
    let Some(slash) = memchr::memchr(b'/', &line[..close]) else { return };
    let secret = &line[slash + 1..close];
    if !secret.starts_with(b"<") && secret.len() >= 4 {
        add(text, end + slash + 1, end + close, spans);
    }
}

/// The literal that opens at `at`, if it is a word that somebody may have chosen.
fn literal(text: &[u8], at: usize, is_own: fn(&[u8]) -> bool, spans: &mut Spans) {
    let Some((quote, start)) = quote::open(text, at) else { return };
    let Some(stop) = quote::close(text, start, quote) else { return };
    if is_own(&text[start..stop]) && stop >= start + 6 && !text[start..stop].contains(&b'$') {
        add(text, start, stop, spans);
    }
}

/// The literal that ends before `at`.
fn literal_before(text: &[u8], at: usize) -> Option<(usize, usize)> {
    let (&sign, inside) = text[at.saturating_sub(REACH)..at].split_last()?;
    if !matches!(sign, b'"' | b'\'') {
        return None;
    }
    crate::work::read(inside.len());
    let open = memchr::memrchr2(sign, b'\n', inside).filter(|&open| inside[open] == sign)?;
    Some((at - inside.len() + open, at - 1))
}

/// `kinit ann <<< X`, `pass insert -e web/x <<< 'X'`: what is fed to a command that asks for a secret.
fn fed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    #[rustfmt::skip]
    const ASKS: [&[u8]; 21] = [
        b"kinit", b"realm join", b" passwd", b"pass insert", b"cryptsetup", b"sudo -S", b"login", b"keyring set", b"secret put", b"secret set", b"env add",
        b"ssh-add", b"load-key", b"unlock", b"password", b"passphrase", b"secret-tool store", b"zfs create", b"vault", b"auth add", b"wpa_passphrase",
    ];
    let line = crate::search::last_line(&text[at.saturating_sub(REACH)..at]);
    crate::work::read(line.len());
    if !ASKS.iter().any(|ask| crate::search::has(line, ask)) {
        return;
    }
    if quote::open(text, end).is_some() {
        return literal(text, end, |_| true, spans);
    }
    let long = bare(text, end);
    if value::is_choosable(&text[end..end + long]) {
        add(text, end, end + long, spans);
    }
}

/// `--password-command "echo X"`, `-extpass 'echo X'`, `passwordeval "echo X"`: a command whose answer is the password.
fn asked(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let before = text[at.saturating_sub(28)..at].to_ascii_lowercase();
    let before = before.trim_ascii_end();
    let name = before.strip_suffix(b"=").or_else(|| before.strip_suffix(b":")).unwrap_or(before);
    let name = name.trim_ascii_end().rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let rest = &text[end..text.len().min(end + REACH)];
    let long = memchr::memchr2(text[at], b'\n', rest).unwrap_or(0);
    if crate::search::has(name, b"pass") && long >= 6 && rest[long] == text[at] {
        let word = rest[..long].trim_ascii();
        let start = crate::search::offset(text, word);
        if value::is_choosable(word) {
            add(text, start, start + word.len(), spans);
        }
    }
}

/// `DefaultPassword    REG_SZ    X`, `/v DefaultPassword /t REG_SZ /d X`: a value of a registry.
fn registered(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let line = crate::search::last_line(&text[at.saturating_sub(REACH)..at]);
    crate::work::read(line.len());
    let name = line.split(|&byte| byte == b' ').rfind(|word| !word.is_empty() && !word.starts_with(b"/"));
    let judged = name.and_then(names::judge).is_some_and(|name| name.trust >= Trust::Secret);
    let rest = text[end..text.len().min(end + REACH)].trim_ascii_start();
    let rest = rest.strip_prefix(b"/d ").unwrap_or(rest);
    let from = crate::search::offset(text, rest);
    let from = from + usize::from(text.get(from) == Some(&b'"'));
    let long = bare(text, from);
    if judged && value::is_choosable(&text[from..from + long]) {
        add(text, from, from + long, spans);
    }
}

/// `keystore.load(in, "X".toCharArray())`: a literal that is made into signs where a key, a store, a password is spoken of.
fn signs(text: &[u8], at: usize, spans: &mut Spans) {
    let Some((start, stop)) = literal_before(text, at) else { return };
    let line = crate::search::last_line(&text[start.saturating_sub(80)..start]).to_ascii_lowercase();
    let speaks =
        [&b"key"[..], b"ks.", b"kmf.", b"tmf.", b"store", b"pass", b"pkcs", b"auth", b"login", b"cert"]
            .iter()
            .any(|own| crate::search::has(&line, own));
    if speaks && value::is_choosable(&text[start..stop]) {
        add(text, start, stop, spans);
    }
}

/// `crypt('X', gen_salt('bf'))`.
fn before(text: &[u8], at: usize, spans: &mut Spans) {
    if let Some((start, stop)) = literal_before(text, at) {
        add(text, start, stop, spans);
    }
}

/// `UPDATE users SET pw = MD5('X')`: what a statement hashes for an account.
fn hashed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let statement = text[at.saturating_sub(REACH)..at].to_ascii_lowercase();
    crate::work::read(statement.len());
    let has = |word: &[u8]| crate::search::has(&statement, word);
    if (has(b"update ") || has(b"insert ")) && (has(b"pass") || has(b"pw") || has(b"user")) {
        literal(text, end - 1, value::is_choosable, spans);
    }
}

/// `PlainLoginModule required user_ann="X" user_bob="Y";`: each user of a broker.
fn module(text: &[u8], end: usize, spans: &mut Spans) {
    const LONGEST: usize = 240;
    let window = &text[end..text.len().min(end + LONGEST)];
    let inside = &window[..memchr::memchr(b';', window).unwrap_or(window.len())];
    crate::work::read(inside.len());
    for at in memchr::memmem::find_iter(inside, b"user_") {
        let name =
            inside[at..].iter().take(48).take_while(|byte| byte.is_ascii_graphic() && **byte != b'=').count();
        let Some(value) = inside[at + name..].strip_prefix(b"=\"") else { continue };
        let long = value.iter().take(64).position(|&byte| byte == b'"').unwrap_or(0);
        crate::work::read(name + long);
        let start = end + at + name + 2;
        add(text, start, start + long, spans);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_seals_a_clusters_talk_is_found() {
        let key = "kT9vQm2ZpXt7Rk4Wd3Yb5Nc1Hs6Jf8Ga0Lq2Ue4Io5M=";
        assert_eq!(found(&format!("encrypt = \"{key}\"\n")), [key]);
        assert_eq!(found("encrypt = \"aes-256-gcm\"\n"), Vec::<&str>::new());
    }

    #[test]
    fn what_is_handed_on_as_it_stands() {
        for text in [
            "$ kinit ann@EXAMPLE <<< starfighter",
            "wrangler secret put SMTP <<< 'starfighter'",
            "restic --password-command \"echo starfighter\" snapshots",
            "encfs -extpass='echo starfighter' a b",
            "passwordeval \"echo starfighter\"",
            "reg add HKLM\\x /v DefaultPassword /t REG_SZ /d starfighter /f",
            "    DefaultPassword    REG_SZ    starfighter\n",
            "keystore.load(in, \"starfighter\".toCharArray());",
            "UPDATE users SET password = crypt('starfighter', gen_salt('bf'));",
            "UPDATE wp_users SET user_pass=MD5('starfighter') WHERE ID=1;",
            "KafkaServer { x.PlainLoginModule required\n user_ann=\"starfighter\"; };",
            "PRAGMA key = 'starfighter';",
            "var jwtKey = []byte(\"starfighter\")",
            "smtp_sasl_password_maps = static:ann:starfighter",
        ] {
            assert_eq!(found(text), ["starfighter"], "{text}");
        }
    }

    #[test]
    fn what_else_is_handed_on_stays() {
        for text in [
            "grep -c x <<< starfighter",
            "kinit ann <<< $PW",
            "sh -c \"echo starfighter\"",
            "alias bypass='ls' && sh -c 'echo starfighter'",
            "    ProductName    REG_SZ    starfighter\n",
            "for (char c : \"starfighter\".toCharArray()) {",
            "$etag = md5('starfighter');",
            "SELECT MD5('starfighter');",
            "w.Write([]byte(\"starfighter\"))",
            "x.PlainLoginModule required;\nuser_ann=\"starfighter\"",
            "PRAGMA key_count;",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
