//! Writes a file atomically: a killed process leaves the complete file or none.

use std::fs::{self, DirEntry, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use aileron_capability::CapabilityFault;

use super::disk;

/// The prefix of a file's name while it is written.
const MAKING: &str = ".making-";

/// An incomplete file older than this belongs to a process that has ended.
const LONGEST_WRITE: Duration = Duration::from_secs(3600);

/// Writes a file, and deletes incomplete files of other processes beside it.
pub(super) fn atomic(path: &Path, bytes: &[u8]) -> Result<(), CapabilityFault> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(MAKING).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        // The name is durable once its folder is synchronised.
        File::open(folder)?.sync_all()
    });
    sweep(folder);
    written.map_err(|error| disk(path, &error))
}

/// Best effort: a file that cannot be deleted is tried again next time.
fn sweep(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(MAKING) && is_left(&entry) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

fn is_left(entry: &DirEntry) -> bool {
    let modified = entry.metadata().and_then(|data| data.modified()).ok();
    modified.and_then(|at| at.elapsed().ok()).is_some_and(|age| age > LONGEST_WRITE)
}
