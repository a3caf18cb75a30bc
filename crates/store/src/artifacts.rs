//! The artifacts of registries that conversations began with, in a folder beside the store: one
//! file each, named by its content hash. The code that loads an artifact verifies its content.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use aileron_contract::ContentHash;
use tempfile::NamedTempFile;

use crate::error::StoreError;

/// How many digits of the hash a version shows.
const SHOWN: usize = 8;

/// A folder of artifacts.
#[derive(Debug, Clone)]
pub struct Artifacts(PathBuf);

impl Artifacts {
    /// The folder that belongs to the store at this path.
    pub fn beside(store: &Path) -> Self {
        let folder = store.parent().unwrap_or(Path::new(""));
        Self(folder.join("registries"))
    }

    pub fn folder(&self) -> &Path {
        &self.0
    }

    /// Stores the text of an artifact, as a whole or not at all.
    pub fn keep(&self, hash: &ContentHash, text: &str) -> Result<(), StoreError> {
        let path = self.0.join(format!("{}.json", digits(hash.as_str())));
        let keep = || {
            fs::create_dir_all(&self.0)?;
            if fs::read_to_string(&path).is_ok_and(|kept| kept == text) {
                return Ok(());
            }
            let mut file = NamedTempFile::new_in(&self.0)?;
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path).map(drop).map_err(|error| error.error)
        };
        keep().map_err(|error: io::Error| StoreError::Unwritable {
            why: format!("the artifact {} cannot be kept: {error}", path.display()),
        })
    }

    /// The artifacts that may have this version, each with its file.
    pub fn find(&self, version: &str) -> Result<Vec<(PathBuf, String)>, StoreError> {
        let unreadable = |path: &Path, error: io::Error| StoreError::Unreadable {
            why: format!("the artifact {} cannot be read: {error}", path.display()),
        };
        let mut found = Vec::new();
        for path in self.files().into_iter().filter(|path| shown(path) == version_digits(version)) {
            let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, error))?;
            found.push((path, text));
        }
        Ok(found)
    }

    /// Whether there is an artifact of a version that is not among these.
    pub fn has_others(&self, versions: &BTreeSet<String>) -> bool {
        let is_one = |path: &PathBuf| versions.iter().any(|it| shown(path) == version_digits(it));
        !self.files().iter().all(is_one)
    }

    /// Removes the artifacts of versions that no conversation needs; returns how many.
    pub fn prune(&self, needed: &BTreeSet<String>) -> usize {
        let is_needed =
            |path: &PathBuf| needed.iter().any(|version| shown(path) == version_digits(version));
        let old = self.files().into_iter().filter(|path| !is_needed(path));
        // A file that cannot be removed is tried again at the next start.
        old.filter(|path| fs::remove_file(path).is_ok()).count()
    }

    fn files(&self) -> Vec<PathBuf> {
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => return Vec::new(),
            Err(error) => {
                let folder = self.0.display();
                tracing::warn!(%folder, %error, "The folder of artifacts cannot be read.");
                return Vec::new();
            }
        };
        let paths = entries.flatten().map(|entry| entry.path());
        paths.filter(|path| path.extension() == Some(OsStr::new("json"))).collect()
    }
}

/// The hash without the name of its algorithm.
fn digits(hash: &str) -> &str {
    hash.rsplit(':').next().unwrap_or(hash)
}

/// The digits of a file's hash that a version shows.
fn shown(path: &Path) -> Option<&str> {
    path.file_stem().and_then(OsStr::to_str).and_then(|hash| hash.get(..SHOWN))
}

/// Returns `3f9a1c22` for `1.0.3f9a1c22`.
fn version_digits(version: &str) -> Option<&str> {
    version.rsplit('.').next()
}

#[cfg(test)]
#[path = "artifacts_tests.rs"]
mod tests;
