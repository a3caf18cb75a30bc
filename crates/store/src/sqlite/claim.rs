//! Claims: which call of a key runs, as memory and, where that is not enough, the disk decide.

use std::sync::Arc;

use super::SqliteStore;
use super::task::{Durability, Task};
use crate::call::CallStart;
use crate::commit::Commit;
use crate::error::StoreError;
use crate::front::{Checked, Entered, Glance};
use crate::ledger::Known;

/// The result of a claim in memory.
pub(super) enum Claim {
    /// Nobody else knows of the call.
    Fresh,
    /// The disk has a word to say: it may know the call.
    ByDisk,
    Known(Known),
}

impl SqliteStore {
    /// Makes the call the running one in memory, unless its key is taken.
    pub(super) fn claim(
        &self,
        call: &Arc<CallStart>,
        entered: Entered,
    ) -> Result<Claim, StoreError> {
        let mut checked = Checked::MemoryOnly;
        let mut fresh = !call.writes();
        loop {
            match self.shared.front.claim(call, checked, entered) {
                Glance::Here(known) => return Ok(Claim::Known(known)),
                Glance::Nowhere if fresh => return Ok(Claim::Fresh),
                Glance::Nowhere | Glance::Again => return Ok(Claim::ByDisk),
                Glance::NotCovered => self.shared.cover(call.conversation())?,
                Glance::MaybeOnDisk if !fresh => checked = Checked::DiskToo,
                Glance::MaybeOnDisk => {
                    checked = Checked::DiskToo;
                    match self.shared.known_on_disk(call.conversation(), &call.key)? {
                        None => {}
                        Some(Known::Abandoned { writes: false }) => fresh = false,
                        Some(known) => return Ok(Claim::Known(known)),
                    }
                }
            }
        }
    }

    /// Hands over what nobody has to wait for; the handle answers when there is room.
    pub(super) fn hand_over(&self, task: Box<dyn Task>) -> Commit<()> {
        match self.shared.submit(task, Durability::NextTick) {
            Ok(()) => self.shared.queue.room(),
            Err(error) => Commit::ready(Err(error)),
        }
    }
}
