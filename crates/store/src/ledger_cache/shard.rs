//! One shard of the ledger in memory: conversations and their entries.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use aileron_contract::{ConversationId, ToolResponse};

use crate::call::CallStart;
use crate::ledger::{CallStatus, CallWait, Watch};
use crate::shared_once::SharedOnce;

/// From this many conversations on, a shard drops those without entries.
const SWEEP_AT: usize = 1024;

/// How many keys on disk are remembered for a conversation.
const MAX_FINGERPRINTS: usize = 262_144;

#[derive(Debug, Default)]
pub(super) struct Shard {
    pub(super) conversations: HashMap<ConversationId, ConversationEntries>,
    /// Reads that are not on disk yet.
    pub(super) begun: Vec<Arc<CallStart>>,
    sweep_at: usize,
}

impl Shard {
    pub(super) fn add(&mut self, conversation: ConversationId) -> &mut ConversationEntries {
        if self.conversations.len() >= self.sweep_at.max(SWEEP_AT) {
            self.conversations.retain(|_, held| !held.entries.is_empty());
            self.sweep_at = self.conversations.len() * 2;
        }
        self.conversations.entry(conversation).or_default()
    }

    /// Removes at most `limit` ended entries that began at `cutoff` or earlier; returns how many.
    pub(super) fn expire(&mut self, cutoff: u64, limit: usize) -> usize {
        let expired = |entry: &LedgerEntry| !entry.is_running() && entry.call.time <= cutoff;
        let mut gone = 0;
        for conversation in self.conversations.values_mut() {
            let old = conversation.entries.extract_if(|_, entry| expired(entry));
            gone += old.take(limit - gone).count();
        }
        self.conversations.retain(|_, conversation| !conversation.entries.is_empty());
        gone
    }
}

#[derive(Debug, Default)]
pub(super) struct ConversationEntries {
    pub(super) entries: HashMap<Arc<str>, LedgerEntry>,
    pub(super) coverage: KeyCoverage,
}

impl ConversationEntries {
    /// Removes the entry of this very run.
    pub(super) fn remove(&mut self, call: &Arc<CallStart>) -> Option<EntryState> {
        let own = self.entries.get(&*call.key).is_some_and(|entry| entry.is_of(call));
        own.then(|| self.entries.remove(&*call.key)).flatten().map(|entry| entry.state)
    }
}

/// Which of a conversation's keys on disk memory knows.
#[derive(Debug)]
pub(super) enum KeyCoverage {
    /// Every key on disk is an entry in memory or has its fingerprint here.
    All(HashSet<u64>),
    /// The disk may have other keys.
    Unsure,
}

impl Default for KeyCoverage {
    fn default() -> Self {
        Self::All(HashSet::new())
    }
}

impl KeyCoverage {
    pub(super) fn of(fingerprints: impl Iterator<Item = u64>) -> Self {
        Self::All(fingerprints.collect())
    }

    pub(super) fn excludes(&self, fingerprint: u64) -> bool {
        matches!(self, Self::All(known) if !known.contains(&fingerprint))
    }

    pub(super) fn add(&mut self, fingerprint: u64) {
        match self {
            Self::All(known) if known.len() < MAX_FINGERPRINTS => {
                known.insert(fingerprint);
            }
            _ => *self = Self::Unsure,
        }
    }
}

/// One run of a call and its state.
#[derive(Debug)]
pub(super) struct LedgerEntry {
    pub(super) call: Arc<CallStart>,
    state: EntryState,
}

#[derive(Debug)]
pub(super) enum EntryState {
    /// Running, or ended and not yet durable.
    Running(Option<Arc<Watch>>),
    Finished(Arc<ToolResponse>),
    Abandoned,
}

impl LedgerEntry {
    pub(super) fn running(call: Arc<CallStart>) -> Self {
        Self { call, state: EntryState::Running(None) }
    }

    pub(super) fn call(&self) -> &Arc<CallStart> {
        &self.call
    }

    pub(super) fn known(&mut self) -> CallStatus {
        match &mut self.state {
            EntryState::Running(watch) => CallStatus::Running(CallWait::new(
                watch.get_or_insert_with(SharedOnce::new).clone(),
            )),
            EntryState::Finished(answer) => CallStatus::Finished(answer.clone()),
            EntryState::Abandoned => CallStatus::Abandoned { writes: self.call.writes() },
        }
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.state, EntryState::Running(_))
    }

    /// Whether the entry belongs to this very run, not to another with the same key.
    pub(super) fn is_of(&self, call: &Arc<CallStart>) -> bool {
        Arc::ptr_eq(&self.call, call)
    }

    pub(super) fn end(&mut self, state: EntryState) -> EntryState {
        std::mem::replace(&mut self.state, state)
    }
}

impl EntryState {
    /// Wakes the waiters of a run with its answer.
    pub(super) fn release(self, answer: Option<Arc<ToolResponse>>) {
        if let Self::Running(Some(watch)) = self {
            watch.set(answer);
        }
    }
}
