//! Where tools are read from: a folder on disk, files held in memory, or either with changes.

mod folder;
mod memory;
mod overlay;
mod source_tree;

pub use folder::Folder;
pub use memory::Memory;
pub use overlay::Overlay;
pub use source_tree::{DirEntry, EntryKind, Listing, ReadError, SourceTree};
