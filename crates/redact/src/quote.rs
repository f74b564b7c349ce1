//! Quotes at any escape depth.
//!
//! In JSON inside JSON a quote is `\"`, one deeper `\\\"`: at depth d it has 2^d - 1 backslashes.
//! A closing quote has as many backslashes as the opening one, plus a multiple of 2^(d+1); with fewer
//! it closes an outer string, and the inner value with it. One walk, no backtracking.

/// An opening quote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Quote {
    pub(crate) sign: u8,
    pub(crate) slashes: usize,
}

/// A quote (with its backslashes) at `at`, and where it ends.
pub(crate) fn open(text: &[u8], at: usize) -> Option<(Quote, usize)> {
    let slashes = text[at..].iter().take(255).take_while(|&&byte| byte == b'\\').count();
    let sign = *text.get(at + slashes)?;
    matches!(sign, b'"' | b'\'' | b'`').then_some((Quote { sign, slashes }, at + slashes + 1))
}

/// `%q(X)`, `q{X}`, `r#"X"#`, `<![CDATA[X]]>`, `[[X]]`: a string between signs that the language lets its writer choose; what stands between.
pub(crate) fn delimited(text: &[u8], at: usize) -> Option<(usize, usize)> {
    const FORMS: [(&[u8], &[u8]); 15] = [
        (b"<![CDATA[", b"]]>"),
        (b"R\"(", b")\""),
        (b"[[", b"]]"),
        (b"%q(", b")"),
        (b"%q{", b"}"),
        (b"%q[", b"]"),
        (b"%Q(", b")"),
        (b"%Q{", b"}"),
        (b"%(", b")"),
        (b"q{", b"}"),
        (b"q(", b")"),
        (b"qq{", b"}"),
        (b"qq(", b")"),
        (b"r#\"", b"\"#"),
        (b"br#\"", b"\"#"),
    ];
    const LONGEST: usize = 256;
    let rest = &text[at.min(text.len())..];
    if !matches!(rest.first(), Some(b'%' | b'q' | b'r' | b'b' | b'R' | b'<' | b'[')) {
        return None;
    }
    let (open, close) = FORMS.iter().find(|(open, _)| rest.starts_with(open))?;
    let line = crate::search::line(rest, open.len(), LONGEST);
    let long = memchr::memmem::find(line, close).filter(|&long| long > 0)?;
    crate::work::read(long);
    // `[[69, "…"]]` is a list of lists.
    if *open == b"[[" && line[..long].iter().any(|byte| matches!(byte, b',' | b'"' | b'\'' | b' ')) {
        return None;
    }
    // `q(})aaa`, `%(name)s`: what goes on was none.
    let past = rest.get(open.len() + long + close.len());
    let ends = past.is_none_or(|byte| {
        byte.is_ascii_whitespace() || matches!(byte, b',' | b';' | b')' | b']' | b'}' | b'.' | b'<')
    });
    ends.then(|| (at + open.len(), at + open.len() + long))
}

/// Longer strings are not values with a name; looking further would make open quotes quadratic.
pub(crate) const LONGEST: usize = 8192;

/// Where the value that starts at `start` ends; `None` if it is not closed on its line.
pub(crate) fn close(text: &[u8], start: usize, quote: Quote) -> Option<usize> {
    let window = &text[start..text.len().min(start + LONGEST)];
    let depth = (quote.slashes + 1).ilog2();
    let (mut at, mut slashes) = (0, 0);
    loop {
        let plain = window[at..].iter().take_while(|&&byte| !TELLS[usize::from(byte)]).count();
        if plain > 0 {
            slashes = 0;
        }
        at += plain;
        crate::work::read(plain + 1);
        let byte = *window.get(at)?;
        if byte == b'\\' {
            slashes += 1;
            at += 1;
            continue;
        }
        if byte == b'\n' {
            return None;
        }
        if byte == quote.sign && closes(slashes, quote.slashes, depth) {
            return Some(start + at - slashes.min(quote.slashes));
        }
        // An outer string that ends takes the inner one with it.
        if byte == b'"' && slashes < quote.slashes {
            return Some(start + at - slashes);
        }
        slashes = 0;
        at += 1;
    }
}

/// Bytes that may end a string, and slashes; most are none.
const TELLS: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0_u8;
    while byte < 128 {
        table[byte as usize] = matches!(byte, b'\\' | b'\n' | b'"' | b'\'' | b'`');
        byte += 1;
    }
    table
};

fn closes(slashes: usize, opening: usize, depth: u32) -> bool {
    slashes < opening || ((slashes - opening) >> depth).is_multiple_of(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inside(text: &str) -> Option<&str> {
        let (quote, start) = open(text.as_bytes(), 0)?;
        close(text.as_bytes(), start, quote).map(|end| &text[start..end])
    }

    #[test]
    fn a_language_has_quotes_of_its_own() {
        for (text, inside) in [("%q(a'b)", "a'b"), ("q{a},b", "a"), ("r#\"a\"b\"#", "a\"b")] {
            assert_eq!(
                delimited(text.as_bytes(), 0).map(|(from, end)| &text[from..end]),
                Some(inside),
                "{text}"
            );
        }
        for text in ["q", "q{a\n}", "quiet(a)", "%s(a)", "r#a", "q(})aaa", "%(name)s"] {
            assert_eq!(delimited(text.as_bytes(), 0), None, "{text}");
        }
    }

    #[test]
    fn a_value_ends_at_its_own_depth() {
        assert_eq!(inside(r#""a\"b","c""#), Some(r#"a\"b"#));
        assert_eq!(inside(r#""a\\","c""#), Some(r"a\\"));
        assert_eq!(inside(r#"\"a\\\"b\",\"c\""#), Some(r#"a\\\"b"#));
        assert_eq!(inside(r#"\\\"a\\\",\\\"c"#), Some("a"));
        assert_eq!(inside(r"'it\'s',"), Some(r"it\'s"));
        assert_eq!(inside("\"open\n\""), None);
    }
}
