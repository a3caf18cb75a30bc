//! The tables, and how the file is opened.

use std::path::Path;
use std::time::Duration;

use aileron_sqlite::{Schema, SchemaError};
use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::error::KbError;

/// The file of the records in the folder of a knowledge base.
pub(crate) const FILE: &str = "records.db";

/// `AILK`: marks a database as ours.
const APPLICATION_ID: i64 = 0x4149_4c4b;

const SCHEMA: Schema<'_> =
    Schema { application_id: Some(APPLICATION_ID), steps: &[VERSION_1, VERSION_2] };

const BUSY: Duration = Duration::from_secs(10);

/// The page cache of one read-only connection.
const READER_CACHE_KIB: i64 = 512;

/// `fact` has `generation`, which grows with every commit, and `model`.
/// `dead` are rows of a shard that were changed or removed since it was made.
const VERSION_1: &str = "
CREATE TABLE record (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    namespace TEXT NOT NULL,
    kind TEXT NOT NULL,
    hash TEXT NOT NULL,
    source TEXT NOT NULL,
    body TEXT NOT NULL
) STRICT;
CREATE INDEX record_source ON record (source);
CREATE INDEX record_kind ON record (namespace, kind);
CREATE INDEX record_name ON record (namespace, id);

CREATE TABLE shard (
    name TEXT PRIMARY KEY,
    passages INTEGER NOT NULL,
    records INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    last_row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE dead (
    shard TEXT NOT NULL,
    row INTEGER NOT NULL,
    PRIMARY KEY (shard, row)
) STRICT, WITHOUT ROWID;

CREATE TABLE fact (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

/// A shard has records of one namespace. Shards of version 1 had records of several, so none is kept:
/// the index is rebuilt from the records, because `fact` has no `index`, the format of the index.
const VERSION_2: &str = "
DELETE FROM dead;
DROP TABLE shard;
CREATE TABLE shard (
    name TEXT PRIMARY KEY,
    namespace TEXT NOT NULL,
    passages INTEGER NOT NULL,
    records INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    last_row INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Opens the file for reading; it must be there.
pub(super) fn reader(path: &Path) -> Result<Connection, KbError> {
    if !path.exists() {
        let path = path.parent().unwrap_or(path).to_owned();
        return Err(KbError::Missing { path });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(path, flags)?;
    connection.busy_timeout(BUSY)?;
    check(&connection, path)?;
    connection.pragma_update(None, "query_only", true)?;
    // There are many connections, and the system caches the pages of the file for all of them.
    connection.pragma_update(None, "cache_size", -READER_CACHE_KIB)?;
    Ok(connection)
}

/// Opens the file for writing; creates it if there is none, migrates an older one.
pub(super) fn writer(path: &Path) -> Result<Connection, KbError> {
    let mut connection = Connection::open(path)?;
    connection.busy_timeout(BUSY)?;
    check(&connection, path)?;
    // Readers work beside the writer, and a commit survives a power cut.
    aileron_sqlite::use_log(&connection, BUSY)?;
    connection.pragma_update(None, "synchronous", "full")?;
    SCHEMA.migrate(&mut connection).map_err(|error| refusal(error, path))?;
    Ok(connection)
}

/// The version of a file that is ours or empty.
fn check(connection: &Connection, path: &Path) -> Result<i64, KbError> {
    SCHEMA.check(connection).map_err(|error| refusal(error, path))
}

fn refusal(error: SchemaError, path: &Path) -> KbError {
    let (path, why) = (path.to_owned(), error.to_string());
    match error {
        SchemaError::Newer { found, known } => KbError::Newer { path, found, known },
        SchemaError::Foreign => KbError::NotOurs { path, why },
        SchemaError::Sqlite(error) => match error.sqlite_error_code() {
            Some(ErrorCode::NotADatabase) => KbError::NotOurs { path, why },
            _ => error.into(),
        },
    }
}
