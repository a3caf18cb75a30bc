//! Where tools are read from: a folder on disk, or files held in memory.

mod folder;
mod memory;
mod source_tree;

pub use folder::Folder;
pub use memory::Memory;
pub use source_tree::{DirEntry, EntryKind, Listing, ReadError, SourceTree};
