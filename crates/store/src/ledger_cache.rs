//! The ledger in memory: all of it for the memory store, the part in use for a store on disk.
//! Sharded by conversation, so that calls rarely contend for a lock.
//!
//! A store on disk queries it first. It knows which keys of a conversation are on disk, so that an
//! unknown key is answered without a disk read.

mod shard;

use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use aileron_contract::{ConversationId, ToolResponse};

use self::shard::{ConversationEntries, EntryState, KeyCoverage, LedgerEntry, Shard};
use crate::call::{CallContent, CallStart};
use crate::ledger::CallStatus;
use crate::shared_once::lock;

/// A power of two well above the number of concurrent threads.
const SHARDS: usize = 64;

/// Where entries are stored that are not in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryBacking {
    None,
    Disk,
}

/// Whether the disk also has to decide about the key that `claim` claims.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DiskCheck {
    MemoryOnly,
    DiskToo,
}

/// When a claimed call is entered on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryWrite {
    /// The caller of `claim` writes it.
    Immediate,
    /// The writer enters it at the next tick, together with the other reads that still run.
    NextTick,
}

/// The result of a lookup in memory.
#[derive(Debug)]
pub(crate) enum CacheLookup {
    Hit(CallStatus),
    /// The key is unknown; `claim` has claimed it.
    Miss,
    /// The key belonged to an abandoned read, which is claimed again.
    Reclaimed,
    /// The key may be on disk; read it there.
    MaybeOnDisk,
    /// The conversation's keys on disk are not known yet; list them.
    KeysNotLoaded,
}

impl CacheLookup {
    /// The status of a call that memory knows.
    pub(crate) fn known(self) -> Option<CallStatus> {
        match self {
            Self::Hit(known) => Some(known),
            Self::Miss | Self::Reclaimed | Self::MaybeOnDisk | Self::KeysNotLoaded => None,
        }
    }
}

#[derive(Debug)]
pub(crate) struct LedgerCache {
    shards: Box<[Mutex<Shard>]>,
    hasher: RandomState,
    backing: EntryBacking,
    /// Incremented when memory drops a conversation or learns of another process's key, so that a
    /// listing of keys made before that is not trusted.
    epoch: AtomicU64,
}

impl LedgerCache {
    pub(crate) fn new(backing: EntryBacking) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { shards, hasher: RandomState::new(), backing, epoch: AtomicU64::new(0) }
    }

    fn shard(&self, conversation: &ConversationId) -> &Mutex<Shard> {
        let hash = self.hasher.hash_one(conversation.as_str());
        &self.shards[hash as usize % SHARDS]
    }

    fn fingerprint(&self, key: &str) -> u64 {
        self.hasher.hash_one(key)
    }

    /// The status of a key.
    pub(crate) fn peek(&self, conversation: &ConversationId, key: &str) -> CacheLookup {
        let mut shard = lock(self.shard(conversation));
        match shard.conversations.get_mut(conversation) {
            Some(found) => self.glance(found, key),
            None => self.uncovered(),
        }
    }

    /// The tool and the arguments of the call that memory has under a key.
    pub(crate) fn content(&self, conversation: &ConversationId, key: &str) -> Option<CallContent> {
        let shard = lock(self.shard(conversation));
        let entry = shard.conversations.get(conversation)?.entries.get(key)?;
        let call = entry.call().clone();
        // The arguments are hashed after the lock is released.
        drop(shard);
        Some(call.content())
    }

    fn uncovered(&self) -> CacheLookup {
        match self.backing {
            EntryBacking::None => CacheLookup::Miss,
            EntryBacking::Disk => CacheLookup::KeysNotLoaded,
        }
    }

    fn glance(&self, conversation: &mut ConversationEntries, key: &str) -> CacheLookup {
        match conversation.entries.get_mut(key) {
            Some(entry) => CacheLookup::Hit(entry.known()),
            None if self.backing == EntryBacking::None => CacheLookup::Miss,
            None if conversation.coverage.excludes(self.fingerprint(key)) => CacheLookup::Miss,
            None => CacheLookup::MaybeOnDisk,
        }
    }

    /// Makes the call the running one of its key, unless the key is already in use.
    pub(crate) fn claim(
        &self,
        call: &Arc<CallStart>,
        checked: DiskCheck,
        entered: EntryWrite,
    ) -> CacheLookup {
        let mut shard = lock(self.shard(call.conversation()));
        let conversation = match shard.conversations.get_mut(call.conversation()) {
            Some(found) => found,
            None if self.backing == EntryBacking::None => shard.add(call.conversation().clone()),
            None => return CacheLookup::KeysNotLoaded,
        };
        let claimed = match self.glance(conversation, &call.key) {
            CacheLookup::Miss => CacheLookup::Miss,
            CacheLookup::Hit(CallStatus::Abandoned { writes: false }) => CacheLookup::Reclaimed,
            CacheLookup::MaybeOnDisk if checked == DiskCheck::DiskToo => CacheLookup::Miss,
            other => return other,
        };
        conversation.entries.insert(call.key.clone(), LedgerEntry::running(call.clone()));
        if self.backing == EntryBacking::Disk && entered == EntryWrite::NextTick {
            shard.begun.push(call.clone());
        }
        claimed
    }

    /// The reads that were started since the last call of this function and still run. Most have
    /// finished by then.
    pub(crate) fn take_begun(&self) -> Vec<Arc<CallStart>> {
        let begun = self.shards.iter().map(|shard| std::mem::take(&mut lock(shard).begun));
        begun.flatten().filter(|call| self.is_running(call)).collect()
    }

    /// Whether the call is still the running one of its key.
    pub(crate) fn is_running(&self, call: &Arc<CallStart>) -> bool {
        self.with_own(call, |entry| entry.is_running()).unwrap_or(false)
    }

    /// Stores the answer of the call, which may be sent.
    pub(crate) fn finish(&self, call: &Arc<CallStart>, answer: Arc<ToolResponse>) {
        let earlier = self.with_own(call, |entry| entry.end(EntryState::Finished(answer.clone())));
        earlier.into_iter().for_each(|state| state.release(Some(answer.clone())));
    }

    /// Marks the call as abandoned: it will never finish.
    pub(crate) fn abandon(&self, call: &Arc<CallStart>) {
        let earlier = self.with_own(call, |entry| entry.end(EntryState::Abandoned));
        earlier.into_iter().for_each(|state| state.release(None));
    }

    /// Removes a call that was not started after all, or has expired.
    pub(crate) fn withdraw(&self, call: &Arc<CallStart>) {
        let mut shard = lock(self.shard(call.conversation()));
        let found = shard.conversations.get_mut(call.conversation());
        let state = found.and_then(|conversation| conversation.remove(call));
        drop(shard);
        state.into_iter().for_each(|state| state.release(None));
    }

    /// Drops the call from memory, because the disk has its row.
    pub(crate) fn leave_to_disk(&self, call: &Arc<CallStart>) {
        let mut shard = lock(self.shard(call.conversation()));
        let Some(conversation) = shard.conversations.get_mut(call.conversation()) else { return };
        conversation.coverage.add(self.fingerprint(&call.key));
        let state = conversation.remove(call);
        if conversation.entries.is_empty() {
            shard.conversations.remove(call.conversation());
            self.epoch.fetch_add(1, Ordering::SeqCst);
        }
        drop(shard);
        state.into_iter().for_each(|state| state.release(None));
    }

    /// Notes a key that another process put on disk.
    pub(crate) fn note_foreign(&self, conversation: &ConversationId, key: &str) {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        let mut shard = lock(self.shard(conversation));
        if let Some(found) = shard.conversations.get_mut(conversation) {
            found.coverage.add(self.fingerprint(key));
        }
    }

    /// Distrusts all earlier listings of the conversation's keys, because other processes may have
    /// added some. Returns whether memory has such a listing.
    pub(crate) fn outdates(&self, conversation: &ConversationId) -> bool {
        self.epoch.fetch_add(1, Ordering::SeqCst);
        lock(self.shard(conversation)).conversations.contains_key(conversation)
    }

    /// Whether memory holds any call of a conversation.
    pub(crate) fn has_calls(&self, conversation: &ConversationId) -> bool {
        let shard = lock(self.shard(conversation));
        shard.conversations.get(conversation).is_some_and(|found| !found.entries.is_empty())
    }

    /// The running calls of a conversation.
    pub(crate) fn running_of(&self, conversation: &ConversationId) -> Vec<Arc<CallStart>> {
        let shard = lock(self.shard(conversation));
        let entries = shard.conversations.get(conversation).into_iter();
        let entries = entries.flat_map(|found| found.entries.values());
        entries.filter(|entry| entry.is_running()).map(|entry| entry.call.clone()).collect()
    }

    /// The current epoch. Read it before listing keys, and pass it to `cover`.
    pub(crate) fn epoch(&self) -> u64 {
        self.epoch.load(Ordering::SeqCst)
    }

    /// Stores the list of keys that a conversation has on disk. Returns `false`, without effect, if
    /// the listing taken at `epoch` may be out of date.
    pub(crate) fn cover(&self, conversation: &ConversationId, keys: &[String], epoch: u64) -> bool {
        let coverage = KeyCoverage::of(keys.iter().map(|key| self.fingerprint(key)));
        let mut shard = lock(self.shard(conversation));
        let current = self.epoch() == epoch;
        if current && !shard.conversations.contains_key(conversation) {
            shard.add(conversation.clone()).coverage = coverage;
        }
        current
    }

    /// Gives up listing a conversation's keys, because there are too many or they change too fast:
    /// each key is read from disk.
    pub(crate) fn leave_uncovered(&self, conversation: &ConversationId) {
        let mut shard = lock(self.shard(conversation));
        if !shard.conversations.contains_key(conversation) {
            shard.add(conversation.clone()).coverage = KeyCoverage::Unsure;
        }
    }

    /// Removes a key that has expired on disk.
    pub(crate) fn forget(&self, conversation: &ConversationId, key: &str) {
        let mut shard = lock(self.shard(conversation));
        let Some(found) = shard.conversations.get_mut(conversation) else { return };
        if found.entries.get(key).is_some_and(|entry| !entry.is_running()) {
            found.entries.remove(key);
        }
    }

    /// Removes at most `limit` ended entries that began at `cutoff` or earlier; returns how many.
    pub(crate) fn expire(&self, cutoff: u64, limit: usize) -> usize {
        let expire = |gone, shard: &Mutex<Shard>| gone + lock(shard).expire(cutoff, limit - gone);
        self.shards.iter().fold(0, expire)
    }

    /// Applies a function to the entry of this very run of a call, if it is in memory.
    fn with_own<R>(
        &self,
        call: &Arc<CallStart>,
        use_it: impl FnOnce(&mut LedgerEntry) -> R,
    ) -> Option<R> {
        let mut shard = lock(self.shard(call.conversation()));
        let conversation = shard.conversations.get_mut(call.conversation())?;
        let entry = conversation.entries.get_mut(&*call.key)?;
        entry.is_of(call).then(|| use_it(entry))
    }
}

#[cfg(test)]
#[path = "ledger_cache_tests.rs"]
mod tests;
