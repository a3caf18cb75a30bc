//! The trait, on disk: memory first, then the writer or a read.

use std::collections::BTreeSet;
use std::sync::Arc;

use aileron_contract::{AuditEntry, ConversationId, Outcome, ToolResponse, UserId};
use serde_json::Value;

use super::calls::{EnterRunning, Kept, Refuse, Reserved, Settle};
use super::claim::Claim;
use super::counting::Count;
use super::leases::Acquire;
use super::task::{Batch, Durability, Room, Task};
use super::{
    AuditLog, SqliteStore, audit, blocks, closing, confirmations, conversations, messages,
    retention, rows,
};
use crate::audit::{AuditFilter, AuditStream, Pruned, Verified};
use crate::blocks::Block;
use crate::call::{CallContent, CallStart, Scope};
use crate::commit::Commit;
use crate::document::{Document, Expired, Forgotten, Pending, Saved, Summary, Taken};
use crate::error::StoreError;
use crate::front::{Entered, Glance};
use crate::lease::{Acquired, Lease};
use crate::ledger::{AbandonedCall, Begun, Confirmed, Known, Ticket};
use crate::log::{Appended, LogEntry};
use crate::memory::ROUND;
use crate::rate::{Counted, Counter};
use crate::retention::Look;
use crate::store::Store;

impl Store for SqliteStore {
    fn lookup(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<Known>, StoreError> {
        loop {
            match self.shared.front.peek(conversation, key) {
                Glance::Here(known) => return Ok(Some(known)),
                Glance::Nowhere | Glance::Again => return Ok(None),
                Glance::MaybeOnDisk => return self.shared.known_on_disk(conversation, key),
                Glance::NotCovered => self.shared.cover(conversation)?,
            }
        }
    }

    fn content(
        &self,
        conversation: &ConversationId,
        key: &str,
    ) -> Result<Option<CallContent>, StoreError> {
        match self.shared.front.content(conversation, key) {
            Some(content) => Ok(Some(content)),
            None => self.shared.read(|connection| rows::content(connection, conversation, key)),
        }
    }

    fn begin(&self, call: Arc<CallStart>) -> Commit<Begun> {
        if let Some(error) = self.shared.queue.refusal() {
            return Commit::ready(Err(error));
        }
        let entered = match call.writes() {
            true => Entered::ByTheCaller,
            false => Entered::IfItRunsLong,
        };
        match self.claim(&call, entered) {
            // Claimed first: a lease that is lost from here on is let go of after the claim is written.
            Ok(Claim::Fresh) if !call.scope.lease.is_held() => {
                self.shared.front.withdraw(&call);
                Commit::ready(Err(StoreError::not_owner(call.conversation())))
            }
            Ok(Claim::Fresh) => {
                Commit::ready(Ok(Begun::Started(Ticket::new(call, self.shared.clone()))))
            }
            Ok(Claim::ByDisk) => {
                let reserved = Reserved::new(self.shared.clone(), call);
                Commit::unasked(move || reserved.begin())
            }
            Ok(Claim::Known(known)) => Commit::ready(Ok(Begun::Known(known))),
            Err(error) => Commit::ready(Err(error)),
        }
    }

    fn settle(&self, ticket: Ticket, outcome: Outcome, answer: Arc<ToolResponse>) -> Commit<()> {
        let call = ticket.redeem();
        if !call.writes() {
            self.shared.front.finish(&call, answer.clone());
            return self.hand_over(Box::new(Settle::new(call, outcome, answer, None)));
        }
        let (reply, commit) = Commit::pending();
        // A task that is not taken has answered through its reply.
        let task = Box::new(Settle::new(call, outcome, answer, Some(reply)));
        let _ = self.shared.submit(task, Durability::Immediate);
        commit
    }

    fn refuse(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> Commit<()> {
        let is_awaited = call.writes() || matches!(outcome, Outcome::Denied | Outcome::Superseded);
        let kept = match self.claim(&call, Entered::ByTheCaller) {
            Ok(Claim::Fresh | Claim::ByDisk) => Kept::Claimed,
            // The record is owed all the same.
            Ok(Claim::Known(_)) | Err(_) => Kept::RecordOnly,
        };
        if !is_awaited {
            if kept == Kept::Claimed {
                self.shared.front.finish(&call, answer.clone());
            }
            return self.hand_over(Box::new(Refuse::new((call, kept), outcome, answer, None)));
        }
        let (reply, commit) = Commit::pending();
        // A task that is not taken has answered through its reply.
        let task = Box::new(Refuse::new((call, kept), outcome, answer, Some(reply)));
        let _ = self.shared.submit(task, Durability::Immediate);
        commit
    }

    fn record_refusal(
        &self,
        call: Arc<CallStart>,
        outcome: Outcome,
        answer: Arc<ToolResponse>,
    ) -> Commit<()> {
        self.hand_over(Box::new(Refuse::new((call, Kept::RecordOnly), outcome, answer, None)))
    }

    fn is_shared(&self) -> bool {
        self.shared.instance.has_others()
    }

    fn recover(&self) -> Commit<Vec<AbandonedCall>> {
        self.shared.write_then(Room::Takes, closing::recover, |shared, calls| {
            shared.instance.clean();
            calls
        })
    }

    fn put_confirmation(&self, pending: Pending) -> Commit<()> {
        self.shared.write(move |batch| confirmations::put(batch.connection, &pending))
    }

    fn take_confirmation(&self, token: &str, now: u64, scope: &Scope) -> Commit<Taken> {
        let (reply, commit) = Commit::pending();
        let task = confirmations::Take::new(token.to_owned(), now, scope.clone(), reply);
        // A task that is not taken has answered through its reply.
        let _ = self.shared.submit(Box::new(task), Durability::Immediate);
        commit
    }

    fn begin_confirmed(&self, token: &str, now: u64, call: Arc<CallStart>) -> Commit<Confirmed> {
        match self.claim(&call, Entered::ByTheCaller) {
            Ok(Claim::Fresh | Claim::ByDisk) => {
                let reserved = Reserved::new(self.shared.clone(), call);
                let taken = (token.to_owned(), now);
                Commit::unasked(move || reserved.begin_confirmed(taken))
            }
            Ok(Claim::Known(known)) => Commit::ready(Ok(Confirmed::Begun(Begun::Known(known)))),
            Err(error) => Commit::ready(Err(error)),
        }
    }

    fn confirmations(&self, conversation: &ConversationId, now: u64) -> Commit<Vec<Pending>> {
        let read = |connection: &_| confirmations::waiting(connection, conversation, now);
        Commit::ready(self.shared.read(read))
    }

    fn cancel_confirmations(&self, conversation: &ConversationId) -> Commit<Vec<Pending>> {
        let conversation = conversation.clone();
        self.shared.write(move |batch| confirmations::cancel(batch.connection, &conversation))
    }

    fn block(&self, user: &UserId, until: u64) -> Commit<()> {
        self.shared.blocks.announce(user, until);
        let (reply, commit) = Commit::pending();
        // A task that is not taken has answered through its reply.
        let task = Box::new(blocks::Block::new(user.clone(), until, reply));
        let _ = self.shared.submit(task, Durability::Immediate);
        commit
    }

    fn unblock(&self, user: &UserId) -> Commit<bool> {
        let (user, known) = (user.clone(), user.clone());
        self.shared.write_then(
            Room::Takes,
            move |batch| blocks::lift(batch.connection, &user),
            move |shared, lifted| {
                shared.blocks.lift(&known);
                lifted
            },
        )
    }

    fn blocks(&self, now: u64) -> Commit<Vec<Block>> {
        Commit::ready(Ok(self.shared.blocks.list(now)))
    }

    fn blocked_until(&self, user: &UserId) -> Option<u64> {
        self.shared.blocks.until(user)
    }

    fn count_call(&self, counter: &Counter, now: u64) -> Commit<Counted> {
        let (reply, commit) = Commit::pending();
        let task = Count::new(counter.clone(), now, &self.shared.counting, reply);
        // A task that is not taken has answered through its reply.
        let _ = self.shared.submit(Box::new(task), Durability::Immediate);
        commit
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
    ) -> Commit<Option<Lease>> {
        let (id, owner) = (conversation.clone(), owner.cloned());
        let (conversation, document) = (id.clone(), Document { version: 1, time: now, body });
        let begin = move |batch: &mut Batch<'_>| {
            let me = batch.shared.instance.id();
            conversations::begin(batch.connection, &id, owner.as_ref(), &document, me)
        };
        self.shared.write_then(Room::Takes, begin, move |shared, begun| {
            begun.then(|| shared.leases.grant(&conversation, 1))
        })
    }

    fn acquire(&self, conversation: &ConversationId) -> Commit<Acquired> {
        let (reply, commit) = Commit::pending();
        // A task that is not taken has answered through its reply.
        let task = Acquire::new(conversation.clone(), reply);
        let _ = self.shared.submit(Box::new(task), Durability::Immediate);
        commit
    }

    fn end_conversation(
        &self,
        conversation: &ConversationId,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> Commit<Saved> {
        let (id, ended) = (conversation.clone(), conversation.clone());
        let document = Document { version: expected.saturating_add(1), time: now, body };
        self.shared.write_then(
            Room::Takes,
            move |batch| conversations::end(batch.connection, &id, &document),
            move |shared, saved| {
                if let Saved::At(_) = saved {
                    shared.leases.revoke(&ended);
                }
                saved
            },
        )
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
        owner: Option<&UserId>,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> Commit<Saved> {
        let (conversation, owner) = (conversation.clone(), owner.cloned());
        let document = Document { version: expected.saturating_add(1), time: now, body };
        self.shared.write_ahead(move |batch| {
            conversations::save(batch.connection, &conversation, owner.as_ref(), &document)
        })
    }

    fn load_conversation(&self, conversation: &ConversationId) -> Commit<Option<Document>> {
        Commit::ready(self.shared.read(|connection| conversations::load(connection, conversation)))
    }

    fn append_messages(
        &self,
        conversation: &ConversationId,
        after: u64,
        bodies: Vec<Arc<Value>>,
        now: u64,
    ) -> Commit<Appended> {
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
    ) -> Commit<Vec<LogEntry>> {
        let read = |connection: &_| messages::page(connection, conversation, before, limit);
        Commit::ready(self.shared.read(read))
    }

    fn delete_conversation(&self, conversation: &ConversationId) -> Commit<bool> {
        let conversation = conversation.clone();
        self.shared.write(move |batch| {
            messages::delete(batch.connection, &conversation)?;
            conversations::delete(batch.connection, &conversation)
        })
    }

    fn forget_conversations(&self, before: u64, now: u64) -> Commit<Forgotten> {
        let forget = move |batch: &mut Batch<'_>| conversations::forget(batch, before, now);
        self.shared.write_then(Room::Frees, forget, |_, forgotten| forgotten)
    }

    fn conversations(
        &self,
        owner: Option<&UserId>,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> Commit<Vec<Summary>> {
        let read = |connection: &_| conversations::list(connection, owner, after, limit);
        Commit::ready(self.shared.read(read))
    }

    fn pinned_registries(&self) -> Commit<BTreeSet<String>> {
        Commit::ready(self.shared.read(conversations::pinned_registries))
    }

    fn audit(&self, filter: AuditFilter) -> AuditStream {
        match AuditLog::open(&self.shared.path) {
            Ok(log) => log.read(filter),
            Err(error) => Box::new(std::iter::once(Err(error))),
        }
    }

    fn verify_audit(&self) -> Result<Verified, StoreError> {
        AuditLog::open(&self.shared.path)?.verify()
    }

    fn prune_audit(&self, before: u64) -> Commit<Pruned> {
        let prune = move |batch: &mut Batch<'_>| audit::prune(batch, before, ROUND);
        self.shared.write_then(Room::Frees, prune, |_, pruned| pruned)
    }

    fn expire(&self, now: u64, keep_ms: u64) -> Commit<Expired> {
        self.shared.write_then(
            Room::Frees,
            move |batch| closing::expire(batch, now, keep_ms, ROUND),
            move |shared, round| {
                shared.blocks.expire(now, ROUND);
                let forget = |call: &AbandonedCall| {
                    shared.front.forget(&call.conversation, &call.key);
                };
                round.calls.iter().for_each(forget);
                round.expired
            },
        )
    }

    fn retention(&self, look: Look) -> Commit<u64> {
        self.shared.write(move |batch| {
            retention::advance(batch.connection, batch.shared.instance.id(), look)
        })
    }

    fn probe(&self) -> Commit<()> {
        self.shared.write(|batch| {
            batch.connection.prepare_cached("UPDATE commits SET made = made")?.execute([]).map(drop)
        })
    }

    fn flush(&self) -> Commit<()> {
        let mut running = EnterRunning::default();
        self.shared.write(move |batch| running.apply(batch))
    }
}
