//! The files of the page, embedded in the program or read from a folder. It speaks no HTTP.
//!
//! `web/` has the sources. `cargo xtask page` builds them into `dist`, with compressed copies and names that
//! contain a hash, and the repository contains the result: building and running the program needs no Node.

#![forbid(unsafe_code)]

mod built_in;
mod content_type;
mod fingerprint;
mod folder;

use std::borrow::Cow;
use std::path::PathBuf;

pub use folder::{FolderError, PageFolder};

/// The file that every view of the page begins with.
const INDEX: &str = "index.html";

/// The folder of files whose names contain a hash of their content.
const HASHED: &str = "assets/";

/// The source of the page's files.
#[derive(Debug, Clone, Default)]
pub enum Page {
    /// The files in the program.
    #[default]
    BuiltIn,
    /// The files of a folder, read at each request, for the development of the page.
    Folder(PageFolder),
}

/// A file of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFile {
    pub content_type: &'static str,
    /// Differs if the content differs.
    pub fingerprint: Cow<'static, str>,
    pub cache: CacheRule,
    pub identity: Cow<'static, [u8]>,
    /// The file compressed with brotli.
    pub brotli: Option<&'static [u8]>,
    /// The file compressed with gzip.
    pub gzip: Option<&'static [u8]>,
}

/// How long a browser may use a file without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CacheRule {
    /// The name contains a hash of the content, so the content never changes.
    Immutable,
    /// The browser asks each time whether the file has changed.
    Revalidate,
}

impl CacheRule {
    fn of(path: &str) -> Self {
        if path.starts_with(HASHED) { Self::Immutable } else { Self::Revalidate }
    }
}

impl Page {
    /// The page in a folder with an `index.html`.
    pub fn in_folder(path: PathBuf) -> Result<Self, FolderError> {
        PageFolder::new(path).map(Self::Folder)
    }

    /// The first file of every view; `None` if it was removed from the folder.
    pub fn index(&self) -> Option<PageFile> {
        self.find(INDEX)
    }

    /// The file at a path without a leading slash: `assets/index-B3cD.js`.
    pub fn find(&self, path: &str) -> Option<PageFile> {
        match self {
            Self::BuiltIn => built_in::find(path),
            Self::Folder(folder) => folder.find(path),
        }
    }

    /// Differs if any file differs. A page that is open in a browser compares it to find out that it is old.
    pub fn version(&self) -> Cow<'static, str> {
        match self {
            Self::BuiltIn => Cow::Borrowed(built_in::version()),
            Self::Folder(_) => self.index().map(|index| index.fingerprint).unwrap_or_default(),
        }
    }
}
