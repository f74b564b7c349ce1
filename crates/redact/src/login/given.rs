//! Secrets that stand where a tool's own way puts them: before the name of their header, in the answer of a server that
//! let somebody in, in a file of two lines, behind what was pasted.

use super::{REACH, add, bare, place};
use crate::names::{self, Name, Trust};
use crate::quote;
use crate::span::Spans;
use crate::value::{self, Place};
use crate::{chance, company};

/// Looks at what stands around such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], at: usize, end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        b"forhttpheaderfield" | b"forkey:" => before_name(text, at, end, spans),
        b"-verify" | b"_verify" | b"x-honeycomb-team" => header(text, at, end, spans),
        b"tokens\": {" | b"tokens\":{" | b"tokens {" | b"tokens = {" => tokens(text, end, spans),
        b"\"result\":\"" | b"\"result\": \"" => result(text, at, end, spans),
        b"tokenid" => token_id(text, end, spans),
        b".refresh(" => refreshed(text, at, end, spans),
        b"# pasted " | b"# entered " | b"# used " => pasted(text, end, spans),
        b"bundle config " => host_pair(text, end, spans),
        b"bundle_gem" => host_variable(text, end, spans),
        b".auth" if !matches!(text.get(end), None | Some(b'\n' | b'\r' | b' ' | b':')) => return None,
        b"auth.txt" | b".auth" | b"auth.conf" | b"login.conf" | b"login.txt" | b"creds.txt"
        | b"credentials.txt" | b"pass.txt" | b"passwd.txt" | b"password.txt" | b"/userpass" | b"vpn/"
        | b"/up.conf" | b"/pass.conf" | b"user-pass" | b"vpn-auth" => {
            // `/etc/openvpn/hq.up`: whatever it is called there.
            let open = word == b"vpn/";
            let file = line(text, end).iter().take_while(|byte| open && file_sign(**byte)).count();
            // Programs and settings lie there too.
            let name = text[end..end + file].rsplit(|&byte| byte == b'/').next().unwrap_or_default();
            let kind = memchr::memrchr(b'.', name).map(|dot| &name[dot + 1..]);
            if kind.is_some_and(|kind| {
                !matches!(kind, b"txt" | b"auth" | b"up" | b"pass" | b"creds" | b"login" | b"pw")
            }) {
                return Some(at);
            }
            two_lines(text, at, end + file, spans);
            // A longer name may begin within.
            return Some(at);
        }
        _ => return None,
    }
    Some(end)
}

fn file_sign(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'/')
}

/// The rest of the line, as far as one looks.
fn line(text: &[u8], start: usize) -> &[u8] {
    crate::search::line(text, start, REACH)
}

/// Nobody wrote it.
fn is_made(word: &[u8]) -> bool {
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    word.len() >= 16
        && digits >= 3
        && !value::is_placeholder(word)
        && !value::is_path(word)
        && (value::is_hex(word) || value::is_uuid(word) || chance::is_random(word))
}

/// `setValue("X", forHTTPHeaderField: "apikey")`, `set("X", forKey: "token")`: the value stands before its name.
fn before_name(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let signs = line(text, end).iter().take_while(|byte| matches!(byte, b':' | b' ' | b'@' | b'"')).count();
    let long = text[end + signs..]
        .iter()
        .take(48)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'))
        .count();
    let name = &text[end + signs..end + signs + long];
    if text.get(end + signs + long) != Some(&b'"') {
        return;
    }
    let Some(judged) = names::judge(name).or_else(|| carries(name).then_some(CARRIED)) else { return };
    let before = &text[at.saturating_sub(REACH)..at];
    crate::work::read(before.len());
    let Some(inside) =
        before.trim_ascii_end().strip_suffix(b",").unwrap_or(before.trim_ascii_end()).strip_suffix(b"\"")
    else {
        return;
    };
    let Some(open) = memchr::memrchr2(b'"', b'\n', inside).filter(|&open| inside[open] == b'"') else {
        return;
    };
    let word = &inside[open + 1..];
    let good = if judged.trust >= Trust::Secret {
        value::is_secret(judged, word, Place::Quoted)
    } else {
        is_made(word)
    };
    // `\(token)`, `Bearer …`: what is put in, and what has an engine of its own.
    if good && !word.contains(&b' ') && !word.contains(&b'\\') {
        let (start, stop) = place(text, word);
        spans.add(start, stop, judged.kind, false);
    }
}

const CARRIED: Name = Name { kind: "secret", trust: Trust::Weak };

/// `X-Origin-Verify`, `x_edge_verify`, `x-honeycomb-team`: a header by which a server knows who comes.
fn carries(name: &[u8]) -> bool {
    let own = name.to_ascii_lowercase();
    own == b"x-honeycomb-team"
        || (own.ends_with(b"-verify") || own.ends_with(b"_verify"))
            && (own.starts_with(b"x-") || own.starts_with(b"x_") || own.starts_with(b"http_x_"))
}

/// `RequestHeader set X-Origin-Verify "X"`, `if ($http_x_origin_verify != "X")`, `HeaderName: X-Origin-Verify⏎HeaderValue: X`.
fn header(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const BETWEEN: [&[u8]; 8] =
        [b"headervalue", b"header_value", b"value", b"-m", b"str", b"set", b"is", b"eq"];
    let sign = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let head = text[..at].iter().rev().take(32).take_while(sign).count();
    if !carries(&text[at - head..end]) {
        return;
    }
    let mut rest = &text[end..text.len().min(end + REACH)];
    crate::work::read(rest.len());
    for _ in 0..4 {
        let signs = rest
            .iter()
            .take_while(|byte| {
                !byte.is_ascii_alphanumeric() && !matches!(byte, b'$' | b'-' | b'%' | b'<' | b'/')
            })
            .count();
        // A line alone parts no header from its value.
        if rest.is_empty() || signs == 0 && rest[0] != b'-' {
            return;
        }
        rest = &rest[signs..];
        let long = rest
            .iter()
            .take_while(|byte| {
                byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b':' | b';' | b',' | b')' | b'=')
            })
            .count();
        let (word, behind) = rest.split_at(long);
        if BETWEEN.iter().any(|between| between.eq_ignore_ascii_case(word)) {
            rest = behind;
            continue;
        }
        if is_made(word) {
            let (start, stop) = place(text, word);
            spans.add(start, stop, "secret", false);
        }
        return;
    }
}

/// `"tokens": {"agent": "X", "default": "Y"}` of a cluster's access list.
fn tokens(text: &[u8], end: usize, spans: &mut Spans) {
    const LONGEST: usize = 400;
    let window = &text[end..text.len().min(end + LONGEST)];
    let inside = &window[..memchr::memchr(b'}', window).unwrap_or(0)];
    crate::work::read(inside.len());
    for member in inside.split(|byte| matches!(byte, b',' | b'\n')) {
        let mut parts = member.split(|&byte| byte == b'"').filter(|part| !part.trim_ascii().is_empty());
        let (Some(name), Some(last)) = (parts.next(), parts.next_back()) else { continue };
        let name = name.trim_ascii().to_ascii_lowercase();
        if value::is_uuid(last) && !names::is_identity(&name) && !name.ends_with(b"accessor") {
            let (start, stop) = place(text, last);
            spans.add(start, stop, "token", true);
        }
    }
}

/// `{"jsonrpc":"2.0","result":"X","id":1}`: a session, as a monitor answers who logs in.
fn result(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const LONG: usize = 32;
    let around = &text[at.saturating_sub(64)..text.len().min(end + 96)];
    let Some(word) = text.get(end..end + LONG) else { return };
    if text.get(end + LONG) == Some(&b'"')
        && value::is_hex(word)
        && crate::search::has(around, b"\"jsonrpc\"")
    {
        spans.add(end, end + LONG, "session", false);
    }
}

/// `full-tokenid │ svc@pve!ci` … `value │ X`, `"tokenid": "svc@pbs!ci", "value": "X"`: what was made, and shown once.
fn token_id(text: &[u8], end: usize, spans: &mut Spans) {
    const FAR: usize = 400;
    let window = &text[end..text.len().min(end + FAR)];
    crate::work::read(window.len());
    let Some(name) = memchr::memmem::find(window, b"value") else { return };
    let behind = &window[name + 5..];
    let signs = behind.iter().take(16).take_while(|byte| !byte.is_ascii_alphanumeric()).count();
    let Some(word) = behind.get(signs..signs + 36).filter(|word| value::is_uuid(word)) else { return };
    let (start, stop) = place(text, word);
    spans.add(start, stop, "token", true);
}

/// `client.refresh("X")` near what says whose client it is.
fn refreshed(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let Some((quote, start)) = quote::open(text, end) else { return };
    let Some(stop) = quote::close(text, start, quote) else { return };
    let before = &text[at.saturating_sub(REACH * 2)..at];
    crate::work::read(before.len());
    let speaks = [&b"client_secret"[..], b"clientSecret", b"client_id", b"clientId", b"OAuth", b"oauth"]
        .iter()
        .any(|word| crate::search::has(before, word));
    let word = &text[start..stop];
    if speaks && word.len() >= 20 && !value::is_uuid(word) && is_made(word) {
        spans.add(start, stop, "token", false);
    }
}

/// `hcloud context create prod   # pasted X`: what a history says that was typed in.
fn pasted(text: &[u8], end: usize, spans: &mut Spans) {
    let line = line(text, end);
    let word = line.trim_ascii_end().rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    if word.len() >= 20 && is_made(word) && !(value::is_hex(word) && word.len() == 40) {
        let (start, stop) = place(text, word);
        spans.add(start, stop, "token", false);
    }
}

/// `bundle config set --global gems.example.org ann:X`: who is let in at a host.
fn host_pair(text: &[u8], end: usize, spans: &mut Spans) {
    let mut words = line(text, end).split(|&byte| byte == b' ').filter(|word| !word.is_empty()).rev();
    let (Some(pair), Some(host)) = (words.next().map(<[u8]>::trim_ascii_end), words.next()) else { return };
    let pair = pair.strip_prefix(b"\"").unwrap_or(pair);
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon > 0) else { return };
    let (user, secret) = pair.split_at(colon);
    if !host.contains(&b'.') || secret.starts_with(b"://") {
        return;
    }
    // `8f2a61c0:77be01d4`: of two halves neither is a name.
    let whole = user.len() == 8 && value::is_hex(user);
    let (start, stop) = place(text, if whole { pair } else { &secret[1..] });
    let stop = start + bare(text, start).min(stop - start);
    add(text, start, stop, spans);
}

/// `BUNDLE_GEMS__OTTER__COM: "5a1f0c7e:93b24d18"`: the same of an environment, where dots are two lines.
fn host_variable(text: &[u8], end: usize, spans: &mut Spans) {
    let line = line(text, end);
    let long = line.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b'_').count();
    let rest = &line[long..];
    let joint =
        rest.iter().take(4).take_while(|byte| matches!(byte, b':' | b'=' | b' ' | b'"' | b'\'')).count();
    let start = crate::search::offset(text, rest) + joint;
    let long_value = bare(text, start);
    if joint > 0 && long_value >= 8 && crate::search::has(&line[..long], b"__") {
        add(text, start, start + long_value, spans);
    }
}

/// `# /etc/openvpn/auth.txt⏎ann⏎X`, `$ cat creds.txt⏎ann⏎X`: a file of a user and a password, a line each.
fn two_lines(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let Some(start) = company::line_start(text, at) else { return };
    let head = text[start..at].trim_ascii_start();
    let behind = line(text, end);
    // `<auth-user-pass>⏎ann⏎X⏎</auth-user-pass>`: inside the client's own file.
    if head.ends_with(b"<auth-") && behind.trim_ascii() == b">" {
        let user = line(text, end + behind.len() + 1);
        let secret = line(text, end + behind.len() + user.len() + 2).trim_ascii();
        if !secret.is_empty() && !secret.starts_with(b"<") {
            let (start, stop) = place(text, secret);
            add(text, start, stop, spans);
        }
        return;
    }
    // The path stands alone, behind what comments or prints it.
    let path = head.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    let opens = &head[..head.len() - path.len()];
    let shown =
        [&b"#"[..], b"cat", b"==>", b"//", b";"].iter().any(|sign| opens.trim_ascii_end().ends_with(sign));
    let lone = opens.is_empty() && (path.starts_with(b"/") || path.starts_with(b"~"));
    // `openvpn auth file: /etc/x/auth.txt`, `OpenVPN auth file for the surgery (auth.txt)`.
    let told = crate::search::has(head, b"auth file");
    if !(shown || lone || told)
        || !matches!(behind.trim_ascii(), b"" | b"<==" | b":" | b"(auth-user-pass)" | b")")
    {
        return;
    }
    let user = line(text, end + behind.len() + 1);
    let from = end + behind.len() + user.len() + 2;
    let secret = line(text, from);
    let below = line(text, from + secret.len() + 1).trim_ascii();
    let name = user.trim_ascii();
    let word = secret.trim_ascii();
    let named = name.len() >= 3
        && name
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-' | b'_' | b'@' | b'+'));
    // Where the file goes on it is none of two lines.
    let ends = below.is_empty()
        || matches!(below[0], b'#' | b'$' | b'=' | b'>')
        || below.contains(&b'$')
        || below.contains(&b'#');
    let dotted: Vec<u8> = word.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
    if named && ends && value::is_choosable(&dotted) && (value::is_chosen(&dotted) || is_made(word)) {
        let (start, stop) = place(text, word);
        add(text, start, stop, spans);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    const UUID: &str = "5a1f0c7e-93b2-4d18-8e6a-0b7c4f2d9e13";
    const HEX: &str = "d1d16be03a8b453cb6a73bdb3ea10d20";

    #[test]
    fn what_is_sent_stands_before_the_name_of_its_header() {
        for text in [
            "req.addValue(\"KEY\", forHTTPHeaderField: \"X-Api-Key\")",
            "[req setValue:@\"KEY\" forHTTPHeaderField:@\"X-Auth-Token\"];",
            "UserDefaults.standard.set(\"KEY\", forKey: \"access_token\")",
            "proxy_set_header X-Origin-Verify \"KEY\";",
            "http-request set-header X-Edge-Verify KEY",
            "acl cdn req.hdr(X-Origin-Verify) -m str KEY",
            "  - HeaderName: X-Origin-Verify\n    HeaderValue: KEY\n",
            "\"headers\": {\"x-origin-verify\": \"KEY\"}",
            "o.Headers = \"x-honeycomb-team=KEY\";",
        ] {
            assert_eq!(found(&text.replace("KEY", HEX)), [HEX], "{text}");
        }
        for text in [
            "req.setValue(\"KEY\", forHTTPHeaderField: \"X-Request-Id\")",
            "req.setValue(\"application/json\", forHTTPHeaderField: \"Content-Type\")",
            "req.setValue(key, forHTTPHeaderField: \"apikey\")",
            "defaults.set(\"KEY\", forKey: \"device_id\")",
            "proxy_set_header X-Origin-Verify $origin_secret;",
            "the header X-Origin-Verify must be set, see commit KEY",
            "ssl_verify off;\nroot KEY",
        ] {
            assert_eq!(found(&text.replace("KEY", HEX)), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn servers_answer_who_is_let_in() {
        for text in [
            "{\"acl\": {\"enabled\": true, \"tokens\": {\"agent\": \"KEY\"}}}",
            "acl = {\n  tokens {\n    default = \"KEY\"\n  }\n}",
            "│ full-tokenid │ svc@pve!ci │\n│ info │ {\"privsep\":\"0\"} │\n│ value │ KEY │\n",
            "{\"tokenid\": \"ci@pbs!a\", \"value\": \"KEY\"}",
        ] {
            assert_eq!(found(&text.replace("KEY", UUID)), [UUID], "{text}");
        }
        for text in [
            "{\"tokens\": {\"id\": \"KEY\", \"accessor\": \"KEY\"}}",
            "{\"tokenid\": \"ci@pbs!a\", \"expire\": 0, \"uuid\": \"KEY\"}",
        ] {
            assert_eq!(found(&text.replace("KEY", UUID)), Vec::<&str>::new(), "{text}");
        }
        assert_eq!(found(&format!("{{\"result\":\"{HEX}\",\"id\":1,\"jsonrpc\":\"2.0\"}}")), [HEX]);
        for text in ["{\"result\":\"KEY\",\"ok\":true}", "{\"jsonrpc\":\"2.0\",\"result\":\"0xKEY\"}"] {
            assert_eq!(found(&text.replace("KEY", HEX)), Vec::<&str>::new(), "{text}");
        }
        let token = "ddbcc915f927d750664ec72eac515d4a100ca4ca";
        let refresh = format!("c = Client(client_id=7)\nc.refresh(\"{token}\")");
        assert_eq!(found(&refresh), [token]);
        assert_eq!(found(&format!("repo.refresh(\"{token}\")")), Vec::<&str>::new());
    }

    #[test]
    fn a_file_of_two_lines_is_a_user_and_a_password() {
        for text in [
            "# /etc/openvpn/client/auth.txt\nann-laptop\nk3Ttle.Heron\n",
            "remote vpn.example.org 1194\n<auth-user-pass>\nann\nk3Ttle.Heron\n</auth-user-pass>\n",
            "$ cat pia-creds.txt\np1234567\nk3Ttle.Heron\n$ ls\n",
            "==> login.conf <==\nann@example.org\nk3Ttle.Heron",
            "/etc/openvpn/auth-user-pass\nann\nk3Ttle.Heron\n\nand then",
            "root@box:~# cat /etc/openvpn/client/hq.auth\nann\nk3Ttle.Heron\n",
            "# /etc/openvpn/credentials.txt\nann\nk3Ttle.Heron\n",
            "==> /etc/openvpn/auth-hq <==\nann\nk3Ttle.Heron\n",
            "# cat /root/vpn/login\nann\nk3Ttle.Heron\n",
            "cat pass.txt\nann\nk3Ttle.Heron",
            "$ cat ~/.vpn/userpass\nann\nk3Ttle.Heron\n",
        ] {
            assert_eq!(found(text), ["k3Ttle.Heron"], "{text}");
        }
        for text in [
            "# /etc/openvpn/client/auth.txt\nclient\nremote vpn2.example.org 1194\n",
            "# /etc/app/auth.conf\nalpha\nbeta-22x\ngamma\n",
            "<auth-user-pass>\n</auth-user-pass>\n<ca>\n",
            "see auth.txt\nann\nk3Ttle.Heron\n",
            "$ cat auth.txt\nplease\nread the notes\n",
            "$ ls creds.txt\nann\nk3Ttle-Heron\n",
            "$ ls /etc/openvpn/client\nann\nk3Ttle-Heron\n",
            "# /etc/openvpn/server\nproto udp\nport-1194-x\n",
            "# src/vpn/main.py\nimport\nos-path-2-x\n",
            "# src/http.auth\nimport\nbasic-auth-2\nfrom\n",
            "$ cat notes.author\nann\nk3Ttle-Heron\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_was_typed_in_beside_a_command() {
        let key = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6";
        assert_eq!(found(&format!("hcloud context create prod   # pasted {key}\n")), [key]);
        assert_eq!(found("bundle config gems.example.org 5a1f0c7e:93b24d18"), ["5a1f0c7e:93b24d18"]);
        assert_eq!(found("export BUNDLE_GEM__OTTER__IO=starfighter-9\n"), ["starfighter-9"]);
        assert_eq!(found("BUNDLE_GEMFILE: \"river/Gemfile-12\"\n"), Vec::<&str>::new());
        assert_eq!(found("bundle config set --local gems.example.org ann:starfighter"), ["starfighter"]);
        for text in [
            "git cherry-pick x  # used ddbcc915f927d750664ec72eac515d4a100ca4ca\n",
            "x = 1  # used by the-second-pass-2026-of-it\n",
            "bundle config set path vendor/bundle",
            "bundle config mirror.https://rubygems.org http://localhost:9292",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
