//! Seals from receipts: the same as from the journal, whoever writes in between, and only of what is synced.

use event::{Draft, Kind, Origin};
use journal::Durability;
use recorder::Recorder;
use redact::Keys;

use super::house::House;
use crate::sealer::{Feed, Moment};

fn os(house: &House) -> Recorder {
    let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
    Recorder::new(&house.journal(), &keys, Durability::Os)
}

fn notes(recorder: &mut Recorder, count: u32) {
    for number in 0..count {
        let draft = Draft::new("a", Kind::of("note.added"), Origin::Claimed);
        recorder.record(draft.data("text", format!("note {number}"))).unwrap();
    }
}

fn fed(recorder: &mut Recorder) -> Feed {
    recorder.take_fresh().into_iter().map(|(session, fresh)| (session, fresh.links)).collect()
}

/// Two processes take turns; the first seals what it knows.
fn interleaved() -> (House, Feed) {
    let house = House::new(31);
    house.sealer().begin().unwrap();
    let other = house.another();
    let (mut ours, mut theirs) = (os(&house), os(&other));
    for (our, their) in [(40, 3), (2, 1), (17, 30), (64, 5)] {
        notes(&mut ours, our);
        notes(&mut theirs, their);
    }
    house.journal().hint_unsealed(&event::SessionId::new("a").unwrap()).unwrap();
    (house, fed(&mut ours))
}

#[test]
fn receipts_and_the_journal_give_the_same_root() {
    let (house, feed) = interleaved();
    let read = house.fork(1);
    assert!(feed.values().any(|links| links.len() == 123));
    let fed = house.sealer().seal_fed(true, Moment::Within, &feed).unwrap().unwrap();
    let unfed = read.sealer().seal_hinted(true, Moment::Within).unwrap().unwrap();
    assert_eq!(fed.seals, unfed.seals);
    assert!(fed.stuck.is_empty());
    assert_eq!(house.verify().exit(), 0);
    assert_eq!(read.verify().exit(), 0);
}

#[test]
fn no_seal_covers_what_a_power_cut_loses() {
    let (mut house, feed) = interleaved();
    house.sealer().seal_fed(true, Moment::Within, &feed).unwrap().unwrap();
    notes(&mut os(&house), 50);
    house.sim.crash_machine();
    house.world = house.sim.process();
    assert!(matches!(house.verify().exit(), 0 | 10));
}
