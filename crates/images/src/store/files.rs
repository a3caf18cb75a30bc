//! The files of the store: written whole, found by name, deleted when nothing needs them.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use aileron_capability::CapabilityFault;

use super::unavailable;

/// The prefix of a file's name while it is written.
const MAKING: &str = ".making-";

/// A file that is still being written after so long belongs to a process that has ended.
const LONGEST_WRITE_MS: i64 = 3_600_000;

/// Puts a file into place, whole and durable. A file of that name has the same content; its time is
/// renewed, so that no other process deletes it.
pub(super) fn write(folder: &Path, name: &str, bytes: &[u8]) -> Result<(), CapabilityFault> {
    let path = folder.join(name);
    if let Ok(file) = File::options().write(true).open(&path) {
        return file.set_modified(SystemTime::now()).map_err(|error| fault(&path, &error));
    }
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(MAKING).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(&path).map_err(|error| error.error)?;
        // The name is durable once its folder is synchronised.
        File::open(folder)?.sync_all()
    });
    written.map_err(|error| fault(&path, &error))
}

pub(super) fn read(folder: &Path, name: &str) -> Result<Option<Vec<u8>>, CapabilityFault> {
    let path = folder.join(name);
    match fs::read(&path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(fault(&path, &error)),
    }
}

/// Deletes files that no row names and that are old enough, and files that were never completed. A
/// file that cannot be deleted is tried again next time.
pub(super) fn sweep(folder: &Path, kept: &BTreeSet<String>, oldest_ms: i64, now_ms: i64) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name().to_string_lossy().into_owned();
        let hash = name.split('.').next().unwrap_or_default();
        let oldest_ms = match hash.len() == 64 && !kept.contains(hash) {
            true => oldest_ms,
            false if name.starts_with(MAKING) => now_ms.saturating_sub(LONGEST_WRITE_MS),
            false => continue,
        };
        let oldest = Duration::from_millis(u64::try_from(oldest_ms).unwrap_or_default());
        let modified = entry.metadata().and_then(|data| data.modified()).ok();
        let age = modified.and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        if age.is_some_and(|age| age < oldest) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn fault(path: &Path, error: &std::io::Error) -> CapabilityFault {
    unavailable(&format!("`{}` cannot be used: {error}", path.display()))
}
