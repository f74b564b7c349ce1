//! V11: what stands in a block of YAML (`run: |`, `message: >-`), as it is meant: not set in. A script, a letter, a file
//! of its own.
//!
//! - Y1  a block is every line that is set in as far as its first one, and further in than the line that begins it

use super::{Hits, View, line_end};

/// A blank, and the sign that begins a block.
const SIGNS: [&[u8]; 2] = [b" |", b" >"];

/// One view for each block: few texts have one, and a command or a name that is set in may be none where it stands.
pub(crate) fn blocks(text: &str, _: &Hits) -> Vec<View> {
    let bytes = text.as_bytes();
    let mut heads: Vec<usize> = SIGNS
        .iter()
        .flat_map(|sign| memchr::memmem::find_iter(bytes, sign))
        .filter(|&at| at > 0 && matches!(bytes[at - 1], b':' | b'-') && begins(&bytes[at + 2..]))
        .collect();
    heads.sort_unstable();
    let mut views = Vec::new();
    let mut floor = 0;
    for head in heads {
        if head < floor {
            continue;
        }
        let Some((start, end, long)) = block(bytes, floor, head) else { continue };
        floor = end;
        views.push(read(&text[start..end], start, long));
    }
    views
}

/// Whether nothing but how the block ends is said behind its sign: `|-`, `>2+`.
fn begins(rest: &[u8]) -> bool {
    let said = rest.iter().take(3).take_while(|byte| matches!(byte, b'-' | b'+' | b'1'..=b'9')).count();
    rest.get(said) == Some(&b'\n')
}

/// Where the block below `head` begins and ends, and how far it is set in.
fn block(bytes: &[u8], floor: usize, head: usize) -> Option<(usize, usize, usize)> {
    let line = memchr::memrchr(b'\n', &bytes[floor..head]).map_or(floor, |at| floor + at + 1);
    let below = line_end(bytes, head);
    let (mut at, mut long) = (below, blanks(&bytes[line..head]) + 1);
    let (mut start, mut end) = (below, below);
    while at < bytes.len() {
        let past = line_end(bytes, at);
        let own = blanks(&bytes[at..past]);
        // An empty line has nothing to be set in.
        if bytes.get(at + own).is_some_and(|byte| *byte != b'\n') {
            if own < long {
                break;
            }
            if end == below {
                (start, long) = (at, own);
            }
            end = past;
        }
        at = past;
    }
    crate::work::read(at - below);
    (end > below).then_some((start, end, long))
}

fn blanks(line: &[u8]) -> usize {
    line.iter().take_while(|byte| **byte == b' ').count()
}

fn read(text: &str, base: usize, long: usize) -> View {
    let mut view = View::new(base, text.len());
    let mut from = 0;
    for line in text.split_inclusive('\n') {
        let set_in = long.min(blanks(line.as_bytes()));
        view.copy(&line[set_in..], from + set_in);
        from += line.len();
    }
    view.finish(text.len())
}

#[cfg(test)]
mod tests {
    use crate::testing::found;

    #[test]
    fn what_stands_in_a_block_is_read_as_it_is_meant() {
        for (text, secret) in [
            ("message: |\n  $ pass show sparrow/root\n  v4-meadow-67\n  user: root\n", "v4-meadow-67"),
            (
                "steps:\n  - run: >-\n\n      // previous db pass was \"velvet.garden.jasper\"\n    x: 1\n",
                "velvet.garden.jasper",
            ),
            ("a:\n  - |\n    b: |2+\n      $ pass show sparrow/root\n      v4-meadow-67\n", "v4-meadow-67"),
        ] {
            assert_eq!(found(text), [secret], "{text}");
        }
    }

    #[test]
    fn what_stands_behind_a_block_is_none_of_it() {
        for text in [
            "message: |\n  $ pass show sparrow/root\nv4-meadow-67\n",
            "message: |\n$ pass show sparrow/root\n",
            "message: |\n",
            "  message: |\n  $ pass show sparrow/rot\n",
            "a: | b\n  $ pass show sparrow/root\n",
        ] {
            assert!(found(text).is_empty(), "{text}");
        }
    }
}
