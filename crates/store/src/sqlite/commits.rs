//! The number of commits, counted in the database and in a small file beside it.
//!
//! The file is written after each commit and never synced, so its count is never ahead of the
//! database's. If it is, a part of the database is lost: the database was truncated, its
//! write-ahead log was removed, or an older copy replaced it.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rusqlite::Connection;

use super::fault;
use super::rows::unsigned;
use crate::error::StoreError;

/// The number of digits of the largest count.
const DIGITS: usize = 20;

/// The file beside the database.
pub(super) struct Counter {
    /// `None` if it cannot be written; then lost commits are not detected.
    file: Option<File>,
}

fn path_beside(database: &Path) -> PathBuf {
    let mut path = OsString::from(database.as_os_str());
    path.push(".commits");
    PathBuf::from(path)
}

/// The number of commits according to the file beside the database; 0 if there is no file.
pub(super) fn made(database: &Path) -> u64 {
    let text = fs::read_to_string(path_beside(database)).unwrap_or_default();
    text.trim().parse().unwrap_or(0)
}

/// Checks that the database has at least as many commits as the file counted.
pub(super) fn check(database: &Path, found: u64, made: u64) -> Result<(), StoreError> {
    if found >= made {
        return Ok(());
    }
    let (path, counter) = (database.to_owned(), path_beside(database));
    Err(StoreError::Rewound { path, counter, made, found })
}

/// The number of commits according to the database.
pub(super) fn found(connection: &Connection) -> Result<u64, StoreError> {
    let found = connection.query_row("SELECT made FROM commits", [], |row| unsigned(row, 0));
    found.map_err(|error| fault::reading(&error))
}

/// Counts the transaction, if it changes anything; returns its number.
pub(super) fn count(connection: &Connection, before: u64) -> rusqlite::Result<Option<u64>> {
    if connection.total_changes() == before {
        return Ok(None);
    }
    let sql = "UPDATE commits SET made = made + 1 RETURNING made";
    connection.prepare_cached(sql)?.query_row([], |row| unsigned(row, 0)).map(Some)
}

impl Counter {
    pub(super) fn open(database: &Path) -> Self {
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        Self { file: options.open(path_beside(database)).ok() }
    }

    /// Writes the count to the file. Best effort: with a count that is too small, fewer losses are
    /// detected.
    pub(super) fn note(&mut self, made: u64) {
        let Some(file) = &mut self.file else { return };
        let line = format!("{made:0DIGITS$}\n");
        let _ = file.seek(SeekFrom::Start(0)).and_then(|_| file.write_all(line.as_bytes()));
    }
}
