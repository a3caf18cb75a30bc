//! Retries: by mode, for retryable failures of idempotent tools.

use aileron_capability::{Clock, HandlerEnd};
use aileron_contract::{Jitter, Outcome};
use tokio_util::sync::CancellationToken;

use super::run::CallRun;
use crate::services::Services;

/// When to retry; `None` if not at all.
pub(super) fn retry_at(
    services: &Services,
    run: &CallRun,
    ending: &HandlerEnd,
    attempts: u32,
    deadline: u64,
) -> Option<u64> {
    let retries = &services.config.retries;
    if ending.outcome != Outcome::Completed || attempts > retries.max(run.mode) {
        return None;
    }
    let failure = ending.result.as_ref().err()?.failure();
    if !failure.retryable || !run.invocation.entry.spec().idempotent {
        return None;
    }
    let wait = retries.backoff().jittered(attempts, Jitter::random());
    let at = services.now().saturating_add(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX));
    (at < deadline).then_some(at)
}

/// Waits until a time; returns `false` if the wait was cancelled.
pub(super) async fn wait(clock: &dyn Clock, until: u64, cancel: &CancellationToken) -> bool {
    tokio::select! {
        () = clock.wait_until(until) => true,
        () = cancel.cancelled() => false,
    }
}
