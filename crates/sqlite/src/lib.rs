//! Opens database files with SQLite. Several processes may create the same file concurrently; each
//! waits until it exists. `schema` migrates an older file and refuses a newer one, in the same way
//! for all databases. This crate knows no tables.

#![forbid(unsafe_code)]

mod schema;

use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

/// Pause between two attempts while another process holds the lock.
const PAUSE: Duration = Duration::from_millis(2);

/// Switches a file to the write-ahead log, so that readers do not block on the writer. Returns the
/// journal mode in effect, because not every file system supports the log. SQLite ignores the busy
/// timeout here and would refuse all but one of several processes that create a file concurrently,
/// so this retries up to the given time.
#[expect(clippy::disallowed_methods, reason = "SQLite gives nothing to wait for but time")]
pub fn use_log(connection: &Connection, patience: Duration) -> rusqlite::Result<String> {
    let began = Instant::now();
    loop {
        let switched = connection.query_row("PRAGMA journal_mode = WAL", [], |row| row.get(0));
        match switched {
            Err(error) if is_taken(&error) && began.elapsed() < patience => thread::sleep(PAUSE),
            switched => return switched,
        }
    }
}

pub use schema::{Schema, SchemaError};

/// The header fields of a database file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHeader {
    /// The `application_id`; 0 if not set.
    pub application: i64,
    pub version: i64,
    /// Tables, indexes and triggers.
    pub items: i64,
}

/// Reads the fields in one transaction, so that a file that another process is creating is either
/// empty or complete.
pub fn read_header(connection: &Connection) -> rusqlite::Result<FileHeader> {
    let sql = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
               FROM pragma_application_id, pragma_user_version";
    connection.query_row(sql, [], |row| {
        Ok(FileHeader { application: row.get(0)?, version: row.get(1)?, items: row.get(2)? })
    })
}

fn is_taken(error: &rusqlite::Error) -> bool {
    use ErrorCode::{DatabaseBusy, DatabaseLocked};
    matches!(error.sqlite_error_code(), Some(DatabaseBusy | DatabaseLocked))
}

#[cfg(test)]
#[path = "lib_tests.rs"]
mod tests;
