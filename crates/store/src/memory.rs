//! A store in memory: the same answers as on disk, gone with the process.
//!
//! Records are hashed when they are read or when `expire` runs, so that a call
//! costs a few map operations. Call `expire` now and then: it also bounds memory.

mod audit;
mod rates;
mod reserved;
mod tables;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard};

use aileron_contract::{AuditEntry, ConversationId, Outcome, ToolResponse, UserId};
use serde_json::Value;

use self::audit::{AuditMemory, Unsealed};
use self::reserved::Reserved;
use self::tables::Tables;
use crate::audit::{AuditFilter, AuditStream, Pruned, Verified, unfinished};
use crate::blocks::{Block, Blocks};
use crate::call::{CallContent, CallStart, Scope};
use crate::commit::Commit;
use crate::document::{Document, Expired, Forgotten, Pending, Saved, Summary, Taken};
use crate::error::StoreError;
use crate::front::{Backing, Checked, Entered, Front, Glance};
use crate::lease::{Acquired, Lease};
use crate::ledger::{AbandonedCall, Begun, Confirmed, Issuer, Known, Ticket};
use crate::log::{Appended, LogEntry};
use crate::rate::{Counted, Counter};
use crate::retention::{Look, Retention};
use crate::slot::lock;
use crate::store::Store;

/// How many entries one round of expiry or pruning removes of each kind.
pub(crate) const ROUND: usize = 1000;

/// How many conversations one round forgets: each may have a long log.
pub(crate) const FEW: usize = 50;

/// How many audit records are kept unless told otherwise.
const AUDIT_LIMIT: usize = 100_000;

/// State in memory.
#[derive(Debug, Clone)]
pub struct MemoryStore(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    front: Front,
    blocks: Blocks,
    audit: Arc<AuditMemory>,
    tables: Mutex<Tables>,
    retention: Mutex<Option<Retention>>,
}

impl Default for MemoryStore {
    fn default() -> Self {
        Self::new()
    }
}

impl MemoryStore {
    /// An empty store that keeps the newest 100,000 audit records.
    pub fn new() -> Self {
        Self::with_audit_limit(AUDIT_LIMIT)
    }

    /// An empty store that keeps this many audit records.
    pub fn with_audit_limit(records: usize) -> Self {
        Self(Arc::new(Inner {
            front: Front::new(Backing::None),
            blocks: Blocks::default(),
            audit: Arc::new(AuditMemory::new(records)),
            tables: Mutex::default(),
            retention: Mutex::default(),
        }))
    }

    fn tables<T>(&self, use_them: impl FnOnce(&mut Tables) -> T) -> Commit<T> {
        Commit::ready(Ok(use_them(&mut lock(&self.0.tables))))
    }

    fn record(&self, call: Arc<CallStart>, outcome: Outcome, answer: Arc<ToolResponse>) {
        self.0.audit.push(Unsealed { call, outcome, answer: Some(answer) });
    }
}

impl Inner {
    /// Refuses a former owner: another process owns the conversation.
    fn check_owner(&self, scope: &Scope) -> Result<MutexGuard<'_, Tables>, StoreError> {
        let tables = lock(&self.tables);
        match tables.is_owner(&scope.conversation, &scope.lease) {
            true => Ok(tables),
            false => Err(StoreError::not_owner(&scope.conversation)),
        }
    }
}

impl Issuer for Inner {
    fn dropped(&self, call: &Arc<CallStart>, outcome: Outcome) {
        self.front.abandon(call);
        self.audit.push(Unsealed { call: call.clone(), outcome, answer: None });
    }
}

impl Store for MemoryStore {
    fn lookup(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<Known>, StoreError> {
        match self.0.front.peek(conversation, key) {
            Glance::Here(known) => Ok(Some(known)),
            Glance::Nowhere | Glance::Again | Glance::MaybeOnDisk | Glance::NotCovered => Ok(None),
        }
    }

    fn content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError> {
        Ok(self.0.front.content(conversation, key))
    }

    fn begin(&self, call: Arc<CallStart>) -> Commit<Begun> {
        if let Err(error) = self.0.check_owner(&call.scope).map(drop) {
            return Commit::ready(Err(error));
        }
        match self.0.front.claim(&call, Checked::DiskToo, Entered::ByTheCaller) {
            Glance::Here(known) => Commit::ready(Ok(Begun::Known(known))),
            _ if call.writes() => {
                let reserved = Reserved { inner: self.0.clone(), call: Some(call) };
                Commit::unasked(move || Commit::ready(reserved.begin()))
            }
            _ => Commit::ready(Ok(Begun::Started(Ticket::new(call, self.0.clone())))),
        }
    }

    fn settle(&self, ticket: Ticket, outcome: Outcome, answer: Arc<ToolResponse>) -> Commit<()> {
        let call = ticket.redeem();
        self.0.front.finish(&call, answer.clone());
        self.record(call, outcome, answer);
        Commit::ready(Ok(()))
    }

    fn refuse(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> Commit<()> {
        match self.0.front.claim(&call, Checked::DiskToo, Entered::ByTheCaller) {
            Glance::Here(_) => self.record_refusal(call, outcome, answer),
            Glance::Nowhere | Glance::Again | Glance::MaybeOnDisk | Glance::NotCovered => {
                self.settle(Ticket::new(call, self.0.clone()), outcome, answer)
            }
        }
    }

    fn record_refusal(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> Commit<()> {
        self.record(call, outcome, answer);
        Commit::ready(Ok(()))
    }

    fn is_shared(&self) -> bool {
        false
    }

    fn recover(&self) -> Commit<Vec<AbandonedCall>> {
        Commit::ready(Ok(Vec::new()))
    }

    fn put_confirmation(&self, pending: Pending) -> Commit<()> {
        self.tables(|tables| tables.put(pending))
    }

    fn take_confirmation(&self, token: &str, now: u64, scope: &Scope) -> Commit<Taken> {
        Commit::ready(self.0.check_owner(scope).map(|mut tables| tables.take(token, now)))
    }

    fn begin_confirmed(&self, token: &str, now: u64, call: Arc<CallStart>) -> Commit<Confirmed> {
        if let Err(error) = self.0.check_owner(&call.scope).map(drop) {
            return Commit::ready(Err(error));
        }
        match self.0.front.claim(&call, Checked::DiskToo, Entered::ByTheCaller) {
            Glance::Here(known) => Commit::ready(Ok(Confirmed::Begun(Begun::Known(known)))),
            Glance::Nowhere | Glance::Again | Glance::MaybeOnDisk | Glance::NotCovered => {
                let reserved = Reserved { inner: self.0.clone(), call: Some(call) };
                let token = token.to_owned();
                Commit::unasked(move || Commit::ready(reserved.begin_confirmed(&token, now)))
            }
        }
    }

    fn confirmations(&self, conversation: &ConversationId, now: u64) -> Commit<Vec<Pending>> {
        self.tables(|tables| tables.waiting(conversation, now))
    }

    fn cancel_confirmations(&self, conversation: &ConversationId) -> Commit<Vec<Pending>> {
        self.tables(|tables| tables.cancel(conversation))
    }

    fn block(&self, user: &UserId, until: u64) -> Commit<()> {
        self.0.blocks.raise(user, until);
        Commit::ready(Ok(()))
    }

    fn unblock(&self, user: &UserId) -> Commit<bool> {
        Commit::ready(Ok(self.0.blocks.lift(user)))
    }

    fn blocks(&self, now: u64) -> Commit<Vec<Block>> {
        Commit::ready(Ok(self.0.blocks.list(now)))
    }

    fn blocked_until(&self, user: &UserId) -> Option<u64> {
        self.0.blocks.until(user)
    }

    fn count_call(&self, counter: &Counter, now: u64) -> Commit<Counted> {
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
    ) -> Commit<Option<Lease>> {
        let document = |version| Document { version, time: now, body };
        self.tables(|tables| match tables.save(conversation, owner, 0, document) {
            Saved::At(_) => Some(tables.lease(conversation)),
            Saved::Conflict { .. } => None,
        })
    }

    fn acquire(&self, conversation: &ConversationId) -> Commit<Acquired> {
        self.tables(|tables| tables.acquire(conversation))
    }

    fn end_conversation(
        &self,
        conversation: &ConversationId,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> Commit<Saved> {
        self.tables(|tables| {
            let saved = tables.replace(conversation, expected, body, now);
            if let Saved::At(_) = saved {
                tables.end(conversation);
            }
            saved
        })
    }

    fn unfinished_calls(
        &self,
        conversation: &ConversationId,
    ) -> Result<Vec<AuditEntry>, StoreError> {
        let running = self.0.front.running_of(conversation);
        Ok(running.iter().map(|call| unfinished(call, Outcome::ProcessDied)).collect())
    }

    fn save_conversation(
        &self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> Commit<Saved> {
        let document = |version| Document { version, time: now, body };
        self.tables(|tables| tables.save(conversation, owner, expected, document))
    }

    fn load_conversation(&self, conversation: &ConversationId) -> Commit<Option<Document>> {
        self.tables(|tables| tables.load(conversation))
    }

    fn append_messages(
        &self,
        conversation: &ConversationId,
        after: u64,
        bodies: Vec<Arc<Value>>,
        now: u64,
    ) -> Commit<Appended> {
        self.tables(|tables| tables.append(conversation, after, bodies, now))
    }

    fn messages(
        &self,
        conversation: &ConversationId,
        before: u64,
        limit: usize,
    ) -> Commit<Vec<LogEntry>> {
        self.tables(|tables| tables.page(conversation, before, limit))
    }

    fn delete_conversation(&self, conversation: &ConversationId) -> Commit<bool> {
        self.tables(|tables| tables.delete(conversation))
    }

    fn forget_conversations(&self, before: u64, now: u64) -> Commit<Forgotten> {
        let is_needed = |conversation: &ConversationId| self.0.front.has_calls(conversation);
        self.tables(|tables| {
            let conversations = tables.forget(before, now, FEW, is_needed);
            Forgotten { conversations, more: conversations == FEW }
        })
    }

    fn conversations(
        &self,
        owner: Option<&UserId>,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> Commit<Vec<Summary>> {
        self.tables(|tables| tables.list(owner, after, limit))
    }

    fn pinned_registries(&self) -> Commit<BTreeSet<String>> {
        self.tables(|tables| tables.pinned_registries())
    }

    fn audit(&self, filter: AuditFilter) -> AuditStream {
        AuditMemory::read(self.0.audit.clone(), filter)
    }

    fn verify_audit(&self) -> Result<Verified, StoreError> {
        self.0.audit.verify().map_err(StoreError::BrokenChain)
    }

    fn prune_audit(&self, before: u64) -> Commit<Pruned> {
        Commit::ready(Ok(self.0.audit.prune(before, ROUND)))
    }

    fn expire(&self, now: u64, keep_ms: u64) -> Commit<Expired> {
        let mut expired = Expired::default();
        if let Some(cutoff) = now.checked_sub(keep_ms) {
            expired.calls = self.0.front.expire(cutoff, ROUND);
            expired.confirmations = lock(&self.0.tables).expire(cutoff, ROUND);
        }
        expired.blocks = self.0.blocks.expire(now, ROUND);
        lock(&self.0.tables).rates.expire(now);
        expired.more = expired.calls.max(expired.confirmations).max(expired.blocks) == ROUND;
        self.0.audit.trim();
        Commit::ready(Ok(expired))
    }

    fn retention(&self, look: Look) -> Commit<u64> {
        let mut retention = lock(&self.0.retention);
        let retention = retention.get_or_insert_with(|| Retention::begin(None, look.now));
        Commit::ready(Ok(retention.advance(look)))
    }

    fn probe(&self) -> Commit<()> {
        Commit::ready(Ok(()))
    }

    fn flush(&self) -> Commit<()> {
        Commit::ready(Ok(()))
    }
}

#[cfg(test)]
#[path = "memory_tests.rs"]
mod tests;
