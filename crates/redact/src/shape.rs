//! The shape language of the rules, and the matcher that is anchored at a literal.
//!
//! A shape is literals, sets and runs: `gh[pousr]_{b62:36}` is `gh`, one of `pousr`, `_`, then 36 or
//! more of base 62. The last run takes everything of its class that follows (a longer token of next
//! year is still a token); `{b62:14}` before other parts is exact, `{d:8..10}` is a range.
//!
//! - S1  a shape is compiled once, matched without backtracking, in one walk each way from the anchor
//! - S2  the anchor is the longest literal; what stands left of it is matched backwards
//! - S3  the class of a run and the byte after it never overlap in a rule, so greedy is right

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
    Graphic,
}

impl Set {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "d" => Self::Digit,
            "hex" => Self::Hex,
            "lo" => Self::Lower36,
            "up" => Self::Upper36,
            "b62" => Self::Base62,
            "b64" => Self::Base64,
            "b64u" => Self::Base64Url,
            "w" => Self::Word,
            "dom" => Self::Domain,
            "any" => Self::Graphic,
            _ => return None,
        })
    }

    /// Whether `byte` belongs to the set.
    pub(crate) fn has(self, byte: u8) -> bool {
        MEMBERS[byte as usize] >> self as u16 & 1 == 1
    }

    const fn holds(self, byte: u8) -> bool {
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
            Self::Graphic => {
                byte.is_ascii_graphic()
                    && !matches!(byte, b'"' | b'\'' | b'`' | b'\\' | b'<' | b'>' | b')' | b',' | b'&')
            }
        }
    }
}

const SETS: [Set; 10] = [
    Set::Digit,
    Set::Hex,
    Set::Lower36,
    Set::Upper36,
    Set::Base62,
    Set::Base64,
    Set::Base64Url,
    Set::Word,
    Set::Domain,
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

#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    Text(Box<[u8]>),
    OneOf(Box<[u8]>),
    Run(Set, usize, usize),
}

/// A compiled shape.
#[derive(Debug)]
pub(crate) struct Shape {
    left: Vec<Part>,
    anchor: Box<[u8]>,
    right: Vec<Part>,
}

impl Shape {
    /// Compiles `source`; `None` when it is not a shape or has no literal to anchor at.
    pub(crate) fn parse(source: &str) -> Option<Self> {
        let mut parts = parse_parts(source)?;
        let anchor_at = (0..parts.len()).filter(|&at| matches!(parts[at], Part::Text(_))).max_by_key(
            |&at| match &parts[at] {
                Part::Text(text) => (text.len(), usize::MAX - at),
                _ => (0, 0),
            },
        )?;
        let right = parts.split_off(anchor_at + 1);
        let Some(Part::Text(anchor)) = parts.pop() else { return None };
        Some(Self { left: parts, anchor, right })
    }

    /// What to look for in a text.
    pub(crate) fn anchor(&self) -> &[u8] {
        &self.anchor
    }

    /// What to look for in a text: the anchor and the fixed parts beside it, in each of their forms, with
    /// the bytes that stand before the anchor.
    pub(crate) fn literals(&self) -> impl Iterator<Item = (Vec<u8>, u8)> {
        let fixed = |part: &&Part| !matches!(part, Part::Run(..));
        let left: Vec<&Part> = self.left.iter().rev().take_while(fixed).collect();
        let heads = left.into_iter().rev().fold(vec![Vec::new()], spell);
        heads.into_iter().flat_map(move |head| {
            let lead = u8::try_from(head.len()).unwrap_or(u8::MAX);
            let start = vec![[&head[..], &self.anchor].concat()];
            let whole = self.right.iter().take_while(fixed).fold(start, spell);
            whole.into_iter().map(move |text| (text, lead))
        })
    }

    /// The set of the byte behind the fixed parts, if one must follow.
    pub(crate) fn follows(&self) -> Option<Set> {
        self.right
            .iter()
            .find_map(|part| match part {
                Part::Run(set, min, _) => Some((*set, *min)),
                _ => None,
            })
            .filter(|run| run.1 > 0)
            .map(|run| run.0)
    }

    /// How many bytes of a match are fixed, or one of a few, in a row with the anchor.
    pub(crate) fn fixed(&self) -> usize {
        let bytes = |part: &Part| match part {
            Part::Text(literal) => Some(literal.len()),
            Part::OneOf(_) => Some(1),
            Part::Run(..) => None,
        };
        let row = |parts: &mut dyn Iterator<Item = &Part>| parts.map_while(bytes).sum::<usize>();
        row(&mut self.left.iter().rev()) + self.anchor.len() + row(&mut self.right.iter())
    }

    /// The whole match around the anchor that was found at `at`.
    pub(crate) fn find(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        self.find_among(text, at, &mut Runs::default())
    }

    /// The same, where the ends of long runs are known from before.
    pub(crate) fn find_among(&self, text: &[u8], at: usize, runs: &mut Runs) -> Option<(usize, usize)> {
        let mut end = at + self.anchor.len();
        if text.get(at..end)? != &*self.anchor {
            return None;
        }
        for (index, part) in self.right.iter().enumerate() {
            let last = index + 1 == self.right.len();
            end = forward(part, text, end, last.then_some(&mut *runs))?;
        }
        let mut start = at;
        for part in self.left.iter().rev() {
            start = backward(part, text, start)?;
        }
        Some((start, end))
    }
}

/// Each of `texts`, followed by each form of `part`.
#[allow(clippy::needless_pass_by_value, reason = "the step of a fold")]
fn spell(texts: Vec<Vec<u8>>, part: &Part) -> Vec<Vec<u8>> {
    let follow = |text: &Vec<u8>| -> Vec<Vec<u8>> {
        match part {
            Part::Text(literal) => vec![[text, &**literal].concat()],
            Part::OneOf(set) => set.iter().map(|&byte| [&**text, &[byte]].concat()).collect(),
            Part::Run(..) => vec![text.clone()],
        }
    };
    texts.iter().flat_map(follow).collect()
}

/// Where the last run of each set was and ended: in a long run of base64 many shapes begin, and each asks again.
#[derive(Debug, Default)]
pub(crate) struct Runs {
    ends: [(usize, usize); SETS.len()],
}

impl Runs {
    fn end(&mut self, set: Set, text: &[u8], at: usize) -> usize {
        let known = &mut self.ends[set as usize];
        if !(known.0..known.1).contains(&at) {
            let long = text[at..].iter().take_while(|&&byte| set.has(byte)).count();
            crate::work::read(long);
            *known = (at, at + long);
        }
        known.1
    }
}

/// The last run takes all that it may.
fn forward(part: &Part, text: &[u8], at: usize, last: Option<&mut Runs>) -> Option<usize> {
    match part {
        Part::Text(literal) => text[at..].starts_with(literal).then_some(at + literal.len()),
        Part::OneOf(set) => set.contains(text.get(at)?).then_some(at + 1),
        Part::Run(set, min, max) => {
            let end = last.map_or_else(
                || {
                    let long = text[at..].iter().take(*max).take_while(|&&byte| set.has(byte)).count();
                    crate::work::read(long);
                    at + long
                },
                |runs| runs.end(*set, text, at),
            );
            (end - at >= *min).then_some(end)
        }
    }
}

fn backward(part: &Part, text: &[u8], at: usize) -> Option<usize> {
    match part {
        Part::Text(literal) => text[..at].ends_with(literal).then(|| at - literal.len()),
        Part::OneOf(set) => set.contains(text[..at].last()?).then(|| at - 1),
        Part::Run(set, min, max) => {
            let long = text[..at].iter().rev().take(*max).take_while(|&&byte| set.has(byte)).count();
            crate::work::read(long);
            (long >= *min).then_some(at - long)
        }
    }
}

fn parse_parts(source: &str) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let (part, after) = match first {
            '{' => parse_run(rest)?,
            '[' => parse_set(rest)?,
            _ => {
                let end = rest.find(['{', '[']).unwrap_or(rest.len());
                (Part::Text(rest.as_bytes()[..end].into()), &rest[end..])
            }
        };
        parts.push(part);
        rest = after;
    }
    Some(parts)
}

fn parse_set(rest: &str) -> Option<(Part, &str)> {
    let (inside, after) = rest[1..].split_once(']')?;
    Some((Part::OneOf(inside.as_bytes().into()), after))
}

/// `{class:min}`, `{class:min..max}` or `{class:min..}`; an exact run is both bounds.
fn parse_run(rest: &str) -> Option<(Part, &str)> {
    let (inside, after) = rest[1..].split_once('}')?;
    let (name, range) = inside.split_once(':')?;
    let (min, max) = match range.split_once("..") {
        None => (range.parse().ok()?, range.parse().ok()?),
        Some((min, "")) => (min.parse().ok()?, usize::MAX),
        Some((min, max)) => (min.parse().ok()?, max.parse().ok()?),
    };
    Some((Part::Run(Set::named(name)?, min, max), after))
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
    }
}
