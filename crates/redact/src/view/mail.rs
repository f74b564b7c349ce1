//! V8: what a letter says. On its way each `=` of it is `=3D`, each `é` is `=C3=A9`, and a line of more than 76 signs is
//! broken behind a `=` (RFC 2045, 6.7).
//!
//! - Q1  only behind the header that says so, to the end of the text or the next part's, as far as a stream looks back
//! - Q2  what is no UTF-8 is Latin-1

use super::{Hits, Rules, View};

/// What a header calls it.
const NAME: &[u8] = b"uoted-printable";

const LONGEST: usize = 32 << 10;

/// One view for each part of a letter that is written so.
pub(crate) fn printable(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&bytes[from..], NAME).map(|at| from + at + NAME.len()) {
        let most = text.floor_char_boundary(at + LONGEST);
        let end = memchr::memmem::find(&bytes[at..most], NAME).map_or(most, |next| at + next);
        let end = at + written_so(&bytes[at..end]);
        crate::work::read(end - at);
        let soft = |sign: usize| matches!(bytes.get(sign + 1), Some(b'\n' | b'\r'));
        crate::work::read(end - at);
        let escaped = memchr::memchr_iter(b'=', &bytes[at..end])
            .any(|sign| soft(at + sign) || escape(&bytes[at + sign..end], b'=').is_some());
        if escaped && hits.any(at, end) {
            views.push(read(&text[at..end], at).ruling(Rules::Unseen));
        }
        from = end;
    }
    views
}

/// How far a part is written so: up to the line in which a `=` is none of it, or the next part.
fn written_so(part: &[u8]) -> usize {
    let sign = |at: &usize| {
        let rest = &part[*at..];
        let upper = !rest[1..rest.len().min(3)].iter().any(u8::is_ascii_lowercase);
        !(upper && escape(rest, b'=').is_some() || matches!(rest.get(1), None | Some(b'\n' | b'\r')))
    };
    let other = memchr::memchr_iter(b'=', part).find(sign).unwrap_or(part.len());
    let next = memchr::memmem::find(&part[..other], b"\n--").map(|at| at + 1);
    let line = memchr::memrchr(b'\n', &part[..other]).map_or(0, |at| at + 1);
    next.unwrap_or(if other < part.len() { line } else { other })
}

fn read(text: &str, base: usize) -> View {
    crate::work::read(text.len());
    let bytes = text.as_bytes();
    let mut view = View::new(base, text.len());
    let mut at = 0;
    while at < bytes.len() {
        let stop = memchr::memchr(b'=', &bytes[at..]).map_or(bytes.len(), |long| at + long);
        view.copy(&text[at..stop], at);
        at = stop;
        match bytes.get(at + 1..) {
            None => view.copy(&text[at..], at),
            Some([b'\n', ..]) => {
                at += 2;
                continue;
            }
            Some([b'\r', b'\n', ..]) => {
                at += 3;
                continue;
            }
            Some(_) => {
                let latin = || {
                    escape(&bytes[at..], b'=').filter(|byte| *byte >= 0xA0).map(|byte| (char::from(byte), 3))
                };
                let (sign, long) = letter(&bytes[at..], b'=').or_else(latin).unwrap_or(('=', 1));
                view.push(sign, at);
                at += long;
                continue;
            }
        }
        break;
    }
    view.finish(text.len())
}

/// The character that escapes in a row stand for, each behind `sign`, and how long they are.
pub(super) fn letter(rest: &[u8], sign: u8) -> Option<(char, usize)> {
    const ESCAPE: usize = 3;
    let long = match escape(rest, sign)? {
        0..0x80 => 1,
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        _ => 4,
    };
    let mut letter = [0; 4];
    for (place, byte) in letter.iter_mut().enumerate().take(long) {
        *byte = escape(rest.get(place * ESCAPE..)?, sign)?;
    }
    let letter = std::str::from_utf8(&letter[..long]).ok()?.chars().next()?;
    Some((letter, long * ESCAPE)).filter(|_| !letter.is_control())
}

/// `=3D`, `%3D`.
fn escape(rest: &[u8], sign: u8) -> Option<u8> {
    let [first, high, low, ..] = rest else { return None };
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if *first == sign { Some(digit(*high)? << 4 | digit(*low)?) } else { None }
}

#[cfg(test)]
mod tests {
    use crate::view::Hits;

    #[test]
    fn a_letter_is_read_as_it_was_written() {
        let head = "Content-Transfer-Encoding: quoted-printable";
        for (text, plain) in [
            ("\n\npassword=3Dx", "\n\npassword=x"),
            ("\nlong=\nword =C3=A9 =E2=82=AC", "\nlongword é €"),
            ("\na =3D b =\r\nc =E8 =", "\na = b c è ="),
            ("\na =3D b\nc=d\n=3D", "\na = b\n"),
            ("\na =3D b\n--part\n=3D", "\na = b\n"),
        ] {
            let text = format!("{head}{text}");
            let mut hits = Hits::default();
            (0..text.len()).for_each(|at| hits.mark(at));
            let views: Vec<String> =
                super::printable(&text, &hits).into_iter().map(|view| view.text).collect();
            assert_eq!(views, [plain], "{text}");
        }
        assert!(super::printable("quoted-printable text has no = in it", &Hits::default()).is_empty());
    }
}
