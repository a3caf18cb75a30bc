//! The table of conversations.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::column;
use super::rows::{integer, unsigned};
use super::shared::StoreShared;
use super::task::{SizeEffect, WriteBatch};
use super::{background_tasks, confirmations, messages};
use crate::document::{
    ForgetResult, OwnerFilter, RecentCursor, SaveResult, StoredConversation, Summary,
};
use crate::lease::Lease;
use crate::memory::FEW;
use crate::pending_write::PendingWrite;

/// Saves the document if the stored version is the one before the document's.
pub(super) fn save(
    connection: &Connection,
    conversation: &ConversationId,
    epoch: u64,
    owner: Option<&UserId>,
    StoredConversation { version: next, time, body }: &StoredConversation,
) -> rusqlite::Result<SaveResult> {
    let (found, is_ours) = version(connection, conversation, epoch)?;
    if found.saturating_add(1) != *next || !is_ours {
        return Ok(SaveResult::Conflict { found });
    }
    let sql = "
        INSERT INTO conversations (id, version, time, body, owner) VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT (id) DO UPDATE SET version = ?2, time = ?3, body = ?4, owner = ?5";
    let mut statement = connection.prepare_cached(sql)?;
    let (id, body) = (conversation.as_str(), body.to_string());
    let owner = owner.map(UserId::as_str);
    statement.execute(params![id, integer(*next), integer(*time), body, owner])?;
    Ok(SaveResult::At(*next))
}

/// Adds a conversation, unless its id exists, and makes this process its owner.
pub(super) fn begin_owned(
    shared: &Arc<StoreShared>,
    conversation: &ConversationId,
    owner: Option<&UserId>,
    document: StoredConversation,
) -> PendingWrite<Option<Lease>> {
    let (id, owner, owned) = (conversation.clone(), owner.cloned(), conversation.clone());
    let add = move |batch: &mut WriteBatch<'_>| {
        let me = batch.shared.instance.id();
        begin(batch.connection, &id, owner.as_ref(), &document, me)
    };
    shared.write_then(SizeEffect::Takes, add, move |shared, begun| {
        begun.then(|| shared.leases.grant(&owned, 1))
    })
}

/// Ends a conversation, and with it the ownership of this process.
pub(super) fn end_owned(
    shared: &Arc<StoreShared>,
    conversation: &ConversationId,
    epoch: u64,
    document: StoredConversation,
) -> PendingWrite<SaveResult> {
    let (id, ended) = (conversation.clone(), conversation.clone());
    let close = move |batch: &mut WriteBatch<'_>| end(batch.connection, &id, epoch, &document);
    shared.write_then(SizeEffect::Takes, close, move |shared, saved| {
        if let SaveResult::At(_) = saved {
            shared.leases.revoke(&ended);
        }
        saved
    })
}

/// Adds a conversation that this process owns, unless its id exists; returns whether it did.
fn begin(
    connection: &Connection,
    conversation: &ConversationId,
    owner: Option<&UserId>,
    StoredConversation { version, time, body }: &StoredConversation,
    holder: &str,
) -> rusqlite::Result<bool> {
    let sql = "
        INSERT INTO conversations (id, version, time, body, owner, holder, epoch)
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, 1) ON CONFLICT (id) DO NOTHING";
    let mut statement = connection.prepare_cached(sql)?;
    let (id, body, owner) = (conversation.as_str(), body.to_string(), owner.map(UserId::as_str));
    let row = params![id, integer(*version), integer(*time), body, owner, holder];
    Ok(statement.execute(row)? == 1)
}

/// Ends a conversation if the stored version is the one before the document's.
fn end(
    connection: &Connection,
    conversation: &ConversationId,
    epoch: u64,
    StoredConversation { version: next, time, body }: &StoredConversation,
) -> rusqlite::Result<SaveResult> {
    let (found, is_ours) = version(connection, conversation, epoch)?;
    if found == 0 || found.saturating_add(1) != *next || !is_ours {
        return Ok(SaveResult::Conflict { found });
    }
    let sql = "
        UPDATE conversations SET version = ?2, time = ?3, body = ?4, ended = 1,
            holder = NULL, wanted = 0 WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let (id, body) = (conversation.as_str(), body.to_string());
    statement.execute(params![id, integer(*next), integer(*time), body])?;
    confirmations::end(connection, conversation, *time)?;
    Ok(SaveResult::At(*next))
}

/// The stored version, 0 if there is none, and whether a holder of the lease of this epoch may change the
/// conversation: it has not ended, and no other lease was granted since. Epoch 0 is of no lease.
fn version(
    connection: &Connection,
    conversation: &ConversationId,
    epoch: u64,
) -> rusqlite::Result<(u64, bool)> {
    let sql = "
        SELECT version, ended = 0 AND (?2 = 0 OR epoch = ?2) FROM conversations WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &Row<'_>| Ok((unsigned(row, 0)?, row.get(1)?));
    let found = statement.query_row(params![conversation.as_str(), integer(epoch)], read);
    Ok(found.optional()?.unwrap_or((0, true)))
}

pub(super) fn load(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<Option<StoredConversation>> {
    let sql = "SELECT version, time, body FROM conversations WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row([conversation.as_str()], document).optional()
}

/// A document whose version, time and body are the first columns.
pub(super) fn document(row: &Row<'_>) -> rusqlite::Result<StoredConversation> {
    let body = column(2, serde_json::from_str(row.get_ref(2)?.as_str()?))?;
    Ok(StoredConversation {
        version: unsigned(row, 0)?,
        time: unsigned(row, 1)?,
        body: Arc::new(body),
    })
}

pub(super) fn delete(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM conversations WHERE id = ?1";
    Ok(connection.prepare_cached(sql)?.execute([conversation.as_str()])? == 1)
}

/// The conversations that were last saved before a time, and have no call in the ledger and no open
/// confirmation; the oldest first.
const OLD: &str = "SELECT id FROM conversations WHERE time < ?1
AND NOT EXISTS (SELECT 1 FROM ledger WHERE ledger.conversation = conversations.id)
AND NOT EXISTS (SELECT 1 FROM confirmations
    WHERE confirmations.conversation = conversations.id AND expires > ?2)
ORDER BY time, id LIMIT ?3";

/// Removes conversations that were not used since `before`, with their messages, a few at a time.
pub(super) fn forget(
    batch: &mut WriteBatch<'_>,
    before: u64,
    now: u64,
) -> rusqlite::Result<ForgetResult> {
    let mut old = old(batch.connection, before, now, FEW)?;
    // Memory may have calls that are not on disk yet.
    old.retain(|conversation| !batch.shared.cache.has_calls(conversation));
    for conversation in &old {
        messages::delete(batch.connection, conversation)?;
        background_tasks::delete(batch.connection, conversation)?;
        delete(batch.connection, conversation)?;
    }
    Ok(ForgetResult { conversations: old.len(), more: old.len() == FEW })
}

fn old(
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

/// The registries of conversations that have not ended, with their number. Reads all of them.
pub(super) fn pinned_registries(
    connection: &Connection,
) -> rusqlite::Result<BTreeMap<String, u64>> {
    let sql = "
        SELECT json_extract(json_extract(body, '$.lasting'), '$.registryVersion') AS pinned, count(*)
        FROM conversations WHERE ended = 0
        AND json_valid(body) AND json_valid(json_extract(body, '$.lasting'))
        GROUP BY pinned HAVING pinned IS NOT NULL";
    let mut statement = connection.prepare(sql)?;
    let versions = statement.query_map([], |row| Ok((row.get(0)?, unsigned(row, 1)?)))?;
    versions.collect()
}

/// Each uses an index, so that a page costs the same however many conversations there are.
pub(super) const LIST: &str = "SELECT id, version, time, owner FROM conversations \
WHERE owner IS ?4 AND (time, id) < (?1, ?2) ORDER BY time DESC, id DESC LIMIT ?3";
pub(super) const LIST_ALL: &str = "SELECT id, version, time, owner FROM conversations \
WHERE (time, id) < (?1, ?2) ORDER BY time DESC, id DESC LIMIT ?3";

pub(super) fn list(
    connection: &Connection,
    owner: &OwnerFilter,
    after: Option<&RecentCursor>,
    limit: usize,
) -> rusqlite::Result<Vec<Summary>> {
    let time = after.map_or(i64::MAX, |after| integer(after.time));
    let id = after.map_or("", |after| after.conversation.as_str());
    let limit = integer(limit as u64);
    match owner {
        OwnerFilter::Everybody => {
            let mut statement = connection.prepare_cached(LIST_ALL)?;
            statement.query_map(params![time, id, limit], summary)?.collect()
        }
        OwnerFilter::Of(owner) => {
            let mut statement = connection.prepare_cached(LIST)?;
            let owner = owner.as_ref().map(UserId::as_str);
            statement.query_map(params![time, id, limit, owner], summary)?.collect()
        }
    }
}

fn summary(row: &Row<'_>) -> rusqlite::Result<Summary> {
    let owner = row.get::<_, Option<String>>(3)?.map(UserId::new).transpose();
    Ok(Summary {
        conversation: column(0, ConversationId::new(row.get::<_, String>(0)?))?,
        version: unsigned(row, 1)?,
        time: unsigned(row, 2)?,
        owner: column(3, owner)?,
    })
}
