//! Measures the scanner on a labelled set: protected, leaked, precision, damage, speed.
//!
//! `cargo run --release -p redact --example eval [-- FILE.ndjson | --real DIR…]`
#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use redact::{Span, scan};

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    match arguments.next().as_deref() {
        Some("--real") => arguments.try_for_each(|folder| real(Path::new(&folder))),
        Some(file) => labelled(Path::new(file)),
        None => labelled(&data().join("redaction-dev.ndjson")),
    }
}

/// `$RECOUNT_DATA`, or the folder beside the repository.
fn data() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.join(std::env::var("RECOUNT_DATA").unwrap_or_else(|_| "../shared/data".into()))
}

struct Sample {
    id: String,
    text: String,
    secrets: Vec<(usize, usize, String)>,
}

fn read(path: &Path) -> std::io::Result<Vec<Sample>> {
    let lines = std::fs::read_to_string(path)?;
    let index =
        |value: &serde_json::Value| value.as_u64().and_then(|index| usize::try_from(index).ok()).unwrap_or(0);
    Ok(lines
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .map(|line| Sample {
            id: line["id"].as_str().unwrap_or("").into(),
            text: line["text"].as_str().unwrap_or("").into(),
            secrets: line["spans"]
                .as_array()
                .into_iter()
                .flatten()
                .map(|span| {
                    (index(&span["start"]), index(&span["end"]), span["kind"].as_str().unwrap_or("").into())
                })
                .collect(),
        })
        .collect())
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
    clean: usize,
    damaged: usize,
    missed: BTreeMap<String, usize>,
}

fn labelled(path: &Path) -> std::io::Result<()> {
    let texts = read(path)?;
    let verbose = std::env::var_os("VERBOSE").is_some();
    let mut score = Score::default();
    for text in &texts {
        judge(text, &scan(&text.text), &mut score, verbose);
    }
    let bytes: usize = texts.iter().map(|text| text.text.len()).sum();
    let start = Instant::now();
    let rounds = 5;
    for _ in 0..rounds {
        for text in &texts {
            drop(scan(&text.text));
        }
    }
    #[allow(clippy::cast_precision_loss)]
    report(&score, (bytes * rounds) as f64 / start.elapsed().as_secs_f64() / 1e6);
    Ok(())
}

#[allow(clippy::cast_precision_loss)]
fn report(score: &Score, speed: f64) {
    let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
    println!(
        "protected {:.2} %  ({} of {})",
        share(score.protected, score.secrets),
        score.protected,
        score.secrets
    );
    println!("leaked    {:.3} % of secret bytes", share(score.leaked, score.secret_bytes));
    println!("precision {:.2} %  ({} of {})", share(score.right, score.spans), score.right, score.spans);
    println!("removed   {:.4} % of other bytes", share(score.removed, score.other_bytes));
    println!("damaged   {} of {} secret-free texts", score.damaged, score.clean);
    println!("speed     {speed:.0} MB/s");
    for (kind, count) in &score.missed {
        println!("  missed {kind} {count}");
    }
}

fn judge(text: &Sample, spans: &[Span], score: &mut Score, verbose: bool) {
    let mut covered = vec![false; text.text.len()];
    for span in spans {
        covered[span.start..span.end].fill(true);
    }
    let mut secret = vec![false; text.text.len()];
    for (start, end, kind) in &text.secrets {
        secret[*start..*end].fill(true);
        let open = covered[*start..*end].split(|&hidden| hidden).map(<[bool]>::len).max().unwrap_or(0);
        let leaked = covered[*start..*end].iter().filter(|&&hidden| !hidden).count();
        score.secrets += 1;
        score.secret_bytes += end - start;
        score.leaked += leaked;
        score.protected += usize::from(open < 6);
        if open >= 6 {
            *score.missed.entry(kind.clone()).or_default() += 1;
        }
        if verbose && leaked > 0 {
            println!("LEAK {} {kind} {leaked}: {}", text.id, around(&text.text, *start, *end));
        }
    }
    for span in spans {
        let right = secret[span.start..span.end].iter().any(|&secret| secret);
        let extra = secret[span.start..span.end].iter().filter(|&&secret| !secret).count();
        score.spans += 1;
        score.right += usize::from(right);
        if verbose && extra > 0 {
            println!(
                "{} {} {} {extra}: {}",
                if right { "OVER" } else { "FALSE" },
                text.id,
                span.kind,
                around(&text.text, span.start, span.end)
            );
        }
    }
    score.removed += covered.iter().zip(&secret).filter(|&(&covered, &secret)| covered && !secret).count();
    score.other_bytes += secret.iter().filter(|&&secret| !secret).count();
    score.clean += usize::from(text.secrets.is_empty());
    score.damaged += usize::from(text.secrets.is_empty() && !spans.is_empty());
}

fn around(text: &str, start: usize, end: usize) -> String {
    let from = text.floor_char_boundary(start.saturating_sub(60));
    let to = text.ceil_char_boundary((end + 20).min(text.len()));
    let cut = text.floor_char_boundary(end.min(start + 120));
    format!("{}⟦{}⟧{}", &text[from..start], &text[start..cut], &text[end..to]).replace('\n', "⏎")
}

/// Lists every finding in real files, which are presumed to hold no secrets.
fn real(folder: &Path) -> std::io::Result<()> {
    let mut files = vec![folder.to_path_buf()];
    let (mut bytes, mut spans, mut seconds) = (0, 0, 0.0);
    while let Some(path) = files.pop() {
        if path.is_dir() && !path.is_symlink() {
            files.extend(std::fs::read_dir(&path)?.flatten().map(|entry| entry.path()));
        } else if let Ok(text) = std::fs::read_to_string(&path) {
            let start = Instant::now();
            let found = scan(&text);
            seconds += start.elapsed().as_secs_f64();
            bytes += text.len();
            spans += found.len();
            for span in found {
                println!("{} {}: {}", span.kind, path.display(), around(&text, span.start, span.end));
            }
        }
    }
    #[allow(clippy::cast_precision_loss)]
    let speed = bytes as f64 / seconds / 1e6;
    println!("{}: {spans} spans in {bytes} bytes, {speed:.0} MB/s", folder.display());
    Ok(())
}
