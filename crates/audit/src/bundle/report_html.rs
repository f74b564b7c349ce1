//! `report.html`: the same for a browser, with what was recorded. One file, no script, nothing from elsewhere;
//! all recorded text is escaped.

use std::io::{self, Write};

use event::Event;
use serde_json::Value;

use super::manifest::Predicate;
use super::report::{claimed, facts, lists};

const HEAD: &str = r#"<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
"#;
/// Of a longer text the page shows the beginning.
const MAX_TEXT_BYTES: usize = 20_000;
const STYLE: &str = include_str!("paper/report.css");

/// Writes the report.
pub(crate) fn write(predicate: &Predicate, shown: &[Event], out: &mut dyn Write) -> io::Result<()> {
    let title = format!("Bundle {}", predicate.bundle);
    write!(out, "{HEAD}<title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n", escape(&title))?;
    writeln!(out, "<header><h1>{}</h1>\n<dl>", escape(&title))?;
    for (name, value) in facts(predicate) {
        writeln!(out, "<div><dt>{name}</dt><dd>{}</dd></div>", escape(&value))?;
    }
    writeln!(
        out,
        "</dl>\n<p class=\"note\">This page is for reading. What it shows is proven by the files beside it: \
         <code>VERIFY.md</code> says how to check them without us.</p></header>\n<main>"
    )?;
    sessions(predicate, out)?;
    claims(predicate, out)?;
    for (title, rows) in lists(predicate) {
        writeln!(out, "<section><h2>{title}</h2><ul>")?;
        rows.iter().try_for_each(|row| writeln!(out, "<li>{}</li>", escape(row)))?;
        writeln!(out, "</ul></section>")?;
    }
    events(predicate, shown, out)?;
    writeln!(out, "</main>\n</body>\n</html>")
}

fn sessions(predicate: &Predicate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section><h2>Sessions</h2><div class=\"wide\"><table><thead><tr>")?;
    for name in ["session", "events", "whole", "header", "hash", "not told", "first", "last"] {
        writeln!(out, "<th scope=\"col\">{name}</th>")?;
    }
    writeln!(out, "</tr></thead><tbody>")?;
    for part in &predicate.sessions {
        let name = escape(&part.session);
        write!(out, "<tr><th scope=\"row\"><a href=\"#s-{name}\">{name}</a></th>")?;
        for count in [part.total, part.full, part.head, part.hash, part.none] {
            write!(out, "<td class=\"n\">{count}</td>")?;
        }
        writeln!(out, "<td>{}</td><td>{}</td></tr>", escape(&part.first), escape(&part.last))?;
    }
    writeln!(out, "</tbody></table></div></section>")
}

fn claims(predicate: &Predicate, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<section><h2>What is claimed</h2><ul class=\"claims\">")?;
    for claim in &predicate.claims {
        let (kind, text) = claimed(claim);
        let kind = escape(kind);
        writeln!(out, "<li><b class=\"{kind}\">{kind}</b> {}</li>", escape(&text))?;
    }
    writeln!(
        out,
        "</ul><p class=\"note\"><b class=\"proven\">proven</b>: anybody can check it with the files of this bundle. \
         <b class=\"attested\">attested</b>: who signed says so.</p></section>"
    )
}

fn events(predicate: &Predicate, shown: &[Event], out: &mut dyn Write) -> io::Result<()> {
    let mut session = None;
    for event in shown {
        if session != Some(&event.session) {
            let end = if session.is_some() { "</ol></section>\n" } else { "" };
            let name = escape(event.session.as_str());
            writeln!(out, "{end}<section id=\"s-{name}\"><h2>{name}</h2><ol class=\"events\">")?;
            session = Some(&event.session);
        }
        one(event, out)?;
    }
    if session.is_some() {
        writeln!(out, "</ol></section>")?;
    }
    let whole: u64 = predicate.sessions.iter().map(|part| part.full).sum();
    let left = whole.saturating_sub(shown.len() as u64);
    if left > 0 {
        writeln!(out, "<p class=\"note\">{left} more events stand in <code>events/</code>.</p>")?;
    }
    Ok(())
}

fn one(event: &Event, out: &mut dyn Write) -> io::Result<()> {
    write!(
        out,
        "<li id=\"{0}-{1}\"><h3><span class=\"seq\">{1}</span> {2}</h3><p class=\"facts\"><time>{3}</time>",
        escape(event.session.as_str()),
        event.seq,
        escape(event.kind.as_str()),
        escape(event.time())
    )?;
    for name in
        ["agent", "agent_id", "group", "phase", "skill", "status", "model", "from", "to", "cause", "target"]
    {
        if let Some(value) = event.header.get(name) {
            write!(out, " <span><i>{name}</i> {}</span>", escape(&text_of(value)))?;
        }
    }
    writeln!(out, " <code>{}</code></p>", escape(&event.hash[..16]))?;
    for (name, value) in &event.data {
        let text = text_of(value);
        let shown = text.floor_char_boundary(MAX_TEXT_BYTES.min(text.len()));
        let rest = if shown < text.len() { " … (the rest stands in events/)" } else { "" };
        writeln!(out, "<h4>{}</h4><pre>{}{rest}</pre>", escape(name), escape(&text[..shown]))?;
    }
    for name in &event.erased {
        writeln!(out, "<h4>{}</h4><p class=\"erased\">erased</p>", escape(name))?;
    }
    writeln!(out, "</li>")
}

fn text_of(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => serde_json::to_string_pretty(value).unwrap_or_default(),
        other => other.to_string(),
    }
}

/// Text that is no markup; control and direction characters become visible.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control()
                || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}') =>
            {
                out.push_str(&format!("[U+{:04X}]", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recorded_text_is_no_markup() {
        assert_eq!(escape("<b a='\"'>&\u{202e}\u{1b}"), "&lt;b a=&#39;&quot;&#39;&gt;&amp;[U+202E][U+001B]");
    }
}
