//! What holds for any text: boundaries, idempotence, the shape of JSON. (Linear work: see `src/work.rs`.)

use event::{Draft, Kind, Origin};
use proptest::prelude::*;
use redact::{Keys, Redactor, scan};
use serde_json::Value;

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

    /// What is harmless by its form is never what a generator makes; two braces and two more are a template.
    #[test]
    fn what_a_generator_makes_is_found_in_its_place(value in "[!a-z][A-Za-z0-9!()\\[\\]};,]{18,26}[A-Z][a-z]") {
        for text in [format!("DB_PASSWORD='{value}'\n"), format!("{{\"password\": \"{value}\", \"n\": 1}}")] {
            let found = scan(&text);
            prop_assert!(found.iter().any(|span| text[span.start..span.end].contains(&value)), "{text}");
        }
    }

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

/// A JSON tree as tools make it: harmless keys and secret ones, with anything under them.
fn tree(numbers: bool) -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(Value::from),
        line().prop_map(Value::from),
        any::<u32>().prop_map(move |number| if numbers { Value::from(number) } else { Value::from("-") }),
        any::<bool>().prop_map(Value::from),
        Just(Value::Null),
    ];
    let key = prop::sample::select(vec![
        "text", "id", "password", "token", "args", "name", "value", "data", "usage",
    ]);
    leaf.prop_recursive(5, 32, 5, move |inside| {
        prop_oneof![
            prop::collection::vec(inside.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key.clone(), inside), 0..5)
                .prop_map(|pairs| pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()),
        ]
    })
}

/// Keys, containers and their lengths; a leaf may only become a mark.
fn has_shape_of(after: &Value, before: &Value) -> bool {
    match (after, before) {
        (Value::Array(after), Value::Array(before)) => {
            after.len() == before.len()
                && after.iter().zip(before).all(|(after, before)| has_shape_of(after, before))
        }
        (Value::Object(after), Value::Object(before)) => {
            after.len() == before.len()
                && after
                    .iter()
                    .all(|(key, value)| before.get(key).is_some_and(|before| has_shape_of(value, before)))
        }
        (Value::String(after), Value::Number(_)) => after.starts_with("[REDACTED:"),
        (Value::String(_), Value::String(_)) => true,
        (after, before) => after == before,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_clean_tree_has_the_shape_of_the_draft(body in tree(true)) {
        let draft = Draft::new("s", Kind::of("note.added"), Origin::Claimed).data("body", body.clone());
        let clean = redactor().clean(draft).expect("a clean draft");
        prop_assert!(has_shape_of(clean.draft().data.get("body").unwrap_or(&Value::Null), &body));
    }

    /// But for numbers under a secret name: where a text holds one bare, the mark stands bare too.
    #[test]
    fn json_in_a_text_stays_json(body in tree(false)) {
        let text = body.to_string();
        let redacted = redactor().redact_text(&text).0;
        prop_assert!(serde_json::from_str::<Value>(&redacted).is_ok(), "{} became {}", text, redacted);
    }
}
