//! Periodic maintenance: removes expired ledger entries, conversations and records beyond their
//! retention, and closes the calls of processes that died. It runs when turns begin, so that an
//! idle process does nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use aileron_capability::Clock;
use aileron_store::{PendingWrite, RetentionCheck, Store};
use futures_util::FutureExt;
use tokio::sync::Semaphore;

use crate::config::Config;
use crate::detach_on_drop::detach_on_drop;

/// How often old entries are removed.
const EXPIRE_EVERY_MS: u64 = 1000;

/// How often conversations and records beyond their retention are removed.
const FORGET_EVERY_MS: u64 = 60_000;

/// How often the calls of dead processes are closed.
const RECOVER_EVERY_MS: u64 = 30_000;

const MS_PER_HOUR: u64 = 3_600_000;
const MS_PER_DAY: u64 = 24 * MS_PER_HOUR;

/// When each task last ran, by the monotonic clock.
#[derive(Debug)]
pub(crate) struct Maintenance {
    expired: AtomicU64,
    forgot: AtomicU64,
    recovered: AtomicU64,
    /// When the store last received how long this process has run; 0: never.
    looked: AtomicU64,
    /// Held by the task that removes old data, which may take many rounds; one at a time is enough.
    prune_lock: Arc<Semaphore>,
}

impl Default for Maintenance {
    fn default() -> Self {
        let never = AtomicU64::default;
        let prune_lock = Arc::new(Semaphore::new(1));
        Self { expired: never(), forgot: never(), recovered: never(), looked: never(), prune_lock }
    }
}

impl Maintenance {
    /// Runs the tasks that are due, in the background. If the store fails, they are repeated later.
    pub(crate) fn run_due(&self, store: &Arc<dyn Store>, clock: &dyn Clock, config: &Config) {
        let Self { expired, forgot, recovered, looked, prune_lock } = self;
        let alive = clock.monotonic_ms();
        if is_due(recovered, RECOVER_EVERY_MS, alive) {
            drop(store.recover());
        }
        if !is_due(expired, EXPIRE_EVERY_MS, alive) {
            return;
        }
        let before = looked.swap(alive, Ordering::Relaxed);
        let lived_ms = if before == 0 { 0 } else { alive.saturating_sub(before) };
        let keep = keep_ms(config);
        let look = RetentionCheck { now: clock.now_ms(), lived_ms, confirm_ms: keep };
        let config = is_due(forgot, FORGET_EVERY_MS, alive).then(|| config.clone());
        let (store, reached) = (store.clone(), store.retention(look));
        let pruning = async move {
            let Ok(now) = reached.await else { return };
            let cutoffs = config.map(|config| RetentionCutoffs::at(&config, now));
            prune(store, now, keep, cutoffs.unwrap_or_default()).await;
        };
        if let Ok(permit) = prune_lock.clone().try_acquire_owned() {
            let mut pruning = Box::pin(async move {
                pruning.await;
                drop(permit);
            });
            // A store in memory completes at once.
            if pruning.as_mut().now_or_never().is_none() {
                drop(detach_on_drop(pruning));
            }
        }
    }
}

fn keep_ms(config: &Config) -> u64 {
    config.ledger.keep_hours.saturating_mul(MS_PER_HOUR)
}

/// The times before which data is old. `None`: nothing is removed.
#[derive(Default)]
struct RetentionCutoffs {
    conversations: Option<u64>,
    records: Option<u64>,
}

impl RetentionCutoffs {
    /// Records are kept at least as long as ledger entries: the decision about a call that is
    /// delivered again depends on the other calls of its turn.
    fn at(config: &Config, now: u64) -> Self {
        let before = |days: u64| {
            let kept = days.saturating_mul(MS_PER_DAY).max(keep_ms(config));
            (days > 0).then(|| now.saturating_sub(kept))
        };
        let kept = &config.retention;
        Self { conversations: before(kept.conversations_days), records: before(kept.audit_days) }
    }
}

/// Removes the data that is old at this time.
async fn prune(store: Arc<dyn Store>, now: u64, keep: u64, old: RetentionCutoffs) {
    let expired = store.expire(now, keep);
    let pruned = old.records.map(|before| (store.prune_audit(before), before));
    let forgotten =
        old.conversations.map(|before| (store.forget_conversations(before, now), before));
    rounds(expired, |round| round.more, || store.expire(now, keep)).await;
    if let Some((first, before)) = pruned {
        rounds(first, |round| round.more, || store.prune_audit(before)).await;
    }
    if let Some((first, before)) = forgotten {
        rounds(first, |round| round.more, || store.forget_conversations(before, now)).await;
    }
}

async fn rounds<T>(
    first: PendingWrite<T>,
    more: fn(&T) -> bool,
    again: impl Fn() -> PendingWrite<T>,
) {
    let mut round = first;
    while round.await.is_ok_and(|round| more(&round)) {
        round = again();
    }
}

/// Whether a task is due; if several threads ask, one gets `true`.
fn is_due(last: &AtomicU64, every: u64, now: u64) -> bool {
    let then = last.load(Ordering::Relaxed);
    now.saturating_sub(then) >= every
        && last.compare_exchange(then, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
}

#[cfg(test)]
#[path = "maintenance_tests.rs"]
mod tests;
