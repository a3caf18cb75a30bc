//! A tools folder with other texts of some of its files, to be checked before they are written.

use std::collections::BTreeMap;
use std::fmt;

use super::source_tree::{DirEntry, EntryKind, Listing, ReadError, SourceTree};

/// A tools folder in which some files have another text.
pub struct Overlay<'b> {
    base: &'b dyn SourceTree,
    texts: BTreeMap<String, String>,
}

impl<'b> Overlay<'b> {
    pub fn new(base: &'b dyn SourceTree) -> Self {
        Self { base, texts: BTreeMap::new() }
    }

    /// Adds a file or replaces its text.
    pub fn insert(&mut self, path: impl Into<String>, text: impl Into<String>) {
        self.texts.insert(path.into(), text.into());
    }

    /// The other texts, by their path.
    pub fn texts(&self) -> &BTreeMap<String, String> {
        &self.texts
    }
}

impl fmt::Debug for Overlay<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let changed: Vec<_> = self.texts.keys().collect();
        f.debug_struct("Overlay")
            .field("base", &self.base.label())
            .field("changed", &changed)
            .finish()
    }
}

impl SourceTree for Overlay<'_> {
    fn label(&self) -> &str {
        self.base.label()
    }

    fn entries(&self, directory: &str) -> Result<Listing, ReadError> {
        let mut entries = self.base.entries(directory)?;
        let names = self.texts.keys().filter_map(|path| {
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            (folder == directory).then_some(name)
        });
        for name in names {
            if !entries.iter().flatten().any(|entry| entry.name == name) {
                entries.push(Ok(DirEntry { name: name.to_owned(), kind: EntryKind::File }));
            }
        }
        Ok(entries)
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.texts.get(path) {
            Some(text) => Ok(text.as_bytes().to_vec()),
            None => self.base.read(path, limit),
        }
    }

    fn read_project(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        match self.texts.contains_key(path) {
            true => self.read(path, limit),
            false => self.base.read_project(path, limit),
        }
    }
}
