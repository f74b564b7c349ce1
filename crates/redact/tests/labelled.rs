//! The labelled set: floors a little under what is reached, so that a loss shows.
#![allow(clippy::print_stderr)]

use std::path::{Path, PathBuf};

use redact::{Keys, Redactor, scan};

fn data() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(std::env::var("RECOUNT_DATA").unwrap_or_else(|_| "../shared/data".into()))
}

#[derive(Default)]
struct Score {
    secrets: usize,
    protected: usize,
    secret_bytes: usize,
    leaked: usize,
    spans: usize,
    right: usize,
    other_bytes: usize,
    removed: usize,
    damaged: usize,
}

fn judge(text: &str, secrets: &[(usize, usize)], score: &mut Score) {
    let (mut hidden, mut secret) = (vec![false; text.len()], vec![false; text.len()]);
    let spans = scan(text);
    for span in &spans {
        hidden[span.start..span.end].fill(true);
    }
    for &(start, end) in secrets {
        secret[start..end].fill(true);
        let run = &hidden[start..end];
        score.secrets += 1;
        score.secret_bytes += end - start;
        score.leaked += run.iter().filter(|&&hidden| !hidden).count();
        score.protected += usize::from(run.split(|&hidden| hidden).all(|open| open.len() < 6));
    }
    score.spans += spans.len();
    score.right += spans.iter().filter(|span| secret[span.start..span.end].contains(&true)).count();
    score.other_bytes += secret.iter().filter(|&&secret| !secret).count();
    score.removed += hidden.iter().zip(&secret).filter(|&(&hidden, &secret)| hidden && !secret).count();
    score.damaged += usize::from(secrets.is_empty() && !spans.is_empty());
}

#[test]
fn the_labelled_set_stays_above_its_floors() {
    let path = data().join("redaction-dev.ndjson");
    let Ok(lines) = std::fs::read_to_string(&path) else {
        assert!(std::env::var_os("CI").is_none(), "{} is not there", path.display());
        eprintln!("skipped: {} is not there", path.display());
        return;
    };
    let redactor = Redactor::new(&Keys { store_secret: [1; 32], redaction_key: [2; 32] });
    let mut score = Score::default();
    for line in lines.lines() {
        let line: serde_json::Value = serde_json::from_str(line).expect("a line of the set");
        let index =
            |value: &serde_json::Value| usize::try_from(value.as_u64().expect("an offset")).expect("fits");
        let spans = line["spans"].as_array().expect("spans");
        let secrets: Vec<_> = spans.iter().map(|span| (index(&span["start"]), index(&span["end"]))).collect();
        let text = line["text"].as_str().expect("text");
        judge(text, &secrets, &mut score);
        let once = redactor.redact_text(text).0;
        assert_eq!(redactor.redact_text(&once).0, once, "redacting twice changes nothing");
    }
    assert!(
        score.protected * 1000 >= score.secrets * 998,
        "protected {} of {}",
        score.protected,
        score.secrets
    );
    assert!(score.leaked * 2000 <= score.secret_bytes, "leaked {} of {}", score.leaked, score.secret_bytes);
    assert!(score.right * 1000 >= score.spans * 995, "right {} of {}", score.right, score.spans);
    assert!(score.removed * 2000 <= score.other_bytes, "removed {} of {}", score.removed, score.other_bytes);
    assert_eq!(score.damaged, 0, "secret-free texts damaged");
}
