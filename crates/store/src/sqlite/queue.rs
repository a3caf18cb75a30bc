//! The bounded queue of tasks for the writer.
//!
//! A task without a waiter does not wake the writer: the writer checks at every tick, so that a
//! call costs a push and not a system call. A task that is submitted ahead of them is written
//! without them. From the soft limit on, callers are asked to wait for room, which bounds the queue
//! by the number of callers; at the hard limit, which only callers that do not wait can reach, the
//! thread blocks.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::task::{Durability, Task};
use crate::error::StoreError;
use crate::pending_write::{PendingWrite, WriteCompleter};
use crate::shared_once::lock;

/// How many tasks wake the writer although no caller waits for them.
const WAKE: usize = 256;

/// The maximum number of tasks per transaction: enough to make an fsync cheap, few enough that the
/// first task is not delayed for long by the last.
const BATCH: usize = 1024;

/// The hard limit, as a multiple of the soft limit.
const HARD: usize = 4;

type Tasks = Vec<Box<dyn Task>>;

/// The next work of the writer.
pub(super) enum NextWork {
    Work(Tasks),
    /// No task was submitted for a while.
    Tick,
    /// The store is closed, and all tasks were returned or the disk cannot be written.
    Closed,
}

pub(super) struct Queue {
    state: Mutex<QueueState>,
    work: Condvar,
    room: Condvar,
    length: AtomicUsize,
    /// A copy of `closed` that is read without the lock.
    ended: AtomicBool,
    soft: usize,
    tick: Duration,
}

#[derive(Default)]
struct QueueState {
    /// Tasks that are written before `tasks`, and without them unless those are due.
    ahead: VecDeque<Box<dyn Task>>,
    tasks: VecDeque<Box<dyn Task>>,
    /// Whether a caller waits for one of `tasks`.
    urgent: bool,
    /// When the oldest of `tasks` was submitted.
    since: Option<Instant>,
    closed: bool,
    /// Why the last attempt failed; `None` after a success.
    failing: Option<StoreError>,
    /// The callers that were asked to wait for room.
    waiting: Vec<WriteCompleter<()>>,
}

impl QueueState {
    fn count(&self) -> usize {
        self.ahead.len() + self.tasks.len()
    }

    /// Whether all tasks are due, and not only those ahead.
    fn all_are_due(&self, tick: Duration) -> bool {
        let is_old = || self.since.is_some_and(|since| since.elapsed() >= tick);
        self.urgent || self.tasks.len() >= WAKE || is_old()
    }
}

impl Queue {
    pub(super) fn new(soft: usize, tick: Duration) -> Self {
        Self {
            state: Mutex::default(),
            work: Condvar::new(),
            room: Condvar::new(),
            length: AtomicUsize::new(0),
            ended: AtomicBool::new(false),
            soft: soft.max(1),
            // Without a pause the writer would spin.
            tick: tick.max(Duration::from_millis(1)),
        }
    }

    fn is_crowded(&self) -> bool {
        self.length.load(Ordering::Relaxed) >= self.soft
    }

    /// Resolves at once, or when the queue has room again.
    pub(super) fn room(&self) -> PendingWrite<()> {
        if !self.is_crowded() {
            return PendingWrite::done(());
        }
        let mut state = lock(&self.state);
        if state.count() < self.soft {
            return PendingWrite::done(());
        }
        if let Some(error) = &state.failing {
            return PendingWrite::failed(error.clone());
        }
        let (reply, commit) = PendingWrite::pending();
        state.waiting.push(reply);
        commit
    }

    /// Why no call may start: the writer has ended, or the disk cannot be written and the queue is
    /// full. A call that cannot be recorded must not run.
    pub(super) fn refusal(&self) -> Option<StoreError> {
        if self.ended.load(Ordering::Relaxed) {
            return Some(StoreError::Closed);
        }
        if !self.is_crowded() {
            return None;
        }
        lock(&self.state).failing.clone()
    }

    /// Adds a task; returns it with the reason if it is not accepted.
    pub(super) fn push(
        &self,
        task: Box<dyn Task>,
        durability: Durability,
    ) -> Result<(), (Box<dyn Task>, StoreError)> {
        let mut state = self.wait_for_room();
        if state.closed {
            return Err((task, StoreError::Closed));
        }
        if let Some(error) = state.failing.clone().filter(|_| self.is_full(&state)) {
            return Err((task, error));
        }
        self.add(&mut state, task, durability);
        Ok(())
    }

    /// Adds a task at any length of the queue. For callers that must not wait, such as the writer
    /// itself.
    pub(super) fn push_now(&self, task: Box<dyn Task>, durability: Durability) {
        let mut state = lock(&self.state);
        if !state.closed {
            self.add(&mut state, task, durability);
        }
    }

    fn add(&self, state: &mut QueueState, task: Box<dyn Task>, durability: Durability) {
        // A task with a waiter is never overtaken.
        let is_ahead = durability == Durability::ImmediateAhead && !state.urgent;
        if is_ahead {
            state.ahead.push_back(task);
        } else {
            state.tasks.push_back(task);
            state.since.get_or_insert_with(Instant::now);
            state.urgent |= durability != Durability::NextTick;
        }
        self.length.store(state.count(), Ordering::Relaxed);
        let due = is_ahead || state.urgent || state.tasks.len() == WAKE;
        if due && state.failing.is_none() {
            self.work.notify_one();
        }
    }

    fn is_full(&self, state: &QueueState) -> bool {
        state.count() >= self.soft.saturating_mul(HARD)
    }

    fn wait_for_room(&self) -> MutexGuard<'_, QueueState> {
        let full = |state: &mut QueueState| {
            self.is_full(state) && !state.closed && state.failing.is_none()
        };
        let state = lock(&self.state);
        self.room.wait_while(state, full).unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for work, at most this long. While the disk fails, at most one attempt is made per
    /// tick.
    pub(super) fn next(&self, longest: Duration) -> NextWork {
        let mut state = lock(&self.state);
        let mut waited = false;
        loop {
            let healthy = state.failing.is_none();
            if state.closed && (state.count() == 0 || !healthy) {
                return NextWork::Closed;
            }
            let all = waited || state.closed || (healthy && state.all_are_due(self.tick));
            if all && state.count() > 0 {
                return NextWork::Work(self.take(state, BATCH));
            }
            if healthy && !state.ahead.is_empty() {
                let ahead = state.ahead.len();
                return NextWork::Work(self.take(state, ahead.min(BATCH)));
            }
            if waited {
                return NextWork::Tick;
            }
            let wait = if healthy { longest.min(self.until_tick(&state)) } else { self.tick };
            let woken = self.work.wait_timeout(state, wait);
            let (guard, timeout) = woken.unwrap_or_else(PoisonError::into_inner);
            (state, waited) = (guard, timeout.timed_out());
        }
    }

    /// How long the oldest task may still wait for others to share its transaction.
    fn until_tick(&self, state: &QueueState) -> Duration {
        state.since.map_or(self.tick, |since| self.tick.saturating_sub(since.elapsed()))
    }

    /// Takes up to `most` tasks, those ahead first.
    fn take(&self, mut state: MutexGuard<'_, QueueState>, most: usize) -> Tasks {
        let ahead = most.min(state.ahead.len());
        let mut taken: Tasks = state.ahead.drain(..ahead).collect();
        let others = (most - ahead).min(state.tasks.len());
        if others > 0 {
            taken.extend(state.tasks.drain(..others));
            state.urgent &= !state.tasks.is_empty();
            state.since = state.since.filter(|_| !state.tasks.is_empty());
        }
        self.length.store(state.count(), Ordering::Relaxed);
        let room = state.count() < self.soft;
        let waiting = if room { std::mem::take(&mut state.waiting) } else { Vec::new() };
        // Completed without the lock: a woken caller may submit a task at once.
        drop(state);
        self.room.notify_all();
        waiting.into_iter().for_each(|reply| reply.send(Ok(())));
        taken
    }

    /// Takes all tasks, to fail them with the error. Callers that wait for room get the error too.
    pub(super) fn take_all(&self, error: &StoreError) -> Tasks {
        let mut state = lock(&self.state);
        let waiting = std::mem::take(&mut state.waiting);
        let taken = self.take(state, usize::MAX);
        waiting.into_iter().for_each(|reply| reply.send(Err(error.clone())));
        taken
    }

    /// Puts back the tasks that have to be retried, before all newer ones.
    pub(super) fn put_back(&self, tasks: Tasks, error: StoreError) {
        let mut state = lock(&self.state);
        tasks.into_iter().rev().for_each(|task| state.tasks.push_front(task));
        state.since.get_or_insert_with(Instant::now);
        self.length.store(state.count(), Ordering::Relaxed);
        let is_news = state.failing.replace(error.clone()).is_none();
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        self.room.notify_all();
        waiting.into_iter().for_each(|reply| reply.send(Err(error.clone())));
        if is_news {
            tracing::error!(%error, "The store cannot be written.");
        }
    }

    /// Marks the disk as writable again.
    pub(super) fn recovered(&self) {
        let recovered = lock(&self.state).failing.take().is_some();
        if recovered {
            tracing::info!("The store can be written again.");
        }
    }

    /// Accepts no more tasks; accepted ones are still returned.
    pub(super) fn close(&self) {
        lock(&self.state).closed = true;
        self.ended.store(true, Ordering::Relaxed);
        self.work.notify_all();
        self.room.notify_all();
    }
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queue").field("length", &self.length).finish_non_exhaustive()
    }
}
