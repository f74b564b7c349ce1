//! Reasoning straight from the journal: the end of the session is read first, and only as far back as the answer
//! needs; what is shown is checked. No index and no second reading.
//!
//! A session that is large, damaged or tells things twice is left to the views.

use event::{Event, SessionId};
use journal::{Glance, Stretch};
use memchr::memmem::Finder;
use recorder::Store;

use super::{Entry, Wanted, of};
use crate::error::OrchestrateError;
use crate::house::{header, member, text_in};

/// How much is looked at, at first and at most.
const WINDOWS_BYTES: [u64; 3] = [128 * 1024, 4 * 1024 * 1024, 64 * 1024 * 1024];
/// Fewer lines are not worth a second thread.
const SHARE_LINES: usize = 512;

/// The newest entries that fit, the newest first; `None` if the views must say.
pub(super) fn newest(
    store: &Store,
    session: &SessionId,
    wanted: &Wanted,
) -> Result<Option<Vec<Entry>>, OrchestrateError> {
    let all = wanted.limit == usize::MAX;
    for window in WINDOWS_BYTES.into_iter().skip(if all { 2 } else { 0 }) {
        let Some(stretch) = store.journal().stretch(session, window)? else { return Ok(None) };
        let Some(lines) = reasoning(&stretch) else { return Ok(None) };
        let Some(found) = checked(store, session, wanted, &lines)? else { return Ok(None) };
        if stretch.is_whole() || found.len() >= wanted.limit {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The reasoning in a stretch; `None` if it is not plain, or if some may be told a second time.
fn reasoning(stretch: &Stretch) -> Option<Vec<Glance<'_>>> {
    let key = Finder::new(b",\"key\":");
    let (mut lines, mut once) = (Vec::new(), true);
    let plain = stretch.each(&mut |glance| {
        if glance.kind == "reasoning.recorded" {
            once &= !glance.may_have(&key);
            lines.push(glance);
        }
    });
    (plain && once).then_some(lines)
}

/// Entries that fit, the newest first; `None` if a line is not what was written.
fn checked(
    store: &Store,
    session: &SessionId,
    wanted: &Wanted,
    lines: &[Glance<'_>],
) -> Result<Option<Vec<Entry>>, OrchestrateError> {
    let read = |lines: &[Glance<'_>]| -> Result<Option<Vec<Entry>>, OrchestrateError> {
        let mut found = Vec::new();
        for glance in lines.iter().rev() {
            if found.len() >= wanted.limit {
                break;
            }
            if !wanted.may_fit(glance) {
                continue;
            }
            let Ok(event) = glance.event(session) else { return Ok(None) };
            if wanted.takes(&event) {
                found.push(entry(store, &event)?);
            }
        }
        Ok(Some(found))
    };
    if wanted.limit != usize::MAX || lines.len() < 2 * SHARE_LINES {
        return read(lines);
    }
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let shares = lines.chunks(lines.len().div_ceil(threads));
    let parts = std::thread::scope(|scope| {
        let workers: Vec<_> = shares.map(|share| scope.spawn(|| read(share))).collect();
        let joined =
            workers.into_iter().rev().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
        joined.collect::<Result<Option<Vec<_>>, _>>()
    })?;
    Ok(parts.map(|parts| parts.into_iter().flatten().collect()))
}

fn entry(store: &Store, event: &Event) -> Result<Entry, OrchestrateError> {
    let text = text_in(store, event)?;
    let references = member(store, event, "references")?;
    Ok(of(event, text, references.as_ref()))
}

impl Wanted {
    /// False if the line's header cannot have what is wanted.
    fn may_fit(&self, glance: &Glance<'_>) -> bool {
        let fields = [("group", &self.group), ("agent", &self.agent), ("phase", &self.phase)];
        fields.into_iter().filter_map(|(name, value)| Some((name, value.as_ref()?))).all(|(name, value)| {
            // what headers write in another way is looked at whole
            let plain = value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
            !plain || glance.may_have(&Finder::new(&format!(",\"{name}\":\"{value}\"")))
        })
    }

    fn takes(&self, event: &Event) -> bool {
        let is = |wanted: &Option<String>, name| wanted.is_none() || *wanted == header(event, name);
        is(&self.group, "group")
            && is(&self.agent, "agent")
            && is(&self.agent_id, "agent_id")
            && is(&self.phase, "phase")
            && event.text("phase").is_some()
    }
}
