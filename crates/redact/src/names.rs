//! What a name says about its value: grammar over lists.
//!
//! A name is cut into words (`clientSecret`, `DB_PASSWORD`, `x-api-key`, `dbpassword`). Its last
//! secret word decides, unless a word after it says that the value only describes the secret
//! (`token_count`, `password_file`) or a word before it says which harmless key is meant
//! (`public_key`, `page_token`). A new vendor's `ACME_API_TOKEN` needs no rule.

mod tongues;

use std::cell::RefCell;

use crate::memo::Memo;
use crate::vendor;

/// How much a name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Trust {
    /// `key`, `session`, `salt`: a secret only if the value looks like one.
    Weak,
    /// `api_key`, `token`: a secret unless the value looks like a word.
    Secret,
    /// `password`: a secret unless the value is a placeholder or code.
    Password,
}

/// A judged name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) kind: &'static str,
    pub(crate) trust: Trust,
}

const MOST_WORDS: usize = 12;
const LONGEST_NAME: usize = 192;

/// The lower-case words of a name, on the stack: this runs for every key of every object.
struct Words<'a> {
    bytes: &'a [u8],
    /// The same, if it is a text as a whole: a name may be cut in the middle of a character.
    text: Option<&'a str>,
    /// Where each word begins and ends.
    places: [(u8, u8); MOST_WORDS],
    count: usize,
}

/// Words that are being cut.
struct Cut<'a> {
    bytes: &'a mut [u8; LONGEST_NAME],
    places: [(u8, u8); MOST_WORDS],
    count: usize,
    filled: usize,
}

impl<'a> Words<'a> {
    fn of(name: &[u8], space: &'a mut [u8; LONGEST_NAME]) -> Self {
        let cut = Cut::of(name, space);
        let (bytes, places, count) = (&cut.bytes[..cut.filled], cut.places, cut.count);
        Self { bytes, text: std::str::from_utf8(bytes).ok(), places, count }
    }

    fn get(&self, at: usize) -> &'a str {
        let (start, end) = self.places[at];
        let place = usize::from(start)..usize::from(end);
        match self.text {
            Some(text) => text.get(place).unwrap_or(""),
            None => std::str::from_utf8(&self.bytes[place]).unwrap_or(""),
        }
    }

    fn before(&self, at: usize) -> &'a str {
        at.checked_sub(1).map_or("", |at| self.get(at))
    }
}

impl<'a> Cut<'a> {
    fn of(name: &[u8], bytes: &'a mut [u8; LONGEST_NAME]) -> Self {
        let mut words = Self { bytes, places: [(0, 0); MOST_WORDS], count: 0, filled: 0 };
        // The last words of a name decide.
        let name = &name[name.len().saturating_sub(LONGEST_NAME)..];
        let (mut before, mut at) = (b'_', 0);
        while let Some(&byte) = name.get(at) {
            let long = name[at..].iter().take_while(|byte| byte.is_ascii_lowercase()).count();
            if long > 0 {
                words.append(&name[at..at + long], before == b'_');
                at += long;
                before = name[at - 1];
                continue;
            }
            at += 1;
            if byte < 0x80 && !byte.is_ascii_alphabetic() {
                before = b'_';
                continue;
            }
            let acronym_ends = byte.is_ascii_uppercase()
                && before.is_ascii_uppercase()
                && name.get(at).is_some_and(u8::is_ascii_lowercase)
                && name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            let capital = (byte.is_ascii_uppercase() && before.is_ascii_lowercase()) || acronym_ends;
            let opens = before == b'_' || capital && !words.goes_on(&name[at - 1..]);
            // Two bytes of a Cyrillic capital differ from the small letter's in the last.
            let cyrillic = before == 0xD0 && (0x90..=0x9F).contains(&byte);
            // `Ö`, `Ñ`.
            let latin = before == 0xC3 && (0x80..=0x9E).contains(&byte);
            let small = if cyrillic || latin { byte + 0x20 } else { byte.to_ascii_lowercase() };
            words.push(small, opens);
            before = byte;
        }
        words
    }

    /// `PassWord`, `PASSWord`, `passPhrase`: one word, whatever its capitals.
    fn goes_on(&self, rest: &[u8]) -> bool {
        let begins = |with: &[u8]| rest.get(..with.len()).is_some_and(|head| head.eq_ignore_ascii_case(with));
        self.last_is_pass() && (begins(b"word") || begins(b"phrase"))
    }

    fn last_is_pass(&self) -> bool {
        let last = self.count.checked_sub(1).map(|last| self.places[last]);
        last.is_some_and(|(start, end)| self.bytes[usize::from(start)..usize::from(end)] == *b"pass")
    }

    fn push(&mut self, byte: u8, opens: bool) {
        self.append(&[byte], opens);
    }

    /// Adds to the last word, or opens the next one.
    #[allow(clippy::cast_possible_truncation, reason = "a name has fewer bytes than 256")]
    fn append(&mut self, part: &[u8], opens: bool) {
        let at = self.filled as u8;
        if opens {
            if self.count == MOST_WORDS {
                self.places.rotate_left(1);
                self.count -= 1;
            }
            self.places[self.count] = (at, at);
            self.count += 1;
        }
        let Some(word) = self.count.checked_sub(1) else { return };
        self.bytes[self.filled..self.filled + part.len()].copy_from_slice(part);
        self.filled += part.len();
        self.places[word].1 = self.filled as u8;
    }
}

/// What `name` says about its value; `None` for names of harmless things.
pub(crate) fn judge(name: &[u8]) -> Option<Name> {
    thread_local! {
        static JUDGED: RefCell<Memo<Option<Name>>> = const { RefCell::new(Memo::new()) };
    }
    crate::work::read(name.len());
    if let Some(judged) = JUDGED.with_borrow(|judged| judged.ask(name)) {
        return judged;
    }
    let judged = judge_anew(name);
    JUDGED.with_borrow_mut(|memo| memo.tell(name, judged));
    judged
}

fn judge_anew(name: &[u8]) -> Option<Name> {
    let mut space = [0; LONGEST_NAME];
    let words = Words::of(name, &mut space);
    // `no-hardcoded-password`: a rule that forbids them.
    if words.count > 1 && words.get(0) == "no" {
        return None;
    }
    let (at, mut found) = (0..words.count).rev().find_map(|at| match judge_word(&words, at) {
        Verdict::Other => None,
        Verdict::Harmless => Some((at, None)),
        Verdict::Secret(name) => Some((at, Some(name))),
    })?;
    for after in at + 1..words.count {
        match words.get(after) {
            // `--auth-user`: who it is.
            "user" if found.is_some_and(|name| name.kind == "auth") => return None,
            word if is_neutral(word) || tongues::is_neutral(word) => {}
            // `PASSWORD_DB`, `TOKEN_SLACK`, `apiKeyStripe`: whose it is stands behind.
            word if found.is_some_and(|name| name.trust >= Trust::Secret) && is_owner(word) => {}
            "maps" if found.is_some_and(|name| name.kind == "api_key") => {}
            // The half of a pair that is kept secret, whatever it is called.
            "id" if words.get(at) == "secret" && after == at + 1 => {}
            word if found.is_some_and(|name| name.trust == Trust::Secret) && is_platform(word) => {}
            "words" | "word" if matches!(words.get(at), "seed" | "mnemonic") => {}
            word if found.is_some_and(|name| name.trust == Trust::Password) && is_repetition(word) => {}
            "hash" | "hashes" | "digest" | "sha" | "md" if found.is_none_or(|name| name.kind != "pin") => {
                found = found.map(|name| Name { trust: Trust::Weak, ..name });
            }
            _ => return None,
        }
    }
    found
}

/// Whose password or token it is: a server's, a seller's.
#[rustfmt::skip]
fn is_owner(word: &str) -> bool {
    matches!(
        word,
        "db" | "database" | "sql" | "mysql" | "mariadb" | "postgres" | "postgresql" | "pg" | "oracle" | "mssql" | "mongo" | "mongodb" | "redis" | "rabbitmq"
        | "kafka" | "smtp" | "imap" | "ftp" | "sftp" | "ssh" | "ldap" | "vpn" | "wifi" | "wlan" | "api" | "app" | "jwt" | "bot" | "server" | "administrator"
        | "github" | "gitlab" | "bitbucket" | "slack" | "telegram" | "aws" | "azure" | "gcp" | "google" | "gemini" | "jira" | "npm" | "pypi" | "docker" | "sentry" | "line" | "facebook"
    ) || vendor::NAMES.contains(&word)
}

/// `secret_key_ios`, `api_token_html5`: for which build.
fn is_platform(word: &str) -> bool {
    matches!(
        word,
        "html" | "ios" | "android" | "web" | "mobile" | "desktop" | "windows" | "linux" | "mac" | "osx"
    )
}

/// `password_confirmation`: the same again.
fn is_repetition(word: &str) -> bool {
    matches!(word, "confirmation" | "confirm" | "repeat" | "repeated" | "again" | "retype" | "repetition")
}

/// What one word of a name says.
enum Verdict {
    /// Not a word of ours: the word before it may be.
    Other,
    /// A word of ours that means something harmless here.
    Harmless,
    Secret(Name),
}

impl Verdict {
    fn secret(kind: &'static str, trust: Trust) -> Self {
        Self::Secret(Name { kind, trust })
    }

    fn unless(harmless: bool, kind: &'static str, trust: Trust) -> Self {
        if harmless { Self::Harmless } else { Self::secret(kind, trust) }
    }
}

#[rustfmt::skip]
fn judge_word(words: &Words, at: usize) -> Verdict {
    let (word, before) = (words.get(at), words.before(at));
    let name = Verdict::secret;
    match word {
        "password" | "passwd" | "pwd" | "passphrase" | "pass" | "pw" | "passcode" | "pswd" | "psw"
        | "passwort" | "kennwort" | "senha" | "contrasena" | "wachtwoord" | "parola" | "haslo" | "psk" | "dpsk" | "ppsk" | "rootpw" | "setcookie"
        | "requirepass" | "masterauth" | "passin" | "passout" | "userpw" | "authtok" | "rocommunity" | "rwcommunity" | "passwrod" | "pasword" | "passowrd" | "passwrd" | "passbuf" | "stapsk" | "pskc" => judge_password(word, before),
        "secret" | "secrets" if before == "existing" => Verdict::Harmless,
        "secret" if matches!(before, "radius" | "tacacs" | "ipsec" | "chap" | "shared" | "enable" | "preshared") => name("secret", Trust::Password),
        "secret" | "secrets" => name("secret", Trust::Secret),
        "credential" if before == "amz" => Verdict::Harmless,
        "credential" | "credentials" | "cred" | "creds" => name("credential", Trust::Secret),
        "token" | "jwt" | "bearer" => judge_token(words, at),
        "pat" if before.is_empty() => name("token", Trust::Weak),
        "pat" if words.count <= 4 => judge_token(words, at),
        "tokens" if matches!(before, "max" | "min" | "num" | "total" | "prompt" | "completion" | "input" | "output" | "cached") => Verdict::Harmless,
        "tok" | "tokens" => name("token", Trust::Weak),
        "key" if before == "shared" && at >= 2 && words.get(at - 2) == "pre" => name("password", Trust::Password),
        "key" if matches!(before, "wifi" | "wlan" | "wpa" | "wep" | "hotspot" | "psk") => name("password", Trust::Password),
        "material" if before == "key" && words.count == 2 => name("password", Trust::Password),
        "key" | "keys" if (0..at).any(|at| matches!(words.get(at), "public" | "pub")) => Verdict::Harmless,
        "key" | "keys" => judge_key(before),
        // Git's: which key signs.
        "signingkey" if before == "user" => Verdict::Harmless,
        // Telegram's for an app.
        "hash" if before == "api" => name("api_key", Trust::Secret),
        "apikey" | "accesskey" | "secretkey" | "authkey" | "apitoken" | "privatekey" | "appkey"
        | "masterkey" | "clientkey" | "apisecret" | "accountkey" | "licensekey" | "signingkey" | "encryptionkey" | "bindkey" | "netkey"
        | "nwkkey" | "appskey" | "nwkskey" => {
            name("api_key", Trust::Secret)
        }
        "authorization" | "auth" | "authentication" => name("auth", Trust::Weak),
        "salt" | "salts" | "pepper" => name("salt", Trust::Weak),
        // What a cluster's nodes show one another.
        "cookie" if matches!(before, "erlang" | "release" | "beam") => name("password", Trust::Password),
        "aspxauth" | "jsessionid" | "phpsessid" => name("session", Trust::Secret),
        // Twilio's: ids of what an account has.
        "sid" if matches!(before, "service" | "message" | "call" | "conversation" | "workspace" | "verify" | "flow" | "participant" | "recording") => Verdict::Harmless,
        "skey" | "akey" if before.is_empty() => name("secret", Trust::Secret),
        "passkey" if !before.is_empty() => name("pin", Trust::Weak),
        "session" | "sessionid" | "sid" | "sessid" | "cookie" | "cookies" => judge_session(before),
        "sig" | "signature" => judge_signature(before),
        "mnemonic" => name("mnemonic", Trust::Password),
        "phrase" if matches!(before, "seed" | "recovery" | "pass" | "mnemonic" | "secret" | "backup" | "wpa" | "wifi" | "wlan") => {
            name("mnemonic", Trust::Password)
        }
        "phrase" if before.is_empty() => name("mnemonic", Trust::Weak),
        // What a world, a test, a noise is made from.
        "seed" if matches!(before, "level" | "world" | "map" | "random" | "randomly" | "rand" | "noise" | "shuffle" | "hash") => Verdict::Harmless,
        "seed" | "unseal" => name("seed", Trust::Weak),
        "string" if before == "authentication" => name("password", Trust::Secret),
        "pin" | "puk" | "vmpin" | "simpin" | "userpin" | "vmsecret" => name("pin", Trust::Weak),
        "code" | "codes"
            if matches!(
                before,
                "activation" | "unlock" | "pairing" | "recovery" | "backup" | "scratch" | "mfa" | "totp" | "auth" | "authorization" | "device"
                | "security" | "access" | "revocation" | "rescue" | "bypass" | "invite" | "invitation" | "otp" | "time" | "sms" | "verification" | "login"
                | "registration" | "reset" | "factor" | "emergency" | "override" | "setup" | "claim"
            ) =>
        {
            name("recovery_code", Trust::Weak)
        }
        "code" if matches!(before, "operator" | "installer" | "door" | "gate" | "alarm" | "keypad" | "lock" | "disarm" | "arming" | "supervisor" | "manager" | "admin" | "pin" | "entry" | "garage" | "safe") => {
            name("pin", Trust::Weak)
        }
        "otp" | "totp" | "mfa" => name("otp", Trust::Weak),
        "webhook" | "dsn" | "sas" | "signing" => name("key", Trust::Weak),
        _ => judge_compound(words, at),
    }
}

/// All-lower names have no seams: `dbpassword`, `mysecret`, `useraccesstoken`.
#[rustfmt::skip]
fn judge_compound(words: &Words, at: usize) -> Verdict {
    let (word, before) = (words.get(at), words.before(at));
    let found = Verdict::secret;
    let ends =
        |suffixes: &[&str]| suffixes.iter().any(|suffix| word.len() > suffix.len() && word.ends_with(suffix));
    if ends(&[
        "password", "passwd", "passphrase", "passwort", "пароль", "密码", "密碼", "パスワード", "비밀번호", "contraseña",
    ]) || matches!(word, "пароль" | "密码" | "密碼" | "パスワード" | "비밀번호" | "contraseña" | "ipsecpsk" | "wpapsk" | "wifipsk" | "vpnpsk")
        || is_owned(word, &["pass", "pwd", "pw", "passw"])
    {
        return judge_password(word, before);
    }
    if is_salt(word) {
        return found("salt", Trust::Weak);
    }
    if ends(&["secret"]) {
        return found("secret", Trust::Secret);
    }
    if ends(&["accesstoken", "authtoken", "apitoken", "refreshtoken", "bottoken", "sessiontoken", "idtoken"])
        || is_owned(word, &["token"])
        || matches!(word, "accesstoken" | "authtoken" | "refreshtoken" | "sessiontoken" | "idtoken")
    {
        return found("token", Trust::Secret);
    }
    if ends(&["apikey", "secretkey", "accesskey", "privatekey", "privkey"]) {
        return found("api_key", Trust::Secret);
    }
    tongues::judge(words, at)
}

/// `dbpass`, `storepass`, `bindpw`, `mytoken`: whose it is, and what it is, in one word.
#[rustfmt::skip]
fn is_owned(word: &str, whats: &[&str]) -> bool {
    whats.iter().filter_map(|what| word.strip_suffix(what)).any(|owner| {
        ["db", "pg", "my", "sql", "root", "admin", "user", "usr", "bind", "store", "key", "ldap", "mail", "smtp", "imap",
         "ftp", "ssh", "vpn", "web", "wifi", "wlan", "proxy", "auth", "login", "sudo", "become", "app", "api", "bot", "http",
         "ssl", "tls", "cert", "pfx", "p12", "jks", "redis", "mongo", "mysql", "postgres", "rabbit", "mq", "svc", "service",
         "backup", "master", "repl", "rpc", "sa", "sys", "system", "account", "email", "client", "server", "remote", "local",
         "old", "new", "nas", "control", "ws", "unix", "nt", "win", "domain", "radius", "snmp", "privkey", "enc", "crypt", "keystore", "truststore", "boot", "guest", "stream", "hotspot"]
            .iter()
            .any(|whose| owner.ends_with(whose))
    })
}

/// `passwordsalt`, `hashsalt`: no `cobalt`.
fn is_salt(word: &str) -> bool {
    const OF: [&str; 12] = [
        "password",
        "passwd",
        "pass",
        "hash",
        "auth",
        "signing",
        "secret",
        "cookie",
        "session",
        "encryption",
        "key",
        "user",
    ];
    // Moodle's `passwordsaltmain`, `passwordsaltalt1`.
    let of = ["salt", "saltmain", "saltalt"].iter().find_map(|end| word.strip_suffix(end));
    of.is_some_and(|of| OF.contains(&of))
}

fn judge_password(word: &str, before: &str) -> Verdict {
    let harmless = match before {
        "no" | "hashed" | "forgot" | "reset" | "change" | "update" | "two" | "compiler" | "render"
        | "single" | "multi" | "invalid" => true,
        // A pass through something.
        "first" | "second" => word == "pass",
        _ => false,
    };
    Verdict::unless(harmless, "password", Trust::Password)
}

#[rustfmt::skip]
fn judge_token(words: &Words, at: usize) -> Verdict {
    let before = words.before(at);
    // A header: what a page was given to show with its next request.
    if matches!(before, "csrf" | "xsrf") && at >= 2 && words.get(at - 2) == "x" {
        return Verdict::secret("token", Trust::Weak);
    }
    let harmless = matches!(
        before,
        "max" | "min" | "num" | "n" | "total" | "prompt" | "completion" | "input" | "output" | "cached"
        | "csrf" | "xsrf" | "next" | "page" | "continuation" | "prev" | "previous" | "sync" | "stop" |
        "pad" | "eos" | "bos" | "unk" | "sep" | "cls" | "mask" | "special" | "cancel" | "cancellation" |
        "invalid" | "missing" | "expected" | "unexpected" | "first" | "last" | "lookahead" | "text" |
        "word" | "syntax" | "open" | "close" | "end" | "start" | "string" | "keyword" | "count" | "per"
        | "used" | "remaining" | "resume" | "design" | "color" | "pagination" | "image" | "trailing" |
        "leading" | "peek" | "idempotency" | "request" | "fencing" | "change" | "sequence" | "lock" |
        "trial" | "marker" | "cursor" | "concurrency" | "starting" | "forward" | "backward" | "creation"
        | "echo"
    );
    // With which request a client came: seldom more.
    if before == "client" && words.count == 2 {
        return Verdict::secret("token", Trust::Weak);
    }
    Verdict::unless(harmless, "token", Trust::Secret)
}

#[rustfmt::skip]
fn judge_key(before: &str) -> Verdict {
    let trust = match before {
        "public" | "pub" | "primary" | "foreign" | "sort" | "partition" | "cache" | "map" | "dict"
        | "index" | "registry" | "row" | "object" | "hot" | "shortcut" | "arrow" | "lookup" | "unique"
        | "group" | "host" | "known" | "idempotency" | "translation" | "message" | "json"
        | "dedupe" | "dedup" | "bucket" | "sorting" | "hash" | "range" | "meta" | "metadata" | "tag"
        | "label" | "field" | "column" | "config" | "setting" | "issue" | "project" | "query" | "state"
        | "node" | "tree" | "search" | "string" | "candidate" | "composite" | "natural" | "surrogate"
        | "sk" | "pk" | "site" | "verifying" | "verification" | "verify" | "distribution" | "recv"
        | "send" | "receive" | "dist" | "item" | "event" | "trace" | "correlation" | "context" | "react"
        | "i" | "any" | "agent" | "task" | "crew" | "run" | "job" | "user" | "sticky" | "flag" | "feature" | "socket" | "websocket" | "result" => {
            return Verdict::Harmless;
        }
        "api" | "access" | "secret" | "private" | "auth" | "encryption" | "encrypt" | "signing" | "sign"
        | "master" | "service" | "shared" | "storage" | "account" | "admin" | "license" | "deploy" | "upgrade"
        | "client" | "app" | "server" | "hmac" | "aes" | "jwt" | "cookie"
        | "webhook" | "subscription" | "function" | "functions" | "root" | "live" | "prod" | "unseal"
        | "recovery" | "decryption" | "crypto" | "integration" | "ingestion" | "write" | "activation"
        | "preshared" | "pre" | "network" | "wg" | "symmetric" | "vault" | "token" | "authentication" | "role"
        | "rest" | "developer" | "consumer" | "instrumentation" | "product" | "global" | "management" | "nwk" | "bind" => Trust::Secret,
        _ => Trust::Weak,
    };
    Verdict::secret(if before.is_empty() { "key" } else { "api_key" }, trust)
}

fn judge_session(before: &str) -> Verdict {
    // Transcripts are full of the session ids of agents: those are names, not secrets.
    let harmless = matches!(before, "agent" | "parent" | "resume" | "new" | "current" | "trace" | "account");
    Verdict::unless(harmless, "session", Trust::Weak)
}

fn judge_signature(before: &str) -> Verdict {
    let harmless = matches!(before, "thinking" | "thought" | "function" | "type" | "method" | "call");
    Verdict::unless(harmless, "signature", Trust::Weak)
}

/// Names of fields that only describe: what stands under one is no secret for standing in a secret's object.
#[rustfmt::skip]
pub(crate) fn is_plain(name: &str) -> bool {
    matches!(
        name,
        "id" | "name" | "type" | "kind" | "user" | "username" | "url" | "uri" | "model" | "object" | "created" | "format"
        | "description" | "title" | "text" | "path" | "arn" | "created_at" | "expires" | "expires_at" | "version" | "region"
        | "cursor" | "startCursor" | "endCursor" | "__typename" | "createdAt" | "updatedAt" | "node_id"
        | "email" | "host" | "status" | "role" | "scope" | "issuer" | "label" | "ref" | "$ref" | "pattern" | "example"
    )
}

/// Names of what may be known: ids, digests, versions, public halves.
pub(crate) fn is_identity(name: &[u8]) -> bool {
    #[rustfmt::skip]
    const KNOWN: [&str; 61] = [
        "game", "secure", "encrypted", "id", "ids", "uid", "uuid", "guid", "sha", "md", "hash", "digest", "checksum", "commit", "rev", "revision", "version", "public", "pub", "fingerprint", "thumbprint", "etag", "integrity", "nonce", "iv", "url", "uri", "ref", "arn", "image", "tag", "trace", "span", "request", "session", "cursor", "address", "client", "sid", "accessor", "user", "username", "login", "name", "account", "method", "customer", "project", "tenant", "workspace", "org", "team", "channel", "host", "domain", "issuer", "audience", "kid", "serial", "resource", "selector",
    ];
    let mut space = [0; LONGEST_NAME];
    let words = Words::of(name, &mut space);
    (0..words.count).any(|at| KNOWN.contains(&words.get(at)))
        || name.eq_ignore_ascii_case(b"x")
        || name.eq_ignore_ascii_case(b"y")
        || name.eq_ignore_ascii_case(b"n")
}

/// Words after the secret word that leave it a secret.
#[rustfmt::skip]
fn is_neutral(word: &str) -> bool {
    matches!(
        word,
        "value" | "val" | "values" | "data" | "base" | "string" | "str" | "plain" | "plaintext" | "raw"
        | "text" | "prod" | "production" | "dev" | "development" | "test" | "staging" | "stage" | "live"
        | "old" | "new" | "current" | "previous" | "primary" | "secondary" | "backup" | "b" | "hex" |
        "encoded" | "pem" | "der" | "one" | "two" | "a" | "v" | "root" | "admin" | "user" | "s" | "main"
        | "default" | "local" | "sandbox" | "master" | "fallback" | "global" | "us" | "eu" | "ro" | "rw"
        | "clear" | "secret" | "key" | "keys" | "codes" | "buf" | "buffer"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(name: &str) -> Option<Trust> {
        judge(name.as_bytes()).map(|name| name.trust)
    }

    #[test]
    fn names_of_secrets() {
        for name in [
            "password",
            "DB_PASSWORD",
            "adminPassword",
            "PGPASSWORD",
            "MYSQL_PWD",
            "dbpassword",
            "spring.datasource.password",
            "smtp_pass",
            "wifi_key",
            "keyMaterial",
            "wpa_phrase",
            "controlpass",
            "ipsecpsk",
            "WPAPSK",
            "wifipsk",
            "vpnpsk",
            "RABBITMQ_ERLANG_COOKIE",
            "пароль",
        ] {
            assert_eq!(trust(name), Some(Trust::Password), "{name}");
        }
        for name in [
            "client_secret",
            "apiKey",
            "ACME_API_TOKEN",
            "x-api-key",
            "SECRET_KEY_BASE",
            "awsSecretAccessKey",
            "AZURE_STORAGE_KEY",
            "authtoken",
            "GitHubToken",
            "APIKey",
        ] {
            assert_eq!(trust(name), Some(Trust::Secret), "{name}");
        }
        for name in ["openrouter_key", "hash_salt", "session", "backup_codes"] {
            assert_eq!(trust(name), Some(Trust::Weak), "{name}");
        }
    }

    #[test]
    fn names_of_harmless_things() {
        for name in [
            "max_tokens_count",
            "token_count",
            "public_key",
            "key_id",
            "primary_key",
            "page_token",
            "csrf_token",
            "client_id",
            "tokenizer",
            "token_type",
            "password_file",
            "secretName",
            "keyboard",
            "monkey",
            "compass",
            "author",
            "partition_key",
            "sort_key",
            "passwords_match",
            "aws_access_key_id_x",
            "user.signingkey",
            "input_tokens_details",
            "no-hardcoded-password",
            "level-seed",
            "random_seed",
            "EchoToken",
            "messaging_service_sid",
            "callSid",
        ] {
            assert_eq!(trust(name), None, "{name}");
        }
    }

    /// A row that is deleted leaves its word here.
    #[test]
    #[rustfmt::skip]
    fn every_word_of_a_name_counts() {
        for word in ["password", "passwd", "pwd", "passphrase", "pass", "pw", "passcode", "pswd", "psw", "passwort", "kennwort", "senha", "contrasena", "wachtwoord", "parola", "haslo", "psk", "dpsk", "ppsk", "rootpw", "setcookie", "requirepass", "masterauth", "passin", "passout", "userpw", "authtok"] {
            assert_eq!(trust(&format!("acme_{word}")), Some(Trust::Password), "{word}");
        }
        for word in ["apikey", "accesskey", "secretkey", "authkey", "apitoken", "privatekey", "appkey", "masterkey", "clientkey", "apisecret", "accountkey", "licensekey", "signingkey", "encryptionkey", "bindkey", "netkey", "nwkkey", "appskey", "nwkskey"] {
            assert_eq!(trust(word), Some(Trust::Secret), "{word}");
        }
        for before in ["api", "access", "secret", "private", "auth", "encryption", "encrypt", "signing", "sign", "master", "service", "shared", "storage", "account", "admin", "license", "deploy", "upgrade", "client", "app", "server", "hmac", "aes", "jwt", "cookie", "webhook", "subscription", "function", "functions", "root", "live", "prod", "unseal", "recovery", "decryption", "crypto", "integration", "ingestion", "write", "activation", "preshared", "pre", "wg", "symmetric", "vault", "token", "authentication", "role", "rest", "developer", "consumer", "instrumentation", "product", "global", "management", "nwk", "bind"] {
            assert_eq!(trust(&format!("{before}_key")), Some(Trust::Secret), "{before}");
        }
        for before in ["public", "pub", "primary", "foreign", "sort", "partition", "cache", "map", "dict", "index", "registry", "row", "object", "hot", "shortcut", "arrow", "lookup", "unique", "group", "host", "known", "idempotency", "translation", "message", "json", "dedupe", "dedup", "bucket", "sorting", "hash", "range", "meta", "metadata", "tag", "label", "field", "column", "config", "setting", "issue", "project", "query", "state", "node", "tree", "search", "string", "candidate", "composite", "natural", "surrogate", "sk", "pk", "site", "verifying", "verification", "verify", "distribution", "recv", "send", "receive", "dist", "item", "event", "trace", "correlation", "context", "react", "i", "any", "agent", "task", "crew", "run", "job", "user", "sticky", "flag", "feature", "socket", "websocket", "result"] {
            assert_eq!(trust(&format!("{before}_key")), None, "{before}");
        }
        for before in ["max", "min", "num", "n", "total", "prompt", "completion", "input", "output", "cached", "csrf", "xsrf", "next", "page", "continuation", "prev", "previous", "sync", "stop", "pad", "eos", "bos", "unk", "sep", "cls", "mask", "special", "cancel", "cancellation", "invalid", "missing", "expected", "unexpected", "first", "last", "lookahead", "text", "word", "syntax", "open", "close", "end", "start", "string", "keyword", "count", "per", "used", "remaining", "resume", "design", "color", "pagination", "image", "trailing", "leading", "peek", "idempotency", "request", "fencing", "change", "sequence", "lock", "trial", "marker", "cursor", "concurrency", "starting", "forward", "backward", "creation", "echo"] {
            assert_eq!(trust(&format!("{before}_token")), None, "{before}");
        }
        for after in ["html5", "ios", "android", "web", "mobile", "desktop", "windows", "linux", "mac", "osx"] {
            assert_eq!(trust(&format!("secret_key_{after}")), Some(Trust::Secret), "{after}");
            assert_eq!(trust(&format!("public_key_{after}")), None, "{after}");
        }
        for before in ["revocation", "rescue", "recovery", "pairing", "invite", "invitation", "otp", "one_time", "sms", "verification", "login", "registration", "reset", "two_factor", "emergency", "override", "setup", "claim", "pin", "entry", "garage", "safe"] {
            assert_eq!(trust(&format!("{before}_code")), Some(Trust::Weak), "{before}");
        }
        assert_eq!(trust("wstoken"), Some(Trust::Secret));
        for name in ["passwordsaltmain", "passwordsaltalt1", "cookiesalt"] {
            assert_eq!(trust(name), Some(Trust::Weak), "{name}");
        }
        for name in ["cobaltmain", "saltmain", "passwordmain", "basalt", "hashalt"] {
            assert_eq!(trust(name), None, "{name}");
        }
        for before in ["erlang", "release", "beam"] {
            assert_eq!(trust(&format!("{before}_cookie")), Some(Trust::Password), "{before}");
        }
        assert_eq!(trust("ldap_default_authtok_type"), None);
        for after in ["value", "val", "values", "data", "base", "string", "str", "plain", "plaintext", "raw", "text", "prod", "production", "dev", "development", "test", "staging", "stage", "live", "old", "new", "current", "previous", "primary", "secondary", "backup", "b", "hex", "encoded", "pem", "der", "one", "two", "a", "v", "root", "admin", "user", "s", "main", "default", "local", "sandbox", "master", "fallback", "global", "us", "eu", "ro", "rw", "clear", "secret", "key", "keys", "codes"] {
            assert!(trust(&format!("password_{after}")).is_some(), "{after}");
        }
    }
}
