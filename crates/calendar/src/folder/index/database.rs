//! The database of the index: its table and its queries.

use std::fs;
use std::path::Path;
use std::time::Duration;

use aileron_capability::{CapabilityFault, FaultCode};
use aileron_sqlite::{Schema, SchemaError};
use rusqlite::{Connection, OptionalExtension, params};

use super::super::scan::{FileStamp, OnDisk};
use crate::ical::Days;

const NAME: &str = ".index.db";

/// How long to wait for a lock on the index.
const BUSY: Duration = Duration::from_secs(10);

/// An older index is emptied: its content is read from the files again.
const SCHEMA: Schema<'_> = Schema { application_id: None, steps: &["", VERSION_2] };

/// Only small files have their text in the index; others are read when they are needed.
const VERSION_2: &str = "
    DROP TABLE IF EXISTS file;
    CREATE TABLE file (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, owner TEXT, modified_ns INTEGER NOT NULL,
        len INTEGER NOT NULL, settled INTEGER NOT NULL, first_day INTEGER NOT NULL,
        last_day INTEGER NOT NULL, text TEXT);
    CREATE INDEX file_owner ON file (owner);
    CREATE INDEX file_days ON file (last_day, first_day);";

/// A file in the index.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexedFile {
    pub(super) id: i64,
    pub(super) stamp: FileStamp,
    /// Whether any later change also changes its stamp.
    pub(super) settled: bool,
}

/// The entry of a file.
#[derive(Debug)]
pub(super) struct IndexEntry {
    pub(super) settled: bool,
    /// The days of its events.
    pub(super) days: Days,
    pub(super) text: Option<String>,
}

/// A file with events on the requested days.
#[derive(Debug)]
pub(super) struct CandidateFile {
    pub(super) path: String,
    pub(super) owner: Option<String>,
    pub(super) text: Option<String>,
}

/// Opens the index. A damaged one is recreated, a newer one is refused.
pub(super) fn open(root: &Path) -> Result<Connection, CapabilityFault> {
    let path = root.join(NAME);
    match connect(&path) {
        Err(error) if is_damaged(&error) => {
            for end in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(root.join(format!("{NAME}{end}")));
            }
            connect(&path)
        }
        opened => opened,
    }
    .map_err(|error| fault(&error))
}

fn connect(path: &Path) -> Result<Connection, SchemaError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    SCHEMA.check(&connection)?;
    aileron_sqlite::use_log(&connection, BUSY)?;
    SCHEMA.migrate(&mut connection)?;
    // Entries lost in a power failure are read from the files again.
    connection.pragma_update(None, "synchronous", "NORMAL")?;
    Ok(connection)
}

fn is_damaged(error: &SchemaError) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    let SchemaError::Sqlite(error) = error else { return false };
    matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

/// A number that changes when another process changes the index.
pub(super) fn version(db: &Connection) -> Result<i64, CapabilityFault> {
    db.pragma_query_value(None, "data_version", |row| row.get(0)).map_err(|error| fault(&error))
}

/// All files, with their paths.
pub(super) fn known(db: &Connection) -> Result<Vec<(String, IndexedFile)>, CapabilityFault> {
    all(db, "SELECT path, id, modified_ns, len, settled FROM file", [], |row| {
        let stamp = FileStamp { modified_ns: row.get(2)?, len: row.get(3)? };
        Ok((row.get(0)?, IndexedFile { id: row.get(1)?, stamp, settled: row.get(4)? }))
    })
}

pub(super) fn forget(db: &Connection, id: i64) -> Result<(), CapabilityFault> {
    let forget = || db.prepare_cached("DELETE FROM file WHERE id = ?1")?.execute([id]);
    forget().map(|_| ()).map_err(|error| fault(&error))
}

pub(super) fn enter(
    db: &Connection,
    file: &OnDisk,
    entry: &IndexEntry,
) -> Result<(), CapabilityFault> {
    let sql = "INSERT INTO file (path, owner, modified_ns, len, settled, first_day, last_day, text)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";
    let enter = || {
        db.prepare_cached(sql)?.execute(params![
            file.path,
            file.owner,
            file.stamp.modified_ns,
            file.stamp.len,
            entry.settled,
            entry.days.first,
            entry.days.last,
            entry.text
        ])
    };
    enter().map(|_| ()).map_err(|error| fault(&error))
}

/// The files with events on these days.
pub(super) fn candidates(
    db: &Connection,
    days: &Days,
) -> Result<Vec<CandidateFile>, CapabilityFault> {
    let sql = "SELECT path, owner, text FROM file WHERE last_day >= ?1 AND first_day <= ?2";
    all(db, sql, params![days.first, days.last], |row| {
        Ok(CandidateFile { path: row.get(0)?, owner: row.get(1)?, text: row.get(2)? })
    })
}

/// The files that may contain this text.
pub(super) fn mentioning(db: &Connection, words: &str) -> Result<Vec<String>, CapabilityFault> {
    let sql = "SELECT path FROM file WHERE text IS NULL OR instr(text, ?1) > 0";
    all(db, sql, [words], |row| row.get(0))
}

/// Whether there is a calendar of this person.
pub(super) fn has_calendar(db: &Connection, who: &str) -> Result<bool, CapabilityFault> {
    let sql = "SELECT 1 FROM file WHERE owner = ?1 LIMIT 1";
    let found = db.query_row(sql, [who], |_| Ok(())).optional();
    found.map(|found| found.is_some()).map_err(|error| fault(&error))
}

fn all<T>(
    db: &Connection,
    sql: &str,
    given: impl rusqlite::Params,
    read: impl FnMut(&rusqlite::Row<'_>) -> rusqlite::Result<T>,
) -> Result<Vec<T>, CapabilityFault> {
    let rows = || {
        let mut statement = db.prepare_cached(sql)?;
        statement.query_map(given, read)?.collect::<rusqlite::Result<Vec<T>>>()
    };
    rows().map_err(|error| fault(&error))
}

pub(super) fn fault(error: &dyn std::error::Error) -> CapabilityFault {
    let message = format!("the index of the calendar folder cannot be used: {error}");
    CapabilityFault::new(FaultCode::Unavailable, message)
}
