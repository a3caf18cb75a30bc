//! The saves of a conversation, and which version the store has. Most are waited for (`change`);
//! the others, such as those of a tool's intents, are looked at before the next change.

use aileron_store::{PendingWrite, SaveResult};
use futures_util::FutureExt;

/// Which version the store has, as far as that is known.
#[derive(Debug)]
pub(super) struct PendingSaves {
    /// The version the next save goes on from.
    version: u64,
    /// The latest version the store has confirmed.
    confirmed: u64,
    in_flight: Vec<PendingWrite<SaveResult>>,
}

impl PendingSaves {
    /// Nothing is in flight; the store has this version.
    pub(super) fn at(version: u64) -> Self {
        Self { version, confirmed: version, in_flight: Vec::new() }
    }

    /// The version that a save goes on from which is asked for now. The next goes on from it.
    pub(super) fn next(&mut self) -> u64 {
        self.version += 1;
        self.version - 1
    }

    /// A save that nobody waits for.
    pub(super) fn push(&mut self, save: PendingWrite<SaveResult>) {
        self.in_flight.push(save);
    }

    /// Looks at what has come to its end; says whether somebody else saved the conversation, or it
    /// is not there any more.
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
            // It is saved again, with all that happened since.
            Some(Err(_)) => false,
        });
        self.confirm(found);
        is_gone || found > ours
    }

    /// The store has this version.
    pub(super) fn confirm(&mut self, found: u64) {
        self.confirmed = self.confirmed.max(found);
        if self.in_flight.is_empty() {
            self.version = self.confirmed;
        }
    }

    /// A save that was waited for was not made.
    pub(super) fn failed(&mut self) {
        if self.in_flight.is_empty() {
            self.version = self.confirmed;
        }
    }
}
