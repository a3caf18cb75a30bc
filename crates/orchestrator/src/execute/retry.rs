//! Retries: by mode, for failures that may pass and tools that may be run again.

use std::hash::{DefaultHasher, Hash, Hasher};

use aileron_contract::Outcome;
use aileron_runtime::Ending;
use tokio_util::sync::CancellationToken;

use crate::conversation::Shared;
use crate::toolset::Entry;

impl Shared {
    /// Until when to wait before the next attempt, if there is one.
    pub(super) fn wait_before_retry(
        &self,
        entry: &Entry,
        ending: &Ending,
        attempts: u32,
        began: u64,
        deadline: u64,
    ) -> Option<u64> {
        let retries = &self.core.config.retries;
        if ending.outcome != Outcome::Completed || attempts > retries.most(self.mode) {
            return None;
        }
        let failure = ending.result.as_ref().err()?.failure();
        if !failure.retryable || !entry.spec().idempotent {
            return None;
        }
        let wait = retries.base_ms.saturating_mul(1 << (attempts - 1).min(16));
        let until = self.now().saturating_add(jittered(wait, began, attempts));
        (until < deadline).then_some(until)
    }

    /// Waits until then; says whether that is worth it, since nobody may want the call any more.
    pub(super) async fn waited(&self, until: u64, cancel: &CancellationToken) -> bool {
        tokio::select! {
            biased;
            () = cancel.cancelled() => false,
            () = self.core.clock.wait_until(until) => true,
        }
    }
}

/// Half to one and a half of a wait, so that calls that failed together do not come back together.
fn jittered(wait: u64, began: u64, attempts: u32) -> u64 {
    let mut hasher = DefaultHasher::new();
    (began, attempts, std::thread::current().id()).hash(&mut hasher);
    wait / 2 + hasher.finish() % wait.max(1)
}
