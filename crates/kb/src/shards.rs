//! The folders of shards on disk.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::error::KbError;
use crate::records::ShardEntry;

const FOLDER: &str = "index";

/// Where a shard of this name is.
pub(crate) fn path(folder: &Path, name: &str) -> PathBuf {
    folder.join(FOLDER).join(name)
}

/// An empty folder for a shard. Existing files belong to a discarded change.
pub(crate) fn fresh(folder: &Path, name: &str) -> Result<PathBuf, KbError> {
    let path = path(folder, name);
    remove(&path)?;
    fs::create_dir_all(&path)?;
    Ok(path)
}

/// Makes the names of the folders durable.
pub(crate) fn sync(folder: &Path) -> Result<(), KbError> {
    match fs::File::open(folder.join(FOLDER)) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        opened => Ok(opened?.sync_all()?),
    }
}

/// Deletes the folders that no longer are, or never became, part of the index. A folder that cannot
/// be deleted is left for the next time.
pub(crate) fn sweep(folder: &Path, kept: &[ShardEntry]) {
    let entries = fs::read_dir(folder.join(FOLDER)).into_iter().flatten().flatten();
    let is_kept = |name| kept.iter().any(|shard| name == shard.name.as_str());
    for entry in entries.filter(|entry| !is_kept(entry.file_name())) {
        let _ = fs::remove_dir_all(entry.path());
    }
}

fn remove(path: &Path) -> Result<(), KbError> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error.into()),
        _ => Ok(()),
    }
}
