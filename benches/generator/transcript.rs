//! A transcript as Claude Code writes it: a tree of records, answers with thoughts and tools, results.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::words::{Dice, output, prose};

/// Writes so many records of one session.
pub(crate) fn transcript(out: &mut impl Write, seed: u64, records: usize) -> io::Result<()> {
    let mut dice = Dice::new(seed);
    let (session, mut parent, mut asked) = (uuid(&mut dice), Value::Null, None::<String>);
    for number in 0..records {
        let id = uuid(&mut dice);
        let at = 1_795_766_400_000_000 + i64::try_from(number).unwrap_or(0) * 1_500_000;
        let mut record = match asked.take() {
            Some(call) => result(&mut dice, &call),
            None if number % 9 == 0 => json!({"type": "user", "message":
                {"role": "user", "content": prose(&mut dice, 200)}}),
            None => {
                let (message, call) = answer(&mut dice);
                asked = call;
                json!({"type": "assistant", "message": message})
            }
        };
        let common = json!({
            "parentUuid": parent, "isSidechain": false, "userType": "external", "cwd": "/home/dev/app",
            "sessionId": session, "version": "2.0.14", "gitBranch": "main", "uuid": id,
            "timestamp": world::rfc3339(at),
        });
        if let (Value::Object(record), Value::Object(common)) = (&mut record, common) {
            record.extend(common);
        }
        writeln!(out, "{record}")?;
        parent = id.into();
    }
    out.flush()
}

fn uuid(dice: &mut Dice) -> String {
    let (a, b) = (dice.roll(), dice.roll());
    let node = b & 0xffff_ffff_ffff;
    format!("{:08x}-{:04x}-4{:03x}-a{:03x}-{node:012x}", a >> 32, a >> 16 & 0xffff, a & 0xfff, b >> 52)
}

/// A thought, a text or a call; the call's id, if it is one.
fn answer(dice: &mut Dice) -> (Value, Option<String>) {
    let bytes = dice.size(150).min(1_500);
    let (part, call) = match dice.roll() % 4 {
        0 => (json!({"type": "thinking", "thinking": prose(dice, bytes), "signature": ""}), None),
        1 => (json!({"type": "text", "text": prose(dice, bytes)}), None),
        _ => {
            let call = format!("toolu_{:016x}", dice.roll());
            let input = json!({"command": prose(dice, 80), "description": prose(dice, 40)});
            (json!({"type": "tool_use", "id": call, "name": "Bash", "input": input}), Some(call))
        }
    };
    let (input, output) = (dice.between(3, 9_000), dice.between(1, 900));
    let message = json!({
        "id": format!("msg_{:016x}", dice.roll()), "type": "message", "role": "assistant",
        "model": "claude-sonnet-4-5", "content": [part], "stop_reason": null,
        "usage": {"input_tokens": input, "output_tokens": output},
    });
    (message, call)
}

fn result(dice: &mut Dice, call: &str) -> Value {
    let bytes = dice.size(200);
    let text = output(dice, bytes);
    let part = json!({"type": "tool_result", "tool_use_id": call, "content": text});
    let result = json!({"stdout": text, "stderr": "", "interrupted": false});
    json!({"type": "user", "message": {"role": "user", "content": [part]}, "toolUseResult": result})
}
