//! One operation on its way to the disk. Many of them share a transaction.

use std::sync::Arc;

use aileron_contract::AuditEntry;
use aileron_contract::audit::Link;
use rusqlite::Connection;

use super::audit;
use super::recent::Recent;
use super::shared::Shared;
use crate::commit::Reply;
use crate::error::StoreError;

/// How soon an operation has to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Durability {
    /// Someone waits for it. All tasks before it are in the same transaction or an earlier one.
    Immediate,
    /// Someone waits for it, and it does not depend on tasks that wait for the tick, so it does not
    /// bring them forward: a transaction of few rows is over sooner, and their rows share pages.
    ImmediateAhead,
    /// Within a tick, together with others.
    NextTick,
}

pub(super) trait Task: Send {
    /// Writes it, inside the transaction. Called again if the transaction failed.
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()>;

    /// It is durable: tells memory and whoever waits.
    fn committed(self: Box<Self>, after: &mut After<'_>);

    /// Whether it makes room on a full disk, and so is worth trying when others fail.
    fn frees_space(&self) -> bool {
        false
    }

    /// It could not be written: tells whoever waits. What is given back is tried
    /// again, because it has happened and must not be lost.
    fn failed(self: Box<Self>, shared: &Shared, error: &StoreError) -> Option<Box<dyn Task>>;
}

/// The transaction that tasks are applied in.
pub(super) struct Batch<'a> {
    pub(super) connection: &'a Connection,
    pub(super) shared: &'a Shared,
    head: Option<Link>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(connection: &'a Connection, shared: &'a Shared) -> Self {
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

    /// Writes what belongs to the transaction as a whole.
    pub(super) fn finish(self) -> rusqlite::Result<()> {
        match &self.head {
            Some(head) => audit::set_link(self.connection, audit::HEAD, head),
            None => Ok(()),
        }
    }
}

/// What a task may touch once it is durable.
pub(super) struct After<'a> {
    pub(super) shared: &'a Arc<Shared>,
    pub(super) recent: &'a mut Recent,
}

/// A task made of two functions: one writes, the other tells memory of it
/// afterwards and gives the answer.
pub(super) struct Request<T, U, Run, Then> {
    run: Run,
    then: Then,
    room: Room,
    written: Option<T>,
    reply: Reply<U>,
}

/// What a request does to the size of the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Room {
    Takes,
    Frees,
}

impl<T, U, Run, Then> Request<T, U, Run, Then> {
    pub(super) fn new(run: Run, then: Then, room: Room, reply: Reply<U>) -> Self {
        Self { run, then, room, written: None, reply }
    }
}

impl<T, U, Run, Then> Task for Request<T, U, Run, Then>
where
    T: Send,
    U: Send,
    Run: FnMut(&mut Batch<'_>) -> rusqlite::Result<T> + Send,
    Then: FnOnce(&Shared, T) -> U + Send,
{
    fn apply(&mut self, batch: &mut Batch<'_>) -> rusqlite::Result<()> {
        self.written = Some((self.run)(batch)?);
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut After<'_>) {
        if let Some(written) = self.written {
            self.reply.send(Ok((self.then)(after.shared, written)));
        }
    }

    fn frees_space(&self) -> bool {
        self.room == Room::Frees
    }

    fn failed(self: Box<Self>, _: &Shared, error: &StoreError) -> Option<Box<dyn Task>> {
        self.reply.send(Err(error.clone()));
        None
    }
}
