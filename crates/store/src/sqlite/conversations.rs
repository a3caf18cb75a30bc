//! The table of conversations.

use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use rusqlite::{Connection, OptionalExtension, params};

use super::fault::column;
use super::rows::{integer, unsigned};
use crate::document::{Document, Saved, Summary};

/// Saves the document if the version before its own is there.
pub(super) fn save(
    connection: &Connection,
    conversation: &ConversationId,
    owner: Option<&UserId>,
    Document { version: next, time, body }: &Document,
) -> rusqlite::Result<Saved> {
    let found = version(connection, conversation)?;
    if found.saturating_add(1) != *next {
        return Ok(Saved::Conflict { found });
    }
    let sql = "INSERT OR REPLACE INTO conversations VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = connection.prepare_cached(sql)?;
    let (id, body) = (conversation.as_str(), body.to_string());
    let owner = owner.map(UserId::as_str);
    statement.execute(params![id, integer(*next), integer(*time), body, owner])?;
    Ok(Saved::At(*next))
}

/// The version that is there, 0 if there is none.
fn version(connection: &Connection, conversation: &ConversationId) -> rusqlite::Result<u64> {
    let sql = "SELECT version FROM conversations WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let found = statement.query_row([conversation.as_str()], |row| unsigned(row, 0)).optional()?;
    Ok(found.unwrap_or(0))
}

pub(super) fn load(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<Option<Document>> {
    let sql = "SELECT version, time, body FROM conversations WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let document = statement.query_row([conversation.as_str()], |row| {
        let body = column(2, serde_json::from_str(row.get_ref(2)?.as_str()?))?;
        Ok(Document { version: unsigned(row, 0)?, time: unsigned(row, 1)?, body: Arc::new(body) })
    });
    document.optional()
}

pub(super) fn delete(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM conversations WHERE id = ?1";
    Ok(connection.prepare_cached(sql)?.execute([conversation.as_str()])? == 1)
}

/// The conversations that were last saved before a time, and that no call and no question needs any
/// more; the oldest first.
const OLD: &str = "SELECT id FROM conversations WHERE time < ?1
AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.conversation = conversations.id)
AND NOT EXISTS (SELECT 1 FROM confirmations
    WHERE confirmations.conversation = conversations.id AND expires > ?2)
ORDER BY time, id LIMIT ?3";

pub(super) fn old(
    connection: &Connection,
    before: u64,
    now: u64,
    limit: usize,
) -> rusqlite::Result<Vec<ConversationId>> {
    let mut statement = connection.prepare_cached(OLD)?;
    let rows = statement
        .query_map(params![integer(before), integer(now), integer(limit as u64)], |row| {
            column(0, ConversationId::new(row.get::<_, String>(0)?))
        })?;
    rows.collect()
}

/// Goes through the index of owners, so that what others have is not looked at.
pub(super) const LIST: &str = "SELECT id, version, time FROM conversations \
WHERE owner IS ?1 AND id > ?2 ORDER BY id LIMIT ?3";

pub(super) fn list(
    connection: &Connection,
    owner: Option<&UserId>,
    after: Option<&ConversationId>,
    limit: usize,
) -> rusqlite::Result<Vec<Summary>> {
    let mut statement = connection.prepare_cached(LIST)?;
    let (owner, after) = (owner.map(UserId::as_str), after.map_or("", ConversationId::as_str));
    let rows = statement.query_map(params![owner, after, integer(limit as u64)], |row| {
        Ok(Summary {
            conversation: column(0, ConversationId::new(row.get::<_, String>(0)?))?,
            version: unsigned(row, 1)?,
            time: unsigned(row, 2)?,
        })
    })?;
    rows.collect()
}
