//! Puts a file into place whole: a process that is killed leaves it, or nothing.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use aileron_runtime::capability::Fault;

use super::disk;

pub(super) fn atomic(path: &Path, bytes: &[u8]) -> Result<(), Fault> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut file = tempfile::Builder::new().prefix(".making-").tempfile_in(folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(path).map_err(|error| error.error)?;
        // The name is on the disk once its folder is.
        File::open(folder)?.sync_all()
    });
    written.map_err(|error| disk(path, &error))
}
