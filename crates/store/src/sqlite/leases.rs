//! Which process owns which conversation, among those that share the file.
//!
//! A lease is never stolen: a process that wants a conversation marks its row, and the owner, which
//! checks at every tick, writes its pending data and releases the lease. A dead process is detected
//! (see `instance`), so that no process waits for it and a slow one is not considered dead.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use aileron_contract::ConversationId;
use rusqlite::{Connection, OptionalExtension, params};

use super::calls::EnterRunning;
use super::conversations;
use super::fault::column;
use super::recovery;
use super::rows::{self, integer, unsigned};
use super::shared::StoreShared;
use super::task::{AfterCommit, Task, WriteBatch};
use crate::call::CallScope;
use crate::document::StoredConversation;
use crate::error::StoreError;
use crate::lease::{AcquireResult, Lease};
use crate::pending_write::WriteCompleter;
use crate::shared_once::lock;

/// How often a waiting process checks whether the conversation was released.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(2);

/// How long a process waits for an owner that is alive.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a process that released a conversation does not take it again, so that the process that
/// asked can. That one checks every [`LOOK_EVERY`]; it may have died meanwhile.
const YIELDS_FOR: Duration = Duration::from_millis(250);

/// From this many leases on, leases without a holder are dropped.
const SWEEP_AT: usize = 1024;

/// The leases that this store has granted, and the tasks that wait for one.
#[derive(Default)]
pub(super) struct Leases {
    held: Mutex<HeldLeases>,
    waiting: Mutex<Vec<Acquire>>,
    /// Until when this process leaves a conversation to the processes that asked for it.
    yielded: Mutex<HashMap<ConversationId, Instant>>,
}

#[derive(Default)]
struct HeldLeases {
    leases: HashMap<ConversationId, Lease>,
    sweep_at: usize,
}

impl Leases {
    /// Grants a lease of this epoch and revokes the one before.
    pub(super) fn grant(&self, conversation: &ConversationId, epoch: u64) -> Lease {
        let mut held = lock(&self.held);
        if held.leases.len() >= held.sweep_at.max(SWEEP_AT) {
            held.leases.retain(|_, lease| lease.is_shared());
            held.sweep_at = held.leases.len() * 2;
        }
        let lease = Lease::new(epoch);
        let before = held.leases.insert(conversation.clone(), lease.clone());
        before.inspect(Lease::revoke);
        lease
    }

    pub(super) fn revoke(&self, conversation: &ConversationId) {
        lock(&self.held).leases.remove(conversation).inspect(Lease::revoke);
    }

    /// Leaves the conversation to a process that asked for it. Without this, a process that uses
    /// the conversation often would take it again before the other sees that it is free.
    pub(super) fn give_way(&self, conversation: &ConversationId) {
        let now = Instant::now();
        let mut yielded = lock(&self.yielded);
        yielded.retain(|_, until| *until > now);
        yielded.insert(conversation.clone(), now + YIELDS_FOR);
    }

    fn gives_way(&self, conversation: &ConversationId) -> bool {
        lock(&self.yielded).get(conversation).is_some_and(|until| *until > Instant::now())
    }

    /// Ends that wait, because another process has taken the conversation.
    fn has_given_way(&self, conversation: &ConversationId) {
        lock(&self.yielded).remove(conversation);
    }

    /// The tasks that wait for a lease, to be tried again.
    pub(super) fn take_waiting(&self) -> Vec<Box<dyn Task>> {
        let waiting = std::mem::take(&mut *lock(&self.waiting));
        waiting.into_iter().map(|one| Box::new(one) as Box<dyn Task>).collect()
    }

    pub(super) fn has_waiting(&self) -> bool {
        !lock(&self.waiting).is_empty()
    }
}

impl std::fmt::Debug for Leases {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Leases").finish_non_exhaustive()
    }
}

/// The result of one attempt to take a lease.
enum LeaseAttempt {
    Owner {
        epoch: u64,
        document: StoredConversation,
    },
    Ended(StoredConversation),
    Missing,
    /// The owner is alive and was asked to release it, or another process asked first.
    Asked,
}

/// Takes the lease on a conversation as soon as its owner has released it.
pub(super) struct Acquire {
    conversation: ConversationId,
    until: Instant,
    reply: WriteCompleter<AcquireResult>,
    attempt: LeaseAttempt,
}

impl Acquire {
    pub(super) fn new(conversation: ConversationId, reply: WriteCompleter<AcquireResult>) -> Self {
        let until = Instant::now() + PATIENCE;
        Self { conversation, until, reply, attempt: LeaseAttempt::Missing }
    }
}

impl Task for Acquire {
    fn apply(&mut self, batch: &mut WriteBatch<'_>) -> rusqlite::Result<()> {
        self.attempt = attempt(batch, &self.conversation)?;
        Ok(())
    }

    fn committed(self: Box<Self>, after: &mut AfterCommit<'_>) {
        let leases = &after.shared.leases;
        let is_in_time = Instant::now() < self.until;
        if matches!(self.attempt, LeaseAttempt::Asked) && is_in_time {
            return lock(&leases.waiting).push(*self);
        }
        let Self { conversation, reply, attempt, .. } = *self;
        reply.send(Ok(match attempt {
            LeaseAttempt::Owner { epoch, document } => {
                AcquireResult::Owner(leases.grant(&conversation, epoch), document)
            }
            LeaseAttempt::Ended(document) => AcquireResult::Ended(document),
            LeaseAttempt::Missing => AcquireResult::Missing,
            LeaseAttempt::Asked => AcquireResult::Held,
        }));
    }

    fn failed(self: Box<Self>, _: &StoreShared, error: &StoreError) -> Option<Box<dyn Task>> {
        self.reply.send(Err(error.clone()));
        None
    }
}

const FIND: &str =
    "SELECT version, time, body, epoch, holder, ended FROM conversations WHERE id = ?1";

fn attempt(
    batch: &mut WriteBatch<'_>,
    conversation: &ConversationId,
) -> rusqlite::Result<LeaseAttempt> {
    let found = batch.connection.prepare_cached(FIND)?.query_row([conversation.as_str()], |row| {
        let rest = (unsigned(row, 3)?, row.get::<_, Option<String>>(4)?, row.get::<_, bool>(5)?);
        Ok((conversations::document(row)?, rest))
    });
    let Some((document, (epoch, holder, ended))) = found.optional()? else {
        return Ok(LeaseAttempt::Missing);
    };
    if ended {
        return Ok(LeaseAttempt::Ended(document));
    }
    let (me, leases) = (&batch.shared.instance, &batch.shared.leases);
    match holder {
        Some(holder) if holder != me.id() && me.is_alive(&holder) => {
            leases.has_given_way(conversation);
            let sql = "UPDATE conversations SET wanted = 1 WHERE id = ?1 AND wanted = 0";
            batch.connection.prepare_cached(sql)?.execute([conversation.as_str()])?;
            return Ok(LeaseAttempt::Asked);
        }
        _ if leases.gives_way(conversation) => return Ok(LeaseAttempt::Asked),
        // The dead owner's calls are recorded before any are counted.
        Some(holder) if holder != me.id() => drop(recovery::recover(batch)?),
        // Another copy in this process may have running reads.
        Some(_) | None => EnterRunning::default().apply(batch)?,
    }
    // Other processes may have entered calls since this process last read their rows.
    if batch.shared.cache.outdates(conversation) {
        let keys = rows::foreign_keys(batch.connection, me, conversation)?;
        keys.iter().for_each(|key| batch.shared.cache.note_foreign(conversation, key));
    }
    let (epoch, version) = (epoch.saturating_add(1), document.version.saturating_add(1));
    let sql = "
        UPDATE conversations SET holder = ?2, epoch = ?3, version = ?4, wanted = 0 WHERE id = ?1";
    let mut statement = batch.connection.prepare_cached(sql)?;
    let me = batch.shared.instance.id();
    statement.execute(params![conversation.as_str(), me, integer(epoch), integer(version)])?;
    Ok(LeaseAttempt::Owner { epoch, document: StoredConversation { version, ..document } })
}

/// The conversations of this store that other processes asked for, each with the epoch of its
/// lease.
pub(super) fn wanted(
    connection: &Connection,
    me: &str,
) -> rusqlite::Result<Vec<(ConversationId, u64)>> {
    let sql = "SELECT id, epoch FROM conversations WHERE holder = ?1 AND wanted = 1";
    let mut statement = connection.prepare_cached(sql)?;
    let read = |row: &rusqlite::Row<'_>| {
        let id = column(0, ConversationId::new(row.get::<_, String>(0)?))?;
        Ok((id, unsigned(row, 1)?))
    };
    statement.query_map([me], read)?.collect()
}

/// Releases a conversation whose lease was revoked. Runs after all decisions under that lease are
/// written. If a copy in this process has taken the conversation again meanwhile, that copy has
/// another lease, and keeps it until it is asked for it.
pub(super) fn let_go(
    batch: &mut WriteBatch<'_>,
    conversation: &ConversationId,
    epoch: u64,
) -> rusqlite::Result<()> {
    EnterRunning::default().apply(batch)?;
    let sql = "
        UPDATE conversations SET holder = NULL, wanted = 0
        WHERE id = ?1 AND holder = ?2 AND epoch = ?3";
    let (id, me) = (conversation.as_str(), batch.shared.instance.id());
    batch.connection.prepare_cached(sql)?.execute(params![id, me, integer(epoch)]).map(drop)
}

/// Whether decisions under this lease may be carried out.
pub(super) fn is_owner(connection: &Connection, scope: &CallScope) -> rusqlite::Result<bool> {
    let epoch = scope.lease.epoch();
    if epoch == 0 {
        return Ok(true);
    }
    let sql = "SELECT epoch = ?2 AND ended = 0 FROM conversations WHERE id = ?1";
    let mut statement = connection.prepare_cached(sql)?;
    let id = scope.conversation.as_str();
    let found = statement.query_row(params![id, integer(epoch)], |row| row.get(0)).optional()?;
    Ok(found.unwrap_or(true))
}
