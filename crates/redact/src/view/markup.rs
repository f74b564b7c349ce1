//! V7: what a page shows. `<br>` breaks a line, `<pre>` and `<![CDATA[` hold text as it is, and what a tag says is not read.
//!
//! - M1  only lines with `<br`, and what `<pre>` and `<![CDATA[` hold; each is read once
//! - M2  a tag is as long as [`LONGEST_TAG`], or none

use super::{Hits, Rules, View, escape_at};
use crate::search::Words;

const LONGEST_TAG: usize = 256;
/// How long what is held may be: no longer than a stream looks back.
const LONGEST: usize = 32 << 10;

/// One view for each stretch of lines that are broken by tags, and for each text that a page holds as it is.
pub(crate) fn shown(text: &str, hits: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut views = Vec::new();
    let mut from = 0;
    // Up to where each of them is not closed.
    let mut open = [0; CLOSES.len()];
    // Hot path: few texts have any.
    while let Some((at, kind)) = next(bytes, from) {
        let (start, end) = match kind {
            Kind::Break => broken(bytes, from, at),
            Kind::Held(by) if at < open[by] => (at, at),
            Kind::Held(by) => held(bytes, at, CLOSES[by]).unwrap_or_else(|| {
                open[by] = at + LONGEST;
                (at, at)
            }),
        };
        if start < end && hits.any(start, end) {
            let plain = matches!(kind, Kind::Held(by) if CLOSES[by] == CDATA);
            views.push(read(&text[start..end], start, plain).ruling(Rules::Unseen));
        }
        from = end.max(at + 1);
    }
    views
}

#[derive(Clone, Copy)]
enum Kind {
    Break,
    /// Up to which of [`CLOSES`].
    Held(usize),
}

const CDATA: &[u8] = b"]]>";
const CLOSES: [&[u8]; 3] = [CDATA, b"</pre>", b"</system-out>"];

/// The next tag that breaks a line or holds a text.
fn next(bytes: &[u8], from: usize) -> Option<(usize, Kind)> {
    let rest = &bytes[from..];
    memchr::memchr_iter(b'<', rest).find_map(|at| {
        let tag = &rest[at + 1..];
        let kind = match tag.first()? {
            b'b' | b'B' if is_tag(tag, b"br") => Kind::Break,
            b'p' if is_tag(tag, b"pre") => Kind::Held(1),
            b'!' if tag.starts_with(b"![CDATA[") => Kind::Held(0),
            b's' if is_tag(tag, b"system-out") => Kind::Held(2),
            _ => return None,
        };
        Some((from + at, kind))
    })
}

fn is_tag(tag: &[u8], name: &[u8]) -> bool {
    tag.get(..name.len()).is_some_and(|own| own.eq_ignore_ascii_case(name))
        && matches!(tag.get(name.len()), Some(b'>' | b' ' | b'/'))
}

/// The lines around `at` that have such a tag, and the one behind them.
fn broken(bytes: &[u8], floor: usize, at: usize) -> (usize, usize) {
    let start = memchr::memrchr(b'\n', &bytes[floor..at]).map_or(floor, |line| floor + line + 1);
    let mut end = at;
    loop {
        let line = super::line_end(bytes, end);
        crate::work::read(line - end);
        let breaks = memchr::memchr_iter(b'<', &bytes[end..line])
            .any(|sign| is_tag(&bytes[end + sign + 1..line], b"br"));
        if line == end || !breaks {
            return (start, line);
        }
        end = line;
    }
}

/// What stands between the tag at `at` and `close`, if that comes.
fn held(bytes: &[u8], at: usize, close: &[u8]) -> Option<(usize, usize)> {
    let tag = &bytes[at..bytes.len().min(at + LONGEST_TAG)];
    let long = if close == CDATA { b"<![CDATA[".len() } else { memchr::memchr(b'>', tag)? + 1 };
    let start = at + long;
    let window = &bytes[start..bytes.len().min(start + LONGEST)];
    let end = memchr::memmem::find(window, close);
    crate::work::read(end.unwrap_or(window.len()));
    end.map(|end| (start, start + end))
}

/// The text as a page shows it, or as it stands.
pub(super) fn read(text: &str, base: usize, plain: bool) -> View {
    crate::work::read(text.len());
    let mut view = View::new(base, text.len());
    if plain {
        view.copy(text, 0);
    } else {
        read_into(&mut view, text, 0);
    }
    view.finish(text.len())
}

/// The text as a page shows it, behind what is read already; it stands at `from` in the original.
pub(super) fn read_into(view: &mut View, text: &str, from: usize) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let stop = memchr::memchr2(b'<', b'&', &bytes[at..]).map_or(bytes.len(), |long| at + long);
        view.copy(&text[at..stop], from + at);
        at = stop;
        let Some(sign) = bytes.get(at) else { break };
        if *sign == b'&'
            && let Some((sign, long)) = escape_at(&bytes[at..])
        {
            view.push(sign, from + at);
            at += long;
        } else if *sign == b'<'
            && let Some(long) = tag_long(&bytes[at..])
        {
            // A line that is broken there as well is broken once.
            if is_tag(&bytes[at + 1..], b"br") && bytes.get(at + long) != Some(&b'\n') {
                view.push('\n', from + at);
            }
            at += long;
        } else {
            view.push(char::from(*sign), from + at);
            at += 1;
        }
    }
}

/// How long the tag is that begins here.
fn tag_long(rest: &[u8]) -> Option<usize> {
    #[rustfmt::skip]
    static NAMES: Words<32> = Words::new([
        b"a", b"b", b"br", b"code", b"dd", b"div", b"dl", b"dt", b"em", b"font", b"h1", b"h2", b"h3", b"h4", b"hr", b"i", b"img", b"kbd", b"li", b"ol", b"p", b"pre",
        b"small", b"span", b"strong", b"table", b"tbody", b"td", b"th", b"tr", b"tt", b"ul",
    ]);
    let name = rest[1..].strip_prefix(b"/").unwrap_or(&rest[1..]);
    let long = name.iter().take(8).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    // What nobody knows may be a part of a password.
    let named = NAMES.equals(&name[..long]) && matches!(name.get(long), Some(b'>' | b' ' | b'/'));
    let window = &rest[1..rest.len().min(LONGEST_TAG)];
    let end = memchr::memchr3(b'>', b'<', b'\n', window).filter(|&end| named && window[end] == b'>');
    end.map(|end| end + 2)
}

#[cfg(test)]
mod tests {
    use crate::view::Hits;

    #[test]
    fn a_page_is_read_as_it_is_shown() {
        for (text, plain) in [
            ("<p>a &amp; b<br>\nc</p>\n", "a & b\nc\n"),
            ("| x | a<br/>b<br />c |", "| x | a\nb\nc |"),
            ("<div><pre class=\"x\">a\n<b>b</b> &lt;c&gt;</pre></div>", "a\nb <c>"),
            ("<x><![CDATA[a <b> &amp;]]></x>", "a <b> &amp;"),
            ("a<br>b < c <", "a\nb < c <"),
            ("<system-out>a &gt; b\nc</system-out>", "a > b\nc"),
            // What is empty, or another's that is open, hides nothing.
            ("<pre></pre><![CDATA[ <pre>a &lt; b</pre>", "a < b"),
        ] {
            let mut hits = Hits::default();
            (0..text.len()).for_each(|at| hits.mark(at));
            let views: Vec<String> = super::shown(text, &hits).into_iter().map(|view| view.text).collect();
            assert_eq!(views, [plain], "{text}");
        }
    }
}
