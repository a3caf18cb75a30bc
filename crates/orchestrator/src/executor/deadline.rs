//! Deadlines: fixed by the tool and its mode; a handler cannot extend them.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use aileron_capability::{Clock, HandlerEnd, ToolError};
use aileron_contract::{ErrorType, Outcome};
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use super::run::CallRun;
use crate::config::Config;

/// When a call that starts now is stopped: after the timeout of its tool, at most that of its mode or
/// of tasks, and not after its parent.
pub(super) fn of(config: &Config, run: &CallRun, now: u64) -> u64 {
    let max_ms = match run.invocation.is_background() {
        true => config.tasks.max_ms,
        false => config.deadlines.of(run.mode).max_ms,
    };
    let own = now.saturating_add(run.invocation.entry.spec().timeout_ms().min(max_ms));
    run.invocation.parent.as_ref().map_or(own, |parent| own.min(parent.deadline))
}

/// The result of the work, or that it was stopped. Timers are set up only for work that does not
/// finish at once.
pub(super) async fn race(
    clock: &dyn Clock,
    mut work: BoxFuture<'static, HandlerEnd>,
    deadline: u64,
    cancel: &CancellationToken,
) -> HandlerEnd {
    let first = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
    if let Poll::Ready(ending) = first {
        return ending;
    }
    let ending = tokio::select! {
        biased;
        ending = &mut work => ending,
        () = cancel.cancelled() => stopped(Outcome::Cancelled),
        () = clock.wait_until(deadline) => stopped(Outcome::TimedOut),
    };
    // A value of the handler may panic when it is dropped; the call has ended in any case.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(work)));
    ending
}

/// The effects of a handler that was stopped are not known.
fn stopped(outcome: Outcome) -> HandlerEnd {
    let error = ToolError::new(ErrorType::Cancelled, ErrorType::Cancelled.sentence());
    let result = Err(error.with_partial_side_effects());
    HandlerEnd { result, outcome, defect: None, warnings: Vec::new() }
}
