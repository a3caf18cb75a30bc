//! One operation that the writer applies. Many of them share a transaction.

use std::sync::Arc;

use aileron_contract::AuditEntry;
use aileron_contract::audit::Link;
use rusqlite::Connection;

use super::answer_cache::AnswerCache;
use super::audit;
use super::shared::StoreShared;
use crate::error::StoreError;
use crate::pending_write::WriteCompleter;

/// How soon an operation has to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// A caller waits for it. All tasks before it are in the same transaction or an earlier one.
    Immediate,
    /// A caller waits for it, and it does not depend on tasks that wait for the tick, so it does
    /// not force them to be written: a transaction of few rows ends sooner, and the rows of the
    /// others share pages.
    ImmediateAhead,
    /// Within a tick, together with others.
    NextTick,
}

pub(super) trait Task: Send {
    /// Writes it, inside the transaction. Called again if the transaction failed.
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()>;

    /// Called when it is durable: updates memory and completes the waiter.
    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>);

    /// Whether it frees space on a full disk, and so is worth trying when others fail.
    fn frees_space(&self) -> bool {
        false
    }

    /// Called when it could not be written: fails the waiter. A returned task is retried, because
    /// its effect has happened and must not be lost.
    fn failed(self: Box<Self>, shared: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>>;
}

/// The transaction that tasks are applied in.
pub(super) struct WriteBatch<'a> {
    pub(super) connection: &'a Connection,
    pub(super) shared: &'a StoreShared,
    head: Option<Link>,
}

impl<'a> WriteBatch<'a> {
    pub(super) fn new(connection: &'a Connection, shared: &'a StoreShared) -> Self {
        Self { connection, shared, head: None }
    }

    /// Appends a record to the audit chain. The head is read inside the
    /// transaction, so two processes never append to the same record.
    pub(super) fn record(&mut self, entry: &AuditEntry) -> rusqlite::Result<()> {
        let head = match self.head.take() {
            Some(head) => head,
            None => audit::link(self.connection, audit::HEAD)?,
        };
        self.head = Some(audit::append(self.connection, &head, entry)?);
        Ok(())
    }

    /// Writes the data that belongs to the transaction as a whole.
    pub(super) fn finish(self) -> rusqlite::Result<()> {
        match &self.head {
            Some(head) => audit::set_link(self.connection, audit::HEAD, head),
            None => Ok(()),
        }
    }
}

/// The state that a task may change once it is durable.
pub(super) struct AfterCommit<'a> {
    pub(super) shared: &'a Arc<StoreShared>,
    pub(super) recent: &'a mut AnswerCache,
}

/// A task made of two functions: one writes, the other updates memory afterwards and returns the
/// result.
pub(super) struct WriteTask<T, U, Run, Then> {
    run: Run,
    then: Then,
    room: SizeEffect,
    written: Option<T>,
    reply: WriteCompleter<U>,
}

/// The effect of a task on the size of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SizeEffect {
    Takes,
    Frees,
}

impl<T, U, Run, Then> WriteTask<T, U, Run, Then> {
    pub(super) fn new(run: Run, then: Then, room: SizeEffect, reply: WriteCompleter<U>) -> Self {
        Self { run, then, room, written: None, reply }
    }
}

impl<T, U, Run, Then> Task for WriteTask<T, U, Run, Then>
where
    T: Send,
    U: Send,
    Run: FnMut(&mut WriteBatch<'_>) -> rusqlite::Result<T> + Send,
    Then: FnOnce(&StoreShared, T) -> U + Send,
{
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.written = Some((self.run)(batch)?);
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        if let Some(written) = self.written {
            self.reply.send(Ok((self.then)(after.shared, written)));
        }
    }

    fn frees_space(&self) -> bool {
        self.room == SizeEffect::Frees
    }

    fn failed(self: Box<Self>, _: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        self.reply.send(Err(error.clone()));
        None
    }
}
