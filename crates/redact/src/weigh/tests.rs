//! The weights, one by one; and what they were fitted to.

use std::cell::RefCell;
use std::io::Write as _;

use super::*;

/// A pair that was weighed.
type Row = (usize, usize, Vec<Sign>);

thread_local! {
    static NOTED: RefCell<Option<Vec<Row>>> = const { RefCell::new(None) };
}

pub(super) fn note(from: usize, to: usize, evidence: &Evidence) {
    NOTED.with_borrow_mut(|noted| {
        if let Some(noted) = noted {
            noted.push((from, to, evidence.signs().to_vec()));
        }
    });
}

/// The pairs of a text, without those of its views.
fn pairs(text: &str) -> (Vec<Row>, Vec<crate::Span>) {
    NOTED.set(Some(Vec::new()));
    let spans = crate::scan::scan_plain(text);
    (NOTED.take().unwrap_or_default(), spans.found().to_vec())
}

fn dump(out: &mut impl std::io::Write, set: &str, text: &str, secrets: &[(usize, usize)]) {
    let (rows, spans) = pairs(text);
    for (from, to, signs) in rows {
        // What another path finds in real text is one, as far as anybody looked.
        if set == "real" && spans.iter().any(|span| span.start < to && from < span.end) {
            continue;
        }
        let within = |&(start, end): &(usize, usize)| to.min(end).saturating_sub(from.max(start));
        let covered = secrets.iter().map(within).sum::<usize>();
        let label = match covered * 10 {
            0 => 0,
            most if most >= (to - from) * 6 => 1,
            _ => continue,
        };
        let names: Vec<String> = signs.iter().map(|sign| (*sign as u8).to_string()).collect();
        let line = text[..from].rfind('\n').map_or(0, |at| text[..at].rfind('\n').map_or(0, |at| at + 1));
        let line = text.floor_char_boundary(line.max(from.saturating_sub(140)));
        let note = if set == "real" && std::env::var_os("NOTES").is_none() {
            String::new()
        } else {
            let end = text.ceil_char_boundary(text.len().min(to + 40));
            format!(
                "{} ⟦{}⟧{}",
                &text[line..text.floor_char_boundary(from)],
                &text[text.floor_char_boundary(from)..text.ceil_char_boundary(to)],
                &text[text.ceil_char_boundary(to)..end]
            )
        };
        let note = note.replace(['\n', '\t', '\r'], "⏎");
        writeln!(out, "{label}\t{set}\t{}\t{note}", names.join(" ")).unwrap();
    }
}

/// `WEIGH=out HABITS=a,b DEV=x.ndjson REAL=dir,dir cargo test -p redact --lib -- --ignored weigh::tests::rows`
#[test]
#[ignore = "writes what the weights are fitted to"]
fn rows() {
    let list = |name: &str| {
        std::env::var(name)
            .unwrap_or_default()
            .split(',')
            .filter(|part| !part.is_empty())
            .map(String::from)
            .collect::<Vec<_>>()
    };
    let mut out = std::io::BufWriter::new(std::fs::File::create(std::env::var("WEIGH").unwrap()).unwrap());
    let names: Vec<String> = SIGNS.iter().map(|sign| format!("{sign:?}")).collect();
    writeln!(out, "{}", names.join(" ")).unwrap();
    for path in list("HABITS") {
        let file = std::fs::read_to_string(&path).unwrap();
        for marked in file.split("\n---\n").skip(1) {
            let (mut text, mut secrets, mut open) = (String::new(), Vec::new(), 0);
            for sign in marked.chars() {
                match sign {
                    '⟦' => open = text.len(),
                    '⟧' => secrets.push((open, text.len())),
                    _ => text.push(sign),
                }
            }
            dump(&mut out, "habits", &text, &secrets);
        }
    }
    for path in list("DEV") {
        for line in std::fs::read_to_string(&path).unwrap().lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let place =
                |span: &serde_json::Value, name: &str| usize::try_from(span[name].as_u64().unwrap()).unwrap();
            let secrets: Vec<_> = line["spans"]
                .as_array()
                .unwrap()
                .iter()
                .map(|span| (place(span, "start"), place(span, "end")))
                .collect();
            dump(&mut out, "dev", line["text"].as_str().unwrap(), &secrets);
        }
    }
    let mut folders: Vec<std::path::PathBuf> = list("REAL").into_iter().map(Into::into).collect();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().flatten() {
            let kind = entry.file_type().unwrap();
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && let Ok(text) = std::fs::read_to_string(entry.path())
            {
                dump(&mut out, "real", &text, &[]);
            }
        }
    }
}

/// Texts with the secrets marked, of the other tests.
const HABITS: &[&str] = &[
    include_str!("../../tests/habits.txt"),
    include_str!("../../tests/habits/carriers.txt"),
    include_str!("../../tests/habits/families.txt"),
    include_str!("../../tests/habits/machines.txt"),
    include_str!("../../tests/habits/notes.txt"),
    include_str!("../../tests/habits/outputs.txt"),
    include_str!("../../tests/habits/people.txt"),
    include_str!("../../tests/habits/strangers.txt"),
    include_str!("../../tests/habits/tools.txt"),
    include_str!("../../tests/habits/writers.txt"),
];

/// Each pair that is weighed in those texts.
fn weighed() -> impl Iterator<Item = Vec<Sign>> {
    let texts = HABITS.iter().flat_map(|file| file.split("\n---\n").skip(1));
    texts.flat_map(|marked| pairs(&marked.replace(['⟦', '⟧'], "")).0.into_iter().map(|(_, _, signs)| signs))
}

#[test]
fn no_weight_can_be_deleted_unseen() {
    let sum = |signs: &[Sign]| Evidence::of(signs).sum();
    // Some only lead to others.
    let heavy = SIGNS.iter().filter(|sign| weight(**sign) != 0);
    let mut idle: Vec<String> = heavy.map(|sign| format!("{sign:?}")).collect();
    let mut pairs: Vec<(Sign, Sign, i16)> = PAIRS.to_vec();
    for signs in weighed() {
        let total = sum(&signs);
        let turns = |weight: i32| (total > ENOUGH) != (total - weight > ENOUGH);
        for sign in &signs {
            if turns(weight(*sign)) {
                idle.retain(|idle| *idle != format!("{sign:?}"));
            }
        }
        pairs.retain(|(one, other, weight)| {
            !(signs.contains(one) && signs.contains(other) && turns(i32::from(*weight)))
        });
    }
    assert!(idle.is_empty() && pairs.is_empty(), "nobody would miss {idle:#?} {pairs:#?}");
}

#[test]
fn a_uuid_behind_the_words_that_say_whose_it_is_is_no_secret() {
    let told = |key: &str| {
        format!(
            "What the user did not write is kept to yourself.\n\n[A task is done]\nsource: subagent\nsession_key: {key}\nsession_id: 7\n"
        )
    };
    assert_eq!(crate::scan(&told("agent:main:subagent:0d5f7c22-6d05-47d2-8b37-6e76b664d3fd")), []);
    assert_eq!(crate::scan(&told("0d5f7c22Xq2L6d05zz47d28bPm37Qe76b664dRt3")).len(), 1);
}
