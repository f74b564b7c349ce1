//! A session as its rules look it up: what each event does, who stands where.

use std::collections::{BTreeMap, HashMap};

use event::Event;

use crate::act::{self, Deed};
use crate::trace::Trace;

/// Places by agent and group, in order.
pub(super) type Lanes<'t> = BTreeMap<(&'t str, Option<&'t str>), Vec<usize>>;

/// A session, looked through once.
pub(super) struct Seen<'t> {
    trace: &'t Trace,
    deeds: Vec<Option<Deed>>,
    lanes: Lanes<'t>,
}

impl<'t> Seen<'t> {
    pub(super) fn of(trace: &'t Trace) -> Self {
        let mut lanes = Lanes::new();
        for (place, event) in trace.events.iter().enumerate().filter(|(_, e)| !act::actor(e).is_empty()) {
            lanes.entry((act::actor(event), event.text("group"))).or_default().push(place);
        }
        Self { trace, deeds: act::deeds(&trace.events), lanes }
    }

    pub(super) fn events(&self) -> &'t [Event] {
        &self.trace.events
    }

    pub(super) fn lanes(&self) -> &Lanes<'t> {
        &self.lanes
    }

    pub(super) fn deed(&self, place: usize) -> Option<Deed> {
        self.deeds[place]
    }

    /// Where something of the kind is done, in order.
    pub(super) fn all(&self, deed: Deed) -> impl DoubleEndedIterator<Item = (usize, &'t Event)> {
        let places = self.deeds.iter().enumerate().filter(move |(_, own)| **own == Some(deed));
        places.map(|(place, _)| (place, &self.trace.events[place]))
    }

    /// Events of a kind, in order.
    pub(super) fn of_kind(&self, kind: &'static str) -> impl Iterator<Item = (usize, &'t Event)> {
        self.trace.events.iter().enumerate().filter(move |(_, event)| event.kind == *kind)
    }
}

/// Places by a name and the group that they belong to: the next one behind a place is looked up, not looked for.
#[derive(Default)]
pub(super) struct Places<'t> {
    all: HashMap<&'t str, Vec<usize>>,
    of_group: HashMap<(&'t str, Option<&'t str>), Vec<usize>>,
}

impl<'t> Places<'t> {
    /// Adds a place behind those that are there.
    pub(super) fn add(&mut self, name: Option<&'t str>, event: &'t Event, place: usize) {
        let Some(name) = name else { return };
        self.all.entry(name).or_default().push(place);
        self.of_group.entry((name, event.text("group"))).or_default().push(place);
    }

    /// The next place of a name behind another, in the group or in none.
    pub(super) fn next(&self, name: &str, group: Option<&str>, behind: usize) -> Option<usize> {
        let next = |places: Option<&Vec<usize>>| {
            let places = places?;
            places.get(places.partition_point(|place| *place <= behind)).copied()
        };
        if group.is_none() {
            return next(self.all.get(name));
        }
        [group, None].into_iter().filter_map(|group| next(self.of_group.get(&(name, group)))).min()
    }
}
