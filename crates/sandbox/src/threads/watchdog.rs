//! The thread that enforces deadlines, and abandons threads that a built-in blocks.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::ThreadsShared;
use super::task::Task;
use crate::interrupt::StopReason;

/// How long the watchdog sleeps when there is nothing to watch.
const LONG: Duration = Duration::from_secs(3600);

pub(super) struct Watchdog {
    watched: Mutex<WatchedTasks>,
    bell: Condvar,
}

struct WatchedTasks {
    /// Unanswered calls.
    tasks: HashMap<u64, Arc<Task>>,
    /// The next scheduled check.
    wake_at: Instant,
    closed: bool,
}

impl Watchdog {
    pub(super) fn new() -> Self {
        let watched =
            WatchedTasks { tasks: HashMap::new(), wake_at: Instant::now(), closed: false };
        Self { watched: Mutex::new(watched), bell: Condvar::new() }
    }

    /// Watches a call until it is answered. Wakes the watchdog only if it would sleep too long.
    pub(super) fn watch(&self, task: Arc<Task>, tick: Duration) {
        let due = task.deadline.min(Instant::now() + tick);
        let mut watched = self.watched();
        watched.tasks.insert(task.id, task);
        if due < watched.wake_at {
            watched.wake_at = due;
            self.bell.notify_one();
        }
    }

    /// Wakes the watchdog, because a thread starts work other than a call.
    pub(super) fn ring(&self) {
        self.watched().wake_at = Instant::now();
        self.bell.notify_one();
    }

    pub(super) fn forget(&self, id: u64) {
        let task = self.watched().tasks.remove(&id);
        drop(task);
    }

    /// Ends the watchdog, and returns the unanswered calls.
    pub(super) fn close(&self) -> Vec<Arc<Task>> {
        let mut watched = self.watched();
        watched.closed = true;
        self.bell.notify_one();
        watched.tasks.drain().map(|(_, task)| task).collect()
    }

    /// The loop of the watchdog's thread.
    pub(super) fn run(&self, shared: &Arc<ThreadsShared>) {
        let tick = shared.tick();
        loop {
            let Some(late) = self.late() else { return };
            for task in late {
                task.stop_for(StopReason::Deadline);
            }
            shared.give_up_stuck_runners();
            self.sleep(if shared.is_busy() { tick } else { LONG }, tick);
        }
    }

    /// The calls whose deadline has passed; `None` if the watchdog must end.
    fn late(&self) -> Option<Vec<Arc<Task>>> {
        let watched = self.watched();
        let now = Instant::now();
        let late = watched.tasks.values().filter(|task| task.deadline <= now).cloned().collect();
        (!watched.closed).then_some(late)
    }

    fn sleep(&self, longest: Duration, tick: Duration) {
        let mut watched = self.watched();
        if watched.closed {
            return;
        }
        let now = Instant::now();
        let longest = if watched.tasks.is_empty() { longest } else { longest.min(tick) };
        let next = watched.tasks.values().map(|task| task.deadline).min();
        watched.wake_at = next.unwrap_or(now + longest).min(now + longest);
        let pause = watched.wake_at.saturating_duration_since(now);
        drop(self.bell.wait_timeout(watched, pause));
    }

    fn watched(&self) -> MutexGuard<'_, WatchedTasks> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
