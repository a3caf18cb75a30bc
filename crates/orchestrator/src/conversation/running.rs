//! A call that was let through and is not answered yet: what an interruption does to it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

use aileron_contract::CallId;
use aileron_contract::spec::OnInterrupt;
use tokio_util::sync::CancellationToken;

use super::{Inner, Shared};
use crate::invocation::Invocation;

/// A call in the list of those that run.
#[derive(Debug, Clone)]
pub(crate) struct Running {
    pub(crate) call_id: CallId,
    on_interrupt: OnInterrupt,
    stage: Arc<Stage>,
}

/// A call's place in the list of those that run; it is given up when this is dropped.
#[derive(Debug)]
pub(crate) struct Seat {
    shared: Arc<Shared>,
    pub(crate) stage: Arc<Stage>,
}

impl Seat {
    /// Puts a call on the list. One inside of a call that goes on by itself is not listed: it is a
    /// part of that call, which needs its answer.
    pub(crate) fn take(shared: &Arc<Shared>, inner: &mut Inner, invocation: &Invocation) -> Self {
        let on_interrupt = invocation.on_interrupt();
        let is_part = invocation.chain.is_some();
        let detaches = on_interrupt == OnInterrupt::Detach && !is_part;
        let stage =
            Arc::new(Stage { detach: detaches.then(CancellationToken::new), ..Stage::default() });
        shared.core.under_way.enter();
        if !is_part || on_interrupt == OnInterrupt::Cancel {
            let call_id = invocation.call.call_id.clone();
            inner.running.push(Running { call_id, on_interrupt, stage: stage.clone() });
        }
        Self { shared: shared.clone(), stage }
    }
}

impl Drop for Seat {
    fn drop(&mut self) {
        self.shared.lock().running.retain(|call| !Arc::ptr_eq(&call.stage, &self.stage));
        self.shared.core.under_way.leave();
    }
}

/// How far a call is, and the ways to stop it.
#[derive(Debug, Default)]
pub(crate) struct Stage {
    at: AtomicU8,
    /// The handler is to stop.
    pub(crate) cancel: CancellationToken,
    /// Nobody waits for the handler any more. Only there for those that go on without.
    pub(crate) detach: Option<CancellationToken>,
}

const QUEUED: u8 = 0;
const STARTED: u8 = 1;
const WITHDRAWN: u8 = 2;

impl Stage {
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

impl Running {
    /// Nobody waits for the answer any more. What has not begun does not begin.
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
