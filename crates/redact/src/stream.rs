//! Redaction of a text that arrives in pieces, in bounded memory, with the answer that the whole would get.
//!
//! ```text
//!  released already │ context │ held back ………………… │ ◀── pieces arrive
//!                   │◀ reach ▶│            │◀ reach ▶│
//!                             └─ judged with a reach on either side, then released
//! ```
//!
//! - S1  however a text is cut into pieces, what comes out is what the redactor makes of the whole: a byte
//!   is released when as much has arrived behind it as any engine looks ahead, and is judged with as much
//!   in front of it as any engine looks back
//! - S2  each byte is scanned at most four times, and at most a megabyte is held: linear time,
//!   bounded memory, on a text without end
//! - S3  what is held lives in memory alone; a secret that goes on for longer than can be held becomes
//!   `[REDACTED:unscanned]` and is swallowed to its end: fail closed
//!
//! A stream has no session: what one text showed to be a secret is not looked for in the next.

use crate::redactor::{Mark, Redactor};
use crate::span::{Span, rewrite};
use crate::{kinds, marker};

/// As far as any engine looks: the rows below the head of a table, 64 of a kilobyte.
const REACH: usize = 64 << 10;
/// How many reaches a secret may be long before it is swallowed.
const MOST_REACHES: usize = 16;
/// Of a secret that is swallowed, as much is kept in front as says what it is.
const OPENING: usize = 1024;

/// A redactor for one text that arrives in pieces.
pub struct Stream {
    redactor: Redactor,
    reach: usize,
    /// Context that was released already, then what is held back.
    buffer: String,
    released: usize,
    /// As long as nothing more can be released, the next look waits for so much.
    enough: usize,
    swallowing: bool,
    hits: usize,
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Stream({} bytes held, {} redacted)", self.buffer.len() - self.released, self.hits)
    }
}

impl Stream {
    /// A stream with the rules of a redactor.
    pub fn new(redactor: &Redactor) -> Self {
        Self::reaching(redactor, REACH)
    }

    fn reaching(redactor: &Redactor, reach: usize) -> Self {
        let redactor = redactor.clone();
        Self {
            redactor,
            reach,
            buffer: String::new(),
            released: 0,
            enough: 2 * reach,
            swallowing: false,
            hits: 0,
        }
    }

    /// Takes the next piece and gives what can be said by now, which may be nothing.
    pub fn push(&mut self, piece: &str) -> String {
        let mut out = String::new();
        let mut rest = piece;
        while !rest.is_empty() {
            let (now, later) = rest.split_at(rest.floor_char_boundary(self.reach).max(first(rest)));
            self.buffer.push_str(now);
            if self.buffer.len() - self.released >= self.enough {
                self.release(&mut out);
            }
            rest = later;
        }
        out
    }

    /// Gives the rest.
    pub fn finish(&mut self) -> String {
        let spans = self.redactor.spans(&self.buffer);
        let mut out = String::new();
        if self.swallowing {
            self.released = spans.first().filter(|span| span.start == 0).map_or(0, |span| span.end);
        }
        self.say(&spans, self.buffer.len(), &mut out);
        *self = Self { hits: self.hits, ..Self::reaching(&self.redactor, self.reach) };
        out
    }

    /// How many secrets left so far.
    pub fn hits(&self) -> usize {
        self.hits
    }

    fn release(&mut self, out: &mut String) {
        let spans = self.redactor.spans(&self.buffer);
        let sure = self.buffer.floor_char_boundary(self.buffer.len() - self.reach);
        if self.swallowing {
            let end = spans.first().filter(|span| span.start == 0).map_or(self.released, |span| span.end);
            self.released = end.max(self.released);
            if end >= sure {
                return self.swallow();
            }
            self.swallowing = false;
        }
        // A secret is not cut: if it may go on, its beginning waits.
        let open = spans.iter().find(|span| span.start < sure && sure <= span.end);
        let cut = open.map_or(sure, |span| span.start).max(self.released);
        self.say(&spans, cut, out);
        self.enough = 2 * self.reach;
        match open {
            Some(span) if self.buffer.len() - span.start >= self.reach * MOST_REACHES => {
                out.push_str(&marker::plain(kinds::UNSCANNED));
                self.hits += 1;
                self.buffer.drain(..span.start);
                self.released = self.buffer.len();
                self.swallow();
            }
            Some(_) => {
                // Looking again at the same beginning costs: twice as much has to come first.
                let held = (self.buffer.len() - self.released).max(self.reach);
                self.enough = (2 * held).min(self.reach * (MOST_REACHES + 1));
                self.forget(&spans);
            }
            None => self.forget(&spans),
        }
    }

    /// Writes what is held up to `end`.
    fn say(&mut self, spans: &[Span], end: usize, out: &mut String) {
        let from = self.released;
        let own: Vec<Span> = spans.iter().filter_map(|span| span.within(&(from..end))).collect();
        self.hits += own.len();
        out.push_str(&rewrite(&self.buffer[from..end], &own, |span, secret| {
            self.redactor.mark(Mark::Printed, span.kind, secret)
        }));
        self.released = end;
    }

    /// Drops what no engine looks back to; never from the middle of a secret.
    fn forget(&mut self, spans: &[Span]) {
        let from = self.buffer.floor_char_boundary(self.released.saturating_sub(self.reach));
        let within = spans.iter().find(|span| span.start < from && from < span.end);
        let from = within.map_or(from, |span| span.end.min(self.released));
        self.buffer.drain(..from);
        self.released -= from;
    }

    /// Keeps the opening of an endless secret and the end of what came; the middle goes.
    fn swallow(&mut self) {
        self.swallowing = true;
        let opening = self.buffer.floor_char_boundary(OPENING.min(self.reach / 2));
        let tail = self.buffer.ceil_char_boundary(self.buffer.len().saturating_sub(OPENING).max(opening));
        self.buffer.drain(opening..tail);
        self.released = self.buffer.len();
        self.enough = self.reach;
    }
}

fn first(text: &str) -> usize {
    text.chars().next().map_or(0, char::len_utf8)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Keys;

    const SMALL: usize = 2048;

    fn redactor() -> Redactor {
        Redactor::new(&Keys { store_secret: [7; 32], redaction_key: [9; 32] })
    }

    fn streamed<'a>(reach: usize, pieces: impl Iterator<Item = &'a str>) -> String {
        let mut stream = Stream::reaching(&redactor(), reach);
        let mut out: String = pieces.map(|piece| stream.push(piece)).collect();
        out.push_str(&stream.finish());
        out
    }

    fn whole(text: &str) -> String {
        redactor().redact_text(text).0
    }

    fn pieces<'a>(text: &'a str, sizes: &'a [usize]) -> impl Iterator<Item = &'a str> {
        let (mut at, mut sizes) = (0, sizes.iter().cycle());
        std::iter::from_fn(move || {
            let size = *sizes.next()?;
            let end = text.ceil_char_boundary(text.len().min(at + size));
            let piece = (at < end).then(|| &text[at..end]);
            at = end;
            piece
        })
    }

    fn key(lines: usize) -> String {
        let line = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n";
        format!("-----BEGIN PRIVATE KEY-----\n{}-----END PRIVATE KEY-----", line.repeat(lines))
    }

    fn line() -> impl Strategy<Value = String> {
        let lines = prop::sample::select(vec![
            "the quick brown fox jumps over the lazy dog, and says nothing that matters",
            "password: hunter2!x9",
            "export DB_PASSWORD='a b\"c'",
            "{\"token\": \"x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5\", \"n\": 1}",
            "Authorization: Bearer abcDEF123456ghiJKL789",
            "postgres://user:s3cr3t!pw@db.example.com/app",
            "use ghp_0123456789abcdefghijklmnopqrstuvwxyz now",
            "Cookie: sid=8f14e45fceea167a5a36dedd4bea2543; theme=dark",
            "äöü ß 漢字 \u{200B} and so on",
            "dXNlcjpwYXNzd29yZDE5OTk5OTk5",
            "curl -u admin:S3cr3tPw! https://example.com/a?b=c",
            "[REDACTED:github_token:7f3a2c91e0]",
            "",
        ]);
        prop_oneof![20 => lines.prop_map(str::to_owned), 1 => Just(key(12))]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn small_pieces_give_what_the_whole_gives(
            lines in prop::collection::vec(line(), 150..400),
            sizes in prop::collection::vec(1..=7_usize, 1..20),
        ) {
            let text = lines.join("\n");
            prop_assert_eq!(streamed(SMALL, pieces(&text, &sizes)), whole(&text));
        }

        #[test]
        fn a_cut_anywhere_gives_what_the_whole_gives(lines in prop::collection::vec(line(), 1..8)) {
            let text = lines.join("\n");
            let expected = whole(&text);
            for at in (0..text.len()).filter(|&at| text.is_char_boundary(at)) {
                let (head, tail) = text.split_at(at);
                prop_assert_eq!(&streamed(SMALL, [head, tail].into_iter()), &expected, "{}", at);
            }
        }
    }

    #[test]
    fn a_secret_anywhere_near_the_edge_of_what_is_held_is_whole() {
        for secret in [key(6), "token=x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5 ".to_owned()] {
            for lead in (2 * SMALL - secret.len() - 80..2 * SMALL + 8).step_by(3) {
                let text = format!("{}{secret}\nand {}", "word ".repeat(lead / 5 + 1), "more ".repeat(SMALL));
                assert_eq!(streamed(SMALL, pieces(&text, &[33])), whole(&text), "{lead}");
            }
        }
    }

    #[test]
    fn a_token_longer_than_an_engine_looks_is_whole_wherever_it_is_cut() {
        for long in [100, 200, SMALL - 30] {
            let token = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6".repeat(long / 26 + 1)[..long].to_owned();
            for lead in (2 * SMALL - long - 80..2 * SMALL + 8).step_by(7) {
                let text = format!(
                    "{}le mot de passe est {token}, merci {}",
                    "word ".repeat(lead / 5 + 1),
                    "more ".repeat(SMALL)
                );
                assert_eq!(streamed(SMALL, pieces(&text, &[33])), whole(&text), "{long} {lead}");
                assert!(!whole(&text).contains("Nc1Hs6"), "{long}");
            }
        }
    }

    #[test]
    fn the_real_reach_gives_what_the_whole_gives() {
        let block =
            format!("note\n{}\npassword: hunter2!x9\n{}", "plain text goes on and on\n".repeat(900), key(20));
        let text = block.repeat(14);
        assert!(text.len() > 4 * REACH);
        assert_eq!(streamed(REACH, pieces(&text, &[1, 4096, 70_000, 13])), whole(&text));
    }

    #[test]
    fn a_string_that_is_longer_than_a_reach_is_read_wherever_it_is_cut() {
        let table = r"| Site | Login | Pass |\n| --- | --- | --- |\n| shop | amy | Peach+Plum3 |\n";
        let prose = r#"plain text, \"quoted\" now and then, goes on\n"#.repeat(4000);
        let text = format!("{{\"content\":\"{prose}{table}{prose}{table}{prose}\",\"x\":\"{table}\"}}");
        assert!(text.len() > 6 * REACH);
        let said = streamed(REACH, pieces(&text, &[1, 4096, 70_000, 13]));
        assert_eq!(said, whole(&text));
        assert!(!said.contains("Peach+Plum3"));
    }

    #[test]
    fn a_secret_without_end_is_swallowed_and_memory_stays_bounded() {
        let mut stream = Stream::reaching(&redactor(), SMALL);
        let mut out = stream.push("before\n-----BEGIN PRIVATE KEY-----\n");
        for _ in 0..4000 {
            out.push_str(&stream.push("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n"));
            assert!(stream.buffer.len() <= SMALL * (MOST_REACHES + 3), "{}", stream.buffer.len());
        }
        out.push_str(&stream.push("-----END PRIVATE KEY-----\nafter\n"));
        out.push_str(&stream.push(&"words that follow\n".repeat(SMALL)));
        out.push_str(&stream.finish());
        assert!(!out.contains("MIIE"), "{}", &out[..200]);
        assert!(
            out.starts_with("before\n[REDACTED:unscanned]\nafter\nwords that follow\n"),
            "{}",
            &out[..200]
        );
        assert!(out.ends_with("words that follow\n"));
    }
}
