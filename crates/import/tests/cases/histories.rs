//! Histories that repeat themselves: each can be made again from what is kept of it, and little is kept.

use std::collections::HashMap;

use event::Draft;
use serde_json::{Value, json};

use super::{Case, meta, said};

const THREAD: &str = "0199aaaa-0000-7000-8000-0000000000c1";

fn item(text: &str) -> Value {
    json!({"type": "message", "role": "user", "content": [{"type": "input_text", "text": text}]})
}

fn compacted(history: &[Value]) -> Value {
    json!({"timestamp": "2026-05-04T09:12:00.000Z", "type": "compacted", "payload": {"message": "so far", "replacement_history": history}})
}

/// What an item says, whatever it was told by.
fn text(item: &Value) -> Option<&str> {
    item["content"][0]["text"].as_str()
}

/// The texts of the history of each compaction, every pointer followed.
fn made_again(case: &Case) -> Vec<Vec<String>> {
    let by_key: HashMap<&str, &Draft> =
        case.memory.stored.iter().map(|draft| (draft.key.as_deref().expect("a key"), draft)).collect();
    let mut histories: HashMap<String, Vec<String>> = HashMap::new();
    let mut all = Vec::new();
    for draft in case.all("context.compacted") {
        let kept = draft.data["body"]["replacement_history"].as_array().expect("a list");
        let own = format!("{}/replacement_history", draft.key.as_deref().expect("a key"));
        histories.insert(own.clone(), Vec::new());
        for item in kept {
            let made = match (item["$same"].as_str(), item["count"].as_u64(), item["from"].as_u64()) {
                (None, ..) => vec![text(item).expect("a text").to_owned()],
                (Some(list), Some(count), Some(from)) => {
                    let (from, count) =
                        (usize::try_from(from).expect("small"), usize::try_from(count).expect("small"));
                    histories[list][from..from + count].to_vec()
                }
                (Some(place), ..) => vec![match place.rsplit_once('/') {
                    Some((list, index)) if list.ends_with("replacement_history") => {
                        histories[list][index.parse::<usize>().expect("a place")].clone()
                    }
                    _ => by_key[place].data["text"].as_str().expect("a text").to_owned(),
                }],
            };
            histories.get_mut(&own).expect("its own").extend(made);
        }
        all.push(histories[&own].clone());
    }
    all
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig { failure_persistence: None, ..proptest::prelude::ProptestConfig::with_cases(64) })]
    #[test]
    fn each_history_can_be_made_again(histories in proptest::collection::vec(proptest::collection::vec(0..9_u8, 0..14), 1..6)) {
        let told = ["item 0", "item 1"].map(|text| said("user", text));
        let mut lines = vec![meta(THREAD)];
        lines.extend(told);
        let texts: Vec<Vec<String>> =
            histories.iter().map(|one| one.iter().map(|number| format!("item {number}")).collect()).collect();
        // records that are alike in all are one
        for (number, one) in texts.iter().enumerate() {
            let mut line = compacted(&one.iter().map(|text| item(text)).collect::<Vec<_>>());
            line["payload"]["message"] = format!("so far {number}").into();
            lines.push(line);
        }
        proptest::prop_assert_eq!(made_again(&Case::rollout(&lines)), texts);
    }
}

#[test]
fn a_history_of_many_short_messages_costs_what_is_new_in_it() {
    let mut history = Vec::new();
    let mut lines = vec![meta(THREAD)];
    for round in 0..40 {
        history.extend((0..10).map(|number| item(&format!("step {round} {number}: done, going on"))));
        history.drain(..history.len().saturating_sub(200));
        lines.push(compacted(&history));
    }
    let case = Case::rollout(&lines);
    let last = made_again(&case).pop().expect("one");
    assert_eq!(last.len(), 200);
    assert_eq!(last[0], text(&history[0]).expect("a text"));
    let kept: usize =
        case.memory.stored.iter().map(|draft| Value::Object(draft.data.clone()).to_string().len()).sum();
    let given: usize = lines.iter().map(|line| line.to_string().len()).sum();
    assert!(kept * 10 < given, "{kept} of {given} bytes are kept");
}
