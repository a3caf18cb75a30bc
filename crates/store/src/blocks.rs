//! The blocked people and when each block ends, in memory.

use std::collections::{BTreeSet, HashMap};
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use aileron_contract::UserId;

/// A person who is blocked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    pub user: UserId,
    /// Milliseconds since the Unix epoch.
    pub until: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Blocks(RwLock<BlockTable>);

#[derive(Debug, Default)]
struct BlockTable {
    /// The blocks that are on disk.
    kept: HashMap<UserId, u64>,
    /// The blocks that are in effect but not on disk: they are queued, or their write failed.
    unwritten: HashMap<UserId, Vec<u64>>,
}

impl Blocks {
    fn read(&self) -> RwLockReadGuard<'_, BlockTable> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, BlockTable> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn until(&self, user: &UserId) -> Option<u64> {
        self.read().until(user)
    }

    /// The blocks that are in effect at a time, sorted by user id.
    pub(crate) fn list(&self, now: u64) -> Vec<Block> {
        let held = self.read();
        let users: BTreeSet<&UserId> = held.kept.keys().chain(held.unwritten.keys()).collect();
        let block = |user: &UserId| Some(Block { user: user.clone(), until: held.until(user)? });
        users.into_iter().filter_map(block).filter(|block| block.until > now).collect()
    }

    /// Blocks until a time. A block that lasts longer is not shortened.
    pub(crate) fn raise(&self, user: &UserId, until: u64) {
        self.write().raise(user, until);
    }

    /// Blocks before the block is written, and also if the write fails.
    pub(crate) fn announce(&self, user: &UserId, until: u64) {
        self.write().unwritten.entry(user.clone()).or_default().push(until);
    }

    /// Marks an announced block as written.
    pub(crate) fn written(&self, user: &UserId, until: u64) {
        let mut held = self.write();
        held.raise(user, until);
        let Some(times) = held.unwritten.get_mut(user) else { return };
        if let Some(at) = times.iter().position(|time| *time == until) {
            times.swap_remove(at);
        }
        if times.is_empty() {
            held.unwritten.remove(user);
        }
    }

    /// Removes a block that is on disk. A block that is not written yet stays in effect.
    pub(crate) fn lift(&self, user: &UserId) -> bool {
        self.write().kept.remove(user).is_some()
    }

    /// Removes at most `limit` blocks that have ended.
    pub(crate) fn expire(&self, now: u64, limit: usize) -> usize {
        let mut held = self.write();
        held.unwritten.retain(|_, times| times.iter().any(|until| *until > now));
        held.kept.extract_if(|_, until| *until <= now).take(limit).count()
    }

    /// Replaces the blocks that are on disk with a list read from there.
    pub(crate) fn replace(&self, blocks: HashMap<UserId, u64>) {
        self.write().kept = blocks;
    }
}

impl BlockTable {
    fn until(&self, user: &UserId) -> Option<u64> {
        let unwritten = self.unwritten.get(user).and_then(|times| times.iter().max());
        self.kept.get(user).max(unwritten).copied()
    }

    fn raise(&mut self, user: &UserId, until: u64) {
        let held = self.kept.entry(user.clone()).or_insert(until);
        *held = until.max(*held);
    }
}

#[cfg(test)]
#[path = "blocks_tests.rs"]
mod tests;
