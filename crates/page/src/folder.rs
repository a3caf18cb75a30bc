//! Files of a folder, read at each request: a page in development changes while the server runs.

use std::borrow::Cow;
use std::fmt;
use std::path::{Component, Path, PathBuf};

use crate::fingerprint::Fingerprint;
use crate::{CacheRule, INDEX, PageFile, content_type};

/// A folder with a built page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFolder {
    /// Without symbolic links, so that a path can be compared with it.
    root: PathBuf,
}

/// A folder without a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FolderError {
    NoFolder(PathBuf, String),
    NoIndex(PathBuf),
}

impl fmt::Display for FolderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFolder(path, error) => {
                write!(f, "{} cannot be read as the folder of the page: {error}", path.display())
            }
            Self::NoIndex(path) => write!(
                f,
                "expected the built page in {}, found no index.html there; `cargo xtask page` \
                 builds it into crates/page/dist",
                path.display()
            ),
        }
    }
}

impl std::error::Error for FolderError {}

impl PageFolder {
    pub(crate) fn new(path: PathBuf) -> Result<Self, FolderError> {
        match path.canonicalize() {
            Ok(root) if root.join(INDEX).is_file() => Ok(Self { root }),
            Ok(_) => Err(FolderError::NoIndex(path)),
            Err(error) => Err(FolderError::NoFolder(path, error.to_string())),
        }
    }

    /// A path that leads out of the folder, also by a symbolic link, finds nothing.
    pub(crate) fn find(&self, path: &str) -> Option<PageFile> {
        if path.contains('\\') || !is_plain(Path::new(path)) {
            return None;
        }
        let file = self.root.join(path).canonicalize().ok()?;
        if !file.starts_with(&self.root) || !file.is_file() {
            return None;
        }
        let bytes = std::fs::read(&file).ok()?;
        let mut fingerprint = Fingerprint::default();
        fingerprint.add(&bytes);
        Some(PageFile {
            content_type: content_type::of(path),
            fingerprint: Cow::Owned(fingerprint.to_string()),
            cache: CacheRule::of(path),
            identity: Cow::Owned(bytes),
            brotli: None,
            gzip: None,
        })
    }
}

/// Whether a path has names only: not empty, no root, no `.` or `..`.
fn is_plain(path: &Path) -> bool {
    let mut parts = path.components().peekable();
    parts.peek().is_some() && parts.all(|part| matches!(part, Component::Normal(_)))
}

#[cfg(test)]
#[path = "folder_tests.rs"]
mod tests;
