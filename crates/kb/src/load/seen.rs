//! The ids of one load and where each was first, in 20 to 40 bytes an id: their hashes are kept,
//! not the ids. The probability that two of a million ids share a hash is one in 30 million.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::{Path, PathBuf};

use super::SourceLine;

/// The ids that were read so far.
#[derive(Debug, Default)]
pub(super) struct SeenIds {
    places: HashMap<u64, SourceSpot>,
    hasher: RandomState,
    files: Files,
}

/// A file by its number, and a line. Lines past four billion share the last number.
#[derive(Debug, Clone, Copy)]
struct SourceSpot {
    file: u32,
    line: u32,
}

impl SeenIds {
    /// Records an id, or returns where it was before.
    pub(super) fn insert(&mut self, id: &str, file: &Path, line: u64) -> Result<(), SourceLine> {
        let hash = self.hasher.hash_one(id);
        match self.places.entry(hash) {
            Entry::Occupied(first) => Err(self.files.place(*first.get())),
            Entry::Vacant(free) => {
                let line = u32::try_from(line).unwrap_or(u32::MAX);
                free.insert(SourceSpot { file: self.files.number(file), line });
                Ok(())
            }
        }
    }
}

/// The files that ids were read from: every folder once, and the names below it.
#[derive(Debug, Default)]
struct Files {
    folders: Vec<PathBuf>,
    names: Vec<(u32, OsString)>,
}

impl Files {
    /// The number of a file. Files come one after the other, so only the last one is compared.
    fn number(&mut self, file: &Path) -> u32 {
        let folder = file.parent().unwrap_or(Path::new(""));
        let name = file.file_name().unwrap_or_default();
        if self.folders.last().is_none_or(|last| last != folder) {
            self.folders.push(folder.to_owned());
        }
        let folder = number_of_last(self.folders.len());
        if self.names.last().is_none_or(|last| last.0 != folder || last.1 != name) {
            self.names.push((folder, name.to_owned()));
        }
        number_of_last(self.names.len())
    }

    fn place(&self, spot: SourceSpot) -> SourceLine {
        let name = self.names.get(spot.file as usize);
        let folder = name.and_then(|(folder, _)| self.folders.get(*folder as usize));
        let file = match (folder, name) {
            (Some(folder), Some((_, name))) => folder.join(name),
            _ => PathBuf::new(),
        };
        SourceLine { file, line: Some(u64::from(spot.line)) }
    }
}

fn number_of_last(count: usize) -> u32 {
    u32::try_from(count.saturating_sub(1)).unwrap_or(u32::MAX)
}
