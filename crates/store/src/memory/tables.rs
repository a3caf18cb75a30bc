//! Confirmations, counters, conversations and their logs, of the memory store.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Bound;
use std::sync::Arc;

use aileron_contract::{ConversationId, UserId};
use serde_json::Value;

use super::rates::Rates;
use crate::document::{PendingConfirmation, SaveResult, StoredConversation, Summary, TakeResult};
use crate::lease::{AcquireResult, Lease};
use crate::log::{AppendResult, LogEntry};

#[derive(Debug, Default)]
pub(super) struct Tables {
    pub(super) rates: Rates,
    confirmations: BTreeMap<String, PendingConfirmation>,
    conversations: BTreeMap<ConversationId, (Option<UserId>, StoredConversation)>,
    leases: BTreeMap<ConversationId, Lease>,
    ended: BTreeSet<ConversationId>,
    /// The conversations of each person.
    owned: BTreeMap<Option<UserId>, BTreeSet<ConversationId>>,
    logs: BTreeMap<ConversationId, Vec<LogEntry>>,
}

impl Tables {
    pub(super) fn put(&mut self, pending: PendingConfirmation) {
        self.confirmations.insert(pending.token.clone(), pending);
    }

    pub(super) fn take(&mut self, token: &str, now: u64) -> TakeResult {
        match self.confirmations.remove(token) {
            Some(pending) if pending.expires <= now => TakeResult::Expired(pending),
            Some(pending) => TakeResult::Pending(pending),
            None => TakeResult::Unknown,
        }
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

    pub(super) fn cancel(&mut self, conversation: &ConversationId) -> Vec<PendingConfirmation> {
        let mine = |pending: &PendingConfirmation| pending.conversation == *conversation;
        let gone = self.confirmations.extract_if(.., |_, pending| mine(pending));
        let mut gone: Vec<_> = gone.map(|(_, pending)| pending).collect();
        gone.sort_by_key(|pending| pending.expires);
        gone
    }

    pub(super) fn expire(&mut self, cutoff: u64, limit: usize) -> usize {
        let expired = |pending: &PendingConfirmation| pending.expires <= cutoff;
        self.confirmations.extract_if(.., |_, pending| expired(pending)).take(limit).count()
    }

    pub(super) fn save(
        &mut self,
        conversation: &ConversationId,
        owner: Option<&UserId>,
        expected: u64,
        document: impl FnOnce(u64) -> StoredConversation,
    ) -> SaveResult {
        let found = self.conversations.get(conversation).map_or(0, |(_, found)| found.version);
        if found != expected || self.ended.contains(conversation) {
            return SaveResult::Conflict { found };
        }
        let version = expected + 1;
        let kept = (owner.cloned(), document(version));
        if let Some((before, _)) = self.conversations.insert(conversation.clone(), kept) {
            self.disown(before.as_ref(), conversation);
        }
        self.owned.entry(owner.cloned()).or_default().insert(conversation.clone());
        SaveResult::At(version)
    }

    /// Saves an existing conversation without changing its person.
    pub(super) fn replace(
        &mut self,
        conversation: &ConversationId,
        expected: u64,
        body: Arc<Value>,
        now: u64,
    ) -> SaveResult {
        let Some((owner, _)) = self.conversations.get(conversation) else {
            return SaveResult::Conflict { found: 0 };
        };
        let owner = owner.clone();
        let document = |version| StoredConversation { version, time: now, body };
        self.save(conversation, owner.as_ref(), expected, document)
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

    pub(super) fn pinned_registries(&self) -> BTreeSet<String> {
        let going_on = self.conversations.iter().filter(|(id, _)| !self.ended.contains(id));
        let version = |document: &StoredConversation| {
            let lasting: Value = serde_json::from_str(document.body["lasting"].as_str()?).ok()?;
            Some(lasting["registryVersion"].as_str()?.to_owned())
        };
        going_on.filter_map(|(_, (_, document))| version(document)).collect()
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
    pub(super) fn end(&mut self, conversation: &ConversationId) {
        self.ended.insert(conversation.clone());
        self.leases.remove(conversation).inspect(Lease::revoke);
        self.cancel(conversation);
    }

    /// Whether a call that writes may start under this lease.
    pub(super) fn is_owner(&self, conversation: &ConversationId, lease: &Lease) -> bool {
        let is_there = self.conversations.contains_key(conversation);
        lease.epoch() == 0 || !is_there || self.leases.get(conversation) == Some(lease)
    }

    fn disown(&mut self, owner: Option<&UserId>, conversation: &ConversationId) {
        let owner = owner.cloned();
        if let Some(owned) = self.owned.get_mut(&owner) {
            owned.remove(conversation);
            if owned.is_empty() {
                self.owned.remove(&owner);
            }
        }
    }

    pub(super) fn load(&self, conversation: &ConversationId) -> Option<StoredConversation> {
        self.conversations.get(conversation).map(|(_, document)| document.clone())
    }

    pub(super) fn delete(&mut self, conversation: &ConversationId) -> bool {
        self.logs.remove(conversation);
        self.leases.remove(conversation);
        self.ended.remove(conversation);
        let Some((owner, _)) = self.conversations.remove(conversation) else { return false };
        self.disown(owner.as_ref(), conversation);
        true
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
        owner: Option<&UserId>,
        after: Option<&ConversationId>,
        limit: usize,
    ) -> Vec<Summary> {
        let Some(owned) = self.owned.get(&owner.cloned()) else { return Vec::new() };
        let start = after.map_or(Bound::Unbounded, Bound::Excluded);
        let summary = |conversation: &ConversationId| {
            let (_, StoredConversation { version, time, .. }) =
                self.conversations.get(conversation)?;
            let conversation = conversation.clone();
            Some(Summary { conversation, version: *version, time: *time })
        };
        let range = owned.range::<ConversationId, _>((start, Bound::Unbounded));
        range.take(limit).filter_map(summary).collect()
    }
}
