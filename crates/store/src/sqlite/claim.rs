//! Claims: which call of a key runs. Memory decides; where it cannot, the disk does.

use std::sync::Arc;

use super::SqliteStore;
use super::calls::ReservedCall;
use super::task::{Durability, Task};
use crate::call::CallStart;
use crate::error::StoreError;
use crate::ledger::{BeginResult, CallStatus, Ticket};
use crate::ledger_cache::{CacheLookup, DiskCheck, EntryWrite};
use crate::pending_write::PendingWrite;

/// The result of a claim in memory.
pub(super) enum Claim {
    /// The key is unknown, so the call may run.
    Fresh,
    /// The disk may know the call and has to decide.
    ByDisk,
    Known(CallStatus),
}

impl SqliteStore {
    /// Makes the call the running one in memory, unless its key is already in use.
    pub(super) fn claim(
        &self,
        call: &Arc<CallStart>,
        entered: EntryWrite,
    ) -> Result<Claim, StoreError> {
        let mut checked = DiskCheck::MemoryOnly;
        let mut fresh = !call.writes();
        loop {
            match self.shared.cache.claim(call, checked, entered) {
                CacheLookup::Hit(known) => return Ok(Claim::Known(known)),
                CacheLookup::Miss if fresh => return Ok(Claim::Fresh),
                CacheLookup::Miss | CacheLookup::Reclaimed => return Ok(Claim::ByDisk),
                CacheLookup::KeysNotLoaded => self.shared.cover(call.conversation())?,
                CacheLookup::MaybeOnDisk if !fresh => checked = DiskCheck::DiskToo,
                CacheLookup::MaybeOnDisk => {
                    checked = DiskCheck::DiskToo;
                    match self.shared.known_on_disk(call.conversation(), &call.key)? {
                        None => {}
                        Some(CallStatus::Abandoned { writes: false }) => fresh = false,
                        Some(known) => return Ok(Claim::Known(known)),
                    }
                }
            }
        }
    }

    /// Starts a call: claims its key, and lets the disk decide where memory cannot.
    pub(super) fn begin_call(&self, call: Arc<CallStart>) -> PendingWrite<BeginResult> {
        if let Some(error) = self.shared.queue.refusal() {
            return PendingWrite::failed(error);
        }
        let entered = match call.writes() {
            true => EntryWrite::Immediate,
            false => EntryWrite::NextTick,
        };
        match self.claim(&call, entered) {
            // Claim first, then check: a lease lost after the claim is released only once the claim
            // is written.
            Ok(Claim::Fresh) if !call.scope.lease.is_held() => {
                self.shared.cache.withdraw(&call);
                PendingWrite::failed(StoreError::not_owner(call.conversation()))
            }
            Ok(Claim::Fresh) => {
                PendingWrite::done(BeginResult::Started(Ticket::new(call, self.shared.clone())))
            }
            Ok(Claim::ByDisk) => {
                let reserved = ReservedCall::new(self.shared.clone(), call);
                PendingWrite::unasked(move || reserved.begin())
            }
            Ok(Claim::Known(known)) => PendingWrite::done(BeginResult::Known(known)),
            Err(error) => PendingWrite::failed(error),
        }
    }

    /// Submits a task that no caller waits for; the handle resolves when the queue has room.
    pub(super) fn hand_over(&self, task: Box<dyn Task>) -> PendingWrite<()> {
        match self.shared.submit(task, Durability::NextTick) {
            Ok(()) => self.shared.queue.room(),
            Err(error) => PendingWrite::failed(error),
        }
    }
}
