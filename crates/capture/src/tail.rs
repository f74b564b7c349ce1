//! Transcripts of agents that are at work, taken in while they grow.
//!
//! The kernel says when a file changed; sizes are looked at now and then all the same, and often where the kernel
//! says nothing (too many folders, a network's file system). In between nothing runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

use import::{Follower, Pace, Report, RunError, Sink, candidates, is_candidate};
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};

/// Between two looks at every file, where the kernel tells of changes.
const LOOK: Duration = Duration::from_secs(30);
/// The same where it doesn't.
const POLL: Duration = Duration::from_secs(2);
/// Changes that come together are taken in together.
const GATHER: Duration = Duration::from_millis(150);
/// A file is that young while what it says of itself may be still to come.
const BEGUN: Duration = Duration::from_secs(2);
/// Nobody writes any more when nobody has for so long.
const STILL: Duration = Duration::from_secs(30);

/// Why it was woken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wake {
    /// These changed.
    Changed(BTreeSet<PathBuf>),
    /// It is time to look.
    Time,
    /// It was told to stop.
    Stop,
}

enum Message {
    Changed(Vec<PathBuf>),
    Stop,
}

struct Followed {
    follower: Follower,
    since: Instant,
    changed: Instant,
}

/// The transcripts under some folders.
pub struct Tail {
    roots: Vec<PathBuf>,
    files: BTreeMap<PathBuf, Followed>,
    looked: Option<Instant>,
    messages: Receiver<Message>,
    sender: Sender<Message>,
    watcher: Option<RecommendedWatcher>,
}

impl std::fmt::Debug for Tail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Tail({} files)", self.files.len())
    }
}

impl Tail {
    /// Follows files, and whatever comes to be in folders.
    pub fn new(roots: Vec<PathBuf>) -> Self {
        let (sender, messages) = channel();
        let mut tail = Self { roots, files: BTreeMap::new(), looked: None, messages, sender, watcher: None };
        tail.watcher = tail.watch();
        tail
    }

    /// What stops it, from any thread.
    pub fn stopper(&self) -> impl Fn() + Send + 'static {
        let sender = self.sender.clone();
        move || drop(sender.send(Message::Stop))
    }

    /// How many files are followed.
    pub fn files(&self) -> usize {
        self.files.len()
    }

    /// True if the kernel tells of changes.
    pub fn is_told(&self) -> bool {
        self.watcher.is_some()
    }

    /// All or nothing: a folder that nobody watches would be looked at too seldom.
    fn watch(&self) -> Option<RecommendedWatcher> {
        let sender = self.sender.clone();
        let told = move |event: notify::Result<notify::Event>| {
            // reading them is no news; an error is a change that nobody can name
            let paths = match event {
                Ok(event) if event.kind.is_access() => return,
                Ok(event) => event.paths,
                Err(_) => Vec::new(),
            };
            let _ = sender.send(Message::Changed(paths));
        };
        let mut watcher = notify::recommended_watcher(told).ok()?;
        self.roots.iter().try_for_each(|root| watcher.watch(root, RecursiveMode::Recursive)).ok()?;
        Some(watcher)
    }

    /// Waits until something is to be done.
    pub fn wait(&self, now: Instant) -> Wake {
        let most = self.due(now);
        let mut changed = BTreeSet::new();
        match self.messages.recv_timeout(most) {
            Ok(Message::Stop) => return Wake::Stop,
            Ok(Message::Changed(paths)) => changed.extend(paths),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return Wake::Time,
        }
        std::thread::sleep(GATHER);
        for message in self.messages.try_iter() {
            match message {
                Message::Stop => return Wake::Stop,
                Message::Changed(paths) => changed.extend(paths),
            }
        }
        Wake::Changed(changed)
    }

    /// How long nothing is to be done.
    fn due(&self, now: Instant) -> Duration {
        let pause = if self.is_told() { LOOK } else { POLL };
        let look = self.looked.map_or(Duration::ZERO, |at| (at + pause).saturating_duration_since(now));
        let waiting = self.files.values().filter(|file| file.follower.waits());
        // a file that has become still since the last pass is told in the next one
        let file = |file: &Followed| match file.pace(now) {
            Pace::Begun => Some((file.since + BEGUN).saturating_duration_since(now)),
            Pace::Live => Some((file.changed + STILL).saturating_duration_since(now)),
            Pace::Still => None,
        };
        waiting.filter_map(file).min().unwrap_or(look).min(look).max(GATHER)
    }

    /// Takes in what is new; one report a file that had something. At the end all that is held back is told.
    pub fn pass<S: Sink>(
        &mut self,
        wake: &Wake,
        sink: &mut S,
        now: Instant,
    ) -> Result<Vec<Report>, RunError<S::Error>> {
        let pause = if self.is_told() { LOOK } else { POLL };
        let due = self.looked.is_none_or(|at| now.duration_since(at) >= pause);
        let unnamed =
            matches!(wake, Wake::Changed(paths) if paths.is_empty() || paths.iter().any(|p| p.is_dir()));
        if due || unnamed {
            self.look(now);
        }
        if let Wake::Changed(paths) = wake {
            self.note(paths, now);
        }
        let end = *wake == Wake::Stop;
        let mut reports = Vec::new();
        for file in self.files.values_mut() {
            let pace = if end { Pace::Still } else { file.pace(now) };
            if let Some(report) = file.follower.catch_up(sink, pace)? {
                if report.records > 0 && pace != Pace::Still {
                    file.changed = now;
                }
                reports.push(report);
            }
        }
        self.leave_gone(sink)?;
        Ok(reports)
    }

    /// Files that are gone are left, and it is said; one that was moved goes on under its new name.
    fn leave_gone<S: Sink>(&mut self, sink: &mut S) -> Result<(), RunError<S::Error>> {
        let gone: Vec<PathBuf> = self.files.keys().filter(|path| !path.exists()).cloned().collect();
        if gone.is_empty() {
            return Ok(());
        }
        let there: BTreeMap<(u64, u64), PathBuf> =
            self.files.keys().filter_map(|path| Some((import::identity(path)?, path.clone()))).collect();
        for path in gone {
            let Some(mut file) = self.files.remove(&path) else { continue };
            match file.follower.identity().and_then(|file| there.get(&file)) {
                Some(new) => {
                    file.follower.moved(new.clone());
                    self.files.insert(new.clone(), file);
                }
                None => file.follower.gone(sink)?,
            }
        }
        Ok(())
    }

    /// Every file under the roots.
    fn look(&mut self, now: Instant) {
        let first = self.looked.is_none();
        self.looked = Some(now);
        let roots: Vec<PathBuf> = self.roots.iter().filter(|root| root.exists()).cloned().collect();
        for path in candidates(&roots).unwrap_or_default() {
            self.follow(&path, now, first);
        }
    }

    fn note(&mut self, paths: &BTreeSet<PathBuf>, now: Instant) {
        for path in paths {
            match self.files.get_mut(path) {
                Some(file) => file.changed = now,
                None if path.is_file() && is_candidate(path) => self.follow(path, now, false),
                None => {}
            }
            // a compressed copy counts once the plain file is gone
            let packed = PathBuf::from(format!("{}.zst", path.display()));
            if !path.exists() && packed.is_file() {
                self.follow(&packed, now, false);
            }
        }
    }

    /// A file that was there before we looked first is not young.
    fn follow(&mut self, path: &Path, now: Instant, old: bool) {
        let since = if old { now.checked_sub(BEGUN).unwrap_or(now) } else { now };
        let made = || Followed { follower: Follower::new(path.to_owned()), since, changed: now };
        self.files.entry(path.to_owned()).or_insert_with(made);
    }

    /// The folders and files that were asked for.
    pub fn roots(&self) -> impl Iterator<Item = &Path> {
        self.roots.iter().map(PathBuf::as_path)
    }
}

impl Followed {
    fn pace(&self, now: Instant) -> Pace {
        if now.saturating_duration_since(self.since) < BEGUN {
            Pace::Begun
        } else if now.saturating_duration_since(self.changed) < STILL {
            Pace::Live
        } else {
            Pace::Still
        }
    }
}
