//! The verbs over one session of 10,000 events: in this process, and as the whole program.
//!
//! The session is the generator's with what the verbs look for: files that are edited, tests that fail, handoffs
//! that are read late or never, concerns, digests, thoughts before and after.

use event::{Draft, Kind, Origin};
use investigate::{Trace, gaps, known, suspects, why};
use journal::Durability;
use recorder::{Recorder, Store};
use serde_json::json;
use world::World;

use crate::Outcome;
use crate::fixture::{Fixture, KEYS, drafts_for, program};
use crate::generator::Dice;
use crate::measure::ask;
use crate::table::{Table, Target};

const SESSION: &str = "night";
const EVENTS: usize = 10_000;
const TIMES: usize = 20;
const LIMIT: Target = Target::AtMost(50.0);

pub(crate) fn run(table: &mut Table, fixture: &mut Fixture) -> Outcome<()> {
    let journal = fixture.fresh()?;
    let root = journal.root().to_owned();
    let mut recorder = Recorder::new(&journal, &KEYS, Durability::Batch);
    for draft in night() {
        recorder.record(draft)?;
    }
    recorder.sync()?;
    let store = Store::open(World::real(), &root)?;
    let session = store.session(SESSION)?;
    let trace = Trace::read(&store, &session, None)?;
    let last = trace.events.last().map_or(0, |event| event.seq);
    table.value("events of the session", trace.events.len() as f64, "", Target::None);
    table.value("gaps in it", gaps(&trace).len() as f64, "", Target::None);

    let times = ask(TIMES, || Ok(Trace::read(&store, &session, None)?))?;
    table.latency("the session read", &times, Target::None);
    let times = ask(TIMES, || Ok(suspects(&trace, 5).considered))?;
    table.latency("suspects, once it is read", &times, Target::None);
    let times = ask(TIMES, || Ok(gaps(&trace).len()))?;
    table.latency("gaps, once it is read", &times, Target::None);
    let times = ask(TIMES, || Ok(why(&trace, last, 6).map(|edges| edges.len())))?;
    table.latency("why, once it is read", &times, Target::None);
    let times = ask(TIMES, || Ok(known(&trace, "developer").items.len()))?;
    table.latency("known, once it is read", &times, Target::None);

    let end = format!("{SESSION}/{last}");
    for words in [
        &["suspects", SESSION][..],
        &["gaps", SESSION],
        &["why", &end],
        &["known", "developer", "--at", &end],
        &["timeline", SESSION],
        &["timeline", SESSION, "--limit", "200"],
    ] {
        let mut command = program(&root);
        command.args(words);
        let times = ask(TIMES, || Ok(command.status()?))?;
        let limit = if words.contains(&"timeline") { Target::AtMost(20.0) } else { LIMIT };
        table.latency(&format!("recount {}, whole process", words.join(" ")), &times, limit);
    }
    Ok(())
}

/// The drafts of the session.
fn night() -> Vec<Draft> {
    let mut dice = Dice::new(11);
    let mut drafts = Vec::with_capacity(EVENTS);
    for draft in drafts_for(SESSION, 11, EVENTS) {
        let agent = draft.header.get("agent").cloned();
        let made = draft.kind == *"handoff.made";
        let (at, group) = (draft.header.get("at").cloned(), draft.header.get("group").cloned());
        let to = draft.header.get("to").cloned();
        drafts.push(lifelike(draft, &mut dice));
        if made && dice.one_in(2) {
            let read = Draft::new(SESSION, Kind::of("handoff.read"), Origin::Claimed);
            drafts.push(read.with("at", at).with("group", group).with("agent", to.clone()).with("by", to));
        } else if made {
            let digest = Draft::new(SESSION, Kind::of("digest.assembled"), Origin::Claimed);
            drafts.push(
                digest
                    .with("at", at)
                    .with("group", group)
                    .with("agent", agent)
                    .with("to", to)
                    .data("text", "…"),
            );
        }
    }
    drafts.truncate(EVENTS);
    drafts
}

/// The same with a tool that is known, or a concern.
fn lifelike(mut draft: Draft, dice: &mut Dice) -> Draft {
    let path = format!("src/module_{}.py", dice.between(0, 40));
    let input = match draft.header.get("skill").and_then(|skill| skill.as_str()) {
        Some("edit_file") => json!({"file_path": path, "new_string": "value = compute()\n"}),
        Some("read_file") => json!({"file_path": path}),
        Some("run_tests") => json!({"command": format!("pytest -q tests/test_{}.py", dice.between(0, 9))}),
        Some("shell") => json!({"command": "git status && make build > build.log"}),
        _ => {
            if draft.kind == *"handoff.made" && dice.one_in(4) {
                let body =
                    json!({"concerns": ["refresh token rotation is outside the scope of this ticket"]});
                draft.data.insert("body".to_owned(), body);
            }
            return draft;
        }
    };
    if draft.kind == *"skill.invoked" {
        draft.data.insert("input".to_owned(), input);
    }
    draft
}
