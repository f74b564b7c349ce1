//! What this machine keeps secret, and what a session has shown to be a secret: through the real program.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use crate::house::{House, files_under};

fn stored(house: &House) -> String {
    files_under(&house.store())
        .iter()
        .map(|file| String::from_utf8_lossy(&fs::read(file).unwrap()).into_owned())
        .collect()
}

fn say(house: &House, text: &str) {
    house.run(&["record", "--session", "s", "--kind", "note.added", "--text", text]).ok();
}

#[test]
fn a_value_of_the_environment_is_taken_out_wherever_it_stands() {
    let house = House::new();
    let record = |session: &str, text: &str, more: &[&str]| {
        let mut all = vec!["record", "--session", session, "--kind", "note.added", "--text", text];
        all.extend(more);
        let mut command = house.command(&all);
        command.env("APP_PASSWORD", "kqwzxjvbpl").env("API_TOKEN", "user").env("MODE_SECRET", "production");
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    };
    record("s", "I'll try kqwzxjvbpl, says the user of production", &[]);
    record("s", "in base64 eGtxd3p4anZicGx5 and in hex 6b71777a786a7662706c", &[]);
    let text = stored(&house);
    assert!(
        !text.contains("kqwzxjvbpl") && !text.contains("eGtxd3p4anZicGx5") && !text.contains("6b71777a"),
        "{text}"
    );
    assert!(text.contains("says the user of production"), "{text}");
    // asked not to look there, the program does not know it, but this session has seen it
    record("s", "and kqwzxjvbpl again", &["--no-known", "env"]);
    assert!(!stored(&house).contains("kqwzxjvbpl"));
    record("t", "and kqwzxjvbpl again", &["--no-known", "env"]);
    assert_eq!(stored(&house).matches("kqwzxjvbpl").count(), 1);
}

#[test]
fn the_files_of_a_home_and_a_project_are_read() {
    let house = House::new();
    let files = [
        ("here/.env", "STRIPE=1\nAPP_PASSWORD='wq!Zr7x-1'\n"),
        ("here/.env.local", "export OTHER_SECRET=wq!Zr7x-2\n"),
        ("here/.env.example", "EXAMPLE_PASSWORD=wq!Zr7x-0\n"),
        (
            "home/.aws/credentials",
            "[default]\naws_secret_access_key = wJalrXUtnFEMI7K7MDENGbPxRfiCYzzzzzzKEYa1\n",
        ),
        ("home/.netrc", "machine example.com login me password wq!Zr7x-4\n"),
        ("home/.npmrc", "//registry.npmjs.org/:_authToken=wq!Zr7x-55aBcD\n"),
        ("config/gh/hosts.yml", "github.com:\n    oauth_token: wq!Zr7x-66aBcD\n"),
        ("config/glab-cli/config.yml", "hosts:\n  gitlab.com:\n    token: wq!Zr7x-77aBcD\n"),
        ("home/.docker/config.json", "{\"auths\":{\"r.example.com\":{\"auth\":\"bWU6d3EhWnI3eC04\"}}}"),
    ];
    for (path, text) in files {
        fs::create_dir_all(house.path(path).parent().unwrap()).unwrap();
        fs::write(house.path(path), text).unwrap();
    }
    say(
        &house,
        "1 wq!Zr7x-1 2 wq!Zr7x-2 3 wJalrXUtnFEMI7K7MDENGbPxRfiCYzzzzzzKEYa1 4 wq!Zr7x-4 5 wq!Zr7x-55aBcD 6 wq!Zr7x-66aBcD 7 wq!Zr7x-77aBcD 8 wq!Zr7x-8",
    );
    // by itself: beside passwords a word that looks like one is taken out, known or not
    say(&house, "the example says wq!Zr7x-0");
    let text = stored(&house);
    assert_eq!((text.matches("wq!Zr7x").count(), text.matches("wJalr").count()), (1, 0), "{text}");
    assert!(text.contains("wq!Zr7x-0"), "an example is no secret: {text}");
}

#[test]
fn what_was_learned_is_known_when_its_source_is_gone() {
    let house = House::new();
    let token = "x9Kq2Lm8Pv4Rt7Wn3Bc6Df1Gh5";
    house.feed(&["redact", "learn", "-"], format!("{token}\nuser\nSommer2026!\n")).ok();
    let folder = house.path("config/recount/known");
    for file in files_under(&folder) {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600, "{}", file.display());
        let kept = fs::read_to_string(&file).unwrap();
        assert!(!kept.contains("x9Kq") && !kept.contains("Sommer"), "{kept}");
    }
    assert_eq!(fs::read_to_string(folder.join("values")).unwrap().lines().count(), 1);
    house.feed(&["redact", "learn", "-"], format!("{token}\n")).ok();
    assert_eq!(fs::read_to_string(folder.join("values")).unwrap().lines().count(), 1);
    say(&house, &format!("the user says {token}"));
    let text = stored(&house);
    assert!(text.contains("the user says [REDACTED:known"), "{text}");
    let filtered = house.feed(&["redact"], format!("the user says {token}")).ok().text();
    assert!(filtered.starts_with("the user says [REDACTED:known:"), "{filtered}");
    let told = house.feed(&["redact", "--no-known", "all"], format!("the user says {token}")).ok().text();
    assert!(told.contains(token));
}

#[test]
fn a_password_that_a_session_has_seen_is_known_to_its_next_process() {
    let house = House::new();
    say(&house, "DB_PASSWORD=wrtlbrnft!7");
    say(&house, "I'll use wrtlbrnft!7 now");
    assert!(!stored(&house).contains("wrtlbrnft"));
    assert!(stored(&house).contains("I'll use [REDACTED:password"));
    for file in files_under(&house.path("config")) {
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o077, 0, "{}", file.display());
        assert!(!String::from_utf8_lossy(&fs::read(&file).unwrap()).contains("wrtl"));
    }
    house
        .run(&["record", "--session", "t", "--kind", "note.added", "--text", "I'll use wrtlbrnft!7 now"])
        .ok();
    assert!(stored(&house).contains("wrtlbrnft"), "another session has not seen it");
    house.run(&["verify"]).ok();
}

#[test]
fn an_event_told_again_after_its_words_became_a_secret_is_the_same_event() {
    let house = House::new();
    let tell = || {
        let text = ["--kind", "note.added", "--key", "k", "--text", "I'll use wrtlbrnft!7 now"];
        house.run(&[&["record", "--session", "s"][..], &text].concat()).ok().json()
    };
    let first = tell();
    say(&house, "DB_PASSWORD=wrtlbrnft!7");
    assert_eq!(tell(), first);
}
