//! The file of the index: its tables, and the time and zone they are good for.

use std::fs;
use std::path::Path;
use std::time::Duration;

use aileron_runtime::capability::calendar::Zone;
use aileron_runtime::capability::{Fault, FaultCode};
use jiff::Timestamp;
use rusqlite::{Connection, OptionalExtension, params};

use crate::window::Window;

const NAME: &str = ".index.db";

/// Another number means that the tables are others: the index is made again.
const VERSION: i64 = 1;

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS scope (
        one INTEGER PRIMARY KEY CHECK (one = 1), start INTEGER NOT NULL, end INTEGER NOT NULL,
        zone TEXT NOT NULL);
    CREATE TABLE IF NOT EXISTS file (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, owner TEXT, modified_ns INTEGER NOT NULL,
        len INTEGER NOT NULL, settled INTEGER NOT NULL, damage TEXT);
    CREATE TABLE IF NOT EXISTS busy (
        file INTEGER NOT NULL, who TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL,
        uid TEXT NOT NULL);
    CREATE INDEX IF NOT EXISTS file_owner ON file (owner);
    CREATE INDEX IF NOT EXISTS busy_who ON busy (who, end, start);
    CREATE INDEX IF NOT EXISTS busy_file ON busy (file);
    CREATE INDEX IF NOT EXISTS busy_uid ON busy (uid);";

/// Opens the index; one that is damaged or of another version is made again.
pub(super) fn open(root: &Path) -> Result<Connection, Fault> {
    let path = root.join(NAME);
    match connect(&path) {
        Ok(connection) => Ok(connection),
        Err(error) if is_unusable(&error) => {
            for end in ["", "-wal", "-shm"] {
                let _ = fs::remove_file(root.join(format!("{NAME}{end}")));
            }
            connect(&path).map_err(|error| fault(&error))
        }
        Err(error) => Err(fault(&error)),
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(Duration::from_secs(10))?;
    let version: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if version == VERSION {
        return Ok(connection);
    }
    if version != 0 {
        return Err(rusqlite::Error::InvalidQuery);
    }
    connection.pragma_update(None, "journal_mode", "WAL")?;
    connection.execute_batch(SCHEMA)?;
    connection.pragma_update(None, "user_version", VERSION)?;
    Ok(connection)
}

fn is_unusable(error: &rusqlite::Error) -> bool {
    use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
    matches!(error, rusqlite::Error::InvalidQuery)
        || matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
}

/// The time that is written down, if it was read in this zone.
pub(super) fn range(db: &Connection, zone: &Zone) -> Result<Option<Window>, Fault> {
    let sql = "SELECT start, end FROM scope WHERE zone = ?1";
    let row = db.query_row(sql, [zone.name()], |row| Ok((row.get(0)?, row.get(1)?))).optional();
    let row: Option<(i64, i64)> = row.map_err(|error| fault(&error))?;
    Ok(row.and_then(|(start, end)| {
        Some(Window {
            start: Timestamp::from_second(start).ok()?,
            end: Timestamp::from_second(end).ok()?,
        })
    }))
}

/// Forgets all, to begin with another time or zone.
pub(super) fn restart(db: &Connection, zone: &Zone, range: &Window) -> Result<(), Fault> {
    let restart = || {
        db.execute_batch("DELETE FROM busy; DELETE FROM file; DELETE FROM scope;")?;
        let (start, end) = (range.start.as_second(), range.end.as_second());
        let sql = "INSERT INTO scope (one, start, end, zone) VALUES (1, ?1, ?2, ?3)";
        db.execute(sql, params![start, end, zone.name()])
    };
    restart().map(|_| ()).map_err(|error: rusqlite::Error| fault(&error))
}

pub(super) fn fault(error: &rusqlite::Error) -> Fault {
    let message = format!("the index of the calendar folder cannot be used: {error}");
    Fault::new(FaultCode::Unavailable, message)
}
