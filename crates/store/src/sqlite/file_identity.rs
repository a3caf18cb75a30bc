//! The identity of the open database file. Writes to a file that was removed or replaced would be
//! acknowledged and then lost with the process, so that each transaction checks it first.

use std::path::{Path, PathBuf};

use crate::error::StoreError;

const REMOVED: &str = "was removed or replaced while it is open; \
                       put it back, or stop every process that uses it";

/// The path of a file and the identity it had when it was opened.
#[derive(Debug)]
pub(super) struct FileIdentity {
    path: PathBuf,
    opened: Option<(u64, u64)>,
}

impl FileIdentity {
    pub(super) fn of(path: &Path) -> Self {
        Self { path: path.to_owned(), opened: identity(path) }
    }

    /// Fails if the path names another file now, or none.
    pub(super) fn check(&self) -> Result<(), StoreError> {
        if self.opened.is_none() || self.opened == identity(&self.path) {
            return Ok(());
        }
        Err(StoreError::Unwritable { why: format!("{} {REMOVED}", self.path.display()) })
    }
}

/// Device and inode; `None` on systems without them.
#[cfg(unix)]
fn identity(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|file| (file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn identity(_: &Path) -> Option<(u64, u64)> {
    None
}
