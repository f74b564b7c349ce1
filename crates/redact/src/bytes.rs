//! Keys written down number by number: `uint8_t app_key[16] = { 0x2B, 0x7C, … }`, `secretKey: [43, 124, …]`, and the
//! file in which a coin's keys are kept, sixty-four of them.

use crate::names::{Name, Trust};
use crate::span::Spans;

/// How far behind the name the numbers may begin: a length, a type, a call that takes them.
const REACH: usize = 64;
const LONGEST: usize = 1024;
/// Numbers of a coin's keys: the secret one and the public one.
const PAIR: usize = 64;

/// The numbers behind a name that ends at `stop`.
pub(crate) fn named(text: &[u8], stop: usize, name: Name, spans: &mut Spans) {
    // `ota_key`: whatever it opens; a table of keys of a keyboard counts up.
    let own =
        name.trust == Trust::Secret || text[..stop].ends_with(b"_key") || text[..stop].ends_with(b"Key");
    if !matches!(name.kind, "api_key" | "secret")
        || !own
        || !matches!(text.get(stop), Some(b'[' | b' ' | b':' | b'=' | b'"'))
    {
        return;
    }
    let line = crate::search::line(text, stop, REACH);
    // `#define APP_KEY { 0x2B, … }`.
    let defined = || line.trim_ascii_start().starts_with(b"{").then_some(0);
    let Some(joint) = memchr::memchr2(b'=', b':', line).or_else(defined) else { return };
    crate::work::read(line.len());
    let opened = memchr::memchr3_iter(b'{', b'[', b'(', &line[joint..]).map(|at| stop + joint + at + 1);
    if let Some(list) = opened.filter_map(|from| List::at(text, from)).find(List::is_key) {
        spans.add(list.start, list.end, name.kind, true);
    }
}

/// The numbers of a coin's keys from `from`, behind what shows them.
pub(crate) fn pair(text: &[u8], from: usize, spans: &mut Spans) {
    if let Some(list) = List::at(text, from).filter(|list| list.count == PAIR && list.is_key()) {
        spans.add(list.start, list.end, "private_key", true);
    }
}

/// Numbers of a byte each.
struct List {
    start: usize,
    end: usize,
    count: usize,
    /// How many of the 256 are among them.
    different: usize,
    /// How many are one more than the one before.
    steps: usize,
}

impl List {
    fn at(text: &[u8], from: usize) -> Option<Self> {
        let window = &text[from.min(text.len())..text.len().min(from + LONGEST)];
        let blanks = |at: usize| window[at..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let (mut at, mut end, mut count, mut seen) = (blanks(0), 0, 0, [false; 256]);
        let (mut steps, mut before) = (0, 0_u8);
        let start = at;
        while let Some((byte, long)) = number(&window[at..]) {
            seen[usize::from(byte)] = true;
            steps += usize::from(byte == before.wrapping_add(1));
            before = byte;
            (count, end) = (count + 1, at + long);
            let gap = end + blanks(end);
            if window.get(gap) != Some(&b',') {
                break;
            }
            at = gap + 1 + blanks(gap + 1);
        }
        crate::work::read(at);
        let different = seen.iter().filter(|&&seen| seen).count();
        (count > 0).then_some(Self { start: from + start, end: from + end, count, different, steps })
    }

    /// As long as keys are, and not `0, 0, 0` or `0, 1, 2`.
    fn is_key(&self) -> bool {
        matches!(self.count, 16 | 24 | 32 | 48 | 64)
            && self.different * 10 >= self.count * 6
            && self.steps * 4 < self.count
    }
}

/// `0x2B`, `174`, `-12`: a byte, and how long it is written.
fn number(rest: &[u8]) -> Option<(u8, usize)> {
    let hex = rest.starts_with(b"0x") || rest.starts_with(b"0X");
    let sign = usize::from(rest.first() == Some(&b'-'));
    let head = if hex { 2 } else { sign };
    let is_digit = |byte: &&u8| if hex { byte.is_ascii_hexdigit() } else { byte.is_ascii_digit() };
    let long = rest[head..].iter().take(4).take_while(is_digit).count();
    let digits = std::str::from_utf8(&rest[head..head + long]).ok()?;
    let byte = u8::from_str_radix(digits, if hex { 16 } else { 10 }).ok()?;
    Some((byte, head + long))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    const HEX: &str =
        "0x1B, 0x5C, 0xA1, 0x36, 0x4E, 0xD2, 0x83, 0xB6, 0xC9, 0x07, 0x25, 0x63, 0xF9, 0xEE, 0x40, 0x3A";
    const PLAIN: &str = "27, 92, 161, 54, 78, 210, 131, 182, 201, 7, 37, 99, 249, 238, 64, 58";

    #[test]
    fn a_key_is_written_number_by_number() {
        for (text, key) in [
            (format!("zigbee_network_key: [{HEX}]"), HEX),
            (format!("#define LORA_APPKEY {{ {HEX} }}"), HEX),
            (format!("static const uint8_t app_key[16] = {{ {HEX} }};"), HEX),
            (format!("const MASTER_KEY: [u8; 16] = [{HEX}];"), HEX),
            (format!("var encryptionKey = []byte{{{HEX}}}"), HEX),
            (format!("byte[] secretKey = new byte[] {{{PLAIN}}};"), PLAIN),
            (format!("{{\"secret_key\": [{PLAIN}]}}"), PLAIN),
            (format!("auth_key = bytes([{PLAIN}])"), PLAIN),
        ] {
            assert_eq!(found(&text), [key], "{text}");
        }
    }

    #[test]
    fn other_numbers_stay() {
        for text in [
            format!("static const uint8_t dev_eui[16] = {{ {HEX} }};"),
            format!("const PUBLIC_KEY: [u8; 16] = [{HEX}];"),
            "const MASTER_KEY: [u8; 16] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1];".to_owned(),
            format!("{{\"token\": [{PLAIN}]}}"),
            "secret_key: [1, 2, 3, 4]".to_owned(),
            "secret_key: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]".to_owned(),
            "$ cat sizes.json\n[1, 2, 3, 4]".to_owned(),
        ] {
            assert_eq!(found(&text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_coins_keys_are_sixty_four() {
        let numbers: Vec<String> = (1..=64).map(|at| (at * 37 % 251).to_string()).collect();
        let list = numbers.join(",");
        assert_eq!(found(&format!("$ cat me.json\n[{list}]\n")), [list.as_str()]);
        assert_eq!(found(&format!("Keypair.fromSecretKey(Uint8Array.from([{list}]))")), [list.as_str()]);
    }
}
