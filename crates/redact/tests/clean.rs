//! The door: a draft goes in, a clean draft comes out, and no planted secret with it.

use event::{Draft, Kind, Origin, SessionId};
use redact::{Clean, Fact, Keys, RedactError, Redactor};
use serde_json::{Value, json};

const TOKEN: &str = "ghp_Zx8Kq2Lm9Pv4Rt7Wn3Bc6Df1Gh5Jk0Ms8Qy2";

fn redactor() -> Redactor {
    Redactor::new(&Keys { store_secret: [7; 32], redaction_key: [9; 32] })
}

fn draft() -> Draft {
    Draft::new("s", Kind::of("note.added"), Origin::Claimed)
}

fn clean(draft: Draft) -> Clean {
    redactor().clean(draft).expect("a clean draft")
}

fn all(clean: &Clean) -> String {
    let draft = clean.draft();
    format!(
        "{} {} {:?} {} {}",
        draft.session,
        draft.kind,
        draft.key,
        Value::Object(draft.header.clone()),
        Value::Object(draft.data.clone())
    )
}

#[test]
fn a_planted_secret_is_in_no_part_of_a_clean_draft() {
    let header = draft().with("agent", TOKEN).with("about", format!("see {TOKEN}"));
    let nested = json!({"a": [{"b": {"c": format!("{{\"token\":\"{TOKEN}\"}}")}}], TOKEN: 1});
    let data = draft().data("text", format!("use {TOKEN} now")).data("body", nested);
    let keyed = draft().key(TOKEN);
    let named = Draft::new(TOKEN, Kind::of("note.added"), Origin::Claimed);
    for draft in [header, data, keyed, named] {
        let clean = clean(draft);
        assert!(!all(&clean).to_lowercase().contains(&TOKEN[4..12].to_lowercase()), "{}", all(&clean));
    }
}

#[test]
fn headers_say_the_kind_alone_and_data_says_which() {
    let clean = clean(draft().with("agent", TOKEN).data("text", format!("use {TOKEN}")));
    assert_eq!(clean.draft().header["agent"], "[REDACTED:github_token]");
    let text = clean.draft().data["text"].as_str().expect("text").to_owned();
    assert!(
        text.starts_with("use [REDACTED:github_token:")
            && text.len() == "use [REDACTED:github_token:0123456789]".len(),
        "{text}"
    );
    assert_eq!(clean.draft().header["redacted"], json!({"github_token": 2}));
    let print = text.rsplit(':').next().and_then(|rest| rest.strip_suffix(']')).expect("a print").to_owned();
    assert_eq!(
        clean.draft().data["redactions"],
        json!([{"member": "text", "kind": "github_token", "fp": print}])
    );
    assert_eq!(clean.hits(), 2);
}

#[test]
fn what_can_be_guessed_gets_no_fingerprint() {
    let clean = clean(draft().data("text", "password=hunter22"));
    assert_eq!(clean.draft().data["text"], "password=[REDACTED:password]");
}

#[test]
fn the_same_secret_has_the_same_mark_and_another_key_another() {
    let text = |key: u8| {
        let redactor = Redactor::new(&Keys { store_secret: [7; 32], redaction_key: [key; 32] });
        redactor.redact_text(&format!("{TOKEN} {TOKEN}")).0
    };
    let (one, two) = (text(1), text(2));
    assert!(one.split(' ').collect::<Vec<_>>().windows(2).all(|marks| marks[0] == marks[1]));
    assert_ne!(one, two);
}

#[test]
fn values_are_judged_by_the_name_they_stand_under() {
    let body = json!({
        "password": 48_213_377, "db": {"password": "swordfish"}, "pin": true, "passwords": null,
        "credentials": {"user": "bob", "codes": ["k9X2mQ7pL4vR"]}, "env": [{"name": "DB_PASSWORD", "value": "plainword"}, {"name": "LOG", "value": "debug"}],
        "usage": {"input_tokens": 87_274, "max_tokens": 6099}, "schema": {"password": {"type": "string", "minLength": 8}},
    });
    let clean = clean(draft().data("body", body));
    let body = &clean.draft().data["body"];
    assert_eq!(body["password"], "[REDACTED:password]");
    assert_eq!(body["db"]["password"], "[REDACTED:password]");
    assert_eq!(body["env"][0]["value"], "[REDACTED:password]");
    assert!(
        body["credentials"]["codes"][0].as_str().is_some_and(|code| code.starts_with("[REDACTED:")),
        "{body}"
    );
    assert_eq!(body["credentials"]["user"], "bob");
    assert_eq!(body["env"][1], json!({"name": "LOG", "value": "debug"}));
    assert_eq!(body["usage"], json!({"input_tokens": 87_274, "max_tokens": 6099}));
    assert_eq!(body["schema"], json!({"password": {"type": "string", "minLength": 8}}));
}

#[test]
fn pictures_and_sealed_thoughts_stay_whole() {
    let picture = format!("iVBORw0KGgo{}AKIA2NPICXCWTGJR3SR6", "A".repeat(80));
    let thought = json!({"type": "thinking", "thinking": "hm", "signature": "EqQBCgIYAhIkY2FmZTEyMzQtNTY3OC05MGFiLWNkZWYtMTIzNDU2Nzg5MGFi"});
    let sealed = json!({"encrypted_content": "gAAAAABkZ8mQ2xL9pV4rT7wN3bC6dF1hJ5kM0s8Qy2Uz4Xa7Ve9"});
    let draft = draft().data("text", picture).data("body", json!([thought, sealed]));
    let before = Value::Object(draft.data.clone());
    let clean = clean(draft);
    assert_eq!(Value::Object(clean.draft().data.clone()), before);
    assert_eq!(clean.hits(), 0);
}

#[test]
fn the_shape_of_a_tree_stays() {
    fn shape(value: &Value) -> String {
        match value {
            Value::Array(items) => format!("[{}]", items.iter().map(shape).collect::<Vec<_>>().join(",")),
            Value::Object(map) => format!(
                "{{{}}}",
                map.iter()
                    .map(|(key, value)| format!("{key}:{}", shape(value)))
                    .collect::<Vec<_>>()
                    .join(",")
            ),
            Value::String(_) => "s".into(),
            other => other.to_string(),
        }
    }
    let body = json!({"a": ["x", TOKEN, {"token": "k9X2mQ7pL4vRt8"}], "b": {"text": "the password is Kx92mmQz!"}, "n": 3, "z": null});
    let clean = clean(draft().data("body", body.clone()));
    assert_eq!(shape(&clean.draft().data["body"]), shape(&body));
}

#[test]
fn what_is_too_deep_is_replaced_and_counted() {
    let deep = (0..80).fold(json!(TOKEN), |inner, _| json!([inner]));
    let clean = clean(draft().data("body", deep));
    assert!(all(&clean).contains("[REDACTED:unscanned]"));
    assert_eq!(clean.draft().header["redacted"], json!({"unscanned": 1}));
}

#[test]
fn sessions_that_do_not_fit_are_mapped_and_the_same_each_time() {
    let redactor = redactor();
    assert_eq!(redactor.session_id("sample-auth").as_str(), "sample-auth");
    let odd = redactor.session_id("My Session");
    assert!(odd.is_mapped() && odd.as_str().len() == 34);
    assert_eq!(redactor.session_id("My Session"), odd);
    assert!(redactor.session_id("m-mine").is_mapped() && redactor.session_id("m-mine").as_str() != "m-mine");
    let kept = Draft::new(odd.as_str(), Kind::of("note.added"), Origin::Claimed);
    assert_eq!(clean(kept).session(), &odd);
}

#[test]
fn a_refused_session_and_a_secret_member_are_errors_without_text() {
    let session = Draft::new("../x", Kind::of("note.added"), Origin::Claimed);
    assert_eq!(redactor().clean(session), Err(RedactError::Session));
    let member = draft().data("text", "x").data("lin_api_stpqz8ykiyrlzuhhu5p6ox2vqkqibkavedm6rjug1", 1);
    let error = redactor().clean(member).expect_err("refused");
    assert!(!error.to_string().contains("lin_api"), "{error}");
}

#[test]
fn the_recorder_speaks_in_facts() {
    let session = SessionId::new("s").expect("an id");
    let data = vec![
        ("file", Fact::Torn(session.clone(), 3, "ab12".into())),
        ("digest", Fact::Hex("not hex".into())),
    ];
    let clean = Clean::system(session, "audit.recovered", vec![("bytes", Fact::Number(12))], data);
    assert_eq!(clean.draft().data["file"], "s-3-ab12.bin");
    assert_eq!(clean.draft().data["digest"], "[REDACTED:unscanned]");
    assert_eq!(clean.draft().header["bytes"], 12);
}

#[test]
fn counts_of_the_callers_own_are_not_believed() {
    let clean = clean(draft().with("redacted", json!({"x": 1})).data("redactions", json!(["x"])));
    assert!(!clean.draft().header.contains_key("redacted") && !clean.draft().data.contains_key("redactions"));
}

#[test]
fn a_long_header_string_is_cut_after_it_is_clean_and_stands_whole_in_data() {
    let secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    // the secret would straddle the cut
    let long = format!("{}é {secret} {}", "a".repeat(225), "z".repeat(100));
    let draft = Draft::new("s", Kind::of("skill.invoked"), Origin::Claimed)
        .with("skill", long.clone())
        .key("k".repeat(400));
    let clean = redactor().clean(draft).expect("a clean draft");
    let header = clean.draft().header["skill"].as_str().expect("text");
    let key = clean.draft().key.as_deref().expect("a key");
    assert!(event::encoded_len(header) <= event::MAX_HEADER_STRING_BYTES, "{header}");
    assert!(event::encoded_len(key) + "imported:".len() <= event::MAX_HEADER_STRING_BYTES, "{key}");
    let (_, mark) = header.rsplit_once('~').expect("a cut");
    assert!(mark.len() == 16 && mark.bytes().all(|b| b.is_ascii_hexdigit()), "{mark}");
    let whole = clean.draft().data["skill"].as_str().expect("the whole text");
    assert!(whole.ends_with(&"z".repeat(100)) && whole.contains("[REDACTED:"));
    assert!(!format!("{:?}", (header, whole)).contains("0123456789abcdefghij"));
    assert_eq!(clean.draft().data["key"].as_str().map(str::len), Some(400));
}

#[test]
fn an_argument_is_judged_by_the_flag_in_front_of_it() {
    let argv =
        json!({"command": ["curl", "-u", "admin:Hhktdvjm0nvz41x2", "--password", "Yoil1xmz60zqAb3d", "-v"]});
    let clean = clean(draft().data("body", argv));
    let text = all(&clean);
    assert!(!text.contains("Hhktdvjm0nvz41x2") && !text.contains("Yoil1xmz60zqAb3d"), "{text}");
    let command = clean.draft().data["body"]["command"].as_array().expect("a list").clone();
    assert_eq!((command.len(), &command[5]), (6, &json!("-v")));
}

#[test]
fn what_a_session_showed_to_be_a_secret_is_one_wherever_it_stands_later() {
    let redactor = redactor();
    let text = |text: &str, session: &str| {
        let draft = Draft::new(session, Kind::of("note.added"), Origin::Claimed).data("text", text);
        let clean = redactor.clean(draft).expect("a clean draft");
        clean.draft().data["text"].as_str().expect("text").to_owned()
    };
    assert_eq!(text("I'll use wrtlbrnft!7 now", "s"), "I'll use wrtlbrnft!7 now");
    assert!(text("DB_PASSWORD=wrtlbrnft!7\nand wrtlbrnft!7", "s").matches("[REDACTED:").count() == 2);
    assert!(text("I'll use wrtlbrnft!7 now", "s").starts_with("I'll use [REDACTED:password"));
    assert_eq!(text("I'll use wrtlbrnft!7 now", "other"), "I'll use wrtlbrnft!7 now");
    // a password that is a word takes no word away
    text("PASSWORD=production\npostgres://app:developer@db/app", "s");
    assert_eq!(text("the developer of production", "s"), "the developer of production");
    redactor.clean(Draft::new("s", Kind::of("session.closed"), Origin::Observed)).expect("a clean draft");
    assert_eq!(text("I'll use wrtlbrnft!7 now", "s"), "I'll use wrtlbrnft!7 now");
}

#[test]
fn a_secret_is_also_taken_out_of_what_was_said_before_it_in_the_same_event() {
    let draft = draft().data("a", "will wrtlbrnft!7 do").data("env", json!({"DB_PASSWORD": "wrtlbrnft!7"}));
    let all = all(&clean(draft));
    assert!(!all.contains("wrtlb"), "{all}");
}

#[derive(Default)]
struct Paper(std::sync::Mutex<std::collections::BTreeMap<String, String>>);

impl redact::Shelf for Paper {
    fn read(&self, session: &str) -> String {
        self.0.lock().expect("paper").get(session).cloned().unwrap_or_default()
    }
    fn add(&self, session: &str, lines: &str) {
        self.0.lock().expect("paper").entry(session.to_owned()).or_default().push_str(lines);
    }
    fn forget(&self, session: &str) {
        self.0.lock().expect("paper").remove(session);
    }
}

#[test]
fn the_next_process_knows_it_too_and_nothing_readable_was_kept() {
    let paper = std::sync::Arc::new(Paper::default());
    let say = |text: &str| {
        let clean =
            redactor().with_shelf(paper.clone()).clean(draft().data("text", text)).expect("a clean draft");
        clean.draft().data["text"].as_str().expect("text").to_owned()
    };
    say("DB_PASSWORD=wrtlbrnft!7");
    assert!(say("I'll use wrtlbrnft!7 now").starts_with("I'll use [REDACTED:password"));
    let kept = paper.0.lock().expect("paper").clone();
    assert!(kept["s"].lines().count() == 1 && !format!("{kept:?}").contains("wrtl"), "{kept:?}");
}

fn skill(kind: &str, call: &str) -> Draft {
    Draft::new(
        "s",
        Kind::of(if kind == "invoked" { "skill.invoked" } else { "skill.returned" }),
        Origin::Observed,
    )
    .with("skill", "Bash")
    .with("call", call)
}

#[test]
fn the_answer_to_a_command_that_prints_secrets_is_one() {
    let redactor = redactor();
    let clean = |draft: Draft| {
        Value::Object(redactor.clean(draft).expect("a clean draft").draft().data.clone()).to_string()
    };
    clean(skill("invoked", "c1").data("input", json!({"command": "cat config/.env"})));
    clean(skill("invoked", "c2").data("input", json!({"command": "gh auth token"})));
    clean(skill("invoked", "c3").data("input", json!({"command": "cat notes"})));
    let text = "MODE=plainvalue\nREGION=eu\n";
    assert!(
        !clean(skill("returned", "c1").data("output", json!({"stdout": text, "file": "x/.env"})))
            .contains("plainvalue")
    );
    assert!(!clean(skill("returned", "c2").data("output", "oneplainword\n")).contains("oneplainword"));
    assert!(clean(skill("returned", "c3").data("output", text)).contains("plainvalue"));
    assert!(clean(skill("returned", "c9").data("output", text)).contains("plainvalue"));
}

#[test]
fn a_sentence_that_goes_on_behind_a_secret_stays() {
    for (text, secret) in [
        ("password=hunter2!x9 is expired, call us", "hunter2!x9"),
        ("token: Kd83mQpz4Kd83mQpz9 is expired, call us", "Kd83mQpz4Kd83mQpz9"),
        (r#""token=dXNlcjpwYXNzd29yZDE5OTk5OTk5 and more""#, "dXNlcjpwYXNzd29yZDE5OTk5OTk5"),
    ] {
        let spans = redact::scan(text);
        let found: Vec<&str> = spans.iter().map(|span| &text[span.start..span.end]).collect();
        assert_eq!(found, [secret], "{text}");
    }
}
