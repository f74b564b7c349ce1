//! What was handed on and did not arrive: handoffs, digests, concerns.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use aho_corasick::AhoCorasick;
use event::Event;
use serde_json::Value;

use super::seen::{Places, Seen};
use super::{Gap, GapKind, gap};
use crate::act::{self, Deed};

pub(super) fn unread_handoffs<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut found = Vec::new();
    let over = seen.of_kind("session.closed").next().is_some();
    let (mut reads, mut acts, mut all) = (Places::default(), Places::default(), Places::default());
    for (place, event) in seen.events().iter().enumerate() {
        let acted = seen.deed(place).is_some_and(|deed| deed != Deed::Says);
        for name in [event.text("agent"), event.text("agent_id")] {
            all.add(name, event, place);
            if acted {
                acts.add(name, event, place);
            }
        }
        if event.kind == "handoff.read" {
            for name in [event.text("agent"), event.text("agent_id"), event.text("by")] {
                reads.add(name, event, place);
            }
        }
    }
    if seen.of_kind("handoff.read").next().is_none() {
        // who never says that it reads handoffs is not missing one
        return found;
    }
    for (at, made) in seen.of_kind("handoff.made") {
        let Some(to) = made.text("to") else { continue };
        let next = |places: &Places<'_>| places.next(to, made.text("group"), at);
        let read = next(&reads);
        let before = |place: &usize| read.is_none_or(|read| *place < read);
        let acted = next(&acts).filter(before);
        let went_on = acted.or_else(|| next(&all).filter(before));
        let (from, seq) = (act::role(made), |place: usize| seen.events()[place].seq);
        let what = match (read, acted, went_on) {
            (Some(read), Some(acted), _) => {
                let (acted, read) = (seq(acted), seq(read));
                format!("{to} acted (/{acted}) before it read the handoff of {from} (/{read})")
            }
            (None, _, Some(on)) => {
                format!("{to} never read the handoff of {from}, though it went on (/{})", seq(on))
            }
            (None, _, None) if over => format!("{to} never read the handoff of {from}"),
            (Some(_), None, _) | (None, _, None) => continue,
        };
        found.push(gap(GapKind::UnreadHandoff, made, what));
    }
    found
}

pub(super) fn undelivered_digests<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut given: BTreeMap<Option<&str>, u64> = BTreeMap::new();
    for (_, event) in seen.of_kind("digest.delivered") {
        let last = given.entry(event.text("to")).or_default();
        *last = event.seq.max(*last);
    }
    let lost = |digest: &Event| given.get(&digest.text("to")).is_none_or(|last| *last <= digest.seq);
    let made = seen.of_kind("digest.assembled").filter(|(_, digest)| lost(digest));
    made.map(|(_, digest)| {
        let to = digest.text("to").unwrap_or("nobody");
        gap(GapKind::UndeliveredDigest, digest, format!("the digest for {to} was never delivered"))
    })
    .collect()
}

/// A concern that a handoff told, and the longer words in it.
struct Concern<'t> {
    at: usize,
    made: &'t Event,
    text: &'t str,
    words: Vec<usize>,
    taken_up: bool,
}

/// A concern is taken up where another agent says half of its longer words.
pub(super) fn unanswered_concerns<'t>(seen: &Seen<'t>) -> Vec<Gap<'t>> {
    let mut words = Words::default();
    let mut concerns: Vec<Concern<'t>> = Vec::new();
    for (at, made) in seen.of_kind("handoff.made") {
        let told = made.data.get("body").and_then(|body| body.get("concerns")).and_then(Value::as_array);
        for text in told.into_iter().flatten().filter_map(Value::as_str) {
            concerns.push(Concern { at, made, text, words: words.of(text), taken_up: false });
        }
    }
    let first = concerns.first().map_or(usize::MAX, |concern| concern.at);
    let searcher = words.searcher();
    for (place, later) in seen.all(Deed::Says).filter(|(place, _)| *place > first) {
        let said = words.said(searcher.as_ref(), later);
        let mut open = concerns.iter_mut().filter(|concern| !concern.taken_up).peekable();
        if open.peek().is_none() {
            break;
        }
        if said.is_empty() {
            continue;
        }
        for concern in open.filter(|c| c.at < place && act::actor(c.made) != act::actor(later)) {
            let shared = concern.words.iter().filter(|word| said.contains(word)).count();
            concern.taken_up = !concern.words.is_empty() && shared * 2 >= concern.words.len();
        }
    }
    let left = concerns.into_iter().filter(|concern| !concern.taken_up);
    left.map(|concern| {
        let short: String = concern.text.chars().take(80).collect();
        let what = format!("nobody took up the concern \"{short}\"");
        Gap { recorded: false, ..gap(GapKind::UnansweredConcern, concern.made, what) }
    })
    .collect()
}

/// The longer words of all concerns, each by its number.
#[derive(Default)]
struct Words {
    list: Vec<String>,
    numbers: HashMap<String, usize>,
}

impl Words {
    fn of(&mut self, concern: &str) -> Vec<usize> {
        let lower = concern.to_lowercase();
        let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| word.chars().count() > 4);
        let words: BTreeSet<&str> = words.collect();
        let number = |word: &str| {
            let next = self.list.len();
            *self.numbers.entry(word.to_owned()).or_insert_with(|| {
                self.list.push(word.to_owned());
                next
            })
        };
        words.into_iter().map(number).collect()
    }

    /// All words at once; `None` if there are none, or more than one automaton holds.
    fn searcher(&self) -> Option<AhoCorasick> {
        if self.list.is_empty() { None } else { AhoCorasick::new(&self.list).ok() }
    }

    /// The words that stand somewhere in what the event says.
    fn said(&self, searcher: Option<&AhoCorasick>, event: &Event) -> BTreeSet<usize> {
        let text = act::own_words(event).join(" ").to_lowercase();
        match searcher {
            Some(searcher) => {
                searcher.find_overlapping_iter(&text).map(|found| found.pattern().as_usize()).collect()
            }
            None => (0..self.list.len()).filter(|word| text.contains(&self.list[*word])).collect(),
        }
    }
}
