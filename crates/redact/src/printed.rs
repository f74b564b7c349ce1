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
];

/// How far left the prompt may stand, and how far right the command may go on.
const LONGEST_LINE: usize = 200;
const LONGEST_PROMPT: usize = 48;
const SHORTEST: usize = 8;
const LONGEST: usize = 2048;

/// Words of commands that show what they name; with any other, the name is what the command works on.
const SHOWS: [&[u8]; 22] = [
    b"get", b"show", b"print", b"read", b"create", b"gen", b"new", b"rotate", b"echo", b"cat", b"auth",
    b"list", b"view", b"-w", b"lookup", b"fetch", b"export", b"reveal", b"decrypt", b"output", b"dump",
    b"initial",
];

/// Looks at the line below the command `at..end` that prints secrets.
pub(crate) fn scan(text: &[u8], at: usize, end: usize, spans: &mut Spans) {
    let sure = [
        &b"pass show"[..],
        b"op read",
        b"secret-tool lookup",
        b"find-generic-password",
        b"find-internet-password",
    ]
    .iter()
    .any(|own| own.eq_ignore_ascii_case(&text[at..end]));
    let chosen: fn(&[u8]) -> bool = if sure {
        |word| {
            let dotted: Vec<u8> = word.iter().map(|&byte| if byte == b'.' { b'-' } else { byte }).collect();
            value::is_choosable(&dotted)
        }
    } else {
        |word| prose::looks_joined(word) && chance::density(word) >= 30
    };
    if let Some((start, stop)) = answer(text, end, chosen)
        && prompt(text, at).is_some()
    {
        spans.add(start, stop, "secret", false);
    }
}

/// The same for a command line in which the name of a secret stands at `at..end`.
pub(crate) fn scan_named(text: &[u8], at: usize, end: usize, kind: &'static str, spans: &mut Spans) {
    let Some((start, stop)) = answer(text, end, |_| false) else { return };
    // The head of a column says again what was asked for; the answer is below.
    let asked = &text[end.saturating_sub(LONGEST_LINE)..start - 1];
    let below = crate::search::has(asked, &text[start..stop]).then(|| answer(text, stop, |_| false));
    let Some((start, stop)) = below.unwrap_or(Some((start, stop))) else { return };
    let digest = value::is_hex(&text[start..stop]) && matches!(stop - start, 40 | 64);
    let interpreted = text[..start].ends_with(b"=> ") || text[..start].ends_with(b"=> \"");
    let from = || interpreted.then(|| at.saturating_sub(LONGEST_PROMPT));
    let Some(command) = prompt(text, at).or_else(from).map(|from| &text[from..start - 1]) else { return };
    let words = |word: &&[u8]| SHOWS.iter().any(|show| word.starts_with(show));
    if interpreted && !digest {
        return spans.add(start, stop, kind, false);
    }
    if !digest
        && command.split(|byte| matches!(byte, b' ' | b'-' | b'_' | b'=' | b'.')).any(|word| words(&word))
    {
        spans.add(start, stop, kind, false);
    }
}

/// The lone word of the next line, if it looks like a secret by itself.
fn answer(text: &[u8], end: usize, chosen: fn(&[u8]) -> bool) -> Option<(usize, usize)> {
    let rest = &text[end..text.len().min(end + LONGEST_LINE)];
    let start = end + memchr::memchr(b'\n', rest)? + 1;
    let below = &text[start..text.len().min(start + LONGEST)];
    // Most lines are sentences.
    if !below.starts_with(b"=> ") && !below.get(..SHORTEST)?.iter().all(u8::is_ascii_graphic) {
        return None;
    }
    let word = below[..memchr::memchr(b'\n', below).unwrap_or(below.len())].trim_ascii_end();
    // An interpreter's: `=> "X"`.
    let (start, word) = word.strip_prefix(b"=> ").map_or((start, word), |rest| (start + 3, rest));
    let quotes = matches!(word, [b'\'', .., b'\''] | [b'"', .., b'"']);
    let (start, word) = if quotes && word.len() > 2 && !value::is_uuid(&word[1..word.len() - 1]) {
        (start + 1, &word[1..word.len() - 1])
    } else {
        (start, word)
    };
    let lone = word.len() >= SHORTEST && word.iter().all(u8::is_ascii_graphic);
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
        &b"argocd "[..],
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
    if tools.iter().any(|tool| before.starts_with(tool)) {
        return Some(line);
    }
    let at_sign = |at: &usize| signs.iter().any(|sign| before[*at..].starts_with(sign));
    let place = (0..before.len().min(LONGEST_PROMPT)).find(at_sign)?;
    let spaces = memchr::memchr_iter(b' ', &before[..place]).count();
    // `ann@box ~ % `: where one is stands between.
    let placed = spaces == 2 && before[..place].contains(&b'@') && before[place] == b'%';
    (spaces < 2 || placed).then_some(line + place + 2)
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
