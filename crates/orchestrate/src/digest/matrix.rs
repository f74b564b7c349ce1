//! Who is told what of whom.

use std::collections::BTreeMap;

use event::PHASES;

use crate::error::OrchestrateError;
use crate::words;

/// What of one role's reasoning somebody is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The role; `*` for all of them.
    pub from: String,
    /// The phases; none for all of them.
    pub phases: Vec<String>,
}

impl Source {
    /// Reads `developer: understanding completion`, or `qa_expert` for all phases, `*` for all roles.
    pub fn parse(text: &str) -> Result<Self, OrchestrateError> {
        let (from, phases) = text.split_once(':').unwrap_or((text, ""));
        let phases: Vec<String> =
            phases.split([' ', ',']).filter(|word| !word.is_empty()).map(str::to_owned).collect();
        phases.iter().try_for_each(|phase| words::phase(phase))?;
        words::filled("role", from)?;
        Ok(Self { from: words::role_name(from.trim()).to_owned(), phases })
    }

    /// True if reasoning of this role in this phase is told.
    pub fn takes(&self, agent: &str, phase: &str) -> bool {
        let role = |name: &str| match words::role_name(name) {
            // a senior engineer does what a developer does
            "senior_software_engineer" => "developer".to_owned(),
            other => other.to_owned(),
        };
        (self.from == "*" || role(&self.from) == role(agent))
            && (self.phases.is_empty() || self.phases.iter().any(|known| known == phase))
    }
}

/// Who is told what of whom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Matrix {
    rows: BTreeMap<String, Vec<Source>>,
}

impl Default for Matrix {
    fn default() -> Self {
        let source = |from: &str, phases: &[&str]| Source {
            from: from.to_owned(),
            phases: phases.iter().map(|phase| (*phase).to_owned()).collect(),
        };
        let rows = [
            ("qa_expert", vec![source("developer", &["understanding", "completion", "decisions"])]),
            ("tech_lead", vec![source("developer", &[]), source("qa_expert", &[])]),
            ("senior_software_engineer", vec![source("developer", &[])]),
            ("project_manager", vec![source("*", &["completion"])]),
            // after a failed test or review
            (
                "developer",
                vec![
                    source("tech_lead", &["completion", "decisions"]),
                    source("qa_expert", &["completion", "decisions"]),
                    source("investigator", &["completion", "decisions"]),
                ],
            ),
            ("investigator", vec![source("*", PHASES)]),
        ];
        Self { rows: rows.into_iter().map(|(role, sources)| (role.to_owned(), sources)).collect() }
    }
}

impl Matrix {
    /// The same with another row for a role.
    pub fn with(mut self, role: &str, sources: &[String]) -> Result<Self, OrchestrateError> {
        let sources = sources.iter().map(|text| Source::parse(text)).collect::<Result<Vec<_>, _>>()?;
        self.rows.insert(words::role_name(role).to_owned(), sources);
        Ok(self)
    }

    /// What a role is told.
    pub fn sources(&self, role: &str) -> Result<&[Source], OrchestrateError> {
        let role = words::role_name(role);
        if let Some(sources) = self.rows.get(role) {
            return Ok(sources);
        }
        let roles: Vec<&str> = self.rows.keys().map(String::as_str).collect();
        words::one_of("role", role, &roles)?;
        Ok(&[])
    }

    /// True if a role is told of every group, not of its own alone.
    pub(crate) fn is_session_wide(role: &str) -> bool {
        words::role_name(role) == "project_manager"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(matrix: &Matrix, role: &str, agent: &str, phase: &str) -> bool {
        matrix.sources(role).is_ok_and(|sources| sources.iter().any(|source| source.takes(agent, phase)))
    }

    #[test]
    fn the_four_rows_are_those_of_the_protocol() {
        let matrix = Matrix::default();
        for phase in PHASES {
            let for_qa = matches!(*phase, "understanding" | "completion" | "decisions");
            assert_eq!(told(&matrix, "qa_expert", "developer", phase), for_qa, "{phase}");
            assert!(!told(&matrix, "qa_expert", "tech_lead", phase), "{phase}");
            assert!(
                told(&matrix, "tech_lead", "developer", phase)
                    && told(&matrix, "tech_lead", "qa_expert", phase)
            );
            assert!(!told(&matrix, "tech_lead", "project_manager", phase));
            assert!(told(&matrix, "senior_software_engineer", "developer", phase));
            assert_eq!(told(&matrix, "project_manager", "anybody", phase), *phase == "completion");
        }
    }

    #[test]
    fn a_row_of_ones_own_replaces_the_default() {
        let matrix = Matrix::default().with("qa", &["tech_lead: risks".to_owned()]).expect("a row");
        assert!(told(&matrix, "qa_expert", "tech_lead", "risks"));
        assert!(!told(&matrix, "qa_expert", "developer", "completion"));
        assert!(Matrix::default().with("qa", &["developer: planning".to_owned()]).is_err());
        assert!(Matrix::default().sources("qa_export").is_err());
    }
}
