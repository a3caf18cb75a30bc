//! A load on its way: the modules to try, and who waits for the outcome.
//!
//! One tool is tried in a sandbox of its own, which is kept for its first call. A long line of them shares a
//! sandbox, and their own are made when they are called.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Shared;
use super::queue::Chore;
use super::runner::{Runner, What};
use crate::fault::{Fault, LoadError};
use crate::gate::Gate;
use crate::instance::Instance;
use crate::limits::Limits;
use crate::script::{Body, Local, Script};
use crate::sources::Sources;
use crate::trial::Trial;

/// How long the top level of a tool's modules may take.
const LONGEST_LOAD: Duration = Duration::from_secs(10);

/// Loads in line from which on a shared sandbox is worth its making.
const LONG_LINE: usize = 16;

pub(super) struct Loading {
    sources: Arc<Sources>,
    waiting: Mutex<Option<SyncSender<Result<Script, LoadError>>>>,
}

impl Loading {
    /// The load, and where its outcome will arrive.
    pub(super) fn new(sources: Sources) -> (Self, Receiver<Result<Script, LoadError>>) {
        let (waiting, outcome) = sync_channel(1);
        let waiting = Mutex::new(Some(waiting));
        (Self { sources: Arc::new(sources), waiting }, outcome)
    }

    pub(super) fn fail(&self, fault: Fault) {
        self.finish(Err(LoadError::TopLevel { tool: self.sources.tool.clone(), fault }));
    }

    fn finish(&self, outcome: Result<Script, LoadError>) {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(waiting) = waiting {
            let _ = waiting.send(outcome);
        }
    }

    fn script(&self, local: Local) -> Script {
        Script::new(&self.sources, Body::Local(local))
    }

    /// Compiles the modules and prepares a first sandbox, which is kept.
    fn run(&self, limits: &Limits, gate: &Arc<Gate>) -> Result<Script, LoadError> {
        let local = Local::new(self.sources.clone());
        local.put(Instance::build(&local.program()?, limits, gate)?);
        Ok(self.script(local))
    }
}

/// The limits in time of preparing a sandbox.
pub(super) fn prepare_gate(limits: &Limits) -> Gate {
    Gate::new(Instant::now() + LONGEST_LOAD, limits.cpu)
}

/// Loads a tool on the calling thread, which keeps the shared sandbox for as long as there is a line.
pub(super) fn load(
    shared: &Shared,
    runner: &Runner,
    trial: &mut Option<Trial>,
    loading: &Arc<Loading>,
) {
    let in_line = shared.queue.loads();
    if (trial.is_some() || in_line >= LONG_LINE) && passes(shared, runner, trial, loading) {
        loading.finish(Ok(loading.script(Local::new(loading.sources.clone()))));
    } else if !runner.is_abandoned() {
        load_alone(shared, runner, loading);
    }
    if in_line == 0 {
        trial.take().into_iter().for_each(|trial| discard(shared, trial));
    }
}

fn load_alone(shared: &Shared, runner: &Runner, loading: &Arc<Loading>) {
    let limits = &shared.options.limits;
    let gate = Arc::new(prepare_gate(limits));
    let outcome = runner.attend(&gate, What::Load(loading.clone()), || loading.run(limits, &gate));
    match outcome {
        Some(outcome) => loading.finish(outcome),
        None => loading.fail(Fault::EngineLost),
    }
}

/// Whether the tool gets through in the shared sandbox, which no tool sees after one that does not.
fn passes(
    shared: &Shared,
    runner: &Runner,
    trial: &mut Option<Trial>,
    loading: &Arc<Loading>,
) -> bool {
    let limits = &shared.options.limits;
    let gate = Arc::new(prepare_gate(limits));
    let mut used = trial.take();
    let passed = runner.attend(&gate, What::Load(loading.clone()), || {
        if used.is_none() {
            used = Trial::build(limits).ok();
        }
        used.as_mut().is_some_and(|trial| trial.passes(&loading.sources, &gate))
    });
    let Some(used) = used else { return false };
    match passed {
        Some(true) if !used.is_worn() => *trial = Some(used),
        Some(_) => discard(shared, used),
        None if runner.is_abandoned() => drop(used),
        // A panic leaves it in an unknown state, in which freeing it may end the process.
        None => std::mem::forget(used),
    }
    passed == Some(true)
}

fn discard(shared: &Shared, trial: Trial) {
    drop(shared.queue.put_off(Chore::Retire(trial)));
}
