//! Digests: what an agent is told of the reasoning before it, under a budget of tokens.
//!
//! A digest is a function of the journal up to a sequence, of its parameters, and of nothing else. It is
//! recorded as assembled; when the prompt of a spawned agent holds it, as delivered. An answer that was made
//! before is given again as long as nothing that it rests on has happened since.

mod assemble;
mod budget;
mod deliver;
mod kept;
mod matrix;
mod tokens;

use event::{Draft, Kind, Origin};
use recorder::{Recorder, Store};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use budget::{Component, Plan, Share, plan};
pub use deliver::{
    Delivery, NewSpawn, Spawned, Undelivered, deliver, deliveries, ids_in, spawn, undelivered,
};
pub use matrix::{Matrix, Source};
pub use tokens::Tokenizer;

use crate::error::OrchestrateError;
use crate::house::Asked;
use crate::told::record;
use crate::words;

/// What is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// The session.
    pub session: String,
    /// The group.
    pub group: String,
    /// The role that it is for.
    pub role: String,
    /// The most tokens of all of it.
    pub budget_tokens: u64,
    /// The most characters of one entry.
    pub per_phase_chars: usize,
    /// The most entries.
    pub limit: usize,
    /// Only what was recorded up to this sequence.
    pub upto: Option<u64>,
    /// Who counts.
    pub tokenizer: Tokenizer,
    /// Who is told what of whom.
    pub matrix: Matrix,
}

impl Request {
    /// The usual: 1200 tokens, 400 characters an entry, 3 entries.
    pub fn new(session: &str, group: &str, role: &str) -> Self {
        Self {
            session: session.to_owned(),
            group: group.to_owned(),
            role: words::role_name(role).to_owned(),
            budget_tokens: 1200,
            per_phase_chars: 400,
            limit: 3,
            upto: None,
            tokenizer: Tokenizer::O200k,
            matrix: Matrix::default(),
        }
    }
}

/// An entry that is in a digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// `session/sequence`.
    pub event: String,
    /// The role that said it.
    pub agent: String,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// The phase.
    pub phase: String,
    /// Characters that it has.
    pub chars: u64,
    /// Characters that are shown.
    pub kept_chars: u64,
}

/// Entries that are not in a digest, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// The newest of them.
    pub event: String,
    /// The role that said it.
    pub agent: String,
    /// The phase.
    pub phase: String,
    /// How many there are.
    pub count: u64,
    /// Why.
    pub why: String,
}

/// A digest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// 12 hex digits of a hash over its inputs; they stand in its text.
    pub id: String,
    /// The session, by its id in the store.
    pub session: String,
    /// The group.
    pub group: String,
    /// The role that it is for.
    pub role: String,
    /// Markdown.
    pub text: String,
    /// Tokens of the text.
    pub tokens: u64,
    /// The most that were allowed.
    pub budget_tokens: u64,
    /// Who counted.
    pub tokenizer: String,
    /// What is in it, in order.
    pub parts: Vec<Part>,
    /// What is not, and why.
    pub left_out: Vec<LeftOut>,
    /// The last sequence that was looked at.
    pub upto: u64,
    /// The event that says it was assembled.
    pub assembled: Option<String>,
}

/// A digest, and whether it was made anew.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Answer {
    /// True if it had been made before and still holds.
    pub cached: bool,
    /// The digest.
    #[serde(flatten)]
    pub digest: Digest,
}

/// A digest without a record of it.
pub fn preview(store: &Store, request: &Request) -> Result<Answer, OrchestrateError> {
    check(request)?;
    let session = store.session(&request.session)?;
    let key = kept::key(&session, request);
    if let Some(digest) = kept::still_holds(store, &session, &key, request)? {
        return Ok(Answer { cached: true, digest });
    }
    let mut asked = Asked::about(store, session.as_str(), &["reasoning"])?;
    let digest = assemble::assemble(&mut asked, request)?;
    kept::keep(store, &key, asked.views.place(&session)?, &digest);
    Ok(Answer { cached: false, digest })
}

/// A digest, recorded as assembled unless that stands there already.
pub fn digest(recorder: &mut Recorder, request: &Request) -> Result<Answer, OrchestrateError> {
    let store = recorder.store();
    let mut answer = preview(&store, request)?;
    if answer.digest.assembled.is_none() {
        let (saved, _) = record(recorder, assembled(&answer.digest))?;
        answer.digest.assembled = Some(saved.event);
        let session = store.session(&request.session)?;
        kept::note(&store, &kept::key(&session, request), &answer.digest);
    }
    Ok(answer)
}

fn check(request: &Request) -> Result<(), OrchestrateError> {
    words::group(&request.group)?;
    request.matrix.sources(&request.role).map(drop)
}

fn assembled(digest: &Digest) -> Draft {
    let mut from: Vec<&str> = digest.parts.iter().map(|part| part.agent.as_str()).collect();
    from.sort_unstable();
    from.dedup();
    let mut phases: Vec<&str> = digest.parts.iter().map(|part| part.phase.as_str()).collect();
    phases.sort_unstable();
    phases.dedup();
    let cut = !digest.left_out.is_empty() || digest.parts.iter().any(|part| part.kept_chars < part.chars);
    facts(&digest.session, "digest.assembled", digest, cut)
        .with("from", from.join(","))
        .with("phases", phases)
        .data("text", digest.text.clone())
        .data("inputs", json!(digest.parts))
        .data("left_out", json!(digest.left_out))
        .data("made_by", json!({"tokenizer": digest.tokenizer, "upto": digest.upto}))
        .data("digest", digest.id.clone())
}

fn facts(session: &str, kind: &'static str, digest: &Digest, cut: bool) -> Draft {
    let header = [
        ("group", Value::from(digest.group.clone())),
        ("to", digest.role.clone().into()),
        ("budget", digest.budget_tokens.into()),
        ("tokens", digest.tokens.into()),
        ("cut", cut.into()),
    ];
    let mut draft = Draft::new(session, Kind::of(kind), Origin::Observed);
    draft.header = header.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>();
    draft
}
