//! Closes the calls of dead processes, and removes old calls.

use aileron_contract::{AuditEntry, CallId, ConversationId};
use rusqlite::{Row, params};

use super::fault::column;
use super::rows::{ABANDONED, STARTED, integer};
use super::task::WriteBatch;
use super::{background_tasks, blocks, confirmations, rates};
use crate::document::ExpiryResult;
use crate::ledger::AbandonedCall;

/// A closed call, and the audit entry that has to be recorded for it.
struct ClosedCall {
    id: i64,
    call: AbandonedCall,
    facts: Option<String>,
}

const COLUMNS: &str = "id, conversation, key, call_id, tool, writes, facts";

fn read(row: &Row<'_>) -> rusqlite::Result<ClosedCall> {
    let call = AbandonedCall {
        conversation: column(1, ConversationId::new(row.get::<_, String>(1)?))?,
        key: row.get(2)?,
        call_id: column(3, CallId::new(row.get::<_, String>(3)?))?,
        tool: row.get(4)?,
        writes: row.get(5)?,
    };
    Ok(ClosedCall { id: row.get(0)?, call, facts: row.get(6)? })
}

/// Appends the audit entry, if there is one.
pub(super) fn record(batch: &mut WriteBatch<'_>, facts: Option<&str>) -> rusqlite::Result<()> {
    let Some(facts) = facts else { return Ok(()) };
    let entry: AuditEntry = column(6, serde_json::from_str(facts))?;
    batch.record(&entry)
}

/// Marks the calls of processes that died as abandoned, and records them.
pub(super) fn recover(batch: &mut WriteBatch<'_>) -> rusqlite::Result<Vec<AbandonedCall>> {
    let mut calls = Vec::new();
    for owner in dead(batch)? {
        for closed in started_by(batch, &owner)? {
            abandon(batch, &closed)?;
            calls.push(closed.call);
        }
    }
    Ok(calls)
}

/// The owners of started calls that are not alive.
fn dead(batch: &WriteBatch<'_>) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT DISTINCT instance FROM ledger WHERE state = 0 ORDER BY instance";
    let mut statement = batch.connection.prepare_cached(sql)?;
    let owners = statement.query_map([], |row| row.get(0))?;
    let owners = owners.collect::<rusqlite::Result<Vec<String>>>()?;
    let alive = |owner: &String| batch.shared.instance.is_alive(owner);
    Ok(owners.into_iter().filter(|owner| !alive(owner)).collect())
}

fn started_by(batch: &WriteBatch<'_>, owner: &str) -> rusqlite::Result<Vec<ClosedCall>> {
    let sql = format!("SELECT {COLUMNS} FROM ledger WHERE state = 0 AND instance = ?1 ORDER BY id");
    let mut statement = batch.connection.prepare_cached(&sql)?;
    statement.query_map([owner], read)?.collect()
}

fn abandon(batch: &mut WriteBatch<'_>, closed: &ClosedCall) -> rusqlite::Result<()> {
    let sql = "UPDATE ledger SET state = ?2, facts = NULL WHERE id = ?1";
    batch.connection.prepare_cached(sql)?.execute(params![closed.id, ABANDONED])?;
    record(batch, closed.facts.as_deref())
}

/// The result of a round of expiry, with the calls that memory has to drop.
pub(super) struct ExpiryRound {
    pub(super) expired: ExpiryResult,
    pub(super) calls: Vec<AbandonedCall>,
}

/// Removes old rows, at most `limit` of each kind.
pub(super) fn expire(
    batch: &WriteBatch<'_>,
    now: u64,
    keep_ms: u64,
    limit: usize,
) -> rusqlite::Result<ExpiryRound> {
    let mut round = ExpiryRound { expired: ExpiryResult::default(), calls: Vec::new() };
    if let Some(cutoff) = now.checked_sub(keep_ms) {
        round.calls = expire_calls(batch, cutoff, limit)?;
        round.expired.confirmations = confirmations::expire(batch.connection, cutoff, limit)?;
        round.expired.tasks = background_tasks::expire(batch.connection, cutoff, limit)?;
    }
    let expired = &mut round.expired;
    expired.calls = round.calls.len();
    expired.blocks = blocks::expire(batch.connection, now, limit)?;
    let rates = rates::expire(batch.connection, now, limit)?;
    let most = expired.calls.max(expired.confirmations).max(expired.tasks);
    let most = most.max(expired.blocks).max(rates);
    expired.more = most == limit;
    Ok(round)
}

fn expire_calls(
    batch: &WriteBatch<'_>,
    cutoff: u64,
    limit: usize,
) -> rusqlite::Result<Vec<AbandonedCall>> {
    let sql = format!(
        "SELECT {COLUMNS} FROM ledger WHERE time <= ?1 AND state <> {STARTED}
         ORDER BY time, conversation, key LIMIT ?2"
    );
    let mut statement = batch.connection.prepare_cached(&sql)?;
    let old = statement.query_map(params![integer(cutoff), limit as i64], read)?;
    let old = old.collect::<rusqlite::Result<Vec<_>>>()?;
    let mut delete = batch.connection.prepare_cached("DELETE FROM ledger WHERE id = ?1")?;
    for closed in &old {
        delete.execute([closed.id])?;
    }
    Ok(old.into_iter().map(|closed| closed.call).collect())
}
