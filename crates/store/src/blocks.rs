//! Who is blocked until when, in memory.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use aileron_contract::UserId;

#[derive(Debug, Default)]
pub(crate) struct Blocks(RwLock<HashMap<UserId, u64>>);

impl Blocks {
    fn read(&self) -> RwLockReadGuard<'_, HashMap<UserId, u64>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, HashMap<UserId, u64>> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn until(&self, user: &UserId) -> Option<u64> {
        self.read().get(user).copied()
    }

    /// Blocks until a time, or longer if it was longer already.
    pub(crate) fn raise(&self, user: &UserId, until: u64) {
        let mut blocks = self.write();
        let held = blocks.entry(user.clone()).or_insert(until);
        *held = until.max(*held);
    }

    pub(crate) fn lift(&self, user: &UserId) -> bool {
        self.write().remove(user).is_some()
    }

    /// Removes at most `limit` blocks that have ended.
    pub(crate) fn expire(&self, now: u64, limit: usize) -> usize {
        self.write().extract_if(|_, until| *until <= now).take(limit).count()
    }

    /// Takes over what is on disk.
    pub(crate) fn replace(&self, blocks: HashMap<UserId, u64>) {
        *self.write() = blocks;
    }
}
