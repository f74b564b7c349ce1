//! Names that machines give: what can be told to anybody, though much of it is random.

use super::{COLON, DASH, DOT, LIST, SLASH};

/// Whether `value` is such a name, by its form. `signs` are those that it has.
pub(super) fn is(value: &[u8], signs: u8) -> bool {
    let hex = |head: &[u8], long: usize| {
        value
            .strip_prefix(head)
            .is_some_and(|rest| rest.len() == long && rest.iter().all(u8::is_ascii_hexdigit))
    };
    hex(b"AC", 32)
        || hex(b"0x", 40)
        // Addresses in memory, the hash of no password.
        || value.starts_with(b"0xffff") && value.len() == 18
        || value.len() == 14 && [&b"0x55"[..], b"0x56", b"0x7f"].iter().any(|page| value.starts_with(page)) && crate::value::is_hex(&value[2..])
        || value.starts_with(b"aad3b435b51404eeaad3b435b51404ee:31d6cfe0d16ae931b73c59d7e0c089c0")
        || signs & DASH != 0
            && (is_pod(value)
                || is_day(value)
                || is_cloud_id(value)
                || is_made_of_digest(value)
                || is_marked_example(value)
                || is_advisory(value)
                || is_organisation(value))
        || signs & DOT != 0 && is_release(value)
        || signs & SLASH != 0 && (is_model(value) || is_zone(value) || is_of_commit(value))
        || signs & COLON != 0
            && (is_remote(value)
                || is_fingerprint(value)
                || is_station(value)
                || is_image(value)
                || is_sum(value)
                || value.starts_with(b"localhost:") && value[10..].iter().all(u8::is_ascii_digit))
        || signs & LIST != 0 && (is_thousands(value) || is_two_counts(value) || is_who_and_which(value))
        || is_object_of_stripe(value)
        || is_object_of_telephony(value)
        || value.starts_with(b"cs_live_a1") || value.starts_with(b"cs_test_a1")
        || is_telephone(value)
        || is_colour(value)
        || is_recipient(value)
        || is_numbered_example(value)
        || is_padded(value)
        || value.starts_with(b"gitlab+deploy-token-")
        // `ann%40otter.org%2F20261130%2Fauto%2Fstorage%2Fgoog4_request`: who signed an address, and for what.
        || value.ends_with(b"goog4_request")
}

/// `org-`: whose account it is, beside the key of one.
fn is_organisation(value: &[u8]) -> bool {
    value.strip_prefix(b"org-").is_some_and(|id| id.len() == 24 && id.iter().all(u8::is_ascii_alphanumeric))
}

/// `postgres:16`, `redis:7.2-alpine`: an image, and which.
fn is_image(value: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', value) else { return false };
    let (name, tag) = (&value[..colon], &value[colon + 1..]);
    let digits = tag.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let suffix = &tag[digits..];
    (3..=24).contains(&name.len())
        && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
        && (1..=4).contains(&tag.iter().take_while(|byte| byte.is_ascii_digit()).count())
        && (suffix.is_empty() || suffix.starts_with(b"-") && suffix[1..].iter().all(u8::is_ascii_lowercase))
}

/// `#7a1fd1`: of a page's style.
fn is_colour(value: &[u8]) -> bool {
    value.strip_prefix(b"#").is_some_and(|hex| {
        matches!(hex.len(), 3 | 6 | 8)
            && hex.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'))
            && hex.iter().any(u8::is_ascii_digit)
    })
}

/// `2026-10-21`, `2026-10-21T02:11:40+01:00`.
pub(super) fn is_day(value: &[u8]) -> bool {
    let time = |rest: &[u8]| {
        rest.len() >= 9
            && rest[0] == b'T'
            && rest[1..]
                .iter()
                .all(|byte| byte.is_ascii_digit() || matches!(byte, b':' | b'.' | b'+' | b'-' | b'Z'))
    };
    let Some((day, rest)) = value.split_at_checked(10) else { return false };
    day.starts_with(b"20")
        && day
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() })
        && (rest.is_empty() || time(rest))
}

/// `3118|204`: two columns of a count.
fn is_two_counts(value: &[u8]) -> bool {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    value.contains(&b'|') && value.split(|&byte| byte == b'|').all(digits)
}

/// `openrouter/qwen/qwen3-32b`: who serves a model, whose it is, and which.
fn is_model(value: &[u8]) -> bool {
    let word = |part: &[u8]| {
        (2..=24).contains(&part.len())
            && part[0].is_ascii_lowercase()
            && part.iter().all(|byte| {
                byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'.' | b'_')
            })
            && !crate::chance::is_random(part)
    };
    value.first().is_some_and(u8::is_ascii_lowercase)
        && memchr::memchr_iter(b'/', value).count() == 2
        && value.contains(&b'-')
        && value.iter().any(u8::is_ascii_digit)
        && value.split(|&byte| byte == b'/').all(word)
}

/// `node-modules-Linux-x64-be41b8…`, `v3-Linux-X64-`: what a cache keeps something under: words, and a whole digest or what
/// stands before one.
fn is_made_of_digest(value: &[u8]) -> bool {
    let mut parts = value.rsplit(|&byte| byte == b'-');
    let last = parts.next().unwrap_or_default();
    let digits = last.len() >= 8 && crate::value::is_hex(last);
    if !digits && !last.is_empty() {
        return false;
    }
    let digest = digits && matches!(last.len(), 40 | 64);
    let words =
        || parts.clone().filter(|part| part.len() >= 3 && part.iter().all(u8::is_ascii_alphabetic)).count();
    let system = || {
        parts
            .clone()
            .any(|part| matches!(part, b"Linux" | b"Windows" | b"macOS" | b"linux" | b"windows" | b"macos"))
    };
    let plain = || parts.clone().all(|part| part.len() <= 12 && part.iter().all(u8::is_ascii_alphanumeric));
    digest && words() >= 3 || system() && plain()
}

/// `SHA256:vnBXCFuZ…`: by what a key is known.
fn is_fingerprint(value: &[u8]) -> bool {
    value.strip_prefix(b"SHA256:").is_some_and(|sum| sum.len() == 43 || sum.len() == 44)
}

/// `+4915112345678`.
fn is_telephone(value: &[u8]) -> bool {
    value
        .strip_prefix(b"+")
        .is_some_and(|number| (9..=15).contains(&number.len()) && number.iter().all(u8::is_ascii_digit))
}

/// `12,440`.
fn is_thousands(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b',');
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    value.contains(&b',')
        && parts.next().is_some_and(|first| (1..=3).contains(&first.len()) && digits(first))
        && parts.all(|part| part.len() == 3 && digits(part))
}

/// `my-value-2`.
fn is_numbered_example(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let words = &value[..value.len() - digits];
    (1..=2).contains(&digits)
        && crate::search::has(words, b"value")
        && crate::placeholder::is_placeholder(words)
}

/// `a1b2c3d4-5678-90ab-cdef-EXAMPLE11111`: no id of random digits has such a word.
fn is_marked_example(value: &[u8]) -> bool {
    const WORD: &[u8] = b"example";
    let dashes = [8, 13, 18, 23];
    value.len() == 36
        && dashes.iter().all(|&at| value[at] == b'-')
        && value.windows(WORD.len()).any(|part| part.eq_ignore_ascii_case(WORD))
}

/// `7f1b0264000…0cccccccccccccccc`: no key has one digit a dozen times in a row.
fn is_padded(value: &[u8]) -> bool {
    value.len() >= 32
        && crate::value::is_hex(value)
        && value.chunk_by(|one, two| one == two).any(|same| same.len() >= 12)
}

/// `3c:84:6a:12:f0:9e`: a network card.
fn is_station(value: &[u8]) -> bool {
    value.len() == 17
        && value.chunks(3).all(|part| {
            part[..2].iter().all(u8::is_ascii_hexdigit) && part.get(2).is_none_or(|&sign| sign == b':')
        })
}

/// `sha256:9119768e…`, `hmac-sha256:5f012921…`, `/otter/river@sha256:fddb22a1…`: what a certificate, a word, an image must
/// be like.
fn is_sum(value: &[u8]) -> bool {
    const KINDS: [&[u8]; 4] = [b"sha1:", b"sha256:", b"sha512:", b"hmac-sha256:"];
    let value = crate::search::find(value, b"@sha256:").map_or(value, |at| &value[at + 1..]);
    let sum = KINDS.iter().find_map(|kind| value.strip_prefix(*kind));
    sum.is_some_and(|sum| sum.len() >= 40 && crate::value::is_hex(sum))
}

/// `/zipball/f1eac51e…`: words of a path, and which commit.
fn is_of_commit(value: &[u8]) -> bool {
    let Some(slash) = memchr::memrchr(b'/', value).filter(|_| value.starts_with(b"/")) else { return false };
    value.len() - slash == 41
        && slash > 0
        && value[..slash].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'/')
        && crate::value::is_hex(&value[slash + 1..])
}

/// `SNYK-JS-PASSPORT-2840631`, `GHSA-8cf7-32gw-wr33`: what somebody warns of.
fn is_advisory(value: &[u8]) -> bool {
    [&b"SNYK-"[..], b"GHSA-", b"CVE-", b"CWE-", b"RUSTSEC-", b"PYSEC-"]
        .iter()
        .any(|list| value.starts_with(list))
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        && value.iter().filter(|&&byte| byte == b'-').count() >= 2
}

/// `ann,5E1F7C02-9A4B-…`: a user and a number.
fn is_who_and_which(value: &[u8]) -> bool {
    let who = value.len().checked_sub(37).map(|at| value.split_at(at));
    who.is_some_and(|(who, which)| {
        !who.is_empty()
            && who.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
            && which[0] == b','
            && crate::value::is_uuid(&which[1..])
    })
}

/// `Europe/Oslo`.
fn is_zone(value: &[u8]) -> bool {
    const REGIONS: [&[u8]; 10] = [
        b"Africa",
        b"America",
        b"Antarctica",
        b"Asia",
        b"Atlantic",
        b"Australia",
        b"Etc",
        b"Europe",
        b"Indian",
        b"Pacific",
    ];
    memchr::memchr(b'/', value).is_some_and(|slash| {
        REGIONS.contains(&&value[..slash])
            && value[slash + 1..].first().is_some_and(u8::is_ascii_uppercase)
            && value[slash + 1..]
                .iter()
                .all(|byte| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'/' | b'-'))
    })
}

/// `deploy@cdn:/srv/www/`: a folder on another machine.
fn is_remote(value: &[u8]) -> bool {
    let name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_');
    let Some(at) = memchr::memchr(b'@', value) else { return false };
    let host = value[at + 1..].iter().take_while(|byte| name(byte)).count();
    let folder = &value[at + 1 + host..];
    at > 0
        && host > 0
        && value[..at].iter().all(name)
        && (folder.starts_with(b":/") || folder.starts_with(b":~"))
}

/// `1:4.13+dfsg1-1+deb12u1`, `2.0.0.post1`, `16.0.1.0.0.7`: which release of something. No `12.11.1987`.
pub(crate) fn is_release(value: &[u8]) -> bool {
    if value.len() > 40 || !value.first().is_some_and(u8::is_ascii_digit) || !value.contains(&b'.') {
        return false;
    }
    let joint = |byte: &u8| matches!(byte, b'.' | b'-' | b'+' | b'~' | b':');
    let year = value.rsplit(joint).next().is_some_and(|last| last.len() == 4);
    let parts = value.split(joint).count();
    parts >= 3 && (!year || parts > 3) && value.split(joint).all(is_part_of_release)
}

/// `12`, `dfsg1`, `10b0`, `deb12u1`.
fn is_part_of_release(mut part: &[u8]) -> bool {
    #[rustfmt::skip]
    const WORDS: [&[u8]; 19] = [
        b"build", b"pre", b"preview", b"nightly", b"final", b"", b"a", b"b", b"u", b"rc", b"alpha", b"beta", b"dev", b"post", b"deb", b"dfsg", b"ds", b"ubuntu", b"bpo",
    ];
    let empty = part.is_empty();
    while !part.is_empty() {
        let digits = part.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let letters = part[digits..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
        if digits + letters == 0 || !WORDS.contains(&&part[digits..digits + letters]) {
            return false;
        }
        part = &part[digits + letters..];
    }
    !empty
}

/// `i-1234567890abcdef0`, `vpc-1a2b3c4d`: what a cloud calls a thing.
fn is_cloud_id(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const THINGS: [&[u8]; 12] =
        [b"i", b"ami", b"vpc", b"subnet", b"sg", b"vol", b"snap", b"eni", b"igw", b"rtb", b"lt", b"eipalloc"];
    let Some(dash) = memchr::memchr(b'-', &value[..value.len().min(12)]) else { return false };
    let number = &value[dash + 1..];
    THINGS.contains(&&value[..dash])
        && matches!(number.len(), 8 | 17)
        && number.iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
}

/// `evt_1N…`, `cus_9s…`: what Stripe calls an event, a customer, a price; whoever knows it can do nothing with it.
fn is_object_of_stripe(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const OBJECTS: [&[u8]; 24] = [
        b"evt", b"cus", b"price", b"prod", b"acct", b"sub", b"ch", b"req", b"in", b"txn", b"pm", b"we", b"ii", b"si", b"po", b"re", b"plan", b"card", b"ba",
        b"il", b"py", b"dp", b"pi", b"seti",
    ];
    let Some(line) = memchr::memchr(b'_', value) else { return false };
    let (object, id) = (&value[..line], &value[line + 1..]);
    (14..=28).contains(&id.len()) && id.iter().all(u8::is_ascii_alphanumeric) && OBJECTS.contains(&object)
}

/// `SM3470069f3a73bd4809649c94390ffa44`: a message, a call, an account by its number; `SK…` is a key.
fn is_object_of_telephony(value: &[u8]) -> bool {
    const OBJECTS: [&[u8]; 12] =
        [b"SM", b"MM", b"AC", b"CA", b"PN", b"RE", b"CF", b"MG", b"AP", b"IS", b"VA", b"CH"];
    value.len() == 34
        && OBJECTS.contains(&&value[..2])
        && value[2..].iter().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
}

/// `age1ql3z…`: for whom something is encrypted.
fn is_recipient(value: &[u8]) -> bool {
    value.len() == 62
        && value.starts_with(b"age1")
        && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// `keycloak-7d9f8b6c5d-x2k9p`: what a cluster calls a process, in the letters that it uses for that.
fn is_pod(value: &[u8]) -> bool {
    if !matches!(value, [.., b'-', _, _, _, _, _]) {
        return false;
    }
    let mut parts = value.rsplit(|&byte| byte == b'-');
    let (Some(own), Some(template), Some(name)) = (parts.next(), parts.next(), parts.next()) else {
        return false;
    };
    let made = |part: &[u8]| part.iter().all(|byte| b"bcdfghjklmnpqrstvwxz2456789".contains(byte));
    own.len() == 5
        && (8..=10).contains(&template.len())
        && template.iter().any(u8::is_ascii_digit)
        && made(own)
        && made(template)
        && name.iter().all(u8::is_ascii_lowercase)
}
