//! A worked example: four groups, three agents each, plain shell agents, from spawn prompts to BAZINGA.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::house::{House, PROGRAM};

/// What an orchestrator runs; its agents are shell functions that do what their prompts say.
const SCRIPT: &str = r#"
set -eu
S=night-run
agent() { # role status: reads its prompt, saves its reasoning, hands over, returns three lines
  recount spawned "$S" "$G" "$1" - --agent-id "$1-$G" < "$T/prompt.md" > /dev/null
  if grep -q 'MANDATORY FIRST ACTION' "$T/prompt.md"; then
    from=$(sed -n 's/.*--agent \([a-z_]*\) --by .*/\1/p' "$T/prompt.md" | head -n 1)
    recount handoff read "$S" "$G" --agent "$from" --by "$1" > /dev/null
  fi
  for phase in understanding decisions completion; do
    printf 'The %s of %s in group %s: it holds.\n' "$phase" "$1" "$G" |
      recount save-reasoning "$S" "$G" "$1" "$phase" - --agent-id "$1-$G" --confidence high -q > /dev/null
  done
  printf '{"from_agent":"%s","status":"%s","summary":["%s did its part","nothing is open","ready"]}' "$1" "$2" "$1" |
    recount handoff write "$S" "$G" "$1" - > /dev/null
  recount record --session "$S" --kind agent.stopped --group "$G" --agent "$1" --agent-id "$1-$G" > /dev/null
  printf '{"status":"%s","summary":["%s did its part","nothing is open","ready"]}' "$2" "$1"
}
group() {
  T=$(mktemp -d)
  role=developer
  while [ "$role" != project_manager ]; do
    case $role in developer) status=READY_FOR_QA ;; qa_expert) status=PASS ;; tech_lead) status=APPROVED ;; esac
    {
      recount prompt handoff "$S" "$G" --agent "$role"
      if [ "$role" != developer ]; then recount digest "$S" "$G" --for "$role" --tokenizer bytes4 2> /dev/null; fi
      recount prompt reasoning --agent "$role" --session "$S" --group "$G"
      recount prompt return --agent "$role"
    } > "$T/prompt.md"
    agent "$role" "$status" > "$T/return.json"
    recount handoff return-check - --agent "$role" < "$T/return.json" > /dev/null
    role=$(recount route "$role" "$status")
  done
}
recount save-event "$S" plan_made '{"groups":4}' -q > /dev/null
for G in AUTH DB API UI; do group & done
wait
G=global
for phase in understanding completion; do
  echo "All four groups are approved." | recount save-reasoning "$S" global project_manager "$phase" - -q > /dev/null
done
for G in AUTH DB API UI; do recount handoff read "$S" "$G" --agent tech_lead --by project_manager > /dev/null; done
test "$(recount route project_manager BAZINGA)" = end
recount save-event "$S" pm_bazinga '{"status":"BAZINGA"}' -q > /dev/null
recount compliance "$S" --check
for G in AUTH DB API UI; do recount handoff chain "$S" "$G" --check > /dev/null; done
"#;

#[test]
fn four_groups_by_three_agents_from_spawn_prompts_to_bazinga() {
    let house = House::new();
    let mut command = Command::new("sh");
    house.settle(&mut command);
    let folder = std::path::Path::new(PROGRAM).parent().unwrap();
    command.env("PATH", format!("{}:/usr/bin:/bin", folder.display()));
    command.args(["-c", SCRIPT]).stdin(Stdio::null());
    let ran = command.output().unwrap();
    let (out, err) = (String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    assert!(ran.status.success(), "{out}\n{err}");
    assert!(out.contains("13 of 13 complete: 100 %"), "{out}");

    let events = house.events("night-run");
    let count = |kind: &str| events.iter().filter(|event| event["kind"] == kind).count();
    assert_eq!((count("agent.spawned"), count("handoff.made"), count("handoff.read")), (12, 12, 12));
    // QA and tech lead of each group were told of those before them, and the prompt held it
    assert_eq!((count("digest.assembled"), count("digest.delivered")), (8, 8));
    for spawned in events.iter().filter(|event| event["kind"] == "agent.spawned") {
        let prompt = spawned["data"]["prompt"].as_str().unwrap();
        assert!(prompt.len() / 4 < 1200 + 700, "{} tokens", prompt.len() / 4);
        assert!(prompt.contains("Document Your Reasoning") && prompt.contains("Final Response"));
    }
    let tokens = house.run(&["stats", "tokens", "night-run", "--json", "--tokenizer", "bytes4"]).ok().json();
    assert_eq!(tokens["handoffs"].as_array().unwrap().len(), 12);
    let flow: Value = house.run(&["stats", "flow", "night-run", "--json"]).ok().json();
    assert_eq!(
        (&flow["flow"]["review"]["count"], &flow["flow"]["waiting_for_review"]),
        (&4.into(), &0.into())
    );
    house.run(&["gaps", "night-run", "--check"]).ok();
    house.run(&["verify"]).exit(0);
}
