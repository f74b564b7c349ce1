//! V3: runs of base64 or hex that decode to printable text.

use crate::decode;

/// What a run of base64 or hex says, and where it ends with its padding, if that is text.
pub(crate) fn decoded(text: &[u8], start: usize, end: usize) -> Option<(usize, String)> {
    let padded = end + text[end..].iter().take(2).take_while(|&&byte| byte == b'=').count();
    printable(&text[start..end]).map(|plain| (padded, plain))
}

/// Whether the first bytes are those of a text: those of most digests are not.
fn begins_printable_hex(run: &[u8]) -> bool {
    decode::hex(&run[..8]).is_some_and(|bytes| bytes.iter().all(|&byte| decode::is_printable(byte)))
}

fn printable(run: &[u8]) -> Option<String> {
    let plain = if decode::begins_printable(run) {
        let whole = if run.len() % 4 == 1 { &run[..run.len() - 1] } else { run };
        decode::base64(whole)
    } else if run.len() >= 32 && run.iter().take(32).all(u8::is_ascii_hexdigit) && begins_printable_hex(run) {
        decode::hex(run).filter(|bytes| bytes.iter().all(|&byte| decode::is_printable(byte)))
    } else {
        None
    }?;
    let text = String::from_utf8(plain).ok()?;
    let clear = |text: &str| text.chars().all(|sign| !sign.is_control() || sign.is_ascii_whitespace());
    (text.bytes().all(decode::is_printable) || clear(&text)).then_some(text)
}
