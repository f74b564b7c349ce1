//! A thousand random erasures in random stores: every proof holds, and no other field changes by a bit.

use std::collections::BTreeMap;

use event::{Draft, Kind, Line, Origin, SessionId};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::Value;

use super::erasures::ask;
use super::house::{House, segment};
use crate::erase::Ask;

const STORES: u32 = 40;
const ERASURES: usize = 25;

type Fields = BTreeMap<(String, u64, String), (String, bool)>;

/// Every member of every event, and whether it is erased.
fn fields(house: &House) -> Fields {
    let mut fields = BTreeMap::new();
    for session in house.journal().sessions().unwrap() {
        for line in house.text(segment(session.as_str())).lines() {
            let line = Line::parse(line.as_bytes()).unwrap();
            for member in &line.members {
                let key = (session.to_string(), line.seq, member.name.to_owned());
                fields.insert(key, (format!("{} {}", member.salt, member.value), member.is_erased()));
            }
        }
    }
    fields
}

fn text() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<String>().prop_map(Value::from),
        "[ -~]{0,80}".prop_map(Value::from),
        any::<bool>().prop_map(Value::from),
        any::<u32>().prop_map(Value::from),
        proptest::collection::vec("[a-z\"\\\\\u{e9}\u{1f600}\n]{0,12}", 0..4).prop_map(Value::from),
    ]
}

#[test]
fn a_thousand_random_erasures_keep_every_proof_and_every_other_field() {
    let store = proptest::collection::vec((0..3_usize, text(), text(), text()), 10..14);
    let picks = proptest::collection::vec(any::<prop::sample::Index>(), ERASURES);
    let mut runner =
        TestRunner::new(Config { cases: STORES, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&(store, picks, any::<u64>()), |(events, picks, seed)| {
        let house = House::new(seed);
        let mut recorder = house.recorder();
        for (session, text, body, detail) in events {
            let draft = Draft::new(["a", "b", "c"][session], Kind::of("note.added"), Origin::Claimed);
            recorder.record(draft.data("text", text).data("body", body).data("detail", detail)).unwrap();
        }
        house.seal();
        for pick in picks {
            let before = fields(&house);
            let own: Vec<_> = before
                .iter()
                .filter(|((_, seq, name), (_, gone))| *seq > 0 && !gone && is_ours(name))
                .collect();
            if own.is_empty() {
                break;
            }
            let ((session, seq, field), _) = own[pick.index(own.len())];
            house.erase(&[Ask { fields: vec![field.clone()], ..ask(session, *seq) }]).unwrap();
            let after = fields(&house);
            for (key, value) in &before {
                let gone = (key.0 == *session && key.1 == *seq && key.2 == *field) != (after[key] == *value);
                prop_assert!(gone, "{key:?} was {value:?} and is {:?}", after[key]);
            }
        }
        let verdict = house.verify();
        prop_assert_eq!(verdict.exit(), 0, "{:#?}", verdict.findings);
        let sessions = house.journal().sessions().unwrap();
        let orders: usize = verdict.sessions.iter().map(|session| session.orders.len()).sum();
        prop_assert_eq!(orders, ERASURES);
        prop_assert!(
            sessions.iter().all(|session: &SessionId| !house.journal().is_erasure_pending(session).unwrap())
        );
        Ok(())
    });
    ran.unwrap();
    assert!(STORES as usize * ERASURES >= 1000);
}

fn is_ours(name: &str) -> bool {
    matches!(name, "text" | "body" | "detail")
}
