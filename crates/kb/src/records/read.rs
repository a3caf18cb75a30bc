//! Reading, in read transactions: all reads between [`RecordsReader::begin`] and [`RecordsReader::end`] see one
//! snapshot.

use std::path::Path;

use aileron_contract::kb::{Namespace, Record, UnknownNamespace};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::{IndexModel, ShardEntry, schema};
use crate::error::KbError;

/// A read-only connection. One thread uses it at a time.
#[derive(Debug)]
pub(crate) struct RecordsReader(Connection);

/// How many records of a kind a namespace has.
pub(crate) type KindCount = (String, String, u64);

impl RecordsReader {
    pub(crate) fn open(folder: &Path) -> Result<Self, KbError> {
        schema::reader(&folder.join(schema::FILE)).map(Self)
    }

    pub(super) fn over(connection: Connection) -> Self {
        Self(connection)
    }

    pub(super) fn connection(&self) -> &Connection {
        &self.0
    }

    /// Begins a read transaction.
    pub(crate) fn begin(&self) -> Result<(), KbError> {
        Ok(self.0.execute_batch("BEGIN")?)
    }

    pub(crate) fn end(&self) -> Result<(), KbError> {
        Ok(self.0.execute_batch("COMMIT")?)
    }

    /// Grows with every commit.
    pub(crate) fn generation(&self) -> Result<u64, KbError> {
        Ok(self.fact("generation")?.and_then(|value| value.parse().ok()).unwrap_or(0))
    }

    /// The model whose vectors the index has; none without vectors.
    pub(crate) fn model(&self) -> Result<Option<IndexModel>, KbError> {
        let Some(name) = self.fact("model")? else { return Ok(None) };
        let dim = self.fact("dim")?.and_then(|dim| dim.parse().ok());
        let why = || "the dimension of the vectors is not recorded".to_owned();
        let dim = dim.ok_or_else(|| KbError::DamagedRecords { why: why() })?;
        Ok(Some(IndexModel { name, dim }))
    }

    fn fact(&self, name: &str) -> Result<Option<String>, KbError> {
        let mut find = self.0.prepare_cached("SELECT value FROM fact WHERE name = ?")?;
        Ok(find.query_row([name], |row| row.get(0)).optional()?)
    }

    /// The format of the index; none if it was written before formats were recorded, or never.
    pub(crate) fn index_format(&self) -> Result<Option<u32>, KbError> {
        Ok(self.fact("index")?.and_then(|format| format.parse().ok()))
    }

    /// Whether there is no record.
    pub(crate) fn is_empty(&self) -> Result<bool, KbError> {
        let any = "SELECT EXISTS (SELECT 1 FROM record)";
        Ok(!self.0.query_row(any, [], |row| row.get::<_, bool>(0))?)
    }

    /// The shards of the index, in the order of their rows.
    pub(crate) fn shards(&self) -> Result<Vec<ShardEntry>, KbError> {
        let mut list = self.0.prepare_cached(
            "SELECT name, namespace, passages, records, first_row, last_row FROM shard
             ORDER BY first_row",
        )?;
        let mut shards: Vec<ShardEntry> =
            list.query_map([], |row| Ok(entry(row)))?.collect::<Result<Result<_, _>, _>>()??;
        for shard in &mut shards {
            let mut dead =
                self.0.prepare_cached("SELECT row FROM dead WHERE shard = ? ORDER BY row")?;
            let rows = dead.query_map([&shard.name], |row| row.get(0))?;
            shard.dead = rows.collect::<Result<_, _>>()?;
        }
        Ok(shards)
    }

    pub(crate) fn record(&self, row: u64) -> Result<Option<Record>, KbError> {
        let mut find = self.0.prepare_cached("SELECT body FROM record WHERE row = ?")?;
        let body: Option<String> = find.query_row([row], |row| row.get(0)).optional()?;
        body.map(|body| parse(&body)).transpose()
    }

    /// The row of the record with this id, if it is in one of these namespaces.
    pub(crate) fn row_of(
        &self,
        id: &str,
        namespaces: &[Namespace],
    ) -> Result<Option<u64>, KbError> {
        let mut find = self.0.prepare_cached("SELECT row, namespace FROM record WHERE id = ?")?;
        let found = find.query_row([id], |row| Ok((row.get(0)?, row.get::<_, String>(1)?)));
        let is_among = |name: &str| namespaces.iter().any(|it| it.as_str() == name);
        Ok(found.optional()?.filter(|(_, name)| is_among(name)).map(|(row, _)| row))
    }

    /// The id of the record in this row.
    pub(crate) fn id_of(&self, row: u64) -> Result<Option<String>, KbError> {
        let mut find = self.0.prepare_cached("SELECT id FROM record WHERE row = ?")?;
        Ok(find.query_row([row], |row| row.get(0)).optional()?)
    }

    /// The types that records of a namespace have, in the order of the alphabet: `most` at most.
    pub(crate) fn types(&self, namespace: Namespace, most: usize) -> Result<Vec<String>, KbError> {
        let mut list = self.0.prepare_cached(TYPES)?;
        let types = list.query_map([namespace.as_str()], |row| row.get(0))?;
        Ok(types.take(most).collect::<Result<_, _>>()?)
    }

    /// Ids of a namespace next to this one in the alphabet, `each_side` at most on each side.
    pub(crate) fn neighbours(
        &self,
        id: &str,
        namespace: Namespace,
        each_side: usize,
    ) -> Result<Vec<String>, KbError> {
        let mut ids = Vec::new();
        for side in [BEFORE, AFTER] {
            let mut list = self.0.prepare_cached(side)?;
            let found = list.query_map(params![namespace.as_str(), id], |row| row.get(0))?;
            ids.extend(found.take(each_side).collect::<Result<Vec<String>, _>>()?);
        }
        Ok(ids)
    }

    /// Passes every record of the rows in this range to `show`, in the order of the rows: those of
    /// one namespace, or of all.
    pub(crate) fn each_of(
        &self,
        rows: std::ops::RangeInclusive<u64>,
        namespace: Option<Namespace>,
        mut show: impl FnMut(u64, Record) -> Result<(), KbError>,
    ) -> Result<(), KbError> {
        let mut list = self.0.prepare_cached(
            "SELECT row, body FROM record
             WHERE row BETWEEN ?1 AND ?2 AND (?3 IS NULL OR +namespace = ?3) ORDER BY row",
        )?;
        let namespace = namespace.map(Namespace::as_str);
        let mut found = list.query(params![rows.start(), rows.end(), namespace])?;
        while let Some(row) = found.next()? {
            show(row.get(0)?, parse(row.get_ref(1)?.as_str().map_err(rusqlite::Error::from)?)?)?;
        }
        Ok(())
    }

    /// Passes every record to `show`, ordered by id.
    pub(crate) fn each(
        &self,
        mut show: impl FnMut(Record) -> Result<(), KbError>,
    ) -> Result<(), KbError> {
        let mut list = self.0.prepare("SELECT body FROM record ORDER BY id")?;
        let mut found = list.query([])?;
        while let Some(row) = found.next()? {
            show(parse(row.get_ref(0)?.as_str().map_err(rusqlite::Error::from)?)?)?;
        }
        Ok(())
    }

    pub(crate) fn kinds(&self) -> Result<Vec<KindCount>, KbError> {
        let mut list = self
            .0
            .prepare("SELECT namespace, kind, count(*) FROM record GROUP BY 1, 2 ORDER BY 1, 2")?;
        let counts = list.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
        Ok(counts.collect::<Result<_, _>>()?)
    }

    /// Reads the whole file and reports the first damage.
    pub(crate) fn verify(&self) -> Result<(), KbError> {
        let said: String = self.0.query_row("PRAGMA quick_check(1)", [], |row| row.get(0))?;
        match said.as_str() {
            "ok" => Ok(()),
            _ => Err(KbError::DamagedRecords { why: said }),
        }
    }
}

/// Neighbours of an id. The reader stops after a few rows: with a parameter for `LIMIT`, SQLite
/// compiles the statement again for every execution.
const BEFORE: &str = "SELECT id FROM record WHERE namespace = ? AND id < ? ORDER BY id DESC";
const AFTER: &str = "SELECT id FROM record WHERE namespace = ? AND id > ? ORDER BY id";

/// Steps from one type to the next through the index, so that the cost does not grow with the
/// number of records.
const TYPES: &str = "
WITH RECURSIVE type(kind) AS (
    SELECT min(kind) FROM record WHERE namespace = ?1
    UNION ALL
    SELECT (SELECT min(kind) FROM record WHERE namespace = ?1 AND kind > type.kind)
    FROM type WHERE type.kind IS NOT NULL
)
SELECT kind FROM type WHERE kind IS NOT NULL";

fn entry(row: &Row<'_>) -> Result<ShardEntry, KbError> {
    let namespace: String = row.get(1)?;
    let unknown = |error: UnknownNamespace| KbError::DamagedRecords { why: error.to_string() };
    Ok(ShardEntry {
        name: row.get(0)?,
        namespace: namespace.parse().map_err(unknown)?,
        passages: row.get(2)?,
        records: row.get(3)?,
        first_row: row.get(4)?,
        last_row: row.get(5)?,
        dead: Vec::new(),
    })
}

fn parse(body: &str) -> Result<Record, KbError> {
    serde_json::from_str(body).map_err(|error| KbError::DamagedRecords { why: error.to_string() })
}
