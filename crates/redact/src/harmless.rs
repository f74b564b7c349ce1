//! What is found and yet no secret, whatever its name: known to everybody by its form, or (`around`) by what stands
//! around it.

mod around;
mod beside;
mod code;
mod label;
pub(crate) use self::beside::SEE;
pub(crate) use self::label::is_label;

use crate::search::Words;

/// Nothing but an example's web token is longer.
const LONGEST: usize = 256;

/// Whether what stands at `start..end` was found and is yet no secret.
pub(crate) fn is_harmless(text: &[u8], start: usize, end: usize) -> bool {
    let value = &text[start..end];
    is_known(value)
        || value.len() <= LONGEST
            && (code::says_so(text, start, value) || crate::view::is_lead(text, start, end))
        || around::says_so(text, start, end)
}

/// What is found and yet no secret, whatever its name: an account's number, a wallet's address, what documentation
/// has for everybody.
fn is_known(value: &[u8]) -> bool {
    const EXAMPLES: [&[u8]; 3] = [
        b"SflKxwRJSMeKKF2QT4fwpMeJf36POk6yJV_adQssw5c",
        b"AKIAIOSFODNN7EXAMPLE",
        b"sk_test_4eC39HqLyjWDarjtT1zdp7dc",
    ];
    let hex = |head: &[u8], long: usize| {
        value
            .strip_prefix(head)
            .is_some_and(|rest| rest.len() == long && rest.iter().all(u8::is_ascii_hexdigit))
    };
    if EXAMPLES.iter().any(|example| value.ends_with(example)) {
        return true;
    }
    if value.len() > LONGEST {
        return false;
    }
    // Most values have few of these signs, and are not asked what only is with them.
    let signs = crate::search::sorts(value, &SIGNS);
    hex(b"AC", 32)
        || hex(b"0x", 40)
        || signs & DASH != 0
            && (is_pod(value)
                || is_day(value)
                || is_cloud_id(value)
                || is_made_of_digest(value)
                || is_marked_example(value)
                || is_advisory(value))
        || signs & DOT != 0 && (is_release(value) || is_page(value) || is_setting_path(value))
        || signs & SLASH != 0 && (is_model(value) || is_zone(value) || is_of_commit(value))
        || signs & COLON != 0
            && (is_remote(value)
                || is_fingerprint(value)
                || is_station(value)
                || is_image(value)
                || is_sum(value)
                || value.starts_with(b"localhost:") && value[10..].iter().all(u8::is_ascii_digit))
        || signs & LIST != 0
            && (is_glob(value)
                || is_thousands(value)
                || is_constraint(value)
                || is_counted_up(value)
                || is_who_and_which(value)
                // `".htpasswd", client: …, request: "`: what stands between two quoted words.
                || value.starts_with(b", "))
        || signs & FOREIGN != 0
            && (is_instruction(value)
                || is_clause(value)
                || is_contraction(value)
                || is_numbered_line(value)
                || is_drawn(value)
                // `App-Passwort „Pixel 8“`: a quote that the value does not close.
                || value.starts_with("„".as_bytes()) && !crate::search::has(value, "“".as_bytes())
                || crate::search::find_all(value, "、".as_bytes()).count() >= 2)
        || signs & (FOREIGN | BLANK) != 0 && crate::spoken::is_called(value)
        || is_object_of_stripe(value)
        || value.starts_with(b"op item get ")
        // `ann%40otter.org%2F20261130%2Fauto%2Fstorage%2Fgoog4_request`: who signed an address, and for what.
        || value.ends_with(b"goog4_request")
        // What a runner says of its log, what code goes on with, what a server is asked to log in by.
        || value.starts_with(b"##[")
        // `.values.result` of a query, `main@sha1:71e38…` of a release.
        || value.starts_with(b".") && value[1..].iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'.')
        || signs & COLON != 0 && (crate::search::has(value, b"@sha1:") || crate::search::has(value, b"@sha256:"))
        || value.starts_with(b"&&")
        || value.starts_with(b"&quot")
        || is_telephone(value)
        || value.starts_with(b"ActiveDirectory")
        // What an environment gives, an address in memory, the name of an attribute.
        || is_of_environment(value)
        || value.starts_with(b"0xffff") && value.len() == 18
        || value.strip_suffix(b"=").is_some_and(|name| name.len() >= 3 && name.iter().all(u8::is_ascii_lowercase))
        || is_labelled(value)
        || signs & JOINT != 0 && is_name_of_field(value)
        // What a framework's manual signs with.
        || value == b"keyboard cat"
        || value.starts_with(b"gitlab+deploy-token-")
        // Whose account it is, beside the key of one.
        || value.strip_prefix(b"org-").is_some_and(|id| id.len() == 24 && id.iter().all(u8::is_ascii_alphanumeric))
        || is_colour(value)
        || is_rest_of_query(value)
        || is_recipient(value)
        || METHODS.iter().any(|method| method.as_bytes().eq_ignore_ascii_case(value))
        || is_rest_of_code(value)
        || is_call_of_variable(value)
        || is_mechanism(value)
        || is_said_to_be_none(value)
        || signs & BLANK != 0 && is_somebody_to_ask(value)
        || is_remark(value)
        || is_first_part(value)
        || is_pangram(value)
        || is_next_name(value)
        || value.len() < 8
            && value.strip_suffix(b"<").is_some_and(|word| word.iter().all(u8::is_ascii_lowercase))
        || is_numbered_example(value)
        || is_padded(value)
        || ENCODINGS.contains(&value)
        || is_told_in_base64(value)
        // What a vault's file has in the place of a value.
        || value.starts_with(b"ENC[AES256_GCM,")
        || crate::spoken::is_state(value)
}

/// Signs of which values that are known by their form have one or another.
const DASH: u8 = 1;
const DOT: u8 = 2;
const SLASH: u8 = 4;
const COLON: u8 = 8;
const LIST: u8 = 16;
const BLANK: u8 = 32;
const FOREIGN: u8 = 64;
const JOINT: u8 = 128;
const SIGNS: [u8; 256] = {
    let (mut table, mut byte) = ([FOREIGN; 256], 0_u8);
    while byte < 128 {
        table[byte as usize] = match byte {
            b'-' => DASH,
            b'.' => DOT,
            b'/' => SLASH,
            b':' => COLON,
            b',' | b'|' | b'*' | b'+' => LIST,
            b' ' => BLANK,
            b'_' => JOINT,
            _ => 0,
        };
        byte += 1;
    }
    table
};

/// `migration-changes.html#get-login`: a page, and a place in it.
fn is_page(value: &[u8]) -> bool {
    let Some(at) = crate::search::find(value, b".html") else { return false };
    let path = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/' | b'#');
    value.iter().all(path) && !value.get(at + 5).is_some_and(u8::is_ascii_alphanumeric)
}

/// `~kind:Argon2.ID`: an argument, and what it is called.
fn is_labelled(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"~") else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    name >= 2 && rest.get(name) == Some(&b':')
}

/// `admin_pin`, `region_code`: words of a name, and what it holds.
fn is_name_of_field(value: &[u8]) -> bool {
    let last = value.rsplit(|&byte| byte == b'_').next().unwrap_or_default();
    value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_')
        && matches!(last, b"pin" | b"code" | b"key" | b"ssid" | b"name" | b"user")
}

/// `process.env.E2E_PASSWORD`.
fn is_of_environment(value: &[u8]) -> bool {
    let name = value.strip_prefix(b"process.env.").or_else(|| value.strip_prefix(b"import.meta.env."));
    name.is_some_and(|name| name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'))
}

/// `postgres:16`, `redis:7.2-alpine`: an image, and which.
fn is_image(value: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', value) else { return false };
    let (name, tag) = (&value[..colon], &value[colon + 1..]);
    let digits = tag.iter().take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    let suffix = &tag[digits..];
    (3..=24).contains(&name.len())
        && name.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'-')
        && (1..=3).contains(&tag.iter().take_while(|byte| byte.is_ascii_digit()).count())
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

/// ` OR path LIKE `: what stands between two literals of a query.
fn is_rest_of_query(value: &[u8]) -> bool {
    let inside = value.trim_ascii();
    value.starts_with(b" ")
        && value.ends_with(b" ")
        && [&b"OR "[..], b"AND ", b"or ", b"and "].iter().any(|joint| inside.starts_with(joint))
        && [&b" LIKE"[..], b" like", b" =", b" IN", b" IS"].iter().any(|sign| inside.ends_with(sign))
}

/// `#TODO`: what is left to do.
fn is_remark(value: &[u8]) -> bool {
    value.strip_prefix(b"#").is_some_and(|word| word.len() >= 3 && word.iter().all(u8::is_ascii_uppercase))
}

/// `2026-10-21`.
fn is_day(value: &[u8]) -> bool {
    value.len() == 10
        && value.starts_with(b"20")
        && value
            .iter()
            .enumerate()
            .all(|(at, byte)| if matches!(at, 4 | 7) { *byte == b'-' } else { byte.is_ascii_digit() })
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

/// `nToken+1`: a name that says what it counts, and how far.
fn is_counted_up(value: &[u8]) -> bool {
    let digits = value.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let Some((sign, name)) = value[..value.len() - digits].split_last() else { return false };
    (1..=2).contains(&digits)
        && matches!(sign, b'+' | b'*')
        && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
        && crate::value::names_itself(name)
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

/// What everybody tries programs with, plain and in base64.
fn is_pangram(value: &[u8]) -> bool {
    static KNOWN: Words<5> = Words::exact([
        b"quick brown fox",
        b"orem ipsum",
        b"cXVpY2sgYnJvd24gZm94",
        b"F1aWNrIGJyb3duIGZve",
        b"xdWljayBicm93biBmb3",
    ]);
    value.len() >= 20 && KNOWN.within(value)
}

/// `required|string|min:12|confirmed`: what a form asks of a value.
fn is_constraint(value: &[u8]) -> bool {
    const FIRST: [&[u8]; 7] =
        [b"required", b"nullable", b"sometimes", b"string", b"filled", b"bail", b"present"];
    let mut rules = value.split(|&byte| byte == b'|');
    let rule = |rule: &[u8]| {
        rule.iter().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b':' | b'_' | b',')
        })
    };
    value.contains(&b'|') && rules.next().is_some_and(|first| FIRST.contains(&first)) && rules.all(rule)
}

/// `SHA256:vnBXCFuZ…`: by what a key is known.
fn is_fingerprint(value: &[u8]) -> bool {
    value.strip_prefix(b"SHA256:").is_some_and(|sum| sum.len() == 43 || sum.len() == 44)
}

/// `8자 이상 입력하세요`: what a form says to whoever fills it in.
fn is_instruction(value: &[u8]) -> bool {
    const ENDINGS: [&str; 8] =
        ["하세요", "세요.", "십시오", "니다", "ください", "を入力", "请输入", "請輸入"];
    !value.is_ascii() && ENDINGS.iter().any(|ending| crate::search::has(value, ending.as_bytes()))
}

/// `12→net`: a listing's next line.
fn is_numbered_line(value: &[u8]) -> bool {
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit()).count();
    digits > 0 && value[digits..].starts_with("→".as_bytes())
}

/// `+4915112345678`.
fn is_telephone(value: &[u8]) -> bool {
    value
        .strip_prefix(b"+")
        .is_some_and(|number| (9..=15).contains(&number.len()) && number.iter().all(u8::is_ascii_digit))
}

/// `┌──────┬───────┐`: the edge of a table.
fn is_drawn(value: &[u8]) -> bool {
    let (signs, rest) = value.as_chunks::<3>();
    rest.is_empty() && signs.iter().all(|sign| sign[0] == 0xE2 && matches!(sign[1], 0x94 | 0x95))
}

/// `doesn’t`.
fn is_contraction(value: &[u8]) -> bool {
    const ENDINGS: [&str; 6] = ["’t", "’s", "’re", "’ve", "’ll", "’d"];
    ENDINGS.iter().any(|ending| {
        value.strip_suffix(ending.as_bytes()).is_some_and(|word| word.iter().all(u8::is_ascii_lowercase))
    })
}

/// `12,440`.
fn is_thousands(value: &[u8]) -> bool {
    let mut parts = value.split(|&byte| byte == b',');
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    value.contains(&b',')
        && parts.next().is_some_and(|first| (1..=3).contains(&first.len()) && digits(first))
        && parts.all(|part| part.len() == 3 && digits(part))
}

/// `S3_SECRET_KEY=`: the next line, whose name has no value.
fn is_next_name(value: &[u8]) -> bool {
    let Some(name) = value.strip_suffix(b"=") else { return false };
    name.contains(&b'_')
        && name[0].is_ascii_uppercase()
        && name.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || *byte == b'_')
}

/// `eyJhbGciOiJIUzI1NiJ9`, `$argon2id$v=19$m=65536,t=3,p=4$`: how a web token is signed, how a hash is made, and nothing
/// of either.
fn is_first_part(value: &[u8]) -> bool {
    let signed = value.len() <= 64
        && (value.starts_with(b"eyJhbGciOi") || value.starts_with(b"eyJ0eXAiOi"))
        && value.iter().all(u8::is_ascii_alphanumeric);
    let made =
        value.starts_with(b"$") && value.ends_with(b"$") && memchr::memchr_iter(b'$', value).count() >= 3;
    signed || made && !value.iter().any(u8::is_ascii_uppercase)
}

/// `fs.s3.cse.encryptionMaterialsProvider`: small words with dots between, of which one goes on in humps.
fn is_setting_path(value: &[u8]) -> bool {
    let humps = |part: &[u8]| {
        part.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count()
    };
    let word = |part: &[u8]| {
        let digits = part.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
        part.len() >= 2
            && part[0].is_ascii_lowercase()
            && part[..part.len() - digits].iter().all(u8::is_ascii_alphabetic)
            && part.windows(2).all(|two| !(two[0].is_ascii_uppercase() && two[1].is_ascii_uppercase()))
    };
    let mut parts = value.split(|&byte| byte == b'.');
    value.first().is_some_and(u8::is_ascii_lowercase)
        && memchr::memchr_iter(b'.', value).count() >= 2
        && parts.clone().all(word)
        && parts.any(|part| humps(part) > 0)
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

/// `VGhlIGtleSB0byBhIGdvb2Q…`: a sentence, if one reads it.
fn is_told_in_base64(value: &[u8]) -> bool {
    let run = value.len() - value.iter().rev().take_while(|&&byte| byte == b'=').count();
    // `aHR0cHM6Ly9lcnAubG9jYWw=`: an address without anybody's name.
    if value.starts_with(b"aHR0c") {
        let said = crate::decode::base64(value).and_then(|said| String::from_utf8(said).ok());
        return said.is_some_and(|said| said.starts_with("http") && !said.contains(['@', '?', '=', ' ']));
    }
    // `UkVEQUNURUQ=`: nothing, as it is said elsewhere.
    let hidden = |said: Vec<u8>| said.len() >= 6 && crate::value::is_placeholder(&said);
    if run < 24 {
        return value.ends_with(b"=") && crate::decode::base64(value).is_some_and(hidden);
    }
    let said = crate::view::decoded(value, 0, run);
    said.is_some_and(|(_, said)| {
        if ["<svg", "<?xml", "<!DOCTYPE", "<html"].iter().any(|page| said.starts_with(page)) {
            return true;
        }
        // What somebody chose to let in by has no capital and no stop.
        let Some(said) = said.trim_end().strip_suffix('.') else { return false };
        said.starts_with(|first: char| first.is_ascii_uppercase())
            && said.split(' ').count() >= 5
            && said.split(' ').all(|word| {
                let word = word.strip_suffix(',').unwrap_or(word);
                !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_alphabetic() || byte == b'\'')
            })
    })
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

/// How bytes are written down.
const ENCODINGS: [&[u8]; 13] = [
    b"ssh-ed25519",
    b"ssh-rsa",
    b"ssh-dss",
    b"base16",
    b"base32",
    b"base36",
    b"base58",
    b"base62",
    b"base64",
    b"base64url",
    b"base85",
    b"utf-8",
    b"ascii85",
];

/// `如何读懂市场周期并把握投资节奏`: twelve signs and more of a script that has no blanks are half a sentence.
fn is_clause(value: &[u8]) -> bool {
    const LONGEST_WORD: usize = 36;
    value.len() >= LONGEST_WORD
        && value.iter().all(|byte| !byte.is_ascii())
        && std::str::from_utf8(value)
            .is_ok_and(|text| text.chars().all(|sign| ('\u{3000}'..'\u{a000}').contains(&sign)))
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

/// `none needed`, `$6$redacted`, `x-redacted`, `'\\u0000'`, `generate-with-openssl-rand`, `/etc/app/wlan.conf:`, `one-time-code` of a form: something else is
/// in a password's place, and says so.
fn is_said_to_be_none(value: &[u8]) -> bool {
    const FIELDS: [&[u8]; 3] = [b"current-password", b"new-password", b"one-time-code"];
    let made = value.starts_with(b"generate") && crate::search::has(value, b"openssl");
    let file = [&b"/etc/"[..], b"/var/lib/", b"/usr/share/", b"/nix/store/"]
        .iter()
        .any(|folder| value.starts_with(folder));
    let escape = value.len() == 6 && value.starts_with(b"\\u00");
    let needless =
        matches!(value, b"none needed" | b"none required" | b"none set" | b"none yet" | b"none so far");
    made || file || escape || needless || crate::prose::ends_in(value, b"redacted") || FIELDS.contains(&value)
}

/// `ask Marina`, `спросить у Марины`: two or three words, of which the last is a name.
fn is_somebody_to_ask(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const ASKS: [&str; 10] = ["ask", "Ask", "fragen", "frag", "demander", "preguntar", "chiedere", "vragen", "спросить", "спроси"];
    let said = std::str::from_utf8(value).unwrap_or_default();
    let mut words = said.split(' ');
    words.clone().count() <= 3
        && words.next().is_some_and(|first| ASKS.contains(&first))
        && words
            .next_back()
            .is_some_and(|whom| whom.starts_with(char::is_uppercase) && whom.chars().all(char::is_alphabetic))
}

/// How a mail server lets somebody in: `AUTH=CRAM-MD5`; each may end in `-PLUS`.
#[rustfmt::skip]
const MECHANISMS: [&[u8]; 14] = [
    b"PLAIN", b"LOGIN", b"ANONYMOUS", b"EXTERNAL", b"CRAM-MD5", b"DIGEST-MD5", b"SCRAM-SHA-1", b"SCRAM-SHA-256", b"SCRAM-SHA-512", b"GSSAPI",
    b"GSS-SPNEGO", b"NTLM", b"XOAUTH2", b"OAUTHBEARER",
];

fn is_mechanism(value: &[u8]) -> bool {
    let plain = value.strip_suffix(b"-PLUS").unwrap_or(value);
    MECHANISMS.contains(&plain)
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
    const WORDS: [&[u8]; 14] = [
        b"", b"a", b"b", b"u", b"rc", b"alpha", b"beta", b"dev", b"post", b"deb", b"dfsg", b"ds", b"ubuntu", b"bpo",
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

/// `all*tokens*updated*`: what a program waits for.
fn is_glob(value: &[u8]) -> bool {
    memchr::memchr_iter(b'*', value).count() >= 3
        && value.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b'*')
}

/// `evt_1N…`, `cus_9s…`: what Stripe calls an event, a customer, a price; whoever knows it can do nothing with it.
fn is_object_of_stripe(value: &[u8]) -> bool {
    #[rustfmt::skip]
    const OBJECTS: [&[u8]; 22] = [
        b"evt", b"cus", b"price", b"prod", b"acct", b"sub", b"ch", b"req", b"in", b"txn", b"pm", b"we", b"ii", b"si", b"po", b"re", b"plan", b"card", b"ba",
        b"il", b"py", b"dp",
    ];
    let Some(line) = memchr::memchr(b'_', value) else { return false };
    let (object, id) = (&value[..line], &value[line + 1..]);
    (14..=28).contains(&id.len()) && id.iter().all(u8::is_ascii_alphanumeric) && OBJECTS.contains(&object)
}

/// How two ends of a wireless network prove who they are.
const METHODS: [&str; 6] = ["mschapv2", "mschap-v2", "mschap", "eap-mschapv2", "eap-ttls", "eap-peap"];

/// `age1ql3z…`: for whom something is encrypted.
fn is_recipient(value: &[u8]) -> bool {
    value.len() == 62
        && value.starts_with(b"age1")
        && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
}

/// `).type(Cypress.env('PASSWORD2`: a quote that closed was taken for one that opens.
fn is_rest_of_code(value: &[u8]) -> bool {
    value.starts_with(b").") && value.contains(&b'(')
}

/// `$password).textContentType(.password)`: a variable, and what is done with it.
fn is_call_of_variable(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"$") else { return false };
    let long = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    long > 0 && rest[long..].starts_with(b").")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_by_its_form() {
        let mechanisms = MECHANISMS.iter().map(|word| std::str::from_utf8(word).unwrap_or_default());
        for value in mechanisms.chain([
            "SCRAM-SHA-256-PLUS",
            "1:4.13+dfsg1-1+deb12u1",
            "2.10.1-2+deb13u1",
            "2.0.0.post1",
            "16.0.1.0.0.7",
            "i-1234567890abcdef0",
            "vpc-1a2b3c4d",
            "all*tokens*updated*well",
            "localhost:22",
            "$6$redacted",
            "deploy@cdn:/srv/www/",
            "\\u0000",
            "generate-with-openssl-rand",
            "/etc/app/wlan.conf:",
            "one-time-code",
            "水獭体系、JWT、OAuth2",
            "otter-bridges.html#river-get-login",
            "#TODO",
            "2026-10-21",
            "openriver/otter/otter3-32b",
            "nToken+1",
            "x-redacted",
            "fs.s3.cse.otterMaterialsRiver",
            "my-value-2",
            "12,440",
            "node-modules-Otter-x64-be41b83c83748fd5c77041f74d935a0d8026bdc62232a2154b18a13f69f96ae7",
            "dGhlIHF1aWNrIGJyb3duIGZveCBqdW1wcyBvdmVyIHRoZSBsYXp5IGRvZwo=",
            "required|string|min:12|confirmed",
            "SHA256:vnBXCFuZp5cwGt3BkwwQjnAveGScqNG40iVgNFHi0nU",
            "8자 이상 입력하세요",
            "S3_OTTER_KEY=",
            "eyJhbGciOiJSUzI1NiIsInR5cCI6IkpXVCJ9",
            "$argon2i$v=19$m=65536,t=16,p=1$",
            "如何读懂市场周期并把握投资节奏",
            "Clé pré-partagée",
            "Bestätigungscode",
            "a1b2c3d4-5678-90ab-cdef-EXAMPLE11111",
            "7f1b02640000000000000000000000000000000000000000cccccccccccccccc",
            "3c:84:6a:12:f0:9e",
            "Europe/Oslo",
            "America/Argentina/Buenos_Aires",
            "base32",
            "none needed",
            "hmac-sha256:5f01292149465cd6a44090497486aaaa531c5a31da0512f4772469987653824a",
            "/otter@sha256:fddb22a1608182c77fea9789c5a7cad6b710ae6b9a858637e4f6d84ac27507ce",
            "SNYK-JS-OTTER-2840631",
            "VGhlIGtleSB0byBhIGdvb2Qgcmlzb3R0byBpcyBwYXRpZW5jZS4K",
            "ann,5E1F7C02-9A4B-4D83-A6E0-2B1C9D8F3370",
            "v3-Linux-X64-pnpm-",
            "yarn-macOS-5d1f0a7c92be",
            "v3-Linux-X64-pnpm-d0cee05b50ac6697640953cca3bbd3516c79bc72e4703bfb66f2e71019be969f",
            "/nix/store/mbzkvln28a7jfzkch03n4vxh6rh0h3g0-pass-1.7.4",
            "спросить у Марины",
            "sha256:9119768edefd3a98126be9d51d2e5829c19d9ab5cef5701e7c741b6222939a0a",
            "/zipball/f1eac51ebaccea98dac5eaf6b62d136ad512ebc1",
            "ENC[AES256_GCM,data:s7YEirk9,iv:D50duH+S,tag:+xcpmzYs,type:str]",
        ]) {
            assert!(is_known(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_only_looks_alike_is_not_known() {
        for value in [
            "12.11.1987",
            "1.2.otter",
            "4711-0815-12",
            "i-otter!7",
            "2*otter*river*",
            "localhost:2x",
            "NTLM7",
            "generate7openbsd",
            "/etc7otter",
            "otter@7!:/bridge",
            "otter.html5",
            "#Otter",
            "2026-10-2x",
            "otter/river/9f7d1c2ab0417fd3e6a55c20",
            "otter+1",
            "redacted7",
            "Otter.con.River7",
            "otter.to.river",
            "my-otter-2",
            "12,44",
            "acme-live-be41b83c83748fd5c77041f74d935a0d8026bdc62232a2154b18a13f69f96ae7",
            "otter|River|min:12",
            "SHA256:otter",
            "otter12<",
            "river/otter/stone",
            "page.html?sig=k8vLm2ZpXt9Rk7Wd3Yb5",
            "OTTER7RIVER=",
            "eyJhbGciOiJSUzI1NiJ9.eyJvdHRlciI6MX0.c2ln",
            "$otter$River$",
            "水獭的河",
            "Clé pré-partagée7",
            "a1b2c3d4-5678-90ab-cdef-111111111111",
            "7f1b02640000b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5cccccccc1234",
            "3c:84:6a:12:f0:otter",
            "Europe/otter",
            "River/Oslo",
            "base32otter",
            "none needed7",
            "none shall pass",
            "ask the blue heron",
            "frag den Otter7",
            "c2V2ZW4gcXVpZXQgb3R0ZXJzIHdhZGUgaW4gbWF5",
            "SNYK-otter!7",
            "YW5uOm90dGVyIHJpdmVyIHN0b25lIG1hcGxlIDc=",
            "Ann,otter-river",
            "v3-otter-river-",
            "spring otter",
            "sha256:otter",
            "/otter/f1eac51ebaccea98dac5eaf6b62d136ad512ebc1ff",
            "ENC[otter]",
        ] {
            assert!(!is_known(value.as_bytes()), "{value}");
        }
    }

    #[test]
    fn what_is_known_to_everybody() {
        for method in METHODS {
            assert!(is_known(method.to_uppercase().as_bytes()), "{method}");
        }
    }

    #[test]
    fn objects_of_a_shop_are_known() {
        assert!(is_known(b"evt_1QzX83LkdIwHu7ix9AbCdEfG"));
        assert!(!is_known(b"sk_1QzX83LkdIwHu7ix9AbCdEfG"));
    }
}
