//! The saves of a conversation, and which version the store has. Most are awaited (`change`); the
//! results of the others, such as saves of a tool's intents, are checked before the next change.

use aileron_store::{PendingWrite, SaveResult};
use futures_util::FutureExt;

/// The version in the store, according to the results so far.
#[derive(Debug)]
pub(super) struct PendingSaves {
    /// The version that the next save expects in the store.
    version: u64,
    /// The latest version the store has confirmed.
    confirmed: u64,
    in_flight: Vec<PendingWrite<SaveResult>>,
}

impl PendingSaves {
    /// No save is in flight; the store has this version.
    pub(super) fn at(version: u64) -> Self {
        Self { version, confirmed: version, in_flight: Vec::new() }
    }

    /// The version that a save submitted now expects. The following save expects the next one.
    pub(super) fn next(&mut self) -> u64 {
        self.version += 1;
        self.version - 1
    }

    /// Adds a background save.
    pub(super) fn push(&mut self, save: PendingWrite<SaveResult>) {
        self.in_flight.push(save);
    }

    /// Checks the saves that have completed; returns whether another process saved the
    /// conversation, or it is no longer in the store. In that case the version of the other process
    /// is not adopted: until this process has acquired the conversation and its state, the store
    /// has to refuse every save of this copy.
    pub(super) fn look(&mut self) -> bool {
        let (mut ours, mut found, mut is_gone) = (self.confirmed, self.confirmed, false);
        self.in_flight.retain_mut(|save| match save.now_or_never() {
            None => true,
            Some(Ok(SaveResult::At(version))) => {
                (ours, found) = (version, version);
                false
            }
            Some(Ok(SaveResult::Conflict { found: version })) => {
                is_gone |= version == 0;
                found = version;
                false
            }
            // The next save includes all changes since.
            Some(Err(_)) => false,
        });
        let is_stale = is_gone || found > ours;
        self.confirm(if is_stale { ours } else { found });
        is_stale
    }

    /// Notes that the store has this version.
    pub(super) fn confirm(&mut self, found: u64) {
        self.confirmed = self.confirmed.max(found);
        if self.in_flight.is_empty() {
            self.version = self.confirmed;
        }
    }

    /// Notes that an awaited save failed.
    pub(super) fn failed(&mut self) {
        if self.in_flight.is_empty() {
            self.version = self.confirmed;
        }
    }
}

#[cfg(test)]
#[path = "pending_saves_tests.rs"]
mod tests;
