//! What a receipt promises, on a simulated disk: power goes after it, and the event must be there.

use std::path::Path;

use event::{Draft, Kind, Origin, SessionId};
use journal::{Journal, JournalError};
use recorder::{Durability, Outcome, Recorded, Recorder, RecorderError, Store};
use redact::Keys;
use serde_json::{Map, Value};
use world::sim::SimWorld;

const ROOT: &str = "/store";

fn keys() -> Keys {
    Keys { store_secret: [1; 32], redaction_key: [2; 32] }
}

fn recorder(sim: &SimWorld, durability: Durability) -> Recorder {
    let (journal, _) = Journal::init(sim.process(), Path::new(ROOT)).expect("a store");
    Recorder::new(&journal, &keys(), durability)
}

fn note(session: &str, text: &str) -> Draft {
    Draft::new(session, Kind::of("note.added"), Origin::Claimed).data("text", text)
}

fn texts(sim: &SimWorld, session: &str) -> Vec<String> {
    let store = Store::open(sim.process(), Path::new(ROOT)).expect("the store");
    let id = SessionId::new(session).expect("an id");
    let timeline = store.timeline(&id).expect("a timeline");
    let mut fetcher = store.fetcher();
    let events =
        timeline.rows.iter().map(|row| fetcher.event(&row.session, &row.step.pointer).expect("an event"));
    events.filter_map(|event| event.data.get("text")?.as_str().map(str::to_owned)).collect()
}

#[test]
fn vouching_for_an_event_of_another_process_makes_it_durable_first() {
    for seed in 0..20 {
        let sim = SimWorld::new(seed);
        recorder(&sim, Durability::Always).record(note("s", "first")).expect("a receipt");
        // somebody leaves it to the system …
        recorder(&sim, Durability::Os).record(note("s", "kept").key("k")).expect("a receipt");
        // … and we are asked to store the same
        let again = recorder(&sim, Durability::Always).record(note("s", "kept").key("k")).expect("a receipt");
        assert!(matches!(&again, Recorded::Known(receipt) if receipt.durable));
        sim.crash_machine();
        assert_eq!(texts(&sim, "s"), ["first", "kept"], "seed {seed}");
    }
}

#[test]
fn a_known_event_that_nobody_synced_is_not_called_durable() {
    let sim = SimWorld::new(1);
    let mut recorder = recorder(&sim, Durability::Os);
    recorder.record(note("s", "kept").key("k")).expect("a receipt");
    let again = recorder.record(note("s", "kept").key("k")).expect("a receipt");
    assert!(matches!(again, Recorded::Known(receipt) if !receipt.durable));
}

#[test]
fn a_draft_that_is_refused_takes_nothing_from_the_batch_before_it() {
    for seed in 0..20 {
        let sim = SimWorld::new(seed);
        let mut recorder = recorder(&sim, Durability::Batch);
        recorder.record(note("s", "before")).expect("a receipt");
        let many: Map<String, Value> = (0..2000).map(|n| (format!("k{n}"), Value::from(n))).collect();
        let refused = recorder.record(note("s", "refused").with("usage", Value::Object(many)));
        assert!(matches!(refused, Err(RecorderError::Journal(JournalError::Encode { .. }))));
        recorder.sync().expect("a sync");
        sim.crash_machine();
        assert_eq!(texts(&sim, "s"), ["before"], "seed {seed}");
    }
}

#[test]
fn a_second_import_vouches_for_what_the_first_did_not_live_to_sync() {
    for seed in 0..20 {
        let sim = SimWorld::new(seed);
        let record = || {
            let mut draft = note("s", "told");
            draft.origin = Origin::Imported;
            vec![draft.key("r1")]
        };
        let mut first = recorder(&sim, Durability::Batch);
        first.import().take(record()).expect("taken");
        drop(first);
        let mut second = recorder(&sim, Durability::Batch);
        let mut importing = second.import();
        assert_eq!(importing.take(record()).expect("taken"), Outcome::Duplicate);
        importing.finish().expect("durable");
        sim.crash_machine();
        assert_eq!(texts(&sim, "s"), ["told"], "seed {seed}");
    }
}

#[test]
fn a_damaged_event_does_not_stop_who_records_its_key_again() {
    let sim = SimWorld::new(1);
    recorder(&sim, Durability::Always).record(note("s", "precious").key("k")).expect("a receipt");
    let segment = format!("{ROOT}/journal/sessions/s/0000000000.ndjson");
    let mut bytes = sim.read(&segment).expect("the segment");
    let at = bytes.windows(8).position(|w| w == b"precious").expect("the text");
    bytes[at] = b'P';
    sim.write(&segment, &bytes);
    let again = recorder(&sim, Durability::Always).record(note("s", "precious").key("k"));
    assert!(matches!(again, Ok(Recorded::Stored(_))), "{again:?}");
}

#[test]
fn a_past_that_is_shared_in_two_stretches_is_told_once() {
    let sim = SimWorld::new(1);
    let mut recorder = recorder(&sim, Durability::Batch);
    let told = |session: &str, n: u64| {
        let mut draft = note(session, &format!("r{n}"));
        draft.origin = Origin::Imported;
        vec![draft.key(format!("r{n}"))]
    };
    let mut importing = recorder.import();
    for n in [1, 2, 3] {
        importing.take(told("owner", n)).expect("taken");
    }
    // the fork copies one record, says something of its own, copies two more, goes on
    for n in [1, 10, 2, 3, 11] {
        importing.take(told("fork", n)).expect("taken");
    }
    importing.finish().expect("durable");
    assert_eq!(texts(&sim, "fork"), ["r1", "r2", "r3", "r10", "r11"]);
}

#[test]
fn what_a_tool_rewrote_supersedes_what_it_was_and_nobody_else_can() {
    let sim = SimWorld::new(1);
    let mut recorder = recorder(&sim, Durability::Batch);
    let version = |text: &str| {
        let mut draft = note("s", text).with("supersedes", true);
        draft.origin = Origin::Imported;
        vec![draft.key("row")]
    };
    for (text, outcome) in [("one", Outcome::Stored), ("two", Outcome::Stored), ("two", Outcome::Duplicate)] {
        let mut importing = recorder.import();
        assert_eq!(importing.take(version(text)).expect("taken"), outcome, "{text}");
        importing.finish().expect("durable");
    }
    // a caller's event stands under a key of its own, whatever it says
    recorder.record(note("s", "mine").key("row").with("supersedes", 1)).expect("a receipt");
    let store = Store::open(sim.process(), Path::new(ROOT)).expect("the store");
    let timeline = store.timeline(&SessionId::new("s").expect("an id")).expect("a timeline");
    let told = timeline.rows.iter().filter(|row| row.step.kind() == "note.added");
    let said: Vec<_> =
        told.map(|row| (row.step.supersedes(), row.step.superseded, row.step.conflict)).collect();
    let first = said.first().and_then(|_| said[1].0);
    assert_eq!(said.len(), 3);
    assert_eq!((said[0], said[1], said[2].1), ((None, true, false), (first, false, false), false));
    assert!(first.is_some());
}

#[test]
fn two_processes_that_take_turns_in_a_session_know_each_others_keys() {
    let sim = SimWorld::new(1);
    let mut two = [recorder(&sim, Durability::Os), recorder(&sim, Durability::Os)];
    let draft = |n: usize| note("s", &format!("event {n}")).key(format!("k{n}"));
    for n in 0..24 {
        // runs of one, two and three by the same process, then by the other
        let recorded = two[(n / (1 + n % 3)) % 2].record(draft(n)).expect("a receipt");
        assert!(matches!(recorded, Recorded::Stored(_)), "event {n}");
        if n % 5 == 0 {
            two[n % 2].record(note("s", "without a key")).expect("a receipt");
        }
    }
    for n in 0..24 {
        for recorder in &mut two {
            let again = recorder.record(draft(n)).expect("a receipt");
            assert!(matches!(&again, Recorded::Known(_)), "event {n}");
            let receipt = again.receipt();
            let session = SessionId::new("s").expect("an id");
            let store = Store::open(sim.process(), Path::new(ROOT)).expect("the store");
            let event = store.journal().event_at(&session, &receipt.pointer).expect("the event");
            assert_eq!((event.seq, event.hash), (receipt.seq, receipt.hash.clone()));
        }
    }
}

/// What an import takes: some of it refers to what came before, some is told twice, some says so much that it is a
/// batch of its own.
fn transcript() -> Vec<Vec<Draft>> {
    (0..90)
        .map(|n| {
            let session = if n % 30 == 29 { "t" } else { "s" };
            let text =
                if n == 40 { format!("text {n} {}", "long ".repeat(60_000)) } else { format!("text {n}") };
            let mut draft = note(session, &text).key(format!("k{n}")).with("parent", format!("k{}", n / 2));
            draft.origin = Origin::Imported;
            let again = Draft { header: draft.header.clone(), data: draft.data.clone(), ..draft.clone() };
            if n % 20 == 3 { vec![draft, again] } else { vec![draft] }
        })
        .collect()
}

/// Imports in batches, as reading ahead does; an error ends it.
fn import_staged(sim: &SimWorld) -> Result<usize, RecorderError> {
    let journal = Journal::init(sim.process(), Path::new(ROOT))?.0;
    let mut recorder = Recorder::new(&journal, &keys(), Durability::Batch);
    let mut importing = recorder.import();
    importing.begin()?;
    let (mut cleaner, mut stored) = (importing.cleaner(), 0);
    for (n, drafts) in transcript().into_iter().enumerate() {
        let cleaned = drafts.into_iter().map(|draft| cleaner.clean(draft)).collect();
        stored += usize::from(importing.take_cleaned(cleaned)? == Outcome::Stored);
        if n % 17 == 0 {
            importing.flush()?;
        }
    }
    importing.finish()?;
    Ok(stored)
}

fn is_whole(sim: &SimWorld) -> Result<(), String> {
    let (mut told, mut other) = (texts(sim, "s"), texts(sim, "t"));
    told.append(&mut other);
    told.sort();
    told.dedup();
    let store = Store::open(sim.process(), Path::new(ROOT)).map_err(|error| error.to_string())?;
    let report = store.verify_all().map_err(|error| error.to_string())?;
    let sound = report.sessions.iter().all(|session| session.findings.is_empty());
    // all but the picture
    if told.len() == 89 && sound { Ok(()) } else { Err(format!("{} told, sound: {sound}", told.len())) }
}

#[test]
fn an_import_in_batches_that_fails_anywhere_is_made_whole_by_the_next_one() {
    use world::sim::Fault;
    let calm = SimWorld::new(5);
    assert_eq!(import_staged(&calm).expect("imports"), 90);
    is_whole(&calm).expect("whole");
    assert_eq!(import_staged(&calm).expect("imports"), 0);
    let ops = calm.ops();
    let (mut nights, mut failures) = (0, Vec::new());
    for (n, fault) in (1..=ops).step_by(11).flat_map(|n| Fault::ALL.iter().map(move |fault| (n, *fault))) {
        let sim = SimWorld::new(5);
        sim.fail_op(n, fault);
        let done = import_staged(&sim);
        if sim.fired().is_empty() {
            continue;
        }
        nights += 1;
        sim.cancel_faults();
        let crashed = sim.fork(n);
        crashed.crash_machine();
        let mut fail = |what: &str, found: Result<(), String>| {
            if let Err(error) = found {
                failures.push(format!("op {n} {fault:?}, {what}: {error}"));
            }
        };
        if done.is_ok() {
            fail("acknowledged, and then the power went", is_whole(&crashed));
            continue;
        }
        for (what, sim) in [("again", &sim), ("again after a crash", &crashed)] {
            match import_staged(sim) {
                Ok(_) => fail(what, is_whole(sim)),
                Err(error) => fail(what, Err(error.to_string())),
            }
        }
    }
    assert!(nights > 50, "{nights} nights over {ops} operations");
    assert!(failures.is_empty(), "{} of {nights} nights:\n{}", failures.len(), failures.join("\n"));
}
