//! Retries: by mode, for failures that may pass and tools that may be run again.

use aileron_contract::{Jitter, Outcome};
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
        let wait = retries.backoff().jittered(attempts, Jitter::random());
        let at = self.now().saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
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
