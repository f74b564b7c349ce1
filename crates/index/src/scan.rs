//! The oracle and the fallback: a query over the journal itself, without any index.
//!
//! Every line is checked as it streams by. A literal prefilter spares the tokenizer most events, where it
//! is provably safe: a payload that is plain ASCII, has no `\u` escape and refers to no blob contains each
//! letter and digit of its tokens as it is, so a token's longest run of them must stand in its bytes in
//! some case.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use event::{Line, SessionId};
use journal::{Entry, Finding, Journal, Place, ReadError};
use regex::bytes::{Regex, RegexBuilder};

use crate::duplicates::{Earlier, KeyBook, Verdict};
use crate::error::IndexError;
use crate::facts::Facts;
use crate::matcher::{Matcher, Seen};
use crate::relevance::{Candidate, Relevance, Sort, Stats};
use crate::text::text_of;

/// Lines between two looks at the clock.
const LOOK_AT_CLOCK: u32 = 64;

/// What a scan found.
#[derive(Debug, Default)]
pub(crate) struct Found {
    pub(crate) stats: Stats,
    pub(crate) matches: Vec<Match>,
    pub(crate) duplicates: u64,
    pub(crate) conflicts: u64,
    pub(crate) last_ts: String,
    pub(crate) damage: Vec<Finding>,
    /// The next sequence of every session that was looked at.
    pub(crate) reached: BTreeMap<String, u64>,
    /// True when time was up.
    pub(crate) cut: bool,
    /// Events that another is told for, by session.
    pub(crate) replaced: BTreeSet<(String, u64)>,
    /// True when a session did not go on where it was left: the journal below was rewritten.
    pub(crate) rewritten: bool,
}

/// An event that matches.
#[derive(Debug)]
pub(crate) struct Match {
    pub(crate) at: Candidate,
    counts: Vec<u32>,
    text_bytes: u64,
}

impl Found {
    fn add(&mut self, other: Self) {
        self.stats.add(&other.stats);
        self.matches.extend(other.matches);
        self.duplicates += other.duplicates;
        self.conflicts += other.conflicts;
        self.damage.extend(other.damage);
        self.reached.extend(other.reached);
        self.replaced.extend(other.replaced);
        self.rewritten |= other.rewritten;
        self.cut |= other.cut;
        self.last_ts = std::mem::take(&mut self.last_ts).max(other.last_ts);
    }

    fn leave_out_replaced(&mut self) {
        let replaced = &self.replaced;
        if !replaced.is_empty() {
            self.matches.retain(|m| !replaced.contains(&(m.at.session.clone(), m.at.seq)));
        }
    }

    /// True when another stands now for an event that stood before these places.
    pub(crate) fn reaches_back(&self, places: &BTreeMap<String, Place>) -> bool {
        self.replaced.iter().any(|(session, seq)| places.get(session).is_some_and(|place| *seq < place.seq))
    }

    /// The matches, scored if relevance decides.
    pub(crate) fn candidates(self, relevance: &Relevance, sort: Sort) -> Vec<Candidate> {
        let score = |m: &Match| match sort {
            Sort::Relevance => relevance.score(m.counts.iter().copied(), m.text_bytes),
            Sort::Newest | Sort::Oldest => 0.0,
        };
        self.matches.into_iter().map(|m| Candidate { score: score(&m), ..m.at }).collect()
    }
}

/// Where to begin in a session, and who holds keys before that.
pub(crate) struct Start<'a> {
    pub(crate) session: SessionId,
    pub(crate) place: Place,
    pub(crate) earlier: Option<Box<Earlier<'a>>>,
}

/// Looks at everything from the starts on, with as many threads as there are cores.
pub(crate) fn scan(
    journal: &Journal,
    matcher: &Matcher,
    starts: Vec<Start<'_>>,
    deadline: Deadline,
) -> Result<Found, IndexError> {
    let prefilter = Prefilter::new(matcher);
    if starts.len() <= 1 {
        let mut found = Found::default();
        for start in starts {
            scan_session(journal, matcher, &prefilter, start, deadline, &mut found)?;
        }
        found.leave_out_replaced();
        return Ok(found);
    }
    scan_many(journal, matcher, &prefilter, starts, deadline)
}

/// When to stop looking; `None`: never.
pub(crate) type Deadline = Option<Instant>;

fn is_up(deadline: Deadline) -> bool {
    deadline.is_some_and(|deadline| Instant::now() >= deadline)
}

/// Asks the events themselves whether they match, among those that an index lets through.
pub(crate) fn check(
    journal: &Journal,
    matcher: &Matcher,
    candidates: Vec<Candidate>,
    conflicts: &BTreeSet<(String, u64)>,
    deadline: Deadline,
) -> Result<(Vec<Match>, bool), IndexError> {
    let mut matches = Vec::new();
    let mut open: Option<(SessionId, u64, journal::SegmentFile)> = None;
    let (mut text, mut seen) = (String::new(), Seen::default());
    for at in candidates {
        if is_up(deadline) {
            return Ok((matches, true));
        }
        let stands = open
            .as_ref()
            .is_some_and(|(s, first, _)| s.as_str() == at.session && *first == at.pointer.segment);
        if !stands {
            let session = SessionId::new(&at.session).map_err(|_| crate::answer::astray(&at))?;
            let file =
                journal.segment_file(&session, at.pointer.segment).map_err(|_| crate::answer::astray(&at))?;
            open = Some((session, at.pointer.segment, file));
        }
        let Some((_, _, file)) = &open else { continue };
        let bytes = file.line_at(&at.pointer).map_err(|_| crate::answer::astray(&at))?;
        let line = Line::parse(&bytes).map_err(|_| crate::answer::astray(&at))?;
        text.clear();
        if matcher.reads_text() {
            text_of(&line, &|id| journal.blob(id).ok(), &mut text);
            matcher.look(&text, &mut seen);
        }
        matcher.look_deep(&line, &mut seen);
        let mut facts = Facts::of(&line, at.pointer);
        facts.conflict = conflicts.contains(&(at.session.clone(), at.seq));
        if matcher.matches(&facts, &seen) {
            let counts = if matcher.reads_text() { matcher.counts(&seen) } else { Vec::new() };
            matches.push(Match { at, counts, text_bytes: text.len() as u64 });
        }
    }
    Ok((matches, false))
}

fn scan_many(
    journal: &Journal,
    matcher: &Matcher,
    prefilter: &Prefilter,
    starts: Vec<Start<'_>>,
    deadline: Deadline,
) -> Result<Found, IndexError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(starts.len());
    let (total, next) = (Mutex::new(Ok(Found::default())), AtomicUsize::new(0));
    // closures that look keys up need not be sendable: those sessions stay on this thread
    let (here, there): (Vec<_>, Vec<_>) = starts.into_iter().partition(|start| start.earlier.is_some());
    let there: Vec<(SessionId, Place)> =
        there.into_iter().map(|start| (start.session, start.place)).collect();
    let work = || {
        let mut found = Found::default();
        let mut outcome = Ok(());
        while let Some((session, place)) = there.get(next.fetch_add(1, Ordering::Relaxed)) {
            let start = Start { session: session.clone(), place: place.clone(), earlier: None };
            outcome =
                outcome.and_then(|()| scan_session(journal, matcher, prefilter, start, deadline, &mut found));
        }
        let mut total = total.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        match (&mut *total, outcome) {
            (Ok(total), Ok(())) => total.add(found),
            (total, Err(error)) => *total = Err(error),
            (Err(_), Ok(())) => {}
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(work);
        }
        work();
    });
    let mut found = total.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
    for start in here {
        scan_session(journal, matcher, prefilter, start, deadline, &mut found)?;
    }
    found.leave_out_replaced();
    Ok(found)
}

fn scan_session(
    journal: &Journal,
    matcher: &Matcher,
    prefilter: &Prefilter,
    start: Start<'_>,
    deadline: Deadline,
    found: &mut Found,
) -> Result<(), IndexError> {
    let name = start.session.to_string();
    let mut resumed = start.place.seq > 0;
    let mut reader = journal.read(&start.session, start.place)?;
    let mut keys = KeyBook::new(journal, start.session, start.earlier);
    let mut look = Look { journal, matcher, text: String::new(), seen: Seen::default() };
    let mut lines = 0_u32;
    loop {
        lines = lines.wrapping_add(1);
        if lines.is_multiple_of(LOOK_AT_CLOCK) && is_up(deadline) {
            found.cut = true;
            break;
        }
        match reader.next() {
            Ok(None) => break,
            Ok(Some(entry)) => look.at(&entry, &mut keys, prefilter, found),
            Err(ReadError::Damage(finding)) => {
                found.rewritten |= resumed;
                found.damage.push(finding);
            }
            Err(ReadError::Journal(error)) => return Err(error.into()),
        }
        resumed = false;
    }
    found.reached.insert(name, reader.place().seq);
    Ok(())
}

struct Look<'a> {
    journal: &'a Journal,
    matcher: &'a Matcher,
    text: String,
    seen: Seen,
}

impl Look<'_> {
    fn at(&mut self, entry: &Entry<'_>, keys: &mut KeyBook<'_>, prefilter: &Prefilter, found: &mut Found) {
        let line = &entry.line;
        if *line.ts > *found.last_ts {
            line.ts.clone_into(&mut found.last_ts);
        }
        let verdict = keys.judge(line, entry.pointer);
        if verdict == Verdict::Duplicate {
            found.duplicates += 1;
            return;
        }
        found.replaced.extend(keys.replaced().iter().map(|seq| (line.session.to_owned(), *seq)));
        found.conflicts += u64::from(verdict == Verdict::Conflict);
        found.stats.events += 1;
        if self.matcher.reads_text() {
            if prefilter.rules_out(line) {
                return;
            }
            self.text.clear();
            text_of(line, &|id| self.journal.blob(id).ok(), &mut self.text);
            self.matcher.look(&self.text, &mut self.seen);
            self.count_tokens(&mut found.stats);
        }
        self.matcher.look_deep(line, &mut self.seen);
        let mut facts = Facts::of(line, entry.pointer);
        facts.conflict = verdict == Verdict::Conflict;
        if self.matcher.matches(&facts, &self.seen) {
            let counts = if self.matcher.reads_text() { self.matcher.counts(&self.seen) } else { Vec::new() };
            let (time, session, seq, pointer) = (facts.time, facts.session, facts.seq, facts.pointer);
            let at = Candidate { score: 0.0, time, session, seq, pointer };
            found.matches.push(Match { at, counts, text_bytes: self.text.len() as u64 });
        }
    }

    fn count_tokens(&self, stats: &mut Stats) {
        for (token, slot) in self.matcher.tokens() {
            if self.seen.has(slot) {
                match stats.with.get_mut(token) {
                    Some(count) => *count += 1,
                    None => drop(stats.with.insert(token.to_owned(), 1)),
                }
            }
        }
    }
}

/// Tells events that cannot matter by their raw bytes.
struct Prefilter {
    /// Any of the literals in any case; `None` when nothing may be ruled out.
    any: Option<Regex>,
}

impl Prefilter {
    fn new(matcher: &Matcher) -> Self {
        if !matcher.needs_words() || matcher.is_fuzzy() {
            return Self { any: None };
        }
        let tokens =
            matcher.tokens().map(|(token, _)| token).chain(matcher.prefixes().iter().map(String::as_str));
        // a token without ASCII letters cannot stand in a plain payload: it needs no literal
        let literals: Vec<&str> = tokens.filter(|token| token.is_ascii()).filter_map(longest_run).collect();
        let pattern = if literals.is_empty() { "[^\\x00-\\xff]".to_owned() } else { literals.join("|") };
        let any = RegexBuilder::new(&pattern).case_insensitive(true).unicode(false).build().ok();
        Self { any }
    }

    fn rules_out(&self, line: &Line<'_>) -> bool {
        let Some(any) = &self.any else { return false };
        let plain = |value: &[u8]| {
            let none = |needle: &[u8]| memchr::memmem::find(value, needle).is_none();
            value.is_ascii() && none(b"\\u") && none(b"\"blob\"")
        };
        let members = line.members.iter().map(|member| member.value.as_bytes());
        members.clone().all(|value| !any.is_match(value)) && members.clone().all(plain)
    }
}

/// The longest run of letters and digits in a token.
fn longest_run(token: &str) -> Option<&str> {
    token
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|run| !run.is_empty())
        .max_by_key(|run| run.len())
}
