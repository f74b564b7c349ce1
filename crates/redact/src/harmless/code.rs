//! What code, its types, its names and its constants look like where a value should stand.

use crate::search::{Words, has};

/// Whether `value`, or what stands around it, is code.
pub(super) fn says_so(text: &[u8], start: usize, value: &[u8]) -> bool {
    let end = start + value.len();
    let behind = if text.get(end) == Some(&b' ') { crate::search::behind(text, end, 16) } else { b"" };
    is_constant(value)
        || is_minified(value)
        || is_entry_point(value)
        || is_joined(value)
        || is_header_name(value)
        || is_types(value)
        || is_resource(value)
        || value.contains(&b'.') && has(value, b"self.")
        || WORDS.equals(value)
        || FORMS.begin(value)
        // `KeyPassphrase: KeyPassphrase | None`.
        || behind.starts_with(b" | ")
            && [&b"None"[..], b"null", b"undefined"].iter().any(|none| behind[3..].starts_with(none))
        // `MUST ( otterPassword $ otterGuid )`: a directory's schema.
        || behind.starts_with(b" $ ") && value.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
        || text[..start].ends_with(b" | ") && FILTERS.contains(&value)
        || BEFORE.iter().any(|before| text[..start].ends_with(before))
        || is_login_name(&text[..start])
        || is_member(value)
        || is_of_trace(&text[..start], value)
        || is_domain(value)
        || is_filtered(text, start, value)
        || is_filter(value)
        || is_delimited(value)
        || is_put(text, start, value)
        || value.starts_with(b".*/")
        || is_joined_by_code(value)
        || is_cache_key(text, start, value)
        || is_commit(&text[..start], value, behind)
        || is_of_flag(&text[..start], value)
}

/// `l10n.wrongPassword`: what an object has by that name.
fn is_member(value: &[u8]) -> bool {
    let Some(dot) = memchr::memrchr(b'.', value).filter(|&dot| dot > 0) else { return false };
    let (object, member) = (&value[..dot], &value[dot + 1..]);
    let humps = |two: &[u8]| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase();
    member.len() >= 8
        && member.iter().all(u8::is_ascii_alphabetic)
        && member[0].is_ascii_lowercase()
        && (member.windows(2).any(humps) || object.contains(&b'.') && !crate::chance::is_random(object))
        && object.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
        && crate::names::judge(member).is_some()
}

/// `Trace ID: eb84a215-…`, `ClientConnectionId:879c09f0-…`: of which request somebody speaks.
fn is_of_trace(before: &[u8], value: &[u8]) -> bool {
    if !crate::value::is_uuid(value) {
        return false;
    }
    // `bw get password 1192048e-…`: which one.
    let label = before.trim_ascii_end();
    if [&b"get password"[..], b"get item", b"get totp", b"get username"]
        .iter()
        .any(|get| label.ends_with(get))
    {
        return true;
    }
    let Some(label) = label.strip_suffix(b":").or_else(|| label.strip_suffix(b"=")) else { return false };
    let long =
        label.iter().rev().take(32).take_while(|byte| byte.is_ascii_alphabetic() || **byte == b'_').count();
    let word = &label[label.len() - long..];
    let spaced = label.ends_with(b" ID") || label.ends_with(b" Id");
    let last = [&b"Id"[..], b"ID", b"_id"].iter().any(|end| word.ends_with(end));
    let owner = label[..label.len() - long].trim_ascii_end();
    let owner = owner.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let named = if word.len() == 2 && spaced { owner } else { word };
    let secret =
        [&b"ecret"[..], b"ECRET", b"ess", b"ass", b"oken", b"SID", b"Sid"].iter().any(|own| has(named, own));
    last && !secret
}

/// `2azm2beo.halden.edu`: a place of the net, by its end and its parts.
fn is_domain(value: &[u8]) -> bool {
    const ENDS: [&[u8]; 14] = [
        b".com",
        b".org",
        b".net",
        b".edu",
        b".gov",
        b".io",
        b".local",
        b".internal",
        b".de",
        b".fr",
        b".uk",
        b".eu",
        b".nl",
        b".ch",
    ];
    ENDS.iter().any(|end| value.ends_with(end))
        && memchr::memchr_iter(b'.', value).count() >= 2
        && value
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-'))
}

/// `{{ db_password | urlencode }}`: what a template does with a value.
fn is_filtered(text: &[u8], start: usize, value: &[u8]) -> bool {
    if !text[..start].ends_with(b"| ") {
        return false;
    }
    let before = crate::search::before(text, start, 96);
    let Some(open) = memchr::memmem::rfind(before, b"{{") else { return false };
    value.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_' || byte.is_ascii_digit())
        && !has(&before[open..], b"}}")
}

/// `s/PASSWORD=.*/PASSWORD=$PASSWORD/`: what is put there is read elsewhere.
fn is_put(text: &[u8], start: usize, value: &[u8]) -> bool {
    let value = value.strip_suffix(b"/").unwrap_or(value);
    let none = crate::placeholder::is_reference(value)
        || crate::placeholder::is_placeholder(value)
        || super::kinds::is(value);
    none && has(crate::search::last_line(crate::search::before(text, start, 96)), b"=.*/")
}

/// `q{$DB_PASSWORD}`: what is read elsewhere, between signs of a language.
fn is_delimited(value: &[u8]) -> bool {
    // It ends with the sign.
    let whole = crate::quote::delimited(value, 0).filter(|&(_, end)| value.len() - end <= 2);
    let inside = whole.map(|(from, end)| &value[from..end]);
    inside.is_some_and(|inside| {
        crate::placeholder::is_reference(inside) || crate::placeholder::is_placeholder(inside)
    })
}

/// `.instances[0].attributes`: where a filter looks.
fn is_filter(value: &[u8]) -> bool {
    value.len() > 2
        && value[0] == b'.'
        && value[1].is_ascii_lowercase()
        && (has(value, b"[]") || has(value, b"[0]"))
        && value.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'[' | b']'))
}

/// `"UID=ann;PWD=" & clave & ";"`: a program puts it there.
fn is_joined_by_code(value: &[u8]) -> bool {
    [&b" & "[..], b" + ", b" . ", b" || "]
        .iter()
        .any(|sign| value.len() > 7 && value.starts_with(sign) && value.ends_with(sign))
}

/// `cache.example-1:W/bq…=`: with what a store of packages proves them, which all may know.
fn is_cache_key(text: &[u8], start: usize, value: &[u8]) -> bool {
    let numbered = matches!(&text[..start], [.., b'-', b'0'..=b'9', b':']);
    value.len() == 44
        && value.ends_with(b"=")
        && numbered
        && has(&text[start.saturating_sub(400)..start], b"ublic-keys")
}

/// `334 VXNlcm5hbWU6⏎ -> X`: a mail's server asked for the user.
fn is_login_name(before: &[u8]) -> bool {
    let arrow = before.trim_ascii_end();
    let arrow =
        arrow.strip_suffix(b"->").or_else(|| arrow.strip_suffix(b"C:")).unwrap_or(arrow).trim_ascii_end();
    arrow.ends_with(b"334 VXNlcm5hbWU6")
}

/// `(see a58f2e6)`, `rewritten in d1ddfbdf…`: a commit, by its short name or its whole one. No `changed in X`.
fn is_commit(before: &[u8], value: &[u8], behind: &[u8]) -> bool {
    const SAYS: [&[u8]; 8] = [b"(see ", b" see ", b" in ", b" by ", b" since ", b" em ", b" auf ", b"siehe "];
    const CHANGES: [&[u8]; 8] = [b"chang", b"camb", b"modif", b"mud", b"nder", b"setz", b"gezet", b"wijzig"];
    let hex = |byte: &u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte);
    let changed = || {
        let line =
            crate::search::last_line(crate::search::before(before, before.len(), 64)).to_ascii_lowercase();
        CHANGES.iter().any(|verb| has(&line, verb))
    };
    matches!(value.len(), 7..=12 | 40)
        && value.iter().all(hex)
        && value.iter().any(u8::is_ascii_digit)
        && value.iter().any(u8::is_ascii_lowercase)
        && (SAYS.iter().any(|said| before.ends_with(said)) && !(value.len() == 40 && changed())
            || value.len() == 40 && is_logged(before, behind))
}

/// `…\n0f51af04… Remove token from query\n3c38d1bb… docs: …`: a line for each commit, and what it does.
fn is_logged(before: &[u8], behind: &[u8]) -> bool {
    let opens = before.ends_with(b"\n") || before.ends_with(b"\\n");
    let says = behind.len() > 3 && behind[0] == b' ' && behind[1..3].iter().all(u8::is_ascii_alphabetic);
    let line = before.strip_suffix(b"\n").or_else(|| before.strip_suffix(b"\\n")).unwrap_or(before);
    let line = crate::search::last_line(crate::search::before(line, line.len(), 200));
    let hex = |word: &[u8]| word.len() == 40 && crate::value::is_hex(word);
    opens && says && line.split(|byte| !byte.is_ascii_alphanumeric()).any(hex)
}

/// `--tenant da7cbc86-5cb3-…`: which one, behind a flag of its own.
fn is_of_flag(before: &[u8], value: &[u8]) -> bool {
    let Some(before) = before.strip_suffix(b" ").filter(|_| crate::value::is_uuid(value)) else {
        return false;
    };
    let long =
        before.iter().rev().take(32).take_while(|byte| byte.is_ascii_lowercase() || **byte == b'-').count();
    let flag = &before[before.len() - long..];
    flag.starts_with(b"--") && crate::names::judge(flag).is_none()
}

/// Statements, and what an expect script waits for.
static WORDS: Words<9> = Words::exact([
    b"continue",
    b"return",
    b"break",
    b"raise",
    b"yield",
    b"ssword",
    b"assword",
    b"ssword:",
    b"assword:",
]);
/// How names of other things begin: a standard, a draft, what a schema says.
static FORMS: Words<6> = Words::exact([
    b"kid=",
    b"urn:ietf:",
    b"draft-ietf-",
    b" EQUALITY ",
    b"aws4_request",
    b"0123456789abcdef",
]);
/// What stands right before a name that is imported, the number of a rule.
const BEFORE: [&[u8]; 5] = [b" import ", b"noqa: ", b"noqa:", b"File key ", b"file key "];

/// What is read from a pipe.
#[rustfmt::skip]
const FILTERS: [&[u8]; 24] = [
    b"head", b"tail", b"sort", b"less", b"more", b"grep", b"egrep", b"awk", b"sed", b"cut", b"uniq", b"xargs", b"tee", b"jq", b"tr", b"wc", b"cat", b"base64", b"b64enc", b"b64dec", b"quote", b"trim", b"upper", b"lower",
];

/// `0x000003f0`: a number of a table.
fn is_constant(value: &[u8]) -> bool {
    let hex = value.strip_prefix(b"0x").or_else(|| value.strip_prefix(b"0X"));
    hex.is_some_and(|hex| (1..=8).contains(&hex.len()) && hex.iter().all(u8::is_ascii_hexdigit))
}

/// `!0,range:!0,search:!0`, `1,kill:1,last:1`, `0,describedBy:{args:{type`: members of an object without blanks.
fn is_minified(value: &[u8]) -> bool {
    let digits = usize::from(value.first() == Some(&b'!'));
    let [b'0' | b'1', rest @ ..] = &value[digits..] else { return false };
    let Some(member) = rest.strip_prefix(b",") else { return false };
    let name = member.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    name > 0 && member.get(name) == Some(&b':')
}

/// `otter.auth.oidc:OidcPassword`: a class, and where it is.
fn is_entry_point(value: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', value) else { return false };
    let (path, class) = (&value[..colon], &value[colon + 1..]);
    path.contains(&b'.')
        && path
            .iter()
            .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'_'))
        && class.first().is_some_and(u8::is_ascii_uppercase)
        && class.iter().all(u8::is_ascii_alphanumeric)
}

/// `e.NullLogger=e.ConnectionOptions=…`: names that are given one another.
fn is_joined(value: &[u8]) -> bool {
    let [owner, b'.', rest @ ..] = value else { return false };
    let name = rest.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    owner.is_ascii_lowercase() && name >= 3 && rest.get(name) == Some(&b'=')
}

/// `x-sdk-sha256`: what a header is called.
fn is_header_name(value: &[u8]) -> bool {
    value.starts_with(b"x-")
        && value.len() <= 24
        && value.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-')
        && value
            .split(|&byte| byte == b'-')
            .skip(1)
            .all(|part| part.first().is_some_and(u8::is_ascii_lowercase))
}

/// `api-token-v2`: what a cluster calls a secret.
fn is_resource(value: &[u8]) -> bool {
    const NAMES: [&[u8]; 8] =
        [b"token", b"tokens", b"secret", b"secrets", b"password", b"creds", b"credentials", b"apikey"];
    let mut parts = value.split(|&byte| byte == b'-');
    let version = |part: &[u8]| matches!(part, [b'v', digit] if digit.is_ascii_digit());
    parts.clone().count() >= 2
        && parts
            .clone()
            .all(|part| version(part) || part.len() >= 2 && part.iter().all(u8::is_ascii_lowercase))
        && parts.any(|part| NAMES.contains(&part))
}

/// `Ed25519PrivateKey | Ed448PrivateKey`.
fn is_types(value: &[u8]) -> bool {
    let name = |part: &[u8]| {
        part.first().is_some_and(u8::is_ascii_uppercase) && part.iter().all(u8::is_ascii_alphanumeric)
    };
    let bar = memchr::memchr(b'|', value).filter(|&bar| bar > 0 && value[bar - 1..].starts_with(b" | "));
    bar.map(|bar| bar - 1).is_some_and(|bar| name(&value[..bar]) && name(&value[bar + 3..]))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn code_is_no_value() {
        for text in [
            "SMB2_CREATE_TIMEWARP_TOKEN                = 0x54577270\n",
            "SEC_E_NO_CREDENTIALS = 0x8009030E\n",
            "input:{password:!0,range:!0,search:!0,tel:!0,text:!0}",
            "e.ProgressType=e.ProgressToken=e.createMessageConnection=e.NullLogger=e.ConnectionOptions=void 0",
            "v3oidcpassword = keystoneclient.contrib.auth.v3.oidc:OidcPassword\n",
            "GRANT_TYPE_JWT_BEARER = \"urn:ietf:params:oauth:grant-type:jwt-bearer\"\n",
            "    KeyPassphrase: SnowflakeKeyPassphrase | None\n",
            "    private_key: Ed25519PrivateKey | Ed448PrivateKey\n",
            "_OBJECT_SHA256_KEY = 'x-sdk-sha256'\n",
            "  secretKey: api-token-v2\n",
            "rotate-keys: kid=dee3bc3f20e46b42 retired\n",
            "        password = \"ssword\"\n",
            "ZULIP_API_KEY = \"0123456789abcdef0123456789abcdef\"\n",
            "if rf._rest_name in dict_to_pass:\n                continue\n",
            "from hvac.api.auth_methods.legacy_mfa import LegacyMfa\n",
            "keyring.set_password(\"keystoneclient_auth\", \"token\", value)\n",
            "$ strings core.9182 | grep -i -A1 passwd | head\n",
            "adduser -q --gecos \"\" --disabled-password river\n",
            "msgstr \"Je wachtwoord is gewijzigd.\"\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_looks_alike_leaves() {
        for (text, secret) in [
            ("api_token: 0x54577270ab01c3d4e5f60718\n", "0x54577270ab01c3d4e5f60718"),
            ("password: x-Ray-sha256!\n", "x-Ray-sha256!"),
            ("password: import-Otter7\n", "import-Otter7"),
            ("{\"password\": \"zSTCsZpwDpsBE)IX}SAWnlZPo\"}", "zSTCsZpwDpsBE)IX}SAWnlZPo"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }
}
