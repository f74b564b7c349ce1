//! What a command prints: a prompt line that asks for a secret, and the lone word below it.
//!
//! `$ gh auth token⏎gho_…`, `$ openssl rand -hex 16⏎9f…`, `$ pass show mail/work⏎…`. The prompt line may
//! name the secret or be a command that makes or shows one; the word must look like a secret by itself.

use crate::prose;
use crate::span::Spans;
use crate::{chance, value};

/// Commands whose whole answer is a secret.
pub(crate) const COMMANDS: &[&str] = &[
    "openssl rand",
    "pwgen",
    "apg -",
    "makepasswd",
    "mkpasswd",
    "op read",
    "op item get",
    "pass show",
    "pass generate",
    "secret-tool lookup",
    "get-secret",
    "ansible-vault view",
    "/dev/urandom",
    "secrets.token_",
    "genkey",
    "genpsk",
    "gpg --gen-random",
    "secretsmanager",
    "jsonpath=",
    "base64 -d",
    "base64 --decode",
    "wg genpsk",
    "consul keygen",
    "find-generic-password",
    "find-internet-password",
    "nomad operator gossip keyring generate",
    "kubeadm token create",
    "k3s token create",
    "gh auth token",
    "gcloud auth print-access-token",
    "get-login-password",
    "get-admin-password",
    ".erlang.cookie",
    "initialadminpassword",
    "uuencode",
    "dumpprivkey",
    "key:generate --show",
    "bw unlock",
    "bw get password",
    "lpass show",
    "keepassxc-cli show",
    "gopass show",
    "versions access",
    "ssm get-parameter",
    "keyring get",
    "rails secret",
    "gethashsalt",
    "hex.user key generate",
    "rake secret",
    "phx.gen.secret",
    "print-identity-token",
    "whoami -t",
    "chamber read",
    "secrets get",
    "keyvault secret show",
    "kv get -field",
    "output -raw",
    "--show-secrets",
    "sops -d",
    "sops decrypt",
    "oathtool",
    "pass otp",
    "get totp",
    "keys list",
    "list-keys",
    "influx auth create",
    "influx auth list",
    "preauthkeys create",
    "wireless-security.psk",
    "rclone obscure",
    "cat /run/secrets/",
    "cat priv",
    "xxd -p",
    "generate_key()",
    "randombytes(",
    "bw generate",
    "--show-password",
];

/// Those that print a table of keys.
const TABLES: [&[u8]; 4] = [b"keys list", b"list-keys", b"influx auth create", b"influx auth list"];
/// Those that make up several to choose from.
const MAKERS: [&[u8]; 4] = [b"pwgen", b"apg -", b"makepasswd", b"openssl rand"];
/// Those that print a code for the moment.
const CODES: [&[u8]; 3] = [b"oathtool", b"pass otp", b"get totp"];
/// Those that print a file as it was before it was encrypted.
const DECRYPTS: [&[u8]; 3] = [b"ansible-vault view", b"sops -d", b"sops decrypt"];
/// Those that show what another program was asked for.
const DECODES: [&[u8]; 2] = [b"base64 -d", b"base64 --decode"];
/// Those whose answer may be any word.
const SURE: [&[u8]; 13] = [
    b"pass show",
    b"op read",
    b"secret-tool lookup",
    b"find-generic-password",
    b"find-internet-password",
    b"bw get password",
    b"lpass show",
    b"keepassxc-cli show",
    b"gopass show",
    b"versions access",
    b"keyring get",
    b"kv get -field",
    b"wireless-security.psk",
];

/// How far left the prompt may stand, and how far right the command may go on.
const LONGEST_LINE: usize = 200;
const LONGEST_PROMPT: usize = 48;
const SHORTEST: usize = 8;
const LONGEST: usize = 2048;

/// `>>> os.environ['API_KEY']⏎'X'`: what an interpreter answers between quotes.
const READS: [&[u8]; 5] = [b".config[", b"environ[", b"getenv(", b"ENV[", b"process.env"];

/// Words of commands that show what they name; with any other, the name is what the command works on.
const SHOWS: [&[u8]; 22] = [
    b"get", b"show", b"print", b"read", b"create", b"gen", b"new", b"rotate", b"echo", b"cat", b"auth",
    b"list", b"view", b"-w", b"lookup", b"fetch", b"export", b"reveal", b"decrypt", b"output", b"dump",
    b"initial",
];

/// Looks at the line below the command `at..end` that prints secrets.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let is_one = |of: &[&[u8]]| of.iter().any(|own| own.eq_ignore_ascii_case(&text[at..end]));
    if is_one(&CODES) {
        code(text, at, end, spans);
    }
    if is_one(&DECRYPTS) && (prompt(text, at).is_some() || is_set_for(text, at)) {
        decrypted(text, end, spans);
    }
    if is_one(&MAKERS) && prompt(text, at).is_some() {
        made(text, end, spans);
    }
    if is_one(&TABLES) && prompt(text, at).is_some() {
        table(text, end, spans);
    }
    if is_public_half(text, end) || is_one(&SURE) && is_plain_field(text, end) {
        return;
    }
    let several = text[..at].ends_with(b",802-11-") || text.get(end) == Some(&b',');
    if several && is_one(&[b"wireless-security.psk"]) {
        return values(text, at, spans);
    }
    let sure = is_one(&SURE) || is_one(&DECODES) && is_of_secret(text, at);
    let chosen: fn(&[u8]) -> bool = if sure {
        |word| {
            let dotted: Vec<u8> = word.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
            value::is_choosable(&dotted)
        }
    } else {
        |word| prose::looks_joined(word) && chance::density(word) >= 30
    };
    if sure && prompt(text, at).is_some() {
        digits(text, end, spans);
    }
    // `--fields username,password`: of several the line below has one each.
    let rest = crate::search::line(text, end, LONGEST_LINE);
    // `… >/dev/null && echo readable⏎readable`.
    let echoed = |word: &[u8]| {
        memchr::memmem::find(rest, b"echo ").is_some_and(|at| crate::search::has(&rest[at..], word))
    };
    let several = memchr::memmem::find(rest, b"--fields").is_some_and(|at| rest[at..].contains(&b','));
    if let Some((start, stop)) =
        answer(text, end, chosen).filter(|(start, stop)| !several && !echoed(&text[*start..*stop]))
        && (prompt(text, at).is_some() || is_shown(text, at, &text[start..stop]))
    {
        spans.add(start, stop, "secret", false);
    }
}

/// `$ nmcli -s -g 802-11-wireless.ssid,802-11-wireless-security.psk connection show Home⏎Home⏎X`: a line for each field.
fn values(text: &[u8], at: usize, spans: &mut Spans) {
    let before = crate::search::last_line(crate::search::line_before(text, at, LONGEST_LINE));
    let list = before.rsplit(|&byte| byte == b' ').next().unwrap_or_default();
    if !crate::search::has(before, b"nmcli ") {
        return;
    }
    let nth = memchr::memchr_iter(b',', list).count();
    let window = &text[at..text.len().min(at + LONGEST)];
    let Some(answer) = window.split(|&byte| byte == b'\n').nth(nth + 1).map(<[u8]>::trim_ascii_end) else {
        return;
    };
    crate::work::read(crate::search::offset(window, answer) + answer.len());
    if (8..=64).contains(&answer.len()) && !value::is_placeholder(answer) {
        let start = crate::search::offset(text, answer);
        spans.add(start, start + answer.len(), "password", false);
    }
}

/// `$ pass show office/franking⏎21935556`: a code alone on the first line.
fn digits(text: &[u8], end: usize, spans: &mut Spans) {
    let Some(start) = crate::search::next_line(text, end, LONGEST_LINE) else { return };
    let below = crate::search::line(text, start, LONGEST_LINE);
    let long = below.trim_ascii_end().len();
    if (4..=12).contains(&long) && below[..long].iter().all(u8::is_ascii_digit) {
        spans.add(start, start + long, "pin", false);
    }
}

/// `kubectl get secret db -o jsonpath='{.data.pass}' | base64 -d`: what is decoded is a member that holds one.
fn is_of_secret(text: &[u8], at: usize) -> bool {
    let line = crate::search::last_line(crate::search::line_before(text, at, LONGEST_LINE));
    let asked =
        memchr::memmem::find(line, b"get secret").or_else(|| memchr::memmem::find(line, b"get secrets"));
    asked.is_some_and(|asked| {
        let path = memchr::memmem::find(&line[asked..], b"{.data.").map(|open| &line[asked + open..]);
        path.is_some_and(|path| {
            [&b"pass"[..], b"pw", b"secret", b"token", b"key"].iter().any(|own| crate::search::has(path, own))
        })
    })
}

/// `wg genkey | tee priv | wg pubkey`: what is printed is made of it, and can be told.
fn is_public_half(text: &[u8], end: usize) -> bool {
    let rest = crate::search::line(text, end, LONGEST_LINE);
    [&b"pubkey"[..], b"-pubout", b"{.metadata.uid", b"{.metadata.name", b"{.status."]
        .iter()
        .any(|own| crate::search::has(rest, own))
}

/// `-field=username`, `-a UserName`: what may be known.
fn is_plain_field(text: &[u8], end: usize) -> bool {
    const FIELDS: [&[u8]; 10] =
        [b"username", b"user", b"login", b"host", b"hostname", b"url", b"email", b"region", b"port", b"name"];
    let rest = crate::search::line(text, end, LONGEST_LINE);
    let asked = [&b" -a "[..], b" --attributes "]
        .iter()
        .find_map(|flag| crate::search::find(rest, flag).map(|at| &rest[at + flag.len()..]));
    if let Some(asked) = asked {
        let long = asked.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
        return [&b"username"[..], b"title", b"url", b"notes", b"uuid"]
            .iter()
            .any(|own| own.eq_ignore_ascii_case(&asked[..long]));
    }
    let rest = &text[end..text.len().min(end + 16)];
    let field = rest.strip_prefix(b"=").or_else(|| rest.strip_prefix(b" ")).unwrap_or_default();
    let long = field.iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    FIELDS.contains(&&field[..long])
}

/// `cat /var/lib/rabbitmq/.erlang.cookie⏎VHQ…`: a file that a line begins by showing, and what only it holds.
fn is_shown(text: &[u8], at: usize, word: &[u8]) -> bool {
    let line = crate::search::last_line(crate::search::line_before(text, at, LONGEST_LINE));
    let shown = line.strip_prefix(b"sudo ").unwrap_or(line);
    let held = value::is_hex(word) && word.len() == 32
        || word.len() == 20 && word.iter().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    shown.starts_with(b"cat ") && held
}

/// `$ oathtool -b --totp …⏎482913`.
fn code(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let line = crate::search::next_line(text, end, LONGEST_LINE);
    let Some(start) = line.filter(|_| prompt(text, at).is_some()) else { return };
    let below = &text[start..];
    let long = below.iter().take(9).take_while(|byte| byte.is_ascii_digit()).count();
    if (6..=8).contains(&long) && matches!(below.get(long), None | Some(b'\n' | b'\r')) {
        spans.add(start, start + long, "otp", false);
    }
}

/// `$ az storage account keys list …⏎KeyName  Value⏎key1  X`: words of a table that nobody wrote.
fn table(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 12;
    let Some(start) = crate::search::next_line(text, end, LONGEST_LINE) else { return };
    let window = &text[start..text.len().min(start + LONGEST)];
    crate::work::read(window.len());
    let words = window.split(|&byte| byte == b'\n').take(MOST_LINES);
    for word in
        words.flat_map(|row| row.split(|byte| byte.is_ascii_whitespace() || matches!(byte, b'"' | b',')))
    {
        let made = word.len() >= 40
            && word.iter().all(|byte| {
                byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'-' | b'_')
            })
            && word.iter().filter(|byte| byte.is_ascii_digit()).count() >= 3
            // `60d53b69…`: which key.
            && !value::is_hex(word)
            && chance::is_random(word);
        if made {
            let start = crate::search::offset(text, word);
            spans.add(start, start + word.len(), "api_key", false);
        }
    }
}

/// `$ pwgen 12 4⏎ieY3ooth7Uu9 Ahng4oozuo5e …`: words of one length, in rows.
fn made(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 24;
    let Some(start) = crate::search::next_line(text, end, LONGEST_LINE) else { return };
    let window = &text[start..text.len().min(start + LONGEST)];
    crate::work::read(window.len());
    let first = window.iter().take_while(|byte| byte.is_ascii_graphic()).count();
    let rows = window.split(|&byte| byte == b'\n').take(MOST_LINES).map(<[u8]>::trim_ascii_end);
    let is_made = |word: &[u8]| word.len() == first && is_answer_or_joined(word);
    for row in rows.take_while(|row| !row.is_empty() && row.split(|&byte| byte == b' ').all(is_made)) {
        for word in row.split(|&byte| byte == b' ') {
            let start = crate::search::offset(text, word);
            spans.add(start, start + word.len(), "secret", false);
        }
    }
}

fn is_answer_or_joined(word: &[u8]) -> bool {
    word.len() >= SHORTEST && (is_answer(word) || prose::looks_joined(word) && chance::density(word) >= 30)
}

/// `VAULT_FILE=<(echo X) ansible-vault view …`: the line begins with what is set for the command.
fn is_set_for(text: &[u8], at: usize) -> bool {
    let before = crate::search::last_line(crate::search::line_before(text, at, LONGEST_LINE));
    let name = before.iter().take_while(|byte| byte.is_ascii_uppercase() || **byte == b'_').count();
    name >= 2 && before.get(name) == Some(&b'=')
}

/// `$ ansible-vault view all.yml⏎vault_smtp: X⏎…`: the settings of a file that was encrypted as a whole.
fn decrypted(text: &[u8], end: usize, spans: &mut Spans) {
    const MOST_LINES: usize = 24;
    let Some(start) = crate::search::next_line(text, end, LONGEST_LINE) else { return };
    let window = &text[start..text.len().min(start + LONGEST)];
    crate::work::read(window.len());
    for row in window.split(|&byte| byte == b'\n').take(MOST_LINES) {
        let Some(joint) = memchr::memmem::find(row, b": ").filter(|&joint| joint > 0) else { break };
        let (name, value) = (row[..joint].trim_ascii_start(), row[joint + 2..].trim_ascii());
        let value = match value {
            [b'"', inside @ .., b'"'] | [b'\'', inside @ .., b'\''] => inside,
            _ => value,
        };
        let plain =
            name.iter().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.'));
        // By its own manual, what is encrypted there begins so.
        let own = name.starts_with(b"vault_") && value.len() >= 4 || value::is_chosen(value);
        if !plain {
            break;
        }
        if own
            && !crate::names::is_identity(name)
            && !value::is_placeholder(value)
            && !value::is_reference(value)
        {
            let start = crate::search::offset(text, value);
            spans.add(start, start + value.len(), "secret", false);
        }
    }
}

/// The same for a command line in which the name of a secret stands at `at..end`.
pub(crate) fn scan_named(text: &[u8], at: usize, end: usize, kind: &'static str, spans: &mut Spans) {
    let chosen: fn(&[u8]) -> bool = if kind == "password" {
        |word| value::is_chosen(word) || value::is_disclosed(word)
    } else {
        |_| false
    };
    let Some((start, stop)) = answer(text, end, chosen) else { return };
    // The head of a column says again what was asked for; the answer is below.
    let asked = &text[end.saturating_sub(LONGEST_LINE)..start - 1];
    let below = crate::search::has(asked, &text[start..stop]).then(|| answer(text, stop, |_| false));
    let Some((start, stop)) = below.unwrap_or(Some((start, stop))) else { return };
    let digest = value::is_hex(&text[start..stop]) && matches!(stop - start, 40 | 64);
    let interpreted = text[..start].ends_with(b"=> ") || text[..start].ends_with(b"=> \"");
    let from = || interpreted.then(|| at.saturating_sub(LONGEST_PROMPT));
    let Some(command) = prompt(text, at).or_else(from).map(|from| &text[from..start - 1]) else { return };
    // `vault token lookup … | jq .data.accessor`: by what it is known.
    let several = |line: &[u8]| crate::search::has(line, b"--fields") && line.contains(&b',');
    if crate::search::has(command, b"accessor") || several(command) {
        return;
    }
    let words = |word: &&[u8]| SHOWS.iter().any(|show| word.starts_with(show));
    let quoted = matches!(text[start - 1], b'"' | b'\'');
    // `>>> latest('expire_date').session_key⏎'X'`: the name ends what was asked.
    let member = text[at..end].contains(&b'.') || text[..at].ends_with(b".");
    let named = quoted && member && matches!(text.get(end), Some(b'\n' | b'\r'));
    // `PS> $env:DB_PASSWORD⏎X`.
    let variable = text[..at].ends_with(b"$env:") && matches!(text.get(end), Some(b'\n' | b'\r'));
    let interpreted = interpreted
        || named
        || variable
        || quoted && READS.iter().any(|reads| crate::search::has(command, reads));
    if interpreted && !digest {
        return spans.add(start, stop, kind, false);
    }
    // `cat key.txt`: the file is called so.
    let file = kind == "key" && command.starts_with(b"cat ") && !command[4..].trim_ascii().contains(&b' ');
    if (!digest || file)
        && command.split(|byte| matches!(byte, b' ' | b'-' | b'_' | b'=' | b'.')).any(|word| words(&word))
    {
        spans.add(start, stop, kind, false);
    }
}

/// `(gdb) p pw⏎$1 = 0x5555 "X"`, `(Pdb) p form.pw⏎'X'`, `(lldb) po get("token")⏎Optional("X")`: what a debugger shows of
/// the name that ends its line.
pub(crate) fn debugged(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    const PROMPTS: [&[u8]; 8] =
        [b"(gdb) ", b"(lldb) ", b"(Pdb) ", b"(ipdb) ", b"ipdb> ", b"(dlv) ", b"(rdbg) ", b"(byebug) "];
    /// What stands before the string: a number, an address, a type.
    const LONGEST_HEAD: usize = 40;
    let closes = text[end..].iter().take(3).take_while(|byte| matches!(byte, b'"' | b'\'' | b')' | b']'));
    let stop = end + closes.count();
    if text.get(stop) != Some(&b'\n') {
        return;
    }
    let before = crate::search::last_line(crate::search::line_before(text, at, LONGEST_LINE));
    if !PROMPTS.iter().any(|prompt| before.starts_with(prompt)) {
        return;
    }
    let below = crate::search::line(text, stop + 1, LONGEST_LINE);
    let Some(open) = memchr::memchr2(b'"', b'\'', below).filter(|&open| open <= LONGEST_HEAD) else { return };
    // `No symbol "secret" in current context.`
    let told = below[..open].trim_ascii_end();
    let sign = matches!(told.first(), None | Some(b'$' | b'(' | b'0' | b'{' | b'='));
    if !sign && told.contains(&b' ') {
        return;
    }
    let Some(long) = memchr::memchr(below[open], &below[open + 1..]) else { return };
    let start = stop + 1 + open + 1;
    if long >= 4 && !value::is_placeholder(&text[start..start + long]) {
        spans.add(start, start + long, "password", false);
    }
}

/// The lone word of the next line, if it looks like a secret by itself.
fn answer(text: &[u8], end: usize, chosen: fn(&[u8]) -> bool) -> Option<(usize, usize)> {
    let start = crate::search::next_line(text, end, LONGEST_LINE)?;
    let below = &text[start..text.len().min(start + LONGEST)];
    // `Output: X`, as an agent tells it.
    let told = crate::search::line(below, 0, 32);
    if let Some(colon) = memchr::memchr_iter(b':', told)
        .find(|&at| told[..at].ends_with(b"utput") && told.get(at + 1) == Some(&b' '))
    {
        let from = start + colon + 2;
        let long = text[from..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
        let word = &text[from..from + long];
        let lone = long >= SHORTEST && matches!(text.get(from + long), None | Some(b'\n' | b'\r'));
        return (lone && (is_answer(word) || chosen(word))).then_some((from, from + long));
    }
    // Most lines are sentences.
    let typed = |byte: &u8| crate::search::is_typed(*byte);
    if !below.starts_with(b"=> ") && !below.get(..SHORTEST)?.iter().all(typed) {
        return None;
    }
    let word = below[..memchr::memchr(b'\n', below).unwrap_or(below.len())].trim_ascii_end();
    // `X⇥2025-03-01T15:02:11`: of two columns the first.
    let word = &word[..memchr::memchr(b'\t', word).filter(|&tab| tab >= SHORTEST).unwrap_or(word.len())];
    // An interpreter's: `=> "X"`.
    let (start, word) = word.strip_prefix(b"=> ").map_or((start, word), |rest| (start + 3, rest));
    // `b'X'`.
    let (start, word) = if word.starts_with(b"b'") { (start + 1, &word[1..]) } else { (start, word) };
    let quotes = matches!(word, [b'\'', .., b'\''] | [b'"', .., b'"']);
    let (start, word) = if quotes && word.len() > 2 && !value::is_uuid(&word[1..word.len() - 1]) {
        (start + 1, &word[1..word.len() - 1])
    } else {
        (start, word)
    };
    // `S3_SECRET_KEY=`: the next setting of a file, which waits for its value.
    let setting = word.strip_suffix(b"=").is_some_and(|name| {
        name.contains(&b'_') && name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    });
    let lone = word.len() >= SHORTEST && word.iter().all(typed) && !setting;
    (lone && (is_answer(word) || chosen(word))).then_some((start, start + word.len()))
}

/// Where the command begins, if a prompt begins the line: `$ `, `# `, `% `, `❯ `, `PS> `, `user@host:~$ `.
fn prompt(text: &[u8], at: usize) -> Option<usize> {
    let from = at.saturating_sub(LONGEST_LINE);
    let line = memchr::memrchr(b'\n', &text[from..at]).map_or(from, |line| from + line + 1);
    let before = &text[line..at];
    let signs = [&b"$ "[..], b"# ", b"% ", b"> ", "❯ ".as_bytes(), "➜ ".as_bytes(), b"+ "];
    // Without a prompt, by a tool's name: what is below is its answer.
    let tools = [
        &b"php artisan "[..],
        b"pulumi ",
        b"terraform ",
        b"tofu ",
        b"bin/rails ",
        b"rails ",
        b"rake ",
        b"mix ",
        b"keyring ",
        b"lpass ",
        b"gopass ",
        b"security ",
        b"sops ",
        b"ansible-vault ",
        b"oathtool ",
        b"infisical ",
        b"chamber ",
        b"pass otp ",
        b"bw unlock ",
        b"argocd ",
        b"kubectl ",
        b"vault ",
        b"gh auth ",
        b"op read ",
        b"pass show ",
        b"aws ",
        b"gcloud ",
        b"az ",
        b"heroku ",
        b"doppler ",
        b"bw get ",
    ];
    // "ran `php artisan …`", `PULUMI_ACCESS_TOKEN=… pulumi …`.
    let own = line + memchr::memrchr(b'`', before).map_or(0, |sign| sign + 1);
    let own = own + assignments(&text[own..at]);
    if tools.iter().any(|tool| text[own..].starts_with(tool)) {
        return Some(own);
    }
    let at_sign = |at: &usize| signs.iter().any(|sign| before[*at..].starts_with(sign));
    let place = (0..before.len().min(LONGEST_PROMPT)).find(at_sign)?;
    let spaces = memchr::memchr_iter(b' ', &before[..place]).count();
    // `ann@box ~ % `: where one is stands between.
    let placed = spaces == 2 && before[..place].contains(&b'@') && before[place] == b'%';
    (spaces < 2 || placed).then_some(line + place + 2)
}

/// `NAME=X OTHER=Y `: what a shell sets for the command behind.
fn assignments(words: &[u8]) -> usize {
    let mut from = 0;
    for word in words.split(|&byte| byte == b' ').take(4) {
        let name = word
            .iter()
            .take_while(|byte| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'0'..=b'9'))
            .count();
        if name == 0 || word.get(name) != Some(&b'=') {
            break;
        }
        from += word.len() + 1;
    }
    from.min(words.len())
}

/// A value, and not a path, an address, a date, a message or a name.
fn is_answer(word: &[u8]) -> bool {
    let sure = chance::is_product_key(word)
        || word.len() >= 16 && (chance::is_random(word) || value::is_hex(word) || value::is_uuid(word));
    !value::is_placeholder(word)
        && !value::is_reference(word)
        && !word.starts_with(b"/")
        && !matches!(word[0], b'{' | b'[' | b'<' | b'"' | b'-' | b'#' | b'(')
        && !crate::search::has(word, b"://")
        && !crate::search::has(word, b"[REDACTED")
        && !(word.contains(&b'=')
            && word
                .iter()
                .take_while(|&&byte| byte != b'=')
                .all(|&byte| byte.is_ascii_uppercase() || byte == b'_'))
        && (sure || prose::looks_like_secret(word) && chance::density(word) >= 36)
}

/// `::add-mask::X`: a runner's own way to say that X is a secret.
pub(crate) fn scan_mask(text: &[u8], end: usize, spans: &mut Spans) {
    let long = text[end..].iter().take(LONGEST).take_while(|byte| byte.is_ascii_graphic()).count();
    let word = &text[end..end + long];
    if long >= 4 && !value::is_placeholder(word) && !value::is_reference(word) && !word.starts_with(b"$") {
        spans.add(end, end + long, "secret", true);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_goes_elsewhere_hides_no_answer() {
        for text in [
            "$ vault kv get -field=pw secret/x 2> /dev/null\nk8vLm2ZpXt9Rk7Wd3Yb5\n",
            "$ pass show mail/work # -> the relay\nk8vLm2ZpXt9Rk7Wd3Yb5\n",
        ] {
            assert_eq!(found(text), ["k8vLm2ZpXt9Rk7Wd3Yb5"], "{text}");
        }
    }

    #[test]
    fn what_a_tool_prints_is_below() {
        for text in [
            "gcloud secrets versions access latest --secret=greeting\nGramophone?\n",
            "$ keyring get shop ann\nGramophone?\n",
            "STAGE=a pulumi stack --show-secrets output dbPassword\nGramo%phone\n",
            "I ran `security find-generic-password -s shop -w`.\nOutput: Gramo%phone\n",
        ] {
            assert_eq!(found(text).len(), 1, "{text}");
        }
        assert_eq!(found("$ pass otp shop/ann\n482913\n"), ["482913"]);
        let asked =
            "$ sudo nmcli -s -g 802-11-wireless.ssid,802-11-wireless-security.psk connection show Otter";
        assert_eq!(found(&format!("{asked}\nOtter-Hof\nriver bank 7\n")), ["river bank 7"]);
        let key = "67aaac5a6194d5bf1f2fab84ea680f00";
        for prompt in [">>> ", "scrapy shell> ", "irb> "] {
            assert_eq!(found(&format!("{prompt}os.environ['ZYTE_APIKEY']\n'{key}'\n")), [key], "{prompt}");
        }
        let key = "qh/KpNqh/ApqDM6FW+PbjIZhm2j0IlPG4xpxkdqQy4db+CPCj8I96nGyX8Jy/W/LqapYH8aiOMqYbyB8h2Hdxv==";
        assert_eq!(
            found(&format!(
                "az storage account keys list -n a -o table\nKeyName  Value\n-------  -----\nkey1     {key}\n"
            )),
            [key]
        );
        assert_eq!(
            found("$ ansible-vault view all.yml\nvault_a: lamp & shade\nport: 5432\nhost: db1\n"),
            ["lamp & shade"]
        );
    }

    #[test]
    fn a_file_that_is_shown_holds_it() {
        assert_eq!(
            found("cat /var/lib/rabbitmq/.erlang.cookie\nVHQKZXPWLMRTDSJFGBNC\n"),
            ["VHQKZXPWLMRTDSJFGBNC"]
        );
        let token =
            "q_HAPa2r3OvuW-SGKj4-aNYvGSZpjlsL8G9spXOctGm4FVZcO7WfylUwQEXki5sHvQyfFtqaD-OUlC1-YQbkfi==";
        assert_eq!(
            found(&format!("$ influx auth create --org a\nID\tToken\n0c28ed442f03\t{token}\tann\n")),
            [token]
        );
    }

    #[test]
    fn what_else_is_printed_stays() {
        for text in [
            "cat notes/.erlang.cookie\nsee the manual\n",
            "$ gcloud iam service-accounts keys list\nKEY_ID\n60d53b69e553df0fca424304addca94b3e0df61b\n",
            "$ vault token lookup -format=json | jq .data.accessor\n\"qR7tKz3mWc9Lx2VbN5pYd8Hs\"\n",
            "$ oathtool --help\nUsage: x\n",
            "we ask for 802-11-wireless.ssid,802-11-wireless-security.psk here\nOtter-Hof\nriver-bank\n",
            "$ nmcli -g 802-11-wireless.ssid,802-11-wireless-security.psk connection show Otter\nOtter-Hof-5G\n",
            "the oathtool shows it\n482913\n",
            "terraform output -raw region\neu-west-1\n",
            "gcloud secrets versions access latest\nERROR: (gcloud) not found\n",
            "$ ansible-vault view all.yml\nERROR! Decryption failed: no secrets\n",
            "$ grep -n password src/\nsrc/main.rs:12\n",
            ">>> os.environ['API_KEY_FILE']\n'/etc/keys/otter.pem'\n",
            ">>> os.environ['TOKEN_SHA']\n'67aaac5a6194d5bf1f2fab84ea680f0067aaac5a'\n",
            ">>> len(os.environ['API_KEY'])\n32\n",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }
}
