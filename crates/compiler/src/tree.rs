//! Where tools are read from: a folder on disk, or files held in memory.
//!
//! Paths are relative to the tools folder, with forward slashes.

mod folder;
mod memory;

pub use folder::Folder;
pub use memory::Memory;

/// What stands in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    pub name: String,
    pub kind: EntryKind,
}

/// What an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
}

/// A directory's listing: each entry, or the name of one that could not be looked at and why.
pub type Listing = Vec<Result<DirEntry, (String, ReadError)>>;

/// Why something could not be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    NotFound,
    /// A symbolic link that leads in circles or out of the tools folder.
    BadLink(String),
    TooLarge {
        bytes: u64,
        limit: u64,
    },
    Other(String),
}

/// A place with tool directories in it.
pub trait SourceTree: Sync {
    /// How the tools folder is called in messages: `tools`.
    fn label(&self) -> &str;

    /// The entries of a directory, sorted by name; `""` is the tools folder.
    fn entries(&self, directory: &str) -> Result<Listing, ReadError>;

    /// The bytes of a file, refused unread when there are more than `limit`.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// The name to show for a path.
    fn display(&self, path: &str) -> String {
        match (self.label(), path) {
            (label, "") => label.to_owned(),
            ("", path) => path.to_owned(),
            (label, path) => format!("{label}/{path}"),
        }
    }
}
