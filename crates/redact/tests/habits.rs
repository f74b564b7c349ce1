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
    ("ordinary.txt", include_str!("habits/ordinary.txt")),
    ("agents.txt", include_str!("habits/agents.txt")),
    ("carried.txt", include_str!("habits/carried.txt")),
    ("authors.txt", include_str!("habits/authors.txt")),
    ("frames.txt", include_str!("habits/frames.txt")),
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

/// The same text as a string of JSON.
fn string(text: &str) -> String {
    text.chars().fold(String::from("{\"type\":\"tool_result\",\"content\":\""), |mut string, sign| {
        match sign {
            '\n' => string.push_str("\\n"),
            '\t' => string.push_str("\\t"),
            '\r' => string.push_str("\\r"),
            '"' | '\\' => string.extend(['\\', sign]),
            _ => string.push(sign),
        }
        string
    }) + "\"}"
}

fn led(text: &str, lead: impl Fn(usize) -> String) -> String {
    text.lines().enumerate().map(|(at, line)| format!("{}{line}\n", lead(at))).collect()
}

type Carry = fn(&str) -> String;

/// How programs hand a text on: as a string, or with something before each line.
const CARRIERS: &[(&str, usize, Carry)] = &[
    ("a string", 98, string),
    ("a string in a string", 98, |text| string(&string(text))),
    ("a listing with numbers", 98, |text| led(text, |at| format!("{:6}\t", at + 1))),
    ("a listing with arrows", 98, |text| led(text, |at| format!("{:6}→", at + 1))),
    ("a listing in a string", 98, |text| string(&led(text, |at| format!("{:6}→", at + 1)))),
    ("a patch", 98, |text| format!("@@ -1,3 +1,9 @@\n{}", led(text, |_| "+".to_owned()))),
    ("an answer", 98, |text| led(text, |_| "> ".to_owned())),
    ("a search", 98, |text| led(text, |at| format!("notes/x.txt:{}:", at + 1))),
    ("services", 98, |text| led(text, |_| "web-1  | ".to_owned())),
    ("a log", 98, |text| led(text, |at| format!("2026-11-30T13:51:{:02}.113Z INFO worker[3]: ", at % 60))),
    ("a build's log", 98, |text| {
        led(text, |at| format!("build\tRun tests\t2026-11-30T13:51:{:02}.1234567Z ", at % 60))
    }),
    ("a failed test", 98, |text| led(text, |_| "E   ".to_owned())),
    ("who wrote it", 98, |text| {
        led(text, |at| format!("3f2a91bc (Ann Otter 2026-11-30 13:51:02 +0100 {at:2}) "))
    }),
    ("pods", 98, |text| led(text, |_| "[pod/api-7c9d8f6b5-x2v9k/api] ".to_owned())),
    ("a clock", 98, |text| led(text, |_| "13:51:02 ".to_owned())),
    ("a box", 98, |text| text.lines().map(|line| format!("│ {line} │\n")).collect()),
    ("a field of a log", 98, |text| {
        string(text)
            .replacen("{\"type\":\"tool_result\",\"content\":", "level=info msg=", 1)
            .replace("\"}", "\" took=3ms")
    }),
    ("a block", 98, |text| format!("message: |\n{}", led(text, |_| "  ".to_owned()))),
    ("a text that is set in", 98, |text| led(text, |_| "    ".to_owned())),
    ("remarks", 98, |text| led(text, |_| "# ".to_owned())),
    ("lines of Windows", 98, |text| text.replace('\n', "\r\n")),
    ("lines around a search", 98, |text| led(text, |at| format!("notes/x.txt-{}-", at + 1))),
    ("a log of Go", 98, |text| {
        led(text, |at| format!("I1130 13:51:02.113245   12345 main.go:{}] ", at + 20))
    }),
    ("a log of Python", 98, |text| led(text, |_| "INFO:app.main:".to_owned())),
    ("a chat", 98, |text| led(text, |at| format!("[13:{:02}] <ann> ", at % 60))),
    ("an added line", 98, |text| led(text, |at| format!("{:4}      + ", at + 1))),
    ("remarks of SQL", 98, |text| led(text, |_| "-- ".to_owned())),
    ("a list", 98, |text| led(text, |_| "- ".to_owned())),
    ("a remark of Java", 98, |text| format!("/**\n{} */\n", led(text, |_| " * ".to_owned()))),
    ("records", 97, |text| records(text, "{\"time\":\"2026-11-30T13:51:02Z\",\"msg\":", "}")),
    ("a notebook", 97, |text| records(text, "    ", ",").replace("\",\n", "\\n\",\n")),
    ("a recording", 97, |text| records(text, "[1.25, \"o\", ", "]")),
    ("literals", 93, |text| records(text, "       ", "").replace("\"\n", "\\n\"\n")),
    ("colours", 98, |text| text.lines().map(|line| format!("\u{1b}[32m{line}\u{1b}[0m\n")).collect()),
    ("a list of a page", 96, |text| page(text).lines().map(|line| format!("<li>{line}</li>\n")).collect()),
    ("lines of a page", 97, |text| format!("<p>{}</p>", page(text).replace('\n', "<br>\n"))),
    ("a text of a page", 98, |text| format!("<div><pre>{}</pre></div>", page(text))),
    ("an attribute", 94, |text| {
        format!("<a text=\"{}\"/>", page(text).replace('"', "&quot;").replace('\n', "&#10;"))
    }),
    ("a letter", 95, letter),
    ("an address", 95, |text| {
        format!("body={}&id=4", escaped(text, "%", |byte| byte.is_ascii_alphanumeric()))
    }),
    ("a form", 92, |text| {
        let form = escaped(text, "%", |byte| byte.is_ascii_alphanumeric() || byte == b' ');
        format!("body={}&id=4", form.replace(' ', "+"))
    }),
    ("a cell", 94, |text| format!("id,body\n4,\"{}\"\n", text.replace('"', "\"\""))),
];

/// Each line as a string of its own between `head` and `tail`.
fn records(text: &str, head: &str, tail: &str) -> String {
    let line = |line| format!("{head}{}{tail}\n", serde_json::Value::from(line));
    text.lines().map(line).collect()
}

fn page(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// All but some bytes written in hex behind a sign; the marks stay.
fn escaped(text: &str, sign: &str, plain: fn(u8) -> bool) -> String {
    let escape =
        |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("{sign}{byte:02X}") };
    let letter = |letter: char| match letter {
        '⟦' | '⟧' => letter.to_string(),
        _ => letter.to_string().bytes().map(escape).collect(),
    };
    text.chars().map(letter).collect()
}

/// A letter as it is sent: no line is longer than 76.
fn letter(text: &str) -> String {
    let line = |line: &str| {
        let (mut out, mut long) = (String::new(), 0);
        for sign in line.chars() {
            let written = escaped(&sign.to_string(), "=", |byte| byte != b'=' && matches!(byte, b' '..=b'~'));
            if long + written.len() > 75 {
                out += "=\n";
                long = 0;
            }
            long += written.len();
            out += &written;
        }
        out + "\n"
    };
    let body: String = text.lines().map(line).collect();
    format!("Content-Transfer-Encoding: quoted-printable\n\n{body}")
}

#[test]
fn whatever_carries_a_text_the_same_leaves() {
    const EACH: usize = 4;
    let texts = || FILES.iter().flat_map(|(_, file)| texts(file)).step_by(EACH);
    let score = |carried: Carry| {
        let mut score = Score::default();
        texts().for_each(|marked| judge(&carried(marked), &mut score));
        score
    };
    let plain = score(str::to_owned);
    let found = plain.total - plain.open.len();
    for (carrier, least, carried) in CARRIERS {
        let score = score(*carried);
        let carried = score.total - score.open.len();
        let report = format!(
            "{carrier}: {carried} of {found}\n{}\nwrong:\n{}",
            score.open.join("\n"),
            score.wrong.join("\n")
        );
        // What carries a text in a way that is hard to read may add as much that is wrong as it hides, but for a hundredth.
        assert!(
            carried * 100 >= found * least && score.wrong.len() * 100 <= found * (99 - least),
            "{report}"
        );
    }
}

fn assert_that_twice_changes_nothing(texts: impl Iterator<Item = String>) {
    let redactor = redact::Redactor::new(&redact::Keys { store_secret: [1; 32], redaction_key: [2; 32] });
    for text in texts {
        let once = redactor.redact_text(&text).0;
        assert_eq!(redactor.redact_text(&once).0, once, "{text}");
    }
}

fn all() -> impl Iterator<Item = String> {
    FILES.iter().flat_map(|(_, file)| texts(file)).map(|marked| unmark(marked).0)
}

#[test]
fn redacting_twice_changes_nothing() {
    assert_that_twice_changes_nothing(all());
}

/// A mark is shorter or longer than what it stands for, so that what is near it moves; and it has words.
#[test]
fn redacting_twice_changes_nothing_where_lines_of_others_stand_between() {
    let lines: Vec<String> = all()
        .flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>())
        .filter(|line| !line.is_empty() && line.len() < 300)
        .collect();
    // The generator of Knuth's MMIX, of which the high bits are good.
    let mut state = 7_u64;
    let mut line = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        lines[usize::try_from(state >> 33).expect("31 bits") % lines.len()].as_str()
    };
    assert_that_twice_changes_nothing((0..4000).map(|mix| {
        let count = 2 + mix % 7;
        (0..count).map(|_| line()).collect::<Vec<_>>().join("\n")
    }));
}

/// Each of these was told more by the marks than by what they stand for.
#[test]
fn a_mark_says_nothing_about_its_neighbours() {
    let key = "l8I5OLxKliDO3aCOeb2aCYDCEpc19gOcv+mCUTzTbIMebHMWaejPEIL5+P8pKIaZ";
    assert_that_twice_changes_nothing(
        [
            "postgres://user:ghp_0123456789abcdefghijklmnopqrstuvwxyz@db/x\ntoken=dXNlcjpwYXNzd29yZDE5OTk5OTk5\n\
             Authorization: Bearer two words\nthe password is hunter2!@db/x",
            "SMTP_PASS=monkey14330\\nPORT=8080\nThe token count went from 4096 to 8192. It's gpt-4-32k now.",
            "$ acme login --token b1064eda-5f80-37ab-edf6-ccc2f278d06f --region eu\n\
             The combination of 1024 and 2048 works. Try 4096 threads. The safe limit is 5000.",
            &format!("Here is the ftp passwd: moonlight\n{key}"),
            &format!("try it with user backup pass Miso_York58 ok?\n{key}"),
            &format!("$ cat .env X_TOKEN=ya29.{}\",\"exit\":0}}\n{key}", "Hluo-GsyBvtR_oDUl83b".repeat(10)),
        ]
        .map(str::to_owned)
        .into_iter(),
    );
}

#[test]
fn a_question_that_tells_it_leaves_none_for_the_answer() {
    let spans = scan("lee: try it with user backup pass Miso_York58 ok?\nno\n");
    assert_eq!(spans.iter().map(|span| (span.start, span.end)).collect::<Vec<_>>(), [(34, 45)]);
    let below = "try it with user backup pass Miso_York58 ok?\nl8I5OLxKliDO3aCOeb2aCYDCEpc19gOcvmCU\n";
    assert_eq!(scan(below).first().map(|span| (span.start, span.end)), Some((29, 40)));
}
