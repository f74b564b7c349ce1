//! Rules of gitleaks as rules of ours: id, regex, secret group, entropy, keywords and allow lists.
//!
//! What looks at paths is refused by name: an event has no path. A rule without keywords is refused, too:
//! its expression would run over everything.

use toml::{Table, Value};

use crate::user::{Owner, Rules, RulesError};

/// A secret in a rule of theirs may stand far from its keyword.
const REACH: usize = 512;

/// Their file in our words.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Translated {
    /// A file of rules.
    pub toml: String,
    /// How many rules it has.
    pub rules: usize,
    /// Rules that were left out, and why.
    pub refused: Vec<(String, String)>,
    /// What else was not taken over.
    pub notes: Vec<String>,
}

/// Translates a file; what it gives can be loaded.
pub fn from_gitleaks(text: &str, file: &str) -> Result<Translated, RulesError> {
    let wrong = |what: String| RulesError::File { file: file.to_owned(), line: None, what };
    let table: Table = text.parse().map_err(|error: toml::de::Error| wrong(error.message().to_owned()))?;
    let rules = table
        .get("rules")
        .and_then(Value::as_array)
        .ok_or_else(|| wrong("it has no [[rules]]".to_owned()))?;
    let mut translated = Translated { toml: "version = 1\n".to_owned(), ..Translated::default() };
    if table.contains_key("allowlist") || table.contains_key("allowlists") {
        translated.notes.push("the allow list for all rules is not taken over".to_owned());
    }
    if table.contains_key("extend") {
        translated.notes.push("rules that it extends are not taken over".to_owned());
    }
    for (number, rule) in rules.iter().enumerate() {
        let id = rule
            .get("id")
            .and_then(Value::as_str)
            .map_or_else(|| format!("rule_{}", number + 1), str::to_owned);
        match translate(&id, rule) {
            Ok(row) => {
                translated.toml.push_str(&row);
                translated.rules += 1;
            }
            Err(why) => translated.refused.push((id, why)),
        }
    }
    Ok(translated)
}

fn translate(id: &str, rule: &Value) -> Result<String, String> {
    let regex = rule.get("regex").and_then(Value::as_str);
    let Some(regex) = regex.filter(|_| !rule.as_table().is_some_and(|table| table.contains_key("path")))
    else {
        return Err(
            if regex.is_some() { "looks only at some paths" } else { "looks at paths alone" }.to_owned()
        );
    };
    let keywords = strings(rule.get("keywords"));
    if keywords.is_empty() {
        return Err("has no keywords".to_owned());
    }
    let (mut words, mut expressions) = (Vec::new(), Vec::new());
    let lists = rule.get("allowlists").and_then(Value::as_array).cloned().unwrap_or_default();
    for list in rule.get("allowlist").cloned().into_iter().chain(lists) {
        words.append(&mut strings(list.get("stopwords")));
        expressions.append(&mut strings(list.get("regexes")));
    }
    let mut row = format!(
        "\n[[rule]]\nid = {}\nregex = {}\nkeywords = {}\nmax_len = {REACH}\n",
        quoted(id),
        quoted(regex),
        list(&keywords)
    );
    if let Some(group) = rule.get("secretGroup").and_then(Value::as_integer) {
        row.push_str(&format!("secret_group = {group}\n"));
    } else if groups(regex) {
        // theirs is the first group, if there is one
        row.push_str("secret_group = 1\n");
    }
    let number = |value: &Value| {
        value.as_float().or_else(|| value.as_integer().map(|n| i32::try_from(n).map_or(0.0, f64::from)))
    };
    if let Some(entropy) = rule.get("entropy").and_then(number) {
        row.push_str(&format!("entropy = {entropy:?}\n"));
    }
    for (name, values) in [("allow_words", &words), ("allow_regex", &expressions)] {
        if !values.is_empty() {
            row.push_str(&format!("{name} = {}\n", list(values)));
        }
    }
    let loaded = Rules::new().load(&format!("version = 1\n{row}"), "", Owner::User);
    loaded.map(|()| row).map_err(|error| match error {
        RulesError::Rule { what, .. } | RulesError::File { what, .. } => what,
    })
}

/// Whether an expression captures anything.
fn groups(source: &str) -> bool {
    regex::bytes::Regex::new(source).is_ok_and(|regex| regex.captures_len() > 1)
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).into_iter().flatten();
    items.filter_map(|item| item.as_str().map(str::to_owned)).collect()
}

/// A JSON string is a string of TOML.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string().replace('\u{7F}', "\\u007f")
}

fn list(values: &[String]) -> String {
    format!("[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_theirs_becomes_one_of_ours() {
        let theirs = r#"
title = "x"
[allowlist]
paths = ['''x''']
[[rules]]
id = "acme-api-key"
description = "an Acme key"
regex = '''(?i)\bacme(?:[ \t\w.-]{0,20})[\s'"]{0,3}(?:=|:)[\s'"]{0,5}([a-z0-9]{16})(?:[\s'"]|$)'''
entropy = 2
keywords = ["acme"]
[[rules.allowlists]]
stopwords = ["sample"]
regexes = ['''^0+$''']
[[rules]]
id = "pkcs12-file"
path = '''(?i)\.p12$'''
[[rules]]
id = "nuget"
path = '''nuget\.config$'''
regex = '''x'''
keywords = ["password"]
[[rules]]
id = "bare"
regex = '''[a-z]{32}'''
"#;
        let ours = from_gitleaks(theirs, "gitleaks.toml").expect("a translation");
        let why: Vec<String> = ours.refused.iter().map(|(id, why)| format!("{id}: {why}")).collect();
        assert_eq!(
            why,
            ["pkcs12-file: looks at paths alone", "nuget: looks only at some paths", "bare: has no keywords"]
        );
        assert_eq!((ours.rules, ours.notes.len()), (1, 1));
        let mut rules = Rules::new();
        rules.load(&ours.toml, "ours", Owner::User).expect("rules");
        let mut spans = crate::span::Spans::default();
        let text = "acme_key = 'k3j5h2g8f7d6s1a9' acme_key = '0000000000000000'";
        rules.find(text, &mut spans);
        let found: Vec<&str> = spans.found().iter().map(|span| &text[span.start..span.end]).collect();
        assert_eq!(found, ["k3j5h2g8f7d6s1a9"]);
    }
}
