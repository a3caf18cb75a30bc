//! The tables of the store: images, and the attempts to make them.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::time::Duration;

use aileron_capability::CapabilityFault;
use aileron_sqlite::Schema;
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::{ImageSlot, unavailable};
use crate::inspect::ImageKind;

const NAME: &str = "images.db";

/// How long a connection waits for a lock.
const BUSY: Duration = Duration::from_secs(5);

const SCHEMA: Schema<'_> = Schema { application_id: None, steps: &[VERSION_1, VERSION_2] };

const VERSION_1: &str = "
    CREATE TABLE request (
        conversation TEXT NOT NULL, key TEXT NOT NULL, begun_ms INTEGER NOT NULL,
        PRIMARY KEY (conversation, key)) WITHOUT ROWID;
    CREATE TABLE image (
        id TEXT PRIMARY KEY, conversation TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL,
        hash TEXT NOT NULL, kind TEXT NOT NULL, width INTEGER NOT NULL, height INTEGER NOT NULL,
        made_by TEXT NOT NULL, made_ms INTEGER NOT NULL) WITHOUT ROWID;
    CREATE INDEX image_request ON image (conversation, key, number);
    CREATE INDEX image_age ON image (made_ms);";

/// Attempts by conversation, key and number; version 1 had only the key. An attempt without a
/// failure was begun, and its outcome is open until there is an image.
const VERSION_2: &str = "
    ALTER TABLE image ADD COLUMN label TEXT;
    ALTER TABLE image ADD COLUMN note TEXT;
    CREATE TABLE attempt (
        conversation TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL,
        begun_ms INTEGER NOT NULL, failure TEXT,
        PRIMARY KEY (conversation, key, number)) WITHOUT ROWID;
    INSERT INTO attempt SELECT conversation, key, 0, begun_ms, NULL FROM request;
    DROP TABLE request;";

const COLUMNS: &str = "id, conversation, hash, kind, width, height, made_by, made_ms, label, note";

/// An image as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ImageRow {
    pub(super) id: String,
    pub(super) conversation: String,
    pub(super) hash: String,
    pub(super) kind: ImageKind,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) made_by: String,
    pub(super) made_ms: i64,
    pub(super) label: Option<String>,
    pub(super) note: Option<String>,
}

/// Whether a folder has these tables.
pub(super) fn is_in(folder: &Path) -> bool {
    folder.join(NAME).exists()
}

pub(super) fn open(folder: &Path) -> Result<Connection, CapabilityFault> {
    let made = fs::create_dir_all(folder);
    made.map_err(|error| unavailable(&format!("`{}` cannot be used: {error}", folder.display())))?;
    let path = folder.join(NAME);
    SCHEMA.open(&path, BUSY).map_err(|error| {
        unavailable(&format!("the images in `{}` cannot be used: {error}", path.display()))
    })
}

/// Whether this is the first attempt.
pub(super) fn begin(
    db: &Connection,
    slot: &ImageSlot,
    now_ms: i64,
) -> Result<bool, CapabilityFault> {
    let sql = "INSERT INTO attempt (conversation, key, number, begun_ms) VALUES (?1, ?2, ?3, ?4)
               ON CONFLICT DO NOTHING";
    let changed = db.execute(sql, params![slot.conversation, slot.key, slot.number, now_ms]);
    changed.map(|rows| rows == 1).map_err(|error| fault(&error))
}

pub(super) fn forget(db: &Connection, slot: &ImageSlot) -> Result<(), CapabilityFault> {
    let sql = "DELETE FROM attempt WHERE conversation = ?1 AND key = ?2 AND number = ?3";
    let changed = db.execute(sql, params![slot.conversation, slot.key, slot.number]);
    changed.map(|_| ()).map_err(|error| fault(&error))
}

pub(super) fn fail(db: &Connection, slot: &ImageSlot, reason: &str) -> Result<(), CapabilityFault> {
    let sql =
        "UPDATE attempt SET failure = ?4 WHERE conversation = ?1 AND key = ?2 AND number = ?3";
    let changed = db.execute(sql, params![slot.conversation, slot.key, slot.number, reason]);
    changed.map(|_| ()).map_err(|error| fault(&error))
}

/// Why an attempt failed, if that is known.
pub(super) fn failure(
    db: &Connection,
    slot: &ImageSlot,
) -> Result<Option<String>, CapabilityFault> {
    let sql = "SELECT failure FROM attempt WHERE conversation = ?1 AND key = ?2 AND number = ?3";
    let found =
        db.query_row(sql, params![slot.conversation, slot.key, slot.number], |row| row.get(0));
    found.optional().map(Option::flatten).map_err(|error| fault(&error))
}

pub(super) fn made(db: &Connection, slot: &ImageSlot) -> Result<Option<ImageRow>, CapabilityFault> {
    let sql = format!(
        "SELECT {COLUMNS} FROM image WHERE conversation = ?1 AND key = ?2 AND number = ?3 LIMIT 1"
    );
    let found = db.query_row(&sql, params![slot.conversation, slot.key, slot.number], read_row);
    found.optional().map_err(|error| fault(&error))
}

pub(super) fn find(db: &Connection, id: &str) -> Result<Option<ImageRow>, CapabilityFault> {
    let sql = format!("SELECT {COLUMNS} FROM image WHERE id = ?1");
    db.query_row(&sql, [id], read_row).optional().map_err(|error| fault(&error))
}

pub(super) fn keep(
    db: &Connection,
    slot: &ImageSlot,
    row: &ImageRow,
) -> Result<(), CapabilityFault> {
    let sql = "INSERT INTO image (id, conversation, key, number, hash, kind, width, height,
                                  made_by, made_ms, label, note)
               VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON CONFLICT DO NOTHING";
    let changed = db.execute(
        sql,
        params![
            row.id,
            row.conversation,
            slot.key,
            slot.number,
            row.hash,
            row.kind.content_type(),
            row.width,
            row.height,
            row.made_by,
            row.made_ms,
            row.label,
            row.note,
        ],
    );
    changed.map(|_| ()).map_err(|error| fault(&error))
}

/// Deletes expired images.
pub(super) fn expire(db: &mut Connection, oldest_ms: i64) -> Result<(), CapabilityFault> {
    let mut expire = || {
        let change = db.transaction_with_behavior(TransactionBehavior::Immediate)?;
        change.execute("DELETE FROM image WHERE made_ms < ?1", [oldest_ms])?;
        change.execute("DELETE FROM attempt WHERE begun_ms < ?1", [oldest_ms])?;
        change.commit()
    };
    expire().map_err(|error| fault(&error))
}

/// The files that are needed, by hash.
pub(super) fn files(db: &Connection) -> Result<BTreeSet<String>, CapabilityFault> {
    let read = || {
        let mut statement = db.prepare("SELECT DISTINCT hash FROM image")?;
        statement.query_map([], |row| row.get(0))?.collect::<rusqlite::Result<_>>()
    };
    read().map_err(|error| fault(&error))
}

fn read_row(row: &rusqlite::Row<'_>) -> rusqlite::Result<ImageRow> {
    let kind: String = row.get(3)?;
    let kind = ImageKind::of_content_type(&kind).ok_or(rusqlite::Error::InvalidQuery)?;
    Ok(ImageRow {
        id: row.get(0)?,
        conversation: row.get(1)?,
        hash: row.get(2)?,
        kind,
        width: row.get(4)?,
        height: row.get(5)?,
        made_by: row.get(6)?,
        made_ms: row.get(7)?,
        label: row.get(8)?,
        note: row.get(9)?,
    })
}

fn fault(error: &rusqlite::Error) -> CapabilityFault {
    unavailable(&format!("the list of images cannot be used: {error}"))
}
