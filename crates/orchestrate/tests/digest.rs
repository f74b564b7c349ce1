//! Digests against a real store: budgets hold for any text, answers are functions of the journal, and a kept answer
//! is the answer.
#![allow(clippy::unwrap_used)] // an unwrap that fails is a test that fails

use orchestrate::digest::{Answer, Request, Tokenizer, digest, preview};
use orchestrate::reasoning::{NewReasoning, save};
use proptest::prelude::*;
use recorder::{Durability, Recorder};
use redact::Keys;
use tempfile::TempDir;
use world::World;

struct House {
    recorder: Recorder,
    _folder: TempDir,
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (journal, _) = journal::Journal::init(World::real(), folder.path()).unwrap();
        let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
        Self { recorder: Recorder::new(&journal, &keys, Durability::Os), _folder: folder }
    }

    fn say(&mut self, agent: &str, phase: &str, text: &str) {
        let (session, group) = ("s".to_owned(), Some("G".to_owned()));
        let (agent, phase, text) = (agent.to_owned(), phase.to_owned(), text.to_owned());
        save(
            &mut self.recorder,
            NewReasoning { session, group, agent, phase, text, ..NewReasoning::default() },
        )
        .unwrap();
    }

    fn ask(&self, request: &Request) -> Answer {
        preview(&self.recorder.store(), request).unwrap()
    }
}

fn request(budget: u64, tokenizer: Tokenizer) -> Request {
    Request { budget_tokens: budget, tokenizer, ..Request::new("s", "G", "tech_lead") }
}

/// Any text: letters of every script, marks, controls, line breaks, what looks like a heading.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "\\PC{1,600}",
        "[a-z \\n#>`]{1,900}",
        prop::collection::vec(any::<char>(), 1..700).prop_map(|chars| chars.into_iter().collect()),
    ]
    .prop_map(|text: String| if text.trim().is_empty() { "x".to_owned() } else { text })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20))]

    #[test]
    fn r061_a_digest_never_exceeds_its_budget(
        texts in prop::collection::vec(text(), 1..5),
        budgets in prop::collection::vec(0_u64..500, 3),
        per_phase in 0_usize..600,
    ) {
        let mut house = House::new();
        for (text, phase) in texts.iter().zip(["completion", "decisions", "understanding", "risks"]) {
            house.say("developer", phase, text);
        }
        for budget in budgets {
            for tokenizer in [Tokenizer::O200k, Tokenizer::Bytes4] {
                let answer = house.ask(&Request { per_phase_chars: per_phase, ..request(budget, tokenizer) });
                let digest = &answer.digest;
                prop_assert_eq!(digest.tokens, tokenizer.count(&digest.text));
                prop_assert!(digest.tokens <= budget, "{} of {}: {:?}", digest.tokens, budget, digest.text);
                prop_assert!(digest.parts.iter().all(|part| part.kept_chars <= per_phase as u64));
                // no line of recorded text can pass for one of ours
                let own = |line: &str| line.is_empty() || line.starts_with('>') || line.starts_with("## Prior ")
                    || line.starts_with("### Developer (") || line.starts_with("Recorded by ");
                prop_assert!(digest.text.lines().all(own), "{:?}", digest.text);
            }
        }
    }
}

#[test]
fn r065_a_kept_digest_is_given_again_until_something_it_rests_on_happens() {
    let mut house = House::new();
    house.say("developer", "completion", "first");
    let asked = request(1200, Tokenizer::Bytes4);
    let first = house.ask(&asked);
    let again = house.ask(&asked);
    assert!(!first.cached && again.cached);
    assert_eq!(first.digest, again.digest);
    // of another group, or of no phase that counts: nothing changes
    save(
        &mut house.recorder,
        NewReasoning {
            session: "s".to_owned(),
            group: Some("OTHER".to_owned()),
            agent: "developer".to_owned(),
            phase: "completion".to_owned(),
            text: "elsewhere".to_owned(),
            ..NewReasoning::default()
        },
    )
    .unwrap();
    assert!(house.ask(&asked).cached);
    house.say("developer", "completion", "second");
    let third = house.ask(&asked);
    assert!(!third.cached && third.digest.text.contains("second") && !third.digest.text.contains("first"));
    assert_ne!(third.digest.id, first.digest.id);
}

#[test]
fn r065_a_kept_digest_that_was_changed_is_no_answer() {
    let mut house = House::new();
    house.say("developer", "completion", "what was really said");
    let asked = request(1200, Tokenizer::Bytes4);
    house.ask(&asked);
    let folder = house.recorder.store().journal().root().join("index/digests");
    for file in std::fs::read_dir(&folder).unwrap() {
        let path = file.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, text.replace("really", "never")).unwrap();
    }
    let answer = house.ask(&asked);
    assert!(!answer.cached && answer.digest.text.contains("really"));
}

#[test]
fn a_digest_is_a_function_of_the_journal_up_to_a_sequence() {
    let mut house = House::new();
    house.say("developer", "completion", "first");
    let upto = house.ask(&request(1200, Tokenizer::Bytes4)).digest.upto;
    let then = house.ask(&Request { upto: Some(upto), ..request(1200, Tokenizer::Bytes4) }).digest.text;
    house.say("developer", "completion", "second");
    house.say("qa_expert", "decisions", "third");
    // another limit is another question: made anew, not taken from what was kept
    let later = Request { upto: Some(upto), limit: 9, ..request(1200, Tokenizer::Bytes4) };
    let answer = house.ask(&later);
    assert!(!answer.cached && answer.digest.text.contains("first") && !answer.digest.text.contains("second"));
    assert_eq!(answer.digest.parts.len(), 1);
    let lines = |text: &str| text.lines().skip(3).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(lines(&answer.digest.text), lines(&then));
}

#[test]
fn r064_a_digest_is_recorded_once_and_says_what_was_left_out() {
    let mut house = House::new();
    for phase in ["completion", "decisions", "understanding", "risks"] {
        house.say("developer", phase, &"long ".repeat(200));
    }
    let asked = request(1200, Tokenizer::O200k);
    let first = digest(&mut house.recorder, &asked).unwrap();
    let again = digest(&mut house.recorder, &asked).unwrap();
    assert_eq!(first.digest.assembled, again.digest.assembled);
    assert!(again.cached && first.digest.assembled.is_some());
    let store = house.recorder.store();
    let (event, _) =
        store.event(&event::EventRef::parse(first.digest.assembled.as_deref().unwrap()).unwrap()).unwrap();
    assert_eq!(event.data["text"], first.digest.text);
    assert_eq!((event.text("to"), event.header["cut"].as_bool()), (Some("tech_lead"), Some(true)));
    let order: Vec<&str> = first.digest.parts.iter().map(|part| part.phase.as_str()).collect();
    assert_eq!(order, ["completion", "decisions", "understanding"]);
    assert!(first.digest.parts.iter().all(|part| part.kept_chars == 400 && first.digest.text.contains('…')));
    let left = &first.digest.left_out;
    assert_eq!((left.len(), left[0].phase.as_str()), (1, "risks"));
    assert!(left[0].why.contains("limit of 3"));
}
