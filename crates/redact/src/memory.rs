//! What the redactor remembers of a session: secrets that it has seen there, and commands whose output
//! will be one.
//!
//! - K1  a value that was redacted with certainty (by its name, in an address) is redacted again where it
//!   stands bare, later in the same session; never an ordinary word ([`crate::gate`])
//! - K2  no value is kept, only its trace ([`crate::trace`]); a [`Shelf`] carries traces to the next process
//! - K3  a session that is closed is forgotten

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::span::{Span, Spans};
use crate::trace::{TraceKey, Traces};

/// Sessions and calls that are remembered at most, the oldest forgotten first.
const MOST_SESSIONS: usize = 512;
const MOST_CALLS: usize = 4096;

/// Where the traces of a session are kept between processes: outside the store, for the user alone.
///
/// Whoever keeps nothing loses nothing but this: the first process of a session has to see the secret
/// under its name again before it knows it bare.
pub trait Shelf: Send + Sync {
    /// The lines that were added for a session so far.
    fn read(&self, session: &str) -> String;
    /// Adds lines for a session.
    fn add(&self, session: &str, lines: &str);
    /// Forgets a session.
    fn forget(&self, session: &str);
}

/// All sessions of a redactor; clones share it.
#[derive(Clone)]
pub(crate) struct Memory {
    key: TraceKey,
    shelf: Option<Arc<dyn Shelf>>,
    kept: Arc<Mutex<Kept>>,
}

#[derive(Default)]
struct Kept {
    sessions: HashMap<String, Traces>,
    order: VecDeque<String>,
    calls: VecDeque<(String, String)>,
}

impl Memory {
    pub(crate) fn new(key: &[u8; 32]) -> Self {
        Self { key: TraceKey::new(key), shelf: None, kept: Arc::default() }
    }

    pub(crate) fn on(mut self, shelf: Arc<dyn Shelf>) -> Self {
        self.shelf = Some(shelf);
        self
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes up the thread of a session.
    pub(crate) fn recall(&self, session: &str) -> Recollection {
        let mut kept = self.kept();
        if !kept.sessions.contains_key(session) {
            let mut traces = Traces::new(&self.key);
            if let Some(shelf) = &self.shelf {
                traces.read(&shelf.read(session));
            }
            if kept.order.len() >= MOST_SESSIONS
                && let Some(oldest) = kept.order.pop_front()
            {
                kept.sessions.remove(&oldest);
            }
            kept.order.push_back(session.to_owned());
            kept.sessions.insert(session.to_owned(), traces);
        }
        let traces = kept.sessions.get(session).cloned().unwrap_or_else(|| Traces::new(&self.key));
        Recollection { traces, fresh: String::new() }
    }

    /// Keeps what was learned.
    pub(crate) fn keep(&self, session: &str, learned: &Recollection) {
        if learned.fresh.is_empty() {
            return;
        }
        if let Some(shelf) = &self.shelf {
            shelf.add(session, &learned.fresh);
        }
        if let Some(traces) = self.kept().sessions.get_mut(session) {
            traces.read(&learned.fresh);
        }
    }

    pub(crate) fn forget(&self, session: &str) {
        let mut kept = self.kept();
        kept.sessions.remove(session);
        kept.order.retain(|name| name != session);
        kept.calls.retain(|(name, _)| name != session);
        if let Some(shelf) = &self.shelf {
            shelf.forget(session);
        }
    }

    /// The output of this call will be a secret.
    pub(crate) fn expect(&self, session: &str, call: &str) {
        let mut kept = self.kept();
        if kept.calls.len() >= MOST_CALLS {
            kept.calls.pop_front();
        }
        kept.calls.push_back((session.to_owned(), call.to_owned()));
    }

    pub(crate) fn expects(&self, session: &str, call: &str) -> bool {
        self.kept().calls.iter().any(|(name, id)| name == session && id == call)
    }
}

/// What is known of one session while a draft is cleaned.
pub(crate) struct Recollection {
    traces: Traces,
    /// Lines for traces that are new.
    fresh: String,
}

impl Recollection {
    /// How many traces are new; grows when something was learned.
    pub(crate) fn learned(&self) -> usize {
        self.fresh.len()
    }

    /// Remembers a secret that was redacted with certainty.
    pub(crate) fn note(&mut self, secret: &str, kind: &'static str) {
        if kind != crate::kinds::UNSCANNED {
            self.fresh.extend(self.traces.add(secret, kind));
        }
    }

    /// `spans`, and every place where a remembered secret stands bare.
    pub(crate) fn repeated(&self, text: &str, spans: Vec<Span>) -> Vec<Span> {
        if self.traces.is_empty() {
            return spans;
        }
        let mut all = Spans::of(spans);
        self.traces.find(text, &mut all);
        all.into_union(text)
    }
}
