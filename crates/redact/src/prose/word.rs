//! One word of a sentence, without what stands around it.

pub(super) const LONGEST_WORD: usize = 512;

/// One word of a sentence, without the quotes and punctuation around it.
pub(super) struct Word {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) quoted: bool,
    pub(super) ends_sentence: bool,
    /// Where the next word may begin.
    pub(super) after: usize,
}

pub(super) fn next_word(text: &[u8], at: usize, limit: usize) -> Option<Word> {
    let mut from = at;
    while from < limit && matches!(text[from], b' ' | b'\t') {
        from += 1;
    }
    if from >= limit || matches!(text[from], b'\n' | b'\r') {
        return None;
    }
    let long = text[from..].iter().take(LONGEST_WORD).take_while(|byte| !byte.is_ascii_whitespace()).count();
    crate::work::read(from + long - at);
    if long == LONGEST_WORD {
        return None;
    }
    let (start, end) = strip(text, from, from + long);
    let quote = |at: usize| matches!(text.get(at), Some(b'`' | b'"' | b'\'' | b'*' | b'\\'));
    let quoted = start > from && quote(start - 1) && quote(end);
    let ends_sentence =
        matches!(text.get(from + long - 1), Some(b'.' | b';' | b'!' | b'?')) && end < from + long;
    let after = from + long;
    let (start, end, quoted) = if start < end { (start, end, quoted) } else { (after, after, false) };
    Some(Word { start, end, quoted, ends_sentence, after })
}

/// Quotes, brackets and punctuation around a word are not the word.
pub(super) fn strip(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end
        && crate::search::is_one!(
            text[start],
            b'\\' | b'"' | b'\'' | b'`' | b'(' | b'[' | b'*' | b':' | b'<' | b'='
        )
    {
        start += 1;
    }
    let bytes = &text[start..end];
    if !bytes.iter().any(|&byte| crate::search::is_one!(byte, b'"' | b'`' | b'\\')) {
        // As most words are.
    } else if let Some(escape) = memchr::memchr2(b'"', b'`', bytes) {
        end = start + escape;
    } else if let Some(escape) = bytes.windows(2).position(|two| two == b"\\n") {
        end = start + escape;
    }
    while start < end
        && crate::search::is_one!(
            text[end - 1],
            b'"' | b'\'' | b'`' | b')' | b']' | b'.' | b',' | b';' | b':' | b'*' | b'>' | b'?' | b'\\'
        )
    {
        end -= 1;
    }
    (start, end)
}
