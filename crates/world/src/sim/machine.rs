//! One machine: its tree of files, its processes with their open files and locks, and its bad luck.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use super::fault::{Fault, Fired, Op, killed};
use super::seed::Seeded;
use super::tree::{Inode, Tree};
use crate::{Instant, Lock, Open};

/// 2026-11-27T20:00:00Z
const START: Instant = 1_795_809_600_000_000;
const FIRST_PID: u32 = 100;

pub(super) type HandleId = u64;

#[derive(Debug, Clone)]
struct Handle {
    pid: u32,
    inode: Inode,
    how: Open,
    lock: Option<Lock>,
}

#[derive(Debug, Clone)]
pub(super) struct Machine {
    pub(super) tree: Tree,
    pub(super) seed: Seeded,
    pub(super) now: Instant,
    pub(super) starved: bool,
    boots: u64,
    alive: BTreeSet<u32>,
    last_pid: u32,
    handles: BTreeMap<HandleId, Handle>,
    last_handle: HandleId,
    ops: u64,
    plan: BTreeMap<u64, Fault>,
    fired: Vec<Fired>,
}

impl Machine {
    pub(super) fn new(seed: u64) -> Self {
        Self {
            tree: Tree::new(),
            seed: Seeded::new(seed),
            now: START,
            starved: false,
            boots: 1,
            alive: BTreeSet::new(),
            last_pid: FIRST_PID,
            handles: BTreeMap::new(),
            last_handle: 0,
            ops: 0,
            plan: BTreeMap::new(),
            fired: Vec::new(),
        }
    }

    pub(super) fn fork(&self, seed: u64) -> Self {
        let mut fork = self.clone();
        fork.seed = Seeded::new(seed);
        fork.end_all_processes();
        fork.plan.clear();
        fork
    }

    pub(super) fn boot_id(&self) -> String {
        format!("00000000-0000-4000-8000-{:012}", self.boots)
    }

    pub(super) fn start_process(&mut self) -> u32 {
        self.last_pid += 1;
        self.alive.insert(self.last_pid);
        self.last_pid
    }

    pub(super) fn kill(&mut self, pid: u32) {
        self.alive.remove(&pid);
        self.handles.retain(|_, handle| handle.pid != pid);
    }

    pub(super) fn crash(&mut self) {
        self.end_all_processes();
        self.boots += 1;
        self.tree.crash(&mut self.seed);
    }

    fn end_all_processes(&mut self) {
        self.alive.clear();
        self.handles.clear();
    }

    /// A clock that never stands still.
    pub(super) fn tick(&mut self) -> Instant {
        let micros = i64::try_from(1 + self.seed.below(50)).unwrap_or(1);
        self.now = self.now.saturating_add(micros);
        self.now
    }
}

/// Faults.
impl Machine {
    pub(super) fn plan(&mut self, n: u64, fault: Fault) {
        self.plan.insert(self.ops + n, fault);
    }

    pub(super) fn cancel_faults(&mut self) {
        self.plan.clear();
    }

    pub(super) fn ops(&self) -> u64 {
        self.ops
    }

    pub(super) fn fired(&self) -> &[Fired] {
        &self.fired
    }

    /// Counts an operation and lets a planned fault happen, except for a write: that gets the fault.
    pub(super) fn begin(&mut self, pid: u32, op: Op) -> io::Result<()> {
        match self.fault_for(pid, op)? {
            Some(fault) => Err(fault.error()),
            None => Ok(()),
        }
    }

    /// Counts a write and says how many of its bytes get through, and what the caller hears if not that.
    pub(super) fn begin_write(&mut self, pid: u32, op: Op, len: usize) -> io::Result<(usize, Option<Fault>)> {
        Ok(match self.fault_for(pid, op)? {
            None => (len, None),
            Some(Fault::ShortWrite) => (1 + self.seed.below(len - 1), None),
            Some(fault @ (Fault::TornWrite | Fault::Kill)) => (self.seed.below(len + 1), Some(fault)),
            Some(fault) => return Err(fault.error()),
        })
    }

    pub(super) fn fault_for(&mut self, pid: u32, op: Op) -> io::Result<Option<Fault>> {
        if !self.alive.contains(&pid) {
            return Err(killed());
        }
        self.ops += 1;
        let fault = self.plan.remove(&self.ops).filter(|fault| fault.fits(op));
        if let Some(fault) = fault {
            self.fired.push(Fired { op: self.ops, asked: op, fault });
        }
        if fault == Some(Fault::Kill) {
            // an append may still be torn: its bytes go in after its process is gone
            self.kill(pid);
        }
        Ok(fault)
    }
}

/// Open files and their locks.
impl Machine {
    pub(super) fn open(&mut self, pid: u32, path: &Path, how: Open) -> io::Result<HandleId> {
        let inode = match (self.tree.find(path), how) {
            (Ok(_), Open::CreateNew) => return Err(io::ErrorKind::AlreadyExists.into()),
            (Err(e), Open::CreateNew | Open::Append) if e.kind() == io::ErrorKind::NotFound => {
                self.tree.create_file(path)?
            }
            (found, _) => found?,
        };
        self.tree.file(inode)?;
        self.last_handle += 1;
        self.handles.insert(self.last_handle, Handle { pid, inode, how, lock: None });
        Ok(self.last_handle)
    }

    pub(super) fn close(&mut self, id: HandleId) {
        self.handles.remove(&id);
    }

    /// The file behind a handle; the handle must have been opened in one of these ways.
    pub(super) fn inode(&self, id: HandleId, ways: &[Open]) -> io::Result<Inode> {
        let handle = self.handles.get(&id).ok_or_else(killed)?;
        if ways.is_empty() || ways.contains(&handle.how) {
            Ok(handle.inode)
        } else {
            Err(io::Error::other(format!("a file opened with {:?} cannot do this", handle.how)))
        }
    }

    pub(super) fn try_lock(&mut self, id: HandleId, lock: Lock) -> io::Result<bool> {
        let inode = self.inode(id, &[])?;
        let is_in_the_way = |other: &Handle| match other.lock {
            Some(held) => held == Lock::Exclusive || lock == Lock::Exclusive,
            None => false,
        };
        let mut others = self.handles.iter().filter(|(other, h)| **other != id && h.inode == inode);
        let is_free = !others.any(|(_, other)| is_in_the_way(other));
        if is_free {
            self.set_lock(id, Some(lock));
        }
        Ok(is_free)
    }

    pub(super) fn set_lock(&mut self, id: HandleId, lock: Option<Lock>) {
        if let Some(handle) = self.handles.get_mut(&id) {
            handle.lock = lock;
        }
    }
}
