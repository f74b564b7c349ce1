//! Names and what they name: folders, files, hard links.
//!
//! A change of names is pending until `sync_dir` of a folder it touches. A crash keeps any of the pending
//! changes, each wholly or not at all (a rename never loses the file).

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Component, Path, PathBuf};

use super::file::FileData;
use super::seed::Seeded;
use crate::Stat;

pub(super) type Inode = u64;

const ROOT: Inode = 1;

#[derive(Debug, Clone)]
enum Node {
    File(FileData),
    Folder(BTreeMap<String, Inode>),
}

/// A name in a folder, and what it names from now on.
#[derive(Debug, Clone)]
struct Change {
    folder: Inode,
    name: String,
    to: Option<Inode>,
}

#[derive(Debug, Clone)]
pub(super) struct Tree {
    nodes: BTreeMap<Inode, Node>,
    durable: BTreeMap<(Inode, String), Inode>,
    pending: Vec<Vec<Change>>,
    last: Inode,
}

impl Tree {
    pub(super) fn new() -> Self {
        let nodes = BTreeMap::from([(ROOT, Node::Folder(BTreeMap::new()))]);
        Self { nodes, durable: BTreeMap::new(), pending: Vec::new(), last: ROOT }
    }

    pub(super) fn find(&self, path: &Path) -> io::Result<Inode> {
        parts(path)?.iter().try_fold(ROOT, |at, name| self.child(at, name)?.ok_or_else(not_found))
    }

    pub(super) fn stat(&self, inode: Inode) -> Stat {
        match self.nodes.get(&inode) {
            Some(Node::File(file)) => Stat { len: file.seen().len() as u64, inode, is_dir: false },
            _ => Stat { len: 0, inode, is_dir: true },
        }
    }

    pub(super) fn file(&mut self, inode: Inode) -> io::Result<&mut FileData> {
        match self.nodes.get_mut(&inode) {
            Some(Node::File(file)) => Ok(file),
            _ => Err(io::ErrorKind::IsADirectory.into()),
        }
    }

    pub(super) fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        Ok(self.entries(self.find(path)?)?.keys().cloned().collect())
    }

    pub(super) fn create_file(&mut self, path: &Path) -> io::Result<Inode> {
        let (folder, name) = self.place(path)?;
        if self.child(folder, &name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let inode = self.add(Node::File(FileData::default()));
        self.change(vec![Change { folder, name, to: Some(inode) }]);
        Ok(inode)
    }

    pub(super) fn create_folders(&mut self, path: &Path) -> io::Result<()> {
        let mut at = ROOT;
        for name in parts(path)? {
            at = if let Some(inode) = self.child(at, &name)? {
                inode
            } else {
                let inode = self.add(Node::Folder(BTreeMap::new()));
                self.change(vec![Change { folder: at, name, to: Some(inode) }]);
                inode
            };
        }
        self.entries(at).map(|_| ())
    }

    pub(super) fn link(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let inode = self.find(from)?;
        let (folder, name) = self.place(to)?;
        if self.child(folder, &name)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.file(inode)?;
        self.change(vec![Change { folder, name, to: Some(inode) }]);
        Ok(())
    }

    pub(super) fn rename(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let inode = self.find(from)?;
        let (old_folder, old_name) = self.place(from)?;
        let (folder, name) = self.place(to)?;
        if self.child(folder, &name)? == Some(inode) {
            return Ok(());
        }
        let gone = Change { folder: old_folder, name: old_name, to: None };
        self.change(vec![gone, Change { folder, name, to: Some(inode) }]);
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &Path) -> io::Result<()> {
        let inode = self.find(path)?;
        self.file(inode)?;
        let (folder, name) = self.place(path)?;
        self.change(vec![Change { folder, name, to: None }]);
        Ok(())
    }

    pub(super) fn sync_folder(&mut self, path: &Path) -> io::Result<()> {
        let inode = self.find(path)?;
        self.entries(inode)?;
        let folders = self.folders_settled_with(inode);
        let (settled, pending) = std::mem::take(&mut self.pending)
            .into_iter()
            .partition::<Vec<_>, _>(|op| op.iter().any(|change| folders.contains(&change.folder)));
        self.pending = pending;
        for op in settled {
            self.settle(op);
        }
        Ok(())
    }

    /// A rename between folders takes with it what is pending in the other one.
    fn folders_settled_with(&self, inode: Inode) -> BTreeSet<Inode> {
        let mut folders = BTreeSet::from([inode]);
        let mut known = 0;
        while known < folders.len() {
            known = folders.len();
            for op in &self.pending {
                if op.iter().any(|change| folders.contains(&change.folder)) {
                    folders.extend(op.iter().map(|change| change.folder));
                }
            }
        }
        folders
    }

    /// The power went: names first, then the bytes of what still has one.
    pub(super) fn crash(&mut self, seed: &mut Seeded) {
        let pending = std::mem::take(&mut self.pending);
        let prefix = seed.below(pending.len() + 1);
        let mode = seed.below(4);
        for (n, op) in pending.into_iter().enumerate() {
            let is_kept = match mode {
                0 => false,
                1 => true,
                2 => n < prefix,
                _ => seed.flip(),
            };
            if is_kept {
                self.settle(op);
            }
        }
        self.forget_what_is_not_durable();
        for node in self.nodes.values_mut() {
            if let Node::File(file) = node {
                file.crash(seed);
            }
        }
    }

    fn forget_what_is_not_durable(&mut self) {
        let mut old = std::mem::take(&mut self.nodes);
        let mut open = vec![ROOT];
        while let Some(inode) = open.pop() {
            let node = match old.remove(&inode) {
                Some(Node::Folder(_)) => Node::Folder(self.durable_entries(inode)),
                Some(file) => file,
                // met already, under another name
                None => continue,
            };
            if let Node::Folder(entries) = &node {
                open.extend(entries.values());
            }
            self.nodes.insert(inode, node);
        }
        self.durable.retain(|(folder, _), _| self.nodes.contains_key(folder));
    }

    fn durable_entries(&self, folder: Inode) -> BTreeMap<String, Inode> {
        let entries = self.durable.range((folder, String::new())..(folder + 1, String::new()));
        entries.map(|((_, name), inode)| (name.clone(), *inode)).collect()
    }

    fn settle(&mut self, op: Vec<Change>) {
        for Change { folder, name, to } in op {
            match to {
                Some(inode) => self.durable.insert((folder, name), inode),
                None => self.durable.remove(&(folder, name)),
            };
        }
    }

    fn change(&mut self, op: Vec<Change>) {
        for Change { folder, name, to } in &op {
            if let Some(Node::Folder(entries)) = self.nodes.get_mut(folder) {
                match to {
                    Some(inode) => entries.insert(name.clone(), *inode),
                    None => entries.remove(name),
                };
            }
        }
        self.pending.push(op);
    }

    fn add(&mut self, node: Node) -> Inode {
        self.last += 1;
        self.nodes.insert(self.last, node);
        self.last
    }

    fn entries(&self, inode: Inode) -> io::Result<&BTreeMap<String, Inode>> {
        match self.nodes.get(&inode) {
            Some(Node::Folder(entries)) => Ok(entries),
            _ => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    fn child(&self, folder: Inode, name: &str) -> io::Result<Option<Inode>> {
        Ok(self.entries(folder)?.get(name).copied())
    }

    /// The folder a path stands in, and its name there.
    fn place(&self, path: &Path) -> io::Result<(Inode, String)> {
        let mut parts = parts(path)?;
        let name = parts.pop().ok_or(io::ErrorKind::InvalidInput)?;
        let folder = parts.iter().try_fold(ROOT, |at, name| self.child(at, name)?.ok_or_else(not_found))?;
        Ok((folder, name))
    }
}

/// The hand that reaches in past all rules: what a test, or a person with an editor, does.
impl Tree {
    pub(super) fn read(&self, path: &Path) -> Option<Vec<u8>> {
        match self.nodes.get(&self.find(path).ok()?)? {
            Node::File(file) => Some(file.seen().to_vec()),
            Node::Folder(_) => None,
        }
    }

    pub(super) fn put(&mut self, path: &Path, bytes: &[u8]) {
        let _ = path.parent().map(|parent| self.create_folders(parent));
        let _ = self.create_file(path);
        self.settle_all();
        if let Some(Node::File(file)) = self.find(path).ok().and_then(|inode| self.nodes.get_mut(&inode)) {
            *file = FileData::durable(bytes);
        }
    }

    pub(super) fn delete(&mut self, path: &Path) {
        if let Ok((folder, name)) = self.place(path) {
            self.change(vec![Change { folder, name, to: None }]);
            self.settle_all();
        }
    }

    pub(super) fn files(&self, under: &Path) -> Vec<PathBuf> {
        let mut found = Vec::new();
        for name in self.names(under).unwrap_or_default() {
            let path = under.join(name);
            match self.find(&path).ok().and_then(|inode| self.nodes.get(&inode)) {
                Some(Node::Folder(_)) => found.extend(self.files(&path)),
                _ => found.push(path),
            }
        }
        found
    }

    fn settle_all(&mut self) {
        for op in std::mem::take(&mut self.pending) {
            self.settle(op);
        }
    }
}

fn parts(path: &Path) -> io::Result<Vec<String>> {
    let mut parts = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => {
                parts.push(name.to_str().ok_or(io::ErrorKind::InvalidInput)?.to_owned());
            }
            Component::RootDir | Component::CurDir => {}
            _ => return Err(io::ErrorKind::InvalidInput.into()),
        }
    }
    Ok(parts)
}

fn not_found() -> io::Error {
    io::ErrorKind::NotFound.into()
}
