//! Steps: events in the order of the journal, each told once, as far as an order of events needs to know them.

use std::sync::Arc;

use event::{Event, EventRef, Line, SessionId};
use journal::{Entry, Finding, Journal, JournalError, Names, Pointer, Sameness, compare};

use crate::fetch::Fetcher;
use crate::maps::{HashMap, HashSet};
use crate::row::{Block, Word};

/// How an event points at another of its session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reference<'a> {
    /// A sequence.
    Seq(u64),
    /// A key that had not been seen when the event was recorded.
    Key(&'a str),
}

/// One event as a timeline has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    body: Body,
    seq: u64,
    /// When it is told to have happened, where the event itself does not say.
    time: Option<String>,
    /// True if an earlier event has its key and other content.
    pub conflict: bool,
    /// True if a later version of it stands in the session.
    pub superseded: bool,
    /// Where its line stands.
    pub pointer: Pointer,
}

/// What is known of the event.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Body {
    /// Itself; where only its header was read, it has no payload.
    Event(Box<Event>),
    /// A row of a block.
    Row(Arc<Block>, usize),
}

impl Step {
    pub(crate) fn of(line: &Line<'_>, pointer: Pointer) -> Option<Self> {
        Some(Self::new(Event::from_line(line)?, pointer))
    }

    pub(crate) fn new(event: Event, pointer: Pointer) -> Self {
        Self::with(event.seq, Body::Event(Box::new(event)), pointer)
    }

    /// The steps of a block's rows.
    pub(crate) fn of_rows(block: &Arc<Block>) -> Vec<Self> {
        (0..block.len()).map(|at| Self::of_row(block, at)).collect()
    }

    /// The steps of some rows: which, and whether they are conflicts or superseded.
    pub(crate) fn of_told(block: &Arc<Block>, told: &[(usize, bool, bool)]) -> Vec<Self> {
        let step = |(at, conflict, superseded): &(usize, bool, bool)| Self {
            conflict: *conflict,
            superseded: *superseded,
            ..Self::of_row(block, *at)
        };
        told.iter().map(step).collect()
    }

    fn of_row(block: &Arc<Block>, at: usize) -> Self {
        Self::with(block.seq(at), Body::Row(Arc::clone(block), at), block.pointer(at))
    }

    /// Which row of its block it is.
    pub(crate) fn at(&self) -> Option<usize> {
        match self.body {
            Body::Event(_) => None,
            Body::Row(_, at) => Some(at),
        }
    }

    fn with(seq: u64, body: Body, pointer: Pointer) -> Self {
        Self { body, seq, time: None, conflict: false, superseded: false, pointer }
    }

    /// The event, if it was read.
    pub(crate) fn into_event(self) -> Option<Event> {
        match self.body {
            Body::Event(event) => Some(*event),
            Body::Row(..) => None,
        }
    }

    /// The event, if it was read.
    pub(crate) fn event(&self) -> Option<&Event> {
        match &self.body {
            Body::Event(event) => Some(event),
            Body::Row(..) => None,
        }
    }

    /// True if the event was read, and is no row.
    pub(crate) fn is_read(&self) -> bool {
        self.event().is_some()
    }

    fn text(&self, word: Word, name: &str) -> Option<&str> {
        match &self.body {
            Body::Event(event) => event.text(name),
            Body::Row(block, at) => block.word(*at, word),
        }
    }

    /// What a row says of it; nothing where there is none.
    pub(crate) fn row(&self, word: Word) -> Option<&str> {
        match &self.body {
            Body::Event(_) => None,
            Body::Row(block, at) => block.word(*at, word),
        }
    }

    fn number(&self, word: Word, name: &str) -> Option<u64> {
        match &self.body {
            Body::Event(event) => event.header.number(name),
            Body::Row(block, at) => block.word(*at, word)?.parse().ok(),
        }
    }

    /// Its place in the session.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// What happened.
    pub fn kind(&self) -> &str {
        match &self.body {
            Body::Event(event) => event.kind.as_str(),
            Body::Row(block, at) => block.word(*at, Word::Kind).unwrap_or_default(),
        }
    }

    /// When it happened, as far as anybody says: what the order goes by.
    pub(crate) fn time(&self) -> &str {
        self.time.as_deref().unwrap_or_else(|| self.said())
    }

    /// When it happened, as the event itself says.
    pub(crate) fn said(&self) -> &str {
        let ts = || match &self.body {
            Body::Event(event) => &event.ts,
            Body::Row(block, at) => block.word(*at, Word::Ts).unwrap_or_default(),
        };
        self.text(Word::At, "at").unwrap_or_else(ts)
    }

    /// The group.
    pub fn group(&self) -> Option<&str> {
        self.text(Word::Group, "group")
    }

    /// Role of the agent.
    pub fn agent(&self) -> Option<&str> {
        self.text(Word::Agent, "agent")
    }

    /// Which agent; where absent, the role stands for it.
    pub fn agent_id(&self) -> Option<&str> {
        self.text(Word::AgentId, "agent_id")
    }

    /// Who acts: the agent id, else the role, else nobody.
    pub fn actor(&self) -> &str {
        self.agent_id().or_else(|| self.agent()).unwrap_or_default()
    }

    /// True if a name means its agent: the role or the id.
    pub fn is_of(&self, agent: &str) -> bool {
        self.agent() == Some(agent) || self.agent_id() == Some(agent)
    }

    /// The earlier version of the same thing, where a tool rewrites what it wrote.
    pub fn supersedes(&self) -> Option<u64> {
        self.number(Word::Supersedes, "supersedes")
    }

    /// The call that it belongs to.
    pub(crate) fn call(&self) -> Option<&str> {
        self.text(Word::Call, "call")
    }

    pub(crate) fn key(&self) -> Option<&str> {
        self.text(Word::Key, "key")
    }

    /// The event before it in its agent's line of thought.
    pub(crate) fn parent(&self) -> Option<Reference<'_>> {
        self.reference(Word::ParentSeq, Word::Parent, "parent")
    }

    /// What it answers.
    pub(crate) fn cause(&self) -> Option<Reference<'_>> {
        self.reference(Word::CauseSeq, Word::Cause, "cause")
    }

    /// The record that told it: the source's id and the line.
    pub(crate) fn source(&self) -> Option<(&str, u64)> {
        match &self.body {
            Body::Event(event) => source(event),
            Body::Row(block, at) => {
                Some((block.word(*at, Word::SourceId)?, self.number(Word::SourceLine, "")?))
            }
        }
    }

    /// `session.linked`: whose past this session shares.
    pub(crate) fn target(&self) -> Option<EventRef> {
        let named = match &self.body {
            Body::Event(event) => target(event),
            Body::Row(block, at) => block.word(*at, Word::Target),
        };
        EventRef::parse(named?).ok()
    }

    fn reference(&self, seq: Word, key: Word, name: &str) -> Option<Reference<'_>> {
        if let Some(seq) = self.number(seq, name) {
            return Some(Reference::Seq(seq));
        }
        // what has a `#` is an event of another session
        self.text(key, name).filter(|text| !text.contains('#')).map(Reference::Key)
    }

    /// What others who tell it call it.
    fn names(&self) -> Names {
        let text = |word, name| self.text(word, name).map(str::to_owned);
        let (key, twin) = (text(Word::Key, "key"), text(Word::Twin, "twin"));
        Names::new(key, twin, text(Word::Origin, "origin"))
    }

    /// True if its source says when it happened.
    fn is_dated(&self) -> bool {
        match &self.body {
            Body::Event(event) => event.header.contains_key("at"),
            Body::Row(block, at) => block.word(*at, Word::At).is_some(),
        }
    }

    /// True for what may have to yield to a twin: a hook's words, a stream's, a gap.
    fn may_yield(&self) -> bool {
        let marked = |(_, id): (&str, &str)| id.starts_with("stream:") || id.starts_with("gap:");
        self.is_seen() || self.key().and_then(|key| key.split_once(':')).is_some_and(marked)
    }

    /// True for what a hook saw.
    fn is_seen(&self) -> bool {
        self.text(Word::Origin, "origin") == Some("observed")
    }
}

/// The record that told an event: the source's id and the line.
pub(crate) fn source(event: &Event) -> Option<(&str, u64)> {
    if let Some(source) = event.header.raw("src").and_then(plain_source) {
        return Some(source);
    }
    let source = event.header.get("src")?;
    Some((source.get("id")?.as_str()?, source.get("line")?.as_u64()?))
}

/// What `session.linked` names.
pub(crate) fn target(event: &Event) -> Option<&str> {
    event.text("target").filter(|_| event.kind == "session.linked")
}

/// What stands in `{"id":"…","line":…}`, which is how headers have it.
fn plain_source(raw: &str) -> Option<(&str, u64)> {
    let (id, line) = raw.strip_prefix("{\"id\":\"")?.split_once("\",\"line\":")?;
    let line = line.strip_suffix('}')?.parse().ok()?;
    (!id.contains(['%', '"'])).then_some((id, line))
}

/// The steps of a session, and what was left out on the way.
#[derive(Debug, Default)]
pub(crate) struct Steps {
    pub(crate) told: Vec<Step>,
    /// Events told again under a known key.
    pub(crate) duplicates: u64,
    /// Damaged lines passed over: the answer is then not complete.
    pub(crate) damaged: u64,
}

/// Reads the steps of a session in journal order, each told once; with `whole`, all that its events say.
pub(crate) fn steps(journal: &Journal, session: &SessionId, whole: bool) -> Result<Steps, JournalError> {
    let step = |line: Result<Entry<'_>, Finding>| {
        Some(line.ok().and_then(|entry| Step::of(&entry.line, entry.pointer)))
    };
    let lines = if whole { journal.each_line(session, &step)? } else { journal.each_head(session, &step)? };
    let count = lines.len();
    let told: Vec<Step> = lines.into_iter().flatten().collect();
    let damaged = (count - told.len()) as u64;
    told_once(journal, session, told, damaged)
}

/// Of steps in journal order those that are told.
pub(crate) fn told_once(
    journal: &Journal,
    session: &SessionId,
    mut told: Vec<Step>,
    damaged: u64,
) -> Result<Steps, JournalError> {
    let mut repeats = repeats(journal, session, &told)?.into_iter();
    let (mut duplicates, mut damaged) = (0, damaged);
    told.retain_mut(|step| {
        let repeat = repeats.next().unwrap_or(Repeat::None);
        step.conflict = repeat == Repeat::Of(Sameness::Conflict) && step.supersedes().is_none();
        duplicates += u64::from(repeat == Repeat::Of(Sameness::Duplicate));
        damaged += u64::from(repeat == Repeat::Damaged);
        matches!(repeat, Repeat::None | Repeat::Of(Sameness::Conflict))
    });
    let mut found = Steps { told, duplicates, damaged };
    leave_out_twins(&mut found);
    mark_superseded(&mut found.told);
    place_hooks(&mut found.told);
    place_our_own(&mut found.told);
    Ok(found)
}

/// How a step relates to earlier ones with its key.
#[derive(Clone, Copy, PartialEq)]
enum Repeat {
    /// There are none.
    None,
    Of(Sameness),
    /// What it says cannot be read.
    Damaged,
}

fn repeats(journal: &Journal, session: &SessionId, steps: &[Step]) -> Result<Vec<Repeat>, JournalError> {
    let mut fetcher = Fetcher::new(journal);
    // the first with a key, and the others that are told
    let mut keys: HashMap<&str, (usize, Vec<usize>)> =
        HashMap::with_capacity_and_hasher(steps.len(), <_>::default());
    let mut found = vec![Repeat::None; steps.len()];
    for (at, step) in steps.iter().enumerate() {
        let Some(key) = step.key() else { continue };
        let Some((first, others)) = keys.get_mut(key) else {
            keys.insert(key, (at, Vec::new()));
            continue;
        };
        let Some(later) = fetcher.undamaged(session, &step.pointer)? else {
            found[at] = Repeat::Damaged;
            continue;
        };
        for earlier in std::iter::once(&*first).chain(&*others) {
            let Some(event) = fetcher.undamaged(session, &steps[*earlier].pointer)? else { continue };
            found[at] = Repeat::Of(compare((&event).into(), (&later).into()));
            if found[at] == Repeat::Of(Sameness::Duplicate) {
                break;
            }
        }
        if found[at] != Repeat::Of(Sameness::Duplicate) {
            others.push(at);
        }
    }
    Ok(found)
}

/// A version counts as replaced only by one under its own key: nobody can put an event of their own in the
/// place of another's.
fn mark_superseded(steps: &mut [Step]) {
    let later = steps.iter().filter_map(|step| Some((step.supersedes()?, step.key()?.to_owned())));
    let later: HashSet<(u64, String)> = later.collect();
    if later.is_empty() {
        return;
    }
    for step in steps {
        step.superseded = step.key().is_some_and(|key| later.contains(&(step.seq(), key.to_owned())));
    }
}

/// Of what a hook saw, a tool streamed and a transcript tells, the transcript's is told; of a torn record, the whole
/// one.
fn leave_out_twins(found: &mut Steps) {
    // most sessions have one teller, and nobody to make names for
    if !found.told.iter().any(Step::may_yield) {
        return;
    }
    let names: Vec<Names> = found.told.iter().map(Step::names).collect();
    let mut told_by: HashMap<String, Vec<&Names>> = HashMap::default();
    for names in &names {
        names.others().into_iter().for_each(|name| told_by.entry(name).or_default().push(names));
    }
    let told_better = |names: &Names| {
        let mut tellers = names.own().into_iter().filter_map(|name| told_by.get(&name)).flatten();
        names.may_yield() && tellers.any(|other| names.yields_to(other))
    };
    let mut left_out = names.iter().map(told_better);
    let before = found.told.len();
    found.told.retain(|_| !left_out.next().unwrap_or(false));
    found.duplicates += (before - found.told.len()) as u64;
}

/// What hooks saw stands among what a transcript tells by when it happened: a transcript that was taken in later
/// stands behind all of it in the journal.
fn place_hooks(told: &mut Vec<Step>) {
    let of_hook = |step: &Step| step.is_seen() && !step.is_dated() && !is_our_own(step.kind());
    if !told.iter().any(of_hook) || !told.iter().any(Step::is_dated) {
        return;
    }
    let (mut hooks, others): (Vec<Step>, Vec<Step>) = std::mem::take(told).into_iter().partition(of_hook);
    hooks.sort_by(|a, b| a.time().cmp(b.time()));
    let (mut hooks, mut now) = (hooks.into_iter().peekable(), String::new());
    for step in others {
        if step.is_dated() && step.time() > now.as_str() {
            step.time().clone_into(&mut now);
        }
        while let Some(hook) = hooks.next_if(|hook| hook.time() < now.as_str()) {
            told.push(hook);
        }
        told.push(step);
    }
    told.extend(hooks);
}

/// What the recorder itself says (a session opens, is linked, was recovered) happened when it was recorded,
/// which says nothing about a transcript from last year: it is told where it stands. What a session opens
/// with is told first, whatever the first record of a shuffled transcript says of the time.
fn place_our_own(steps: &mut [Step]) {
    let own = |step: &Step| is_our_own(step.kind()) && step.actor().is_empty() && !step.is_dated();
    let first = steps.iter().find(|step| !own(step)).map(|step| step.time().to_owned());
    let Some(mut before) = first else { return };
    for step in steps {
        if step.seq() == 0 && step.kind() == "session.opened" {
            step.time = Some(String::new());
        } else if own(step) {
            step.time = Some(before.clone());
        } else {
            step.time().clone_into(&mut before);
        }
    }
}

fn is_our_own(kind: &str) -> bool {
    kind.starts_with("audit.") || matches!(kind, "session.opened" | "session.updated" | "session.linked")
}
