//! Words between a name and its value that say something by themselves, and what stands around a word.

/// Punctuation around a word.
pub(super) fn strip(text: &[u8], mut start: usize, mut end: usize) -> (usize, usize) {
    while start < end && crate::search::is_one!(text[start], b'(' | b'[' | b'*' | b'<' | b'{' | b',') {
        start += 1;
    }
    if text[start..end].ends_with("»".as_bytes()) || text[start..end].ends_with("”".as_bytes()) {
        end -= if text[start..end].ends_with("»".as_bytes()) { 2 } else { 3 };
    }
    while start < end
        && crate::search::is_one!(text[end - 1], b',' | b'.' | b';' | b':' | b'*' | b')' | b'}' | b'>' | b']')
    {
        let opener = match text[end - 1] {
            b')' => b'(',
            b'}' => b'{',
            b'>' => b'<',
            b']' => b'[',
            _ => 0,
        };
        if opener != 0 && text[start..end].contains(&opener) {
            break;
        }
        end -= 1;
    }
    (start, end)
}

#[rustfmt::skip]
pub(super) fn is_value_label(label: &[u8]) -> bool {
    let word = label.rsplit(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    let mut small = [0; 12];
    let Some(small) = small.get_mut(..word.len()) else { return false };
    small.copy_from_slice(word);
    small.make_ascii_lowercase();
    matches!(&*small, b"value" | b"val" | b"default" | b"content" | b"text" | b"wert" | b"valor" | b"valeur" | b"string" | b"data" | b"plaintext" | b"secret" | b"new" | b"current")
}

/// A short word in small letters.
pub(super) struct Small {
    bytes: [u8; LONGEST_SMALL],
    long: usize,
}

const LONGEST_SMALL: usize = 16;

impl Small {
    pub(super) fn of(word: &[u8]) -> Option<Self> {
        let mut bytes = [0; LONGEST_SMALL];
        bytes.get_mut(..word.len())?.copy_from_slice(word);
        bytes.make_ascii_lowercase();
        Some(Self { bytes, long: word.len() })
    }

    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.long]
    }
}

#[rustfmt::skip]
pub(super) fn is_copula(word: &Small) -> bool {
    matches!(
        word.bytes(),
        b"is" | b"it's" | b"its" | b"was" | b"to" | b"as" | b"are" | b"still" | b"remains" | b"became" | b"be" | b"now" | b"stays" | b"ist" | b"lautet"
        | b"est" | b"jest" | b"es" | b"war" | b"sind" | b"son" | b"becomes" | b"equals" | b"reads" | b"says" | b"heisst" | b"bleibt" | b"sera" | b"use"
    ) || matches!(word.bytes(), [0xC3, 0xA8 | 0xA9 | 0x88 | 0x89])
}

#[rustfmt::skip]
pub(super) fn is_particle(word: &Small) -> bool {
    matches!(
        word.bytes(),
        b"the" | b"a" | b"an" | b"and" | b"or" | b"with" | b"for" | b"of" | b"in" | b"on" | b"at" | b"by" | b"from" | b"your" | b"my" | b"our" | b"this" | b"that"
        | b"und" | b"oder" | b"mit" | b"de" | b"la" | b"le" | b"el" | b"di" | b"il" | b"der" | b"die" | b"das" | b"et" | b"y" | b"if" | b"not" | b"will" | b"has" | b"i" | b"we" | b"you"
    )
}

/// Words that name another thing of the same name: `key fingerprint`, `token count`, `password policy`.
#[rustfmt::skip]
pub(super) fn is_other(word: &Small) -> bool {
    matches!(
        word.bytes(),
        b"fingerprint" | b"fingerprints" | b"digest" | b"checksum" | b"hash" | b"hashes" | b"id" | b"ids" | b"count" | b"length" | b"size" | b"policy" | b"policies" | b"type"
        | b"usage" | b"limit" | b"limits" | b"budget" | b"expiry" | b"expires" | b"expired" | b"version" | b"manager" | b"managers" | b"field" | b"fields" | b"reset" | b"rules" | b"must"
        | b"should" | b"like" | b"such" | b"invalid" | b"missing" | b"required" | b"failed" | b"error" | b"file" | b"name" | b"path" | b"format" | b"strength" | b"rotation" | b"provider"
        | b"store" | b"storage" | b"exchange" | b"pair" | b"hashing" | b"generation" | b"management" | b"authentication" | b"support" | b"validation"
    )
}
