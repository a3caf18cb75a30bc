//! The operations of the store in memory.

use std::collections::BTreeMap;
use std::sync::Arc;

use aileron_contract::{AuditEntry, AuditRecord, ConversationId, Outcome, ToolResponse, UserId};
use serde_json::Value;

use super::audit::AuditMemory;
use super::reserved::ReservedCall;
use crate::audit::{AuditFilter, AuditStream, ChainReport, PruneResult, unfinished};
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
use crate::retention::{Retention, RetentionCheck};
use crate::shared_once::lock;
use crate::store::Store;

use super::{FEW, MemoryStore, ROUND};

impl Store for MemoryStore {
    fn lookup(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallStatus>, StoreError> {
        Ok(self.0.cache.peek(conversation, key).known())
    }

    fn content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError> {
        Ok(self.0.cache.content(conversation, key))
    }

    fn begin(&self, call: Arc<CallStart>) -> PendingWrite<BeginResult> {
        if let Err(error) = self.0.check_owner(&call.scope).map(drop) {
            return PendingWrite::failed(error);
        }
        match self.0.claim(&call) {
            Some(known) => PendingWrite::done(BeginResult::Known(known)),
            None if call.writes() => {
                let reserved = ReservedCall { inner: self.0.clone(), call: Some(call) };
                PendingWrite::unasked(move || PendingWrite::ready(reserved.begin()))
            }
            None => PendingWrite::done(BeginResult::Started(Ticket::new(call, self.0.clone()))),
        }
    }

    fn settle(
        &self,
        ticket: Ticket,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()> {
        let call = ticket.redeem();
        self.0.cache.finish(&call, answer.clone());
        self.record(call, outcome, answer);
        PendingWrite::done(())
    }

    fn refuse(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()> {
        match self.0.claim(&call) {
            Some(_) => self.record_refusal(call, outcome, answer),
            None => self.settle(Ticket::new(call, self.0.clone()), outcome, answer),
        }
    }

    fn record_refusal(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> PendingWrite<()> {
        self.record(call, outcome, answer);
        PendingWrite::done(())
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn recover(&self) -> PendingWrite<Vec<AbandonedCall>> {
        PendingWrite::done(Vec::new())
    }

    fn put_confirmation(&self, pending: PendingConfirmation) -> PendingWrite<()> {
        self.tables(|tables| tables.put(pending))
    }

    fn take_confirmation(
        &self,
        token: &str,
        now: u64,
        scope: &CallScope,
        record: TakeRecord,
    ) -> PendingWrite<TakeResult> {
        let tables = self.0.check_owner(scope);
        PendingWrite::ready(tables.map(|mut tables| tables.take(token, now, record)))
    }

    fn begin_confirmed(
        &self,
        token: &str,
        now: u64,
        call: Arc<CallStart>,
        decision: Arc<Value>,
    ) -> PendingWrite<BeginConfirmedResult> {
        if let Err(error) = self.0.check_owner(&call.scope).map(drop) {
            return PendingWrite::failed(error);
        }
        match self.0.claim(&call) {
            Some(known) => {
                PendingWrite::done(BeginConfirmedResult::Begun(BeginResult::Known(known)))
            }
            None => {
                let reserved = ReservedCall { inner: self.0.clone(), call: Some(call) };
                let token = token.to_owned();
                PendingWrite::unasked(move || {
                    PendingWrite::ready(reserved.begin_confirmed(&token, now, decision))
                })
            }
        }
    }

    fn confirmations(
        &self,
        conversation: &ConversationId,
        now: u64,
    ) -> PendingWrite<Vec<PendingConfirmation>> {
        self.tables(|tables| tables.waiting(conversation, now))
    }

    fn open_confirmations(
        &self,
        filter: &ConfirmationFilter,
        now: u64,
        limit: usize,
    ) -> PendingWrite<Vec<PendingConfirmation>> {
        self.tables(|tables| tables.open(filter, now, limit))
    }

    fn decided_confirmations(
        &self,
        filter: &ConfirmationFilter,
        before: u64,
        limit: usize,
    ) -> PendingWrite<Vec<DecidedConfirmation>> {
        self.tables(|tables| tables.decided(filter, before, limit))
    }

    fn block(&self, user: &UserId, until: u64) -> PendingWrite<()> {
        self.0.blocks.raise(user, until);
        PendingWrite::done(())
    }

    fn unblock(&self, user: &UserId) -> PendingWrite<bool> {
        PendingWrite::done(self.0.blocks.lift(user))
    }

    fn blocks(&self, now: u64) -> PendingWrite<Vec<Block>> {
        PendingWrite::done(self.0.blocks.list(now))
    }

    fn blocked_until(&self, user: &UserId) -> Option<u64> {
        self.0.blocks.until(user)
    }

    fn count_call(&self, counter: &Counter, now: u64) -> PendingWrite<CountResult> {
        self.tables(|tables| tables.rates.count(counter, now))
    }

    fn wait_to_count(
        &self,
        counter: &Counter,
        more: u64,
        now: u64,
    ) -> Result<Option<u64>, StoreError> {
        Ok(lock(&self.0.tables).rates.wait(counter, more, now))
    }

    fn begin_conversation(
        &self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<Option<Lease>> {
        let document = |version| StoredConversation { version, time: now, body };
        self.tables(|tables| {
            match tables.save(conversation, Lease::unowned().at(0), owner, document) {
                SaveResult::At(_) => Some(tables.lease(conversation)),
                SaveResult::Conflict { .. } => None,
            }
        })
    }

    fn acquire(&self, conversation: &ConversationId) -> PendingWrite<AcquireResult> {
        self.tables(|tables| tables.acquire(conversation))
    }

    fn end_conversation(
        &self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult> {
        self.tables(|tables| {
            let saved = tables.replace(conversation, expected, body, now);
            if let SaveResult::At(_) = saved {
                tables.end(conversation, now);
            }
            saved
        })
    }

    fn unfinished_calls(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let running = self.0.cache.running_of(conversation);
        Ok(running.iter().map(|call| unfinished(call, Outcome::ProcessDied)).collect())
    }

    fn save_conversation(
        &self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        owner: Option<&UserId>,
        body: Arc<Value>,
        now: u64,
    ) -> PendingWrite<SaveResult> {
        let document = |version| StoredConversation { version, time: now, body };
        self.tables(|tables| tables.save(conversation, expected, owner, document))
    }

    fn load_conversation(
        &self,
        conversation: &ConversationId,
    ) -> PendingWrite<Option<StoredConversation>> {
        self.tables(|tables| tables.load(conversation))
    }

    fn append_messages(
        &self,
        conversation: &ConversationId,
        after: u64,
        bodies: Vec<Arc<Value>>,
        now: u64,
    ) -> PendingWrite<AppendResult> {
        self.tables(|tables| tables.append(conversation, after, bodies, now))
    }

    fn messages(
        &self,
        conversation: &ConversationId,
        before: u64,
        limit: usize,
    ) -> PendingWrite<Vec<LogEntry>> {
        self.tables(|tables| tables.page(conversation, before, limit))
    }

    fn delete_conversation(&self, conversation: &ConversationId) -> PendingWrite<bool> {
        self.tables(|tables| tables.delete(conversation))
    }

    fn forget_conversations(&self, before: u64, now: u64) -> PendingWrite<ForgetResult> {
        let is_needed = |conversation: &ConversationId| self.0.cache.has_calls(conversation);
        self.tables(|tables| {
            let conversations = tables.forget(before, now, FEW, is_needed);
            ForgetResult { conversations, more: conversations == FEW }
        })
    }

    fn conversations(
        &self,
        owner: &OwnerFilter,
        after: Option<&RecentCursor>,
        limit: usize,
    ) -> PendingWrite<Vec<Summary>> {
        self.tables(|tables| tables.list(owner, after, limit))
    }

    fn pinned_registries(&self) -> PendingWrite<BTreeMap<String, u64>> {
        self.tables(|tables| tables.pinned_registries())
    }

    fn audit(&self, filter: AuditFilter) -> AuditStream {
        AuditMemory::read(self.0.audit.clone(), filter)
    }

    fn newest_audit(
        &self,
        filter: &AuditFilter,
        before: u64,
    ) -> Result<Vec<AuditRecord>, StoreError> {
        self.0.audit.newest(filter, before)
    }

    fn verify_audit(&self) -> Result<ChainReport, StoreError> {
        self.0.audit.verify().map_err(StoreError::BrokenChain)
    }

    fn prune_audit(&self, before: u64) -> PendingWrite<PruneResult> {
        PendingWrite::done(self.0.audit.prune(before, ROUND))
    }

    fn expire(&self, now: u64, keep_ms: u64) -> PendingWrite<ExpiryResult> {
        let mut expired = ExpiryResult::default();
        if let Some(cutoff) = now.checked_sub(keep_ms) {
            expired.calls = self.0.cache.expire(cutoff, ROUND);
            expired.confirmations = lock(&self.0.tables).expire(cutoff, ROUND);
            expired.tasks = lock(&self.0.tables).tasks.expire(cutoff, ROUND);
        }
        expired.blocks = self.0.blocks.expire(now, ROUND);
        lock(&self.0.tables).rates.expire(now);
        let most = expired.calls.max(expired.confirmations).max(expired.tasks);
        expired.more = most.max(expired.blocks) == ROUND;
        self.0.audit.trim();
        PendingWrite::done(expired)
    }

    fn retention(&self, look: RetentionCheck) -> PendingWrite<u64> {
        let mut retention = lock(&self.0.retention);
        let retention = retention.get_or_insert_with(|| Retention::begin(None, look.now));
        PendingWrite::done(retention.advance(look))
    }

    fn probe(&self) -> PendingWrite<()> {
        PendingWrite::done(())
    }

    fn flush(&self) -> PendingWrite<()> {
        PendingWrite::done(())
    }
}
