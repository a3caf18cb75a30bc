//! Sandboxes on threads of this process.
//!
//! A call runs in slices on whichever thread is free and is parked between them, so a few threads
//! serve many calls. A thread that a built-in blocks beyond all limits is abandoned and replaced,
//! and the caller is refused for a time (`quarantine`).

mod loading;
mod queue;
mod runner;
mod task;
mod watchdog;
mod work;

use aileron_capability::foreign::HandlerFault;
use std::iter::repeat_n;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use self::loading::Loading;
use self::queue::{Job, Queue, ThreadRole};
use self::runner::{CurrentWork, Runner, WorkItem};
use self::task::Task;
use self::watchdog::Watchdog;
use super::call_request::{CallControl, CallRequest};
use super::fault::{EngineError, LoadError};
use super::options::Options;
use super::script::Script;
use super::sources::Sources;

/// Stack for Rust code that JavaScript calls, in addition to the limit of JavaScript.
const NATIVE_STACK: usize = 2 << 20;

pub(crate) struct Threads(Arc<ThreadsShared>);

pub(crate) struct ThreadsShared {
    options: Options,
    queue: Queue,
    watchdog: Watchdog,
    thread_set: Mutex<ThreadSet>,
    /// Loads that somebody waits for.
    loads: AtomicUsize,
    /// Signalled when a thread may have become free.
    free: Condvar,
}

#[derive(Default)]
struct ThreadSet {
    runners: Vec<Arc<Runner>>,
    abandoned: usize,
}

impl ThreadSet {
    fn count(&self, role: ThreadRole) -> usize {
        self.runners.iter().filter(|runner| runner.role == role).count()
    }
}

impl Threads {
    pub(crate) fn new(options: Options) -> Result<Self, EngineError> {
        let threads = options.threads.max(1);
        let shared = Arc::new(ThreadsShared {
            options,
            queue: Queue::default(),
            watchdog: Watchdog::new(),
            thread_set: Mutex::default(),
            loads: AtomicUsize::new(0),
            free: Condvar::new(),
        });
        let engine = Self(shared.clone());
        for role in repeat_n(ThreadRole::Jobs, threads).chain([ThreadRole::Chores]) {
            shared.spawn_thread(&mut shared.thread_set(), role).map_err(EngineError::Thread)?;
        }
        let watchdog = thread::Builder::new().name("aileron-js-watch".into());
        let spawned = watchdog.spawn(move || shared.watchdog.run(&shared));
        spawned.map(|_| engine).map_err(EngineError::Thread)
    }

    /// Starts compiling and checking a tool on one of the threads.
    pub(crate) fn begin(&self, sources: Sources) -> AwaitedLoad {
        let tool = sources.tool.clone();
        let (loading, outcome) = Loading::new(sources);
        // A load that no thread will run is dropped here, which closes the channel of its outcome.
        if self.0.thread_set().count(ThreadRole::Jobs) > 0 {
            drop(self.0.queue.push(Job::Load(Arc::new(loading))));
        }
        if self.0.loads.fetch_add(1, Ordering::AcqRel) == 0 {
            self.0.watchdog.ring();
        }
        AwaitedLoad { tool, outcome, shared: self.0.clone() }
    }

    /// Starts a call. Its events go to the channel in the request.
    pub(crate) fn submit(&self, script: &Script, order: CallRequest) -> Box<dyn CallControl> {
        let task = Arc::new(Task::new(self.0.clone(), script.clone(), order));
        if self.0.thread_set().count(ThreadRole::Jobs) == 0 {
            task.finish(Err(HandlerFault::EngineLost));
        } else {
            self.0.watchdog.watch(task.clone(), self.0.tick());
            task.schedule();
        }
        Box::new(task)
    }
}

/// A load in progress.
pub(crate) struct AwaitedLoad {
    tool: String,
    outcome: Receiver<Result<Script, LoadError>>,
    shared: Arc<ThreadsShared>,
}

impl AwaitedLoad {
    /// Waits for its outcome.
    pub(crate) fn wait(self) -> Result<Script, LoadError> {
        let lost =
            || LoadError::TopLevel { tool: self.tool.clone(), fault: HandlerFault::EngineLost };
        self.outcome.recv().unwrap_or_else(|_| Err(lost()))
    }
}

impl Drop for AwaitedLoad {
    fn drop(&mut self) {
        self.shared.loads.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Threads {
    /// Waits until no thread runs a call. A stuck thread is abandoned meanwhile.
    pub(crate) fn wait_until_idle(&self) {
        let mut thread_set = self.0.thread_set();
        while thread_set
            .runners
            .iter()
            .any(|runner| runner.role == ThreadRole::Jobs && runner.is_busy())
        {
            let waited = self.0.free.wait_timeout(thread_set, self.0.tick());
            thread_set = waited.map_or_else(|_| self.0.thread_set(), |(thread_set, _)| thread_set);
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        drop(self.0.queue.close());
        for task in self.0.watchdog.close() {
            task.fail_as_lost();
        }
    }
}

impl ThreadsShared {
    /// Interval at which the watchdog checks busy threads.
    fn tick(&self) -> Duration {
        (self.options.grace / 2).max(Duration::from_millis(1))
    }

    fn is_busy(&self) -> bool {
        self.loads.load(Ordering::Acquire) > 0
            || self.thread_set().runners.iter().any(|runner| runner.is_busy())
    }

    /// Starts one more thread.
    fn spawn_thread(
        self: &Arc<Self>,
        thread_set: &mut ThreadSet,
        role: ThreadRole,
    ) -> std::io::Result<()> {
        let runner = Arc::new(Runner::new(role));
        let (shared, own) = (self.clone(), runner.clone());
        let stack = self.options.limits.stack_bytes.saturating_add(NATIVE_STACK);
        let builder = thread::Builder::new().name("aileron-js".into()).stack_size(stack);
        builder.spawn(move || work::run(&shared, &own))?;
        thread_set.runners.push(runner);
        Ok(())
    }

    fn give_up_stuck_runners(self: &Arc<Self>) {
        let runners = self.thread_set().runners.clone();
        for runner in runners {
            if let Some(current) = runner.give_up_if_stuck(self.options.grace) {
                self.replace(&runner);
                answer(current);
            }
        }
    }

    /// Starts a thread to replace a stuck one, unless too many are stuck.
    fn replace(self: &Arc<Self>, stuck: &Arc<Runner>) {
        let mut thread_set = self.thread_set();
        thread_set.runners.retain(|runner| !Arc::ptr_eq(runner, stuck));
        thread_set.abandoned += 1;
        if thread_set.abandoned <= self.options.most_abandoned {
            let _ = self.spawn_thread(&mut thread_set, stuck.role);
        }
        if thread_set.count(ThreadRole::Jobs) == 0 {
            drop(thread_set);
            self.queue.drain().into_iter().for_each(refuse);
        }
    }

    /// Handles the return of an abandoned thread; returns whether it is needed again.
    fn reinstate(&self, runner: &Arc<Runner>) -> bool {
        let mut thread_set = self.thread_set();
        thread_set.abandoned -= 1;
        runner.release();
        let wanted = if runner.role == ThreadRole::Jobs { self.options.threads.max(1) } else { 1 };
        let needed = thread_set.count(runner.role) < wanted;
        if needed {
            runner.clear_abandoned();
            thread_set.runners.push(runner.clone());
        }
        needed
    }

    fn thread_set(&self) -> MutexGuard<'_, ThreadSet> {
        self.thread_set.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers the caller of the work that blocks a thread.
fn answer(current: CurrentWork) {
    let fault = current.time_limits.stopped().map_or(HandlerFault::CpuDeadline, HandlerFault::from);
    match current.what {
        WorkItem::Call(task) => task.finish(Err(fault)),
        WorkItem::Load(loading) => loading.fail(HandlerFault::CpuDeadline),
        WorkItem::Prepare(_) => {}
    }
}

fn refuse(job: Job) {
    match job {
        Job::Step(task) => task.fail_as_lost(),
        Job::Load(loading) => loading.fail(HandlerFault::EngineLost),
    }
}
