//! Values as PHP dumps them: `s:8:"password";s:6:"X";`, `["pass"]=>⏎  string(14) "X"`.

use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value::{self, Place};

const LONGEST: usize = 512;

/// Looks at what a dump puts behind the name that ends at `stop`.
pub(crate) fn scan(text: &[u8], stop: usize, name: Name, spans: &mut Spans) {
    if name.trust < Trust::Secret {
        return;
    }
    let rest = &text[stop..text.len().min(stop + LONGEST)];
    let quote = match rest {
        [b'\\', b'"', ..] => &b"\\\""[..],
        [b'"', ..] => b"\"",
        _ => return,
    };
    let Some(open) = serialized(&rest[quote.len()..], quote).or_else(|| dumped(&rest[quote.len()..])) else {
        return;
    };
    let from = quote.len() + open;
    let Some(long) = memchr::memmem::find(&rest[from..], quote) else { return };
    crate::work::read(from + long);
    let word = &rest[from..from + long];
    if value::is_secret(name, word, Place::Quoted) {
        spans.add(stop + from, stop + from + long, name.kind, true);
    }
}

/// `;s:6:"`.
fn serialized(rest: &[u8], quote: &[u8]) -> Option<usize> {
    let rest = rest.strip_prefix(b";s:")?;
    let digits = rest.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    (digits > 0 && rest[digits..].strip_prefix(b":")?.starts_with(quote))
        .then_some(3 + digits + 1 + quote.len())
}

/// `]=>⏎  string(14) "`.
fn dumped(rest: &[u8]) -> Option<usize> {
    let inner = rest.strip_prefix(b"]=>")?;
    let blanks = inner.iter().take(64).take_while(|byte| byte.is_ascii_whitespace()).count();
    let number = inner[blanks..].strip_prefix(b"string(")?;
    let digits = number.iter().take(6).take_while(|byte| byte.is_ascii_digit()).count();
    number[digits..].starts_with(b") \"").then_some(3 + blanks + 7 + digits + 3)
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn dumps_name_their_values() {
        assert_eq!(found("a:2:{s:4:\"host\";s:2:\"db\";s:8:\"password\";s:9:\"swordfish\";}"), ["swordfish"]);
        assert_eq!(found("'a:1:{s:9:\\\"smtp_pass\\\";s:9:\\\"swordfish\\\";}'"), ["swordfish"]);
        assert_eq!(found("array(1) {\n  [\"pass\"]=>\n  string(9) \"swordfish\"\n}"), ["swordfish"]);
        assert_eq!(found("a:1:{s:15:\"password_length\";s:9:\"swordfish\";}"), Vec::<&str>::new());
    }
}
