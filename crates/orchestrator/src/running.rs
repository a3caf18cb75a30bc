//! A call that was let through and is not answered yet: what an interruption does to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use aileron_contract::CallId;
use aileron_contract::spec::OnInterrupt;
use tokio_util::sync::CancellationToken;

use crate::conversation::{ConversationCore, Locked};
use crate::invocation::Invocation;

/// A call in the list of those that run.
#[derive(Debug, Clone)]
pub(crate) struct RunningEntry {
    pub(crate) call_id: CallId,
    on_interrupt: OnInterrupt,
    stage: Arc<RunStage>,
}

/// A call's place in the list of those that run; it is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct RunningCall {
    shared: Arc<ConversationCore>,
    pub(crate) stage: Arc<RunStage>,
}

impl RunningCall {
    /// Puts a call on the list. One inside of a call that goes on by itself is not listed: it is a
    /// part of that call, which needs its answer.
    pub(crate) fn take(
        shared: &Arc<ConversationCore>,
        inner: &mut Locked,
        invocation: &Invocation,
    ) -> Self {
        let on_interrupt = invocation.on_interrupt();
        let is_part = invocation.chain.is_some();
        let detaches = on_interrupt == OnInterrupt::Detach && !is_part;
        let stage = Arc::new(RunStage {
            detach: detaches.then(CancellationToken::new),
            ..RunStage::default()
        });
        shared.core.in_flight.enter();
        if !is_part || on_interrupt == OnInterrupt::Cancel {
            let call_id = invocation.call.call_id.clone();
            inner.running.push(RunningEntry { call_id, on_interrupt, stage: stage.clone() });
        }
        Self { shared: shared.clone(), stage }
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        self.shared.lock().running.retain(|call| !Arc::ptr_eq(&call.stage, &self.stage));
        self.shared.core.in_flight.leave();
    }
}

/// How far a call is, and the ways to stop it.
#[derive(Debug, Default)]
pub(crate) struct RunStage {
    at: AtomicU8,
    /// The handler is to stop.
    pub(crate) cancel: CancellationToken,
    /// NoopObserver waits for the handler any more. Only there for those that go on without.
    pub(crate) detach: Option<CancellationToken>,
}

const QUEUED: u8 = 0;
const STARTED: u8 = 1;
const WITHDRAWN: u8 = 2;

impl RunStage {
    /// Goes from waiting to running, unless the call was withdrawn.
    pub(crate) fn start(&self) -> bool {
        self.leave_queue(STARTED)
    }

    fn withdraw(&self) -> bool {
        self.leave_queue(WITHDRAWN)
    }

    fn leave_queue(&self, to: u8) -> bool {
        self.at.compare_exchange(QUEUED, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

impl RunningEntry {
    /// NoopObserver waits for the answer any more. What has not begun does not begin.
    pub(crate) fn interrupt(&self) {
        if self.stage.withdraw() {
            return;
        }
        match self.on_interrupt {
            OnInterrupt::Continue => {}
            OnInterrupt::Cancel => self.stage.cancel.cancel(),
            OnInterrupt::Detach => self.stage.detach.iter().for_each(CancellationToken::cancel),
        }
    }
}
