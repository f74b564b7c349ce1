//! Credentials in addresses: `scheme://user:password@host`. (Secret query parameters are names with
//! values and need no engine of their own.)

use crate::span::Spans;
use crate::value;

const LONGEST: usize = 1024;
const LONGEST_TAIL: usize = 64;
const LONGEST_LINK: usize = 320;
/// Of what lets in whoever has the address.
const SHORTEST_TOKEN: usize = 20;

/// Looks at the authority after the `://` at `at`; returns how far it has read.
pub(crate) fn scan(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let start = at + 3;
    let window = &text[start..text.len().min(start + LONGEST)];
    crate::work::read(window.iter().take_while(|&&byte| !ends_address(byte)).count());
    if let Some(domain) = domain_end(&text[..at], window) {
        return scan_userinfo(text, start + domain, &window[domain..], spans);
    }
    scan_userinfo(text, start, window, spans)
}

/// `smb://ACME\\ann:X@fs1`: where the domain before the user ends.
fn domain_end(scheme: &[u8], window: &[u8]) -> Option<usize> {
    let shared = scheme.ends_with(b"smb") || scheme.ends_with(b"cifs");
    let long =
        window.iter().take(32).take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'-').count();
    let signs = window[long..].iter().take(4).take_while(|&&byte| byte == b'\\').count();
    (shared && long > 0 && signs > 0).then_some(long + signs)
}

fn scan_userinfo(text: &[u8], start: usize, window: &[u8], spans: &mut Spans) -> usize {
    let Some(end) = userinfo_end(window) else {
        link(text, window, spans);
        return start;
    };
    let userinfo = &window[..end];
    match userinfo.iter().position(|&byte| byte == b':') {
        Some(colon) => password(text, start, &userinfo[..colon], &userinfo[colon + 1..], spans),
        // An app, by the digest of who signed it.
        None if text[..start].ends_with(b"android://") => {}
        // Where an app reports its errors; every browser is told.
        None if takes_reports(&window[end + 1..]) => {}
        None => lone(start, userinfo, spans),
    }
    start + end
}

/// `o4418.ingest.sentry.io/45086`; one's own, `sentry.example.org/4`: behind it stands the number of a project alone.
fn takes_reports(rest: &[u8]) -> bool {
    let (host, path) = rest.split_at(rest.iter().take(64).take_while(|byte| !ends_authority(**byte)).count());
    host.ends_with(b"sentry.io") || host.starts_with(b"sentry.") && is_number(path)
}

/// `https://81fa7380…@sentry.example.org/4`: nothing but where reports go.
pub(crate) fn is_report_address(value: &[u8]) -> bool {
    let Some(rest) = value.strip_prefix(b"https://").or_else(|| value.strip_prefix(b"http://")) else {
        return false;
    };
    let Some(at) = memchr::memchr(b'@', rest) else { return false };
    !rest[..at].contains(&b':') && takes_reports(&rest[at + 1..])
}

/// `/4`, and no more of a path.
fn is_number(path: &[u8]) -> bool {
    let digits = path.iter().skip(1).take(20).take_while(|byte| byte.is_ascii_digit()).count();
    let goes_on = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'?' | b'-' | b'_');
    digits > 0 && path[0] == b'/' && !path.get(1 + digits).is_some_and(goes_on)
}

/// Parts of a path behind which a token stands that lets in whoever has the address.
#[rustfmt::skip]
const DOORS: [&[u8]; 24] = [
    b"magic", b"magic-link", b"magiclink", b"magic_link", b"reset", b"reset-password", b"reset_password", b"password-reset", b"password_reset", b"passwordreset",
    b"verify", b"verify-email", b"confirm", b"confirmation", b"activate", b"activation", b"invite", b"invitation", b"invitations", b"recover",
    b"recovery", b"one-time", b"onetime", b"accept-invite",
];

/// The letters that they begin with, a bit each: most parts of a path begin with another.
const DOOR_LETTERS: u32 = {
    let (mut letters, mut at) = (0, 0);
    while at < DOORS.len() {
        letters |= 1 << (DOORS[at][0] & 0x1F);
        at += 1;
    }
    letters
};

fn is_door(part: &[u8]) -> bool {
    part.len() >= 5
        && DOOR_LETTERS >> (part[0] & 0x1F) & 1 != 0
        && DOORS.iter().any(|door| door.eq_ignore_ascii_case(part))
}

/// Hosts and beginnings of paths whose address is a secret as a whole: whoever has it may speak there.
#[rustfmt::skip]
const WHOLE: [(&[u8], &[u8]); 41] = [
    (b"webhook.office.com", b"/webhookb2/"), (b"outlook.office.com", b"/webhook/"), (b"outlook.office365.com", b"/webhook/"), (b"logic.azure.com", b"/workflows/"),
    (b"api.powerplatform.com", b"/powerautomate/"), (b"hooks.slack.com", b"/"), (b"hooks.slack-gov.com", b"/"), (b"discord.com", b"/api/webhooks/"),
    (b"discordapp.com", b"/api/webhooks/"), (b"qyapi.weixin.qq.com", b"/cgi-bin/webhook/"), (b"open.feishu.cn", b"/open-apis/bot/"),
    (b"open.larksuite.com", b"/open-apis/bot/"), (b"oapi.dingtalk.com", b"/robot/"), (b"chat.googleapis.com", b"/v1/spaces/"), (b"webexapis.com", b"/v1/webhooks/incoming/"),
    (b"maker.ifttt.com", b"/trigger/"), (b"make.com", b"/"), (b"integromat.com", b"/"), (b"m.pipedream.net", b""), (b"app.n8n.cloud", b"/webhook/"), (b"hooks.airtable.com", b"/workflows/"),
    (b"hooks.workato.com", b"/"), (b"connect.pabbly.com", b"/workflow/"), (b"trigger.macrodroid.com", b"/"), (b"hooks.nabu.casa", b"/"), (b"guilded.gg", b"/webhooks/"),
    (b"events.pagerduty.com", b"/integration/"), (b"alert.victorops.com", b"/integrations/"), (b"sumologic.com", b"/receiver/"), (b"hc-ping.com", b"/"), (b"cronitor.link", b"/p/"),
    (b"uptime.betterstack.com", b"/api/v1/heartbeat/"), (b"heartbeat.uptimerobot.com", b"/"), (b"nosnch.in", b"/"), (b"sctapi.ftqq.com", b"/"), (b"api.day.app", b"/"),
    (b"api.netlify.com", b"/build_hooks/"), (b"api.render.com", b"/deploy/"), (b"api.vercel.com", b"/v1/integrations/deploy/"),
    (b"api.cloudflare.com", b"/client/v4/pages/webhooks/"), (b"webhook.site", b"/"),
];

/// How their hosts end, a bit each: most hosts end in another way.
const WHOLE_ENDS: u128 = {
    let (mut ends, mut at) = (0, 0);
    while at < WHOLE.len() {
        ends |= 1 << end_of(WHOLE[at].0);
        at += 1;
    }
    ends
};

/// A hash of the letters before `.com`, or of what stands there.
const fn end_of(host: &[u8]) -> u32 {
    match host {
        [.., a, b, c, d, _, _, _] => {
            (u32::from_le_bytes([*a, *b, *c, *d])).wrapping_mul(0x9E37_79B1)
                >> (u32::BITS - u128::BITS.ilog2())
        }
        _ => 0,
    }
}

const LONGEST_HOST: usize = 96;

/// `https://acme.webhook.office.com/webhookb2/X`: from its scheme to its end.
fn whole(text: &[u8], window: &[u8], spans: &mut Spans) -> bool {
    let ends = |byte: &u8| {
        ends_address(*byte)
            || matches!(byte, b'\'' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|' | b',' | b';')
    };
    // Most addresses have another host, and are read no further.
    let near = &window[..window.len().min(LONGEST_HOST)];
    let Some(slash) = memchr::memchr(b'/', near) else { return false };
    let (host, rest) = window.split_at(slash);
    let host = host.strip_suffix(b":443").unwrap_or(host);
    let own = |(suffix, prefix): &(&[u8], &[u8])| {
        let head = host.strip_suffix(*suffix);
        head.is_some_and(|head| head.is_empty() || head.ends_with(b".")) && rest.starts_with(prefix)
    };
    let known = WHOLE_ENDS >> end_of(host) & 1 != 0 && WHOLE.iter().any(own);
    if !known && !is_hook(rest) {
        return false;
    }
    let address = &window[..window.iter().position(ends).unwrap_or(window.len())];
    let address = address.strip_suffix(b".").unwrap_or(address);
    let path = &address[slash.min(address.len())..];
    // A flow's address without what signs it only says which one.
    let azure = host.ends_with(b"azure.com") || host.ends_with(b"powerplatform.com");
    let made = |part: &[u8]| {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        part.len() >= 10
            && digits >= 2
            && digits < part.len()
            && !value::is_placeholder(part)
            && (value::is_hex(part) || value::is_uuid(part) || crate::chance::is_random(part))
    };
    let signs = |byte: &u8| matches!(byte, b'/' | b'?' | b'&' | b'=' | b'@' | b'.');
    crate::work::read(address.len());
    if azure && !crate::search::has(path, b"sig=") || !address.split(signs).any(made) {
        return false;
    }
    let from = crate::search::offset(text, address);
    let scheme = text[..from - 3].iter().rev().take(8).take_while(|byte| byte.is_ascii_alphabetic()).count();
    spans.add(from - 3 - scheme, from + address.len(), "webhook", true);
    true
}

/// `/hooks/nmwe6npg4kdcetha6fm9q3cg3c`: Mattermost's, on whatever host.
fn is_hook(path: &[u8]) -> bool {
    const LONG: usize = 26;
    let id = path.strip_prefix(b"/hooks/").and_then(|rest| rest.get(..LONG));
    let plain = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    id.is_some_and(|id| id.iter().all(plain) && id.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3)
}

/// `/auth/magic?t=X`: behind a door, whatever the parameter is called.
fn parameter(text: &[u8], rest: &[u8], spans: &mut Spans) {
    let Some(query) = rest.strip_prefix(b"?") else { return };
    let name = query.iter().take(16).take_while(|byte| byte.is_ascii_lowercase() || **byte == b'_').count();
    let Some(value) = query[name..].strip_prefix(b"=") else { return };
    let sign = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let value = &value[..value.iter().take(256).take_while(sign).count()];
    let made = crate::chance::is_random(value) || value::is_hex(value);
    if value.len() >= SHORTEST_TOKEN && made && !value::is_placeholder(value) {
        let from = crate::search::offset(text, value);
        spans.add(from, from + value.len(), "token", false);
    }
}

fn is_mixed(part: &[u8]) -> bool {
    part.iter().any(u8::is_ascii_uppercase) && part.iter().any(u8::is_ascii_lowercase)
}

/// `GET /account/reset?uid=7752&t=X`: the same of a parameter with a short name.
pub(crate) fn short_parameter(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(96)..at];
    let path = before.rsplit(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'')).next();
    let path = path.unwrap_or_default();
    let path = &path[..memchr::memchr(b'?', path).unwrap_or(path.len())];
    if path.contains(&b'/') && path.rsplit(|&byte| byte == b'/').next().is_some_and(is_door) {
        behind_door(text, at, end, spans);
    }
    at
}

/// `GET "/session/magic/X"`: the same as a server logs it.
pub(crate) fn behind_door(text: &[u8], at: usize, end: usize, spans: &mut Spans) -> usize {
    let token = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    // `/user/reset/1/1738471990/X`: whose, and when.
    let mut end = end;
    for _ in 0..2 {
        let digits = text[end..].iter().take(12).take_while(|byte| byte.is_ascii_digit()).count();
        end += if digits > 0 && text.get(end + digits) == Some(&b'/') { digits + 1 } else { 0 };
    }
    let part = &text[end..end + text[end..].iter().take(LONGEST_LINK).take_while(token).count()];
    let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
    crate::work::read(part.len());
    let made = part.len() >= SHORTEST_TOKEN
        && digits >= 2
        && !value::is_placeholder(part)
        && !text[end + part.len()..].starts_with(b".")
        && (crate::chance::is_random(part) || value::is_hex(part));
    if made {
        spans.add(end, end + part.len(), "token", false);
    }
    at
}

/// `https://app.example.org/auth/magic/X`.
fn link(text: &[u8], window: &[u8], spans: &mut Spans) {
    if whole(text, window, spans) {
        return;
    }
    let window = &window[..window.len().min(LONGEST_LINK)];
    let port = |at: usize| window[at] == b':' && window.get(at + 1).is_some_and(u8::is_ascii_digit);
    let mut ends = window.iter().enumerate().filter(|(_, byte)| ends_link(**byte)).map(|(at, _)| at);
    let long = ends.find(|&at| !port(at)).unwrap_or(window.len());
    let path = window[..long].trim_ascii_end();
    // No room for a door, and for what stands behind it.
    if path.len() < 6 + SHORTEST_TOKEN && !window[long..].starts_with(b"?") {
        return;
    }
    let (mut door, mut door_is_share, mut door_is_tenant) = (false, false, false);
    for part in path.split(|&byte| crate::search::is_one!(byte, b'/' | b')' | b',' | b';')) {
        let digits = || part.iter().filter(|byte| byte.is_ascii_digit()).count();
        if door
            && part.len() >= SHORTEST_TOKEN
            && digits() >= 2
            && !part.contains(&b'.')
            && !value::is_placeholder(part)
        {
            let made = crate::chance::is_random(part) || value::is_hex(part);
            if made || value::is_uuid(part) {
                let from = crate::search::offset(text, part);
                spans.add(from, from + part.len(), "token", false);
            }
        }
        // `https://cloud.example.org/s/Owp7uh2uVFGoH75`: what somebody shared, with whoever has its address.
        let shared = door_is_share && part.len() == 15 && digits() >= 2 && is_mixed(part);
        if shared && part.iter().all(u8::is_ascii_alphanumeric) && crate::chance::is_random(part) {
            let from = crate::search::offset(text, part);
            spans.add(from, from + part.len(), "token", false);
        }
        // `https://conda.example.org/t/lu-d6a73efe-…/main`.
        if door_is_tenant && part.get(2) == Some(&b'-') && value::is_uuid(&part[3..]) {
            let from = crate::search::offset(text, part);
            spans.add(from, from + part.len(), "token", false);
        }
        (door_is_share, door_is_tenant) = (part == b"s", part == b"t");
        door = is_door(part);
    }
    if door {
        parameter(text, &window[long..], spans);
    }
    crate::work::read(long);
}

/// The last `@` before the path; a `/`, `?` or `#` in a password is one only if an `@host` follows.
fn userinfo_end(window: &[u8]) -> Option<usize> {
    let path = window.iter().position(|&byte| ends_host(byte)).unwrap_or(window.len());
    if let Some(sign) = window[..path].iter().rposition(|&byte| byte == b'@') {
        return Some(sign);
    }
    // Nothing before the path: only `user:pa/ss@host` is left, and a port is no password.
    let colon = window[..path].iter().position(|&byte| byte == b':')?;
    if window.get(path).is_none_or(|&byte| ends_address(byte))
        || window[colon + 1..path].iter().all(u8::is_ascii_digit)
    {
        return None;
    }
    let rest = &window[path..window.len().min(path + LONGEST_TAIL)];
    let sign = memchr::memchr(b'@', rest).filter(|&sign| !rest[..sign].iter().copied().any(ends_address))?;
    let sign = path + sign;
    let host = window[sign + 1..]
        .iter()
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .count();
    let named = window[path] == b'#'
        || window[sign + 1..sign + 1 + host].contains(&b'.')
        || window.get(sign + 1 + host) == Some(&b':');
    (host > 0 && named && !window[path..sign].contains(&b' ')).then_some(sign)
}

fn ends_authority(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#')
}

fn ends_host(byte: u8) -> bool {
    crate::search::is_one!(byte, 0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'`' | b'\\' | b'/' | b'?' | b'#')
}

fn ends_link(byte: u8) -> bool {
    crate::search::is_one!(
        byte,
        0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'`' | b'\\' | b'?' | b'#' | b'\'' | b':'
    )
}

fn ends_address(byte: u8) -> bool {
    crate::search::is_one!(byte, 0..=b' ' | 0x7F | b'"' | b'<' | b'>' | b'`' | b'\\')
}

/// `cvs://:pserver:anoncvs@`: how one gets in, and as whom.
fn is_anonymous(password: &[u8]) -> bool {
    password.strip_prefix(b"pserver:").is_some_and(|user| !user.contains(&b':'))
}

fn password(text: &[u8], start: usize, user: &[u8], password: &[u8], spans: &mut Spans) {
    let from = start + user.len() + 1;
    let end = from + password.len();
    if password.len() < 4
        || value::is_placeholder(password)
        || is_variable(password)
        || is_taken_out(password)
        || is_example(user, password)
        || user.is_empty() && is_anonymous(password)
        || text[end..].starts_with(b"@[")
    {
        return;
    }
    spans.add(from, end, "url_password", true);
    if matches!(password, b"x-oauth-basic" | b"x-oauth") {
        spans.add(start, start + user.len(), "url_password", true);
    }
}

/// `https://<token>@host`: the user is the secret.
fn lone(start: usize, user: &[u8], spans: &mut Spans) {
    // `https://kvk.example,ann@example.org`: a row of a table.
    if user.len() >= 16 && !user.contains(&b',') && (crate::chance::is_random(user) || value::is_hex(user)) {
        spans.add(start, start + user.len(), "url_password", false);
    }
}

fn is_variable(password: &[u8]) -> bool {
    matches!(password.first(), Some(b'$' | b'{' | b'<' | b'%'))
        && (password[1..].iter().all(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'{' | b'}'))
            || matches!(password.last(), Some(b'}' | b'>' | b'%'))
            || matches!(password, b"%s" | b"%v"))
}

/// `x-redacted`, `_hidden_`: somebody took it out.
fn is_taken_out(password: &[u8]) -> bool {
    const TAKEN: [&[u8]; 8] =
        [b"redacted", b"masked", b"hidden", b"removed", b"censored", b"scrubbed", b"stripped", b"sanitized"];
    password.len() <= 24
        && password
            .split(|byte| !byte.is_ascii_alphabetic())
            .any(|word| TAKEN.iter().any(|taken| taken.eq_ignore_ascii_case(word)))
}

/// `user:password@`, `username:pass@`, `foo:bar@`.
fn is_example(user: &[u8], password: &[u8]) -> bool {
    password == b"..."
        || password.starts_with(b"***")
        || (user.eq_ignore_ascii_case(password) && password.len() < 6)
}

/// `https://hooks.example.org/in/4711/…`: whoever knows the address may speak, so its random parts are secret.
pub(crate) fn scan_hook(text: &[u8], at: usize, spans: &mut Spans) -> usize {
    let before = &text[at.saturating_sub(LONGEST_TAIL)..at];
    if !crate::search::has(before, b"://") || !is_tail(before) {
        return at;
    }
    let long = text[at..]
        .iter()
        .take(LONGEST)
        .take_while(|&&byte| !ends_address(byte) && !matches!(byte, b'\'' | b')'))
        .count();
    let path = &text[at..at + long];
    let path = path.strip_suffix(b".").or_else(|| path.strip_suffix(b",")).unwrap_or(path);
    let mut from = at;
    for part in path.split(|byte| matches!(byte, b'/' | b'?' | b'&' | b'=')) {
        let digits = part.iter().filter(|byte| byte.is_ascii_digit()).count();
        if part.len() >= 16
            && digits >= 2
            && digits < part.len()
            && (crate::chance::is_random(part) || value::is_hex(part) || value::is_uuid(part))
        {
            spans.add(from, from + part.len(), "webhook", false);
        }
        from += part.len() + 1;
    }
    at + long
}

/// Whether the last address of `before` goes on to its end.
fn is_tail(before: &[u8]) -> bool {
    let start = memchr::memmem::rfind(before, b"://").unwrap_or(0);
    !before[start..].iter().any(|&byte| ends_address(byte))
}

#[cfg(test)]
mod tests {
    use crate::scan;
    use crate::testing::found;

    #[test]
    fn who_reads_anonymously_has_no_password() {
        assert_eq!(scan("cvs://:pserver:anonotter@sources.example.org:/cvs/src"), Vec::new());
        assert_eq!(scan("cvs://:pserver:otter:Bridge!5@sources.example.org:/cvs/src").len(), 1);
        assert_eq!(scan("redis://:Bridge!5@sources.example.org").len(), 1);
    }

    #[test]
    fn who_reports_errors_is_known() {
        let key = "81fa7380a1c8f5d745a08e24042a96cf";
        assert_eq!(scan(&format!("dsn: https://{key}@o4418.ingest.de.sentry.io/45086")), Vec::new());
        assert_eq!(scan(&format!("from: https://{key}@git.example.org/45086")).len(), 1);
        assert_eq!(scan(&format!("dsn: https://{key}@sentry.kontor.example/12\n")), Vec::new());
        for path in ["/api/0/projects", "/12/store", "", "/", "/team"] {
            assert_eq!(scan(&format!("from: https://{key}@sentry.kontor.example{path}")).len(), 1, "{path}");
        }
        for host in ["sentry.kontor.example", "o4418.ingest.sentry.io"] {
            let settings =
                format!("MAIL_PASS=otterriverheron\nSENTRY_DSN=https://{key}@{host}/12\nDEBUG=0\n");
            let all = crate::scan(&settings);
            assert_eq!(
                all.iter().map(|span| &settings[span.start..span.end]).collect::<Vec<_>>(),
                ["otterriverheron"]
            );
        }
        assert_eq!(scan(&format!("from: https://ann:{key}@sentry.kontor.example/12")).len(), 1);
    }

    #[test]
    fn whoever_has_the_whole_address_may_speak() {
        let (hex, uuid) = ("d1d16be03a8b453cb6a73bdb3ea10d20", "5a1f0c7e-93b2-4d18-8e6a-0b7c4f2d9e13");
        for (host, path) in super::WHOLE {
            let (host, path) = (String::from_utf8_lossy(host), String::from_utf8_lossy(path));
            let path = if path.is_empty() { "/" } else { &path };
            let address = format!("https://a.{host}{path}x/{uuid}/{hex}?sig={hex}");
            assert_eq!(found(&format!("url = \"{address}\",")), [address.as_str()], "{host}");
        }
        let teams =
            format!("https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{hex}/{uuid}");
        assert_eq!(found(&format!("({teams}).")), [teams.as_str()]);
        for text in [
            "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=your-key",
            "https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX",
            "https://discord.com/api/webhooks/123456789012345678/your-token",
            "https://www.make.com/en/integrations/http-2",
            "https://help.sumologic.com/docs/receiver/v1",
            "https://webhook.site/docs",
            "https://prod-12.westeurope.logic.azure.com/workflows/d1d16be03a8b453cb6a73bdb3ea10d20",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_was_taken_out_is_no_password() {
        for word in ["x-redacted", "_masked_", "REDACTED-BY-CI", "(hidden)"] {
            assert_eq!(found(&format!("https://ann:{word}@git.example.org/a")), Vec::<&str>::new(), "{word}");
        }
        assert_eq!(found("https://ann:hiddenotter@git.example.org/a"), ["hiddenotter"]);
    }

    #[test]
    fn whoever_has_the_address_is_let_in() {
        let token = "VeMX6S8W1V07FnNSLwZqWLB9FL30ZbxbhtQWntsKv7KB";
        for door in ["magic", "password-reset", "invitations"] {
            assert_eq!(
                found(&format!("go to https://app.example.org/{door}/{token} now")),
                [token],
                "{door}"
            );
        }
        for text in [
            "https://app.example.org/assets/VeMX6S8W1V07FnNSLwZqWLB9FL30ZbxbhtQWntsKv7KB",
            "https://docs.example.org/reset-password/how-to-reset-your-password-in-2024-and-23",
            "https://app.example.org/verify/settings",
            "https://app.example.org/verify/7f3c9d2e1b4a5f6c7d8e9f0a1b2c3d4e.js",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
