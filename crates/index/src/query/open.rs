//! Names in a query that only the store, or the person who asks, can fill in: an event's time, a saved
//! search, a project, a case. They are put in place before the query is asked.

use std::fmt;

use event::EventRef;

use super::{Item, Node, Query, QueryError};

/// One name to fill in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Open {
    /// What it means.
    pub name: Name,
    /// Byte offset in the query.
    pub at: usize,
}

/// What a name stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Name {
    /// A saved search.
    Saved(String),
    /// Times that stand so (`>=`, `<`, …) to that of an event.
    Time(&'static str, EventRef),
    /// Events of a session around one of its events.
    Near(EventRef, u64),
    /// Sessions that worked in a folder of this name.
    Project(Vec<Item>),
    /// Events that a case is about.
    Case(Vec<Item>),
    /// A mark that takes more than the event to know: `bookmarked`, `unread`, `silent`.
    Mark(String),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |items: &[Item]| items.iter().map(Item::to_string).collect::<Vec<_>>().join(" or ");
        match self {
            Self::Saved(name) => write!(f, "the saved search {name:?}"),
            Self::Time(sign, event) => write!(f, "time {sign} that of {event}"),
            Self::Near(event, around) => write!(f, "at most {around} events from {event}"),
            Self::Project(items) => write!(f, "project is {}", list(items)),
            Self::Case(items) => write!(f, "a case {} is about it", list(items)),
            Self::Mark(mark) => write!(f, "is {mark}"),
        }
    }
}

impl Query {
    /// The same with every open name filled in by `fill`.
    pub fn resolve<E>(self, fill: &mut dyn FnMut(&Open) -> Result<Node, E>) -> Result<Self, E> {
        Ok(Self { root: resolve(self.root, fill)? })
    }

    /// Refuses a query in which a name is still open.
    pub(crate) fn closed(&self) -> Result<(), QueryError> {
        match first_open(&self.root) {
            None => Ok(()),
            Some(open) => Err(QueryError::new(open.at, format!("{} is not known here", open.name))),
        }
    }
}

fn resolve<E>(node: Node, fill: &mut dyn FnMut(&Open) -> Result<Node, E>) -> Result<Node, E> {
    let mut each =
        |nodes: Vec<Node>| nodes.into_iter().map(|node| resolve(node, fill)).collect::<Result<Vec<_>, E>>();
    Ok(match node {
        Node::And(nodes) => Node::And(each(nodes)?),
        Node::Or(nodes) => Node::Or(each(nodes)?),
        Node::Not(inner) => Node::Not(Box::new(resolve(*inner, fill)?)),
        Node::Open(open) => fill(&open)?,
        node => node,
    })
}

fn first_open(node: &Node) -> Option<&Open> {
    match node {
        Node::And(nodes) | Node::Or(nodes) => nodes.iter().find_map(first_open),
        Node::Not(inner) => first_open(inner),
        Node::Open(open) => Some(open),
        _ => None,
    }
}
