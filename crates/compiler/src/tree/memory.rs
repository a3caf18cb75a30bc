//! Files held in memory: a git tree, or files of a test.

use std::collections::BTreeMap;
use std::ops::Bound;

use super::source_tree::{DirEntry, EntryKind, Listing, ReadError, SourceTree};

/// A tools folder in memory.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    label: String,
    files: BTreeMap<String, Vec<u8>>,
}

impl Memory {
    /// An empty folder.
    pub fn new(label: impl Into<String>) -> Self {
        Self { label: label.into(), files: BTreeMap::new() }
    }

    /// Adds or replaces a file. A path that begins with `../` is a file of the project above the
    /// tools folder.
    pub fn insert(&mut self, path: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(path.into(), bytes.into());
    }

    /// With that file.
    #[must_use]
    pub fn with(mut self, path: &str, text: &str) -> Self {
        self.insert(path, text);
        self
    }

    /// Without that file.
    #[must_use]
    pub fn without(mut self, path: &str) -> Self {
        self.files.remove(path);
        self
    }
}

impl SourceTree for Memory {
    fn label(&self) -> &str {
        &self.label
    }

    fn entries(&self, directory: &str) -> Result<Listing, ReadError> {
        let prefix = if directory.is_empty() { String::new() } else { format!("{directory}/") };
        let range = (Bound::Included(prefix.clone()), Bound::Unbounded);
        let mut entries: Vec<DirEntry> = Vec::new();
        for path in self.files.range(range).map(|(path, _)| path) {
            let Some(rest) = path.strip_prefix(&prefix) else { break };
            if rest.starts_with("../") {
                continue;
            }
            let (name, kind) = match rest.split_once('/') {
                Some((name, _)) => (name, EntryKind::Directory),
                None => (rest, EntryKind::File),
            };
            if entries.last().is_none_or(|last| last.name != name) {
                entries.push(DirEntry { name: name.to_owned(), kind });
            }
        }
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries.into_iter().map(Ok).collect())
    }

    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        let bytes = self.files.get(path).ok_or(ReadError::NotFound)?;
        let size = bytes.len() as u64;
        if size > limit {
            return Err(ReadError::TooLarge { bytes: size, limit });
        }
        Ok(bytes.clone())
    }
    fn read_project(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        self.read(path, limit)
    }
}
