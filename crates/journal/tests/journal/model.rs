//! Random days against a `Vec`: two processes append to two sessions, die, lose the machine, come back,
//! roll and recover, while somebody follows.
//!
//! The model of a session is what it told last. A day's next step may only add to it: what was
//! acknowledged, in order, behind at most a `session.opened` and an `audit.recovered` of the journal's own.
//! A crash of the machine may only cut it, and nothing that was durable.

use event::{Draft, Event, Kind, Origin};
use journal::{
    Durability, FindingCode, Journal, Place, ReadError, Reader, Receipt, Sameness, Writer, compare,
};
use proptest::prelude::*;
use world::World;
use world::sim::{Fault, SimWorld};

use crate::support::{Told, clean, codes, id, init, machine, note, open, told_of, writer};

const SESSIONS: [&str; 2] = ["left", "right"];
const PROCESSES: usize = 2;

#[derive(Debug, Clone)]
enum Step {
    /// A process appends so many events in one write.
    Say { process: usize, session: usize, events: usize, staged: bool },
    /// A process syncs what it has written.
    Sync { process: usize, session: usize },
    /// A process dies at its n-th operation of an append.
    DieSaying { process: usize, session: usize, ops: u64, staged: bool },
    /// The power goes.
    Crash,
    /// Somebody repairs.
    Repair { session: usize },
    /// The follower reads on; maybe from the place that it noted, with a new reader.
    Follow { session: usize, anew: bool },
}

fn step() -> impl Strategy<Value = Step> {
    let (process, session) = (0..PROCESSES, 0..SESSIONS.len());
    let both = (process, session.clone());
    prop_oneof![
        8 => (both.clone(), 1..4_usize, any::<bool>()).prop_map(|((process, session), events, staged)| Step::Say { process, session, events, staged }),
        2 => both.clone().prop_map(|(process, session)| Step::Sync { process, session }),
        2 => (both, 1..25_u64, any::<bool>()).prop_map(|((process, session), ops, staged)| Step::DieSaying { process, session, ops, staged }),
        1 => Just(Step::Crash),
        1 => session.clone().prop_map(|session| Step::Repair { session }),
        4 => (session, any::<bool>()).prop_map(|(session, anew)| Step::Follow { session, anew }),
    ]
}

/// One running process: the first acknowledges what is durable, the second leaves it to the system.
struct Process {
    world: World,
    journal: Journal,
    writers: Vec<Option<Writer>>,
}

impl Process {
    fn start(sim: &SimWorld) -> Self {
        let world = sim.process();
        let journal = open(&world).expect("the store opens");
        Self { world, journal, writers: SESSIONS.iter().map(|_| None).collect() }
    }
}

/// What one session told last, and how much of it is durable for certain.
#[derive(Default)]
struct Model {
    told: Vec<Told>,
    durable: usize,
    follower: Option<Reader>,
    followed: Vec<Told>,
}

struct Day {
    sim: SimWorld,
    processes: Vec<Process>,
    /// Reads, verifies and repairs, in a process that only a crash of the machine ends.
    watcher: Journal,
    models: Vec<Model>,
    said: usize,
}

impl Day {
    fn new(seed: u64) -> Self {
        let sim = machine(seed);
        init(&sim.process()).expect("a store");
        let processes = (0..PROCESSES).map(|_| Process::start(&sim)).collect();
        let watcher = open(&sim.process()).expect("the store opens");
        Self { sim, processes, watcher, models: SESSIONS.iter().map(|_| Model::default()).collect(), said: 0 }
    }

    fn take(&mut self, step: &Step) {
        match *step {
            Step::Say { process, session, events, staged } => {
                let (texts, receipts) = self.say(process, session, events, staged);
                let receipts = receipts.expect("nothing is wrong with the disk");
                self.grew(session, &texts, &receipts);
            }
            Step::Sync { process, session } => self.sync(process, session),
            Step::DieSaying { process, session, ops, staged } => {
                self.die_saying(process, session, ops, staged);
            }
            Step::Crash => self.crash(),
            Step::Repair { session } => self.repair(session),
            Step::Follow { session, anew } => self.follow(session, anew),
        }
    }

    fn say(
        &mut self,
        process: usize,
        session: usize,
        events: usize,
        staged: bool,
    ) -> (Vec<String>, Option<Vec<Receipt>>) {
        let texts: Vec<_> = (0..events).map(|n| format!("text {} of the day", self.said + n)).collect();
        self.said += events;
        let notes: Vec<_> = texts.iter().map(|text| note(SESSIONS[session], text)).collect();
        let process_of = &mut self.processes[process];
        let durability = if process == 0 { Durability::Always } else { Durability::Os };
        let writer = process_of.writers[session]
            .get_or_insert_with(|| writer(&process_of.journal, SESSIONS[session], durability));
        let stage = |writer: &mut Writer| {
            let receipts: Vec<Receipt> =
                notes.iter().map(|note| writer.stage(note)).collect::<Result<_, _>>()?;
            writer.flush()?;
            Ok::<_, journal::JournalError>(receipts)
        };
        let receipts = if staged { stage(writer) } else { writer.append_all(&notes) };
        (texts, receipts.ok())
    }

    /// After an acknowledgement: the old events, what the journal adds on its own, the new ones.
    fn grew(&mut self, session: usize, texts: &[String], receipts: &[Receipt]) {
        let now = self.tell(session);
        let model = &mut self.models[session];
        assert!(now.starts_with(&model.told), "{:?} became {now:?}", model.told);
        let own = now.len() - model.told.len() - texts.len();
        let (own, new) = now[model.told.len()..].split_at(own);
        assert!(own.len() <= 2 && own.iter().all(|told| told.text.is_empty()), "{own:?}");
        for ((told, text), receipt) in new.iter().zip(texts).zip(receipts) {
            assert_eq!((&told.text, &told.hash, told.seq), (text, &receipt.hash, receipt.seq));
        }
        if receipts.iter().all(|receipt| receipt.durable) {
            model.durable = now.len();
        }
        model.told = now;
    }

    fn sync(&mut self, process: usize, session: usize) {
        let Some(writer) = &mut self.processes[process].writers[session] else { return };
        let before = writer.next_seq().unwrap_or(0);
        writer.sync().expect("nothing is wrong with the disk");
        // only what this writer knew of: a later segment is somebody else's
        let known = usize::try_from(before).expect("few events");
        self.models[session].durable =
            self.models[session].durable.max(known.min(self.models[session].told.len()));
    }

    fn die_saying(&mut self, process: usize, session: usize, ops: u64, staged: bool) {
        self.sim.fail_op(ops, Fault::Kill);
        let (texts, receipts) = self.say(process, session, 2, staged);
        self.sim.cancel_faults();
        self.sim.kill(&self.processes[process].world);
        self.processes[process] = Process::start(&self.sim);
        match receipts {
            Some(receipts) => self.grew(session, &texts, &receipts),
            None => self.models[session].told = self.survivors(session, &texts),
        }
    }

    /// After a death: the old events, and any whole lines of what was being said.
    fn survivors(&mut self, session: usize, texts: &[String]) -> Vec<Told> {
        let now = self.tell(session);
        let old = &self.models[session].told;
        assert!(now.starts_with(old), "{old:?} became {now:?}");
        let new = &now[old.len()..];
        assert!(new.iter().all(|told| told.text.is_empty() || texts.contains(&told.text)), "{new:?}");
        now
    }

    fn crash(&mut self) {
        self.sim.crash_machine();
        self.processes = (0..PROCESSES).map(|_| Process::start(&self.sim)).collect();
        self.watcher = open(&self.sim.process()).expect("the store opens");
        for session in 0..SESSIONS.len() {
            let now = self.tell(session);
            let model = &mut self.models[session];
            assert!(model.told.starts_with(&now), "{:?} became {now:?}", model.told);
            assert!(now.len() >= model.durable, "{} of {} durable events", now.len(), model.durable);
            model.told = now;
            (model.follower, model.followed) = (None, Vec::new());
        }
    }

    fn repair(&mut self, session: usize) {
        let journal = &self.watcher;
        if !journal.has(&id(SESSIONS[session])).expect("looks") {
            return;
        }
        let mut writer = writer(journal, SESSIONS[session], Durability::Always);
        writer.repair().expect("repairs");
        self.grew(session, &[], &[]);
        let journal = &self.watcher;
        let report = journal.verify(&id(SESSIONS[session])).expect("verifies");
        assert_eq!(report.findings, []);
    }

    fn follow(&mut self, session: usize, anew: bool) {
        let journal = &self.watcher;
        let model = &mut self.models[session];
        let place = model.follower.as_ref().filter(|_| anew).map(|reader| reader.place().clone());
        let mut reader = match (model.follower.take(), place) {
            (Some(reader), None) => reader,
            (_, place) => journal.read(&id(SESSIONS[session]), place.unwrap_or_default()).expect("opens"),
        };
        while let Some(entry) = reader.next().expect("a follower meets no damage") {
            let event = Event::from_line(&entry.line).expect("an event");
            model.followed.push(told_of(journal, &event).expect("an event"));
        }
        model.follower = Some(reader);
        assert_eq!(model.followed, model.told);
    }

    /// The whole lines before a torn tail; nothing but a torn tail may be wrong.
    fn tell(&self, session: usize) -> Vec<Told> {
        let (journal, session) = (&self.watcher, id(SESSIONS[session]));
        let mut told = Vec::new();
        if !journal.has(&session).expect("looks") {
            return told;
        }
        let report = journal.verify(&session).expect("verifies");
        assert!(codes(&report).iter().all(|c| *c == FindingCode::TornTail), "{:?}", report.findings);
        let mut reader = journal.read(&session, Place::default()).expect("opens");
        loop {
            match reader.next() {
                Ok(Some(entry)) => {
                    let event = Event::from_line(&entry.line).expect("an event");
                    told.push(told_of(journal, &event).expect("an event"));
                }
                Ok(None) => return told,
                Err(ReadError::Damage(_)) if !report.findings.is_empty() => return told,
                Err(e) => panic!("{e}"),
            }
        }
    }
}

#[test]
fn a_day_in_the_life_of_a_store_is_a_vec() {
    let config = ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) };
    proptest!(config, |(seed in any::<u64>(), steps in prop::collection::vec(step(), 1..40))| {
        let mut day = Day::new(seed);
        for step in &steps {
            day.take(step);
        }
    });
}

#[test]
fn the_same_key_is_a_duplicate_or_a_conflict() {
    let sim = machine(1);
    let journal = init(&sim.process()).expect("a store");
    let mut writer = writer(&journal, "left", Durability::Always);
    let draft =
        |text: &str| Draft::new("left", Kind::of("note.added"), Origin::Claimed).key("k").data("text", text);
    for text in ["once", "once", "twice"] {
        writer.append(&clean(draft(text))).expect("the writer does not look");
    }
    let event = |seq| journal.event(&id("left"), seq).expect("an event").0;
    assert_eq!(event(1).text("key"), event(2).text("key"));
    assert_eq!(compare((&event(1)).into(), (&event(2)).into()), Sameness::Duplicate);
    assert_eq!(compare((&event(1)).into(), (&event(3)).into()), Sameness::Conflict);
}
