//! "QA failed on AUTH last night": from nothing to a written verdict in six commands, on a planted night.

use std::time::Instant;

use jiff::{Timestamp, ToSpan as _};
use serde_json::{Value, json};

use crate::house::House;

/// Drafts of one night, a minute apart, beginning at one in the morning today.
struct Night {
    session: &'static str,
    start: Timestamp,
    drafts: Vec<Value>,
}

#[allow(clippy::needless_pass_by_value)] // literals
impl Night {
    fn new(session: &'static str, start: Timestamp) -> Self {
        Self { session, start, drafts: Vec::new() }
    }

    /// Adds an event; gives the sequence that it will have (0 is the opening).
    fn tell(&mut self, agent: (&str, &str), kind: &str, header: Value, data: Value) -> usize {
        let at = self.start + i64::try_from(self.drafts.len()).unwrap().minutes();
        let mut draft = json!({
            "session": self.session, "kind": kind, "at": format!("{at:.6}"), "agent": agent.0, "agent_id": agent.1,
            "data": data,
        });
        draft.as_object_mut().unwrap().extend(header.as_object().unwrap().clone());
        self.drafts.push(draft);
        self.drafts.len()
    }

    fn think(&mut self, agent: (&str, &str), group: &str, phase: &str, text: &str) -> usize {
        self.tell(agent, "reasoning.recorded", json!({"group": group, "phase": phase}), json!({"text": text}))
    }

    fn call(
        &mut self,
        agent: (&str, &str),
        group: &str,
        skill: &str,
        input: Value,
        back: (&str, &str),
    ) -> usize {
        let call = format!("call-{}-{}", self.session, self.drafts.len());
        let header = json!({"group": group, "skill": skill, "call": call});
        let seq = self.tell(agent, "skill.invoked", header.clone(), json!({"input": input}));
        let mut header = header;
        header["status"] = back.0.into();
        let member = if back.0 == "ok" { "output" } else { "error" };
        self.tell(agent, "skill.returned", header, json!({member: back.1}));
        seq
    }

    fn hand(&mut self, agent: (&str, &str), group: &str, to: &str, status: &str, summary: &str) -> usize {
        let header = json!({"group": group, "from": agent.0, "to": to, "status": status});
        self.tell(agent, "handoff.made", header, json!({"summary": [summary]}))
    }

    fn read(&mut self, agent: (&str, &str), group: &str) -> usize {
        self.tell(agent, "handoff.read", json!({"group": group, "by": agent.0}), json!({}))
    }

    /// Work of another group that has nothing to do with it.
    fn noise(&mut self, number: usize) {
        let api = ("developer", "dev-1");
        let file = format!("src/api/routes/r{number}.rs");
        self.think(api, "API", "approach", "One dependency for all routes; I assume nothing about tokens.");
        self.call(api, "API", "Read", json!({"file_path": file}), ("ok", "pub fn route() {}"));
        self.call(api, "API", "Edit", json!({"file_path": file, "new_string": "guard()"}), ("ok", "updated"));
        self.call(api, "API", "Bash", json!({"command": "cargo test api"}), ("ok", "9 passed"));
    }

    fn record(&self, house: &House) {
        let lines: String = self.drafts.iter().map(|draft| format!("{draft}\n")).collect();
        house.feed(&["import", "-"], lines).ok();
    }
}

const PM: (&str, &str) = ("pm", "pm-1");
const DEV: (&str, &str) = ("developer", "dev-2");
const QA: (&str, &str) = ("qa_expert", "qa-1");

/// What both nights begin with.
fn planned(night: &mut Night) -> usize {
    night.think(PM, "AUTH", "understanding", "AUTH gives tokens, API uses them.");
    night.noise(1);
    let made = night.hand(PM, "AUTH", "developer", "READY", "HS256; refresh rotation IS in scope");
    night.noise(2);
    let header = json!({"group": "AUTH", "call": format!("spawn-{}", night.session)});
    night.tell(DEV, "agent.spawned", header, json!({"prompt": "You are developer 2. Build token checks."}));
    made
}

fn tested_by_qa(night: &mut Night, back: (&str, &str)) -> usize {
    let header = json!({"group": "AUTH", "call": format!("spawn-qa-{}", night.session)});
    night.tell(QA, "agent.spawned", header, json!({"prompt": "Run the contract tests."}));
    night.read(QA, "AUTH");
    night.think(QA, "AUTH", "understanding", "The contract has six tests.");
    night.call(QA, "AUTH", "test-runner", json!({"command": "pytest -q tests/contract"}), back)
}

/// The night that failed: nobody read the scope to the developer. Gives the sequences of the PM's handoff and
/// of the decision that skipped rotation.
fn failing(house: &House, start: Timestamp) -> (usize, usize) {
    let mut night = Night::new("night-fail", start);
    let scope = planned(&mut night);
    night.think(DEV, "AUTH", "understanding", "Tokens are made in jwt_handler.py.");
    night.call(
        DEV,
        "AUTH",
        "Read",
        json!({"file_path": "src/auth/jwt_handler.py"}),
        ("ok", "def verify(): ..."),
    );
    night.noise(3);
    let culprit =
        night.think(DEV, "AUTH", "decisions", "I assume the HS256 secret is in the env; skip rotation.");
    night.call(
        DEV,
        "AUTH",
        "Edit",
        json!({"file_path": "src/auth/jwt_handler.py", "new_string": "leeway=30"}),
        ("ok", "ok"),
    );
    night.noise(4);
    night.call(DEV, "AUTH", "Bash", json!({"command": "pytest -q tests/test_jwt.py"}), ("ok", "15 passed"));
    night.think(DEV, "AUTH", "completion", "Expired tokens give 401.");
    night.hand(DEV, "AUTH", "qa_expert", "READY_FOR_QA", "15 unit tests pass");
    tested_by_qa(&mut night, ("error", "FAILED test_refresh: expected 401 after refresh, got 200"));
    let header = json!({"group": "AUTH", "category": "logic"});
    night.tell(QA, "error.raised", header, json!({"message": "contract 5/6: 401 after refresh expected"}));
    night.hand(QA, "AUTH", "developer", "FAIL", "contract 5/6, 401 after refresh missing");
    night.noise(5);
    night.record(house);
    (scope, culprit)
}

/// Last week's attempt, in which the developer read what the PM wrote.
fn passing(house: &House, start: Timestamp) -> usize {
    let mut night = Night::new("week-pass", start);
    planned(&mut night);
    night.think(DEV, "AUTH", "understanding", "Tokens are made in jwt_handler.py.");
    night.call(
        DEV,
        "AUTH",
        "Read",
        json!({"file_path": "src/auth/jwt_handler.py"}),
        ("ok", "def verify(): ..."),
    );
    let read = night.read(DEV, "AUTH");
    night.think(DEV, "AUTH", "decisions", "Rotate on refresh, as the PM says.");
    night.call(
        DEV,
        "AUTH",
        "Write",
        json!({"file_path": "src/auth/families.py", "content": "class Families"}),
        ("ok", "ok"),
    );
    night.hand(DEV, "AUTH", "qa_expert", "READY_FOR_QA", "rotation by generation");
    tested_by_qa(&mut night, ("ok", "6 passed"));
    night.hand(QA, "AUTH", "tech_lead", "PASS", "contract 6/6");
    night.record(house);
    read
}

/// The line of an answer that has all of these words.
fn line<'a>(text: &'a str, words: &[&str]) -> &'a str {
    let has = |line: &&str| words.iter().all(|word| line.contains(word));
    text.lines().find(has).unwrap_or_else(|| panic!("no line with {words:?} in\n{text}"))
}

#[test]
fn six_commands_lead_from_a_failure_to_its_cause() {
    let house = House::new();
    let day: Timestamp = format!("{}T01:00:00Z", &Timestamp::now().to_string()[..10]).parse().unwrap();
    let (scope, culprit) = failing(&house, day);
    let read = passing(&house, day - 168.hours());
    let begun = Instant::now();
    let run = |args: &[&str]| house.run(args).ok().text();

    let found = run(&["search", "group:AUTH agent:qa_expert status:FAIL since:\"last night\""]);
    assert_eq!(found.lines().count(), 1, "{found}");
    line(&found, &["night-fail/", "qa-1", "handoff.made", "contract 5/6"]);

    let page = run(&["investigate", "night-fail", "AUTH"]);
    line(&page, &[&format!("night-fail/{culprit}#"), "suspect 1", "worker", "says \"assume\""]);
    line(&page, &["suspect 2", "Edit", "last change before the first failing test"]);
    line(&page, &[&format!("night-fail/{scope}#"), "NEVER READ"]);
    line(&page, &["dev-2 never ran `pytest -q tests/contract`"]);
    line(&page, &["FAIL: the error behind it (logic)"]);
    assert!(!page.contains("dev-1"), "another group's work is on the page: {page}");

    let known = run(&["known", "developer", "--at", &format!("night-fail/{culprit}")]);
    line(&known, &["no digest"]);
    line(&known, &["files read: src/auth/jwt_handler.py"]);
    assert!(!known.contains("src/api"), "another developer's files are in {known}");
    line(&known, &[&format!("night-fail/{scope}#"), "NOT SEEN: handoff never read", "rotation IS in scope"]);

    let diff = run(&["diff", "night-fail", "week-pass", "--group", "AUTH"]);
    line(&diff, &[&format!("night-fail/{culprit}#"), "FIRST DIVERGENCE of developer"]);
    line(&diff, &[&format!("week-pass/{read}#"), "handoff.read", "right: instead"]);

    run(&["case", "open", "AUTH 401 after refresh", "--about", &format!("night-fail/{culprit}")]);
    let (step, cause) = (format!("night-fail/{culprit}"), format!("night-fail/{scope}"));
    run(&[
        "case",
        "verdict",
        "--step",
        &step,
        "--cause",
        &cause,
        "--mode",
        "FM-2.4",
        "the scope never reached dev-2",
    ]);
    println!("six commands took {:?} of machine time", begun.elapsed());

    let exported = run(&["case", "export", "--format", "markdown"]);
    line(&exported, &["**Verdict**", "FM-2.4", "the scope never reached dev-2"]);
    line(&exported, &["brought about by", &format!("night-fail/{scope}#")]);
    house.run(&["verify"]).ok();
}

#[test]
fn what_is_written_down_does_not_change_the_reading_list() {
    let house = House::new();
    let (_, culprit) = failing(&house, "2026-11-27T01:00:00Z".parse().unwrap());
    let list = || house.run(&["suspects", "night-fail", "-k", "50"]).ok().text();
    let before = list();
    house.run(&["case", "open", "I assume it was the API"]).ok();
    let draft =
        json!({"session": "night-fail", "kind": "verdict.given", "data": {"text": "I assume it was the PM"}});
    house.feed(&["import", "-"], format!("{draft}\n")).ok();
    assert_eq!(list(), before);
    assert!(before.lines().next().unwrap().contains(&format!("night-fail/{culprit}#")), "{before}");
}

#[test]
fn cases_that_are_opened_at_once_are_cases_of_their_own() {
    let house = House::new();
    let opening: Vec<_> =
        (0..8).map(|n| house.command(&["case", "open", &format!("question {n}")]).spawn().unwrap()).collect();
    let mut opened: Vec<String> = opening
        .into_iter()
        .map(|child| {
            let output = child.wait_with_output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            String::from_utf8(output.stdout).unwrap().trim().to_owned()
        })
        .collect();
    opened.sort();
    let wanted: Vec<String> = (1..=8).map(|n| format!("case-{n}/1")).collect();
    assert_eq!(opened, wanted);
}

#[test]
fn a_search_for_a_secret_is_not_saved() {
    let house = House::new();
    let token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    for args in [["mine", token], [token, "agent:dev"]] {
        let ran = house.run(&["search", "--save", args[0], args[1]]).exit(6);
        assert!(!ran.err.contains("0123456789abcdefghij"), "{}", ran.err);
    }
    house.run(&["search", "--save", "mine", "redacted:github_token"]).ok();
    let saved = std::fs::read_to_string(house.path("config/recount/searches")).unwrap();
    assert_eq!(saved, "mine\tredacted:github_token\n");
}

/// Everything that reads takes a moment, and tells nothing of what came after it.
#[test]
fn at_a_moment_nothing_later_is_told() {
    let house = House::new();
    failing(&house, "2026-11-27T01:00:00Z".parse().unwrap());
    let note = |session: &str, agent: &str, day: u8, text: &str| {
        json!({"session": session, "kind": "error.raised", "agent": agent, "group": "AUTH",
            "at": format!("2026-11-{day}T00:00:00.000000Z"), "data": {"message": text}})
    };
    let later = [
        note("night-fail", "zzagent", 28, "zzlater"),
        note("night-other", "zzagent", 28, "zzlater"),
        note("night-before", "early", 26, "early"),
    ];
    let drafts: String = later.iter().map(|draft| format!("{draft}\n")).collect();
    house.feed(&["import", "-"], drafts).ok();
    let last = house.lines("night-fail").len() - 1;
    let (at, after) = (format!("night-fail/{}", last - 1), format!("night-fail/{last}"));
    let (whole, end) = (format!("night-fail/{last}"), format!("{}", last - 1));
    for (args, shows) in [
        (&["search", "kind:error"][..], true),
        (&["timeline", "night-fail"], true),
        (&["sessions"], true),
        (&["stats"], true),
        (&["errors"], true),
        (&["suspects", "night-fail", "-k", "100"], false),
        (&["gaps", "night-fail"], false),
        (&["loops", "night-fail"], false),
        (&["investigate", "night-fail"], false),
        (&["diff", "night-fail", "night-before"], true),
        (&["spectrum", "--fail", "night-fail,night-other", "--pass", "night-before,night-before"], false),
    ] {
        let now = house.run(args).text();
        assert!(!shows || now.contains("zz"), "{args:?}\n{now}");
        for json in [&[][..], &["--json"]] {
            let then = house.run(&[args, &["--at", &at], json].concat());
            assert!(matches!(then.code, Some(0 | 1)), "{args:?} {}", then.err);
            assert!(!then.text().contains("zz"), "{args:?}\n{}", then.text());
        }
        // an event of its own session is counted by its place, not by its clock
        let then = house.run(&[args, &["--at", &whole]].concat());
        assert!(matches!(then.code, Some(0 | 1)), "{args:?} {}", then.err);
    }
    house.run(&["show", &after, "--at", &at]).exit(3).says("was not there yet");
    house.run(&["show", &at, "--at", &at]).ok();
    house.run(&["show", "night-before/1", "--at", &at]).ok();
    house.run(&["show", "night-other/1", "--at", &at]).exit(3);
    assert!(house.run(&["replay", "night-fail", "--until", &end]).ok().text().len() > 100);
}

#[test]
fn the_scope_is_widened_until_something_is_found() {
    let house = House::new();
    let (_, culprit) = failing(&house, "2026-11-27T01:00:00Z".parse().unwrap());
    let of = format!("night-fail/{culprit}");
    let cycle = |word: &str| house.run(&["search", word, "--of", &of, "--scope", "cycle"]);
    assert_eq!(cycle("kind:reasoning").ok().err.trim(), "scope: agent");
    assert_eq!(cycle("kind:session.opened").ok().err.trim(), "scope: session");
    let ran = cycle("nowhereatall").exit(1);
    assert!(ran.err.contains("scope: all"), "{}", ran.err);
    let ran = house.run(&["search", "kind:session.opened", "--of", &of, "--scope", "group"]).exit(1);
    assert!(ran.err.contains("--scope session looks further"), "{}", ran.err);
}

#[test]
fn saved_searches_that_name_each_other_end() {
    let house = House::new();
    house
        .feed(&["import", "-"], "{\"session\":\"s\",\"kind\":\"note.added\",\"data\":{\"text\":\"word\"}}\n")
        .ok();
    house.run(&["search", "--save", "ring", "word OR @ring"]).ok();
    house.run(&["search", "@ring"]).exit(2).says("and so on");
    let mut below = "word".to_owned();
    for level in 0..7 {
        let name = format!("level{level}");
        house.run(&["search", "--save", &name, &[below.as_str(); 20].join(" OR ")]).ok();
        below = format!("@{name}");
    }
    house.run(&["search", &below]).exit(2).says("more than 200 names");
    assert_eq!(house.run(&["search", "@level0"]).ok().text().lines().count(), 1);
}

#[test]
fn stepping_goes_where_the_letters_say() {
    let house = House::new();
    failing(&house, "2026-11-27T01:00:00Z".parse().unwrap());
    let walked = house.feed(&["replay", "night-fail", "--step"], "e\nE\n28\ns\ny\n?\nzz\nq\n").ok();
    line(&walked.text(), &["qa-1 got back (test-runner error)"]);
    line(&walked.text(), &["dev-2", "in decisions", "last night-fail/"]);
    line(&walked.text(), &["next, with an upper-case letter the one before"]);
    assert!(walked.err.contains("nothing there"), "{}", walked.err);
    let halved =
        house.feed(&["replay", "night-fail", "--bisect", "good=2", "bad=48"], "y\nn\ny\nn\nn\ny\nn\n").ok();
    line(&halved.text(), &["first bad key event:"]);
}

#[test]
fn a_hit_reaches_the_program_as_json_and_never_as_an_argument() {
    let house = House::new();
    let text = "pivot $(touch hacked) `touch hacked`; touch hacked";
    let draft =
        json!({"session": "s", "kind": "note.added", "agent": "$(touch hacked)", "data": {"text": text}});
    house.feed(&["import", "-"], format!("{draft}\n")).ok();
    let seen = house.run(&["watch", "pivot", "--once", "--exec", "tee", "seen.json"]).ok();
    assert!(seen.text().contains("pivot"), "{}", seen.text());
    let hit: Value =
        serde_json::from_str(&std::fs::read_to_string(house.path("here/seen.json")).unwrap()).unwrap();
    assert_eq!(hit["event"], "s/1");
    assert!(hit["snippet"]["text"].as_str().unwrap().contains("touch hacked"));
    assert!(!house.path("here/hacked").exists());
}

#[test]
fn queries_that_are_too_much_end_in_a_message_at_once() {
    let house = House::new();
    house
        .feed(&["import", "-"], "{\"session\":\"s\",\"kind\":\"note.added\",\"data\":{\"text\":\"word\"}}\n")
        .ok();
    let ors = vec!["word"; 1_000].join(" OR ");
    let begun = Instant::now();
    assert!(house.run(&["search", &ors]).ok().text().contains("s/1"));
    for bad in [
        "x".repeat(20_000),
        "\"".repeat(9_999),
        "(".repeat(9_000),
        "/(a+)+$/".to_owned(),
        format!("/{}/", "(x{900}){900}"),
    ] {
        let refused = house.run(&["search", &bad]);
        assert_eq!(refused.code, Some(2), "{}", refused.err);
        assert!(refused.err.starts_with("error: ") && refused.err.len() < 1_000, "{}", refused.err);
    }
    assert_eq!(house.run(&["search", &"word ".repeat(900)]).code, Some(0));
    println!("seven searches took {:?}", begun.elapsed());
}
