//! Sandboxes on threads of this process.
//!
//! A call runs in slices on whichever thread is free and is parked between them, so a few threads serve
//! many calls. A thread that a built-in holds past every limit is given up and replaced, and the caller who
//! held it is refused for a time (`quarantine`).

mod loading;
mod queue;
mod runner;
mod task;
mod watchdog;
mod work;

use std::iter::repeat_n;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::Receiver;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use self::loading::Loading;
use self::queue::{Duty, Job, Queue};
use self::runner::{Current, Runner, What};
use self::task::Task;
use self::watchdog::Watchdog;
use super::fault::{EngineError, Fault, LoadError};
use super::options::Options;
use super::order::{Line, Order};
use super::script::Script;
use super::sources::Sources;

/// What Rust code called from JavaScript may need of the stack, beyond the limit of JavaScript itself.
const NATIVE_STACK: usize = 2 << 20;

pub(crate) struct Threads(Arc<Shared>);

pub(crate) struct Shared {
    options: Options,
    queue: Queue,
    watchdog: Watchdog,
    crew: Mutex<Crew>,
    /// Loads that somebody waits for.
    loads: AtomicUsize,
    /// Rings when a thread may have become free.
    free: Condvar,
}

#[derive(Default)]
struct Crew {
    runners: Vec<Arc<Runner>>,
    abandoned: usize,
}

impl Crew {
    fn count(&self, duty: Duty) -> usize {
        self.runners.iter().filter(|runner| runner.duty == duty).count()
    }
}

impl Threads {
    pub(crate) fn new(options: Options) -> Result<Self, EngineError> {
        let threads = options.threads.max(1);
        let shared = Arc::new(Shared {
            options,
            queue: Queue::default(),
            watchdog: Watchdog::new(),
            crew: Mutex::default(),
            loads: AtomicUsize::new(0),
            free: Condvar::new(),
        });
        let engine = Self(shared.clone());
        for duty in repeat_n(Duty::Jobs, threads).chain([Duty::Chores]) {
            shared.hire(&mut shared.crew(), duty).map_err(EngineError::Thread)?;
        }
        let watchdog = thread::Builder::new().name("aileron-js-watch".into());
        let spawned = watchdog.spawn(move || shared.watchdog.run(&shared));
        spawned.map(|_| engine).map_err(EngineError::Thread)
    }

    /// Begins to compile and try a tool on one of the threads.
    pub(crate) fn begin(&self, sources: Sources) -> Awaited {
        let tool = sources.tool.clone();
        let (loading, outcome) = Loading::new(sources);
        // A load that nobody will do is dropped here, and with it the other end of the outcome.
        if self.0.crew().count(Duty::Jobs) > 0 {
            drop(self.0.queue.push(Job::Load(Arc::new(loading))));
        }
        if self.0.loads.fetch_add(1, Ordering::AcqRel) == 0 {
            self.0.watchdog.ring();
        }
        Awaited { tool, outcome, shared: self.0.clone() }
    }

    /// Begins a call. Its events arrive where the order says.
    pub(crate) fn submit(&self, script: &Script, order: Order) -> Box<dyn Line> {
        let task = Arc::new(Task::new(self.0.clone(), script.clone(), order));
        if self.0.crew().count(Duty::Jobs) == 0 {
            task.finish(Err(Fault::EngineLost));
        } else {
            self.0.watchdog.watch(task.clone(), self.0.tick());
            task.schedule();
        }
        Box::new(task)
    }
}

/// A load that was begun.
pub(crate) struct Awaited {
    tool: String,
    outcome: Receiver<Result<Script, LoadError>>,
    shared: Arc<Shared>,
}

impl Awaited {
    /// Waits for its outcome.
    pub(crate) fn wait(self) -> Result<Script, LoadError> {
        let lost = || LoadError::TopLevel { tool: self.tool.clone(), fault: Fault::EngineLost };
        self.outcome.recv().unwrap_or_else(|_| Err(lost()))
    }
}

impl Drop for Awaited {
    fn drop(&mut self) {
        self.shared.loads.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Threads {
    /// Waits until no thread runs a call. One that is stuck is given up in the meantime.
    pub(crate) fn rest(&self) {
        let mut crew = self.0.crew();
        while crew.runners.iter().any(|runner| runner.duty == Duty::Jobs && runner.is_busy()) {
            let waited = self.0.free.wait_timeout(crew, self.0.tick());
            crew = waited.map_or_else(|_| self.0.crew(), |(crew, _)| crew);
        }
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        drop(self.0.queue.close());
        for task in self.0.watchdog.close() {
            task.lose();
        }
    }
}

impl Shared {
    /// How often the watchdog looks at threads that work.
    fn tick(&self) -> Duration {
        (self.options.grace / 2).max(Duration::from_millis(1))
    }

    fn is_busy(&self) -> bool {
        self.loads.load(Ordering::Acquire) > 0
            || self.crew().runners.iter().any(|runner| runner.is_busy())
    }

    /// Starts one more thread.
    fn hire(self: &Arc<Self>, crew: &mut Crew, duty: Duty) -> std::io::Result<()> {
        let runner = Arc::new(Runner::new(duty));
        let (shared, own) = (self.clone(), runner.clone());
        let stack = self.options.limits.stack_bytes.saturating_add(NATIVE_STACK);
        let builder = thread::Builder::new().name("aileron-js".into()).stack_size(stack);
        builder.spawn(move || work::run(&shared, &own))?;
        crew.runners.push(runner);
        Ok(())
    }

    fn give_up_stuck_runners(self: &Arc<Self>) {
        let runners = self.crew().runners.clone();
        for runner in runners {
            if let Some(current) = runner.give_up_if_stuck(self.options.grace) {
                self.replace(&runner);
                answer(current);
            }
        }
    }

    /// Hires a thread in place of one that is stuck, unless too many are.
    fn replace(self: &Arc<Self>, stuck: &Arc<Runner>) {
        let mut crew = self.crew();
        crew.runners.retain(|runner| !Arc::ptr_eq(runner, stuck));
        crew.abandoned += 1;
        if crew.abandoned <= self.options.most_abandoned {
            let _ = self.hire(&mut crew, stuck.duty);
        }
        if crew.count(Duty::Jobs) == 0 {
            drop(crew);
            self.queue.drain().into_iter().for_each(refuse);
        }
    }

    /// A thread that was given up has come back: whether it is needed again.
    fn take_back(&self, runner: &Arc<Runner>) -> bool {
        let mut crew = self.crew();
        crew.abandoned -= 1;
        runner.release();
        let wanted = if runner.duty == Duty::Jobs { self.options.threads.max(1) } else { 1 };
        let needed = crew.count(runner.duty) < wanted;
        if needed {
            runner.forgive();
            crew.runners.push(runner.clone());
        }
        needed
    }

    fn crew(&self) -> MutexGuard<'_, Crew> {
        self.crew.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Answers whoever waits for what holds a thread.
fn answer(current: Current) {
    let fault = current.gate.stopped().map_or(Fault::CpuDeadline, Fault::from);
    match current.what {
        What::Call(task) => task.finish(Err(fault)),
        What::Load(loading) => loading.fail(Fault::CpuDeadline),
        What::Prepare(_) => {}
    }
}

fn refuse(job: Job) {
    match job {
        Job::Step(task) => task.lose(),
        Job::Load(loading) => loading.fail(Fault::EngineLost),
    }
}
