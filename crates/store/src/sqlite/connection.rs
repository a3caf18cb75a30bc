//! Opens connections and configures SQLite.

use std::fs::OpenOptions;
use std::path::Path;
use std::time::Duration;

use rusqlite::{Connection, OpenFlags};

use super::commits;
use super::fault;
use super::options::SqliteOptions;
use super::schema;
use crate::error::StoreError;

/// How SQLite writes, and why.
///
/// - `journal_mode = WAL`: readers never wait for the writer nor it for them, in
///   any process, and a commit is one append and one fsync.
/// - `synchronous = FULL`: in WAL mode each commit is fsynced, which is what
///   "durable" promises. NORMAL would survive a crash of the process but not of
///   the machine. All commits are durable; the writer shares one among many operations.
/// - `wal_autocheckpoint = 4000` pages: the log is folded into the database every
///   16 MB. A page that many transactions change is then copied once instead of four times;
///   larger would slow readers and the next start.
/// - `cache_size`: 16 MB. With the 2 MB of the default, pages of one transaction were written
///   to the log and read again before it ended.
/// - `journal_size_limit`: a log that grew under a long reader shrinks again.
/// - `trusted_schema = OFF`: the schema of a file that someone else made runs nothing.
const WRITER: &str = "
PRAGMA synchronous = FULL;
PRAGMA wal_autocheckpoint = 4000;
PRAGMA cache_size = -16384;
PRAGMA journal_size_limit = 67108864;
PRAGMA trusted_schema = OFF;
";

const READER: &str = "PRAGMA query_only = ON; PRAGMA trusted_schema = OFF;";

/// Capacity of the prepared-statement cache; larger than the number of statements.
const STATEMENTS: usize = 64;

/// The one connection that writes. Creates the file, or migrates it to the newest format.
pub(super) fn writer(path: &Path, options: &SqliteOptions) -> Result<Connection, StoreError> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_CREATE;
    make_private(path);
    let mut connection = open(path, flags, options.busy_timeout)?;
    let fault = |error: rusqlite::Error| fault::opening(&error, path);
    // Read before the database is, because other processes may commit in between.
    let made = commits::made(path);
    if schema::check(&connection, path, schema::STEPS)? == 0 {
        commits::check(path, 0, made)?;
    }
    use_log(&connection, path, options.busy_timeout)?;
    connection.execute_batch(WRITER).map_err(fault)?;
    schema::migrate(&mut connection, path, schema::STEPS)?;
    commits::check(path, commits::found(&connection)?, made)?;
    limit_size(&connection, options.max_bytes).map_err(fault)?;
    Ok(connection)
}

/// A connection that only reads, concurrently with the writers.
pub(super) fn reader(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    if !path.exists() {
        return Err(StoreError::Missing { path: path.to_owned() });
    }
    if path.is_dir() {
        let why = "expected a file, found a folder".to_owned();
        return Err(StoreError::NotOurs { path: path.to_owned(), why });
    }
    read_only(path, busy_timeout).map_err(fault::while_reading)
}

fn read_only(path: &Path, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let connection = open(path, OpenFlags::SQLITE_OPEN_READ_ONLY, busy_timeout)?;
    if schema::check(&connection, path, schema::STEPS)? == 0 {
        let why = "expected one that Aileron made, found an empty file".to_owned();
        return Err(StoreError::NotOurs { path: path.to_owned(), why });
    }
    connection.execute_batch(READER).map_err(|error| fault::opening(&error, path))?;
    Ok(connection)
}

fn open(path: &Path, flags: OpenFlags, busy_timeout: Duration) -> Result<Connection, StoreError> {
    let fault = |error: rusqlite::Error| fault::opening(&error, path);
    let connection = Connection::open_with_flags(path, flags | OpenFlags::SQLITE_OPEN_NO_MUTEX)
        .map_err(fault)?;
    connection.busy_timeout(busy_timeout).map_err(fault)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    Ok(connection)
}

/// Creates a missing file that only its owner may read; SQLite gives its side files the same
/// permissions. A failure here occurs again, with its reason, when the database is opened.
fn make_private(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(path);
}

/// Switches to the write-ahead log, which some file systems do not support.
fn use_log(connection: &Connection, path: &Path, patience: Duration) -> Result<(), StoreError> {
    let mode = aileron_sqlite::use_log(connection, patience);
    let mode = mode.map_err(|error| fault::opening(&error, path))?;
    if mode == "wal" {
        return Ok(());
    }
    let why = format!("expected the journal mode wal, found {mode}; use a local file system");
    Err(StoreError::Unwritable { why })
}

fn limit_size(connection: &Connection, max_bytes: Option<u64>) -> rusqlite::Result<()> {
    let Some(max_bytes) = max_bytes else { return Ok(()) };
    let page: i64 = connection.query_row("PRAGMA page_size", [], |row| row.get(0))?;
    let pages = i64::try_from(max_bytes).unwrap_or(i64::MAX) / page.max(1);
    connection.query_row(&format!("PRAGMA max_page_count = {}", pages.max(1)), [], |_| Ok(()))
}
