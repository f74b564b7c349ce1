//! What stock tools say: `verify.sh` and `verify.py` must give the exit code that we give, on every store and
//! bundle of these tests. They run where their tools are; with `CI` set, missing tools fail.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use super::house::{House, STORE};
use crate::bundle::{VERIFY_PY, VERIFY_SH};
use crate::pin::Pin;

/// The scripts, if all their tools are there.
fn scripts() -> &'static [(&'static str, &'static str)] {
    static FOUND: OnceLock<Vec<(&'static str, &'static str)>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let there = |tools: &[&str]| {
            let missing: Vec<&&str> = tools.iter().filter(|tool| !is_there(tool)).collect();
            assert!(missing.is_empty() || std::env::var_os("CI").is_none(), "{missing:?} are not installed");
            missing.is_empty()
        };
        let mut found = Vec::new();
        if there(&["python3"]) {
            found.push(("python3", VERIFY_PY.1));
        }
        if there(&["bash", "awk", "jq", "b3sum", "sha256sum", "openssl", "ssh-keygen", "iconv"]) {
            found.push(("bash", VERIFY_SH.1));
        }
        found
    })
}

fn is_there(tool: &str) -> bool {
    Command::new("sh")
        .args(["-c", &format!("command -v {tool}")])
        .output()
        .is_ok_and(|out| out.status.success())
}

/// Demands that the scripts say what we said of a folder.
#[track_caller]
pub(super) fn agree(folder: &Path, pin: Option<&Pin>, signers: Option<&str>, code: u8) {
    let aside = tempfile::tempdir().unwrap();
    for (program, text) in scripts() {
        let script = aside.path().join("verify");
        fs::write(&script, text).unwrap();
        let mut command = Command::new(program);
        command.arg(&script).arg(folder).env_remove("RECOUNT_PIN").env_remove("RECOUNT_ALLOWED_SIGNERS");
        if let Some(pin) = pin {
            fs::write(aside.path().join("pin"), pin.to_text()).unwrap();
            command.arg("--pin").arg(aside.path().join("pin"));
        }
        if let Some(signers) = signers {
            fs::write(aside.path().join("signers"), signers).unwrap();
            command.arg("--allowed-signers").arg(aside.path().join("signers"));
        }
        let out = command.output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(i32::from(code)), "{program} on {}:\n{said}", folder.display());
    }
}

/// The same for a store in the simulated machine.
#[track_caller]
pub(super) fn agree_on_store(house: &House, pin: Option<&Pin>, signers: Option<&str>, code: u8) {
    if scripts().is_empty() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    pour(house, STORE, folder.path());
    agree(folder.path(), pin, signers, code);
}

/// Writes a folder of the simulated machine to a real one; a lock of its boot becomes one of ours.
pub(super) fn pour(house: &House, from: &str, to: &Path) {
    let boot = fs::read_to_string("/proc/sys/kernel/random/boot_id").unwrap_or_default();
    for path in house.sim.files(from) {
        let mut bytes = house.bytes(&path);
        if path.file_name().is_some_and(|name| name == "lock") {
            let text = String::from_utf8_lossy(&bytes).replacen(&house.world.boot_id, boot.trim(), 1);
            bytes = text.into_bytes();
        }
        let target = to.join(path.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::write(target, bytes).unwrap();
    }
}
