//! Tokens that stand alone, without a name: `acme_Zk3…`, whose first word says whose they are; a wallet's key; a
//! volume's recovery key. A new vendor's token needs no rule, if it is long enough.

use crate::chance;
use crate::search::Words;
use crate::span::Spans;

const LONGEST: usize = 400;
/// Of the random part behind a token's first words.
const SHORTEST_BODY: usize = 36;
/// What no kind of token is shorter than.
const FEWEST: usize = 35;

/// Looks at each part of a long run that holds letters, digits, `_` and `-` alone.
pub(crate) fn scan(text: &[u8], start: usize, end: usize, spans: &mut Spans) {
    // `AGFubgBY…`: a user and a password behind nothing.
    if text[start] == b'A' && text[start + 1] == b'G' && crate::header::is_sasl_plain(&text[start..end]) {
        return spans.add(start, end, "basic_auth", true);
    }
    if (SANCTUM..SANCTUM + 9).contains(&(end - start)) && is_of_sanctum(text, start, end) {
        return spans.add(start, end, "api_key", true);
    }
    // Most runs are shorter.
    if end - start < FEWEST {
        if end - start == 32
            && let Some(end) = halves(text, start, end)
        {
            return spans.add(start, end, "api_key", true);
        }
        if end - start == PRODUCT_KEY && is_product_key(text, start, end) {
            spans.add(start, end, "license_key", true);
        }
        return;
    }
    crate::work::read(end - start);
    if end - start == 64 && is_of_notifications(text, start, end) {
        return spans.add(start, end, "key", false);
    }
    if end - start == MYSQL && is_of_mysql(text, start, end) {
        return spans.add(start - 1, end, "password", true);
    }
    if matches!(end - start, 52 | 64) && is_authenticator(text, start, end) {
        return spans.add(start, end, "otp", false);
    }
    if end - start == KEY && is_key_in_talk(text, start, end) {
        return spans.add(start, end + 1, "key", false);
    }
    let mut from = start;
    let signs = memchr::memchr2_iter(b'+', b'/', &text[start..end]).map(|at| start + at);
    for to in signs.chain([end]) {
        // In names and rules of dashes stands no digit.
        if (FEWEST..=LONGEST).contains(&(to - from)) && text[from..to].iter().any(u8::is_ascii_digit) {
            judge(text, from, to, spans);
        }
        from = to + 1;
    }
}

fn judge(text: &[u8], start: usize, end: usize, spans: &mut Spans) {
    let run = &text[start..end];
    let before = start.checked_sub(1).map_or(b' ', |at| text[at]);
    let after = text.get(end).copied().unwrap_or(b' ');
    let base64 = matches!(before, b'+' | b'/' | b'=') || matches!(after, b'+' | b'/' | b'=');
    if before == b'.' || before == b'\\' || is_digest(&text[..start]) {
        return;
    }
    if run.len() == EIGHTS && is_in_eights(run) {
        spans.add(start, end, "license_key", true);
    } else if !base64 && is_wallet_key(run) {
        spans.add(start, end, "wallet_key", true);
    } else if !base64 && is_of_okta(run) {
        spans.add(start, end, "api_key", true);
    } else if !base64 && is_seed_of_nats(run) {
        spans.add(start, end, "private_key", true);
    } else if !base64 && is_volume_key(run) {
        spans.add(start, end, "recovery_key", true);
    } else if is_in_groups(run, MAILGUN) || BUNNY.iter().any(|groups| is_in_groups(run, groups)) {
        spans.add(start, end, "api_key", true);
    } else if is_ghost_key(text, start, end) {
        spans.add(start - GHOST_ID - 1, end, "api_key", true);
    } else if after != b'+' && (is_prefixed(run) || is_of_account(run)) {
        spans.add(start, end, "api_key", false);
    }
}

/// `00RTtfEFKmHse-qs0N…`: forty-two letters behind two zeros, as Okta's are.
fn is_of_okta(run: &[u8]) -> bool {
    let has = |sort: fn(&u8) -> bool| run[2..].iter().any(sort);
    run.len() == 42
        && run.starts_with(b"00")
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_digit)
        && chance::is_random(run)
}

/// `c4b95a21….8Ejaadoe1Zc2T9dW`: an id in hex, and what signs, as Zhipu hands them out.
fn halves(text: &[u8], start: usize, end: usize) -> Option<usize> {
    const SIGNS: usize = 16;
    let half = text[end..].strip_prefix(b".")?;
    let long = half.iter().take(SIGNS + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let has = |sort: fn(&u8) -> bool| half[..long].iter().any(sort);
    let mixed = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase) && has(u8::is_ascii_uppercase);
    (long == SIGNS && mixed && crate::value::is_hex(&text[start..end])).then_some(end + 1 + SIGNS)
}

/// Digits of what a database keeps of a password.
const MYSQL: usize = 40;

/// `*8DDA1F6A471CCF63D79F9B37D62816C2CC5D3D21`: a star before capital hex, as `MySQL` keeps a password.
fn is_of_mysql(text: &[u8], start: usize, end: usize) -> bool {
    let hex = |byte: &u8| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte);
    let quoted =
        |byte: u8| matches!(byte, b' ' | b'\'' | b'"' | b'`' | b'|' | b'\t' | b'\n' | b':' | b',' | b'=');
    text[..start].ends_with(b"*")
        && start.checked_sub(2).is_none_or(|at| quoted(text[at]))
        && text[start..end].iter().all(hex)
        && text[start..end].iter().any(u8::is_ascii_alphabetic)
}

/// Letters and digits of a token that Laravel's Sanctum makes, at least.
const SANCTUM: usize = 40;

/// `1|7WwckLWJLqqToscGolLg…`: which of many, a bar, and the token.
fn is_of_sanctum(text: &[u8], start: usize, end: usize) -> bool {
    let Some(number) = text[..start].strip_suffix(b"|") else { return false };
    let digits = number.iter().rev().take(7).take_while(|byte| byte.is_ascii_digit()).count();
    let before = number[..number.len() - digits].last();
    let has = |sort: fn(&u8) -> bool| text[start..end].iter().any(sort);
    (1..=6).contains(&digits)
        && before.is_none_or(|byte| matches!(byte, b'"' | b'\'' | b' ' | b'=' | b':' | b'\n' | b'`'))
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_uppercase)
        && has(u8::is_ascii_lowercase)
        && text[start..end].iter().all(u8::is_ascii_alphanumeric)
}

/// Five times five, and what joins them.
const PRODUCT_KEY: usize = 29;

/// `NQ4TX-7YV2K-R9WJM-3HCGP-D8BFL`: five groups of five capitals and digits, as a maker of systems gives them out; no
/// part of a path, no words and years.
fn is_product_key(text: &[u8], start: usize, end: usize) -> bool {
    let run = &text[start..end];
    let form = run.iter().enumerate().all(|(at, byte)| match at % 6 {
        5 => *byte == b'-',
        _ => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
    });
    let before = start.checked_sub(1).map_or(b' ', |at| text[at]);
    let after = text.get(end).copied().unwrap_or(b' ');
    let path =
        matches!(before, b'.' | b'\\' | b'@' | b'%' | b'{') || matches!(after, b'\\' | b'@' | b'%' | b'}');
    let mixed =
        |group: &&[u8]| group.iter().any(u8::is_ascii_digit) && group.iter().any(u8::is_ascii_uppercase);
    form && !path
        && run.split(|&byte| byte == b'-').filter(mixed).count() >= 3
        // Hex digits are of a build, of a device.
        && run.iter().any(|byte| matches!(byte, b'G'..=b'Z'))
        && run.iter().filter(|byte| byte.is_ascii_uppercase()).count() >= 8
        && !crate::value::is_placeholder(run)
}

/// Four times eight, and what joins them.
const EIGHTS: usize = 35;

/// `8P57YFJG-3P4VJB37-8EMEWEDW-0QKBQOUR`: four groups of eight capitals and digits, and no hex.
fn is_in_eights(run: &[u8]) -> bool {
    let form = run.iter().enumerate().all(|(at, byte)| match at % 9 {
        8 => *byte == b'-',
        _ => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
    });
    let mixed = |group: &&[u8]| {
        group.iter().any(u8::is_ascii_digit) && group.iter().any(|byte| (b'G'..=b'Z').contains(byte))
    };
    form && run.split(|&byte| byte == b'-').filter(mixed).count() >= 3 && !crate::value::is_placeholder(run)
}

/// Hex digits of Mailgun's keys, and of Bunny's, which go on behind a UUID or behind one without its fourth group.
const MAILGUN: &[usize] = &[32, 8, 8];
const BUNNY: [&[usize]; 2] = [&[8, 4, 4, 4, 12, 4, 4], &[8, 4, 4, 12, 4, 4]];

/// `fcc10487…-3331fd36-3cd1c71f`: groups of so many small hex digits.
fn is_in_groups(run: &[u8], longs: &[usize]) -> bool {
    run.len() == longs.iter().sum::<usize>() + longs.len() - 1
        && run.split(|&byte| byte == b'-').map(<[u8]>::len).eq(longs.iter().copied())
        && run.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f' | b'-'))
}

/// Hex digits of the id before a key of Ghost's.
const GHOST_ID: usize = 24;

/// `82c1a1a4…:2fcd0594…` of somebody who speaks of Ghost: an id and the key to sign with.
fn is_ghost_key(text: &[u8], start: usize, end: usize) -> bool {
    static GHOST: Words<1> = Words::new([b"ghost"]);
    let hex = |run: &[u8]| run.iter().all(u8::is_ascii_hexdigit);
    let Some(from) = start.checked_sub(GHOST_ID + 1) else { return false };
    end - start == 64
        && text[start - 1] == b':'
        && hex(&text[from..start - 1])
        && hex(&text[start..end])
        && GHOST.within(&text[from.saturating_sub(160)..from])
}

/// A key as wallets export it: base 58, and by its first letter for which of them.
fn is_wallet_key(run: &[u8]) -> bool {
    let base58 = |byte: &u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l');
    let form = matches!((run[0], run.len()), (b'K' | b'L', 52) | (b'5', 51));
    form && run.iter().all(base58) && chance::is_random(run)
}

/// `SUACS34K…`: `S`, whose seed it is, and base 32 up to 58 signs.
fn is_seed_of_nats(run: &[u8]) -> bool {
    let base32 = |byte: &u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte);
    run.len() == 58
        && run[0] == b'S'
        && b"AUONCX".contains(&run[1])
        && run.iter().all(base32)
        && run.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
}

/// Eight times six digits, not all alike.
fn is_volume_key(run: &[u8]) -> bool {
    let group = |group: &[u8]| group.len() == 6 && group.iter().all(u8::is_ascii_digit);
    let mut groups = run.split(|&byte| byte == b'-');
    run.len() == 55
        && groups.clone().all(group)
        && groups.next().is_some_and(|first| groups.filter(|group| *group != first).count() >= 6)
        && !crate::value::is_placeholder(run)
}

/// `enter the key manually⏎3ECYI452…`: base 32 alone on its line, where a second factor is spoken of.
fn is_authenticator(text: &[u8], start: usize, end: usize) -> bool {
    static FACTORS: Words<6> =
        Words::new([b"mfa", b"2fa", b"authenticator", b"two-factor", b"qr code", b"key manually"]);
    let run = &text[start..end];
    let base32 = |byte: &u8| byte.is_ascii_uppercase() || (b'2'..=b'7').contains(byte);
    run.iter().all(base32)
        && run.iter().filter(|byte| byte.is_ascii_digit()).count() >= 4
        && text[..start].ends_with(b"\n")
        && matches!(text.get(end), None | Some(b'\n' | b'\r'))
        && FACTORS.within(&text[start.saturating_sub(160)..start])
}

/// `adyen HMAC for notifications is 4841422DF7…`: 64 capital hex digits, as they sign what they tell.
fn is_of_notifications(text: &[u8], start: usize, end: usize) -> bool {
    static ADYEN: Words<1> = Words::new([b"adyen"]);
    let before = &text[start.saturating_sub(240)..start];
    text[start..end].iter().all(|byte| byte.is_ascii_digit() || (b'A'..=b'F').contains(byte))
        && crate::search::has(&before[before.len().saturating_sub(40)..], b"HMAC")
        && ADYEN.within(before)
}

/// Signs of 32 bytes in base64, without what fills them up.
const KEY: usize = 43;

/// "the HMAC key in staging was the old one. With `KWM83Hcg…=` it verifies": 32 bytes of base64 where keys are spoken of.
fn is_key_in_talk(text: &[u8], start: usize, end: usize) -> bool {
    #[rustfmt::skip]
    static KEYS: Words<8> = Words::new([
        b"hmac key", b"signing key", b"encryption key", b"unseal", b"master key", b"shared key", b"secret key", b"fernet key",
    ]);
    #[rustfmt::skip]
    static OTHERS: Words<11> = Words::new([
        b"public", b"pubkey", b"fingerprint", b"digest", b"sha256", b"sha-256", b"hash", b"checksum", b"integrity", b"commit", b"peer",
    ]);
    let run = &text[start..end];
    let padded = text.get(end) == Some(&b'=')
        && text.get(end + 1).is_none_or(|byte| !byte.is_ascii_alphanumeric() && *byte != b'=');
    let before = &text[start.saturating_sub(160)..start];
    padded
        && matches!(before.last(), Some(b' ' | b'`' | b'"' | b'\''))
        && is_varied(run)
        && chance::is_random(run)
        && KEYS.within(before)
        && !OTHERS.within(before)
}

/// First words of ids, digests and what everybody may see.
#[rustfmt::skip]
const KNOWN: [&[u8]; 90] = [
    b"toolu", b"srvtoolu", b"msg", b"req", b"call", b"chatcmpl", b"cmpl", b"resp", b"file", b"asst", b"thread", b"run", b"step", b"batch", b"rs", b"fc",
    b"id", b"ids", b"trace", b"span", b"sess", b"session", b"conv", b"task", b"job", b"evt", b"event", b"cs", b"pi", b"ch", b"cus", b"sub", b"price", b"prod",
    b"plan", b"acct", b"cluster", b"node", b"build", b"commit", b"rev", b"sha", b"sha1", b"sha256", b"sha384", b"sha512", b"md5", b"hash", b"digest",
    b"integrity", b"etag", b"nonce", b"state", b"chunk", b"page", b"bundle", b"vendor", b"main", b"index", b"app", b"pk", b"pub", b"public", b"blob", b"img",
    b"image", b"upload", b"uploads", b"doc", b"user", b"order", b"inv", b"tx", b"txn", b"block", b"addr", b"cache", b"fingerprint", b"boundary", b"part",
    b"next", b"cursor", b"phc", b"anon", b"sha224", b"blake2", b"blake2b", b"blake2s", b"blake3", b"checksum",
];

/// What digests are called that stand beside their name: `sha256=`, `"checksum": "`.
#[rustfmt::skip]
const DIGESTS: [&[u8]; 14] = [
    b"sha1", b"sha224", b"sha256", b"sha384", b"sha512", b"md5", b"blake2", b"blake2b", b"blake2s", b"blake3", b"integrity", b"digest",
    b"checksum", b"hash",
];

/// Whether what ends here says that a digest follows, whatever that looks like.
fn is_digest(before: &[u8]) -> bool {
    let dressing = |byte: &u8| matches!(byte, b' ' | b'"' | b'\'' | b'\\');
    let bare = |text: &[u8]| text.iter().rposition(|byte| !dressing(byte)).map_or(0, |last| last + 1);
    let before = &before[before.len().saturating_sub(24)..];
    let Some(joined) =
        before[..bare(before)].strip_suffix(b"=").or_else(|| before[..bare(before)].strip_suffix(b":"))
    else {
        return false;
    };
    let name = &joined[..bare(joined)];
    let own = name.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    DIGESTS.iter().any(|digest| digest.eq_ignore_ascii_case(&name[name.len() - own..]))
}

/// `acme_Zk3…`, `acme_live_Zk3…`, `acme-Zk3…`: a few small words, and behind them what nobody wrote.
fn is_prefixed(run: &[u8]) -> bool {
    let words = run
        .iter()
        .enumerate()
        .take(24)
        .take_while(|(_, byte)| byte.is_ascii_lowercase() || byte.is_ascii_digit() || is_joint(**byte))
        .filter(|(_, byte)| is_joint(**byte))
        .map(|(at, _)| at)
        .last();
    let Some(joint) = words.filter(|&joint| joint >= 2) else { return false };
    let (words, body) = (&run[..joint], &run[joint + 1..]);
    let solid = body.iter().take(SHORTEST_BODY).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    if solid < SHORTEST_BODY || !is_varied(body) {
        return false;
    }
    let first = words.split(|&byte| is_joint(byte)).next().unwrap_or_default();
    run[0].is_ascii_lowercase()
        && (2..=16).contains(&first.len())
        && !KNOWN.contains(&first)
        && !words
            .split(|&byte| is_joint(byte))
            .any(|word| matches!(word, b"id" | b"ids" | b"pub" | b"public"))
        && chance::density(words) < 60
        && chance::density(body) >= 54
}

/// Digits, capitals and small letters.
fn is_varied(body: &[u8]) -> bool {
    let count = |sort: fn(&u8) -> bool| body.iter().filter(|byte| sort(byte)).count();
    count(u8::is_ascii_digit) >= 4 && count(u8::is_ascii_uppercase) >= 4 && count(u8::is_ascii_lowercase) >= 4
}

/// `live_58870d45…`: the key of a live or a trial account.
fn is_of_account(run: &[u8]) -> bool {
    let body = run.strip_prefix(b"live_").or_else(|| run.strip_prefix(b"test_"));
    body.is_some_and(|body| match body.len() {
        // Mollie's.
        30 => is_varied(body) && body.iter().all(u8::is_ascii_alphanumeric),
        long => long >= 32 && crate::value::is_hex(body),
    })
}

fn is_joint(byte: u8) -> bool {
    matches!(byte, b'_' | b'-')
}

#[cfg(test)]
mod tests {
    use crate::scan;
    use crate::testing::found;

    const BODY: &str = "Zk3vTq9LmX2bRw7YcN5dHs8JfG4aPe6UiO1K";

    #[test]
    fn two_halves_are_one_key() {
        let key = "c4b95a21368b5b4a000fc2880bf91490.8Ejaadoe1Zc2T9dW";
        assert_eq!(found(&format!("conftest.py sets it to {key}, which looks live")), [key]);
        let key = "00RTtfEFKmHse-qs0NqAmHmMSlIa-4ASOg5YSm_5Hs";
        assert_eq!(found(&format!("client = Client(  # Okta\n    \"{key}\",\n")), [key]);
        for text in
            ["c4b95a21368b5b4a000fc2880bf91490.js", "app.c4b95a21368b5b4a000fc2880bf91490.chunkofotherthings"]
        {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn hex_digits_in_groups_are_some_sellers() {
        for key in [
            "fcc104872341c568b6b06e6249d7ffe8-3331fd36-3cd1c71f",
            "de0858b0-7529-1939-f0c0bd37c05b-a77e-dae5",
            "db46c6db-a37b-4300-a85c-9abd36c1811e-953d-af68",
            "82c1a1a45b1596c914813618:2fcd059435f6cefa610a60fb27e87a2f9f94ba389e9f9f044e3a34887c12415e",
        ] {
            let text = format!("of the ghost blog: OTTER={key}\n");
            let found: Vec<&str> = scan(&text).iter().map(|span| &text[span.start..span.end]).collect();
            assert_eq!(found, [key]);
        }
        for id in [
            "db46c6db-a37b-4300-a85c-9abd36c1811e",
            "db46c6db-a37b-4300-a85c-9abd36c1811e-953d",
            "of the host: 82c1a1a45b1596c914813618:2fcd059435f6cefa610a60fb27e87a2f9f94ba389e9f9f044e3a34887c12415e",
        ] {
            assert_eq!(scan(&format!("OTTER={id}\n")), [], "{id}");
        }
    }

    #[test]
    fn five_times_five_are_a_products() {
        let key = "NQ4TX-7YV2K-R9WJM-3HCGP-D8BFL";
        for text in [
            format!("Otter Server 2022 Std (sql-otter): {key}"),
            format!("Otter Std   {key}   MAK, 40 left"),
            format!("{key}\n"),
            format!("(\"{key}\", 3)"),
        ] {
            assert_eq!(found(&text), [key], "{text}");
        }
        for text in [
            "XXXXX-XXXXX-XXXXX-XXXXX-XXXXX",
            "11111-22222-33333-44444-55555",
            "ALPHA-BRAVO-DELTA-HOTEL-INDIA",
            "4F2A1-9C5E1-B7D3F-02846-AA1C7",
            "nq4tx-7yv2k-r9wjm-3hcgp-d8bfl",
            "NQ4TX-7YV2K-R9WJM-3HCGP",
            "A-NQ4TX-7YV2K-R9WJM-3HCGP-D8BFL",
            "NQ4TX-7YV2K-R9WJM-3HCGP-D8BF",
            "OTTER-RIVER-STONE-BUILD-20241",
            "img\\NQ4TX-7YV2K-R9WJM-3HCGP-D8BFL\\a",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_long_token_says_whose_it_is() {
        for prefix in ["acme_", "acme-", "acme_live_", "ac2_pat_", "harbor-svc-"] {
            let token = format!("{prefix}{BODY}");
            assert_eq!(found(&format!("took {token}, thanks")), [&token]);
        }
    }

    #[test]
    fn an_account_has_a_key_of_digits() {
        let key = "live_58870d45624d4b35fa480665f4bfac122a0";
        assert_eq!(found(&format!("LOB={key}")), [key]);
        assert_eq!(found(&format!("LOB={}", key.replace("live", "lives"))), Vec::<&str>::new());
    }

    #[test]
    fn each_known_first_word_is_an_id() {
        for word in super::KNOWN {
            let word = std::str::from_utf8(word).expect("text");
            let text = format!("took {word}_{BODY}, thanks");
            assert_eq!(found(&text), Vec::<&str>::new());
        }
    }

    #[test]
    fn what_stands_beside_a_digests_name_is_one() {
        for name in super::DIGESTS {
            let name = std::str::from_utf8(name).expect("text");
            for text in [
                format!("otter.py,{name}=acme_{BODY},498"),
                format!("{{\"{name}\": \"acme_{BODY}\"}}"),
                format!("file_{name}:acme_{BODY} otter.tar"),
            ] {
                assert_eq!(found(&text), Vec::<&str>::new());
            }
            let token = format!("acme_{BODY}");
            assert_eq!(found(&format!("otter.py,{name}x={token},498")), [token]);
        }
    }

    #[test]
    fn what_is_no_token_stays() {
        for text in [
            format!("took acme_{} thanks", &BODY[..30]),
            format!("took acme_user_id_{BODY} thanks"),
            format!("took acme_{} thanks", BODY.to_lowercase()),
            "call make_the_longest_function_name_that_anybody_has_ever_seen_2024 now".to_owned(),
            "test_AuthenticationManagerBuilderFactoryProvider2024WithManyParameters3".to_owned(),
            "----------------------------------------1----------------".to_owned(),
            "module.py,sha256=eg-OURdfZW3n3bib1-zP3SZl6cIm2VZup1pr_96CyLk,598".to_owned(),
            "took ref/Zk3vTq9LmX2bRw7YcN5dHs8JfG4aPe6UiO1KZk3vTq9LmX2bRw now".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new());
        }
    }

    #[test]
    fn keys_of_wallets_and_volumes_need_no_name() {
        let key = "L3vPZ6oo86tkVVUTCMLZS5FNCj3dGVD1d9V6dVZ5KQYx4kt4nFGC";
        assert_eq!(found(&format!("that one: {key}")), [key]);
        assert_eq!(found(&format!("that one: {}", &key[..51])), Vec::<&str>::new());
        let volume = "665874-319561-268411-574871-429627-640530-170720-507474";
        assert_eq!(found(&format!("lies at {volume}")), [volume]);
        for other in [&volume[7..], &"665874-".repeat(8)[..55], &volume.replace("319561", "31956a")] {
            assert_eq!(found(&format!("lies at {other}")), Vec::<&str>::new());
        }
    }
}
