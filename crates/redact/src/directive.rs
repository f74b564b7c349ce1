//! Lines that say what is set and to what, with blanks between: `enable secret X`, `username ann secret 0 X`,
//! `git config acme.password X`, `npm config set //r.example/:_authToken X`. Behind the name stands its value alone.

use crate::company;
use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value;

const LONGEST: usize = 128;

/// How lines of devices begin that tell a secret.
#[rustfmt::skip]
const OPENERS: [&[u8]; 14] = [
    b"enable", b"username", b"tacacs-server", b"radius-server", b"neighbor", b"snmp-server", b"crypto", b"ppp", b"wpa-psk", b"server-private",
    b"authentication", b"aaa", b"standby", b"pre-shared-key",
];
/// Commands that keep a setting.
const KEEPS: [&[u8]; 8] = [
    b"racadm set ",
    b" config ",
    b" configure set ",
    b" config:set ",
    b" settings set ",
    b" variable set ",
    b" secret set ",
    b" config set ",
];

/// `password⏎  X⏎shared secret⏎  Y`: labels that are alone on their lines, and values set in below them.
pub(crate) fn below(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    if name.trust < Trust::Secret || text.get(stop) != Some(&b'\n') {
        return;
    }
    if !matches!(text.get(stop + 1), Some(b' ')) {
        return below_user(text, start, stop, name, spans);
    }
    let Some(line) = company::line_start(text, start) else { return };
    let head = &text[line..start];
    let blanks = text[stop + 1..].iter().take(8).take_while(|&&byte| byte == b' ').count();
    let from = stop + 1 + blanks;
    let long = text[from..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    crate::work::read(head.len() + long);
    let label = head.iter().all(|byte| byte.is_ascii_lowercase() || *byte == b' ')
        && !head.starts_with(b" ")
        && head.len() <= 24;
    let lone = matches!(text.get(from + long), None | Some(b'\n' | b'\r'));
    let word = &text[from..from + long];
    let good = match name.trust {
        Trust::Password => value::is_chosen(word),
        _ => value::is_secret(name, word, value::Place::Data),
    };
    if label && lone && blanks >= 2 && good {
        spans.add(from, from + long, name.kind, false);
    }
}

/// `Username⏎ann⏎Password⏎X`: each label and each value has a line of its own, as a page is copied.
fn below_user(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    const USERS: [&[u8]; 8] =
        [b"username", b"user", b"user name", b"login", b"email", b"e-mail", b"benutzername", b"benutzer"];
    if name.trust != Trust::Password || !(start == 0 || text[start - 1] == b'\n') {
        return;
    }
    let before = &text[start.saturating_sub(LONGEST)..start.saturating_sub(1)];
    let mut lines = before.rsplit(|&byte| byte == b'\n').skip(1);
    let label = lines.next().unwrap_or_default().trim_ascii();
    crate::work::read(before.len());
    let word = crate::search::line(text, stop + 1, LONGEST).trim_ascii();
    let user = USERS.iter().any(|user| user.eq_ignore_ascii_case(label));
    if user && value::is_choosable(word) && !word.contains(&b' ') {
        let from = crate::search::offset(text, word);
        spans.add(from, from + word.len(), name.kind, false);
    }
}

/// Looks at the word behind the name `start..stop`, if its line sets it.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    // ` key 0 X` below `radius server A`, `radius-server host 10.0.0.9 key X`.
    let keyed = &text[start..stop] == b"key" && (typed(text, stop).is_some() || is_of_server(&text[..start]));
    if name.trust < Trust::Secret && !keyed || text.get(stop) != Some(&b' ') {
        return;
    }
    let Some(line) = company::line_start(text, start) else { return };
    let head = &text[line..start];
    crate::work::read(head.len());
    let indented = head.trim_ascii_start();
    let prompt = prompt(indented);
    let indented = indented[prompt..].trim_ascii_start();
    let first = indented.split(|&byte| byte == b' ').next().unwrap_or_default();
    // A configuration's line has no sentence before the name.
    let device = OPENERS.contains(&first)
        && indented.len() <= 64
        && !indented.iter().any(|byte| matches!(byte, b',' | b'"' | b'=' | b'('))
        || indented.is_empty() && !head.is_empty() && typed(text, stop).is_some()
        || indented.is_empty() && name.trust == Trust::Password && (prompt > 0 || is_of_terminal(text, line));
    if indented.is_empty() && name.trust == Trust::Password && is_own(&text[start..stop]) {
        return setting(text, stop + 1, name, spans);
    }
    if indented.is_empty() && ALONE.contains(&&text[start..stop]) {
        return alone(text, stop + 1, name, spans);
    }
    // Each of them has one of these.
    let may_keep = crate::search::has(head, b"config") || crate::search::has(head, b"set ");
    let keeps = may_keep && KEEPS.iter().any(|keeps| crate::search::has(head, keeps));
    if !device && !keeps {
        return;
    }
    let from = typed(text, stop).unwrap_or(stop + 1);
    let from = from + usize::from(matches!(text.get(from), Some(b'"' | b'\'')));
    let long = text[from..]
        .iter()
        .take(LONGEST)
        .take_while(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\''))
        .count();
    let past = from + long;
    let ends = matches!(text.get(past), None | Some(b'\n' | b'\r' | b'"' | b'\''));
    let secret = &text[from..past];
    let good = if name.trust == Trust::Password || device {
        value::is_choosable(secret) && !secret.contains(&b':')
    } else {
        value::is_secret(name, secret, value::Place::Data)
    };
    // "authentication waits for the password prompt.": the end of a sentence.
    let sentence = secret.strip_suffix(b".").is_some_and(|word| word.iter().all(u8::is_ascii_lowercase));
    if ends && good && !sentence {
        spans.add(from, past, name.kind, false);
    }
}

/// How long `sw-2(config-line)#` is, before what is typed there; 0 if no such prompt begins the line.
fn prompt(line: &[u8]) -> usize {
    const LONGEST_PROMPT: usize = 64;
    let sign = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'(' | b')');
    let long = line.iter().take(LONGEST_PROMPT).take_while(sign).count();
    let typed = line.get(long) == Some(&b'#') && line[..long].ends_with(b")");
    if typed && crate::search::has(&line[..long], b"(config") { long + 1 } else { 0 }
}

/// `radius-server key `, `pre-shared-key address 10.0.0.9 key `: with whom it is shared stands right before.
fn is_of_server(before: &[u8]) -> bool {
    before.ends_with(b"-server ")
        || before.strip_suffix(b" ").is_some_and(|before| before.last().is_some_and(u8::is_ascii_digit))
}

/// ` password X` below `line vty 0 4`: what a device asks at its terminals.
fn is_of_terminal(text: &[u8], line: usize) -> bool {
    const MOST_LINES: usize = 4;
    if text.get(line) != Some(&b' ') {
        return false;
    }
    let above = std::iter::successors(Some(line), |&at| {
        at.checked_sub(1).and_then(|end| company::line_start(text, end))
    });
    let opener = above.skip(1).take(MOST_LINES).find(|&at| text[at] != b' ');
    opener.is_some_and(|at| {
        [&b"line vty "[..], b"line con ", b"line aux ", b"line console "]
            .iter()
            .any(|terminal| text[at..].starts_with(terminal))
    })
}

/// `auth_pass`, `bind_pw`, of several words; `proxy_pass` and `boarding_pass` are none.
fn is_own(name: &[u8]) -> bool {
    const WHOSE: [&[u8]; 9] =
        [b"auth", b"db", b"user", b"smtp", b"ftp", b"admin", b"root", b"login", b"mail"];
    let Some(last) = memchr::memrchr(b'_', name) else { return false };
    let owner = name[..last].rsplit(|&byte| byte == b'_').next().unwrap_or_default();
    !name[last + 1..].eq_ignore_ascii_case(b"pass")
        || WHOSE.iter().any(|whose| whose.eq_ignore_ascii_case(owner))
}

/// Settings of which the rest of the line is nothing but the password.
const ALONE: [&[u8]; 4] = [b"requirepass", b"masterauth", b"rootpw", b"rpcpassword"];

/// `requirepass Otter.mit.Hut`.
fn alone(text: &[u8], from: usize, name: Name, spans: &mut Spans) {
    let long = text[from..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let word = &text[from..from + long];
    let plain = !matches!(word.first(), None | Some(b'"' | b'\'' | b'-' | b'/' | b'{'));
    let lone = matches!(text.get(from + long), None | Some(b'\n' | b'\r'));
    if lone && plain && long >= 5 && !value::is_placeholder(word) && !value::is_reference(word) {
        spans.add(from, from + long, name.kind, false);
    }
}

/// `auth_pass X`: a line of a configuration that is a name and a word; where requests pass on to ends in `;`.
fn setting(text: &[u8], from: usize, name: Name, spans: &mut Spans) {
    let long = text[from..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let word = &text[from..from + long];
    let lone = matches!(text.get(from + long), None | Some(b'\n' | b'\r'));
    let syntax = word.iter().any(|byte| matches!(byte, b';' | b':' | b'=' | b',' | b'"'));
    if lone && !syntax && value::is_chosen(word) {
        spans.add(from, from + long, name.kind, false);
    }
}

/// `0 X`, `7 X`: how what follows is written, by number.
fn typed(text: &[u8], stop: usize) -> Option<usize> {
    match text.get(stop..stop + 3)? {
        [b' ', b'0'..=b'9', b' '] => Some(stop + 3),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_a_line_sets_is_its_last_word() {
        for line in [
            "enable secret starfighter",
            "enable password starfighter\n",
            "username ann privilege 15 secret 0 starfighter",
            "username ann password 0 starfighter",
            " password 0 starfighter\n",
            "radius server A\n address ipv4 10.4.0.40\n key 0 starfighter\n",
            "neighbor 10.0.0.1 password starfighter",
            "sw-2(config)#enable secret starfighter\n",
            "sw-2(config)#username ann privilege 15 secret starfighter\n",
            "sw-2(config-radius-server)#key 0 starfighter\n",
            "sw-2(config-line)# password starfighter\n",
            "radius-server host 10.4.0.40 auth-port 1812 key starfighter\n",
            "tacacs-server key starfighter\n",
            " pre-shared-key address 0.0.0.0 key starfighter\n",
            "line vty 0 4\n exec-timeout 10 0\n password starfighter\n login\n",
            "$ git config --global acme.password starfighter",
            "npm config set acme-password starfighter",
            "aws configure set acme_password \"starfighter\"",
        ] {
            assert_eq!(found(line), ["starfighter"], "{line}");
        }
    }

    #[test]
    fn a_setting_is_a_name_and_a_word() {
        assert_eq!(found("    auth_pass k4ffee-mug\n"), ["k4ffee-mug"]);
        assert_eq!(found("bind_pw heron-kettle-205\n"), ["heron-kettle-205"]);
        for line in [
            "proxy_pass backend_two;",
            "proxy_pass http://app22/x",
            "user_pass optional",
            "boarding_pass ready",
            "two_pass 2 rounds",
            "requirepass <password>",
            "requirepass is a setting",
        ] {
            assert_eq!(found(line), Vec::<&str>::new(), "{line}");
        }
    }

    #[test]
    fn some_settings_take_the_rest_of_the_line() {
        for name in ["requirepass", "masterauth", "rootpw", "rpcpassword"] {
            assert_eq!(found(&format!("port 6379\n{name} Otter.mit.Hut\n")), ["Otter.mit.Hut"], "{name}");
        }
    }

    #[test]
    fn labels_stand_alone_above_what_is_set_in() {
        let key = "L8uBQU6WVELK421lhc0C23Xa5E1cxYaZ";
        assert_eq!(
            found(&format!("user\n  ws_17\npassword\n  TeapotThunder67\nshared secret\n  {key}\n")),
            ["TeapotThunder67", key]
        );
        assert_eq!(found("the password\n  protects this\n"), Vec::<&str>::new());
    }

    #[test]
    fn sentences_and_states_stay() {
        for line in [
            "enable password protection for all rooms",
            "username and password required",
            "enable password changed",
            "username ann password missing",
            "git config credential.helper store",
            "    authentication is set up and nobody waits for the password prompt.",
            "enable secret required",
            "ip address and password settings",
            "see (config)#enable secret and more",
            "issue#enable secret starfighter",
            "sw-2(config)#no username ann secret\n",
            "sw-2(config-line)#password encryption aes\n",
            "row 12 key starfighter\n",
            "the radius-server key rotates\n",
            "first line vty is told\n password otters, all of them\n",
            "radius-server host 10.4.0.40 key <secret>\n",
        ] {
            assert_eq!(found(line), Vec::<&str>::new(), "{line}");
        }
    }
}
