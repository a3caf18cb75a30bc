//! A secret key in a file. The first process creates it; every other process reads the same key.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::error::StoreError;

/// Bytes of a key.
pub const KEY_BYTES: usize = 32;

/// The key at `path`. If the file does not exist, a random key is created, readable only by its
/// owner. The file is written as a whole or not at all; if two processes create it concurrently,
/// the first one's key stays.
pub fn load_or_make(path: &Path) -> Result<[u8; KEY_BYTES], StoreError> {
    let unwritable = |error: io::Error| StoreError::Unwritable {
        why: format!("the key {} cannot be made: {error}", path.display()),
    };
    match read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            make(path).map_err(unwritable)?;
            read(path)
        }
        found => found,
    }
    .map_err(|error| StoreError::Unreadable {
        why: format!("the key {} cannot be read: {error}", path.display()),
    })
}

fn read(path: &Path) -> io::Result<[u8; KEY_BYTES]> {
    let bytes = fs::read(path)?;
    bytes.try_into().map_err(|bytes: Vec<u8>| {
        io::Error::other(format!("expected {KEY_BYTES} bytes, found {}", bytes.len()))
    })
}

fn make(path: &Path) -> io::Result<()> {
    let mut key = [0; KEY_BYTES];
    getrandom::fill(&mut key).map_err(io::Error::other)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    // Temporary files are readable only by their owner, and a rename keeps the permissions.
    let mut file = NamedTempFile::new_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(&key)?;
    file.as_file().sync_all()?;
    match file.persist_noclobber(path) {
        Ok(_) => Ok(()),
        Err(error) if error.error.kind() == ErrorKind::AlreadyExists => Ok(()),
        Err(error) => Err(error.error),
    }
}

#[cfg(test)]
#[path = "key_tests.rs"]
mod tests;
