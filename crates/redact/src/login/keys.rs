//! Calls, parameters and forms that take a key by their place: a bot that is run, a wallet that is made of its key,
//! `?code=X` of a function, halves of a key with their check values.

use super::{add, bare};
use crate::prose::{is_leet, looks_chosen, looks_joined};
use crate::quote;
use crate::span::Spans;
use crate::{chance, value};

/// Looks at what follows such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        // `"Bot " + "X"`.
        b"\"bot \" + " | b"createdefault(" => {
            literal(text, end, is_bots, "discord_token", spans);
        }
        b"privatekeytoaccount(" | b"wallet(" => {
            literal(text, end, is_wallets, "wallet_key", spans);
        }
        b"oauth1userhandler(" => pairs(text, end, spans),
        b"oauthhandler(" | b"vonage(" => second(text, end, spans),
        b"&code=" | b"?code=" => parameter(text, at, end, spans),
        b"buildconfigfield(" | b"resvalue(" => build_field(text, end, spans),
        b" kcv " | b" kcv: " => component(text, at, spans),
        b", admin/" | b", root/" | b"/login " | b"`login " | b"/register " => typed(text, at, end, spans),
        _ => return None,
    }
    Some(end)
}

/// The first literal of a call, if it is what the call takes.
fn literal(text: &[u8], end: usize, is_own: fn(&[u8]) -> bool, kind: &'static str, spans: &mut Spans) {
    let Some((quote, start)) = quote::open(text, end) else { return };
    let Some(stop) = quote::close(text, start, quote) else { return };
    if is_own(&text[start..stop]) {
        spans.add(start, stop, kind, true);
    }
}

/// Three parts with dots between, of which the last is long.
fn is_bots(word: &[u8]) -> bool {
    let parts = word.split(|&byte| byte == b'.');
    let plain = word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
    plain && word.len() >= 50 && parts.count() == 3 && chance::is_random(word)
}

/// As long as a private key is, and no address.
fn is_wallets(word: &[u8]) -> bool {
    let key = word.strip_prefix(b"0x").unwrap_or(word);
    key.len() == 64 && value::is_hex(key) && !value::is_placeholder(key)
}

/// `buildConfigField("String", "DD_API_KEY", "\"X\"")`: a type, a name, and a value between quotes of its own.
fn build_field(text: &[u8], end: usize, spans: &mut Spans) {
    let literal = |at: usize| {
        let gap = text[at..].iter().take(3).take_while(|byte| matches!(byte, b',' | b' ')).count();
        let (quote, start) = quote::open(text, at + gap)?;
        let stop = quote::close(text, start, quote)?;
        Some((start, stop, stop + quote.slashes + 1))
    };
    let fields =
        literal(end).and_then(|kind| literal(kind.2)).and_then(|name| Some((name, literal(name.2)?)));
    let Some((name, (start, stop, _))) = fields else { return };
    let Some(name) = crate::names::judge(&text[name.0..name.1]) else { return };
    let value = &text[start..stop];
    let inside = value.strip_prefix(b"\\\"").and_then(|value| value.strip_suffix(b"\\\"")).unwrap_or(value);
    if value::is_secret(name, inside, value::Place::Quoted) {
        let from = crate::search::offset(text, inside);
        spans.add(from, from + inside.len(), name.kind, false);
    }
}

/// `OAuthHandler("KEY", "X")`: the second literal, if nobody would have written it.
fn second(text: &[u8], end: usize, spans: &mut Spans) {
    let Some((quote, first)) = quote::open(text, end) else { return };
    let Some(first_end) = quote::close(text, first, quote) else { return };
    let at = first_end + quote.slashes + 1;
    let gap = text[at..].iter().take(3).take_while(|byte| matches!(byte, b',' | b' ')).count();
    let Some((quote, start)) = quote::open(text, at + gap).filter(|_| gap > 0) else { return };
    let Some(stop) = quote::close(text, start, quote) else { return };
    let word = &text[start..stop];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    if word.len() >= 16 && digits >= 2 && (chance::is_random(word) || value::is_hex(word)) {
        add(text, start, stop, spans);
    }
}

/// `OAuth1UserHandler("X", "Y", "Z", "W")`: an application's key and secret, and a user's.
fn pairs(text: &[u8], end: usize, spans: &mut Spans) {
    let mut at = end + text[end..].iter().take(12).take_while(|byte| byte.is_ascii_whitespace()).count();
    for nth in 0..4 {
        let Some((quote, start)) = quote::open(text, at) else { return };
        let Some(stop) = quote::close(text, start, quote) else { return };
        let word = &text[start..stop];
        if word.len() >= if nth % 2 == 1 { 16 } else { 24 } && chance::is_random(word) {
            add(text, start, stop, spans);
        }
        at = stop + quote.slashes + 1;
        at += text[at..].iter().take(8).take_while(|byte| matches!(byte, b',' | b' ' | b'\n')).count();
    }
}

/// `?code=X` of a function in the cloud, longer than any code that is typed; `/oauth/callback?code=X` of a login.
fn parameter(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const SHORTEST: usize = 40;
    const SHORTEST_OF_LOGIN: usize = 20;
    let long = text[end..]
        .iter()
        .take(128)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'=' | b'%' | b'/'))
        .count();
    crate::work::read(long);
    let word = &text[end..end + long];
    let address = &text[at.saturating_sub(80)..at];
    let address = address.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let returns = || [&b"callback"[..], b"oauth"].iter().any(|word| crate::search::has(address, word));
    let function = long >= SHORTEST && (word.ends_with(b"==") || word.ends_with(b"%3D"));
    if (function || long >= SHORTEST_OF_LOGIN && returns()) && chance::is_random(word) {
        spans.add(end, end + long, "api_key", true);
    }
}

/// `C727…9F   KCV 4A91D0`: what the check value is of.
fn component(text: &[u8], at: usize, spans: &mut Spans) {
    let before = &text[at.saturating_sub(120)..at];
    let blanks =
        before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t' | b',' | b'(' | b'|')).count();
    let stop = at - blanks;
    let mut start = stop;
    // In groups of four, or as one word.
    loop {
        let long = text[..start].iter().rev().take(64).take_while(|byte| byte.is_ascii_hexdigit()).count();
        let whole = long >= 4 && long % 4 == 0 && stop - start < 96;
        if !whole {
            break;
        }
        start -= long;
        if text[..start].last() != Some(&b' ') || text[..start].len() < 5 {
            break;
        }
        start -= 1;
    }
    crate::work::read(stop - start);
    start += text[start..stop].iter().take_while(|&&byte| byte == b' ').count();
    let digits = text[start..stop].iter().filter(|byte| byte.is_ascii_hexdigit()).count();
    if matches!(digits, 16 | 32 | 48 | 64) {
        spans.add(start, stop, "api_key", true);
    }
}

/// `, admin/X`, `/login X` of a game's console: one word that shows itself and ends what is said.
fn typed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let before = at.checked_sub(1).map_or(b'\n', |at| text[at]);
    let command = text[end - 1] == b' ';
    if command && !matches!(before, b'\n' | b' ' | b'`' | b'"' | b'\'' | b':' | b'(') {
        return;
    }
    // `POST /login X`: a request.
    let request = command && text[at.saturating_sub(5)..at].trim_ascii().iter().all(u8::is_ascii_uppercase);
    if request && before == b' ' {
        return;
    }
    let long = bare(text, end);
    let word = &text[end..end + long];
    let rest = &text[end + long..];
    let ends = matches!(rest.first(), None | Some(b'\n' | b'\r' | b'`' | b'"' | b'\'' | b')' | b';' | b','))
        || rest.first() == Some(&b'.') && rest.get(1).is_none_or(u8::is_ascii_whitespace);
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let shows = looks_chosen(word) || looks_joined(word) || is_leet(word);
    if ends
        && digits >= 1
        && shows
        && value::is_chosen(word)
        && !word.contains(&b'.')
        && !crate::prose::is_numbered_thing(word)
    {
        add(text, end, end + long, spans);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_place_takes_a_key() {
        let bot = "MTAxmZuKpQxV7tLs2WdYb9Rk.Gx7Lm2.k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6TqPwZj4Vf";
        let hex = "6eb44625730d4c280d998045cd5a12c0cb632464e99015ba46a0cbeb279c50ac";
        for call in ["bot.run", "client.run", "client.login", "bot.login", "JDABuilder.createDefault"] {
            assert_eq!(found(&format!("{call}('{bot}')")), [bot], "{call}");
        }
        for call in ["w3.eth.account.from_key", "new ethers.Wallet", "privateKeyToAccount"] {
            assert_eq!(found(&format!("{call}(\"{hex}\")")), [hex], "{call}");
        }
        for text in [
            "new Pusher('81f2ab90cd3e45671234', 'ab81c3f2904d5e671277', '1290')",
            "tweepy.OAuthHandler(\"ab81c3f2904d5e6712\", \"k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6\")",
            "ansible-playbook --become-password-file <(echo gramophone) site.yml",
            "age -d --password-file <(printf '%s' 'gramophone') a.age",
            "curl 'https://kontor.example/api/hook?code=k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6TqPwZj4Vf-8Gd2Xs=='",
            "GET /auth/github/callback?state=1f&code=k8vLm2ZpXt9Rk7Wd3Yb5Nc1 HTTP/1.1",
            "part 2: 8A31F7C02B94D5E6017C3FD2A8B46E95 KCV 81A0C3",
            "part 2: 8A31 F7C0 2B94 D5E6 017C 3FD2 A8B4 6E95  KCV: 81A0C3",
            "the router is on 10.0.0.1, admin/gr4mophone7",
            "on the server type `/login gramoph0ne7` first",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }

    #[test]
    fn what_has_no_such_place_stays() {
        for text in [
            "bot.run(\"the.long.way\")",
            "client.login(\"short.words.only\")",
            "new Wallet(\"0x71C7656EC7ab88b098defB751B7401B5f6d8976F\")",
            "account.from_key(\"alice\")",
            "new Pusher('app-name', 'eu-cluster-2', '1290')",
            "diff <(echo gramophone7) <(echo gramophone8)",
            "GET /catalogue?code=k8vLm2ZpXt9Rk7Wd3Yb5Nc1 HTTP/1.1",
            "GET /auth/callback?code=invalid_request_of_user HTTP/1.1",
            "https://shop.example/cb?code=summer-sale-2024&state=x",
            "the resulting KCV 81A0C3 is written down",
            "see config, admin/settings2.html and admin/page",
            "GET /login 200 12ms",
            "POST /login Mozilla5",
            "go to /login page2 of the manual",
            "POST /register v2 and more",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
