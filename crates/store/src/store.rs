//! The one trait behind which state is kept.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use aileron_contract::{AuditEntry, ConversationId, Outcome, ToolResponse, UserId};
use serde_json::Value;

use crate::audit::{AuditFilter, AuditStream, ChainReport, PruneResult};
use crate::blocks::Block;
use crate::call::{CallContent, CallScope, CallStart};
use crate::document::{
    ExpiryResult, ForgetResult, PendingConfirmation, SaveResult, StoredConversation, Summary,
    TakeResult,
};
use crate::error::StoreError;
use crate::lease::{AcquireResult, Lease};
use crate::ledger::{AbandonedCall, BeginConfirmedResult, BeginResult, CallStatus, Ticket};
use crate::log::{AppendResult, LogEntry};
use crate::pending_write::PendingWrite;
use crate::rate::{CountResult, Counter};
use crate::retention::RetentionCheck;

/// Durable state, shared by all conversations of a process and, where the
/// implementation says so, by several processes.
///
/// A change is under way as soon as its method returns: two changes asked for one
/// after the other take effect in that order, awaited or not. Whoever reads sees the
/// changes that were awaited; `lookup` sees all of this process. The store reads no
/// clock; times are the caller's, in milliseconds since the Unix epoch.
pub trait Store: Send + Sync + fmt::Debug {
    /// What is known of a call. `None`: nothing, so it may be begun.
    ///
    /// Answered from memory for conversations in use, else by a short blocking
    /// read. May lag behind another process by a moment; `begin` does not, for calls that write.
    fn lookup(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError>;

    /// The tool and the arguments of the call that a key names; `None` if nothing is known of it.
    fn content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError>;

    /// Asks to run a call. When this returns, `lookup` in this process finds the
    /// call; when the handle answers, it may run. For a call that writes, or that was
    /// known before, the handle answers when the entry is durable, else at once. A call that writes is
    /// entered when somebody first waits for the handle: one that waits for its turn has not begun, and
    /// a process that dies meanwhile leaves nothing of it.
    fn begin(&self, call: Arc<CallStart>) -> PendingWrite<BeginResult>;

    /// Completes a call: its answer and its one audit record, in one transaction.
    ///
    /// For a call that writes, send the answer only after the handle has said `Ok`;
    /// else waiting is backpressure only: the handle answers at once while the store
    /// keeps up, and when there is room again if it does not. After `Unwritable` the
    /// store keeps trying: do not record the call again, and say that the outcome of
    /// one that writes is unknown.
    fn settle(
        &self,
        ticket: Ticket,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()>;

    /// Answers a call without beginning it: its answer, under its key, and its one audit record, in
    /// one transaction. From here on `lookup` finds the answer, as that of a call that has run. Where
    /// the key names a call already, that call keeps it, and the record is all that is written.
    ///
    /// The handle answers as that of `settle`; what became of a question to the person (`Denied`,
    /// `Superseded`) is durable like the answer of a call that writes. After `Unwritable` the store
    /// keeps trying, and answers from memory meanwhile.
    fn refuse(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()>;

    /// Records a call that was answered without being begun, and does not keep the answer: delivered
    /// again, the call is decided about anew. Waiting is backpressure only.
    fn record_refusal(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()>;

    /// Whether another process has the store open as well.
    fn is_shared(&self) -> bool;

    /// Closes the calls of processes that died, each with its audit record, `process_died`. One that
    /// does not write may be begun again; that run has a record of its own.
    /// Opening a store does this; do it now and then where several processes share one.
    fn recover(&self) -> PendingWrite<Vec<AbandonedCall>>;

    /// Keeps a confirmation until it is taken, cancelled or expired.
    fn put_confirmation(&self, pending: PendingConfirmation) -> PendingWrite<()>;

    /// Takes a confirmation of a conversation, under its lease: a former owner takes none. Of all who
    /// try, in all processes, one succeeds.
    fn take_confirmation(
        &self,
        token: &str,
        now: u64,
        scope: &CallScope,
    ) -> PendingWrite<TakeResult>;

    /// Takes a confirmation and begins the call it is about, both or neither. When this returns,
    /// `lookup` in this process finds the call. It begins, and the confirmation is taken, when its
    /// handle is first looked at; when the handle says that it has begun, both are durable.
    fn begin_confirmed(
        &self,
        token: &str,
        now: u64,
        call: Arc<CallStart>,
    ) -> PendingWrite<BeginConfirmedResult>;

    /// The confirmations of a conversation that can still be answered, soonest to expire first.
    fn confirmations(
        &self,
        conversation: &ConversationId,
        now: u64,
    ) -> PendingWrite<Vec<PendingConfirmation>>;

    /// Takes all confirmations of a conversation, expired ones too.
    fn cancel_confirmations(
        &self,
        conversation: &ConversationId,
    ) -> PendingWrite<Vec<PendingConfirmation>>;

    /// Blocks a person until a time. A block is never shortened. It holds in this process when this
    /// returns, and everywhere when the handle has said `Ok`; after `Unwritable` the store keeps trying.
    fn block(&self, user: &UserId, until: u64) -> PendingWrite<()>;

    /// Lifts a block; says whether there was one.
    fn unblock(&self, user: &UserId) -> PendingWrite<bool>;

    /// The blocks that hold at a time, in the order of the people's ids.
    fn blocks(&self, now: u64) -> PendingWrite<Vec<Block>>;

    /// Until when a person is blocked, from memory; compare it with the clock.
    fn blocked_until(&self, user: &UserId) -> Option<u64>;

    /// Counts a call, unless as many as the counter allows were counted within its window. Of all
    /// who count the last one, in all processes, one succeeds; it is durable.
    fn count_call(&self, counter: &Counter, now: u64) -> PendingWrite<CountResult>;

    /// How long a call would have to wait that came now, after `more` others and all that this process
    /// is still counting; `None` if not at all. Counts nothing; a short blocking read. Whoever else
    /// counts at the same moment is not seen: `count_call` decides.
    fn wait_to_count(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError>;

    /// Begins a conversation, unless there is one of this id, and makes the caller its owner. Answers
    /// when it is durable.
    fn begin_conversation(
        &self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<Option<Lease>>;

    /// Makes the caller the owner of a conversation. Answers when that is durable, and all that the
    /// owner before knew of it is in the store; an owner that is alive is asked to write it and waited
    /// for. The conversation has another version from then on, so that no other save succeeds.
    fn acquire(&self, conversation: &ConversationId) -> PendingWrite<AcquireResult>;

    /// Ends a conversation whose version is `expected`, and takes its confirmations, in one
    /// transaction. Nothing makes it active again: whoever saves it meets a conflict, and no call of
    /// it that writes begins.
    fn end_conversation(
        &self,
        conversation: &ConversationId,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult>;

    /// The calls of a conversation that were begun and have no record yet, as their records would
    /// begin. What was not flushed may be missing; `acquire` flushes.
    fn unfinished_calls(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<AuditEntry>, StoreError>;

    /// Saves a conversation whose version is `expected` (0: which is not there yet). Whose it is
    /// decides in which list it is found; nobody's are a list of their own.
    fn save_conversation(
        &self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult>;

    /// Loads a conversation.
    fn load_conversation(
        &self,
        conversation: &ConversationId,
    ) -> PendingWrite<Option<StoredConversation>>;

    /// Adds entries to the log of a conversation whose last entry is numbered `after` (0: there is
    /// none), all or none of them. Of two who add after the same entry, one succeeds.
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

    /// Deletes a conversation's document and its log; says whether there was a document.
    fn delete_conversation(&self, conversation: &ConversationId) -> PendingWrite<bool>;

    /// Removes a bounded number of conversations that were last saved before `before`, each with its
    /// log, the oldest first. One that still has a call in the ledger, or a question that can be
    /// answered, stays: its id must not be anybody else's yet.
    fn forget_conversations(&self, before: u64, now: u64) -> PendingWrite<ForgetResult>;

    /// A person's conversations in the order of their ids, after the given one. What it costs does
    /// not depend on how many others have.
    fn conversations(
        &self,
        owner: Option<&UserId>,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> PendingWrite<Vec<Summary>>;

    /// The versions of the registries that conversations began with which have not ended.
    fn pinned_registries(&self) -> PendingWrite<BTreeSet<String>>;

    /// Reads the audit log. What was not flushed may be missing.
    fn audit(&self, filter: AuditFilter) -> AuditStream;

    /// Walks the whole audit chain, blocking, and names the first broken record.
    fn verify_audit(&self) -> Result<ChainReport, StoreError>;

    /// Removes a bounded number of the oldest records, up to the first call that began at
    /// `before` or later. The chain stays verifiable from the last one removed.
    fn prune_audit(&self, before: u64) -> PendingWrite<PruneResult>;

    /// Removes a bounded number of calls that began, and confirmations that expired, `keep_ms`
    /// ago or earlier, and of blocks and windows of counters that have ended. Running calls and audit records stay.
    fn expire(&self, now: u64, keep_ms: u64) -> PendingWrite<ExpiryResult>;

    /// The time by which entries are old, after this look at the clocks; give it to `expire`,
    /// `prune_audit` and `forget_conversations`. It does not follow the wall clock where that jumps.
    fn retention(&self, look: RetentionCheck) -> PendingWrite<u64>;

    /// Writes a little, and says whether that is durable: whether the store can be written at all.
    fn probe(&self) -> PendingWrite<()>;

    /// Answers when all that was asked before is durable.
    fn flush(&self) -> PendingWrite<()>;
}
