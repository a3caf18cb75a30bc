//! Reads the audit log page by page, so that no reader holds up the writer's
//! checkpoints for longer than a page takes.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use std::vec::IntoIter;

use aileron_contract::AuditRecord;
use rusqlite::Connection;

use super::super::rows::unsigned;
use super::super::{connection, fault};
use super::select::{ReadDirection, select};
use super::{HEAD, link, verify};
use crate::audit::{AuditFilter, AuditStream, ChainReport};
use crate::error::StoreError;
use crate::shared_once::lock;

/// The most records of a page.
const PAGE: usize = 256;

/// How many sequence numbers a page scans, however few of them match.
const WINDOW: u64 = 16_384;

/// The audit log of a store, read concurrently with the processes that write it.
#[derive(Debug, Clone)]
pub struct AuditLog(Arc<Mutex<Connection>>);

impl AuditLog {
    /// Opens the log of the store at `path`, which must exist.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let connection = connection::reader(path, Duration::from_secs(5))?;
        Ok(Self(Arc::new(Mutex::new(connection))))
    }

    /// Reads records, oldest first. To follow the log, read again from where the last read ended.
    pub fn read(&self, filter: AuditFilter) -> AuditStream {
        let left = filter.limit.unwrap_or(usize::MAX);
        Box::new(Pages { log: self.clone(), filter, page: Vec::new().into_iter(), left })
    }

    /// The sequence number that the next record will have.
    pub fn end(&self) -> Result<u64, StoreError> {
        let head = link(&lock(&self.0), HEAD).map_err(|error| fault::reading(&error))?;
        Ok(head.seq.saturating_add(1))
    }

    /// The newest records that match and come before a sequence number, as many as the filter's
    /// limit, oldest first. Reads from the end, so the cost does not grow with the log.
    pub fn newest(&self, filter: &AuditFilter, end: u64) -> Result<Vec<AuditRecord>, StoreError> {
        let limit = filter.limit.unwrap_or(usize::MAX);
        let (mut records, mut end) = (Vec::new(), end);
        while records.len() < limit && end > 0 {
            let page = page_before(&lock(&self.0), filter, &mut end, limit - records.len());
            records.extend(page.map_err(|error| fault::reading(&error))?);
        }
        records.reverse();
        Ok(records)
    }

    /// Verifies the whole chain and names the first broken record.
    pub fn verify(&self) -> Result<ChainReport, StoreError> {
        verify::verify(&mut lock(&self.0))
    }
}

struct Pages {
    log: AuditLog,
    /// The filter of the remaining records: `from` advances.
    filter: AuditFilter,
    page: IntoIter<AuditRecord>,
    left: usize,
}

impl Pages {
    fn next_record(&mut self) -> Result<Option<AuditRecord>, StoreError> {
        while self.left > 0 {
            if let Some(record) = self.page.next() {
                self.left -= 1;
                return Ok(Some(record));
            }
            if !self.turn()? {
                self.left = 0;
            }
        }
        Ok(None)
    }

    /// Reads the next page; returns whether it may contain records.
    fn turn(&mut self) -> Result<bool, StoreError> {
        let connection = lock(&self.log.0);
        let page = page(&connection, &mut self.filter, self.left.min(PAGE));
        let page = page.map_err(|error| fault::reading(&error))?;
        self.page = page.unwrap_or_default().into_iter();
        Ok(self.filter.from != u64::MAX)
    }
}

impl Iterator for Pages {
    type Item = Result<AuditRecord, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.next_record();
        if next.is_err() {
            self.left = 0;
        }
        next.transpose()
    }
}

/// Reads a page and moves `from` behind it; `None` and `u64::MAX` at the end of the log.
fn page(
    connection: &Connection,
    filter: &mut AuditFilter,
    limit: usize,
) -> rusqlite::Result<Option<Vec<AuditRecord>>> {
    let (first, last) = bounds(connection)?;
    let from = filter.from.max(first);
    if from > last {
        filter.from = u64::MAX;
        return Ok(None);
    }
    let to = from.saturating_add(WINDOW);
    let records = select(connection, filter, from..to, ReadDirection::OldestFirst, limit)?;
    let full = records.len() == limit;
    filter.from = records.last().filter(|_| full).map_or(to, |record| record.seq + 1);
    Ok(Some(records))
}

/// Reads a page that ends before `end`, newest first, and moves `end` before it; 0 at the
/// beginning of the log.
fn page_before(
    connection: &Connection,
    filter: &AuditFilter,
    end: &mut u64,
    limit: usize,
) -> rusqlite::Result<Vec<AuditRecord>> {
    let (first, last) = bounds(connection)?;
    let (first, to) = (first.max(filter.from), last.saturating_add(1).min(*end));
    let from = to.saturating_sub(WINDOW).max(first);
    *end = if from > first { from } else { 0 };
    select(connection, filter, from..to, ReadDirection::NewestFirst, limit)
}

/// The first and the last record, by two queries: one query for both would scan the table.
fn bounds(connection: &Connection) -> rusqlite::Result<(u64, u64)> {
    let sql = "
        SELECT ifnull((SELECT min(seq) FROM audit), 1), ifnull((SELECT max(seq) FROM audit), 0)";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([], |row| Ok((unsigned(row, 0)?, unsigned(row, 1)?)))
}
