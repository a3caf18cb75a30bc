//! The table of confirmations.

use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use rusqlite::types::Value as SqlValue;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};
use serde_json::Value;

use super::fault::column;
use super::leases;
use super::rows::{integer, unsigned};
use super::shared::StoreShared;
use super::task::{AfterCommit, Task, WriteBatch};
use crate::call::CallScope;
use crate::document::{
    ConfirmationFilter, DecidedConfirmation, OwnerFilter, PendingConfirmation, TakeRecord,
    TakeResult,
};
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

/// The removal of one confirmation.
pub(super) struct Take {
    token: String,
    now: u64,
    record: TakeRecord,
}

impl Take {
    pub(super) fn new(token: &str, now: u64, record: TakeRecord) -> Self {
        Self { token: token.to_owned(), now, record }
    }

    /// Removes the row and returns it, under the write lock: if several callers try, one gets it.
    pub(super) fn apply(&self, connection: &Connection) -> rusqlite::Result<TakeResult> {
        let sql = "
            DELETE FROM confirmations WHERE token = ?1
            RETURNING token, conversation, user, expires, body";
        let mut statement = connection.prepare_cached(sql)?;
        let Some(pending) = statement.query_row([&self.token], read).optional()? else {
            return Ok(TakeResult::Unknown);
        };
        if let TakeRecord::Decided(decision) = &self.record {
            keep(connection, &pending, self.now, Some(decision))?;
        }
        Ok(match pending.expires <= self.now {
            true => TakeResult::Expired(pending),
            false => TakeResult::Pending(pending),
        })
    }
}

/// Keeps the record of a confirmation that was removed.
fn keep(
    connection: &Connection,
    pending: &PendingConfirmation,
    time: u64,
    decision: Option<&Value>,
) -> rusqlite::Result<()> {
    let sql = "INSERT OR REPLACE INTO decided_confirmations VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
    let mut statement = connection.prepare_cached(sql)?;
    let PendingConfirmation { token, conversation, user, expires, body } = pending;
    let (conversation, user) = (conversation.as_str(), user.as_ref().map(UserId::as_str));
    let (body, decision) = (body.to_string(), decision.map(Value::to_string));
    let (expires, time) = (integer(*expires), integer(time));
    statement.execute(params![token, conversation, user, expires, body, time, decision]).map(drop)
}

/// Takes a confirmation, unless another process owns its conversation.
pub(super) struct TakeConfirmation {
    taken: Take,
    scope: CallScope,
    reply: WriteCompleter<TakeResult>,
    /// `None` if another process owns the conversation.
    found: Option<TakeResult>,
}

impl TakeConfirmation {
    pub(super) fn new(taken: Take, scope: CallScope, reply: WriteCompleter<TakeResult>) -> Self {
        Self { taken, scope, reply, found: None }
    }
}

impl Task for TakeConfirmation {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.found = match leases::is_owner(batch.connection, &self.scope)? {
            true => Some(self.taken.apply(batch.connection)?),
            false => None,
        };
        Ok(())
    }

    fn committed(self: Box<Self>, _: &mut AfterCommit<'_>) {
        let not_owner = || StoreError::not_owner(&self.scope.conversation);
        self.reply.send(self.found.ok_or_else(not_owner));
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

/// Appends the conditions of a filter to a query, with their values.
fn restrict(filter: &ConfirmationFilter, sql: &mut String, values: &mut Vec<SqlValue>) {
    let text = |text: &str| SqlValue::Text(text.to_owned());
    if let OwnerFilter::Of(owner) = &filter.owner {
        sql.push_str(" AND user IS ?");
        values.push(owner.as_ref().map_or(SqlValue::Null, |owner| text(owner.as_str())));
    }
    if let Some(conversation) = &filter.conversation {
        sql.push_str(" AND conversation = ?");
        values.push(text(conversation.as_str()));
    }
}

pub(super) fn open(
    connection: &Connection,
    filter: &ConfirmationFilter,
    now: u64,
    limit: usize,
) -> rusqlite::Result<Vec<PendingConfirmation>> {
    let mut sql = "
        SELECT token, conversation, user, expires, body FROM confirmations WHERE expires > ?"
        .to_owned();
    let mut values = vec![SqlValue::Integer(integer(now))];
    restrict(filter, &mut sql, &mut values);
    sql.push_str(" ORDER BY expires, token LIMIT ?");
    values.push(SqlValue::Integer(integer(limit as u64)));
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(values), read)?.collect()
}

/// The decided confirmations, and the expired ones that are still in the table of open ones.
pub(super) fn decided(
    connection: &Connection,
    filter: &ConfirmationFilter,
    before: u64,
    limit: usize,
) -> rusqlite::Result<Vec<DecidedConfirmation>> {
    let [mut taken, mut expired] = [
        "SELECT token, conversation, user, expires, body, time, decision \
         FROM decided_confirmations WHERE time < ?",
        "SELECT token, conversation, user, expires, body, expires, NULL \
         FROM confirmations WHERE expires < ?",
    ]
    .map(str::to_owned);
    let mut values = vec![SqlValue::Integer(integer(before))];
    restrict(filter, &mut taken, &mut values);
    values.push(SqlValue::Integer(integer(before)));
    restrict(filter, &mut expired, &mut values);
    values.push(SqlValue::Integer(integer(limit as u64)));
    let sql = format!("{taken} UNION ALL {expired} ORDER BY 6 DESC, 1 LIMIT ?");
    let mut statement = connection.prepare_cached(&sql)?;
    statement.query_map(params_from_iter(values), read_decided)?.collect()
}

fn read_decided(row: &Row<'_>) -> rusqlite::Result<DecidedConfirmation> {
    let decision = row.get::<_, Option<String>>(6)?;
    let decision = decision.map(|text| serde_json::from_str(&text).map(Arc::new)).transpose();
    Ok(DecidedConfirmation {
        confirmation: read(row)?,
        time: unsigned(row, 5)?,
        decision: column(6, decision)?,
    })
}

/// Takes all confirmations of a conversation that ends.
pub(super) fn end(
    connection: &Connection,
    conversation: &ConversationId,
    now: u64,
) -> rusqlite::Result<()> {
    let closed = cancel(connection, conversation)?;
    closed.iter().try_for_each(|pending| keep(connection, pending, now, None))
}

fn cancel(
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

/// Removes at most `limit` confirmations that expired, and as many that were decided, at `cutoff`
/// or earlier; returns the larger number.
pub(super) fn expire(
    connection: &Connection,
    cutoff: u64,
    limit: usize,
) -> rusqlite::Result<usize> {
    let sql = "
        DELETE FROM confirmations WHERE token IN
            (SELECT token FROM confirmations WHERE expires <= ?1 LIMIT ?2)";
    let expired =
        connection.prepare_cached(sql)?.execute(params![integer(cutoff), limit as i64])?;
    let sql = "
        DELETE FROM decided_confirmations WHERE token IN
            (SELECT token FROM decided_confirmations WHERE time <= ?1 LIMIT ?2)";
    let decided =
        connection.prepare_cached(sql)?.execute(params![integer(cutoff), limit as i64])?;
    Ok(expired.max(decided))
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
