//! A place to run the real program in: a home, a store and a temporary folder of its own, nothing of ours.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// The program under test.
pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_recount");

/// One sandbox; it goes with its folder.
pub(crate) struct House {
    root: TempDir,
}

impl House {
    /// A house with a store.
    pub(crate) fn new() -> Self {
        let house = Self::bare();
        house.run(&["init"]).ok();
        house
    }

    /// A house without a store.
    pub(crate) fn bare() -> Self {
        let house = Self { root: tempfile::tempdir().unwrap() };
        for folder in ["home", "config", "state", "cache", "data", "tmp", "here"] {
            fs::create_dir(house.path(folder)).unwrap();
        }
        house
    }

    /// A place in the house.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn store(&self) -> PathBuf {
        self.path("store")
    }

    /// The folder of a session, by its id.
    pub(crate) fn session(&self, id: &str) -> PathBuf {
        self.store().join("journal/sessions").join(id)
    }

    /// Gives any program the house's surroundings and nothing else.
    pub(crate) fn settle(&self, command: &mut Command) {
        command.env_clear().current_dir(self.path("here"));
        command.env("HOME", self.path("home")).env("TMPDIR", self.path("tmp")).env("TZ", "UTC");
        command.env("RECOUNT_STORE", self.store());
        for (name, folder) in [
            ("XDG_CONFIG_HOME", "config"),
            ("XDG_STATE_HOME", "state"),
            ("XDG_CACHE_HOME", "cache"),
            ("XDG_DATA_HOME", "data"),
        ] {
            command.env(name, self.path(folder));
        }
    }

    /// The program with these arguments, all streams piped.
    pub(crate) fn command(&self, args: &[impl AsRef<OsStr>]) -> Command {
        let mut command = Command::new(PROGRAM);
        self.settle(&mut command);
        command.args(args).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// Runs the program to its end.
    pub(crate) fn run(&self, args: &[impl AsRef<OsStr>]) -> Ran {
        Ran::new(args, self.command(args).output().unwrap())
    }

    /// Runs the program with something on its standard input.
    pub(crate) fn feed(&self, args: &[impl AsRef<OsStr>], input: impl AsRef<[u8]>) -> Ran {
        finish(args, self.command(args), input.as_ref())
    }

    /// The stored lines of a session, with their LFs, in order.
    pub(crate) fn lines(&self, session: &str) -> Vec<Vec<u8>> {
        let mut segments = files_under(&self.session(session));
        segments.retain(|file| file.extension().is_some_and(|end| end == "ndjson"));
        let bytes: Vec<u8> = segments.iter().flat_map(|file| fs::read(file).unwrap()).collect();
        bytes.split_inclusive(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect()
    }

    /// The events of a session as their lines say.
    pub(crate) fn events(&self, session: &str) -> Vec<Value> {
        self.lines(session).iter().map(|line| serde_json::from_slice(line).unwrap()).collect()
    }

    /// The ids of all sessions.
    pub(crate) fn sessions(&self) -> Vec<String> {
        let answer = self.run(&["sessions", "--json"]).ok().json();
        let rows = answer["sessions"].as_array().unwrap().iter();
        rows.map(|row| row["session"].as_str().unwrap().to_owned()).collect()
    }

    /// What is told in every session: key, kind and data. No key stands twice.
    pub(crate) fn told(&self) -> BTreeMap<String, (String, Value)> {
        let mut told = BTreeMap::new();
        for event in self.sessions().iter().flat_map(|session| self.events(session)) {
            let Some(key) = event["key"].as_str() else { continue };
            let kind = event["kind"].as_str().unwrap().to_owned();
            let known = told.insert(key.to_owned(), (kind, event["data"].clone()));
            assert_eq!(known, None, "{key} is stored twice");
        }
        told
    }

    /// Verifies everything; what a kill may leave behind, and nothing else, is repaired.
    pub(crate) fn verify_or_mend(&self) {
        let verified = self.run(&["verify", "--json"]);
        if verified.code == Some(10) {
            for finding in verified.json()["findings"].as_array().unwrap() {
                self.run(&["repair", finding["session"].as_str().unwrap()]).ok();
            }
            self.run(&["verify"]).ok();
        } else {
            verified.ok();
        }
    }
}

/// Runs a command with an input. It may end before it has read everything.
pub(crate) fn finish(args: &[impl AsRef<OsStr>], mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || {
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().unwrap()
    });
    Ran::new(args, output)
}

/// What a run left.
pub(crate) struct Ran {
    what: String,
    /// The exit code; `None` when a signal ended it.
    pub(crate) code: Option<i32>,
    /// Standard output.
    pub(crate) out: Vec<u8>,
    /// Standard error.
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn new(args: &[impl AsRef<OsStr>], output: Output) -> Self {
        let words: Vec<_> = args.iter().map(|arg| arg.as_ref().to_string_lossy()).collect();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        Self { what: words.join(" "), code: output.status.code(), out: output.stdout, err }
    }

    /// Demands success.
    pub(crate) fn ok(self) -> Self {
        self.exit(0)
    }

    /// Demands an exit code.
    #[track_caller]
    pub(crate) fn exit(self, code: i32) -> Self {
        assert_eq!(self.code, Some(code), "recount {}\n{}\n{}", self.what, self.text(), self.err);
        self
    }

    /// Demands that standard error says so.
    #[track_caller]
    pub(crate) fn says(self, part: &str) -> Self {
        assert!(self.err.contains(part), "recount {}: no {part:?} in\n{}", self.what, self.err);
        self
    }

    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.out).into_owned()
    }

    /// Standard output as one JSON document.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.out)
            .unwrap_or_else(|error| panic!("recount {}: {error}\n{}\n{}", self.what, self.text(), self.err))
    }

    /// Standard output as one JSON document a line.
    #[track_caller]
    pub(crate) fn json_lines(&self) -> Vec<Value> {
        self.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

/// Every file below, sorted.
pub(crate) fn files_under(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    files
}

/// Copies a folder and all that is in it.
pub(crate) fn copy_folder(from: &Path, to: &Path) {
    for file in files_under(from) {
        let target = to.join(file.strip_prefix(from).unwrap());
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(&file, target).unwrap();
    }
}

/// Chance that can be had again: the seed is printed, and taken from `RECOUNT_SEED` where that is set.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(what: &str) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        let given = std::env::var("RECOUNT_SEED").ok().and_then(|seed| seed.parse().ok());
        let seed = given.unwrap_or(u64::from(now.subsec_nanos()) ^ now.as_secs());
        println!("{what}: RECOUNT_SEED={seed}");
        Self(seed)
    }

    /// The same chance every time.
    pub(crate) fn of(seed: u64) -> Self {
        Self(seed)
    }

    /// splitmix64.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut n = self.0;
        n = (n ^ (n >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        n = (n ^ (n >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        n ^ (n >> 31)
    }

    /// A number below `end`.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.next() % end as u64).unwrap()
    }
}
