//! Agent-like sessions from a seed: reasoning in phases, skills with their outputs, handoffs, messages.
//!
//! A session has about 2,000 events (the first one more, for timelines), three groups and four roles;
//! an event has about 1.1 KB as JSON. 10,000, 100,000 or a million of them are one iterator.

pub(crate) mod rollout;
pub(crate) mod transcript;
mod words;

use event::{Draft, Kind, Origin, PHASES};
use serde_json::{Map, Value, json};

pub(crate) use words::{Dice, output, prose};

/// The day on which every generated session begins, in microseconds since 1970.
const MORNING: i64 = 1_795_766_400_000_000;
const SESSION_EVENTS: usize = 2_000;
const ROLES: &[&str] = &["planner", "developer", "reviewer", "tester"];
const SKILLS: &[&str] = &["read_file", "run_tests", "search_code", "edit_file", "shell"];

/// A stream of drafts, session after session.
pub(crate) struct Events {
    seed: u64,
    left: usize,
    /// Events left in the current session.
    here: usize,
    number: u64,
    session: Session,
}

/// So many drafts.
pub(crate) fn events(seed: u64, count: usize) -> Events {
    let here = (count / 5).clamp(1, 10_000);
    Events { seed, left: count, here, number: 0, session: Session::new(seed, 0) }
}

/// The name of the n-th session of a seed.
pub(crate) fn session_name(seed: u64, number: u64) -> String {
    format!("bench-{seed}-{number:04}")
}

impl Iterator for Events {
    type Item = Draft;

    fn next(&mut self) -> Option<Draft> {
        self.left = self.left.checked_sub(1)?;
        if self.here == 0 {
            self.number += 1;
            self.session = Session::new(self.seed, self.number);
            self.here = SESSION_EVENTS / 2 + self.session.dice.index(SESSION_EVENTS);
        }
        self.here -= 1;
        Some(self.session.event())
    }
}

/// A draft as the line of JSON that a caller would send.
pub(crate) fn json_of(draft: &Draft) -> String {
    let mut line = Map::new();
    line.insert("session".into(), draft.session.clone().into());
    line.insert("kind".into(), draft.kind.as_str().into());
    line.extend(draft.key.clone().map(|key| ("key".into(), key.into())));
    line.extend(draft.header.clone());
    line.insert("data".into(), draft.data.clone().into());
    Value::Object(line).to_string()
}

/// One session: who is at work, and what was asked last.
struct Session {
    name: String,
    dice: Dice,
    at: i64,
    /// The next sequence; 0 is the opening that the journal writes itself.
    seq: u64,
    asked: Option<(u64, String, &'static str)>,
    group: u64,
    role: usize,
}

impl Session {
    fn new(seed: u64, number: u64) -> Self {
        let dice = Dice::new(seed ^ (number << 20));
        let at = MORNING + i64::try_from(number).unwrap_or(0) * 600_000_000;
        Self { name: session_name(seed, number), dice, at, seq: 1, asked: None, group: 0, role: 0 }
    }

    fn event(&mut self) -> Draft {
        self.at += i64::try_from(self.dice.between(20_000, 4_000_000)).unwrap_or(0);
        let asked = self.asked.take();
        if asked.is_none() && self.dice.one_in(12) {
            (self.group, self.role) = (self.dice.between(0, 2), self.dice.index(ROLES.len()));
        }
        let draft = match asked {
            Some(asked) => self.returned(asked),
            None => match self.dice.between(1, 70) {
                1..=28 => self.reasoning(),
                29..=58 => self.invoked(),
                59..=64 => self.handoff(),
                _ => self.message(),
            },
        };
        self.seq += 1;
        draft
    }

    fn draft(&self, kind: &'static str) -> Draft {
        let role = ROLES[self.role];
        Draft::new(&self.name, Kind::of(kind), Origin::Claimed)
            .with("at", world::rfc3339(self.at))
            .with("group", format!("GROUP-{}", self.group))
            .with("agent", role)
            .with("agent_id", format!("{role}-{}", self.group + 1))
    }

    fn reasoning(&mut self) -> Draft {
        let bytes = self.dice.size(150).min(1_500);
        let (phase, confidence) = (self.dice.pick(PHASES), self.dice.pick(&["high", "medium", "low"]));
        let draft = self.draft("reasoning.recorded").with("phase", phase).with("confidence", confidence);
        draft.data("text", prose(&mut self.dice, bytes))
    }

    fn invoked(&mut self) -> Draft {
        let call = format!("call-{:012x}", self.dice.roll() >> 16);
        let skill = self.dice.pick(SKILLS);
        let (mut path, bytes) = (String::new(), self.dice.size(60).min(600));
        words::path(&mut self.dice, &mut path);
        let input = json!({"path": path, "query": prose(&mut self.dice, bytes)});
        self.asked = Some((self.seq, call.clone(), skill));
        self.draft("skill.invoked").with("skill", skill).with("call", call).data("input", input)
    }

    fn returned(&mut self, (seq, call, skill): (u64, String, &'static str)) -> Draft {
        let status = if self.dice.one_in(9) { "error" } else { "ok" };
        let (took, bytes) = (self.dice.between(3, 9_000), self.dice.size(200));
        let draft = self.draft("skill.returned").with("skill", skill).with("call", call);
        let draft = draft.with("status", status).with("duration_ms", took).with("cause", seq);
        draft.data("output", output(&mut self.dice, bytes))
    }

    fn handoff(&mut self) -> Draft {
        let (from, to) = (self.role, self.dice.index(ROLES.len()));
        let body =
            json!({"done": prose(&mut self.dice, 400), "open": [prose(&mut self.dice, 200)], "files": 3});
        let draft = self.draft("handoff.made").with("from", ROLES[from]).with("to", ROLES[to]);
        self.role = to;
        draft.with("status", "ready").data("summary", prose(&mut self.dice, 200)).data("body", body)
    }

    fn message(&mut self) -> Draft {
        let (role, bytes) = (self.dice.pick(&["user", "assistant"]), self.dice.size(60).min(1_000));
        self.draft("message.recorded").with("role", role).data("text", prose(&mut self.dice, bytes))
    }
}
