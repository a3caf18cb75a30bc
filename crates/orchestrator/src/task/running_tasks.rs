//! The tasks that run in this process, and the conversations that may have results to tell. The one
//! owner of both; knows no store.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use aileron_contract::{ConversationId, UserId};
use aileron_store::TaskCounts;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

/// How often the progress of a task is stored, at most. The latest is always in memory.
const STORE_PROGRESS_EVERY_MS: u64 = 1000;

/// The tasks of this process.
#[derive(Debug, Default)]
pub(crate) struct RunningTasks(Mutex<TaskTable>);

#[derive(Debug, Default)]
struct TaskTable {
    running: BTreeMap<String, Arc<RunningTask>>,
    /// Calls that are, or may become, tasks of a tool that runs in the background. An entry for each.
    places: Vec<TaskOwner>,
    /// Conversations that may have results that the model does not have.
    watched: BTreeSet<ConversationId>,
}

/// The conversation and the person of a task. A person without an id is bounded by the id under which
/// they would be blocked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TaskOwner {
    pub(crate) conversation: ConversationId,
    pub(crate) person: UserId,
}

/// A task that runs here.
#[derive(Debug)]
pub(crate) struct RunningTask {
    pub(crate) id: String,
    pub(crate) conversation: ConversationId,
    pub(crate) writes: bool,
    /// Cancelled when the handler has to stop.
    pub(crate) cancel: CancellationToken,
    progress: Mutex<LatestProgress>,
}

#[derive(Debug, Default)]
struct LatestProgress {
    update: Option<Arc<Value>>,
    /// When it was last stored.
    stored: Option<u64>,
}

/// The place that a call takes among the tasks of its conversation and its person; dropping it gives
/// the place back.
#[derive(Debug)]
pub(crate) struct TaskPlace {
    tasks: Arc<RunningTasks>,
    owner: TaskOwner,
}

impl RunningTasks {
    fn lock(&self) -> MutexGuard<'_, TaskTable> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes a place for a call that runs in the background.
    pub(crate) fn take_place(self: &Arc<Self>, owner: TaskOwner) -> TaskPlace {
        self.lock().places.push(owner.clone());
        TaskPlace { tasks: self.clone(), owner }
    }

    /// How many places are taken.
    pub(crate) fn count(&self, owner: &TaskOwner) -> TaskCounts {
        let table = self.lock();
        let taken = |same: fn(&TaskOwner, &TaskOwner) -> bool| {
            table.places.iter().filter(|place| same(place, owner)).count()
        };
        TaskCounts {
            conversation: taken(|a, b| a.conversation == b.conversation),
            user: taken(|a, b| a.person == b.person),
        }
    }

    pub(super) fn add(&self, task: Arc<RunningTask>) {
        let mut table = self.lock();
        table.watched.insert(task.conversation.clone());
        table.running.insert(task.id.clone(), task);
    }

    pub(super) fn remove(&self, id: &str) {
        self.lock().running.remove(id);
    }

    /// A task, if it runs in this process.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<RunningTask>> {
        self.lock().running.get(id).cloned()
    }

    /// Cancels a task; returns whether it runs in this process.
    pub(crate) fn cancel(&self, id: &str) -> bool {
        let found = self.find(id);
        found.iter().for_each(|task| task.cancel.cancel());
        found.is_some()
    }

    /// Cancels the tasks of a conversation that only read: nobody waits for their results any more.
    pub(crate) fn cancel_reads(&self, conversation: &ConversationId) {
        let table = self.lock();
        let reads = table.running.values().filter(|task| !task.writes);
        reads.filter(|task| task.conversation == *conversation).for_each(|task| {
            task.cancel.cancel();
        });
    }

    /// Notes that a conversation may have results to tell.
    pub(crate) fn watch(&self, conversation: &ConversationId) {
        self.lock().watched.insert(conversation.clone());
    }

    pub(super) fn unwatch(&self, conversation: &ConversationId) {
        let mut table = self.lock();
        if table.running.values().all(|task| task.conversation != *conversation) {
            table.watched.remove(conversation);
        }
    }

    pub(super) fn is_watched(&self, conversation: &ConversationId) -> bool {
        self.lock().watched.contains(conversation)
    }
}

impl RunningTask {
    pub(super) fn new(
        id: String,
        conversation: ConversationId,
        writes: bool,
        cancel: CancellationToken,
    ) -> Self {
        Self { id, conversation, writes, cancel, progress: Mutex::default() }
    }

    /// Keeps the latest progress; returns whether it is to be stored now.
    pub(super) fn keep_progress(&self, update: &Arc<Value>, now: u64) -> bool {
        let mut latest = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        latest.update = Some(update.clone());
        let due = |stored: u64| now.saturating_sub(stored) >= STORE_PROGRESS_EVERY_MS;
        let is_due = latest.stored.is_none_or(due);
        if is_due {
            latest.stored = Some(now);
        }
        is_due
    }

    /// The latest progress.
    pub(super) fn progress(&self) -> Option<Arc<Value>> {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).update.clone()
    }
}

impl Drop for TaskPlace {
    fn drop(&mut self) {
        let places = &mut self.tasks.lock().places;
        let own = places.iter().position(|place| *place == self.owner);
        own.map(|at| places.swap_remove(at));
    }
}
