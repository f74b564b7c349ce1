//! How far around an event is looked: its agent, its group, its session, its project, everything.

use clap::ValueEnum as _;
use event::{Event, EventRef};
use recorder::{Answer, Now, Options, Query, Store};

use crate::args::SearchScope;
use crate::commands::shown;
use crate::failure::Failure;

/// From the narrowest on.
const SCOPES: [SearchScope; 5] =
    [SearchScope::Agent, SearchScope::Group, SearchScope::Session, SearchScope::Project, SearchScope::All];

/// The scopes to go through, one after the other until something is found.
pub(super) fn each(scope: SearchScope) -> Vec<SearchScope> {
    if scope == SearchScope::Cycle { SCOPES.to_vec() } else { vec![scope] }
}

/// As it is typed.
pub(super) fn name(scope: SearchScope) -> String {
    scope.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
}

/// Where was looked, and where else one could.
pub(super) fn said(scope: SearchScope, total: u64) -> String {
    let wider = SCOPES.iter().skip_while(|known| **known != scope).nth(1);
    match wider {
        Some(wider) if total == 0 => {
            format!(
                "scope: {}; --scope {} looks further, --scope cycle until there is a hit",
                name(scope),
                name(*wider)
            )
        }
        _ => format!("scope: {}", name(scope)),
    }
}

/// The surroundings of one event.
pub(super) struct Around<'a> {
    store: &'a Store,
    event: Event,
    now: &'a Now,
}

impl<'a> Around<'a> {
    pub(super) fn of(store: &'a Store, event: &str, now: &'a Now) -> Result<Self, Failure> {
        let (event, _) = store.event(&EventRef::parse(event)?)?;
        Ok(Self { store, event, now })
    }

    /// The answer in the first scope that has one; of several, those that the event does not have are passed over.
    pub(super) fn first(
        &self,
        scopes: Vec<SearchScope>,
        mut ask: impl FnMut(Query) -> Result<Answer, Failure>,
    ) -> Result<(SearchScope, Answer), Failure> {
        let only = scopes.len() == 1;
        let mut last = None;
        for scope in scopes {
            let query = match self.part(scope)? {
                None if !only => continue,
                None => return Err(self.lacks(scope)),
                Some(query) => query,
            };
            let answer = ask(query)?;
            if answer.total > 0 {
                return Ok((scope, answer));
            }
            last = Some((scope, answer));
        }
        last.ok_or_else(|| Failure::usage("there is no scope to look in"))
    }

    /// What shares with the event what the scope says.
    pub(super) fn query(&self, scope: SearchScope) -> Result<Query, Failure> {
        self.part(scope)?.ok_or_else(|| self.lacks(scope))
    }

    fn lacks(&self, scope: SearchScope) -> Failure {
        Failure::usage(format!("{} has no {} to look around in", self.event.name(), name(scope)))
    }

    fn part(&self, scope: SearchScope) -> Result<Option<Query>, Failure> {
        let event = &self.event;
        let session = format!("session:\"{}\"", event.session);
        let quoted = |text: &str| text.replace('"', " ");
        let filter = match scope {
            SearchScope::Agent => {
                let agent = event.text("agent_id").or(event.text("agent"));
                agent.map(|agent| format!("{session} agent:\"{}\"", quoted(agent)))
            }
            SearchScope::Group => {
                event.text("group").map(|group| format!("{session} group:\"{}\"", quoted(group)))
            }
            SearchScope::Session => Some(session),
            SearchScope::Project => {
                let opened = shown::query(self.store, &format!("{session} has:cwd"), self.now)?;
                let opened = self.store.search(&opened, &Options::default(), false)?;
                let cwd = opened.hits.iter().find_map(|hit| hit.event.data.get("cwd")?.as_str());
                cwd.map(|cwd| format!("project:\"{}\"", quoted(cwd)))
            }
            SearchScope::All | SearchScope::Cycle => Some(String::new()),
        };
        filter.map(|filter| shown::query(self.store, &filter, self.now)).transpose()
    }
}
