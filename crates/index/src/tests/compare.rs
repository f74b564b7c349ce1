//! Comparing the index with the journal: what is missing, what is more, what is found by other words.

use std::fs;

use tantivy::schema::Value as _;

use super::{Store, id, note};
use crate::folders::Part;
use crate::views::sled_store::patiently;
use crate::{Budget, Compared, Index};

fn told() -> Store {
    let store = Store::new();
    let text = |n: u32| format!("token number {n} of src/jwt_handler.py and camelCase{n}, 漢字 too");
    let notes = (0..120).map(|n| {
        note(if n % 3 == 0 { "a" } else { "b" }, &text(n)).with("agent", "dev").key(format!("k{}", n / 2))
    });
    store.tell(notes.collect());
    store.index().catch_up(Budget::ALL).expect("caught up");
    store
}

fn compared(store: &Store) -> Compared {
    store.index().compare().expect("a comparison").expect("an index")
}

/// Writes to the text index past all rules.
fn tamper(index: &Index, work: impl FnOnce(&mut tantivy::IndexWriter, &tantivy::schema::Schema)) {
    let path = index.folders.current(Part::Text).expect("an index");
    let opened = tantivy::Index::open_in_dir(path).expect("an index");
    opened.tokenizers().register("recount", tantivy::tokenizer::SimpleTokenizer::default());
    let payload = opened.load_metas().expect("metas").payload;
    let mut writer: tantivy::IndexWriter = opened.writer(50_000_000).expect("a writer");
    work(&mut writer, &opened.schema());
    let mut commit = writer.prepare_commit().expect("a commit");
    commit.set_payload(&payload.expect("a payload"));
    commit.commit().expect("a commit");
    writer.wait_merging_threads().expect("an end");
}

fn term(schema: &tantivy::schema::Schema, field: &str, text: &str) -> tantivy::Term {
    tantivy::Term::from_field_text(schema.get_field(field).expect("a field"), text)
}

#[test]
fn an_index_that_is_the_journals_has_no_flaw_and_every_token_was_looked_up() {
    let store = told();
    let compared = compared(&store);
    assert_eq!(compared.flaws, []);
    assert!(compared.events >= 100 && compared.tokens > 10 * compared.events, "{compared:?}");
    assert!(compared.rows > 0 && compared.behind == 0);
    assert_eq!(Store::new().index().compare().expect("a comparison"), None);
}

#[test]
fn what_is_not_in_yet_is_no_flaw() {
    let store = told();
    store.tell(vec![note("a", "later"), note("c", "another session")]);
    let compared = compared(&store);
    assert_eq!((compared.flaws.as_slice(), compared.behind), (&[][..], 3));
}

#[test]
fn case_61_an_index_that_lacks_an_event() {
    let store = told();
    tamper(&store.index(), |writer, schema| {
        writer.delete_term(term(schema, "text", "camelcase60"));
    });
    let flaws = compared(&store).flaws;
    assert_eq!(flaws.len(), 1, "{flaws:?}");
    assert_eq!((flaws[0].session.as_deref(), flaws[0].what.as_str()), (Some("a"), "the index lacks it"));
}

#[test]
fn case_61_an_index_that_has_an_event_more() {
    let store = told();
    let add = |session: &str, seq: u64| {
        tamper(&store.index(), |writer, schema| {
            let mut doc = tantivy::TantivyDocument::default();
            let field = |name| schema.get_field(name).expect("a field");
            doc.add_text(field("session"), session);
            doc.add_text(field("text"), "planted");
            doc.add_i64(field("time"), 1);
            for (name, value) in
                [("seq", seq), ("text_bytes", 7), ("segment", 0), ("offset", 0), ("line_bytes", 9)]
            {
                doc.add_u64(field(name), value);
            }
            writer.add_document(doc).expect("added");
        });
    };
    // one that is there twice, one behind the end, one of a session that is not there
    for (session, seq) in [("a", 3), ("a", 900), ("zzz", 0)] {
        add(session, seq);
        let flaws = compared(&store).flaws;
        assert!(
            flaws
                .iter()
                .any(|flaw| flaw.session.as_deref() == Some(session) && flaw.what.contains("the index has")),
            "{session}/{seq}: {flaws:?}"
        );
    }
}

#[test]
fn an_event_that_is_found_by_other_words_is_a_flaw() {
    let store = told();
    // the same document, its text cut into words by another rule
    let index = store.index();
    let (_, at) = store.journal.event(&id("b"), 2).expect("an event");
    tamper(&index, |writer, schema| {
        writer.delete_term(term(schema, "text", "camelcase2"));
        let mut doc = tantivy::TantivyDocument::default();
        let field = |name| schema.get_field(name).expect("a field");
        doc.add_text(field("session"), "b");
        doc.add_text(field("text"), "token number 2 of src/jwt_handler.py and camelCase2, 漢字 too");
        doc.add_i64(field("time"), 1);
        for (name, value) in [
            ("seq", 2),
            ("text_bytes", 60),
            ("segment", at.segment),
            ("offset", at.offset),
            ("line_bytes", u64::from(at.len)),
        ] {
            doc.add_u64(field(name), value);
        }
        assert!(doc.get_first(field("text")).and_then(|value| value.as_str()).is_some());
        writer.add_document(doc).expect("added");
    });
    let flaws = compared(&store).flaws;
    assert!(flaws.iter().any(|flaw| flaw.what.contains("its own tokens")), "{flaws:?}");
}

#[test]
fn views_that_miss_or_have_rows_are_a_flaw() {
    let store = told();
    let index = store.index();
    let path = index.folders.current(Part::Views).expect("views");
    let rows = || {
        let tree = patiently(&sled::Config::new().path(&path)).expect("a store");
        let rows: Vec<_> = tree.iter().map(|row| row.expect("a row")).collect();
        (tree, rows)
    };
    let (tree, all) = rows();
    let (key, value) = all.iter().find(|(key, _)| key.first() == Some(&b's')).cloned().expect("a row");
    tree.remove(&key).expect("removed");
    tree.flush().expect("flushed");
    drop(tree);
    assert!(compared(&store).flaws.iter().any(|flaw| flaw.what.contains("rows of its views")));
    let (tree, _) = rows();
    tree.insert(key, value).expect("put back");
    tree.insert(b"zplanted", b"row").expect("planted");
    tree.flush().expect("flushed");
    drop(tree);
    let flaws = compared(&store).flaws;
    assert!(flaws.iter().any(|flaw| flaw.what.contains("1 rows more")), "{flaws:?}");
}

#[test]
fn a_text_index_that_cannot_be_read_is_a_flaw() {
    let store = told();
    let path = store.index().folders.current(Part::Text).expect("an index");
    let part = fs::read_dir(&path).expect("a folder").flatten().map(|entry| entry.path());
    let term =
        part.into_iter().find(|path| path.extension().is_some_and(|end| end == "term")).expect("a file");
    let mut bytes = fs::read(&term).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&term, bytes).expect("written");
    assert!(!compared(&store).flaws.is_empty());
}
