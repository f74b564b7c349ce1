//! What was found, as offsets of the input: a union, and one rewrite.

mod trim;

use std::ops::Range;

use crate::harmless;
use crate::json;
use crate::marker;

/// A secret in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// First byte, on a character boundary.
    pub start: usize,
    /// One past the last byte, on a character boundary.
    pub end: usize,
    /// What kind of secret, `[a-z][a-z0-9_]*`.
    pub kind: &'static str,
    /// Known by its shape or its name, not by a guess.
    pub certain: bool,
}

impl Span {
    /// Whether a less certain `other` of the same name would change nothing in a union with it.
    pub(crate) fn says(&self, other: &Self) -> bool {
        let same = self.end == other.end && (self.certain || self.kind == other.kind);
        self.start == other.start && (same || self.end > other.end)
    }

    /// The part of it that lies in `place`, as offsets of what stands there.
    pub(crate) fn within(&self, place: &Range<usize>) -> Option<Self> {
        let (start, end) = (self.start.max(place.start), self.end.min(place.end));
        (start < end).then(|| Self { start: start - place.start, end: end - place.start, ..*self })
    }
}

const FEW: usize = 16;

/// Findings in the order of discovery.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    found: Vec<Span>,
}

impl Spans {
    /// What was found already, to be joined with more.
    pub(crate) fn of(found: Vec<Span>) -> Self {
        Self { found }
    }

    pub(crate) fn add(&mut self, start: usize, end: usize, kind: &'static str, certain: bool) {
        if start < end {
            // Most texts with one have more: names are looked at by several engines.
            if self.found.capacity() == 0 {
                self.found.reserve(FEW);
            }
            self.found.push(Span { start, end, kind, certain });
        }
    }

    /// The same before the `place`-th.
    pub(crate) fn insert(&mut self, place: usize, span: Span) {
        if span.start < span.end {
            self.found.insert(place, span);
        }
    }

    /// Without those of `places` that `drops` says; returns how many they were.
    pub(crate) fn drop_if(&mut self, places: Range<usize>, drops: impl Fn(&Span) -> bool) -> usize {
        let before = self.found.len();
        let mut place = 0;
        self.found.retain(|span| {
            place += 1;
            !(places.contains(&(place - 1)) && drops(span))
        });
        before - self.found.len()
    }

    /// Only the first so many.
    pub(crate) fn truncate(&mut self, count: usize) {
        self.found.truncate(count);
    }

    pub(crate) fn found(&self) -> &[Span] {
        &self.found
    }

    /// Without those that begin in a mark: it is no neighbour that says what stands beside it.
    pub(crate) fn spare_marks(&mut self, text: &[u8]) {
        if !self.found.is_empty() {
            let marks = marker::marks(text);
            self.found.retain(|span| !marker::covers(&marks, span.start));
        }
    }

    /// Sorted, disjoint, on character boundaries, and clear of the marks that are already there.
    pub(crate) fn into_union(mut self, text: &str) -> Vec<Span> {
        if self.found.is_empty() {
            return self.found;
        }
        let marks = self.judge(text);
        let mut union: Vec<Span> = Vec::with_capacity(self.found.len());
        for span in self.found {
            match union.last_mut() {
                Some(last) if span.start < last.end => {
                    last.end = last.end.max(span.end);
                    last.certain |= span.certain;
                }
                _ => union.push(span),
            }
        }
        whole(text.as_bytes(), &mut union);
        marker::spare(&marks, json::fit(text.as_bytes(), union))
    }

    /// Sorts what was found in `text`, on character boundaries, and drops what is yet no secret there; returns the marks
    /// that are already there.
    pub(crate) fn judge(&mut self, text: &str) -> Vec<(usize, usize)> {
        for span in &mut self.found {
            (span.start, span.end) = trim::trimmed(text.as_bytes(), span.start, span.end, span.kind);
            span.start = text.floor_char_boundary(span.start);
            span.end = text.ceil_char_boundary(span.end);
        }
        let marks = marker::marks(text.as_bytes());
        // The longest of those that start together names the union.
        self.found.sort_by_key(|span| (span.start, std::cmp::Reverse(span.end), !span.certain));
        // What several engines found is judged once.
        let mut judged = (0..0, false);
        self.found.retain(|span| {
            if judged.0 != (span.start..span.end) {
                let harmless = marker::covers(&marks, span.start)
                    || harmless::is_harmless(text.as_bytes(), span.start, span.end)
                        && !is_digicode(span, text.as_bytes())
                    || harmless::is_by_place(text.as_bytes(), span.start, span.end) && !is_of_rule(span);
                judged = (span.start..span.end, harmless);
            }
            !judged.1 && !harmless::is_label(span.kind, text.as_bytes(), span.start, span.end)
        });
        marks
    }
}

/// Whether it shows by its own form: then it is a secret wherever it stands (`error: "AKIA…" is no event`).
fn is_of_rule(span: &Span) -> bool {
    span.certain && crate::rules::RULES.iter().any(|rule| rule.kind == span.kind)
}

/// `4511B`: what opens a French door, and a size elsewhere.
fn is_digicode(span: &Span, text: &[u8]) -> bool {
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    span.kind == "recovery_code"
        && matches!(&text[span.start..span.end], [code @ .., b'A' | b'B'] if code.len() == 4 && digits(code))
}

/// What is so long that an engine may have looked no further ends where its run does: no tail of a token stays.
fn whole(text: &[u8], spans: &mut [Span]) {
    const LONG: usize = 72;
    let mut limit = text.len();
    for span in spans.iter_mut().rev() {
        if span.end - span.start >= LONG && text[span.end - 1].is_ascii_alphanumeric() {
            let of_token =
                |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'+' | b'/' | b'=');
            let tail = text[span.end..limit].iter().take_while(of_token).count();
            crate::work::read(tail);
            span.end += tail;
        }
        limit = span.start;
    }
}

/// `text` with each span replaced by what `mark` says about it.
pub(crate) fn rewrite(text: &str, spans: &[Span], mut mark: impl FnMut(&Span, &str) -> String) -> String {
    let mut out = String::with_capacity(text.len() + spans.len() * 24);
    let mut at = 0;
    for span in spans {
        out.push_str(&text[at..span.start]);
        out.push_str(&mark(span, &text[span.start..span.end]));
        at = span.end;
    }
    out.push_str(&text[at..]);
    out
}

#[cfg(test)]
mod tests {
    #[test]
    fn what_has_the_form_of_a_key_is_one_wherever_it_stands() {
        for key in [
            "AKIALS7WBMRNHUOKQKIC",
            "ghp_tqXm4vW9bKc2ZrL7yNd1FhJs6GpE0aUiO3Bx",
            "dop_v1_1f0e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0",
        ] {
            for text in [
                format!("error: \"{key}\" is not an event (write SESSION:SEQ)\n"),
                format!("lookup failed: {key}\n"),
                format!("not found: {key}\n"),
                format!("rotated the key for {key} today\n"),
                format!("fingerprint {key}\n"),
                format!("ask about {key} first\n"),
                format!("the key on host {key}\n"),
                format!("type Kind = \"{key}\" | \"b\";\n"),
                format!("import {{x}} from \"{key}\";\n"),
                format!("(0,e.jsx)(\"{key}\",{{}}),!0\n"),
            ] {
                let found: Vec<_> =
                    crate::scan(&text).iter().map(|span| text[span.start..span.end].to_owned()).collect();
                assert_eq!(found, [key], "{text}");
            }
        }
    }

    #[test]
    fn what_was_drawn_is_none_of_the_names_around_it() {
        for text in [
            "rotated the token on GkFCH9xG3aOe5uy0NQP0\n",
            "type Password = \"GkFCH9xG3aOe5uy0NQP0\" | \"b\";\n",
            "pin 48213 (teal door)\n",
        ] {
            let found: Vec<_> = crate::scan(text).iter().map(|span| &text[span.start..span.end]).collect();
            assert_eq!(found.len(), 1, "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_a_place_of_secrets_is_none() {
        let rule = format!("|{}|{}|{}|", "-".repeat(90), "-".repeat(90), "-".repeat(60));
        for text in [
            format!("| user | password | description of it |\n{rule}\n| ann | rotated | something |\n"),
            "(gdb) p user_secret\nNo symbol \"user_secret\" in current context.\n".to_owned(),
            "(lldb) p user_secret\nerror: use of undeclared identifier 'user_secret'\n".to_owned(),
            "This tool reads password hashes\n--verbose   (verbosity)\n--output    (outfile)\n".to_owned(),
            "the mean is based on ~50 runs >1000 rows each\n".to_owned(),
            "\"sha1\" \"md5\"\n\"alpha\" \"Beta1234!\"\n".to_owned(),
            "KMS key: eab1da93-c68c-4f8c-88c4-be8aa04718e4\n".to_owned(),
        ] {
            assert_eq!(crate::testing::found(&text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn what_is_called_so_and_stands_far_below_is_found() {
        let intro = "Guárdalos en un lugar seguro, lejos de tu computadora y de tu teléfono, porque cada uno se puede usar una única vez y nunca más.";
        let codes = format!(
            "{{\"content\":\"Códigos de recuperación\\n\\n{intro}\\n\\nk3m9-x2p7\\nq8r4-t6w2\\nz5y1-b7n3\\n\"}}"
        );
        assert_eq!(crate::testing::found(&codes).len(), 3, "{codes}");
        let edge = format!("+{}+{}+", "-".repeat(12), "-".repeat(66));
        let table = format!(
            "{edge}\n| API Secret | UbD0mbsualqr5lD1Y2IDJ9nUXKgU7OjiQ6ywNTZ1DWj9ipkGLX/on1GmEOtCvA40 |\n{edge}"
        );
        assert_eq!(crate::testing::found(&table).len(), 1, "{table}");
        let kms = "KMS_KEY=qJ8xVw2TzRnLb9YmJc4dPsHuE0fGiOaK1rNyBg83U5h\n";
        assert_eq!(crate::testing::found(kms).len(), 1);
    }

    #[test]
    fn no_tail_of_a_long_token_stays() {
        for long in [80, 140, 300, 2000] {
            let token = "k8vLm2ZpXt9Rk7Wd3Yb5Nc1Hs6".repeat(long / 26 + 1)[..long].to_owned();
            for text in [
                format!("le mot de passe de la boîte est {token}, merci"),
                format!("hasło: {token}\n"),
                format!("net use Z: \\\\nas\\scans /user:scan {token} /persistent:no"),
                format!("sign in as ann with {token}.\n"),
                format!("ann / {token} is the login\n"),
                format!("echo {token} | kinit ann@OTTER.EXAMPLE"),
            ] {
                let spans = crate::scan(&text);
                let found: Vec<&str> = spans.iter().map(|span| &text[span.start..span.end]).collect();
                assert!(found.is_empty() || found == [&token], "{long}: {text}");
            }
        }
    }
}
