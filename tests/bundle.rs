//! Bundles on the real program: people's keys, agents, custody, and what a stranger makes of it all.

use std::fs;
use std::process::{Command, Stdio};

use crate::house::House;

/// True if the tool is there; with `CI` set it must be.
fn has(tool: &str) -> bool {
    let there = Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output()
        .is_ok_and(|o| o.status.success());
    assert!(there || std::env::var_os("CI").is_none(), "{tool} is not installed");
    if !there {
        println!("skipped: no {tool}");
    }
    there
}

fn keygen(house: &House, name: &str, comment: &str) -> String {
    let path = house.path(name);
    let status = Command::new("ssh-keygen")
        .args(["-q", "-t", "ed25519", "-N", "", "-C", comment, "-f"])
        .arg(&path)
        .status();
    assert!(status.unwrap().success());
    path.display().to_string()
}

fn recorded() -> House {
    let house = House::new();
    for text in ["the one", "the other"] {
        house.run(&["record", "--session", "s", "--kind", "note.added", "--text", text]).ok();
    }
    house
}

#[test]
fn a_person_signs_and_a_stranger_with_a_pin_and_a_list_of_keys_verifies() {
    if !has("ssh-keygen") {
        return;
    }
    let (house, stranger) = (recorded(), House::bare());
    let key = keygen(&house, "ada", "ada@example.org");
    let out = house.path("here/out").display().to_string();
    house.run(&["bundle", "s", "-o", &out, "--sign-key", &key, "--case", "7"]).ok();
    house.run(&["custody", "add", &out, "--action", "handed over", "--to", "bob", "--sign-key", &key]).ok();
    let line = fs::read_to_string(format!("{key}.pub")).unwrap();
    let signers = stranger.path("here/signers");
    fs::write(&signers, format!("ada@example.org namespaces=\"recount-*\" {line}")).unwrap();
    let signers = signers.display().to_string();
    fs::write(
        stranger.path("here/pin"),
        house.run(&["pin"]).ok().text().lines().nth(2).unwrap().replace("pin ", ""),
    )
    .unwrap();
    let verify = |arguments: &[&str]| stranger.run(&[&["verify", &out, "--pin", "pin"], arguments].concat());
    let said = verify(&["--allowed-signers", &signers]).ok().text();
    assert!(said.starts_with("VERIFIED bundle") && said.contains("2 custody lines"), "{said}");
    stranger.run(&["verify", &out]).exit(12);
    // another's key is not Ada's
    let other = keygen(&stranger, "eve", "ada@example.org");
    fs::write(&signers, format!("ada@example.org {}", fs::read_to_string(format!("{other}.pub")).unwrap()))
        .unwrap();
    verify(&["--allowed-signers", &signers]).exit(34);
    stranger.run(&["custody", "add", &out, "--action", "taken", "--sign-key", &other]).ok();
    fs::write(&signers, format!("ada@example.org {line}")).unwrap();
    // Eve calls herself Ada: her key says otherwise
    verify(&["--allowed-signers", &signers]).exit(43);
}

#[test]
fn an_agent_signs_for_a_key_that_is_not_there() {
    if !has("ssh-agent") || !has("ssh-add") || !has("ssh-keygen") {
        return;
    }
    let house = recorded();
    let key = keygen(&house, "bob", "bob@example.org");
    let socket = house.path("agent.sock");
    let mut agent =
        Command::new("ssh-agent").args(["-D", "-a"]).arg(&socket).stdout(Stdio::null()).spawn().unwrap();
    let waited = (0..200).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(10));
        socket.exists()
    });
    let added = Command::new("ssh-add").args(["-q", &key]).env("SSH_AUTH_SOCK", &socket).status().unwrap();
    fs::remove_file(&key).unwrap();
    let out = house.path("here/out").display().to_string();
    let made = house
        .command(&["bundle", "s", "-o", &out, "--sign-key", &format!("{key}.pub")])
        .env("SSH_AUTH_SOCK", &socket)
        .output()
        .unwrap();
    agent.kill().unwrap();
    agent.wait().unwrap();
    assert!(waited && added.success());
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    house.run(&["verify", &out]).ok().says("signed by bob@example.org as SHA256:");
}

#[test]
fn the_scripts_in_a_bundle_run_in_its_folder_without_arguments() {
    let house = recorded();
    let out = house.path("here/out");
    house.run(&["bundle", "-o", &out.display().to_string()]).ok();
    let pin = house.run(&["pin"]).ok().text().lines().nth(2).unwrap().replace("pin ", "");
    let mut programs = Vec::new();
    if has("python3") {
        programs.push(("python3", "verify.py"));
    }
    if ["jq", "b3sum", "openssl", "ssh-keygen"].iter().all(|tool| has(tool)) {
        programs.push(("bash", "verify.sh"));
    }
    for (program, script) in programs {
        let run = |pin: Option<&str>| {
            let mut command = Command::new(program);
            command.arg(script).current_dir(&out).env_remove("RECOUNT_PIN");
            if let Some(pin) = pin {
                command.env("RECOUNT_PIN", pin);
            }
            command.output().unwrap().status.code()
        };
        assert_eq!((run(Some(&pin)), run(None)), (Some(0), Some(12)), "{program}");
    }
}

#[test]
fn a_case_comes_with_its_own_session_and_those_that_it_is_about() {
    let house = recorded();
    house.run(&["record", "--session", "elsewhere", "--kind", "note.added", "--text", "unconcerned"]).ok();
    house.run(&["case", "open", "why the other", "--about", "s/2"]).ok();
    house.run(&["case", "verdict", "--step", "s/1", "it began with the one"]).ok();
    let made = |name: &str, more: &[&str]| {
        let out = house.path(name).display().to_string();
        house.run(&[&["bundle", "--case", "case-1", "-o", &out], more].concat()).ok();
        house.run(&["verify", &out]);
        let mut text = String::new();
        for file in crate::house::files_under(&house.path(name)) {
            text += &String::from_utf8_lossy(&fs::read(file).unwrap());
        }
        text
    };
    let whole = made("here/whole", &[]);
    for told in ["the one", "why the other", "it began with the one"] {
        assert!(whole.contains(told), "{told}");
    }
    assert!(!whole.contains("unconcerned"));
    let asked = made("here/asked", &["--query", "seq:1"]);
    assert!(asked.contains("it began with the one"), "an entry beyond the query");
    let out = house.path("here/none").display().to_string();
    house.run(&["bundle", "--case", "case-7", "-o", &out]).exit(3);
    house.run(&["bundle", "s", "--case", "TICKET-7", "-o", &out]).ok();
}
