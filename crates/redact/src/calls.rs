//! Commands whose output is a secret: what a tool was asked says how its answer is to be read.
//!
//! `gh auth token` prints one word and no name beside it; `cat .env` prints names that nobody would take
//! for secrets. So the call is remembered, and what comes back under the same id is read strictly: each
//! value that has a name, and a lone word, is the secret.
//!
//! What it cannot see: a call that another process recorded, a call or an answer without an id, a command
//! behind a script or an alias. Their output is read like any other text.

use serde_json::{Map, Value};

use crate::names;
use crate::span::{Span, Spans};

/// The kind of what is a secret by its place alone.
const KIND: &str = "secret";
/// A longer string is no command.
const LONGEST_COMMAND: usize = 16 << 10;
/// A shorter word is an answer (`ok`), not a secret.
const SHORTEST: usize = 4;

/// Commands that print secrets: the program, then words that follow in this order, flags between them.
const COMMANDS: &[&[&str]] = &[
    &["gh", "auth", "token"],
    &["glab", "auth", "status", "--show-token"],
    &["pass", "show"],
    &["gopass", "show"],
    &["op", "read"],
    &["op", "item", "get"],
    &["bw", "get"],
    &["vault", "kv", "get"],
    &["vault", "read"],
    &["vault", "print", "token"],
    &["aws", "secretsmanager", "get-secret-value"],
    &["aws", "ssm", "get-parameter"],
    &["aws", "ssm", "get-parameters"],
    &["aws", "ssm", "get-parameters-by-path"],
    &["aws", "ecr", "get-login-password"],
    &["aws", "sts", "assume-role"],
    &["aws", "configure", "get"],
    &["aws", "configure", "export-credentials"],
    &["gcloud", "auth", "print-access-token"],
    &["gcloud", "auth", "print-identity-token"],
    &["gcloud", "secrets", "versions", "access"],
    &["az", "account", "get-access-token"],
    &["az", "keyvault", "secret", "show"],
    &["kubectl", "get", "secret"],
    &["kubectl", "get", "secrets"],
    &["oc", "get", "secret"],
    &["oc", "whoami", "-t"],
    &["security", "find-generic-password"],
    &["security", "find-internet-password"],
    &["secret-tool", "lookup"],
    &["heroku", "auth:token"],
    &["heroku", "config"],
    &["heroku", "config:get"],
    &["doppler", "secrets"],
    &["sops", "-d"],
    &["sops", "decrypt"],
    &["ansible-vault", "view"],
    &["ansible-vault", "decrypt"],
    &["dotnet", "user-secrets", "list"],
    &["netlify", "env:list"],
    &["netlify", "env:get"],
    &["eas", "env:list"],
    &["airflow", "config", "get-value"],
    &["flyctl", "auth", "token"],
    &["fly", "auth", "token"],
];
/// Programs that print the files that they are given.
const READERS: &[&str] = &[
    "cat",
    "bat",
    "less",
    "more",
    "head",
    "tail",
    "sed",
    "awk",
    "grep",
    "rg",
    "strings",
    "base64",
    "xxd",
    "tac",
    "nl",
    "type",
    "get-content",
    "gc",
];
/// Members that name a file.
const PATHS: &[&str] = &["file_path", "filePath", "path", "filename", "file", "target_file", "notebook_path"];
/// Names whose values say what a secret is about, not what it is.
const HARMLESS: &[&str] = &[
    "apiversion",
    "kind",
    "name",
    "namespace",
    "type",
    "creationtimestamp",
    "uid",
    "resourceversion",
    "arn",
    "versionid",
    "versionstages",
    "createddate",
    "created_time",
    "deletion_time",
    "destroyed",
    "version",
    "key",
    "created",
    "updated",
    "lastmodifieddate",
    "datatype",
];

/// Whether what this call returns is a secret.
pub(crate) fn reveals(input: &Map<String, Value>) -> bool {
    input.iter().any(|(name, value)| reveals_value(name, value, 0))
}

fn reveals_value(name: &str, value: &Value, depth: usize) -> bool {
    match value {
        Value::String(text) if text.len() > LONGEST_COMMAND => false,
        Value::String(text) => PATHS.contains(&name) && is_secret_file(text) || is_revealing(text),
        Value::Array(items) if depth < 8 => {
            let words: Vec<&str> = items.iter().filter_map(Value::as_str).collect();
            is_revealing(&words.join(" ")) || items.iter().any(|item| reveals_value(name, item, depth + 1))
        }
        Value::Object(map) if depth < 8 => {
            map.iter().any(|(name, value)| reveals_value(name, value, depth + 1))
        }
        _ => false,
    }
}

/// Whether one of the commands of a line prints a secret.
fn is_revealing(line: &str) -> bool {
    line.split(['|', ';', '&', '\n', '(', ')', '`']).any(|command| {
        let words = command.split_whitespace().map(|word| word.trim_matches(['"', '\'']));
        let is_lead = |word: &&str| {
            word.contains('=') && !word.starts_with('-') || matches!(*word, "sudo" | "exec" | "time" | "$")
        };
        let words: Vec<&str> = words.skip_while(is_lead).collect();
        let Some((program, arguments)) = words.split_first() else { return false };
        let program = program.rsplit('/').next().unwrap_or(program).to_ascii_lowercase();
        COMMANDS.iter().any(|row| row[0] == program && in_order(&row[1..], arguments))
            || READERS.contains(&program.as_str()) && arguments.iter().any(|word| is_secret_file(word))
            || matches!(program.as_str(), "echo" | "printf" | "printenv")
                && arguments.iter().any(|word| is_secret_variable(&program, word))
    })
}

fn in_order(wanted: &[&str], words: &[&str]) -> bool {
    let mut words = words.iter();
    wanted.iter().all(|wanted| words.any(|word| word == wanted))
}

/// `echo $API_TOKEN`, `printenv API_TOKEN`.
fn is_secret_variable(program: &str, word: &str) -> bool {
    let name = word.trim_start_matches('$').trim_matches(['{', '}', '"']);
    (program == "printenv" || word.contains('$'))
        && !name.is_empty()
        && names::judge(name.as_bytes()).is_some()
}

/// Whether people keep secrets in a file of this name.
pub(crate) fn is_secret_file(path: &str) -> bool {
    let path = path.trim_matches(['"', '\'']);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let example = ["example", "sample", "template", "dist", "defaults", ".pub"];
    if example.iter().any(|end| name.ends_with(end)) {
        return false;
    }
    let ends = |ends: &[&str]| ends.iter().any(|end| name.len() > end.len() && name.ends_with(end));
    name == ".env"
        || name.starts_with(".env.")
        || ends(&[".env", ".pem", ".key", ".p12", ".pfx", ".tfvars", ".kdbx"])
        || matches!(
            name.as_str(),
            "credentials"
                | ".netrc"
                | "_netrc"
                | ".npmrc"
                | ".pypirc"
                | ".pgpass"
                | ".git-credentials"
                | "kubeconfig"
                | ".htpasswd"
                | ".vault-token"
                | "secrets.yml"
                | "secrets.yaml"
                | "secrets.json"
                | ".envrc"
                | "id_rsa"
                | "id_ed25519"
                | "id_ecdsa"
                | "id_dsa"
                | ".dockercfg"
                | "credentials.json"
                | ".my.cnf"
        )
        || [".kube/config", ".docker/config.json", "gh/hosts.yml", "glab-cli/config.yml"]
            .iter()
            .any(|end| path.ends_with(end))
}

/// Every value of an answer that is a secret; `lone` if a single word is one.
pub(crate) fn strict(text: &str, lone: bool, spans: &mut Spans) {
    let body = text.trim();
    let start = text.len() - text.trim_start().len();
    if body.starts_with(['{', '[']) {
        return json(text, spans);
    }
    let single = !body.contains(char::is_whitespace);
    if single && !body.contains('=') {
        if lone && body.len() >= SHORTEST {
            spans.add(start, start + body.len(), KIND, true);
        }
        return;
    }
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        if let Some((from, to)) = value_of(line, lone && number == 0) {
            spans.add(at + from, at + to, KIND, true);
        }
        at += line.len();
    }
}

/// Where the value of a line stands.
fn value_of(line: &str, first: bool) -> Option<(usize, usize)> {
    let from = number_width(line);
    let rest = &line[from..];
    if rest.trim_start().starts_with('#') || rest.trim().is_empty() {
        return None;
    }
    let trimmed = rest.trim();
    // `pass show` prints the secret, then what is about it
    if first && trimmed.len() >= SHORTEST && !trimmed.contains([' ', '=', ':', '\t']) {
        let start = from + (rest.len() - rest.trim_start().len());
        return Some((start, start + trimmed.len()));
    }
    let (name, value_at) = separated(rest)?;
    let name = name.trim().trim_start_matches("export ").trim_start_matches("- ").trim_matches(['"', '\'']);
    if name.is_empty() || name.contains(char::is_whitespace) || is_complaint(name) {
        return None;
    }
    if HARMLESS.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let value = &rest[value_at..];
    let start = value_at + (value.len() - value.trim_start().len());
    let value = value.trim().trim_end_matches(',');
    let (start, value) = match value.chars().next() {
        Some(quote @ ('"' | '\'')) => (start + 1, value[1..].strip_suffix(quote).unwrap_or(&value[1..])),
        _ => (start, value),
    };
    let structure = matches!(value, "" | "{" | "[" | "|" | ">" | "|-" | ">-" | "{}" | "[]" | "null")
        || value.starts_with("----");
    (!structure).then_some((from + start, from + start + value.len()))
}

/// `cat: .env: No such file`: the program speaks.
fn is_complaint(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    let shell = ["error", "warning", "fatal", "usage", "bash", "sh", "zsh"].contains(&name.as_str());
    shell || READERS.contains(&name.as_str()) || COMMANDS.iter().any(|row| row[0] == name)
}

/// `NAME=value`, `name: value`, or two columns.
fn separated(line: &str) -> Option<(&str, usize)> {
    let equals = line.find('=');
    let colon = line.find(": ");
    let gap = line.trim_end().find("  ").filter(|&gap| !line[..gap].trim().is_empty());
    let at = [equals, colon, gap].into_iter().flatten().min()?;
    Some((&line[..at], at + usize::from(Some(at) != gap)))
}

/// The width of `   12→`, `12⇥`.
fn number_width(line: &str) -> usize {
    let blanks = line.len() - line.trim_start_matches(' ').len();
    let digits = line[blanks..].bytes().take_while(u8::is_ascii_digit).count();
    let after = &line[blanks + digits..];
    match after.chars().next() {
        Some(sign @ ('→' | '\t')) if digits > 0 => blanks + digits + sign.len_utf8(),
        _ => 0,
    }
}

/// Each string of a document that is a value; strings of names, and values that say what it is about, stay.
fn json(text: &str, spans: &mut Spans) {
    let bytes = text.as_bytes();
    let (mut at, mut name) = (0, "");
    while let Some(open) = memchr::memchr(b'"', &bytes[at..]).map(|open| at + open) {
        let mut end = open + 1;
        while end < bytes.len() && bytes[end] != b'"' {
            end += 1 + usize::from(bytes[end] == b'\\');
        }
        let end = end.min(bytes.len());
        let inside = text.get(open + 1..end).unwrap_or("");
        let after = bytes.get(end + 1..).unwrap_or(b"").iter().find(|byte| !byte.is_ascii_whitespace());
        if after == Some(&b':') {
            name = inside;
        } else if inside.len() >= SHORTEST && !HARMLESS.contains(&name.to_ascii_lowercase().as_str()) {
            spans.add(open + 1, end, KIND, true);
        }
        at = (end + 1).min(bytes.len());
    }
}

/// `found`, and what a strict reading finds.
pub(crate) fn join(text: &str, found: Vec<Span>, lone: bool) -> Vec<Span> {
    let mut all = Spans::of(found);
    strict(text, lone, &mut all);
    all.into_union(text)
}

/// Each row as somebody types it.
#[cfg(test)]
pub(crate) fn commands() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|words| words.join(" ")).chain(READERS.iter().map(|reader| format!("{reader} .env")))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn secrets(text: &str) -> Vec<&str> {
        join(text, Vec::new(), true).iter().map(|span| &text[span.start..span.end]).collect()
    }

    #[test]
    fn each_row_reveals() {
        for command in commands() {
            assert!(is_revealing(&command), "{command}");
        }
    }

    #[test]
    fn commands_and_files_that_hold_secrets() {
        for command in [
            "gh auth token",
            "cd x && gh auth token | pbcopy",
            "TOKEN=$(gh auth token -h github.com)",
            "pass show web/x",
            "kubectl -n prod get secret db -o yaml",
            "cat .env",
            "cat ./app/.env.local",
            "sudo head -n 3 ~/.aws/credentials",
            "echo $API_TOKEN",
            "printenv DB_PASSWORD",
            "FOO=1 vault kv get -field=x secret/y",
            "/usr/bin/op read op://v/i/f",
        ] {
            assert!(is_revealing(command), "{command}");
        }
        for command in [
            "gh pr list",
            "cat README.md",
            "cat .env.example",
            "echo $HOME",
            "kubectl get pods",
            "ls -la ~/.aws",
            "pass insert x",
            "cat id_rsa.pub",
            "git commit -m 'token'",
            "echo the secret is out",
        ] {
            assert!(!is_revealing(command), "{command}");
        }
        let read = json!({"file_path": "/home/me/app/.env"});
        assert!(reveals(read.as_object().expect("an object")));
        assert!(reveals(json!({"command": ["bash", "-lc", "cat .env"]}).as_object().expect("an object")));
        assert!(!reveals(json!({"file_path": "src/env.rs"}).as_object().expect("an object")));
    }

    #[test]
    fn what_comes_back_is_read_strictly() {
        assert_eq!(secrets("abcdefgh\n"), ["abcdefgh"]);
        assert_eq!(secrets("hunter\nuser: me\nurl: example.com\n"), ["hunter", "me", "example.com"]);
        assert_eq!(secrets("# settings\nA=one\nexport B='two words'\n\nC=\n"), ["one", "two words"]);
        assert_eq!(secrets("     1→A=one\n     2→B=two\n"), ["one", "two"]);
        assert_eq!(secrets("Key         Value\n---         -----\npassword    plain\n"), ["plain"]);
        assert_eq!(secrets("apiVersion: v1\nkind: Secret\ndata:\n  user: YWRtaW4=\n"), ["YWRtaW4="]);
        assert_eq!(
            secrets(r#"{"Name":"db","SecretString":"{\"user\":\"me\"}","n":1}"#),
            [r#"{\"user\":\"me\"}"#]
        );
        assert_eq!(secrets("cat: .env: No such file or directory\n"), [""; 0]);
        assert_eq!(secrets("ok\n"), [""; 0]);
    }
}
