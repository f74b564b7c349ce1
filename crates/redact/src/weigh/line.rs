//! What the line says in which a name stands, and what follows a value.

use super::{Evidence, Sign};
use crate::search::Words;

const BACK: usize = 120;

/// Signs of the name's own line and of what stands shortly before.
pub(super) fn signs(text: &[u8], start: usize, stop: usize, evidence: &mut Evidence) {
    let before = crate::search::before(text, start, BACK);
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let rest = &text[stop..text.len().min(stop + BACK)];
    crate::work::read(rest.len());
    let rest = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
    evidence.when(opens(text, start), Sign::LineOpens);
    evidence.when(crate::company::is_setting(text, start), Sign::LineSettings);
    evidence.when(line.ends_with(b"?") || line.ends_with(b"&"), Sign::LineQuery);
    evidence.when(
        line.contains(&b';') && line.contains(&b'=') || line.contains(&b'=') && rest.contains(&b'='),
        Sign::LinePairs,
    );
    let end = rest.trim_ascii_end();
    let brackets = |part: &[u8]| part.iter().map(|byte| BRACKETS[usize::from(*byte)]).sum::<usize>();
    let code = brackets(line) + brackets(rest);
    evidence.when(matches!(end.last(), Some(b';' | b'{' | b'(')) || code >= 2, Sign::LineCode);
    evidence.when(code >= 6, Sign::LineDense);
    let near = NEAR.which(before) | NEAR.which(rest);
    evidence.when(near & USERS != 0, Sign::LineUser);
    evidence.when(near & !USERS != 0, Sign::LineHost);
}

/// One for each bracket.
const BRACKETS: [usize; 256] = {
    let mut table = [0; 256];
    let brackets = b"(){}[]<>";
    let mut at = 0;
    while at < brackets.len() {
        table[brackets[at] as usize] = 1;
        at += 1;
    }
    table
};

/// What speaks of a user, and then what speaks of a host: both are looked for in one walk.
static NEAR: Words<14> = Words::new([
    b"user",
    b"utilis",
    b"usuari",
    b"admin",
    b"account",
    b"benutzer",
    b"email",
    b"login",
    b"root",
    b"host",
    b"server",
    b"@",
    b"://",
    b":22",
]);
/// The first nine of them.
const USERS: u32 = (1 << 9) - 1;

/// Whether only signs, `export` and other names stand before the name on its line.
pub(super) fn opens(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(BACK)..start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let line = line.trim_ascii_start();
    let line = line.strip_prefix(b"export ").or_else(|| line.strip_prefix(b"set ")).unwrap_or(line);
    line.iter()
        .all(|byte| matches!(byte, b'"' | b'\'' | b'-' | b'*' | b'|' | b' ' | b'#' | b'>' | b'+' | b'\t'))
        || line.len() <= 24
            && !line.is_empty()
            && line.iter().all(|byte| byte.is_ascii_alphabetic() || *byte == b' ' || *byte >= 0x80)
}

/// `$ cat ~/.vault_pass`, `root@mq1:~# cat …`.
pub(super) fn is_prompt(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(BACK)..start];
    let line = memchr::memrchr(b'\n', before).map_or(before, |at| &before[at + 1..]);
    let head = &line[..line.len().min(48)];
    [&b"$ "[..], b"> ", b"# ", b"% "].iter().any(|sign| head.starts_with(sign))
        || crate::search::has(head, b":~# ")
        || head.first().is_some_and(u8::is_ascii_digit) && crate::search::has(head, b"> ")
}

/// `<Password `, `<ns:Password `.
pub(super) fn opens_tag(text: &[u8], start: usize) -> bool {
    let before = &text[start.saturating_sub(20)..start];
    let prefix =
        before.iter().rev().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b':').count();
    before[..before.len() - prefix].ends_with(b"<") && (prefix == 0 || before.ends_with(b":"))
}

/// What follows a value.
pub(super) fn behind(text: &[u8], end: usize, evidence: &mut Evidence) {
    let byte = |at: usize| text.get(at).copied().unwrap_or(b'\n');
    let past = end + usize::from(matches!(byte(end), b'"' | b'\'' | b'`'));
    evidence.when(matches!(byte(past), b'\n' | b'\r'), Sign::EndsLine);
    evidence.when(byte(past) == b')', Sign::EndsCall);
}
