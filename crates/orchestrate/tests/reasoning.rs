//! Reasoning read in one pass is the reasoning of the views, whatever was said, and however it is asked.
#![allow(clippy::unwrap_used)] // an unwrap that fails is a test that fails

use event::{Draft, Kind, Origin, SessionId};
use orchestrate::reasoning::{Entry, NewReasoning, Wanted, get, save, timeline, timeline_json};
use proptest::prelude::*;
use recorder::{Durability, Recorder, harmless_json};
use redact::Keys;
use tempfile::TempDir;
use world::World;

struct House {
    recorder: Recorder,
    folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (journal, _) = journal::Journal::init(World::real(), folder.path()).unwrap();
        let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
        Self { recorder: Recorder::new(&journal, &keys, Durability::Os), folder }
    }

    fn json(&self, group: Option<&str>) -> String {
        timeline_json(&self.recorder.store(), "s", group).unwrap().concat()
    }

    /// A note with a key is no reasoning; reasoning with one sends everybody to the views.
    fn keyed(&mut self, kind: &'static str) {
        let draft = Draft::new("s", Kind::of(kind), Origin::Claimed).key("k").data("text", "keyed");
        let draft = if kind == "reasoning.recorded" { draft.with("phase", "pivot") } else { draft };
        self.recorder.record(draft).unwrap();
    }
}

fn one(n: usize, text: &str) -> NewReasoning {
    NewReasoning {
        session: "s".to_owned(),
        group: Some(["A", "B"][n % 2].to_owned()),
        agent: ["developer", "qa_expert", "a \"name\" 100%"][n % 3].to_owned(),
        agent_id: n.is_multiple_of(4).then(|| format!("dev-{n}")),
        phase: ["approach", "completion", "risks"][n % 3].to_owned(),
        text: text.to_owned(),
        attempt: n.is_multiple_of(5).then_some(n as u64),
        confidence: n.is_multiple_of(2).then(|| "high".to_owned()),
        references: if n.is_multiple_of(6) {
            vec!["src/a.py".to_owned(), "é".to_owned()]
        } else {
            Vec::new()
        },
    }
}

fn array(entries: &[Entry]) -> String {
    let entries = entries.iter().map(|entry| harmless_json(&serde_json::to_string(entry).unwrap()));
    format!("[{}]\n", entries.collect::<Vec<_>>().join(",\n"))
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[ -~]{1,300}",
        "\\PC{1,60}",
        any::<String>(),
        Just("password=hunter2secret and ghp_0123456789abcdefghijklmnopqrstuvwxyz".to_owned()),
    ]
    .prop_map(|text: String| if text.trim().is_empty() { "x".to_owned() } else { text })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn what_is_read_in_one_pass_is_what_the_views_say(texts in prop::collection::vec(text(), 1..60)) {
        let mut house = House::new();
        for (n, text) in texts.iter().enumerate() {
            save(&mut house.recorder, one(n, text)).unwrap();
            if n % 7 == 3 {
                house.keyed("note.added");
            }
        }
        let store = house.recorder.store();
        let whole = |house: &House, group: Option<&str>| timeline(&house.recorder.store(), "s", group).unwrap();
        let asks = [
            Wanted { limit: 3, ..Wanted::of("s") },
            Wanted { agent: Some("qa_expert".to_owned()), limit: 2, ..Wanted::of("s") },
            Wanted { agent: Some("a \"name\" 100%".to_owned()), ..Wanted::of("s") },
            Wanted { group: Some("B".to_owned()), phase: Some("risks".to_owned()), ..Wanted::of("s") },
            Wanted { agent_id: Some("dev-4".to_owned()), ..Wanted::of("s") },
            Wanted { limit: 0, ..Wanted::of("s") },
        ];
        let before: Vec<Vec<Entry>> = asks.iter().map(|wanted| get(&store, wanted).unwrap()).collect();
        let (all, of_b) = (whole(&house, None), whole(&house, Some("B")));
        prop_assert_eq!(all.len(), texts.len());
        for (group, entries) in [(None, &all), (Some("B"), &of_b)] {
            prop_assert_eq!(house.json(group), array(entries));
        }
        // the same by the views
        house.keyed("reasoning.recorded");
        let store = house.recorder.store();
        for (wanted, before) in asks.iter().zip(&before) {
            let limit = wanted.limit.saturating_add(1);
            let mut after = get(&store, &Wanted { limit, ..wanted.clone() }).unwrap();
            after.retain(|entry| entry.text != "keyed");
            after.truncate(wanted.limit);
            prop_assert_eq!(&after, before);
        }
        prop_assert_eq!(&whole(&house, Some("B")), &of_b);
        let mut after = whole(&house, None);
        prop_assert_eq!(after.pop().map(|entry| entry.text), Some("keyed".to_owned()));
        prop_assert_eq!(&after, &all);
        prop_assert_eq!(house.json(None).matches("\"event\"").count(), texts.len() + 1);
        prop_assert!(!house.folder.path().join("index").exists(), "no index was made for it");
    }
}

#[test]
fn a_long_session_is_read_back_as_far_as_needed_and_told_whole() {
    let mut house = House::new();
    let filler = "x".repeat(4000);
    for n in 0..1500 {
        save(&mut house.recorder, one(n, &format!("{n} {filler}"))).unwrap();
    }
    let store = house.recorder.store();
    let newest = get(&store, &Wanted { limit: 4, ..Wanted::of("s") }).unwrap();
    assert_eq!(newest.iter().map(|entry| entry.seq).collect::<Vec<_>>(), [1500, 1499, 1498, 1497]);
    // the first is only found by going back to the beginning
    let first = Wanted { agent_id: Some("dev-0".to_owned()), limit: 1, ..Wanted::of("s") };
    assert_eq!(get(&store, &first).unwrap()[0].seq, 1);
    let entries = timeline(&store, "s", None).unwrap();
    assert_eq!(entries.len(), 1500);
    assert!(house.json(None) == array(&entries));
}

#[test]
fn a_changed_line_is_not_shown() {
    let mut house = House::new();
    for n in 0..5 {
        save(&mut house.recorder, one(n, &format!("number {n}"))).unwrap();
    }
    let session = SessionId::new("s").unwrap();
    let path = house.folder.path().join(format!("journal/sessions/{session}/0000000000.ndjson"));
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replacen("number 2", "number 7", 1)).unwrap();
    assert!(!house.json(None).contains("number 7"));
    let told = get(&house.recorder.store(), &Wanted::of("s")).unwrap();
    assert_eq!(told.len(), 4);
}
