//! How a password looks that a person chose, and what only looks like one.

use crate::chance;
use crate::search::Words;
use crate::value::{self, Traits};

pub(super) fn has_joints(word: &[u8]) -> bool {
    word.iter().any(|byte| matches!(byte, b'_' | b'.' | b'/' | b'(' | b'-'))
}

/// A password that a person chose: letters with digits or symbols, and no identifier's joints.
pub(crate) fn looks_chosen(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let code = word.iter().any(|byte| {
        matches!(byte, b'(' | b')' | b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'=' | b'/' | b'\\' | b'|')
    });
    if code && !chance::is_random(word) || traits.letters < 2 {
        return false;
    }
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner_symbols = word[1..word.len() - 1]
        .iter()
        .filter(|byte| matches!(byte, b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'&' | b'*' | b'+' | b'?'))
        .count();
    chance::is_random(word) && (traits.digits > 0 || word.len() >= 16)
        || word.len() >= 16 && traits.digits > 0 && (value::is_hex(word) || value::is_uuid(word))
        || traits.digits > 0 && (inner_symbols > 0 || traits.symbols > 0)
        || traits.digits >= 2 && !has_joints(word)
        || traits.digits >= 6 && traits.letters >= 4 && !word.contains(&b'_')
        || traits.digits > 0 && ending > 0 && word.len() >= 7 && !has_joints(word)
        || traits.digits > 0 && traits.uppers > 0 && traits.lowers > 0 && !has_joints(word)
        || value::is_signed(word, &traits)
        || is_leet(word) && !word.iter().any(|byte| matches!(byte, b'_' | b'/' | b'('))
}

/// `Plum7-Ocelot3`, `serif-Gothic-3`, `blue.Giraffe.19`: words with joints, of which one is a number or has one.
/// Also what identifiers look like, so only where nothing but a password can stand.
pub(crate) fn looks_joined(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    let plain = word.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || !byte.is_ascii()
            || matches!(byte, b'-' | b'_' | b'.' | b'!' | b'#' | b'+')
    });
    let ending = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let inner = traits.digits > ending;
    value::is_disclosed(word)
        || word.len() >= 8
            && plain
            && traits.digits > 0
            && (traits.letters >= 4 || !word.is_ascii())
            && (traits.uppers > 0 || ending >= 2 || inner)
            && !is_jargon(word)
            && !value::is_placeholder(word)
}

/// `drum-unit-5`: words with joints and a digit, where a verb says that it is the value.
pub(super) fn looks_jointed(word: &[u8]) -> bool {
    let traits = Traits::of(word);
    word.len() >= 8
        && traits.digits > 0
        && traits.letters >= 4
        && (word
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b'-' | b'_'))
            || looks_dotted(word))
        && !is_jargon(word)
        && !value::is_placeholder(word)
}

/// `otterhof.bridge1`: two words and a number behind them.
pub(crate) fn looks_dotted(word: &[u8]) -> bool {
    let mut parts = word.split(|&byte| byte == b'.');
    let letters = |part: &[u8]| part.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (first, last) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let number = &last[letters(last)..];
    parts.next().is_none()
        && letters(first) == first.len()
        && first.len() >= 4
        && letters(last) >= 4
        && (1..=4).contains(&number.len())
        && number.iter().all(u8::is_ascii_digit)
}

/// `Gr4nite`, `Cl0udy`: a digit that stands for a letter inside a word.
pub(crate) fn is_leet(word: &[u8]) -> bool {
    word.windows(3).any(|three| {
        three[0].is_ascii_alphabetic()
            && !matches!(three[0], b'v' | b'V' | b'x' | b'h' | b's' | b'p')
            && matches!(three[1], b'0' | b'1' | b'3' | b'4' | b'5' | b'7')
            && three[2].is_ascii_lowercase()
    })
}

/// Whether a value shows by itself that it is one.
pub(crate) fn looks_like_secret(value: &[u8]) -> bool {
    value.len() >= 6
        && !is_jargon(value)
        && (looks_chosen(value) || value::is_wild(value, &Traits::of(value)))
}

/// `jump80`, `bastion94`: what machines are called.
fn is_machine(word: &[u8]) -> bool {
    #[rustfmt::skip]
    static MACHINES: Words<32> = Words::new([
        b"jump", b"bastion", b"web", b"app", b"db", b"mail", b"srv", b"gw", b"vpn", b"edge", b"proxy", b"lab", b"ci", b"build", b"node", b"host",
        b"server", b"stg", b"prod", b"dev", b"api", b"cache", b"worker", b"backup", b"nas", b"vm", b"kube", b"master", b"redis", b"printer", b"router", b"fs",
    ]);
    let letters = word.iter().take_while(|byte| byte.is_ascii_lowercase()).count();
    let digits = &word[letters..];
    (1..=2).contains(&digits.len())
        && digits.iter().all(u8::is_ascii_digit)
        && MACHINES.equals(&word[..letters])
}

/// Words with digits that no one would take for a password: `1Password`, `sha256`, `v1.2`, `OAuth2`.
pub(crate) fn is_jargon(word: &[u8]) -> bool {
    let version = matches!(word, [b'v' | b'V', digit, ..] if digit.is_ascii_digit());
    let number = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let unit = number > 0 && word.len() - number <= 4 && word[number..].iter().all(u8::is_ascii_alphabetic);
    let ordinal = word.iter().all(|byte| {
        byte.is_ascii_digit()
            || matches!(byte, b'-' | b':' | b'.' | b',' | b't' | b'T' | b'z' | b'Z' | b'+' | b'%' | b'/')
    });
    // `CVE-2021-44228`, `OPS-4410`: capitals, a dash, a number.
    let project = word.iter().take_while(|byte| byte.is_ascii_uppercase()).count();
    let ticket = (2..=6).contains(&project)
        && word[project..].first() == Some(&b'-')
        && word[project..].iter().all(|byte| byte.is_ascii_digit() || *byte == b'-');
    version
        || ticket
        || unit
        || ordinal
        || STANDARDS.begin(word)
        || TERMS.begin(word) && Traits::of(word).symbols == 0
        || is_type_name(word)
        || is_address(word)
        || is_revised(word)
        || is_product(word)
        || is_machine(word)
        || word.starts_with(b"test_")
}

#[rustfmt::skip]
static PRODUCTS: Words<32> = Words::new([
    b"chrome", b"firefox", b"edge", b"safari", b"opera", b"windows", b"debian", b"ubuntu", b"fedora", b"centos", b"rhel", b"android", b"office",
    b"outlook", b"excel", b"java", b"python", b"node", b"php", b"postgres", b"postgresql", b"mysql", b"mariadb", b"oracle", b"exchange", b"confluence", b"jira",
    b"jenkins", b"gitlab", b"iphone", b"ipad", b"sharepoint",
]);

/// `Windows11Pro`: which, and for whom.
fn is_edition(version: &[u8]) -> bool {
    let digits = version.iter().take_while(|byte| byte.is_ascii_digit()).count();
    (1..=4).contains(&digits)
        && matches!(
            &version[digits..],
            b"Pro" | b"Home" | b"Enterprise" | b"Education" | b"Server" | b"IoT" | b"LTSC"
        )
}

/// `Firefox115`, `Debian-12`, `Confluence8.5`: what is known to have versions, and one of them.
fn is_product(word: &[u8]) -> bool {
    let long = word.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let version = &word[long..];
    !version.is_empty()
        && version.len() <= 6
        && version.iter().all(|byte| byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
        && PRODUCTS.equals(&word[..long])
        || word.strip_prefix(b"Windows").is_some_and(is_edition)
}

/// `secret_v2`: a name and its version.
fn is_revised(word: &[u8]) -> bool {
    let digits = word.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let name = &word[..word.len() - digits];
    (1..=2).contains(&digits)
        && (name.ends_with(b"_v") || name.ends_with(b"-v"))
        && name.iter().all(|byte| byte.is_ascii_lowercase() || matches!(byte, b'_' | b'-'))
}

static STANDARDS: Words<8> =
    Words::new([b"pkcs", b"rfc", b"curve25519", b"x25519", b"secp", b"ed448", b"uuidv", b"dep:"]);
#[rustfmt::skip]
static TERMS: Words<32> = Words::new([
    b"1password", b"sha", b"oauth", b"base64", b"base62", b"utf", b"x509", b"ed25519", b"rs256", b"hs256", b"hs512", b"es256", b"aes", b"md5",
    b"argon2", b"pbkdf2", b"http", b"rfc", b"ipv4", b"ipv6", b"s3", b"pkcs", b"ec2", b"k8s", b"i18n", b"u2f", b"web3", b"python3", b"scram-", b"bcrypt", b"yescrypt", b"bearer",
]);

/// `UserCreationForm2`: three words of a type's name.
fn is_type_name(word: &[u8]) -> bool {
    let name = match word {
        [name @ .., last] if last.is_ascii_digit() => name,
        _ => word,
    };
    let humps =
        || word.windows(2).filter(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase()).count();
    name.iter().all(u8::is_ascii_alphabetic) && humps() >= 2 && chance::density(word) < 40
}

pub(super) fn shows_digit(word: &[u8]) -> bool {
    word.iter().any(u8::is_ascii_digit)
}

/// `bob@harbor.test`, `pi@10.1.1.31`.
fn is_address(word: &[u8]) -> bool {
    let Some(sign) = memchr::memrchr(b'@', word) else { return false };
    let host = &word[sign + 1..];
    let end = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let dots = memchr::memchr_iter(b'.', host).count();
    let numbers = dots == 3 && host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    let name = dots >= 1 && (2..=8).contains(&end.len()) && end.iter().all(u8::is_ascii_alphabetic);
    sign >= 1
        && host.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        && (numbers || name)
}
