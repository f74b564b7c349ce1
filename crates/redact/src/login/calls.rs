//! Logins as literals of a call: `login("bob", "X")`.

use super::REACH;
use super::add;
use crate::chance;
use crate::prose::looks_joined;
use crate::quote;
use crate::span::Spans;
use crate::value;

/// Looks at what a call is given whose name is such a word; `None` if it is none.
pub(super) fn scan(word: &[u8], text: &[u8], end: usize, spans: &mut Spans) -> Option<usize> {
    match word {
        b"realtime(" => return Some(constructed(text, end, spans)),
        b".run(" => return Some(bot(text, end, spans)),
        b"symmetricsecuritykey("
        | b"hmacshakeyfor("
        | b"hmac256("
        | b"hmac512("
        | b"hmacsha256("
        | b"hmacsha512("
        | b"createhmac("
        | b"hmac.new("
        | b"hash_hmac("
        | b"hmac.hexdigest(" => {
            return Some(signs(text, end, spans));
        }
        b"` with `" => super::told::ticked(text, end, spans),
        b".json\n[" => crate::bytes::pair(text, end, spans),
        _ => return None,
    }
    Some(end)
}

/// `login("user", "X")`, `HTTPBasicAuth('user', 'X')`: the second of two literals.
pub(super) fn arguments(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    if lone(text, end + 1, spans) {
        return end;
    }
    // `login(page, 'amy', 'X')`: what is no literal comes first.
    let gap = text[end + 1..]
        .iter()
        .take(32)
        .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b',' | b' '))
        .count();
    let from =
        if text[end + 1..end + 1 + gap].trim_ascii_end().ends_with(b",") { end + 1 + gap } else { end + 1 };
    let Some((quote, first)) = quote::open(text, from) else { return end };
    let Some(first_end) = quote::close(text, first, quote) else { return end };
    bot(text, from, spans);
    let mail = text[first..first_end].contains(&b'@');
    // `client.login('X')` of a bot.
    let first_word = &text[first..first_end];
    if first_word.len() >= 32 && chance::is_random(first_word) && text.get(first_end + 1) == Some(&b')') {
        add(text, first, first_end, spans);
        return end;
    }
    let sure = mail || !text[..end].ends_with(b"login") && !text[..end].ends_with(b"LOGIN");
    second_literal(text, first_end + quote.slashes + 1, sure, spans).unwrap_or(end)
}

/// Calls whose password stands at a known place among the literals.
const CALLS: [(&[u8], usize); 25] = [
    (b"ftp(", 2),
    (b"mysqli(", 2),
    (b"mysqli_connect(", 2),
    (b"mysql_connect(", 2),
    (b"pymysql.connect(", 2),
    (b"pdo(", 2),
    // As a trace tells it.
    (b"pdo->__construct(", 2),
    (b"mysqli->__construct(", 2),
    (b"drivermanager.getconnection(", 2),
    (b"getconnection(", 1),
    (b"networkcredential(", 1),
    (b"dbi->connect(", 2),
    (b"dbi.connect(", 2),
    (b"dbi:connect(", 2),
    (b"mysqldb.connect(", 2),
    (b"pyodbc.connect(", 2),
    (b"sequel.connect(", 2),
    (b"database.connect(", 3),
    (b"odbc_connect(", 2),
    (b"sqlsrv_connect(", 2),
    (b"cx_oracle.connect(", 1),
    (b"oracledb.connect(", 1),
    (b"oci_connect(", 1),
    (b"oci_pconnect(", 1),
    (b"ssh.connect(", 2),
];

/// `connect("host", "user", "X")`: a literal after the first that looks like a secret.
pub(super) fn literals(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let (mut at, limit, mut count, mut commas) = (end, text.len().min(end + REACH), 0, 0);
    let call = text[end.saturating_sub(32)..end].to_ascii_lowercase();
    let place = CALLS.iter().find(|(name, _)| call.ends_with(name)).map(|(_, place)| *place);
    while at < limit && text[at] != b')' && text[at] != b'=' {
        // `DBI->connect("…", 'ann', q{X})`.
        let delimited = quote::delimited(text, at).filter(|_| matches!(text[at - 1], b' ' | b',' | b'('));
        if let Some((start, stop)) = delimited.filter(|_| count == 2) {
            if value::is_chosen(&text[start..stop]) {
                add(text, start, stop, spans);
            }
            return stop;
        }
        let Some((quote, start)) = quote::open(text, at) else {
            commas += usize::from(text[at] == b',');
            at += 1;
            continue;
        };
        let Some(stop) = quote::close(text, start, quote) else { return at };
        let literal = &text[start..stop];
        let path = literal.contains(&b'/') || literal.contains(&b'.');
        let own = place == Some(commas) && (is_scrambled(literal) || is_dotted(literal));
        if count > 0
            && (own || !path)
            && (own
                || crate::prose::looks_like_secret(literal)
                || count == 2 && (is_marked(literal) || value::is_chosen(literal))
                || place == Some(commas) && value::is_choosable(literal))
        {
            add(text, start, stop, spans);
        }
        (at, count) = (stop + quote.slashes + 1, count + 1);
    }
    at
}

/// `hmac.new(b"X", body)`, `createHmac('sha256', 'X')`, `SymmetricSecurityKey(….GetBytes("X"))`: what signs is the first
/// literal that is no digest's name.
pub(super) fn signs(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let (mut at, limit) = (end, text.len().min(end + REACH));
    let closes = |at: usize| text[at] == b')' && text.get(at + 1) != Some(&b',');
    while at < limit && !matches!(text[at], b'\n' | b';' | b'{' | b'<' | b'>') && !closes(at) {
        let Some((quote, start)) = quote::open(text, at) else {
            at += 1;
            continue;
        };
        let Some(stop) = quote::close(text, start, quote) else { return at };
        let word = &text[start..stop];
        let parts =
            word.split(|byte| matches!(byte, b'-' | b'_' | b'.')).filter(|part| part.len() >= 3).count();
        if word.len() >= 8 && value::is_choosable(word) && (value::is_chosen(word) || parts >= 3) {
            add(text, start, stop, spans);
        }
        if word.len() >= 8 {
            return stop;
        }
        at = stop + quote.slashes + 1;
    }
    end
}

/// `bot.run('X')`, `client.login('X')`: three parts with dots, of the lengths that a bot's token has.
pub(super) fn bot(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let Some((quote, start)) = quote::open(text, end) else { return end };
    let rest = &text[start..text.len().min(start + 96)];
    let Some(long) = memchr::memchr(quote.sign, rest) else { return end };
    let word = &rest[..long];
    let plain = word.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
    let mut parts = word.split(|&byte| byte == b'.').map(<[u8]>::len);
    let three = (parts.next(), parts.next(), parts.next(), parts.next());
    if plain && matches!(three, (Some(23..=28), Some(5..=8), Some(20..=40), None)) {
        spans.add(start, start + long, "discord_token", true);
    }
    end
}

/// `redis:auth("X")`, `$redis->auth('X')`: a call that takes a password alone, by whom it is made.
fn lone(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let call = &text[end.saturating_sub(32)..end];
    let Some(head) =
        [&b".auth("[..], b":auth(", b"->auth("].iter().find_map(|call_end| call.strip_suffix(*call_end))
    else {
        return false;
    };
    let long = head.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
    let whose = head[head.len() - long..].to_ascii_lowercase();
    let Some((quote, start)) = quote::open(text, end) else { return false };
    let Some(stop) = quote::close(text, start, quote) else { return false };
    let word = &text[start..stop];
    let store = [&b"red"[..], b"jedis", b"valkey"]
        .iter()
        .any(|own| whose.starts_with(own) || whose.ends_with(b"redis"));
    let alone = text.get(stop + quote.slashes + 1) == Some(&b')');
    let found = alone && (store && value::is_choosable(word) || value::is_chosen(word) && looks_joined(word));
    if found {
        add(text, start, stop, spans);
    }
    found
}

/// `, "X")`: records X; where the call is `sure` to take a password, whatever word it is.
pub(crate) fn second_literal(text: &[u8], at: usize, sure: bool, spans: &mut Spans) -> Option<usize> {
    let gap = text
        .get(at..)?
        .iter()
        .take(24)
        .take_while(|byte| {
            matches!(byte, b',' | b' ' | b'\n') || byte.is_ascii_alphabetic() || **byte == b'('
        })
        .count();
    if text.get(at) != Some(&b',') {
        return None;
    }
    let (quote, start) = quote::open(text, at + gap)?;
    let stop = quote::close(text, start, quote)?;
    let word = &text[start..stop];
    let chosen = value::is_chosen(word) || sure && value::is_choosable(word);
    if chosen || crate::prose::looks_like_secret(word) || looks_joined(word) {
        add(text, start, stop, spans);
    }
    Some(stop)
}

/// `"SecureString",⏎  "Value": "X"`, `type = "SecureString"⏎ value = "X"`: what a store keeps under the name.
pub(super) fn kept_value(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    const NAME: &[u8] = b"value";
    let window = &text[end..text.len().min(end + 64)];
    let sign = |byte: &u8| matches!(byte, b'"' | b'\\' | b',' | b';' | b' ' | b'\n' | b'\r' | b'\t');
    // The `n` of an escaped line break.
    let between = |at: usize| sign(&window[at]) || window[at] == b'n' && window[at - 1] == b'\\';
    let gap = (0..window.len()).take_while(|&at| between(at)).count();
    let named = window[gap..].get(..NAME.len()).is_some_and(|name| name.eq_ignore_ascii_case(NAME));
    if gap == 0 || !named {
        return end;
    }
    let rest = &window[gap + NAME.len()..];
    let joint = rest.iter().take_while(|byte| sign(byte) || matches!(byte, b':' | b'=')).count();
    let past = &rest[..joint];
    // The last of the signs opens the value, with its slashes.
    let slashes = past.iter().rev().skip(1).take_while(|&&byte| byte == b'\\').count();
    if past.last() != Some(&b'"') || !past.iter().any(|byte| matches!(byte, b':' | b'=')) {
        return end;
    }
    let from = end + gap + NAME.len() + joint;
    let Some(stop) = quote::close(text, from, quote::Quote { sign: b'"', slashes }) else { return end };
    // What is shown without being decrypted.
    if text[from..].starts_with(b"AQICAH") || text[from..].starts_with(b"AQECAH") {
        return stop;
    }
    add(text, from, stop, spans);
    stop
}

/// `"success":{"username":"X"`: up to the quote.
pub(super) fn to_quote(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let long = memchr::memchr2(b'"', b'\n', &text[end..text.len().min(end + REACH)]).unwrap_or(0);
    add(text, end, end + long, spans);
    end
}

/// `Authenticate(4471)` of a telephone exchange.
pub(super) fn number(text: &[u8], end: usize, spans: &mut Spans) -> bool {
    let Some(rest) = text[end..].strip_prefix(b"(") else { return false };
    let long = rest.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    let holds = (4..=8).contains(&long) && matches!(rest.get(long), Some(b')' | b','));
    if holds {
        spans.add(end + 1, end + 1 + long, "pin", false);
    }
    holds
}

/// `cookieParser('X')`, `Fernet(b"X")`: a call that takes nothing else.
pub(super) fn first_literal(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let from = end + usize::from(text.get(end) == Some(&b'b'));
    let Some((quote, start)) = quote::open(text, from) else { return end };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    let word = &text[start..stop];
    if word.len() >= 8 && word.iter().all(u8::is_ascii_graphic) {
        add(text, start, stop, spans);
    }
    stop
}

/// `TwilioClient("AC…", "X")`: a literal after the first that nobody would have written.
pub(super) fn constructed(text: &[u8], end: usize, spans: &mut Spans) -> usize {
    let call = text[end.saturating_sub(24)..end].to_ascii_lowercase();
    if [
        &b"sftpclient("[..],
        b"ftpclient(",
        b"sshclient(",
        b"basicclient(",
        b"imapclient(",
        b"smtpclient(",
        b"ldapclient(",
    ]
    .iter()
    .any(|own| call.ends_with(own))
    {
        return literals(text, end, spans);
    }
    if lone(text, end, spans) {
        return end;
    }
    let Some((quote, first)) = quote::open(text, end) else { return end };
    let Some(first_end) = quote::close(text, first, quote) else { return end };
    // `WmsClient("https://…", "robot", "X")`: the host stands first.
    if crate::search::has(&text[first..first_end], b"://") {
        return literals(text, end, spans);
    }
    let at = first_end + quote.slashes + 1;
    // The next argument may stand on the next line.
    let blank = |byte: &&u8| matches!(byte, b',' | b' ' | b'\n' | b'\t');
    let gap = text[at..].iter().take(48).take_while(blank).count();
    let Some((quote, start)) = quote::open(text, at + gap).filter(|_| gap > 0) else {
        // `RestClient("X", timeout=5)`: the one literal is what it is let in by.
        let literal = &text[first..first_end];
        let lets_in = [&b"client("[..], b"tokenauth(", b"bearerauth(", b"tokenauthentication("]
            .iter()
            .any(|own| call.ends_with(own));
        if is_key(literal) || lets_in && literal.len() >= 32 && value::is_hex(literal) {
            add(text, first, first_end, spans);
        }
        return end;
    };
    let Some(stop) = quote::close(text, start, quote) else { return end };
    let word = &text[start..stop];
    let digits = word.iter().filter(|byte| byte.is_ascii_digit()).count();
    let hex = value::is_hex(word) && word.len() >= 32;
    if word.len() >= 16
        && digits >= 2
        && (!word.contains(&b'/') || word.len() == 40)
        && (hex || chance::is_random(word))
    {
        add(text, start, stop, spans);
    }
    stop
}

/// Of all sorts of signs, and no id of one sort, no path, no host.
fn is_key(literal: &[u8]) -> bool {
    let has = |sort: fn(&u8) -> bool| literal.iter().any(sort);
    let host = literal.contains(&b'.') && !literal.contains(&b':');
    (20..=96).contains(&literal.len())
        && literal.iter().all(|byte| {
            byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'_' | b'=' | b'.' | b':')
        })
        && literal.iter().filter(|byte| byte.is_ascii_digit()).count() >= 2
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
        && !host
        && chance::is_random(literal)
}

/// Signs, digits and letters of both cases, whatever they are: a password's own place.
fn is_scrambled(literal: &[u8]) -> bool {
    let has = |sort: fn(&u8) -> bool| literal.iter().any(sort);
    literal.len() >= 8
        && literal.iter().all(u8::is_ascii_graphic)
        && !literal.contains(&b':')
        && has(u8::is_ascii_digit)
        && has(u8::is_ascii_lowercase)
        && has(u8::is_ascii_uppercase)
}

/// `kettle.heron`: at a password's own place.
fn is_dotted(literal: &[u8]) -> bool {
    let dashed: Vec<u8> = literal.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
    value::is_choosable(&dashed)
}

/// `Nuss#Knacker`: a sign inside that no name of a user or a database has.
fn is_marked(literal: &[u8]) -> bool {
    let inside = literal.get(1..literal.len().saturating_sub(1)).unwrap_or_default();
    literal.len() >= 8
        && inside.iter().any(|byte| matches!(byte, b'#' | b'!' | b'$' | b'%' | b'&' | b'*'))
        && literal.iter().all(u8::is_ascii_graphic)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_store_says_that_it_keeps_a_secret() {
        for text in [
            "\"Type\": \"SecureString\", \"Value\": \"gramophone\"",
            "{\n  \"Type\": \"SecureString\",\n  \"Value\": \"gramophone\",\n  \"Version\": 4\n}",
            "{\"Type\":\"SecureString\",\"Value\":\"gramophone\"}",
            "{\"out\":\"{\\n  \\\"Type\\\": \\\"SecureString\\\",\\n  \\\"Value\\\": \\\"gramophone\\\"}\"}",
            "  type  = \"SecureString\"\n  value = \"gramophone\"\n",
        ] {
            assert_eq!(found(text), ["gramophone"], "{text}");
        }
        for text in [
            "\"Type\": \"String\", \"Value\": \"gramophone\"",
            "\"Type\": \"SecureString\", \"Version\": \"gramophone\"",
            "  type  = \"SecureString\"\n  value = var.gramophone\n  name = \"otter\"\n",
            "  type  = \"SecureString\"\n  value = \"${var.gramophone}\"\n",
            "\"Type\": \"SecureString\", \"Value\": \"********\"",
            "\"Type\": \"SecureString\", \"Value\": \"AQICAHq7Kw2Zx9Lp4Rt8Yc1Hs6Td3Jf5Gb0\"",
            "\"Type\": \"SecureString\", \"Value\": \"[REDACTED:secret:1a2b3c4d5e]\"",
            "Type must be \"SecureString\", \"String\" or \"StringList\"",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn one_literal_lets_in() {
        for text in ["red:auth(\"gramophone\")", "$redis->auth('gramophone');", "jedis.auth(\"gramophone\")"]
        {
            assert_eq!(found(text), ["gramophone"], "{text}");
        }
        assert_eq!(
            found("x = pager.RestClient(\"u+Xa9xMGkxbogHIrd9Qb\", a=\"b\")"),
            ["u+Xa9xMGkxbogHIrd9Qb"]
        );
        let bot = "NKSTKv0D2eGhg0mlllr4nv0wzo.ysS8tT.MndofuqH4li_dx6o2Z3BRAlnplXkxH12boi";
        assert_eq!(found(&format!("client.login('{bot}');")), [bot]);
    }

    #[test]
    fn a_password_has_its_own_place() {
        for text in [
            "DBI->connect(\"dbi:Oracle:host=o7;sid=F\", \"fin\", \"Qu4rter.Close\", { RaiseError => 1 })",
            "DBI->connect($dsn, 'fin', 'Qu4rter.Close')",
            "cx_Oracle.connect(\"hr\", \"Qu4rter.Close\", \"ora7/FINP\")",
            "DriverManager.getConnection(url, \"app\", \"Qu4rter.Close\")",
            "$c = oci_connect('hr', 'Qu4rter.Close', 'localhost/XE');",
        ] {
            assert_eq!(found(text), ["Qu4rter.Close"], "{text}");
        }
        let hex = "82500c2f652ae2876405e0306b4eb54358927ad3";
        assert_eq!(found(&format!("const dg = createClient(\"{hex}\");")), [hex]);
        assert_eq!(found(&format!("BearerAuth(\"{hex}\")")), [hex]);
        for text in [
            "DBI->connect(\"dbi:SQLite:dbname=/tmp/a.db\", \"\", \"\")",
            "client.connect(\"mqtt.example.org\", \"sensor.livingroom\", \"home.floor2\")",
            "DriverManager.getConnection(url, \"app\", password)",
            "signal.connect(\"clicked\", \"app.main\", \"Window.handle2\")",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_trace_tells_what_a_call_was_given() {
        for call in [
            "PDO->__construct('mysql:host=db;dbname=shop', 'shop', 'otter_river', Array)",
            "mysqli->__construct('db', 'shop', 'otter-River')",
        ] {
            let word = if call.contains("otter_river") { "otter_river" } else { "otter-River" };
            assert_eq!(found(&format!("#3 /srv/app/Db.php(20): {call}\n")), [word], "{call}");
        }
        for call in [
            "Model->__construct('mysql', 'shop', 'otter_river', Array)",
            "PDO->__construct('mysql:host=db', 'otter_river')",
            "PDO->__construct('mysql:host=db', 'shop', '', 'otter_river')",
            "PDO->__construct('mysql:host=db', 'shop', 'password')",
            "PDO->__construct('mysql:host=db', 'shop', Object(SensitiveParameterValue))",
        ] {
            assert_eq!(found(&format!("#3 /srv/app/Db.php(20): {call}\n")), Vec::<&str>::new(), "{call}");
        }
    }

    #[test]
    fn what_else_is_called_so_stays() {
        for text in [
            "router.auth('required-for-all')",
            "passport.auth(\"google\")",
            "client(\"https://api.example.org\")",
            "new ApolloClient(\"production-cluster-2\")",
            "subprocess.run('ls -la', shell=True)",
            "hmac.new(b'key', b'The quick brown fox', 'sha256')",
            "createHmac('sha256', secret).update('a-very-long-garden-wall-2023')",
            "cat <(echo hello there)",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
