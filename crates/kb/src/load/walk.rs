//! The files below the given paths, in sorted order, links followed, loops not.
//! Reading the files is left to others.
//!
//! Only the names in the folders that are open are held, so that a folder of a
//! million files costs their names once.

use std::collections::{BTreeSet, HashSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs::{self, Metadata};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use super::{ENDINGS, FileFormat, RejectedRecord, SourceLine};

/// One step of the walk.
#[derive(Debug)]
pub(super) enum WalkEntry {
    File { path: PathBuf, format: FileFormat, metadata: Metadata },
    Refused(RejectedRecord),
    Skipped(PathBuf),
}

/// Whether a path was named by the user or found in a folder.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    Named,
    Listed,
}

/// A walk over files and folders.
#[derive(Debug)]
pub(super) struct FileWalk {
    named: VecDeque<PathBuf>,
    open: Vec<Folder>,
    /// Hashes of the true paths of all folders that were opened.
    visited: HashSet<u64>,
    hasher: RandomState,
    faults: VecDeque<RejectedRecord>,
}

/// A folder and its remaining names, in order.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    names: std::vec::IntoIter<OsString>,
}

impl FileWalk {
    pub(super) fn new(paths: &[PathBuf]) -> Self {
        Self {
            named: paths.iter().cloned().collect(),
            open: Vec::new(),
            visited: HashSet::new(),
            hasher: RandomState::new(),
            faults: VecDeque::new(),
        }
    }

    fn next_path(&mut self) -> Option<(PathBuf, Origin)> {
        while let Some(folder) = self.open.last_mut() {
            if let Some(name) = folder.names.next() {
                return Some((folder.path.join(name), Origin::Listed));
            }
            self.open.pop();
        }
        self.named.pop_front().map(|path| (path, Origin::Named))
    }

    /// The file or fault at a path; none for a folder, whose files come next.
    fn look(&mut self, path: PathBuf, origin: Origin) -> Option<WalkEntry> {
        match fs::metadata(&path) {
            Err(error) => Some(refused(&path, unreachable_reason(&path, &error))),
            Ok(metadata) if metadata.is_dir() => self.enter(path),
            Ok(metadata) => Some(file(path, metadata, origin)),
        }
    }

    fn enter(&mut self, path: PathBuf) -> Option<WalkEntry> {
        let real = match fs::canonicalize(&path) {
            Ok(real) => real,
            Err(error) => return Some(refused(&path, unreadable_folder(&error))),
        };
        if !self.visited.insert(self.hasher.hash_one(real)) {
            return Some(WalkEntry::Skipped(path));
        }
        match self.list(&path) {
            Ok(names) => self.open.push(Folder { path, names: names.into_iter() }),
            Err(error) => return Some(refused(&path, unreadable_folder(&error))),
        }
        None
    }

    /// The visible names in a folder, sorted. An entry that cannot be read is a separate fault.
    fn list(&mut self, path: &Path) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        let mut faults = BTreeSet::new();
        for entry in fs::read_dir(path)? {
            match entry {
                Ok(entry) if is_hidden(&entry.file_name()) => {}
                Ok(entry) => names.push(entry.file_name()),
                Err(error) => drop(faults.insert(unreadable_folder(&error))),
            }
        }
        let place = || SourceLine::whole(path);
        self.faults
            .extend(faults.into_iter().map(|reason| RejectedRecord { place: place(), reason }));
        names.sort_unstable();
        Ok(names)
    }
}

impl Iterator for FileWalk {
    type Item = WalkEntry;

    fn next(&mut self) -> Option<WalkEntry> {
        loop {
            if let Some(fault) = self.faults.pop_front() {
                return Some(WalkEntry::Refused(fault));
            }
            let (path, origin) = self.next_path()?;
            if let Some(found) = self.look(path, origin) {
                return Some(found);
            }
        }
    }
}

/// A file in a folder may have any type; a file that was named explicitly is always read.
fn file(path: PathBuf, metadata: Metadata, origin: Origin) -> WalkEntry {
    match (FileFormat::of(&path), origin) {
        (Some(format), _) if metadata.is_file() => WalkEntry::File { path, format, metadata },
        (Some(_), _) => {
            refused(&path, "expected a file, found a pipe, a socket or a device".into())
        }
        (None, Origin::Listed) => WalkEntry::Skipped(path),
        (None, Origin::Named) => refused(
            &path,
            format!("expected a file whose name ends in {ENDINGS}, found another one"),
        ),
    }
}

fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".")
}

fn refused(path: &Path, reason: String) -> WalkEntry {
    WalkEntry::Refused(RejectedRecord { place: SourceLine::whole(path), reason })
}

fn unreachable_reason(path: &Path, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound if path.is_symlink() => {
            "expected a file or folder, found a broken link".to_owned()
        }
        io::ErrorKind::NotFound => "expected a file or folder, found nothing".to_owned(),
        _ => format!("expected a file or folder, found none that can be read: {error}"),
    }
}

fn unreadable_folder(error: &io::Error) -> String {
    format!("the folder could not be read: {error}")
}

#[cfg(test)]
#[path = "walk_tests.rs"]
mod tests;
