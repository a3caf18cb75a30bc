//! The lease on a conversation: which process, and which copy within it, decides about its calls.
//!
//! A conversation has one owner at a time. The epoch grows with each owner, and every change of a
//! conversation carries its epoch, so that the store rejects changes by a former owner.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::document::StoredConversation;

/// The right to decide about a conversation. Clones are the same lease.
#[derive(Debug, Clone)]
pub struct Lease {
    epoch: u64,
    lost: Arc<AtomicBool>,
}

impl Lease {
    /// For implementations of the store: the lease of this epoch.
    pub fn new(epoch: u64) -> Self {
        Self { epoch, lost: Arc::default() }
    }

    /// For calls of a conversation that the store does not have. This lease is never lost, and its
    /// calls are not compared with an owner.
    pub fn unowned() -> Self {
        Self::new(0)
    }

    /// Grows with each owner of the conversation; 0 without one.
    pub fn epoch(&self) -> u64 {
        self.epoch
    }

    /// The state in which the holder expects the conversation.
    pub fn at(&self, version: u64) -> ExpectedState<'_> {
        ExpectedState { lease: self, version }
    }

    /// Whether the holder is still the owner. One load from memory.
    pub fn is_held(&self) -> bool {
        !self.lost.load(Ordering::SeqCst)
    }

    /// For implementations of the store: whether another clone of the lease exists.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.lost) > 1
    }

    /// For implementations of the store: another owner takes over.
    pub fn revoke(&self) {
        self.lost.store(true, Ordering::SeqCst);
    }
}

/// Two leases are equal if they have the same epoch; whether one was lost is not compared.
impl PartialEq for Lease {
    fn eq(&self, other: &Self) -> bool {
        self.epoch == other.epoch
    }
}

impl Eq for Lease {}

/// The state in which a save expects a conversation: owned by the holder of the lease, at this
/// version. In any other state the save meets a conflict. The version alone would not tell a former
/// owner, because each of several saves in flight expects the next version.
#[derive(Debug, Clone, Copy)]
pub struct ExpectedState<'a> {
    pub lease: &'a Lease,
    pub version: u64,
}

impl ExpectedState<'_> {
    /// The version after the save.
    pub(crate) fn next_version(&self) -> u64 {
        self.version.saturating_add(1)
    }
}

/// The answer to asking for the lease on a conversation.
#[derive(Debug, Clone, PartialEq)]
pub enum AcquireResult {
    /// The caller is the owner, and this is the conversation.
    Owner(Lease, StoredConversation),
    /// The conversation was ended and has no owner.
    Ended(StoredConversation),
    /// There is no such conversation.
    Missing,
    /// Another live process owns it and did not release it in time.
    Held,
}
