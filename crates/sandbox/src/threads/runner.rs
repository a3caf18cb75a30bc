//! One thread that runs JavaScript, with the state that the watchdog needs.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::loading::Loading;
use super::queue::ThreadRole;
use super::task::Task;
use crate::cpu_clock::{self, CpuClock};
use crate::interrupt::TimeLimits;
use crate::script::Script;

pub(super) struct Runner {
    pub(super) role: ThreadRole,
    processor: OnceLock<CpuClock>,
    current: Mutex<Option<CurrentWork>>,
    suspicion: Mutex<Option<StallSample>>,
    abandoned: AtomicBool,
    /// The tool and the caller that block the thread.
    held_for: Mutex<Option<HeldFor>>,
}

/// The tool that blocks a thread, and the caller if there is one.
#[derive(Clone)]
struct HeldFor {
    script: Script,
    caller: Option<Arc<str>>,
}

/// The current work of the thread.
pub(super) struct CurrentWork {
    pub(super) time_limits: Arc<TimeLimits>,
    pub(super) what: WorkItem,
}

pub(super) enum WorkItem {
    Call(Arc<Task>),
    Load(Arc<Loading>),
    Prepare(Script),
}

impl CurrentWork {
    /// The tool and the caller to quarantine if the thread gets stuck; none for a load, because an
    /// unloaded tool has no calls to refuse.
    fn held_for(&self) -> Option<HeldFor> {
        match &self.what {
            WorkItem::Call(task) => {
                let (script, caller) = (task.script.clone(), Some(task.caller.clone()));
                Some(HeldFor { script, caller })
            }
            WorkItem::Prepare(script) => Some(HeldFor { script: script.clone(), caller: None }),
            WorkItem::Load(_) => None,
        }
    }
}

/// A period without polls that the watchdog has noticed.
struct StallSample {
    beat: u64,
    processor_time: Duration,
}

impl Runner {
    pub(super) fn new(role: ThreadRole) -> Self {
        Self {
            role,
            processor: OnceLock::new(),
            current: Mutex::default(),
            suspicion: Mutex::default(),
            abandoned: AtomicBool::new(false),
            held_for: Mutex::default(),
        }
    }

    /// Registers the calling thread. An answered caller continues before background work is done.
    pub(super) fn begin(&self) {
        let _ = self.processor.set(CpuClock::of_this_thread());
        if self.role == ThreadRole::Chores {
            cpu_clock::lower_priority();
        }
    }

    /// Runs work watched by the watchdog. `None` if it panicked or was abandoned.
    pub(super) fn run_watched<T>(
        &self,
        time_limits: &Arc<TimeLimits>,
        what: WorkItem,
        work: impl FnOnce() -> T,
    ) -> Option<T> {
        time_limits.enter();
        *self.current() = Some(CurrentWork { time_limits: time_limits.clone(), what });
        let done = catch_unwind(AssertUnwindSafe(work));
        self.current().take();
        done.ok().filter(|_| !self.is_abandoned())
    }

    pub(super) fn is_busy(&self) -> bool {
        self.current().is_some()
    }

    /// Abandons the thread if its work is over its limits and used CPU time without polling.
    pub(super) fn give_up_if_stuck(&self, grace: Duration) -> Option<CurrentWork> {
        let mut current = self.current();
        let time_limits = current.as_ref().map(|current| current.time_limits.clone())?;
        if !time_limits.is_over()
            || !self.used_cpu_without_polling(&time_limits, grace / 2)
            || time_limits.silence() < grace
        {
            return None;
        }
        // Everything is updated under the lock, because the thread may return right after.
        self.hold(current.as_ref().and_then(CurrentWork::held_for));
        self.abandoned.store(true, Ordering::Release);
        current.take()
    }

    fn hold(&self, held_for: Option<HeldFor>) {
        if let Some(HeldFor { script, caller }) = &held_for {
            script.quarantines().hold(caller.as_ref(), Instant::now());
        }
        *self.held_for.lock().unwrap_or_else(PoisonError::into_inner) = held_for;
    }

    /// The thread is no longer blocked.
    pub(super) fn release(&self) {
        let held_for = self.held_for.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(HeldFor { script, caller }) = held_for {
            script.quarantines().release(caller.as_ref(), Instant::now());
        }
    }

    /// Whether the thread used CPU time since its last poll; a thread starved of CPU is not stuck.
    fn used_cpu_without_polling(&self, time_limits: &TimeLimits, enough: Duration) -> bool {
        let Some(processor_time) = self.processor.get().map(CpuClock::time) else { return false };
        let mut suspicion = self.suspicion.lock().unwrap_or_else(PoisonError::into_inner);
        match &*suspicion {
            Some(seen) if seen.beat == time_limits.heartbeat() => {
                processor_time.saturating_sub(seen.processor_time) >= enough
            }
            _ => {
                *suspicion = Some(StallSample { beat: time_limits.heartbeat(), processor_time });
                false
            }
        }
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Acquire)
    }

    /// The abandoned thread has returned.
    pub(super) fn clear_abandoned(&self) {
        self.abandoned.store(false, Ordering::Release);
    }

    fn current(&self) -> MutexGuard<'_, Option<CurrentWork>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
