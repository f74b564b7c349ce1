//! Disks that are full or closed: nothing is acknowledged that is not stored, and what is stored is readable.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::{drafts, listing, record};
use crate::house::{House, PROGRAM, Ran, finish};

/// The program under a shell that sets a limit first.
fn limited(house: &House, limit: &str, args: &[&str]) -> Command {
    let mut command = Command::new("/bin/sh");
    house.settle(&mut command);
    command.args(["-c", &format!("{limit}; exec \"$0\" \"$@\""), PROGRAM]).args(args);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Everything that was acknowledged stands where its receipt says.
fn all_stand(house: &House, session: &str, receipts: &[u8]) -> usize {
    let lines = house.lines(session);
    let mut count = 0;
    // a receipt is what was written whole
    for receipt in receipts.split_inclusive(|byte| *byte == b'\n').filter(|line| line.ends_with(b"\n")) {
        let receipt: Value = serde_json::from_slice(receipt).unwrap();
        let seq = usize::try_from(receipt["seq"].as_u64().unwrap()).unwrap();
        let event: Value = serde_json::from_slice(&lines[seq]).unwrap();
        assert_eq!(event["hash"], receipt["hash"]);
        count += 1;
    }
    count
}

fn goes_on_after_a_full_disk(house: &House, session: &str, receipts: &[u8]) {
    let stored = all_stand(house, session, receipts);
    assert!((1..2000).contains(&stored), "{stored} stored: the disk was not full");
    let verified = house.run(&["verify"]).code;
    assert!(matches!(verified, Some(0 | 10)), "verify is {verified:?}");
    // readable before anything is mended, and the events are there
    let export = house.run(&["export", session]).ok().out;
    assert!(export.iter().filter(|byte| **byte == b'\n').count() > stored);
    let document = house.run(&["search", "lorem", "-n", "1", "--json"]).ok().json();
    assert!(document["total"].as_u64().unwrap() >= stored as u64);
    house.verify_or_mend();
    record(house, session, "and on it goes");
    house.run(&["verify"]).ok();
    assert_eq!(all_stand(house, session, receipts), stored);
}

#[test]
fn on_a_full_disk_nothing_is_acknowledged_that_is_not_stored() {
    let input = drafts("s", 2000, 300);
    for (what, limit) in [
        ("the write fails", "trap '' XFSZ; ulimit -f 200"),
        ("the write kills", "ulimit -c 0; ulimit -f 200"),
    ] {
        let house = House::new();
        let ran = finish(&["record"], limited(&house, limit, &["record", "--sync", "os"]), input.as_bytes());
        // who started us may have made the signal ignored, for ever
        let killed = !limit.contains("trap") && ran.code.is_none();
        if !killed {
            assert_eq!(ran.code, Some(74), "{what}: {}", ran.err);
            assert!(ran.err.contains("R0008") && ran.err.contains("nothing was acknowledged"), "{}", ran.err);
        }
        goes_on_after_a_full_disk(&house, "s", &ran.out);
    }
}

#[test]
fn an_import_into_a_full_disk_leaves_a_store_that_reads_and_goes_on() {
    let house = House::new();
    let note = |n: usize| {
        json!({"type": "user", "uuid": format!("00000000-0000-4000-8000-{n:012}"), "parentUuid": null,
            "sessionId": "s", "isSidechain": false, "cwd": "/w", "version": "2.1.0", "userType": "external",
            "timestamp": "2026-07-03T00:00:00.000Z",
            "message": {"role": "user", "content": format!("{n} {}", "lorem ".repeat(60))}})
        .to_string()
            + "\n"
    };
    let file = house.path("home/s.jsonl");
    fs::write(&file, (0..600).map(note).collect::<String>()).unwrap();
    let args = ["import", file.to_str().unwrap()];
    let ran = finish(&args, limited(&house, "trap '' XFSZ; ulimit -f 200", &args), b"");
    assert_eq!(ran.code, Some(74), "{}", ran.err);
    house.verify_or_mend();
    house.run(&args).ok();
    house.run(&["verify"]).ok();
    let whole = House::new();
    whole.run(&args).ok();
    assert_eq!(house.told(), whole.told());
}

#[test]
fn a_search_whose_index_cannot_be_written_answers_from_the_journal() {
    let house = House::new();
    house.feed(&["record", "--sync", "os"], drafts("s", 300, 60)).ok();
    let args = ["search", "event 17*", "--json"];
    let expected = house.run(&["search", "event 17*", "--json", "--no-index"]).ok().json();
    fs::remove_dir_all(house.store().join("index")).ok();
    for limit in ["trap '' XFSZ; ulimit -f 0", "trap '' XFSZ; ulimit -f 2", "trap '' XFSZ; ulimit -f 64"] {
        let mut command = limited(&house, limit, &args);
        let ran = Ran::new(&args, command.output().unwrap()).ok();
        assert_eq!(
            (&ran.json()["hits"], &ran.json()["total"]),
            (&expected["hits"], &expected["total"]),
            "{limit}"
        );
        house.run(&["sessions"]).ok();
    }
    assert_eq!(house.run(&args).ok().json()["hits"], expected["hits"]);
}

/// A small disk of its own, gone with its process; what was on it is copied out afterwards.
#[test]
fn on_a_really_full_disk_nothing_is_acknowledged_that_is_not_stored() {
    let Some(unshare) = [["-m"], ["-rm"]].into_iter().find(|flags| {
        let mut command = Command::new("unshare");
        let script = "mount -t tmpfs -o size=64k none /mnt";
        command.args(flags).args(["sh", "-c", script]).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    }) else {
        println!("skipped: no disk can be mounted here");
        return;
    };
    let house = House::new();
    let small = house.path("small");
    fs::create_dir(&small).unwrap();
    let script = r#"mount -t tmpfs -o size=400k none "$1" && cp -a "$2/." "$1" || exit 99
        RECOUNT_STORE="$1" "$0" record --sync always; code=$?
        cp -a "$1/." "$2" && exit $code"#;
    let mut command = Command::new("unshare");
    house.settle(&mut command);
    command.env("PATH", std::env::var_os("PATH").unwrap());
    command.args(unshare).args(["sh", "-c", script, PROGRAM]).arg(&small).arg(house.store());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let ran = finish(&["record"], command, drafts("s", 2000, 300).as_bytes());
    assert_eq!(ran.code, Some(74), "{}", ran.err);
    goes_on_after_a_full_disk(&house, "s", &ran.out);
}

/// Gives everything below to everybody, to read and not to write.
fn close_for_writing(folder: &Path) {
    let close = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { close_for_writing(&path) } else { close(&path, 0o444) }
    }
    close(folder, 0o555);
}

fn open_for_writing(folder: &Path) {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755)).unwrap();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            open_for_writing(&path);
        }
    }
}

#[test]
fn a_store_that_cannot_be_written_is_scanned() {
    const NOBODY: u32 = 65534;
    let house = House::new();
    record(&house, "s", "the token expired");
    record(&house, "My Run", "another token");
    let expected = house.run(&["search", "token", "--json", "--no-index"]).ok().json();
    // root writes everywhere: let somebody else read, with a program that they can reach
    let program = house.path("home/recount");
    let root = fs::metadata(house.path("home")).unwrap().uid() == 0;
    fs::copy(PROGRAM, &program).unwrap();
    for with_index in [false, true] {
        if with_index {
            house.run(&["search", "token"]).ok();
        } else {
            fs::remove_dir_all(house.store().join("index")).ok();
        }
        close_for_writing(&house.store());
        fs::set_permissions(house.path(""), fs::Permissions::from_mode(0o755)).unwrap();
        let before = listing(&house);
        let run = |args: &[&str]| {
            let mut command = Command::new(&program);
            house.settle(&mut command);
            if root {
                command.uid(NOBODY).gid(NOBODY);
            }
            Ran::new(args, command.args(args).output().unwrap())
        };
        let document = run(&["search", "token", "--json"]).ok().json();
        assert_eq!(document["hits"], expected["hits"]);
        assert_eq!(document["complete"], true);
        for args in
            [&["sessions"][..], &["timeline", "s"], &["show", "My Run/1"], &["replay", "s"], &["stats"]]
        {
            let ran = run(args).ok();
            assert!(!ran.out.is_empty(), "{args:?}");
        }
        // the pin is remembered where the keys are, which somebody else may not read
        let verified = run(&["verify"]).code;
        assert!(matches!(verified, Some(0 | 12)), "verify is {verified:?}");
        run(&["record", "--session", "s", "--kind", "note.added", "--text", "x"]).exit(74).says("R0008");
        assert_eq!(listing(&house), before);
        open_for_writing(&house.store());
    }
}
