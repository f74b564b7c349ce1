//! The shape language of the rules, and the matcher that is anchored at a literal.
//!
//! A shape is literals, sets and runs: `gh[pousr]_{b62:36}` is `gh`, one of `pousr`, `_`, then 36 or
//! more of base 62. The last run takes everything of its class that follows (a longer token of next
//! year is still a token); `{b62:14}` before other parts is exact, `{d:8..10}` is a range.
//!
//! - S1  a shape is compiled without allocating (ours by the compiler), matched without backtracking, in one walk each way from the anchor
//! - S2  the anchor is the longest literal; what stands left of it is matched backwards
//! - S3  the class of a run and the byte after it never overlap in a rule, so greedy is right

use std::borrow::Cow;

/// A set of bytes, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Set {
    Digit,
    Hex,
    Lower36,
    Upper36,
    Base62,
    Base64,
    Base64Url,
    Word,
    Domain,
    /// What Django makes its keys of.
    Django,
    Graphic,
}

impl Set {
    /// The set that `source[from..to]` names.
    const fn named(source: &[u8], from: usize, to: usize) -> Option<Self> {
        let (_, name) = source.split_at(from);
        let (name, _) = name.split_at(to - from);
        Some(match name {
            b"d" => Self::Digit,
            b"hex" => Self::Hex,
            b"lo" => Self::Lower36,
            b"up" => Self::Upper36,
            b"b62" => Self::Base62,
            b"b64" => Self::Base64,
            b"b64u" => Self::Base64Url,
            b"w" => Self::Word,
            b"dom" => Self::Domain,
            b"django" => Self::Django,
            b"any" => Self::Graphic,
            _ => return None,
        })
    }

    /// Whether `byte` belongs to the set.
    pub(crate) fn has(self, byte: u8) -> bool {
        MEMBERS[byte as usize] >> self as u16 & 1 == 1
    }

    /// The same, for tables.
    pub(crate) const fn holds(self, byte: u8) -> bool {
        let letter_or_digit = byte.is_ascii_alphanumeric();
        match self {
            Self::Digit => byte.is_ascii_digit(),
            Self::Hex => byte.is_ascii_hexdigit(),
            Self::Lower36 => byte.is_ascii_lowercase() || byte.is_ascii_digit(),
            Self::Upper36 => byte.is_ascii_uppercase() || byte.is_ascii_digit(),
            Self::Base62 => letter_or_digit,
            Self::Base64 => letter_or_digit || matches!(byte, b'+' | b'/' | b'='),
            Self::Base64Url => letter_or_digit || matches!(byte, b'_' | b'-'),
            Self::Word => letter_or_digit || matches!(byte, b'_' | b'-' | b'.' | b'=' | b'~'),
            Self::Domain => letter_or_digit || matches!(byte, b'-' | b'.'),
            Self::Django => {
                byte.is_ascii_lowercase()
                    || byte.is_ascii_digit()
                    || matches!(
                        byte,
                        b'!' | b'@'
                            | b'#'
                            | b'$'
                            | b'%'
                            | b'^'
                            | b'&'
                            | b'*'
                            | b'('
                            | b'-'
                            | b'_'
                            | b'='
                            | b'+'
                            | b')'
                    )
            }
            Self::Graphic => {
                byte.is_ascii_graphic()
                    && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>' | b')' | b',' | b'&')
            }
        }
    }
}

const SETS: [Set; 11] = [
    Set::Digit,
    Set::Hex,
    Set::Lower36,
    Set::Upper36,
    Set::Base62,
    Set::Base64,
    Set::Base64Url,
    Set::Word,
    Set::Domain,
    Set::Django,
    Set::Graphic,
];

/// By byte: a bit for each set that it belongs to.
static MEMBERS: [u16; 256] = {
    let mut members = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut set = 0;
        while set < SETS.len() {
            #[allow(clippy::cast_possible_truncation, reason = "below 256")]
            if SETS[set].holds(byte as u8) {
                members[byte] |= 1 << SETS[set] as u16;
            }
            set += 1;
        }
        byte += 1;
    }
    members
};

/// A part: a range of the source, or a run. A run to [`OPEN`] has no end.
#[derive(Clone, Copy, Debug)]
enum Part {
    Text(u8, u8),
    OneOf(u8, u8),
    Run(Set, u16, u16),
}

/// As long as it may be.
const OPEN: u16 = u16::MAX;
/// More than any rule of ours has.
const MOST_PARTS: usize = 16;

/// Where the last run of each set was and ended: in a long run of base64 many shapes begin, and each asks again.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    ends: [(usize, usize); SETS.len()],
}

impl Runs {
    fn end(&mut self, set: Set, text: &[u8], at: usize) -> usize {
        let known = &mut self.ends[set as usize];
        if !(known.0..known.1).contains(&at) {
            *known = (at, at + run(set, &text[at..]));
        }
        known.1
    }
}

/// How many bytes of a set `text` begins with.
fn run(set: Set, text: &[u8]) -> usize {
    // Sixteen at once, as long runs go on.
    let (steps, _) = text.as_chunks::<16>();
    let all =
        |step: &[u8; 16]| step.iter().fold(1 << set as u16, |all, &byte| all & MEMBERS[byte as usize]) != 0;
    let whole = steps.iter().take_while(|step| all(step)).count() * 16;
    let long = whole + text[whole..].iter().take_while(|&&byte| set.has(byte)).count();
    crate::work::read(long);
    long
}

/// So many bytes of a set, and behind them a byte, if that is known.
#[derive(Clone, Copy)]
pub(crate) struct Follow {
    pub(crate) set: Set,
    pub(crate) count: usize,
    then: Option<u8>,
}

impl Follow {
    /// A digit.
    pub(crate) const DIGIT: Self = Self { set: Set::Digit, count: 1, then: None };

    /// Whether `rest` begins so. Most that it does not shows at its first bytes.
    pub(crate) fn begins(self, rest: &[u8]) -> bool {
        rest.get(..self.count).is_some_and(|run| run.iter().all(|&byte| self.set.has(byte)))
            && self.then.is_none_or(|then| rest.get(self.count) == Some(&then))
    }
}

/// A compiled shape.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape<'a> {
    source: &'a [u8],
    parts: [Part; MOST_PARTS],
    count: u8,
    /// Which part is looked for.
    anchor: u8,
}

impl<'a> Shape<'a> {
    /// Compiles `source`; `None` when it is not a shape, has more than 16 parts or no literal to anchor at.
    pub(crate) const fn parse(source: &'a str) -> Option<Self> {
        let source = source.as_bytes();
        let mut shape = Self { source, parts: [Part::Text(0, 0); MOST_PARTS], count: 0, anchor: 0 };
        if source.len() > u8::MAX as usize {
            return None;
        }
        let (mut at, mut longest) = (0, 0);
        while at < source.len() {
            let read = match source[at] {
                b'{' => parse_run(source, at),
                b'[' => parse_set(source, at),
                _ => Some(parse_text(source, at)),
            };
            let Some((part, after)) = read else { return None };
            if shape.count as usize == MOST_PARTS {
                return None;
            }
            if matches!(part, Part::Text(..)) && after - at > longest {
                longest = after - at;
                shape.anchor = shape.count;
            }
            shape.parts[shape.count as usize] = part;
            shape.count += 1;
            at = after;
        }
        if longest > 0 { Some(shape) } else { None }
    }

    /// What to look for in a text.
    pub(crate) fn anchor(&self) -> &'a [u8] {
        match self.parts[usize::from(self.anchor)] {
            Part::Text(from, to) | Part::OneOf(from, to) => self.bytes(from, to),
            Part::Run(..) => &[],
        }
    }

    fn bytes(&self, from: u8, to: u8) -> &'a [u8] {
        &self.source[usize::from(from)..usize::from(to)]
    }

    fn left(&self) -> &[Part] {
        &self.parts[..usize::from(self.anchor)]
    }

    fn right(&self) -> &[Part] {
        &self.parts[usize::from(self.anchor) + 1..usize::from(self.count)]
    }

    /// What to look for in a text: the anchor and the fixed parts beside it, in each of their forms, with
    /// the bytes that stand before the anchor.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (Cow<'a, [u8]>, u8)> {
        let fixed = |part: &&Part| !matches!(part, Part::Run(..));
        let left = self.left().iter().rev().take_while(fixed).count();
        let left = &self.left()[self.left().len() - left..];
        let right = self.right().iter().take_while(fixed).count();
        let right = &self.right()[..right];
        // Most are their anchor.
        let plain = left.is_empty() && right.is_empty();
        let heads = if plain { Vec::new() } else { left.iter().fold(vec![Vec::new()], self.spelling()) };
        let spelt = heads.into_iter().flat_map(move |head| {
            let lead = u8::try_from(head.len()).unwrap_or(u8::MAX);
            let start = vec![[&head[..], self.anchor()].concat()];
            let whole = right.iter().fold(start, self.spelling());
            whole.into_iter().map(move |text| (text.into(), lead))
        });
        plain.then(|| (self.anchor().into(), 0)).into_iter().chain(spelt)
    }

    /// Each text so far, followed by each form of a part.
    fn spelling(&self) -> impl Fn(Vec<Vec<u8>>, &Part) -> Vec<Vec<u8>> {
        |texts, part| {
            let follow = |text: &Vec<u8>| -> Vec<Vec<u8>> {
                match *part {
                    Part::Text(from, to) => vec![[text, self.bytes(from, to)].concat()],
                    Part::OneOf(from, to) => {
                        self.bytes(from, to).iter().map(|&byte| [&**text, &[byte]].concat()).collect()
                    }
                    Part::Run(..) => vec![text.clone()],
                }
            };
            texts.iter().flat_map(follow).collect()
        }
    }

    /// What must stand behind the literals, if they are followed by a run.
    pub(crate) fn follows(&self) -> Option<Follow> {
        let mut right = self.right().iter().skip_while(|part| !matches!(part, Part::Run(..)));
        let (set, min, max) = match right.next()? {
            Part::Run(set, min, max) if *min > 0 => (*set, *min, *max),
            _ => return None,
        };
        let then = match right.next() {
            Some(Part::Text(from, _)) if min == max => Some(self.source[usize::from(*from)]),
            _ => None,
        };
        Some(Follow { set, count: usize::from(min), then })
    }

    /// How many bytes of a match are fixed, or one of a few, in a row with the anchor.
    pub(crate) fn fixed(&self) -> usize {
        let bytes = |part: &Part| match part {
            Part::Text(from, to) => Some(usize::from(to - from)),
            Part::OneOf(..) => Some(1),
            Part::Run(..) => None,
        };
        let row = |parts: &mut dyn Iterator<Item = &Part>| parts.map_while(bytes).sum::<usize>();
        row(&mut self.left().iter().rev()) + self.anchor().len() + row(&mut self.right().iter())
    }

    /// The whole match around the anchor that was found at `at`.
    pub(crate) fn find(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        self.find_among(text, at, &mut Runs::default())
    }

    /// The same, where the ends of long runs are known from before.
    pub(crate) fn find_among(&self, text: &[u8], at: usize, runs: &mut Runs) -> Option<(usize, usize)> {
        let mut end = at + self.anchor().len();
        if text.get(at..end)? != self.anchor() {
            return None;
        }
        for (index, part) in self.right().iter().enumerate() {
            let last = index + 1 == self.right().len();
            end = self.forward(*part, text, end, last.then_some(&mut *runs))?;
        }
        let mut start = at;
        for part in self.left().iter().rev() {
            start = self.backward(*part, text, start)?;
        }
        Some((start, end))
    }

    /// The last run takes all that it may.
    fn forward(&self, part: Part, text: &[u8], at: usize, last: Option<&mut Runs>) -> Option<usize> {
        match part {
            Part::Text(from, to) => {
                let literal = self.bytes(from, to);
                text[at..].starts_with(literal).then_some(at + literal.len())
            }
            Part::OneOf(from, to) => self.bytes(from, to).contains(text.get(at)?).then_some(at + 1),
            Part::Run(set, min, max) => {
                let end = match last {
                    Some(runs) => runs.end(set, text, at),
                    None => at + run(set, &text[at..text.len().min(at.saturating_add(most(max)))]),
                };
                (end - at >= usize::from(min)).then_some(end)
            }
        }
    }

    fn backward(&self, part: Part, text: &[u8], at: usize) -> Option<usize> {
        match part {
            Part::Text(from, to) => {
                let literal = self.bytes(from, to);
                text[..at].ends_with(literal).then(|| at - literal.len())
            }
            Part::OneOf(from, to) => self.bytes(from, to).contains(text[..at].last()?).then(|| at - 1),
            Part::Run(set, min, max) => {
                let run = text[..at].iter().rev().take(most(max));
                let long = run.take_while(|&&byte| set.has(byte)).count();
                crate::work::read(long);
                (long >= usize::from(min)).then_some(at - long)
            }
        }
    }
}

fn most(max: u16) -> usize {
    if max == OPEN { usize::MAX } else { usize::from(max) }
}

/// Where the first `sign` at or behind `at` stands; `stop` if there is none before.
const fn position(source: &[u8], mut at: usize, stop: usize, sign: u8) -> usize {
    while at < stop && source[at] != sign {
        at += 1;
    }
    at
}

#[allow(clippy::cast_possible_truncation, reason = "a source has at most 255 bytes")]
const fn parse_text(source: &[u8], at: usize) -> (Part, usize) {
    let mut end = at;
    while end < source.len() && source[end] != b'{' && source[end] != b'[' {
        end += 1;
    }
    (Part::Text(at as u8, end as u8), end)
}

#[allow(clippy::cast_possible_truncation, reason = "a source has at most 255 bytes")]
const fn parse_set(source: &[u8], at: usize) -> Option<(Part, usize)> {
    let end = position(source, at, source.len(), b']');
    if end == source.len() { None } else { Some((Part::OneOf(at as u8 + 1, end as u8), end + 1)) }
}

/// `{class:min}`, `{class:min..max}` or `{class:min..}`; an exact run is both bounds.
const fn parse_run(source: &[u8], at: usize) -> Option<(Part, usize)> {
    let end = position(source, at, source.len(), b'}');
    let colon = position(source, at, end, b':');
    if end == source.len() || colon == end {
        return None;
    }
    let Some(set) = Set::named(source, at + 1, colon) else { return None };
    let dots = position(source, colon, end, b'.');
    let Some(min) = number(source, colon + 1, dots) else { return None };
    let max = if dots == end {
        Some(min)
    } else if source[dots + 1] != b'.' {
        None
    } else if dots + 2 == end {
        Some(OPEN)
    } else {
        number(source, dots + 2, end)
    };
    let Some(max) = max else { return None };
    Some((Part::Run(set, min, max), end + 1))
}

/// A number below [`OPEN`].
#[allow(clippy::cast_possible_truncation, reason = "below 65,535")]
const fn number(source: &[u8], mut at: usize, end: usize) -> Option<u16> {
    let mut number = 0;
    if at >= end {
        return None;
    }
    while at < end {
        if !source[at].is_ascii_digit() {
            return None;
        }
        number = number * 10 + (source[at] - b'0') as u32;
        if number >= OPEN as u32 {
            return None;
        }
        at += 1;
    }
    Some(number as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<'a>(shape: &str, text: &'a str) -> Option<&'a str> {
        let shape = Shape::parse(shape).expect("a shape");
        let anchor = std::str::from_utf8(shape.anchor()).expect("text");
        let (start, end) = shape.find(text.as_bytes(), text.find(anchor)?)?;
        Some(&text[start..end])
    }

    #[test]
    fn the_last_run_takes_what_follows() {
        assert_eq!(found("gh[po]_{b62:4}", "x gho_123456 y"), Some("gho_123456"));
        assert_eq!(found("gh[po]_{b62:4}", "x ghx_123456 y"), None);
        assert_eq!(found("gh[po]_{b62:4}", "ghp_12"), None);
    }

    #[test]
    fn parts_before_the_anchor_match_backwards() {
        assert_eq!(found("{b62:3}.atlas.{b62:2}", "token abc.atlas.zz!"), Some("abc.atlas.zz"));
        assert_eq!(found("{d:2..4}:AA{b62:2}", "id 12345:AAxyz"), Some("2345:AAxyz"));
    }

    #[test]
    fn nonsense_is_not_a_shape() {
        assert!(Shape::parse("{b62:3}").is_none());
        assert!(Shape::parse("abc{nope:3}").is_none());
        assert!(Shape::parse("abc{b62").is_none());
        assert!(Shape::parse("abc{b62:}").is_none());
        assert!(Shape::parse("abc{b62:1.2}").is_none());
        assert!(Shape::parse("abc{b62:65535}").is_none());
        assert!(Shape::parse("abc[de").is_none());
        assert!(Shape::parse("").is_none());
        assert!(Shape::parse(&"ab[cd]".repeat(8)).is_some());
        assert!(Shape::parse(&"ab[cd]".repeat(9)).is_none());
    }
}
