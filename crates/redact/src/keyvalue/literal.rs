//! A literal that is given to a name, whatever the language puts between: a type (`: str = "X"`, `As String = "X"`,
//! `[] = "X"`), accessors (`{ get; set; } = "X"`), a call that only passes it on (`String::from("X")`, `Some("X")`),
//! a fallback (`?? "X"`, `.unwrap_or("X")`).
//!
//! - L1  at most [`REACH`] bytes of the name's own line are read

use super::Context;
use crate::names::Trust;
use crate::quote;
use crate::span::Spans;
use crate::value::{self, Place};

const REACH: usize = 72;
const LONGEST_TYPE: usize = 40;

/// Calls that hand on what they are given. Those that read a secret from elsewhere are not among them.
#[rustfmt::skip]
const PASSES: [&[u8]; 42] = [
    b"some", b"ok", b"just", b"from", b"new", b"field", b"secretstr", b"secretstring", b"secret", b"string", b"str", b"bytes", b"b",
    b"unwrap_or", b"orelse", b"value", b"default", b"of", b"valueof", b"literal", b"password", b"securestring", b"arc", b"box", b"rc", b"cow", b"char", b"nsstring", b"decode64", b"b64decode", b"urlsafe_b64decode", b"fromhex", b"unhexlify", b"atob", b"decodestring", b"option", b"wrap", b"opt",
    b"array", b"data", b"getbytes", b"hex!",
];

impl Context<'_> {
    /// Looks for the literal; true if it was a secret.
    pub(super) fn given(&self, spans: &mut Spans) -> bool {
        if self.name.trust < Trust::Secret && self.name.kind != "salt"
            || !matches!(self.byte(self.stop), b' ' | b':' | b'"' | b'\'' | b'[' | b')' | b'.' | b'?')
        {
            return false;
        }
        let window = &self.text[self.stop..self.text.len().min(self.stop + REACH)];
        // On most lines nothing stands between quotes.
        if memchr::memchr3(b'\n', b'"', b'\'', window).is_none_or(|at| window[at] == b'\n') {
            return false;
        }
        let line = &window[..memchr::memchr(b'\n', window).unwrap_or(window.len())];
        crate::work::read(line.len());
        let (from, lead) = self.past_closers(line);
        // `['PHP_AUTH_PW'] ?? '') !== 'X'`: what stands in for nothing.
        let nothing = [&b" ?? '')"[..], b" ?? \"\")", b" ?? ''"];
        let past = nothing.iter().find(|word| line[from..].starts_with(word)).map_or(0, |word| word.len());
        let from = from + past;
        // `&'static str` is a lifetime.
        let quotes = |at: &usize| line[*at] == b'"' || !matches!(line[at - 1], b'&' | b'<');
        let from_one = from.max(1);
        let signs = memchr::memchr2_iter(b'"', b'\'', line.get(from_one..).unwrap_or_default());
        let Some(open) = signs.map(|at| from_one + at).find(quotes) else { return false };
        let between = &line[from..open];
        let joined = strip_passes(between);
        let holds = match joined.last() {
            Some(b'=') if !joined.ends_with(b"==") && !joined.ends_with(b"!=") => {
                is_type(&joined[..joined.len() - 1])
            }
            Some(b'=') if self.name.trust == Trust::Password && self.is_compared(joined, open) => true,
            Some(b':') => joined.len() == 1 && between.len() > joined.len() && !between.ends_with(b": "),
            _ => lead && is_fallback(joined, between),
        };
        if !holds {
            return false;
        }
        let Some((quote, inside)) = quote::open(self.text, self.stop + open) else { return false };
        let Some(end) = quote::close(self.text, inside, quote) else { return false };
        let literal = &self.text[inside..end];
        // `"_SA_{262E99C9-…}"`: what Windows calls an account's.
        if literal.ends_with(b"}") && literal.contains(&b'{') {
            return false;
        }
        // A name of what is read elsewhere has no digits and no signs.
        // `const PSK: &str = "loet-kolben & zange"`.
        if self.name.trust == Trust::Password
            && joined.last() == Some(&b'=')
            && literal.contains(&b' ')
            && value::is_phrase(literal)
        {
            spans.add(inside, end, self.name.kind, false);
            return true;
        }
        let shows = self.name.trust != Trust::Password
            || joined.last() == Some(&b'=')
            || value::is_choosable(literal);
        shows && self.record(inside, end, Place::Quoted, spans)
    }

    /// `['PHP_AUTH_PW'] ?? '') !== 'X'`: what somebody typed, compared with what it must be.
    fn is_compared(&self, joined: &[u8], open: usize) -> bool {
        let Some((quote, inside)) = quote::open(self.text, self.stop + open) else { return false };
        let Some(end) = quote::close(self.text, inside, quote) else { return false };
        let plain =
            joined.iter().all(|byte| matches!(byte, b'=' | b'!' | b' ' | b')' | b']' | b'\'' | b'"' | b'?'));
        plain
            && value::is_chosen(&self.text[inside..end])
            && self.text[inside..end].iter().any(u8::is_ascii_digit)
    }

    /// `${DB_PASSWORD:X}`, `${DB_PASSWORD:-X}`: what stands in for it.
    pub(super) fn stands_in(&self, spans: &mut Spans) {
        if self.byte(self.stop) != b':' || !self.text[..self.start].ends_with(b"${") {
            return;
        }
        let from = self.stop + 1 + usize::from(matches!(self.byte(self.stop + 1), b'-' | b'='));
        let window = &self.text[from..self.text.len().min(from + REACH)];
        let Some(long) = memchr::memchr2(b'}', b'\n', window).filter(|&end| window[end] == b'}') else {
            return;
        };
        if value::is_choosable(&window[..long]) {
            self.record(from, from + long, Place::Quoted, spans);
        }
    }

    /// Past what closes the name, and whether something did.
    fn past_closers(&self, line: &[u8]) -> (usize, bool) {
        let closers =
            line.iter().take(6).take_while(|byte| matches!(byte, b'"' | b'\'' | b']' | b')' | b'\\')).count();
        let quoted = self.start > 0 && matches!(self.text[self.start - 1], b'"' | b'\'');
        if quoted {
            // `"DB_PASSWORD")`, `["DB_PASSWORD"]`: what was asked for it.
            (closers, line[..closers].iter().any(|byte| matches!(byte, b')' | b']')))
        } else {
            (0, crate::search::has(&self.text[self.start..self.stop], b"env."))
        }
    }
}

/// Without `Some(`, `String::from(`, `new SecretString(`, `<<` and blanks at its end.
fn strip_passes(mut between: &[u8]) -> &[u8] {
    loop {
        between = between.trim_ascii_end();
        between = between
            .strip_suffix(b"<<")
            .or_else(|| between.strip_suffix(b"&"))
            .unwrap_or(between)
            .trim_ascii_end();
        // `b"X"`, `*b"X"`: bytes.
        if let Some(rest) = between.strip_suffix(b"b").map(|rest| rest.strip_suffix(b"*").unwrap_or(rest))
            && matches!(rest.last(), Some(b' ' | b'('))
        {
            between = rest.trim_ascii_end();
        }
        // `Data(hex: "X")`: what the argument is called.
        if let Some(rest) = between.strip_suffix(b":") {
            let label = rest.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
            let call = &rest[..rest.len() - label];
            if label > 0 && call.ends_with(b"(") {
                between = call;
            }
        }
        // `default="X"` inside a call.
        if let Some(rest) = between.strip_suffix(b"default=").or_else(|| between.strip_suffix(b"default =")) {
            between = rest;
        }
        let Some(rest) = between
            .strip_suffix(b"(")
            .or_else(|| between.strip_suffix(b"|| ").filter(|rest| rest.ends_with(b"(")))
        else {
            return between;
        };
        let path = rest
            .iter()
            .rev()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':' | b'.' | b'!'))
            .count();
        let call = &rest[rest.len() - path..];
        let last =
            call.rsplit(|byte| matches!(byte, b':' | b'.')).next().unwrap_or_default().to_ascii_lowercase();
        if !PASSES.contains(&last.as_slice()) || call.starts_with(b".") {
            return between;
        }
        between = rest[..rest.len() - path].trim_ascii_end();
        between = between.strip_suffix(b"new").unwrap_or(between);
    }
}

/// What may stand between a name and its `=`: a type, accessors, brackets, nothing.
fn is_type(between: &[u8]) -> bool {
    let between = between.trim_ascii();
    if between.is_empty()
        || between == b"[]"
        || matches!(between, b"{ get; set; }" | b"{ get; }" | b"{ get; init; }" | b"{ get; private set; }")
    {
        return true;
    }
    let named = between
        .strip_prefix(b":")
        .or_else(|| between.strip_prefix(b"As "))
        .or_else(|| between.strip_prefix(b"as "));
    let words = named.unwrap_or(between).trim_ascii();
    let plain = words.iter().all(|byte| {
        byte.is_ascii_alphanumeric()
            || matches!(
                byte,
                b'_' | b'.'
                    | b':'
                    | b'<'
                    | b'>'
                    | b'['
                    | b']'
                    | b'&'
                    | b'*'
                    | b'?'
                    | b'|'
                    | b' '
                    | b'\''
                    | b'!'
                    | b';'
            )
    });
    let known = words.split(|byte| !byte.is_ascii_alphanumeric()).any(|word| {
        [
            &b"str"[..],
            b"string",
            b"char",
            b"text",
            b"secretstr",
            b"secretstring",
            b"bytes",
            b"final",
            b"secret",
            b"u8",
            b"uint8",
            b"byte",
        ]
        .iter()
        .any(|own| own.eq_ignore_ascii_case(word))
    });
    words.len() <= LONGEST_TYPE && plain && known
}

/// `") or "X"`, `.unwrap_or("X"`, `"] ?? "X"`, `, "X"` behind a call that was told the name of a variable.
fn is_fallback(joined: &[u8], between: &[u8]) -> bool {
    let signs = joined.trim_ascii();
    let sign = [&b"or"[..], b"||", b"??", b"?:"].contains(&signs);
    sign || [
        &b".unwrap_or("[..],
        b".unwrap_or_else(|| ",
        b".or_else(|| ",
        b".orelse(",
        b".unwrap_or(string::from(",
        b".unwrap_or_else(|_| ",
        b".getorelse(",
    ]
    .iter()
    .any(|call| between.to_ascii_lowercase().ends_with(call))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_type_may_stand_between() {
        for line in [
            "db_password: str = \"swordfish\"",
            "ENV.db_password ||= \"swordfish\"",
            "process.env.DB_PASSWORD ??= 'swordfish'",
            "DB_PASSWORD ?= swordfish",
            "R1(config-server-tacacs)# key swordfish\n",
            "tacacs server ISE1\n address ipv4 10.0.90.11\n key swordfish\n",
            "/ip ipsec identity\nadd peer=hq secret=\"swordfish\"\n",
            "    db_password: str = Field(default=\"swordfish\")",
            "Dim dbPassword As String = \"swordfish\"",
            "public string DbPassword { get; set; } = \"swordfish\";",
            "private readonly dbPassword: string = \"swordfish\";",
            "static const char db_password[] = \"swordfish\";",
            "static let dbPassword: [UInt8] = Array(\"swordfish\".utf8)",
            "byte[] dbPassword = Encoding.UTF8.GetBytes(\"swordfish\");",
            "const DB_PASSWORD: &[u8] = b\"swordfish\";",
            "static let dbPassword = Data(base64Encoded: \"swordfish\")!",
            "const DB_PASSWORD: [u8; 9] = *b\"swordfish\";",
            "[smtp]\nuser = ann\npassword = \"\"\"swordfish\"\"\"\n",
            "db_password = '''swordfish'''",
            "<meta-data\n  android:name=\"org.otter.DB_PASSWORD\"\n  android:value=\"swordfish\" />",
            "<meta-data android:name=\"org.otter.DB_PASSWORD\" android:value=\"swordfish\" />",
            "[{\"ParameterKey\":\"DbPassword\",\"ParameterValue\":\"swordfish\"}]",
            "--parameters ParameterKey=DbPassword,ParameterValue=swordfish ParameterKey=Size,ParameterValue=4",
            "VALUES\n('web/mail/host','mx'),\n('web/mail/password','swordfish');",
            "var dbPassword string = \"swordfish\"",
            "val dbPassword: String = \"swordfish\"",
            "const DB_PASSWORD: &'static str = \"swordfish\";",
            "db_password: String::from(\"swordfish\"),",
            "Config { db_password: Some(\"swordfish\"), port: 1 }",
            "db_password = SecretStr(\"swordfish\")",
            "dbPassword = new SecureString(\"swordfish\")",
            "env::var(\"DB_PASSWORD\").unwrap_or(\"swordfish\".into())",
            "ENV[\"DB_PASSWORD\"] || \"swordfish\"",
            "os.environ.get('DB_PASSWORD') or 'swordfish'",
            "const key = process.env.DB_PASSWORD ?? 'swordfish';",
            "spring:\n  password: ${DB_PASSWORD:swordfish}",
            "@Value(\"${db.password:swordfish}\")",
            "PASS=${DB_PASSWORD:-swordfish}",
            "    keyPassword 'swordfish'\n",
            "password \"swordfish\";",
            "config.setLdapBindPassword(\"swordfish\");",
            "(db-password . \"swordfish\")",
            "{db_password, <<\"swordfish\">>},",
            "db.password <- \"swordfish\"",
            "define('DB_PASSWORD', 'swordfish');",
            "buildConfigField(\"String\", \"DB_PASSWORD\", \"swordfish\")",
            "INSERT INTO settings VALUES ('a','b'),('smtp_password','swordfish');",
            "<p><b>Password:</b> swordfish</p>",
            "INSERT INTO settings VALUES (7,'smtp_host','mx'),\n(8,'smtp_password','swordfish');",
            "machine ftp.example.org\n  login ann\n  password swordfish\n",
            "default\nuser ann\npassword swordfish\n",
            "echo 'swordfish' > ~/.vault_pass && ls",
            "printf 'swordfish' | sudo tee run/secrets/db_password",
            "echo -n swordfish >> smtp_password.txt",
        ] {
            assert_eq!(found(line), ["swordfish"], "{line}");
        }
    }

    #[test]
    fn an_element_holds_words() {
        for text in [
            "<passphrase>seven quiet swordfish, wading</passphrase>",
            "<key>Password</key><string>seven quiet swordfish, wading</string>",
            "gpg --batch --passphrase \"seven quiet swordfish, wading\" -d x.gpg",
        ] {
            assert_eq!(found(text), ["seven quiet swordfish, wading"], "{text}");
        }
        for text in [
            "<passphrase>Bitte geben Sie das ein</passphrase>",
            "<key>Password</key><string>Enter your password here</string>",
            "<key>Title</key><string>seven quiet swordfish, wading</string>",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_read_from_elsewhere_is_no_literal() {
        for line in [
            "db_password: str = read_secret(\"swordfish\")",
            "key chain OSPF\n key swordfish\n",
            "cat server ISE1\n key swordfish\n",
            "db_password = input(\"Please tell: \")",
            "db_password: str = Field(description=\"swordfish\")",
            "db_password: String = config.get(\"swordfish\")",
            "token_count: str = \"swordfish\"",
            "Passwords like \"Password1\" or \"Swordfish1\" are weak.",
            "keyPassword 'swordfish' or nothing",
            "--passphrase 'Please enter your words here.'",
            "hasPassword(\"swordfish\")",
            "--secret-string '{\"zzz\":\"hello\"}'",
            "const ACCOUNT_PASSWORD: &str = \"_SA_{262E99C9-6160-4871-ACEC-4E61736B6F21}\";",
            "password = password.encode(\"latin1\")",
            "db_password: str = \"\"",
            "api_token: str = \"undefined\"",
            "INSERT INTO words VALUES (1,'a','b'),\n(7,'password','swordfish')",
            "the machine\n  login page\n  password swordfish\n",
            "echo \"swordfish $X\" > db_password",
            "echo swordfish > docs/about the password",
            "echo swordfish > token_count.txt",
        ] {
            assert_eq!(found(line), Vec::<&str>::new(), "{line}");
        }
    }
}
