//! Other people's habits: what tools print and hands write, with the secrets marked.

#[path = "habits/read.rs"]
mod read;

use read::{texts, unmark};
use redact::scan;

/// Each file tells in its head how much of it was caught when it was written.
const FILES: &[(&str, &str)] = &[
    ("habits.txt", include_str!("habits.txt")),
    ("machines.txt", include_str!("habits/machines.txt")),
    ("people.txt", include_str!("habits/people.txt")),
    ("carriers.txt", include_str!("habits/carriers.txt")),
    ("families.txt", include_str!("habits/families.txt")),
    ("notes.txt", include_str!("habits/notes.txt")),
    ("strangers.txt", include_str!("habits/strangers.txt")),
    ("outputs.txt", include_str!("habits/outputs.txt")),
    ("tools.txt", include_str!("habits/tools.txt")),
    ("writers.txt", include_str!("habits/writers.txt")),
    ("conventions.txt", include_str!("habits/conventions.txt")),
    ("neighbours.txt", include_str!("habits/neighbours.txt")),
];

#[derive(Default)]
struct Score {
    total: usize,
    open: Vec<String>,
    wrong: Vec<String>,
}

fn judge(marked: &str, score: &mut Score) {
    let (text, secrets) = unmark(marked);
    let spans = scan(&text);
    let hidden = |at: usize| spans.iter().any(|span| (span.start..span.end).contains(&at));
    for &(start, end) in &secrets {
        score.total += 1;
        let run = (start..end).map(hidden).collect::<Vec<_>>();
        if run.split(|&hidden| hidden).any(|run| run.len() >= 6.min(end - start)) {
            score.open.push(format!("{} | {}", &text[start..end], text.replace('\n', "⏎")));
        }
    }
    for span in &spans {
        if !secrets.iter().any(|&(start, end)| start < span.end && span.start < end) {
            score.wrong.push(format!("{} | {}", &text[span.start..span.end], text.replace('\n', "⏎")));
        }
    }
}

#[test]
fn secrets_leave_and_nothing_else_does() {
    for (file, file_text) in FILES {
        let mut score = Score::default();
        texts(file_text).for_each(|marked| judge(marked, &mut score));
        let Score { total, open, wrong } = score;
        let report = format!(
            "{file}: {} of {total} open:\n{}\nwrong:\n{}",
            open.len(),
            open.join("\n"),
            wrong.join("\n")
        );
        assert!(open.len() * 100 <= total * 4 && wrong.is_empty(), "{report}");
    }
}

#[test]
fn redacting_twice_changes_nothing() {
    let redactor = redact::Redactor::new(&redact::Keys { store_secret: [1; 32], redaction_key: [2; 32] });
    let marked_texts = FILES.iter().flat_map(|(_, file)| texts(file));
    for marked in marked_texts {
        let once = redactor.redact_text(&unmark(marked).0).0;
        assert_eq!(redactor.redact_text(&once).0, once);
    }
}
