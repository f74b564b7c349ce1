//! Reasoning straight from the journal: the end of the session is read first, and only as far back as the answer
//! needs; what is shown is checked. No index and no second reading. Hot path.
//!
//! A session that is large, damaged or tells things twice is left to the views.

use event::{Event, Line, SessionId};
use journal::{Glance, Stretch};
use memchr::memmem::Finder;
use recorder::Store;

use super::{Entry, Wanted, of};
use crate::error::OrchestrateError;
use crate::house::{member, text_in};

/// How much is looked at, at first and at most.
const WINDOWS_BYTES: [u64; 3] = [128 * 1024, 4 * 1024 * 1024, 64 * 1024 * 1024];
const KIND: &str = "reasoning.recorded";
/// Fewer lines are not worth a second thread.
const SHARE_LINES: usize = 512;
/// About what an entry needs in JSON.
const ENTRY_BYTES: usize = 1024;

/// The newest entries that fit, the newest first; `None` if the views must say.
pub(super) fn newest(
    store: &Store,
    session: &SessionId,
    wanted: &Wanted,
) -> Result<Option<Vec<Entry>>, OrchestrateError> {
    let all = wanted.limit == usize::MAX;
    for window in WINDOWS_BYTES.into_iter().skip(if all { 2 } else { 0 }) {
        let Some(stretch) = store.stretch(session, window)? else { return Ok(None) };
        let Some(lines) = reasoning(&stretch) else { return Ok(None) };
        let Some(found) = entries(store, wanted, &lines)? else { return Ok(None) };
        if stretch.is_whole() || found.len() >= wanted.limit {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// How an entry is written as JSON that no terminal can misread.
#[derive(Clone, Copy)]
pub struct Form<'f> {
    /// From its line, where its parts stand there as they are to be written; `None` where they do not.
    pub line: &'f (dyn Fn(&Line<'_>, &mut String) -> Option<()> + Sync),
    /// From the entry.
    pub entry: &'f (dyn Fn(&Entry) -> String + Sync),
}

/// What stands between two entries.
pub(super) const BETWEEN: &str = ",\n";

/// All entries that fit as JSON, in order, with a comma and a line feed between them. In pieces; `None` if the views
/// must say.
pub(super) fn json(
    store: &Store,
    session: &SessionId,
    wanted: &Wanted,
    form: Form<'_>,
) -> Result<Option<Vec<String>>, OrchestrateError> {
    let Some(stretch) = store.stretch(session, WINDOWS_BYTES[2])? else { return Ok(None) };
    let mut lines = Vec::new();
    let plain = stretch.each(&mut |glance| {
        if glance.kind == KIND {
            lines.push(glance);
        }
    });
    if !plain || !stretch.is_whole() {
        return Ok(None);
    }
    let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let share = lines.len().div_ceil(threads).max(SHARE_LINES);
    let parts = std::thread::scope(|scope| {
        let work = |lines| scope.spawn(move || share_json(store, wanted, lines, form));
        let workers: Vec<_> = lines.chunks(share).map(work).collect();
        let joined = workers.into_iter().map(|w| w.join().unwrap_or_else(|p| std::panic::resume_unwind(p)));
        joined.collect::<Result<Option<Vec<_>>, _>>()
    })?;
    Ok(parts.map(|parts| parts.into_iter().filter(|part| !part.is_empty()).collect()))
}

fn share_json(
    store: &Store,
    wanted: &Wanted,
    lines: &[Glance<'_>],
    form: Form<'_>,
) -> Result<Option<String>, OrchestrateError> {
    let mut out = String::with_capacity(lines.len() * ENTRY_BYTES);
    let names = Names::new();
    for glance in lines {
        if !wanted.may_fit(glance) {
            if names.may_stand_in(glance) {
                return Ok(None);
            }
            continue;
        }
        let Some(line) =
            glance.line().filter(|line| Names::LIST.iter().all(|name| line.field(name).is_none()))
        else {
            return Ok(None);
        };
        if !wanted.takes(&line) {
            continue;
        }
        let before = out.len();
        if before > 0 {
            out.push_str(BETWEEN);
        }
        let start = out.len();
        if (form.line)(&line, &mut out).is_none() {
            out.truncate(start);
            let Some(event) = Event::from_line(&line) else { return Ok(None) };
            out.push_str(&(form.entry)(&entry(store, &event)?));
        }
    }
    Ok(Some(out))
}

/// The parts of an entry's line as JSON has them, none of which a terminal can misread.
#[derive(Debug, Clone, Copy)]
pub struct Parts<'l> {
    line: &'l Line<'l>,
    /// Its text.
    pub text: &'l str,
    /// The caller's own count, or `null`.
    pub attempt: &'l str,
    /// True if secrets were taken out.
    pub redacted: bool,
}

impl<'l> Parts<'l> {
    /// `None` if a part stands in its line in another way.
    pub fn of(line: &'l Line<'l>) -> Option<Self> {
        let attempt = match line.field("attempt") {
            None => "null",
            Some(field) => Some(field.raw).filter(|raw| raw.bytes().all(|b| b.is_ascii_digit()))?,
        };
        let text = match line.members.iter().find(|member| member.name == "text") {
            None => "\"\"",
            Some(member) => Some(member.value).filter(|value| !member.is_erased() && is_plain(value))?,
        };
        let redacted = line.field("redacted").is_some();
        let refers = line.members.iter().any(|member| member.name == "references");
        (!refers).then_some(Self { line, text, attempt, redacted })
    }

    /// A header field, quoted, or `null`.
    pub fn header(&self, name: &str) -> Option<&'l str> {
        match self.line.field(name) {
            None => Some("null"),
            Some(field) => Some(field.raw).filter(|raw| raw.starts_with('"') && !raw.contains('%')),
        }
    }

    /// When it happened, without quotes.
    pub fn at(&self) -> Option<&'l str> {
        match self.header("at")? {
            "null" => Some(self.line.ts),
            at => at.strip_prefix('"')?.strip_suffix('"'),
        }
    }
}

/// The JSON of an entry from its line.
pub(super) fn entry_of(line: &Line<'_>, out: &mut String) -> Option<()> {
    let parts = Parts::of(line)?;
    let (session, seq) = (line.session, line.seq.to_string());
    out.extend([
        "{\"event\":\"",
        session,
        "/",
        &seq,
        "\",\"session\":\"",
        session,
        "\",\"seq\":",
        &seq,
        ",\"group\":",
        parts.header("group")?,
        ",\"agent\":",
        parts.header("agent")?,
        ",\"agent_id\":",
        parts.header("agent_id")?,
        ",\"attempt\":",
        parts.attempt,
        ",\"phase\":",
        parts.header("phase")?,
        ",\"confidence\":",
        parts.header("confidence")?,
        ",\"text\":",
        parts.text,
        ",\"references\":[],\"redacted\":",
        if parts.redacted { "true" } else { "false" },
        ",\"at\":\"",
        parts.at()?,
        "\",\"hash\":\"",
        line.hash,
        "\"}",
    ]);
    Some(())
}

/// A JSON string that no terminal can misread.
fn is_plain(value: &str) -> bool {
    value.starts_with('"') && value.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'))
}

/// Under which others may tell the same: what has none of them is told once.
struct Names([Finder<'static>; 2]);

impl Names {
    const LIST: [&'static str; 2] = ["key", "twin"];

    fn new() -> Self {
        Self([Finder::new(b",\"key\":"), Finder::new(b",\"twin\":")])
    }

    fn may_stand_in(&self, glance: &Glance<'_>) -> bool {
        self.0.iter().any(|name| glance.may_have(name))
    }
}

/// The reasoning in a stretch; `None` if it is not plain, or if some may be told a second time.
fn reasoning(stretch: &Stretch) -> Option<Vec<Glance<'_>>> {
    let names = Names::new();
    let (mut lines, mut once) = (Vec::new(), true);
    let plain = stretch.each(&mut |glance| {
        if glance.kind == KIND {
            once &= !names.may_stand_in(&glance);
            lines.push(glance);
        }
    });
    (plain && once).then_some(lines)
}

/// Entries that fit, the newest first; `None` if a line is not what was written.
fn entries(
    store: &Store,
    wanted: &Wanted,
    lines: &[Glance<'_>],
) -> Result<Option<Vec<Entry>>, OrchestrateError> {
    let mut found = Vec::new();
    for glance in lines.iter().rev().filter(|glance| wanted.may_fit(glance)) {
        if found.len() >= wanted.limit {
            break;
        }
        let Some(line) = glance.line() else { return Ok(None) };
        if wanted.takes(&line) {
            let Some(event) = Event::from_line(&line) else { return Ok(None) };
            found.push(entry(store, &event)?);
        }
    }
    Ok(Some(found))
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

    fn takes(&self, line: &Line<'_>) -> bool {
        let is = |wanted: &Option<String>, name| {
            wanted.is_none() || wanted.as_deref() == line.text(name).as_deref()
        };
        is(&self.group, "group")
            && is(&self.agent, "agent")
            && is(&self.agent_id, "agent_id")
            && is(&self.phase, "phase")
            && line.field("phase").is_some()
    }
}
