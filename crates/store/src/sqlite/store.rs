//! The `Store` trait on disk: memory first, then the writer or a read.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_contract::{AuditEntry, AuditRecord, ConversationId, Outcome, ToolResponse, UserId};
use serde_json::Value;

use super::calls::{EnterRunning, KeptAnswer, Refuse, ReservedCall, Settle};
use super::claim::Claim;
use super::counting::CountCall;
use super::leases::Acquire;
use super::task::{Durability, SizeEffect, Task, WriteBatch};
use super::{
    AuditLog, SqliteStore, audit, background_tasks, blocks, confirmations, conversations, messages,
    recovery, retention, rows,
};
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
use crate::ledger_cache::{CacheLookup, EntryWrite};
use crate::log::{AppendResult, LogEntry};
use crate::memory::ROUND;
use crate::pending_write::PendingWrite;
use crate::rate::{CountResult, Counter};
use crate::retention::RetentionCheck;
use crate::store::Store;

impl Store for SqliteStore {
    fn lookup(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError> {
        loop {
            match self.shared.cache.peek(conversation, key) {
                CacheLookup::Hit(known) => return Ok(Some(known)),
                CacheLookup::Miss | CacheLookup::Reclaimed => return Ok(None),
                CacheLookup::MaybeOnDisk => return self.shared.known_on_disk(conversation, key),
                CacheLookup::KeysNotLoaded => self.shared.cover(conversation)?,
            }
        }
    }

    fn content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError> {
        match self.shared.cache.content(conversation, key) {
            Some(content) => Ok(Some(content)),
            None => self.shared.read(|connection| rows::content(connection, conversation, key)),
        }
    }

    fn begin(&self, call: Arc<CallStart>) -> PendingWrite<BeginResult> {
        self.begin_call(call)
    }

    fn settle(
        &self,
        ticket: Ticket,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()> {
        let call = ticket.redeem();
        if !call.writes() {
            self.shared.cache.finish(&call, answer.clone());
            return self.hand_over(Box::new(Settle::new(call, outcome, answer, None)));
        }
        let task = |completer| Settle::new(call, outcome, answer, Some(completer));
        self.shared.ask(Durability::Immediate, task)
    }

    fn refuse(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()> {
        let is_awaited = call.writes() || matches!(outcome, Outcome::Denied | Outcome::Superseded);
        let kept = match self.claim(&call, EntryWrite::Immediate) {
            Ok(Claim::Fresh | Claim::ByDisk) => KeptAnswer::Claimed,
            // The call is recorded in any case.
            Ok(Claim::Known(_)) | Err(_) => KeptAnswer::RecordOnly,
        };
        if !is_awaited {
            if kept == KeptAnswer::Claimed {
                self.shared.cache.finish(&call, answer.clone());
            }
            return self.hand_over(Box::new(Refuse::new((call, kept), outcome, answer, None)));
        }
        let task = |completer| Refuse::new((call, kept), outcome, answer, Some(completer));
        self.shared.ask(Durability::Immediate, task)
    }

    fn record_refusal(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()> {
        self.hand_over(Box::new(Refuse::new((call, KeptAnswer::RecordOnly), outcome, answer, None)))
    }

    fn is_shared(&self) -> bool {
        self.shared.instance.has_others()
    }

    fn recover(&self) -> PendingWrite<Vec<AbandonedCall>> {
        self.shared.write_then(SizeEffect::Takes, recovery::recover, |shared, calls| {
            shared.instance.clean();
            calls
        })
    }

    fn put_confirmation(&self, pending: PendingConfirmation) -> PendingWrite<()> {
        self.shared.write(move |batch| confirmations::put(batch.connection, &pending))
    }

    fn take_confirmation(
        &self,
        token: &str,
        now: u64,
        scope: &CallScope,
        record: TakeRecord,
    ) -> PendingWrite<TakeResult> {
        let (taken, scope) = (confirmations::Take::new(token, now, record), scope.clone());
        let task = |completer| confirmations::TakeConfirmation::new(taken, scope, completer);
        self.shared.ask(Durability::Immediate, task)
    }

    fn begin_confirmed(
        &self,
        token: &str,
        now: u64,
        call: Arc<CallStart>,
        decision: Arc<Value>,
    ) -> PendingWrite<BeginConfirmedResult> {
        match self.claim(&call, EntryWrite::Immediate) {
            Ok(Claim::Fresh | Claim::ByDisk) => {
                let reserved = ReservedCall::new(self.shared.clone(), call);
                let taken = confirmations::Take::new(token, now, TakeRecord::Decided(decision));
                PendingWrite::unasked(move || reserved.begin_confirmed(taken))
            }
            Ok(Claim::Known(known)) => {
                PendingWrite::done(BeginConfirmedResult::Begun(BeginResult::Known(known)))
            }
            Err(error) => PendingWrite::failed(error),
        }
    }

    fn confirmations(
        &self,
        conversation: &ConversationId,
        now: u64,
    ) -> PendingWrite<Vec<PendingConfirmation>> {
        let read = |connection: &_| confirmations::waiting(connection, conversation, now);
        PendingWrite::ready(self.shared.read(read))
    }

    fn open_confirmations(
        &self,
        filter: &ConfirmationFilter,
        now: u64,
        limit: usize,
    ) -> PendingWrite<Vec<PendingConfirmation>> {
        let read = |connection: &_| confirmations::open(connection, filter, now, limit);
        PendingWrite::ready(self.shared.read(read))
    }

    fn decided_confirmations(
        &self,
        filter: &ConfirmationFilter,
        before: u64,
        limit: usize,
    ) -> PendingWrite<Vec<DecidedConfirmation>> {
        let read = |connection: &_| confirmations::decided(connection, filter, before, limit);
        PendingWrite::ready(self.shared.read(read))
    }

    fn block(&self, user: &UserId, until: u64) -> PendingWrite<()> {
        self.shared.blocks.announce(user, until);
        let task = |completer| blocks::BlockPerson::new(user.clone(), until, completer);
        self.shared.ask(Durability::Immediate, task)
    }

    fn unblock(&self, user: &UserId) -> PendingWrite<bool> {
        let (user, known) = (user.clone(), user.clone());
        self.shared.write_then(
            SizeEffect::Takes,
            move |batch| blocks::lift(batch.connection, &user),
            move |shared, lifted| {
                shared.blocks.lift(&known);
                lifted
            },
        )
    }

    fn blocks(&self, now: u64) -> PendingWrite<Vec<Block>> {
        PendingWrite::done(self.shared.blocks.list(now))
    }

    fn blocked_until(&self, user: &UserId) -> Option<u64> {
        self.shared.blocks.until(user)
    }

    fn count_call(&self, counter: &Counter, now: u64) -> PendingWrite<CountResult> {
        let counting = &self.shared.counting;
        let task = |completer| CountCall::new(counter.clone(), now, counting, completer);
        self.shared.ask(Durability::Immediate, task)
    }

    fn wait_to_count(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError> {
        self.shared.read(|connection| self.shared.counting.wait(connection, counter, more, now))
    }

    fn begin_conversation(
        &self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<Option<Lease>> {
        let document = StoredConversation { version: 1, time: now, body };
        conversations::begin_owned(&self.shared, conversation, owner, document)
    }

    fn acquire(&self, conversation: &ConversationId) -> PendingWrite<AcquireResult> {
        let task = |completer| Acquire::new(conversation.clone(), completer);
        self.shared.ask(Durability::Immediate, task)
    }

    fn end_conversation(
        &self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult> {
        let document = StoredConversation { version: expected.next_version(), time: now, body };
        conversations::end_owned(&self.shared, conversation, expected.lease.epoch(), document)
    }

    fn unfinished_calls(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        self.shared.read(|connection| rows::unfinished(connection, conversation))
    }

    fn save_conversation(
        &self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult> {
        let (conversation, owner) = (conversation.clone(), owner.cloned());
        let (epoch, version) = (expected.lease.epoch(), expected.next_version());
        let document = StoredConversation { version, time: now, body };
        self.shared.write_ahead(move |batch| {
            conversations::save(batch.connection, &conversation, epoch, owner.as_ref(), &document)
        })
    }

    fn load_conversation(
        &self,
        conversation: &ConversationId,
    ) -> PendingWrite<Option<StoredConversation>> {
        PendingWrite::ready(
            self.shared.read(|connection| conversations::load(connection, conversation)),
        )
    }

    fn append_messages(
        &self,
        conversation: &ConversationId,
        after: u64,
        bodies: Vec<Arc<Value>>,
        now: u64,
    ) -> PendingWrite<AppendResult> {
        let conversation = conversation.clone();
        self.shared.write_ahead(move |batch| {
            messages::append(batch.connection, &conversation, after, &bodies, now)
        })
    }

    fn messages(
        &self,
        conversation: &ConversationId,
        before: u64,
        limit: usize,
    ) -> PendingWrite<Vec<LogEntry>> {
        let read = |connection: &_| messages::page(connection, conversation, before, limit);
        PendingWrite::ready(self.shared.read(read))
    }

    fn delete_conversation(&self, conversation: &ConversationId) -> PendingWrite<bool> {
        let conversation = conversation.clone();
        self.shared.write(move |batch| {
            messages::delete(batch.connection, &conversation)?;
            background_tasks::delete(batch.connection, &conversation)?;
            conversations::delete(batch.connection, &conversation)
        })
    }

    fn forget_conversations(&self, before: u64, now: u64) -> PendingWrite<ForgetResult> {
        let forget = move |batch: &mut WriteBatch<'_>| conversations::forget(batch, before, now);
        self.shared.write_then(SizeEffect::Frees, forget, |_, forgotten| forgotten)
    }

    fn conversations(
        &self,
        owner: &OwnerFilter,
        after: Option<&RecentCursor>,
        limit: usize,
    ) -> PendingWrite<Vec<Summary>> {
        let read = |connection: &_| conversations::list(connection, owner, after, limit);
        PendingWrite::ready(self.shared.read(read))
    }

    fn pinned_registries(&self) -> PendingWrite<BTreeMap<String, u64>> {
        PendingWrite::ready(self.shared.read(conversations::pinned_registries))
    }

    fn audit(&self, filter: AuditFilter) -> AuditStream {
        match AuditLog::open(&self.shared.path) {
            Ok(log) => log.read(filter),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    fn newest_audit(
        &self,
        filter: &AuditFilter,
        before: u64,
    ) -> Result<Vec<AuditRecord>, StoreError> {
        let mut records = AuditLog::open(&self.shared.path)?.newest(filter, before)?;
        records.reverse();
        Ok(records)
    }

    fn verify_audit(&self) -> Result<ChainReport, StoreError> {
        AuditLog::open(&self.shared.path)?.verify()
    }

    fn prune_audit(&self, before: u64) -> PendingWrite<PruneResult> {
        let prune = move |batch: &mut WriteBatch<'_>| audit::prune(batch, before, ROUND);
        self.shared.write_then(SizeEffect::Frees, prune, |_, pruned| pruned)
    }

    fn expire(&self, now: u64, keep_ms: u64) -> PendingWrite<ExpiryResult> {
        self.shared.write_then(
            SizeEffect::Frees,
            move |batch| recovery::expire(batch, now, keep_ms, ROUND),
            move |shared, round| {
                shared.blocks.expire(now, ROUND);
                let forget = |call: &AbandonedCall| {
                    shared.cache.forget(&call.conversation, &call.key);
                };
                round.calls.iter().for_each(forget);
                round.expired
            },
        )
    }

    fn retention(&self, look: RetentionCheck) -> PendingWrite<u64> {
        self.shared.write(move |batch| {
            retention::advance(batch.connection, batch.shared.instance.id(), look)
        })
    }

    fn probe(&self) -> PendingWrite<()> {
        self.shared.write(|batch| {
            batch.connection.prepare_cached("UPDATE commits SET made = made")?.execute([]).map(drop)
        })
    }

    fn flush(&self) -> PendingWrite<()> {
        let mut running = EnterRunning::default();
        self.shared.write(move |batch| running.apply(batch))
    }
}
