//! Which session a file is, by where it lies: a pattern of its last folders, a file beside it, its name.

use std::fs;
use std::path::{Component, Path as FilePath};

use serde_json::Value;

use super::apply::plain;
use super::plan::{Content, SessionFrom};
use crate::SourceFile;

/// A larger file beside a transcript is something else.
const MAX_BESIDE_BYTES: u64 = 2 * 1024 * 1024;

/// Session and agent of a file; no session if its content has to say.
pub(super) fn place(from: &SessionFrom, file: &SourceFile) -> (String, Option<String>) {
    let matched = from.file.iter().find_map(|pattern| matched(pattern, file));
    let (session, agent) = matched.unwrap_or_default();
    let session = beside(from, &file.path).or(session);
    let by_content = from.content.iter().any(|content| matches!(content, Content::First | Content::File));
    let unnamed = || if by_content { "" } else { stem(file) };
    (session.unwrap_or_else(|| unnamed().to_owned()), agent)
}

/// The file's name; a session needs one.
pub(super) fn stem(file: &SourceFile) -> &str {
    if file.stem.is_empty() { "transcript" } else { &file.stem }
}

/// The first records that name a session.
pub(super) fn telling(from: &SessionFrom, head: &[Value]) -> usize {
    if from.content.contains(&Content::First) { head.len().min(1) } else { head.len() }
}

/// What a pattern such as `{session}/agents/{agent}/wire` finds in the last folders and the name of a file.
fn matched(pattern: &str, file: &SourceFile) -> Option<(Option<String>, Option<String>)> {
    let folders = file.path.parent().into_iter().flat_map(FilePath::components);
    let mut names: Vec<String> = folders
        .filter_map(|part| match part {
            Component::Normal(name) => Some(name.to_string_lossy().into_owned()),
            _ => None,
        })
        .collect();
    names.push(file.stem.clone());
    let wanted: Vec<&str> = pattern.split('/').collect();
    let names = names.get(names.len().checked_sub(wanted.len())?..)?;
    let (mut session, mut agent) = (None, None);
    for (want, name) in wanted.into_iter().zip(names) {
        match want {
            "{session}" => session = Some(name.clone()),
            "{agent}" => agent = Some(name.clone()),
            want => match want.split_once('*') {
                Some((start, end)) if name.len() >= start.len() + end.len() => {
                    (name.starts_with(start) && name.ends_with(end)).then_some(())?;
                }
                Some(_) => return None,
                None => (want == name).then_some(())?,
            },
        }
    }
    Some((session, agent))
}

fn beside(from: &SessionFrom, path: &FilePath) -> Option<String> {
    let (name, id) = from.beside.as_ref()?;
    let other = path.with_file_name(name);
    let small = fs::metadata(&other).is_ok_and(|file| file.is_file() && file.len() <= MAX_BESIDE_BYTES);
    let value: Value =
        small.then(|| fs::read(&other).ok()).flatten().and_then(|b| serde_json::from_slice(&b).ok())?;
    id.value(&value).and_then(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_name_session_and_agent() {
        let file =
            |path: &str| SourceFile { path: path.into(), stem: "wire".to_owned(), ..SourceFile::default() };
        let found = matched("{session}/agents/{agent}/wire", &file("/x/session_1/agents/main/wire.jsonl"));
        assert_eq!(found, Some((Some("session_1".to_owned()), Some("main".to_owned()))));
        assert_eq!(matched("{session}/agents/{agent}/wire", &file("/agents/main/wire.jsonl")), None);
        assert_eq!(matched("{session}/e-*", &file("/s/wire.jsonl")), None);
        assert!(matched("{session}/w*", &file("/s/wire.jsonl")).is_some());
    }
}
