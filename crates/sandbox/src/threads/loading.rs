//! A queued load: the modules to check, and the channel of the outcome.
//!
//! A single tool is checked in a new sandbox, which is kept for its first call. A long queue of
//! tools shares one sandbox; then each tool's sandbox is created at its first call.

use aileron_capability::foreign::HandlerFault;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::ThreadsShared;
use super::queue::BackgroundWork;
use super::runner::{Runner, WorkItem};
use crate::fault::LoadError;
use crate::instance::Instance;
use crate::interrupt::TimeLimits;
use crate::limits::SandboxLimits;
use crate::script::{CodeLocation, LocalScript, Script};
use crate::shared_load_test::SharedLoadTest;
use crate::sources::Sources;

/// How long the top level of a tool's modules may take.
const LONGEST_LOAD: Duration = Duration::from_secs(10);

/// Minimum queue length for a shared sandbox.
const LONG_LINE: usize = 16;

pub(super) struct Loading {
    sources: Arc<Sources>,
    waiting: Mutex<Option<SyncSender<Result<Script, LoadError>>>>,
}

impl Loading {
    /// The load, and the receiver of its outcome.
    pub(super) fn new(sources: Sources) -> (Self, Receiver<Result<Script, LoadError>>) {
        let (waiting, outcome) = sync_channel(1);
        let waiting = Mutex::new(Some(waiting));
        (Self { sources: Arc::new(sources), waiting }, outcome)
    }

    pub(super) fn fail(&self, fault: HandlerFault) {
        self.finish(Err(LoadError::TopLevel { tool: self.sources.tool.clone(), fault }));
    }

    fn finish(&self, outcome: Result<Script, LoadError>) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waiting) = waiting {
            let _ = waiting.send(outcome);
        }
    }

    fn script(&self, local: LocalScript) -> Script {
        Script::new(&self.sources, CodeLocation::Local(local))
    }

    /// Compiles the modules and prepares a first sandbox, which is kept.
    fn run(
        &self,
        limits: &SandboxLimits,
        time_limits: &Arc<TimeLimits>,
    ) -> Result<Script, LoadError> {
        let local = LocalScript::new(self.sources.clone());
        local.put(Instance::build(&local.program()?, limits, time_limits)?);
        Ok(self.script(local))
    }
}

/// The time limits of preparing a sandbox.
pub(super) fn prepare_gate(limits: &SandboxLimits) -> TimeLimits {
    TimeLimits::new(Instant::now() + LONGEST_LOAD, limits.cpu)
}

/// Loads a tool on the calling thread, which keeps the shared sandbox while loads are queued.
pub(super) fn load(
    shared: &ThreadsShared,
    runner: &Runner,
    load_test: &mut Option<SharedLoadTest>,
    loading: &Arc<Loading>,
) {
    let in_line = shared.queue.loads();
    if (load_test.is_some() || in_line >= LONG_LINE) && passes(shared, runner, load_test, loading) {
        loading.finish(Ok(loading.script(LocalScript::new(loading.sources.clone()))));
    } else if !runner.is_abandoned() {
        load_alone(shared, runner, loading);
    }
    if in_line == 0 {
        load_test.take().into_iter().for_each(|load_test| discard(shared, load_test));
    }
}

fn load_alone(shared: &ThreadsShared, runner: &Runner, loading: &Arc<Loading>) {
    let limits = &shared.options.limits;
    let time_limits = Arc::new(prepare_gate(limits));
    let outcome = runner.run_watched(&time_limits, WorkItem::Load(loading.clone()), || {
        loading.run(limits, &time_limits)
    });
    match outcome {
        Some(outcome) => loading.finish(outcome),
        None => loading.fail(HandlerFault::EngineLost),
    }
}

/// Whether the tool loads in the shared sandbox, which is discarded after a failure.
fn passes(
    shared: &ThreadsShared,
    runner: &Runner,
    load_test: &mut Option<SharedLoadTest>,
    loading: &Arc<Loading>,
) -> bool {
    let limits = &shared.options.limits;
    let time_limits = Arc::new(prepare_gate(limits));
    let mut used = load_test.take();
    let passed = runner.run_watched(&time_limits, WorkItem::Load(loading.clone()), || {
        if used.is_none() {
            used = SharedLoadTest::build(limits).ok();
        }
        used.as_mut().is_some_and(|load_test| load_test.passes(&loading.sources, &time_limits))
    });
    let Some(used) = used else { return false };
    match passed {
        Some(true) if !used.is_exhausted() => *load_test = Some(used),
        Some(_) => discard(shared, used),
        None if runner.is_abandoned() => drop(used),
        // A panic leaves it in an unknown state; freeing it could crash the process.
        None => std::mem::forget(used),
    }
    passed == Some(true)
}

fn discard(shared: &ThreadsShared, load_test: SharedLoadTest) {
    drop(shared.queue.push_background(BackgroundWork::Retire(load_test)));
}
