//! A Codex rollout that repeats itself: every compaction has the whole history in it once more, pictures included.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::words::{Dice, prose};

/// Real rollouts have shown one picture 138 times.
const PICTURES: usize = 6;
const PICTURE_BYTES: usize = 300_000;
/// The history grows to so many items; then the oldest leave.
const HISTORY: usize = 60;

/// Writes about so many bytes of one thread.
pub(crate) fn rollout(out: &mut impl Write, seed: u64, bytes: usize) -> io::Result<()> {
    let mut dice = Dice::new(seed);
    let pictures: Vec<String> = (0..PICTURES).map(|_| picture(&mut dice)).collect();
    let (mut history, mut written, mut number) = (Vec::new(), 0, 0_usize);
    let mut line = |kind: &str, payload: Value| -> io::Result<usize> {
        let line =
            json!({"timestamp": "2026-05-04T09:10:00.000Z", "type": kind, "payload": payload}).to_string();
        writeln!(out, "{line}")?;
        Ok(line.len() + 1)
    };
    line("session_meta", json!({"id": "0199aaaa-0000-7000-8000-00000000000a", "cli_version": "0.149.0"}))?;
    while written < bytes {
        for _ in 0..8 {
            number += 1;
            let item = item(&mut dice, number, &pictures);
            written += line("response_item", item.clone())?;
            history.push(item);
        }
        history.drain(..history.len().saturating_sub(HISTORY));
        let message = format!("{number} items so far: {}", prose(&mut dice, 300));
        written += line("compacted", json!({"message": message, "replacement_history": history}))?;
    }
    out.flush()
}

fn item(dice: &mut Dice, number: usize, pictures: &[String]) -> Value {
    match number % 8 {
        0 => {
            let shown = &pictures[number / 8 % pictures.len()];
            json!({"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": shown}]})
        }
        1 | 2 => {
            let text = prose(dice, 400);
            json!({"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": text}]})
        }
        odd if odd % 2 == 1 => {
            let arguments = json!({"command": ["bash", "-lc", prose(dice, 80)]}).to_string();
            json!({"type": "function_call", "name": "shell", "call_id": format!("call_{number:024}"), "arguments": arguments})
        }
        _ => {
            let output =
                json!({"output": prose(dice, 900), "metadata": {"exit_code": 0, "duration_seconds": 0.2}});
            json!({"type": "function_call_output", "call_id": format!("call_{:024}", number - 1), "output": output.to_string()})
        }
    }
}

/// A data URL as screenshots have it: bytes without a pattern behind the right beginning.
fn picture(dice: &mut Dice) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut url = String::from("data:image/png;base64,iVBORw0KGgoAAAANSUhE");
    while url.len() < PICTURE_BYTES {
        let bits = dice.roll();
        url.extend((0..8).map(|at| char::from(LETTERS[(bits >> (at * 6) & 63) as usize])));
    }
    url.truncate(22 + (url.len() - 22) / 4 * 4);
    url
}
