//! A stretch shows what a reader tells, from wherever it begins; what is not plain is not shown.

use std::path::{Path, PathBuf};

use journal::{Glance, Journal};

use crate::support::{ROOT, id, store_with, tell};

/// Sequences and texts of a stretch; `None` if it is not plain.
fn shown(journal: &Journal, at_most: u64) -> Option<(bool, Vec<(u64, String)>)> {
    let stretch = journal.stretch(&id("s"), at_most).expect("reads").expect("segments");
    let mut glances = Vec::new();
    if !stretch.each(&mut |glance| glances.push(glance)) {
        return None;
    }
    let line = |glance: &Glance<'_>| {
        let event = glance.event(stretch.session()).expect("a good line");
        assert_eq!(event.kind.as_str(), glance.kind);
        assert_eq!(journal.event_at(&id("s"), &glance.pointer).expect("the same line"), event);
        (glance.seq, event.data.get("text").map(ToString::to_string).unwrap_or_default())
    };
    Some((stretch.is_whole(), glances.iter().map(line).collect()))
}

#[test]
fn every_stretch_ends_as_the_session_does() {
    let (_, journal) = store_with(5, "s", 20);
    let told: Vec<(u64, String)> =
        tell(&journal, &id("s")).expect("tells").into_iter().map(|told| (told.seq, told.hash)).collect();
    let (whole, all) = shown(&journal, u64::MAX).expect("a plain session");
    assert!(whole && all.iter().map(|(seq, _)| *seq).eq(told.iter().map(|(seq, _)| *seq)));
    let bytes = journal.extent(&id("s")).expect("an extent").bytes();
    for at_most in (0..bytes).step_by(13).chain([bytes - 1, bytes, bytes + 1]) {
        let (whole, lines) = shown(&journal, at_most).expect("a plain session");
        assert_eq!(whole, at_most >= bytes, "{at_most}");
        assert_eq!(lines, all[all.len() - lines.len()..], "{at_most}");
    }
}

#[test]
fn a_compressed_session_is_shown_as_well() {
    let (_, journal) = store_with(5, "s", 20);
    let before = shown(&journal, u64::MAX);
    for (first, _) in journal.rolled(&id("s")).expect("a list") {
        journal.pack_segment(&id("s"), first).expect("packs");
    }
    assert_eq!(shown(&journal, u64::MAX), before);
}

#[test]
fn what_appending_does_not_write_is_not_plain() {
    let (sim, journal) = store_with(5, "s", 3);
    let path: PathBuf = Path::new(ROOT).join("journal/sessions/s/0000000000.ndjson");
    let good = sim.read(&path).expect("a segment");
    let text = String::from_utf8(good.clone()).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    let changed = [
        text.replacen("\"seq\":1", "\"seq\":7", 1),
        text.replacen("\"session\":\"s\"", "\"session\":\"t\"", 1),
        text.replacen("{\"v\":1", "{\"v\":2", 1),
        text.replacen(lines[1], "", 1),
        format!("{}\n{}\n", lines[0], lines[2]),
        text.replacen("note 1", "note\u{0}1", 1),
        format!("{text}junk\n"),
    ];
    for bytes in changed {
        assert_ne!(bytes.as_bytes(), good);
        sim.write(&path, bytes.as_bytes());
        assert_eq!(shown(&journal, u64::MAX), None, "{bytes}");
    }
    // a write under way is not there yet
    sim.write(&path, format!("{text}{{\"v\":1").as_bytes());
    assert_eq!(shown(&journal, u64::MAX).expect("plain").1.len(), lines.len());
}
