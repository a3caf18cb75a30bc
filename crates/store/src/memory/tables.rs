//! Confirmations, counters, tasks, conversations and their logs, of the memory store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use serde_json::Value;

use super::background_tasks::BackgroundTasks;
use super::rates::Rates;
use crate::document::{
    ConfirmationFilter, DecidedConfirmation, OwnerFilter, PendingConfirmation, RecentCursor,
    SaveResult, StoredConversation, Summary, TakeRecord, TakeResult,
};
use crate::lease::{AcquireResult, ExpectedState, Lease};
use crate::log::{AppendResult, LogEntry};

#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) rates: Rates,
    pub(super) tasks: BackgroundTasks,
    confirmations: BTreeMap<String, PendingConfirmation>,
    decided: BTreeMap<String, DecidedConfirmation>,
    conversations: BTreeMap<ConversationId, (Option<UserId>, StoredConversation)>,
    leases: BTreeMap<ConversationId, Lease>,
    ended: BTreeSet<ConversationId>,
    logs: BTreeMap<ConversationId, Vec<LogEntry>>,
}

impl Tables {
    pub(super) fn put(&mut self, pending: PendingConfirmation) {
        self.confirmations.insert(pending.token.clone(), pending);
    }

    pub(super) fn take(&mut self, token: &str, now: u64, record: TakeRecord) -> TakeResult {
        let Some(pending) = self.confirmations.remove(token) else { return TakeResult::Unknown };
        if let TakeRecord::Decided(decision) = record {
            let (confirmation, decision) = (pending.clone(), Some(decision));
            let decided = DecidedConfirmation { confirmation, time: now, decision };
            self.decided.insert(token.to_owned(), decided);
        }
        match pending.expires <= now {
            true => TakeResult::Expired(pending),
            false => TakeResult::Pending(pending),
        }
    }

    pub(super) fn open(
        &self,
        filter: &ConfirmationFilter,
        now: u64,
        limit: usize,
    ) -> Vec<PendingConfirmation> {
        let all = self.confirmations.values();
        let mut open: Vec<_> =
            all.filter(|one| one.expires > now && filter.includes(one)).cloned().collect();
        open.sort_by(|a, b| (a.expires, &a.token).cmp(&(b.expires, &b.token)));
        open.truncate(limit);
        open
    }

    pub(super) fn decided(
        &self,
        filter: &ConfirmationFilter,
        before: u64,
        limit: usize,
    ) -> Vec<DecidedConfirmation> {
        let expired = self.confirmations.values().map(|pending| DecidedConfirmation {
            confirmation: pending.clone(),
            time: pending.expires,
            decision: None,
        });
        let all = self.decided.values().cloned().chain(expired);
        let listed =
            |one: &DecidedConfirmation| one.time < before && filter.includes(&one.confirmation);
        let mut decided: Vec<_> = all.filter(listed).collect();
        decided
            .sort_by(|a, b| (b.time, &a.confirmation.token).cmp(&(a.time, &b.confirmation.token)));
        decided.truncate(limit);
        decided
    }

    pub(super) fn waiting(
        &self,
        conversation: &ConversationId,
        now: u64,
    ) -> Vec<PendingConfirmation> {
        let mine = |pending: &&PendingConfirmation| {
            pending.conversation == *conversation && pending.expires > now
        };
        let mut waiting: Vec<_> = self.confirmations.values().filter(mine).cloned().collect();
        waiting.sort_by_key(|pending| pending.expires);
        waiting
    }

    fn cancel(&mut self, conversation: &ConversationId) -> Vec<PendingConfirmation> {
        let mine = |pending: &PendingConfirmation| pending.conversation == *conversation;
        let gone = self.confirmations.extract_if(.., |_, pending| mine(pending));
        let mut gone: Vec<_> = gone.map(|(_, pending)| pending).collect();
        gone.sort_by_key(|pending| pending.expires);
        gone
    }

    pub(super) fn expire(&mut self, cutoff: u64, limit: usize) -> usize {
        let expired = |pending: &PendingConfirmation| pending.expires <= cutoff;
        let decided = self.decided.extract_if(.., |_, one| one.time <= cutoff).take(limit).count();
        let expired = self.confirmations.extract_if(.., |_, pending| expired(pending));
        expired.take(limit).count().max(decided)
    }

    pub(super) fn save(
        &mut self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        owner: Option<&UserId>,
        document: impl FnOnce(u64) -> StoredConversation,
    ) -> SaveResult {
        let found = self.conversations.get(conversation).map_or(0, |(_, found)| found.version);
        let is_owner = self.is_owner(conversation, expected.lease);
        if found != expected.version || !is_owner || self.ended.contains(conversation) {
            return SaveResult::Conflict { found };
        }
        let version = expected.next_version();
        let kept = (owner.cloned(), document(version));
        self.conversations.insert(conversation.clone(), kept);
        SaveResult::At(version)
    }

    /// Saves an existing conversation without changing its person.
    pub(super) fn replace(
        &mut self,
        conversation: &ConversationId,
        expected: ExpectedState<'_>,
        body: Arc<Value>,
        now: u64,
    ) -> SaveResult {
        let Some((owner, _)) = self.conversations.get(conversation) else {
            return SaveResult::Conflict { found: 0 };
        };
        let owner = owner.clone();
        let document = |version| StoredConversation { version, time: now, body };
        self.save(conversation, expected, owner.as_ref(), document)
    }

    pub(super) fn acquire(&mut self, conversation: &ConversationId) -> AcquireResult {
        let Some((_, document)) = self.conversations.get_mut(conversation) else {
            return AcquireResult::Missing;
        };
        if self.ended.contains(conversation) {
            return AcquireResult::Ended(document.clone());
        }
        document.version += 1;
        let document = document.clone();
        AcquireResult::Owner(self.lease(conversation), document)
    }

    pub(super) fn pinned_registries(&self) -> BTreeMap<String, u64> {
        let going_on = self.conversations.iter().filter(|(id, _)| !self.ended.contains(id));
        let version = |document: &StoredConversation| {
            let lasting: Value = serde_json::from_str(document.body["lasting"].as_str()?).ok()?;
            Some(lasting["registryVersion"].as_str()?.to_owned())
        };
        let mut counts = BTreeMap::new();
        for version in going_on.filter_map(|(_, (_, document))| version(document)) {
            *counts.entry(version).or_default() += 1;
        }
        counts
    }

    /// Makes the caller the owner.
    pub(super) fn lease(&mut self, conversation: &ConversationId) -> Lease {
        let before = self.leases.get(conversation);
        before.inspect(|before| before.revoke());
        let lease = Lease::new(before.map_or(0, Lease::epoch) + 1);
        self.leases.insert(conversation.clone(), lease.clone());
        lease
    }

    /// Marks a conversation as ended after its last save.
    pub(super) fn end(&mut self, conversation: &ConversationId, now: u64) {
        self.ended.insert(conversation.clone());
        self.leases.remove(conversation).inspect(Lease::revoke);
        for confirmation in self.cancel(conversation) {
            let (token, decision) = (confirmation.token.clone(), None);
            let decided = DecidedConfirmation { confirmation, time: now, decision };
            self.decided.insert(token, decided);
        }
    }

    /// Whether a call that writes may start under this lease.
    pub(super) fn is_owner(&self, conversation: &ConversationId, lease: &Lease) -> bool {
        let is_there = self.conversations.contains_key(conversation);
        lease.epoch() == 0 || !is_there || self.leases.get(conversation) == Some(lease)
    }

    pub(super) fn load(&self, conversation: &ConversationId) -> Option<StoredConversation> {
        self.conversations.get(conversation).map(|(_, document)| document.clone())
    }

    pub(super) fn delete(&mut self, conversation: &ConversationId) -> bool {
        self.logs.remove(conversation);
        self.tasks.delete(conversation);
        self.leases.remove(conversation);
        self.ended.remove(conversation);
        self.conversations.remove(conversation).is_some()
    }

    /// Removes at most `limit` conversations that were last saved before a time, the oldest first,
    /// except needed ones and those with an open confirmation.
    pub(super) fn forget(
        &mut self,
        before: u64,
        now: u64,
        limit: usize,
        is_needed: impl Fn(&ConversationId) -> bool,
    ) -> usize {
        let old = self.conversations.iter().filter(|(_, (_, document))| document.time < before);
        let free = old.filter(|(id, _)| !is_needed(id) && self.waiting(id, now).is_empty());
        let mut free: Vec<_> =
            free.map(|(id, (_, document))| (document.time, id.clone())).collect();
        free.sort();
        free.truncate(limit);
        for (_, id) in &free {
            self.delete(id);
        }
        free.len()
    }

    pub(super) fn append(
        &mut self,
        conversation: &ConversationId,
        after: u64,
        bodies: Vec<Arc<Value>>,
        now: u64,
    ) -> AppendResult {
        let found = self.logs.get(conversation).map_or(0, |log| log.len() as u64);
        if found != after {
            return AppendResult::Conflict { found };
        }
        let log = self.logs.entry(conversation.clone()).or_default();
        let entry = |(seq, body)| LogEntry { seq, time: now, body };
        log.extend((after + 1..).zip(bodies).map(entry));
        AppendResult::At(log.len() as u64)
    }

    pub(super) fn page(
        &self,
        conversation: &ConversationId,
        before: u64,
        limit: usize,
    ) -> Vec<LogEntry> {
        let log = self.logs.get(conversation).map_or(&[][..], Vec::as_slice);
        let end = usize::try_from(before.saturating_sub(1)).unwrap_or(usize::MAX).min(log.len());
        log.get(end.saturating_sub(limit)..end).unwrap_or_default().to_vec()
    }

    pub(super) fn list(
        &self,
        owner: &OwnerFilter,
        after: Option<&RecentCursor>,
        limit: usize,
    ) -> Vec<Summary> {
        let all = self.conversations.iter().filter(|(_, (of, _))| owner.includes(of.as_ref()));
        let cursor = |(id, (_, document)): (&ConversationId, &(_, StoredConversation))| {
            RecentCursor { time: document.time, conversation: id.clone() }
        };
        let mut listed: Vec<_> =
            all.map(cursor).filter(|one| after.is_none_or(|after| one < after)).collect();
        listed.sort_by(|a, b| b.cmp(a));
        listed.truncate(limit);
        let summary = |RecentCursor { time, conversation }: RecentCursor| {
            let (owner, document) = self.conversations.get(&conversation)?;
            let (version, owner) = (document.version, owner.clone());
            Some(Summary { conversation, version, time, owner })
        };
        listed.into_iter().filter_map(summary).collect()
    }
}
