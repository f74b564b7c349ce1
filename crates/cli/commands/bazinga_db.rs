//! `recount bazinga-db CMD …`: another tool's commands over our store.
//!
//! Reads and writes use the same store, the one to which `record` writes, so that a `get` finds what a
//! `save` said; like the original's database it is made when it is not there.

use bazinga::{
    Answer, BazingaError, Consumption, Interaction, Package, Pattern, Plan, Round, Strategy, Thought, Told,
    Wanted, Which,
};
use orchestrate::OrchestrateError;
use recorder::{Durability, Recorder, Store};
use serde_json::Value;
use world::World;

use crate::args::{BazingaCommand as Cmd, BazingaDb, GetReasoning, Global, KnownValues, SaveReasoning};
use crate::failure::{Failure, NO};
use crate::given;
use crate::harmless::{harmless, harmless_json, harmless_lines};
use crate::output::Output;
use crate::place;
use crate::seals::Seals;
use crate::unsaid::unsaid;

pub(crate) fn run(global: &Global, args: &BazingaDb, out: &mut Output) -> Result<u8, Failure> {
    if let Some(text) = tell(global, &args.command)? {
        return document(&text, out);
    }
    if let Cmd::ReasoningTimeline { session, group_id, .. } = &args.command {
        let pieces = bazinga::reasoning_timeline(&store(global)?, session, group_id.as_deref())?;
        pieces.iter().try_for_each(|piece| out.text(piece))?;
        return Ok(0);
    }
    let answer = match ask(global, &args.command)? {
        Some(answer) if answer.yes => answer,
        // what is told back is what was typed
        Some(answer) => discreet(answer),
        None => discreet(save(global, &args.command)?),
    };
    print(&answer, args.quiet, out)
}

/// The store to read from, which is the one that is written.
fn store(global: &Global) -> Result<Store, Failure> {
    Ok(Store::open(World::real(), &place::made(global)?)?)
}

fn recorder(global: &Global) -> Result<Recorder, Failure> {
    place::made(global)?;
    place::recorder(global, Durability::Always, &KnownValues::default())
}

/// Answers with a document, if the command has one.
fn tell(global: &Global, command: &Cmd) -> Result<Option<String>, Failure> {
    Ok(Some(match command {
        Cmd::StreamLogs { session, limit, offset } => {
            bazinga::logs(&store(global)?, session, *limit, *offset)?
        }
        Cmd::GetReasoning(a) if a.format == "prompt-summary" => {
            bazinga::reasoning_prompt(&store(global)?, &a.session, which(a), a.limit)?
        }
        Cmd::ReasoningTimeline { session, group_id, format } if format == "markdown" => {
            bazinga::reasoning_document(&store(global)?, session, group_id.as_deref())?
        }
        _ => return Ok(None),
    }))
}

fn which(args: &GetReasoning) -> Which<'_> {
    let (group, agent, phase) = (&args.group_id, &args.agent_type, &args.phase);
    Which { group: group.as_deref(), agent: agent.as_deref(), phase: phase.as_deref() }
}

/// Answers a question; `None` if the command saves something.
fn ask(global: &Global, command: &Cmd) -> Result<Option<Answer>, Failure> {
    let store = || store(global);
    Ok(Some(match command {
        Cmd::GetSession { session } => bazinga::session(&store()?, session)?,
        Cmd::ListSessions { limit } => bazinga::sessions(&store()?, *limit)?,
        Cmd::GetReasoning(a) => bazinga::reasoning(&store()?, &a.session, which(a), a.limit)?,
        Cmd::CheckMandatoryPhases { session, group, agent } => {
            bazinga::mandatory_phases(&store()?, session, group, agent)?
        }
        Cmd::GetSkillOutput { session, skill, agent } => {
            bazinga::skill_output(&store()?, session, skill, agent.as_deref())?
        }
        Cmd::GetSkillOutputAll { session, skill, agent } => {
            bazinga::skill_outputs(&store()?, session, skill, agent.as_deref())?
        }
        Cmd::CheckSkillEvidence { session, skills, agent, since } => {
            bazinga::skill_evidence(&store()?, session, skills, agent.as_deref(), *since)?
        }
        Cmd::GetEvents { session, subtype, most, limit } => {
            let limit = limit.or(*most).unwrap_or(50);
            bazinga::saved_events(&store()?, session, subtype.as_deref(), limit)?
        }
        Cmd::GetTaskGroups { session, status } => bazinga::groups(&store()?, session, status.as_deref())?,
        Cmd::GetContextPackages { session, group, agent, limit } => {
            bazinga::packages(&store()?, session, group, agent, usize::from(*limit))?
        }
        Cmd::GetState { session, kind, group_id } => {
            bazinga::state(&store()?, session, kind, group_id.as_deref())?
        }
        Cmd::GetDevelopmentPlan { session } => bazinga::development_plan(&store()?, session)?,
        Cmd::GetSuccessCriteria { session } => bazinga::criteria(&store()?, session)?,
        Cmd::TokenSummary { session, by } => bazinga::token_summary(&store()?, session, by)?,
        Cmd::GetErrorPatterns { project, lang, min_confidence, limit } => {
            bazinga::patterns(&store()?, project, lang.as_deref(), *min_confidence, *limit)?
        }
        Cmd::GetStrategies { project, lang, framework, topic, limit } => {
            let (lang, framework, topic) = (lang.as_deref(), framework.as_deref(), topic.as_deref());
            bazinga::strategies(&store()?, project, Wanted { lang, framework, topic, limit: *limit })?
        }
        Cmd::DashboardSnapshot { session } => bazinga::dashboard(&store()?, session)?,
        Cmd::GetConsumption { session, group_id, agent_type, limit } => {
            let (group, agent) = (group_id.as_deref(), agent_type.as_deref());
            bazinga::consumption(&store()?, session, group, agent, *limit)?
        }
        // what is asked by comes back with the answer
        Cmd::Query { sql } => bazinga::query(&store()?, &unsaid(&sql.join(" ")))?,
        Cmd::IntegrityCheck => bazinga::integrity(&store()?)?,
        _ => return Ok(None),
    }))
}

fn save(global: &Global, command: &Cmd) -> Result<Answer, Failure> {
    // whatever is read from outside is read before the store is opened
    let input = Input::of(command)?;
    let mut recorder = recorder(global)?;
    let answer = write(&mut recorder, command, &input)?;
    Seals::new(&recorder)?.leave(&mut recorder);
    Ok(answer)
}

/// Texts from files and standard input.
#[derive(Default)]
struct Input {
    text: String,
    more: String,
}

impl Input {
    fn of(command: &Cmd) -> Result<Self, Failure> {
        let (text, more) = match command {
            Cmd::LogInteraction { content, .. } => {
                (given::text("the content", Some(content), None)?, String::new())
            }
            Cmd::SaveDevelopmentPlan { plan, .. } => {
                (given::text("the plan", Some(plan), None)?, String::new())
            }
            Cmd::SaveSuccessCriteria { criteria, .. } => {
                (given::text("the criteria", Some(criteria), None)?, String::new())
            }
            Cmd::SaveState { state, .. } => (given::text("the state", Some(state), None)?, String::new()),
            Cmd::SaveInvestigationIteration { state_file, event_file, .. } => {
                (given::read(state_file)?, given::read(event_file)?)
            }
            Cmd::SaveReasoning(SaveReasoning { content, .. })
            | Cmd::SaveSkillOutput { content, .. }
            | Cmd::SaveEvent { content, .. } => {
                let (text, file) = (content.content.as_deref(), content.content_file.as_deref());
                (given::text("the content", text, file)?, String::new())
            }
            _ => Default::default(),
        };
        Ok(Self { text, more })
    }
}

fn write(recorder: &mut Recorder, command: &Cmd, input: &Input) -> Result<Answer, Failure> {
    Ok(match command {
        Cmd::CreateSession { session, mode, requirements, initial_branch, metadata } => {
            let (branch, metadata) = (initial_branch.as_deref(), metadata.as_deref());
            bazinga::create_session(recorder, session, mode, requirements, branch, metadata)?
        }
        Cmd::UpdateSessionStatus { session, status } => bazinga::set_status(recorder, session, status)?,
        Cmd::CompleteSession { session } => bazinga::set_status(recorder, session, "completed")?,
        Cmd::LogInteraction { session, agent, iteration, agent_id, .. } => {
            let (agent_id, iteration) = (agent_id.as_deref(), *iteration);
            bazinga::interaction(
                recorder,
                Interaction { session, agent, text: &input.text, iteration, agent_id },
            )?
        }
        Cmd::SaveReasoning(a) => {
            let thought = Thought {
                session: &a.session,
                group: &a.group,
                agent: &a.agent,
                phase: &a.phase,
                text: &input.text,
                agent_id: a.agent_id.as_deref(),
                iteration: a.iteration,
                confidence: a.confidence.as_deref(),
                references: a.references.as_deref(),
            };
            bazinga::save_reasoning(recorder, thought)?
        }
        Cmd::SaveSkillOutput { session, skill, agent, group, .. } => {
            let (agent, group, output) = (agent.as_deref(), group.as_deref(), &input.text);
            bazinga::save_skill_output(recorder, bazinga::Output { session, skill, output, agent, group })?
        }
        Cmd::SaveEvent { session, subtype, idempotency_key, group_id, .. } => {
            let (key, group, payload) = (idempotency_key.as_deref(), group_id.as_deref(), &input.text);
            bazinga::save_event(recorder, Told { session, subtype, payload, key, group })?
        }
        Cmd::CreateTaskGroup(group) => {
            bazinga::create_group(recorder, &group.group, &group.session, &group.columns())?
        }
        Cmd::UpdateTaskGroup(group) => {
            let make = ["true", "1", "yes"].contains(&group.auto_create.to_lowercase().as_str());
            bazinga::update_group(recorder, &group.group, &group.session, &group.columns(), make)?
        }
        Cmd::SaveInvestigationIteration { session, group, iteration, status, .. } => {
            let (number, state, payload) = (*iteration, &input.text, &input.more);
            bazinga::save_round(recorder, Round { session, group, number, status, state, payload })?
        }
        Cmd::SaveContextPackage { session, group, kind, path, producer, consumers, priority, summary } => {
            let size_bytes = std::fs::metadata(path).ok().map(|file| file.len());
            let path = &relative(path);
            bazinga::save_package(
                recorder,
                &Package { session, group, kind, path, producer, consumers, priority, summary, size_bytes },
            )?
        }
        Cmd::MarkContextConsumed { id, agent, iteration } => {
            bazinga::consume(recorder, *id, agent, *iteration)?
        }
        Cmd::SaveState { session, kind, group_id, .. } => {
            bazinga::save_state(recorder, session, kind, group_id.as_deref(), &input.text)?
        }
        Cmd::SaveDevelopmentPlan { session, prompt, phases, current, total, metadata, .. } => {
            let (text, current, total, metadata) = (&input.text, *current, *total, metadata.as_deref());
            bazinga::save_plan(recorder, Plan { session, prompt, text, phases, current, total, metadata })?
        }
        Cmd::UpdatePlanProgress { session, phase, status } => {
            bazinga::advance_plan(recorder, session, *phase, status)?
        }
        Cmd::SaveSuccessCriteria { session, .. } => bazinga::save_criteria(recorder, session, &input.text)?,
        Cmd::UpdateSuccessCriterion { session, criterion, status, actual, evidence } => {
            let (status, actual, evidence) = (status.as_deref(), actual.as_deref(), evidence.as_deref());
            bazinga::update_criterion(recorder, session, criterion, status, actual, evidence)?
        }
        Cmd::LogTokens { session, agent, tokens, agent_id } => {
            bazinga::log_tokens(recorder, session, agent, *tokens, agent_id.as_deref())?
        }
        _ => learn(recorder, command)?,
    })
}

/// What is learned for a project, and who took what in.
fn learn(recorder: &mut Recorder, command: &Cmd) -> Result<Answer, Failure> {
    Ok(match command {
        Cmd::SaveErrorPattern { project, error, message, solution, lang, context_hints, stack_pattern } => {
            let (lang, hints, stack) = (lang.as_deref(), context_hints.as_deref(), stack_pattern.as_deref());
            bazinga::save_pattern(
                recorder,
                Pattern { project, error, message, solution, lang, hints, stack },
            )?
        }
        Cmd::UpdateErrorConfidence { hash, project, outcome } => {
            bazinga::rate_pattern(recorder, hash, project, outcome)?
        }
        Cmd::SaveStrategy { project, topic, insight, lang, framework, strategy_id } => {
            let (lang, framework, id) = (lang.as_deref(), framework.as_deref(), strategy_id.as_deref());
            bazinga::save_strategy(recorder, Strategy { project, topic, insight, lang, framework, id })?
        }
        Cmd::UpdateStrategyHelpfulness { strategy, increment } => {
            bazinga::rate_strategy(recorder, strategy, *increment)?
        }
        Cmd::ExtractStrategies { session, group, project, lang, framework } => {
            bazinga::extract(recorder, session, group, project, lang.as_deref(), framework.as_deref())?
        }
        Cmd::CleanupErrorPatterns { project } => bazinga::drop_expired(recorder, project.as_deref())?,
        Cmd::UpdateContextReferences { group, session, packages } => {
            bazinga::set_references(recorder, group, session, packages)?
        }
        Cmd::SaveConsumption { session, group, agent, iteration, package } => {
            let (iteration, package) = (*iteration, *package);
            bazinga::save_consumption(recorder, Consumption { session, group, agent, iteration, package })?
        }
        _ => return Err(Failure::usage("not a command")),
    })
}

/// An answer to what somebody typed, without the secrets in it.
fn discreet(mut answer: Answer) -> Answer {
    fn walk(value: &mut Value) {
        match value {
            Value::String(text) => *text = unsaid(text),
            Value::Array(items) => items.iter_mut().for_each(walk),
            Value::Object(map) => map.values_mut().for_each(walk),
            _ => {}
        }
    }
    answer.said = answer.said.map(|said| unsaid(&said));
    answer.value.iter_mut().for_each(walk);
    answer
}

/// A path below the current folder as it is called from there.
fn relative(path: &str) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let below = std::path::Path::new(path).strip_prefix(&here).ok().and_then(std::path::Path::to_str);
    below.unwrap_or(path).to_owned()
}

fn print(answer: &Answer, quiet: bool, out: &mut Output) -> Result<u8, Failure> {
    if let Some(said) = answer.said.as_ref().filter(|_| answer.yes && !quiet) {
        out.line(&harmless(said))?;
    }
    let text = |value: &Value| serde_json::to_string_pretty(value).map(|text| harmless_json(&text));
    match &answer.value {
        // what is not there is told where errors are told
        Some(value) if !answer.yes && value["success"] == false => {
            eprintln!("{}", text(value).unwrap_or_default());
        }
        Some(value) => out.line(&text(value).unwrap_or_default())?,
        None if !answer.yes => eprintln!("{}", harmless(answer.said.as_deref().unwrap_or_default())),
        None => {}
    }
    Ok(if answer.yes { 0 } else { NO })
}

/// A document as it is; on a terminal without what could lead it astray.
fn document(text: &str, out: &mut Output) -> Result<u8, Failure> {
    if !out.terminal {
        out.line(text)?;
        return Ok(0);
    }
    harmless_lines(text).try_for_each(|line| out.line(&line))?;
    Ok(0)
}

impl From<BazingaError> for Failure {
    fn from(error: BazingaError) -> Self {
        let near = error.near();
        match error {
            BazingaError::Recorder(error) | BazingaError::Team(OrchestrateError::Recorder(error)) => {
                error.into()
            }
            BazingaError::Team(error) => Self::usage(error.to_string()),
            error => {
                let failure = Self::usage(error.to_string());
                match near {
                    Some(near) => failure.hint(format!("did you mean {near}?")),
                    None => failure,
                }
            }
        }
    }
}
