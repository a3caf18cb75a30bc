//! What has to be done now and then: old entries of the ledger expire, and the calls of processes
//! that died are closed. Turns drive it, so that an idle process does nothing.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::orchestrator::Core;

/// How often a bounded number of old entries is removed.
const EXPIRE_EVERY_MS: u64 = 1000;

/// How often the calls of dead processes are looked for.
const RECOVER_EVERY_MS: u64 = 30_000;

const MS_PER_HOUR: u64 = 3_600_000;

/// When each was done last, in milliseconds since the Unix epoch.
#[derive(Debug, Default)]
pub(crate) struct Housekeeping {
    expired: AtomicU64,
    recovered: AtomicU64,
}

impl Core {
    /// Does what is due. Nobody waits for it, and a store that cannot do it now is asked again.
    pub(crate) fn keep_house(&self, now: u64) {
        let Housekeeping { expired, recovered } = &self.housekeeping;
        if is_due(expired, EXPIRE_EVERY_MS, now) {
            let keep = self.config.ledger.keep_hours.saturating_mul(MS_PER_HOUR);
            drop(self.store.expire(now, keep));
        }
        if is_due(recovered, RECOVER_EVERY_MS, now) {
            drop(self.store.recover());
        }
    }
}

/// Whether something is due; of all who ask, one is told so.
fn is_due(last: &AtomicU64, every: u64, now: u64) -> bool {
    let then = last.load(Ordering::Relaxed);
    now.saturating_sub(then) >= every
        && last.compare_exchange(then, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}
