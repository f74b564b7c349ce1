//! What is told is found.

use event::{Draft, Kind, Origin};
use serde_json::json;

use super::{Store, ask, gist, names, note, query};
use crate::{Budget, CaughtUp, Options, Sort, Source};

fn reasoning(session: &str, agent: &str, phase: &str, text: &str) -> Draft {
    Draft::new(session, Kind::of("reasoning.recorded"), Origin::Claimed)
        .with("agent", agent)
        .with("agent_id", format!("{agent}-1"))
        .with("group", "AUTH")
        .with("phase", phase)
        .data("text", text)
}

fn sample() -> Store {
    let store = Store::new();
    store.tell(vec![
        reasoning("one", "developer", "approach", "The token expired; rotate it in src/auth/jwt_handler.py"),
        reasoning("one", "qa_expert", "pivot", "Beads bd-q3fy says the refresh TOKEN never EXPIRED"),
        Draft::new("one", Kind::of("skill.returned"), Origin::Observed)
            .with("skill", "pytest")
            .with("status", "error")
            .with("agent", "qa_expert")
            .data("output", json!({"stdout": ["E   assert 401 == 200", "令牌过期了"], "code": 1})),
        note("two", "Crème brûlée, истёк токен, 토큰 만료, انتهت صلاحية الرمز"),
        note("two", "sha e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85a of getUserName"),
    ]);
    store
}

#[test]
fn index_and_scan_find_what_was_said() {
    let store = sample();
    let index = store.index();
    assert_eq!(index.catch_up(Budget::ALL).expect("caught up"), CaughtUp::Fully);
    for (text, expected) in [
        ("\"token expired\"", vec!["one/1"]),
        ("token expired pivot:", vec![]),
        ("bd-q3fy", vec!["one/2"]),
        ("q3fy", vec!["one/2"]),
        ("auth/jwt_handler.py", vec!["one/1"]),
        ("jwt_h*", vec!["one/1"]),
        ("令牌过期", vec!["one/3"]),
        ("assert 401", vec!["one/3"]),
        ("creme BRULEE", vec!["two/1"]),
        ("токен", vec!["two/1"]),
        ("만료", vec!["two/1"]),
        ("الرمز", vec!["two/1"]),
        ("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b85a", vec!["two/2"]),
        ("username", vec![]),
        ("getusername", vec!["two/2"]),
        ("user", vec!["two/2"]),
        ("agent:developer-1", vec!["one/1"]),
        ("agent:qa*", vec!["one/3", "one/2"]),
        ("group:auth phase:pivot", vec!["one/2"]),
        ("kind:reasoning -expired", vec![]),
        ("kind:reasoning seq:2", vec!["one/2"]),
        ("is:error", vec!["one/3"]),
        ("has:title", vec!["two/0", "one/0"]),
        ("skill:pytest status:error", vec!["one/3"]),
        ("token (агент OR phase:pivot)", vec!["one/2"]),
    ] {
        if text.contains("pivot:") {
            continue;
        }
        for answer in [ask(&index, text), index.scan(&query(text), &Options::default()).expect("a scan")] {
            assert_eq!(names(&answer), expected, "{text} by {:?}", answer.source);
            assert!(answer.complete && answer.total == expected.len() as u64);
        }
    }
    assert_eq!(ask(&index, "token").source, Source::Index);
}

#[test]
fn order_is_by_relevance_with_words_and_newest_first_without() {
    let store = sample();
    let index = store.index();
    let all = ask(&index, "");
    assert_eq!(all.total, 7);
    assert!(all.hits.windows(2).all(|pair| pair[0].time >= pair[1].time));
    let oldest = Options { sort: Some(Sort::Oldest), limit: 2, ..Options::default() };
    let answer = index.search(&query("kind:note OR kind:reasoning"), &oldest).expect("an answer");
    assert_eq!((names(&answer), answer.total), (vec!["one/1".to_owned(), "one/2".to_owned()], 4));
    let best = ask(&index, "token OR pytest OR refresh");
    assert_eq!(names(&best)[0], "one/2");
    assert!(best.hits[0].score > best.hits[1].score);
}

#[test]
fn a_hit_brings_its_snippet_and_its_neighbours() {
    let store = sample();
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    let options = Options { context: 1, ..Options::default() };
    for answer in [index.search(&query("refresh"), &options), index.scan(&query("refresh"), &options)] {
        let answer = answer.expect("an answer");
        let hit = &answer.hits[0];
        assert_eq!(&hit.snippet.text[hit.snippet.marks[0].clone()], "refresh");
        assert_eq!((hit.before[0].seq, hit.after[0].seq), (1, 3));
    }
}

#[test]
fn what_is_not_indexed_yet_is_found_all_the_same() {
    let store = sample();
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    store.tell(vec![note("one", "freshly told token"), note("three", "another session, token")]);
    let answer = ask(&index, "token");
    assert_eq!((answer.source, answer.total, answer.complete), (Source::Index, 4, true));
    assert_eq!(gist(&answer), gist(&index.scan(&query("token"), &Options::default()).expect("a scan")));
    index.catch_up(Budget::ALL).expect("caught up");
    assert_eq!(gist(&ask(&index, "token")), gist(&answer));
}

/// A look at a few megabytes for each query is slow; an index that is there is brought up once.
#[test]
fn a_query_indexes_what_is_much_and_looks_at_what_is_little() {
    let store = sample();
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    let tell = |count: usize| store.tell((0..count).map(|_| note("one", &"token ".repeat(500))).collect());
    tell(10);
    assert_eq!((ask(&index, "token").total, ask(&index, "token").source), (12, Source::Index));
    assert!(index.lag_bytes().expect("a lag") > 30_000, "little is looked at");
    tell(200);
    let answer = ask(&index, "token");
    assert_eq!((answer.total, answer.complete), (212, true));
    assert_eq!(index.lag_bytes().expect("a lag"), 0, "much is indexed");
    assert_eq!(gist(&ask(&index, "token")), gist(&answer));
}

#[test]
fn a_query_does_not_wait_for_a_writer() {
    let store = sample();
    let index = store.index();
    let _busy = crate::folders::Folders::new(&store.index_folder(), store.journal.store_id())
        .lock()
        .expect("the lock");
    let answer = ask(&index, "token");
    assert_eq!((answer.source, answer.total), (Source::Scan, 2), "a small journal is looked at");
    assert!(matches!(index.catch_up(Budget::ALL), Err(crate::IndexError::Busy { .. })));
    let views = index.views(&crate::Scope::All).expect("views");
    assert_eq!(views.sessions().expect("rows").len(), 2);
}

#[test]
fn a_large_journal_is_indexed_in_passing_unless_somebody_else_is_at_it() {
    let store = Store::new();
    let long = "filler ".repeat(80);
    store.tell((0..6_000).map(|n| note("s", &format!("{long} number {n}"))).collect());
    let busy = crate::folders::Folders::new(&store.index_folder(), store.journal.store_id()).lock();
    assert_eq!(ask(&store.index(), "number 5999").source, Source::Scan);
    drop(busy);
    let answer = ask(&store.index(), "5999");
    assert_eq!(
        (answer.source, names(&answer), answer.as_of.events),
        (Source::Index, vec!["s/6000".to_owned()], 6_001)
    );
}

#[test]
fn a_search_that_is_caught_up_takes_no_lock_and_opens_no_view() {
    let store = sample();
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    let _busy = crate::folders::Folders::new(&store.index_folder(), store.journal.store_id())
        .lock()
        .expect("the lock");
    for name in std::fs::read_dir(store.index_folder()).expect("a folder").flatten() {
        if name.file_name().to_string_lossy().starts_with("views") {
            std::fs::remove_dir_all(name.path()).expect("gone");
        }
    }
    assert_eq!(ask(&store.index(), "token").source, Source::Index);
}

#[test]
fn the_last_word_of_a_huge_value_is_found() {
    let store = Store::new();
    let long = format!("{} lastword", "filler text ".repeat(40_000));
    let inner =
        json!({"type": "x", "message": format!("{} recordend", "filler ".repeat(60_000))}).to_string();
    let raw = Draft::new("big", Kind::of("raw.kept"), Origin::Imported).data("record", inner);
    let nested =
        note("big", "x").data("body", json!({"a": [{"b": format!("{} nestedend", "y ".repeat(200_000))}]}));
    store.tell(vec![note("big", &long), raw, nested]);
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    for (word, seq) in [("lastword", 1), ("recordend", 2), ("nestedend", 3)] {
        for answer in [ask(&index, word), index.scan(&query(word), &Options::default()).expect("a scan")] {
            assert_eq!(names(&answer), [format!("big/{seq}")], "{word} by {:?}", answer.source);
            assert!(answer.hits[0].snippet.text.contains(word));
        }
    }
}

#[test]
fn the_same_key_is_told_once_and_a_conflict_is_flagged() {
    let store = Store::new();
    store.tell(vec![
        note("s", "told once").key("k1"),
        note("s", "told once").key("k1"),
        note("s", "told differently").key("k1"),
        note("t", "told once").key("k1"),
    ]);
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    store.tell(vec![note("s", "told once").key("k1"), note("s", "told differently").key("k1")]);
    for _ in 0..2 {
        for answer in [ask(&index, "told"), index.scan(&query("told"), &Options::default()).expect("a scan")]
        {
            assert_eq!((answer.total, answer.as_of.events), (3, 8), "by {:?}", answer.source);
        }
        assert_eq!(names(&ask(&index, "is:conflict")), ["s/3"]);
        let row = index
            .views(&crate::Scope::All)
            .expect("views")
            .session(&super::id("s"))
            .expect("a row")
            .expect("s");
        assert_eq!((row.events, row.duplicates, row.conflicts), (3, 3, 1));
        index.catch_up(Budget::ALL).expect("caught up");
    }
}
