//! The state that the callers' threads and the writer share.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use aileron_contract::{ConversationId, Outcome};
use rusqlite::Connection;

use super::calls::AbandonCall;
use super::counting::Counting;
use super::fault;
use super::file_identity::FileIdentity;
use super::instance::Instance;
use super::leases::Leases;
use super::options::SqliteOptions;
use super::queue::Queue;
use super::rows;
use super::task::{Durability, SizeEffect, Task, WriteBatch, WriteTask};
use crate::blocks::Blocks;
use crate::call::CallStart;
use crate::error::StoreError;
use crate::ledger::{CallStatus, TicketIssuer};
use crate::ledger_cache::LedgerCache;
use crate::pending_write::{PendingWrite, WriteCompleter};
use crate::shared_once::lock;

/// A conversation with more keys on disk than this is queried key by key.
const MAX_LISTED_KEYS: usize = 4096;

/// How often a listing is tried while other processes make it out of date.
const LISTINGS: usize = 3;

#[derive(Debug)]
pub(super) struct StoreShared {
    pub(super) path: PathBuf,
    pub(super) file: FileIdentity,
    pub(super) options: SqliteOptions,
    pub(super) cache: LedgerCache,
    pub(super) blocks: Blocks,
    pub(super) counting: Counting,
    pub(super) leases: Leases,
    pub(super) queue: Queue,
    pub(super) instance: Instance,
    pub(super) reader: Mutex<Connection>,
}

impl StoreShared {
    /// Submits a task to the writer.
    pub(super) fn submit(
        &self,
        task: Box<dyn Task>,
        durability: Durability,
    ) -> Result<(), StoreError> {
        self.queue.push(task, durability).map_err(|(task, error)| {
            drop(task.failed(self, &error));
            error
        })
    }

    /// Submits a task to the writer; its handle resolves with the result, or fails if the task is
    /// not accepted.
    pub(super) fn ask<T, K: Task + 'static>(
        &self,
        durability: Durability,
        task: impl FnOnce(WriteCompleter<T>) -> K,
    ) -> PendingWrite<T> {
        let (completer, answer) = PendingWrite::pending();
        let _ = self.submit(Box::new(task(completer)), durability);
        answer
    }

    /// Runs a function in the writer's transaction; resolves when that is durable.
    pub(super) fn write<T: Send + 'static>(
        &self,
        run: impl FnMut(&mut WriteBatch<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> PendingWrite<T> {
        self.write_then(SizeEffect::Takes, run, |_, written| written)
    }

    /// The same for a write that does not depend on tasks that wait for the tick.
    pub(super) fn write_ahead<T: Send + 'static>(
        &self,
        run: impl FnMut(&mut WriteBatch<'_>) -> rusqlite::Result<T> + Send + 'static,
    ) -> PendingWrite<T> {
        let same = |_: &Self, written| written;
        let task = |completer| WriteTask::new(run, same, SizeEffect::Takes, completer);
        self.ask(Durability::ImmediateAhead, task)
    }

    /// The same; `then` updates memory before the result is returned.
    pub(super) fn write_then<T: Send + 'static, U: Send + 'static>(
        &self,
        room: SizeEffect,
        run: impl FnMut(&mut WriteBatch<'_>) -> rusqlite::Result<T> + Send + 'static,
        then: impl FnOnce(&Self, T) -> U + Send + 'static,
    ) -> PendingWrite<U> {
        let task = |completer| WriteTask::new(run, then, room, completer);
        self.ask(Durability::Immediate, task)
    }

    /// Reads, on the caller's thread.
    pub(super) fn read<T>(
        &self,
        run: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, StoreError> {
        run(&lock(&self.reader)).map_err(|error| fault::reading(&error))
    }

    /// The status of a call on disk.
    pub(super) fn known_on_disk(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError> {
        self.read(|connection| {
            let row = rows::find(connection, conversation, key)?;
            row.map(|row| row.known(&self.instance)).transpose()
        })
    }

    /// Loads the keys that a conversation has on disk into memory.
    pub(super) fn cover(&self, conversation: &ConversationId) -> Result<(), StoreError> {
        for _ in 0..LISTINGS {
            let epoch = self.cache.epoch();
            let list = |connection: &_| rows::keys(connection, conversation, MAX_LISTED_KEYS + 1);
            let keys = self.read(list)?;
            if keys.len() > MAX_LISTED_KEYS {
                break;
            }
            if self.cache.cover(conversation, &keys, epoch) {
                return Ok(());
            }
        }
        self.cache.leave_uncovered(conversation);
        Ok(())
    }
}

impl TicketIssuer for StoreShared {
    fn dropped(&self, call: &Arc<CallStart>, outcome: Outcome) {
        self.cache.abandon(call);
        self.queue
            .push_now(Box::new(AbandonCall::new(call.clone(), outcome)), Durability::NextTick);
    }
}
