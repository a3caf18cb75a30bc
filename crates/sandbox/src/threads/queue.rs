//! What the threads have to do: jobs that somebody waits for, and chores that nobody does.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::loading::Loading;
use super::task::Task;
use crate::instance::Instance;
use crate::script::Script;
use crate::shared_load_test::SharedLoadTest;

/// Chores beyond this are not put off: a busy engine must not collect garbage without bound.
const MOST_CHORES: usize = 32;

/// Something that a caller waits for.
pub(super) enum Job {
    Step(Arc<Task>),
    Load(Arc<Loading>),
}

/// Something nobody waits for.
pub(super) enum BackgroundWork {
    /// Prepares a sandbox for the next call.
    Prepare(Script),
    /// Frees a sandbox that was used.
    Discard(Instance),
    /// Frees a sandbox in which tools were tried.
    Retire(SharedLoadTest),
}

/// What a thread took from the queue.
pub(super) enum Work {
    Job(Job),
    Chore(BackgroundWork),
}

/// Which line a thread serves.
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
    /// A whole toolset may stand here, so calls go first.
    loads: VecDeque<Arc<Loading>>,
    /// Steps since a load had its turn.
    overtaken: usize,
    chores: VecDeque<BackgroundWork>,
    closed: bool,
}

/// How many steps of calls go before a load that waits: a busy engine loads slowly, not never.
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
    /// Puts a job in line; a closed queue gives it back.
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

    /// Puts a chore in line; a full or closed line gives it back.
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

    /// Waits for work. Nothing means that the thread is to end.
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

    /// How many loads are in line.
    pub(super) fn loads(&self) -> usize {
        self.lanes().loads.len()
    }

    /// Ends every thread that comes for work, and returns the jobs that nobody will do.
    pub(super) fn close(&self) -> Vec<Job> {
        let mut lanes = self.lanes();
        lanes.closed = true;
        lanes.chores.clear();
        self.jobs_ready.notify_all();
        self.chores_ready.notify_all();
        lanes.drain()
    }

    /// The jobs that are in line, which nobody will do.
    pub(super) fn drain(&self) -> Vec<Job> {
        self.lanes().drain()
    }

    fn lanes(&self) -> MutexGuard<'_, Lanes> {
        self.lanes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
