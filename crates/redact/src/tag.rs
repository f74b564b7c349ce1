//! An element whose value stands before its name: `<input value="X" type="text" name="password">`.

use crate::names::{Name, Trust};
use crate::span::Spans;
use crate::value::{self, Place};

const REACH: usize = 240;

/// Looks at the attributes of the same element that stand before the name at `start`.
pub(crate) fn scan(text: &[u8], start: usize, stop: usize, name: Name, spans: &mut Spans) {
    let quote = |at: Option<&u8>| at.is_some_and(|byte| matches!(byte, b'"' | b'\''));
    if name.trust < Trust::Secret || !quote(text.get(stop)) || start == 0 || !quote(text.get(start - 1)) {
        return;
    }
    let from = start.saturating_sub(REACH);
    let before = &text[from..start - 1];
    let names = [&b" name="[..], b" id=", b" key=", b" type="];
    if !names.iter().any(|attribute| before.ends_with(attribute)) {
        return;
    }
    crate::work::read(before.len());
    let Some(open) = memchr::memrchr2(b'<', b'>', before).filter(|&at| before[at] == b'<') else { return };
    let tag = &before[open..];
    let Some(at) = memchr::memmem::rfind(tag, b" value=") else { return };
    let inside = at + 8;
    let Some(&sign) = tag.get(inside - 1).filter(|&&byte| matches!(byte, b'"' | b'\'')) else { return };
    let Some(long) = memchr::memchr(sign, &tag[inside..]) else { return };
    let from = from + open + inside;
    if value::is_secret(name, &text[from..from + long], Place::Quoted) {
        spans.add(from, from + long, name.kind, false);
    }
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn a_value_may_stand_before_its_name() {
        assert_eq!(found("<input value=\"starfighter\" name=\"password\" type=\"text\">"), ["starfighter"]);
        assert_eq!(found("<param value='starfighter' name='db_password'/>"), ["starfighter"]);
        assert_eq!(
            found("<input value=\"Sign in\" name=\"login\"><input name=\"password\">"),
            Vec::<&str>::new()
        );
        assert_eq!(found("<option value=\"starfighter\"><input name=\"password\">"), Vec::<&str>::new());
        assert_eq!(found("<input value=\"\" name=\"password\">"), Vec::<&str>::new());
    }
}
