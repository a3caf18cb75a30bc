//! The audit table: appending, pruning, reading and verifying.

mod log;
mod select;
mod verify;

use aileron_contract::AuditEntry;
use aileron_contract::audit::Link;
use rusqlite::{Connection, params};

pub use log::AuditLog;

use super::rows::{integer, unsigned};
use super::task::WriteBatch;
use crate::audit::PruneResult;

/// The newest record.
pub(super) const HEAD: &str = "head";

/// The link that the oldest remaining record refers to.
pub(super) const BASE: &str = "base";

pub(super) fn link(connection: &Connection, name: &str) -> rusqlite::Result<Link> {
    let sql = "SELECT seq, hash FROM audit_links WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([name], |row| Ok(Link::new(unsigned(row, 0)?, row.get_ref(1)?.as_str()?)))
}

pub(super) fn set_link(connection: &Connection, name: &str, link: &Link) -> rusqlite::Result<()> {
    let sql = "UPDATE audit_links SET seq = ?2, hash = ?3 WHERE name = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![name, integer(link.seq), link.hash.as_str()]).map(drop)
}

const INSERT: &str = "
INSERT INTO audit (seq, time, conversation, user, tool, outcome, body, hash)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

/// Appends a record after the head; returns the new head.
pub(super) fn append(
    connection: &Connection,
    head: &Link,
    entry: &AuditEntry,
) -> rusqlite::Result<Link> {
    let (body, link) = head.append(entry);
    let mut statement = connection.prepare_cached(INSERT)?;
    statement.execute(params![
        integer(link.seq),
        integer(entry.time),
        entry.conversation.as_str(),
        entry.user.as_ref().map(AsRef::<str>::as_ref),
        entry.tool_id,
        entry.outcome.to_string(),
        body,
        link.hash.as_str(),
    ])?;
    Ok(link)
}

/// Removes the oldest records, at most `limit`, that are older than `before`.
pub(super) fn prune(
    batch: &WriteBatch<'_>,
    before: u64,
    limit: usize,
) -> rusqlite::Result<PruneResult> {
    let connection = batch.connection;
    let sql = "SELECT seq, hash, time FROM audit ORDER BY seq LIMIT ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let mut oldest = statement.query([limit as i64])?;
    let (mut base, mut records) = (link(connection, BASE)?, 0);
    while let Some(row) = oldest.next()? {
        if unsigned(row, 2)? >= before {
            break;
        }
        base = Link::new(unsigned(row, 0)?, row.get_ref(1)?.as_str()?);
        records += 1;
    }
    set_link(connection, BASE, &base)?;
    connection.execute("DELETE FROM audit WHERE seq <= ?1", [integer(base.seq)])?;
    Ok(PruneResult { records, base, more: records == limit })
}
