//! The table of blocks. Memory holds a copy of all of it.

use std::collections::HashMap;

use aileron_contract::UserId;
use rusqlite::{Connection, params};

use super::fault::column;
use super::rows::{integer, unsigned};
use super::shared::StoreShared;
use super::task::{AfterCommit, Task, WriteBatch};
use crate::error::StoreError;
use crate::pending_write::WriteCompleter;

/// Writes a block that is already in effect in memory.
pub(super) struct BlockPerson {
    user: UserId,
    until: u64,
    reply: Option<WriteCompleter<()>>,
}

impl BlockPerson {
    pub(super) fn new(user: UserId, until: u64, reply: WriteCompleter<()>) -> Self {
        Self { user, until, reply: Some(reply) }
    }
}

impl Task for BlockPerson {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        raise(batch.connection, &self.user, self.until)
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        after.shared.blocks.written(&self.user, self.until);
        self.reply.into_iter().for_each(|reply| reply.send(Ok(())));
    }

    /// The block is in effect in memory and has to survive a crash, so the task stays in the queue.
    fn failed(mut self: Box<Self>, _: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        self.reply.take().into_iter().for_each(|reply| reply.send(Err(error.clone())));
        Some(self)
    }
}

fn raise(connection: &Connection, user: &UserId, until: u64) -> rusqlite::Result<()> {
    let sql = "
        INSERT INTO blocks VALUES (?1, ?2)
        ON CONFLICT (user) DO UPDATE SET until = max(until, excluded.until)";
    let mut statement = connection.prepare_cached(sql)?;
    statement.execute(params![user.as_str(), integer(until)]).map(drop)
}

pub(super) fn lift(connection: &Connection, user: &UserId) -> rusqlite::Result<bool> {
    let sql = "DELETE FROM blocks WHERE user = ?1";
    Ok(connection.prepare_cached(sql)?.execute([user.as_str()])? == 1)
}

/// Removes at most `limit` blocks that have ended.
pub(super) fn expire(connection: &Connection, now: u64, limit: usize) -> rusqlite::Result<usize> {
    let sql = "
        DELETE FROM blocks WHERE user IN (SELECT user FROM blocks WHERE until <= ?1 LIMIT ?2)";
    connection.prepare_cached(sql)?.execute(params![integer(now), limit as i64])
}

pub(super) fn all(connection: &Connection) -> rusqlite::Result<HashMap<UserId, u64>> {
    let mut statement = connection.prepare_cached("SELECT user, until FROM blocks")?;
    let rows = statement.query_map([], |row| {
        Ok((column(0, UserId::new(row.get::<_, String>(0)?))?, unsigned(row, 1)?))
    })?;
    rows.collect()
}
