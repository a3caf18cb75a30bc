//! Puts a file into place whole: a process that is killed leaves it, or nothing.

use std::fs::{self, DirEntry, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use aileron_capability::CapabilityFault;

use super::disk;

/// What the name of a file begins with while it is written.
const MAKING: &str = ".making-";

/// Whoever writes a file for so long has ended before it was whole.
const LONGEST_WRITE: Duration = Duration::from_secs(3600);

/// Writes a file, and takes away what others left half written beside it.
pub(super) fn atomic(path: &Path, bytes: &[u8]) -> Result<(), CapabilityFault> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(MAKING).tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        // The name is on the disk once its folder is.
        File::open(folder)?.sync_all()
    });
    sweep(folder);
    written.map_err(|error| disk(path, &error))
}

/// Best effort: what cannot be deleted is met again next time.
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
