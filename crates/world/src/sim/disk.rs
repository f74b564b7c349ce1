//! The simulated disk as one process has it: counts each operation, then does it, or what the plan says.

use std::io;
use std::path::Path;

use super::Shared;
use super::fault::{Fault, Op};
use super::machine::HandleId;
use crate::{Disk, DiskFile, Lock, Open, Stat};

#[derive(Debug)]
pub(super) struct SimDisk {
    machine: Shared,
    pid: u32,
}

#[derive(Debug)]
struct SimFile {
    machine: Shared,
    pid: u32,
    id: HandleId,
}

impl SimDisk {
    pub(super) fn new(machine: Shared, pid: u32) -> Self {
        Self { machine, pid }
    }
}

impl Disk for SimDisk {
    fn open(&self, path: &Path, how: Open) -> io::Result<Box<dyn DiskFile>> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Open)?;
        let id = machine.open(self.pid, path, how)?;
        Ok(Box::new(SimFile { machine: self.machine.clone(), pid: self.pid, id }))
    }

    fn stat(&self, path: &Path) -> io::Result<Option<Stat>> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Look)?;
        match machine.tree.find(path) {
            Ok(inode) => Ok(Some(machine.tree.stat(inode))),
            Err(e) if matches!(e.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => Ok(None),
            Err(e) => Err(e),
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Look)?;
        match machine.tree.names(path) {
            Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            names => names,
        }
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Name)?;
        machine.tree.create_folders(path)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Name)?;
        machine.tree.link(from, to)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Name)?;
        machine.tree.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Remove)?;
        machine.tree.remove(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::SyncDir)?;
        machine.tree.sync_folder(path)
    }
}

impl SimFile {
    /// Writes what gets through; says how much that was, or what went wrong.
    fn write(&self, op: Op, bytes: &[u8], ways: &[Open], at: Option<u64>) -> io::Result<usize> {
        let mut machine = self.machine.lock();
        let inode = machine.inode(self.id, ways)?;
        let (count, fault) = machine.begin_write(self.pid, op, bytes.len())?;
        let file = machine.tree.file(inode)?;
        let at = at.map_or(file.seen().len(), index);
        file.write(at, &bytes[..count]);
        fault.map_or(Ok(count), |fault| Err(fault.error()))
    }
}

impl DiskFile for SimFile {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Look)?;
        let inode = machine.inode(self.id, &[])?;
        let seen = machine.tree.file(inode)?.seen();
        let rest = seen.get(index(offset)..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        self.write(Op::Append(bytes.len()), bytes, &[Open::Append, Open::CreateNew], None)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> io::Result<()> {
        self.write(Op::Write(bytes.len()), bytes, &[Open::Update], Some(offset)).map(|_| ())
    }

    fn stat(&self) -> io::Result<Stat> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Look)?;
        let inode = machine.inode(self.id, &[])?;
        Ok(machine.tree.stat(inode))
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::SetLen)?;
        let inode = machine.inode(self.id, &[Open::Append, Open::Update, Open::CreateNew])?;
        machine.tree.file(inode)?.set_len(index(len));
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        let mut machine = self.machine.lock();
        let fault = machine.fault_for(self.pid, Op::Sync)?;
        let inode = machine.inode(self.id, &[])?;
        let file = machine.tree.file(inode)?;
        match fault {
            None => file.sync(),
            Some(Fault::LostSync) => file.lose_sync(),
            Some(_) => {}
        }
        fault.map_or(Ok(()), |fault| Err(fault.error()))
    }

    fn try_lock(&self, lock: Lock) -> io::Result<bool> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Lock)?;
        machine.try_lock(self.id, lock)
    }

    fn unlock(&self) -> io::Result<()> {
        let mut machine = self.machine.lock();
        machine.begin(self.pid, Op::Lock)?;
        machine.set_lock(self.id, None);
        Ok(())
    }
}

impl Drop for SimFile {
    fn drop(&mut self) {
        self.machine.lock().close(self.id);
    }
}

fn index(offset: u64) -> usize {
    usize::try_from(offset).unwrap_or(usize::MAX)
}
