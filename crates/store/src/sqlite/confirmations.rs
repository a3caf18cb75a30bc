//! The table of confirmations.

use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use rusqlite::{Connection, OptionalExtension, Row, params};

use super::fault::column;
use super::leases;
use super::rows::{integer, unsigned};
use super::shared::Shared;
use super::task::{After, Batch, Task};
use crate::call::Scope;
use crate::commit::Reply;
use crate::document::{Pending, Taken};
use crate::error::StoreError;

pub(super) fn put(connection: &Connection, pending: &Pending) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO confirmations VALUES (?1, ?2, ?3, ?4, ?5)";
    let mut statement = connection.prepare_cached(sql)?;
    let user = pending.user.as_ref().map(UserId::as_str);
    let (conversation, body) = (pending.conversation.as_str(), pending.body.to_string());
    let expires = integer(pending.expires);
    statement.execute(params![pending.token, conversation, user, expires, body]).map(drop)
}

/// Removes the row and gives it, in one statement under the write lock: of all
/// who try, one gets it.
pub(super) fn take(connection: &Connection, token: &str, now: u64) -> rusqlite::Result<Taken> {
    let sql = "
        DELETE FROM confirmations WHERE token = ?1
        RETURNING token, conversation, user, expires, body";
    let mut statement = connection.prepare_cached(sql)?;
    Ok(match statement.query_row([token], read).optional()? {
        Some(pending) if pending.expires <= now => Taken::Expired(pending),
        Some(pending) => Taken::Pending(pending),
        None => Taken::Unknown,
    })
}

/// Takes a confirmation, unless somebody else decides about its conversation.
pub(super) struct Take {
    token: String,
    now: u64,
    scope: Scope,
    reply: Reply<Taken>,
    /// `None` if somebody else decides.
    taken: Option<Taken>,
}

impl Take {
    pub(super) fn new(token: String, now: u64, scope: Scope, reply: Reply<Taken>) -> Self {
        Self { token, now, scope, reply, taken: None }
    }
}

impl Task for Take {
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        self.taken = match leases::is_owner(batch.connection, &self.scope)? {
            true => Some(take(batch.connection, &self.token, self.now)?),
            false => None,
        };
        Ok(())
    }

    fn committed(self: Box<Self>, _: &mut After<'_>) {
        let not_owner = || StoreError::not_owner(&self.scope.conversation);
        self.reply.send(self.taken.ok_or_else(not_owner));
    }

    fn failed(self: Box<Self>, _: &Shared, error: &StoreError) -> Option<Box<dyn Task>> {
        self.reply.send(Err(error.clone()));
        None
    }
}

pub(super) fn waiting(
    connection: &Connection,
    conversation: &ConversationId,
    now: u64,
) -> rusqlite::Result<Vec<Pending>> {
    let sql = "
        SELECT token, conversation, user, expires, body FROM confirmations
        WHERE conversation = ?1 AND expires > ?2 ORDER BY expires, token";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params![conversation.as_str(), integer(now)], read)?.collect()
}

pub(super) fn cancel(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<Vec<Pending>> {
    let sql = "
        DELETE FROM confirmations WHERE conversation = ?1
        RETURNING token, conversation, user, expires, body";
    let mut statement = connection.prepare_cached(sql)?;
    let gone = statement.query_map([conversation.as_str()], read)?;
    let mut gone = gone.collect::<rusqlite::Result<Vec<_>>>()?;
    gone.sort_by(|a, b| (a.expires, &a.token).cmp(&(b.expires, &b.token)));
    Ok(gone)
}

/// Removes at most `limit` that expired at `cutoff` or earlier.
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

fn read(row: &Row<'_>) -> rusqlite::Result<Pending> {
    let user = row.get::<_, Option<String>>(2)?.map(UserId::new).transpose();
    Ok(Pending {
        token: row.get(0)?,
        conversation: column(1, ConversationId::new(row.get::<_, String>(1)?))?,
        user: column(2, user)?,
        expires: unsigned(row, 3)?,
        body: Arc::new(column(4, serde_json::from_str(row.get_ref(4)?.as_str()?))?),
    })
}
