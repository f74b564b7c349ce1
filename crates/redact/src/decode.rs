//! Decoders that take what is there: both alphabets of base64, with or without padding; hex.

const NONE: u8 = 0xFF;

/// What each byte stands for in base64.
const SEXTETS: [u8; 256] = {
    let mut table = [NONE; 256];
    let mut place = 0_u8;
    while place < 26 {
        table[(b'A' + place) as usize] = place;
        table[(b'a' + place) as usize] = place + 26;
        place += 1;
    }
    let mut digit = 0_u8;
    while digit < 10 {
        table[(b'0' + digit) as usize] = digit + 52;
        digit += 1;
    }
    table[b'+' as usize] = 62;
    table[b'-' as usize] = 62;
    table[b'/' as usize] = 63;
    table[b'_' as usize] = 63;
    table
};

fn sextet(byte: u8) -> Option<u8> {
    let sextet = SEXTETS[usize::from(byte)];
    (sextet != NONE).then_some(sextet)
}

/// Whether a byte may stand in a text.
pub(crate) fn is_printable(byte: u8) -> bool {
    (0x20..0x7F).contains(&byte) || matches!(byte, b'\n' | b'\r' | b'\t')
}

/// Whether the first 16 characters of `run` are the base64 of text: most runs show at once that they are not.
pub(crate) fn begins_printable(run: &[u8]) -> bool {
    run[..run.len().min(16)].chunks_exact(4).all(|group| {
        let word = group.iter().try_fold(0_u32, |word, &byte| Some(word << 6 | u32::from(sextet(byte)?)));
        word.is_some_and(|word| word.to_be_bytes()[1..].iter().all(|&byte| is_printable(byte)))
    })
}

/// Whether the first four bytes may be base64: most texts show at once that they are none.
pub(crate) fn begins_base64(text: &[u8]) -> bool {
    text.iter().take(4).all(|&byte| sextet(byte).is_some())
}

/// The bytes of a base64 text; `None` if it is not one.
pub(crate) fn base64(text: &[u8]) -> Option<Vec<u8>> {
    crate::work::read(text.len());
    let pads = text.iter().rev().take(2).take_while(|&&byte| byte == b'=').count();
    let body = &text[..text.len() - pads];
    if body.len() % 4 == 1 {
        return None;
    }
    let mut bytes = Vec::with_capacity(body.len() / 4 * 3 + 3);
    for group in body.chunks(4) {
        let mut word = 0_u32;
        for &byte in group {
            word = word << 6 | u32::from(sextet(byte)?);
        }
        word <<= 6 * (4 - group.len());
        bytes.extend_from_slice(&word.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}

/// The bytes of a hex text.
pub(crate) fn hex(text: &[u8]) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if !text.len().is_multiple_of(2) {
        return None;
    }
    text.chunks(2).map(|two| Some(digit(two[0])? << 4 | digit(two[1])?)).collect()
}

/// Whether `bytes` begin like a file that a text scanner has no business in: images, PDF, archives.
pub(crate) fn is_known_magic(bytes: &[u8]) -> bool {
    let starts: [&[u8]; 14] = [
        b"\x89PNG",
        b"\xFF\xD8\xFF",
        b"GIF8",
        b"%PDF",
        b"PK\x03\x04",
        b"\x1F\x8B",
        b"OggS",
        b"ID3",
        b"fLaC",
        b"\x00asm",
        b"BZh",
        b"\xFD7zXZ",
        b"wOF2",
        b"wOFF",
    ];
    let riff = bytes.starts_with(b"RIFF")
        && bytes.get(8..12).is_some_and(|form| matches!(form, b"WEBP" | b"WAVE" | b"AVI "));
    let media = bytes.get(4..8) == Some(b"ftyp");
    riff || media || starts.iter().any(|start| bytes.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_in_both_alphabets() {
        assert_eq!(base64(b"dXNlcjpwYXNz").as_deref(), Some(&b"user:pass"[..]));
        assert_eq!(base64(b"dXNlcjpwYXM=").as_deref(), Some(&b"user:pas"[..]));
        assert_eq!(base64(b"_-8").as_deref(), Some(&[0xFF, 0xEF][..]));
        assert_eq!(base64(b"abcde"), None);
        assert_eq!(base64(b"ab!d"), None);
    }

    #[test]
    fn hex_is_hex() {
        assert_eq!(hex(b"6869").as_deref(), Some(&b"hi"[..]));
        assert_eq!(hex(b"686"), None);
    }
}
