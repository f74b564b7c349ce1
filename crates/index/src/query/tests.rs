//! What the grammar understands, and what it refuses.

use super::*;
use proptest::prelude::*;

const NOON: i64 = 1_795_780_800_000_000; // 2026-11-27T12:00:00Z

fn parse(text: &str) -> Result<Query, QueryError> {
    Query::parse(text, &Now::utc(NOON))
}

fn explained(text: &str) -> String {
    parse(text).expect(text).explain()
}

fn fault(text: &str) -> (usize, String) {
    let error = parse(text).expect_err(text);
    (error.at, format!("{} | {}", error.message, error.hint.unwrap_or_default()))
}

#[test]
fn the_grammar_by_example() {
    assert_eq!(explained("token"), "the word \"token\"\n");
    assert_eq!(explained("token expired"), "all of\n  the word \"token\"\n  the word \"expired\"\n");
    assert_eq!(explained("\"token expired\""), "in a row [\"token\", \"expired\"]\n");
    assert_eq!(explained("Tok*"), "a word that begins with \"tok\"\n");
    assert_eq!(explained("-foo"), "not\n  the word \"foo\"\n");
    assert_eq!(explained("bd-q3fy"), "any of\n  the word \"bd-q3fy\"\n  in a row [\"bd\", \"q3fy\"]\n");
    assert_eq!(explained("令牌过"), "in a row [\"令牌\", \"牌过\"]\n");
    let both = "any of\n  all of\n    the word \"a\"\n    the word \"b\"\n  the word \"c\"\n";
    assert_eq!(explained("a b OR c"), both);
    assert_eq!(explained("a AND b OR (c)"), both);
    assert_eq!(
        explained("a (b OR c)"),
        "all of\n  the word \"a\"\n  any of\n    the word \"b\"\n    the word \"c\"\n"
    );
    assert_eq!(explained("agent:Dev,qa*"), "agent is \"dev\" or \"qa\"…\n");
    assert_eq!(explained("is:error|handoff"), "is is \"error\" or \"handoff\"\n");
    assert_eq!(explained("group:\"Big Team\""), "group is \"big team\"\n");
    assert_eq!(explained("seq:>=17"), "seq from 17\n");
    assert_eq!(explained("seq:<3"), "seq 0 to 2\n");
    assert_eq!(explained(""), "every event\n");
}

#[test]
fn text_with_colons_is_text() {
    for text in ["https://a.b/c", "foo::bar", "C:\\new", "file.rs:12", "12:30", "--no-index"] {
        let query = parse(text).expect(text);
        assert!(query.has_words(), "{text}: {}", query.explain());
    }
}

#[test]
fn times_as_people_write_them() {
    let day = 86_400_000_000;
    let midnight = NOON - day / 2;
    let range = |text: &str| match parse(text).expect(text).root {
        Node::Time { low, high } => (low, high),
        other => panic!("{text}: {other:?}"),
    };
    assert_eq!(range("since:2h"), (NOON - day / 12, i64::MAX));
    assert_eq!(range("since:yesterday"), (midnight - day, i64::MAX));
    assert_eq!(range("until:yesterday"), (i64::MIN, midnight - 1));
    assert_eq!(range("before:2026-11-27"), (i64::MIN, midnight - 1));
    assert_eq!(range("after:2026-11-26"), (midnight, i64::MAX));
    assert_eq!(range("at:2026-11-27"), (midnight, midnight + day - 1));
    assert_eq!(range("at:>=2026-11-27T12:00:00Z"), (NOON, i64::MAX));
    assert_eq!(range("since:2026-11-27T13:00:00+01:00").0, NOON);
    assert_eq!(range("since:2026-11-27T12:00").0, NOON);
    assert_eq!(range("since:\"last night\"").0, midnight - day / 4);
    assert!(parse("since:soon").is_err() && parse("since:99999999999d").is_err());
}

#[test]
fn mistakes_say_where_and_what_to_do() {
    let (at, text) = fault("token agnet:dev");
    assert!(
        at == 6 && text.contains("unknown field \"agnet\"") && text.contains("did you mean agent:"),
        "{text}"
    );
    let (at, text) = fault("TypeError: x");
    assert!(at == 0 && text.contains("quote it"), "{text}");
    assert_eq!(fault("a \"b c").0, 2);
    assert_eq!(fault("a (b (c)").0, 2);
    assert_eq!(fault("a) b").0, 1);
    assert_eq!(fault("a OR").0, 4);
    assert_eq!(fault("OR a").0, 0);
    assert_eq!(fault("()").0, 0);
    assert_eq!(fault("a -").0, 2);
    assert_eq!(fault("seq:x").0, 4);
    assert_eq!(fault("agent:").0, 6);
    assert_eq!(fault("=>").0, 0);
    assert!(fault("is:eror").1.contains("is:error"));
    assert!(fault("agent:>x").1.contains("no order"));
    let error = parse("token agnet:dev").expect_err("a fault");
    assert_eq!(error.caret("token agnet:dev"), "token agnet:dev\n      ^");
}

#[test]
fn too_much_is_refused_at_once() {
    let begun = std::time::Instant::now();
    assert!(parse(&"a ".repeat(500)).is_ok());
    let ors = vec!["word"; 1_001].join(" OR ");
    assert!(parse(&ors).is_ok());
    assert!(fault(&"a ".repeat(1_200)).1.contains("more than"));
    assert!(fault(&"x".repeat(MAX_BYTES + 1)).1.contains("bytes"));
    assert!(fault(&"(".repeat(10_000)).1.contains("deeper"));
    assert!(fault(&"NOT ".repeat(2_000)).1.contains("deeper"));
    assert!(parse(&"\"".repeat(9_999)).is_err());
    assert!(parse(&format!("\"{}\"", "phrase ".repeat(1_400))).is_ok());
    assert!(begun.elapsed() < std::time::Duration::from_secs(2), "{:?}", begun.elapsed());
}

proptest! {
    #[test]
    fn nothing_panics_and_faults_lie_in_the_query(text in "[a-z:\"()|,*<>=\\- ORé令-]{0,40}|.{0,40}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.at <= text.len());
            prop_assert!(!error.caret(&text).is_empty());
        }
    }
}
