//! The table of messages: the log of each conversation.

use std::sync::Arc;

use aileron_contract::ConversationId;
use rusqlite::{Connection, Row, params};
use serde_json::Value;

use super::fault::column;
use super::rows::{integer, unsigned};
use crate::log::{AppendResult, LogEntry};

/// Adds entries after the one numbered `after`, if that is the last.
pub(super) fn append(
    connection: &Connection,
    conversation: &ConversationId,
    after: u64,
    bodies: &[Arc<Value>],
    now: u64,
) -> rusqlite::Result<AppendResult> {
    let found = last(connection, conversation)?;
    if found != after {
        return Ok(AppendResult::Conflict { found });
    }
    let mut statement =
        connection.prepare_cached("INSERT INTO messages VALUES (?1, ?2, ?3, ?4)")?;
    let mut seq = after;
    for body in bodies {
        seq = seq.saturating_add(1);
        let row = params![conversation.as_str(), integer(seq), integer(now), body.to_string()];
        statement.execute(row)?;
    }
    Ok(AppendResult::At(seq))
}

/// The number of the last entry, 0 if there is none.
fn last(connection: &Connection, conversation: &ConversationId) -> rusqlite::Result<u64> {
    let sql = "SELECT ifnull(max(seq), 0) FROM messages WHERE conversation = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([conversation.as_str()], |row| unsigned(row, 0))
}

/// The last entries before the one numbered `before`, in their order.
pub(super) fn page(
    connection: &Connection,
    conversation: &ConversationId,
    before: u64,
    limit: usize,
) -> rusqlite::Result<Vec<LogEntry>> {
    let sql = "
        SELECT seq, time, body FROM messages WHERE conversation = ?1 AND seq < ?2
        ORDER BY seq DESC LIMIT ?3";
    let mut statement = connection.prepare_cached(sql)?;
    let limit = integer(limit as u64);
    let rows = statement.query_map(params![conversation.as_str(), integer(before), limit], read)?;
    let mut entries = rows.collect::<rusqlite::Result<Vec<_>>>()?;
    entries.reverse();
    Ok(entries)
}

fn read(row: &Row<'_>) -> rusqlite::Result<LogEntry> {
    let body = column(2, serde_json::from_str(row.get_ref(2)?.as_str()?))?;
    Ok(LogEntry { seq: unsigned(row, 0)?, time: unsigned(row, 1)?, body: Arc::new(body) })
}

pub(super) fn delete(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<()> {
    let sql = "DELETE FROM messages WHERE conversation = ?1";
    connection.prepare_cached(sql)?.execute([conversation.as_str()]).map(drop)
}
