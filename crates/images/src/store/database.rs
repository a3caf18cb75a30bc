//! The tables of the store: images, and the requests that made them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use aileron_runtime::capability::Fault;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::unavailable;
use crate::inspect::ImageKind;

const NAME: &str = "images.db";

const SCHEMA: &str = "
    CREATE TABLE IF NOT EXISTS request (
        conversation TEXT NOT NULL, key TEXT NOT NULL, begun_ms INTEGER NOT NULL,
        PRIMARY KEY (conversation, key)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS image (
        id TEXT PRIMARY KEY, conversation TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL,
        hash TEXT NOT NULL, kind TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
        made_by TEXT NOT NULL, made_ms INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS image_request ON image (conversation, key, number);
    CREATE INDEX IF NOT EXISTS image_age ON image (made_ms);
    PRAGMA user_version = 1;";

const COLUMNS: &str = "id, conversation, hash, kind, width, height, made_by, made_ms";

/// An image as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) id: String,
    pub(super) conversation: String,
    pub(super) hash: String,
    pub(super) kind: ImageKind,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) made_by: String,
    pub(super) made_ms: i64,
}

pub(super) fn open(folder: &Path) -> Result<Connection, Fault> {
    let made = fs::create_dir_all(folder);
    made.map_err(|error| unavailable(&format!("`{}` cannot be used: {error}", folder.display())))?;
    let opened = Connection::open(folder.join(NAME)).and_then(|connection| {
        connection.busy_timeout(Duration::from_secs(5))?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "FULL")?;
        connection.execute_batch(SCHEMA)?;
        Ok(connection)
    });
    opened.map_err(|error| fault(&error))
}

/// Whether this is the first attempt.
pub(super) fn begin(
    db: &Connection,
    conversation: &str,
    key: &str,
    now_ms: i64,
) -> Result<bool, Fault> {
    let sql = "INSERT INTO request (conversation, key, begun_ms) VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    let changed = db.execute(sql, params![conversation, key, now_ms]);
    changed.map(|rows| rows == 1).map_err(|error| fault(&error))
}

pub(super) fn forget(db: &Connection, conversation: &str, key: &str) -> Result<(), Fault> {
    let sql = "DELETE FROM request WHERE conversation = ?1 AND key = ?2";
    db.execute(sql, [conversation, key]).map(|_| ()).map_err(|error| fault(&error))
}

pub(super) fn made(db: &Connection, conversation: &str, key: &str) -> Result<Vec<Row>, Fault> {
    let read = || {
        let sql = format!(
            "SELECT {COLUMNS} FROM image WHERE conversation = ?1 AND key = ?2 ORDER BY number"
        );
        let mut statement = db.prepare(&sql)?;
        statement.query_map([conversation, key], read_row)?.collect::<rusqlite::Result<Vec<_>>>()
    };
    read().map_err(|error| fault(&error))
}

pub(super) fn find(db: &Connection, id: &str) -> Result<Option<Row>, Fault> {
    let sql = format!("SELECT {COLUMNS} FROM image WHERE id = ?1");
    db.query_row(&sql, [id], read_row).optional().map_err(|error| fault(&error))
}

/// Keeps all images of a request, or none.
pub(super) fn keep(db: &mut Connection, key: &str, rows: &[Row]) -> Result<(), Fault> {
    let mut keep = || {
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        for (number, row) in rows.iter().enumerate() {
            change.execute(
                "INSERT INTO image (id, conversation, key, number, hash, kind, width, height, made_by, made_ms)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10) ON CONFLICT DO NOTHING",
                params![
                    row.id,
                    row.conversation,
                    key,
                    i64::try_from(number).unwrap_or(i64::MAX),
                    row.hash,
                    row.kind.content_type(),
                    row.width,
                    row.height,
                    row.made_by,
                    row.made_ms,
                ],
            )?;
        }
        change.commit()
    };
    keep().map_err(|error| fault(&error))
}

/// Deletes what is too old and tells the files that are still needed.
pub(super) fn collect(db: &mut Connection, oldest_ms: i64) -> Result<BTreeSet<String>, Fault> {
    let mut collect = || {
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        change.execute("DELETE FROM image WHERE made_ms < ?1", [oldest_ms])?;
        change.execute("DELETE FROM request WHERE begun_ms < ?1", [oldest_ms])?;
        let kept = {
            let mut statement = change.prepare("SELECT DISTINCT hash FROM image")?;
            let rows = statement.query_map([], |row| row.get(0))?;
            rows.collect::<rusqlite::Result<BTreeSet<String>>>()?
        };
        change.commit()?;
        Ok(kept)
    };
    collect().map_err(|error: rusqlite::Error| fault(&error))
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<Row> {
    let kind: String = row.get(3)?;
    let kind = ImageKind::of_content_type(&kind).ok_or(rusqlite::Error::InvalidQuery)?;
    Ok(Row {
        id: row.get(0)?,
        conversation: row.get(1)?,
        hash: row.get(2)?,
        kind,
        width: row.get(4)?,
        height: row.get(5)?,
        made_by: row.get(6)?,
        made_ms: row.get(7)?,
    })
}

fn fault(error: &rusqlite::Error) -> Fault {
    unavailable(&format!("the list of images cannot be used: {error}"))
}
