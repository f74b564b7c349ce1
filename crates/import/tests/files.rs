//! Which files a run takes, in which order, and what it says about the others.

use std::fs;
use std::path::Path;

use import::{RunError, run};

use crate::sink::Memory;

const RECORD: &str = r#"{"type":"user","sessionId":"SESSION","uuid":"UUID","timestamp":"TIME","message":{"role":"user","content":"hi"}}"#;

fn record(session: &str, uuid: &str, time: &str) -> String {
    RECORD.replace("SESSION", session).replace("UUID", uuid).replace("TIME", time) + "\n"
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a parent")).expect("makes folders");
    fs::write(path, bytes).expect("writes");
}

fn names(memory: &mut Memory, folder: &Path) -> Vec<String> {
    let reports = memory.import(&[folder.to_owned()]);
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    reports.iter().filter(|report| report.importer.is_some()).map(|report| name(&report.file)).collect()
}

#[test]
fn parents_come_first_then_the_earliest() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.jsonl", record("a", "1", "2026-01-03T00:00:00.000Z"));
    write(folder.path(), "b.jsonl", record("b", "2", "2026-01-02T00:00:00.000Z"));
    write(folder.path(), "b/subagents/agent-x.jsonl", record("b", "3", "2026-01-01T00:00:00.000Z"));
    let mut memory = Memory::default();
    assert_eq!(names(&mut memory, folder.path()), ["b.jsonl", "a.jsonl", "agent-x.jsonl"]);
    let agent = memory.stored.iter().find(|draft| draft.key.as_deref() == Some("cc:3.0")).expect("its event");
    assert_eq!((agent.session.as_str(), agent.header["agent_id"].as_str()), ("b", Some("x")));
    assert!(memory.stored.iter().all(|draft| draft.session != "x"), "a subagent is no session");
}

#[test]
fn a_plain_file_wins_over_its_compressed_copy_and_other_files_are_left() {
    let folder = tempfile::tempdir().expect("a folder");
    let text = record("a", "1", "2026-01-03T00:00:00.000Z");
    let later = record("b", "2", "2026-01-04T00:00:00.000Z");
    write(folder.path(), "a.jsonl", &text);
    write(folder.path(), "a.jsonl.zst", zstd::encode_all(text.as_bytes(), 1).expect("packs"));
    write(folder.path(), "b.jsonl.zst", zstd::encode_all(later.as_bytes(), 1).expect("packs"));
    write(folder.path(), "a.meta.json", "{\"agentType\":\"x\"}");
    write(folder.path(), "sessions-index.json", "{}");
    write(folder.path(), "notes.txt", &text);
    assert_eq!(names(&mut Memory::default(), folder.path()), ["a.jsonl", "b.jsonl.zst"]);
}

#[cfg(unix)]
#[test]
fn links_are_not_followed_out_of_the_folder() {
    let (folder, outside) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("another"));
    write(outside.path(), "out.jsonl", record("out", "1", "2026-01-03T00:00:00.000Z"));
    std::os::unix::fs::symlink(outside.path(), folder.path().join("way")).expect("links");
    std::os::unix::fs::symlink(outside.path().join("out.jsonl"), folder.path().join("in.jsonl"))
        .expect("links");
    assert!(names(&mut Memory::default(), folder.path()).is_empty());
    let given = folder.path().join("in.jsonl");
    assert_eq!(Memory::default().import(&[given])[0].stored, 1, "a link that was asked for is read");
}

#[test]
fn a_file_of_something_else_is_one_line_in_the_report() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "log.jsonl", "[16:29:14.606] started\n {\n  \"type\": \"summary\"\n}\n".repeat(50));
    write(folder.path(), "list.json", "{\"settings\":[{\"a\":1}]}");
    write(folder.path(), "empty.jsonl", "");
    let mut memory = Memory::default();
    let reports = memory.import(&[folder.path().to_owned()]);
    assert_eq!(reports.len(), 3);
    assert!(reports.iter().all(|report| report.importer.is_none() && report.records == 0), "{reports:?}");
    assert!(memory.stored.is_empty());
}

#[test]
fn titles_for_absent_sessions_make_none() {
    let folder = tempfile::tempdir().expect("a folder");
    let title = "{\"type\":\"summary\",\"summary\":\"Old work\",\"leafUuid\":\"1\"}\n";
    write(folder.path(), "titles.jsonl", title);
    let mut memory = Memory::default();
    let reports = memory.import(&[folder.path().to_owned()]);
    assert_eq!((reports[0].linked, reports[0].elsewhere, memory.stored.len()), (1, 1, 0));
    assert_eq!(reports[0].warnings(), ["1 title is for a session that is not here"]);

    // with the session there, it is the session's title
    write(folder.path(), "a.jsonl", record("a", "1", "2026-01-03T00:00:00.000Z"));
    memory.import(&[folder.path().to_owned()]);
    let told = memory.stored.iter().find(|draft| draft.kind == *"session.updated").expect("a title");
    assert_eq!((told.session.as_str(), told.data["title"].as_str()), ("a", Some("Old work")));
}

#[test]
fn what_is_not_there_is_an_error() {
    let mut memory = Memory::default();
    let missing = run(&["/nowhere/at/all".into()], None, &mut memory, &mut |_| {});
    assert!(matches!(missing, Err(RunError::Path { .. })));
    let unknown = run(&[], Some("clade-code"), &mut memory, &mut |_| {});
    assert!(matches!(unknown, Err(RunError::Importer { .. })));
}

/// Codex compresses old rollouts whenever it likes: between the look at a folder and the reading as well.
#[test]
fn case_43_a_file_that_is_compressed_meanwhile_is_read_under_its_new_name() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), "a.jsonl", record("a", "1", "2026-01-01T00:00:00.000Z"));
    write(folder.path(), "b.jsonl", record("b", "2", "2026-01-02T00:00:00.000Z"));
    write(folder.path(), "c.jsonl", record("c", "3", "2026-01-03T00:00:00.000Z"));
    let mut memory = Memory::default();
    let (plain, packed) = (folder.path().join("b.jsonl"), folder.path().join("b.jsonl.zst"));
    let compress = |_: import::Progress<'_>| {
        if let Ok(text) = std::fs::read(&plain) {
            std::fs::write(&packed, zstd::encode_all(text.as_slice(), 3).expect("packs")).expect("writes");
            std::fs::remove_file(&plain).expect("removes");
        }
        // and one is gone for good
        let _ = std::fs::remove_file(folder.path().join("c.jsonl"));
    };
    let reports = run(&[folder.path().to_owned()], None, &mut memory, &mut { compress }).expect("imports");
    let stored: Vec<_> = reports.iter().map(|report| (report.stored, report.failed.is_some())).collect();
    assert_eq!(stored, [(1, false), (1, false), (0, true)]);
    assert!(reports[1].file.ends_with("b.jsonl.zst"));
}
