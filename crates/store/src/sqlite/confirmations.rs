//! The table of confirmations.

use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::column;
use super::leases;
use super::rows::{integer, unsigned};
use super::shared::StoreShared;
use super::task::{AfterCommit, Task, WriteBatch};
use crate::call::CallScope;
use crate::document::{PendingConfirmation, TakeResult};
use crate::error::StoreError;
use crate::pending_write::WriteCompleter;

pub(super) fn put(connection: &Connection, pending: &PendingConfirmation) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO confirmations VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = connection.prepare_cached(sql)?;
    let user = pending.user.as_ref().map(UserId::as_str);
    let (conversation, body) = (pending.conversation.as_str(), pending.body.to_string());
    let expires = integer(pending.expires);
    statement.execute(params![pending.token, conversation, user, expires, body]).map(drop)
}

/// Removes the row and returns it, in one statement under the write lock: if several callers try,
/// one gets it.
pub(super) fn take(connection: &Connection, token: &str, now: u64) -> rusqlite::Result<TakeResult> {
    let sql = "
        DELETE FROM confirmations WHERE token = ?1
        RETURNING token, conversation, user, expires, body";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(match statement.query_row([token], read).optional()? {
        Some(pending) if pending.expires <= now => TakeResult::Expired(pending),
        Some(pending) => TakeResult::Pending(pending),
        None => TakeResult::Unknown,
    })
}

/// Takes a confirmation, unless another process owns its conversation.
pub(super) struct TakeConfirmation {
    token: String,
    now: u64,
    scope: CallScope,
    reply: WriteCompleter<TakeResult>,
    /// `None` if another process owns the conversation.
    taken: Option<TakeResult>,
}

impl TakeConfirmation {
    pub(super) fn new(
        token: String,
        now: u64,
        scope: CallScope,
        reply: WriteCompleter<TakeResult>,
    ) -> Self {
        Self { token, now, scope, reply, taken: None }
    }
}

impl Task for TakeConfirmation {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.taken = match leases::is_owner(batch.connection, &self.scope)? {
            true => Some(take(batch.connection, &self.token, self.now)?),
            false => None,
        };
        Ok(())
    }

    fn committed(self: Box<Self>, _: &mut AfterCommit<'_>) {
        let not_owner = || StoreError::not_owner(&self.scope.conversation);
        self.reply.send(self.taken.ok_or_else(not_owner));
    }

    fn failed(self: Box<Self>, _: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        self.reply.send(Err(error.clone()));
        None
    }
}

pub(super) fn waiting(
    connection: &Connection,
    conversation: &ConversationId,
    now: u64,
) -> rusqlite::Result<Vec<PendingConfirmation>> {
    let sql = "
        SELECT token, conversation, user, expires, body FROM confirmations
        WHERE conversation = ?1 AND expires > ?2 ORDER BY expires, token";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params![conversation.as_str(), integer(now)], read)?.collect()
}

pub(super) fn cancel(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<Vec<PendingConfirmation>> {
    let sql = "
        DELETE FROM confirmations WHERE conversation = ?1
        RETURNING token, conversation, user, expires, body";
    let mut statement = connection.prepare_cached(sql)?;
    let gone = statement.query_map([conversation.as_str()], read)?;
    let mut gone = gone.collect::<rusqlite::Result<Vec<_>>>()?;
    gone.sort_by(|a, b| (a.expires, &a.token).cmp(&(b.expires, &b.token)));
    Ok(gone)
}

/// Removes at most `limit` confirmations that expired at `cutoff` or earlier.
pub(super) fn expire(
    connection: &Connection,
    cutoff: u64,
    limit: usize,
) -> rusqlite::Result<usize> {
    let sql = "
        DELETE FROM confirmations WHERE token IN
            (SELECT token FROM confirmations WHERE expires <= ?1 LIMIT ?2)";
    connection.prepare_cached(sql)?.execute(params![integer(cutoff), limit as i64])
}

fn read(row: &Row<'_>) -> rusqlite::Result<PendingConfirmation> {
    let user = row.get::<_, Option<String>>(2)?.map(UserId::new).transpose();
    Ok(PendingConfirmation {
        token: row.get(0)?,
        conversation: column(1, ConversationId::new(row.get::<_, String>(1)?))?,
        user: column(2, user)?,
        expires: unsigned(row, 3)?,
        body: Arc::new(column(4, serde_json::from_str(row.get_ref(4)?.as_str()?))?),
    })
}
