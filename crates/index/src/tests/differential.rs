//! The index answers what the scan answers, in its order, whatever is told and asked.

use event::{Draft, Kind, Origin};
use proptest::prelude::*;
use serde_json::json;

use super::{Store, gist, query};
use crate::{Budget, Options, Sort};

const WORDS: [&str; 14] = [
    "token",
    "Token",
    "expired",
    "bd-q3fy",
    "q3fy",
    "src/auth.py",
    "getUserName",
    "令牌过期",
    "过期",
    "крем",
    "crème",
    "e3b0c442",
    "foo_bar",
    "error",
];

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(WORDS.to_vec()).prop_map(str::to_owned)
}

fn text() -> impl Strategy<Value = String> {
    let joint = prop::sample::select(vec![" ", ", ", "-", "\n", "\\n", "."]);
    prop::collection::vec((word(), joint), 0..8)
        .prop_map(|parts| parts.into_iter().flat_map(|(word, joint)| [word, joint.to_owned()]).collect())
}

/// What a draft is made of; a draft itself must not be printed.
#[derive(Debug, Clone)]
struct Seed {
    kind: &'static str,
    session: &'static str,
    agent: Option<&'static str>,
    key: Option<u8>,
    day: Option<u8>,
    text: String,
    more: String,
}

fn seed() -> impl Strategy<Value = Seed> {
    let kinds = vec![
        "note.added",
        "reasoning.recorded",
        "error.raised",
        "skill.returned",
        "skill.invoked",
        "model.called",
        "raw.kept",
    ];
    let kind = prop::sample::select(kinds);
    let session = prop::sample::select(vec!["a", "b", "c-1"]);
    let agent = prop::option::of(prop::sample::select(vec!["dev", "QA", ""]));
    // few distinct keys and times: duplicates, conflicts and ties are common
    let (key, day) = (prop::option::weighted(0.3, 0..4u8), prop::option::of(0..3u8));
    (kind, session, agent, key, day, text(), text()).prop_map(
        |(kind, session, agent, key, day, text, more)| Seed { kind, session, agent, key, day, text, more },
    )
}

fn draft(seed: Seed) -> Draft {
    let Seed { text, more, .. } = seed;
    let mut draft = Draft::new(seed.session, Kind::of(seed.kind), Origin::Claimed);
    draft = match seed.kind {
        "raw.kept" => draft.data("record", json!({"m": text, "n": [more]}).to_string()),
        "skill.returned" => {
            let took = text.len() as u64 * 300;
            let draft = draft.with("skill", "pytest").with("status", "error").with("duration_ms", took);
            draft.data("output", json!([text, 1, more]))
        }
        "skill.invoked" => {
            let input = json!({"file_path": "src/auth.py", "command": if more.len() > 9 { "cargo test" } else { "ls" }});
            draft.with("skill", "Bash").data("input", input).data("text", text)
        }
        "reasoning.recorded" => draft
            .with("confidence", "high")
            .data("text", text)
            .data("references", json!(["src/auth.py", more])),
        "model.called" => draft
            .with("usage", json!({"input": text.len(), "output": more.len()}))
            .data("params", json!({"t": text})),
        "error.raised" => {
            let secrets = "ghp_0123456789abcdefghijklmnopqrstuvwxyz ".repeat(text.len() % 3);
            draft.data("message", text).data("detail", secrets + &more)
        }
        _ => draft.data("text", text).data("body", json!({"more": more})),
    };
    draft = draft.with("agent", seed.agent);
    draft = draft.with("at", seed.day.map(|day| format!("2026-11-2{day}T00:00:00.000000Z")));
    match seed.key {
        Some(key) => draft.key(format!("k{key}")),
        None => draft,
    }
}

fn condition() -> impl Strategy<Value = String> {
    prop_oneof![
        5 => word(),
        2 => (word(), word()).prop_map(|(a, b)| format!("\"{a} {b}\"")),
        1 => (word(), word()).prop_map(|(a, b)| format!("{a}-{b}")),
        1 => prop::sample::select(vec!["tok*", "src/*", "b*", "令*"]).prop_map(str::to_owned),
        2 => (word(), word(), 1..6u32).prop_map(|(a, b, slop)| format!("\"{a} {b}\"~{slop}")),
        1 => prop::sample::select(vec!["token~", "tokne~", "expird~2", "eror~1", "foo_bax~"]).prop_map(str::to_owned),
        1 => prop::sample::select(vec![
            "(session:a /tok.n/)", "(seq:>=1 /EXPIRED|q3fy/)", "(since:2026-11-20 /^src/)", "(session:a,b -/token/)",
        ]).prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            "file:src/auth.py", "file:auth.py", "file:src/*", "conf:high", "dur:>=5s", "dur:<100", "tokens:>=10", "is:test", "tool:pytest",
            "redacted:github_token", "redacted:git*,npm_token", "redacted:>=2", "redacted:1",
        ]).prop_map(str::to_owned),
        2 => prop::sample::select(vec![
            "agent:dev", "agent:q*", "kind:note", "is:error", "is:conflict", "session:a,b", "seq:>=2", "seq:<3",
            "since:2026-11-21", "before:2026-11-22", "has:agent", "skill:pytest", "agent:\"\"",
        ]).prop_map(str::to_owned),
    ]
}

fn question() -> impl Strategy<Value = String> {
    condition().prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 2..4).prop_map(|all| all.join(" ")),
            prop::collection::vec(inner.clone(), 2..4).prop_map(|any| format!("({})", any.join(" OR "))),
            inner.prop_map(|one| format!("-({one})")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    #[test]
    fn index_and_scan_agree(
        first in prop::collection::vec(seed(), 1..25),
        second in prop::collection::vec(seed(), 0..15),
        third in prop::collection::vec(seed(), 0..6),
        questions in prop::collection::vec(question(), 1..12),
        limit in 1..12usize,
    ) {
        let store = Store::new();
        let index = store.index();
        // two commits and a rest: several segments, and a suffix that only the journal has
        for drafts in [first, second] {
            store.tell(drafts.into_iter().map(draft).collect());
            index.catch_up(Budget::ALL).expect("caught up");
        }
        store.tell(third.into_iter().map(draft).collect());
        for question in questions {
            let query = query(&question);
            for sort in [None, Some(Sort::Newest), Some(Sort::Oldest), Some(Sort::Relevance)] {
                let options = Options { limit, sort, context: 0 };
                let (index, scan) = (index.search(&query, &options).expect("an answer"), index.scan(&query, &options).expect("a scan"));
                prop_assert_eq!(index.source, crate::Source::Index);
                prop_assert_eq!(gist(&index), gist(&scan), "{} {:?}", question, sort);
            }
        }
    }
}
