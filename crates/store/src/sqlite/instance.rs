//! Which processes are alive: each open store holds a lock on its own file.
//!
//! The system releases the lock when the process ends, in any way, so a killed process is known to
//! be dead at once and a slow one is never considered dead. A heartbeat would have to guess. Like
//! SQLite's write-ahead log, this needs all processes on one machine and a local file system.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::StoreError;

/// How many names are tried; the first one works unless another process cleans up at that moment.
const ATTEMPTS: usize = 16;

#[derive(Debug)]
pub(super) struct Instance {
    id: String,
    folder: PathBuf,
    /// Never read; dropping it releases the lock, which other processes see.
    _lock: File,
}

impl Instance {
    /// Creates and locks a file with a new name beside the database.
    pub(super) fn register(database: &Path) -> Result<Self, StoreError> {
        let mut folder = OsString::from(database.as_os_str());
        folder.push(".instances");
        let folder = PathBuf::from(folder);
        Self::register_in(folder.clone()).map_err(|error| StoreError::Unwritable {
            why: format!("{} cannot be written: {error}", folder.display()),
        })
    }

    fn register_in(folder: PathBuf) -> io::Result<Self> {
        fs::create_dir_all(&folder)?;
        for _ in 0..ATTEMPTS {
            let id = random_id();
            if let Some(lock) = claim(&folder.join(&id))? {
                return Ok(Self { id, folder, _lock: lock });
            }
        }
        Err(io::Error::other("no free name was found; is another process emptying the folder?"))
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    /// Whether the process of this name still has its store open.
    pub(super) fn is_alive(&self, id: &str) -> bool {
        id == self.id || is_locked(&self.folder.join(id))
    }

    /// Whether another process has its store open over this database.
    pub(super) fn has_others(&self) -> bool {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let others = files.filter(|file| file.file_name().to_str() != Some(self.id.as_str()));
        others.map(|file| file.path()).any(|path| is_locked(&path))
    }

    /// Removes the files of processes that died.
    pub(super) fn clean(&self) {
        let files = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let others = files.filter(|file| file.file_name().to_str() != Some(self.id.as_str()));
        others.for_each(|file| remove_if_dead(&file.path()));
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // Best effort: a file left behind is cleaned up by the next process.
        let _ = fs::remove_file(self.folder.join(&self.id));
    }
}

/// Creates and locks the file. Returns `None` if a cleaning process interfered: it holds the lock
/// while it removes the file, so a file that still exists is ours.
fn claim(path: &Path) -> io::Result<Option<File>> {
    let file = OpenOptions::new().write(true).create_new(true).open(path)?;
    match file.try_lock() {
        Ok(()) => Ok(path.exists().then_some(file)),
        Err(TryLockError::WouldBlock) => Ok(None),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// Whether a live process holds the lock on the file. A missing file has no owner. The probe takes
/// a shared lock, so that two concurrent probes do not mistake each other for the owner. If the
/// state cannot be read, the owner counts as alive: its calls must not run twice.
fn is_locked(path: &Path) -> bool {
    match File::open(path).map(|file| file.try_lock_shared()) {
        Ok(locked) => locked.is_err(),
        Err(error) => error.kind() != io::ErrorKind::NotFound,
    }
}

fn remove_if_dead(path: &Path) {
    let Ok(file) = OpenOptions::new().write(true).open(path) else { return };
    if file.try_lock().is_ok() {
        let _ = fs::remove_file(path);
    }
}

/// 128 bits from the system's randomness, which is what seeds the standard hasher.
fn random_id() -> String {
    let part = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", part(), part())
}

#[cfg(test)]
#[path = "instance_tests.rs"]
mod tests;
