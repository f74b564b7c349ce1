//! V9: what stands in the cells of a table that is written with commas: there `""` is a quote (RFC 4180, 2.7).
//!
//! - E1  only lines with `""` beside a word; an empty string has a comma, a bracket or a blank there

use super::{Hits, View, stretches};

/// Lines with such quotes are read together if they are no further apart.
const NEAR: usize = 1024;

/// One view for each stretch of lines with doubled quotes.
pub(crate) fn cells(text: &str, hits: &Hits) -> Vec<View> {
    stretches(text, hits, next, |bytes, end| bytes.len().min(end + NEAR), read)
}

/// The next doubled quote.
fn next(bytes: &[u8], from: usize) -> Option<usize> {
    let word = |byte: Option<&u8>| byte.is_some_and(|byte| !byte.is_ascii() || byte.is_ascii_alphanumeric());
    memchr::memmem::find_iter(&bytes[from..], b"\"\"").map(|at| from + at).find(|&at| {
        let before = at.checked_sub(1).and_then(|before| bytes.get(before));
        before != Some(&b'"') && bytes.get(at + 2) != Some(&b'"') && (word(before) || word(bytes.get(at + 2)))
    })
}

fn read(text: &str, base: usize) -> View {
    crate::work::read(text.len());
    let mut view = View::new(base, text.len());
    let mut from = 0;
    for at in memchr::memmem::find_iter(text.as_bytes(), b"\"\"") {
        view.copy(&text[from..=at], from);
        from = at + 2;
    }
    view.copy(&text[from..], from);
    view.finish(text.len())
}

#[cfg(test)]
mod tests {
    use crate::view::Hits;

    #[test]
    fn a_doubled_quote_is_one() {
        for (text, plain) in [
            ("1,\"a \"\"b\"\" c\"\n2,d\n", vec!["1,\"a \"b\" c\"\n"]),
            ("f(\"\", \"\")\n", vec![]),
            ("\"\"\"what it does\"\"\"\n", vec![]),
        ] {
            let mut hits = Hits::default();
            (0..text.len()).for_each(|at| hits.mark(at));
            let views: Vec<String> = super::cells(text, &hits).into_iter().map(|view| view.text).collect();
            assert_eq!(views, plain, "{text}");
        }
    }
}
