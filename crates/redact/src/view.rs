//! Other readings of a text, made only when a byte asks for them, with a way back to its offsets.
//!
//! - V1  unseen: zero-width characters and ANSI sequences removed, fullwidth and mathematical letters
//!   folded. Whole text, since a secret may be split anywhere.
//! - V2  unescaped: lines with `%XX`, `\u00XX`, `\xXX` or `&quot;`, decoded
//! - V3  decoded: runs of 24 or more base64 or hex characters that decode to printable text; a hit in
//!   one takes the whole run
//! - V4  strings: what stands in a string with escaped line breaks and quotes, as it is meant
//! - V5  lines: without what a program set before each, a number, a sign, a place, a time
//! - V6  alike: neighbours without what all of them begin with
//! - V7  shown: what a page shows, with lines where `<br>` breaks them
//! - V8  printable: what a letter says that is written for a narrow way
//! - V9  cells: what stands in a table's cells, with `"` for `""`
//! - V10 drawn: tables whose edges are drawn, with `|` for `│`
//! - V11 blocks: what stands in a block of YAML, not set in
//! - V12 attributes: what an attribute says in more lines than one
//! - V13 marked: tables as wikis and typesetters mark them up, with `|` between cells

use crate::span::Span;

mod alike;
mod attributes;
mod blocks;
mod cells;
mod decoded;
mod drawn;
mod hits;
mod lines;
mod mail;
mod marked;
mod markup;
mod strings;
pub(crate) use self::decoded::decoded;
pub(crate) use self::hits::Hits;
pub(crate) use self::lines::is_lead;
pub(crate) use self::strings::lettered;

/// All ways to read a text otherwise; what each gives stands in the order of the text. To add one, add a file and its
/// line.
pub(crate) const KINDS: [fn(&str, &Hits) -> Vec<View>; 12] = [
    |text, _| unseen(text),
    |text, _| unescaped(text),
    strings::strings,
    lines::lines,
    alike::alike,
    markup::shown,
    mail::printable,
    cells::cells,
    drawn::drawn,
    blocks::blocks,
    attributes::attributes,
    marked::marked,
];

/// A reading, and where each stretch of it came from.
pub(crate) struct View {
    pub(crate) text: String,
    /// Where a stretch begins, and where that is in the original; byte by byte it goes on as there.
    stretches: Vec<(usize, usize)>,
    end: usize,
    base: usize,
    /// What it says of a word holds, whatever the original looks like there.
    rules: Rules,
}

/// Which words of the original a reading knows better.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Rules {
    None,
    /// Words with something in them that nobody sees.
    Unseen,
    /// Keys between whose lines something else stands.
    Leads,
    /// What is no word: it begins or ends with a blank or a quote that is written otherwise, or a line ends in it.
    Blanks,
}

impl View {
    fn new(base: usize, capacity: usize) -> Self {
        let text = String::with_capacity(capacity);
        Self { text, stretches: Vec::new(), end: 0, base, rules: Rules::None }
    }

    fn ruling(self, rules: Rules) -> Self {
        Self { rules, ..self }
    }

    fn push(&mut self, sign: char, from: usize) {
        self.begin(from);
        self.text.push(sign);
    }

    /// A stretch without escapes.
    fn copy(&mut self, plain: &str, from: usize) {
        if !plain.is_empty() {
            self.begin(from);
            self.text.push_str(plain);
        }
    }

    /// What comes next stands at `from` in the original.
    fn begin(&mut self, from: usize) {
        let at = self.text.len();
        if self.stretches.last().is_none_or(|last| at - last.0 + last.1 != from) {
            self.stretches.push((at, from));
        }
    }

    fn finish(mut self, long: usize) -> Self {
        self.end = long;
        self
    }

    /// Where it begins in the original.
    pub(crate) fn starts(&self) -> usize {
        self.base
    }

    /// The ranges of the original that a range of the view came from: one, or one for each line if something else stands
    /// between them.
    pub(crate) fn origins(&self, start: usize, end: usize) -> impl Iterator<Item = (usize, usize)> {
        let ends = if self.rules == Rules::Leads { end } else { start };
        let read = &self.text.as_bytes()[start.min(self.text.len())..ends.min(self.text.len())];
        let breaks = memchr::memchr_iter(b'\n', read).map(move |at| start + at);
        let mut from = start;
        breaks.chain([end]).filter_map(move |to| {
            let line = from..to;
            from = to + 1;
            (line.start < line.end)
                .then(|| (self.base + self.place(line.start), self.base + self.place(line.end)))
        })
    }

    /// Whether what was found in `text`, the original, is to be told from this reading alone.
    pub(crate) fn knows_better(&self, text: &str, span: &Span) -> bool {
        let Span { start, end, kind, .. } = *span;
        if self.rules == Rules::None || start < self.base || end > self.base + self.end {
            return false;
        }
        let (from, cut) = self.index(start - self.base);
        let (to, _) = self.index(end - self.base);
        let (_, torn) = self.index(end - 1 - self.base);
        let read = &self.text.as_bytes()[from..to.max(from)];
        let changed = cut || torn || read.len() < end - start;
        match self.rules {
            Rules::None => false,
            // A colour holds nothing; what else a terminal is told may.
            Rules::Unseen => {
                changed && kind != "url_password" && has_colours_alone(text.as_bytes(), start, end)
            }
            Rules::Leads => kind == "private_key" && read.is_empty(),
            // An address keeps what is written otherwise in its password, and so does a word between its own quotes:
            // `"\u003cTq9"`.
            Rules::Blanks => {
                changed
                    && kind != "url_password"
                    && !is_quoted(text.as_bytes(), start, end)
                    && (cut || is_no_word(read))
            }
        }
    }

    /// Where a place of the original is in the reading, and whether it is in the middle of what is one sign there.
    fn index(&self, place: usize) -> (usize, bool) {
        let next = self.stretches.partition_point(|stretch| stretch.1 <= place);
        let (limit, past) = self.stretches.get(next).copied().unwrap_or((self.text.len(), self.end));
        let (at, from) = next.checked_sub(1).map_or((0, place), |last| self.stretches[last]);
        let index = at + place - from;
        (index.min(limit), index >= limit && place < past)
    }

    /// Where the character at `index` stood.
    fn place(&self, index: usize) -> usize {
        if index >= self.text.len() {
            return self.end;
        }
        let index = self.text.floor_char_boundary(index);
        let next = self.stretches.partition_point(|stretch| stretch.0 <= index);
        next.checked_sub(1).map_or(0, |last| self.stretches[last].1 + index - self.stretches[last].0)
    }
}

fn is_quoted(text: &[u8], start: usize, end: usize) -> bool {
    let before = start.checked_sub(1).map(|at| text[at]).filter(|byte| matches!(byte, b'"' | b'\''));
    before.is_some() && before == text.get(end).copied()
}

/// Whether each escape that begins in the range is a colour, `␛[1;32m`.
fn has_colours_alone(text: &[u8], start: usize, end: usize) -> bool {
    memchr::memchr_iter(0x1B, &text[start..end]).all(|at| {
        let Some(rest) = text[start + at + 1..].strip_prefix(b"[") else { return false };
        let long = rest.iter().take(12).take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
        matches!(rest.get(long), Some(b'm' | b'K'))
    })
}

/// Whether a value would begin or end with a blank, a quote or a bracket, or begin with what joins it to its name; or has
/// a line's end or more than a few blanks inside.
fn is_no_word(read: &[u8]) -> bool {
    let sign = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b'"' | b'\'' | b'<' | b'>');
    let joint = |byte: &u8| matches!(byte, b']' | b')' | b'}' | b'=' | b':' | b',' | b'/');
    read.first().is_some_and(|byte| sign(byte) || joint(byte))
        || read.last().is_some_and(sign)
        || read.contains(&b'\n')
        || is_said(read)
}

/// Whether most of it is small words: a `+` of base 64 is a blank in a form as well.
fn is_said(read: &[u8]) -> bool {
    let words = read.split(|&byte| byte == b' ');
    let small = words.clone().filter(|word| !word.is_empty() && word.iter().all(u8::is_ascii_lowercase));
    words.count() > 4 && small.count() >= 3
}

fn is_unseen(sign: char) -> bool {
    matches!(sign, '\u{AD}' | '\u{34F}' | '\u{61C}' | '\u{180E}' | '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206F}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}' | '\u{E0000}'..='\u{E007F}')
}

/// By the first bytes of a character; a few more characters than `is_unseen` and `folded` know.
fn begins_unseen(rest: &[u8]) -> bool {
    matches!(
        rest,
        [0x1B, ..]
            | [0xC2, 0xAD, ..]
            | [0xCD, 0x8F, ..]
            | [0xD8, 0x9C, ..]
            | [0xE1, 0xA0, 0x8E, ..]
            | [0xE2, 0x80, 0x8B..=0x8F | 0xAA..=0xAE, ..]
            | [0xE2, 0x81, 0xA0..=0xAF, ..]
            | [0xEF, 0xB8, 0x80..=0x8F, ..]
            | [0xEF, 0xBB, 0xBF, ..]
            | [0xEF, 0xBC | 0xBD, ..]
            | [0xF0, 0x9D, 0x90..=0x9F, ..]
            | [0xF3, 0xA0, ..]
    )
}

/// Fullwidth and mathematical letters and digits, as ASCII.
fn folded(sign: char) -> Option<char> {
    let code = u32::from(sign);
    let ascii = |code: u32| char::from_u32(code);
    match code {
        0xFF01..=0xFF5E => ascii(code - 0xFF01 + 0x21),
        0x1D400..=0x1D6A3 => {
            let place = (code - 0x1D400) % 52;
            ascii(if place < 26 { 0x41 + place } else { 0x61 + place - 26 })
        }
        0x1D7CE..=0x1D7FF => ascii(0x30 + (code - 0x1D7CE) % 10),
        _ => None,
    }
}

/// How far around what is unseen a text is read again, so that names and values stay together.
const AROUND: usize = 4096;

/// V1: one view for each stretch of the text that has anything of it.
pub(crate) fn unseen(text: &str) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    // Most texts are plain ASCII.
    if bytes.is_ascii() && memchr::memchr(0x1B, bytes).is_none() {
        return views;
    }
    let mut from = 0;
    while let Some(first) = next_unseen(bytes, from) {
        let start = stretch_start(text, from, first);
        let mut end = first;
        while let Some(next) = next_unseen(&bytes[..bytes.len().min(end + 2 * AROUND)], end + 1) {
            end = next;
        }
        end = text.ceil_char_boundary(
            line_end(bytes, bytes.len().min(end + AROUND)).min(bytes.len().min(end + 2 * AROUND)),
        );
        views.push(see(&text[start..end], start).ruling(Rules::Unseen));
        from = end;
    }
    views
}

/// A line's start before `at`, or simply a place before it.
fn stretch_start(text: &str, from: usize, at: usize) -> usize {
    let least = text.floor_char_boundary(from.max(at.saturating_sub(AROUND)));
    if least == from {
        return from;
    }
    memchr::memchr(b'\n', &text.as_bytes()[least..at]).map_or(least, |line| least + line + 1)
}

fn next_unseen(bytes: &[u8], from: usize) -> Option<usize> {
    const STEP: usize = 64;
    let rest = &bytes[from.min(bytes.len())..];
    let (steps, last) = rest.as_chunks::<STEP>();
    // Most steps are plain ASCII and cost next to nothing.
    // Without a branch a byte: this is the one look that every text gets besides the literals'.
    let strange = |here: &[u8]| here.iter().any(|&byte| byte & 0x80 != 0 || byte == 0x1B);
    let strange_step =
        |here: &[u8; STEP]| here.as_chunks().0.iter().fold(0, |any, eight| any | marks(*eight)) != 0;
    let begins = |at: usize| (at..rest.len().min(at + STEP)).find(|&at| begins_unseen(&rest[at..]));
    let found = steps
        .iter()
        .enumerate()
        .find_map(|(step, here)| if strange_step(here) { begins(step * STEP) } else { None });
    found.or_else(|| if strange(last) { begins(steps.len() * STEP) } else { None }).map(|at| from + at)
}

/// Eight bytes as one number: not zero if one of them is not ASCII, or begins an ANSI sequence.
fn marks(eight: [u8; 8]) -> u64 {
    let bytes = u64::from_ne_bytes(eight);
    let high = u64::from_ne_bytes([0x80; 8]);
    // Only the place of an escape is zero, and only there taking one away sets the highest bit first.
    let escapes = bytes ^ u64::from_ne_bytes([0x1B; 8]);
    (escapes.wrapping_sub(u64::from_ne_bytes([1; 8])) & !escapes | bytes) & high
}

fn see(text: &str, base: usize) -> View {
    crate::work::read(text.len());
    let mut view = View::new(base, text.len());
    let mut at = 0;
    while let Some(sign) = text[at..].chars().next() {
        if sign == '\u{1B}' {
            at += 1 + ansi(&text[at + 1..]);
        } else if sign.is_ascii() {
            let plain = plain(&text.as_bytes()[at..]);
            view.copy(&text[at..at + plain], at);
            at += plain;
        } else {
            if !is_unseen(sign) {
                view.push(folded(sign).unwrap_or(sign), at);
            }
            at += sign.len_utf8();
        }
    }
    view.finish(text.len())
}

/// How many bytes are plain ASCII before anything that may be unseen.
fn plain(bytes: &[u8]) -> usize {
    let eights = bytes.as_chunks().0.iter().take_while(|eight| marks(**eight) == 0).count() * 8;
    eights + bytes[eights..].iter().take_while(|&&byte| byte < 0x80 && byte != 0x1B).count()
}

/// How long the sequence is that an escape begins: `[ … letter`, `] … BEL`, or one character.
fn ansi(rest: &str) -> usize {
    let one = |at: usize| rest[at..].chars().next();
    let body = |goes_on: fn(&u8) -> bool| 1 + rest.bytes().skip(1).take_while(goes_on).count();
    let end = match one(0) {
        Some('[') => body(|byte| byte.is_ascii_graphic() && !byte.is_ascii_alphabetic()),
        Some(']') => body(|byte| !matches!(byte, b'\x07' | b'\n')),
        other => return other.map_or(0, char::len_utf8),
    };
    end + one(end).filter(|&sign| sign != '\n').map_or(0, char::len_utf8)
}

/// V2: one view for each stretch of lines that has escapes.
pub(crate) fn unescaped(text: &str) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut from = 0;
    while let Some(at) = next_escape(bytes, from) {
        let line = memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |line| from + line + 1);
        // The name may stand on the line above.
        let above = &bytes[from..line.saturating_sub(1).max(from)];
        let start = memchr::memrchr(b'\n', above).map_or(from, |line| from + line + 1);
        let start = if line - start <= AROUND { start } else { line };
        let mut end = line_end(bytes, at);
        // Neighbours go together: one view for a stretch, not one a line.
        while next_escape(&bytes[..line_end(bytes, end)], end).is_some() {
            end = line_end(bytes, end);
        }
        views.push(unescape(&text[start..end], start).ruling(Rules::Blanks));
        from = end;
    }
    views
}

/// One view for each stretch of lines with a sign that `next` finds, each no further than `reach` from the one before.
fn stretches(
    text: &str,
    hits: &Hits,
    next: fn(&[u8], usize) -> Option<usize>,
    reach: fn(&[u8], usize) -> usize,
    read: fn(&str, usize) -> View,
) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut from = 0;
    while let Some(at) = next(bytes, from) {
        let start = memchr::memrchr(b'\n', &bytes[from..at]).map_or(from, |line| from + line + 1);
        let mut end = line_end(bytes, at);
        while let Some(more) = next(&bytes[..reach(bytes, end)], end) {
            end = line_end(bytes, more);
        }
        if hits.any(start, end) {
            views.push(read(&text[start..end], start));
        }
        from = end;
    }
    views
}

/// Past the line that holds `at`.
fn line_end(bytes: &[u8], at: usize) -> usize {
    memchr::memchr(b'\n', &bytes[at..]).map_or(bytes.len(), |line| at + line + 1)
}

fn next_escape(bytes: &[u8], from: usize) -> Option<usize> {
    memchr::memchr3_iter(b'%', b'\\', b'&', &bytes[from..])
        .map(|at| from + at)
        .find(|&at| escape_at(&bytes[at..]).is_some() || mail::letter(&bytes[at..], b'%').is_some())
}

/// The character that an escape stands for, and its length.
fn escape_at(rest: &[u8]) -> Option<(char, usize)> {
    let hex = |from: usize| -> Option<u32> {
        let digit = |at: usize| rest.get(at).and_then(|&byte| char::from(byte).to_digit(16));
        Some(digit(from)? * 16 + digit(from + 1)?)
    };
    let (code, long) = match rest {
        [b'%', b'0', b'A' | b'a', ..] => return Some(('\n', 3)),
        [b'%', b'0', b'D' | b'd', ..] => return Some(('\r', 3)),
        [b'%', b'0', b'9', ..] => return Some(('\t', 3)),
        [b'%', ..] => (hex(1)?, 3),
        [b'\\', b'u', b'0', b'0', ..] => (hex(4)?, 6),
        [b'\\', b'x', ..] => (hex(2)?, 4),
        [b'&', b'q', b'u', b'o', b't', b';', ..] => (0x22, 6),
        [b'&', b'a', b'p', b'o', b's', b';', ..] => (0x27, 6),
        [b'&', b'a', b'm', b'p', b';', ..] => (0x26, 5),
        [b'&', b'l', b't', b';', ..] => (0x3C, 4),
        [b'&', b'g', b't', b';', ..] => (0x3E, 4),
        [b'&', b'#', b'1', b'0', b';', ..] | [b'&', b'#', b'x', b'A' | b'a', b';', ..] => {
            return Some(('\n', 5));
        }
        [b'&', b'#', b'1', b'3', b';', ..] => return Some(('\r', 5)),
        [b'&', b'#', b'9', b';', ..] => return Some(('\t', 4)),
        [b'&', b'#', b'x', ..] if rest.get(5) == Some(&b';') => (hex(3)?, 6),
        [b'&', b'#', b'3', b'9', b';', ..] => (0x27, 5),
        [b'&', b'#', b'3', b'4', b';', ..] => (0x22, 5),
        [b'&', first, ..] if first.is_ascii_alphabetic() => return entity(rest),
        _ => return None,
    };
    (0x20..0x7F).contains(&code).then(|| char::from_u32(code)).flatten().map(|sign| (sign, long))
}

/// `&nbsp;`, `&auml;`: letters and signs that pages have by name.
fn entity(rest: &[u8]) -> Option<(char, usize)> {
    #[rustfmt::skip]
    const NAMES: [(&[u8], char); 44] = [
        (b"nbsp", ' '), (b"auml", 'ä'), (b"ouml", 'ö'), (b"uuml", 'ü'), (b"Auml", 'Ä'), (b"Ouml", 'Ö'), (b"Uuml", 'Ü'), (b"szlig", 'ß'),
        (b"eacute", 'é'), (b"egrave", 'è'), (b"ecirc", 'ê'), (b"agrave", 'à'), (b"aacute", 'á'), (b"acirc", 'â'), (b"atilde", 'ã'), (b"aring", 'å'),
        (b"aelig", 'æ'), (b"oslash", 'ø'), (b"ccedil", 'ç'), (b"iacute", 'í'), (b"igrave", 'ì'), (b"icirc", 'î'), (b"ntilde", 'ñ'), (b"oacute", 'ó'),
        (b"ograve", 'ò'), (b"ocirc", 'ô'), (b"otilde", 'õ'), (b"uacute", 'ú'), (b"ugrave", 'ù'), (b"ucirc", 'û'), (b"ldquo", '“'), (b"rdquo", '”'),
        (b"bdquo", '„'), (b"laquo", '«'), (b"raquo", '»'), (b"lsquo", '‘'), (b"rsquo", '’'), (b"ndash", '–'), (b"mdash", '—'), (b"hellip", '…'),
        (b"rarr", '→'), (b"euro", '€'), (b"middot", '·'), (b"bull", '•'),
    ];
    let window = &rest[1..rest.len().min(9)];
    let name = &window[..memchr::memchr(b';', window)?];
    NAMES.iter().find(|(own, _)| *own == name).map(|(_, sign)| (*sign, name.len() + 2))
}

fn unescape(line: &str, base: usize) -> View {
    crate::work::read(line.len());
    let bytes = line.as_bytes();
    let mut view = View::new(base, line.len());
    let (mut at, mut run, mut form) = (0, 0, false);
    while at < bytes.len() {
        if at >= run {
            run = memchr::memchr3(b' ', b'\n', b'\t', &bytes[at..]).map_or(bytes.len(), |long| at + long + 1);
            form = is_form(&bytes[at..run]);
        }
        let sign = bytes[at];
        if !crate::search::is_one!(sign, b'%' | b'\\' | b'&' | b'+') {
            let here = &bytes[at..run];
            let plain = memchr::memchr3(b'%', b'\\', b'&', here).unwrap_or(here.len());
            let plain = if form { memchr::memchr(b'+', &here[..plain]).unwrap_or(plain) } else { plain };
            view.copy(&line[at..at + plain], at);
            at += plain;
            continue;
        }
        let letter = || if sign == b'%' { mail::letter(&bytes[at..], b'%') } else { None };
        // Escapes often stand in a row.
        let (read, long) = escape_at(&bytes[at..]).or_else(letter).unwrap_or(match sign {
            b'+' if form => (' ', 1),
            b'&' if form => ('\n', 1),
            _ => (char::from(sign), 1),
        });
        view.push(read, at);
        at += long;
    }
    view.finish(line.len())
}

/// Whether a run is what a form sends: `body=a%3A+b%0Ac&id=4`.
fn is_form(run: &[u8]) -> bool {
    let blanks = || memchr::memchr_iter(b'%', run).filter(|&at| is_blank(&run[at..])).count();
    memchr::memchr(b'%', run).is_some()
        && (memchr::memchr_iter(b'+', run).count() + blanks() > 1 && memchr::memchr(b'=', run).is_some())
}

/// `%20`, `%0A`.
fn is_blank(rest: &[u8]) -> bool {
    [&b"%20"[..], b"%0A", b"%0a"].iter().any(|blank| rest.starts_with(blank))
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_is_written_otherwise_is_judged_as_it_is_meant() {
        for text in [
            "\u{1b}[32mpassword: changeme\u{1b}[0m\n",
            "body=the%20password%20policy%20changed.%20It%20has%2014%20signs%20now&id=4",
            "body=the+password+policy+changed.+It+has+14+signs+now%0A&id=4",
            "<a text=\"newPassword: string;&#10;confirmPassword: string;\"/>",
            "secret=%24%7BSECRET%7D&scope=read%20write",
            "<p>Kennwort:&nbsp;mind.&nbsp;14&nbsp;Zeichen</p>",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_an_address_has_in_its_password_stays_a_part_of_it() {
        assert_eq!(found("smb://scan:three%20dry%20figs@10.20.0.5/a"), ["three%20dry%20figs"]);
        assert_eq!(found("body=password%3A+otter%0Auser%3A+ann&id=4"), ["otter"]);
        // What a reading loses stays as it was found.
        assert_eq!(found("password: Sec\u{1b}]ret4!Otter\n"), ["Sec\u{1b}]ret4!Otter"]);
        let kept = found("pw is<br>password: Sec<ret4!Otter>x<br>\n");
        assert!(kept.len() == 1 && kept[0].starts_with("Sec<ret4!Otter>x"), "{kept:?}");
        assert_eq!(found("no quoted-printable here\nA=b\nPASSWORD=C0ffee!9Otter\n"), ["C0ffee!9Otter"]);
        let token = "kQ7+xVw2Tz+RnLb9+YmJc4dP+sHuE0f+GiOaKx1rNyBg83U5hE8lQz%3D";
        assert_eq!(found(&format!("token={token}&a=%20b\n")), [token]);
        let escaped = "\\u003cTq9\\u0026vL2\\u003ewXz7";
        assert_eq!(found(&format!("    \"password\": \"{escaped}\",\n")), [escaped]);
    }
}
