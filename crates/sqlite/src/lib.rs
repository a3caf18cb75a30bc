//! Opens database files with SQLite. Several processes may create the same file concurrently; each
//! waits until it exists. `schema` migrates an older file and refuses a newer one, in the same way
//! for all databases. This crate knows no tables.

#![forbid(unsafe_code)]

mod schema;

use std::thread;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode};

/// How long one who has to wait for another waits before looking again.
const PAUSE: Duration = Duration::from_millis(2);

/// Switches a file to the write-ahead log, so that readers go on beside the writer; says which journal it
/// has, since not every file system can have that one. SQLite does not wait for its turn here, whatever
/// the connection's busy timeout: of several who make a file at once, all but one would be refused. This
/// waits as long as it is told to.
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

/// What a file says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileHeader {
    /// Whose it is; 0 if nobody said.
    pub application: i64,
    pub version: i64,
    /// Tables, indexes and triggers.
    pub items: i64,
}

/// Reads the marks of one moment, so that a file which another is making is either empty or made.
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
