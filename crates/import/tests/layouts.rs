//! Formats with a corpus of their own: nothing is lost, nothing is told twice, and how the bytes are laid out does
//! not matter.

use std::fs;
use std::path::{Path, PathBuf};

use crate::corpus::corpus;
use crate::sink::Memory;

/// Folders of the corpus, and who reads them.
const FORMATS: &[(&str, &str)] =
    &[("gemini-cli", "gemini"), ("atif", "atif"), ("opencode", "opencode"), ("copilot-cli", "copilot")];

/// The files of a format that its importer takes.
fn of(corpus: &Path, folder: &str, importer: &str) -> Vec<PathBuf> {
    let mut memory = Memory::default();
    let reports = memory.import(&[corpus.join(folder)]);
    let own = reports.into_iter().filter(|r| r.importer == Some(importer)).map(|report| report.file);
    own.filter(|file| file.is_file()).collect()
}

#[test]
fn every_record_is_told_and_a_second_time_adds_nothing() {
    let Some(corpus) = corpus() else { return };
    for (folder, importer) in FORMATS {
        let mut memory = Memory::default();
        let reports = memory.import(&[corpus.join(folder)]);
        let (records, raw): (u64, u64) =
            (reports.iter().map(|r| r.records).sum(), reports.iter().map(|r| r.raw).sum());
        assert!(reports.iter().all(|report| report.failed.is_none() && report.gaps == 0), "{reports:?}");
        assert!(records > 0 && raw * 50 <= records, "{folder}: {raw} of {records} records kept raw");
        assert!(reports.iter().any(|report| report.importer == Some(importer)), "{folder}");
        let stored = memory.stored.len();
        for report in memory.import(&[corpus.join(folder)]) {
            assert_eq!((report.stored, report.raw, report.events), (0, 0, 0), "{report:?}");
        }
        assert_eq!(memory.stored.len(), stored, "{folder}");
    }
}

#[test]
fn the_layout_of_a_file_does_not_matter() {
    let Some(corpus) = corpus() else { return };
    let place = tempfile::tempdir().expect("a folder");
    for (folder, importer) in FORMATS {
        for file in of(&corpus, folder, importer) {
            let mut base = Memory::default();
            base.import(std::slice::from_ref(&file));
            for (name, bytes) in variants(&fs::read(&file).expect("reads")) {
                let copy = place.path().join(file.file_name().expect("a name"));
                fs::write(&copy, bytes).expect("writes");
                let mut other = Memory::default();
                other.import(&[copy]);
                assert_eq!(base.key_set(), other.key_set(), "{} {name}", file.display());
            }
        }
    }
}

/// The same records, laid out otherwise.
fn variants(bytes: &[u8]) -> Vec<(&'static str, Vec<u8>)> {
    let text = String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let mut variants = vec![
        ("BOM", format!("\u{feff}{text}").into_bytes()),
        ("CRLF", text.replace('\n', "\r\n").into_bytes()),
        ("blank lines", text.replace('\n', "\n\n").into_bytes()),
    ];
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    if lines.iter().all(|line| line.starts_with('{') && line.ends_with('}')) {
        let twice: Vec<&str> = lines.iter().flat_map(|line| [*line, *line]).collect();
        // the first line says what the file is
        let mut shuffled = lines.clone();
        shuffled[1..].chunks_mut(3).for_each(<[&str]>::reverse);
        variants.push(("twice", twice.join("\n").into_bytes()));
        variants.push(("shuffled", shuffled.join("\n").into_bytes()));
    } else {
        let value: serde_json::Value = serde_json::from_str(&text).expect("a document");
        variants.push(("one line", value.to_string().into_bytes()));
    }
    variants
}
