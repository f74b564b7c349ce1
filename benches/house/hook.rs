//! One whole hook, as an agent calls it: in an empty store, in the full one, and beside a hook in Python that does no
//! more than keep what it is fed.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::Outcome;
use crate::fixture::{Fixture, program};
use crate::measure::{percentile, timed};
use crate::table::{Table, Target};

const RUNS: usize = 200;
const PAYLOAD: &str = r#"{"session_id":"bench-hook","transcript_path":"/home/dev/.claude/projects/-work-app/bench-hook.jsonl","cwd":"/","permission_mode":"acceptEdits","hook_event_name":"PreToolUse","tool_name":"Edit","tool_use_id":"toolu_01BenchAaaaaaaaaaaaaaaaa","tool_input":{"file_path":"/work/app/src/auth/tokens.rs","old_string":"let claims = Claims { sub: user.id, exp: now + DAY };\nencode(&header, &claims, &key)","new_string":"let claims = Claims { sub: user.id, exp: now + QUARTER, family: family.id };\nlet token = encode(&header, &claims, &key)?;\nself.families.touch(family.id, now)?;\nOk(token)","replace_all":false}}"#;

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let (empty, full) = (fixture.fresh()?.root().to_owned(), fixture.full()?.root);
    let events = fixture.events;
    let peer = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/hook_peer.py");
    let mut python = Command::new("python3");
    python.arg(peer).arg(fixture.path("peer.db"));
    let hook = |root: &Path| {
        let mut command = program(root);
        command.args(["hook", "claude-code"]).env("XDG_STATE_HOME", root.join("state"));
        command
    };
    let full_name = format!("hook, {events} events in the store");
    let mut programs = vec![
        ("/bin/true".to_owned(), Command::new("/bin/true")),
        ("hook in Python".to_owned(), python),
        ("hook".to_owned(), hook(&empty)),
        (full_name, hook(&full)),
    ];
    programs.retain_mut(|(_, command)| fed(command).is_ok());
    let mut times = vec![Vec::with_capacity(RUNS); programs.len()];
    for _ in 0..RUNS {
        for ((_, command), times) in programs.iter_mut().zip(&mut times) {
            let ((), time) = timed(|| fed(command))?;
            times.push(time.as_secs_f64() * 1e3);
        }
    }
    for ((name, _), times) in programs.iter().zip(&times) {
        let limit =
            |ms| if name.starts_with("hook, ") || name == "hook" { Target::AtMost(ms) } else { Target::None };
        table.row(&format!("{name}, p50"), times, "ms", limit(3.0));
        table.value(&format!("{name}, p99"), percentile(times, 99), "ms", limit(10.0));
    }
    let times = table.get("hook in Python, p50") / table.get("hook, p50");
    if times.is_finite() {
        table.value("hook in Python / hook", times, "×", Target::None);
    }
    Ok(())
}

fn fed(command: &mut Command) -> Outcome<()> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // who reads nothing may be gone by now
    let _ = child.stdin.take().map(|mut stdin| stdin.write_all(PAYLOAD.as_bytes()));
    if child.wait()?.success() { Ok(()) } else { Err("a hook failed".into()) }
}
