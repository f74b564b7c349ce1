//! Folding: however it is cut up, the rows are the same.

use std::ops::ControlFlow;

use event::{Draft, Kind, Origin};
use journal::Place;

use super::{Store, id, note};
use crate::project::fold_sessions;
use crate::views::store::{Direction, MemStore, Pair, ViewStore};
use crate::{Budget, Index, Scope};

fn eventful(count: usize) -> Vec<Draft> {
    let kinds = ["skill.returned", "handoff.made", "error.raised", "reasoning.recorded", "note.added"];
    (0..count)
        .map(|n| {
            let mut draft = Draft::new("s", Kind::of(kinds[n % kinds.len()]), Origin::Claimed)
                .data("text", format!("event {n}"));
            if n % 3 > 0 {
                draft = draft.with("agent", if n % 3 == 1 { "dev" } else { "" });
            }
            if n % 2 > 0 {
                draft = draft.with("group", format!("G{}", n % 4));
            }
            if kinds[n % kinds.len()] == "skill.returned" {
                draft = draft.with("skill", "pytest").with("status", "ok");
            }
            if n % 7 == 0 { draft.key(format!("k{}", n % 14)) } else { draft }
        })
        .collect()
}

fn rows(store: &dyn ViewStore) -> Vec<Pair> {
    let mut out = Vec::new();
    let mut each = |key: &[u8], value: &[u8]| {
        out.push((key.to_vec(), value.to_vec()));
        ControlFlow::Continue(())
    };
    store.scan(b"", Direction::Forward, &mut each).expect("a scan");
    out
}

fn answers(index: &Index, folded: bool) -> String {
    let (all, one) = (Scope::All, Scope::Session(id("s")));
    let views = if folded { index.folded_views(&all) } else { index.views(&all) }.expect("views");
    let all = format!("{:?} {:?}", views.as_of, views.sessions().expect("rows"));
    drop(views);
    let views = if folded { index.folded_views(&one) } else { index.views(&one) }.expect("views");
    let (timeline, outputs) =
        (views.timeline(&id("s")).expect("rows"), views.outputs(&id("s")).expect("rows"));
    let (handoffs, errors) = (views.handoffs(&id("s")).expect("rows"), views.errors(&id("s")).expect("rows"));
    let group = views.group("G1").expect("rows");
    format!("{all}{timeline:?}{outputs:?}{handoffs:?}{errors:?}{group:?}")
}

#[test]
fn folded_in_one_go_is_folded_with_a_restart_at_every_event() {
    let store = Store::new();
    store.tell(eventful(300));
    let whole = MemStore::default();
    fold_sessions(&store.journal, &whole, vec![(id("s"), Place::default())], &|_| true).expect("a fold");
    let steps = MemStore::default();
    let mut reader = store.journal.read(&id("s"), Place::default()).expect("a reader");
    let mut fold_to = Vec::new();
    while reader.next().expect("a line").is_some() {
        fold_to.push(reader.place().clone());
    }
    let mut place = Place::default();
    for next in fold_to {
        step(&store, &steps, &place, &next);
        place = next;
    }
    assert_eq!(rows(&whole), rows(&steps));
    assert!(rows(&whole).len() > 12);
}

/// Folds one event in a fold of its own.
fn step(store: &Store, views: &MemStore, from: &Place, to: &Place) {
    use crate::duplicates::{KeyBook, Verdict, key_hash};
    let holders = crate::views::holders_of(views, "s").expect("keys");
    let earlier = move |key: &str| holders.get(&key_hash(key)).cloned().unwrap_or_default();
    let mut keys = KeyBook::new(&store.journal, id("s"), Some(Box::new(earlier)));
    let mut reader = store.journal.read(&id("s"), from.clone()).expect("a reader");
    let entry = reader.next().expect("a line").expect("one more");
    let verdict = keys.judge(&entry.line, entry.pointer);
    let mut facts = crate::Facts::of(&entry.line, entry.pointer);
    facts.conflict = verdict == Verdict::Conflict;
    let mut fold = crate::views::fold::Fold::new(views);
    match verdict {
        Verdict::Duplicate => fold.session("s").expect("a row").duplicates += 1,
        Verdict::Told | Verdict::Conflict => fold.tell(&facts).expect("a fold"),
        Verdict::Retold => fold.retell(&facts).expect("a fold"),
    }
    fold.put("s", to).expect("a batch");
}

/// Long answers are equal; if not, the place where they part is shown and not all of them.
fn same(a: &str, b: &str) {
    let part = a.bytes().zip(b.bytes()).position(|(a, b)| a != b);
    let around = |text: &str, at: usize| {
        String::from_utf8_lossy(&text.as_bytes()[at.saturating_sub(300)..(at + 100).min(text.len())])
            .into_owned()
    };
    if let Some(at) = part {
        panic!("{}\n\n{}", around(a, at), around(b, at));
    }
    assert_eq!(a.len(), b.len());
}

#[test]
fn stored_views_say_what_the_journal_says() {
    let store = Store::new();
    store.tell(eventful(400));
    store.tell(vec![note("t", "other")]);
    let index = store.index();
    let from_journal = answers(&index, true);
    index.catch_up(Budget::ALL).expect("caught up");
    same(&answers(&index, false), &from_journal);
    store.tell(eventful(50));
    // a rest that is not projected yet
    same(&answers(&index, false), &answers(&index, true));
    index.catch_up(Budget::ALL).expect("caught up");
    same(&answers(&index, false), &answers(&index, true));
    index.reindex().expect("a rebuild");
    let once = answers(&index, false);
    index.reindex().expect("a rebuild");
    same(&once, &answers(&index, false));
}

#[test]
fn views_about_some_nouns_say_what_all_views_say_of_them() {
    let store = Store::new();
    store.tell(eventful(400));
    // told again, and in conflict with an event of another noun
    store.tell(eventful(20));
    store.tell(vec![note("s", "other").key("k0"), note("s", "again").key("n"), note("s", "again").key("n")]);
    let index = store.index();
    let all = index.folded_views(&Scope::Session(id("s"))).expect("views");
    for noun in ["skill", "handoff", "error", "reasoning", "note"] {
        let some = index.views_about(&id("s"), &[noun]).expect("views");
        assert!(!store.index_folder().exists(), "nothing is made for it");
        let rows = all.noun(&id("s"), noun).expect("rows");
        assert_eq!(some.noun(&id("s"), noun).expect("rows"), rows, "{noun}");
        assert_eq!(some.timeline(&id("s")).expect("rows"), rows, "{noun}");
        assert_eq!(some.place(&id("s")).expect("a place"), all.place(&id("s")).expect("a place"));
        assert!(!rows.is_empty());
    }
    let outputs = |views: &crate::Views| views.outputs(&id("s")).expect("rows");
    assert_eq!(outputs(&index.views_about(&id("s"), &["skill"]).expect("views")), outputs(&all));
}

#[test]
fn views_about_a_damaged_session_are_those_of_the_whole() {
    let store = Store::new();
    store.tell(eventful(30));
    let path = store.folder.path().join("journal/sessions/s/0000000000.ndjson");
    let text = std::fs::read_to_string(&path).expect("a segment");
    let line = text.lines().nth(9).expect("a line");
    for (from, to) in [("{\"v\"", "{\"w\""), ("event 8", "event 9"), ("\"prev\":\"", "\"prev\":\"0")] {
        let damaged = text.replacen(line, &line.replacen(from, to, 1), 1);
        assert_ne!(damaged, text);
        std::fs::write(&path, damaged).expect("damage");
        let noun = if line.contains("note.added") { "note" } else { "reasoning" };
        let views = store.index().views_about(&id("s"), &[noun]).expect("views");
        assert!(!views.complete, "{from}");
        assert_eq!(views.as_of.events, 31);
    }
}

#[test]
fn iterations_count_in_journal_order_and_absent_is_not_empty() {
    let store = Store::new();
    let output = |agent: Option<&str>, text: &str| {
        let draft = Draft::new("s", Kind::of("skill.returned"), Origin::Claimed)
            .with("skill", "lint")
            .data("output", text);
        match agent {
            Some(agent) => draft.with("agent", agent),
            None => draft,
        }
    };
    store.tell(vec![output(None, "a"), output(Some(""), "b"), output(None, "c"), output(Some("dev"), "d")]);
    let index = store.index();
    index.catch_up(Budget::ALL).expect("caught up");
    let views = index.views(&Scope::Session(id("s"))).expect("views");
    let latest = |agent| {
        views.latest_output(&id("s"), "lint", agent, None).expect("rows").map(|o| (o.iteration, o.row.seq))
    };
    assert_eq!(latest(None), Some((2, 3)));
    assert_eq!(latest(Some("")), Some((1, 2)));
    assert_eq!(latest(Some("dev")), Some((1, 4)));
    assert_eq!(latest(Some("qa")), None);
    assert_eq!(views.outputs(&id("s")).expect("rows").len(), 4);
}

#[test]
fn keys_say_who_told_what() {
    let store = Store::new();
    store.tell(vec![note("s", "x").key("k1"), note("t", "y").key("k1"), note("t", "z").key("k2")]);
    let keys = store.index().views(&Scope::All).expect("views").keys().expect("keys");
    let holders =
        |key| keys.holders(key).iter().map(|h| format!("{}/{}", h.session, h.seq)).collect::<Vec<_>>();
    assert_eq!(holders("claimed:k1"), ["s/1", "t/1"]);
    assert_eq!(holders("claimed:k2"), ["t/2"]);
    assert_eq!(holders("observed:k1"), [""; 0]);
}

#[test]
fn a_budget_is_kept_and_the_rest_comes_later() {
    let store = Store::new();
    store.tell((0..3_500).map(|n| note("s", &format!("event {n}"))).collect());
    let index = store.index();
    let some = Budget { events: 1_000, ..Budget::ALL };
    assert_eq!(index.catch_up(some).expect("some"), crate::CaughtUp::Partly);
    assert_eq!(super::ask(&index, "event").total, 3_500);
    assert_eq!(index.views(&Scope::All).expect("views").as_of.events, 3_501);
    while index.catch_up(some).expect("some") == crate::CaughtUp::Partly {}
    assert_eq!(super::ask(&index, "event").total, 3_500);
}
