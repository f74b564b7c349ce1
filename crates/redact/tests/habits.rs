//! Other people's habits: what tools print and hands write, with the secrets marked.

use redact::scan;

const TEXTS: &str = include_str!("habits.txt");

/// A text without its marks, and the ranges that they stood around.
fn unmark(marked: &str) -> (String, Vec<(usize, usize)>) {
    let (mut text, mut secrets, mut open) = (String::new(), Vec::new(), 0);
    for sign in marked.chars() {
        match sign {
            '⟦' => open = text.len(),
            '⟧' => secrets.push((open, text.len())),
            _ => text.push(sign),
        }
    }
    (text, secrets)
}

#[test]
fn secrets_leave_and_nothing_else_does() {
    let (mut total, mut open, mut wrong) = (0, Vec::new(), Vec::new());
    for marked in TEXTS.split("\n---\n").skip(1) {
        let (text, secrets) = unmark(marked);
        let spans = scan(&text);
        let hidden = |at: usize| spans.iter().any(|span| (span.start..span.end).contains(&at));
        for &(start, end) in &secrets {
            total += 1;
            let run = (start..end).map(hidden).collect::<Vec<_>>();
            if run.split(|&hidden| hidden).any(|run| run.len() >= 6.min(end - start)) {
                open.push(format!("{} | {}", &text[start..end], text.replace('\n', "⏎")));
            }
        }
        for span in &spans {
            if !secrets.iter().any(|&(start, end)| start < span.end && span.start < end) {
                wrong.push(format!("{} | {}", &text[span.start..span.end], text.replace('\n', "⏎")));
            }
        }
    }
    let report =
        format!("{} of {total} open:\n{}\nwrong:\n{}", open.len(), open.join("\n"), wrong.join("\n"));
    assert!(open.len() * 100 <= total * 2 && wrong.is_empty(), "{report}");
}

#[test]
fn redacting_twice_changes_nothing() {
    let redactor = redact::Redactor::new(&redact::Keys { store_secret: [1; 32], redaction_key: [2; 32] });
    for marked in TEXTS.split("\n---\n").skip(1) {
        let once = redactor.redact_text(&unmark(marked).0).0;
        assert_eq!(redactor.redact_text(&once).0, once);
    }
}
