//! The calls of a conversation that were admitted and are not answered yet, and the effect of an
//! interruption on each.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::CallId;
use aileron_contract::spec::OnInterrupt;
use tokio_util::sync::CancellationToken;

use crate::in_flight::InFlight;
use crate::invocation::Invocation;
use crate::key;
use crate::task::{RunningTasks, TaskOwner, TaskPlace, TaskSlot};

/// The list of running calls. It has its own lock, so that an interruption does not wait.
#[derive(Debug)]
pub(crate) struct RunningCalls {
    entries: Mutex<Vec<RunningEntry>>,
    in_flight: Arc<InFlight>,
    tasks: Arc<RunningTasks>,
    owner: TaskOwner,
}

/// A call in the list.
#[derive(Debug, Clone)]
struct RunningEntry {
    call_id: CallId,
    on_interrupt: OnInterrupt,
    stage: Arc<RunStage>,
}

/// The guard of a running call; dropping it removes the call from the list.
#[derive(Debug)]
pub(crate) struct RunningCall {
    calls: Arc<RunningCalls>,
    pub(crate) stage: Arc<RunStage>,
    is_listed: bool,
    /// Set for a call that runs in the background.
    _place: Option<TaskPlace>,
}

impl RunningCalls {
    pub(crate) fn new(
        in_flight: Arc<InFlight>,
        tasks: Arc<RunningTasks>,
        owner: TaskOwner,
    ) -> Self {
        Self { entries: Mutex::default(), in_flight, tasks, owner }
    }

    /// Adds a call. A call nested in one that is not cancelled by an interruption is not listed: its
    /// parent needs its answer.
    pub(crate) fn add(self: &Arc<Self>, invocation: &Invocation) -> RunningCall {
        let on_interrupt = invocation.on_interrupt();
        let is_nested = invocation.parent.is_some();
        let detaches = on_interrupt == OnInterrupt::Detach && !is_nested;
        let is_background = invocation.is_background();
        let stage = Arc::new(RunStage {
            detach: detaches.then(CancellationToken::new),
            task: (detaches || is_background).then(Arc::default),
            ..RunStage::default()
        });
        let place = is_background.then(|| self.tasks.take_place(self.owner.clone()));
        self.in_flight.enter();
        let is_listed = !is_nested || on_interrupt == OnInterrupt::Cancel;
        if is_listed {
            let call_id = invocation.call.call_id.clone();
            self.lock().push(RunningEntry { call_id, on_interrupt, stage: stage.clone() });
        }
        RunningCall { calls: self.clone(), stage, is_listed, _place: place }
    }

    /// Interrupts every call.
    pub(crate) fn interrupt(&self) {
        self.lock().iter().for_each(RunningEntry::interrupt);
    }

    /// Interrupts these calls and the calls that belong to them.
    pub(crate) fn cancel(&self, calls: &[CallId]) {
        let cancelled = |call: &&RunningEntry| {
            calls.iter().any(|id| key::is_or_below(call.call_id.as_str(), id.as_str()))
        };
        self.lock().iter().filter(cancelled).for_each(RunningEntry::interrupt);
    }

    fn lock(&self) -> MutexGuard<'_, Vec<RunningEntry>> {
        self.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for RunningCall {
    fn drop(&mut self) {
        if self.is_listed {
            let mut entries = self.calls.lock();
            let own = entries.iter().position(|call| Arc::ptr_eq(&call.stage, &self.stage));
            own.map(|at| entries.swap_remove(at));
        }
        self.calls.in_flight.leave();
    }
}

/// The stage of a call, and the tokens that stop it.
#[derive(Debug, Default)]
pub(crate) struct RunStage {
    at: AtomicU8,
    /// Cancelled when the handler has to stop.
    pub(crate) cancel: CancellationToken,
    /// Cancelled when no caller waits for the handler. Set only for calls that continue in the
    /// background.
    pub(crate) detach: Option<CancellationToken>,
    /// Where the call becomes a task, if it may.
    pub(crate) task: Option<Arc<TaskSlot>>,
}

const QUEUED: u8 = 0;
const STARTED: u8 = 1;
const WITHDRAWN: u8 = 2;

impl RunStage {
    /// Goes from waiting to running, unless the call was withdrawn.
    pub(crate) fn start(&self) -> bool {
        self.leave_queue(STARTED)
    }

    /// Whether it goes or went from waiting to running.
    pub(crate) fn has_started(&self) -> bool {
        self.start() || self.at.load(Ordering::Acquire) == STARTED
    }

    fn withdraw(&self) -> bool {
        self.leave_queue(WITHDRAWN)
    }

    fn leave_queue(&self, to: u8) -> bool {
        self.at.compare_exchange(QUEUED, to, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }
}

impl RunningEntry {
    /// Stops waiting for the answer. A call that has not started does not start.
    fn interrupt(&self) {
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
