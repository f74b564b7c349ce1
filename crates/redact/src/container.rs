//! What stands inside something that is called like a secret: `securityKeys: {…}`, `enum Secrets {…}`, `kind: Secret`,
//! `network_key: [218, 139, …]`. There a random value is one, whatever its own name.
//!
//! - C1  at most [`MOST_LINES`] lines and [`LONGEST`] bytes are read, once: a later name inside waits until they end

use crate::company;
use crate::names::{self, Name, Trust};
use crate::span::Spans;
use crate::{decode, value};

const LONGEST: usize = 800;
const MOST_LINES: usize = 16;
/// Bytes of the shortest key.
const FEWEST_BYTES: usize = 12;

/// Looks into what opens behind the name `start..stop`; returns how far it read.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) -> Option<usize> {
    let rest = &text[stop..text.len().min(stop + 8)];
    let skipped =
        rest.iter().take_while(|byte| matches!(byte, b'"' | b'\'' | b' ' | b':' | b'=' | b'>')).count();
    let open = rest.get(skipped).copied()?;
    if matches!(open, b'[' | b'(' | b'{' | b']') && bytes(text, stop, name, spans) {
        return Some(stop);
    }
    let manifest = open == b'\n' && text[..start].ends_with(b"kind: ") && &text[start..stop] == b"Secret";
    let plural = text[start..stop].last().is_some_and(|byte| byte | 0x20 == b's');
    let opens =
        open == b'{' || open == b'\n' && rest[..skipped].iter().any(|byte| matches!(byte, b':' | b'>'));
    if !manifest && !(opens && (plural || name.trust == Trust::Secret) && name.kind != "session") {
        return None;
    }
    if manifest {
        above(text, start, spans);
    }
    let indent = company::indent(text, start)?;
    let mut line = stop + memchr::memchr(b'\n', &text[stop..text.len().min(stop + 64)])? + 1;
    let limit = stop + LONGEST;
    let mut data = Data::None;
    for _ in 0..MOST_LINES {
        if line >= text.len().min(limit) {
            break;
        }
        let window = &text[line..text.len().min(line + 200)];
        crate::work::read(window.len());
        let inner = window.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if !manifest && inner <= indent && window.get(inner).is_some_and(|&byte| byte != b'\n') {
            break;
        }
        if manifest {
            data.entry(text, line, spans);
        }
        company::unnamed(text, line, spans);
        let Some(long) = memchr::memchr(b'\n', window) else { break };
        line += long + 1;
    }
    Some(line.min(limit))
}

/// `data:⏎  any: WFhY…⏎kind: Secret`: as a cluster prints it, in the order of the letters.
fn above(text: &[u8], kind: usize, spans: &mut Spans) {
    let from = kind.saturating_sub(LONGEST);
    let before = &text[from..kind];
    crate::work::read(before.len());
    let Some(data) = memchr::memmem::rfind(before, b"\ndata:\n") else { return };
    let mut state = Data::None;
    let mut line = from + data + 1;
    while line < kind {
        state.entry(text, line, spans);
        line += crate::search::line(text, line, LONGEST).len() + 1;
        if state == Data::None {
            return;
        }
    }
}

/// Which part of a cluster's secret a line stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Data {
    None,
    Plain,
    Encoded,
}

/// A key that is no text, or a text that nobody is told: no level, port, switch (`aW5mbw==`), no address without a user.
fn is_encoded(value: &[u8]) -> bool {
    let Some(plain) = decode::base64(value).filter(|_| value.len() >= 8) else { return false };
    if !plain.iter().all(|&byte| decode::is_printable(byte)) {
        return value.len() >= 32 && value.iter().any(u8::is_ascii_digit);
    }
    value::is_chosen(&plain)
        || plain.len() >= 16 && !plain.starts_with(b"http")
        || crate::search::has(&plain, b"://") && plain.contains(&b'@')
}

impl Data {
    /// `stringData:⏎  any: X`, `data:⏎  any: WFhY…`: whatever they are called, its members are the secret.
    fn entry(&mut self, text: &[u8], line: usize, spans: &mut Spans) {
        let row = crate::search::line(text, line, 400);
        if !row.starts_with(b" ") {
            *self = match row.trim_ascii_end() {
                b"stringData:" => Self::Plain,
                b"data:" => Self::Encoded,
                _ => Self::None,
            };
            return;
        }
        let Some(joint) = memchr::memmem::find(row, b": ").filter(|_| *self != Self::None) else { return };
        let value = row[joint + 2..].trim_ascii();
        let value = match value {
            [b'"', inside @ .., b'"'] | [b'\'', inside @ .., b'\''] => inside,
            _ => value,
        };
        let own = if *self == Self::Plain { value::is_chosen(value) } else { is_encoded(value) };
        if own && !value::is_placeholder(value) && !names::is_identity(row[..joint].trim_ascii()) {
            let start = crate::search::offset(text, value);
            spans.add(start, start + value.len(), "secret", false);
        }
    }
}

/// `[218, 139, 89, …]`, `[byte[]](190,152,…)`: a key, byte by byte.
fn bytes(text: &[u8], stop: usize, name: Name, spans: &mut Spans) -> bool {
    let keys = matches!(name.kind, "key" | "api_key" | "secret" | "salt" | "seed");
    let window = &text[stop..text.len().min(stop + 400)];
    let Some(first) = window.iter().take(24).position(u8::is_ascii_digit).filter(|&at| at > 0 && keys) else {
        return false;
    };
    if !matches!(window[first - 1], b'[' | b'(' | b'{' | b' ' | b'\n')
        || !window[..first].iter().any(|byte| matches!(byte, b'[' | b'(' | b'{'))
    {
        return false;
    }
    let long = window[first..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b' ' | b'\n'))
        .count();
    let list = window[first..first + long].trim_ascii_end();
    crate::work::read(long);
    let numbers = list.split(|&byte| byte == b',').map(<[u8]>::trim_ascii);
    let small =
        numbers.clone().all(|number| matches!(number.len(), 1..=3) && number.iter().all(u8::is_ascii_digit));
    // `1, 2, 3, 4, …` counts.
    let counts = list.starts_with(b"0, 1")
        || list.starts_with(b"1, 2")
        || list.starts_with(b"0,1")
        || list.starts_with(b"1,2");
    let large = numbers.clone().filter(|number| number.len() == 3).count();
    let found = small && !counts && numbers.count() >= FEWEST_BYTES && large >= 4;
    if found {
        spans.add(stop + first, stop + first + list.len(), name.kind, false);
    }
    found
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_cluster_prints_its_data_first() {
        let text = "apiVersion: v1\ndata:\n  otter: Zm9yZXN0LVBhcnR5LTc3\n  level: aW5mbw==\nkind: Secret\nmetadata:\n  name: x\n";
        assert_eq!(found(text), ["Zm9yZXN0LVBhcnR5LTc3"]);
        assert_eq!(found(&text.replace("Secret", "ConfigMap")), Vec::<&str>::new());
    }

    #[test]
    fn what_a_container_of_secrets_holds_is_one() {
        let key = "92DFCA140F3A27786691C7984E8A889F";
        assert_eq!(
            found(&format!("{{\n  \"securityKeys\": {{\n    \"S0_Legacy\": \"{key}\"\n  }}\n}}")),
            [key]
        );
        assert_eq!(found(&format!("enum Secrets {{\n    static let weather = \"{key}\"\n}}\n")), [key]);
        assert_eq!(
            found(&format!("kind: Secret\nmetadata:\n  name: x\nstringData:\n  weather: {key}\n")),
            [key]
        );
        assert_eq!(
            found(&format!("enum Digests {{\n    static let weather = \"{key}\"\n}}\n")),
            Vec::<&str>::new()
        );
        assert_eq!(
            found(
                "kind: Secret\nmetadata:\n  name: a-b-77\nstringData:\n  pw: Otter-Bridge5\n  host: db.lan\n"
            ),
            ["Otter-Bridge5"]
        );
        assert_eq!(
            found("kind: Secret\ndata:\n  pw: T3R0ZXItQnJpZGdlNQ==\ntype: Opaque\n"),
            ["T3R0ZXItQnJpZGdlNQ=="]
        );
        assert_eq!(found("kind: Secret\ndata:\n  level: aW5mbw==\n"), Vec::<&str>::new());
        assert_eq!(found("kind: ConfigMap\ndata:\n  page: T3R0ZXItQnJpZGdlNQ==\n"), Vec::<&str>::new());
        assert_eq!(found(&format!("secrets:\n  a: b\nother:\n  weather: {key}\n")), Vec::<&str>::new());
    }

    #[test]
    fn a_key_is_written_byte_by_byte() {
        let key = "218, 139, 89, 205, 158, 70, 81, 37, 37, 238, 232, 13, 253, 247, 47, 158";
        assert_eq!(found(&format!("network_key: [{key}]\n")), [key]);
        assert_eq!(found(&format!("channels: [{key}]\n")), Vec::<&str>::new());
    }
}
