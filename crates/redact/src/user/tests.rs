use super::*;
fn load(text: &str, owner: Owner) -> Result<Rules, RulesError> {
    let mut rules = Rules::new();
    rules.load(text, "rules.toml", owner)?;
    Ok(rules)
}

fn found(rules: &Rules, text: &str) -> Vec<String> {
    let mut spans = Spans::default();
    rules.find(text, &mut spans);
    spans.into_union(text).iter().map(|span| text[span.start..span.end].to_owned()).collect()
}

const ACME: &str = r#"
version = 1
[[rule]]
id = "acme_token"
shape = "acme_{b62:32..64}"
examples = ["use acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo"]
negatives = ["acme_short"]
[[rule]]
id = "acme-legacy"
keywords = ["acme"]
regex = '''(?i)acme[_-]?key["'\s:=]+(?P<secret>[0-9a-z]{20})'''
max_len = 64
min_p = 1e-20
examples = ["ACME_KEY = 0k3j5h2g8f7d6s1a9q0w"]
negatives = ["acme_keyboard", "acme_key: internationalization"]
"#;

#[test]
fn shapes_and_expressions_are_found_and_examples_are_run() {
    let rules = load(ACME, Owner::Project).expect("rules");
    assert_eq!(
        found(&rules, "a acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo b"),
        ["acme_U8JZpDE0iGXlD6gNCFbaEPFjbD0kH8Oo"]
    );
    assert_eq!(
        found(&rules, &format!("{} Acme-Key: 0k3j5h2g8f7d6s1a9q0w.", "acme ".repeat(300))),
        ["0k3j5h2g8f7d6s1a9q0w"]
    );
    assert!(rules.is_custom("acme_legacy") && !rules.is_custom("github_token"));
    assert_eq!(rules.listed().len(), 2);
}

#[test]
fn a_rule_that_does_not_do_what_it_says_is_refused_by_name() {
    let cases = [
        (
            "shape = \"acme_{b62:32..64}\"\nexamples = [\"acme_short\"]",
            "rules.toml: rule \"a\": example 1 is not caught",
        ),
        (
            "shape = \"acme_{b62:4..}\"\nnegatives = [\"x\", \"acme_k3j5h2\"]",
            "rules.toml: rule \"a\": negative 2 is caught",
        ),
        ("regex = \"x\"", "rules.toml: rule \"a\": a regex needs keywords of at least 3 bytes"),
        (
            "regex = \"x\"\nkeywords = [\"ab\"]",
            "rules.toml: rule \"a\": a regex needs keywords of at least 3 bytes",
        ),
        (
            "regex = \"(\"\nkeywords = [\"abc\"]",
            "rules.toml: rule \"a\": its regex is none: error: unclosed group",
        ),
        (
            "shape = \"{b62:4}\"",
            "rules.toml: rule \"a\": its shape has no literal, more than 16 parts, or a class that is not one of d, hex, lo, up, b62, b64, b64u, w, dom, any",
        ),
        ("keywords = [\"abc\"]", "rules.toml: rule \"a\": takes either a shape or a regex"),
        (
            "shap = \"x\"",
            "rules.toml:4: unknown field `shap`, expected one of `id`, `kind`, `shape`, `keywords`, `regex`, `secret_group`, `max_len`, `min_p`, `entropy`, `allow_words`, `allow_regex`, `examples`, `negatives`",
        ),
    ];
    for (rule, said) in cases {
        let error =
            load(&format!("version = 1\n[[rule]]\nid = \"a\"\n{rule}\n"), Owner::User).expect_err(rule);
        assert_eq!(error.to_string(), said);
    }
    assert!(load("version = 2\n", Owner::User).is_err());
}

#[test]
fn a_project_may_only_add() {
    for text in [
        "[allow]\nexact = [\"x\"]",
        "[allow]\nvalues_fp = [\"x\"]",
        "[fields]\nopaque = [\"/x\"]",
        "[known]\nskip = [\"env\"]",
    ] {
        let text = format!("version = 1\n{text}\n");
        assert!(load(&text, Owner::Project).is_err() && load(&text, Owner::User).is_ok(), "{text}");
    }
}

#[test]
fn denied_names_take_whatever_stands_under_them() {
    let rules = load("version = 1\n[fields]\ndeny = [\"x-internal-auth\"]\n", Owner::Project).expect("rules");
    assert_eq!(found(&rules, "X-Internal-Auth: some words\nnext"), ["some words"]);
    assert_eq!(found(&rules, r#"{"x-internal-auth": "a b", "y": 1}"#), ["a b"]);
    assert!(rules.denies("xInternalAuth") && rules.denies("X_INTERNAL_AUTH") && !rules.denies("auth"));
}

#[test]
fn many_keywords_take_linear_time() {
    let rules = load(ACME, Owner::User).expect("rules");
    assert_eq!(found(&rules, &"acme".repeat(200_000)), [""; 0]);
}

#[test]
fn people_are_hidden_when_a_user_asks_for_it_and_shown_to_be_the_same_only_then() {
    let said = |pii: &str| {
        let rules = load(&format!("version = 1\n{pii}\n"), Owner::Project).expect("rules");
        let keys = crate::Keys { store_secret: [7; 32], redaction_key: [9; 32] };
        let redactor =
            crate::Redactor::new(&keys).with_own(rules, &crate::Known::default(), &keys.redaction_key);
        redactor.redact_text("ann.miller@acme.io paid by 4539148803436467").0
    };
    assert_eq!(said(""), "ann.miller@acme.io paid by 4539148803436467");
    assert_eq!(said("[pii]\nenable = [\"email\", \"card\"]"), "[REDACTED:email] paid by [REDACTED:card]");
    let hashed = said("[pii]\nenable = [\"email\"]\naction = \"hash\"");
    assert!(
        hashed.starts_with("[REDACTED:email:") && hashed.ends_with("] paid by 4539148803436467"),
        "{hashed}"
    );
    assert!(load("version = 1\n[pii]\nenable = [\"name\"]\n", Owner::User).is_err());
}
