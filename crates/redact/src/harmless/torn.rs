//! What a reading tore out of its place: what stands between two strings of a string, a patch's next line, a variable.

use crate::names;

/// Whether `value` at `start` is such a part.
pub(super) fn says_so(text: &[u8], start: usize, value: &[u8]) -> bool {
    // `…: X","id":7}`: what the next member is called.
    value.len() < 3 && text[start + value.len()..].starts_with(b"\":")
        || is_between_strings(text, start, value)
        || is_last_of_groups(text, start, value)
        || is_added(text, start, value)
        || is_variable(text, start, value)
        || is_address(value)
}

/// `\"Enter your PIN\"⟨,\n40a41,42\n>   ⟩\"secret.copied\"`: a string begins with none of these, and has no line's end.
fn is_between_strings(text: &[u8], start: usize, value: &[u8]) -> bool {
    let sign = matches!(value.first(), Some(b',' | b')' | b']' | b'}' | b':' | b';' | b'|'));
    let broken = || value.contains(&b' ') || crate::search::has(value, b"\\n");
    text[..start].ends_with(b"\\\"")
        && value.len() > 6
        && (value.starts_with(b" ") || value.starts_with(b"\\n") || sign && broken())
}

/// `"requestId":"C0A4:3E91:14F2D8:1A07B3:66F9D21E"`: the last of many groups.
fn is_last_of_groups(text: &[u8], start: usize, value: &[u8]) -> bool {
    const LONGEST: usize = 48;
    if value.len() > 12 || !text[..start].ends_with(b":") || !value.iter().all(u8::is_ascii_hexdigit) {
        return false;
    }
    let before = &text[start.saturating_sub(LONGEST)..start];
    let of_groups = |byte: &&u8| byte.is_ascii_hexdigit() || **byte == b':';
    let long = before.iter().rev().take_while(of_groups).count();
    memchr::memchr_iter(b':', &before[before.len() - long..]).count() >= 4
}

/// `+MAIL_PASSWORD=`, `+Security`, `+SHA256:…`: the next line of a patch, as it is without its sign.
fn is_added(text: &[u8], start: usize, value: &[u8]) -> bool {
    let opens = start == 0 || text[start - 1] == b'\n';
    let Some(rest) = value.strip_prefix(b"+").filter(|rest| opens && !rest.is_empty()) else { return false };
    let of_name = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'_' | b'-' | b'.');
    let name = rest.iter().take_while(|byte| of_name(byte)).count();
    name == rest.len() || name >= 3 && rest[name] == b'=' || rest.starts_with(b"SHA256:")
}

/// `[[ \"$pw\" == \"$pw2\" ]]`: what a shell keeps by that name.
fn is_variable(text: &[u8], start: usize, value: &[u8]) -> bool {
    let Some(name) = value.strip_prefix(b"$").filter(|_| text[..start].ends_with(b"\\\"")) else {
        return false;
    };
    name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') && names::judge(name).is_some()
}

/// `https://api.otter.example`: where a service is, and no more.
fn is_address(value: &[u8]) -> bool {
    let Some(host) = value.strip_prefix(b"https://").or_else(|| value.strip_prefix(b"http://")) else {
        return false;
    };
    let host = host.strip_suffix(b"/").unwrap_or(host);
    host.contains(&b'.')
        && host.iter().all(|byte| {
            byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b':')
        })
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_was_torn_out_is_none() {
        for text in [
            "{\"content\":\"\\\"pin.enter\\\": \\\"Enter your PIN\\\",\\n40a41,42\\n>   \\\"secret.copied\\\": 1\",\"id\":7}",
            "@@ -1,3 +1,4 @@\n+DB_PASSWORD=\n+MAIL_PASSWORD=\n+STRIPE_SECRET=\n",
            "{\"content\":\"read -rsp pw2; [[ \\\"$pw\\\" == \\\"$pw2\\\" ]]\",\"id\":7}",
            "{\"content\":\"enter password for repository:\\nrepository 4c1d90ab opened\",\"id\":7}",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_stands_in_its_place_is_one() {
        for text in [
            "@@ -1,3 +1,4 @@\n+DB_PASSWORD=Otter!Bridge5\n",
            "{\"content\":\"{\\\"password\\\": \\\"Otter!Bridge5\\\"}\",\"id\":7}",
            "password:\n+Otter!Bridge5\n",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
    }
}
