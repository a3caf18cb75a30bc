//! Walks the audit chain on disk.

use aileron_contract::audit::{ChainBreak, Link};
use aileron_contract::{AuditRecord, UserId};
use rusqlite::{Connection, Row};

use super::super::fault;
use super::super::rows::unsigned;
use super::{BASE, HEAD, link};
use crate::audit::ChainReport;
use crate::error::StoreError;

const ALL: &str = "
SELECT body, hash, time, conversation, user, tool, outcome, seq FROM audit ORDER BY seq";

/// Checks every record against the one before, and its indexed columns against its content. One
/// transaction, so that a concurrent writer does not interfere.
pub(super) fn verify(connection: &mut Connection) -> Result<ChainReport, StoreError> {
    let walked = walk(connection).map_err(|error| fault::reading(&error))?;
    walked.map_err(StoreError::BrokenChain)
}

fn walk(connection: &mut Connection) -> rusqlite::Result<Result<ChainReport, ChainBreak>> {
    let snapshot = connection.transaction()?;
    let base = link(&snapshot, BASE)?;
    let newest = link(&snapshot, HEAD)?;
    let mut statement = snapshot.prepare(ALL)?;
    let mut rows = statement.query([])?;
    let mut head = base.clone();
    while let Some(row) = rows.next()? {
        head = match check(&head, row)? {
            Ok(next) => next,
            Err(broken) => return Ok(Err(broken)),
        };
    }
    if head != newest {
        return Ok(Err(cut_off(&head, &newest)));
    }
    Ok(Ok(ChainReport { records: head.seq - base.seq, base, head }))
}

fn cut_off(head: &Link, newest: &Link) -> ChainBreak {
    let why = format!("the log ends before it, but had {} records", newest.seq);
    ChainBreak { seq: head.seq + 1, why }
}

fn check(head: &Link, row: &Row<'_>) -> rusqlite::Result<Result<Link, ChainBreak>> {
    let (body, hash) = (row.get_ref(0)?.as_str()?, row.get_ref(1)?.as_str()?);
    let next = match head.follow(body, hash) {
        Ok(next) => next,
        Err(broken) => return Ok(Err(broken)),
    };
    let found = AuditRecord::from_parts(body, hash);
    let fits = found.map(|record| columns_fit(&record, row)).unwrap_or(Ok(false))?;
    let why = || "the columns it is found by do not say what it says".to_owned();
    Ok(if fits { Ok(next) } else { Err(ChainBreak { seq: next.seq, why: why() }) })
}

fn columns_fit(record: &AuditRecord, row: &Row<'_>) -> rusqlite::Result<bool> {
    let entry = &record.entry;
    Ok(unsigned(row, 2)? == entry.time
        && row.get_ref(3)?.as_str()? == entry.conversation.as_str()
        && row.get::<_, Option<String>>(4)?.as_deref() == entry.user.as_ref().map(UserId::as_str)
        && row.get_ref(5)?.as_str()? == entry.tool_id
        && row.get_ref(6)?.as_str()? == entry.outcome.to_string()
        && unsigned(row, 7)? == record.seq)
}
