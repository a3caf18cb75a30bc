//! Retries: by mode, for failures that may pass and tools that may be run again.

use std::hash::{BuildHasher, RandomState};

use aileron_contract::Outcome;
use aileron_runtime::Ending;
use tokio_util::sync::CancellationToken;

use crate::conversation::ConversationCore;
use crate::execute::CallRun;

impl ConversationCore {
    /// When to try again, if at all.
    pub(super) fn retry_at(
        &self,
        run: &CallRun,
        ending: &Ending,
        attempts: u32,
        deadline: u64,
    ) -> Option<u64> {
        let retries = &self.core.config.retries;
        if ending.outcome != Outcome::Completed || attempts > retries.most(run.mode) {
            return None;
        }
        let failure = ending.result.as_ref().err()?.failure();
        if !failure.retryable || !run.invocation.entry.spec().idempotent {
            return None;
        }
        let wait = retries.base_ms.saturating_mul(1 << (attempts - 1).min(16));
        let at = self.now().saturating_add(jittered(wait));
        (at < deadline).then_some(at)
    }

    /// Waits until a time; says whether nobody called it off.
    pub(super) async fn wait(&self, until: u64, cancel: &CancellationToken) -> bool {
        tokio::select! {
            () = self.core.clock.wait_until(until) => true,
            () = cancel.cancelled() => false,
        }
    }
}

/// Half to one and a half of a wait, so that calls that failed together do not come back together.
fn jittered(wait: u64) -> u64 {
    let random = RandomState::new().hash_one(());
    wait / 2 + random % wait.max(1)
}
