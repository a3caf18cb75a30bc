//! The trait that all stores implement.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use aileron_contract::{AuditEntry, AuditRecord, ConversationId, Outcome, ToolResponse, UserId};
use serde_json::Value;

use crate::audit::{AuditFilter, AuditStream, ChainReport, PruneResult};
use crate::blocks::Block;
use crate::call::{CallContent, CallScope, CallStart};
use crate::document::{
    ConfirmationFilter, DecidedConfirmation, ExpiryResult, ForgetResult, OwnerFilter,
    PendingConfirmation, RecentCursor, SaveResult, StoredConversation, Summary, TakeRecord,
    TakeResult,
};
use crate::error::StoreError;
use crate::lease::{AcquireResult, ExpectedState, Lease};
use crate::ledger::{AbandonedCall, BeginConfirmedResult, BeginResult, CallStatus, Ticket};
use crate::log::{AppendResult, LogEntry};
use crate::pending_write::PendingWrite;
use crate::rate::{CountResult, Counter};
use crate::retention::RetentionCheck;
use crate::tasks::TaskStore;

/// Durable state, shared by all conversations of a process and, where the
/// implementation says so, by several processes.
///
/// A change is submitted when its method returns: two changes submitted one after the other take
/// effect in that order, awaited or not. Reads see the changes that were awaited; `lookup` sees all
/// changes of this process. The store reads no clock; times are the caller's, in milliseconds since
/// the Unix epoch.
pub trait Store: TaskStore + Send + Sync + fmt::Debug {
    /// The status of a call. `None`: the call is unknown, so it may be started.
    ///
    /// Answered from memory for conversations in use, else by a short blocking read. May lag
    /// briefly behind another process; `begin` does not, for calls that write.
    fn lookup(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError>;

    /// The tool and the arguments of the call with this key; `None` if the key is unknown.
    fn content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError>;

    /// Asks to run a call. When this returns, `lookup` in this process finds the call; when the
    /// handle resolves, the call may run. For a call that writes, or that was known before, the
    /// handle resolves when the entry is durable, else at once. A call that writes is entered when
    /// a caller first waits for the handle: a queued call has not started, and if the process dies
    /// before that, no trace of it is left.
    fn begin(&self, call: Arc<CallStart>) -> PendingWrite<BeginResult>;

    /// Completes a call: its answer and its one audit record, in one transaction.
    ///
    /// For a call that writes, send the answer only after the handle has resolved to `Ok`; else
    /// waiting is backpressure only: the handle resolves at once while the store keeps up, and when
    /// the queue has room again if it does not. After `Unwritable` the store keeps trying: do not
    /// record the call again, and report that the outcome of a write is unknown.
    fn settle(
        &self,
        ticket: Ticket,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()>;

    /// Answers a call without starting it: stores its answer under its key and its one audit
    /// record, in one transaction. From then on `lookup` finds the answer like that of a call that
    /// has run. If the key already belongs to another call, that call keeps it, and only the record
    /// is written.
    ///
    /// The handle resolves like that of `settle`; the outcome of a confirmation (`Denied`,
    /// `Superseded`) is durable like the answer of a call that writes. After `Unwritable` the store
    /// keeps trying, and answers from memory until it succeeds.
    fn refuse(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()>;

    /// Records a call that was answered without being started, and does not keep the answer: if the
    /// call is delivered again, it is decided about again. Waiting is backpressure only.
    fn record_refusal(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()>;

    /// Whether another process has the store open as well.
    fn is_shared(&self) -> bool;

    /// Closes the calls of processes that died, each with the audit record `process_died`. A read
    /// may be started again; that run has a separate record. Opening a store does this; call it
    /// regularly if several processes share the store.
    fn recover(&self) -> PendingWrite<Vec<AbandonedCall>>;

    /// Keeps a confirmation until it is taken, cancelled or expired.
    fn put_confirmation(&self, pending: PendingConfirmation) -> PendingWrite<()>;

    /// Takes a confirmation of a conversation, under its lease: a former owner takes none. If
    /// several callers try, in any process, one succeeds.
    fn take_confirmation(
        &self,
        token: &str,
        now: u64,
        scope: &CallScope,
        record: TakeRecord,
    ) -> PendingWrite<TakeResult>;

    /// Takes a confirmation and starts the call it is about, both or neither. When this returns,
    /// `lookup` in this process finds the call. The operation begins when its handle is first
    /// polled; when the handle reports the start, both changes are durable.
    fn begin_confirmed(
        &self,
        token: &str,
        now: u64,
        call: Arc<CallStart>,
        decision: Arc<Value>,
    ) -> PendingWrite<BeginConfirmedResult>;

    /// The confirmations of a conversation that can still be answered, soonest to expire first.
    fn confirmations(
        &self,
        conversation: &ConversationId,
        now: u64,
    ) -> PendingWrite<Vec<PendingConfirmation>>;

    /// The confirmations of all conversations that match and can be answered at a time, the one that
    /// expires first at the beginning.
    fn open_confirmations(
        &self,
        filter: &ConfirmationFilter,
        now: u64,
        limit: usize,
    ) -> PendingWrite<Vec<PendingConfirmation>>;

    /// The confirmations that match and were taken before a time, and those that expired before it
    /// and were never taken; the latest first. One that was not taken has its time of expiry and no
    /// decision.
    fn decided_confirmations(
        &self,
        filter: &ConfirmationFilter,
        before: u64,
        limit: usize,
    ) -> PendingWrite<Vec<DecidedConfirmation>>;

    /// Blocks a person until a time. A block is never shortened. It is in effect in this process
    /// when this returns, and in all processes when the handle has resolved to `Ok`; after
    /// `Unwritable` the store keeps trying.
    fn block(&self, user: &UserId, until: u64) -> PendingWrite<()>;

    /// Lifts a block; returns whether there was one.
    fn unblock(&self, user: &UserId) -> PendingWrite<bool>;

    /// The blocks that are in effect at a time, sorted by user id.
    fn blocks(&self, now: u64) -> PendingWrite<Vec<Block>>;

    /// Until when a person is blocked, from memory; compare it with the clock.
    fn blocked_until(&self, user: &UserId) -> Option<u64>;

    /// Counts a call, unless the counter has reached its limit within its window. If several
    /// callers compete for the last unit, in any process, one succeeds. The count is durable.
    fn count_call(&self, counter: &Counter, now: u64) -> PendingWrite<CountResult>;

    /// How long a call would have to wait if it came now, after `more` others and all calls that
    /// this process is still counting; `None` if it need not wait. Counts nothing; a short blocking
    /// read. Does not see calls that other processes count at the same moment: `count_call`
    /// decides.
    fn wait_to_count(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError>;

    /// Creates a conversation, unless the id exists, and makes the caller its owner. Resolves when
    /// that is durable.
    fn begin_conversation(
        &self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<Option<Lease>>;

    /// Makes the caller the owner of a conversation. Resolves when that is durable and the store
    /// has all data of the former owner; an owner that is alive is asked to write its data and
    /// release the conversation. The conversation's version changes, so that no save by a former
    /// owner succeeds.
    fn acquire(&self, conversation: &ConversationId) -> PendingWrite<AcquireResult>;

    /// Ends a conversation that is in the expected state, and takes its confirmations, in one
    /// transaction. It never becomes active again: later saves meet a conflict, and none of its
    /// calls that write starts.
    fn end_conversation(
        &self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult>;

    /// The calls of a conversation that were started and have no record yet, as audit entries.
    /// Calls that were not flushed may be missing; `acquire` flushes.
    fn unfinished_calls(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<AuditEntry>, StoreError>;

    /// Saves a conversation that is in the expected state (version 0: it does not exist yet).
    /// `owner` is the person in whose list it appears; conversations without one have a separate
    /// list.
    fn save_conversation(
        &self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult>;

    /// Loads a conversation.
    fn load_conversation(
        &self,
        conversation: &ConversationId,
    ) -> PendingWrite<Option<StoredConversation>>;

    /// Adds entries to the log of a conversation whose last entry is numbered `after` (0: there is
    /// none), all or none of them. If two callers add after the same entry, one succeeds.
    fn append_messages(
        &self,
        conversation: &ConversationId,
        after: u64,
        bodies: Vec<Arc<Value>>,
        now: u64,
    ) -> PendingWrite<AppendResult>;

    /// The last entries of a conversation's log before the one numbered `before`, in their order.
    fn messages(
        &self,
        conversation: &ConversationId,
        before: u64,
        limit: usize,
    ) -> PendingWrite<Vec<LogEntry>>;

    /// Deletes a conversation's document, its log and its tasks; returns whether there was a document.
    fn delete_conversation(&self, conversation: &ConversationId) -> PendingWrite<bool>;

    /// Removes a bounded number of conversations that were last saved before `before`, each with
    /// its log, the oldest first. A conversation with a call in the ledger or an open confirmation
    /// stays, because its id must not be reused yet.
    fn forget_conversations(&self, before: u64, now: u64) -> PendingWrite<ForgetResult>;

    /// The conversations of the given people, the one saved last first, after a position. On
    /// disk, the cost does not depend on the number of other conversations.
    fn conversations(
        &self,
        owner: &OwnerFilter,
        after: Option<&RecentCursor>,
        limit: usize,
    ) -> PendingWrite<Vec<Summary>>;

    /// The registry versions of all conversations that have not ended, each with their number.
    fn pinned_registries(&self) -> PendingWrite<BTreeMap<String, u64>>;

    /// Reads the audit log. Records that were not flushed may be missing.
    fn audit(&self, filter: AuditFilter) -> AuditStream;

    /// The newest records that match and come before a sequence number, as many as the filter's
    /// limit, newest first; blocking. Reads from the end, so the cost does not grow with the log.
    /// Records that were not flushed may be missing.
    fn newest_audit(
        &self,
        filter: &AuditFilter,
        before: u64,
    ) -> Result<Vec<AuditRecord>, StoreError>;

    /// Verifies the whole audit chain, blocking, and names the first broken record.
    fn verify_audit(&self) -> Result<ChainReport, StoreError>;

    /// Removes a bounded number of the oldest records, up to the first call that began at
    /// `before` or later. The chain stays verifiable from the last one removed.
    fn prune_audit(&self, before: u64) -> PendingWrite<PruneResult>;

    /// Removes a bounded number of calls that began, confirmations that expired and tasks that ended
    /// `keep_ms` ago or earlier, and of blocks and counter windows that have ended. Running calls and audit
    /// records stay.
    fn expire(&self, now: u64, keep_ms: u64) -> PendingWrite<ExpiryResult>;

    /// The time by which entries are old, after this reading of the clocks; pass it to `expire`,
    /// `prune_audit` and `forget_conversations`. It does not follow jumps of the wall clock.
    fn retention(&self, look: RetentionCheck) -> PendingWrite<u64>;

    /// Writes a small value durably, to check whether the store can be written at all.
    fn probe(&self) -> PendingWrite<()>;

    /// Resolves when all changes submitted before are durable.
    fn flush(&self) -> PendingWrite<()>;
}
