//! Whose word counts: the witnesses of a store's log and how many of them are enough, as C2SP's tlog-policy
//! writes it.
//!
//! ```text
//! log <vkey>
//! witness <name> <vkey>
//! group <name> <any|all|number> <member>…
//! quorum <name|none>
//! ```
//! What stands before its use counts: a group names witnesses and groups above it, so no ring is possible.

use std::collections::{BTreeMap, BTreeSet};

use crate::error::AuditError;
use crate::sign::Verifier;

/// Witnesses, groups of them, and which group is enough.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Policy {
    /// Keys of logs; none means any.
    pub(crate) logs: Vec<Verifier>,
    /// Witnesses by the name that the policy gives them.
    pub(crate) witnesses: BTreeMap<String, Verifier>,
    groups: BTreeMap<String, Group>,
    quorum: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    least: usize,
    members: Vec<String>,
}

impl Policy {
    /// Reads a policy; the error names the line.
    pub fn parse(text: &str) -> Result<Self, AuditError> {
        let mut policy = Self::default();
        for (number, line) in text.lines().enumerate() {
            let words: Vec<&str> =
                line.split_ascii_whitespace().take_while(|word| !word.starts_with('#')).collect();
            let read = policy.line(&words);
            read.map_err(|what| AuditError::BadPolicy { line: number + 1, what })?;
        }
        Ok(policy)
    }

    fn line(&mut self, words: &[&str]) -> Result<(), &'static str> {
        match words {
            [] | ["quorum", "none"] => Ok(()),
            ["log", vkey, ..] => {
                self.logs.push(Verifier::parse(vkey).ok_or("not a vkey")?);
                Ok(())
            }
            ["witness", name, vkey, ..] => {
                let key =
                    Verifier::parse(vkey).filter(Verifier::is_witness).ok_or("not the vkey of a witness")?;
                self.is_new(name)?;
                self.witnesses.insert((*name).to_owned(), key);
                Ok(())
            }
            ["group", name, least, members @ ..] if !members.is_empty() => self.group(name, least, members),
            ["quorum", name] if self.quorum.is_none() => {
                self.is_known(name)?;
                self.quorum = Some((*name).to_owned());
                Ok(())
            }
            _ => Err("not a line of a policy"),
        }
    }

    fn group(&mut self, name: &str, least: &str, members: &[&str]) -> Result<(), &'static str> {
        self.is_new(name)?;
        members.iter().try_for_each(|member| self.is_known(member))?;
        let distinct: BTreeSet<&&str> = members.iter().collect();
        let least = match least {
            "any" => 1,
            "all" => members.len(),
            number => number.parse().map_err(|_| "neither any, all nor a number")?,
        };
        if least == 0 || least > members.len() || distinct.len() < members.len() {
            return Err("so many of them there are not");
        }
        let members = members.iter().map(|member| (*member).to_owned()).collect();
        self.groups.insert(name.to_owned(), Group { least, members });
        Ok(())
    }

    fn is_new(&self, name: &str) -> Result<(), &'static str> {
        let taken = name == "none" || self.is_known(name).is_ok();
        if taken { Err("the name is taken") } else { Ok(()) }
    }

    fn is_known(&self, name: &str) -> Result<(), &'static str> {
        let known = self.witnesses.contains_key(name) || self.groups.contains_key(name);
        if known { Ok(()) } else { Err("a name that no line above gives") }
    }

    /// True if these witnesses are enough. Without a quorum, `least_one` asks for one of them.
    pub(crate) fn is_enough(&self, said: &BTreeSet<String>, least_one: bool) -> bool {
        match &self.quorum {
            Some(name) => self.holds(name, said),
            None => !least_one || !said.is_empty(),
        }
    }

    fn holds(&self, name: &str, said: &BTreeSet<String>) -> bool {
        match self.groups.get(name) {
            Some(group) => {
                group.members.iter().filter(|member| self.holds(member, said)).count() >= group.least
            }
            None => said.contains(name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::note::tests::cosign;
    use crate::note::{Checkpoint, Note};
    use crate::sign::Signer;
    use crate::tree::Tree;

    fn vkey(name: &str, seed: u8) -> String {
        let mut note: Note = Checkpoint::of("x", &Tree::default()).sign(&[&Signer::new("x", &[1; 32])]);
        cosign(&mut note, name, &[seed; 32], 1)
    }

    #[test]
    fn groups_of_groups_are_counted() {
        let text = format!(
            "# ours\nwitness a {}\nwitness b {} https://b.example\nwitness c {}\ngroup two 2 a b c\ngroup top all two c\nquorum top\n",
            vkey("a", 2),
            vkey("b", 3),
            vkey("c", 4)
        );
        let policy = Policy::parse(&text).expect("a policy");
        let enough =
            |names: &[&str]| policy.is_enough(&names.iter().map(|n| (*n).to_owned()).collect(), false);
        assert!(enough(&["a", "c"]) && enough(&["b", "c"]) && enough(&["a", "b", "c"]));
        assert!(!enough(&["a", "b"]) && !enough(&["c"]) && !enough(&[]));
    }

    #[test]
    fn what_is_no_policy_is_told_by_its_line() {
        let witness = format!("witness a {}", vkey("a", 2));
        let log = Signer::new("log", &[5; 32]).verifier().vkey();
        for (bad, line) in [
            ("nonsense", 1),
            ("quorum a", 1),
            (&format!("{witness}\n{witness}"), 2),
            (&format!("{witness}\ngroup g 2 a"), 2),
            (&format!("{witness}\ngroup g 2 a a"), 2),
            (&format!("{witness}\ngroup g 1 b"), 2),
            (&format!("witness a {log}"), 1),
            ("log x+y", 1),
        ] {
            let read = Policy::parse(bad);
            assert!(
                matches!(read, Err(AuditError::BadPolicy { line: at, .. }) if at == line),
                "{bad}: {read:?}"
            );
        }
        assert!(Policy::parse(&format!("log {log}\n{witness}\nquorum none\n")).is_ok());
    }
}
