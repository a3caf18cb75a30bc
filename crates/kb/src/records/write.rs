//! Writing: one process at a time, in one transaction a change.

use std::fs::{File, TryLockError};
use std::path::Path;

use aileron_contract::ContentHash;
use aileron_contract::kb::Record;
use rusqlite::{CachedStatement, Connection, OptionalExtension, Params, params};

use super::read::RecordsReader;
use super::{IndexModel, ShardEntry, schema};
use crate::error::KbError;

/// The lock file of the writer. The system releases the lock when the process dies.
const LOCK: &str = "writer.lock";

/// A change in progress. Dropping it without [`RecordsWriter::commit`] discards it.
#[derive(Debug)]
pub(crate) struct RecordsWriter {
    reader: RecordsReader,
    _lock: Lock,
}

/// The outcome of putting a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WriteOutcome {
    Added { row: u64 },
    Changed { row: u64 },
    Unchanged,
}

/// A stored record.
struct KnownRecord {
    row: u64,
    hash: String,
    namespace: String,
}

/// Keeps other writers out until it is dropped.
#[derive(Debug)]
struct Lock(File);

impl Lock {
    fn take(folder: &Path) -> Result<Self, KbError> {
        let file = File::create(folder.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Self(file)),
            Err(TryLockError::WouldBlock) => Err(KbError::Busy { path: folder.to_owned() }),
            Err(TryLockError::Error(error)) => Err(error.into()),
        }
    }
}

impl Drop for Lock {
    /// Unlocks explicitly: closing the file is not enough, because a child process that is being
    /// started may have it open as well.
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

impl RecordsWriter {
    /// Opens the knowledge base in this folder, creates it if there is none, and begins a change.
    pub(crate) fn begin(folder: &Path) -> Result<Self, KbError> {
        std::fs::create_dir_all(folder)?;
        let lock = Lock::take(folder)?;
        let connection = schema::writer(&folder.join(schema::FILE))?;
        connection.execute_batch(BEGIN)?;
        Ok(Self { reader: RecordsReader::over(connection), _lock: lock })
    }

    /// Reads the state with the change so far.
    pub(crate) fn reader(&self) -> &RecordsReader {
        &self.reader
    }

    fn connection(&self) -> &Connection {
        self.reader.connection()
    }

    fn statement(&self, sql: &str) -> Result<CachedStatement<'_>, KbError> {
        Ok(self.connection().prepare_cached(sql)?)
    }

    fn execute(&self, sql: &str, params: impl Params) -> Result<usize, KbError> {
        Ok(self.statement(sql)?.execute(params)?)
    }

    /// Adds or replaces a record; `source` is the file it came from.
    pub(crate) fn put(
        &self,
        record: &Record,
        hash: &ContentHash,
        source: &str,
    ) -> Result<WriteOutcome, KbError> {
        let stored = match self.known(&record.id)? {
            Some(KnownRecord { row, hash: known, .. }) if known == hash.as_str() => {
                self.execute(MOVED, params![row, source])?;
                self.see(row)?;
                return Ok(WriteOutcome::Unchanged);
            }
            Some(known) => {
                self.bury(&known)?;
                WriteOutcome::Changed { row: self.insert(record, hash, source)? }
            }
            None => WriteOutcome::Added { row: self.insert(record, hash, source)? },
        };
        Ok(stored)
    }

    /// Removes a record; false if there was none.
    pub(crate) fn remove(&self, id: &str) -> Result<bool, KbError> {
        let Some(known) = self.known(id)? else { return Ok(false) };
        self.bury(&known)?;
        Ok(true)
    }

    fn known(&self, id: &str) -> Result<Option<KnownRecord>, KbError> {
        let mut find = self.statement("SELECT row, hash, namespace FROM record WHERE id = ?")?;
        let known = find.query_row([id], |row| {
            Ok(KnownRecord { row: row.get(0)?, hash: row.get(1)?, namespace: row.get(2)? })
        });
        Ok(known.optional()?)
    }

    fn insert(&self, record: &Record, hash: &ContentHash, source: &str) -> Result<u64, KbError> {
        let body = serde_json::to_string(record)
            .map_err(|error| KbError::DamagedRecords { why: error.to_string() })?;
        let namespace = record.namespace.as_str();
        let values = params![record.id, namespace, record.kind, hash.as_str(), source, body];
        let row = self.statement(INSERT)?.insert(values)?;
        let row = u64::try_from(row).unwrap_or_default();
        self.see(row)?;
        Ok(row)
    }

    fn bury(&self, known: &KnownRecord) -> Result<(), KbError> {
        self.execute("DELETE FROM record WHERE row = ?", [known.row])?;
        self.execute(BURY, params![known.row, known.namespace])?;
        Ok(())
    }

    fn see(&self, row: u64) -> Result<(), KbError> {
        self.execute("INSERT OR IGNORE INTO seen VALUES (?)", [row])?;
        Ok(())
    }

    /// Records that came from this file or folder earlier and were not put in this change,
    /// each with the file it came from.
    pub(crate) fn unseen(&self, root: &str) -> Result<Vec<(String, String)>, KbError> {
        let mut list = self.statement(UNSEEN)?;
        let gone = list.query_map([root], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(gone.collect::<Result<_, _>>()?)
    }

    pub(crate) fn add_shard(&self, shard: &ShardEntry) -> Result<(), KbError> {
        let ShardEntry { name, namespace, passages, records, first_row, last_row, .. } = shard;
        self.execute(
            "INSERT INTO shard VALUES (?, ?, ?, ?, ?, ?)",
            params![name, namespace.as_str(), passages, records, first_row, last_row],
        )?;
        Ok(())
    }

    pub(crate) fn drop_shard(&self, name: &str) -> Result<(), KbError> {
        self.execute("DELETE FROM shard WHERE name = ?", [name])?;
        self.execute("DELETE FROM dead WHERE shard = ?", [name])?;
        Ok(())
    }

    pub(crate) fn set_model(&self, model: Option<&IndexModel>) -> Result<(), KbError> {
        self.execute("DELETE FROM fact WHERE name IN ('model', 'dim')", [])?;
        let Some(IndexModel { name, dim }) = model else { return Ok(()) };
        self.execute("INSERT INTO fact VALUES ('model', ?)", [name])?;
        self.execute("INSERT INTO fact VALUES ('dim', ?)", [dim.to_string()])?;
        Ok(())
    }

    /// Records the format of the index.
    pub(crate) fn set_index_format(&self, format: u32) -> Result<(), KbError> {
        self.execute(INDEX_FORMAT, [format.to_string()])?;
        Ok(())
    }

    /// A number that no shard had before: the name of the next one.
    pub(crate) fn next_shard(&self) -> Result<String, KbError> {
        let number: u64 = self.statement(NEXT_SHARD)?.query_row([], |row| row.get(0))?;
        Ok(format!("shard-{number:06}"))
    }

    /// Makes the change durable and visible, atomically.
    pub(crate) fn commit(self) -> Result<(), KbError> {
        self.execute(NEXT_GENERATION, [])?;
        Ok(self.connection().execute_batch("COMMIT")?)
    }
}

const BEGIN: &str = "
CREATE TEMP TABLE seen (row INTEGER PRIMARY KEY) STRICT;
BEGIN IMMEDIATE;
";

const INSERT: &str =
    "INSERT INTO record (id, namespace, kind, hash, source, body) VALUES (?, ?, ?, ?, ?, ?)";

const MOVED: &str = "UPDATE record SET source = ?2 WHERE row = ?1 AND source <> ?2";

const BURY: &str = "
INSERT INTO dead SELECT name, ?1 FROM shard
WHERE namespace = ?2 AND ?1 BETWEEN first_row AND last_row";

const INDEX_FORMAT: &str = "
INSERT INTO fact VALUES ('index', ?1) ON CONFLICT (name) DO UPDATE SET value = ?1";

/// `0` follows `/`, so the names between the two are those below the folder.
const UNSEEN: &str = "
SELECT id, source FROM record
WHERE (source = ?1 OR source > ?1 || '/' AND source < ?1 || '0') AND row NOT IN (SELECT row FROM seen)
ORDER BY id";

const NEXT_SHARD: &str = "
INSERT INTO fact VALUES ('shards', 1)
ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1
RETURNING CAST(value AS INTEGER)";

const NEXT_GENERATION: &str = "
INSERT INTO fact VALUES ('generation', 1)
ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1";
