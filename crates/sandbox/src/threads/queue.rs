//! The queues of the threads: jobs that a caller awaits, and background work.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::loading::Loading;
use super::task::Task;
use crate::instance::Instance;
use crate::script::Script;
use crate::shared_load_test::SharedLoadTest;

/// Maximum queued background work; beyond it the work is done immediately, so that a busy engine
/// does not accumulate garbage.
const MOST_CHORES: usize = 32;

/// Work that a caller awaits.
pub(super) enum Job {
    Step(Arc<Task>),
    Load(Arc<Loading>),
}

/// Work that no caller awaits.
pub(super) enum BackgroundWork {
    /// Prepares a sandbox for the next call.
    Prepare(Script),
    /// Frees a sandbox that was used.
    Discard(Instance),
    /// Frees a sandbox in which tools were tried.
    Retire(SharedLoadTest),
}

/// Work taken from a queue.
pub(super) enum Work {
    Job(Job),
    Chore(BackgroundWork),
}

/// The queue that a thread serves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ThreadRole {
    Jobs,
    Chores,
}

#[derive(Default)]
pub(super) struct Queue {
    lanes: Mutex<Lanes>,
    jobs_ready: Condvar,
    chores_ready: Condvar,
}

#[derive(Default)]
struct Lanes {
    steps: VecDeque<Arc<Task>>,
    /// A whole toolset may be queued here, so calls have priority.
    loads: VecDeque<Arc<Loading>>,
    /// Call slices since the last load.
    overtaken: usize,
    chores: VecDeque<BackgroundWork>,
    closed: bool,
}

/// Maximum call slices before a waiting load, so that loads proceed on a busy engine.
const MOST_OVERTAKING: usize = 8;

impl Lanes {
    fn next_job(&mut self) -> Option<Job> {
        let overtakes = self.loads.is_empty() || self.overtaken < MOST_OVERTAKING;
        if overtakes && let Some(task) = self.steps.pop_front() {
            self.overtaken += 1;
            return Some(Job::Step(task));
        }
        self.overtaken = 0;
        self.loads.pop_front().map(Job::Load)
    }

    fn drain(&mut self) -> Vec<Job> {
        let steps = self.steps.drain(..).map(Job::Step);
        steps.chain(self.loads.drain(..).map(Job::Load)).collect()
    }
}

impl Queue {
    /// Queues a job; returns it if the queue is closed.
    pub(super) fn push(&self, job: Job) -> Result<(), Job> {
        let mut lanes = self.lanes();
        if lanes.closed {
            return Err(job);
        }
        match job {
            Job::Step(task) => lanes.steps.push_back(task),
            Job::Load(loading) => lanes.loads.push_back(loading),
        }
        drop(lanes);
        self.jobs_ready.notify_one();
        Ok(())
    }

    /// Queues background work; returns it if the queue is full or closed.
    pub(super) fn push_background(
        &self,
        background_work: BackgroundWork,
    ) -> Result<(), BackgroundWork> {
        let mut lanes = self.lanes();
        if lanes.closed || lanes.chores.len() >= MOST_CHORES {
            return Err(background_work);
        }
        lanes.chores.push_back(background_work);
        drop(lanes);
        self.chores_ready.notify_one();
        Ok(())
    }

    /// Waits for work. `None` means that the thread must end.
    pub(super) fn next(&self, role: ThreadRole) -> Option<Work> {
        let mut lanes = self.lanes();
        while !lanes.closed {
            let (work, ready) = match role {
                ThreadRole::Jobs => (lanes.next_job().map(Work::Job), &self.jobs_ready),
                ThreadRole::Chores => {
                    (lanes.chores.pop_front().map(Work::Chore), &self.chores_ready)
                }
            };
            if work.is_some() {
                return work;
            }
            lanes = ready.wait(lanes).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }

    /// The number of queued loads.
    pub(super) fn loads(&self) -> usize {
        self.lanes().loads.len()
    }

    /// Ends every thread at its next request for work, and returns the remaining jobs.
    pub(super) fn close(&self) -> Vec<Job> {
        let mut lanes = self.lanes();
        lanes.closed = true;
        lanes.chores.clear();
        self.jobs_ready.notify_all();
        self.chores_ready.notify_all();
        lanes.drain()
    }

    /// Removes and returns the queued jobs.
    pub(super) fn drain(&self) -> Vec<Job> {
        self.lanes().drain()
    }

    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
