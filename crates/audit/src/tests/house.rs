//! A store in a simulated machine, with a hand that changes its bytes past all rules.

use std::path::{Path, PathBuf};

use event::{Draft, Kind, Origin, SessionId};
use journal::{Durability, Journal};
use recorder::Recorder;
use redact::Keys;
use world::World;
use world::sim::SimWorld;

use crate::keyring::Keyring;
use crate::note::{Checkpoint, Note};
use crate::pin::Pin;
use crate::sealer::{Options, Sealed, Sealer};
use crate::tree::{Tree, leaf_hash};
use crate::verify::{Demands, Verdict, verify};

pub(super) const STORE: &str = "/store";
pub(super) const KEYS: &str = "/keys";
pub(super) const LOG: &str = "/store/journal/log/entries.ndjson";
pub(super) const CHECKPOINT: &str = "/store/journal/log/checkpoint";

pub(super) struct House {
    pub(super) sim: SimWorld,
    pub(super) world: World,
    pub(super) options: Options,
    pub(super) segment_bytes: u64,
}

pub(super) fn segment(session: &str) -> PathBuf {
    Path::new(STORE).join("journal/sessions").join(session).join("0000000000.ndjson")
}

impl House {
    /// An empty store.
    pub(super) fn new(seed: u64) -> Self {
        let sim = SimWorld::new(seed);
        let world = sim.process();
        Journal::init(world.clone(), Path::new(STORE)).unwrap();
        let segment_bytes = journal::Options::default().segment_bytes;
        Self { sim, world, options: Options::default(), segment_bytes }
    }

    /// The golden store: twenty-one events in two sessions, sealed in two rounds, everything known.
    pub(super) fn golden() -> Self {
        let house = Self::new(20);
        house.sealer().begin().unwrap();
        house.notes("a", 0..7);
        house.notes("b", 0..6);
        house.seal();
        house.notes("a", 7..10);
        house.record("b", "error.raised", "it broke");
        house.record("b", "handoff.made", "over to you");
        house.seal();
        house
    }

    /// The same disk from here on in another world.
    pub(super) fn fork(&self, seed: u64) -> Self {
        let sim = self.sim.fork(seed);
        let world = sim.process();
        Self { sim, world, options: self.options, segment_bytes: self.segment_bytes }
    }

    /// Another process of the same machine.
    pub(super) fn another(&self) -> Self {
        let (options, segment_bytes) = (self.options, self.segment_bytes);
        Self { sim: self.sim.clone(), world: self.sim.process(), options, segment_bytes }
    }

    pub(super) fn journal(&self) -> Journal {
        let options = journal::Options { segment_bytes: self.segment_bytes };
        Journal::open(self.world.clone(), Path::new(STORE)).unwrap().with_options(options)
    }

    pub(super) fn keyring(&self) -> Keyring {
        Keyring::new(self.world.clone(), PathBuf::from(KEYS))
    }

    pub(super) fn sealer(&self) -> Sealer {
        Sealer::new(&self.journal(), self.keyring()).with_options(self.options)
    }

    pub(super) fn recorder(&self) -> Recorder {
        recorder(&self.journal())
    }

    /// What a disk that fails leaves of it is nobody's error.
    pub(super) fn try_journal(&self) -> Option<Journal> {
        Journal::open(self.world.clone(), Path::new(STORE)).ok()
    }

    pub(super) fn record(&self, session: &str, kind: &str, text: &str) {
        let draft = Draft::new(session, Kind::of(kind_name(kind)), Origin::Claimed).data("text", text);
        self.recorder().record(draft).unwrap();
    }

    pub(super) fn notes(&self, session: &str, numbers: std::ops::Range<u32>) {
        for number in numbers {
            self.record(session, "note.added", &format!("note {number} of {session}"));
        }
    }

    pub(super) fn seal(&self) -> Sealed {
        self.sealer().seal_all().unwrap()
    }

    /// The pin that this machine remembers, without what it saw last.
    pub(super) fn known(&self) -> Option<Pin> {
        let pin = self.remembered();
        pin.map(|pin| Pin { seen: None, ..pin })
    }

    pub(super) fn remembered(&self) -> Option<Pin> {
        Pin::remembered(&self.keyring(), self.journal().store_id()).0
    }

    pub(super) fn verify_with(&self, pin: Option<Pin>) -> Verdict {
        verify(&self.journal(), &Demands { pin, ..Demands::default() }).unwrap()
    }

    /// Verifies with all that this machine remembers.
    pub(super) fn verify(&self) -> Verdict {
        let (pin, damage) = Pin::remembered(&self.keyring(), self.journal().store_id());
        let damaged = damage.iter().map(ToString::to_string).collect();
        verify(&self.journal(), &Demands { pin, damaged, ..Demands::default() }).unwrap()
    }

    /// Demands an exit code.
    #[track_caller]
    pub(super) fn exits(&self, code: u8) -> Verdict {
        let (pin, damage) = Pin::remembered(&self.keyring(), self.journal().store_id());
        if damage.is_empty() {
            return self.exits_with(pin.as_ref(), code);
        }
        // what is damaged beside our keys is nothing to others
        let verdict = self.verify();
        assert_eq!(verdict.exit(), code, "{:#?}", verdict.findings);
        verdict
    }

    /// Demands an exit code with this pin, of us and of stock tools.
    #[track_caller]
    pub(super) fn exits_with(&self, pin: Option<&Pin>, code: u8) -> Verdict {
        let verdict = self.verify_with(pin.cloned());
        assert_eq!(verdict.exit(), code, "{:#?}", verdict.findings);
        super::scripts::agree_on_store(self, pin, None, code);
        verdict
    }

    pub(super) fn bytes(&self, path: impl AsRef<Path>) -> Vec<u8> {
        self.sim.read(path).unwrap()
    }

    pub(super) fn text(&self, path: impl AsRef<Path>) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    /// Changes a file as a person with an editor does.
    pub(super) fn edit(&self, path: impl AsRef<Path>, change: impl FnOnce(&mut Vec<u8>)) {
        let mut bytes = self.bytes(&path);
        let before = bytes.clone();
        change(&mut bytes);
        assert_ne!(bytes, before, "nothing changed");
        self.sim.write(path, &bytes);
    }

    /// Replaces a text that stands once.
    pub(super) fn replace(&self, path: impl AsRef<Path>, from: &str, to: &str) {
        let text = self.text(&path);
        assert!(text.contains(from), "{from:?} is not there");
        self.sim.write(path, text.replacen(from, to, 1).as_bytes());
    }

    /// Changes the lines of a file.
    pub(super) fn lines(&self, path: impl AsRef<Path>, change: impl FnOnce(&mut Vec<String>)) {
        let mut lines: Vec<String> = self.text(&path).lines().map(str::to_owned).collect();
        change(&mut lines);
        self.sim.write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>().as_bytes());
    }

    /// The tree over the leaves as they stand.
    pub(super) fn log_tree(&self) -> Tree {
        let mut tree = Tree::default();
        self.text(LOG).lines().for_each(|line| tree.push(leaf_hash(line.as_bytes())));
        tree
    }

    /// Signs the log as it stands with the log's key and that of the epoch: who has taken both can.
    pub(super) fn sign_again(&self, epoch: u64) -> Note {
        let (store, keys) = (self.journal().store_id().to_owned(), self.keyring());
        let signers = (keys.log_key(&store).unwrap(), keys.epoch_key(&store, epoch).unwrap());
        let checkpoint = Checkpoint::of(&crate::keyring::origin(&store), &self.log_tree());
        let note = checkpoint.sign(&[&signers.0, &signers.1]);
        self.sim.write(CHECKPOINT, note.to_text().as_bytes());
        note
    }

    /// An order past the eraser: nothing carries it out, nobody signs it, no leaf mirrors it.
    pub(super) fn erase_order(&self, session: &str, target: u64) {
        self.erase_order_of(session, target, None);
    }

    /// The same, with the hash of another event.
    pub(super) fn erase_order_of(&self, session: &str, target: u64, hash: Option<String>) {
        use redact::{Clean, Fact};
        let id = SessionId::new(session).unwrap();
        // an event that is not there yet has no place: any will do
        let there = self.journal().target(&id, target, &["text".to_owned()]);
        let there = there.or_else(|_| self.journal().target(&id, 1, &["text".to_owned()])).unwrap();
        let slot = &there.slots[0];
        let fields = Fact::Fields(vec![
            ("field", Fact::Member(slot.field.clone())),
            ("value_at", Fact::Number(slot.value_at)),
            ("slot_bytes", Fact::Number(slot.slot_bytes)),
            ("salt_at", Fact::Number(slot.salt_at)),
        ]);
        let what = Fact::Fields(vec![
            ("hash", Fact::Hex(hash.unwrap_or(there.hash))),
            ("basis", Fact::Word("gdpr17")),
            ("fields", Fact::List(vec![fields])),
        ]);
        let order = vec![("order", what)];
        let erased = Clean::system(id.clone(), "audit.erased", vec![("target", Fact::Number(target))], order);
        let opened = Clean::system(id, "session.opened", vec![], vec![]);
        self.journal().writer(opened, Durability::Always).append(&erased).unwrap();
    }

    /// Erases as `recount erase` does, signed by the log's key.
    pub(super) fn erase(&self, asks: &[crate::Ask]) -> Result<crate::Done, crate::AuditError> {
        let sealer = self.sealer();
        sealer.begin()?;
        let hand = self.keyring().hand(self.journal().store_id())?;
        crate::Eraser::new(&sealer, &redactor(), &hand).erase(asks)
    }

    /// Blanks the text of an event as an erasure does.
    pub(super) fn blank(&self, session: &str, seq: usize) {
        self.lines(segment(session), |lines| {
            let (value_at, slot, salt_at) = {
                let line = event::Line::parse(lines[seq].as_bytes()).unwrap();
                let member = line.members.iter().find(|member| member.name == "text").unwrap();
                (member.value_at, member.slot_bytes, member.salt_at)
            };
            lines[seq].replace_range(salt_at..salt_at + 32, &"0".repeat(32));
            lines[seq].replace_range(value_at..value_at + slot, &format!("{:slot$}", "null"));
        });
    }
}

pub(super) fn redactor() -> redact::Redactor {
    redact::Redactor::new(&Keys { store_secret: [1; 32], redaction_key: [2; 32] })
}

pub(super) fn recorder(journal: &Journal) -> Recorder {
    let keys = Keys { store_secret: [1; 32], redaction_key: [2; 32] };
    Recorder::new(journal, &keys, Durability::Always)
}

fn kind_name(kind: &str) -> &'static str {
    match kind {
        "error.raised" => "error.raised",
        "handoff.made" => "handoff.made",
        "session.closed" => "session.closed",
        _ => "note.added",
    }
}
