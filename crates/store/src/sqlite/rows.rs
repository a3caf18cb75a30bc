//! Rows of the ledger.

use std::sync::Arc;

use aileron_contract::{AuditEntry, ConversationId, ToolResponse};
use rusqlite::{Connection, OptionalExtension, Row as SqlRow, params};

use super::fault::column;
use super::instance::Instance;
use crate::call::{CallContent, CallStart};
use crate::ledger::CallStatus;

pub(super) const STARTED: i64 = 0;
pub(super) const FINISHED: i64 = 1;
pub(super) const ABANDONED: i64 = 2;

/// Times are stored as SQLite's signed integers; a larger value means "never".
pub(super) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

pub(super) fn unsigned(row: &SqlRow<'_>, index: usize) -> rusqlite::Result<u64> {
    row.get::<_, i64>(index).map(|value| u64::try_from(value).unwrap_or(0))
}

/// The state of a call that is written to its row.
pub(super) enum Stage<'a> {
    Started {
        facts: &'a str,
    },
    Finished {
        answer: &'a str,
    },
    /// Answered without having started.
    Refused {
        answer: &'a str,
    },
    Abandoned,
}

impl<'a> Stage<'a> {
    fn columns(&self) -> (i64, Option<&'a str>, Option<&'a str>) {
        match *self {
            Self::Started { facts } => (STARTED, Some(facts), None),
            Self::Finished { answer } | Self::Refused { answer } => (FINISHED, None, Some(answer)),
            Self::Abandoned => (ABANDONED, None, None),
        }
    }
}

/// A row of the ledger.
pub(super) struct LedgerRow {
    id: i64,
    state: i64,
    writes: bool,
    owner: String,
    facts: Option<String>,
    answer: Option<String>,
}

impl LedgerRow {
    /// Whether this store is running the call.
    pub(super) fn is_running_here(&self, me: &Instance) -> bool {
        self.state == STARTED && self.owner == me.id()
    }

    /// Whether any process may run the call (again): it writes nothing and no process runs it.
    pub(super) fn may_run_again(&self, me: &Instance) -> bool {
        match self.state {
            STARTED => !self.writes && !me.is_alive(&self.owner),
            ABANDONED => !self.writes,
            _ => false,
        }
    }

    /// Audit fields of a started call whose process died; `None` for every other row.
    pub(super) fn facts_if_owner_died(&self, me: &Instance) -> Option<&str> {
        let facts = self.facts.as_deref();
        facts.filter(|_| self.state == STARTED && !me.is_alive(&self.owner))
    }

    /// The status that the row stands for. A started row of this store that is not running in
    /// memory was abandoned.
    pub(super) fn known(self, me: &Instance) -> rusqlite::Result<CallStatus> {
        match self.answer {
            Some(answer) if self.state == FINISHED => {
                let answer: ToolResponse = column(5, serde_json::from_str(&answer))?;
                Ok(CallStatus::Finished(Arc::new(answer)))
            }
            _ if self.state == STARTED && self.owner != me.id() && me.is_alive(&self.owner) => {
                Ok(CallStatus::RunningElsewhere)
            }
            _ => Ok(CallStatus::Abandoned { writes: self.writes }),
        }
    }
}

const FIND: &str = "
SELECT id, state, writes, instance, facts, answer FROM ledger WHERE conversation = ?1 AND key = ?2";

pub(super) fn find(
    connection: &Connection,
    conversation: &ConversationId,
    key: &str,
) -> rusqlite::Result<Option<LedgerRow>> {
    let mut statement = connection.prepare_cached(FIND)?;
    let read = |row: &SqlRow<'_>| {
        Ok(LedgerRow {
            id: row.get(0)?,
            state: row.get(1)?,
            writes: row.get(2)?,
            owner: row.get(3)?,
            facts: row.get(4)?,
            answer: row.get(5)?,
        })
    };
    statement.query_row(params![conversation.as_str(), key], read).optional()
}

/// The tool and the arguments of the call with this key.
pub(super) fn content(
    connection: &Connection,
    conversation: &ConversationId,
    key: &str,
) -> rusqlite::Result<Option<CallContent>> {
    let sql = "SELECT tool, args_hash FROM ledger WHERE conversation = ?1 AND key = ?2";
    let read = |row: &SqlRow<'_>| Ok(CallContent { tool: row.get(0)?, args_hash: row.get(1)? });
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_row(params![conversation.as_str(), key], read).optional()
}

pub(super) fn keys(
    connection: &Connection,
    conversation: &ConversationId,
    limit: usize,
) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT key FROM ledger WHERE conversation = ?1 LIMIT ?2";
    let mut statement = connection.prepare_cached(sql)?;
    let keys =
        statement.query_map(params![conversation.as_str(), limit as i64], |row| row.get(0))?;
    keys.collect()
}

/// The keys of a conversation that other processes entered.
pub(super) fn foreign_keys(
    connection: &Connection,
    me: &Instance,
    conversation: &ConversationId,
) -> rusqlite::Result<Vec<String>> {
    let sql = "SELECT key FROM ledger WHERE conversation = ?1 AND instance <> ?2";
    let mut statement = connection.prepare_cached(sql)?;
    statement.query_map(params![conversation.as_str(), me.id()], |row| row.get(0))?.collect()
}

const INSERT: &str = "
INSERT INTO ledger (conversation, key, state, writes, instance, time, call_id, tool, version,
                    args_hash, facts, answer)
VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
ON CONFLICT (conversation, key) DO NOTHING";

/// Adds a row; returns whether the key was free.
pub(super) fn insert(
    connection: &Connection,
    me: &Instance,
    call: &CallStart,
    stage: &Stage<'_>,
) -> rusqlite::Result<bool> {
    let (state, facts, answer) = stage.columns();
    let mut statement = connection.prepare_cached(INSERT)?;
    let added = statement.execute(params![
        call.conversation().as_str(),
        &*call.key,
        state,
        call.writes(),
        me.id(),
        integer(call.time),
        call.call_id.as_str(),
        call.tool.id,
        call.tool.version,
        call.content().args_hash,
        facts,
        answer,
    ])?;
    Ok(added == 1)
}

/// The audit entries of calls that were started and have no record yet.
pub(super) fn unfinished(
    connection: &Connection,
    conversation: &ConversationId,
) -> rusqlite::Result<Vec<AuditEntry>> {
    let sql = "
        SELECT facts FROM ledger
        WHERE conversation = ?1 AND state = 0 AND facts IS NOT NULL ORDER BY id";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &SqlRow<'_>| column(0, serde_json::from_str(row.get_ref(0)?.as_str()?));
    statement.query_map([conversation.as_str()], read)?.collect()
}

/// Updates a row and makes this store its owner.
pub(super) fn update(
    connection: &Connection,
    me: &Instance,
    row: &LedgerRow,
    call: &CallStart,
    stage: &Stage<'_>,
) -> rusqlite::Result<()> {
    let (state, facts, answer) = stage.columns();
    let sql = "
        UPDATE ledger SET state = ?2, instance = ?3, time = ?4, facts = ?5, answer = ?6
        WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![row.id, state, me.id(), integer(call.time), facts, answer])?;
    Ok(())
}
