//! Large files are mapped and cleaned in threads of their own: nothing may come out otherwise for it.

use std::fmt::Write as _;
use std::path::Path;

use event::{Draft, Event};
use import::{Keys, Past, Report, Sink, Taken, run};
use journal::{Durability, Journal, Place};
use recorder::{Importing, Recorder, RecorderError};
use world::World;

const KEYS: redact::Keys = redact::Keys { store_secret: [1; 32], redaction_key: [2; 32] };

/// A recorder that gives nothing to do to other threads.
struct Alone<'a>(Importing<'a>);

impl Keys for Alone<'_> {
    fn derived_key(&self, material: &str) -> String {
        self.0.derived_key(material)
    }

    fn session_of(&self, key: &str) -> Option<String> {
        self.0.session_of(key)
    }

    fn told(&self, session: &str) -> Vec<Past> {
        Keys::told(&self.0, session)
    }
}

impl Sink for Alone<'_> {
    type Error = RecorderError;

    fn take(&mut self, drafts: Vec<Draft>) -> Result<Taken, RecorderError> {
        Sink::take(&mut self.0, drafts)
    }

    fn redacted(&self) -> u64 {
        Sink::redacted(&self.0)
    }
}

pub(crate) fn recorder(folder: &Path) -> Recorder {
    let (journal, _) = Journal::init(World::real(), folder).expect("a store");
    Recorder::new(&journal, &KEYS, Durability::Batch)
}

pub(crate) fn import_ahead(recorder: &mut Recorder, files: &Path) -> Vec<Report> {
    let mut importing = recorder.import();
    let reports = run(&[files.to_owned()], None, &mut importing, &mut |_| {}).expect("imports");
    importing.finish().expect("finishes");
    reports
}

fn import_alone(recorder: &mut Recorder, files: &Path) -> Vec<Report> {
    let mut alone = Alone(recorder.import());
    let reports = run(&[files.to_owned()], None, &mut alone, &mut |_| {}).expect("imports");
    alone.0.finish().expect("finishes");
    reports
}

/// Everything that a store tells, without what depends on its salts and clock.
fn told(recorder: &Recorder) -> Vec<String> {
    let store = recorder.store();
    let mut told = Vec::new();
    for session in store.journal().sessions().expect("sessions") {
        let mut reader = store.journal().read(&session, Place::default()).expect("reads");
        while let Some(entry) = reader.next().expect("no damage") {
            let event = Event::from_line(&entry.line).expect("an event");
            let target = |value: &serde_json::Value| {
                let text = value.to_string();
                text.split_once('#').map_or(text.clone(), |(before, _)| before.to_owned())
            };
            let mut header: Vec<_> =
                event.header.iter().map(|(name, value)| format!("{name}={}", target(value))).collect();
            header.retain(|field| !field.starts_with("ts=") && !field.starts_with("store="));
            told.push(format!(
                "{session}/{} {} {header:?} {}",
                event.seq,
                event.kind,
                serde_json::Value::Object(event.data.to_map())
            ));
        }
    }
    told
}

fn record(session: &str, id: usize, text: &str) -> String {
    format!(
        "{{\"type\":\"user\",\"uuid\":\"{session}{id}\",\"parentUuid\":{parent},\"sessionId\":\"{session}\",\"timestamp\":\"2026-01-03T00:00:00.000Z\",\"message\":{{\"role\":\"user\",\"content\":\"{text}\"}}}}\n",
        parent = if id == 0 { "null".to_owned() } else { format!("\"{session}{}\"", id - 1) },
    )
}

/// Titles for a session of another file, torn lines, secrets, lines told twice, a second session.
fn transcript() -> String {
    let mut text = String::new();
    for number in 0..3_000 {
        let said = format!("step {number}: password=Tr0ub4dor{number}!x and what else");
        text += &record("a", number, &said);
        if number % 100 == 7 {
            let _ = write!(
                text,
                "{{\"type\":\"summary\",\"summary\":\"Old work {number}\",\"leafUuid\":\"b0\"}}\n{{\"torn\n"
            );
        }
        if number % 211 == 5 {
            text += &record("a", number, &said);
        }
        if number % 300 == 9 {
            text += &record("c", number, "elsewhere");
        }
    }
    text
}

#[test]
fn reading_ahead_changes_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = folder.path().join("files");
    std::fs::create_dir(&files).expect("a folder");
    std::fs::write(files.join("a.jsonl"), transcript()).expect("writes");
    std::fs::write(files.join("b.jsonl"), record("b", 0, "first")).expect("writes");
    let mut ahead = recorder(&folder.path().join("ahead"));
    let mut alone = recorder(&folder.path().join("alone"));
    let reports = import_ahead(&mut ahead, &files);
    assert_eq!(reports, import_alone(&mut alone, &files));
    assert!(reports.iter().all(|report| report.adds_up() && report.failed.is_none()));
    assert_eq!(reports.iter().map(|report| report.gaps).sum::<u64>(), 30);
    let (ahead_told, alone_told) = (told(&ahead), told(&alone));
    assert_eq!(ahead_told, alone_told);
    assert!(ahead_told.iter().any(|line| line.contains("Old work 7") && line.starts_with("b/")));
    assert!(!ahead_told.iter().any(|line| line.contains("Tr0ub4dor")));
    for recorder in [&ahead, &alone] {
        let report = recorder.store().verify_all().expect("verifies");
        assert!(report.sessions.iter().all(|session| session.findings.is_empty()));
    }
    let again = import_ahead(&mut ahead, &files);
    assert_eq!(again.iter().map(|report| report.events + report.gaps).sum::<u64>(), 0);
    assert_eq!(told(&ahead), ahead_told);
}

/// What was torn when a large file was read first stands for its gap when it is whole.
#[test]
fn a_record_that_was_torn_stands_for_its_gap_in_a_large_file_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("a.jsonl");
    let whole = transcript();
    let torn = whole.len() - 30;
    std::fs::write(&file, &whole[..torn]).expect("writes");
    let mut recorder = recorder(&folder.path().join("store"));
    import_ahead(&mut recorder, &file);
    std::fs::write(&file, &whole).expect("writes");
    let reports = import_ahead(&mut recorder, &file);
    assert_eq!(reports[0].stored, 1);
    let told = told(&recorder);
    let torn: Vec<_> = told.iter().filter(|line| line.contains("twin=") && line.contains("gap:")).collect();
    assert!(torn.len() == 1 && torn[0].contains("step 2999"), "{torn:?}");
}
