//! Names whose value is a secret whatever it is.

/// Lower case, without what joins words.
pub(super) fn plain(name: &str) -> String {
    name.chars().filter(|sign| !matches!(sign, '_' | '-' | '.' | ' ')).flat_map(char::to_lowercase).collect()
}

/// The value behind a denied name: `x-internal-auth: value`, `"x_internal_auth": "value"`.
pub(super) fn field(text: &[u8], start: usize, end: usize) -> Option<(usize, usize)> {
    const LONGEST: usize = 8192;
    let inside = |at: Option<usize>| {
        at.and_then(|at| text.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    if inside(start.checked_sub(1)) || inside(Some(end)) {
        return None;
    }
    let skip = |from: usize, signs: &[u8]| {
        from + text[from..].iter().take(16).take_while(|byte| signs.contains(byte)).count()
    };
    let sign = skip(end, b"\"'\\ ");
    let sets = *text.get(sign).filter(|byte| matches!(byte, b':' | b'='))?;
    let open = skip(sign + 1, b" \t\\");
    let quote = text.get(open).copied().filter(|byte| matches!(byte, b'"' | b'\''));
    let from = open + usize::from(quote.is_some());
    let ends = |byte: &u8| match quote {
        Some(quote) => *byte == quote || *byte == b'\\' || *byte == b'\n',
        None if sets == b'=' => byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'&'),
        None => matches!(byte, b'\n' | b'\r' | b'"' | b'\'' | b'\\'),
    };
    let long =
        text[from..].iter().take(LONGEST).position(ends).unwrap_or(text.len().min(from + LONGEST) - from);
    (long > 0).then_some((from, from + long))
}
