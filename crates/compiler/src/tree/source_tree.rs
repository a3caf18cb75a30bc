//! The interface of a tools folder. Paths are relative to it, with forward slashes.

/// One entry of a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirEntry {
    pub name: String,
    pub kind: EntryKind,
}

/// The kind of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EntryKind {
    File,
    Directory,
}

/// The listing of a directory: each entry, or its name and the reason why it could not be read.
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

/// A tools folder, wherever its files are kept.
pub trait SourceTree: Sync {
    /// The name of the tools folder in messages: `tools`.
    fn label(&self) -> &str;

    /// The entries of a directory, sorted by name; `""` is the tools folder.
    fn entries(&self, directory: &str) -> Result<Listing, ReadError>;

    /// The bytes of a file, refused unread when there are more than `limit`.
    fn read(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError>;

    /// Reads a file of the project that the tools folder belongs to: `../package.json` is beside the
    /// tools folder. Files above the project's own folder are not found.
    fn read_project(&self, path: &str, limit: u64) -> Result<Vec<u8>, ReadError> {
        if path.starts_with("../") { Err(ReadError::NotFound) } else { self.read(path, limit) }
    }

    /// The name to show for a path.
    fn display(&self, path: &str) -> String {
        match (self.label(), path) {
            (label, "") => label.to_owned(),
            ("", path) => path.to_owned(),
            (label, path) => format!("{label}/{path}"),
        }
    }
}
