//! Deadlines: hard, from the tool and its mode, and nothing a handler does moves them.

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;

use aileron_contract::{ErrorType, Outcome};
use aileron_runtime::{Ending, ToolError};
use futures_util::future::BoxFuture;
use tokio_util::sync::CancellationToken;

use crate::conversation::ConversationCore;
use crate::execute::CallRun;
use crate::nested::ParentCall;

impl ConversationCore {
    /// When a call that begins now is given up: as its tool says, at most what its mode allows, and
    /// not after the call it is made inside of.
    pub(super) fn deadline(&self, run: &CallRun, outer: Option<&ParentCall>, now: u64) -> u64 {
        let most = self.core.config.deadlines.of(run.mode).max_ms;
        let own = now.saturating_add(run.invocation.entry.spec().timeout_ms().min(most));
        outer.map_or(own, |outer| own.min(outer.deadline))
    }

    /// The work's own ending, or that it was stopped. Timers are set up for work that waits only.
    pub(super) async fn race(
        &self,
        mut work: BoxFuture<'static, Ending>,
        deadline: u64,
        cancel: &CancellationToken,
    ) -> Ending {
        let first = poll_fn(|context| Poll::Ready(work.as_mut().poll(context))).await;
        if let Poll::Ready(ending) = first {
            return ending;
        }
        let ending = tokio::select! {
            biased;
            ending = &mut work => ending,
            () = cancel.cancelled() => stopped(Outcome::Cancelled),
            () = self.core.clock.wait_until(deadline) => stopped(Outcome::TimedOut),
        };
        // What a handler holds may panic when it is let go; the call has ended all the same.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(work)));
        ending
    }
}

/// What a handler did before it was stopped is not known.
fn stopped(outcome: Outcome) -> Ending {
    let error = ToolError::new(ErrorType::Cancelled, ErrorType::Cancelled.sentence());
    Ending { result: Err(error.with_partial_side_effects()), outcome, defect: None }
}
