//! What of the habits' files is caught, text by text: `cargo run -p redact --example habits -- FILE…`.
#![allow(clippy::print_stdout)]

#[path = "../tests/habits/read.rs"]
mod read;

use read::{texts, unmark};
use redact::scan;

fn main() -> std::io::Result<()> {
    for path in std::env::args().skip(1) {
        let file = std::fs::read_to_string(&path)?;
        let (mut total, mut open, mut spans, mut wrong, mut damaged) = (0, 0, 0, 0, 0);
        for marked in texts(&file) {
            let (text, secrets) = unmark(marked);
            let found = scan(&text);
            let hidden = |at: usize| found.iter().any(|span| (span.start..span.end).contains(&at));
            for &(start, end) in &secrets {
                let run: Vec<bool> = (start..end).map(hidden).collect();
                let is_open = run.split(|&hidden| hidden).any(|run| run.len() >= 6.min(end - start));
                (total, open) = (total + 1, open + usize::from(is_open));
                if is_open {
                    println!("OPEN  {} | {}", &text[start..end], text.replace('\n', "⏎"));
                }
            }
            let others = found
                .iter()
                .filter(|span| !secrets.iter().any(|&(start, end)| start < span.end && span.start < end));
            let others: Vec<_> = others.collect();
            for span in &others {
                println!("WRONG {} {} | {}", span.kind, &text[span.start..span.end], text.replace('\n', "⏎"));
            }
            (spans, wrong) = (spans + found.len(), wrong + others.len());
            damaged += usize::from(secrets.is_empty() && !found.is_empty());
        }
        println!(
            "{path}: {} of {total} protected, {wrong} of {spans} spans wrong, {damaged} clean texts damaged",
            total - open
        );
    }
    Ok(())
}
