//! A listing shows what the journal tells: kept, extended, thrown away, whatever happens to either.

use std::fs;
use std::path::{Path, PathBuf};

use event::{Draft, Event, Kind, Line, Origin, SessionId};
use journal::{Journal, Options};
use proptest::prelude::*;
use recorder::{Durability, Recorder, RecorderError, Store, Timeline, TimelineRow, summary};
use redact::Keys;
use serde_json::{Value, json};
use tempfile::TempDir;
use world::World;

/// A store on a disk of its own, whose sessions are all worth a listing.
struct House {
    folder: TempDir,
    store: Store,
    recorder: Recorder,
}

fn id(session: &str) -> SessionId {
    SessionId::new(session).expect("an id")
}

impl House {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let (journal, _) = Journal::init(World::real(), folder.path()).expect("a store");
        let journal = journal.with_options(Options { segment_bytes: 6_000 });
        let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
        let recorder = Recorder::new(&journal, &keys, Durability::Os);
        let store = recorder.store().with_listing_bytes(1);
        Self { folder, store, recorder }
    }

    fn say(&mut self, session: &str, n: u8) {
        let text = ["a", "two words", "line\none\u{1b}[31m more", "ünï ✓", ""][usize::from(n) % 5]
            .repeat(usize::from(n));
        let kind = ["message.recorded", "reasoning.recorded", "note.added"][usize::from(n) % 3];
        let agent = ["dev", "qa"][usize::from(n / 3) % 2];
        let mut draft = Draft::new(session, Kind::of(kind), Origin::Claimed)
            .with("agent", agent.to_owned())
            .with("group", n.is_multiple_of(4).then(|| "AUTH".to_owned()))
            .data("text", text);
        if n.is_multiple_of(5) {
            draft = draft.with("parent", u64::from(n % 7));
        }
        if n.is_multiple_of(3) {
            draft = draft.key(format!("k{}", n % 6));
        }
        self.recorder.record(draft).expect("a receipt");
    }

    fn listings(&self) -> PathBuf {
        self.folder.path().join("index/listings")
    }

    /// The segments of a session, in order.
    fn segments(&self, session: &str) -> Vec<PathBuf> {
        let folder = self.folder.path().join("journal/sessions").join(session);
        let names = fs::read_dir(folder).expect("a session").flatten().map(|entry| entry.path());
        let mut found: Vec<PathBuf> =
            names.filter(|path| path.extension().is_some_and(|end| end == "ndjson")).collect();
        found.sort();
        found
    }

    /// The listing and the journal, asked for the same; where the journal cannot tell, the listing does not either.
    fn agrees(&self, session: &str) {
        let told = |timeline: Result<Timeline, RecorderError>| match timeline {
            Ok(timeline) => (timeline.duplicates, timeline.damaged, self.shown(&timeline)),
            Err(error) => (0, 0, vec![error.to_string().into()]),
        };
        let (listed, read) = (self.store.listing(&id(session)), self.store.timeline(&id(session)));
        assert_eq!(told(listed), told(read));
        let plain = self.store.clone().with_listing_bytes(u64::MAX);
        let story = |store: &Store| store.story(&id(session)).map_err(|error| error.to_string());
        assert_eq!(story(&self.store), story(&plain));
        assert_eq!(glances(&self.store, session), glances(&plain, session));
    }

    fn listing(&self, session: &str) -> Timeline {
        self.store.listing(&id(session)).expect("a listing")
    }

    /// All that a row shows, as its event says it now where none was kept.
    fn shown(&self, timeline: &Timeline) -> Vec<Value> {
        let rows: Vec<&TimelineRow> = timeline.rows.iter().collect();
        let show = |row: &&TimelineRow, fetcher: &mut recorder::Fetcher| {
            let step = &row.step;
            let briefs: Vec<Value> = [10, 120, 400]
                .into_iter()
                .map(|limit| {
                    fetcher.brief(row, limit).map_or_else(
                        |error| error.to_string().into(),
                        |brief| {
                            json!([
                                brief.time,
                                brief.kind,
                                brief.actor(),
                                brief.agent,
                                brief.agent_id,
                                brief.group,
                                brief.hash,
                                brief.label,
                                brief.text,
                            ])
                        },
                    )
                })
                .collect();
            json!([
                row.session.as_str(),
                step.seq(),
                step.conflict,
                step.superseded,
                step.kind(),
                step.group(),
                step.agent(),
                step.agent_id(),
                step.supersedes(),
                format!("{:?}", step.pointer),
                briefs
            ])
        };
        let page = |rows: &[&TimelineRow], fetcher: &mut recorder::Fetcher| {
            rows.iter().map(|row| show(row, fetcher)).collect::<Vec<_>>()
        };
        self.store.of_rows(&rows, 7, &page).into_iter().flatten().collect()
    }
}

/// The lines of a stretch, each as it is checked, and whether the stretch is plain.
fn glances(store: &Store, session: &str) -> (Vec<String>, bool) {
    let stretch = store.stretch(&id(session), 1 << 20).expect("reads").expect("is there");
    let mut lines = Vec::new();
    let plain = stretch.each(&mut |glance| {
        let event = glance.event(&id(session)).map_err(|finding| finding.to_string());
        lines.push(format!(
            "{} {} {:?} {:?} {event:?}",
            glance.seq,
            glance.kind,
            glance.pointer,
            glance.line()
        ));
    });
    (lines, plain && stretch.is_whole())
}

/// The line that begins at or before an offset.
fn line_at(bytes: &[u8], at: usize) -> std::ops::Range<usize> {
    let start = bytes[..at].iter().rposition(|b| *b == b'\n').map_or(0, |end| end + 1);
    let end = bytes[start..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |end| start + end);
    start..end
}

/// What an erasure leaves of the first member of a line.
fn erase(bytes: &mut [u8], line: std::ops::Range<usize>) {
    let start = line.start;
    let Ok(parsed) = Line::parse(&bytes[line]) else { return };
    let Some(member) = parsed.members.first() else { return };
    let (value, slot, salt) = (start + member.value_at, member.slot_bytes, start + member.salt_at);
    bytes[value..value + slot].fill(b' ');
    bytes[value..value + 4].copy_from_slice(b"null");
    bytes[salt..salt + 32].fill(b'0');
}

#[derive(Debug, Clone)]
enum Deed {
    Say(u8),
    SayMuch(u8),
    Ask,
    /// To the journal, at a place.
    Harm(u8, prop::sample::Index, prop::sample::Index),
    /// To the listing, at a place.
    Spoil(u8, prop::sample::Index),
}

fn deed() -> impl Strategy<Value = Deed> {
    prop_oneof![
        4 => any::<u8>().prop_map(Deed::Say),
        1 => any::<u8>().prop_map(Deed::SayMuch),
        4 => Just(Deed::Ask),
        2 => (0..6_u8, any::<prop::sample::Index>(), any::<prop::sample::Index>()).prop_map(|(how, file, at)| Deed::Harm(how, file, at)),
        1 => (0..4_u8, any::<prop::sample::Index>()).prop_map(|(how, at)| Deed::Spoil(how, at)),
    ]
}

fn harm(house: &House, how: u8, file: prop::sample::Index, at: prop::sample::Index) {
    let files = house.segments("s");
    let path = &files[file.index(files.len())];
    let mut bytes = fs::read(path).expect("a segment");
    if bytes.is_empty() {
        return;
    }
    let at = at.index(bytes.len());
    let line = line_at(&bytes, at);
    match how {
        0 => bytes[at] ^= 1,
        1 => bytes[at] = b'\n',
        2 => drop(bytes.drain(line.start..bytes.len().min(line.end + 1))),
        3 => bytes.truncate(at),
        _ => erase(&mut bytes, line),
    }
    fs::write(path, bytes).expect("harm");
}

fn spoil(house: &House, how: u8, at: prop::sample::Index) {
    let (path, other) = (house.listings().join("s"), house.listings().join("t"));
    match how {
        0 => drop(fs::remove_dir_all(house.folder.path().join("index"))),
        // another session's listing under this one's name
        1 => drop(fs::copy(other, path)),
        _ => {
            let Ok(mut bytes) = fs::read(&path) else { return };
            let at = at.index(bytes.len());
            if how == 2 {
                bytes[at] ^= 1;
            } else {
                bytes.truncate(at);
            }
            fs::write(path, bytes).expect("spoils");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_listing_shows_what_the_journal_tells(deeds in prop::collection::vec(deed(), 1..16)) {
        let mut house = House::new();
        (0..40).for_each(|n| house.say("s", n));
        (0..9).for_each(|n| house.say("t", n));
        house.agrees("t");
        house.agrees("s");
        let mut harmed = false;
        for deed in deeds {
            match deed {
                // nothing is appended behind damage
                Deed::Say(_) | Deed::SayMuch(_) if harmed => {}
                Deed::Say(n) => house.say("s", n),
                Deed::SayMuch(n) => (0..130).for_each(|m| house.say("s", n.wrapping_add(m))),
                Deed::Ask => house.agrees("s"),
                Deed::Harm(how, file, at) => {
                    harm(&house, how, file, at);
                    harmed = true;
                }
                Deed::Spoil(how, at) => spoil(&house, how, at),
            }
        }
        house.agrees("s");
        house.agrees("s");
    }
}

/// Rows that were kept, as far as one can see from outside: nothing but them says an event's text without reading it.
fn is_kept(house: &House, session: &str) -> bool {
    house.listings().join(session).is_file()
}

#[test]
fn a_listing_is_kept_gone_on_with_and_thrown_away() {
    let mut house = House::new();
    (0..40).for_each(|n| house.say("s", n));
    assert!(!is_kept(&house, "s"));
    house.agrees("s");
    let first = fs::read(house.listings().join("s")).expect("a listing");
    // a little more is read from the journal …
    house.say("s", 7);
    house.agrees("s");
    assert_eq!(fs::read(house.listings().join("s")).expect("a listing"), first);
    // … and much more is kept
    (0..200).for_each(|n| house.say("s", n));
    house.agrees("s");
    let second = fs::read(house.listings().join("s")).expect("a listing");
    assert!(second.len() > first.len() * 3);
    house.agrees("s");
    // one bit
    let path = &house.segments("s")[0];
    let mut bytes = fs::read(path).expect("a segment");
    let at = bytes.windows(4).position(|four| four == b"two ").expect("a text");
    bytes[at] ^= 1;
    fs::write(path, bytes).expect("harm");
    house.agrees("s");
    let shown = house.shown(&house.listing("s"));
    assert!(shown.iter().any(|row| row.to_string().contains("does not match its commitment")));
}

#[test]
fn while_somebody_indexes_or_nothing_can_be_written_the_journal_answers() {
    let mut house = House::new();
    (0..40).for_each(|n| house.say("s", n));
    fs::create_dir_all(house.folder.path().join("index")).expect("a folder");
    let lock = fs::File::create(house.folder.path().join("index/projector.lock")).expect("the lock");
    lock.lock().expect("the lock");
    house.agrees("s");
    assert!(!is_kept(&house, "s"));
    drop(lock);
    fs::remove_dir_all(house.folder.path().join("index")).expect("removed");
    fs::write(house.folder.path().join("index"), "in the way").expect("a file");
    house.agrees("s");
}

#[test]
fn who_lists_while_others_append_sees_a_beginning_without_a_gap() {
    let mut house = House::new();
    let journal_of = house.folder.path().to_owned();
    (0..40).for_each(|_| house.say("s", 2));
    let listing = |path: &Path| {
        let store = Store::open(World::real(), path).expect("the store").with_listing_bytes(1);
        let listed = store.listing(&id("s")).expect("a listing");
        assert_eq!(listed.damaged, 0);
        let seqs: Vec<u64> = listed.rows.iter().map(|row| row.step.seq()).collect();
        assert_eq!(seqs, (0..seqs.len() as u64).collect::<Vec<_>>());
        seqs.len()
    };
    std::thread::scope(|scope| {
        let lister = scope.spawn(|| {
            let mut last = 0;
            while last < 1041 {
                let now = listing(&journal_of);
                assert!(now >= last, "{now} after {last}");
                last = now;
            }
        });
        (0..1000).for_each(|_| house.say("s", 2));
        lister.join().expect("the lister");
    });
    house.agrees("s");
    assert!(is_kept(&house, "s"));
}

#[test]
fn a_short_summary_is_the_beginning_of_a_long_one() {
    let mut house = House::new();
    (0..60).for_each(|n| house.say("s", n));
    let many: Vec<String> = (0..9).map(|n| "item ".repeat(n * 7)).collect();
    let draft = Draft::new("s", Kind::of("handoff.made"), Origin::Claimed)
        .with("from", "a".to_owned())
        .with("to", "b".to_owned())
        .data("summary", many);
    house.recorder.record(draft).expect("a receipt");
    let listed = house.listing("s");
    let mut fetcher = house.store.fetcher();
    for row in &listed.rows {
        let event: Event = fetcher.event(&row.session, &row.step.pointer).expect("an event");
        for limit in 0..401 {
            let (brief, short) = (fetcher.brief(row, limit).expect("a brief"), summary(&event, limit));
            assert_eq!((&*brief.label, &*brief.text), (short.label.as_str(), short.text.as_str()), "{limit}");
        }
    }
}
