//! Two words side by side of which the second is a password: `-u bob -p X`, `bob:X@host`, `[host]:587 bob:X`.

use crate::prose::{is_leet, looks_chosen, looks_joined};
use crate::span::Spans;
use crate::{chance, value};

/// Flags that take a password only beside a user's.
pub(crate) const FLAGS: &[&str] = &[" -p ", " -w ", " -pw "];
/// How a user is told before.
const USERS: [&[u8]; 4] = [b" -u ", b" -U ", b" --user ", b" --username "];

const REACH: usize = 120;
const LONGEST: usize = 128;

/// `cqlsh host -u bob -p X`: the word behind the flag `at..end`, if the same command names a user before it.
pub(crate) fn flag(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let quoted = crate::quote::open(text, end).filter(|(quote, _)| matches!(quote.sign, b'\'' | b'"'));
    if let Some((quote, start)) = quoted {
        let stop = crate::quote::close(text, start, quote).filter(|stop| stop - start <= LONGEST);
        return stop.into_iter().for_each(|stop| quoted_flag(text, at, start, stop, spans));
    }
    let long = word(text, end);
    let secret = &text[end..end + long];
    let letters = secret.iter().any(u8::is_ascii_alphabetic);
    let plain = !secret.iter().any(|byte| matches!(byte, b'/' | b':' | b'=' | b'$' | b'(' | b'{' | b','));
    if long < 4 || !letters || !plain || secret.starts_with(b"-") || value::is_placeholder(secret) {
        return;
    }
    let command = command_before(text, at);
    // `mysql -u root -p orders`: it asks for the password, and the word is a database.
    let bare = [&b"mysql"[..], b"mariadb", b"psql"].iter().any(|own| crate::search::has(command, own));
    let database =
        secret.iter().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'_');
    if bare && database {
        return;
    }
    // `env -u NAME` forgets a variable; `snowsql -w NAME` says which machine is to work.
    let other = crate::search::has(command, b"env -u")
        || crate::search::has(command, b"snowsql") && text[..end].ends_with(b" -w ");
    if !other && USERS.iter().any(|user| crate::search::has(command, user)) {
        spans.add(end, end + long, "password", false);
    }
}

/// The command up to the flag at `at`, over the lines that end in a backslash.
fn command_before(text: &[u8], at: usize) -> &[u8] {
    let before = crate::search::before(text, at + 1, REACH);
    let ends = |at: usize| match before[at] {
        b'|' | b';' => true,
        b'\n' => !crate::command::goes_on(&before[..at]),
        _ => false,
    };
    (0..before.len()).rfind(|&at| ends(at)).map_or(before, |end| &before[end + 1..])
}

/// `-u bob -p 'X'`: whatever word a shell is kept from reading.
fn quoted_flag(text: &[u8], at: usize, start: usize, stop: usize, spans: &mut Spans) {
    let secret = &text[start..stop];
    let command = command_before(text, at);
    // A slash is a sign like others here, but not of a path.
    let slashed: Vec<u8> = secret.iter().map(|&byte| if byte == b'/' { b'-' } else { byte }).collect();
    let shows = !secret.contains(&b'/') || value::is_chosen(&slashed);
    if value::is_choosable(&slashed)
        && shows
        && !value::is_path(secret)
        && !secret.contains(&b':')
        && !crate::search::has(command, b"env -u")
        && USERS.iter().any(|user| crate::search::has(command, user))
    {
        spans.add(start, stop, "password", false);
    }
}

/// Flags and words that take a user and a password in one word.
pub(crate) const TOGETHER: &[&str] = &[" -u ", " -su ", " -auth ", " --user ", " auth "];

/// `curl.exe" -u svc:X`, `stats auth admin:X`: the pair behind the flag that ends at `end`.
pub(crate) fn together(text: &[u8], end: usize, spans: &mut Spans) {
    let open = text.get(end).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let from = end + usize::from(open.is_some());
    let long = match open {
        Some(sign) => {
            text[from..text.len().min(from + LONGEST)].iter().position(|&byte| byte == sign).unwrap_or(0)
        }
        None => word(text, from),
    };
    let pair = &text[from..from + long];
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon >= 2) else { return };
    let (user, secret) = (&pair[..colon], &pair[colon + 1..]);
    let named = user.iter().any(u8::is_ascii_alphabetic)
        && user
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'@' | b'\\'));
    let plain = secret.iter().all(u8::is_ascii_lowercase)
        || secret.iter().all(u8::is_ascii_digit)
        || secret.starts_with(b"/")
        || secret.starts_with(b"$")
        || secret.iter().any(|byte| matches!(byte, b'(' | b':'));
    if named && secret.len() >= 6 && !plain && !value::is_placeholder(secret) && !value::is_reference(secret)
    {
        spans.add(from + colon + 1, from + long, "password", false);
    }
}

/// Names that stand before a colon, and whose mail address follows.
#[rustfmt::skip]
const LABELS: [&[u8]; 29] = [
    b"uid",
    b"mailto", b"email", b"mail", b"e-mail", b"from", b"to", b"cc", b"bcc", b"reply-to", b"author", b"by", b"user", b"username", b"login",
    b"contact", b"sip", b"sips", b"xmpp", b"acct", b"npm", b"git", b"ssh", b"owner", b"signed-off-by", b"account", b"sender", b"recipient", b"http",
];

/// `bob:X@host` without a scheme: the word before the sign at `at`, if it shows itself.
pub(crate) fn before_host(text: &[u8], at: usize, spans: &mut Spans) {
    if let Some(start) = of_driver(text, at).or_else(|| of_easy_connect(text, at)) {
        return spans.add(start, at, "password", false);
    }
    let run = text[..at].iter().rev().take(LONGEST).take_while(|byte| is_userinfo(**byte)).count();
    crate::work::read(run);
    let userinfo = &text[at - run..at];
    let Some(colon) = memchr::memchr(b':', userinfo).filter(|&colon| colon > 0) else { return };
    let (user, secret) = (&userinfo[..colon], &userinfo[colon + 1..]);
    // Most of what stands before a host is a mail's.
    if secret.len() < 6 || !is_host(&text[at + 1..]) {
        return;
    }
    let shows = looks_chosen(secret) || looks_joined(secret) || is_leet(secret) || chance::is_random(secret);
    let label = LABELS.iter().any(|label| label.eq_ignore_ascii_case(user));
    let lone =
        !secret.iter().any(|byte| matches!(byte, b':' | b'%') || *byte == b'.') && !value::is_uuid(secret);
    let called =
        user.iter().any(u8::is_ascii_alphabetic) || user.len() >= 4 && user.iter().all(u8::is_ascii_digit);
    let label = label || !called;
    if shows && lone && !label && !value::is_placeholder(secret) {
        spans.add(at - secret.len(), at, "password", false);
    }
}

/// `gopher:X@tcp(10.1.2.3:3306)/events`: where the secret begins; it may hold any sign but those that end a word.
fn of_driver(text: &[u8], at: usize) -> Option<usize> {
    if !is_driver(&text[at + 1..]) {
        return None;
    }
    let of_word = |byte: &&u8| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b'{')
    };
    let run = text[..at].iter().rev().take(LONGEST).take_while(of_word).count();
    crate::work::read(run);
    let word = &text[at - run..at];
    let secret = &word[memchr::memrchr(b':', word)? + 1..];
    let named = word.len() > secret.len() + 1;
    // `%s:%s@tcp(%s)`: a form.
    let form = secret.starts_with(b"%") && secret.len() <= 4;
    (named && secret.len() >= 4 && !form && !value::is_placeholder(secret) && !value::is_reference(secret))
        .then(|| at - secret.len())
}

/// `scott/X@//db:1521/orcl`: a database's own way to name a user, a password and a place.
fn of_easy_connect(text: &[u8], at: usize) -> Option<usize> {
    if !text[at + 1..].starts_with(b"//") {
        return None;
    }
    let of_word = |byte: &&u8| {
        byte.is_ascii_graphic()
            && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'(' | b'{' | b':' | b'=')
    };
    let run = text[..at].iter().rev().take(LONGEST).take_while(of_word).count();
    crate::work::read(run);
    let word = &text[at - run..at];
    let slash = memchr::memchr(b'/', word).filter(|&slash| slash > 0)?;
    let (user, secret) = (&word[..slash], &word[slash + 1..]);
    let plain = user.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$' | b'#'));
    (plain && secret.len() >= 4 && !value::is_placeholder(secret) && !value::is_reference(secret))
        .then(|| at - secret.len())
}

fn is_userinfo(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(byte, b'.' | b'_' | b'-' | b':' | b'!' | b'#' | b'$' | b'%' | b'+' | b'*' | b'&')
}

/// A driver's: `gopher:X@tcp(10.1.2.3:3306)/events`.
fn is_driver(rest: &[u8]) -> bool {
    [&b"tcp("[..], b"unix(", b"tcp4(", b"udp("].iter().any(|net| rest.starts_with(net))
}

/// `db.example.org`, `localhost:5432`; no version, no digest.
fn is_host(rest: &[u8]) -> bool {
    if is_driver(rest) {
        return true;
    }
    let long = rest
        .iter()
        .take(64)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-'))
        .count();
    let host = &rest[..long];
    let top = host.rsplit(|&byte| byte == b'.').next().unwrap_or_default();
    let named = top.len() < long && (2..=12).contains(&top.len()) && top.iter().all(u8::is_ascii_lowercase);
    let number = memchr::memchr_iter(b'.', host).count() == 3
        && host.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    named || number || rest.get(long) == Some(&b':') && host.starts_with(b"local")
}

/// `[smtp.example.org]:587 bob:X`, `smtp.example.org bob:X`: what a mail program is told of a host; `at` is where the
/// port's colon stands.
pub(crate) fn behind_host(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let port = text[end..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    let from = end
        + port
        + text[end + port..].iter().take(8).take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let opens = text[..at]
        .iter()
        .rev()
        .take(80)
        .take_while(|&&byte| !matches!(byte, b'\n' | b'"'))
        .all(u8::is_ascii_graphic);
    let mut long = word(text, from);
    let pair = &text[from..from + long];
    let Some(colon) = memchr::memchr(b':', pair).filter(|&colon| colon >= 2) else { return };
    // `relay@example.org:ldou pica fxov tige`: four groups of four.
    let rest = text.get(from + colon + 1..from + colon + 20).unwrap_or_default();
    if value::is_grouped(rest) && matches!(text.get(from + colon + 20), None | Some(b'\n' | b'\r')) {
        long = colon + 20;
    }
    let pair = &text[from..from + long];
    let secret = &pair[colon + 1..];
    if opens
        && port > 0
        && from > end + port
        && secret.len() >= 6
        && !secret.contains(&b':')
        && !value::is_placeholder(secret)
    {
        spans.add(from + colon + 1, from + long, "password", false);
    }
}

fn word(text: &[u8], from: usize) -> usize {
    let rest = text.get(from..).unwrap_or_default();
    let quoted = rest.iter().take(LONGEST);
    let long = quoted
        .take_while(|byte| {
            crate::search::is_typed(**byte)
                && !matches!(byte, b'"' | b'\'' | b'`' | b'<' | b'>' | b'|' | b'\\')
        })
        .count();
    crate::work::read(long);
    long
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_flag_takes_a_password_beside_a_user() {
        assert_eq!(found("cqlsh db -u cassandra -p cassandra_but_longer -e x"), ["cassandra_but_longer"]);
        assert_eq!(found("crmsh auth -u hacluster -p 'of-two?seven' box"), ["of-two?seven"]);
        assert_eq!(
            found("cypher-shell -u curator -p \"ribosome-tuba-fox-50\" \"MATCH (n)\""),
            ["ribosome-tuba-fox-50"]
        );
        assert_eq!(found("docker run -u app -p '8080:80' x"), Vec::<&str>::new());
        assert_eq!(found("docker run -u app -p \"8080:80\" x"), Vec::<&str>::new());
        assert_eq!(found("psql -U ann -p \"5433\" shop"), Vec::<&str>::new());
        assert_eq!(found("mkdir -p cassandra_but_longer"), Vec::<&str>::new());
        assert_eq!(found("docker run -u app -p 8080:80 x"), Vec::<&str>::new());
    }

    #[test]
    fn a_user_and_a_password_stand_before_a_host() {
        assert_eq!(found("register => 10025:anrufbeantw0rter@sip.example.org/1"), ["anrufbeantw0rter"]);
        assert_eq!(found("[smtp.example.org]:587 relay:geZMi9yBxXfF"), ["geZMi9yBxXfF"]);
        assert_eq!(found("mailto:bob1990@example.org, npm:react@18.2.0"), Vec::<&str>::new());
    }
}
