//! Settings that single programs, frameworks and labels write in a way of their own. To add one, add a function and its
//! line in [`value()`].

use super::bare_end;
use crate::names::{Name, Trust};
use crate::value;

/// Where the value of the name `start..stop` stands, if one of them wrote it.
pub(super) fn value(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    beside_user(text, start, stop, name)
        .or_else(|| of_radius(text, start, stop))
        .or_else(|| of_network(text, start, stop))
        .or_else(|| of_framework(text, start, stop))
        .or_else(|| of_super_user(text, stop))
        .or_else(|| of_row(text, start, stop, name))
        .or_else(|| of_app(text, stop, name))
        .or_else(|| of_item(text, start, stop, name))
        .or_else(|| of_part(text, start, stop, name))
}

/// `Content-Disposition: form-data; name="password"⏎⏎X`: a field of a form that is sent in parts.
fn of_part(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    let rest = text[stop..].strip_prefix(b"\"")?;
    let inside = rest.strip_prefix(b"\r\n\r\n").or_else(|| rest.strip_prefix(b"\n\n"))?;
    if name.trust < Trust::Secret || !text[..start].ends_with(b"form-data; name=\"") {
        return None;
    }
    let from = text.len() - inside.len();
    let word = crate::search::line(text, from, 512).trim_ascii_end();
    let said = !word.is_empty() && !word.starts_with(b"--");
    (said && !value::is_placeholder(word) && !value::is_reference(word)).then_some((from, from + word.len()))
}

/// `wlan key 45300655913963652583`, `WPA2 key  ojsdfxltdmgacn`: as a label has a network's.
fn of_network(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    const NETWORKS: [&[u8]; 6] = [b"wlan ", b"wifi ", b"wi-fi ", b"wpa ", b"wpa2 ", b"wpa3 "];
    if !text[start..stop].eq_ignore_ascii_case(b"key") {
        return None;
    }
    let before = text[start.saturating_sub(6)..start].to_ascii_lowercase();
    let signs = text[stop..].iter().take(24).take_while(|byte| matches!(byte, b' ' | b':' | b'\t')).count();
    let from = stop + signs;
    let long = text[from..].iter().take(64).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let ends = matches!(text.get(from + long), None | Some(b'\n' | b'\r' | b',' | b'"'));
    let word = &text[from..from + long];
    let digits = word.iter().all(u8::is_ascii_digit);
    let made = digits && long >= 8 || long >= 10 && crate::chance::is_random(word);
    (signs > 0 && ends && made && NETWORKS.iter().any(|network| before.ends_with(network)))
        .then_some((from, from + long))
}

/// `Authentication token of super user: 5298951351685389098`: of digits alone.
fn of_super_user(text: &[u8], stop: usize) -> Option<(usize, usize)> {
    let rest = text[stop..].strip_prefix(b" of super user: ").or_else(|| text[stop..].strip_prefix(b": "))?;
    let from = text.len() - rest.len();
    let long = rest.iter().take(21).take_while(|byte| byte.is_ascii_digit()).count();
    let asked = text[stop..].starts_with(b" of") || text[..stop].ends_with(b"uper user authentication token");
    ((16..=20).contains(&long) && asked).then_some((from, from + long))
}

/// `App password created⏎Name: Thunderbird⏎nywy xyde natc atri`: four times four small letters, a few lines below.
fn of_app(text: &[u8], stop: usize, name: Name) -> Option<(usize, usize)> {
    const LONG: usize = 19;
    if name.trust < Trust::Password
        || !text[..stop]
            .len()
            .checked_sub(12)
            .is_some_and(|from| text[from..stop].eq_ignore_ascii_case(b"app password"))
    {
        return None;
    }
    let window = &text[stop..text.len().min(stop + 120)];
    let form = |line: &&[u8]| {
        line.len() == LONG
            && line
                .iter()
                .enumerate()
                .all(|(at, byte)| if at % 5 == 4 { *byte == b' ' } else { byte.is_ascii_lowercase() })
    };
    // `app password for the scanner (scan@otter.example): nywy xyde natc atri`.
    let line = window.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let told = memchr::memmem::rfind(line, b": ").map(|colon| line[colon + 2..].trim_ascii());
    if let Some(told) = told.filter(form) {
        let from = crate::search::offset(text, told);
        return Some((from, from + LONG));
    }
    let line = window.split(|&byte| byte == b'\n').skip(1).map(<[u8]>::trim_ascii).find(form)?;
    let from = crate::search::offset(text, line);
    Some((from, from + LONG))
}

/// `imap_pass|X`: a row of a name and its value, with a bar between.
fn of_row(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    if text.get(stop) != Some(&b'|') || name.trust < Trust::Password {
        return None;
    }
    let opens = text[..start].last().is_none_or(|byte| *byte == b'\n');
    let word = crate::search::line(text, stop + 1, 96).trim_ascii_end();
    let shows = word.iter().any(|byte| byte.is_ascii_digit() || byte.is_ascii_punctuation())
        && value::is_choosable(word);
    (opens && shows && !word.contains(&b' ')).then_some((stop + 1, stop + 1 + word.len()))
}

/// `signing_salt: "ejw8clkj"`: what a framework calls so, whatever it looks like.
fn of_framework(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    let own = &text[start..stop];
    if !own.ends_with(b"signing_salt") && !own.ends_with(b"encryption_salt") {
        return None;
    }
    let signs = text[stop..].iter().take(4).take_while(|byte| matches!(byte, b' ' | b':' | b'=')).count();
    let sign = *text.get(stop + signs).filter(|sign| signs > 0 && matches!(sign, b'"' | b'\''))?;
    let from = stop + signs + 1;
    let long = memchr::memchr2(sign, b'\n', &text[from..text.len().min(from + 96)])?;
    let word = &text[from..from + long];
    let named = word.contains(&b'_') && word.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b'_');
    let good = long >= 8 && word.iter().all(u8::is_ascii_graphic) && !named;
    (good && !value::is_placeholder(word) && !value::is_reference(word)).then_some((from, from + long))
}

/// `- {name: ann, password: blueberrymuffin, type: text}`: a map of a list's item, on one line.
fn of_item(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    let from =
        stop + text[stop..].strip_prefix(b": ").filter(|_| name.trust == Trust::Password).map(|_| 2)?;
    let line = crate::search::last_line(&text[start.saturating_sub(96)..start]).trim_ascii_start();
    if !line.starts_with(b"- {") {
        return None;
    }
    let long =
        text[from..].iter().take(64).take_while(|byte| !matches!(byte, b',' | b'}' | b' ' | b'\n')).count();
    let word = &text[from..from + long];
    let ends = matches!(text.get(from + long), Some(b',' | b'}'));
    (ends && value::is_choosable(word)).then_some((from, from + long))
}

/// `client ap {⏎ipaddr = 10.0.0.4⏎secret = otter_in_fog`: what a server and whoever asks it share.
fn of_radius(text: &[u8], start: usize, stop: usize) -> Option<(usize, usize)> {
    let from = stop + text[stop..].strip_prefix(b" = ").map(|_| 3)?;
    let before = &text[start.saturating_sub(160)..start];
    let end = bare_end(text, from);
    let named = || crate::search::has(crate::search::behind(text, end, 64), b"shortname");
    let client = crate::search::find(before, b"client ")
        .is_some_and(|at| crate::search::has(&before[at..], b"ipaddr") || named());
    let word = &text[from..end];
    (&text[start..stop] == b"secret" && client && value::is_choosable(word)).then_some((from, end))
}

/// `user = ann, pass = ski-og-kakao`: joined words behind who it is.
fn beside_user(text: &[u8], start: usize, stop: usize, name: Name) -> Option<(usize, usize)> {
    const USERS: [&[u8]; 4] = [b"user", b"username", b"login", b"benutzer"];
    let before = text[..start].strip_suffix(b", ").filter(|_| name.trust == Trust::Password)?;
    let long =
        before.iter().rev().take(40).take_while(|byte| byte.is_ascii_graphic() && **byte != b',').count();
    let head = before[..before.len() - long].strip_suffix(b" = ")?;
    if long == 0 || !USERS.iter().any(|user| head.ends_with(user)) || !text[stop..].starts_with(b" = ") {
        return None;
    }
    let from = stop + b" = ".len();
    let end = bare_end(text, from);
    let word = &text[from..end];
    let joined = word.iter().any(|byte| matches!(byte, b'-' | b'.')) && value::is_choosable(word);
    let code = word.iter().any(|byte| matches!(byte, b'(' | b'[' | b'$' | b'<'));
    (joined && !code && word.len() >= 8).then_some((from, end))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn each_program_has_its_own_way() {
        for (text, secret) in [
            ("open it, user = ann, pass = ski-og-kakao\nand", "ski-og-kakao"),
            ("client ap {\n\tipaddr = 10.0.0.4\n\tsecret = otter_in_fog\n}", "otter_in_fog"),
            ("wlan key 45300655913963652583\nand", "45300655913963652583"),
            ("SSID a\n WPA2 key  ojsdfxltdmgacn\n S/N b", "ojsdfxltdmgacn"),
            ("live_view: [signing_salt: \"ejw8clkj\"]", "ejw8clkj"),
            ("token of super user: 5298951351685389098 (use", "5298951351685389098"),
            ("App password created\nName: Mail on LT-0482\nnywy xyde natc atri\nYou", "nywy xyde natc atri"),
            ("imap_pass|Lavendel+Otter\nimap_url|imaps://example.org\n", "Lavendel+Otter"),
            ("    - {name: ann, password: blueberrymuffin, type: text}", "blueberrymuffin"),
            (
                "--b\nContent-Disposition: form-data; name=\"password\"\r\n\r\nsweep stairs = Mo/Do\r\n--b--",
                "sweep stairs = Mo/Do",
            ),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn what_only_looks_so_stays() {
        for text in [
            "count = ann, pass = ski-og-kakao\n",
            "user = ann, pass = get_pass(ann)\n",
            "client {\n\taddress = 10.0.0.4\n\tsecret = otter_in_fog\n}",
            "wlan key management\n",
            "form-data; name=\"password\"\n\n--b--\n",
            "form-data; name=\"password\"\n\nchangeme\n--b--\n",
            "wlan key: not set\n",
            "signing_salt: System.get_env(\"SALT\")",
            "signing_salt: \"signing_salt\"",
            "token of super user: see the log",
            "App password created\nthis line says more than that\n",
            "pass_min_length|12\n",
            "| password|string |\n",
            "foo({name: ann, password: blueberrymuffin, type: text})",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
