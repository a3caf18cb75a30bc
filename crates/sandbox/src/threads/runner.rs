//! One thread that runs JavaScript, as the watchdog sees it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::loading::Loading;
use super::queue::Duty;
use super::task::Task;
use crate::gate::Gate;
use crate::processor::{self, Processor};
use crate::script::Script;

pub(super) struct Runner {
    pub(super) duty: Duty,
    processor: OnceLock<Processor>,
    current: Mutex<Option<Current>>,
    suspicion: Mutex<Option<Suspicion>>,
    abandoned: AtomicBool,
    /// On whose account the thread is held.
    held_for: Mutex<Option<HeldFor>>,
}

/// The tool that holds a thread, and the caller if there is one.
#[derive(Clone)]
struct HeldFor {
    script: Script,
    caller: Option<Arc<str>>,
}

/// What the thread is at.
pub(super) struct Current {
    pub(super) gate: Arc<Gate>,
    pub(super) what: What,
}

pub(super) enum What {
    Call(Arc<Task>),
    Load(Arc<Loading>),
    Prepare(Script),
}

impl Current {
    /// On whose account the thread would be held. A tool that is being loaded is not there to be refused.
    fn held_for(&self) -> Option<HeldFor> {
        match &self.what {
            What::Call(task) => {
                let (script, caller) = (task.script.clone(), Some(task.caller.clone()));
                Some(HeldFor { script, caller })
            }
            What::Prepare(script) => Some(HeldFor { script: script.clone(), caller: None }),
            What::Load(_) => None,
        }
    }
}

/// A silence that the watchdog has noticed.
struct Suspicion {
    beat: u64,
    processor_time: Duration,
}

impl Runner {
    pub(super) fn new(duty: Duty) -> Self {
        Self {
            duty,
            processor: OnceLock::new(),
            current: Mutex::default(),
            suspicion: Mutex::default(),
            abandoned: AtomicBool::new(false),
            held_for: Mutex::default(),
        }
    }

    /// The calling thread is this one. A caller that was answered goes on before chores are done.
    pub(super) fn begin(&self) {
        let _ = self.processor.set(Processor::of_this_thread());
        if self.duty == Duty::Chores {
            processor::give_way();
        }
    }

    /// Runs work under the watchdog's eyes. Nothing comes back if it panicked or was given up meanwhile.
    pub(super) fn attend<T>(
        &self,
        gate: &Arc<Gate>,
        what: What,
        work: impl FnOnce() -> T,
    ) -> Option<T> {
        gate.enter();
        *self.current() = Some(Current { gate: gate.clone(), what });
        let done = catch_unwind(AssertUnwindSafe(work));
        self.current().take();
        done.ok().filter(|_| !self.is_abandoned())
    }

    pub(super) fn is_busy(&self) -> bool {
        self.current().is_some()
    }

    /// Takes the thread's work away if it is over its limits and burnt processor time without asking.
    pub(super) fn give_up_if_stuck(&self, grace: Duration) -> Option<Current> {
        let mut current = self.current();
        let gate = current.as_ref().map(|current| current.gate.clone())?;
        if !gate.is_over() || !self.has_burnt(&gate, grace / 2) || gate.silence() < grace {
            return None;
        }
        // All of it before the lock is free, because the thread may come back right after.
        self.hold(current.as_ref().and_then(Current::held_for));
        self.abandoned.store(true, Ordering::Release);
        current.take()
    }

    fn hold(&self, held_for: Option<HeldFor>) {
        if let Some(HeldFor { script, caller }) = &held_for {
            script.quarantines().hold(caller.as_ref(), Instant::now());
        }
        *self.held_for.lock().unwrap_or_else(PoisonError::into_inner) = held_for;
    }

    /// The thread is held no longer.
    pub(super) fn release(&self) {
        let held_for = self.held_for.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(HeldFor { script, caller }) = held_for {
            script.quarantines().release(caller.as_ref(), Instant::now());
        }
    }

    /// Whether the silence was spent running; a thread that got no processor is not to blame.
    fn has_burnt(&self, gate: &Gate, enough: Duration) -> bool {
        let Some(processor_time) = self.processor.get().map(Processor::time) else { return false };
        let mut suspicion = self.suspicion.lock().unwrap_or_else(PoisonError::into_inner);
        match &*suspicion {
            Some(seen) if seen.beat == gate.beat() => {
                processor_time.saturating_sub(seen.processor_time) >= enough
            }
            _ => {
                *suspicion = Some(Suspicion { beat: gate.beat(), processor_time });
                false
            }
        }
    }

    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Acquire)
    }

    /// The thread came back after all.
    pub(super) fn forgive(&self) {
        self.abandoned.store(false, Ordering::Release);
    }

    fn current(&self) -> MutexGuard<'_, Option<Current>> {
        self.current.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
