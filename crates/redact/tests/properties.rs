//! What holds for any text: boundaries, idempotence, linear time.

use std::time::{Duration, Instant};

use proptest::prelude::*;
use redact::{Keys, Redactor, scan};

fn redactor() -> Redactor {
    Redactor::new(&Keys { store_secret: [7; 32], redaction_key: [9; 32] })
}

/// Pieces that engines wake at, in any order, with anything between.
fn piece() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "password",
        "token=",
        "\"api_key\": \"",
        "\\\"secret\\\":\\\"",
        "Authorization: Bearer ",
        "://user:",
        "@host",
        "-----BEGIN RSA PRIVATE KEY-----",
        "\\n",
        "\n",
        "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abcdefghijkl",
        "hunter2!",
        "Cookie: a=",
        "%22",
        "\\u0022",
        "&quot;",
        "\u{200B}",
        "\u{1B}[31m",
        "ｐａｓｓ",
        "[REDACTED:password]",
        "[REDACTED:github_token:7f3a2c91e0]",
        " is ",
        "\"",
        "'",
        "\\",
        ";",
        "&",
        " | ",
        "recovery codes: ",
        "a1b2-c3d4",
        "dXNlcjpwYXNzd29yZDE5OTk5OTk5",
        "- name: DB_PASSWORD\n  value: ",
        "curl -u me:",
        "mysql -p",
        "x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5",
        "é",
        "密码：",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => "[ -~]{0,12}", 1 => ".{0,4}"]
}

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..14).prop_map(|pieces| pieces.concat())
}

/// A line as people and tools write it: one piece that engines wake at, and one that might be its value.
fn line() -> impl Strategy<Value = String> {
    let names = [
        "password: ",
        "token=",
        "\"api_key\": \"",
        "Authorization: Bearer ",
        "postgres://user:",
        "see ",
        "key ",
        "Cookie: a=",
        "the password is ",
        "mysql -p",
        "--secret ",
    ];
    let values = [
        "hunter2!",
        "ghp_0123456789abcdefghijklmnopqrstuvwxyz",
        "x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5",
        "[REDACTED:password]",
        "a[REDACTED:github_token:7f3a2c91e0]b",
        "two words",
        "dXNlcjpwYXNzd29yZDE5OTk5OTk5",
    ];
    let ends = ["", "\"", "@db/x", " and more", ", next=1", "; path=/"];
    (
        prop::sample::select(names.to_vec()),
        prop::sample::select(values.to_vec()),
        prop::sample::select(ends.to_vec()),
    )
        .prop_map(|(name, value, end)| format!("{name}{value}{end}"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn spans_are_sorted_disjoint_and_on_boundaries(text in text()) {
        let mut at = 0;
        for span in scan(&text) {
            prop_assert!(at <= span.start && span.start < span.end && span.end <= text.len());
            prop_assert!(text.is_char_boundary(span.start) && text.is_char_boundary(span.end));
            at = span.end;
        }
    }

    #[test]
    fn redacting_twice_changes_nothing(lines in prop::collection::vec(line(), 0..6)) {
        let text = lines.join("\n");
        let (once, _) = redactor().redact_text(&text);
        let (twice, _) = redactor().redact_text(&once);
        prop_assert_eq!(once, twice);
    }

    #[test]
    fn nothing_outside_the_spans_changes(text in text()) {
        let (redacted, spans) = redactor().redact_text(&text);
        let mut rest = redacted.as_str();
        let mut at = 0;
        for span in &spans {
            rest = rest.strip_prefix(&text[at..span.start]).expect("the text before");
            rest = rest.split_once(']').expect("a mark").1;
            at = span.end;
        }
        prop_assert_eq!(rest, &text[at..]);
    }
}

/// Four times the text may take no more than some four times as long.
#[test]
fn hostile_texts_take_linear_time() {
    let pieces = [
        "a",
        "\\",
        "\"",
        "'",
        "=",
        "-----BEGIN ",
        "-----BEGIN RSA PRIVATE KEY-----",
        "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA",
        "password=",
        "password: ",
        "password=\"",
        "password=\\\"",
        "key=key",
        "key,",
        "eyJ",
        "eyJhbGciOiJIUzI1NiJ9.",
        "://",
        "://a:b/",
        "http://a:",
        "cookie:",
        "cookie: a=b;",
        "bearer ",
        "Authorization: Basic ",
        "ghp_",
        "github_pat_a",
        "sk-ant-",
        "login: a/",
        "recovery codes ",
        "mnemonic abc ",
        "password is ",
        "%22",
        "%2522",
        "\\u0022",
        "&quot;",
        "\u{200B}",
        "\u{1B}[",
        "\u{1B}]",
        "dXNlcjpw",
        "[REDACTED:",
        "| password |\n",
        "password,a\n",
        "mysql -p",
        "{\"password\":",
        "[[[[",
        "name=password value",
        "xoxb-1-",
        "A ",
        "\n",
        "curl -u a:b ",
    ];
    let mut slow = Vec::new();
    for piece in pieces {
        let text = piece.repeat((1 << 14) / piece.len() + 1);
        let start = Instant::now();
        let _ = scan(&text);
        let small = start.elapsed();
        let text = piece.repeat((1 << 16) / piece.len() + 1);
        let start = Instant::now();
        let _ = scan(&text);
        let large = start.elapsed();
        if large > Duration::from_millis(250) && large > small * 9 {
            slow.push(format!("{piece:?}: {small:?} then {large:?}"));
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}
