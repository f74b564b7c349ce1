//! The words of a team: phases, roles and their short forms, names of groups. A wrong one is refused here.

use event::{CONFIDENCES, PHASES, nearest};

use crate::error::OrchestrateError;

/// Roles of a team, their titles, and the mark that their capsules carry.
pub const ROLES: &[Role] = &[
    Role { name: "developer", title: "Developer", icon: "🔨", short: &["dev"] },
    Role {
        name: "senior_software_engineer",
        title: "Senior Software Engineer",
        icon: "🔨",
        short: &["sse", "senior", "senior_engineer"],
    },
    Role { name: "qa_expert", title: "QA Expert", icon: "✅", short: &["qa"] },
    Role { name: "tech_lead", title: "Tech Lead", icon: "👔", short: &["tl", "techlead"] },
    Role { name: "project_manager", title: "Project Manager", icon: "📋", short: &["pm"] },
    Role { name: "investigator", title: "Investigator", icon: "🔬", short: &["inv"] },
    Role { name: "requirements_engineer", title: "Requirements Engineer", icon: "📝", short: &["re"] },
];

/// Phases that every spawn of an agent owes.
pub const MANDATORY: [&str; 2] = ["understanding", "completion"];

/// One role.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Role {
    /// As it stands in headers.
    pub name: &'static str,
    /// As people read it.
    pub title: &'static str,
    /// The mark of its capsules.
    pub icon: &'static str,
    short: &'static [&'static str],
}

impl Role {
    /// Its name and its short forms.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        std::iter::once(self.name).chain(self.short.iter().copied())
    }
}

/// The role that a name or one of its short forms means; `None` for a role of the team's own.
pub fn role(name: &str) -> Option<&'static Role> {
    ROLES.iter().find(|role| role.name == name || role.short.contains(&name))
}

/// The name of a role as headers have it; roles of the team's own stay as they are.
pub fn role_name(name: &str) -> &str {
    role(name).map_or(name, |role| role.name)
}

/// The title of a role; one of the team's own is its name in words.
pub fn title(name: &str) -> String {
    role(name).map_or_else(|| in_words(name), |role| role.title.to_owned())
}

fn in_words(name: &str) -> String {
    let word = |word: &str| {
        let mut chars = word.chars();
        chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
    };
    name.split(['_', '-']).filter(|part| !part.is_empty()).map(word).collect::<Vec<_>>().join(" ")
}

/// Refuses what is none of `allowed`.
pub fn one_of(what: &'static str, given: &str, allowed: &[&str]) -> Result<(), OrchestrateError> {
    if allowed.contains(&given) {
        return Ok(());
    }
    let near = meant(given).filter(|near| allowed.contains(near));
    let near = near.or_else(|| nearest(&given.to_lowercase(), allowed.iter().copied()));
    let near = near.or_else(|| nearest(&given.to_uppercase(), allowed.iter().copied()));
    Err(OrchestrateError::Word {
        what,
        given: given.to_owned(),
        allowed: allowed.iter().map(|word| (*word).to_owned()).collect(),
        near: near.map(str::to_owned),
    })
}

/// Words that mean another, though they don't look like it.
fn meant(given: &str) -> Option<&'static str> {
    Some(match given.to_lowercase().as_str() {
        "planning" | "plan" | "strategy" | "design" => "approach",
        "start" | "analysis" | "requirements" => "understanding",
        "done" | "summary" | "end" | "finished" => "completion",
        "change" | "rethink" => "pivot",
        "certain" | "sure" => "high",
        "unsure" | "uncertain" => "low",
        _ => return None,
    })
}

/// Checks a phase.
pub fn phase(given: &str) -> Result<(), OrchestrateError> {
    one_of("phase", given, PHASES)
}

/// Checks a confidence.
pub fn confidence(given: &str) -> Result<(), OrchestrateError> {
    one_of("confidence", given, CONFIDENCES)
}

/// Checks the name of a group: it becomes a folder.
pub fn group(given: &str) -> Result<(), OrchestrateError> {
    name("group", given)
}

/// Checks the role of an agent.
pub fn agent(given: &str) -> Result<(), OrchestrateError> {
    filled("agent", given)?;
    if given.chars().any(char::is_control) || given.len() > 200 {
        let takes = "one line of at most 200 bytes";
        return Err(OrchestrateError::Shape { what: "agent", given: given.to_owned(), takes });
    }
    Ok(())
}

/// Checks a name that becomes part of a path.
pub fn name(what: &'static str, given: &str) -> Result<(), OrchestrateError> {
    let fits = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if !given.is_empty() && given.len() <= 64 && given.chars().all(fits) {
        return Ok(());
    }
    Err(OrchestrateError::Shape { what, given: given.to_owned(), takes: "[A-Za-z0-9_-]{1,64}" })
}

/// Refuses nothing but white space.
pub fn filled(what: &'static str, given: &str) -> Result<(), OrchestrateError> {
    if given.trim().is_empty() { Err(OrchestrateError::Empty { what }) } else { Ok(()) }
}

/// Recorded text as a prompt may hold it: no control, bidirectional or invisible character.
pub(crate) fn plain(text: &str) -> String {
    let hidden = |c: char| {
        (c.is_control() && c != '\n' && c != '\t')
            || matches!(c,
                '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
    };
    text.chars().filter(|c| !hidden(*c)).collect()
}

/// Recorded text as a quotation: every line of it begins with `> `.
pub(crate) fn quoted(text: &str) -> String {
    plain(text).lines().map(|line| format!("> {line}").trim_end().to_owned() + "\n").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(what: Result<(), OrchestrateError>) -> Option<String> {
        match what {
            Err(OrchestrateError::Word { near, .. }) => near,
            _ => None,
        }
    }

    #[test]
    fn a_wrong_word_names_the_nearest() {
        assert_eq!(near(phase("planning")).as_deref(), Some("approach"));
        assert_eq!(near(phase("Completion")).as_deref(), Some("completion"));
        assert_eq!(near(confidence("hihg")).as_deref(), Some("high"));
        assert_eq!(near(confidence("0.9")), None);
        assert!(confidence("0.9").is_err() && phase("pivot").is_ok());
    }

    #[test]
    fn a_group_never_leaves_its_folder() {
        for good in ["AUTH", "a", "g-1_B"] {
            assert!(group(good).is_ok(), "{good}");
        }
        for bad in ["", "..", "a/b", "a b", "é", &"x".repeat(65)] {
            assert!(group(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_quotation_cannot_be_left() {
        let text = "one\n## Heading\n```\n\u{202e}two\u{e0041}\u{1b}[31m";
        assert_eq!(quoted(text), "> one\n> ## Heading\n> ```\n> two[31m\n");
    }

    #[test]
    fn roles_have_short_forms_and_titles() {
        assert_eq!((role_name("dev"), role_name("tl"), role_name("own")), ("developer", "tech_lead", "own"));
        assert_eq!(
            (title("qa"), title("data_engineer")),
            ("QA Expert".to_owned(), "Data Engineer".to_owned())
        );
    }
}
