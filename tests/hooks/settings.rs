//! `hook install`, `remove` and `status`: other people's settings.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::{Value, json};

use crate::house::House;

const BEFORE: &str = "{\n    \"model\": \"opus\", // mine\n    \"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [\n        {\"type\": \"command\", \"command\": \"./check.sh\"}]}]},\n  \"env\": {\"A\": \"1\"}\n}\n\n";

fn status(house: &House, agent: &str) -> Value {
    house.run(&["hook", "status", agent, "--json"]).ok().json()["agents"][0].clone()
}

#[test]
fn settings_are_put_back_byte_for_byte() {
    for (agent, file) in [
        ("claude-code", ".claude/settings.json"),
        ("codex", ".codex/hooks.json"),
        ("gemini", ".gemini/settings.json"),
    ] {
        let house = House::bare();
        let file = house.path("home").join(file);
        let command = |word: &'static str| ["hook", word, agent, "--yes"];
        // no settings yet
        house.run(&command("install")).ok();
        let made: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert!(made["hooks"].as_object().unwrap().len() >= 8 && made["hooks"]["WorktreeCreate"].is_null());
        house.run(&command("remove")).ok();
        assert!(!file.exists(), "what was made for the hooks goes with them");
        // settings of somebody's own
        fs::write(&file, BEFORE).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
        let shown = house.run(&["hook", "install", agent]).exit(2).text();
        assert!(shown.contains('+') && shown.contains("hook "), "the difference is shown: {shown}");
        assert_eq!(fs::read_to_string(&file).unwrap(), BEFORE, "nothing is written without a yes");
        house.run(&command("install")).ok();
        let with = fs::read_to_string(&file).unwrap();
        assert!(with.contains("./check.sh") && with.contains("// mine"));
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(house.run(&command("install")).ok().text().contains("already"));
        assert_eq!(fs::read_to_string(&file).unwrap(), with, "a second install changes nothing");
        assert_eq!(status(&house, agent)["missing"], json!([]));
        house.run(&command("remove")).ok();
        assert_eq!(fs::read_to_string(&file).unwrap(), BEFORE);
        let beside: Vec<_> = fs::read_dir(file.parent().unwrap()).unwrap().collect();
        assert_eq!(beside.len(), 1, "no backup is left behind");
    }
}

#[test]
fn what_somebody_changed_since_stays() {
    let house = House::bare();
    let file = house.path("home").join(".claude/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, BEFORE).unwrap();
    house.run(&["hook", "install", "claude-code", "--yes"]).ok();
    let with = fs::read_to_string(&file).unwrap();
    fs::write(&file, with.replace("\"A\": \"1\"", "\"A\": \"2\"")).unwrap();
    house.run(&["hook", "remove", "claude-code", "--yes"]).ok();
    let left = fs::read_to_string(&file).unwrap();
    assert!(
        left.contains("\"A\": \"2\"") && left.contains("./check.sh") && left.contains("// mine"),
        "{left}"
    );
    assert!(!left.contains("hook claude-code"), "{left}");
    let backup = file.with_file_name("settings.json.before-recount");
    assert_eq!(fs::read_to_string(backup).unwrap(), BEFORE, "what is not put back is kept");
    // nothing of ours, nothing to do
    assert!(house.run(&["hook", "remove", "claude-code", "--yes"]).ok().text().contains("no hook of ours"));
}

#[test]
fn settings_of_another_shape_are_left_alone() {
    let house = House::bare();
    let file = house.path("home").join(".claude/settings.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    for text in ["[]", "{\"hooks\": []}", "{\"hooks\": {\"Stop\": 7}}", "{", "\u{0}"] {
        fs::write(&file, text).unwrap();
        house.run(&["hook", "install", "claude-code", "--yes"]).exit(2);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    // a link is followed, and stays one
    let real = house.path("dotfiles.json");
    fs::write(&real, "{}").unwrap();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink(&real, &file).unwrap();
    house.run(&["hook", "install", "claude-code", "--yes"]).ok();
    assert!(file.is_symlink() && fs::read_to_string(&real).unwrap().contains("hook claude-code"));
}

#[test]
fn status_and_doctor_say_when_hooks_fired_and_what_went_wrong() {
    let house = House::new();
    assert_eq!(status(&house, "codex")["last"], Value::Null);
    fs::create_dir_all(house.path("home").join(".claude")).unwrap();
    house.run(&["hook", "install", "claude-code", "--yes"]).ok();
    super::fire(&house, "claude-code", super::script::stop("s").to_string());
    super::fire(&house, "claude-code", "garbage");
    let status = status(&house, "claude-code");
    assert!(status["last"]["at"].as_str().is_some(), "{status}");
    assert_eq!(status["errors"][0]["error"], "kept as it is: payload is no JSON object");
    let doctor = house.run(&["doctor", "--json"]).json();
    let checks = doctor["checks"].as_array().unwrap();
    let hooks = checks.iter().find(|check| check["check"] == "hooks of claude-code").unwrap();
    assert!(hooks["said"].as_str().unwrap().contains("fired last"), "{hooks}");
}
