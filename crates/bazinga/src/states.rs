//! State snapshots, and rounds of an investigation, which are a state and an event in one line.

use event::Event;
use recorder::{Recorder, Store};
use serde_json::{Value, json};

use crate::Answer;
use crate::error::BazingaError;
use crate::past::{draft, events, named, record};
use crate::words::{STATES, group as check_group, json as parse, one_of, some};

/// What one round is.
#[derive(Debug, Clone, Copy)]
pub struct Round<'a> {
    /// The session.
    pub session: &'a str,
    /// The group.
    pub group: &'a str,
    /// Which round, from 1.
    pub number: u64,
    /// How it stands.
    pub status: &'a str,
    /// The state to go on from, as JSON.
    pub state: &'a str,
    /// What happened, as JSON.
    pub payload: &'a str,
}

pub(crate) const ROUND: &str = "x.investigation_iteration";

/// `save-state`.
pub fn save_state(
    recorder: &mut Recorder,
    session: &str,
    name: &str,
    group: Option<&str>,
    state: &str,
) -> Result<Answer, BazingaError> {
    some("the session id", session)?;
    let name = one_of("the state's type", name, STATES)?;
    group.map(check_group).transpose()?;
    let draft = draft(session, "state.changed").with("what", format!("state/{name}")).with("group", group);
    record(recorder, draft.data("body", parse("the state", state)?))?;
    Ok(Answer::done(format!("✓ Saved {name} state")))
}

/// `get-state`: the latest, or null.
pub fn state(store: &Store, session: &str, name: &str, group: Option<&str>) -> Result<Answer, BazingaError> {
    let name = one_of("the state's type", name, STATES)?;
    let what = format!("state/{name}");
    let is =
        |event: &Event| event.text("what") == Some(&what) || (event.kind == ROUND && name == "investigation");
    let mut found = events(store, session, &["state.changed", ROUND])?;
    found.retain(|event| is(event) && group.is_none_or(|group| event.text("group") == Some(group)));
    let latest = found.pop().and_then(|mut event| {
        let member = if event.kind == ROUND { "state" } else { "body" };
        event.data.map_mut().remove(member)
    });
    Ok(Answer::of(latest.unwrap_or(Value::Null)))
}

/// `save-investigation-iteration`: both or neither, and each round once.
pub fn save_round(recorder: &mut Recorder, round: Round<'_>) -> Result<Answer, BazingaError> {
    let Round { session, group, number, status, .. } = round;
    some("the session id", session)?;
    check_group(group)?;
    some("the status", status)?;
    let (state, payload) = (parse("--state-file", round.state)?, parse("--event-file", round.payload)?);
    let (event, known) = if let Some(event) = known_round(&recorder.store(), round)? {
        (event, true)
    } else {
        let draft = draft(session, ROUND).with("group", group).key(format!("{ROUND}.{group}.{number}"));
        let draft = draft.data("state", state).data("body", payload).data("status", status);
        (record(recorder, draft.data("iteration", number))?, false)
    };
    let answer = json!({
        "success": true, "atomic": true, "state_saved": !known, "event_saved": !known,
        "event_id": event.seq, "iteration": number, "idempotent": known,
    });
    Ok(Answer::of(answer).saying(format!("✓ Saved investigation iteration {number} of {group}")))
}

fn known_round(store: &Store, round: Round<'_>) -> Result<Option<Event>, BazingaError> {
    if named(store, round.session)?.is_none() {
        return Ok(None);
    }
    let same = |event: &Event| {
        event.text("group") == Some(round.group)
            && event.data.get("iteration").and_then(Value::as_u64) == Some(round.number)
    };
    Ok(events(store, round.session, &[ROUND])?.into_iter().find(same))
}
