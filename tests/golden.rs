//! Golden: the sample sessions of this repository, written by format 1, read for ever.

use std::path::Path;
use std::process::Command;

/// Sessions, events and heads as they were written.
const HEADS: &[(&str, u64, &str)] = &[
    ("sample-api", 28, "7e1f4cc2a5f43490268a4621e73a97c2c6fb9c2e73d83f0f36866101fc02fac0"),
    ("sample-auth", 54, "cae3e020ae4981859739239b42851d00ca4d7ac66018d96cfab96c88ae3ddc5b"),
    ("sample-store", 17, "65917739130fcfcc806e4972a123440439304ba6934db306213dbf65f1f8747c"),
    ("sample-ui", 21, "98d6de6fc32d4fcbf7433567462267867c744faded1323cc3dd028fc40b3f7f9"),
];

#[test]
fn the_sample_sessions_have_the_heads_they_were_closed_with() {
    for (session, events, head) in HEADS {
        let output = Command::new(env!("CARGO_BIN_EXE_recount"))
            .args(["verify", session, "--json", "--store", env!("CARGO_MANIFEST_DIR")])
            .output()
            .expect("the binary runs");
        assert!(output.status.success(), "{session}: {}", String::from_utf8_lossy(&output.stderr));
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["sessions"][0]["events"], *events, "{session}");
        assert_eq!(report["sessions"][0]["head"], *head, "{session}");
    }
}

#[test]
fn the_samples_are_small_and_all_pinned() {
    let sessions = Path::new(env!("CARGO_MANIFEST_DIR")).join("journal/sessions");
    let mut bytes = 0;
    for entry in std::fs::read_dir(sessions).expect("the sample sessions") {
        let entry = entry.expect("an entry");
        let name = entry.file_name().into_string().expect("a name");
        assert!(HEADS.iter().any(|(session, _, _)| *session == name), "{name} is not pinned");
        for file in std::fs::read_dir(entry.path()).expect("a session") {
            bytes += file.expect("a file").metadata().expect("its length").len();
        }
    }
    assert!(bytes <= 300 * 1024, "{bytes} bytes");
}
