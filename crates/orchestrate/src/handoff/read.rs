//! Reading handoffs: the newest of a role, whole, and who has read which when.

use event::{Draft, Event, Kind, Origin};
use recorder::{Recorder, Row, Store};
use serde::Serialize;
use serde_json::Value;

use crate::error::OrchestrateError;
use crate::house::{Asked, header};
use crate::reasoning::strings;
use crate::told::{Saved, record};
use crate::words;

/// One handoff.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Handoff {
    /// `session/sequence`.
    pub event: String,
    /// Its place in the session.
    pub seq: u64,
    /// The group.
    pub group: Option<String>,
    /// Who hands over.
    pub from: String,
    /// Which agent of that role.
    pub agent_id: Option<String>,
    /// To whom.
    pub to: Option<String>,
    /// How it ended.
    pub status: String,
    /// Up to three lines.
    pub summary: Vec<String>,
    /// When.
    pub at: String,
    /// The n-th handoff of this role in this group.
    pub version: u64,
    /// What was handed over, whole.
    pub body: Value,
}

/// Handoffs of a session or group, in the order of the journal.
pub fn get(store: &Store, session: &str, group: Option<&str>) -> Result<Vec<Handoff>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["handoff"])?;
    of_group(&mut asked, group)
}

pub(crate) fn of_group(asked: &mut Asked<'_>, group: Option<&str>) -> Result<Vec<Handoff>, OrchestrateError> {
    let rows = asked.rows("handoff", group)?;
    let mut handoffs: Vec<Handoff> = Vec::new();
    for row in rows.iter().filter(|row| row.kind == "handoff.made") {
        let event = asked.event(row)?;
        let same = |known: &&Handoff| known.group == row.group && Some(&known.from) == row.detail.as_ref();
        let version = handoffs.iter().filter(same).count() as u64 + 1;
        handoffs.push(told(asked, &event, version)?);
    }
    Ok(handoffs)
}

fn told(asked: &Asked<'_>, event: &Event, version: u64) -> Result<Handoff, OrchestrateError> {
    Ok(Handoff {
        event: event.name(),
        seq: event.seq,
        group: header(event, "group"),
        from: header(event, "from").or_else(|| header(event, "agent")).unwrap_or_default(),
        agent_id: header(event, "agent_id"),
        to: header(event, "to"),
        status: header(event, "status").unwrap_or_default(),
        summary: strings(asked.member(event, "summary")?.as_ref()),
        at: event.time().to_owned(),
        version,
        body: asked.member(event, "body")?.unwrap_or(Value::Null),
    })
}

/// The newest handoff of a role in a group; any role's without one.
pub fn latest(
    store: &Store,
    session: &str,
    group: &str,
    from: Option<&str>,
) -> Result<Option<Handoff>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["handoff"])?;
    let from = from.map(words::role_name);
    let rows = asked.rows("handoff", Some(group))?;
    let fits = |row: &&Row| {
        row.kind == "handoff.made" && from.is_none_or(|from| row.detail.as_deref() == Some(from))
    };
    let Some(row) = rows.iter().rev().find(fits) else { return Ok(None) };
    let same =
        |other: &&Row| other.kind == "handoff.made" && other.detail == row.detail && other.seq <= row.seq;
    let version = rows.iter().filter(same).count() as u64;
    let event = asked.event(row)?;
    told(&asked, &event, version).map(Some)
}

/// The newest handoff for somebody, with a receipt that he has read it.
pub fn read(
    recorder: &mut Recorder,
    session: &str,
    group: &str,
    from: Option<&str>,
    by: &str,
) -> Result<(Handoff, Saved), OrchestrateError> {
    words::agent(by)?;
    let found = latest(&recorder.store(), session, group, from)?;
    let whose = from.map_or_else(String::new, |from| format!(" of {}", words::role_name(from)));
    let handoff = found
        .ok_or_else(|| OrchestrateError::Nothing { what: format!("handoff{whose} in {session} {group}") })?;
    let by = words::role_name(by);
    let draft = Draft::new(session, Kind::of("handoff.read"), Origin::Claimed)
        .with("group", group)
        .with("agent", by)
        .with("by", by)
        .with("cause", handoff.seq);
    let (saved, _) = record(recorder, draft)?;
    Ok((handoff, saved))
}

/// A handoff that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The handoff.
    pub handoff: u64,
    /// The event that shows it: a receipt, or the call of a tool.
    pub event: String,
    /// By whom.
    pub by: String,
    /// When.
    pub at: String,
    /// Microseconds after the handoff.
    pub after_us: i64,
}

/// Who has read which handoff of a session: by receipts, and by calls of tools that name its file.
pub fn receipts(store: &Store, session: &str) -> Result<Vec<Receipt>, OrchestrateError> {
    let mut asked = Asked::about(store, session, &["handoff", "skill"])?;
    receipts_of(&mut asked)
}

pub(crate) fn receipts_of(asked: &mut Asked<'_>) -> Result<Vec<Receipt>, OrchestrateError> {
    let rows = asked.rows("handoff", None)?;
    let made: Vec<Row> = rows.iter().filter(|row| row.kind == "handoff.made").cloned().collect();
    let mut receipts = Vec::new();
    for row in rows.iter().filter(|row| row.kind == "handoff.read") {
        let event = asked.event(row)?;
        let cause = event.header.get("cause").and_then(Value::as_u64);
        let handoff = match cause {
            Some(seq) => made.iter().find(|made| made.seq == seq),
            None => made.iter().rev().find(|made| made.seq < row.seq && made.group == row.group),
        };
        let by = row.detail.clone().or_else(|| row.agent.clone()).unwrap_or_default();
        receipts.extend(handoff.map(|handoff| receipt(handoff, row, by)));
    }
    let Some(first) = made.first() else { return Ok(receipts) };
    for (row, text) in calls_that_name_handoffs(asked, first.seq)? {
        let by = row.agent.clone().unwrap_or_default();
        let named = |made: &&Row| made.seq < row.seq && made.agent != row.agent && names(&text, made);
        if let Some(handoff) = made.iter().rev().find(named)
            && !receipts.iter().any(|known: &Receipt| known.handoff == handoff.seq && known.by == by)
        {
            receipts.push(receipt(handoff, &row, by));
        }
    }
    receipts.sort_by_key(|receipt| receipt.handoff);
    Ok(receipts)
}

fn receipt(handoff: &Row, row: &Row, by: String) -> Receipt {
    let event = format!("{}/{}", row.session, row.seq);
    let at = world::rfc3339(row.time);
    Receipt { handoff: handoff.seq, event, by, at, after_us: row.time.saturating_sub(handoff.time) }
}

/// Calls of tools after the first handoff whose input names a handoff file.
fn calls_that_name_handoffs(
    asked: &mut Asked<'_>,
    after: u64,
) -> Result<Vec<(Row, String)>, OrchestrateError> {
    let mut calls = Vec::new();
    asked.views.newest(&asked.session, &mut |row| {
        let ended = row.seq <= after;
        if row.kind == "skill.invoked" && !ended {
            calls.push(row);
        }
        if ended { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
    })?;
    let mut named = Vec::new();
    for row in calls.into_iter().rev() {
        let event = asked.event(&row)?;
        let input = event.data.get("input").map(ToString::to_string).unwrap_or_default();
        if input.contains("handoff") {
            named.push((row, input));
        }
    }
    Ok(named)
}

/// True if a call's input names the file of a handoff, in either layout.
fn names(text: &str, made: &Row) -> bool {
    let (Some(group), Some(from)) = (&made.group, &made.detail) else { return false };
    let own = |name: &str| {
        (text.contains(&format!("handoff_{name}.")) && text.contains(&format!("/{group}/")))
            || text.contains(&format!("/{group}_{name}.json"))
    };
    match words::role(from) {
        Some(role) => role.names().any(own),
        None => own(from),
    }
}

/// A handoff that nobody has read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unread {
    /// `session/sequence`.
    pub event: String,
    /// Its place in the session.
    pub seq: u64,
    /// The group.
    pub group: Option<String>,
    /// Who handed over.
    pub from: String,
    /// To whom.
    pub to: Option<String>,
    /// How it ended.
    pub status: String,
    /// True if the receiver has worked since; false if it has not come yet.
    pub receiver_active: bool,
}

/// Handoffs of a session that nobody has read. One that ends the work, or that a later one of the same role
/// replaced, owes no reader.
pub fn unread(store: &Store, session: &str) -> Result<Vec<Unread>, OrchestrateError> {
    let mut asked = Asked::new(store, session)?;
    let receipts = receipts_of(&mut asked)?;
    let made = asked.rows("handoff", None)?;
    let made: Vec<&Row> = made.iter().filter(|row| row.kind == "handoff.made").collect();
    let mut found = Vec::new();
    for (at, row) in made.iter().enumerate() {
        let ends = matches!(row.to.as_deref(), Some("end" | "user"));
        let replaced =
            made[at + 1..].iter().any(|later| later.detail == row.detail && later.group == row.group);
        if ends || replaced || receipts.iter().any(|receipt| receipt.handoff == row.seq) {
            continue;
        }
        found.push(Unread {
            event: format!("{}/{}", row.session, row.seq),
            seq: row.seq,
            group: row.group.clone(),
            from: row.detail.clone().unwrap_or_default(),
            to: row.to.clone(),
            status: row.status.clone().unwrap_or_default(),
            receiver_active: worked_since(&asked, row)?,
        });
    }
    Ok(found)
}

/// True if the receiver of a handoff has done something since.
fn worked_since(asked: &Asked<'_>, handoff: &Row) -> Result<bool, OrchestrateError> {
    let Some(to) = handoff.to.as_deref() else { return Ok(true) };
    let mut worked = false;
    asked.views.newest(&asked.session, &mut |row| {
        let here = row.group == handoff.group || row.group.is_none();
        worked = row.seq > handoff.seq && row.agent.as_deref() == Some(to) && here;
        if worked || row.seq <= handoff.seq {
            std::ops::ControlFlow::Break(())
        } else {
            std::ops::ControlFlow::Continue(())
        }
    })?;
    Ok(worked)
}
