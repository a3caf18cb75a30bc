//! The place in a running call where it becomes a task: at most once, and not after its end.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_store::{Store, TaskChange};
use serde_json::Value;

use super::running_tasks::RunningTask;

/// Belongs to a call that may become a task.
#[derive(Debug, Default)]
pub(crate) struct TaskSlot(Mutex<SlotState>);

#[derive(Debug, Default)]
enum SlotState {
    /// Its caller waits for it.
    #[default]
    Attached,
    Task(Arc<RunningTask>),
    /// The handler has ended, so the call becomes no task any more.
    Closed,
}

impl TaskSlot {
    fn lock(&self) -> MutexGuard<'_, SlotState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes the call a task; `None` if it has ended or is one already. `make` runs under the lock, so
    /// that what it submits to the store precedes the end of the task.
    pub(super) fn become_task<T>(
        &self,
        make: impl FnOnce() -> (Arc<RunningTask>, T),
    ) -> Option<(Arc<RunningTask>, T)> {
        let mut state = self.lock();
        if !matches!(*state, SlotState::Attached) {
            return None;
        }
        let (task, made) = make();
        *state = SlotState::Task(task.clone());
        Some((task, made))
    }

    /// The handler has ended. Returns the task, if the call became one.
    pub(super) fn close(&self) -> Option<Arc<RunningTask>> {
        match std::mem::replace(&mut *self.lock(), SlotState::Closed) {
            SlotState::Task(task) => Some(task),
            SlotState::Attached | SlotState::Closed => None,
        }
    }

    /// Keeps the progress of a task.
    pub(crate) fn keep_progress(&self, store: &dyn Store, update: &Value, now: u64) {
        let SlotState::Task(task) = &*self.lock() else { return };
        let update = Arc::new(update.clone());
        if task.keep_progress(&update, now) {
            // Progress that is not stored is lost with the process; the next one replaces it.
            drop(store.change_task(&task.id, TaskChange::Progress(update)));
        }
    }
}
